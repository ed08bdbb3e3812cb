"""Public calls of witnesses and invariants on all kinds of bad input: an answer, or an error of ours."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

import eqvproof as ep
from eqvproof.support.errors import (
    EqvproofError,
    GramMismatch,
    GroupError,
    OrbitMismatch,
    ShapeError,
    SignatureError,
)

GOOD = [[1, 2], [3, 4]]
FLOATS = np.array(GOOD, dtype=np.float64)


class Raising:
    """An object whose attributes raise."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def empty(*shape: int, kind: Any = int) -> Any:
    return np.zeros(shape, dtype=kind)


#: Empty shapes, of every kind of number.
EMPTY: dict[str, Any] = {
    f"{'x'.join(map(str, shape))} {kind.__name__}": empty(*shape, kind=kind)
    for shape in ((0, 0), (0, 3), (3, 0), (0,))
    for kind in (int, float, complex, object)
} | {
    "[]": [],
    "[[]]": [[]],
    "[[], []]": [[], []],
    "SymPy 0x3": sympy.zeros(0, 3),
    "SymPy 3x0": sympy.zeros(3, 0),
}
#: What is no matrix of numbers, for a call that takes matrices.
WRONG: dict[str, Any] = {
    "a number": 3,
    "a number of NumPy": np.array(3.0),
    "a vector": [1, 2],
    "three axes": np.ones((2, 2, 2)),
    "nested lists": [[[1]], [[2]]],
    "ragged": [[1, 2], [3]],
    "ragged depths": [1, [2]],
    "NaN": [[float("nan"), 1.0], [0.0, 1.0]],
    "NaN of NumPy": np.array([[np.nan, 1]]),
    "an infinity": [[float("inf")]],
    "a negative infinity": np.array([[-np.inf]]),
    "a complex NaN": [[complex("nan")]],
    "a decimal NaN": [[Decimal("NaN")]],
    "a NaN of SymPy": [[sympy.nan]],
    "an infinity of SymPy": [[sympy.oo]],
    "a symbol": [[sympy.Symbol("x")]],
    "a text": "abc",
    "bytes": b"ab",
    "texts": [["a", "b"]],
    "texts of NumPy": np.array([["a"]]),
    "None": None,
    "None inside": [[None, 1]],
    "objects": [[object()]],
    "a dictionary": {"a": 1},
    "a set": {1, 2},
    "a generator": (i for i in range(3)),
    "a function": len,
    "dates": np.array([["2020-01-01"]], dtype="datetime64[D]"),
    "records": np.zeros((2, 2), dtype=[("a", int)]),
    "masked": np.ma.array([[1, 2]], mask=[[0, 1]]),
    "an object that raises": Raising(),
}
UNDERS = ("O(d)", "SO(d)", "U(d)", "SU(d)", "GL(d)", "SL(d)", "Lorentz(d)", "Sp(d)", "SO(1,1; d)", "O(3)")


def bound(witness: Any) -> Any:
    return witness.bound


#: Calls of one argument that take matrices of any shape.
CALLS: dict[str, Callable[[Any], Any]] = {
    "orthogonal_witness": lambda b: ep.orthogonal_witness(b, b).certificate,
    "orthogonal_witness, det": lambda b: ep.orthogonal_witness(b, b, det=1).Q,
    "orthogonal_witness, reflections": lambda b: ep.orthogonal_witness(b, b, reflections=True).reflections,
    "orthogonal_witness, bounds": lambda b: [f(ep.orthogonal_witness(b, b)) for f in (repr, bound)],
    "orthogonal_witness, X": lambda b: ep.orthogonal_witness(b, GOOD),
    "orthogonal_witness, Y": lambda b: ep.orthogonal_witness(FLOATS, b),
    "permutation_witness": lambda b: ep.permutation_witness(b, b).certificate,
    "permutation_witness, tol": lambda b: ep.permutation_witness(b, b, tol=0.1).P,
    "permutation_witness, X": lambda b: ep.permutation_witness(b, GOOD),
    "congruence_witness": lambda b: ep.congruence_witness(b, b).certificate,
    "congruence_witness, Y": lambda b: ep.congruence_witness(GOOD, b),
    "gram": ep.gram,
    "gram_match": lambda b: bool(ep.gram_match(b, b)),
    "gram_match, projection": lambda b: bool(ep.gram_match(b, b, method="projection")),
    "gram_match, exact": lambda b: bool(ep.gram_match(b, b, method="exact")),
    "gram_match, X": lambda b: bool(ep.gram_match(b, GOOD)),
    "coefficients": lambda b: ep.coefficients(lambda X: X, b),
    "factor_through_gram": lambda b: FACTORED(b),
} | {
    f"orbit_witness, {under}": lambda b, under=under: ep.orbit_witness(b, b, under).certificate
    for under in UNDERS
}
FACTORED = ep.factor_through_gram(lambda X: X @ (X.T @ X), "X: d n -> d n")
#: Calls to which a vector, or an array of other shapes, may be given.
OPEN: dict[str, Callable[[Any], Any]] = {
    "householder": ep.householder,
    "householder, apply": ep.householder([1, 2]).apply,
    "householder of floats, apply": ep.householder([1.0, 2.0]).apply,
    "orthogonal witness, apply": ep.orthogonal_witness(GOOD, GOOD).apply,
    "orthogonal witness of floats, apply": ep.orthogonal_witness(FLOATS, FLOATS).apply,
    "permutation witness, apply": ep.permutation_witness(GOOD, GOOD).apply,
    "congruence witness, apply": ep.congruence_witness(GOOD, GOOD).apply,
    "orbit witness, apply": ep.orbit_witness(GOOD, GOOD, "O(d)").apply,
    "orbit witness of floats, apply": ep.orbit_witness(FLOATS, FLOATS, "O(d)").apply,
    "orbit witness of complex vectors, apply": ep.orbit_witness(GOOD, GOOD, "U(d)").apply,
    "reynolds": ep.reynolds(lambda x: x, "x: n d -> n d", "S(n)"),
    "what a function returns": lambda b: ep.coefficients(lambda X: b, GOOD),
    "what a function to average returns": lambda b: ep.reynolds(lambda x: b, "x: n -> n", "S(n)")([1, 2]),
}
#: Of these no text, NaN, ... is a right answer.
NEVER = ("ragged", "ragged depths", "a text", "bytes", "None", "a dictionary", "a set", "a function")


def told_by_us(call: Callable[[], Any]) -> EqvproofError | None:
    """What a call raises, where it does; anything but an error of ours fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call()
        except EqvproofError as error:
            assert error.message and error.expected and error.hint, repr(error)
            assert error.given or isinstance(error, (SignatureError, GroupError)), repr(error)
            assert "should not happen" not in str(error) and "eqvproof itself" not in str(error)
            return error
    return None


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_matrix_is_refused(name: str) -> None:
    for kind, bad in WRONG.items():
        assert told_by_us(lambda bad=bad: CALLS[name](bad)) is not None, kind


@pytest.mark.parametrize("name", CALLS)
def test_empty_matrices_are_answered_or_refused(name: str) -> None:
    for bad in EMPTY.values():
        told_by_us(lambda bad=bad: CALLS[name](bad))


@pytest.mark.parametrize("name", OPEN)
def test_what_cannot_be_acted_on_is_refused(name: str) -> None:
    for kind, bad in [*WRONG.items(), *EMPTY.items()]:
        error = told_by_us(lambda bad=bad: OPEN[name](bad))
        assert error is not None or kind not in NEVER, kind


OPTIONS: dict[str, Any] = {
    "None": None, "a number": 3, "a negative number": -1, "a fraction": 1.5, "NaN": float("nan"),
    "a text": "abc", "nothing": "", "a list": [], "an object": object(), "an array": np.ones((2, 2)),
    "a long number": 10**400,
    "an object that raises": Raising(), "a function": lambda *a: 1 / 0, "a complex number": 1j,
}  # fmt: skip
TAKING: dict[str, Callable[[Any], Any]] = {
    "det": lambda b: ep.orthogonal_witness(GOOD, GOOD, det=b),
    "reflections": lambda b: ep.orthogonal_witness(GOOD, GOOD, reflections=b),
    "tol, orthogonal": lambda b: ep.orthogonal_witness(FLOATS, FLOATS, tol=b),
    "tol, permutation": lambda b: ep.permutation_witness(GOOD, GOOD, tol=b),
    "tol, congruence": lambda b: ep.congruence_witness(FLOATS, FLOATS, tol=b),
    "tol, orbit": lambda b: ep.orbit_witness(FLOATS, FLOATS, "O(d)", tol=b),
    "tol, gram_match": lambda b: ep.gram_match(FLOATS, FLOATS, tol=b),
    "under, orbit": lambda b: ep.orbit_witness(GOOD, GOOD, b),
    "method": lambda b: ep.gram_match(GOOD, GOOD, method=b),
    "error": lambda b: ep.gram_match(GOOD, GOOD, error=b),
    "seed": lambda b: ep.gram_match(np.array(GOOD), np.array(GOOD), method="projection", seed=b),
    "near": lambda b: next(iter(ep.gram_pairs(2, 2, near=b))),
    "rank": lambda b: next(iter(ep.gram_pairs(2, 2, rank=b))),
    "count": lambda b: list(ep.gram_pairs(2, 2, count=b if b != 10**400 else -1))
    if not isinstance(b, np.ndarray) else list(ep.gram_pairs(2, 2, count=b)),
    "a function, coefficients": lambda b: ep.coefficients(b, GOOD),
    "a function, factor": lambda b: ep.factor_through_gram(b, "X: d n -> d n"),
    "a function, first_fundamental": lambda b: ep.first_fundamental(b, "X: d n -> d n", "O(d)"),
    "a function, reynolds": lambda b: ep.reynolds(b, "x: n -> n", "S(n)")([1, 2]),
    "a signature": lambda b: ep.factor_through_gram(lambda X: X, b),
    "a group, factor": lambda b: ep.factor_through_gram(lambda X: X, "X: d n -> d n", under=b),
    "a group, reynolds": lambda b: ep.reynolds(lambda x: x, "x: n -> n", b),
    "sizes": lambda b: ep.factor_through_gram(lambda X: X, "X: d n -> d n", sizes=b),
    "too many arguments": lambda b: FACTORED(GOOD, b),
}  # fmt: skip


@pytest.mark.parametrize("name", TAKING)
def test_options_that_cannot_be_used(name: str) -> None:
    for value in OPTIONS.values():
        told_by_us(lambda value=value: TAKING[name](value))


# -------------------------------------------------------------------------------------------------- cases
def test_a_matrix_is_no_vector() -> None:
    for bad in ([[1, 2]], np.ones((1, 2)), [[1, 2], [3, 4]], sympy.Matrix([[1, 2]]), 3, np.ones((1, 1, 2))):
        with pytest.raises(ShapeError, match="u is not a vector"):
            ep.householder(bad)
    for column in ([1, 2], np.array([[1], [2]]), sympy.Matrix([1, 2]), (1, 2)):
        assert ep.householder(column).matrix[0, 0] == Fraction(3, 5)


def test_families_without_vectors_or_without_coordinates() -> None:
    """The identity carries nothing to nothing."""
    for under in ("O(d)", "SO(d)", "GL(d)", "SL(d)", "U(d)", "SU(d)", "Sp(d)", "Lorentz(d)"):
        for kind in (int, float):
            found = ep.orbit_witness(empty(2, 0, kind=kind), empty(2, 0, kind=kind), under)
            size = 4 if under in ("U(d)", "SU(d)") else 2
            assert np.allclose(np.asarray(found.matrix, dtype=float), np.eye(size))
            assert ep.verify(found.certificate).accepted
    assert ep.orthogonal_witness(empty(2, 0), empty(2, 0)).Q.tolist() == [[1, 0], [0, 1]]
    assert ep.permutation_witness(empty(0, 3), empty(0, 3)).permutation.tolist() == [0, 1, 2]
    assert ep.gram(empty(0, 3)).tolist() == [[0] * 3] * 3


CLOUD = np.arange(15).reshape(5, 3)


@pytest.mark.parametrize("kind", [int, float])
def test_points_are_columns(kind: Any) -> None:
    """Points that stand as rows: shapes that differ, and inner products that do."""
    cloud = CLOUD.astype(kind)
    turned = cloud @ np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]], dtype=kind)
    for call in (ep.orthogonal_witness, lambda X, Y: ep.orbit_witness(X, Y, "O(d)")):
        with pytest.raises((GramMismatch, OrbitMismatch)) as caught:
            call(cloud, turned)
        assert "points are columns" in caught.value.hint
        with pytest.raises(ShapeError) as other:
            call(cloud, turned.T)
        assert "points are columns" in other.value.hint
        assert call(cloud.T, turned.T).bound < 1e-12
    for call in (ep.permutation_witness, ep.congruence_witness, ep.gram_match):
        with pytest.raises(ShapeError):
            call(cloud, turned.T)
    with pytest.raises(GramMismatch) as wide:
        ep.orthogonal_witness(cloud.T, 2 * cloud.T)
    assert "points are columns" not in wide.value.hint
