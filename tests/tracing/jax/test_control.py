"""Branches that the inputs choose, and functions of all rows of an array."""

from __future__ import annotations

from typing import Any

import pytest

from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp, lax = jax.numpy, jax.lax
KINDS = [jnp.sin, jnp.abs, jnp.tanh]


def shortened(x: Any) -> Any:
    """x, and where its norm is above 1, x over its square."""
    return lax.cond((x**2).sum() > 1, lambda v: v / (v**2).sum(), lambda v: v, x)


def signed(x: Any) -> Any:
    """Operands by closure; results of which one is the same in both branches."""
    first, second = lax.cond(x.sum() > 0, lambda: (x, x * 2), lambda: (-x, x * 2))
    return first + second


def of_the_first(x: Any) -> Any:
    return lax.cond(x[0, 0] > 1, lambda v: v * 2, lambda v: v, x)


def below_and_above(x: Any, i: Any) -> Any:
    """Numbers of no branch are those of the first and the last one."""
    return lax.switch(i - 1, [lambda v: v, lambda v: v * 2], x)


def written_out(x: Any, i: Any) -> Any:
    return jnp.where(i > 1, x * 2, x)


def hidden(x: Any) -> Any:
    """-inf in one branch only."""
    return jnp.exp(lax.cond(x.sum() > 0, lambda v: jnp.where(v > 0, v, -jnp.inf), lambda v: v, x))


def normed(x: Any) -> Any:
    return lax.map(lambda row: row / (1 + jnp.linalg.norm(row)), x)


def products(x: Any) -> Any:
    """All pairs of rows, one map within the other."""
    return lax.map(lambda a: lax.map(lambda b: a @ b, x), x)


def less_the_first(x: Any) -> Any:
    return lax.map(lambda row: row - x[0], x)


def numbered(x: Any) -> Any:
    return lax.map(lambda pair: pair[0] * pair[1], (jnp.arange(x.shape[0]), x))


PROVED = [
    (shortened, "x: n d -> n d", "S(n) x O(d)"),
    (signed, "x: n d -> n d", "S(n) x S(d)"),
    (lambda x, i: lax.switch(i, KINDS, x), "x: n d, i[3]: () -> n d", "S(n)"),
    (hidden, "x: n -> n", "S(n)"),
    (normed, "x: n d -> n d", "S(n) x O(d)"),
    (products, "x: n d -> n n", "S(n) x O(d)"),
]
REFUTED = [
    (of_the_first, "x: n d -> n d", "S(n)"),
    (lambda x, i: lax.switch(i, KINDS, x), "x: n d, i[3]: () -> n d", "O(d)"),
    (less_the_first, "x: n d -> n d", "S(n)"),
    (numbered, "x: n d -> n d", "S(n)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_right_branches_and_maps_are_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under, backend="jax", budget=120)


@pytest.mark.parametrize(("f", "signature", "under"), REFUTED)
def test_wrong_ones_are_refuted(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, backend="jax", budget=120)


def test_a_branch_is_the_nearest_that_there_is() -> None:
    import eqvproof as ep

    kinds = "x: n, i[4]: () -> n"
    assert ep.identical(below_and_above, written_out, kinds, backend="jax").holds
    assert ep.identical(lambda x, i: below_and_above(x, i + 1), written_out, kinds, backend="jax").fails
