"""The coefficients can be chosen invariant."""

import eqvproof as ep
from eqvproof.papers.library.my23 import span
from eqvproof.papers.library.my23.factoring import build, cases, conditions
from eqvproof.papers.statements import (
    Array,
    Conjunction,
    Construction,
    Derivation,
    Equivariance,
    Identity,
    Illustrated,
    ProofStep,
)

g = ep.opaque("g", "X: d n -> n n")
f = ep.opaque("f", "X: d n -> d n", under="O(d)", example=lambda X: X @ X.T @ X)
p = ep.opaque("p", "G: n n -> n n")


def rotate_back(Q: Array, X: Array) -> Array:
    """Computes Q^T f(Q X) for f(X) = X g(X)."""
    return Q.T @ ((Q @ X) @ g(Q @ X))


STATEMENT = ProofStep(
    id="my23.prop3.1.coefficient-invariance",
    place="Appendix A",
    formal="MaYing.prop31_coefficient_invariance",
    printed="from f(X) = X g(X) and f(Q X) = Q f(X): X g(Q X) = X g(X), and g can be chosen with"
    " g(Q X) = g(X)",
    claim=Illustrated(
        Conjunction(
            {
                "Q^T f(Q X) = (Q^T Q) X g(Q X)": Identity(
                    rotate_back, lambda Q, X: (Q.T @ Q) @ X @ g(Q @ X), "Q: d d, X: d n -> d n"
                ),
                "p(X^T X) X^T f(X) is invariant": Equivariance(
                    lambda X: p(X.T @ X) @ X.T @ f(X), "X: d n -> n n", under="O(d)"
                ),
                "X X^+ f(X) = f(X)": Derivation(
                    "times(X, times(pinv(X), f(X))) = f(X)",
                    {"f(x) = times(x, c(x))": span.STATEMENT},
                    {
                        "A (B C) = (A B) C": "times(a, times(b, e)) = times(times(a, b), e)",
                        "(X X^+) X = X (Penrose)": "times(times(x, pinv(x)), x) = x",
                    },
                    "a b e x",
                ),
            }
        ),
        {"g computed": Construction(cases, build, conditions)},
    ),
    reading=(
        "with Q^T Q = I the first identity says Q^T f(Q X) = X g(Q X), and Q^T f(Q X) = f(X) = X"
        " g(X)",
        "can be chosen: as the coefficients of least norm, g(X) = X^+ f(X) with X^+ = (X^T X)^+"
        " X^T; their invariance is shown for any function p of X^T X in place of the"
        " pseudo-inverse",
    ),
)
