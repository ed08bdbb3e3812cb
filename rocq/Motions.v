(* The checker for translations. Types are inferred, line by line: the vector is added to a value, so many times, along
   one axis; or the value stays, and of some values that stay it is known what their entries sum to. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

Inductive motion :=
  | Still
  | Amount of int & seq extent & seq extent    (* it stays, and is everywhere this integer times these sizes over those *)
  | Share of nat & extent                      (* it stays, and along this axis, of this size, its entries sum to 1 *)
  | SumOf of nat & option nat & extent & nat  (* the sums of an earlier line along an axis, of this size, or of so many
                                                 terms that are equal; and the number of axes *)
  | OneOver of nat & option nat & extent & nat (* 1 over such sums *)
  | Moved of nat & int & seq extent & seq extent (* along this axis, an integer times sizes over sizes *)
  | Loaded of nat & nat & nat & extent & nat. (* along this axis, the sums of an earlier line along an axis, of this
                                                 size, and the number of axes of these sums *)

(* What was inferred is what is claimed; whatever stays does. *)
Definition stays t := match t with Moved _ _ _ _ | Loaded _ _ _ _ _ => false | _ => true end.
Definition is_motion (a b : motion) : bool :=
  match a, b with
  | _, Still => stays a
  | Share p z, Share p' z' => (p == p') && (z == z')
  | Moved p k zs ds, Moved p' k' zs' ds' => [&& p == p', k == k', perm_eq zs zs' & perm_eq ds ds']
  | _, _ => false
  end.

(* What is supposed of a function: it is 1/x, or, of entries along an axis, what is added to all of them is added to it. *)
Definition law := (nat * bool)%type.

(* A size is positive where these variables are: one of its products is of them alone. *)
Definition is_positive (pos : seq nat) (z : extent) := has (all (mem pos)) z.

Definition row := (nat * seq place)%type.
Definition unit_size : extent := [:: [::]].

(* A size as factors: where it is copies of one product of variables, these and the number of copies. *)
Definition as_factors k : seq extent := if k == 1 then [::] else [:: nseq k [::]].
Definition factors (z : extent) : seq extent :=
  if z is mono :: rest then
    if all (perm_eq mono) rest then [seq [:: [:: x]] | x <- mono] ++ as_factors (size z) else [:: z]
  else [:: z].

(* An integer times sizes over sizes; in lowest terms, as far as these are products of variables and of numbers. *)
Definition ratio := (int * seq extent * seq extent)%type.
Definition one_ratio : ratio := (1%R, [::], [::]).
Definition is_number (z : extent) := all (pred1 [::]) z.
Definition number_in (zs : seq extent) := foldr muln 1 [seq size z | z <- zs & is_number z].
Definition variables_in (zs : seq extent) := [seq z <- zs | ~~ is_number z].
Fixpoint without_common (zs ds : seq extent) : seq extent * seq extent :=
  if ds is z :: ds' then
    if z \in zs then without_common (rem z zs) ds' else let: (zs', rest) := without_common zs ds' in (zs', z :: rest)
  else (zs, [::]).
Definition lowest k (zs ds : seq extent) : ratio :=
  let: (zs', ds') := without_common (variables_in zs) (variables_in ds) in
  let n := `|k| * number_in zs in let d := number_in ds in
  ((sgz k * Posz (n %/ gcdn n d))%R, zs', as_factors (d %/ gcdn n d) ++ ds').

(* The sum of two, where they are the same sizes over the same sizes but for numbers. *)
Definition added (a b : ratio) : option ratio :=
  let: (k, zs, ds) := a in let: (k', zs', ds') := b in
  if k' == 0%R then Some a
  else if perm_eq zs zs' && perm_eq (variables_in ds) (variables_in ds') then
    Some (lowest (k * Posz (number_in ds') + k' * Posz (number_in ds))%R zs
      (as_factors (number_in ds * number_in ds') ++ variables_in ds))
  else None.

Definition free l (rows : seq row) := l \notin labels rows.
Fixpoint at_zero l (i : place) : place :=
  match i with
  | Lab l' => if l' == l then Num 0 else i
  | Num _ | Size _ => i
  | Plus a b => Plus (at_zero l a) (at_zero l b)
  | Minus a b => Minus (at_zero l a) (at_zero l b)
  | Times a b => Times (at_zero l a) (at_zero l b)
  | Over a b => Over (at_zero l a) (at_zero l b)
  | Modulo a b => Modulo (at_zero l a) (at_zero l b)
  end.

(* pos: the variables that are supposed to be positive; of the others, such as n - 1, nothing is known. *)
Section Motions.
Variables (pos : seq nat) (laws : seq law) (intys : seq motion).
Implicit Types (ctx : seq motion) (rows : seq row).

Definition motion_at ctx a := nth Still ctx a.
Definition steady ctx a := (a < size ctx) && stays (motion_at ctx a).

(* Sums of products over one label after another, as sizes times a product of some of the factors: where no factor has
   the label; at an axis of size 1; where one factor alone has it, and sums to 1; where it is e and 1 / sum(e) is there. *)
Definition shares ctx l z (r : row) : bool :=
  if motion_at ctx r.1 is Share a z' then
    [&& z' == z, a < size r.2, nth (Num 0) r.2 a == Lab l & free l [:: (r.1, without a r.2)]]
  else false.
Definition inverts ctx l z (e r : row) : bool :=
  if motion_at ctx r.1 is OneOver b (Some a) z' n then
    [&& z' == z, b == e.1, size r.2 == n, e.2 == insert a (Lab l) r.2 & free l [:: r]]
  else false.

Definition summed_out ctx l (z : extent) rows : option (seq extent * seq row) :=
  if ~~ is_positive pos z then None
  else if free l rows then Some (factors z, rows)
  else if z == unit_size then Some ([::], [seq (r.1, [seq at_zero l i | i <- r.2]) | r <- rows])
  else
    let i := find (fun r => ~~ free l [:: r]) rows in
    let e := nth (0, [::]) rows i in
    let rest := without i rows in
    let j := find (inverts ctx l z e) rest in
    if shares ctx l z e && free l rest then Some ([::], rest)
    else if (j < size rest) && free l (without j rest) then Some ([::], without j rest)
    else None.
Fixpoint reduced ctx (ls : seq (nat * extent)) rows : option (seq extent * seq row) :=
  if ls is x :: ls' then
    if reduced ctx ls' rows is Some (zs, rows') then
      if summed_out ctx x.1 x.2 rows' is Some (zs', rows'') then Some (zs' ++ zs, rows'') else None
    else None
  else Some ([::], rows).

(* A product of factors that are integers times sizes over sizes: the integer, these sizes and those. *)
Fixpoint collected ctx rows : option (int * seq extent * seq extent) :=
  if rows is r :: rows' then
    if (motion_at ctx r.1, collected ctx rows') is (Amount k zs ds, Some (k', zs', ds')) then
      Some ((k * k')%R, zs ++ zs', ds ++ ds')
    else None
  else Some (1%R, [::], [::]).

(* e and 1 / (n e) are left out together; the sizes n. *)
Definition cancels ctx rows (r : row) : bool :=
  if motion_at ctx r.1 is OneOver b None z n then (size r.2 == n) && ((b, r.2) \in rows) else false.
Fixpoint cancelled ctx fuel rows : seq row * seq extent :=
  if fuel is fuel'.+1 then
    let i := find (cancels ctx rows) rows in
    let r := nth (0, [::]) rows i in
    let rest := without i rows in
    if motion_at ctx r.1 is OneOver b _ z _ then
      if (i < size rows) && ((b, r.2) \in rest) then
        let: (rows', ds) := cancelled ctx fuel' (rem (b, r.2) rest) in (rows', factors z ++ ds)
      else (rows, [::])
    else (rows, [::])
  else (rows, [::]).

(* An integer times sizes over sizes, times a sum of products over labels. *)
Definition number_of ctx rows ls k zs ds : option ratio :=
  if reduced ctx ls rows is Some (zs', rows') then
    let: (kept, ds') := cancelled ctx (size rows') rows' in
    if collected ctx kept is Some (k', zs'', ds'') then Some (lowest (k * k')%R (zs'' ++ zs' ++ zs) (ds'' ++ ds' ++ ds)) else None
  else None.

(* Sizes of axes along which something is known. *)
Definition sizes_known ctx rows : seq extent :=
  pmap (fun r : row => match motion_at ctx r.1 with Share _ z | OneOver _ _ z _ => Some z | _ => None end) rows.

(* The sums of a value along one of its axes. *)
Definition sum_of rows (summed : seq (nat * extent)) (out : seq nat) : motion :=
  if (rows, summed) is ([:: (a, ps)], [:: (l, z)]) then
    let p := find (is_label l) ps in
    if ~~ uniq (l :: out) then Still
    else if ps == map Lab out then SumOf a None z (size out)
    else if (ps == insert p (Lab l) (map Lab out)) && (p <= size out) then SumOf a (Some p) z (size out)
    else Still
  else Still.

Definition still_product ctx rows (summed : seq (nat * extent)) (out : seq nat) : motion :=
  if number_of ctx rows summed 1%R [::] [::] is Some (k, zs, ds) then Amount k zs ds
  else
    let fits c := [&& uniq out, nth 0 out c.1 \notin [seq x.1 | x <- summed]
                    & number_of ctx rows ((nth 0 out c.1, c.2) :: summed) 1%R [::] [::] == Some one_ratio] in
    let found := [seq c <- [seq (p, z) | p <- iota 0 (size out), z <- sizes_known ctx rows] | fits c] in
    if found is c :: _ then Share c.1 c.2 else sum_of rows summed out.

(* 1 over the sums by which these points are moved. *)
Definition divides ctx q (r : row) t (r' : row) : bool :=
  if (t, motion_at ctx r'.1) is (SumOf a (Some b) z n, OneOver a' (Some b') z' n') then
    [&& a' == a, b' == b, z' == z, n' == n, size r.2 == n.+1 & r'.2 == without q r.2]
  else false.

(* Points in a product of which the rest stays, with their own axis in the result. *)
Definition own_label (r : row) (out : seq nat) q := find (fun l => is_label l (nth (Num 0) r.2 q)) out.
Definition alone ctx (r : row) (rest : seq row) (summed : seq (nat * extent)) out q : bool :=
  [&& r.1 < size ctx, all (fun r => steady ctx r.1) rest, q < size r.2, own_label r out q < size out, uniq out
    & nth 0 out (own_label r out q) \notin [seq x.1 | x <- summed]].

Definition moved_product ctx rows (summed : seq (nat * extent)) (out : seq nat) : option motion :=
  let i := find (fun r => ~~ steady ctx r.1) rows in
  let r := nth (0, [::]) rows i in
  let rest := without i rows in
  match motion_at ctx r.1 with
  | Moved q k zs ds =>
      if ~~ alone ctx r rest summed out q then None
      else if number_of ctx rest summed k zs ds is Some (k', zs', ds') then Some (Moved (own_label r out q) k' zs' ds')
      else if (k, zs, ds) == one_ratio then
        if sum_of rest summed (without (own_label r out q) out) is SumOf a (Some b) z n then Some (Loaded (own_label r out q) a b z n)
        else None
      else None
  | Loaded q a b z n =>
      let j := find (divides ctx q r (SumOf a (Some b) z n)) rest in
      if alone ctx r rest summed out q && (j < size rest) then
        if number_of ctx (without j rest) summed 1%R [::] [::] is Some (k, zs, ds) then Some (Moved (own_label r out q) k zs ds)
        else None
      else None
  | _ => None
  end.

Fixpoint sum_moved ctx p (args : seq nat) : option ratio :=
  if args is a :: args' then
    if (a < size ctx, sum_moved ctx p args') is (true, Some q) then
      match motion_at ctx a with
      | Moved p' k zs ds => if p' == p then added (k, zs, ds) q else None
      | Loaded _ _ _ _ _ => None
      | _ => Some q
      end
    else None
  else Some (0%R, [::], [::]).

Definition args_of o : seq nat :=
  match o with
  | Input _ | Scalar _ | Leaf _ | Delta _ => [::]
  | Contract rows _ _ => [seq r.1 | r <- rows]
  | Add args | Map _ args => args
  | Choose c _ a b => [:: c; a; b]
  | Fold _ a _ _ | Sort _ a _ _ => [:: a]
  | Join rows _ => [seq r.1 | r <- rows]
  | Whole _ _ args => [seq x.1 | x <- args]
  | View _ a _ _ _ => [:: a]
  end.

(* The axis of a view that an axis of the argument is, where it is none of those that are seen as others. *)
Definition axis_of_view v p z w q : option nat :=
  let: (k, n) := (size (view_places v z w), size (view_sizes v z w)) in
  if q < p then Some q else if q < p + k then None else Some (q - k + n).

Definition motion_of ctx o : option motion :=
  match o with
  | Input k => if k < size intys then Some (nth Still intys k) else None
  | _ =>
    if all (steady ctx) (args_of o) then
      Some match o with
        | Scalar k => Amount k [::] [::]
        | Contract rows summed out => still_product ctx rows summed out
        | Map h [:: a] =>
            if (h, true) \in laws then
              match motion_at ctx a with
              | SumOf b p z n => OneOver b p z n
              | Amount k zs ds => let: (k', zs', ds') := lowest (sgz k) ds (as_factors `|k| ++ zs) in Amount k' zs' ds'
              | _ => Still
              end
            else Still
        | Join rows p =>
            if motion_at ctx (head 0 [seq r.1 | r <- rows]) is Share q z then
              if (q != p) && all (fun a => is_motion (motion_at ctx a) (Share q z)) [seq r.1 | r <- rows] then Share q z else Still
            else Still
        | View v a p z w =>
            if motion_at ctx a is Share q z' then if axis_of_view v p z w q is Some q' then Share q' z' else Still else Still
        | _ => Still
        end
    else match o with
      | Contract rows summed out => moved_product ctx rows summed out
      | Add args =>
          if motion_at ctx (nth 0 args (find (fun a => ~~ steady ctx a) args)) is Moved p _ _ _ then
            if sum_moved ctx p args is Some (k, zs, ds) then Some (if k == 0%R then Still else Moved p k zs ds) else None
          else None
      | Choose c _ a b =>
          if [&& steady ctx c, a < size ctx, b < size ctx & is_motion (motion_at ctx b) (motion_at ctx a)]
          then if motion_at ctx a is Moved p k zs ds then Some (Moved p k zs ds) else None
          else None
      | Fold h a p z =>
          if ((h, false) \in laws) && (p == 0) then
            if motion_at ctx a is Moved q.+1 k zs ds then Some (Moved q k zs ds) else None
          else None
      | Sort h a p z =>
          if ((h, false) \in laws) && (p == 0) then
            if motion_at ctx a is Moved q.+1 k zs ds then Some (Moved q.+1 k zs ds) else None
          else None
      | Join rows p =>
          let args := [seq r.1 | r <- rows] in
          if motion_at ctx (head 0 args) is Moved q k zs ds then
            if (q != p) && all (fun a => (a < size ctx) && is_motion (motion_at ctx a) (Moved q k zs ds)) args
            then Some (Moved q k zs ds) else None
          else None
      | View v a p z w =>
          if (a < size ctx, motion_at ctx a) is (true, Moved q k zs ds) then
            if axis_of_view v p z w q is Some q' then Some (Moved q' k zs ds) else None
          else None
      | _ => None
      end
  end.

Fixpoint motions ctx (p : program) : option (seq motion) :=
  if p is o :: p' then if motion_of ctx o is Some t then motions (rcons ctx t) p' else None else Some ctx.

Definition check_shifts (p : program) (out : motion) : bool :=
  if motions [::] p is Some ctx then (0 < size ctx) && is_motion (last Still ctx) out else false.
End Motions.
