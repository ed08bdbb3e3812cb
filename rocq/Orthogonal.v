(* Orthogonal matrices, Householder reflections and orthogonal complements over a real field.

   Vectors are columns, as in the paper; no square root is used, so that the field may be the rationals. *)

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma col_mul (R : ringType) d n m (A : 'M[R]_(d, n)) (B : 'M[R]_(n, m)) j :
  col j (A *m B) = A *m col j B.
Proof. by rewrite !colE mulmxA. Qed.

Section Orthogonal.
Variable R : realFieldType.

(* Q is orthogonal. *)
Definition orthogonal d (Q : 'M[R]_d) := Q^T *m Q = 1%:M.

Lemma orthogonal1 d : orthogonal (1%:M : 'M[R]_d).
Proof. by rewrite /orthogonal trmx1 mulmx1. Qed.

Lemma orthogonalM d (P Q : 'M[R]_d) : orthogonal P -> orthogonal Q -> orthogonal (P *m Q).
Proof.
by move=> oP oQ; rewrite /orthogonal trmx_mul -mulmxA (mulmxA P^T) oP mul1mx.
Qed.

Lemma orthogonal_gram d n m (Q : 'M[R]_d) (X : 'M[R]_(d, n)) (Y : 'M[R]_(d, m)) :
  orthogonal Q -> (Q *m X)^T *m (Q *m Y) = X^T *m Y.
Proof. by move=> oQ; rewrite trmx_mul -mulmxA (mulmxA Q^T) oQ mul1mx. Qed.

(* The square of the length of a vector, as an entry. *)
Definition square d (u : 'cV[R]_d) := (u^T *m u) 0 0.

Lemma squareE d (u : 'cV[R]_d) : square u = \sum_i u i 0 ^+ 2.
Proof. by rewrite /square mxE; apply: eq_bigr => i _; rewrite !mxE expr2. Qed.

Lemma square_eq0 d (u : 'cV[R]_d) : (square u == 0) = (u == 0).
Proof.
rewrite squareE; apply/idP/eqP => [zero | ->].
  have pos i : i \in index_enum _ -> true -> 0 <= u i 0 ^+ 2 by move=> _ _; exact: sqr_ge0.
  apply/matrixP => i j; rewrite mxE (ord1 j); apply/eqP.
  move: zero; rewrite psumr_eq0 => [/allP/(_ i (mem_index_enum i)) /= | k _]; last exact: sqr_ge0.
  by rewrite sqrf_eq0.
by rewrite big1 // => i _; rewrite mxE expr0n.
Qed.

Lemma dot_scalar d (u w : 'cV[R]_d) : u^T *m w = ((u^T *m w) 0 0)%:M.
Proof. exact: mx11_scalar. Qed.

(* Q_u = I - 2 u u^T / |u|^2. *)
Definition householder d (u : 'cV[R]_d) : 'M[R]_d := 1%:M - (2%:R / square u) *: (u *m u^T).

Lemma householder_apply d n (u : 'cV[R]_d) (X : 'M[R]_(d, n)) :
  householder u *m X = X - (2%:R / square u) *: (u *m (u^T *m X)).
Proof. by rewrite mulmxBl mul1mx -scalemxAl mulmxA. Qed.

Lemma householder_sym d (u : 'cV[R]_d) : (householder u)^T = householder u.
Proof. by rewrite linearB /= trmx1 linearZ /= trmx_mul trmxK. Qed.

(* Q_u w = w for w orthogonal to u; hence Q_u X = X for X with columns orthogonal to u. *)
Lemma householder_fix d n (u : 'cV[R]_d) (X : 'M[R]_(d, n)) : u^T *m X = 0 -> householder u *m X = X.
Proof. by move=> zero; rewrite householder_apply zero mulmx0 scaler0 subr0. Qed.

(* Q_u u = - u. *)
Lemma householder_flip d (u : 'cV[R]_d) : u != 0 -> householder u *m u = - u.
Proof.
move=> nz; rewrite householder_apply dot_scalar mul_mx_scalar -/(square u) scalerA divfK ?square_eq0 //.
by rewrite scaler_nat mulr2n opprD addrA subrr sub0r.
Qed.

(* Q_u is orthogonal. *)
Lemma householder_orthogonal d (u : 'cV[R]_d) : u != 0 -> orthogonal (householder u).
Proof.
move=> nz; rewrite /orthogonal householder_sym householder_apply.
have -> : u^T *m householder u = - u^T.
  by rewrite -[LHS]trmxK trmx_mul trmxK householder_sym householder_flip // linearN.
by rewrite mulmxN scalerN opprK /householder subrK.
Qed.

(* The reflection in z - y carries z to y when both have one length. *)
Lemma householder_swap d (z y : 'cV[R]_d) :
  z - y != 0 -> z^T *m z = y^T *m y -> householder (z - y) *m z = y.
Proof.
move=> nz same; rewrite householder_apply.
have cross : y^T *m z = z^T *m y.
  by rewrite [LHS]dot_scalar [RHS]dot_scalar; congr (_%:M); rewrite !mxE; apply: eq_bigr => k _;
     rewrite !mxE mulrC.
have back : (z - y)^T *m y = - ((z - y)^T *m z).
  by rewrite [(z - y)^T]linearB /= !mulmxBl cross same opprB.
have twice : square (z - y) = 2%:R * ((z - y)^T *m z) 0 0.
  by rewrite /square mulmxBr back opprK mxE mulr_natl mulr2n.
rewrite dot_scalar mul_mx_scalar scalerA.
have nzs : square (z - y) != 0 by rewrite square_eq0.
have nzd : ((z - y)^T *m z) 0 0 != 0 by apply: contraNneq nzs => e; rewrite twice e mulr0.
rewrite [2%:R / _ * _]mulrAC -twice divff // scale1r.
by rewrite opprB addrC subrK.
Qed.

(* A vector has a part in the span of the columns of X, and a part orthogonal to them. *)
Lemma orthogonal_part d n (X : 'M[R]_(d, n)) (w : 'cV[R]_d) :
  exists c : 'cV[R]_n, X^T *m (w - X *m c) = 0.
Proof.
have trivial : (X^T :&: kermx X)%MS = 0.
  apply/eqP; rewrite -submx0; apply/rV_subP => v; rewrite sub_capmx => /andP [/submxP [c ->]].
  move=> /sub_kermxP zero; rewrite submx0.
  have : square ((c *m X^T)^T) == 0.
    by rewrite /square trmxK trmx_mul trmxK mulmxA zero mul0mx mxE.
  by rewrite square_eq0 => /eqP z; rewrite -[c *m _]trmxK z trmx0.
have full : \rank (X^T + kermx X)%MS = d.
  by rewrite mxrank_disjoint_sum // mxrank_ker mxrank_tr subnKC // rank_leq_row.
have /sub_addsmxP [[a b] /= split] : (w^T <= X^T + kermx X)%MS.
  by rewrite submx_full // /row_full full.
have wE : w = X *m a^T + (b *m kermx X)^T by rewrite -[w]trmxK split [LHS]linearD /= trmx_mul trmxK.
exists a^T; rewrite {1}wE [X *m _ + _]addrC addrK.
by rewrite -trmx_mul -mulmxA mulmx_ker mulmx0 trmx0.
Qed.

End Orthogonal.
