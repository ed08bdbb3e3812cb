"""The statement that g can be chosen continuous if f is continuous."""

import eqvproof as ep
from eqvproof.papers.library.my23.homogeneous_quotient import PREMISE, example
from eqvproof.papers.statements import (
    Conjunction,
    Equivariance,
    ForEvery,
    Identity,
    Implies,
    Proposition,
)

f = ep.opaque("f", "X: d n -> d n", under="O(d)", example=lambda X: X @ X.T @ X)
p = ep.opaque("p", "G: n n -> n n")


STATEMENT = Proposition(
    id="my23.prop3.1.continuous-g",
    place="§3.1, Proposition 3.1 (a question to it)",
    formal="Continuous.my23_prop3_1_continuous_g",
    printed="if f of Proposition 3.1 is continuous, then g can be chosen continuous on all Gram"
    " matrices",
    claim=ForEvery(
        {
            "f(X) = (x_1.x_2) x_1 / (|x_1|^2 + |x_2|^2), n = 2": Implies(
                PREMISE,
                Identity(
                    lambda X, Y: example(X + Y),
                    lambda X, Y: example(X) + example(Y),
                    "X: d 2, Y: d 2 -> d 1",
                ),
            )
        }
    ),
    reading=(
        "continuous on all Gram matrices includes those of rank-deficient X, and 0",
        "f = N / D is continuous: a quotient away from 0, and |f(X)| <= |x_1| / 2 since |2"
        " x_1.x_2| <= D",
        "f(t X) = t f(X). A g that is continuous at 0 gives f(X) = f(t X) / t = X g(t^2 X^T X) ->"
        " X g(0) as t -> 0, so that f would be additive: this necessary condition is checked",
    ),
).repaired_as(
    printed="on X of full column rank, g(X^T X) = (X^T X)^-1 X^T f(X) is the only choice, a"
    " function of X^T X",
    claim=Conjunction(
        {
            "X^T X g = X^T f(X) for f(X) = X g": Identity(
                lambda X, C: X.T @ (X @ C), lambda X, C: (X.T @ X) @ C, "X: d n, C: n m -> n m"
            ),
            "(X^T X)^-1 X^T f(X) is invariant": Equivariance(
                lambda X: p(X.T @ X) @ X.T @ f(X), "X: d n -> n n", under="O(d)"
            ),
        }
    ),
    reading=(
        "X^T X is invertible there, so that the first equation determines g; invariance is shown"
        " for any function p "
        "of X^T X in place of the inverse",
        "inverse and products are continuous, so that g is continuous there when f is",
    ),
)
