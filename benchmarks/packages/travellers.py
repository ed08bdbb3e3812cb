"""Layers, losses and energies as research repositories keep them, and packages that no family before opened."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import einops
import jax
import jax.numpy as jnp
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.callers import held
from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded
from benchmarks.packages.outsiders import dgcnn_knn

true, false = family("torch")
numpy_true, numpy_false = family("numpy")
jax_true, jax_false = family("jax")
J = {"backend": "jax"}
CLOUD, PAIR, VECTOR = "x: n 3 -> ()", "x: n d, y: m d -> ()", "x: n -> ()"


# point clouds


def graph_feature_cross(x, k=3):  # VN-DGCNN, with the cross product
    batch_size, num_points = x.size(0), x.size(3)
    x = x.view(batch_size, -1, num_points)
    idx = dgcnn_knn(x, k=k)
    idx_base = torch.arange(0, batch_size).view(-1, 1, 1) * num_points
    idx = (idx + idx_base).view(-1)
    _, num_dims, _ = x.size()
    num_dims = num_dims // 3
    x = x.transpose(2, 1).contiguous()
    feature = x.view(batch_size * num_points, -1)[idx, :]
    feature = feature.view(batch_size, num_points, k, num_dims, 3)
    x = x.view(batch_size, num_points, 1, num_dims, 3).repeat(1, 1, k, 1, 1)
    cross = torch.cross(feature, x, dim=-1)
    return torch.cat((feature - x, x, cross), dim=3).permute(0, 3, 4, 1, 2).contiguous()


class VNLinearMax(nn.Module):
    def __init__(self, cin=1, cout=4):
        super().__init__()
        self.map = nn.Linear(cin, cout, bias=False)
        self.direction = nn.Linear(cout, cout, bias=False)

    def forward(self, x):  # b c 3 n
        x = self.map(x.transpose(1, -1)).transpose(1, -1)
        d = self.direction(x.transpose(1, -1)).transpose(1, -1)
        dots = (x * d).sum(2, keepdims=True)
        best = dots.max(dim=-1, keepdim=False)[1]
        grid = torch.meshgrid([torch.arange(j) for j in x.size()[:-1]], indexing="ij")
        return x[(*grid, best.expand(-1, -1, 3))]


class GeometricAffine(nn.Module):  # PointMLP's grouper, normalised by the centre
    def __init__(self, channels=3):
        super().__init__()
        self.alpha = nn.Parameter(torch.rand([1, 1, 1, channels]))
        self.beta = nn.Parameter(torch.rand([1, 1, 1, channels]))

    def forward(self, grouped):
        b = grouped.shape[0]
        mean = torch.mean(grouped, dim=2, keepdim=True)
        std = torch.std((grouped - mean).reshape(b, -1), dim=-1, keepdim=True).unsqueeze(-1).unsqueeze(-1)
        return self.alpha * (grouped - mean) / (std + 1e-5) + self.beta


class OffsetAttention(nn.Module):  # PCT
    def __init__(self, channels=8):
        super().__init__()
        self.q_conv = nn.Conv1d(channels, channels // 4, 1, bias=False)
        self.k_conv = nn.Conv1d(channels, channels // 4, 1, bias=False)
        self.q_conv.weight = self.k_conv.weight
        self.v_conv, self.trans_conv = nn.Conv1d(channels, channels, 1), nn.Conv1d(channels, channels, 1)
        self.after_norm, self.act, self.softmax = nn.BatchNorm1d(channels), nn.ReLU(), nn.Softmax(dim=-1)

    def forward(self, x):
        x_q = self.q_conv(x).permute(0, 2, 1)
        attention = self.softmax(torch.bmm(x_q, self.k_conv(x)))
        attention = attention / (1e-9 + attention.sum(dim=1, keepdims=True))
        x_r = torch.bmm(self.v_conv(x), attention)
        return x + self.act(self.after_norm(self.trans_conv(x - x_r)))


def point_pair_features(x, normals):
    def angle(a, b):
        return torch.atan2(torch.linalg.norm(torch.linalg.cross(a, b), dim=-1), (a * b).sum(-1))

    d = x[None, :, :] - x[:, None, :]
    n1, n2 = normals[:, None].expand_as(d), normals[None].expand_as(d)
    return torch.stack([torch.linalg.norm(d, dim=-1), angle(n1, d), angle(n2, d), angle(n1, n2)], dim=-1)


def repulsion(x, k=2, h=0.5):  # PU-Net
    assert x.dim() == 2 and x.size(1) == 3, f"expected (N, 3), got {tuple(x.shape)}"  # noqa: S101
    d2 = ((x[:, None] - x[None]) ** 2).sum(-1)
    d2, _ = torch.topk(d2, k + 1, dim=-1, largest=False, sorted=True)
    d2 = d2[:, 1:].clamp(min=1e-12)
    return ((h - d2.sqrt()) * torch.exp(-d2 / h**2)).mean()


def f_score(pred, gt, threshold=0.7):
    d = torch.cdist(pred.unsqueeze(0), gt.unsqueeze(0)).squeeze(0)
    precision = (d.min(dim=1)[0] < threshold).to(d.dtype).mean()
    recall = (d.min(dim=0)[0] < threshold).to(d.dtype).mean()
    return 2 * precision * recall / (precision + recall + 1e-8)


def density_aware_chamfer(x, y, alpha=1.0):
    d = ((x[:, None] - y[None]) ** 2).sum(-1)
    d1, i1 = d.min(1)
    d2, i2 = d.min(0)
    count1 = torch.zeros(y.shape[0], dtype=x.dtype).scatter_add_(0, i1, torch.ones_like(d1))
    count2 = torch.zeros(x.shape[0], dtype=x.dtype).scatter_add_(0, i2, torch.ones_like(d2))
    w1, w2 = 1 / (count1[i1] + 1e-6), 1 / (count2[i2] + 1e-6)
    return ((1 - torch.exp(-d1 * alpha) * w1).mean() + (1 - torch.exp(-d2 * alpha) * w2).mean()) / 2


class EdgeConvIdx(nn.Module):
    def __init__(self, cin=3, cout=6, k=2):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(cin * 2, cout, 1, bias=False), nn.BatchNorm2d(cout), nn.LeakyReLU(0.2))
        self.k = k

    def forward(self, x):
        b, c, n = x.shape
        idx = torch.cdist(x.mT, x.mT).topk(self.k, largest=False).indices
        nb = torch.gather(x.unsqueeze(2).expand(b, c, n, n), 3, idx.unsqueeze(1).expand(b, c, n, self.k))
        centre = x.unsqueeze(-1).expand_as(nb)
        return self.conv(torch.cat([nb - centre, centre], 1)).max(-1).values


# networks of geometry


@dataclass
class TensorConfig:
    hidden: int = 4
    num_rbf: int = 5
    cutoff: float = 4.0


class TensorNetEmbedding(nn.Module):
    def __init__(self, cfg=TensorConfig()):  # noqa: B008
        super().__init__()
        self.cfg = cfg
        self.register_buffer("means", torch.linspace(math.exp(-cfg.cutoff), 1, cfg.num_rbf))
        self.register_buffer("betas", torch.tensor([(2 / cfg.num_rbf * (1 - math.exp(-cfg.cutoff))) ** -2] * cfg.num_rbf))
        self.p = nn.ModuleList(nn.Linear(cfg.num_rbf, cfg.hidden) for _ in range(3))
        self.lin = nn.ModuleList(nn.Linear(cfg.hidden, cfg.hidden, bias=False) for _ in range(3))

    @staticmethod
    def skew(v):
        zero = torch.zeros_like(v[..., 0])
        t = torch.stack((zero, -v[..., 2], v[..., 1], v[..., 2], zero, -v[..., 0], -v[..., 1], v[..., 0], zero), dim=-1)
        return t.view(*v.shape[:-1], 3, 3)

    @staticmethod
    def decompose(t):
        i = t.diagonal(offset=0, dim1=-1, dim2=-2).mean(-1)[..., None, None] * torch.eye(3, 3, dtype=t.dtype)
        a = 0.5 * (t - t.transpose(-2, -1))
        return i, a, 0.5 * (t + t.transpose(-2, -1)) - i

    def forward(self, pos):
        n = pos.shape[0]
        vec = pos.unsqueeze(0) - pos.unsqueeze(1)
        mask = torch.eye(n, dtype=torch.bool)
        d = vec.square().sum(-1).masked_fill(mask, 1.0).sqrt()
        vec = vec / d.unsqueeze(-1)
        cut = 0.5 * (torch.cos(d * math.pi / self.cfg.cutoff) + 1.0) * (d < self.cfg.cutoff).to(d.dtype)
        rbf = torch.exp(-self.betas * (torch.exp(-d).unsqueeze(-1) - self.means) ** 2)
        w = [cut.unsqueeze(-1) * p(rbf) for p in self.p]
        eye = torch.eye(3, dtype=pos.dtype)[None, None]
        sym = vec.unsqueeze(-1) * vec.unsqueeze(-2) - vec.square().mean(-1)[..., None, None] * eye
        keep = (~mask)[:, :, None, None, None].to(pos.dtype)
        x = ((w[0][..., None, None] * eye[..., None, :, :] + w[1][..., None, None] * self.skew(vec).unsqueeze(2)
              + w[2][..., None, None] * sym.unsqueeze(2)) * keep).sum(1)
        i, a, s = (lin(t.permute(0, 2, 3, 1)).permute(0, 3, 1, 2) for lin, t in zip(self.lin, self.decompose(x), strict=True))
        x = i + a + s
        return x / (x.square().sum((-2, -1), keepdim=True) + 1)


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


class GemAngles(nn.Module):
    """Angles c -> a <- b over all triples, with Legendre polynomials, and an envelope."""

    def __init__(self, p=5, cutoff=6.0):
        super().__init__()
        self.p, self.cutoff = p, cutoff
        self.mix = nn.Linear(3, 2)

    def envelope(self, d):
        x, p = d / self.cutoff, self.p
        a, b, c = -(p + 1) * (p + 2) / 2, p * (p + 2), -p * (p + 1) / 2
        return torch.where(x < 1, 1 + a * x**p + b * x ** (p + 1) + c * x ** (p + 2), torch.zeros_like(x))

    def forward(self, x):
        r = x[None] - x[:, None]
        eye = torch.eye(len(x), dtype=torch.bool)
        d = r.norm(dim=-1).masked_fill(eye, 1.0)
        u = r / d[..., None]
        cos = torch.einsum("aic,ajc->aij", u, u).clamp(-1, 1)
        y = torch.stack([torch.ones_like(cos), cos, 0.5 * (3 * cos**2 - 1)], -1)
        env = self.envelope(d).masked_fill(eye, 0.0)
        return (self.mix(y) * (env[:, :, None] * env[:, None, :])[..., None]).sum((1, 2))


class VectorAttention(nn.Module):  # SE(3)-Transformer-like, of degree 1
    def __init__(self, heads=2, dim=4):
        super().__init__()
        assert dim % heads == 0  # noqa: S101
        self.to_q, self.to_k, self.to_v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.heads, self.scale = heads, (3 * dim // heads) ** -0.5

    def forward(self, v):  # n 3 c
        q, k, w = (einops.rearrange(f(v), "n x (h c) -> h n x c", h=self.heads) for f in (self.to_q, self.to_k, self.to_v))
        sim = einops.einsum(q, k, "h i x c, h j x c -> h i j") * self.scale
        out = einops.einsum(sim.softmax(-1), w, "h i j, h j x c -> h i x c")
        return einops.rearrange(out, "h n x c -> n x (h c)")


class CGEgnn(nn.Module):  # geometric product in the algebra of space, on grades
    def __init__(self):
        super().__init__()
        table = torch.zeros(8, 8, 8)
        blades = [(), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3)]
        for i, a in enumerate(blades):
            for j, b in enumerate(blades):
                word, sign = list(a + b), 1
                for _ in word:
                    for s in range(len(word) - 1):
                        if word[s] > word[s + 1]:
                            word[s], word[s + 1], sign = word[s + 1], word[s], -sign
                out = [w for w in word if word.count(w) == 1]
                table[i, blades.index(tuple(sorted(set(out)))), j] = sign
        self.register_buffer("cayley", table)

    def forward(self, x):  # from vectors to vectors: x (sum x) x
        mv = F.pad(x, (1, 4))
        total = mv.sum(0, keepdim=True).expand_as(mv)
        t = self.cayley.to(x.dtype)
        y = torch.einsum("ni,ijk,nk->nj", torch.einsum("ni,ijk,nk->nj", mv, t, total), t, mv)
        return y[:, 1:4]


def lorentz_edges(p):
    """Minkowski norms and products of all pairs, squashed as LorentzNet does."""

    def psi(x):
        return torch.sign(x) * torch.log(torch.abs(x) + 1)

    metric = torch.tensor([1.0, -1.0, -1.0, -1.0], dtype=p.dtype)
    d = p[:, None] - p[None]
    return psi((d * d * metric).sum(-1)) + psi(torch.einsum("ia,a,ja->ij", p, metric, p))


def local_frame_scalars(x, v):
    """ClofNet: edges seen in frames that they span with the centre."""
    x = x - x.mean(0, keepdim=True)
    xi, xj = x[:, None].expand(len(x), len(x), 3), x[None].expand(len(x), len(x), 3)
    a = (xi - xj) / ((xi - xj).square().sum(-1, keepdim=True).sqrt() + 1.0)
    b = torch.cross(xi, xj, dim=-1)
    b = b / (b.square().sum(-1, keepdim=True).sqrt() + 1.0)
    c = torch.cross(a, b, dim=-1)
    frame = torch.stack((a, b, c), dim=-1)
    return torch.einsum("ijak,ja->ijk", frame, v).sum(1)


class MeanPlane(nn.Module):  # radius, height above the mean plane of a molecule
    def forward(self, x):
        x = x - x.mean(dim=0)
        cov = x.T @ x
        lam, vecs = torch.linalg.eigh(cov)
        normal = vecs[:, 0]
        return torch.stack([x.norm(dim=-1), (x @ normal).abs()], dim=-1)


# sets and graphs


class SetNorm(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.weights, self.biases = nn.Parameter(torch.rand(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x):
        out = F.layer_norm(x, x.shape[-2:])
        return out * self.weights + self.biases


class FSPool(nn.Module):
    def __init__(self, channels=3, pieces=4):
        super().__init__()
        self.n_pieces = pieces
        self.weight = nn.Parameter(torch.randn(channels, pieces + 1))

    def forward(self, x):  # b c n
        assert x.size(1) == self.weight.size(0), "incorrect number of input channels in weight"  # noqa: S101
        x, perm = x.sort(dim=2, descending=True)
        n = x.size(2)
        ratios = torch.arange(n, dtype=x.dtype) / (n - 1)
        index = self.n_pieces * ratios
        idx = index.long()
        frac = index.frac()
        left = self.weight[:, idx]
        right = self.weight[:, (idx + 1).clamp(max=self.n_pieces)]
        return (x * ((1 - frac) * left + frac * right)).sum(dim=2)


class Janossy(nn.Module):  # of pairs
    def __init__(self, d=3, hidden=8):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2 * d, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, x):
        n = x.shape[0]
        out = 0
        for i in range(n):
            for j in range(n):
                if i != j:
                    out = out + self.f(torch.cat([x[i], x[j]]))
        return out / (n * (n - 1))


class RelationNet(nn.Module):
    def __init__(self, d=3, hidden=6):
        super().__init__()
        self.g, self.f = nn.Sequential(nn.Linear(2 * d, hidden), nn.ReLU()), nn.Linear(hidden, 2)

    def forward(self, x):
        mb, n, d = x.size()
        xi = x.unsqueeze(1).repeat(1, n, 1, 1)
        xj = x.unsqueeze(2).repeat(1, 1, n, 1)
        full = torch.cat([xi, xj], 3).view(mb * n * n, 2 * d)
        return self.f(self.g(full).view(mb, n * n, -1).sum(1).squeeze())


class PNADense(nn.Module):
    def __init__(self, d=3):
        super().__init__()
        self.post = nn.Linear(12 * d, 4)
        self.avg = {"log": 1.2}

    def forward(self, x, adj):
        adj = (adj > 0).to(x.dtype)
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        mean = adj @ x / deg
        std = torch.sqrt(F.relu(adj @ (x * x) / deg - mean**2) + 1e-5)
        big = torch.where(adj[..., None] > 0, x[None], torch.full_like(x[None], -1e9)).max(1)[0]
        low = torch.where(adj[..., None] > 0, x[None], torch.full_like(x[None], 1e9)).min(1)[0]
        agg = torch.cat([mean, std, big, low], -1)
        amp = torch.log(deg + 1) / self.avg["log"]
        return self.post(torch.cat([agg, agg * amp, agg / amp], -1))


def mincut_losses(adj, s):
    s = torch.softmax(s, dim=-1)
    k = s.shape[1]
    out = s.T @ adj @ s
    num = torch.trace(out)
    den = torch.trace(s.T @ torch.diag(adj.sum(1)) @ s)
    ss = s.T @ s
    ortho = torch.norm(ss / torch.norm(ss) - torch.eye(k, dtype=s.dtype) / torch.norm(torch.eye(k, dtype=s.dtype)))
    return -num / den + ortho


class DiffPool(nn.Module):
    def __init__(self, d=3, clusters=2):
        super().__init__()
        self.embed, self.pool = nn.Linear(d, d), nn.Linear(d, clusters)

    def forward(self, x, adj):
        s = torch.softmax(adj @ self.pool(x), dim=-1)
        z = F.relu(adj @ self.embed(x))
        return s.transpose(-1, -2) @ z, s.transpose(-1, -2) @ adj @ s


def floyd_warshall(w):
    d = np.abs(w + w.T)
    n = d.shape[0]
    d = d - np.diag(np.diag(d))
    for k in range(n):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
    return d


def min_plus(w, steps=3):
    d = w.clone()
    d.fill_diagonal_(0)
    for _ in range(steps):
        d = (d[:, :, None] + d[None, :, :]).min(dim=1).values
    return d


class TwoWL(nn.Module):
    def __init__(self, d=3):
        super().__init__()
        self.m1, self.m2, self.skip = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(2 * d, d)

    def forward(self, x):  # n n d
        a, b = F.relu(self.m1(x)), F.relu(self.m2(x))
        mult = torch.matmul(a.permute(2, 0, 1), b.permute(2, 0, 1)).permute(1, 2, 0)
        return self.skip(torch.cat((x, mult), dim=-1))


class NodeDeletion(nn.Module):  # DSS-GNN over subgraphs that lack a node
    def __init__(self, d=3):
        super().__init__()
        self.local, self.shared = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, adj, x):
        n = adj.shape[0]
        keep = 1.0 - torch.eye(n, dtype=x.dtype)
        sub = adj[None] * keep[:, :, None] * keep[:, None, :]
        h = x[None].expand(n, -1, -1)
        h = F.relu(self.local(torch.bmm(sub, h)) + self.shared(adj @ h.mean(0))[None])
        return h.mean(dim=(0, 1))


class EdgeChannels(nn.Module):  # EGT
    def __init__(self, dim=4, heads=2, edge=3):
        super().__init__()
        self.qkv, self.gate, self.bias = nn.Linear(dim, 3 * dim), nn.Linear(edge, heads), nn.Linear(edge, heads)
        self.out_e, self.heads = nn.Linear(heads, edge), heads

    def forward(self, h, e):
        q, k, v = einops.rearrange(self.qkv(h), "n (t d k) -> t k n d", t=3, k=self.heads)
        scores = torch.einsum("hid,hjd->hij", q, k).clip(-5, 5) + self.bias(e).permute(2, 0, 1)
        a = F.softmax(scores, dim=-1) * torch.sigmoid(self.gate(e)).permute(2, 0, 1)
        degree = torch.log1p(torch.sigmoid(self.gate(e)).sum(1)).T[..., None]
        out = (a @ v) * degree
        return einops.rearrange(out, "k n d -> n (d k)"), e + self.out_e(scores.permute(1, 2, 0))


def forman(adj):
    a = ((adj + adj.T) > 0).astype(float)
    np.fill_diagonal(a, 0)
    deg = a.sum(1)
    return a * (4 - deg[:, None] - deg[None, :] + 3 * (a @ a))


def modularity_gradient(adj, s):
    a = adj + adj.T
    k = a.sum(axis=0)
    b = a - np.outer(k, k) / k.sum()
    return 2 * b @ s


class GCNII(nn.Module):
    def __init__(self, d=4, layers=3, alpha=0.1, lamda=0.5):
        super().__init__()
        self.convs = nn.ParameterList(torch.randn(d, d) for _ in range(layers))
        self.alpha, self.lamda = alpha, lamda

    def forward(self, x, adj):
        adj = adj.abs() + torch.eye(adj.size(0), dtype=adj.dtype)
        dinv = adj.sum(1).pow(-0.5)
        dinv[torch.isinf(dinv)] = 0.0
        adj = dinv.view(-1, 1) * adj * dinv.view(1, -1)
        h0, h = x, x
        for i, w in enumerate(self.convs):
            beta = math.log(self.lamda / (i + 1) + 1)
            support = (1 - self.alpha) * torch.spmm(adj, h) + self.alpha * h0
            h = F.relu(beta * torch.mm(support, w) + (1 - beta) * support)
        return h


# losses


def siglip(zi, zt, t=10.0, b=-10.0):
    zi, zt = F.normalize(zi, dim=-1), F.normalize(zt, dim=-1)
    logits = t * zi @ zt.t() + b
    labels = 2 * torch.eye(logits.size(0), dtype=logits.dtype) - torch.ones_like(logits)
    return -F.logsigmoid(labels * logits).sum() / logits.size(0)


def decoupled(z1, z2, tau=0.1):
    cross = z1 @ z2.t()
    positive = -torch.diag(cross) / tau
    similarity = torch.cat((z1 @ z1.t(), cross), dim=1) / tau
    mask = torch.eye(z1.size(0), dtype=z1.dtype).repeat(1, 2)
    negative = torch.logsumexp(similarity + np.log(1e-45) * mask, dim=1)
    return (positive + negative).mean()


def rank_n_contrast(f, y, tau=2.0):
    diffs = (y[:, None] - y[None]).abs()
    logits = -(f[:, None] - f[None]).norm(2, dim=-1).div(tau)
    n = logits.shape[0]
    off = (1 - torch.eye(n)).bool()
    logits, diffs = logits.masked_select(off).view(n, n - 1), diffs.masked_select(off).view(n, n - 1)
    loss = 0.0
    for k in range(n - 1):
        mask = (diffs >= diffs[:, k : k + 1]).to(f.dtype)
        loss = loss - (logits[:, k] - torch.log((mask * logits.exp()).sum(-1))).sum() / (n * (n - 1))
    return loss


def lifted_structure(x, y, margin=1.0):
    d = torch.cdist(x, x)
    same = y[:, None] == y[None]
    eye = torch.eye(len(y), dtype=torch.bool)
    neg = torch.where(same, torch.full_like(d, float("-inf")), margin - d).logsumexp(1)
    pair = torch.logaddexp(neg[:, None], neg[None]) + d
    positive = same & ~eye
    return (F.relu(torch.where(positive, pair, torch.zeros_like(pair))) ** 2).sum() / 2


def pkt(student, teacher, eps=1e-7):
    out = []
    for z in (student, teacher):
        z = z / (z.pow(2).sum(1, keepdim=True).sqrt() + eps)
        z[z != z] = 0
        sim = (z @ z.transpose(0, 1) + 1) / 2
        out.append(sim / sim.sum(1, keepdim=True))
    s, t = out
    return torch.mean(t * torch.log((t + eps) / (s + eps)))


def attention_transfer(fs, ft, p=2):
    def at(f):
        return F.normalize(f.pow(p).mean(1).view(f.size(0), -1))

    return (at(fs) - at(ft)).pow(2).mean()


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


# meshes


def mesh_area(v, f):
    a, b, c = v[f[:, 0]], v[f[:, 1]], v[f[:, 2]]
    return 0.5 * torch.linalg.norm(torch.cross(b - a, c - a, dim=1), dim=1).sum()


def vertex_normals(v, f):
    tri = v[f]
    face = torch.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0], dim=-1)
    out = torch.zeros_like(v)
    for i in range(3):
        out.index_add_(0, f[:, i], face)
    return out / (out.norm(dim=-1, keepdim=True) + 1e-3)


def uniform_laplacian(v, f):
    n = v.shape[0]
    adj = torch.zeros(n, n, dtype=v.dtype)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        adj.index_put_((f[:, i], f[:, j]), torch.ones(len(f), dtype=v.dtype), accumulate=True)
    adj = ((adj + adj.T) > 0).to(v.dtype)
    deg = adj.sum(1, keepdim=True).clamp(min=1.0)
    return (v - adj @ v / deg).norm(dim=1).mean()


# statistics


def weiszfeld(x, steps=4, eps=1e-6):
    y = x.mean(axis=0)
    for _ in range(steps):
        w = 1.0 / np.maximum(np.linalg.norm(x - y, axis=1), eps)
        y = np.average(x, axis=0, weights=w)
    return y


def tukey_location(x, c=4.685, steps=3):
    m = np.median(x)
    s = np.median(np.abs(x - m)) / 0.6745 + 1e-12
    for _ in range(steps):
        u = (x - m) / (c * s)
        w = np.where(np.abs(u) < 1, (1 - u**2) ** 2, 0.0)
        m = np.sum(w * x) / np.sum(w)
    return m


def rousseeuw_sn(x):
    return 1.1926 * np.median([np.median(np.abs(v - x)) for v in x])


def spatial_signs(x):
    x = x - np.median(x, axis=0)
    norms = np.sqrt(np.einsum("ij,ij->i", x, x))
    u = x / np.where(norms > 0, norms, 1.0)[:, None]
    return u.T @ u / len(u)


def hampel(x, width=1, n_sigma=3.0):  # on a ring
    n = len(x)
    win = np.stack([np.roll(x, s) for s in range(-width, width + 1)])
    med = np.median(win, axis=0)
    mad = 1.4826 * np.median(np.abs(win - med), axis=0)
    return np.where(np.abs(x - med) > n_sigma * mad, med, x)[:n]


def stationary(P):
    P = P / P.sum(axis=1, keepdims=True)
    n = P.shape[0]
    a = np.vstack([P.T - np.eye(n), np.ones(n)])
    b = np.zeros(n + 1)
    b[-1] = 1
    return np.linalg.lstsq(a, b, rcond=None)[0]


def permutation_p(x, y):  # rank sum with midranks
    z = np.concatenate([x, y])
    ranks = (z[:, None] > z[None, :]).sum(1) + 0.5 * ((z[:, None] == z[None, :]).sum(1) + 1)
    return ranks[: len(x)].sum() - len(x) * (len(x) + 1) / 2


# physics


def xy_energy(theta):
    e = 0.0
    for axis in (0, 1):
        e -= np.cos(theta - np.roll(theta, 1, axis=axis)).sum()
    return e / theta.size


def heisenberg_dm(s, D=0.3):  # with a Dzyaloshinskii-Moriya term along a ring
    s = s / np.linalg.norm(s, axis=-1, keepdims=True)
    nxt = np.roll(s, -1, axis=0)
    return -(s * nxt).sum() - D * np.cross(s, nxt)[:, 2].sum()


def topological_charge(s):
    s = s / np.linalg.norm(s, axis=-1, keepdims=True)
    dx = (np.roll(s, -1, 0) - np.roll(s, 1, 0)) / 2
    dy = (np.roll(s, -1, 1) - np.roll(s, 1, 1)) / 2
    return np.einsum("xyi,xyi->", s, np.cross(dx, dy)) / (4 * np.pi)


def plaquettes(u):  # of U(1) links by their angles, directions first
    ux, uy = u[0], u[1]
    p = ux + np.roll(uy, -1, axis=0) - np.roll(ux, -1, axis=1) - uy
    return (1 - np.cos(p)).sum()


def phi4(phi, m2=-1.0, lam=0.5):
    kinetic = sum(0.5 * (np.roll(phi, -1, mu) - phi) ** 2 for mu in range(phi.ndim))
    return float(1) * (kinetic + 0.5 * m2 * phi**2 + lam * phi**4).sum()


def finnis_sinclair(x):
    r = x[:, None] - x[None]
    d = torch.sqrt((r**2).sum(-1) + torch.eye(len(x), dtype=x.dtype))
    off = 1 - torch.eye(len(x), dtype=x.dtype)
    fc = torch.where(d < 3.0, (3.0 - d) ** 2, torch.zeros_like(d)) * off
    rho = (fc * torch.exp(-d)).sum(1)
    return 0.5 * (off * torch.exp(-2 * d)).sum() - torch.sqrt(rho + 1e-8).sum()


def forces_of(energy, x):
    x = x.detach().clone().requires_grad_(True)
    return -torch.autograd.grad(energy(x).sum(), x, create_graph=False)[0]


class PairPotential(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def energy(self, x):
        i, j = torch.triu_indices(x.shape[0], x.shape[0], offset=1)
        return self.net((x[i] - x[j]).norm(dim=-1, keepdim=True)).sum()

    def forward(self, x):
        with torch.enable_grad():
            return forces_of(self.energy, x)


def oseen(x, f, eta=1.0):
    r = x[:, None] - x[None]
    d = np.sqrt((r**2).sum(-1) + 0.01)
    g = np.eye(3) / d[..., None, None] + r[..., :, None] * r[..., None, :] / d[..., None, None] ** 3
    return np.einsum("ijab,jb->ia", g, f) / (8 * np.pi * eta)


def vortices(x, gamma):
    dx, dy = x[:, None, 0] - x[None, :, 0], x[:, None, 1] - x[None, :, 1]
    r2 = dx**2 + dy**2 + 1e-3
    return np.stack([-(gamma * dy / r2).sum(1), (gamma * dx / r2).sum(1)], axis=-1) / (2 * np.pi)


def dipoles(x, p):
    e = 0.0
    for i in range(len(x)):
        for j in range(i):
            r = x[i] - x[j]
            d = np.sqrt(r @ r + 1e-6)
            e += p[i] @ p[j] / d**3 - 3 * (p[i] @ r) * (p[j] @ r) / d**5
    return e


def sph_forces(x, h=1.0, k=2.0):
    r = x[:, None] - x[None]
    q2 = (r**2).sum(-1)
    w = np.maximum(h**2 - q2, 0.0) ** 3 * 315 / (64 * np.pi * h**9)
    rho = w.sum(axis=1)
    p = k * (rho - 1.0)
    grad = -6 * r * (np.maximum(h**2 - q2, 0.0) ** 2)[..., None] * 315 / (64 * np.pi * h**9)
    return -((p / rho**2)[:, None] + (p / rho**2)[None, :])[..., None].__mul__(grad).sum(axis=1)


def cucker_smale(x, v, beta=0.5):
    psi = 1 / (1 + ((x[:, None] - x[None]) ** 2).sum(-1)) ** beta
    return np.einsum("ij,ijk->ik", psi, v[None] - v[:, None]) / len(x)


def gray_scott(u, v, du=0.16, dv=0.08, f=0.06, k=0.062):
    def lap(a):
        return np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1) - 4 * a

    uvv = u * v * v
    return u + du * lap(u) - uvv + f * (1 - u), v + dv * lap(v) + uvv - (f + k) * v


def lattice_boltzmann(f, tau=0.6):  # D2Q9 collision and streaming
    cx, cy = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1]), np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    rho = f.sum(-1)
    ux, uy = (f * cx).sum(-1) / rho, (f * cy).sum(-1) / rho
    feq = np.zeros_like(f)
    for i in range(9):
        cu = cx[i] * ux + cy[i] * uy
        feq[..., i] = w[i] * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
    out = f - (f - feq) / tau
    for i in range(9):
        out[..., i] = np.roll(np.roll(out[..., i], cx[i], axis=0), cy[i], axis=1)
    return out


def spectral_burgers(u, nu=0.1, dt=0.01):
    n = u.shape[0]
    k = np.fft.fftfreq(n, d=1.0 / n)
    uh = np.fft.fft(u)
    ux = np.real(np.fft.ifft(1j * k * uh))
    uxx = np.real(np.fft.ifft(-(k**2) * uh))
    return u + dt * (-u * ux + nu * uxx)


def toda(q, p):
    return 0.5 * np.sum(p**2) + np.sum(np.exp(np.roll(q, 1) - q) - 1)


def dynamical_matrix(x):
    def energy(y):
        y = y.reshape(-1, 3)
        i, j = jnp.triu_indices(y.shape[0], 1)
        return jnp.sum(jnp.exp(-jnp.sum((y[i] - y[j]) ** 2, -1)))

    h = jax.hessian(energy)(x.reshape(-1))
    return jnp.trace(h), jnp.sum(h**2)


def solid_harmonics(x):
    a, b, c = x[..., 0], x[..., 1], x[..., 2]
    r2 = (x**2).sum(-1)
    s3 = 3**0.5
    return np.stack([s3 * a * b, s3 * b * c, (3 * c**2 - r2) / 2, s3 * a * c, s3 / 2 * (a**2 - b**2)], -1)


def harmonic_power(x):
    w = np.exp(-(x**2).sum(-1, keepdims=True))
    return np.array([w.sum() ** 2, ((w * x).sum(0) ** 2).sum(), ((w * solid_harmonics(x)).sum(0) ** 2).sum()])


# JAX


@jax.custom_jvp
def safe_sqrt(x):
    return jnp.sqrt(jnp.where(x > 0, x, 0.0))


@safe_sqrt.defjvp
def _safe_sqrt_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    y = safe_sqrt(x)
    return y, jnp.where(y > 0, t / (2 * jnp.where(y > 0, y, 1.0)), 0.0)


def jax_bonds(x):
    d = safe_sqrt(jnp.sum((x[:, None] - x[None]) ** 2, -1))
    return jnp.sum(jnp.where(d < 2.0, (d - 1.0) ** 2, 1.0))


@partial(jax.jit, static_argnames=("steps", "dt"))
def jax_relax(x, steps=3, dt=0.05):
    def energy(y):
        d2 = jnp.sum((y[:, None] - y[None]) ** 2, -1)
        return jnp.sum(jnp.exp(-d2))

    return jax.lax.fori_loop(0, steps, lambda _, y: y - dt * jax.grad(energy)(y), x)


def jax_mixture(params, x):
    logits = jax.vmap(lambda m, s: jax.scipy.stats.norm.logpdf(x, m, jnp.exp(s)).sum(-1))(params, jnp.zeros_like(params))
    return jax.scipy.special.logsumexp(logits - jnp.log(params.shape[0]), axis=0).sum()


class JaxTransformer:
    """Weights in a dictionary, no library."""

    def __init__(self, dim=4, heads=2):
        keys = jax.random.split(jax.random.PRNGKey(0), 4)
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


def jax_cond(x):
    return jax.lax.cond(jnp.mean(x) > 0, lambda y: y - jnp.max(y), lambda y: y - jnp.min(y), x)


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


def packed(imports, function, before="pass"):
    return held(imports, function, before)


def pyg(of):
    return held("torch_geometric.nn as G", "lambda x, a: f(x[None], a[None])[0]", f"f = G.{of}.eval()")


EDGES, GRAPH, LIST = "e[n]: m 2", "x: n 3, adj: n n -> n 4", "x: n, y: n -> ()"
HC = "hyper_connections as H"
TSA = "taylor_series_linear_attention as T"
PAST = "sktime.performance_metrics.forecasting as S"

TRUE = [
    true("VN-DGCNN cross features, batch", lambda: graph_feature_cross, "x: b 1 3 n -> b 3 3 n k", "S(b)", sizes={"n": (4, 6), "k": 3}),
    true("VN-DGCNN cross features turned", lambda: lambda x: graph_feature_cross(x).mean(-1), "x: b 1 3 n -> b 3! 3 n", "SO(3) x S(n)", sizes={"n": (4, 6)}),
    true("VN maximum by direction", seeded(VNLinearMax), "x: b 1 3 n -> b 4 3", "O(3)", sizes={"b": (1, 2)}),
    true("PointMLP affine, neighbours", seeded(GeometricAffine), "g: b n k 3 -> b n k 3", "S(n) x S(k)", sizes={"b": (1, 2), "n": (2, 3), "k": (2, 3)}),
    true("PointMLP affine moved", seeded(GeometricAffine), "g: 1 n k 3 -> 1 n k 3!", "T(3)", sizes={"n": (2, 3), "k": (2, 3)}),
    true("PCT offset attention", seeded(OffsetAttention), "x: b 8 n -> b 8 n", "S(b) x S(n)", sizes={"b": (1, 2), "n": (2, 4)}),
    true("point pair features", lambda: point_pair_features, "x: n 3, v: n 3^ -> n n 4", "S(n) x E(3)"),
    true("PU-Net repulsion", lambda: repulsion, CLOUD, "S(n) x E(3)", sizes={"n": (4, 6)}),
    true("F-score of clouds", lambda: f_score, "x: n 3, y: m 3 -> ()", "S(n) x S(m) x E(3)"),
    true("density-aware Chamfer turned", lambda: density_aware_chamfer, "x: n 3, y: m 3 -> ()", "E(3)"),
    true("edge convolution by gather", seeded(EdgeConvIdx), "x: b 3 n -> b 6 n", "S(b) x S(n)", sizes={"b": (1, 2), "n": (3, 5)}),
    true("TensorNet embedding", seeded(TensorNetEmbedding), "x: n 3 -> n 4 3^ 3^", "S(n) x SE(3)", sizes={"n": (2, 4)}),
    true("moment tensors", lambda: moment_tensors, "x: n 3 -> n 4!", "S(n) x E(3)"),
    true("Clebsch block, vectors", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(ClebschBlock)()), "s: n 2, v: n 2 3 -> n 2 3", "S(n) x SO(3)"),
    true("Clebsch block, scalars", lambda: (lambda m: lambda s, v: m(s, v)[0])(seeded(ClebschBlock)()), "s: n 2, v: n 2 3 -> n 2", "S(n) x O(3)"),
    true("GemNet angles", seeded(GemAngles), "x: n 3 -> n 2", "S(n) x E(3)", sizes={"n": (3, 5)}),
    true("attention of vectors", seeded(VectorAttention), "v: n 3 4 -> n 3 4", "S(n) x O(3)"),
    true("geometric products, vectors", seeded(CGEgnn), "x: n 3 -> n 3", "S(n) x O(3)"),
    true("LorentzNet edges", lambda: lorentz_edges, "p: n 4 -> n n", "S(n)"),
    true("ClofNet scalars", lambda: local_frame_scalars, "x: n 3, v: n 3^ -> n 3!", "S(n) x SE(3)"),
    true("height above the mean plane", seeded(MeanPlane), "x: n 3 -> n 2", "S(n) x E(3)", sizes={"n": (4, 6)}),
    true("set norm", seeded(SetNorm), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    true("FSPool", seeded(FSPool), "x: b 3 n -> b 3", "S(b) x S(n)", sizes={"n": (3, 6), "b": (1, 2)}),
    true("Janossy pairs", seeded(Janossy), "x: n 3 -> 2", "S(n)", sizes={"n": (2, 4)}),
    true("relation network", seeded(RelationNet), "x: b n 3 -> b 2", "S(n)", sizes={"b": (2, 3), "n": (2, 4)}),
    true("PNA dense", seeded(PNADense), GRAPH, "S(n)", sizes={"n": (3, 5)}),
    true("MinCut losses", lambda: mincut_losses, "adj: n n, s: n k -> ()", "S(n) x S(k)", draw="positive"),
    true("DiffPool features", lambda: (lambda m: lambda x, a: m(x, a)[0])(seeded(DiffPool)()), "x: n 3, adj: n n -> 2 3", "S(n)"),
    true("DiffPool adjacency", lambda: (lambda m: lambda x, a: m(x, a)[1])(seeded(DiffPool)()), "x: n 3, adj: n n -> 2 2", "S(n)"),
    numpy_true("Floyd-Warshall", lambda: floyd_warshall, "w: n n -> n n", "S(n)", draw="positive", sizes={"n": (3, 5)}),
    true("min-plus powers", lambda: min_plus, "w: n n -> n n", "S(n)", draw="positive"),
    true("2-WL layer", seeded(TwoWL), "x: n n 3 -> n n 3", "S(n)"),
    true("subgraphs that lack a node", seeded(NodeDeletion), "adj: n n, x: n 3 -> 3", "S(n)"),
    true("EGT nodes", lambda: (lambda m: lambda h, e: m(h, e)[0])(seeded(EdgeChannels)()), "h: n 4, e: n n 3 -> n 4", "S(n)"),
    true("EGT edges", lambda: (lambda m: lambda h, e: m(h, e)[1])(seeded(EdgeChannels)()), "h: n 4, e: n n 3 -> n n 3", "S(n)"),
    numpy_true("Forman curvature", lambda: forman, "a: n n -> n n", "S(n)"),
    numpy_true("modularity gradient", lambda: modularity_gradient, "a: n n, s: n k -> n k", "S(n) x O(k)", draw="positive"),
    true("GCNII", seeded(GCNII), "x: n 4, adj: n n -> n 4", "S(n)"),
    true("SigLIP", lambda: siglip, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    true("decoupled contrastive", lambda: decoupled, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    true("Rank-N-Contrast", lambda: rank_n_contrast, "f: n d, y: n -> ()", "S(n) x E(d)", sizes={"n": (3, 4), "d": (2, 3)}),
    true("lifted structure", lambda: lifted_structure, "x: n d, y[3]: n -> ()", "S(n) x E(d)"),
    true("PKT", lambda: pkt, "s: n d, t: n e -> ()", "S(n) x O(d) x O(e)"),
    true("attention transfer", lambda: attention_transfer, "s: b c h w, t: b k h w -> ()", "S(b) x S(c) x S(k) x S(h) x S(w)", sizes={"b": (1, 2), "c": (2, 3), "k": (2, 3), "h": (2, 3), "w": (2, 3)}),
    true("CORAL", lambda: coral, "x: n d, y: m d^ -> ()", "S(n) x S(m) x O(d)"),
    true("central moments", lambda: central_moments, PAIR, "S(n) x S(m) x S(d)"),
    numpy_true("kernel Stein discrepancy", lambda: stein_discrepancy, "x: n d -> ()", "S(n) x O(d)"),
    true("SwAV codes", lambda: swav, "s: b k -> b k", "S(b) x S(k)"),
    true("mesh area", lambda: mesh_area, "v: n 3, f[n]: m 3! -> ()", "S(n) x S(m) x E(3)"),
    true("vertex normals", lambda: vertex_normals, "v: n 3, f[n]: m 3! -> n 3^", "S(n) x S(m) x SE(3)"),
    true("uniform Laplacian", lambda: uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", "S(n) x S(m) x O(3)"),
    numpy_true("geometric median", lambda: weiszfeld, "x: n d -> d", "S(n) x E(d)"),
    numpy_true("Tukey's biweight", lambda: tukey_location, VECTOR, "S(n)"),
    numpy_true("Rousseeuw's Sn", lambda: rousseeuw_sn, VECTOR, "S(n)"),
    numpy_true("spatial signs", lambda: spatial_signs, "x: n d -> d d", "S(n) x S(d)"),
    numpy_true("Hampel filter on a ring", lambda: hampel, "x: n -> n", "D(n)", sizes={"n": (4, 6)}),
    numpy_true("stationary distribution", lambda: stationary, "P: n n -> n", "S(n)", draw="positive", sizes={"n": (3, 5)}),
    numpy_true("rank sum by comparisons", lambda: permutation_p, "x: n, y: m -> ()", "S(n) x S(m)"),
    numpy_true("XY model", lambda: xy_energy, "t: n m -> ()", "C(n) x C(m)"),
    numpy_true("Heisenberg with DM", lambda: heisenberg_dm, "s: n 3 -> ()", "C(n)"),
    numpy_true("topological charge", lambda: topological_charge, "s: n m 3 -> ()", "C(n) x C(m) x SO(3)", sizes={"n": (3, 4), "m": (3, 4)}),
    numpy_true("U(1) plaquettes", lambda: plaquettes, "u: 2 n m -> ()", "C(n) x C(m)"),
    numpy_true("phi^4 action", lambda: phi4, "p: n m -> ()", "D(n) x C(m)"),
    true("Finnis-Sinclair", lambda: finnis_sinclair, CLOUD, "S(n) x E(3)"),
    true("forces of a pair potential", seeded(PairPotential), "x: n 3 -> n 3^", "S(n) x E(3)", sizes={"n": (2, 4)}),
    true("Finnis-Sinclair forces", lambda: lambda x: torch.func.grad(finnis_sinclair)(x), "x: n 3 -> n 3^", "S(n) x E(3)"),
    numpy_true("Oseen tensor", lambda: oseen, "x: n 3, f: n 3^ -> n 3^", "S(n) x E(3)"),
    numpy_true("point vortices", lambda: vortices, "x: n 2, g: n -> n 2^", "S(n) x SE(2)"),
    numpy_true("dipoles by loops", lambda: dipoles, "x: n 3, p: n 3^ -> ()", "S(n) x E(3)", sizes={"n": (2, 4)}),
    numpy_true("SPH forces", lambda: sph_forces, "x: n d -> n d^", "S(n) x E(d)"),
    numpy_true("Cucker-Smale", lambda: cucker_smale, "x: n d, v: n d^ -> n d^", "S(n) x E(d)"),
    numpy_true("Gray-Scott", lambda: lambda u, v: gray_scott(u, v)[0], "u: n m, v: n m -> n m", "D(n) x D(m)"),
    numpy_true("lattice Boltzmann", lambda: lattice_boltzmann, "f: n m 9 -> n m 9", "C(n) x C(m)", draw="positive", sizes={"n": (3, 4), "m": (3, 4)}),
    numpy_true("Burgers by FFT", lambda: spectral_burgers, "u: n -> n", "C(n)"),
    numpy_true("Toda lattice", lambda: toda, "q: n, p: n -> ()", "C(n)"),
    jax_true("trace of the dynamical matrix", lambda: lambda x: dynamical_matrix(x)[0], CLOUD, "S(n) x E(3)", sizes={"n": (2, 3)}, **J),
    jax_true("norm of the dynamical matrix", lambda: lambda x: dynamical_matrix(x)[1], CLOUD, "S(n)", sizes={"n": (2, 3)}, **J),
    numpy_true("power of solid harmonics", lambda: harmonic_power, "x: n 3 -> 3!", "S(n) x O(3)"),
    jax_true("bonds by a safe root", lambda: jax_bonds, CLOUD, "S(n) x E(3)", **J),
    jax_true("relaxation by fori_loop", lambda: jax_relax, "x: n d -> n d", "S(n) x E(d)", **J),
    jax_true("mixture by vmap", lambda: jax_mixture, "c: k d, x: n d -> ()", "S(k) x S(n) x S(d)", **J),
    jax_true("transformer of a dictionary", lambda: JaxTransformer(), "x: n 4 -> n 4", "S(n)", **J),
    jax_true("SimCLR denominator in JAX", lambda: jax_simclr, "z: n d -> ()", "S(n) x O(d)", **J),
    jax_true("lax.cond on the mean", lambda: jax_cond, "x: n -> n", "S(n)", **J),
    jax_true("attention by while_loop", lambda: jax_steps, "x: n d -> n d", "S(n) x O(d)", **J),
    jax_true("Laplacian by jvp", lambda: jax_laplacian, "x: n d -> ()", "S(n) x O(d)", sizes={"n": (2, 3), "d": (2, 3)}, **J),
    # packages
    true("PyG DenseGINConv", pyg("DenseGINConv(torch.nn.Linear(3, 4))"), GRAPH, "S(n)"),
    true("PyG DenseSAGEConv", pyg("DenseSAGEConv(3, 4)"), GRAPH, "S(n)"),
    true("PyG DenseGATConv", pyg("DenseGATConv(3, 4)"), GRAPH, "S(n)"),
    true("PyG mincut pool", packed("torch_geometric.nn as G", "lambda x, a, s: G.dense_mincut_pool(x[None], a[None], s[None])[0][0]"), "x: n d, a: n n, s: n k -> k d", "S(n) x S(k)", draw="positive"),
    true("PyG DMoN pool", packed("torch_geometric.nn as G", "lambda x, a: f(x[None], a[None])[1][0]", "f = G.DMoNPooling(3, 2, dropout=0.0).eval()"), "x: n 3, a: n n -> 2 3", "S(n)", draw="positive"),
    true("PyG InnerProductDecoder", packed("torch_geometric.nn as G", "lambda z: f.forward_all(z)", "f = G.InnerProductDecoder()"), "z: n d -> n n", "S(n) x O(d)"),
    true("hyper-connections residual", packed(HC, "lambda x: f(x)", "f = H.HyperConnections.get_init_and_expand_reduce_stream_functions(1)[0](dim=4, branch=torch.nn.Linear(4, 4))"), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    true("hyper-connections of four streams", packed(HC, "lambda x: r(f(e(x)))", "i, e, r = H.HyperConnections.get_init_and_expand_reduce_stream_functions(4); f = i(dim=4, branch=torch.nn.Linear(4, 4))"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes={"b": (1, 2), "n": (2, 3)}),
    true("Taylor-series attention", packed(TSA, "lambda x: f(x)", "f = T.TaylorSeriesLinearAttn(4, dim_head=2, heads=2)"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes={"b": (1, 2), "n": (2, 4)}),
    true("asteroid pairwise si-sdr", packed("asteroid.losses as A", "lambda x, y: A.pairwise_neg_sisdr(x, y)"), "x: b n t, y: b n t -> b n n", "S(b) x S(n) x S(t)", sizes={"b": (1, 2), "n": (2, 3), "t": (2, 4)}),
    true("asteroid PIT of mse", packed("asteroid.losses as A", "lambda x, y: f(x, y)", "f = A.PITLossWrapper(A.pairwise_mse, pit_from='pw_mtx')"), "x: 1 n t, y: 1 n t -> ()", "S(n) x S(t)", sizes={"n": (2, 3)}),
    true("asteroid multisource snr", packed("asteroid.losses as A", "lambda x, y: A.multisrc_neg_snr(x, y)"), "x: b n t, y: b n t -> b", "S(b) x S(n) x S(t)", sizes={"b": (1, 2), "n": (2, 3), "t": (2, 4)}),
    true("asteroid global layer norm", packed("asteroid.masknn.norms as N", "lambda x: f(x)", "f = N.GlobLN(4)"), "x: b 4 n -> b 4 n", "S(b) x S(n)"),
    true("torch-einops-utils masked mean", packed("torch_einops_utils as U", "lambda x, m: U.masked_mean(x, m)"), "x: b n, m[bool]: b n -> ()", "S(b) x S(n)"),
    true("torch-einops-utils z-score", packed("torch_einops_utils as U", "lambda x: U.z_score(x)"), "x: n d -> n d", "S(n) x S(d)"),
    true("arm_pytorch_utilities covariance", packed("arm_pytorch_utilities as A", "lambda x: A.cov(x, rowvar=False)"), "x: n d -> d d", "S(n) x O(d)"),
    true("arm_pytorch_utilities quadratic", packed("arm_pytorch_utilities as A", "lambda x, q: A.batch_quadratic_product(x, q)"), "x: n d, q: d d -> n", "S(n) x O(d)"),
    true("linear_operator inverse quadratic", packed("linear_operator as L", "lambda x, y: L.to_linear_operator(x @ x.T + 2 * torch.eye(len(x), dtype=x.dtype)).inv_quad(y)"), "x: n d, y: n k -> ()", "S(n) x O(d) x O(k)"),
    numpy_true("bottleneck nanmean", packed("bottleneck as B", "lambda x: B.nanmean(x, axis=0)"), "x: n d -> d", "S(n) x O(d)"),
    numpy_true("quantecon gini", packed("quantecon as Q", "lambda x: Q.gini_coefficient(x)"), VECTOR, "S(n)", draw="positive"),
    numpy_true("empyrical sortino", packed("empyrical as E", "lambda x: E.sortino_ratio(x)"), VECTOR, "S(n)"),
    numpy_true("sktime MASE of features", packed(PAST, "lambda x, y: S.mean_absolute_percentage_error(x, y, symmetric=True)"), LIST, "S(n)", draw="positive"),
    numpy_true("sktime geometric mean", packed(PAST, "lambda x, y: S.geometric_mean_squared_error(x, y)"), LIST, "S(n)", draw="positive"),
    numpy_true("causal-learn kernel", packed("causallearn.utils.KCI.KCI as K", "lambda x: K.Kernel.center_kernel_matrix(x @ x.T)"), "x: n d -> n n", "S(n) x E(d)"),
    numpy_true("opt_einsum contract", packed("opt_einsum as O", "lambda x, y: O.contract('na,nb,ab->', x, x, y)"), "x: n d, y: d d -> ()", "S(n) x O(d)"),
    numpy_true("hmmlearn diagonal density", packed("hmmlearn.stats as H", "lambda x, m, v: H.log_multivariate_normal_density(x, m, v, 'diag')"), "x: n d, m: k d, v: k d -> n k", "S(n) x S(k) x S(d)", draw="positive"),
    numpy_true("lmfit pseudo-Voigt", packed("lmfit.lineshapes as L", "lambda x: L.pvoigt(x, 1.0, 0.3, 1.2, 0.4).sum()"), VECTOR, "S(n)"),
    numpy_true("biotite angles", packed("biotite.structure as B", "lambda x, y, z: B.angle(x, y, z)"), "x: n 3, y: n 3, z: n 3 -> n", "S(n) x E(3)", single=True),
    numpy_true("pb_bss si-sdr", packed("pb_bss_eval.evaluation.module_si_sdr as M", "lambda x, y: M.si_sdr(x, y)"), "x: n t, y: n t -> n", "S(n) x S(t)"),
    jax_true("optimistix norm", packed("optimistix as O", "lambda x: O.rms_norm(x)"), VECTOR, "S(n)", **J),
    jax_true("e3x cutoff of distances", packed("e3x, jax.numpy as jnp", "lambda x: e3x.nn.smooth_cutoff(jnp.sum((x[:, None] - x[None]) ** 2, -1), cutoff=2.0)"), "x: n 3 -> n n", "S(n) x E(3)", **J),
    jax_true("dynamax symmetrised solve", packed("dynamax.utils.utils as D, jax.numpy as jnp", "lambda x, y: D.psd_solve(x @ x.T + jnp.eye(x.shape[0]), y)"), "x: n d, y: n k -> n k", "S(n) x O(d) x O(k)", **J),
    jax_true("chex checks", packed("chex, jax.numpy as jnp", "lambda x, y: (chex.assert_rank([x, y], 2), chex.assert_equal_shape([x, y]), jnp.sum(x * y))[2]"), "x: n d, y: n d -> ()", "S(n) x O(d)", **J),
    jax_true("ott Gaussian cost", packed("ott.geometry.costs as C, jax", "lambda x, y: jax.vmap(lambda a: jax.vmap(lambda b: C.SqEuclidean()(a, b))(y))(x)"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)", **J),
    jax_true("numpyro Dirichlet multinomial", packed("numpyro.distributions as D", "lambda x: D.LogNormal(0.0, 1.0).log_prob(x).sum()"), VECTOR, "S(n)", draw="positive", **J),
]  # fmt: skip

FALSE = [
    false("VN-DGCNN cross features mirrored", lambda: lambda x: graph_feature_cross(x).mean(-1), "x: b 1 3 n -> b 3! 3 n", "O(3)", sizes={"b": 1, "n": 4}),
    false("PointMLP affine, batch turned", seeded(GeometricAffine), "g: b n k 3 -> b n k 3", "O(3)", sizes={"b": 1, "n": 2, "k": 2}),
    false("PCT offset attention of features", seeded(OffsetAttention), "x: b v n -> b v n", "S(v)", sizes={"v": 8, "b": 1, "n": 2}),
    false("point pair features mirrored normals", lambda: point_pair_features, "x: n 3, v: n 3! -> n n 4", "O(3)"),
    false("F-score scaled", lambda: f_score, "x: n 3, y: m 3 -> ()", "Scale(3)"),
    false("density-aware Chamfer, one turned", lambda: density_aware_chamfer, "x: n 3, y: m 3! -> ()", "O(3)"),
    false("TensorNet embedding not turned", seeded(TensorNetEmbedding), "x: n 3 -> n 4 3! 3!", "O(3)", sizes={"n": 2}),
    false("TensorNet embedding mirrored", seeded(TensorNetEmbedding), "x: n 3 -> n 4 3 3", "O(3)", sizes={"n": 2}),
    false("moment tensors scaled", lambda: moment_tensors, "x: n 3 -> n 4!", "Scale(3)"),
    false("Clebsch block mirrored", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(ClebschBlock)()), "s: n 2, v: n 2 3 -> n 2 3", "O(3)"),
    false("LorentzNet edges turned", lambda: lorentz_edges, "p: n 4 -> n n", "O(4)"),
    false("ClofNet scalars mirrored", lambda: local_frame_scalars, "x: n 3, v: n 3^ -> n 3!", "O(3)"),
    false("GemNet angles scaled", seeded(GemAngles), "x: n 3 -> n 2", "Scale(3)", sizes={"n": (3, 4)}),
    false("set norm of columns", seeded(SetNorm), "x: b n v -> b n v", "S(v)", sizes={"v": 4}),
    false("FSPool negated", seeded(FSPool), "x: b 3 n -> b 3", "Signs(n)", sizes={"b": 1}),
    false("relation network, features", seeded(RelationNet), "x: b n v -> b 2", "S(v)", sizes={"v": 3, "b": 2}),
    false("MinCut losses of nodes alone", lambda: mincut_losses, "adj: n! n!, s: n k -> ()", "S(n)", draw="positive"),
    numpy_false("Floyd-Warshall, first pivot alone", lambda: lambda w: np.minimum(w, w[:, :1] + w[:1]), "w: n n -> n n", "S(n)", draw="positive"),
    false("2-WL layer transposed", seeded(TwoWL), "x: n n! 3 -> n n! 3", "S(n)"),
    false("EGT edges kept", lambda: (lambda m: lambda h, e: m(h, e)[0])(seeded(EdgeChannels)()), "h: n 4, e: n! n! 3 -> n 4", "S(n)"),
    false("GCNII, no neighbours moved", seeded(GCNII), "x: n 4, adj: n! n! -> n 4", "S(n)"),
    false("SigLIP, images alone", lambda: siglip, "x: n d, y: n! d -> ()", "S(n)"),
    false("decoupled contrastive moved", lambda: decoupled, "x: n d, y: n d -> ()", "T(d)"),
    false("Rank-N-Contrast scaled", lambda: rank_n_contrast, "f: n d, y: n! -> ()", "Scale(d)"),
    false("lifted structure, labels kept", lambda: lifted_structure, "x: n d, y[3]: n! -> ()", "S(n)"),
    false("PKT moved", lambda: pkt, "s: n d, t: n e -> ()", "T(d)"),
    false("attention transfer turned", lambda: attention_transfer, "s: b c h w, t: b k h w -> ()", "O(h)", sizes={"b": 1, "c": 2, "k": 2, "h": 2, "w": 2}),
    false("CORAL of one", lambda: coral, "x: n d, y: m d! -> ()", "O(d)"),
    false("central moments turned", lambda: central_moments, PAIR, "O(d)"),
    numpy_false("kernel Stein discrepancy moved", lambda: stein_discrepancy, "x: n d -> ()", "T(d)"),
    false("vertex normals mirrored", lambda: vertex_normals, "v: n 3, f[n]: m 3! -> n 3^", "O(3)"),
    false("uniform Laplacian, lone vertices moved", lambda: uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", "T(3)"),
    false("uniform Laplacian scaled", lambda: uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", "Scale(3)"),
    numpy_false("Tukey's biweight negated", lambda: tukey_location, VECTOR, "Signs(n)"),
    numpy_false("spatial signs turned", lambda: spatial_signs, "x: n d -> d d", "O(d)"),
    numpy_false("Hampel filter shuffled", lambda: hampel, "x: n -> n", "S(n)", sizes={"n": (5, 6)}),
    numpy_false("XY model shuffled", lambda: xy_energy, "t: n m -> ()", "S(n)", sizes={"n": (4, 5)}),
    numpy_false("Heisenberg with DM turned", lambda: heisenberg_dm, "s: n 3 -> ()", "SO(3)"),
    numpy_false("topological charge mirrored", lambda: topological_charge, "s: n m 3 -> ()", "O(3)", sizes={"n": 3, "m": 3}),
    numpy_false("phi^4 action moved", lambda: phi4, "p: n m -> ()", "T(m)"),
    false("forces of a pair potential scaled", seeded(PairPotential), "x: n 3 -> n 3", "Scale(3)"),
    numpy_false("point vortices mirrored", lambda: vortices, "x: n 2, g: n -> n 2^", "O(2)"),
    numpy_false("dipoles, moments kept", lambda: dipoles, "x: n 3, p: n 3! -> ()", "O(3)"),
    numpy_false("Cucker-Smale scaled", lambda: cucker_smale, "x: n d, v: n d! -> n d!", "Scale(d)"),
    numpy_false("Burgers reflected", lambda: spectral_burgers, "u: n -> n", "D(n)"),
    numpy_false("Toda lattice reflected", lambda: toda, "q: n, p: n -> ()", "D(n)", sizes={"n": (3, 4)}),
    numpy_false("lattice Boltzmann reflected", lambda: lattice_boltzmann, "f: n m 9 -> n m 9", "D(n)", draw="positive", sizes={"n": 3, "m": 2}),
    jax_false("bonds scaled", lambda: jax_bonds, CLOUD, "Scale(3)", **J),
    jax_false("mixture turned, one side", lambda: jax_mixture, "c: k d, x: n d! -> ()", "O(d)", **J),
    jax_false("transformer of features", lambda: JaxTransformer(), "x: n v -> n v", "S(v)", sizes={"v": 4}, **J),
    jax_false("SimCLR denominator moved", lambda: jax_simclr, "z: n d -> ()", "T(d)", **J),
    jax_false("lax.cond negated", lambda: jax_cond, "x: n -> n", "Signs(n)", **J),
    false("PyG DenseGINConv, graph kept", pyg("DenseGINConv(torch.nn.Linear(3, 4))"), "x: n 3, adj: n! n! -> n 4", "S(n)"),
    false("PyG DenseSAGEConv, one axis", pyg("DenseSAGEConv(3, 4)"), "x: n 3, adj: n n! -> n 4", "S(n)"),
    false("Taylor-series attention of features", packed(TSA, "lambda x: f(x)", "f = T.TaylorSeriesLinearAttn(4, dim_head=2, heads=2)"), "x: b n v -> b n v", "S(v)", sizes={"v": 4, "b": 1, "n": 2}),
    false("asteroid pairwise si-sdr moved", packed("asteroid.losses as A", "lambda x, y: A.pairwise_neg_snr(x, y)"), "x: b n t, y: b n t! -> b n n", "O(t)", sizes={"b": 1, "n": 2, "t": (2, 3)}),
    false("arm_pytorch_utilities quadratic, form kept", packed("arm_pytorch_utilities as A", "lambda x, q: A.batch_quadratic_product(x, q)"), "x: n d, q: d! d! -> n", "O(d)"),
    numpy_false("quantecon gini moved", packed("quantecon as Q", "lambda x: Q.gini_coefficient(x)"), VECTOR, "T(n)", draw="positive"),
    numpy_false("empyrical drawdown shuffled", packed("empyrical as E", "lambda x: E.max_drawdown(x)"), VECTOR, "S(n)"),
    numpy_false("sktime geometric mean scaled", packed(PAST, "lambda x, y: S.geometric_mean_squared_error(x, y)"), "x: n, y: n! -> ()", "Scale(n)", draw="positive"),
    numpy_false("hmmlearn diagonal density turned", packed("hmmlearn.stats as H", "lambda x, m, v: H.log_multivariate_normal_density(x, m, v, 'diag')"), "x: n d, m: k d, v: k! d! -> n k", "O(d)", draw="positive"),
    numpy_false("biotite angles, one kept", packed("biotite.structure as B", "lambda x, y, z: B.angle(x, y, z)"), "x: n 3, y: n! 3, z: n 3 -> n", "S(n)", single=True),
]  # fmt: skip

CLAIMS = [*TRUE, *FALSE]
