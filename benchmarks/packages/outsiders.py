"""Models and algorithms that users copy from papers' repositories: clouds, molecules, proteins, graphs, losses, statistics."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg
import scipy.spatial.distance as ssd
import scipy.stats
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded
from benchmarks.packages.repositories import index_points, square_distance

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


# ---- point clouds
class PointTransformerBlock(nn.Module):
    def __init__(self, d=4, k=3):
        super().__init__()
        self.fc_delta = nn.Sequential(nn.Linear(3, d), nn.ReLU(), nn.Linear(d, d))
        self.fc_gamma = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d))
        self.wq, self.wk, self.wv = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.fc1, self.fc2, self.k = nn.Linear(d, d), nn.Linear(d, d), k

    def forward(self, xyz, features):
        dists = square_distance(xyz, xyz)
        knn_idx = dists.argsort()[:, :, : self.k]
        knn_xyz = index_points(xyz, knn_idx)
        x = self.fc1(features)
        q, k, v = self.wq(x), index_points(self.wk(x), knn_idx), index_points(self.wv(x), knn_idx)
        pos = self.fc_delta(xyz[:, :, None] - knn_xyz)
        attn = self.fc_gamma(q[:, :, None] - k + pos)
        attn = F.softmax(attn / np.sqrt(k.size(-1)), dim=-2)
        res = torch.einsum("bmnf,bmnf->bmf", attn, v + pos)
        return self.fc2(res) + features


def dgcnn_knn(x, k):
    inner = -2 * torch.matmul(x.transpose(2, 1), x)
    xx = torch.sum(x**2, dim=1, keepdim=True)
    pairwise_distance = -xx - inner - xx.transpose(2, 1)
    return pairwise_distance.topk(k=k, dim=-1)[1]


def get_graph_feature(x, k=3):
    batch_size, num_points = x.size(0), x.size(2)
    x = x.view(batch_size, -1, num_points)
    idx = dgcnn_knn(x, k=k)
    idx_base = torch.arange(0, batch_size).view(-1, 1, 1) * num_points
    idx = (idx + idx_base).view(-1)
    _, num_dims, _ = x.size()
    x = x.transpose(2, 1).contiguous()
    feature = x.view(batch_size * num_points, -1)[idx, :]
    feature = feature.view(batch_size, num_points, k, num_dims)
    x = x.view(batch_size, num_points, 1, num_dims).repeat(1, 1, k, 1)
    return torch.cat((feature - x, x), dim=3).permute(0, 3, 1, 2).contiguous()


class DGCNNCls(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(6, 8, 1, bias=False), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))
        self.lin = nn.Linear(16, 4)

    def forward(self, x):
        x = self.conv(get_graph_feature(x)).max(dim=-1, keepdim=False)[0]
        b = x.size(0)
        x1 = F.adaptive_max_pool1d(x, 1).view(b, -1)
        x2 = F.adaptive_avg_pool1d(x, 1).view(b, -1)
        return self.lin(torch.cat((x1, x2), 1))


class PointNetSetAbstractionAll(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv2d(7, 8, 1), nn.Conv2d(8, 8, 1)])
        self.bns = nn.ModuleList([nn.BatchNorm2d(8), nn.BatchNorm2d(8)])

    def forward(self, xyz, points):
        B, N, C = xyz.shape
        new_xyz = torch.zeros(B, 1, C)
        grouped = torch.cat([xyz.view(B, 1, N, C), points.view(B, 1, N, -1)], dim=-1)
        new = grouped.permute(0, 3, 2, 1)
        for conv, bn in zip(self.convs, self.bns, strict=False):
            new = F.relu(bn(conv(new)))
        return new_xyz, torch.max(new, 2)[0]


class VNLinearLeakyReLU(nn.Module):
    def __init__(self, cin=3, cout=4, slope=0.2, bias=False):
        super().__init__()
        self.map_to_feat, self.map_to_dir = nn.Linear(cin, cout, bias=bias), nn.Linear(cin, cout, bias=False)
        self.slope = slope

    def forward(self, x):
        p = self.map_to_feat(x.transpose(1, -1)).transpose(1, -1)
        d = self.map_to_dir(x.transpose(1, -1)).transpose(1, -1)
        dotprod = (p * d).sum(2, keepdims=True)
        mask = (dotprod >= 0).float()
        d_norm_sq = (d * d).sum(2, keepdims=True)
        return self.slope * p + (1 - self.slope) * (mask * p + (1 - mask) * (p - (dotprod / (d_norm_sq + 1e-6)) * d))


class VNStdFeature(nn.Module):
    def __init__(self, c=3):
        super().__init__()
        self.lin = nn.Linear(c, 3, bias=False)

    def forward(self, x):
        z0 = self.lin(x.transpose(1, -1)).transpose(1, -1).transpose(1, 2)
        return torch.einsum("bijm,bjkm->bikm", x, z0)


class VNBatchNorm(nn.Module):
    def __init__(self, c=3):
        super().__init__()
        self.bn = nn.BatchNorm1d(c)

    def forward(self, x):
        norm = torch.norm(x, dim=2) + 1e-6
        return x / norm.unsqueeze(2) * self.bn(norm).unsqueeze(2)


# ---- molecules
class CosineCutoff(nn.Module):
    def __init__(self, lower=0.0, upper=3.0):
        super().__init__()
        self.lower, self.upper = lower, upper

    def forward(self, distances):
        c = 0.5 * (torch.cos(distances * math.pi / self.upper) + 1.0)
        return c * (distances < self.upper).float()


class ExpNormalSmearing(nn.Module):
    def __init__(self, cutoff=3.0, num=4):
        super().__init__()
        self.cutoff_fn, self.alpha = CosineCutoff(0, cutoff), 5.0 / cutoff
        start = torch.exp(torch.scalar_tensor(-cutoff))
        self.register_buffer("means", torch.linspace(start.item(), 1, num))
        self.register_buffer("betas", torch.tensor([(2 / num * (1 - start.item())) ** -2] * num))

    def forward(self, dist):
        dist = dist.unsqueeze(-1)
        return self.cutoff_fn(dist) * torch.exp(-self.betas * (torch.exp(self.alpha * (-dist)) - self.means) ** 2)


class TorchMDETInteraction(nn.Module):
    """Equivariant transformer of TorchMD-Net, in dense form."""

    def __init__(self, d=4, centred=True):
        super().__init__()
        self.rbf, self.emb, self.centred = ExpNormalSmearing(), nn.Embedding(3, d), centred
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, 3 * d)
        self.dk, self.dv, self.o = nn.Linear(4, d), nn.Linear(4, 3 * d), nn.Linear(d, d)
        self.d = d

    def forward(self, z, pos):
        x = self.emb(z)
        r = pos[None, :] - pos[:, None]
        dist = torch.sqrt((r**2).sum(-1) + 1e-8)
        f = self.rbf(dist)
        attn = F.silu((self.q(x)[:, None] * self.k(x)[None] * F.silu(self.dk(f))).sum(-1)) * self.rbf.cutoff_fn(dist)
        w = self.v(x)[None] * F.silu(self.dv(f))
        s, v1, v2 = torch.split(w, self.d, dim=-1)
        out = (attn.unsqueeze(-1) * s).sum(1)
        u = r / dist.unsqueeze(-1) if self.centred else pos[None].expand(len(pos), -1, -1)
        vec = (v1.unsqueeze(-2) * u.unsqueeze(-1)).sum(1)
        return self.o(out), vec


class DimeNetAngles(nn.Module):
    def __init__(self):
        super().__init__()
        self.freq = nn.Parameter(torch.arange(1, 4) * math.pi)
        self.lin = nn.Linear(3 * 3, 2)

    def forward(self, pos):
        d = pos[:, None] - pos[None]
        r = (d**2).sum(-1).add(1e-6).sqrt()
        rbf = torch.sin(self.freq * r[..., None] / 5.0) / r[..., None]
        a = torch.einsum("ijd,ikd->ijk", d, d)
        b = torch.cross(d[:, :, None].expand(-1, -1, len(pos), -1), d[:, None].expand(-1, len(pos), -1, -1), dim=-1).norm(dim=-1)
        angle = torch.atan2(b, a)
        leg = torch.stack([torch.ones_like(angle), torch.cos(angle), 0.5 * (3 * torch.cos(angle) ** 2 - 1)], -1)
        m = torch.einsum("ijkl,ikr->ijlr", leg, rbf).flatten(-2)
        return self.lin(m).sum(1)


class PaiNNLike(nn.Module):
    def __init__(self, d=4, wrong=False):
        super().__init__()
        self.u, self.v = nn.Linear(d, d, bias=wrong), nn.Linear(d, d, bias=False)
        self.net = nn.Sequential(nn.Linear(2 * d, d), nn.SiLU(), nn.Linear(d, 3 * d))

    def forward(self, s, vec):
        vu, vv = self.u(vec), self.v(vec)
        vn = torch.sqrt(torch.sum(vv**2, dim=-2) + 1e-8)
        a, b, c = self.net(torch.cat([s, vn], -1)).chunk(3, -1)
        return s + a + b * (vu * vv).sum(-2), vec + c.unsqueeze(-2) * vu


class TFNLayer(nn.Module):
    """Scalars and vectors of tensor field networks, in Cartesian form."""

    def __init__(self):
        super().__init__()
        self.r = nn.Sequential(nn.Linear(1, 8), nn.ReLU(), nn.Linear(8, 4))

    def forward(self, pos, s, v):
        d = pos[:, None] - pos[None]
        r = torch.sqrt((d**2).sum(-1, keepdim=True).clamp(min=1e-8))
        u = d / r
        w = self.r(r)
        s2 = (w[..., 0] * s[None]).sum(1) + (w[..., 1] * (u * v[None]).sum(-1)).sum(1)
        v2 = (w[..., 2:3] * u * s[None, :, None]).sum(1) + (w[..., 3:] * torch.linalg.cross(u, v[None].expand_as(u))).sum(1)
        return s2, v2


def frame_average_so(x):
    """Frames from PCA, averaged over signs."""
    c = x - x.mean(0, keepdim=True)
    _, V = torch.linalg.eigh(c.T @ c)
    ops = torch.tensor([[i, j, k] for i in (-1.0, 1.0) for j in (-1.0, 1.0) for k in (-1.0, 1.0)], dtype=x.dtype)
    F_ = V[None] * ops[:, None, :]
    h = torch.einsum("nd,fde->fne", c, F_)
    return torch.relu(h @ torch.tensor([[1.0, 0.5], [-0.3, 2.0], [0.7, -1.0]], dtype=x.dtype)).sum(1).mean(0)


class SignNetLite(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi, self.rho = nn.Sequential(nn.Linear(1, 8), nn.ReLU(), nn.Linear(8, 4)), nn.Linear(8, 3)

    def forward(self, v):
        v = v.unsqueeze(-1)
        h = self.phi(v) + self.phi(-v)
        return self.rho(h.reshape(h.shape[0], -1))


def basisnet_projector(A):
    vals, vecs = torch.linalg.eigh(A + A.T)
    P = torch.einsum("ik,jk->kij", vecs, vecs)
    return torch.einsum("k,kij->ij", torch.tanh(vals), P)


def ops_2_to_2(inputs):
    """Fifteen operations of invariant graph networks, on N x D x m x m."""
    dim = inputs.shape[-1]
    diag_part = torch.diagonal(inputs, dim1=-2, dim2=-1)
    sum_diag = torch.sum(diag_part, dim=2, keepdim=True)
    rows, cols = torch.sum(inputs, dim=3), torch.sum(inputs, dim=2)
    total = torch.sum(rows, dim=2)
    op1 = torch.diag_embed(diag_part)
    op2 = torch.diag_embed(sum_diag.repeat(1, 1, dim))
    op3, op4 = torch.diag_embed(rows), torch.diag_embed(cols)
    op5 = torch.diag_embed(total.unsqueeze(-1).repeat(1, 1, dim))
    op6, op7 = cols.unsqueeze(3).repeat(1, 1, 1, dim), rows.unsqueeze(3).repeat(1, 1, 1, dim)
    op8, op9 = cols.unsqueeze(2).repeat(1, 1, dim, 1), rows.unsqueeze(2).repeat(1, 1, dim, 1)
    op10, op11 = inputs, inputs.transpose(3, 2)
    op12, op13 = diag_part.unsqueeze(3).repeat(1, 1, 1, dim), diag_part.unsqueeze(2).repeat(1, 1, dim, 1)
    op14 = sum_diag.unsqueeze(3).repeat(1, 1, dim, dim)
    op15 = total.unsqueeze(-1).unsqueeze(-1).repeat(1, 1, dim, dim)
    return torch.stack([op1, op2, op3, op4, op5, op6 / dim, op7 / dim, op8 / dim, op9 / dim, op10, op11, op12, op13, op14, op15 / dim**2], dim=2)


class IGN(nn.Module):
    def __init__(self):
        super().__init__()
        self.coeffs, self.bias = nn.Parameter(torch.randn(2, 3, 15)), nn.Parameter(torch.randn(1, 3, 1, 1))
        self.diag_bias = nn.Parameter(torch.randn(1, 3, 1, 1))

    def forward(self, x):
        out = torch.einsum("dsb,ndbij->nsij", self.coeffs, ops_2_to_2(x))
        eye = torch.eye(x.shape[3]).unsqueeze(0).unsqueeze(0)
        return out + self.bias + eye * self.diag_bias


class PPGNBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.m1, self.m2, self.skip = nn.Conv2d(2, 3, 1), nn.Conv2d(2, 3, 1), nn.Conv2d(5, 2, 1)

    def forward(self, x):
        mult = torch.matmul(F.relu(self.m1(x)), F.relu(self.m2(x)))
        return self.skip(torch.cat((x, mult), 1))


class GPSLayer(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.local, self.attn = nn.Linear(d, d), nn.MultiheadAttention(d, 2, batch_first=True)
        self.n1, self.n2, self.n3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 8), nn.GELU(), nn.Linear(8, d))

    def forward(self, x, adj):
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        h1 = self.n1(x + F.relu(self.local(adj @ x / deg)))
        h2 = self.n2(x + self.attn(x, x, x, need_weights=False)[0])
        h = h1 + h2
        return self.n3(h + self.mlp(h))


class GraphormerBias(nn.Module):
    def __init__(self, d=4, heads=2):
        super().__init__()
        self.qkv, self.spd, self.deg, self.h = nn.Linear(d, 3 * d), nn.Embedding(5, heads), nn.Embedding(4, d), heads

    def forward(self, x, spd, deg):
        x = x + self.deg(deg)
        n, d = x.shape
        q, k, v = self.qkv(x).view(n, 3, self.h, -1).permute(1, 2, 0, 3)
        a = q @ k.transpose(-1, -2) * (d // self.h) ** -0.5 + self.spd(spd).permute(2, 0, 1)
        return (a.softmax(-1) @ v).transpose(0, 1).reshape(n, d)


# ---- alphafold
class TriangleMultiplication(nn.Module):
    def __init__(self, c=3, outgoing=True):
        super().__init__()
        self.norm, self.out_norm = nn.LayerNorm(c), nn.LayerNorm(c)
        self.ap, self.bp, self.ag, self.bg, self.g, self.z = (nn.Linear(c, c) for _ in range(6))
        self.outgoing = outgoing

    def forward(self, z, mask):
        z = self.norm(z)
        mask = mask.unsqueeze(-1)
        a = mask * torch.sigmoid(self.ag(z)) * self.ap(z)
        b = mask * torch.sigmoid(self.bg(z)) * self.bp(z)
        x = torch.einsum("ikc,jkc->ijc", a, b) if self.outgoing else torch.einsum("kic,kjc->ijc", a, b)
        return self.z(self.out_norm(x)) * torch.sigmoid(self.g(z))


class TriangleAttention(nn.Module):
    def __init__(self, c=4, h=2):
        super().__init__()
        self.norm, self.q, self.k, self.v = nn.LayerNorm(c), *(nn.Linear(c, c, bias=False) for _ in range(3))
        self.b, self.g, self.o, self.h = nn.Linear(c, h, bias=False), nn.Linear(c, c), nn.Linear(c, c), h

    def forward(self, z):
        z = self.norm(z)
        q, k, v = (m(z).unflatten(-1, (self.h, -1)) for m in (self.q, self.k, self.v))
        bias = self.b(z)
        a = torch.einsum("ijhc,ikhc->hijk", q, k) / math.sqrt(q.shape[-1]) + bias.permute(2, 0, 1).unsqueeze(1)
        o = torch.einsum("hijk,ikhc->ijhc", a.softmax(-1), v).flatten(-2)
        return self.o(torch.sigmoid(self.g(z)) * o)


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


class IPA(nn.Module):
    """Invariant point attention, with rotations and translations given."""

    def __init__(self, c=4, h=2, p=2, wrong=False):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(c, h * 3) for _ in range(3))
        self.qp, self.kp, self.vp = (nn.Linear(c, h * p * 3) for _ in range(3))
        self.o, self.w, self.h, self.p, self.wrong = nn.Linear(h * (3 + p * 4), c), nn.Parameter(torch.ones(h)), h, p, wrong

    def forward(self, s, R, t):
        n = s.shape[0]
        q, k, v = (m(s).view(n, self.h, -1) for m in (self.q, self.k, self.v))
        put = lambda m: torch.einsum("nij,nhpj->nhpi", R, m(s).view(n, self.h, self.p, 3)) + t[:, None, None]
        qp, kp, vp = put(self.qp), put(self.kp), put(self.vp)
        d2 = ((qp[:, None] - kp[None]) ** 2).sum((-1, -2))
        a = torch.einsum("nhc,mhc->nmh", q, k) / math.sqrt(3) - 0.5 * F.softplus(self.w) * d2
        a = a.softmax(1)
        o = torch.einsum("nmh,mhc->nhc", a, v).reshape(n, -1)
        op = torch.einsum("nmh,mhpi->nhpi", a, vp)
        op = op if self.wrong else torch.einsum("nji,nhpj->nhpi", R, op - t[:, None, None])
        norm = torch.sqrt((op**2).sum(-1) + 1e-8)
        return self.o(torch.cat([o, op.reshape(n, -1), norm.reshape(n, -1)], -1))


def fape(R, t, x, Rt, tt, xt, clamp=10.0, eps=1e-4):
    local = torch.einsum("fji,fnj->fni", R, x[None] - t[:, None])
    target = torch.einsum("fji,fnj->fni", Rt, xt[None] - tt[:, None])
    d = torch.sqrt(((local - target) ** 2).sum(-1) + eps)
    return d.clamp(max=clamp).mean() / 10


def tm_score(pred, true):
    d0 = 0.5
    d = (pred - true).norm(dim=-1)
    return (1 / (1 + (d / d0) ** 2)).mean()


def kabsch_rmsd(P, Q):
    P, Q = P - P.mean(0), Q - Q.mean(0)
    U, S, Vh = torch.linalg.svd(P.T @ Q)
    d = torch.sign(torch.linalg.det(U) * torch.linalg.det(Vh))
    s = torch.cat([S[:2], (S[2] * d)[None]])
    e = (P**2).sum() + (Q**2).sum() - 2 * s.sum()
    return torch.sqrt(e.clamp(min=0) / len(P))


def umeyama(X, Y):
    mx, my = X.mean(0), Y.mean(0)
    Xc, Yc = X - mx, Y - my
    cov = Yc.T @ Xc / len(X)
    U, D, Vh = torch.linalg.svd(cov)
    R = U @ Vh
    scale = D.sum() / ((Xc**2).sum() / len(X))
    return scale * X @ R.T + (my - scale * R @ mx)


# ---- sequence


class T5Bias(nn.Module):
    def __init__(self, d=4, h=2, buckets=8):
        super().__init__()
        self.rel, self.q, self.k, self.v, self.h, self.buckets = nn.Embedding(buckets, h), nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), h, buckets

    def forward(self, x):
        n = x.shape[0]
        i = torch.arange(n)
        rel = (i[None] - i[:, None]).clamp(-3, 3) + 3
        bias = self.rel(rel).permute(2, 0, 1)
        q, k, v = (m(x).view(n, self.h, -1).transpose(0, 1) for m in (self.q, self.k, self.v))
        return ((q @ k.mT + bias).softmax(-1) @ v).transpose(0, 1).reshape(n, -1)


class CircularRelative(T5Bias):
    def forward(self, x):
        n = x.shape[0]
        i = torch.arange(n)
        rel = (i[None] - i[:, None]) % n
        rel = torch.minimum(rel, n - rel).clamp(max=self.buckets - 1)
        bias = self.rel(rel).permute(2, 0, 1)
        q, k, v = (m(x).view(n, self.h, -1).transpose(0, 1) for m in (self.q, self.k, self.v))
        return ((q @ k.mT + bias).softmax(-1) @ v).transpose(0, 1).reshape(n, -1)


class Rotary(nn.Module):
    def __init__(self, dim=4, base=100):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)))
        self.seq_len_cached = None

    def forward(self, x):
        seq_len = x.shape[1]
        if seq_len != self.seq_len_cached:
            self.seq_len_cached = seq_len
            t = torch.arange(seq_len).type_as(self.inv_freq)
            freqs = torch.einsum("i,j->ij", t, self.inv_freq)
            emb = torch.cat((freqs, freqs), dim=-1)
            self.cos_cached, self.sin_cached = emb.cos()[None], emb.sin()[None]
        return self.cos_cached, self.sin_cached


class RotaryAttention(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.qkv, self.rot = nn.Linear(d, 3 * d), Rotary(d)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        cos, sin = self.rot(x)
        half = lambda t: torch.cat((-t[..., 2:], t[..., :2]), -1)
        q, k = q * cos + half(q) * sin, k * cos + half(k) * sin
        return (q @ k.mT / 2).softmax(-1) @ v


class MoE(nn.Module):
    def __init__(self, d=4, e=3, k=2, noisy=False):
        super().__init__()
        self.gate, self.experts, self.k = nn.Linear(d, e), nn.ModuleList(nn.Linear(d, d) for _ in range(e)), k

    def forward(self, x):
        w, idx = torch.topk(self.gate(x), self.k)
        w = F.softmax(w, dim=1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows, nth = torch.where(idx == i)
            out[rows] += w[rows, nth, None] * expert(x[rows])
        return out


class MoECapacity(MoE):
    def forward(self, x):
        p = F.softmax(self.gate(x), dim=-1)
        top = p.argmax(-1)
        mask = F.one_hot(top, len(self.experts)).to(x.dtype)
        position = mask.cumsum(0) * mask
        mask = mask * (position <= 1.0)
        return sum(mask[:, i : i + 1] * p[:, i : i + 1] * e(x) for i, e in enumerate(self.experts))


def squash(s, dim=-1):
    n2 = (s**2).sum(dim, keepdim=True)
    return n2 / (1 + n2) * s / torch.sqrt(n2 + 1e-8)


class CapsuleRouting(nn.Module):
    def __init__(self, cin=4, out=3, d=2):
        super().__init__()
        self.W = nn.Parameter(torch.randn(out, cin, d))

    def forward(self, u):
        uh = torch.einsum("ocd,bnc->bond", self.W, u)
        b = torch.zeros(uh.shape[:-1])
        for _ in range(2):
            c = b.softmax(1)
            v = squash((c.unsqueeze(-1) * uh).sum(2))
            b = b + (uh * v.unsqueeze(2)).sum(-1)
        return v


class NetVLAD(nn.Module):
    def __init__(self, k=3, d=4):
        super().__init__()
        self.conv, self.centroids = nn.Conv2d(d, k, 1, bias=True), nn.Parameter(torch.rand(k, d))

    def forward(self, x):
        N, C = x.shape[:2]
        x = F.normalize(x, p=2, dim=1)
        soft = F.softmax(self.conv(x).view(N, 3, -1), dim=1)
        flat = x.view(N, C, -1)
        residual = flat.expand(3, -1, -1, -1).permute(1, 0, 2, 3) - self.centroids.expand(flat.size(-1), -1, -1).permute(1, 2, 0).unsqueeze(0)
        residual = residual * soft.unsqueeze(2)
        vlad = F.normalize(residual.sum(dim=-1), p=2, dim=2)
        return F.normalize(vlad.view(N, -1), p=2, dim=1)


class SlotAttention(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(1, 1, d))
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.gru, self.mlp = nn.GRUCell(d, d), nn.Sequential(nn.Linear(d, 8), nn.ReLU(), nn.Linear(8, d))
        self.ni, self.ns, self.nf = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.d = d

    def forward(self, inputs, slots):
        b, n, d = inputs.shape
        inputs = self.ni(inputs)
        k, v = self.k(inputs), self.v(inputs)
        for _ in range(2):
            prev = slots
            q = self.q(self.ns(slots))
            attn = (torch.einsum("bid,bjd->bij", q, k) * d**-0.5).softmax(dim=1) + 1e-8
            attn = attn / attn.sum(dim=-1, keepdim=True)
            updates = torch.einsum("bjd,bij->bid", v, attn)
            slots = self.gru(updates.reshape(-1, d), prev.reshape(-1, d)).reshape(b, -1, d)
            slots = slots + self.mlp(self.nf(slots))
        return slots


def performer_kernel(x, proj):
    d = x.shape[-1]
    x = x * d**-0.25
    return torch.exp(x @ proj.T - (x**2).sum(-1, keepdim=True) / 2) / math.sqrt(proj.shape[0]) + 1e-4


class PerformerAttn(nn.Module):
    def __init__(self, d=4, m=5):
        super().__init__()
        self.register_buffer("proj", torch.randn(m, d))
        self.qkv = nn.Linear(d, 3 * d)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k = performer_kernel(q, self.proj), performer_kernel(k, self.proj)
        den = 1.0 / torch.einsum("bnd,bd->bn", q, k.sum(dim=1))
        ctx = torch.einsum("bnd,bne->bde", k, v)
        return torch.einsum("bde,bnd,bn->bne", ctx, q, den)


class CausalLinear(PerformerAttn):
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        kv = torch.einsum("bnd,bne->bnde", k, v).cumsum(1)
        den = torch.einsum("bnd,bnd->bn", q, k.cumsum(1))
        return torch.einsum("bnd,bnde->bne", q, kv) / den[..., None]


class PMA(nn.Module):
    def __init__(self, d=4, seeds=2):
        super().__init__()
        self.S = nn.Parameter(torch.randn(1, seeds, d))
        self.q, self.k, self.v, self.o, self.h = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), 2

    def forward(self, X):
        Q, K, V = self.q(self.S.repeat(X.size(0), 1, 1)), self.k(X), self.v(X)
        s = Q.shape[-1] // self.h
        Q_, K_, V_ = (torch.cat(t.split(s, 2), 0) for t in (Q, K, V))
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / math.sqrt(Q.shape[-1]), 2)
        O = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        return O + F.relu(self.o(O))


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


class WindowAttn(nn.Module):
    """Swin's window attention with a table of relative positions."""

    def __init__(self, dim=4, window=2, heads=2):
        super().__init__()
        self.w, self.h, self.qkv, self.proj = window, heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads))
        c = torch.stack(torch.meshgrid([torch.arange(window), torch.arange(window)], indexing="ij")).flatten(1)
        r = (c[:, :, None] - c[:, None, :]).permute(1, 2, 0) + window - 1
        r[:, :, 0] *= 2 * window - 1
        self.register_buffer("index", r.sum(-1))

    def forward(self, x):
        B_, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B_, N, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        attn = q * (C // self.h) ** -0.5 @ k.transpose(-2, -1)
        bias = self.table[self.index.view(-1)].view(self.w**2, self.w**2, -1).permute(2, 0, 1).contiguous()
        attn = F.softmax(attn + bias.unsqueeze(0), -1)
        return self.proj((attn @ v).transpose(1, 2).reshape(B_, N, C))


# ---- losses
def nt_xent_masked(z1, z2, temperature=0.5):
    n = z1.shape[0]
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.T / temperature
    mask = ~torch.eye(2 * n, dtype=torch.bool)
    sim = sim[mask].view(2 * n, -1)
    pos = (z1 * z2).sum(-1)
    pos = F.cosine_similarity(z1, z2, dim=-1) / temperature
    return (torch.logsumexp(sim, -1) - torch.cat([pos, pos])).mean()


def decorrelation(z):
    z = (z - z.mean(0)) / (z.std(0) + 1e-4)
    c = z.T @ z / z.shape[0]
    off = c.flatten()[:-1].view(c.shape[0] - 1, c.shape[0] + 1)[:, 1:].flatten()
    return (torch.diagonal(c) - 1).pow(2).sum() + 0.01 * off.pow(2).sum()


def circle_loss(sp, sn, m=0.25, gamma=2.0):
    ap, an = torch.clamp_min(-sp.detach() + 1 + m, 0.0), torch.clamp_min(sn.detach() + m, 0.0)
    lp, ln = -ap * (sp - 1 + m) * gamma, an * (sn - m) * gamma
    return F.softplus(torch.logsumexp(ln, dim=0) + torch.logsumexp(lp, dim=0))


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


def soft_rank(x, tau=1.0):
    return 1 + torch.sigmoid((x[:, None] - x[None]) / tau).sum(0) - 0.5


def neural_sort(s, tau=1.0):
    s = s.unsqueeze(-1)
    n = s.shape[0]
    A = (s - s.T).abs()
    B = A @ torch.ones(n, 1)
    scaling = n + 1 - 2 * (torch.arange(n) + 1)
    C = s @ scaling.to(s.dtype).unsqueeze(0)
    return torch.softmax((C - B).T / tau, dim=-1)


def lovasz_grad_hinge(logits, labels):
    signs = 2.0 * labels - 1.0
    errors = 1.0 - logits * signs
    errors_sorted, perm = torch.sort(errors, dim=0, descending=True)
    gt = labels[perm]
    gts = gt.sum()
    inter, union = gts - gt.cumsum(0), gts + (1 - gt).cumsum(0)
    j = 1.0 - inter / union
    g = torch.cat([j[:1], j[1:] - j[:-1]])
    return F.relu(errors_sorted) @ g


def cox_ph(log_h, events, durations):
    idx = durations.sort(descending=True)[1]
    events, log_h = events[idx], log_h[idx]
    return -((log_h - log_h.logcumsumexp(0)) * events).sum() / events.sum()


def cox_pairs(log_h, events, durations):
    at_risk = (durations[None] >= durations[:, None]).to(log_h.dtype)
    return -((log_h - torch.log(at_risk @ torch.exp(log_h))) * events).sum() / events.sum()


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


def relational_kd(s, t):
    def pd(e):
        sq = e.pow(2).sum(dim=1)
        prod = e @ e.t()
        res = (sq.unsqueeze(1) + sq.unsqueeze(0) - 2 * prod).clamp(min=1e-12).sqrt()
        res = res.clone()
        res[range(len(e)), range(len(e))] = 0
        return res
    dt = pd(t)
    dt = dt / dt[dt > 0].mean()
    ds = pd(s)
    ds = ds / ds[ds > 0].mean()
    return F.smooth_l1_loss(ds, dt)


def angle_kd(s):
    sd = s.unsqueeze(0) - s.unsqueeze(1)
    n = F.normalize(sd, p=2, dim=2)
    return torch.bmm(n, n.transpose(1, 2)).view(-1).pow(2).mean()


# NumPy, SciPy and JAX.
def u_centred(x):
    n = len(x)
    d = ssd.squareform(ssd.pdist(x))
    u = d - d.sum(0, keepdims=True) / (n - 2) - d.sum(1, keepdims=True) / (n - 2) + d.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(u, 0.0)
    return u


def unbiased_dcov(x, y):
    n = len(x)
    return (u_centred(x) * u_centred(y)).sum() / (n * (n - 3))


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


def procrustes_distance(a, b):
    a, b = a - a.mean(0), b - b.mean(0)
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    s = np.linalg.svd(a.T @ b, compute_uv=False)
    return 1 - s.sum() ** 2


def rsa(x, y):
    a, b = ssd.pdist(x, "correlation"), ssd.pdist(y, "correlation")
    return np.corrcoef(a, b)[0, 1]


def chatterjee_xi(x, y):
    n = len(x)
    r = scipy.stats.rankdata(y[np.argsort(x)])
    return 1 - 3 * np.abs(np.diff(r)).sum() / (n**2 - 1)


def whitened(x):
    c = x - x.mean(0)
    w, v = np.linalg.eigh(c.T @ c / len(x))
    return c @ v / np.sqrt(w + 1e-5)


def pca_reconstruction(x, k=1):
    m = x.mean(0)
    u, s, vt = np.linalg.svd(x - m, full_matrices=False)
    return (u[:, :k] * s[:k]) @ vt[:k] + m


def tsne_p(X, sigma=1.0):
    d = ssd.squareform(ssd.pdist(X, "sqeuclidean"))
    P = np.exp(-d / (2 * sigma**2))
    np.fill_diagonal(P, 0)
    P = P / P.sum(axis=1, keepdims=True)
    return (P + P.T) / (2 * len(X))


def tsne_kl(X, Y):
    P = tsne_p(X)
    num = 1 / (1 + ssd.squareform(ssd.pdist(Y, "sqeuclidean")))
    np.fill_diagonal(num, 0)
    Q = np.maximum(num / num.sum(), 1e-12)
    P = np.maximum(P, 1e-12)
    return np.sum(P * np.log(P / Q))


def tsne_grad(P, Y):
    num = 1.0 / (1.0 + ((Y[:, None] - Y[None]) ** 2).sum(-1))
    num[range(len(Y)), range(len(Y))] = 0.0
    Q = num / num.sum()
    PQ = P - Q
    g = np.zeros_like(Y)
    for i in range(len(Y)):
        g[i] = 4 * np.sum(np.tile(PQ[:, i] * num[:, i], (Y.shape[1], 1)).T * (Y[i] - Y), 0)
    return g


def umap_affinity(X):
    d = ssd.cdist(X, X)
    rho = np.sort(d, axis=1)[:, 1]
    w = np.exp(-np.maximum(d - rho[:, None], 0))
    np.fill_diagonal(w, 0)
    return w + w.T - w * w.T


def diffusion_distance(X):
    K = np.exp(-ssd.cdist(X, X, "sqeuclidean"))
    P = K / K.sum(1, keepdims=True)
    P2 = np.linalg.matrix_power(P, 3)
    pi = K.sum(1) / K.sum()
    return (((P2[:, None] - P2[None]) ** 2) / pi).sum(-1)


def pagerank_solve(A, d=0.85):
    n = len(A)
    out = A.sum(1)
    M = (A / out[:, None]).T
    return np.linalg.solve(np.eye(n) - d * M, np.full(n, (1 - d) / n))


def normalized_laplacian_eigs(A):
    A = (A + A.T) / 2
    d = 1 / np.sqrt(A.sum(1))
    return np.linalg.eigvalsh(np.eye(len(A)) - d[:, None] * A * d[None])


def kirchhoff(A):
    L = np.diag(A.sum(1)) - A
    return np.linalg.det(L[1:, 1:])


def simrank(A, c=0.8, steps=2):
    W = A / A.sum(0, keepdims=True)
    S = np.eye(len(A))
    for _ in range(steps):
        S = c * W.T @ S @ W
        np.fill_diagonal(S, 1)
    return S


def log_euclid(A, B):
    def lg(M):
        w, v = np.linalg.eigh(M @ M.T + np.eye(len(M)))
        return (v * np.log(w)) @ v.T
    return np.linalg.norm(lg(A) - lg(B))


def bures_wasserstein(A, B):
    P, Q = A @ A.T + np.eye(len(A)), B @ B.T + np.eye(len(B))
    r = scipy.linalg.sqrtm(P)
    return np.trace(P) + np.trace(Q) - 2 * np.trace(scipy.linalg.sqrtm(r @ Q @ r)).real


def kabsch_align(P, Q):
    pc, qc = P.mean(0), Q.mean(0)
    H = (P - pc).T @ (Q - qc)
    U, S, Vt = np.linalg.svd(H)
    d = np.sign(np.linalg.det(Vt.T @ U.T))
    D = np.diag([1, 1, d])
    R = Vt.T @ D @ U.T
    return (P - pc) @ R.T + qc


def dihedrals(X):
    b = np.diff(X, axis=0)
    n = np.cross(b[:-1], b[1:])
    m = np.cross(n[:-1], b[1:-1] / np.linalg.norm(b[1:-1], axis=1, keepdims=True))
    return np.arctan2((m * n[1:]).sum(1), (n[:-1] * n[1:]).sum(1))


def rdf(X, bins=4, rmax=4.0):
    d = ssd.pdist(X)
    hist, edges = np.histogram(d, bins=bins, range=(0, rmax))
    return hist / (4 * np.pi * edges[1:] ** 2)


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


def autocorr_rfft(x):
    f = np.fft.rfft(x - x.mean())
    ac = np.fft.irfft(np.abs(f) ** 2, n=len(x))
    return ac / ac[0]


def bispectrum_diag(x):
    f = np.fft.fft(x)
    n = len(x)
    k = np.arange(n)
    return (f * f * np.conj(f[(2 * k) % n])).real


def hodges_lehmann(x):
    i, j = np.triu_indices(len(x))
    return np.median((x[i] + x[j]) / 2)


def kaplan_meier(t, e):
    order = np.argsort(t)
    e = e[order]
    at_risk = len(t) - np.arange(len(t))
    return np.cumprod(1 - e / at_risk)


def brown_corr(x, y):
    rx, ry = x.argsort().argsort(), y.argsort().argsort()
    n = len(x)
    return 1 - 6 * ((rx - ry) ** 2).sum() / (n * (n**2 - 1))


def kmeans_update(X, C):
    a = ssd.cdist(X, C).argmin(1)
    return np.array([X[a == k].mean(0) if (a == k).any() else C[k] for k in range(len(C))])


def rips_h0(X):
    """Deaths of components by Kruskal's algorithm."""
    n = len(X)
    edges = sorted((np.linalg.norm(X[i] - X[j]), i, j) for i in range(n) for j in range(i))
    parent, deaths = list(range(n)), []
    def find(a):
        while parent[a] != a:
            a = parent[a]
        return a
    for w, i, j in edges:
        a, b = find(i), find(j)
        if a != b:
            parent[a] = b
            deaths.append(w)
    return np.array(deaths)


def plain_polygon(P):
    s = 0.0
    for i in range(len(P)):
        x1, y1 = P[i]
        x2, y2 = P[(i + 1) % len(P)]
        s += x1 * y2 - x2 * y1
    return abs(s) / 2


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


XY = "x: n p, y: n q -> ()"
S4 = {"n": (4, 7)}
DIST = {"draw": "positive"}
POINTS = "x: b n 3, f: b n 4 -> b n 4"
SETS = {"n": (4, 6)}
VN = "x: b 3 c n -> b 4 c n"
CLAIMS = [
    torch_true("PointTransformer block", seeded(PointTransformerBlock), POINTS, "S(n)", sizes=SETS),
    torch_true("PointTransformer block T", seeded(PointTransformerBlock), "x: b n 3, f: b n 4 -> b n 4", "T(3)", sizes=SETS),
    torch_false("PointTransformer block O", seeded(PointTransformerBlock), POINTS, "O(3)", sizes=SETS),
    torch_true("DGCNN classifier", seeded(DGCNNCls), "x: b 3 n -> b 4", "S(n) x S(b)", sizes=SETS),
    torch_true("DGCNN graph features turned", lambda: lambda x: (get_graph_feature(x)[:, :3] ** 2).sum(1).amax(-1), "x: b 3 n -> b n", "E(3)", sizes=SETS),
    torch_false("DGCNN classifier translated", seeded(DGCNNCls), "x: b 3 n -> b 4", "T(3)", sizes=SETS),
    torch_true("PointNet++ group all", seeded(PointNetSetAbstractionAll), "x: b n 3, f: b n 4 -> b 1 3!, b 8 1", "S(n)"),
    torch_true("VN linear leaky", seeded(VNLinearLeakyReLU), "x: b 3! 3 n -> b 4 3 n", "O(3) x S(n)"),
    torch_false("VN linear leaky with bias", seeded(lambda: VNLinearLeakyReLU(bias=True)), "x: b 3! 3 n -> b 4 3 n", "O(3)"),
    torch_true("VN invariant features", seeded(VNStdFeature), "x: b 3! 3 n -> b 3! 3! n", "O(3)"),
    torch_true("VN batch norm", seeded(VNBatchNorm), "x: b 3! 3 n -> b 3! 3 n", "O(3) x S(n)"),
    torch_true("TorchMD-ET interaction", seeded(TorchMDETInteraction), "z[3]: n, pos: n d -> n 4, n d^ 4", "S(n) x E(d)", sizes={"d": 3}),
    torch_false("TorchMD-ET absolute", seeded(lambda: TorchMDETInteraction(centred=False)), "z[3]: n, pos: n 3 -> n 4, n 3^ 4", "E(3)"),
    torch_true("DimeNet-like angles", seeded(DimeNetAngles), "pos: n 3 -> n 2", "S(n) x E(3)"),
    torch_true("PaiNN update", seeded(PaiNNLike), "s: n 4, v: n d 4 -> n 4, n d 4", "O(d) x S(n)"),
    torch_false("PaiNN update bias", seeded(lambda: PaiNNLike(wrong=True)), "s: n 4, v: n d 4 -> n 4, n d 4", "O(d)"),
    torch_true("TFN layer SE", seeded(TFNLayer), "p: n 3, s: n, v: n 3^ -> n, n 3^", "SE(3) x S(n)"),
    torch_false("TFN layer E", seeded(TFNLayer), "p: n 3, s: n, v: n 3^ -> n, n 3^", "E(3)"),
    torch_true("frame averaging", lambda: frame_average_so, "x: n 3 -> 2", "E(3) x S(n)", sizes={"n": (4, 6)}),
    torch_true("SignNet", seeded(SignNetLite), "v: n 2 -> n 3", "S(n) x Signs(2)"),
    torch_false("SignNet columns exchanged", seeded(SignNetLite), "v: n k -> n 3", "S(k)", sizes={"k": 2}),
    torch_true("BasisNet projectors", lambda: basisnet_projector, "A: n n -> n n", "S(n)"),
    torch_true("BasisNet projectors O", lambda: basisnet_projector, "A: n n -> n n", "O(n)"),
    torch_true("IGN 2 to 2", seeded(IGN), "x: b 2 n n -> b 3 n n", "S(n)"),
    torch_true("PPGN block", seeded(PPGNBlock), "x: b 2 n n -> b 2 n n", "S(n)"),
    torch_true("GPS layer", seeded(GPSLayer), "x: b n 4, a: b n n -> b n 4", "S(n)", draw="positive"),
    torch_false("GPS layer directed", lambda: (lambda m: lambda x, a: m(x, torch.tril(a)))(seeded(GPSLayer)()), "x: b n 4, a: b n n -> b n 4", "S(n)", draw="positive"),
    torch_true("Graphormer bias", seeded(GraphormerBias), "x: n 4, spd[5]: n n, deg[4]: n -> n 4", "S(n)"),
    torch_true("triangle multiplication out", seeded(TriangleMultiplication), "z: n n 3, m: n n -> n n 3", "S(n)"),
    torch_true("triangle multiplication in", seeded(lambda: TriangleMultiplication(outgoing=False)), "z: n n 3, m: n n -> n n 3", "S(n)"),
    torch_true("triangle attention", seeded(TriangleAttention), "z: n n 4 -> n n 4", "S(n)"),
    torch_true("outer product mean", seeded(OuterProductMean), "m: s n 4, mask: s n -> n n 3", "S(n) x S(s)", draw="positive"),
    torch_true("IPA", seeded(IPA), "s: n 4, R: n 3 3!, t: n 3 -> n 4", "SO(3) x S(n)"),
    torch_false("IPA global points", seeded(lambda: IPA(wrong=True)), "s: n 4, R: n 3 3!, t: n 3 -> n 4", "SO(3)"),
    torch_true("FAPE", lambda: fape, "R: f 3 3!, t: f 3, x: n 3, Rt: f 3! 3!, tt: f 3!, xt: n 3! -> ()", "O(3) x S(n) x S(f)"),
    torch_false("TM without alignment", lambda: tm_score, "a: n 3, b: n 3! -> ()", "E(3)", backend="torch"),
    torch_true("TM both", lambda: tm_score, "a: n 3, b: n 3 -> ()", "E(3) x S(n)", backend="torch"),
    torch_true("Kabsch RMSD", lambda: kabsch_rmsd, "p: n 3, q: n 3! -> ()", "SE(3) x S(n)", sizes={"n": (4, 6)}),
    torch_false("Kabsch RMSD mirrored", lambda: kabsch_rmsd, "p: n 3, q: n 3! -> ()", "O(3)", sizes={"n": (4, 6)}),
    torch_true("Umeyama", lambda: umeyama, "x: n 3, y: n 3! -> n 3!", "E(3) x S(n)", sizes={"n": (4, 6)}),
    torch_false("T5 bias", seeded(T5Bias), "x: n 4 -> n 4", "S(n)"),
    torch_true("circular relative bias", seeded(CircularRelative), "x: n 4 -> n 4", "C(n)"),
    torch_true("circular relative bias turned over", seeded(CircularRelative), "x: n 4 -> n 4", "D(n)"),
    torch_true("rotary cached batch", seeded(RotaryAttention), "x: b n 4 -> b n 4", "S(b)"),
    torch_false("rotary cached", seeded(RotaryAttention), "x: b n 4 -> b n 4", "S(n)"),
    torch_true("MoE top-2 loops", seeded(MoE), "x: n 4 -> n 4", "S(n)"),
    torch_false("MoE capacity", seeded(MoECapacity), "x: n 4 -> n 4", "S(n)"),
    torch_true("capsule routing", seeded(CapsuleRouting), "u: b n 4 -> b 3 2", "S(b) x S(n)"),
    torch_true("NetVLAD", seeded(NetVLAD), "x: b 4 h w -> b 12", "S(h) x S(w)"),
    torch_true("Slot attention", seeded(SlotAttention), "x: b n 4, s: b k 4 -> b k 4", "S(n) x S(k)"),
    torch_true("Performer", seeded(PerformerAttn), "x: b n 4 -> b n 4", "S(n)"),
    torch_false("causal linear attention", seeded(CausalLinear), "x: b n 4 -> b n 4", "S(n)"),
    torch_true("PMA", seeded(PMA), "x: b n 4 -> b 2 4", "S(n) x S(b)"),
    torch_true("PermEqui max", seeded(DeepSetEquivariant), "x: b n 3 -> b n 4", "S(n)"),
    torch_true("GRN", seeded(GRN), "x: b h w 4 -> b h w 4", "S(h) x S(w)"),
    torch_false("GRN channels", seeded(GRN), "x: b h w 4 -> b h w 4", "S(4)"),
    torch_true("window attention batch", seeded(WindowAttn), "x: b 4 4 -> b 4 4", "S(b)"),
    torch_false("window attention tokens", seeded(WindowAttn), "x: b n 4 -> b n 4", "S(n)", sizes={"n": 4}),
    torch_true("NT-Xent boolean mask", lambda: nt_xent_masked, "a: n d, b: n d -> ()", "S(n) x O(d)"),
    torch_true("Barlow off diagonal by view", lambda: decorrelation, "z: n d -> ()", "S(n) x S(d)", sizes={"n": (3, 6), "d": (2, 5)}),
    torch_false("Barlow rotated", lambda: decorrelation, "z: n d -> ()", "O(d)", sizes={"n": (3, 6), "d": (2, 5)}),
    torch_true("circle loss", lambda: circle_loss, "p: n, q: m -> ()", "S(n) x S(m)"),
    torch_true("EMD sorted", lambda: emd_1d, "u: n, v: n! -> ()", "S(n)"),
    torch_true("Sinkhorn log", lambda: sinkhorn_log, "C: n m -> ()", "S(n) x S(m)"),
    torch_true("GW cost", lambda: gromov_wasserstein_cost, "A: n n, B: m m, T: n m -> ()", "S(n) x S(m)"),
    torch_false("GW cost one side", lambda: gromov_wasserstein_cost, "A: n n, B: m m, T: n! m -> ()", "S(n)"),
    torch_true("soft rank", lambda: soft_rank, "x: n -> n", "S(n)"),
    torch_true("NeuralSort columns", lambda: neural_sort, "s: n -> n! n", "S(n)"),
    torch_false("NeuralSort rows", lambda: neural_sort, "s: n -> n n!", "S(n)"),
    torch_true("Lovasz hinge", lambda: lambda p, y: lovasz_grad_hinge(p, y.to(p.dtype)), "p: n, y[bool]: n -> ()", "S(n)"),
    torch_true("Cox by sorting", lambda: cox_ph, "h: n, e: n, t: n -> ()", "S(n)", draw="positive"),
    torch_true("Cox by pairs", lambda: cox_pairs, "h: n, e: n, t: n -> ()", "S(n)", draw="positive"),
    torch_false("Cox unsorted", lambda: lambda h, e: -((h - h.logcumsumexp(0)) * e).sum() / e.sum(), "h: n, e: n -> ()", "S(n)", draw="positive"),
    torch_true("MMD unbiased", lambda: mmd_unbiased, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    torch_true("arc-cosine kernel", lambda: ntk_style_gram, "x: n d -> n n", "S(n) x O(d)"),
    torch_true("RKD distance", lambda: relational_kd, "s: n d, t: n k -> ()", "S(n) x E(d)", sizes={"n": (3, 5)}),
    torch_true("RKD angle", lambda: angle_kd, "s: n d -> ()", "S(n) x E(d)"),
    torch_false("RKD distance scaled one", lambda: lambda s, t: F.smooth_l1_loss(torch.cdist(s, s), torch.cdist(t, t)), "s: n d, t: n d! -> ()", "Scale(d)"),
    true("unbiased dcov", lambda: unbiased_dcov, XY, "S(n) x E(q)", sizes=S4),
    true("HSIC median heuristic", lambda: hsic_median, XY, "S(n) x E(p)", sizes=S4),
    true("RV coefficient", lambda: rv_coefficient, XY, "S(n) x E(p)"),
    true("Procrustes distance", lambda: procrustes_distance, "a: n d, b: n d! -> ()", "E(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    true("RSA", lambda: rsa, XY, "S(n)", sizes={"n": (4, 6), "p": (3, 5), "q": (3, 5)}),
    false("RSA rotated", lambda: rsa, XY, "O(p)", sizes={"n": (4, 6), "p": (3, 5), "q": (3, 5)}),
    true("Chatterjee xi", lambda: chatterjee_xi, "x: n, y: n -> ()", "S(n)"),
    true("whitened Gram", lambda: lambda x: whitened(x) @ whitened(x).T, "x: n d -> n n", "S(n) x E(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    true("PCA reconstruction", lambda: pca_reconstruction, "x: n d -> n d", "S(n) x E(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    true("t-SNE KL", lambda: tsne_kl, "X: n d, Y: n k -> ()", "S(n) x E(k)"),
    true("t-SNE gradient", lambda: tsne_grad, "P: n n, Y: n d -> n d^", "S(n) x E(d)"),
    false("t-SNE gradient transposed", lambda: tsne_grad, "P: n! n, Y: n d -> n d^", "S(n)"),
    true("UMAP affinities", lambda: umap_affinity, "X: n d -> n n", "S(n) x E(d)"),
    true("diffusion distance", lambda: diffusion_distance, "X: n d -> n n", "S(n) x E(d)"),
    true("PageRank solve", lambda: pagerank_solve, "A: n n -> n", "S(n)", **DIST),
    true("normalised Laplacian spectrum", lambda: normalized_laplacian_eigs, "A: n n -> n!", "S(n)", **DIST),
    false("Kirchhoff directed", lambda: kirchhoff, "A: n n -> ()", "S(n)", sizes={"n": (2, 5)}, **DIST),
    true("SimRank", lambda: simrank, "A: n n -> n n", "S(n)", **DIST),
    true("log-Euclidean", lambda: log_euclid, "A: n n, B: n n -> ()", "O(n)", sizes={"n": (2, 3)}),
    true("Bures", lambda: bures_wasserstein, "A: n n, B: n n -> ()", "O(n)", sizes={"n": (2, 3)}),
    true("Kabsch alignment", lambda: kabsch_align, "P: n 3, Q: n 3! -> n 3!", "SE(3) x S(n)", sizes={"n": (4, 6)}),
    false("Kabsch alignment mirrored", lambda: kabsch_align, "P: n 3, Q: n 3! -> n 3!", "O(3)", sizes={"n": (4, 6)}),
    false("dihedrals of a chain mirrored", lambda: dihedrals, "X: n 3 -> k", "E(3)", sizes={"n": (4, 6)}),
    true("RDF", lambda: rdf, "X: n d -> 4", "S(n) x E(d)"),
    true("USR", lambda: usr_descriptor, "X: n d -> 6", "S(n) x E(d)", sizes={"n": (3, 5)}),
    true("histogram equalisation", lambda: histogram_equalise, "x: h w -> h w", "S(h) x S(w)"),
    true("circular autocorrelation of all sizes", lambda: autocorr_rfft, "x: n -> n!", "C(n)"),
    false("bispectrum shuffled", lambda: bispectrum_diag, "x: n -> n!", "S(n)"),
    true("Hodges-Lehmann", lambda: hodges_lehmann, "x: n -> ()", "S(n)"),
    true("Kaplan-Meier", lambda: kaplan_meier, "t: n, e: n -> n!", "S(n)", **DIST),
    true("Spearman by ranks", lambda: brown_corr, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 5)}),
    true("k-means update", lambda: kmeans_update, "X: n d, C: 2 d -> 2 d", "S(n) x E(d)"),
    true("H0 by Kruskal", lambda: rips_h0, "X: n d -> k", "S(n) x E(d)", sizes={"n": (2, 4)}),
    true("plain polygon", lambda: plain_polygon, "P: n 2 -> ()", "E(2) x D(n)", sizes={"n": (3, 5)}),
    false("plain polygon shuffled", lambda: plain_polygon, "P: n 2 -> ()", "S(n)", sizes={"n": (4, 5)}),
    jax_true("attention with distances", jx(ipa_jax), "x: n 4, p: n d -> n 4, n d", "S(n) x E(d)", backend="jax"),
    jax_false("jax-md periodic rotated", jx(jaxmd_periodic), "R: n d -> ()", "O(d)", backend="jax"),
    jax_true("HMC leapfrog", jx(hmc_leapfrog), "q: d, p: d -> d, d", "O(d)", backend="jax"),
    jax_true("graph attention", jx(jax_gn_softmax), "x: n d, s[n]: m, r[n]: m -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("Jastrow", jx(jax_jastrow), "X: n d -> ()", "S(n) x E(d)", backend="jax"),
    jax_false("RNN mean pool", jx(jax_lstm_set), "x: n d -> d", "S(n)", backend="jax"),
    jax_true("kNN distances", jx(jax_knn), "X: n d -> n", "S(n) x E(d)", sizes={"n": (3, 6)}, backend="jax"),
]  # fmt: skip
