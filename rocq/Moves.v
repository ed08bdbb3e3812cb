(* Soundness where the group moves entries: permutations of indices, signs, a scalar. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Moves.
Variables (R : comUnitRingType) (m : meaning R) (fam : family) (g : extent) (facts : nat -> option fact) (intys : seq rtype).

(* What an element of the group does to the number of an entry along an axis, and the sign that it gives it; its
   character; and by what values may be multiplied. *)
Variables (at_axis : axis -> nat -> nat) (sign : axis -> nat -> R) (chi : int -> R) (scalar : R -> Prop).
Hypothesis moving : mixes fam = false.
Hypothesis at_fixed : forall i, at_axis [::] i = i.
Hypothesis at_signed : signed fam -> forall t i, at_axis t i = i.
Hypothesis at_inj : forall t, injective (at_axis t).
Hypothesis at_range : forall t i, (at_axis t i < count_of m (width t))%N = (i < count_of m (width t))%N.
Hypothesis at_round : fam = C -> (0 < count_of m g)%N /\ exists c : nat, forall i,
  (at_axis (whole g) i = i + c %[mod count_of m g])%N.
Hypothesis at_perm : forall t, perm_eq [seq at_axis t i | i <- iota 0 (count_of m (width t))] (iota 0 (count_of m (width t))).
Hypothesis sign_fixed : forall i, sign [::] i = 1.
Hypothesis at_still : forall k z i, still k -> (i < count_of m z)%N -> at_axis [:: (k, z)] i = i /\ sign [:: (k, z)] i = 1.
Hypothesis at_first : forall x t i, (i < count_of m x.2)%N -> at_axis (x :: t) i = at_axis [:: x] i /\ sign (x :: t) i = sign [:: x] i.
Hypothesis at_later : forall x t i, (count_of m x.2 <= i)%N -> (i < count_of m (width (x :: t)))%N ->
  at_axis (x :: t) i = (count_of m x.2 + at_axis t (i - count_of m x.2))%N /\ sign (x :: t) i = sign t (i - count_of m x.2).
Hypothesis at_prod : forall a z1 b z2 z i, count_of m z = (count_of m z1 * count_of m z2)%N -> (i < count_of m z)%N ->
  let n := count_of m z2 in
  at_axis [:: (Prod a z1 b z2, z)] i = (at_axis [:: (a, z1)] (i %/ n) * n + at_axis [:: (b, z2)] (i %% n))%N /\
  sign [:: (Prod a z1 b z2, z)] i = sign [:: (a, z1)] (i %/ n) * sign [:: (b, z2)] (i %% n).
Hypothesis sign_unsigned : ~~ signed fam -> forall t i, sign t i = 1.
Hypothesis sign_square : forall t i, sign t i * sign t i = 1.
Hypothesis chi0 : chi 0 = 1.
Hypothesis chiD : forall a b, chi (a + b) = chi a * chi b.
Hypothesis chi_same : forall a b, same fam a b -> chi a = chi b.

(* Of functions: symmetric along axes; of facts d. *)
Hypothesis red_symmetric : forall h s s', perm_eq s s' -> red m h s = red m h s'.
Hypothesis red_ok_symmetric : forall h s s', perm_eq s s' -> red_ok m h s = red_ok m h s'.
Hypothesis srt_symmetric : forall h s s', perm_eq s s' -> srt m h s =1 srt m h s'.

Fixpoint moved (axs : seq axis) (ix : seq nat) : seq nat :=
  match axs, ix with t :: axs', i :: ix' => at_axis t i :: moved axs' ix' | _, _ => ix end.

Fixpoint weight (axs : seq axis) (ix : seq nat) : R :=
  match axs, ix with t :: axs', i :: ix' => sign t i * weight axs' ix' | _, _ => 1 end.

Hypothesis homogeneous : forall h d e axs ix xs, facts h = Some (Degree d) ->
  fns m h [seq chi e * weight axs ix * x | x <- xs] = chi (e * d) * (weight axs ix ^+ `|d| * fns m h xs).
Hypothesis homogeneous_ok : forall h d e axs ix xs, facts h = Some (Degree d) ->
  fns_ok m h [seq chi e * weight axs ix * x | x <- xs] = fns_ok m h xs.
Hypothesis homogeneous_along : forall h d e xs, facts h = Some (Degree d) -> let xs' := [seq chi e * x | x <- xs] in
  [/\ red m h xs' = chi (e * d) * red m h xs, red_ok m h xs' = red_ok m h xs
    & forall i, srt m h xs' i = chi (e * d) * srt m h xs i].

(* The value at a moved input, on the left. *)
Definition moves (c' c : cell R) (ty : rtype) := forall ix, size ix = size ty.1 ->
  c'.1 ix = chi ty.2 * (weight ty.1 ix * c.1 (moved ty.1 ix)) /\ c'.2 ix = c.2 (moved ty.1 ix).

Hypothesis obeyed : obeys m fam g facts moves.

(** * Lists of indices *)

Lemma moved_size axs ix : size (moved axs ix) = size ix.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //=; rewrite IH. Qed.

Lemma moved_fixed axs ix : all fixed axs -> moved axs ix = ix.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //= /andP [/eqP -> none]; rewrite IH ?at_fixed. Qed.

Lemma moved_signed axs ix : signed fam -> moved axs ix = ix.
Proof. by move=> sf; elim: axs ix => [|t axs IH] [|i ix] //=; rewrite IH at_signed. Qed.

Lemma weight_fixed axs ix : all fixed axs -> weight axs ix = 1.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //= /andP [/eqP -> none]; rewrite IH ?sign_fixed ?mulr1. Qed.

Lemma weight_unsigned axs ix : ~~ signed fam -> weight axs ix = 1.
Proof. by move=> sf; elim: axs ix => [|t axs IH] [|i ix] //=; rewrite IH sign_unsigned ?mulr1. Qed.

Lemma weight_square axs ix : weight axs ix * weight axs ix = 1.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //=; rewrite ?mulr1 // mulrACA IH sign_square mulr1. Qed.

Lemma weight_plain axs ix : (mixes fam || signed fam) ==> all fixed axs -> weight axs ix = 1.
Proof.
rewrite moving /=; case: (boolP (signed fam)) => [sf /= | sf _]; first exact: weight_fixed.
exact: weight_unsigned.
Qed.

Lemma moved_insert p t axs k ix : (p <= size axs)%N -> size ix = size axs ->
  moved (insert p t axs) (insert p k ix) = insert p (at_axis t k) (moved axs ix).
Proof. by rewrite /insert; elim: p axs ix => [|q IH] [|c axs] [|i ix] //= pt [six]; rewrite -IH. Qed.

Lemma moved_cat axs axs2 ix ix2 : size ix = size axs -> moved (axs ++ axs2) (ix ++ ix2) = moved axs ix ++ moved axs2 ix2.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //= [six]; rewrite IH. Qed.

Lemma weight_cat axs axs2 ix ix2 : size ix = size axs ->
  weight (axs ++ axs2) (ix ++ ix2) = weight axs ix * weight axs2 ix2.
Proof. by elim: axs ix => [|t axs IH] [|i ix] //= => [_ | [six]]; rewrite ?mul1r // IH // mulrA. Qed.

Lemma moved_nth axs ix i : size ix = size axs ->
  nth 0%N (moved axs ix) i = at_axis (nth [::] axs i) (nth 0%N ix i).
Proof. by elim: axs ix i => [|t axs IH] [|x ix] [|i] //= [six]; rewrite ?at_fixed //; apply: IH. Qed.

Lemma moved_nil axs : moved axs [::] = [::]. Proof. by case: axs. Qed.

Lemma moved_without axs ix p : moved (without p axs) (without p ix) = without p (moved axs ix).
Proof.
rewrite /without; elim: p axs ix => [|q IH] [|t axs] [|i ix] //=; rewrite ?moved_nil ?drop0 //.
by rewrite IH.
Qed.

Lemma moved_put axs ix p t i : (p < size axs)%N -> size ix = size axs ->
  moved (put p t axs) (put p i ix) = put p (at_axis t i) (moved axs ix).
Proof.
elim: p axs ix => [|p IH] [|t' axs] [|j ix] //= ps [six]; first by rewrite !put_0.
by rewrite !put_cons /= IH.
Qed.

Lemma weight_put axs ix p t i : (p < size axs)%N -> size ix = size axs ->
  sign t i = sign (nth [::] axs p) (nth 0%N ix p) -> weight (put p t axs) (put p i ix) = weight axs ix.
Proof.
elim: p axs ix => [|p IH] [|t' axs] [|j ix] //= ps [six] e; first by rewrite !put_0 /= e.
by congr (_ * _); apply: IH.
Qed.

(** * Parts of axes *)

Definition long t := count_of m (width t).
Definition agree t t' := long t = long t' /\
  forall i, (i < long t)%N -> at_axis t i = at_axis t' i /\ sign t i = sign t' i.

Lemma long_cons x t : long (x :: t) = (count_of m x.2 + long t)%N.
Proof. by rewrite /long [width _]/= count_cat. Qed.

Lemma long_cat s t : long (s ++ t) = (long s + long t)%N.
Proof. by rewrite /long /width map_cat flatten_cat count_cat. Qed.

Lemma agree_trans t2 t1 t3 : agree t1 t2 -> agree t2 t3 -> agree t1 t3.
Proof.
case=> s1 a1 [s2 a2]; split=> [|i i1]; first by rewrite s1.
by have [-> ->] := a1 i i1; apply: a2; rewrite -s1.
Qed.

Lemma agree_cons x y t t' : count_of m x.2 = count_of m y.2 ->
  (forall i, (i < count_of m x.2)%N -> at_axis [:: x] i = at_axis [:: y] i /\ sign [:: x] i = sign [:: y] i) ->
  agree t t' -> agree (x :: t) (y :: t').
Proof.
move=> sxy same [st at_]; split=> [|i]; rewrite !long_cons ?sxy ?st // => i_n.
case: (ltnP i (count_of m x.2)) => ix.
  have iy : (i < count_of m y.2)%N by rewrite -sxy.
  by have [-> ->] := at_first t ix; have [-> ->] := same i ix; have [-> ->] := at_first t' iy.
have iy : (count_of m y.2 <= i)%N by rewrite -sxy.
have [|-> ->] := @at_later x t i ix; first by rewrite -/(long _) long_cons sxy st.
have [|-> ->] := @at_later y t' i iy; first by rewrite -/(long _) long_cons.
by rewrite sxy; have [|-> ->] := at_ (i - count_of m y.2)%N; rewrite // ltn_subLR // st.
Qed.

Lemma agree_merged t : agree t (merged t).
Proof.
elim: t => [|x t IH] //=; case tE: (merged t) IH => [|y t'] IH; first exact: agree_cons.
case: ifP => [/andP [/eqP yx sx] | _]; last exact: agree_cons.
apply: (@agree_trans [:: x, y & t']); first exact: agree_cons.
case: x y yx sx {IH tE} => k z [k' z'] /= -> sk; split=> [|i]; rewrite !long_cons /= ?count_cat ?addnA // => i_n.
have both j : (j < count_of m z + count_of m z')%N -> at_axis ((k, z ++ z') :: t') j = j /\ sign ((k, z ++ z') :: t') j = 1.
  by move=> jz; have [|-> ->] := @at_first (k, z ++ z') t' j; rewrite /= ?count_cat //; apply: at_still; rewrite ?count_cat.
case: (ltnP i (count_of m z)) => iz.
  have [-> ->] := @at_first (k, z) ((k, z') :: t') i iz; have [-> ->] := at_still sk iz.
  by have [|-> ->] := both i; rewrite // ltn_addr.
have [| |-> ->] := @at_later (k, z) ((k, z') :: t') i; rewrite // -?/(long _) ?long_cons ?addnA //=.
case: (ltnP i (count_of m z + count_of m z')) => iz'.
  have iz2 : (i - count_of m z < count_of m z')%N by rewrite ltn_subLR.
  have [-> ->] := @at_first (k, z') t' _ iz2; have [-> ->] := at_still sk iz2.
  by have [|-> ->] := both i; rewrite // subnKC.
have [| |-> ->] := @at_later (k, z') t' (i - count_of m z)%N; rewrite // -?/(long _) ?long_cons /= ?leq_subRL ?ltn_subLR ?addnA //.
have [| |-> ->] := @at_later (k, z ++ z') t' i; rewrite // -?/(long _) ?long_cons /= ?count_cat //.
by rewrite subnDA.
Qed.

Definition alike_parts (x y : kind * extent) := count_of m x.2 = count_of m y.2 /\
  forall i, (i < count_of m x.2)%N -> at_axis [:: x] i = at_axis [:: y] i /\ sign [:: x] i = sign [:: y] i.

Lemma same_kindE k z k' z' : same_kind k z k' z' -> alike_parts (k, z) (k', z').
Proof.
have one k1 z1 k2 z2 : (k1 == k2) && (if still k1 then same_size z1 z2 else z1 == z2) -> alike_parts (k1, z1) (k2, z2).
  case/andP => /eqP ->; case: ifP => [sk /(count_same m) zE | _ /eqP -> //]; split=> // i iz.
  by have [-> ->] := at_still sk iz; have [|-> ->] := @at_still k2 z2 i sk; rewrite -?zE.
elim: k z k' z' => [||| l | k _ | a IHa z1 b IHb z2] z k' z'; rewrite [same_kind _ _ _ _]/=; case: ifP => [/one // | _] //.
case: k' => // a' z1' b' z2' /and4P [/(count_product m) zE /(count_same m) zz' /IHa [e1 at1] /IHb [e2 at2]].
split=> // i iz; have [-> ->] := at_prod a b zE iz.
have [||-> ->] := @at_prod a' z1' b' z2' z' i; rewrite -?zz' -?[X in (_ = X * _)%N]e1 -?[X in (_ = _ * X)%N]e2 //.
have n2 : (0 < count_of m z2)%N by move: iz; rewrite zE; case: (count_of m z2); rewrite // muln0.
have [|-> ->] := at1 (i %/ count_of m z2)%N; first by rewrite /= ltn_divLR // -zE.
have [|-> ->] := at2 (i %% count_of m z2)%N; first by rewrite /= ltn_pmod.
by move: e2 => /= ->.
Qed.

Lemma agree_same t t' : same_parts t t' -> agree t t'.
Proof.
move=> same; have back : agree (merged t) (merged t').
  move: same; rewrite /same_parts; elim: (merged t) (merged t') => [|[k z] s IH] [|[k' z'] s'] //= /andP [/same_kindE [zE at_] /IH].
  exact: agree_cons.
have [s a] := agree_merged t; have [s' a'] := agree_merged t'; have [sb b] := back.
split=> [|i i_n]; first by rewrite s sb.
have [-> ->] := a i i_n; have [|-> ->] := b i; first by rewrite -s.
by have [|-> ->] := a' i; rewrite // s' -sb -s.
Qed.

Lemma parts_of_agree t z i : fits t z -> (i < count_of m z)%N ->
  [/\ long (parts_of t z) = count_of m z, at_axis (parts_of t z) i = at_axis t i & sign (parts_of t z) i = sign t i].
Proof.
rewrite /fits /parts_of; have [/eqP -> _ iz | nt pz _] := boolP (fixed t).
  have [-> ->] := @at_still Fix z i isT iz.
  by rewrite at_fixed sign_fixed long_cons addn0.
by split=> //; apply: count_same.
Qed.

Lemma at_cat s t i : (i < long s + long t)%N ->
  if (i < long s)%N then at_axis (s ++ t) i = at_axis s i /\ sign (s ++ t) i = sign s i
  else at_axis (s ++ t) i = (long s + at_axis t (i - long s))%N /\ sign (s ++ t) i = sign t (i - long s).
Proof.
elim: s i => [|x s IH] i //; first by rewrite [long [::]]/= ltn0 subn0.
rewrite cat_cons !long_cons -addnA => i_n; case: (ltnP i (count_of m x.2)) => ix.
  have [-> ->] := at_first (s ++ t) ix; have [-> ->] := at_first s ix.
  by rewrite ltn_addr.
have [| -> ->] := @at_later x (s ++ t) i ix.
  by rewrite -/(long _) long_cons long_cat.
have := IH (i - count_of m x.2)%N; rewrite !ltn_subLR // => /(_ i_n).
case: ifP => i_s [-> ->]; last by rewrite addnA subnDA.
by have [| -> ->] := @at_later x s i ix; rewrite // -/(long _) long_cons.
Qed.

Lemma long_parts t z : fits t z -> long (parts_of t z) = count_of m z.
Proof.
move=> fz; rewrite /parts_of; case: ifP => [_ | nt]; first by rewrite long_cons addn0.
by move: fz; rewrite /fits nt; apply: count_same.
Qed.

(* Two axes in one. *)
Definition is_product s t r := long r = (long s * long t)%N /\ forall i, (i < long r)%N ->
  at_axis r i = (at_axis s (i %/ long t) * long t + at_axis t (i %% long t))%N /\
  sign r i = sign s (i %/ long t) * sign t (i %% long t).

Lemma long1 x : long [:: x] = count_of m x.2. Proof. by rewrite long_cons addn0. Qed.

Lemma prod_product a z1 b z2 z : count_of m z = (count_of m z1 * count_of m z2)%N ->
  is_product [:: (a, z1)] [:: (b, z2)] [:: (Prod a z1 b z2, z)].
Proof. by move=> zE; split=> [|i]; rewrite !long1 //; apply: at_prod. Qed.

Lemma pair_product k z y : is_product [:: (k, z)] [:: y] [:: pair_part k z y].
Proof.
have plain k1 w y1 : is_product [:: (k1, w)] [:: y1] [:: (Prod k1 w y1.1 y1.2, product_size w y1.2)].
  by case: y1 => k2 w2; apply: prod_product; rewrite count_times.
elim: k z y => [||| l | k _ | a IHa z1 b IHb z2] z y; try exact: plain.
  case: y => k w /=; case: k => [||| l | k | k w1 c w2]; try exact: (plain _ _ (_, _)).
    split=> [|i]; rewrite !long1 count_times //= => iz; have [n2 i1 i2] := below_product iz.
    have [-> ->] := @at_still Fix (product_size z w) i isT ltac:(by rewrite count_times).
    have [-> ->] := @at_still Fix z _ isT i1; have [-> ->] := @at_still Fix w _ isT i2.
    by rewrite -divn_eq mulr1.
  case: k => [||| l | k | k ? ? ?]; try exact: (plain _ _ (_, _)); case: ifP => [/(count_product m) wE | _]; last exact: (plain _ _ (_, _)).
  split=> [|i]; rewrite !long1 count_times //= => iz; have [n2 i1 i2] := below_product iz.
  have e : count_of m (product_size z w) = (count_of m (product_size z w1) * count_of m w2)%N by rewrite !count_times wE mulnA.
  have iz' : (i < count_of m (product_size z w))%N by rewrite count_times.
  have [-> ->] := at_prod Fix c e iz'; rewrite e in iz'; have [m2 j1 _] := below_product iz'.
  have [-> ->] := @at_still Fix _ _ isT j1; have [-> ->] := @at_still Fix z _ isT i1; have [-> ->] := at_prod Fix c wE i2.
  rewrite wE in i2 *; have [_ j2 _] := below_product i2; have [-> ->] := @at_still Fix w1 _ isT j2.
  have [e1 e2 e3] := mixed_radix i (count_of m w1) (count_of m w2); rewrite e3 !mul1r -e2 addnA; split=> //; congr addn.
  by rewrite mulnA -mulnDl -e1 -divn_eq.
rewrite /=; case: ifP => [/(count_product m) zE | _]; last exact: plain.
have [l2 inner] := IHb z2 y; have [l1 outer] := IHa z1 (pair_part b z2 y).
have lE : long [:: pair_part b z2 y] = (count_of m z2 * count_of m y.2)%N by rewrite l2 !long1.
split=> [|i iz]; first by rewrite l1 lE !long1 zE mulnA.
have [-> ->] := outer i iz; move: iz; rewrite l1 lE !long1 /= => iz; have [n2 i1 i2] := below_product iz.
have [|-> ->] := inner (i %% (count_of m z2 * count_of m y.2))%N; first by rewrite lE.
have [_ j1 _] := @below_product i (count_of m z) (count_of m y.2) ltac:(by rewrite zE -mulnA).
have [-> ->] := at_prod a b zE j1; rewrite long1.
have [e1 e2 e3] := mixed_radix i (count_of m z2) (count_of m y.2); rewrite -e1 -e2 e3 -!mulrA; split=> //.
by rewrite mulnDl addnA mulnA.
Qed.

Lemma units_count x : units x -> count_of m x.2 = size x.2.
Proof.
case: x => k z /andP [_ /eqP /= ->]; rewrite size_nseq countE big_nseq /product_at /=.
by elim: (size z) => // n /= ->.
Qed.

Lemma copies_product n z t : count_of m z = n -> is_product [:: (Fix, z)] t (flatten (nseq n t)).
Proof.
move=> zn; have lE k : long (flatten (nseq k t)) = (k * long t)%N.
  by elim: k => //= k IH; rewrite long_cat IH.
split=> [|i]; rewrite lE ?long1 ?zn // => i_n; have [l0 j1 j2] := below_product i_n.
have [|-> ->] := @at_still Fix z (i %/ long t)%N isT; rewrite ?zn // mul1r.
elim: n i {zn j1 j2} i_n => [|n IH] i //; rewrite mulSn => i_n.
have := @at_cat t (flatten (nseq n t)) i; rewrite lE => /(_ i_n) /=; case: (ltnP i (long t)) => it [-> ->].
  by rewrite divn_small // modn_small.
have it1 : (1 * long t <= i)%N by rewrite mul1n.
have [e1 e2] := later_rows l0 it1; rewrite mul1n in e1 e2.
have [|-> ->] := IH (i - long t)%N; rewrite ?ltn_subLR // e1 e2 addnA -{1}[long t]mul1n -mulnDl; split=> //.
by rewrite subnKC // divn_gt0.
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
have [l1 at1] := part_product oneE; have [l2 at2] := IH _ restE; rewrite long1 in l1.
have lE : long (one ++ rest) = (long (x :: s) * long t)%N by rewrite long_cat l1 l2 long_cons mulnDl.
split=> // i i_n; rewrite lE in i_n; have [l0 j1 _] := below_product i_n.
have := @at_cat one rest i; rewrite -long_cat lE => /(_ i_n); rewrite l1; case: ltnP => ix [-> ->].
  have [|-> ->] := at1 i; first by rewrite l1.
  by have [|-> ->] := @at_first x s (i %/ long t)%N; rewrite // ltn_divLR.
have i_r : (i - count_of m x.2 * long t < long rest)%N by rewrite ltn_subLR // -l1 -long_cat lE.
have [-> ->] := at2 _ i_r; have jx : (count_of m x.2 <= i %/ long t)%N by rewrite leq_divRL.
have [e1 e2] := later_rows l0 ix; rewrite e1 e2; have [-> ->] := at_later jx j1; split=> //.
by rewrite mulnDl addnA.
Qed.

(* An entry of joined axes, and where the group moves it. *)
Lemma joined_moved (part : nat * extent -> axis) (rows : seq (nat * extent)) i :
  (forall r, r \in rows -> fits (part r) r.2) ->
  let t := flatten [seq parts_of (part r) r.2 | r <- rows] in
  if (i < long t)%N then exists r k, [/\ r \in rows, joined m rows i = Some (r.1, k),
      joined m rows (at_axis t i) = Some (r.1, at_axis (part r) k) & sign t i = sign (part r) k]
  else joined m rows i = None.
Proof.
elim: rows i => [|[a z] rows IH] i fitting //=; set s := parts_of _ _; set t := flatten _.
have fz := fitting _ (mem_head _ _); have long_s : long s = count_of m z := long_parts fz.
have rest r : r \in rows -> fits (part r) r.2 by move=> rr; apply: fitting; rewrite inE rr orbT.
rewrite long_cat; case: ifP => [i_n | far]; last first.
  have zi : (count_of m z <= i)%N by rewrite leqNgt; apply/negP => iz; move: far; rewrite long_s ltn_addr.
  rewrite ltnNge zi /=; have := IH (i - count_of m z)%N rest; rewrite -/t /=; case: ifP => // i_t.
  by move: far; rewrite long_s -ltn_subLR // i_t.
have := at_cat i_n; case: ifP => i_s [-> ->].
  have iz : (i < count_of m z)%N by rewrite -long_s.
  have [_ e1 e2] := parts_of_agree fz iz; exists (a, z), i; rewrite iz mem_head e1 e2; split=> //.
  by rewrite -e1 -long_s /long at_range -/(long _) i_s.
rewrite long_s in i_s i_n *; rewrite i_s ltnNge leq_addr addKn /=; have {}i_s : (count_of m z <= i)%N by rewrite leqNgt i_s.
have := IH (i - count_of m z)%N rest; rewrite -/t /= ltn_subLR // i_n => -[r [k [rr -> -> ->]]].
by exists r, k; rewrite inE rr orbT.
Qed.

(** * One line of a program *)

Variables (ctx : seq rtype) (cells' cells : seq (cell R)).
Hypothesis earlier : forall a, (a < size ctx)%N -> moves (nth c0 cells' a) (nth c0 cells a) (nth ty0 ctx a).

Lemma known_moves axs a ix : known ctx axs a -> size ix = size axs ->
  get cells' a ix = chi (power_of ctx a) * (weight axs ix * get cells a (moved axs ix)) /\ ok cells' a ix = ok cells a (moved axs ix).
Proof. by case/andP => /earlier move_a /eqP <-; apply: move_a. Qed.

Lemma plain_moves axs a ix : plain fam ctx axs a -> size ix = size axs -> weight axs ix = 1 ->
  get cells' a ix = get cells a (moved axs ix) /\ ok cells' a ix = ok cells a (moved axs ix).
Proof.
case/andP => /known_moves kn /chi_same e six w1; have [-> ->] := kn _ six.
by rewrite e chi0 w1 !mul1r.
Qed.

Lemma alike_moves axs e a ix : alike fam ctx axs e a -> size ix = size axs ->
  get cells' a ix = chi e * (weight axs ix * get cells a (moved axs ix)) /\ ok cells' a ix = ok cells a (moved axs ix).
Proof. by case/andP => /known_moves kn /chi_same <- /kn. Qed.

Lemma map_moves h args axs e ix : size ix = size axs -> 
  [&& (mixes fam || signed fam) ==> all fixed axs, all (plain fam ctx axs) args & same fam 0 e] ||
      (if (facts h, args) is (Some (Degree d), a :: _) then
         let axs' := axes_of ctx a in
         [&& all (alike fam ctx axs' (power_of ctx a)) args, mixes fam ==> all fixed axs', same fam (power_of ctx a * d)%R e
           & axs == if signed fam && ~~ odd `|d| then nseq (size axs') [::] else axs']
       else false) ->
  fns m h [seq get cells' a ix | a <- args] = chi e * (weight axs ix * fns m h [seq get cells a (moved axs ix) | a <- args]) /\
  all (fun a => ok cells' a ix) args && fns_ok m h [seq get cells' a ix | a <- args] =
  all (fun a => ok cells a (moved axs ix)) args && fns_ok m h [seq get cells a (moved axs ix) | a <- args].
Proof.
move=> six /orP [/and3P [wf /allP pl /chi_same <-] | ].
  rewrite chi0 (weight_plain _ wf) !mul1r; have pa a : a \in args -> _ := fun aa => plain_moves (pl _ aa) six (weight_plain _ wf).
  have -> : [seq get cells' a ix | a <- args] = [seq get cells a (moved axs ix) | a <- args].
    by apply/eq_in_map => a /pa [].
  by split=> //; congr (_ && _); apply: eq_in_all => a /pa [].
case dh: (facts h) => [[d | | | | | | | ? ?]|] //; case: args => // a args; set axs' := axes_of ctx a.
case/and4P => /allP al _ /chi_same <- /eqP axsE.
have six' : size ix = size axs' by rewrite six axsE; case: ifP => // _; rewrite size_nseq.
have pa b : b \in a :: args -> _ := fun aa => alike_moves (al _ aa) six'.
have mE : moved axs' ix = moved axs ix.
  rewrite axsE; case: (boolP (signed fam)) => //= sf; case: ifP => // _.
  by rewrite !moved_signed.
have -> : [seq get cells' b ix | b <- a :: args] =
    [seq chi (power_of ctx a) * weight axs' ix * x | x <- [seq get cells b (moved axs ix) | b <- a :: args]].
  by rewrite -map_comp; apply/eq_in_map => b /pa [-> _]; rewrite /= mulrA mE.
rewrite (homogeneous _ _ _ _ dh) (homogeneous_ok _ _ _ _ dh); split; last first.
  by congr (_ && _); apply: eq_in_all => b /pa [_ ->]; rewrite mE.
congr (_ * (_ * _)); rewrite -[in X in _ ^+ X](odd_double_half `|d|) exprD -muln2 mulnC exprM expr2 weight_square expr1n mulr1 axsE.
case: (boolP (signed fam)) => [sf | sf]; last by rewrite /= !weight_unsigned // expr1n.
by case: (odd _); rewrite ?expr1 // expr0 weight_fixed // all_nseq /fixed eqxx orbT.
Qed.

(* Along the axes of a fold or of a sort. *)
Lemma count_fits t z : fits t z -> ~~ fixed t -> count_of m z = count_of m (width t).
Proof.
rewrite /fits => /orP [-> // | eqz] _.
exact/esym/count_same.
Qed.

Lemma renumbered t z : fits t z -> perm_eq [seq at_axis t i | i <- iota 0 (count_of m z)] (iota 0 (count_of m z)).
Proof.
case: (boolP (fixed t)) => [/eqP -> _ | nt /count_fits -> //].
by rewrite (eq_map at_fixed) map_id.
Qed.

Lemma along_moves h a p t axs e z ix : along_ok fam facts h ctx (insert p t axs) e a -> (p <= size axs)%N -> size ix = size axs ->
  fits t z -> (mixes fam || signed fam) ==> fixed t && all fixed axs ->
  let xs' := along m (get cells' a) p ix z in let xs := along m (get cells a) p (moved axs ix) z in
  perm_eq (along m (ok cells' a) p ix z) (along m (ok cells a) p (moved axs ix) z) /\
  [/\ red m h xs' = chi e * red m h xs, red_ok m h xs' = red_ok m h xs & forall i, srt m h xs' i = chi e * srt m h xs i].
Proof.
move=> pa pt six fz wf xs' xs.
have kn : known ctx (insert p t axs) a.
  by case/orP: pa => [/andP [/andP [] //] |]; case: (facts h) => [[]|] // d /and3P [].
have wi k : weight (insert p t axs) (insert p k ix) = 1.
  by apply: weight_plain; apply/implyP => /(implyP wf); rewrite /insert all_cat /= andbCA -all_cat cat_take_drop.
have si k : size (insert p k ix) = size (insert p t axs) by rewrite !size_insert six.
have here k := known_moves kn (si k).
have perm (T : eqType) (v : seq nat -> T) : perm_eq [seq v (insert p (at_axis t k) (moved axs ix)) | k <- iota 0 (count_of m z)] (along m v p (moved axs ix) z).
  by rewrite (map_comp (fun k => v (insert p k _)) (at_axis t)); apply/perm_map/renumbered.
have eqp (T : eqType) (s s' : seq T) : s = s' -> perm_eq s s' by move=> ->.
split; first by apply: perm_trans (perm _ _); apply/eqp/eq_map => k; rewrite (here k).2 moved_insert.
have same : perm_eq xs' [seq chi (power_of ctx a) * x | x <- xs].
  apply: perm_trans (perm_map _ (perm _ _)); apply/eqp; rewrite -map_comp; apply: eq_map => k /=.
  by rewrite (here k).1 wi mul1r moved_insert.
rewrite (red_symmetric _ same) (red_ok_symmetric _ same); case/orP: pa => [/andP [/andP [_ /chi_same c1] /chi_same c2] |].
  have one : [seq chi (power_of ctx a) * x | x <- xs] = xs.
    by rewrite -[RHS]map_id; apply: eq_map => x; rewrite c1 chi0 mul1r.
  by rewrite one -c2 chi0 !mul1r; split=> // i; rewrite (srt_symmetric _ same) one mul1r.
case dh: (facts h) => [[d | | | | | | | ? ?]|] // /and3P [_ _ /chi_same <-].
by have [-> -> s] := homogeneous_along (power_of ctx a) xs dh; split=> // i; rewrite (srt_symmetric _ same) s.
Qed.

(* A function of arrays, along the axes that it does not see. *)
Lemma whole_moves h r (args : seq (nat * seq extent)) axs e ix : size ix = size axs ->
  rule fam g facts intys ctx (Whole h r args) (axs, e) ->
  let c' := called m h cells' args (take r ix) in let c := called m h cells args (take r (moved axs ix)) in
  c'.1 (drop r ix) = chi e * (weight axs ix * c.1 (drop r (moved axs ix))) /\ c'.2 (drop r ix) = c.2 (drop r (moved axs ix)).
Proof.
move=> six /and5P [/allP kn rs fx fitting follows] c' c; rewrite {}/c' {}/c.
have st : size (take r ix) = size (take r axs) by rewrite !size_take six.
have w1 : weight (take r axs) (take r ix) = 1 by apply: weight_plain.
have := moved_cat (drop r axs) (drop r ix) st; rewrite !cat_take_drop => ->.
have := weight_cat (drop r axs) (drop r ix) st; rewrite !cat_take_drop w1 mul1r => ->.
have sr : size (moved (take r axs) (take r ix)) = r.
  by rewrite moved_size size_take six; case: ltngtP rs.
rewrite take_size_cat // drop_size_cat //.
have here x : x \in args -> moves (inner cells' x.1 (take r ix)) (inner cells x.1 (moved (take r axs) (take r ix))) (seen_of ctx r x.1).
  move=> xa jx sj; have [|v d] := known_moves (ix := take r ix ++ jx) (kn x xa); first by rewrite !size_cat st sj.
  by rewrite /= v d moved_cat // weight_cat // w1 mul1r.
case/orP: follows => [/and3P [/allP still fd /chi_same ce] | adm].
  rewrite -ce chi0 (weight_fixed _ fd) (moved_fixed _ fd) !mul1r.
  have [|-> ->] // := @called_same _ m h cells' cells args (take r ix) (moved (take r axs) (take r ix)).
  move=> x xa jx sj; have /andP [fs /chi_same pe] := still _ (map_f (fun x => seen_of ctx r x.1) xa).
  have sz : size jx = size (seen_of ctx r x.1).1.
    by move: fitting; rewrite all2_maps => /allP /(_ x xa); rewrite all2E sj => /andP [/eqP].
  by have := here x xa jx sz; rewrite /= pe chi0 (weight_fixed _ fs) (moved_fixed _ fs) !mul1r.
rewrite !calledE; apply: (obeyed adm) => [|||k|]; rewrite ?size_map ?size_drop ?six // => ka.
by rewrite !(nth_map (0%N, [::])) //; apply: here; rewrite mem_nth.
Qed.

(** * Contractions *)

Section Contract.
Variables (rows : seq (nat * seq place)) (summed : seq (nat * extent)) (out : seq nat) (axs : seq axis).
Let occs := occurrences ctx rows.
Let T := act_along occs out axs.
Hypothesis rowsP : all (fun r => (r.1 < size ctx)%N && (size r.2 == size (axes_of ctx r.1))) rows.
Hypothesis placesP : all (place_ok fam g occs T) occs.
Definition moved_env (e : env) : env := fun l => at_axis (T l) (e l).

Lemma steps_moved e c i w : fam = C -> (forall j, at_axis (whole g) j = j + c %[mod count_of m g])%N ->
  (0 < count_of m g)%N -> steps g T i = Some w ->
  ((at_ m (moved_env e) i)%:Z = (at_ m e i)%:Z + w * c%:Z %[mod (count_of m g)%:Z])%Z.
Proof.
move=> fC rc gp; set N := count_of m g.
elim: i w => [l | k | z | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb] w //=.
- rewrite /moved_env; case: ifP => [/eqP -> | _]; first by case=> <-; rewrite at_fixed mul0r addr0.
  case: eqP => // -> [<-]; rewrite mul1r; have := rc (e l) => /eqP.
  by rewrite -PoszD !modz_nat => /eqP ->.
- by case=> <-; rewrite mul0r addr0.
- by case=> <-; rewrite mul0r addr0.
- case: (steps g T a) IHa => // x /(_ _ erefl) ea; case: (steps g T b) IHb => // y /(_ _ erefl) eb [<-].
  rewrite !PoszD -modzDm ea eb modzDm; congr (_ %% _)%Z; rewrite mulrDl; exact: addrACA.
- have back z : a = Minus (Size z) (Num 1) -> z == g -> forall y, steps g T b = Some y ->
      ((at_ m (moved_env e) a * at_ m (moved_env e) b)%N%:Z = (at_ m e a * at_ m e b)%N%:Z + - y * c%:Z %[mod N%:Z])%Z.
    move=> -> /eqP -> y sy; rewrite /= -/N; have {IHb} eb := IHb _ sy.
    have neg (x : nat) : (((N - 1) * x)%N%:Z = - x%:Z %[mod N%:Z])%Z.
      by rewrite PoszM -subzn // mulrBl mul1r mulrC modzMDl.
    by rewrite neg -[RHS]modzDml neg modzDml -modzNm eb modzNm opprD mulNr.
  case: a IHa back => //= [k _ _ | a1 a2 _ back].
    case: (steps g T b) IHb => // y /(_ _ erefl) eb [<-].
    by rewrite !PoszM -modzMmr eb modzMmr mulrDr mulrA.
  case: a1 a2 back => //= z [] //= [] //= [] //= back.
  case sb: (steps g T b) => [y|] //; case: ifP => // zg [<-].
  exact: (back z erefl zg y sb).
Qed.

Lemma round_moved e o : round fam g T o -> at_axis o.2 (at_ m e o.1) = at_ m (moved_env e) o.1.
Proof.
rewrite /round; case famE: fam => //; case: (o.1) => //= a [] //= z /andP [/eqP ->].
have [gp [c rc]] := at_round famE; case: ifP => [/eqP -> /eqP st | _ /andP [/eqP -> /eqP st]].
  rewrite at_fixed; apply/eqP; rewrite -eqz_nat -!modz_nat; apply/eqP.
  by rewrite (steps_moved e famE rc gp st) mul0r addr0.
have lt : (at_axis (whole g) (at_ m e a %% count_of m g) < count_of m g)%N.
  by have := at_range (whole g) (at_ m e a %% count_of m g); rewrite /width /= cats0 => ->; rewrite ltn_pmod.
rewrite -(modn_small lt) rc modnDml; apply/eqP; rewrite -eqz_nat -!modz_nat; apply/eqP.
by rewrite (steps_moved e famE rc gp st) mul1r PoszD.
Qed.

Lemma at_moved e o : place_ok fam g occs T o -> at_axis o.2 (at_ m e o.1) = at_ m (moved_env e) o.1.
Proof.
have [sf _ | sf] := boolP (signed fam).
  by rewrite at_signed //; apply: (@at_ext _ m) => l _; rewrite /moved_env at_signed.
have nolabel : fixed o.2 && (signed fam || all (fun l => fixed (T l)) (labels_of o.1)) || round fam g T o ->
    at_axis o.2 (at_ m e o.1) = at_ m (moved_env e) o.1.
  case/orP; last exact: round_moved.
  rewrite (negbTE sf) => /andP [/eqP -> /allP none]; rewrite at_fixed.
  by apply: (@at_ext _ m) => l /none /eqP; rewrite /moved_env => ->; rewrite at_fixed.
move: nolabel; rewrite /place_ok; case: (o.1) => //= l _.
by case: (fam) moving sf => //= _ _ /eqP ->.
Qed.

Lemma ats_moved e is_ ts : size is_ = size ts -> all (place_ok fam g occs T) (zip is_ ts) ->
  moved ts [seq at_ m e i | i <- is_] = [seq at_ m (moved_env e) i | i <- is_].
Proof. by elim: is_ ts => [|i is_ IH] [|t ts] //= [sz] /andP [/(at_moved e) /= -> /IH ->]. Qed.

Lemma row_places r : r \in rows -> all (place_ok fam g occs T) (zip r.2 (axes_of ctx r.1)).
Proof.
move=> inr; apply/allP => o oz; apply: (allP placesP); apply/flattenP.
by exists (zip r.2 (axes_of ctx r.1)); first exact: (map_f (fun r => zip r.2 (axes_of ctx r.1))).
Qed.

Definition signs (e : env) := \prod_(o <- occs) sign o.2 (at_ m e o.1).

Lemma body_moved e :
  body m cells' rows e = chi (foldr +%R 0%R [seq power_of ctx r.1 | r <- rows]) * (signs e * body m cells rows (moved_env e)).
Proof.
rewrite /body /signs /occs /occurrences; have := row_places; elim: rows rowsP => [|r rs IH] /=.
  by rewrite !big_nil chi0 !mulr1.
case/andP => /andP [rc /eqP sr] rest places; rewrite big_cat !big_cons /= chiD IH //; last first.
  by move=> r' r's; apply: places; rewrite inE r's orbT.
have [| | -> _] := @known_moves (axes_of ctx r.1) r.1 [seq at_ m e i | i <- r.2]; rewrite ?size_map // /known ?rc ?eqxx //.
rewrite ats_moved ?places ?inE ?eqxx //.
have -> : weight (axes_of ctx r.1) [seq at_ m e i | i <- r.2] = \prod_(o <- zip r.2 (axes_of ctx r.1)) sign o.2 (at_ m e o.1).
  elim: (r.2) (axes_of ctx r.1) sr => [|i is_ IHi] [|t ts] //= => [_ | [sz]]; first by rewrite big_nil.
  by rewrite big_cons IHi.
by rewrite mulrACA; congr (_ * _); rewrite mulrACA.
Qed.

Lemma body_ok_moved e : body_ok m cells' rows e = body_ok m cells rows (moved_env e).
Proof.
apply: eq_in_all => r inr; have /andP [rc /eqP sr] := allP rowsP r inr.
have [| | _ ->] := @known_moves (axes_of ctx r.1) r.1 [seq at_ m e i | i <- r.2]; rewrite ?size_map // /known ?rc ?eqxx //.
by rewrite ats_moved // row_places.
Qed.

Hypothesis uo : uniq out.
Hypothesis cover : all (fun l => (l \in out) || (l \in [seq x.1 | x <- summed])) (labels rows).
Hypothesis keptP : all (kept_ok fam occs T) out.
Hypothesis summedP : all (fun x => summed_ok fam occs T x.1 x.2) summed.
Hypothesis so : size axs = size out.

Lemma kept_axes e : weight axs [seq e l | l <- out] = \prod_(l <- out) sign (T l) (e l).
Proof.
have -> : axs = [seq T l | l <- out].
  apply: (@eq_from_nth _ [::]) => [|i ia]; first by rewrite size_map.
  by rewrite so in ia; rewrite (nth_map 0%N) // /T /act_along mem_nth // index_uniq.
by elim: (out) => [|l ls IH] /=; rewrite ?big_nil // big_cons IH.
Qed.

(* In the product of all signs each label is left as often as the result has it, but for squares. *)
Lemma signs_kept e : signs e = weight axs [seq e l | l <- out].
Proof.
have [sf | sf] := boolP (signed fam); last first.
  by rewrite weight_unsigned // /signs big1 // => o _; rewrite sign_unsigned.
have famE : fam = Signs by case: (fam) sf.
pose f l := sign (act_of occs l) (e l).
pose ls := [seq (if o.1 is Lab l then l else 0%N) | o <- occs & ~~ fixed o.2].
have lab o : o \in occs -> ~~ fixed o.2 -> exists2 l, o.1 = Lab l & o.2 = act_of occs l.
  move=> /(allP placesP); rewrite /place_ok /round famE.
  case: (o.1) => [l | n | z | p q | p q | p q | p q | p q]; try by rewrite orbF => /andP [->].
  by case/orP => [-> // | /eqP -> _]; exists l.
have -> : signs e = \prod_(l <- ls) f l.
  rewrite /signs /ls big_map big_filter (bigID (fun o : place * axis => fixed o.2)) /= big1 ?mul1r => [|o /eqP ->]; last exact: sign_fixed.
  rewrite big_seq_cond [RHS]big_seq_cond; apply: eq_bigr => o /andP [oo no]; have [l e1 e2] := lab o oo no.
  by rewrite e1 e2.
have times l : count_mem l ls = size (acted occs l).
  rewrite /ls count_map count_filter /acted /seen size_filter count_map count_filter; apply: eq_in_count => o oo /=.
  have [fo | no] := boolP (fixed o.2); first by rewrite !andbF.
  by have [k -> _] := lab o oo no; rewrite /= ?andbT ?andTb.
have odd_out l : odd (count_mem l ls) -> l \in out.
  rewrite times => od; have inl : l \in ls by rewrite -has_pred1 has_count times; case: (size _) od.
  have ll : l \in labels rows.
    move: inl; case/mapP => o; rewrite mem_filter => /andP [no oo] le; have [k e1 _] := lab o oo no.
    move: le; rewrite e1 => ->; case/flattenP: oo => zs /mapP [r inr ->] oz.
    apply/flattenP; exists (labels_of o.1); last by rewrite e1 inE.
    apply: map_f; apply/flattenP; exists r.2; first exact: map_f.
    elim: (r.2) (axes_of ctx r.1) oz => [|i is_ IH] [|t ts] //=.
    by rewrite inE => /orP [/eqP -> | /IH inn]; rewrite inE ?eqxx ?inn ?orbT.
  have := allP cover l ll; case/orP => // /mapP [x xs e1]; have := allP summedP x xs.
  by rewrite /summed_ok famE -e1 od.
have odd_power (x : R) n : x * x = 1 -> x ^+ n = if odd n then x else 1.
  by move=> xx; rewrite -[in LHS](odd_double_half n) exprD -muln2 mulnC exprM expr2 xx expr1n mulr1; case: (odd n).
rewrite kept_axes -big_undup_iterop_count /=.
transitivity (\prod_(l <- undup ls | odd (count_mem l ls)) f l).
  rewrite [RHS]big_mkcond; apply: eq_bigr => l _; rewrite -[LHS]/(f l ^+ count_mem l ls).
  by rewrite odd_power // sign_square.
transitivity (\prod_(l <- out | odd (count_mem l ls)) f l).
  rewrite -big_filter -[RHS]big_filter; apply: perm_big; apply: uniq_perm; rewrite ?filter_uniq ?undup_uniq // => l.
  rewrite !mem_filter mem_undup; case: (boolP (odd _)) => //= od; rewrite odd_out // -has_pred1 has_count.
  by case: (count _ _) od.
rewrite big_mkcond big_seq [RHS]big_seq; apply: eq_bigr => l lo.
have := allP keptP l lo; rewrite /kept_ok famE -times => /eqP ->.
by case: ifP => _ //; rewrite sign_fixed.
Qed.

Lemma signs_out : ext (mem out) (fun e => chi (foldr +%R 0%R [seq power_of ctx r.1 | r <- rows]) * signs e).
Proof. by move=> e e' same; rewrite !signs_kept; congr (_ * weight _ _); apply/eq_in_map. Qed.

Lemma summed_renumbered x : x \in summed ->
  perm_eq [seq at_axis (T x.1) i | i <- iota 0 (count_of m x.2)] (iota 0 (count_of m x.2)).
Proof.
move=> /(allP summedP); rewrite /summed_ok; have [sf _ | sf] := boolP (signed fam).
  by rewrite (eq_map (at_signed sf _)) map_id.
by case: (fam) moving sf => //= _ _; apply: renumbered.
Qed.

Hypothesis disj : all (fun l => l \notin out) [seq x.1 | x <- summed].

Lemma contract_moves ix : size ix = size axs ->
  over m (@total R) summed (body m cells' rows) (bind out ix) =
    chi (foldr +%R 0%R [seq power_of ctx r.1 | r <- rows]) *
    (weight axs ix * over m (@total R) summed (body m cells rows) (bind out (moved axs ix))) /\
  over m every summed (body_ok m cells' rows) (bind out ix) =
  over m every summed (body_ok m cells rows) (bind out (moved axs ix)).
Proof.
move=> six; have agree l : l \in labels rows -> l \notin [seq x.1 | x <- summed] ->
    moved_env (bind out ix) l = bind out (moved axs ix) l.
  move=> ll lsl; have lo : l \in out by have := allP cover l ll; rewrite (negbTE lsl) orbF.
  by rewrite /moved_env /bind moved_nth // /T /act_along lo.
split.
  rewrite (@over_same _ _ _ _ _ _ (fun e => (chi (foldr +%R 0%R [seq power_of ctx r.1 | r <- rows]) * signs e) * body m cells rows (moved_env e))).
    rewrite (@over_scaled _ m _ _ _ _ _ signs_out) => [|x xs]; last by apply: (allP disj); apply: map_f.
    rewrite signs_kept map_bind -?so // -mulrA; congr (_ * (_ * _)).
    rewrite (over_renumbered (r := fun l => at_axis (T l)) _ (@total_symmetric R) (@body_ext _ m cells rows) _ summed_renumbered) //.
    exact: over_agree (@body_ext _ m cells rows) agree.
  by move=> e; rewrite body_moved mulrA.
rewrite (over_renumbered (r := fun l => at_axis (T l)) (F := body_ok m cells rows) _ every_symmetric (@body_ok_ext _ m cells rows) _ summed_renumbered) //.
  exact: over_agree (@body_ok_ext _ m cells rows) agree.
exact: body_ok_moved.
Qed.
End Contract.

Variables (ins' ins : nat -> cell R).
Hypothesis given : forall k, (k < size intys)%N -> moves (ins' k) (ins k) (nth ty0 intys k).

Lemma dual_same t : dual fam t = t.
Proof. by rewrite /dual -[RHS]map_id; apply: eq_map => -[k z]; case: (fam) moving => // _; case: k. Qed.

(* Entries side by side. *)
Lemma join_moves rows p axs e : rule fam g facts intys ctx (Join rows p) (axs, e) ->
  moves (compute m ins' cells' (Join rows p), defined m ins' cells' (Join rows p))
        (compute m ins cells (Join rows p), defined m ins cells (Join rows p)) (axs, e).
Proof.
case/and3P => ps /allP al same ix six /=; set t := nth [::] axs p in al same; rewrite moved_nth // -/t moved_size six ps /=.
have rf : reflects fam = false by case: (fam) moving.
pose part r := nth [::] (axes_of ctx (r : nat * extent).1) p; set i := nth 0%N ix p.
have here r k : r \in rows -> sign (part r) k = sign t i ->
    get cells' r.1 (put p k ix) = chi e * (weight axs ix * get cells r.1 (put p (at_axis (part r) k) (moved axs ix))) /\
    ok cells' r.1 (put p k ix) = ok cells r.1 (put p (at_axis (part r) k) (moved axs ix)).
  move=> rr sE; have /and3P [kn _] := al r rr; rewrite rf orbF => /chi_same ce.
  have [|-> ->] := known_moves (ix := put p k ix) kn; first by rewrite !size_put // six.
  by rewrite ce moved_put // weight_put.
have parts : [seq part_in fam ctx e p r | r <- rows] = [seq parts_of (part r) r.2 | r <- rows].
  by apply/eq_in_map => r rr; rewrite /part_in; have /and3P [_ _] := al r rr; rewrite rf orbF => ->.
case: ifP same => [/eqP fp /allP still_ | nt same].
  rewrite fp at_fixed; case J: (joined m rows i) => [[a k]|]; last by rewrite !mulr0.
  have [r rr ra] := joined_in J; have /eqP fr := still_ r rr; rewrite -ra.
  by have [|-> ->] := here r k rr; rewrite /part fr ?at_fixed // fp !sign_fixed.
have [lt at_] := agree_same same; rewrite parts // in lt at_.
have := @joined_moved part rows i (fun r rr => ltac:(by have /and3P [_ ->] := al r rr)).
set u := flatten _ in lt at_ *; rewrite /=; case: ifP => [i_n [r [k [rr Ji Jm su]]] | far Ji].
  have [e1 e2] := at_ i i_n; rewrite -e1 Jm Ji; apply: here => //; exact: esym (etrans (esym e2) su).
rewrite Ji; have := @joined_moved part rows (at_axis t i) (fun r rr => ltac:(by have /and3P [_ ->] := al r rr)).
by rewrite -/u /= lt /long at_range -/(long t) -lt far => ->; rewrite !mulr0.
Qed.

(* Views: axes that are seen as others. *)
Definition inside_view v z w (x : seq nat) := all2 (fun z i => i < count_of m z)%N (view_sizes v z w) x.
Definition at_view v z w (x : seq nat) := [seq at_ m (nth 0%N x) i | i <- view_places v z w].

Lemma fits_range t z i : fits t z -> (at_axis t i < count_of m z)%N = (i < count_of m z)%N.
Proof.
by move=> fz; have [/eqP -> | nt] := boolP (fixed t); [rewrite at_fixed | rewrite (count_fits fz nt) at_range].
Qed.

Lemma products_moved t1 t2 t z w r i : fits t1 z -> fits t2 w -> fits t (product_size z w) ->
  axis_times (parts_of t1 z) (parts_of t2 w) = Some r -> same_parts r (parts_of t (product_size z w)) ->
  let n := count_of m w in (i < count_of m z * n)%N ->
  at_axis t i = (at_axis t1 (i %/ n) * n + at_axis t2 (i %% n))%N /\ sign t i = sign t1 (i %/ n) * sign t2 (i %% n).
Proof.
move=> f1 f2 f /axis_product [lr at_r] /agree_same [lE at_] n iz; have [n0 i1 i2] := below_product iz.
rewrite (long_parts f1) (long_parts f2) in lr at_r.
have [|_ <- <-] := @parts_of_agree t (product_size z w) i f; first by rewrite count_times.
have ir : (i < long r)%N by rewrite lr.
have [<- <-] := at_ i ir; have [-> ->] := at_r i ir.
have [_ -> ->] := parts_of_agree f1 i1; by have [_ -> ->] := parts_of_agree f2 i2.
Qed.

Lemma view_inner v z w us ts x : view_ok v z w false us ts -> size us = size (view_places v z w) ->
  size ts = size (view_sizes v z w) -> size x = size ts ->
  inside_view v z w (moved ts x) = inside_view v z w x /\
  (inside_view v z w x -> moved us (at_view v z w x) = at_view v z w (moved ts x) /\ weight us (at_view v z w x) = weight ts x).
Proof.
rewrite /view_ok andbT; case: ifP => [/andP [fu ft] _ _ _ _ | _].
  by rewrite !moved_fixed // !weight_fixed.
case: v; case: us => [|u [|u2 [|? ?]]] //; case: ts => [|t [|t2 [|? ?]]] //; case: x => [|i [|j [|? ?]]] //=.
- case: ifP => // fw; rewrite /inside_view /at_view /= fits_range // andbT => ok _ _ _; split=> // iw.
  case sE: (if fixed u then _ else _) ok => [s|] //= /agree_same [ls at_s].
  have [lw t_at t_sign] := parts_of_agree fw iw; rewrite mulr1; case: ifP sE => [/eqP -> [sE] | _].
    rewrite -sE long1 in at_s; have [|] := at_s i; rewrite // t_at t_sign.
    by have [-> ->] := @at_still Fix w i isT iw; rewrite at_fixed sign_fixed mulr1 => <- <-.
  case: (part_at u z w) => [[[s1 s'] s2]|] //; case: ifP => // /and3P [/agree_same [lu at_u] /(count_same m) l1 /(count_same m) l2] [sE].
  subst s'; rewrite -/(long s1) in l1; rewrite -/(long s) in l2; rewrite mulr1; have i_n : (long s1 + i < long s1 + (long s + long s2))%N by rewrite ltn_add2l l2 ltn_addr.
  have := at_cat (s := s1) (t := s ++ s2); rewrite long_cat => /(_ _ i_n); rewrite ltnNge leq_addr addKn /= l1 => -[e1 e2].
  have [|-> ->] := at_u (count_of m z + i)%N; first by rewrite lu !long_cat -l1.
  have := at_cat (s := s) (t := s2) (i := i); rewrite l2 => /(_ (ltn_addr _ iw)); rewrite iw => -[e3 e4].
  by rewrite e1 e2 e3 e4; have [|-> ->] := at_s i; rewrite ?l2 // t_at t_sign.
- case: ifP => // /and3P [f1 f2 f]; case rE: (axis_times _ _) => [r|] // same _ _ _.
  rewrite /inside_view /at_view /= !fits_range // andbT; split=> // /andP [iz jw].
  have k_n : (i * count_of m w + j < count_of m z * count_of m w)%N.
    by rewrite (@leq_trans (i.+1 * count_of m w)) ?leq_mul2r ?iz ?orbT // mulSn addnC ltn_add2r.
  have [] := products_moved f1 f2 f rE same k_n; have [-> ->] := row_major i jw => -> ->.
  by rewrite !mulr1.
case: ifP => // /and3P [f1 f2 f]; case rE: (axis_times _ _) => [r|] // same _ _ _.
rewrite /inside_view /at_view /= fits_range // andbT; split=> // kz; rewrite count_times in kz.
have [-> ->] := products_moved f1 f2 f rE same kz; have [n0 i1 i2] := below_product kz.
have [|-> ->] := @row_major (at_axis u (i %/ count_of m w)) (at_axis u2 (i %% count_of m w)) (count_of m w); first by rewrite fits_range.
by rewrite !mulr1.
Qed.

Lemma moved_take r axs ix : take r (moved axs ix) = moved (take r axs) (take r ix).
Proof. by elim: r axs ix => [|r IH] [|t axs] [|i ix] //=; rewrite ?IH // moved_nil. Qed.

Lemma moved_drop r axs ix : size ix = size axs -> drop r (moved axs ix) = moved (drop r axs) (drop r ix).
Proof. by elim: r axs ix => [|r IH] [|t axs] [|i ix] //= [six]; apply: IH. Qed.

Lemma view_moves v a p z w axs e : rule fam g facts intys ctx (View v a p z w) (axs, e) ->
  moves (compute m ins' cells' (View v a p z w), defined m ins' cells' (View v a p z w))
        (compute m ins cells (View v a p z w), defined m ins cells (View v a p z w)) (axs, e).
Proof.
have rf : reflects fam = false by case: (fam) moving.
rewrite /rule rf implybF negbK; set n := size (view_sizes v z w); set us := take _ _.
case/and5P => pn /eqP su kn same ok ix six; rewrite same in ok; have ce := chi_same same.
pose x := take n (drop p ix); pose ts := take n (drop p axs).
have sts : size ts = n by rewrite size_takel // size_drop leq_subRL // (leq_trans (leq_addr _ _) pn).
have sx : size x = size ts by rewrite sts size_takel // size_drop six leq_subRL // (leq_trans (leq_addr _ _) pn).
have [in_ at_] := view_inner ok su sts sx.
have mx : take n (drop p (moved axs ix)) = moved ts x by rewrite moved_drop // moved_take.
have sA : size (take p ix) = size (take p axs) by rewrite !size_take six.
have whole (T : Type) (s : seq T) : s = take p s ++ take n (drop p s) ++ drop (p + n) s.
  by rewrite addnC -drop_drop cat_take_drop cat_take_drop.
have wE : weight axs ix = weight (take p axs) (take p ix) * (weight ts x * weight (drop (p + n) axs) (drop (p + n) ix)).
  by rewrite {1}(whole _ axs) {1}(whole _ ix) weight_cat // weight_cat.
have six' y : size y = size us -> size (exchange p n y ix) = size (exchange p n us axs).
  by move=> sy; rewrite /exchange !size_cat !size_drop sA sy six.
have sy : size (at_view v z w x) = size us by rewrite size_map su.
have [gE dE] := known_moves kn (six' _ sy).
have mE : moved (exchange p n us axs) (exchange p n (at_view v z w x) ix) = exchange p n (moved us (at_view v z w x)) (moved axs ix).
  by rewrite /exchange moved_cat // moved_cat // moved_take moved_drop.
have wE' : weight (exchange p n us axs) (exchange p n (at_view v z w x) ix) =
    weight (take p axs) (take p ix) * (weight us (at_view v z w x) * weight (drop (p + n) axs) (drop (p + n) ix)).
  by rewrite /exchange weight_cat // weight_cat.
rewrite /= /in_view /viewed -/n -/x mx -/(inside_view v z w x) -/(inside_view v z w (moved ts x)) in_.
case: ifP at_ => [_ /(_ isT) [yE vE] | _ _]; last by rewrite !mulr0.
by rewrite -/(at_view v z w x) -/(at_view v z w (moved ts x)) gE dE mE wE' yE vE wE ce.
Qed.

Lemma line_moves o ty : rule fam g facts intys ctx o ty ->
  moves (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ty.
Proof.
case: ty => axs e; case: o => [k | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h r args | v a p z w];
  rewrite [rule _ _ _ _ _ _ _]/=.
- by case/andP => kin /eqP tE; have := given kin; rewrite tE.
- by case/andP => fx /chi_same ce ix six; rewrite /= -ce chi0 weight_fixed // !mul1r.
- by case/andP => fx /chi_same ce ix six; rewrite /= -ce chi0 weight_fixed ?moved_fixed // !mul1r.
- case: axs => [|t [|t' []]] //= /and3P [/eqP ->]; rewrite dual_same => fz /chi_same ce.
  move=> [|i [|j []]] //= _; rewrite -ce chi0 mul1r mulr1 (inj_eq (@at_inj t)).
  have -> : (at_axis t i < count_of m z)%N = (i < count_of m z)%N.
    by have [/eqP -> | nt] := boolP (fixed t); [rewrite at_fixed | rewrite (count_fits fz nt) at_range].
  split=> //; case: eqP => [-> | _] /=; last by rewrite mulr0.
  by case: (_ < _)%N; rewrite ?mulr0 // mulr1 sign_square.
- case/and5P => rowsP uo /eqP so us /and5P [disj cover places kept /andP [sums /chi_same ce]] ix six; rewrite /= -ce.
  exact: contract_moves.
- move/allP => al ix six; have pa a : a \in args -> _ := fun aa => alike_moves (al _ aa) six.
  split=> /=; last by apply: eq_in_all => a /pa [_ ->].
  by rewrite !mulr_sumr; apply: eq_big_seq => a /pa [->].
- by move=> ma ix six /=; have [-> ->] := map_moves six ma.
- case/and5P => /allP psP pc wf pa pb ix six /=.
  have [[-> ->] [-> ->]] := (alike_moves pa six, alike_moves pb six).
  set pix := [seq nth _ ix p | p <- ps].
  have [||-> ->] := plain_moves pc (ix := pix).
  + by rewrite /pix size_map; case: ifP; rewrite ?size_nseq ?size_map.
  + case: ifP => [_ | sf]; last by rewrite weight_unsigned ?sf.
    by rewrite weight_fixed // all_nseq /fixed eqxx orbT.
  have -> : moved (if signed fam then nseq (size ps) [::] else [seq nth [::] axs p | p <- ps]) pix = [seq nth 0%N (moved axs ix) p | p <- ps].
    case: ifP => [sf | _]; first by rewrite !moved_signed.
    by rewrite /pix; elim: (ps) => //= p ps' ->; rewrite moved_nth.
  by case: (holds _ _).
- case/and4P => pa pz fz wf ix six /=.
  have [d [v k _]] := along_moves pa pz six fz wf; rewrite (every_symmetric d) v k.
  by rewrite weight_plain ?mul1r //; apply/implyP => /(implyP wf) /andP [].
- case/and5P => pa pz /eqP fp fz wf ix six /=.
  have s1 : size (without p ix) = size (without p axs) by rewrite !size_without ?six.
  have [||d [_ _ v]] := along_moves pa _ s1 fz.
  + by rewrite size_without // -ltnS prednK // (leq_trans _ pz).
  + apply/implyP => /(implyP wf) /andP [-> fx]; apply/allP => t; rewrite mem_cat => /orP [/mem_take | /mem_drop]; exact: (allP fx).
  rewrite moved_without in v d; rewrite moved_nth // fp at_fixed v (every_symmetric d).
  by rewrite weight_plain ?mul1r //; apply/implyP => /(implyP wf) /andP [].
- exact: join_moves.
- by move=> follows ix six; apply: (whole_moves six follows).
exact: view_moves.
Qed.
End Moves.
