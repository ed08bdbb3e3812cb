"""Models of JAX as they are shipped: `GraphsTuple` of jraph, modules of equinox."""

from __future__ import annotations

from typing import Any

import pytest

from tests.judged import assert_proved, assert_refuted

jax = pytest.importorskip("jax", reason="jax is not installed")
jnp: Any = jax.numpy

SIGNATURE = (
    "graph.nodes: n 2, graph.edges: m 2, graph.senders[n]: m, graph.receivers[n]: m -> nodes: n 2, edges: m 2"
)
WEIGHTS = [[0.5, -1.25], [0.75, 2.0]]


def edges(edges: Any, senders: Any, receivers: Any, _: Any) -> Any:
    return jnp.tanh(edges + (senders - receivers) @ jnp.array(WEIGHTS))


def nodes(nodes: Any, _sent: Any, received: Any, _: Any) -> Any:
    return jnp.tanh(nodes @ jnp.array(WEIGHTS) + received)


def first_received(nodes: Any, _sent: Any, received: Any, _: Any) -> Any:
    return jnp.tanh(nodes @ jnp.array(WEIGHTS) + received[:1])


def test_networks_on_graphs_tuples() -> None:
    jraph = pytest.importorskip("jraph", reason="jraph is not installed")
    graph = jraph.GraphsTuple(
        nodes=jnp.zeros((3, 2)), edges=jnp.zeros((2, 2)), senders=jnp.array([0, 1]),
        receivers=jnp.array([1, 2]), n_node=jnp.array([3]), n_edge=jnp.array([2]), globals=None,
    )  # fmt: skip
    given: dict[str, Any] = {"example": {"graph": graph}, "budget": 120}
    right = jraph.GraphNetwork(update_edge_fn=edges, update_node_fn=nodes)
    assert list(assert_proved(right, SIGNATURE, "S(n) x S(m)", **given).results) == ["nodes", "edges"]
    wrong = jraph.GraphNetwork(update_edge_fn=edges, update_node_fn=first_received)
    found = assert_refuted(wrong, SIGNATURE, "S(n)", **given, sizes={"n": (1, 2), "m": (1, 2)})
    assert found.counterexample is not None and found.counterexample.result == "nodes"
    assert "received[:1]" in found.reason


def test_modules_of_equinox_as_targets_and_as_arguments() -> None:
    eqx = pytest.importorskip("equinox", reason="equinox is not installed")

    class Pooled(eqx.Module):  # type: ignore[misc]
        inner: Any

        def __call__(self, x: Any) -> Any:
            h = jax.vmap(self.inner)(x)
            return h, h.sum(0)

    inner = eqx.nn.MLP(3, 2, 2, 1, key=jax.random.PRNGKey(0))
    assert_proved(Pooled(inner), "x: n 3 -> n 2, 2", "S(n)", budget=120)

    class Scaled(eqx.Module):  # type: ignore[misc]
        x: Any
        scale: float = 2.0

    def f(held: Any) -> Any:
        return jnp.asarray(held.x) * held.scale

    given = {"example": {"held": Scaled(jnp.zeros((2, 2)))}}
    assert_proved(f, "held.x: n d -> n d", "O(d) x S(n)", **given)
    assert_refuted(lambda held: f(held) + held.scale, "held.x: n d -> n d", "O(d)", **given)
