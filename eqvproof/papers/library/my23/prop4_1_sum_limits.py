"""A sum over more vectors than the sequence has."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.library.my23 import prop4_1_sum_decomposition
from eqvproof.papers.statements import Array, Conjunction, Derivation, ProofStep, Typing

psi = ep.opaque(
    "psi2", "X: d n, s: p -> p n", under="S(n)", example=lambda X, s: s[:, None] * X.sum(0)
)


def from_third(X: Array, s: Array) -> Array:
    """Computes psi(x_k) for k = 3, .., n, where X has n columns."""
    return psi(X, s)[:, 2:]


def sum_past_end(X: Array, s: Array, more: Array) -> Array:
    """Computes sum_{k=3}^{n+m} psi(x_k), as a product with n + m - 2 ones; `more` has length m."""
    return from_third(X, s) @ np.ones(X.shape[1] - 2 + more.shape[0])


STATEMENT = ProofStep(
    id="my23.prop4.1.sum-limits",
    place="Appendix B, g~_12",
    printed="g~_12(X, Z) = rho_2(x_1, x_2, Z, sum_{k=3}^infinity psi_2(x_k; x_1, x_2, Z)) for a"
    " sequence x_1, .., x_n",
    claim=Typing(sum_past_end, "X: d n+1, s: p, more: m -> p"),
    reading=(
        "the sequence has n vectors, n >= 2 (written n + 1), so that x_k is defined only for k <="
        " n. We check the printed sum up to any k beyond n",
        "psi_2 is any function with p values",
    ),
).repaired_as(
    printed="g~_12(X, Z) = rho_2(x_1, x_2, Z, sum_{k=3}^n psi_2(x_k; x_1, x_2, Z))",
    claim=Conjunction(
        {
            "the sum up to n": Typing(lambda X, s: from_third(X, s).sum(1), "X: d n+1, s: p -> p"),
            "rho and psi": Derivation(
                "second(R) = rho(sum(R))",
                {"f(x) = rho(sum(x))": prop4_1_sum_decomposition.STATEMENT},
                {
                    "g~_12 is an invariant function f of the rest R = x_3, ..,"
                    " x_n": "second(x) = f(x)"
                },
                "x",
            ),
        }
    ),
    assumptions=prop4_1_sum_decomposition.STATEMENT.assumptions,
    reading="for n = 2 the sum is empty; rho_2 and psi_2 by my23.prop4.1.sum-decomposition for n -"
    " 2 vectors",
)
