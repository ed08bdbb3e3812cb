"""Statistics, kernels, transport, clustering, regression and linear algebra."""

import math

import einops
import numpy as np
import scipy.spatial.distance as ssd
import scipy.stats
import torch
import torch.nn.functional as F
from torch import distributions as D
from torch import nn

from benchmarks.packages.claims import false, held, layer, of_numpy, of_torch, true, using
from benchmarks.packages.libraries import (
    M,
    covariance,
    gaussian_process,
    kernel_ridge,
    linear_model,
    ot,
    pairwise,
)


def normal(x, m, s):
    return D.Normal(m, s).log_prob(x).sum()

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

def clustering(A):
    A = A * (1 - np.eye(len(A)))
    triangles = np.diag(A @ A @ A)
    k = A.sum(1)
    return triangles / (k * (k - 1) + 1)

def masked_mean(x, keep):
    m = keep.unsqueeze(-1).to(x.dtype)
    return (x * m).sum(0) / m.sum(0).clamp(min=1)

def mmd(x, y):
    def k(a, b):
        return torch.exp(-torch.cdist(a, b).pow(2) / 2)
    return k(x, x).mean() + k(y, y).mean() - 2 * k(x, y).mean()

def welch(x, y):
    se = np.sqrt(np.var(x, ddof=1) / x.size + np.var(y, ddof=1) / y.size)
    return (np.mean(x) - np.mean(y)) / se

def hotelling(X):
    mu = X.mean(axis=0)
    S = np.cov(X, rowvar=False)
    return len(X) * mu @ np.linalg.solve(S, mu)

def mahalanobis(X, ridge=0.0):
    mu = X.mean(0)
    P = np.linalg.inv(np.cov(X.T) + ridge * np.eye(X.shape[1]))
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

def persistence_entropy(B, D):
    life = D - B
    p = life / life.sum()
    return -(p * np.log(p)).sum()

def auc_pairs(scores, y):
    pos, neg = y[:, None] == 1, y[None, :] == 0
    wins = (scores[:, None] > scores[None, :]) + 0.5 * (scores[:, None] == scores[None, :])
    return (wins * (pos & neg)).sum() / np.maximum((pos & neg).sum(), 1)

def dense(path, **options):
    return layer(path, call=lambda k, X: k(X).to_dense(), **options)

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
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(3, 4), nn.Linear(4, 2)
    def forward(self, x):
        h = torch.zeros(x.shape[0], 4, dtype=x.dtype)
        outs = []
        for t in range(x.shape[1]):
            h = self.cell(x[:, t, :], h)
            outs.append(h)
        return self.head(torch.stack(outs, dim=1).mean(dim=1))

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

def gini_by_cumsum(x):
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

def lddt(pred, truth, cutoff=5.0):
    dt, dp = torch.cdist(truth, truth), torch.cdist(pred, pred)
    keep = (dt < cutoff) * (1.0 - torch.eye(truth.shape[0], dtype=truth.dtype))
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

def uniformity(x, t=2):
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

def tm_score(pred, truth):
    d0 = 0.5
    d = (pred - truth).norm(dim=-1)
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

def sinkhorn_log(C, eps=0.3, rounds=3):
    f, g = torch.zeros(C.shape[0], dtype=C.dtype), torch.zeros(C.shape[1], dtype=C.dtype)
    for _ in range(rounds):
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

def gp_kernel(of):
    return held("gpytorch", "lambda x: k(x).to_dense()", f"k = gpytorch.kernels.{of}")

def ball(of):
    return held("geoopt", f"lambda *x: b.{of}(*x)", "b = geoopt.PoincareBall()")

def hsic_of_gaussians(x, y):
    n = x.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    K = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1))
    L = np.exp(-((y[:, None] - y[None]) ** 2).sum(-1))
    return np.trace(K @ H @ L @ H) / (n - 1) ** 2

def mmd_off_diagonal(x, y):
    def k(a, b):
        return np.exp(-0.5 * (np.sum(a**2, 1)[:, None] + np.sum(b**2, 1)[None] - 2 * a @ b.T))
    n, m = len(x), len(y)
    kx, ky = k(x, x), k(y, y)
    np.fill_diagonal(kx, 0)
    np.fill_diagonal(ky, 0)
    return kx.sum() / (n * (n - 1)) + ky.sum() / (m * (m - 1)) - 2 * k(x, y).mean()

def heat(A, t=0.5):  # heat kernel signature
    L = np.diag(A.sum(1)) - A
    L = (L + L.T) / 2
    w, U = np.linalg.eigh(L)
    return (U**2 * np.exp(-t * w)).sum(1)

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

def l_moments(x):
    n, x = len(x), np.sort(x)
    i = np.arange(n)
    b0, b1 = x.mean(), (i * x).sum() / (n * (n - 1))
    b2 = (i * (i - 1) * x).sum() / (n * (n - 1) * (n - 2))
    return np.array([b0, 2 * b1 - b0, 6 * b2 - 6 * b1 + b0])

def symmetric_clustering(A):
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

def silhouette(X, labels):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    onehot = np.eye(2)[labels]
    sums, counts = D @ onehot, onehot.sum(0)
    own = (sums * onehot).sum(1) / np.maximum(counts[labels] - 1, 1)
    other = (sums / np.maximum(counts, 1) * (1 - onehot)).sum(1)
    return ((other - own) / np.maximum(own, other)).mean()

def nearest_mean(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1) + np.diag(np.full(len(X), np.inf))
    return D.min(axis=1).mean()

CLAIMS = [
    of_torch(normal, "x: n, m: n, s: n -> ()", true("Normal.log_prob", "S(n)"), draw="positive"),
    of_torch(lambda x: D.Normal(x.mean(0), 1.0).log_prob(x).sum(), "x: n d -> ()", true("Normal translations", "T(d)")),
    of_torch(lambda x, m: D.Normal(m, 1.0).log_prob(x).sum(-1), "x: n d, m: d -> n", true("Normal rotations", "E(d)")),
    of_torch(lambda x: D.Categorical(logits=x).entropy(), "x: n c -> n", true("Categorical.entropy", "S(c)")),
    of_torch(lambda x, y: D.Categorical(logits=x).log_prob(y), "x: n c, y[c]: n -> n", true("Categorical.log_prob", "S(c)")),
    of_torch(lambda p, q: D.kl_divergence(D.Categorical(probs=p), D.Categorical(probs=q)), "p: n c, q: n c -> n", true("kl Categorical", "S(c)"), draw="positive"),
    of_torch(lambda m, s: D.kl_divergence(D.Normal(m, s), D.Normal(torch.zeros_like(m), torch.ones_like(s))).sum(-1), "m: n d, s: n d -> n", true("kl Normal", "S(d)"), draw="positive"),
    of_torch(lambda x: D.Independent(D.Laplace(torch.zeros_like(x), 1.0), 1).log_prob(x), "x: n d -> n", true("Independent Laplace", "Signs(d)"), false("Independent Laplace rotations", "O(d)")),
    of_torch(lambda x: D.MultivariateNormal(torch.zeros_like(x[0]), torch.eye(x.shape[-1])).log_prob(x), "x: n d -> n", true("MultivariateNormal identity", "O(d)")),
    of_torch(lambda x, y: D.Bernoulli(logits=x).log_prob((y > 0).to(x.dtype)).mean(), "x: n, y: n -> ()", true("Bernoulli.log_prob", "S(n)")),
    of_torch(lambda a: D.Dirichlet(a).entropy(), "a: n c -> n", true("Dirichlet entropy", "S(c)"), draw="positive"),
    of_torch(lambda r, y: D.Poisson(r).log_prob(torch.floor(y)), "r: n, y: n -> n", true("Poisson.log_prob", "S(n)"), draw="positive"),
    of_torch(lambda a, r: D.Gamma(a, r).mean / D.Gamma(a, r).variance, "a: n, r: n -> n", true("Gamma mean", "S(n)"), draw="positive"),
    of_torch(lambda x, w, m: D.MixtureSameFamily(D.Categorical(logits=w), D.Normal(m, 1.0)).log_prob(x), "x: n, w: k, m: k -> n", true("MixtureSameFamily", "S(k) x S(n)")),
    of_torch(lambda x: D.Normal(0.0, 1.0).log_prob(x).sum(), "x: n d -> ()", false("Normal fixed mean translations", "T(d)")),
    of_torch(lambda x: D.Categorical(logits=x).log_prob(torch.zeros(x.shape[0])), "x: n c -> n", false("Categorical.log_prob of class 0", "S(c)")),
    of_torch(lambda m: D.kl_divergence(D.Normal(m, 1.0), D.Normal(m * 0, torch.arange(1, m.shape[-1] + 1).to(m.dtype))).sum(-1), "m: n d -> n", false("kl Normal swapped scales", "S(d)")),
    of_torch(lambda x: D.Categorical(logits=x).probs.cumsum(-1), "x: n c -> n c", false("Categorical.probs rows", "S(c)")),
    of_torch(M.mean_squared_error, "x: n, y: n -> ()", true("mean_squared_error", "S(n)")),
    of_torch(M.pearson_corrcoef, "x: n, y: n -> ()", true("pearson_corrcoef", "S(n)"), n=(2, 9)),
    of_torch(M.r2_score, "x: n, y: n -> ()", true("r2_score", "S(n)"), n=(2, 9)),
    of_torch(lambda x, y: M.cosine_similarity(x, y, reduction="mean"), "x: n d, y: n d -> ()", true("cosine_similarity", "O(d) x S(n)"), single=True),
    of_torch(lambda x, y: M.pairwise_cosine_similarity(x, y), "x: n d, y: m d -> n m", true("pairwise_cosine_similarity", "O(d)"), false("pairwise_cosine_similarity translations", "E(d)")),
    of_torch(lambda x, y: M.pairwise_euclidean_distance(x, y), "x: n d, y: m d -> n m", true("pairwise_euclidean_distance", "E(d)")),
    of_torch(lambda x, y: M.pairwise_manhattan_distance(x, y), "x: n d, y: m d -> n m", true("pairwise_manhattan_distance", "T(d) x S(n)"), false("pairwise_manhattan_distance rotations", "O(d)")),
    of_torch(M.explained_variance, "x: n, y: n -> ()", true("explained_variance", "S(n)")),
    of_torch(M.kl_divergence, "p: n c, q: n c -> ()", true("kl_divergence", "S(c)"), draw="positive"),
    of_torch(M.signal_noise_ratio, "x: n, y: n -> ()", true("signal_noise_ratio", "S(n)")),
    of_torch(M.concordance_corrcoef, "x: n, y: n -> 1", true("concordance_corrcoef", "S(n)"), n=(2, 9)),
    of_torch(lambda x: M.total_variation(x[None]), "x: c 5 5 -> ()", true("total_variation", "S(c)")),
    of_torch(lambda x, y: M.mean_absolute_error(x, y), "x: n d, y: n d -> ()", false("mean_absolute_error rotations", "O(d)")),
    of_torch(lambda x, y: M.r2_score(x, y) * x[0], "x: n, y: n -> ()", false("r2_score swapped", "S(n)"), n=(2, 9)),
    of_numpy(normalize_total, "X: n g -> n g", true("cells normalize_total", "S(n) x S(g)"), draw="positive"),
    of_numpy(log_normalize, "X: n g -> n g", true("cells log_normalize", "S(n) x S(g)"), draw="positive"),
    of_numpy(dispersions, "X: n g -> g", true("cells dispersions", "S(n) x S(g)"), n=(2, 6), draw="positive"),
    of_numpy(regress_out, "X: n g, y: n -> n g", true("cells regress_out", "S(n) x S(g)")),
    of_numpy(t_scores, "X: n g, Y: m g -> g", true("cells t_scores", "S(n) x S(m)")),
    of_numpy(gini, "x: n -> ()", true("gini", "S(n)"), draw="positive"),
    of_numpy(lambda x: np.median(np.abs(x - np.median(x))), "x: n -> ()", true("median absolute deviation", "S(n)")),
    of_numpy(lambda x: np.array( [x.mean() - 1.96 * x.std(ddof=1) / np.sqrt(len(x)), x.mean() + 1.96 * x.std(ddof=1) / np.sqrt(len(x))] ), "x: n -> 2", true("confidence interval", "S(n)"), n=(2, 6)),
    of_numpy(lambda X: (X - X.mean(0)).T @ (X - X.mean(0)) / (len(X) - 1), "X: n d -> d^ d^", true("covariance by hand", "S(n) x E(d)"), n=(2, 6)),
    of_numpy(lambda x: np.where(np.digitize(x, [-0.5, 0.5]) == 1, x, 0).sum(), "x: n -> ()", true("digitize means", "S(n)")),
    of_numpy(lambda x, w: np.average(x, weights=w), "x: n, w: n -> ()", true("weighted quantile", "S(n)"), draw="positive"),
    of_numpy(clustering, "A: n n -> n", true("clustering", "S(n)"), draw="positive"),
    of_numpy(lambda t: np.hypot(np.cos(t).mean(), np.sin(t).mean()), "t: n -> ()", true("circular mean", "S(n)")),
    of_numpy(lambda X: np.concatenate([X.mean(0), X.std(0), X.max(0)]), "X: n 3 -> 9", true("stacked moments", "S(n)")),
    of_numpy(lambda x: einops.reduce(x, "n h w c -> n c", "mean"), "x: n h w c -> n c", true("einops pooled", "S(h) x S(w) x S(n)")),
    of_torch(masked_mean, "x: n d, keep[bool]: n -> d", true("masked mean", "S(n) x O(d)")),
    of_torch(mmd, "x: n d, y: m d -> ()", true("MMD", "S(n) x S(m) x E(d)")),
    of_torch(lambda x, g: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, g, x, "mean", include_self=False), "x: n, g[3]: n -> 3", true("scatter mean", "S(n)")),
    of_numpy(lambda x: ((np.arange(len(x)) + 1) * x).sum() / x.sum(), "x: n -> ()", false("gini unsorted", "S(n)"), draw="positive"),
    of_numpy(lambda X: np.median(X, axis=0), "X: n d -> d", false("median rotated", "O(d)")),
    of_torch(lambda p, y: M.accuracy(p, y, task="multiclass", num_classes=3), "p: n 3, y[3]: n -> ()", true("torchmetrics accuracy", "S(n)")),
    of_torch(lambda p, y: M.f1_score(p, y, task="multiclass", num_classes=3, average="macro"), "p[3]: n, y[3]: n -> ()", true("torchmetrics f1", "S(n)")),
    of_torch(lambda p, y: M.confusion_matrix(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> 3 3", true("torchmetrics confusion_matrix", "S(n)")),
    of_torch(M.mean_squared_log_error, "x: n, y: n -> ()", true("torchmetrics mean_squared_log_error", "S(n)"), draw="positive"),
    of_torch(M.mean_absolute_percentage_error, "x: n, y: n -> ()", true("torchmetrics mean_absolute_percentage_error", "S(n)"), draw="positive"),
    of_torch(M.symmetric_mean_absolute_percentage_error, "x: n, y: n -> ()", true("torchmetrics symmetric_mape", "S(n)"), draw="positive"),
    of_torch(M.log_cosh_error, "x: n, y: n -> ()", true("torchmetrics log_cosh_error", "S(n)")),
    of_torch(lambda x, y: M.minkowski_distance(x, y, p=3), "x: n, y: n -> ()", true("torchmetrics minkowski", "S(n)"), false("torchmetrics minkowski rotated", "O(n)")),
    of_torch(M.tweedie_deviance_score, "x: n, y: n -> ()", true("torchmetrics tweedie", "S(n)")),
    of_torch(M.pairwise_linear_similarity, "x: n d, y: m d -> n m", true("torchmetrics pairwise_linear_similarity", "O(d)")),
    of_torch(lambda p, y: M.text.perplexity(p, y), "p: b n 4, y[4]: b n -> ()", true("torchmetrics perplexity", "S(n) x S(b)")),
    of_torch(lambda x: torch.quantile(x, 0.3), "x: n -> ()", true("torch quantile", "S(n)")),
    of_torch(torch.linalg.svdvals, "A: n d -> m", true("torch svdvals", "O(n)"), n=4, d=3, m=3),
    of_numpy(lambda X: pairwise.sigmoid_kernel(X), "X: n d -> n n", true("sklearn sigmoid_kernel", "S(n) x O(d)")),
    of_numpy(lambda X: pairwise.chi2_kernel(X), "X: n d -> n n", true("sklearn chi2_kernel", "S(n) x S(d)"), draw="positive"),
    of_numpy(lambda X: gaussian_process.kernels.RBF(1.0)(X), "X: n d -> n n", true("sklearn RBF kernel object", "S(n) x E(d)")),
    of_numpy(lambda X: gaussian_process.kernels.DotProduct()(X), "X: n d -> n n", true("sklearn DotProduct kernel", "S(n) x O(d)")),
    of_numpy(lambda X: covariance.shrunk_covariance(np.cov(X, rowvar=False)), "X: n 3 -> 3 3", true("sklearn shrunk_covariance", "S(n)"), n=(3, 6)),
    of_numpy(lambda X, y: linear_model.Ridge(1.0, fit_intercept=False, solver="cholesky").fit(X, y).coef_, "X: n 2, y: n -> 2", true("sklearn Ridge cholesky", "S(n)"), n=(4, 6)),
    of_torch(lambda x, y: (M.mean_squared_error(x, y) * torch.arange(1, len(x) + 1).to(x.dtype) @ x), "x: n, y: n -> ()", false("torchmetrics weighted by order", "S(n)")),
    of_numpy(lambda X: pairwise.additive_chi2_kernel(X), "X: n d -> n n", false("sklearn chi2_kernel scaled", "Scale(d)"), draw="positive"),
    of_torch(lambda a, b: D.Beta(a, b).entropy().sum(), "a: n, b: n -> ()", true("torch Beta entropy", "S(n)"), draw="positive"),
    of_torch(lambda p, y: M.hamming_distance(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> ()", true("torchmetrics hamming", "S(n)")),
    of_torch(lambda p, y: M.cohen_kappa(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> ()", true("torchmetrics cohen_kappa", "S(n)"), n=(8, 9)),
    of_torch(M.relative_squared_error, "x: n, y: n -> ()", true("torchmetrics relative_squared_error", "S(n)")),
    of_torch(M.weighted_mean_absolute_percentage_error, "x: n, y: n -> ()", true("torchmetrics weighted_mape", "S(n)")),
    of_numpy(lambda p, y: np.average((p - y) ** 2), "p: n, y: n -> ()", true("brier score", "S(n)")),
    of_numpy(lambda X, y, Z: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5).fit(X, y).predict(Z), "X: n d, y: n, Z: m d -> m", true("sklearn KernelRidge", "S(n) x E(d)"), false("sklearn KernelRidge scaled", "Scale(d)")),
    of_numpy(lambda X: covariance.ShrunkCovariance(shrinkage=0.1).fit(X).covariance_, "X: n 2 -> 2 2", true("sklearn ShrunkCovariance", "S(n)")),
    of_numpy(lambda X, Y: ot.gaussian.empirical_bures_wasserstein_distance(X, Y, reg=0.1), "X: n 2, Y: m 2 -> ()", true("POT empirical Bures", "S(n)")),
    of_numpy(welch, "x: n, y: m -> ()", true("statistics welch", "S(n) x S(m)", n=(2, 6), m=(2, 6)), true("Welch's t", "S(n) x S(m)")),
    of_numpy(hotelling, "X: n 2 -> ()", true("statistics hotelling", "S(n) x O(2)"), false("statistics hotelling translated", "T(2)"), n=(4, 6)),
    of_numpy(mahalanobis, "X: n 2 -> n", true("statistics mahalanobis", "S(n) x E(2)"), n=(4, 6)),
    of_numpy(distance_correlation, "X: n d, Y: n e -> ()", true("statistics distance correlation", "S(n) x E(d)")),
    of_numpy(hsic, "X: n d, Y: n e -> ()", true("statistics hsic", "S(n) x O(d)")),
    of_numpy(jackknife, "x: n -> ()", true("statistics jackknife", "S(n)")),
    of_numpy(ols, "X: n 2, y: n -> ()", true("statistics ols", "S(n)"), n=(5, 6)),
    of_numpy(leverage, "X: n 2 -> n", true("statistics leverage", "S(n) x O(2)"), n=(4, 6)),
    of_numpy(theil, "x: n -> ()", true("statistics theil", "S(n)"), draw="positive"),
    of_numpy(silverman, "x: n -> ()", true("statistics silverman", "S(n)")),
    of_numpy(kde, "x: n -> 5", true("statistics kde", "S(n)")),
    of_numpy(ecdf, "x: n -> n", true("statistics ecdf", "S(n)")),
    of_numpy(clr, "X: n k -> n k", true("ecology clr", "S(n) x S(k)"), false("ecology clr scaled", "Scale(k)"), draw="positive"),
    of_numpy(runs, "x: n -> ()", false("statistics runs", "S(n)")),
    of_numpy(lambda x: np.sort(x) * ecdf(x), "x: n -> n", false("statistics ecdf of order", "S(n)")),
    of_numpy(lambda x: kde(x), "x: n -> 5", false("statistics kde translated", "T(n)")),
    of_numpy(asphericity, "X: n 3 -> ()", true("asphericity", "S(n) x E(3)")),
    of_numpy(sinkhorn, "M: n m -> ()", true("Sinkhorn loop", "S(n) x S(m)")),
    of_torch(log_sinkhorn, "x: n d, y: m d -> ()", true("Sinkhorn in logs", "S(n) x S(m) x E(d)")),
    of_torch(sliced_wasserstein, "x: n 3, y: n 3 -> ()", true("sliced Wasserstein", "S(n)"), false("sliced Wasserstein rotated", "O(3)")),
    of_numpy(lambda x, y: np.mean(np.abs(np.sort(x) - np.sort(y))), "x: n, y: n -> ()", true("sorted Wasserstein", "S(n)")),
    of_numpy(lambda x: np.abs(x[:, None] - x[None, :]).mean() / (2 * np.mean(x)), "x: n -> ()", true("Gini of pairs", "S(n)"), false("Gini shifted", "T(n)"), draw="positive"),
    of_numpy(lambda B, L: persistence_entropy(B, B + L), "B: n, L: n -> ()", true("persistence entropy", "S(n)"), draw="positive"),
    of_numpy(auc_pairs, "s: n, y[2]: n -> ()", true("AUC of pairs", "S(n)")),
    of_numpy(pca_aligned, "X: n 3 -> n 3!", false("PCA axes with signs", "O(3)"), n=(5, 7)),
    of_torch(log_sinkhorn, "x: n d, y: m d! -> ()", false("Sinkhorn in logs, one side moved", "T(d)")),
    of_torch(dense("gpytorch.kernels:RBFKernel"), "X: n d -> n n", true("gpytorch RBF", "S(n) x E(d)")),
    of_torch(dense("gpytorch.kernels:MaternKernel", nu=1.5), "X: n d -> n n", true("gpytorch Matern", "S(n) x E(d)")),
    of_torch(dense("gpytorch.kernels:LinearKernel"), "X: n d -> n n", true("gpytorch Linear", "S(n) x O(d)"), false("gpytorch linear translated", "T(d)")),
    of_torch(dense("gpytorch.kernels:PeriodicKernel"), "X: n 2 -> n n", true("gpytorch Periodic", "S(n) x T(2)"), false("gpytorch Periodic rotated", "O(2)")),
    of_torch(dense("gpytorch.kernels:RQKernel"), "X: n d -> n n", true("gpytorch RQ", "S(n) x E(d)")),
    of_torch(layer("nflows.distributions.normal:StandardNormal", [3], call=lambda m, x: m.log_prob(x)), "x: b 3 -> b", true("nflows standard normal", "S(b) x O(3)")),
    of_torch(layer("pyro.contrib.gp.kernels:RBF", 3, call=lambda m, X: m(X)), "X: n 3 -> n n", true("pyro RBF", "S(n) x E(3)"), single=True),
    of_torch(layer("pyro.contrib.gp.kernels:RationalQuadratic", 3, call=lambda m, X: m(X)), "X: n 3 -> n n", true("pyro rational quadratic", "S(n) x E(3)"), single=True),
    of_torch(using("pyro.distributions:ProjectedNormal", lambda f, c, x: f(c).log_prob(x / x.norm(dim=-1, keepdim=True))), "c: 3, x: n 3 -> n", true("pyro directional", "S(n) x O(3)")),
    of_torch(layer("pyro.nn:AutoRegressiveNN", 3, [8], call=lambda m, x: m(x)[0]), "x: b 3 -> b 3", true("pyro autoregressive batch", "S(b)")),
    of_torch(layer("pyro.contrib.gp.kernels:Periodic", 2, call=lambda m, X: m(X)), "X: n 2 -> n n", false("pyro periodic rotated", "O(2)"), single=True),
    of_numpy(zca_whiten, "X: n 3 -> n 3", true("ZCA whitening", "S(n)"), true("ZCA whitening rotated", "O(3)")),
    of_numpy(mmd_rbf, "X: n d, Y: m d -> ()", true("MMD with an RBF kernel", "S(n) x S(m) x E(d)")),
    of_numpy(unbiased_mmd, "X: n d, Y: m d -> ()", true("unbiased linear MMD", "S(n) x S(m) x E(d)")),
    of_numpy(linear_cka, "X: n d, Y: n e -> ()", true("linear CKA", "S(n) x O(d) x O(e)")),
    of_numpy(kernel_cka, "X: n d, Y: n e -> ()", true("kernel CKA", "S(n) x O(d) x O(e)")),
    of_numpy(mahalanobis_to_classes, "X: n d, mu: k d, S: d^ d^ -> n k", true("Mahalanobis to classes", "S(n) x S(k) x E(d)")),
    of_numpy(gaussian_log_density, "X: n d, mu: d, A: d^ d^ -> n", true("Gaussian log density", "S(n) x E(d)")),
    of_numpy(frechet_inception, "X: n d, Y: m d -> ()", true("Frechet distance of traces", "S(n) x S(m) x E(d)")),
    of_numpy(dpp_log_likelihood, "L: n d -> ()", true("DPP log-likelihood", "S(n) x O(d)"), n=3, d=(3, 4)),
    of_torch(sinkhorn_layer, "a: n m -> n m", true("Sinkhorn layer", "S(n) x S(m)")),
    of_torch(hsic_torch, "X: n d, Y: n e -> ()", true("HSIC", "S(n) x E(d) x E(e)")),
    of_numpy(lambda X, Y: mmd_rbf(X, Y) + Y[-1, 0], "X: n d, Y: m d -> ()", false("MMD, last of the other", "S(m)")),
    of_torch(lambda a: sinkhorn_layer(a, 1), "a: n m -> n m", false("Sinkhorn layer, one side last", "T(m)")),
    of_torch(lambda X, Y: hsic_torch(X / X[:1].norm(), Y), "X: n d, Y: n e -> ()", false("HSIC with a bandwidth of the first", "S(n)")),
    of_torch(layer(SAGEMean), "x: n 3, e[n]: 2 m -> n 4", true("SAGE mean", "S(n) x S(m)")),
    of_torch(layer(GRULoop), "x: b t 3 -> b 2", true("GRU cells, batch", "S(b)"), false("GRU cells, steps", "S(t)")),
    of_torch(lambda x: uniformity(F.normalize(x, dim=1)), "x: n d -> ()", true("uniformity", "S(n) x O(d)"), n=(2, 5), backend="torch"),
    of_torch(layer(InstanceNormManual), "x: b 3 h w -> b 3 h w", true("instance norm by hand", "S(h) x S(w)")),
    of_torch(layer(GeM), "x: b c h w -> b c 1 1", true("GeM", "S(h) x S(w) x S(c)"), false("GeM of turned rows", "O(h)")),
    of_numpy(huber_location, "x: n -> ()", true("Huber location", "S(n)")),
    of_numpy(trimmed_mean, "x: n -> ()", true("trimmed mean", "S(n)")),
    of_numpy(gini_by_cumsum, "x: n -> ()", true("Gini", "S(n)", draw="positive"), false("Gini of signs", "Signs(n)")),
    of_numpy(rbf_median, "X: n d -> n n", true("RBF with the median", "S(n) x E(d)"), n=(2, 5)),
    of_numpy(roc_auc, "s: n, p: m -> ()", true("AUC", "S(n) x S(m)")),
    of_numpy(lambda x: trimmed_mean(x) + x[-1], "x: n -> ()", false("trimmed mean of the order", "S(n)")),
    of_torch(using("mace.tools.scatter:scatter_mean", lambda f, x, i, s: f(x, i, 0, dim_size=s.shape[0])), "x: m c, i[n]: m, s: n -> n c", true("mace scatter mean", "S(n) x S(m) x O(c)")),
    of_torch(using("pomegranate.distributions:Normal", lambda f, x: f([0.0, 0.0], [1.0, 1.0], covariance_type="diag").log_probability(x)), "x: n 2 -> n", true("pomegranate normal", "S(n)"), single=True),
    of_torch(layer(GVPLayerNorm), "s: n 3!, v: n c 3 -> n 3!, n c 3", true("GVP layer norm", "S(n) x S(c) x O(3)")),
    of_torch(layer(MaskedMeanPool), "x: b n 4, mask[bool]: b n -> b 4", true("masked mean", "S(b) x S(n)")),
    of_torch(lddt, "p: n d, t: n d -> n", true("lDDT", "S(n) x E(d)"), false("lDDT scaled", "Scale(d)")),
    of_numpy(barycentre, "X: n d, w: n -> d, d^ d^", true("weighted mean and covariance", "S(n) x E(d)"), draw="positive"),
    of_numpy(partial_corr, "X: n 3 -> 3 3", true("partial correlations", "S(n) x S(3)"), n=(5, 6)),
    of_numpy(icc, "X: n k -> ()", true("intraclass correlation", "S(n) x S(k)"), n=(3, 5), k=(2, 4)),
    of_numpy(theil_sen_residual, "x: n, y: n -> ()", true("Theil-Sen", "S(n)"), n=(3, 4)),
    of_numpy(lowess_like, "x: n, y: n -> n", true("kernel smoother", "S(n)")),
    of_numpy(shape_context, "X: n 2 -> n!", true("sorted radii", "S(n) x E(2)")),
    of_numpy(sharpe, "r: t n, w: n -> ()", true("Sharpe of a portfolio", "S(t) x S(n)"), t=(3, 5)),
    of_torch(layer(GVPLayerNorm, wrong=True), "s: n 3!, v: n c 3 -> n 3!, n c 3", false("GVP layer norm centred", "O(3)")),
    of_torch(layer(MaskedMeanPool, wrong=True), "x: b n 4, mask[bool]: b n -> b 4", false("masked last", "S(n)")),
    of_torch(using("pomegranate.distributions:Normal", lambda f, x: f([0.0, 0.0], [1.0, 2.0], covariance_type="diag").log_probability(x)), "x: n 2 -> n", false("pomegranate normal rotated", "O(2)"), single=True),
    of_torch(uniformity, "x: n d -> ()", true("uniformity", "S(n) x E(d)"), false("uniformity scaled", "Scale(d)")),
    of_numpy(white_covariance, "X: n d, y: n -> d^ d^", true("White covariance", "S(n) x O(d)"), n=(6, 8), d=2),
    of_numpy(logistic_newton, "X: n d, y: n -> d", true("logistic by Newton", "S(n) x O(d)")),
    of_numpy(lasso_ista, "X: n d, y: n -> d", true("lasso by ISTA", "S(n) x S(d)"), false("lasso rotated", "O(d)")),
    of_numpy(moran, "x: n, W: n n -> ()", true("Moran's I", "S(n)"), draw="positive"),
    of_numpy(silhouette, "X: n d, y[2]: n -> ()", true("silhouette", "S(n) x E(d)")),
    of_numpy(silhouette, "X: n d, y[2]: n! -> ()", false("silhouette, labels kept", "S(n)")),
    of_numpy(nearest_mean, "X: n d -> ()", true("nearest mean distance", "S(n) x E(d)")),
    of_numpy(lambda X: nearest_mean(X * np.array([1.0, 2.0])), "X: n 2 -> ()", false("nearest mean distance anisotropic", "O(2)")),
    of_numpy(lambda X: np.log(nearest_mean(X)) - np.log(np.linalg.norm(X)), "X: n d -> ()", true("nearest mean distance scaled", "Scale(d)")),
    of_torch(layer(OuterProductMean), "m: s n 4, mask: s n -> n n 3", true("outer product mean", "S(n) x S(s)"), draw="positive"),
    of_torch(fape, "R: f 3 3!, t: f 3, x: n 3, Rt: f 3! 3!, tt: f 3!, xt: n 3! -> ()", true("FAPE", "O(3) x S(n) x S(f)")),
    of_torch(tm_score, "a: n 3, b: n 3! -> ()", false("TM without alignment", "E(3)"), backend="torch"),
    of_torch(tm_score, "a: n 3, b: n 3 -> ()", true("TM both", "E(3) x S(n)"), backend="torch"),
    of_torch(umeyama, "x: n 3, y: n 3! -> n 3!", true("Umeyama", "E(3) x S(n)"), n=(4, 6)),
    of_torch(layer(DeepSetEquivariant), "x: b n 3 -> b n 4", true("PermEqui max", "S(n)")),
    of_torch(layer(GRN), "x: b h w 4 -> b h w 4", true("GRN", "S(h) x S(w)"), false("GRN channels", "S(4)")),
    of_torch(lambda u, v: (torch.sort(u)[0] - torch.sort(v)[0]).abs().mean(), "u: n, v: n! -> ()", true("EMD sorted", "S(n)")),
    of_torch(sinkhorn_log, "C: n m -> ()", true("Sinkhorn log", "S(n) x S(m)")),
    of_torch(gromov_wasserstein_cost, "A: n n, B: m m, T: n m -> ()", true("GW cost", "S(n) x S(m)")),
    of_torch(gromov_wasserstein_cost, "A: n n, B: m m, T: n! m -> ()", false("GW cost one side", "S(n)")),
    of_torch(mmd_unbiased, "x: n d, y: m d -> ()", true("MMD unbiased", "S(n) x S(m) x E(d)")),
    of_torch(ntk_style_gram, "x: n d -> n n", true("arc-cosine kernel", "S(n) x O(d)")),
    of_numpy(hsic_median, "x: n p, y: n q -> ()", true("HSIC median heuristic", "S(n) x E(p)"), n=(4, 7)),
    of_numpy(rv_coefficient, "x: n p, y: n q -> ()", true("RV coefficient", "S(n) x E(p)")),
    of_numpy(rsa, "x: n p, y: n q -> ()", true("RSA", "S(n)"), false("RSA rotated", "O(p)"), n=(4, 6), p=(3, 5), q=(3, 5)),
    of_numpy(lambda x: whitened(x) @ whitened(x).T, "x: n d -> n n", true("whitened Gram", "S(n) x E(d)"), n=(4, 6), d=(2, 3)),
    of_numpy(pca_reconstruction, "x: n d -> n d", true("PCA reconstruction", "S(n) x E(d)"), n=(4, 6), d=(2, 3)),
    of_numpy(bures_wasserstein, "A: n n, B: n n -> ()", true("Bures", "O(n)"), n=(2, 3)),
    of_numpy(usr_descriptor, "X: n d -> 6", true("USR", "S(n) x E(d)"), n=(3, 5)),
    of_numpy(histogram_equalise, "x: h w -> h w", true("histogram equalisation", "S(h) x S(w)")),
    of_numpy(kmeans_update, "X: n d, C: 2 d -> 2 d", true("k-means update", "S(n) x E(d)")),
    of_torch(held("entmax", "lambda x: entmax.sparsemax(x, dim=-1)"), "x: n -> n", true("entmax.sparsemax", "S(n)")),
    of_torch(held("entmax", "lambda x: entmax.entmax15(x, dim=-1)"), "x: n -> n", true("entmax.entmax15", "S(n)"), false("entmax.entmax15 signs", "Signs(n)")),
    of_torch(held("entmax", "lambda x: entmax.sparsemax_bisect(x, dim=-1)"), "x: n -> n", true("entmax.sparsemax_bisect", "S(n)")),
    of_torch(held("pytorch_msssim as P", "lambda x, y: P.ssim(x, y, data_range=1.0, size_average=False)"), "x: b 1 12 12, y: b 1 12 12 -> b", true("pytorch_msssim.ssim", "S(b)")),
    of_torch(gp_kernel("RBFKernel()"), "x: n d -> n n", true("gpytorch RBFKernel", "S(n) x E(d)")),
    of_torch(gp_kernel("MaternKernel(nu=2.5)"), "x: n 3 -> n n", true("gpytorch MaternKernel", "S(n) x E(3)")),
    of_torch(gp_kernel("LinearKernel()"), "x: n d -> n n", true("gpytorch LinearKernel", "S(n) x O(d)"), false("gpytorch LinearKernel moved", "T(d)")),
    of_torch(gp_kernel("PeriodicKernel()"), "x: n 3 -> n n", false("gpytorch PeriodicKernel turned", "O(3)")),
    of_torch(ball("mobius_add"), "x: n d, y: n d -> n d", true("geoopt mobius_add", "O(d)")),
    of_torch(ball("expmap0"), "x: n d -> n d", true("geoopt expmap0", "O(d) x S(n)"), false("geoopt expmap0 moved", "T(d)")),
    of_torch(held("geoopt", "lambda x: s.projx(x)", "s = geoopt.Sphere()"), "x: n d -> n d", true("geoopt Sphere.projx", "O(d)")),
    of_torch(held("torchdiffeq as T", "lambda x: T.odeint(lambda t, y: -y * (y * y).sum(-1, " "keepdim=True), x, torch.tensor([0.0, 1.0], dtype=x.dtype), method='rk4')[-1]"), "x: n d -> n d", true("torchdiffeq rk4", "S(n) x O(d)")),
    of_torch(held("botorch.utils.transforms as B", "lambda x: B.standardize(x)"), "x: n d -> n d", true("botorch standardize", "S(n)"), n=(3, 6)),
    of_torch(held("linformer as L", "L.Linformer(dim=16, seq_len=8, depth=1, k=4, heads=2).eval()"), "x: 2 8 16 -> 2 8 16", false("linformer", "S(8)")),
    of_torch(lambda C: sinkhorn_log(C, 0.5, 5), "C: n m -> ()", true("Sinkhorn", "S(n) x S(m)")),
    of_torch(cox, "s: n, t: n! -> ()", false("Cox likelihood, times kept", "S(n)")),
    of_numpy(hsic_of_gaussians, "x: n d, y: n e -> ()", true("HSIC", "S(n) x E(d) x E(e)")),
    of_numpy(hsic_of_gaussians, "x: n d, y: n! e -> ()", false("HSIC, one shuffled", "S(n)")),
    of_numpy(mmd_off_diagonal, "x: n d, y: m d -> ()", true("MMD unbiased in NumPy", "S(n) x S(m) x E(d)"), false("MMD scaled", "Scale(d)")),
    of_numpy(linear_cka, "x: n d, y: n e -> ()", true("linear CKA", "S(n) x E(d) x E(e)")),
    of_numpy(heat, "A: n n -> n", true("heat kernel signature", "S(n)"), draw="positive"),
    of_numpy(lambda x, y: (np.searchsorted(np.sort(x), y, side="right") / len(x)).mean(), "x: n, y: m -> ()", true("ECDF", "S(n) x S(m)")),
    of_torch(lambda x: torch.distributions.LogNormal(0.0, 1.0).log_prob(x).sum(), "x: n -> ()", true("torch.distributions LogNormal", "S(n)"), draw="positive"),
    of_torch(lambda a, b: torch.distributions.kl_divergence(torch.distributions.Laplace(a, 1.0), torch.distributions.Laplace(b, 2.0)).sum(), "a: n, b: n -> ()", true("kl of Laplace", "S(n)")),
    of_torch(lambda x: torch.distributions.Gumbel(0.0, 1.0).log_prob(x).sum(), "x: n -> ()", false("torch.distributions Gumbel", "Signs(n)")),
    of_torch(layer(CNP), "cx: b n 2, cy: b n 1, tx: b m 2 -> b m 1", true("conditional neural process", "S(b) x S(n) x S(m)")),
    of_torch(layer(CNP), "cx: b n! 2, cy: b n 1, tx: b m 2 -> b m 1", false("conditional neural process, values shuffled", "S(n)")),
    of_torch(dpo, "a: n, b: n, ra: n, rb: n -> ()", true("DPO", "S(n)")),
    of_torch(dpo, "a: n, b: n!, ra: n, rb: n! -> ()", false("DPO, one shuffled", "S(n)")),
    of_numpy(geary, "x: n, W: n n -> ()", true("Geary's C", "S(n)"), draw="positive"),
    of_numpy(geary, "x: n, W: n! n! -> ()", true("Geary's C scaled", "Scale(n)"), draw="positive"),
    of_numpy(lambda x, eps=0.5: 1 - np.mean(x ** (1 - eps)) ** (1 / (1 - eps)) / x.mean(), "x: n -> ()", true("Atkinson index", "S(n)"), true("Atkinson index scaled", "Scale(n)"), draw="positive"),
    of_numpy(l_moments, "x: n -> 3", true("L-moments", "S(n)"), false("L-moments signed", "Signs(n)")),
    of_numpy(symmetric_clustering, "A: n n -> n", true("clustering coefficients", "S(n)"), draw="positive"),
    of_numpy(diffusion_map, "x: n d -> n n", true("diffusion map kernel", "S(n) x E(d)"), false("diffusion map kernel scaled", "Scale(d)")),
    of_numpy(gmm_responsibilities, "x: n d, mu: k d, pi: k -> n k", true("GMM responsibilities", "S(n) x S(k) x E(d)"), draw="positive"),
    of_numpy(gmm_responsibilities, "x: n d, mu: k d, pi: k! -> n k", false("GMM responsibilities, weights kept", "S(k)"), draw="positive"),
    of_numpy(kmeans_step, "x: n d, c: k d -> k d", true("k-means step", "S(n)"), true("k-means step turned", "O(d)")),
    of_numpy(mean_shift, "x: n d -> n d", true("mean shift", "S(n) x E(d)"), false("mean shift scaled", "Scale(d)")),
    of_numpy(lambda x: zca_whiten(x, 1e-5), "x: n d -> n d", true("ZCA whitening", "S(n) x O(d)"), false("ZCA whitening moved", "T(d)")),
    of_numpy(lambda x: mahalanobis(x, 1e-3), "x: n d -> n", true("Mahalanobis", "S(n) x E(d)"), n=(5, 7), d=(2, 3)),
    of_numpy(crps, "x: n, y: () -> ()", true("CRPS of an ensemble", "S(n)")),
    of_torch(moment_tensors, "x: n 3 -> n 4!", true("moment tensors", "S(n) x E(3)"), false("moment tensors scaled", "Scale(3)")),
    of_torch(layer(ClebschBlock, call=lambda m, s, v: m(s, v)[1]), "s: n 2, v: n 2 3 -> n 2 3", true("Clebsch block, vectors", "S(n) x SO(3)"), false("Clebsch block mirrored", "O(3)")),
    of_torch(layer(ClebschBlock, call=lambda m, s, v: m(s, v)[0]), "s: n 2, v: n 2 3 -> n 2", true("Clebsch block, scalars", "S(n) x O(3)")),
    of_torch(layer(MeanPlane), "x: n 3 -> n 2", true("height above the mean plane", "S(n) x E(3)"), n=(4, 6)),
    of_torch(coral, "x: n d, y: m d^ -> ()", true("CORAL", "S(n) x S(m) x O(d)")),
    of_torch(central_moments, "x: n d, y: m d -> ()", true("central moments", "S(n) x S(m) x S(d)"), false("central moments turned", "O(d)")),
    of_numpy(stein_discrepancy, "x: n d -> ()", true("kernel Stein discrepancy", "S(n) x O(d)"), false("kernel Stein discrepancy moved", "T(d)")),
    of_torch(swav, "s: b k -> b k", true("SwAV codes", "S(b) x S(k)")),
    of_numpy(spatial_signs, "x: n d -> d d", true("spatial signs", "S(n) x S(d)"), false("spatial signs turned", "O(d)")),
    of_numpy(stationary, "P: n n -> n", true("stationary distribution", "S(n)"), n=(3, 5), draw="positive"),
    of_torch(held("torch_einops_utils as U", "lambda x, m: U.masked_mean(x, m)"), "x: b n, m[bool]: b n -> ()", true("torch-einops-utils masked mean", "S(b) x S(n)")),
    of_torch(held("torch_einops_utils as U", "lambda x: U.z_score(x)"), "x: n d -> n d", true("torch-einops-utils z-score", "S(n) x S(d)")),
    of_torch(held("arm_pytorch_utilities as A", "lambda x: A.cov(x, rowvar=False)"), "x: n d -> d d", true("arm_pytorch_utilities covariance", "S(n) x O(d)")),
    of_numpy(held("bottleneck as B", "lambda x: B.nanmean(x, axis=0)"), "x: n d -> d", true("bottleneck nanmean", "S(n) x O(d)")),
    of_numpy(held("quantecon as Q", "lambda x: Q.gini_coefficient(x)"), "x: n -> ()", true("quantecon gini", "S(n)"), false("quantecon gini moved", "T(n)"), draw="positive"),
    of_numpy(held("causallearn.utils.KCI.KCI as K", "lambda x: K.Kernel.center_kernel_matrix(x @ x.T)"), "x: n d -> n n", true("causal-learn kernel", "S(n) x E(d)")),
    of_numpy(held("lmfit.lineshapes as L", "lambda x: L.pvoigt(x, 1.0, 0.3, 1.2, 0.4).sum()"), "x: n -> ()", true("lmfit pseudo-Voigt", "S(n)")),
    of_torch(coral, "x: n d, y: m d! -> ()", false("CORAL of one", "O(d)")),
]  # fmt: skip
