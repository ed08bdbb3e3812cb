"""A calculator in one embedding, as an example of a function that is not equivariant."""

import numpy as np

from eqvproof.papers.statements import Array, Conjunction, Instance, NotFor, Remark

UNIT = np.eye(12, dtype=int)
SWAP = UNIT[:, [1, 0, *range(2, 12)]]
DIGITS = np.arange(10)
PLUS = (DIGITS[:, None, None] == DIGITS[:, None] + DIGITS).astype(int)
MINUS = (DIGITS[:, None, None] == DIGITS[:, None] - DIGITS).astype(int)


def sequence(*tokens: int) -> Array:
    """Builds [e_i, e_j, ...], counted from 1."""
    return UNIT[:, [t - 1 for t in tokens]]


def calculator(X: Array) -> Array:
    """Computes the result's token from digit, operator, digit; it is linear in each of them."""
    first, last = X[2:, 0], X[2:, 2]
    digits = X[0, 1] * (PLUS @ last @ first) + X[1, 1] * (MINUS @ last @ first)
    return np.concatenate([np.zeros(2), digits])


ADD, SUBTRACT = sequence(5, 1, 4), sequence(5, 2, 4)
VALUE = "X: 12 3 -> 12"

STATEMENT = Remark(
    id="my23.sec3.2.arithmetic",
    place="§3.2",
    printed='with + - 0 .. 9 as e_1 .. e_12: f([e_5, e_1, e_4]) = [e_6] ("2+1" = "3"); were f'
    ' equivariant, the swap Q_12 of e_1 and e_2 would give f([e_5, e_2, e_4]) = [e_6], but "2-1" ='
    ' "1"; so f is not orthogonal equivariant',
    claim=Conjunction(
        {
            "2+1 = 3": Instance(calculator, lambda X: UNIT[:, 5], VALUE, {"X": ADD}),
            "2-1 = 1": Instance(calculator, lambda X: UNIT[:, 3], VALUE, {"X": SUBTRACT}),
            "Q_12 is orthogonal": Instance(
                lambda Q: Q.T @ Q, lambda Q: UNIT, "Q: 12 12 -> 12 12", {"Q": SWAP}
            ),
            "Q_12 [e_5, e_1, e_4] = [e_5, e_2, e_4]": Instance(
                lambda Q, X: Q @ X,
                lambda Q, X: SUBTRACT,
                "Q: 12 12, X: 12 3 -> 12 3",
                {"Q": SWAP, "X": ADD},
            ),
            "Q_12 e_6 = e_6": Instance(
                lambda Q: Q @ UNIT[:, 5], lambda Q: UNIT[:, 5], "Q: 12 12 -> 12", {"Q": SWAP}
            ),
            "not f(Q_12 X) = Q_12 f(X)": NotFor(
                Instance(
                    lambda Q, X: calculator(Q @ X),
                    lambda Q, X: Q @ calculator(X),
                    "Q: 12 12, X: 12 3 -> 12",
                    {"Q": SWAP, "X": ADD},
                )
            ),
        }
    ),
    reading=(
        "f is any function with the two printed values; here it is linear in each token, and adds"
        " and subtracts digits (0 if the result is no digit)",
        "Q, printed without its index in the last line, is Q_12",
    ),
)
