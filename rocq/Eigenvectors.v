(* Eigenvectors that are known up to their signs: the lemmas of the rule `eigenvectors` of the kernel.

   A node holds unit eigenvectors of the symmetric part of a matrix, in the ascending order of their eigenvalues, and has
   no value where two of these are equal. Which of the two of each is meant is not said: a choice at x says it for each
   node of a program. A proof of the kernel has lines that lead from each choice at x to one at g x, at which the result is
   g times what it was, and lines of which those of a node flip the signs of its columns and leave the result as it is. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Orthogonal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Matrices.
Variables (R : realFieldType) (n : nat).
Implicit Types (M S V W A : 'M[R]_n) (s t : 'rV[R]_n).

(* The columns v_k of V are unit eigenvectors of S, S v_k = t_k v_k, and their eigenvalues ascend, no two of them equal. *)
Definition eigenvectors S V t :=
  [/\ S *m V = V *m diag_mx t, forall k, (V^T *m V) k k = 1 & forall j k : 'I_n, (j < k)%N -> t 0 j < t 0 k].

Definition symmetric_part M := 2%:R^-1 *: (M + M^T).

Definition signs s := forall k, s 0 k = 1 \/ s 0 k = -1.

Lemma symmetric_part_tr M : (symmetric_part M)^T = symmetric_part M.
Proof. by rewrite linearZ /= linearD /= trmxK addrC. Qed.

(* Of two systems of eigenvectors of a symmetric matrix, those of different eigenvalues are orthogonal. *)
Lemma eigenvectors_apart S V W s t j k : S^T = S -> S *m V = V *m diag_mx s -> S *m W = W *m diag_mx t ->
  s 0 j != t 0 k -> (V^T *m W) j k = 0.
Proof.
move=> sym sV tW st; have := erefl (V^T *m S *m W); rewrite -{1}mulmxA tW -{1}sym -trmx_mul sV trmx_mul tr_diag_mx.
move=> /matrixP/(_ j k); rewrite -[in RHS]mulmxA mulmxA mul_mx_diag mul_diag_mx !mxE [LHS]mulrC => /eqP.
by rewrite -subr_eq0 -mulrBl mulf_eq0 subr_eq0 eq_sym (negbTE st) => /eqP.
Qed.

Lemma eigenvectors_differ S V t j k : eigenvectors S V t -> j != k -> t 0 j != t 0 k.
Proof. by case=> _ _ up; rewrite -val_eqE neq_ltn => /orP [/up /lt_eqF | /up /gt_eqF] ->. Qed.

(* They are orthonormal, and complete. *)
Lemma eigenvectors_orthogonal S V t : S^T = S -> eigenvectors S V t -> orthogonal V.
Proof.
move=> sym eV; have [vals unit _] := eV; apply/matrixP => j k; rewrite [RHS]mxE.
by case: eqP => [-> | /eqP jk]; [apply: unit | apply: (eigenvectors_apart sym vals vals (eigenvectors_differ eV jk))].
Qed.

(* A V are eigenvectors of A S A^T, of the same eigenvalues in the same order, for orthogonal matrices A. *)
Lemma eigenvectors_moved S V t A : orthogonal A -> eigenvectors S V t -> eigenvectors (A *m S *m A^T) (A *m V) t.
Proof.
move=> oA [vals unit up]; split=> // [|k]; last by rewrite orthogonal_gram.
by rewrite -[_ *m A^T *m _]mulmxA (mulmxA A^T) oA mul1mx -!mulmxA vals.
Qed.

(* The symmetric part of A M A^T is A times that of M times A^T. *)
Lemma symmetric_part_moved M A : symmetric_part (A *m M *m A^T) = A *m symmetric_part M *m A^T.
Proof. by rewrite /symmetric_part !trmx_mul trmxK mulmxA -scalemxAr -scalemxAl mulmxDr mulmxDl. Qed.

(* V s, the columns times 1 or -1, are eigenvectors of the same matrix. *)
Lemma eigenvectors_flipped S V t s : signs s -> eigenvectors S V t -> eigenvectors S (V *m diag_mx s) t.
Proof.
move=> one [vals unit up]; split=> // [|k].
  by rewrite mulmxA vals -!mulmxA [diag_mx t *m _]diag_mxC.
rewrite trmx_mul tr_diag_mx mulmxA mul_mx_diag mxE -mulmxA mul_diag_mx mxE unit mulr1.
by case: (one k) => ->; rewrite ?mulrNN mulr1.
Qed.

(* c S, c > 0, has the eigenvectors of S, in the same order. *)
Lemma eigenvectors_scaled S V t c : 0 < c -> eigenvectors S V t -> eigenvectors (c *: S) V (c *: t).
Proof.
move=> pos [vals unit up]; split=> // [|j k jk]; last by rewrite !mxE -subr_gt0 -mulrBr mulr_gt0 // subr_gt0 up.
by rewrite linearZ /= -scalemxAl vals scalemxAr.
Qed.

(* Two systems of eigenvectors have the same eigenvalues. *)
Lemma eigenvalues_same S V W s t : S^T = S -> eigenvectors S V s -> eigenvectors S W t -> s = t.
Proof.
move=> sym eV eW; pose listed (r : 'rV[R]_n) := [seq r 0 i | i <- enum 'I_n].
have asc X r : eigenvectors S X r -> sorted <%O (listed r).
  case=> _ _ up; rewrite sorted_map; have := iota_ltn_sorted 0 n; rewrite -val_enum_ord sorted_map.
  by apply: sub_sorted => j k /up.
have among X Y r q : eigenvectors S X r -> eigenvectors S Y q -> {subset listed q <= listed r}.
  move=> eX eY _ /mapP [k _ ->]; apply: contraT => out.
  have oX : orthogonal X^T by rewrite /orthogonal trmxK (mulmx1C (eigenvectors_orthogonal sym eX)).
  have [[xv _ _] [yv unit _]] := (eX, eY); have zero j : (X^T *m Y) j k = 0.
    by apply: (eigenvectors_apart sym xv yv); apply: contraNneq out => <-; apply: map_f; apply: mem_enum.
  move: (unit k); rewrite -(orthogonal_gram _ _ oX) mxE big1 => [/esym/eqP | j _]; last by rewrite zero mulr0.
  by rewrite oner_eq0.
have /eq_in_map same : listed s = listed t.
  by apply: (lt_sorted_eq (asc _ _ eV) (asc _ _ eW)) => a; apply/idP/idP; [apply: among eW eV a | apply: among eV eW a].
by apply/matrixP => i j; rewrite ord1 same // mem_enum.
Qed.

(* Two systems of eigenvectors are the same but for signs. *)
Lemma eigenvectors_up_to_signs S V W s t : S^T = S -> eigenvectors S V s -> eigenvectors S W t ->
  exists2 e, signs e & W = V *m diag_mx e.
Proof.
move=> sym eV eW; have same := eigenvalues_same sym eV eW; rewrite -{t}same in eW.
have [[vals _ _] [wals unit _]] := (eV, eW); pose e := \row_k (V^T *m W) k k.
have diag : V^T *m W = diag_mx e.
  apply/matrixP => j k; rewrite [RHS]mxE [e 0 j]mxE; case: (eqVneq j k) => [-> | jk]; first by rewrite mulr1n.
  by rewrite mulr0n; apply: (eigenvectors_apart sym vals wals); apply: eigenvectors_differ eV jk.
have oV := eigenvectors_orthogonal sym eV; have WE : W = V *m diag_mx e by rewrite -diag mulmxA (mulmx1C oV) mul1mx.
exists e => // k; move: (unit k); rewrite WE orthogonal_gram // tr_diag_mx mul_diag_mx [LHS in LHS = _]mxE.
by rewrite [diag_mx e k k]mxE eqxx mulr1n -expr2 => /eqP; rewrite sqrf_eq1 => /orP [/eqP -> | /eqP ->]; [left | right].
Qed.

(* Of the columns at some places f: A V there are A times those, and V s there are those, times the signs there. *)
Lemma eigenvectors_columns p (f : 'I_p -> 'I_n) V A s :
  colsub f (A *m V) = A *m colsub f V /\ colsub f (V *m diag_mx s) = colsub f V *m diag_mx (colsub f s).
Proof. by split; apply/matrixP => i j; rewrite ?mul_mx_diag !mxE //; apply: eq_bigr => k _; rewrite mxE. Qed.
End Matrices.

Section Choices.
(* A choice has a value for each node; it is valid at x where these are eigenvectors of the matrices of the nodes at x. *)
Variables (X Y : Type) (T : nat -> Type).
Definition choice := forall i, T i.
Variables (valid : X -> choice -> Prop) (out : X -> choice -> Y).

Definition agree (n : nat) (c c' : choice) := forall i, (i < n)%N -> c i = c' i.
Definition same_at_every_choice x := forall c c', valid x c -> valid x c' -> out x c = out x c'.

(* Where each choice at x leads to one at g x with g times the result, and the result is the same at all choices at g x, it
   is g times that at x, whatever is chosen. *)
Lemma choices_agree (gx : X -> X) (gy : Y -> Y) x :
  (forall c, valid x c -> exists2 d, valid (gx x) d & out (gx x) d = gy (out x c)) -> same_at_every_choice (gx x) ->
  forall c d, valid x c -> valid (gx x) d -> out (gx x) d = gy (out x c).
Proof. by move=> lead same c d xc xd; have [d' xd' <-] := lead c xc; apply: same. Qed.

(* Where there is no choice at x there is none at g x. *)
Lemma choices_exist (gx hx : X -> X) x : hx (gx x) = x -> (forall y c, valid y c -> exists d, valid (gx y) d) ->
  (forall y c, valid y c -> exists d, valid (hx y) d) -> (exists c, valid x c) <-> (exists c, valid (gx x) c).
Proof. by move=> back g h; split=> -[c xc]; [apply: g xc | have := h _ _ xc; rewrite back]. Qed.

(* Values of a node with the same matrix differ by signs. Where those of each node may be flipped, those of earlier nodes as
   they are and those of later ones becoming anything valid, and the result is as it was, it is the same at all choices. *)
Lemma flips_reach (n : nat) x (flipped : forall i, T i -> T i -> Prop) :
  (forall c c', agree n c c' -> out x c = out x c') ->
  (forall j c c', (j < n)%N -> valid x c -> valid x c' -> agree j c c' -> flipped j (c j) (c' j)) ->
  (forall j c v, (j < n)%N -> valid x c -> flipped j (c j) v ->
    exists c', [/\ valid x c', agree j c c', c' j = v & out x c' = out x c]) ->
  same_at_every_choice x.
Proof.
move=> reads differ flip c d xc xd.
suff [c' [xc' cd <-]] : exists c', [/\ valid x c', agree n c' d & out x c' = out x c] by apply: reads.
elim: {-2}n (leqnn n) => [_ | k IH kn]; first by exists c; split.
have [c' [xc' cd <-]] := IH (ltnW kn); have [e [xe same eq <-]] := flip _ _ _ kn xc' (differ _ _ _ kn xc' xd cd).
exists e; split=> // i; rewrite ltnS leq_eqVlt => /orP [/eqP -> | ik] //.
by rewrite -same // cd.
Qed.
End Choices.

Print Assumptions eigenvectors_moved.
Print Assumptions symmetric_part_moved.
Print Assumptions eigenvectors_flipped.
Print Assumptions eigenvectors_scaled.
Print Assumptions eigenvectors_up_to_signs.
Print Assumptions eigenvectors_columns.
Print Assumptions choices_agree.
Print Assumptions choices_exist.
Print Assumptions flips_reach.
