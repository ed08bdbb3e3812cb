"""What users write themselves: NumPy and einops idioms, geometry, statistics of tables and of spectra."""

from __future__ import annotations

import einops
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import family

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


# Statistics of tables of cells and genes, with functions of NumPy.
def normalize_total(X):
    counts = X.sum(axis=1)
    return X / counts[:, None] * np.median(counts)


def log_normalize(X):
    return np.log1p(normalize_total(X))


def dispersions(X):
    mean, var = X.mean(0), X.var(0, ddof=1)
    mean[mean == 0] = 1e-12
    return var / mean


def fold_changes(X, labels):
    a, b = X[labels], X[~labels]
    return np.log2((a.mean(0) + 1e-9) / (b.mean(0) + 1e-9))


def regress_out(X, y):
    y = y - y.mean()
    slope = (y @ (X - X.mean(0))) / (y @ y)
    return X - np.outer(y, slope)


def t_scores(X, Y):
    return (X.mean(0) - Y.mean(0)) / np.sqrt(X.var(0, ddof=1) / len(X) + Y.var(0, ddof=1) / len(Y))


def gini(x):
    x = np.sort(x)
    n = len(x)
    return (2 * np.sum((np.arange(n) + 1) * x) / (n * x.sum())) - (n + 1) / n


def confusion(y, p):
    M = np.zeros((3, 3))
    np.add.at(M, (y, p), 1)
    return M


def winsorize(x):
    low, high = np.percentile(x, [5, 95])
    return np.clip(x, low, high)


def mad(x):
    return np.median(np.abs(x - np.median(x)))


def bootstrap_free_ci(x):
    return np.array(
        [x.mean() - 1.96 * x.std(ddof=1) / np.sqrt(len(x)), x.mean() + 1.96 * x.std(ddof=1) / np.sqrt(len(x))]
    )


# Geometry.
def kabsch_rmsd(P, Q):
    P, Q = P - P.mean(0), Q - Q.mean(0)
    s = np.linalg.svd(P.T @ Q, compute_uv=False)
    return (P**2).sum() + (Q**2).sum() - 2 * s.sum()


def gyration(X):
    X = X - X.mean(axis=0)
    return X.T @ X / X.shape[0]


def inertia(m, X):
    r2 = (X**2).sum(-1)
    return np.einsum("i,i,ab->ab", m, r2, np.eye(3)) - np.einsum("i,ia,ib->ab", m, X, X)


def dihedral(a, b, c, d):
    b1, b2, b3 = b - a, c - b, d - c
    n1, n2 = np.cross(b1, b2), np.cross(b2, b3)
    return n1 @ n2 / (np.linalg.norm(n1) * np.linalg.norm(n2))


def bond_angles(X):
    u, v = X[:-2] - X[1:-1], X[2:] - X[1:-1]
    return (u * v).sum(1) / (np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1))


def polygon_area(P):
    x, y = P[:, 0], P[:, 1]
    return 0.5 * np.abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


def chamfer(P, Q):
    d = np.linalg.norm(P[:, None, :] - Q[None, :, :], axis=-1)
    return d.min(axis=1).mean() + d.min(axis=0).mean()


def lennard_jones(X):
    n = len(X)
    i, j = np.triu_indices(n, k=1)
    r2 = ((X[i] - X[j]) ** 2).sum(-1)
    return (4 * (1 / r2**6 - 1 / r2**3)).sum()


def coulomb(q, X):
    d = X[:, None] - X[None]
    r = np.sqrt((d**2).sum(-1))
    np.fill_diagonal(r, np.inf)
    return (q[:, None] * q[None] / r).sum() / 2


def forces(X):
    d = X[:, None, :] - X[None, :, :]
    r2 = (d**2).sum(-1) + np.eye(len(X))
    return (d / r2[..., None] ** 2).sum(axis=1)


def boids(X, V):
    center = X.mean(0)
    away = X[:, None] - X[None]
    near = np.linalg.norm(away, axis=-1) < 1.0
    return V + 0.1 * (center - X) + (away * near[..., None]).sum(1)


def homography_free_normalize(P):
    c = P.mean(0)
    s = np.sqrt(2) / np.sqrt(((P - c) ** 2).sum(1)).mean()
    return (P - c) * s


# Graphs as matrices.
def normalized_adjacency(A):
    A = A + np.eye(A.shape[0])
    d = A.sum(1)
    return A / np.sqrt(np.outer(d, d))


def pagerank(A):
    n = A.shape[0]
    P = A / A.sum(1, keepdims=True)
    x = np.full(n, 1 / n)
    for _ in range(5):
        x = 0.85 * x @ P + 0.15 / n
    return x


def clustering(A):
    A = A * (1 - np.eye(len(A)))
    triangles = np.diag(A @ A @ A)
    k = A.sum(1)
    return triangles / (k * (k - 1) + 1)


def modularity(A, labels):
    k = A.sum(1)
    m = A.sum() / 2
    same = labels[:, None] == labels[None, :]
    return ((A - np.outer(k, k) / (2 * m)) * same).sum() / (2 * m)


def cut(A, s):
    return (np.where(s[:, None] != s[None], A, 0)).sum() / 2


# Signals.
def autocorrelation(x):
    f = np.fft.fft(x)
    return np.fft.ifft(f * np.conj(f)).real


def power_spectrum(x):
    return np.abs(np.fft.rfft(x)) ** 2


def moving_average(x):
    return (x + np.roll(x, 1) + np.roll(x, -1)) / 3


def laplace_2d(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


def circular_mean(t):
    return np.hypot(np.cos(t).mean(), np.sin(t).mean())


# einops.
def patches(x):
    return einops.rearrange(x, "(h p) (w q) c -> (h w) (p q c)", p=2, q=2)


def multi_head(x):
    h = einops.rearrange(x, "n (h d) -> h n d", h=2)
    a = torch.softmax(einops.einsum(h, h, "h i d, h j d -> h i j") / 2, -1)
    return einops.rearrange(einops.einsum(a, h, "h i j, h j d -> h i d"), "h n d -> n (h d)")


# Losses and layers as users write them in torch.
def info_nce(x, y):
    x, y = F.normalize(x, dim=-1), F.normalize(y, dim=-1)
    logits = x @ y.t() / 0.07
    labels = torch.arange(x.shape[0], device=x.device)
    return F.cross_entropy(logits, labels)


def barlow(x, y):
    x, y = (x - x.mean(0)) / x.std(0), (y - y.mean(0)) / y.std(0)
    c = x.T @ y / x.shape[0]
    on = torch.diagonal(c).add(-1).pow(2).sum()
    off = c.flatten()[:-1].view(c.shape[0] - 1, c.shape[0] + 1)[:, 1:].flatten().pow(2).sum()
    return on + 0.005 * off


def vicreg_variance(x):
    return F.relu(1 - torch.sqrt(x.var(dim=0) + 1e-4)).mean()


def dice(p, t):
    p = p.sigmoid().reshape(-1)
    t = t.reshape(-1)
    return 1 - (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1)


def masked_mean(x, keep):
    m = keep.unsqueeze(-1).to(x.dtype)
    return (x * m).sum(0) / m.sum(0).clamp(min=1)


def masked_max(x, keep):
    return x.masked_fill(~keep[:, None], float("-inf")).max(0).values


def nearest(x):
    d = torch.cdist(x, x)
    d = d.masked_fill(torch.eye(len(x), dtype=torch.bool), float("inf"))
    return d.min(1).values


def k_smallest(x):
    return torch.topk(x, 2, largest=False).values


def mmd(x, y):
    def k(a, b):
        return torch.exp(-torch.cdist(a, b).pow(2) / 2)

    return k(x, x).mean() + k(y, y).mean() - 2 * k(x, y).mean()


def gram_loss(x):
    n, c, h, w = x.shape
    f = x.view(n, c, h * w)
    return torch.bmm(f, f.transpose(1, 2)) / (c * h * w)


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("nd,nm->dm", k, v)
    z = 1 / (torch.einsum("nd,d->n", q, k.sum(0)) + 1e-6)
    return torch.einsum("nd,dm,n->nm", q, kv, z)


class SetTransformerPool(nn.Module):
    """Attention of a learnt query, and a norm."""

    def __init__(self, d=8):
        super().__init__()
        self.seed = nn.Parameter(torch.randn(1, 1, d))
        self.attention = nn.MultiheadAttention(d, 2, batch_first=True)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        """The layer."""
        s = self.seed.expand(x.shape[0], -1, -1)
        h, _ = self.attention(s, x, x)
        return self.norm(h + s).squeeze(1)


class PermutationEquivariant(nn.Module):
    """Each row, less the maximum of all."""

    def __init__(self):
        super().__init__()
        self.gamma, self.lam = nn.Linear(3, 5), nn.Linear(3, 5, bias=False)

    def forward(self, x):
        """The layer."""
        xm, _ = x.max(dim=0, keepdim=True)
        return self.gamma(x) - self.lam(xm)


class PointNet(nn.Module):
    """Layers of each point, then the maximum."""

    def __init__(self):
        super().__init__()
        self.conv1, self.bn = nn.Conv1d(3, 8, 1), nn.BatchNorm1d(8)
        self.conv2 = nn.Conv1d(8, 16, 1)

    def forward(self, x):
        """The layer."""
        x = F.relu(self.bn(self.conv1(x)))
        return torch.max(self.conv2(x), 2)[0]


class SpectralFilter(nn.Module):
    """A polynomial of a graph's Laplacian."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))

    def forward(self, a, x):
        """The layer."""
        lap = torch.diag(a.sum(1)) - a
        out, h = self.w[0] * x, x
        for k in range(1, 3):
            h = lap @ h
            out = out + self.w[k] * h
        return out


def built(kind):
    def make():
        torch.manual_seed(0)
        return kind().eval()

    return make


def halves(x):
    n = x.shape[0]
    if n % 2:
        x = np.append(x, 0.0)
    return x.sum()


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


CLAIMS = [
    true("cells normalize_total", lambda: normalize_total, "X: n g -> n g", "S(n) x S(g)", draw="positive"),
    true("cells log_normalize", lambda: log_normalize, "X: n g -> n g", "S(n) x S(g)", draw="positive"),
    true("cells dispersions", lambda: dispersions, "X: n g -> g", "S(n) x S(g)", draw="positive", sizes={"n": (2, 6)}),
    true("cells fold changes", lambda: fold_changes, "X: n g, labels[bool]: n -> g", "S(n)", draw="positive", sizes={"n": (9, 10)}),
    true("cells regress_out", lambda: regress_out, "X: n g, y: n -> n g", "S(n) x S(g)"),
    true("cells t_scores", lambda: t_scores, "X: n g, Y: m g -> g", "S(n) x S(m)"),
    true("gini", lambda: gini, "x: n -> ()", "S(n)", draw="positive"),
    true("winsorize", lambda: winsorize, "x: n -> n", "S(n)"),
    true("median absolute deviation", lambda: mad, "x: n -> ()", "S(n)"),
    true("confidence interval", lambda: bootstrap_free_ci, "x: n -> 2", "S(n)", sizes={"n": (2, 6)}),
    true("argmax one hot", lambda: lambda x: np.eye(x.shape[1])[x.argmax(1)], "x: n c -> n c", "S(n)"),
    true("unique counts", lambda: lambda x: np.unique(x, return_counts=True)[1].max(), "x[5]: n -> ()", "S(n)"),
    true("bincount labels", lambda: lambda y: np.bincount(y, minlength=4) / len(y), "y[4]: n -> 4", "S(n)"),
    true("confusion matrix", lambda: confusion, "y[3]: n, p[3]: n -> 3 3", "S(n)"),
    true("covariance by hand", lambda: lambda X: (X - X.mean(0)).T @ (X - X.mean(0)) / (len(X) - 1), "X: n d -> d^ d^", "S(n) x E(d)", sizes={"n": (2, 6)}),
    true("histogram with range", lambda: lambda x: np.histogram(x, bins=4, range=(-1, 1))[0], "x: n -> 4", "S(n)"),
    true("digitize means", lambda: lambda x: np.where(np.digitize(x, [-0.5, 0.5]) == 1, x, 0).sum(), "x: n -> ()", "S(n)"),
    true("weighted quantile", lambda: lambda x, w: np.average(x, weights=w), "x: n, w: n -> ()", "S(n)", draw="positive"),
    true("mahalanobis", lambda: lambda X: np.einsum("ni,ij,nj->n", X - X.mean(0), np.linalg.inv(np.cov(X, rowvar=False)), X - X.mean(0)), "X: n 2 -> n", "S(n)", sizes={"n": (4, 7)}),
    true("kabsch", lambda: kabsch_rmsd, "P: n 3, Q: n 3 -> ()", "O(3) x S(n)"),
    true("gyration tensor", lambda: gyration, "X: n 3 -> 3^ 3^", "E(3) x S(n)"),
    true("inertia tensor", lambda: inertia, "m: n, X: n 3 -> 3 3", "O(3) x S(n)"),
    true("dihedral", lambda: dihedral, "a: 3, b: 3, c: 3, d: 3 -> ()", "E(3)"),
    true("bond angles", lambda: bond_angles, "X: n d -> m", "E(d)", sizes={"n": (4, 4), "m": (2, 2)}),
    true("polygon area", lambda: polygon_area, "P: n 2 -> ()", "D(n)"),
    true("chamfer distance", lambda: chamfer, "P: n d, Q: m d -> ()", "E(d) x S(n) x S(m)"),
    true("lennard-jones by triu_indices", lambda: lennard_jones, "X: n 3 -> ()", "E(3) x S(n)"),
    true("coulomb with inf diagonal", lambda: coulomb, "q: n, X: n 3 -> ()", "E(3) x S(n)"),
    true("pair forces", lambda: forces, "X: n d -> n d^", "E(d) x S(n)"),
    true("boids", lambda: boids, "X: n d, V: n d^ -> n d^", "E(d) x S(n)"),
    true("normalised points", lambda: homography_free_normalize, "P: n 2 -> n 2^", "E(2) x S(n)"),
    true("cross product", lambda: np.cross, "a: n 3, b: n 3 -> n 3", "SO(3)"),
    true("normalized adjacency", lambda: normalized_adjacency, "A: n n -> n n", "S(n)", draw="positive"),
    true("pagerank", lambda: pagerank, "A: n n -> n", "S(n)", draw="positive"),
    true("clustering", lambda: clustering, "A: n n -> n", "S(n)", draw="positive"),
    true("modularity", lambda: modularity, "A: n n, labels[3]: n -> ()", "S(n)", draw="positive"),
    true("cut", lambda: cut, "A: n n, s[2]: n -> ()", "S(n)"),
    true("moving average", lambda: moving_average, "x: n -> n", "D(n)"),
    true("power spectrum", lambda: lambda x: np.abs(np.fft.fft(x)) ** 2 @ np.ones(len(x)), "x: n -> ()", "C(n)"),
    true("laplacian of a torus", lambda: laplace_2d, "u: n m -> n m", "C(n) x C(m)"),
    true("circular mean", lambda: circular_mean, "t: n -> ()", "S(n)"),
    true("total energy of spins", lambda: lambda s: -(s * np.roll(s, 1)).sum(), "s: n -> ()", "D(n)"),
    true("opposite neighbour", lambda: lambda x: x + np.roll(x, len(x) // 2), "x: n -> n", "C(n)"),
    true("padding to even", lambda: halves, "x: n -> ()", "S(n)"),
    true("stacked moments", lambda: lambda X: np.concatenate([X.mean(0), X.std(0), X.max(0)]), "X: n 3 -> 9", "S(n)"),
    true("apply_along_axis", lambda: lambda X: np.apply_along_axis(lambda r: r / r.sum(), 1, X), "X: n d -> n d", "S(n)", draw="positive"),
    true("list comprehension", lambda: lambda X: np.array([np.linalg.norm(x) for x in X]), "X: n d -> n", "S(n) x O(d)", sizes={"n": 4}),
    true("einops pooled", lambda: lambda x: einops.reduce(x, "n h w c -> n c", "mean"), "x: n h w c -> n c", "S(h) x S(w) x S(n)"),
    true("einops repeat", lambda: lambda x: einops.repeat(x, "n d -> n k d", k=3).sum(1), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("einops heads", lambda: multi_head, "x: n 8 -> n 8", "S(n)"),
    torch_true("InfoNCE", lambda: info_nce, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("Barlow twins", lambda: barlow, "x: n c, y: n c -> ()", "S(n)"),
    torch_true("VICReg variance", lambda: vicreg_variance, "x: n c -> ()", "S(n) x S(c)"),
    torch_true("dice loss", lambda: dice, "p: n h w, t: n h w -> ()", "S(h) x S(w)", draw="positive"),
    torch_true("masked mean", lambda: masked_mean, "x: n d, keep[bool]: n -> d", "S(n) x O(d)"),
    torch_true("masked max", lambda: masked_max, "x: n d, keep[bool]: n -> d", "S(n)", sizes={"n": (12, 13)}),
    torch_true("nearest other", lambda: nearest, "x: n d -> n", "S(n) x E(d)"),
    torch_true("two smallest", lambda: k_smallest, "x: n -> 2", "S(n)"),
    torch_true("MMD", lambda: mmd, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    torch_true("style Gram", lambda: gram_loss, "x: b c h w -> b c c", "S(c) x S(h) x S(w)"),
    torch_true("linear attention", lambda: linear_attention, "q: m d, k: n d, v: n e -> m e", "S(n) x O(e)"),
    torch_true("set transformer pool", built(SetTransformerPool), "x: b n 8 -> b 8", "S(n)"),
    torch_true("deep sets max layer", built(PermutationEquivariant), "x: n 3 -> n 5", "S(n)"),
    torch_true("PointNet", built(PointNet), "x: b 3 n -> b 16", "S(n)"),
    torch_true("spectral filter", built(SpectralFilter), "a: n n, x: n c -> n c", "S(n)"),
    torch_true("gumbel-free hard attention", lambda: lambda x: F.one_hot(x.argmax(-1), 4).to(x.dtype), "x: n 4 -> n 4", "S(n)"),
    torch_true("index_add pooling", lambda: lambda x, g: torch.zeros(3, x.shape[1], dtype=x.dtype).index_add(0, g, x), "x: n d, g[3]: n -> 3 d", "S(n) x O(d)"),
    torch_true("scatter mean", lambda: lambda x, g: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, g, x, "mean", include_self=False), "x: n, g[3]: n -> 3", "S(n)"),
    torch_true("cholesky log det", lambda: lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(len(x), dtype=x.dtype)).diagonal().log().sum(), "x: n d -> ()", "O(d)"),
    torch_true("log det", lambda: lambda x: torch.logdet(x @ x.T + torch.eye(len(x), dtype=x.dtype)), "x: n d -> ()", "S(n) x O(d)"),
    jax_true("jax pairwise", lambda: jax_pairwise, "x: n d -> n n", "S(n) x E(d)", backend="jax"),
    jax_true("jax attention", lambda: jax_attention, "x: n d -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("jax layer norm", lambda: jax_layer_norm, "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("optax l2", optax_loss("l2_loss"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax huber", optax_loss("huber_loss"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax cosine", optax_loss("cosine_distance"), "x: n d, y: n d -> ()", "O(d)", backend="jax"),
    jax_true("optax sigmoid", optax_loss("sigmoid_binary_cross_entropy"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax softmax", optax_loss("softmax_cross_entropy"), "x: n c, y: n c -> ()", "S(n) x S(c)", backend="jax"),
    false("cells rank of genes", lambda: lambda X: np.cumsum(X.mean(0)) / X.mean(0).sum(), "X: n g -> g", "S(g)", draw="positive"),
    false("cells first cell", lambda: lambda X: X / X[0].sum(), "X: n g -> n g", "S(n)", draw="positive"),
    false("gini unsorted", lambda: lambda x: ((np.arange(len(x)) + 1) * x).sum() / x.sum(), "x: n -> ()", "S(n)", draw="positive"),
    false("gyration diagonal", lambda: lambda X: np.diag(gyration(X)), "X: n 3 -> 3", "O(3)"),
    false("bond angles reordered", lambda: lambda X: bond_angles(X).sum(), "X: n d -> ()", "S(n)", sizes={"n": (4, 6)}),
    false("polygon area shuffled", lambda: polygon_area, "P: n 2 -> ()", "S(n)", sizes={"n": (4, 6)}),
    false("chamfer city block", lambda: lambda P, Q: np.abs(P[:, None] - Q[None]).sum(-1).min(1).mean(), "P: n d, Q: m d -> ()", "O(d)"),
    false("forces reflected", lambda: lambda X, V: np.cross(X, V), "X: n 3, V: n 3 -> n 3", "O(3)"),
    false("pagerank with a seed", lambda: lambda A: pagerank(A) + np.eye(len(A))[0], "A: n n -> n", "S(n)", draw="positive"),
    false("winsorize reversed", lambda: lambda x: winsorize(x)[::-1], "x: n -> n", "S(n)"),
    false("histogram of ranks", lambda: lambda x: np.histogram(x * np.arange(len(x)), bins=4, range=(-1, 1))[0], "x: n -> 4", "S(n)"),
    false("moving average cut", lambda: lambda x: np.convolve(x, np.ones(3) / 3, mode="same"), "x: n -> n", "C(n)", sizes={"n": (3, 8)}),
    false("weights by position", lambda: lambda x: np.average(x, weights=np.linspace(1, 2, len(x))), "x: n -> ()", "S(n)"),
    false("median rotated", lambda: lambda X: np.median(X, axis=0), "X: n d -> d", "O(d)"),
    torch_false("einops heads rotated", lambda: multi_head, "x: n 8 -> n 8", "O(8)"),
    torch_false("InfoNCE translated", lambda: info_nce, "x: n d, y: n d -> ()", "T(d)"),
    torch_false("Barlow rotated", lambda: barlow, "x: n c, y: n c -> ()", "O(c)"),
    torch_false("masked max rotated", lambda: masked_max, "x: n d, keep[bool]: n -> d", "O(d)", sizes={"n": (12, 13)}),
    torch_false("two smallest by position", lambda: lambda x: torch.topk(x, 2, largest=False).values + x[0], "x: n -> 2", "S(n)"),
    torch_false("linear attention keys rotated", lambda: linear_attention, "q: m d, k: n d, v: n e -> m e", "O(d)"),
    torch_false("scatter of positions", lambda: lambda x: torch.zeros(3, dtype=x.dtype).index_add(0, torch.arange(len(x)) % 3, x), "x: n -> 3", "S(n)"),
    torch_false("PointNet rotated", built(PointNet), "x: b 3 n -> b 16", "O(3)"),
    jax_false("jax attention translated", lambda: jax_attention, "x: n d -> n d", "E(d)", backend="jax"),
    jax_false("jax causal", lambda: jax_causal, "x: n d -> n d", "S(n)", backend="jax"),
    jax_false("optax softmax one side", optax_loss("softmax_cross_entropy"), "x: n c, y: n c -> ()", "O(c)", backend="jax"),
]  # fmt: skip
