"""Orders by several keys, and entries that are equal wherever the keys of an order are."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.tracing.arrays.tied_entries import Determined
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

RNG = np.random.default_rng(7)
Function = Callable[..., Any]

ORDERS: dict[str, tuple[Function, str]] = {
    "axis of keys": (lambda X: np.lexsort(X.T), "X: n d -> n"),
    "axis of keys, reversed": (lambda X: np.lexsort(X[:, ::-1].T), "X: n d -> n"),
    "keys in the first axis": (np.lexsort, "X: d n -> n"),
    "along another axis": (lambda X: np.lexsort(X, axis=0), "X: d n m -> n m"),
    "along the last axis": (lambda X: np.lexsort(X), "X: d n m -> n m"),
    "one key": (lambda x: np.lexsort((x,)), "x: n -> n"),
    "two keys": (lambda x, y: np.lexsort((x, y)), "x: n, y: n -> n"),
    "three keys": (lambda x, y: np.lexsort([x * y, -y, x]), "x: n, y: n -> n"),
    "two keys of two axes": (lambda X, Y: np.lexsort((X, Y)), "X: n m, Y: n m -> n m"),
    "two keys along another axis": (lambda X, Y: np.lexsort((X, Y), axis=0), "X: n m, Y: n m -> n m"),
}

GATHERED: dict[str, tuple[Function, str]] = {
    "rows": (lambda X: X[np.lexsort(X.T[::-1])], "X: n d -> n d"),
    "columns": (lambda X: X[:, np.lexsort(X)], "X: d n -> d n"),
    "functions of rows": (lambda X: (X**2).sum(1)[np.lexsort(X.T)], "X: n d -> n"),
    "reciprocals": (lambda x: (1 / (1 + x))[np.lexsort((x,))], "x: n -> n"),
    "in descending order": (lambda X: X[np.lexsort(X.T)[::-1]], "X: n d -> n d"),
    "all but the first": (lambda X: X[np.lexsort(X.T)[1:]], "X: n d -> m d"),
    "two keys": (lambda x, y: np.stack([x, y])[:, np.lexsort((x, y))], "x: n, y: n -> k n"),
    "functions of a key": (lambda x: (x * x + 1)[np.argsort(x)], "x: n -> n"),
    "functions of a stable key": (lambda x: (x * x + 1)[np.argsort(-x, kind="stable")], "x: n -> n"),
}


def program_of(function: Function, signature: str) -> Any:
    return trace_all_sizes(function, parse_signature(signature)).program


@pytest.mark.parametrize("name", [*ORDERS, *GATHERED])
def test_values_are_those_of_numpy(name: str) -> None:
    """In exact arithmetic, on small integers, most of which tie."""
    function, text = (ORDERS | GATHERED)[name]
    program = program_of(function, text)
    for _ in range(25):
        sizes = dict(zip("ndm", RNG.integers(1, 6, size=3).tolist(), strict=True))
        inputs = [part.split(":") for part in text.split("->")[0].split(",")]
        shapes = {name.strip(): [sizes[k] for k in axes.split()] for name, axes in inputs}
        given = {name: RNG.integers(0, 3, size=shape) for name, shape in shapes.items()}
        found = evaluate_exact(program, given, sizes)
        expected = function(*(v.astype(float) for v in given.values()))
        values = [float(Fraction(str(v))) for v in np.asarray(found, dtype=object).flat]
        np.testing.assert_allclose(np.reshape(values, expected.shape), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("f", "signature"),
    [
        (lambda X: X[np.lexsort(X.T[::-1])], "X: n d -> n! d"),
        (lambda X: X[np.lexsort(-X.T)], "X: n d -> n! d"),
        (lambda X: X[np.lexsort(X.T)[::-1]], "X: n d -> n! d"),
        (lambda X: np.tanh(X)[np.lexsort(X.T)], "X: n d -> n! d"),
        (lambda X: X[np.lexsort((X[:, 0], X[:, 1]))], "X: n 2 -> n! 2"),
        (lambda X: X[np.lexsort((X[:, 1], 2 * X[:, 0]))], "X: n 2 -> n! 2"),
        (lambda x: np.exp(x)[np.argsort(x)], "x: n -> n!"),
        (lambda x: np.where(x > 0, x, 1)[np.argsort(-x, kind="stable")], "x: n -> n!"),
    ],
)
def test_equal_keys_of_equal_entries_do_not_matter(f: Function, signature: str) -> None:
    verdict = assert_proved(f, signature, "S(n)")
    assert not verdict.points and verdict.is_unrestricted


@pytest.mark.parametrize(
    ("f", "signature"),
    [
        (lambda X: X[np.lexsort((X[:, 0],))], "X: n 2 -> n! 2"),  # the other column is no key
        (lambda X: X[np.lexsort((X[:, 0], X[:, 0]))], "X: n 2 -> n! 2"),
        (lambda X: X[np.lexsort((X[:, 0], X[:, 1]))], "X: n 3 -> n! 3"),
        (lambda X: X[np.lexsort((X * X).T)], "X: n d -> n! d"),  # x and -x tie
        (lambda X: X[np.lexsort(0 * X.T)], "X: n d -> n! d"),
        (lambda X: X[np.lexsort(X.T)], "X: n d -> n! d!"),  # under S(d) too
        (lambda X: np.cumsum(X, axis=0)[np.lexsort(X.T)], "X: n d -> n! d"),
        (lambda X: (X + np.arange(len(X))[:, None])[np.lexsort(X.T)], "X: n d -> n! d"),
        (lambda X: X[::-1][np.lexsort(X.T)], "X: n d -> n! d"),
        (lambda x: np.concatenate([0 * x[:1], 0 * x[1:] + 1])[np.argsort(x, kind="stable")], "x: n -> n!"),
    ],
)
def test_near_misses_are_refuted(f: Function, signature: str) -> None:
    assert_refuted(f, signature, "S(n) x S(d)" if "d!" in signature else "S(n)")


def test_an_order_by_two_keys_is_no_order_by_one() -> None:
    one, other = (lambda x, y: np.lexsort((x, y))), (lambda x, y: np.lexsort((y, x)))
    assert ep.identical(one, other, "x: n, y: n -> n").fails
    assert ep.identical(one, lambda x, y: np.argsort(y, kind="stable"), "x: n, y: n -> n").fails
    same = ep.identical(lambda x: np.lexsort((x,)), lambda x: np.argsort(x, kind="stable"), "x: n -> n")
    assert same.holds and same.grade == "PROVED"


def test_off_ties_alone_other_entries_are_put_in_order() -> None:
    def sorted_by_two(x: Any, y: Any, H: Any) -> Any:
        return H[np.lexsort((y, x))]

    verdict = ep.check(sorted_by_two, "x: n, y: n, H: n c -> n! c", "S(n)")
    assert verdict.fails and verdict.elsewhere is not None and verdict.elsewhere.grade == "PROVED"
    for found in (verdict, verdict.elsewhere):
        assert ep.verify(found.certificate).accepted


def test_parts_that_differ_along_the_axis_are_not_equal_at_ties() -> None:
    """Constants joined along the axis of an order, and positions, depend on where an entry stands."""
    b = Builder()
    x = b.input("x", ["n"])
    n = b.shape(x)[0]
    known = Determined(b, [(x, 0)])
    halves = b.concat([b.broadcast_to(b.const(0), [n]), b.broadcast_to(b.const(1), [n])], 0)
    for other in (halves, b.iota(n), b.flip(x, 0), b.sort(x, 0), b.input("y", ["n"])):
        assert not known.holds(other, 0)
    for same in (x, b.const(np.ones(3)), b.map("exp", [x]), b.mul(x, b.sum(b.input("y", ["n"]), [0]))):
        assert known.holds(same, 0)


def test_keys_in_jax() -> None:
    jnp = pytest.importorskip("jax.numpy")
    lax = pytest.importorskip("jax").lax

    def columns(X: Any) -> Any:
        return X[jnp.lexsort((X[:, 1], X[:, 0]))]

    assert_proved(columns, "X: n 2 -> n! 2", "S(n)", backend="jax")
    assert_refuted(lambda X: X[jnp.lexsort((X[:, 1],))], "X: n 2 -> n! 2", "S(n)", backend="jax")
    pairs = lambda x, y: jnp.stack(lax.sort((x, y), num_keys=2))  # noqa: E731
    assert_proved(pairs, "x: n, y: n -> k n!", "S(n)", backend="jax")
    firsts = lambda x, y, z: lax.sort((x, y, z), num_keys=2)[2]  # noqa: E731
    assert_refuted(firsts, "x: n, y: n, z: n -> n!", "S(n)", backend="jax")
