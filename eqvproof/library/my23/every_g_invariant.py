"""Are the coefficients invariant whatever they are?"""

import numpy as np

from eqvproof.statements import Equivariance, ForEvery, Identity, Implies, ProofStep

ID = "my23.prop3.1.every-g-invariant"

STATEMENT = ProofStep(
    id=ID,
    place="Appendix A",
    printed="for f as in Definition 3.1, every g with f(X) = X g(X) satisfies g(Q X) = g(X)",
    claim=ForEvery(
        {
            "d = 1, g(X) = (B - B^T) X^T, f = 0": Implies(
                Identity(
                    lambda X, B: X @ ((B - B.T) @ X.T), lambda X, B: np.zeros((1, 1)), "X: 1 n, B: n n -> 1 1"
                ),
                Equivariance(lambda X, B: (B - B.T) @ X.T, "X: 1 n, B: n n -> n 1!", under="O(1)"),
            )
        }
    ),
    reading=(
        "every g is read as written: the columns of X may be dependent, and then X g(X) does not determine g(X)",
        "one g per matrix B: X g(X) = 0 for all X, so that f = 0, which is equivariant; g is invariant when g(-X) = g(X), "
        "the group O(1) being {1, -1}",
    ),
)
