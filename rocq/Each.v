(* One element of the group for each entry of an axis: for entry b of it, g_b.  This file follows that axis through a
   program.  If entry b of an argument is as if g_b acted on all entries, then so is entry b of each line that is computed
   entry by entry; and a line whose type says that no element changes it does not change at all.

   A line is read at labels: those of its own axes, and those over which it sums or otherwise goes.  Of each line is kept
   at which entry b an index stands, as a place over the line's axes, or None where no element changes the line.  A
   reshape may join the axis with others, so that b is a part of an index; splitting it again, the index is only known
   within the range of its axes, which is kept beside. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments Checked Motions Sums Shifts.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

(** * Sizes *)

(* The one factor by which a size is a multiple of another, where both are copies of one product of variables. *)
Definition factor_of (z z' : extent) : option extent :=
  if (z, z') is (mono :: _, mono' :: _) then
    let found := nseq (size z %/ size z') (foldl (fun s x => rem x s) mono mono') in
    if same_size z (product_size z' found) then Some found else None
  else None.

Definition as_size (i : place) : option extent :=
  match i with Num k => Some (nseq k [::]) | Size z => Some z | _ => None end.

(** * Places *)

(* Label l is less than a size. *)
Definition bound : Type := nat * extent.

(* a div z, and a mod z, and which bounds make them so. *)
Fixpoint quotient (a : place) (z : extent) : place * seq bound :=
  match a with
  | Over a' (Size z') => quotient a' (product_size z' z)
  | Plus (Times x y) (Lab l) =>
      if as_size y is Some z' then
        if same_size z' z then (x, [:: (l, z')])
        else if factor_of z z' is Some w then let: (q, bs) := quotient x w in (q, (l, z') :: bs)
        else (Over a (Size (sort_size z)), [::])
      else (Over a (Size (sort_size z)), [::])
  | _ => (Over a (Size (sort_size z)), [::])
  end.
Definition remainder (a : place) (z : extent) : place * seq bound :=
  match a with
  | Plus (Times x y) (Lab l) =>
      if as_size y is Some z' then
        if same_size z' z then (Lab l, [:: (l, z')])
        else if factor_of z' z is Some _ then (Modulo (Lab l) (Size (sort_size z)), [::])
        else (Modulo a (Size (sort_size z)), [::])
      else (Modulo a (Size (sort_size z)), [::])
  | _ => (Modulo a (Size (sort_size z)), [::])
  end.
Fixpoint simplify (i : place) : place * seq bound :=
  match i with
  | Over a b =>
      if as_size b is Some z then
        let: (a', bs) := simplify a in let: (q, bs') := quotient a' z in (q, bs ++ bs')
      else (i, [::])
  | Modulo a b =>
      if as_size b is Some z then
        let: (a', bs) := simplify a in let: (q, bs') := remainder a' z in (q, bs ++ bs')
      else (i, [::])
  | _ => (i, [::])
  end.

(* A place over axes, where these are read at places; a place over labels, of which the axes are these. *)
Fixpoint read_at (ps : seq place) (i : place) : place :=
  match i with
  | Lab k => nth (Num 0) ps k
  | Num _ | Size _ => i
  | Plus a b => Plus (read_at ps a) (read_at ps b)
  | Minus a b => Minus (read_at ps a) (read_at ps b)
  | Times a b => Times (read_at ps a) (read_at ps b)
  | Over a b => Over (read_at ps a) (read_at ps b)
  | Modulo a b => Modulo (read_at ps a) (read_at ps b)
  end.
Fixpoint over_axes (out : seq nat) (i : place) : place :=
  match i with
  | Lab l => Lab (index l out)
  | Num _ | Size _ => i
  | Plus a b => Plus (over_axes out a) (over_axes out b)
  | Minus a b => Minus (over_axes out a) (over_axes out b)
  | Times a b => Times (over_axes out a) (over_axes out b)
  | Over a b => Over (over_axes out a) (over_axes out b)
  | Modulo a b => Modulo (over_axes out a) (over_axes out b)
  end.

(** * Lines *)

(* At which entry an index of a line stands, None where no element changes the line; of which indices that is said. *)
Definition mark : Type := option place * seq bound.
Definition no_mark : mark := (None, [::]).

(* How a line with so many axes reads earlier ones: its labels, and for each argument the labels over which it goes, and
   where it is read. *)
Definition labels_of_line (r : nat) (o : op) : seq nat := if o is Contract _ _ out then out else iota 0 r.
Definition reading : Type := seq bound * (nat * seq place).
Definition own (r : nat) : seq place := map Lab (iota 0 r).
Definition readings (r : nat) (o : op) : seq reading :=
  match o with
  | Input _ | Scalar _ | Leaf _ | Delta _ => [::]
  | Contract rows summed _ => [seq (summed, row) | row <- rows]
  | Add args | Map _ args => [seq ([::], (a, own r)) | a <- args]
  | Choose c ps a b => [:: ([::], (c, map Lab ps)); ([::], (a, own r)); ([::], (b, own r))]
  | Fold _ a p z => [:: ([:: (r, z)], (a, insert p (Lab r) (own r)))]
  | Sort _ a p z => [:: ([:: (r, z)], (a, put p (Lab r) (own r)))]
  | Join rows p => [seq ([:: (r, x.2)], (x.1, put p (Lab r) (own r))) | x <- rows]
  | Whole _ n args =>
      [seq (zip (iota r (size x.2)) x.2, (x.1, take n (own r) ++ map Lab (iota r (size x.2)))) | x <- args]
  | View v a p z w =>
      let n := size (view_sizes v z w) in
      [:: ([::], (a, exchange p n [seq read_at (map Lab (iota p n)) i | i <- view_places v z w] (own r)))]
  end.

(* pos: the variables of sizes that are supposed to be positive. *)
Section Marks.
Variables (pos : seq nat) (starts : seq (option nat)).
Implicit Types (ctx : seq (nat * mark)) (bs : seq bound).

(* The bounds of an argument, of its axes, as bounds of labels. *)
Fixpoint bounds_at (ps : seq place) bs : option (seq bound) :=
  if bs is (k, z) :: bs' then
    if bounds_at ps bs' is Some found then
      match nth (Lab 0) ps k with
      | Lab l => if k < size ps then Some ((l, z) :: found) else None
      | Num 0 => if is_positive pos z then Some found else None
      | Plus (Times (Lab l) y) (Lab l') =>
          if as_size y is Some z' then
            if (k < size ps, factor_of z z') is (true, Some w) then Some ((l, w) :: (l', z') :: found) else None
          else None
      | Over (Lab l) y => if as_size y is Some z' then if k < size ps then Some ((l, product_size z z') :: found) else None else None
      | Modulo _ y => if as_size y is Some z' then if same_size z' z && is_positive pos z then Some found else None else None
      | _ => None
      end
    else None
  else Some [::].

(* Bounds of labels over which a line goes are so; others must be of its axes. *)
Definition bound_ok (out : seq nat) (summed : seq bound) (b : bound) : bool :=
  if b.1 \in [seq x.1 | x <- summed] then same_size (nth [::] [seq x.2 | x <- summed] (index b.1 [seq x.1 | x <- summed])) b.2
  else b.1 \in out.
Definition outer_bounds (out : seq nat) (summed : seq bound) bs : seq bound :=
  [seq (index b.1 out, b.2) | b <- bs & b.1 \notin [seq x.1 | x <- summed]].

(* The mark that one reading gives, its place over the axes of the line. *)
Definition mark_of_reading ctx (out : seq nat) (x : reading) : option mark :=
  let: (summed, (a, ps)) := x in
  let sl := [seq y.1 | y <- summed] in
  let: (n, (w, bs)) := nth (0, no_mark) ctx a in
  if [&& a < size ctx, size ps == n, uniq sl & all (fun l => l \notin out) sl] then
    if bounds_at ps bs is Some found then
      let: (q, bs') := if w is Some pl then let: (q, bs') := simplify (read_at ps pl) in (Some q, bs') else (None, [::]) in
      let every := found ++ bs' in
      if all (bound_ok out summed) every && (if q is Some i then all (fun l => l \in out) (labels_of i) else true) then
        Some (omap (over_axes out) q, outer_bounds out summed every)
      else None
    else None
  else None.

Definition both (x y : mark) : option mark :=
  match x.1, y.1 with
  | Some i, Some j => if i == j then Some (Some i, undup (x.2 ++ y.2)) else None
  | Some i, None => Some (Some i, undup (x.2 ++ y.2))
  | None, w => Some (w, undup (x.2 ++ y.2))
  end.
Fixpoint mark_of_readings ctx out (xs : seq reading) : option mark :=
  if xs is x :: xs' then
    if (mark_of_reading ctx out x, mark_of_readings ctx out xs') is (Some one, Some others) then both one others else None
  else Some no_mark.

Definition mark_of ctx (r : nat) (o : op) : option mark :=
  if o is Input k then if k < size starts then Some (omap Lab (nth None starts k), [::]) else None
  else if size (labels_of_line r o) == r then mark_of_readings ctx (labels_of_line r o) (readings r o) else None.

(* Whether by its type no element changes an operation after so many lines, with so many axes. *)
Variable still : nat -> op -> nat -> bool.

Definition mark_by_type ctx r o : option mark :=
  if mark_of ctx r o is Some (w, bs) then
    Some (if w is Some _ then if still (size ctx) o r then None else w else None, bs)
  else None.

(* A sum over entries is one of products that, with the first of its labels left, no element changes. *)
Definition mark_of_sum ctx r rows summed out k : option mark :=
  let: sl := [seq x.1 | x <- take k summed] in
  if mark_by_type ctx (r + k) (Contract rows (drop k summed) (out ++ sl)) is Some (None, bs) then
    mark_of (rcons ctx (r + k, (None, bs))) r (Contract [:: (size ctx, map Lab (out ++ sl))] (take k summed) out)
  else None.
Fixpoint first_some (T : Type) (f : nat -> option T) (ks : seq nat) : option T :=
  if ks is k :: ks' then if f k is Some x then Some x else first_some f ks' else None.

Definition mark_of_line ctx r o : option mark :=
  if mark_by_type ctx r o is Some found then Some found
  else if o is Contract rows summed out then
    if (size out == r) && all (fun l => l \in out ++ [seq x.1 | x <- summed]) (labels rows) then
      first_some (mark_of_sum ctx r rows summed out) (iota 1 (size summed))
    else None
  else None.

Fixpoint marks_of ctx (ranks : seq nat) (p : program) : option (seq (nat * mark)) :=
  match p, ranks with
  | o :: p', r :: ranks' => if mark_of_line ctx r o is Some found then marks_of (rcons ctx (r, found)) ranks' p' else None
  | [::], [::] => Some ctx
  | _, _ => None
  end.

(* The last line has entry b of the result at entry b of this axis, within this shape; or no element changes it. *)
Definition follows (ranks : seq nat) (p : program) (stop : option nat) (shape : seq extent) : bool :=
  if marks_of [::] ranks p is Some ctx then
    let: (n, (w, bs)) := last (0, no_mark) ctx in
    [&& 0 < size ctx, n == size shape, (w == None) || (w == omap Lab stop)
      & all (fun b => (b.1 < size shape) && same_size (nth [::] shape b.1) b.2) bs]
  else false.
End Marks.

(** * What they mean *)

Section Places.
Variables (R : comRingType) (m : meaning R).
Local Notation count := (count_of m).
Implicit Types (e : env) (z : extent).

Lemma factor_ofE z z' w : factor_of z z' = Some w -> count z = (count z' * count w)%N.
Proof.
rewrite /factor_of; case: z z' => [|mono z] [|mono' z'] //; case: ifP => // e [<-].
by rewrite (count_same m e) count_times.
Qed.

Lemma as_sizeE e y z : as_size y = Some z -> at_ m e y = count z.
Proof.
case: y => // [k|z'] [<-] //=; rewrite countE.
by elim: k => [|k IH]; rewrite /= ?big_nil ?big_cons // -IH.
Qed.

Definition within e (bs : seq bound) := all (fun b => e b.1 < count b.2)%N bs.

Lemma quotientE e a z : let: (q, bs) := quotient a z in within e bs -> at_ m e q = (at_ m e a %/ count z)%N.
Proof.
have plain i z' : within e [::] -> at_ m e (Over i (Size (sort_size z'))) = (at_ m e i %/ count z')%N.
  by move=> _; rewrite /= count_sort.
move: a z; fix IH 1; case=> [l|k|z'|a b|a b|a b|a b|a b] z; try exact: plain.
  rewrite /=; case: a => [?|?|?|? ?|? ?|x y|? ?|? ?]; try exact: plain.
  case: b => [l|?|?|? ?|? ?|? ?|? ?|? ?]; try exact: plain.
  case yE: (as_size y) => [z'|]; last exact: plain.
  case: ifP => [same | _].
    rewrite /= andbT (as_sizeE e yE) (count_same m same) => lz.
    by rewrite divnMDl ?(leq_ltn_trans _ lz) // divn_small // addn0.
  case wE: (factor_of z z') => [w|]; last exact: plain.
  have := IH x w; case: (quotient x w) => q bs qE /= /andP [lz ok].
  by rewrite qE // (factor_ofE wE) (as_sizeE e yE) divnMA divnMDl ?(leq_ltn_trans _ lz) // (divn_small lz) addn0.
case: b => [?|?|z'|? ?|? ?|? ?|? ?|? ?]; try exact: plain.
by have := IH a (product_size z' z); rewrite /= count_times divnMA.
Qed.

Lemma remainderE e a z : let: (q, bs) := remainder a z in within e bs -> at_ m e q = (at_ m e a %% count z)%N.
Proof.
have plain i z' : within e [::] -> at_ m e (Modulo i (Size (sort_size z'))) = (at_ m e i %% count z')%N.
  by move=> _; rewrite /= count_sort.
case: a => [?|?|?|a b|? ?|? ?|? ?|? ?]; try exact: plain.
rewrite /=; case: a => [?|?|?|? ?|? ?|x y|? ?|? ?]; try exact: plain.
case: b => [l|?|?|? ?|? ?|? ?|? ?|? ?]; try exact: plain.
case yE: (as_size y) => [z'|]; last exact: plain.
case: ifP => [same | _].
  by rewrite /= andbT (as_sizeE e yE) (count_same m same) => lz; rewrite modnMDl modn_small.
case wE: (factor_of z' z) => [w|]; last exact: plain.
by move=> _; rewrite /= count_sort (as_sizeE e yE) (factor_ofE wE) [(count z * _)%N]mulnC mulnA modnMDl.
Qed.

Lemma within_cat e bs bs' : within e (bs ++ bs') = within e bs && within e bs'.
Proof. exact: all_cat. Qed.

Lemma simplifyE e i : let: (q, bs) := simplify i in within e bs -> at_ m e q = at_ m e i.
Proof.
elim: i => // a IH b _ /=; case bE: (as_size b) => [z|] //; move: IH; case: (simplify a) => a' bs aE.
  have := quotientE e a' z; case: (quotient a' z) => q bs' qE; rewrite within_cat => /andP [/aE <- /qE ->].
  by rewrite (as_sizeE e bE).
have := remainderE e a' z; case: (remainder a' z) => q bs' qE; rewrite within_cat => /andP [/aE <- /qE ->].
by rewrite (as_sizeE e bE).
Qed.

Definition env_of (ix : seq nat) : env := nth 0%N ix.

Lemma read_atE e ps i : at_ m e (read_at ps i) = at_ m (env_of [seq at_ m e j | j <- ps]) i.
Proof.
elim: i => //= [k | ? -> ? -> | ? -> ? -> | ? -> ? -> | ? -> ? -> | ? -> ? ->] //.
rewrite /env_of; case: (ltnP k (size ps)) => kp; first by rewrite (nth_map (Num 0)).
by rewrite !nth_default ?size_map.
Qed.

Lemma over_axesE out ix i : at_ m (env_of ix) (over_axes out i) = at_ m (bind out ix) i.
Proof. by elim: i => //= ? -> ? ->. Qed.

(* Indices of a line of which its mark says that they stand at entry b. *)
Definition at_entry (b : nat) (k : mark) (ix : seq nat) : bool :=
  within (env_of ix) k.2 && (if k.1 is Some i then at_ m (env_of ix) i == b else true).

Lemma at_entry_both b x y k ix : both x y = Some k -> at_entry b k ix -> at_entry b x ix /\ at_entry b y ix.
Proof.
have cut s s' : within (env_of ix) (undup (s ++ s')) = within (env_of ix) s && within (env_of ix) s'.
  by rewrite -within_cat /within; apply: eq_all_r => c; rewrite mem_undup.
case: x y => [[i|] bs] [[j|] bs']; rewrite /both /at_entry /= ?andbT; last 3 first.
- by case=> <-; rewrite /= cut => /andP [/andP [-> ->] ->].
- by case=> <-; rewrite /= cut => /andP [/andP [-> ->] ->].
- by case=> <-; rewrite /= cut => /andP [/andP [-> ->] _].
by case: eqP => // -> [<-]; rewrite /= cut => /andP [/andP [-> ->] ->].
Qed.

End Places.

(* Two values are alike at an index where they are defined alike, and equal; or equal only where they are defined. *)
Definition alike_at (R : comRingType) (weak : bool) (c' c : cell R) (ix : seq nat) : Prop :=
  c'.2 ix = c.2 ix /\ (weak ==> c.2 ix -> c'.1 ix = c.1 ix).

Section Alike.
Variables (R : comRingType) (m : meaning R) (weak : bool).
Local Notation alike := (@alike_at R weak).
Local Notation count := (count_of m).
Implicit Types (c : cell R) (e : env).

Lemma alike_refl c ix : alike c c ix. Proof. by []. Qed.

Lemma alike_sym c' c ix : alike c' c ix -> alike c c' ix.
Proof. by case=> d v; split=> //; rewrite d => /v. Qed.

Lemma alike_trans c1 c2 c3 ix : alike c1 c2 ix -> alike c2 c3 ix -> alike c1 c3 ix.
Proof. by case=> d v [d' v']; split=> [|w]; [rewrite d | rewrite v ?d' // v']. Qed.

(* The values of a list are alike where all of them are defined. *)
Lemma alike_all (T : eqType) (s : seq T) (f' f : T -> cell R) (at' : T -> seq nat) :
  (forall x, x \in s -> alike (f' x) (f x) (at' x)) ->
  all (fun x => (f' x).2 (at' x)) s = all (fun x => (f x).2 (at' x)) s /\
  (weak ==> all (fun x => (f x).2 (at' x)) s -> [seq (f' x).1 (at' x) | x <- s] = [seq (f x).1 (at' x) | x <- s]).
Proof.
move=> same; split=> [|d]; first by apply: eq_in_all => x /same [].
apply/eq_in_map => x xs; have [_ v] := same x xs; apply: v; case: (weak) d => //= /allP; exact.
Qed.

Variables (cells' cells : seq (cell R)).
Implicit Types (rows : seq (nat * seq place)).
Local Notation cell' a := (nth c0 cells' a).
Local Notation cell a := (nth c0 cells a).

Lemma over_alike rows (ls : seq bound) e :
  (forall row, row \in rows -> uniq [seq x.1 | x <- ls] /\ forall e', (forall l, l \notin [seq x.1 | x <- ls] -> e' l = e l) ->
     (forall x, x \in ls -> e' x.1 < count x.2)%N -> alike (cell' row.1) (cell row.1) [seq at_ m e' i | i <- row.2]) ->
  over m every ls (body_ok m cells' rows) e = over m every ls (body_ok m cells rows) e /\
  (weak ==> over m every ls (body_ok m cells rows) e ->
   over m (@total R) ls (body m cells' rows) e = over m (@total R) ls (body m cells rows) e).
Proof.
elim: ls e => [|x ls IH] e same /=.
  have [|d v] := @alike_all _ rows (fun r => cell' r.1) (fun r => cell r.1) (fun r => [seq at_ m e i | i <- r.2]).
    by move=> row inr; have [_] := same row inr; apply.
  split=> // /v same_list; transitivity (\prod_(x <- [seq (cell' r.1).1 [seq at_ m e i | i <- r.2] | r <- rows]) x)%R.
    by rewrite big_map.
  by rewrite same_list big_map.
have inner i : (i < count x.2)%N -> forall row, row \in rows ->
    uniq [seq y.1 | y <- ls] /\ forall e', (forall l, l \notin [seq y.1 | y <- ls] -> e' l = upd e x.1 i l) ->
      (forall y, y \in ls -> e' y.1 < count y.2)%N -> alike (cell' row.1) (cell row.1) [seq at_ m e' i | i <- row.2].
  move=> iz row inr; have [/andP [xl ul] al] := same row inr; split=> // e' off within_; apply: al => [l | y].
    by rewrite inE negb_or => /andP [lx ll]; rewrite off // upd_other.
  by rewrite inE => /orP [/eqP -> | /within_ //]; rewrite off // upd_same.
have in_range i : i \in iota 0 (count x.2) -> (i < count x.2)%N by rewrite mem_iota.
split=> [|w].
  by congr every; apply/eq_in_map => i /in_range iz; have [] := IH _ (inner i iz).
congr total; apply/eq_in_map => i iz; have [_ v] := IH _ (inner i (in_range i iz)); apply: v.
by case: (weak) w => //= /allP d; apply: d; apply: (map_f (fun i => over m every ls (body_ok m cells rows) (upd e x.1 i))).
Qed.

Lemma map_insert (A B : Type) (f : A -> B) p x s : map f (insert p x s) = insert p (f x) (map f s).
Proof. by rewrite /insert map_cat /= map_take map_drop. Qed.

Lemma map_put (A B : Type) (f : A -> B) p x s : map f (put p x s) = put p (f x) (map f s).
Proof. by rewrite /put map_insert /without map_cat map_take map_drop. Qed.

Lemma bind_own r ix l : size ix = r -> bind (iota 0 r) ix l = nth 0%N ix l.
Proof.
move=> sr; rewrite /bind; case: (ltnP l r) => lr; last by rewrite !nth_default ?sr // memNindex ?size_iota // mem_iota -leqNgt.
by rewrite -[X in index X _](nth_iota 0 0 lr) index_uniq ?iota_uniq ?size_iota.
Qed.

Lemma own_at e r ix : size ix = r -> (forall l, (l < r)%N -> e l = nth 0%N ix l) -> [seq at_ m e i | i <- own r] = ix.
Proof.
move=> sr same; rewrite /own -map_comp; apply: (@eq_from_nth _ 0%N); rewrite size_map size_iota ?sr // => k kr.
by rewrite (nth_map 0%N) ?size_iota //= nth_iota // same.
Qed.

Lemma grid_range s jx k : jx \in grid s -> (k < size s)%N -> (nth 0 jx k < nth 0 s k)%N.
Proof.
elim: s jx k => [|n s IH] jx k //= /flattenP [_ /mapP [i inI ->] /mapP [kx kxs ->]].
by case: k => [_ | k ks] /=; [move: inI; rewrite mem_iota | apply: IH].
Qed.

Lemma called_alike h (args : seq (nat * seq extent)) ix jx :
  (forall x, x \in args -> forall kx, kx \in grid (sizes_of m x.2) -> alike (cell' x.1) (cell x.1) (ix ++ kx)) ->
  alike (called m h cells' args ix) (called m h cells args ix) jx.
Proof.
move=> same; rewrite /called /call /alike_at /= !all_map.
have one x : x \in args -> all (inner cells' x.1 ix).2 (grid (sizes_of m x.2)) = all (inner cells x.1 ix).2 (grid (sizes_of m x.2)) /\
    (weak ==> all (inner cells x.1 ix).2 (grid (sizes_of m x.2)) ->
     array m (x.2, inner cells' x.1 ix) = array m (x.2, inner cells x.1 ix)).
  move=> xa; rewrite /array /=.
  have [d v] := @alike_all _ (grid (sizes_of m x.2)) (fun=> cell' x.1) (fun=> cell x.1) (cat ix) (same x xa).
  by split=> // /v same_list; congr pair.
have dE : all (fun x : nat * seq extent => all (inner cells' x.1 ix).2 (grid (sizes_of m x.2))) args =
    all (fun x : nat * seq extent => all (inner cells x.1 ix).2 (grid (sizes_of m x.2))) args.
  by apply: eq_in_all => x /one [].
rewrite -!map_comp; have arrays : weak ==> all (fun x : nat * seq extent => all (inner cells x.1 ix).2 (grid (sizes_of m x.2))) args ->
    [seq (array m \o (fun x : nat * seq extent => (x.2, inner cells' x.1 ix))) x | x <- args] =
    [seq (array m \o (fun x : nat * seq extent => (x.2, inner cells x.1 ix))) x | x <- args].
  move=> w; apply/eq_in_map => x xa; have [_ v] := one x xa; apply: v.
  by case: (weak) w => //= /allP; exact.
split=> [|w].
  rewrite dE; case d: (all _ _) => //=; rewrite ?arrays ?d ?implybT //.
by rewrite arrays //; case: (weak) w => //= /andP [].
Qed.

Lemma line_alike ins' ins r o ix : size ix = r -> size (labels_of_line r o) = r -> (if o is Input _ then false else true) ->
  (forall x, x \in readings r o -> uniq [seq y.1 | y <- x.1] /\ forall e,
     (forall l, l \notin [seq y.1 | y <- x.1] -> e l = bind (labels_of_line r o) ix l) ->
     (forall y, y \in x.1 -> e y.1 < count y.2)%N -> alike (cell' x.2.1) (cell x.2.1) [seq at_ m e i | i <- x.2.2]) ->
  alike (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ix.
Proof.
move=> sr; have plain a : ([::], (a, own r)) \in readings r o -> labels_of_line r o = iota 0 r ->
    (forall x, x \in readings r o -> uniq [seq y.1 | y <- x.1] /\ forall e,
     (forall l, l \notin [seq y.1 | y <- x.1] -> e l = bind (labels_of_line r o) ix l) ->
     (forall y, y \in x.1 -> e y.1 < count y.2)%N -> alike (cell' x.2.1) (cell x.2.1) [seq at_ m e i | i <- x.2.2]) ->
    alike (cell' a) (cell a) ix.
  move=> inr lE same; have [_ al] := same _ inr.
  by rewrite -[X in alike _ _ X](@own_at (bind (iota 0 r) ix) r) //; [apply: al; rewrite ?lE | move=> l _; apply: bind_own].
case: o plain => [// | k | k | z | rows summed out | args | h args | c ps a b | h a p z | h a p z | rows p | h n args | v0 a p z w] plain sl _ same //.
- have [|d v] := @over_alike rows summed (bind out ix).
    by move=> row inr; apply: (same (summed, row)); apply: map_f.
  by [].
- have [|d v] := @alike_all _ args (fun a => cell' a) (fun a => cell a) (fun=> ix).
    by move=> a inr; apply: plain => //; apply: (map_f (fun a => ([::], (a, own r)))).
  split=> // /v same_list; rewrite /= -(big_map (fun a => get cells' a ix) xpredT id).
  by rewrite -(big_map (fun a => get cells a ix) xpredT id) /get same_list.
- have [|d v] := @alike_all _ args (fun a => cell' a) (fun a => cell a) (fun=> ix).
    by move=> a inr; apply: plain => //; apply: (map_f (fun a => ([::], (a, own r)))).
  split=> [|w] /=; last by rewrite v //; case: (weak) w => //= /andP [].
  rewrite d; case dE: (all _ _) => //=; rewrite /get v // dE implybT //.
- have [_ alc] := same ([::], (c, map Lab ps)) (mem_head _ _).
  have cE : [seq at_ m (bind (iota 0 r) ix) i | i <- map Lab ps] = [seq nth 0%N ix p | p <- ps].
    by rewrite -map_comp; apply: eq_map => p /=; apply: bind_own.
  have [dc vc] : alike (cell' c) (cell c) [seq nth 0%N ix p | p <- ps] by rewrite -cE; apply: alc.
  have [da va] : alike (cell' a) (cell a) ix by apply: plain => //; rewrite /= !inE eqxx ?orbT.
  have [db vb] : alike (cell' b) (cell b) ix by apply: plain => //; rewrite /= !inE eqxx ?orbT.
  split=> [|w] /=.
    rewrite /ok dc; case cd: (_.2 _) => //=; rewrite /get vc ?cd ?implybT //; by case: ifP.
  rewrite /get vc; last by case: (weak) w => //= /andP [].
  by case: ifP => h; [apply: va | apply: vb]; case: (weak) w => //= /andP [_]; rewrite /get h.
- have [_ al] := same _ (mem_head _ _).
  have [|d v] := @alike_all _ (iota 0 (count z)) (fun=> cell' a) (fun=> cell a) (fun k => insert p k ix).
    move=> k; rewrite mem_iota /= => kz; rewrite -[X in insert p _ X](@own_at (upd (bind (iota 0 r) ix) r k) r) //.
      rewrite -[X in insert p X _](@upd_same (bind (iota 0 r) ix) r k) -[upd _ _ _ r]/(at_ m _ (Lab r)) -map_insert; apply: al => [l | y].
        by rewrite inE => lr; rewrite upd_other.
      by rewrite inE => /eqP -> /=; rewrite upd_same.
    by move=> l lr; rewrite upd_other ?ltn_eqF // bind_own.
  have dE : every (along m (ok cells' a) p ix z) = every (along m (ok cells a) p ix z) by rewrite /every !all_map.
  have allE : every (along m (ok cells a) p ix z) = all (fun k => (cell a).2 (insert p k ix)) (iota 0 (count z)) by rewrite /every all_map.
  split=> [|w] /=; rewrite /along /get; last by rewrite v //; case: (weak) w => //= /andP [] ; rewrite allE.
  rewrite -/(along m (ok cells' a) p ix z) -/(along m (ok cells a) p ix z) dE allE; case d': (all _ _) => //=.
  by rewrite v // d' implybT.
- have [_ al] := same _ (mem_head _ _).
  have [|d v] := @alike_all _ (iota 0 (count z)) (fun=> cell' a) (fun=> cell a) (fun k => insert p k (without p ix)).
    move=> k; rewrite mem_iota /= => kz; rewrite -[insert _ _ _]/(put p k ix) -[X in put p _ X](@own_at (upd (bind (iota 0 r) ix) r k) r) //.
      rewrite -[X in put p X _](@upd_same (bind (iota 0 r) ix) r k) -[upd _ _ _ r]/(at_ m _ (Lab r)) -map_put; apply: al => [l | y].
        by rewrite inE => lr; rewrite upd_other.
      by rewrite inE => /eqP -> /=; rewrite upd_same.
    by move=> l lr; rewrite upd_other ?ltn_eqF // bind_own.
  split=> [|w] /=; first by rewrite /every !all_map; congr (_ && _).
  by rewrite /along /get v //; case: (weak) w => //= /andP []; rewrite /every all_map.
- rewrite {1}/alike_at /=; case J: (joined m rows _) => [[a i]|] //.
  have [x inr [aE iz]] : exists2 x, x \in rows & x.1 = a /\ (i < count x.2)%N.
    elim: rows (nth 0%N ix p) J {plain same sl} => [|[a' z'] rows IH] k //=; case: ifP => [kz [<- <-] | _ /IH [x xr xE]].
      by exists (a', z'); rewrite ?mem_head.
    by exists x; rewrite // inE xr orbT.
  suff [d v] : alike (cell' a) (cell a) (put p i ix).
    by split=> [|w]; [congr (_ && _) | apply: v; move: w; case: (weak) => //= /andP []].
  have [_ al] := same _ (map_f (fun x => ([:: (r, x.2)], (x.1, put p (Lab r) (own r)))) inr).
  rewrite -aE -[X in put p _ X](@own_at (upd (bind (iota 0 r) ix) r i) r) //.
    rewrite -[X in put p X _](@upd_same (bind (iota 0 r) ix) r i) -[upd _ _ _ r]/(at_ m _ (Lab r)) -map_put; apply: al => [l | y].
      by rewrite inE => lr; rewrite upd_other.
    by rewrite inE => /eqP -> /=; rewrite upd_same.
  by move=> l lr; rewrite upd_other ?ltn_eqF // bind_own.
- apply: called_alike => x xa jx jg.
  have [_ al] := same _ (map_f (fun x => (zip (iota r (size x.2)) x.2, (x.1, take n (own r) ++ map Lab (iota r (size x.2))))) xa).
  have sj : size jx = size x.2 by rewrite (grid_size jg) size_map.
  pose e l := if (l < r)%N then nth 0%N ix l else nth 0%N jx (l - r).
  have <- : [seq at_ m e i | i <- take n (own r) ++ map Lab (iota r (size x.2))] = take n ix ++ jx.
    rewrite map_cat map_take (own_at sr) => [|l lr]; last by rewrite /e lr.
    congr cat; apply: (@eq_from_nth _ 0%N); rewrite !size_map size_iota // => k kx.
    by rewrite (nth_map (Lab 0)) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota //= /e ltnNge leq_addr addKn.
  have sl1 : [seq y.1 | y <- zip (iota r (size x.2)) x.2] = iota r (size x.2) by rewrite -[LHS]/(unzip1 _) unzip1_zip // size_iota.
  apply: al => [l | y].
    rewrite /= sl1 mem_iota negb_and -!leqNgt -ltnNge bind_own // /e; case: ltnP => //= lr.
    by move=> big; rewrite !nth_default ?sr // sj leq_subRL.
  case/(nthP (0%N, [::])) => k; rewrite size_zip size_iota minnn => kx <-; rewrite nth_zip ?size_iota //= nth_iota // /e [(r + k < r)%N]ltnNge leq_addr addKn /=.
  by have := grid_range jg; rewrite size_map => /(_ k kx); rewrite (nth_map [::]).
have [_ al] := same _ (mem_head _ _); rewrite /alike_at /=; case: (boolP (in_view m v0 p z w ix)) => //= inv.
suff <- : [seq at_ m (bind (iota 0 r) ix) i | i <- exchange p (size (view_sizes v0 z w))
    [seq read_at (map Lab (iota p (size (view_sizes v0 z w)))) i | i <- view_places v0 z w] (own r)] = viewed m v0 p z w ix by apply: al.
rewrite /exchange /viewed !map_cat map_take map_drop (@own_at (bind (iota 0 r) ix) r ix) //; last by move=> l _; apply: bind_own.
rewrite /exchange -map_comp; congr (_ ++ (_ ++ _)); apply: eq_map => i /=; rewrite read_atE; apply: at_ext => l _.
rewrite /env_of -map_comp; case: (ltnP l (size (view_sizes v0 z w))) => ln.
  by rewrite (nth_map 0%N) ?size_iota // nth_iota //= bind_own // nth_take // nth_drop.
by rewrite !nth_default ?size_map ?size_iota // size_take; case: ltnP => // short; apply: leq_trans ln.
Qed.
End Alike.

(** * Following the axis is sound *)

Section Followed.
Variables (R : comRingType) (m : meaning R) (weak : bool) (pos : seq nat) (starts : seq (option nat)).
Hypothesis positive : forall x, x \in pos -> (0 < var m x)%N.
Local Notation alike := (@alike_at R weak).
Local Notation count := (count_of m).
Implicit Types (ctx : seq (nat * mark)) (e : env).

Lemma bounds_atE e ps bs found : bounds_at pos ps bs = Some found -> within m e found -> within m (env_of [seq at_ m e i | i <- ps]) bs.
Proof.
elim: bs found => [|[k z] bs IH] found //=; case: (bounds_at pos ps bs) IH => // found' IH.
have at_k : (k < size ps)%N -> nth 0%N [seq at_ m e i | i <- ps] k = at_ m e (nth (Lab 0) ps k) by move=> kp; rewrite (nth_map (Lab 0)).
have [kp | pk] := ltnP k (size ps); last first.
  by rewrite (nth_default (Lab 0)) // ltnNge pk.
rewrite /env_of at_k //; case: (nth _ ps k) => // [l [<-] /= /andP [-> /(IH _ erefl) ->] // | [|?] // | i j | i y | i y].
- by case: ifP => // z0 [<-] /(IH _ erefl) ->; rewrite andbT /= (count_positive positive).
- case: i => // i y; case: i => // l; case: j => // l'; case yE: (as_size y) => [z'|] //.
  case wE: (factor_of z z') => [w|] // [<-] /= /and3P [lw lz /(IH _ erefl) ->]; rewrite andbT.
  rewrite (as_sizeE m _ yE) (factor_ofE m wE) mulnC; apply: (@leq_trans (count_of m z' * (e l).+1)).
    by rewrite mulnS addnC ltn_add2r.
  by rewrite leq_mul2l lw orbT.
- case: i => // l; case yE: (as_size y) => [z'|] // [<-] /= /andP [lz /(IH _ erefl) ->]; rewrite andbT.
  move: lz; rewrite (as_sizeE m _ yE) count_times; case: (posnP (count_of m z')) => [-> | z'0]; first by rewrite muln0.
  by rewrite ltn_divLR.
case yE: (as_size y) => [z'|] //; case: ifP => // /andP [same z0] [<-] /(IH _ erefl) ->.
by rewrite andbT /= (as_sizeE m e yE) (count_same m same) ltn_mod (count_positive positive).
Qed.

Lemma mark_of_reading_at ctx out x k e b ix : mark_of_reading pos ctx out x = Some k -> at_entry m b k ix ->
  (forall l, l \notin [seq y.1 | y <- x.1] -> e l = bind out ix l) -> (forall y, y \in x.1 -> e y.1 < count y.2)%N ->
  let at_x := [seq at_ m e i | i <- x.2.2] in let a := nth (0, no_mark) ctx x.2.1 in
  [/\ x.2.1 < size ctx, size at_x = a.1 & at_entry m b a.2 at_x]%N.
Proof.
case: x => summed [a ps] /=; case: (nth _ ctx a) => n [w bs]; case: ifP => // /and4P [ac /eqP sn ul out_l].
case boundsE: (bounds_at pos ps bs) => [found|] //.
set q := (if w is Some pl then _ else _); case qE: q => [q' bs'] /=; case: ifP => // /andP [ok sub] [<-].
case/andP => /= left_ place_ off inside.
have holds_ : within m e (found ++ bs').
  apply/allP => -[l z] inE; have /= := allP ok _ inE; rewrite /bound_ok /=; case: ifP => [ls same | ls _].
    rewrite -(count_same m same); set j := index l _; have js : (j < size summed)%N by rewrite -(size_map fst) index_mem.
    have := inside (nth (0%N, [::]) summed j); rewrite mem_nth // => /(_ isT).
    have -> : (nth (0%N, [::]) summed j).1 = l by rewrite -(nth_map _ 0%N fst) // nth_index.
    by rewrite (nth_map (0%N, [::])).
  have /= := allP left_ (index l out, z); rewrite off ?ls //; apply.
  by apply/mapP; exists (l, z); rewrite // mem_filter /= ls.
move: (holds_); rewrite within_cat => /andP [found_ bs'_]; split=> //; first by rewrite size_map.
rewrite /at_entry /= (bounds_atE boundsE found_) /=; move: place_ sub qE; rewrite /q.
case: w {q} => [pl|] //=; case simE: (simplify _) => [q bs2] /= place_ sub [qE bsE]; subst q' bs2.
have := simplifyE m e (read_at ps pl); rewrite simE => /(_ bs'_); rewrite read_atE => <-.
rewrite -(eqP place_) over_axesE; apply/eqP; apply: at_ext => l lq; apply: off; move: (allP sub l lq).
by apply: contraL => /(allP out_l).
Qed.

(* One line, in runs of which one has the elements, and the other g_b for all entries. *)
Section Line.
Variables (ctx : seq (nat * mark)) (cells' cells : seq (cell R)) (ins' ins : nat -> cell R) (b : nat).
Hypothesis given : forall k ix, (k < size starts)%N -> (if nth None starts k is Some p then nth 0%N ix p = b else True) ->
  alike (ins' k) (ins k) ix.
Hypothesis earlier : forall a ix, (a < size ctx)%N -> size ix = (nth (0%N, no_mark) ctx a).1 ->
  at_entry m b (nth (0%N, no_mark) ctx a).2 ix -> alike (nth c0 cells' a) (nth c0 cells a) ix.

Lemma mark_of_at r o k ix : mark_of pos starts ctx r o = Some k -> size ix = r -> at_entry m b k ix ->
  alike (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ix.
Proof.
have readings_at : size (labels_of_line r o) == r -> (if o is Input _ then false else true) ->
    mark_of_readings pos ctx (labels_of_line r o) (readings r o) = Some k -> size ix = r -> at_entry m b k ix ->
    alike (compute m ins' cells' o, defined m ins' cells' o) (compute m ins cells o, defined m ins cells o) ix.
  move/eqP=> sl no marks sr at_k; apply: (@line_alike R m weak cells' cells ins' ins r o ix sr sl no) => x.
  elim: (readings r o) k marks at_k => [|y xs IH] k //=; case yE: (mark_of_reading _ _ _ y) => [one|] //.
  case xsE: (mark_of_readings _ _ _ xs) => [others|] // bothE at_k; have [at_y at_xs] := at_entry_both bothE at_k.
  rewrite inE => /orP [/eqP -> | xin]; last exact: (IH _ xsE at_xs xin).
  split=> [|e off inside]; last by have [ac sx at_a] := mark_of_reading_at yE at_y off inside; apply: earlier.
  by move: yE; case: (y) => summed [a ps] /=; case: (nth _ ctx a) => n [w bs]; case: ifP => // /and4P [].
rewrite /mark_of; case: o readings_at => [j _|?|?|?|? ? ?|?|? ?|? ? ? ?|? ? ? ?|? ? ? ?|? ?|? ? ?|? ? ? ? ?];
  try by move=> readings_at; case: ifP => // sl; apply: readings_at.
case: ifP => // js [<-] sr; rewrite /at_entry /= => at_j; have := given (k := j) (ix := ix) js.
by case: (nth None starts j) at_j => [p /= /eqP pb | _]; apply.
Qed.
End Line.
End Followed.

Section Split.
Variables (R : comRingType) (m : meaning R).

Lemma over_cat (T : Type) (f : seq T -> T) ls ls' (F : env -> T) e : over m f (ls ++ ls') F e = over m f ls (over m f ls' F) e.
Proof. by elim: ls e => [|x ls IH] e //=; congr f; apply: eq_map => i; apply: IH. Qed.

Lemma contract_split ins cells rows summed out k ix : all (fun l => l \in out ++ [seq x.1 | x <- summed]) (labels rows) ->
  let sl := [seq x.1 | x <- take k summed] in
  let o := Contract rows (drop k summed) (out ++ sl) in
  let cells' := rcons cells (compute m ins cells o, defined m ins cells o) in
  let o' := Contract [:: (size cells, map Lab (out ++ sl))] (take k summed) out in
  compute m ins cells' o' ix = compute m ins cells (Contract rows summed out) ix /\
  defined m ins cells' o' ix = defined m ins cells (Contract rows summed out) ix.
Proof.
move=> all_ sl o cells' o'.
have at_labels e : [seq at_ m e i | i <- map Lab (out ++ sl)] = [seq e l | l <- out ++ sl] by rewrite -map_comp.
have same (T : eqType) (f : seq T -> T) (F : env -> T) e : ext (mem (labels rows)) F ->
    over m f (drop k summed) F (bind (out ++ sl) [seq e l | l <- out ++ sl]) = over m f (drop k summed) F e.
  move=> extF; apply: (@over_agree R m T f (mem (labels rows)) _ _ _ _ extF) => l lr ld; apply: bind_map; have := allP all_ l lr.
  by rewrite -{1}(cat_take_drop k summed) map_cat catA mem_cat (negbTE ld) orbF.
split; rewrite /= -{2}(cat_take_drop k summed) over_cat; apply: over_same => e.
  by rewrite /body big_seq1 /get nth_rcons ltnn eqxx at_labels; apply: same; apply: body_ext.
by rewrite /body_ok /= andbT /ok nth_rcons ltnn eqxx at_labels; apply: same; apply: body_ok_ext.
Qed.
End Split.

Section Programs.
Variables (R : comRingType) (m : meaning R) (weak : bool) (pos : seq nat) (starts : seq (option nat)) (still : nat -> op -> nat -> bool).
Hypothesis positive : forall x, x \in pos -> (0 < var m x)%N.
Local Notation alike := (@alike_at R weak).

(* What an operation gives after so many lines of a program. *)
Definition line_after (p : program) (ins : nat -> cell R) i o : cell R :=
  let cells := run m ins (take i p) [::] in (compute m ins cells o, defined m ins cells o).

Variables (ins' : nat -> cell R) (ins : nat -> nat -> cell R).
Hypothesis given : forall k b ix, (k < size starts)%N -> (if nth None starts k is Some p then nth 0%N ix p = b else True) ->
  alike (ins' k) (ins b k) ix.

Section Line.
Variables (ctx : seq (nat * mark)) (cells' : seq (cell R)) (cells : nat -> seq (cell R)).
Local Notation line b o := (compute m (ins b) (cells b) o, defined m (ins b) (cells b) o).
Hypothesis size' : size cells' = size ctx.
Hypothesis sizes : forall b, size (cells b) = size ctx.
Hypothesis earlier : forall a b ix, (a < size ctx)%N -> size ix = (nth (0%N, no_mark) ctx a).1 ->
  at_entry m b (nth (0%N, no_mark) ctx a).2 ix -> alike (nth c0 cells' a) (nth c0 (cells b) a) ix.
Hypothesis unchanged : forall o r b b' ix, still (size ctx) o r -> size ix = r -> alike (line b o) (line b' o) ix.

Lemma mark_by_type_at r o k b ix : mark_by_type pos starts still ctx r o = Some k -> size ix = r -> at_entry m b k ix ->
  alike (compute m ins' cells' o, defined m ins' cells' o) (line b o) ix.
Proof.
rewrite /mark_by_type; case markE: (mark_of _ _ _ _ _) => [[w bs]|] // [<-] sr at_k.
have one b' : at_entry m b' (w, bs) ix -> alike (compute m ins' cells' o, defined m ins' cells' o) (line b' o) ix.
  apply: (@mark_of_at R m weak pos starts positive ctx cells' (cells b') ins' (ins b') b' _ _ r o (w, bs) ix markE sr).
    by move=> j jx; apply: given.
  by move=> a jx; apply: earlier.
case: w markE at_k one => [i|] _ at_k one; last exact: one.
case: ifP at_k => [st | _]; last exact: one.
rewrite /at_entry /= andbT => bs_ok; apply: alike_trans (unchanged (at_ m (env_of ix) i) b st sr).
by apply: one; rewrite /at_entry /= bs_ok eqxx.
Qed.

Lemma mark_of_sum_at r rows summed out k found b ix : all (fun l => l \in out ++ [seq x.1 | x <- summed]) (labels rows) ->
  mark_of_sum pos starts still ctx r rows summed out k = Some found -> size ix = r -> at_entry m b found ix ->
  let o := Contract rows summed out in alike (compute m ins' cells' o, defined m ins' cells' o) (line b o) ix.
Proof.
move=> all_; rewrite /mark_of_sum; case firstE: (mark_by_type _ _ _ _ _ _) => [[[i|] bs]|] // marks sr at_k /=.
have [v' d'] := @contract_split R m ins' cells' rows summed out k ix all_.
have [v d] := @contract_split R m (ins b) (cells b) rows summed out k ix all_.
set o1 := Contract rows (drop k summed) _ in v' d' v d; set o2 := Contract [:: _] _ _ in marks v' d' v d.
pose line' := (compute m ins' cells' o1, defined m ins' cells' o1); pose line_b := (compute m (ins b) (cells b) o1, defined m (ins b) (cells b) o1).
have : alike (compute m ins' (rcons cells' line') o2, defined m ins' (rcons cells' line') o2)
    (compute m (ins b) (rcons (cells b) line_b) o2, defined m (ins b) (rcons (cells b) line_b) o2) ix.
  apply: (@mark_of_at R m weak pos starts positive _ _ _ _ _ b _ _ r o2 found ix marks sr at_k).
    by move=> j jx; apply: given.
  move=> a jx; rewrite size_rcons ltnS leq_eqVlt !nth_rcons size' sizes => /orP [/eqP -> | ac].
    by rewrite ltnn eqxx => sj at_j; apply: (mark_by_type_at firstE).
  by rewrite ac; apply: earlier.
by rewrite /alike_at /= size' sizes in v' d' v d *; rewrite v' d' v d.
Qed.

Lemma mark_of_line_at r o found b ix : mark_of_line pos starts still ctx r o = Some found -> size ix = r -> at_entry m b found ix ->
  alike (compute m ins' cells' o, defined m ins' cells' o) (line b o) ix.
Proof.
rewrite /mark_of_line; case typeE: (mark_by_type _ _ _ _ _ _) => [k|]; first by case=> <-; apply: mark_by_type_at.
case: o {typeE} => // rows summed out; case: ifP => // /andP [/eqP so all_].
by elim: (iota _ _) => //= k ks IH; case sumE: (mark_of_sum _ _ _ _ _ _ _ _ _) => [x|] //; case=> <-; apply: (mark_of_sum_at all_ sumE).
Qed.
End Line.

Variable prog : program.
Hypothesis unchanged : forall i o r b b' ix, (i <= size prog)%N -> still i o r -> size ix = r ->
  alike (line_after prog (ins b) i o) (line_after prog (ins b') i o) ix.

Definition alike_lines ctx (cells' : seq (cell R)) (cells : nat -> seq (cell R)) := forall a b ix, (a < size ctx)%N ->
  size ix = (nth (0%N, no_mark) ctx a).1 -> at_entry m b (nth (0%N, no_mark) ctx a).2 ix ->
  alike (nth c0 cells' a) (nth c0 (cells b) a) ix.

Lemma run_rcons (i : nat -> cell R) p cells o : run m i (rcons p o) cells =
  rcons (run m i p cells) (compute m i (run m i p cells) o, defined m i (run m i p cells) o).
Proof. by elim: p cells => //= ? p IH cells; rewrite IH. Qed.

Lemma size_run (i : nat -> cell R) p cells : size (run m i p cells) = (size cells + size p)%N.
Proof. by elim: p cells => [|o p IH] cells /=; rewrite ?addn0 // IH size_rcons addnS. Qed.

Lemma marks_of_at rest ctx ranks found : drop (size ctx) prog = rest -> (size ctx <= size prog)%N ->
  let upto (i : nat -> cell R) := run m i (take (size ctx) prog) [::] in
  alike_lines ctx (upto ins') (fun b => upto (ins b)) -> marks_of pos starts still ctx ranks rest = Some found ->
  size found = size prog /\ alike_lines found (run m ins' prog [::]) (fun b => run m (ins b) prog [::]).
Proof.
elim: rest ctx ranks => [|o rest IH] ctx [|r ranks] //= dropE within_.
  have sE : size prog = size ctx by apply/eqP; rewrite eqn_leq within_ andbT leqNgt -subn_gt0 -size_drop dropE.
  by rewrite -sE take_size => earlier [<-].
have ip : (size ctx < size prog)%N by rewrite -subn_gt0 -size_drop dropE.
have takeE : take (size ctx).+1 prog = rcons (take (size ctx) prog) o.
  by rewrite (take_nth (Scalar 0)) //; congr rcons; rewrite -[RHS]/(nth (Scalar 0) (o :: rest) 0) -dropE nth_drop addn0.
have sizes i : size (run m i (take (size ctx) prog) [::]) = size ctx by rewrite size_run size_take ip.
move=> earlier; case lineE: (mark_of_line _ _ _ _ _ _) => [k|] //; apply: IH; rewrite ?size_rcons //.
  by rewrite -add1n -drop_drop drop1 dropE.
move=> a b ix; rewrite size_rcons ltnS leq_eqVlt takeE !run_rcons !nth_rcons !sizes => /orP [/eqP -> | ac].
  rewrite ltnn eqxx => sr at_k; apply: (@mark_of_line_at ctx _ (fun b => run m (ins b) _ [::]) _ _ _ _ r o k b ix lineE sr at_k) => // o1 r1 b1 b2 jx st sj.
  exact: unchanged (ltnW ip) st sj.
by rewrite ac; apply: earlier.
Qed.

Theorem follows_sound ranks stop shape b ix : follows pos starts still ranks prog stop shape -> size ix = size shape ->
  (forall k, k < size shape -> nth 0%N ix k < count_of m (nth [::] shape k))%N -> (if stop is Some p then nth 0%N ix p = b else True) ->
  alike (eval m prog ins') (eval m prog (ins b)) ix.
Proof.
rewrite /follows; case marksE: (marks_of _ _ _ _ _ _) => [ctx|] //.
have [|s earlier] := @marks_of_at prog [::] ranks ctx (drop0 _) (leq0n _) _ marksE; first by [].
case lastE: (last _ _) => [n [w bs]] /and4P [some /eqP nE place_ bounds_] si inside stop_.
have sc : (size ctx).-1 = (size prog).-1 by rewrite s.
rewrite /eval -!nth_last !size_run !add0n -s; apply: earlier; rewrite ?prednK // nth_last lastE ?nE //=.
rewrite /at_entry /=; apply/andP; split.
  apply/allP => -[k z] kin /=; have /= /andP [ks same] := allP bounds_ _ kin.
  by rewrite -(count_same m same) inside.
by case/orP: place_ => /eqP -> //; case: stop stop_ => //= p pb; rewrite /env_of pb eqxx.
Qed.
End Programs.

(** * The checkers *)

Definition changes_nothing fam g facts intys (tys : seq rtype) (i : nat) (o : op) (r : nat) : bool :=
  rule fam g facts intys (take i tys) o (nseq r [::], 0%R).
Definition check_each pos fam g facts intys p tys out starts stop shape : bool :=
  [&& check fam g facts intys p tys out, size starts == size intys
    & follows pos starts (changes_nothing fam g facts intys tys) [seq size ty.1 | ty <- tys] p stop shape].

Definition moves_nothing pos laws intys (ctx : seq motion) (i : nat) (o : op) (r : nat) : bool :=
  if motion_of pos laws intys (take i ctx) o is Some t then stays t else false.
Definition check_shifts_each pos laws intys p out starts ranks stop shape : bool :=
  [&& check_shifts pos laws intys p out, size starts == size intys
    & if motions pos laws intys [::] p is Some ctx then follows pos starts (moves_nothing pos laws intys ctx) ranks p stop shape else false].

(* Each operation put after some lines of a program that is accepted is the end of one that is. *)
Lemma check_from_take (T : eqType) (by_rule : seq T -> op -> T -> bool) ctx p tys : check_from by_rule ctx p tys ->
  size p = size tys /\ forall i, check_from by_rule ctx (take i p) (take i tys).
Proof.
elim: p ctx tys => [|o p IH] ctx [|ty tys] //= /andP [one rest]; have [-> prefix] := IH _ _ rest.
by split=> // -[|i] //=; rewrite one prefix.
Qed.

Lemma check_from_rcons (T : eqType) (by_rule : seq T -> op -> T -> bool) ctx p tys o ty :
  check_from by_rule ctx p tys -> by_rule (ctx ++ tys) o ty -> check_from by_rule ctx (rcons p o) (rcons tys ty).
Proof.
elim: p ctx tys => [|x p IH] ctx [|t tys] //=; first by rewrite cats0 andbT.
by case/andP => -> rest last_; apply: IH => //; rewrite cat_rcons.
Qed.

Lemma check_after fam g facts intys p tys out i o ty : check fam g facts intys p tys out ->
  rule fam g facts intys (take i tys) o ty -> check fam g facts intys (rcons (take i p) o) (rcons (take i tys) ty) ty.
Proof.
case/andP => /andP [lines _] _ last_; have [_ prefix] := check_from_take lines.
by rewrite /check /check_lines last_rcons eqxx size_rcons andbT /= (check_from_rcons (prefix i)).
Qed.

Lemma motions_take pos laws intys ctx p found : motions pos laws intys ctx p = Some found ->
  [/\ size found = (size ctx + size p)%N, take (size ctx) found = ctx
    & forall i, motions pos laws intys ctx (take i p) = Some (take (size ctx + i) found)].
Proof.
elim: p ctx => [|o p IH] ctx /=.
  by case=> <-; rewrite addn0 take_size; split=> // i; rewrite take_oversize // leq_addr.
case lineE: (motion_of _ _ _ _ _) => [t|] // /IH; rewrite size_rcons addSnnS => -[s found_ prefix].
have first_ : take (size ctx) found = ctx by rewrite -(take_take (leqnSn _) found) found_ -cats1 take_size_cat.
by split=> // -[|i] /=; rewrite ?addn0 ?first_ // lineE prefix addSnnS.
Qed.

Lemma motions_rcons pos laws intys ctx p found o t : motions pos laws intys ctx p = Some found ->
  motion_of pos laws intys found o = Some t -> motions pos laws intys ctx (rcons p o) = Some (rcons found t).
Proof.
elim: p ctx => [|x p IH] ctx /=; first by case=> -> ->.
by case: (motion_of _ _ _ _ _) => // t' /IH; apply.
Qed.

Lemma shifts_after pos laws intys p ctx i o t : motions pos laws intys [::] p = Some ctx ->
  motion_of pos laws intys (take i ctx) o = Some t -> stays t -> check_shifts pos laws intys (rcons (take i p) o) Still.
Proof.
case/motions_take => _ _ /(_ i); rewrite add0n => prefix last_ st.
by rewrite /check_shifts (motions_rcons prefix last_) size_rcons last_rcons /=; case: t st {last_}.
Qed.

Lemma eval_rcons (R : comRingType) (m : meaning R) p o ins : eval m (rcons p o) ins =
  (compute m ins (run m ins p [::]) o, defined m ins (run m ins p [::]) o).
Proof. by rewrite /eval run_rcons last_rcons. Qed.
