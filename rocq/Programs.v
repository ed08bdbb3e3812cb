(* Programs as data, and what they compute: values, and where they are defined.

   A value is a function of a list of indices, one for each axis; an axis that the signature writes as several labels,
   row-major, is several axes here.  Where a value is defined is a second, boolean function of the same indices, so
   that the values themselves are total and the laws of rings hold for them.  Sizes are variables and sums of products
   of variables.  A program is a list of operations, each of which names earlier ones by their place in the list. *)

From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

(** * Data *)

(* A sum of products of variables: n + k is [:: [:: n]; [:: k]], 2 is [:: [::]; [::]]. *)
Definition extent := seq (seq nat).

(* Where an entry is read: at a label, or at a number that is computed from labels on which nothing acts. *)
Inductive place :=
  | Lab of nat
  | Num of nat
  | Size of extent
  | Plus of place & place
  | Minus of place & place
  | Times of place & place
  | Over of place & place
  | Modulo of place & place.

(* How axes of an array are seen as others: a part of one; one as two, row-major; two as one. *)
Inductive view := Cut | Split | Merge.

Inductive op :=
  | Input of nat
  | Scalar of int                                          (* an integer *)
  | Leaf of nat                                            (* weights, constants, sizes, counters: any array *)
  | Delta of extent                                        (* the identity matrix *)
  | Contract of seq (nat * seq place) & seq (nat * extent) & seq nat
                            (* (argument, where it is read)s; (summed label, its size)s; the labels of the result *)
  | Add of seq nat
  | Map of nat & seq nat                                   (* function, arguments *)
  | Choose of nat & seq nat & nat & nat                    (* condition, the axes at which it is read; then; else *)
  | Fold of nat & nat & nat & extent                       (* function, argument, axis, its size *)
  | Sort of nat & nat & nat & extent                       (* order, argument, axis, its size *)
  | Join of seq (nat * extent) & nat                       (* (argument, size of its axis)s, axis *)
  | Whole of nat & nat & seq (nat * seq extent)
          (* function of whole arrays, axes before those that it sees, (argument, the sizes of the axes that it sees)s *)
  | View of view & nat & nat & extent & extent.
          (* argument, first axis, and two sizes: where a part begins and its size; or those of the two axes *)

Definition program := seq op.

Definition insert (T : Type) p (x : T) s := take p s ++ x :: drop p s.
Definition without (T : Type) p (s : seq T) := take p s ++ drop p.+1 s.
Definition put (T : Type) p (x : T) s := insert p x (without p s).
Arguments put : simpl never.
Definition exchange (T : Type) p n (new s : seq T) := take p s ++ new ++ drop (p + n) s.
Arguments exchange : simpl never.

(* The sizes of the axes of a view, and where the axes that these stand for are read: at labels 0 and 1. *)
Definition product_size (z w : extent) : extent := [seq x ++ y | x <- z, y <- w].
Definition view_sizes (v : view) z w : seq extent :=
  match v with Cut => [:: w] | Split => [:: z; w] | Merge => [:: product_size z w] end.
Definition view_places (v : view) z w : seq place :=
  match v with
  | Cut => [:: Plus (Size z) (Lab 0)]
  | Split => [:: Plus (Times (Lab 0) (Size w)) (Lab 1)]
  | Merge => [:: Over (Lab 0) (Size w); Modulo (Lab 0) (Size w)]
  end.

Fixpoint labels_of i : seq nat :=
  match i with
  | Lab l => [:: l]
  | Num _ | Size _ => [::]
  | Plus a b | Minus a b | Times a b | Over a b | Modulo a b => labels_of a ++ labels_of b
  end.

Definition reads (rows : seq (nat * seq place)) := flatten [seq r.2 | r <- rows].
Definition labels rows := flatten [seq labels_of i | i <- reads rows].

(** * What they compute *)

Definition env := nat -> nat.
Definition upd (e : env) l i : env := fun x => if x == l then i else e x.
Definition bind (out ix : seq nat) : env := fun l => nth 0 ix (index l out).

Local Open Scope ring_scope.

(* What the functions of a program are, and where they are defined. *)
Record meaning (R : Type) := Meaning {
  var : nat -> nat;                                    (* the sizes *)
  par : nat -> seq nat -> R;                           (* leaves ... *)
  par_ok : nat -> seq nat -> bool;                     (* ... and where they are defined *)
  fns : nat -> seq R -> R;                             (* functions of entries *)
  fns_ok : nat -> seq R -> bool;
  red : nat -> seq R -> R;                             (* functions of the entries along an axis *)
  red_ok : nat -> seq R -> bool;
  srt : nat -> seq R -> nat -> R;                      (* the same with an entry for each place *)
  whl : nat -> seq (seq nat * seq R) -> seq nat -> R;  (* functions of arrays: of their sizes and entries *)
  whl_ok : nat -> seq (seq nat * seq R) -> seq nat -> bool;
  holds : R -> bool                                    (* which conditions hold *)
}.

Section Semantics.
Variables (R : comRingType) (m : meaning R).
Definition value := seq nat -> R.
Definition domain := seq nat -> bool.
Definition cell : Type := value * domain.
Definition c0 : cell := (fun=> 0, fun=> true).
Implicit Types (e : env) (cells : seq cell) (ix : seq nat).

Definition count_of (z : extent) : nat := sumn [seq foldr muln 1%N [seq var m v | v <- mono] | mono <- z].

Fixpoint at_ e i : nat :=
  match i with
  | Lab l => e l
  | Num k => k
  | Size z => count_of z
  | Plus a b => at_ e a + at_ e b
  | Minus a b => at_ e a - at_ e b
  | Times a b => at_ e a * at_ e b
  | Over a b => at_ e a %/ at_ e b
  | Modulo a b => at_ e a %% at_ e b
  end%N.

(* An operation on lists, over labels: sums of entries, and "all of them are defined". *)
Section Over.
Variables (T : Type) (f : seq T -> T).
Fixpoint over (ls : seq (nat * extent)) (F : env -> T) e : T :=
  if ls is x :: ls' then f [seq over ls' F (upd e x.1 i) | i <- iota 0 (count_of x.2)] else F e.
End Over.

Definition total (s : seq R) : R := \sum_(x <- s) x.
Definition every (s : seq bool) : bool := all id s.

Definition get cells a : value := (nth c0 cells a).1.
Definition ok cells a : domain := (nth c0 cells a).2.

Definition body cells rows e := \prod_(r <- rows) get cells r.1 [seq at_ e i | i <- r.2].
Definition body_ok cells (rows : seq (nat * seq place)) e := all (fun r => ok cells r.1 [seq at_ e i | i <- r.2]) rows.

Definition along (T : Type) (v : seq nat -> T) p ix (z : extent) := [seq v (insert p k ix) | k <- iota 0 (count_of z)].


(* The argument that has entry i of joined axes, and the place there. *)
Fixpoint joined (rows : seq (nat * extent)) (i : nat) : option (nat * nat) :=
  if rows is (a, z) :: rows' then if (i < count_of z)%N then Some (a, i) else joined rows' (i - count_of z) else None.

(* The indices of an array, row-major; a function of whole arrays; the arrays in the last axes of an argument. *)
Fixpoint grid (s : seq nat) : seq (seq nat) :=
  if s is n :: s' then flatten [seq [seq i :: ix | ix <- grid s'] | i <- iota 0 n] else [:: [::]].

Definition sizes_of (zs : seq extent) := [seq count_of z | z <- zs].
Definition array (x : seq extent * cell) := (sizes_of x.1, [seq x.2.1 ix | ix <- grid (sizes_of x.1)]).

Definition call h (xs : seq (seq extent * cell)) : cell :=
  (whl m h [seq array x | x <- xs],
   fun ix => all (fun x => all x.2.2 (grid (sizes_of x.1))) xs && whl_ok m h [seq array x | x <- xs] ix).

(* Whether an entry of a view is inside of it, and which entry of the argument it is. *)
Definition in_view v p z w ix :=
  let zs := view_sizes v z w in all2 (fun z i => i < count_of z)%N zs (take (size zs) (drop p ix)).
Definition viewed v p z w ix : seq nat :=
  let n := size (view_sizes v z w) in
  exchange p n [seq at_ (nth 0%N (take n (drop p ix))) i | i <- view_places v z w] ix.

Definition inner cells a ix : cell := (fun jx => get cells a (ix ++ jx), fun jx => ok cells a (ix ++ jx)).
Definition called h cells (args : seq (nat * seq extent)) ix := call h [seq (x.2, inner cells x.1 ix) | x <- args].

Definition compute (ins : nat -> cell) cells (o : op) : value := fun ix =>
  match o with
  | Input k => (ins k).1 ix
  | Scalar k => k%:~R
  | Leaf k => par m k ix
  | Delta z => ((nth 0 ix 0 == nth 0 ix 1) && (nth 0 ix 0 < count_of z))%N%:R
  | Contract rows summed out => over total summed (body cells rows) (bind out ix)
  | Add args => \sum_(a <- args) get cells a ix
  | Map h args => fns m h [seq get cells a ix | a <- args]
  | Choose c ps a b => if holds m (get cells c [seq nth 0%N ix p | p <- ps]) then get cells a ix else get cells b ix
  | Fold h a p z => red m h (along (get cells a) p ix z)
  | Sort h a p z => srt m h (along (get cells a) p (without p ix) z) (nth 0%N ix p)
  | Join rows p =>
      if joined rows (nth 0%N ix p) is Some (a, i) then get cells a (put p i ix) else 0
  | Whole h r args => (called h cells args (take r ix)).1 (drop r ix)
  | View v a p z w => if in_view v p z w ix then get cells a (viewed v p z w ix) else 0
  end.

Definition defined (ins : nat -> cell) cells (o : op) : domain := fun ix =>
  match o with
  | Input k => (ins k).2 ix
  | Scalar k => true
  | Leaf k => par_ok m k ix
  | Delta z => true
  | Contract rows summed out => over every summed (body_ok cells rows) (bind out ix)
  | Add args => all (fun a => ok cells a ix) args
  | Map h args => all (fun a => ok cells a ix) args && fns_ok m h [seq get cells a ix | a <- args]
  | Choose c ps a b =>
      let ix' := [seq nth 0%N ix p | p <- ps] in
      ok cells c ix' && (if holds m (get cells c ix') then ok cells a ix else ok cells b ix)
  | Fold h a p z => every (along (ok cells a) p ix z) && red_ok m h (along (get cells a) p ix z)
  | Sort h a p z => every (along (ok cells a) p (without p ix) z) && (nth 0%N ix p < count_of z)%N
  | Join rows p => if joined rows (nth 0%N ix p) is Some (a, i) then (p < size ix)%N && ok cells a (put p i ix) else false
  | Whole h r args => (called h cells args (take r ix)).2 (drop r ix)
  | View v a p z w => in_view v p z w ix && ok cells a (viewed v p z w ix)
  end.

Fixpoint run ins (p : program) cells : seq cell :=
  if p is o :: p' then run ins p' (rcons cells (compute ins cells o, defined ins cells o)) else cells.

(* The last line. *)
Definition eval p ins : cell := last c0 (run ins p [::]).
End Semantics.
Arguments c0 {R}.
