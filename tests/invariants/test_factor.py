"""Factorisation through the Gram matrix: 20 functions reproduced, 20 others refuted by an element."""

from fractions import Fraction as F

import numpy as np
import pytest

from eqvproof.invariants.calling import call
from eqvproof.invariants.fundamental import factor_through_gram
from eqvproof.support.errors import DomainError, ShapeError, SignatureError, TargetError


def softmax(y, axis=0):
    return np.exp(y) / np.exp(y).sum(axis, keepdims=True)


RATIONAL = {
    "identity": lambda X: X,
    "double": lambda X: 2 * X,
    "zero": lambda X: 0 * X,
    "cubic": lambda X: X @ (X.T @ X),
    "quintic": lambda X: X @ (X.T @ X) @ (X.T @ X),
    "relu": lambda X: X @ np.maximum(X.T @ X, 0),
    "centred": lambda X: X - X.mean(1, keepdims=True),
    "norm squared": lambda X: X * (X**2).sum(),
    "trace": lambda X: X * np.trace(X.T @ X),
    "inverse": lambda X: X @ np.linalg.inv(X.T @ X + np.eye(X.shape[1])),
    "cumulative": lambda X: X @ np.triu(np.ones((X.shape[1], X.shape[1]))),
    "reversed": lambda X: X[:, ::-1],
    "rolled": lambda X: np.roll(X, 1, axis=1),
    "absolute": lambda X: X @ np.abs(X.T @ X),
    "largest": lambda X: X * np.max((X**2).sum(0)),
    "covariance": lambda X: (X @ X.T) @ X,
}
REAL = {
    "softmax": lambda X: X @ softmax(X.T @ X),
    "row softmax": lambda X: X @ softmax(X.T @ X, 1),
    "normalised": lambda X: X / np.sqrt(1 + (X**2).sum(0)),
    "gaussian": lambda X: X * np.exp(-(X**2).sum()),
}
REFUTED = {
    "shifted": lambda X: X + 1,
    "squared": lambda X: X * X,
    "relu": lambda X: np.maximum(X, 0),
    "exp": np.exp,
    "tanh": np.tanh,
    "first entry": lambda X: X * X[0, 0],
    "largest entry": lambda X: X * np.max(X),
    "sorted": lambda X: np.sort(X, axis=0),
    "flipped": lambda X: X[::-1],
    "lower triangle": lambda X: np.tril(np.ones((X.shape[0], X.shape[0]))) @ X,
    "abs": np.abs,
    "sum of entries": lambda X: X * X.sum(),
    "1-norm": lambda X: X * np.abs(X).sum(),
    "layer norm": lambda X: X - X.mean(0),
    "bias": lambda X: X + np.arange(X.shape[0])[:, None],
    "cubed": lambda X: X**3,
    "branch": lambda X: X if X[0, 0] > 0 else 2 * X,
    "a billionth": lambda X: X + X * X[0, 0] * F(1, 10**9),
    "determinant": lambda X: X * (np.linalg.det(X) if X.shape[0] == X.shape[1] else 1),
    "softmax of X": lambda X: X * softmax(X).max(),
}


@pytest.mark.parametrize("name", RATIONAL)
def test_reproduces_exactly(name):
    f = RATIONAL[name]
    g = factor_through_gram(f, "X: d n -> d n")
    assert g.holds and g.check.exact_trials == g.check.trials > 20
    rng = np.random.default_rng(1)
    for d, n in ((1, 2), (2, 2), (3, 3), (4, 2), (3, 4)):
        x = rng.integers(-4, 5, (d, n))
        c = g(x.T @ x, d=d)
        assert (x.dot(c) == call(f, [x.astype(object)])).all()


@pytest.mark.parametrize("name", REAL)
def test_reproduces_to_rounding(name):
    f = REAL[name]
    g = factor_through_gram(f, "X: d n -> d n")
    assert g.holds and g.check.exact_trials < g.check.trials
    rng = np.random.default_rng(2)
    for x in (rng.integers(-2, 3, (3, 4)), rng.standard_normal((3, 4)), rng.standard_normal((4, 2))):
        c = np.array(g(x.T @ x, d=x.shape[0]), dtype=float)
        assert np.allclose(x @ c, f(x.astype(float)))


@pytest.mark.parametrize("name", REFUTED)
def test_names_an_element(name):
    f = REFUTED[name]
    g = factor_through_gram(f, "X: d n -> d n")
    assert not g.holds
    (x,), h = g.check.inputs, np.array(g.element.matrix(), dtype=object)
    left, right = call(f, [h.dot(x)]), h.dot(call(f, [x]))
    assert left.shape != right.shape or not np.allclose(
        left.astype(float), right.astype(float), rtol=1e-12, atol=0
    )
    assert "does not commute with g" in str(g)
    with pytest.raises(DomainError, match="there is no g"):
        g([[1]])


def test_with_knowledge():
    def f(x, z):
        return x @ (z.T @ x).T @ (z.T @ x) + 2 * z @ (z.T @ x)

    g = factor_through_gram(f, "X: d n, Z: d k -> d n")
    assert g.holds
    x, z = np.array([[1, 2], [0, 1], [1, 1]]), np.array([[1], [3], [-1]])
    g1, g2 = g(x.T @ x, z.T @ x, z.T @ z, d=3)
    assert (x.dot(g1) + z.dot(g2) == f(x, z)).all()
    assert (g.g1(x.T @ x, z.T @ x, z.T @ z, d=3) == g1).all() and (
        g.g2(x.T @ x, z.T @ x, z.T @ z, d=3) == g2
    ).all()


def test_other_layouts():
    g = factor_through_gram(lambda X: (X @ X.T) @ X, "X: n d -> n d")
    x = np.array([[1, 2], [3, 4], [0, 1]])
    assert (g(x @ x.T, d=2).dot(x) == (x @ x.T) @ x).all()
    g = factor_through_gram(lambda x, y: x * (y @ y), "x: d, y: d -> d")
    assert [v.tolist() for v in g([[2]], [[1]], [[3]])] == [[3], [0]]
    g = factor_through_gram(lambda X: X.sum(1), "X: d n -> d", sizes={"d": 2})
    assert g.holds and g([[1, 0], [0, 1]]).tolist() == [1, 1]


def test_a_dimension_with_a_rational_root_is_chosen():
    g = factor_through_gram(lambda X: X @ (X.T @ X), "X: d n -> d n")
    assert g([[7]]).tolist() == [[7]]  # 7 is a sum of four squares, and of no fewer
    assert g(np.array([[2.0]]))[0, 0] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("grams", "error"),
    [
        (([[1, 2], [2, 1]],), DomainError),
        (([[1, 2]],), ShapeError),
        (([[1]], [[1]]), ShapeError),
        ((), ShapeError),
        (([[np.nan]],), DomainError),
    ],
)
def test_bad_gram_matrices(grams, error):
    with pytest.raises(error):
        factor_through_gram(lambda X: X, "X: d n -> d n")(*grams)


@pytest.mark.parametrize(
    ("f", "signature", "error"),
    [
        (lambda X: X, "X: d n, b: k -> d n", SignatureError),
        (lambda X: X, "X: m n -> m n", SignatureError),
        (lambda X: X, "X: d n -> n n", SignatureError),
        (lambda X: None, "X: d n -> d n", TargetError),
        (lambda X: X[0], "X: d n -> d n", ShapeError),
        (lambda X: X * np.nan, "X: d n -> d n", DomainError),
    ],
)
def test_bad_input(f, signature, error):
    with pytest.raises(error):
        factor_through_gram(f, signature)


@pytest.mark.parametrize("gram", [[[1.0, 1.0], [0.0, 1.0]], [[1.0, 0.5], [0.4, 1.0]]])
def test_floats_that_are_no_gram_matrix(gram):
    factor = factor_through_gram(lambda X: X @ (X.T @ X), "X: d n -> d n")
    with pytest.raises(DomainError, match="no family of vectors has these invariants"):
        factor(np.array(gram))


def test_complex_gram_matrices_are_refused():
    factor = factor_through_gram(lambda X: X @ (X.T @ X), "X: d n -> d n")
    with pytest.raises(DomainError, match="complex"):
        factor(np.array([[1, 1j], [-1j, 1]]))
