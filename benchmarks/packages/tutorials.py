"""Plain code of tutorials and papers: point clouds, graphs, signals, ranking, contrast, transport, series."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


# Point clouds.
def unit_sphere(P):
    P = P - P.mean(axis=0)
    return P / np.max(np.sqrt(np.sum(P**2, axis=1)))


def kabsch(P, Q):
    p, q = P - P.mean(axis=0), Q - Q.mean(axis=0)
    H = p.T @ q
    U, _, Vt = np.linalg.svd(H)
    d = np.sign(np.linalg.det(Vt.T @ U.T))
    R = Vt.T @ np.diag([1.0, 1.0, d]) @ U.T
    return np.sqrt(((p @ R.T - q) ** 2).sum() / len(P))


def procrustes_disparity(A, B):
    A, B = A - A.mean(0), B - B.mean(0)
    A, B = A / np.linalg.norm(A), B / np.linalg.norm(B)
    s = np.linalg.svd(A.T @ B, compute_uv=False)
    return 1 - s.sum() ** 2


def pca_spectrum(X):
    Xc = X - X.mean(axis=0)
    cov = np.cov(Xc, rowvar=False)
    return np.sort(np.linalg.eigvalsh(cov))[::-1]


def pca_distances(X):
    Xc = X - X.mean(0)
    _, V = np.linalg.eigh(Xc.T @ Xc / len(X))
    Y = Xc @ V
    return np.sqrt(((Y[:, None] - Y[None]) ** 2).sum(-1))


def pca_aligned(X):
    Xc = X - X.mean(0)
    _, V = np.linalg.eigh(Xc.T @ Xc)
    return Xc @ V


def asphericity(X):
    Xc = X - X.mean(0)
    T = Xc.T @ Xc / len(X)
    l1, l2, l3 = np.linalg.eigvalsh(T)
    return l3 - 0.5 * (l1 + l2)


def hausdorff(A, B):
    D = np.sqrt(((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2))
    return max(D.min(axis=1).max(), D.min(axis=0).max())


def knn_mean(X, k=2):
    D = ((X[:, None] - X[None, :]) ** 2).sum(-1)
    idx = np.argpartition(D, k, axis=1)[:, : k + 1]
    return X[idx].mean(axis=1)


def mst_length(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    n = len(X)
    inside = np.zeros(n, dtype=bool)
    inside[0] = True
    best, total = D[0].copy(), 0.0
    for _ in range(n - 1):
        j = np.argmin(np.where(inside, np.inf, best))
        total += best[j]
        inside[j] = True
        best = np.minimum(best, D[j])
    return total


def steinhardt(X):
    d = X[:, None] - X[None]
    r = np.sqrt((d**2).sum(-1)) + np.eye(len(X))
    u = d / r[..., None]
    c = np.einsum("ija,ika->ijk", u, u)
    return (0.5 * (3 * c**2 - 1)).mean(axis=(1, 2))


def acsf_g2(X, eta=0.5, rs=1.0, rc=4.0):
    r = np.linalg.norm(X[:, None] - X[None], axis=-1)
    fc = np.where(r < rc, 0.5 * (np.cos(np.pi * r / rc) + 1), 0.0)
    g = np.exp(-eta * (r - rs) ** 2) * fc
    return g.sum(1) - np.diag(g)


def acsf_g4(X, zeta=2, eta=0.1):
    d = X[None, :] - X[:, None]
    r = np.sqrt((d**2).sum(-1) + 1e-12)
    cos = np.einsum("ija,ika->ijk", d, d) / (r[:, :, None] * r[:, None, :])
    g = (1 + cos) ** zeta * np.exp(-eta * (r[:, :, None] ** 2 + r[:, None, :] ** 2))
    return g.sum(axis=(1, 2))


def bag_of_bonds(Z, X):
    r = np.linalg.norm(X[:, None] - X[None], axis=-1)
    i, j = np.triu_indices(len(X), 1)
    return np.sort(Z[i] * Z[j] / r[i, j])[::-1]


def torsion_energy(X):
    b = np.diff(X, axis=0)
    n = np.cross(b[:-1], b[1:])
    n = n / np.linalg.norm(n, axis=1, keepdims=True)
    return np.sum(1 + (n[:-1] * n[1:]).sum(axis=1))


def signed_volume(a, b, c, d):
    return np.dot(a - d, np.cross(b - d, c - d)) / 6


def frechet_curve(P, Q):
    D = np.linalg.norm(P[:, None] - Q[None], axis=-1)
    C = np.zeros_like(D)
    for i in range(D.shape[0]):
        for j in range(D.shape[1]):
            before = [C[a, b] for a, b in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if a >= 0 and b >= 0]
            C[i, j] = max(min(before), D[i, j]) if before else D[i, j]
    return C[-1, -1]


def dtw(x, y):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = abs(x[i - 1] - y[j - 1]) + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


# Transport.
def sinkhorn(M, eps=0.5, rounds=20):
    n, m = M.shape
    K = np.exp(-M / eps)
    u, v = np.ones(n) / n, np.ones(m) / m
    for _ in range(rounds):
        u = (1 / n) / (K @ v)
        v = (1 / m) / (K.T @ u)
    return np.sum(u[:, None] * K * v[None, :] * M)


def log_sinkhorn(x, y):
    C = torch.cdist(x, y) ** 2
    f, g = torch.zeros(len(x), dtype=x.dtype), torch.zeros(len(y), dtype=x.dtype)
    for _ in range(5):
        f = -0.1 * torch.logsumexp((g[None] - C) / 0.1, 1)
        g = -0.1 * torch.logsumexp((f[:, None] - C) / 0.1, 0)
    P = torch.exp((f[:, None] + g[None] - C) / 0.1)
    return (P * C).sum() / P.sum()


def sliced_wasserstein(x, y):
    torch.manual_seed(0)
    theta = F.normalize(torch.randn(4, x.shape[1], dtype=x.dtype), dim=1)
    px, py = torch.sort(x @ theta.T, dim=0).values, torch.sort(y @ theta.T, dim=0).values
    return ((px - py) ** 2).mean()


def wasserstein_sorted(x, y):
    return np.mean(np.abs(np.sort(x) - np.sort(y)))


def energy_distance(X, Y):
    def d(A, B):
        return np.mean(np.linalg.norm(A[:, None] - B[None], axis=-1))

    return 2 * d(X, Y) - d(X, X) - d(Y, Y)


# Series and signals.
def acf(x, lags=3):
    x = x - x.mean()
    return np.array([1.0] + [np.sum(x[k:] * x[:-k]) for k in range(1, lags)]) / np.sum(x * x)


def circular_acf(x):
    x = x - x.mean()
    f = np.fft.rfft(x)
    r = np.fft.irfft(np.abs(f) ** 2, n=len(x))
    return r / r[0]


def circular_conv(x, k):
    n = len(x)
    i = (np.arange(n)[:, None] - np.arange(n)[None, :]) % n
    return k[i] @ x


def spectral_centroid(x):
    s = np.abs(np.fft.rfft(x))
    return (np.arange(len(s)) * s).sum() / s.sum()


def total_variation_ring(x):
    return np.abs(x - np.roll(x, -1)).sum()


def lorenz(x):
    s = np.cumsum(np.sort(x))
    return s / s[-1]


def gini_pairs(x):
    return np.abs(x[:, None] - x[None, :]).mean() / (2 * np.mean(x))


def hill(c, q=2.0):
    p = c / c.sum()
    return (p**q).sum() ** (1 / (1 - q))


def persistence_image(B, D):
    life = D - B
    u = np.linspace(0, 1, 3)
    return (life[:, None] * np.exp(-((B[:, None] - u) ** 2 + (life[:, None] - u) ** 2))).sum(0)


def betti_curve(B, D):
    t = np.linspace(0, 1, 4)
    return ((B[:, None] <= t) & (t < D[:, None])).sum(axis=0)


def persistence_entropy(B, D):
    life = D - B
    p = life / life.sum()
    return -(p * np.log(p)).sum()


# Ranking and classification.
def auc_pairs(scores, y):
    pos, neg = y[:, None] == 1, y[None, :] == 0
    wins = (scores[:, None] > scores[None, :]) + 0.5 * (scores[:, None] == scores[None, :])
    return (wins * (pos & neg)).sum() / np.maximum((pos & neg).sum(), 1)


def reciprocal_rank(scores, target):
    return 1.0 / (1 + (scores > (scores * target).sum()).sum())


def listnet(pred, gold):
    return -(torch.softmax(gold, -1) * torch.log_softmax(pred, -1)).sum(-1).mean()


def ranknet(s, y):
    d = s.unsqueeze(1) - s.unsqueeze(0)
    t = (y.unsqueeze(1) > y.unsqueeze(0)).to(s.dtype)
    return (F.binary_cross_entropy_with_logits(d, t, reduction="none") * (1 - torch.eye(len(s)))).mean()


def nt_xent(a, b, tau=0.5):
    z = F.normalize(torch.cat([a, b]), dim=1)
    n = a.shape[0]
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


def triplet_semi_hard(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None]
    loss = F.relu(d[:, :, None] - d[:, None, :] + margin)
    mask = same[:, :, None] & ~same[:, None, :]
    return (loss * mask).sum() / mask.sum().clamp(min=1)


def center_loss(z, y):
    onehot = F.one_hot(y, 3).to(z.dtype)
    count = onehot.sum(0).clamp(min=1)
    centers = onehot.T @ z / count[:, None]
    return ((z - centers[y]) ** 2).sum(1).mean()


def vicreg(x, y):
    n, d = x.shape
    sim = F.mse_loss(x, y)
    x = x - x.mean(dim=0)
    cov = (x.T @ x) / (n - 1)
    off = cov.pow(2).sum() - cov.diagonal().pow(2).sum()
    return 25 * sim + off / d


def dino(student, teacher):
    t = F.softmax((teacher - teacher.mean(0, keepdim=True)) / 0.04, dim=-1)
    return -(t * F.log_softmax(student / 0.1, dim=-1)).sum(-1).mean()


def focal(x, y, gamma=2.0):
    ce = F.cross_entropy(x, y, reduction="none")
    return ((1 - torch.exp(-ce)) ** gamma * ce).mean()


def lovasz_hinge(x, y):
    sign = 2.0 * y - 1.0
    err = 1.0 - x * sign
    err, perm = torch.sort(err, dim=0, descending=True)
    gt = y[perm].to(x.dtype)
    inter = gt.sum() - gt.cumsum(0)
    union = gt.sum() + (1 - gt).cumsum(0)
    jac = 1.0 - inter / union
    jac = torch.cat([jac[:1], jac[1:] - jac[:-1]])
    return torch.dot(F.relu(err), jac)


# Layers.
class GCN(nn.Module):
    """Two layers of a graph network on a dense adjacency."""

    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x, adj):
        """The network."""
        a = adj + torch.eye(adj.size(0), dtype=adj.dtype)
        deg = a.sum(dim=1)
        inv = deg.pow(-0.5)
        inv[torch.isinf(inv)] = 0.0
        a = torch.diag(inv) @ a @ torch.diag(inv)
        h = F.dropout(F.relu(a @ self.w1(x)), 0.5, self.training)
        return F.log_softmax(a @ self.w2(h), dim=1)


class GAT(nn.Module):
    """Attention over neighbours, as the first tutorials wrote it."""

    def __init__(self):
        super().__init__()
        self.W = nn.Parameter(torch.randn(4, 6) / 2)
        self.a = nn.Parameter(torch.randn(12, 1) / 2)

    def forward(self, h, adj):
        """The layer."""
        Wh = torch.mm(h, self.W)
        e = F.leaky_relu(torch.matmul(Wh, self.a[:6]) + torch.matmul(Wh, self.a[6:]).T, 0.2)
        e = torch.where(adj > 0, e, -9e15 * torch.ones_like(e))
        return F.elu(torch.matmul(F.softmax(e, dim=1), Wh))


class GIN(nn.Module):
    """A sum over neighbours, and a readout."""

    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.tensor(0.1))
        self.mlp = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)

    def forward(self, x, edge_index):
        """The network."""
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add_(0, dst, x[src])
        h = self.mlp((1 + self.eps) * x + agg)
        return self.out(h.mean(0))


class MessagePassing(nn.Module):
    """Messages of edges with features, a recurrent update."""

    def __init__(self):
        super().__init__()
        self.msg, self.upd = nn.Linear(4 + 4 + 2, 6), nn.GRUCell(6, 4)

    def forward(self, x, e, w):
        """The layer."""
        m = self.msg(torch.cat([x[e[0]], x[e[1]], w], dim=-1)).relu()
        out = torch.zeros(x.size(0), 6, dtype=x.dtype)
        out.scatter_add_(0, e[1].unsqueeze(-1).expand_as(m), m)
        return self.upd(out, x)


class SAB(nn.Module):
    """Multihead attention between sets, as the set transformer has it."""

    def __init__(self, d=8, heads=2):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.h, self.d = heads, d
        self.ln = nn.LayerNorm(d)

    def forward(self, X, Y):
        """The block."""
        Q, K, V = self.q(X), self.k(Y), self.v(Y)
        s = self.d // self.h
        Q_ = torch.cat(Q.split(s, 2), 0)
        K_ = torch.cat(K.split(s, 2), 0)
        V_ = torch.cat(V.split(s, 2), 0)
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / math.sqrt(self.d), 2)
        H = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        return self.ln(H + F.relu(self.o(H)))


class ISAB(nn.Module):
    """Attention through induced points."""

    def __init__(self):
        super().__init__()
        self.I = nn.Parameter(torch.randn(1, 3, 8))
        self.a, self.b = SAB(), SAB()

    def forward(self, X):
        """The block."""
        H = self.a(self.I.repeat(X.size(0), 1, 1), X)
        return self.b(X, H)


class PaiNNish(nn.Module):
    """Scalars and vectors that talk to each other."""

    def __init__(self):
        super().__init__()
        self.phi, self.U, self.gate = nn.Linear(4, 8), nn.Linear(4, 4, bias=False), nn.Linear(8, 4)

    def forward(self, s, v):
        """The layer: s of nodes and channels, v of nodes, coordinates and channels."""
        u = self.U(v)
        norm = torch.sqrt((u**2).sum(dim=1) + 1e-8)
        g = self.gate(torch.cat([s, norm], -1))
        return u * torch.sigmoid(g).unsqueeze(1)


class TFN(nn.Module):
    """Messages along directions, weighted by radial functions."""

    def __init__(self):
        super().__init__()
        self.centers = nn.Parameter(torch.linspace(0, 3, 5), requires_grad=False)
        self.radial = nn.Sequential(nn.Linear(5, 8), nn.SiLU(), nn.Linear(8, 4))

    def forward(self, f, pos):
        """The layer."""
        rij = pos[:, None, :] - pos[None, :, :]
        dist = rij.norm(dim=-1)
        rbf = torch.exp(-((dist[..., None] - self.centers) ** 2))
        w = self.radial(rbf)
        unit = rij / (dist[..., None] + 1e-8)
        return torch.einsum("ijc,jc,ijx->icx", w, f, unit)


class Mixer(nn.Module):
    """Tokens mixed by a linear layer of their places."""

    def __init__(self):
        super().__init__()
        self.token, self.channel = nn.Linear(5, 5), nn.Linear(4, 4)

    def forward(self, x):
        """The layer."""
        x = x + self.token(x.transpose(-1, -2)).transpose(-1, -2)
        return x + self.channel(x).relu()


class Mamba(nn.Module):
    """A selective scan, step by step."""

    def __init__(self):
        super().__init__()
        self.A = nn.Parameter(-torch.rand(4))
        self.B, self.C, self.dt = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        """The layer."""
        h, out = torch.zeros(4, dtype=x.dtype), []
        dt, B, C = F.softplus(self.dt(x)), self.B(x), self.C(x)
        for t in range(x.shape[0]):
            h = torch.exp(dt[t] * self.A) * h + dt[t] * B[t] * x[t]
            out.append(C[t] * h)
        return torch.stack(out)


def group_conv(x, w):
    return torch.stack([(x * torch.roll(w, s, 0)).sum() for s in range(x.shape[0])])


def rope(x):
    n, d = x.shape
    ang = torch.arange(n, dtype=x.dtype)[:, None] * 100 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1).flatten(1)


def deepset(x):
    h = np.tanh(x @ np.array([[1.0, -0.5], [0.25, 2.0], [1.5, 1.0]]))
    return np.maximum(h.sum(axis=0), 0)


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


GRAPH = "x: n 4, e[n]: 2 m -> "
PAIRS = "P: n 3, Q: n 3 -> ()"
CLAIMS = [
    # point clouds
    true("points to the unit sphere", lambda: unit_sphere, "P: n d -> n d^", "S(n) x E(d)"),
    true("Kabsch RMSD with sign", lambda: kabsch, PAIRS, "SE(3)", sizes={"n": (4, 6)}),
    true("Procrustes disparity", lambda: procrustes_disparity, "A: n 2, B: n 2 -> ()", "S(n) x E(2)", sizes={"n": (3, 6)}),
    true("PCA spectrum", lambda: pca_spectrum, "X: n d -> d!", "S(n) x E(d)", sizes={"n": (3, 6), "d": 3}),
    true("PCA distances", lambda: pca_distances, "X: n 3 -> n n", "S(n) x E(3)", sizes={"n": (5, 7)}),
    true("asphericity", lambda: asphericity, "X: n 3 -> ()", "S(n) x E(3)"),
    true("Hausdorff distance", lambda: hausdorff, "A: n d, B: m d -> ()", "S(n) x S(m) x E(d)"),
    true("minimum spanning tree", lambda: mst_length, "X: n d -> ()", "E(d)", sizes={"n": (3, 5)}),
    true("minimum spanning tree of a set", lambda: mst_length, "X: n d -> ()", "S(n)", sizes={"n": (3, 5)}),
    true("bond order of angles", lambda: steinhardt, "X: n d -> n", "S(n) x E(d)"),
    true("symmetry functions G2", lambda: acsf_g2, "X: n d -> n", "S(n) x E(d)"),
    true("symmetry functions G4", lambda: acsf_g4, "X: n d -> n", "S(n) x E(d)"),
    true("bag of bonds", lambda: bag_of_bonds, "Z: n, X: n d -> m", "S(n) x E(d)", sizes={"n": 4, "m": 6}),
    true("torsion energy", lambda: torsion_energy, "X: n 3 -> ()", "E(3)", sizes={"n": (4, 6)}),
    true("signed volume", lambda: signed_volume, "a: 3, b: 3, c: 3, d: 3 -> ()", "SE(3)"),
    true("discrete Frechet distance", lambda: frechet_curve, "P: n d, Q: m d -> ()", "E(d)", sizes={"n": (2, 4), "m": (2, 3)}),
    true("energy distance of samples", lambda: energy_distance, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    # transport
    true("Sinkhorn loop", lambda: sinkhorn, "M: n m -> ()", "S(n) x S(m)"),
    torch_true("Sinkhorn in logs", lambda: log_sinkhorn, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    torch_true("sliced Wasserstein", lambda: sliced_wasserstein, "x: n 3, y: n 3 -> ()", "S(n)"),
    true("sorted Wasserstein", lambda: wasserstein_sorted, "x: n, y: n -> ()", "S(n)"),
    # series
    true("circular autocorrelation", lambda: circular_acf, "x: n -> n!", "C(n)", sizes={"n": (3, 8)}),
    true("circular convolution by an index table", lambda: circular_conv, "x: n, k: n! -> n", "C(n)"),
    true("spectral centroid", lambda: spectral_centroid, "x: n -> ()", "C(n)", sizes={"n": (3, 8)}),
    true("total variation on a ring", lambda: total_variation_ring, "x: n -> ()", "D(n)"),
    true("Lorenz curve", lambda: lorenz, "x: n -> n!", "S(n)", draw="positive"),
    true("Gini of pairs", lambda: gini_pairs, "x: n -> ()", "S(n)", draw="positive"),
    true("Hill number", lambda: hill, "c: k -> ()", "S(k)", draw="positive"),
    true("persistence image", lambda: persistence_image, "B: n, D: n -> 3", "S(n)"),
    true("Betti curve", lambda: betti_curve, "B: n, D: n -> 4", "S(n)"),
    true("persistence entropy", lambda: lambda B, L: persistence_entropy(B, B + L), "B: n, L: n -> ()", "S(n)", draw="positive"),
    # ranking
    true("AUC of pairs", lambda: auc_pairs, "s: n, y[2]: n -> ()", "S(n)"),
    true("reciprocal rank", lambda: reciprocal_rank, "s: n, t: n -> ()", "S(n)"),
    torch_true("ListNet", lambda: listnet, "p: b n, g: b n -> ()", "S(b) x S(n)"),
    torch_true("RankNet", lambda: ranknet, "s: n, y: n -> ()", "S(n)"),
    torch_true("NT-Xent", lambda: nt_xent, "a: n d, b: n d -> ()", "S(n) x O(d)"),
    torch_true("triplets of all pairs", lambda: triplet_semi_hard, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("center loss", lambda: center_loss, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("VICReg", lambda: vicreg, "x: n d, y: n d -> ()", "S(n) x S(d)"),
    torch_true("DINO loss", lambda: dino, "s: n k, t: n k -> ()", "S(n) x S(k)"),
    torch_true("focal loss", lambda: focal, "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("Lovasz hinge", lambda: lovasz_hinge, "x: n, y[2]: n -> ()", "S(n)"),
    # layers
    torch_true("GCN dense", seeded(GCN), "x: n 4, a: n n -> n 3", "S(n)", draw="positive"),
    torch_true("GAT dense", seeded(GAT), "h: n 4, a: n n -> n 6", "S(n)"),
    torch_true("GIN readout", seeded(GIN), GRAPH + "2", "S(n)"),
    torch_true("message passing with a GRU", seeded(MessagePassing), "x: n 4, e[n]: 2 m, w: m 2 -> n 4", "S(n) x S(m)"),
    torch_true("set transformer SAB", seeded(SAB), "X: b n 8, Y: b m 8 -> b n 8", "S(n) x S(m)"),
    torch_true("set transformer ISAB", seeded(ISAB), "X: b n 8 -> b n 8", "S(n) x S(b)"),
    torch_true("vectors with gates of norms", seeded(PaiNNish), "s: n 4, v: n d 4 -> n d 4", "S(n) x O(d)"),
    torch_true("tensor field messages", seeded(TFN), "f: n 4, x: n d -> n 4 d^", "S(n) x E(d)"),
    torch_true("mixer batch", seeded(Mixer), "x: b 5 4 -> b 5 4", "S(b)"),
    torch_true("selective scan batch by vmap", lambda: (lambda m: lambda x: torch.stack([m(r) for r in x.unbind(0)]))(seeded(Mamba)()), "x: b 4 4 -> b 4 4", "S(b)", sizes={"b": (1, 4)}),
    torch_true("group convolution", lambda: group_conv, "x: n, w: n! -> n", "C(n)"),
    true("DeepSets of NumPy", lambda: deepset, "x: n 3 -> 2", "S(n)"),
    jax_true("EGNN in JAX", lambda: jax_egnn, "x: n d, h: n 1 -> n d", "S(n) x E(d)", backend="jax"),
    jax_true("k-means step in JAX", lambda: jax_kmeans_step, "x: n d, c: k d -> k d", "S(n) x O(d)", backend="jax"),
    jax_true("GCN in JAX", lambda: jax_gcn, "x: n 4, s[n]: m, r[n]: m -> n 4", "S(n) x S(m)", backend="jax"),
    jax_true("forces by jax.grad", lambda: jax_force, "x: n d -> n d^", "S(n) x E(d)", backend="jax"),
    jax_true("Sinkhorn by scan", lambda: jax_sinkhorn, "c: n m -> ()", "S(n) x S(m)", backend="jax"),
    # false ones
    false("points to the unit cube", lambda: lambda P: (P - P.min(0)) / (P.max(0) - P.min(0)).max(), "P: n d -> n d^", "O(d)"),
    false("Kabsch RMSD mirrored", lambda: lambda P, Q: kabsch(P, Q * np.array([1.0, 1.0, 1.0])), "P: n 3!, Q: n 3 -> ()", "O(3)", sizes={"n": (4, 6)}),
    false("PCA axes with signs", lambda: pca_aligned, "X: n 3 -> n 3!", "O(3)", sizes={"n": (5, 7)}),
    false("signed volume mirrored", lambda: signed_volume, "a: 3, b: 3, c: 3, d: 3 -> ()", "E(3)"),
    false("torsion energy of a set", lambda: torsion_energy, "X: n 3 -> ()", "S(n)", sizes={"n": (4, 6)}),
    false("kNN mean weighted", lambda: lambda X: knn_mean(X) * np.arange(1, 3), "X: n 2 -> n 2", "O(2)", sizes={"n": (4, 7)}),
    false("farthest points from index 0", lambda: lambda X: np.linalg.norm(X - X[0], axis=1).max(), "X: n d -> ()", "S(n)", sizes={"n": (3, 6)}),
    false("discrete Frechet distance of sets", lambda: frechet_curve, "P: n d, Q: m d -> ()", "S(n)", sizes={"n": (3, 4), "m": (3, 3)}),
    false("dynamic time warping shuffled", lambda: dtw, "x: n, y: m -> ()", "S(n)", sizes={"n": (3, 4), "m": (3, 3)}),
    false("autocorrelation of a window", lambda: acf, "x: n -> 3", "C(n)", sizes={"n": (4, 7)}),
    false("autocorrelation shuffled", lambda: circular_acf, "x: n -> n!", "S(n)", sizes={"n": (4, 7)}),
    false("spectral centroid shuffled", lambda: spectral_centroid, "x: n -> ()", "S(n)", sizes={"n": (4, 7)}),
    false("circular convolution without wrap", lambda: lambda x: np.convolve(x, [1.0, 0.5], "full")[: len(x)], "x: n -> n", "C(n)", sizes={"n": (3, 7)}),
    false("Lorenz curve unsorted", lambda: lambda x: np.cumsum(x) / x.sum(), "x: n -> n!", "S(n)", draw="positive"),
    false("Gini shifted", lambda: gini_pairs, "x: n -> ()", "T(n)", draw="positive"),
    false("persistence image in order", lambda: lambda B, D: np.cumsum(D - B)[0] * (D - B).sum(), "B: n, D: n -> ()", "S(n)"),
    false("NDCG with gains unsorted", lambda: lambda s, g: (g / np.log2(np.arange(2, len(g) + 2))).sum() * s.sum(), "s: n, g: n -> ()", "S(n)", draw="positive"),
    false("average precision by place", lambda: lambda s, y: (np.cumsum(y) / np.arange(1, len(y) + 1) * s).sum(), "s: n, y[2]: n -> ()", "S(n)"),
    false("reciprocal rank scaled", lambda: reciprocal_rank, "s: n, t: n -> ()", "T(n)"),
    torch_false("RankNet scaled", lambda: ranknet, "s: n, y: n -> ()", "Scale(n)"),
    torch_false("ListMLE without sorting", lambda: lambda s: (torch.logcumsumexp(s.flip(0), 0).flip(0) - s).sum(), "s: n -> ()", "S(n)"),
    torch_false("NT-Xent translated", lambda: nt_xent, "a: n d, b: n d -> ()", "T(d)"),
    torch_false("VICReg rotated one side", lambda: vicreg, "x: n d, y: n d! -> ()", "O(d)"),
    torch_false("Sinkhorn in logs, one side moved", lambda: log_sinkhorn, "x: n d, y: m d! -> ()", "T(d)"),
    torch_false("sliced Wasserstein rotated", lambda: sliced_wasserstein, "x: n 3, y: n 3 -> ()", "O(3)"),
    torch_false("GCN of node numbers", lambda: (lambda g: lambda x, a: g(x + torch.arange(len(x), dtype=x.dtype)[:, None], a))(seeded(GCN)()), "x: n 4, a: n n -> n 3", "S(n)", draw="positive"),
    torch_false("GAT neighbours one side", seeded(GAT), "h: n 4, a: n n! -> n 6", "S(n)"),
    torch_false("message passing, edges fixed", seeded(MessagePassing), "x: n 4, e[n]: 2 m, w: m! 2 -> n 4", "S(m)", sizes={"m": (3, 6)}),
    torch_false("set transformer SAB features", seeded(SAB), "X: b n v, Y: b m v -> b n v", "S(v)", sizes={"v": 8}),
    torch_false("vectors with a bias", seeded(lambda: nn.Linear(4, 4)), "v: n d 4 -> n d 4", "O(d)"),
    torch_false("tensor field messages mirrored", lambda: (lambda m: lambda f, x: torch.linalg.cross(m(f, x)[:, 0], m(f, x)[:, 1]))(seeded(TFN)()), "f: n 4, x: n 3 -> n 3^", "E(3)", sizes={"n": (3, 5)}),
    torch_false("mixer tokens", seeded(Mixer), "x: b 5 4 -> b 5 4", "S(5)"),
    torch_false("selective scan of a set", seeded(Mamba), "x: 4 v -> 4 v", "S(4)", sizes={"v": 4}),
    torch_false("rotary positions shifted", lambda: lambda q, k: (rope(q) * rope(k).roll(1, 0)).sum(), "q: n 4, k: n 4 -> ()", "C(n)", sizes={"n": (3, 6)}),
    jax_false("EGNN in JAX of one body", lambda: lambda x, h: jax_egnn(x, h) * (1 + h), "x: n d, h: n 1 -> n d", "T(d)", backend="jax"),
    jax_false("k-means step, a centre moved", lambda: jax_kmeans_step, "x: n d, c: k d! -> k d", "O(d)", backend="jax"),
    jax_false("GCN in JAX, senders alone", lambda: jax_gcn, "x: n 4, s[n]: m, r[n]: m! -> n 4", "S(m)", backend="jax", sizes={"m": (3, 6)}),
    jax_false("forces of a chain", lambda: lambda x: jax_force(x)[:-1].sum(0), "x: n d -> d^", "S(n)", backend="jax", sizes={"n": (3, 5)}),
]  # fmt: skip
