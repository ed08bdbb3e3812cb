(* The checker of shapes: one rule for each operation.  shaped given p shapes claimed = true says that the shapes of the
   lines of the program p follow from those of the arguments, and that every entry that is read is inside of the array
   in which it is read.  Then no entry outside of the arrays has an influence: where arguments agree inside of their
   shapes, so do all lines inside of theirs, both in their values and in where they are defined.

   Of the variables of which sizes are made is known what they are: numbers, or sums of products of others, which may be
   any numbers.  A size n that is 1 or more is u + 1, n - 1 is u, and 768 is 768. Where there is an index below n - 1, u
   is 1 or more. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

(* The sizes of the axes. *)
Definition shape := seq extent.

(** * Rules *)

(* z covers w where it has each monomial of w at least as often: it is as large for all values of the variables, which
   may be 0.  The variables of a monomial are in order. *)
Definition distinct (w : extent) : extent := foldr (fun x s => if x \in s then s else x :: s) [::] w.
Definition covers (z w : extent) := all (fun x => count_mem x w <= count_mem x z) (distinct w).
Definition size_one : extent := [:: [::]].
Definition times (z w : extent) : extent := [seq sort leq (x ++ y) | x <- z, y <- w].

(* The size that a place is, where it is read at no label. *)
Definition size_at (i : place) : option extent :=
  match i with Num k => Some (nseq k [::]) | Size z => Some z | _ => None end.

(* Of each variable, how many times which products it is; others than these may be any numbers. *)
Definition knowledge : Type := seq (seq (nat * seq nat)).

Section Check.
Variable known : knowledge.

Section Places.
(* Of these variables is known that they are 1 or more. *)
Variable some : seq nat.

(* A variable, a product of variables, and a size, by what is known of the variables. *)
Definition free v : extent := if v \in some then [:: [::]; [:: v]] else [:: [:: v]].
Definition product (x : seq nat) : extent := foldr (fun v => times (free v)) size_one x.
Definition variable v : extent := flatten [seq flatten (nseq x.1 (product x.2)) | x <- nth [:: (1, [:: v])] known v].
Definition expand (z : extent) : extent := flatten [seq foldr (fun v => times (variable v)) size_one x | x <- z].

Variable size_of : nat -> extent.

(* A bound of a place, as two sizes: the place and the second one together are at most the first one. *)
Fixpoint bound (i : place) : extent * extent :=
  match i with
  | Lab l => (expand (size_of l), size_one)
  | Num k => (nseq k [::], [::])
  | Size z => (expand z, [::])
  | Plus a b => let: (p, n) := bound a in let: (q, k) := bound b in (p ++ q, n ++ k)
  | Times a b =>
      let: (p, n) := bound a in let: (q, k) := bound b in (times p q ++ times n k, times p k ++ times n q)
  | Minus a b =>
      let: (p, n) := bound a in
      if size_at b is Some w then let: k := n ++ expand w in if covers p k then (p, k) else (p, n) else (p, n)
  | Over a b => bound a
  | Modulo a b =>
      if size_at b is Some w then let: q := expand w in if [::] \in q then (q, size_one) else bound a else bound a
  end.

Definition bounded (i : place) (z : extent) := let: (p, n) := bound i in covers (expand z ++ n) ([::] :: p).

(* The place is below the size. *)
Fixpoint below (i : place) (z : extent) : bool :=
  if bounded i z then true
  else match i with
    | Over a b => if size_at b is Some w then below a (times w z) else false
    | Minus a _ | Modulo a _ => below a z
    | _ => false
    end.
End Places.

Definition equal_size (z w : extent) :=
  if z == w then true else let: (z', w') := (expand [::] z, expand [::] w) in covers z' w' && covers w' z'.
Definition alike (s t : shape) := all2 equal_size s t.

(* The variables in all products of a size, and of some sizes: they are 1 or more where there are indices below these. *)
Definition positive (z : extent) : seq nat :=
  let z' := expand [::] z in [seq v <- head [::] z' | all (fun x => v \in x) z'].
Definition present (sizes : seq (nat * extent)) : seq nat := flatten [seq positive x.2 | x <- sizes].

(* A label has one size, that of the axes at which it is read; one of the result may be shorter at a single place. *)
Definition size_in (sizes : seq (nat * extent)) l : extent := (nth (0, [::]) sizes (find (fun x => x.1 == l) sizes)).2.
Definition single (out read : seq nat) l := (l \in out) && (count_mem l read == 1).
Definition read_ok some size_of (out read : seq nat) (i : place) (z : extent) : bool :=
  if i is Lab l then
    if equal_size (size_of l) z then true else if single out read l then below some size_of i z else false
  else below some size_of i z.

Section Lines.
Variable given : seq shape.
Implicit Types (ctx : seq shape) (rows : seq (nat * seq place)) (sh : shape).

Definition has_shape ctx sh a := (a < size ctx) && alike (nth [::] ctx a) sh.

Definition contract_shape ctx rows (summed : seq (nat * extent)) (out : seq nat) sh : bool :=
  let sizes := zip out sh ++ summed in let read := labels rows in
  [&& size sh == size out, uniq [seq x.1 | x <- sizes], all (mem [seq x.1 | x <- sizes]) read
    & all (fun r => (r.1 < size ctx) && all2 (read_ok (present sizes) (size_in sizes) out read) r.2 (nth [::] ctx r.1)) rows].

Definition shape_rule ctx o sh : bool :=
  match o with
  | Input k => (k < size given) && alike (nth [::] given k) sh
  | Scalar _ | Leaf _ => true
  | Delta z => alike [:: z; z] sh
  | Contract rows summed out => contract_shape ctx rows summed out sh
  | Add args | Map _ args => all (has_shape ctx sh) args
  | Choose c ps a b =>
      [&& all (fun p => p < size sh) ps, has_shape ctx [seq nth [::] sh p | p <- ps] c, has_shape ctx sh a
        & has_shape ctx sh b]
  | Fold _ a p z => (p <= size sh) && has_shape ctx (insert p z sh) a
  | Sort _ a p z => [&& p < size sh, equal_size z (nth [::] sh p) & has_shape ctx sh a]
  | Join rows p =>
      [&& p < size sh, equal_size (flatten [seq r.2 | r <- rows]) (nth [::] sh p)
        & all (fun r => has_shape ctx (put p r.2 sh) r.1) rows]
  | Whole _ r args => (r <= size sh) && all (fun x => has_shape ctx (take r sh ++ x.2) x.1) args
  | View v a p z w =>
      let n := size (view_sizes v z w) in
      let cut := nth [::] (nth [::] ctx a) p in
      let given := match v with Cut => [:: cut] | Split => [:: product_size z w] | Merge => [:: z; w] end in
      [&& all2 equal_size (view_sizes v z w) (take n (drop p sh)), has_shape ctx (exchange p n given sh) a
        & if v is Cut then covers (expand [::] cut) (expand [::] (z ++ w)) else true]
  end.

Definition shaped := check_lines [::] shape_rule.
End Lines.
End Check.

(** * Sizes *)

(* The number that a size is, where these are the numbers that variables are. *)
Definition count_by (u : nat -> nat) (z : extent) : nat := sumn [seq foldr muln 1 [seq u v | v <- x] | x <- z].

Section Counts.
Variable u : nat -> nat.
Local Notation size_by := (count_by u).
Implicit Types (z w : extent).

Lemma count_byE z : size_by z = \sum_(x <- z) \prod_(v <- x) u v.
Proof. by rewrite /count_by sumnE big_map; apply: eq_bigr => x _; rewrite foldrE big_map. Qed.

Lemma count_by_cat z w : size_by (z ++ w) = size_by z + size_by w.
Proof. by rewrite !count_byE big_cat. Qed.

Lemma count_by_units k : size_by (nseq k [::]) = k.
Proof. by rewrite count_byE big_nseq big_nil iter_addn mul1n addn0. Qed.

Lemma count_by_flatten zs : size_by (flatten zs) = sumn [seq size_by z | z <- zs].
Proof. by elim: zs => //= z zs <-; rewrite count_by_cat. Qed.

Lemma count_by_copies k z : size_by (flatten (nseq k z)) = k * size_by z.
Proof. by rewrite count_by_flatten map_nseq sumn_nseq mulnC. Qed.

Lemma count_by_one : size_by size_one = 1. Proof. exact: (count_by_units 1). Qed.

Lemma count_by_times z w : size_by (times z w) = size_by z * size_by w.
Proof.
rewrite !count_byE big_distrl /times big_allpairs_dep; apply: eq_bigr => x _; rewrite big_distrr; apply: eq_bigr => y _.
by rewrite (perm_big (x ++ y)) ?perm_sort // big_cat.
Qed.

Lemma distinctE w : distinct w =i w.
Proof.
elim: w => //= x w IH y; case: ifP => xw; rewrite !inE IH //.
by case: eqP => // ->; rewrite -IH.
Qed.

Lemma coversE z w : covers z w -> size_by w <= size_by z.
Proof.
move/allP => each; have : forall x, count_mem x w <= count_mem x z.
  by move=> x; case: (boolP (x \in w)) => [| /count_memPn -> //]; rewrite -distinctE => /each.
move/count_subseqP => [s sz ws]; have [rest pr] := perm_to_subseq sz.
by rewrite !count_byE (perm_big _ ws) (perm_big _ pr) big_cat leq_addr.
Qed.
End Counts.

(* Variables have the values that are known, for some values of the free ones; where some of these are 1 or more, for
   their values less 1. *)
Definition given_above (known : knowledge) some (value u : nat -> nat) :=
  forall v, value v = count_by u (variable known some v).
Definition given_by (known : knowledge) (value u : nat -> nat) := given_above known [::] value u.
Definition less_one (some : seq nat) (u : nat -> nat) v := if v \in some then (u v).-1 else u v.

Lemma given_above_some known some value u : given_by known value u -> (forall v, v \in some -> 0 < u v) ->
  given_above known some value (less_one some u).
Proof.
have productE some' u' x : (forall v, count_by u' (free some' v) = u v) ->
    count_by u' (product some' x) = foldr muln 1 [seq u v | v <- x].
  by move=> free_; elim: x => [|v x IH] /=; rewrite ?count_by_one // count_by_times free_ IH.
move=> given_ pos v; rewrite given_ /variable !count_by_flatten -!map_comp; congr sumn; apply: eq_map => x /=.
rewrite !count_by_copies !productE // => w; rewrite /free /count_by /=; last by rewrite muln1 addn0.
by case: ifP => ws; rewrite /= /less_one ws muln1 addn0 // add1n prednK ?pos.
Qed.

Section Sizes.
Variables (R : comRingType) (m : meaning R) (known : knowledge) (some : seq nat) (u : nat -> nat).
Hypothesis known_so : given_above known some (var m) u.
Notation count := (count_of m).
Notation size_by := (count_by u).
Implicit Types (z w : extent).

Lemma count_cat z w : count (z ++ w) = count z + count w.
Proof. exact: (count_by_cat (var m)). Qed.

Lemma count_times z w : count (times z w) = count z * count w.
Proof. exact: (count_by_times (var m)). Qed.

Lemma count_flatten (zs : seq extent) : count (flatten zs) = sumn [seq count z | z <- zs].
Proof. by elim: zs => //= z zs <-; rewrite count_cat. Qed.

Lemma expandE z : size_by (expand known some z) = count z.
Proof.
rewrite /expand; elim: z => //= x z IH; rewrite count_by_cat IH; congr addn.
by elim: x => [|v x IHx] /=; rewrite ?count_by_one // count_by_times IHx known_so.
Qed.

(* A product of differences. *)
Lemma times_bound a b p n q k : a + n <= p -> b + k <= q -> a * b + (p * k + n * q) <= p * q + n * k.
Proof.
move=> ap bq; have np : n <= p by apply: leq_trans ap; apply: leq_addl.
have kq : k <= q by apply: leq_trans bq; apply: leq_addl.
have -> : p * q + n * k = (p - n) * (q - k) + (p * k + n * q).
  by rewrite -{1 3}(subnK np) !mulnDl -{1}(subnK kq) mulnDr -!addnA; congr (_ + (_ + _)); rewrite addnC.
by rewrite leq_add2r leq_mul // leq_subRL // addnC.
Qed.

Section Bound.
Variables (size_of : nat -> extent) (e : env).
Definition label_inside l := e l < count (size_of l).

Lemma size_atE i w : size_at i = Some w -> at_ m e i = count w.
Proof. by case: i => //= [k [<-] | z [->]] //; rewrite -[count _]/(count_by (var m) _) count_by_units. Qed.

Lemma boundE i : (forall l, l \in labels_of i -> label_inside l) ->
  at_ m e i + size_by (bound known some size_of i).2 <= size_by (bound known some size_of i).1.
Proof.
elim: i => [l | k | z | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb] inside.
- by rewrite count_by_one addn1 expandE; apply/inside/mem_head.
- by rewrite /= addn0 count_by_units.
- by rewrite /= addn0 expandE.
all: have {}IHa : at_ m e a + size_by (bound known some size_of a).2 <= size_by (bound known some size_of a).1
  by apply: IHa => l la; apply: inside; rewrite /= mem_cat la.
all: have {}IHb : at_ m e b + size_by (bound known some size_of b).2 <= size_by (bound known some size_of b).1
  by apply: IHb => l lb; apply: inside; rewrite /= mem_cat lb orbT.
all: move: IHa IHb => /=; case: (bound _ _ _ a) => p n; case: (bound _ _ _ b) => q k /= IHa IHb.
- by rewrite !count_by_cat addnACA leq_add.
- case sb: (size_at b) => [w|]; last by apply: leq_trans IHa; rewrite leq_add2r leq_subr.
  rewrite (size_atE sb); case: ifP => [/(coversE u) | _] /=; last by apply: leq_trans IHa; rewrite leq_add2r leq_subr.
  rewrite count_by_cat expandE => nw; case: (leqP (count w) (at_ m e a)) => [wa | /ltnW aw].
    by rewrite addnCA subnK // addnC.
  by rewrite (eqP aw).
- by rewrite !count_by_cat !count_by_times times_bound.
- by apply: leq_trans IHa; rewrite leq_add2r leq_div.
case sb: (size_at b) => [w|]; last by apply: leq_trans IHa; rewrite leq_add2r leq_mod.
case: ifP => [w0 | _] /=; last by apply: leq_trans IHa; rewrite leq_add2r leq_mod.
rewrite (size_atE sb) count_by_one addn1 expandE ltn_mod -expandE.
by rewrite count_byE (big_rem _ w0) /= big_nil.
Qed.

Lemma belowE i z : (forall l, l \in labels_of i -> label_inside l) -> below known some size_of i z -> at_ m e i < count z.
Proof.
have bd j w : (forall l, l \in labels_of j -> label_inside l) -> bounded known some size_of j w -> at_ m e j < count w.
  move/boundE; rewrite /bounded; case: (bound _ _ _ j) => p n /= b /(coversE u).
  rewrite -[_ :: p]/(size_one ++ p) !count_by_cat count_by_one expandE => c.
  by rewrite -(ltn_add2r (size_by n)); apply: leq_ltn_trans b _; exact: c.
elim: i z => [l | k | w | a IHa b _ | a IHa b _ | a IHa b _ | a IHa b _ | a IHa b _] z inside;
  rewrite [below _ _ _ _ _]/=; case: ifP => [/bd -> // | _] //.
all: have insa : forall l, l \in labels_of a -> label_inside l by move=> l la; apply: inside; rewrite /= mem_cat la.
- by move/(IHa _ insa); apply: leq_ltn_trans; rewrite leq_subr.
- case sb: (size_at b) => [w|] // /(IHa _ insa); rewrite /= (size_atE sb).
  rewrite count_times => aw; have w0 : 0 < count w by move: aw; case: (count w).
  by rewrite ltn_divLR // mulnC.
by move/(IHa _ insa); apply: leq_ltn_trans; rewrite leq_mod.
Qed.
End Bound.
End Sizes.

Section Arrays.
Variables (R : comRingType) (m : meaning R) (known : knowledge) (u : nat -> nat).
Hypothesis known_so : given_by known (var m) u.
Notation count := (count_of m).
Notation size_by := (count_by u).
Implicit Types (z w : extent).

Lemma equal_sizeE z w : equal_size known z w -> count z = count w.
Proof.
rewrite /equal_size; case: eqP => [-> //| _] /andP [/(coversE u) wz /(coversE u) zw].
by apply/eqP; rewrite -!(expandE known_so) eqn_leq wz zw.
Qed.

(* Variables are positive where there is an index below a size. *)
Lemma positiveE z i v : i < count z -> v \in positive known z -> 0 < u v.
Proof.
rewrite -(expandE known_so) mem_filter lt0n => iz /andP [/allP each _]; apply: contraTneq iz => v0.
rewrite -leqNgt count_byE big_seq big1 // => x /each vx.
by rewrite (big_rem v vx) /= v0.
Qed.

(** * Indices *)

(* Indices inside of an array; arrays that agree there. *)
Definition in_range (sh : shape) (ix : seq nat) := all2 (fun z i => i < count z) sh ix.
Definition agree (sh : shape) (c' c : cell R) := forall ix, in_range sh ix -> c'.1 ix = c.1 ix /\ c'.2 ix = c.2 ix.

Lemma in_range_size sh ix : in_range sh ix -> size ix = size sh.
Proof. by rewrite /in_range all2E => /andP [/eqP ->]. Qed.

Lemma in_range_nth sh ix p : in_range sh ix -> p < size sh -> nth 0 ix p < count (nth [::] sh p).
Proof. by elim: sh ix p => [|z sh IH] [|i ix] [|p] //= /andP [] // _ /IH; apply. Qed.

Lemma in_range_alike sh sh' ix : alike known sh sh' -> in_range sh' ix -> in_range sh ix.
Proof. by elim: sh sh' ix => [|z sh IH] [|w sh'] [|i ix] //= /andP [/equal_sizeE -> al] /andP [-> /(IH _ _ al)]. Qed.

Lemma in_range_cat sh sh' ix ix' : in_range sh ix -> in_range sh' ix' -> in_range (sh ++ sh') (ix ++ ix').
Proof. by elim: sh ix => [|z sh IH] [|i ix] //= /andP [-> r] r'; apply: IH. Qed.

Lemma in_range_take sh ix r : in_range sh ix -> in_range (take r sh) (take r ix).
Proof. by elim: sh ix r => [|z sh IH] [|i ix] [|r] //= /andP [-> /IH]; apply. Qed.

Lemma in_range_drop sh ix r : in_range sh ix -> in_range (drop r sh) (drop r ix).
Proof. by elim: sh ix r => [|z sh IH] [|i ix] [|r] //= /andP [_ /IH]; apply. Qed.

Lemma in_range_insert sh ix p z k : in_range sh ix -> k < count z -> in_range (insert p z sh) (insert p k ix).
Proof.
by move=> r kz; apply: in_range_cat (in_range_take _ r) _; rewrite /= kz; apply: in_range_drop.
Qed.

Lemma in_range_put sh ix p z k : in_range sh ix -> k < count z -> in_range (put p z sh) (put p k ix).
Proof.
by move=> r kz; apply: in_range_insert kz; apply: in_range_cat (in_range_take _ r) (in_range_drop _ r).
Qed.

Lemma in_range_grid (zs : seq extent) jx : jx \in grid (sizes_of m zs) -> in_range zs jx.
Proof.
elim: zs jx => [|z zs IH] jx /=; first by rewrite inE => /eqP ->.
case/flattenP => rows /mapP [i]; rewrite mem_iota add0n => /andP [_ iz] -> /mapP [kx /IH r ->] /=.
by rewrite iz.
Qed.

Lemma put_nth (T : Type) (x : T) p s : p < size s -> put p (nth x s p) s = s.
Proof. by elim: s p => [|y s IH] [|p] //= ps; rewrite ?put_0 // put_cons IH. Qed.

(* One of joined axes has each place. *)
Lemma joined_inside rows k : k < sumn [seq count r.2 | r <- rows] ->
  exists i r, [/\ joined m rows k = Some (r.1, i), r \in rows & i < count r.2].
Proof.
elim: rows k => [|[a z] rows IH] k //= kz; case: ltnP => [kz' | zk].
  by exists k, (a, z); rewrite mem_head.
have [|i [r [-> rr ir]]] := IH (k - count z); first by rewrite ltn_subLR.
by exists i, r; rewrite inE rr orbT.
Qed.

(** * Labels *)

Definition inside (sizes : seq (nat * extent)) (e : env) := forall x, x \in sizes -> e x.1 < count x.2.

Lemma size_inE sizes l : l \in [seq x.1 | x <- sizes] -> (l, size_in sizes l) \in sizes.
Proof.
rewrite /size_in; elim: sizes => [|[k z] sizes IH] //=; rewrite !inE eq_sym /=.
by case: (altP (k =P l)) => [<- | _] /=; [rewrite eqxx | move/IH => ->; rewrite orbT].
Qed.

Lemma inside_bind sh out ix : uniq out -> size sh = size out -> in_range sh ix -> inside (zip out sh) (bind out ix).
Proof.
move=> uo so r x xi; have := xi; rewrite -index_mem size_zip so minnn => k_lt.
have := nth_index (0, [::]) xi; rewrite nth_zip // => <- /=.
by rewrite /bind index_uniq //; apply: in_range_nth; rewrite ?so.
Qed.

Lemma over_inside (T : Type) (f : seq T -> T) (F' F : env -> T) done ls e :
  uniq [seq x.1 | x <- done ++ ls] -> inside done e ->
  (forall e, inside (done ++ ls) e -> F' e = F e) -> over m f ls F' e = over m f ls F e.
Proof.
elim: ls done e => [|x ls IH] done e /= uq ins same; first by apply: same; rewrite cats0.
congr f; apply/eq_in_map => i; rewrite mem_iota add0n => /andP [_ ix].
apply: (IH (rcons done x)); rewrite ?cat_rcons // => y; rewrite mem_rcons inE => /orP [/eqP -> | yd].
  by rewrite upd_same.
rewrite upd_other; first exact: ins.
apply: contraTneq uq => yx; rewrite map_cat cat_uniq /= !negb_and negb_or negbK -yx.
by rewrite (map_f fst yd) orbT.
Qed.

(** * Lines *)

Section Line.
Variables (given : seq shape) (ins' ins : nat -> cell R) (ctx : seq shape) (cells' cells : seq (cell R)).
Hypothesis agree_given : forall k, k < size given -> agree (nth [::] given k) (ins' k) (ins k).
Hypothesis earlier : forall a, a < size ctx -> agree (nth [::] ctx a) (nth c0 cells' a) (nth c0 cells a).

Lemma has_shapeE sh a ix : has_shape known ctx sh a -> in_range sh ix ->
  get cells' a ix = get cells a ix /\ ok cells' a ix = ok cells a ix.
Proof. by case/andP => ac al r; apply: earlier ac _ (in_range_alike al r). Qed.

(* Each place is read inside. *)
Lemma read_inside sizes out read i z e : all (mem [seq x.1 | x <- sizes]) (labels_of i) -> inside sizes e ->
  read_ok known (present known sizes) (size_in sizes) out read i z -> at_ m e i < count z.
Proof.
move=> /allP labs ie.
have bound_ l : l \in labels_of i -> label_inside m (size_in sizes) e l by move=> /labs /size_inE /ie.
have above : given_above known (present known sizes) (var m) (less_one (present known sizes) u).
  by apply: given_above_some known_so _ => v /flattenP [s /mapP [x xs ->]]; apply: positiveE (ie x xs).
case: i labs bound_ => [l | k | w | a b | a b | a b | a b | a b] labs bound_; try exact: (belowE above bound_).
rewrite /read_ok; case: ifP => [/equal_sizeE <- _ | _]; first exact/bound_/mem_head.
by case: ifP => // _; apply: (belowE above bound_).
Qed.

Lemma rows_inside sizes out read rows e r : all (mem [seq x.1 | x <- sizes]) (labels rows) -> inside sizes e ->
  r \in rows -> (r.1 < size ctx) && all2 (read_ok known (present known sizes) (size_in sizes) out read) r.2 (nth [::] ctx r.1) ->
  get cells' r.1 [seq at_ m e i | i <- r.2] = get cells r.1 [seq at_ m e i | i <- r.2] /\
  ok cells' r.1 [seq at_ m e i | i <- r.2] = ok cells r.1 [seq at_ m e i | i <- r.2].
Proof.
move=> /allP labs ie rr /andP [rc reads_]; apply: earlier rc _ _.
have : all (fun i => all (mem [seq x.1 | x <- sizes]) (labels_of i)) r.2.
  apply/allP => i ir; apply/allP => l li; apply: labs.
  by apply/flattenP; exists (labels_of i) => //; apply: map_f; apply/flattenP; exists r.2 => //; apply: map_f.
elim: r.2 (nth _ _ _) reads_ => [|i places IH] [|z sh] //= /andP [iz rest] /andP [li ls].
by rewrite (read_inside li ie iz) /=; apply: IH.
Qed.

Lemma bodies_inside sizes out read rows e : all (mem [seq x.1 | x <- sizes]) (labels rows) -> inside sizes e ->
  all (fun r => (r.1 < size ctx) && all2 (read_ok known (present known sizes) (size_in sizes) out read) r.2 (nth [::] ctx r.1)) rows ->
  body m cells' rows e = body m cells rows e /\ body_ok m cells' rows e = body_ok m cells rows e.
Proof.
move=> labs ie /allP each; split; [apply: eq_big_seq | apply: eq_in_all] => r rr;
  by have [] := rows_inside labs ie rr (each r rr).
Qed.

Lemma along_inside sh a p z ix : has_shape known ctx (insert p z sh) a -> in_range sh ix ->
  along m (get cells' a) p ix z = along m (get cells a) p ix z /\ along m (ok cells' a) p ix z = along m (ok cells a) p ix z.
Proof.
move=> has r; split; apply/eq_in_map => k; rewrite mem_iota add0n => /andP [_ kz];
  by have [] := has_shapeE has (in_range_insert p r kz).
Qed.

Lemma called_inside h (args : seq (nat * seq extent)) sh r ix jx :
  all (fun x => has_shape known ctx (take r sh ++ x.2) x.1) args -> in_range sh ix ->
  (called m h cells' args (take r ix)).1 jx = (called m h cells args (take r ix)).1 jx /\
  (called m h cells' args (take r ix)).2 jx = (called m h cells args (take r ix)).2 jx.
Proof.
move=> /allP each ri.
have one x kx : x \in args -> kx \in grid (sizes_of m x.2) ->
    get cells' x.1 (take r ix ++ kx) = get cells x.1 (take r ix ++ kx) /\
    ok cells' x.1 (take r ix ++ kx) = ok cells x.1 (take r ix ++ kx).
  by move=> xa kg; apply: has_shapeE (each x xa) _; apply: in_range_cat (in_range_take _ ri) (in_range_grid kg).
have arrays : [seq array m x | x <- [seq (x.2, inner cells' x.1 (take r ix)) | x <- args]] =
    [seq array m x | x <- [seq (x.2, inner cells x.1 (take r ix)) | x <- args]].
  rewrite -!map_comp; apply/eq_in_map => x xa; congr pair; apply/eq_in_map => kx kg.
  by case: (one x kx xa kg).
split; rewrite /called /call /= arrays // !all_map; congr (_ && _); apply: eq_in_all => x xa.
by apply: eq_in_all => kx kg; case: (one x kx xa kg).
Qed.

Lemma line_agrees o sh : shape_rule known given ctx o sh ->
  agree sh (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o).
Proof.
move=> ok_ ix r; case: o ok_ => [k | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h r0 args | v a p z w] //=.
- by case/andP => kg al; apply: agree_given kg _ (in_range_alike al r).
- case/and4P => /eqP so uq labs each.
  have uo : uniq out.
    by move: uq; rewrite map_cat cat_uniq => /andP [+ _]; rewrite -/unzip1 unzip1_zip ?so.
  have start := inside_bind uo so r.
  by split; apply: over_inside uq start _ => e ie; have [] := bodies_inside labs ie each.
- move/allP => each; split; [apply: eq_big_seq | apply: eq_in_all] => a /each has; by have [] := has_shapeE has r.
- move/allP => each; have vals : [seq get cells' a ix | a <- args] = [seq get cells a ix | a <- args].
    by apply/eq_in_map => a /each has; have [] := has_shapeE has r.
  rewrite vals; split=> //; congr (_ && _); apply: eq_in_all => a /each has; by have [] := has_shapeE has r.
- case/and4P => /allP ps_ hc ha hb.
  have [-> ->] : get cells' c [seq nth 0 ix p | p <- ps] = get cells c [seq nth 0 ix p | p <- ps] /\
      ok cells' c [seq nth 0 ix p | p <- ps] = ok cells c [seq nth 0 ix p | p <- ps].
    apply: has_shapeE hc _; elim: ps ps_ => //= p ps IH ps_.
    by rewrite in_range_nth ?ps_ ?mem_head //=; apply: IH => q qp; apply: ps_; rewrite inE qp orbT.
  by have [-> ->] := has_shapeE ha r; have [-> ->] := has_shapeE hb r.
- by case/andP => _ has; have [-> ->] := along_inside has r.
- case/and3P => ps sz has; have rw : in_range (without p sh) (without p ix).
    by apply: in_range_cat (in_range_take _ r) (in_range_drop _ r).
  have zE := equal_sizeE sz; have each k : k < count z -> in_range sh (insert p k (without p ix)).
    by move=> kz; rewrite -(put_nth [::] ps); apply: in_range_put r _; rewrite -zE.
  have [vals oks] : along m (get cells' a) p (without p ix) z = along m (get cells a) p (without p ix) z /\
      along m (ok cells' a) p (without p ix) z = along m (ok cells a) p (without p ix) z.
    by split; apply/eq_in_map => k; rewrite mem_iota add0n => /andP [_ /each kr]; have [] := has_shapeE has kr.
  by rewrite vals oks.
- case/and3P => ps /equal_sizeE total_ /allP each.
  have := in_range_nth r ps; rewrite -total_ count_flatten -map_comp => /joined_inside [i [row [-> rr ir]]].
  by have [-> ->] := has_shapeE (each row rr) (in_range_put p r ir).
- by case/andP => _ has; apply: called_inside has r.
case/and3P => _ has fits_; case: (boolP (in_view m v p z w ix)) => //= inv.
set sh' := exchange _ _ _ _ in has; suff inside_ : in_range sh' (viewed m v p z w ix) by have [-> ->] := has_shapeE has inside_.
rewrite /sh' /viewed /exchange; apply: in_range_cat (in_range_take _ r) (in_range_cat _ (in_range_drop _ r)).
move: inv fits_; rewrite /in_view; case: v {has sh'} => /=; case: (take _ _) => [|i [|j [|? ?]]] //=; rewrite ?andbT ?andbF //.
- move=> iw /(coversE u); rewrite !(expandE known_so) count_cat => le.
  by rewrite (leq_trans _ le) // ltn_add2l.
- case/andP => iz jw _; rewrite Environments.count_times (@leq_trans (i.+1 * count w)) ?leq_mul2r ?iz ?orbT //.
  by rewrite mulSn addnC ltn_add2r.
by rewrite Environments.count_times => /below_product [_ -> ->].
Qed.
End Line.

(* Every line, of programs that the checker accepts. *)
Section Program.
Variables (given : seq shape) (ins' ins : nat -> cell R).
Hypothesis agree_given : forall k, k < size given -> agree (nth [::] given k) (ins' k) (ins k).

Lemma run_agrees ctx cells' cells p shapes : size cells' = size ctx -> size cells = size ctx ->
  (forall a, a < size ctx -> agree (nth [::] ctx a) (nth c0 cells' a) (nth c0 cells a)) ->
  check_from (shape_rule known given) ctx p shapes ->
  [/\ size (run m ins' p cells') = size (ctx ++ shapes), size (run m ins p cells) = size (ctx ++ shapes)
    & forall a, a < size (ctx ++ shapes) ->
        agree (nth [::] (ctx ++ shapes) a) (nth c0 (run m ins' p cells') a) (nth c0 (run m ins p cells) a)].
Proof.
elim: p ctx cells' cells shapes => [|o p IH] ctx cells' cells [|sh shapes] //= s' s_ earlier.
  by rewrite cats0.
case/andP => now rest; rewrite -cat_rcons; apply: IH rest; rewrite ?size_rcons ?s' ?s_ // => a.
rewrite ltnS leq_eqVlt !nth_rcons s' s_ => /orP [/eqP -> | ac]; last by rewrite ac; apply: earlier.
by rewrite ltnn eqxx; exact: (line_agrees agree_given earlier now).
Qed.

Theorem lines_agree p shapes claimed : shaped known given p shapes claimed -> forall a, a < size shapes ->
  agree (nth [::] shapes a) (nth c0 (run m ins' p [::]) a) (nth c0 (run m ins p [::]) a).
Proof. by case/andP => /andP [lines _] _; have [] := @run_agrees [::] [::] [::] p shapes erefl erefl _ lines. Qed.

Theorem results_agree p shapes claimed : shaped known given p shapes claimed -> agree claimed (eval m p ins') (eval m p ins).
Proof.
case/andP => /andP [lines /eqP <-] some.
have [//|s' s_ each] := @run_agrees [::] [::] [::] p shapes erefl erefl _ lines.
rewrite /eval -(nth_last c0) -[last c0 (run m ins _ _)](nth_last c0) s_ s' -(nth_last [::]).
by apply: each; rewrite prednK.
Qed.
End Program.
End Arrays.

(* The entries of the result inside of its shape, and where they are defined, depend on the entries of the arguments
   inside of theirs alone: for every ring, whatever functions and constants are, and at all sizes that are as is known. *)
Definition reads_inside (known : knowledge) (given : seq shape) (p : program) (claimed : shape) : Prop :=
  forall (R : comRingType) (m : meaning R) (u : nat -> nat), given_by known (var m) u ->
  forall ins' ins : nat -> cell R, (forall k, k < size given -> agree m (nth [::] given k) (ins' k) (ins k)) ->
    agree m claimed (eval m p ins') (eval m p ins).

Theorem shapes_sound known given p shapes claimed : shaped known given p shapes claimed ->
  reads_inside known given p claimed.
Proof. by move=> ok R m u known_so ins' ins same; apply: results_agree known_so _ _ _ same _ _ _ ok. Qed.

Print Assumptions lines_agree.
Print Assumptions shapes_sound.
