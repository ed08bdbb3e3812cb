(* The commonest rules in the words of matrices: Q *m X for an orthogonal Q, row_perm and col_perm for a permutation,
   row_perm s A i j = A (s i) j.  Rules.v has them for values with any number of axes. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Rules.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Turned.
Variables (R : comRingType) (d : nat) (Q : 'M[R]_d).
Hypothesis oQ : orthogonal Q.

(* Inner products are invariant ... *)
Lemma gram_turned n m (X : 'M_(d, n)) (Y : 'M_(d, m)) : (Q *m X)^T *m (Q *m Y) = X^T *m Y.
Proof. by rewrite trmx_mul -mulmxA [Q^T *m _]mulmxA oQ mul1mx. Qed.

(* ... and so X g(X^T X) moves along, whatever g is: softmax, say. *)
Lemma attention_turned n m (g : 'M_n -> 'M_(n, m)) (X : 'M_(d, n)) :
  (Q *m X) *m g ((Q *m X)^T *m (Q *m X)) = Q *m (X *m g (X^T *m X)).
Proof. by rewrite gram_turned mulmxA. Qed.

Lemma outer_turned n (X Y : 'M_(d, n)) : (Q *m X) *m (Q *m Y)^T = Q *m (X *m Y^T) *m Q^T.
Proof. by rewrite trmx_mul !mulmxA. Qed.

Lemma apply_turned n (A : 'M_d) (X : 'M_(d, n)) : (Q *m A *m Q^T) *m (Q *m X) = Q *m (A *m X).
Proof. by rewrite -!mulmxA [Q^T *m _]mulmxA oQ mul1mx. Qed.

Lemma trace_turned (A : 'M_d) : \tr (Q *m A *m Q^T) = \tr A.
Proof. by rewrite mxtrace_mulC mulmxA oQ mul1mx. Qed.

End Turned.

Section Permuted.
Variables (R : comRingType) (n : nat) (s : 'S_n).

Lemma gram_permuted d (X Y : 'M[R]_(d, n)) :
  (col_perm s X)^T *m col_perm s Y = row_perm s (col_perm s (X^T *m Y)).
Proof. by apply/matrixP => i j; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE. Qed.

(* A sum over the permuted axis. *)
Lemma product_permuted d m (X : 'M[R]_(d, n)) (Y : 'M_(n, m)) : col_perm s X *m row_perm s Y = X *m Y.
Proof. by apply/matrixP => i j; rewrite !mxE; apply: (sum_moved (s := s)) => k; rewrite !mxE. Qed.

(* The message of a graph to its vertices. *)
Lemma message_permuted m (A : 'M[R]_n) (X : 'M_(n, m)) :
  row_perm s (col_perm s A) *m row_perm s X = row_perm s (A *m X).
Proof. by apply/matrixP => i j; rewrite !mxE; apply: (sum_moved (s := s)) => k; rewrite !mxE. Qed.

(* A function, entry by entry. *)
Lemma map_permuted d (h : R -> R) (X : 'M_(d, n)) : map_mx h (col_perm s X) = col_perm s (map_mx h X).
Proof. by apply/matrixP => i j; rewrite !mxE. Qed.

(* The sum of a function of the columns: Deep Sets. *)
Lemma pooled_permuted d m (phi : 'cV[R]_d -> 'cV[R]_m) (X : 'M_(d, n)) :
  \sum_j phi (col j (col_perm s X)) = \sum_j phi (col j X).
Proof.
rewrite [RHS](reindex_inj (@perm_inj _ s)); apply: eq_bigr => j _; congr phi.
by apply/matrixP => i k; rewrite !mxE.
Qed.

Lemma trace_permuted (A : 'M[R]_n) : \tr (row_perm s (col_perm s A)) = \tr A.
Proof. by apply: (sum_moved (s := s)) => k; rewrite !mxE. Qed.

End Permuted.

Print Assumptions attention_turned.
Print Assumptions pooled_permuted.
