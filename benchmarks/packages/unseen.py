"""Code as it stands in tutorials, notebooks and repositories of papers, whose like no family before holds."""

from __future__ import annotations

import functools
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


# NumPy: registration, moments, molecules.
def kabsch_align(P, Q):
    centroid_P, centroid_Q = np.mean(P, axis=0), np.mean(Q, axis=0)
    H = (P - centroid_P).T @ (Q - centroid_Q)
    U, S, Vt = np.linalg.svd(H)
    if np.linalg.det(Vt.T @ U.T) < 0:
        Vt[-1, :] *= -1
    R = Vt.T @ U.T
    return (P - centroid_P) @ R.T + centroid_Q


def icp_step(P, Q):
    D = np.linalg.norm(P[:, None, :] - Q[None, :, :], axis=2)
    matched = Q[np.argmin(D, axis=1)]
    return P + (matched.mean(axis=0) - P.mean(axis=0))


def icp_error(P, Q):
    errors = []
    for p in P:
        errors.append(min(np.sum((p - q) ** 2) for q in Q))
    return np.mean(errors)


def zca_whiten(X, eps=1e-2):
    X = X - X.mean(axis=0)
    cov = np.dot(X.T, X) / X.shape[0]
    w, V = np.linalg.eigh(cov)
    return X @ V @ np.diag(1.0 / np.sqrt(w + eps)) @ V.T


def gram_schmidt(A):
    Q = []
    for v in A:
        for q in Q:
            v = v - np.dot(q, v) * q
        Q.append(v / np.linalg.norm(v))
    return np.array(Q)


def frame_from_points(x1, x2, x3):
    v1, v2 = x3 - x2, x1 - x2
    e1 = v1 / np.linalg.norm(v1)
    u2 = v2 - e1 * np.dot(e1, v2)
    e2 = u2 / np.linalg.norm(u2)
    e3 = np.cross(e1, e2)
    return np.stack([e1, e2, e3], axis=-1)


def rotation_error(P, Q):
    U, _, Vt = np.linalg.svd(P.T @ Q)
    return np.linalg.norm(P @ U @ Vt - Q, "fro")


def inertia(m, X):
    com = np.average(X, axis=0, weights=m)
    r = X - com
    I = np.zeros((3, 3))
    for mi, ri in zip(m, r, strict=True):
        I += mi * (np.dot(ri, ri) * np.eye(3) - np.outer(ri, ri))
    return I


def quadrupole(q, X):
    r2 = np.sum(X**2, axis=1)
    return 3 * np.einsum("i,ij,ik->jk", q, X, X) - np.sum(q * r2) * np.eye(3)


def bond_angle(a, b, c):
    ba, bc = a - b, c - b
    return np.degrees(np.arccos(np.dot(ba, bc) / (np.linalg.norm(ba) * np.linalg.norm(bc))))


def praxeolitic(p0, p1, p2, p3):
    b0, b1, b2 = -1.0 * (p1 - p0), p2 - p1, p3 - p2
    b1 /= np.linalg.norm(b1)
    v = b0 - np.dot(b0, b1) * b1
    w = b2 - np.dot(b2, b1) * b1
    return np.degrees(np.arctan2(np.dot(np.cross(b1, v), w), np.dot(v, w)))


def lennard_jones(positions, epsilon=1.0, sigma=1.0):
    energy = 0.0
    n = len(positions)
    for i in range(n):
        for j in range(i + 1, n):
            r2 = np.sum((positions[i] - positions[j]) ** 2)
            sr6 = (sigma**2 / r2) ** 3
            energy += 4 * epsilon * (sr6**2 - sr6)
    return energy


def lennard_jones_forces(X):
    d = X[:, None] - X[None, :]
    r2 = (d**2).sum(-1)
    np.fill_diagonal(r2, 1.0)
    f = 24 * (2 / r2**7 - 1 / r2**4)
    np.fill_diagonal(f, 0.0)
    return (f[..., None] * d).sum(axis=1)


def ewald_reciprocal(q, X, alpha=0.8, L=2.0, kmax=1):
    energy = 0.0
    for nx in range(-kmax, kmax + 1):
        for ny in range(-kmax, kmax + 1):
            for nz in range(-kmax, kmax + 1):
                if nx == ny == nz == 0:
                    continue
                k = 2 * np.pi / L * np.array([nx, ny, nz])
                S = np.sum(q * np.exp(1j * (X @ k)))
                k2 = k @ k
                energy += np.exp(-k2 / (4 * alpha**2)) / k2 * np.abs(S) ** 2
    return 2 * np.pi / L**3 * energy


def stress_virial(X, F):
    s = np.zeros((3, 3))
    for a in range(3):
        for b in range(3):
            s[a, b] = -np.sum(X[:, a] * F[:, b])
    return s


def minimum_image(X, L=4.0):
    d = X[:, None] - X[None]
    d -= L * np.round(d / L)
    return np.sqrt((d**2).sum(-1) + 1e-9)


# NumPy: kernels, statistics, graphs.
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


def chebyshev_filter(X, A, theta=(0.5, -0.3, 0.2)):
    d = A.sum(axis=1)
    L = np.eye(len(A)) - A / np.sqrt(np.outer(d, d))
    T0, T1 = X, L @ X
    out = theta[0] * T0 + theta[1] * T1
    for k in range(2, len(theta)):
        T0, T1 = T1, 2 * L @ T1 - T0
        out = out + theta[k] * T1
    return out


def pagerank(A, d=0.85, iterations=5):
    n = A.shape[0]
    M = A / A.sum(axis=0, keepdims=True)
    r = np.ones(n) / n
    for _ in range(iterations):
        r = d * M @ r + (1 - d) / n
    return r


def weisfeiler_lehman(A, rounds=2):
    colours = np.ones(len(A))
    for _ in range(rounds):
        colours = np.tanh(colours + np.sqrt(2) * (A @ colours))
    return np.sort(colours)


def label_propagation(A, Y, alpha=0.9):
    D = np.diag(1.0 / np.sqrt(A.sum(1)))
    S = D @ A @ D
    Fm = Y.copy()
    for _ in range(4):
        Fm = alpha * S @ Fm + (1 - alpha) * Y
    return Fm


def effective_resistance(A):
    A = A + A.T
    L = np.diag(A.sum(1)) - A
    n = len(L)
    G = np.linalg.inv(L + np.ones((n, n)) / n)
    g = np.diag(G)
    return g[:, None] + g[None, :] - 2 * G


def power_iteration(A, steps=6):
    v = np.ones(A.shape[0])
    for _ in range(steps):
        v = A @ v
        v = v / np.linalg.norm(v)
    return v @ A @ v


def random_fourier_features(X, seed=0):
    rng = np.random.default_rng(seed)
    W, b = rng.normal(size=(X.shape[1], 16)), rng.uniform(0, 2 * np.pi, 16)
    Z = np.sqrt(2 / 16) * np.cos(X @ W + b)
    return Z @ Z.T


def fft_conv(x, k):
    return np.real(np.fft.ifft(np.fft.fft(x) * np.fft.fft(k)))


def spectral_pool(x):
    s = np.abs(np.fft.rfft(x, axis=-1))
    return np.log1p(s).sum(axis=0)


def wrap_conv(x, w=(0.25, 0.5, 0.25)):
    padded = np.pad(x, 1, mode="wrap")
    return np.array([np.dot(padded[i : i + 3], w) for i in range(len(x))])


def game_of_life(grid):
    n = sum(np.roll(grid, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return np.exp(-((n - 3) ** 2)) + grid * np.exp(-((n - 2) ** 2))


def clifford_product(a, b):
    s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[2] * b[0] + a[1] * b[3] - a[3] * b[1]
    xy = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]
    return np.array([s, x, y, xy])


def clifford_scalar(u, v):
    zero = np.zeros(1)
    p = clifford_product(np.concatenate([zero, u, zero]), np.concatenate([zero, v, zero]))
    return np.array([p[0], abs(p[3])])


def p4_lift(x, w):
    maps = [sum(w_ij * np.roll(x, (i - 1, j - 1), (0, 1)) for i, row in enumerate(np.rot90(w, r)) for j, w_ij in enumerate(row)) for r in range(4)]
    return np.max(maps, axis=0)


def real_harmonics_energy(X, r_cut=5.0):
    d = X[:, None] - X[None]
    x, y, z = d[..., 0], d[..., 1], d[..., 2]
    r2 = x**2 + y**2 + z**2
    Y2 = np.stack([math.sqrt(3) * x * y, math.sqrt(3) * y * z, (2 * z**2 - x**2 - y**2) / 2, math.sqrt(3) * x * z, math.sqrt(3) / 2 * (x**2 - y**2)], -1)
    A = (Y2 * np.exp(-r2 / r_cut)[..., None]).sum(1)
    return (A**2).sum(-1)


# torch: layers.
class EdgeMPNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Linear(16, 4))
        self.update = nn.Linear(8, 4)

    def forward(self, h, edge_index):
        src, dst = edge_index
        m = self.message(torch.cat([h[src], h[dst]], dim=-1))
        agg = torch.zeros_like(h).index_add_(0, dst, m)
        return h + self.update(torch.cat([h, agg], dim=-1))


class EdgeEGNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi_e = nn.Sequential(nn.Linear(9, 8), nn.SiLU(), nn.Linear(8, 8), nn.SiLU())
        self.phi_x = nn.Linear(8, 1, bias=False)

    def forward(self, h, x, edges):
        row, col = edges[0], edges[1]
        diff = x[row] - x[col]
        radial = torch.sum(diff**2, 1).unsqueeze(1)
        m = self.phi_e(torch.cat([h[row], h[col], radial], dim=1))
        trans = diff * self.phi_x(m)
        agg = x.new_zeros(x.shape).scatter_add_(0, row.unsqueeze(-1).expand_as(trans), trans)
        count = x.new_zeros(x.shape).scatter_add_(0, row.unsqueeze(-1).expand_as(trans), torch.ones_like(trans))
        return x + agg / count.clamp(min=1)


class VNLinearLeakyReLU(nn.Module):
    def __init__(self, i=4, o=5, slope=0.2):
        super().__init__()
        self.map_to_feat, self.map_to_dir = nn.Linear(i, o, bias=False), nn.Linear(i, o, bias=False)
        self.slope = slope

    def forward(self, x):
        p = self.map_to_feat(x.transpose(1, -1)).transpose(1, -1)
        d = self.map_to_dir(x.transpose(1, -1)).transpose(1, -1)
        dot = (p * d).sum(2, keepdim=True)
        mask = (dot >= 0).float()
        d_norm_sq = (d * d).sum(2, keepdim=True)
        return self.slope * p + (1 - self.slope) * (mask * p + (1 - mask) * (p - (dot / (d_norm_sq + 1e-6)) * d))


class PMA(nn.Module):
    def __init__(self, dim=8, heads=2, seeds=3):
        super().__init__()
        self.S = nn.Parameter(torch.randn(1, seeds, dim))
        self.fc_q, self.fc_k, self.fc_v, self.fc_o = (nn.Linear(dim, dim) for _ in range(4))
        self.ln0, self.heads = nn.LayerNorm(dim), heads

    def forward(self, X):
        Q = self.fc_q(self.S.repeat(X.size(0), 1, 1))
        K, V = self.fc_k(X), self.fc_v(X)
        split = Q.size(2) // self.heads
        Q_, K_, V_ = (torch.cat(t.split(split, 2), 0) for t in (Q, K, V))
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / math.sqrt(8), 2)
        O = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        O = self.ln0(O)
        return O + F.relu(self.fc_o(O))


class Perceiver(nn.Module):
    def __init__(self):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(4, 8))
        self.cross = nn.MultiheadAttention(8, 2, kdim=3, vdim=3, batch_first=True)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        q = self.latents.expand(x.shape[0], -1, -1)
        z, _ = self.cross(q, x, x)
        return self.head(self.block(z + q).mean(1))


class DGCNN(nn.Module):
    def __init__(self, k=2):
        super().__init__()
        self.k, self.conv = k, nn.Sequential(nn.Conv2d(6, 8, 1, bias=False), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))

    def forward(self, x):  # B 3 N
        inner = -2 * torch.matmul(x.transpose(2, 1), x)
        xx = torch.sum(x**2, dim=1, keepdim=True)
        idx = (-xx - inner - xx.transpose(2, 1)).topk(k=self.k, dim=-1)[1]
        B, C, N = x.shape
        flat = (idx + torch.arange(B).view(-1, 1, 1) * N).view(-1)
        xt = x.transpose(2, 1).contiguous()
        feature = xt.view(B * N, -1)[flat, :].view(B, N, self.k, C)
        xt = xt.view(B, N, 1, C).repeat(1, 1, self.k, 1)
        feature = torch.cat((feature - xt, xt), dim=3).permute(0, 3, 1, 2).contiguous()
        return self.conv(feature).max(dim=-1)[0]


class GaussianSmearing(nn.Module):
    def __init__(self, start=0.0, stop=5.0, num_gaussians=8):
        super().__init__()
        offset = torch.linspace(start, stop, num_gaussians)
        self.coeff = -0.5 / (offset[1] - offset[0]).item() ** 2
        self.register_buffer("offset", offset)

    def forward(self, dist):
        dist = dist.view(-1, 1) - self.offset.view(1, -1)
        return torch.exp(self.coeff * torch.pow(dist, 2))


class SchNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.rbf = nn.Embedding(10, 8), GaussianSmearing()
        self.filter = nn.Sequential(nn.Linear(8, 8), nn.Softplus(), nn.Linear(8, 8))
        self.out = nn.Linear(8, 1)

    def forward(self, z, pos, edge_index):
        h = self.embedding(z)
        j, i = edge_index
        w = self.filter(self.rbf((pos[i] - pos[j]).norm(dim=-1)))
        h = h + torch.zeros_like(h).index_add(0, i, h[j] * w)
        return self.out(h).sum()


class MoE(nn.Module):
    def __init__(self, dim=4, experts=3):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(dim, 8), nn.GELU(), nn.Linear(8, dim)) for _ in range(experts)])

    def forward(self, x):
        w = F.softmax(self.gate(x), dim=-1)
        out = torch.stack([e(x) for e in self.experts], dim=-1)
        return torch.sum(out * w.unsqueeze(-2), dim=-1)


class TopKMoE(MoE):
    def forward(self, x):
        weights, chosen = torch.topk(self.gate(x), 2, dim=-1)
        weights = F.softmax(weights, dim=-1)
        out = torch.zeros_like(x)
        for k, expert in enumerate(self.experts):
            w = torch.where(chosen == k, weights, torch.zeros_like(weights)).sum(-1, keepdim=True)
            out = out + w * expert(x)
        return out


class AffineCoupling(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 4))

    def forward(self, x):
        x1, x2 = x.chunk(2, dim=-1)
        s, t = self.net(x1).chunk(2, dim=-1)
        z = torch.cat([x1, (x2 - t) * torch.exp(-torch.tanh(s))], dim=-1)
        prior = -0.5 * (z**2 + math.log(2 * math.pi)).sum(-1)
        return prior - torch.tanh(s).sum(-1)


class VAELoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(4, 6), nn.Linear(3, 4)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        recon = self.dec(mu)
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return F.mse_loss(recon, x, reduction="sum") + kld


def vq_commitment(z, codebook):
    d = z.pow(2).sum(1, keepdim=True) + codebook.pow(2).sum(1) - 2 * z @ codebook.t()
    q = codebook[d.argmin(1)]
    return F.mse_loss(q.detach(), z) + 0.25 * F.mse_loss(q, z.detach())


def elu_attention(q, k, v, eps=1e-6):
    Q, K = F.elu(q) + 1, F.elu(k) + 1
    KV = torch.einsum("nshd,nshm->nhmd", K, v)
    Z = 1 / (torch.einsum("nlhd,nhd->nlh", Q, K.sum(dim=1)) + eps)
    return torch.einsum("nlhd,nhmd,nlh->nlhm", Q, KV, Z)


class Performer(nn.Module):
    def __init__(self, d=4, m=6):
        super().__init__()
        self.register_buffer("w", torch.randn(m, d))

    def phi(self, x):
        return torch.exp(x @ self.w.t() - (x**2).sum(-1, keepdim=True) / 2) / math.sqrt(self.w.shape[0])

    def forward(self, q, k, v):
        q, k = self.phi(q), self.phi(k)
        return (q @ (k.transpose(-2, -1) @ v)) / (q @ k.sum(-2).unsqueeze(-1))


def alibi_attention(q, k, v):
    n = q.shape[-2]
    pos = torch.arange(n)
    bias = -(pos[None, :] - pos[:, None]).abs()
    slopes = torch.tensor([2 ** (-8.0 * (h + 1) / q.shape[0]) for h in range(q.shape[0])]).view(-1, 1, 1)
    return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + slopes * bias, -1) @ v


def rotary(x):
    n, d = x.shape[-2:]
    theta = 10000 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    angle = torch.arange(n, dtype=x.dtype)[:, None] * theta
    cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
    half = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return x * cos + half * sin


class RelativeBias(nn.Module):
    def __init__(self, n=4, heads=2):
        super().__init__()
        self.table = nn.Parameter(torch.randn(2 * n - 1, heads))
        i = torch.arange(n)
        self.register_buffer("index", i[:, None] - i[None, :] + n - 1)

    def forward(self, q, k, v):
        bias = self.table[self.index].permute(2, 0, 1)
        return torch.softmax(q @ k.transpose(-1, -2) + bias, -1) @ v


def info_nce(query, keys, tau=0.1):
    query, keys = F.normalize(query, dim=-1), F.normalize(keys, dim=-1)
    logits = query @ keys.t() / tau
    labels = torch.arange(len(query), device=query.device)
    return F.cross_entropy(logits, labels)


def clip_loss(image, text):
    image = image / image.norm(dim=1, keepdim=True)
    text = text / text.norm(dim=1, keepdim=True)
    logits = math.exp(1.0) * image @ text.t()
    targets = torch.arange(image.shape[0])
    return (F.cross_entropy(logits, targets) + F.cross_entropy(logits.t(), targets)) / 2


def batch_all_triplet(z, y, margin=0.3):
    d = torch.cdist(z, z)
    same = y[:, None] == y[None, :]
    loss = F.relu(d[:, :, None] - d[:, None, :] + margin)
    keep = same[:, :, None] & ~same[:, None, :]
    return (loss * keep).sum() / (keep.sum() + 1e-8)


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


class LSTMEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.LSTMCell(3, 4), nn.Linear(4, 2)

    def forward(self, x):  # batch time 3
        h = c = torch.zeros(x.size(0), 4)
        for t in range(x.size(1)):
            h, c = self.cell(x[:, t], (h, c))
        return self.out(h)


class GatedAttentionMIL(nn.Module):
    def __init__(self):
        super().__init__()
        self.V, self.U, self.w = nn.Linear(6, 4), nn.Linear(6, 4), nn.Linear(4, 1)
        self.classifier = nn.Linear(6, 1)

    def forward(self, H):
        A = self.w(torch.tanh(self.V(H)) * torch.sigmoid(self.U(H)))
        A = torch.softmax(torch.transpose(A, 1, 0), dim=1)
        return torch.sigmoid(self.classifier(torch.mm(A, H))).squeeze()


class SqueezeExcite(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(c, 2), nn.ReLU(inplace=True), nn.Linear(2, c), nn.Sigmoid())

    def forward(self, x):
        b, c, _, _ = x.size()
        y = F.adaptive_avg_pool2d(x, 1).view(b, c)
        return x * self.fc(y).view(b, c, 1, 1).expand_as(x)


class RingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(2, 4, 3, padding=1, padding_mode="circular"), nn.ReLU(),
            nn.Conv1d(4, 4, 5, padding=2, padding_mode="circular"), nn.ReLU(),
            nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(4, 3),
        )  # fmt: skip

    def forward(self, x):
        return self.body(x)


class GroupConvZn(nn.Module):
    def __init__(self):
        super().__init__()
        self.psi = nn.Parameter(torch.randn(5))

    def forward(self, x):
        n = x.shape[-1]
        out = torch.zeros_like(x)
        for g in range(5):
            out = out + self.psi[g] * torch.roll(x, shifts=g, dims=-1)
        return F.relu(out) / n


# JAX.
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


PAIR = "P: n 3, Q: n 3 -> n 3"
ATTEND = "q: h n 4, k: h n 4, v: h n e -> h n e"
EDGES = "E[n]: 2 m"
SMALL = {"n": (2, 5), "m": (2, 5)}

CLAIMS = [
    true("alignment by Kabsch", lambda: kabsch_align, PAIR, "S(n)"),
    true("rotation left by Procrustes", lambda: rotation_error, "P: n d, Q: n d! -> ()", "O(d)"),
    true("ICP step", lambda: icp_step, "P: n d, Q: m d -> n d", "S(n) x E(d)"),
    true("ICP error by loops", lambda: icp_error, "P: n d, Q: m d -> ()", "S(n) x S(m) x E(d)"),
    true("ZCA whitening", lambda: zca_whiten, "X: n 3 -> n 3", "S(n)"),
    true("ZCA whitening rotated", lambda: zca_whiten, "X: n 3 -> n 3", "O(3)"),
    true("Gram-Schmidt of rows", lambda: gram_schmidt, "A: 3 d -> 3 d", "O(d)"),
    true("frame of three atoms", lambda: frame_from_points, "a: 3, b: 3, c: 3 -> 3^ 3!", "SE(3)"),
    true("inertia tensor by loops", lambda: inertia, "m: n, X: n 3 -> 3^ 3^", "S(n) x E(3)", draw="positive"),
    true("quadrupole of charges", lambda: quadrupole, "q: n, X: n 3 -> 3 3", "S(n) x O(3)"),
    true("bond angle in degrees", lambda: bond_angle, "a: d, b: d, c: d -> ()", "E(d)"),
    true("dihedral in degrees", lambda: praxeolitic, "a: 3, b: 3, c: 3, d: 3 -> ()", "SE(3)"),
    true("Lennard-Jones by loops", lambda: lennard_jones, "X: n 3 -> ()", "S(n) x E(3)"),
    true("Lennard-Jones forces, diagonal filled", lambda: lennard_jones_forces, "X: n d -> n d^", "S(n) x E(d)"),
    true("Ewald's reciprocal sum", lambda: ewald_reciprocal, "q: n, X: n 3 -> ()", "S(n) x T(3)"),
    true("virial by components", lambda: stress_virial, "X: n 3, F: n 3 -> 3 3", "S(n) x O(3)"),
    true("minimum image distances", lambda: minimum_image, "X: n d -> n n", "S(n) x T(d)"),
    true("MMD with an RBF kernel", lambda: mmd_rbf, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    true("unbiased linear MMD", lambda: unbiased_mmd, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    true("linear CKA", lambda: linear_cka, "X: n d, Y: n e -> ()", "S(n) x O(d) x O(e)"),
    true("kernel CKA", lambda: kernel_cka, "X: n d, Y: n e -> ()", "S(n) x O(d) x O(e)"),
    true("Mahalanobis to classes", lambda: mahalanobis_to_classes, "X: n d, mu: k d, S: d^ d^ -> n k", "S(n) x S(k) x E(d)"),
    true("Gaussian log density", lambda: gaussian_log_density, "X: n d, mu: d, A: d^ d^ -> n", "S(n) x E(d)"),
    true("Frechet distance of traces", lambda: frechet_inception, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    true("DPP log-likelihood", lambda: dpp_log_likelihood, "L: n d -> ()", "S(n) x O(d)", sizes={"n": 3, "d": (3, 4)}),
    true("Chebyshev graph filter", lambda: chebyshev_filter, "X: n c, A: n n -> n c", "S(n) x O(c)", draw="positive"),
    true("PageRank by iterations", lambda: pagerank, "A: n n -> n", "S(n)", draw="positive"),
    true("Weisfeiler-Lehman colours", lambda: weisfeiler_lehman, "A: n n -> n!", "S(n)"),
    true("label propagation", lambda: label_propagation, "A: n n, Y: n c -> n c", "S(n) x S(c)", draw="positive"),
    true("effective resistance", lambda: effective_resistance, "A: n n -> n n", "S(n)", draw="positive"),
    true("power iteration", lambda: power_iteration, "A: n n -> ()", "S(n)"),
    true("random Fourier features", lambda: random_fourier_features, "X: n 3 -> n n", "S(n)"),
    true("convolution by FFT", lambda: fft_conv, "x: n, k: n! -> n", "C(n)", sizes={"n": (3, 6)}),
    true("spectrum pooled", lambda: spectral_pool, "x: c n -> m", "S(c) x C(n)", sizes={"n": (3, 6)}),
    true("wrapped convolution by a list", lambda: wrap_conv, "x: n -> n", "C(n)"),
    true("a soft game of life", lambda: game_of_life, "x: h w -> h w", "C(h) x C(w)"),
    true("Clifford product in the plane", lambda: clifford_scalar, "u: 2, v: 2 -> 2!", "O(2)"),
    true("p4 lifting, pooled", lambda: p4_lift, "x: h w, w: 3 3 -> h w", "C(h) x C(w)", sizes={"h": (3, 4), "w": (3, 4)}),
    true("harmonics of degree 2 by hand", lambda: real_harmonics_energy, "X: n 3 -> n", "S(n) x E(3)"),
    torch_true("message passing over edges", seeded(EdgeMPNN), f"h: n 4, {EDGES} -> n 4", "S(n) x S(m)"),
    torch_true("EGNN over edges", seeded(EdgeEGNN), f"h: n 4, x: n d, {EDGES} -> n d", "S(n) x S(m) x E(d)"),
    torch_true("vector neurons", seeded(VNLinearLeakyReLU), "x: b 4 3 n -> b 5 3 n", "S(b) x O(3) x S(n)"),
    torch_true("pooling by attention", seeded(PMA), "X: b n 8 -> b 3 8", "S(b) x S(n)"),
    torch_true("Perceiver of a newcomer", seeded(Perceiver), "x: b n 3 -> b 2", "S(b) x S(n)"),
    torch_true("DGCNN edge convolution", seeded(DGCNN), "x: b 3 n -> b 8 n", "S(n)", sizes={"n": (3, 5)}),
    torch_true("SchNet of a newcomer", seeded(SchNet), f"z[10]: n, x: n 3, {EDGES} -> ()", "S(n) x S(m) x E(3)"),
    torch_true("soft mixture of experts", seeded(MoE), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    torch_true("top-2 mixture of experts", seeded(TopKMoE), "x: n 4 -> n 4", "S(n)"),
    torch_true("affine coupling log_prob", seeded(AffineCoupling), "x: b 4 -> b", "S(b)"),
    torch_true("VAE loss", seeded(VAELoss), "x: b 4 -> ()", "S(b)"),
    torch_true("vector quantisation losses", lambda: vq_commitment, "z: n d, c: k d -> ()", "S(n) x S(k) x E(d)"),
    torch_true("linear attention of elu", lambda: elu_attention, "q: b n h d, k: b m h d, v: b m h e -> b n h e", "S(m) x S(h) x S(d) x O(e)"),
    torch_true("Performer features", seeded(Performer), "q: b n 4, k: b m 4, v: b m e -> b n e", "S(n) x S(m) x O(e)"),
    torch_true("ALiBi", lambda: alibi_attention, ATTEND, "O(e)", sizes={"h": 2}),
    torch_true("RoPE scores", lambda: lambda q, k: rotary(q) @ rotary(k).transpose(-1, -2), "q: b h n 4, k: b h n 4 -> b h n n", "S(b) x S(h)"),
    torch_true("relative position bias", seeded(RelativeBias), "q: 2 4 d, k: 2 4 d, v: 2 4 e -> 2 4 e", "O(d) x O(e)"),
    torch_true("InfoNCE", lambda: info_nce, "q: n d, k: n d -> ()", "S(n) x O(d)"),
    torch_true("CLIP loss with a scale", lambda: clip_loss, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("triplets, all valid", lambda: batch_all_triplet, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("Sinkhorn layer", lambda: sinkhorn_layer, "a: n m -> n m", "S(n) x S(m)"),
    torch_true("HSIC", lambda: hsic_torch, "X: n d, Y: n e -> ()", "S(n) x E(d) x E(e)"),
    torch_true("LSTM cells over time", seeded(LSTMEncoder), "x: b t 3 -> b 2", "S(b)", sizes={"t": (2, 4)}),
    torch_true("gated attention MIL", seeded(GatedAttentionMIL), "H: n 6 -> ()", "S(n)"),
    torch_true("squeeze and excite", seeded(SqueezeExcite), "x: b 4 h w -> b 4 h w", "C(h) x S(w)"),
    torch_true("network of a ring", seeded(RingNet), "x: b 2 n -> b 3", "S(b) x C(n)", sizes={"n": (5, 7)}),
    torch_true("group convolution on Z_n", seeded(GroupConvZn), "x: b n -> b n", "S(b) x C(n)"),
    jax_true("flax masked set", flax_set, "x: n 3, keep[bool]: n -> 2", "S(n)", backend="jax"),
    jax_true("equinox EGNN", equinox_egnn, "x: n d -> n d", "S(n) x E(d)", backend="jax"),
    jax_true("nnx block", nnx_mixer, "x: b n 4 -> b n 4", "S(b) x S(n)", backend="jax"),
    jax_true("leapfrog by scan", jax_leapfrog, "q: n d, p: n d^ -> n d", "S(n) x E(d)", backend="jax"),
    jax_true("GAT by segments", jax_gat, "h: n 3, s[n]: m, r[n]: m -> n 4", "S(n) x S(m)", backend="jax"),
    jax_true("GRU by scan", jax_gru, "x: b t 3 -> b 4", "S(b)", backend="jax", sizes={"t": (2, 4)}),
    jax_true("divergence by jacfwd", jax_hutchinson_divergence, "x: d -> ()", "O(d)", backend="jax"),
    jax_true("kernel ridge in JAX", jax_kernel_ridge, "X: n d, y: n, Z: m d -> m", "S(n) x S(m) x E(d)", backend="jax"),
    jax_true("Bessel basis of distances", jax_spherical_l1, "x: n 3 -> n", "S(n) x T(3)", backend="jax", single=True),
    # false ones, most of one character
    false("alignment of the wrong side", lambda: lambda P, Q: kabsch_align(P, Q) - kabsch_align(Q, P), PAIR, "T(3)"),
    false("inertia about the origin", lambda: lambda m, X: inertia(m, X) + np.outer(X.sum(0), X.sum(0)), "m: n, X: n 3 -> 3^ 3^", "T(3)", draw="positive"),
    false("Gram-Schmidt of columns", lambda: lambda A: gram_schmidt(A.T).T, "A: 3 d -> 3 d", "O(d)", sizes={"d": 3}),
    false("quadrupole without trace of charges", lambda: lambda q, X: 3 * np.einsum("i,ij,ik->jk", q, X, X) - np.sum(q * np.sum(X**2, 1)) * np.ones((3, 3)), "q: n, X: n 3 -> 3 3", "O(3)"),
    false("dihedral mirrored", lambda: praxeolitic, "a: 3, b: 3, c: 3, d: 3 -> ()", "E(3)"),
    false("Lennard-Jones, neighbours in the list", lambda: lambda X: sum(1 / np.sum((X[i] - X[i - 1]) ** 2) for i in range(1, len(X))), "X: n 3 -> ()", "S(n)"),
    false("linear CKA uncentred", lambda: lambda X, Y: np.linalg.norm(Y.T @ X) ** 2 / np.linalg.norm(X.T @ X) / np.linalg.norm(Y.T @ Y), "X: n d, Y: n e -> ()", "T(d)"),
    false("MMD, last of the other", lambda: lambda X, Y: mmd_rbf(X, Y) + Y[-1, 0], "X: n d, Y: m d -> ()", "S(m)"),
    false("PageRank, rows for columns", lambda: lambda A: np.linalg.matrix_power(A / A.sum(0, keepdims=True), 3)[0], "A: n n -> n", "S(n)", draw="positive"),
    false("random Fourier features rotated", lambda: random_fourier_features, "X: n 3 -> n n", "O(3)"),
    false("spectrum of a window", lambda: lambda x: np.abs(np.fft.rfft(x * np.hanning(x.shape[-1]), axis=-1)).sum(0), "x: c n -> m", "C(n)", sizes={"n": (4, 6)}),
    false("harmonics with a factor missing", lambda: lambda X: real_harmonics_energy(X * np.array([1.0, 1.0, 1.1])), "X: n 3 -> n", "O(3)"),
    torch_false("message passing, senders doubled", seeded(EdgeMPNN), "h: n 4, E[n]: v m -> n 4", "S(v)", sizes={**SMALL, "v": 2}),
    torch_false("vector neurons with a bias", lambda: (lambda l: lambda x: l(x.transpose(1, -1)).transpose(1, -1))(seeded(lambda: nn.Linear(4, 5))()), "x: b 4 3 n -> b 5 3 n", "O(3)"),
    torch_false("pooling by attention, positions added", lambda: (lambda m: lambda X: m(X + torch.arange(X.shape[1], dtype=X.dtype)[:, None]))(seeded(PMA)()), "X: b n 8 -> b 3 8", "S(n)"),
    torch_false("experts of places", lambda: (lambda m: lambda x: m(x) * torch.linspace(0.5, 1, x.shape[1])[None, :, None])(seeded(MoE)()), "x: b n 4 -> b n 4", "S(n)"),
    torch_false("affine coupling, halves", seeded(AffineCoupling), "x: b v -> b", "S(v)", sizes={"v": 4}),
    torch_false("ALiBi shuffled", lambda: alibi_attention, ATTEND, "S(n)", sizes={"h": 2}),
    torch_false("relative position bias shuffled", seeded(RelativeBias), "q: 2 4 d, k: 2 4 d, v: 2 4 e -> 2 4 e", "S(4)"),
    torch_false("InfoNCE, keys alone moved", lambda: lambda q, k: info_nce(q, k.roll(1, 0)), "q: n d, k: n d -> ()", "S(n)", sizes={"n": (4, 6)}),
    torch_false("squeeze and excite of channels", seeded(SqueezeExcite), "x: b v h w -> b v h w", "S(v)", sizes={"v": 4}),
    torch_false("network of a path", seeded(lambda: nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool1d(1))), "x: b 2 n -> b 4 1", "C(n)"),
    torch_false("Sinkhorn layer, one side last", lambda: lambda a: sinkhorn_layer(a, 1), "a: n m -> n m", "T(m)"),
    torch_false("HSIC with a bandwidth of the first", lambda: lambda X, Y: hsic_torch(X / X[:1].norm(), Y), "X: n d, Y: n e -> ()", "S(n)"),
    torch_false("LSTM cells backwards", seeded(LSTMEncoder), "x: b t 3 -> b 2", "D(t)", sizes={"t": (2, 4)}),
    jax_false("flax masked set, first entry", lambda: (lambda f: lambda x, m: f(x, m) + x[0, 0])(flax_set()), "x: n 3, keep[bool]: n -> 2", "S(n)", backend="jax"),
    jax_false("leapfrog in an outer field", lambda: (lambda f: lambda q, p: f(q + 0.01 * q**2, p))(jax_leapfrog()), "q: n d, p: n d^ -> n d", "O(d)", backend="jax"),
    jax_false("GAT, receivers exchanged", jax_gat, "h: n 3, s[n]: m, r[n]: m! -> n 4", "S(m)", backend="jax"),
    jax_false("Bessel basis of places", lambda: (lambda f: lambda x: f(x * (1.0 + np.arange(x.shape[0]))[:, None]))(jax_spherical_l1()), "x: n 3 -> n", "S(n)", backend="jax", single=True),
]  # fmt: skip
