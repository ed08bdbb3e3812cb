(* Theorems of Ma and Ying, "Why Self-Attention is Natural for Sequence-to-Sequence Problems? A Perspective
   from Symmetries", section 3 and Appendix A, over any real field; and Lemma 3 of Deep Sets.

   A sequence of n tokens in R^d is a matrix X of shape d x n. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Orthogonal.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Equivariance.
Variable R : realFieldType.

(* Definition 3.1, at fixed n; the result may have another number m of columns. *)
Definition equivariant d n m (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) :=
  forall Q X, orthogonal Q -> f (Q *m X) = Q *m f X.

(* Proposition 3.1, the converse: X g(X^T X) is equivariant, for every g. *)
Theorem prop31_sufficient d n m (g : 'M[R]_n -> 'M[R]_(n, m)) :
  equivariant (fun X : 'M[R]_(d, n) => X *m g (X^T *m X)).
Proof. by move=> Q X oQ; rewrite orthogonal_gram // mulmxA. Qed.

(* Appendix A: the columns of f(X) lie in the span of the columns of X. *)
Theorem prop31_span d n m (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) X :
  equivariant f -> exists C, f X = X *m C.
Proof.
move=> ef.
have one j : exists c : 'cV[R]_n, col j (f X) = X *m c.
  have [c ortho] := orthogonal_part X (col j (f X)); exists c.
  set u := col j (f X) - X *m c in ortho.
  have [/eqP u0 | nz] := boolP (u == 0); first by apply/eqP; rewrite -subr_eq0; apply/eqP.
  have fixX : householder u *m X = X.
    by apply: householder_fix; rewrite -[LHS]trmxK trmx_mul trmxK ortho trmx0.
  have fixW : householder u *m col j (f X) = col j (f X).
    by rewrite -!col_mul -(ef _ _ (householder_orthogonal nz)) fixX.
  have wE : col j (f X) = u + X *m c by rewrite /u subrK.
  move: fixW; rewrite {1}wE mulmxDr householder_flip // mulmxA fixX wE => /addIr e.
  have : u + u == 0 by rewrite -{1}e addNr.
  by rewrite -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 /= (negbTE nz).
have [c cP] := fin_all_exists one.
exists (\matrix_(i, j) c j i 0); apply/matrixP => i j.
by move/matrixP/(_ i 0): (cP j); rewrite !mxE => ->; apply: eq_bigr => k _; rewrite !mxE.
Qed.

(* Appendix A: equal Gram matrices, then one is an orthogonal image of the other (Witt, Cartan, Dieudonne). *)
Theorem gram_orbit d n (X Y : 'M[R]_(d, n)) :
  X^T *m X = Y^T *m Y -> exists2 Q, orthogonal Q & Y = Q *m X.
Proof.
elim: n X Y => [|n IH] X Y same.
  by exists 1%:M; [exact: orthogonal1 | rewrite [Y]thinmx0 [_ *m X]thinmx0].
move: X Y same; rewrite -[n.+1]addn1 => X Y.
rewrite -[X]hsubmxK -[Y]hsubmxK; set X' := lsubmx X; set Y' := lsubmx Y.
set x := rsubmx X; set y := rsubmx Y.
rewrite !tr_row_mx !mul_col_row => /eq_block_mx [same' cross _ length].
have [Q' oQ' yE] := IH _ _ same'.
pose z := Q' *m x.
have zY : z^T *m Y' = y^T *m Y'.
  by rewrite {1}yE /z orthogonal_gram //; move: (congr1 trmx cross); rewrite !trmx_mul !trmxK.
have zz : z^T *m z = y^T *m y by rewrite /z orthogonal_gram.
have [/eqP e | nz] := boolP (z - y == 0).
  exists Q' => //; rewrite mul_mx_row -yE; congr row_mx.
  by apply/esym/eqP; rewrite -subr_eq0 e.
exists (householder (z - y) *m Q'); first exact: orthogonalM (householder_orthogonal nz) oQ'.
rewrite -mulmxA mul_mx_row -yE mul_mx_row -/z householder_swap // householder_fix //.
by rewrite linearB /= mulmxBl zY subrr.
Qed.

(* A generalised inverse of a Gram matrix undoes it on the left of X. *)
Lemma gram_inverse d n (X : 'M[R]_(d, n)) : X *m (pinvmx (X^T *m X))^T *m (X^T *m X) = X.
Proof.
have [G GE] : exists G, G = X^T *m X by exists (X^T *m X).
rewrite -GE; have symG : G^T = G by rewrite GE trmx_mul trmxK.
have inner : G *m (pinvmx G)^T *m G = G.
  move/(congr1 trmx): (mulmxKpV (submx_refl G)).
  by rewrite trmx_mul [(G *m pinvmx G)^T]trmx_mul symG mulmxA.
set D := X *m (pinvmx G)^T *m G - X.
suff : D = 0 by rewrite /D => /eqP; rewrite subr_eq0 => /eqP.
have ortho : X^T *m D = 0 by rewrite /D mulmxBr !mulmxA -GE inner subrr.
have form : D = X *m ((pinvmx G)^T *m G - 1%:M) by rewrite /D mulmxBr mulmx1 mulmxA.
clearbody D; apply/matrixP => i j; rewrite [RHS]mxE.
have -> : D i j = (col j D) i 0 by rewrite mxE.
suff /eqP -> : col j D == 0 by rewrite mxE.
rewrite -square_eq0 /square.
have -> : (col j D)^T *m col j D = (col j ((pinvmx G)^T *m G - 1%:M))^T *m (X^T *m col j D).
  by rewrite {1}form col_mul trmx_mul mulmxA.
by rewrite -col_mul ortho col0 mulmx0 mxE.
Qed.

(* Proposition 3.1: every equivariant f is X g, and g can be chosen as a function of the Gram matrix X^T X alone:
   g has one value on all X of one Gram matrix. *)
Theorem prop31 d n m (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) :
  equivariant f ->
  exists g : 'M[R]_(d, n) -> 'M[R]_(n, m),
    (forall X, f X = X *m g X) /\ (forall X Y, X^T *m X = Y^T *m Y -> g X = g Y).
Proof.
move=> ef; exists (fun X => (pinvmx (X^T *m X))^T *m (X^T *m f X)); split=> [X | X Y same].
  have [C ->] := prop31_span X ef.
  rewrite [X^T *m (X *m C)]mulmxA [(pinvmx _)^T *m _]mulmxA mulmxA.
  by rewrite [X *m ((pinvmx _)^T *m _)]mulmxA gram_inverse.
have [Q oQ ->] := gram_orbit same.
by rewrite ef // !orthogonal_gram.
Qed.

(* The choice above is invariant: g(QX) = g(X). *)
Corollary prop31_coefficient_invariance d n m (f : 'M[R]_(d, n) -> 'M[R]_(d, m)) :
  equivariant f ->
  exists2 g : 'M[R]_(d, n) -> 'M[R]_(n, m),
    forall X, f X = X *m g X & forall Q X, orthogonal Q -> g (Q *m X) = g X.
Proof.
move=> ef; have [g [fE inv]] := prop31 ef; exists g => // Q X oQ.
by apply: inv; rewrite orthogonal_gram.
Qed.

(* Appendix A, first fundamental theorem: an invariant function has one value on all X of one Gram matrix. *)
Theorem prop31_fft d n (T : Type) (g : 'M[R]_(d, n) -> T) :
  (forall Q X, orthogonal Q -> g (Q *m X) = g X) ->
  forall X Y, X^T *m X = Y^T *m Y -> g X = g Y.
Proof. by move=> inv X Y /gram_orbit [Q oQ ->]; rewrite inv. Qed.

(* Definition 3.2 and Proposition 3.2: equivariance with knowledge Z. *)
Definition equivariant_with_knowledge d n k m (f : 'M[R]_(d, n) -> 'M[R]_(d, k) -> 'M[R]_(d, m)) :=
  forall Q X Z, orthogonal Q -> f (Q *m X) (Q *m Z) = Q *m f X Z.

Theorem prop32_sufficient d n k m
    (g1 : 'M[R]_n -> 'M[R]_(k, n) -> 'M[R]_k -> 'M[R]_(n, m))
    (g2 : 'M[R]_n -> 'M[R]_(k, n) -> 'M[R]_k -> 'M[R]_(k, m)) :
  equivariant_with_knowledge (fun (X : 'M[R]_(d, n)) (Z : 'M[R]_(d, k)) =>
    X *m g1 (X^T *m X) (Z^T *m X) (Z^T *m Z) + Z *m g2 (X^T *m X) (Z^T *m X) (Z^T *m Z)).
Proof. by move=> Q X Z oQ; rewrite !orthogonal_gram // mulmxDr !mulmxA. Qed.

Theorem prop32 d n k m (f : 'M[R]_(d, n) -> 'M[R]_(d, k) -> 'M[R]_(d, m)) :
  equivariant_with_knowledge f ->
  exists (g1 : 'M[R]_(d, n) -> 'M[R]_(d, k) -> 'M[R]_(n, m)) (g2 : 'M[R]_(d, n) -> 'M[R]_(d, k) -> 'M[R]_(k, m)),
    (forall X Z, f X Z = X *m g1 X Z + Z *m g2 X Z) /\
    (forall X Z X' Z', X^T *m X = X'^T *m X' -> Z^T *m X = Z'^T *m X' -> Z^T *m Z = Z'^T *m Z' ->
       g1 X Z = g1 X' Z' /\ g2 X Z = g2 X' Z').
Proof.
move=> ef; pose F (W : 'M[R]_(d, n + k)) := f (lsubmx W) (rsubmx W).
have eF : equivariant F.
  by move=> Q W oQ; rewrite /F -{1 2}[W]hsubmxK mul_mx_row row_mxKl row_mxKr ef.
have [g [FE inv]] := prop31 eF.
exists (fun X Z => usubmx (g (row_mx X Z))), (fun X Z => dsubmx (g (row_mx X Z))); split=> [X Z | X Z X' Z' xx zx zz].
  have := FE (row_mx X Z); rewrite /F row_mxKl row_mxKr => ->.
  by rewrite -mul_row_col vsubmxK.
have xz : X^T *m Z = X'^T *m Z' by move: (congr1 trmx zx); rewrite !trmx_mul !trmxK.
suff -> : g (row_mx X Z) = g (row_mx X' Z') by [].
by apply: inv; rewrite !tr_row_mx !mul_col_row xx xz zx zz.
Qed.

End Equivariance.

Section Permutations.
Variable R : comRingType.

(* Lemma 3 of Deep Sets, for the linear part: what commutes with all permutations is lambda I + gamma 1 1^T. *)
Theorem lemma3 n (T : 'M[R]_n) :
  (forall s : 'S_n, perm_mx s *m T = T *m perm_mx s) <->
  exists l c : R, T = l%:M + const_mx c.
Proof.
have right (A : 'M[R]_n) (s : 'S_n) : A *m perm_mx s = col_perm s^-1 A by rewrite col_permE invgK.
split=> [commutes | [l [c ->]] s]; last first.
  rewrite mulmxDr mulmxDl scalar_mxC; congr (_ + _); apply/matrixP => i j.
  by rewrite -row_permE right !mxE.
have moved (s : 'S_n) i j : T (s i) (s j) = T i j.
  by move/matrixP/(_ i (s j)): (commutes s); rewrite -row_permE right !mxE permK.
case: n T right commutes moved => [|[|n]] T _ _ moved.
- by exists 0, 0; apply/matrixP => -[].
- by exists (T 0 0), 0; apply/matrixP => i j; rewrite !ord1 !mxE eqxx addr0 mulr1n.
pose one : 'I_n.+2 := lift ord0 ord0.
have off i j : i != j -> T i j = T ord0 one.
  move=> ij.
  have [s [<- <-]] : exists s : 'S_n.+2, s ord0 = i /\ s one = j.
    pose a := tperm ord0 i; pose b := tperm (a one) j.
    exists (a * b)%g; rewrite !permM /a tpermL; split; last by rewrite tpermL.
    rewrite /b tpermD // eq_sym //.
    by rewrite -{1}(tpermL ord0 i) (inj_eq perm_inj).
  by rewrite moved.
exists (T ord0 ord0 - T ord0 one), (T ord0 one); apply/matrixP => i j; rewrite !mxE.
have [<-{j} | /off ->] := eqVneq i j; last by rewrite mulr0n add0r.
by rewrite mulr1n subrK -(moved (tperm ord0 i) ord0 ord0) tpermL.
Qed.

(* Lemma 3 itself: one layer sigma(Theta x), sigma injective and applied to every entry. *)
Theorem lemma3_layer n (sigma : R -> R) (T : 'M[R]_n) :
  injective sigma ->
  (forall (s : 'S_n) (x : 'cV[R]_n),
     map_mx sigma (T *m (perm_mx s *m x)) = perm_mx s *m map_mx sigma (T *m x)) <->
  exists l c : R, T = l%:M + const_mx c.
Proof.
move=> inj; rewrite -lemma3.
have moved (s : 'S_n) (y : 'cV[R]_n) : perm_mx s *m map_mx sigma y = map_mx sigma (perm_mx s *m y).
  by apply/matrixP => i j; rewrite -!row_permE !mxE.
split=> [layer s | commutes s x]; last by rewrite moved !mulmxA commutes.
apply/matrixP => i j; pose e : 'cV[R]_n := delta_mx j 0.
have column (A : 'M[R]_n) : A i j = (A *m e) i 0 by rewrite -colE mxE.
rewrite !column -!mulmxA; apply: inj.
by move: (layer s e); rewrite moved => /matrixP /(_ i 0); rewrite !mxE => ->.
Qed.

End Permutations.

Print Assumptions prop31.
Print Assumptions prop32.
Print Assumptions gram_orbit.
Print Assumptions lemma3.
Print Assumptions lemma3_layer.
