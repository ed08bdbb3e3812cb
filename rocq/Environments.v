(* Values of labels: what depends on which, sums over labels, and labels that are renumbered. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Places can be compared. *)
Fixpoint encode_place (i : place) : GenTree.tree (nat + extent) :=
  match i with
  | Lab l => GenTree.Node 0 [:: GenTree.Leaf (inl l)]
  | Num k => GenTree.Leaf (inl k)
  | Size z => GenTree.Leaf (inr z)
  | Plus a b => GenTree.Node 1 [:: encode_place a; encode_place b]
  | Minus a b => GenTree.Node 2 [:: encode_place a; encode_place b]
  | Times a b => GenTree.Node 3 [:: encode_place a; encode_place b]
  | Over a b => GenTree.Node 4 [:: encode_place a; encode_place b]
  | Modulo a b => GenTree.Node 5 [:: encode_place a; encode_place b]
  end.
Fixpoint decode_place (t : GenTree.tree (nat + extent)) : place :=
  match t with
  | GenTree.Leaf (inl k) => Num k
  | GenTree.Leaf (inr z) => Size z
  | GenTree.Node 0 [:: GenTree.Leaf (inl l)] => Lab l
  | GenTree.Node 1 [:: a; b] => Plus (decode_place a) (decode_place b)
  | GenTree.Node 2 [:: a; b] => Minus (decode_place a) (decode_place b)
  | GenTree.Node 3 [:: a; b] => Times (decode_place a) (decode_place b)
  | GenTree.Node 4 [:: a; b] => Over (decode_place a) (decode_place b)
  | GenTree.Node 5 [:: a; b] => Modulo (decode_place a) (decode_place b)
  | _ => Num 0
  end.
Lemma encode_placeK : cancel encode_place decode_place.
Proof. by elim=> //= a -> b ->. Qed.
Definition place_eqMixin := CanEqMixin encode_placeK.
Canonical place_eqType := EqType place place_eqMixin.

(** * Sizes *)

Section Sizes.
Variables (R : comRingType) (m : meaning R).
Implicit Types (z w : extent).

Definition product_at (mono : seq nat) := foldr muln 1%N [seq var m v | v <- mono].

Lemma product_atE mono : product_at mono = (\prod_(v <- mono) var m v)%N.
Proof. by rewrite /product_at; elim: mono => [|v mono IH]; rewrite ?big_nil ?big_cons //= IH. Qed.

Lemma countE z : count_of m z = (\sum_(mono <- z) product_at mono)%N.
Proof. by rewrite /count_of sumnE big_map. Qed.

Lemma count_sort z : count_of m (sort_size z) = count_of m z.
Proof.
rewrite !countE big_map; apply: eq_bigr => mono _; rewrite !product_atE.
by apply: perm_big; rewrite perm_sort.
Qed.

Lemma count_same z z' : same_size z z' -> count_of m z = count_of m z'.
Proof. by case/orP => [/eqP -> // | e]; rewrite -count_sort -[RHS]count_sort !countE; apply: perm_big. Qed.

Lemma count_times z z' : count_of m (product_size z z') = (count_of m z * count_of m z')%N.
Proof.
rewrite !countE big_allpairs_dep big_distrl; apply: eq_bigr => mono _ /=; rewrite big_distrr; apply: eq_bigr => mono' _ /=.
by rewrite !product_atE big_cat.
Qed.

Lemma count_cat z w : count_of m (z ++ w) = (count_of m z + count_of m w)%N.
Proof. by rewrite /count_of map_cat sumn_cat. Qed.

Lemma count_product z1 z2 z : of_sizes z z1 z2 -> count_of m z = (count_of m z1 * count_of m z2)%N.
Proof. by move/count_same ->; rewrite count_times. Qed.
End Sizes.

(* Numbers below a product, row-major. *)
Lemma sum_rows (R : comRingType) n1 n2 (F : nat -> R) :
  \sum_(k <- iota 0 (n1 * n2)) F k = \sum_(a <- iota 0 n1) \sum_(b <- iota 0 n2) F (a * n2 + b)%N.
Proof.
elim: n1 => [|n IH]; first by rewrite mul0n !big_nil.
rewrite mulSn addnC -[n.+1]addn1 !iotaD !big_cat -IH /= big_seq1 add0n; congr (_ + _).
by rewrite -[X in iota X n2]addn0 iotaDl big_map.
Qed.

Lemma row_major i j n : (j < n)%N -> ((i * n + j) %/ n = i)%N /\ ((i * n + j) %% n = j)%N.
Proof. by move=> jn; rewrite divnMDl ?(leq_ltn_trans _ jn) // divn_small // addn0 modnMDl modn_small. Qed.

Lemma later_rows i c n : (0 < n)%N -> (c * n <= i)%N -> ((i - c * n) %/ n = i %/ n - c)%N /\ ((i - c * n) %% n = i %% n)%N.
Proof. by move=> n0 /subnKC; move: (i - c * n)%N => j <-; rewrite divnMDl // addKn modnMDl. Qed.

Lemma below_product i n1 n2 : (i < n1 * n2)%N -> [/\ (0 < n2)%N, (i %/ n2 < n1)%N & (i %% n2 < n2)%N].
Proof. by case: n2 => [|n2] iz; [rewrite muln0 in iz | rewrite ltn_divLR // ltn_pmod]. Qed.

Lemma eq_row_major n i j : (i == j) = (i %/ n == j %/ n)%N && (i %% n == j %% n)%N.
Proof. by apply/eqP/andP => [-> // | [/eqP d /eqP r]]; rewrite (divn_eq i n) d r -divn_eq. Qed.

(* Numbers below a product of three. *)
Lemma mixed_radix i n k : [/\ (i %/ k %/ n = i %/ (n * k))%N, (i %/ k %% n = i %% (n * k) %/ k)%N & (i %% (n * k) %% k = i %% k)%N].
Proof. by split; [rewrite mulnC divnMA | rewrite modn_divl | rewrite modn_dvdm // dvdn_mull]. Qed.

(** * Functions of arrays *)

Section Calls.
Variables (R : comRingType) (m : meaning R).

(* They respect a relation of values as is supposed of them. *)
Definition obeys (fam : family) (g : extent) (facts : nat -> option fact) (related : cell R -> cell R -> rtype -> Prop) :=
  forall h tys ty (zs : seq (seq extent)) (cs' cs : seq (cell R)), admits fam g facts h tys ty ->
    all2 (fun (t : rtype) z => all2 fits t.1 z) tys zs -> size cs' = size tys -> size cs = size tys ->
    (forall k, (k < size tys)%N -> related (nth c0 cs' k) (nth c0 cs k) (nth ty0 tys k)) ->
    related (call m h (zip zs cs')) (call m h (zip zs cs)) ty.

Lemma all2_maps (A B C : Type) (f : A -> B) (f' : A -> C) p s :
  all2 p [seq f x | x <- s] [seq f' x | x <- s] = all (fun x => p (f x) (f' x)) s.
Proof. by elim: s => //= x s ->. Qed.

Lemma grid_size s ix : ix \in grid s -> size ix = size s.
Proof.
elim: s ix => [|n s IH] ix /=; first by rewrite inE => /eqP ->.
by case/flattenP => rows /mapP [i _ ->] /mapP [jx jxs ->] /=; rewrite (IH _ jxs).
Qed.

Lemma calledE h cells args ix :
  called m h cells args ix = call m h (zip [seq x.2 | x <- args] [seq inner cells x.1 ix | x <- args]).
Proof. by congr (call m h _); elim: args => //= x args ->. Qed.

Lemma called_same h cells' cells (args : seq (nat * seq extent)) ix ix' :
  (forall x, x \in args -> forall jx, size jx = size x.2 ->
    get cells' x.1 (ix ++ jx) = get cells x.1 (ix' ++ jx) /\ ok cells' x.1 (ix ++ jx) = ok cells x.1 (ix' ++ jx)) ->
  (called m h cells' args ix).1 =1 (called m h cells args ix').1 /\
  (called m h cells' args ix).2 =1 (called m h cells args ix').2.
Proof.
move=> same; have arrays : [seq array m x | x <- [seq (x.2, inner cells' x.1 ix) | x <- args]] =
    [seq array m x | x <- [seq (x.2, inner cells x.1 ix') | x <- args]].
  rewrite -!map_comp; apply/eq_in_map => x xa; congr pair; apply/eq_in_map => jx /grid_size sj.
  by case: (same x xa jx); rewrite // sj size_map.
split=> jx; rewrite /called /call /= arrays // !all_map; congr (_ && _); apply: eq_in_all => x xa.
by apply: eq_in_all => kx /grid_size sk; case: (same x xa kx); rewrite // sk size_map.
Qed.
End Calls.

(** * Environments *)

Definition ext (T : Type) (D : {pred nat}) (F : env -> T) := forall e e', {in D, e =1 e'} -> F e = F e'.

Lemma upd_same e l i : upd e l i l = i. Proof. by rewrite /upd eqxx. Qed.
Lemma upd_other e l i x : x != l -> upd e l i x = e x. Proof. by rewrite /upd => /negbTE ->. Qed.

Section Over.
Variables (R : comRingType) (m : meaning R) (T : eqType) (f : seq T -> T).
Implicit Types (F : env -> T) (ls : seq (nat * extent)).

Lemma over_agree (D : {pred nat}) ls F e e' : ext D F ->
  (forall l, l \in D -> l \notin [seq x.1 | x <- ls] -> e l = e' l) -> over m f ls F e = over m f ls F e'.
Proof.
move=> extF; elim: ls e e' => [|x ls IH] e e' same /=; first by apply: extF => l lD; apply: same.
congr f; apply: eq_map => i; apply: IH => l lD out; rewrite /upd; case: eqP => // /eqP lx.
by apply: same; rewrite // inE negb_or lx.
Qed.

Lemma over_same ls F F' e : F =1 F' -> over m f ls F e = over m f ls F' e.
Proof. by move=> same; elim: ls e => [|x ls IH] e //=; congr f; apply: eq_map => i; apply: IH. Qed.

Lemma over_ext D ls F : ext D F -> ext D (over m f ls F).
Proof. by move=> extF e e' same; apply: (over_agree extF) => l lD _; apply: same. Qed.

(* A label that is renumbered within its size, under an operation that does not mind the order. *)
Lemma over_renumbered (D : {pred nat}) (r : nat -> nat -> nat) ls F F' e :
  (forall s s', perm_eq s s' -> f s = f s') -> ext D F -> (forall e, F' e = F (fun l => r l (e l))) ->
  (forall x, x \in ls -> perm_eq [seq r x.1 i | i <- iota 0 (count_of m x.2)] (iota 0 (count_of m x.2))) ->
  over m f ls F' e = over m f ls F (fun l => r l (e l)).
Proof.
move=> symm extF same; elim: ls e => [|x ls IH] e perms /=; first by rewrite same.
transitivity (f [seq over m f ls F (upd (fun l => r l (e l)) x.1 i) | i <- [seq r x.1 i | i <- iota 0 (count_of m x.2)]]).
  rewrite -map_comp; congr f; apply: eq_map => i; rewrite IH => [|y yl]; last by apply: perms; rewrite inE yl orbT.
  by apply: (over_ext _ extF) => l _; rewrite /upd /=; case: eqP => // ->.
by apply: symm; apply/perm_map/perms; rewrite inE eqxx.
Qed.
End Over.

Lemma bind_map out e l : l \in out -> bind out [seq e l | l <- out] l = e l.
Proof. by move=> lo; rewrite /bind (nth_map l) ?index_mem // nth_index. Qed.

Lemma map_bind out ix : uniq out -> size ix = size out -> [seq bind out ix l | l <- out] = ix.
Proof.
move=> uo so; apply: (@eq_from_nth _ 0%N); rewrite size_map // => i io.
by rewrite (nth_map 0%N) // /bind index_uniq.
Qed.

Section Bodies.
Variables (R : comRingType) (m : meaning R).
Implicit Types (rows : seq (nat * seq place)).

Lemma at_ext i : ext (mem (labels_of i)) (at_ m ^~ i).
Proof.
elim: i => [l | k | z | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb | a IHa b IHb] e e' same //=;
  try exact/same/mem_head.
all: by rewrite (IHa e e') ?(IHb e e') // => l lb; apply: same; apply: (_ : l \in _ ++ _); rewrite mem_cat lb ?orbT.
Qed.

Lemma ats_ext rows r : r \in rows -> ext (mem (labels rows)) (fun e => [seq at_ m e i | i <- r.2]).
Proof.
move=> inr e e' same; apply/eq_in_map => i ir; apply: at_ext => l li; apply: same.
apply/flattenP; exists (labels_of i) => //; apply: map_f; apply/flattenP; exists r.2 => //; exact: map_f.
Qed.

Lemma body_ext cells rows : ext (mem (labels rows)) (body m cells rows).
Proof. by move=> e e' same; apply: eq_big_seq => r inr; congr (get _ _ _); apply: (ats_ext inr). Qed.

Lemma body_ok_ext cells rows : ext (mem (labels rows)) (body_ok m cells rows).
Proof. by move=> e e' same; apply: eq_in_all => r inr; congr (ok _ _ _); apply: (ats_ext inr). Qed.

Lemma total_symmetric (s s' : seq R) : perm_eq s s' -> total s = total s'.
Proof. exact: perm_big. Qed.

Lemma every_symmetric s s' : perm_eq s s' -> every s = every s'.
Proof. exact: perm_all. Qed.

Lemma over_scaled (D : {pred nat}) ls c (F : env -> R) e : ext D c -> (forall x, x \in ls -> x.1 \notin D) ->
  over m (@total R) ls (fun e => c e * F e) e = c e * over m (@total R) ls F e.
Proof.
move=> extc; elim: ls e => [|x ls IH] e away //=; rewrite /total !big_map mulr_sumr; apply: eq_bigr => i _.
rewrite IH => [|y yl]; last by apply: away; rewrite inE yl orbT.
congr (_ * _); apply: extc => l lD; rewrite upd_other //; apply: contraTneq lD => ->.
by apply: away; rewrite inE eqxx.
Qed.

Lemma size_insert (T : Type) p (x : T) s : size (insert p x s) = (size s).+1.
Proof. by rewrite /insert size_cat /= addnS -size_cat cat_take_drop. Qed.

Lemma put_cons (T : Type) p (x y : T) s : put p.+1 x (y :: s) = y :: put p x s. Proof. by []. Qed.

Lemma put_0 (T : Type) (x y : T) s : put 0 x (y :: s) = x :: s. Proof. by rewrite /put /insert /without !take0 /= !drop0. Qed.

Lemma size_put (T : Type) p (x : T) s : (p < size s)%N -> size (put p x s) = size s.
Proof.
elim: p s => [|p IH] [|y s] // ps; first by rewrite put_0.
by rewrite put_cons /= IH.
Qed.

Lemma joined_in (rows : seq (nat * extent)) i a k : joined m rows i = Some (a, k) -> exists2 r, r \in rows & r.1 = a.
Proof.
elim: rows i => [|[b z] rows IH] i //=; case: ifP => _ [].
  by move=> <- _; exists (b, z); rewrite ?mem_head.
by move/IH => [r inr ra]; exists r; rewrite // inE inr orbT.
Qed.

Lemma size_without (T : Type) p (s : seq T) : (p < size s)%N -> size (without p s) = (size s).-1.
Proof. by move=> ps; rewrite /without size_cat size_take size_drop ps -[in RHS](subnKC ps). Qed.
End Bodies.
