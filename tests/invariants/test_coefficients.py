"""Coefficients in the span of X, or the reflection that refutes."""

from fractions import Fraction as F

import numpy as np
import pytest

from eqvproof.invariants.coefficients import coefficients
from eqvproof.support.errors import DomainError, ShapeError, TargetError

DEFICIENT = np.array([[1, 2, 3], [2, 4, 6], [0, 0, 0]])
GENERIC = np.array([[1, 2, 0], [3, -1, 1], [0, 5, 2]])


def softmax(y):
    return np.exp(y) / np.exp(y).sum(0)


@pytest.mark.parametrize("x", [DEFICIENT, GENERIC, np.zeros((2, 2), dtype=int), GENERIC[:, :1]])
@pytest.mark.parametrize(
    "f",
    [
        lambda X: X,
        lambda X: X @ (X.T @ X),
        lambda X: 0 * X,
        lambda X: X.sum(1, keepdims=True),
        lambda X: X.sum(1),
    ],
)
def test_exact(f, x):
    c = coefficients(f, x)
    assert c.in_span and c.is_exact and c.reflection is None
    value = np.asarray(f(x)).reshape(x.shape[0], -1)
    assert (x.dot(c.C) == value).all()
    assert (x @ np.asarray(c) == value).all()
    pinv = np.linalg.pinv(x.astype(float)) @ value
    assert np.allclose(c.C.astype(float), pinv)  # of least norm


@pytest.mark.parametrize("x", [DEFICIENT, GENERIC[:, :2]])
@pytest.mark.parametrize("f", [lambda X: X + 1, lambda X: X * X, lambda X: np.maximum(X, 0) + X * X, np.exp])
def test_the_reflection_refutes(f, x):
    c = coefficients(f, x)
    assert not c.in_span and c.C is None
    h = c.reflection
    if c.is_exact:
        assert (h.apply(x) == x).all()
        assert (h.apply(c.value) != c.value).any()
    else:
        assert np.allclose(np.asarray(h.apply(x), dtype=float), x)
        assert not np.allclose(h.apply(c.value), c.value)
    assert f"column {c.column} of f(X)" in str(c)
    with pytest.raises(DomainError):
        np.asarray(c)


def test_floats_and_transcendental_functions():
    x = np.random.default_rng(0).standard_normal((5, 3))
    c = coefficients(lambda X: X @ softmax(X.T @ X), x)
    assert not c.is_exact and np.allclose(x @ c.C, x @ softmax(x.T @ x))
    c = coefficients(lambda X: X @ softmax(X.T @ X), GENERIC)
    assert not c.is_exact and np.allclose(GENERIC @ c.C, GENERIC @ softmax(GENERIC.T @ GENERIC))
    c = coefficients(lambda X: X / np.sqrt((X**2).sum()), np.array([[3], [4]]))
    assert c.is_exact and c.C[0, 0] == F(1, 5)


def test_errors_that_a_function_swallows_do_not_make_its_answer_exact():
    def f(x):
        try:
            return x * float(x[0, 0])
        except (ArithmeticError, TypeError):
            return x

    c = coefficients(f, GENERIC + 1)
    assert not c.is_exact and np.allclose(c.C, 2 * np.eye(3))


def test_a_value_instead_of_a_function():
    assert coefficients(2 * GENERIC, GENERIC).C.tolist() == [[2, 0, 0], [0, 2, 0], [0, 0, 2]]


def test_no_columns():
    assert coefficients(lambda X: X, np.zeros((2, 0), dtype=int)).C.shape == (0, 0)
    assert not coefficients(lambda X: np.ones((2, 1)), np.zeros((2, 0), dtype=int)).in_span


def test_the_input_is_not_written_to():
    def f(x):
        x[0, 0] = 99
        return x

    x = GENERIC.copy()
    coefficients(f, x)
    assert (x == GENERIC).all()


@pytest.mark.parametrize(
    ("f", "error"),
    [
        (lambda X: None, TargetError),
        (lambda X: 1 / 0, TargetError),
        (lambda X: "text", TargetError),
        (lambda X: (X, X), ShapeError),
        (lambda X: X[:1], ShapeError),
        (lambda X: X * np.nan, DomainError),
        (lambda X: X / 0.0, (DomainError, TargetError)),
    ],
)
def test_bad_functions(f, error):
    with pytest.raises(error):
        coefficients(f, GENERIC)


def test_complex_input():
    with pytest.raises(DomainError):
        coefficients(lambda X: X, [[1j]])


def test_complex_values_are_refused():
    with pytest.raises(DomainError, match="complex"):
        coefficients(np.eye(2) * 1j, np.eye(2))
