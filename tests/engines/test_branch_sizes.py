"""What compares counters or sizes with numbers is judged next to these numbers, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.search.branch_sizes import branch_sizes
from eqvproof.engines.targets import adapt, trace_all_sizes
from tests.judged import assert_proved, assert_refuted
from tests.sampling import examples


def failing_size(function: Callable[[Any], Any]) -> int:
    verdict = assert_refuted(function, "x: n -> n", "S(n)")
    assert verdict.counterexample is not None
    return verdict.counterexample.sizes["n"]


def counters(x: Any) -> Any:
    return np.arange(x.shape[0])


#: Wrong from some size on, far beyond the sizes that are decided; that size.
WRONG: dict[str, tuple[Callable[[Any], Any], int]] = {
    "greater": (lambda x: x * np.where(counters(x) >= 23, 1.0001, 1), 24),
    "equal": (lambda x: x * np.where(counters(x) == 37, 1.0001, 1), 38),
    "not equal": (lambda x: x + 1.0 * (counters(x) != counters(x) % 29), 30),
    "square": (lambda x: x * np.where(counters(x) ** 2 > 410, 2, 1), 22),
    "halves": (lambda x: x + (counters(x) / 2 > 15.25), 32),
    "remainder": (lambda x: x * np.where(counters(x) % 50 == 49, 2, 1), 50),
    "quotient": (lambda x: x + counters(x) // 40, 41),
    "clipped": (lambda x: x + np.maximum(counters(x), 17), 19),
    "int8": (lambda x: x + (counters(x).astype(np.int8) < 0), 129),
    "the size": (lambda x: x + counters(x) * np.maximum(np.ones_like(x).sum() - 30, 0), 31),
    "its square": (lambda x: x + counters(x) * (np.ones_like(x).sum() ** 2 > 500), 23),
    "two thresholds": (lambda x: x + (counters(x) > 2.5) * (counters(x) > 28.5), 30),
    "from the end": (lambda x: x * np.where(x.shape[0] - counters(x) > 33, 2, 1), 34),
}


@pytest.mark.parametrize("name", WRONG)
def test_refuted_next_to_the_number(name: str) -> None:
    function, size = WRONG[name]
    assert failing_size(function) in (size, size + 1)


@pytest.mark.parametrize("name", WRONG)
def test_it_holds_below(name: str) -> None:
    """A near miss: up to the size at which it turns nothing is wrong."""
    function, size = WRONG[name]
    most = min(size - 1, 12)
    verdict = ep.check(function, "x: n -> n", "S(n)", sizes={"n": (1, most)})
    assert verdict.holds, str(verdict)
    assert verdict.grade == "TESTED" or ep.verify(verdict.certificate).accepted


def test_in_torch() -> None:
    torch = pytest.importorskip("torch")

    def part(x: Any) -> Any:
        return x * torch.where(torch.arange(x.shape[0]) == 44, 1.0001, 1.0)

    def turned(x: Any) -> Any:
        return x + torch.arange(x.shape[0]).to(torch.uint8).eq(0)

    assert failing_size(part) == 45
    assert failing_size(turned) <= 3


def test_in_jax() -> None:
    jnp = pytest.importorskip("jax.numpy")

    def part(x: Any) -> Any:
        return x * jnp.where(jnp.arange(x.shape[0]) > 26, 1.0001, 1.0)

    def branch(x: Any) -> Any:
        return x + 0 * jnp.sum(x) if x.shape[0] < 90 else x * jnp.arange(x.shape[0])

    assert failing_size(part) == 28
    assert failing_size(branch) in (90, 91)


@pytest.mark.whole_search
def test_two_axes_that_turn_together() -> None:
    def corner(X: Any) -> Any:
        rows, columns = np.arange(X.shape[0])[:, None], np.arange(X.shape[1])
        return X + (rows > 8) * (columns > 10)

    verdict = assert_refuted(corner, "X: n m -> n m", "S(n) x S(m)")
    assert verdict.counterexample is not None
    assert verdict.counterexample.sizes["n"] >= 10 and verdict.counterexample.sizes["m"] >= 12


def test_what_does_not_turn_is_decided_as_ever() -> None:
    def same(x: Any) -> Any:
        return x * np.where(counters(x) < x.shape[0], 2, 1)

    verdict = ep.check(same, "x: n -> n", "S(n)")
    assert verdict.holds, str(verdict)
    assert_proved(lambda x: x * np.where(np.arange(5) > 3, 2, 1).sum(), "x: n -> n", "S(n)")


def test_given_sizes_are_kept() -> None:
    """Next to a number, but beyond the sizes that were asked for, nothing is searched."""
    function, size = WRONG["equal"]
    verdict = ep.check(function, "x: n -> n", "S(n)", sizes={"n": (1, size - 1)})
    assert verdict.holds, str(verdict)
    verdict = ep.check(function, "x: n -> n", "S(n)", sizes={"n": (1, size)})
    assert verdict.fails and verdict.counterexample is not None, str(verdict)
    assert verdict.counterexample.sizes["n"] == size


@settings(max_examples=examples(15, few=6))
@given(turn=st.integers(2, 300), relation=st.sampled_from([np.greater_equal, np.equal, np.less]))
def test_the_sizes_that_are_named(turn: int, relation: Any) -> None:
    signature = parse_signature("x: n -> n")
    target = adapt(lambda x: x + relation(counters(x), turn), "numpy", signature)
    program = trace_all_sizes(target, signature, {}).program
    assert list(branch_sizes(program, {}, "n")) == [turn + 1]


def test_a_function_that_is_called() -> None:
    verdict = ep.check(lambda x: np.unique(x)[:1] * (1 + (len(x) > 110) * x[0]), "x: n -> 1", "S(n)")
    assert verdict.fails and verdict.counterexample is not None, str(verdict)
    assert verdict.counterexample.sizes["n"] == 111
