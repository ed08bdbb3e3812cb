"""The statement that all coefficients g of f are invariant."""

import numpy as np

import eqvproof as ep
from eqvproof.papers.statements import (
    Conjunction,
    Equivariance,
    ForEvery,
    Identity,
    Implies,
    ProofStep,
)

g = ep.opaque("g", "X: d n -> n n")

STATEMENT = ProofStep(
    id="my23.prop3.1.every-g-invariant",
    place="Appendix A",
    formal="Refuted.my23_prop3_1_every_g_invariant",
    printed="for f as in Definition 3.1, every g with f(X) = X g(X) satisfies g(Q X) = g(X)",
    claim=ForEvery(
        {
            "d = 1, g(X) = (B - B^T) X^T, f = 0": Implies(
                Identity(
                    lambda X, B: X @ ((B - B.T) @ X.T),
                    lambda X, B: np.zeros((1, 1)),
                    "X: 1 n, B: n n -> 1 1",
                ),
                Equivariance(lambda X, B: (B - B.T) @ X.T, "X: 1 n, B: n n -> n 1!", under="O(1)"),
            )
        }
    ),
    reading=(
        '"every g" is taken literally: the columns of X may be dependent, and then X g(X) does not'
        " determine g(X)",
        "one g per matrix B: X g(X) = 0 for all X, so that f = 0, which is equivariant; g is"
        " invariant when g(-X) = g(X), "
        "the group O(1) being {1, -1}",
    ),
).repaired_as(
    printed="for f as in Definition 3.1 and X of full column rank, every g with f(X) = X g(X)"
    " satisfies g(Q X) = g(X)",
    claim=Conjunction(
        {
            "Q^T f(Q X) = (Q^T Q) X g(Q X)": Identity(
                lambda Q, X: Q.T @ ((Q @ X) @ g(Q @ X)),
                lambda Q, X: (Q.T @ Q) @ X @ g(Q @ X),
                "Q: d d, X: d n -> d n",
            ),
            "H (X C) = (H X) C": Identity(
                lambda H, X, C: H @ (X @ C),
                lambda H, X, C: (H @ X) @ C,
                "H: n d, X: d n, C: n m -> n m",
            ),
        }
    ),
    reading="with Q^T Q = I the first equation says X g(X) = X g(Q X); X of full column rank has a"
    " left inverse H, "
    "H X = I, so that X C determines C",
)
