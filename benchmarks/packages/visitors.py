"""Potentials, diffusion, scans, audio, compositions and layers of several inputs and results, as strangers meet them."""

from __future__ import annotations

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded
from benchmarks.packages.published import built, named, using

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")

EDGES = "edge_index[n]: 2 m"


# Published packages.
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

    return made


def nequip_layer(path, key, given, **options):
    """A layer of NequIP, of a dictionary of fields."""

    def made():
        torch.manual_seed(0)
        layer = named(path)()(**options)
        return lambda *arrays: layer(dict(zip(given, arrays, strict=True)))[key]

    return made


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


def canonical_frame():
    """The frame that a network of vector neurons chooses."""
    import types

    from equiadapt.pointcloud.canonicalization_networks.equivariant_networks import VNSmall

    torch.manual_seed(0)
    net = VNSmall(types.SimpleNamespace(n_knn=3, pooling="mean")).eval()
    return lambda x: net(x)


def mamba(**options):
    def made():
        from mambapy.mamba import MambaBlock, MambaConfig

        torch.manual_seed(0)
        return MambaBlock(MambaConfig(d_model=4, n_layers=1, d_state=2, pscan=options.get("pscan", False))).eval()

    return made


def aev():
    from torchani.aev import AEVComputer

    return AEVComputer.like_2x(num_species=2)


def e3nn_jax_tensor(irreps, second):
    def made():
        import e3nn_jax as e3nn

        return lambda x, y: e3nn.tensor_product(e3nn.IrrepsArray(irreps, x), e3nn.IrrepsArray(second, y)).filter("0e").array

    return made


def e3nn_jax_norm():
    import e3nn_jax as e3nn

    return lambda x: e3nn.norm(e3nn.spherical_harmonics("1o + 2e", x, False)).array


def e3nn_jax_messages(wrong=False):
    def made():
        import e3nn_jax as e3nn
        import jax.numpy as jnp

        def run(pos, senders, receivers):
            v = pos[senders] if wrong else pos[receivers] - pos[senders]
            sh = e3nn.spherical_harmonics("1o", v, True)
            w = jnp.exp(-jnp.sum(v**2, axis=-1, keepdims=True))
            return e3nn.scatter_sum(sh * w, dst=receivers, output_size=pos.shape[0]).array

        return run

    return made


def equinox_net(make, call=None):
    def made():
        import equinox as eqx
        import jax

        net = make(eqx, jax.random.PRNGKey(0))
        return jax.vmap(net) if call is None else (lambda *x: call(net, *x))

    return made


def wavelet():
    from pytorch_wavelets import DWTForward

    return (lambda w: lambda x: w(x)[0])(DWTForward(J=1, wave="haar", mode="periodization"))


# Layers of repositories, several inputs and results.
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


class TupleDropBatchNorm(nn.Module):
    """Batch norm over the components of vectors: the mistake of a beginner."""

    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.bn.weight.data = torch.tensor([1.0, 0.7, 1.3])

    def forward(self, v):
        return self.bn(v)


class SE3Attention(nn.Module):
    """Vector features, weights from distances and scalars, a dictionary of results."""

    def __init__(self, f=4, heads=2):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(f, 4), nn.Linear(f, 4), nn.Linear(f, 4)
        self.dist, self.out, self.heads = nn.Linear(1, heads), nn.Linear(4, f), heads

    def forward(self, x, pos, mask):
        b, n, _ = x.shape
        q, k, v = (t(x).view(b, n, self.heads, -1).transpose(1, 2) for t in (self.q, self.k, self.v))
        d = torch.cdist(pos, pos)
        logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) - self.dist(d[..., None]).permute(0, 3, 1, 2)
        logits = logits.masked_fill(~mask[:, None, None, :], torch.finfo(logits.dtype).min)
        attn = logits.softmax(dim=-1)
        h = (attn @ v).transpose(1, 2).reshape(b, n, -1)
        rel = pos[:, :, None] - pos[:, None]
        shift = torch.einsum("bhij,bijc->bic", attn, rel) / self.heads
        return {"h": self.out(h), "pos": pos + shift * mask[..., None]}


class CrossProductLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, v, w):
        c = torch.cross(v, w, dim=-1)
        s = self.mlp(torch.stack([(v * w).sum(-1), c.norm(dim=-1)], -1))
        return s[..., :1] * v + s[..., 1:] * c


class SetTransformerISAB(nn.Module):
    def __init__(self, d=8, m=3):
        super().__init__()
        self.I = nn.Parameter(torch.randn(1, m, d))
        self.a, self.b = (nn.MultiheadAttention(d, 2, batch_first=True) for _ in range(2))
        self.ln = nn.LayerNorm(d)

    def forward(self, X, mask):
        H, _ = self.a(self.I.repeat(X.shape[0], 1, 1), X, X, key_padding_mask=~mask)
        return self.ln(X + self.b(X, H, H)[0])


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


def ball_query_pool(x, feats, radius=1.5):
    inside = (torch.cdist(x, x) < radius).to(x.dtype)
    return inside @ feats / inside.sum(-1, keepdim=True)


class GINEDense(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = nn.Parameter(torch.tensor(0.3))
        self.mlp = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x, adj):
        return self.mlp((1 + self.eps) * x + adj @ x)


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


def random_walk_pe(A, k=3):
    P = A / A.sum(dim=-1, keepdim=True)
    M, out = P, [torch.diagonal(P)]
    for _ in range(k - 1):
        M = M @ P
        out.append(M.diagonal())
    return torch.stack(out, dim=-1)


class MaskedMeanPool(nn.Module):
    def __init__(self, wrong=False):
        super().__init__()
        self.lin, self.wrong = nn.Linear(4, 4), wrong

    def forward(self, x, mask):
        h = self.lin(x) * mask.unsqueeze(-1)
        lengths = mask.sum(dim=1, keepdim=True).clamp(min=1)
        return h[:, -1] if self.wrong else h.sum(dim=1) / lengths


class CircularUNet(nn.Module):
    def __init__(self, mode="circular"):
        super().__init__()
        self.c1 = nn.Conv2d(2, 4, 3, padding=1, padding_mode=mode)
        self.c2 = nn.Conv2d(4, 2, 3, padding=1, padding_mode=mode)
        self.norm = nn.GroupNorm(2, 4)

    def forward(self, x, t):
        emb = torch.cat([torch.sin(t[:, None] * torch.arange(1, 3)), torch.cos(t[:, None] * torch.arange(1, 3))], -1)
        h = F.silu(self.norm(self.c1(x))) + emb[:, :, None, None]
        return self.c2(h) + x


class P4Average(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(2, 1, 3, 3))

    def forward(self, x):
        x = F.pad(x, (1, 1, 1, 1), mode="circular")
        return sum(F.conv2d(x, torch.rot90(self.w, k, (2, 3))) for k in range(4))


class SelectiveScan(nn.Module):
    """A state space with steps that depend on the input."""

    def __init__(self, d=3, s=2):
        super().__init__()
        self.A_log = nn.Parameter(torch.log(torch.arange(1, s + 1, dtype=torch.float32).repeat(d, 1)))
        self.proj, self.dt, self.D = nn.Linear(d, 1 + 2 * s), nn.Linear(1, d), nn.Parameter(torch.ones(d))
        self.s = s

    def forward(self, x):
        b, L, d = x.shape
        delta, B, C = self.proj(x).split([1, self.s, self.s], dim=-1)
        delta = F.softplus(self.dt(delta))
        A = -torch.exp(self.A_log)
        dA = torch.exp(torch.einsum("bld,dn->bldn", delta, A))
        dBu = torch.einsum("bld,bln,bld->bldn", delta, B, x)
        h, ys = torch.zeros(b, d, self.s, dtype=x.dtype), []
        for i in range(L):
            h = dA[:, i] * h + dBu[:, i]
            ys.append(torch.einsum("bdn,bn->bd", h, C[:, i]))
        return torch.stack(ys, dim=1) + x * self.D


def retention(q, k, v, gamma=0.9):
    n = q.shape[-2]
    i = torch.arange(n)
    D = torch.where(i[:, None] >= i[None], gamma ** (i[:, None] - i[None]).clamp(min=0).to(q.dtype), 0.0)
    return (q @ k.transpose(-1, -2) * D) @ v


def hopfield(state, memory, beta=2.0):
    for _ in range(3):
        state = torch.softmax(beta * state @ memory.T, dim=-1) @ memory
    return state


def gumbel_free_vq(z, codebook):
    d = z.pow(2).sum(1, keepdim=True) - 2 * z @ codebook.t() + codebook.pow(2).sum(1)
    idx = d.argmin(1)
    q = F.embedding(idx, codebook)
    loss = F.mse_loss(q.detach(), z) + 0.25 * F.mse_loss(q, z.detach())
    return z + (q - z).detach(), loss


def proto_loss(support, query, labels):
    proto = torch.stack([support[i::3].mean(0) for i in range(3)])
    return F.cross_entropy(-torch.cdist(query, proto) ** 2, labels)


def angular_margin(x, w, y, m=0.3, s=8.0):
    cos = F.normalize(x) @ F.normalize(w).T
    hot = F.one_hot(y, 3).to(cos.dtype)
    phi = torch.cos(torch.acos(cos.clamp(-1 + 1e-7, 1 - 1e-7)) + m)
    return F.cross_entropy(s * (hot * phi + (1 - hot) * cos), y)


def hungarian_free_set_loss(p, t):
    return torch.cdist(p, t).min(-1).values.mean(-1) + torch.cdist(p, t).amin(-2).mean(-1)


def vicreg(x, y):
    inv = F.mse_loss(x, y)
    var = sum(F.relu(1 - torch.sqrt(z.var(0) + 1e-4)).mean() for z in (x, y))
    cov = 0.0
    for z in (x, y):
        z = z - z.mean(0)
        c = z.T @ z / (z.shape[0] - 1)
        cov = cov + (c.pow(2).sum() - c.diagonal().pow(2).sum()) / z.shape[1]
    return inv + var + cov


def ddpm_loss_weights(x, eps, a):
    noisy = a.sqrt()[:, None] * x + (1 - a).sqrt()[:, None] * eps
    return ((noisy - eps) ** 2).mean(1)


def torsion(p):
    b0, b1, b2 = p[0] - p[1], p[2] - p[1], p[3] - p[2]
    b1 = b1 / torch.linalg.norm(b1)
    v, w = b0 - (b0 @ b1) * b1, b2 - (b2 @ b1) * b1
    return torch.atan2(torch.linalg.cross(b1, v) @ w, v @ w)


def rigid_from_3_points(x1, x2, x3):
    v1, v2 = x3 - x2, x1 - x2
    e1 = v1 / torch.sqrt((v1**2).sum(-1, keepdim=True) + 1e-8)
    u2 = v2 - e1 * (e1 * v2).sum(-1, keepdim=True)
    e2 = u2 / torch.sqrt((u2**2).sum(-1, keepdim=True) + 1e-8)
    return torch.stack([e1, e2, torch.cross(e1, e2, dim=-1)], dim=-1)


def lddt(pred, true, cutoff=5.0):
    dt, dp = torch.cdist(true, true), torch.cdist(pred, pred)
    keep = (dt < cutoff) * (1.0 - torch.eye(true.shape[0], dtype=true.dtype))
    diff = (dt - dp).abs()
    score = sum((diff < t).to(dt.dtype) for t in (0.5, 1.0, 2.0, 4.0)) / 4
    return (keep * score).sum(-1) / (keep.sum(-1) + 1e-10)


def multi_force(pos, q):
    """Energy and forces, of a graph of all pairs."""
    pos = pos.requires_grad_(True)
    with torch.enable_grad():
        n = pos.shape[0]
        i, j = torch.triu_indices(n, n, offset=1)
        r = (pos[i] - pos[j]).norm(dim=1)
        e = (q[i] * q[j] / (r + 0.5)).sum()
        f = -torch.autograd.grad(e, pos, create_graph=True)[0]
    return {"energy": e, "forces": f}


# NumPy of scientists.
def soft_dtw(x, y, gamma=1.0):
    D = ((x[:, None] - y[None]) ** 2).sum(-1)
    n, m = D.shape
    R = np.full((n + 1, m + 1), np.inf)
    R[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            r = np.array([R[i - 1, j], R[i, j - 1], R[i - 1, j - 1]])
            low = r.min()
            R[i, j] = D[i - 1, j - 1] + low - gamma * np.log(np.exp(-(r - low) / gamma).sum())
    return R[n, m]


def barycentre(X, w):
    w = w / w.sum()
    mean = np.average(X, axis=0, weights=w)
    return mean, np.einsum("n,nd,ne->de", w, X - mean, X - mean)


def hu_moments(image):
    h, w = image.shape
    y, x = np.mgrid[:h, :w]
    m = image.sum()
    cx, cy = (x * image).sum() / m, (y * image).sum() / m
    mu = lambda p, q: ((x - cx) ** p * (y - cy) ** q * image).sum() / m ** (1 + (p + q) / 2)
    return np.array([mu(2, 0) + mu(0, 2), (mu(2, 0) - mu(0, 2)) ** 2 + 4 * mu(1, 1) ** 2])


def mel_like(x):
    frames = np.stack([x[i : i + 4] for i in range(0, len(x) - 3, 2)])
    return (np.abs(np.fft.rfft(frames * np.hanning(4), axis=-1)) ** 2).mean()


def circular_power(x):
    X = np.fft.fft(x)
    return np.real(np.fft.ifft(X * np.conj(X)))


def partial_corr(X):
    P = np.linalg.inv(np.cov(X, rowvar=False))
    d = np.sqrt(np.diag(P))
    return -P / np.outer(d, d)


def cronbach_alpha(X):
    k = X.shape[1]
    return k / (k - 1) * (1 - X.var(axis=0, ddof=1).sum() / X.sum(axis=1).var(ddof=1))


def icc(X):
    n, k = X.shape
    grand = X.mean()
    msr = k * ((X.mean(1) - grand) ** 2).sum() / (n - 1)
    mse = ((X - X.mean(1, keepdims=True) - X.mean(0, keepdims=True) + grand) ** 2).sum() / ((n - 1) * (k - 1))
    return (msr - mse) / (msr + (k - 1) * mse)


def welch_t(x, y):
    return (x.mean() - y.mean()) / np.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y))


def theil_sen_residual(x, y):
    slopes = [(y[j] - y[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i + 1, len(x))]
    return np.median(slopes)


def lowess_like(x, y, h=1.0):
    W = np.exp(-((x[:, None] - x[None]) ** 2) / h)
    return (W * y).sum(1) / W.sum(1)


def steinhardt(X):
    v = X[:, None] - X[None]
    r = np.linalg.norm(v, axis=-1) + np.eye(len(X))
    u = v / r[..., None]
    w = (1 - np.eye(len(X))) * np.exp(-r)
    c = np.einsum("ijk,ilk->ijl", u, u)
    p = 0.5 * (3 * c**2 - 1)
    return np.sqrt(np.einsum("ij,il,ijl->i", w, w, p) / w.sum(1) ** 2)


def soap_like(X):
    v = X[:, None] - X[None]
    d2 = (v**2).sum(-1)
    g = np.exp(-d2)[..., None] ** np.array([0.5, 1.0, 2.0])
    c0 = g.sum(1)
    c1 = np.einsum("ijn,ijk->ink", g, v)
    return np.einsum("ink,imk->inm", c1, c1) + np.einsum("in,im->inm", c0, c0)


def shape_context(X):
    c = X - X.mean(0)
    r = np.hypot(c[:, 0], c[:, 1])
    return np.sort(r) / r.max()


def turning(X):
    """Signed area and turning of a closed polygon."""
    x, y = X.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    e = np.roll(X, -1, axis=0) - X
    f = np.roll(e, -1, axis=0)
    ang = np.arctan2(e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0], (e * f).sum(1))
    return area, ang


def verlet_step(x, v, dt=0.01):
    def force(x):
        d = x[:, None] - x[None]
        r2 = (d**2).sum(-1) + 1.0
        return (d / r2[..., None] ** 2).sum(1)

    a = force(x)
    x1 = x + v * dt + 0.5 * a * dt**2
    return x1, v + 0.5 * (a + force(x1)) * dt


def boids(x, v, r=1.5):
    d = x[None] - x[:, None]
    near = (np.linalg.norm(d, axis=-1) < r).astype(float)
    n = near.sum(1, keepdims=True)
    cohesion = np.einsum("ij,ijk->ik", near, d) / n
    align = near @ v / n - v
    return v + 0.1 * cohesion + 0.2 * align


def ising_energy(s, J=1.0):
    return -J * (s * np.roll(s, 1, 0) + s * np.roll(s, 1, 1)).sum()


def ising_open(s):
    return -(s[1:] * s[:-1]).sum() - (s[:, 1:] * s[:, :-1]).sum()


def heat_step(u, a=0.1):
    lap = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
    return u + a * lap


def heat_step_edges(u, a=0.1):
    out = u.copy()
    out[1:-1] += a * (u[2:] - 2 * u[1:-1] + u[:-2])
    return out


def sharpe(r, w):
    p = r @ w
    return p.mean() / p.std(ddof=1) * np.sqrt(252)


def risk_parity(w, C):
    m = C @ w
    return w * m / (w @ m)


def drawdown(x):
    c = np.cumsum(x)
    return np.max(np.maximum.accumulate(c) - c)


def hill_numbers(p, q=2):
    p = p / p.sum()
    return (p**q).sum() ** (1 / (1 - q))


def bray_curtis(X):
    return np.abs(X[:, None] - X[None]).sum(-1) / (X[:, None] + X[None]).sum(-1)


def rank_correlation(x, y):
    rx, ry = x.argsort().argsort(), y.argsort().argsort()
    return np.corrcoef(rx, ry)[0, 1]


# JAX.
def jax_pna():
    import jax
    import jax.numpy as jnp

    def run(x, senders, receivers):
        n = x.shape[0]
        m = x[senders]
        s = jax.ops.segment_sum(m, receivers, n)
        deg = jax.ops.segment_sum(jnp.ones(m.shape[0]), receivers, n)[:, None]
        mean = s / jnp.maximum(deg, 1)
        std = jnp.sqrt(jnp.maximum(jax.ops.segment_sum(m**2, receivers, n) / jnp.maximum(deg, 1) - mean**2, 0) + 1e-5)
        return jnp.concatenate([mean, std], -1) * jnp.log1p(deg)

    return run


def jax_ssm(reverse=False):
    def made():
        import jax
        import jax.numpy as jnp

        A = jnp.array([[0.5, 0.1], [-0.2, 0.7]])

        def run(x):
            def step(h, u):
                h = h @ A.T + u[:, None]
                return h, h.sum(-1)

            return jax.lax.scan(step, jnp.zeros((x.shape[1], 2)), x)[1]

        return run

    return made


def jax_hamiltonian():
    import jax
    import jax.numpy as jnp

    def H(q, p):
        d = q[:, None] - q[None]
        return 0.5 * jnp.sum(p**2) + jnp.sum(jnp.exp(-jnp.sum(d**2, -1)))

    return lambda q, p: (jax.grad(H, 1)(q, p), -jax.grad(H, 0)(q, p))


def jax_hessian_trace():
    import jax
    import jax.numpy as jnp

    return lambda x: jnp.trace(jax.hessian(lambda y: jnp.log1p(jnp.sum(y**2)))(x))


def jax_attention_pool():
    import jax
    import jax.numpy as jnp

    def run(x, q, mask):
        logits = jnp.where(mask, x @ q, -1e9)
        return jax.nn.softmax(logits) @ x

    return run


def jax_vmap_kernel():
    import jax
    import jax.numpy as jnp

    k = lambda x, y: jnp.exp(-0.5 * jnp.sum((x - y) ** 2))
    return lambda X, Y: jax.vmap(lambda x: jax.vmap(lambda y: k(x, y))(Y))(X)


def jax_sinkhorn():
    import jax
    import jax.numpy as jnp

    def run(X, Y):
        C = jnp.sum((X[:, None] - Y[None]) ** 2, -1)

        def body(_, fg):
            f, g = fg
            f = -jax.nn.logsumexp(g[None] - C, axis=1)
            return f, -jax.nn.logsumexp(f[:, None] - C, axis=0)

        f, g = jax.lax.fori_loop(0, 4, body, (jnp.zeros(X.shape[0]), jnp.zeros(Y.shape[0])))
        return jnp.sum(jnp.exp(f[:, None] + g[None] - C) * C)

    return run


def mods(make):
    return seeded(make)


def wrong(make, change):
    """The function, with a mistake."""

    def made():
        f = make()
        return lambda *arrays: change(f, *arrays)

    return made


POT = f"pos: n 3, types[2]: n, {EDGES}"
D = "diffusers.models."

CLAIMS = [
    # packages, torch
    torch_true("nequip energy", nequip("total_energy"), f"{POT} -> 1 1", "S(n) x E(3)", sizes={"n": (2, 4), "m": (2, 4)}),
    torch_true("nequip forces", nequip("forces"), "pos: n 3, types[2]: n, edge_index[n]: 2 m -> n 3^", "E(3)", sizes={"n": (2, 4), "m": (2, 4)}),
    torch_true("nequip MLP", built("nequip.nn.mlp:ScalarMLPFunction", 4, 3, 1, 8), "x: n 4 -> n 3", "S(n)"),
    torch_true("nequip scatter", using("nequip.nn.utils:scatter", lambda f, x, i, s: f(x, i, 0, dim_size=s.shape[0])), "x: m c, i[n]: m, s: n -> n c", "S(n) x S(m) x O(c)"),
    torch_true("mace edges", lambda: mace_features(), f"pos: n 3, {EDGES} -> n 4 3!", "S(n) x S(m) x E(3)"),
    torch_true("mace scatter mean", using("mace.tools.scatter:scatter_mean", lambda f, x, i, s: f(x, i, 0, dim_size=s.shape[0])), "x: m c, i[n]: m, s: n -> n c", "S(n) x S(m) x O(c)"),
    torch_true("mace cutoff", built("mace.modules.radial:PolynomialCutoff", 5.0, call=lambda m, X: m(torch.cdist(X, X))), "X: n 3 -> n n", "S(n) x E(3)"),
    torch_true("schnetpack atoms", schnet_atoms, "X: n 3 -> n 6", "S(n) x E(3)"),
    torch_true("schnetpack aggregate", built("schnetpack.nn.base:Aggregate", 1, call=lambda m, x, k: m(x, k.to(x.dtype))), "x: b n c, keep[bool]: b n -> b c", "S(n) x S(b) x O(c)"),
    torch_true("torchani AEV", lambda: (lambda a: lambda s, x: a(s, x))(aev()), "species[2]: b n, x: b n 3 -> b n k", "S(b) x E(3)", sizes={"n": (2, 3), "b": (1, 2)}, single=True),
    torch_true("equiadapt VN frame", canonical_frame, "x: b 3 n -> b 3! 3", "S(b)", sizes={"n": (4, 5), "b": (1, 2)}),
    torch_true("equiadapt VN linear", built("equiadapt.pointcloud.canonicalization_networks.vector_neuron_layers:VNLinear", 3, 4), "x: b 3! 3 n -> b 4 3 n", "S(n) x O(3)"),
    torch_true("equiadapt VN leaky", built("equiadapt.pointcloud.canonicalization_networks.vector_neuron_layers:VNLeakyReLU", 4), "x: b 4 3 n -> b 4 3 n", "S(n) x O(3)"),
    torch_true("torch-kmeans distances", built("torch_kmeans.utils.distances:LpDistance"), "x: b n d, y: b m d -> b n m", "S(n) x S(m) x O(d)"),
    torch_true("torch-kmeans cosine", built("torch_kmeans.utils.distances:CosineSimilarity"), "x: b n d, y: b m d -> b n m", "S(n) x O(d)"),
    torch_true("mamba batch", mamba(), "x: b 4 4 -> b 4 4", "S(b)"),
    torch_true("mamba parallel scan, batch", mamba(pscan=True), "x: b 4 4 -> b 4 4", "S(b)"),
    torch_true("diffusers transformer block", built(D + "attention:BasicTransformerBlock", 8, 2, 4), "x: b n 8 -> b n 8", "S(n)"),
    torch_true("diffusers feed forward", built(D + "attention:FeedForward", 8), "x: b n 8 -> b n 8", "S(n) x S(b)"),
    torch_true("diffusers ResNet block", built(D + "resnet:ResnetBlock2D", in_channels=4, temb_channels=6, groups=2, call=lambda m, x, t: m(x, t)), "x: b 4 3 3, t: b 6 -> b 4 3 3", "S(b)"),
    torch_true("diffusers time steps", using(D + "embeddings:get_timestep_embedding", lambda f, t: f(t, 6)), "t: n -> n 6", "S(n)", single=True),
    torch_true("diffusers AdaLayerNorm", built(D + "normalization:AdaLayerNormContinuous", 8, 6, elementwise_affine=False), "x: b n 8, c: b 6 -> b n 8", "S(n) x S(b)"),
    torch_true("diffusers response norm", built(D + "normalization:GlobalResponseNorm", 3), "x: b h w 3 -> b h w 3", "S(h) x C(w)"),
    torch_true("conformer batch", built("conformer:ConformerBlock", dim=8, dim_head=4, heads=2, ff_mult=2, conv_kernel_size=3), "x: b 5 8 -> b 5 8", "S(b)"),
    torch_true("torchcfm flow", built("torchcfm:ConditionalFlowMatcher", sigma=0.0, call=lambda m, x, y, t: m.compute_mu_t(x, y, t)), "x: n d, y: n d, t: n -> n d", "S(n) x E(d)"),
    torch_true("pomegranate normal", using("pomegranate.distributions:Normal", lambda f, x: f([0.0, 0.0], [1.0, 1.0], covariance_type="diag").log_probability(x)), "x: n 2 -> n", "S(n)", single=True),
    torch_true("wavelets, channels", wavelet, "x: b c 4 4 -> b c 2 2", "S(b) x S(c)"),
    torch_true("torch-dct energy", using("torch_dct:dct", lambda f, x: (f(x, norm="ortho") ** 2).sum(-1)), "x: n 6 -> n", "S(n)"),
    torch_true("ptwt wavedec", using("ptwt:wavedec", lambda f, x: f(x, "haar", level=1, mode="zero")[0]), "x: b 6 -> b 3", "S(b)"),
    torch_true("auraloss SISDR", built("auraloss.time:SISDRLoss"), "x: b c t, y: b c t -> ()", "S(b) x S(c)"),
    torch_true("auraloss log cosh", built("auraloss.time:LogCoshLoss"), "x: b c t, y: b c t -> ()", "S(b) x S(t)"),
    torch_true("fast-bss-eval SI-SDR", using("fast_bss_eval:si_sdr_loss", lambda f, x, y: f(x, y, pairwise=False)), "x: b c t, y: b c t -> b c", "S(b) x O(t)"),
    # packages, NumPy
    true("skbio closure", using("skbio.stats.composition:closure", lambda f, x: f(x)), "x: n k -> n k", "S(n) x S(k)", draw="positive"),
    true("skbio clr", using("skbio.stats.composition:clr", lambda f, x: f(x)), "x: n k -> n k", "S(n) x S(k)", draw="positive"),
    true("skbio inner", using("skbio.stats.composition:inner", lambda f, x, y: f(x, y)), "x: k, y: k -> ()", "S(k)", draw="positive"),
    true("skbio variance of log ratios", using("skbio.stats.composition:vlr", lambda f, x, y: f(x, y)), "x: n, y: n -> ()", "S(n)", draw="positive"),
    true("astropy circular mean", using("astropy.stats:circmean", lambda f, x: f(x)), "x: n -> ()", "S(n)"),
    true("astropy biweight", using("astropy.stats:biweight_location", lambda f, x: f(x)), "x: n -> ()", "S(n)"),
    true("astropy MAD", using("astropy.stats:mad_std", lambda f, x: f(x)), "x: n -> ()", "S(n)"),
    true("empyrical beta", using("empyrical:beta_aligned", lambda f, x, y: f(x, y)), "x: n, y: n -> ()", "S(n)"),
    true("dtaidistance dtw", using("dtaidistance.dtw_ndim:distance", lambda f, x, y: f(x, y)), "x: n d, y: m d -> ()", "E(d)", sizes={"n": (2, 4), "m": (2, 4)}),
    true("similaritymeasures Frechet", using("similaritymeasures:frechet_dist", lambda f, x, y: f(x, y)), "x: n 2, y: m 2 -> ()", "E(2)", sizes={"n": (2, 4), "m": (2, 4)}),
    true("deeptime inverse root", using("deeptime.kernels:GaussianKernel", lambda f, X, Y: f(1.0).apply(X, Y)), "X: n d, Y: m d -> n m", "S(n) x S(m) x E(d)"),
    true("sktime MASE", using("sktime.performance_metrics.forecasting:mean_squared_error", lambda f, x, y: f(x, y)), "x: n, y: n -> ()", "S(n)"),
    true("mir_eval hz2octs", using("mir_eval.melody:hz2cents", lambda f, x: f(x)), "x: n -> n", "S(n)", draw="positive"),
    true("fairlearn group gap", using("fairlearn.metrics:mean_prediction", lambda f, x, y: f(x, y)), "x: n, y: n -> ()", "S(n)"),
    # packages, JAX
    jax_true("e3nn-jax product", e3nn_jax_tensor("2x1o", "1o"), "x: n 6, y: n 3 -> n 2", "S(n)", backend="jax"),
    jax_true("e3nn-jax norms", e3nn_jax_norm, "x: n 3 -> n 2", "S(n) x O(3)", backend="jax", single=True),
    jax_true("e3nn-jax messages", e3nn_jax_messages(), "pos: n 3, s[n]: m, r[n]: m -> n 3^", "S(n) x S(m) x E(3)", backend="jax", single=True),
    jax_true("flowjax normal", using("flowjax.distributions:StandardNormal", lambda f, x: f((3,)).log_prob(x)), "x: n 3 -> n", "S(n) x O(3)", backend="jax"),
    jax_true("equinox MLP of rows", equinox_net(lambda eqx, k: eqx.nn.MLP(3, 2, 8, 1, key=k)), "x: n 3 -> n 2", "S(n)", backend="jax", single=True),
    jax_true("equinox attention", equinox_net(lambda eqx, k: eqx.nn.MultiheadAttention(2, 8, key=k), lambda m, x: m(x, x, x)), "x: n 8 -> n 8", "S(n)", backend="jax", single=True),
    jax_true("optax cosine distance", named("optax:cosine_distance"), "x: n d, y: n d -> n", "S(n) x O(d)", backend="jax"),
    jax_true("optax focal loss", named("optax:sigmoid_focal_loss"), "x: n c, y: n c -> n c", "S(n) x S(c)", backend="jax"),
    # layers of repositories, several inputs and results
    torch_true("EGCL, features and positions", mods(EGCL), f"h: n 4, x: n d, {EDGES} -> n 4, n d", "S(n) x S(m) x E(d)"),
    torch_true("GVP, scalars and vectors", mods(GVP), "s: n 3!, v: n 2 3 -> n 4, n 3! 3", "S(n) x O(3)"),
    torch_true("GVP layer norm", mods(GVPLayerNorm), "s: n 3!, v: n c 3 -> n 3!, n c 3", "S(n) x S(c) x O(3)"),
    torch_true("masked attention of positions", mods(SE3Attention), "x: b n 4, pos: b n d, mask[bool]: b n -> h: b n 4, pos: b n d", "S(b) x S(n) x E(d)"),
    torch_true("cross products, rotations", mods(CrossProductLayer), "v: n 3, w: n 3 -> n 3", "S(n) x SO(3)"),
    torch_true("ISAB with a mask", mods(SetTransformerISAB), "x: b n 8, mask[bool]: b n -> b n 8", "S(n)"),
    torch_true("PointNet segmentation", mods(PointNetSeg), "x: b 3 n -> b n 4, b 8", "S(b) x S(n)"),
    torch_true("chamfer of batches", mods(Chamfer), "x: b n d, y: b m d -> b", "S(b) x S(n) x S(m) x E(d)"),
    torch_true("neighbours gathered", lambda: knn_gather, "x: b n d, f: b n c -> b n c", "E(d) x O(c)", sizes={"b": 2, "n": (4, 5)}),
    torch_true("ball query", lambda: ball_query_pool, "x: b n d, f: b n c -> b n c", "S(n) x E(d) x O(c)"),
    torch_true("GIN with batch norm", mods(GINEDense), "x: n 3, A: n n -> n 3", "S(n)"),
    torch_true("edge softmax of DGL", mods(DGLGATStyle), f"x: n 3, {EDGES} -> n 4", "S(n) x S(m)"),
    torch_true("edge features, mean of messages", mods(EdgePoolDirected), "x: n 4, edge_index[n]: 2 m, a: m 4 -> n 4", "S(n) x S(m)"),
    torch_true("virtual node", mods(VirtualNode), "x: n 4, batch[3]: n -> n 4", "S(n)"),
    torch_true("heat trace of a graph", lambda: laplacian_pe_energy, "A: n n -> ()", "S(n)", draw="positive"),
    torch_true("random walk encodings", lambda: random_walk_pe, "A: n n -> n 3", "S(n)", draw="positive"),
    torch_true("masked mean", mods(MaskedMeanPool), "x: b n 4, mask[bool]: b n -> b 4", "S(b) x S(n)"),
    torch_true("U-Net step on a torus", mods(CircularUNet), "x: b 2 h w, t: b -> b 2 h w", "S(b) x C(h) x C(w)"),
    torch_true("p4 average", mods(P4Average), "x: b 1 h w -> b 2 h w", "C(h) x C(w)"),
    torch_true("selective scan, batch", mods(SelectiveScan), "x: b 4 3 -> b 4 3", "S(b)"),
    torch_true("retention, values rotated", lambda: retention, "q: b n d, k: b n d, v: b n e -> b n e", "O(d) x O(e)"),
    torch_true("Hopfield retrieval", lambda: hopfield, "s: m d, M: n d -> m d", "S(m) x S(n) x O(d)"),
    torch_true("codes and their loss", lambda: gumbel_free_vq, "z: n d, c: k d -> n d, ()", "S(n) x O(d)"),
    torch_true("prototypes", lambda: proto_loss, "s: 6 d, q: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("angular margin", lambda: angular_margin, "x: n d, w: 3 d, y[3]: n -> ()", "S(n) x O(d)"),
    torch_true("set loss by nearest", lambda: hungarian_free_set_loss, "p: b n d, t: b m d -> b", "S(n) x S(m) x E(d)"),
    torch_true("VICReg by hand", lambda: vicreg, "x: n d, y: n d -> ()", "S(n) x S(d)", sizes={"n": (2, 5), "d": (2, 4)}),
    torch_true("torsion", lambda: torsion, "p: 4 3 -> ()", "SE(3)"),
    torch_true("frames of residues", lambda: rigid_from_3_points, "a: n 3, b: n 3, c: n 3 -> n 3^ 3!", "S(n) x SE(3)"),
    torch_true("lDDT", lambda: lddt, "p: n d, t: n d -> n", "S(n) x E(d)"),
    torch_true("energy and forces", lambda: multi_force, "pos: n d, q: n -> energy: (), forces: n d^", "S(n) x E(d)", sizes={"n": (2, 5)}),
    # NumPy of scientists
    true("soft DTW by loops", lambda: soft_dtw, "x: n d, y: m d -> ()", "E(d)", sizes={"n": (2, 3), "m": (2, 3)}),
    true("weighted mean and covariance", lambda: barycentre, "X: n d, w: n -> d, d^ d^", "S(n) x E(d)", draw="positive"),
    true("autocorrelation by FFT", lambda: circular_power, "x: n -> n!", "C(n)", sizes={"n": (2, 6)}),
    true("partial correlations", lambda: partial_corr, "X: n 3 -> 3 3", "S(n) x S(3)", sizes={"n": (5, 6)}),
    true("Cronbach's alpha", lambda: cronbach_alpha, "X: n k -> ()", "S(n) x S(k)", sizes={"n": (3, 5), "k": (2, 4)}),
    true("intraclass correlation", lambda: icc, "X: n k -> ()", "S(n) x S(k)", sizes={"n": (3, 5), "k": (2, 4)}),
    true("Welch's t", lambda: welch_t, "x: n, y: m -> ()", "S(n) x S(m)"),
    true("Theil-Sen", lambda: theil_sen_residual, "x: n, y: n -> ()", "S(n)", sizes={"n": (3, 4)}),
    true("kernel smoother", lambda: lowess_like, "x: n, y: n -> n", "S(n)"),
    true("Steinhardt by Legendre", lambda: steinhardt, "X: n d -> n", "S(n) x E(d)", sizes={"n": (3, 5)}),
    true("SOAP-like", lambda: soap_like, "X: n d -> n 3! 3!", "S(n) x E(d)"),
    true("sorted radii", lambda: shape_context, "X: n 2 -> n!", "S(n) x E(2)"),
    true("polygon, area and turning", lambda: turning, "X: n 2 -> (), n", "C(n) x SE(2)", sizes={"n": (3, 5)}),
    true("Verlet", lambda: verlet_step, "x: n d, v: n d^ -> n d, n d^", "S(n) x E(d)"),
    true("boids", lambda: boids, "x: n d, v: n d^ -> n d^", "S(n) x E(d)"),
    true("Ising on a torus", lambda: ising_energy, "s: h w -> ()", "C(h) x D(w)"),
    true("heat on a torus", lambda: heat_step, "u: h w -> h w", "D(h) x C(w)"),
    true("Sharpe of a portfolio", lambda: sharpe, "r: t n, w: n -> ()", "S(t) x S(n)", sizes={"t": (3, 5)}),
    true("risk parity", lambda: risk_parity, "w: n, C: n n -> n", "S(n)"),
    true("Hill numbers", lambda: hill_numbers, "p: n -> ()", "S(n)", draw="positive"),
    true("Bray-Curtis", lambda: bray_curtis, "X: n k -> n n", "S(n) x S(k)", draw="positive"),
    true("Spearman by argsort", lambda: rank_correlation, "x: n, y: n -> ()", "Scale(n)", sizes={"n": (3, 5)}),
    jax_true("PNA by segments", jax_pna, "x: n c, s[n]: m, r[n]: m -> n k", "S(n) x S(m)", backend="jax"),
    jax_true("state space by scan, batch", jax_ssm(), "x: t b -> t b", "S(b)", backend="jax"),
    jax_true("Hamiltonian field", jax_hamiltonian, "q: n d, p: n d^ -> n d^, n d^", "S(n) x E(d)", backend="jax"),
    jax_true("trace of a Hessian", jax_hessian_trace, "x: d -> ()", "O(d)", backend="jax"),
    jax_true("attention pooling with a mask", jax_attention_pool, "x: n d, q: d, mask[bool]: n -> d", "S(n) x O(d)", backend="jax"),
    jax_true("kernel by vmap", jax_vmap_kernel, "X: n d, Y: m d -> n m", "S(n) x S(m) x E(d)", backend="jax"),
    jax_true("Sinkhorn by fori_loop", jax_sinkhorn, "X: n d, Y: m d -> ()", "S(n) x S(m) x E(d)", backend="jax"),
    # false ones
    torch_false("EGCL, absolute positions", mods(functools.partial(EGCL, wrong="absolute")), f"h: n 4, x: n d, {EDGES} -> n 4, n d", "T(d)"),
    torch_false("EGCL, features by place", mods(functools.partial(EGCL, wrong="edges")), f"h: n 4, x: n d, {EDGES} -> n 4, n d", "S(m)"),
    torch_false("GVP with a bias", mods(functools.partial(GVP, bias=True)), "s: n 3!, v: n 2 3 -> n 4, n 3! 3", "O(3)"),
    torch_false("GVP layer norm centred", mods(functools.partial(GVPLayerNorm, wrong=True)), "s: n 3!, v: n c 3 -> n 3!, n c 3", "O(3)"),
    torch_false("batch norm of components", mods(TupleDropBatchNorm), "v: n 3 -> n 3", "O(3)"),
    torch_false("cross products mirrored", mods(CrossProductLayer), "v: n 3, w: n 3 -> n 3", "O(3)"),
    torch_false("chamfer to the first", mods(functools.partial(Chamfer, wrong=True)), "x: b n d, y: b m d -> b", "S(n)"),
    torch_false("masked last", mods(functools.partial(MaskedMeanPool, wrong=True)), "x: b n 4, mask[bool]: b n -> b 4", "S(n)"),
    torch_false("U-Net step with zeros", mods(functools.partial(CircularUNet, mode="zeros")), "x: b 2 h w, t: b -> b 2 h w", "C(h)"),
    torch_false("U-Net step mirrored", mods(CircularUNet), "x: b 2 h w, t: b -> b 2 h w", "D(w)"),
    torch_false("selective scan of a set", mods(SelectiveScan), "x: b n 3 -> b n 3", "S(n)", sizes={"n": (2, 4)}),
    torch_false("mamba of a set", mamba(), "x: b n 4 -> b n 4", "S(n)", sizes={"n": (3, 4)}),
    torch_false("retention shuffled", lambda: retention, "q: b n d, k: b n d, v: b n e -> b n e", "S(n)"),
    torch_false("Hopfield translated", lambda: hopfield, "s: m d, M: n d -> m d", "T(d)"),
    torch_false("prototypes shuffled", lambda: proto_loss, "s: k d, q: n d, y[3]: n -> ()", "S(k)", sizes={"k": 6}),
    torch_false("VICReg rotated", lambda: vicreg, "x: n d, y: n d -> ()", "O(d)", sizes={"n": (3, 5), "d": (2, 4)}),
    torch_false("torsion mirrored", lambda: torsion, "p: 4 3 -> ()", "E(3)"),
    torch_false("frames of residues mirrored", lambda: rigid_from_3_points, "a: n 3, b: n 3, c: n 3 -> n 3^ 3!", "O(3)"),
    torch_false("lDDT scaled", lambda: lddt, "p: n d, t: n d -> n", "Scale(d)"),
    torch_false("codes translated", lambda: lambda z, c: gumbel_free_vq(F.normalize(z), F.normalize(c))[0], "z: n d, c: k d -> n d", "T(d)"),
    torch_false("edge softmax, senders", wrong(mods(DGLGATStyle), lambda f, x, e: f(x, e).cumsum(0)), f"x: n 3, {EDGES} -> n 4", "S(n)"),
    torch_false("random walk encodings, columns", lambda: lambda A: random_walk_pe(A)[:, :1] * torch.linspace(0, 1, A.shape[0], dtype=A.dtype)[:, None], "A: n n -> n 1", "S(n)", draw="positive"),
    torch_false("diffusers block with positions", built(D + "attention:BasicTransformerBlock", 8, 2, 4, positional_embeddings="sinusoidal", num_positional_embeddings=8), "x: b n 8 -> b n 8", "S(n)", sizes={"n": (2, 6)}),
    torch_false("conformer of a set", built("conformer:ConformerBlock", dim=8, dim_head=4, heads=2, ff_mult=2, conv_kernel_size=3), "x: b n 8 -> b n 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("nequip energy of scaled positions", nequip("total_energy"), f"{POT} -> 1 1", "Scale(3)", sizes={"n": (2, 4), "m": (2, 4)}),
    torch_false("mace edges of places", wrong(mace_features, lambda f, x, e: f(x * torch.tensor([1.0, 1.0, 1.2], dtype=x.dtype), e)), f"pos: n 3, {EDGES} -> n 4 3!", "O(3)"),
    torch_false("wavelets shifted", wavelet, "x: b c n n -> b c 2 2", "C(n)", sizes={"n": 4}),
    torch_false("auraloss SISDR translated", built("auraloss.time:SISDRLoss", zero_mean=False), "x: b c t, y: b c t -> ()", "T(t)"),
    torch_false("pomegranate normal rotated", using("pomegranate.distributions:Normal", lambda f, x: f([0.0, 0.0], [1.0, 2.0], covariance_type="diag").log_probability(x)), "x: n 2 -> n", "O(2)", single=True),
    false("soft DTW of a set", lambda: soft_dtw, "x: n d, y: m d -> ()", "S(n)", sizes={"n": (2, 3), "m": (2, 3)}),
    false("polygon mirrored", lambda: turning, "X: n 2 -> (), n", "E(2)", sizes={"n": (3, 5)}),
    false("polygon reversed", lambda: turning, "X: n 2 -> (), n", "D(n)", sizes={"n": (3, 5)}),
    false("Ising with edges", lambda: ising_open, "s: h w -> ()", "C(h)"),
    false("heat with edges", lambda: heat_step_edges, "u: n c -> n c", "C(n)", sizes={"n": (3, 6)}),
    false("Verlet in a wind", lambda: lambda x, v: (verlet_step(x, v)[0] + 0.01 * x**2, v), "x: n d, v: n d^ -> n d, n d^", "O(d)"),
    false("drawdown of a set", lambda: drawdown, "x: n -> ()", "S(n)"),
    false("skbio ilr of parts", using("skbio.stats.composition:ilr", lambda f, x: f(x)), "x: n k -> n j", "S(k)", draw="positive", sizes={"k": (3, 4)}),
    false("windows of a frame", lambda: mel_like, "x: n -> ()", "C(n)", sizes={"n": (6, 8)}),
    false("Hu moments shifted", lambda: hu_moments, "I: h w -> 2", "C(h)", draw="positive", sizes={"h": (3, 4), "w": (3, 4)}),
    false("Bray-Curtis rotated", lambda: bray_curtis, "X: n k -> n n", "O(k)", draw="positive"),
    jax_false("e3nn-jax absolute messages", e3nn_jax_messages(wrong=True), "pos: n 3, s[n]: m, r[n]: m -> n 3^", "T(3)", backend="jax", single=True),
    jax_false("state space of a set", jax_ssm(), "x: t b -> t b", "S(t)", backend="jax"),
    jax_false("Hamiltonian field translated", wrong(jax_hamiltonian, lambda f, q, p: f(q, p + q)), "q: n d, p: n d^ -> n d^, n d^", "T(d)", backend="jax"),
    jax_false("PNA, senders for receivers", wrong(jax_pna, lambda f, x, s, r: f(x, s, r)[:, :2] * (1 + s[0])), "x: n c, s[n]: m, r[n]: m -> n 2", "S(m)", backend="jax"),
    jax_false("optax cosine distance translated", named("optax:cosine_distance"), "x: n d, y: n d -> n", "T(d)", backend="jax"),
]  # fmt: skip
