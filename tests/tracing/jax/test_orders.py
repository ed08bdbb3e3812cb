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
        return ep.identical(own, plain, "x: n -> n", backend="jax", budget=30 if stable else 2).grade

    assert grade(stable=True) == "PROVED" != grade(stable=False)


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


def test_the_entries_at_a_place() -> None:
    here = {"backend": "jax"}
    rows, n = "X: b n -> b", "X: n d -> d"
    assert_proved(lambda x: x[jnp.argmax(x)], "x: n -> ()", "S(n)", **here)
    assert_refuted(lambda x: x[jnp.argmax(x * jnp.arange(x.shape[0]))], "x: n -> ()", "S(n)", **here)
    assert_proved(lambda X: X[jnp.argmax((X**2).sum(1))], n, "O(d)", **here)
    assert_refuted(lambda X: X[jnp.argmax(X.sum(1))], n, "O(d)", **here)
    greatest: list[Any] = [lambda X, k=k: jnp.argmax(X, axis=1)[:, None] * k for k in (0, 1)]
    assert_proved(lambda X: jnp.take_along_axis(X, greatest[1](X), axis=1)[:, 0], rows, "S(n)", **here)
    assert_refuted(lambda X: jnp.take_along_axis(X, greatest[0](X), axis=1)[:, 0], rows, "S(n)", **here)


def test_each_row_at_its_own_places() -> None:
    f: list[Any] = [
        lambda X, a=a: jnp.take_along_axis(X, jnp.argsort(X, axis=a), axis=a) for a in (0, 1)
    ]
    for axis, claims in enumerate((("X: n d -> n! d", "S(n)"), ("X: d n -> d n!", "S(n)"))):
        assert_proved(f[axis], *claims, backend="jax")
        assert_refuted(f[1 - axis], *claims, backend="jax")

    def loss(X: Any, y: Any) -> Any:
        return -jnp.take_along_axis(jax.nn.log_softmax(X), y[:, None], axis=1)

    assert_proved(lambda X, y: loss(X, y).mean(), "X: b c, y[c]: b -> ()", "S(c)", backend="jax")
    first: Any = lambda X, y: (X[:, :1] * loss(X, y)).mean()  # noqa: E731
    assert_refuted(first, "X: b c, y[c]: b -> ()", "S(c)", backend="jax")
