"""Functions as people keep them in their own modules, and packages that no family before opened."""

from __future__ import annotations

import math

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
VECTOR = "x: n -> ()"


def npair(a, p):  # N-pair loss
    logits = a @ p.t()
    target = torch.arange(a.size(0))
    return F.cross_entropy(logits, target) + 0.002 * (a.norm(dim=1).pow(2) + p.norm(dim=1).pow(2)).mean()


class ArcFace(nn.Module):
    def __init__(self, d=6, classes=4, s=30.0, m=0.5):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, d))
        self.s, self.m = s, m

    def forward(self, x, y):
        cosine = F.linear(F.normalize(x), F.normalize(self.weight))
        theta = torch.acos(cosine.clamp(-1 + 1e-7, 1 - 1e-7))
        one_hot = F.one_hot(y, cosine.size(1))
        logits = torch.where(one_hot.bool(), torch.cos(theta + self.m), cosine)
        return F.cross_entropy(self.s * logits, y)


def drmsd(x, y):
    n = x.shape[0]
    dx, dy = torch.cdist(x, x), torch.cdist(y, y)
    return ((dx - dy) ** 2).sum().div(n * (n - 1)).sqrt()


def axilrod_teller(x):
    r = x[None, :] - x[:, None]
    d2 = r.pow(2).sum(-1) + torch.eye(len(x), dtype=x.dtype)
    a, b, c = d2[:, :, None], d2[:, None, :], d2[None]
    prod = (a + b - c) * (b + c - a) * (c + a - b)
    e = (1 + 3 / 8 * prod / (a * b * c)) / (a * b * c) ** 1.5
    n = len(x)
    i = torch.arange(n)
    mask = (i[:, None, None] != i[None, :, None]) & (i[None, :, None] != i[None, None]) & (i[:, None, None] != i[None, None])
    return torch.where(mask, e, torch.zeros_like(e)).sum() / 6


class Retention(nn.Module):
    def __init__(self, d=6, gamma=0.9):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.gamma = gamma

    def forward(self, x):
        n = torch.arange(x.size(-2))
        decay = self.gamma ** (n[:, None] - n[None]).clamp(min=0) * (n[:, None] >= n[None])
        return (self.q(x) @ self.k(x).transpose(-1, -2) * decay.to(x.dtype)) @ self.v(x)


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


def three_nn(x, y, f):  # PointNet++'s feature propagation
    d, i = torch.cdist(y, x).topk(3, largest=False)
    w = 1 / (d + 1e-8)
    w = w / w.sum(-1, keepdim=True)
    return (f[i] * w[..., None]).sum(1)


class SqueezeTokens(nn.Module):  # gather the best tokens by a learned score
    def __init__(self):
        super().__init__()
        self.score, self.out = nn.Linear(4, 1), nn.Linear(4, 4)

    def forward(self, x):
        s = self.score(x).squeeze(-1)
        top = torch.topk(s, 2, dim=-1).indices
        picked = torch.gather(x, 1, top[..., None].expand(-1, -1, x.shape[-1]))
        return self.out(picked).mean(1)


class Router(nn.Module):  # mixture of experts, two of four by token
    def __init__(self, d=4, experts=4):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.GELU()) for _ in range(experts))

    def forward(self, x):
        w, idx = torch.topk(self.gate(x).softmax(-1), 2, dim=-1)
        w = w / w.sum(-1, keepdim=True)
        y = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            share = (w * (idx == e)).sum(-1, keepdim=True)
            y = y + share * expert(x)
        return y


class ContextGate(nn.Module):  # set-wise FiLM
    def __init__(self):
        super().__init__()
        self.context, self.film = nn.Linear(4, 5), nn.Linear(5, 8)

    def forward(self, x, mask):
        m = mask.unsqueeze(-1).to(x.dtype)
        c = (self.context(x) * m).sum(1) / m.sum(1).clamp(min=1)
        gamma, beta = self.film(F.relu(c)).chunk(2, -1)
        return ((1 + gamma)[:, None] * x + beta[:, None]) * m


def list_mle(s, y):
    _, order = torch.sort(y, descending=True)
    s = s[order]
    return (torch.logcumsumexp(s.flip(0), 0).flip(0) - s).sum()


def approx_ndcg(s, y, t=0.1):
    d = (s[None, :] - s[:, None]) / t
    rank = torch.sigmoid(d).sum(1) + 0.5
    gain = (2.0**y - 1) / torch.log2(1 + rank)
    ideal = torch.sort(y, descending=True).values
    return gain.sum() / ((2.0**ideal - 1) / torch.log2(torch.arange(len(y)) + 2.0)).sum()


def dpo(a, b, ra, rb, beta=0.1):
    return -F.logsigmoid(beta * ((a - b) - (ra - rb))).mean()


def gae(r, v, gamma=0.99, lam=0.95):
    n = r.shape[0]
    out, last = [], torch.zeros_like(r[0])
    for t in reversed(range(n)):
        nxt = v[t + 1] if t + 1 < n else torch.zeros_like(v[0])
        last = r[t] + gamma * nxt - v[t] + gamma * lam * last
        out.insert(0, last)
    return torch.stack(out)


class Hyper(nn.Module):  # scalar messages by edge features, degree-normalised
    def __init__(self, d=4):
        super().__init__()
        self.m, self.u = nn.Linear(2 * d + 1, d), nn.GRUCell(d, d)

    def forward(self, h, A):
        n = h.size(0)
        pair = torch.cat([h[:, None].expand(n, n, -1), h[None].expand(n, n, -1), A[..., None]], -1)
        msg = (F.silu(self.m(pair)) * (A > 0)[..., None]).sum(1) / (A > 0).sum(1, keepdim=True).clamp(min=1)
        return self.u(msg, h)


class Spline(nn.Module):  # radial basis, cosine cutoff, learned filter
    def __init__(self, rc=5.0):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0, rc, 6))
        self.w, self.rc = nn.Linear(6, 3), rc

    def forward(self, x, f):
        r = x[:, None] - x[None]
        d = r.norm(dim=-1).masked_fill(torch.eye(len(x), dtype=torch.bool), 1.0)
        rbf = torch.exp(-((d[..., None] - self.mu) ** 2))
        cut = 0.5 * (torch.cos(d * math.pi / self.rc) + 1) * (d < self.rc)
        w = self.w(rbf) * cut[..., None]
        w = w.masked_fill(torch.eye(len(x), dtype=torch.bool)[..., None], 0.0)
        return torch.einsum("ijc,jc->ic", w, f)


def frame_descriptor(x):  # invariant coordinates from the first three points
    a, b, c = x[0], x[1], x[2]
    e1 = F.normalize(b - a, dim=0)
    e2 = F.normalize(c - a - (c - a).dot(e1) * e1, dim=0)
    e3 = torch.linalg.cross(e1, e2)
    return (x - a) @ torch.stack([e1, e2, e3], 1)


def angles(x):  # all angles i-j-k
    r = F.normalize(x[None] - x[:, None] + 1e-9, dim=-1)
    return torch.einsum("jid,jkd->ijk", r, r)


def stress(x, D):  # SMACOF
    d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 1e-12)
    return ((d - D) ** 2).sum() / (D**2).sum()


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


def conductance(A, s):
    cut = s @ A @ (1 - s)
    vol = A.sum(1)
    return cut / np.minimum(s @ vol, (1 - s) @ vol)


def kemeny(A):
    P = A / A.sum(1, keepdims=True)
    w = np.linalg.eigvals(P)
    w = np.sort(w.real)[:-1]
    return (1 / (1 - w)).sum()


def clustering(A):
    A = (A + A.T) / 2
    np.fill_diagonal(A, 0)
    k = A.sum(1)
    return np.diag(A @ A @ A) / (k * (k - 1) + 1e-9)


def label_propagation(W, Y, alpha=0.9):
    d = W.sum(1)
    S = W / np.sqrt(np.outer(d, d))
    return np.linalg.solve(np.eye(len(W)) - alpha * S, Y)


def diffusion_map(x, eps=1.0):
    K = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1) / eps)
    q = K.sum(1)
    K = K / np.outer(q, q)
    return K / K.sum(1, keepdims=True)


def lof(x, k=2):  # local outlier factor
    d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))
    idx = np.argsort(d, axis=1)[:, 1 : k + 1]
    kd = np.take_along_axis(d, idx, 1)[:, -1]
    reach = np.maximum(np.take_along_axis(d, idx, 1), kd[idx])
    lrd = 1 / (reach.mean(1) + 1e-10)
    return lrd[idx].mean(1) / lrd


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


def mahalanobis(x):
    c = x - x.mean(0)
    P = np.linalg.inv(np.cov(x, rowvar=False) + 1e-3 * np.eye(x.shape[1]))
    return np.einsum("ni,ij,nj->n", c, P, c)


def energy_score(x, y):  # of an ensemble
    m = len(x)
    a = np.linalg.norm(x - y, axis=1).mean()
    b = np.linalg.norm(x[:, None] - x[None], axis=-1).sum() / (2 * m * (m - 1))
    return a - b


def crps(x, y):
    x = np.sort(x)
    n = len(x)
    w = 2 * np.arange(1, n + 1) - n - 1
    return np.abs(x - y).mean() - (w * x).sum() / n**2


def rank_normal(x):
    r = x.argsort().argsort() + 1
    return (r - 0.5) / len(x)


def periodic_autocorrelation(x):
    n = len(x)
    x = x - x.mean()
    return np.array([np.dot(x, np.roll(x, k)) for k in range(n)]) / np.dot(x, x)


def game_of_life(x):
    k = sum(np.roll(np.roll(x, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return np.where((k > 2.5) & (k < 3.5) | (x > 0) & (k > 1.5) & (k < 2.5), 1.0, 0.0)


def kuramoto(theta, K=1.0):
    return K / len(theta) * np.sin(theta[None] - theta[:, None]).sum(1)


def replicator(p, A):
    f = A @ p
    return p * (f - p @ f)


def boids(x, v):  # alignment and separation
    r = x[:, None] - x[None]
    d2 = (r**2).sum(-1)
    near = (d2 < 1.0) & (d2 > 0)
    away = (r * near[..., None] / (d2 + 1e-9)[..., None]).sum(1)
    count = near.sum(1, keepdims=True)
    mean = np.where(count > 0, (near @ v) / np.maximum(count, 1), v)
    return 0.1 * away + 0.2 * (mean - v)


def n_body(x, m, soft=0.1):
    r = x[None] - x[:, None]
    inv = (np.square(r).sum(-1) + soft**2) ** -1.5
    return (r * inv[..., None] * m[None, :, None]).sum(1)


def leapfrog(x, v, dt=0.01):
    a = -x / (np.linalg.norm(x, axis=-1, keepdims=True) ** 3 + 1e-3)
    v = v + 0.5 * dt * a
    x = x + dt * v
    return x


def virial(x):
    r = x[:, None] - x[None]
    d2 = (r**2).sum(-1)
    np.fill_diagonal(d2, np.inf)
    s6 = d2**-3
    f = 24 * (2 * s6**2 - s6) / d2
    return np.einsum("ij,ija,ijb->ab", f, r, r) / 2


def quadrupole(x, q):
    r2 = (x**2).sum(1)
    return np.einsum("n,na,nb->ab", 3 * q, x, x) - (q * r2).sum() * np.eye(3)


def jax_attention(q, k, v, bias):
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


def jax_hessian_trace(x):
    h = jax.hessian(lambda y: jnp.sum(jnp.exp(-(y**2))))(x)
    return jnp.trace(h)


def jax_scan(x):
    def step(c, row):
        c = 0.9 * c + row
        return c, c

    return jax.lax.scan(step, jnp.zeros(x.shape[1], x.dtype), x)[1]


def jax_vmapped(x, y):
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


def keras(of, *shape):
    """A layer of Keras over torch, built for a shape."""
    before = f"os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; f = {of}"
    return held("os", "lambda x: f(x)", before + (f"; f.build({shape})" if shape else ""))


def of_torch(imports, made):
    """A function of two arguments that a call makes."""
    return held(imports, "lambda x, y: f(x, y)", f"f = {made}")


CLAIMS = [
    true("N-pair loss", lambda: npair, "a: n d, p: n d -> ()", "S(n) x O(d)"),
    false("N-pair loss, anchors alone", lambda: npair, "a: n d, p: n! d -> ()", "S(n)"),
    true("ArcFace", seeded(ArcFace), "x: n 6, y[4]: n -> ()", "S(n)"),
    true("dRMSD", lambda: drmsd, "x: n 3, y: n 3^ -> ()", "S(n) x E(3)"),
    false("dRMSD, one shuffled", lambda: drmsd, "x: n 3, y: n! 3 -> ()", "S(n)"),
    true("Axilrod-Teller", lambda: axilrod_teller, "x: n 3 -> ()", "S(n) x E(3)"),
    false("Axilrod-Teller scaled", lambda: axilrod_teller, "x: n 3 -> ()", "Scale(3)"),
    true("retention, batch", seeded(Retention), "x: b n 6 -> b n 6", "S(b)"),
    false("retention", seeded(Retention), "x: n 6 -> n 6", "S(n)"),
    true("conditional neural process", seeded(CNP), "cx: b n 2, cy: b n 1, tx: b m 2 -> b m 1", "S(b) x S(n) x S(m)"),
    false("conditional neural process, values shuffled", seeded(CNP), "cx: b n! 2, cy: b n 1, tx: b m 2 -> b m 1", "S(n)"),
    true("three nearest neighbours", lambda: three_nn, "x: n 3, y: m 3, f: n c -> m c", "S(n) x S(m) x E(3) x S(c)"),
    true("best tokens", seeded(SqueezeTokens), "x: b n 4 -> b 4", "S(b) x S(n)"),
    true("mixture of experts", seeded(Router), "x: n 4 -> n 4", "S(n)"),
    false("mixture of experts of features", seeded(Router), "x: n v -> n v", "S(v)", sizes={"v": 4}),
    true("masked FiLM", seeded(ContextGate), "x: b n 4, mask[bool]: b n -> b n 4", "S(b) x S(n)"),
    false("masked FiLM, mask kept", seeded(ContextGate), "x: b n 4, mask[bool]: b n! -> b n 4", "S(n)"),
    true("ListMLE", lambda: list_mle, "s: n, y: n -> ()", "S(n)"),
    false("ListMLE, labels kept", lambda: list_mle, "s: n, y: n! -> ()", "S(n)"),
    true("ApproxNDCG", lambda: approx_ndcg, "s: n, y: n -> ()", "S(n)", draw="positive"),
    false("ApproxNDCG scaled", lambda: approx_ndcg, "s: n, y: n! -> ()", "Scale(n)", draw="positive"),
    true("DPO", lambda: dpo, "a: n, b: n, ra: n, rb: n -> ()", "S(n)"),
    false("DPO, one shuffled", lambda: dpo, "a: n, b: n!, ra: n, rb: n! -> ()", "S(n)"),
    true("GAE, batch", lambda: gae, "r: 4 b, v: 4 b -> 4 b", "S(b) x Scale(4)"),
    false("GAE, time", lambda: gae, "r: 4 b, v: 4 b -> 4 b", "S(4)"),
    true("dense GRU message passing", seeded(Hyper), "h: n 4, A: n n -> n 4", "S(n)"),
    true("radial filters", seeded(Spline), "x: n 3, f: n 3! -> n 3!", "S(n) x E(3)"),
    false("radial filters scaled", seeded(Spline), "x: n 3, f: n 3! -> n 3!", "Scale(3)"),
    true("coordinates in a frame", lambda: frame_descriptor, "x: n 3 -> n 3!", "SE(3)"),
    false("coordinates in a frame, mirrored", lambda: frame_descriptor, "x: n 3 -> n 3!", "O(3)"),
    true("all angles", lambda: angles, "x: n d -> n n n", "S(n)"),
    numpy_true("MDS stress", lambda: stress, "x: n d, D: n n -> ()", "S(n) x E(d)"),
    numpy_false("MDS stress, distances kept", lambda: stress, "x: n d, D: n! n! -> ()", "S(n)"),
    numpy_true("Geary's C", lambda: geary, "x: n, W: n n -> ()", "S(n)", draw="positive"),
    numpy_true("Geary's C scaled", lambda: geary, "x: n, W: n! n! -> ()", "Scale(n)", draw="positive"),
    numpy_true("Atkinson index", lambda: atkinson, VECTOR, "S(n)", draw="positive"),
    numpy_true("Atkinson index scaled", lambda: atkinson, VECTOR, "Scale(n)", draw="positive"),
    numpy_true("L-moments", lambda: l_moments, "x: n -> 3", "S(n)"),
    numpy_false("L-moments signed", lambda: l_moments, "x: n -> 3", "Signs(n)"),
    numpy_true("conductance", lambda: conductance, "A: n n, s: n -> ()", "S(n)", draw="positive"),
    numpy_true("Kemeny's constant", lambda: kemeny, "A: n n -> ()", "S(n)", draw="positive"),
    numpy_true("clustering coefficients", lambda: clustering, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("label propagation", lambda: label_propagation, "W: n n, Y: n c -> n c", "S(n) x S(c)", draw="positive"),
    numpy_true("diffusion map kernel", lambda: diffusion_map, "x: n d -> n n", "S(n) x E(d)"),
    numpy_false("diffusion map kernel scaled", lambda: diffusion_map, "x: n d -> n n", "Scale(d)"),
    numpy_true("local outlier factor", lambda: lof, "x: n d -> n", "S(n) x E(d)", sizes={"n": (4, 6)}),
    numpy_true("GMM responsibilities", lambda: gmm_responsibilities, "x: n d, mu: k d, pi: k -> n k", "S(n) x S(k) x E(d)", draw="positive"),
    numpy_false("GMM responsibilities, weights kept", lambda: gmm_responsibilities, "x: n d, mu: k d, pi: k! -> n k", "S(k)", draw="positive"),
    numpy_true("k-means step", lambda: kmeans_step, "x: n d, c: k d -> k d", "S(n)"),
    numpy_true("k-means step turned", lambda: kmeans_step, "x: n d, c: k d -> k d", "O(d)"),
    numpy_true("mean shift", lambda: mean_shift, "x: n d -> n d", "S(n) x E(d)"),
    numpy_false("mean shift scaled", lambda: mean_shift, "x: n d -> n d", "Scale(d)"),
    numpy_true("ZCA whitening", lambda: whiten, "x: n d -> n d", "S(n) x O(d)"),
    numpy_false("ZCA whitening moved", lambda: whiten, "x: n d -> n d", "T(d)"),
    numpy_true("Mahalanobis", lambda: mahalanobis, "x: n d -> n", "S(n) x E(d)", sizes={"n": (5, 7), "d": (2, 3)}),
    numpy_true("energy score", lambda: energy_score, "x: m d, y: d -> ()", "S(m) x E(d)"),
    numpy_true("CRPS of an ensemble", lambda: crps, "x: n, y: () -> ()", "S(n)"),
    numpy_true("rank transform", lambda: rank_normal, "x: n -> n", "S(n)"),
    numpy_true("periodic autocorrelation", lambda: periodic_autocorrelation, "x: n -> n!", "C(n)"),
    numpy_false("periodic autocorrelation shuffled", lambda: periodic_autocorrelation, "x: n -> n!", "S(n)"),
    numpy_true("game of life", lambda: game_of_life, "x: n m -> n m", "C(n) x C(m)"),
    numpy_false("game of life shuffled", lambda: game_of_life, "x: n m -> n m", "S(n)"),
    numpy_true("Kuramoto", lambda: kuramoto, "x: n -> n", "S(n)"),
    numpy_false("Kuramoto scaled", lambda: kuramoto, "x: n -> n", "Scale(n)"),
    numpy_true("replicator", lambda: replicator, "p: n, A: n n -> n", "S(n)"),
    numpy_true("boids", lambda: boids, "x: n 2, v: n 2^ -> n 2^", "S(n) x E(2)"),
    numpy_true("n bodies", lambda: n_body, "x: n 3, m: n -> n 3^", "S(n) x E(3)"),
    numpy_false("n bodies, masses kept", lambda: n_body, "x: n 3, m: n! -> n 3^", "S(n)"),
    numpy_true("leapfrog", lambda: leapfrog, "x: n 3, v: n 3 -> n 3", "S(n) x O(3)"),
    numpy_true("virial", lambda: virial, "x: n 3 -> 3^ 3^", "S(n) x E(3)"),
    numpy_true("quadrupole", lambda: quadrupole, "x: n 3, q: n -> 3 3", "S(n) x O(3)"),
    numpy_false("quadrupole moved", lambda: quadrupole, "x: n 3, q: n -> 3^ 3^", "T(3)"),
    jax_true("attention with a bias", lambda: jax_attention, "q: n d, k: m d, v: m c, b: n m -> n c", "S(n) x S(m) x O(d) x S(c)", **J),
    jax_false("attention with a bias kept", lambda: jax_attention, "q: n d, k: m d, v: m c, b: n m! -> n c", "S(m)", **J),
    jax_true("energy", lambda: jax_energy, "x: n 3 -> ()", "S(n) x E(3)", **J),
    jax_true("forces by jax.grad", lambda: jax_forces, "x: n 3 -> n 3^", "S(n) x E(3)", **J),
    jax_false("forces by jax.grad kept", lambda: jax_forces, "x: n 3 -> n 3!", "O(3)", **J),
    jax_true("trace of a Hessian", lambda: jax_hessian_trace, VECTOR, "S(n)", **J),
    jax_true("scan, features", lambda: jax_scan, "x: n d -> n d", "S(d)", **J),
    jax_false("scan, time", lambda: jax_scan, "x: n d -> n d", "S(n)", **J),
    jax_true("two vmaps", lambda: jax_vmapped, "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("divergence", lambda: jax_divergence, "x: n 3 -> n", "S(n) x O(3)", **J),
    jax_true("segments", lambda: jax_segments, "h: n d, e[n]: m 2 -> n d", "S(n) x S(m)", **J),
    jax_false("segments, edges turned", lambda: jax_segments, "h: n d, e[n]: m v -> n d", "S(v)", sizes={"v": 2}, **J),
    jax_true("Newton-Schulz", lambda: jax_newton, "A: n n -> n n", "S(n)", **J),
    # packages
    true("keras Dense", keras("keras.layers.Dense(3, activation='gelu')", None, 4), "x: n 4 -> n 3", "S(n)", single=True),
    true("keras LayerNormalization", keras("keras.layers.LayerNormalization()", None, 4), "x: n 4 -> n 4", "S(n) x S(4)", single=True),
    true("keras MultiHeadAttention", held("os", "lambda x: f(x, x)", "os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; f = keras.layers.MultiHeadAttention(2, 4); f.build((None, None, 8), (None, None, 8))"), "x: b n 8 -> b n 8", "S(b) x S(n)", sizes={"b": (1, 3), "n": (2, 4)}, single=True),
    true("keras GlobalAveragePooling1D", keras("keras.layers.GlobalAveragePooling1D()"), "x: b n c -> b c", "S(b) x S(n) x S(c)", single=True),
    true("keras GroupNormalization", keras("keras.layers.GroupNormalization(2)", None, None, 4), "x: b n 4 -> b n 4", "S(b) x S(n)", single=True),
    true("keras cosine_similarity", keras("lambda z: keras.losses.cosine_similarity(z[0], z[1])"), "z: 2 n d -> n", "S(n) x O(d)", single=True),
    true("keras sparsemax", keras("keras.activations.sparsemax"), "x: n c -> n c", "S(n) x S(c)", single=True),
    false("keras Dense of features", keras("keras.layers.Dense(4)", None, 4), "x: n v -> n v", "S(v)", sizes={"v": 4}),
    false("keras Conv1D causal", keras("keras.layers.Conv1D(3, 3, padding='causal')", None, None, 4), "x: b n 4 -> b n 3", "S(n)", sizes={"n": (4, 6)}),
    true("monai DiceLoss", of_torch("monai.losses as M", "M.DiceLoss(sigmoid=True)"), "x: b c h w, y: b c h w -> ()", "S(b) x S(c) x S(h) x S(w)", draw="positive"),
    true("monai FocalLoss", of_torch("monai.losses as M", "M.FocalLoss()"), "x: b c h w, y: b c h w -> ()", "S(b) x S(h) x S(w)", draw="positive", single=True),
    true("monai TverskyLoss", of_torch("monai.losses as M", "M.TverskyLoss(sigmoid=True, batch=True)"), "x: b c h w, y: b c h w -> ()", "S(b) x S(h)", draw="positive"),
    true("monai BarlowTwinsLoss", of_torch("monai.losses as M", "M.BarlowTwinsLoss(lambd=5e-3)"), "x: n d, y: n d -> ()", "S(n) x S(d)"),
    false("monai DiceLoss, labels kept", of_torch("monai.losses as M", "M.DiceLoss(sigmoid=True)"), "x: b 1 h w, y: b! 1! h! w! -> ()", "S(b)", draw="positive"),
    true("smp DiceLoss", of_torch("segmentation_models_pytorch as S", "S.losses.DiceLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(h) x S(w)", draw="positive"),
    true("smp JaccardLoss", of_torch("segmentation_models_pytorch as S", "S.losses.JaccardLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(h)", draw="positive"),
    true("smp FocalLoss", of_torch("segmentation_models_pytorch as S", "S.losses.FocalLoss('binary')"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(w)", draw="positive"),
    false("smp DiceLoss, labels kept", of_torch("segmentation_models_pytorch as S", "S.losses.DiceLoss('binary')"), "x: b 1 h w, y: b! 1 h! w! -> ()", "S(b)", draw="positive"),
    true("sentence_transformers cos_sim", held("sentence_transformers.util as U", "lambda x, y: U.cos_sim(x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)"),
    true("sentence_transformers pairwise_cos_sim", held("sentence_transformers.util as U", "lambda x, y: U.pairwise_cos_sim(x, y)"), "x: n d, y: n d -> n", "S(n) x O(d)"),
    true("sentence_transformers euclidean_sim", held("sentence_transformers.util as U", "lambda x, y: U.euclidean_sim(x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)"),
    false("sentence_transformers dot_score moved", held("sentence_transformers.util as U", "lambda x, y: U.dot_score(x, y)"), "x: n d, y: m d -> n m", "T(d)"),
    true("open_clip ClipLoss", held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0)", "f = O.ClipLoss()"), "x: n d, y: n d -> ()", "S(n) x O(d)"),
    true("open_clip SigLipLoss", held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0, -10.0)", "f = O.SigLipLoss()"), "x: n d, y: n d -> ()", "S(n) x O(d)"),
    false("open_clip ClipLoss, texts shuffled", held("open_clip.loss as O, torch", "lambda x, y: f(x, y, 10.0)", "f = O.ClipLoss()"), "x: n! d, y: n d -> ()", "S(n)"),
    true("neuralop LpLoss", held("neuralop.losses as N", "lambda x, y: f(x, y)", "f = N.LpLoss(d=2, p=2)"), "x: b 1 h w, y: b 1 h w -> ()", "S(b) x S(h) x S(w)"),
    false("neuralop LpLoss, one shuffled", held("neuralop.losses as N", "lambda x, y: f(x, y)", "f = N.LpLoss(d=2, p=2)"), "x: b 1 h w, y: b 1 h! w -> ()", "S(h)"),
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
    numpy_true("pymanopt Sphere projection", held("pymanopt.manifolds as M", "lambda x, v: f.projection(x, v)", "f = M.Sphere(3)"), "x: 3, v: 3 -> 3", "O(3)"),
    numpy_true("pymanopt Stiefel projection", held("pymanopt.manifolds as M", "lambda x, v: f.projection(x, v)", "f = M.Stiefel(4, 2)"), "x: 4 2, v: 4 2 -> 4 2", "O(4)"),
    numpy_true("graspologic to_laplacian", held("graspologic.utils as G", "lambda A: G.to_laplacian(A + A.T)"), "A: n n -> n n", "S(n)", draw="positive"),
    numpy_true("filterpy mahalanobis", held("filterpy.stats as S", "lambda x, m: S.mahalanobis(x, m, [[2.0, 0.0], [0.0, 2.0]])"), "x: 2, m: 2 -> ()", "E(2)"),
    numpy_true("librosa normalize", held("librosa.util as U", "lambda x: U.normalize(x, axis=0)"), "x: n c -> n c", "S(n) x S(c)"),
    numpy_true("librosa hz_to_mel", held("librosa", "lambda x: librosa.hz_to_mel(x)"), "x: n -> n", "S(n)", draw="positive"),
    numpy_false("librosa normalize turned", held("librosa.util as U", "lambda x: U.normalize(x, axis=0)"), "x: n c -> n c", "O(c)"),
]  # fmt: skip
