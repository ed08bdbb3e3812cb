"""torch.nn, Keras and similar libraries: layers, blocks and compositions of layers."""

from __future__ import annotations

import functools
import math

import einops
import torch
from torch import distributions as D
from torch import nn
from torch.nn import functional as F

from benchmarks.packages.claims import torch_false, torch_true
from benchmarks.packages.helpers import (
    DIMENSION,
    STEPS,
    CrossProductLayer,
    TFNLayer,
    TorchMDEquivariantLayer,
    TwoWL,
    built,
    built_2,
    held,
    keras,
    list_mle,
    mods,
    mods_2,
    named,
    packed,
    rows,
    seeded,
    using,
    vertex_normals,
)


def attention(**options):
    def made():
        layer = seeded(lambda: nn.MultiheadAttention(8, 2, batch_first=True))()
        return lambda x: layer(x[None], x[None], x[None], **options)[0][0]

    return made


def causal():
    layer = seeded(lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True))()

    def run(x):
        return layer(
            x[None], src_mask=nn.Transformer.generate_square_subsequent_mask(x.shape[0], dtype=x.dtype)
        )[0]

    return run


def padded():
    layer = seeded(lambda: nn.MultiheadAttention(8, 2, batch_first=True))()
    return lambda x, keep: layer(x[None], x[None], x[None], key_padding_mask=~keep[None])[0][0]


def decoder():
    layer = seeded(lambda: nn.TransformerDecoderLayer(8, 2, 16, batch_first=True))()
    return lambda x, memory: layer(x[None], memory[None])[0]


def encoder():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def multi_head(x):
    h = einops.rearrange(x, "n (h d) -> h n d", h=2)
    a = torch.softmax(einops.einsum(h, h, "h i d, h j d -> h i j") / 2, -1)
    return einops.rearrange(einops.einsum(a, h, "h i j, h j d -> h i d"), "h n d -> n (h d)")


def masked_max(x, keep):
    return x.masked_fill(~keep[:, None], float("-inf")).max(0).values


def nearest(x):
    d = torch.cdist(x, x)
    d = d.masked_fill(torch.eye(len(x), dtype=torch.bool), float("inf"))
    return d.min(1).values


def k_smallest(x):
    return torch.topk(x, 2, largest=False).values


class PermutationEquivariant(nn.Module):
    """Each row, less the maximum of all."""

    def __init__(self):
        super().__init__()
        self.gamma, self.lam = nn.Linear(3, 5), nn.Linear(3, 5, bias=False)

    def forward(self, x):
        """The layer."""
        xm, _ = x.max(dim=0, keepdim=True)
        return self.gamma(x) - self.lam(xm)


class TFN(nn.Module):
    """Messages along directions, weighted by radial functions."""

    def __init__(self):
        super().__init__()
        self.centers = nn.Parameter(torch.linspace(0, 3, 5), requires_grad=False)
        self.radial = nn.Sequential(nn.Linear(5, 8), nn.SiLU(), nn.Linear(8, 4))

    def forward(self, f, pos):
        """The layer."""
        rij = pos[:, None, :] - pos[None, :, :]
        dist = rij.norm(dim=-1)
        rbf = torch.exp(-((dist[..., None] - self.centers) ** 2))
        w = self.radial(rbf)
        unit = rij / (dist[..., None] + 1e-8)
        return torch.einsum("ijc,jc,ijx->icx", w, f, unit)


def ode(method, field):
    def made():
        from torchdiffeq import odeint

        return lambda x: odeint(lambda t, y: field(y), x, torch.linspace(0, 1, 4, dtype=x.dtype), method=method)[-1]

    return made


def swirl(y):
    return -y / (1 + (y**2).sum(-1, keepdim=True))


def swarm(y):
    d = y[:, None] - y[None]
    return -(d * torch.exp(-(d**2).sum(-1, keepdim=True))).sum(1)


BALL = "geoopt.manifolds:PoincareBall"


def flow(**options):
    def made():
        import zuko

        torch.manual_seed(0)
        model = zuko.flows.MAF(features=3, transforms=1, hidden_features=(8,))
        return lambda x: model().log_prob(x)

    return made


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


class LSTMEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.LSTMCell(3, 4), nn.Linear(4, 2)

    def forward(self, x):  # batch time 3
        h = c = torch.zeros(x.size(0), 4)
        for t in range(x.size(1)):
            h, c = self.cell(x[:, t], (h, c))
        return self.out(h)


class SqueezeExcite(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(c, 2), nn.ReLU(inplace=True), nn.Linear(2, c), nn.Sigmoid())

    def forward(self, x):
        b, c, _, _ = x.size()
        y = F.adaptive_avg_pool2d(x, 1).view(b, c)
        return x * self.fc(y).view(b, c, 1, 1).expand_as(x)


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


def scatter_softmax(src, index):
    n = int(src.shape[0])
    m = torch.full((n,), float("-inf")).to(src.dtype).scatter_reduce(0, index, src, reduce="amax")
    e = torch.exp(src - m[index])
    s = torch.zeros(n).to(src.dtype).scatter_add(0, index, e)
    return e / s[index]


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


class CBAMChannel(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.mlp = nn.Sequential(nn.Flatten(), nn.Linear(c, 2), nn.ReLU(), nn.Linear(2, c))

    def forward(self, x):
        avg = F.avg_pool2d(x, (x.size(2), x.size(3)), stride=(x.size(2), x.size(3)))
        mx = F.max_pool2d(x, (x.size(2), x.size(3)), stride=(x.size(2), x.size(3)))
        scale = torch.sigmoid(self.mlp(avg) + self.mlp(mx)).unsqueeze(2).unsqueeze(3).expand_as(x)
        return x * scale


def aev():
    from torchani.aev import AEVComputer

    return AEVComputer.like_2x(num_species=2)


class TupleDropBatchNorm(nn.Module):
    """Batch norm over the components of vectors: the mistake of a beginner."""

    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.bn.weight.data = torch.tensor([1.0, 0.7, 1.3])

    def forward(self, v):
        return self.bn(v)


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


def random_walk_pe(A, k=3):
    P = A / A.sum(dim=-1, keepdim=True)
    M, out = P, [torch.diagonal(P)]
    for _ in range(k - 1):
        M = M @ P
        out.append(M.diagonal())
    return torch.stack(out, dim=-1)


def hessian_trace(x):
    f = lambda v: (torch.exp(-(v**2).sum()) + (v**2).sum() ** 2)
    return torch.func.hessian(f)(x).diagonal().sum()


class VNBatchNorm(nn.Module):
    def __init__(self, c=3):
        super().__init__()
        self.bn = nn.BatchNorm1d(c)

    def forward(self, x):
        norm = torch.norm(x, dim=2) + 1e-6
        return x / norm.unsqueeze(2) * self.bn(norm).unsqueeze(2)


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


def basisnet_projector(A):
    vals, vecs = torch.linalg.eigh(A + A.T)
    P = torch.einsum("ik,jk->kij", vecs, vecs)
    return torch.einsum("k,kij->ij", torch.tanh(vals), P)


class MoE_2(nn.Module):
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


class MoECapacity(MoE_2):
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


def neural_sort(s, tau=1.0):
    s = s.unsqueeze(-1)
    n = s.shape[0]
    A = (s - s.T).abs()
    B = A @ torch.ones(n, 1)
    scaling = n + 1 - 2 * (torch.arange(n) + 1)
    C = s @ scaling.to(s.dtype).unsqueeze(0)
    return torch.softmax((C - B).T / tau, dim=-1)


def cox_ph(log_h, events, durations):
    idx = durations.sort(descending=True)[1]
    events, log_h = events[idx], log_h[idx]
    return -((log_h - log_h.logcumsumexp(0)) * events).sum() / events.sum()


def cox_pairs(log_h, events, durations):
    at_risk = (durations[None] >= durations[:, None]).to(log_h.dtype)
    return -((log_h - torch.log(at_risk @ torch.exp(log_h))) * events).sum() / events.sum()


def painn(s, v, x):  # PaiNN's message
    r = x[None] - x[:, None]
    d = (r.square().sum(-1) + 1e-8).sqrt()
    w = torch.exp(-d) * (1 - torch.eye(len(x), dtype=x.dtype))
    dv = torch.einsum("ij,jf,jfk->ifk", w, s, v) + torch.einsum("ij,jf,ijk->ifk", w, s, r / d[..., None])
    return v + dv


def axilrod_teller(x):
    r = x[None, :] - x[:, None]
    d2 = r.pow(2).sum(-1) + torch.eye(len(x), dtype=x.dtype)
    a, b, c = d2[:, :, None], d2[:, None, :], d2[None]
    prod = (a + b - c) * (b + c - a) * (c + a - b)
    e = (1 + 3 / 8 * prod / (a * b * c)) / (a * b * c) ** 1.5
    n = len(x)
    i = torch.arange(n)
    mask = (i[:, None, None] != i[None, :, None]) & (i[None, :, None] != i[None, None]) & (i[:, None, None] != i[None, None])
    return torch.where(mask, e, torch.zeros_like(e)).sum() / 6


class ContextGate(nn.Module):  # set-wise FiLM
    def __init__(self):
        super().__init__()
        self.context, self.film = nn.Linear(4, 5), nn.Linear(5, 8)

    def forward(self, x, mask):
        m = mask.unsqueeze(-1).to(x.dtype)
        c = (self.context(x) * m).sum(1) / m.sum(1).clamp(min=1)
        gamma, beta = self.film(F.relu(c)).chunk(2, -1)
        return ((1 + gamma)[:, None] * x + beta[:, None]) * m


def gae(r, v, gamma=0.99, lam=0.95):
    n = r.shape[0]
    out, last = [], torch.zeros_like(r[0])
    for t in reversed(range(n)):
        nxt = v[t + 1] if t + 1 < n else torch.zeros_like(v[0])
        last = r[t] + gamma * nxt - v[t] + gamma * lam * last
        out.insert(0, last)
    return torch.stack(out)


FEATURES = "x: n v -> n v"

V = {"v": 4}


def keras_local(of, function="lambda x: f(x)", build=""):
    """A function that holds something of Keras, which runs over torch."""
    before = f"os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; K = keras.layers; f = {of}"
    return held("os", function, before + (f"; f.build({build})" if build else ""))


def ops(function):
    """A function of tensors that is written in the operations of Keras."""
    return held("os", function, "os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; ops = keras.ops")


def loss(of):
    return keras_local(of, "lambda x, y: f(x, y)")


DENSE = "keras.Sequential([keras.Input((None, 4)), K.Dense(8, activation='relu'), K.Dense(3)])"

POOLED = "keras.Sequential([keras.Input((None, 4)), K.Dense(8, 'gelu'), K.GlobalMaxPooling1D(), K.Dense(3, 'softmax')])"

RESIDUAL = "(lambda i: keras.Model(i, K.LayerNormalization()(K.Add()([i, K.MultiHeadAttention(2, 3)(i, i)]))))(keras.Input((None, 4)))"

MIXER = "(lambda i: keras.Model(i, K.Permute((2, 1))(K.Dense(5)(K.Permute((2, 1))(i)))))(keras.Input((5, 4)))"

BLOCK = "(lambda i: keras.Model(i, K.Concatenate()([i, K.Dense(2)(i), K.Multiply()([i, i])])))(keras.Input((None, 4)))"

VGG = "keras.Sequential([keras.Input((6, 6, 2)), K.Conv2D(4, 3, padding='same', activation='relu'), K.MaxPooling2D(), K.GlobalAveragePooling2D()])"


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


def min_plus(w, steps=3):
    d = w.clone()
    d.fill_diagonal_(0)
    for _ in range(steps):
        d = (d[:, :, None] + d[None, :, :]).min(dim=1).values
    return d


HC = "hyper_connections as H"


CLAIMS = [
    torch_true("nn.Linear", seeded(lambda: nn.Linear(4, 3)), "x: n 4 -> n 3", "S(n)"),
    torch_true("nn.Sequential MLP", seeded(lambda: nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3))), "x: n 4 -> n 3", "S(n)"),
    torch_true("nn.Bilinear", seeded(lambda: nn.Bilinear(4, 5, 3)), "x: n 4, y: n 5 -> n 3", "S(n)"),
    torch_true("nn.Embedding", seeded(lambda: nn.Embedding(7, 4)), "i[7]: n -> n 4", "S(n)"),
    torch_true("nn.EmbeddingBag mean", rows(lambda: nn.EmbeddingBag(7, 4)), "i[7]: n -> 4", "S(n)"),
    torch_true("nn.MultiheadAttention", attention(), "x: n 8 -> n 8", "S(n)"),
    torch_true("nn.MultiheadAttention need_weights=False", attention(need_weights=False), "x: n 8 -> n 8", "S(n)"),
    torch_true("nn.MultiheadAttention padding mask", padded, "x: n 8, keep[bool]: n -> n 8", "S(n)"),
    torch_true("nn.TransformerEncoder", rows(encoder), "x: n 8 -> n 8", "S(n)"),
    torch_true("nn.TransformerDecoderLayer memory", decoder, "x: m 8, memory: n 8 -> m 8", "S(n)"),
    torch_true("nn.TransformerDecoderLayer both", decoder, "x: m 8, memory: n 8 -> m 8", "S(n) x S(m)"),
    torch_true("nn.BatchNorm1d", seeded(lambda: nn.BatchNorm1d(4)), "x: n 4 -> n 4", "S(n)"),
    torch_true("nn.InstanceNorm1d", rows(lambda: nn.InstanceNorm1d(4, affine=True)), "x: 4 n -> 4 n", "S(n)"),
    torch_true("nn.GroupNorm", rows(lambda: nn.GroupNorm(2, 4)), "x: 4 n -> 4 n", "S(n)"),
    torch_true("nn.RMSNorm", seeded(lambda: nn.RMSNorm(4)), "x: n 4 -> n 4", "S(n)"),
    torch_true("nn.LayerNorm(4)", lambda: lambda x: nn.functional.layer_norm(x, x.shape[-1:]), "x: n d -> n d", "S(d)"),
    torch_true("nn.Conv1d circular", rows(lambda: nn.Conv1d(3, 4, 3, padding=1, padding_mode="circular")), "x: 3 n -> 4 n", "C(n)", sizes={"n": (3, 9)}),
    torch_true("nn.Conv1d kernel 1", rows(lambda: nn.Conv1d(3, 4, 1)), "x: 3 n -> 4 n", "S(n)"),
    torch_true("nn.Conv2d batch", seeded(lambda: nn.Conv2d(3, 4, 3)), "x: n 3 6 6 -> n 4 4 4", "S(n)"),
    torch_true("nn.AvgPool1d", lambda: lambda x: nn.AvgPool1d(2)(x[None])[0], "x: c 8 -> c 4", "S(c)"),
    torch_true("nn.MaxPool2d", lambda: nn.MaxPool2d(2), "x: c 6 6 -> c 3 3", "S(c)"),
    torch_true("nn.AdaptiveAvgPool1d(1)", lambda: nn.AdaptiveAvgPool1d(1), "x: c n -> c 1", "S(n)"),
    torch_true("nn.Softmax", lambda: nn.Softmax(-1), "x: n -> n", "S(n)"),
    torch_true("nn.LogSoftmax", lambda: nn.LogSoftmax(-1), "x: n -> n", "S(n)"),
    torch_true("nn.MSELoss", lambda: nn.MSELoss(), "x: n d, y: n d -> ()", "O(d)"),
    torch_true("nn.CrossEntropyLoss classes", lambda: nn.CrossEntropyLoss(), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("nn.NLLLoss", lambda: nn.NLLLoss(), "x: n c, y[c]: n -> ()", "S(n)"),
    torch_true("nn.CosineSimilarity", lambda: nn.CosineSimilarity(-1), "x: n d, y: n d -> n", "O(d)"),
    torch_true("nn.PairwiseDistance", lambda: lambda x, y: torch.cdist(x, y), "x: n d, y: m d -> n m", "E(d)"),
    torch_true("nn.TripletMarginLoss", lambda: lambda a, p, n: F.triplet_margin_loss(a, p, n, eps=0.0), "a: n d, p: n d, q: n d -> ()", "O(d)"),
    torch_true("nn.HuberLoss", lambda: nn.HuberLoss(), "x: n, y: n -> ()", "S(n)"),
    torch_true("nn.SmoothL1Loss", lambda: nn.SmoothL1Loss(beta=0.5), "x: n, y: n -> ()", "S(n)"),
    torch_true("nn.KLDivLoss", lambda: nn.KLDivLoss(reduction="batchmean"), "x: n c, y: n c -> ()", "S(c)", draw="positive"),
    torch_true("nn.BCEWithLogitsLoss", lambda: nn.BCEWithLogitsLoss(), "x: n, y: n -> ()", "S(n)"),
    torch_true("nn.CosineEmbeddingLoss", lambda: lambda x, y: F.cosine_embedding_loss(x, y, torch.ones(x.shape[0])), "x: n d, y: n d -> ()", "O(d)"),
    torch_true("nn.GRU batch", rows(lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh())), "x: n 3 -> n 4", "S(n)"),
    torch_true("nn.LSTM batch", lambda: (lambda m: lambda x: m(x)[0])(seeded(lambda: nn.LSTM(3, 4, batch_first=True))()), "x: n 5 3 -> n 5 4", "S(n)"),
    torch_true("nn.GRUCell batch", seeded(lambda: nn.GRUCell(3, 4)), "x: n 3, h: n 4 -> n 4", "S(n)"),
    torch_true("torch.cov", lambda: lambda x: torch.cov(x.T), "x: n d -> d d", "S(n) x O(d)"),
    torch_true("torch.corrcoef", lambda: torch.corrcoef, "x: d n -> d d", "S(d) x S(n)"),
    torch_true("torch.logsumexp", lambda: lambda x: torch.logsumexp(x, 0), "x: n c -> c", "S(n)"),
    torch_true("torch.median", lambda: lambda x: torch.median(x, 0).values, "x: n c -> c", "S(n)"),
    torch_true("torch.topk values", lambda: lambda x: torch.topk(x, 3).values, "x: n -> 3", "S(n)", sizes={"n": (3, 8)}),
    torch_true("torch.std_mean", lambda: lambda x: torch.std(x, 0) / torch.mean(x * x, 0), "x: n c -> c", "S(n)", sizes={"n": (2, 9)}),
    torch_true("F.normalize", lambda: lambda x: F.normalize(x, dim=-1), "x: n d -> n d", "O(d)"),
    torch_true("F.scaled_dot_product_attention O(d)", lambda: lambda q, k, v: F.scaled_dot_product_attention(q, k, v), "q: m d, k: n d, v: n c -> m c", "O(d) x S(n)"),
    torch_true("F.pixel_shuffle batch", lambda: lambda x: F.pixel_shuffle(x, 2), "x: n 4 3 3 -> n 1 6 6", "S(n)"),
    torch_true("F.interpolate channels", lambda: lambda x: F.interpolate(x[None], scale_factor=2, mode="nearest")[0], "x: c 4 4 -> c 8 8", "S(c)"),
    torch_true("F.pad circular", lambda: lambda x: F.conv1d(F.pad(x[None, None], (1, 1), mode="circular"), x.new_tensor([[[1.0, -2.0, 1.0]]]))[0, 0], "x: n -> n", "D(n)", sizes={"n": (3, 9)}),
    torch_true("F.cross_entropy label_smoothing", lambda: lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), "x: n c, y[c]: n -> ()", "S(c)"),
    torch_false("nn.TransformerEncoderLayer causal", causal, "x: n 8 -> n 8", "S(n)"),
    torch_false("nn.Conv1d zero padding", rows(lambda: nn.Conv1d(3, 4, 3, padding=1)), "x: 3 n -> 4 n", "C(n)", sizes={"n": (3, 9)}),
    torch_false("nn.Linear O(4)", seeded(lambda: nn.Linear(4, 4)), "x: n 4 -> n 4", "O(4)"),
    torch_false("nn.LayerNorm rotations", lambda: lambda x: F.layer_norm(x, x.shape[-1:]), "x: n d -> n d", "O(d)"),
    torch_false("nn.LSTM time", lambda: (lambda m: lambda x: m(x[None])[0][0])(seeded(lambda: nn.LSTM(3, 4, batch_first=True))()), "x: 5 3 -> 5 4", "S(5)"),
    torch_false("nn.BatchNorm1d channels", seeded(lambda: nn.BatchNorm1d(4).requires_grad_(False).apply(lambda m: m.weight.copy_(torch.arange(4.0)))), "x: n v -> n v", "S(v)", sizes={"v": 4}),
    torch_false("nn.AvgPool1d shifts", lambda: lambda x: nn.AvgPool1d(2, 1)(x[None])[0], "x: n -> m", "C(n)", sizes={"n": (3, 8)}),
    torch_false("nn.ReLU rotations", lambda: nn.ReLU(), "x: n d -> n d", "O(d)"),
    torch_false("nn.L1Loss rotations", lambda: nn.L1Loss(), "x: n d, y: n d -> ()", "O(d)"),
    torch_false("nn.NLLLoss classes without labels", lambda: lambda x: F.nll_loss(x, torch.zeros(x.shape[0], dtype=torch.long)), "x: n c -> ()", "S(c)"),
    torch_false("torch.cumsum", lambda: lambda x: torch.cumsum(x, 0), "x: n c -> n c", "S(n)"),
    torch_false("nn.CosineSimilarity translations", lambda: nn.CosineSimilarity(-1), "x: n d, y: n d -> n", "E(d)"),
    torch_false("nn.Embedding of positions", lambda: (lambda e: lambda x: x + e(torch.arange(x.shape[0])))(seeded(lambda: nn.Embedding(9, 4))()), "x: n 4 -> n 4", "S(n)", sizes={"n": (2, 9)}),
    torch_false("torch.triu", lambda: torch.triu, "x: n n -> n n", "S(n)"),
    torch_false("torch.argsort", lambda: lambda x: x[torch.argsort(x)], "x: n -> n", "S(n)"),
    torch_false("nn.PReLU rotations", seeded(lambda: nn.PReLU()), "x: n d -> n d", "O(d)"),
    torch_true("einops heads", lambda: multi_head, "x: n 8 -> n 8", "S(n)"),
    torch_true("masked max", lambda: masked_max, "x: n d, keep[bool]: n -> d", "S(n)", sizes={"n": (12, 13)}),
    torch_true("nearest other", lambda: nearest, "x: n d -> n", "S(n) x E(d)"),
    torch_true("two smallest", lambda: k_smallest, "x: n -> 2", "S(n)"),
    torch_true("deep sets max layer", built(PermutationEquivariant), "x: n 3 -> n 5", "S(n)"),
    torch_true("index_add pooling", lambda: lambda x, g: torch.zeros(3, x.shape[1], dtype=x.dtype).index_add(0, g, x), "x: n d, g[3]: n -> 3 d", "S(n) x O(d)"),
    torch_true("cholesky log det", lambda: lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(len(x), dtype=x.dtype)).diagonal().log().sum(), "x: n d -> ()", "O(d)"),
    torch_true("log det", lambda: lambda x: torch.logdet(x @ x.T + torch.eye(len(x), dtype=x.dtype)), "x: n d -> ()", "S(n) x O(d)"),
    torch_false("einops heads rotated", lambda: multi_head, "x: n 8 -> n 8", "O(8)"),
    torch_false("masked max rotated", lambda: masked_max, "x: n d, keep[bool]: n -> d", "O(d)", sizes={"n": (12, 13)}),
    torch_false("two smallest by position", lambda: lambda x: torch.topk(x, 2, largest=False).values + x[0], "x: n -> 2", "S(n)"),
    torch_false("scatter of positions", lambda: lambda x: torch.zeros(3, dtype=x.dtype).index_add(0, torch.arange(len(x)) % 3, x), "x: n -> 3", "S(n)"),
    torch_true("torch LocalResponseNorm space", lambda: nn.LocalResponseNorm(2), "x: 1 c h w -> 1 c h w", "S(h) x S(w)", sizes={"c": 4}),
    torch_true("torch PixelUnshuffle", lambda: nn.PixelUnshuffle(2), "x: b 1 4 4 -> b 4 2 2", "S(b)"),
    torch_true("torch Softmin", lambda: nn.Softmin(dim=-1), "x: n c -> n c", "S(c)"),
    torch_true("torch Fold of Unfold", lambda: lambda x: F.fold(F.unfold(x, 2, stride=2), (4, 4), 2, stride=2), "x: b c 4 4 -> b c 4 4", "S(b) x S(c)"),
    torch_true("torch pdist", lambda: lambda x: F.pdist(x).sum(), "x: n d -> ()", "S(n) x E(d)"),
    torch_true("torch histc", lambda: lambda x: torch.histc(x, 4, -1.0, 1.0), "x: n -> 4", "S(n)"),
    torch_true("torch bincount", lambda: lambda y: torch.bincount(y, minlength=4) / len(y), "y[4]: n -> 4", "S(n)"),
    torch_true("torch bucketize", lambda: lambda x: torch.bucketize(x, torch.tensor([-0.5, 0.5])), "x: n -> n", "S(n)"),
    torch_true("torch solve", lambda: lambda A, b: torch.linalg.solve(A @ A.T + torch.eye(len(A), dtype=A.dtype), b), "A: n d, b: n -> n", "S(n) x O(d)"),
    torch_true("torch nuclear norm", lambda: lambda A: torch.linalg.matrix_norm(A, "nuc"), "A: n d -> ()", "O(n) x O(d)"),
    torch_true("torch kthvalue", lambda: lambda x: torch.kthvalue(x, 2).values, "x: n -> ()", "S(n)", sizes={"n": (2, 6)}),
    torch_true("torch renorm", lambda: lambda x: torch.renorm(x, 2, 0, 1.0), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("torch vmap", lambda: lambda x, y: torch.vmap(torch.dot)(x, y), "x: n d, y: n d -> n", "S(n) x O(d)"),
    torch_false("torch pdist order", lambda: F.pdist, "x: n d -> m", "S(n)", sizes={"n": 3, "m": 3}),
    torch_false("torch grad of norm translated", lambda: lambda x: torch.func.grad(lambda z: (z**2).sum())(x), "x: n d -> n d^", "E(d)"),
    torch_true("torch Softplus Hardswish", lambda: nn.Sequential(nn.Softplus(), nn.Hardswish(), nn.SELU(), nn.CELU()), "x: n d -> n d", "S(n) x S(d)"),
    torch_true("torch LPPool circular", lambda: nn.LPPool1d(2, 2), "x: b c 4 -> b c 2", "S(b) x S(c)"),
    torch_true("torch cosine_similarity matrix", lambda: lambda x, y: F.cosine_similarity(x[:, None], y[None], dim=-1), "x: n d, y: m d -> n m", "O(d)"),
    torch_true("torch Student log_prob", lambda: lambda x: D.StudentT(3.0).log_prob(x).sum(), "x: n -> ()", "S(n)"),
    torch_true("torch kl Gamma", lambda: lambda a, b: D.kl_divergence(D.Gamma(a, a), D.Gamma(b, b)).sum(), "a: n, b: n -> ()", "S(n)", draw="positive"),
    torch_true("torch Multinomial log_prob", lambda: lambda c, p: D.Multinomial(10, probs=p, validate_args=False).log_prob(c), "c: k, p: k -> ()", "S(k)", draw="positive"),
    torch_true("torch VonMises log_prob", lambda: lambda t: D.VonMises(0.0, 2.0, validate_args=False).log_prob(t).sum(), "t: n -> ()", "S(n)"),
    torch_true("torch trapezoid batch", lambda: lambda y: torch.trapezoid(y, dx=0.5, dim=-1), "y: b 5 -> b", "S(b)"),
    torch_true("torch unflatten heads", lambda: lambda x: x.unflatten(-1, (2, 3)).movedim(-2, 0).norm(dim=-1), "x: n 6 -> 2 n", "S(n)"),
    torch_true("torch cholesky logdet", lambda: lambda A: 2 * torch.linalg.cholesky(A.T @ A + torch.eye(A.shape[1])).diagonal().log().sum(), "A: n d -> ()", "S(n) x O(d)"),
    torch_true("torch solve_triangular", lambda: lambda A, b: torch.linalg.solve_triangular(torch.linalg.cholesky(A @ A.T + torch.eye(len(A))), b, upper=False).square().sum(), "A: n d, b: n k -> ()", "O(d) x O(k)"),
    torch_true("torch scatter_reduce", lambda: lambda x, i: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, i, x, "sum"), "x: n, i[3]: n -> 3", "S(n)"),
    torch_true("torch index_add", lambda: lambda x, i: torch.zeros(3, x.shape[1], dtype=x.dtype).index_add(0, i, x), "x: n d, i[3]: n -> 3 d", "S(n) x O(d)"),
    torch_true("torch cummax last", lambda: lambda x: torch.cummax(x, 0).values[-1], "x: n -> ()", "S(n)"),
    torch_true("torch logaddexp reduce", lambda: lambda x: torch.logcumsumexp(x, 0)[-1], "x: n -> ()", "S(n)"),
    torch_false("torch Student rotated", lambda: lambda x: D.StudentT(3.0).log_prob(x).sum(-1), "x: n d -> n", "O(d)"),
    torch_false("torch logcumsumexp", lambda: lambda x: torch.logcumsumexp(x, 0), "x: n -> n", "S(n)"),
    torch_false("torch Beta swapped", lambda: lambda a, b: D.Beta(a, b).log_prob(torch.sigmoid(a)), "a: n, b: n -> n", "Scale(n)", draw="positive"),
    torch_false("torch GroupNorm channels", seeded(lambda: nn.GroupNorm(2, 8)), "x: b v n -> b v n", "S(v)", sizes={"v": 8}),
    torch_true("tensor field messages", seeded(TFN), "f: n 4, x: n d -> n 4 d^", "S(n) x E(d)"),
    torch_false("ListMLE without sorting", lambda: lambda s: (torch.logcumsumexp(s.flip(0), 0).flip(0) - s).sum(), "s: n -> ()", "S(n)"),
    torch_false("vectors with a bias", seeded(lambda: nn.Linear(4, 4)), "v: n d 4 -> n d 4", "O(d)"),
    torch_false("tensor field messages mirrored", lambda: (lambda m: lambda f, x: torch.linalg.cross(m(f, x)[:, 0], m(f, x)[:, 1]))(seeded(TFN)()), "f: n 4, x: n 3 -> n 3^", "E(3)", sizes={"n": (3, 5)}),
    torch_true("isab-pytorch", built_2("isab_pytorch:ISAB", dim=8, heads=2, num_latents=3, call=lambda m, x: m(x)[0]), "x: b n 8 -> b n 8", "S(n)"),
    torch_true("lambda-networks batch", built_2("lambda_networks:LambdaLayer", dim=4, dim_out=4, n=2, dim_k=2, heads=2, dim_u=1), "x: b 4 2 2 -> b 4 2 2", "S(b)"),
    torch_true("g-mlp batch", built_2("g_mlp_pytorch.g_mlp_pytorch:gMLPBlock", dim=8, dim_ff=16, seq_len=5), "x: b 5 8 -> b 5 8", "S(b)"),
    torch_true("FSQ codes", built_2("vector_quantize_pytorch:FSQ", levels=[3, 5, 3], call=lambda m, x: m(x)[0]), "x: b n 3 -> b n 3", "S(n)", single=True),
    torch_true("VectorQuantize codes", built_2("vector_quantize_pytorch:VectorQuantize", dim=4, codebook_size=8, call=lambda m, x: m(x)[0]), "x: b n 4 -> b n 4", "S(n)", single=True),
    torch_true("entmax sparsemax", named("entmax:sparsemax"), "x: n c -> n c", "S(c)"),
    torch_true("entmax15", named("entmax:entmax15"), "x: n c -> n c", "S(n) x S(c)"),
    torch_true("botorch standardize", named("botorch.utils.transforms:standardize"), "Y: n m -> n m", "S(n) x S(m)"),
    torch_true("torchdiffeq rk4 field", ode("rk4", swirl), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("torchdiffeq euler swarm", ode("euler", swarm), "x: n d -> n d", "S(n) x E(d)"),
    torch_true("piq psnr", using("piq:psnr", lambda f, x, y: f(x, y, data_range=2.0)), "x: b c h w, y: b c h w -> ()", "S(h) x S(w)", draw="positive"),
    torch_false("FSQ codes rotated", built_2("vector_quantize_pytorch:FSQ", levels=[3, 3, 3], call=lambda m, x: m(x)[0]), "x: b n 3 -> b n 3", "O(3)", single=True),
    torch_false("entmax scaled", named("entmax:entmax15"), "x: n c -> n c", "Scale(c)"),
    torch_false("sparsemax rows", using("entmax:sparsemax", lambda f, x: f(x, 0)), "x: n c -> n c", "T(c)"),
    torch_false("botorch standardize rotated", named("botorch.utils.transforms:standardize"), "Y: n m -> n m", "O(m)"),
    torch_false("torchdiffeq field by entries", ode("rk4", lambda y: -(y**3)), "x: n d -> n d", "O(d)"),
    torch_true("geoopt Poincare distance", built_2(BALL, call=lambda m, x, y: m.dist(x / (2 + x.norm(dim=-1, keepdim=True)), y / (2 + y.norm(dim=-1, keepdim=True)))), "x: n 3, y: n 3 -> n", "S(n) x O(3)", single=True),
    torch_true("geoopt Mobius addition", built_2(BALL, call=lambda m, x, y: m.mobius_add(x, y)), "x: n d, y: n d -> n d", "S(n) x O(d)", single=True),
    torch_true("nflows residual net", built_2("nflows.nn.nets:ResidualNet", 3, 4, 8), "x: b 3 -> b 4", "S(b)"),
    torch_true("zuko MAF batch", flow(), "x: b 3 -> b", "S(b)"),
    torch_true("pytorch-msssim ssim", using("pytorch_msssim:ssim", lambda f, x, y: f(x, y, data_range=1.0, win_size=3)), "x: b c 5 5, y: b c 5 5 -> ()", "S(b) x S(c)", draw="positive"),
    torch_true("torchcde coefficients", named("torchcde:hermite_cubic_coefficients_with_backward_differences"), "x: b 5 2 -> b 4 8", "S(b)"),
    torch_true("siren", built_2("siren_pytorch:SirenNet", dim_in=2, dim_hidden=8, dim_out=3, num_layers=2), "x: n 2 -> n 3", "S(n)"),
    torch_false("geoopt Mobius addition exchanged", built_2(BALL, call=lambda m, x, y: m.mobius_add(x, y)), "x: n d, y: n d -> n d", "T(d)", single=True),
    torch_false("nflows reversal", built_2("nflows.transforms.permutations:ReversePermutation", 3, call=lambda m, x: m(x)[0]), "x: b 3 -> b 3", "S(3)"),
    torch_false("zuko MAF features", flow(), "x: b 3 -> b", "S(3)"),
    torch_false("pytorch-msssim rows", using("pytorch_msssim:ssim", lambda f, x, y: f(x, y, data_range=1.0, win_size=3)), "x: b c 5 5, y: b c 5 5 -> ()", "S(5)", draw="positive"),
    torch_false("siren rotated", built_2("siren_pytorch:SirenNet", dim_in=2, dim_hidden=8, dim_out=3, num_layers=2), "x: n 2 -> n 3", "O(2)"),
    torch_true("soft mixture of experts", seeded(MoE), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    torch_true("top-2 mixture of experts", seeded(TopKMoE), "x: n 4 -> n 4", "S(n)"),
    torch_true("affine coupling log_prob", seeded(AffineCoupling), "x: b 4 -> b", "S(b)"),
    torch_true("LSTM cells over time", seeded(LSTMEncoder), "x: b t 3 -> b 2", "S(b)", sizes={"t": (2, 4)}),
    torch_true("squeeze and excite", seeded(SqueezeExcite), "x: b 4 h w -> b 4 h w", "C(h) x S(w)"),
    torch_false("experts of places", lambda: (lambda m: lambda x: m(x) * torch.linspace(0.5, 1, x.shape[1])[None, :, None])(seeded(MoE)()), "x: b n 4 -> b n 4", "S(n)"),
    torch_false("affine coupling, halves", seeded(AffineCoupling), "x: b v -> b", "S(v)", sizes={"v": 4}),
    torch_false("squeeze and excite of channels", seeded(SqueezeExcite), "x: b v h w -> b v h w", "S(v)", sizes={"v": 4}),
    torch_false("LSTM cells backwards", seeded(LSTMEncoder), "x: b t 3 -> b 2", "D(t)", sizes={"t": (2, 4)}),
    torch_true("PaiNN mixing", mods(PaiNNMixing), "q: n 4, mu: n 3 4 -> n 3 4", "O(3)"),
    torch_true("TorchMD equivariant layer", mods(TorchMDEquivariantLayer), "x: n 4, vec: n 3^ 4, pos: n 3 -> n 3^ 4", "E(3)"),
    torch_true("GIN loop", mods(GINLoop), "h: n 3, a: n n -> 6", "S(n)"),
    torch_true("scatter softmax", lambda: scatter_softmax, "s: n, i[n]: n -> n", "S(n)", backend="torch"),
    torch_true("vanilla RNN, batch", mods(VanillaRNN), "x: b t 3 -> b t 4", "S(b)"),
    torch_true("CBAM channels", mods(CBAMChannel), "x: b 4 h w -> b 4 h w", "S(h) x S(w)"),
    torch_false("PaiNN mixing with a bias", mods(functools.partial(PaiNNMixing, wrong=True)), "q: n 4, mu: n 3 4 -> n 3 4", "O(3)"),
    torch_false("scatter softmax doubled", lambda: lambda s, i: scatter_softmax(2 * s, i) * s[0], "s: n, i[n]: n -> n", "S(n)", backend="torch"),
    torch_false("vanilla RNN, steps", mods(VanillaRNN), "x: b t 3 -> b t 4", "C(t)"),
    torch_true("nequip MLP", built_2("nequip.nn.mlp:ScalarMLPFunction", 4, 3, 1, 8), "x: n 4 -> n 3", "S(n)"),
    torch_true("nequip scatter", using("nequip.nn.utils:scatter", lambda f, x, i, s: f(x, i, 0, dim_size=s.shape[0])), "x: m c, i[n]: m, s: n -> n c", "S(n) x S(m) x O(c)"),
    torch_true("mace cutoff", built_2("mace.modules.radial:PolynomialCutoff", 5.0, call=lambda m, X: m(torch.cdist(X, X))), "X: n 3 -> n n", "S(n) x E(3)"),
    torch_true("torchani AEV", lambda: (lambda a: lambda s, x: a(s, x))(aev()), "species[2]: b n, x: b n 3 -> b n k", "S(b) x E(3)", sizes={"n": (2, 3), "b": (1, 2)}, single=True),
    torch_true("diffusers time steps", using(DIMENSION + "embeddings:get_timestep_embedding", lambda f, t: f(t, 6)), "t: n -> n 6", "S(n)", single=True),
    torch_true("diffusers AdaLayerNorm", built_2(DIMENSION + "normalization:AdaLayerNormContinuous", 8, 6, elementwise_affine=False), "x: b n 8, c: b 6 -> b n 8", "S(n) x S(b)"),
    torch_true("diffusers response norm", built_2(DIMENSION + "normalization:GlobalResponseNorm", 3), "x: b h w 3 -> b h w 3", "S(h) x C(w)"),
    torch_true("torchcfm flow", built_2("torchcfm:ConditionalFlowMatcher", sigma=0.0, call=lambda m, x, y, t: m.compute_mu_t(x, y, t)), "x: n d, y: n d, t: n -> n d", "S(n) x E(d)"),
    torch_true("ptwt wavedec", using("ptwt:wavedec", lambda f, x: f(x, "haar", level=1, mode="zero")[0]), "x: b 6 -> b 3", "S(b)"),
    torch_true("ball query", lambda: ball_query_pool, "x: b n d, f: b n c -> b n c", "S(n) x E(d) x O(c)"),
    torch_true("GIN with batch norm", mods_2(GINEDense), "x: n 3, A: n n -> n 3", "S(n)"),
    torch_true("random walk encodings", lambda: random_walk_pe, "A: n n -> n 3", "S(n)", draw="positive"),
    torch_false("batch norm of components", mods_2(TupleDropBatchNorm), "v: n 3 -> n 3", "O(3)"),
    torch_false("cross products mirrored", mods_2(CrossProductLayer), "v: n 3, w: n 3 -> n 3", "O(3)"),
    torch_false("random walk encodings, columns", lambda: lambda A: random_walk_pe(A)[:, :1] * torch.linspace(0, 1, A.shape[0], dtype=A.dtype)[:, None], "A: n n -> n 1", "S(n)", draw="positive"),
    torch_true("trace of a Hessian in torch", lambda: hessian_trace, "x: d -> ()", "O(d)"),
    torch_true("nn.LocalResponseNorm", lambda: nn.LocalResponseNorm(3), "x: b 4 h w -> b 4 h w", "S(b) x S(h) x S(w)"),
    torch_true("nn.GroupNorm without affine", lambda: nn.GroupNorm(2, 4, affine=False), "x: b 4 n -> b 4 n", "S(b) x S(n)"),
    torch_true("nn.InstanceNorm2d affine", seeded(lambda: nn.InstanceNorm2d(3, affine=True)), "x: b 3 h w -> b 3 h w", "S(b) x S(h) x S(w)"),
    torch_true("nn.RMSNorm", lambda: nn.RMSNorm(8), "x: n 8 -> n 8", "S(n) x S(8)"),
    torch_false("nn.LocalResponseNorm of channels", lambda: nn.LocalResponseNorm(3), "x: b c h w -> b c h w", "S(c)", sizes={"c": 5}),
    torch_true("VN batch norm", seeded(VNBatchNorm), "x: b 3! 3 n -> b 3! 3 n", "O(3) x S(n)"),
    torch_true("PaiNN update", seeded(PaiNNLike), "s: n 4, v: n d 4 -> n 4, n d 4", "O(d) x S(n)"),
    torch_false("PaiNN update bias", seeded(lambda: PaiNNLike(wrong=True)), "s: n 4, v: n d 4 -> n 4, n d 4", "O(d)"),
    torch_false("TFN layer E", seeded(TFNLayer), "p: n 3, s: n, v: n 3^ -> n, n 3^", "E(3)"),
    torch_true("BasisNet projectors", lambda: basisnet_projector, "A: n n -> n n", "S(n)"),
    torch_true("BasisNet projectors O", lambda: basisnet_projector, "A: n n -> n n", "O(n)"),
    torch_true("MoE top-2 loops", seeded(MoE_2), "x: n 4 -> n 4", "S(n)"),
    torch_false("MoE capacity", seeded(MoECapacity), "x: n 4 -> n 4", "S(n)"),
    torch_true("capsule routing", seeded(CapsuleRouting), "u: b n 4 -> b 3 2", "S(b) x S(n)"),
    torch_true("NeuralSort columns", lambda: neural_sort, "s: n -> n! n", "S(n)"),
    torch_false("NeuralSort rows", lambda: neural_sort, "s: n -> n n!", "S(n)"),
    torch_true("Cox by sorting", lambda: cox_ph, "h: n, e: n, t: n -> ()", "S(n)", draw="positive"),
    torch_true("Cox by pairs", lambda: cox_pairs, "h: n, e: n, t: n -> ()", "S(n)", draw="positive"),
    torch_false("Cox unsorted", lambda: lambda h, e: -((h - h.logcumsumexp(0)) * e).sum() / e.sum(), "h: n, e: n -> ()", "S(n)", draw="positive"),
    torch_true("PaiNN message", lambda: painn, "s: n f, v: n f 3, x: n 3! -> n f 3", "S(n) x S(f)"),
    torch_true("PaiNN message turned", lambda: painn, "s: n f, v: n f 3, x: n 3 -> n f 3", "O(3)"),
    torch_false("PaiNN message, vectors kept", lambda: painn, "s: n f, v: n f 3!, x: n 3 -> n f 3", "O(3)"),
    torch_true("roma rotmat_geodesic_distance", held("roma", "lambda a, b: roma.rotmat_geodesic_distance(a, b)"), "a: n 3 3, b: n 3 3 -> n", "S(n)"),
    torch_true("Axilrod-Teller", lambda: axilrod_teller, "x: n 3 -> ()", "S(n) x E(3)"),
    torch_false("Axilrod-Teller scaled", lambda: axilrod_teller, "x: n 3 -> ()", "Scale(3)"),
    torch_true("masked FiLM", seeded(ContextGate), "x: b n 4, mask[bool]: b n -> b n 4", "S(b) x S(n)"),
    torch_false("masked FiLM, mask kept", seeded(ContextGate), "x: b n 4, mask[bool]: b n! -> b n 4", "S(n)"),
    torch_true("ListMLE", lambda: list_mle, "s: n, y: n -> ()", "S(n)"),
    torch_true("GAE, batch", lambda: gae, "r: 4 b, v: 4 b -> 4 b", "S(b) x Scale(4)"),
    torch_false("GAE, time", lambda: gae, "r: 4 b, v: 4 b -> 4 b", "S(4)"),
    torch_true("keras Dense", keras("keras.layers.Dense(3, activation='gelu')", None, 4), "x: n 4 -> n 3", "S(n)", single=True),
    torch_true("keras LayerNormalization", keras("keras.layers.LayerNormalization()", None, 4), "x: n 4 -> n 4", "S(n) x S(4)", single=True),
    torch_true("keras GlobalAveragePooling1D", keras("keras.layers.GlobalAveragePooling1D()"), "x: b n c -> b c", "S(b) x S(n) x S(c)", single=True),
    torch_true("keras GroupNormalization", keras("keras.layers.GroupNormalization(2)", None, None, 4), "x: b n 4 -> b n 4", "S(b) x S(n)", single=True),
    torch_true("keras sparsemax", keras("keras.activations.sparsemax"), "x: n c -> n c", "S(n) x S(c)", single=True),
    torch_false("keras Dense of features", keras("keras.layers.Dense(4)", None, 4), "x: n v -> n v", "S(v)", sizes={"v": 4}),
    torch_true("keras Sequential of Dense", keras_local(DENSE), "x: b n 4 -> b n 3", "S(b) x S(n)", single=True),
    torch_true("keras Sequential pooled", keras_local(POOLED), "x: b n 4 -> b 3", "S(b) x S(n)", single=True),
    torch_true("keras residual attention", keras_local(RESIDUAL), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes=STEPS, single=True),
    torch_true("keras functional block", keras_local(BLOCK), "x: b n 4 -> b n 10", "S(b) x S(n)", single=True),
    torch_true("keras mixer, batch", keras_local(MIXER), "x: b 5 4 -> b 5 4", "S(b)", single=True),
    torch_true("keras small image network", keras_local(VGG), "x: b 6 6 2 -> b 4", "S(b)", sizes={"b": (1, 3)}, single=True),
    torch_true("keras Attention", keras_local("K.Attention()", "lambda q, v: f([q, v])"), "q: b n d, v: b m d -> b n d", "S(b) x S(n) x S(m) x S(d)", sizes={"b": (1, 2), "n": (2, 4), "m": (2, 4), "d": (2, 4)}, single=True),
    torch_true("keras AdditiveAttention", keras_local("K.AdditiveAttention()", "lambda q, v: f([q, v])", "[(None, None, 4), (None, None, 4)]"), "q: b n 4, v: b m 4 -> b n 4", "S(b) x S(n) x S(m)", sizes={"b": (1, 2), "n": (2, 4), "m": (2, 4)}, single=True),
    torch_true("keras EinsumDense", keras_local("K.EinsumDense('bnc,cd->bnd', output_shape=(None, 5), bias_axes='d')", build="(None, None, 4)"), "x: b n 4 -> b n 5", "S(b) x S(n)", single=True),
    torch_true("keras RMSNormalization", keras_local("K.RMSNormalization()", build="(None, 4)"), "x: n 4 -> n 4", "S(n)", single=True),
    torch_true("keras UnitNormalization", keras_local("K.UnitNormalization()"), "x: n d -> n d", "S(n) x O(d)", single=True),
    torch_true("keras BatchNormalization", keras_local("K.BatchNormalization()", build="(None, None, 4)"), "x: b n 4 -> b n 4", "S(b) x S(n)", single=True),
    torch_true("keras MaxPooling1D, batch", keras_local("K.MaxPooling1D(2)"), "x: b n c -> b h c", "S(b) x S(c)", sizes={"n": (4, 6)}, single=True),
    torch_true("keras GlobalMaxPooling2D", keras_local("K.GlobalMaxPooling2D()"), "x: b h w c -> b c", "S(b) x S(h) x S(w) x S(c)", sizes={"b": (1, 2), "h": (2, 3), "w": (2, 3), "c": (1, 3)}, single=True),
    torch_true("keras GroupQueryAttention", keras_local("K.GroupQueryAttention(3, 4, 2)", "lambda x: f(x, x)", "(None, None, 4), (None, None, 4)"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes=STEPS, single=True),
    torch_true("keras Embedding, averaged", keras_local("K.Embedding(10, 4)", "lambda z: f(z).mean(0)", "(None,)"), "z[10]: n -> 4", "S(n)", single=True),
    torch_true("keras PReLU shared", keras_local("K.PReLU(shared_axes=[1])", build="(None, None, 4)"), "x: b n 4 -> b n 4", "S(b) x S(n)", single=True),
    torch_true("keras TimeDistributed", keras_local("K.TimeDistributed(K.Dense(3))", build="(None, 5, 4)"), "x: b 5 4 -> b 5 3", "S(b)", sizes={"b": (1, 3)}, single=True),
    torch_true("keras GRU, batch", keras_local("K.GRU(3)", build="(None, 5, 4)"), "x: b 5 4 -> b 3", "S(b)", sizes={"b": (1, 3)}, single=True),
    torch_true("keras Dot of two", keras_local("K.Dot(axes=-1, normalize=False)", "lambda x, y: f([x, y])"), "x: b d, y: b d -> b 1", "S(b) x O(d)", single=True),
    torch_true("keras mean squared error", loss("keras.losses.MeanSquaredError()"), "x: b d, y: b d -> ()", "S(b) x E(d)", single=True),
    torch_true("keras Huber", loss("keras.losses.Huber()"), "x: b d, y: b d -> ()", "S(b) x S(d)", single=True),
    torch_true("keras categorical crossentropy", loss("keras.losses.CategoricalCrossentropy(from_logits=True)"), "x: b c, y: b c -> ()", "S(b) x S(c)", single=True),
    torch_true("keras KL divergence", loss("keras.losses.kl_divergence"), "x: b c, y: b c -> b", "S(b) x S(c)", single=True, draw="positive"),
    torch_true("keras log-cosh", loss("keras.losses.log_cosh"), "x: b d, y: b d -> b", "S(b) x S(d)", single=True),
    torch_true("keras Dice", loss("keras.losses.Dice()"), "x: b d, y: b d -> ()", "S(b) x S(d)", single=True, draw="positive"),
    torch_true("keras ops attention", ops("lambda x: ops.matmul(ops.softmax(ops.matmul(x, ops.transpose(x))), x)"), "x: n d -> n d", "S(n) x O(d)", sizes={"n": (2, 4), "d": (2, 3)}, single=True),
    torch_true("keras ops distances", ops("lambda x: ops.sqrt(ops.sum(ops.square(x[:, None] - x[None]), -1) + 1e-6)"), "x: n d -> n n", "S(n) x E(d)", single=True),
    torch_true("keras ops segments", ops("lambda x, s: ops.matmul(ops.transpose(ops.one_hot(s, 3)), ops.cast(x, 'float32'))"), "x: n c, s[3]: n -> 3 c", "S(n) x S(c)", single=True),
    torch_true("keras ops moments", ops("lambda x: ops.stack([ops.mean(x, 0), ops.std(x, 0), ops.max(x, 0)])"), "x: n c -> 3 c", "S(n) x S(c)", single=True),
    torch_true("keras ops logsumexp", ops("lambda x: ops.logsumexp(x, axis=-1)"), "x: n c -> n", "S(n) x S(c)", single=True),
    torch_true("keras ops top-k", ops("lambda x: ops.sum(ops.top_k(x, 2)[0], -1)"), "x: n c -> n", "S(n) x S(c)", sizes={"c": (2, 5)}, single=True),
    torch_true("keras ops einsum", ops("lambda x, y: ops.einsum('nd,md->nm', x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)", single=True),
    torch_true("keras cosine similarity loss", loss("keras.losses.CosineSimilarity()"), "x: b d, y: b d -> ()", "S(b) x O(d)", single=True),
    torch_true("keras activation of a name", keras_local("keras.activations.get('mish')"), "x: n c -> n c", "S(n) x S(c)", single=True),
    torch_false("keras Sequential of features", keras_local("keras.Sequential([keras.Input((4,)), K.Dense(4, activation='tanh')])"), FEATURES, "S(v)", sizes=V, single=True),
    torch_false("keras mixer of tokens", keras_local(MIXER), "x: b n 4 -> b n 4", "S(n)", sizes={"n": 5, "b": (1, 2)}, single=True),
    torch_false("keras causal attention", keras_local("K.MultiHeadAttention(2, 3)", "lambda x: f(x, x, use_causal_mask=True)", "(None, None, 4), (None, None, 4)"), "x: b n 4 -> b n 4", "S(n)", sizes=STEPS, single=True),
    torch_false("keras GRU of steps", keras_local("K.GRU(3, return_sequences=True)", build="(None, 4, 3)"), "x: b n 3 -> b n 3", "S(n)", sizes={"n": 4, "b": (1, 2)}, single=True),
    torch_false("keras LayerNormalization under O", keras_local("K.LayerNormalization()", build="(None, 4)"), FEATURES, "O(v)", sizes=V, single=True),
    torch_false("keras MaxPooling1D of steps", keras_local("K.MaxPooling1D(2)"), "x: b n c -> b 2 c", "S(n)", sizes={"n": 4}, single=True),
    torch_false("keras Flatten and Dense", keras_local("keras.Sequential([keras.Input((4, 2)), K.Flatten(), K.Dense(3)])"), "x: b n 2 -> b 3", "S(n)", sizes={"n": 4}, single=True),
    torch_false("keras GroupNormalization of channels", keras_local("K.GroupNormalization(2)", build="(None, None, 4)"), "x: b n v -> b n v", "S(v)", sizes=V, single=True),
    torch_false("keras KL divergence exchanged", keras_local("keras.losses.kl_divergence", "lambda z: f(z[0], z[1]) - f(z[1], z[0])"), "z: k b c -> b", "S(k)", sizes={"k": 2}, single=True, draw="positive"),
    torch_false("keras ops cumulative", ops("lambda x: ops.cumsum(x, axis=0)"), "x: n c -> n c", "S(n)", single=True),
    torch_false("keras ops softmax over tokens, one rotated", ops("lambda x: ops.softmax(x, axis=0) * x"), "x: n d -> n d", "O(d)", single=True),
    torch_false("keras Embedding in order", keras_local("K.Embedding(10, 4)", "lambda z: f(z)[0] - f(z)[-1]", "(None,)"), "z[10]: n -> 4", "S(n)", sizes={"n": (2, 5)}, single=True),
    torch_true("torchrl MLP", held("torchrl.modules as m", "lambda x: f(x)", "f = m.MLP(in_features=4, out_features=3, num_cells=[8])"), "x: b n 4 -> b n 3", "S(b) x S(n)"),
    torch_true("torchrl symlog", held("torchrl.modules.utils as u, torchrl.objectives.value.functional as v", "lambda r, w, z: v.vec_td1_return_estimate(0.9, w, r, torch.zeros_like(r).bool(), torch.zeros_like(r).bool())"), "r: b 4 1, w: b 4 1, z: b -> b 4 1", "S(b)", sizes={"b": (1, 3)}),
    torch_true("torchrl generalized advantage", held("torchrl.objectives.value.functional as v", "lambda r, w, u: v.generalized_advantage_estimate(0.9, 0.95, w, u, r, torch.zeros_like(r).bool())[0]"), "r: b 4 1, w: b 4 1, u: b 4 1 -> b 4 1", "S(b)", sizes={"b": (1, 3)}),
    torch_false("torchrl advantage of steps", held("torchrl.objectives.value.functional as v", "lambda r, w, u: v.generalized_advantage_estimate(0.9, 0.95, w, u, r, torch.zeros_like(r).bool())[0]"), "r: b n 1, w: b n 1, u: b n 1 -> b n 1", "S(n)", sizes={"b": (1, 2), "n": 4}),
    torch_true("torchrl distance loss", held("torchrl.objectives.utils as u", "lambda x, y: u.distance_loss(x, y, loss_function='smooth_l1')"), "x: b d, y: b d -> b d", "S(b) x S(d)"),
    torch_true("tensordict module", held("tensordict.nn as t, tensordict", "lambda x: f(tensordict.TensorDict({'x': x}, [x.shape[0]]))['y']", "f = t.TensorDictModule(torch.nn.Linear(4, 3), in_keys=['x'], out_keys=['y'])"), "x: n 4 -> n 3", "S(n)"),
    torch_true("lightning module", held("lightning as L", "made", "made = type('Net', (L.LightningModule,), {'__module__': '__main__', 'forward': lambda self, x: torch.tanh(x).mean(1)})()"), "x: b n c -> b c", "S(b) x S(n) x S(c)"),
    torch_false("lightning module of rows", held("lightning as L", "made", "made = type('Net', (L.LightningModule,), {'__module__': '__main__', 'forward': lambda self, x: torch.cumsum(x, 1)})()"), "x: b n c -> b n c", "S(n)"),
    torch_true("set norm", seeded(SetNorm), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    torch_true("FSPool", seeded(FSPool), "x: b 3 n -> b 3", "S(b) x S(n)", sizes={"n": (3, 6), "b": (1, 2)}),
    torch_true("Janossy pairs", seeded(Janossy), "x: n 3 -> 2", "S(n)", sizes={"n": (2, 4)}),
    torch_true("relation network", seeded(RelationNet), "x: b n 3 -> b 2", "S(n)", sizes={"b": (2, 3), "n": (2, 4)}),
    torch_true("min-plus powers", lambda: min_plus, "w: n n -> n n", "S(n)", draw="positive"),
    torch_true("2-WL layer", seeded(TwoWL), "x: n n 3 -> n n 3", "S(n)"),
    torch_true("hyper-connections residual", packed(HC, "lambda x: f(x)", "f = H.HyperConnections.get_init_and_expand_reduce_stream_functions(1)[0](dim=4, branch=torch.nn.Linear(4, 4))"), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    torch_true("hyper-connections of four streams", packed(HC, "lambda x: r(f(e(x)))", "i, e, r = H.HyperConnections.get_init_and_expand_reduce_stream_functions(4); f = i(dim=4, branch=torch.nn.Linear(4, 4))"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes={"b": (1, 2), "n": (2, 3)}),
    torch_true("arm_pytorch_utilities quadratic", packed("arm_pytorch_utilities as A", "lambda x, q: A.batch_quadratic_product(x, q)"), "x: n d, q: d d -> n", "S(n) x O(d)"),
    torch_true("linear_operator inverse quadratic", packed("linear_operator as L", "lambda x, y: L.to_linear_operator(x @ x.T + 2 * torch.eye(len(x), dtype=x.dtype)).inv_quad(y)"), "x: n d, y: n k -> ()", "S(n) x O(d) x O(k)"),
    torch_false("set norm of columns", seeded(SetNorm), "x: b n v -> b n v", "S(v)", sizes={"v": 4}),
    torch_false("FSPool negated", seeded(FSPool), "x: b 3 n -> b 3", "Signs(n)", sizes={"b": 1}),
    torch_false("relation network, features", seeded(RelationNet), "x: b n v -> b 2", "S(v)", sizes={"v": 3, "b": 2}),
    torch_false("vertex normals mirrored", lambda: vertex_normals, "v: n 3, f[n]: m 3! -> n 3^", "O(3)"),
    torch_false("arm_pytorch_utilities quadratic, form kept", packed("arm_pytorch_utilities as A", "lambda x, q: A.batch_quadratic_product(x, q)"), "x: n d, q: d! d! -> n", "O(d)"),
]  # fmt: skip
