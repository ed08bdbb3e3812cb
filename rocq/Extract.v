(* The checker as OCaml, on the natural numbers of Rocq themselves; reader.ml asks it. *)

From mathcomp Require Import all_ssreflect all_algebra.
From EqvProof Require Import Programs Checker Motions Each Shapes.
Require Extraction.
Require Import ExtrOcamlBasic.

Extraction Language OCaml.
Extraction "checker.ml" check check_shifts check_each check_shifts_each shaped.
