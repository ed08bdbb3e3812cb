(* The checker: types, and one rule for each operation.  check fam g facts intys p tys = true says that the types tys
   of the lines of the program p follow by the rules, and Checked.v proves that then the program is equivariant.

   The type of a value says of each axis how the group acts along it, and which power of the character multiplies it.
   An axis is a list of parts, one after another: nothing acts on the part, or the group's matrix, or its dual, or a
   matrix of a representation of the group, by its number; or one of these times the determinant; or, along a part that is
   two axes in one, row-major, one of these along each of the two. The empty list is an axis on which nothing acts. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

Inductive kind := Fix | Std | Dual | Irr of nat | Det of kind | Prod of kind & extent & kind & extent.
Fixpoint kind_code k : GenTree.tree (nat + extent) :=
  match k with
  | Fix => GenTree.Node 0 [::] | Std => GenTree.Node 1 [::] | Dual => GenTree.Node 2 [::]
  | Irr l => GenTree.Leaf (inl l)
  | Det k' => GenTree.Node 3 [:: kind_code k']
  | Prod a z b w => GenTree.Node 4 [:: kind_code a; GenTree.Leaf (inr z); kind_code b; GenTree.Leaf (inr w)]
  end.
Fixpoint kind_decode (t : GenTree.tree (nat + extent)) : kind :=
  match t with
  | GenTree.Node 1 [::] => Std | GenTree.Node 2 [::] => Dual
  | GenTree.Leaf (inl l) => Irr l
  | GenTree.Node 3 [:: t'] => Det (kind_decode t')
  | GenTree.Node 4 [:: a; GenTree.Leaf (inr z); b; GenTree.Leaf (inr w)] => Prod (kind_decode a) z (kind_decode b) w
  | _ => Fix
  end.
Lemma kind_codeK : cancel kind_code kind_decode.
Proof. by elim=> //= [k -> | a -> z b -> w]. Qed.
Definition kind_eqMixin := CanEqMixin kind_codeK.
Canonical kind_eqType := EqType kind kind_eqMixin.

(* No entries of such parts are moved or mixed; on such parts acts the matrix of the element itself, or its dual. *)
Fixpoint still k := match k with Fix => true | Det k' => still k' | _ => false end.
Definition standard k := match k with Std | Dual => true | _ => false end.
Definition times_det k := if k is Det k' then k' else Det k.

(* Sizes that are equal up to order. *)
Definition sort_size (z : extent) : extent := [seq sort leq mono | mono <- z].
Definition same_size (z w : extent) := (z == w) || perm_eq (sort_size z) (sort_size w).

Definition axis := seq (kind * extent).
Definition rtype : Type := seq axis * int.
Definition ty0 : rtype := ([::], 0%R).

(* Permutations, without those that are odd (or: values that odd ones negate have no character), cyclic shifts; signs;
   orthogonal matrices, without reflections; invertible matrices, those of determinant 1; scalings by units. *)
Inductive family := S | A | C | Signs | O | SO | GL | SL | Scale.

(* What is supposed of a function. Of numbers, also of those along an axis: multiplied by c, they multiply its value by a
   power of c. Of arrays: M that becomes A M B^T, for A along its rows and B along its columns, gives
     inverses  A* N B*^T transposed, also where A and B are orthogonal only;
     a number  det A det B times as much: the same, for B = A*;
     a list    the same, for an orthogonal A = B; multiplied like M by a scalar;
     a matrix  A N B^T for B = A*; the same from M and a list, for an orthogonal A = B, multiplied like the list;
     or arguments of the types given become a result of the type given. *)
Inductive fact :=
  | Degree of int
  | Inverse
  | Pseudoinverse
  | Number
  | List
  | Conjugate
  | Weighted
  | Typed of seq rtype & rtype.

Section Check.
Variables (fam : family) (g : extent) (facts : nat -> option fact) (intys : seq rtype).
Implicit Types (ctx : seq rtype) (rows : seq (nat * seq place)) (ty : rtype) (t : axis).

(* The group permutes indices, perhaps with signs; or it mixes entries. *)
Definition mixes := match fam with O | SO | GL | SL => true | _ => false end.
Definition linear := match fam with GL | SL => true | _ => false end.
Definition signed := match fam with Signs => true | _ => false end.

(* Equal powers of the character: the sign of a permutation, the product of signs, the determinant, the scalar. *)
Definition same (e e' : int) : bool :=
  match fam with A | C | SO | SL => true | S | Signs | O => ~~ odd `|e - e'| | GL | Scale => e == e' end.

Definition fixed t := t == [::].
Fixpoint exchanged k := match k with Std => Dual | Dual => Std | Prod a z b w => Prod (exchanged a) z (exchanged b) w | _ => k end.
Definition dual_kind k := if linear then exchanged k else k.
Definition dual t : axis := [seq (dual_kind x.1, x.2) | x <- t].
Definition width t : extent := flatten [seq x.2 | x <- t].
Definition fits t (z : extent) := fixed t || same_size (width t) z.

(* Parts of one axis after those of another: an axis on which nothing acts is one part; neighbours of one kind that moves
   no entries are one part. *)
Definition parts_of t (z : extent) : axis := if fixed t then [:: (Fix, z)] else t.
Fixpoint merged t : axis :=
  if t is x :: t' then
    match merged t' with
    | y :: t2 => if (y.1 == x.1) && still x.1 then (x.1, x.2 ++ y.2) :: t2 else [:: x, y & t2]
    | [::] => [:: x]
    end
  else [::].
Fixpoint same_kind k (z : extent) k' (z' : extent) : bool :=
  if (k == k') && (if still k then same_size z z' else z == z') then true
  else match k, k' with
  | Prod a z1 b z2, Prod a' z1' b' z2' =>
      [&& same_size z (product_size z1 z2), same_size z z', same_kind a z1 a' z1' & same_kind b z2 b' z2']
  | _, _ => false
  end.
Definition same_part (x y : kind * extent) := same_kind x.1 x.2 y.1 y.2.
Definition same_parts t t' := all2 same_part (merged t) (merged t').

Definition with_det t : axis := [seq (times_det x.1, x.2) | x <- t].

(* A size without another one; the first parts of an axis, of a size together, and the others: parts that move no
   entries may be cut. *)
Definition minus_size (z w : extent) : option extent :=
  let: (z', w') := (sort_size z, sort_size w) in
  if all (fun x => count_mem x w' <= count_mem x z') w' then Some (foldl (fun s x => rem x s) z' w') else None.
Fixpoint cut_at t (z : extent) : option (axis * axis) :=
  if z == [::] then Some ([::], t)
  else if t is (k, w) :: t' then
    if minus_size z w is Some z' then if cut_at t' z' is Some (s, s') then Some ((k, w) :: s, s') else None
    else if minus_size w z is Some w' then if still k then Some ([:: (k, z)], (k, w') :: t') else None else None
  else None.
Definition part_at t (z w : extent) : option (axis * axis * axis) :=
  if cut_at t z is Some (s, t') then if cut_at t' w is Some (s', s2) then Some (s, s', s2) else None else None.

(* One part that is two axes in one, of which along each a part acts: products are joined to the right, and so are
   neighbours on which nothing acts. *)
Definition of_sizes (z z1 z2 : extent) := same_size z (product_size z1 z2).
Fixpoint pair_part k (z : extent) (y : kind * extent) : kind * extent :=
  let plain := (Prod k z y.1 y.2, product_size z y.2) in
  match k with
  | Prod a z1 b z2 => if of_sizes z z1 z2 then pair_part a z1 (pair_part b z2 y) else plain
  | Fix =>
      match y.1 with
      | Fix => (Fix, product_size z y.2)
      | Prod Fix w1 c w2 => if of_sizes y.2 w1 w2 then (Prod Fix (product_size z w1) c w2, product_size z y.2) else plain
      | _ => plain
      end
  | _ => plain
  end.

(* The parts of two axes in one: of so many entries on which nothing acts each gives the parts of the second axis; else
   that must be one part. *)
Definition units (x : kind * extent) := (x.1 == Fix) && (x.2 == nseq (size x.2) [::]).
Definition is_whole t := if t is [:: (Fix, _)] then true else if t is [:: (Prod Fix _ _ _, _)] then true else false.
Definition part_times t (x : kind * extent) : option axis :=
  if units x && ~~ is_whole t then Some (flatten (nseq (size x.2) t))
  else if t is [:: y] then Some [:: pair_part x.1 x.2 y] else None.
Fixpoint axis_times s t : option axis :=
  if s is x :: s' then
    if (part_times t x, axis_times s' t) is (Some one, Some others) then Some (one ++ others) else None
  else Some [::].

(* Whether axes on which the group acts like us are seen as ones on which it acts like ts, but for the determinant. *)
Definition view_ok (v : view) (z w : extent) (flips : bool) (us ts : seq axis) : bool :=
  if all fixed us && all fixed ts && ~~ flips then true
  else match v, us, ts with
  | Cut, [:: u], [:: t] =>
      if fits t w then
        if if fixed u then Some [:: (Fix, w)]
           else if part_at u z w is Some (s1, s, s2) then
             if [&& same_parts u (s1 ++ s ++ s2), same_size (width s1) z & same_size (width s) w] then Some s else None
           else None
        is Some s then same_parts (if flips then with_det s else s) (parts_of t w) else false
      else false
  | Split, [:: t], [:: t1; t2] | Merge, [:: t1; t2], [:: t] =>
      if [&& ~~ flips, fits t1 z, fits t2 w & fits t (product_size z w)] then
        if axis_times (parts_of t1 z) (parts_of t2 w) is Some s then same_parts s (parts_of t (product_size z w)) else false
      else false
  | _, _, _ => false
  end.

Definition axes_of ctx a := (nth ty0 ctx a).1.
Definition power_of ctx a := (nth ty0 ctx a).2.
Definition known ctx axs a := (a < size ctx) && (axes_of ctx a == axs).
Definition alike ctx axs e a := known ctx axs a && same (power_of ctx a) e.
Definition plain ctx axs a := known ctx axs a && same (power_of ctx a) 0.
(* An argument of a function along an axis: nothing multiplies it, or as much as the function's degree says. *)
Definition along_ok h ctx axs e a := plain ctx axs a && same 0 e ||
  (if facts h is Some (Degree d) then [&& ~~ mixes, known ctx axs a & same (power_of ctx a * d)%R e] else false).

(* Functions of arrays: what they see of an argument, and which types are supposed to follow. *)
Definition seen_of ctx r a : rtype := (drop r (axes_of ctx a), power_of ctx a).
Definition orthonormal t := linear ==> fixed t.
(* Of an axis, to which power of the character its determinant is; where the character is one. That of a matrix of the
   representation number l is to the power l: a fact about determinants supposes it, as it holds of irreps of degree l. *)
Definition determinants := match fam with C | Scale => false | _ => true end.
Fixpoint has_product k := match k with Det k' => has_product k' | Prod _ _ _ _ => true | _ => false end.
Definition det_known t :=
  all (fun x : kind * extent => ~~ has_product x.1 && if x.1 is Det _ then all (pred1 [::]) x.2 else true) t.
Fixpoint det_power k (z : extent) : int :=
  match k with
  | Fix => 0
  | Std => if z == g then 1 else 0
  | Dual => if z == g then if linear then -1 else 1 else 0
  | Irr l => Posz l
  | Det k' => det_power k' z + Posz (size z)
  | Prod _ _ _ _ => 0
  end%R.
Definition det_of t : int := foldr +%R 0%R [seq det_power x.1 x.2 | x <- t].
Definition scales := match fam with Scale => true | _ => false end.
Definition scaled (e e' : int) := if scales then same e e' else same e 0 && same 0 e'.
Definition admits h (given : seq rtype) (ty : rtype) : bool :=
  match facts h, given with
  | Some Inverse, [:: ([:: a; b], e)] => (ty.1 == [:: dual b; dual a]) && same (- e)%R ty.2
  | Some Pseudoinverse, [:: ([:: a; b], e)] =>
      [&& orthonormal a, orthonormal b, ty.1 == [:: b; a] & same (- e)%R ty.2]
  | Some Number, [:: ([:: a; b], e)] => 
      [&& ty.1 == [::], same e 0
        & (b == dual a) && same 0 ty.2 || [&& determinants, det_known a, det_known b & same (det_of a + det_of b)%R ty.2]]
  | Some List, [:: ([:: a; b], e)] => [&& b == a, orthonormal a, ty.1 == [:: [::]] & scaled e ty.2]
  | Some Conjugate, [:: ([:: a; b], e)] => [&& b == dual a, ty.1 == [:: a; b], same e 0 & same 0 ty.2]
  | Some Weighted, [:: ([:: a; b], e); ([:: w], e')] =>
      [&& b == a, orthonormal a, fixed w, ty.1 == [:: a; a], scales || same e 0 & scaled e' ty.2]
  | Some (Typed tys ty'), _ => (given == tys) && (ty == ty')
  | _, _ => false
  end.

(* The parts of an argument of a join; where it has another power of the determinant than the result, times that. *)
Definition reflects := match fam with O => true | _ => false end.
Definition part_in ctx e p (r : nat * extent) : axis :=
  let t := parts_of (nth [::] (axes_of ctx r.1) p) r.2 in
  if same (power_of ctx r.1) e then t else with_det t.

(* Where labels are read, and how the group acts there. *)
Definition occurrences ctx rows : seq (place * axis) := flatten [seq zip r.2 (axes_of ctx r.1) | r <- rows].
Definition is_label l (i : place) := if i is Lab l' then l' == l else false.
Definition seen (occs : seq (place * axis)) l := [seq o.2 | o <- occs & is_label l o.1].
Definition acted (occs : seq (place * axis)) l := [seq t <- seen occs l | ~~ fixed t].
Definition act_of occs l : axis := head [::] (acted occs l).

(* How the group acts along a label: as the type of the result says, or else as where it is read. *)
Definition act_along occs (out : seq nat) (axs : seq axis) l :=
  if l \in out then nth [::] axs (index l out) else act_of occs l.

(* By how much a place goes on, modulo the size of the group, when labels along which shifts act go on by one. *)
Definition whole : axis := [:: (Std, g)].
Fixpoint steps (T : nat -> axis) (i : place) : option int :=
  match i with
  | Lab l => if fixed (T l) then Some 0%R else if T l == whole then Some 1%R else None
  | Num _ | Size _ => Some 0%R
  | Plus a b => if (steps T a, steps T b) is (Some x, Some y) then Some (x + y)%R else None
  | Times (Num k) b => if steps T b is Some x then Some (Posz k * x)%R else None
  | Times (Minus (Size z) (Num 1)) b => if steps T b is Some x then if z == g then Some (- x)%R else None else None
  | _ => None
  end.
Definition round (T : nat -> axis) (o : place * axis) :=
  match fam, o.1 with
  | C, Modulo i (Size z) =>
      (z == g) && if fixed o.2 then steps T i == Some 0%R else (o.2 == whole) && (steps T i == Some 1%R)
  | _, _ => false
  end.

(* One occurrence: nothing acts where an entry is read at anything but a label, or at a place that goes round. *)
Definition place_ok occs (T : nat -> axis) (o : place * axis) :=
  if o.1 is Lab l then
    match fam with S | A | C | Scale => o.2 == T l | Signs => fixed o.2 || (o.2 == act_of occs l) | _ => true end
  else fixed o.2 && (signed || all (fun l => fixed (T l)) (labels_of o.1)) || round T o.

(* A label of the result, and one that is summed over; T l is how the group acts along it. *)
Definition kept_ok occs (T : nat -> axis) l :=
  match fam with
  | S | A | C | Scale => true
  | Signs => T l == if odd (size (acted occs l)) then act_of occs l else [::]
  | _ => if fixed (T l) then all fixed (seen occs l) else seen occs l == [:: T l]
  end.

Definition summed_ok occs (T : nat -> axis) l (z : extent) :=
  match fam with
  | S | A | C | Scale => fits (T l) z
  | Signs => ~~ odd (size (acted occs l))
  | _ => if fixed (T l) then all fixed (seen occs l) else (seen occs l == [:: T l; dual (T l)]) && fits (T l) z
  end.

Definition rule ctx o ty : bool :=
  let: (axs, e) := ty in
  match o with
  | Input k => (k < size intys) && (nth ty0 intys k == ty)
  | Scalar _ | Leaf _ => all fixed axs && same 0 e
  | Delta z =>
      [&& size axs == 2, nth [::] axs 1 == dual (nth [::] axs 0), fits (nth [::] axs 0) z & same 0 e]
  | Contract rows summed out =>
      let occs := occurrences ctx rows in let sl := [seq x.1 | x <- summed] in let T := act_along occs out axs in
      [&& all (fun r => (r.1 < size ctx) && (size r.2 == size (axes_of ctx r.1))) rows,
          uniq out, size axs == size out, uniq sl, all (fun l => l \notin out) sl,
          all (fun l => (l \in out) || (l \in sl)) (labels rows), all (place_ok occs T) occs,
          all (kept_ok occs T) out, all (fun x => summed_ok occs T x.1 x.2) summed
        & same (foldr +%R 0%R [seq power_of ctx r.1 | r <- rows]) e]
  | Add args => all (alike ctx axs e) args
  | Map h args =>
      [&& (mixes || signed) ==> all fixed axs, all (plain ctx axs) args & same 0 e] ||
      (if (facts h, args) is (Some (Degree d), a :: _) then
         let axs' := axes_of ctx a in
         [&& all (alike ctx axs' (power_of ctx a)) args, mixes ==> all fixed axs', same (power_of ctx a * d)%R e
           & axs == if signed && ~~ odd `|d| then nseq (size axs') [::] else axs']
       else false)
  | Choose c ps a b =>
      [&& all (fun p => p < size axs) ps, plain ctx (if signed then nseq (size ps) [::] else [seq nth [::] axs p | p <- ps]) c,
          mixes ==> all (fun p => fixed (nth [::] axs p)) ps, alike ctx axs e a & alike ctx axs e b]
  | Fold h a p z =>
      let t := nth [::] (axes_of ctx a) p in
      [&& along_ok h ctx (insert p t axs) e a, p <= size axs, fits t z & (mixes || signed) ==> fixed t && all fixed axs]
  | Sort h a p z =>
      let t := nth [::] (axes_of ctx a) p in
      [&& along_ok h ctx (insert p t (without p axs)) e a, p < size axs, fixed (nth [::] axs p), fits t z
        & (mixes || signed) ==> fixed t && all fixed axs]
  | Join rows p =>
      let along a := nth [::] (axes_of ctx a) p in
      [&& p < size axs,
          all (fun r => [&& known ctx (put p (along r.1) axs) r.1, fits (along r.1) r.2
                          & same (power_of ctx r.1) e || reflects && ~~ fixed (nth [::] axs p)]) rows
        & if fixed (nth [::] axs p) then all (fun r => fixed (along r.1)) rows
          else same_parts (flatten [seq part_in ctx e p r | r <- rows]) (nth [::] axs p)]
  | Whole h r args =>
      let given := [seq seen_of ctx r x.1 | x <- args] in
      [&& all (fun x => known ctx (take r axs ++ (seen_of ctx r x.1).1) x.1) args, r <= size axs,
          (mixes || signed) ==> all fixed (take r axs), all2 (fun (t : rtype) zs => all2 fits t.1 zs) given [seq x.2 | x <- args]
        & [&& all (fun t : rtype => all fixed t.1 && same t.2 0) given, all fixed (drop r axs) & same 0 e] ||
          admits h given (drop r axs, e)]
  | View v a p z w =>
      let n := size (view_sizes v z w) in
      let us := take (size (view_places v z w)) (drop p (axes_of ctx a)) in
      let flips := ~~ same (power_of ctx a) e in
      [&& p + n <= size axs, size us == size (view_places v z w), known ctx (exchange p n us axs) a, flips ==> reflects
        & view_ok v z w flips us (take n (drop p axs))]
  end.

End Check.

(* Each line follows by a rule from those before it; the last one has the type asked for. *)
Section Lines.
Variables (T : eqType) (none : T) (by_rule : seq T -> op -> T -> bool).

Fixpoint check_from (ctx : seq T) (p : program) (tys : seq T) : bool :=
  match p, tys with
  | o :: p', ty :: tys' => by_rule ctx o ty && check_from (rcons ctx ty) p' tys'
  | [::], [::] => true
  | _, _ => false
  end.

Definition check_lines (p : program) (tys : seq T) (out : T) : bool :=
  check_from [::] p tys && (last none tys == out) && (0 < size tys).
End Lines.

Definition check fam g facts intys := check_lines ty0 (rule fam g facts intys).
