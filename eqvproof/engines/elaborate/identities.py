"""Kinds of proofs that rest on more than the types of lines, which only the kernel checks."""

from __future__ import annotations

FLIPS, FORMS, SIGNS = (
    "a proof under sign flips by normal forms",
    "a proof under translations by normal forms",
    "a proof that the signs of eigenvectors do not matter",
)
INDEPENDENCE = "a proof that a result does not depend on what is translated"
#: Kinds of proofs that only the kernel checks, and why.
ONLY_IN_KERNEL = {
    FORMS: "it is one identity between two programs, which the kernel shows by computation: both"
    " have one normal form; the checkers in Rocq follow types and have no normal forms",
    FLIPS: "some of its lines are such identities, between a value at flipped arguments and the"
    " flipped value",
    SIGNS: "eigenvectors are further arguments of its program, which the theorem of an exported file"
    " does not have; the lemmas about these are in `rocq/Eigenvectors.v`",
    INDEPENDENCE: "it follows which entries each line depends on, and no types; its rules are proved"
    " in the docstring of `independence.py` alone",
}
