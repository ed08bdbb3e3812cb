(* Soundness where the group mixes entries: orthogonal matrices, invertible matrices and their duals.

   Along each axis the entries are multiplied by a matrix. Each occurrence of a label in a contraction has an index of
   its own, and the matrices of all occurrences commute: a pair of them that is summed over cancels. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Turns.
Variables (R : comRingType) (m : meaning R) (fam : family) (g : extent) (facts : nat -> option fact) (intys : seq rtype).

(* The matrix along an axis; the character. *)
Variables (matrix : axis -> nat -> nat -> R) (chi : int -> R).
Hypothesis mixing : mixes fam.
Let size_of t := count_of m (width t).
Hypothesis columns : forall t k j, (k < size_of t)%N -> (j < size_of t)%N ->
  \sum_(i <- iota 0 (size_of t)) matrix t i k * matrix (dual fam t) i j = (k == j)%:R.
Hypothesis rows_ : forall t i j, (i < size_of t)%N ->
  \sum_(k <- iota 0 (size_of t)) matrix t i k * matrix (dual fam t) j k = (i == j)%:R.
Hypothesis outside : forall t i k, (size_of t <= i)%N -> matrix t i k = 0.
Hypothesis matrix_first : forall x t i j, (i < count_of m x.2)%N -> (j < count_of m x.2)%N -> matrix (x :: t) i j = matrix [:: x] i j.
Hypothesis matrix_apart : forall x t i j, (i < count_of m x.2)%N != (j < count_of m x.2)%N -> matrix (x :: t) i j = 0.
Hypothesis matrix_later : forall x t i j, (count_of m x.2 <= i)%N -> (count_of m x.2 <= j)%N ->
  matrix (x :: t) i j = matrix t (i - count_of m x.2) (j - count_of m x.2).
Hypothesis matrix_still : forall k, still k -> exists2 c, k = Fix -> c = 1 &
  forall z i j, (i < count_of m z)%N -> (j < count_of m z)%N -> matrix [:: (k, z)] i j = c * (i == j)%:R.
Hypothesis matrix_prod : forall a z1 b z2 z i j, count_of m z = (count_of m z1 * count_of m z2)%N ->
  (i < count_of m z)%N -> (j < count_of m z)%N -> let n := count_of m z2 in
  matrix [:: (Prod a z1 b z2, z)] i j = matrix [:: (a, z1)] (i %/ n)%N (j %/ n)%N * matrix [:: (b, z2)] (i %% n)%N (j %% n)%N.
Hypothesis matrix_det : reflects fam -> forall x i j, matrix [:: (times_det x.1, x.2)] i j = chi 1 * matrix [:: x] i j.
Hypothesis chi0 : chi 0 = 1.
Hypothesis chiD : forall a b, chi (a + b) = chi a * chi b.
Hypothesis chi_same : forall a b, same fam a b -> chi a = chi b.
Hypothesis homogeneous : forall h d e xs, facts h = Some (Degree d) ->
  fns m h [seq chi e * x | x <- xs] = chi (e * d) * fns m h xs.
Hypothesis homogeneous_ok : forall h d e xs, facts h = Some (Degree d) ->
  fns_ok m h [seq chi e * x | x <- xs] = fns_ok m h xs.

Fixpoint acting (axs : seq axis) (v : value R) (ix : seq nat) : R :=
  match axs, ix with
  | t :: axs', i :: ix' =>
      if fixed t then acting axs' (fun jx => v (i :: jx)) ix'
      else \sum_(k <- iota 0 (size_of t)) matrix t i k * acting axs' (fun jx => v (k :: jx)) ix'
  | _, _ => v ix
  end.

(* Indices that differ only within a part that the group mixes. *)
Fixpoint near_part (k : kind) (i j : nat) : bool :=
  match k with
  | Fix => i == j
  | Det k' => near_part k' i j
  | Prod a _ b w => let n := count_of m w in near_part a (i %/ n) (j %/ n) && near_part b (i %% n) (j %% n)
  | _ => true
  end.
Fixpoint near (t : axis) (i j : nat) : bool :=
  if t is (k, z) :: t' then
    let n := count_of m z in
    if (i < n)%N then (j < n)%N && near_part k i j else (n <= j)%N && near t' (i - n) (j - n)
  else i == j.

Fixpoint nears (axs : seq axis) (ix jx : seq nat) : bool :=
  match axs, ix, jx with
  | t :: axs', i :: ix', j :: jx' => near t i j && nears axs' ix' jx'
  | [::], [::], [::] => true
  | _, _, _ => false
  end.

Definition turns (c' c : cell R) (ty : rtype) :=
  (forall ix, size ix = size ty.1 -> c'.1 ix = chi ty.2 * acting ty.1 c.1 ix) /\
  (forall ix jx, nears ty.1 ix jx -> c'.2 ix = c.2 jx).

Hypothesis obeyed : obeys m fam g facts turns.

(** * Matrices along axes *)

Lemma acting_same axs v v' ix : v =1 v' -> acting axs v ix = acting axs v' ix.
Proof.
elim: axs v v' ix => [|t axs IH] v v' [|i ix] same //=.
case: ifP => _; first by apply: IH => jx; apply: same.
by apply: eq_bigr => k _; congr (_ * _); apply: IH => jx; apply: same.
Qed.

Lemma acting_fixed axs v ix : all fixed axs -> acting axs v ix = v ix.
Proof. by elim: axs v ix => [|t axs IH] v [|i ix] //= /andP [-> none]; rewrite IH. Qed.

Lemma acting_sum (I : Type) (r : seq I) axs (v : I -> value R) ix :
  acting axs (fun ix => \sum_(a <- r) v a ix) ix = \sum_(a <- r) acting axs (v a) ix.
Proof.
elim: axs v ix => [|t axs IH] v [|i ix] //=; case: ifP => _; first exact: IH.
rewrite exchange_big; apply: eq_bigr => k _.
by rewrite (IH (fun a jx => v a (k :: jx))) mulr_sumr.
Qed.

Lemma acting_scale axs c v ix : acting axs (fun jx => c * v jx) ix = c * acting axs v ix.
Proof.
elim: axs v ix => [|t axs IH] v [|i ix] //=; case: ifP => _; first exact: IH.
by rewrite mulr_sumr; apply: eq_bigr => k _; rewrite (IH (fun jx => v (k :: jx))) mulrCA.
Qed.

Lemma acting_cat axs axs2 v w ix jx : size ix = size axs ->
  acting (axs ++ axs2) (fun jx => v (take (size axs) jx) * w (drop (size axs) jx)) (ix ++ jx) =
  acting axs v ix * acting axs2 w jx.
Proof.
elim: axs v ix => [|t axs IH] v [|i ix] //= => [_ | [six]].
  by rewrite -acting_scale; apply: acting_same => kx; rewrite take0 drop0.
case: ifP => _; first exact: (IH (fun jx => v (i :: jx))).
rewrite mulr_suml; apply: eq_bigr => k _; rewrite -mulrA; congr (_ * _).
exact: (IH (fun jx => v (k :: jx))).
Qed.

Lemma acting_inner axs axs2 v ix jx : all fixed axs -> size ix = size axs ->
  acting (axs ++ axs2) v (ix ++ jx) = acting axs2 (fun kx => v (ix ++ kx)) jx.
Proof. by elim: axs v ix => [|t axs IH] v [|i ix] //= /andP [-> fx] [six]; rewrite IH. Qed.

Lemma near_part_refl k i : near_part k i i.
Proof. by elim: k i => //= a IHa z b IHb w i; rewrite IHa IHb. Qed.

Lemma near_refl t i : near t i i.
Proof. by elim: t i => [|[k z] t IH] i //=; case: ltnP => // _; [apply: near_part_refl | apply: IH]. Qed.

Lemma near_still k i j : still k -> near_part k i j = (i == j).
Proof. by elim: k. Qed.

Lemma nears_inner axs axs2 ix jx kx : all fixed axs -> size ix = size axs -> nears axs2 jx kx ->
  nears (axs ++ axs2) (ix ++ jx) (ix ++ kx).
Proof. by elim: axs ix => [|t axs IH] [|i ix] //= /andP [_ fx] [six] nr; rewrite near_refl IH. Qed.

Lemma nears_cut r axs ix jx : nears axs ix jx ->
  nears (take r axs) (take r ix) (take r jx) /\ nears (drop r axs) (drop r ix) (drop r jx).
Proof. by elim: r axs ix jx => [|r IH] [|t axs] [|i ix] [|j jx] //= /andP [-> /IH []]. Qed.

Lemma nears_fixed axs ix jx : all fixed axs -> nears axs ix jx -> ix = jx.
Proof.
elim: axs ix jx => [|t axs IH] [|i ix] [|j jx] //= /andP [/eqP -> fx] /andP [/eqP -> nr].
by rewrite (IH _ _ fx nr).
Qed.

Lemma nears_size axs ix jx : nears axs ix jx -> size ix = size axs /\ size jx = size axs.
Proof. by elim: axs ix jx => [|t axs IH] [|i ix] [|j jx] //= /andP [_ /IH [-> ->]]. Qed.

Lemma nears_nth axs ix jx p : nears axs ix jx -> near (nth [::] axs p) (nth 0%N ix p) (nth 0%N jx p).
Proof. by elim: axs ix jx p => [|t axs IH] [|i ix] [|j jx] [|p] //= /andP [a b]; rewrite ?near_refl //; apply: IH. Qed.

Lemma width_dual t : width (dual fam t) = width t.
Proof. by rewrite /width /dual -map_comp. Qed.

Lemma near_dual t i j : near (dual fam t) i j = near t i j.
Proof.
have one k : near_part (dual_kind fam k) =2 near_part k.
  rewrite /dual_kind; case: (linear _) => //; elim: k => //= a IHa z b IHb w i' j'.
  by rewrite IHa IHb.
by elim: t i j => [|[k z] t IH] i j //=; rewrite IH one.
Qed.

Lemma fixed_dual t : fixed (dual fam t) = fixed t. Proof. by case: t. Qed.

(** * Parts of axes *)

Definition agree t t' := [/\ size_of t = size_of t', matrix t =2 matrix t' & near t =2 near t'].

Lemma size_cons x t : size_of (x :: t) = (count_of m x.2 + size_of t)%N.
Proof. by rewrite /size_of [width _]/= count_cat. Qed.

Lemma size_cat_ s t : size_of (s ++ t) = (size_of s + size_of t)%N.
Proof. by rewrite /size_of /width map_cat flatten_cat count_cat. Qed.

Lemma agree_trans t2 t1 t3 : agree t1 t2 -> agree t2 t3 -> agree t1 t3.
Proof. by case=> s1 a1 n1 [s2 a2 n2]; split=> [|i j|i j]; rewrite ?s1 ?a1 ?n1. Qed.

Definition block x := matrix [:: x].

Lemma matrix_cons x t i j : matrix (x :: t) i j =
  if (i < count_of m x.2)%N then if (j < count_of m x.2)%N then block x i j else 0
  else if (j < count_of m x.2)%N then 0 else matrix t (i - count_of m x.2) (j - count_of m x.2).
Proof.
case: ltnP => ix; case: ltnP => jx; [exact: matrix_first | | | exact: matrix_later];
  by apply: matrix_apart; rewrite ?ix ?jx ?[(i < _)%N]ltnNge ?[(j < _)%N]ltnNge ?ix ?jx.
Qed.

Lemma agree_cons x y t t' : agree [:: x] [:: y] -> agree t t' -> agree (x :: t) (y :: t').
Proof.
case: x y => k z [k' z'] [/= sz at1 n1] [st at_ nt]; rewrite !size_cons !addn0 /= in sz.
split=> [|i j|i j]; first by rewrite !size_cons /= sz st.
  rewrite matrix_cons [RHS]matrix_cons /= /block -sz at_ at1; by [].
have := n1 i j; rewrite /= -sz nt; case: ltnP => // iz; case: ltnP => //=.
Qed.

Lemma agree_refl t : agree t t. Proof. by []. Qed.

Lemma agree_still k z z' : still k -> count_of m z = count_of m z' -> agree [:: (k, z)] [:: (k, z')].
Proof.
move=> sk zE; have [c _ cE] := matrix_still sk; split=> [|i j|i j]; rewrite ?size_cons /= ?zE //.
rewrite !matrix_cons /= zE; case: ltnP => // iz; case: ltnP => // jz.
by rewrite /block !cE -?zE // ?zE.
Qed.

Lemma same_kindE k z k' z' : same_kind k z k' z' -> agree [:: (k, z)] [:: (k', z')].
Proof.
have one k1 z1 k2 z2 : (k1 == k2) && (if still k1 then same_size z1 z2 else z1 == z2) -> agree [:: (k1, z1)] [:: (k2, z2)].
  by case/andP => /eqP ->; case: ifP => [sk /(count_same m) | _ /eqP -> //]; apply: agree_still.
elim: k z k' z' => [||| l | k _ | a IHa z1 b IHb z2] z k' z'; rewrite [same_kind _ _ _ _]/=; case: ifP => [/one // | _] //.
case: k' => // a' z1' b' z2' /and4P [/(count_product m) zE /(count_same m) zz' /IHa [e1 at1 n1] /IHb [e2 at2 n2]].
rewrite !size_cons !addn0 /= in e1 e2.
have zE' : count_of m z' = (count_of m z1' * count_of m z2')%N by rewrite -zz' zE e1 e2.
split=> [|i j|i j]; first by rewrite !size_cons /= zz'.
  rewrite !matrix_cons /= -zz'; case: ltnP => // iz; case: ltnP => // jz.
  by rewrite /block (matrix_prod _ _ zE) // (matrix_prod _ _ zE') -?zz' //= -e2 at1 at2.
rewrite /= -zz' -e2; case: ltnP => // iz; case: ltnP => //= jz; rewrite zE in iz jz.
have [m2 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz.
have := n1 (i %/ count_of m z2)%N (j %/ count_of m z2)%N; rewrite /= -e1 i1 j1 /= => ->.
by have := n2 (i %% count_of m z2)%N (j %% count_of m z2)%N; rewrite /= -e2 i2 j2 /= => ->.
Qed.

Lemma agree_merged t : agree t (merged t).
Proof.
elim: t => [|x t IH] //=; case tE: (merged t) IH => [|y t'] IH; first exact: agree_cons.
case: ifP => [/andP [/eqP yx sx] | _]; last exact: agree_cons.
apply: (@agree_trans [:: x, y & t']); first exact: agree_cons.
case: x y yx sx {IH tE} => k z [k' z'] /= -> sk; have [c _ cE] := matrix_still sk.
have {}cE w i j : (i < count_of m w)%N -> (j < count_of m w)%N -> block (k, w) i j = c * (i == j)%:R by apply: cE.
split=> [|i j|i j]; first by rewrite !size_cons /= count_cat addnA.
  rewrite !matrix_cons /= count_cat; case: (ltnP i (count_of m z)) => iz; case: (ltnP j (count_of m z)) => jz.
  - by rewrite !ltn_addr // !cE ?count_cat ?ltn_addr.
  - have iz' : (i < count_of m z + count_of m z')%N by rewrite ltn_addr.
    rewrite iz'; case: ifP => // jz'; rewrite cE ?count_cat // ltn_eqF ?mulr0 //; exact: leq_trans iz jz.
  - have jz' : (j < count_of m z + count_of m z')%N by rewrite ltn_addr.
    rewrite jz'; case: ifP => // iz'; rewrite cE ?count_cat // gtn_eqF ?mulr0 //; exact: leq_trans jz iz.
  rewrite !ltn_subLR // !subnDA; case: ifP => iz'; case: ifP => jz' //.
  rewrite !cE ?count_cat ?ltn_subLR //; congr (_ * _%:R).
  by rewrite -(eqn_add2l (count_of m z)) !subnKC.
rewrite /= !near_still // count_cat; case: (ltnP i (count_of m z)) => iz; case: (ltnP j (count_of m z)) => jz /=.
- by rewrite !ltn_addr.
- rewrite ltn_addr //; case: eqP => [ij | _]; last by rewrite andbF.
  by rewrite ij ltnNge jz in iz.
- case: (ltnP i _) => iz'; first by rewrite ltn_addr //=; apply/esym/negbTE; rewrite gtn_eqF // (leq_trans jz).
  by rewrite [(_ <= j)%N]leqNgt ltn_addr.
rewrite !ltn_subLR // [(count_of m z' <= _)%N]leq_subRL // !subnDA; case: ifP => // iz'.
by rewrite -[(i - _ == _)%N](eqn_add2l (count_of m z)) !subnKC.
Qed.

Lemma agree_sym t t' : agree t t' -> agree t' t.
Proof. by case=> s a n; split=> [|i j|i j]; rewrite ?s ?a ?n. Qed.

Lemma agree_same t t' : same_parts t t' -> agree t t'.
Proof.
move=> same; apply: agree_trans (agree_merged t) (agree_trans _ (agree_sym (agree_merged t'))).
move: same; rewrite /same_parts; elim: (merged t) (merged t') => [|[k z] s IH] [|[k' z'] s'] //= /andP [/same_kindE xy /IH].
exact: agree_cons.
Qed.

Lemma ltn_sum c w n : (n < c + w)%N = (n < c)%N || (n - c < w)%N.
Proof. by case: (ltnP n c) => nc; [rewrite ltn_addr | rewrite ltn_subLR]. Qed.

Lemma matrix_cat s t i j : matrix (s ++ t) i j =
  if (i < size_of s)%N then if (j < size_of s)%N then matrix s i j else 0
  else if (j < size_of s)%N then 0 else matrix t (i - size_of s) (j - size_of s).
Proof.
elim: s i j => [|x s IH] i j; first by rewrite !subn0.
rewrite cat_cons !matrix_cons IH size_cons; set c := count_of m x.2; set w := size_of s.
rewrite !ltn_sum !subnDA; case: (ltnP i c) => ix; case: (ltnP j c) => jx //=; first by case: ifP.
by case: ifP.
Qed.

Lemma near_cat s t i j : near (s ++ t) i j =
  if (i < size_of s)%N then (j < size_of s)%N && near s i j else (size_of s <= j)%N && near t (i - size_of s) (j - size_of s).
Proof.
elim: s i j => [|[k z] s IH] i j; first by rewrite !subn0.
rewrite cat_cons size_cons /= IH; set c := count_of m z; set w := size_of s.
rewrite [(c + w <= j)%N]leqNgt !ltn_sum negb_or -!leqNgt !subnDA; case: (ltnP i c) => ix; case: (ltnP j c) => jx //=; first by rewrite andbF.
by case: ifP.
Qed.

Lemma size_parts t z : fits t z -> size_of (parts_of t z) = count_of m z.
Proof.
move=> fz; rewrite /parts_of; case: ifP => [_ | nt]; first by rewrite size_cons addn0.
by move: fz; rewrite /fits nt; apply: count_same.
Qed.

Lemma size_det t : size_of (with_det t) = size_of t.
Proof. by rewrite /size_of /width -map_comp. Qed.

Lemma near_det t i j : near (with_det t) i j = near t i j.
Proof.
by elim: t i j => [|[k z] t IH] i j //=; rewrite IH; case: k.
Qed.

Lemma matrix_with_det t i j : reflects fam -> (i < size_of t)%N -> (j < size_of t)%N -> matrix (with_det t) i j = chi 1 * matrix t i j.
Proof.
move=> rf; elim: t i j => [|x t IH] i j //; rewrite [with_det _]/= size_cons !matrix_cons /= => it jt.
case: (ltnP i _) => ix; case: (ltnP j _) => jx; rewrite ?mulr0 //; first exact: matrix_det.
by rewrite IH // ltn_subLR.
Qed.

(* Two axes in one. *)
Definition near_of t i j := near t i j.
Arguments near_of : simpl never.
Definition is_product s t r := size_of r = (size_of s * size_of t)%N /\ forall i j, (i < size_of r)%N -> (j < size_of r)%N ->
  let n := size_of t in matrix r i j = matrix s (i %/ n)%N (j %/ n)%N * matrix t (i %% n)%N (j %% n)%N /\
  near_of r i j = near_of s (i %/ n) (j %/ n) && near_of t (i %% n) (j %% n).

Lemma size1 x : size_of [:: x] = count_of m x.2. Proof. by rewrite size_cons addn0. Qed.

Lemma fix_part z i j : (i < count_of m z)%N -> (j < count_of m z)%N ->
  matrix [:: (Fix, z)] i j = (i == j)%:R /\ near_of [:: (Fix, z)] i j = (i == j).
Proof. by move=> iz jz; have [c c1 cE] := @matrix_still Fix isT; rewrite cE // c1 // mul1r /near_of /= iz jz. Qed.

Lemma prod_part a z1 b z2 z i j : count_of m z = (count_of m z1 * count_of m z2)%N ->
  (i < count_of m z)%N -> (j < count_of m z)%N -> let n := count_of m z2 in
  matrix [:: (Prod a z1 b z2, z)] i j = matrix [:: (a, z1)] (i %/ n)%N (j %/ n)%N * matrix [:: (b, z2)] (i %% n)%N (j %% n)%N /\
  near_of [:: (Prod a z1 b z2, z)] i j = near_of [:: (a, z1)] (i %/ n) (j %/ n) && near_of [:: (b, z2)] (i %% n) (j %% n).
Proof.
move=> zE iz jz; split; first exact: matrix_prod.
rewrite /near_of /= iz jz; rewrite zE in iz jz; have [n0 -> ->] := below_product iz; have [_ -> ->] := below_product jz; by [].
Qed.

Lemma pair_product k z y : is_product [:: (k, z)] [:: y] [:: pair_part k z y].
Proof.
have plain k1 w y1 : is_product [:: (k1, w)] [:: y1] [:: (Prod k1 w y1.1 y1.2, product_size w y1.2)].
  by case: y1 => k2 w2; split=> [|i j]; rewrite !size1 count_times //= => iz jz; apply: prod_part; rewrite count_times.
elim: k z y => [||| l | k _ | a IHa z1 b IHb z2] z y; try exact: plain.
  case: y => k w /=; case: k => [||| l | k | k w1 c w2]; try exact: (plain _ _ (_, _)).
    split=> [|i j]; rewrite !size1 count_times //= => iz jz.
    have [n2 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz.
    have [-> ->] := @fix_part (product_size z w) i j ltac:(by rewrite count_times) ltac:(by rewrite count_times).
    have [-> ->] := fix_part i1 j1; have [-> ->] := fix_part i2 j2.
    by rewrite -natrM mulnb -eq_row_major.
  case: k => [||| l | k | k ? ? ?]; try exact: (plain _ _ (_, _)); case: ifP => [/(count_product m) wE | _]; last exact: (plain _ _ (_, _)).
  split=> [|i j]; rewrite !size1 count_times //= => iz jz.
  have [n2 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz.
  have e : count_of m (product_size z w) = (count_of m (product_size z w1) * count_of m w2)%N by rewrite !count_times wE mulnA.
  have iz' : (i < count_of m (product_size z w))%N by rewrite count_times.
  have jz' : (j < count_of m (product_size z w))%N by rewrite count_times.
  have [-> ->] := prod_part Fix c e iz' jz'; rewrite e in iz' jz'; have [m2 i3 _] := below_product iz'; have [_ j3 _] := below_product jz'.
  have [-> ->] := fix_part i3 j3; have [-> ->] := fix_part i1 j1; have [-> ->] := prod_part Fix c wE i2 j2.
  rewrite wE in i2 j2 *; have [_ i4 _] := below_product i2; have [_ j4 _] := below_product j2; have [-> ->] := fix_part i4 j4.
  have [e1 e2 e3] := mixed_radix i (count_of m w1) (count_of m w2); have [f1 f2 f3] := mixed_radix j (count_of m w1) (count_of m w2).
  rewrite e3 f3 -e2 -f2 -e1 -f1 mulrA -natrM mulnb andbA.
  by rewrite -!(eq_row_major (count_of m w1)).
rewrite /=; case: ifP => [/(count_product m) zE | _]; last exact: plain.
have [l2 inner] := IHb z2 y; have [l1 outer] := IHa z1 (pair_part b z2 y).
have lE : size_of [:: pair_part b z2 y] = (count_of m z2 * count_of m y.2)%N by rewrite l2 !size1.
split=> [|i j iz jz]; first by rewrite l1 lE !size1 zE mulnA.
have [-> ->] := outer i j iz jz; move: iz jz; rewrite l1 lE !size1 /= => iz jz.
have [n2 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz.
have [||-> ->] := inner (i %% (count_of m z2 * count_of m y.2))%N (j %% (count_of m z2 * count_of m y.2))%N; rewrite ?lE //.
have [_ i3 _] := @below_product i (count_of m z) (count_of m y.2) ltac:(by rewrite zE -mulnA).
have [_ j3 _] := @below_product j (count_of m z) (count_of m y.2) ltac:(by rewrite zE -mulnA).
have [-> ->] := prod_part a b zE i3 j3; rewrite size1.
have [e1 e2 e3] := mixed_radix i (count_of m z2) (count_of m y.2); have [f1 f2 f3] := mixed_radix j (count_of m z2) (count_of m y.2).
by rewrite -e1 -e2 e3 -f1 -f2 f3 -!mulrA andbA.
Qed.

Lemma units_count x : units x -> count_of m x.2 = size x.2.
Proof.
case: x => k z /andP [_ /eqP /= ->]; rewrite size_nseq countE big_nseq /product_at /=.
by elim: (size z) => // n /= ->.
Qed.

Lemma copies_product n z t : count_of m z = n -> is_product [:: (Fix, z)] t (flatten (nseq n t)).
Proof.
move=> zn; have lE k : size_of (flatten (nseq k t)) = (k * size_of t)%N.
  by elim: k => //= k IH; rewrite size_cat_ IH.
split=> [|i j]; rewrite lE ?size1 ?zn //= => i_n j_n; have [l0 i1 i2] := below_product i_n; have [_ j1 j2] := below_product j_n.
have [||-> ->] := @fix_part z (i %/ size_of t) (j %/ size_of t); rewrite ?zn //.
rewrite /near_of; elim: n i j {zn i1 i2 j1 j2} i_n j_n => [|n IH] i j //; rewrite mulSn => i_n j_n.
rewrite (_ : flatten (nseq n.+1 t) = t ++ flatten (nseq n t)) // matrix_cat near_cat.
have small k : (k < size_of t)%N -> (k %/ size_of t = 0)%N /\ (k %% size_of t = k)%N by move=> kt; rewrite divn_small ?modn_small.
have far k : (size_of t <= k)%N -> ((k %/ size_of t == 0) = false)%N by move=> tk; rewrite -leqn0 leqNgt divn_gt0 // tk.
case: ltnP => it; case: ltnP => jt.
- by have [-> ->] := small i it; have [-> ->] := small j jt; rewrite eqxx mul1r.
- by have [-> _] := small i it; rewrite [(0 == _)%N]eq_sym far // mul0r.
- by have [-> _] := small j jt; rewrite far // mul0r.
have it1 : (1 * size_of t <= i)%N by rewrite mul1n.
have jt1 : (1 * size_of t <= j)%N by rewrite mul1n.
have [e1 e2] := later_rows l0 it1; have [f1 f2] := later_rows l0 jt1; rewrite mul1n in e1 e2 f1 f2.
have [||-> ->] := IH (i - size_of t)%N (j - size_of t)%N; rewrite ?ltn_subLR // e1 e2 f1 f2.
have some k : (size_of t <= k)%N -> (0 < k %/ size_of t)%N by rewrite divn_gt0.
have -> // : (i %/ size_of t - 1 == j %/ size_of t - 1)%N = (i %/ size_of t == j %/ size_of t)%N.
by move: (some i it) (some j jt); case: (i %/ _)%N => // a; case: (j %/ _)%N => // b; rewrite !subSS !subn0.
Qed.

Lemma part_product t x r : part_times t x = Some r -> is_product [:: x] t r.
Proof.
rewrite /part_times; case: ifP => [/andP [ux _] [<-] | _]; last by case: t => [|y [|? ?]] // [<-]; case: x => k z; apply: pair_product.
by have := units_count ux; case: x ux => k z /andP [/eqP /= -> _]; apply: copies_product.
Qed.

Lemma axis_product s t r : axis_times s t = Some r -> is_product s t r.
Proof.
elim: s r => [|x s IH] r /=; first by case=> <-.
case oneE: (part_times t x) => [one|] //; case restE: (axis_times s t) => [rest|] // [<-].
have [l1 at1] := part_product oneE; have [l2 at2] := IH _ restE; rewrite size1 in l1.
have lE : size_of (one ++ rest) = (size_of (x :: s) * size_of t)%N by rewrite size_cat_ l1 l2 size_cons mulnDl.
split=> // i j i_n j_n; rewrite lE in i_n j_n; have [l0 _ _] := below_product i_n.
rewrite /near_of in at1 at2 *; rewrite matrix_cat near_cat l1 matrix_cons (_ : x :: s = [:: x] ++ s) // near_cat size1 ltn_divLR // ltn_divLR //.
rewrite ![(count_of m x.2 <= _ %/ _)%N]leq_divRL //.
case: ltnP => ix; case: ltnP => jx; rewrite ?mul0r //.
  by have [||-> ->] := at1 i j; rewrite ?l1.
have [e1 e2] := later_rows l0 ix; have [f1 f2] := later_rows l0 jx.
have i2 : (i - count_of m x.2 * size_of t < size_of rest)%N by rewrite ltn_subLR // -l1 -size_cat_ lE.
have j2 : (j - count_of m x.2 * size_of t < size_of rest)%N by rewrite ltn_subLR // -l1 -size_cat_ lE.
by have [-> ->] := at2 _ _ i2 j2; rewrite e1 e2 f1 f2.
Qed.

Definition act1 t i (f : nat -> R) := if fixed t then f i else \sum_(k <- iota 0 (size_of t)) matrix t i k * f k.

Lemma act1_parts t z i (f : nat -> R) : fits t z -> (i < count_of m z)%N ->
  \sum_(k <- iota 0 (count_of m z)) matrix (parts_of t z) i k * f k = act1 t i f.
Proof.
move=> fz iz; have := size_parts fz; rewrite /act1 /parts_of; case: ifP => [_ _ | _ <- //].
have [c c1 cE] := @matrix_still Fix isT; rewrite (bigD1_seq i) ?iota_uniq ?mem_iota //= cE // c1 // mul1r eqxx mul1r.
rewrite big1_seq ?addr0 // => k; rewrite mem_iota /= => /andP [ki kz].
by rewrite cE // [i == k]eq_sym (negbTE ki) mulr0 mul0r.
Qed.

(** * The same, along labels *)

Section Labels.
Variable typ : nat -> axis.
Definition actl o (F : env -> R) (f : env) := \sum_(k <- iota 0 (size_of (typ o))) matrix (typ o) (f o) k * F (upd f o k).
Definition acts os F := foldr actl F os.

Lemma actl_ext (D : {pred nat}) l F : l \in D -> ext D F -> ext D (actl l F).
Proof.
move=> lD extF e e' same; apply: eq_bigr => k _; rewrite same //; congr (_ * _).
by apply: extF => x xD; rewrite /upd; case: eqP => // _; apply: same.
Qed.

Lemma acts_ext (D : {pred nat}) os F : {subset os <= D} -> ext D F -> ext D (acts os F).
Proof.
elim: os => [|o os IH] //= sub extF; apply: actl_ext; first by apply: sub; rewrite inE eqxx.
by apply: IH => // x xo; apply: sub; rewrite inE xo orbT.
Qed.

Lemma actl_same l F F' : F =1 F' -> actl l F =1 actl l F'.
Proof. by move=> same e; apply: eq_bigr => k _; rewrite same. Qed.

Lemma acts_same os F F' : F =1 F' -> acts os F =1 acts os F'.
Proof. by move=> same; elim: os => //= o os IH; apply: actl_same. Qed.

Lemma actl_comm (D : {pred nat}) p q F e : ext D F -> p != q -> actl p (actl q F) e = actl q (actl p F) e.
Proof.
move=> extF pq; have two x y e' : x != y ->
    actl x (actl y F) e' = \sum_(k <- iota 0 (size_of (typ x))) \sum_(j <- iota 0 (size_of (typ y)))
      matrix (typ x) (e' x) k * (matrix (typ y) (e' y) j * F (upd (upd e' x k) y j)).
  by move=> xy; apply: eq_bigr => k _; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite upd_other // eq_sym.
rewrite !two // 1?eq_sym // exchange_big; apply: eq_bigr => j _; apply: eq_bigr => k _.
rewrite mulrCA; congr (_ * (_ * _)); apply: extF => x _; rewrite /upd; case: (x =P q) => [-> | //].
by rewrite eq_sym (negbTE pq).
Qed.

Lemma acts_front (D : {pred nat}) os F o e : ext D F -> {subset os <= D} -> o \in os ->
  acts os F e = actl o (acts (rem o os) F) e.
Proof.
move=> extF; elim: os e => [|x os IH] e //= sub; rewrite inE eq_sym.
have sub' : {subset os <= D} by move=> y yo; apply: sub; rewrite inE yo orbT.
case: eqP => [-> // | /eqP xo] /= inside.
rewrite (actl_same x (fun e => IH e sub' inside)) (@actl_comm D) //.
by apply: acts_ext => // y /mem_rem; apply: sub'.
Qed.

Lemma acts_perm (D : {pred nat}) os os' F e : ext D F -> {subset os' <= D} -> perm_eq os os' ->
  acts os F e = acts os' F e.
Proof.
move=> extF; elim: os os' e => [|o os IH] os' e sub perm.
  by have := perm_size perm; case: os' sub perm.
have inside : o \in os' by rewrite -(perm_mem perm) inE eqxx.
rewrite (acts_front e extF sub inside) /=; apply: actl_same => e'; apply: IH.
  by move=> y /mem_rem; apply: sub.
by rewrite -(perm_cons o) (perm_trans perm) // perm_to_rem.
Qed.

Lemma acts_fix os l (K : nat -> env -> R) e :
  l \notin os -> acts os (fun e' => K (e' l) e') e = acts os (fun e' => K (e l) e') e.
Proof.
elim: os e => [|o os IH] e //=; rewrite inE negb_or => /andP [lo out].
by apply: eq_bigr => k _; rewrite IH // upd_other.
Qed.

Lemma acting_acts out v e : uniq out ->
  acting [seq typ l | l <- out] v [seq e l | l <- out] =
  acts [seq l <- out | ~~ fixed (typ l)] (fun e => v [seq e l | l <- out]) e.
Proof.
elim: out v e => [|l out IH] v e //= /andP [lout uout].
have lf : l \notin [seq x <- out | ~~ fixed (typ x)] by rewrite mem_filter (negbTE lout) andbF.
have fixE e' : acts [seq x <- out | ~~ fixed (typ x)] (fun e' => v (e' l :: [seq e' x | x <- out])) e' =
    acts [seq x <- out | ~~ fixed (typ x)] (fun e'' => v (e' l :: [seq e'' x | x <- out])) e'.
  exact: (@acts_fix _ l (fun i e' => v (i :: [seq e' x | x <- out]))).
case: (fixed (typ l)) => /=; first by rewrite IH // fixE.
apply: eq_bigr => k _; rewrite IH // -/(acts _ _) fixE upd_same.
congr (_ * _); apply: (@acts_ext (mem out)) => [x | e1 e2 same | x xo]; first by rewrite mem_filter => /andP [].
  by congr v; congr (_ :: _); apply/eq_in_map.
by rewrite upd_other //; apply: contraNneq lout => <-.
Qed.
End Labels.

Lemma delta_sum n (H : nat -> R) k : (k < n)%N -> \sum_(j <- iota 0 n) (k == j)%:R * H j = H k.
Proof.
move=> kn; rewrite (bigD1_seq k) ?iota_uniq ?mem_iota //= eqxx mul1r big1 ?addr0 // => j jk.
by rewrite eq_sym (negbTE jk) mul0r.
Qed.

Lemma contract t (H : nat -> nat -> R) :
  \sum_(i <- iota 0 (size_of t)) \sum_(k <- iota 0 (size_of t)) matrix t i k *
    (\sum_(j <- iota 0 (size_of t)) matrix (dual fam t) i j * H k j) = \sum_(k <- iota 0 (size_of t)) H k k.
Proof.
rewrite exchange_big big_seq [RHS]big_seq; apply: eq_bigr => k; rewrite mem_iota => /andP [_ kn].
rewrite -[RHS](@delta_sum (size_of t) (H k) k) //.
rewrite (eq_bigr (fun i => \sum_(j <- iota 0 (size_of t)) (matrix t i k * matrix (dual fam t) i j) * H k j)) => [|i _]; last first.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mulrA.
rewrite exchange_big big_seq [RHS]big_seq; apply: eq_bigr => j; rewrite mem_iota => /andP [_ jn].
by rewrite -mulr_suml columns.
Qed.

Lemma sums_exchange (D : {pred nat}) ls (F : env -> R) s l e : ext D F -> l \notin [seq x.1 | x <- ls] ->
  over m (@total R) ls (fun e => \sum_(i <- s) F (upd e l i)) e = \sum_(i <- s) over m (@total R) ls F (upd e l i).
Proof.
move=> extF; elim: ls e => [|x ls IH] e //=; rewrite inE negb_or => /andP [lx out].
rewrite /total big_map (eq_bigr _ (fun i _ => IH (upd e x.1 i) out)) exchange_big; apply: eq_bigr => j _.
rewrite big_map; apply: eq_bigr => i _; apply: (@over_ext _ m _ _ _ _ _ extF) => y _; rewrite /upd.
by case: (y =P x.1) => [-> | //]; rewrite eq_sym (negbTE lx).
Qed.

Lemma sums_actl (D : {pred nat}) typ ls l G e : ext D G -> l \notin [seq x.1 | x <- ls] ->
  over m (@total R) ls (actl typ l G) e = actl typ l (over m (@total R) ls G) e.
Proof.
move=> extG; elim: ls e => [|x ls IH] e //=; rewrite inE negb_or => /andP [lx out].
rewrite /total big_map (eq_bigr _ (fun i _ => IH (upd e x.1 i) out)) exchange_big; apply: eq_bigr => k _.
rewrite big_map mulr_sumr; apply: eq_bigr => i _; rewrite upd_other //; congr (_ * _); apply: (@over_ext _ m _ _ _ _ _ extG) => y _.
by rewrite /upd; case: (y =P x.1) => [-> | //]; rewrite eq_sym (negbTE lx).
Qed.

(** * The same, along occurrences: each has an index of its own *)

Section Occurrences.
Variables (is_ : seq place) (ts : seq axis) (B : value R) (T : nat -> axis).
Let n := size is_.
Hypothesis sizes : size ts = n.
Let occs := zip is_ ts.
Definition typ o := nth [::] ts o.
Definition plc o := nth (Num 0) is_ o.
Definition has_lab l o := is_label l (plc o).
Definition start (e : env) : env := fun o => at_ m e (plc o).
Definition hatB (f : env) := B [seq f o | o <- iota 0 n].
Definition occ (P : pred nat) := [seq o <- iota 0 n | P o].
Definition F_ (P : pred nat) e := acts typ (occ P) hatB (start e).
Definition less (P : pred nat) l : pred nat := fun o => P o && ~~ has_lab l o.
Let all_labels := flatten [seq labels_of i | i <- is_].

Lemma hatB_ext : ext (mem (iota 0 n)) hatB.
Proof. by move=> f f' same; congr B; apply/eq_in_map. Qed.

Lemma occ_sub P : {subset occ P <= mem (iota 0 n)}.
Proof. by move=> o; rewrite mem_filter => /andP []. Qed.

Lemma occ_ext P : ext (mem (iota 0 n)) (acts typ (occ P) hatB).
Proof. by apply: acts_ext; [exact: occ_sub | exact: hatB_ext]. Qed.

Lemma start_ext o : o \in iota 0 n -> ext (mem all_labels) (start^~ o).
Proof.
rewrite mem_iota => /andP [_ on] e e' same; apply: (@at_ext _ m) => l ll; apply: same.
by apply/flattenP; exists (labels_of (plc o)) => //; apply: map_f; apply: mem_nth.
Qed.

Lemma F_ext P : ext (mem all_labels) (F_ P).
Proof. by move=> e e' same; apply: occ_ext => o om; apply: start_ext. Qed.

Lemma F_eq P P' e : {in iota 0 n, P =1 P'} -> F_ P e = F_ P' e.
Proof. by move=> same; rewrite /F_; congr (acts _ _ _ _); apply: eq_in_filter. Qed.

Lemma occsE : occs = [seq (plc o, typ o) | o <- iota 0 n].
Proof.
apply: (@eq_from_nth _ (Num 0, [::])) => [|i]; first by rewrite size_zip sizes size_map size_iota minnn.
rewrite size_zip sizes minnn => i_n.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // nth_zip.
Qed.

Lemma seenE l : seen occs l = [seq typ o | o <- occ (has_lab l)].
Proof. by rewrite /seen occsE filter_map -map_comp. Qed.

Lemma occ_split (P : pred nat) l : (forall o, o \in iota 0 n -> has_lab l o -> P o) ->
  perm_eq (occ P) (occ (has_lab l) ++ occ (less P l)).
Proof.
move=> Pl; rewrite perm_sym; have -> : occ (has_lab l) = [seq o <- occ P | has_lab l o].
  rewrite /occ -filter_predI; apply: eq_in_filter => o om /=.
  by case hl: (has_lab l o) => //=; rewrite Pl.
have -> : occ (less P l) = [seq o <- occ P | predC (has_lab l) o].
  by rewrite /occ -filter_predI; apply: eq_filter => o /=; rewrite /less andbC.
exact/permPl/perm_filterC.
Qed.

(* Where l is not read but as a label, l moves no other occurrence. *)
Definition only_label l := all (fun o => has_lab l o || (l \notin labels_of (plc o))) (iota 0 n).

Lemma has_labE l o : has_lab l o -> plc o = Lab l.
Proof. by rewrite /has_lab; case: (plc o) => //= l' /eqP ->. Qed.

Lemma start_only e l i o : only_label l -> o \in iota 0 n ->
  start (upd e l i) o = if has_lab l o then i else start e o.
Proof.
move=> /allP ol /ol; rewrite /start; case hl: (has_lab l o) => /=.
  by rewrite (has_labE hl) /= upd_same.
move=> out.
by apply: (@at_ext _ m) => x xl; rewrite upd_other //; apply: contraNneq out => <-.
Qed.

Lemma F_pair (P : pred nat) l t e : (forall o, o \in iota 0 n -> has_lab l o -> P o) -> only_label l ->
  seen occs l = [:: t; dual fam t] ->
  \sum_(i <- iota 0 (size_of t)) F_ P (upd e l i) = \sum_(i <- iota 0 (size_of t)) F_ (less P l) (upd e l i).
Proof.
move=> Pl ol; rewrite seenE; case occE : (occ (has_lab l)) => [|p [|q []]] //= -[tp tq].
have uo : uniq (occ (has_lab l)) by rewrite filter_uniq // iota_uniq.
have pq : p != q by move: uo; rewrite occE /= inE andbT.
have sub : {subset [:: p, q & occ (less P l)] <= mem (iota 0 n)}.
  move=> o; rewrite -cat1s -[[:: p] ++ _]/([:: p; q] ++ occ (less P l)) -occE mem_cat.
  by case/orP => /occ_sub.
pose f o := start e o.
have at_i (i : nat) : {in iota 0 n, start (upd e l i) =1 upd (upd f p i) q i}.
  move=> o om; rewrite start_only //; have : (o \in occ (has_lab l)) = has_lab l o by rewrite mem_filter om andbT.
  by rewrite occE !inE /upd => <-; case: (o == p); case: (o == q).
pose G := acts typ (occ (less P l)) hatB.
have extG : ext (mem (iota 0 n)) G by exact: occ_ext.
transitivity (\sum_(i <- iota 0 (size_of t)) actl typ p (actl typ q G) (upd (upd f p i) q i)).
  apply: eq_bigr => i _; rewrite /F_ (@acts_perm _ _ _ [:: p, q & occ (less P l)] _ _ hatB_ext) //.
    by apply: (@acts_ext typ _ [:: p, q & occ (less P l)] _ sub hatB_ext); apply: at_i.
  by have := occ_split Pl; rewrite occE.
transitivity (\sum_(i <- iota 0 (size_of t)) G (upd (upd f p i) q i)); last first.
  by apply: eq_bigr => i _; apply: extG => o om; rewrite at_i.
rewrite -(contract t (fun k j => G (upd (upd f p k) q j))).
have width_q : size_of (typ q) = size_of t by rewrite tq /size_of width_dual.
apply: eq_bigr => i _; rewrite {1}/actl tp; apply: eq_bigr => k _; rewrite (upd_other _ _ pq) upd_same; congr (_ * _).
rewrite /actl width_q tq; apply: eq_bigr => j _; rewrite upd_other 1?eq_sym // upd_same; congr (_ * _).
apply: extG => x _; rewrite /upd; case: (x =P q) => // _.
by case: (x =P p).
Qed.

Lemma F_single (P : pred nat) l e : (forall o, o \in iota 0 n -> has_lab l o -> P o) -> only_label l ->
  seen occs l = [:: T l] -> F_ P e = actl T l (F_ (less P l)) e.
Proof.
move=> Pl ol; rewrite seenE; case occE : (occ (has_lab l)) => [|o []] //= -[to].
have inside x : x \in iota 0 n -> (x == o) = has_lab l x.
  move=> xm; have : (x \in occ (has_lab l)) = has_lab l x by rewrite mem_filter xm andbT.
  by rewrite occE inE.
have om : o \in iota 0 n by apply: (@occ_sub (has_lab l)); rewrite occE inE.
have lo : plc o = Lab l by apply: has_labE; rewrite -inside.
rewrite /F_ (@acts_perm _ _ _ (o :: occ (less P l)) _ _ hatB_ext).
- have so : start e o = e l by rewrite /start lo.
  rewrite /= /actl to so; apply: eq_bigr => k _; congr (_ * _); apply: occ_ext => x xm.
  by rewrite (start_only _ _ ol xm) /upd inside.
- by move=> x; rewrite inE => /orP [/eqP -> // | /occ_sub].
by have := occ_split Pl; rewrite occE.
Qed.

Definition without_all (P : pred nat) ls : pred nat := fun o => P o && ~~ has (fun l => has_lab l o) ls.

Lemma sums_pairs ls (P : pred nat) e : uniq [seq x.1 | x <- ls] ->
  (forall o, o \in iota 0 n -> ~~ fixed (typ o) -> forall l, l \in [seq x.1 | x <- ls] -> has_lab l o -> P o) ->
  (forall o, o \in iota 0 n -> P o -> ~~ fixed (typ o)) ->
  (forall x, x \in ls -> all fixed (seen occs x.1) \/
     exists t, [/\ seen occs x.1 = [:: t; dual fam t], only_label x.1, ~~ fixed t & count_of m x.2 = size_of t]) ->
  over m (@total R) ls (F_ P) e = over m (@total R) ls (F_ (without_all P [seq x.1 | x <- ls])) e.
Proof.
elim: ls P e => [|x ls IH] P e /=; first by move=> _ _ _ _; apply: F_eq => o _; rewrite /without_all andbT.
case/andP => out uls full act good.
have rest P' : {in iota 0 n, forall o, P' o = less P x.1 o} -> forall e',
    over m (@total R) ls (F_ P') e' = over m (@total R) ls (F_ (without_all P (x.1 :: [seq x.1 | x <- ls]))) e'.
  move=> P'E e'; rewrite IH //.
  - apply: over_same => e2; apply: F_eq => o om; rewrite /without_all P'E // /less /= negb_or.
    by rewrite andbA.
  - move=> o om no l ll hl; rewrite P'E // /less (full o om no l) ?inE ?ll ?orbT //=.
    apply: contra out => hx; suff -> : x.1 = l by [].
    by move: (has_labE hl); rewrite (has_labE hx) => -[].
  - by move=> o om; rewrite P'E // => /andP [Po _]; apply: act.
  by move=> y yl; apply: good; rewrite inE yl orbT.
have [none | [t [two ol nt xt]]] := good x (mem_head _ _).
  congr total; apply: eq_map => i; apply: rest => o om; rewrite /less.
  case Po: (P o) => //=; apply/esym/negP => hl; have := act o om Po; apply/negP; rewrite negbK.
  by move/allP: none; apply; rewrite seenE; apply: map_f; rewrite mem_filter hl.
rewrite /total !big_map -(sums_exchange _ _ (@F_ext P) out).
rewrite (@over_same _ _ _ _ _ _ (fun e => \sum_(i <- iota 0 (count_of m x.2)) F_ (less P x.1) (upd e x.1 i))); last first.
  move=> e'; rewrite xt; apply: F_pair => // o om hl; apply: (full o om _ x.1); rewrite ?inE ?eqxx //.
  have : typ o \in seen occs x.1 by rewrite seenE; apply: map_f; rewrite mem_filter hl.
  by rewrite two !inE => /orP [] /eqP ->; rewrite ?fixed_dual.
by rewrite (sums_exchange _ _ (@F_ext _) out); apply: eq_bigr => i _; apply: rest.
Qed.

Lemma sums_single ls L (P : pred nat) e : uniq L ->
  (forall l, l \in L -> [/\ seen occs l = [:: T l], only_label l & l \notin [seq x.1 | x <- ls]]) ->
  {in iota 0 n, P =1 fun o => has (fun l => has_lab l o) L} ->
  over m (@total R) ls (F_ P) e = acts T L (over m (@total R) ls (F_ pred0)) e.
Proof.
elim: L P e => [|l L IH] P e /=; first by move=> _ _ PE; apply: over_same => e'; apply: F_eq.
case/andP => lL uL good PE; have [one ol out] := good l (mem_head _ _).
rewrite (@over_same _ _ _ _ _ _ (actl T l (F_ (less P l)))) => [|e']; last first.
  by apply: F_single => // o om hl; rewrite PE //= hl.
rewrite (sums_actl _ _ (@F_ext _)) //; apply: actl_same => e'; apply: IH => //.
  by move=> l' l'L; apply: good; rewrite inE l'L orbT.
move=> o om; rewrite /less PE //=; case hl: (has_lab l o) => /=; last by rewrite andbT.
apply/esym/negP => /hasP [l' l'L hl']; move/negP: lL; apply.
by move: (has_labE hl); rewrite (has_labE hl') => -[<-].
Qed.

Lemma F_none e : F_ pred0 e = B [seq at_ m e i | i <- is_].
Proof.
rewrite /F_; have -> : occ pred0 = [::] by apply/eqP; rewrite -size_eq0 size_filter count_pred0.
rewrite /= /hatB; congr B; apply: (@eq_from_nth _ 0%N) => [|i]; first by rewrite !size_map size_iota.
rewrite size_map size_iota => i_n.
by rewrite (nth_map 0%N) ?size_iota // nth_iota // (nth_map (Num 0)).
Qed.

Lemma acting_F e : acting ts B [seq at_ m e i | i <- is_] = F_ (fun o => ~~ fixed (typ o)) e.
Proof.
rewrite /F_ /occ -(acting_acts typ B (start e)) ?iota_uniq //; congr (acting _ _ _).
  by rewrite -sizes; apply/esym/mkseq_nth.
apply: (@eq_from_nth _ 0%N) => [|i]; first by rewrite !size_map size_iota.
rewrite size_map => i_n.
by rewrite (nth_map (Num 0)) // (nth_map 0%N) ?size_iota // nth_iota.
Qed.
End Occurrences.

(** * One line of a program *)

Section Line.
Variables (ctx : seq rtype) (cells' cells : seq (cell R)).
Hypothesis earlier : forall a, (a < size ctx)%N -> turns (nth c0 cells' a) (nth c0 cells a) (nth ty0 ctx a).

Fixpoint tensor (rows : seq (nat * seq place)) (jx : seq nat) : R :=
  if rows is r :: rows' then get cells r.1 (take (size r.2) jx) * tensor rows' (drop (size r.2) jx) else 1.

Lemma tensor_body rows e : tensor rows [seq at_ m e i | i <- reads rows] = body m cells rows e.
Proof.
rewrite /body; elim: rows => [|r rows IH]; first by rewrite big_nil.
by rewrite big_cons -IH /reads /= map_cat take_size_cat ?size_map // drop_size_cat ?size_map.
Qed.

Let powers (rows : seq (nat * seq place)) := foldr +%R 0 [seq power_of ctx r.1 | r <- rows].
Let acts_of (rows : seq (nat * seq place)) := flatten [seq axes_of ctx r.1 | r <- rows].
Let row_ok (r : nat * seq place) := (r.1 < size ctx)%N && (size r.2 == size (axes_of ctx r.1)).

Lemma known_turns axs a ix : known ctx axs a -> size ix = size axs ->
  get cells' a ix = chi (power_of ctx a) * acting axs (get cells a) ix.
Proof. by case/andP => /earlier [turn_a _] /eqP <-; apply: turn_a. Qed.

Lemma known_ok axs a ix jx : known ctx axs a -> nears axs ix jx -> ok cells' a ix = ok cells a jx.
Proof. by case/andP => /earlier [_ turn_a] /eqP <-; apply: turn_a. Qed.

Lemma sizes_rows rows : all row_ok rows -> size (acts_of rows) = size (reads rows).
Proof.
by rewrite /acts_of /reads; elim: rows => [|r rows IH] //= /andP [/andP [_ /eqP sr] rest]; rewrite !size_cat IH // sr.
Qed.

Lemma occurrencesE rows : all row_ok rows -> occurrences ctx rows = zip (reads rows) (acts_of rows).
Proof.
rewrite /occurrences /reads /acts_of; elim: rows => [|r rows IH] //= /andP [/andP [_ /eqP sr] rest].
by rewrite zip_cat // IH.
Qed.

Lemma body_turned rows e : all row_ok rows ->
  body m cells' rows e = chi (powers rows) * acting (acts_of rows) (tensor rows) [seq at_ m e i | i <- reads rows].
Proof.
rewrite /powers /acts_of /reads; elim: rows => [|r rows IH] /=; first by rewrite /body big_nil chi0 mulr1.
case/andP => /andP [rc /eqP sr] rest; rewrite /body big_cons -/(body m cells' rows e) IH //.
rewrite (@known_turns (axes_of ctx r.1)) ?size_map /known ?rc ?eqxx // chiD mulrACA map_cat; congr (_ * _).
by rewrite sr -(acting_cat _ _ _ _) ?size_map.
Qed.

Section Contract.
Variables (rows : seq (nat * seq place)) (summed : seq (nat * extent)) (out : seq nat) (axs : seq axis).
Let occs := occurrences ctx rows.
Let T := act_along occs out axs.
Let sl := [seq x.1 | x <- summed].
Let is_ := reads rows.
Let ts := acts_of rows.
Hypothesis rowsP : all row_ok rows.
Hypothesis uo : uniq out.
Hypothesis so : size axs = size out.
Hypothesis us : uniq sl.
Hypothesis disj : all (fun l => l \notin out) sl.
Hypothesis cover : all (fun l => (l \in out) || (l \in sl)) (labels rows).
Hypothesis placesP : all (place_ok fam g occs T) occs.
Hypothesis keptP : all (kept_ok fam occs T) out.
Hypothesis summedP : all (fun x => summed_ok fam occs T x.1 x.2) summed.

Let sizes : size ts = size is_. Proof. exact: sizes_rows. Qed.
Let occsZ : occs = zip is_ ts. Proof. exact: occurrencesE. Qed.

Lemma kept_seen l : l \in out -> if fixed (T l) then all fixed (seen occs l) else seen occs l == [:: T l].
Proof. by move=> /(allP keptP); rewrite /kept_ok; case: (fam) mixing. Qed.

Lemma summed_seen x : x \in summed ->
  if fixed (T x.1) then all fixed (seen occs x.1) else (seen occs x.1 == [:: T x.1; dual fam (T x.1)]) && fits (T x.1) x.2.
Proof. by move=> /(allP summedP); rewrite /summed_ok; case: (fam) mixing. Qed.

Lemma place_in o : o \in iota 0 (size is_) -> (plc is_ o, typ ts o) \in occs.
Proof. by move=> om; rewrite occsZ (occsE sizes); apply: (map_f (fun o => (plc is_ o, typ ts o))). Qed.

Lemma no_round o : round fam g T o = false.
Proof. by rewrite /round; case: (fam) mixing. Qed.

Lemma acted_lab o : o \in iota 0 (size is_) -> ~~ fixed (typ ts o) -> exists2 l, plc is_ o = Lab l & l \in labels rows.
Proof.
move=> om no; have := allP placesP _ (place_in om); rewrite /place_ok /=; case pE: (plc is_ o) => [l | k | z | a b | a b | a b | a b | a b].
  move=> _; exists l => //; apply/flattenP; exists (labels_of (plc is_ o)); last by rewrite pE inE.
  by apply: map_f; apply: mem_nth; rewrite mem_iota in om.
all: by rewrite no_round orbF => /andP [fo]; rewrite fo in no.
Qed.

Lemma only_acted l : ~~ fixed (T l) -> only_label is_ l.
Proof.
have uf : signed fam = false by case: (fam) mixing.
move=> nl; apply/allP => o om; have := allP placesP _ (place_in om); rewrite /place_ok no_round orbF /has_lab uf.
case: (plc is_ o) => [l' | k | z | a b | a b | a b | a b | a b]; first by rewrite /= inE [l == l']eq_sym orbN.
all: by rewrite [_.1]/=; case/andP => _ /allP none; apply: contra nl => /none.
Qed.

Lemma typ_seen l o : o \in iota 0 (size is_) -> has_lab is_ l o -> typ ts o \in seen occs l.
Proof. by move=> om hl; rewrite occsZ (seenE sizes); apply: map_f; rewrite mem_filter hl. Qed.

Lemma labE l l' o : has_lab is_ l o -> has_lab is_ l' o -> l = l'.
Proof. by move=> /has_labE a /has_labE; rewrite a => -[]. Qed.

Lemma contract_turns ix : size ix = size axs ->
  over m (@total R) summed (body m cells' rows) (bind out ix) =
    chi (powers rows) * acting axs (fun jx => over m (@total R) summed (body m cells rows) (bind out jx)) ix.
Proof.
move=> six; pose B := tensor rows; pose P0 o := ~~ fixed (typ ts o).
rewrite (@over_same _ _ _ _ _ _ (fun e => (fun=> chi (powers rows)) e * F_ is_ ts B P0 e)); last first.
  by move=> e; rewrite body_turned // (acting_F _ sizes).
rewrite (@over_scaled _ m pred0) //; congr (_ * _).
rewrite (sums_pairs B sizes (P := P0)) //; last first.
  move=> x xs; have := summed_seen xs; have [_ al | nt /andP [/eqP sn fz]] := boolP (fixed (T x.1)).
    by left; rewrite -occsZ.
  right; exists (T x.1); split; rewrite -?occsZ //; first exact: only_acted.
  by move: fz; rewrite /fits (negbTE nt) => /(count_same m).
rewrite (sums_single B (T := T) sizes (L := [seq l <- out | ~~ fixed (T l)])) ?filter_uniq //; last 2 first.
- move=> l; rewrite mem_filter => /andP [nl lo]; have := kept_seen lo; rewrite (negbTE nl) occsZ => /eqP sn.
  by split=> //; [apply: only_acted | apply/negP => /(allP disj); rewrite lo].
- move=> o om; apply/andP/hasP => [[no /hasPn away] | [l]].
    have [l pl ll] := acted_lab om no; have hl : has_lab is_ l o by rewrite /has_lab pl /= eqxx.
    have lo : l \in out by have := allP cover l ll; case/orP => // /away; rewrite hl.
    exists l => //; rewrite mem_filter lo andbT; apply: contra no => fl; have := kept_seen lo.
    by rewrite fl => /allP; apply; apply: typ_seen.
  rewrite mem_filter => /andP [nl lo] hl; split.
    by have := kept_seen lo; rewrite (negbTE nl) => /eqP sn; have := typ_seen om hl; rewrite sn inE => /eqP; rewrite /P0 => ->.
  by apply/hasPn => l' l's; apply/negP => hl'; have := allP disj l' l's; rewrite (labE hl' hl) lo.
have axsE : axs = [seq T l | l <- out].
  apply: (@eq_from_nth _ [::]) => [|i ia]; first by rewrite size_map.
  by rewrite so in ia; rewrite (nth_map 0%N) // /T /act_along mem_nth // index_uniq.
rewrite [in RHS]axsE -[in RHS](map_bind uo (etrans six so)) acting_acts //; apply: acts_same => e.
rewrite (@over_same _ _ _ _ _ _ (body m cells rows)) => [|e']; last by rewrite F_none /B /is_ tensor_body.
apply: (@over_agree _ m _ _ (mem (labels rows))) => [|l ll lsl]; first exact: body_ext.
by rewrite bind_map //; have := allP cover l ll; rewrite (negbTE lsl) orbF.
Qed.

(* Where it is defined. *)
Lemma acted_seen l t : l \in labels rows -> ~~ fixed (T l) -> t \in seen occs l -> t = T l \/ t = dual fam (T l).
Proof.
move=> ll nl; have := allP cover l ll; case/orP => [lo | /mapP [x xs lx]].
  by have := kept_seen lo; rewrite (negbTE nl) => /eqP ->; rewrite inE => /eqP; left.
have := summed_seen xs; rewrite -lx (negbTE nl) => /andP [/eqP -> _].
by rewrite !inE => /orP [] /eqP ->; [left | right].
Qed.

Lemma fixed_seen l t : l \in labels rows -> fixed (T l) -> t \in seen occs l -> fixed t.
Proof.
move=> ll fl; suff /allP al : all fixed (seen occs l) by move/al.
have := allP cover l ll; case/orP => [lo | /mapP [x xs lx]]; first by have := kept_seen lo; rewrite fl.
by have := summed_seen xs; rewrite -lx fl.
Qed.

Lemma label_in k l : k \in iota 0 (size is_) -> l \in labels_of (plc is_ k) -> l \in labels rows.
Proof.
rewrite mem_iota => /andP [_ kn] lk; apply/flattenP; exists (labels_of (plc is_ k)) => //.
by apply: map_f; apply: mem_nth.
Qed.

Lemma place_near e e' k : k \in iota 0 (size is_) -> (forall l, l \in labels rows -> near (T l) (e l) (e' l)) ->
  near (typ ts k) (at_ m e (plc is_ k)) (at_ m e' (plc is_ k)).
Proof.
move=> km same; have [fk | nk] := boolP (fixed (typ ts k)); last first.
  have [l pl ll] := acted_lab km nk; have hl : has_lab is_ l k by rewrite /has_lab pl /is_label eqxx.
  have tl := typ_seen km hl; have nl : ~~ fixed (T l) by apply: contra nk => fl; apply: fixed_seen ll fl tl.
  by rewrite pl; case: (acted_seen ll nl tl) => ->; rewrite ?near_dual; apply: same.
rewrite (eqP fk) [near _ _ _]/(_ == _); apply/eqP.
apply: (@at_ext _ m (plc is_ k)) => l lk; have ll := label_in km lk.
suff fl : fixed (T l) by have := same l ll; rewrite (eqP fl) => /eqP.
apply/negPn/negP => nl; have := allP (only_acted nl) k km; rewrite lk orbF => hl.
have tl := typ_seen km hl; move: fk.
by case: (acted_seen ll nl tl) => ->; rewrite ?fixed_dual (negbTE nl).
Qed.

Lemma body_ok_near e e' : (forall l, l \in labels rows -> near (T l) (e l) (e' l)) ->
  body_ok m cells' rows e = body_ok m cells rows e'.
Proof.
move=> same; apply: eq_in_all => r inr; have /andP [rc /eqP sr] := allP rowsP r inr.
apply: (@known_ok (axes_of ctx r.1)); first by rewrite /known rc eqxx.
have inner : forall o, o \in zip r.2 (axes_of ctx r.1) -> near o.2 (at_ m e o.1) (at_ m e' o.1).
  move=> o oz; have : o \in occs by apply/flattenP; exists (zip r.2 (axes_of ctx r.1)) => //; apply: (map_f (fun r => zip r.2 (axes_of ctx r.1))).
  by rewrite occsZ (occsE sizes) => /mapP [k km ->]; apply: place_near.
elim: (r.2) (axes_of ctx r.1) sr inner => [|i js IH] [|t ws] // [sz] inner; rewrite [nears _ _ _]/=.
by rewrite (inner (i, t) (mem_head _ _)) IH // => o oz; apply: inner; rewrite inE oz orbT.
Qed.

Lemma over_near ls e e' :
  (forall l, l \in labels rows -> l \notin [seq x.1 | x <- ls] -> near (T l) (e l) (e' l)) ->
  over m every ls (body_ok m cells' rows) e = over m every ls (body_ok m cells rows) e'.
Proof.
elim: ls e e' => [|x ls IH] e e' same /=; first by apply: body_ok_near => l ll; apply: same.
congr every; apply: eq_map => i; apply: IH => l ll out_; rewrite /upd; case: eqP => [_ | /eqP lx]; first exact: near_refl.
by apply: same; rewrite // inE negb_or lx.
Qed.

Lemma contract_near ix jx : nears axs ix jx ->
  over m every summed (body_ok m cells' rows) (bind out ix) = over m every summed (body_ok m cells rows) (bind out jx).
Proof.
move=> nr; apply: over_near => l ll lsl; have lo : l \in out by have := allP cover l ll; rewrite (negbTE lsl) orbF.
by rewrite /T /act_along lo; apply: nears_nth.
Qed.
End Contract.

(** * The other lines *)

Fixpoint agreeing (axs : seq axis) (ix jx : seq nat) : bool :=
  match axs, ix, jx with
  | t :: axs', i :: ix', j :: jx' => (fixed t ==> (i == j)) && agreeing axs' ix' jx'
  | [::], [::], [::] => true
  | _, _, _ => false
  end.

Lemma agreeing_nth axs ix jx p : agreeing axs ix jx -> fixed (nth [::] axs p) -> nth 0%N ix p = nth 0%N jx p.
Proof.
elim: axs ix jx p => [|t axs IH] [|i ix] [|j jx] [|p] //= /andP [a b] fx; last exact: IH.
by apply/eqP; move/implyP: a; apply.
Qed.

Lemma acting_if axs (c : seq nat -> bool) b v w ix : size ix = size axs -> (forall jx, agreeing axs ix jx -> c jx = b) ->
  acting axs (fun jx => if c jx then v jx else w jx) ix = if b then acting axs v ix else acting axs w ix.
Proof.
elim: axs c v w ix => [|t axs IH] c v w [|i ix] //= => [_ -> // | [six] cb].
case: (boolP (fixed t)) => ft.
  by apply: (IH (fun jx => c (i :: jx))) => // jx ag; apply: cb; rewrite /= eqxx ag ft.
have inner k := IH (fun jx => c (k :: jx)) (fun jx => v (k :: jx)) (fun jx => w (k :: jx)) ix six.
transitivity (\sum_(k <- iota 0 (size_of t)) matrix t i k *
    (if b then acting axs (fun jx => v (k :: jx)) ix else acting axs (fun jx => w (k :: jx)) ix)).
  by apply: eq_bigr => k _; congr (_ * _); apply: inner => jx ag; apply: cb; rewrite /= ag (negbTE ft).
by case: (b).
Qed.

(* What depends on axes only on which nothing acts. *)
Lemma acting_const (T : Type) axs ix (c : seq nat -> T) (f : T -> value R) : size ix = size axs ->
  (forall jx, agreeing axs ix jx -> c ix = c jx) ->
  acting axs (fun jx => f (c jx) jx) ix = acting axs (f (c ix)) ix.
Proof.
move: (c ix) => b; elim: axs c f ix => [|t axs IH] c f [|i ix] //= => [_ /(_ [::] isT) -> // | [six] cb].
case: (boolP (fixed t)) => ft.
  apply: (IH (fun jx => c (i :: jx)) (fun b jx => f b (i :: jx))) => // jx ag; apply: cb.
  by rewrite /= eqxx ag implybT.
apply: eq_bigr => k _; congr (_ * _).
apply: (IH (fun jx => c (k :: jx)) (fun b jx => f b (k :: jx))) => // jx ag; apply: cb.
by rewrite /= ag (negbTE ft).
Qed.

Lemma acting_0 axs ix : acting axs (fun=> 0) ix = 0.
Proof.
elim: axs ix => [|t axs IH] [|i ix] //=; case: ifP => _; first exact: IH.
by rewrite big1 // => k _; rewrite IH mulr0.
Qed.

Lemma acting_eq axs v v' ix : (forall jx, size jx = size ix -> v jx = v' jx) -> acting axs v ix = acting axs v' ix.
Proof.
elim: axs v v' ix => [|t axs IH] v v' [|i ix] //= same; try exact: same.
case: ifP => _; first by apply: IH => jx sj; apply: same; rewrite /= sj.
by apply: eq_bigr => k _; congr (_ * _); apply: IH => jx sj; apply: same; rewrite /= sj.
Qed.

Lemma acting_insert axs v ix p t i : (p <= size axs)%N -> size ix = size axs ->
  acting (insert p t axs) v (insert p i ix) = act1 t i (fun k => acting axs (fun jx => v (insert p k jx)) ix).
Proof.
rewrite /act1 /insert; elim: p axs v ix => [|p IH] [|t' axs] v [|j ix] //= ps [six].
have one v' := IH axs v' ix ps six; case: ifP => _; first exact: one.
transitivity (\sum_(k <- iota 0 (size_of t')) matrix t' j k * (if fixed t
  then acting axs (fun jx => v (k :: take p jx ++ i :: drop p jx)) ix
  else \sum_(l <- iota 0 (size_of t)) matrix t i l * acting axs (fun jx => v (k :: take p jx ++ l :: drop p jx)) ix)).
  by apply: eq_bigr => k _; congr (_ * _); apply: one.
case: ifP => _ //; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big; apply: eq_bigr => l _; rewrite mulr_sumr; apply: eq_bigr => k _.
by rewrite mulrCA.
Qed.

Lemma nears_put axs ix jx p t i j : (p < size axs)%N -> near t i j -> nears axs ix jx ->
  nears (put p t axs) (put p i ix) (put p j jx).
Proof.
elim: p axs ix jx => [|p IH] [|t' axs] [|k ix] [|l jx] // ps nt /andP [a b]; first by rewrite !put_0 /= nt.
by rewrite !put_cons /= a IH.
Qed.

(* A sum along joined axes. *)
Lemma joined_sum (part : nat * extent -> axis) (rows : seq (nat * extent)) i (F : nat * nat -> R) :
  (forall r, r \in rows -> size_of (part r) = count_of m r.2) -> let t := flatten [seq part r | r <- rows] in
  if (i < size_of t)%N then exists r k, [/\ r \in rows, joined m rows i = Some (r.1, k), (k < count_of m r.2)%N &
      \sum_(j <- iota 0 (size_of t)) matrix t i j * (if joined m rows j is Some x then F x else 0) =
      \sum_(l <- iota 0 (count_of m r.2)) matrix (part r) k l * F (r.1, l)]
  else joined m rows i = None.
Proof.
elim: rows i => [|[a z] rows IH] i long //=; set s := part _; set t := flatten _; rewrite size_cat_.
have sz : size_of s = count_of m z := long _ (mem_head _ _).
have rest r : r \in rows -> size_of (part r) = count_of m r.2 by move=> rr; apply: long; rewrite inE rr orbT.
have := IH (i - count_of m z)%N rest; rewrite -/t /= ltn_sum sz; case: (ltnP i (count_of m z)) => [iz _ | zi]; last first.
  case: ifP => // _ [r [k [rr -> kr sE]]]; exists r, k; rewrite inE rr orbT; split=> //; rewrite -sE iotaD big_cat /=.
  rewrite big1_seq ?add0r => [|j /andP [_]]; last first.
    by rewrite mem_iota add0n /= => jz; rewrite matrix_cat sz ltnNge zi jz mul0r.
  rewrite -[X in iota X]addn0 iotaDl big_map; apply: eq_bigr => j _.
  by rewrite matrix_cat sz ltnNge zi /= ltnNge leq_addr /= addKn.
exists (a, z), i; rewrite mem_head; split=> //; rewrite iotaD big_cat /= [X in _ + X]big1_seq ?addr0 => [|j /andP [_]].
  apply: eq_big_seq => j; rewrite mem_iota add0n /= => jz.
  by rewrite matrix_cat sz iz jz.
by rewrite mem_iota add0n => /andP [zj _]; rewrite matrix_cat sz iz ltnNge zj mul0r.
Qed.

Lemma joined_near (part : nat * extent -> axis) (rows : seq (nat * extent)) i j :
  (forall r, r \in rows -> size_of (part r) = count_of m r.2) -> near (flatten [seq part r | r <- rows]) i j ->
  (exists r k l, [/\ r \in rows, joined m rows i = Some (r.1, k), joined m rows j = Some (r.1, l) & (k < count_of m r.2)%N && near (part r) k l])
  \/ joined m rows i = None /\ joined m rows j = None.
Proof.
elim: rows i j => [|[a z] rows IH] i j long /=; first by right.
have sz : size_of (part (a, z)) = count_of m z := long _ (mem_head _ _).
have rest r : r \in rows -> size_of (part r) = count_of m r.2 by move=> rr; apply: long; rewrite inE rr orbT.
rewrite near_cat sz; case: ifP => iz /andP [jz nr].
  by left; exists (a, z), i, j; rewrite mem_head jz iz nr.
rewrite ltnNge jz /=; have [[r [k [l [rr ki lj kl]]]] | none] := IH _ _ rest nr; [left | by right].
by exists r, k, l; rewrite inE rr orbT.
Qed.

Variables (ins' ins : nat -> cell R).
Hypothesis given : forall k, (k < size intys)%N -> turns (ins' k) (ins k) (nth ty0 intys k).

Lemma plain_turns axs a ix jx : plain fam ctx axs a -> all fixed axs ->
  (size ix = size axs -> get cells' a ix = get cells a ix) /\ (nears axs ix jx -> ok cells' a ix = ok cells a jx).
Proof.
case/andP => kn /chi_same e fx; split=> [six | nr]; last exact: known_ok kn nr.
by rewrite (known_turns kn six) e chi0 mul1r acting_fixed.
Qed.

Lemma alike_turns axs e a ix : alike fam ctx axs e a -> size ix = size axs ->
  get cells' a ix = chi e * acting axs (get cells a) ix.
Proof. by case/andP => kn /chi_same <- six; apply: known_turns. Qed.

Lemma alike_ok axs e a ix jx : alike fam ctx axs e a -> nears axs ix jx -> ok cells' a ix = ok cells a jx.
Proof. by case/andP => kn _; apply: known_ok. Qed.

Lemma nears_self axs ix : size ix = size axs -> nears axs ix ix.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //= [six]; rewrite near_refl IH. Qed.

Lemma along_plain h axs e a : along_ok fam facts h ctx axs e a -> plain fam ctx axs a && same fam 0 e.
Proof. by rewrite /along_ok mixing; case: (facts h) => [[d | | | | | | | ? ?]|]; rewrite ?andFb orbF. Qed.

Lemma along_turns a p t axs z ix : plain fam ctx (insert p t axs) a -> (p <= size axs)%N -> size ix = size axs ->
  fixed t && all fixed axs ->
  along m (get cells' a) p ix z = along m (get cells a) p ix z /\ along m (ok cells' a) p ix z = along m (ok cells a) p ix z.
Proof.
move=> pa pt six /andP [ft fx]; have fi : all fixed (insert p t axs).
  by rewrite /insert all_cat /= andbCA -all_cat cat_take_drop ft.
have si k : size (insert p k ix) = size (insert p t axs) by rewrite !size_insert six.
split; apply: eq_map => k; have [v d] := plain_turns (insert p k ix) (insert p k ix) pa fi; first exact: v.
exact/d/nears_self.
Qed.

(* A function of arrays, along the axes that it does not see. *)
Lemma whole_turns h r (args : seq (nat * seq extent)) axs e ix : size ix = size axs ->
  rule fam g facts intys ctx (Whole h r args) (axs, e) ->
  turns (called m h cells' args (take r ix)) (called m h cells args (take r ix)) (drop r axs, e).
Proof.
move=> six /and5P [/allP kn rs]; rewrite mixing /= => fx fitting follows.
have st : size (take r ix) = size (take r axs) by rewrite !size_take six.
have here x : x \in args -> turns (inner cells' x.1 (take r ix)) (inner cells x.1 (take r ix)) (seen_of ctx r x.1).
  move=> xa; split=> [jx sj | jx kx nr].
    by rewrite /= (known_turns (ix := take r ix ++ jx) (kn x xa)) ?size_cat ?st ?sj // acting_inner.
  by apply: known_ok (kn x xa) _; apply: nears_inner.
case/orP: follows => [/and3P [/allP still fd /chi_same ce] | adm].
  have [x xa jx sj | v d] := @called_same _ m h cells' cells args (take r ix) (take r ix).
    have /andP [fs /chi_same pe] := still _ (map_f (fun x => seen_of ctx r x.1) xa).
    have sz : size jx = size (seen_of ctx r x.1).1.
      by move: fitting; rewrite all2_maps => /allP /(_ x xa); rewrite all2E sj => /andP [/eqP].
    have [v d] := here x xa; have := v jx sz; rewrite pe chi0 mul1r acting_fixed // => e1; split; first exact: e1.
    by apply: d; elim: (seen_of ctx r x.1).1 (jx) sz => [|t ts IH] [|j js] //= [sj']; rewrite near_refl IH.
  split=> [jx sj | jx kx nr]; first by rewrite -ce chi0 mul1r acting_fixed ?v.
  by rewrite d (nears_fixed fd nr).
rewrite !calledE; apply: (obeyed adm) => [|||k]; rewrite ?size_map // => ka.
by rewrite !(nth_map (0%N, [::])) //; apply: here; rewrite mem_nth.
Qed.

Lemma odd_less (n : int) : odd `|n| -> ~~ odd `|n - 1|.
Proof.
case: n => [[|n]|n] //; first by rewrite -addn1 PoszD addrK /= addn1.
by rewrite NegzE -opprD !abszN -PoszD addn1 /= negbK.
Qed.

(* Entries side by side. *)
Section Joins.
Variables (rows : seq (nat * extent)) (p : nat) (axs : seq axis) (e : int).
Hypothesis follows : rule fam g facts intys ctx (Join rows p) (axs, e).
Let t := nth [::] axs p.
Let own r := nth [::] (axes_of ctx (r : nat * extent).1) p.
Let part := part_in fam ctx e p.

Lemma join_size r : r \in rows -> size_of (part r) = count_of m r.2.
Proof.
case/and3P: follows => _ /allP al _ /al /and3P [_ fz _]; rewrite /part /part_in; case: ifP => _; rewrite ?size_det.
all: exact: size_parts.
Qed.

(* By how much an argument is multiplied, where it is not as much as the result. *)
Lemma join_power r k (f : nat -> R) : r \in rows -> ~~ fixed t -> (k < count_of m r.2)%N ->
  chi e * (\sum_(l <- iota 0 (count_of m r.2)) matrix (part r) k l * f l) = chi (power_of ctx r.1) * act1 (own r) k f.
Proof.
case/and3P: follows => _ /allP al _ rr nt kr; have /and3P [_ fz pw] := al r rr.
rewrite -(act1_parts _ fz kr) /part /part_in; move: pw; case: ifP => [/chi_same -> // | other /= /andP [rf _]].
have -> : chi (power_of ctx r.1) = chi e * chi 1.
  rewrite -chiD; apply: chi_same; case: (fam) rf other => //= _ /negbFE od.
  by rewrite opprD addrA; apply: odd_less.
rewrite -[in RHS]mulrA; congr (_ * _); rewrite mulr_sumr big_seq [RHS]big_seq; apply: eq_bigr => l; rewrite mem_iota add0n /= => lr.
by rewrite matrix_with_det ?size_parts // mulrA.
Qed.

Lemma join_turns ix : size ix = size axs ->
  compute m ins' cells' (Join rows p) ix = chi e * acting axs (compute m ins cells (Join rows p)) ix.
Proof.
move=> six; have ps : (p < size axs)%N by case/andP: follows.
pose rest := without p axs; pose jx := without p ix.
have [sr sj] : size rest = (size axs).-1 /\ size jx = size rest by rewrite !size_without ?six.
have pr : (p <= size rest)%N by rewrite sr -ltnS prednK // (leq_trans _ ps).
pose F (x : nat * nat) := acting rest (fun kx => get cells x.1 (insert p x.2 kx)) jx.
have argument r k : r \in rows ->
    get cells' r.1 (put p k ix) = chi (power_of ctx r.1) * act1 (own r) k (fun l => F (r.1, l)).
  move=> rr; case/and3P: follows => _ /allP al _; have /and3P [kn _ _] := al r rr.
  rewrite (known_turns kn) ?size_put ?six //; congr (_ * _).
  exact: (acting_insert (get cells r.1) (own r) k pr sj).
have inner i : acting rest (fun kx => compute m ins cells (Join rows p) (insert p i kx)) jx =
    if joined m rows i is Some x then F x else 0.
  transitivity (acting rest (fun kx => if joined m rows i is Some x then get cells x.1 (insert p x.2 kx) else 0) jx).
    apply: acting_eq => kx skx; have pk : (p <= size kx)%N by rewrite skx sj.
    have nk : nth 0%N (insert p i kx) p = i by rewrite /insert nth_cat size_takel // ltnn subnn.
    have wk : without p (insert p i kx) = kx.
      by rewrite /without /insert take_size_cat ?size_takel // drop_cat size_takel // ltnNge leqnSn /= subSnn /= drop0 cat_take_drop.
    by rewrite /= nk /put wk; case: (joined m rows i) => [[a l]|].
  by case: (joined m rows i) => [[a l]|] //; rewrite acting_0.
have split_at : acting axs (compute m ins cells (Join rows p)) ix =
    act1 t (nth 0%N ix p) (fun i => if joined m rows i is Some x then F x else 0).
  have whole (T : Type) (x : T) s : (p < size s)%N -> s = insert p (nth x s p) (without p s).
    move=> pz; rewrite /insert /without take_size_cat ?size_takel 1?ltnW //.
    by rewrite drop_size_cat ?size_takel 1?ltnW // -drop_nth // cat_take_drop.
  rewrite {1}(whole _ [::] axs) // {1}(whole _ 0%N ix) ?six // acting_insert // -/t /act1.
  by case: ifP => _; [apply: inner | apply: eq_bigr => i _; congr (_ * _); apply: inner].
rewrite split_at /=; case/and3P: (follows) => _ /allP al; rewrite -/t /act1; case: ifP => [ft /allP fx | nt same].
  case J: (joined m rows _) => [[a k]|]; last by rewrite mulr0.
  have [r rr ra] := joined_in J; rewrite -ra argument // /act1 fx //.
  by have /and3P [_ _] := al r rr; rewrite -/t ft andbF orbF => /chi_same ->.
have [_ mE _] := agree_same same; have sum := joined_sum (nth 0%N ix p) F join_size.
have [sE _ _] := agree_same same; under eq_bigr do rewrite -mE; rewrite -sE -/part.
move: sum; rewrite /= -/part; case: ifP => [_ [r [k [rr -> kr ->]]] | far -> ].
  by rewrite argument // join_power // -/t nt.
by rewrite big1_seq ?mulr0 // => l _; rewrite outside ?mul0r // leqNgt far.
Qed.

Lemma join_near ix jx : nears axs ix jx -> defined m ins' cells' (Join rows p) ix = defined m ins cells (Join rows p) jx.
Proof.
move=> nr; have := nears_nth p nr; rewrite -/t /=; case/and3P: (follows) => ps /allP al.
have [-> ->] := nears_size nr; rewrite ps /=.
have argument r k l : r \in rows -> near (own r) k l -> ok cells' r.1 (put p k ix) = ok cells r.1 (put p l jx).
  by move=> rr kl; have /and3P [kn _ _] := al r rr; apply: known_ok kn _; apply: nears_put.
rewrite -/t; case: ifP => [/eqP -> /allP fx /eqP -> | _ same].
  case J: (joined m rows _) => [[a k]|] //; have [r rr ra] := joined_in J; rewrite -ra; apply: argument => //.
  exact: near_refl.
have [_ _ nE] := agree_same same; rewrite -nE => /(joined_near join_size) [[r [k [l [rr -> -> /andP [kr kl]]]]] | [-> ->]] //.
apply: argument => //; move: kl; rewrite /part /part_in; case: ifP => _; rewrite ?near_det -/(own r) /parts_of.
all: by case: ifP => // /eqP -> /=; rewrite kr; case/andP.
Qed.
End Joins.

(* Views: axes that are seen as others. *)
Lemma acting_nest A C v a c : size a = size A -> acting (A ++ C) v (a ++ c) = acting A (fun a' => acting C (fun c' => v (a' ++ c')) c) a.
Proof.
elim: A a v => [|t A IH] [|i a] v //= [sa]; rewrite (IH a (fun jx => v (i :: jx)) sa); case: ifP => // _.
by apply: eq_bigr => k _; rewrite (IH a (fun jx => v (k :: jx)) sa).
Qed.

Lemma acting_swap A us (f : seq nat -> seq nat -> R) a y :
  acting A (fun a' => acting us (f a') y) a = acting us (fun y' => acting A (f^~ y') a) y.
Proof.
elim: A a f => [|t A IH] [|i a] f //=; case: ifP => _; first exact: (IH a (fun a' => f (i :: a'))).
rewrite acting_sum; apply: eq_bigr => k _; rewrite acting_scale; congr (_ * _).
exact: (IH a (fun a' => f (k :: a'))).
Qed.

Definition inside_view v z w (x : seq nat) := all2 (fun z i => i < count_of m z)%N (view_sizes v z w) x.
Definition at_view v z w (x : seq nat) := [seq at_ m (nth 0%N x) i | i <- view_places v z w].

Lemma act1_0 t i : act1 t i (fun=> 0) = 0.
Proof. by rewrite /act1; case: ifP => // _; rewrite big1 // => k _; rewrite mulr0. Qed.

Lemma act1_same t i f f' : f =1 f' -> act1 t i f = act1 t i f'.
Proof. by move=> same; rewrite /act1 same; case: ifP => // _; apply: eq_bigr => k _; rewrite same. Qed.

Lemma act1_within t z i (f : nat -> R) : fits t z -> act1 t i (fun k => if (k < count_of m z)%N then f k else 0) =
  if (i < count_of m z)%N then \sum_(k <- iota 0 (count_of m z)) matrix (parts_of t z) i k * f k else 0.
Proof.
move=> fz; case: ifP => iz.
  by rewrite -(act1_parts _ fz iz); apply: eq_big_seq => k; rewrite mem_iota add0n /= => ->.
rewrite /act1 iz; case: ifP => // nt; rewrite big1 // => k _; rewrite outside ?mul0r //.
have -> : size_of t = count_of m z by move: fz; rewrite /fits nt; apply: count_same.
by rewrite leqNgt iz.
Qed.

(* A part of an axis. *)
Lemma cut_turned u z w t flips i (f : nat -> R) s : fits t w ->
  (if fixed u then Some [:: (Fix, w)]
   else if part_at u z w is Some (s1, s, s2) then
     if [&& same_parts u (s1 ++ s ++ s2), same_size (width s1) z & same_size (width s) w] then Some s else None
   else None) = Some s -> same_parts (if flips then with_det s else s) (parts_of t w) -> (i < count_of m w)%N ->
  [/\ size_of s = count_of m w, act1 u (count_of m z + i) f = \sum_(k <- iota 0 (count_of m w)) matrix s i k * f (count_of m z + k)%N
    & forall j, (j < count_of m w)%N -> near s i j -> near u (count_of m z + i) (count_of m z + j)].
Proof.
move=> ft sE same iw; rewrite /act1; case: ifP sE => [/eqP -> [<-] | _].
  rewrite size1; split=> // [|j jw]; last by rewrite /= iw jw /= eqn_add2l.
  rewrite -[LHS](@delta_sum (count_of m w) (fun k => f (count_of m z + k)%N) i) //.
  by apply: eq_big_seq => k; rewrite mem_iota add0n /= => kw; have [-> _] := fix_part iw kw.
case: (part_at u z w) => [[[s1 s'] s2]|] //; case: ifP => // /and3P [/agree_same [lu at_u near_u] /(count_same m) l1 /(count_same m) l2] [sE].
subst s'; rewrite -/(size_of s1) in l1; rewrite -/(size_of s) in l2; split=> //.
  rewrite lu !size_cat_ l1 l2 !iotaD !big_cat /= big1_seq ?add0r => [|k]; last first.
    rewrite mem_iota add0n /= => kz; rewrite at_u matrix_cat l1 kz ltnNge leq_addr /= mul0r //.
  rewrite [X in _ + X]big1_seq ?addr0 => [|k]; last first.
    rewrite /= mem_iota add0n => /andP [ks _]; have zk := leq_trans (leq_addr _ _) ks.
    rewrite at_u !matrix_cat l1 l2 ltnNge leq_addr [(k < _)%N]ltnNge zk /= addKn iw ltnNge leq_subRL // ks mul0r //.
  rewrite add0n -[X in iota X _]addn0 iotaDl big_map; apply: eq_big_seq => k; rewrite mem_iota add0n /= => kw.
  by rewrite at_u !matrix_cat l1 l2 ![(count_of m z + _ < _)%N]ltnNge !leq_addr /= !addKn iw kw.
move=> j jw sj; rewrite near_u !near_cat l1 l2 ltnNge leq_addr /= leq_addr /= !addKn iw jw /=.
exact: sj.
Qed.

Lemma near_parts t z i j : fits t z -> (i < count_of m z)%N -> (j < count_of m z)%N -> near (parts_of t z) i j = near t i j.
Proof. by move=> _ iz jz; rewrite /parts_of; case: ifP => // /eqP -> /=; rewrite iz jz. Qed.

Lemma near_within t z i j : fits t z -> near t i j -> (i < count_of m z)%N = (j < count_of m z)%N.
Proof.
move=> fz; have [/eqP -> /eqP -> // | nt] := boolP (fixed t).
have <- : size_of t = count_of m z by move: fz; rewrite /fits (negbTE nt); apply: count_same.
elim: (t) i j => [|[k w] t' IH] i j /=; first by move/eqP ->.
rewrite size_cons /= !ltn_sum; case: ifP => iw /andP [jw]; first by rewrite jw.
by rewrite [(j < count_of m w)%N]ltnNge jw /= => /IH.
Qed.

(* Two axes in one. *)
Lemma products_turned t1 t2 t z w r : fits t1 z -> fits t2 w -> fits t (product_size z w) ->
  axis_times (parts_of t1 z) (parts_of t2 w) = Some r -> same_parts r (parts_of t (product_size z w)) ->
  let n := count_of m w in forall i, (i < count_of m z * n)%N ->
  (forall f : nat -> R, \sum_(k <- iota 0 (count_of m z * n)) matrix (parts_of t (product_size z w)) i k * f k =
    \sum_(k1 <- iota 0 (count_of m z)) matrix (parts_of t1 z) (i %/ n)%N k1 *
      \sum_(k2 <- iota 0 n) matrix (parts_of t2 w) (i %% n)%N k2 * f (k1 * n + k2)%N) /\
  forall j, (j < count_of m z * n)%N -> near t i j = near t1 (i %/ n) (j %/ n) && near t2 (i %% n) (j %% n).
Proof.
move=> f1 f2 f /axis_product [lr at_r] /agree_same [lE at_ near_] n i iz.
rewrite !size_parts // -/n in lr at_r; rewrite lr in at_r; split=> [h | j jz].
  rewrite sum_rows; apply: eq_big_seq => k1; rewrite mem_iota add0n /= => kz; rewrite mulr_sumr; apply: eq_big_seq => k2.
  rewrite mem_iota add0n /= => kw; have [d r_] := row_major k1 kw.
  have k_n : (k1 * n + k2 < count_of m z * n)%N.
    by rewrite (@leq_trans (k1.+1 * n)) ?leq_mul2r ?kz ?orbT // mulSn addnC ltn_add2r.
  by rewrite -at_; have [-> _] := at_r i _ iz k_n; rewrite d r_ mulrA.
have [n0 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz.
rewrite -(near_parts f) ?count_times // -near_; have [_] := at_r i j iz jz; rewrite /near_of => ->.
by rewrite near_parts // near_parts.
Qed.

Lemma acting1 t G k : acting [:: t] G [:: k] = act1 t k (fun l => G [:: l]). Proof. by []. Qed.
Lemma acting2 t1 t2 G k l : acting [:: t1; t2] G [:: k; l] = act1 t1 k (fun k' => act1 t2 l (fun l' => G [:: k'; l'])).
Proof. by []. Qed.

Lemma inside_cut z w i : inside_view Cut z w [:: i] = (i < count_of m w)%N. Proof. exact: andbT. Qed.
Lemma inside_split z w i j : inside_view Split z w [:: i; j] = (i < count_of m z)%N && (j < count_of m w)%N.
Proof. by rewrite /inside_view /= andbT. Qed.
Lemma inside_merge z w i : inside_view Merge z w [:: i] = (i < count_of m (product_size z w))%N. Proof. exact: andbT. Qed.

Lemma view_turned v z w flips us ts x (ea e : int) (G : seq nat -> R) : view_ok v z w flips us ts ->
  (if flips then chi ea = chi e * chi 1 /\ reflects fam else chi ea = chi e) ->
  size us = size (view_places v z w) -> size ts = size (view_sizes v z w) -> size x = size ts ->
  (if inside_view v z w x then chi ea * acting us G (at_view v z w x) else 0) =
  chi e * acting ts (fun x => if inside_view v z w x then G (at_view v z w x) else 0) x.
Proof.
rewrite /view_ok => + ce; case: ifP => [/andP [/andP [fu ft] nf] _ _ _ _ | _].
  by rewrite !acting_fixed //; move: ce; rewrite (negbTE nf) => ->; case: ifP => _ //; rewrite mulr0.
case: v; case: us => [|u [|u2 [|? ?]]] //; case: ts => [|t [|t2 [|? ?]]] //; case: x => [|i [|j [|? ?]]] // + _ _ _; rewrite ?acting1 ?acting2.
- rewrite inside_cut; case: ifP => // fw; case sE: (if fixed u then _ else _) => [s|] // same.
  rewrite (@act1_same t i _ (fun k => if (k < count_of m w)%N then G [:: (count_of m z + k)%N] else 0)) => [|k]; last by rewrite inside_cut.
  rewrite act1_within //; case: ifP => iw; last by rewrite mulr0.
  have [ls -> _] := cut_turned (fun k => G [:: k]) fw sE same iw; have [_ at_ _] := agree_same same.
  under [in RHS]eq_bigr do rewrite -at_; case: (flips) ce => [[-> rf] | ->] //.
  rewrite -mulrA; congr (_ * _); rewrite mulr_sumr; apply: eq_big_seq => k; rewrite mem_iota add0n /= => kw.
  by rewrite matrix_with_det ?ls // mulrA.
- case: ifP => // /and4P [nf f1 f2 f]; case rE: (axis_times _ _) => [r|] // same.
  have {ce nf} -> : chi ea = chi e by move: ce; rewrite (negbTE nf).
  rewrite (@act1_same t i _ (fun k1 => if (k1 < count_of m z)%N then act1 t2 j (fun k2 => if (k2 < count_of m w)%N then G [:: (k1 * count_of m w + k2)%N] else 0) else 0)) => [|k1]; last first.
    case: ifP => kz; last first.
      by rewrite (@act1_same t2 j _ (fun=> 0)) ?act1_0 // => k2; rewrite inside_split kz.
    by apply: act1_same => k2; rewrite inside_split kz.
  rewrite act1_within // inside_split; case: ltnP => iz /=; last by rewrite mulr0.
  under [in RHS]eq_bigr do rewrite act1_within //.
  case: ifP => jw; last by rewrite big1 ?mulr0 // => k1 _; rewrite mulr0.
  have k_n : (i * count_of m w + j < count_of m z * count_of m w)%N.
    by rewrite (@leq_trans (i.+1 * count_of m w)) ?leq_mul2r ?iz ?orbT // mulSn addnC ltn_add2r.
  have [sumE _] := products_turned f1 f2 f rE same k_n; have [d r_] := row_major i jw.
  have at_k : (i * count_of m w + j < count_of m (product_size z w))%N by rewrite count_times.
  by rewrite -[act1 u _ _](act1_parts _ f at_k) count_times sumE d r_.
case: ifP => // /and4P [nf f1 f2 f]; case rE: (axis_times _ _) => [r|] // same.
have {ce nf} -> : chi ea = chi e by move: ce; rewrite (negbTE nf).
rewrite (@act1_same t i _ (fun k => if (k < count_of m (product_size z w))%N then G [:: k %/ count_of m w; k %% count_of m w]%N else 0)) => [|k]; last by rewrite inside_merge.
rewrite act1_within // inside_merge; case: ifP => iz; last by rewrite mulr0.
rewrite count_times in iz *; have [sumE _] := products_turned f1 f2 f rE same iz; have [n0 i1 i2] := below_product iz.
rewrite sumE; congr (_ * _); rewrite -(act1_parts _ f1 i1); apply: eq_bigr => k1 _; congr (_ * _).
rewrite -(act1_parts _ f2 i2); apply: eq_big_seq => k2; rewrite mem_iota add0n /= => kw.
by have [-> ->] := row_major k1 kw.
Qed.

Lemma view_near v z w flips us ts x y : view_ok v z w flips us ts ->
  size us = size (view_places v z w) -> size ts = size (view_sizes v z w) -> nears ts x y ->
  inside_view v z w x = inside_view v z w y /\ (inside_view v z w x -> nears us (at_view v z w x) (at_view v z w y)).
Proof.
rewrite /view_ok; case: ifP => [/andP [/andP [fu ft] _] _ su st /(nears_fixed ft) <- | _].
  by split=> // _; apply: nears_self; rewrite size_map su.
case: v; case: us => [|u [|u2 [|? ?]]] //; case: ts => [|t [|t2 [|? ?]]] //; case: x => [|i [|j [|? ?]]] //;
  case: y => [|k [|l [|? ?]]] // ok _ _; try by rewrite /= ?andbF.
- move: ok; case: ifP => // fw; case sE: (if fixed u then _ else _) => [s|] // same; rewrite /= andbT => nr.
  rewrite !inside_cut -(near_within fw nr); split=> // iw; have kw : (k < count_of m w)%N by rewrite -(near_within fw nr).
  have [_ _ nE] := cut_turned (fun=> 0) fw sE same iw; rewrite /at_view /= andbT; apply: nE => //.
  have [_ _ same_near] := agree_same same; move: nr; rewrite -(near_parts fw) // -same_near.
  by case: (flips); rewrite ?near_det.
- move: ok; case: ifP => // /and4P [_ f1 f2 f]; case rE: (axis_times _ _) => [r|] // same /and3P [n1 n2 _].
  rewrite !inside_split -(near_within f1 n1) -(near_within f2 n2); split=> // /andP [iz jw].
  have kz : (k < count_of m z)%N by rewrite -(near_within f1 n1).
  have lw : (l < count_of m w)%N by rewrite -(near_within f2 n2).
  have below a b : (a < count_of m z)%N -> (b < count_of m w)%N -> (a * count_of m w + b < count_of m z * count_of m w)%N.
    by move=> az bw; rewrite (@leq_trans (a.+1 * count_of m w)) ?leq_mul2r ?az ?orbT // mulSn addnC ltn_add2r.
  have [_ near_] := products_turned f1 f2 f rE same (below _ _ iz jw).
  rewrite /at_view /= andbT near_ ?below //; have [-> ->] := row_major i jw; have [-> ->] := row_major k lw.
  by rewrite n1 n2.
move: ok; case: ifP => // /and4P [_ f1 f2 f]; case rE: (axis_times _ _) => [r|] // same /andP [nr _].
rewrite !inside_merge -(near_within f nr); split=> // iz; have kz : (k < count_of m (product_size z w))%N by rewrite -(near_within f nr).
rewrite !count_times in iz kz; have [_ near_] := products_turned f1 f2 f rE same iz.
by rewrite /at_view /= andbT -near_.
Qed.

Lemma nears_cat A C a b c d : nears A a b -> nears C c d -> nears (A ++ C) (a ++ c) (b ++ d).
Proof. by elim: A a b => [|t A IH] [|i a] [|j b] //= /andP [-> n1] n2; apply: IH. Qed.

Lemma view_turns v a p z w axs e : rule fam g facts intys ctx (View v a p z w) (axs, e) ->
  turns (compute m ins' cells' (View v a p z w), defined m ins' cells' (View v a p z w))
        (compute m ins cells (View v a p z w), defined m ins cells (View v a p z w)) (axs, e).
Proof.
rewrite /rule; set n := size (view_sizes v z w); set us := take _ _; set flips := ~~ _.
case/and5P => pn /eqP su kn rf ok.
have ce : if flips then chi (power_of ctx a) = chi e * chi 1 /\ reflects fam else chi (power_of ctx a) = chi e.
  rewrite /flips; case: ifP => [odd_ | /negbFE /chi_same //]; move/implyP: rf; rewrite /flips odd_ => /(_ isT) rf; split=> //.
  rewrite -chiD; apply: chi_same; case: (fam) rf odd_ => //= _ /negPn od.
  by rewrite opprD addrA; apply: odd_less.
pose ts := take n (drop p axs); have sts : size ts = n by rewrite size_takel // size_drop leq_subRL // (leq_trans (leq_addr _ _) pn).
have whole (T : Type) (s : seq T) : s = take p s ++ take n (drop p s) ++ drop (p + n) s.
  by rewrite addnC -drop_drop cat_take_drop cat_take_drop.
split=> [ix six | ix jx nr]; rewrite [LHS]/=; last first.
  rewrite /= /in_view /viewed -/n -/(inside_view v z w (take n (drop p ix))) -/(inside_view v z w (take n (drop p jx))).
  rewrite -/(at_view v z w (take n (drop p ix))) -/(at_view v z w (take n (drop p jx))).
  have [na nd] := nears_cut p nr; have [nt _] := nears_cut n nd; have [_ nb] := nears_cut (p + n) nr.
  have [<- at_] := view_near ok su sts nt; case: (inside_view _ _ _ _) at_ => // /(_ isT) at_ /=.
  by apply: known_ok kn _; apply: nears_cat => //; apply: nears_cat.
pose x := take n (drop p ix).
have sx : size x = size ts by rewrite sts size_takel // size_drop six leq_subRL // (leq_trans (leq_addr _ _) pn).
have sA : size (take p ix) = size (take p axs) by rewrite !size_take six.
pose G y := acting (take p axs) (fun a' => acting (drop (p + n) axs) (fun b' => get cells a (a' ++ y ++ b')) (drop (p + n) ix)) (take p ix).
have sp b : size b = size (take p axs) -> size b = p.
  by move=> ->; rewrite size_takel // (leq_trans (leq_addr _ _) pn).
transitivity (if inside_view v z w x then chi (power_of ctx a) * acting us G (at_view v z w x) else 0).
  rewrite /= /in_view /viewed -/n -/x -/(inside_view v z w x) -/(at_view v z w x); case: ifP => // _.
  rewrite (known_turns kn) /exchange; last by rewrite !size_cat !size_drop sA six size_map su.
  congr (_ * _); rewrite acting_nest // /G -(acting_swap (take p axs) us (fun a' y => acting (drop (p + n) axs) (fun b' => get cells a (a' ++ y ++ b')) (drop (p + n) ix))).
  apply: acting_same => a'.
  by rewrite acting_nest ?size_map.
rewrite (view_turned G ok ce su sts sx); congr (_ * _).
rewrite [in RHS](whole _ axs) [in RHS](whole _ ix) -/ts -/x acting_nest //.
transitivity (acting (take p axs) (fun a' => acting ts (fun x' => acting (drop (p + n) axs)
  (fun b' => compute m ins cells (View v a p z w) (a' ++ x' ++ b')) (drop (p + n) ix)) x) (take p ix)); last first.
  by apply: acting_same => a'; rewrite acting_nest.
rewrite (acting_swap (take p axs) ts (fun a' x' => acting (drop (p + n) axs) (fun b' => compute m ins cells (View v a p z w) (a' ++ x' ++ b')) (drop (p + n) ix))).
apply: acting_eq => x' sx'.
transitivity (acting (take p axs) (fun a' => acting (drop (p + n) axs)
  (fun b' => if inside_view v z w x' then get cells a (a' ++ at_view v z w x' ++ b') else 0) (drop (p + n) ix)) (take p ix)).
  case: ifP => // _; rewrite -[LHS](acting_0 (take p axs) (take p ix)); apply: acting_same => a'.
  by rewrite acting_0.
apply: acting_eq => a' sa'; apply: acting_same => b'.
have pa : size a' = p by apply: sp; rewrite sa'.
have nx : size x' = n by rewrite sx' sx.
rewrite /= /in_view /viewed -/n /exchange drop_size_cat // take_size_cat // take_size_cat //.
have -> // : drop (p + n) (a' ++ x' ++ b') = b' by rewrite catA drop_size_cat // size_cat pa nx.
Qed.

Lemma line_turns o ty : rule fam g facts intys ctx o ty ->
  turns (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ty.
Proof.
have uf : signed fam = false by case: (fam) mixing.
case: ty => axs e; case: o => [k | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h r args | v a p z w] follows;
  move: (follows); rewrite /rule ?mixing ?uf ?orTb ?implyTb //.
- by case/andP => kin /eqP tE; have := given kin; rewrite tE.
- by case/andP => fx /chi_same ce; split=> [ix six | //]; rewrite /= -ce chi0 mul1r acting_fixed.
- case/andP => fx /chi_same ce; split=> [ix six | ix jx /(nears_fixed fx) -> //].
  by rewrite /= -ce chi0 mul1r acting_fixed.
- case: axs {follows} => [|t [|t' [|? ?]]] // /and4P [_ /eqP /= -> fz /chi_same ce]; split=> // -[|i [|j []]] //= _.
  rewrite -ce chi0 mul1r fixed_dual; case: (boolP (fixed t)) => [// | nt].
  have zt : count_of m z = size_of t.
    by move: fz; rewrite /fits (negbTE nt) => /(count_same m).
  rewrite zt; transitivity (\sum_(k <- iota 0 (size_of t)) matrix t i k * matrix (dual fam t) j k); last first.
    rewrite big_seq [RHS]big_seq; apply: eq_bigr => k; rewrite mem_iota => /andP [_ kn]; congr (_ * _).
    rewrite {1}/size_of width_dual -/(size_of t) -[LHS](@delta_sum (size_of t) (matrix (dual fam t) j) k) //.
    by apply: eq_bigr => l _; rewrite kn andbT mulrC.
  case: (ltnP i (size_of t)) => [i_n | out]; first by rewrite rows_ // andbT.
  by rewrite andbF big1 // => k _; rewrite outside // mul0r.
- case/and5P => rowsP uo /eqP so us /and5P [disj cover places kept /andP [sums /chi_same ce]]; split=> [ix six | ix jx nr] /=.
    by rewrite -ce; apply: contract_turns.
  by apply: (contract_near _ _ _ _ _ nr).
- move/allP => al; split=> [ix six | ix jx nr] /=; last by apply: eq_in_all => a /al /alike_ok; apply.
  by rewrite acting_sum mulr_sumr; apply: eq_big_seq => a /al /alike_turns ->.
- case/orP => [/and3P [fx /allP pl /chi_same ce] | ].
    have pa a ix : a \in args -> size ix = size axs -> get cells' a ix = get cells a ix /\ ok cells' a ix = ok cells a ix.
      by move=> aa six; have [v d] := plain_turns ix ix (pl a aa) fx; rewrite v // d // nears_self.
    split=> [ix six | ix jx nr] /=.
      rewrite -ce chi0 mul1r acting_fixed //; congr (fns m h _); apply/eq_in_map => a aa; exact: (pa a ix aa six).1.
    rewrite -(nears_fixed fx nr); have [six _] := nears_size nr.
    have -> : [seq get cells' a ix | a <- args] = [seq get cells a ix | a <- args].
      by apply/eq_in_map => a aa; exact: (pa a ix aa six).1.
    by congr (_ && _); apply: eq_in_all => a aa; exact: (pa a ix aa six).2.
  case dh: (facts h) => [[d | | | | | | | ? ?]|] //; case: args {follows} => // a args; set axs' := axes_of ctx a.
  case/and4P => /allP al fx /chi_same ce /eqP axsE; have {}axsE : axs = axs' by rewrite axsE.
  rewrite axsE {axs axsE}.
  have pa b ix : b \in a :: args -> size ix = size axs' -> get cells' b ix = chi (power_of ctx a) * get cells b ix.
    by move=> bb six; rewrite (alike_turns (al b bb) six) acting_fixed.
  have vE ix : size ix = size axs' ->
      [seq get cells' b ix | b <- a :: args] = [seq chi (power_of ctx a) * x | x <- [seq get cells b ix | b <- a :: args]].
    by move=> six; rewrite -map_comp; apply/eq_in_map => b bb; apply: pa.
  split=> [ix six | ix jx nr]; rewrite [LHS]/=.
    by rewrite -[X in fns m h X]/[seq get cells' b ix | b <- a :: args] vE // (homogeneous _ _ dh) ce acting_fixed.
  have [six _] := nears_size nr; rewrite -(nears_fixed fx nr).
  rewrite -[X in fns_ok m h X]/[seq get cells' b ix | b <- a :: args] vE // (homogeneous_ok _ _ dh).
  rewrite -[X in X && _]/(all (fun b => ok cells' b ix) (a :: args)); congr (_ && _).
  by apply: eq_in_all => b bb; apply: alike_ok (al b bb) (nears_self six).
- case/and5P => psP pc fps pa pb; set cps := [seq _ | p <- ps] in pc.
  have fcs : all fixed cps by rewrite all_map.
  have c_same ix jx : agreeing axs ix jx -> [seq nth 0%N ix p | p <- ps] = [seq nth 0%N jx p | p <- ps].
    by move=> ag; apply/eq_in_map => p /(allP fps); apply: agreeing_nth.
  have near_agree ix jx : nears axs ix jx -> agreeing axs ix jx.
    elim: (axs) ix jx => [|t ts IH] [|i ix] [|j jx] //= /andP [n1 /IH ->]; rewrite andbT.
    by apply/implyP => /eqP ft; move: n1; rewrite ft.
  have here ix : size [seq nth 0%N ix p | p <- ps] = size cps by rewrite !size_map.
  split=> [ix six | ix jx nr] /=.
    have [v _] := plain_turns [seq nth 0%N ix p | p <- ps] [::] pc fcs.
    rewrite v // (alike_turns pa six) (alike_turns pb six).
    rewrite (acting_if (b := holds m (get cells c [seq nth 0%N ix p | p <- ps]))) => [|//|jx ag].
      by case: (holds _ _).
    by rewrite (c_same _ _ ag).
  have [six _] := nears_size nr; rewrite -(c_same _ _ (near_agree _ _ nr)).
  have [v d] := plain_turns [seq nth 0%N ix p | p <- ps] [seq nth 0%N ix p | p <- ps] pc fcs.
  rewrite v // d ?nears_self //; congr (_ && _).
  by rewrite (alike_ok pa nr) (alike_ok pb nr).
- case/and4P => /along_plain /andP [pa /chi_same ce] pz _ ff; have fx : all fixed axs by case/andP: ff.
  split=> [ix six | ix jx nr] /=; last have [six _] := nears_size nr.
    by have [-> _] := along_turns z pa pz six ff; rewrite -ce chi0 mul1r acting_fixed.
  by have [-> ->] := along_turns z pa pz six ff; rewrite -(nears_fixed fx nr).
- case/and5P => /along_plain /andP [pa /chi_same ce] pz /eqP fp _ ff; have fx : all fixed axs by case/andP: ff.
  have ff' : fixed (nth [::] (axes_of ctx a) p) && all fixed (without p axs).
    case/andP: ff => -> _; apply/allP => t; rewrite mem_cat => /orP [/mem_take | /mem_drop]; exact: (allP fx).
  have wz : (p <= size (without p axs))%N by rewrite size_without // -ltnS prednK // (leq_trans _ pz).
  split=> [ix six | ix jx nr] /=; last have [six _] := nears_size nr.
    have sw : size (without p ix) = size (without p axs) by rewrite !size_without ?six.
    by have [-> _] := along_turns z pa wz sw ff'; rewrite -ce chi0 mul1r acting_fixed.
  have sw : size (without p ix) = size (without p axs) by rewrite !size_without ?six.
  by have [_ ->] := along_turns z pa wz sw ff'; rewrite -(nears_fixed fx nr).
- by move=> _; split=> [ix six | ix jx nr]; [exact: (join_turns follows six) | exact: (join_near follows nr)].
- move=> _; split=> [ix six | ix jx nr].
    have [v _] := whole_turns six follows; rewrite [LHS](v (drop r ix)) ?size_drop ?six //; congr (_ * _).
    case/and5P: follows => _ rs; rewrite mixing /= => fx _ _.
    have st : size (take r ix) = size (take r axs) by rewrite !size_take six.
    rewrite -[axs in RHS](cat_take_drop r) -[ix in RHS](cat_take_drop r) acting_inner //; apply: acting_same => kx.
    by rewrite /= take_size_cat ?drop_size_cat // size_take six; case: ltngtP rs.
  have [six _] := nears_size nr; have [_ d] := whole_turns six follows; have [nt nd] := nears_cut r nr.
  rewrite [LHS](d _ _ nd); case/and5P: follows => _ _; rewrite mixing /= => fx _ _.
  by rewrite (nears_fixed fx nt).
by move=> _; apply: view_turns.
Qed.
End Line.
End Turns.
