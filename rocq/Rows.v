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

Theorem lec22_shift_orthogonal n (s : 'S_n) :
  perm_mx s *m (perm_mx s)^T = 1%:M :> 'M[R]_n /\ (perm_mx s)^T *m perm_mx s = 1%:M :> 'M[R]_n.
Proof. by rewrite tr_perm_mx -!perm_mxM mulgV mulVg perm_mx1. Qed.

(* C(v), entry (i, j): v at i - j, round the circle. *)
Definition circulant n (v : 'I_n.+1 -> R) : 'M[R]_n.+1 := \matrix_(i, j) v (i - j).

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
