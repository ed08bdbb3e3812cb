(* Proposition 4.1 of Ma and Ying, for sequences of a fixed length n: the coefficients of a permutation equivariant
   X g(X) can be averaged over all permutations, and then depend on a token (or two) and the multiset of the others.

   f(X) = X g(X) with g(X) of shape n x n; the knowledge Z is held fixed and may enter g in any way. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Reynolds.
Variables (R : numFieldType) (d n : nat).
Implicit Types (X Y : 'M[R]_(d, n)) (g : 'M[R]_(d, n) -> 'M[R]_n) (s t : 'S_n).

(* X with its columns permuted: column j of X P is column s j of X. *)
Definition permuted s X := col_perm s X.

(* Definition 4.1. *)
Definition permutation_equivariant (f : 'M[R]_(d, n) -> 'M[R]_(d, n)) :=
  forall s X, f (permuted s X) = permuted s (f X).

(* P^T A P, entry by entry. *)
Definition conjugated s (A : 'M[R]_n) : 'M[R]_n := \matrix_(i, j) A (s i) (s j).

(* The Reynolds average of g: (1 / n!) sum_s P_s g(X P_s) P_s^T. *)
Definition average g X : 'M[R]_n := (n`!)%:R^-1 *: \sum_(s : 'S_n) conjugated s^-1 (g (permuted s X)).

Lemma permutedM s t X : permuted s (permuted t X) = permuted (s * t) X.
Proof. by apply/matrixP => i j; rewrite !mxE permM. Qed.

Lemma conjugatedM s t A : conjugated s (conjugated t A) = conjugated (s * t) A.
Proof. by apply/matrixP => i j; rewrite !mxE !permM. Qed.

Lemma conjugated_sum s (F : 'S_n -> 'M[R]_n) : conjugated s (\sum_t F t) = \sum_t conjugated s (F t).
Proof. by apply/matrixP => i j; rewrite mxE !summxE; apply: eq_bigr => t _; rewrite mxE. Qed.

Lemma conjugatedZ s (c : R) A : conjugated s (c *: A) = c *: conjugated s A.
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

(* (X P) (P^T A P) = (X A) P. *)
Lemma permuted_mul s X A : permuted s X *m conjugated s A = permuted s (X *m A).
Proof.
apply/matrixP => i j; rewrite !mxE [RHS](reindex_inj (@perm_inj _ s)) /=.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

(* (B.1): the average gives the same f ... *)
Theorem reynolds_same g :
  permutation_equivariant (fun X => X *m g X) -> forall X, X *m average g X = X *m g X.
Proof.
move=> ef X; rewrite /average -scalemxAr mulmx_sumr.
rewrite (eq_bigr (fun _ => X *m g X)) => [|s _].
  rewrite sumr_const card_Sn -scaler_nat scalerA mulVf ?scale1r //.
  by rewrite pnatr_eq0 -lt0n fact_gt0.
have {1}-> : X = permuted s^-1 (permuted s X).
  by rewrite permutedM mulVg; apply/matrixP => i j; rewrite mxE perm1.
rewrite permuted_mul ef permutedM mulVg.
by apply/matrixP => i j; rewrite mxE perm1.
Qed.

(* ... and moves along with the tokens: g~(X P) = P^T g~(X) P. *)
Theorem reynolds_covariant g s X : average g (permuted s X) = conjugated s (average g X).
Proof.
rewrite /average conjugatedZ conjugated_sum; congr (_ *: _).
rewrite [RHS](reindex_inj (mulIg s)) /=; apply: eq_bigr => t _.
by rewrite permutedM conjugatedM invMg mulgA mulgV mul1g.
Qed.

End Reynolds.

Section Multisets.
Variables (T : eqType) (n : nat).

(* Sequences with equal multisets are permuted images of each other. *)
Lemma matching (x y : 'I_n -> T) :
  perm_eq [tuple x k | k < n] [tuple y k | k < n] -> exists s : 'S_n, forall k, x k = y (s k).
Proof.
case/tuple_permP => s /val_inj e; exists s => k.
by move/(congr1 (fun t => tnth t k)): e; rewrite !tnth_mktuple.
Qed.

(* The multiset of all elements but those at certain places. *)
Definition others (A : {set 'I_n}) (x : 'I_n -> T) := [seq x k | k <- enum 'I_n & k \notin A].

Lemma others_split (A : {set 'I_n}) (x : 'I_n -> T) :
  perm_eq [tuple x k | k < n] ([seq x k | k <- enum A] ++ others A x).
Proof.
rewrite /= /others -map_cat perm_map //.
have -> : enum A = [seq k <- enum 'I_n | k \in A] by rewrite enumT.
by rewrite perm_sym; apply/permPl/perm_filterC.
Qed.

End Multisets.

Section Coefficients.
Variables (R : numFieldType) (d n : nat).
Variable g : 'M[R]_(d, n) -> 'M[R]_n.
Hypothesis covariant : forall (s : 'S_n) X, g (col_perm s X) = \matrix_(i, j) g X (s i) (s j).

(* A matrix as the function of its columns. *)
Definition column (X : 'M[R]_(d, n)) k : 'cV[R]_d := col k X.

(* A permutation with prescribed values carries the tokens of X to those of Y as soon as the others match. *)
Lemma carried (X Y : 'M[R]_(d, n)) (s : 'S_n) i j :
  (forall k, column X k = column Y (s k)) -> g X i j = g Y (s i) (s j).
Proof.
move=> same; have -> : X = col_perm s Y.
  by apply/matrixP => a b; move/matrixP/(_ a 0): (same b); rewrite !mxE.
by rewrite covariant mxE.
Qed.

(* Proposition 4.1: if x_i = y_i', x_j = y_j' and a bijection of the places that carries i to i' and j to j' matches
   the other tokens, then the coefficients are equal. So g_ij is a function of x_i, x_j and the multiset of the others,
   g_ii one of x_i and the multiset of the others. *)
Theorem prop41 (X Y : 'M[R]_(d, n)) i j i' j' :
  (i == j) = (i' == j') -> column X i = column Y i' -> column X j = column Y j' ->
  perm_eq (others [set i; j] (column X)) (others [set i'; j'] (column Y)) -> g X i j = g Y i' j'.
Proof.
move=> apart xi xj rest.
(* first bring i', j' to i, j by a permutation of Y's places *)
have [t [ti tj]] : exists t : 'S_n, t i = i' /\ t j = j'.
  pose a := tperm i i'; pose b := tperm (a j) j'.
  have ai : a i = i' by rewrite /a tpermL.
  exists (a * b)%g; rewrite !permM ai /b tpermL; split=> //.
  have [ij | ij] := eqVneq i j; first by move: apart; rewrite -ij ai eqxx => /esym/eqP <-; rewrite tpermL.
  rewrite tpermD //; first by rewrite -ai (inj_eq (@perm_inj _ a)) eq_sym.
  by rewrite eq_sym -apart (negbTE ij).
pose Y' := col_perm t Y.
have at_Y k : column Y' k = column Y (t k) by apply/matrixP => a b; rewrite !mxE.
rewrite -ti -tj; have -> : g Y (t i) (t j) = g Y' i j by rewrite covariant mxE.
have inside l : (t l \in [set i'; j']) = (l \in [set i; j]).
  by rewrite !inE -ti -tj !(inj_eq (@perm_inj _ t)).
have moved : perm_eq (others [set i; j] (column Y')) (others [set i'; j'] (column Y)).
  rewrite /others (eq_map at_Y) (map_comp (column Y)) perm_map //; apply: uniq_perm.
  - by rewrite (map_inj_uniq (@perm_inj _ t)) filter_uniq // enum_uniq.
  - by rewrite filter_uniq // enum_uniq.
  move=> k; rewrite mem_filter mem_enum andbT.
  apply/mapP/idP => [[l] | out].
    by rewrite mem_filter => /andP [out _] ->; rewrite inside.
  exists (t^-1 k)%g; last by rewrite permKV.
  by rewrite mem_filter mem_enum andbT -inside permKV.
have fixed : perm_eq (others [set i; j] (column X)) (others [set i; j] (column Y')).
  by rewrite (perm_trans rest) // perm_sym.
(* a matching of the tokens with their marks: "is i", "is j" *)
pose mark (Z : 'M[R]_(d, n)) k := (k == i, k == j, column Z k).
have marked Z : others [set i; j] (mark Z) = [seq (false, false, c) | c <- others [set i; j] (column Z)].
  rewrite /others -map_comp; apply/eq_in_map => k; rewrite mem_filter !inE negb_or.
  by case/andP => /andP [/negbTE a /negbTE b] _; rewrite /mark /= a b.
have all : perm_eq [tuple mark X k | k < n] [tuple mark Y' k | k < n].
  rewrite (perm_trans (others_split [set i; j] _)) // perm_sym (perm_trans (others_split [set i; j] _)) //.
  rewrite perm_sym perm_cat //; last by rewrite !marked perm_map.
  have -> : [seq mark X k | k <- enum [set i; j]] = [seq mark Y' k | k <- enum [set i; j]] => //.
  apply/eq_in_map => k; rewrite mem_enum !inE /mark => /orP [] /eqP ->; rewrite at_Y.
    by rewrite ti xi.
  by rewrite tj xj.
have [s sE] := matching all.
have si : s i = i by case: (sE i); rewrite eqxx => /esym/eqP.
have sj : s j = j by case: (sE j) => _; rewrite eqxx => /esym/eqP.
by rewrite -{2}si -{2}sj; apply: carried => k; case: (sE k).
Qed.

End Coefficients.
(* g~ depends on Z^T X only, when g does. *)
Lemma average_factors (R : numFieldType) d k n (Z : 'M[R]_(d, k)) (g : 'M[R]_(k, n) -> 'M[R]_n) (X : 'M[R]_(d, n)) :
  average (fun X => g (Z^T *m X)) X = average g (Z^T *m X).
Proof.
rewrite /average; congr (_ *: _); apply: eq_bigr => s _; congr (conjugated _ (g _)).
by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE.
Qed.

(* Proposition 4.1 and (B.1) together, for n fixed: a permutation equivariant X g(Z^T X) is X g~(Z^T X) with g~ whose
   entry (i, j) is a function of y_i, y_j and the multiset of the other columns of Y = Z^T X (of y_i and the multiset
   of the others, for i = j). *)
Theorem prop41_full (R : numFieldType) d k n (Z : 'M[R]_(d, k)) (g : 'M[R]_(k, n) -> 'M[R]_n) :
  permutation_equivariant (fun X : 'M[R]_(d, n) => X *m g (Z^T *m X)) ->
  exists h : 'M[R]_(k, n) -> 'M[R]_n,
    (forall X : 'M[R]_(d, n), X *m h (Z^T *m X) = X *m g (Z^T *m X)) /\
    (forall (Y Y' : 'M[R]_(k, n)) i j i' j',
       (i == j) = (i' == j') -> column Y i = column Y' i' -> column Y j = column Y' j' ->
       perm_eq (others [set i; j] (column Y)) (others [set i'; j'] (column Y')) -> h Y i j = h Y' i' j').
Proof.
move=> ef; exists (average g); split=> [X | Y Y' i j i' j'].
  by rewrite -average_factors (reynolds_same ef).
by apply: prop41 => s X; exact: reynolds_covariant.
Qed.

Print Assumptions prop41_full.
