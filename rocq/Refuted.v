(* Statements that fail: each is negated, at the concrete instance that the review finds.

   The names are those of the review, dots and dashes written as underscores. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Orthogonal MaYing.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Field.
Variable R : realFieldType.

Lemma one_is_not_minus_one : (-1 : R) <> 1.
Proof. by move/eqP; rewrite eqNr oner_eq0. Qed.

Lemma antisymmetric1 (T : 'M[R]_1) : T^T = - T -> T = 0.
Proof.
move/matrixP/(_ 0 0); rewrite !mxE => /esym/eqP; rewrite eqNr => /eqP zero.
by apply/matrixP => i j; rewrite !ord1 zero mxE.
Qed.

(* The reflection of the first coordinate. *)
Definition flip d : 'M[R]_d.+1 := diag_mx (\row_i (if i == ord0 then -1 else 1)).

Lemma flip_orthogonal d : orthogonal (flip d).
Proof.
rewrite /orthogonal /flip tr_diag_mx mulmx_diag -diag_const_mx; congr diag_mx.
by apply/rowP => i; rewrite !mxE; case: (i == ord0); rewrite ?mulr1 // mulrNN mulr1.
Qed.

(* my23.attn.orthogonal-fixed-weights. Row softmax is written with any e in place of exp. *)
Definition softmax_rows (e : R -> R) n (A : 'M[R]_n) : 'M[R]_n := \matrix_(i, j) (e (A i j) / \sum_k e (A i k)).
Definition attention e c d (WQ WK : 'M[R]_(c, d)) (WV : 'M[R]_d) n (X : 'M[R]_(d, n)) :=
  X + WV *m X *m (softmax_rows e (X^T *m WQ^T *m WK *m X))^T.

Theorem my23_attn_orthogonal_fixed_weights (e : R -> R) :
  e 0 != 0 ->
  ~ (forall c d (WQ WK : 'M[R]_(c, d)) (WV : 'M[R]_d) n, equivariant (@attention e c d WQ WK WV n)).
Proof.
move=> e0 /(_ 1%N 2%N 0 0 (delta_mx ord_max ord0) 1%N (flip 1) (delta_mx ord0 ord0) (flip_orthogonal 1)).
have one (X : 'M[R]_(2, 1)) : attention e (0 : 'M_(1, 2)) 0 (delta_mx ord_max ord0) X = X + delta_mx ord_max ord0 *m X.
  rewrite /attention mulmx0 mul0mx; congr (_ + _); rewrite -[RHS]mulmx1; congr (_ *m _).
  by apply/matrixP => i j; rewrite !ord1 !mxE big_ord1 !mxE divff.
rewrite !one => /matrixP /(_ ord_max ord0).
rewrite !(mxE, big_ord_recl, big_ord0) /= !(mulr0n, mulr1n, mulr0, mul0r, addr0, add0r, mulr1, mul1r).
exact: one_is_not_minus_one.
Qed.

(* my23.prop3.1.every-g-invariant *)
Theorem my23_prop3_1_every_g_invariant :
  ~ (forall d n m (g : 'M[R]_(d, n) -> 'M[R]_(n, m)),
       equivariant (fun X => X *m g X) -> forall Q X, orthogonal Q -> g (Q *m X) = g X).
Proof.
pose B : 'M[R]_2 := delta_mx ord_max ord0.
move/(_ 1%N 2%N 1%N (fun X => (B - B^T) *m X^T)).
have zero (X : 'M[R]_(1, 2)) : X *m ((B - B^T) *m X^T) = 0.
  apply: antisymmetric1.
  by rewrite !trmx_mul trmxK [(B - B^T)^T]linearB /= trmxK -opprB mulmxN mulNmx mulmxA.
have eq : equivariant (fun X : 'M[R]_(1, 2) => X *m ((B - B^T) *m X^T)) by move=> Q X _; rewrite !zero mulmx0.
move/(_ eq (flip 0) (delta_mx ord0 ord_max) (flip_orthogonal 0)) => /matrixP /(_ ord0 ord0).
rewrite !(mxE, big_ord_recl, big_ord0) /= !(mulr0n, mulr1n, mulr0, mul0r, addr0, add0r, mulr1, mul1r).
by rewrite mulrNN mulr1 => /esym; exact: one_is_not_minus_one.
Qed.

(* my23.sec3.2.onehot-gram *)
Theorem my23_sec3_2_onehot_gram :
  ~ (forall d n (X : 'M[R]_(d, n)), (forall j, exists i, col j X = delta_mx i 0) -> X^T *m X = 1%:M).
Proof.
move=> claim; have : (const_mx 1 : 'M[R]_(1, 2))^T *m const_mx 1 = 1%:M.
  by apply: claim => j; exists ord0; apply/matrixP => i k; rewrite !ord1 !mxE !eqxx.
by move/matrixP/(_ ord0 ord_max); rewrite !mxE big_ord1 !mxE mulr1 => /eqP; rewrite oner_eq0.
Qed.

(* my23.sec5.nonlinear-readout-orthogonal *)
Definition relu n m (A : 'M[R]_(n, m)) := map_mx (fun t => Num.max t 0) A.

Theorem my23_sec5_nonlinear_readout_orthogonal :
  ~ (forall d k n p (g : 'M[R]_(k, n) -> 'M[R]_n) (U : 'M[R]_(p, d)) (V : 'M[R]_(d, p)),
       equivariant_with_knowledge (fun (X : 'M[R]_(d, n)) (Z : 'M[R]_(d, k)) => V *m relu (U *m X *m g (Z^T *m X)))).
Proof.
move=> /(_ 1%N 1%N 1%N 1%N (fun Y => Y^T *m Y) 1%:M 1%:M (flip 0) 1%:M 1%:M (flip_orthogonal 0)).
rewrite (orthogonal_gram _ _ (flip_orthogonal 0)) !(mul1mx, mulmx1, trmx1) => /matrixP /(_ 0 0).
rewrite !(mxE, big_ord1) /= !mulr1n.
have -> : Num.max (-1) 0 = 0 :> R by rewrite Order.POrderTheory.max_r // oppr_le0 ler01.
have -> : Num.max 1 0 = 1 :> R by rewrite Order.POrderTheory.max_l // ler01.
by rewrite mulr1 => /eqP; rewrite eq_sym oppr_eq0 oner_eq0.
Qed.

(* my22.prop3.pinv-without-rank: no matrix whatever is a left inverse of X = 0. *)
Theorem my22_prop3_pinv_without_rank :
  ~ (forall d n (X : 'M[R]_(d, n)), exists P : 'M[R]_(n, d), P *m X = 1%:M).
Proof.
move/(_ 1%N 1%N 0) => [P]; rewrite mulmx0 => /matrixP /(_ 0 0); rewrite !mxE => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(* sym23.tangent.penalty, for m = n + k rows. *)
Theorem sym23_tangent_penalty :
  ~ (forall n k (J : 'M[R]_(n + k, n)) (tau : 'cV[R]_n),
       \sum_i (J *m tau) i 0 ^+ 2 = \sum_(i < n) (J *m tau) (lshift k i) 0 ^+ 2).
Proof.
move/(_ 1%N 1%N (\matrix_(i, j) (i == rshift 1 ord0)%:R) 1%:M); rewrite mulmx1.
rewrite !(mxE, big_ord_recl, big_ord0) /= expr0n expr1n !(addr0, add0r) => /eqP.
by rewrite oner_eq0.
Qed.

(* lec22.lemma3.constant-sigma *)
Theorem lec22_lemma3_constant_sigma :
  ~ (forall m (T : 'M[R]_m) (sigma : R -> R),
       (forall (s : 'S_m) (x : 'cV[R]_m),
          map_mx sigma (T *m (perm_mx s *m x)) = perm_mx s *m map_mx sigma (T *m x)) ->
       forall s : 'S_m, perm_mx s *m T = T *m perm_mx s).
Proof.
move=> claim; have : perm_mx (tperm ord0 ord_max) *m delta_mx ord0 ord0 = delta_mx ord0 ord0 *m perm_mx (tperm ord0 ord_max) :> 'M[R]_2.
  by apply: (claim _ _ (fun=> 1)) => s x; apply/matrixP => i j; rewrite -!row_permE !mxE.
move/matrixP/(_ ord0 ord_max); rewrite -row_permE -[tperm _ _]invgK -col_permE !mxE tpermV tpermR /= andbF => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(* my23.prop4.1.deep-sets-citation: sequences of one set, with repetitions, on which an invariant function differs. *)
Theorem my23_prop4_1_deep_sets_citation :
  ~ (forall d n (f : 'M[R]_(d, n) -> 'cV[R]_d),
       (forall s X, f (col_perm s X) = f X) ->
       forall X Y, (forall x, (exists k, col k X = x) <-> (exists k, col k Y = x)) -> f X = f Y).
Proof.
move=> claim.
pose X : 'M[R]_(1, 3) := \row_k (k == ord_max)%:R; pose Y : 'M[R]_(1, 3) := \row_k (k != ord0)%:R.
have : (\col_i \sum_k X i k) = (\col_i \sum_k Y i k).
  apply: (claim 1%N 3%N (fun X => \col_i \sum_k X i k)) => [s Z | x].
    apply/colP => i; rewrite !mxE [RHS](reindex_inj (@perm_inj _ s)) /=.
    by apply: eq_bigr => k _; rewrite mxE.
  have at_k (Z : 'M[R]_(1, 3)) k : col k Z = (Z 0 k)%:M by rewrite [LHS]mx11_scalar mxE.
  split=> -[k <-]; rewrite at_k mxE.
    by exists (if k == ord_max then ord_max else ord0); rewrite at_k mxE; case: (k == ord_max).
  by exists (if k == ord0 then ord0 else ord_max); rewrite at_k mxE; case: (k == ord0).
move/colP/(_ 0); rewrite !mxE !(mxE, big_ord_recl, big_ord0) /= !(addr0, add0r) => /eqP.
by rewrite eq_sym -subr_eq0 addrK oner_eq0.
Qed.

End Field.

(* my23.prop4.1.swap-pair: with three places, none swaps 1 with 2 and 2 with 3. *)
Theorem my23_prop4_1_swap_pair :
  ~ (forall n (one two i j : 'I_n), one != two -> (i < j)%N ->
       exists s : 'S_n, [/\ s one = i, s i = one, s two = j & s j = two]).
Proof.
move=> /(_ 3%N ord0 (inord 1) (inord 1) ord_max) [] //=.
- by rewrite -val_eqE /= inordK.
- by rewrite inordK.
move=> s [_ one two _]; move: one; rewrite two; move/(congr1 val) => //=.
Qed.

(* lec22.lemma3.off-diagonal *)
Theorem lec22_lemma3_off_diagonal :
  ~ (forall m (T : 'M[rat]_m) (i j i' j' : 'I_m), i != j -> i' != j' ->
       let A := perm_mx (tperm j' j) *m perm_mx (tperm i i') in (A *m T *m A^T) i j = T i' j').
Proof.
move=> /(_ 2%N (\matrix_(i, j) (i < j)%:R) ord0 ord_max ord_max ord0 isT isT) /=.
rewrite tpermC -perm_mxM tperm2 perm_mx1 mul1mx trmx1 mulmx1 !mxE //.
Qed.

Section Numbers.
Variable R : numFieldType.

(* lec22.softmax.rows: the printed row of "are". *)
Theorem lec22_softmax_rows : 1%:R / 10%:R + 3%:R / 10%:R + 6%:R / 10%:R + 1%:R / 10%:R <> 1 :> R.
Proof.
rewrite -!mulrDl -!natrD => /(congr1 (fun t => t * 10%:R)).
by rewrite divfK ?pnatr_eq0 // mul1r => /eqP; rewrite eqr_nat.
Qed.

(* lec22.deepsets.code-multisets: phi(c) = 4^-c, two multisets of five elements with one sum. *)
Theorem lec22_deepsets_code_multisets :
  ~ (forall x y : seq nat, size x = size y ->
       \sum_(c <- x) (4%:R ^- c : R) = \sum_(c <- y) 4%:R ^- c -> perm_eq x y).
Proof.
move/(_ [:: 0; 2; 2; 2; 2]%N [:: 1; 1; 1; 1; 1]%N erefl).
rewrite !(big_cons, big_nil) expr0 expr1 invr1 -exprVn; set q := 4%:R^-1.
have q4 : 4%:R * q = 1 by rewrite divff // pnatr_eq0.
have q16 : 4%:R * q ^+ 2 = q by rewrite expr2 mulrA q4 mul1r.
have sum4 (t u : R) : t + (t + (t + (t + u))) = 4%:R * t + u.
  by rewrite mulr_natl !mulrS mulr0n addr0 !addrA.
rewrite !sum4 q16 q4 => claim.
by have := claim erefl.
Qed.

End Numbers.

Print Assumptions my23_attn_orthogonal_fixed_weights.
Print Assumptions my23_prop3_1_every_g_invariant.
Print Assumptions my23_sec3_2_onehot_gram.
Print Assumptions my23_sec5_nonlinear_readout_orthogonal.
Print Assumptions my22_prop3_pinv_without_rank.
Print Assumptions sym23_tangent_penalty.
Print Assumptions lec22_lemma3_constant_sigma.
Print Assumptions my23_prop4_1_deep_sets_citation.
Print Assumptions my23_prop4_1_swap_pair.
Print Assumptions lec22_lemma3_off_diagonal.
Print Assumptions lec22_softmax_rows.
Print Assumptions lec22_deepsets_code_multisets.
