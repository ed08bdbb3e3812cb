(* Proposition 4.1 of Ma and Ying as printed, for n fixed: the coefficients are rho(y_i, y_j, sum of psi(y_k)).

   Tokens may be any: the sums take values in R x R^T, the first entry counting tokens, the others each kind of token,
   so that psi is the same for every function and every n. rho reads the multiset off the sum, hence is defined on
   sums of psi; no choice axiom is used. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Prop41.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Codes.
Variables (R : numFieldType) (T : choiceType).

(* psi(x): one token, and it is x. *)
Definition psi (x : T) : R * (T -> R) := (1, fun z => (x == z)%:R).

(* The sum of psi over the places k outside A, entry by entry. *)
Definition psi_sum n (A : {set 'I_n}) (x : 'I_n -> T) : R * (T -> R) :=
  (\sum_(k | k \notin A) (psi (x k)).1, fun z => \sum_(k | k \notin A) (psi (x k)).2 z).

(* v is the sum of psi over the elements of s, so far as the elements of s tell. *)
Definition encodes (v : R * (T -> R)) (s : seq T) : bool :=
  (v.1 == (size s)%:R) && all (fun z => v.2 z == (count_mem z s)%:R) s.

(* The sums of psi. *)
Definition code := {v : R * (T -> R) | exists s, encodes v s}.
Definition decode (v : code) : seq T := xchoose (proj2_sig v).

Lemma sum_others n (A : {set 'I_n}) (x : 'I_n -> T) (p : pred T) :
  \sum_(k | k \notin A) (p (x k))%:R = (count p (others A x))%:R :> R.
Proof.
have -> : \sum_(k | k \notin A) (p (x k))%:R = \sum_(y <- others A x) (p y)%:R :> R.
  by rewrite /others big_map big_filter big_enum_cond.
by elim: (others A x) => [|y s IH]; rewrite ?big_nil // big_cons IH /= natrD.
Qed.

(* What encodes the sum over the tokens of a list is the list, in some order. *)
Lemma encodes_unique (s s0 : seq T) v :
  v.1 = (size s0)%:R -> (forall z, v.2 z = (count_mem z s0)%:R) -> encodes v s -> perm_eq s s0.
Proof.
move=> v1 v2 /andP [/eqP]; rewrite v1 => /eqP; rewrite eqr_nat => /eqP sizes /allP counts.
have same z : z \in s -> count_mem z s0 = count_mem z s.
  by move/counts; rewrite v2 eqr_nat => /eqP.
have part : perm_eq [seq z <- s0 | z \in s] s.
  apply/allP => z; rewrite /= count_filter => _; apply/eqP.
  have [zs | zs] := boolP (z \in s).
    by rewrite -same //; apply: eq_count => y /=; case: eqP => // ->.
  rewrite (count_memPn zs); apply/eqP; rewrite -leqn0 leqNgt -has_count; apply/hasPn => y _ /=.
  by apply: contra zs => /andP [/eqP <-].
have full : all (mem s) s0 by rewrite all_count -size_filter (perm_size part) sizes.
by move/all_filterP: full part => ->; rewrite perm_sym.
Qed.

Lemma encodes_self (s : seq T) v :
  v.1 = (size s)%:R -> (forall z, v.2 z = (count_mem z s)%:R) -> encodes v s.
Proof. by move=> v1 v2; rewrite /encodes v1 eqxx; apply/allP => z _; rewrite v2. Qed.

Lemma psi_sum_size n (A : {set 'I_n}) (x : 'I_n -> T) : (psi_sum A x).1 = (size (others A x))%:R.
Proof. by rewrite -(count_predT (others A x)) -sum_others. Qed.

Lemma psi_sum_count n (A : {set 'I_n}) (x : 'I_n -> T) z : (psi_sum A x).2 z = (count_mem z (others A x))%:R.
Proof. by rewrite -sum_others. Qed.

(* The sum of psi over the tokens but those of A, as an argument of rho. *)
Definition total n (A : {set 'I_n}) (x : 'I_n -> T) : code :=
  exist _ (psi_sum A x) (ex_intro _ (others A x) (encodes_self (psi_sum_size A x) (psi_sum_count A x))).

Lemma decode_total n (A : {set 'I_n}) (x : 'I_n -> T) : perm_eq (decode (total A x)) (others A x).
Proof.
apply: encodes_unique (psi_sum_size A x) (psi_sum_count A x) _.
exact: (xchooseP (proj2_sig (total A x))).
Qed.

(* The others of a list whose first elements are left out. *)
Lemma others_drop n (s : seq T) (x0 : T) (A : {set 'I_n}) m :
  size s = n -> (m <= n)%N -> (forall k, (k \in A) = (k < m)%N) -> others A (fun k => nth x0 s k) = drop m s.
Proof.
move=> sn mn inA; rewrite /others.
have -> : [seq k <- enum 'I_n | k \notin A] = [seq k <- enum 'I_n | preim val (leq m) k].
  by apply: eq_filter => k; rewrite /= inA -leqNgt.
rewrite (map_comp (nth x0 s) val) -(filter_map val) val_enum_ord -(subnKC mn) iotaD add0n filter_cat.
have -> : filter (leq m) (iota 0 m) = [::].
  by apply/eqP; rewrite -size_eq0 size_filter -leqn0 leqNgt -has_count; apply/hasPn => k; rewrite mem_iota -ltnNge.
have /all_filterP -> : all (leq m) (iota m (n - m)) by apply/allP => k; rewrite mem_iota => /andP [].
by rewrite map_nth_iota ?subnKC ?sn // take_oversize // size_drop sn.
Qed.

End Codes.

Section Coefficients.
Variables (R : numFieldType) (k : nat).
Let token := [choiceType of 'cV[R]_k].

(* What prop41_full says of the coefficients h. *)
Definition symmetric_coefficients n (h : 'M[R]_(k, n) -> 'M[R]_n) :=
  forall (Y Y' : 'M[R]_(k, n)) i j i' j',
    (i == j) = (i' == j') -> column Y i = column Y' i' -> column Y j = column Y' j' ->
    perm_eq (others [set i; j] (column Y)) (others [set i'; j'] (column Y')) -> h Y i j = h Y' i' j'.

(* The sequence of given tokens. *)
Definition sequence n (s : seq 'cV[R]_k) : 'M[R]_(k, n) := \matrix_(a, b) nth 0 s b a 0.

Lemma sequence_column n s b : column (@sequence n s) b = nth 0 s b.
Proof. by apply/matrixP => a c; rewrite !mxE ord1. Qed.

Lemma others_sequence n (A : {set 'I_n}) (s : seq token) m :
  size s = n -> (m <= n)%N -> (forall l, (l \in A) = (l < m)%N) -> others A (column (sequence n s)) = drop m s.
Proof.
move=> sn mn inA; rewrite -(others_drop (0 : token) sn mn inA).
by apply: eq_map => l; rewrite sequence_column.
Qed.

Lemma size_decode n (A : {set 'I_n}) (x : 'I_n -> token) : size (decode (total R A x)) = (n - #|A|)%N.
Proof.
rewrite (perm_size (decode_total R A x)) /others size_map size_filter -sum1_count big_enum_cond sum1_card.
rewrite -[X in (X - _)%N]card_ord -(cardC (mem A)) addKn.
by apply: eq_card => l; rewrite !inE.
Qed.

Lemma off_diagonal n (h : 'M[R]_(k, n) -> 'M[R]_n) :
  symmetric_coefficients h ->
  exists rho2 : 'cV[R]_k -> 'cV[R]_k -> code R token -> R,
    forall Y i j, i != j -> h Y i j = rho2 (column Y i) (column Y j) (total R [set i; j] (column Y)).
Proof.
case: n h => [|[|n]] h sym; try by exists (fun _ _ _ => 0) => Y i j; rewrite ?ord1 ?eqxx //; case: i.
exists (fun x y v => h (sequence _ (x :: y :: decode v)) ord0 (lift ord0 ord0)) => Y i j ij.
apply: sym; rewrite ?sequence_column //; first by rewrite (negbTE ij).
have pair : #|[set i; j]| = 2%N by rewrite cards2 ij.
rewrite (@others_sequence _ _ _ 2) /= ?drop0 //; first by rewrite perm_sym; exact: decode_total.
  by rewrite size_decode pair !subSS subn0.
by move=> l; rewrite !inE -!val_eqE /=; case: (val l) => [|[|m]].
Qed.

Lemma diagonal n (h : 'M[R]_(k, n) -> 'M[R]_n) :
  symmetric_coefficients h ->
  exists rho1 : 'cV[R]_k -> code R token -> R,
    forall Y i, h Y i i = rho1 (column Y i) (total R [set i] (column Y)).
Proof.
case: n h => [|n] h sym; first by exists (fun _ _ => 0) => Y [].
exists (fun x v => h (sequence _ (x :: decode v)) ord0 ord0) => Y i.
apply: sym; rewrite ?sequence_column ?eqxx // !setUid.
rewrite (@others_sequence _ _ _ 1) /= ?drop0 //; first by rewrite perm_sym; exact: decode_total.
  by rewrite size_decode cards1 subSS subn0.
by move=> l; rewrite !inE -val_eqE /=; case: (val l) => [|m].
Qed.

(* Proposition 4.1 with (B.1). *)
Theorem prop41_sums d n (Z : 'M[R]_(d, k)) (g : 'M[R]_(k, n) -> 'M[R]_n) :
  permutation_equivariant (fun X : 'M[R]_(d, n) => X *m g (Z^T *m X)) ->
  exists (h : 'M[R]_(k, n) -> 'M[R]_n)
    (rho1 : 'cV[R]_k -> code R token -> R) (rho2 : 'cV[R]_k -> 'cV[R]_k -> code R token -> R),
    [/\ forall X : 'M[R]_(d, n), X *m h (Z^T *m X) = X *m g (Z^T *m X),
        forall Y i, h Y i i = rho1 (column Y i) (total R [set i] (column Y))
      & forall Y i j, i != j ->
          h Y i j = rho2 (column Y i) (column Y j) (total R [set i; j] (column Y))].
Proof.
move=> /prop41_full [h [same sym]].
have [rho1 one] := diagonal sym; have [rho2 two] := off_diagonal sym.
by exists h, rho1, rho2.
Qed.

End Coefficients.

Print Assumptions prop41_sums.
