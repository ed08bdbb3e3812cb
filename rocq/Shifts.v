(* Soundness under translations: the entries of a vector are added along one axis of the points, at all other indices.
   What is said of values is said where they are defined; some variables of sizes are positive. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments Motions Sums.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Some functions are 1/x; of some along an axis, what is added to all entries is added to the value, and of no entries
   they are undefined, as a maximum is. *)
Definition lawful (R : comUnitRingType) (m : meaning R) (laws : seq law) : Prop :=
  (forall h x, (h, true) \in laws -> fns_ok m h [:: x] -> fns m h [:: x] * x = 1) /\
  (forall h xs c, (h, false) \in laws -> let xs' := [seq x + c | x <- xs] in
    [/\ red_ok m h xs' = red_ok m h xs, red_ok m h xs -> (0 < size xs)%N /\ red m h xs' = red m h xs + c
      & forall i, (i < size xs)%N -> srt m h xs' i = srt m h xs i + c]).

Section Shifted.
Variables (R : comUnitRingType) (m : meaning R) (pos : seq nat) (laws : seq law) (intys : seq motion) (v : nat -> R).
Hypothesis positive : forall x, x \in pos -> (0 < var m x)%N.
Hypothesis lawful_ : lawful m laws.

(* All indices but one. *)
Definition others p n (ix : seq nat) := [seq nth 0%N ix k | k <- without p (iota 0 n.+1)].
(* What is added, where these are the earlier values. *)
Definition extra (cells : seq (cell R)) t ix : R :=
  match t with
  | Moved p k zs ds => value_of m (k, zs, ds) * v (nth 0%N ix p)
  | Loaded p a q z n => v (nth 0%N ix p) * line_sum m (get cells a) q (others p n ix) z
  | _ => 0
  end.
Definition shifts cells (c' c : cell R) t : Prop := c'.2 =1 c.2 /\ forall ix, c.2 ix -> c'.1 ix = c.1 ix + extra cells t ix.

Lemma shifts_rcons cells c c' x t : fact m cells c t -> shifts cells c' c t -> shifts (rcons cells x) c' c t.
Proof.
move=> f [d e]; split=> // ix /e ->; congr (_ + _); case: t f {e} => //= p a q z n ac; congr (_ * _).
by apply: eq_bigr => k _; rewrite /get nth_rcons ac.
Qed.

Lemma is_motionE cells cells2 (c' c : cell R) a b : is_motion a b -> shifts cells c' c a -> shifts cells2 c' c b.
Proof.
case: a => [|k zs ds|p z|a1 p1 z1 n1|a1 p1 z1 n1|p k zs ds|? ? ? ? ?]; case: b => [|k' zs' ds'|p' z'|a' q' z' n'|a' q' z' n'|p' k' zs' ds'|? ? ? ? ?] //=.
by case/and4P => /eqP -> /eqP -> /(product_perm m) zE /(product_perm m) dE [d e]; split=> // ix /e; rewrite /= /value_of /= zE dE.
Qed.

Section Line.
Variables (ctx : seq motion) (cells' cells : seq (cell R)).
Hypothesis sizes : size cells = size ctx.
Hypothesis earlier : forall a, (a < size ctx)%N -> shifts cells (nth c0 cells' a) (nth c0 cells a) (motion_at ctx a).
Hypothesis facts : forall a, (a < size ctx)%N -> fact m cells (nth c0 cells a) (motion_at ctx a).

(** * What stays *)

Lemma defined_alike a ix : (a < size ctx)%N -> ok cells' a ix = ok cells a ix.
Proof. by case/earlier => d _; apply: d. Qed.

Lemma steady_in a : steady ctx a -> (a < size ctx)%N. Proof. by case/andP. Qed.

Lemma steady_same a ix : steady ctx a -> ok cells a ix -> get cells' a ix = get cells a ix.
Proof.
case/andP => /earlier [_ e] st d; rewrite /get e //.
by case: (motion_at ctx a) st => //= *; rewrite addr0.
Qed.

Lemma alike_body rows e : all (fun a => (a < size ctx)%N) [seq r.1 | r <- rows] -> body_ok m cells' rows e = body_ok m cells rows e.
Proof. by rewrite all_map => /allP st; apply: eq_in_all => r /st sr; rewrite (defined_alike _ sr). Qed.

Lemma steady_body rows e : all (steady ctx) [seq r.1 | r <- rows] -> body_ok m cells rows e ->
  body m cells' rows e = body m cells rows e.
Proof.
by rewrite all_map => /allP st /allP d; apply: eq_big_seq => r rr; rewrite (steady_same (st r rr) (d r rr)).
Qed.

Lemma steady_over rows ls e : all (steady ctx) [seq r.1 | r <- rows] -> over m every ls (body_ok m cells rows) e ->
  over m (@total R) ls (body m cells' rows) e = over m (@total R) ls (body m cells rows) e.
Proof.
move=> st; elim: ls e => [|x ls IH] e /=; first exact: steady_body.
by move/allP => d; congr total; apply/eq_in_map => k kx; apply: IH; apply: d; apply: map_f.
Qed.

Lemma steady_along a p ix z : steady ctx a -> every (along m (ok cells a) p ix z) ->
  along m (get cells' a) p ix z = along m (get cells a) p ix z.
Proof. by move=> st /allP d; apply/eq_in_map => k kz; apply: steady_same => //; apply: d; apply: map_f. Qed.

Lemma steady_called h (args : seq (nat * seq extent)) ix jx : all (steady ctx) [seq x.1 | x <- args] ->
  (called m h cells' args ix).2 jx = (called m h cells args ix).2 jx /\
  ((called m h cells args ix).2 jx -> (called m h cells' args ix).1 jx = (called m h cells args ix).1 jx).
Proof.
rewrite all_map => /allP st; rewrite /called /call /= !all_map.
have -> : all (fun x : nat * seq extent => all (inner cells' x.1 ix).2 (grid (sizes_of m x.2))) args =
    all (fun x : nat * seq extent => all (inner cells x.1 ix).2 (grid (sizes_of m x.2))) args.
  by apply: eq_in_all => x xa; apply: eq_all => kx /=; apply: defined_alike; apply: steady_in; apply: (st x xa).
rewrite -!map_comp; have arrays : all (fun x : nat * seq extent => all (inner cells x.1 ix).2 (grid (sizes_of m x.2))) args ->
    [seq (array m \o (fun x : nat * seq extent => (x.2, inner cells' x.1 ix))) x | x <- args] =
    [seq (array m \o (fun x : nat * seq extent => (x.2, inner cells x.1 ix))) x | x <- args].
  move=> /allP d; apply/eq_in_map => x xa; rewrite /= /array /=; congr (_, _); apply/eq_in_map => kx kg.
  by apply: steady_same (st x xa) _; move: (allP (d x xa) kx kg).
by split=> [|/andP [d _]]; [case d: (all _ _) => //=; rewrite arrays | rewrite arrays].
Qed.

Lemma still_line ins' ins o : (if o is Input _ then false else true) -> all (steady ctx) (args_of o) ->
  defined m ins' cells' o =1 defined m ins cells o /\
  forall ix, defined m ins cells o ix -> compute m ins' cells' o ix = compute m ins cells o ix.
Proof.
have within s : all (steady ctx) s -> all (fun a => (a < size ctx)%N) s by apply: sub_all => a /andP [].
have along_ok a p ix z : steady ctx a -> along m (ok cells' a) p ix z = along m (ok cells a) p ix z.
  by move=> /steady_in st; apply: eq_map => k; apply: defined_alike.
case: o => [// | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h r args | v0 a p z w] _ st //.
- split=> ix /=; last exact: steady_over.
  by apply: over_same => e; apply: alike_body; apply: within.
- split=> ix /=; first by apply: eq_in_all => a aa; apply: defined_alike; apply: (allP (within _ st)).
  by move=> /allP d; apply: eq_big_seq => a aa; apply: steady_same; [exact: (allP st) | exact: d].
- have al ix : all (fun a => ok cells' a ix) args = all (fun a => ok cells a ix) args.
    by apply: eq_in_all => a aa; apply: defined_alike; apply: (allP (within _ st)).
  have val ix : all (fun a => ok cells a ix) args -> [seq get cells' a ix | a <- args] = [seq get cells a ix | a <- args].
    by move=> /allP d; apply/eq_in_map => a aa; apply: steady_same; [exact: (allP st) | exact: d].
  split=> ix /=; last by case/andP => d _; rewrite val.
  by rewrite al; case d: (all _ _) => //=; rewrite val.
- case/and4P: (st) => sc sa sb _; split=> ix /=.
    rewrite (defined_alike _ (steady_in sc)); case d: (ok cells c _) => //=.
    by rewrite (steady_same sc d) (defined_alike _ (steady_in sa)) (defined_alike _ (steady_in sb)).
  by case/andP => d; rewrite (steady_same sc d); case: ifP => _; apply: steady_same.
- case/andP: (st) => sa _; split=> ix /=; rewrite ?along_ok //; first by case d: (every _) => //=; rewrite steady_along.
  by case/andP => d _; rewrite steady_along.
- case/andP: (st) => sa _; split=> ix /=; rewrite ?along_ok // => /andP [d _]; by rewrite steady_along.
- split=> ix /=; case J: (joined m rows _) => [[a i]|] //; have [r inr <-] := joined_in J.
    by congr (_ && _); apply: defined_alike; apply: (allP (within _ st)); apply: map_f.
  by case/andP => _; apply: steady_same; apply: (allP st); apply: map_f.
- by split=> ix /=; have [d e] := @steady_called h args (take r ix) (drop r ix) st; [exact: d | exact: e].
case/andP: (st) => sa _; split=> ix /=; first by rewrite (defined_alike _ (steady_in sa)).
by case/andP => -> d; apply: steady_same.
Qed.

Lemma view_axis v0 p z w q q' ix : in_view m v0 p z w ix -> axis_of_view v0 p z w q = Some q' ->
  nth 0%N (viewed m v0 p z w ix) q = nth 0%N ix q'.
Proof.
rewrite /in_view /viewed /axis_of_view /exchange; set n := size (view_sizes v0 z w); set y := [seq _ | i <- _].
have -> : size (view_places v0 z w) = size y by rewrite size_map.
rewrite all2E => /andP [/eqP sn _]; have n0 : (0 < n)%N by rewrite /n; case: (v0).
have n_le : (n <= size ix - p)%N by rewrite -size_drop -(cat_take_drop n (drop p ix)) size_cat -sn leq_addr.
have pn : (p + n <= size ix)%N by rewrite -leq_subRL // ltnW // -subn_gt0 (leq_trans n0).
have sp : size (take p ix) = p by rewrite size_takel // (leq_trans (leq_addr _ _) pn).
case: ltnP => [qp [<-] | pq]; first by rewrite nth_cat sp qp nth_take.
case: ltnP => // yq [<-]; rewrite nth_cat sp ltnNge pq /= nth_cat ltnNge leq_subRL // yq /= nth_drop.
congr nth; rewrite -subnDA -{2}(subnKC yq); move: (q - _)%N => d.
by rewrite [(p + size y)%N]addnC -[in RHS](addnA (size y)) addKn addnAC.
Qed.

Lemma insert_first k x (s1 s2 : seq nat) : (k <= size s1)%N -> insert k x (s1 ++ s2) = insert k x s1 ++ s2.
Proof.
rewrite /insert leq_eqVlt => /orP [/eqP -> | ks]; first by rewrite take_size_cat // drop_size_cat // take_size drop_size -catA.
by rewrite take_cat drop_cat ks -catA.
Qed.
Lemma insert_last k x (s1 s2 : seq nat) : (size s1 <= k)%N -> insert k x (s1 ++ s2) = s1 ++ insert (k - size s1) x s2.
Proof. by move=> sk; rewrite /insert take_cat drop_cat ltnNge sk /= -catA. Qed.
Lemma size_insert k x (s : seq nat) : size (insert k x s) = (size s).+1.
Proof. by rewrite /insert size_cat /= addnS -size_cat cat_take_drop. Qed.

(* Axes in place of others: an entry along an axis that stays is one along an axis of what they were put into. *)
Lemma exchange_insert (ys : seq nat -> seq nat) p n l q q' ix :
  (0 < n)%N -> (forall s, size (ys s) = l) -> (forall s s', take n (drop p s) = take n (drop p s') -> ys s = ys s') ->
  (p + n <= (size ix).+1)%N -> (q' <= size ix)%N ->
  (if q < p then Some q else if q < p + l then None else Some (q - l + n))%N = Some q' ->
  exists2 jx, (q <= size jx)%N & forall k, exchange p n (ys (insert q' k ix)) (insert q' k ix) = insert q k jx.
Proof.
rewrite /exchange => n0 sy same pn qi; case: ltnP => [qp [qq] | pq].
  have p1 : (p.-1 < p)%N by rewrite prednK // (leq_ltn_trans _ qp).
  have sp : size (take p.-1 ix) = p.-1.
    by rewrite size_takel // -ltnS (leq_trans _ pn) // prednK ?(leq_ltn_trans _ qp) // leq_addr.
  have cut k : insert q k ix = insert q k (take p.-1 ix) ++ drop p.-1 ix.
    by rewrite -insert_first ?cat_take_drop // sp -ltnS prednK // (leq_ltn_trans _ qp).
  have si k : size (insert q k (take p.-1 ix)) = p by rewrite size_insert sp prednK // (leq_ltn_trans _ qp).
  exists (take p.-1 ix ++ ys (nseq p 0%N ++ drop p.-1 ix) ++ drop n (drop p.-1 ix)).
    by rewrite size_cat sp (leq_trans _ (leq_addr _ _)) // -ltnS prednK // (leq_ltn_trans _ qp).
  have q1 : (q <= p.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans _ qp).
  move=> k; rewrite -qq cut take_size_cat // [RHS]insert_first ?sp //; congr (_ ++ _).
  congr (_ ++ _); last by rewrite addnC -drop_drop drop_size_cat.
  by apply: same; rewrite drop_size_cat // drop_size_cat // size_nseq.
case: ltnP => // plq [qq].
have lq : (l <= q)%N by rewrite (leq_trans _ plq) // leq_addl.
have pi : (p + n <= q')%N by rewrite -qq leq_add2r leq_subRL // addnC.
have sp : size (take (p + n) ix) = (p + n)%N by rewrite size_takel // (leq_trans pi).
have cut k : insert q' k ix = take (p + n) ix ++ insert (q' - (p + n)) k (drop (p + n) ix).
  by rewrite -{1}(cat_take_drop (p + n) ix) insert_last sp.
have st : size (take p ix) = p by rewrite size_takel // (leq_trans _ (leq_trans pi qi)) // leq_addr.
have qE : (q' - (p + n) = q - (p + l))%N by rewrite -qq [(p + n)%N]addnC subnDA addnK -subnDA addnC.
have cE : take p ix ++ ys ix ++ drop (p + n) ix = (take p ix ++ ys ix) ++ drop (p + n) ix by rewrite catA.
have sE : size (take p ix ++ ys ix) = (p + l)%N by rewrite size_cat st sy.
exists (take p ix ++ ys ix ++ drop (p + n) ix).
  by rewrite cE size_cat sE size_drop -leq_subLR -qE leq_sub2r.
move=> k; rewrite cut cE insert_last sE // -qE -catA takel_cat ?sp ?leq_addr // take_take ?leq_addr //.
congr (_ ++ (_ ++ _)); last by rewrite -{1}sp drop_size_cat.
by apply: same; rewrite !take_drop [(n + p)%N]addnC takel_cat ?sp // take_take.
Qed.
Lemma nth_insert_other k q p (ix : seq nat) : q != p -> (q <= size ix)%N -> nth 0%N (insert q k ix) p = nth 0%N (insert q 0%N ix) p.
Proof.
move=> qp qi; rewrite /insert !nth_cat; case: ifP => // /negbT; rewrite -leqNgt size_takel // => q_p.
have : (0 < p - q)%N by rewrite subn_gt0 ltn_neqAle qp.
by case: (p - q)%N.
Qed.

Lemma share_nowhere a q z : (a < size ctx)%N -> motion_at ctx a = Share q z -> count_of m z = 0%N -> 1 = 0 :> R.
Proof.
move=> ac tE z0; have := facts ac; rewrite tE => /(_ (nseq q 0%N)); rewrite size_nseq leqnn z0 => /(_ isT) f.
by rewrite -f // /line_sum z0 big_nil.
Qed.

Lemma share_in a q z : motion_at ctx a = Share q z -> (a < size ctx)%N.
Proof. by case: ltnP => // ca; rewrite /motion_at nth_default. Qed.

Lemma view_share v0 a p z w q zq q' ins : motion_at ctx a = Share q zq -> axis_of_view v0 p z w q = Some q' ->
  fact m cells (compute m ins cells (View v0 a p z w), defined m ins cells (View v0 a p z w)) (Share q' zq).
Proof.
move=> tE qE ix qi def; have ac := share_in tE; have := facts ac; rewrite tE => f.
case: (posnP (count_of m zq)) => [z0 | z1].
  by rewrite (share_nowhere ac tE z0) /line_sum z0 big_nil.
have [jx qj vE] : exists2 jx, (q <= size jx)%N & forall k, viewed m v0 p z w (insert q' k ix) = insert q k jx.
  set n := size (view_sizes v0 z w).
  apply: (@exchange_insert (fun s => [seq at_ m (nth 0%N (take n (drop p s))) i | i <- view_places v0 z w]) p n
    (size (view_places v0 z w)) q q' ix) => //.
  - by rewrite /n; case: (v0).
  - by move=> s; rewrite size_map.
  - by move=> s s' ->.
  have /andP [+ _] := def 0%N z1; rewrite /in_view -/n all2E => /andP [/eqP sn _].
  have n_le : (n <= size (insert q' 0%N ix) - p)%N by rewrite -size_drop -(cat_take_drop n (drop p _)) size_cat -sn leq_addr.
  have n0 : (0 < n)%N by rewrite /n; case: (v0).
  by rewrite -(size_insert q' 0%N) -leq_subRL // ltnW // -subn_gt0 (leq_trans n0).
have known k : (k < count_of m zq)%N -> ok cells a (insert q k jx) by move=> /def /andP [_]; rewrite vE.
rewrite -(f jx qj known); apply: eq_big_seq => k; rewrite mem_iota => /andP [_ kz] /=.
by have /andP [-> _] := def k kz; rewrite vE.
Qed.

Lemma join_share rows p q z ins : motion_at ctx (head 0%N [seq r.1 | r <- rows]) = Share q z -> q != p ->
  all (fun a => is_motion (motion_at ctx a) (Share q z)) [seq r.1 | r <- rows] ->
  fact m cells (compute m ins cells (Join rows p), defined m ins cells (Join rows p)) (Share q z).
Proof.
move=> tE qp same ix qi def; case: (posnP (count_of m z)) => [z0 | z1].
  by rewrite (share_nowhere (share_in tE) tE z0) /line_sum z0 big_nil.
have := def 0%N z1; rewrite /=; case J: (joined m rows _) => [[a i]|] // /andP [pi _].
have aE : motion_at ctx a = Share q z.
  have [r inr <-] := joined_in J; have := allP same _ (map_f fst inr).
  by case: (motion_at ctx r.1) => //= q1 z' /andP [/eqP -> /eqP ->].
have ac := share_in aE; have := facts ac; rewrite aE => f.
have put_as s : (p < size s)%N -> put p i s = exchange p 1 [:: i] s.
  move=> ps; have st : size (take p s) = p by rewrite size_takel // ltnW.
  by rewrite /put /insert /without /exchange take_size_cat // drop_size_cat // addn1.
have [jx qj pE] : exists2 jx, (q <= size jx)%N & forall k, put p i (insert q k ix) = insert q k jx.
  have [||||||jx qj pE] := @exchange_insert (fun=> [:: i]) p 1 1 q q ix => //.
  - by move: pi; rewrite size_insert addn1.
  - move: qp; case: (ltngtP q p) => // pq _; rewrite [(p + 1)%N]addn1 ltnS leqNgt pq /=.
    by rewrite subn1 addn1 prednK // (leq_ltn_trans _ pq).
  by exists jx => // k; rewrite put_as // size_insert -(size_insert q 0%N ix).
have at_k k : (k < count_of m z)%N -> joined m rows (nth 0%N (insert q k ix) p) = Some (a, i).
  by move=> _; rewrite nth_insert_other.
have known k : (k < count_of m z)%N -> ok cells a (insert q k jx).
  by move=> kz; have := def k kz; rewrite /= at_k // => /andP [_]; rewrite pE.
rewrite -(f jx qj known); apply: eq_big_seq => k; rewrite mem_iota => /andP [_ kz] /=.
by rewrite at_k // pE.
Qed.

(** * What is known of sums *)

Section Contracted.
Variables (rows : seq row) (summed : seq (nat * extent)) (out : seq nat).
Let c : cell R := (fun ix => over m (@total R) summed (body m cells rows) (bind out ix),
                   fun ix => over m every summed (body_ok m cells rows) (bind out ix)).

Lemma one_has_value : has_value m one_ratio.
Proof. by rewrite /has_value /product_of big_nil unitr1. Qed.

Lemma number_one rows' ls q e : number_of pos ctx rows' ls 1 [::] [::] = Some q -> over m every ls (body_ok m cells rows') e ->
  has_value m q /\ value_of m q = over m (@total R) ls (body m cells rows') e.
Proof.
by move=> num def; have := number_of_sound positive facts num def one_has_value; rewrite value_one mul1r.
Qed.

Lemma number_known k zs ds : number_of pos ctx rows summed 1 [::] [::] = Some (k, zs, ds) -> fact m cells c (Amount k zs ds).
Proof. by move=> num ix d; have [u vE] := number_one num d; split=> //; rewrite vE. Qed.

Lemma equal_known a ps l z : all (steady ctx) [seq r.1 | r <- rows] -> rows = [:: (a, ps)] -> summed = [:: (l, z)] ->
  ps = map Lab out -> uniq (l :: out) -> fact m cells c (SumOf a None z (size out)).
Proof.
rewrite /c => st rE sE pE /= /andP [lo uo]; rewrite rE in st; case/andP: (st) => /steady_in ac _.
split; rewrite ?sizes // => ix sx _; rewrite rE sE /= /total big_map.
rewrite (eq_bigr (fun _ => get cells a ix)) => [|k _].
  by rewrite big_const_seq count_predT size_iota iter_addr addr0 mulr_natl.
rewrite /body big_seq1 pE /= -map_comp; congr (get _ _ _).
rewrite -[RHS](map_bind uo sx); apply/eq_in_map => x xo /=; apply: upd_other.
by apply: contraNneq lo => <-.
Qed.

Lemma sum_at a l z q outs e : l \notin outs ->
  over m (@total R) [:: (l, z)] (body m cells [:: (a, insert q (Lab l) (map Lab outs))]) e =
  line_sum m (get cells a) q [seq e x | x <- outs] z.
Proof.
move=> lo; rewrite /= /total big_map /line_sum; apply: eq_bigr => k _.
rewrite /body big_seq1 map_insert /= upd_same -map_comp; congr (get _ _ (insert _ _ _)).
by apply/eq_in_map => x xo /=; apply: upd_other; apply: contraNneq lo => <-.
Qed.

Lemma sum_known a ps l z p : all (steady ctx) [seq r.1 | r <- rows] -> rows = [:: (a, ps)] -> summed = [:: (l, z)] ->
  ps = insert p (Lab l) (map Lab out) -> uniq (l :: out) -> (p <= size out)%N -> fact m cells c (SumOf a (Some p) z (size out)).
Proof.
rewrite /c => st rE sE pE /= /andP [lo uo] po; rewrite rE in st; case/andP: (st) => /steady_in ac _.
split; rewrite ?sizes // => ix sx _; rewrite rE sE pE; apply: etrans (sum_at _ _ _ _ lo) _.
by rewrite map_bind.
Qed.

Lemma share_known p z : uniq out -> (p < size out)%N -> nth 0%N out p \notin [seq x.1 | x <- summed] ->
  number_of pos ctx rows ((nth 0%N out p, z) :: summed) 1 [::] [::] = Some one_ratio -> fact m cells c (Share p z).
Proof.
move=> uo po _ num ix pi def; set l := nth 0%N out p in num.
have same k : bind out (insert p k ix) =1 upd (bind out (insert p 0%N ix)) l k.
  move=> x; rewrite /upd; case: eqP => [-> | /eqP xl].
    by rewrite /bind /l index_uniq // /insert nth_cat size_takel // ltnn subnn.
  have ip : index x out != p.
    by apply: contraNneq xl => xp; rewrite /l -xp nth_index // -index_mem xp.
  rewrite /bind /insert !nth_cat; case: ifP => //; rewrite size_takel // => /negbT; rewrite -leqNgt => pj.
  have jp : (0 < index x out - p)%N by rewrite subn_gt0 ltn_neqAle eq_sym ip.
  by case: (index x out - p)%N jp.
have total_same (T : eqType) (f : seq T -> T) (F : env -> T) k : (forall e e', e =1 e' -> F e = F e') ->
    over m f summed F (bind out (insert p k ix)) = over m f summed F (upd (bind out (insert p 0%N ix)) l k).
  move=> extF; apply: (@over_agree R m T f predT) => [e e' ee | x _ _]; last exact: same.
  by apply: extF => x; apply: ee.
have every_l : over m every ((l, z) :: summed) (body_ok m cells rows) (bind out (insert p 0%N ix)).
  apply/allP => b /mapP [k]; rewrite mem_iota => kz ->.
  suff: over m every summed (body_ok m cells rows) (upd (bind out (insert p 0%N ix)) l k) by [].
  have <- := @total_same [eqType of bool] every (body_ok m cells rows) k; first exact: def.
  by move=> e e' ee; apply: body_ok_ext => x _; apply: ee.
have [_] := number_one num every_l; rewrite value_one /= => ->.
rewrite /total big_map; apply: eq_bigr => k _; apply: (@total_same R) => e e' ee.
by apply: body_ext => x _; apply: ee.
Qed.

Lemma still_known : all (steady ctx) [seq r.1 | r <- rows] ->
  fact m cells c (still_product pos ctx rows summed out) /\ extra cells (still_product pos ctx rows summed out) = fun=> 0.
Proof.
move=> st; rewrite /still_product; case num: (number_of _ _ _ _ _ _ _) => [[[k zs] ds]|]; first by split; [exact: number_known|].
have sums : sum_of rows summed out = Still \/ exists a p z n, sum_of rows summed out = SumOf a p z n /\ fact m cells c (SumOf a p z n).
  rewrite /sum_of; case rE: rows => [|[a ps] []]; [by left| |by left]; case sE: summed => [|[l z] []]; [by left| |by left].
  case: ifP => [_|/negbFE uo]; first by left.
  case: ifP => [/eqP pE|_]; first by right; exists a, None, z, (size out); split=> //; apply: (equal_known st rE sE pE uo).
  case: ifP => [/andP [/eqP pE po]|_]; [right | by left].
  by exists a, (Some (find (is_label l) ps)), z, (size out); split=> //; apply: (sum_known st rE sE pE uo po).
case fE: [seq _ <- _ | _] => [|[p z] found].
  by case: sums => [-> | [a [p [z [n [-> f]]]]]].
split=> //; have : (p, z) \in (p, z) :: found by apply: mem_head.
rewrite -fE mem_filter => /andP [/and3P [uo ls /eqP num1] /allpairsP [[p' z'] [pi _ [pE zE]]]].
by apply: share_known => //; rewrite pE; move: pi; rewrite mem_iota.
Qed.

(** * What moves *)

Lemma moved_over ls i e l (G : env -> R) :
  let r := nth (0%N, [::]) rows i in let rest := without i rows in
  (i < size rows)%N -> (r.1 < size ctx)%N -> all (steady ctx) [seq r.1 | r <- rest] -> l \notin [seq x.1 | x <- ls] ->
  (forall e, body_ok m cells rows e ->
    extra cells (motion_at ctx r.1) [seq at_ m e i | i <- r.2] * body m cells rest e = v (e l) * G e) ->
  over m every ls (body_ok m cells rows) e ->
  over m (@total R) ls (body m cells' rows) e = over m (@total R) ls (body m cells rows) e + v (e l) * over m (@total R) ls G e.
Proof.
move=> r rest ir rc st nl same; elim: ls e nl => [|x ls IH] e /=.
  move=> _ def; rewrite -(same e def); move: def.
  rewrite (body_without m cells e ir).2 (body_without m cells e ir).1 (body_without m cells' e ir).1.
  move=> /andP [rok rest_ok]; rewrite (steady_body st rest_ok) -mulrDl; congr (_ * _).
  by have [_ moved] := earlier rc; rewrite /get moved.
rewrite inE negb_or => /andP [lx nl] /allP def.
rewrite /total !big_map mulr_sumr -big_split /=; apply: eq_big_seq => j jz.
rewrite IH //; first by rewrite upd_other.
by apply: def; apply: map_f.
Qed.

Lemma rest_ok i ls e : (i < size rows)%N -> over m every ls (body_ok m cells rows) e ->
  over m every ls (body_ok m cells (without i rows)) e.
Proof.
move=> ir; elim: ls e => [|x ls IH] e /=; first by rewrite (body_without m cells e ir).2 => /andP [].
by move=> /allP d; apply/allP => b /mapP [j jz ->]; apply: IH; apply: d; apply: map_f.
Qed.
End Contracted.

Lemma sum_ofE rows summed out a b z n : sum_of rows summed out = SumOf a (Some b) z n ->
  exists l, [/\ rows = [:: (a, insert b (Lab l) (map Lab out))], summed = [:: (l, z)], l \notin out & n = size out].
Proof.
rewrite /sum_of; case: rows => [|[a' ps] []] //; case: summed => [|[l z'] []] //.
case: ifP => // /negbFE /= /andP [lo _]; case: ifP => // _; case: ifP => // /andP [/eqP pE _] [<- <- <- <-].
by exists l; split=> //; rewrite -pE.
Qed.

Lemma map_without (A B : Type) (f : A -> B) p s : map f (without p s) = without p (map f s).
Proof. by rewrite /without map_cat map_take map_drop. Qed.

Lemma bind_others (out : seq nat) p ix : uniq out ->
  [seq bind out ix x | x <- without p out] = [seq nth 0%N ix k | k <- without p (iota 0 (size out))].
Proof.
move=> uo; rewrite !map_without; congr (without p _); apply: (@eq_from_nth _ 0%N); rewrite !size_map ?size_iota // => k ko.
by rewrite !(nth_map 0%N) ?size_iota // nth_iota // /bind index_uniq.
Qed.

Lemma moved_known rows summed out t ins' ins : moved_product pos ctx rows summed out = Some t ->
  let o := Contract rows summed out in let c := (compute m ins cells o, defined m ins cells o) in
  shifts cells (compute m ins' cells' o, defined m ins' cells' o) c t /\ fact m cells c t.
Proof.
rewrite /moved_product; set i := find _ rows; set r := nth _ rows i; set rest := without i rows.
set fits := alone ctx r rest summed out; set pl := own_label r out.
have fitsE q : fits q -> [/\ (i < size rows)%N, (r.1 < size ctx)%N, all (steady ctx) [seq r.1 | r <- rest] & uniq out] /\
    [/\ (q < size r.2)%N, (pl q < size out)%N, nth (Num 0) r.2 q = Lab (nth 0%N out (pl q))
      & nth 0%N out (pl q) \notin [seq x.1 | x <- summed]].
  case/and5P => rc st qr po /andP [uo ls]; rewrite all_map; split; split=> //.
    by case: ltnP => // ri; move: qr; rewrite /r nth_default.
  have : is_label (nth 0%N out (pl q)) (nth (Num 0) r.2 q) by exact: (nth_find 0%N (etrans (has_find _ _) po)).
  by case: (nth (Num 0) r.2 q) => //= y /eqP ->.
have ok q : fits q -> (defined m ins' cells' (Contract rows summed out)) =1 (defined m ins cells (Contract rows summed out)).
  case/fitsE => [[ir rc st _] _] ix /=.
  apply: over_same => e; apply: alike_body; rewrite all_map -(cat_take_drop i rows) (drop_nth (0%N, [::]) ir).
  have al : all (fun r : row => (r.1 < size ctx)%N) rest by move: st; rewrite all_map; apply: sub_all => x; case/andP.
  by move: al; rewrite /rest /without !all_cat /= rc.
have at_v q e : fits q -> nth 0%N [seq at_ m e j | j <- r.2] q = e (nth 0%N out (pl q)).
  by case/fitsE => _ [qr _ lab _]; rewrite (nth_map (Num 0)) // lab.
have out_v q ix : fits q -> bind out ix (nth 0%N out (pl q)) = nth 0%N ix (pl q).
  by case/fitsE => [[_ _ _ uo] [_ po _ _]]; rewrite /bind index_uniq.
case rE: (motion_at ctx r.1) => [|||||q k zs ds|q a b z n] //.
  case: ifP => // /negbFE ft; have [[ir rc st uo] [qr po lab ls]] := fitsE q ft; have okq := ok q ft.
  pose K := value_of m (k, zs, ds).
  have moved ix : defined m ins cells (Contract rows summed out) ix -> compute m ins' cells' (Contract rows summed out) ix =
      compute m ins cells (Contract rows summed out) ix +
      v (nth 0%N ix (pl q)) * (K * over m (@total R) summed (body m cells rest) (bind out ix)).
    move=> def; have -> : K * over m (@total R) summed (body m cells rest) (bind out ix) =
        over m (@total R) summed (fun e => K * body m cells rest e) (bind out ix).
      by symmetry; apply: (@over_scaled R m pred0).
    rewrite -(out_v q ix ft); apply: (moved_over ir rc st ls) def => e _.
    by rewrite rE /= (at_v q e ft) -/K mulrAC mulrC.
  have known e : body_ok m cells rows e -> has_value m (k, zs, ds).
    have [_ ->] := body_without m cells e ir; case/andP => rok _; have := @row_fact R m ctx cells facts r.1.
    by rewrite rE => /(_ ltac:(by [])) f; apply: f rok.
  case num: (number_of _ _ _ _ _ _ _) => [[[k' zs'] ds']|].
    have here ix : defined m ins cells (Contract rows summed out) ix -> has_value m (k, zs, ds).
      move=> def; have [found red] : exists found, reduced pos ctx summed rest = Some found.
        by move: num; rewrite /number_of; case: (reduced _ _ _ _) => [found|] // _; exists found.
      by have [e] := somewhere positive red def; apply: known.
    have sound ix def := number_of_sound positive facts num (rest_ok ir def) (here ix def).
    case=> <-; split=> [|ix /sound [] //]; split=> // ix def; apply: etrans (moved ix def) _; congr (_ + _).
    by have [_ vE] := sound ix def; rewrite mulrC /= vE.
  case: ifP => // /eqP one; case sE: (sum_of _ _ _) => [|||a [b|] z n|||] //= [<-].
  have [l [restE summedE lo nE]] := sum_ofE sE.
  move: st; rewrite restE /= andbT => ac; split; last by rewrite /= sizes (steady_in ac).
  split=> // ix def; apply: etrans (moved ix def) _; congr (_ + _ * _).
  rewrite /K one value_one mul1r restE summedE; apply: etrans (sum_at _ _ _ _ lo) _.
  rewrite /others nE size_without // prednK ?(leq_ltn_trans _ po) //; congr (line_sum _ _ _ _ _).
  exact: bind_others.
case: ifP => // /andP [ft]; set j := find _ rest => jr; case num: (number_of _ _ _ _ _ _ _) => [[[k zs] ds]|] // [<-].
have [[ir rc st uo] [qr po lab ls]] := fitsE q ft; have okq := ok q ft; have sound ix def := number_one num (rest_ok jr (rest_ok ir (def : defined m ins cells (Contract rows summed out) ix))).
split=> [|ix /sound [] //]; split=> // ix def.
have := nth_find (0%N, [::]) (etrans (has_find _ _) jr); rewrite -/j /divides; set r' := nth _ rest j.
have := @row_fact R m ctx cells facts r'.1; case: (motion_at ctx r'.1) => // a' [b'|] // z' n' /(_ ltac:(by [])) [_ _ f].
case/and5P => /eqP aE /eqP bE /eqP zE /eqP nE /andP [/eqP sr /eqP r'E]; rewrite aE bE zE nE {a' b' z' n' aE bE zE nE} in f.
have same e : body_ok m cells rows e ->
    extra cells (motion_at ctx r.1) [seq at_ m e i | i <- r.2] * body m cells rest e = v (e (nth 0%N out (pl q))) * body m cells (without j rest) e.
  have [_ ->] := body_without m cells e ir; case/andP => _; have [-> ->] := body_without m cells e jr; case/andP => r'ok _.
  rewrite rE /= (at_v q e ft) -!mulrA; congr (_ * _); rewrite mulrA [X in X * _](_ : _ = 1) ?mul1r // mulrC.
  have <- : [seq at_ m e i | i <- r'.2] = others q n [seq at_ m e i | i <- r.2].
    rewrite r'E /others !map_without; congr (without q _).
    by rewrite -[LHS](mkseq_nth 0%N) size_map sr.
  by apply: f; [rewrite size_map r'E size_without // sr | exact: r'ok].
apply: etrans (moved_over ir rc st ls same def) _; rewrite (out_v q ix ft); congr (_ + _).
by have [_ <-] := sound ix def; apply: mulrC.
Qed.

Lemma moved_sum p args q ix : sum_moved ctx p args = Some q -> all (fun a => ok cells a ix) args ->
  has_value m q /\
  \sum_(a <- args) get cells' a ix = \sum_(a <- args) get cells a ix + value_of m q * v (nth 0%N ix p).
Proof.
elim: args q => [|a args IH] q /=.
  by case=> <- _; rewrite !big_nil /has_value /value_of /product_of /= !big_nil unitr1 !mul0r addr0.
case: ltnP => // ac; case rest: (sum_moved ctx p args) => [q'|] //.
have [_ one] := earlier ac; move: one; rewrite !big_cons /get => one found /andP [d ds]; have [u' e'] := IH _ rest ds.
rewrite (one ix d) e' addrACA; move: found (facts ac).
case: (motion_at ctx a) => [|? ? ?|? ?|? ? ? ?|? ? ? ?|p1 k1 zs1 ds1|? ? ? ? ?] //=; try by case=> <- _; rewrite add0r.
case: eqP => // -> added_ f; have [u ->] := @added_sound R m (k1, zs1, ds1) q' q added_ (f ix d) u'; split=> //.
by rewrite mulrDl.
Qed.

Lemma sum_in p args q : sum_moved ctx p args = Some q -> all (fun a => (a < size ctx)%N) args.
Proof. by elim: args q => //= a args IH q; case: ltnP => // _; case rest: (sum_moved _ _ _) => [q'|] // _; apply: IH rest. Qed.

Lemma steady_line ins' ins o t : (if o is Input _ then false else true) -> all (steady ctx) (args_of o) ->
  let c := (compute m ins cells o, defined m ins cells o) in
  fact m cells c t /\ extra cells t = (fun=> 0) ->
  shifts cells (compute m ins' cells' o, defined m ins' cells' o) c t /\ fact m cells c t.
Proof.
move=> no st c [f e]; split=> //; have [d same] := still_line ins' ins no st.
by split=> // ix def; rewrite e addr0; apply: same.
Qed.

(* Entries along the first axis: the vector is added to all of them at one other index. *)
Lemma along_moved a ix z q k zs ds : motion_at ctx a = Moved q.+1 k zs ds ->
  along m (ok cells' a) 0 ix z = along m (ok cells a) 0 ix z /\ (every (along m (ok cells a) 0 ix z) ->
    along m (get cells' a) 0 ix z = [seq x + value_of m (k, zs, ds) * v (nth 0%N ix q) | x <- along m (get cells a) 0 ix z]).
Proof.
move=> tE; have ac : (a < size ctx)%N by case: ltnP tE => // ca; rewrite /motion_at nth_default.
have [dE vE] := earlier ac; split=> [|/allP def]; first by apply: eq_map => j; apply: dE.
rewrite -map_comp; apply/eq_in_map => j jz; rewrite /get vE; last by apply: def; apply: (map_f (fun j => ok cells a (insert 0 j ix))).
by rewrite tE /= /insert take0 drop0.
Qed.

Lemma along_known a ix z q k zs ds : motion_at ctx a = Moved q.+1 k zs ds -> (0 < count_of m z)%N ->
  every (along m (ok cells a) 0 ix z) -> has_value m (k, zs, ds).
Proof.
move=> tE n0 /allP def.
have ac : (a < size ctx)%N by case: ltnP tE => // ca; rewrite /motion_at nth_default.
have := facts ac; rewrite tE => f; apply: (f (insert 0 0%N ix)).
by apply: def; apply: (map_f (fun j => ok cells a (insert 0 j ix))); rewrite mem_iota.
Qed.

Lemma line_shifts ins' ins o t :
  (forall k, (k < size intys)%N -> shifts [::] (ins' k) (ins k) (nth Still intys k) /\ fact m [::] (ins k) (nth Still intys k)) ->
  motion_of pos laws intys ctx o = Some t ->
  let c := (compute m ins cells o, defined m ins cells o) in
  shifts cells (compute m ins' cells' o, defined m ins' cells' o) c t /\ fact m cells c t.
Proof.
move=> given; case: o => [k|k|k|z|rows summed out|args|h args|c ps a b|h a p z|h a p z|rows p|h r args|v0 a p z w]; rewrite /motion_of.
- case: ifP => // kin [<-]; have [[d e] f] := given k kin; split; last by case: (nth Still intys k) f => //= a p z n [].
  by split=> // ix def; apply: etrans (e ix def) _; case: (nth Still intys k) f.
- by case=> <-; apply: steady_line => //; split=> // ix _; rewrite /has_value /value_of /product_of !big_nil unitr1 mulr1 divr1.
- by case=> <-; apply: steady_line.
- by case=> <-; apply: steady_line.
- case: ifP => [st [<-] | _ mE]; first by apply: steady_line => //; apply: still_known.
  exact: moved_known.
- case: ifP => [st [<-] | _]; first exact: steady_line.
  case: (motion_at _ _) => // p _ _ _; case sE: (sum_moved _ _ _) => [[[k zs] ds]|] // [<-].
  have al ix : all (fun a => ok cells' a ix) args = all (fun a => ok cells a ix) args.
    by apply: eq_in_all => a aa; apply: defined_alike; apply: (allP (sum_in sE)).
  split; last by case: eqP => //= _ ix d; have [] := moved_sum sE d.
  split=> ix /=; first exact: al.
  by move=> d; have [_ ->] := moved_sum sE d; case: eqP => //= ->; rewrite /value_of /= !mul0r.
- case: ifP => // st [<-]; apply: steady_line => //; case: args st => [|a []] //= /andP [sa _]; case: ifP => // hr.
  have := facts (steady_in sa); case: (motion_at ctx a) => [|k zs ds|p z|b p z n|b p z n|p k1 zs ds|? ? ? ? ?] //.
    case lE: (lowest _ _ _) => [[k' zs'] ds'] f; split=> // ix /andP [/andP [d _] fd]; have [u v1] := f ix d.
    have [|u' e] := @lowest_inverse R m k zs ds (fns m h [:: get cells a ix]) u; first by rewrite -v1; apply: lawful_.1.
    by rewrite lE in u' e; split=> //; apply: esym e.
  by case=> bc pn f; split=> //; split=> // ix sx /andP [/andP [d _] fd]; rewrite -(f ix sx d); apply: lawful_.1.
- case: ifP => [st [<-] | _]; first exact: steady_line.
  case: ifP => // /and4P [sc ac bc ba]; have [da va] := earlier ac; have [db vb] := is_motionE cells ba (earlier bc).
  case: (motion_at ctx a) ba va vb (facts ac) => // p k zs ds ba va vb f [<-]; split; last first.
    have fb ix : ok cells b ix -> has_value m (k, zs, ds).
      move: ba (facts bc); case: (motion_at ctx b) => //= p' k' zs' ds' /and4P [_ _ _ /(product_perm m) dE] g /g.
      by rewrite /has_value /= dE.
    by move=> ix /= /andP [_]; case: ifP => _; [apply: f | apply: fb].
  split=> ix /=.
    rewrite (defined_alike _ (steady_in sc)); case d: (ok cells c _) => //=.
    by rewrite (steady_same sc d) (defined_alike _ ac) (defined_alike _ bc).
  by case/andP => d; rewrite (steady_same sc d); case: ifP => _; [exact: va | exact: vb].
- case: ifP => [st [<-] | _]; first exact: steady_line.
  case: ifP => // /andP [hl /eqP ->]; case tE: (motion_at ctx a) => [|? ? ?|? ?|? ? ? ?|? ? ? ?|n k zs ds|? ? ? ? ?] //.
  have law xs c := lawful_.2 h xs c hl; have sizeE ix : size (along m (get cells a) 0 ix z) = count_of m z by rewrite size_map size_iota.
  case: n tE => // q tE [<-]; split.
    split=> ix /=; have [dE vE] := along_moved ix z tE.
      rewrite dE; case def: (every _) => //=; rewrite (vE def).
      by have [-> _ _] := law (along m (get cells a) 0 ix z) (value_of m (k, zs, ds) * v (nth 0%N ix q)).
    case/andP => def okr; rewrite (vE def).
    by have [_ /(_ okr) [_ ->] _] := law (along m (get cells a) 0 ix z) (value_of m (k, zs, ds) * v (nth 0%N ix q)).
  move=> ix /= /andP [def okr]; apply: along_known tE _ def; rewrite -(sizeE ix).
  by have [_ /(_ okr) [n0 _] _] := law (along m (get cells a) 0 ix z) 0.
- case: ifP => [st [<-] | _]; first exact: steady_line.
  case: ifP => // /andP [hl /eqP ->]; case tE: (motion_at ctx a) => [|? ? ?|? ?|? ? ? ?|? ? ? ?|n k zs ds|? ? ? ? ?] //.
  case: n tE => // q tE [<-]; split; last by move=> ix /= /andP [def inside]; apply: along_known tE (leq_ltn_trans (leq0n _) inside) def.
  split=> ix /=; have [dE vE] := along_moved (without 0 ix) z tE; first by rewrite dE.
  case/andP => def inside; rewrite (vE def).
  have [_ _ ->] := lawful_.2 h (along m (get cells a) 0 (without 0 ix) z) (value_of m (k, zs, ds) * v (nth 0%N (without 0 ix) q)) hl;
    last by rewrite size_map size_iota.
  by rewrite /without take0 /= nth_drop add1n.
- case: ifP => [st [<-] | _].
    apply: steady_line => //; case tE: (motion_at ctx (head _ _)) => [|? ? ?|q1 z1|? ? ? ?|? ? ? ?|? ? ? ?|? ? ? ? ?] //; case: ifP => // /andP [qp same].
    by split=> //; apply: join_share tE qp same.
  case: (motion_at ctx (head _ _)) => // q k zs ds; case: ifP => // /andP [qp /allP each] [<-].
  have one a i ix : joined m rows (nth 0%N ix p) = Some (a, i) ->
      (a < size ctx)%N /\ is_motion (motion_at ctx a) (Moved q k zs ds).
    by move=> J; have [r inr <-] := joined_in J; apply/andP; apply: each; apply: map_f.
  have put_other ix i : (p < size ix)%N -> nth 0%N (put p i ix) q = nth 0%N ix q.
    move=> pix; rewrite /put /insert /without; move: qp; have sp : size (take p ix) = p by rewrite size_takel // ltnW.
    rewrite take_size_cat // drop_size_cat // nth_cat sp; case: ltngtP => // [qp _ | pq _]; first by rewrite nth_take.
    by rewrite -(subnSK pq) /= nth_drop subnKC.
  split=> [|ix /=]; last first.
    case J: (joined m rows _) => [[a i]|] // /andP [_ d]; have [ac am] := one _ _ _ J.
    move: am (facts ac); case: (motion_at ctx a) => //= q' k' zs' ds' /and4P [_ _ _ /(product_perm m) dE] /(_ _ d).
    by rewrite /has_value /= dE.
  split=> ix /=; case J: (joined m rows _) => [[a i]|] //; have [ac am] := one _ _ _ J.
    by congr (_ && _); apply: defined_alike.
  have [_ va] := is_motionE cells am (earlier ac).
  by case/andP => pix d; rewrite /get (va _ d) /= put_other.
- by case: ifP => // st [<-]; apply: steady_line.
case: ifP => [st [<-] | _].
  apply: steady_line => //; case tE: (motion_at ctx a) => [|? ? ?|q1 z1|? ? ? ?|? ? ? ?|? ? ? ?|? ? ? ? ?] //; case qE: (axis_of_view _ _ _ _ _) => [q'|] //.
  by split=> //; apply: view_share tE qE.
case: ltnP => // ac; have [da va] := earlier ac; case: (motion_at ctx a) va (facts ac) => // q k zs ds va f.
case qE: (axis_of_view _ _ _ _ _) => [q'|] // [<-]; split; last by move=> ix /= /andP [_]; apply: f.
split=> ix /=; first by rewrite (defined_alike _ ac).
by case/andP => inv d; rewrite inv /get (va _ d) /= (view_axis inv qE).
Qed.
End Line.

(** * Programs *)

Variables (ins' ins : nat -> cell R).
Hypothesis given : forall k, (k < size intys)%N ->
  shifts [::] (ins' k) (ins k) (nth Still intys k) /\ fact m [::] (ins k) (nth Still intys k).

Lemma run_shifts p ctx cells' cells ctx' : size cells' = size ctx -> size cells = size ctx ->
  (forall a, (a < size ctx)%N -> shifts cells (nth c0 cells' a) (nth c0 cells a) (motion_at ctx a) /\
    fact m cells (nth c0 cells a) (motion_at ctx a)) ->
  motions pos laws intys ctx p = Some ctx' ->
  let runs' := run m ins' p cells' in let runs := run m ins p cells in
  [/\ size runs' = size ctx', size runs = size ctx' &
    forall a, (a < size ctx')%N -> shifts runs (nth c0 runs' a) (nth c0 runs a) (motion_at ctx' a)].
Proof.
elim: p ctx cells' cells => [|o p IH] ctx cells' cells s' s earlier /=; first by case=> <-; split=> // a /earlier [].
case mE: (motion_of _ _ _ _ _) => [t|] //; apply: IH; rewrite ?size_rcons ?s ?s' // => a.
rewrite ltnS leq_eqVlt /motion_at !nth_rcons s s'; case: (ltngtP a (size ctx)) => //= [ac|ac] _.
  by have [sh f] := earlier a ac; split; [apply: shifts_rcons | apply: fact_rcons].
have [sh f] := line_shifts s (fun a ac => (earlier a ac).1) (fun a ac => (earlier a ac).2) given mE.
by split; [apply: shifts_rcons | apply: fact_rcons].
Qed.
End Shifted.

(* For every commutative ring, whatever functions and constants are, and every vector, where these variables of sizes are positive:
   if the arguments of two runs differ by it as their types say, and sum to what these say, and functions have the laws
   that are supposed, so do the results. *)
Definition translated (pos : seq nat) (laws : seq law) (intys : seq motion) (p : program) (out : motion) : Prop :=
  forall (R : comUnitRingType) (m : meaning R) (v : nat -> R) (ins' ins : nat -> cell R),
    (forall x, x \in pos -> (0 < var m x)%N) -> lawful m laws ->
    (forall k, (k < size intys)%N -> shifts m v [::] (ins' k) (ins k) (nth Still intys k) /\ fact m [::] (ins k) (nth Still intys k)) ->
    shifts m v [::] (eval m p ins') (eval m p ins) out.

Theorem sound_shifts pos laws intys p out : check_shifts pos laws intys p out -> translated pos laws intys p out.
Proof.
rewrite /check_shifts; case mE: (motions _ _ _ _ _) => [ctx|] // /andP [some same] R m v ins' ins positive inv given.
have [s' s all_] := run_shifts positive inv given (ctx := [::]) (cells' := [::]) (cells := [::]) erefl erefl (fun a => ltac:(by [])) mE.
rewrite /eval -!nth_last s' s; have := all_ (size ctx).-1; rewrite prednK // leqnn => /(_ isT).
by rewrite /motion_at nth_last; apply: is_motionE.
Qed.

Print Assumptions sound_shifts.
