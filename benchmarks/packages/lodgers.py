"""Snippets of papers as they stand in repositories, and functions of packages that no family before called."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.callers import held
from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded

true, false = family("torch")
numpy_true, numpy_false = family("numpy")
jax_true, jax_false = family("jax")
J = {"backend": "jax"}
CLOUD, ROWS = "x: n 3 -> n 3", "x: n d -> ()"


def egnn(h, x):  # EGNN, one layer, all pairs
    d = ((x[:, None] - x[None]) ** 2).sum(-1, keepdim=True)
    m = torch.tanh(h[:, None] + 2 * h[None] + d)
    off = 1 - torch.eye(x.shape[0], dtype=x.dtype)
    return h + (m * off[..., None]).sum(1), x + ((x[:, None] - x[None]) * m.mean(-1, keepdim=True) * off[..., None]).sum(1)


def painn(s, v, x):  # PaiNN's message
    r = x[None] - x[:, None]
    d = (r.square().sum(-1) + 1e-8).sqrt()
    w = torch.exp(-d) * (1 - torch.eye(len(x), dtype=x.dtype))
    dv = torch.einsum("ij,jf,jfk->ifk", w, s, v) + torch.einsum("ij,jf,ijk->ifk", w, s, r / d[..., None])
    return v + dv


def schnet(z, x):  # continuous filters
    d = torch.cdist(x, x)
    mu = torch.linspace(0, 4, 5, dtype=x.dtype)
    rbf = torch.exp(-2 * (d[..., None] - mu) ** 2)
    return (rbf.sum(-1) * F.softplus(z)[None]).sum(1)


class GVP(nn.Module):
    def __init__(self):
        super().__init__()
        self.wh, self.wv, self.ws = nn.Linear(2, 4, bias=False), nn.Linear(4, 2, bias=False), nn.Linear(7, 3)

    def forward(self, s, v):
        v = v.transpose(-1, -2)
        vh = self.wh(v)
        vn = torch.sqrt(torch.clamp(vh.square().sum(-2), min=1e-8))
        s = self.ws(torch.cat([s, vn], -1))
        v = self.wv(vh).transpose(-1, -2)
        return F.relu(s), v * torch.sigmoid(torch.sqrt(torch.clamp(v.square().sum(-1, keepdim=True), min=1e-8)))


class MAB(nn.Module):  # Set Transformer
    def __init__(self, dim=4, heads=2):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.ln, self.dim, self.heads = nn.LayerNorm(dim), dim, heads

    def forward(self, Q, K):
        Q, K, V = self.q(Q), self.k(K), self.v(K)
        s = self.dim // self.heads
        Q_, K_, V_ = (torch.cat(t.split(s, 2), 0) for t in (Q, K, V))
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / self.dim**0.5, 2)
        O = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        return self.ln(O + F.relu(self.o(O)))


class Mixer(nn.Module):
    def __init__(self, tokens=None):
        super().__init__()
        self.c, self.t = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 4)), nn.Linear(5, 5)
        self.n = nn.LayerNorm(4)
        self.tokens = tokens

    def forward(self, x):
        if self.tokens:
            x = x + self.t(self.n(x).transpose(1, 2)).transpose(1, 2)
        return x + self.c(self.n(x))


def gat_edges(h, e):  # GAT over a list of edges, softmax over those that arrive
    src, dst = e[:, 0], e[:, 1]
    a = F.leaky_relu(h.sum(-1)[src] + 2 * h.sum(-1)[dst], 0.2).exp()
    total = torch.zeros(h.shape[0], dtype=h.dtype).index_add(0, dst, a)
    return torch.zeros_like(h).index_add(0, dst, (a / total[dst])[:, None] * h[src])


def alibi(q, k, v):
    n = q.shape[0]
    bias = -0.5 * (torch.arange(n)[:, None] - torch.arange(n)[None]).abs()
    return torch.softmax(q @ k.T / q.shape[1] ** 0.5 + bias, -1) @ v


def circular(x):  # attention with a relative bias on a ring
    n = x.shape[0]
    i = torch.arange(n)
    bias = torch.cos(2 * torch.pi * (i[:, None] - i[None]) / n).to(x.dtype)
    return torch.softmax(x @ x.T + bias, -1) @ x


def info_nce(sim):
    n = sim.shape[0]
    eye = torch.eye(n, dtype=torch.bool)
    negatives = sim[~eye].view(n, -1)
    return (torch.logsumexp(negatives, 1) - sim.diagonal()).mean()


def barlow(a, b):
    a, b = (a - a.mean(0)) / a.std(0), (b - b.mean(0)) / b.std(0)
    c = a.T @ b / a.shape[0]
    on = (torch.diagonal(c) - 1).pow(2).sum()
    return on + 0.005 * (c.pow(2).sum() - torch.diagonal(c).pow(2).sum())


def vicreg(z):
    z = z - z.mean(0)
    std = torch.sqrt(z.var(0) + 1e-4)
    cov = z.T @ z / (z.shape[0] - 1)
    off = cov.pow(2).sum() - cov.diagonal().pow(2).sum()
    return F.relu(1 - std).mean() + off / z.shape[1]


def uniformity(x, t=2):
    return torch.pdist(x, p=2).pow(2).mul(-t).exp().mean().log()


def sinkhorn(C, iters=5, eps=0.5):
    n, m = C.shape
    f, g = torch.zeros(n, dtype=C.dtype), torch.zeros(m, dtype=C.dtype)
    for _ in range(iters):
        f = -eps * torch.logsumexp((g[None] - C) / eps, 1)
        g = -eps * torch.logsumexp((f[:, None] - C) / eps, 0)
    return (torch.exp((f[:, None] + g[None] - C) / eps) * C).sum()


def hsic(x, y):
    n = x.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    K = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1))
    L = np.exp(-((y[:, None] - y[None]) ** 2).sum(-1))
    return np.trace(K @ H @ L @ H) / (n - 1) ** 2


def mmd_unbiased(x, y):
    def k(a, b):
        return np.exp(-0.5 * (np.sum(a**2, 1)[:, None] + np.sum(b**2, 1)[None] - 2 * a @ b.T))

    n, m = len(x), len(y)
    kx, ky = k(x, x), k(y, y)
    np.fill_diagonal(kx, 0)
    np.fill_diagonal(ky, 0)
    return kx.sum() / (n * (n - 1)) + ky.sum() / (m * (m - 1)) - 2 * k(x, y).mean()


def cka(x, y):
    x, y = x - x.mean(0), y - y.mean(0)
    return np.linalg.norm(x.T @ y) ** 2 / (np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y))


def heat(A, t=0.5):  # heat kernel signature
    L = np.diag(A.sum(1)) - A
    L = (L + L.T) / 2
    w, U = np.linalg.eigh(L)
    return (U**2 * np.exp(-t * w)).sum(1)


def hausdorff(x, y):
    d = np.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))
    return max(d.min(1).max(), d.min(0).max())


def procrustes(x, y):
    x, y = x - x.mean(0), y - y.mean(0)
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    return 1 - np.linalg.svd(x.T @ y, compute_uv=False).sum() ** 2


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


def ecdf(x, y):
    return (np.searchsorted(np.sort(x), y, side="right") / len(x)).mean()


def cox(s, t):  # Cox partial likelihood
    order = torch.argsort(t, descending=True)
    s = s[order]
    return -(s - torch.logcumsumexp(s, 0)).mean()


def correlations(x):
    return jnp.corrcoef(x, rowvar=False)


CRI = "x: n, y: n -> ()"

CLAIMS = [
    # snippets of papers
    true("EGNN features", lambda: lambda h, x: egnn(h, x)[0], "h: n f, x: n 3 -> n f", "S(n) x E(3) x S(f)"),
    true("EGNN coordinates", lambda: lambda h, x: egnn(h, x)[1], "h: n f, x: n 3 -> n 3", "S(n) x E(3)"),
    false("EGNN features signed", lambda: lambda h, x: egnn(h, x)[0], "h: n f, x: n 3 -> n f", "Signs(f)"),
    true("PaiNN message", lambda: painn, "s: n f, v: n f 3, x: n 3! -> n f 3", "S(n) x S(f)"),
    true("PaiNN message turned", lambda: painn, "s: n f, v: n f 3, x: n 3 -> n f 3", "O(3)"),
    false("PaiNN message, vectors kept", lambda: painn, "s: n f, v: n f 3!, x: n 3 -> n f 3", "O(3)"),
    true("SchNet filters", lambda: schnet, "z: n, x: n 3 -> n", "S(n) x E(3)"),
    true("GVP vectors", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(GVP)()), "s: n 3!, v: n 2 3 -> n 2 3", "S(n) x O(3)"),
    true("GVP scalars", lambda: (lambda m: lambda s, v: m(s, v)[0])(seeded(GVP)()), "s: n 3!, v: n 2 3 -> n 3!", "S(n) x O(3)"),
    false("GVP of channels", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(GVP)()), "s: n 3, v: n u 3 -> n u 3", "S(u)", sizes={"u": 2}),
    true("Set Transformer MAB", seeded(MAB), "q: b n 4, k: b m 4 -> b n 4", "S(b) x S(n) x S(m)"),
    true("Set Transformer PMA", lambda: (lambda m, s: lambda x: m(s.repeat(x.size(0), 1, 1).to(x.dtype), x))(seeded(MAB)(), torch.randn(1, 2, 4)), "x: b n 4 -> b 2 4", "S(b) x S(n)"),
    false("Set Transformer MAB of paired sets", seeded(MAB), "q: b n 4, k: b! m 4 -> b n 4", "S(b)"),
    true("MLP-Mixer, channels alone", seeded(Mixer), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    false("MLP-Mixer", seeded(lambda: Mixer(True)), "x: b 5 4 -> b 5 4", "S(5)"),
    true("GAT over edges", lambda: gat_edges, "h: n d, e[n]: m 2 -> n d", "S(n) x S(m)"),
    true("ALiBi scores", lambda: alibi, "q: n d, k: n d, v: n d! -> n d!", "O(d)"),
    true("ALiBi values", lambda: alibi, "q: n d!, k: n d!, v: n d -> n d", "S(d)"),
    false("ALiBi shuffled", lambda: alibi, "q: n d, k: n d, v: n d -> n d", "S(n)"),
    true("ring attention", lambda: circular, "x: n d -> n d", "C(n)"),
    false("ring attention shuffled", lambda: circular, "x: n d -> n d", "S(n)"),
    # losses
    true("InfoNCE off the diagonal", lambda: info_nce, "s: n n -> ()", "S(n)"),
    false("InfoNCE, rows alone", lambda: info_nce, "s: n n! -> ()", "S(n)"),
    true("Barlow Twins", lambda: barlow, "a: n d, b: n d -> ()", "S(n) x S(d)"),
    false("Barlow Twins turned", lambda: barlow, "a: n d, b: n d -> ()", "O(d)"),
    true("VICReg", lambda: vicreg, ROWS, "S(n) x S(d)"),
    false("VICReg turned", lambda: vicreg, ROWS, "O(d)"),
    false("uniformity scaled", lambda: uniformity, ROWS, "Scale(d)"),
    true("Sinkhorn", lambda: sinkhorn, "C: n m -> ()", "S(n) x S(m)"),
    false("Cox likelihood, times kept", lambda: cox, "s: n, t: n! -> ()", "S(n)"),
    numpy_true("HSIC", lambda: hsic, "x: n d, y: n e -> ()", "S(n) x E(d) x E(e)"),
    numpy_false("HSIC, one shuffled", lambda: hsic, "x: n d, y: n! e -> ()", "S(n)"),
    numpy_true("MMD unbiased in NumPy", lambda: mmd_unbiased, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_false("MMD scaled", lambda: mmd_unbiased, "x: n d, y: m d -> ()", "Scale(d)"),
    numpy_true("linear CKA", lambda: cka, "x: n d, y: n e -> ()", "S(n) x E(d) x E(e)"),
    numpy_true("heat kernel signature", lambda: heat, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("Hausdorff distance", lambda: hausdorff, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("Procrustes disparity", lambda: procrustes, "x: n d, y: n d -> ()", "S(n) x E(d)"),
    numpy_false("Procrustes of one", lambda: procrustes, "x: n d, y: n! d -> ()", "S(n)"),
    numpy_true("ECDF", lambda: ecdf, "x: n, y: m -> ()", "S(n) x S(m)"),
    # JAX
    jax_true("jnp.corrcoef", lambda: correlations, "x: n d -> d d", "S(n) x S(d)", **J),
    jax_false("jnp.corrcoef turned", lambda: correlations, "x: n d -> d d", "O(d)", **J),
    jax_true("triu_indices", lambda: upper, ROWS, "S(n) x E(d)", **J),
    jax_true("diag_indices", lambda: zero_diagonal, ROWS, "S(n) x O(d)", **J),
    jax_true("diagonal set to -inf", lambda: zero_diagonal_range, "x: n d -> n d", "S(n) x O(d)", **J),
    jax_true("k nearest", lambda: nearest, ROWS, "S(n)", **J),
    jax_true("jnp.nanmedian", lambda: lambda x: jnp.nanmedian(x, axis=0), "x: n d -> d", "S(n) x S(d)", **J),
    jax_false("diag_indices moved", lambda: zero_diagonal, ROWS, "T(d)", **J),
    # packages
    numpy_true("lifelines concordance_index", held("lifelines.utils as L", "lambda t, s: L.concordance_index(t, s)"), "t: n, s: n -> ()", "S(n)", draw="positive"),
    true("roma rotmat_geodesic_distance", held("roma", "lambda a, b: roma.rotmat_geodesic_distance(a, b)"), "a: n 3 3, b: n 3 3 -> n", "S(n)"),
    true("roma special_procrustes", held("roma", "lambda m: roma.special_procrustes(m)"), "m: n 3 3 -> n 3 3", "S(n)"),
    numpy_true("similaritymeasures mse", held("similaritymeasures as S", "lambda x, y: S.mse(x, y)"), "x: n d, y: n d -> ()", "S(n) x O(d)"),
    numpy_true("scipy pdist correlation", held("scipy.spatial.distance as S", "lambda x: S.squareform(S.pdist(x, 'correlation'))"), "x: n d -> n n", "S(n) x S(d)"),
    numpy_true("scipy cdist canberra", held("scipy.spatial.distance as S", "lambda x, y: S.cdist(x, y, 'canberra')"), "x: n d, y: m d -> n m", "S(n) x S(m) x Signs(d)"),
    numpy_true("scipy siegelslopes", held("scipy.stats as S", "lambda x, y: S.siegelslopes(y, x)[0]"), CRI, "S(n)"),
    numpy_true("scipy theilslopes", held("scipy.stats as S", "lambda x, y: S.theilslopes(y, x)[0]"), CRI, "S(n)"),
    numpy_true("scipy linregress", held("scipy.stats as S", "lambda x, y: S.linregress(x, y).slope"), CRI, "S(n)"),
    numpy_true("scipy levene", held("scipy.stats as S", "lambda x, y: S.levene(x, y).statistic"), "x: n, y: m -> ()", "S(n) x S(m)"),
    numpy_true("scipy jarque_bera", held("scipy.stats as S", "lambda x: S.jarque_bera(x).statistic"), "x: n -> ()", "S(n)"),
    numpy_true("scipy circmean", held("scipy.stats as S", "lambda x: S.circmean(x)"), "x: n -> ()", "S(n)", draw="positive"),
    numpy_true("scipy winsorized", held("scipy.stats.mstats as S", "lambda x: S.winsorize(x, (0.2, 0.2)).data"), "x: n -> n", "S(n)"),
    numpy_true("scipy ndimage laplace on a ring", held("scipy.ndimage as N", "lambda x: N.laplace(x, mode='wrap')"), "x: n m -> n m", "C(n) x C(m)"),
    numpy_true("scipy gaussian on a ring", held("scipy.ndimage as N", "lambda x: N.gaussian_filter1d(x, 1.0, mode='wrap')"), "x: n -> n", "C(n)", sizes={"n": 6}),
    numpy_false("scipy gaussian reflected", held("scipy.ndimage as N", "lambda x: N.gaussian_filter1d(x, 1.0)"), "x: n -> n", "C(n)", sizes={"n": 6}),
    numpy_true("scipy median filter on a ring", held("scipy.ndimage as N", "lambda x: N.median_filter(x, 3, mode='wrap')"), "x: n -> n", "C(n)", sizes={"n": 6}),
    numpy_false("scipy pdist correlation signed", held("scipy.spatial.distance as S", "lambda x: S.squareform(S.pdist(x, 'correlation'))"), "x: n d -> n n", "Signs(d)"),
    numpy_true("sklearn ndcg_score", held("sklearn.metrics as M", "lambda x, y: M.ndcg_score(x, y)"), "x: n m, y: n m -> ()", "S(n) x S(m)", draw="positive"),
    numpy_true("sklearn chi2_kernel", held("sklearn.metrics.pairwise as M", "lambda x, y: M.chi2_kernel(x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x S(d)", draw="positive"),
    numpy_true("astropy biweight_location", held("astropy.stats as A", "lambda x: A.biweight_location(x)"), "x: n -> ()", "S(n)", sizes={"n": 5}),
    numpy_true("astropy mad_std", held("astropy.stats as A", "lambda x: A.mad_std(x)"), "x: n -> ()", "S(n)"),
    numpy_true("pingouin compute_effsize", held("pingouin as P", "lambda x, y: P.compute_effsize(x, y, eftype='cohen')"), "x: n, y: m -> ()", "S(n) x S(m)"),
    numpy_true("statsmodels medcouple", held("statsmodels.stats.stattools as S", "lambda x: S.medcouple(x)"), "x: n -> ()", "S(n)", sizes={"n": 5}),
    true("torch.distributions LogNormal", lambda: lambda x: torch.distributions.LogNormal(0.0, 1.0).log_prob(x).sum(), "x: n -> ()", "S(n)", draw="positive"),
    true("torch.distributions LowRankMultivariateNormal", lambda: lambda x, w: torch.distributions.LowRankMultivariateNormal(torch.zeros(3, dtype=x.dtype), w, torch.ones(3, dtype=x.dtype)).log_prob(x), "x: n 3, w: 3 2 -> n", "S(n) x O(3)"),
    true("kl of Laplace", lambda: lambda a, b: torch.distributions.kl_divergence(torch.distributions.Laplace(a, 1.0), torch.distributions.Laplace(b, 2.0)).sum(), "a: n, b: n -> ()", "S(n)"),
    false("torch.distributions Gumbel", lambda: lambda x: torch.distributions.Gumbel(0.0, 1.0).log_prob(x).sum(), "x: n -> ()", "Signs(n)"),
    true("F.multi_margin_loss", lambda: lambda x, y: F.multi_margin_loss(x, y, p=2), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    true("F.soft_margin_loss", lambda: lambda x, y: F.soft_margin_loss(x, torch.sign(y)), "x: n, y: n -> ()", "S(n)"),
    jax_true("optax cosine_distance", held("optax", "lambda x, y: optax.losses.cosine_distance(x, y)"), "x: n d, y: n d -> n", "S(n) x O(d)", **J),
    jax_true("optax poly loss", held("optax", "lambda x, y: optax.losses.poly_loss_cross_entropy(x, y)"), "x: n c, y: n c -> n", "S(n) x S(c)", **J),
    jax_true("optax kl of logarithms", held("optax", "lambda x, y: optax.losses.kl_divergence_with_log_targets(x, y)"), "x: n c, y: n c -> n", "S(n) x S(c)", **J),
    jax_true("optax projection_simplex", held("optax", "lambda x: optax.projections.projection_simplex(x)"), "x: n -> n", "S(n)", **J),
    jax_false("optax poly loss turned", held("optax", "lambda x, y: optax.losses.poly_loss_cross_entropy(x, y)"), "x: n c, y: n c -> n", "O(c)", **J),
]  # fmt: skip
