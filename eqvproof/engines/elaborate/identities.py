"""Kinds of proofs that only the kernel checks, and kinds of true claims that have no proof in forms."""

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
SIZED_DEGREE = "a product or a determinant whose degree under Scale is the size of an axis"
#: Kinds of true claims for which there is no rule in forms, and why.
WITHOUT_RULE = {
    SIZED_DEGREE: "a product of n entries is multiplied by c^n, and the power of a type in"
    " `rocq/Checker.v` is a number; a fact about a function is supposed at all sizes, so that there is"
    " none for one size, either",
    "a choice by the sign of such a product": "its condition has such a degree, although c^n"
    " keeps its sign",
    "a product along an axis of values that change their signs": "it is multiplied by s^n, and the"
    " power of a sign is a number, too; an even power of it is not seen to stay",
    "`and` or `or` of two values of which one alone changes its signs": "the rule for functions of"
    " several values takes values of one type",
}
