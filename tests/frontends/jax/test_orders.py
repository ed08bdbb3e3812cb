"""Orders in JAX: sorts that carry positions, and the greatest entries."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


def test_argsort() -> None:
    assert_proved(lambda x: x[jnp.argsort(x)], "x: n -> n!", "S(n)", backend="jax")
    assert_proved(lambda X: X[jnp.argsort((X**2).sum(1))], "X: n d -> n d", "O(d)", backend="jax")
    assert_refuted(lambda X: X[jnp.argsort(X[:, 0])], "X: n d -> n d", "O(d)", backend="jax")
    assert_refuted(lambda x: x * jnp.argsort(x), "x: n -> n", "S(n)", backend="jax")


def test_descending_keeps_the_order_of_equal_entries() -> None:
    def by(X: Any) -> Any:
        return (X**2).sum(1)

    signature = "X: n d -> n d"
    assert_proved(lambda X: X[jnp.argsort(by(X), descending=True)], signature, "O(d)", backend="jax")
    same = ep.identical(
        lambda x: jnp.argsort(x, descending=True), lambda x: jnp.argsort(-x), "x: n -> n", backend="jax"
    )
    assert not same.fails, str(same)
    other = ep.identical(
        lambda x: jnp.argsort(x, descending=True), lambda x: jnp.argsort(x)[::-1], "x: n -> n", backend="jax"
    )
    assert other.fails  # of equal entries the last comes first


def test_stable_or_not() -> None:
    def grade(*, stable: bool) -> str:
        own, plain = (lambda x: jnp.argsort(-x, stable=stable)), (lambda x: jnp.argsort(-x))
        return ep.identical(own, plain, "x: n -> n", backend="jax").grade

    assert (grade(stable=True), grade(stable=False)) == ("PROVED", "TESTED")


def test_greatest_entries() -> None:
    here = {"backend": "jax", "signature": "X: b n -> b 2"}
    assert_proved(lambda X: jax.lax.top_k(X, 2)[0], under="S(b)", sizes={"n": 5}, **here)
    assert_refuted(lambda X: jax.lax.top_k(X, 2)[1] * X[:, :2], under="S(n)", sizes={"n": 3}, **here)


def test_others_in_the_order_of_a_key() -> None:
    here = {"backend": "jax", "signature": "X: n d -> n", "under": "O(d)"}

    def squares(X: Any) -> Any:
        return jnp.sum(X**2, 1)

    assert_refuted(lambda X: jax.lax.sort((squares(X), X[:, 0]), num_keys=1)[1], **here)
    assert_refuted(lambda X: jax.lax.sort((X[:, 0], squares(X)), num_keys=1)[1], **here)
    assert_proved(lambda X: jax.lax.sort((squares(X), jnp.exp(-squares(X))), num_keys=1)[1], **here)
