"""Networks of jraph as people write them; a test breaks one character of each."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jraph
import numpy as np


class Layers:
    """An edge and a node function with weights that a seed gives, messages along edges that move points."""

    def __init__(self, c: int = 16) -> None:
        draw = np.random.default_rng(0).normal
        self.edge, self.node = draw(size=(2 * c + 3, c)) / c, draw(size=(2 * c, c)) / c
        self.coord = draw(size=(c, 1)) / c

    def of_edges(self, edges: Any, sent: Any, received: Any, _: Any) -> Any:
        apart = received["x"] - sent["x"]
        squares = (apart**2).sum(-1, keepdims=True)
        m = jax.nn.silu(jnp.concatenate([sent["h"], received["h"], edges, squares], -1) @ self.edge)
        return {"m": m, "moved": apart * (m @ self.coord)}

    def of_nodes(self, nodes: Any, _sent: Any, received: Any, _: Any) -> Any:
        h = nodes["h"] + jax.nn.silu(jnp.concatenate([nodes["h"], received["m"]], -1) @ self.node)
        return {"h": h, "x": nodes["x"] + received["moved"]}


def GraphNetwork() -> Any:
    layers = Layers()
    return jraph.GraphNetwork(update_edge_fn=layers.of_edges, update_node_fn=layers.of_nodes)


def graph() -> Any:
    """An example."""
    return jraph.GraphsTuple(
        nodes={"h": jnp.zeros((3, 16)), "x": jnp.zeros((3, 3))}, edges=jnp.zeros((2, 2)),
        senders=jnp.array([0, 1]), receivers=jnp.array([1, 2]), n_node=jnp.array([3]),
        n_edge=jnp.array([2]), globals=None,
    )  # fmt: skip
