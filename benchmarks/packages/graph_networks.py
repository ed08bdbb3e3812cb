"""Graph neural networks, message passing and statistics of graphs."""

import functools
import math

import einops
import numpy as np
import scipy.spatial.distance as ssd
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import built, false, held, layer, of_numpy, of_torch, true
from benchmarks.packages.libraries import EGNN, G, T, U


def mlp(i, o):
    return torch.nn.Sequential(torch.nn.Linear(i, 8), torch.nn.ReLU(), torch.nn.Linear(8, o))

def pooled(pool):
    return lambda x: pool(x, torch.zeros(x.shape[0], dtype=torch.long))

def homography_free_normalize(P):
    c = P.mean(0)
    s = np.sqrt(2) / np.sqrt(((P - c) ** 2).sum(1)).mean()
    return (P - c) * s

def normalized_adjacency(A):
    A = A + np.eye(A.shape[0])
    d = A.sum(1)
    return A / np.sqrt(np.outer(d, d))

def pagerank(A):
    n = A.shape[0]
    P = A / A.sum(1, keepdims=True)
    x = np.full(n, 1 / n)
    for _ in range(5):
        x = 0.85 * x @ P + 0.15 / n
    return x

def modularity(A, labels):
    k = A.sum(1)
    m = A.sum() / 2
    same = labels[:, None] == labels[None, :]
    return ((A - np.outer(k, k) / (2 * m)) * same).sum() / (2 * m)

def laplacian_spectrum(A):
    A = (A + A.T) / 2
    L = np.diag(A.sum(axis=1)) - A
    return np.linalg.eigvalsh(L)

class DGCNN(nn.Module):  # the largest of messages from all points
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(6, 8, 1), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))
    def forward(self, x):
        b, c, n = x.size()
        centre = x.view(b, c, n, 1).expand(-1, -1, -1, n)
        others = x.view(b, c, 1, n).expand(-1, -1, n, -1)
        return self.f(torch.cat((others - centre, centre), dim=1)).max(dim=-1, keepdim=False)[0]

class GCN(nn.Module):  # two layers of a graph network on a dense adjacency
    def __init__(self, d=4, out=3):
        super().__init__()
        self.w1, self.w2 = nn.Linear(d, 8), nn.Linear(8, out)
    def forward(self, x, adj):
        a = adj + torch.eye(adj.size(0), dtype=adj.dtype)
        deg = a.sum(dim=1)
        inv = deg.pow(-0.5)
        inv[torch.isinf(inv)] = 0.0
        a = torch.diag(inv) @ a @ torch.diag(inv)
        h = F.dropout(F.relu(a @ self.w1(x)), 0.5, self.training)
        return F.log_softmax(a @ self.w2(h), dim=1)

class GAT(nn.Module):  # attention over neighbours, as the first tutorials wrote it
    def __init__(self):
        super().__init__()
        self.W = nn.Parameter(torch.randn(4, 6) / 2)
        self.a = nn.Parameter(torch.randn(12, 1) / 2)
    def forward(self, h, adj):
        Wh = torch.mm(h, self.W)
        e = F.leaky_relu(torch.matmul(Wh, self.a[:6]) + torch.matmul(Wh, self.a[6:]).T, 0.2)
        e = torch.where(adj > 0, e, -9e15 * torch.ones_like(e))
        return F.elu(torch.matmul(F.softmax(e, dim=1), Wh))

class GIN(nn.Module):  # A sum over neighbours, and a readout
    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.tensor(0.1))
        self.mlp = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)
    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add_(0, dst, x[src])
        h = self.mlp((1 + self.eps) * x + agg)
        return self.out(h.mean(0))

class MessagePassing(nn.Module):  # messages of edges with features, a recurrent update
    def __init__(self):
        super().__init__()
        self.msg, self.upd = nn.Linear(4 + 4 + 2, 6), nn.GRUCell(6, 4)
    def forward(self, x, e, w):
        m = self.msg(torch.cat([x[e[0]], x[e[1]], w], dim=-1)).relu()
        out = torch.zeros(x.size(0), 6, dtype=x.dtype)
        out.scatter_add_(0, e[1].unsqueeze(-1).expand_as(m), m)
        return self.upd(out, x)

class PaiNNish(nn.Module):  # scalars and vectors that talk to each other
    def __init__(self):
        super().__init__()
        self.phi, self.U, self.gate = nn.Linear(4, 8), nn.Linear(4, 4, bias=False), nn.Linear(8, 4)
    def forward(self, s, v):
        """The layer: s of nodes and channels, v of nodes, coordinates and channels."""
        u = self.U(v)
        norm = torch.sqrt((u**2).sum(dim=1) + 1e-8)
        g = self.gate(torch.cat([s, norm], -1))
        return u * torch.sigmoid(g).unsqueeze(1)

@built
def laplacian():
    import networkx as nx
    return lambda A: nx.laplacian_matrix(nx.from_numpy_array((A + A.T) / 2)).toarray()

def graph(function, **options):
    """A function of networkx, of a symmetric adjacency matrix, as an array over the nodes."""
    def made():
        import networkx as nx
        f = functools.reduce(getattr, function.split("."), nx)
        def run(A):
            made = f(nx.from_numpy_array((A + A.T) / 2), **options)
            return np.array([made[i] for i in range(len(A))])
        return run
    return built(made)

def chebyshev_filter(X, A, theta=(0.5, -0.3, 0.2)):
    d = A.sum(axis=1)
    L = np.eye(len(A)) - A / np.sqrt(np.outer(d, d))
    T0, T1 = X, L @ X
    out = theta[0] * T0 + theta[1] * T1
    for k in range(2, len(theta)):
        T0, T1 = T1, 2 * L @ T1 - T0
        out = out + theta[k] * T1
    return out

def weisfeiler_lehman(A, rounds=2):
    colours = np.ones(len(A))
    for _ in range(rounds):
        colours = np.tanh(colours + np.sqrt(2) * (A @ colours))
    return np.sort(colours)

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

class DGCNNEdges(nn.Module):
    def __init__(self, k=2):
        super().__init__()
        self.k, self.conv = k, nn.Sequential(nn.Conv2d(6, 8, 1, bias=False), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))
    def forward(self, x):
        return self.conv(get_graph_feature(x, self.k)).max(dim=-1)[0]

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

class SchNetEnergy(nn.Module):  # forces as a gradient of the energy
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

def dimenet_angles(pos, i, j, k):
    pos_i = pos[i]
    pos_ji, pos_ki = pos[j] - pos_i, pos[k] - pos_i
    a = (pos_ji * pos_ki).sum(dim=-1)
    b = torch.cross(pos_ji, pos_ki, dim=-1).norm(dim=-1)
    return torch.atan2(b, a)

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

class GraphormerAttention(nn.Module):
    def __init__(self, dim=8, heads=2, distances=6, degrees=6):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.spatial = nn.Embedding(distances, heads)
        self.degree = nn.Embedding(degrees, dim)
    def forward(self, x, spd, degree):
        N, C = x.shape
        x = x + self.degree(degree)
        qkv = self.qkv(x).reshape(N, 3, self.heads, C // self.heads).permute(1, 2, 0, 3)
        q, k, v = qkv.unbind(0)
        attn = (q @ k.transpose(-2, -1)) * self.scale + self.spatial(spd).permute(2, 0, 1)
        return self.proj((attn.softmax(-1) @ v).transpose(0, 1).reshape(N, C))

def mace_features(scale=1.0):  # the edge features of MACE, summed over the receivers
    from e3nn import o3
    from mace.modules.radial import BesselBasis, PolynomialCutoff
    harmonics = o3.SphericalHarmonics("0e + 1o + 2e", normalize=True, normalization="component")
    bessel, cutoff = BesselBasis(5.0, 4), PolynomialCutoff(5.0, p=6)
    def run(pos, edge_index):
        sender, receiver = edge_index
        v = (pos[receiver] - pos[sender]) * scale
        r = torch.linalg.norm(v, dim=-1, keepdim=True)
        radial = bessel(r + 0.1) * cutoff(r)
        m = torch.einsum("ej,ek->ejk", radial, harmonics(v))
        A = torch.zeros(pos.shape[0], *m.shape[1:], dtype=m.dtype).index_add_(0, receiver, m)
        return torch.stack([(A[..., :1] ** 2).sum(-1), (A[..., 1:4] ** 2).sum(-1), (A[..., 4:] ** 2).sum(-1)], -1)
    return run

@built
def schnet_atoms():
    from schnetpack.nn.acsf import GaussianSmearing
    from schnetpack.nn.cutoff import CosineCutoff
    from schnetpack.nn.neighbors import atom_distances
    kept = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)
    smear, cutoff = GaussianSmearing(0.0, 5.0, 6).to(kept), CosineCutoff(5.0).to(kept)
    torch.set_default_dtype(kept)
    def run(pos):
        n = pos.shape[0]
        neighbours = torch.arange(n).expand(1, n, n)
        d = atom_distances(pos[None], neighbours)
        return (smear(d) * cutoff(d)[..., None]).sum(2)[0]
    return run

class EGCL(nn.Module):  # of the first repository of E(n) graph networks
    def __init__(self, f=4, hidden=8, wrong=""):
        super().__init__()
        self.wrong = wrong
        self.edge_mlp = nn.Sequential(nn.Linear(2 * f + 1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.node_mlp = nn.Sequential(nn.Linear(hidden + f, hidden), nn.SiLU(), nn.Linear(hidden, f))
        self.coord_mlp = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1, bias=False))
        self.att_mlp = nn.Sequential(nn.Linear(hidden, 1), nn.Sigmoid())
    def coord2radial(self, edge_index, coord):
        row, col = edge_index
        coord_diff = coord[row] - coord[col]
        radial = torch.sum(coord_diff**2, 1).unsqueeze(1)
        norm = torch.sqrt(radial).detach() + 1e-8
        return radial, coord_diff / norm
    def forward(self, h, coord, edge_index):
        row, col = edge_index
        radial, coord_diff = self.coord2radial(edge_index, coord)
        out = self.edge_mlp(torch.cat([h[row], h[col], radial], dim=1))
        out = out * self.att_mlp(out)
        trans = coord_diff * self.coord_mlp(out)
        if self.wrong == "absolute":
            trans = coord[row] * self.coord_mlp(out)
        agg = unsorted_segment_mean(trans, row, num_segments=coord.size(0))
        coord = coord + agg
        agg = unsorted_segment_sum(out, row if self.wrong != "edges" else torch.arange(len(row)) % coord.size(0), num_segments=h.size(0))
        return h + self.node_mlp(torch.cat([h, agg], dim=1)), coord

def unsorted_segment_sum(data, segment_ids, num_segments):
    result = data.new_full((num_segments, data.size(1)), 0)
    segment_ids = segment_ids.unsqueeze(-1).expand(-1, data.size(1))
    result.scatter_add_(0, segment_ids, data)
    return result

def unsorted_segment_mean(data, segment_ids, num_segments):
    segment_ids = segment_ids.unsqueeze(-1).expand(-1, data.size(1))
    result = data.new_full((num_segments, data.size(1)), 0)
    count = data.new_full((num_segments, data.size(1)), 0)
    result.scatter_add_(0, segment_ids, data)
    count.scatter_add_(0, segment_ids, torch.ones_like(data))
    return result / count.clamp(min=1)

class DGLGATStyle(nn.Module):  # edge softmax as DGL does it, by a maximum and a sum for each receiver
    def __init__(self, d=3, heads=2, out=2):
        super().__init__()
        self.fc = nn.Linear(d, heads * out, bias=False)
        self.al, self.ar = nn.Parameter(torch.randn(1, heads, out)), nn.Parameter(torch.randn(1, heads, out))
        self.heads, self.out = heads, out
    def forward(self, x, edge_index):
        src, dst = edge_index
        z = self.fc(x).view(-1, self.heads, self.out)
        e = F.leaky_relu((z * self.al).sum(-1)[src] + (z * self.ar).sum(-1)[dst], 0.2)
        top = torch.zeros(x.shape[0], self.heads, dtype=x.dtype).scatter_reduce(0, dst[:, None].expand_as(e), e, "amax")
        a = torch.exp(e - top[dst])
        total = torch.zeros_like(top).index_add(0, dst, a)
        a = a / total[dst].clamp(min=1e-16)
        out = torch.zeros_like(z).index_add(0, dst, a[..., None] * z[src])
        return out.flatten(1)

class EdgePoolDirected(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 4)
    def forward(self, x, edge_index, edge_attr):
        m = self.lin(torch.cat([x[edge_index[0]], edge_attr], -1)).relu()
        deg = torch.bincount(edge_index[1], minlength=x.shape[0]).clamp(min=1)
        return torch.zeros_like(x).index_add_(0, edge_index[1], m) / deg[:, None]

class VirtualNode(nn.Module):
    def __init__(self):
        super().__init__()
        self.vn, self.mlp = nn.Parameter(torch.randn(1, 4)), nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    def forward(self, x, batch):
        v = self.vn.expand(3, -1)
        h = x + v[batch]
        pooled = torch.zeros(3, 4, dtype=x.dtype).index_add(0, batch, h)
        return h + self.mlp(pooled + v)[batch]

def laplacian_pe_energy(A):
    A = (A + A.T) / 2
    d = A.sum(1)
    L = torch.eye(A.shape[0], dtype=A.dtype) - A / torch.sqrt(d[:, None] * d[None])
    return torch.trace(torch.linalg.matrix_exp(-L))

def heat_step_edges(u, a=0.1):
    out = u.copy()
    out[1:-1] += a * (u[2:] - 2 * u[1:-1] + u[:-2])
    return out

def dgcnn_knn(x, k):
    inner = -2 * torch.matmul(x.transpose(2, 1), x)
    xx = torch.sum(x**2, dim=1, keepdim=True)
    pairwise_distance = -xx - inner - xx.transpose(2, 1)
    return pairwise_distance.topk(k=k, dim=-1)[1]

def neighbours(x, k):
    """The features of the k nearest points, and k times those of each point."""
    b, c, n = x.shape
    idx = dgcnn_knn(x, k=k) + torch.arange(0, b).view(-1, 1, 1) * n
    x = x.transpose(2, 1).contiguous()
    near = x.view(b * n, -1)[idx.view(-1), :].view(b, n, k, c)
    return near, x.view(b, n, 1, c).repeat(1, 1, k, 1)

def get_graph_feature(x, k=3):
    near, x = neighbours(x, k)
    return torch.cat((near - x, x), dim=3).permute(0, 3, 1, 2).contiguous()

class DGCNNCls(DGCNNEdges):
    def __init__(self):
        super().__init__(k=3)
        self.lin = nn.Linear(16, 4)
    def forward(self, x):
        x, b = super().forward(x), x.size(0)
        x1, x2 = F.adaptive_max_pool1d(x, 1).view(b, -1), F.adaptive_avg_pool1d(x, 1).view(b, -1)
        return self.lin(torch.cat((x1, x2), 1))

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

class SignNetLite(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi, self.rho = nn.Sequential(nn.Linear(1, 8), nn.ReLU(), nn.Linear(8, 4)), nn.Linear(8, 3)
    def forward(self, v):
        v = v.unsqueeze(-1)
        h = self.phi(v) + self.phi(-v)
        return self.rho(h.reshape(h.shape[0], -1))

def ops_2_to_2(inputs):  # Fifteen operations of invariant graph networks, on N x D x m x m
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

def pagerank_solve(A, d=0.85):
    n = len(A)
    out = A.sum(1)
    M = (A / out[:, None]).T
    return np.linalg.solve(np.eye(n) - d * M, np.full(n, (1 - d) / n))

def normalized_laplacian_eigs(A):
    A = (A + A.T) / 2
    d = 1 / np.sqrt(A.sum(1))
    return np.linalg.eigvalsh(np.eye(len(A)) - d[:, None] * A * d[None])

def rdf(X, bins=4, rmax=4.0):
    d = ssd.pdist(X)
    hist, edges = np.histogram(d, bins=bins, range=(0, rmax))
    return hist / (4 * np.pi * edges[1:] ** 2)

def rips_h0(X):  # deaths of components by Kruskal's algorithm
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

def egnn(h, x):  # EGNN, one layer, all pairs
    d = ((x[:, None] - x[None]) ** 2).sum(-1, keepdim=True)
    m = torch.tanh(h[:, None] + 2 * h[None] + d)
    off = 1 - torch.eye(x.shape[0], dtype=x.dtype)
    return h + (m * off[..., None]).sum(1), x + ((x[:, None] - x[None]) * m.mean(-1, keepdim=True) * off[..., None]).sum(1)

def schnet(z, x):  # continuous filters
    d = torch.cdist(x, x)
    mu = torch.linspace(0, 4, 5, dtype=x.dtype)
    rbf = torch.exp(-2 * (d[..., None] - mu) ** 2)
    return (rbf.sum(-1) * F.softplus(z)[None]).sum(1)

def gat_edges(h, e):  # GAT over a list of edges, softmax over those that arrive
    src, dst = e[:, 0], e[:, 1]
    a = F.leaky_relu(h.sum(-1)[src] + 2 * h.sum(-1)[dst], 0.2).exp()
    total = torch.zeros(h.shape[0], dtype=h.dtype).index_add(0, dst, a)
    return torch.zeros_like(h).index_add(0, dst, (a / total[dst])[:, None] * h[src])

class Hyper(nn.Module):  # scalar messages by edge features, degree-normalised
    def __init__(self, d=4):
        super().__init__()
        self.m, self.u = nn.Linear(2 * d + 1, d), nn.GRUCell(d, d)
    def forward(self, h, A):
        n = h.size(0)
        pair = torch.cat([h[:, None].expand(n, n, -1), h[None].expand(n, n, -1), A[..., None]], -1)
        msg = (F.silu(self.m(pair)) * (A > 0)[..., None]).sum(1) / (A > 0).sum(1, keepdim=True).clamp(min=1)
        return self.u(msg, h)

def graph_feature_cross(x, k=3):  # VN-DGCNN, with the cross product
    b, n = x.size(0), x.size(3)
    near, x = (t.view(b, n, k, -1, 3) for t in neighbours(x.view(b, -1, n), k))
    return torch.cat((near - x, x, torch.cross(near, x, dim=-1)), dim=3).permute(0, 3, 4, 1, 2).contiguous()

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

def lorentz_edges(p):  # Minkowski norms and products of all pairs, squashed as LorentzNet does
    def psi(x):
        return torch.sign(x) * torch.log(torch.abs(x) + 1)
    metric = torch.tensor([1.0, -1.0, -1.0, -1.0], dtype=p.dtype)
    d = p[:, None] - p[None]
    return psi((d * d * metric).sum(-1)) + psi(torch.einsum("ia,a,ja->ij", p, metric, p))

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

def uniform_laplacian(v, f):
    n = v.shape[0]
    adj = torch.zeros(n, n, dtype=v.dtype)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        adj.index_put_((f[:, i], f[:, j]), torch.ones(len(f), dtype=v.dtype), accumulate=True)
    adj = ((adj + adj.T) > 0).to(v.dtype)
    deg = adj.sum(1, keepdim=True).clamp(min=1.0)
    return (v - adj @ v / deg).norm(dim=1).mean()

def dense_pyg(of):
    return held("torch_geometric.nn as G", "lambda x, a: f(x[None], a[None])[0]", f"f = G.{of}.eval()")

def katz(A):
    n = len(A)
    return np.linalg.solve(np.eye(n) - 0.01 * A.T, np.ones(n))

class DiffPool(nn.Module):
    def __init__(self, d=3, clusters=2):
        super().__init__()
        self.embed, self.pool = nn.Linear(d, d), nn.Linear(d, clusters)
    def forward(self, x, adj):
        s = torch.softmax(adj @ self.pool(x), dim=-1)
        z = F.relu(adj @ self.embed(x))
        return s.transpose(-1, -2) @ z, s.transpose(-1, -2) @ adj @ s

def nequip(key):
    """A potential of NequIP, of positions and edges."""
    def made():
        from nequip.model import NequIPGNNModel
        from nequip.utils.global_state import set_global_state
        kept = torch.get_default_dtype()
        set_global_state()
        model = NequIPGNNModel(
            seed=0, model_dtype="float64", r_max=4.0, type_names=["H", "C"], num_layers=2, l_max=1, num_features=4,
            radial_mlp_width=4, avg_num_neighbors=3.0,
        )  # fmt: skip
        torch.set_default_dtype(kept)
        def run(pos, types, edge_index):
            with torch.enable_grad():
                return model({"pos": pos, "atom_types": types, "edge_index": edge_index})[key]
        return run
    return built(made)

def aggregation(make, *arguments):
    return layer(make, *arguments, call=lambda aggr, x: aggr(x, dim=0)[0])

CLAIMS = [
    of_torch(layer(G.GCNConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG GCNConv", "S(n)"), true("PyG GCNConv edges", "S(m)")),
    of_torch(layer(G.GATConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG GATConv", "S(n)")),
    of_torch(layer(G.GATv2Conv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG GATv2Conv", "S(n)")),
    of_torch(layer(G.SAGEConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG SAGEConv", "S(n)")),
    of_torch(layer(G.SAGEConv, 4, 3, aggr="max"), "x: n 4, e[n]: 2 m -> n 3", true("PyG SAGEConv max", "S(n)")),
    of_torch(layer(lambda: G.GINConv(mlp(4, 3))), "x: n 4, e[n]: 2 m -> n 3", true("PyG GINConv", "S(n)")),
    of_torch(layer(G.GraphConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG GraphConv", "S(n)")),
    of_torch(layer(G.TransformerConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG TransformerConv", "S(n)")),
    of_torch(layer(lambda: G.EdgeConv(mlp(8, 3))), "x: n 4, e[n]: 2 m -> n 3", true("PyG EdgeConv", "S(n)")),
    of_torch(layer(G.ChebConv, 4, 3, 2), "x: n 4, e[n]: 2 m -> n 3", true("PyG ChebConv", "S(n)")),
    of_torch(layer(G.APPNP, 3, 0.1), "x: n 3, e[n]: 2 m -> n 3", true("PyG APPNP", "S(n)")),
    of_torch(layer(G.SGConv, 4, 3, K=2), "x: n 4, e[n]: 2 m -> n 3", true("PyG SGConv", "S(n)")),
    of_torch(layer(G.ResGatedGraphConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG ResGatedGraphConv", "S(n)")),
    of_torch(layer(lambda: G.PointNetConv(mlp(7, 3))), "x: n 4, p: n 3, e[n]: 2 m -> n 3", true("PyG PointNetConv", "S(n)")),
    of_torch(layer(lambda: nn.ModuleList([G.GCNConv(4, 8), G.GCNConv(8, 3)]), call=lambda m, x, e: pooled(G.global_mean_pool)(m[1](m[0](x, e).relu(), e))[0]), "x: n 4, e[n]: 2 m -> 3", true("PyG GCN network", "S(n)")),
    of_torch(pooled(G.global_add_pool), "x: n 4 -> 1 4", true("PyG global_add_pool", "S(n)")),
    of_torch(lambda x, g: G.global_mean_pool(x, g, 3), "x: n 4, g[3]: n -> 3 4", true("PyG global_mean_pool graphs", "S(n)")),
    of_torch(pooled(G.global_max_pool), "x: n 4 -> 1 4", true("PyG global_max_pool", "S(n)")),
    of_torch(layer(lambda: G.DeepSetsAggregation(mlp(4, 8), mlp(8, 3))), "x: n 4 -> 1 3", true("PyG DeepSets", "S(n)")),
    of_torch(layer(G.GraphNorm, 4), "x: n 4 -> n 4", true("PyG GraphNorm", "S(n)")),
    of_torch(layer(G.PairNorm), "x: n d -> n d", true("PyG PairNorm", "S(n)"), true("PyG PairNorm", "S(n) x O(d)")),
    of_torch(lambda x, e: U.degree(e[1], x.shape[0], dtype=x.dtype), "x: n 4, e[n]: 2 m -> n", true("PyG degree", "S(n)")),
    of_torch(lambda x, i: U.softmax(x, i, num_nodes=4), "x: n, i[4]: n -> n", true("PyG softmax", "S(n)")),
    of_torch(lambda x, e: U.to_dense_adj(e, max_num_nodes=x.shape[0])[0], "x: n 4, e[n]: 2 m -> n n", true("PyG to_dense_adj", "S(n)")),
    of_torch(layer(G.LGConv), "x: n c, e[n]: 2 m -> n c", true("PyG LightGCN propagation", "S(n)")),
    of_torch(layer(EGNN, dim=4, call=lambda m, h, x: m(h[None], x[None])[0][0]), "h: n 4, x: n 3 -> n 4", true("EGNN features", "E(3)"), true("EGNN features permuted", "S(n)")),
    of_torch(layer(EGNN, dim=4, call=lambda m, h, x: m(h[None], x[None])[1][0]), "h: n 4, x: n 3 -> n 3", true("EGNN coordinates", "E(3)")),
    of_torch(layer(lambda: G.PointNetConv(mlp(7, 3))), "x: n v, p: n 3, e[n]: 2 m -> n 3", false("PyG PointNetConv rotations", "S(v)"), v=4),
    of_torch(layer(G.GCNConv, 4, 3, call=lambda c, x, e: c(x, e)[0]), "x: n 4, e[n]: 2 m -> 3", false("PyG GCNConv wrong pool", "S(n)")),
    of_torch(layer(G.GCNConv, 4, 3, call=lambda c, x: c(x, torch.stack([torch.arange(x.shape[0] - 1), torch.arange(1, x.shape[0])]))), "x: n 4 -> n 3", false("PyG GCNConv of path", "S(n)")),
    of_torch(layer(G.SAGEConv, 4, 3, call=lambda c, x, e: c(x + torch.arange(x.shape[0])[:, None], e)), "x: n 4, e[n]: 2 m -> n 3", false("PyG positional features", "S(n)")),
    of_torch(layer(lambda: G.GINConv(mlp(4, 3)), call=lambda c, x, e: c(x - x[:1], e)), "x: n 4, e[n]: 2 m -> n 3", false("PyG GINConv of first node", "S(n)")),
    of_torch(layer(EGNN, dim=4, call=lambda m, h, x: m((h + x[:, :1])[None], x[None])[0][0]), "h: n 4, x: n 3 -> n 4", false("EGNN reads coordinates", "O(3)")),
    of_torch(layer(EGNN, dim=4, call=lambda m, h, x: m(h[None], x[None])[1][0]), "h: n 4, x: n 3 -> n 3^", false("EGNN coordinates not translated", "E(3)")),
    of_numpy(homography_free_normalize, "P: n 2 -> n 2^", true("normalised points", "E(2) x S(n)")),
    of_numpy(normalized_adjacency, "A: n n -> n n", true("normalized adjacency", "S(n)"), draw="positive"),
    of_numpy(pagerank, "A: n n -> n", true("pagerank", "S(n)"), draw="positive"),
    of_numpy(modularity, "A: n n, labels[3]: n -> ()", true("modularity", "S(n)"), draw="positive"),
    of_numpy(lambda u: np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u, "u: n m -> n m", true("laplacian of a torus", "C(n) x C(m)")),
    of_numpy(lambda A: pagerank(A) + np.eye(len(A))[0], "A: n n -> n", false("pagerank with a seed", "S(n)"), draw="positive"),
    of_torch(layer(lambda: T.DistilBertModel(T.DistilBertConfig(vocab_size=11, dim=8, hidden_dim=16, n_layers=1, n_heads=2, max_position_embeddings=8)), call=lambda m, i: m(i).last_hidden_state), "i[11]: b n -> b n 8", true("DistilBERT batch", "S(b)")),
    of_torch(aggregation(G.aggr.MeanAggregation), "x: n d -> d", true("PyG mean aggregation", "S(n) x O(d)")),
    of_torch(aggregation(G.aggr.SoftmaxAggregation), "x: n d -> d", true("PyG softmax aggregation", "S(n)"), false("PyG softmax aggregation rotated", "O(d)")),
    of_torch(aggregation(G.aggr.PowerMeanAggregation), "x: n d -> d", true("PyG power mean aggregation", "S(n)"), draw="positive"),
    of_torch(aggregation(G.aggr.VarAggregation), "x: n d -> d", true("PyG variance aggregation", "S(n)")),
    of_torch(aggregation(G.aggr.MedianAggregation), "x: n d -> d", true("PyG median aggregation", "S(n)")),
    of_torch(aggregation(lambda: G.aggr.AttentionalAggregation(nn.Linear(4, 1))), "x: n 4 -> 4", true("PyG attentional aggregation", "S(n)")),
    of_torch(layer(G.InstanceNorm, 4), "x: n 4 -> n 4", true("PyG InstanceNorm", "S(n)")),
    of_torch(layer(G.LayerNorm, 4), "x: n 4 -> n 4", true("PyG LayerNorm graph", "S(n)")),
    of_torch(layer(G.MessageNorm), "x: n 4, y: n 4 -> n 4", true("PyG MessageNorm", "S(n)")),
    of_torch(layer(G.TAGConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG TAGConv", "S(n)")),
    of_torch(layer(G.ARMAConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG ARMAConv", "S(n)")),
    of_torch(layer(G.LEConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG LEConv", "S(n)")),
    of_torch(layer(G.ClusterGCNConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG ClusterGCNConv", "S(n)")),
    of_torch(layer(G.FeaStConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG FeaStConv", "S(n)")),
    of_torch(layer(G.DenseGCNConv, 4, 3), "x: b n 4, a: b n n -> b n 3", true("PyG DenseGCNConv", "S(n)"), true("PyG DenseGCNConv", "S(b) x S(n)"), draw="positive"),
    of_torch(layer(G.CGConv, 4), "x: n 4, e[n]: 2 m -> n 4", true("PyG CGConv", "S(m)")),
    of_torch(layer(G.TAGConv, 4, 3, call=lambda c, x, e: c(x, e) * torch.arange(len(x))[:, None]), "x: n 4, e[n]: 2 m -> n 3", false("PyG TAGConv numbered", "S(n)")),
    of_torch(layer(DGCNN), "x: b 3 n -> b 8 n", true("torch DGCNN", "S(n)")),
    of_torch(layer(G.GENConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG GENConv", "S(n)")),
    of_torch(layer(G.GMMConv, 4, 3, dim=2, kernel_size=2, call=lambda c, x, e, w: c(x, e, w)), "x: n 4, e[n]: 2 m, w: m 2 -> n 3", true("PyG GMMConv edges", "S(m)")),
    of_torch(layer(G.SSGConv, 4, 3, alpha=0.1, K=2), "x: n 4, e[n]: 2 m -> n 3", true("PyG SSGConv", "S(n)")),
    of_torch(layer(G.FiLMConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", true("PyG FiLMConv", "S(n)")),
    of_torch(layer(G.AGNNConv), "x: n 4, e[n]: 2 m -> n 4", true("PyG AGNNConv", "S(n)")),
    of_torch(layer(G.GatedGraphConv, 4, 2), "x: n 4, e[n]: 2 m -> n 4", true("PyG GatedGraphConv", "S(n)")),
    of_torch(layer(G.BatchNorm, 4, call=lambda m, x, g: G.global_add_pool(m(x), g, 3)), "x: n 4, g[3]: n -> 3 4", true("PyG BatchNorm pool", "S(n)")),
    of_torch(aggregation(G.aggr.MultiAggregation, ["mean", "max", "std"]), "x: n d -> 3d", true("PyG mean max std", "S(n)")),
    of_numpy(laplacian_spectrum, "A: 4 4 -> 4!", true("graphs laplacian spectrum", "S(4)")),
    of_numpy(katz, "A: n n -> n", true("graphs katz", "S(n)")),
    of_numpy(lambda A: katz(A) - np.linalg.eigvalsh(A + A.T)[0] * A[0], "A: n n -> n", false("graphs katz directed", "S(n)")),
    of_torch(layer(G.FiLMConv, 4, 3), "x: n v, e[n]: 2 m -> n 3", false("PyG FiLMConv features", "S(v)"), v=4),
    of_torch(layer(G.GENConv, 4, 4), "x: n 4, e[n]: 2 m -> n 4", false("PyG GENConv rotations", "O(4)")),
    of_torch(aggregation(G.aggr.StdAggregation), "x: n d -> d", false("PyG std aggregation rotated", "O(d)")),
    of_torch(layer(GCN), "x: n 4, a: n n -> n 3", true("GCN dense", "S(n)"), draw="positive"),
    of_torch(layer(GAT), "h: n 4, a: n n -> n 6", true("GAT dense", "S(n)")),
    of_torch(layer(GIN), "x: n 4, e[n]: 2 m -> 2", true("GIN readout", "S(n)")),
    of_torch(layer(MessagePassing), "x: n 4, e[n]: 2 m, w: m 2 -> n 4", true("message passing with a GRU", "S(n) x S(m)")),
    of_torch(layer(PaiNNish), "s: n 4, v: n d 4 -> n d 4", true("vectors with gates of norms", "S(n) x O(d)")),
    of_torch(layer(GCN, call=lambda g, x, a: g(x + torch.arange(len(x), dtype=x.dtype)[:, None], a)), "x: n 4, a: n n -> n 3", false("GCN of node numbers", "S(n)"), draw="positive"),
    of_torch(layer(GAT), "h: n 4, a: n n! -> n 6", false("GAT neighbours one side", "S(n)")),
    of_torch(layer(MessagePassing), "x: n 4, e[n]: 2 m, w: m! 2 -> n 4", false("message passing, edges fixed", "S(m)"), m=(3, 6)),
    of_numpy(graph("degree_centrality"), "A: n n -> n", true("networkx degree centrality", "S(n)"), draw="positive"),
    of_numpy(laplacian, "A: n n -> n n", true("networkx laplacian", "S(n)"), draw="positive"),
    of_torch(layer("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[1]), "f: b n 8, x: b n 3 -> b n 3", true("egnn-pytorch coordinates", "E(3)")),
    of_torch(layer("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", true("egnn-pytorch features", "S(n) x E(3)"), false("egnn-pytorch features rotated", "O(8)")),
    of_numpy(chebyshev_filter, "X: n c, A: n n -> n c", true("Chebyshev graph filter", "S(n) x O(c)"), draw="positive"),
    of_numpy(lambda A: pagerank(A.T), "A: n n -> n", true("PageRank by iterations", "S(n)"), draw="positive"),
    of_numpy(weisfeiler_lehman, "A: n n -> n!", true("Weisfeiler-Lehman colours", "S(n)")),
    of_torch(layer(EdgeMPNN), "h: n 4, E[n]: 2 m -> n 4", true("message passing over edges", "S(n) x S(m)")),
    of_torch(layer(EGCL, call=lambda m, h, x, e: m(h, x, e)[1]), "h: n 4, x: n d, E[n]: 2 m -> n d", true("EGNN over edges", "S(n) x S(m) x E(d)")),
    of_torch(layer(DGCNNEdges), "x: b 3 n -> b 8 n", true("DGCNN edge convolution", "S(n)"), n=(3, 5)),
    of_torch(layer(SchNet), "z[10]: n, x: n 3, E[n]: 2 m -> ()", true("SchNet of a newcomer", "S(n) x S(m) x E(3)")),
    of_torch(layer(EdgeMPNN), "h: n 4, E[n]: v m -> n 4", false("message passing, senders doubled", "S(v)"), n=(2, 5), m=(2, 5), v=2),
    of_torch(layer(PaiNNInteraction), "q: n 4, mu: n 3 4, pos: n 3, e[n]: 2 m -> n 3 4", true("PaiNN interaction", "O(3)")),
    of_torch(layer(PaiNNInteraction), "q: n 4, mu: n 3! 4, pos: n 3!, e[n]: 2 m -> n 3! 4", true("PaiNN interaction nodes", "S(n) x S(m)")),
    of_torch(layer(SchNetEnergy), "pos: n 3 -> n 3^", true("SchNet forces", "E(3)")),
    of_torch(dimenet_angles, "pos: n 3, i[n]: m, j[n]: m, k[n]: m -> m", true("DimeNet angles", "S(n) x E(3)"), backend="torch"),
    of_torch(layer(GCN, 3, 2), "X: n 3, A: n n -> n 2", true("GCN dense", "S(n)"), false("GCN with rows for columns", "Signs(3)"), draw="positive"),
    of_torch(layer(GATv2), "x: n 3, e[n]: 2 m -> n 8", true("GATv2 from scratch", "S(n) x S(m)"), false("GATv2, features rotated", "O(3)")),
    of_torch(layer(GraphormerAttention), "x: n 8, spd[6]: n n, deg[6]: n -> n 8", true("Graphormer", "S(n)")),
    of_torch(layer(PaiNNInteraction, wrong=True), "q: n 4, mu: n 3 4, pos: n 3, e[n]: 2 m -> n 3 4", false("PaiNN interaction of abs", "O(3)")),
    of_torch(lambda p, i, j, k: dimenet_angles(p, j, i, k) * (1.0 + p[:1, :1].sum()), "pos: n 3, i[n]: m, j[n]: m, k[n]: m -> m", false("DimeNet angles, edges exchanged", "E(3)"), backend="torch"),
    of_torch(nequip("forces"), "pos: n 3, types[2]: n, edge_index[n]: 2 m -> n 3^", true("nequip forces", "E(3)"), n=(2, 4), m=(2, 4)),
    of_torch(nequip("total_energy"), "pos: n 3, types[2]: n, edge_index[n]: 2 m -> 1 1", false("nequip energy of scaled positions", "Scale(3)"), true("nequip energy", "S(n) x E(3)"), n=(2, 4), m=(2, 4)),
    of_torch(built(mace_features), "pos: n 3, edge_index[n]: 2 m -> n 4 3!", true("mace edges", "S(n) x S(m) x E(3)")),
    of_torch(schnet_atoms, "X: n 3 -> n 6", true("schnetpack atoms", "S(n) x E(3)")),
    of_torch(layer("schnetpack.nn.base:Aggregate", 1, call=lambda m, x, k: m(x, k.to(x.dtype))), "x: b n c, keep[bool]: b n -> b c", true("schnetpack aggregate", "S(n) x S(b) x O(c)")),
    of_torch(layer(EGCL), "h: n 4, x: n d, edge_index[n]: 2 m -> n 4, n d", true("EGCL, features and positions", "S(n) x S(m) x E(d)")),
    of_torch(layer(DGLGATStyle), "x: n 3, edge_index[n]: 2 m -> n 4", true("edge softmax of DGL", "S(n) x S(m)")),
    of_torch(layer(EdgePoolDirected), "x: n 4, edge_index[n]: 2 m, a: m 4 -> n 4", true("edge features, mean of messages", "S(n) x S(m)")),
    of_torch(layer(VirtualNode), "x: n 4, batch[3]: n -> n 4", true("virtual node", "S(n)")),
    of_torch(laplacian_pe_energy, "A: n n -> ()", true("heat trace of a graph", "S(n)"), draw="positive"),
    of_torch(layer(EGCL, wrong="absolute"), "h: n 4, x: n d, edge_index[n]: 2 m -> n 4, n d", false("EGCL, absolute positions", "T(d)")),
    of_torch(layer(EGCL, wrong="edges"), "h: n 4, x: n d, edge_index[n]: 2 m -> n 4, n d", false("EGCL, features by place", "S(m)")),
    of_torch(layer(DGLGATStyle, call=lambda f, x, e: f(x, e).cumsum(0)), "x: n 3, edge_index[n]: 2 m -> n 4", false("edge softmax, senders", "S(n)")),
    of_torch(built(lambda: mace_features(torch.tensor([1.0, 1.0, 1.2]))), "pos: n 3, edge_index[n]: 2 m -> n 4 3!", false("mace edges of places", "O(3)")),
    of_numpy(lambda s: -(s[1:] * s[:-1]).sum() - (s[:, 1:] * s[:, :-1]).sum(), "s: h w -> ()", false("Ising with edges", "C(h)")),
    of_numpy(heat_step_edges, "u: n c -> n c", false("heat with edges", "C(n)"), n=(3, 6)),
    of_torch(layer(G.SoftmaxAggregation, learn=True), "x: n d -> 1 d", true("PyG SoftmaxAggregation", "S(n) x S(d)")),
    of_torch(layer(G.StdAggregation), "x: n d -> 1 d", true("PyG StdAggregation", "S(n)")),
    of_torch(layer(lambda: G.AttentionalAggregation(nn.Linear(4, 1))), "x: n 4 -> 1 4", true("PyG AttentionalAggregation", "S(n)")),
    of_torch(layer(G.Set2Set, 4, 2), "x: n 4 -> 1 8", true("PyG Set2Set", "S(n)")),
    of_torch(layer(lambda: G.DeepSetsAggregation(nn.Linear(4, 4), nn.Linear(4, 2))), "x: n 4 -> 1 2", true("PyG DeepSetsAggregation", "S(n)")),
    of_torch(layer(G.Set2Set, 4, 2, call=lambda m, x: m(x.cumsum(0))), "x: n 4 -> 1 8", false("PyG Set2Set of order", "S(n)")),
    of_torch(layer(DGCNNCls), "x: b 3 n -> b 4", true("DGCNN classifier", "S(n) x S(b)"), false("DGCNN classifier translated", "T(3)"), n=(4, 6)),
    of_torch(lambda x: (get_graph_feature(x)[:, :3] ** 2).sum(1).amax(-1), "x: b 3 n -> b n", true("DGCNN graph features turned", "E(3)"), n=(4, 6)),
    of_torch(layer(DimeNetAngles), "pos: n 3 -> n 2", true("DimeNet-like angles", "S(n) x E(3)")),
    of_torch(layer(SignNetLite), "v: n 2 -> n 3", true("SignNet", "S(n) x Signs(2)")),
    of_torch(layer(SignNetLite), "v: n k -> n 3", false("SignNet columns exchanged", "S(k)"), k=2),
    of_torch(layer(IGN), "x: b 2 n n -> b 3 n n", true("IGN 2 to 2", "S(n)")),
    of_torch(layer(GraphormerAttention, 4, 2, 5, 4), "x: n 4, spd[5]: n n, deg[4]: n -> n 4", true("Graphormer bias", "S(n)")),
    of_numpy(pagerank_solve, "A: n n -> n", true("PageRank solve", "S(n)"), draw="positive"),
    of_numpy(normalized_laplacian_eigs, "A: n n -> n!", true("normalised Laplacian spectrum", "S(n)"), draw="positive"),
    of_numpy(rdf, "X: n d -> 4", true("RDF", "S(n) x E(d)")),
    of_numpy(rips_h0, "X: n d -> k", true("H0 by Kruskal", "S(n) x E(d)"), n=(2, 4)),
    of_torch(held("kornia", "lambda x: kornia.filters.laplacian(x, 3)"), "x: b 1 5 5 -> b 1 5 5", true("kornia laplacian", "S(b)")),
    of_torch(lambda h, x: egnn(h, x)[0], "h: n f, x: n 3 -> n f", true("EGNN features", "S(n) x E(3) x S(f)"), false("EGNN features signed", "Signs(f)")),
    of_torch(lambda h, x: egnn(h, x)[1], "h: n f, x: n 3 -> n 3", true("EGNN coordinates", "S(n) x E(3)")),
    of_torch(schnet, "z: n, x: n 3 -> n", true("SchNet filters", "S(n) x E(3)")),
    of_torch(gat_edges, "h: n d, e[n]: m 2 -> n d", true("GAT over edges", "S(n) x S(m)")),
    of_torch(layer(Hyper), "h: n 4, A: n n -> n 4", true("dense GRU message passing", "S(n)")),
    of_torch(graph_feature_cross, "x: b 1 3 n -> b 3 3 n k", true("VN-DGCNN cross features, batch", "S(b)"), n=(4, 6), k=3),
    of_torch(lambda x: graph_feature_cross(x).mean(-1), "x: b 1 3 n -> b 3! 3 n", true("VN-DGCNN cross features turned", "SO(3) x S(n)", n=(4, 6)), false("VN-DGCNN cross features mirrored", "O(3)", b=1, n=4)),
    of_torch(layer(EdgeConvIdx), "x: b 3 n -> b 6 n", true("edge convolution by gather", "S(b) x S(n)"), b=(1, 2), n=(3, 5)),
    of_torch(layer(CGEgnn), "x: n 3 -> n 3", true("geometric products, vectors", "S(n) x O(3)")),
    of_torch(lorentz_edges, "p: n 4 -> n n", true("LorentzNet edges", "S(n)"), false("LorentzNet edges turned", "O(4)")),
    of_torch(layer(PNADense), "x: n 3, adj: n n -> n 4", true("PNA dense", "S(n)"), n=(3, 5)),
    of_torch(layer(DiffPool, call=lambda m, x, a: m(x, a)[1]), "x: n 3, adj: n n -> 2 2", true("DiffPool adjacency", "S(n)")),
    of_torch(layer(DiffPool, call=lambda m, x, a: m(x, a)[0]), "x: n 3, adj: n n -> 2 3", true("DiffPool features", "S(n)")),
    of_torch(layer(NodeDeletion), "adj: n n, x: n 3 -> 3", true("subgraphs that lack a node", "S(n)")),
    of_torch(layer(EdgeChannels, call=lambda m, h, e: m(h, e)[0]), "h: n 4, e: n n 3 -> n 4", true("EGT nodes", "S(n)")),
    of_torch(layer(EdgeChannels, call=lambda m, h, e: m(h, e)[1]), "h: n 4, e: n n 3 -> n n 3", true("EGT edges", "S(n)")),
    of_numpy(modularity_gradient, "a: n n, s: n k -> n k", true("modularity gradient", "S(n) x O(k)"), draw="positive"),
    of_torch(layer(GCNII), "x: n 4, adj: n n -> n 4", true("GCNII", "S(n)")),
    of_torch(uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", true("uniform Laplacian", "S(n) x S(m) x O(3)"), false("uniform Laplacian, lone vertices moved", "T(3)"), false("uniform Laplacian scaled", "Scale(3)")),
    of_torch(dense_pyg("DenseGINConv(torch.nn.Linear(3, 4))"), "x: n 3, adj: n n -> n 4", true("PyG DenseGINConv", "S(n)")),
    of_torch(dense_pyg("DenseSAGEConv(3, 4)"), "x: n 3, adj: n n -> n 4", true("PyG DenseSAGEConv", "S(n)")),
    of_torch(dense_pyg("DenseGATConv(3, 4)"), "x: n 3, adj: n n -> n 4", true("PyG DenseGATConv", "S(n)")),
    of_torch(held("torch_geometric.nn as G", "lambda x, a, s: G.dense_mincut_pool(x[None], a[None], s[None])[0][0]"), "x: n d, a: n n, s: n k -> k d", true("PyG mincut pool", "S(n) x S(k)"), draw="positive"),
    of_torch(held("torch_geometric.nn as G", "lambda x, a: f(x[None], a[None])[1][0]", "f = G.DMoNPooling(3, 2, dropout=0.0).eval()"), "x: n 3, a: n n -> 2 3", true("PyG DMoN pool", "S(n)"), draw="positive"),
    of_torch(held("torch_geometric.nn as G", "lambda z: f.forward_all(z)", "f = G.InnerProductDecoder()"), "z: n d -> n n", true("PyG InnerProductDecoder", "S(n) x O(d)")),
    of_torch(layer(EdgeChannels, call=lambda m, h, e: m(h, e)[0]), "h: n 4, e: n! n! 3 -> n 4", false("EGT edges kept", "S(n)")),
    of_torch(layer(GCNII), "x: n 4, adj: n! n! -> n 4", false("GCNII, no neighbours moved", "S(n)")),
    of_torch(dense_pyg("DenseGINConv(torch.nn.Linear(3, 4))"), "x: n 3, adj: n! n! -> n 4", false("PyG DenseGINConv, graph kept", "S(n)")),
    of_torch(dense_pyg("DenseSAGEConv(3, 4)"), "x: n 3, adj: n n! -> n 4", false("PyG DenseSAGEConv, one axis", "S(n)")),
]  # fmt: skip
