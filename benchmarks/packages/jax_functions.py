"""JAX, equinox, flax and jraph: layers, losses and physics."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.packages.claims import built, false, held, layer, of_jax, one, true, using
from benchmarks.packages.libraries import eqx, jraph, linen, optax

KEY = jax.random.PRNGKey(0)

@built
def attention():
    layer = eqx.nn.MultiheadAttention(2, 8, key=KEY)
    return lambda x: layer(x, x, x)

def graph(x, e, update_node):
    n = x.shape[0]
    return jraph.GraphNetwork(update_edge_fn=lambda e, s, r, g: s * r, update_node_fn=update_node)(
        jraph.GraphsTuple(x, None, e[1], e[0], None, jnp.array([n]), jnp.array([e.shape[1]]))
    ).nodes

def jax_pairwise(x):
    d = x[:, None] - x[None]
    return jnp.sqrt(jnp.sum(d**2, -1) + 1e-8)

def jax_gram(x):
    g = x @ x.T
    i, j = jnp.triu_indices(4, 1)
    return jnp.sum(jnp.abs(g[i, j]))

def jax_threshold(x):
    d2 = jnp.sum((x[:, None] - x[None]) ** 2, -1)
    near = jnp.where((d2 < 1.0) & ~jnp.eye(x.shape[0], dtype=bool), jnp.exp(-d2), 0.0)
    return jax.lax.stop_gradient(near).sum(1)

def jax_scan_mean(x):
    total, _ = jax.lax.scan(lambda c, r: (c + r, None), x[0] * 0, x)
    return total / x.shape[0]

def jax_egnn(x, h):
    diff = x[:, None] - x[None, :]
    d2 = jnp.sum(diff**2, -1, keepdims=True)
    m = jax.nn.silu(d2 * 0.3 + (h @ h.T)[..., None] * 0.1)
    return x + jnp.mean(diff * m, axis=1)

def jax_kmeans_step(x, c):
    d = jnp.linalg.norm(x[:, None] - c[None], axis=-1)
    a = jnp.argmin(d, axis=1)
    hot = (a[:, None] == jnp.arange(c.shape[0])).astype(x.dtype)
    return hot.T @ x / jnp.maximum(hot.sum(0)[:, None], 1.0)

def jax_gcn(x, senders, receivers):
    n = x.shape[0]
    deg = jax.ops.segment_sum(jnp.ones_like(senders, dtype=x.dtype), receivers, n)
    m = x[senders] / jnp.sqrt(1.0 + deg)[senders][:, None]
    return jax.ops.segment_sum(m, receivers, n) / jnp.sqrt(1.0 + deg)[:, None]

def jax_force(x):
    def energy(x):
        d = x[:, None] - x[None]
        r2 = jnp.sum(d**2, -1) + jnp.eye(x.shape[0])
        return jnp.sum(jnp.triu(1 / r2**3, 1))
    return -jax.grad(energy)(x)

def jax_sinkhorn(c):
    def step(carry, _):
        f, g = carry
        f = -jax.nn.logsumexp(g[None] - c, axis=1)
        g = -jax.nn.logsumexp(f[:, None] - c, axis=0)
        return (f, g), None
    (f, g), _ = jax.lax.scan(step, (jnp.zeros(c.shape[0]), jnp.zeros(c.shape[1])), None, length=5)
    return jnp.sum(jnp.exp(f[:, None] + g[None] - c) * c)

def haiku(call, *shapes):
    """A function with Haiku's modules inside, transformed and given its weights."""
    def build():
        import haiku as hk
        net = hk.without_apply_rng(hk.transform(lambda *x: call(hk, *x)))
        return functools.partial(net.apply, net.init(KEY, *map(jnp.zeros, shapes)))
    return built(build)

def energy(name, box=None):
    """A pair energy of JAX MD in free space, or in a periodic box."""
    def build():
        from jax_md import energy, space
        displacement, _ = space.periodic(box) if box else space.free()
        return getattr(energy, name)(displacement, sigma=1.0, epsilon=1.0)
    return built(build)

def euler(field):
    """Four steps of Euler's method."""
    def call(diffrax, x):
        term = diffrax.ODETerm(lambda t, y, _: field(y))
        return diffrax.diffeqsolve(term, diffrax.Euler(), 0.0, 1.0, 0.25, x, adjoint=diffrax.DirectAdjoint()).ys[-1]
    return using("diffrax", call)

def swirl(y):
    return -y / (1 + (y**2).sum(-1, keepdims=True))

@built
def flax_set():
    class Net(linen.Module):
        @linen.compact
        def __call__(self, x, mask):
            h = linen.gelu(linen.Dense(8)(x))
            h = jnp.where(mask[:, None], h, 0.0)
            pooled = h.sum(0) / jnp.maximum(mask.sum(), 1)
            return linen.Dense(2)(linen.LayerNorm()(pooled))
    net = Net()
    return functools.partial(net.apply, net.init(KEY, jnp.zeros((4, 3)), jnp.ones(4, bool)))

@built
def equinox_egnn():
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

@built
def nnx_mixer():
    from flax import nnx
    class Block(nnx.Module):
        def __init__(self, rngs):
            self.norm, self.a, self.b = nnx.LayerNorm(4, rngs=rngs), nnx.Linear(4, 8, rngs=rngs), nnx.Linear(8, 4, rngs=rngs)
        def __call__(self, x):
            return x + self.b(nnx.silu(self.a(self.norm(x))))
    return Block(nnx.Rngs(0))

def jax_leapfrog(q, p):
    def energy(q):
        d = q[:, None] - q[None]
        return 0.5 * jnp.sum(jnp.exp(-jnp.sum(d**2, -1)))
    def step(state, _):
        q, p = state
        p = p - 0.05 * jax.grad(energy)(q)
        q = q + 0.1 * p
        p = p - 0.05 * jax.grad(energy)(q)
        return (q, p), None
    return jax.lax.scan(step, (q, p), None, length=3)[0][0]

@built
def jax_gat():
    W = jax.random.normal(KEY, (3, 4))
    a = jax.random.normal(jax.random.PRNGKey(1), (8,))
    def layer(h, senders, receivers):
        n = h.shape[0]
        z = h @ W
        e = jax.nn.leaky_relu(jnp.concatenate([z[senders], z[receivers]], -1) @ a, 0.2)
        w = jnp.exp(e - jax.ops.segment_max(e, receivers, n)[receivers])
        s = jax.ops.segment_sum(w, receivers, n)
        return jax.ops.segment_sum(z[senders] * (w / s[receivers])[:, None], receivers, n)
    return layer

@built
def jax_gru():
    cell = eqx.nn.GRUCell(3, 4, key=KEY)
    return lambda xs: jax.vmap(lambda x: jax.lax.scan(lambda h, v: (cell(v, h), None), jnp.zeros(4), x)[0])(xs)

def jax_kernel_ridge(X, y, Z):
    k = lambda A, B: jnp.exp(-0.5 * jnp.sum((A[:, None] - B[None]) ** 2, -1))
    return k(Z, X) @ jnp.linalg.solve(k(X, X) + 0.1 * jnp.eye(len(X)), y)

def jax_spherical_l1(x):
    w = jnp.array([0.3, -1.2, 0.7])
    d = x[:, None] - x[None]
    r = jnp.linalg.norm(d + jnp.eye(len(x))[..., None], axis=-1)
    bessel = jnp.stack([jnp.sin(k * jnp.pi * r / 5) / r for k in (1, 2, 3)], -1)
    return r @ bessel.sum(1) @ w

def jax_segment_softmax(logits, seg, n=3):
    m = jax.ops.segment_max(logits, seg, num_segments=n)
    e = jnp.exp(logits - m[seg])
    return e / jax.ops.segment_sum(e, seg, num_segments=n)[seg]

def jax_rnn_scan(x):  # time batch 3
    W = jnp.array([[0.5, -0.25], [0.125, 0.75]])
    U = jnp.array([[1.0, 0.5, -1.0], [0.25, 0.0, 2.0]])
    def step(h, xt):
        h = jnp.tanh(h @ W.T + xt @ U.T)
        return h, h
    return jax.lax.scan(step, jnp.zeros((x.shape[1], 2)), x)[1]

@built
def jax_egnn_dense():
    k1, k2, _ = jax.random.split(KEY, 3)
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

def jax_force_in_a_box(R):
    def energy(R, L=4.0):
        dR = R[:, None] - R[None]
        dR = dR - L * jnp.round(dR / L)
        r2 = jnp.sum(dR**2, -1)
        return 0.5 * jnp.sum((1 - jnp.eye(R.shape[0])) * jnp.exp(-r2))
    return -jax.grad(energy)(R)

def jax_rbf_ard(X, y, Xs, log_scale=0.0):
    def k(x, y):
        return jnp.exp(-0.5 * jnp.sum((x - y) ** 2) / jnp.exp(2 * log_scale))
    gram = jax.vmap(jax.vmap(k, (None, 0)), (0, None))
    L = jnp.linalg.cholesky(gram(X, X) + 0.1 * jnp.eye(X.shape[0]))
    return gram(Xs, X) @ jax.scipy.linalg.cho_solve((L, True), y)

def jax_mds_stress(D, X):
    i, j = jnp.triu_indices(X.shape[0], k=1)
    d = jnp.sqrt(jnp.sum((X[i] - X[j]) ** 2, axis=1) + 1e-12)
    return jnp.sum((D[i, j] - d) ** 2) / jnp.sum(d**2)

def e3nn_messages(e3nn, v, receivers, n):
    w = jnp.exp(-jnp.sum(v**2, axis=-1, keepdims=True))
    return e3nn.scatter_sum(e3nn.spherical_harmonics("1o", v, True) * w, dst=receivers, output_size=n).array

def jax_pna(x, senders, receivers):
    n = x.shape[0]
    m = x[senders]
    s = jax.ops.segment_sum(m, receivers, n)
    deg = jax.ops.segment_sum(jnp.ones(m.shape[0]), receivers, n)[:, None]
    mean = s / jnp.maximum(deg, 1)
    std = jnp.sqrt(jnp.maximum(jax.ops.segment_sum(m**2, receivers, n) / jnp.maximum(deg, 1) - mean**2, 0) + 1e-5)
    return jnp.concatenate([mean, std], -1) * jnp.log1p(deg)

def jax_ssm(x):
    A = jnp.array([[0.5, 0.1], [-0.2, 0.7]])
    def step(h, u):
        h = h @ A.T + u[:, None]
        return h, h.sum(-1)
    return jax.lax.scan(step, jnp.zeros((x.shape[1], 2)), x)[1]

def jax_hamiltonian(q, p):
    def H(q, p):
        d = q[:, None] - q[None]
        return 0.5 * jnp.sum(p**2) + jnp.sum(jnp.exp(-jnp.sum(d**2, -1)))
    return jax.grad(H, 1)(q, p), -jax.grad(H, 0)(q, p)

def jax_attention_pool(x, q, mask):
    logits = jnp.where(mask, x @ q, -1e9)
    return jax.nn.softmax(logits) @ x

def jax_vmap_kernel(X, Y):
    k = lambda x, y: jnp.exp(-0.5 * jnp.sum((x - y) ** 2))
    return jax.vmap(lambda x: jax.vmap(lambda y: k(x, y))(Y))(X)

def jax_sinkhorn_of_points(X, Y):
    C = jnp.sum((X[:, None] - Y[None]) ** 2, -1)
    def body(_, fg):
        f, g = fg
        f = -jax.nn.logsumexp(g[None] - C, axis=1)
        return f, -jax.nn.logsumexp(f[:, None] - C, axis=0)
    f, g = jax.lax.fori_loop(0, 4, body, (jnp.zeros(X.shape[0]), jnp.zeros(Y.shape[0])))
    return jnp.sum(jnp.exp(f[:, None] + g[None] - C) * C)

def jax_svgd(X):
    score = jax.vmap(jax.grad(lambda x: -0.5 * jnp.sum(x**2)))(X)
    k = lambda x, y: jnp.exp(-jnp.sum((x - y) ** 2))
    K = jax.vmap(lambda x: jax.vmap(lambda y: k(x, y))(X))(X)
    dK = jax.vmap(lambda x: jax.vmap(lambda y: jax.grad(k)(y, x))(X))(X)
    return (K @ score + dK.sum(1)) / X.shape[0]

def jax_segment_max(x, s):
    top = jax.ops.segment_max(x, s, num_segments=3)
    return jnp.where(jnp.isfinite(top), top, 0.0)

def jax_boids(x, v):
    d = x[None] - x[:, None]
    r2 = jnp.sum(d**2, -1, keepdims=True)
    near = (r2 < 1.0) & (r2 > 0)
    count = jnp.maximum(near.sum(1), 1)
    align = jnp.where(near, v[None], 0).sum(1) / count - v
    cohere = jnp.where(near, d, 0).sum(1) / count
    return v + 0.1 * align + 0.05 * cohere

@built
def flax_attention_pool():
    class Pool(linen.Module):
        @linen.compact
        def __call__(self, x):
            s = linen.Dense(1)(jnp.tanh(linen.Dense(8)(x)))
            return (jax.nn.softmax(s, axis=-2) * x).sum(-2)
    model = Pool()
    return functools.partial(model.apply, model.init(KEY, jnp.ones((2, 4))))

def ipa_jax(x, pts):
    d2 = ((pts[:, None] - pts[None]) ** 2).sum(-1)
    a = jax.nn.softmax(x @ x.T / 2.0 - 0.5 * d2, axis=-1)
    return a @ x, a @ pts

def jaxmd_periodic(R, side=3.0):
    dR = R[:, None] - R[None]
    dR = jnp.mod(dR + side * 0.5, side) - 0.5 * side
    r2 = jnp.sum(dR**2, -1)
    return 0.5 * jnp.sum(jnp.where(jnp.eye(R.shape[0], dtype=bool), 0.0, jnp.exp(-r2)))

def hmc_leapfrog(q, p):
    logp = lambda q: -0.5 * jnp.sum(q**2) - jnp.sum(q**2) ** 2
    g = jax.grad(logp)
    p = p + 0.05 * g(q)
    q = q + 0.1 * p
    p = p + 0.05 * g(q)
    return q, p

def jax_gn_softmax(nodes, senders, receivers):
    n = nodes.shape[0]
    e = jnp.sum(nodes[senders] * nodes[receivers], -1)
    mx = jax.ops.segment_max(e, receivers, n)
    w = jnp.exp(e - mx[receivers])
    z = jax.ops.segment_sum(w, receivers, n)
    return jax.ops.segment_sum((w / z[receivers])[:, None] * nodes[senders], receivers, n)

def jax_jastrow(X):
    i, j = jnp.triu_indices(X.shape[0], 1)
    r = jnp.linalg.norm(X[i] - X[j], axis=-1)
    return jnp.sum(r / (1 + r))

def jax_lstm_set(x):
    def step(h, xt):
        h = jnp.tanh(0.5 * h + xt)
        return h, h
    _, hs = jax.lax.scan(step, jnp.zeros(x.shape[1]), x)
    return hs.mean(0)

def jax_knn(X):
    d = jnp.sum((X[:, None] - X[None]) ** 2, -1) + 1e6 * jnp.eye(X.shape[0])
    v, _ = jax.lax.top_k(-d, 2)
    return -v.mean(-1)

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

def jax_biased_attention(q, k, v, bias):
    s = jnp.einsum("id,jd->ij", q, k) / jnp.sqrt(q.shape[-1]) + bias
    return jax.nn.softmax(s, axis=-1) @ v

def jax_energy(x):
    r = x[:, None] - x[None]
    d2 = jnp.sum(r**2, -1)
    off = ~jnp.eye(len(x), dtype=bool)
    safe = jnp.where(off, d2, 1.0)
    return jnp.sum(jnp.where(off, safe**-6 - safe**-3, 0.0)) / 2

def jax_scan(x):
    def step(c, row):
        c = 0.9 * c + row
        return c, c
    return jax.lax.scan(step, jnp.zeros(x.shape[1], x.dtype), x)[1]

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

def tfp(function, before="pass"):
    return held("tensorflow_probability.substrates.jax as tfp, jax, jax.numpy as jnp", function, before)

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

@safe_sqrt.defjvp
def safe_sqrt_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    y = safe_sqrt(x)
    return y, jnp.where(y > 0, t / (2 * jnp.where(y > 0, y, 1.0)), 0.0)

def jax_bonds(x):
    d = safe_sqrt(jnp.sum((x[:, None] - x[None]) ** 2, -1))
    return jnp.sum(jnp.where(d < 2.0, (d - 1.0) ** 2, 1.0))

@functools.partial(jax.jit, static_argnames=("steps", "dt"))
def jax_relax(x, steps=3, dt=0.05):
    def energy(y):
        d2 = jnp.sum((y[:, None] - y[None]) ** 2, -1)
        return jnp.sum(jnp.exp(-d2))
    return jax.lax.fori_loop(0, steps, lambda _, y: y - dt * jax.grad(energy)(y), x)

def jax_mixture(params, x):
    logits = jax.vmap(lambda m, s: jax.scipy.stats.norm.logpdf(x, m, jnp.exp(s)).sum(-1))(params, jnp.zeros_like(params))
    return jax.scipy.special.logsumexp(logits - jnp.log(params.shape[0]), axis=0).sum()

class JaxTransformer:  # weights in a dictionary, no library
    def __init__(self, dim=4, heads=2):
        keys = jax.random.split(KEY, 4)
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

def flax_layer(name, *shapes, call=None, **options):
    """A layer of flax, with weights for inputs of some shapes."""
    def build():
        made = getattr(linen, name)(**options)
        f = functools.partial(made.apply, made.init(KEY, *map(jnp.zeros, shapes)))
        return f if call is None else lambda *arrays: call(f, *arrays)
    return built(build)

def equinox_layer(name, *arguments, over=0, **options):
    """A layer of equinox, mapped over some axes."""
    def build():
        made = getattr(eqx.nn, name)(*arguments, **options)
        for _ in range(over):
            made = jax.vmap(made)
        return made
    return built(build)

CLAIMS = [
    of_jax(built(lambda: jax.vmap(eqx.nn.Linear(4, 3, key=KEY))), "x: n 4 -> n 3", true("equinox Linear", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.MLP(4, 3, 8, 1, key=KEY))), "x: n 4 -> n 3", true("equinox MLP", "S(n)"), backend=None),
    of_jax(attention, "x: n 8 -> n 8", true("equinox MultiheadAttention", "S(n)"), true("equinox attention", "S(n)", single=True)),
    of_jax(built(lambda: jax.vmap(eqx.nn.LayerNorm(4))), "x: n 4 -> n 4", true("equinox LayerNorm", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.RMSNorm(4))), "x: n 4 -> n 4", true("equinox RMSNorm", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.GroupNorm(2, 4))), "x: n 4 3 -> n 4 3", true("equinox GroupNorm batch", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.Conv1d(3, 4, 3, key=KEY))), "x: n 3 6 -> n 4 4", true("equinox Conv1d batch", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.GRUCell(3, 4, key=KEY))), "x: n 3, h: n 4 -> n 4", true("equinox GRUCell batch", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.Embedding(7, 4, key=KEY))), "i[7]: n -> n 4", true("equinox Embedding", "S(n)"), backend=None),
    of_jax(flax_layer("Dense", (2, 4), features=3), "x: n 4 -> n 3", true("flax Dense", "S(n)"), true("flax linen Dense", "S(n)")),
    of_jax(flax_layer("LayerNorm", (2, 4)), "x: n 4 -> n 4", true("flax LayerNorm", "S(n)"), false("flax LayerNorm rotations", "O(4)"), true("flax linen LayerNorm", "S(n)")),
    of_jax(flax_layer("MultiHeadDotProductAttention", (3, 8), (3, 8), num_heads=2), "x: m 8, y: n 8 -> m 8", true("flax SelfAttention", "S(n)")),
    of_jax(flax_layer("BatchNorm", (2, 4), use_running_average=True), "x: n 4 -> n 4", true("flax BatchNorm", "S(n)")),
    of_jax(flax_layer("Conv", (2, 6, 3), features=4, kernel_size=(3,)), "x: n 6 3 -> n 6 4", true("flax Conv batch", "S(n)")),
    of_jax(flax_layer("Conv", (2, 6, 3), features=4, kernel_size=(3,), padding="CIRCULAR", call=one), "x: n 3 -> n 4", true("flax Conv circular", "C(n)"), n=(3, 8)),
    of_jax(jax.nn.softmax, "x: n -> n", true("jax softmax", "S(n)")),
    of_jax(jax.nn.logsumexp, "x: n -> ()", true("jax logsumexp", "S(n)")),
    of_jax(lambda q, k, v: jax.nn.dot_product_attention(q[None, :, None], k[None, :, None], v[None, :, None])[0, :, 0], "q: m 4, k: n 4, v: n 4 -> m 4", true("jax dot_product_attention", "S(n)"), single=True, backend=None),
    of_jax(lambda x, e: jraph.segment_sum(x[e[0]], e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n 4", true("jraph segment_sum", "S(n)"), backend=None),
    of_jax(lambda x, i: jraph.segment_softmax(x, i, 4), "x: n, i[4]: n -> n", true("jraph segment_softmax", "S(n)"), backend=None),
    of_jax(lambda x, e: graph(x, e, lambda nodes, sent, received, g: nodes + received), "x: n 4, e[n]: 2 m -> n 4", true("jraph GraphNetwork", "S(n)"), backend=None),
    of_jax(lambda x, e: jraph.segment_mean(x[e[0]], e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n 4", true("jraph segment_mean", "S(n)"), backend=None),
    of_jax(built(lambda: jax.vmap(eqx.nn.Linear(4, 4, key=KEY))), "x: n 4 -> n 4", false("equinox Linear rotations", "O(4)"), backend=None),
    of_jax(layer(attention, call=lambda f, x: f(x + jnp.arange(x.shape[0])[:, None])), "x: n 8 -> n 8", false("equinox positions", "S(n)")),
    of_jax(built(lambda: eqx.nn.Conv1d(3, 4, 3, padding=1, key=KEY)), "x: 3 n -> 4 n", false("equinox Conv1d time", "C(n)"), n=(3, 8), backend=None),
    of_jax(flax_layer("Conv", (2, 6, 3), features=4, kernel_size=(3,), call=one), "x: n 3 -> n 4", false("flax Conv zero padding", "C(n)"), n=(3, 8)),
    of_jax(lambda x, e: jraph.segment_sum(jnp.arange(1.0, e.shape[1] + 1), e[1], x.shape[0]), "x: n 4, e[n]: 2 m -> n", false("jraph numbered edges", "S(m)"), backend=None),
    of_jax(lambda x: jnp.cumsum(jax.nn.softmax(x)), "x: n -> n", false("jax cumulative softmax", "S(n)")),
    of_jax(jax_pairwise, "x: n d -> n n", true("jax pairwise", "S(n) x E(d)")),
    of_jax(lambda x: jax.nn.softmax(x @ x.T, axis=-1) @ x, "x: n d -> n d", true("jax attention", "S(n) x O(d)"), false("jax attention translated", "E(d)")),
    of_jax(lambda x: (x - jnp.mean(x, -1, keepdims=True)) / jnp.sqrt(jnp.var(x, -1, keepdims=True) + 1e-5), "x: n d -> n d", true("jax layer norm", "S(n) x S(d)")),
    of_jax(lambda x, y: optax.l2_loss(x, y).mean(), "x: n, y: n -> ()", true("optax l2", "S(n)")),
    of_jax(lambda x, y: optax.huber_loss(x, y).mean(), "x: n, y: n -> ()", true("optax huber", "S(n)")),
    of_jax(lambda x, y: optax.cosine_distance(x, y).mean(), "x: n d, y: n d -> ()", true("optax cosine", "O(d)"), true("optax cosine_distance", "S(n) x O(d)")),
    of_jax(lambda x, y: optax.sigmoid_binary_cross_entropy(x, y).mean(), "x: n, y: n -> ()", true("optax sigmoid", "S(n)"), true("optax sigmoid cross entropy", "S(n)")),
    of_jax(lambda x, y: optax.softmax_cross_entropy(x, y).mean(), "x: n c, y: n c -> ()", true("optax softmax", "S(n) x S(c)"), false("optax softmax one side", "O(c)"), true("optax softmax cross entropy", "S(n) x S(c)")),
    of_jax(lambda x: jnp.tril(x @ x.T) @ x, "x: n d -> n d", false("jax causal", "S(n)")),
    of_jax(flax_layer("MultiHeadDotProductAttention", (3, 8), num_heads=2), "x: n 8 -> n 8", true("flax linen attention", "S(n)")),
    of_jax(flax_layer("GroupNorm", (2, 3, 4), num_groups=2), "x: b n 4 -> b n 4", true("flax linen GroupNorm", "S(n)")),
    of_jax(equinox_layer("PReLU"), "x: n d -> n d", true("equinox PReLU", "S(n) x S(d)")),
    of_jax(equinox_layer("AdaptiveAvgPool1d", 1), "x: c n -> c 1", true("equinox AdaptiveAvgPool", "S(n) x S(c)")),
    of_jax(jax.nn.glu, "x: n 4 -> n 2", true("jax glu", "S(n)")),
    of_jax(jax.nn.standardize, "x: n d -> n d", true("jax standardize", "S(n) x S(d)"), false("jax standardize rotated", "O(d)")),
    of_jax(jax.nn.log_softmax, "x: n c -> n c", true("jax log_softmax", "S(c)")),
    of_jax(flax_layer("MultiHeadDotProductAttention", (3, 8), num_heads=2, call=lambda f, x: f(x) + x[:1]), "x: n 8 -> n 8", false("flax linen attention numbered", "S(n)")),
    of_jax(jax.nn.glu, "x: n v -> n 2", false("jax glu swapped", "S(v)"), v=4),
    of_jax(lambda x, y: optax.log_cosh(x, y).mean(), "x: n, y: n -> ()", true("optax log_cosh", "S(n)")),
    of_jax(jax_gram, "x: 4 d -> ()", true("jax gram pairs", "S(4) x O(d)")),
    of_jax(jax_threshold, "x: n d -> n", true("jax neighbours below 1", "S(n) x E(d)"), false("jax neighbours scaled", "Scale(d)")),
    of_jax(jax_scan_mean, "x: n d -> d", true("jax scan mean", "S(n) x E(d)")),
    of_jax(lambda x, y: jax.vmap(jax.vmap(lambda a, b: ((a - b) ** 2).sum(), (None, 0)), (0, None))(x, y), "x: n d, y: m d -> n m", true("jax vmapped distances", "E(d)")),
    of_jax(jax.nn.squareplus, "x: n d -> n d", true("jax squareplus", "S(n) x S(d)")),
    of_jax(equinox_layer("AvgPool1d", 2, over=1), "x: b c 4 -> b c 3", true("equinox AvgPool batch", "S(b) x S(c)")),
    of_jax(layer(lambda: jax.vmap(eqx.nn.MLP(3, 2, 8, 2, key=KEY)), call=lambda f, x: f(x).max(0)), "x: n 3 -> 2", true("equinox Sequential", "S(n)")),
    of_jax(flax_layer("RMSNorm", (2, 4)), "x: n 4 -> n 4", true("flax linen RMSNorm", "S(n)")),
    of_jax(lambda x, w: jraph.segment_variance(x, w, 3), "x: n d, w[3]: n -> 3 d", true("jraph segment variance", "S(n) x S(d)"), false("jraph segment variance rotated", "O(d)")),
    of_jax(lambda x, y: optax.log_cosh(x, y).mean(), "x: n d, y: n d -> ()", false("optax log_cosh rotated", "O(d)")),
    of_jax(lambda x: jax_threshold(x) * np.arange(x.shape[0]), "x: n d -> n", false("jax neighbours numbered", "S(n)")),
    of_jax(jax_egnn, "x: n d, h: n 1 -> n d", true("EGNN in JAX", "S(n) x E(d)")),
    of_jax(jax_kmeans_step, "x: n d, c: k d -> k d", true("k-means step in JAX", "S(n) x O(d)")),
    of_jax(jax_gcn, "x: n 4, s[n]: m, r[n]: m -> n 4", true("GCN in JAX", "S(n) x S(m)")),
    of_jax(jax_force, "x: n d -> n d^", true("forces by jax.grad", "S(n) x E(d)")),
    of_jax(jax_sinkhorn, "c: n m -> ()", true("Sinkhorn by scan", "S(n) x S(m)")),
    of_jax(lambda x, h: jax_egnn(x, h) * (1 + h), "x: n d, h: n 1 -> n d", false("EGNN in JAX of one body", "T(d)")),
    of_jax(jax_kmeans_step, "x: n d, c: k d! -> k d", false("k-means step, a centre moved", "O(d)")),
    of_jax(jax_gcn, "x: n 4, s[n]: m, r[n]: m! -> n 4", false("GCN in JAX, senders alone", "S(m)"), m=(3, 6)),
    of_jax(lambda x: jax_force(x)[:-1].sum(0), "x: n d -> d^", false("forces of a chain", "S(n)"), n=(3, 5)),
    of_jax(haiku(lambda hk, x: hk.nets.MLP([8, 3])(x), (2, 4)), "x: n 4 -> n 3", true("haiku MLP", "S(n)")),
    of_jax(haiku(lambda hk, x: hk.MultiHeadAttention(2, 4, w_init_scale=1.0)(x, x, x), (3, 8)), "x: n 8 -> n 8", true("haiku attention", "S(n)")),
    of_jax(haiku(lambda hk, x: hk.LayerNorm(-1, True, True)(x), (3, 8)), "x: n 8 -> n 8", true("haiku LayerNorm", "S(n)")),
    of_jax(haiku(lambda hk, x: hk.Linear(2)(hk.Linear(8)(x).max(0)), (3, 4)), "x: n 4 -> 2", true("haiku deep set", "S(n)")),
    of_jax(using("distrax:Normal", lambda f, x, m: f(m, 1.0).log_prob(x).sum(-1)), "x: n d, m: d -> n", true("distrax normal", "S(n) x E(d)")),
    of_jax(using("distrax:Categorical", lambda f, x: f(logits=x).entropy()), "x: n c -> n", true("distrax categorical entropy", "S(c)")),
    of_jax(using("numpyro.distributions:Dirichlet", lambda f, a, p: f(a).log_prob(p / p.sum())), "a: k, p: k -> ()", true("numpyro dirichlet", "S(k)"), draw="positive"),
    of_jax(using("numpyro.distributions:StudentT", lambda f, x: f(3.0, 0.0, 1.0).log_prob(x).sum()), "x: n -> ()", true("numpyro student", "S(n)")),
    of_jax(using("tinygp.kernels:ExpSquared", lambda f, X: f(1.5)(X, X)), "X: n d -> n n", true("tinygp exp squared", "S(n) x T(d)")),
    of_jax(using("tinygp:kernels", lambda f, X: f.Matern32(1.5, distance=f.distance.L2Distance())(X, X)), "X: n d -> n n", true("tinygp matern isotropic", "S(n) x E(d)")),
    of_jax(using("ott.geometry.pointcloud:PointCloud", lambda f, X, Y: f(X, Y).cost_matrix), "X: n d, Y: m d -> n m", true("ott geometry", "E(d)"), false("ott cost scaled", "Scale(d)")),
    of_jax(using("dm_pix:rgb_to_grayscale", lambda f, x: f(x)), "x: h w 3 -> h w 1", true("dm-pix gaussian", "S(h) x S(w)"), false("dm-pix grayscale channels", "S(3)")),
    of_jax("dm_pix:mse", "x: h w c, y: h w c -> ()", true("dm-pix mse", "S(h) x S(w) x S(c)")),
    of_jax(using("rlax:huber_loss", lambda f, x: f(x).sum()), "x: n -> ()", true("rlax huber", "S(n)")),
    of_jax(using("rlax:entropy_loss", lambda f, x, w: f(x, w)), "x: n a, w: n -> ()", true("rlax entropy", "S(n) x S(a)")),
    of_jax(using("e3nn_jax:spherical_harmonics", lambda f, x: (f("2e", x, True).array ** 2).sum(-1)), "x: n 3 -> n", true("e3nn-jax spherical harmonics norm", "S(n) x O(3)"), n=(1, 4)),
    of_jax(haiku(lambda hk, x: hk.MultiHeadAttention(2, 4, w_init_scale=1.0)(x, x, x) * hk.get_parameter("w", (1, 8), init=hk.initializers.RandomNormal()), (3, 8)), "x: n v -> n v", false("haiku attention numbered", "S(v)"), v=8),
    of_jax(haiku(lambda hk, x: hk.dynamic_unroll(hk.GRU(4), x, hk.GRU(4).initial_state(None))[1], (5, 3)), "x: n 3 -> 4", false("haiku GRU over a set", "S(n)"), n=5),
    of_jax(using("distrax:Laplace", lambda f, x: f(0.0, 1.0).log_prob(x).sum(-1)), "x: n d -> n", false("distrax laplace rotated", "O(d)")),
    of_jax(using("numpyro.distributions:Normal", lambda f, x: f(0.0, np.arange(1.0, x.shape[0] + 1)).log_prob(x).sum()), "x: n -> ()", false("numpyro normal of places", "S(n)")),
    of_jax(using("tinygp.kernels:Exp", lambda f, X: f(1.5)(X, X)), "X: n d -> n n", false("tinygp L1 rotated", "O(d)")),
    of_jax(using("rlax:discounted_returns", lambda f, r: f(r, 0.9 + 0 * r, 0.0)), "r: n -> n", false("rlax discounted returns", "S(n)"), n=(3, 6)),
    of_jax(using("e3nn_jax:spherical_harmonics", lambda f, x: f("1o", x, True).array ** 2), "x: n 3 -> n 3", false("e3nn-jax harmonics as vectors", "O(3)"), n=(1, 4)),
    of_jax("optax:ntxent", "z: n 4, y[3]: n -> ()", true("optax NT-Xent", "S(n) x O(4)"), n=(6, 7)),
    of_jax("optax.projections:projection_simplex", "x: n -> n", true("optax simplex projection", "S(n)"), false("optax simplex scaled", "Scale(n)")),
    of_jax("optax.projections:projection_l2_ball", "x: n -> n", true("optax l2 ball", "O(n)")),
    of_jax(using("jaxopt.prox:prox_group_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", true("jaxopt group lasso", "O(n)")),
    of_jax(using("jaxopt.prox:prox_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", true("jaxopt lasso", "Signs(n)"), false("jaxopt lasso rotated", "O(n)")),
    of_jax(using("jaxlie:SO3", lambda f, w: f.exp(w).as_matrix()), "w: 3 -> 3 3", true("jaxlie exponential", "SO(3)")),
    of_jax(using("e3x", lambda e3x, x: (e3x.so3.spherical_harmonics(x, max_degree=1, r_is_normalized=False)[..., 1:] ** 2).sum(-1)), "x: n 3 -> n", true("e3x harmonics norm", "S(n) x O(3)")),
    of_jax(energy("soft_sphere_pair"), "X: n 3 -> ()", true("jax-md soft spheres", "S(n) x E(3)")),
    of_jax(energy("lennard_jones_pair"), "X: n 3 -> ()", true("jax-md Lennard-Jones", "S(n) x E(3)"), n=(2, 5)),
    of_jax(euler(swirl), "x: n d -> n d", true("diffrax Euler field", "S(n) x O(d)")),
    of_jax(using("lineax", lambda lineax, A, b: lineax.linear_solve(lineax.MatrixLinearOperator(A), b).value), "A: n n, b: n -> n", true("lineax solve", "O(n)"), n=(2, 4)),
    of_jax(using("e3x", lambda e3x, x: (e3x.so3.spherical_harmonics(x, max_degree=1, r_is_normalized=False)[..., 1:] ** 4).sum(-1)), "x: n 3 -> n", false("e3x harmonics cubed", "O(3)")),
    of_jax(energy("soft_sphere_pair", box=3.0), "X: n 3 -> ()", false("jax-md soft spheres in a box", "O(3)")),
    of_jax(euler(lambda y: -(y**3)), "x: n d -> n d", false("diffrax Euler by entries", "O(d)")),
    of_jax(flax_set, "x: n 3, keep[bool]: n -> 2", true("flax masked set", "S(n)")),
    of_jax(equinox_egnn, "x: n d -> n d", true("equinox EGNN", "S(n) x E(d)")),
    of_jax(nnx_mixer, "x: b n 4 -> b n 4", true("nnx block", "S(b) x S(n)")),
    of_jax(jax_leapfrog, "q: n d, p: n d^ -> n d", true("leapfrog by scan", "S(n) x E(d)")),
    of_jax(jax_gat, "h: n 3, s[n]: m, r[n]: m -> n 4", true("GAT by segments", "S(n) x S(m)")),
    of_jax(jax_gru, "x: b t 3 -> b 4", true("GRU by scan", "S(b)"), t=(2, 4)),
    of_jax(lambda x: jnp.trace(jax.jacfwd(lambda x: x / (1 + jnp.sum(x**2)))(x)), "x: d -> ()", true("divergence by jacfwd", "O(d)")),
    of_jax(jax_kernel_ridge, "X: n d, y: n, Z: m d -> m", true("kernel ridge in JAX", "S(n) x S(m) x E(d)")),
    of_jax(jax_spherical_l1, "x: n 3 -> n", true("Bessel basis of distances", "S(n) x T(3)"), single=True),
    of_jax(layer(flax_set, call=lambda f, x, m: f(x, m) + x[0, 0]), "x: n 3, keep[bool]: n -> 2", false("flax masked set, first entry", "S(n)")),
    of_jax(lambda q, p: jax_leapfrog(q + 0.01 * q**2, p), "q: n d, p: n d^ -> n d", false("leapfrog in an outer field", "O(d)")),
    of_jax(jax_gat, "h: n 3, s[n]: m, r[n]: m! -> n 4", false("GAT, receivers exchanged", "S(m)")),
    of_jax(lambda x: jax_spherical_l1(x * (1.0 + np.arange(x.shape[0]))[:, None]), "x: n 3 -> n", false("Bessel basis of places", "S(n)"), single=True),
    of_jax(jax_segment_softmax, "x: n, i[3]: n -> n", true("segment softmax", "S(n)")),
    of_jax(jax_rnn_scan, "x: t b 3 -> t b 2", true("scan RNN, batch", "S(b)"), false("scan RNN, steps", "S(t)")),
    of_jax(jax_egnn_dense, "h: n 3, x: n 3! -> n 3!", true("EGNN dense", "S(n)"), n=(2, 5), single=True),
    of_jax(jax_force_in_a_box, "R: n d -> n d", true("forces in a box", "S(n)"), false("forces in a box rotated", "O(d)", d=2)),
    of_jax(jax_force_in_a_box, "R: n d -> n d^", true("forces in a box turned over", "Signs(d)")),
    of_jax(jax_rbf_ard, "X: n d, y: n, Z: m d -> m", true("GP mean", "E(d) x S(m)"), true("GP mean of a set", "S(n)")),
    of_jax(jax_mds_stress, "D: n n, X: n d -> ()", true("MDS stress", "E(d)"), n=(2, 5)),
    of_jax(lambda x, i: jax_segment_softmax(x, i) * x[0], "x: n, i[3]: n -> n", false("segment softmax of the first", "S(n)")),
    of_jax(lambda X, y, Z: jax_rbf_ard(X, y, Z) + Z[:, 0], "X: n d, y: n, Z: m d -> m", false("GP mean with one prior", "O(d)")),
    of_jax(using("e3nn_jax", lambda e3nn, x, y: e3nn.tensor_product(e3nn.IrrepsArray("2x1o", x), e3nn.IrrepsArray("1o", y)).filter("0e").array), "x: n 6, y: n 3 -> n 2", true("e3nn-jax product", "S(n)")),
    of_jax(using("e3nn_jax", lambda e3nn, x: e3nn.norm(e3nn.spherical_harmonics("1o + 2e", x, False)).array), "x: n 3 -> n 2", true("e3nn-jax norms", "S(n) x O(3)"), single=True),
    of_jax(using("e3nn_jax", lambda e3nn, x, s, r: e3nn_messages(e3nn, x[r] - x[s], r, x.shape[0])), "pos: n 3, s[n]: m, r[n]: m -> n 3^", true("e3nn-jax messages", "S(n) x S(m) x E(3)"), single=True),
    of_jax(using("flowjax.distributions:StandardNormal", lambda f, x: f((3,)).log_prob(x)), "x: n 3 -> n", true("flowjax normal", "S(n) x O(3)")),
    of_jax(built(lambda: jax.vmap(eqx.nn.MLP(3, 2, 8, 1, key=KEY))), "x: n 3 -> n 2", true("equinox MLP of rows", "S(n)"), single=True),
    of_jax("optax:cosine_distance", "x: n d, y: n d -> n", true("optax cosine distance", "S(n) x O(d)"), false("optax cosine distance translated", "T(d)")),
    of_jax("optax:sigmoid_focal_loss", "x: n c, y: n c -> n c", true("optax focal loss", "S(n) x S(c)")),
    of_jax(jax_pna, "x: n c, s[n]: m, r[n]: m -> n k", true("PNA by segments", "S(n) x S(m)")),
    of_jax(jax_ssm, "x: t b -> t b", true("state space by scan, batch", "S(b)"), false("state space of a set", "S(t)")),
    of_jax(jax_hamiltonian, "q: n d, p: n d^ -> n d^, n d^", true("Hamiltonian field", "S(n) x E(d)")),
    of_jax(lambda x: jnp.trace(jax.hessian(lambda y: jnp.log1p(jnp.sum(y**2)))(x)), "x: d -> ()", true("trace of a Hessian", "O(d)")),
    of_jax(jax_attention_pool, "x: n d, q: d, mask[bool]: n -> d", true("attention pooling with a mask", "S(n) x O(d)")),
    of_jax(jax_vmap_kernel, "X: n d, Y: m d -> n m", true("kernel by vmap", "S(n) x S(m) x E(d)")),
    of_jax(jax_sinkhorn_of_points, "X: n d, Y: m d -> ()", true("Sinkhorn by fori_loop", "S(n) x S(m) x E(d)")),
    of_jax(using("e3nn_jax", lambda e3nn, x, s, r: e3nn_messages(e3nn, x[s], r, x.shape[0])), "pos: n 3, s[n]: m, r[n]: m -> n 3^", false("e3nn-jax absolute messages", "T(3)"), single=True),
    of_jax(lambda q, p: jax_hamiltonian(q, p + q), "q: n d, p: n d^ -> n d^, n d^", false("Hamiltonian field translated", "T(d)")),
    of_jax(lambda x, s, r: jax_pna(x, s, r)[:, :2] * (1 + s[0]), "x: n c, s[n]: m, r[n]: m -> n 2", false("PNA, senders for receivers", "S(m)")),
    of_jax(jax_svgd, "X: n d -> n d", true("SVGD in JAX", "S(n) x O(d)"), false("SVGD translated", "T(d)")),
    of_jax(jax_segment_max, "x: n, s[3]: n -> 3", true("segment maxima", "S(n)")),
    of_jax(jax_boids, "x: n d, v: n d^ -> n d^", true("boids in JAX", "S(n) x E(d)")),
    of_jax(flax_attention_pool, "x: b n 4 -> b 4", true("flax attention pooling", "S(b) x S(n)")),
    of_jax(jax_segment_max, "x: n, s[3]: n! -> 3", false("segment maxima of kept segments", "S(n)")),
    of_jax(jax_boids, "x: n d!, v: n d -> n d", false("boids, velocities turned alone", "O(d)")),
    of_jax(ipa_jax, "x: n 4, p: n d -> n 4, n d", true("attention with distances", "S(n) x E(d)")),
    of_jax(jaxmd_periodic, "R: n d -> ()", false("jax-md periodic rotated", "O(d)")),
    of_jax(hmc_leapfrog, "q: d, p: d -> d, d", true("HMC leapfrog", "O(d)")),
    of_jax(jax_gn_softmax, "x: n d, s[n]: m, r[n]: m -> n d", true("graph attention", "S(n) x O(d)")),
    of_jax(jax_jastrow, "X: n d -> ()", true("Jastrow", "S(n) x E(d)")),
    of_jax(jax_lstm_set, "x: n d -> d", false("RNN mean pool", "S(n)")),
    of_jax(jax_knn, "X: n d -> n", true("kNN distances", "S(n) x E(d)"), n=(3, 6)),
    of_jax(held("ott.geometry.pointcloud as P", "lambda x, y: P.PointCloud(x, y).cost_matrix"), "x: n d, y: m d -> n m", true("ott cost_matrix", "S(n) x S(m) x E(d)"), backend=None),
    of_jax(held("numpyro.distributions as D", "lambda x: D.Normal(0.0, 1.0).log_prob(x).sum()"), "x: n -> ()", true("numpyro Normal", "S(n)"), backend=None),
    of_jax(held("numpyro.distributions as D, jax.numpy as jnp", "lambda x: " "D.MultivariateNormal(jnp.zeros(3), jnp.eye(3)).log_prob(x)"), "x: n 3 -> n", true("numpyro MultivariateNormal", "O(3)"), backend=None),
    of_jax(held("numpyro.distributions as D", "lambda x: D.StudentT(3.0, 0.0, 1.0)" ".log_prob(x).sum(-1)"), "x: n 3 -> n", false("numpyro StudentT", "O(3)"), backend=None),
    of_jax(lambda x: jnp.corrcoef(x, rowvar=False), "x: n d -> d d", true("jnp.corrcoef", "S(n) x S(d)"), false("jnp.corrcoef turned", "O(d)")),
    of_jax(upper, "x: n d -> ()", true("triu_indices", "S(n) x E(d)")),
    of_jax(zero_diagonal, "x: n d -> ()", true("diag_indices", "S(n) x O(d)"), false("diag_indices moved", "T(d)")),
    of_jax(zero_diagonal_range, "x: n d -> n d", true("diagonal set to -inf", "S(n) x O(d)")),
    of_jax(nearest, "x: n d -> ()", true("k nearest", "S(n)")),
    of_jax(lambda x: jnp.nanmedian(x, axis=0), "x: n d -> d", true("jnp.nanmedian", "S(n) x S(d)")),
    of_jax(held("optax", "lambda x, y: optax.losses.cosine_distance(x, y)"), "x: n d, y: n d -> n", true("optax cosine_distance", "S(n) x O(d)")),
    of_jax(held("optax", "lambda x, y: optax.losses.poly_loss_cross_entropy(x, y)"), "x: n c, y: n c -> n", true("optax poly loss", "S(n) x S(c)"), false("optax poly loss turned", "O(c)")),
    of_jax(held("optax", "lambda x, y: optax.losses.kl_divergence_with_log_targets(x, y)"), "x: n c, y: n c -> n", true("optax kl of logarithms", "S(n) x S(c)")),
    of_jax(held("optax", "lambda x: optax.projections.projection_simplex(x)"), "x: n -> n", true("optax projection_simplex", "S(n)")),
    of_jax(jax_biased_attention, "q: n d, k: m d, v: m c, b: n m -> n c", true("attention with a bias", "S(n) x S(m) x O(d) x S(c)")),
    of_jax(jax_biased_attention, "q: n d, k: m d, v: m c, b: n m! -> n c", false("attention with a bias kept", "S(m)")),
    of_jax(jax_energy, "x: n 3 -> ()", true("energy", "S(n) x E(3)")),
    of_jax(lambda x: -jax.grad(jax_energy)(x), "x: n 3 -> n 3^", true("forces by jax.grad", "S(n) x E(3)")),
    of_jax(lambda x: -jax.grad(jax_energy)(x), "x: n 3 -> n 3!", false("forces by jax.grad kept", "O(3)")),
    of_jax(lambda x: jnp.trace(jax.hessian(lambda y: jnp.sum(jnp.exp(-(y**2))))(x)), "x: n -> ()", true("trace of a Hessian", "S(n)")),
    of_jax(jax_scan, "x: n d -> n d", true("scan, features", "S(d)"), false("scan, time", "S(n)")),
    of_jax(lambda x, y: jax.vmap(lambda a: jax.vmap(lambda b: jnp.exp(-jnp.sum((a - b) ** 2)))(y))(x), "x: n d, y: m d -> n m", true("two vmaps", "S(n) x S(m) x E(d)")),
    of_jax(jax_divergence, "x: n 3 -> n", true("divergence", "S(n) x O(3)")),
    of_jax(jax_segments, "h: n d, e[n]: m 2 -> n d", true("segments", "S(n) x S(m)")),
    of_jax(jax_segments, "h: n d, e[n]: m v -> n d", false("segments, edges turned", "S(v)"), v=2),
    of_jax(jax_newton, "A: n n -> n n", true("Newton-Schulz", "S(n)")),
    of_jax(held("jaxopt", "lambda x: jaxopt.projection.projection_simplex(x)"), "x: n -> n", true("jaxopt projection_simplex", "S(n)")),
    of_jax(held("jaxopt", "lambda x: jaxopt.projection.projection_l2_ball(x)"), "x: d -> d", true("jaxopt projection_l2_ball", "O(d)"), false("jaxopt projection_l2_ball moved", "T(d)")),
    of_jax(held("jaxopt", "lambda x: jaxopt.projection.projection_l1_sphere(x)"), "x: n -> n", true("jaxopt projection_l1_sphere", "Signs(n)")),
    of_jax(held("jaxopt, jax", "lambda y, x: jax.vmap(jaxopt.loss.binary_logistic_loss)(y, x).mean()"), "y: n, x: n -> ()", true("jaxopt binary_logistic_loss", "S(n)")),
    of_jax(held("tensorflow_probability.substrates.jax as T", "lambda x, y: f.matrix(x, y)", "f = T.math.psd_kernels.ExponentiatedQuadratic()"), "x: n d, y: m d -> n m", true("tfp ExponentiatedQuadratic", "S(n) x S(m) x E(d)")),
    of_jax(held("tensorflow_probability.substrates.jax as T", "lambda x, y: f.matrix(x, y)", "f = T.math.psd_kernels.MaternThreeHalves()"), "x: n d, y: m d -> n m", true("tfp MaternThreeHalves", "S(n) x S(m) x O(d)")),
    of_jax(held("tensorflow_probability.substrates.jax as T", "lambda x: T.distributions.Normal(0.0, 1.0).log_prob(x).sum()"), "x: n -> ()", true("tfp Normal", "Signs(n)")),
    of_jax(held("tensorflow_probability.substrates.jax as T", "lambda x: T.stats.covariance(x)"), "x: n d -> d d", true("tfp covariance", "S(n) x O(d)")),
    of_jax(held("tensorflow_probability.substrates.jax as T", "lambda x: T.distributions.Gumbel(0.0, 1.0).log_prob(x).sum()"), "x: n -> ()", false("tfp Gumbel", "Signs(n)")),
    of_jax(tfp("lambda x, y: k.matrix(x, y)", "k = tfp.math.psd_kernels.MaternFiveHalves()"), "x: n d, y: m d -> n m", true("tfp Matern kernel", "S(n) x S(m) x E(d)")),
    of_jax(tfp("lambda x: k.matrix(x, x)", "k = tfp.math.psd_kernels.RationalQuadratic()"), "x: n d -> n n", true("tfp quadratic kernel", "S(n) x E(d)")),
    of_jax(tfp("lambda a, x: tfp.distributions.Dirichlet(a).log_prob(x / x.sum(-1, keepdims=True))"), "a: c, x: n c -> n", true("tfp Dirichlet", "S(n) x S(c)"), draw="positive"),
    of_jax(tfp("lambda x: tfp.distributions.MultivariateNormalDiag(jnp.zeros(x.shape[-1]), jnp.ones(x.shape[-1])).log_prob(x)"), "x: n d -> n", true("tfp multivariate normal", "S(n) x O(d)")),
    of_jax(tfp("lambda x: b.forward(x)", "b = tfp.bijectors.Softplus()"), "x: n c -> n c", true("tfp softmax bijector", "S(n) x S(c)")),
    of_jax(tfp("lambda x: tfp.math.reduce_logmeanexp(x, axis=0)"), "x: n c -> c", true("tfp log-sum", "S(n) x S(c)")),
    of_jax(tfp("lambda x: b.forward(x)", "b = tfp.bijectors.Ascending()"), "x: n v -> n v", false("tfp ordered", "S(v)"), v=4),
    of_jax(tfp("lambda x: k.matrix(x, x)", "k = tfp.math.psd_kernels.MaternOneHalf()"), "x: n d -> n n", false("tfp Matern kernel scaled", "Scale(d)")),
    of_jax(nnx("nnx.MultiHeadAttention(num_heads=2, in_features=4, qkv_features=6, decode=False, rngs=r)"), "x: b n 4 -> b n 4", true("nnx attention", "S(b) x S(n)"), b=(1, 3), n=(3, 5), single=True, backend=None),
    of_jax(nnx("nnx.Sequential(nnx.Linear(4, 8, rngs=r), nnx.gelu, nnx.LayerNorm(8, rngs=r), nnx.Linear(8, 3, rngs=r))"), "x: b n 4 -> b n 3", true("nnx Sequential", "S(b) x S(n)"), single=True, backend=None),
    of_jax(nnx("nnx.RMSNorm(4, rngs=r)"), "x: n 4 -> n 4", true("nnx RMSNorm", "S(n)"), single=True, backend=None),
    of_jax(nnx("nnx.Conv(4, 3, kernel_size=(3,), rngs=r)"), "x: b n 4 -> b n 3", false("nnx Conv", "S(n)"), n=(4, 5), b=(1, 2), single=True, backend=None),
    of_jax(held("jaxopt.projection as p", "lambda x: p.projection_simplex(x)"), "x: c -> c", true("jaxopt projection onto a simplex", "S(c)")),
    of_jax(held("jaxopt.loss as l", "lambda x, y: l.huber_loss(x, y)"), "x: n d, y: n d -> n d", true("jaxopt Huber loss", "S(n) x S(d)")),
    of_jax(held("jaxopt.loss as l, jax", "lambda y, x: jax.vmap(l.multiclass_logistic_loss)(y, x)"), "y[4]: n, x: n 4 -> n", true("jaxopt logistic loss", "S(n)")),
    of_jax(lambda x: dynamical_matrix(x)[0], "x: n 3 -> ()", true("trace of the dynamical matrix", "S(n) x E(3)"), n=(2, 3)),
    of_jax(lambda x: dynamical_matrix(x)[1], "x: n 3 -> ()", true("norm of the dynamical matrix", "S(n)"), n=(2, 3)),
    of_jax(jax_bonds, "x: n 3 -> ()", true("bonds by a safe root", "S(n) x E(3)"), false("bonds scaled", "Scale(3)")),
    of_jax(jax_relax, "x: n d -> n d", true("relaxation by fori_loop", "S(n) x E(d)")),
    of_jax(jax_mixture, "c: k d, x: n d -> ()", true("mixture by vmap", "S(k) x S(n) x S(d)")),
    of_jax(layer(JaxTransformer), "x: n 4 -> n 4", true("transformer of a dictionary", "S(n)")),
    of_jax(jax_simclr, "z: n d -> ()", true("SimCLR denominator in JAX", "S(n) x O(d)"), false("SimCLR denominator moved", "T(d)")),
    of_jax(lambda x: jax.lax.cond(jnp.mean(x) > 0, lambda y: y - jnp.max(y), lambda y: y - jnp.min(y), x), "x: n -> n", true("lax.cond on the mean", "S(n)"), false("lax.cond negated", "Signs(n)")),
    of_jax(jax_steps, "x: n d -> n d", true("attention by while_loop", "S(n) x O(d)")),
    of_jax(jax_laplacian, "x: n d -> ()", true("Laplacian by jvp", "S(n) x O(d)"), n=(2, 3), d=(2, 3)),
    of_jax(held("optimistix as O", "lambda x: O.rms_norm(x)"), "x: n -> ()", true("optimistix norm", "S(n)")),
    of_jax(held("e3x, jax.numpy as jnp", "lambda x: e3x.nn.smooth_cutoff(jnp.sum((x[:, None] - x[None]) ** 2, -1), cutoff=2.0)"), "x: n 3 -> n n", true("e3x cutoff of distances", "S(n) x E(3)")),
    of_jax(held("dynamax.utils.utils as D, jax.numpy as jnp", "lambda x, y: D.psd_solve(x @ x.T + jnp.eye(x.shape[0]), y)"), "x: n d, y: n k -> n k", true("dynamax symmetrised solve", "S(n) x O(d) x O(k)")),
    of_jax(held("chex, jax.numpy as jnp", "lambda x, y: (chex.assert_rank([x, y], 2), chex.assert_equal_shape([x, y]), jnp.sum(x * y))[2]"), "x: n d, y: n d -> ()", true("chex checks", "S(n) x O(d)")),
    of_jax(held("ott.geometry.costs as C, jax", "lambda x, y: jax.vmap(lambda a: jax.vmap(lambda b: C.SqEuclidean()(a, b))(y))(x)"), "x: n d, y: m d -> n m", true("ott Gaussian cost", "S(n) x S(m) x E(d)")),
    of_jax(held("numpyro.distributions as D", "lambda x: D.LogNormal(0.0, 1.0).log_prob(x).sum()"), "x: n -> ()", true("numpyro Dirichlet multinomial", "S(n)"), draw="positive"),
    of_jax(jax_mixture, "c: k d, x: n d! -> ()", false("mixture turned, one side", "O(d)")),
    of_jax(layer(JaxTransformer), "x: n v -> n v", false("transformer of features", "S(v)"), v=4),
]  # fmt: skip
