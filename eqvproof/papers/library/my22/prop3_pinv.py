"""The pseudo-inverse determines the coefficients."""

from eqvproof.papers.library.my22.pseudo_inverse import (
    COEFFICIENTS_ARE_EQUIVARIANT,
    left_inverse_is_equivariant,
    p,
)
from eqvproof.papers.statements import (
    AtSizes,
    Conjunction,
    Equational,
    Equivariance,
    Illustrated,
    ProofStep,
)

SIZES = tuple({"d": d, "n": n} for d in range(1, 4) for n in range(1, d + 1))

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
                "p(X^T X) X^T f(X, Z) transforms like g": COEFFICIENTS_ARE_EQUIVARIANT,
            }
        ),
        {"p the inverse": AtSizes(left_inverse_is_equivariant, SIZES)},
    ),
    reading=(
        "X^T X is invertible for X of full column rank, and X^+ = (X^T X)^-1 X^T",
        "the last two parts only use (P^T G P)^-1 = P^T G^-1 P of the inverse: p is any function"
        " with that property",
    ),
)
