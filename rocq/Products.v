(* Products of groups: a program that is equivariant under each of several groups is so under their products, elements of
   which act one after the other.  E(d) and SE(d) are such products: each of their elements is a translation after an
   orthogonal map.  Powers of groups: one element for each entry of an axis. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Programs Checker Environments Moves Turns Checked Motions Sums Shifts Each.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* What is claimed of one factor of a group: how it acts on the arguments and on the result; or that one element acts on
   each entry of an axis of arguments, and of the result, of which the shape is given. The first lists are of variables
   of sizes that are supposed to be positive. *)
Inductive factor :=
  | Acts of family & extent & (nat -> option Checker.fact) & seq rtype & rtype
  | Translates of seq nat & seq law & seq motion & motion
  | Each of seq nat & factor & seq (option nat) & option nat & seq extent.

Fixpoint count_arguments f :=
  match f with Acts _ _ _ given _ => size given | Translates _ _ given _ => size given | Each _ f' _ _ _ => count_arguments f' end.
Fixpoint says_where_defined f := match f with Acts _ _ _ _ _ => false | Translates _ _ _ _ => true | Each _ f' _ _ _ => says_where_defined f' end.

Section Products.
Variables (R : idomainType) (m : meaning R).
Definition relation := cell R -> cell R -> Prop.

(* An element of a factor, by what it does: to each family belong the elements of Checked.v. *)
Definition element fam g facts (related : cell R -> cell R -> rtype -> Prop) : Prop :=
  let n := count_of m g in obeys m fam g facts related /\
  match fam with
  | S => homogeneous m facts (-1) /\ exists s : 'S_n, related = permuted_by s
  | A => homogeneous m facts (-1) /\ exists2 s : 'S_n, ~~ odd_perm s & related = permuted_by s
  | C => exists c : 'I_n, related = shifted_by c
  | Signs => homogeneous m facts (-1) /\ exists (b : nat -> bool) (chi : bool), related = signed_by m g b chi
  | Scale => exists c : R, [/\ c \is a GRing.unit, forall e, homogeneous m facts (c ^ e) & related = scaled_by c]
  | O => homogeneous m facts (-1) /\ exists (Q : 'M[R]_n) (W : representations m),
      [/\ Q^T *m Q = 1%:M, orthogonal W & related = turned_by O Q Q W]
  | SO => exists (Q : 'M[R]_n) (W : representations m),
      [/\ Q^T *m Q = 1%:M, \det Q = 1, orthogonal W & related = turned_by SO Q Q W]
  | GL => exists Q D : 'M[R]_n,
      [/\ Q^T *m D = 1%:M, forall e, homogeneous m facts (\det Q ^ e) & related = turned_by GL Q D (@trivial R m)]
  | SL => exists Q D : 'M[R]_n, [/\ Q^T *m D = 1%:M, \det Q = 1 & related = turned_by SL Q D (@trivial R m)]
  end.

Lemma element_respected fam g facts intys p out related : symmetric m -> equivariant fam g facts intys p out ->
  element fam g facts related -> @respects R m intys p out related.
Proof.
move=> sym /(_ R m sym); case: fam => /= eqv [ob].
- by case=> hom [s e]; rewrite e in ob *; apply: eqv.
- by case=> hom [s ev e]; rewrite e in ob *; apply: eqv.
- by case=> c e; rewrite e in ob *; apply: eqv.
- by case=> hom [b [chi e]]; rewrite e in ob *; apply: eqv.
- by case=> hom [Q [W [oQ oW e]]]; rewrite e in ob *; apply: eqv.
- by case=> Q [W [oQ dQ oW e]]; rewrite e in ob *; apply: eqv.
- by case=> Q [D [QD hom e]]; rewrite e in ob *; apply: eqv.
- by case=> Q [D [QD dQ e]]; rewrite e in ob *; apply: eqv.
by case=> c [uc hom e]; rewrite e in ob *; apply: eqv.
Qed.

(* What an element does to each argument, and to the result: the one on the left is the one that is moved. *)
Definition action := ((nat -> relation) * relation)%type.

(* Entry b of a value is as if element b acted on all entries. *)
Definition by_entries (weak : bool) (acts : nat -> relation) (p : option nat) (inside : seq nat -> Prop) : relation := fun x' x =>
  exists y : nat -> cell R, forall b, acts b (y b) x /\
    forall ix, inside ix -> (if p is Some q then nth 0%N ix q = b else True) -> alike_at weak x' (y b) ix.
Definition indices (shape : seq extent) (ix : seq nat) : Prop :=
  size ix = size shape /\ forall k, (k < size shape)%N -> (nth 0%N ix k < count_of m (nth [::] shape k))%N.

Fixpoint acts_as f (a : action) : Prop :=
  match f with
  | Acts fam g facts given claimed => exists2 related, element fam g facts related &
      a = (fun k x' x => related x' x (nth ty0 given k), fun x' x => related x' x claimed)
  | Translates pos laws given claimed =>
      [/\ forall x, x \in pos -> (0 < var m x)%N, lawful m laws &
        exists v : nat -> R, a =
          (fun k x' x => shifts m v [::] x' x (nth Still given k) /\ fact m [::] x (nth Still given k),
           fun x' x => shifts m v [::] x' x claimed)]
  | Each pos f' starts stop shape => (forall x, x \in pos -> (0 < var m x)%N) /\
      exists2 acts : nat -> action, (forall b, acts_as f' (acts b)) & let weak := says_where_defined f' in
        a = (fun k => by_entries weak (fun b => (acts b).1 k) (nth None starts k) (fun=> True),
             by_entries weak (fun b => (acts b).2) stop (indices shape))
  end.

Definition after (r s : relation) : relation := fun x' x => exists2 y, r x' y & s y x.
Definition composed (a b : action) : action := (fun k => after (a.1 k) (b.1 k), after a.2 b.2).

(* An element of a product is one of each factor, the later ones after the earlier ones. *)
Fixpoint acts_in_product f fs a : Prop :=
  if fs is f' :: fs' then exists b c, [/\ acts_as f b, acts_in_product f' fs' c & a = composed c b] else acts_as f a.

Definition respected n p (a : action) : Prop := forall ins' ins : nat -> cell R,
  (forall k, (k < n)%N -> a.1 k (ins' k) (ins k)) -> a.2 (eval m p ins') (eval m p ins).

(* Of finitely many things that exist, one function. *)
Lemma chosen (T : Type) (one : T) n (P : nat -> T -> Prop) : (forall k, (k < n)%N -> exists y, P k y) ->
  exists f : nat -> T, forall k, (k < n)%N -> P k (f k).
Proof.
elim: n => [|n IH] each; first by exists (fun=> one).
have [f fP] := IH (fun k kn => each k (leqW kn)); have [y yP] := each n (leqnn _).
exists (fun k => if k == n then y else f k) => k; rewrite ltnS leq_eqVlt.
by case: (altP (k =P n)) => [-> | kn /= /fP].
Qed.

Lemma respected_composed n p a b : respected n p a -> respected n p b -> respected n p (composed a b).
Proof.
move=> ra rb ins' ins both.
have [mid midP] : exists mid : nat -> cell R, forall k, (k < n)%N -> a.1 k (ins' k) (mid k) /\ b.1 k (mid k) (ins k).
  apply: (@chosen _ c0 n (fun k y => a.1 k (ins' k) y /\ b.1 k y (ins k))) => k kn.
  by have [y ay by_] := both k kn; exists y.
by exists (eval m p mid); [apply: ra | apply: rb] => k /midP [].
Qed.
End Products.

Definition equivariant_under p f : Prop :=
  match f with
  | Acts fam g facts given claimed => equivariant fam g facts given p claimed
  | Translates pos laws given claimed => translated pos laws given p claimed
  | Each _ _ _ _ _ => forall (R : idomainType) (m : meaning R), symmetric m ->
      forall a : action R, acts_as m f a -> respected m (count_arguments f) p a
  end.
Fixpoint equivariant_under_each p fs : Prop :=
  if fs is f :: fs' then equivariant_under p f /\ equivariant_under_each p fs' else True.

Lemma respected_by_one (R : idomainType) (m : meaning R) p f a : symmetric m -> equivariant_under p f -> acts_as m f a ->
  respected m (count_arguments f) p a.
Proof.
move=> sym; case: f => [fam g facts given claimed | pos laws given claimed | pos f starts stop shape] eqv; last exact: eqv.
  case=> related el -> ins' ins; exact: (element_respected sym eqv el).
by case=> positive inv [v ->] ins' ins /=; apply: eqv.
Qed.

Definition equivariant_under_product p f fs : Prop := forall (R : idomainType) (m : meaning R), symmetric m ->
  forall a : action R, acts_in_product m f fs a -> respected m (count_arguments f) p a.

Theorem product_sound p f fs : equivariant_under_each p (f :: fs) ->
  all (fun f' => count_arguments f' == count_arguments f) fs -> equivariant_under_product p f fs.
Proof.
move=> each same R m sym; elim: fs f each same => [|f' fs IH] f /= [one rest].
  by move=> _ a; apply: respected_by_one.
case/andP => /eqP same others a [b [c [bP cP ->]]]; apply: respected_composed; last exact: respected_by_one bP.
rewrite -same; apply: IH cP => //.
by apply: sub_all others => g /eqP ->; rewrite same.
Qed.

(** * One element for each entry of an axis *)

Section Still.
Variables (R : idomainType) (m : meaning R).

Lemma moves_still at_axis sign (chi : int -> R) (c' c : cell R) r ix : (forall i, at_axis [::] i = i) -> (forall i, sign [::] i = 1) ->
  chi 0 = 1 -> moves at_axis sign chi c' c (nseq r [::], 0) -> size ix = r -> alike_at false c' c ix.
Proof.
move=> at_ sign_ chi0 mv sr; have [] := mv ix; rewrite ?size_nseq // chi0 mul1r.
have fx : all fixed (nseq r [::]) by rewrite all_nseq orbT.
by rewrite (weight_fixed sign_ _ fx) (moved_fixed at_ _ fx) mul1r => v d; split.
Qed.

Lemma turns_still matrix (chi : int -> R) (c' c : cell R) r ix : chi 0 = 1 -> turns m matrix chi c' c (nseq r [::], 0) ->
  size ix = r -> alike_at false c' c ix.
Proof.
move=> chi0 [v d] sr; have fx : all fixed (nseq r [::]) by rewrite all_nseq orbT.
split; last by rewrite v ?size_nseq // chi0 mul1r acting_fixed.
by apply: d => /=; elim: r ix sr {v fx} => [|r IH] [|i ix] //= [sr]; rewrite eqxx IH.
Qed.

Lemma element_still fam g facts related (c' c : cell R) r ix : element m fam g facts related ->
  related c' c (nseq r [::], 0) -> size ix = r -> alike_at false c' c ix.
Proof.
case: fam => /= -[_].
- by case=> _ [s ->]; apply: moves_still.
- by case=> _ [s _ ->]; apply: moves_still.
- by case=> k ->; apply: moves_still.
- by case=> _ [b [chi ->]]; apply: moves_still.
- by case=> _ [Q [W [_ _ ->]]]; apply: turns_still.
- by case=> Q [W [_ _ _ ->]]; apply: turns_still.
- by case=> Q [D [_ _ ->]]; apply: turns_still.
- by case=> Q [D [_ _ ->]]; apply: turns_still.
by case=> u [_ _ ->]; apply: moves_still.
Qed.
End Still.

Theorem each_sound pos fam g facts given p tys claimed starts stop shape :
  check_each pos fam g facts given p tys claimed starts stop shape ->
  equivariant_under p (Each pos (Acts fam g facts given claimed) starts stop shape).
Proof.
case/and3P => ok /eqP ss follow R m sym a [positive [acts actsE ->]] ins' ins moved.
have [y yP] := @chosen (nat -> cell R) (fun=> c0) (size given) (fun k y => forall b, (acts b).1 k (y b) (ins k) /\
  forall ix, True -> (if nth None starts k is Some q then nth 0%N ix q = b else True) -> alike_at false (ins' k) (y b) ix) moved.
have respect b q tys' out : check fam g facts given q tys' out -> exists related,
    [/\ element m fam g facts related, (acts b).2 = (fun x' x => related x' x claimed)
      & related (eval m q (y^~ b)) (eval m q ins) out].
  move=> okq; have [related el aE] := actsE b; exists related; rewrite aE; split=> //.
  apply: (element_respected sym (sound okq) el) => k kn; have [+ _] := yP k kn b; by rewrite aE.
exists (fun b => eval m p (y^~ b)) => b; split=> [|ix [si inside] stop_].
  by have [related [_ -> rel]] := respect b p tys claimed ok.
apply: (follows_sound (ins := fun b k => y k b) positive) follow si inside stop_ => [k b' jx | i o r b1 b2 jx _ st sj].
  by rewrite ss => ks at_b; have [_ al] := yP k ks b'; apply: al.
have same b' : alike_at false (line_after m p (y^~ b') i o) (line_after m p ins i o) jx.
  have [related [el _ rel]] := respect b' _ _ _ (check_after ok st).
  by rewrite /line_after -!eval_rcons; apply: element_still el rel sj.
exact: alike_trans (same b1) (alike_sym (same b2)).
Qed.

Theorem shifts_each_sound pos p laws given claimed starts ranks stop shape :
  check_shifts_each pos laws given p claimed starts ranks stop shape ->
  equivariant_under p (Each pos (Translates pos laws given claimed) starts stop shape).
Proof.
move=> ok R m sym a [positive [acts actsE ->]] ins' ins moved.
have [y yP] := @chosen (nat -> cell R) (fun=> c0) (size given) (fun k y => forall b, (acts b).1 k (y b) (ins k) /\
  forall ix, True -> (if nth None starts k is Some q then nth 0%N ix q = b else True) -> alike_at true (ins' k) (y b) ix) moved.
case/and3P: ok => checked /eqP ss follow.
have respect b q out : check_shifts pos laws given q out -> exists v : nat -> R,
    (acts b).2 = (fun x' x => shifts m v [::] x' x claimed) /\ shifts m v [::] (eval m q (y^~ b)) (eval m q ins) out.
  move=> okq; have [_ inv [v aE]] := actsE b; exists v; rewrite aE; split=> //.
  apply: (sound_shifts okq positive inv) => k kn; have [+ _] := yP k kn b; by rewrite aE.
exists (fun b => eval m p (y^~ b)) => b; split=> [|ix [si inside] stop_].
  by have [v [-> rel]] := respect b p claimed checked.
case motionsE: (motions _ _ _ _ _) follow => [ctx|] // follow.
apply: (follows_sound (ins := fun b k => y k b) positive) follow si inside stop_ => [k b' jx | i o r b1 b2 jx _ st _].
  by rewrite ss => ks at_b; have [_ al] := yP k ks b'; apply: al.
have same b' : alike_at true (line_after m p (y^~ b') i o) (line_after m p ins i o) jx.
  move: st; rewrite /moves_nothing; case lineE: (motion_of _ _ _ _ _) => [t|] // st.
  have [v [_]] := respect b' _ _ (shifts_after motionsE lineE st); rewrite !eval_rcons => -[d e].
  by split=> [|w]; [apply: d | rewrite e // addr0].
exact: alike_trans (same b1) (alike_sym (same b2)).
Qed.

(** * E(d) and SE(d) *)

Section Rigid.
Variables (R : idomainType) (m : meaning R) (fam : family) (g : extent) (Q : 'M[R]_(count_of m g)).
Variables (W : representations m) (v : nat -> R).
Let chi e := \det Q ^ e.
Let matrix_ := matrix m fam g (entries Q) (entries Q) (\det Q) (fun l z => entries (W l z)).

(* x' = Q x + t, as the types say: the matrix acts along axes, and the vector is added along one. *)
Definition unshifted t (x' : cell R) : cell R := (fun ix => x'.1 ix - extra m v [::] t ix, x'.2).
Definition rigidly (ty : rtype) t (x' x : cell R) : Prop :=
  (forall ix, size ix = size ty.1 -> x'.1 ix = chi ty.2 * acting m matrix_ ty.1 x.1 ix + extra m v [::] t ix) /\
  (forall ix jx, nears m ty.1 ix jx -> x'.2 ix = x.2 jx).

(* The same of results, of which is said where they are defined. *)
Definition rigidly_where_defined (ty : rtype) t (x' x : cell R) : Prop :=
  (forall ix, size ix = size ty.1 -> x'.2 ix -> x'.1 ix = chi ty.2 * acting m matrix_ ty.1 x.1 ix + extra m v [::] t ix) /\
  (forall ix jx, nears m ty.1 ix jx -> x'.2 ix = x.2 jx).

Lemma rigid_is_shift_after_turn ty t x' x : rigidly ty t x' x ->
  shifts m v [::] x' (unshifted t x') t /\ turned_by fam Q Q W (unshifted t x') x ty.
Proof. by case=> val def; split; split=> //= ix; rewrite ?subrK // => /val ->; rewrite addrK. Qed.

Lemma shift_after_turn_is_rigid ty t x' y x : shifts m v [::] x' y t -> turned_by fam Q Q W y x ty ->
  rigidly_where_defined ty t x' x.
Proof.
case=> def val [turn def']; split=> [ix sx d | ix jx nr]; last by rewrite def; apply: def'.
by rewrite val -?def // turn.
Qed.
End Rigid.

(* f(Q x + t) = Q f(x) + t, or without t, as the types say, for every rigid motion; and undefined alike. *)
Definition equivariant_under_rigid_motions p fam g facts given claimed (pos : seq nat) (laws : seq law) points ends : Prop :=
  forall (R : idomainType) (m : meaning R) (Q : 'M[R]_(count_of m g)) (W : representations m) (v : nat -> R),
  symmetric m -> element m fam g facts (turned_by fam Q Q W) ->
  (forall x, x \in pos -> (0 < var m x)%N) -> lawful m laws ->
  forall ins' ins : nat -> cell R,
  (forall k, (k < size given)%N -> rigidly fam Q W v (nth ty0 given k) (nth Still points k) (ins' k) (ins k) /\
     fact m [::] (unshifted m v (nth Still points k) (ins' k)) (nth Still points k)) ->
  rigidly_where_defined fam Q W v claimed ends (eval m p ins') (eval m p ins).

Theorem rigid_sound p fam g facts given claimed pos laws points ends :
  equivariant fam g facts given p claimed -> translated pos laws points p ends -> size points = size given ->
  equivariant_under_rigid_motions p fam g facts given claimed pos laws points ends.
Proof.
move=> turn shift same R m Q W v sym el positive inv ins' ins rigid.
pose mid k := unshifted m v (nth Still points k) (ins' k).
apply: (@shift_after_turn_is_rigid _ _ _ _ _ _ _ _ _ _ (eval m p mid)).
  apply: shift positive inv _ => k; rewrite same => kn; have [rg f] := rigid k kn.
  by have [sh _] := rigid_is_shift_after_turn rg.
apply: (element_respected sym turn el) => k kn; have [rg _] := rigid k kn.
by have [_ tn] := rigid_is_shift_after_turn rg.
Qed.

Print Assumptions product_sound.
Print Assumptions each_sound.
Print Assumptions shifts_each_sound.
Print Assumptions rigid_sound.
