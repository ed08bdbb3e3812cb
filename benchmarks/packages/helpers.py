"""Functions and builders that claims of several files use."""

from __future__ import annotations

import functools
import importlib
import math
import operator

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def seeded(make):
    """The module that a call makes, with random weights that are always the same, ready for use."""

    def made():
        torch.manual_seed(0)
        return make().eval()

    return made


def rows(make):
    """A module of batches as a function of one entry of a batch."""

    def made():
        module = seeded(make)()
        return lambda x: module(x[None])[0]

    return made


def built(kind):
    def make():
        torch.manual_seed(0)
        return kind().eval()

    return make


def aggregation(name, **options):
    def made():
        import torch_geometric.nn as G

        aggr = getattr(G.aggr, name)(**options)
        return lambda x: aggr(x, dim=0)[0]

    return made


def message_passing(name, *arguments, **options):
    def made():
        import torch_geometric.nn as G

        torch.manual_seed(0)
        return getattr(G, name)(*arguments, **options).eval()

    return made


def timm_layer(name, *arguments, **options):
    def made():
        import timm.layers

        torch.manual_seed(0)
        return operator.attrgetter(name)(timm.layers)(*arguments, **options).eval()

    return made


def timm_model(name, **options):
    def made():
        import timm

        torch.manual_seed(0)
        return timm.create_model(name, **options).eval()

    return made


def flax_layer(name, shape, **options):
    def made():
        import flax.linen as nn
        import jax
        import jax.numpy as jnp

        layer = getattr(nn, name)(**options)
        state = layer.init(jax.random.key(0), jnp.zeros(shape))
        return functools.partial(layer.apply, state)

    return made


def equinox_layer(name, *arguments, over=0, **options):
    def made():
        import equinox as equinox_layer
        import jax

        layer = getattr(equinox_layer.nn, name)(*arguments, **options)
        for _ in range(over):
            layer = jax.vmap(layer)
        return layer

    return made


def katz(A):
    n = len(A)
    return np.linalg.solve(np.eye(n) - 0.01 * A.T, np.ones(n))


def tiny(package, config, model, out, **options):
    def made():
        import transformers

        torch.manual_seed(0)
        built = getattr(transformers, model)(getattr(transformers, config)(**options)).eval()
        return lambda given: built(given)[out]

    return made


def xt(name, *arguments, **options):
    def made():
        import x_transformers

        torch.manual_seed(0)
        return getattr(x_transformers, name)(*arguments, **options).eval()

    return made


def pot(name, **options):
    def made():
        import ot

        return functools.partial(getattr(ot, name), **options)

    return made


def named(path, **options):
    """A function by its name in its package, with options."""

    def made():
        module, _, name = path.partition(":")
        found = functools.reduce(getattr, name.split("."), importlib.import_module(module))
        return functools.partial(found, **options) if options else found

    return made


def using(path, call):
    """What a user makes of a function of a package."""

    def made():
        f = named(path)()
        return lambda *arrays: call(f, *arrays)

    return made


def built_2(path, *arguments, call=None, **options):
    """A module by its name in its package, with random weights; or what a function makes of it."""

    def made():
        torch.manual_seed(0)
        module = named(path)()(*arguments, **options)
        module = module.eval() if hasattr(module, "eval") and isinstance(module, torch.nn.Module) else module
        return (lambda *arrays: call(module, *arrays)) if call else module

    return made


GP = "X: n d -> n n"


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


def lof_reach(X, k=2):
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    idx = np.argsort(D, axis=1)[:, 1 : k + 1]
    kd = np.take_along_axis(D, idx, axis=1)[:, -1]
    reach = np.maximum(np.take_along_axis(D, idx, axis=1), kd[idx])
    lrd = 1.0 / reach.mean(axis=1)
    return lrd[idx].mean(axis=1) / lrd


mods = seeded

EDGES = "edge_index[n]: 2 m"


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


class CrossProductLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, v, w):
        c = torch.cross(v, w, dim=-1)
        s = self.mlp(torch.stack([(v * w).sum(-1), c.norm(dim=-1)], -1))
        return s[..., :1] * v + s[..., 1:] * c


def mods_2(make):
    return seeded(make)


def wrong(make, change):
    """The function, with a mistake."""

    def made():
        f = make()
        return lambda *arrays: change(f, *arrays)

    return made


DIMENSION = "diffusers.models."


def silhouette(X, labels):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    onehot = np.eye(2)[labels]
    sums, counts = D @ onehot, onehot.sum(0)
    own = (sums * onehot).sum(1) / np.maximum(counts[labels] - 1, 1)
    other = (sums / np.maximum(counts, 1) * (1 - onehot)).sum(1)
    return ((other - own) / np.maximum(own, other)).mean()


def nearest_mean(X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1) + np.diag(np.full(len(X), np.inf))
    return D.min(axis=1).mean()


PAIR, CLOUDS = "a: n d, b: n d -> ()", "x: n d, y: m d -> ()"

SETS = {"n": (4, 7)}


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


def tsne_grad(P, Y):
    num = 1.0 / (1.0 + ((Y[:, None] - Y[None]) ** 2).sum(-1))
    num[range(len(Y)), range(len(Y))] = 0.0
    Q = num / num.sum()
    PQ = P - Q
    g = np.zeros_like(Y)
    for i in range(len(Y)):
        g[i] = 4 * np.sum(np.tile(PQ[:, i] * num[:, i], (Y.shape[1], 1)).T * (Y[i] - Y), 0)
    return g


XY = "x: n p, y: n q -> ()"

S4 = {"n": (4, 7)}

DIST = {"draw": "positive"}

SETS_2 = {"n": (4, 6)}

IMAGES = "x: b 1 5 5 -> b 1 5 5"


def held(imports, function, before="pass"):
    """A function that holds a module in its closure, as a test inside another function has it."""

    def made():
        import torch

        torch.manual_seed(0)
        space = {"torch": torch}
        exec(f"def made():\n    import {imports}\n    {before}\n    return {function}", space)
        return space["made"]()

    return made


def layer(imports, of):
    return held(imports, f"{of}.eval()")


CLOUD, ROWS = "x: n 3 -> n 3", "x: n d -> ()"

VECTOR = "x: n -> ()"


def list_mle(s, y):
    _, order = torch.sort(y, descending=True)
    s = s[order]
    return (torch.logcumsumexp(s.flip(0), 0).flip(0) - s).sum()


def keras(of, *shape):
    """A layer of Keras over torch, built for a shape."""
    before = f"os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; f = {of}"
    return held("os", "lambda x: f(x)", before + (f"; f.build({shape})" if shape else ""))


STEPS = {"b": (1, 3), "n": (3, 5)}

CLOUD_2, PAIR_2, VECTOR_2 = "x: n 3 -> ()", "x: n d, y: m d -> ()", "x: n -> ()"


def f_score(pred, gt, threshold=0.7):
    d = torch.cdist(pred.unsqueeze(0), gt.unsqueeze(0)).squeeze(0)
    precision = (d.min(dim=1)[0] < threshold).to(d.dtype).mean()
    recall = (d.min(dim=0)[0] < threshold).to(d.dtype).mean()
    return 2 * precision * recall / (precision + recall + 1e-8)


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


class TwoWL(nn.Module):
    def __init__(self, d=3):
        super().__init__()
        self.m1, self.m2, self.skip = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(2 * d, d)

    def forward(self, x):  # n n d
        a, b = F.relu(self.m1(x)), F.relu(self.m2(x))
        mult = torch.matmul(a.permute(2, 0, 1), b.permute(2, 0, 1)).permute(1, 2, 0)
        return self.skip(torch.cat((x, mult), dim=-1))


def siglip(zi, zt, t=10.0, b=-10.0):
    zi, zt = F.normalize(zi, dim=-1), F.normalize(zt, dim=-1)
    logits = t * zi @ zt.t() + b
    labels = 2 * torch.eye(logits.size(0), dtype=logits.dtype) - torch.ones_like(logits)
    return -F.logsigmoid(labels * logits).sum() / logits.size(0)


def vertex_normals(v, f):
    tri = v[f]
    face = torch.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0], dim=-1)
    out = torch.zeros_like(v)
    for i in range(3):
        out.index_add_(0, f[:, i], face)
    return out / (out.norm(dim=-1, keepdim=True) + 1e-3)


def finnis_sinclair(x):
    r = x[:, None] - x[None]
    d = torch.sqrt((r**2).sum(-1) + torch.eye(len(x), dtype=x.dtype))
    off = 1 - torch.eye(len(x), dtype=x.dtype)
    fc = torch.where(d < 3.0, (3.0 - d) ** 2, torch.zeros_like(d)) * off
    rho = (fc * torch.exp(-d)).sum(1)
    return 0.5 * (off * torch.exp(-2 * d)).sum() - torch.sqrt(rho + 1e-8).sum()


def dipoles(x, p):
    e = 0.0
    for i in range(len(x)):
        for j in range(i):
            r = x[i] - x[j]
            d = np.sqrt(r @ r + 1e-6)
            e += p[i] @ p[j] / d**3 - 3 * (p[i] @ r) * (p[j] @ r) / d**5
    return e


def packed(imports, function, before="pass"):
    return held(imports, function, before)


EDGES_2, GRAPH, LIST = "e[n]: m 2", "x: n 3, adj: n n -> n 4", "x: n, y: n -> ()"

PAST = "sktime.performance_metrics.forecasting as S"
