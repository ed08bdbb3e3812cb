(* Rows of the review that hold and are a few lines each. The names are those of the review, dots and dashes written as
   underscores. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Orthogonal MaYing Prop41 Refuted.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Matrices.
Variable R : realFieldType.

Theorem my23_perm_subgroup d (s : 'S_d) : orthogonal (perm_mx s : 'M[R]_d).
Proof. by rewrite /orthogonal tr_perm_mx -perm_mxM mulVg perm_mx1. Qed.

Theorem my23_attn_logits c d n (WQ WK : 'M[R]_(c, d)) (X : 'M[R]_(d, n)) :
  (WQ *m X)^T *m (WK *m X) = X^T *m WQ^T *m WK *m X.
Proof. by rewrite trmx_mul !mulmxA. Qed.

Theorem my23_attn_orthogonal_repaired (e : R -> R) c d n (WQ WK : 'M[R]_(c, d)) (WV Q : 'M[R]_d) (X : 'M[R]_(d, n)) :
  orthogonal Q -> attention e (WQ *m Q^T) (WK *m Q^T) (Q *m WV *m Q^T) (Q *m X) = Q *m attention e WQ WK WV X.
Proof.
move=> oQ; have QX m (Y : 'M[R]_(d, m)) : Q^T *m (Q *m Y) = Y by rewrite mulmxA oQ mul1mx.
have same : (Q *m X)^T *m (WQ *m Q^T)^T *m (WK *m Q^T) *m (Q *m X) = X^T *m WQ^T *m WK *m X.
  by rewrite !trmx_mul trmxK -!mulmxA !QX.
by rewrite /attention same mulmxDr; congr (_ + _); rewrite -!mulmxA QX.
Qed.

Theorem my23_prop3_1_one_column d n m (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) :
  equivariant f <-> forall j, equivariant (fun X => col j (f X)).
Proof.
split=> [ef j Q X oQ | ef Q X oQ]; first by rewrite ef // col_mul.
by apply/matrixP => i j; have /matrixP/(_ i 0) := ef j Q X oQ; rewrite -col_mul !mxE.
Qed.

(* f_Q(Y) = Q f(Q^T Y). *)
Definition transported d n m (Q : 'M[R]_d) (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) Y := Q *m f (Q^T *m Y).

Theorem my23_sec3_2_orbit_of_functions d n m (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) (P Q : 'M[R]_d) X :
  orthogonal Q -> transported Q f (Q *m X) = Q *m f X /\ transported (P *m Q) f X = transported P (transported Q f) X.
Proof. by move=> oQ; rewrite /transported trmx_mul !mulmxA oQ mul1mx. Qed.

Theorem my23_prop3_2_block d n k m (X : 'M[R]_(d, n)) (Z : 'M[R]_(d, k)) (g : 'M[R]_(n + k, m)) :
  (row_mx X Z)^T *m row_mx X Z = block_mx (X^T *m X) (Z^T *m X)^T (Z^T *m X) (Z^T *m Z) /\
  row_mx X Z *m g = X *m usubmx g + Z *m dsubmx g.
Proof. by rewrite tr_row_mx mul_col_row trmx_mul trmxK -mul_row_col vsubmxK. Qed.

Theorem my23_sec3_2_simple_form d n k m (g1 : 'M[R]_(k, n) -> 'M[R]_(n, m)) :
  equivariant_with_knowledge (fun (X : 'M[R]_(d, n)) (Z : 'M[R]_(d, k)) => X *m g1 (Z^T *m X)).
Proof. by move=> Q X Z oQ; rewrite orthogonal_gram // mulmxA. Qed.

Theorem my23_sec3_3_query_key c d n (WQ WK : 'M[R]_(c, d)) (X : 'M[R]_(d, n)) :
  let Z := row_mx WQ^T WK^T in let A : 'M[R]_(c + c) := block_mx 0 1%:M 0 0 in
  X^T *m Z *m A *m Z^T *m X = X^T *m WQ^T *m WK *m X.
Proof.
move=> Z A; congr (_ *m _); rewrite -!mulmxA; congr (_ *m _).
by rewrite /Z /A tr_row_mx !trmxK mul_block_col !mul0mx mul1mx !add0r mul_row_col mulmx0 addr0.
Qed.

Theorem my23_sec3_2_onehot_gram_repaired d n (p : 'I_n -> 'I_d) (X : 'M[R]_(d, n)) :
  injective p -> (forall j, col j X = delta_mx (p j) 0) -> X^T *m X = 1%:M.
Proof.
move=> inj hot; have at_ i j : X i j = (i == p j)%:R.
  by have /matrixP/(_ i 0) := hot j; rewrite !mxE eqxx andbT.
apply/matrixP => i j; rewrite !mxE (bigD1 (p i)) //= mxE !at_ eqxx mul1r big1 => [|k ki].
  by rewrite addr0 (inj_eq inj).
by rewrite mxE !at_ (negbTE ki) mul0r.
Qed.

Theorem my23_sec3_3_inner_product_kernel k n (sigma : R -> R) (Y : 'M[R]_(k, n)) i j :
  map_mx sigma (Y^T *m Y) i j = sigma (((col i Y)^T *m col j Y) 0 0).
Proof. by rewrite !mxE; congr sigma; apply: eq_bigr => l _; rewrite !mxE. Qed.

Definition rbf k n (f : R -> R) (Y : 'M[R]_(k, n)) : 'M[R]_n := \matrix_(i, j) f (square (col i Y - col j Y)).

Theorem my23_sec3_3_rbf_kernel k n (f : R -> R) (Y : 'M[R]_(k, n)) (Q : 'M[R]_k) (s : 'S_n) :
  orthogonal Q -> rbf f (Q *m Y) = rbf f Y /\ rbf f (permuted s Y) = conjugated s (rbf f Y).
Proof.
move=> oQ; split; apply/matrixP => i j; rewrite !mxE; congr f; rewrite /square.
  by rewrite !col_mul -mulmxBr orthogonal_gram.
have moved l : col l (permuted s Y) = col (s l) Y by apply/matrixP => a b; rewrite !mxE.
by rewrite !moved.
Qed.

Theorem sym23_transformer_rank h d (O V : 'M[R]_(h, d)) : (\rank (O^T *m V) <= h)%N.
Proof. by rewrite (leq_trans (mxrankM_maxr _ _)) // rank_leq_row. Qed.

(* C(v), entry (i, j): v at i - j, round the circle. *)
Definition circulant n (v : 'I_n.+1 -> R) : 'M[R]_n.+1 := \matrix_(i, j) v (i - j).

(* The shift by a: ones at (j + a, j). *)
Theorem lec22_shift_orthogonal n (a : 'I_n.+1) (S := perm_mx (perm (@addIr _ (- a))) : 'M[R]_n.+1) :
  [/\ S *m S^T = 1%:M, S^T *m S = 1%:M & S = circulant (fun k => (k == a)%:R)].
Proof.
split; try by rewrite tr_perm_mx -!perm_mxM ?mulgV ?mulVg perm_mx1.
by apply/matrixP => i j; rewrite !mxE permE !subr_eq [a + j]addrC.
Qed.

Theorem lec22_circulant_commute n (v w : 'I_n.+1 -> R) : circulant v *m circulant w = circulant w *m circulant v.
Proof.
apply/matrixP => i j; rewrite !mxE (reindex_inj (inv_inj (subKr (i + j)))) /=.
apply: eq_bigr => k _; rewrite !mxE mulrC; congr (w _ * v _); first by rewrite addrAC addrK.
by rewrite opprB addrCA opprD [i + _]addrA subrr add0r.
Qed.

Theorem lec22_softmax_rows_repaired (e : R -> R) n (A : 'M[R]_n) i :
  (forall t, 0 < e t) -> (forall j, 0 <= softmax_rows e A i j) /\ \sum_j softmax_rows e A i j = 1.
Proof.
move=> pos; have s0 : 0 < \sum_k e (A i k).
  by rewrite (bigD1 i) //= ltr_paddr // sumr_ge0 // => k _; rewrite Order.POrderTheory.ltW.
split=> [j | ]; first by rewrite mxE divr_ge0 ?Order.POrderTheory.ltW.
rewrite (eq_bigr (fun j => e (A i j) / \sum_k e (A i k))) => [|j _]; last by rewrite mxE.
by rewrite -mulr_suml divff // lt0r_neq0.
Qed.
End Matrices.

Section Permutations.
Variable R : numFieldType.

Theorem my23_prop4_1_swap_diagonal d n (g : 'M[R]_(d, n) -> 'M[R]_n) one i X :
  (forall (s : 'S_n) X, g (col_perm s X) = conjugated s (g X)) -> g X i i = g (col_perm (tperm one i) X) one one.
Proof. by move=> cov; rewrite cov mxE tpermL. Qed.

Theorem my23_prop4_1_swap_pair_repaired d n (g : 'M[R]_(d, n) -> 'M[R]_n) (one two i j : 'I_n) X :
  (forall (s : 'S_n) X, g (col_perm s X) = conjugated s (g X)) -> one != two -> i != j ->
  exists s : 'S_n, [/\ s one = i, s two = j & g X i j = g (col_perm s X) one two].
Proof.
move=> cov ot ij; pose a := tperm one i; pose s := (a * tperm (a two) j)%g.
have s1 : s one = i.
  rewrite /s permM /a tpermL tpermD // 1?eq_sym //.
  by rewrite -{1}(tpermL one i) (inj_eq perm_inj).
have s2 : s two = j by rewrite /s permM tpermL.
by exists s; split=> //; rewrite cov mxE s1 s2.
Qed.

Theorem my23_sec5_linear_readout d n (W : 'M[R]_d) (f : 'M[R]_(d, n) -> 'M[R]_(d, n)) :
  permutation_equivariant f -> permutation_equivariant (fun X => W *m f X).
Proof. by move=> ef s X; rewrite ef /permuted !col_permE mulmxA. Qed.

Theorem my23_sec5_nonlinear_readout d p n (U : 'M[R]_(p, d)) (V : 'M[R]_(d, p)) (sigma : R -> R) (f : 'M[R]_(d, n) -> 'M[R]_(d, n)) :
  permutation_equivariant f -> permutation_equivariant (fun X => V *m map_mx sigma (U *m f X)).
Proof.
move=> ef s X; rewrite ef /permuted [in RHS]col_permE -mulmxA -[in RHS]col_permE; congr (_ *m _).
by rewrite -map_col_perm; congr map_mx; rewrite !col_permE mulmxA.
Qed.

(* The first L layers, one after another. *)
Theorem my23_sec5_stack d n L (layer : nat -> 'M[R]_(d, n) -> 'M[R]_(d, n)) :
  (forall l, permutation_equivariant (layer l)) -> permutation_equivariant (fun X => foldl (fun Y l => layer l Y) X (iota 0 L)).
Proof. by move=> el s; elim: (iota 0 L) => //= l ls IH X; rewrite el IH. Qed.

Theorem my23_sec5_linear_readout_embedding d k n (P Q W : 'M[R]_d) (X : 'M[R]_(d, n)) (Z : 'M[R]_(d, k)) (g : 'M[R]_(k, n) -> 'M[R]_n) :
  Q^T *m Q = 1%:M -> (P *m W *m Q^T) *m (Q *m X) *m g ((Q *m Z)^T *m (Q *m X)) = P *m (W *m X *m g (Z^T *m X)).
Proof.
move=> oQ; have QX m (Y : 'M[R]_(d, m)) : Q^T *m (Q *m Y) = Y by rewrite mulmxA oQ mul1mx.
by rewrite trmx_mul -!mulmxA !QX.
Qed.

Theorem lec22_deepsets_sufficient (T : Type) (V : zmodType) (W : Type) n (s : 'S_n) (phi : T -> V) (rho : V -> W) (x : 'I_n -> T) :
  rho (\sum_k phi (x (s k))) = rho (\sum_k phi (x k)).
Proof. by congr rho; rewrite [RHS](reindex_inj (@perm_inj _ s)). Qed.

Theorem lec22_lemma3_diagonal n (T : 'M[R]_n) k l :
  row_perm (tperm k l) (col_perm (tperm k l) T) = T -> T k k = T l l.
Proof. by move=> same; rewrite -[in LHS]same !mxE tpermL. Qed.

Theorem lec22_layer n m p (sigma : R -> R) (L G : 'M[R]_(m, p)) (s : 'S_n) (x : 'M[R]_(n, m)) :
  let f x := map_mx sigma (x *m L - const_mx 1 *m x *m G) in f (row_perm s x) = row_perm s (f x).
Proof.
move=> f; have ones : const_mx 1 *m row_perm s x = row_perm s (const_mx 1 *m x) :> 'M_(n, m).
  by apply/matrixP => i j; rewrite !mxE [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => k _; rewrite !mxE.
by rewrite /f -map_row_perm; congr map_mx; rewrite ones !row_permE mulmxBr !mulmxA.
Qed.

(* The update of vertex i: phi of x_i and the sum of psi(x_i, x_j) over its neighbours j. *)
Definition gnn (T V W : Type) (zero : V) (add : Monoid.com_law zero) n (phi : T -> V -> W) (psi : T -> T -> V)
    (x : 'I_n -> T) (A : rel 'I_n) i := phi (x i) (\big[add/zero]_(j | A i j) psi (x i) (x j)).

Theorem sym23_gnn_equivariant (T V W : Type) (zero : V) (add : Monoid.com_law zero) n phi psi (x : 'I_n -> T) (A : rel 'I_n) (s : 'S_n) i :
  @gnn T V W zero add n phi psi (x \o s) (fun i j => A (s i) (s j)) i = gnn add phi psi x A (s i).
Proof. by rewrite /gnn /=; congr (phi _ _); rewrite [RHS](reindex_inj (@perm_inj _ s)). Qed.
End Permutations.

Section Maps.
Variables (G A B C : Type).
Implicit Types (a : G -> A -> A) (b : G -> B -> B) (c : G -> C -> C).

Definition commutes a b (f : A -> B) := forall g x, f (a g x) = b g (f x).
Definition unmoved a (f : A -> C) := forall g x, f (a g x) = f x.

Theorem sym23_compose_equivariant a b c (f : A -> B) (h : B -> C) : commutes a b f ->
  (forall g y, h (b g y) = c g (h y)) -> forall g x, h (f (a g x)) = c g (h (f x)).
Proof. by move=> ef eh g x; rewrite ef eh. Qed.

Theorem sym23_compose_invariant a b (f : A -> B) (h : B -> C) : commutes a b f -> (forall g y, h (b g y) = h y) -> unmoved a (h \o f).
Proof. by move=> ef eh g x; rewrite /= ef eh. Qed.

Theorem lec22_stack a b (f : A -> B) (h : B -> C) : commutes a b f -> (forall g y, h (b g y) = h y) -> unmoved a (h \o f).
Proof. exact: sym23_compose_invariant. Qed.
End Maps.

(* (g * x)(u) = x(g^-1 . u). *)
Theorem sym23_action_inverse (gT : finGroupType) (U C : Type) (dot : gT -> U -> U) (x : U -> C) (g h : gT) u :
  (forall u, dot 1%g u = u) -> (forall g h u, dot (g * h)%g u = dot g (dot h u)) ->
  let star g (x : U -> C) u := x (dot g^-1%g u) in star 1%g x u = x u /\ star g (star h x) u = star (g * h)%g x u.
Proof. by move=> one mul /=; rewrite invg1 one invMg mul. Qed.

Theorem sym23_pointwise_lift (G U C D : Type) (star : forall T : Type, G -> (U -> T) -> U -> T) (sigma : C -> D) (A : (U -> C) -> U -> C) :
  (forall g (x : U -> C) u, sigma (star C g x u) = star D g (sigma \o x) u) ->
  (forall g x u, A (star C g x) u = star C g (A x) u) -> forall g x u, sigma (A (star C g x) u) = star D g (sigma \o A x) u.
Proof. by move=> lift eA g x u; rewrite eA lift. Qed.

(* C_theta(x)(g) = sum_u x(u) theta(g^-1 . u). *)
Theorem sym23_groupconv_equivariant (gT : finGroupType) (U : finType) (R : comRingType) (dot : gT -> U -> U) (theta x : U -> R) (g h : gT) :
  (forall u, dot 1%g u = u) -> (forall g h u, dot (g * h)%g u = dot g (dot h u)) ->
  let conv (x : U -> R) g := \sum_u x u * theta (dot g^-1%g u) in conv (fun u => x (dot h^-1%g u)) g = conv x (h^-1 * g)%g.
Proof.
move=> one mul /=; have inj : injective (dot h) by move=> u v e; rewrite -[u]one -[v]one -(mulVg h) !mul e.
rewrite (reindex_inj inj) /=; apply: eq_bigr => u _.
by rewrite -mul mulVg one invMg invgK mul.
Qed.


Print Assumptions sym23_groupconv_equivariant.

(** * Rows about other papers, and more of the first *)

Section More.
Variable R : realFieldType.

Lemma gram_permuted d n (s : 'S_n) (X : 'M[R]_(d, n)) (A : 'M[R]_d) :
  (col_perm s X)^T *m A *m col_perm s X = conjugated s (X^T *m A *m X).
Proof. by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE; congr (_ * _); apply: eq_bigr => l _; rewrite !mxE. Qed.

Theorem my23_attn_permutation (e : R -> R) c d n (WQ WK : 'M[R]_(c, d)) (WV : 'M[R]_d) :
  permutation_equivariant (fun X : 'M[R]_(d, n) => attention e WQ WK WV X).
Proof.
move=> s X; rewrite /attention /permuted; have -> : (col_perm s X)^T *m WQ^T *m WK *m col_perm s X = conjugated s (X^T *m WQ^T *m WK *m X).
  by rewrite -![_^T *m _ *m WK]mulmxA gram_permuted.
have -> : softmax_rows e (conjugated s (X^T *m WQ^T *m WK *m X)) = conjugated s (softmax_rows e (X^T *m WQ^T *m WK *m X)).
  apply/matrixP => i j; rewrite !mxE; congr (_ / _).
  by rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => k _; rewrite !mxE.
apply/matrixP => i j; rewrite !mxE; congr (_ + _); rewrite [RHS](reindex_inj (@perm_inj _ s)).
by apply: eq_bigr => k _; rewrite !mxE; congr (_ * _); apply: eq_bigr => l _; rewrite !mxE.
Qed.

Theorem my23_remark2_1 d n m (f : 'M[R]_(d, n) -> 'M[R]_(m, n)) :
  (forall (s : 'S_n) X, f (col_perm s X) = col_perm s (f X)) <->
  (forall (s : 'S_n) (X : 'M[R]_(n, d)), (f (row_perm s X)^T)^T = row_perm s (f X^T)^T).
Proof.
split=> ef s X; first by rewrite tr_row_perm ef tr_col_perm.
by have := ef s X^T; rewrite tr_row_perm !trmxK => e; rewrite -[LHS]trmxK e tr_row_perm trmxK.
Qed.

(* The knowledge is in what x stands for: column i of Z^T X. *)
Theorem my23_prop4_1_sufficient d k n (V W : zmodType) (rho1 : 'cV[R]_k -> V -> R) (rho2 : 'cV[R]_k -> 'cV[R]_k -> W -> R)
    (psi1 : 'cV[R]_k -> 'cV[R]_k -> V) (psi2 : 'cV[R]_k -> 'cV[R]_k -> 'cV[R]_k -> W) (Z : 'M[R]_(d, k)) :
  let g (x : 'I_n -> 'cV[R]_k) : 'M[R]_n := \matrix_(i, j)
    if i == j then rho1 (x i) (\sum_(l | l != i) psi1 (x l) (x i))
    else rho2 (x i) (x j) (\sum_(l | (l != i) && (l != j)) psi2 (x l) (x i) (x j)) in
  permutation_equivariant (fun X : 'M[R]_(d, n) => X *m g (fun i => Z^T *m col i X)).
Proof.
move=> g s X; have colE i : col i (permuted s X) = col (s i) X by apply/matrixP => a b; rewrite !mxE.
apply/matrixP => a j; rewrite !mxE [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => i _; rewrite !mxE !colE.
rewrite (inj_eq perm_inj); congr (_ * _); case: eqP => [ij | /eqP ij]; [congr rho1 | congr rho2].
  by rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_big => l; rewrite ?colE // (inj_eq perm_inj).
by rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_big => l; rewrite ?colE // !(inj_eq perm_inj).
Qed.

(* What does not mind the order of a list: the maximum, the mean, ... *)
Definition unordered (V W : Type) (pool : seq V -> W) := forall (T : finType) (v : T -> V) (f : T -> T),
  injective f -> pool [seq v (f i) | i <- enum T] = pool [seq v i | i <- enum T].

Lemma unordered_perm (V : eqType) (W : Type) (pool : seq V -> W) :
  (forall s s', perm_eq s s' -> pool s = pool s') -> unordered pool.
Proof.
move=> sym T v f inj; apply: sym; rewrite (map_comp v f); apply: perm_map; apply: uniq_perm.
- by rewrite map_inj_uniq ?enum_uniq.
- exact: enum_uniq.
by move=> i; rewrite mem_enum; have [f' _ fK] := injF_bij inj; rewrite -(fK i) map_f ?mem_enum.
Qed.

Theorem classics_pointnet_invariant (P V W Y : Type) n (h : P -> V) (pool : seq V -> W) (gamma : W -> Y) (x : 'I_n -> P) (s : 'S_n) :
  unordered pool -> gamma (pool [seq h (x (s i)) | i <- enum 'I_n]) = gamma (pool [seq h (x i) | i <- enum 'I_n]).
Proof. by move=> un; rewrite (un _ (fun i => h (x i)) s) //; apply: perm_inj. Qed.

Theorem classics_pointnet_segmentation (P V W : Type) n (h : P -> V) (pool : seq V -> W) (x : 'I_n -> P) (s : 'S_n) i :
  unordered pool -> let f x i := (h (x i), pool [seq h (x j) | j <- enum 'I_n]) in f (x \o s) i = f x (s i).
Proof. by move=> un f; rewrite /f (un _ (fun i => h (x i)) s) //; apply: perm_inj. Qed.

Theorem lec22_pool_shift (C W : Type) (pool : seq C -> W) h w (x : 'I_h.+1 * 'I_w.+1 -> C) a b :
  unordered pool -> pool [seq x (u.1 - a, u.2 - b) | u <- enum {: 'I_h.+1 * 'I_w.+1}] = pool [seq x u | u <- enum {: 'I_h.+1 * 'I_w.+1}].
Proof.
move=> un; rewrite (un _ x (fun u => (u.1 - a, u.2 - b))) // => -[i j] [k l] e.
by have /= e1 := congr1 fst e; have /= e2 := congr1 snd e; rewrite (addIr _ e1) (addIr _ e2).
Qed.

Theorem classics_deepsets_layer n m p (sigma : R -> R) (pool : seq R -> R) (L G : 'M[R]_(m, p)) (s : 'S_n) (x : 'M[R]_(n, m)) :
  unordered pool -> let most (x : 'M[R]_(n, m)) : 'M[R]_(n, m) := \matrix_(i, j) pool [seq x k j | k <- enum 'I_n] in
  let f x := map_mx sigma (x *m L - most x *m G) in f (row_perm s x) = row_perm s (f x).
Proof.
move=> un most f; have same : most (row_perm s x) = row_perm s (most x).
  apply/matrixP => i j; rewrite !mxE -(un _ (fun k => x k j) s); last exact: perm_inj.
  by congr pool; apply: eq_map => k; rewrite mxE.
by rewrite /f -map_row_perm; congr map_mx; rewrite same !row_permE mulmxBr !mulmxA.
Qed.

(* The mean over all orders. *)
Theorem classics_janossy_orders (T : Type) n (f : {ffun 'I_n -> T} -> R) (x : {ffun 'I_n -> T}) (s : 'S_n) :
  let mean (x : {ffun 'I_n -> T}) := (\sum_(p : 'S_n) f [ffun i => x (p i)]) / (n`!)%:R in mean [ffun i => x (s i)] = mean x.
Proof.
move=> mean; rewrite /mean; congr (_ / _); rewrite [RHS](reindex_inj (mulIg s)); apply: eq_bigr => p _.
by congr f; apply/ffunP => i; rewrite !ffunE permM.
Qed.

Theorem classics_janossy_pairs (T : Type) (V : zmodType) (W : Type) n (rho : V -> W) (f : T -> T -> V) (x : 'I_n -> T) (s : 'S_n) :
  rho (\sum_i \sum_j f (x (s i)) (x (s j))) = rho (\sum_i \sum_j f (x i) (x j)).
Proof.
congr rho; rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => i _.
by rewrite [RHS](reindex_inj (@perm_inj _ s)).
Qed.

Theorem classics_vectors_linear d c e (W : 'M[R]_(e, c)) (V : 'M[R]_(c, d)) (Q : 'M[R]_d) : W *m (V *m Q) = W *m V *m Q.
Proof. exact: mulmxA. Qed.

Theorem classics_vectors_invariant d c e (W : 'M[R]_(e, c)) (V : 'M[R]_(c, d)) (Q : 'M[R]_d) :
  Q *m Q^T = 1%:M -> V *m Q *m (W *m (V *m Q))^T = V *m (W *m V)^T.
Proof. by move=> oQ; rewrite mulmxA [(_ *m _ *m Q)^T]trmx_mul -mulmxA [Q *m _]mulmxA oQ mul1mx. Qed.

Theorem villar21_lorentz_scalars d n (T : Type) (eta L : 'M[R]_d) (V : 'M[R]_(d, n)) (F : 'M[R]_n -> T) :
  L^T *m eta *m L = eta -> F ((L *m V)^T *m eta *m (L *m V)) = F (V^T *m eta *m V).
Proof. by move=> le; rewrite trmx_mul !mulmxA -[V^T *m L^T *m eta]mulmxA -[V^T *m _ *m L]mulmxA le. Qed.

Theorem villar21_od_pairing d n (h : 'M[R]_(d, n) -> 'cV[R]_d) (Q : 'M[R]_d) V (w w' : 'cV[R]_d) a :
  (forall Q V, orthogonal Q -> h (Q *m V) = Q *m h V) -> orthogonal Q ->
  (h (Q *m V))^T *m (Q *m w) = (h V)^T *m w /\ (h V)^T *m (a *: w + w') = a *: ((h V)^T *m w) + (h V)^T *m w'.
Proof. by move=> eh oQ; rewrite eh // orthogonal_gram // mulmxDr scalemxAr. Qed.

Theorem villar21_translation_scalars d n (T : Type) (f : 'M[R]_(d, n.+1) -> T) :
  (forall (X : 'M[R]_(d, n.+1)) (t : 'cV[R]_d), f (\matrix_(i, j) (X i j + t i 0)) = f X) <->
  exists F : 'M[R]_(d, n.+1) -> T, forall X : 'M[R]_(d, n.+1), f X = F (\matrix_(i, j) (X i j - X i 0)).
Proof.
split=> [inv | [F fF] X t]; last by rewrite !fF; congr F; apply/matrixP => i j; rewrite !mxE opprD addrACA subrr addr0.
by exists f => X; rewrite -(inv X (- col 0 X)); congr f; apply/matrixP => i j; rewrite !mxE.
Qed.

Theorem classics_settransformer_mean (e : R -> R) n (i j : 'I_n) : e 0 != 0 -> softmax_rows e (0 : 'M[R]_n) i j = n%:R^-1.
Proof.
move=> e0; rewrite !mxE (eq_bigr (fun=> e 0)) => [|k _]; last by rewrite mxE.
by rewrite sumr_const card_ord -[e 0 *+ n]mulr_natr invfM mulrA divff // mul1r.
Qed.

(* A shift by c is multiplication by a circulant matrix. *)
Theorem lec22_conv_shift n m (v : 'I_n.+1 -> R) c (X : 'M[R]_(n.+1, m)) :
  let shift (X : 'M[R]_(n.+1, m)) : 'M[R]_(n.+1, m) := \matrix_(i, j) X (i - c) j in circulant v *m shift X = shift (circulant v *m X).
Proof.
move=> shift; apply/matrixP => i j; rewrite !mxE (reindex_inj (addIr c)); apply: eq_bigr => k _; rewrite !mxE addrK.
by congr (v _ * _); rewrite opprD addrCA addrC.
Qed.

Theorem lec22_layernorm_permutation n k l (norm : 'rV[R]_k -> 'rV[R]_l) (x : 'M[R]_(n, k)) (s : 'S_n) :
  let f (x : 'M[R]_(n, k)) := \matrix_(i, j) norm (row i x) 0 j in f (row_perm s x) = row_perm s (f x).
Proof.
move=> f; apply/matrixP => i j; rewrite !mxE; congr (norm _ _ _).
by apply/matrixP => a b; rewrite !mxE.
Qed.
End More.

(* A function of the scalar products: it has equal values where they are equal. *)
Theorem villar21_od_scalars (R : realFieldType) d n (T : Type) (f : 'M[R]_(d, n) -> T) :
  (forall Q X, orthogonal Q -> f (Q *m X) = f X) <-> (forall X Y, X^T *m X = Y^T *m Y -> f X = f Y).
Proof. by split=> [inv | ff Q X oQ]; [exact: prop31_fft | apply: ff; rewrite orthogonal_gram]. Qed.

Theorem lec22_perm_example (R : ringType) :
  let P : 'M[R]_5 := \matrix_(i, j) (nth 0%N [:: 1; 4; 2; 0; 3]%N i == j)%:R in
  P *m \col_i (i.+1)%:R = \col_i (nth 0%N [:: 2; 5; 3; 1; 4]%N i)%:R.
Proof.
move=> P; apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE /=.
by case: i => [[|[|[|[|[|//]]]]] _] /=; rewrite ?mul1r ?mul0r ?addr0 ?add0r.
Qed.

Print Assumptions my23_prop4_1_sufficient.
Print Assumptions lec22_pool_shift.
