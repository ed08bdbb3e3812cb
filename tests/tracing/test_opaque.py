"""Uninterpreted functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from eqvproof.claims.signature import parse_signature
from eqvproof.numbers import Real, exact_array
from eqvproof.support.errors import EqvproofError, SignatureError, TargetError, TraceError
from eqvproof.tracing.numpy.trace import trace_all_sizes
from eqvproof.tracing.opaque import opaque


def test_a_node_of_the_program() -> None:
    g = opaque("g", "G: n n -> n n")
    trace = trace_all_sizes(lambda X: X @ g(X.T @ X), parse_signature("X: d n -> d n"))
    (node,) = trace.program.opaques
    assert (node.name, node.symmetry, [str(s) for s in node.shape]) == ("g", None, ["n", "n"])
    assert set(trace.opaques) == {"g"}


def test_arguments_without_names_and_several() -> None:
    g = opaque("g", "n n, k n -> n")
    f = lambda X, Z: X @ g(X.T @ X, Z.T @ X)  # noqa: E731
    trace_all_sizes(f, parse_signature("X: d n, Z: d k -> d"))


def test_an_assumed_symmetry_is_kept_and_said() -> None:
    h = opaque("h", "X: d n -> d n", under="O(d)")
    trace = trace_all_sizes(lambda X: 2 * h(X), parse_signature("X: d n -> d n"))
    (node,) = trace.program.opaques
    assert node.symmetry is not None
    assert '"family": "O"' in node.symmetry
    assert any("not replayed" in n for n in trace.notes)


def test_an_example_is_replayed() -> None:
    h = opaque("h", "X: d n -> d n", under="O(d)", example=lambda X: X * np.linalg.norm(X))
    trace = trace_all_sizes(lambda X: 2 * h(X), parse_signature("X: d n -> d n"))
    assert not trace.notes


def test_a_function_left_uninterpreted() -> None:
    def kernel(G: Any) -> Any:
        return np.linalg.eigvalsh(G) if len(G) > 3 else G[0]

    trace = trace_all_sizes(lambda X: X @ opaque(kernel, "n n -> n")(X.T @ X), parse_signature("X: d n -> d"))
    assert trace.program.opaques[0].name == "kernel"


def test_constant_arguments_and_scalars() -> None:
    g = opaque("g", "() -> ()")
    trace_all_sizes(lambda X: g(np.sum(X)) * X + g(3.0), parse_signature("X: n -> n"))


def test_concrete_values_are_generic_and_deterministic() -> None:
    g = opaque("g", "x: n -> n")
    x = np.array([0.3, -1.0, 2.0])
    assert np.array_equal(g(x), opaque("g", "x: n -> n")(x))
    assert not np.allclose(g(x), opaque("h", "x: n -> n")(x))
    assert not np.allclose(g(x)[::-1], g(x[::-1]))
    for i in range(3):
        moved = x.copy()
        moved[i] += 0.1
        assert not np.isclose(g(moved), g(x)).any()


def test_exact_numbers_give_exact_numbers() -> None:
    g = opaque("g", "x: n -> n")
    x = np.array([0.5, -1.0, 2.0])
    exact = g(exact_array(x))
    assert all(isinstance(v, Real) and v.is_rational for v in exact.ravel())
    np.testing.assert_allclose([v.to_float() for v in exact], g(x))


def test_no_values_where_only_a_symmetry_is_known() -> None:
    h = opaque("h", "X: d n -> d n", under="O(d)")
    with pytest.raises(TargetError, match="only its symmetry"):
        h(np.ones((2, 2)))


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda X: opaque("g", "a a -> a")(X), "two sizes"),
        (lambda X: opaque("g", "a -> a")(X), "2 axes"),
        (lambda X: opaque("g", "a b, a -> a")(X), "takes 2 arguments"),
        (lambda X: opaque("g", "a b -> a b")(X) + opaque("g", "a b -> b a")(X).T, "have the name g"),
        (lambda X: opaque("g", "a 3 -> a 3")(X), "entries on its axis"),
    ],
)
def test_wrong_calls(call: Any, reason: str) -> None:
    with pytest.raises(TraceError, match=reason):
        trace_all_sizes(call, parse_signature("X: d n -> d n"))


def test_wrong_declarations() -> None:
    with pytest.raises(SignatureError):
        opaque("not a name", "n -> n")
    with pytest.raises(SignatureError):
        opaque("g", "n n")
    with pytest.raises(EqvproofError):
        opaque("g", "n -> n", under="O(d)")
