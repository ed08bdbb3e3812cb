(* Remark 4.1 of Ma and Ying: the coefficients of self-attention in the form of Proposition 4.1.

   The exponential is any function e from the field to itself: nothing else is used of it. The remark holds on the
   diagonal as printed; off the diagonal the printed rho_2 lacks the term of the token itself. *)

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Attention.
Variables (F : fieldType) (e : F -> F).

Section Weights.
Variables (c d : nat) (WQ WK : 'M[F]_(c, d)).

(* x_i^T W_Q^T W_K x_j, and its weight among all x_i^T W_Q^T W_K x_k. *)
Definition score n (X : 'M[F]_(d, n)) i j := (X^T *m WQ^T *m WK *m X) i j.
Definition weight n (X : 'M[F]_(d, n)) i j := e (score X i j) / \sum_k e (score X i k).

(* psi_1(x, y) = psi_2(x, y, z) = e^{y^T W_Q^T W_K x}. *)
Definition psi (x y : 'cV[F]_d) := e ((y^T *m WQ^T *m WK *m x) 0 0).

(* rho_1(x, s), rho_2(x, y, s) as printed, and rho_2 with the term of the token itself. *)
Definition rho1 x s := psi x x / (psi x x + s).
Definition rho2 x y s := psi y x / (psi y x + s).
Definition rho2_repaired x y s := psi y x / (psi y x + psi x x + s).

Lemma score_psi n (X : 'M[F]_(d, n)) i j : e (score X i j) = psi (col j X) (col i X).
Proof.
rewrite /score /psi; congr (e _); rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE; congr (_ * _).
by apply: eq_bigr => l _; rewrite !mxE; congr (_ * _); apply: eq_bigr => m _; rewrite !mxE.
Qed.

Theorem remark41_diagonal n (X : 'M[F]_(d, n)) i :
  weight X i i = rho1 (col i X) (\sum_(k | k != i) psi (col k X) (col i X)).
Proof.
rewrite /weight /rho1 -score_psi (bigD1 i) //=; congr (_ / (_ + _)).
by apply: eq_bigr => k _; rewrite score_psi.
Qed.

Theorem remark41_off_diagonal_repaired n (X : 'M[F]_(d, n)) i j :
  i != j ->
  weight X i j =
    rho2_repaired (col i X) (col j X) (\sum_(k | (k != i) && (k != j)) psi (col k X) (col i X)).
Proof.
move=> ij; rewrite /weight /rho2_repaired -!score_psi (bigD1 j) //= (bigD1 i) //= addrA.
congr (_ / (_ + _)); apply: eq_big => [k | k _]; last by rewrite score_psi.
by rewrite andbC.
Qed.

End Weights.

(* At W_Q = W_K = 0, X = [0, 0] every weight is 1/2, and the printed form gives 1. *)
Theorem remark41_off_diagonal_fails :
  e 0 != 0 ->
  ~ (forall c d (WQ WK : 'M[F]_(c, d)) n (X : 'M[F]_(d, n)) i j, i != j ->
       weight WQ WK X i j =
         rho2 WQ WK (col i X) (col j X) (\sum_(k | (k != i) && (k != j)) psi WQ WK (col k X) (col i X))).
Proof.
move=> e0 /(_ 1%N 1%N 0 0 2%N 0 ord0 ord_max isT).
have all i j : e (score 0 0 (0 : 'M[F]_(1, 2)) i j) = e 0 by rewrite /score !mulmx0 mxE.
rewrite /weight /rho2 -score_psi !all (eq_bigr (fun=> e 0)) => [|k _]; last by rewrite all.
rewrite sumr_const card_ord mulr2n big_pred0 => [|k]; last by rewrite -!val_eqE; case: k => -[|[|]].
rewrite addr0 divff // => half.
have nz : e 0 + e 0 != 0.
  by apply/eqP => z; move: half; rewrite z invr0 mulr0 => /eqP; rewrite eq_sym oner_eq0.
move/(congr1 (fun t => t * (e 0 + e 0))): half; rewrite divfK // mul1r => /eqP.
by rewrite -subr_eq0 opprD addrA subrr sub0r oppr_eq0 (negbTE e0).
Qed.

End Attention.

Print Assumptions remark41_diagonal.
Print Assumptions remark41_off_diagonal_repaired.
Print Assumptions remark41_off_diagonal_fails.
