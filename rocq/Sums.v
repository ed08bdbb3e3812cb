(* What is known of sums of values that stay, and that the checker for translations multiplies them out rightly. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments Motions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Lemma count_positive (R : comRingType) (m : meaning R) pos z :
  (forall x, x \in pos -> (0 < var m x)%N) -> is_positive pos z -> (0 < count_of m z)%N.
Proof.
move=> positive; rewrite /count_of; elim: z => //= mono z IH; rewrite addn_gt0 => /orP [all_ | /IH ->]; last by rewrite orbT.
apply/orP; left; elim: mono all_ => //= x mono mIH /andP [xp /mIH]; by rewrite muln_gt0 positive.
Qed.

Section Sums.
Variables (R : comUnitRingType) (m : meaning R) (pos : seq nat).
Hypothesis positive : forall x, x \in pos -> (0 < var m x)%N.

Definition product_of (zs : seq extent) : R := \prod_(z <- zs) (count_of m z)%:R.
Definition value_of (q : ratio) : R := q.1.1%:~R * product_of q.1.2 / product_of q.2.
Definition has_value (q : ratio) := product_of q.2 \is a GRing.unit.
Definition line_sum (v : value R) p ix z : R := \sum_(k <- iota 0 (count_of m z)) v (insert p k ix).

Definition sum_along (v : value R) (p : option nat) ix z : R :=
  if p is Some q then line_sum v q ix z else (count_of m z)%:R * v ix.

Definition sums (cells : seq (cell R)) (c : cell R) a (p : option nat) z n (eq : R -> R -> Prop) : Prop :=
  [/\ (a < size cells)%N, (if p is Some q then q <= n else true)%N
    & forall ix, size ix = n -> c.2 ix -> eq (c.1 ix) (sum_along (get cells a) p ix z)].
Definition fact (cells : seq (cell R)) (c : cell R) (t : motion) : Prop :=
  match t with
  | Still => True
  | Amount k zs ds => forall ix, c.2 ix -> has_value (k, zs, ds) /\ c.1 ix = value_of (k, zs, ds)
  | Moved _ k zs ds => forall ix, c.2 ix -> has_value (k, zs, ds)
  | Share p z => forall ix, (p <= size ix)%N -> (forall k, (k < count_of m z)%N -> c.2 (insert p k ix)) -> line_sum c.1 p ix z = 1
  | SumOf a p z n => sums cells c a p z n (fun x s => x = s)
  | OneOver a p z n => sums cells c a p z n (fun x s => x * s = 1)
  | Loaded _ a _ _ _ => (a < size cells)%N
  end.

Lemma fact_rcons cells c c' t : fact cells c t -> fact (rcons cells c') c t.
Proof.
case: t => //= [a p z n [ac pn f]|a p z n [ac pn f]|p a q z n ac]; last (by rewrite size_rcons (leq_trans ac));
  split=> //; rewrite ?size_rcons ?(leq_trans ac) // => ix sx d.
  by rewrite (f ix sx d) /sum_along /line_sum /get nth_rcons ac.
by have := f ix sx d; rewrite /sum_along /line_sum /get nth_rcons ac.
Qed.

Lemma product_cat zs zs' : product_of (zs ++ zs') = product_of zs * product_of zs'.
Proof. exact: big_cat. Qed.

Lemma product_cons z zs : product_of (z :: zs) = (count_of m z)%:R * product_of zs.
Proof. exact: big_cons. Qed.

Lemma count_number z : is_number z -> count_of m z = size z.
Proof. by rewrite /count_of; elim: z => [|mono z IH] //= /andP [/eqP -> /IH ->]. Qed.

Lemma product_number k : product_of (as_factors k) = k%:R.
Proof.
rewrite /product_of /as_factors; case: eqP => [-> | _]; first by rewrite big_nil.
by rewrite big_seq1 count_number ?size_nseq // /is_number all_nseq /= orbT.
Qed.

Lemma product_factors z : product_of (factors z) = (count_of m z)%:R.
Proof.
case: z => [|mono z]; first by rewrite /product_of big_seq1.
rewrite /factors; case: ifP => [/allP same | _]; last by rewrite /product_of big_seq1.
have monoE mono' : perm_eq mono mono' -> foldr muln 1%N [seq var m x | x <- mono'] = foldr muln 1%N [seq var m x | x <- mono].
  by move/(perm_map (var m)) => pr; rewrite !foldrE; apply: perm_big; rewrite perm_sym.
have -> : count_of m (mono :: z) = (foldr muln 1 [seq var m x | x <- mono] * (size z).+1)%N.
  rewrite /count_of /= mulnS; congr (_ + _)%N; elim: z same => [|mono' z IH] same /=; first by rewrite muln0.
  rewrite mulnS (monoE mono') ?same ?mem_head // IH // => x xz; by rewrite same // inE xz orbT.
rewrite product_cat product_number natrM; congr (_ * _).
elim: mono {same monoE} => [|x mono IH] /=; first by rewrite /product_of big_nil.
by rewrite product_cons IH natrM /count_of /= addn0 muln1.
Qed.

Lemma product_split zs : product_of zs = (number_in zs)%:R * product_of (variables_in zs).
Proof.
rewrite /number_in /variables_in; elim: zs => [|z zs IH] /=; first by rewrite /product_of big_nil mulr1.
rewrite product_cons IH; case nz: (is_number z) => /=; first by rewrite count_number // natrM mulrA.
by rewrite product_cons mulrCA.
Qed.

Lemma sgz_square (k : int) : k != 0 -> (sgz k)%:~R * (sgz k)%:~R = 1 :> R.
Proof. by move=> k0; rewrite -intrM; case: k k0 => [[|n]|n]. Qed.

Lemma product_perm zs zs' : perm_eq zs zs' -> product_of zs = product_of zs'.
Proof. exact: perm_big. Qed.

Lemma without_commonE zs ds : let: (zs', ds') := without_common zs ds in
  exists2 u, product_of zs = product_of zs' * u & product_of ds = product_of ds' * u.
Proof.
elim: ds zs => [|z ds IH] zs /=; first by exists 1; rewrite mulr1.
case: ifP => [zin | _].
  have := IH (rem z zs); case: (without_common _ _) => zs' ds' [u zE dE]; exists ((count_of m z)%:R * u).
    by rewrite (product_perm (perm_to_rem zin)) product_cons zE mulrCA.
  by rewrite product_cons dE mulrCA.
have := IH zs; case: (without_common _ _) => zs' ds' [u zE dE]; exists u => //.
by rewrite !product_cons dE mulrA.
Qed.

(* In lowest terms it is the same: numerator and denominator were divided by one number. *)
Lemma lowest_same k zs ds : product_of ds \is a GRing.unit ->
  has_value (lowest k zs ds) /\ value_of (lowest k zs ds) = k%:~R * product_of zs / product_of ds.
Proof.
rewrite /lowest /has_value /value_of; have := without_commonE (variables_in zs) (variables_in ds).
case: (without_common _ _) => zs' ds' [u zE dE] /=; set n := (_ * _)%N; set d := number_in ds; set g := gcdn n d => ud.
have [nE dE'] : n = (n %/ g * g)%N /\ d = (d %/ g * g)%N by rewrite !divnK ?dvdn_gcdl ?dvdn_gcdr.
have top : k%:~R * product_of zs = (sgz k * Posz (n %/ g))%:~R * product_of zs' * (u * g%:R).
  rewrite product_split zE {1}(intEsg k) !intrM -!pmulrn mulrA -[X in X * _](mulrA _ _ _) -natrM -/n {1}nE natrM.
  by rewrite -!mulrA; congr (_ * (_ * _)); rewrite [u * _]mulrC mulrCA.
have bottom : product_of ds = product_of (as_factors (d %/ g)%N ++ ds') * (u * g%:R).
  rewrite product_split dE product_cat product_number -/d {1}dE' natrM -!mulrA; congr (_ * _).
  by rewrite [u * _]mulrC mulrCA.
move: ud; rewrite bottom unitrM => /andP [ud ug]; split=> //.
by rewrite top invrM // [RHS]mulrA mulrK.
Qed.

Lemma divided_both (x y w : R) : y \is a GRing.unit -> w \is a GRing.unit -> x * w / (y * w) = x / y.
Proof. by move=> uy uw; rewrite invrM // mulrA mulrK. Qed.

Lemma value_times k zs ds k' zs' ds' : has_value (k, zs, ds) -> has_value (k', zs', ds') ->
  has_value ((k * k')%R, zs ++ zs', ds ++ ds') /\
  value_of ((k * k')%R, zs ++ zs', ds ++ ds') = value_of (k, zs, ds) * value_of (k', zs', ds').
Proof.
rewrite /has_value /value_of /= => u u'; rewrite !product_cat unitrM u u'; split=> //.
by rewrite intrM invrM // [X in X * _]mulrACA [RHS]mulrACA; congr (_ * _); apply: mulrC.
Qed.

(* 1 over an amount, where it exists. *)
Lemma lowest_inverse k zs ds y : has_value (k, zs, ds) -> y * value_of (k, zs, ds) = 1 ->
  has_value (lowest (sgz k) ds (as_factors `|k|%N ++ zs)) /\ value_of (lowest (sgz k) ds (as_factors `|k|%N ++ zs)) = y.
Proof.
rewrite /has_value /= => ud inv; set q := product_of (as_factors `|k|%N ++ zs).
have k0 : k != 0 by apply: contra_eq_neq inv => ->; rewrite /value_of !mul0r mulr0 eq_sym oner_eq0.
have qE : y * (sgz k)%:~R * q = product_of ds.
  have kE : k%:~R = (sgz k)%:~R * `|k|%N%:R :> R by rewrite {1}(intEsg k) intrM -pmulrn.
  move: inv; rewrite /value_of /= mulrA => /(canRL (mulrVK ud)); rewrite mul1r => <-.
  by rewrite /q product_cat product_number kE !mulrA.
have uq : q \is a GRing.unit by move: ud; rewrite -qE unitrM => /andP [].
have [|u ->] := @lowest_same (sgz k) ds (as_factors `|k|%N ++ zs); first exact: uq.
by split=> //; rewrite -/q -qE [_ * (_ * q)]mulrA mulrK // mulrCA sgz_square // mulr1.
Qed.

Lemma value_one : value_of one_ratio = 1.
Proof. by rewrite /value_of /product_of !big_nil mulr1 divr1. Qed.

Lemma added_sound a b q : added a b = Some q -> has_value a -> has_value b ->
  has_value q /\ value_of q = value_of a + value_of b.
Proof.
case: a b => [[k zs] ds] [[k' zs'] ds'] /=; case: eqP => [-> [<-] ua _ | _].
  by split=> //; rewrite [X in _ + X]/value_of !mul0r addr0.
case: ifP => // /andP [/product_perm zE /product_perm dE] [<-]; rewrite /has_value /= => ua ub.
have bottom : product_of (as_factors (number_in ds * number_in ds')%N ++ variables_in ds) = product_of ds * (number_in ds')%:R.
  by rewrite product_cat product_number natrM (product_split ds) mulrAC.
have swap : product_of ds * (number_in ds')%:R = product_of ds' * (number_in ds)%:R.
  by rewrite (product_split ds) (product_split ds') dE mulrAC [RHS]mulrAC [(number_in ds)%:R * _]mulrC.
have un : (number_in ds')%:R \is a @GRing.unit R by move: ub; rewrite (product_split ds') unitrM => /andP [].
have un' : (number_in ds)%:R \is a @GRing.unit R by move: ua; rewrite (product_split ds) unitrM => /andP [].
have [|u ->] := @lowest_same (k * Posz (number_in ds') + k' * Posz (number_in ds)) zs
  (as_factors (number_in ds * number_in ds')%N ++ variables_in ds); first by rewrite bottom unitrM ua.
split=> //; rewrite bottom intrD !intrM -!pmulrn !mulrDl; congr (_ + _).
  by rewrite [X in X / _]mulrAC divided_both.
by rewrite swap [X in X / _]mulrAC divided_both // zE.
Qed.

(** * Bodies *)

Variables (ctx : seq motion) (cells : seq (cell R)).
Hypothesis facts : forall a, (a < size ctx)%N -> fact cells (nth c0 cells a) (motion_at ctx a).

Lemma row_fact a : motion_at ctx a <> Still -> fact cells (nth c0 cells a) (motion_at ctx a).
Proof. by case: (ltnP a (size ctx)) => [ac _ | ac]; [exact: facts | rewrite /motion_at nth_default]. Qed.

Lemma labels_cat rows rows' : labels (rows ++ rows') = labels rows ++ labels rows'.
Proof. by rewrite /labels /reads map_cat flatten_cat map_cat flatten_cat. Qed.

Lemma free_cat l rows rows' : free l (rows ++ rows') = free l rows && free l rows'.
Proof. by rewrite /free labels_cat mem_cat negb_or. Qed.

Lemma free_upd l rows e k : free l rows -> body m cells rows (upd e l k) = body m cells rows e /\
  body_ok m cells rows (upd e l k) = body_ok m cells rows e.
Proof.
move=> fr; have same : {in mem (labels rows), upd e l k =1 e}.
  by move=> x xr; apply: upd_other; apply: contraNneq fr => <-.
by split; [apply: body_ext | apply: body_ok_ext].
Qed.

Lemma body_without rows i e : (i < size rows)%N ->
  let r := nth (0%N, [::]) rows i in
  body m cells rows e = get cells r.1 [seq at_ m e j | j <- r.2] * body m cells (without i rows) e /\
  body_ok m cells rows e = ok cells r.1 [seq at_ m e j | j <- r.2] && body_ok m cells (without i rows) e.
Proof.
move=> ir; have pr : perm_eq rows (nth (0%N, [::]) rows i :: without i rows).
  rewrite -[X in perm_eq X _](cat_take_drop i) (drop_nth (0%N, [::]) ir) /without.
  by rewrite perm_catC /= perm_cons perm_catC.
by split; [rewrite /body (perm_big _ pr) big_cons | rewrite /body_ok (perm_all _ pr)].
Qed.

Lemma at_zeroE l e i : at_ m e (at_zero l i) = at_ m (upd e l 0) i.
Proof. by elim: i => //= [x | a -> b -> | a -> b -> | a -> b -> | a -> b -> | a -> b ->] //; rewrite /upd; case: eqP. Qed.

Lemma zero_rows l rows e : let rows' := [seq (r.1, [seq at_zero l i | i <- r.2]) | r <- rows] in
  body m cells rows' e = body m cells rows (upd e l 0) /\ body_ok m cells rows' e = body_ok m cells rows (upd e l 0).
Proof.
have same r : [seq at_ m e i | i <- [seq at_zero l i | i <- r]] = [seq at_ m (upd e l 0) i | i <- r].
  by rewrite -map_comp; apply: eq_map => i; apply: at_zeroE.
split; first by rewrite /body big_map; apply: eq_bigr => r _ /=; rewrite same.
by rewrite /body_ok all_map; apply: eq_all => r /=; rewrite same.
Qed.

Lemma at_row (q : seq place) l e k : free l [:: (0%N, q)] -> [seq at_ m (upd e l k) i | i <- q] = [seq at_ m e i | i <- q].
Proof.
move=> fr; apply/eq_in_map => i iq; apply: at_ext => x xi; apply: upd_other; apply: contraNneq fr => <-.
by rewrite /labels /reads /= cats0; apply/flattenP; exists (labels_of i) => //; apply: map_f.
Qed.

Lemma map_insert (A B : Type) (f : A -> B) p x s : map f (insert p x s) = insert p (f x) (map f s).
Proof. by rewrite /insert map_cat /= map_take map_drop. Qed.

Lemma insert_without (T : Type) (x : T) p s : (p < size s)%N -> insert p (nth x s p) (without p s) = s.
Proof.
move=> ps; have tp : size (take p s) = p by rewrite size_take ps.
by rewrite /insert /without take_size_cat // drop_size_cat // -drop_nth // cat_take_drop.
Qed.

(** * One label *)

Lemma shares_in l z r : shares ctx l z r -> (0 < size r.2)%N.
Proof. by rewrite /shares; case: (motion_at ctx r.1) => // a z' /and4P [_ aq _ _]; apply: leq_ltn_trans aq. Qed.

Lemma summed_out_sound l z rows zs rows' e : summed_out pos ctx l z rows = Some (zs, rows') ->
  (forall k, (k < count_of m z)%N -> body_ok m cells rows (upd e l k)) ->
  body_ok m cells rows' e /\
  \sum_(k <- iota 0 (count_of m z)) body m cells rows (upd e l k) = product_of zs * body m cells rows' e.
Proof.
rewrite /summed_out; case: ifP => // /negbFE z0; have n0 := count_positive positive z0.
case: ifP => [fr [<- <-] def | _].
  split; first by rewrite -(free_upd e 0 fr).2; apply: def.
  rewrite (eq_bigr (fun _ => body m cells rows e)) => [|k _]; last by rewrite (free_upd e k fr).1.
  by rewrite big_const_seq count_predT size_iota iter_addr addr0 -mulr_natl product_factors.
case: eqP => [-> [<- <-] def | _].
  have [b o] := zero_rows l rows e; split; first by rewrite o; apply: def.
  by rewrite b /product_of big_nil mul1r [iota _ _]/= big_seq1.
set i := find _ rows; set r := nth _ rows i; set rest := without i rows.
case: ifP => [/andP [sh fr] [<- <-] def | _].
  have ir : (i < size rows)%N.
    by case: ltnP => // ri; move: (shares_in sh); rewrite /r nth_default.
  have each k := body_without (upd e l k) ir; move: sh; rewrite /shares.
  have := @row_fact r.1; case: (motion_at ctx r.1) => // a z' /(_ ltac:(by [])) /= f /and4P [/eqP zE aq /eqP lab fr']; rewrite zE {zE} in f.
  have places k : [seq at_ m (upd e l k) j | j <- r.2] = insert a k [seq at_ m e j | j <- without a r.2].
    rewrite -{1}(insert_without (Num 0) aq) lab map_insert (at_row e k fr') /=.
    by rewrite upd_same.
  have rest_ok : body_ok m cells rest e.
    by rewrite -(free_upd e 0 fr).2; have := def 0%N n0; rewrite (each 0%N).2 => /andP [].
  split=> //; rewrite /product_of big_nil mul1r.
  rewrite (eq_bigr (fun k => get cells r.1 (insert a k [seq at_ m e j | j <- without a r.2]) * body m cells rest e)).
    rewrite -mulr_suml [X in X * _](_ : _ = 1) ?mul1r //; apply: f.
      by rewrite size_map size_without // -ltnS prednK // (leq_ltn_trans _ aq).
    by move=> k kz; have := def k kz; rewrite (each k).2 places => /andP [].
  by move=> k _; rewrite (each k).1 places (free_upd e k fr).1.
case: ifP => // /andP [jr fr] [<- <-] def.
have inv := nth_find (0%N, [::]) (etrans (has_find _ _) jr); move: jr fr def inv.
set j := find _ rest; set r' := nth _ rest j; set rest' := without j rest => jr fr def.
rewrite /inverts; have := @row_fact r'.1; case: (motion_at ctx r'.1) => // b [a|] // z' n /(_ ltac:(by [])) [bc an f].
case/and5P=> /eqP zE /eqP bE /eqP sn /eqP rE fr'.
have ir : (i < size rows)%N.
  by case: ltnP rE => // ri; rewrite /r nth_default //= => /(congr1 size); rewrite size_insert.
pose ixs := [seq at_ m e x | x <- r'.2].
have each k : body m cells rows (upd e l k) = get cells r.1 (insert a k ixs) * get cells r'.1 ixs * body m cells rest' e /\
    body_ok m cells rows (upd e l k) = [&& ok cells r.1 (insert a k ixs), ok cells r'.1 ixs & body_ok m cells rest' e].
  have [v d] := body_without (upd e l k) ir; have [v' d'] := body_without (upd e l k) jr.
  have [v2 d2] := free_upd e k fr; rewrite v d v' d' v2 d2 -/r -/r' rE map_insert (at_row e k fr') /= upd_same -mulrA.
  by split.
have := def 0%N n0; rewrite (each 0%N).2 => /and3P [_ r_ok rest_ok]; split=> //; rewrite /product_of big_nil mul1r.
rewrite (eq_bigr _ (fun k _ => (each k).1)) -!mulr_suml [X in X * _](_ : _ = 1) ?mul1r //.
by rewrite mulrC -zE -bE; apply: f; rewrite ?size_map.
Qed.

(** * All labels, and what is left *)

Lemma reduced_sound ls rows zs rows' e : reduced pos ctx ls rows = Some (zs, rows') ->
  over m every ls (body_ok m cells rows) e ->
  body_ok m cells rows' e /\ over m (@total R) ls (body m cells rows) e = product_of zs * body m cells rows' e.
Proof.
elim: ls zs rows' e => [|[l z] ls IH] zs rows' e /=; first by case=> <- <- d; rewrite /product_of big_nil mul1r.
case red: (reduced pos ctx ls rows) => [[zs1 rows1]|] //; case out: (summed_out pos ctx l z rows1) => [[zs2 rows2]|] // [<- <-] /allP def.
have each k : (k < count_of m z)%N -> body_ok m cells rows1 (upd e l k) /\
    over m (@total R) ls (body m cells rows) (upd e l k) = product_of zs1 * body m cells rows1 (upd e l k).
  by move=> kz; apply: IH => //; apply: (def (over m every ls (body_ok m cells rows) (upd e l k))); apply: map_f; rewrite mem_iota.
have [ok2 sum] := summed_out_sound out (fun k kz => (each k kz).1); split=> //.
rewrite /total big_map (eq_big_seq (fun k => product_of zs1 * body m cells rows1 (upd e l k))) => [|k]; last first.
  by rewrite mem_iota => kz; apply: (each k kz).2.
by rewrite -mulr_sumr sum product_cat mulrCA mulrA.
Qed.

Lemma collected_sound rows k zs ds e : collected ctx rows = Some (k, zs, ds) -> body_ok m cells rows e ->
  has_value (k, zs, ds) /\ body m cells rows e = value_of (k, zs, ds).
Proof.
elim: rows k zs ds => [|r rows IH] k zs ds /=.
  by case=> <- <- <- _; rewrite /body /has_value /value_of /product_of !big_nil unitr1 mulr1 divr1.
case tE: (motion_at ctx r.1) => // [k1 zs1 ds1]; case cE: (collected ctx rows) => [[[k2 zs2] ds2]|] // [<- <- <-].
rewrite {1}/body_ok /= => /andP [rok /(IH _ _ _ cE) [u2 b2]].
have := @row_fact r.1; rewrite tE => /(_ ltac:(by [])) /(_ _ rok) [u1 v1].
have [u v] := value_times u1 u2; split=> //; rewrite v -b2 /body big_cons; congr (_ * _); exact: v1.
Qed.

Lemma cancelled_sound fuel rows e : body_ok m cells rows e ->
  let: (rows', ds) := cancelled ctx fuel rows in
  [/\ body_ok m cells rows' e, product_of ds \is a GRing.unit & body m cells rows e = body m cells rows' e / product_of ds].
Proof.
have none rows' : body_ok m cells rows' e -> [/\ body_ok m cells rows' e, product_of [::] \is a GRing.unit
    & body m cells rows' e = body m cells rows' e / product_of [::]].
  by move=> def; rewrite /product_of big_nil divr1 unitr1.
elim: fuel rows => [|fuel IH] rows def /=; first exact: none.
set i := find _ rows; set r := nth _ rows i; have := @row_fact r.1.
have here : (i < size rows)%N -> cancels ctx rows r by move=> ir; apply: nth_find; rewrite has_find.
move: here; rewrite /cancels; case: (motion_at ctx r.1) => [|? ? ?|? ?|? ? ? ?|b p z n|? ? ? ?|? ? ? ? ?] //=; try by move=> _ _; apply: none.
move=> here /(_ ltac:(by [])) [_ _ f]; case: ifP => [/andP [ir br]|_]; last exact: none.
case: p here f => [q|] here f; first by have := here ir.
have /andP [/eqP sn _] := here ir; have [vE dE] := body_without e ir; move: def; rewrite dE => /andP [rok restok].
have pr := perm_to_rem br; move: restok; rewrite /body_ok (perm_all _ pr) /= => /andP [bok restok].
have := IH _ restok; case: (cancelled _ _ _) => rows' ds [ok2 u2 eq2]; have := f _ _ rok; rewrite size_map => /(_ sn) /= one.
have un : (count_of m z)%:R \is a @GRing.unit R.
  by apply/unitrPr; exists (get cells b [seq at_ m e j | j <- r.2] * get cells r.1 [seq at_ m e j | j <- r.2]); rewrite mulrA mulrC.
split=> //; first by rewrite product_cat product_factors unitrM un.
have xy : get cells r.1 [seq at_ m e j | j <- r.2] * get cells b [seq at_ m e j | j <- r.2] = (count_of m z)%:R^-1.
  by apply: (mulIr un); rewrite mulVr // -mulrA [X in _ * X]mulrC.
have restE : body m cells (without i rows) e = get cells b [seq at_ m e j | j <- r.2] * body m cells (rem (b, r.2) (without i rows)) e.
  by rewrite {1}/body (perm_big _ pr) big_cons.
by rewrite vE restE mulrA xy eq2 product_cat product_factors invrM // mulrCA [X in _ * X]mulrC.
Qed.

Lemma number_of_sound rows ls k zs ds q e : number_of pos ctx rows ls k zs ds = Some q ->
  over m every ls (body_ok m cells rows) e -> has_value (k, zs, ds) ->
  has_value q /\ value_of q = value_of (k, zs, ds) * over m (@total R) ls (body m cells rows) e.
Proof.
rewrite /number_of; case red: (reduced _ _ _ _) => [[zs1 rows1]|] // num def uk.
have [ok1 ->] := reduced_sound red def; have := cancelled_sound (size rows1) ok1; move: num.
case: (cancelled _ _ _) => kept ds1; case cE: (collected _ _) => [[[k2 zs2] ds2]|] // [<-] [ok2 u1 ->].
have [u2 ->] := collected_sound cE ok2; have u1' : has_value (1%R, zs1, ds1) by [].
have [u3 v3] := value_times u1' uk; have [u4 v4] := value_times u2 u3.
have [|u ->] := @lowest_same (k * k2) (zs2 ++ zs1 ++ zs) (ds2 ++ ds1 ++ ds); first exact: u4.
split=> //; have -> : k * k2 = k2 * (1 * k) by rewrite mul1r mulrC.
apply: etrans v4 _; rewrite v3 [product_of zs1 * _]mulrCA [RHS]mulrCA; congr (_ * _).
by rewrite mulrC; congr (_ * _); rewrite /value_of /= mul1r.
Qed.

(* Where a sum of products is defined, and it can be reduced, so is the product for some labels. *)
Lemma somewhere ls rows found (F : env -> bool) e : reduced pos ctx ls rows = Some found -> over m every ls F e -> exists e', F e'.
Proof.
elim: ls found e => [|[l z] ls IH] found e /=; first by move=> _ def; exists e.
case red: (reduced pos ctx ls rows) => [[zs1 rows1]|] //; rewrite /summed_out; case: ifP => // /negbFE z0 _ /allP def.
apply: (IH _ (upd e l 0) red); apply: def; apply: (map_f (fun k => over m every ls F (upd e l k))).
by rewrite mem_iota (count_positive positive).
Qed.
End Sums.
