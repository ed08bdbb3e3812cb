(* my23.prop3.1.continuous-g: a continuous f of Proposition 3.1 need not have a g that is continuous at 0.

   f(X) = (x_1 . x_2) x_1 / (|x_1|^2 + |x_2|^2), n = 2: a quotient away from 0, and |f(X)| <= |x_1| / 2. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Orthogonal MaYing.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Continuity.
Variable R : realFieldType.

(* Entries as near to those at 0 as one likes, at all Gram matrices with entries near enough to 0. *)
Definition continuous_at_0 n m (g : 'M[R]_n -> 'M[R]_(n, m)) :=
  forall eps, 0 < eps -> exists2 delta, 0 < delta &
    forall G : 'M[R]_n, (forall i j, `|G i j| < delta) -> forall i j, `|g G i j - g 0 i j| < eps.

Definition f d (X : 'M[R]_(d, 2)) : 'cV[R]_d :=
  ((X^T *m X) 0 ord_max / ((X^T *m X) 0 0 + (X^T *m X) ord_max ord_max)) *: col 0 X.

Lemma f_equivariant d : equivariant (@f d).
Proof. by move=> Q X oQ; rewrite /f orthogonal_gram // col_mul scalemxAr. Qed.

(* f(X) at d = 1, X = (a, b). *)
Definition pair (a b : R) : 'M[R]_(1, 2) := \row_k (if k == 0 then a else b).

Lemma pair_gram a b i j : ((pair a b)^T *m pair a b) i j = pair a b 0 i * pair a b 0 j.
Proof. by rewrite !mxE big_ord1 !mxE. Qed.

Lemma f_pair a b : f (pair a b) 0 0 = a * b / (a * a + b * b) * a.
Proof. by rewrite /f mxE !pair_gram !mxE. Qed.

Theorem my23_prop3_1_continuous_g :
  ~ (exists2 g : 'M[R]_2 -> 'M[R]_(2, 1), continuous_at_0 g &
       forall X : 'M[R]_(1, 2), f X = X *m g (X^T *m X)).
Proof.
case=> g continuous fE.
have [|delta delta0 near] := continuous (8%:R^-1); first by rewrite invr_gt0 ltr0n.
have [t t0 tt] : exists2 t : R, 0 < t & t * t < delta.
  have pos : 0 < 1 + delta by rewrite addr_gt0 // ltr01.
  have t0 : 0 < delta / (1 + delta) by rewrite divr_gt0.
  exists (delta / (1 + delta)) => //; apply: (@Order.POrderTheory.lt_trans _ _ (delta / (1 + delta))).
    by rewrite gtr_pmull // ltr_pdivr_mulr // mul1r ltr_addr ltr01.
  by rewrite ltr_pdivr_mulr // mulrDr mulr1 ltr_addl mulr_gt0.
have nt : t != 0 by rewrite lt0r_neq0.
have close a b k : (a == 0) || (a == t) -> (b == 0) || (b == t) ->
    `|g ((pair a b)^T *m pair a b) k 0 - g 0 k 0| < 8%:R^-1.
  move=> a0t b0t; apply: near => i j; rewrite pair_gram !mxE.
  have small (c c' : R) : (c == 0) || (c == t) -> (c' == 0) || (c' == t) -> `|c * c'| < delta.
    case/orP => /eqP ->; case/orP => /eqP ->; rewrite ?mul0r ?mulr0 ?normr0 //.
    by rewrite ger0_norm ?mulr_ge0 // Order.POrderTheory.ltW.
  by case: (i == 0); case: (j == 0); apply: small.
have value a b : f (pair a b) 0 0 =
    a * g ((pair a b)^T *m pair a b) 0 0 + b * g ((pair a b)^T *m pair a b) ord_max 0.
  rewrite fE !mxE !big_ord_recl big_ord0 addr0 !mxE /=; congr (_ + _ * g _ _ _).
  exact: val_inj.
have first : g ((pair t 0)^T *m pair t 0) 0 0 = 0.
  by move: (value t 0); rewrite f_pair !(mulr0, mul0r, addr0) => /esym/eqP; rewrite mulf_eq0 (negbTE nt) => /eqP.
have second : g ((pair 0 t)^T *m pair 0 t) ord_max 0 = 0.
  by move: (value 0 t); rewrite f_pair !(mulr0, mul0r, add0r) => /esym/eqP; rewrite mulf_eq0 (negbTE nt) => /eqP.
have both : g ((pair t t)^T *m pair t t) 0 0 + g ((pair t t)^T *m pair t t) ord_max 0 = 2%:R^-1.
  apply: (mulfI nt); rewrite mulrDr -value f_pair -mulr2n -mulr_natl invfM mulrCA mulfV ?mulf_neq0 //.
  by rewrite mulr1 mulrC.
have := close t 0 0 (introT orP (or_intror (eqxx t))) (introT orP (or_introl (eqxx 0))).
have := close 0 t ord_max (introT orP (or_introl (eqxx 0))) (introT orP (or_intror (eqxx t))).
have := close t t 0 (introT orP (or_intror (eqxx t))) (introT orP (or_intror (eqxx t))).
have := close t t ord_max (introT orP (or_intror (eqxx t))) (introT orP (or_intror (eqxx t))).
rewrite first second !sub0r !normrN => b1 a1 b0 a0.
have twice (k : nat) : (0 < k)%N -> (2 * k)%:R^-1 + (2 * k)%:R^-1 = k%:R^-1 :> R.
  move=> k0; rewrite -mulr2n -(mulr_natl _ 2) natrM invfM mulrA divff ?mul1r //.
  by rewrite pnatr_eq0.
have whole (x y : R) : `|x - y| < 8%:R^-1 -> `|y| < 8%:R^-1 -> `|x| < 4%:R^-1.
  move=> xy y8; rewrite -[x](subrK y) -(twice 4%N) //.
  by apply: Order.POrderTheory.le_lt_trans (ler_norm_add _ _) _; rewrite ltr_add.
have := ltr_add (whole _ _ a1 a0) (whole _ _ b1 b0); rewrite (twice 2%N) // => less.
have := Order.POrderTheory.le_lt_trans (ler_norm_add _ _) less.
by rewrite both ger0_norm ?Order.POrderTheory.ltxx // invr_ge0 ler0n.
Qed.

End Continuity.

Print Assumptions my23_prop3_1_continuous_g.
