"""Can g be continuous when f is?"""

import numpy as np

import eqvproof as ep
from eqvproof.library.my23.notation import Array
from eqvproof.statements import Conjunction, Equivariance, ForEvery, Identity, Implies, Proposition

ID = "my23.prop3.1.continuous-g"
TWO = "X: d 2 -> d 1"
f = ep.opaque("f", "X: d n -> d n", under="O(d)")


def numerator(X: Array) -> Array:  # noqa: N803
    """(x_1 . x_2) x_1."""
    return (X[:, 0] @ X[:, 1]) * X[:, :1]


def denominator(X: Array) -> Array:  # noqa: N803
    """|x_1|^2 + |x_2|^2."""
    return (X * X).sum()


def example(X: Array) -> Array:  # noqa: N803
    """f(X) = (x_1 . x_2) x_1 / (|x_1|^2 + |x_2|^2), f(0) = 0."""
    total = denominator(X)
    return np.where(total > 0, numerator(X) / np.where(total > 0, total, 1), 0)


PREMISE = Conjunction(
    {
        "f is equivariant": Equivariance(example, TWO, under="O(d)"),
        "D + 2 x_1.x_2 = |x_1 + x_2|^2": Identity(
            lambda X: denominator(X) + 2 * X[:, 0] @ X[:, 1],
            lambda X: (X[:, 0] + X[:, 1]) @ (X[:, 0] + X[:, 1]),
            "X: d 2 -> ()",
        ),
        "D - 2 x_1.x_2 = |x_1 - x_2|^2": Identity(
            lambda X: denominator(X) - 2 * X[:, 0] @ X[:, 1],
            lambda X: (X[:, 0] - X[:, 1]) @ (X[:, 0] - X[:, 1]),
            "X: d 2 -> ()",
        ),
        "N(t X) = t^3 N(X)": Identity(
            lambda t, X: numerator(t * X), lambda t, X: t**3 * numerator(X), "t: (), X: d 2 -> d 1"
        ),
        "D(t X) = t^2 D(X)": Identity(
            lambda t, X: denominator(t * X), lambda t, X: t**2 * denominator(X), "t: (), X: d 2 -> ()"
        ),
    }
)

STATEMENT = Proposition(
    id=ID,
    place="§3.1, Proposition 3.1 (a question to it)",
    printed="if f of Proposition 3.1 is continuous, then g can be chosen continuous on all Gram matrices",
    claim=ForEvery(
        {
            "f(X) = (x_1.x_2) x_1 / (|x_1|^2 + |x_2|^2), n = 2": Implies(
                PREMISE,
                Identity(
                    lambda X, Y: example(X + Y), lambda X, Y: example(X) + example(Y), "X: d 2, Y: d 2 -> d 1"
                ),
            )
        }
    ),
    reading=(
        "continuous on all Gram matrices includes those of rank-deficient X, and 0",
        "f = N / D is continuous: a quotient away from 0, and |f(X)| <= |x_1| / 2 since |2 x_1.x_2| <= D",
        "f(t X) = t f(X). A g that is continuous at 0 gives f(X) = f(t X) / t = X g(t^2 X^T X) -> X g(0) as t -> 0, so "
        "that f would be additive: this necessary condition is what is judged",
    ),
    repaired=Proposition(
        id=f"{ID}.repaired",
        place="§3.1, Proposition 3.1 (a question to it)",
        printed="on X of full column rank, g(X^T X) = (X^T X)^-1 X^T f(X) is the only choice, a function of X^T X",
        claim=Conjunction(
            {
                "X^T X g = X^T f(X) for f(X) = X g": Identity(
                    lambda X, C: X.T @ (X @ C), lambda X, C: (X.T @ X) @ C, "X: d n, C: n m -> n m"
                ),
                "g is invariant": Equivariance(
                    lambda X: np.linalg.inv(X.T @ X) @ X.T @ f(X), "X: d n -> n n", under="O(d)"
                ),
            }
        ),
        reading="inverse and products are continuous, so that g is continuous in X there when f is",
    ),
)
