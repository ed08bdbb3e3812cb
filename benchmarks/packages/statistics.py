"""Statistics, kernels, transport, clustering, regression and linear algebra."""

from __future__ import annotations

import functools
import math

import einops
import numpy as np
import scipy.spatial.distance as ssd
import scipy.stats
import torch
import torch.nn.functional as F
from sklearn import covariance, gaussian_process, kernel_ridge, linear_model
from sklearn.metrics import pairwise
from torch import distributions as D
from torch import nn
from torchmetrics import functional as M

from benchmarks.packages.claims import numpy_false, numpy_true, torch_false, torch_true
from benchmarks.packages.helpers import (
    GP,
    PAIR_2,
    S4,
    VECTOR,
    VECTOR_2,
    XY,
    PerformerAttn,
    built_2,
    dipoles,
    f_score,
    held,
    layer,
    mods,
    mods_2,
    nearest_mean,
    packed,
    seeded,
    silhouette,
    using,
)


def normal(x, m, s):
    return D.Normal(m, s).log_prob(x).sum()


def divergence(p, q):
    return D.kl_divergence(D.Categorical(probs=p), D.Categorical(probs=q))


def normalize_total(X):
    counts = X.sum(axis=1)
    return X / counts[:, None] * np.median(counts)


def log_normalize(X):
    return np.log1p(normalize_total(X))


def dispersions(X):
    mean, var = X.mean(0), X.var(0, ddof=1)
    mean[mean == 0] = 1e-12
    return var / mean


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


def mad(x):
    return np.median(np.abs(x - np.median(x)))


def bootstrap_free_ci(x):
    return np.array(
        [x.mean() - 1.96 * x.std(ddof=1) / np.sqrt(len(x)), x.mean() + 1.96 * x.std(ddof=1) / np.sqrt(len(x))]
    )


def clustering(A):
    A = A * (1 - np.eye(len(A)))
    triangles = np.diag(A @ A @ A)
    k = A.sum(1)
    return triangles / (k * (k - 1) + 1)


def circular_mean(t):
    return np.hypot(np.cos(t).mean(), np.sin(t).mean())


def masked_mean(x, keep):
    m = keep.unsqueeze(-1).to(x.dtype)
    return (x * m).sum(0) / m.sum(0).clamp(min=1)


def mmd(x, y):
    def k(a, b):
        return torch.exp(-torch.cdist(a, b).pow(2) / 2)

    return k(x, x).mean() + k(y, y).mean() - 2 * k(x, y).mean()


def kernel(make):
    return lambda: lambda X: make()(X)


def welch(x, y):
    se = np.sqrt(np.var(x, ddof=1) / x.size + np.var(y, ddof=1) / y.size)
    return (np.mean(x) - np.mean(y)) / se


def hotelling(X):
    mu = X.mean(axis=0)
    S = np.cov(X, rowvar=False)
    return len(X) * mu @ np.linalg.solve(S, mu)


def mahalanobis(X):
    mu = X.mean(0)
    P = np.linalg.inv(np.cov(X.T))
    d = X - mu
    return np.einsum("ni,ij,nj->n", d, P, d)


def distance_correlation(X, Y):
    def centred(A):
        d = np.sqrt(((A[:, None] - A[None]) ** 2).sum(-1))
        return d - d.mean(0, keepdims=True) - d.mean(1, keepdims=True) + d.mean()

    a, b = centred(X), centred(Y)
    return (a * b).mean() / np.sqrt((a * a).mean() * (b * b).mean())


def hsic(X, Y):
    n = X.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    return np.trace(X @ X.T @ H @ Y @ Y.T @ H) / (n - 1) ** 2


def jackknife(x):
    n = len(x)
    left = (x.sum() - x) / (n - 1)
    return (n - 1) / n * np.sum((left - left.mean()) ** 2)


def ols(X, y):
    X1 = np.column_stack([np.ones(len(X)), X])
    beta, *_ = np.linalg.lstsq(X1, y, rcond=None)
    return beta[0]


def leverage(X):
    return np.diag(X @ np.linalg.inv(X.T @ X) @ X.T)


def theil(x):
    r = x / x.mean()
    return np.mean(r * np.log(r))


def silverman(x):
    s = min(np.std(x, ddof=1), np.subtract(*np.percentile(x, [75, 25])) / 1.34)
    return 0.9 * s * len(x) ** (-0.2)


def kde(x):
    grid = np.linspace(-2, 2, 5)
    return np.exp(-0.5 * ((grid[:, None] - x[None, :]) / 0.3) ** 2).sum(axis=1) / len(x)


def ecdf(x):
    xs = np.sort(x)
    return np.searchsorted(xs, x, side="right") / len(x)


def runs(x):
    return np.count_nonzero(np.diff(np.sign(x - np.median(x))))


def clr(X):
    L = np.log(X)
    return L - L.mean(axis=1, keepdims=True)


def pca_aligned(X):
    Xc = X - X.mean(0)
    _, V = np.linalg.eigh(Xc.T @ Xc)
    return Xc @ V


def asphericity(X):
    Xc = X - X.mean(0)
    T = Xc.T @ Xc / len(X)
    l1, l2, l3 = np.linalg.eigvalsh(T)
    return l3 - 0.5 * (l1 + l2)


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


def gini_pairs(x):
    return np.abs(x[:, None] - x[None, :]).mean() / (2 * np.mean(x))


def persistence_entropy(B, D):
    life = D - B
    p = life / life.sum()
    return -(p * np.log(p)).sum()


def auc_pairs(scores, y):
    pos, neg = y[:, None] == 1, y[None, :] == 0
    wins = (scores[:, None] > scores[None, :]) + 0.5 * (scores[:, None] == scores[None, :])
    return (wins * (pos & neg)).sum() / np.maximum((pos & neg).sum(), 1)


KERNEL = "gpytorch.kernels:"


def dense(path, **options):
    return built_2(path, call=lambda k, X: k(X).to_dense(), **options)


GP_local = "pyro.contrib.gp.kernels:"


def zca_whiten(X, eps=1e-2):
    X = X - X.mean(axis=0)
    cov = np.dot(X.T, X) / X.shape[0]
    w, V = np.linalg.eigh(cov)
    return X @ V @ np.diag(1.0 / np.sqrt(w + eps)) @ V.T


def mmd_rbf(X, Y, gamma=0.5):
    def k(A, B):
        sq = np.sum(A**2, 1)[:, None] + np.sum(B**2, 1)[None, :] - 2 * A @ B.T
        return np.exp(-gamma * sq)

    return k(X, X).mean() + k(Y, Y).mean() - 2 * k(X, Y).mean()


def unbiased_mmd(X, Y):
    m, n = len(X), len(Y)
    Kxx, Kyy, Kxy = X @ X.T, Y @ Y.T, X @ Y.T
    return (Kxx.sum() - np.trace(Kxx)) / (m * (m - 1)) + (Kyy.sum() - np.trace(Kyy)) / (n * (n - 1)) - 2 * Kxy.mean()


def linear_cka(X, Y):
    X, Y = X - X.mean(0), Y - Y.mean(0)
    hsic = np.linalg.norm(Y.T @ X, ord="fro") ** 2
    return hsic / (np.linalg.norm(X.T @ X, ord="fro") * np.linalg.norm(Y.T @ Y, ord="fro"))


def kernel_cka(X, Y):
    n = X.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    K, L = X @ X.T, Y @ Y.T
    hsic = lambda A, B: np.trace(A @ H @ B @ H)
    return hsic(K, L) / np.sqrt(hsic(K, K) * hsic(L, L))


def mahalanobis_to_classes(X, mu, S):
    P = np.linalg.inv(S @ S.T + np.eye(S.shape[0]))
    d = X[:, None] - mu[None]
    return np.einsum("nkd,de,nke->nk", d, P, d)


def gaussian_log_density(X, mu, A):
    S = A @ A.T + np.eye(len(mu))
    d = X - mu
    maha = np.sum(d * np.linalg.solve(S, d.T).T, axis=1)
    sign, logdet = np.linalg.slogdet(S)
    return -0.5 * (maha + logdet + len(mu) * np.log(2 * np.pi))


def frechet_inception(X, Y):
    m1, m2 = X.mean(0), Y.mean(0)
    s1, s2 = np.cov(X, rowvar=False), np.cov(Y, rowvar=False)
    return np.sum((m1 - m2) ** 2) + np.trace(s1) + np.trace(s2)


def dpp_log_likelihood(L):
    n = len(L)
    K = L @ L.T
    return np.linalg.slogdet(K)[1] - np.linalg.slogdet(K + np.eye(n))[1]


def sinkhorn_layer(log_alpha, iterations=4):
    for _ in range(iterations):
        log_alpha = log_alpha - torch.logsumexp(log_alpha, -1, keepdim=True)
        log_alpha = log_alpha - torch.logsumexp(log_alpha, -2, keepdim=True)
    return log_alpha.exp()


def hsic_torch(X, Y):
    n = X.shape[0]
    K = torch.exp(-torch.cdist(X, X) ** 2 / 2)
    L = torch.exp(-torch.cdist(Y, Y) ** 2 / 2)
    H = torch.eye(n) - 1.0 / n
    return torch.trace(K @ H @ L @ H) / (n - 1) ** 2


class SAGEMean(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_lin, self.neigh_lin = nn.Linear(3, 4), nn.Linear(3, 4, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = torch.zeros(x.shape[0], x.shape[1]).to(x)
        agg.scatter_add_(0, dst[:, None].repeat(1, x.shape[1]), x[src])
        deg = torch.bincount(dst, minlength=x.shape[0]).clamp(min=1).to(x)
        out = self.self_lin(x) + self.neigh_lin(agg / deg[:, None])
        return F.normalize(out, p=2, dim=-1)


class GRULoop(nn.Module):
    def __init__(self, reverse=False):
        super().__init__()
        self.cell, self.head, self.reverse = nn.GRUCell(3, 4), nn.Linear(4, 2), reverse

    def forward(self, x):
        h = torch.zeros(x.shape[0], 4, dtype=x.dtype)
        outs = []
        for t in range(x.shape[1]):
            h = self.cell(x[:, t, :], h)
            outs.append(h)
        return self.head(torch.stack(outs, dim=1).mean(dim=1))


def uniformity(x, t=2):
    x = F.normalize(x, dim=1)
    return torch.pdist(x, p=2).pow(2).mul(-t).exp().mean().log()


class InstanceNormManual(nn.Module):
    def __init__(self, c=3):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.rand(c)), nn.Parameter(torch.rand(c))

    def forward(self, x):
        mean, var = x.mean(dim=(2, 3), keepdim=True), x.var(dim=(2, 3), keepdim=True, unbiased=False)
        x = (x - mean) / torch.sqrt(var + 1e-5)
        return x * self.gamma.view(1, -1, 1, 1) + self.beta.view(1, -1, 1, 1)


class GeM(nn.Module):
    def __init__(self, p=3, eps=1e-6):
        super().__init__()
        self.p, self.eps = nn.Parameter(torch.ones(1) * p), eps

    def forward(self, x):
        return F.avg_pool2d(x.clamp(min=self.eps).pow(self.p), (x.size(-2), x.size(-1))).pow(1.0 / self.p)


def huber_location(x, k=1.345, iters=3):
    mu = np.median(x)
    for _ in range(iters):
        r = np.abs(x - mu)
        w = np.where(r <= k, 1.0, k / np.maximum(r, 1e-12))
        mu = np.sum(w * x) / np.sum(w)
    return mu


def trimmed_mean(x, p=0.2):
    x = np.sort(x)
    k = int(p * len(x))
    return x[k : len(x) - k].mean()


def gini_2(x):
    x = np.sort(x)
    n = len(x)
    cum = np.cumsum(x)
    return (n + 1 - 2 * np.sum(cum) / cum[-1]) / n


def rbf_median(X):
    sq = ((X[:, None] - X[None, :]) ** 2).sum(axis=2)
    h = np.median(sq)
    h = np.sqrt(0.5 * h / np.log(X.shape[0] + 1))
    return np.exp(-sq / h**2 / 2)


def roc_auc(scores, pos):
    d = scores[:, None] - pos[None, :]
    return ((d > 0).sum() + 0.5 * (d == 0).sum()) / d.size


class GVPLayerNorm(nn.Module):
    def __init__(self, wrong=False):
        super().__init__()
        self.scalar_norm, self.wrong = nn.LayerNorm(3), wrong

    def forward(self, s, v):
        vn = torch.clamp(torch.sum(torch.square(v), dim=-1, keepdim=True), min=1e-8)
        vn = torch.sqrt(torch.mean(vn, dim=-2, keepdim=True))
        if self.wrong:
            v = v - v.mean(-1, keepdim=True)
        return self.scalar_norm(s), v / vn


class MaskedMeanPool(nn.Module):
    def __init__(self, wrong=False):
        super().__init__()
        self.lin, self.wrong = nn.Linear(4, 4), wrong

    def forward(self, x, mask):
        h = self.lin(x) * mask.unsqueeze(-1)
        lengths = mask.sum(dim=1, keepdim=True).clamp(min=1)
        return h[:, -1] if self.wrong else h.sum(dim=1) / lengths


def lddt(pred, numpy_true, cutoff=5.0):
    dt, dp = torch.cdist(numpy_true, numpy_true), torch.cdist(pred, pred)
    keep = (dt < cutoff) * (1.0 - torch.eye(numpy_true.shape[0], dtype=numpy_true.dtype))
    diff = (dt - dp).abs()
    score = sum((diff < t).to(dt.dtype) for t in (0.5, 1.0, 2.0, 4.0)) / 4
    return (keep * score).sum(-1) / (keep.sum(-1) + 1e-10)


def barycentre(X, w):
    w = w / w.sum()
    mean = np.average(X, axis=0, weights=w)
    return mean, np.einsum("n,nd,ne->de", w, X - mean, X - mean)


def partial_corr(X):
    P = np.linalg.inv(np.cov(X, rowvar=False))
    d = np.sqrt(np.diag(P))
    return -P / np.outer(d, d)


def icc(X):
    n, k = X.shape
    grand = X.mean()
    msr = k * ((X.mean(1) - grand) ** 2).sum() / (n - 1)
    mse = ((X - X.mean(1, keepdims=True) - X.mean(0, keepdims=True) + grand) ** 2).sum() / ((n - 1) * (k - 1))
    return (msr - mse) / (msr + (k - 1) * mse)


def welch_t(x, y):
    return (x.mean() - y.mean()) / np.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y))


def theil_sen_residual(x, y):
    slopes = [(y[j] - y[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i + 1, len(x))]
    return np.median(slopes)


def lowess_like(x, y, h=1.0):
    W = np.exp(-((x[:, None] - x[None]) ** 2) / h)
    return (W * y).sum(1) / W.sum(1)


def shape_context(X):
    c = X - X.mean(0)
    r = np.hypot(c[:, 0], c[:, 1])
    return np.sort(r) / r.max()


def sharpe(r, w):
    p = r @ w
    return p.mean() / p.std(ddof=1) * np.sqrt(252)


def uniformity_2(x, t=2):
    return torch.pdist(x, p=2).pow(2).mul(-t).exp().mean().log()


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


def moran(x, W):
    z = x - x.mean()
    return len(x) / W.sum() * (z @ W @ z) / (z @ z)


class OuterProductMean(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.a, self.b, self.o = nn.LayerNorm(4), nn.Linear(4, 2), nn.Linear(4, 2), nn.Linear(4, 3)

    def forward(self, m, mask):
        m = self.norm(m)
        a, b = self.a(m) * mask.unsqueeze(-1), self.b(m) * mask.unsqueeze(-1)
        outer = torch.einsum("...bac,...dae->...bdce", a.transpose(-2, -3), b.transpose(-2, -3))
        norm = torch.einsum("sb,sd->bd", mask, mask)
        return self.o(outer.reshape((*outer.shape[:-2], -1))) / (1e-3 + norm.unsqueeze(-1))


def fape(R, t, x, Rt, tt, xt, clamp=10.0, eps=1e-4):
    local = torch.einsum("fji,fnj->fni", R, x[None] - t[:, None])
    target = torch.einsum("fji,fnj->fni", Rt, xt[None] - tt[:, None])
    d = torch.sqrt(((local - target) ** 2).sum(-1) + eps)
    return d.clamp(max=clamp).mean() / 10


def tm_score(pred, numpy_true):
    d0 = 0.5
    d = (pred - numpy_true).norm(dim=-1)
    return (1 / (1 + (d / d0) ** 2)).mean()


def umeyama(X, Y):
    mx, my = X.mean(0), Y.mean(0)
    Xc, Yc = X - mx, Y - my
    cov = Yc.T @ Xc / len(X)
    U, D, Vh = torch.linalg.svd(cov)
    R = U @ Vh
    scale = D.sum() / ((Xc**2).sum() / len(X))
    return scale * X @ R.T + (my - scale * R @ mx)


class DeepSetEquivariant(nn.Module):
    def __init__(self, pool="max"):
        super().__init__()
        self.G, self.L, self.pool = nn.Linear(3, 4), nn.Linear(3, 4, bias=False), pool

    def forward(self, x):
        xm = x.max(1, keepdim=True)[0] if self.pool == "max" else x.mean(1, keepdim=True)
        return F.elu(self.G(x) - self.L(xm))


class GRN(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.g, self.b = nn.Parameter(torch.randn(1, 1, 1, d)), nn.Parameter(torch.randn(1, 1, 1, d))

    def forward(self, x):
        gx = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
        nx = gx / (gx.mean(dim=-1, keepdim=True) + 1e-6)
        return self.g * (x * nx) + self.b + x


def emd_1d(u, v):
    return (torch.sort(u)[0] - torch.sort(v)[0]).abs().mean()


def sinkhorn_log(C, eps=0.3, n=3):
    f = torch.zeros(C.shape[0])
    g = torch.zeros(C.shape[1])
    for _ in range(n):
        f = -eps * torch.logsumexp((g[None] - C) / eps, 1)
        g = -eps * torch.logsumexp((f[:, None] - C) / eps, 0)
    P = torch.exp((f[:, None] + g[None] - C) / eps)
    return (P * C).sum()


def gromov_wasserstein_cost(C1, C2, T):
    p, q = T.sum(1), T.sum(0)
    const = (C1**2 @ p)[:, None] + (C2**2 @ q)[None]
    return ((const - 2 * C1 @ T @ C2.T) * T).sum()


def mmd_unbiased(x, y, s=1.0):
    k = lambda a, b: torch.exp(-torch.cdist(a, b).pow(2) / (2 * s**2))
    n, m = len(x), len(y)
    kxx, kyy, kxy = k(x, x), k(y, y), k(x, y)
    return (kxx.sum() - kxx.trace()) / (n * (n - 1)) + (kyy.sum() - torch.trace(kyy)) / (m * (m - 1)) - 2 * kxy.mean()


def ntk_style_gram(x):
    n = x.norm(dim=1, keepdim=True)
    c = (x @ x.T / (n * n.T)).clamp(-1, 1)
    t = torch.acos(c * 0.999)
    return n * n.T * (torch.sin(t) + (math.pi - t) * torch.cos(t)) / (2 * math.pi)


def hsic_median(x, y):
    def gram(z):
        d = ssd.cdist(z, z, "sqeuclidean")
        return np.exp(-d / np.median(d[d > 0]))
    n = len(x)
    H = np.eye(n) - np.ones((n, n)) / n
    return np.trace(gram(x) @ H @ gram(y) @ H) / (n - 1) ** 2


def rv_coefficient(x, y):
    x, y = x - x.mean(0), y - y.mean(0)
    c = x.T @ y
    return np.trace(c @ c.T) / np.sqrt(np.trace((x.T @ x) @ (x.T @ x)) * np.trace((y.T @ y) @ (y.T @ y)))


def rsa(x, y):
    a, b = ssd.pdist(x, "correlation"), ssd.pdist(y, "correlation")
    return np.corrcoef(a, b)[0, 1]


def whitened(x):
    c = x - x.mean(0)
    w, v = np.linalg.eigh(c.T @ c / len(x))
    return c @ v / np.sqrt(w + 1e-5)


def pca_reconstruction(x, k=1):
    m = x.mean(0)
    u, s, vt = np.linalg.svd(x - m, full_matrices=False)
    return (u[:, :k] * s[:k]) @ vt[:k] + m


def bures_wasserstein(A, B):
    P, Q = A @ A.T + np.eye(len(A)), B @ B.T + np.eye(len(B))
    r = scipy.linalg.sqrtm(P)
    return np.trace(P) + np.trace(Q) - 2 * np.trace(scipy.linalg.sqrtm(r @ Q @ r)).real


def usr_descriptor(X):
    ctd = X.mean(0)
    d = np.linalg.norm(X - ctd, axis=1)
    cst, fct = X[d.argmin()], X[d.argmax()]
    out = []
    for p in (ctd, cst, fct):
        e = np.linalg.norm(X - p, axis=1)
        out += [e.mean(), e.std()]
    return np.array(out)


def histogram_equalise(im):
    flat = im.ravel()
    cdf = (flat[:, None] >= flat[None]).mean(1)
    return cdf.reshape(im.shape)


def kmeans_update(X, C):
    a = ssd.cdist(X, C).argmin(1)
    return np.array([X[a == k].mean(0) if (a == k).any() else C[k] for k in range(len(C))])


def kernel_2(of):
    return held("gpytorch", "lambda x: k(x).to_dense()", f"k = gpytorch.kernels.{of}")


def ball(of):
    return held("geoopt", f"lambda *x: b.{of}(*x)", "b = geoopt.PoincareBall()")


def sinkhorn_2(C, iters=5, eps=0.5):
    n, m = C.shape
    f, g = torch.zeros(n, dtype=C.dtype), torch.zeros(m, dtype=C.dtype)
    for _ in range(iters):
        f = -eps * torch.logsumexp((g[None] - C) / eps, 1)
        g = -eps * torch.logsumexp((f[:, None] - C) / eps, 0)
    return (torch.exp((f[:, None] + g[None] - C) / eps) * C).sum()


def hsic_2(x, y):
    n = x.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    K = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1))
    L = np.exp(-((y[:, None] - y[None]) ** 2).sum(-1))
    return np.trace(K @ H @ L @ H) / (n - 1) ** 2


def mmd_unbiased_2(x, y):
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


def ecdf_2(x, y):
    return (np.searchsorted(np.sort(x), y, side="right") / len(x)).mean()


def cox(s, t):  # Cox partial likelihood
    order = torch.argsort(t, descending=True)
    s = s[order]
    return -(s - torch.logcumsumexp(s, 0)).mean()


class CNP(nn.Module):  # conditional neural process
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 8))
        self.dec = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, cx, cy, tx):
        r = self.enc(torch.cat([cx, cy], dim=-1)).mean(dim=-2, keepdim=True)
        out = self.dec(torch.cat([r.expand(*tx.shape[:-1], -1), tx], dim=-1))
        mu, log_sigma = out.chunk(2, dim=-1)
        return mu * (0.1 + 0.9 * F.softplus(log_sigma))


def dpo(a, b, ra, rb, beta=0.1):
    return -F.logsigmoid(beta * ((a - b) - (ra - rb))).mean()


def geary(x, W):
    n, d = len(x), x - x.mean()
    return (n - 1) * (W * (x[:, None] - x[None]) ** 2).sum() / (2 * W.sum() * (d**2).sum())


def atkinson(x, eps=0.5):
    return 1 - np.mean(x ** (1 - eps)) ** (1 / (1 - eps)) / x.mean()


def l_moments(x):
    n, x = len(x), np.sort(x)
    i = np.arange(n)
    b0, b1 = x.mean(), (i * x).sum() / (n * (n - 1))
    b2 = (i * (i - 1) * x).sum() / (n * (n - 1) * (n - 2))
    return np.array([b0, 2 * b1 - b0, 6 * b2 - 6 * b1 + b0])


def clustering_2(A):
    A = (A + A.T) / 2
    np.fill_diagonal(A, 0)
    k = A.sum(1)
    return np.diag(A @ A @ A) / (k * (k - 1) + 1e-9)


def diffusion_map(x, eps=1.0):
    K = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1) / eps)
    q = K.sum(1)
    K = K / np.outer(q, q)
    return K / K.sum(1, keepdims=True)


def gmm_responsibilities(x, mu, pi):
    logp = -0.5 * ((x[:, None] - mu[None]) ** 2).sum(-1) + np.log(pi)
    logp -= logp.max(1, keepdims=True)
    p = np.exp(logp)
    return p / p.sum(1, keepdims=True)


def kmeans_step(x, c):
    d = ((x[:, None] - c[None]) ** 2).sum(-1)
    a = d.argmin(1)
    one = np.eye(len(c))[a]
    return one.T @ x / np.maximum(one.sum(0)[:, None], 1)


def mean_shift(x, steps=3, h=1.0):
    y = x.copy()
    for _ in range(steps):
        w = np.exp(-((y[:, None] - x[None]) ** 2).sum(-1) / (2 * h**2))
        y = (w @ x) / w.sum(1, keepdims=True)
    return y


def whiten(x):
    x = x - x.mean(0)
    w, V = np.linalg.eigh(x.T @ x / len(x))
    return x @ V @ np.diag(1 / np.sqrt(w + 1e-5)) @ V.T


def mahalanobis_2(x):
    c = x - x.mean(0)
    P = np.linalg.inv(np.cov(x, rowvar=False) + 1e-3 * np.eye(x.shape[1]))
    return np.einsum("ni,ij,nj->n", c, P, c)


def crps(x, y):
    x = np.sort(x)
    n = len(x)
    w = 2 * np.arange(1, n + 1) - n - 1
    return np.abs(x - y).mean() - (w * x).sum() / n**2


def moment_tensors(x, nu=2):  # moment tensor potential
    r = x[None] - x[:, None]
    d2 = (r**2).sum(-1)
    f = torch.exp(-d2) * (1 - torch.eye(len(x), dtype=x.dtype))
    m0 = f.sum(1)
    m1 = torch.einsum("ij,ija->ia", f, r)
    m2 = torch.einsum("ij,ija,ijb->iab", f, r, r)
    return torch.stack([m0, (m1 * m1).sum(-1), torch.einsum("iab,iab->i", m2, m2), torch.einsum("ia,iab,ib->i", m1, m2, m1)], -1)


class ClebschBlock(nn.Module):  # products of scalars, vectors and traceless symmetric tensors
    def __init__(self, c=2):
        super().__init__()
        self.w = nn.Parameter(torch.randn(5, c))

    def forward(self, s, v):
        dot = einops.einsum(v, v, "n c i, n c i -> n c")
        outer = einops.einsum(v, v, "n c i, n c j -> n c i j")
        outer = outer - dot[..., None, None] / 3 * torch.eye(3, dtype=v.dtype)
        new_s = self.w[0] * s + self.w[1] * dot
        new_v = self.w[2][:, None] * v * s[..., None] + self.w[3][:, None] * torch.einsum("ncij,ncj->nci", outer, v)
        return new_s, new_v + self.w[4][:, None] * torch.linalg.cross(v, v.flip(1), dim=-1)


class MeanPlane(nn.Module):  # radius, height above the mean plane of a molecule
    def forward(self, x):
        x = x - x.mean(dim=0)
        cov = x.T @ x
        lam, vecs = torch.linalg.eigh(cov)
        normal = vecs[:, 0]
        return torch.stack([x.norm(dim=-1), (x @ normal).abs()], dim=-1)


def coral(source, target):
    d = source.data.shape[1]
    xm = torch.mean(source, 0, keepdim=True) - source
    xmt = torch.mean(target, 0, keepdim=True) - target
    xc, xct = xm.t() @ xm / (source.shape[0] - 1), xmt.t() @ xmt / (target.shape[0] - 1)
    return torch.sum(torch.mul(xc - xct, xc - xct)) / (4 * d * d)


def central_moments(x, y, k=4):
    mx, my = x.mean(0), y.mean(0)
    out = [(mx - my).norm()]
    for i in range(2, k + 1):
        out.append((((x - mx) ** i).mean(0) - ((y - my) ** i).mean(0)).norm())
    return sum(out)


def stein_discrepancy(x, h=1.0):  # against a standard normal
    n, d = x.shape
    score = -x
    diff = x[:, None] - x[None]
    k = np.exp(-np.sum(diff**2, -1) / (2 * h))
    t1 = score @ score.T * k
    t2 = np.einsum("id,ijd->ij", score, diff) * k / h
    t3 = -np.einsum("jd,ijd->ij", score, diff) * k / h
    t4 = (d / h - np.sum(diff**2, -1) / h**2) * k
    return (t1 + t2 + t3 + t4).mean()


def swav(scores, iters=3, eps=0.05):
    q = torch.exp(scores / eps).t()
    k, b = q.shape
    q = q / torch.sum(q)
    for _ in range(iters):
        q = q / torch.sum(q, dim=1, keepdim=True) / k
        q = q / torch.sum(q, dim=0, keepdim=True) / b
    return (q * b).t()


def spatial_signs(x):
    x = x - np.median(x, axis=0)
    norms = np.sqrt(np.einsum("ij,ij->i", x, x))
    u = x / np.where(norms > 0, norms, 1.0)[:, None]
    return u.T @ u / len(u)


def stationary(P):
    P = P / P.sum(axis=1, keepdims=True)
    n = P.shape[0]
    a = np.vstack([P.T - np.eye(n), np.ones(n)])
    b = np.zeros(n + 1)
    b[-1] = 1
    return np.linalg.lstsq(a, b, rcond=None)[0]


CLAIMS = [
    torch_true("Normal.log_prob", lambda: normal, "x: n, m: n, s: n -> ()", "S(n)", draw="positive"),
    torch_true("Normal translations", lambda: lambda x: D.Normal(x.mean(0), 1.0).log_prob(x).sum(), "x: n d -> ()", "T(d)"),
    torch_true("Normal rotations", lambda: lambda x, m: D.Normal(m, 1.0).log_prob(x).sum(-1), "x: n d, m: d -> n", "E(d)"),
    torch_true("Categorical.entropy", lambda: lambda x: D.Categorical(logits=x).entropy(), "x: n c -> n", "S(c)"),
    torch_true("Categorical.log_prob", lambda: lambda x, y: D.Categorical(logits=x).log_prob(y), "x: n c, y[c]: n -> n", "S(c)"),
    torch_true("kl Categorical", lambda: divergence, "p: n c, q: n c -> n", "S(c)", draw="positive"),
    torch_true("kl Normal", lambda: lambda m, s: D.kl_divergence(D.Normal(m, s), D.Normal(torch.zeros_like(m), torch.ones_like(s))).sum(-1), "m: n d, s: n d -> n", "S(d)", draw="positive"),
    torch_true("Independent Laplace", lambda: lambda x: D.Independent(D.Laplace(torch.zeros_like(x), 1.0), 1).log_prob(x), "x: n d -> n", "Signs(d)"),
    torch_true("MultivariateNormal identity", lambda: lambda x: D.MultivariateNormal(torch.zeros_like(x[0]), torch.eye(x.shape[-1])).log_prob(x), "x: n d -> n", "O(d)"),
    torch_true("Bernoulli.log_prob", lambda: lambda x, y: D.Bernoulli(logits=x).log_prob((y > 0).to(x.dtype)).mean(), "x: n, y: n -> ()", "S(n)"),
    torch_true("Dirichlet entropy", lambda: lambda a: D.Dirichlet(a).entropy(), "a: n c -> n", "S(c)", draw="positive"),
    torch_true("Poisson.log_prob", lambda: lambda r, y: D.Poisson(r).log_prob(torch.floor(y)), "r: n, y: n -> n", "S(n)", draw="positive"),
    torch_true("Gamma mean", lambda: lambda a, r: D.Gamma(a, r).mean / D.Gamma(a, r).variance, "a: n, r: n -> n", "S(n)", draw="positive"),
    torch_true("MixtureSameFamily", lambda: lambda x, w, m: D.MixtureSameFamily(D.Categorical(logits=w), D.Normal(m, 1.0)).log_prob(x), "x: n, w: k, m: k -> n", "S(k) x S(n)"),
    torch_false("Normal fixed mean translations", lambda: lambda x: D.Normal(0.0, 1.0).log_prob(x).sum(), "x: n d -> ()", "T(d)"),
    torch_false("Independent Laplace rotations", lambda: lambda x: D.Independent(D.Laplace(torch.zeros_like(x), 1.0), 1).log_prob(x), "x: n d -> n", "O(d)"),
    torch_false("Categorical.log_prob of class 0", lambda: lambda x: D.Categorical(logits=x).log_prob(torch.zeros(x.shape[0])), "x: n c -> n", "S(c)"),
    torch_false("kl Normal swapped scales", lambda: lambda m: D.kl_divergence(D.Normal(m, 1.0), D.Normal(m * 0, torch.arange(1, m.shape[-1] + 1).to(m.dtype))).sum(-1), "m: n d -> n", "S(d)"),
    torch_false("Categorical.probs rows", lambda: lambda x: D.Categorical(logits=x).probs.cumsum(-1), "x: n c -> n c", "S(c)"),
    torch_true("mean_squared_error", lambda: M.mean_squared_error, "x: n, y: n -> ()", "S(n)"),
    torch_true("pearson_corrcoef", lambda: M.pearson_corrcoef, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    torch_true("r2_score", lambda: M.r2_score, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    torch_true("cosine_similarity", lambda: lambda x, y: M.cosine_similarity(x, y, reduction="mean"), "x: n d, y: n d -> ()", "O(d) x S(n)", single=True),
    torch_true("pairwise_cosine_similarity", lambda: lambda x, y: M.pairwise_cosine_similarity(x, y), "x: n d, y: m d -> n m", "O(d)"),
    torch_true("pairwise_euclidean_distance", lambda: lambda x, y: M.pairwise_euclidean_distance(x, y), "x: n d, y: m d -> n m", "E(d)"),
    torch_true("pairwise_manhattan_distance", lambda: lambda x, y: M.pairwise_manhattan_distance(x, y), "x: n d, y: m d -> n m", "T(d) x S(n)"),
    torch_true("explained_variance", lambda: M.explained_variance, "x: n, y: n -> ()", "S(n)"),
    torch_true("kl_divergence", lambda: M.kl_divergence, "p: n c, q: n c -> ()", "S(c)", draw="positive"),
    torch_true("signal_noise_ratio", lambda: M.signal_noise_ratio, "x: n, y: n -> ()", "S(n)"),
    torch_true("concordance_corrcoef", lambda: M.concordance_corrcoef, "x: n, y: n -> 1", "S(n)", sizes={"n": (2, 9)}),
    torch_true("total_variation", lambda: lambda x: M.total_variation(x[None]), "x: c 5 5 -> ()", "S(c)"),
    torch_false("mean_absolute_error rotations", lambda: lambda x, y: M.mean_absolute_error(x, y), "x: n d, y: n d -> ()", "O(d)"),
    torch_false("pairwise_cosine_similarity translations", lambda: lambda x, y: M.pairwise_cosine_similarity(x, y), "x: n d, y: m d -> n m", "E(d)"),
    torch_false("pairwise_manhattan_distance rotations", lambda: lambda x, y: M.pairwise_manhattan_distance(x, y), "x: n d, y: m d -> n m", "O(d)"),
    torch_false("r2_score swapped", lambda: lambda x, y: M.r2_score(x, y) * x[0], "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    numpy_true("cells normalize_total", lambda: normalize_total, "X: n g -> n g", "S(n) x S(g)", draw="positive"),
    numpy_true("cells log_normalize", lambda: log_normalize, "X: n g -> n g", "S(n) x S(g)", draw="positive"),
    numpy_true("cells dispersions", lambda: dispersions, "X: n g -> g", "S(n) x S(g)", draw="positive", sizes={"n": (2, 6)}),
    numpy_true("cells regress_out", lambda: regress_out, "X: n g, y: n -> n g", "S(n) x S(g)"),
    numpy_true("cells t_scores", lambda: t_scores, "X: n g, Y: m g -> g", "S(n) x S(m)"),
    numpy_true("gini", lambda: gini, "x: n -> ()", "S(n)", draw="positive"),
    numpy_true("median absolute deviation", lambda: mad, "x: n -> ()", "S(n)"),
    numpy_true("confidence interval", lambda: bootstrap_free_ci, "x: n -> 2", "S(n)", sizes={"n": (2, 6)}),
    numpy_true("covariance by hand", lambda: lambda X: (X - X.mean(0)).T @ (X - X.mean(0)) / (len(X) - 1), "X: n d -> d^ d^", "S(n) x E(d)", sizes={"n": (2, 6)}),
    numpy_true("digitize means", lambda: lambda x: np.where(np.digitize(x, [-0.5, 0.5]) == 1, x, 0).sum(), "x: n -> ()", "S(n)"),
    numpy_true("weighted quantile", lambda: lambda x, w: np.average(x, weights=w), "x: n, w: n -> ()", "S(n)", draw="positive"),
    numpy_true("clustering", lambda: clustering, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("circular mean", lambda: circular_mean, "t: n -> ()", "S(n)"),
    numpy_true("stacked moments", lambda: lambda X: np.concatenate([X.mean(0), X.std(0), X.max(0)]), "X: n 3 -> 9", "S(n)"),
    numpy_true("einops pooled", lambda: lambda x: einops.reduce(x, "n h w c -> n c", "mean"), "x: n h w c -> n c", "S(h) x S(w) x S(n)"),
    torch_true("masked mean", lambda: masked_mean, "x: n d, keep[bool]: n -> d", "S(n) x O(d)"),
    torch_true("MMD", lambda: mmd, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    torch_true("scatter mean", lambda: lambda x, g: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, g, x, "mean", include_self=False), "x: n, g[3]: n -> 3", "S(n)"),
    numpy_false("gini unsorted", lambda: lambda x: ((np.arange(len(x)) + 1) * x).sum() / x.sum(), "x: n -> ()", "S(n)", draw="positive"),
    numpy_false("median rotated", lambda: lambda X: np.median(X, axis=0), "X: n d -> d", "O(d)"),
    torch_true("torchmetrics accuracy", lambda: lambda p, y: M.accuracy(p, y, task="multiclass", num_classes=3), "p: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics f1", lambda: lambda p, y: M.f1_score(p, y, task="multiclass", num_classes=3, average="macro"), "p[3]: n, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics confusion_matrix", lambda: lambda p, y: M.confusion_matrix(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> 3 3", "S(n)"),
    torch_true("torchmetrics mean_squared_log_error", lambda: M.mean_squared_log_error, "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics mean_absolute_percentage_error", lambda: M.mean_absolute_percentage_error, "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics symmetric_mape", lambda: M.symmetric_mean_absolute_percentage_error, "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics log_cosh_error", lambda: M.log_cosh_error, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics minkowski", lambda: lambda x, y: M.minkowski_distance(x, y, p=3), "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics tweedie", lambda: M.tweedie_deviance_score, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics pairwise_linear_similarity", lambda: M.pairwise_linear_similarity, "x: n d, y: m d -> n m", "O(d)"),
    torch_true("torchmetrics perplexity", lambda: lambda p, y: M.text.perplexity(p, y), "p: b n 4, y[4]: b n -> ()", "S(n) x S(b)"),
    torch_true("torch quantile", lambda: lambda x: torch.quantile(x, 0.3), "x: n -> ()", "S(n)"),
    torch_true("torch svdvals", lambda: torch.linalg.svdvals, "A: n d -> m", "O(n)", sizes={"n": 4, "d": 3, "m": 3}),
    numpy_true("sklearn sigmoid_kernel", lambda: lambda X: pairwise.sigmoid_kernel(X), "X: n d -> n n", "S(n) x O(d)"),
    numpy_true("sklearn chi2_kernel", lambda: lambda X: pairwise.chi2_kernel(X), "X: n d -> n n", "S(n) x S(d)", draw="positive"),
    numpy_true("sklearn RBF kernel object", kernel(lambda: gaussian_process.kernels.RBF(1.0)), "X: n d -> n n", "S(n) x E(d)"),
    numpy_true("sklearn DotProduct kernel", kernel(lambda: gaussian_process.kernels.DotProduct()), "X: n d -> n n", "S(n) x O(d)"),
    numpy_true("sklearn shrunk_covariance", lambda: lambda X: covariance.shrunk_covariance(np.cov(X, rowvar=False)), "X: n 3 -> 3 3", "S(n)", sizes={"n": (3, 6)}),
    numpy_true("sklearn Ridge cholesky", lambda: lambda X, y: linear_model.Ridge(1.0, fit_intercept=False, solver="cholesky").fit(X, y).coef_, "X: n 2, y: n -> 2", "S(n)", sizes={"n": (4, 6)}),
    torch_false("torchmetrics weighted by order", lambda: lambda x, y: (M.mean_squared_error(x, y) * torch.arange(1, len(x) + 1).to(x.dtype) @ x), "x: n, y: n -> ()", "S(n)"),
    numpy_false("sklearn chi2_kernel scaled", lambda: lambda X: pairwise.additive_chi2_kernel(X), "X: n d -> n n", "Scale(d)", draw="positive"),
    torch_true("torch Beta entropy", lambda: lambda a, b: D.Beta(a, b).entropy().sum(), "a: n, b: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics hamming", lambda: lambda p, y: M.hamming_distance(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics cohen_kappa", lambda: lambda p, y: M.cohen_kappa(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> ()", "S(n)", sizes={"n": (8, 9)}),
    torch_true("torchmetrics relative_squared_error", lambda: M.relative_squared_error, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics weighted_mape", lambda: M.weighted_mean_absolute_percentage_error, "x: n, y: n -> ()", "S(n)"),
    numpy_true("brier score", lambda: lambda p, y: np.average((p - y) ** 2), "p: n, y: n -> ()", "S(n)"),
    numpy_true("sklearn KernelRidge", lambda: lambda X, y, Z: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5).fit(X, y).predict(Z), "X: n d, y: n, Z: m d -> m", "S(n) x E(d)"),
    numpy_true("sklearn ShrunkCovariance", lambda: lambda X: covariance.ShrunkCovariance(shrinkage=0.1).fit(X).covariance_, "X: n 2 -> 2 2", "S(n)"),
    numpy_true("POT empirical Bures", lambda: lambda X, Y: __import__("ot").gaussian.empirical_bures_wasserstein_distance(X, Y, reg=0.1), "X: n 2, Y: m 2 -> ()", "S(n)"),
    numpy_true("statistics welch", lambda: welch, "x: n, y: m -> ()", "S(n) x S(m)", sizes={"n": (2, 6), "m": (2, 6)}),
    numpy_true("statistics hotelling", lambda: hotelling, "X: n 2 -> ()", "S(n) x O(2)", sizes={"n": (4, 6)}),
    numpy_true("statistics mahalanobis", lambda: mahalanobis, "X: n 2 -> n", "S(n) x E(2)", sizes={"n": (4, 6)}),
    numpy_true("statistics distance correlation", lambda: distance_correlation, "X: n d, Y: n e -> ()", "S(n) x E(d)"),
    numpy_true("statistics hsic", lambda: hsic, "X: n d, Y: n e -> ()", "S(n) x O(d)"),
    numpy_true("statistics jackknife", lambda: jackknife, "x: n -> ()", "S(n)"),
    numpy_true("statistics ols", lambda: ols, "X: n 2, y: n -> ()", "S(n)", sizes={"n": (5, 6)}),
    numpy_true("statistics leverage", lambda: leverage, "X: n 2 -> n", "S(n) x O(2)", sizes={"n": (4, 6)}),
    numpy_true("statistics theil", lambda: theil, "x: n -> ()", "S(n)", draw="positive"),
    numpy_true("statistics silverman", lambda: silverman, "x: n -> ()", "S(n)"),
    numpy_true("statistics kde", lambda: kde, "x: n -> 5", "S(n)"),
    numpy_true("statistics ecdf", lambda: ecdf, "x: n -> n", "S(n)"),
    numpy_true("ecology clr", lambda: clr, "X: n k -> n k", "S(n) x S(k)", draw="positive"),
    torch_false("torchmetrics minkowski rotated", lambda: lambda x, y: M.minkowski_distance(x, y, p=3), "x: n, y: n -> ()", "O(n)"),
    numpy_false("sklearn KernelRidge scaled", lambda: lambda X, y, Z: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5).fit(X, y).predict(Z), "X: n d, y: n, Z: m d -> m", "Scale(d)"),
    numpy_false("statistics hotelling translated", lambda: hotelling, "X: n 2 -> ()", "T(2)", sizes={"n": (4, 6)}),
    numpy_false("statistics runs", lambda: runs, "x: n -> ()", "S(n)"),
    numpy_false("statistics ecdf of order", lambda: lambda x: np.sort(x) * ecdf(x), "x: n -> n", "S(n)"),
    numpy_false("statistics kde translated", lambda: lambda x: kde(x), "x: n -> 5", "T(n)"),
    numpy_false("ecology clr scaled", lambda: clr, "X: n k -> n k", "Scale(k)", draw="positive"),
    numpy_true("asphericity", lambda: asphericity, "X: n 3 -> ()", "S(n) x E(3)"),
    numpy_true("Sinkhorn loop", lambda: sinkhorn, "M: n m -> ()", "S(n) x S(m)"),
    torch_true("Sinkhorn in logs", lambda: log_sinkhorn, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    torch_true("sliced Wasserstein", lambda: sliced_wasserstein, "x: n 3, y: n 3 -> ()", "S(n)"),
    numpy_true("sorted Wasserstein", lambda: wasserstein_sorted, "x: n, y: n -> ()", "S(n)"),
    numpy_true("Gini of pairs", lambda: gini_pairs, "x: n -> ()", "S(n)", draw="positive"),
    numpy_true("persistence entropy", lambda: lambda B, L: persistence_entropy(B, B + L), "B: n, L: n -> ()", "S(n)", draw="positive"),
    numpy_true("AUC of pairs", lambda: auc_pairs, "s: n, y[2]: n -> ()", "S(n)"),
    numpy_false("PCA axes with signs", lambda: pca_aligned, "X: n 3 -> n 3!", "O(3)", sizes={"n": (5, 7)}),
    numpy_false("Gini shifted", lambda: gini_pairs, "x: n -> ()", "T(n)", draw="positive"),
    torch_false("Sinkhorn in logs, one side moved", lambda: log_sinkhorn, "x: n d, y: m d! -> ()", "T(d)"),
    torch_false("sliced Wasserstein rotated", lambda: sliced_wasserstein, "x: n 3, y: n 3 -> ()", "O(3)"),
    torch_true("gpytorch RBF", dense(KERNEL + "RBFKernel"), GP, "S(n) x E(d)"),
    torch_true("gpytorch Matern", dense(KERNEL + "MaternKernel", nu=1.5), GP, "S(n) x E(d)"),
    torch_true("gpytorch Linear", dense(KERNEL + "LinearKernel"), GP, "S(n) x O(d)"),
    torch_true("gpytorch Periodic", dense(KERNEL + "PeriodicKernel"), "X: n 2 -> n n", "S(n) x T(2)"),
    torch_true("gpytorch RQ", dense(KERNEL + "RQKernel"), GP, "S(n) x E(d)"),
    torch_false("gpytorch Periodic rotated", dense(KERNEL + "PeriodicKernel"), "X: n 2 -> n n", "O(2)"),
    torch_false("gpytorch linear translated", dense(KERNEL + "LinearKernel"), GP, "T(d)"),
    torch_true("nflows standard normal", built_2("nflows.distributions.normal:StandardNormal", [3], call=lambda m, x: m.log_prob(x)), "x: b 3 -> b", "S(b) x O(3)"),
    torch_true("pyro RBF", built_2(GP_local + "RBF", 3, call=lambda m, X: m(X)), "X: n 3 -> n n", "S(n) x E(3)", single=True),
    torch_true("pyro rational quadratic", built_2(GP_local + "RationalQuadratic", 3, call=lambda m, X: m(X)), "X: n 3 -> n n", "S(n) x E(3)", single=True),
    torch_true("pyro directional", using("pyro.distributions:ProjectedNormal", lambda f, c, x: f(c).log_prob(x / x.norm(dim=-1, keepdim=True))), "c: 3, x: n 3 -> n", "S(n) x O(3)"),
    torch_true("pyro autoregressive batch", built_2("pyro.nn:AutoRegressiveNN", 3, [8], call=lambda m, x: m(x)[0]), "x: b 3 -> b 3", "S(b)"),
    torch_false("pyro periodic rotated", built_2(GP_local + "Periodic", 2, call=lambda m, X: m(X)), "X: n 2 -> n n", "O(2)", single=True),
    numpy_true("ZCA whitening", lambda: zca_whiten, "X: n 3 -> n 3", "S(n)"),
    numpy_true("ZCA whitening rotated", lambda: zca_whiten, "X: n 3 -> n 3", "O(3)"),
    numpy_true("MMD with an RBF kernel", lambda: mmd_rbf, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("unbiased linear MMD", lambda: unbiased_mmd, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("linear CKA", lambda: linear_cka, "X: n d, Y: n e -> ()", "S(n) x O(d) x O(e)"),
    numpy_true("kernel CKA", lambda: kernel_cka, "X: n d, Y: n e -> ()", "S(n) x O(d) x O(e)"),
    numpy_true("Mahalanobis to classes", lambda: mahalanobis_to_classes, "X: n d, mu: k d, S: d^ d^ -> n k", "S(n) x S(k) x E(d)"),
    numpy_true("Gaussian log density", lambda: gaussian_log_density, "X: n d, mu: d, A: d^ d^ -> n", "S(n) x E(d)"),
    numpy_true("Frechet distance of traces", lambda: frechet_inception, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("DPP log-likelihood", lambda: dpp_log_likelihood, "L: n d -> ()", "S(n) x O(d)", sizes={"n": 3, "d": (3, 4)}),
    torch_true("Sinkhorn layer", lambda: sinkhorn_layer, "a: n m -> n m", "S(n) x S(m)"),
    torch_true("HSIC", lambda: hsic_torch, "X: n d, Y: n e -> ()", "S(n) x E(d) x E(e)"),
    numpy_false("MMD, last of the other", lambda: lambda X, Y: mmd_rbf(X, Y) + Y[-1, 0], "X: n d, Y: m d -> ()", "S(m)"),
    torch_false("Sinkhorn layer, one side last", lambda: lambda a: sinkhorn_layer(a, 1), "a: n m -> n m", "T(m)"),
    torch_false("HSIC with a bandwidth of the first", lambda: lambda X, Y: hsic_torch(X / X[:1].norm(), Y), "X: n d, Y: n e -> ()", "S(n)"),
    torch_true("SAGE mean", mods(SAGEMean), "x: n 3, e[n]: 2 m -> n 4", "S(n) x S(m)"),
    torch_true("GRU cells, batch", mods(GRULoop), "x: b t 3 -> b 2", "S(b)"),
    torch_true("uniformity", lambda: uniformity, "x: n d -> ()", "S(n) x O(d)", backend="torch", sizes={"n": (2, 5)}),
    torch_true("instance norm by hand", mods(InstanceNormManual), "x: b 3 h w -> b 3 h w", "S(h) x S(w)"),
    torch_true("GeM", mods(GeM), "x: b c h w -> b c 1 1", "S(h) x S(w) x S(c)"),
    numpy_true("Huber location", lambda: huber_location, "x: n -> ()", "S(n)"),
    numpy_true("trimmed mean", lambda: trimmed_mean, "x: n -> ()", "S(n)"),
    numpy_true("Gini", lambda: gini_2, "x: n -> ()", "S(n)", draw="positive"),
    numpy_true("RBF with the median", lambda: rbf_median, "X: n d -> n n", "S(n) x E(d)", sizes={"n": (2, 5)}),
    numpy_true("AUC", lambda: roc_auc, "s: n, p: m -> ()", "S(n) x S(m)"),
    torch_false("GRU cells, steps", mods(GRULoop), "x: b t 3 -> b 2", "S(t)"),
    torch_false("GeM of turned rows", mods(GeM), "x: b c h w -> b c 1 1", "O(h)"),
    numpy_false("Gini of signs", lambda: gini_2, "x: n -> ()", "Signs(n)"),
    numpy_false("trimmed mean of the order", lambda: lambda x: trimmed_mean(x) + x[-1], "x: n -> ()", "S(n)"),
    torch_true("mace scatter mean", using("mace.tools.scatter:scatter_mean", lambda f, x, i, s: f(x, i, 0, dim_size=s.shape[0])), "x: m c, i[n]: m, s: n -> n c", "S(n) x S(m) x O(c)"),
    torch_true("pomegranate normal", using("pomegranate.distributions:Normal", lambda f, x: f([0.0, 0.0], [1.0, 1.0], covariance_type="diag").log_probability(x)), "x: n 2 -> n", "S(n)", single=True),
    torch_true("GVP layer norm", mods_2(GVPLayerNorm), "s: n 3!, v: n c 3 -> n 3!, n c 3", "S(n) x S(c) x O(3)"),
    torch_true("masked mean", mods_2(MaskedMeanPool), "x: b n 4, mask[bool]: b n -> b 4", "S(b) x S(n)"),
    torch_true("lDDT", lambda: lddt, "p: n d, t: n d -> n", "S(n) x E(d)"),
    numpy_true("weighted mean and covariance", lambda: barycentre, "X: n d, w: n -> d, d^ d^", "S(n) x E(d)", draw="positive"),
    numpy_true("partial correlations", lambda: partial_corr, "X: n 3 -> 3 3", "S(n) x S(3)", sizes={"n": (5, 6)}),
    numpy_true("intraclass correlation", lambda: icc, "X: n k -> ()", "S(n) x S(k)", sizes={"n": (3, 5), "k": (2, 4)}),
    numpy_true("Welch's t", lambda: welch_t, "x: n, y: m -> ()", "S(n) x S(m)"),
    numpy_true("Theil-Sen", lambda: theil_sen_residual, "x: n, y: n -> ()", "S(n)", sizes={"n": (3, 4)}),
    numpy_true("kernel smoother", lambda: lowess_like, "x: n, y: n -> n", "S(n)"),
    numpy_true("sorted radii", lambda: shape_context, "X: n 2 -> n!", "S(n) x E(2)"),
    numpy_true("Sharpe of a portfolio", lambda: sharpe, "r: t n, w: n -> ()", "S(t) x S(n)", sizes={"t": (3, 5)}),
    torch_false("GVP layer norm centred", mods_2(functools.partial(GVPLayerNorm, wrong=True)), "s: n 3!, v: n c 3 -> n 3!, n c 3", "O(3)"),
    torch_false("masked last", mods_2(functools.partial(MaskedMeanPool, wrong=True)), "x: b n 4, mask[bool]: b n -> b 4", "S(n)"),
    torch_false("lDDT scaled", lambda: lddt, "p: n d, t: n d -> n", "Scale(d)"),
    torch_false("pomegranate normal rotated", using("pomegranate.distributions:Normal", lambda f, x: f([0.0, 0.0], [1.0, 2.0], covariance_type="diag").log_probability(x)), "x: n 2 -> n", "O(2)", single=True),
    torch_true("uniformity", lambda: uniformity_2, "x: n d -> ()", "S(n) x E(d)"),
    numpy_true("White covariance", lambda: white_covariance, "X: n d, y: n -> d^ d^", "S(n) x O(d)", sizes={"n": (6, 8), "d": 2}),
    numpy_true("logistic by Newton", lambda: logistic_newton, "X: n d, y: n -> d", "S(n) x O(d)"),
    numpy_true("lasso by ISTA", lambda: lasso_ista, "X: n d, y: n -> d", "S(n) x S(d)"),
    numpy_true("Moran's I", lambda: moran, "x: n, W: n n -> ()", "S(n)", draw="positive"),
    numpy_true("silhouette", lambda: silhouette, "X: n d, y[2]: n -> ()", "S(n) x E(d)"),
    numpy_true("nearest mean distance", lambda: nearest_mean, "X: n d -> ()", "S(n) x E(d)"),
    numpy_false("lasso rotated", lambda: lasso_ista, "X: n d, y: n -> d", "O(d)"),
    numpy_false("nearest mean distance anisotropic", lambda: lambda X: nearest_mean(X * np.array([1.0, 2.0])), "X: n 2 -> ()", "O(2)"),
    torch_true("outer product mean", seeded(OuterProductMean), "m: s n 4, mask: s n -> n n 3", "S(n) x S(s)", draw="positive"),
    torch_true("FAPE", lambda: fape, "R: f 3 3!, t: f 3, x: n 3, Rt: f 3! 3!, tt: f 3!, xt: n 3! -> ()", "O(3) x S(n) x S(f)"),
    torch_false("TM without alignment", lambda: tm_score, "a: n 3, b: n 3! -> ()", "E(3)", backend="torch"),
    torch_true("TM both", lambda: tm_score, "a: n 3, b: n 3 -> ()", "E(3) x S(n)", backend="torch"),
    torch_true("Umeyama", lambda: umeyama, "x: n 3, y: n 3! -> n 3!", "E(3) x S(n)", sizes={"n": (4, 6)}),
    torch_true("Performer", seeded(PerformerAttn), "x: b n 4 -> b n 4", "S(n)"),
    torch_true("PermEqui max", seeded(DeepSetEquivariant), "x: b n 3 -> b n 4", "S(n)"),
    torch_true("GRN", seeded(GRN), "x: b h w 4 -> b h w 4", "S(h) x S(w)"),
    torch_false("GRN channels", seeded(GRN), "x: b h w 4 -> b h w 4", "S(4)"),
    torch_true("EMD sorted", lambda: emd_1d, "u: n, v: n! -> ()", "S(n)"),
    torch_true("Sinkhorn log", lambda: sinkhorn_log, "C: n m -> ()", "S(n) x S(m)"),
    torch_true("GW cost", lambda: gromov_wasserstein_cost, "A: n n, B: m m, T: n m -> ()", "S(n) x S(m)"),
    torch_false("GW cost one side", lambda: gromov_wasserstein_cost, "A: n n, B: m m, T: n! m -> ()", "S(n)"),
    torch_true("MMD unbiased", lambda: mmd_unbiased, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    torch_true("arc-cosine kernel", lambda: ntk_style_gram, "x: n d -> n n", "S(n) x O(d)"),
    numpy_true("HSIC median heuristic", lambda: hsic_median, XY, "S(n) x E(p)", sizes=S4),
    numpy_true("RV coefficient", lambda: rv_coefficient, XY, "S(n) x E(p)"),
    numpy_true("RSA", lambda: rsa, XY, "S(n)", sizes={"n": (4, 6), "p": (3, 5), "q": (3, 5)}),
    numpy_false("RSA rotated", lambda: rsa, XY, "O(p)", sizes={"n": (4, 6), "p": (3, 5), "q": (3, 5)}),
    numpy_true("whitened Gram", lambda: lambda x: whitened(x) @ whitened(x).T, "x: n d -> n n", "S(n) x E(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    numpy_true("PCA reconstruction", lambda: pca_reconstruction, "x: n d -> n d", "S(n) x E(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    numpy_true("Bures", lambda: bures_wasserstein, "A: n n, B: n n -> ()", "O(n)", sizes={"n": (2, 3)}),
    numpy_true("USR", lambda: usr_descriptor, "X: n d -> 6", "S(n) x E(d)", sizes={"n": (3, 5)}),
    numpy_true("histogram equalisation", lambda: histogram_equalise, "x: h w -> h w", "S(h) x S(w)"),
    numpy_true("k-means update", lambda: kmeans_update, "X: n d, C: 2 d -> 2 d", "S(n) x E(d)"),
    *(torch_true(f"entmax.{f}", held("entmax", f"lambda x: entmax.{f}(x, dim=-1)"), "x: n -> n", "S(n)")
      for f in ("sparsemax", "entmax15", "sparsemax_bisect")),
    torch_false("entmax.entmax15 signs", held("entmax", "lambda x: entmax.entmax15(x, dim=-1)"), "x: n -> n", "Signs(n)"),
    torch_true("pytorch_msssim.ssim", held("pytorch_msssim as P",
         "lambda x, y: P.ssim(x, y, data_range=1.0, size_average=False)"), "x: b 1 12 12, y: b 1 12 12 -> b", "S(b)"),
    torch_true("gpytorch RBFKernel", kernel_2("RBFKernel()"), "x: n d -> n n", "S(n) x E(d)"),
    torch_true("gpytorch MaternKernel", kernel_2("MaternKernel(nu=2.5)"), "x: n 3 -> n n", "S(n) x E(3)"),
    torch_true("gpytorch LinearKernel", kernel_2("LinearKernel()"), "x: n d -> n n", "S(n) x O(d)"),
    torch_false("gpytorch LinearKernel moved", kernel_2("LinearKernel()"), "x: n d -> n n", "T(d)"),
    torch_false("gpytorch PeriodicKernel turned", kernel_2("PeriodicKernel()"), "x: n 3 -> n n", "O(3)"),
    torch_true("geoopt mobius_add", ball("mobius_add"), "x: n d, y: n d -> n d", "O(d)"),
    torch_true("geoopt expmap0", ball("expmap0"), "x: n d -> n d", "O(d) x S(n)"),
    torch_false("geoopt expmap0 moved", ball("expmap0"), "x: n d -> n d", "T(d)"),
    torch_true("geoopt Sphere.projx", held("geoopt", "lambda x: s.projx(x)", "s = geoopt.Sphere()"), "x: n d -> n d", "O(d)"),
    torch_true("torchdiffeq rk4", held("torchdiffeq as T", "lambda x: T.odeint(lambda t, y: -y * (y * y).sum(-1, "
         "keepdim=True), x, torch.tensor([0.0, 1.0], dtype=x.dtype), method='rk4')[-1]"), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("botorch standardize", held("botorch.utils.transforms as B", "lambda x: B.standardize(x)"), "x: n d -> n d",
         "S(n)", sizes={"n": (3, 6)}),
    torch_false("linformer", layer("linformer as L", "L.Linformer(dim=16, seq_len=8, depth=1, k=4, heads=2)"),
          "x: 2 8 16 -> 2 8 16", "S(8)"),
    torch_true("Sinkhorn", lambda: sinkhorn_2, "C: n m -> ()", "S(n) x S(m)"),
    torch_false("Cox likelihood, times kept", lambda: cox, "s: n, t: n! -> ()", "S(n)"),
    numpy_true("HSIC", lambda: hsic_2, "x: n d, y: n e -> ()", "S(n) x E(d) x E(e)"),
    numpy_false("HSIC, one shuffled", lambda: hsic_2, "x: n d, y: n! e -> ()", "S(n)"),
    numpy_true("MMD unbiased in NumPy", lambda: mmd_unbiased_2, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_false("MMD scaled", lambda: mmd_unbiased_2, "x: n d, y: m d -> ()", "Scale(d)"),
    numpy_true("linear CKA", lambda: cka, "x: n d, y: n e -> ()", "S(n) x E(d) x E(e)"),
    numpy_true("heat kernel signature", lambda: heat, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("ECDF", lambda: ecdf_2, "x: n, y: m -> ()", "S(n) x S(m)"),
    torch_true("torch.distributions LogNormal", lambda: lambda x: torch.distributions.LogNormal(0.0, 1.0).log_prob(x).sum(), "x: n -> ()", "S(n)", draw="positive"),
    torch_true("kl of Laplace", lambda: lambda a, b: torch.distributions.kl_divergence(torch.distributions.Laplace(a, 1.0), torch.distributions.Laplace(b, 2.0)).sum(), "a: n, b: n -> ()", "S(n)"),
    torch_false("torch.distributions Gumbel", lambda: lambda x: torch.distributions.Gumbel(0.0, 1.0).log_prob(x).sum(), "x: n -> ()", "Signs(n)"),
    torch_true("conditional neural process", seeded(CNP), "cx: b n 2, cy: b n 1, tx: b m 2 -> b m 1", "S(b) x S(n) x S(m)"),
    torch_false("conditional neural process, values shuffled", seeded(CNP), "cx: b n! 2, cy: b n 1, tx: b m 2 -> b m 1", "S(n)"),
    torch_true("DPO", lambda: dpo, "a: n, b: n, ra: n, rb: n -> ()", "S(n)"),
    torch_false("DPO, one shuffled", lambda: dpo, "a: n, b: n!, ra: n, rb: n! -> ()", "S(n)"),
    numpy_true("Geary's C", lambda: geary, "x: n, W: n n -> ()", "S(n)", draw="positive"),
    numpy_true("Geary's C scaled", lambda: geary, "x: n, W: n! n! -> ()", "Scale(n)", draw="positive"),
    numpy_true("Atkinson index", lambda: atkinson, VECTOR, "S(n)", draw="positive"),
    numpy_true("Atkinson index scaled", lambda: atkinson, VECTOR, "Scale(n)", draw="positive"),
    numpy_true("L-moments", lambda: l_moments, "x: n -> 3", "S(n)"),
    numpy_false("L-moments signed", lambda: l_moments, "x: n -> 3", "Signs(n)"),
    numpy_true("clustering coefficients", lambda: clustering_2, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("diffusion map kernel", lambda: diffusion_map, "x: n d -> n n", "S(n) x E(d)"),
    numpy_false("diffusion map kernel scaled", lambda: diffusion_map, "x: n d -> n n", "Scale(d)"),
    numpy_true("GMM responsibilities", lambda: gmm_responsibilities, "x: n d, mu: k d, pi: k -> n k", "S(n) x S(k) x E(d)", draw="positive"),
    numpy_false("GMM responsibilities, weights kept", lambda: gmm_responsibilities, "x: n d, mu: k d, pi: k! -> n k", "S(k)", draw="positive"),
    numpy_true("k-means step", lambda: kmeans_step, "x: n d, c: k d -> k d", "S(n)"),
    numpy_true("k-means step turned", lambda: kmeans_step, "x: n d, c: k d -> k d", "O(d)"),
    numpy_true("mean shift", lambda: mean_shift, "x: n d -> n d", "S(n) x E(d)"),
    numpy_false("mean shift scaled", lambda: mean_shift, "x: n d -> n d", "Scale(d)"),
    numpy_true("ZCA whitening", lambda: whiten, "x: n d -> n d", "S(n) x O(d)"),
    numpy_false("ZCA whitening moved", lambda: whiten, "x: n d -> n d", "T(d)"),
    numpy_true("Mahalanobis", lambda: mahalanobis_2, "x: n d -> n", "S(n) x E(d)", sizes={"n": (5, 7), "d": (2, 3)}),
    numpy_true("CRPS of an ensemble", lambda: crps, "x: n, y: () -> ()", "S(n)"),
    torch_true("moment tensors", lambda: moment_tensors, "x: n 3 -> n 4!", "S(n) x E(3)"),
    torch_true("Clebsch block, vectors", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(ClebschBlock)()), "s: n 2, v: n 2 3 -> n 2 3", "S(n) x SO(3)"),
    torch_true("Clebsch block, scalars", lambda: (lambda m: lambda s, v: m(s, v)[0])(seeded(ClebschBlock)()), "s: n 2, v: n 2 3 -> n 2", "S(n) x O(3)"),
    torch_true("height above the mean plane", seeded(MeanPlane), "x: n 3 -> n 2", "S(n) x E(3)", sizes={"n": (4, 6)}),
    torch_true("CORAL", lambda: coral, "x: n d, y: m d^ -> ()", "S(n) x S(m) x O(d)"),
    torch_true("central moments", lambda: central_moments, PAIR_2, "S(n) x S(m) x S(d)"),
    numpy_true("kernel Stein discrepancy", lambda: stein_discrepancy, "x: n d -> ()", "S(n) x O(d)"),
    torch_true("SwAV codes", lambda: swav, "s: b k -> b k", "S(b) x S(k)"),
    numpy_true("spatial signs", lambda: spatial_signs, "x: n d -> d d", "S(n) x S(d)"),
    numpy_true("stationary distribution", lambda: stationary, "P: n n -> n", "S(n)", draw="positive", sizes={"n": (3, 5)}),
    torch_true("torch-einops-utils masked mean", packed("torch_einops_utils as U", "lambda x, m: U.masked_mean(x, m)"), "x: b n, m[bool]: b n -> ()", "S(b) x S(n)"),
    torch_true("torch-einops-utils z-score", packed("torch_einops_utils as U", "lambda x: U.z_score(x)"), "x: n d -> n d", "S(n) x S(d)"),
    torch_true("arm_pytorch_utilities covariance", packed("arm_pytorch_utilities as A", "lambda x: A.cov(x, rowvar=False)"), "x: n d -> d d", "S(n) x O(d)"),
    numpy_true("bottleneck nanmean", packed("bottleneck as B", "lambda x: B.nanmean(x, axis=0)"), "x: n d -> d", "S(n) x O(d)"),
    numpy_true("quantecon gini", packed("quantecon as Q", "lambda x: Q.gini_coefficient(x)"), VECTOR_2, "S(n)", draw="positive"),
    numpy_true("causal-learn kernel", packed("causallearn.utils.KCI.KCI as K", "lambda x: K.Kernel.center_kernel_matrix(x @ x.T)"), "x: n d -> n n", "S(n) x E(d)"),
    numpy_true("lmfit pseudo-Voigt", packed("lmfit.lineshapes as L", "lambda x: L.pvoigt(x, 1.0, 0.3, 1.2, 0.4).sum()"), VECTOR_2, "S(n)"),
    torch_false("F-score scaled", lambda: f_score, "x: n 3, y: m 3 -> ()", "Scale(3)"),
    torch_false("moment tensors scaled", lambda: moment_tensors, "x: n 3 -> n 4!", "Scale(3)"),
    torch_false("Clebsch block mirrored", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(ClebschBlock)()), "s: n 2, v: n 2 3 -> n 2 3", "O(3)"),
    torch_false("CORAL of one", lambda: coral, "x: n d, y: m d! -> ()", "O(d)"),
    torch_false("central moments turned", lambda: central_moments, PAIR_2, "O(d)"),
    numpy_false("kernel Stein discrepancy moved", lambda: stein_discrepancy, "x: n d -> ()", "T(d)"),
    numpy_false("spatial signs turned", lambda: spatial_signs, "x: n d -> d d", "O(d)"),
    numpy_false("dipoles, moments kept", lambda: dipoles, "x: n 3, p: n 3! -> ()", "O(3)"),
    numpy_false("quantecon gini moved", packed("quantecon as Q", "lambda x: Q.gini_coefficient(x)"), VECTOR_2, "T(n)", draw="positive"),
]  # fmt: skip
