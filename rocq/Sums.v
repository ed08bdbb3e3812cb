(* What is known of sums of values that stay, and that the checker for translations multiplies them out rightly. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments Motions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Sums.
Variables (R : comRingType) (m : meaning R).
Hypothesis positive : forall x, (0 < var m x)%N.

Definition product_of (zs : seq extent) : R := \prod_(z <- zs) (count_of m z)%:R.
Definition line_sum (v : value R) p ix z : R := \sum_(k <- iota 0 (count_of m z)) v (insert p k ix).

Definition sum_along (v : value R) (p : option nat) ix z : R :=
  if p is Some q then line_sum v q ix z else (count_of m z)%:R * v ix.

Definition sums (cells : seq (cell R)) (c : cell R) a (p : option nat) z n (eq : R -> R -> Prop) : Prop :=
  [/\ (a < size cells)%N, (if p is Some q then q <= n else true)%N
    & forall ix, size ix = n -> c.2 ix -> eq (c.1 ix) (sum_along (get cells a) p ix z)].
Definition fact (cells : seq (cell R)) (c : cell R) (t : motion) : Prop :=
  match t with
  | Still | Moved _ _ _ => True
  | Amount k zs => forall ix, c.2 ix -> c.1 ix = k%:~R * product_of zs
  | Share p z => forall ix, (p <= size ix)%N -> (forall k, (k < count_of m z)%N -> c.2 (insert p k ix)) -> line_sum c.1 p ix z = 1
  | SumOf a p z n => sums cells c a p z n (fun x s => x = s)
  | OneOver a p z n => sums cells c a p z n (fun x s => x * s = 1)
  | OneOverSizes zs => forall ix, c.2 ix -> c.1 ix * product_of zs = 1
  | Loaded _ a _ _ _ => (a < size cells)%N
  end.

Lemma fact_rcons cells c c' t : fact cells c t -> fact (rcons cells c') c t.
Proof.
case: t => //= [a p z n [ac pn f]|a p z n [ac pn f]|p a q z n ac]; last (by rewrite size_rcons (leq_trans ac));
  split=> //; rewrite ?size_rcons ?(leq_trans ac) // => ix sx d.
  by rewrite (f ix sx d) /sum_along /line_sum /get nth_rcons ac.
by have := f ix sx d; rewrite /sum_along /line_sum /get nth_rcons ac.
Qed.

Lemma count_positive z : z != [::] -> (0 < count_of m z)%N.
Proof.
case: z => // mono z _; rewrite /count_of /= addn_gt0; apply/orP; left.
by elim: mono => //= x mono IH; rewrite muln_gt0 positive.
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

Lemma divided_sound zs divisors zs' : divided zs divisors = Some zs' -> product_of zs = product_of divisors * product_of zs'.
Proof.
elim: divisors zs => [|z divisors IH] zs /=; first by case=> ->; rewrite /product_of big_nil mul1r.
case: ifP => [zin /IH e | _]; first by rewrite {1}/product_of (perm_big _ (perm_to_rem zin)) product_cons -/(product_of zs') -mulrA -e -product_cons.
case: ifP => // /and3P [nz z0 /dvdnP [q qE]] /IH; rewrite product_cat product_number qE mulnK // => e.
by rewrite product_cons -mulrA -e product_split qE natrM count_number // mulrCA mulrA.
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

Lemma summed_out_sound l z rows zs rows' e : summed_out ctx l z rows = Some (zs, rows') ->
  (forall k, (k < count_of m z)%N -> body_ok m cells rows (upd e l k)) ->
  body_ok m cells rows' e /\
  \sum_(k <- iota 0 (count_of m z)) body m cells rows (upd e l k) = product_of zs * body m cells rows' e.
Proof.
rewrite /summed_out; case: eqP => // /eqP z0; have n0 := count_positive z0.
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

Lemma reduced_sound ls rows zs rows' e : reduced ctx ls rows = Some (zs, rows') ->
  over m every ls (body_ok m cells rows) e ->
  body_ok m cells rows' e /\ over m (@total R) ls (body m cells rows) e = product_of zs * body m cells rows' e.
Proof.
elim: ls zs rows' e => [|[l z] ls IH] zs rows' e /=; first by case=> <- <- d; rewrite /product_of big_nil mul1r.
case red: (reduced ctx ls rows) => [[zs1 rows1]|] //; case out: (summed_out ctx l z rows1) => [[zs2 rows2]|] // [<- <-] /allP def.
have each k : (k < count_of m z)%N -> body_ok m cells rows1 (upd e l k) /\
    over m (@total R) ls (body m cells rows) (upd e l k) = product_of zs1 * body m cells rows1 (upd e l k).
  by move=> kz; apply: IH => //; apply: (def (over m every ls (body_ok m cells rows) (upd e l k))); apply: map_f; rewrite mem_iota.
have [ok2 sum] := summed_out_sound out (fun k kz => (each k kz).1); split=> //.
rewrite /total big_map (eq_big_seq (fun k => product_of zs1 * body m cells rows1 (upd e l k))) => [|k]; last first.
  by rewrite mem_iota => kz; apply: (each k kz).2.
by rewrite -mulr_sumr sum product_cat mulrCA mulrA.
Qed.

Lemma collected_sound rows k zs divisors e : collected ctx rows = Some (k, zs, divisors) -> body_ok m cells rows e ->
  exists2 u, u * product_of divisors = 1 & body m cells rows e = k%:~R * product_of zs * u.
Proof.
elim: rows k zs divisors => [|r rows IH] k zs divisors /=.
  by case=> <- <- <- _; exists 1; rewrite /body /product_of !big_nil ?mulr1.
case cE: (collected ctx rows) => [[[k1 zs1] ds1]|] // mE; rewrite {1}/body_ok /= => /andP [rok /(IH _ _ _ cE) [u u1 bE]].
have := @row_fact r.1; move: mE; rewrite /body big_cons -/(body m cells rows e) bE.
case: (motion_at ctx r.1) => // [k2 zs2|zs2] [<- <- <-] /(_ ltac:(by [])) f.
  by exists u => //; rewrite /get (f _ rok) intrM product_cat mulrA [in LHS]mulrACA.
exists (get cells r.1 [seq at_ m e i | i <- r.2] * u); last by rewrite mulrCA.
by rewrite product_cat mulrACA u1 mulr1; apply: f.
Qed.

Lemma multiplied_sound rows zs k zs' e : multiplied ctx rows zs = Some (k, zs') -> body_ok m cells rows e ->
  product_of zs * body m cells rows e = k%:~R * product_of zs'.
Proof.
rewrite /multiplied; case cE: (collected _ _) => [[[k1 zs1] ds1]|] //; case dE: (divided _ _) => [rest|] // [<- <-] bok.
have [u u1 ->] := collected_sound cE bok; have := divided_sound dE; rewrite !product_cat product_number => pE.
have -> : (sgz k1 * Posz (number_in rest))%:~R * product_of (variables_in rest) = (sgz k1)%:~R * product_of rest.
  by rewrite [in RHS]product_split intrM -pmulrn mulrA.
have -> : product_of zs * (k1%:~R * product_of zs1 * u) = (sgz k1)%:~R * (`|k1|%:R * (product_of zs1 * product_of zs)) * u.
  by rewrite {1}(intEsg k1) intrM !mulrA; congr (_ * u); rewrite [RHS]mulrC !mulrA.
by rewrite pE [product_of ds1 * _]mulrC !mulrA -mulrA [product_of ds1 * u]mulrC u1 mulr1.
Qed.

Lemma cancelled_sound fuel rows zs e : body_ok m cells rows e ->
  let left := cancelled ctx fuel rows zs in
  body_ok m cells left.1 e /\ product_of zs * body m cells rows e = product_of left.2 * body m cells left.1 e.
Proof.
elim: fuel rows zs => [|fuel IH] rows zs def /=; first by split.
set i := find _ rows; set r := nth _ rows i; have := @row_fact r.1.
have here : (i < size rows)%N -> cancels ctx rows zs r by move=> ir; apply: nth_find; rewrite has_find.
move: here; rewrite /cancels; case: (motion_at ctx r.1) => [|k zs'|p z|b p z n|b p z n|zs'|p k zs'|? ? ? ? ?] //=; try by split.
move=> here /(_ ltac:(by [])) [_ _ f]; case: ifP => [/andP [ir br]|_]; last by split.
case: p here f => [q|] here f; first by have := here ir.
case dE: (divided zs (factors z)) here => [zs'|] here; last by have /and3P [] := here ir.
have /and3P [/eqP sn _ _] := here ir; move: def; have [-> ->] := body_without e ir; case/andP => rok restok.
have pr := perm_to_rem br; move: restok; rewrite /body_ok (perm_all _ pr) /= => /andP [bok restok].
have [ok2 eq2] := IH _ zs' restok; split=> //; rewrite -eq2.
rewrite (divided_sound dE) product_factors /body (perm_big _ pr) big_cons /=.
have := f _ _ rok; rewrite size_map => /(_ sn) /= one.
by rewrite mulrACA (mulrCA (product_of _)) mulrA (mulrC (count_of m z)%:R) -(mulrA (get _ _ _)) one mul1r.
Qed.

Lemma number_of_sound rows ls zs k zs' e : number_of ctx rows ls zs = Some (k, zs') ->
  over m every ls (body_ok m cells rows) e ->
  product_of zs * over m (@total R) ls (body m cells rows) e = k%:~R * product_of zs'.
Proof.
rewrite /number_of; case red: (reduced _ _ _) => [[zs1 rows1]|] // mul def.
have [ok1 ->] := reduced_sound red def; rewrite mulrCA mulrA -product_cat.
have [ok2 ->] := cancelled_sound (size rows1) (zs1 ++ zs) ok1; exact: multiplied_sound.
Qed.
End Sums.
