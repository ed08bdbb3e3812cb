"""Group averages: exact over finite groups, canonical forms beyond."""

from fractions import Fraction as F
from itertools import permutations, product

import numpy as np
import pytest

from eqvproof.invariants.reynolds import reynolds
from eqvproof.support.errors import GroupError, ShapeError, SignatureError


def crooked(x):
    return x * x[0, 0] + np.arange(x.shape[0])[:, None]


def test_by_hand():
    assert reynolds(lambda x: x[0] * x[1], "x: n -> ()", "C(n)")([1, 2, 4]) == F(14, 3)
    assert reynolds(lambda x: x[0], "x: n -> ()", "S(n)")([1, 2, 6]) == 3
    assert reynolds(lambda x: x + 1, "x: d -> d", "Signs(d)")([1, 2]).tolist() == [1, 2]
    assert reynolds(lambda x: x[::-1] * 1.5, "x: n -> n", "A(n)")([1, 2, 3]).tolist() == [3, 3, 3]
    assert reynolds(lambda X: X + 1, "X: d n -> d n", "Signs(d) x S(n)")([[1, 2], [3, 4]]).tolist() == [
        [1, 2],
        [3, 4],
    ]


@pytest.mark.parametrize("family", ["S", "A", "C", "D"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_equivariant_and_a_projection(family, n):
    rng = np.random.default_rng(n)
    average = reynolds(crooked, "X: n d -> n d", f"{family}(n)")
    again = reynolds(average, "X: n d -> n d", f"{family}(n)")
    x = rng.integers(-3, 4, (n, 2))
    value = average(x)
    assert average.method(n=n, d=2) == "average"
    shift = (np.arange(n) + 1) % n
    if family != "A" or n % 2:
        assert (average(x[shift]) == value[shift]).all()
    assert (again(x) == value).all()


def test_it_is_the_average_itself():
    x = np.array([[1, 2], [3, 4], [0, 5]])
    total = 0
    for p in permutations(range(3)):
        back = np.argsort(p)
        total = total + crooked(x[list(p)])[back]
    assert (reynolds(crooked, "X: n d -> n d", "S(n)")(x) == np.vectorize(F)(total, 6)).all()


@pytest.mark.parametrize("n", [3, 9, 12])
@pytest.mark.parametrize("repeat", [False, True])
def test_canonical_forms(n, repeat):
    rng = np.random.default_rng(n)
    average = reynolds(crooked, "X: n d -> n d", "S(n)", most=1 if n == 3 else 5040)
    assert average.method(n=n, d=2) == "canonical form"
    x = rng.integers(-9, 10, (n, 2))
    if repeat:
        x[1] = x[2] = x[0]
    value = average(x)
    for _ in range(5):
        p = rng.permutation(n)
        assert (average(x[p]) == value[p]).all()
    if repeat:
        assert (value[0] == value[1]).all()


def test_canonical_forms_with_two_axes():
    average = reynolds(
        lambda X: np.arange(16).reshape(4, 4) * X[0, 0] + X @ X.T * np.arange(4),
        "X: n d -> n n",
        "S(n)",
        most=1,
    )
    x = np.array([[1], [1], [2], [1]])
    value = average(x)
    for p in map(list, permutations(range(4))):
        assert (average(x[p]) == value[np.ix_(p, p)]).all()


@pytest.mark.parametrize("most", [1, 5040])
def test_equivariant_functions_are_reproduced(most):
    def f(x, w):
        return x @ x.T @ x + x.sum(0) + w.sum()

    average = reynolds(f, "X: n d, w: k -> n d", "S(n)", most=most)
    x, w = np.array([[1, 2], [3, 4], [3, 4], [0, 5]]), np.array([1, 7])
    assert (average(x, w) == f(x, w)).all()


def test_products_of_groups():
    average = reynolds(lambda X: X * X[0, 0] + 1, "X: n m -> n m", "S(n) x C(m)", most=6)
    x = np.random.default_rng(0).integers(-3, 4, (4, 3))
    value = average(x)
    assert average.method(n=4, m=3) == "canonical form"
    for p, s in product(list(permutations(range(4)))[::5], range(3)):
        moved = np.roll(x[list(p)], s, axis=1)
        assert (average(moved) == np.roll(value[list(p)], s, axis=1)).all()


def test_index_arguments_are_relabelled():
    def first_edge(edges, x):
        return x[edges[0, 0]]

    average = reynolds(first_edge, "E[n]: 2 m, x: n -> ()", "S(n)")
    edges, x = np.array([[0, 2], [1, 1]]), np.array([5, 7, 9])
    assert average(edges, x) == 5


def test_floats_and_transcendental_functions():
    assert np.allclose(reynolds(np.exp, "x: n -> n", "A(n)")([0.5, 1.5, 2.5]), np.exp([0.5, 1.5, 2.5]))
    assert np.allclose(reynolds(np.exp, "x: n -> n", "A(n)")([1, 2, 3]), np.exp([1, 2, 3]))


@pytest.mark.parametrize(
    ("signature", "under", "error"),
    [
        ("X: d n -> d n", "O(d)", GroupError),
        ("X: n d -> n d", "T(d)", GroupError),
        ("X: n d -> n d", "S(k)", GroupError),
        ("X n", "S(n)", SignatureError),
    ],
)
def test_groups_that_are_refused(signature, under, error):
    with pytest.raises(error):
        reynolds(crooked, signature, under)


def test_calls_that_are_refused():
    average = reynolds(crooked, "X: n n -> n n", "S(n)", most=2)
    with pytest.raises(GroupError, match="canonical form"):
        average(np.eye(3, dtype=int))
    with pytest.raises(GroupError, match="too many"):
        reynolds(crooked, "X: n d -> n d", "A(n)")(np.zeros((10, 2), dtype=int))
    with pytest.raises(ShapeError):
        average(np.zeros(3))
    with pytest.raises(ShapeError):
        average(np.zeros((2, 3)))
    with pytest.raises(ShapeError):
        average(np.zeros((2, 2)), np.zeros((2, 2)))


def test_complex_numbers_keep_their_imaginary_parts():
    average = reynolds(lambda x: x * np.arange(len(x)), "x: n -> n", "S(n)")
    assert average(np.array([1j, 2.0])).tolist() == [0.5j, 1]
    x = 1j * np.arange(9)[::-1]
    assert average.method(n=9) == "canonical form"
    assert average(x).tolist() == (x * np.arange(9)[::-1]).tolist()  # times the place in the sorted order
