"""Sequences with equal Gram matrices lie in one orbit of O(d)."""

from eqvproof.papers.library.my23 import householder_action, householder_orthogonal
from eqvproof.papers.library.my23.orbits import (
    REFLECTION_FIXES_C,
    REFLECTION_MAPS_A_TO_B,
    build,
    conditions,
)
from eqvproof.papers.library.my23.points import pair_cases
from eqvproof.papers.statements import (
    Conjunction,
    Construction,
    Derivation,
    Equational,
    Illustrated,
    ProofStep,
)

COMPOSED = {"(P Q) y = P (Q y)": "act(times(p, q), a) = act(p, act(q, a))"}

STATEMENT = ProofStep(
    id="my23.prop3.1.gram-orbit",
    place="Appendix A",
    formal="MaYing.gram_orbit",
    printed="for X, Y with X^T X = Y^T Y there is an orthogonal Q with X = Q Y",
    claim=Illustrated(
        Conjunction(
            {
                "|u|^2 (Q_u a - b) = (|b|^2 - |a|^2) u for u = a - b": REFLECTION_MAPS_A_TO_B,
                "u . c = a . c - b . c": REFLECTION_FIXES_C,
                "(Q_u Q)^T (Q_u Q) = I": Derivation(
                    "times(T(times(Qu, Q)), times(Qu, Q)) = one",
                    {"times(T(Qu), times(Qu, a)) = a": householder_orthogonal.STATEMENT},
                    {
                        "(P Q)^T = Q^T P^T": "T(times(p, q)) = times(T(q), T(p))",
                        "(P Q) A = P (Q A)": "times(times(p, q), a) = times(p, times(q, a))",
                        "Q^T Q = I": "times(T(Q), Q) = one",
                    },
                    "p q a",
                ),
                "(Q_u Q) y_i = x_i": Equational(
                    "act(times(Qu, Q), y(I)) = x(I)",
                    {
                        **COMPOSED,
                        "Q_u (Q y_i) = x_i, of equal length": "act(Qu, act(Q, y(I))) = x(I)",
                    },
                    "p q a",
                ),
                "(Q_u Q) y_j = x_j for j < i": Derivation(
                    "act(times(Qu, Q), y(J)) = x(J)",
                    {"act(Qu, x(J)) = x(J)": householder_action.STATEMENT},
                    {**COMPOSED, "Q y_j = x_j": "act(Q, y(J)) = x(J)"},
                    "p q a",
                ),
            }
        ),
        {"Q": Construction(pair_cases, build, conditions, lambda witness: witness.certificate)},
    ),
    reading=(
        "X and Y are both d x n; the paper gives no proof, this is the usual one",
        "column by column: a = Q y_i and b = x_i have equal lengths and equal inner products with"
        " x_1 .. x_{i-1}, since the Gram matrices agree: u = a - b is orthogonal to these, so that"
        " Q_u fixes them and maps a to b (for a = b there is nothing to do)",
    ),
)
