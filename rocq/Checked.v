(* What the checker accepts is equivariant: under permutations, signs, scalings, orthogonal and invertible matrices, at
   all sizes; and it is undefined at matching places. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Programs Checker Environments Moves Turns.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** * From lines to programs *)

Section Run.
Variables (R : comRingType) (m : meaning R) (T : eqType) (none : T) (by_rule : seq T -> op -> T -> bool).
Variables (related : cell R -> cell R -> T -> Prop) (ins' ins : nat -> cell R).
Hypothesis line : forall ctx cells' cells o ty,
  (forall a, (a < size ctx)%N -> related (nth c0 cells' a) (nth c0 cells a) (nth none ctx a)) ->
  by_rule ctx o ty ->
  related (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ty.

Lemma run_related ctx cells' cells p tys :
  size cells' = size ctx -> size cells = size ctx ->
  (forall a, (a < size ctx)%N -> related (nth c0 cells' a) (nth c0 cells a) (nth none ctx a)) ->
  check_from by_rule ctx p tys ->
  (0 < size ctx + size tys)%N ->
  (0 < size ctx -> related (last c0 cells') (last c0 cells) (last none ctx))%N ->
  related (last c0 (run m ins' p cells')) (last c0 (run m ins p cells)) (last (last none ctx) tys).
Proof.
elim: p ctx cells' cells tys => [|o p IH] ctx cells' cells [|ty tys] //= s' s_ earlier.
  by rewrite addn0 => _ some; apply.
case/andP => r rest _ _; have now := line earlier r.
rewrite -[ty in last ty tys](last_rcons none ctx ty); apply: IH => //; rewrite ?size_rcons ?s' ?s_ ?last_rcons //.
move=> a; rewrite ltnS leq_eqVlt !nth_rcons s' s_ => /orP [/eqP -> | ac]; last by rewrite ac; apply: earlier.
by rewrite ltnn eqxx.
Qed.

Theorem run_sound p tys out : check_lines none by_rule p tys out -> related (eval m p ins') (eval m p ins) out.
Proof. by case/andP => /andP [ok /eqP <-] some; apply: (@run_related [::] [::] [::]). Qed.
End Run.

(** * Permutations, signs, scalings *)

Lemma perm_iota (f : nat -> nat) N : injective f -> (forall i, (f i < N)%N = (i < N)%N) ->
  perm_eq [seq f i | i <- iota 0 N] (iota 0 N).
Proof.
move=> inj range; apply: uniq_perm; rewrite ?iota_uniq ?(map_inj_uniq inj) ?iota_uniq // => i.
have sub : {subset [seq f i | i <- iota 0 N] <= iota 0 N}.
  by move=> j /mapP [k]; rewrite !mem_iota /= !add0n => kN ->; rewrite range.
have := uniq_min_size (s1 := [seq f i | i <- iota 0 N]) _ sub; rewrite (map_inj_uniq inj) iota_uniq size_map leqnn.
by case=> // _ ->.
Qed.

Section Places.
Variables (R : comRingType) (m : meaning R) (g : extent) (p : nat -> nat) (b : nat -> bool).
Let n := count_of m g.
Hypothesis p_range : forall i, (p i < n)%N = (i < n)%N.
Hypothesis p_inj : injective p.

(* Along a part; along one that is two axes in one, whose size is the product of theirs, along both. *)
Fixpoint at_part (k : kind) (z : extent) (i : nat) : nat :=
  match k with
  | Std | Dual => if z == g then p i else i
  | Prod a z1 c z2 =>
      let w := count_of m z2 in
      if (count_of m z == count_of m z1 * w)%N then (at_part a z1 (i %/ w) * w + at_part c z2 (i %% w))%N else i
  | _ => i
  end.
Fixpoint sign_part (k : kind) (z : extent) (i : nat) : bool :=
  match k with
  | Std | Dual => (z == g) && b i
  | Prod a z1 c z2 =>
      let w := count_of m z2 in
      if (count_of m z == count_of m z1 * w)%N then sign_part a z1 (i %/ w) (+) sign_part c z2 (i %% w) else false
  | _ => false
  end.

Fixpoint at_axis (t : axis) (i : nat) : nat :=
  if t is (k, z) :: t' then
    if (i < count_of m z)%N then at_part k z i else (count_of m z + at_axis t' (i - count_of m z))%N
  else i.

Fixpoint sign_at (t : axis) (i : nat) : bool :=
  if t is (k, z) :: t' then if (i < count_of m z)%N then sign_part k z i else sign_at t' (i - count_of m z)
  else false.

Lemma part_range k z i : (i < count_of m z)%N -> (at_part k z i < count_of m z)%N.
Proof.
elim: k z i => [||| l | k _ | a IHa z1 c IHc z2] z i //=; try by case: eqP => // ->; rewrite p_range.
case: eqP => // -> iz; have [n0 i1 i2] := below_product iz.
rewrite (@leq_trans ((at_part a z1 (i %/ count_of m z2)).+1 * count_of m z2)) ?leq_mul2r ?IHa ?orbT //.
by rewrite mulSn addnC ltn_add2r IHc.
Qed.

Lemma part_inj k z i j : (i < count_of m z)%N -> (j < count_of m z)%N -> at_part k z i = at_part k z j -> i = j.
Proof.
elim: k z i j => [||| l | k _ | a IHa z1 c IHc z2] z i j //=; try by move=> _ _; case: eqP => // _ /p_inj.
case: eqP => // -> iz jz; have [n0 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz => e.
have [d1 r1] := row_major (at_part a z1 (i %/ count_of m z2)) (part_range c i2).
have [d2 r2] := row_major (at_part a z1 (j %/ count_of m z2)) (part_range c j2).
rewrite e d2 in d1; rewrite e r2 in r1; rewrite (divn_eq i (count_of m z2)) (divn_eq j (count_of m z2)).
by rewrite (IHa z1 _ _ i1 j1 (esym d1)) (IHc z2 _ _ i2 j2 (esym r1)).
Qed.

Lemma at_axis_range t i : (at_axis t i < count_of m (width t))%N = (i < count_of m (width t))%N.
Proof.
elim: t i => [|[k z] t IH] i //=; rewrite [width _]/= count_cat.
case: (ltnP i (count_of m z)) => iz; last by rewrite ltn_add2l IH ltn_subLR.
have pz := part_range k iz.
by rewrite (leq_trans pz (leq_addr _ _)) (leq_trans iz (leq_addr _ _)).
Qed.

Lemma at_axis_inj t : injective (at_axis t).
Proof.
elim: t => [|[k z] t IH] // i j /=.
case: ltnP => iz; case: ltnP => jz.
- exact: part_inj.
- by move=> e; have := part_range k iz; rewrite e ltnNge leq_addr.
- by move=> e; have := part_range k jz; rewrite -e ltnNge leq_addr.
by move/addnI/IH => e; rewrite -(subnKC iz) -(subnKC jz) e.
Qed.

Lemma at_axis_perm t :
  perm_eq [seq at_axis t i | i <- iota 0 (count_of m (width t))] (iota 0 (count_of m (width t))).
Proof. by apply: perm_iota => [|i]; [apply: at_axis_inj | apply: at_axis_range]. Qed.

Lemma at_axis_still k z i : still k -> (i < count_of m z)%N -> at_axis [:: (k, z)] i = i /\ sign_at [:: (k, z)] i = false.
Proof. by case: k => //= [|k] _ ->. Qed.

Lemma at_axis_first x t i : (i < count_of m x.2)%N -> at_axis (x :: t) i = at_axis [:: x] i /\ sign_at (x :: t) i = sign_at [:: x] i.
Proof. by case: x => k z /= ->. Qed.

Lemma at_axis_later x t i : (count_of m x.2 <= i)%N ->
  at_axis (x :: t) i = (count_of m x.2 + at_axis t (i - count_of m x.2))%N /\ sign_at (x :: t) i = sign_at t (i - count_of m x.2).
Proof. by case: x => k z /=; rewrite leqNgt => /negbTE ->. Qed.

Lemma at_axis_id t i : p =1 id -> at_axis t i = i.
Proof.
have one k z j : p =1 id -> at_part k z j = j.
  move=> pid; elim: k z j => [||| l | k _ | a IHa z1 c IHc z2] z j //=; rewrite ?pid ?if_same //.
  by rewrite IHa IHc -divn_eq if_same.
move=> pid; elim: t i => [|[k z] t IH] i //=; case: ltnP => iz; first exact: one.
by rewrite IH subnKC.
Qed.

Lemma at_axis_prod a z1 c z2 z i : count_of m z = (count_of m z1 * count_of m z2)%N -> (i < count_of m z)%N ->
  let w := count_of m z2 in
  at_axis [:: (Prod a z1 c z2, z)] i = (at_axis [:: (a, z1)] (i %/ w) * w + at_axis [:: (c, z2)] (i %% w))%N /\
  sign_at [:: (Prod a z1 c z2, z)] i = sign_at [:: (a, z1)] (i %/ w) (+) sign_at [:: (c, z2)] (i %% w).
Proof. by move=> zE iz /=; rewrite iz zE eqxx; rewrite zE in iz; have [_ -> ->] := below_product iz. Qed.
End Places.

(* Signs and their powers. *)
Section Signs.
Variable R : comUnitRingType.
Implicit Types (b c : bool) (e d : int).

Lemma sign_power b e : ((-1) ^+ b : R) ^ e = ((-1) ^+ b) ^+ `|e|.
Proof.
case: e => k //; rewrite /exprz -exprVn; congr (_ ^+ _).
by case: b; rewrite ?expr1 ?invrN1 ?expr0 ?invr1.
Qed.

Lemma sign_unit b : ((-1) ^+ b : R) \is a GRing.unit.
Proof. by rewrite unitrX // unitrN1. Qed.

Lemma sign_even b e : ~~ odd `|e| -> ((-1) ^+ b : R) ^ e = 1.
Proof. by move=> ev; rewrite sign_power -exprM mulnC exprM -signr_odd (negbTE ev) expr1n. Qed.

Lemma sign_same b e d : ~~ odd `|e - d| -> ((-1) ^+ b : R) ^ e = ((-1) ^+ b) ^ d.
Proof. by move=> ev; rewrite -[e](subrK d) exprzDr ?sign_unit // sign_even // mul1r. Qed.
End Signs.

Definition place_of N (s : 'S_N) (i : nat) : nat := if insub i is Some k then val (s k) else i.

Section PlaceOf.
Variables (N : nat) (s : 'S_N).

Lemma place_ofE (k : 'I_N) : place_of s k = s k. Proof. by rewrite /place_of valK. Qed.

Lemma place_of_out i : (N <= i)%N -> place_of s i = i.
Proof. by move=> Ni; rewrite /place_of insubN // -leqNgt. Qed.

Lemma place_of_range i : (place_of s i < N)%N = (i < N)%N.
Proof. by case: (ltnP i N) => iN; [rewrite -[i]/(val (Ordinal iN)) place_ofE ltn_ord | rewrite place_of_out // ltnNge iN]. Qed.

Lemma place_of_inj : injective (place_of s).
Proof.
move=> i j; case: (ltnP i N) => iN; case: (ltnP j N) => jN e.
- by move: e; rewrite -[i]/(val (Ordinal iN)) -[j]/(val (Ordinal jN)) !place_ofE => /val_inj/perm_inj ->.
- by have := place_of_range i; rewrite e (place_of_out jN) iN ltnNge jN.
- by have := place_of_range j; rewrite -e (place_of_out iN) jN ltnNge iN.
by move: e; rewrite !place_of_out.
Qed.
End PlaceOf.

(* Functions along axes do not mind the order. *)
Record symmetric (R : comRingType) (m : meaning R) : Prop := Symmetric {
  red_sym : forall h s s', perm_eq s s' -> red m h s = red m h s';
  red_ok_sym : forall h s s', perm_eq s s' -> red_ok m h s = red_ok m h s';
  srt_sym : forall h s s', perm_eq s s' -> srt m h s =1 srt m h s' }.

(* Functions of degree d, also of the entries along an axis: multiplied by u, the arguments multiply the value by u^d. *)
Definition homogeneous (R : comUnitRingType) (m : meaning R) (facts : nat -> option fact) (u : R) :=
  forall h d xs, facts h = Some (Degree d) -> let xs' := [seq u * x | x <- xs] in
    [/\ fns m h xs' = u ^ d * fns m h xs, fns_ok m h xs' = fns_ok m h xs, red m h xs' = u ^ d * red m h xs,
        red_ok m h xs' = red_ok m h xs & forall i, srt m h xs' i = u ^ d * srt m h xs i].

Lemma homogeneous_1 (R : comUnitRingType) (m : meaning R) facts : homogeneous m facts 1.
Proof.
move=> h d xs dh; rewrite exp1rz !mul1r; have -> : [seq 1 * x | x <- xs] = xs.
  by rewrite -[RHS]map_id; apply: eq_map => x; rewrite mul1r.
by split=> // i; rewrite mul1r.
Qed.

Section Moved.
Variables (R : comUnitRingType) (m : meaning R) (facts : nat -> option fact) (g : extent) (intys : seq rtype).
Hypothesis sym : symmetric m.
Variables (prog : program) (tys : seq rtype) (out : rtype) (ins' ins : nat -> cell R).

Lemma homogeneous_sign (u : R) (b : bool) : homogeneous m facts (-1) -> u = (-1) ^+ b -> homogeneous m facts u.
Proof. by move=> neg ->; case: b; [rewrite expr1 | exact: homogeneous_1]. Qed.

Section Permuted.
Variables (fam : family) (s : 'S_(count_of m g)).
Hypothesis famP : match fam with S => True | A => ~~ odd_perm s | _ => False end.
Hypothesis neg : homogeneous m facts (-1).

Definition permuted_by := moves (at_axis m g (place_of s)) (fun _ _ => 1 : R) (fun e => (-1) ^+ odd_perm s ^ e).

Hypothesis obeyed : obeys m fam g facts permuted_by.

Theorem sound_permuted : check fam g facts intys prog tys out ->
  (forall k, (k < size intys)%N -> permuted_by (ins' k) (ins k) (nth ty0 intys k)) ->
  permuted_by (eval m prog ins') (eval m prog ins) out.
Proof.
move=> ok given; apply: (run_sound (related := permuted_by)) ok => ctx cells' cells o ty earlier.
have w1 axs ix : weight (fun _ _ => 1 : R) axs ix = 1 by elim: axs ix => [|t axs IH] [|i ix] //=; rewrite IH mulr1.
have hom e : homogeneous m facts ((-1) ^+ odd_perm s ^ e).
  by apply: (homogeneous_sign (b := odd_perm s && odd `|e|)) => //; rewrite sign_power -exprM; case: (odd_perm s); rewrite /= ?mul1n ?mul0n // signr_odd.
apply: (line_moves (fam := fam)) => //; try by case: sym.
- by case: (fam) famP.
- by case: (fam) famP.
- by move=> t; apply: at_axis_inj => [i |]; [apply: place_of_range | apply: place_of_inj].
- by move=> t i; apply: at_axis_range => j; apply: place_of_range.
- by move=> fC; move: famP; rewrite fC.
- by move=> t; apply: at_axis_perm => [i |]; [apply: place_of_range | apply: place_of_inj].
- by move=> k z i sk iz; have [] := @at_axis_still R m g (place_of s) xpred0 k z i sk iz.
- by move=> x t i ix; have [] := @at_axis_first R m g (place_of s) xpred0 x t i ix.
- by move=> x t i ix _; have [] := @at_axis_later R m g (place_of s) xpred0 x t i ix.
- by move=> a z1 c z2 z i zE iz; have [-> _] := @at_axis_prod R m g (place_of s) xpred0 a z1 c z2 z i zE iz; rewrite mulr1.
- by move=> *; rewrite mulr1.
- by move=> a b; rewrite exprzDr // sign_unit.
- move=> a b; case: (fam) famP => //= [_ | ev _]; first exact: sign_same.
  by rewrite (negbTE ev) !exp1rz.
- move=> h d e axs ix xs dh; rewrite w1 mulr1 expr1n mul1r.
  by have [-> _ _ _ _] := hom e h d xs dh; rewrite exprz_exp.
- by move=> h d e axs ix xs dh; rewrite w1 mulr1; have [] := hom e h d xs dh.
- by move=> h d e xs dh; have [_ _ r k s_] := hom e h d xs dh; rewrite -exprz_exp.
Qed.
End Permuted.

(* Cyclic shifts: i becomes i + c modulo n, and so in each further stretch of n numbers. *)
Section Shifted.
Variable c : 'I_(count_of m g).
Let n := count_of m g.
Definition shift (i : nat) : nat := (i %/ n * n + (i %% n + c) %% n)%N.
Definition at_round (t : axis) (i : nat) : nat := if t == whole g then shift i else at_axis m g shift t i.
Let n_gt0 : (0 < n)%N. Proof. exact: leq_ltn_trans (ltn_ord c). Qed.

Lemma shift_range i : (shift i < n)%N = (i < n)%N.
Proof.
rewrite /shift; case: (ltnP i n) => iN; first by rewrite divn_small // mul0n add0n ltn_pmod.
rewrite ltnNge; apply/negbF/(leq_trans _ (leq_addr _ _)).
by rewrite -[X in (X <= _)%N]mul1n leq_mul2r divn_gt0 // iN orbT.
Qed.

Lemma shift_mod i : (shift i = i + c %[mod n])%N.
Proof. by rewrite /shift modnMDl modn_mod modnDml. Qed.

Lemma shift_inj : injective shift.
Proof.
move=> i j e; have dE k : (shift k %/ n = k %/ n)%N by rewrite /shift divnMDl // [(_ %% n %/ n)%N]divn_small ?addn0 // ltn_pmod.
have ij : (i = j %[mod n])%N.
  have := shift_mod i; rewrite e shift_mod => /eqP; rewrite eqn_modDr => /eqP ->; exact: erefl.
by rewrite (divn_eq i n) (divn_eq j n) ij -(dE i) -(dE j) e.
Qed.

Definition shifted_by := moves at_round (fun _ _ => 1 : R) (fun _ => 1).

Hypothesis obeyed : obeys m C g facts shifted_by.

Theorem sound_shifted : check C g facts intys prog tys out ->
  (forall k, (k < size intys)%N -> shifted_by (ins' k) (ins k) (nth ty0 intys k)) ->
  shifted_by (eval m prog ins') (eval m prog ins) out.
Proof.
move=> ok given; apply: (run_sound (related := shifted_by)) ok => ctx cells' cells o ty earlier.
have w1 axs ix : weight (fun _ _ => 1 : R) axs ix = 1 by elim: axs ix => [|t axs IH] [|i ix] //=; rewrite IH mulr1.
have one xs : [seq 1 * 1 * x | x <- xs] = xs :> seq R.
  by rewrite -[RHS]map_id; apply: eq_map => x; rewrite !mul1r.
have range t i : (at_round t i < count_of m (width t))%N = (i < count_of m (width t))%N.
  rewrite /at_round; case: eqP => [-> | _]; last by apply: at_axis_range => j; apply: shift_range.
  by rewrite /width /= cats0 shift_range.
have inj t : injective (at_round t).
  rewrite /at_round => i j; case: eqP => _; first exact: shift_inj.
  by apply: at_axis_inj => [k |]; [apply: shift_range | apply: shift_inj].
apply: (line_moves (fam := C)) => //; try by case: sym.
- by move=> _; split=> //; exists c => i; rewrite /at_round eqxx shift_mod.
- by move=> t; apply: perm_iota.
- move=> k z i sk iz; split=> //; rewrite /at_round; case: eqP => [[kE _] | _]; first by rewrite kE in sk.
  by have [] := @at_axis_still R m g shift xpred0 k z i sk iz.
- move=> x t i ix; split=> //; have [e _] := @at_axis_first R m g shift xpred0 x t i ix.
  have part y : (i < count_of m y.2)%N -> at_round [:: y] i = at_axis m g shift [:: y] i.
    by case: y => k z /= iz; rewrite /at_round /= iz; case: eqP => // -[-> ->]; rewrite /= eqxx.
  by rewrite part // -e /at_round; case: eqP => // xt; case: xt ix => -> -> /= ->; rewrite eqxx.
- move=> x t i ix i_n; split=> //; have [e _] := @at_axis_later R m g shift xpred0 x t i ix.
  rewrite {1}/at_round; case: eqP => [xt | _].
    by move: ix i_n; rewrite xt; case: xt => -> ->; rewrite /width /= cats0 ltnNge => ->.
  rewrite e; congr (_ + _)%N; rewrite /at_round; case: eqP => // tE; move: i_n; rewrite tE /width /= cats0 count_cat -ltn_subLR // => i_n.
  by rewrite i_n eqxx.
- move=> a z1 a' z2 z i zE iz; rewrite mulr1; have iz' := iz; rewrite zE in iz'; have [_ i1 i2] := below_product iz'.
  have part y j : (j < count_of m y.2)%N -> at_round [:: y] j = at_axis m g shift [:: y] j.
    by case: y => k w /= jw; rewrite /at_round /= jw; case: eqP => // -[-> ->]; rewrite /= eqxx.
  by have [e _] := @at_axis_prod R m g shift xpred0 a z1 a' z2 z i zE iz; split=> //; rewrite (part (Prod a z1 a' z2, z)) // (part (a, z1)) // (part (a', z2)).
- by move=> *; rewrite mulr1.
- by move=> *; rewrite mulr1.
- by move=> h d e axs ix xs _; rewrite w1 one expr1n !mul1r.
- by move=> h d e axs ix xs _; rewrite w1 one.
- by move=> h d e xs dh; have := @homogeneous_1 R m facts h d xs dh; rewrite /= exp1rz => -[].
Qed.
End Shifted.

(* Diagonal matrices of signs, -1 at the places where b is true; the character is the product of all signs. *)
Section Signed.
Variables (b : nat -> bool) (odd_many : bool).
Hypothesis neg : homogeneous m facts (-1).

Definition signed_by := moves (fun _ => id) (fun t i => (-1) ^+ sign_at m g b t i : R) (fun e => (-1) ^+ odd_many ^ e).

Hypothesis obeyed : obeys m Signs g facts signed_by.

Theorem sound_signed : check Signs g facts intys prog tys out ->
  (forall k, (k < size intys)%N -> signed_by (ins' k) (ins k) (nth ty0 intys k)) ->
  signed_by (eval m prog ins') (eval m prog ins) out.
Proof.
move=> ok given; apply: (run_sound (related := signed_by)) ok => ctx cells' cells o ty earlier.
have wE axs ix : exists c : bool, weight (fun t i => (-1) ^+ sign_at m g b t i : R) axs ix = (-1) ^+ c.
  elim: axs ix => [|t axs IH] [|i ix] /=; try by exists false.
  by have [c ->] := IH ix; exists (sign_at m g b t i (+) c); rewrite signr_addb.
have hom e axs ix : homogeneous m facts ((-1) ^+ odd_many ^ e * weight (fun t i => (-1) ^+ sign_at m g b t i : R) axs ix).
  have [c ->] := wE axs ix; apply: (homogeneous_sign (b := (odd_many && odd `|e|) (+) c)) => //.
  by rewrite signr_addb sign_power -exprM; case: (odd_many); rewrite /= ?mul1n ?mul0n // signr_odd.
apply: (line_moves (fam := Signs)) => //; try by case: sym.
- by move=> t i j.
- by move=> t; rewrite map_id.
- by move=> k z i sk iz; have [_ ->] := @at_axis_still R m g id b k z i sk iz.
- by move=> x t i ix; have [_ ->] := @at_axis_first R m g id b x t i ix.
- by move=> x t i ix _; have [_ ->] := @at_axis_later R m g id b x t i ix; rewrite subnKC.
- move=> a z1 c z2 z i zE iz; have [_ ->] := @at_axis_prod R m g id b a z1 c z2 z i zE iz.
  by split; [exact: divn_eq | exact: signr_addb].
- by move=> t i; rewrite -expr2 sqrr_sign.
- by move=> x y; rewrite exprzDr // sign_unit.
- by move=> x y; apply: sign_same.
- move=> h d e axs ix xs dh; have [-> _ _ _ _] := hom e axs ix h d xs dh; rewrite mulrA; congr (_ * _).
  have [c ->] := wE axs ix; rewrite exprMz_comm ?sign_unit ?unitrX ?sign_unit //; last exact: mulrC.
    by rewrite exprz_exp (sign_power _ c d).
  by rewrite sign_power unitrX // sign_unit.
- by move=> h d e axs ix xs dh; have [] := hom e axs ix h d xs dh.
- by move=> h d e xs dh; have := hom e [::] [::] h d xs dh; rewrite /= mulr1 exprz_exp => -[].
Qed.
End Signed.

(* All values multiplied by powers of a scalar. *)
Section Scaled.
Variable c : R.
Hypothesis unit_c : c \is a GRing.unit.
Hypothesis hom : forall e : int, homogeneous m facts (c ^ e).

Definition scaled_by := moves (fun _ => id) (fun _ _ => 1 : R) (fun e => c ^ e).

Hypothesis obeyed : obeys m Scale g facts scaled_by.

Theorem sound_scaled : check Scale g facts intys prog tys out ->
  (forall k, (k < size intys)%N -> scaled_by (ins' k) (ins k) (nth ty0 intys k)) ->
  scaled_by (eval m prog ins') (eval m prog ins) out.
Proof.
move=> ok given; apply: (run_sound (related := scaled_by)) ok => ctx cells' cells o ty earlier.
have w1 axs ix : weight (fun _ _ => 1 : R) axs ix = 1 by elim: axs ix => [|t axs IH] [|i ix] //=; rewrite IH mulr1.
apply: (line_moves (fam := Scale)) => //; try by case: sym.
- by move=> t i j.
- by move=> t; rewrite map_id.
- by move=> x t i ix _; rewrite subnKC.
- by move=> *; split; [exact: divn_eq | rewrite mulr1].
- by move=> *; rewrite mulr1.
- by move=> x y; rewrite exprzDr.
- by move=> x y /= /eqP ->.
- by move=> h d e axs ix xs dh; rewrite w1 mulr1 expr1n mul1r; have [-> _ _ _ _] := hom e xs dh; rewrite exprz_exp.
- by move=> h d e axs ix xs dh; rewrite w1 mulr1; have [] := hom e xs dh.
- by move=> h d e xs dh; have := hom e xs dh; rewrite exprz_exp => -[].
Qed.
End Scaled.
End Moved.

(** * Matrices *)

Section Blocks.
Variables (R : comRingType) (m : meaning R) (fam : family) (g : extent).
Let n := count_of m g.

(* The matrix of an element and its dual; its determinant; its matrices in representations, by their number and size. *)
Variables (M D : nat -> nat -> R) (det : R) (W : nat -> extent -> nat -> nat -> R).

(* One part: one of these matrices, or the identity matrix, or one of them times the determinant. *)
Fixpoint part_matrix (k : kind) (z : extent) (i j : nat) : R :=
  match k with
  | Std => if z == g then M i j else (i == j)%:R
  | Dual => if z == g then (if linear fam then D i j else M i j) else (i == j)%:R
  | Fix => (i == j)%:R
  | Irr l => W l z i j
  | Det k' => if linear fam then (i == j)%:R else det * part_matrix k' z i j
  | Prod a z1 b z2 =>
      let w := count_of m z2 in
      if (count_of m z == count_of m z1 * w)%N
      then part_matrix a z1 (i %/ w)%N (j %/ w)%N * part_matrix b z2 (i %% w)%N (j %% w)%N else (i == j)%:R
  end.

(* The parts of an axis, one after another: blocks. *)
Fixpoint matrix (t : axis) (i j : nat) : R :=
  if t is (k, z) :: t' then
    let s := count_of m z in
    if (i < s)%N then if (j < s)%N then part_matrix k z i j else 0
    else if (j < s)%N then 0 else matrix t' (i - s) (j - s)
  else 0.

Lemma matrix_first x t i j : (i < count_of m x.2)%N -> (j < count_of m x.2)%N -> matrix (x :: t) i j = matrix [:: x] i j.
Proof. by case: x => k z /= -> ->. Qed.

Lemma matrix_apart x t i j : (i < count_of m x.2)%N != (j < count_of m x.2)%N -> matrix (x :: t) i j = 0.
Proof. by case: x => k z /=; case: ifP => _; case: ifP. Qed.

Lemma matrix_later x t i j : (count_of m x.2 <= i)%N -> (count_of m x.2 <= j)%N ->
  matrix (x :: t) i j = matrix t (i - count_of m x.2) (j - count_of m x.2).
Proof. by case: x => k z /=; rewrite leqNgt => /negbTE ->; rewrite leqNgt => /negbTE ->. Qed.

Lemma matrix_still k : still k -> exists2 c, k = Fix -> c = 1 &
  forall z i j, (i < count_of m z)%N -> (j < count_of m z)%N -> matrix [:: (k, z)] i j = c * (i == j)%:R.
Proof.
elim: k => // [_ | k IH /IH [c _ cE]]; first by exists 1 => // z i j /= -> ->; rewrite mul1r.
exists (if linear fam then 1 else det * c) => // z i j iz jz; have := cE z i j iz jz; rewrite /= iz jz => ->.
by case: (linear fam); rewrite ?mul1r // mulrA.
Qed.

Lemma matrix_det x i j : ~~ linear fam -> det * det = 1 -> matrix [:: (times_det x.1, x.2)] i j = det * matrix [:: x] i j.
Proof.
case: x => k z /negbTE lf d2 /=; case: ifP => _; case: ifP => _; rewrite ?mulr0 //.
by case: k => [||| l | k | ? ? ? ?] /=; rewrite lf // mulrA d2 mul1r.
Qed.

Lemma matrix_prod a z1 b z2 z i j : count_of m z = (count_of m z1 * count_of m z2)%N ->
  (i < count_of m z)%N -> (j < count_of m z)%N -> let w := count_of m z2 in
  matrix [:: (Prod a z1 b z2, z)] i j = matrix [:: (a, z1)] (i %/ w)%N (j %/ w)%N * matrix [:: (b, z2)] (i %% w)%N (j %% w)%N.
Proof.
move=> zE iz jz /=; rewrite iz jz zE eqxx; rewrite zE in iz jz.
by have [_ -> ->] := below_product iz; have [_ -> ->] := below_product jz.
Qed.

(* M and D are dual to each other: by columns, and by rows. *)
Definition pairing n (A B : nat -> nat -> R) :=
  (forall k j, (k < n)%N -> (j < n)%N -> \sum_(i <- iota 0 n) A i k * B i j = (k == j)%:R) /\
  (forall i j, (i < n)%N -> (j < n)%N -> \sum_(k <- iota 0 n) A i k * B j k = (i == j)%:R).
Definition paired : Prop := if linear fam then pairing n M D /\ pairing n D M else pairing n M M.
Hypothesis MD : paired.
Hypothesis WW : forall l z, pairing (count_of m z) (W l z) (W l z).
Hypothesis det2 : ~~ linear fam -> det * det = 1.

Lemma identity_sum s k j : (k < s)%N -> \sum_(i <- iota 0 s) (i == k)%:R * (i == j)%:R = (k == j)%:R :> R.
Proof.
move=> ks; rewrite (bigD1_seq k) ?iota_uniq ?mem_iota //= eqxx mul1r big1 ?addr0 // => i ik.
by rewrite (negbTE ik) mul0r.
Qed.

Lemma part_pairing kd z : pairing (count_of m z) (part_matrix kd z) (part_matrix (dual_kind fam kd) z).
Proof.
have same N : pairing N (fun i j => (i == j)%:R) (fun i j => (i == j)%:R).
  split=> k j kz jz; first exact: identity_sum.
  by rewrite -(identity_sum j kz); apply: eq_bigr => i _; rewrite ![_ == i]eq_sym.
have dual_ w : pairing (count_of m w) (part_matrix Std w) (part_matrix (dual_kind fam Std) w) /\
    pairing (count_of m w) (part_matrix Dual w) (part_matrix (dual_kind fam Dual) w).
  move: MD; rewrite /paired /dual_kind; case E: (linear fam) => MD' /=; rewrite ?E; case: eqP => // ->; split=> //; by case: MD'.
elim: kd z => [||| l | k IH | a IHa z1 b IHb z2] z; try by case: (dual_ z).
- by rewrite /dual_kind if_same; apply: same.
- by rewrite /dual_kind if_same; apply: WW.
- have d2 := det2; move: (IH z); rewrite /dual_kind if_same /=; case: (linear fam) d2 => [_ _ | /(_ isT) d2 [col row]]; first exact: same.
  split=> i j iz jz; [rewrite -(col i j) // | rewrite -(row i j) //]; apply: eq_bigr => l _; by rewrite mulrACA d2 mul1r.
have -> : dual_kind fam (Prod a z1 b z2) = Prod (dual_kind fam a) z1 (dual_kind fam b) z2 by rewrite /dual_kind; case: (linear fam).
rewrite /=; case: eqP => // ->; have [colA rowA] := IHa z1; have [colB rowB] := IHb z2.
split=> i j iz jz; have [n0 i1 i2] := below_product iz; have [_ j1 j2] := below_product jz; rewrite sum_rows.
  rewrite (eq_row_major (count_of m z2) i j) -mulnb natrM -(colA _ _ i1 j1) -(colB _ _ i2 j2) mulr_suml; apply: eq_bigr => k1 _.
  rewrite mulr_sumr; apply: eq_big_seq => k2; rewrite mem_iota add0n /= => kw; have [-> ->] := row_major k1 kw.
  by rewrite mulrACA.
rewrite (eq_row_major (count_of m z2) i j) -mulnb natrM -(rowA _ _ i1 j1) -(rowB _ _ i2 j2) mulr_suml; apply: eq_bigr => k1 _.
rewrite mulr_sumr; apply: eq_big_seq => k2; rewrite mem_iota add0n /= => kw; have [-> ->] := row_major k1 kw.
by rewrite mulrACA.
Qed.

Lemma big_blocks s s' (F : nat -> R) :
  \sum_(i <- iota 0 (s + s')) F i = \sum_(i <- iota 0 s) F i + \sum_(i <- iota 0 s') F (s + i)%N.
Proof. by rewrite iotaD big_cat -[s in iota s s']addn0 iotaDl big_map. Qed.

Lemma matrix_columns t k j : (k < count_of m (width t))%N -> (j < count_of m (width t))%N ->
  \sum_(i <- iota 0 (count_of m (width t))) matrix t i k * matrix (dual fam t) i j = (k == j)%:R.
Proof.
elim: t k j => [|[kd z] t IH] k j //; rewrite [width _]/= count_cat => kN jN; rewrite big_blocks.
set s := count_of m z; set w := count_of m (width t).
have -> : \sum_(i <- iota 0 s) matrix ((kd, z) :: t) i k * matrix (dual fam ((kd, z) :: t)) i j =
    \sum_(i <- iota 0 s) (if (k < s)%N then part_matrix kd z i k else 0) * (if (j < s)%N then part_matrix (dual_kind fam kd) z i j else 0).
  by apply: eq_big_seq => i; rewrite mem_iota add0n /= -/s => ->.
have -> : \sum_(i <- iota 0 w) matrix ((kd, z) :: t) (s + i) k * matrix (dual fam ((kd, z) :: t)) (s + i) j =
    \sum_(i <- iota 0 w) (if (k < s)%N then 0 else matrix t i (k - s)) * (if (j < s)%N then 0 else matrix (dual fam t) i (j - s)).
  by apply: eq_bigr => i _; rewrite /= -/s ltnNge leq_addr /= addKn.
case: (ltnP k s) => ks; case: (ltnP j s) => js.
- by rewrite (part_pairing _ _).1 // big1 ?addr0 // => i _; rewrite mul0r.
- by rewrite !big1 ?addr0 ?ltn_eqF ?(leq_trans ks js) // => i _; rewrite ?mulr0 ?mul0r.
- by rewrite !big1 ?addr0 ?gtn_eqF ?(leq_trans js ks) // => i _; rewrite ?mulr0 ?mul0r.
rewrite big1 ?add0r => [|i _]; last by rewrite mul0r.
by rewrite IH ?ltn_subLR // -(eqn_add2l s) !subnKC.
Qed.

Lemma matrix_outside t i k : (count_of m (width t) <= i)%N -> matrix t i k = 0.
Proof.
elim: t i k => [|[kd z] t IH] i k //; rewrite [width _]/= count_cat /= => Ni.
rewrite ltnNge (leq_trans (leq_addr _ _) Ni) /=; case: ifP => // _; apply: IH.
by rewrite -(leq_add2l (count_of m z)) subnKC // (leq_trans (leq_addr _ _) Ni).
Qed.

Lemma matrix_rows t i j : (i < count_of m (width t))%N ->
  \sum_(k <- iota 0 (count_of m (width t))) matrix t i k * matrix (dual fam t) j k = (i == j)%:R.
Proof.
move=> iN; case: (ltnP j (count_of m (width t))) => jN; last first.
  rewrite ltn_eqF ?(leq_trans iN) // big1 // => k _; rewrite (matrix_outside (t := dual fam t)) ?mulr0 //.
  by rewrite /width /dual -map_comp.
elim: t i j iN jN => [|[kd z] t IH] i j //; rewrite [width _]/= count_cat => iN jN; rewrite big_blocks.
set s := count_of m z; set w := count_of m (width t).
have -> : \sum_(k <- iota 0 s) matrix ((kd, z) :: t) i k * matrix (dual fam ((kd, z) :: t)) j k =
    \sum_(k <- iota 0 s) (if (i < s)%N then part_matrix kd z i k else 0) * (if (j < s)%N then part_matrix (dual_kind fam kd) z j k else 0).
  by apply: eq_big_seq => k; rewrite mem_iota add0n /= -/s => ->.
have -> : \sum_(k <- iota 0 w) matrix ((kd, z) :: t) i (s + k) * matrix (dual fam ((kd, z) :: t)) j (s + k) =
    \sum_(k <- iota 0 w) (if (i < s)%N then 0 else matrix t (i - s) k) * (if (j < s)%N then 0 else matrix (dual fam t) (j - s) k).
  by apply: eq_bigr => k _; rewrite /= -/s [(s + k < s)%N]ltnNge leq_addr /= addKn.
case: (ltnP i s) => is_; case: (ltnP j s) => js.
- by rewrite (part_pairing _ _).2 // big1 ?addr0 // => k _; rewrite mul0r.
- by rewrite !big1 ?addr0 ?ltn_eqF ?(leq_trans is_ js) // => k _; rewrite ?mulr0 ?mul0r.
- by rewrite !big1 ?addr0 ?gtn_eqF ?(leq_trans js is_) // => k _; rewrite ?mulr0 ?mul0r.
rewrite big1 ?add0r => [|k _]; last by rewrite mul0r.
by rewrite IH ?ltn_subLR // -(eqn_add2l s) !subnKC.
Qed.
End Blocks.

(* A matrix as a function of any two numbers. *)
Definition entries (R : comRingType) N (Q : 'M[R]_N) (i j : nat) : R :=
  if insub i is Some i' then if insub j is Some j' then Q i' j' else 0 else 0.

Lemma entriesE (R : comRingType) N (Q : 'M[R]_N) (i j : 'I_N) : entries Q i j = Q i j.
Proof. by rewrite /entries !valK. Qed.

Lemma pairing_of (R : comUnitRingType) N (P Q : 'M[R]_N) : P^T *m Q = 1%:M -> pairing N (entries P) (entries Q).
Proof.
move=> PQ; have QP : P *m Q^T = 1%:M.
  by apply: mulmx1C; rewrite -[LHS]trmxK trmx_mul trmxK PQ trmx1.
have total_ (F : nat -> R) : \sum_(i <- iota 0 N) F i = \sum_(i < N) F i.
  by have -> : iota 0 N = index_iota 0 N; rewrite ?big_mkord // /index_iota subn0.
split=> k j kn jn; rewrite total_.
  move/matrixP/(_ (Ordinal kn) (Ordinal jn)): PQ; rewrite !mxE -val_eqE /= => <-.
  by apply: eq_bigr => i _; rewrite !mxE -!entriesE.
move/matrixP/(_ (Ordinal kn) (Ordinal jn)): QP; rewrite !mxE -val_eqE /= => <-.
by apply: eq_bigr => i _; rewrite !mxE -!entriesE.
Qed.

(* The matrices of an element in representations of the group, by their number, for each size; where there are none. *)
Definition representations (R : comRingType) (m : meaning R) := nat -> forall z : extent, 'M[R]_(count_of m z).
Definition orthogonal (R : comRingType) (m : meaning R) (W : representations m) := forall l z, (W l z)^T *m W l z = 1%:M.
Definition trivial (R : comRingType) (m : meaning R) : representations m := fun _ _ => 1%:M.

Lemma trivial_orthogonal (R : comRingType) (m : meaning R) : orthogonal (@trivial R m).
Proof. by move=> l z; rewrite mulmx1 trmx1. Qed.

Section Turned.
Variables (R : comUnitRingType) (m : meaning R) (facts : nat -> option fact) (g : extent) (intys : seq rtype).
Variables (prog : program) (tys : seq rtype) (out : rtype) (ins' ins : nat -> cell R).

Section Matrices.
Variables (fam : family) (M D : 'M[R]_(count_of m g)) (W : representations m).
Hypothesis mixing : mixes fam.
Hypothesis unit_M : \det M \is a GRing.unit.
Hypothesis hom : forall e, homogeneous m facts (\det M ^ e).
Hypothesis MD : M^T *m (if linear fam then D else M) = 1%:M.
Hypothesis WW : orthogonal W.
(* Over an integral domain the determinant of an orthogonal matrix is 1 or -1. *)
Hypothesis special : match fam with SO | SL => \det M = 1 | O => exists b : bool, \det M = (-1) ^+ b | _ => True end.

Definition turned_by :=
  turns m (matrix m fam g (entries M) (entries D) (\det M) (fun l z => entries (W l z))) (fun e => \det M ^ e).

Hypothesis obeyed : obeys m fam g facts turned_by.

Lemma sound_matrices : check fam g facts intys prog tys out ->
  (forall k, (k < size intys)%N -> turned_by (ins' k) (ins k) (nth ty0 intys k)) ->
  turned_by (eval m prog ins') (eval m prog ins) out.
Proof.
move=> ok given; apply: (run_sound (related := turned_by)) ok => ctx cells' cells o ty earlier.
have pairs : paired m fam g (entries M) (entries D).
  move: MD; rewrite /paired; case: (linear fam) => pq; last exact: pairing_of.
  split; first exact: pairing_of.
  by apply: pairing_of; rewrite -[LHS]trmxK trmx_mul trmxK pq trmx1.
have reps l z : pairing (count_of m z) (entries (W l z)) (entries (W l z)) by apply/pairing_of/WW.
have det2 : ~~ linear fam -> \det M * \det M = 1.
  by move: MD; case: (linear fam) => // oM _; rewrite -{1}det_tr -det_mulmx oM det1.
apply: (line_turns (fam := fam)) => //.
- by move=> t k j; apply: (matrix_columns pairs).
- by move=> t i j; apply: (matrix_rows pairs).
- by move=> t i k; apply: matrix_outside.
- by move=> x t i j; apply: matrix_first.
- by move=> x t i j; apply: matrix_apart.
- by move=> x t i j; apply: matrix_later.
- by move=> k; apply: matrix_still.
- by move=> *; apply: matrix_prod.
- by move=> rf x i j; rewrite expr1z; apply: matrix_det; [case: (fam) rf | apply: det2; case: (fam) rf].
- by move=> a b; rewrite exprzDr.
- move=> a b; case: (fam) mixing special => //= _ sp; try by rewrite sp !exp1rz.
    by case: sp => c -> ev; apply: sign_same.
  by move/eqP ->.
- by move=> h d e xs dh; have [-> _ _ _ _] := hom e xs dh; rewrite exprz_exp.
- by move=> h d e xs dh; have [] := hom e xs dh.
Qed.
End Matrices.
End Turned.

(** * What certificates say *)

Section Says.
Variables (R : idomainType) (m : meaning R) (intys : seq rtype) (p : program) (out : rtype).

(* Where the arguments of two runs are related as their types say, so are the results. *)
Definition respects (related : cell R -> cell R -> rtype -> Prop) := forall ins' ins : nat -> cell R,
  (forall k, (k < size intys)%N -> related (ins' k) (ins k) (nth ty0 intys k)) ->
  related (eval m p ins') (eval m p ins) out.
End Says.

(* An element comes with a matrix for each representation and size, any orthogonal one: what is shown holds for every
   orthogonal representation.  Of functions it is supposed that those along axes do not mind the order, that they have
   the degrees that are stated, for the powers of the character, and that those of arrays respect each element as is
   stated. *)
Definition equivariant (fam : family) (g : extent) (facts : nat -> option fact) (intys : seq rtype) (p : program)
    (out : rtype) : Prop := forall (R : idomainType) (m : meaning R), symmetric m ->
  let n := count_of m g in let holds related := obeys m fam g facts related -> @respects R m intys p out related in
  match fam with
  | S => homogeneous m facts (-1) -> forall s : 'S_n, holds (permuted_by s)
  | A => homogeneous m facts (-1) -> forall s : 'S_n, ~~ odd_perm s -> holds (permuted_by s)
  | C => forall c : 'I_n, holds (shifted_by c)
  | Signs => homogeneous m facts (-1) -> forall (b : nat -> bool) (chi : bool), holds (signed_by m g b chi)
  | Scale => forall c : R, c \is a GRing.unit -> (forall e, homogeneous m facts (c ^ e)) -> holds (scaled_by c)
  | O => homogeneous m facts (-1) -> forall (Q : 'M[R]_n) (W : representations m), Q^T *m Q = 1%:M -> orthogonal W ->
      holds (turned_by O Q Q W)
  | SO => forall (Q : 'M[R]_n) (W : representations m), Q^T *m Q = 1%:M -> \det Q = 1 -> orthogonal W ->
      holds (turned_by SO Q Q W)
  | GL => forall Q D : 'M[R]_n, Q^T *m D = 1%:M -> (forall e, homogeneous m facts (\det Q ^ e)) ->
      holds (turned_by GL Q D (@trivial R m))
  | SL => forall Q D : 'M[R]_n, Q^T *m D = 1%:M -> \det Q = 1 -> holds (turned_by SL Q D (@trivial R m))
  end.

Lemma det_sign (R : idomainType) n (Q : 'M[R]_n) : Q^T *m Q = 1%:M -> exists b : bool, \det Q = (-1) ^+ b.
Proof.
move=> oQ; have : \det Q * \det Q = 1 by rewrite -{1}det_tr -det_mulmx oQ det1.
rewrite -expr2 => /eqP; rewrite sqrf_eq1 => /orP [] /eqP ->; first by exists false.
by exists true; rewrite expr1.
Qed.

Theorem sound fam g facts intys p tys out : check fam g facts intys p tys out -> equivariant fam g facts intys p out.
Proof.
move=> ok R m sym n holds.
have one (u : R) e : u = 1 -> homogeneous m facts (u ^ e) by move=> ->; rewrite exp1rz; apply: homogeneous_1.
have unit_of (Q D : 'M[R]_n) : Q^T *m D = 1%:M -> \det Q \is a GRing.unit.
  by move=> QD; apply/unitrP; exists (\det D); rewrite mulrC -det_tr -det_mulmx QD det1.
case: fam ok @holds => ok holds.
- by move=> neg s ob ins' ins; apply: (sound_permuted sym _ neg ob ok).
- by move=> neg s ev ob ins' ins; apply: (sound_permuted sym _ neg ob ok).
- by move=> c ob ins' ins; apply: (sound_shifted sym ob ok).
- by move=> neg b chi ob ins' ins; apply: (sound_signed sym neg ob ok).
- move=> neg Q W oQ oW ob ins' ins; have [b db] := det_sign oQ.
  apply: (sound_matrices _ _ _ _ oW _ ob ok) => //; [exact: unit_of oQ | | by exists b].
  by move=> e; apply: (homogeneous_sign (b := b && odd `|e|)) => //; rewrite db sign_power -exprM; case: b db => _; rewrite /= ?mul1n ?mul0n // signr_odd.
- move=> Q W oQ dQ oW ob ins' ins; apply: (sound_matrices _ _ _ _ oW _ ob ok) => // [|e]; [exact: unit_of oQ | exact: one].
- by move=> Q D QD hom ob ins' ins; apply: (sound_matrices _ _ _ _ (@trivial_orthogonal R m) _ ob ok) => //; exact: unit_of QD.
- by move=> Q D QD dQ ob ins' ins; apply: (sound_matrices _ _ _ _ (@trivial_orthogonal R m) _ ob ok) => // [|e]; [exact: unit_of QD | exact: one].
by move=> c uc hom ob ins' ins; apply: (sound_scaled sym uc hom ob ok).
Qed.

Print Assumptions sound.
