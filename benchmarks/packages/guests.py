"""Losses, pooling, geometry, fits and physics that people write between libraries, with options seldom chosen."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded
from benchmarks.packages.published import named

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


# torch: losses of pairs, sets and clouds.
def chamfer(x, y):
    d = torch.cdist(x, y) ** 2
    return d.min(dim=1).values.mean() + d.min(dim=0).values.mean()


def hausdorff(x, y):
    d = ((x[:, None] - y[None]) ** 2).sum(-1)
    return torch.maximum(d.amin(1).amax(), d.amin(0).amax())


def sup_con(z, labels, temperature=0.5):
    z = F.normalize(z, dim=1)
    logits = z @ z.T / temperature
    logits = logits - logits.max(dim=1, keepdim=True)[0].detach()
    mask = (labels[:, None] == labels[None, :]).float()
    self_mask = 1 - torch.eye(len(z))
    mask = mask * self_mask
    exp = torch.exp(logits) * self_mask
    log_prob = logits - torch.log(exp.sum(1, keepdim=True))
    return -((mask * log_prob).sum(1) / (mask.sum(1) + 1e-6)).mean()


def simclr(z):
    n = z.shape[0] // 2
    z = F.normalize(z, dim=1)
    sim = z @ z.T / 0.1
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
    labels = (torch.arange(2 * n) + n) % (2 * n)
    return F.cross_entropy(sim, labels)


def nt_xent_cat(a, b):
    z = F.normalize(torch.cat([a, b]), dim=-1)
    n = a.shape[0]
    sim = z @ z.t() / 0.5
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


def energy_distance(x, y):
    return 2 * torch.cdist(x, y).mean() - torch.cdist(x, x).mean() - torch.cdist(y, y).mean()


def uniformity(x, t=2):
    return torch.pdist(x, p=2).pow(2).mul(-t).exp().mean().log()


def knn_features(x, k=2):
    d = torch.cdist(x, x)
    idx = d.topk(k + 1, largest=False).indices[:, 1:]
    neighbours = x[idx]
    return (neighbours - x.unsqueeze(1)).norm(dim=-1).mean(1)


def sinkhorn_divergence(x, y, eps=0.5, rounds=3):
    C = torch.cdist(x, y) ** 2
    f, g = torch.zeros(len(x)), torch.zeros(len(y))
    la, lb = -math.log(len(x)), -math.log(len(y))
    for _ in range(rounds):
        f = -eps * torch.logsumexp((g[None] - C) / eps + lb, dim=1)
        g = -eps * torch.logsumexp((f[:, None] - C) / eps + la, dim=0)
    return f.mean() + g.mean()


def hard_triplet(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None]
    pos = d.masked_fill(~same, 0).max(1)[0]
    neg = d.masked_fill(same, float("inf")).min(1)[0]
    return F.relu(pos - torch.where(torch.isinf(neg), torch.zeros_like(neg), neg) + margin).mean()


def listnet(scores, relevance):
    return -(F.softmax(relevance, -1) * F.log_softmax(scores, -1)).sum()


def pairwise_hinge(scores, relevance):
    ds = scores[:, None] - scores[None]
    dr = torch.sign(relevance[:, None] - relevance[None])
    return F.relu(1 - dr * ds).triu(1).sum()


def focal(logits, target, gamma=2.0):
    ce = F.cross_entropy(logits, target, reduction="none")
    return ((1 - torch.exp(-ce)) ** gamma * ce).mean()


def dice(logits, target):
    p = logits.softmax(1)
    t = F.one_hot(target, 3).movedim(-1, 1).to(p.dtype)
    dims = (0, 2, 3)
    return 1 - ((2 * (p * t).sum(dims) + 1) / ((p + t).sum(dims) + 1)).mean()


# torch: physics by autograd.
def morse_forces(x):
    with torch.enable_grad():
        x = x.detach().requires_grad_(True)
        r = (x[:, None] - x[None]).pow(2).sum(-1).add(1e-3).sqrt()
        e = 0.5 * ((1 - torch.exp(-(r - 1.0))) ** 2 * (1 - torch.eye(len(x)))).sum()
        (grad,) = torch.autograd.grad(e, x)
    return -grad


def stress(x):
    with torch.enable_grad():
        eps = torch.zeros(3, 3, requires_grad=True)
        y = x + x @ (0.5 * (eps + eps.T))
        d = y[:, None] - y[None]
        e = torch.exp(-(d**2).sum(-1)).sum()
        (s,) = torch.autograd.grad(e, eps)
    return s


def hessian_trace(x):
    f = lambda v: (torch.exp(-(v**2).sum()) + (v**2).sum() ** 2)
    return torch.func.hessian(f)(x).diagonal().sum()


class HamiltonianNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, q, p):
        with torch.enable_grad():
            q, p = q.detach().requires_grad_(), p.detach().requires_grad_()
            r2 = ((q.unsqueeze(0) - q.unsqueeze(1)) ** 2).sum(-1, keepdim=True)
            h = self.net(r2).sum() + 0.5 * (p**2).sum()
            dq, dp = torch.autograd.grad(h, (q, p), create_graph=True)
        return dp - dq


# torch: attention.
class LinearAttention(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.qkv, self.out, self.heads = nn.Linear(dim, 3 * dim, bias=False), nn.Linear(dim, dim), heads

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (t.reshape(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        context = k.transpose(-2, -1) @ v
        z = 1 / (q @ k.sum(-2, keepdim=True).transpose(-2, -1))
        return self.out(((q @ context) * z).transpose(1, 2).reshape(b, n, -1))


class CosineAttention(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.scale = nn.Parameter(torch.log(torch.tensor(10.0)))

    def forward(self, x, keep):
        a = F.normalize(self.q(x), dim=-1) @ F.normalize(self.k(x), dim=-1).mT * self.scale.clamp(max=4.6).exp()
        a = a.masked_fill(~keep[None, :], torch.finfo(a.dtype).min)
        return a.softmax(-1) @ self.v(x)


class SlotPool(nn.Module):
    def __init__(self):
        super().__init__()
        self.slots, self.k, self.v = nn.Parameter(torch.randn(3, 4)), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        k, v, s = self.k(x), self.v(x), self.slots.expand(x.shape[0], -1, -1)
        for _ in range(2):
            a = torch.einsum("bsd,bnd->bsn", s, k).softmax(dim=1) + 1e-8
            a = a / a.sum(-1, keepdim=True)
            s = torch.einsum("bsn,bnd->bsd", a, v)
        return s


def pyg(path, *args, **options):
    def made():
        torch.manual_seed(0)
        layer = named(path)()(*args, **options).eval()
        return lambda *arrays: layer(*arrays)

    return made


# NumPy and SciPy.
def ols_standard_errors(X, y):
    XtX = np.linalg.inv(X.T @ X)
    beta = XtX @ X.T @ y
    resid = y - X @ beta
    s2 = resid @ resid / (X.shape[0] - X.shape[1])
    return np.sqrt(np.diag(XtX) * s2)


def white_covariance(X, y):
    bread = np.linalg.inv(X.T @ X)
    e = y - X @ (bread @ X.T @ y)
    return bread @ (X.T @ (X * (e**2)[:, None])) @ bread


def logistic_newton(X, y, steps=2):
    beta = np.zeros(X.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-X @ beta))
        H = X.T @ ((p * (1 - p))[:, None] * X) + 1e-3 * np.eye(X.shape[1])
        beta = beta + np.linalg.solve(H, X.T @ (y - p))
    return beta


def lasso_ista(X, y, lam=0.1, steps=3):
    w = np.zeros(X.shape[1])
    for _ in range(steps):
        w = w - 0.01 * X.T @ (X @ w - y)
        w = np.sign(w) * np.maximum(np.abs(w) - 0.01 * lam, 0)
    return w


def kalman(ys, q=0.1, r=0.5):
    m, p, total = 0.0, 1.0, 0.0
    for y in ys:
        p = p + q
        s = p + r
        total += 0.5 * np.log(2 * np.pi * s) + 0.5 * (y - m) ** 2 / s
        k = p / s
        m, p = m + k * (y - m), (1 - k) * p
    return total


def moran(x, W):
    z = x - x.mean()
    return len(x) / W.sum() * (z @ W @ z) / (z @ z)


def silhouette(X, labels):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    onehot = np.eye(2)[labels]
    sums, counts = D @ onehot, onehot.sum(0)
    own = (sums * onehot).sum(1) / np.maximum(counts[labels] - 1, 1)
    other = (sums / np.maximum(counts, 1) * (1 - onehot)).sum(1)
    return ((other - own) / np.maximum(own, other)).mean()


def dbi_pairs(X):
    i, j = np.triu_indices(len(X), 1)
    return np.exp(-np.sum((X[i] - X[j]) ** 2, 1)).sum()


def coulomb_matrix_eigs(Z, R):
    D = np.linalg.norm(R[:, None] - R[None], axis=-1)
    np.fill_diagonal(D, 1.0)
    M = np.outer(Z, Z) / D
    np.fill_diagonal(M, 0.5 * Z**2.4)
    return np.sort(np.linalg.eigvalsh(M))[::-1]


def radius_of_gyration_tensor(X, m):
    r = X - (m[:, None] * X).sum(0) / m.sum()
    return (m[:, None, None] * r[:, :, None] * r[:, None, :]).sum(0) / m.sum()


def nearest_mean(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1) + np.diag(np.full(len(X), np.inf))
    return D.min(axis=1).mean()


def steinhardt_q4(X):
    d = X[:, None] - X[None]
    r = np.sqrt((d**2).sum(-1) + 1e-9)
    c = np.einsum("ijd,ikd->ijk", d, d) / (r[:, :, None] * r[:, None, :])
    return ((35 * c**4 - 30 * c**2 + 3) / 8).mean((1, 2))


def structure_factor(X, k=(1.0, 0.5, -0.3)):
    phase = X @ np.array(k)
    return (np.cos(phase).sum() ** 2 + np.sin(phase).sum() ** 2) / len(X)


# JAX.
def jax_gp():
    import jax
    import jax.numpy as jnp

    def run(X, y):
        d2 = jnp.sum((X[:, None] - X[None]) ** 2, -1)
        K = jnp.exp(-0.5 * d2) + 0.1 * jnp.eye(X.shape[0])
        L = jnp.linalg.cholesky(K)
        a = jax.scipy.linalg.cho_solve((L, True), y)
        return -0.5 * y @ a - jnp.log(jnp.diag(L)).sum()

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


PAIR, CLOUDS = "a: n d, b: n d -> ()", "x: n d, y: m d -> ()"
SETS = {"n": (4, 7)}

CLAIMS = [
    torch_true("Chamfer", lambda: chamfer, CLOUDS, "S(n) x S(m) x E(d)"),
    torch_true("Hausdorff", lambda: hausdorff, CLOUDS, "S(n) x S(m) x E(d)"),
    torch_true("SupCon", lambda: sup_con, "z: n d, y[3]: n -> ()", "S(n) x O(d)"),
    torch_true("NT-Xent concatenated", lambda: nt_xent_cat, PAIR, "S(n) x O(d)"),
    torch_true("SimCLR doubled", lambda: lambda a, b: simclr(torch.cat([a, b])), PAIR, "S(n) x O(d)"),
    torch_true("energy distance", lambda: energy_distance, CLOUDS, "S(n) x S(m) x E(d)"),
    torch_true("uniformity", lambda: uniformity, "x: n d -> ()", "S(n) x E(d)"),
    torch_true("distances to neighbours", lambda: knn_features, "x: n d -> n", "S(n) x E(d)", sizes=SETS),
    torch_true("Sinkhorn potentials", lambda: sinkhorn_divergence, CLOUDS, "S(n) x S(m) x E(d)"),
    torch_true("hard triplets", lambda: hard_triplet, "z: n d, y[2]: n -> ()", "S(n) x E(d)"),
    torch_true("ListNet", lambda: listnet, "s: n, r: n -> ()", "S(n)"),
    torch_true("pairwise hinge", lambda: pairwise_hinge, "s: n, r: n -> ()", "S(n)"),
    torch_true("focal", lambda: focal, "p: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("dice", lambda: dice, "p: b 3 h w, y[3]: b h w -> ()", "S(b) x S(h) x S(w)"),
    torch_true("Morse forces", lambda: morse_forces, "x: n d -> n d^", "S(n) x E(d)"),
    torch_true("stress by strain", lambda: stress, "x: n 3 -> 3^ 3^", "S(n) x E(3)"),
    torch_true("trace of a Hessian in torch", lambda: hessian_trace, "x: d -> ()", "O(d)"),
    torch_true("Hamiltonian network", seeded(HamiltonianNet), "q: n d, p: n d^ -> n d^", "S(n) x E(d)"),
    torch_true("linear attention", seeded(LinearAttention), "x: b n 8 -> b n 8", "S(b) x S(n)"),
    torch_true("cosine attention masked", seeded(CosineAttention), "x: n 6, keep[bool]: n -> n 6", "S(n)"),
    torch_true("slots", seeded(SlotPool), "x: b n 4 -> b 3 4", "S(b) x S(n)"),
    torch_true("nn.GaussianNLLLoss full", lambda: nn.GaussianNLLLoss(full=True), "m: n, t: n, v: n -> ()", "S(n)", draw="positive"),
    torch_true("nn.MultiLabelMarginLoss off", lambda: nn.MultiLabelSoftMarginLoss(reduction="none"), "x: n c, y: n c -> n", "S(n) x S(c)"),
    torch_true("nn.PoissonNLLLoss full", lambda: nn.PoissonNLLLoss(full=True), "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("nn.CosineEmbeddingLoss", lambda: lambda a, b, y: nn.CosineEmbeddingLoss(margin=0.2)(a, b, torch.where(y, 1, -1)), "a: n d, b: n d, y[bool]: n -> ()", "S(n) x O(d)"),
    torch_true("nn.TripletMarginWithDistanceLoss", lambda: nn.TripletMarginWithDistanceLoss(swap=True), "a: n d, p: n d, q: n d -> ()", "S(n)"),
    torch_true("nn.CrossEntropyLoss smoothed", lambda: nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=2), "x: n 4, y[4]: n -> ()", "S(n)", sizes=SETS),
    torch_true("nn.LocalResponseNorm", lambda: nn.LocalResponseNorm(3), "x: b 4 h w -> b 4 h w", "S(b) x S(h) x S(w)"),
    torch_true("nn.GroupNorm without affine", lambda: nn.GroupNorm(2, 4, affine=False), "x: b 4 n -> b 4 n", "S(b) x S(n)"),
    torch_true("nn.InstanceNorm2d affine", seeded(lambda: nn.InstanceNorm2d(3, affine=True)), "x: b 3 h w -> b 3 h w", "S(b) x S(h) x S(w)"),
    torch_true("nn.RMSNorm", lambda: nn.RMSNorm(8), "x: n 8 -> n 8", "S(n) x S(8)"),
    torch_true("PyG PairNorm", pyg("torch_geometric.nn:PairNorm"), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("PyG SoftmaxAggregation", pyg("torch_geometric.nn:SoftmaxAggregation", learn=True), "x: n d -> 1 d", "S(n) x S(d)"),
    torch_true("PyG StdAggregation", pyg("torch_geometric.nn:StdAggregation"), "x: n d -> 1 d", "S(n)"),
    torch_true("PyG AttentionalAggregation", lambda: (lambda m: lambda x: m(x))(seeded(lambda: named("torch_geometric.nn:AttentionalAggregation")()(nn.Linear(4, 1)))()), "x: n 4 -> 1 4", "S(n)"),
    torch_true("PyG Set2Set", pyg("torch_geometric.nn:Set2Set", 4, 2), "x: n 4 -> 1 8", "S(n)"),
    torch_true("PyG DeepSetsAggregation", seeded(lambda: named("torch_geometric.nn:DeepSetsAggregation")()(nn.Linear(4, 4), nn.Linear(4, 2))), "x: n 4 -> 1 2", "S(n)"),
    torch_true("PyG DenseGCNConv", pyg("torch_geometric.nn:DenseGCNConv", 4, 3), "x: b n 4, a: b n n -> b n 3", "S(b) x S(n)", draw="positive"),
    true("OLS standard errors", lambda: ols_standard_errors, "X: n 2, y: n -> 2", "S(n) x S(2)", sizes={"n": (5, 8)}),
    true("White covariance", lambda: white_covariance, "X: n d, y: n -> d^ d^", "S(n) x O(d)", sizes={"n": (6, 8), "d": 2}),
    true("logistic by Newton", lambda: logistic_newton, "X: n d, y: n -> d", "S(n) x O(d)"),
    true("lasso by ISTA", lambda: lasso_ista, "X: n d, y: n -> d", "S(n) x S(d)"),
    true("Moran's I", lambda: moran, "x: n, W: n n -> ()", "S(n)", draw="positive"),
    true("silhouette", lambda: silhouette, "X: n d, y[2]: n -> ()", "S(n) x E(d)"),
    true("pairs above the diagonal", lambda: dbi_pairs, "X: n d -> ()", "S(n) x E(d)"),
    true("Coulomb matrix spectrum", lambda: coulomb_matrix_eigs, "Z: n, R: n 3 -> n!", "S(n) x E(3)", draw="positive"),
    true("gyration tensor", lambda: radius_of_gyration_tensor, "X: n 3, m: n -> 3^ 3^", "S(n) x E(3)", draw="positive"),
    true("nearest mean distance", lambda: nearest_mean, "X: n d -> ()", "S(n) x E(d)"),
    true("nearest mean distance scaled", lambda: lambda X: np.log(nearest_mean(X)) - np.log(np.linalg.norm(X)), "X: n d -> ()", "Scale(d)"),
    true("Steinhardt 4", lambda: steinhardt_q4, "X: n 3 -> n", "S(n) x E(3)"),
    true("structure factor", lambda: structure_factor, "X: n 3 -> ()", "S(n) x T(3)"),
    jax_true("SVGD in JAX", jax_svgd, "X: n d -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("segment maxima", jax_segment_max, "x: n, s[3]: n -> 3", "S(n)", backend="jax"),
    jax_true("boids in JAX", jax_boids, "x: n d, v: n d^ -> n d^", "S(n) x E(d)", backend="jax"),
    jax_true("flax attention pooling", flax_attention_pool, "x: b n 4 -> b 4", "S(b) x S(n)", backend="jax"),
    # false ones
    torch_false("Chamfer of one side scaled", lambda: lambda x, y: chamfer(x * torch.tensor([1.0, 1.0, 1.2]), y * torch.tensor([1.0, 1.0, 1.2])), "x: n 3, y: m 3 -> ()", "O(3)"),
    torch_false("NT-Xent, half alone", lambda: nt_xent_cat, "a: n d, b: n! d -> ()", "S(n)"),
    torch_false("SimCLR interleaved", lambda: lambda z: simclr(z), "z: n d -> ()", "S(n)", sizes={"n": 6}),
    torch_false("SupCon, labels kept", lambda: sup_con, "z: n d, y[3]: n! -> ()", "S(n)"),
    torch_false("distances to neighbours scaled", lambda: knn_features, "x: n d -> n", "Scale(d)", sizes=SETS),
    torch_false("pairwise hinge above the diagonal", lambda: lambda s, r: F.relu(1 - (s[:, None] - s[None])).triu(1).sum(), "s: n, r: n -> ()", "S(n)"),
    torch_false("Morse forces in a field", lambda: lambda x: morse_forces(x) + 0.1 * x**3, "x: n d -> n d^", "T(d)"),
    torch_false("stress unsymmetrised of places", lambda: lambda x: stress(x * torch.arange(1.0, len(x) + 1)[:, None]), "x: n 3 -> 3^ 3^", "S(n)"),
    torch_false("cosine attention, first kept", lambda: (lambda m: lambda x, keep: m(x, keep | (torch.arange(x.shape[0]) == 0)))(seeded(CosineAttention)()), "x: n 6, keep[bool]: n -> n 6", "S(n)"),
    torch_false("slots, last row", lambda: (lambda m: lambda x: m(x) + x[:, -1:])(seeded(SlotPool)()), "x: b n 4 -> b 3 4", "S(n)"),
    torch_false("nn.LocalResponseNorm of channels", lambda: nn.LocalResponseNorm(3), "x: b c h w -> b c h w", "S(c)", sizes={"c": 5}),
    torch_false("nn.CrossEntropyLoss weighted", lambda: nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0])), "x: n c, y[c]: n -> ()", "S(c)", sizes={"c": 3}),
    torch_false("PyG Set2Set of order", lambda: (lambda m: lambda x: m(x.cumsum(0)))(pyg("torch_geometric.nn:Set2Set", 4, 2)()), "x: n 4 -> 1 8", "S(n)"),
    false("OLS standard errors scaled", lambda: ols_standard_errors, "X: n 2, y: n! -> 2", "S(n)", sizes={"n": (5, 8)}),
    false("lasso rotated", lambda: lasso_ista, "X: n d, y: n -> d", "O(d)"),
    false("Kalman shuffled", lambda: kalman, "y: n -> ()", "S(n)", sizes={"n": (3, 5)}),
    false("silhouette, labels kept", lambda: silhouette, "X: n d, y[2]: n! -> ()", "S(n)"),
    false("pairs, neighbours in the list", lambda: lambda X: np.exp(-np.sum((X[:-1] - X[1:]) ** 2, 1)).sum(), "X: n d -> ()", "S(n)"),
    false("Coulomb matrix unsorted", lambda: lambda Z, R: np.outer(Z, Z)[0] * R[:, 0], "Z: n, R: n 3 -> n", "O(3)"),
    false("structure factor rotated", lambda: structure_factor, "X: n 3 -> ()", "O(3)"),
    false("nearest mean distance anisotropic", lambda: lambda X: nearest_mean(X * np.array([1.0, 2.0])), "X: n 2 -> ()", "O(2)"),
    jax_false("SVGD translated", jax_svgd, "X: n d -> n d", "T(d)", backend="jax"),
    jax_false("segment maxima of kept segments", jax_segment_max, "x: n, s[3]: n! -> 3", "S(n)", backend="jax"),
    jax_false("boids, velocities turned alone", jax_boids, "x: n d!, v: n d -> n d", "O(d)", backend="jax"),
]  # fmt: skip
