"""Point clouds, meshes, distances, rotations and rigid alignment."""

import math
import types
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import false, held, layer, of_numpy, of_torch, true, using
from benchmarks.packages.libraries import neighbors, pairwise


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

class PointNet(nn.Module):  # layers of each point, then the maximum
    def __init__(self):
        super().__init__()
        self.conv1, self.bn = nn.Conv1d(3, 8, 1), nn.BatchNorm1d(8)
        self.conv2 = nn.Conv1d(8, 16, 1)
    def forward(self, x):
        x = F.relu(self.bn(self.conv1(x)))
        return torch.max(self.conv2(x), 2)[0]

class EGCL(nn.Module):  # messages from distances, coordinates moved along differences
    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 1))
    def forward(self, x):
        rel = x.unsqueeze(1) - x.unsqueeze(0)
        dist = rel.square().sum(-1, keepdim=True)
        return x + (rel * self.phi(dist) / (dist.sqrt() + 1)).sum(1) / (x.size(0) - 1 + 1e-6)

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
    def __init__(self, i=4, o=5, slope=0.2, bias=False):
        super().__init__()
        self.map_to_feat, self.map_to_dir = nn.Linear(i, o, bias=bias), nn.Linear(i, o, bias=False)
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

def hausdorff_by_norm(x, y):
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
    """The network of vector neurons that chooses a frame."""
    from equiadapt.pointcloud.canonicalization_networks.equivariant_networks import VNSmall
    return VNSmall(types.SimpleNamespace(n_knn=3, pooling="mean"))

class GVP(nn.Module):  # geometric vector perceptron: scalars and vectors
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
        B, D, N = x.size()
        local = F.relu(self.bn1(self.conv1(x)))
        g = torch.max(self.bn2(self.conv2(local)), 2, keepdim=True)[0]
        g = g.view(-1, 8, 1).repeat(1, 1, N)
        x = self.conv3(torch.cat([g, local], 1)).transpose(2, 1).contiguous()
        return F.log_softmax(x.view(-1, 4), dim=-1).view(B, N, 4), g[:, :, 0]

class Chamfer(nn.Module):  # as the extensions of repositories do it
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

def turning(X):  # signed area and turning of a closed polygon
    x, y = X.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    e = np.roll(X, -1, axis=0) - X
    f = np.roll(e, -1, axis=0)
    ang = np.arctan2(e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0], (e * f).sum(1))
    return area, ang

def chamfer_of_squares(x, y):
    d = torch.cdist(x, y) ** 2
    return d.min(dim=1).values.mean() + d.min(dim=0).values.mean()

def hausdorff_of_squares(x, y):
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

class VNStdFeature(nn.Module):
    def __init__(self, c=3):
        super().__init__()
        self.lin = nn.Linear(c, 3, bias=False)
    def forward(self, x):
        z0 = self.lin(x.transpose(1, -1)).transpose(1, -1).transpose(1, 2)
        return torch.einsum("bijm,bjkm->bikm", x, z0)

def frame_average_so(x):  # frames from PCA, averaged over signs
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

def kabsch_rmsd_of_torch(P, Q):
    P, Q = P - P.mean(0), Q - Q.mean(0)
    U, S, Vh = torch.linalg.svd(P.T @ Q)
    d = torch.sign(torch.linalg.det(U) * torch.linalg.det(Vh))
    s = torch.cat([S[:2], (S[2] * d)[None]])
    e = (P**2).sum() + (Q**2).sum() - 2 * s.sum()
    return torch.sqrt(e.clamp(min=0) / len(P))

def angle_kd(s):
    sd = s.unsqueeze(0) - s.unsqueeze(1)
    n = F.normalize(sd, p=2, dim=2)
    return torch.bmm(n, n.transpose(1, 2)).view(-1).pow(2).mean()

def kabsch_align_by_sign(P, Q):
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

class GVPByNorm(nn.Module):
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

class GemAngles(nn.Module):  # angles c -> a <- b over all triples, with Legendre polynomials, and an envelope
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

def local_frame_scalars(x, v):  # ClofNet: edges seen in frames that they span with the centre
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

def plaquettes(u):  # of U(1) links by their angles, directions first
    ux, uy = u[0], u[1]
    p = ux + np.roll(uy, -1, axis=0) - np.roll(ux, -1, axis=1) - uy
    return (1 - np.cos(p)).sum()

def vortices(x, gamma):
    dx, dy = x[:, None, 0] - x[None, :, 0], x[:, None, 1] - x[None, :, 1]
    r2 = dx**2 + dy**2 + 1e-3
    return np.stack([-(gamma * dy / r2).sum(1), (gamma * dx / r2).sum(1)], axis=-1) / (2 * np.pi)

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

class CrossProductLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
    def forward(self, v, w):
        c = torch.cross(v, w, dim=-1)
        s = self.mlp(torch.stack([(v * w).sum(-1), c.norm(dim=-1)], -1))
        return s[..., :1] * v + s[..., 1:] * c

class TFNLayer(nn.Module):  # scalars and vectors of tensor field networks, in Cartesian form
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

def f_score(pred, gt, threshold=0.7):
    d = torch.cdist(pred.unsqueeze(0), gt.unsqueeze(0)).squeeze(0)
    precision = (d.min(dim=1)[0] < threshold).to(d.dtype).mean()
    recall = (d.min(dim=0)[0] < threshold).to(d.dtype).mean()
    return 2 * precision * recall / (precision + recall + 1e-8)

def vertex_normals(v, f):
    tri = v[f]
    face = torch.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0], dim=-1)
    out = torch.zeros_like(v)
    for i in range(3):
        out.index_add_(0, f[:, i], face)
    return out / (out.norm(dim=-1, keepdim=True) + 1e-3)

CLAIMS = [
    of_numpy(kabsch_rmsd, "P: n 3, Q: n 3 -> ()", true("kabsch", "O(3) x S(n)")),
    of_numpy(bond_angles, "X: n d -> m", true("bond angles", "E(d)"), n=(4, 4), m=(2, 2)),
    of_numpy(polygon_area, "P: n 2 -> ()", true("polygon area", "D(n)"), false("polygon area shuffled", "S(n)", n=(4, 6))),
    of_numpy(chamfer, "P: n d, Q: m d -> ()", true("chamfer distance", "E(d) x S(n) x S(m)")),
    of_numpy(lambda x: x + np.roll(x, len(x) // 2), "x: n -> n", true("opposite neighbour", "C(n)")),
    of_torch(layer(PointNet), "x: b 3 n -> b 16", true("PointNet", "S(n)"), false("PointNet rotated", "O(3)")),
    of_numpy(lambda X: bond_angles(X).sum(), "X: n d -> ()", false("bond angles reordered", "S(n)"), n=(4, 6)),
    of_numpy(lambda P, Q: np.abs(P[:, None] - Q[None]).sum(-1).min(1).mean(), "P: n d, Q: m d -> ()", false("chamfer city block", "O(d)")),
    of_numpy(lambda X: pairwise.haversine_distances(X), "X: n 2 -> n n", true("sklearn haversine", "S(n)")),
    of_numpy(lambda X: pairwise.nan_euclidean_distances(X), "X: n d -> n n", true("sklearn nan_euclidean", "S(n)")),
    of_numpy(lambda X: neighbors.NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X)[0], "X: n d -> n 2", true("sklearn kneighbors distances", "S(n)"), n=(4, 6)),
    of_torch(layer(lambda: nn.Sequential(nn.Conv1d(3, 8, 1), nn.GroupNorm(2, 8), nn.Mish())), "x: b 3 n -> b 8 n", true("torch GroupNorm points", "S(n)")),
    of_torch(layer(EGCL), "x: n d -> n d", true("torch EGCL", "S(n) x E(d)")),
    of_numpy(pairwise.paired_distances, "X: n d, Y: n d -> n", true("sklearn paired_distances", "E(d)")),
    of_torch(layer("e3nn.o3:Norm", "2x1o"), "x: n 6 -> n 2", true("e3nn Norm", "S(n)"), false("e3nn Norm mixed", "O(6)")),
    of_torch(layer("e3nn.o3:Linear", "4x0e", "3x0e"), "x: n 4 -> n 3", true("e3nn Linear of scalars", "S(n)")),
    of_torch(using("e3nn.o3:spherical_harmonics", lambda f, x: (f(2, x, normalize=True) ** 2).sum(-1)), "x: n 3 -> n", true("e3nn spherical harmonics norm", "O(3)")),
    of_torch(layer(EGCL, call=lambda m, x: m(x) + 0.1 * x.abs()), "x: n d -> n d", false("torch EGCL halves", "O(d)")),
    of_torch(using("e3nn.o3:spherical_harmonics", lambda f, x: f(1, x, normalize=True).abs()), "x: n 3 -> n 3", false("e3nn spherical harmonics rotated", "O(3)"), backend="torch"),
    of_numpy(unit_sphere, "P: n d -> n d^", true("points to the unit sphere", "S(n) x E(d)")),
    of_numpy(kabsch, "P: n 3, Q: n 3 -> ()", true("Kabsch RMSD with sign", "SE(3)"), n=(4, 6)),
    of_numpy(procrustes_disparity, "A: n 2, B: n 2 -> ()", true("Procrustes disparity", "S(n) x E(2)"), n=(3, 6)),
    of_numpy(pca_distances, "X: n 3 -> n n", true("PCA distances", "S(n) x E(3)"), n=(5, 7)),
    of_numpy(hausdorff, "A: n d, B: m d -> ()", true("Hausdorff distance", "S(n) x S(m) x E(d)")),
    of_numpy(lambda a, b, c, d: np.dot(a - d, np.cross(b - d, c - d)) / 6, "a: 3, b: 3, c: 3, d: 3 -> ()", true("signed volume", "SE(3)"), false("signed volume mirrored", "E(3)")),
    of_numpy(lambda P: (P - P.min(0)) / (P.max(0) - P.min(0)).max(), "P: n d -> n d^", false("points to the unit cube", "O(d)")),
    of_numpy(lambda P, Q: kabsch(P, Q * np.array([1.0, 1.0, 1.0])), "P: n 3!, Q: n 3 -> ()", false("Kabsch RMSD mirrored", "O(3)"), n=(4, 6)),
    of_numpy(lambda X: knn_mean(X) * np.arange(1, 3), "X: n 2 -> n 2", false("kNN mean weighted", "O(2)"), n=(4, 7)),
    of_torch(layer("pytorch_metric_learning.distances:LpDistance", normalize_embeddings=False), "x: n d, y: m d -> n m", true("metric-learning distances", "E(d)")),
    of_torch("kornia.geometry.linalg:transform_points", "T: b 4 4, p: b n 3 -> b n 3", true("kornia transform_points", "S(n)")),
    of_torch("kornia.geometry.conversions:axis_angle_to_rotation_matrix", "a: n 3 -> n 3 3", true("kornia axis angle norm", "SO(3)")),
    of_torch("roma:quat_action", "q: n 4, v: n 3 -> n 3", true("roma quaternion action", "S(n)")),
    of_torch("roma:quat_action", "q: n 4!, v: n 3 -> n 3", false("roma quaternion action mirrored", "SO(3)")),
    of_torch(using("pypose:so3", lambda f, w, v: f(w).Exp().Act(v)), "w: n 3, v: n 3 -> n 3", true("pypose rotation of vectors", "S(n)")),
    of_torch("pytorch_kinematics.transforms:quaternion_to_matrix", "q: n 4 -> n 3 3", true("pytorch-kinematics rotations", "S(n)")),
    of_torch(using("pytorch_kinematics.transforms:quaternion_raw_multiply", lambda f, p, q: f(p, q).norm(dim=-1)), "p: n 4, q: n 4 -> n", true("pytorch-kinematics norm of products", "S(n) x O(4)")),
    of_torch("pytorch_kinematics.transforms:quaternion_raw_multiply", "p: n 4, q: n 4 -> n 4", false("pytorch-kinematics product", "O(4)")),
    of_numpy(kabsch_align, "P: n 3, Q: n 3 -> n 3", true("alignment by Kabsch", "S(n)")),
    of_numpy(rotation_error, "P: n d, Q: n d! -> ()", true("rotation left by Procrustes", "O(d)")),
    of_numpy(icp_step, "P: n d, Q: m d -> n d", true("ICP step", "S(n) x E(d)")),
    of_numpy(icp_error, "P: n d, Q: m d -> ()", true("ICP error by loops", "S(n) x S(m) x E(d)")),
    of_numpy(bond_angle, "a: d, b: d, c: d -> ()", true("bond angle in degrees", "E(d)")),
    of_numpy(minimum_image, "X: n d -> n n", true("minimum image distances", "S(n) x T(d)")),
    of_torch(layer(VNLinearLeakyReLU), "x: b 4 3 n -> b 5 3 n", true("vector neurons", "S(b) x O(3) x S(n)")),
    of_torch(layer(Performer), "q: b n 4, k: b m 4, v: b m e -> b n e", true("Performer features", "S(n) x S(m) x O(e)")),
    of_numpy(lambda P, Q: kabsch_align(P, Q) - kabsch_align(Q, P), "P: n 3, Q: n 3 -> n 3", false("alignment of the wrong side", "T(3)")),
    of_torch(layer(nn.Linear, 4, 5, call=lambda l, x: l(x.transpose(1, -1)).transpose(1, -1)), "x: b 4 3 n -> b 5 3 n", false("vector neurons with a bias", "O(3)")),
    of_torch(square_distance, "x: b n d, y: b m d -> b n m", true("PointNet++ square_distance", "E(d) x S(n) x S(m)"), backend="torch"),
    of_torch(farthest_point_sample, "x: b n d -> b 2 d", true("PointNet++ farthest points", "E(d)", b=2, d=(2, 3)), false("PointNet++ farthest points of a set", "S(n)", b=1, d=2), n=(3, 4), backend="torch"),
    of_torch(layer(PointNetFeaturePropagation), "x: b n d, y: b m d, p: b m 4 -> b n 5", true("PointNet++ feature propagation", "S(n)"), m=(4, 5)),
    of_torch(layer(STN3d), "x: b 3 n -> b 3 n", true("PointNet STN", "S(n) x S(b)"), false("PointNet STN turned", "O(3)")),
    of_torch(chamfer_distance, "x: n d, y: m d -> ()", true("chamfer", "E(d) x S(n) x S(m)"), backend="torch"),
    of_torch(hausdorff_by_norm, "x: n d, y: m d -> ()", true("Hausdorff", "E(d) x S(n) x S(m)"), backend="torch"),
    of_torch(layer(VNBatchNormMax), "x: b 4 3 n -> b 4 3", true("vector neurons batch norm, max pool", "O(3)"), b=(1, 2), n=(2, 3)),
    of_torch(fape, "p: n 3, t: n 3!, R: 3! 3^ 3!, S: 3! 3! 3! -> ()", true("FAPE", "E(3)"), n=(3, 5), backend="torch"),
    of_numpy(rmsd_kabsch, "P: n 3, Q: n 3! -> ()", true("RMSD of Kabsch", "SE(3)"), false("RMSD mirrored", "O(3)"), n=(4, 5)),
    of_numpy(procrustes_disparity, "A: n d, B: n d -> ()", true("Procrustes disparity", "S(n) x E(d)")),
    of_numpy(distance_rmsd, "P: n d, Q: n d -> ()", true("distance RMSD", "E(d)")),
    of_numpy(rdf_hist, "X: n d -> 3", true("histogram of distances", "S(n) x E(d)")),
    of_numpy(mad_outliers, "x: n -> n", true("MAD outliers", "S(n)")),
    of_numpy(knn_mean_distance, "X: n d -> n", true("neighbour distances", "S(n) x E(d)"), n=(3, 5)),
    of_numpy(lof, "X: n d -> n", true("local outlier factor", "E(d)"), n=(3, 5)),
    of_torch(lambda x, y: torch.cdist(x, y).min(dim=1)[0].mean() + torch.cdist(x, y)[0].min(), "x: n d, y: m d -> ()", false("chamfer of the first", "S(n)"), backend="torch"),
    of_torch(fape, "p: n 3, t: n 3!, R: 3! 3! 3!, S: 3! 3! 3! -> ()", false("FAPE mirrored frames", "O(3)"), n=(3, 5), backend="torch"),
    of_torch(layer(canonical_frame), "x: b 3 n -> b 3! 3", true("equiadapt VN frame", "S(b)"), n=(4, 5), b=(1, 2)),
    of_torch(layer("equiadapt.pointcloud.canonicalization_networks.vector_neuron_layers:VNLinear", 3, 4), "x: b 3! 3 n -> b 4 3 n", true("equiadapt VN linear", "S(n) x O(3)")),
    of_torch(layer("equiadapt.pointcloud.canonicalization_networks.vector_neuron_layers:VNLeakyReLU", 4), "x: b 4 3 n -> b 4 3 n", true("equiadapt VN leaky", "S(n) x O(3)")),
    of_torch(layer("torch_kmeans.utils.distances:LpDistance"), "x: b n d, y: b m d -> b n m", true("torch-kmeans distances", "S(n) x S(m) x O(d)")),
    of_torch(layer("torch_kmeans.utils.distances:CosineSimilarity"), "x: b n d, y: b m d -> b n m", true("torch-kmeans cosine", "S(n) x O(d)")),
    of_torch(layer(GVP), "s: n 3!, v: n 2 3 -> n 4, n 3! 3", true("GVP, scalars and vectors", "S(n) x O(3)")),
    of_torch(layer(CrossProductLayer), "v: n 3, w: n 3 -> n 3", true("cross products, rotations", "S(n) x SO(3)"), false("cross products mirrored", "O(3)")),
    of_torch(layer(PointNetSeg), "x: b 3 n -> b n 4, b 8", true("PointNet segmentation", "S(b) x S(n)")),
    of_torch(layer(Chamfer), "x: b n d, y: b m d -> b", true("chamfer of batches", "S(b) x S(n) x S(m) x E(d)")),
    of_torch(knn_gather, "x: b n d, f: b n c -> b n c", true("neighbours gathered", "E(d) x O(c)"), b=2, n=(4, 5)),
    of_numpy(turning, "X: n 2 -> (), n", true("polygon, area and turning", "C(n) x SE(2)"), false("polygon mirrored", "E(2)"), false("polygon reversed", "D(n)"), n=(3, 5)),
    of_torch(layer(GVP, bias=True), "s: n 3!, v: n 2 3 -> n 4, n 3! 3", false("GVP with a bias", "O(3)")),
    of_torch(layer(Chamfer, wrong=True), "x: b n d, y: b m d -> b", false("chamfer to the first", "S(n)")),
    of_numpy(mel_like, "x: n -> ()", false("windows of a frame", "C(n)"), n=(6, 8)),
    of_torch(chamfer_of_squares, "x: n d, y: m d -> ()", true("Chamfer", "S(n) x S(m) x E(d)")),
    of_torch(hausdorff_of_squares, "x: n d, y: m d -> ()", true("Hausdorff", "S(n) x S(m) x E(d)")),
    of_torch(knn_features, "x: n d -> n", true("distances to neighbours", "S(n) x E(d)"), false("distances to neighbours scaled", "Scale(d)"), n=(4, 7)),
    of_torch(lambda x, y: chamfer_of_squares(x * torch.tensor([1.0, 1.0, 1.2]), y * torch.tensor([1.0, 1.0, 1.2])), "x: n 3, y: m 3 -> ()", false("Chamfer of one side scaled", "O(3)")),
    of_numpy(lambda X: np.exp(-np.sum((X[:-1] - X[1:]) ** 2, 1)).sum(), "X: n d -> ()", false("pairs, neighbours in the list", "S(n)")),
    of_torch(layer(PointNetSetAbstractionAll), "x: b n 3, f: b n 4 -> b 1 3!, b 8 1", true("PointNet++ group all", "S(n)")),
    of_torch(layer(VNLinearLeakyReLU, 3, 4), "x: b 3! 3 n -> b 4 3 n", true("VN linear leaky", "O(3) x S(n)")),
    of_torch(layer(VNLinearLeakyReLU, 3, 4, bias=True), "x: b 3! 3 n -> b 4 3 n", false("VN linear leaky with bias", "O(3)")),
    of_torch(layer(VNStdFeature), "x: b 3! 3 n -> b 3! 3! n", true("VN invariant features", "O(3)")),
    of_torch(layer(TFNLayer), "p: n 3, s: n, v: n 3^ -> n, n 3^", true("TFN layer SE", "SE(3) x S(n)"), false("TFN layer E", "E(3)")),
    of_torch(frame_average_so, "x: n 3 -> 2", true("frame averaging", "E(3) x S(n)"), n=(4, 6)),
    of_torch(layer(TriangleMultiplication), "z: n n 3, m: n n -> n n 3", true("triangle multiplication out", "S(n)")),
    of_torch(layer(TriangleMultiplication, outgoing=False), "z: n n 3, m: n n -> n n 3", true("triangle multiplication in", "S(n)")),
    of_torch(kabsch_rmsd_of_torch, "p: n 3, q: n 3! -> ()", true("Kabsch RMSD", "SE(3) x S(n)"), false("Kabsch RMSD mirrored", "O(3)"), n=(4, 6)),
    of_torch(angle_kd, "s: n d -> ()", true("RKD angle", "S(n) x E(d)")),
    of_numpy(procrustes_disparity, "a: n d, b: n d! -> ()", true("Procrustes distance", "E(d)"), n=(4, 6), d=(2, 3)),
    of_numpy(kabsch_align_by_sign, "P: n 3, Q: n 3! -> n 3!", true("Kabsch alignment", "SE(3) x S(n)"), false("Kabsch alignment mirrored", "O(3)"), n=(4, 6)),
    of_numpy(plain_polygon, "P: n 2 -> ()", true("plain polygon", "E(2) x D(n)", n=(3, 5)), false("plain polygon shuffled", "S(n)", n=(4, 5))),
    of_torch(held("pytorch_metric_learning.distances as D", "lambda x, y: f(x, y)", "f = D.LpDistance(normalize_embeddings=False)"), "x: n d, y: m d -> n m", true("pml LpDistance", "E(d)")),
    of_torch(held("pytorch_metric_learning.distances as D", "lambda x, y: f(x, y)", "f = D.LpDistance()"), "x: n d, y: m d -> n m", false("pml LpDistance normalized", "E(d)")),
    of_torch(held("pytorch_metric_learning.distances as D", "lambda x, y: f(x, y)", "f = D.SNRDistance()"), "x: n d, y: m d -> n m", true("pml SNRDistance", "S(d)")),
    of_torch(held("pytorch_metric_learning.distances as D", "lambda x, y: f(x, y)", "f = D.CosineSimilarity()"), "x: n d, y: m d -> n m", true("pml CosineSimilarity", "S(n) x S(m) x O(d)")),
    of_torch(held("kornia.geometry.conversions as G", "lambda q: G.quaternion_to_rotation_matrix(q)"), "q: b 4 -> b 3 3", true("kornia quaternions", "S(b)")),
    of_torch(held("kornia.geometry.conversions as G", "lambda v: G.axis_angle_to_rotation_matrix(v)"), "v: b 3 -> b 3 3", true("kornia axis and angle", "S(b)")),
    of_torch(held("kornia.geometry.epipolar as G", "lambda x: G.normalize_points(x[None])[0][0]"), "x: n 2 -> n 2", true("kornia normalize_points", "S(n)"), false("kornia normalize_points moved", "T(2)")),
    of_torch(layer(GVPByNorm, call=lambda m, s, v: m(s, v)[1]), "s: n 3!, v: n 2 3 -> n 2 3", true("GVP vectors", "S(n) x O(3)")),
    of_torch(layer(GVPByNorm, call=lambda m, s, v: m(s, v)[0]), "s: n 3!, v: n 2 3 -> n 3!", true("GVP scalars", "S(n) x O(3)")),
    of_torch(layer(GVPByNorm, call=lambda m, s, v: m(s, v)[1]), "s: n 3, v: n u 3 -> n u 3", false("GVP of channels", "S(u)"), u=2),
    of_numpy(hausdorff, "x: n d, y: m d -> ()", true("Hausdorff distance", "S(n) x S(m) x E(d)")),
    of_numpy(procrustes_disparity, "x: n d, y: n d -> ()", true("Procrustes disparity", "S(n) x E(d)")),
    of_numpy(procrustes_disparity, "x: n d, y: n! d -> ()", false("Procrustes of one", "S(n)")),
    of_torch(held("roma", "lambda m: roma.special_procrustes(m)"), "m: n 3 3 -> n 3 3", true("roma special_procrustes", "S(n)")),
    of_torch(drmsd, "x: n 3, y: n 3^ -> ()", true("dRMSD", "S(n) x E(3)")),
    of_torch(drmsd, "x: n 3, y: n! 3 -> ()", false("dRMSD, one shuffled", "S(n)")),
    of_torch(three_nn, "x: n 3, y: m 3, f: n c -> m c", true("three nearest neighbours", "S(n) x S(m) x E(3) x S(c)")),
    of_torch(frame_descriptor, "x: n 3 -> n 3!", true("coordinates in a frame", "SE(3)"), false("coordinates in a frame, mirrored", "O(3)")),
    of_torch(angles, "x: n d -> n n n", true("all angles", "S(n)")),
    of_numpy(lof, "x: n d -> n", true("local outlier factor", "S(n) x E(d)"), n=(4, 6)),
    of_torch(layer(GeometricAffine), "g: b n k 3 -> b n k 3", true("PointMLP affine, neighbours", "S(n) x S(k)", b=(1, 2), n=(2, 3), k=(2, 3)), false("PointMLP affine, batch turned", "O(3)", b=1, n=2, k=2)),
    of_torch(layer(GeometricAffine), "g: 1 n k 3 -> 1 n k 3!", true("PointMLP affine moved", "T(3)"), n=(2, 3), k=(2, 3)),
    of_torch(point_pair_features, "x: n 3, v: n 3^ -> n n 4", true("point pair features", "S(n) x E(3)")),
    of_torch(repulsion, "x: n 3 -> ()", true("PU-Net repulsion", "S(n) x E(3)"), n=(4, 6)),
    of_torch(f_score, "x: n 3, y: m 3 -> ()", true("F-score of clouds", "S(n) x S(m) x E(3)"), false("F-score scaled", "Scale(3)")),
    of_torch(density_aware_chamfer, "x: n 3, y: m 3 -> ()", true("density-aware Chamfer turned", "E(3)")),
    of_torch(layer(TensorNetEmbedding), "x: n 3 -> n 4 3^ 3^", true("TensorNet embedding", "S(n) x SE(3)"), n=(2, 4)),
    of_torch(layer(GemAngles), "x: n 3 -> n 2", true("GemNet angles", "S(n) x E(3)", n=(3, 5)), false("GemNet angles scaled", "Scale(3)", n=(3, 4))),
    of_torch(local_frame_scalars, "x: n 3, v: n 3^ -> n 3!", true("ClofNet scalars", "S(n) x SE(3)"), false("ClofNet scalars mirrored", "O(3)")),
    of_torch(pkt, "s: n d, t: n e -> ()", true("PKT", "S(n) x O(d) x O(e)"), false("PKT moved", "T(d)")),
    of_torch(mesh_area, "v: n 3, f[n]: m 3! -> ()", true("mesh area", "S(n) x S(m) x E(3)")),
    of_torch(vertex_normals, "v: n 3, f[n]: m 3! -> n 3^", true("vertex normals", "S(n) x S(m) x SE(3)"), false("vertex normals mirrored", "O(3)")),
    of_numpy(weiszfeld, "x: n d -> d", true("geometric median", "S(n) x E(d)")),
    of_numpy(tukey_location, "x: n -> ()", true("Tukey's biweight", "S(n)"), false("Tukey's biweight negated", "Signs(n)")),
    of_numpy(lambda x: 1.1926 * np.median([np.median(np.abs(v - x)) for v in x]), "x: n -> ()", true("Rousseeuw's Sn", "S(n)")),
    of_numpy(plaquettes, "u: 2 n m -> ()", true("U(1) plaquettes", "C(n) x C(m)")),
    of_numpy(vortices, "x: n 2, g: n -> n 2^", true("point vortices", "S(n) x SE(2)"), false("point vortices mirrored", "O(2)")),
    of_torch(held("asteroid.masknn.norms as N", "lambda x: f(x)", "f = N.GlobLN(4)"), "x: b 4 n -> b 4 n", true("asteroid global layer norm", "S(b) x S(n)")),
    of_numpy(held("empyrical as E", "lambda x: E.sortino_ratio(x)"), "x: n -> ()", true("empyrical sortino", "S(n)")),
    of_numpy(held("sktime.performance_metrics.forecasting as S", "lambda x, y: S.geometric_mean_squared_error(x, y)"), "x: n, y: n -> ()", true("sktime geometric mean", "S(n)"), draw="positive"),
    of_numpy(held("biotite.structure as B", "lambda x, y, z: B.angle(x, y, z)"), "x: n 3, y: n 3, z: n 3 -> n", true("biotite angles", "S(n) x E(3)"), single=True),
    of_torch(point_pair_features, "x: n 3, v: n 3! -> n n 4", false("point pair features mirrored normals", "O(3)")),
    of_torch(density_aware_chamfer, "x: n 3, y: m 3! -> ()", false("density-aware Chamfer, one turned", "O(3)")),
    of_torch(layer(TensorNetEmbedding), "x: n 3 -> n 4 3! 3!", false("TensorNet embedding not turned", "O(3)"), n=2),
    of_torch(layer(TensorNetEmbedding), "x: n 3 -> n 4 3 3", false("TensorNet embedding mirrored", "O(3)"), n=2),
    of_numpy(held("empyrical as E", "lambda x: E.max_drawdown(x)"), "x: n -> ()", false("empyrical drawdown shuffled", "S(n)")),
    of_numpy(held("sktime.performance_metrics.forecasting as S", "lambda x, y: S.geometric_mean_squared_error(x, y)"), "x: n, y: n! -> ()", false("sktime geometric mean scaled", "Scale(n)"), draw="positive"),
    of_numpy(held("biotite.structure as B", "lambda x, y, z: B.angle(x, y, z)"), "x: n 3, y: n! 3, z: n 3 -> n", false("biotite angles, one kept", "S(n)"), single=True),
    of_torch(layer(PointTransformerBlock), "x: b n 3, f: b n 4 -> b n 4", true("PointTransformer block", "S(n)"), true("PointTransformer block T", "T(3)"), false("PointTransformer block O", "O(3)"), n=(4, 6)),
    of_numpy(lambda X: lof(X) + np.linalg.norm(X, axis=1), "X: n d -> n", false("local outlier factor scaled", "T(d)"), n=(3, 5)),
]  # fmt: skip
