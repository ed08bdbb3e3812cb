"""Export of proof certificates as theorems of Rocq (Coq), proved by a verified checker."""

from eqvproof.rocq.print_theorem import results_of, rocq_answers, rocq_file, rocq_text, theorem

__all__ = ["results_of", "rocq_answers", "rocq_file", "rocq_text", "theorem"]
