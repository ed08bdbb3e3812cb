"""Invariant functions depend on inner products only."""

from eqvproof.papers.library.my23 import gram_orbit
from eqvproof.papers.library.my23.invariant_functions import INVARIANT, build, conditions
from eqvproof.papers.library.my23.points import pair_cases
from eqvproof.papers.statements import (
    Construction,
    Derivation,
    Equivariance,
    Illustrated,
    ProofStep,
)

STATEMENT = ProofStep(
    id="my23.prop3.1.fft",
    place="Appendix A",
    formal="MaYing.prop31_fft",
    printed="a function g with g(Q X) = g(X) for all orthogonal Q depends on X through X^T X only",
    claim=Illustrated(
        Derivation(
            "g(X) = g(Y)",
            {"X = act(Q, Y)": gram_orbit.STATEMENT},
            {"g is invariant": "g(act(q, x)) = g(x)"},
            "q x",
        ),
        {
            **{
                f"{n} is invariant": Equivariance(g, "X: d n -> ()", "O(d)")
                for n, g in INVARIANT.items()
            },
            "g(X) = g(Y) when X^T X = Y^T Y": Construction(pair_cases, build, conditions),
        },
    ),
    reading=(
        "g is any function, while the theorem cited there is about polynomials; the proof uses"
        " that X and Y with X^T X = Y^T Y lie in one orbit",
        "X and Y are any matrices with X^T X = Y^T Y",
    ),
)
