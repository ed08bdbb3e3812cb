"""JAX, equinox, flax and jraph: layers, losses and physics."""

from __future__ import annotations

import functools
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import jraph
import numpy as np
from flax import linen

from benchmarks.packages.claims import jax_false, jax_true
from benchmarks.packages.helpers import (
    CLOUD_2,
    GP,
    ROWS,
    STEPS,
    VECTOR,
    VECTOR_2,
    equinox_layer,
    flax_layer,
    held,
    named,
    packed,
    using,
    wrong,
)

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


def jax_pairwise(x):
    import jax.numpy as jnp

    d = x[:, None] - x[None]
    return jnp.sqrt(jnp.sum(d**2, -1) + 1e-8)


def jax_attention(x):
    import jax

    return jax.nn.softmax(x @ x.T, axis=-1) @ x


def jax_layer_norm(x):
    import jax.numpy as jnp

    return (x - jnp.mean(x, -1, keepdims=True)) / jnp.sqrt(jnp.var(x, -1, keepdims=True) + 1e-5)


def optax_loss(name):
    def made():
        import optax

        f = getattr(optax, name)
        return lambda x, y: f(x, y).mean()

    return made


def jax_causal(x):
    import jax.numpy as jnp

    return jnp.tril(x @ x.T) @ x


def jax_nn(name, **options):
    def made():
        import jax

        return functools.partial(getattr(jax.nn, name), **options)

    return made


def optax_loss_2(name, **options):
    def made():
        import optax

        loss = functools.partial(getattr(optax, name), **options)
        return lambda *arrays: loss(*arrays).mean()

    return made


def jax_gram(x):
    import jax.numpy as jnp

    g = x @ x.T
    i, j = jnp.triu_indices(4, 1)
    return jnp.sum(jnp.abs(g[i, j]))


def jax_threshold(x):
    import jax
    import jax.numpy as jnp

    d2 = jnp.sum((x[:, None] - x[None]) ** 2, -1)
    near = jnp.where((d2 < 1.0) & ~jnp.eye(x.shape[0], dtype=bool), jnp.exp(-d2), 0.0)
    return jax.lax.stop_gradient(near).sum(1)


def jax_scan_mean(x):
    import jax

    total, _ = jax.lax.scan(lambda c, r: (c + r, None), x[0] * 0, x)
    return total / x.shape[0]


def jax_vmapped(x, y):
    import jax

    return jax.vmap(jax.vmap(lambda a, b: ((a - b) ** 2).sum(), (None, 0)), (0, None))(x, y)


def segment_variance():
    import jraph

    return lambda x, w: jraph.segment_variance(x, w, 3)


def jax_egnn(x, h):
    import jax
    import jax.numpy as jnp

    diff = x[:, None] - x[None, :]
    d2 = jnp.sum(diff**2, -1, keepdims=True)
    m = jax.nn.silu(d2 * 0.3 + (h @ h.T)[..., None] * 0.1)
    return x + jnp.mean(diff * m, axis=1)


def jax_kmeans_step(x, c):
    import jax.numpy as jnp

    d = jnp.linalg.norm(x[:, None] - c[None], axis=-1)
    a = jnp.argmin(d, axis=1)
    hot = (a[:, None] == jnp.arange(c.shape[0])).astype(x.dtype)
    return hot.T @ x / jnp.maximum(hot.sum(0)[:, None], 1.0)


def jax_gcn(x, senders, receivers):
    import jax
    import jax.numpy as jnp

    n = x.shape[0]
    deg = jax.ops.segment_sum(jnp.ones_like(senders, dtype=x.dtype), receivers, n)
    m = x[senders] / jnp.sqrt(1.0 + deg)[senders][:, None]
    return jax.ops.segment_sum(m, receivers, n) / jnp.sqrt(1.0 + deg)[:, None]


def jax_force(x):
    import jax
    import jax.numpy as jnp

    def energy(x):
        d = x[:, None] - x[None]
        r2 = jnp.sum(d**2, -1) + jnp.eye(x.shape[0])
        return jnp.sum(jnp.triu(1 / r2**3, 1))

    return -jax.grad(energy)(x)


def jax_sinkhorn(c):
    import jax
    import jax.numpy as jnp

    def step(carry, _):
        f, g = carry
        f = -jax.nn.logsumexp(g[None] - c, axis=1)
        g = -jax.nn.logsumexp(f[:, None] - c, axis=0)
        return (f, g), None

    (f, g), _ = jax.lax.scan(step, (jnp.zeros(c.shape[0]), jnp.zeros(c.shape[1])), None, length=5)
    return jnp.sum(jnp.exp(f[:, None] + g[None] - c) * c)


def haiku(call, *shapes):
    """A function with Haiku's modules inside, transformed and given its weights."""

    def made():
        import haiku as hk
        import jax
        import jax.numpy as jnp

        net = hk.without_apply_rng(hk.transform(lambda *x: call(hk, *x)))
        state = net.init(jax.random.PRNGKey(0), *(jnp.zeros(s) for s in shapes))
        return functools.partial(net.apply, state)

    return made


POINTS = "X: n 3 -> ()"


def energy(name, **options):
    """A pair energy of JAX MD in free space, or in a periodic box."""

    def made():
        from jax_md import energy, space

        displacement, _ = space.periodic(3.0) if options.get("box") else space.free()
        return getattr(energy, name)(displacement, sigma=1.0, epsilon=1.0)

    return made


def euler(field):
    """Four steps of Euler's method."""

    def made():
        import diffrax

        term = diffrax.ODETerm(lambda t, y, _: field(y))

        def run(x):
            solution = diffrax.diffeqsolve(term, diffrax.Euler(), 0.0, 1.0, 0.25, x, adjoint=diffrax.DirectAdjoint())
            return solution.ys[-1]

        return run

    return made


def harmonics(power):
    def made():
        import e3x

        return lambda x: (e3x.so3.spherical_harmonics(x, max_degree=1, r_is_normalized=False)[..., 1:] ** power).sum(-1)

    return made


def swirl(y):
    return -y / (1 + (y**2).sum(-1, keepdims=True))


def flax_set():
    import jax
    import jax.numpy as jnp
    from flax import linen

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x, mask):
            h = linen.gelu(linen.Dense(8)(x))
            h = jnp.where(mask[:, None], h, 0.0)
            pooled = h.sum(0) / jnp.maximum(mask.sum(), 1)
            return linen.Dense(2)(linen.LayerNorm()(pooled))

    net = Net()
    state = net.init(jax.random.PRNGKey(0), jnp.zeros((4, 3)), jnp.ones(4, bool))
    return functools.partial(net.apply, state)


def equinox_egnn():
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    class Layer(eqx.Module):
        edge: eqx.nn.MLP
        weight: eqx.nn.Linear

        def __call__(self, x):
            def message(xi, xj):
                d = xi - xj
                return d * self.weight(self.edge(jnp.sum(d**2, keepdims=True)))[0]

            return x + jax.vmap(lambda xi: jax.vmap(lambda xj: message(xi, xj))(x).mean(0))(x)

    a, b = jax.random.split(jax.random.PRNGKey(1))
    return Layer(eqx.nn.MLP(1, 4, 8, 1, key=a), eqx.nn.Linear(4, 1, key=b))


def nnx_mixer():
    from flax import nnx

    class Block(nnx.Module):
        def __init__(self, rngs):
            self.norm, self.a, self.b = nnx.LayerNorm(4, rngs=rngs), nnx.Linear(4, 8, rngs=rngs), nnx.Linear(8, 4, rngs=rngs)

        def __call__(self, x):
            return x + self.b(nnx.silu(self.a(self.norm(x))))

    return Block(nnx.Rngs(0))


def jax_leapfrog():
    import jax
    import jax.numpy as jnp

    def energy(q):
        d = q[:, None] - q[None]
        return 0.5 * jnp.sum(jnp.exp(-jnp.sum(d**2, -1)))

    def run(q, p):
        def step(state, _):
            q, p = state
            p = p - 0.05 * jax.grad(energy)(q)
            q = q + 0.1 * p
            p = p - 0.05 * jax.grad(energy)(q)
            return (q, p), None

        (q, p), _ = jax.lax.scan(step, (q, p), None, length=3)
        return q

    return run


def jax_gat():
    import jax
    import jax.numpy as jnp

    W = jax.random.normal(jax.random.PRNGKey(0), (3, 4))
    a = jax.random.normal(jax.random.PRNGKey(1), (8,))

    def layer(h, senders, receivers):
        n = h.shape[0]
        z = h @ W
        e = jax.nn.leaky_relu(jnp.concatenate([z[senders], z[receivers]], -1) @ a, 0.2)
        w = jnp.exp(e - jax.ops.segment_max(e, receivers, n)[receivers])
        s = jax.ops.segment_sum(w, receivers, n)
        return jax.ops.segment_sum(z[senders] * (w / s[receivers])[:, None], receivers, n)

    return layer


def jax_gru():
    import equinox as eqx
    import jax
    import jax.numpy as jnp

    cell = eqx.nn.GRUCell(3, 4, key=jax.random.PRNGKey(0))

    def encode(xs):
        return jax.vmap(lambda x: jax.lax.scan(lambda h, v: (cell(v, h), None), jnp.zeros(4), x)[0])(xs)

    return encode


def jax_hutchinson_divergence():
    import jax
    import jax.numpy as jnp

    def field(x):
        return x / (1 + jnp.sum(x**2))

    return lambda x: jnp.trace(jax.jacfwd(field)(x))


def jax_kernel_ridge():
    import jax.numpy as jnp

    def predict(X, y, Z):
        k = lambda A, B: jnp.exp(-0.5 * jnp.sum((A[:, None] - B[None]) ** 2, -1))
        return k(Z, X) @ jnp.linalg.solve(k(X, X) + 0.1 * jnp.eye(len(X)), y)

    return predict


def jax_spherical_l1():
    import jax.numpy as jnp

    w = jnp.array([0.3, -1.2, 0.7])

    def layer(x):
        d = x[:, None] - x[None]
        r = jnp.linalg.norm(d + jnp.eye(len(x))[..., None], axis=-1)
        bessel = jnp.stack([jnp.sin(k * jnp.pi * r / 5) / r for k in (1, 2, 3)], -1)
        return r @ bessel.sum(1) @ w

    return layer


def jax_segment_softmax():
    import jax
    import jax.numpy as jnp

    def f(logits, seg, n=3):
        m = jax.ops.segment_max(logits, seg, num_segments=n)
        e = jnp.exp(logits - m[seg])
        return e / jax.ops.segment_sum(e, seg, num_segments=n)[seg]

    return f


def jax_rnn_scan():
    import jax
    import jax.numpy as jnp

    W = jnp.array([[0.5, -0.25], [0.125, 0.75]])
    U = jnp.array([[1.0, 0.5, -1.0], [0.25, 0.0, 2.0]])

    def f(x):  # time batch 3
        def step(h, xt):
            h = jnp.tanh(h @ W.T + xt @ U.T)
            return h, h

        h0 = jnp.zeros((x.shape[1], 2))
        h, hs = jax.lax.scan(step, h0, x)
        return hs

    return f


def jax_egnn_dense():
    import jax
    import jax.numpy as jnp

    k1, k2, _ = jax.random.split(jax.random.PRNGKey(0), 3)
    We, Wx = jax.random.normal(k1, (7, 4)), jax.random.normal(k2, (4, 1))

    def f(h, x):
        n = h.shape[0]
        diff = x[:, None, :] - x[None, :, :]
        d2 = jnp.sum(diff**2, axis=-1, keepdims=True)
        hi = jnp.repeat(h[:, None, :], n, axis=1)
        hj = jnp.repeat(h[None, :, :], n, axis=0)
        m = jax.nn.silu(jnp.concatenate([hi, hj, d2], axis=-1) @ We)
        m = m * (1 - jnp.eye(n))[..., None]
        x = x + jnp.sum(diff * (m @ Wx), axis=1) / (n - 1)
        return x

    return f


def jax_force_2():
    import jax
    import jax.numpy as jnp

    def energy(R, L=4.0):
        dR = R[:, None] - R[None]
        dR = dR - L * jnp.round(dR / L)
        r2 = jnp.sum(dR**2, -1)
        mask = 1 - jnp.eye(R.shape[0])
        return 0.5 * jnp.sum(mask * jnp.exp(-r2))

    return lambda R: -jax.grad(energy)(R)


def jax_rbf_ard(log_scale=0.0):
    import jax
    import jax.numpy as jnp

    def k(x, y):
        return jnp.exp(-0.5 * jnp.sum((x - y) ** 2) / jnp.exp(2 * log_scale))

    gram = jax.vmap(jax.vmap(k, (None, 0)), (0, None))

    def predict(X, y, Xs):
        K = gram(X, X) + 0.1 * jnp.eye(X.shape[0])
        L = jnp.linalg.cholesky(K)
        alpha = jax.scipy.linalg.cho_solve((L, True), y)
        return gram(Xs, X) @ alpha

    return predict


def jax_mds_stress():
    import jax.numpy as jnp

    def f(D, X):
        i, j = jnp.triu_indices(X.shape[0], k=1)
        d = jnp.sqrt(jnp.sum((X[i] - X[j]) ** 2, axis=1) + 1e-12)
        return jnp.sum((D[i, j] - d) ** 2) / jnp.sum(d**2)

    return f


def e3nn_jax_tensor(irreps, second):
    def made():
        import e3nn_jax as e3nn

        return lambda x, y: e3nn.tensor_product(e3nn.IrrepsArray(irreps, x), e3nn.IrrepsArray(second, y)).filter("0e").array

    return made


def e3nn_jax_norm():
    import e3nn_jax as e3nn

    return lambda x: e3nn.norm(e3nn.spherical_harmonics("1o + 2e", x, False)).array


def e3nn_jax_messages(wrong=False):
    def made():
        import e3nn_jax as e3nn
        import jax.numpy as jnp

        def run(pos, senders, receivers):
            v = pos[senders] if wrong else pos[receivers] - pos[senders]
            sh = e3nn.spherical_harmonics("1o", v, True)
            w = jnp.exp(-jnp.sum(v**2, axis=-1, keepdims=True))
            return e3nn.scatter_sum(sh * w, dst=receivers, output_size=pos.shape[0]).array

        return run

    return made


def equinox_net(make, call=None):
    def made():
        import equinox as eqx
        import jax

        net = make(eqx, jax.random.PRNGKey(0))
        return jax.vmap(net) if call is None else (lambda *x: call(net, *x))

    return made


def jax_pna():
    import jax
    import jax.numpy as jnp

    def run(x, senders, receivers):
        n = x.shape[0]
        m = x[senders]
        s = jax.ops.segment_sum(m, receivers, n)
        deg = jax.ops.segment_sum(jnp.ones(m.shape[0]), receivers, n)[:, None]
        mean = s / jnp.maximum(deg, 1)
        std = jnp.sqrt(jnp.maximum(jax.ops.segment_sum(m**2, receivers, n) / jnp.maximum(deg, 1) - mean**2, 0) + 1e-5)
        return jnp.concatenate([mean, std], -1) * jnp.log1p(deg)

    return run


def jax_ssm(reverse=False):
    def made():
        import jax
        import jax.numpy as jnp

        A = jnp.array([[0.5, 0.1], [-0.2, 0.7]])

        def run(x):
            def step(h, u):
                h = h @ A.T + u[:, None]
                return h, h.sum(-1)

            return jax.lax.scan(step, jnp.zeros((x.shape[1], 2)), x)[1]

        return run

    return made


def jax_hamiltonian():
    import jax
    import jax.numpy as jnp

    def H(q, p):
        d = q[:, None] - q[None]
        return 0.5 * jnp.sum(p**2) + jnp.sum(jnp.exp(-jnp.sum(d**2, -1)))

    return lambda q, p: (jax.grad(H, 1)(q, p), -jax.grad(H, 0)(q, p))


def jax_hessian_trace():
    import jax
    import jax.numpy as jnp

    return lambda x: jnp.trace(jax.hessian(lambda y: jnp.log1p(jnp.sum(y**2)))(x))


def jax_attention_pool():
    import jax
    import jax.numpy as jnp

    def run(x, q, mask):
        logits = jnp.where(mask, x @ q, -1e9)
        return jax.nn.softmax(logits) @ x

    return run


def jax_vmap_kernel():
    import jax
    import jax.numpy as jnp

    k = lambda x, y: jnp.exp(-0.5 * jnp.sum((x - y) ** 2))
    return lambda X, Y: jax.vmap(lambda x: jax.vmap(lambda y: k(x, y))(Y))(X)


def jax_sinkhorn_2():
    import jax
    import jax.numpy as jnp

    def run(X, Y):
        C = jnp.sum((X[:, None] - Y[None]) ** 2, -1)

        def body(_, fg):
            f, g = fg
            f = -jax.nn.logsumexp(g[None] - C, axis=1)
            return f, -jax.nn.logsumexp(f[:, None] - C, axis=0)

        f, g = jax.lax.fori_loop(0, 4, body, (jnp.zeros(X.shape[0]), jnp.zeros(Y.shape[0])))
        return jnp.sum(jnp.exp(f[:, None] + g[None] - C) * C)

    return run


def jax_svgd():
    import jax
    import jax.numpy as jnp

    def run(X):
        score = jax.vmap(jax.grad(lambda x: -0.5 * jnp.sum(x**2)))(X)
        k = lambda x, y: jnp.exp(-jnp.sum((x - y) ** 2))
        K = jax.vmap(lambda x: jax.vmap(lambda y: k(x, y))(X))(X)
        dK = jax.vmap(lambda x: jax.vmap(lambda y: jax.grad(k)(y, x))(X))(X)
        return (K @ score + dK.sum(1)) / X.shape[0]

    return run


def jax_segment_max():
    import jax
    import jax.numpy as jnp

    def run(x, s):
        top = jax.ops.segment_max(x, s, num_segments=3)
        return jnp.where(jnp.isfinite(top), top, 0.0)

    return run


def jax_boids():
    import jax.numpy as jnp

    def run(x, v):
        d = x[None] - x[:, None]
        r2 = jnp.sum(d**2, -1, keepdims=True)
        near = (r2 < 1.0) & (r2 > 0)
        count = jnp.maximum(near.sum(1), 1)
        align = jnp.where(near, v[None], 0).sum(1) / count - v
        cohere = jnp.where(near, d, 0).sum(1) / count
        return v + 0.1 * align + 0.05 * cohere

    return run


def flax_attention_pool():
    import flax.linen as fnn
    import jax
    import jax.numpy as jnp

    class Pool(fnn.Module):
        @fnn.compact
        def __call__(self, x):
            s = fnn.Dense(1)(jnp.tanh(fnn.Dense(8)(x)))
            return (jax.nn.softmax(s, axis=-2) * x).sum(-2)

    model = Pool()
    params = model.init(jax.random.PRNGKey(0), jnp.ones((2, 4)))
    return lambda x: model.apply(params, x)


def jx(f):
    def made():
        import jax
        import jax.numpy as jnp
        return lambda *a: f(jax, jnp, *a)
    return made


def ipa_jax(jax, jnp, x, pts):
    d2 = ((pts[:, None] - pts[None]) ** 2).sum(-1)
    a = jax.nn.softmax(x @ x.T / 2.0 - 0.5 * d2, axis=-1)
    return a @ x, a @ pts


def jaxmd_periodic(jax, jnp, R, side=3.0):
    dR = R[:, None] - R[None]
    dR = jnp.mod(dR + side * 0.5, side) - 0.5 * side
    r2 = jnp.sum(dR**2, -1)
    return 0.5 * jnp.sum(jnp.where(jnp.eye(R.shape[0], dtype=bool), 0.0, jnp.exp(-r2)))


def hmc_leapfrog(jax, jnp, q, p):
    logp = lambda q: -0.5 * jnp.sum(q**2) - jnp.sum(q**2) ** 2
    g = jax.grad(logp)
    p = p + 0.05 * g(q)
    q = q + 0.1 * p
    p = p + 0.05 * g(q)
    return q, p


def jax_gn_softmax(jax, jnp, nodes, senders, receivers):
    n = nodes.shape[0]
    e = jnp.sum(nodes[senders] * nodes[receivers], -1)
    mx = jax.ops.segment_max(e, receivers, n)
    w = jnp.exp(e - mx[receivers])
    z = jax.ops.segment_sum(w, receivers, n)
    return jax.ops.segment_sum((w / z[receivers])[:, None] * nodes[senders], receivers, n)


def jax_jastrow(jax, jnp, X):
    i, j = jnp.triu_indices(X.shape[0], 1)
    r = jnp.linalg.norm(X[i] - X[j], axis=-1)
    return jnp.sum(r / (1 + r))


def jax_lstm_set(jax, jnp, x):
    def step(h, xt):
        h = jnp.tanh(0.5 * h + xt)
        return h, h
    _, hs = jax.lax.scan(step, jnp.zeros(x.shape[1]), x)
    return hs.mean(0)


def jax_knn(jax, jnp, X):
    d = jnp.sum((X[:, None] - X[None]) ** 2, -1) + 1e6 * jnp.eye(X.shape[0])
    v, _ = jax.lax.top_k(-d, 2)
    return -v.mean(-1)


J = {"backend": "jax"}


def upper(X):
    d = jnp.sqrt(((X[:, None] - X[None]) ** 2).sum(-1) + 1e-9)
    i, j = jnp.triu_indices(X.shape[0], 1)
    return jnp.exp(-d[i, j]).sum()


def zero_diagonal(X):
    K = X @ X.T
    n = X.shape[0]
    K = K.at[jnp.diag_indices(n)].set(0.0)
    return (K**2).sum()


def zero_diagonal_range(X):
    K = X @ X.T
    i = jnp.arange(X.shape[0])
    return jax.nn.softmax(K.at[i, i].set(-jnp.inf), axis=-1) @ X


def nearest(x, k=3):  # mean distance to the k nearest
    d = jnp.linalg.norm(x[:, None] - x[None] + 1e-6, axis=-1)
    return -jax.lax.top_k(-d, min(k, x.shape[0]))[0].mean()


def correlations(x):
    return jnp.corrcoef(x, rowvar=False)


def jax_attention_2(q, k, v, bias):
    s = jnp.einsum("id,jd->ij", q, k) / jnp.sqrt(q.shape[-1]) + bias
    return jax.nn.softmax(s, axis=-1) @ v


def jax_energy(x):
    r = x[:, None] - x[None]
    d2 = jnp.sum(r**2, -1)
    off = ~jnp.eye(len(x), dtype=bool)
    safe = jnp.where(off, d2, 1.0)
    return jnp.sum(jnp.where(off, safe**-6 - safe**-3, 0.0)) / 2


def jax_forces(x):
    return -jax.grad(jax_energy)(x)


def jax_hessian_trace_2(x):
    h = jax.hessian(lambda y: jnp.sum(jnp.exp(-(y**2))))(x)
    return jnp.trace(h)


def jax_scan(x):
    def step(c, row):
        c = 0.9 * c + row
        return c, c

    return jax.lax.scan(step, jnp.zeros(x.shape[1], x.dtype), x)[1]


def jax_vmapped_2(x, y):
    return jax.vmap(lambda a: jax.vmap(lambda b: jnp.exp(-jnp.sum((a - b) ** 2)))(y))(x)


def jax_divergence(x):  # of a radial field
    f = lambda p: p * jnp.exp(-jnp.dot(p, p))
    return jax.vmap(lambda p: jnp.trace(jax.jacfwd(f)(p)))(x)


def jax_segments(h, e):
    s, r = e[:, 0], e[:, 1]
    m = jnp.tanh(h[s] - h[r])
    return jax.ops.segment_sum(m, r, num_segments=h.shape[0])


def jax_newton(A):  # inverse square root by iterations
    n = A.shape[0]
    A = A @ A.T + jnp.eye(n)
    Y, Z = A / jnp.trace(A), jnp.eye(n)
    for _ in range(4):
        T = 0.5 * (3 * jnp.eye(n) - Z @ Y)
        Y, Z = Y @ T, T @ Z
    return Z


def tfp(imports, function, before="pass"):
    return held(f"tensorflow_probability.substrates.jax as tfp, jax, jax.numpy as jnp{imports}", function, before)


def nnx(of, function="lambda x: f(x)"):
    return held("jax, jax.numpy as jnp", function, f"from flax import nnx; r = nnx.Rngs(0); f = {of}")


def dynamical_matrix(x):
    def energy(y):
        y = y.reshape(-1, 3)
        i, j = jnp.triu_indices(y.shape[0], 1)
        return jnp.sum(jnp.exp(-jnp.sum((y[i] - y[j]) ** 2, -1)))

    h = jax.hessian(energy)(x.reshape(-1))
    return jnp.trace(h), jnp.sum(h**2)


@jax.custom_jvp
def safe_sqrt(x):
    return jnp.sqrt(jnp.where(x > 0, x, 0.0))


def jax_bonds(x):
    d = safe_sqrt(jnp.sum((x[:, None] - x[None]) ** 2, -1))
    return jnp.sum(jnp.where(d < 2.0, (d - 1.0) ** 2, 1.0))


@partial(jax.jit, static_argnames=("steps", "dt"))
def jax_relax(x, steps=3, dt=0.05):
    def energy(y):
        d2 = jnp.sum((y[:, None] - y[None]) ** 2, -1)
        return jnp.sum(jnp.exp(-d2))

    return jax.lax.fori_loop(0, steps, lambda _, y: y - dt * jax.grad(energy)(y), x)


def jax_mixture(params, x):
    logits = jax.vmap(lambda m, s: jax.scipy.stats.norm.logpdf(x, m, jnp.exp(s)).sum(-1))(params, jnp.zeros_like(params))
    return jax.scipy.special.logsumexp(logits - jnp.log(params.shape[0]), axis=0).sum()


class JaxTransformer:
    """Weights in a dictionary, no library."""

    def __init__(self, dim=4, heads=2):
        keys = jax.random.split(jax.random.PRNGKey(0), 4)
        self.heads = heads
        self.p = {k: jax.random.normal(key, (dim, dim)) / dim**0.5 for k, key in zip("qkvo", keys, strict=True)}

    def __call__(self, x):
        split = lambda y: y.reshape(y.shape[0], self.heads, -1).transpose(1, 0, 2)
        q, k, v = (split(x @ self.p[name]) for name in "qkv")
        a = jax.nn.softmax(jnp.einsum("hid,hjd->hij", q, k) / jnp.sqrt(q.shape[-1]), axis=-1)
        x = x + (a @ v).transpose(1, 0, 2).reshape(x.shape) @ self.p["o"]
        mu, var = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
        return (x - mu) * jax.lax.rsqrt(var + 1e-6)


def jax_simclr(z, tau=0.5):
    z = z / jnp.linalg.norm(z, axis=-1, keepdims=True)
    n = z.shape[0]
    sim = jnp.where(jnp.eye(n, dtype=bool), -jnp.inf, z @ z.T / tau)
    return jnp.mean(jax.scipy.special.logsumexp(sim, axis=1))


def jax_cond(x):
    return jax.lax.cond(jnp.mean(x) > 0, lambda y: y - jnp.max(y), lambda y: y - jnp.min(y), x)


def jax_steps(x):
    def body(carry):
        i, y = carry
        return i + 1, jax.nn.softmax(y @ y.T, axis=-1) @ y

    return jax.lax.while_loop(lambda c: c[0] < 2, body, (0, x))[1]


def jax_laplacian(x):
    f = lambda y: jnp.sum(jnp.tanh(jnp.sum(y**2, -1)))
    g = jax.grad(f)
    eye = jnp.eye(x.size).reshape(x.size, *x.shape)
    return jnp.sum(jax.vmap(lambda v: jnp.vdot(jax.jvp(g, (x,), (v,))[1], v))(eye))


CLAIMS = [
    jax_true("equinox Linear", lambda: jax.vmap(eqx.nn.Linear(4, 3, key=KEY)), "x: n 4 -> n 3", "S(n)"),
    jax_true("equinox MLP", lambda: jax.vmap(eqx.nn.MLP(4, 3, 8, 1, key=KEY)), "x: n 4 -> n 3", "S(n)"),
    jax_true("equinox MultiheadAttention", attention, "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("equinox LayerNorm", lambda: jax.vmap(eqx.nn.LayerNorm(4)), "x: n 4 -> n 4", "S(n)"),
    jax_true("equinox RMSNorm", lambda: jax.vmap(eqx.nn.RMSNorm(4)), "x: n 4 -> n 4", "S(n)"),
    jax_true("equinox GroupNorm batch", lambda: jax.vmap(eqx.nn.GroupNorm(2, 4)), "x: n 4 3 -> n 4 3", "S(n)"),
    jax_true("equinox Conv1d batch", lambda: jax.vmap(eqx.nn.Conv1d(3, 4, 3, key=KEY)), "x: n 3 6 -> n 4 4", "S(n)"),
    jax_true("equinox GRUCell batch", lambda: jax.vmap(eqx.nn.GRUCell(3, 4, key=KEY)), "x: n 3, h: n 4 -> n 4", "S(n)"),
    jax_true("equinox Embedding", lambda: jax.vmap(eqx.nn.Embedding(7, 4, key=KEY)), "i[7]: n -> n 4", "S(n)"),
    jax_true("flax Dense", flax(linen.Dense(3), (2, 4)), "x: n 4 -> n 3", "S(n)", backend="jax"),
    jax_true("flax LayerNorm", flax(linen.LayerNorm(), (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    jax_true("flax SelfAttention", flax(linen.MultiHeadDotProductAttention(2), (3, 8), (3, 8)), "x: m 8, y: n 8 -> m 8", "S(n)", backend="jax"),
    jax_true("flax BatchNorm", flax(linen.BatchNorm(use_running_average=True), (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    jax_true("flax Conv batch", flax(linen.Conv(4, (3,)), (2, 6, 3)), "x: n 6 3 -> n 6 4", "S(n)", backend="jax"),
    jax_true("flax Conv circular", lambda: (lambda f: lambda x: f(x[None])[0])(flax(linen.Conv(4, (3,), padding="CIRCULAR"), (2, 6, 3))()), "x: n 3 -> n 4", "C(n)", backend="jax", sizes={"n": (3, 8)}),
    jax_true("jax softmax", lambda: jax.nn.softmax, "x: n -> n", "S(n)", backend="jax"),
    jax_true("jax logsumexp", lambda: jax.nn.logsumexp, "x: n -> ()", "S(n)", backend="jax"),
    jax_true("jax dot_product_attention", lambda: lambda q, k, v: jax.nn.dot_product_attention(q[None, :, None], k[None, :, None], v[None, :, None])[0, :, 0], "q: m 4, k: n 4, v: n 4 -> m 4", "S(n)", single=True),
    jax_true("jraph segment_sum", lambda: lambda x, e: jraph.segment_sum(x[e[0]], e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    jax_true("jraph segment_softmax", lambda: lambda x, i: jraph.segment_softmax(x, i, 4), "x: n, i[4]: n -> n", "S(n)"),
    jax_true("jraph GraphNetwork", lambda: lambda x, e: graph(x, e, lambda nodes, sent, received, g: nodes + received), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    jax_true("jraph segment_mean", lambda: lambda x, e: jraph.segment_mean(x[e[0]], e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    jax_false("equinox Linear rotations", lambda: jax.vmap(eqx.nn.Linear(4, 4, key=KEY)), "x: n 4 -> n 4", "O(4)"),
    jax_false("equinox positions", lambda: (lambda f: lambda x: f(x + jnp.arange(x.shape[0])[:, None]))(attention()), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_false("equinox Conv1d time", lambda: eqx.nn.Conv1d(3, 4, 3, padding=1, key=KEY), "x: 3 n -> 4 n", "C(n)", sizes={"n": (3, 8)}),
    jax_false("flax LayerNorm rotations", flax(linen.LayerNorm(), (2, 4)), "x: n 4 -> n 4", "O(4)", backend="jax"),
    jax_false("flax Conv zero padding", lambda: (lambda f: lambda x: f(x[None])[0])(flax(linen.Conv(4, (3,)), (2, 6, 3))()), "x: n 3 -> n 4", "C(n)", backend="jax", sizes={"n": (3, 8)}),
    jax_false("jraph numbered edges", lambda: lambda x, e: jraph.segment_sum(jnp.arange(1.0, e.shape[1] + 1), e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n", "S(m)"),
    jax_false("jax cumulative softmax", lambda: lambda x: jnp.cumsum(jax.nn.softmax(x)), "x: n -> n", "S(n)", backend="jax"),
    jax_true("jax pairwise", lambda: jax_pairwise, "x: n d -> n n", "S(n) x E(d)", backend="jax"),
    jax_true("jax attention", lambda: jax_attention, "x: n d -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("jax layer norm", lambda: jax_layer_norm, "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("optax l2", optax_loss("l2_loss"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax huber", optax_loss("huber_loss"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax cosine", optax_loss("cosine_distance"), "x: n d, y: n d -> ()", "O(d)", backend="jax"),
    jax_true("optax sigmoid", optax_loss("sigmoid_binary_cross_entropy"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax softmax", optax_loss("softmax_cross_entropy"), "x: n c, y: n c -> ()", "S(n) x S(c)", backend="jax"),
    jax_false("jax attention translated", lambda: jax_attention, "x: n d -> n d", "E(d)", backend="jax"),
    jax_false("jax causal", lambda: jax_causal, "x: n d -> n d", "S(n)", backend="jax"),
    jax_false("optax softmax one side", optax_loss("softmax_cross_entropy"), "x: n c, y: n c -> ()", "O(c)", backend="jax"),
    jax_true("flax linen Dense", flax_layer("Dense", (2, 4), features=3), "x: n 4 -> n 3", "S(n)", backend="jax"),
    jax_true("flax linen LayerNorm", flax_layer("LayerNorm", (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    jax_true("flax linen attention", flax_layer("MultiHeadDotProductAttention", (3, 8), num_heads=2), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("flax linen GroupNorm", flax_layer("GroupNorm", (2, 3, 4), num_groups=2), "x: b n 4 -> b n 4", "S(n)", backend="jax"),
    jax_true("equinox PReLU", equinox_layer("PReLU"), "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("equinox AdaptiveAvgPool", equinox_layer("AdaptiveAvgPool1d", 1), "x: c n -> c 1", "S(n) x S(c)", backend="jax"),
    jax_true("jax glu", jax_nn("glu"), "x: n 4 -> n 2", "S(n)", backend="jax"),
    jax_true("jax standardize", jax_nn("standardize"), "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("jax log_softmax", jax_nn("log_softmax"), "x: n c -> n c", "S(c)", backend="jax"),
    jax_false("flax linen attention numbered", lambda: (lambda f: lambda x: f(x) + x[:1])(flax_layer("MultiHeadDotProductAttention", (3, 8), num_heads=2)()), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_false("jax standardize rotated", jax_nn("standardize"), "x: n d -> n d", "O(d)", backend="jax"),
    jax_false("jax glu swapped", jax_nn("glu"), "x: n v -> n 2", "S(v)", sizes={"v": 4}, backend="jax"),
    jax_true("optax sigmoid cross entropy", optax_loss_2("sigmoid_binary_cross_entropy"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax cosine_distance", optax_loss_2("cosine_distance"), "x: n d, y: n d -> ()", "S(n) x O(d)", backend="jax"),
    jax_true("optax log_cosh", optax_loss_2("log_cosh"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax softmax cross entropy", optax_loss_2("softmax_cross_entropy"), "x: n c, y: n c -> ()", "S(n) x S(c)", backend="jax"),
    jax_true("jax gram pairs", lambda: jax_gram, "x: 4 d -> ()", "S(4) x O(d)", backend="jax"),
    jax_true("jax neighbours below 1", lambda: jax_threshold, "x: n d -> n", "S(n) x E(d)", backend="jax"),
    jax_true("jax scan mean", lambda: jax_scan_mean, "x: n d -> d", "S(n) x E(d)", backend="jax"),
    jax_true("jax vmapped distances", lambda: jax_vmapped, "x: n d, y: m d -> n m", "E(d)", backend="jax"),
    jax_true("jax squareplus", jax_nn("squareplus"), "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("equinox AvgPool batch", equinox_layer("AvgPool1d", 2, over=1), "x: b c 4 -> b c 3", "S(b) x S(c)", backend="jax"),
    jax_true("equinox Sequential", lambda: (lambda e: lambda x: __import__("jax").vmap(e)(x).max(0))(__import__("equinox").nn.MLP(3, 2, 8, 2, key=__import__("jax").random.key(0))), "x: n 3 -> 2", "S(n)", backend="jax"),
    jax_true("flax linen RMSNorm", flax_layer("RMSNorm", (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    jax_true("jraph segment variance", segment_variance, "x: n d, w[3]: n -> 3 d", "S(n) x S(d)", backend="jax"),
    jax_false("optax log_cosh rotated", optax_loss_2("log_cosh"), "x: n d, y: n d -> ()", "O(d)", backend="jax"),
    jax_false("jax neighbours numbered", lambda: lambda x: jax_threshold(x) * np.arange(x.shape[0]), "x: n d -> n", "S(n)", backend="jax"),
    jax_false("jax neighbours scaled", lambda: jax_threshold, "x: n d -> n", "Scale(d)", backend="jax"),
    jax_false("jraph segment variance rotated", segment_variance, "x: n d, w[3]: n -> 3 d", "O(d)", backend="jax"),
    jax_true("EGNN in JAX", lambda: jax_egnn, "x: n d, h: n 1 -> n d", "S(n) x E(d)", backend="jax"),
    jax_true("k-means step in JAX", lambda: jax_kmeans_step, "x: n d, c: k d -> k d", "S(n) x O(d)", backend="jax"),
    jax_true("GCN in JAX", lambda: jax_gcn, "x: n 4, s[n]: m, r[n]: m -> n 4", "S(n) x S(m)", backend="jax"),
    jax_true("forces by jax.grad", lambda: jax_force, "x: n d -> n d^", "S(n) x E(d)", backend="jax"),
    jax_true("Sinkhorn by scan", lambda: jax_sinkhorn, "c: n m -> ()", "S(n) x S(m)", backend="jax"),
    jax_false("EGNN in JAX of one body", lambda: lambda x, h: jax_egnn(x, h) * (1 + h), "x: n d, h: n 1 -> n d", "T(d)", backend="jax"),
    jax_false("k-means step, a centre moved", lambda: jax_kmeans_step, "x: n d, c: k d! -> k d", "O(d)", backend="jax"),
    jax_false("GCN in JAX, senders alone", lambda: jax_gcn, "x: n 4, s[n]: m, r[n]: m! -> n 4", "S(m)", backend="jax", sizes={"m": (3, 6)}),
    jax_false("forces of a chain", lambda: lambda x: jax_force(x)[:-1].sum(0), "x: n d -> d^", "S(n)", backend="jax", sizes={"n": (3, 5)}),
    jax_true("haiku MLP", haiku(lambda hk, x: hk.nets.MLP([8, 3])(x), (2, 4)), "x: n 4 -> n 3", "S(n)", backend="jax"),
    jax_true("haiku attention", haiku(lambda hk, x: hk.MultiHeadAttention(2, 4, w_init_scale=1.0)(x, x, x), (3, 8)), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("haiku LayerNorm", haiku(lambda hk, x: hk.LayerNorm(-1, True, True)(x), (3, 8)), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("haiku deep set", haiku(lambda hk, x: hk.Linear(2)(hk.Linear(8)(x).max(0)), (3, 4)), "x: n 4 -> 2", "S(n)", backend="jax"),
    jax_true("distrax normal", using("distrax:Normal", lambda f, x, m: f(m, 1.0).log_prob(x).sum(-1)), "x: n d, m: d -> n", "S(n) x E(d)", backend="jax"),
    jax_true("distrax categorical entropy", using("distrax:Categorical", lambda f, x: f(logits=x).entropy()), "x: n c -> n", "S(c)", backend="jax"),
    jax_true("numpyro dirichlet", using("numpyro.distributions:Dirichlet", lambda f, a, p: f(a).log_prob(p / p.sum())), "a: k, p: k -> ()", "S(k)", backend="jax", draw="positive"),
    jax_true("numpyro student", using("numpyro.distributions:StudentT", lambda f, x: f(3.0, 0.0, 1.0).log_prob(x).sum()), "x: n -> ()", "S(n)", backend="jax"),
    jax_true("tinygp exp squared", using("tinygp.kernels:ExpSquared", lambda f, X: f(1.5)(X, X)), GP, "S(n) x T(d)", backend="jax"),
    jax_true("tinygp matern isotropic", using("tinygp:kernels", lambda f, X: f.Matern32(1.5, distance=f.distance.L2Distance())(X, X)), GP, "S(n) x E(d)", backend="jax"),
    jax_true("ott geometry", using("ott.geometry.pointcloud:PointCloud", lambda f, X, Y: f(X, Y).cost_matrix), "X: n d, Y: m d -> n m", "E(d)", backend="jax"),
    jax_true("dm-pix gaussian", using("dm_pix:rgb_to_grayscale", lambda f, x: f(x)), "x: h w 3 -> h w 1", "S(h) x S(w)", backend="jax"),
    jax_true("dm-pix mse", named("dm_pix:mse"), "x: h w c, y: h w c -> ()", "S(h) x S(w) x S(c)", backend="jax"),
    jax_true("rlax huber", using("rlax:huber_loss", lambda f, x: f(x).sum()), "x: n -> ()", "S(n)", backend="jax"),
    jax_true("rlax entropy", using("rlax:entropy_loss", lambda f, x, w: f(x, w)), "x: n a, w: n -> ()", "S(n) x S(a)", backend="jax"),
    jax_true("e3nn-jax spherical harmonics norm", using("e3nn_jax:spherical_harmonics", lambda f, x: (f("2e", x, True).array ** 2).sum(-1)), "x: n 3 -> n", "S(n) x O(3)", backend="jax", sizes={"n": (1, 4)}),
    jax_false("haiku attention numbered", haiku(lambda hk, x: hk.MultiHeadAttention(2, 4, w_init_scale=1.0)(x, x, x) * hk.get_parameter("w", (1, 8), init=hk.initializers.RandomNormal()), (3, 8)), "x: n v -> n v", "S(v)", sizes={"v": 8}, backend="jax"),
    jax_false("haiku GRU over a set", haiku(lambda hk, x: hk.dynamic_unroll(hk.GRU(4), x, hk.GRU(4).initial_state(None))[1], (5, 3)), "x: n 3 -> 4", "S(n)", backend="jax", sizes={"n": 5}),
    jax_false("distrax laplace rotated", using("distrax:Laplace", lambda f, x: f(0.0, 1.0).log_prob(x).sum(-1)), "x: n d -> n", "O(d)", backend="jax"),
    jax_false("numpyro normal of places", using("numpyro.distributions:Normal", lambda f, x: f(0.0, np.arange(1.0, x.shape[0] + 1)).log_prob(x).sum()), "x: n -> ()", "S(n)", backend="jax"),
    jax_false("tinygp L1 rotated", using("tinygp.kernels:Exp", lambda f, X: f(1.5)(X, X)), GP, "O(d)", backend="jax"),
    jax_false("ott cost scaled", using("ott.geometry.pointcloud:PointCloud", lambda f, X, Y: f(X, Y).cost_matrix), "X: n d, Y: m d -> n m", "Scale(d)", backend="jax"),
    jax_false("dm-pix grayscale channels", using("dm_pix:rgb_to_grayscale", lambda f, x: f(x)), "x: h w 3 -> h w 1", "S(3)", backend="jax"),
    jax_false("rlax discounted returns", using("rlax:discounted_returns", lambda f, r: f(r, 0.9 + 0 * r, 0.0)), "r: n -> n", "S(n)", backend="jax", sizes={"n": (3, 6)}),
    jax_false("e3nn-jax harmonics as vectors", using("e3nn_jax:spherical_harmonics", lambda f, x: f("1o", x, True).array ** 2), "x: n 3 -> n 3", "O(3)", backend="jax", sizes={"n": (1, 4)}),
    jax_true("optax NT-Xent", named("optax:ntxent"), "z: n 4, y[3]: n -> ()", "S(n) x O(4)", backend="jax", sizes={"n": (6, 7)}),
    jax_true("optax simplex projection", named("optax.projections:projection_simplex"), "x: n -> n", "S(n)", backend="jax"),
    jax_true("optax l2 ball", named("optax.projections:projection_l2_ball"), "x: n -> n", "O(n)", backend="jax"),
    jax_true("jaxopt group lasso", using("jaxopt.prox:prox_group_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", "O(n)", backend="jax"),
    jax_true("jaxopt lasso", using("jaxopt.prox:prox_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", "Signs(n)", backend="jax"),
    jax_true("jaxlie exponential", using("jaxlie:SO3", lambda f, w: f.exp(w).as_matrix()), "w: 3 -> 3 3", "SO(3)", backend="jax"),
    jax_true("e3x harmonics norm", harmonics(2), "x: n 3 -> n", "S(n) x O(3)", backend="jax"),
    jax_true("jax-md soft spheres", energy("soft_sphere_pair"), POINTS, "S(n) x E(3)", backend="jax"),
    jax_true("jax-md Lennard-Jones", energy("lennard_jones_pair"), POINTS, "S(n) x E(3)", backend="jax", sizes={"n": (2, 5)}),
    jax_true("diffrax Euler field", euler(swirl), "x: n d -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("lineax solve", using("lineax:linear_solve", lambda f, A, b: f(__import__("lineax").MatrixLinearOperator(A), b).value), "A: n n, b: n -> n", "O(n)", backend="jax", sizes={"n": (2, 4)}),
    jax_false("optax simplex scaled", named("optax.projections:projection_simplex"), "x: n -> n", "Scale(n)", backend="jax"),
    jax_false("jaxopt lasso rotated", using("jaxopt.prox:prox_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", "O(n)", backend="jax"),
    jax_false("e3x harmonics cubed", harmonics(4), "x: n 3 -> n", "O(3)", backend="jax"),
    jax_false("jax-md soft spheres in a box", energy("soft_sphere_pair", box=True), POINTS, "O(3)", backend="jax"),
    jax_false("diffrax Euler by entries", euler(lambda y: -(y**3)), "x: n d -> n d", "O(d)", backend="jax"),
    jax_true("flax masked set", flax_set, "x: n 3, keep[bool]: n -> 2", "S(n)", backend="jax"),
    jax_true("equinox EGNN", equinox_egnn, "x: n d -> n d", "S(n) x E(d)", backend="jax"),
    jax_true("nnx block", nnx_mixer, "x: b n 4 -> b n 4", "S(b) x S(n)", backend="jax"),
    jax_true("leapfrog by scan", jax_leapfrog, "q: n d, p: n d^ -> n d", "S(n) x E(d)", backend="jax"),
    jax_true("GAT by segments", jax_gat, "h: n 3, s[n]: m, r[n]: m -> n 4", "S(n) x S(m)", backend="jax"),
    jax_true("GRU by scan", jax_gru, "x: b t 3 -> b 4", "S(b)", backend="jax", sizes={"t": (2, 4)}),
    jax_true("divergence by jacfwd", jax_hutchinson_divergence, "x: d -> ()", "O(d)", backend="jax"),
    jax_true("kernel ridge in JAX", jax_kernel_ridge, "X: n d, y: n, Z: m d -> m", "S(n) x S(m) x E(d)", backend="jax"),
    jax_true("Bessel basis of distances", jax_spherical_l1, "x: n 3 -> n", "S(n) x T(3)", backend="jax", single=True),
    jax_false("flax masked set, first entry", lambda: (lambda f: lambda x, m: f(x, m) + x[0, 0])(flax_set()), "x: n 3, keep[bool]: n -> 2", "S(n)", backend="jax"),
    jax_false("leapfrog in an outer field", lambda: (lambda f: lambda q, p: f(q + 0.01 * q**2, p))(jax_leapfrog()), "q: n d, p: n d^ -> n d", "O(d)", backend="jax"),
    jax_false("GAT, receivers exchanged", jax_gat, "h: n 3, s[n]: m, r[n]: m! -> n 4", "S(m)", backend="jax"),
    jax_false("Bessel basis of places", lambda: (lambda f: lambda x: f(x * (1.0 + np.arange(x.shape[0]))[:, None]))(jax_spherical_l1()), "x: n 3 -> n", "S(n)", backend="jax", single=True),
    jax_true("segment softmax", jax_segment_softmax, "x: n, i[3]: n -> n", "S(n)", backend="jax"),
    jax_true("scan RNN, batch", jax_rnn_scan, "x: t b 3 -> t b 2", "S(b)", backend="jax"),
    jax_true("EGNN dense", jax_egnn_dense, "h: n 3, x: n 3! -> n 3!", "S(n)", backend="jax", single=True, sizes={"n": (2, 5)}),
    jax_true("forces in a box", jax_force_2, "R: n d -> n d", "S(n)", backend="jax"),
    jax_true("forces in a box turned over", jax_force_2, "R: n d -> n d^", "Signs(d)", backend="jax"),
    jax_true("GP mean", jax_rbf_ard, "X: n d, y: n, Z: m d -> m", "E(d) x S(m)", backend="jax"),
    jax_true("GP mean of a set", jax_rbf_ard, "X: n d, y: n, Z: m d -> m", "S(n)", backend="jax"),
    jax_true("MDS stress", jax_mds_stress, "D: n n, X: n d -> ()", "E(d)", backend="jax", sizes={"n": (2, 5)}),
    jax_false("segment softmax of the first", lambda: (lambda f: lambda x, i: f(x, i) * x[0])(jax_segment_softmax()), "x: n, i[3]: n -> n", "S(n)", backend="jax"),
    jax_false("scan RNN, steps", jax_rnn_scan, "x: t b 3 -> t b 2", "S(t)", backend="jax"),
    jax_false("GP mean with one prior", lambda: (lambda f: lambda X, y, Z: f(X, y, Z) + Z[:, 0])(jax_rbf_ard()), "X: n d, y: n, Z: m d -> m", "O(d)", backend="jax"),
    jax_false("forces in a box rotated", jax_force_2, "R: n d -> n d", "O(d)", backend="jax", sizes={"d": 2}),
    jax_true("e3nn-jax product", e3nn_jax_tensor("2x1o", "1o"), "x: n 6, y: n 3 -> n 2", "S(n)", backend="jax"),
    jax_true("e3nn-jax norms", e3nn_jax_norm, "x: n 3 -> n 2", "S(n) x O(3)", backend="jax", single=True),
    jax_true("e3nn-jax messages", e3nn_jax_messages(), "pos: n 3, s[n]: m, r[n]: m -> n 3^", "S(n) x S(m) x E(3)", backend="jax", single=True),
    jax_true("flowjax normal", using("flowjax.distributions:StandardNormal", lambda f, x: f((3,)).log_prob(x)), "x: n 3 -> n", "S(n) x O(3)", backend="jax"),
    jax_true("equinox MLP of rows", equinox_net(lambda eqx, k: eqx.nn.MLP(3, 2, 8, 1, key=k)), "x: n 3 -> n 2", "S(n)", backend="jax", single=True),
    jax_true("equinox attention", equinox_net(lambda eqx, k: eqx.nn.MultiheadAttention(2, 8, key=k), lambda m, x: m(x, x, x)), "x: n 8 -> n 8", "S(n)", backend="jax", single=True),
    jax_true("optax cosine distance", named("optax:cosine_distance"), "x: n d, y: n d -> n", "S(n) x O(d)", backend="jax"),
    jax_true("optax focal loss", named("optax:sigmoid_focal_loss"), "x: n c, y: n c -> n c", "S(n) x S(c)", backend="jax"),
    jax_true("PNA by segments", jax_pna, "x: n c, s[n]: m, r[n]: m -> n k", "S(n) x S(m)", backend="jax"),
    jax_true("state space by scan, batch", jax_ssm(), "x: t b -> t b", "S(b)", backend="jax"),
    jax_true("Hamiltonian field", jax_hamiltonian, "q: n d, p: n d^ -> n d^, n d^", "S(n) x E(d)", backend="jax"),
    jax_true("trace of a Hessian", jax_hessian_trace, "x: d -> ()", "O(d)", backend="jax"),
    jax_true("attention pooling with a mask", jax_attention_pool, "x: n d, q: d, mask[bool]: n -> d", "S(n) x O(d)", backend="jax"),
    jax_true("kernel by vmap", jax_vmap_kernel, "X: n d, Y: m d -> n m", "S(n) x S(m) x E(d)", backend="jax"),
    jax_true("Sinkhorn by fori_loop", jax_sinkhorn_2, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)", backend="jax"),
    jax_false("e3nn-jax absolute messages", e3nn_jax_messages(wrong=True), "pos: n 3, s[n]: m, r[n]: m -> n 3^", "T(3)", backend="jax", single=True),
    jax_false("state space of a set", jax_ssm(), "x: t b -> t b", "S(t)", backend="jax"),
    jax_false("Hamiltonian field translated", wrong(jax_hamiltonian, lambda f, q, p: f(q, p + q)), "q: n d, p: n d^ -> n d^, n d^", "T(d)", backend="jax"),
    jax_false("PNA, senders for receivers", wrong(jax_pna, lambda f, x, s, r: f(x, s, r)[:, :2] * (1 + s[0])), "x: n c, s[n]: m, r[n]: m -> n 2", "S(m)", backend="jax"),
    jax_false("optax cosine distance translated", named("optax:cosine_distance"), "x: n d, y: n d -> n", "T(d)", backend="jax"),
    jax_true("SVGD in JAX", jax_svgd, "X: n d -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("segment maxima", jax_segment_max, "x: n, s[3]: n -> 3", "S(n)", backend="jax"),
    jax_true("boids in JAX", jax_boids, "x: n d, v: n d^ -> n d^", "S(n) x E(d)", backend="jax"),
    jax_true("flax attention pooling", flax_attention_pool, "x: b n 4 -> b 4", "S(b) x S(n)", backend="jax"),
    jax_false("SVGD translated", jax_svgd, "X: n d -> n d", "T(d)", backend="jax"),
    jax_false("segment maxima of kept segments", jax_segment_max, "x: n, s[3]: n! -> 3", "S(n)", backend="jax"),
    jax_false("boids, velocities turned alone", jax_boids, "x: n d!, v: n d -> n d", "O(d)", backend="jax"),
    jax_true("attention with distances", jx(ipa_jax), "x: n 4, p: n d -> n 4, n d", "S(n) x E(d)", backend="jax"),
    jax_false("jax-md periodic rotated", jx(jaxmd_periodic), "R: n d -> ()", "O(d)", backend="jax"),
    jax_true("HMC leapfrog", jx(hmc_leapfrog), "q: d, p: d -> d, d", "O(d)", backend="jax"),
    jax_true("graph attention", jx(jax_gn_softmax), "x: n d, s[n]: m, r[n]: m -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("Jastrow", jx(jax_jastrow), "X: n d -> ()", "S(n) x E(d)", backend="jax"),
    jax_false("RNN mean pool", jx(jax_lstm_set), "x: n d -> d", "S(n)", backend="jax"),
    jax_true("kNN distances", jx(jax_knn), "X: n d -> n", "S(n) x E(d)", sizes={"n": (3, 6)}, backend="jax"),
    jax_true("ott cost_matrix", held("ott.geometry.pointcloud as P", "lambda x, y: P.PointCloud(x, y).cost_matrix"),
             "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)"),
    jax_true("numpyro Normal", held("numpyro.distributions as D", "lambda x: D.Normal(0.0, 1.0).log_prob(x).sum()"),
             "x: n -> ()", "S(n)"),
    jax_true("numpyro MultivariateNormal", held("numpyro.distributions as D, jax.numpy as jnp", "lambda x: "
             "D.MultivariateNormal(jnp.zeros(3), jnp.eye(3)).log_prob(x)"), "x: n 3 -> n", "O(3)"),
    jax_false("numpyro StudentT", held("numpyro.distributions as D", "lambda x: D.StudentT(3.0, 0.0, 1.0)"
              ".log_prob(x).sum(-1)"), "x: n 3 -> n", "O(3)"),
    jax_true("jnp.corrcoef", lambda: correlations, "x: n d -> d d", "S(n) x S(d)", **J),
    jax_false("jnp.corrcoef turned", lambda: correlations, "x: n d -> d d", "O(d)", **J),
    jax_true("triu_indices", lambda: upper, ROWS, "S(n) x E(d)", **J),
    jax_true("diag_indices", lambda: zero_diagonal, ROWS, "S(n) x O(d)", **J),
    jax_true("diagonal set to -inf", lambda: zero_diagonal_range, "x: n d -> n d", "S(n) x O(d)", **J),
    jax_true("k nearest", lambda: nearest, ROWS, "S(n)", **J),
    jax_true("jnp.nanmedian", lambda: lambda x: jnp.nanmedian(x, axis=0), "x: n d -> d", "S(n) x S(d)", **J),
    jax_false("diag_indices moved", lambda: zero_diagonal, ROWS, "T(d)", **J),
    jax_true("optax cosine_distance", held("optax", "lambda x, y: optax.losses.cosine_distance(x, y)"), "x: n d, y: n d -> n", "S(n) x O(d)", **J),
    jax_true("optax poly loss", held("optax", "lambda x, y: optax.losses.poly_loss_cross_entropy(x, y)"), "x: n c, y: n c -> n", "S(n) x S(c)", **J),
    jax_true("optax kl of logarithms", held("optax", "lambda x, y: optax.losses.kl_divergence_with_log_targets(x, y)"), "x: n c, y: n c -> n", "S(n) x S(c)", **J),
    jax_true("optax projection_simplex", held("optax", "lambda x: optax.projections.projection_simplex(x)"), "x: n -> n", "S(n)", **J),
    jax_false("optax poly loss turned", held("optax", "lambda x, y: optax.losses.poly_loss_cross_entropy(x, y)"), "x: n c, y: n c -> n", "O(c)", **J),
    jax_true("attention with a bias", lambda: jax_attention_2, "q: n d, k: m d, v: m c, b: n m -> n c", "S(n) x S(m) x O(d) x S(c)", **J),
    jax_false("attention with a bias kept", lambda: jax_attention_2, "q: n d, k: m d, v: m c, b: n m! -> n c", "S(m)", **J),
    jax_true("energy", lambda: jax_energy, "x: n 3 -> ()", "S(n) x E(3)", **J),
    jax_true("forces by jax.grad", lambda: jax_forces, "x: n 3 -> n 3^", "S(n) x E(3)", **J),
    jax_false("forces by jax.grad kept", lambda: jax_forces, "x: n 3 -> n 3!", "O(3)", **J),
    jax_true("trace of a Hessian", lambda: jax_hessian_trace_2, VECTOR, "S(n)", **J),
    jax_true("scan, features", lambda: jax_scan, "x: n d -> n d", "S(d)", **J),
    jax_false("scan, time", lambda: jax_scan, "x: n d -> n d", "S(n)", **J),
    jax_true("two vmaps", lambda: jax_vmapped_2, "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("divergence", lambda: jax_divergence, "x: n 3 -> n", "S(n) x O(3)", **J),
    jax_true("segments", lambda: jax_segments, "h: n d, e[n]: m 2 -> n d", "S(n) x S(m)", **J),
    jax_false("segments, edges turned", lambda: jax_segments, "h: n d, e[n]: m v -> n d", "S(v)", sizes={"v": 2}, **J),
    jax_true("Newton-Schulz", lambda: jax_newton, "A: n n -> n n", "S(n)", **J),
    jax_true("jaxopt projection_simplex", held("jaxopt", "lambda x: jaxopt.projection.projection_simplex(x)"), "x: n -> n", "S(n)", **J),
    jax_true("jaxopt projection_l2_ball", held("jaxopt", "lambda x: jaxopt.projection.projection_l2_ball(x)"), "x: d -> d", "O(d)", **J),
    jax_true("jaxopt projection_l1_sphere", held("jaxopt", "lambda x: jaxopt.projection.projection_l1_sphere(x)"), "x: n -> n", "Signs(n)", **J),
    jax_true("jaxopt binary_logistic_loss", held("jaxopt, jax", "lambda y, x: jax.vmap(jaxopt.loss.binary_logistic_loss)(y, x).mean()"), "y: n, x: n -> ()", "S(n)", **J),
    jax_false("jaxopt projection_l2_ball moved", held("jaxopt", "lambda x: jaxopt.projection.projection_l2_ball(x)"), "x: d -> d", "T(d)", **J),
    jax_true("tfp ExponentiatedQuadratic", held("tensorflow_probability.substrates.jax as T", "lambda x, y: f.matrix(x, y)", "f = T.math.psd_kernels.ExponentiatedQuadratic()"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("tfp MaternThreeHalves", held("tensorflow_probability.substrates.jax as T", "lambda x, y: f.matrix(x, y)", "f = T.math.psd_kernels.MaternThreeHalves()"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)", **J),
    jax_true("tfp Normal", held("tensorflow_probability.substrates.jax as T", "lambda x: T.distributions.Normal(0.0, 1.0).log_prob(x).sum()"), VECTOR, "Signs(n)", **J),
    jax_true("tfp covariance", held("tensorflow_probability.substrates.jax as T", "lambda x: T.stats.covariance(x)"), "x: n d -> d d", "S(n) x O(d)", **J),
    jax_false("tfp Gumbel", held("tensorflow_probability.substrates.jax as T", "lambda x: T.distributions.Gumbel(0.0, 1.0).log_prob(x).sum()"), VECTOR, "Signs(n)", **J),
    jax_true("tfp Matern kernel", tfp("", "lambda x, y: k.matrix(x, y)", "k = tfp.math.psd_kernels.MaternFiveHalves()"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("tfp quadratic kernel", tfp("", "lambda x: k.matrix(x, x)", "k = tfp.math.psd_kernels.RationalQuadratic()"), "x: n d -> n n", "S(n) x E(d)", **J),
    jax_true("tfp Dirichlet", tfp("", "lambda a, x: tfp.distributions.Dirichlet(a).log_prob(x / x.sum(-1, keepdims=True))"), "a: c, x: n c -> n", "S(n) x S(c)", draw="positive", **J),
    jax_true("tfp multivariate normal", tfp("", "lambda x: tfp.distributions.MultivariateNormalDiag(jnp.zeros(x.shape[-1]), jnp.ones(x.shape[-1])).log_prob(x)"), "x: n d -> n", "S(n) x O(d)", **J),
    jax_true("tfp softmax bijector", tfp("", "lambda x: b.forward(x)", "b = tfp.bijectors.Softplus()"), "x: n c -> n c", "S(n) x S(c)", **J),
    jax_true("tfp log-sum", tfp("", "lambda x: tfp.math.reduce_logmeanexp(x, axis=0)"), "x: n c -> c", "S(n) x S(c)", **J),
    jax_false("tfp ordered", tfp("", "lambda x: b.forward(x)", "b = tfp.bijectors.Ascending()"), "x: n v -> n v", "S(v)", sizes={"v": 4}, **J),
    jax_false("tfp Matern kernel scaled", tfp("", "lambda x: k.matrix(x, x)", "k = tfp.math.psd_kernels.MaternOneHalf()"), "x: n d -> n n", "Scale(d)", **J),
    jax_true("nnx attention", nnx("nnx.MultiHeadAttention(num_heads=2, in_features=4, qkv_features=6, decode=False, rngs=r)"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes=STEPS, single=True),
    jax_true("nnx Sequential", nnx("nnx.Sequential(nnx.Linear(4, 8, rngs=r), nnx.gelu, nnx.LayerNorm(8, rngs=r), nnx.Linear(8, 3, rngs=r))"), "x: b n 4 -> b n 3", "S(b) x S(n)", single=True),
    jax_true("nnx RMSNorm", nnx("nnx.RMSNorm(4, rngs=r)"), "x: n 4 -> n 4", "S(n)", single=True),
    jax_false("nnx Conv", nnx("nnx.Conv(4, 3, kernel_size=(3,), rngs=r)"), "x: b n 4 -> b n 3", "S(n)", sizes={"n": (4, 5), "b": (1, 2)}, single=True),
    jax_true("jaxopt projection onto a simplex", held("jaxopt.projection as p", "lambda x: p.projection_simplex(x)"), "x: c -> c", "S(c)", **J),
    jax_true("jaxopt Huber loss", held("jaxopt.loss as l", "lambda x, y: l.huber_loss(x, y)"), "x: n d, y: n d -> n d", "S(n) x S(d)", **J),
    jax_true("jaxopt logistic loss", held("jaxopt.loss as l, jax", "lambda y, x: jax.vmap(l.multiclass_logistic_loss)(y, x)"), "y[4]: n, x: n 4 -> n", "S(n)", **J),
    jax_true("trace of the dynamical matrix", lambda: lambda x: dynamical_matrix(x)[0], CLOUD_2, "S(n) x E(3)", sizes={"n": (2, 3)}, **J),
    jax_true("norm of the dynamical matrix", lambda: lambda x: dynamical_matrix(x)[1], CLOUD_2, "S(n)", sizes={"n": (2, 3)}, **J),
    jax_true("bonds by a safe root", lambda: jax_bonds, CLOUD_2, "S(n) x E(3)", **J),
    jax_true("relaxation by fori_loop", lambda: jax_relax, "x: n d -> n d", "S(n) x E(d)", **J),
    jax_true("mixture by vmap", lambda: jax_mixture, "c: k d, x: n d -> ()", "S(k) x S(n) x S(d)", **J),
    jax_true("transformer of a dictionary", lambda: JaxTransformer(), "x: n 4 -> n 4", "S(n)", **J),
    jax_true("SimCLR denominator in JAX", lambda: jax_simclr, "z: n d -> ()", "S(n) x O(d)", **J),
    jax_true("lax.cond on the mean", lambda: jax_cond, "x: n -> n", "S(n)", **J),
    jax_true("attention by while_loop", lambda: jax_steps, "x: n d -> n d", "S(n) x O(d)", **J),
    jax_true("Laplacian by jvp", lambda: jax_laplacian, "x: n d -> ()", "S(n) x O(d)", sizes={"n": (2, 3), "d": (2, 3)}, **J),
    jax_true("optimistix norm", packed("optimistix as O", "lambda x: O.rms_norm(x)"), VECTOR_2, "S(n)", **J),
    jax_true("e3x cutoff of distances", packed("e3x, jax.numpy as jnp", "lambda x: e3x.nn.smooth_cutoff(jnp.sum((x[:, None] - x[None]) ** 2, -1), cutoff=2.0)"), "x: n 3 -> n n", "S(n) x E(3)", **J),
    jax_true("dynamax symmetrised solve", packed("dynamax.utils.utils as D, jax.numpy as jnp", "lambda x, y: D.psd_solve(x @ x.T + jnp.eye(x.shape[0]), y)"), "x: n d, y: n k -> n k", "S(n) x O(d) x O(k)", **J),
    jax_true("chex checks", packed("chex, jax.numpy as jnp", "lambda x, y: (chex.assert_rank([x, y], 2), chex.assert_equal_shape([x, y]), jnp.sum(x * y))[2]"), "x: n d, y: n d -> ()", "S(n) x O(d)", **J),
    jax_true("ott Gaussian cost", packed("ott.geometry.costs as C, jax", "lambda x, y: jax.vmap(lambda a: jax.vmap(lambda b: C.SqEuclidean()(a, b))(y))(x)"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("numpyro Dirichlet multinomial", packed("numpyro.distributions as D", "lambda x: D.LogNormal(0.0, 1.0).log_prob(x).sum()"), VECTOR_2, "S(n)", draw="positive", **J),
    jax_false("bonds scaled", lambda: jax_bonds, CLOUD_2, "Scale(3)", **J),
    jax_false("mixture turned, one side", lambda: jax_mixture, "c: k d, x: n d! -> ()", "O(d)", **J),
    jax_false("transformer of features", lambda: JaxTransformer(), "x: n v -> n v", "S(v)", sizes={"v": 4}, **J),
    jax_false("SimCLR denominator moved", lambda: jax_simclr, "z: n d -> ()", "T(d)", **J),
    jax_false("lax.cond negated", lambda: jax_cond, "x: n -> n", "Signs(n)", **J),
]  # fmt: skip
