(* Matrices of forms, which a group keeps: [[0, I], [-I, 0]] under Sp(n), U(n) and SU(n), diag(1, -1, ..., -1) under the
   Lorentz group. A program has them as functions without arguments, of which theorems suppose that they turn as their
   types say; here they do, and stay what they are. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Environments Moves Turns Checked.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(* Where Q^T B Q = B, and the square of B is a unit, Q and its dual D keep B from the other side, too. *)
Lemma kept_both (R : comUnitRingType) n (Q D B : 'M[R]_n) (c : R) : Q^T *m D = 1%:M -> c \is a GRing.unit ->
  B *m B = c%:M -> Q^T *m B *m Q = B -> Q *m B *m Q^T = B /\ D *m B *m D^T = B.
Proof.
move=> QD uc BB kept; have DQ : D *m Q^T = 1%:M.
  by rewrite -[LHS]trmxK trmx_mul trmxK; rewrite (mulmx1C (A := D^T)) ?trmx1 // -[LHS]trmxK trmx_mul !trmxK QD trmx1.
have QDt : Q *m D^T = 1%:M by rewrite -[LHS]trmxK trmx_mul trmxK DQ trmx1.
have BQ : B *m Q = D *m B by rewrite -[in RHS]kept !mulmxA DQ mul1mx.
have QB : Q *m B = B *m D.
  have : c%:M *m (Q *m B) = c%:M *m (B *m D).
    have BQB : B *m (Q *m B) = D *m c%:M by rewrite mulmxA BQ -mulmxA BB.
    by rewrite -{1}BB -mulmxA BQB mulmxA scalar_mxC.
  by rewrite !mul_scalar_mx => /(congr1 ( *:%R c^-1)); rewrite !scalerA mulVr // !scale1r.
split; first by rewrite QB -mulmxA DQ mulmx1.
by rewrite -BQ -mulmxA QDt mulmx1.
Qed.

Section Form.
Variables (R : comUnitRingType) (m : meaning R) (fam : family) (g : extent) (Q D B : 'M[R]_(count_of m g)).

Definition form : cell R := (fun ix => if ix is [:: i; j] then entries B i j else 0, fun=> true).

Definition both (k : kind) : rtype := ([:: [:: (k, g)]; [:: (k, g)]], 0).
Definition own (k : kind) := if (k == Dual) && linear fam then D else Q.

Lemma entries_out (A : 'M[R]_(count_of m g)) i j : (i < count_of m g)%N && (j < count_of m g)%N = false -> entries A i j = 0.
Proof. by rewrite /entries; case: insubP => // i' i_n _; case: insubP => // j' j_n _; rewrite i_n j_n. Qed.

Lemma form_kept W k : standard k -> own k *m B *m (own k)^T = B -> turned_by fam Q D W form form (both k).
Proof.
move=> kF kept; have all_of (F : nat -> R) : \sum_(i <- iota 0 (count_of m g)) F i = \sum_(i < count_of m g) F i.
  by have -> : iota 0 (count_of m g) = index_iota 0 (count_of m g); rewrite ?big_mkord // /index_iota subn0.
have width1 : count_of m (width [:: (k, g)]) = count_of m g by rewrite /width /= cats0.
pose mat := matrix m fam g (entries Q) (entries D) (\det Q) (fun l z => entries (W l z)) [:: (k, g)].
have matE i j : mat i j = entries (own k) i j.
  rewrite /mat /= /own; case: ifP => i_n; last by rewrite entries_out ?i_n // if_same.
  case: ifP => j_n; last by rewrite entries_out ?i_n ?j_n.
  by move: kF; case: (k) => //=; rewrite eqxx //; case: (linear fam).
split=> [ix | ix jx _] //; case: ix => [|i [|j []]] // _; rewrite expr0z mul1r.
transitivity (\sum_(a <- iota 0 (count_of m g)) entries (own k) i a *
    \sum_(b <- iota 0 (count_of m g)) entries (own k) j b * entries B a b); last first.
  symmetry; transitivity (\sum_(a <- iota 0 (count_of m (width [:: (k, g)])))
      mat i a * \sum_(b <- iota 0 (count_of m (width [:: (k, g)])))
      mat j b * entries B a b) => //.
  rewrite width1; apply: eq_bigr => a _; rewrite matE; congr (_ * _).
  by apply: eq_bigr => b _; rewrite matE.
rewrite [LHS]/=; case: (ltnP i (count_of m g)) => i_n; last first.
  by rewrite entries_out ?[(i < _)%N]ltnNge ?i_n // big1 // => a _; rewrite entries_out ?mul0r // ltnNge i_n.
case: (ltnP j (count_of m g)) => j_n; last first.
  rewrite entries_out ?[(j < _)%N]ltnNge ?j_n ?andbF // big1 // => a _; rewrite big1 ?mulr0 // => b _.
  by rewrite entries_out ?mul0r // ltnNge j_n.
rewrite -[i]/(val (Ordinal i_n)) -[j]/(val (Ordinal j_n)) entriesE -{1}kept -mulmxA mxE all_of.
apply: eq_bigr => a _; rewrite entriesE !mxE all_of; congr (_ * _).
by apply: eq_bigr => b _; rewrite !entriesE mxE mulrC.
Qed.

(* What a fact `Typed [::] (both k)` supposes of a function without arguments, whose value is the matrix. *)
Lemma form_typed W k h : standard k -> own k *m B *m (own k)^T = B ->
  whl m h [::] = form.1 -> (forall ix, whl_ok m h [::] ix) -> turned_by fam Q D W (call m h [::]) (call m h [::]) (both k).
Proof.
move=> kF kept val def; have [v d] := form_kept W kF kept; split=> [ix six | ix jx nr].
  by rewrite /call /= val; apply: v.
by rewrite /call /= !def.
Qed.
End Form.

Print Assumptions kept_both.
Print Assumptions form_kept.
Print Assumptions form_typed.
