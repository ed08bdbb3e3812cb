(* Programs that the checker accepts, and near misses that it refuses; all by computation. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From EqvProof Require Import Programs Checker Moves Turns Checked Motions Each Shapes.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.

(* The sizes d and n; an axis on which the group of size d, or n, acts. *)
Definition d : extent := [:: [:: 0]].
Definition n : extent := [:: [:: 1]].
Definition vec : axis := [:: (Std, d)].
Definition cov : axis := [:: (Dual, d)].
Definition tok : axis := [:: (Std, n)].
Definition no : axis := [::].
(* These sizes, and that of entries with an element each, are positive; variable 9, such as n - 1, may be 0. *)
Definition pos := [:: 0; 1; 2].
Definition fewer : extent := [:: [:: 9]].
Definition none : nat -> option fact := fun=> None.
(* Function 0 is odd, function 1 even. *)
Definition parity (h : nat) : option fact := match h with 0 => Some (Degree 1) | 1 => Some (Degree 0) | _ => None end.
(* Functions of matrices. *)
Definition arrays := nth None [:: Some Inverse; Some Pseudoinverse; Some Number; Some List; Some Conjugate; Some Weighted].

(* X exp(X^T X) *)
Definition attention : program :=
  [:: Input 0; Contract [:: (0, [:: Lab 0; Lab 1]); (0, [:: Lab 0; Lab 2])] [:: (0, d)] [:: 1; 2]; Map 2 [:: 1];
      Contract [:: (0, [:: Lab 0; Lab 1]); (2, [:: Lab 1; Lab 2])] [:: (1, n)] [:: 0; 2]].
Definition all_trivial (tys : seq (seq axis)) : seq rtype := [seq (t, 0%R) | t <- tys].

Definition attention_turned := all_trivial [:: [:: vec; no]; [:: no; no]; [:: no; no]; [:: vec; no]].
Definition attention_moved := all_trivial [:: [:: no; tok]; [:: tok; tok]; [:: tok; tok]; [:: no; tok]].

Lemma attention_accepted : check O d none [:: ([:: vec; no], 0%R)] attention attention_turned ([:: vec; no], 0%R) &&
  check S n none [:: ([:: no; tok], 0%R)] attention attention_moved ([:: no; tok], 0%R).
Proof. by vm_compute. Qed.

Section Attention.
Variables (R : idomainType) (m : meaning R) (sym : symmetric m) (X : cell R).
Local Open Scope ring_scope.

(* f(X P) = f(X) P, and undefined at the same places, for every permutation of the tokens. *)
Theorem attention_permuted (s : 'S_(count_of m n)) (X' : cell R) :
  permuted_by s X' X ([:: no; tok], 0) ->
  permuted_by s (eval m attention (fun=> X')) (eval m attention (fun=> X)) ([:: no; tok], 0).
Proof.
move=> given; have ok : check S n none [:: ([:: no; tok], 0)] attention attention_moved ([:: no; tok], 0) by vm_compute.
by apply: (sound_permuted sym _ _ _ ok) => // -[].
Qed.

(* f(Q X) = Q f(X). *)
Theorem attention_orthogonal (Q : 'M[R]_(count_of m d)) (W : representations m) (X' : cell R) :
  Q^T *m Q = 1%:M -> orthogonal W ->
  turned_by O Q Q W X' X ([:: vec; no], 0) ->
  turned_by O Q Q W (eval m attention (fun=> X')) (eval m attention (fun=> X)) ([:: vec; no], 0).
Proof.
move=> oQ oW given; have ok : check O d none [:: ([:: vec; no], 0)] attention attention_turned ([:: vec; no], 0) by vm_compute.
have one : \det Q * \det Q = 1 by rewrite -{1}det_tr -det_mulmx oQ det1.
apply: (sound_matrices _ _ _ _ oW _ _ ok) => //; last by case.
- by apply/unitrP; exists (\det Q).
- move/eqP: one; rewrite -expr2 sqrf_eq1 => /orP [] /eqP ->; first by exists false.
  by exists true; rewrite expr1.
Qed.
End Attention.

(** * Near misses *)

(* One less than d: as many times as this goes round is one back. *)
Definition back : place := Minus (Size d) (Num 1).

Definition one (fam : family) (facts : nat -> option fact) (t : rtype) o (t' : rtype) := check fam (if fam is S then n else d) facts [:: t] [:: Input 0; o] [:: t; t'] t'.
Definition triv (axs : seq axis) : rtype := (axs, 0%R).

(* Two arguments; an axis of a representation. *)
Definition two fam (s t : seq axis) o (u : seq axis) :=
  check fam d none [:: triv s; triv t] [:: Input 0; Input 1; o] [:: triv s; triv t; triv u] (triv u).
Definition irr l : axis := [:: (Irr l, d)].

Definition refused : seq bool := [::
  (* an elementwise function of a vector; the sum of its entries; their squares, entry by entry *)
  one O none (triv [:: vec]) (Map 0 [:: 0]) (triv [:: vec]);
  one O none (triv [:: vec]) (Contract [:: (0, [:: Lab 0])] [:: (0, d)] [::]) (triv [::]);
  one O none (triv [:: vec]) (Contract [:: (0, [:: Lab 0]); (0, [:: Lab 0])] [::] [:: 0]) (triv [:: vec]);
  (* an inner product of two vectors under GL; a sum over another size; an entry of a permuted axis *)
  one GL none (triv [:: vec]) (Contract [:: (0, [:: Lab 0]); (0, [:: Lab 0])] [:: (0, d)] [::]) (triv [::]);
  one S none (triv [:: tok]) (Contract [:: (0, [:: Lab 0])] [:: (0, d)] [::]) (triv [::]);
  one S none (triv [:: tok]) (Contract [:: (0, [:: Num 0])] [::] [::]) (triv [::]);
  one S none (triv [:: tok]) (Contract [:: (0, [:: Minus (Minus (Size n) (Num 1)) (Lab 0)])] [::] [:: 0]) (triv [:: tok]);
  (* the largest entry of a vector; a value that odd permutations negate, without its sign *)
  one O none (triv [:: vec]) (Fold 0 0 0 d) (triv [::]);
  one S none ([::], 1%R) (Map 2 [:: 0]) (triv [::]);
  one S parity ([::], 1%R) (Map 0 [:: 0]) (triv [::]);
  (* squares of signed entries keep no sign; a sum of signed entries *)
  one Signs none (triv [:: vec]) (Contract [:: (0, [:: Lab 0]); (0, [:: Lab 0])] [::] [:: 0]) (triv [:: vec]);
  one Signs none (triv [:: vec]) (Contract [:: (0, [:: Lab 0])] [:: (0, d)] [::]) (triv [::]);
  one Signs parity (triv [:: vec]) (Map 1 [:: 0]) (triv [:: vec]);
  one Scale none ([::], 2%R) (Map 0 [:: 0]) ([::], 2%R);
  (* a maximum of which no degree is known; its multiple, or square; of an even function; the largest entry of a vector *)
  one Scale none ([:: no], 1%R) (Fold 0 0 0 n) ([::], 1%R); one Scale parity ([:: no], 1%R) (Fold 0 0 0 n) ([::], 2%R);
  one Scale parity ([:: no], 1%R) (Fold 1 0 0 n) ([::], 1%R); one Scale none ([:: no], 1%R) (Sort 0 0 0 n) ([:: no], 1%R);
  one O parity (triv [:: vec]) (Fold 0 0 0 d) (triv [::]); one O parity ([:: no], 1%R) (Fold 0 0 0 d) ([::], 1%R);
  one Signs parity (triv [:: vec]) (Fold 0 0 0 d) (triv [::]);
  (* a reversal, and a step of two, of what goes round; entries side by side with those of an axis that moves *)
  one C none (triv [:: vec]) (Contract [:: (0, [:: Modulo (Times back (Lab 0)) (Size d)])] [::] [:: 0]) (triv [:: vec]);
  one C none (triv [:: vec]) (Contract [:: (0, [:: Modulo (Times (Num 2) (Lab 0)) (Size d)])] [::] [:: 0]) (triv [:: vec]);
  one S none (triv [:: tok]) (Join [:: (0, n); (0, n)] 0) (triv [:: tok]);
  (* parts side by side: in another order than is said, of another size, without a part, of another kind; a vector next
     to one that reflections negate; two representations exchanged, or as one another *)
  two O [:: vec] [:: no] (Join [:: (0, d); (1, n)] 0) [:: [:: (Fix, n); (Std, d)]];
  two O [:: vec] [:: no] (Join [:: (0, d); (1, n)] 0) [:: [:: (Std, d); (Fix, d)]];
  two O [:: vec] [:: no] (Join [:: (0, d); (1, n)] 0) [:: vec]; two O [:: vec] [:: no] (Join [:: (0, n); (1, n)] 0) [:: [:: (Std, d); (Fix, n)]];
  two GL [:: vec] [:: cov] (Join [:: (0, d); (1, d)] 0) [:: [:: (Std, d); (Std, d)]];
  two S [:: vec] [:: vec] (Join [:: (0, d); (1, d)] 0) [:: no]; two O [:: vec; no] [:: vec; vec] (Join [:: (0, d); (1, d)] 0) [:: [:: (Std, d); (Std, d)]; no];
  two O [:: irr 0] [:: irr 1] (Join [:: (0, d); (1, d)] 0) [:: [:: (Irr 1, d); (Irr 0, d)]];
  one O none (triv [:: irr 0]) (Input 0) (triv [:: irr 1]); one O none (triv [:: irr 0]) (Map 0 [:: 0]) (triv [:: irr 0]);
  check O d none [:: triv [:: vec]; ([:: vec], 1%R)] [:: Input 0; Input 1; Join [:: (0, d); (1, d)] 0]
    [:: triv [:: vec]; ([:: vec], 1%R); triv [:: [:: (Std, d); (Std, d)]]] (triv [:: [:: (Std, d); (Std, d)]]);
  one O arrays (triv [:: irr 0; no]) (Whole 2 0 [:: (0, [:: d; d])]) ([::], 1%R);
  (* a function of arrays of which nothing is known; inverses with axes swapped; the pseudo-inverse, and eigenvalues, of a
     matrix that others than orthogonal ones multiply; the determinant where only rows move; matrices side by side along
     an axis that moves *)
  one O none (triv [:: vec]) (Whole 0 0 [:: (0, [:: d])]) (triv [:: vec]);
  one S arrays (triv [:: tok; no]) (Whole 0 0 [:: (0, [:: n; n])]) (triv [:: tok; no]);
  one GL arrays (triv [:: vec; no]) (Whole 1 0 [:: (0, [:: d; d])]) (triv [:: no; cov]);
  one GL arrays (triv [:: vec; cov]) (Whole 3 0 [:: (0, [:: d; d])]) (triv [:: no]);
  one O arrays (triv [:: vec; no]) (Whole 2 0 [:: (0, [:: d; d])]) (triv [::]);
  one GL arrays (triv [:: vec; vec]) (Whole 2 0 [:: (0, [:: d; d])]) (triv [::]);
  one GL arrays (triv [:: vec; no]) (Whole 2 0 [:: (0, [:: d; d])]) ([::], (-1)%R);
  one C arrays (triv [:: vec; no]) (Whole 2 0 [:: (0, [:: d; d])]) (triv [::]);
  one S arrays (triv [:: tok; no]) (Whole 2 0 [:: (0, [:: n; n])]) (triv [::]);
  one Scale arrays ([:: no; no], 1%R) (Whole 2 0 [:: (0, [:: d; d])]) ([::], 1%R);
  one Scale arrays ([:: no; no], 1%R) (Whole 3 0 [:: (0, [:: d; d])]) ([:: no], 0%R);
  one O arrays (triv [:: vec; vec; vec]) (Whole 0 1 [:: (0, [:: d; d])]) (triv [:: vec; vec; vec]);
  one S arrays (triv [:: tok; tok]) (Whole 0 0 [:: (0, [:: d; d])]) (triv [:: tok; tok])].

Definition accepted : seq bool := [::
  one GL none (triv [:: vec; cov]) (Contract [:: (0, [:: Lab 0; Lab 0])] [:: (0, d)] [::]) (triv [::]);
  one GL none (triv [:: vec]) (Delta d) (triv [:: vec; cov]);
  one S none (triv [:: tok]) (Sort 0 0 0 n) (triv [:: no]);
  one S none (triv [:: tok]) (Delta n) (triv [:: tok; tok]);
  one S none (triv [:: no]) (Contract [:: (0, [:: Minus (Minus (Size n) (Num 1)) (Lab 0)])] [::] [:: 0]) (triv [:: no]);
  one S none (triv [:: tok]) (Choose 0 [:: 0] 0 0) (triv [:: tok]);
  one S parity ([::], 1%R) (Map 0 [:: 0]) ([::], 1%R);
  one S parity ([::], 1%R) (Map 1 [:: 0]) (triv [::]);
  one Signs parity (triv [:: vec]) (Map 0 [:: 0]) (triv [:: vec]);
  one Signs parity (triv [:: vec]) (Map 1 [:: 0]) (triv [:: no]);
  one Signs none (triv [:: vec]) (Contract [:: (0, [:: Lab 0]); (0, [:: Lab 0])] [::] [:: 0]) (triv [:: no]);
  one Scale none ([::], 1%R) (Contract [:: (0, [::]); (0, [::])] [::] [::]) ([::], 2%R);
  one Scale parity ([:: no], 2%R) (Fold 0 0 0 n) ([::], 2%R); one Scale parity ([:: no], 2%R) (Sort 0 0 0 n) ([:: no], 2%R);
  one Scale arrays ([:: no; no], 2%R) (Whole 3 0 [:: (0, [:: d; d])]) ([:: no], 2%R);
  one SO arrays (triv [:: vec; no]) (Whole 2 0 [:: (0, [:: d; d])]) (triv [::]);
  one O arrays (triv [:: no; vec]) (Whole 2 0 [:: (0, [:: d; d])]) ([::], 1%R);
  one GL arrays (triv [:: vec; vec]) (Whole 2 0 [:: (0, [:: d; d])]) ([::], 2%R);
  one GL arrays (triv [:: cov; no]) (Whole 2 0 [:: (0, [:: d; d])]) ([::], (-1)%R);
  one S arrays (triv [:: tok; no]) (Whole 2 0 [:: (0, [:: n; n])]) ([::], 1%R);
  one SO none ([:: vec], 1%R) (Add [:: 0; 0]) (triv [:: vec]);
  one C none (triv [:: vec]) (Contract [:: (0, [:: Modulo (Plus (Lab 0) (Times back (Num 1))) (Size d)])] [::] [:: 0]) (triv [:: vec]);
  one C none (triv [:: vec]) (Contract [:: (0, [:: Modulo (Plus (Lab 0) (Times back (Lab 1))) (Size d)])] [::] [:: 0; 1])
    (triv [:: vec; no]);
  one C none (triv [:: no]) (Contract [:: (0, [:: Modulo (Plus (Lab 0) (Times back (Lab 1))) (Size d)])] [::] [:: 0; 1])
    (triv [:: vec; vec]);
  one O none (triv [:: vec; no]) (Join [:: (0, n); (0, n)] 1) (triv [:: vec; no]);
  two O [:: vec] [:: no] (Join [:: (0, d); (1, n)] 0) [:: [:: (Std, d); (Fix, n)]];
  two GL [:: vec; no] [:: cov; no] (Join [:: (1, d); (0, d); (1, d)] 0) [:: [:: (Dual, d); (Std, d); (Dual, d)]; no];
  two S [:: no; vec] [:: no; no] (Join [:: (0, d); (1, n); (1, d)] 1) [:: no; [:: (Std, d); (Fix, d ++ n)]];
  two Signs [:: vec] [:: no] (Join [:: (1, n); (1, d); (0, d)] 0) [:: [:: (Fix, d ++ n); (Std, d)]];
  two C [:: vec] [:: vec] (Join [:: (0, d); (1, d)] 0) [:: [:: (Std, d); (Std, d)]];
  two O [:: irr 0] [:: irr 1] (Join [:: (0, d); (1, d)] 0) [:: [:: (Irr 0, d); (Irr 1, d)]];
  one O none (triv [:: irr 0]) (Contract [:: (0, [:: Lab 0]); (0, [:: Lab 0])] [:: (0, d)] [::]) (triv [::]);
  check O d none [:: triv [:: vec]; ([:: vec], 1%R)] [:: Input 0; Input 1; Join [:: (0, d); (1, d)] 0]
    [:: triv [:: vec]; ([:: vec], 1%R); triv [:: [:: (Std, d); (Det Std, d)]]] (triv [:: [:: (Std, d); (Det Std, d)]]);
  one O none (triv [:: no]) (Whole 0 0 [:: (0, [:: d])]) (triv [:: no; no]);
  one S none (triv [:: tok; no]) (Whole 0 1 [:: (0, [:: d])]) (triv [:: tok; no]);
  one GL arrays (triv [:: vec; vec]) (Whole 0 0 [:: (0, [:: d; d])]) (triv [:: cov; cov]);
  one O arrays (triv [:: vec; no]) (Whole 1 0 [:: (0, [:: d; n])]) (triv [:: no; vec]);
  one S arrays (triv [:: tok; tok; tok]) (Whole 3 1 [:: (0, [:: n; n])]) (triv [:: tok; no]);
  one GL arrays (triv [:: vec; cov]) (Whole 4 0 [:: (0, [:: d; d])]) (triv [:: vec; cov])].

(* Points that are translated along axis 0: what stays of them, and what moves along. *)
Definition start : motion := Moved 0 1 [::] [::].
Definition points (o : op) (t : motion) := check_shifts pos [::] [:: start] [:: Input 0; Scalar (-1); o] t.
Definition inverse (hs : seq nat) : seq law := [seq (h, true) | h <- hs].
Definition along : seq place := [:: Lab 0; Lab 1].

(* Their mean, and their mean with weights: 1 / n and 1 / (the sum of the weights) are function 9 of these. *)
Definition mean (recips : seq nat) (z : extent) := check_shifts pos (inverse recips) [:: start] [:: Input 0; Scalar 1;
  Contract [:: (1, [::])] [:: (0, z)] [::]; Map 9 [:: 2]; Contract [:: (0, along); (3, [::])] [:: (1, n)] [:: 0]] start.
Definition weighted (recips : seq nat) (a : nat) (z : extent) := check_shifts pos (inverse recips) [:: start; Still] [:: Input 0; Input 1; Input 1;
  Contract [:: (a, [:: Lab 0])] [:: (0, z)] [::]; Map 9 [:: 3];
  Contract [:: (1, [:: Lab 1]); (4, [::]); (0, along)] [:: (1, n)] [:: 0]] start.
(* Weights that are all e / (n e), alone and in one product with the points. *)
Definition equal (recips : seq nat) (es : seq nat) (z : extent) := check_shifts pos (inverse recips) [:: start; Still] [:: Input 0; Input 1; Input 1;
  Contract [:: (1, [::])] [:: (0, z)] [::]; Map 9 [:: 3]; Contract [seq (a, [::]) | a <- rcons es 4] [::] [::];
  Contract [:: (5, [::]); (0, along)] [:: (1, n)] [:: 0]] start.
Definition equal_at_once (es : seq nat) (ls : seq (nat * extent)) := check_shifts pos (inverse [:: 9]) [:: start; Still] [:: Input 0; Input 1; Input 1;
  Contract [:: (1, [::])] [:: (0, n)] [::]; Map 9 [:: 3]; Contract ([seq (a, [::]) | a <- rcons es 4] ++ [:: (0, along)]) ls [:: 0]] start.

(* Their sum with weights, and over the sum of the weights in another line: of these weights, along this axis. *)
Definition divided (a b : nat) (ls : seq nat) (k : int) (t : motion) := check_shifts pos (inverse [:: 9]) [:: start; Still; Still] [:: Input 0; Input 1; Input 2;
  Contract [:: (1, [:: Lab 0; Lab 1]); (0, [:: Lab 2; Lab 1])] [:: (1, n)] [:: 0; 2];
  Contract [:: (a, [seq Lab l | l <- ls])] [:: (b, n)] [:: if b == 0 then 1 else 0]; Map 9 [:: 4]; Scalar k;
  Contract [:: (6, [::]); (3, [:: Lab 0; Lab 1]); (5, [:: Lab 0])] [::] [:: 0; 1]] t.

(* Points that are translated along axis q, and a function of entries along axis p. *)
Definition fold (laws : seq law) q p := check_shifts pos laws [:: Moved q 1 [::] [::]] [:: Input 0; Fold 0 0 p n] start.

Definition fold_of z := check_shifts pos [:: (0, false)] [:: Moved 1 1 [::] [::]] [:: Input 0; Fold 0 0 0 z] start.
Definition sort_of z := check_shifts pos [:: (0, false)] [:: Moved 1 1 [::] [::]] [:: Input 0; Sort 0 0 0 z] (Moved 1 1 [::] [::]).

(* Two values side by side along axis p. *)
Definition beside t t' p := check_shifts pos [::] [:: t; t'] [:: Input 0; Input 1; Join [:: (0, n); (1, d)] p].
Definition twice_start := Moved 0 2 [::] [::].

Definition still_refused : seq bool := [::
  (* side by side along the axis of the vector; moved otherwise, or as often but along another axis, or not at all *)
  beside start start 0 start; beside start start 0 Still; beside start twice_start 1 start; beside twice_start start 1 start;
  beside start (Moved 2 1 [::] [::]) 1 start; beside start Still 1 start; beside Still start 1 start; beside start start 1 Still;
  beside start start 1 twice_start; beside start start 1 (Moved 1 1 [::] [::]);
  divided 1 1 [:: 0; 1] 1 Still; divided 2 1 [:: 0; 1] 1 (Moved 1 1 [::] [::]);
  divided 1 0 [:: 0; 1] 1 (Moved 1 1 [::] [::]); divided 1 1 [:: 0; 1] 2 (Moved 1 1 [::] [::]);
  check_shifts pos [::] [:: start; Still] [:: Input 0; Input 1; Contract [:: (1, [:: Lab 0]); (0, [:: Lab 1; Lab 0])] [:: (0, n)] [:: 1]] Still;
  check_shifts pos [::] [:: start; Still] [:: Input 0; Input 1; Contract [:: (1, [:: Lab 0]); (0, [:: Lab 1; Lab 0])] [:: (0, n)] [:: 1]]
    (Moved 0 1 [::] [::]);
  check_shifts pos [::] [:: start; Still] [:: Input 0; Input 1; Contract [:: (1, [:: Lab 0]); (0, [:: Lab 1; Lab 0])] [:: (0, n)] [:: 1]]
    (Loaded 0 1 0 n 0);
  (* the points themselves, their sum, twice them, their products, their maximum, functions of them; another axis *)
  points (Add [:: 0]) Still; points (Add [:: 0; 0]) start; points (Map 0 [:: 0]) Still; points (Fold 0 0 1 n) Still;
  points (Contract [:: (0, along)] [:: (1, n)] [:: 0]) start; points (Contract [:: (0, along)] [:: (1, fewer)] [:: 0]) (Moved 0 1 [:: fewer] [::]);
  points (Contract [:: (0, along); (0, along)] [::] [:: 0; 1]) start;
  points (Contract [:: (1, [::]); (0, along)] [::] [:: 0; 1]) start;
  points (Contract [:: (0, along)] [::] [:: 1; 0]) start;
  points (Contract [:: (0, [:: Plus (Lab 0) (Num 1); Lab 1])] [::] [:: 0; 1]) start; points (Leaf 0) start;
  points (Choose 1 [::] 0 1) start; points (Choose 0 [:: 0] 0 0) start; points (Choose 1 [::] 0 0) Still;
  points (Input 0) Still;
  (* functions along an axis of which nothing is supposed, along the axis of the vector, along another than the first *)
  fold [::] 1 0; fold [:: (0, true)] 1 0; fold [:: (0, false)] 0 0; fold [:: (0, false)] 0 1;
  (* another function than 1 / x; another size; the sum of other weights *)
  mean [::] n; mean [:: 9] d; mean [:: 9] fewer; weighted [::] 1 n; weighted [:: 9] 1 d; weighted [:: 9] 2 n;
  equal [::] [:: 1] n; equal [:: 9] [:: 1] d; equal [:: 9] [:: 2] n; equal [:: 9] [::] n; equal [:: 9] [:: 1; 1] n;
  equal_at_once [:: 2] [:: (1, n)]; equal_at_once [:: 1] [:: (1, d)]; equal_at_once [:: 1] [::];
  equal_at_once [:: 1] [:: (1, n); (2, n)]].

Definition moved_accepted : seq bool := [::
  beside start start 1 start; beside (Moved 1 1 [::] [::]) (Moved 1 1 [::] [::]) 0 (Moved 1 1 [::] [::]);
  beside twice_start twice_start 2 twice_start; beside Still Still 0 Still;
  points (Add [:: 0; 0]) (Moved 0 2 [::] [::]); points (Contract [:: (1, [::]); (0, along)] [::] [:: 0; 1]) (Moved 0 (-1) [::] [::]);
  points (Contract [:: (0, along)] [::] [:: 1; 0]) (Moved 1 1 [::] [::]); points (Map 0 [:: 1]) Still;
  points (Contract [:: (0, [:: Lab 0; Num 0])] [::] [:: 0]) start; points (Choose 1 [::] 0 0) start; points (Add [:: 1]) Still;
  points (Contract [:: (1, [::])] [:: (0, n)] [::]) Still; points (Contract [:: (1, [::])] [:: (0, fewer)] [::]) Still;
  (* a maximum of entries that may be none, and their sorted list *)
  fold_of fewer; sort_of fewer; fold_of n; sort_of n;
  points (Contract [:: (0, along)] [:: (1, n)] [:: 0]) (Moved 0 1 [:: n] [::]);
  check_shifts pos [::] [:: start; Moved 0 (-1) [::] [::]] [:: Input 0; Input 1; Add [:: 0; 1]] Still;
  divided 1 1 [:: 0; 1] 1 (Moved 1 1 [::] [::]); divided 1 1 [:: 0; 1] (-1) (Moved 1 (-1) [::] [::]);
  fold [:: (0, false)] 1 0; mean [:: 9] n; weighted [:: 9] 1 n; equal [:: 9] [:: 1] n; equal_at_once [:: 1] [:: (1, n)];
  (* points that are looked up *)
  check_shifts pos [::] [:: start; Share 0 n] [:: Input 0; Input 1; Contract [:: (1, [:: Lab 1]); (0, along)] [:: (1, n)] [:: 0]] start].

(* One element for each entry of axis 0, of size b. *)
Definition b : extent := [:: [:: 2]].
Definition batch (fam : family) facts (tys : seq rtype) (p : program) (stop : option nat) (shape : seq extent) :=
  let: (g, given, prog) := (if fam is S then n else d, [:: nth ty0 tys 0], Input 0 :: p) in
  (check fam g facts given prog tys (last ty0 tys), check_each pos fam g facts given prog tys (last ty0 tys) [:: Some 0] stop shape).
Definition clouds := triv [:: no; tok; no].
Definition vectors := triv [:: no; vec; no].
Definition here : seq place := [:: Lab 0; Lab 1; Lab 2].
Definition bnd := [:: b; n; d].
(* Merged with axis 1 to one, of size b n, and split again: entry b has the numbers from b n on. *)
Definition bn : extent := [:: [:: 1; 2]].
Definition merged := Contract [:: (0, [:: Over (Lab 0) (Size n); Modulo (Lab 0) (Size n); Lab 1])] [::] [:: 0; 1].
Definition split (z : extent) :=
  Contract [:: (2, [:: Plus (Times (Lab 0) (Size z)) (Lab 1); Lab 2])] [::] [:: 0; 1; 2].
Definition by_merging (z : extent) (stop : option nat) (shape : seq extent) :=
  let last_ r := triv (rcons (nseq r no) vec) in
  let: (given, prog, tys) := ([:: last_ 2], [:: Input 0; merged; Add [:: 1; 1]; split z], [:: last_ 2; last_ 1; last_ 1; last_ 2]) in
  (check O d none given prog tys (last_ 2), check_each pos O d none given prog tys (last_ 2) [:: Some 0] stop shape).
Definition points_each (p : program) (t : motion) (ranks : seq nat) (stop : option nat) (shape : seq extent) :=
  (check_shifts pos [::] [:: Moved 1 1 [::] [::]] (Input 0 :: p) t,
   check_shifts_each pos [::] [:: Moved 1 1 [::] [::]] (Input 0 :: p) t [:: Some 0] (3 :: ranks) stop shape).

(* Accepted with one element for all entries, and refused or accepted with one for each. *)
Definition each_refused : seq (bool * bool) := [::
  (* points of other entries: of all, of the next, of the same number as the point, of the first; and of the wrong axis *)
  batch S none [:: clouds; triv [:: tok; no]] [:: Contract [:: (0, here)] [:: (0, b)] [:: 1; 2]] None [:: n; d];
  batch S none [:: clouds; clouds] [:: Contract [:: (0, [:: Plus (Lab 0) (Num 1); Lab 1; Lab 2])] [::] [:: 0; 1; 2]] (Some 0) bnd;
  batch S none [:: clouds; clouds] [:: Contract [:: (0, [:: Modulo (Plus (Lab 0) (Num 1)) (Size b); Lab 1; Lab 2])] [::] [:: 0; 1; 2]]
    (Some 0) bnd;
  batch O none [:: vectors; vectors] [:: Contract [:: (0, [:: Num 0; Lab 1; Lab 2])] [::] [:: 0; 1; 2]] (Some 0) bnd;
  batch O none [:: vectors; triv [:: no; vec; no]] [:: Contract [:: (0, here)] [::] [:: 2; 1; 0]] (Some 0) [:: d; n; b];
  batch S none [:: clouds; clouds] [:: Add [:: 0; 0]] (Some 2) bnd; batch S none [:: clouds; clouds] [:: Add [:: 0; 0]] (Some 1) bnd;
  batch S none [:: clouds; clouds] [:: Add [:: 0; 0]] None bnd;
  (* inner products of the points of different entries; a product along them; sorted along them; their sum, squared *)
  batch O none [:: vectors; triv [:: no; no; no; no]]
    [:: Contract [:: (0, here); (0, [:: Lab 3; Lab 1; Lab 4])] [:: (1, d)] [:: 0; 2; 3; 4]] (Some 0) [:: b; n; b; n];
  batch S none [:: clouds; triv [:: tok; no]] [:: Fold 0 0 0 b] None [:: n; d];
  batch S none [:: clouds; clouds] [:: Sort 0 0 0 b] (Some 0) bnd;
  batch S none [:: clouds; clouds] [:: Join [:: (0, b); (0, b)] 0] (Some 0) bnd;
  batch S none [:: clouds; triv [:: no; tok]; clouds] [:: Contract [:: (0, here)] [:: (2, d)] [:: 0; 1]; Choose 1 [:: 2; 1] 0 0]
    (Some 0) bnd;
  batch O none [:: vectors; triv [:: vec; no]; triv [::]]
    [:: Contract [:: (0, here)] [:: (0, b)] [:: 1; 2]; Contract [:: (1, [:: Lab 0; Lab 1]); (1, [:: Lab 0; Lab 1])] [:: (0, d); (1, n)] [::]]
    None [::];
  batch O arrays [:: triv [:: no; vec; no]; ([:: no], 1%R); ([::], 0%R)]
    [:: Whole 2 1 [:: (0, [:: d; d])]; Contract [:: (1, [:: Lab 0]); (1, [:: Lab 1])] [:: (0, b); (1, b)] [::]] None [::];
  (* split into stretches of another size than that of which it was merged *)
  by_merging b (Some 0) bnd; by_merging n (Some 1) bnd; by_merging n (Some 0) [:: n; b; d];
  (* points that are translated, summed over entries; of the next entry; less the mean of all *)
  points_each [:: Contract [:: (0, here)] [:: (0, b)] [:: 1; 2]] (Moved 0 1 [:: b] [::]) [:: 2] None [:: d; n];
  points_each [:: Contract [:: (0, [:: Plus (Lab 0) (Num 1); Lab 1; Lab 2])] [::] [:: 0; 1; 2]] (Moved 1 1 [::] [::]) [:: 3] (Some 0) [:: b; d; n]].

Definition each_accepted : seq (bool * bool) := [::
  batch S none [:: clouds; clouds] [:: Add [:: 0; 0]] (Some 0) bnd;
  batch S none [:: clouds; triv [:: no; no]; triv [:: no]]
    [:: Contract [:: (0, here)] [:: (1, n)] [:: 0; 2]; Contract [:: (1, [:: Lab 0; Lab 1])] [:: (0, b)] [:: 1]] None [:: d];
  batch S none [:: clouds; triv [:: no]] [:: Contract [:: (0, here)] [:: (0, b); (1, n)] [:: 2]] None [:: d];
  batch S none [:: clouds; triv [:: no; no]; clouds]
    [:: Fold 0 0 1 n; Contract [:: (0, here); (1, [:: Plus (Lab 0) (Num 1); Lab 2])] [::] [:: 0; 1; 2]] (Some 0) bnd;
  batch O none [:: vectors; triv [:: no; no; no]; vectors]
    [:: Contract [:: (0, here); (0, [:: Lab 0; Lab 1; Lab 3])] [:: (1, d)] [:: 0; 2; 3];
        Contract [:: (0, here); (1, [:: Lab 0; Lab 2; Lab 3])] [:: (2, n)] [:: 0; 1; 3]] (Some 0) [:: b; d; n];
  batch S none [:: clouds; triv [:: tok; no; no]] [:: Contract [:: (0, here)] [::] [:: 1; 0; 2]] (Some 1) [:: n; b; d];
  batch S none [:: clouds; triv [:: no; no; no]] [:: Sort 0 0 1 n] (Some 0) bnd;
  batch S none [:: clouds; triv [:: no; tok]; clouds] [:: Contract [:: (0, here)] [:: (2, d)] [:: 0; 1]; Choose 1 [:: 0; 1] 0 0]
    (Some 0) bnd;
  batch O arrays [:: triv [:: no; vec; no]; ([:: no], 1%R); triv [:: no]; triv [::]]
    [:: Whole 2 1 [:: (0, [:: d; d])]; Contract [:: (1, [:: Lab 0]); (1, [:: Lab 0])] [::] [:: 0]; Fold 0 2 0 b] None [::];
  batch O arrays [:: triv [:: no; vec; no]; ([:: no], 1%R); ([:: no], 0%R); ([:: no], 2%R); ([::], 0%R)]
    [:: Whole 2 1 [:: (0, [:: d; d])]; Scalar 1; Contract [:: (1, [:: Lab 0]); (1, [:: Lab 0])] [::] [:: 0];
        Contract [:: (1, [:: Lab 0]); (1, [:: Lab 0])] [:: (0, b)] [::]] None [::];
  by_merging n (Some 0) bnd;
  points_each [:: Contract [:: (0, here)] [::] [:: 0; 2; 1]] (Moved 2 1 [::] [::]) [:: 3] (Some 0) [:: b; n; d];
  points_each [:: Scalar (-1); Contract [:: (1, [::]); (0, here)] [::] [:: 0; 1; 2]; Add [:: 0; 2];
    Contract [:: (3, here)] [:: (0, b)] [:: 1; 2]] Still [:: 0; 3; 3; 2] None [:: d; n]].

(** * Shapes *)

(* One operation on one argument. The sizes d and n are 1 or more, further sizes are their product, d - 1, 768, and
   small numbers. *)
Definition known : knowledge :=
  [:: [:: (1, [:: 0]); (1, [::])]; [:: (1, [:: 1]); (1, [::])]; [:: (1, [:: 2])]; [:: (1, [:: 0])]; [:: (768, [::])]].
Definition given_shaped := shaped known.
Definition shaped_one (sh : shape) o (sh' : shape) := given_shaped [:: sh] [:: Input 0; o] [:: sh; sh'] sh'.
Definition dn : extent := [:: [:: 0; 1]].
Definition d_1 : extent := [:: [:: 3]].
Definition v768 : extent := [:: [:: 4]].
Definition num k : extent := nseq k [::].
Definition read (sh : shape) (ps : seq place) (sh' : shape) := shaped_one sh (Contract [:: (0, ps)] [::] (iota 0 (size sh'))) sh'.
Definition last_of (z : extent) : place := Minus (Size z) (Num 1).

Definition shapes_refused : seq bool := [::
  (* a label over two sizes, in one argument or two; of the result, and summed over fewer, or more *)
  read [:: d; num 3] [:: Lab 0; Lab 0] [:: num 3]; read [:: num 5; num 3] [:: Lab 0; Lab 0] [:: num 3];
  given_shaped [:: [:: d]; [:: num 3]] [:: Input 0; Input 1; Contract [:: (0, [:: Lab 0]); (1, [:: Lab 0])] [:: (0, num 3)] [::]]
    [:: [:: d]; [:: num 3]; [::]] [::];
  shaped_one [:: num 5] (Contract [:: (0, [:: Lab 0])] [:: (0, num 3)] [::]) [::];
  shaped_one [:: num 3] (Contract [:: (0, [:: Lab 0])] [:: (0, num 5)] [::]) [::];
  (* a result of another size, or of other axes; the claim differs from the last line *)
  read [:: d] [:: Lab 0] [:: num 7]; read [:: d] [:: Lab 0] [:: n]; shaped_one [:: d] (Map 0 [:: 0]) [:: num 7];
  shaped_one [:: d] (Add [:: 0]) [:: d; d]; given_shaped [:: [:: d]] [:: Input 0] [:: [:: d]] [:: num 7];
  given_shaped [:: [:: d]] [:: Input 0] [:: [:: num 7]] [:: num 7]; given_shaped [::] [:: Input 0] [:: [:: d]] [:: d];
  (* reads beyond the end: the entry after the last one; the second of perhaps one; a rest that is too long; steps;
     a window; of an axis that may be empty *)
  read [:: d] [:: Size d] [::]; read [:: d] [:: Num 1] [::]; read [:: d] [:: Plus (Num 1) (Lab 0)] [:: d];
  read [:: num 4] [:: Times (Num 2) (Lab 0)] [:: num 3]; read [:: d] [:: Plus (Lab 0) (Lab 1)] [:: d; num 2];
  read [:: d_1] [:: Num 0] [::]; read [:: v768] [:: Plus (Times (Lab 0) (Num 64)) (Lab 1)] [:: num 12; num 65];
  read [:: d] [:: Modulo (Lab 0) (Size n)] [:: n];
  (* n - 2 where there may be no index below n - 1 *)
  read [:: d_1] [:: Minus (Size d) (Num 2)] [::]; read [:: d_1] [:: Minus (Minus (Size d) (Num 2)) (Lab 0)] [:: d];
  read [:: d_1] [:: Minus (Minus (Size d) (Num 2)) (Lab 0)] [:: d_1 ++ num 1]; read [:: d_1; n] [:: Minus (Size d) (Num 2); Lab 0] [:: n];
  read [:: num 2; d] [:: Over (Lab 0) (Size d); Modulo (Lab 0) (Size d)] [:: num 3 ++ d];
  (* labels that are given no size, or two *)
  read [:: d] [:: Lab 1] [:: d]; shaped_one [:: d] (Contract [:: (0, [:: Lab 0])] [:: (0, d)] [:: 0]) [:: d];
  shaped_one [:: d] (Contract [:: (0, [:: Lab 0])] [::] [:: 0; 0]) [:: d; d];
  read [:: d; d] [:: Lab 0] [:: d]; given_shaped [:: [:: d]] [:: Contract [:: (0, [:: Lab 0])] [::] [:: 0]] [:: [:: d]] [:: d];
  (* side by side: too short, too long, parts of other sizes than are said, along other axes *)
  shaped_one [:: d; n] (Join [:: (0, d)] 0) [:: d ++ d; n]; shaped_one [:: d; n] (Join [:: (0, d); (0, d)] 0) [:: d; n];
  shaped_one [:: d; n] (Join [:: (0, d); (0, n)] 0) [:: d ++ n; n];
  shaped_one [:: d; n] (Join [:: (0, d); (0, d)] 1) [:: d ++ d; n];
  shaped_one [:: d] (Join [:: (0, d); (0, d)] 1) [:: d ++ d];
  (* along an axis of another size, or none; conditions, identity matrices and functions of arrays of other sizes *)
  shaped_one [:: d; n] (Fold 0 0 1 d) [:: d]; shaped_one [:: d; n] (Fold 0 0 0 d) [:: d];
  shaped_one [:: d; n] (Sort 0 0 1 d) [:: d; n]; shaped_one [:: d; n] (Sort 0 0 2 d) [:: d; n];
  shaped_one [:: d; n] (Choose 0 [:: 1; 0] 0 0) [:: d; n]; shaped_one [:: d] (Choose 0 [:: 1] 0 0) [:: d];
  shaped_one [:: d] (Delta d) [:: d; n]; shaped_one [:: d; n] (Whole 0 0 [:: (0, [:: d; d])]) [::];
  shaped_one [:: d; n] (Whole 0 1 [:: (0, [:: n])]) [:: n]; shaped_one [:: d] (Whole 0 1 [:: (0, [::])]) [::]].

Definition shapes_accepted : seq bool := [::
  given_shaped [:: [:: d; n]] attention [:: [:: d; n]; [:: n; n]; [:: n; n]; [:: d; n]] [:: d; n];
  (* the last entry; backwards; without the first; the first ones; every other one; windows; round; a product of axes,
     and the axes of a product *)
  read [:: d] [:: last_of d] [::]; read [:: d] [:: Minus (last_of d) (Lab 0)] [:: d];
  read [:: d] [:: Plus (Num 1) (Lab 0)] [:: d_1]; read [:: d] [:: Lab 0] [:: d_1];
  read [:: num 5] [:: Times (Num 2) (Lab 0)] [:: num 3]; read [:: num 5] [:: Minus (Num 4) (Times (Num 2) (Lab 0))] [:: num 3];
  (* backwards, without the first or the last *)
  read [:: d] [:: Minus (Minus (Size d) (Num 2)) (Lab 0)] [:: d_1]; read [:: d_1] [:: Minus (Minus (Size d) (Num 2)) (Lab 0)] [:: d_1];
  read [:: d_1; n] [:: Minus (Minus (Size d) (Num 2)) (Lab 0); Lab 1] [:: d_1; n]; read [:: d_1] [:: Num 0] [:: d_1];
  shaped_one [:: d_1] (Contract [:: (0, [:: Minus (Minus (Size d) (Num 2)) (Lab 0)])] [:: (0, d_1)] [::]) [::];
  read [:: d ++ n] [:: Plus (Lab 0) (Lab 1)] [:: d; n ++ num 1]; read [:: d] [:: Modulo (Plus (Lab 0) (Num 1)) (Size d)] [:: d];
  read [:: d; n] [:: Over (Lab 0) (Size n); Modulo (Lab 0) (Size n)] [:: dn];
  read [:: dn] [:: Plus (Times (Lab 0) (Size n)) (Lab 1)] [:: d; n];
  read [:: num 6; num 2] [:: Over (Plus (Times (Lab 0) (Num 4)) (Lab 1)) (Num 2); Modulo (Plus (Times (Lab 0) (Num 4)) (Lab 1)) (Num 2)]
    [:: num 3; num 4];
  read [:: v768] [:: Plus (Times (Lab 0) (Num 64)) (Lab 1)] [:: num 12; num 64];
  read [:: num 12; num 64] [:: Over (Lab 0) (Num 64); Modulo (Lab 0) (Num 64)] [:: v768];
  given_shaped [:: [:: d]] [:: Input 0; Contract [:: (0, [:: Plus (Num 1) (Lab 0)])] [::] [:: 0]; Contract [:: (0, [:: Num 0])] [::] [::];
    Contract [:: (2, [::])] [::] [:: 0]; Join [:: (3, num 1); (1, d_1)] 0] [:: [:: d]; [:: d_1]; [::]; [:: num 1]; [:: d]] [:: d];
  shaped_one [:: d; n] (Join [:: (0, d); (0, d)] 0) [:: d ++ d; n]; shaped_one [:: d; n] (Fold 0 0 1 n) [:: d];
  shaped_one [:: d; n] (Sort 0 0 1 n) [:: d; n]; shaped_one [:: d; d] (Choose 0 [:: 1; 0] 0 0) [:: d; d];
  shaped_one [:: d] (Delta n) [:: n; n]; shaped_one [:: d; n] (Whole 0 1 [:: (0, [:: n])]) [:: d; num 3];
  shaped_one [:: d; d] (Contract [:: (0, [:: Lab 0; Lab 0])] [:: (0, d)] [::]) [::]; shaped_one [::] (Leaf 0) [:: d]].

Lemma as_they_should :
  [&& all negb (refused ++ still_refused ++ shapes_refused), all id (accepted ++ moved_accepted ++ shapes_accepted), all (pred1 (true, false)) each_refused
    & all (pred1 (true, true)) each_accepted].
Proof. by vm_compute. Qed.

Print Assumptions attention_permuted.
Print Assumptions attention_orthogonal.
