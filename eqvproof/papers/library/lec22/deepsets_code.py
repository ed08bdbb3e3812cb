"""Finite sets as numbers in base 4."""

from eqvproof.papers.library.lec22.codes import code, subsets
from eqvproof.papers.statements import Injective, ProofStep

STATEMENT = ProofStep(
    id="lec22.deepsets.code",
    place="Deep Sets, Theorem 2, sketch, steps 2 and 3",
    printed="with phi(x) = 4^{-c(x)} distinct finite subsets have distinct sums of phi",
    claim=Injective(code, "count: universe -> ()", subsets, "subsets"),
    reading=(
        "c is injective, and only its values matter: the universe is 0, .., N - 1 and c(x) = x."
        " Exact for all subsets of small universes",
        "in a set no element occurs twice, so that the digits in base 4 are 0 and 1",
    ),
)
