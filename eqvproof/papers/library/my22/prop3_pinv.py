"""The pseudo-inverse determines the coefficients."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import (
    Array,
    AtSizes,
    Conjunction,
    Equational,
    Equivariance,
    Illustrated,
    ProofStep,
)

f = ep.opaque("f", "X: d n, Z: d k -> d n", under="S(n)", example=lambda X, Z: X + (Z * Z).sum())
p = ep.opaque("p", "G: n n -> n n", under="S(n)", example=lambda G: G @ G)


def left_inverse(X: Array) -> Array:
    """Computes X^+ = (X^T X)^-1 X^T."""
    return np.linalg.inv(X.T @ X) @ X.T


STATEMENT = ProofStep(
    id="my22.prop3.pinv",
    place="Appendix B, (7)",
    printed="for X of full column rank: X^+ X = I, g(X, Z) = X^+ f(X, Z), (X P)^+ = P^T X^+, hence"
    " g(X P, Z) = P^T g(X, Z) P",
    claim=Illustrated(
        Conjunction(
            {
                "X^+ X = I": Equational(
                    "times(pinv(X), X) = one",
                    {
                        "X^+ = (X^T X)^-1 X^T": "pinv(x) = times(inv(gram(x)), T(x))",
                        "(A B) C = A (B C)": "times(times(a, b), c) = times(a, times(b, c))",
                        "X^T X, invertible": "times(T(x), x) = gram(x)",
                        "G^-1 G = I": "times(inv(a), a) = one",
                    },
                    "x a b c",
                ),
                "X^+ f = g": Equational(
                    "times(pinv(X), f) = g",
                    {
                        "f = X g": "f = times(X, g)",
                        "X^+ (X M) = M": "times(pinv(x), times(x, m)) = m",
                    },
                    "x m",
                ),
                "p(X^T X) X^T is (X P)^+ = P^T X^+": Equivariance(
                    lambda X: p(X.T @ X) @ X.T, "X: d n -> n d", under="S(n)"
                ),
                "p(X^T X) X^T f(X, Z) moves as g": Equivariance(
                    lambda X, Z: p(X.T @ X) @ X.T @ f(X, Z), "X: d n, Z: d k -> n n", under="S(n)"
                ),
            }
        ),
        {
            "p the inverse": AtSizes(
                lambda sizes: Equivariance(
                    left_inverse,
                    "X: d n -> n d",
                    under="S(n)",
                    sizes=sizes,
                    domain=ep.domains.full_column_rank,
                    where="X has full column rank",
                ),
                tuple({"d": d, "n": n} for d in range(1, 4) for n in range(1, d + 1)),
            )
        },
    ),
    reading=(
        "X^T X is invertible for X of full column rank, and X^+ = (X^T X)^-1 X^T",
        "(P^T G P)^-1 = P^T G^-1 P is all that is used of the inverse in the last two parts: p is"
        " any function with that property",
    ),
)
