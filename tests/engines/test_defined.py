"""What is defined nowhere is never shown to hold, however finite it is in floats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.numbers import UNDEFINED
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.tracing.numpy.trace import trace_at
from tests.judged import assert_proved

inv, exp, log, sqrt = np.linalg.inv, np.exp, np.log, np.sqrt
Case = tuple[Any, str, str, dict[str, int]]


def projector(X: Any) -> Any:
    return X @ inv(X.T @ X) @ X.T


def centred(X: Any) -> Any:
    return X - X.mean(axis=1, keepdims=True)


def softmax(X: Any) -> Any:
    e = exp(X - X.max(axis=0))
    return e / e.sum(axis=0)


def cubic(x: Any) -> Any:
    s = x @ x
    return 1 / ((s + 1) ** 2 - s**2 - 2 * s - 1)


def cayley_hamilton(A: Any) -> Any:
    return inv(A @ A - np.trace(A) * A + np.linalg.det(A) * np.eye(2))


def lagrange(x: Any) -> Any:
    y = x + x.sum()
    return 1 / ((x @ x) * (y @ y) - (x @ y) ** 2 - ((x[:, None] * y - y[:, None] * x) ** 2).sum() / 2)


#: Functions that are defined nowhere at the sizes in scope.
NOWHERE: dict[str, Case] = {
    "inverse of an outer product": (lambda x: inv(np.outer(x, x)), "x: d -> d d", "O(d)", {"d": 3}),
    "inverse, fewer columns than rows": (lambda X: inv(X @ X.T), "X: d n -> d d", "O(d)", {"d": 4, "n": 2}),
    "inverse of a centred Gram matrix": (
        lambda X: inv(centred(X).T @ centred(X)), "X: d n -> n n", "S(n)", {},
    ),
    "a polynomial that is 0": (cubic, "x: d -> ()", "O(d)", {}),
    "exp(x) exp(-x) - 1": (lambda x: 1 / (exp(x) * exp(-x) - 1), "x: d -> d", "S(d)", {}),
    "sin^2 + cos^2 - 1": (lambda x: 1 / (np.sin(x) ** 2 + np.cos(x) ** 2 - 1), "x: d -> d", "S(d)", {}),
    "cosh^2 - sinh^2 - 1": (lambda x: log(np.cosh(x) ** 2 - np.sinh(x) ** 2 - 1), "x: d -> d", "S(d)", {}),
    "relu(x) + relu(-x) - |x|": (
        lambda x: x / (np.maximum(x, 0) + np.maximum(-x, 0) - abs(x)), "x: d -> d", "S(d)", {},
    ),
    "sum of softmax, less 1": (lambda X: X / (softmax(X).sum(axis=0) - 1), "X: d n -> d n", "S(d)", {}),
    "sum of what is centred": (
        lambda X: X / centred(X).sum(axis=1, keepdims=True), "X: d n -> d n", "S(n)", {},
    ),
    "inverse of a projector": (lambda X: inv(projector(X)), "X: d n -> d d", "O(d)", {"d": 4, "n": 2}),
    "inverse of I - P": (
        lambda X: inv(np.eye(len(X)) - projector(X)), "X: d n -> d d", "O(d)", {"d": 3, "n": 2},
    ),
    "A and its adjugate": (cayley_hamilton, "A: 2 2 -> 2 2", "O(2)", {}),
    "Lagrange's identity": (lagrange, "x: d -> ()", "S(d)", {"d": 3}),
    "log of minus a Gram determinant": (lambda X: log(-np.linalg.det(X.T @ X)), "X: d n -> ()", "O(d)", {}),
    "log of minus a sum of squares": (lambda x: log(-(x @ x)), "x: d -> ()", "O(d)", {}),
    "root of a negative number": (lambda x: sqrt(-(x**2) - 1), "x: d -> d", "Signs(d)", {}),
    "arccos above 1": (lambda x: np.arccos(2 + x @ x), "x: d -> ()", "O(d)", {}),
    "a size divided by itself, less 1": (
        lambda X: X / (X.shape[1] / X.shape[1] - 1), "X: d n -> d n", "S(n)", {},
    ),
    "solve of rank one": (lambda x: np.linalg.solve(np.outer(x, x), x), "x: d -> d", "O(d)", {"d": 2}),
    "Cholesky factor of -X X^T": (lambda X: np.linalg.cholesky(-(X.T @ X)), "X: d n -> n! n!", "O(d)", {}),
    "power 0 of what is nowhere": (lambda x: (1 / (exp(x) * exp(-x) - 1)) ** 0, "x: d -> d", "S(d)", {}),
    "matrix power 0": (
        lambda x: np.linalg.matrix_power(inv(np.outer(x, x)), 0), "x: d -> d d", "O(d)", {"d": 3},
    ),
    "0 times what is nowhere": (lambda x: 0 * log(-(x @ x)) + x, "x: d -> d", "O(d)", {}),
    "less itself": (lambda x: log(-abs(x)) - log(-abs(x)), "x: d -> d", "S(d)", {}),
    "chosen, on both branches": (
        lambda x: np.where(x > 0, 1 / (x - x), sqrt(-abs(x) - 1)), "x: d -> d", "S(d)", {},
    ),
    "negative power of a difference": (lambda X: ((X - X) ** -2).sum(axis=1), "X: d n -> d", "S(n)", {}),
    "only at size 1": (lambda x: inv(np.outer(x, x)), "x: d -> d d", "O(d)", {}),
    "inverse of a skew matrix of odd size": (
        lambda x: inv(x[:, None] - x[None, :]), "x: d -> d d", "S(d)", {"d": 3},
    ),
    "remainder by 0": (lambda x: np.mod(x, x - x), "x: d -> d", "S(d)", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", NOWHERE)
def test_what_is_defined_nowhere_does_not_hold(name: str) -> None:
    function, signature, under, sizes = NOWHERE[name]
    for engine in (ep.check, ep.prove, ep.decide):
        verdict = engine(function, signature, under, sizes=sizes)
        assert verdict.outcome == "UNDECIDED" and verdict.reason, (engine, str(verdict))


#: Functions that are defined, some of them almost nowhere, or at some sizes only.
SOMEWHERE: dict[str, Case] = {
    "softmax": (softmax, "X: d n -> d n", "S(d) x S(n)", {}),
    "norms": (lambda X: X / np.linalg.norm(X, axis=0), "X: d n -> d n", "O(d)", {}),
    "inverse, more columns than rows": (lambda X: inv(X @ X.T), "X: d n -> d d", "O(d)", {"d": 2, "n": 4}),
    "inverse of either": (lambda X: inv(X @ X.T), "X: d n -> d d", "O(d)", {}),
    "a projector": (projector, "X: d n -> d d", "O(d)", {}),
    "pseudo-inverse of rank one": (lambda x: np.linalg.pinv(np.outer(x, x)), "x: d -> d d", "O(d)", {"d": 3}),
    "log of a determinant": (lambda X: log(np.linalg.det(X.T @ X)), "X: d n -> ()", "O(d)", {}),
    "arccos within 1": (lambda x: np.arccos(1 - x @ x), "x: d -> ()", "O(d)", {}),
    "root of a difference": (lambda x: sqrt(1 - x @ x), "x: d -> ()", "O(d)", {}),
    "log of small numbers": (lambda x: log(0.25 - x**2), "x: d -> d", "S(d)", {}),
    "variance": (lambda X: centred(X) / sqrt(X.var(axis=1, keepdims=True)), "X: d n -> d n", "S(n)", {}),
    "sizes less 1": (lambda X: X.sum(axis=1) / (X.shape[1] - 1), "X: d n -> d", "S(n)", {}),
    "where of a part": (lambda x: np.where(x > 0, log(x), 1 / (x - x)), "x: d -> d", "S(d)", {}),
    "power 0": (lambda x: (1 / x) ** 0, "x: d -> d", "S(d)", {}),
    "matrix power 0 of an inverse": (
        lambda X: np.linalg.matrix_power(inv(X.T @ X), 0), "X: d n -> n n", "S(n)", {},
    ),
    "Cholesky factor": (lambda X: np.linalg.cholesky(X.T @ X), "X: d n -> n! n!", "O(d)", {}),
    "log of the least distance": (
        lambda X: log(((X[:, :, None] - X[:, None, :]) ** 2).sum(0) + np.eye(X.shape[1])),
        "X: d n -> n n", "E(d)", {},
    ),
    "a difference of exponentials": (lambda x: 1 / (exp(x) * exp(-x) - exp(x)), "x: d -> d", "S(d)", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", SOMEWHERE)
def test_what_is_defined_somewhere_is_proved(name: str) -> None:
    function, signature, under, sizes = SOMEWHERE[name]
    assert_proved(function, signature, under, sizes=sizes)


def test_sizes_at_which_no_point_was_found_are_named() -> None:
    """A matrix of rank two is invertible up to size 2."""
    verdict = assert_proved(lambda x: inv(np.outer(x, x) + np.ones((len(x), len(x)))), "x: d -> d d", "S(d)")
    assert verdict.notes == ("no point was found at d = 3 at which it is defined",)
    assert not assert_proved(lambda X: inv(X.T @ X + 1), "X: d n -> n n", "O(d)", sizes={"n": 2}).notes


def test_a_large_matrix_is_inverted_in_balls() -> None:
    assert_proved(lambda X: inv(X @ X.T), "X: d n -> d d", "O(d)", sizes={"d": 40, "n": 60})
    verdict = ep.prove(lambda X: inv(X @ X.T), "X: d n -> d d", "O(d)", sizes={"d": 40, "n": 39})
    assert verdict.outcome == "UNDECIDED"


def test_a_point_lies_in_the_domain() -> None:
    def function(x: Any) -> Any:
        return log(-x)

    verdict = ep.check(function, "x: n -> n", "S(n)", domain=ep.domains.positive)
    assert verdict.outcome == "UNDECIDED" and "defined" in verdict.reason
    assert_proved(lambda x: log(x), "x: n -> n", "S(n)", domain=ep.domains.positive)


def test_a_strategy_draws_the_points() -> None:
    st = pytest.importorskip("hypothesis.strategies")
    verdict = ep.check(lambda x: sqrt(x - 2), "x: n -> n", "S(n)", domain=st.integers(-5, 1))
    assert verdict.outcome == "UNDECIDED" and "defined" in verdict.reason
    assert_proved(lambda x: sqrt(x - 2), "x: n -> n", "S(n)", domain=st.integers(-5, 5))


IDENTITIES: dict[str, tuple[Callable[..., Any], Callable[..., Any], str]] = {
    "both nowhere": (cubic, lambda x: -cubic(x), "x: d -> ()"),
    "itself": (lambda x: log(-exp(x)), lambda x: log(-exp(x)), "x: d -> d"),
    "never both": (
        lambda x: sqrt(x) + 0 * sqrt(-1 - x),
        lambda x: sqrt(x) + 0 * sqrt(-1 - x) * 2,
        "x: d -> d",
    ),
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_what_is_defined_nowhere_equals_nothing(name: str) -> None:
    verdict = ep.identical(*IDENTITIES[name])
    assert not verdict.holds, str(verdict)


def test_cancelling_keeps_where_it_was_defined() -> None:
    """x (1/x) = 1 where x is not 0: not everywhere."""
    verdict = ep.identical(lambda x: x * (1 / x), lambda x: np.ones_like(x), "x: d -> d")
    assert verdict.fails, str(verdict)
    verdict = ep.identical(lambda x: x**0, lambda x: np.ones_like(x), "x: d -> d")
    assert verdict.grade == "PROVED"
    verdict = ep.identical(lambda x: (1 / x) ** 0, lambda x: np.ones_like(x), "x: d -> d")
    assert verdict.fails, str(verdict)
    assert ep.identical(lambda x: (1 / x) ** 0, lambda x: x / x, "x: d -> d").grade == "PROVED"


NEAR: dict[str, Callable[[Any], Any]] = {
    "power": lambda X: (1 / X) ** 0 * X,
    "root": lambda X: np.sqrt(X) ** 0 * X,
    "float power": lambda X: np.float_power(1 / X, 0.0) * X,
    "zero": lambda X: X + 0 * (1 / X),
    "difference": lambda X: X + (log(X) - log(X)),
    "quotient": lambda X: X * (X / X),
}


@pytest.mark.whole_search
@pytest.mark.whole_search
@pytest.mark.parametrize("name", NEAR)
def test_what_is_undefined_at_a_part_is_not_rotated(name: str) -> None:
    """Equal to X where no entry is 0 (or negative), which rotations do not keep."""
    verdict = ep.check(NEAR[name], "X: d n -> d n", "O(d)")
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted


STRICT: dict[str, Callable[[Any], Any]] = {
    "power": lambda u: u**0,
    "float power": lambda u: np.float_power(u, 0),
    "power of an array": lambda u: np.power(u, np.zeros((2, 2))),
    "matrix power": lambda u: np.linalg.matrix_power(u, 0) + 0 * u,
    "zero": lambda u: 0 * u,
    "zeros": lambda u: np.zeros((2, 2)) * u,
    "einsum": lambda u: np.einsum("ij,ij->ij", u, np.zeros((2, 2))),
    "identity": lambda u: np.eye(2) * u,
    "less itself": lambda u: u - u,
    "by itself": lambda u: u / u,
    "maximum": lambda u: np.maximum(u, 1e9),
    "clip": lambda u: np.clip(u, 3, 3),
    "compared": lambda u: u == 2 * u,
    "negated": lambda u: np.logical_not(u),
    "and": lambda u: np.logical_and(u, False),
    "sign": lambda u: np.sign(u) * 0,
    "product": lambda u: (u * u * 0).sum(axis=0, keepdims=True) + np.zeros((2, 2)),
}


@pytest.mark.parametrize("name", STRICT)
def test_no_simplification_drops_what_is_undefined(name: str) -> None:
    function = STRICT[name]
    program = trace_at(lambda X: function(1 / X), parse_signature("X: n n -> n n"), {"n": 2}).program
    assert all(x is UNDEFINED for x in evaluate_exact(program, {"X": np.zeros((2, 2))}).flat)


def test_entries_elsewhere_are_read_blindly() -> None:
    """What asks for a shape, or leaves entries out, is defined."""

    def function(X: Any) -> Any:
        u = 1 / (X - X)
        return np.zeros_like(u) + np.concatenate([u, X])[X.shape[0] :] + u.shape[0]

    assert_proved(function, "X: d n -> d n", "S(n)")


def frameworks() -> dict[str, Case]:
    """Functions of other frameworks that are defined nowhere, and their backends."""
    found: dict[str, Case] = {}
    with suppress(ImportError):
        import torch

        class Normed(torch.nn.Module):
            def forward(self, x: Any) -> Any:
                return x / (torch.softmax(x, 0).sum() - 1)

        found |= {
            "torch inverse": (lambda x: torch.linalg.inv(torch.outer(x, x)), "x: d -> d d", "O(d)", {"d": 3}),
            "torch powers": (lambda x: (1 / (x.exp() * (-x).exp() - 1)) ** 0, "x: d -> d", "S(d)", {}),
            "torch root": (lambda x: torch.sqrt(-x.abs() - 1), "x: d -> d", "S(d)", {}),
            "torch module": (Normed(), "x: d -> d", "S(d)", {}),
        }
    with suppress(ImportError):
        import jax.numpy as jnp

        found |= {
            "jax inverse": (lambda x: jnp.linalg.inv(jnp.outer(x, x)), "x: d -> d d", "O(d)", {"d": 3}),
            "jax power": (lambda x: (1 / (jnp.exp(x) * jnp.exp(-x) - 1)) ** 0, "x: d -> d", "S(d)", {}),
            "jax logarithm": (lambda x: jnp.log(-jnp.sum(x * x)), "x: d -> ()", "O(d)", {}),
        }
    with suppress(ImportError):
        import sympy

        x, n = sympy.Symbol("x"), sympy.Symbol("n", integer=True, positive=True)
        Y = sympy.MatrixSymbol("Y", n, n)
        found |= {
            "sympy logarithm": (sympy.log(-(x**2) - 1), "x: () -> ()", "", {}),
            "sympy pole": (1 / (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1), "x: () -> ()", "", {}),
            "sympy power": (
                sympy.MatPow(sympy.Inverse(Y - Y.T), 0, evaluate=False),
                "Y: n n -> n n",
                "O(n)",
                {"n": 3},
            ),
        }
    return found


FRAMEWORKS = frameworks()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_frameworks_are_judged_alike(name: str) -> None:
    function, signature, under, sizes = FRAMEWORKS[name]
    backend = name.split()[0] if name.startswith(("torch", "jax")) else None
    if under:
        budget = 2.0 if name == "sympy power" else 10.0  # what is not read is compared to the end
        verdict = ep.check(function, signature, under, sizes=sizes, backend=backend, budget=budget)
    else:
        verdict = ep.identical(function, function, signature, budget=10.0)
    assert verdict.outcome == "UNDECIDED" or verdict.grade == "TESTED", str(verdict)
