"""Functions of JAX."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from benchmarks.exceptional_claims.claim import claims_for
from benchmarks.exceptional_claims.samplers import arrays, cloud, graph, low_rank, tied

claim = claims_for("jax")
graph_n = arrays((lambda rng, n, _: graph(rng, n), "n n"))


@claim("X: n c -> k c", "S(n)", arrays((tied, "n c")), backend="jax")
def largest_in_each_channel(X):
    return jnp.sort(X, axis=0)[::-1][:2]


@claim("s: n, H: n c -> k c", "S(n)", arrays((tied, "n"), (tied, "n c")), backend="jax")
def top_k_experts(s, H):
    values, index = jax.lax.top_k(s, min(2, s.shape[0]))
    return jax.nn.softmax(values)[:, None] * H[index]


@claim("A: n n -> n n!", "S(n)", graph_n, backend="jax")
def absolute_eigenvectors(A):
    W = (A + A.T) / 2
    _, V = jnp.linalg.eigh(jnp.diag(W.sum(axis=1)) - W)
    return jnp.abs(V)


@claim("A: n n -> n n", "S(n)", graph_n, backend="jax")
def spectral_filter(A):
    w, V = jnp.linalg.eigh((A + A.T) / 2)
    return (V * jnp.tanh(w)) @ V.T


@claim("X: n 3 -> n 3!", "E(3) x S(n)", arrays((cloud, "n 3")), backend="jax", least={"n": 5})
def pca_canonicalised_raw(X):
    Y = X - X.mean(axis=0)
    _, V = jnp.linalg.eigh(Y.T @ Y / X.shape[0])
    return Y @ V


@claim("W: n d -> n d", "O(n) x O(d)", arrays((low_rank, "n d")), backend="jax")
def orthogonalised_update(W):
    U, s, Vt = jnp.linalg.svd(W, full_matrices=False)
    return (U * (s > 1e-9)) @ Vt


@claim("x: n -> n", "S(n)", arrays((tied, "n")), backend="jax")
def normal_scores(x):
    ranks = jnp.argsort(jnp.argsort(x)) + 1
    return jax.scipy.special.ndtri(ranks / (x.shape[0] + 1))


@claim("X: n d, C: k d -> k d", "E(d) x S(n) x S(k)", arrays((cloud, "n d"), (cloud, "k d")), backend="jax")
def kmeans_update(X, C):
    d2 = jnp.sum((X[:, None] - C[None]) ** 2, axis=-1)
    M = jax.nn.one_hot(jnp.argmin(d2, axis=1), C.shape[0], dtype=X.dtype)
    size = M.sum(axis=0)[:, None]
    return jnp.where(size > 0, M.T @ X / jnp.maximum(size, 1), C)


@claim("X: n d, C: k d -> k d", "E(d) x S(n) x S(k)", arrays((cloud, "n d"), (cloud, "k d")), backend="jax")
def kmeans_update_empty_clusters_at_origin(X, C):
    d2 = jnp.sum((X[:, None] - C[None]) ** 2, axis=-1)
    M = jax.nn.one_hot(jnp.argmin(d2, axis=1), C.shape[0], dtype=X.dtype)
    return M.T @ X / jnp.maximum(M.sum(axis=0)[:, None], 1)


@claim("t: n, y: n -> n!", "S(n)", arrays((tied, "n"), (tied, "n")), backend="jax")
def running_total_in_order_of_time(t, y):
    order = jnp.argsort(t)
    return jnp.cumsum(y[order])
