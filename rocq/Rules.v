(* The rules of inference for orthogonal groups, symmetric groups and their products, each as a lemma for all sizes.

   A value is a function of its indices, 'I_d -> 'I_n -> R.  A claim relates its values at two inputs, the moved
   one on the left:
     under a permutation s of one axis:            v' i j = v i (s j)
     under an orthogonal matrix Q along one axis:  v' i j = act Q (fun k => v k j) i, the sum of Q i k * v k j
   so that a rule says: where the arguments are related, the results are. *)

From Coq Require Import BinPosDef Pnat.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** * Numbers, and what operations compute *)

Section Numbers.

(* Integers and rationals in binary, so that the constants of a program can be long. *)
Fixpoint natural (R : ringType) (p : positive) : R :=
  match p with
  | xH => 1
  | xO p => natural R p + natural R p
  | xI p => 1 + (natural R p + natural R p)
  end.

Definition ratio (R : fieldType) (p q : positive) : R := natural R p / natural R q.

Lemma naturalE (R : ringType) p : natural R p = (Pos.to_nat p)%:R.
Proof.
by elim: p => [p IH | p IH |] //=; rewrite ?Pnat.Pos2Nat.inj_xI ?Pnat.Pos2Nat.inj_xO IH -?natrD -?mulrS;
   congr (_%:R); rewrite multE mulSn mul1n.
Qed.

End Numbers.

Arguments natural {R} p%positive_scope.
Arguments ratio {R} p%positive_scope q%positive_scope.

(* The entry number i of a vector, 0 where there is none. *)
Definition entry (R : comRingType) n (a : 'I_n -> R) (i : nat) : R := if insub i is Some k then a k else 0.

Lemma entryE (R : comRingType) n (a : 'I_n -> R) (i : 'I_n) : entry a i = a i.
Proof. by rewrite /entry valK. Qed.

Section Orders.
Variable R : realFieldType.

(* The entries in ascending order; the first and the last of them. *)
Definition ascending n (a : 'I_n -> R) : seq R := sort <=%R [seq a k | k <- enum 'I_n].
Definition sorted n (a : 'I_n -> R) (i : 'I_n) : R := nth 0 (ascending a) i.
Definition largest n (a : 'I_n -> R) : R := last 0 (ascending a).
Definition smallest n (a : 'I_n -> R) : R := head 0 (ascending a).

Lemma size_ascending n (a : 'I_n -> R) : size (ascending a) = n.
Proof. by rewrite size_sort size_map size_enum_ord. Qed.

Lemma ascending_sorted n (a : 'I_n -> R) : path.sorted <=%R (ascending a).
Proof. exact: sort_sorted le_total _. Qed.

Lemma mem_ascending n (a : 'I_n -> R) x : (x \in ascending a) = [exists k, a k == x].
Proof.
rewrite mem_sort; apply/mapP/existsP => [[k _ ->] | [k /eqP <-]]; exists k => //.
by rewrite mem_enum.
Qed.

(* They are what their names say. *)
Lemma ascending_place n (a : 'I_n -> R) k : exists2 i, (i < n)%N & a k = nth 0 (ascending a) i.
Proof.
have inside : a k \in ascending a by rewrite mem_ascending; apply/existsP; exists k.
have := index_mem (a k) (ascending a); rewrite size_ascending inside => place.
by exists (index (a k) (ascending a)); rewrite // nth_index.
Qed.

Lemma ascending_le n (a : 'I_n -> R) i j :
  (i <= j)%N -> (j < n)%N -> nth 0 (ascending a) i <= nth 0 (ascending a) j.
Proof.
move=> ij jn; apply: (sorted_leq_nth le_trans lexx 0 (ascending_sorted a)) => //;
  by rewrite inE size_ascending // (leq_ltn_trans ij).
Qed.

(* They are what their names say. *)
Lemma largest_is n (a : 'I_n.+1 -> R) : (exists k, largest a = a k) /\ forall k, a k <= largest a.
Proof.
rewrite /largest -nth_last size_ascending; split=> [|k].
  have : nth 0 (ascending a) n \in ascending a by rewrite mem_nth // size_ascending.
  by rewrite mem_ascending => /existsP [k /eqP <-]; exists k.
by have [i ? ->] := ascending_place a k; apply: ascending_le.
Qed.

Lemma smallest_is n (a : 'I_n.+1 -> R) : (exists k, smallest a = a k) /\ forall k, smallest a <= a k.
Proof.
rewrite /smallest -nth0; split=> [|k].
  have : nth 0 (ascending a) 0 \in ascending a by rewrite mem_nth // size_ascending.
  by rewrite mem_ascending => /existsP [k /eqP <-]; exists k.
by have [i ? ->] := ascending_place a k; apply: ascending_le.
Qed.

End Orders.

Notation "\largest_ ( k < n ) F" := (largest (fun k : 'I_n => F))
  (at level 41, F at level 41, k, n at level 50) : ring_scope.
Notation "\smallest_ ( k < n ) F" := (smallest (fun k : 'I_n => F))
  (at level 41, F at level 41, k, n at level 50) : ring_scope.

Section Choices.
Variable R : realFieldType.

(* Comparisons and logic give 1 or 0; what is not 0 is true. *)
Definition is_lt (a b : R) : R := (a < b)%R%:R.
Definition is_le (a b : R) : R := (a <= b)%R%:R.
Definition is_gt (a b : R) : R := (b < a)%R%:R.
Definition is_ge (a b : R) : R := (b <= a)%R%:R.
Definition is_eq (a b : R) : R := (a == b)%:R.
Definition is_ne (a b : R) : R := (a != b)%:R.
Definition is_and (a b : R) : R := ((a != 0) && (b != 0))%:R.
Definition is_or (a b : R) : R := ((a != 0) || (b != 0))%:R.
Definition is_not (a : R) : R := (a == 0)%:R.

End Choices.

Section Matrices.
Variable R : comUnitRingType.

Definition determinant_of n (a : 'I_n -> 'I_n -> R) : R := \det (\matrix_(i, j) a i j).

(* The inverse, 0 where there is none. *)
Definition inverse n (a : 'I_n -> 'I_n -> R) : 'I_n -> 'I_n -> R :=
  let M := \matrix_(i, j) a i j in fun i j => if M \in unitmx then invmx M i j else 0.

(* What roots, a function of polynomials, makes of det(x - (a + a^T) / 2): its roots in ascending order, say. *)
Definition eigenvalues (roots : {poly R} -> nat -> R) n (a : 'I_n -> 'I_n -> R) (i : 'I_n) : R :=
  roots (char_poly (\matrix_(k, l) ((a k l + a l k) / 2%:R))) i.

(* p(S) for a polynomial p and a square matrix S. *)
Definition polynomial_of n (p : {poly R}) (S : 'M[R]_n) : 'M[R]_n :=
  \sum_(k < size p) p`_k *: iter k (mulmx S) 1%:M.

(* sum_k w_k v_k v_k^T over the eigenvectors v_k of S = (a + a^T) / 2 is p(S), with p through the points (eigenvalue,
   weight): a polynomial that pick makes of det(x - S) and of the weights. *)
Definition spectral (pick : {poly R} -> seq R -> {poly R}) n m (a : 'I_n -> 'I_n -> R) (w : 'I_m -> R) i j : R :=
  let S := \matrix_(k, l) ((a k l + a l k) / 2%:R) in
  polynomial_of (pick (char_poly S) [seq w k | k <- enum 'I_m]) S i j.

(* The pseudo-inverse is p(a^T a) a^T, with p a polynomial that pick makes of det(x - a^T a). *)
Definition pseudo_inverse (pick : {poly R} -> {poly R}) n m (a : 'I_n -> 'I_m -> R) (i : 'I_m) (j : 'I_n) : R :=
  let A := \matrix_(k, l) a k l in (polynomial_of (pick (char_poly (A^T *m A))) (A^T *m A) *m A^T) i j.

(* A power series that converges everywhere is p(a), with p a polynomial that pick makes of det(x - a). *)
Definition power_series (pick : {poly R} -> {poly R}) n (a : 'I_n -> 'I_n -> R) i j : R :=
  let A := \matrix_(k, l) a k l in polynomial_of (pick (char_poly A)) A i j.

End Matrices.

(** * What operations do under a permutation *)

Section SameEntries.
Implicit Types (R : comRingType).

(* Functions of entries: equal arguments, equal values. *)
Lemma map1_same (A B : Type) (h : A -> B) a a' : a' = a -> h a' = h a.
Proof. by move->. Qed.

Lemma map2_same (A B C : Type) (h : A -> B -> C) a a' b b' : a' = a -> b' = b -> h a' b' = h a b.
Proof. by move=> -> ->. Qed.

Lemma mul_same R (a a' b b' : R) : a' = a -> b' = b -> a' * b' = a * b.
Proof. by move=> -> ->. Qed.

Lemma add_same R (a a' b b' : R) : a' = a -> b' = b -> a' + b' = a + b.
Proof. by move=> -> ->. Qed.

Lemma select_same R (c c' a a' b b' : R) :
  c' = c -> a' = a -> b' = b -> (if c' != 0 then a' else b') = if c != 0 then a else b.
Proof. by move=> -> -> ->. Qed.

(* Whether an entry is a label. *)
Lemma label_same (T : eqType) R (a a' b : T) : a' = a -> ((a' == b)%:R : R) = (a == b)%:R.
Proof. by move=> ->. Qed.

(* Entries of an axis on which nothing acts, wherever they go: slices, concatenations, reshapes, flips, rolls. *)
Lemma entry_same R n (a a' : 'I_n -> R) i : (forall k, a' k = a k) -> entry a' i = entry a i.
Proof. by move=> same; rewrite /entry; case: insub. Qed.

Lemma concat_same R (c : bool) (a a' b b' : R) :
  a' = a -> b' = b -> (if c then a' else b') = if c then a else b.
Proof. by move=> -> ->. Qed.

End SameEntries.

Section Moved.
Variables (R : comRingType) (n : nat) (s : 'S_n).
Implicit Types F : 'I_n -> R.

(* A sum over an axis: on which nothing acts, and which is permuted. *)
Lemma sum_kept F F' : (forall k, F' k = F k) -> \sum_(k < n) F' k = \sum_(k < n) F k.
Proof. by move=> same; apply: eq_bigr => k _. Qed.

Lemma sum_moved F F' : (forall k, F' k = F (s k)) -> \sum_(k < n) F' k = \sum_(k < n) F k.
Proof. by move=> same; rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => k _. Qed.

Lemma prod_kept F F' : (forall k, F' k = F k) -> \prod_(k < n) F' k = \prod_(k < n) F k.
Proof. by move=> same; apply: eq_bigr => k _. Qed.

Lemma prod_moved F F' : (forall k, F' k = F (s k)) -> \prod_(k < n) F' k = \prod_(k < n) F k.
Proof. by move=> same; rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => k _. Qed.

(* The identity matrix. *)
Lemma eye_moved i j : ((i == j)%:R : R) = (s i == s j)%:R.
Proof. by rewrite (inj_eq perm_inj). Qed.

(* An axis that is made by asking which label an entry is; labels move by the inverse. *)
Lemma onehot_moved (e : 'I_n) j : (((s^-1)%g e == j)%:R : R) = (e == s j)%:R.
Proof. by rewrite -(inj_eq (@perm_inj _ s)) permKV. Qed.

End Moved.

Section MovedOrder.
Variables (R : realFieldType) (n : nat) (s : 'S_n).
Implicit Types F : 'I_n -> R.

Lemma ascending_kept F F' : (forall k, F' k = F k) -> ascending F' = ascending F.
Proof. by move=> same; rewrite /ascending (eq_map same). Qed.

Lemma ascending_moved F F' : (forall k, F' k = F (s k)) -> ascending F' = ascending F.
Proof.
move=> same; apply/perm_sortP; [exact: le_total | exact: le_trans | exact: le_anti |].
rewrite (eq_map same) map_comp; apply: perm_map.
rewrite uniq_perm ?(map_inj_uniq perm_inj) ?enum_uniq // => k.
by rewrite mem_enum; apply/mapP; exists ((s^-1)%g k); rewrite ?mem_enum ?permKV.
Qed.

Lemma largest_kept F F' : (forall k, F' k = F k) -> largest F' = largest F.
Proof. by move=> same; rewrite /largest (ascending_kept same). Qed.

Lemma largest_moved F F' : (forall k, F' k = F (s k)) -> largest F' = largest F.
Proof. by move=> same; rewrite /largest (ascending_moved same). Qed.

Lemma smallest_kept F F' : (forall k, F' k = F k) -> smallest F' = smallest F.
Proof. by move=> same; rewrite /smallest (ascending_kept same). Qed.

Lemma smallest_moved F F' : (forall k, F' k = F (s k)) -> smallest F' = smallest F.
Proof. by move=> same; rewrite /smallest (ascending_moved same). Qed.

Lemma sorted_kept F F' i : (forall k, F' k = F k) -> sorted F' i = sorted F i.
Proof. by move=> same; rewrite /sorted (ascending_kept same). Qed.

Lemma sorted_moved F F' i : (forall k, F' k = F (s k)) -> sorted F' i = sorted F i.
Proof. by move=> same; rewrite /sorted (ascending_moved same). Qed.

End MovedOrder.

Section MovedMatrices.
Variables (R : comUnitRingType) (n : nat).
Implicit Types (a : 'I_n -> 'I_n -> R) (s t : 'S_n).

Lemma matrix_moved s t a : \matrix_(i, j) a (s i) (t j) = row_perm s (col_perm t (\matrix_(i, j) a i j)).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

Lemma unit_moved s t (M : 'M[R]_n) : (row_perm s (col_perm t M) \in unitmx) = (M \in unitmx).
Proof. by rewrite row_permE col_permE !unitmx_mul !unitmx_perm andbT. Qed.

Lemma inverse_perm s t (M : 'M[R]_n) :
  M \in unitmx -> invmx (row_perm s (col_perm t M)) = row_perm t (col_perm s (invmx M)).
Proof.
move=> unitM; have unitP : row_perm s (col_perm t M) \in unitmx by rewrite unit_moved.
apply: (can_inj (mulKmx unitP)); rewrite mulmxV //.
rewrite !row_permE !col_permE -!mulmxA [perm_mx t^-1 *m _]mulmxA -perm_mxM mulVg perm_mx1 mul1mx.
by rewrite [M *m _]mulmxA mulmxV // mul1mx -perm_mxM mulgV perm_mx1.
Qed.

Lemma inverse_moved s t a a' i j :
  (forall i j, a' i j = a (s i) (t j)) -> inverse a' i j = inverse a (t i) (s j).
Proof.
move=> same; rewrite /inverse; have -> : \matrix_(i, j) a' i j = \matrix_(i, j) a (s i) (t j).
  by apply/matrixP => k l; rewrite !mxE.
by rewrite matrix_moved unit_moved; case: ifP => // unitM; rewrite inverse_perm // !mxE.
Qed.

Lemma determinant_moved s a a' :
  (forall i j, a' i j = a (s i) (s j)) -> determinant_of a' = determinant_of a.
Proof.
move=> same; rewrite /determinant_of.
have -> : \matrix_(i, j) a' i j = \matrix_(i, j) a (s i) (s j) by apply/matrixP => k l; rewrite !mxE.
rewrite matrix_moved row_permE col_permE !det_mulmx !det_perm mulrC -mulrA -signr_addb.
by rewrite odd_permV addbb mulr1.
Qed.

End MovedMatrices.

(** * What operations do under an orthogonal matrix *)

Definition orthogonal (R : comRingType) d (Q : 'M[R]_d) := Q^T *m Q = 1%:M.

(* The sum of Q i k * v k: the matrix, applied along one axis of a value. *)
Definition act (R : comRingType) d (Q : 'M[R]_d) (v : 'I_d -> R) (i : 'I_d) : R := \sum_(k < d) Q i k * v k.

Section Turned.
Variables (R : comRingType) (d : nat) (Q : 'M[R]_d).
Implicit Types (v w G H : 'I_d -> R) (i j z p : 'I_d).

Lemma act_same v w i : (forall k, v k = w k) -> act Q v i = act Q w i.
Proof. by move=> same; apply: eq_bigr => k _; rewrite same. Qed.

(* Two axes: in either order. *)
Lemma act_exchange (C : 'I_d -> 'I_d -> R) p z :
  act Q (fun k => act Q (C k) z) p = act Q (fun l => act Q (fun k => C k l) p) z.
Proof.
rewrite /act (eq_bigr (fun k => \sum_l Q p k * (Q z l * C k l))) => [|k _]; last by rewrite mulr_sumr.
by rewrite exchange_big; apply: eq_bigr => l _; rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulrCA.
Qed.

(* A kept axis comes out of everything that is linear in the one argument that has it. *)
Lemma act_here v w z : (forall k, v k = w k) -> act Q v z = act Q w z.
Proof. exact: act_same. Qed.

Lemma act_act (C : 'I_d -> R) (G : 'I_d -> 'I_d -> R) p z :
  (forall k, C k = act Q (G k) z) -> act Q C p = act Q (fun l => act Q (fun k => G k l) p) z.
Proof. by move=> same; rewrite (act_same _ same) act_exchange. Qed.

Lemma act_mulr A B G z : A = act Q G z -> A * B = act Q (fun k => G k * B) z.
Proof. by move=> ->; rewrite /act mulr_suml; apply: eq_bigr => k _; rewrite mulrA. Qed.

Lemma act_mull A B G z : B = act Q G z -> A * B = act Q (fun k => A * G k) z.
Proof. by move=> ->; rewrite /act mulr_sumr; apply: eq_bigr => k _; rewrite mulrCA. Qed.

Lemma act_sum n (C : 'I_n -> R) (G : 'I_n -> 'I_d -> R) z :
  (forall k, C k = act Q (G k) z) -> \sum_(k < n) C k = act Q (fun l => \sum_(k < n) G k l) z.
Proof.
move=> same; rewrite (eq_bigr _ (fun k _ => same k)) /act exchange_big.
by apply: eq_bigr => l _; rewrite mulr_sumr.
Qed.

Lemma act_add A B G H z : A = act Q G z -> B = act Q H z -> A + B = act Q (fun k => G k + H k) z.
Proof. by move=> -> ->; rewrite /act -big_split; apply: eq_bigr => k _; rewrite mulrDr. Qed.

Lemma act_if (c : bool) A B G H z :
  A = act Q G z -> B = act Q H z -> (if c then A else B) = act Q (fun k => if c then G k else H k) z.
Proof. by move=> -> ->; case: c. Qed.

Lemma act_entry n (C : 'I_n -> R) (G : 'I_n -> 'I_d -> R) (i : nat) z :
  (forall k, C k = act Q (G k) z) -> entry C i = act Q (fun l => entry (fun k => G k l) i) z.
Proof.
rewrite /entry => same; case: insub => [k | ]; first exact: same.
by rewrite /act big1 // => k _; rewrite mulr0.
Qed.

Lemma act_zero z : 0 = act Q (fun=> 0) z.
Proof. by rewrite /act big1 // => k _; rewrite mulr0. Qed.

Hypothesis oQ : orthogonal Q.

Lemma orthogonalV : Q *m Q^T = 1%:M.
Proof. exact: mulmx1C oQ. Qed.

Lemma columns k l : \sum_i Q i k * Q i l = (k == l)%:R.
Proof.
move/matrixP/(_ k l): oQ; rewrite !mxE => <-.
by apply: eq_bigr => i _; rewrite !mxE.
Qed.

Lemma rows i j : \sum_k Q i k * Q j k = (i == j)%:R.
Proof.
move/matrixP/(_ i j): orthogonalV; rewrite !mxE => <-.
by apply: eq_bigr => k _; rewrite !mxE.
Qed.

(* A sum over an axis that two factors have: the inner product is invariant.  What else depends on the index does
   not change along it. *)
Lemma act_dot (C : 'I_d -> R) (G : 'I_d -> 'I_d -> 'I_d -> R) :
  (forall p, C p = act Q (fun k => act Q (G p k) p) p) ->
  (forall p q k l, G p k l = G q k l) ->
  \sum_(p < d) C p = \sum_(p < d) G p p p.
Proof.
move=> same free; rewrite (eq_bigr (fun p => \sum_k \sum_l (Q p k * Q p l) * G k k l)) => [|p _].
  rewrite exchange_big; apply: eq_bigr => k _; rewrite exchange_big /= (bigD1 k) //=.
  rewrite -mulr_suml columns eqxx mul1r big1 ?addr0 // => l lk.
  by rewrite -mulr_suml columns eq_sym (negbTE lk) mul0r.
rewrite same /act; apply: eq_bigr => k _; rewrite mulr_sumr; apply: eq_bigr => l _.
by rewrite mulrA (free p k).
Qed.

(* The identity matrix. *)
Lemma act_eye i j : ((i == j)%:R : R) = act Q (fun k => act Q (fun l => (k == l)%:R) j) i.
Proof.
rewrite -rows /act; apply: eq_bigr => k _; congr (_ * _); rewrite (bigD1 k) //= eqxx mulr1 big1 ?addr0 //.
by move=> l lk; rewrite eq_sym (negbTE lk) mulr0.
Qed.

End Turned.

Section TurnedMatrices.
Variables (R : comUnitRingType) (d : nat) (Q : 'M[R]_d).
Hypothesis oQ : orthogonal Q.
Implicit Types a : 'I_d -> 'I_d -> R.

Lemma act_left a i j : act Q (fun k => a k j) i = (Q *m \matrix_(k, l) a k l) i j.
Proof. by rewrite mxE; apply: eq_bigr => k _; rewrite mxE. Qed.

Lemma act_right a i j : act Q (fun l => a i l) j = ((\matrix_(k, l) a k l) *m Q^T) i j.
Proof. by rewrite mxE; apply: eq_bigr => k _; rewrite !mxE mulrC. Qed.

Lemma act_both a i j :
  act Q (fun k => act Q (fun l => a k l) j) i = (Q *m (\matrix_(k, l) a k l) *m Q^T) i j.
Proof.
rewrite -mulmxA mxE; apply: eq_bigr => k _; rewrite act_right; congr (_ * _).
Qed.

Lemma unit_turned : Q \in unitmx.
Proof. by case: (mulmx1_unit oQ). Qed.

Lemma inverse_turned_both a a' i j :
  (forall i j, a' i j = act Q (fun k => act Q (fun l => a k l) j) i) ->
  inverse a' i j = act Q (fun k => act Q (fun l => inverse a k l) j) i.
Proof.
move=> same; have e : \matrix_(k, l) a' k l = Q *m (\matrix_(k, l) a k l) *m Q^T.
  by apply/matrixP => k l; rewrite mxE same act_both.
rewrite /inverse e act_both !unitmx_mul unitmx_tr unit_turned andbT /=.
set M := \matrix_(k, l) a k l; case: (boolP (M \in unitmx)) => unitM.
  have unitP : Q *m M *m Q^T \in unitmx by rewrite !unitmx_mul unitmx_tr unit_turned unitM.
  have -> : \matrix_(k, l) invmx M k l = invmx M by apply/matrixP => k l; rewrite mxE.
  suff -> : invmx (Q *m M *m Q^T) = Q *m invmx M *m Q^T by [].
  apply: (can_inj (mulKmx unitP)); rewrite mulmxV // -!mulmxA [Q^T *m _]mulmxA oQ mul1mx.
  by rewrite [M *m _]mulmxA mulmxV // mul1mx orthogonalV.
have -> : (\matrix_(k, l) (0 : R)) = 0 :> 'M_d by apply/matrixP => k l; rewrite !mxE.
by rewrite mulmx0 mul0mx mxE.
Qed.

Lemma inverse_turned_rows a a' i j :
  (forall i j, a' i j = act Q (fun k => a k j) i) -> inverse a' i j = act Q (fun l => inverse a i l) j.
Proof.
move=> same; have e : \matrix_(k, l) a' k l = Q *m (\matrix_(k, l) a k l).
  by apply/matrixP => k l; rewrite mxE same act_left.
rewrite (act_right (inverse a)) /inverse e !unitmx_mul unit_turned /=.
set M := \matrix_(k, l) a k l; case: (boolP (M \in unitmx)) => unitM.
  have unitP : Q *m M \in unitmx by rewrite unitmx_mul unit_turned unitM.
  have -> : \matrix_(k, l) invmx M k l = invmx M by apply/matrixP => k l; rewrite mxE.
  suff -> : invmx (Q *m M) = invmx M *m Q^T by [].
  apply: (can_inj (mulKmx unitP)); rewrite mulmxV // -!mulmxA [M *m _]mulmxA mulmxV // mul1mx.
  by rewrite orthogonalV.
have -> : (\matrix_(k, l) (0 : R)) = 0 :> 'M_d by apply/matrixP => k l; rewrite !mxE.
by rewrite mul0mx mxE.
Qed.

Lemma inverse_turned_columns a a' i j :
  (forall i j, a' i j = act Q (fun l => a i l) j) -> inverse a' i j = act Q (fun k => inverse a k j) i.
Proof.
move=> same; have e : \matrix_(k, l) a' k l = (\matrix_(k, l) a k l) *m Q^T.
  by apply/matrixP => k l; rewrite mxE same act_right.
rewrite (act_left (inverse a)) /inverse e !unitmx_mul unitmx_tr unit_turned andbT /=.
set M := \matrix_(k, l) a k l; case: (boolP (M \in unitmx)) => unitM.
  have unitP : M *m Q^T \in unitmx by rewrite unitmx_mul unitmx_tr unit_turned unitM.
  have -> : \matrix_(k, l) invmx M k l = invmx M by apply/matrixP => k l; rewrite mxE.
  suff -> : invmx (M *m Q^T) = Q *m invmx M by [].
  apply: (can_inj (mulKmx unitP)); rewrite mulmxV // -!mulmxA [Q^T *m _]mulmxA oQ mul1mx.
  by rewrite mulmxV.
have -> : (\matrix_(k, l) (0 : R)) = 0 :> 'M_d by apply/matrixP => k l; rewrite !mxE.
by rewrite mulmx0 mxE.
Qed.

Lemma determinant_turned a a' :
  (forall i j, a' i j = act Q (fun k => act Q (fun l => a k l) j) i) -> determinant_of a' = determinant_of a.
Proof.
move=> same; rewrite /determinant_of.
have -> : \matrix_(k, l) a' k l = Q *m (\matrix_(k, l) a k l) *m Q^T.
  by apply/matrixP => k l; rewrite mxE same act_both.
have one : \det Q * \det Q = 1 by rewrite -{1}det_tr -det_mulmx oQ det1.
by rewrite !det_mulmx det_tr mulrAC one mul1r.
Qed.

End TurnedMatrices.

Section Eigenvalues.
Variables (R : comUnitRingType) (n : nat).
Implicit Types (a : 'I_n -> 'I_n -> R) (P M : 'M[R]_n).

Lemma char_poly_turned P M : orthogonal P -> char_poly (P *m M *m P^T) = char_poly M.
Proof.
move=> oP; pose PC := map_mx (@polyC R) P; pose MC := map_mx (@polyC R) M.
have oC : PC *m PC^T = 1%:M by rewrite /PC map_trmx -map_mxM orthogonalV // map_mx1.
have one : \det PC * \det PC^T = 1 by rewrite -det_mulmx oC det1.
rewrite /char_poly /char_poly_mx !map_mxM /= -map_trmx -/PC -/MC.
have -> : 'X%:M - PC *m MC *m PC^T = PC *m ('X%:M - MC) *m PC^T.
  by rewrite mulmxBr mulmxBl; congr (_ - _); rewrite scalar_mxC -mulmxA oC mulmx1.
by rewrite !det_mulmx mulrAC one mul1r.
Qed.

Lemma orthogonal_perm (s : 'S_n) : orthogonal (perm_mx s : 'M[R]_n).
Proof. by rewrite /orthogonal tr_perm_mx -perm_mxM mulVg perm_mx1. Qed.

Lemma eigenvalues_turned roots (Q : 'M[R]_n) a a' i :
  orthogonal Q ->
  (forall i j, a' i j = act Q (fun k => act Q (fun l => a k l) j) i) ->
  eigenvalues roots a' i = eigenvalues roots a i.
Proof.
move=> oQ same; rewrite /eigenvalues -[in RHS](char_poly_turned _ oQ); congr (roots (char_poly _) _).
apply/matrixP => k l; rewrite -act_both mxE !same [in X in _ + X]act_exchange.
rewrite /act -big_split mulr_suml; apply: eq_bigr => p _; rewrite /= -mulrDr -mulrA; congr (_ * _).
rewrite -big_split mulr_suml; apply: eq_bigr => q _.
by rewrite /= -mulrDr mulrA.
Qed.

Lemma act_perm (s : 'S_n) (v : 'I_n -> R) i : act (perm_mx s) v i = v (s i).
Proof.
rewrite /act (bigD1 (s i)) //= !mxE eqxx mul1r big1 ?addr0 // => k ki.
by rewrite !mxE eq_sym (negbTE ki) mul0r.
Qed.

Lemma eigenvalues_moved roots (s : 'S_n) a a' i :
  (forall i j, a' i j = a (s i) (s j)) -> eigenvalues roots a' i = eigenvalues roots a i.
Proof.
move=> same; apply: eigenvalues_turned (orthogonal_perm s) _ => k l.
by rewrite same !act_perm.
Qed.

Lemma eigenvalues_kept roots a a' i :
  (forall i j, a' i j = a i j) -> eigenvalues roots a' i = eigenvalues roots a i.
Proof. by move=> same; apply: (@eigenvalues_moved _ 1%g) => k l; rewrite !perm1. Qed.

Lemma determinant_kept a a' : (forall i j, a' i j = a i j) -> determinant_of a' = determinant_of a.
Proof. by move=> same; apply: (@determinant_moved _ _ 1%g) => k l; rewrite !perm1. Qed.

Lemma inverse_kept a a' i j : (forall i j, a' i j = a i j) -> inverse a' i j = inverse a i j.
Proof. by move=> same; rewrite (@inverse_moved _ _ 1%g 1%g a) ?perm1 // => k l; rewrite !perm1. Qed.

Lemma inverse_moved_rows (s : 'S_n) a a' i j :
  (forall i j, a' i j = a (s i) j) -> inverse a' i j = inverse a i (s j).
Proof. by move=> same; rewrite (@inverse_moved _ _ s 1%g a) ?perm1 // => k l; rewrite perm1. Qed.

Lemma inverse_moved_columns (s : 'S_n) a a' i j :
  (forall i j, a' i j = a i (s j)) -> inverse a' i j = inverse a (s i) j.
Proof. by move=> same; rewrite (@inverse_moved _ _ 1%g s a) ?perm1 // => k l; rewrite perm1. Qed.

End Eigenvalues.

Section Functions.
Variable R : comUnitRingType.

Lemma polynomial_turned n (P : 'M[R]_n) p (S : 'M[R]_n) :
  orthogonal P -> polynomial_of p (P *m S *m P^T) = P *m polynomial_of p S *m P^T.
Proof.
move=> oP; rewrite /polynomial_of mulmx_sumr mulmx_suml; apply: eq_bigr => k _.
rewrite -scalemxAr -scalemxAl; congr (_ *: _); elim: (k : nat) => [|m /= ->].
  by rewrite mulmx1 orthogonalV.
by rewrite -!mulmxA [P^T *m _]mulmxA oP mul1mx.
Qed.

Lemma seq_same m (w w' : 'I_m -> R) :
  (forall k, w' k = w k) -> [seq w' k | k <- enum 'I_m] = [seq w k | k <- enum 'I_m].
Proof. by move=> same; apply: eq_map. Qed.

Lemma spectral_turned pick n m (Q : 'M[R]_n) a a' (w w' : 'I_m -> R) i j :
  orthogonal Q ->
  (forall i j, a' i j = act Q (fun k => act Q (fun l => a k l) j) i) -> (forall k, w' k = w k) ->
  spectral pick a' w' i j = act Q (fun k => act Q (fun l => spectral pick a w k l) j) i.
Proof.
move=> oQ same weights; rewrite act_both /spectral (seq_same weights).
have -> : \matrix_(k, l) ((a' k l + a' l k) / 2%:R) = Q *m (\matrix_(k, l) ((a k l + a l k) / 2%:R)) *m Q^T.
  apply/matrixP => k l; rewrite -act_both mxE !same [in X in _ + X]act_exchange.
  rewrite /act -big_split mulr_suml; apply: eq_bigr => p _; rewrite /= -mulrDr -mulrA; congr (_ * _).
  rewrite -big_split mulr_suml; apply: eq_bigr => q _.
  by rewrite /= -mulrDr mulrA.
rewrite char_poly_turned // polynomial_turned //; congr ((_ *m _ *m _) _ _).
by apply/matrixP => k l; rewrite mxE.
Qed.

Lemma spectral_moved pick n m (s : 'S_n) a a' (w w' : 'I_m -> R) i j :
  (forall i j, a' i j = a (s i) (s j)) -> (forall k, w' k = w k) ->
  spectral pick a' w' i j = spectral pick a w (s i) (s j).
Proof.
move=> same weights; rewrite (spectral_turned pick (a := a) i j (orthogonal_perm R s) _ weights) => [|k l].
  by rewrite !act_perm.
by rewrite same !act_perm.
Qed.

Lemma spectral_kept pick n m a a' (w w' : 'I_m -> R) (i j : 'I_n) :
  (forall i j, a' i j = a i j) -> (forall k, w' k = w k) -> spectral pick a' w' i j = spectral pick a w i j.
Proof.
by move=> same weights; rewrite (@spectral_moved pick _ _ 1%g a _ w) ?perm1 // => k l; rewrite !perm1.
Qed.

Lemma series_turned pick n (Q : 'M[R]_n) (a a' : 'I_n -> 'I_n -> R) i j :
  orthogonal Q ->
  (forall i j, a' i j = act Q (fun k => act Q (fun l => a k l) j) i) ->
  power_series pick a' i j = act Q (fun k => act Q (fun l => power_series pick a k l) j) i.
Proof.
move=> oQ same; rewrite act_both /power_series.
have -> : \matrix_(k, l) a' k l = Q *m (\matrix_(k, l) a k l) *m Q^T.
  by apply/matrixP => k l; rewrite -act_both mxE same.
rewrite char_poly_turned // polynomial_turned //; congr ((_ *m _ *m _) _ _).
by apply/matrixP => k l; rewrite mxE.
Qed.

Lemma series_moved pick n (s : 'S_n) (a a' : 'I_n -> 'I_n -> R) i j :
  (forall i j, a' i j = a (s i) (s j)) -> power_series pick a' i j = power_series pick a (s i) (s j).
Proof.
move=> same; rewrite (series_turned pick (a := a) i j (orthogonal_perm R s)) => [|k l].
  by rewrite !act_perm.
by rewrite same !act_perm.
Qed.

Lemma series_kept pick n (a a' : 'I_n -> 'I_n -> R) (i j : 'I_n) :
  (forall i j, a' i j = a i j) -> power_series pick a' i j = power_series pick a i j.
Proof.
by move=> same; rewrite (@series_moved pick _ 1%g a) ?perm1 // => k l; rewrite !perm1.
Qed.

Lemma pseudo_rows pick n m (P : 'M[R]_n) (A : 'M[R]_(n, m)) : orthogonal P ->
  polynomial_of (pick (char_poly ((P *m A)^T *m (P *m A)))) ((P *m A)^T *m (P *m A)) *m (P *m A)^T =
  polynomial_of (pick (char_poly (A^T *m A))) (A^T *m A) *m A^T *m P^T.
Proof.
by move=> oP; rewrite trmx_mul -!mulmxA [P^T *m (P *m A)]mulmxA oP mul1mx !mulmxA.
Qed.

Lemma pseudo_columns pick n m (P : 'M[R]_m) (A : 'M[R]_(n, m)) : orthogonal P ->
  polynomial_of (pick (char_poly ((A *m P^T)^T *m (A *m P^T)))) ((A *m P^T)^T *m (A *m P^T)) *m (A *m P^T)^T =
  P *m (polynomial_of (pick (char_poly (A^T *m A))) (A^T *m A) *m A^T).
Proof.
move=> oP; rewrite trmx_mul trmxK -!mulmxA [A^T *m (A *m _)]mulmxA [P *m (_ *m P^T)]mulmxA.
by rewrite char_poly_turned // polynomial_turned // -!mulmxA [P^T *m _]mulmxA oP mul1mx.
Qed.

Lemma pseudo_turned_rows pick n m (Q : 'M[R]_n) (a a' : 'I_n -> 'I_m -> R) i j :
  orthogonal Q -> (forall i j, a' i j = act Q (fun k => a k j) i) ->
  pseudo_inverse pick a' i j = act Q (fun l => pseudo_inverse pick a i l) j.
Proof.
move=> oQ same; rewrite /pseudo_inverse.
have -> : \matrix_(k, l) a' k l = Q *m \matrix_(k, l) a k l.
  by apply/matrixP => k l; rewrite mxE same /act mxE; apply: eq_bigr => p _; rewrite mxE.
by rewrite pseudo_rows // [LHS]mxE /act; apply: eq_bigr => l _; rewrite mulrC [Q^T _ _]mxE.
Qed.

Lemma pseudo_turned_columns pick n m (Q : 'M[R]_m) (a a' : 'I_n -> 'I_m -> R) i j :
  orthogonal Q -> (forall i j, a' i j = act Q (fun l => a i l) j) ->
  pseudo_inverse pick a' i j = act Q (fun k => pseudo_inverse pick a k j) i.
Proof.
move=> oQ same; rewrite /pseudo_inverse.
have -> : \matrix_(k, l) a' k l = (\matrix_(k, l) a k l) *m Q^T.
  by apply/matrixP => k l; rewrite mxE same /act mxE; apply: eq_bigr => p _; rewrite !mxE mulrC.
by rewrite pseudo_columns // [LHS]mxE /act; apply: eq_bigr.
Qed.

Lemma pseudo_turned_both pick n (Q : 'M[R]_n) (a a' : 'I_n -> 'I_n -> R) i j :
  orthogonal Q -> (forall i j, a' i j = act Q (fun k => act Q (fun l => a k l) j) i) ->
  pseudo_inverse pick a' i j = act Q (fun k => act Q (fun l => pseudo_inverse pick a k l) j) i.
Proof.
move=> oQ same; rewrite (pseudo_turned_rows pick i j oQ (a := fun k l => act Q (fun p => a k p) l)) //.
rewrite [RHS]act_exchange /act; apply: eq_bigr => l _; congr (_ * _).
by rewrite (pseudo_turned_columns pick i l oQ (a := a)).
Qed.

Lemma pseudo_moved_rows pick n m (s : 'S_n) (a a' : 'I_n -> 'I_m -> R) i j :
  (forall i j, a' i j = a (s i) j) -> pseudo_inverse pick a' i j = pseudo_inverse pick a i (s j).
Proof.
move=> same; rewrite (pseudo_turned_rows pick i j (orthogonal_perm R s) (a := a)) => [|k l]; first by rewrite act_perm.
by rewrite same act_perm.
Qed.

Lemma pseudo_moved_columns pick n m (s : 'S_m) (a a' : 'I_n -> 'I_m -> R) i j :
  (forall i j, a' i j = a i (s j)) -> pseudo_inverse pick a' i j = pseudo_inverse pick a (s i) j.
Proof.
move=> same; rewrite (pseudo_turned_columns pick i j (orthogonal_perm R s) (a := a)) => [|k l]; first by rewrite act_perm.
by rewrite same act_perm.
Qed.

Lemma pseudo_moved pick n m (s : 'S_n) (t : 'S_m) (a a' : 'I_n -> 'I_m -> R) i j :
  (forall i j, a' i j = a (s i) (t j)) -> pseudo_inverse pick a' i j = pseudo_inverse pick a (t i) (s j).
Proof.
move=> same; rewrite (pseudo_moved_rows pick i j (s := s) (a := fun k l => a k (t l))) //.
by rewrite (pseudo_moved_columns pick i (s j) (s := t) (a := a)).
Qed.

Lemma pseudo_kept pick n m (a a' : 'I_n -> 'I_m -> R) i j :
  (forall i j, a' i j = a i j) -> pseudo_inverse pick a' i j = pseudo_inverse pick a i j.
Proof. by move=> same; rewrite (pseudo_moved pick i j (s := 1%g) (t := 1%g) (a := a)) ?perm1 // => k l; rewrite !perm1. Qed.

End Functions.

Arguments spectral_moved {R pick n m s a a' w w' i j} _ _.
Arguments spectral_turned {R pick n m Q a a' w w' i j} _ _ _.
Arguments spectral_kept {R pick n m a a' w w' i j} _ _.
Arguments series_moved {R pick n s a a' i j} _.
Arguments series_turned {R pick n Q a a' i j} _ _.
Arguments series_kept {R pick n a a' i j} _.
Arguments pseudo_turned_rows {R pick n m Q a a' i j} _ _.
Arguments pseudo_turned_columns {R pick n m Q a a' i j} _ _.
Arguments pseudo_turned_both {R pick n Q a a' i j} _ _.
Arguments pseudo_moved_rows {R pick n m s a a' i j} _.
Arguments pseudo_moved_columns {R pick n m s a a' i j} _.
Arguments pseudo_moved {R pick n m s t a a' i j} _.
Arguments pseudo_kept {R pick n m a a' i j} _.

Arguments eigenvalues_moved {R n roots s a a' i} _.
Arguments eigenvalues_turned {R n roots Q a a' i} _ _.

(** * Proofs of lines *)

(* What is known of earlier values: how they move; along which axes they are constant. *)
Create HintDb moved discriminated.
Create HintDb constant discriminated.
#[global] Hint Constants Opaque : moved.
#[global] Hint Constants Opaque : constant.
#[global] Hint Variables Opaque : moved.
#[global] Hint Variables Opaque : constant.

Ltac plain := cbv beta; lazymatch goal with |- ?a = ?b => let T := type of a in change (@eq T a b) end.

Ltac known :=
  plain;
  first
    [ lazymatch goal with |- ?a = ?b => constr_eq a b; reflexivity end
    | solve [ typeclasses eauto 1 with moved ]
    | solve [ typeclasses eauto 1 with constant ]
    | eapply eq_trans; [ solve [ typeclasses eauto 1 with moved ] | solve [ typeclasses eauto 1 with constant ] ]
    | lazymatch goal with |- _ = act _ _ _ => eapply eq_trans; [ solve [ typeclasses eauto 1 with moved ] | reflexivity ] end ].

(* The same expression of values that are known to be the same. *)
Ltac same :=
  cbv beta;
  lazymatch goal with
  | |- _ * _ = _ * _ => apply: mul_same; same
  | |- _ + _ = _ + _ => apply: add_same; same
  | |- (if _ then _ else _) = (if _ then _ else _) => first [ apply: select_same | apply: concat_same ]; same
  | |- entry _ _ = entry _ _ => apply: entry_same => ?; same
  | |- BigOp.bigop _ _ _ = BigOp.bigop _ _ _ => apply: sum_kept => ?; same
  | _ => known
  end.

(* From C = ?E to C = act Q ?G z: the axis z, which one argument of C has, comes out. *)
Ltac turn Q z :=
  cbv beta;
  lazymatch goal with |- 0 = _ => idtac | |- ?C = _ => lazymatch C with context [ z ] => idtac end end;
  lazymatch goal with
  | |- act _ _ ?p = _ => first [ constr_eq p z; reflexivity | eapply (act_act (Q := Q)); intro; turn Q z ]
  | |- _ * _ = _ => first [ eapply (act_mulr (Q := Q)); turn Q z | eapply (act_mull (Q := Q)); turn Q z ]
  | |- _ + _ = _ => eapply (act_add (Q := Q)); turn Q z
  | |- (if _ then _ else _) = _ => eapply (act_if (Q := Q)); turn Q z
  | |- entry _ _ = _ => eapply (act_entry (Q := Q)); intro; turn Q z
  | |- BigOp.bigop _ _ _ = _ => eapply (act_sum (Q := Q)); intro; turn Q z
  | |- 0 = _ => eapply (act_zero Q)
  | _ => plain; eapply eq_trans; [ solve [ typeclasses eauto 1 with moved ] | turn Q z ]
  end.

(* A kept axis z of the goal C = act Q F z; what remains is a goal about F. *)
Ltac kept oQ z :=
  lazymatch type of oQ with
  | orthogonal ?Q => eapply eq_trans; [ turn Q z | apply: act_same => ? ]
  end.

(* Inside a sum over an axis on which nothing acts. *)
Ltac inside := refine (sum_kept _); intro; cbv beta.

(* A sum over an axis that two factors have. *)
Ltac dot oQ :=
  lazymatch type of oQ with
  | orthogonal ?Q =>
    let p := fresh "p" in
    eapply (act_dot oQ);
    [ intro p; eapply eq_trans; [ turn Q p | apply: act_same => ?; turn Q p ]
    | intros; same ]
  end.

(** * From functions of indices to matrices *)

Section Entries.
Variables (R : comRingType) (d n : nat).

Lemma mulmx_left (Q : 'M[R]_d) (A : 'M[R]_(d, n)) i j : (Q *m A) i j = act Q (fun k => A k j) i.
Proof. by rewrite mxE. Qed.

Lemma mulmx_right (Q : 'M[R]_d) (A : 'M[R]_(n, d)) i j : (A *m Q^T) i j = act Q (fun k => A i k) j.
Proof. by rewrite mxE; apply: eq_bigr => k _; rewrite mxE mulrC. Qed.

End Entries.

Ltac entries :=
  cbv beta;
  lazymatch goal with
  | |- fun_of_matrix (mulmx _ (trmx _)) _ _ = _ => rewrite mulmx_right; apply: act_same => ?; entries
  | |- fun_of_matrix (mulmx _ _) _ _ = _ => rewrite mulmx_left; apply: act_same => ?; entries
  | |- fun_of_matrix _ _ _ = _ => first [ reflexivity | rewrite [LHS]mxE; entries ]
  | _ => reflexivity
  end.

Ltac by_entries :=
  intros;
  lazymatch goal with
  | |- fun_of_matrix _ _ _ = _ => entries
  | |- _ = fun_of_matrix _ _ _ => symmetry; entries
  | _ => reflexivity
  end.
