"""equinox, flax and jraph."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import jraph
from flax import linen

from benchmarks.packages.claims import family

true, false = family("jax")
KEY = jax.random.PRNGKey(0)


def flax(module, *shapes):
    """A function of a flax module with weights that are always the same."""

    def made():
        variables = module.init(KEY, *(jnp.zeros(s) for s in shapes))
        return lambda *x: module.apply(variables, *x)

    return made


def attention():
    layer = eqx.nn.MultiheadAttention(2, 8, key=KEY)
    return lambda x: layer(x, x, x)


def graph(x, e, update_node):
    n = x.shape[0]
    return jraph.GraphNetwork(update_edge_fn=lambda e, s, r, g: s * r, update_node_fn=update_node)(
        jraph.GraphsTuple(x, None, e[1], e[0], None, jnp.array([n]), jnp.array([e.shape[1]]))
    ).nodes


CLAIMS = [
    true("equinox Linear", lambda: jax.vmap(eqx.nn.Linear(4, 3, key=KEY)), "x: n 4 -> n 3", "S(n)"),
    true("equinox MLP", lambda: jax.vmap(eqx.nn.MLP(4, 3, 8, 1, key=KEY)), "x: n 4 -> n 3", "S(n)"),
    true("equinox MultiheadAttention", attention, "x: n 8 -> n 8", "S(n)", backend="jax"),
    true("equinox LayerNorm", lambda: jax.vmap(eqx.nn.LayerNorm(4)), "x: n 4 -> n 4", "S(n)"),
    true("equinox RMSNorm", lambda: jax.vmap(eqx.nn.RMSNorm(4)), "x: n 4 -> n 4", "S(n)"),
    true("equinox GroupNorm batch", lambda: jax.vmap(eqx.nn.GroupNorm(2, 4)), "x: n 4 3 -> n 4 3", "S(n)"),
    true("equinox Conv1d batch", lambda: jax.vmap(eqx.nn.Conv1d(3, 4, 3, key=KEY)), "x: n 3 6 -> n 4 4", "S(n)"),
    true("equinox GRUCell batch", lambda: jax.vmap(eqx.nn.GRUCell(3, 4, key=KEY)), "x: n 3, h: n 4 -> n 4", "S(n)"),
    true("equinox Embedding", lambda: jax.vmap(eqx.nn.Embedding(7, 4, key=KEY)), "i[7]: n -> n 4", "S(n)"),
    true("flax Dense", flax(linen.Dense(3), (2, 4)), "x: n 4 -> n 3", "S(n)", backend="jax"),
    true("flax LayerNorm", flax(linen.LayerNorm(), (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    true("flax SelfAttention", flax(linen.MultiHeadDotProductAttention(2), (3, 8), (3, 8)), "x: m 8, y: n 8 -> m 8", "S(n)", backend="jax"),
    true("flax BatchNorm", flax(linen.BatchNorm(use_running_average=True), (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    true("flax Conv batch", flax(linen.Conv(4, (3,)), (2, 6, 3)), "x: n 6 3 -> n 6 4", "S(n)", backend="jax"),
    true("flax Conv circular", lambda: (lambda f: lambda x: f(x[None])[0])(flax(linen.Conv(4, (3,), padding="CIRCULAR"), (2, 6, 3))()), "x: n 3 -> n 4", "C(n)", backend="jax", sizes={"n": (3, 8)}),
    true("jax softmax", lambda: jax.nn.softmax, "x: n -> n", "S(n)", backend="jax"),
    true("jax logsumexp", lambda: jax.nn.logsumexp, "x: n -> ()", "S(n)", backend="jax"),
    true("jax dot_product_attention", lambda: lambda q, k, v: jax.nn.dot_product_attention(q[None, :, None], k[None, :, None], v[None, :, None])[0, :, 0], "q: m 4, k: n 4, v: n 4 -> m 4", "S(n)", single=True),
    true("jraph segment_sum", lambda: lambda x, e: jraph.segment_sum(x[e[0]], e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    true("jraph segment_softmax", lambda: lambda x, i: jraph.segment_softmax(x, i, 4), "x: n, i[4]: n -> n", "S(n)"),
    true("jraph GraphNetwork", lambda: lambda x, e: graph(x, e, lambda nodes, sent, received, g: nodes + received), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    true("jraph segment_mean", lambda: lambda x, e: jraph.segment_mean(x[e[0]], e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    false("equinox Linear rotations", lambda: jax.vmap(eqx.nn.Linear(4, 4, key=KEY)), "x: n 4 -> n 4", "O(4)"),
    false("equinox positions", lambda: (lambda f: lambda x: f(x + jnp.arange(x.shape[0])[:, None]))(attention()), "x: n 8 -> n 8", "S(n)", backend="jax"),
    false("equinox Conv1d time", lambda: eqx.nn.Conv1d(3, 4, 3, padding=1, key=KEY), "x: 3 n -> 4 n", "C(n)", sizes={"n": (3, 8)}),
    false("flax LayerNorm rotations", flax(linen.LayerNorm(), (2, 4)), "x: n 4 -> n 4", "O(4)", backend="jax"),
    false("flax Conv zero padding", lambda: (lambda f: lambda x: f(x[None])[0])(flax(linen.Conv(4, (3,)), (2, 6, 3))()), "x: n 3 -> n 4", "C(n)", backend="jax", sizes={"n": (3, 8)}),
    false("jraph numbered edges", lambda: lambda x, e: jraph.segment_sum(jnp.arange(1.0, e.shape[1] + 1), e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n", "S(m)"),
    false("jax cumulative softmax", lambda: lambda x: jnp.cumsum(jax.nn.softmax(x)), "x: n -> n", "S(n)", backend="jax"),
]  # fmt: skip
