"""Code as repositories of geometric learning, descriptors, metrics and signals hold it, mistakes of one character beside it."""

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


# torch: molecules.
class BesselRBF(nn.Module):
    def __init__(self, n_rbf=6, cutoff=5.0):
        super().__init__()
        self.cutoff = cutoff
        self.register_buffer("freqs", torch.arange(1, n_rbf + 1) * math.pi / cutoff)

    def forward(self, d):
        ax = d[..., None] * self.freqs
        norm = torch.where(d == 0, torch.tensor(1.0), d)
        return torch.sin(ax) / norm[..., None]


class CosineCutoff(nn.Module):
    def __init__(self, cutoff=5.0):
        super().__init__()
        self.cutoff = cutoff

    def forward(self, d):
        out = 0.5 * (torch.cos(d * math.pi / self.cutoff) + 1.0)
        return out * (d < self.cutoff).float()


class PaiNNInteraction(nn.Module):
    def __init__(self, dim=4, wrong=False):
        super().__init__()
        self.dim, self.wrong = dim, wrong
        self.rbf, self.cut = BesselRBF(), CosineCutoff()
        self.filter = nn.Linear(6, 3 * dim)
        self.phi = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, 3 * dim))

    def forward(self, q, mu, pos, edge_index):
        i, j = edge_index
        r = pos[j] - pos[i]
        d = r.norm(dim=-1)
        dirs = r / (d.unsqueeze(-1) + 1e-8)
        W = self.filter(self.rbf(d)) * self.cut(d)[:, None]
        x = self.phi(q)[j] * W
        dq, dmuR, dmumu = torch.split(x, self.dim, dim=-1)
        dmu = dmuR.unsqueeze(1) * dirs.unsqueeze(-1) + dmumu.unsqueeze(1) * mu[j]
        if self.wrong:
            dmu = dmuR.unsqueeze(1) * dirs.abs().unsqueeze(-1) + dmumu.unsqueeze(1) * mu[j]
        q = q + torch.zeros_like(q).index_add(0, i, dq)
        return mu + torch.zeros_like(mu).index_add(0, i, dmu)


class PaiNNMixing(nn.Module):
    def __init__(self, dim=4, wrong=False):
        super().__init__()
        self.dim, self.wrong = dim, wrong
        self.mu_mix = nn.Linear(dim, 2 * dim, bias=wrong)
        self.net = nn.Sequential(nn.Linear(2 * dim, dim), nn.SiLU(), nn.Linear(dim, 3 * dim))

    def forward(self, q, mu):
        mu_V, mu_W = torch.split(self.mu_mix(mu), self.dim, dim=-1)
        mu_Vn = torch.sqrt(torch.sum(mu_V**2, dim=-2) + 1e-8)
        x = self.net(torch.cat([q, mu_Vn], dim=-1))
        dq, dmu, dqmu = torch.split(x, self.dim, dim=-1)
        q = q + dq + dqmu * torch.sum(mu_V * mu_W, dim=1)
        return mu + dmu.unsqueeze(1) * mu_W


class SchNetEnergy(nn.Module):
    """Forces as a gradient of the energy."""

    def __init__(self):
        super().__init__()
        self.register_buffer("centers", torch.linspace(0.0, 5.0, 6))
        self.filter = nn.Sequential(nn.Linear(6, 8), nn.Softplus(), nn.Linear(8, 1))

    def forward(self, pos):
        pos = pos.detach().requires_grad_(True)
        with torch.enable_grad():
            diff = pos.unsqueeze(1) - pos.unsqueeze(0)
            dist = torch.sqrt(diff.pow(2).sum(-1) + 1e-6)
            rbf = torch.exp(-((dist.unsqueeze(-1) - self.centers) ** 2))
            energy = self.filter(rbf).sum()
            (grad,) = torch.autograd.grad(energy, pos, create_graph=True)
        return -grad


def backward_forces(pos):
    pos = pos.clone().detach().requires_grad_(True)
    with torch.enable_grad():
        d2 = ((pos[:, None] - pos[None]) ** 2).sum(-1)
        energy = torch.exp(-d2).sum()
        energy.backward()
    return -pos.grad


def dimenet_angles(pos, i, j, k):
    pos_i = pos[i]
    pos_ji, pos_ki = pos[j] - pos_i, pos[k] - pos_i
    a = (pos_ji * pos_ki).sum(dim=-1)
    b = torch.cross(pos_ji, pos_ki, dim=-1).norm(dim=-1)
    return torch.atan2(b, a)


class TorchMDEquivariantLayer(nn.Module):
    def __init__(self, hidden=4, heads=2):
        super().__init__()
        self.heads, self.head_dim, self.hidden = heads, hidden // heads, hidden
        self.q_proj, self.k_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.v_proj, self.vec_proj = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, vec, pos):
        n = x.shape[0]
        q = self.q_proj(x).reshape(n, self.heads, self.head_dim)
        k = self.k_proj(x).reshape(n, self.heads, self.head_dim)
        v = self.v_proj(x).reshape(n, self.heads, self.head_dim * 3)
        r = pos[:, None] - pos[None, :]
        d = r.norm(dim=-1, keepdim=True)
        attn = F.silu(torch.einsum("ihd,jhd->ijh", q, k)) * torch.exp(-d)
        s, v1, v2 = torch.split(v, self.head_dim, dim=-1)
        msg = attn.unsqueeze(-1) * s.unsqueeze(0)
        x = x + msg.sum(1).reshape(n, self.hidden)
        vec_j = vec.reshape(n, 3, self.heads, self.head_dim)
        upd = vec_j.unsqueeze(0) * v1[None, :, None] + v2[None, :, None] * r[..., None, None]
        return self.vec_proj(upd.sum(1).reshape(n, 3, self.hidden))


# torch: point clouds.
def square_distance(src, dst):
    B, N, _ = src.shape
    _, M, _ = dst.shape
    dist = -2 * torch.matmul(src, dst.permute(0, 2, 1))
    dist += torch.sum(src**2, -1).view(B, N, 1)
    dist += torch.sum(dst**2, -1).view(B, 1, M)
    return dist


def index_points(points, idx):
    B = points.shape[0]
    view_shape = list(idx.shape)
    view_shape[1:] = [1] * (len(view_shape) - 1)
    repeat_shape = list(idx.shape)
    repeat_shape[0] = 1
    batch_indices = torch.arange(B, dtype=torch.long).view(view_shape).repeat(repeat_shape)
    return points[batch_indices, idx, :]


def farthest_point_sample(xyz, npoint=2):
    B, N, C = xyz.shape
    centroids = torch.zeros(B, npoint, dtype=torch.long)
    distance = torch.ones(B, N).to(xyz.dtype) * 1e10
    farthest = torch.zeros(B, dtype=torch.long)
    batch_indices = torch.arange(B, dtype=torch.long)
    for i in range(npoint):
        centroids[:, i] = farthest
        centroid = xyz[batch_indices, farthest, :].view(B, 1, C)
        dist = torch.sum((xyz - centroid) ** 2, -1)
        mask = dist < distance
        distance[mask] = dist[mask]
        farthest = torch.max(distance, -1)[1]
    return index_points(xyz, centroids)


class PointNetFeaturePropagation(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv1d(4, 5, 1), nn.BatchNorm1d(5)

    def forward(self, xyz1, xyz2, points2):
        B, N, C = xyz1.shape
        dists = square_distance(xyz1, xyz2)
        dists, idx = dists.sort(dim=-1)
        dists, idx = dists[:, :, :3], idx[:, :, :3]
        dist_recip = 1.0 / (dists + 1e-8)
        weight = dist_recip / torch.sum(dist_recip, dim=2, keepdim=True)
        interpolated = torch.sum(index_points(points2, idx) * weight.view(B, N, 3, 1), dim=2)
        return F.relu(self.bn(self.conv(interpolated.permute(0, 2, 1)))).permute(0, 2, 1)


class STN3d(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(3, 8, 1), nn.Conv1d(8, 16, 1)
        self.fc1, self.fc2 = nn.Linear(16, 8), nn.Linear(8, 9)
        self.bn1, self.bn2 = nn.BatchNorm1d(8), nn.BatchNorm1d(16)

    def forward(self, x):
        batchsize = x.size()[0]
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        y = torch.max(y, 2, keepdim=True)[0]
        y = y.view(-1, 16)
        y = self.fc2(F.relu(self.fc1(y)))
        iden = torch.eye(3).to(y.dtype).view(1, 9).repeat(batchsize, 1)
        trans = (y + iden).view(-1, 3, 3)
        return torch.bmm(x.transpose(2, 1), trans).transpose(2, 1)


def chamfer_distance(x, y):
    dist = torch.cdist(x, y)
    return dist.min(dim=1)[0].mean() + dist.min(dim=0)[0].mean()


def chamfer_wrong(x, y):
    dist = torch.cdist(x, y)
    return dist.min(dim=1)[0].mean() + dist[0].min()


def hausdorff(x, y):
    d = torch.norm(x[:, None] - y[None, :], dim=-1)
    return torch.max(d.min(1).values.max(), d.min(0).values.max())


class VNBatchNormMax(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.bn = nn.BatchNorm1d(c)
        self.map_to_dir = nn.Linear(c, c, bias=False)

    def forward(self, x):  # B C 3 N
        norm = torch.norm(x, dim=2) + 1e-6
        x = x / norm.unsqueeze(2) * self.bn(norm).unsqueeze(2)
        d = self.map_to_dir(x.transpose(1, -1)).transpose(1, -1)
        dotprod = (x * d).sum(2, keepdims=True)
        idx = dotprod.max(dim=-1, keepdim=False)[1]
        index_tuple = (*torch.meshgrid([torch.arange(j) for j in x.size()[:-1]], indexing="ij"), idx.expand(-1, -1, 3))
        return x[index_tuple]


# torch: graphs from scratch.
class GCNDense(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(3, 8), nn.Linear(8, 2)

    def forward(self, X, A):
        A = A + torch.eye(A.shape[0])
        deg = A.sum(1)
        D = torch.diag(deg.pow(-0.5))
        A_hat = D @ A @ D
        return self.w2(A_hat @ torch.relu(self.w1(A_hat @ X)))


class GATv2(nn.Module):
    def __init__(self, i=3, heads=2, c=4):
        super().__init__()
        self.heads, self.c = heads, c
        self.lin_l, self.lin_r = nn.Linear(i, heads * c), nn.Linear(i, heads * c)
        self.att = nn.Parameter(torch.randn(1, heads, c))

    def forward(self, x, edge_index):
        src, dst = edge_index[0], edge_index[1]
        N = x.size(0)
        xl, xr = self.lin_l(x).view(-1, self.heads, self.c), self.lin_r(x).view(-1, self.heads, self.c)
        e = (F.leaky_relu(xl[src] + xr[dst], 0.2) * self.att).sum(-1)
        e = e.exp()
        denom = torch.zeros(N, self.heads).to(e.dtype).index_add_(0, dst, e)
        alpha = e / (denom[dst] + 1e-16)
        out = torch.zeros(N, self.heads, self.c).to(e.dtype)
        out.index_add_(0, dst, xl[src] * alpha.unsqueeze(-1))
        return out.view(N, -1)


class GINLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1) + 0.1)
        self.mlp = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 3))

    def forward(self, h, adj):
        outs = []
        for _ in range(2):
            h = self.mlp((1 + self.eps) * h + torch.spmm(adj, h) if adj.is_sparse else (1 + self.eps) * h + adj @ h)
            outs.append(h.sum(dim=0))
        return torch.cat(outs)


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


class GraphormerAttention(nn.Module):
    def __init__(self, dim=8, heads=2, max_dist=5):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.spatial = nn.Embedding(max_dist + 1, heads)
        self.degree = nn.Embedding(6, dim)

    def forward(self, x, spd, degree):
        N, C = x.shape
        x = x + self.degree(degree)
        qkv = self.qkv(x).reshape(N, 3, self.heads, C // self.heads).permute(1, 2, 0, 3)
        q, k, v = qkv.unbind(0)
        attn = (q @ k.transpose(-2, -1)) * self.scale + self.spatial(spd).permute(2, 0, 1)
        return self.proj((attn.softmax(-1) @ v).transpose(0, 1).reshape(N, C))


def global_attention_pool(gate, x, batch, size=3):
    out = []
    for b in range(size):
        m = (batch == b).to(x.dtype)
        w = torch.exp(gate) * m
        out.append((w[:, None] * x).sum(0) / (w.sum() + 1e-16))
    return torch.stack(out)


def scatter_softmax(src, index):
    n = int(src.shape[0])
    m = torch.full((n,), float("-inf")).to(src.dtype).scatter_reduce(0, index, src, reduce="amax")
    e = torch.exp(src - m[index])
    s = torch.zeros(n).to(src.dtype).scatter_add(0, index, e)
    return e / s[index]


# torch: attention and sequences.
class RotaryCached(nn.Module):
    def __init__(self, dim=4, base=10000):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)))
        self.seq_len_cached, self.cos_cached, self.sin_cached = None, None, None

    def forward(self, q, k):
        n = q.shape[-2]
        if n != self.seq_len_cached:
            self.seq_len_cached = n
            t = torch.arange(n).type_as(self.inv_freq)
            emb = torch.cat((torch.einsum("i,j->ij", t, self.inv_freq),) * 2, dim=-1)
            self.cos_cached, self.sin_cached = emb.cos(), emb.sin()
        rot = lambda x: torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)
        q = q * self.cos_cached + rot(q) * self.sin_cached
        k = k * self.cos_cached + rot(k) * self.sin_cached
        return q @ k.transpose(-1, -2)


def sliding_window_attention(q, k, v, w=1):
    n = q.shape[0]
    scores = q @ k.T / math.sqrt(q.shape[1])
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() > w
    scores = scores.masked_fill(mask, float("-inf"))
    return scores.softmax(-1) @ v


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


class VanillaRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.i2h, self.h2h = nn.Linear(3, 4), nn.Linear(4, 4)

    def forward(self, x):
        outputs = torch.zeros(x.size(0), x.size(1), 4).to(x)
        h = torch.zeros(x.size(0), 4).to(x)
        for t in range(x.size(1)):
            h = torch.tanh(self.i2h(x[:, t]) + self.h2h(h))
            outputs[:, t] = h
        return outputs


def ema_filter(x, alpha=0.3):
    out = torch.zeros_like(x)
    out[0] = x[0]
    for t in range(1, x.shape[0]):
        out[t] = alpha * x[t] + (1 - alpha) * out[t - 1]
    return out


# torch: losses.
def nt_xent(z1, z2, tau=0.5):
    n = z1.shape[0]
    z = F.normalize(torch.cat([z1, z2], dim=0), dim=1)
    sim = z @ z.T / tau
    eye = torch.eye(2 * n, dtype=torch.bool)
    neg = sim[~eye].view(2 * n, -1)
    pos = torch.cat([torch.diag(sim, n), torch.diag(sim, -n)])
    return (-pos + torch.logsumexp(neg, dim=-1)).mean()


def off_diagonal(x):
    n, m = x.shape
    return x.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


def barlow_twins(z1, z2, lambd=5e-3):
    n = z1.shape[0]
    z1 = (z1 - z1.mean(0)) / (z1.std(0) + 1e-6)
    z2 = (z2 - z2.mean(0)) / (z2.std(0) + 1e-6)
    c = z1.T @ z2 / n
    on = (torch.diagonal(c) - 1).pow(2).sum()
    return on + lambd * off_diagonal(c).pow(2).sum()


def center_loss(x, labels, centers):
    batch_size, num_classes = x.size(0), centers.size(0)
    distmat = torch.pow(x, 2).sum(dim=1, keepdim=True).expand(batch_size, num_classes)
    distmat = distmat + torch.pow(centers, 2).sum(dim=1, keepdim=True).expand(num_classes, batch_size).t()
    distmat = distmat - 2 * x @ centers.t()
    classes = torch.arange(num_classes).long()
    mask = labels.unsqueeze(1).expand(batch_size, num_classes).eq(classes.expand(batch_size, num_classes))
    return (distmat * mask.float()).clamp(min=1e-12, max=1e12).sum() / batch_size


def supcon(features, labels, temperature=0.1):
    labels = labels.contiguous().view(-1, 1)
    mask = torch.eq(labels, labels.T).float()
    logits = torch.matmul(features, features.T) / temperature
    logits_max, _ = torch.max(logits, dim=1, keepdim=True)
    logits = logits - logits_max.detach()
    logits_mask = torch.scatter(torch.ones_like(mask), 1, torch.arange(features.shape[0]).view(-1, 1), 0)
    mask = mask * logits_mask
    exp_logits = torch.exp(logits) * logits_mask
    log_prob = logits - torch.log(exp_logits.sum(1, keepdim=True) + 1e-9)
    return -((mask * log_prob).sum(1) / (mask.sum(1) + 1e-9)).mean()


def uniformity(x, t=2):
    x = F.normalize(x, dim=1)
    return torch.pdist(x, p=2).pow(2).mul(-t).exp().mean().log()


def fape(pred, true_, R1, R2, clamp=10.0):
    a = torch.einsum("fij,fnj->fni", R1.transpose(-1, -2), pred[None, :] - pred[:3, None])
    b = torch.einsum("fij,fnj->fni", R2.transpose(-1, -2), true_[None, :] - true_[:3, None])
    return torch.sqrt(((a - b) ** 2).sum(-1) + 1e-4).clamp(max=clamp).mean()


def dice_loss(logits, target, smooth=1.0):
    p = torch.sigmoid(logits).reshape(-1)
    t = target.reshape(-1)
    inter = (p * t).sum()
    return 1 - (2.0 * inter + smooth) / (p.sum() + t.sum() + smooth)


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


class CBAMChannel(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.mlp = nn.Sequential(nn.Flatten(), nn.Linear(c, 2), nn.ReLU(), nn.Linear(2, c))

    def forward(self, x):
        avg = F.avg_pool2d(x, (x.size(2), x.size(3)), stride=(x.size(2), x.size(3)))
        mx = F.max_pool2d(x, (x.size(2), x.size(3)), stride=(x.size(2), x.size(3)))
        scale = torch.sigmoid(self.mlp(avg) + self.mlp(mx)).unsqueeze(2).unsqueeze(3).expand_as(x)
        return x * scale


# NumPy: descriptors, structures.
def coulomb_matrix(Z, R):
    n = len(Z)
    M = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j:
                M[i, j] = 0.5 * Z[i] ** 2.4
            else:
                M[i, j] = Z[i] * Z[j] / np.linalg.norm(R[i] - R[j])
    return M


def behler_g2(X, eta=0.5, rs=1.0, rc=6.0):
    n = X.shape[0]
    G = np.zeros(n)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = np.linalg.norm(X[i] - X[j])
            if r < rc:
                fc = 0.5 * (np.cos(np.pi * r / rc) + 1)
                G[i] += np.exp(-eta * (r - rs) ** 2) * fc
    return G


def behler_g4(X, eta=0.1, zeta=2, lam=1.0):
    n = len(X)
    G = np.zeros(n)
    for i in range(n):
        for j in range(n):
            for k in range(j + 1, n):
                if i == j or i == k:
                    continue
                rij, rik, rjk = X[i] - X[j], X[i] - X[k], X[j] - X[k]
                dij, dik, djk = np.linalg.norm(rij), np.linalg.norm(rik), np.linalg.norm(rjk)
                cos = np.dot(rij, rik) / (dij * dik)
                G[i] += (1 + lam * cos) ** zeta * np.exp(-eta * (dij**2 + dik**2 + djk**2))
    return 2 ** (1 - zeta) * G


def lj_forces_loop(X):
    N = X.shape[0]
    Fm = np.zeros_like(X)
    for i in range(N):
        for j in range(i + 1, N):
            rij = X[i] - X[j]
            r2 = np.dot(rij, rij)
            f = 24 * (2 / r2**7 - 1 / r2**4) * rij
            Fm[i] += f
            Fm[j] -= f
    return Fm


def lj_forces_wrong(X):
    N = X.shape[0]
    Fm = np.zeros_like(X)
    for i in range(N):
        for j in range(i + 1, N):
            rij = X[i] - X[j]
            r2 = np.dot(rij, rij)
            f = 24 * (2 / r2**7 - 1 / r2**4) * rij
            Fm[i] += f
            Fm[j] += f
    return Fm


def bond_order_q(X, l=2):
    n = len(X)
    Q = np.zeros((3, 3))
    count = 0
    for i in range(n):
        for j in range(n):
            if i != j:
                d = X[j] - X[i]
                u = d / np.linalg.norm(d)
                Q += np.outer(u, u) - np.eye(3) / 3
                count += 1
    Q /= count
    return np.sqrt(1.5 * np.sum(Q**2))


def rmsd_kabsch(P, Q):
    P = P - P.mean(axis=0)
    Q = Q - Q.mean(axis=0)
    C = np.dot(P.T, Q)
    V, S, W = np.linalg.svd(C)
    d = (np.linalg.det(V) * np.linalg.det(W)) < 0.0
    if d:
        S[-1] = -S[-1]
        V[:, -1] = -V[:, -1]
    U = np.dot(V, W)
    return np.sqrt(((np.dot(P, U) - Q) ** 2).sum() / len(P))


def procrustes_disparity(A, B):
    A = A - A.mean(0)
    B = B - B.mean(0)
    A = A / np.linalg.norm(A)
    B = B / np.linalg.norm(B)
    s = np.linalg.svd(B.T @ A, compute_uv=False)
    return 1 - s.sum() ** 2


def distance_rmsd(P, Q):
    n = len(P)
    total = 0.0
    for i in range(n - 1):
        for j in range(i + 1, n):
            total += (np.linalg.norm(P[i] - P[j]) - np.linalg.norm(Q[i] - Q[j])) ** 2
    return np.sqrt(2 * total / (n * (n - 1)))


def gyration_descriptors(X):
    X = X - X.mean(axis=0)
    S = X.T.dot(X) / len(X)
    l1, l2, l3 = np.sort(np.linalg.eigvalsh(S))[::-1]
    rg2 = l1 + l2 + l3
    return np.array([rg2, l1 - 0.5 * (l2 + l3), l2 - l3])


def smooth_contacts(X, r0=1.5):
    d = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    iu = np.triu_indices(len(X), k=1)
    x = d[iu] / r0
    return np.sum((1 - x**6) / (1 - x**12))


def rdf_hist(X, edges=(0.0, 1.0, 2.0, 3.0)):
    d = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    d = d[np.triu_indices(len(X), k=1)]
    hist, _ = np.histogram(d, bins=np.array(edges))
    return hist / len(X)


# NumPy: statistics, signals.
def huber_location(x, k=1.345, iters=3):
    mu = np.median(x)
    for _ in range(iters):
        r = np.abs(x - mu)
        w = np.where(r <= k, 1.0, k / np.maximum(r, 1e-12))
        mu = np.sum(w * x) / np.sum(w)
    return mu


def mad_outliers(x, t=3.5):
    med = np.median(x)
    mad = np.median(np.abs(x - med))
    z = 0.6745 * (x - med) / mad
    return np.where(np.abs(z) > t, med, x)


def trimmed_mean(x, p=0.2):
    x = np.sort(x)
    k = int(p * len(x))
    return x[k : len(x) - k].mean()


def kendall_tau(x, y):
    n = len(x)
    s = 0
    for i in range(n):
        for j in range(i):
            s += np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
    return 2 * s / (n * (n - 1))


def gini(x):
    x = np.sort(x)
    n = len(x)
    cum = np.cumsum(x)
    return (n + 1 - 2 * np.sum(cum) / cum[-1]) / n


def energy_distance(X, Y):
    def d(A, B):
        return np.mean(np.linalg.norm(A[:, np.newaxis] - B[np.newaxis], axis=-1))

    return 2 * d(X, Y) - d(X, X) - d(Y, Y)


def rbf_median(X):
    sq = ((X[:, None] - X[None, :]) ** 2).sum(axis=2)
    h = np.median(sq)
    h = np.sqrt(0.5 * h / np.log(X.shape[0] + 1))
    return np.exp(-sq / h**2 / 2)


def svgd_update(X, eps=0.1):
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / 2)
    grad_logp = -X
    dx = K @ grad_logp
    for i in range(X.shape[1]):
        dx[:, i] += X[:, i] * K.sum(1) - K @ X[:, i]
    return X + eps * dx / len(X)


def roc_auc(scores, pos):
    d = scores[:, None] - pos[None, :]
    return ((d > 0).sum() + 0.5 * (d == 0).sum()) / d.size


def ndcg(rel, scores, k=3):
    order = np.argsort(-scores)[:k]
    dcg = np.sum((2 ** rel[order] - 1) / np.log2(np.arange(2, k + 2)))
    ideal = np.sort(rel)[::-1][:k]
    return dcg / np.sum((2**ideal - 1) / np.log2(np.arange(2, k + 2)))


def circular_autocorr(x):
    f = np.fft.fft(x - np.mean(x))
    r = np.fft.ifft(f * np.conj(f)).real
    return r / r[0]


def power_centroid(x):
    f = np.fft.fftshift(np.fft.fft(x))
    p = np.abs(f) ** 2
    return np.sum(np.arange(len(x)) * p) / np.sum(p)


def haar_level(x):
    a = (x[0::2] + x[1::2]) / np.sqrt(2)
    d = (x[0::2] - x[1::2]) / np.sqrt(2)
    return np.array([np.sum(a**2), np.sum(d**2)])


def zero_crossings(x):
    return np.sum(np.abs(np.diff(np.sign(x)))) / (2 * len(x))


def knn_mean_distance(X, k=2):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    np.fill_diagonal(D, np.inf)
    return np.sort(D, axis=1)[:, :k].mean(axis=1)


def lof_reach(X, k=2):
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    idx = np.argsort(D, axis=1)[:, 1 : k + 1]
    kd = np.take_along_axis(D, idx, axis=1)[:, -1]
    reach = np.maximum(np.take_along_axis(D, idx, axis=1), kd[idx])
    lrd = 1.0 / reach.mean(axis=1)
    return lrd[idx].mean(axis=1) / lrd


# JAX.
def jax_segment_softmax():
    import jax
    import jax.numpy as jnp

    def f(logits, seg, n=3):
        m = jax.ops.segment_max(logits, seg, num_segments=n)
        e = jnp.exp(logits - m[seg])
        return e / jax.ops.segment_sum(e, seg, num_segments=n)[seg]

    return f


def jax_rnn_scan():
    import jax
    import jax.numpy as jnp

    W = jnp.array([[0.5, -0.25], [0.125, 0.75]])
    U = jnp.array([[1.0, 0.5, -1.0], [0.25, 0.0, 2.0]])

    def f(x):  # time batch 3
        def step(h, xt):
            h = jnp.tanh(h @ W.T + xt @ U.T)
            return h, h

        h0 = jnp.zeros((x.shape[1], 2))
        h, hs = jax.lax.scan(step, h0, x)
        return hs

    return f


def jax_egnn_dense():
    import jax
    import jax.numpy as jnp

    k1, k2, _ = jax.random.split(jax.random.PRNGKey(0), 3)
    We, Wx = jax.random.normal(k1, (7, 4)), jax.random.normal(k2, (4, 1))

    def f(h, x):
        n = h.shape[0]
        diff = x[:, None, :] - x[None, :, :]
        d2 = jnp.sum(diff**2, axis=-1, keepdims=True)
        hi = jnp.repeat(h[:, None, :], n, axis=1)
        hj = jnp.repeat(h[None, :, :], n, axis=0)
        m = jax.nn.silu(jnp.concatenate([hi, hj, d2], axis=-1) @ We)
        m = m * (1 - jnp.eye(n))[..., None]
        x = x + jnp.sum(diff * (m @ Wx), axis=1) / (n - 1)
        return x

    return f


def jax_force():
    import jax
    import jax.numpy as jnp

    def energy(R, L=4.0):
        dR = R[:, None] - R[None]
        dR = dR - L * jnp.round(dR / L)
        r2 = jnp.sum(dR**2, -1)
        mask = 1 - jnp.eye(R.shape[0])
        return 0.5 * jnp.sum(mask * jnp.exp(-r2))

    return lambda R: -jax.grad(energy)(R)


def jax_rbf_ard(log_scale=0.0):
    import jax
    import jax.numpy as jnp

    def k(x, y):
        return jnp.exp(-0.5 * jnp.sum((x - y) ** 2) / jnp.exp(2 * log_scale))

    gram = jax.vmap(jax.vmap(k, (None, 0)), (0, None))

    def predict(X, y, Xs):
        K = gram(X, X) + 0.1 * jnp.eye(X.shape[0])
        L = jnp.linalg.cholesky(K)
        alpha = jax.scipy.linalg.cho_solve((L, True), y)
        return gram(Xs, X) @ alpha

    return predict


def jax_mds_stress():
    import jax.numpy as jnp

    def f(D, X):
        i, j = jnp.triu_indices(X.shape[0], k=1)
        d = jnp.sqrt(jnp.sum((X[i] - X[j]) ** 2, axis=1) + 1e-12)
        return jnp.sum((D[i, j] - d) ** 2) / jnp.sum(d**2)

    return f


mods = seeded
CLAIMS = [
    torch_true("PaiNN interaction", mods(PaiNNInteraction), "q: n 4, mu: n 3 4, pos: n 3, e[n]: 2 m -> n 3 4", "O(3)"),
    torch_true("PaiNN interaction nodes", mods(PaiNNInteraction), "q: n 4, mu: n 3! 4, pos: n 3!, e[n]: 2 m -> n 3! 4", "S(n) x S(m)"),
    torch_true("PaiNN mixing", mods(PaiNNMixing), "q: n 4, mu: n 3 4 -> n 3 4", "O(3)"),
    torch_true("SchNet forces", mods(SchNetEnergy), "pos: n 3 -> n 3^", "E(3)"),
    torch_true("backward forces", lambda: backward_forces, "pos: n d -> n d^", "S(n) x E(d)", backend="torch"),
    torch_true("DimeNet angles", lambda: dimenet_angles, "pos: n 3, i[n]: m, j[n]: m, k[n]: m -> m", "S(n) x E(3)", backend="torch"),
    torch_true("TorchMD equivariant layer", mods(TorchMDEquivariantLayer), "x: n 4, vec: n 3^ 4, pos: n 3 -> n 3^ 4", "E(3)"),
    torch_true("TorchMD equivariant layer atoms", mods(TorchMDEquivariantLayer), "x: n 4, vec: n 3 4, pos: n 3 -> n 3 4", "S(n)"),
    torch_true("PointNet++ square_distance", lambda: square_distance, "x: b n d, y: b m d -> b n m", "E(d) x S(n) x S(m)", backend="torch"),
    torch_true("PointNet++ farthest points", lambda: farthest_point_sample, "x: b n d -> b 2 d", "E(d)", backend="torch", sizes={"b": 2, "n": (3, 4), "d": (2, 3)}),
    torch_true("PointNet++ feature propagation", mods(PointNetFeaturePropagation), "x: b n d, y: b m d, p: b m 4 -> b n 5", "S(n)", sizes={"m": (4, 5)}),
    torch_true("PointNet STN", mods(STN3d), "x: b 3 n -> b 3 n", "S(n) x S(b)"),
    torch_true("chamfer", lambda: chamfer_distance, "x: n d, y: m d -> ()", "E(d) x S(n) x S(m)", backend="torch"),
    torch_true("Hausdorff", lambda: hausdorff, "x: n d, y: m d -> ()", "E(d) x S(n) x S(m)", backend="torch"),
    torch_true("vector neurons batch norm, max pool", mods(VNBatchNormMax), "x: b 4 3 n -> b 4 3", "O(3)", sizes={"b": (1, 2), "n": (2, 3)}),
    torch_true("GCN dense", mods(GCNDense), "X: n 3, A: n n -> n 2", "S(n)", draw="positive"),
    torch_true("GATv2 from scratch", mods(GATv2), "x: n 3, e[n]: 2 m -> n 8", "S(n) x S(m)"),
    torch_true("GIN loop", mods(GINLoop), "h: n 3, a: n n -> 6", "S(n)"),
    torch_true("SAGE mean", mods(SAGEMean), "x: n 3, e[n]: 2 m -> n 4", "S(n) x S(m)"),
    torch_true("Graphormer", mods(GraphormerAttention), "x: n 8, spd[6]: n n, deg[6]: n -> n 8", "S(n)"),
    torch_true("global attention pool", lambda: global_attention_pool, "g: n, x: n d, b[3]: n -> 3 d", "S(n)", backend="torch"),
    torch_true("scatter softmax", lambda: scatter_softmax, "s: n, i[n]: n -> n", "S(n)", backend="torch"),
    torch_true("rotary cached, batch", mods(RotaryCached), "q: b n 4, k: b n 4 -> b n n", "S(b)"),
    torch_true("sliding window, features", lambda: sliding_window_attention, "q: n d, k: n d, v: n c -> n c", "O(d) x S(c)", backend="torch"),
    torch_true("GRU cells, batch", mods(GRULoop), "x: b t 3 -> b 2", "S(b)"),
    torch_true("vanilla RNN, batch", mods(VanillaRNN), "x: b t 3 -> b t 4", "S(b)"),
    torch_true("EMA filter", lambda: ema_filter, "x: t d -> t d", "E(d)", backend="torch"),
    torch_true("NT-Xent off diagonal", lambda: nt_xent, "a: n d, b: n d -> ()", "S(n) x O(d)", backend="torch"),
    torch_true("Barlow twins from scratch", lambda: barlow_twins, "a: n d, b: n d -> ()", "S(n) x S(d)", backend="torch", sizes={"n": (2, 5), "d": (2, 4)}),
    torch_true("center loss", lambda: center_loss, "x: n d, y[k]: n, c: k d -> ()", "S(n) x S(k) x O(d)", backend="torch"),
    torch_true("SupCon", lambda: supcon, "x: n d, y[3]: n -> ()", "S(n) x O(d)", backend="torch"),
    torch_true("uniformity", lambda: uniformity, "x: n d -> ()", "S(n) x O(d)", backend="torch", sizes={"n": (2, 5)}),
    torch_true("FAPE", lambda: fape, "p: n 3, t: n 3!, R: 3! 3^ 3!, S: 3! 3! 3! -> ()", "E(3)", backend="torch", sizes={"n": (3, 5)}),
    torch_true("dice loss", lambda: dice_loss, "x: b c n, y: b c n -> ()", "S(b) x S(c) x S(n)", backend="torch"),
    torch_true("instance norm by hand", mods(InstanceNormManual), "x: b 3 h w -> b 3 h w", "S(h) x S(w)"),
    torch_true("GeM", mods(GeM), "x: b c h w -> b c 1 1", "S(h) x S(w) x S(c)"),
    torch_true("CBAM channels", mods(CBAMChannel), "x: b 4 h w -> b 4 h w", "S(h) x S(w)"),
    true("Coulomb matrix", lambda: coulomb_matrix, "Z: n, R: n d -> n n", "S(n) x E(d)", draw="positive"),
    true("Behler G2", lambda: behler_g2, "X: n d -> n", "S(n) x E(d)"),
    true("Behler G4", lambda: behler_g4, "X: n d -> n", "S(n)"),
    true("LJ forces in a loop", lambda: lj_forces_loop, "X: n d -> n d^", "S(n) x E(d)"),
    true("bond order", lambda: bond_order_q, "X: n 3 -> ()", "S(n) x E(3)", sizes={"n": (2, 5)}),
    true("RMSD of Kabsch", lambda: rmsd_kabsch, "P: n 3, Q: n 3! -> ()", "SE(3)", sizes={"n": (4, 5)}),
    true("Procrustes disparity", lambda: procrustes_disparity, "A: n d, B: n d -> ()", "S(n) x E(d)"),
    true("distance RMSD", lambda: distance_rmsd, "P: n d, Q: n d -> ()", "E(d)"),
    true("gyration", lambda: gyration_descriptors, "X: n 3 -> 3!", "S(n) x E(3)"),
    true("smooth contacts", lambda: smooth_contacts, "X: n d -> ()", "S(n) x E(d)"),
    true("histogram of distances", lambda: rdf_hist, "X: n d -> 3", "S(n) x E(d)"),
    true("Huber location", lambda: huber_location, "x: n -> ()", "S(n)"),
    true("MAD outliers", lambda: mad_outliers, "x: n -> n", "S(n)"),
    true("trimmed mean", lambda: trimmed_mean, "x: n -> ()", "S(n)"),
    true("Kendall", lambda: kendall_tau, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 5)}),
    true("Gini", lambda: gini, "x: n -> ()", "S(n)", draw="positive"),
    true("energy distance", lambda: energy_distance, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)"),
    true("RBF with the median", lambda: rbf_median, "X: n d -> n n", "S(n) x E(d)", sizes={"n": (2, 5)}),
    true("SVGD", lambda: svgd_update, "X: n d -> n d", "S(n) x O(d)"),
    true("AUC", lambda: roc_auc, "s: n, p: m -> ()", "S(n) x S(m)"),
    true("circular autocorrelation by fft", lambda: circular_autocorr, "x: n -> n!", "C(n)", sizes={"n": (2, 6)}),
    true("spectral centroid shifted", lambda: power_centroid, "x: n -> ()", "C(n)"),
    true("Haar energies", lambda: haar_level, "x: n -> 2", "C(n)", sizes={"n": 2}),
    true("neighbour distances", lambda: knn_mean_distance, "X: n d -> n", "S(n) x E(d)", sizes={"n": (3, 5)}),
    true("local outlier factor", lambda: lof_reach, "X: n d -> n", "E(d)", sizes={"n": (3, 5)}),
    jax_true("segment softmax", jax_segment_softmax, "x: n, i[3]: n -> n", "S(n)", backend="jax"),
    jax_true("scan RNN, batch", jax_rnn_scan, "x: t b 3 -> t b 2", "S(b)", backend="jax"),
    jax_true("EGNN dense", jax_egnn_dense, "h: n 3, x: n 3! -> n 3!", "S(n)", backend="jax", single=True, sizes={"n": (2, 5)}),
    jax_true("forces in a box", jax_force, "R: n d -> n d", "S(n)", backend="jax"),
    jax_true("forces in a box turned over", jax_force, "R: n d -> n d^", "Signs(d)", backend="jax"),
    jax_true("GP mean", jax_rbf_ard, "X: n d, y: n, Z: m d -> m", "E(d) x S(m)", backend="jax"),
    jax_true("GP mean of a set", jax_rbf_ard, "X: n d, y: n, Z: m d -> m", "S(n)", backend="jax"),
    jax_true("MDS stress", jax_mds_stress, "D: n n, X: n d -> ()", "E(d)", backend="jax", sizes={"n": (2, 5)}),
    # false
    torch_false("PaiNN interaction of abs", mods(functools.partial(PaiNNInteraction, wrong=True)), "q: n 4, mu: n 3 4, pos: n 3, e[n]: 2 m -> n 3 4", "O(3)"),
    torch_false("PaiNN mixing with a bias", mods(functools.partial(PaiNNMixing, wrong=True)), "q: n 4, mu: n 3 4 -> n 3 4", "O(3)"),
    torch_false("DimeNet angles, edges exchanged", lambda: lambda p, i, j, k: dimenet_angles(p, j, i, k) * (1.0 + p[:1, :1].sum()), "pos: n 3, i[n]: m, j[n]: m, k[n]: m -> m", "E(3)", backend="torch"),
    torch_false("PointNet++ farthest points of a set", lambda: farthest_point_sample, "x: b n d -> b 2 d", "S(n)", backend="torch", sizes={"b": 1, "n": (3, 4), "d": 2}),
    torch_false("PointNet STN turned", mods(STN3d), "x: b 3 n -> b 3 n", "O(3)"),
    torch_false("chamfer of the first", lambda: chamfer_wrong, "x: n d, y: m d -> ()", "S(n)", backend="torch"),
    torch_false("GCN with rows for columns", mods(GCNDense), "X: n 3, A: n n -> n 2", "Signs(3)", draw="positive"),
    torch_false("GATv2, features rotated", mods(GATv2), "x: n 3, e[n]: 2 m -> n 8", "O(3)"),
    torch_false("scatter softmax doubled", lambda: lambda s, i: scatter_softmax(2 * s, i) * s[0], "s: n, i[n]: n -> n", "S(n)", backend="torch"),
    torch_false("rotary cached, positions", mods(RotaryCached), "q: b n 4, k: b n 4 -> b n n", "S(n)"),
    torch_false("sliding window of a set", lambda: sliding_window_attention, "q: n d, k: n d, v: n c -> n c", "S(n)", backend="torch"),
    torch_false("sliding window turned around", lambda: sliding_window_attention, "q: n d, k: n d, v: n c -> n c", "D(n)", backend="torch"),
    torch_false("GRU cells, steps", mods(GRULoop), "x: b t 3 -> b 2", "S(t)"),
    torch_false("vanilla RNN, steps", mods(VanillaRNN), "x: b t 3 -> b t 4", "C(t)"),
    torch_false("EMA filter reversed", lambda: ema_filter, "x: t d -> t d", "D(t)", backend="torch"),
    torch_false("NT-Xent of one half", lambda: nt_xent, "a: n d, b: n! d -> ()", "S(n)", backend="torch"),
    torch_false("Barlow twins rotated", lambda: barlow_twins, "a: n d, b: n d -> ()", "O(d)", backend="torch", sizes={"n": (2, 5), "d": (2, 4)}),
    torch_false("FAPE mirrored frames", lambda: fape, "p: n 3, t: n 3!, R: 3! 3! 3!, S: 3! 3! 3! -> ()", "O(3)", backend="torch", sizes={"n": (3, 5)}),
    torch_false("GeM of turned rows", mods(GeM), "x: b c h w -> b c 1 1", "O(h)"),
    false("LJ forces added twice", lambda: lj_forces_wrong, "X: n d -> n d^", "S(n)"),
    false("RMSD mirrored", lambda: rmsd_kabsch, "P: n 3, Q: n 3! -> ()", "O(3)", sizes={"n": (4, 5)}),
    false("Gini of signs", lambda: gini, "x: n -> ()", "Signs(n)"),
    false("trimmed mean of the order", lambda: lambda x: trimmed_mean(x) + x[-1], "x: n -> ()", "S(n)"),
    false("zero crossings of a set", lambda: zero_crossings, "x: n -> ()", "S(n)"),
    false("spectral centroid scaled", lambda: lambda x: power_centroid(x) + np.abs(x).sum(), "x: n -> ()", "Scale(n)"),
    false("Haar energies shifted", lambda: haar_level, "x: n -> 2", "C(n)", sizes={"n": 4}),
    false("nDCG of the first", lambda: lambda r, s: ndcg(r, s) * r[0], "r: n, s: n -> ()", "S(n)", sizes={"n": (3, 5)}, draw="positive"),
    false("local outlier factor scaled", lambda: lambda X: lof_reach(X) + np.linalg.norm(X, axis=1), "X: n d -> n", "T(d)", sizes={"n": (3, 5)}),
    jax_false("segment softmax of the first", lambda: (lambda f: lambda x, i: f(x, i) * x[0])(jax_segment_softmax()), "x: n, i[3]: n -> n", "S(n)", backend="jax"),
    jax_false("scan RNN, steps", jax_rnn_scan, "x: t b 3 -> t b 2", "S(t)", backend="jax"),
    jax_false("GP mean with one prior", lambda: (lambda f: lambda X, y, Z: f(X, y, Z) + Z[:, 0])(jax_rbf_ard()), "X: n d, y: n, Z: m d -> m", "O(d)", backend="jax"),
    jax_false("forces in a box rotated", jax_force, "R: n d -> n d", "O(d)", backend="jax", sizes={"d": 2}),
]  # fmt: skip
