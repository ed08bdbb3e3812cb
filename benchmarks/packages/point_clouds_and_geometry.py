"""Point clouds, meshes, distances, rotations and rigid alignment."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from sklearn import neighbors
from sklearn.metrics import pairwise
from torch import nn

from benchmarks.packages.claims import numpy_false, numpy_true, torch_false, torch_true
from benchmarks.packages.helpers import (
    CLOUD_2,
    CLOUDS,
    IPA,
    LIST,
    PAST,
    ROWS,
    SETS,
    VECTOR_2,
    CrossProductLayer,
    TFNLayer,
    TwoWL,
    built,
    built_2,
    f_score,
    finnis_sinclair,
    held,
    index_points,
    lof_reach,
    mods,
    mods_2,
    named,
    packed,
    seeded,
    square_distance,
    tsne_grad,
    using,
    vertex_normals,
)


def kabsch_rmsd(P, Q):
    P, Q = P - P.mean(0), Q - Q.mean(0)
    s = np.linalg.svd(P.T @ Q, compute_uv=False)
    return (P**2).sum() + (Q**2).sum() - 2 * s.sum()


def bond_angles(X):
    u, v = X[:-2] - X[1:-1], X[2:] - X[1:-1]
    return (u * v).sum(1) / (np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1))


def polygon_area(P):
    x, y = P[:, 0], P[:, 1]
    return 0.5 * np.abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


def chamfer(P, Q):
    d = np.linalg.norm(P[:, None, :] - Q[None, :, :], axis=-1)
    return d.min(axis=1).mean() + d.min(axis=0).mean()


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


class EGCL(nn.Module):
    """Messages from distances, coordinates moved along differences."""

    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 1))

    def forward(self, x):
        """The layer."""
        rel = x.unsqueeze(1) - x.unsqueeze(0)
        dist = rel.square().sum(-1, keepdim=True)
        return x + (rel * self.phi(dist) / (dist.sqrt() + 1)).sum(1) / (x.size(0) - 1 + 1e-6)


def e3nn_norm():
    from e3nn import o3

    return o3.Norm("2x1o")


def e3nn_linear():
    from e3nn import o3

    torch.manual_seed(0)
    layer = o3.Linear("4x0e", "3x0e")
    return lambda x: layer(x)


def spherical():
    from e3nn import o3

    return lambda x: (o3.spherical_harmonics(2, x, normalize=True) ** 2).sum(-1)


def sizes_of_harmonics():
    from e3nn import o3

    return lambda x: o3.spherical_harmonics(1, x, normalize=True).abs()


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


def pca_distances(X):
    Xc = X - X.mean(0)
    _, V = np.linalg.eigh(Xc.T @ Xc / len(X))
    Y = Xc @ V
    return np.sqrt(((Y[:, None] - Y[None]) ** 2).sum(-1))


def hausdorff(A, B):
    D = np.sqrt(((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2))
    return max(D.min(axis=1).max(), D.min(axis=0).max())


def knn_mean(X, k=2):
    D = ((X[:, None] - X[None, :]) ** 2).sum(-1)
    idx = np.argpartition(D, k, axis=1)[:, : k + 1]
    return X[idx].mean(axis=1)


def signed_volume(a, b, c, d):
    return np.dot(a - d, np.cross(b - d, c - d)) / 6


PAIRS = "P: n 3, Q: n 3 -> ()"


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


def rotation_error(P, Q):
    U, _, Vt = np.linalg.svd(P.T @ Q)
    return np.linalg.norm(P @ U @ Vt - Q, "fro")


def bond_angle(a, b, c):
    ba, bc = a - b, c - b
    return np.degrees(np.arccos(np.dot(ba, bc) / (np.linalg.norm(ba) * np.linalg.norm(bc))))


def minimum_image(X, L=4.0):
    d = X[:, None] - X[None]
    d -= L * np.round(d / L)
    return np.sqrt((d**2).sum(-1) + 1e-9)


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


class Performer(nn.Module):
    def __init__(self, d=4, m=6):
        super().__init__()
        self.register_buffer("w", torch.randn(m, d))

    def phi(self, x):
        return torch.exp(x @ self.w.t() - (x**2).sum(-1, keepdim=True) / 2) / math.sqrt(self.w.shape[0])

    def forward(self, q, k, v):
        q, k = self.phi(q), self.phi(k)
        return (q @ (k.transpose(-2, -1) @ v)) / (q @ k.sum(-2).unsqueeze(-1))


PAIR_local = "P: n 3, Q: n 3 -> n 3"


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


def hausdorff_2(x, y):
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


def fape(pred, true_, R1, R2, clamp=10.0):
    a = torch.einsum("fij,fnj->fni", R1.transpose(-1, -2), pred[None, :] - pred[:3, None])
    b = torch.einsum("fij,fnj->fni", R2.transpose(-1, -2), true_[None, :] - true_[:3, None])
    return torch.sqrt(((a - b) ** 2).sum(-1) + 1e-4).clamp(max=clamp).mean()


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


def procrustes_disparity_2(A, B):
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


def rdf_hist(X, edges=(0.0, 1.0, 2.0, 3.0)):
    d = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    d = d[np.triu_indices(len(X), k=1)]
    hist, _ = np.histogram(d, bins=np.array(edges))
    return hist / len(X)


def mad_outliers(x, t=3.5):
    med = np.median(x)
    mad = np.median(np.abs(x - med))
    z = 0.6745 * (x - med) / mad
    return np.where(np.abs(z) > t, med, x)


def knn_mean_distance(X, k=2):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    np.fill_diagonal(D, np.inf)
    return np.sort(D, axis=1)[:, :k].mean(axis=1)


def canonical_frame():
    """The frame that a network of vector neurons chooses."""
    import types

    from equiadapt.pointcloud.canonicalization_networks.equivariant_networks import VNSmall

    torch.manual_seed(0)
    net = VNSmall(types.SimpleNamespace(n_knn=3, pooling="mean")).eval()
    return lambda x: net(x)


class GVP(nn.Module):
    """Geometric vector perceptron: scalars and vectors."""

    def __init__(self, si=3, vi=2, so=4, vo=3, bias=False):
        super().__init__()
        h = max(vi, vo)
        self.wh, self.ws, self.wv = nn.Linear(vi, h, bias=bias), nn.Linear(h + si, so), nn.Linear(h, vo, bias=False)
        self.gate = nn.Linear(so, vo)

    def forward(self, s, v):
        v = torch.transpose(v, -1, -2)
        vh = self.wh(v)
        vn = torch.sqrt(torch.clamp(torch.sum(torch.square(vh), -2), min=1e-8))
        s = self.ws(torch.cat([s, vn], -1))
        v = torch.transpose(self.wv(vh), -1, -2)
        v = v * torch.sigmoid(self.gate(torch.sigmoid(s))).unsqueeze(-1)
        return F.relu(s), v


class PointNetSeg(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2, self.conv3 = nn.Conv1d(3, 8, 1), nn.Conv1d(8, 8, 1), nn.Conv1d(16, 4, 1)
        self.bn1, self.bn2 = nn.BatchNorm1d(8), nn.BatchNorm1d(8)

    def forward(self, x):
        B, DIMENSION, N = x.size()
        local = F.relu(self.bn1(self.conv1(x)))
        g = torch.max(self.bn2(self.conv2(local)), 2, keepdim=True)[0]
        g = g.view(-1, 8, 1).repeat(1, 1, N)
        x = self.conv3(torch.cat([g, local], 1)).transpose(2, 1).contiguous()
        return F.log_softmax(x.view(-1, 4), dim=-1).view(B, N, 4), g[:, :, 0]


class Chamfer(nn.Module):
    """As the extensions of repositories do it."""

    def __init__(self, wrong=False):
        super().__init__()
        self.wrong = wrong

    def forward(self, x, y):
        xx, yy, zz = torch.bmm(x, x.transpose(2, 1)), torch.bmm(y, y.transpose(2, 1)), torch.bmm(x, y.transpose(2, 1))
        ix, iy = torch.arange(0, x.shape[1]), torch.arange(0, y.shape[1])
        rx = xx[:, ix, ix].unsqueeze(1).expand_as(zz.transpose(2, 1))
        ry = yy[:, iy, iy].unsqueeze(1).expand_as(zz)
        P = rx.transpose(2, 1) + ry - 2 * zz
        a, b = P.min(1)[0], P.min(2)[0]
        return a.mean(1) + (b.mean(1) if not self.wrong else b[:, 0])


def knn_gather(x, feats, k=2):
    d = torch.cdist(x, x)
    idx = d.topk(k + 1, largest=False).indices[..., 1:]
    return torch.stack([f[i] for f, i in zip(feats, idx, strict=True)]).mean(2)


def mel_like(x):
    frames = np.stack([x[i : i + 4] for i in range(0, len(x) - 3, 2)])
    return (np.abs(np.fft.rfft(frames * np.hanning(4), axis=-1)) ** 2).mean()


def turning(X):
    """Signed area and turning of a closed polygon."""
    x, y = X.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    e = np.roll(X, -1, axis=0) - X
    f = np.roll(e, -1, axis=0)
    ang = np.arctan2(e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0], (e * f).sum(1))
    return area, ang


def chamfer_2(x, y):
    d = torch.cdist(x, y) ** 2
    return d.min(dim=1).values.mean() + d.min(dim=0).values.mean()


def hausdorff_3(x, y):
    d = ((x[:, None] - y[None]) ** 2).sum(-1)
    return torch.maximum(d.amin(1).amax(), d.amin(0).amax())


def knn_features(x, k=2):
    d = torch.cdist(x, x)
    idx = d.topk(k + 1, largest=False).indices[:, 1:]
    neighbours = x[idx]
    return (neighbours - x.unsqueeze(1)).norm(dim=-1).mean(1)


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


class VNLinearLeakyReLU_2(nn.Module):
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


def frame_average_so(x):
    """Frames from PCA, averaged over signs."""
    c = x - x.mean(0, keepdim=True)
    _, V = torch.linalg.eigh(c.T @ c)
    ops = torch.tensor([[i, j, k] for i in (-1.0, 1.0) for j in (-1.0, 1.0) for k in (-1.0, 1.0)], dtype=x.dtype)
    F_ = V[None] * ops[:, None, :]
    h = torch.einsum("nd,fde->fne", c, F_)
    return torch.relu(h @ torch.tensor([[1.0, 0.5], [-0.3, 2.0], [0.7, -1.0]], dtype=x.dtype)).sum(1).mean(0)


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


def kabsch_rmsd_2(P, Q):
    P, Q = P - P.mean(0), Q - Q.mean(0)
    U, S, Vh = torch.linalg.svd(P.T @ Q)
    d = torch.sign(torch.linalg.det(U) * torch.linalg.det(Vh))
    s = torch.cat([S[:2], (S[2] * d)[None]])
    e = (P**2).sum() + (Q**2).sum() - 2 * s.sum()
    return torch.sqrt(e.clamp(min=0) / len(P))


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


def angle_kd(s):
    sd = s.unsqueeze(0) - s.unsqueeze(1)
    n = F.normalize(sd, p=2, dim=2)
    return torch.bmm(n, n.transpose(1, 2)).view(-1).pow(2).mean()


def procrustes_distance(a, b):
    a, b = a - a.mean(0), b - b.mean(0)
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    s = np.linalg.svd(a.T @ b, compute_uv=False)
    return 1 - s.sum() ** 2


def kabsch_align_2(P, Q):
    pc, qc = P.mean(0), Q.mean(0)
    H = (P - pc).T @ (Q - qc)
    U, S, Vt = np.linalg.svd(H)
    d = np.sign(np.linalg.det(Vt.T @ U.T))
    D = np.diag([1, 1, d])
    R = Vt.T @ D @ U.T
    return (P - pc) @ R.T + qc


def plain_polygon(P):
    s = 0.0
    for i in range(len(P)):
        x1, y1 = P[i]
        x2, y2 = P[(i + 1) % len(P)]
        s += x1 * y2 - x2 * y1
    return abs(s) / 2


def distance(of):
    return held("pytorch_metric_learning.distances as D", "lambda x, y: f(x, y)", f"f = D.{of}")


class GVP_2(nn.Module):
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


def uniformity(x, t=2):
    return torch.pdist(x, p=2).pow(2).mul(-t).exp().mean().log()


def hausdorff_4(x, y):
    d = np.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))
    return max(d.min(1).max(), d.min(0).max())


def procrustes(x, y):
    x, y = x - x.mean(0), y - y.mean(0)
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    return 1 - np.linalg.svd(x.T @ y, compute_uv=False).sum() ** 2


def drmsd(x, y):
    n = x.shape[0]
    dx, dy = torch.cdist(x, x), torch.cdist(y, y)
    return ((dx - dy) ** 2).sum().div(n * (n - 1)).sqrt()


def three_nn(x, y, f):  # PointNet++'s feature propagation
    d, i = torch.cdist(y, x).topk(3, largest=False)
    w = 1 / (d + 1e-8)
    w = w / w.sum(-1, keepdim=True)
    return (f[i] * w[..., None]).sum(1)


def frame_descriptor(x):  # invariant coordinates from the first three points
    a, b, c = x[0], x[1], x[2]
    e1 = F.normalize(b - a, dim=0)
    e2 = F.normalize(c - a - (c - a).dot(e1) * e1, dim=0)
    e3 = torch.linalg.cross(e1, e2)
    return (x - a) @ torch.stack([e1, e2, e3], 1)


def angles(x):  # all angles i-j-k
    r = F.normalize(x[None] - x[:, None] + 1e-9, dim=-1)
    return torch.einsum("jid,jkd->ijk", r, r)


def lof(x, k=2):  # local outlier factor
    d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))
    idx = np.argsort(d, axis=1)[:, 1 : k + 1]
    kd = np.take_along_axis(d, idx, 1)[:, -1]
    reach = np.maximum(np.take_along_axis(d, idx, 1), kd[idx])
    lrd = 1 / (reach.mean(1) + 1e-10)
    return lrd[idx].mean(1) / lrd


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


def density_aware_chamfer(x, y, alpha=1.0):
    d = ((x[:, None] - y[None]) ** 2).sum(-1)
    d1, i1 = d.min(1)
    d2, i2 = d.min(0)
    count1 = torch.zeros(y.shape[0], dtype=x.dtype).scatter_add_(0, i1, torch.ones_like(d1))
    count2 = torch.zeros(x.shape[0], dtype=x.dtype).scatter_add_(0, i2, torch.ones_like(d2))
    w1, w2 = 1 / (count1[i1] + 1e-6), 1 / (count2[i2] + 1e-6)
    return ((1 - torch.exp(-d1 * alpha) * w1).mean() + (1 - torch.exp(-d2 * alpha) * w2).mean()) / 2


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


def pkt(student, teacher, eps=1e-7):
    out = []
    for z in (student, teacher):
        z = z / (z.pow(2).sum(1, keepdim=True).sqrt() + eps)
        z[z != z] = 0
        sim = (z @ z.transpose(0, 1) + 1) / 2
        out.append(sim / sim.sum(1, keepdim=True))
    s, t = out
    return torch.mean(t * torch.log((t + eps) / (s + eps)))


def mesh_area(v, f):
    a, b, c = v[f[:, 0]], v[f[:, 1]], v[f[:, 2]]
    return 0.5 * torch.linalg.norm(torch.cross(b - a, c - a, dim=1), dim=1).sum()


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


def plaquettes(u):  # of U(1) links by their angles, directions first
    ux, uy = u[0], u[1]
    p = ux + np.roll(uy, -1, axis=0) - np.roll(ux, -1, axis=1) - uy
    return (1 - np.cos(p)).sum()


def vortices(x, gamma):
    dx, dy = x[:, None, 0] - x[None, :, 0], x[:, None, 1] - x[None, :, 1]
    r2 = dx**2 + dy**2 + 1e-3
    return np.stack([-(gamma * dy / r2).sum(1), (gamma * dx / r2).sum(1)], axis=-1) / (2 * np.pi)


CLAIMS = [
    numpy_true("kabsch", lambda: kabsch_rmsd, "P: n 3, Q: n 3 -> ()", "O(3) x S(n)"),
    numpy_true("bond angles", lambda: bond_angles, "X: n d -> m", "E(d)", sizes={"n": (4, 4), "m": (2, 2)}),
    numpy_true("polygon area", lambda: polygon_area, "P: n 2 -> ()", "D(n)"),
    numpy_true("chamfer distance", lambda: chamfer, "P: n d, Q: m d -> ()", "E(d) x S(n) x S(m)"),
    numpy_true("opposite neighbour", lambda: lambda x: x + np.roll(x, len(x) // 2), "x: n -> n", "C(n)"),
    torch_true("PointNet", built(PointNet), "x: b 3 n -> b 16", "S(n)"),
    numpy_false("bond angles reordered", lambda: lambda X: bond_angles(X).sum(), "X: n d -> ()", "S(n)", sizes={"n": (4, 6)}),
    numpy_false("polygon area shuffled", lambda: polygon_area, "P: n 2 -> ()", "S(n)", sizes={"n": (4, 6)}),
    numpy_false("chamfer city block", lambda: lambda P, Q: np.abs(P[:, None] - Q[None]).sum(-1).min(1).mean(), "P: n d, Q: m d -> ()", "O(d)"),
    torch_false("PointNet rotated", built(PointNet), "x: b 3 n -> b 16", "O(3)"),
    numpy_true("sklearn haversine", lambda: lambda X: pairwise.haversine_distances(X), "X: n 2 -> n n", "S(n)"),
    numpy_true("sklearn nan_euclidean", lambda: lambda X: pairwise.nan_euclidean_distances(X), "X: n d -> n n", "S(n)"),
    numpy_true("sklearn kneighbors distances", lambda: lambda X: neighbors.NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X)[0], "X: n d -> n 2", "S(n)", sizes={"n": (4, 6)}),
    torch_true("torch GroupNorm points", seeded(lambda: nn.Sequential(nn.Conv1d(3, 8, 1), nn.GroupNorm(2, 8), nn.Mish())), "x: b 3 n -> b 8 n", "S(n)"),
    torch_true("torch EGCL", seeded(EGCL), "x: n d -> n d", "S(n) x E(d)"),
    numpy_true("sklearn paired_distances", lambda: pairwise.paired_distances, "X: n d, Y: n d -> n", "E(d)"),
    torch_true("e3nn Norm", e3nn_norm, "x: n 6 -> n 2", "S(n)"),
    torch_true("e3nn Linear of scalars", e3nn_linear, "x: n 4 -> n 3", "S(n)"),
    torch_true("e3nn spherical harmonics norm", spherical, "x: n 3 -> n", "O(3)"),
    torch_false("torch EGCL halves", lambda: (lambda m: lambda x: m(x) + 0.1 * x.abs())(seeded(EGCL)()), "x: n d -> n d", "O(d)"),
    torch_false("e3nn spherical harmonics rotated", sizes_of_harmonics, "x: n 3 -> n 3", "O(3)", backend="torch"),
    torch_false("e3nn Norm mixed", e3nn_norm, "x: n 6 -> n 2", "O(6)"),
    numpy_true("points to the unit sphere", lambda: unit_sphere, "P: n d -> n d^", "S(n) x E(d)"),
    numpy_true("Kabsch RMSD with sign", lambda: kabsch, PAIRS, "SE(3)", sizes={"n": (4, 6)}),
    numpy_true("Procrustes disparity", lambda: procrustes_disparity, "A: n 2, B: n 2 -> ()", "S(n) x E(2)", sizes={"n": (3, 6)}),
    numpy_true("PCA distances", lambda: pca_distances, "X: n 3 -> n n", "S(n) x E(3)", sizes={"n": (5, 7)}),
    numpy_true("Hausdorff distance", lambda: hausdorff, "A: n d, B: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("signed volume", lambda: signed_volume, "a: 3, b: 3, c: 3, d: 3 -> ()", "SE(3)"),
    numpy_false("points to the unit cube", lambda: lambda P: (P - P.min(0)) / (P.max(0) - P.min(0)).max(), "P: n d -> n d^", "O(d)"),
    numpy_false("Kabsch RMSD mirrored", lambda: lambda P, Q: kabsch(P, Q * np.array([1.0, 1.0, 1.0])), "P: n 3!, Q: n 3 -> ()", "O(3)", sizes={"n": (4, 6)}),
    numpy_false("signed volume mirrored", lambda: signed_volume, "a: 3, b: 3, c: 3, d: 3 -> ()", "E(3)"),
    numpy_false("kNN mean weighted", lambda: lambda X: knn_mean(X) * np.arange(1, 3), "X: n 2 -> n 2", "O(2)", sizes={"n": (4, 7)}),
    torch_true("metric-learning distances", built_2("pytorch_metric_learning.distances:LpDistance", normalize_embeddings=False), "x: n d, y: m d -> n m", "E(d)"),
    torch_true("kornia transform_points", named("kornia.geometry.linalg:transform_points"), "T: b 4 4, p: b n 3 -> b n 3", "S(n)"),
    torch_true("kornia axis angle norm", named("kornia.geometry.conversions:axis_angle_to_rotation_matrix"), "a: n 3 -> n 3 3", "SO(3)"),
    torch_true("roma quaternion action", named("roma:quat_action"), "q: n 4, v: n 3 -> n 3", "S(n)"),
    torch_false("roma quaternion action mirrored", named("roma:quat_action"), "q: n 4!, v: n 3 -> n 3", "SO(3)"),
    torch_true("pypose rotation of vectors", using("pypose:so3", lambda f, w, v: f(w).Exp().Act(v)), "w: n 3, v: n 3 -> n 3", "S(n)"),
    torch_true("pytorch-kinematics rotations", named("pytorch_kinematics.transforms:quaternion_to_matrix"), "q: n 4 -> n 3 3", "S(n)"),
    torch_true("pytorch-kinematics norm of products", using("pytorch_kinematics.transforms:quaternion_raw_multiply", lambda f, p, q: f(p, q).norm(dim=-1)), "p: n 4, q: n 4 -> n", "S(n) x O(4)"),
    torch_false("pytorch-kinematics product", named("pytorch_kinematics.transforms:quaternion_raw_multiply"), "p: n 4, q: n 4 -> n 4", "O(4)"),
    numpy_true("alignment by Kabsch", lambda: kabsch_align, PAIR_local, "S(n)"),
    numpy_true("rotation left by Procrustes", lambda: rotation_error, "P: n d, Q: n d! -> ()", "O(d)"),
    numpy_true("ICP step", lambda: icp_step, "P: n d, Q: m d -> n d", "S(n) x E(d)"),
    numpy_true("ICP error by loops", lambda: icp_error, "P: n d, Q: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("bond angle in degrees", lambda: bond_angle, "a: d, b: d, c: d -> ()", "E(d)"),
    numpy_true("minimum image distances", lambda: minimum_image, "X: n d -> n n", "S(n) x T(d)"),
    torch_true("vector neurons", seeded(VNLinearLeakyReLU), "x: b 4 3 n -> b 5 3 n", "S(b) x O(3) x S(n)"),
    torch_true("Performer features", seeded(Performer), "q: b n 4, k: b m 4, v: b m e -> b n e", "S(n) x S(m) x O(e)"),
    numpy_false("alignment of the wrong side", lambda: lambda P, Q: kabsch_align(P, Q) - kabsch_align(Q, P), PAIR_local, "T(3)"),
    torch_false("vector neurons with a bias", lambda: (lambda l: lambda x: l(x.transpose(1, -1)).transpose(1, -1))(seeded(lambda: nn.Linear(4, 5))()), "x: b 4 3 n -> b 5 3 n", "O(3)"),
    torch_true("PointNet++ square_distance", lambda: square_distance, "x: b n d, y: b m d -> b n m", "E(d) x S(n) x S(m)", backend="torch"),
    torch_true("PointNet++ farthest points", lambda: farthest_point_sample, "x: b n d -> b 2 d", "E(d)", backend="torch", sizes={"b": 2, "n": (3, 4), "d": (2, 3)}),
    torch_true("PointNet++ feature propagation", mods(PointNetFeaturePropagation), "x: b n d, y: b m d, p: b m 4 -> b n 5", "S(n)", sizes={"m": (4, 5)}),
    torch_true("PointNet STN", mods(STN3d), "x: b 3 n -> b 3 n", "S(n) x S(b)"),
    torch_true("chamfer", lambda: chamfer_distance, "x: n d, y: m d -> ()", "E(d) x S(n) x S(m)", backend="torch"),
    torch_true("Hausdorff", lambda: hausdorff_2, "x: n d, y: m d -> ()", "E(d) x S(n) x S(m)", backend="torch"),
    torch_true("vector neurons batch norm, max pool", mods(VNBatchNormMax), "x: b 4 3 n -> b 4 3", "O(3)", sizes={"b": (1, 2), "n": (2, 3)}),
    torch_true("FAPE", lambda: fape, "p: n 3, t: n 3!, R: 3! 3^ 3!, S: 3! 3! 3! -> ()", "E(3)", backend="torch", sizes={"n": (3, 5)}),
    numpy_true("RMSD of Kabsch", lambda: rmsd_kabsch, "P: n 3, Q: n 3! -> ()", "SE(3)", sizes={"n": (4, 5)}),
    numpy_true("Procrustes disparity", lambda: procrustes_disparity_2, "A: n d, B: n d -> ()", "S(n) x E(d)"),
    numpy_true("distance RMSD", lambda: distance_rmsd, "P: n d, Q: n d -> ()", "E(d)"),
    numpy_true("histogram of distances", lambda: rdf_hist, "X: n d -> 3", "S(n) x E(d)"),
    numpy_true("MAD outliers", lambda: mad_outliers, "x: n -> n", "S(n)"),
    numpy_true("neighbour distances", lambda: knn_mean_distance, "X: n d -> n", "S(n) x E(d)", sizes={"n": (3, 5)}),
    numpy_true("local outlier factor", lambda: lof_reach, "X: n d -> n", "E(d)", sizes={"n": (3, 5)}),
    torch_false("PointNet++ farthest points of a set", lambda: farthest_point_sample, "x: b n d -> b 2 d", "S(n)", backend="torch", sizes={"b": 1, "n": (3, 4), "d": 2}),
    torch_false("PointNet STN turned", mods(STN3d), "x: b 3 n -> b 3 n", "O(3)"),
    torch_false("chamfer of the first", lambda: chamfer_wrong, "x: n d, y: m d -> ()", "S(n)", backend="torch"),
    torch_false("FAPE mirrored frames", lambda: fape, "p: n 3, t: n 3!, R: 3! 3! 3!, S: 3! 3! 3! -> ()", "O(3)", backend="torch", sizes={"n": (3, 5)}),
    numpy_false("RMSD mirrored", lambda: rmsd_kabsch, "P: n 3, Q: n 3! -> ()", "O(3)", sizes={"n": (4, 5)}),
    torch_true("equiadapt VN frame", canonical_frame, "x: b 3 n -> b 3! 3", "S(b)", sizes={"n": (4, 5), "b": (1, 2)}),
    torch_true("equiadapt VN linear", built_2("equiadapt.pointcloud.canonicalization_networks.vector_neuron_layers:VNLinear", 3, 4), "x: b 3! 3 n -> b 4 3 n", "S(n) x O(3)"),
    torch_true("equiadapt VN leaky", built_2("equiadapt.pointcloud.canonicalization_networks.vector_neuron_layers:VNLeakyReLU", 4), "x: b 4 3 n -> b 4 3 n", "S(n) x O(3)"),
    torch_true("torch-kmeans distances", built_2("torch_kmeans.utils.distances:LpDistance"), "x: b n d, y: b m d -> b n m", "S(n) x S(m) x O(d)"),
    torch_true("torch-kmeans cosine", built_2("torch_kmeans.utils.distances:CosineSimilarity"), "x: b n d, y: b m d -> b n m", "S(n) x O(d)"),
    torch_true("GVP, scalars and vectors", mods_2(GVP), "s: n 3!, v: n 2 3 -> n 4, n 3! 3", "S(n) x O(3)"),
    torch_true("cross products, rotations", mods_2(CrossProductLayer), "v: n 3, w: n 3 -> n 3", "S(n) x SO(3)"),
    torch_true("PointNet segmentation", mods_2(PointNetSeg), "x: b 3 n -> b n 4, b 8", "S(b) x S(n)"),
    torch_true("chamfer of batches", mods_2(Chamfer), "x: b n d, y: b m d -> b", "S(b) x S(n) x S(m) x E(d)"),
    torch_true("neighbours gathered", lambda: knn_gather, "x: b n d, f: b n c -> b n c", "E(d) x O(c)", sizes={"b": 2, "n": (4, 5)}),
    numpy_true("polygon, area and turning", lambda: turning, "X: n 2 -> (), n", "C(n) x SE(2)", sizes={"n": (3, 5)}),
    torch_false("GVP with a bias", mods_2(functools.partial(GVP, bias=True)), "s: n 3!, v: n 2 3 -> n 4, n 3! 3", "O(3)"),
    torch_false("chamfer to the first", mods_2(functools.partial(Chamfer, wrong=True)), "x: b n d, y: b m d -> b", "S(n)"),
    numpy_false("polygon mirrored", lambda: turning, "X: n 2 -> (), n", "E(2)", sizes={"n": (3, 5)}),
    numpy_false("polygon reversed", lambda: turning, "X: n 2 -> (), n", "D(n)", sizes={"n": (3, 5)}),
    numpy_false("windows of a frame", lambda: mel_like, "x: n -> ()", "C(n)", sizes={"n": (6, 8)}),
    torch_true("Chamfer", lambda: chamfer_2, CLOUDS, "S(n) x S(m) x E(d)"),
    torch_true("Hausdorff", lambda: hausdorff_3, CLOUDS, "S(n) x S(m) x E(d)"),
    torch_true("distances to neighbours", lambda: knn_features, "x: n d -> n", "S(n) x E(d)", sizes=SETS),
    torch_false("Chamfer of one side scaled", lambda: lambda x, y: chamfer_2(x * torch.tensor([1.0, 1.0, 1.2]), y * torch.tensor([1.0, 1.0, 1.2])), "x: n 3, y: m 3 -> ()", "O(3)"),
    torch_false("distances to neighbours scaled", lambda: knn_features, "x: n d -> n", "Scale(d)", sizes=SETS),
    numpy_false("pairs, neighbours in the list", lambda: lambda X: np.exp(-np.sum((X[:-1] - X[1:]) ** 2, 1)).sum(), "X: n d -> ()", "S(n)"),
    torch_true("PointNet++ group all", seeded(PointNetSetAbstractionAll), "x: b n 3, f: b n 4 -> b 1 3!, b 8 1", "S(n)"),
    torch_true("VN linear leaky", seeded(VNLinearLeakyReLU_2), "x: b 3! 3 n -> b 4 3 n", "O(3) x S(n)"),
    torch_false("VN linear leaky with bias", seeded(lambda: VNLinearLeakyReLU_2(bias=True)), "x: b 3! 3 n -> b 4 3 n", "O(3)"),
    torch_true("VN invariant features", seeded(VNStdFeature), "x: b 3! 3 n -> b 3! 3! n", "O(3)"),
    torch_true("TFN layer SE", seeded(TFNLayer), "p: n 3, s: n, v: n 3^ -> n, n 3^", "SE(3) x S(n)"),
    torch_true("frame averaging", lambda: frame_average_so, "x: n 3 -> 2", "E(3) x S(n)", sizes={"n": (4, 6)}),
    torch_true("triangle multiplication out", seeded(TriangleMultiplication), "z: n n 3, m: n n -> n n 3", "S(n)"),
    torch_true("triangle multiplication in", seeded(lambda: TriangleMultiplication(outgoing=False)), "z: n n 3, m: n n -> n n 3", "S(n)"),
    torch_false("IPA global points", seeded(lambda: IPA(wrong=True)), "s: n 4, R: n 3 3!, t: n 3 -> n 4", "SO(3)"),
    torch_true("Kabsch RMSD", lambda: kabsch_rmsd_2, "p: n 3, q: n 3! -> ()", "SE(3) x S(n)", sizes={"n": (4, 6)}),
    torch_false("Kabsch RMSD mirrored", lambda: kabsch_rmsd_2, "p: n 3, q: n 3! -> ()", "O(3)", sizes={"n": (4, 6)}),
    torch_true("PMA", seeded(PMA), "x: b n 4 -> b 2 4", "S(n) x S(b)"),
    torch_true("RKD angle", lambda: angle_kd, "s: n d -> ()", "S(n) x E(d)"),
    numpy_true("Procrustes distance", lambda: procrustes_distance, "a: n d, b: n d! -> ()", "E(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    numpy_false("t-SNE gradient transposed", lambda: tsne_grad, "P: n! n, Y: n d -> n d^", "S(n)"),
    numpy_true("Kabsch alignment", lambda: kabsch_align_2, "P: n 3, Q: n 3! -> n 3!", "SE(3) x S(n)", sizes={"n": (4, 6)}),
    numpy_false("Kabsch alignment mirrored", lambda: kabsch_align_2, "P: n 3, Q: n 3! -> n 3!", "O(3)", sizes={"n": (4, 6)}),
    numpy_true("plain polygon", lambda: plain_polygon, "P: n 2 -> ()", "E(2) x D(n)", sizes={"n": (3, 5)}),
    numpy_false("plain polygon shuffled", lambda: plain_polygon, "P: n 2 -> ()", "S(n)", sizes={"n": (4, 5)}),
    torch_true("pml LpDistance", distance("LpDistance(normalize_embeddings=False)"), "x: n d, y: m d -> n m", "E(d)"),
    torch_false("pml LpDistance normalized", distance("LpDistance()"), "x: n d, y: m d -> n m", "E(d)"),
    torch_true("pml SNRDistance", distance("SNRDistance()"), "x: n d, y: m d -> n m", "S(d)"),
    torch_true("pml CosineSimilarity", distance("CosineSimilarity()"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)"),
    torch_true("kornia quaternions", held("kornia.geometry.conversions as G", "lambda q: G.quaternion_to_rotation_matrix(q)"),
         "q: b 4 -> b 3 3", "S(b)"),
    torch_true("kornia axis and angle", held("kornia.geometry.conversions as G",
         "lambda v: G.axis_angle_to_rotation_matrix(v)"), "v: b 3 -> b 3 3", "S(b)"),
    torch_true("kornia normalize_points", held("kornia.geometry.epipolar as G", "lambda x: G.normalize_points(x[None])[0][0]"),
         "x: n 2 -> n 2", "S(n)"),
    torch_false("kornia normalize_points moved", held("kornia.geometry.epipolar as G",
          "lambda x: G.normalize_points(x[None])[0][0]"), "x: n 2 -> n 2", "T(2)"),
    torch_true("GVP vectors", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(GVP_2)()), "s: n 3!, v: n 2 3 -> n 2 3", "S(n) x O(3)"),
    torch_true("GVP scalars", lambda: (lambda m: lambda s, v: m(s, v)[0])(seeded(GVP_2)()), "s: n 3!, v: n 2 3 -> n 3!", "S(n) x O(3)"),
    torch_false("GVP of channels", lambda: (lambda m: lambda s, v: m(s, v)[1])(seeded(GVP_2)()), "s: n 3, v: n u 3 -> n u 3", "S(u)", sizes={"u": 2}),
    torch_false("uniformity scaled", lambda: uniformity, ROWS, "Scale(d)"),
    numpy_true("Hausdorff distance", lambda: hausdorff_4, "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    numpy_true("Procrustes disparity", lambda: procrustes, "x: n d, y: n d -> ()", "S(n) x E(d)"),
    numpy_false("Procrustes of one", lambda: procrustes, "x: n d, y: n! d -> ()", "S(n)"),
    torch_true("roma special_procrustes", held("roma", "lambda m: roma.special_procrustes(m)"), "m: n 3 3 -> n 3 3", "S(n)"),
    torch_true("dRMSD", lambda: drmsd, "x: n 3, y: n 3^ -> ()", "S(n) x E(3)"),
    torch_false("dRMSD, one shuffled", lambda: drmsd, "x: n 3, y: n! 3 -> ()", "S(n)"),
    torch_true("three nearest neighbours", lambda: three_nn, "x: n 3, y: m 3, f: n c -> m c", "S(n) x S(m) x E(3) x S(c)"),
    torch_true("coordinates in a frame", lambda: frame_descriptor, "x: n 3 -> n 3!", "SE(3)"),
    torch_false("coordinates in a frame, mirrored", lambda: frame_descriptor, "x: n 3 -> n 3!", "O(3)"),
    torch_true("all angles", lambda: angles, "x: n d -> n n n", "S(n)"),
    numpy_true("local outlier factor", lambda: lof, "x: n d -> n", "S(n) x E(d)", sizes={"n": (4, 6)}),
    torch_true("PointMLP affine, neighbours", seeded(GeometricAffine), "g: b n k 3 -> b n k 3", "S(n) x S(k)", sizes={"b": (1, 2), "n": (2, 3), "k": (2, 3)}),
    torch_true("PointMLP affine moved", seeded(GeometricAffine), "g: 1 n k 3 -> 1 n k 3!", "T(3)", sizes={"n": (2, 3), "k": (2, 3)}),
    torch_true("point pair features", lambda: point_pair_features, "x: n 3, v: n 3^ -> n n 4", "S(n) x E(3)"),
    torch_true("PU-Net repulsion", lambda: repulsion, CLOUD_2, "S(n) x E(3)", sizes={"n": (4, 6)}),
    torch_true("F-score of clouds", lambda: f_score, "x: n 3, y: m 3 -> ()", "S(n) x S(m) x E(3)"),
    torch_true("density-aware Chamfer turned", lambda: density_aware_chamfer, "x: n 3, y: m 3 -> ()", "E(3)"),
    torch_true("TensorNet embedding", seeded(TensorNetEmbedding), "x: n 3 -> n 4 3^ 3^", "S(n) x SE(3)", sizes={"n": (2, 4)}),
    torch_true("GemNet angles", seeded(GemAngles), "x: n 3 -> n 2", "S(n) x E(3)", sizes={"n": (3, 5)}),
    torch_true("ClofNet scalars", lambda: local_frame_scalars, "x: n 3, v: n 3^ -> n 3!", "S(n) x SE(3)"),
    torch_true("PKT", lambda: pkt, "s: n d, t: n e -> ()", "S(n) x O(d) x O(e)"),
    torch_true("mesh area", lambda: mesh_area, "v: n 3, f[n]: m 3! -> ()", "S(n) x S(m) x E(3)"),
    torch_true("vertex normals", lambda: vertex_normals, "v: n 3, f[n]: m 3! -> n 3^", "S(n) x S(m) x SE(3)"),
    numpy_true("geometric median", lambda: weiszfeld, "x: n d -> d", "S(n) x E(d)"),
    numpy_true("Tukey's biweight", lambda: tukey_location, VECTOR_2, "S(n)"),
    numpy_true("Rousseeuw's Sn", lambda: rousseeuw_sn, VECTOR_2, "S(n)"),
    numpy_true("U(1) plaquettes", lambda: plaquettes, "u: 2 n m -> ()", "C(n) x C(m)"),
    torch_true("Finnis-Sinclair", lambda: finnis_sinclair, CLOUD_2, "S(n) x E(3)"),
    numpy_true("point vortices", lambda: vortices, "x: n 2, g: n -> n 2^", "S(n) x SE(2)"),
    torch_true("asteroid global layer norm", packed("asteroid.masknn.norms as N", "lambda x: f(x)", "f = N.GlobLN(4)"), "x: b 4 n -> b 4 n", "S(b) x S(n)"),
    numpy_true("empyrical sortino", packed("empyrical as E", "lambda x: E.sortino_ratio(x)"), VECTOR_2, "S(n)"),
    numpy_true("sktime geometric mean", packed(PAST, "lambda x, y: S.geometric_mean_squared_error(x, y)"), LIST, "S(n)", draw="positive"),
    numpy_true("biotite angles", packed("biotite.structure as B", "lambda x, y, z: B.angle(x, y, z)"), "x: n 3, y: n 3, z: n 3 -> n", "S(n) x E(3)", single=True),
    torch_false("PointMLP affine, batch turned", seeded(GeometricAffine), "g: b n k 3 -> b n k 3", "O(3)", sizes={"b": 1, "n": 2, "k": 2}),
    torch_false("point pair features mirrored normals", lambda: point_pair_features, "x: n 3, v: n 3! -> n n 4", "O(3)"),
    torch_false("density-aware Chamfer, one turned", lambda: density_aware_chamfer, "x: n 3, y: m 3! -> ()", "O(3)"),
    torch_false("TensorNet embedding not turned", seeded(TensorNetEmbedding), "x: n 3 -> n 4 3! 3!", "O(3)", sizes={"n": 2}),
    torch_false("TensorNet embedding mirrored", seeded(TensorNetEmbedding), "x: n 3 -> n 4 3 3", "O(3)", sizes={"n": 2}),
    torch_false("ClofNet scalars mirrored", lambda: local_frame_scalars, "x: n 3, v: n 3^ -> n 3!", "O(3)"),
    torch_false("GemNet angles scaled", seeded(GemAngles), "x: n 3 -> n 2", "Scale(3)", sizes={"n": (3, 4)}),
    torch_false("2-WL layer transposed", seeded(TwoWL), "x: n n! 3 -> n n! 3", "S(n)"),
    torch_false("PKT moved", lambda: pkt, "s: n d, t: n e -> ()", "T(d)"),
    numpy_false("Tukey's biweight negated", lambda: tukey_location, VECTOR_2, "Signs(n)"),
    numpy_false("point vortices mirrored", lambda: vortices, "x: n 2, g: n -> n 2^", "O(2)"),
    numpy_false("empyrical drawdown shuffled", packed("empyrical as E", "lambda x: E.max_drawdown(x)"), VECTOR_2, "S(n)"),
    numpy_false("sktime geometric mean scaled", packed(PAST, "lambda x, y: S.geometric_mean_squared_error(x, y)"), "x: n, y: n! -> ()", "Scale(n)", draw="positive"),
    numpy_false("biotite angles, one kept", packed("biotite.structure as B", "lambda x, y, z: B.angle(x, y, z)"), "x: n 3, y: n! 3, z: n 3 -> n", "S(n)", single=True),
]  # fmt: skip
