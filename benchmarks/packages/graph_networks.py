"""Graph neural networks, message passing and statistics of graphs."""

from __future__ import annotations

import functools
import math

import einops
import numpy as np
import scipy.spatial.distance as ssd
import torch
import torch.nn.functional as F
import torch_geometric.nn as G
import torch_geometric.utils as U
from egnn_pytorch import EGNN
from torch import nn

from benchmarks.packages.claims import numpy_false, numpy_true, torch_false, torch_true
from benchmarks.packages.helpers import (
    DIST,
    EDGES,
    GRAPH,
    IMAGES,
    SETS_2,
    DiffPool,
    aggregation,
    built_2,
    held,
    katz,
    message_passing,
    mincut_losses,
    mods,
    mods_2,
    named,
    nequip,
    packed,
    seeded,
    wrong,
)

GRAPH_local = "x: n 4, e[n]: 2 m -> n 3"


def mlp(i, o):
    return torch.nn.Sequential(torch.nn.Linear(i, 8), torch.nn.ReLU(), torch.nn.Linear(8, o))


def pooled(pool):
    return lambda: lambda x: pool(x, torch.zeros(x.shape[0], dtype=torch.long))


def pooled_graphs(pool):
    return lambda: lambda x, g: pool(x, g)


def network():
    a, b = seeded(lambda: G.GCNConv(4, 8))(), seeded(lambda: G.GCNConv(8, 3))()
    return lambda x, e: G.global_mean_pool(b(a(x, e).relu(), e), torch.zeros(x.shape[0], dtype=torch.long))[0]


def egnn(which):
    def made():
        torch.manual_seed(0)
        layer = EGNN(dim=4).eval()
        return lambda h, x: layer(h[None], x[None])[which][0]

    return made


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


def laplace_2d(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


def graph_norm(name, *arguments):
    def made():
        import torch_geometric.nn as G

        return getattr(G, name)(*arguments).eval()

    return made


def graph_transformer():
    from transformers import DistilBertConfig, DistilBertModel

    torch.manual_seed(0)
    config = DistilBertConfig(
        vocab_size=11, dim=8, hidden_dim=16, n_layers=1, n_heads=2, max_position_embeddings=8
    )
    model = DistilBertModel(config).eval()
    return lambda ids: model(ids).last_hidden_state


def laplacian_spectrum(A):
    A = (A + A.T) / 2
    L = np.diag(A.sum(axis=1)) - A
    return np.linalg.eigvalsh(L)


class DGCNN(nn.Module):
    """The largest of messages from all points."""

    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(6, 8, 1), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))

    def forward(self, x):
        """The layer."""
        b, c, n = x.size()
        centre = x.view(b, c, n, 1).expand(-1, -1, -1, n)
        others = x.view(b, c, 1, n).expand(-1, -1, n, -1)
        return self.f(torch.cat((others - centre, centre), dim=1)).max(dim=-1, keepdim=False)[0]


def pyg(name, *arguments, **options):
    def made():
        import torch_geometric.nn as G

        torch.manual_seed(0)
        return getattr(G, name)(*arguments, **options).eval()

    return made


class GCN(nn.Module):
    """Two layers of a graph network on a dense adjacency."""

    def __init__(self):
        super().__init__()
        self.w1, self.w2 = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x, adj):
        """The network."""
        a = adj + torch.eye(adj.size(0), dtype=adj.dtype)
        deg = a.sum(dim=1)
        inv = deg.pow(-0.5)
        inv[torch.isinf(inv)] = 0.0
        a = torch.diag(inv) @ a @ torch.diag(inv)
        h = F.dropout(F.relu(a @ self.w1(x)), 0.5, self.training)
        return F.log_softmax(a @ self.w2(h), dim=1)


class GAT(nn.Module):
    """Attention over neighbours, as the first tutorials wrote it."""

    def __init__(self):
        super().__init__()
        self.W = nn.Parameter(torch.randn(4, 6) / 2)
        self.a = nn.Parameter(torch.randn(12, 1) / 2)

    def forward(self, h, adj):
        """The layer."""
        Wh = torch.mm(h, self.W)
        e = F.leaky_relu(torch.matmul(Wh, self.a[:6]) + torch.matmul(Wh, self.a[6:]).T, 0.2)
        e = torch.where(adj > 0, e, -9e15 * torch.ones_like(e))
        return F.elu(torch.matmul(F.softmax(e, dim=1), Wh))


class GIN(nn.Module):
    """A sum over neighbours, and a readout."""

    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.tensor(0.1))
        self.mlp = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 8))
        self.out = nn.Linear(8, 2)

    def forward(self, x, edge_index):
        """The network."""
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add_(0, dst, x[src])
        h = self.mlp((1 + self.eps) * x + agg)
        return self.out(h.mean(0))


class MessagePassing(nn.Module):
    """Messages of edges with features, a recurrent update."""

    def __init__(self):
        super().__init__()
        self.msg, self.upd = nn.Linear(4 + 4 + 2, 6), nn.GRUCell(6, 4)

    def forward(self, x, e, w):
        """The layer."""
        m = self.msg(torch.cat([x[e[0]], x[e[1]], w], dim=-1)).relu()
        out = torch.zeros(x.size(0), 6, dtype=x.dtype)
        out.scatter_add_(0, e[1].unsqueeze(-1).expand_as(m), m)
        return self.upd(out, x)


class PaiNNish(nn.Module):
    """Scalars and vectors that talk to each other."""

    def __init__(self):
        super().__init__()
        self.phi, self.U, self.gate = nn.Linear(4, 8), nn.Linear(4, 4, bias=False), nn.Linear(8, 4)

    def forward(self, s, v):
        """The layer: s of nodes and channels, v of nodes, coordinates and channels."""
        u = self.U(v)
        norm = torch.sqrt((u**2).sum(dim=1) + 1e-8)
        g = self.gate(torch.cat([s, norm], -1))
        return u * torch.sigmoid(g).unsqueeze(1)


GRAPH_2 = "x: n 4, e[n]: 2 m -> "


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

    return made


EquivariantGraphNetwork = "f: b n 8, x: b n 3 -> b n 3"


def chebyshev_filter(X, A, theta=(0.5, -0.3, 0.2)):
    d = A.sum(axis=1)
    L = np.eye(len(A)) - A / np.sqrt(np.outer(d, d))
    T0, T1 = X, L @ X
    out = theta[0] * T0 + theta[1] * T1
    for k in range(2, len(theta)):
        T0, T1 = T1, 2 * L @ T1 - T0
        out = out + theta[k] * T1
    return out


def pagerank_2(A, d=0.85, iterations=5):
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


class DGCNN_2(nn.Module):
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


EDGES_local = "E[n]: 2 m"

SMALL = {"n": (2, 5), "m": (2, 5)}


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


def dimenet_angles(pos, i, j, k):
    pos_i = pos[i]
    pos_ji, pos_ki = pos[j] - pos_i, pos[k] - pos_i
    a = (pos_ji * pos_ki).sum(dim=-1)
    b = torch.cross(pos_ji, pos_ki, dim=-1).norm(dim=-1)
    return torch.atan2(b, a)


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


def mace_features():
    """The edge features of MACE, summed over the receivers."""
    from e3nn import o3
    from mace.modules.radial import BesselBasis, PolynomialCutoff

    harmonics = o3.SphericalHarmonics("0e + 1o + 2e", normalize=True, normalization="component")
    bessel, cutoff = BesselBasis(5.0, 4), PolynomialCutoff(5.0, p=6)

    def run(pos, edge_index):
        sender, receiver = edge_index
        v = pos[receiver] - pos[sender]
        r = torch.linalg.norm(v, dim=-1, keepdim=True)
        radial = bessel(r + 0.1) * cutoff(r)
        m = torch.einsum("ej,ek->ejk", radial, harmonics(v))
        A = torch.zeros(pos.shape[0], *m.shape[1:], dtype=m.dtype).index_add_(0, receiver, m)
        return torch.stack([(A[..., :1] ** 2).sum(-1), (A[..., 1:4] ** 2).sum(-1), (A[..., 4:] ** 2).sum(-1)], -1)

    return run


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


class EGCL(nn.Module):
    """Of the first repository of E(n) graph networks."""

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


class DGLGATStyle(nn.Module):
    """Edge softmax as DGL does it, by a maximum and a sum for each receiver."""

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


def ising_open(s):
    return -(s[1:] * s[:-1]).sum() - (s[:, 1:] * s[:, :-1]).sum()


def heat_step_edges(u, a=0.1):
    out = u.copy()
    out[1:-1] += a * (u[2:] - 2 * u[1:-1] + u[:-2])
    return out


def pyg_2(path, *args, **options):
    def made():
        torch.manual_seed(0)
        layer = named(path)()(*args, **options).eval()
        return lambda *arrays: layer(*arrays)

    return made


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


def egnn_2(h, x):  # EGNN, one layer, all pairs
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


def lorentz_edges(p):
    """Minkowski norms and products of all pairs, squashed as LorentzNet does."""

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


def pyg_3(of):
    return held("torch_geometric.nn as G", "lambda x, a: f(x[None], a[None])[0]", f"f = G.{of}.eval()")


CLAIMS = [
    torch_true("PyG GCNConv", seeded(lambda: G.GCNConv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG GCNConv edges", seeded(lambda: G.GCNConv(4, 3)), GRAPH_local, "S(m)"),
    torch_true("PyG GATConv", seeded(lambda: G.GATConv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG GATv2Conv", seeded(lambda: G.GATv2Conv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG SAGEConv", seeded(lambda: G.SAGEConv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG SAGEConv max", seeded(lambda: G.SAGEConv(4, 3, aggr="max")), GRAPH_local, "S(n)"),
    torch_true("PyG GINConv", seeded(lambda: G.GINConv(mlp(4, 3))), GRAPH_local, "S(n)"),
    torch_true("PyG GraphConv", seeded(lambda: G.GraphConv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG TransformerConv", seeded(lambda: G.TransformerConv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG EdgeConv", seeded(lambda: G.EdgeConv(mlp(8, 3))), GRAPH_local, "S(n)"),
    torch_true("PyG ChebConv", seeded(lambda: G.ChebConv(4, 3, 2)), GRAPH_local, "S(n)"),
    torch_true("PyG APPNP", seeded(lambda: G.APPNP(3, 0.1)), "x: n 3, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG SGConv", seeded(lambda: G.SGConv(4, 3, K=2)), GRAPH_local, "S(n)"),
    torch_true("PyG ResGatedGraphConv", seeded(lambda: G.ResGatedGraphConv(4, 3)), GRAPH_local, "S(n)"),
    torch_true("PyG PointNetConv", seeded(lambda: G.PointNetConv(mlp(7, 3))), "x: n 4, p: n 3, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG GCN network", network, "x: n 4, e[n]: 2 m -> 3", "S(n)"),
    torch_true("PyG global_add_pool", pooled(G.global_add_pool), "x: n 4 -> 1 4", "S(n)"),
    torch_true("PyG global_mean_pool graphs", pooled_graphs(lambda x, g: G.global_mean_pool(x, g, 3)), "x: n 4, g[3]: n -> 3 4", "S(n)"),
    torch_true("PyG global_max_pool", pooled(G.global_max_pool), "x: n 4 -> 1 4", "S(n)"),
    torch_true("PyG DeepSets", seeded(lambda: G.DeepSetsAggregation(mlp(4, 8), mlp(8, 3))), "x: n 4 -> 1 3", "S(n)"),
    torch_true("PyG GraphNorm", seeded(lambda: G.GraphNorm(4)), "x: n 4 -> n 4", "S(n)"),
    torch_true("PyG PairNorm", seeded(lambda: G.PairNorm()), "x: n d -> n d", "S(n)"),
    torch_true("PyG degree", lambda: lambda x, e: U.degree(e[1], x.shape[0], dtype=x.dtype), "x: n 4, e[n]: 2 m -> n", "S(n)"),
    torch_true("PyG softmax", lambda: lambda x, i: U.softmax(x, i, num_nodes=4), "x: n, i[4]: n -> n", "S(n)"),
    torch_true("PyG to_dense_adj", lambda: lambda x, e: U.to_dense_adj(e, max_num_nodes=x.shape[0])[0], "x: n 4, e[n]: 2 m -> n n", "S(n)"),
    torch_true("PyG LightGCN propagation", seeded(lambda: G.LGConv()), "x: n c, e[n]: 2 m -> n c", "S(n)"),
    torch_true("EGNN features", egnn(0), "h: n 4, x: n 3 -> n 4", "E(3)"),
    torch_true("EGNN coordinates", egnn(1), "h: n 4, x: n 3 -> n 3", "E(3)"),
    torch_true("EGNN features permuted", egnn(0), "h: n 4, x: n 3 -> n 4", "S(n)"),
    torch_false("PyG PointNetConv rotations", seeded(lambda: G.PointNetConv(mlp(7, 3))), "x: n v, p: n 3, e[n]: 2 m -> n 3", "S(v)", sizes={"v": 4}),
    torch_false("PyG GCNConv wrong pool", lambda: (lambda c: lambda x, e: c(x, e)[0])(seeded(lambda: G.GCNConv(4, 3))()), "x: n 4, e[n]: 2 m -> 3", "S(n)"),
    torch_false("PyG GCNConv of path", lambda: (lambda c: lambda x: c(x, torch.stack([torch.arange(x.shape[0] - 1), torch.arange(1, x.shape[0])])))(seeded(lambda: G.GCNConv(4, 3))()), "x: n 4 -> n 3", "S(n)"),
    torch_false("PyG positional features", lambda: (lambda c: lambda x, e: c(x + torch.arange(x.shape[0])[:, None], e))(seeded(lambda: G.SAGEConv(4, 3))()), GRAPH_local, "S(n)"),
    torch_false("PyG GINConv of first node", lambda: (lambda c: lambda x, e: c(x - x[:1], e))(seeded(lambda: G.GINConv(mlp(4, 3)))()), GRAPH_local, "S(n)"),
    torch_false("EGNN reads coordinates", lambda: (lambda f: lambda h, x: f(h + x[:, :1], x))(egnn(0)()), "h: n 4, x: n 3 -> n 4", "O(3)"),
    torch_false("EGNN coordinates not translated", egnn(1), "h: n 4, x: n 3 -> n 3^", "E(3)"),
    numpy_true("normalised points", lambda: homography_free_normalize, "P: n 2 -> n 2^", "E(2) x S(n)"),
    numpy_true("normalized adjacency", lambda: normalized_adjacency, "A: n n -> n n", "S(n)", draw="positive"),
    numpy_true("pagerank", lambda: pagerank, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("modularity", lambda: modularity, "A: n n, labels[3]: n -> ()", "S(n)", draw="positive"),
    numpy_true("laplacian of a torus", lambda: laplace_2d, "u: n m -> n m", "C(n) x C(m)"),
    numpy_false("pagerank with a seed", lambda: lambda A: pagerank(A) + np.eye(len(A))[0], "A: n n -> n", "S(n)", draw="positive"),
    torch_true("DistilBERT batch", graph_transformer, "i[11]: b n -> b n 8", "S(b)"),
    torch_true("PyG mean aggregation", aggregation("MeanAggregation"), "x: n d -> d", "S(n) x O(d)"),
    torch_true("PyG softmax aggregation", aggregation("SoftmaxAggregation"), "x: n d -> d", "S(n)"),
    torch_true("PyG power mean aggregation", aggregation("PowerMeanAggregation"), "x: n d -> d", "S(n)", draw="positive"),
    torch_true("PyG variance aggregation", aggregation("VarAggregation"), "x: n d -> d", "S(n)"),
    torch_true("PyG median aggregation", aggregation("MedianAggregation"), "x: n d -> d", "S(n)"),
    torch_true("PyG attentional aggregation", lambda: (lambda a: lambda x: a(x, dim=0)[0])(seeded(lambda: __import__("torch_geometric").nn.aggr.AttentionalAggregation(nn.Linear(4, 1)))()), "x: n 4 -> 4", "S(n)"),
    torch_true("PyG InstanceNorm", graph_norm("InstanceNorm", 4), "x: n 4 -> n 4", "S(n)"),
    torch_true("PyG LayerNorm graph", graph_norm("LayerNorm", 4), "x: n 4 -> n 4", "S(n)"),
    torch_true("PyG MessageNorm", graph_norm("MessageNorm"), "x: n 4, y: n 4 -> n 4", "S(n)"),
    torch_true("PyG TAGConv", message_passing("TAGConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG ARMAConv", message_passing("ARMAConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG LEConv", message_passing("LEConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG ClusterGCNConv", message_passing("ClusterGCNConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG FeaStConv", message_passing("FeaStConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG DenseGCNConv", message_passing("DenseGCNConv", 4, 3), "x: b n 4, a: b n n -> b n 3", "S(n)", draw="positive"),
    torch_true("PyG CGConv", message_passing("CGConv", 4), "x: n 4, e[n]: 2 m -> n 4", "S(m)"),
    torch_false("PyG softmax aggregation rotated", aggregation("SoftmaxAggregation"), "x: n d -> d", "O(d)"),
    torch_false("PyG TAGConv numbered", lambda: (lambda c: lambda x, e: c(x, e) * torch.arange(len(x))[:, None])(message_passing("TAGConv", 4, 3)()), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("torch DGCNN", seeded(lambda: DGCNN().eval()), "x: b 3 n -> b 8 n", "S(n)"),
    torch_true("PyG GENConv", pyg("GENConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG GMMConv edges", lambda: (lambda c: lambda x, e, w: c(x, e, w))(pyg("GMMConv", 4, 3, dim=2, kernel_size=2)()), "x: n 4, e[n]: 2 m, w: m 2 -> n 3", "S(m)"),
    torch_true("PyG SSGConv", pyg("SSGConv", 4, 3, alpha=0.1, K=2), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG FiLMConv", pyg("FiLMConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG AGNNConv", pyg("AGNNConv"), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    torch_true("PyG GatedGraphConv", pyg("GatedGraphConv", 4, 2), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    torch_true("PyG BatchNorm pool", lambda: (lambda p, b: lambda x, g: p(b(x), g, 3))(__import__("torch_geometric").nn.global_add_pool, pyg("BatchNorm", 4)()), "x: n 4, g[3]: n -> 3 4", "S(n)"),
    torch_true("PyG mean max std", lambda: (lambda m: lambda x: m(x, dim=0)[0])(__import__("torch_geometric").nn.aggr.MultiAggregation(["mean", "max", "std"])), "x: n d -> 3d", "S(n)"),
    numpy_true("graphs laplacian spectrum", lambda: laplacian_spectrum, "A: 4 4 -> 4!", "S(4)"),
    numpy_true("graphs katz", lambda: katz, "A: n n -> n", "S(n)"),
    torch_false("PyG FiLMConv features", pyg("FiLMConv", 4, 3), "x: n v, e[n]: 2 m -> n 3", "S(v)", sizes={"v": 4}),
    torch_false("PyG GENConv rotations", pyg("GENConv", 4, 4), "x: n 4, e[n]: 2 m -> n 4", "O(4)"),
    torch_false("PyG std aggregation rotated", lambda: (lambda m: lambda x: m(x, dim=0)[0])(__import__("torch_geometric").nn.aggr.StdAggregation()), "x: n d -> d", "O(d)"),
    torch_true("GCN dense", seeded(GCN), "x: n 4, a: n n -> n 3", "S(n)", draw="positive"),
    torch_true("GAT dense", seeded(GAT), "h: n 4, a: n n -> n 6", "S(n)"),
    torch_true("GIN readout", seeded(GIN), GRAPH_2 + "2", "S(n)"),
    torch_true("message passing with a GRU", seeded(MessagePassing), "x: n 4, e[n]: 2 m, w: m 2 -> n 4", "S(n) x S(m)"),
    torch_true("vectors with gates of norms", seeded(PaiNNish), "s: n 4, v: n d 4 -> n d 4", "S(n) x O(d)"),
    torch_false("GCN of node numbers", lambda: (lambda g: lambda x, a: g(x + torch.arange(len(x), dtype=x.dtype)[:, None], a))(seeded(GCN)()), "x: n 4, a: n n -> n 3", "S(n)", draw="positive"),
    torch_false("GAT neighbours one side", seeded(GAT), "h: n 4, a: n n! -> n 6", "S(n)"),
    torch_false("message passing, edges fixed", seeded(MessagePassing), "x: n 4, e[n]: 2 m, w: m! 2 -> n 4", "S(m)", sizes={"m": (3, 6)}),
    numpy_true("networkx degree centrality", graph("degree_centrality"), "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("networkx laplacian", laplacian, "A: n n -> n n", "S(n)", draw="positive"),
    torch_true("egnn-pytorch coordinates", built_2("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[1]), EquivariantGraphNetwork, "E(3)"),
    torch_true("egnn-pytorch features", built_2("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", "S(n) x E(3)"),
    torch_false("egnn-pytorch features rotated", built_2("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", "O(8)"),
    numpy_true("Chebyshev graph filter", lambda: chebyshev_filter, "X: n c, A: n n -> n c", "S(n) x O(c)", draw="positive"),
    numpy_true("PageRank by iterations", lambda: pagerank_2, "A: n n -> n", "S(n)", draw="positive"),
    numpy_true("Weisfeiler-Lehman colours", lambda: weisfeiler_lehman, "A: n n -> n!", "S(n)"),
    torch_true("message passing over edges", seeded(EdgeMPNN), f"h: n 4, {EDGES_local} -> n 4", "S(n) x S(m)"),
    torch_true("EGNN over edges", seeded(EdgeEGNN), f"h: n 4, x: n d, {EDGES_local} -> n d", "S(n) x S(m) x E(d)"),
    torch_true("DGCNN edge convolution", seeded(DGCNN_2), "x: b 3 n -> b 8 n", "S(n)", sizes={"n": (3, 5)}),
    torch_true("SchNet of a newcomer", seeded(SchNet), f"z[10]: n, x: n 3, {EDGES_local} -> ()", "S(n) x S(m) x E(3)"),
    torch_false("message passing, senders doubled", seeded(EdgeMPNN), "h: n 4, E[n]: v m -> n 4", "S(v)", sizes={**SMALL, "v": 2}),
    torch_true("PaiNN interaction", mods(PaiNNInteraction), "q: n 4, mu: n 3 4, pos: n 3, e[n]: 2 m -> n 3 4", "O(3)"),
    torch_true("PaiNN interaction nodes", mods(PaiNNInteraction), "q: n 4, mu: n 3! 4, pos: n 3!, e[n]: 2 m -> n 3! 4", "S(n) x S(m)"),
    torch_true("SchNet forces", mods(SchNetEnergy), "pos: n 3 -> n 3^", "E(3)"),
    torch_true("DimeNet angles", lambda: dimenet_angles, "pos: n 3, i[n]: m, j[n]: m, k[n]: m -> m", "S(n) x E(3)", backend="torch"),
    torch_true("GCN dense", mods(GCNDense), "X: n 3, A: n n -> n 2", "S(n)", draw="positive"),
    torch_true("GATv2 from scratch", mods(GATv2), "x: n 3, e[n]: 2 m -> n 8", "S(n) x S(m)"),
    torch_true("Graphormer", mods(GraphormerAttention), "x: n 8, spd[6]: n n, deg[6]: n -> n 8", "S(n)"),
    torch_false("PaiNN interaction of abs", mods(functools.partial(PaiNNInteraction, wrong=True)), "q: n 4, mu: n 3 4, pos: n 3, e[n]: 2 m -> n 3 4", "O(3)"),
    torch_false("DimeNet angles, edges exchanged", lambda: lambda p, i, j, k: dimenet_angles(p, j, i, k) * (1.0 + p[:1, :1].sum()), "pos: n 3, i[n]: m, j[n]: m, k[n]: m -> m", "E(3)", backend="torch"),
    torch_false("GCN with rows for columns", mods(GCNDense), "X: n 3, A: n n -> n 2", "Signs(3)", draw="positive"),
    torch_false("GATv2, features rotated", mods(GATv2), "x: n 3, e[n]: 2 m -> n 8", "O(3)"),
    torch_true("nequip forces", nequip("forces"), "pos: n 3, types[2]: n, edge_index[n]: 2 m -> n 3^", "E(3)", sizes={"n": (2, 4), "m": (2, 4)}),
    torch_true("mace edges", lambda: mace_features(), f"pos: n 3, {EDGES} -> n 4 3!", "S(n) x S(m) x E(3)"),
    torch_true("schnetpack atoms", schnet_atoms, "X: n 3 -> n 6", "S(n) x E(3)"),
    torch_true("schnetpack aggregate", built_2("schnetpack.nn.base:Aggregate", 1, call=lambda m, x, k: m(x, k.to(x.dtype))), "x: b n c, keep[bool]: b n -> b c", "S(n) x S(b) x O(c)"),
    torch_true("EGCL, features and positions", mods_2(EGCL), f"h: n 4, x: n d, {EDGES} -> n 4, n d", "S(n) x S(m) x E(d)"),
    torch_true("edge softmax of DGL", mods_2(DGLGATStyle), f"x: n 3, {EDGES} -> n 4", "S(n) x S(m)"),
    torch_true("edge features, mean of messages", mods_2(EdgePoolDirected), "x: n 4, edge_index[n]: 2 m, a: m 4 -> n 4", "S(n) x S(m)"),
    torch_true("virtual node", mods_2(VirtualNode), "x: n 4, batch[3]: n -> n 4", "S(n)"),
    torch_true("heat trace of a graph", lambda: laplacian_pe_energy, "A: n n -> ()", "S(n)", draw="positive"),
    torch_false("EGCL, absolute positions", mods_2(functools.partial(EGCL, wrong="absolute")), f"h: n 4, x: n d, {EDGES} -> n 4, n d", "T(d)"),
    torch_false("EGCL, features by place", mods_2(functools.partial(EGCL, wrong="edges")), f"h: n 4, x: n d, {EDGES} -> n 4, n d", "S(m)"),
    torch_false("edge softmax, senders", wrong(mods_2(DGLGATStyle), lambda f, x, e: f(x, e).cumsum(0)), f"x: n 3, {EDGES} -> n 4", "S(n)"),
    torch_false("mace edges of places", wrong(mace_features, lambda f, x, e: f(x * torch.tensor([1.0, 1.0, 1.2], dtype=x.dtype), e)), f"pos: n 3, {EDGES} -> n 4 3!", "O(3)"),
    numpy_false("Ising with edges", lambda: ising_open, "s: h w -> ()", "C(h)"),
    numpy_false("heat with edges", lambda: heat_step_edges, "u: n c -> n c", "C(n)", sizes={"n": (3, 6)}),
    torch_true("PyG PairNorm", pyg_2("torch_geometric.nn:PairNorm"), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("PyG SoftmaxAggregation", pyg_2("torch_geometric.nn:SoftmaxAggregation", learn=True), "x: n d -> 1 d", "S(n) x S(d)"),
    torch_true("PyG StdAggregation", pyg_2("torch_geometric.nn:StdAggregation"), "x: n d -> 1 d", "S(n)"),
    torch_true("PyG AttentionalAggregation", lambda: (lambda m: lambda x: m(x))(seeded(lambda: named("torch_geometric.nn:AttentionalAggregation")()(nn.Linear(4, 1)))()), "x: n 4 -> 1 4", "S(n)"),
    torch_true("PyG Set2Set", pyg_2("torch_geometric.nn:Set2Set", 4, 2), "x: n 4 -> 1 8", "S(n)"),
    torch_true("PyG DeepSetsAggregation", seeded(lambda: named("torch_geometric.nn:DeepSetsAggregation")()(nn.Linear(4, 4), nn.Linear(4, 2))), "x: n 4 -> 1 2", "S(n)"),
    torch_true("PyG DenseGCNConv", pyg_2("torch_geometric.nn:DenseGCNConv", 4, 3), "x: b n 4, a: b n n -> b n 3", "S(b) x S(n)", draw="positive"),
    torch_false("PyG Set2Set of order", lambda: (lambda m: lambda x: m(x.cumsum(0)))(pyg_2("torch_geometric.nn:Set2Set", 4, 2)()), "x: n 4 -> 1 8", "S(n)"),
    torch_true("DGCNN classifier", seeded(DGCNNCls), "x: b 3 n -> b 4", "S(n) x S(b)", sizes=SETS_2),
    torch_true("DGCNN graph features turned", lambda: lambda x: (get_graph_feature(x)[:, :3] ** 2).sum(1).amax(-1), "x: b 3 n -> b n", "E(3)", sizes=SETS_2),
    torch_false("DGCNN classifier translated", seeded(DGCNNCls), "x: b 3 n -> b 4", "T(3)", sizes=SETS_2),
    torch_true("DimeNet-like angles", seeded(DimeNetAngles), "pos: n 3 -> n 2", "S(n) x E(3)"),
    torch_true("SignNet", seeded(SignNetLite), "v: n 2 -> n 3", "S(n) x Signs(2)"),
    torch_false("SignNet columns exchanged", seeded(SignNetLite), "v: n k -> n 3", "S(k)", sizes={"k": 2}),
    torch_true("IGN 2 to 2", seeded(IGN), "x: b 2 n n -> b 3 n n", "S(n)"),
    torch_true("Graphormer bias", seeded(GraphormerBias), "x: n 4, spd[5]: n n, deg[4]: n -> n 4", "S(n)"),
    numpy_true("PageRank solve", lambda: pagerank_solve, "A: n n -> n", "S(n)", **DIST),
    numpy_true("normalised Laplacian spectrum", lambda: normalized_laplacian_eigs, "A: n n -> n!", "S(n)", **DIST),
    numpy_true("RDF", lambda: rdf, "X: n d -> 4", "S(n) x E(d)"),
    numpy_true("H0 by Kruskal", lambda: rips_h0, "X: n d -> k", "S(n) x E(d)", sizes={"n": (2, 4)}),
    torch_true("kornia laplacian", held("kornia", "lambda x: kornia.filters.laplacian(x, 3)"), IMAGES, "S(b)"),
    torch_true("EGNN features", lambda: lambda h, x: egnn_2(h, x)[0], "h: n f, x: n 3 -> n f", "S(n) x E(3) x S(f)"),
    torch_true("EGNN coordinates", lambda: lambda h, x: egnn_2(h, x)[1], "h: n f, x: n 3 -> n 3", "S(n) x E(3)"),
    torch_false("EGNN features signed", lambda: lambda h, x: egnn_2(h, x)[0], "h: n f, x: n 3 -> n f", "Signs(f)"),
    torch_true("SchNet filters", lambda: schnet, "z: n, x: n 3 -> n", "S(n) x E(3)"),
    torch_true("GAT over edges", lambda: gat_edges, "h: n d, e[n]: m 2 -> n d", "S(n) x S(m)"),
    torch_true("dense GRU message passing", seeded(Hyper), "h: n 4, A: n n -> n 4", "S(n)"),
    torch_true("VN-DGCNN cross features, batch", lambda: graph_feature_cross, "x: b 1 3 n -> b 3 3 n k", "S(b)", sizes={"n": (4, 6), "k": 3}),
    torch_true("VN-DGCNN cross features turned", lambda: lambda x: graph_feature_cross(x).mean(-1), "x: b 1 3 n -> b 3! 3 n", "SO(3) x S(n)", sizes={"n": (4, 6)}),
    torch_true("edge convolution by gather", seeded(EdgeConvIdx), "x: b 3 n -> b 6 n", "S(b) x S(n)", sizes={"b": (1, 2), "n": (3, 5)}),
    torch_true("geometric products, vectors", seeded(CGEgnn), "x: n 3 -> n 3", "S(n) x O(3)"),
    torch_true("LorentzNet edges", lambda: lorentz_edges, "p: n 4 -> n n", "S(n)"),
    torch_true("PNA dense", seeded(PNADense), GRAPH, "S(n)", sizes={"n": (3, 5)}),
    torch_true("DiffPool adjacency", lambda: (lambda m: lambda x, a: m(x, a)[1])(seeded(DiffPool)()), "x: n 3, adj: n n -> 2 2", "S(n)"),
    torch_true("subgraphs that lack a node", seeded(NodeDeletion), "adj: n n, x: n 3 -> 3", "S(n)"),
    torch_true("EGT nodes", lambda: (lambda m: lambda h, e: m(h, e)[0])(seeded(EdgeChannels)()), "h: n 4, e: n n 3 -> n 4", "S(n)"),
    torch_true("EGT edges", lambda: (lambda m: lambda h, e: m(h, e)[1])(seeded(EdgeChannels)()), "h: n 4, e: n n 3 -> n n 3", "S(n)"),
    numpy_true("modularity gradient", lambda: modularity_gradient, "a: n n, s: n k -> n k", "S(n) x O(k)", draw="positive"),
    torch_true("GCNII", seeded(GCNII), "x: n 4, adj: n n -> n 4", "S(n)"),
    torch_true("uniform Laplacian", lambda: uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", "S(n) x S(m) x O(3)"),
    torch_true("PyG DenseGINConv", pyg_3("DenseGINConv(torch.nn.Linear(3, 4))"), GRAPH, "S(n)"),
    torch_true("PyG DenseSAGEConv", pyg_3("DenseSAGEConv(3, 4)"), GRAPH, "S(n)"),
    torch_true("PyG DenseGATConv", pyg_3("DenseGATConv(3, 4)"), GRAPH, "S(n)"),
    torch_true("PyG mincut pool", packed("torch_geometric.nn as G", "lambda x, a, s: G.dense_mincut_pool(x[None], a[None], s[None])[0][0]"), "x: n d, a: n n, s: n k -> k d", "S(n) x S(k)", draw="positive"),
    torch_true("PyG DMoN pool", packed("torch_geometric.nn as G", "lambda x, a: f(x[None], a[None])[1][0]", "f = G.DMoNPooling(3, 2, dropout=0.0).eval()"), "x: n 3, a: n n -> 2 3", "S(n)", draw="positive"),
    torch_true("PyG InnerProductDecoder", packed("torch_geometric.nn as G", "lambda z: f.forward_all(z)", "f = G.InnerProductDecoder()"), "z: n d -> n n", "S(n) x O(d)"),
    torch_false("VN-DGCNN cross features mirrored", lambda: lambda x: graph_feature_cross(x).mean(-1), "x: b 1 3 n -> b 3! 3 n", "O(3)", sizes={"b": 1, "n": 4}),
    torch_false("LorentzNet edges turned", lambda: lorentz_edges, "p: n 4 -> n n", "O(4)"),
    torch_false("MinCut losses of nodes alone", lambda: mincut_losses, "adj: n! n!, s: n k -> ()", "S(n)", draw="positive"),
    torch_false("EGT edges kept", lambda: (lambda m: lambda h, e: m(h, e)[0])(seeded(EdgeChannels)()), "h: n 4, e: n! n! 3 -> n 4", "S(n)"),
    torch_false("GCNII, no neighbours moved", seeded(GCNII), "x: n 4, adj: n! n! -> n 4", "S(n)"),
    torch_false("uniform Laplacian, lone vertices moved", lambda: uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", "T(3)"),
    torch_false("uniform Laplacian scaled", lambda: uniform_laplacian, "v: n 3, f[n]: m 3! -> ()", "Scale(3)"),
    torch_false("PyG DenseGINConv, graph kept", pyg_3("DenseGINConv(torch.nn.Linear(3, 4))"), "x: n 3, adj: n! n! -> n 4", "S(n)"),
    torch_false("PyG DenseSAGEConv, one axis", pyg_3("DenseSAGEConv(3, 4)"), "x: n 3, adj: n n! -> n 4", "S(n)"),
]  # fmt: skip
