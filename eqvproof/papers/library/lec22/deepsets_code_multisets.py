"""Multisets as numbers in base 4."""

from eqvproof.papers.library.lec22.codes import code_of_elements, multisets
from eqvproof.papers.statements import Injective, ProofStep

STATEMENT = ProofStep(
    id="lec22.deepsets.code-multisets",
    place="Deep Sets, Theorem 2, sketch, steps 2 and 3",
    formal="Refuted.lec22_deepsets_code_multisets",
    printed="with phi(x) = 4^{-c(x)} distinct multisets of one size have distinct sums of phi",
    claim=Injective(code_of_elements, "X: elements -> ()", multisets, "multisets"),
    reading=(
        "a question to the source, whose examples are point clouds, in which points may coincide;"
        " the size of a multiset counts repeated elements",
        "c(x) = x on a universe 0, 1, 2",
    ),
).repaired_as(
    printed="with phi(x) = (m + 1)^{-c(x)} distinct multisets of m elements have distinct sums of"
    " phi",
    claim=Injective(
        lambda X: code_of_elements(X, len(X) + 1), "X: elements -> ()", multisets, "multisets"
    ),
    reading="multiplicities are at most m, so that they are digits in base m + 1. Exact for all"
    " multisets of small universes",
)
