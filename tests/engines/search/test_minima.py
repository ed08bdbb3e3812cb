"""Classical wrong claims: the counterexample that is found is the smallest one, derived by hand.

Points are compared by sizes (sum, then order of the axes), then by the group element in the order of
`groups.simple_elements`, then exact before enclosed, then by the sum of the costs of the entries
(0, 1, -1, 2, -2, ... cost 0, 2, 3, 4, 5, ...).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.engines.search.asking import ask, numbers

REFLECT = "reflect coordinate 0"
SWAP = "swap positions 0 and 1 along n"
TURN = "rotate the plane 0-1 by the angle with cosine 3/5 and sine 4/5"
HALF = Fraction(1, 2)


def softmax(x: Any, axis: int) -> Any:
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


class Wrong(NamedTuple):
    function: Any
    signature: str
    under: str
    sizes: dict[str, int]
    words: str
    inputs: dict[str, Any]
    grade: str = "EXACT"
    how: tuple[str, ...] = ("program", "black box")


CLAIMS: dict[str, Wrong] = {
    # f(0) = 0 on both sides; f(-1) = 0, but -f(1) = -1
    "relu under O(d)": Wrong(
        lambda x: np.maximum(x, 0), "x: d -> d", "O(d)", {"d": 1}, REFLECT, {"x": [1]}
    ),
    # SO(1) is trivial; the quarter turn takes (1, 0) to (0, 1): f commutes; (0, 1) to (-1, 0): 0, not (-1, 0)
    "relu under SO(d)": Wrong(
        lambda x: np.maximum(x, 0), "x: d -> d", "SO(d)", {"d": 2}, "quarter turn in the plane 0-1",
        {"x": [0, 1]},
    ),
    "relu under Signs(d)": Wrong(
        lambda x: np.maximum(x, 0), "x: d -> d", "Signs(d)", {"d": 1}, "flip the sign of coordinate 0",
        {"x": [1]},
    ),
    # S(1) is trivial; f(0, 1) = (0, 1), but f(1, 0) = (1, 1) swapped is (1, 1)
    "cumulative sum under S(n)": Wrong(
        np.cumsum, "x: n -> n", "S(n)", {"n": 2}, SWAP, {"x": [1, 0]}
    ),
    # odd, so d = 1 holds; at d = 2 all signed permutations commute; tanh(3/5) is not 3/5 tanh(1)
    "tanh under O(d)": Wrong(np.tanh, "x: d -> d", "O(d)", {"d": 2}, TURN, {"x": [1, 0]}, "ENCLOSED"),
    # f is 0 at (1, 1), odd in X at d = 1; at d = 2 the mean of (1, 0) is that of (-1, 0) up to sign only
    "mean of all entries under O(d)": Wrong(
        lambda X: X - X.mean(), "X: d n -> d n", "O(d)", {"d": 2, "n": 1}, REFLECT, {"X": [[1], [0]]}
    ),
    "first entry under S(n)": Wrong(lambda x: x[0], "x: n -> ()", "S(n)", {"n": 2}, SWAP, {"x": [1, 0]}),
    # the first element of A(3) is the cycle that brings another entry to the front
    "first entry under A(n)": Wrong(
        lambda x: x[0], "x: n -> ()", "A(n)", {"n": 3}, "shift all positions along n cyclically by 1",
        {"x": [1, 0, 0]},
    ),
    "last column under S(n)": Wrong(
        lambda X: X[:, -1], "X: d n -> d", "S(n)", {"d": 1, "n": 2}, SWAP, {"X": [[1, 0]]}
    ),
    "sum of cubes under O(d)": Wrong(
        lambda x: (x**3).sum(), "x: d -> ()", "O(d)", {"d": 1}, REFLECT, {"x": [1]}
    ),
    # signed permutations keep |x|_1; the turn takes (1, 0) to (3/5, 4/5) of norm 7/5
    "1-norm under O(d)": Wrong(
        lambda x: np.abs(x).sum(), "x: d -> ()", "O(d)", {"d": 2}, TURN, {"x": [1, 0]}
    ),
    "maximum over coordinates under O(d)": Wrong(
        lambda X: X.max(axis=0), "X: d n -> n", "O(d)", {"d": 1, "n": 1}, REFLECT, {"X": [[1]]}
    ),
    # sorted, both (1, 0) and (0, 1) give (0, 1)
    "sort under S(n)": Wrong(np.sort, "x: n -> n", "S(n)", {"n": 2}, SWAP, {"x": [1, 0]}),
    # at n = 2 the reversal is the swap itself and commutes; at n = 3 it takes e1 to e3, e2 to e2
    "reversal under S(n)": Wrong(lambda x: x[::-1], "x: n -> n", "S(n)", {"n": 3}, SWAP, {"x": [1, 0, 0]}),
    "reversal under C(n)": Wrong(
        lambda x: x[::-1], "x: n -> n", "C(n)", {"n": 3}, "shift all positions along n cyclically by 1",
        {"x": [1, 0, 0]},
    ),
    # at n = 2 the shift is the swap itself
    "cyclic shift under S(n)": Wrong(
        lambda x: np.roll(x, 1), "x: n -> n", "S(n)", {"n": 3}, SWAP, {"x": [1, 0, 0]}
    ),
    "determinant under O(d)": Wrong(
        np.linalg.det, "X: d d! -> ()", "O(d)", {"d": 1}, REFLECT, {"X": [[1]]}
    ),
    "trace under O(d) on the left": Wrong(
        np.trace, "X: d d! -> ()", "O(d)", {"d": 1}, REFLECT, {"X": [[1]]}
    ),
    "product of coordinates under O(d)": Wrong(
        np.prod, "x: d -> ()", "O(d)", {"d": 1}, REFLECT, {"x": [1]}
    ),
    # 1 * 1 at both signs
    "X times its first row under O(d)": Wrong(
        lambda X: X * X[0], "X: d n -> d n", "O(d)", {"d": 1, "n": 1}, REFLECT, {"X": [[1]]}
    ),
    # e_11 stays in place; e_21 (cost 2, before e_12 in the list) is cut off, its image e_12 is not
    "upper triangle under S(n)": Wrong(
        np.triu, "A: n n -> n n", "S(n)", {"n": 2}, SWAP, {"A": [[0, 0], [1, 0]]}
    ),
    # X = 0 already shows the added positions
    "positional encoding under S(n)": Wrong(
        lambda X: X + np.arange(X.shape[0])[:, None], "X: n d -> n d", "S(n)", {"n": 2, "d": 1}, SWAP,
        {"X": [[0], [0]]},
    ),
    # 2m = m + m: the shift exchanges x1 with x2 and x3 with x4; x[::2] = (x1, x3)
    "strided pooling under C(m)": Wrong(
        lambda x: x[::2], "x: 2m -> m", "C(m)", {"m": 2}, "swap positions 0 and 1 along m",
        {"x": [1, 0, 0, 0]},
    ),
    # the parts of n+k come in the order written; with k = 1 the result is (y, x1, x2)
    "parts in the wrong order under S(n)": Wrong(
        lambda X, Y: np.concatenate([Y, X], axis=1), "X: d n, Y: d k -> d n+k", "S(n)",
        {"d": 1, "n": 2, "k": 1}, SWAP, {"X": [[0, 1]], "Y": [[0]]},
    ),
    # x = 0: 1 against -1
    "bias under O(d)": Wrong(lambda x: x + 1, "x: d -> d", "O(d)", {"d": 1}, REFLECT, {"x": [0]}),
    # log(-1) is undefined, -log(1) = 0; no x has both x and -x positive
    "logarithm under O(d)": Wrong(np.log, "x: d -> d", "O(d)", {"d": 1}, REFLECT, {"x": [1]}),
    # e against 1/e; x = 0 gives 1 on both sides
    "sum of exp under Signs(d)": Wrong(
        lambda x: np.exp(x).sum(), "x: d -> ()", "Signs(d)", {"d": 1}, "flip the sign of coordinate 0",
        {"x": [1]}, "ENCLOSED",
    ),
    # |x| < 1 for both sides to be defined: 1/2 is the simplest such number but 0
    "x / sqrt(1 + sum x) under O(d)": Wrong(
        lambda x: x / np.sqrt(1 + x.sum()), "x: d -> d", "O(d)", {"d": 1}, REFLECT, {"x": [HALF]}, "ENCLOSED"
    ),
    # over one coordinate softmax is 1: f(-1) = f(1)
    "X softmax(X)^T X under O(d)": Wrong(
        lambda X: X @ softmax(X, 0).T @ X, "X: d n -> d n", "O(d)", {"d": 1, "n": 1}, REFLECT, {"X": [[1]]},
        "ENCLOSED",
    ),
    # 1 / (1 + e) is not 1 - 1 / (1 + e), up to sign
    "x sigmoid(x) under O(d)": Wrong(
        lambda x: x / (1 + np.exp(-x)), "x: d -> d", "O(d)", {"d": 1}, REFLECT, {"x": [1]}, "ENCLOSED"
    ),
    # the mirror changes the sign of a x b relative to the mirrored one; e3 x e2 = -e1
    "cross product under O(3)": Wrong(
        np.cross, "a: 3, b: 3 -> 3", "O(3)", {}, REFLECT, {"a": [0, 0, 1], "b": [0, 1, 0]}
    ),
    "sum above the diagonal under S(n)": Wrong(
        lambda A: np.triu(A, 1).sum(), "A: n n -> ()", "S(n)", {"n": 2}, SWAP, {"A": [[0, 0], [1, 0]]}
    ),
    # symmetric at n = 2; at n = 3 the ends of e1 add to 1, those of e2 to 0
    "first plus last under S(n)": Wrong(
        lambda x: x[0] + x[-1], "x: n -> ()", "S(n)", {"n": 3}, SWAP, {"x": [1, 0, 0]}
    ),
    "weighted sum under S(n)": Wrong(
        lambda x: (x * np.arange(x.shape[0])).sum(), "x: n -> ()", "S(n)", {"n": 2}, SWAP, {"x": [1, 0]}
    ),
    # symmetric at n = 2; e1 gives 1, e2 gives 2
    "squared differences under S(n)": Wrong(
        lambda x: ((x[1:] - x[:-1]) ** 2).sum(), "x: n -> ()", "S(n)", {"n": 3}, SWAP, {"x": [1, 0, 0]}
    ),
    # f(a, b) = (a^3, b (a^2 + b^2)): a b^2 = 0 or b a^2 = 0 hide it, so that (1, 1) is the simplest
    "causal mask under S(n)": Wrong(
        lambda X: X @ np.triu(X.T @ X), "X: d n -> d n", "S(n)", {"d": 1, "n": 2}, SWAP, {"X": [[1, 1]]}
    ),
    "absolute value under O(d)": Wrong(np.abs, "x: d -> d", "O(d)", {"d": 1}, REFLECT, {"x": [1]}),
    "square under Signs(d)": Wrong(
        lambda x: x**2, "x: d -> d", "Signs(d)", {"d": 1}, "flip the sign of coordinate 0", {"x": [1]}
    ),
    # (1, 0) turns to (3/5, 4/5), not clipped; (1, 1) to (-1/5, 7/5), clipped on one side only
    "clipping under O(d)": Wrong(
        lambda x: np.clip(x, -1, 1), "x: d -> d", "O(d)", {"d": 2}, TURN, {"x": [1, 1]}
    ),
    "sign under O(d)": Wrong(np.sign, "x: d -> d", "O(d)", {"d": 2}, TURN, {"x": [1, 0]}),
    # x_1 - x_2 changes its sign; one factor at n = 2
    "Vandermonde product under S(n)": Wrong(
        lambda x: np.prod([x[j] - x[i] for i in range(len(x)) for j in range(i)]), "x: n -> ()", "S(n)",
        {"n": 2}, SWAP, {"x": [1, 0]}, how=("black box",),
    ),
    # 1 x 1 matrices commute; at d = 2 W = e_21, x = e_1: W g x = -e_2, g W x = e_2
    "fixed matrix on the left under O(d)": Wrong(
        lambda W, X: W @ X, "W: d! d!, X: d n -> d n", "O(d)", {"d": 2, "n": 1}, REFLECT,
        {"W": [[0, 0], [1, 0]], "X": [[1], [0]]},
    ),
    # x / x = 1 whatever the sign
    "division by the maximum under Signs(d)": Wrong(
        lambda x: x / x.max(), "x: d -> d", "Signs(d)", {"d": 1}, "flip the sign of coordinate 0", {"x": [1]}
    ),
    # floor(-1/2) = -1, floor(1/2) = 0; integers do not show it
    "floor under Signs(d)": Wrong(
        np.floor, "x: d -> d", "Signs(d)", {"d": 1}, "flip the sign of coordinate 0", {"x": [HALF]}
    ),
    # |x|_1 again: (3/5, 4/5) / (7/5) against (3/5, 4/5)
    "division by the 1-norm under O(d)": Wrong(
        lambda X: X / np.abs(X).sum(), "X: d n -> d n", "O(d)", {"d": 2, "n": 1}, TURN, {"X": [[1], [0]]}
    ),
    # two rows, each reflected: the product is not
    "product of two rows under O(d)": Wrong(
        lambda X: X[0] * X[1], "X: 2 d -> d", "O(d)", {"d": 1}, REFLECT, {"X": [[1], [1]]}
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "how"), [(name, how) for name, claim in CLAIMS.items() for how in claim.how], ids=str
)
def test_the_counterexample_is_the_smallest(name: str, how: str) -> None:
    claim = CLAIMS[name]
    found = ask(claim.function, claim.signature, claim.under, how=how).found
    assert found is not None
    assert found.sizes == claim.sizes
    assert found.words == claim.words
    assert numbers(found) == claim.inputs
    assert found.grade == claim.grade
    assert sum(not e.is_identity for e in found.elements) <= 1


def test_there_are_enough_of_them() -> None:
    assert len(CLAIMS) >= 30
