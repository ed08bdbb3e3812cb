(* Soundness under translations: the entries of a vector are added along one axis of the points, at all other indices. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments Checked.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Shifted.
Variables (R : comRingType) (m : meaning R) (intys : seq motion) (v : nat -> R).

Definition shifts (c' c : cell R) (ty : motion) : Prop := c'.2 =1 c.2 /\
  match ty with
  | Still => c'.1 =1 c.1
  | Integer k => forall ix, c'.1 ix = k%:~R /\ c.1 ix = k%:~R
  | Moved p k => forall ix, c'.1 ix = c.1 ix + k%:~R * v (nth 0%N ix p)
  end.

(** * What stays *)

Section Line.
Variables (ctx : seq motion) (cells' cells : seq (cell R)).
Hypothesis earlier : forall a, (a < size ctx)%N -> shifts (nth c0 cells' a) (nth c0 cells a) (nth Still ctx a).

Lemma defined_alike a ix : (a < size ctx)%N -> ok cells' a ix = ok cells a ix.
Proof. by case/earlier => d _; apply: d. Qed.

Lemma steady_same a ix : steady ctx a -> get cells' a ix = get cells a ix.
Proof.
rewrite /get; case/andP => /earlier [_]; case: (nth Still ctx a) => [e _ | k e _ | //]; first exact: e.
by have [-> ->] := e ix.
Qed.

Lemma steady_body rows e : all (steady ctx) [seq r.1 | r <- rows] -> body m cells' rows e = body m cells rows e.
Proof.
by rewrite all_map => /allP st; apply: eq_big_seq => r /st sr; rewrite (steady_same _ sr).
Qed.

Lemma alike_body rows e : all (fun a => (a < size ctx)%N) [seq r.1 | r <- rows] -> body_ok m cells' rows e = body_ok m cells rows e.
Proof. by rewrite all_map => /allP st; apply: eq_in_all => r /st sr; rewrite (defined_alike _ sr). Qed.

Lemma steady_in s : all (steady ctx) s -> all (fun a => (a < size ctx)%N) s.
Proof. by apply: sub_all => a /andP []. Qed.

Lemma still_line ins' ins o : (if o is Input _ then false else true) -> all (steady ctx) (args_of o) ->
  compute m ins' cells' o =1 compute m ins cells o /\ defined m ins' cells' o =1 defined m ins cells o.
Proof.
case: o => [// | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h r args] _ st.
- by [].
- by [].
- by [].
- split=> ix /=; apply: over_same => e; [exact: steady_body | exact/alike_body/steady_in].
- have val a : a \in args -> get cells' a =1 get cells a by move=> /(allP st) sa ix; apply: steady_same.
  have def a : a \in args -> ok cells' a =1 ok cells a by move=> /(allP (steady_in st)) sa ix; apply: defined_alike.
  by split=> ix /=; [apply: eq_big_seq => a /val -> | apply: eq_in_all => a /def ->].
- have val ix : [seq get cells' a ix | a <- args] = [seq get cells a ix | a <- args].
    by apply/eq_in_map => a /(allP st) sa; apply: steady_same.
  split=> ix /=; rewrite val //; congr (_ && _).
  by apply: eq_in_all => a /(allP (steady_in st)); apply: defined_alike.
- case/and4P: (st) => sc sa sb _; have /and4P [dc da db _] := steady_in st.
  by split=> ix /=; rewrite (steady_same _ sc) ?(defined_alike _ dc) ?(steady_same _ sa) ?(steady_same _ sb)
    ?(defined_alike _ da) ?(defined_alike _ db).
- case/andP: (st) => sa _; have /andP [da _] := steady_in st.
  have val ix : along m (get cells' a) p ix z = along m (get cells a) p ix z by apply: eq_map => k; apply: steady_same.
  have def ix : along m (ok cells' a) p ix z = along m (ok cells a) p ix z by apply: eq_map => k; apply: defined_alike.
  by split=> ix /=; rewrite val ?def.
- case/andP: (st) => sa _; have /andP [da _] := steady_in st.
  have val ix : along m (get cells' a) p ix z = along m (get cells a) p ix z by apply: eq_map => k; apply: steady_same.
  have def ix : along m (ok cells' a) p ix z = along m (ok cells a) p ix z by apply: eq_map => k; apply: defined_alike.
  by split=> ix /=; rewrite ?val ?def.
- split=> ix /=; case J: (joined m rows _) => [[a i]|] //; have [r inr <-] := joined_in J.
    by apply/steady_same/(allP st)/(map_f fst inr).
  by apply/defined_alike/(allP (steady_in st))/(map_f fst inr).
have same ix : (called m h cells' args ix).1 =1 (called m h cells args ix).1 /\
    (called m h cells' args ix).2 =1 (called m h cells args ix).2.
  apply: called_same => x xa jx _; have xs := map_f fst xa.
  by split; [apply/steady_same/(allP st) | apply/defined_alike/(allP (steady_in st))].
by split=> ix /=; have [e1 e2] := same (take r ix); [apply: e1 | apply: e2].
Qed.

(** * What moves *)

Lemma moved_one p a k ix : moved_by ctx p a = Some k ->
  get cells' a ix = get cells a ix + k%:~R * v (nth 0%N ix p) /\ ok cells' a ix = ok cells a ix.
Proof.
rewrite /moved_by; case: ltnP => // ac; have [d] := earlier ac; rewrite /get.
case: (nth Still ctx a) => [e [<-] | n e [<-] | q n e].
- by rewrite mul0r addr0; split; [apply: e | apply: d].
- by rewrite mul0r addr0; have [-> ->] := e ix; split=> //; apply: d.
by case: eqP => // <- [<-]; split; [apply: e | apply: d].
Qed.

Lemma moved_sum p args k ix : sum_moved ctx p args = Some k ->
  \sum_(a <- args) get cells' a ix = \sum_(a <- args) get cells a ix + k%:~R * v (nth 0%N ix p) /\
  all (fun a => ok cells' a ix) args = all (fun a => ok cells a ix) args.
Proof.
elim: args k => [|a args IH] k /=; first by case=> <-; rewrite !big_nil mul0r addr0.
case one: (moved_by ctx p a) => [i|] //; case rest: (sum_moved ctx p args) => [j|] // [<-].
have [v1 d1] := moved_one ix one; have [v2 d2] := IH _ rest.
by rewrite !big_cons v1 v2 d1 d2 intrD mulrDl addrACA.
Qed.

Lemma integer_body rows k e : integers ctx rows = Some k ->
  body m cells' rows e = k%:~R /\ body m cells rows e = k%:~R /\ all (fun a => (a < size ctx)%N) [seq r.1 | r <- rows].
Proof.
rewrite /body; elim: rows k => [|r rows IH] k /=; first by case=> <-; rewrite !big_nil.
case: ltnP => // rc; case tE: (nth Still ctx r.1) => [|n|] //; case rest: (integers ctx rows) => [j|] // [<-].
have [v1 [v2 ->]] := IH _ rest; have [_] := earlier rc; rewrite tE => e1; rewrite !big_cons v1 v2 /get.
by have [-> ->] := e1 [seq at_ m e i | i <- r.2]; rewrite intrM.
Qed.

Lemma product_body l rows k e : product_moved ctx l rows = Some k ->
  body m cells' rows e = body m cells rows e + k%:~R * v (e l) /\ all (fun a => (a < size ctx)%N) [seq r.1 | r <- rows].
Proof.
rewrite /body; elim: rows k => [|r rows IH] k //=; case: ltnP => // rc; have [_] := earlier rc; rewrite !big_cons /get.
case: (nth Still ctx r.1) => [// | n e1 | q n e1].
  case rest: (product_moved ctx l rows) => [j|] // [<-]; have [-> ->] := IH _ rest; split=> //.
  by have [-> ->] := e1 [seq at_ m e i | i <- r.2]; rewrite mulrDr intrM mulrA.
case: andP => // -[lab qr]; case rest: (integers ctx rows) => [j|] // [<-].
have := integer_body e rest; rewrite /body => -[-> [-> ->]]; split=> //; rewrite e1 mulrDl; congr (_ + _).
have -> : nth 0%N [seq at_ m e i | i <- r.2] q = e l.
  by rewrite (nth_map (Num 0)) //; move: lab; case: (nth (Num 0) r.2 q) => //= x /eqP ->.
by rewrite intrM mulrAC.
Qed.

Variables (ins' ins : nat -> cell R).
Hypothesis given : forall k, (k < size intys)%N -> shifts (ins' k) (ins k) (nth Still intys k).

Lemma line_shifts o ty : shift_rule intys ctx o ty ->
  shifts (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ty.
Proof.
have stays o' : (if o' is Input _ then false else true) -> all (steady ctx) (args_of o') ->
    shifts (compute m ins' cells' o', defined m ins' cells' o') (compute m ins cells o', defined m ins cells o') Still.
  by move=> no /(still_line ins' ins no) [].
case: o => [k | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h r args].
- by move=> /= /andP [kin /eqP tE]; have := given kin; rewrite tE.
- by case: ty => //= k' /eqP <-; split.
- by case: ty => // st; apply: (stays (Leaf k)).
- by case: ty => // st; apply: (stays (Delta z)).
- case: ty => [st | k | p k].
  + by apply: stays => //; case: summed st.
  + by case: summed.
  case: summed => // /andP [/andP [po uo] /eqP pm]; split=> ix /=.
    by have [_ al] := product_body (bind out ix) pm; apply: alike_body.
  by have [-> _] := product_body (bind out ix) pm; rewrite /bind index_uniq.
- case: ty => [|//|p k] /=; last by move=> /eqP sm; split=> ix; have [e1 e2] := moved_sum ix sm.
  case/orP => [st | /hasP [a _]]; first exact: (stays (Add args)).
  case: (nth Still ctx a) => // p k /eqP sm; split=> ix /=; have [e1 e2] := moved_sum ix sm => //.
  by rewrite e1 mul0r addr0.
- by case: ty => // st; apply: (stays (Map h args)).
- by case: ty => // st; apply: (stays (Choose c ps a b)).
- by case: ty => // st; apply: (stays (Fold h a p z)).
- by case: ty => // st; apply: (stays (Sort h a p z)).
- by case: ty => // st; apply: (stays (Join rows p)).
by case: ty => // st; apply: (stays (Whole h r args)).
Qed.
End Line.
End Shifted.

(* For every ring, whatever functions and constants are, and every vector: where the arguments of two runs differ by it
   as their types say, so do the results. *)
Definition translated (intys : seq motion) (p : program) (out : motion) : Prop :=
  forall (R : comRingType) (m : meaning R) (v : nat -> R) (ins' ins : nat -> cell R),
    (forall k, (k < size intys)%N -> shifts v (ins' k) (ins k) (nth Still intys k)) ->
    shifts v (eval m p ins') (eval m p ins) out.

Theorem sound_shifts intys p tys out : check_shifts intys p tys out -> translated intys p out.
Proof.
move=> ok R m v ins' ins given; apply: (run_sound (related := shifts v)) ok => ctx cells' cells o ty earlier.
move=> r; exact: (@line_shifts R m intys v ctx cells' cells earlier ins' ins given o ty r).
Qed.

Print Assumptions sound_shifts.
