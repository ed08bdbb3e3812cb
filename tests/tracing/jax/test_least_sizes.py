"""Targets in JAX that take some number of entries at least."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_refuted

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


def greatest(x: Any) -> Any:
    return jax.lax.top_k(jnp.sum(x, 1), 3)[0].mean()


def last_of_sorted(x: Any) -> Any:
    return jnp.sort(x[:, 0])[-3:].sum()


def trimmed(x: Any) -> Any:
    return jnp.sort(x, 0)[2:-2].mean()


def near_ones(x: Any) -> Any:
    return jnp.linalg.norm(x[:, None] - x[None] + 1e-6, axis=-1).sort(1)[:, 1:4].mean()


@pytest.mark.parametrize(("f", "least"), [(greatest, 3), (last_of_sorted, 3), (trimmed, 4), (near_ones, 4)])
def test_from_some_size_on(f: Any, least: int) -> None:
    verdict = ep.prove(f, "x: n d -> ()", "S(n)", backend="jax")
    assert verdict.grade == "PROVED" and f"n >= {least}" in str(verdict), str(verdict)
    assert ep.verify(verdict.certificate).accepted


def test_entries_by_their_places() -> None:
    """Near misses: rows from the fourth on, and the greatest entries with other signs."""
    assert_refuted(lambda x: x[3:].sum() + jnp.sum(x) * 0, "x: n d -> ()", "S(n)", backend="jax")
    assert_refuted(greatest, "x: n d -> ()", "Signs(n)", backend="jax")


def test_a_branch_on_values_has_no_least_size() -> None:
    f = lambda x: x.sum() if x[0, 0] > 0 else -x.sum()  # noqa: E731
    assert ep.prove(f, "x: n d -> ()", "S(n)", backend="jax").outcome == "UNDECIDED"
