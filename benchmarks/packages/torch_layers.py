"""torch.nn, Keras and similar libraries: layers, blocks and compositions of layers."""

import math

import einops
import torch
import torch.nn.functional as F
from torch import distributions as D
from torch import nn

from benchmarks.packages.claims import built, false, held, layer, of_torch, one, true, using


def encoder():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

def multi_head(x):
    h = einops.rearrange(x, "n (h d) -> h n d", h=2)
    a = torch.softmax(einops.einsum(h, h, "h i d, h j d -> h i j") / 2, -1)
    return einops.rearrange(einops.einsum(a, h, "h i j, h j d -> h i d"), "h n d -> n (h d)")

def nearest(x):
    d = torch.cdist(x, x)
    d = d.masked_fill(torch.eye(len(x), dtype=torch.bool), float("inf"))
    return d.min(1).values

class PermutationEquivariant(nn.Module):  # each row, less the maximum of all
    def __init__(self):
        super().__init__()
        self.gamma, self.lam = nn.Linear(3, 5), nn.Linear(3, 5, bias=False)
    def forward(self, x):
        xm, _ = x.max(dim=0, keepdim=True)
        return self.gamma(x) - self.lam(xm)

class TFN(nn.Module):  # messages along directions, weighted by radial functions
    def __init__(self):
        super().__init__()
        self.centers = nn.Parameter(torch.linspace(0, 3, 5), requires_grad=False)
        self.radial = nn.Sequential(nn.Linear(5, 8), nn.SiLU(), nn.Linear(8, 4))
    def forward(self, f, pos):
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
    return built(made)

def swirl(y):
    return -y / (1 + (y**2).sum(-1, keepdim=True))

def swarm(y):
    d = y[:, None] - y[None]
    return -(d * torch.exp(-(d**2).sum(-1, keepdim=True))).sum(1)

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

class TupleDropBatchNorm(nn.Module):  # batch norm over the components of vectors: the mistake of a beginner
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

class RoutedMoE(nn.Module):
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

class MoECapacity(RoutedMoE):
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

def keras(of, function="lambda x: f(x)", build=""):
    """A function that holds something of Keras, which runs over torch."""
    before = f"os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; K, ops = keras.layers, keras.ops; f = {of}"
    return held("os", function, before + (f"; f.build({build})" if build else ""))

def ops(function):
    """A function of tensors that is written in the operations of Keras."""
    return keras("None", function)

def loss(of):
    return keras(of, "lambda x, y: f(x, y)")

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

class TwoWL(nn.Module):
    def __init__(self, d=3):
        super().__init__()
        self.m1, self.m2, self.skip = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(2 * d, d)
    def forward(self, x):  # n n d
        a, b = F.relu(self.m1(x)), F.relu(self.m2(x))
        mult = torch.matmul(a.permute(2, 0, 1), b.permute(2, 0, 1)).permute(1, 2, 0)
        return self.skip(torch.cat((x, mult), dim=-1))

CLAIMS = [
    of_torch(layer(nn.Linear, 4, 3), "x: n 4 -> n 3", true("nn.Linear", "S(n)")),
    of_torch(layer(lambda: nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3))), "x: n 4 -> n 3", true("nn.Sequential MLP", "S(n)")),
    of_torch(layer(nn.Bilinear, 4, 5, 3), "x: n 4, y: n 5 -> n 3", true("nn.Bilinear", "S(n)")),
    of_torch(layer(nn.Embedding, 7, 4), "i[7]: n -> n 4", true("nn.Embedding", "S(n)")),
    of_torch(layer(nn.EmbeddingBag, 7, 4, call=one), "i[7]: n -> 4", true("nn.EmbeddingBag mean", "S(n)")),
    of_torch(layer(nn.MultiheadAttention, 8, 2, batch_first=True, call=lambda m, x: m(x[None], x[None], x[None])[0][0]), "x: n 8 -> n 8", true("nn.MultiheadAttention", "S(n)")),
    of_torch(layer(nn.MultiheadAttention, 8, 2, batch_first=True, call=lambda m, x: m(x[None], x[None], x[None], need_weights=False)[0][0]), "x: n 8 -> n 8", true("nn.MultiheadAttention need_weights=False", "S(n)")),
    of_torch(layer(nn.MultiheadAttention, 8, 2, batch_first=True, call=lambda m, x, keep: m(x[None], x[None], x[None], key_padding_mask=~keep[None])[0][0]), "x: n 8, keep[bool]: n -> n 8", true("nn.MultiheadAttention padding mask", "S(n)")),
    of_torch(layer(encoder, call=one), "x: n 8 -> n 8", true("nn.TransformerEncoder", "S(n)")),
    of_torch(layer(nn.TransformerDecoderLayer, 8, 2, 16, batch_first=True, call=lambda m, x, memory: m(x[None], memory[None])[0]), "x: m 8, memory: n 8 -> m 8", true("nn.TransformerDecoderLayer memory", "S(n)"), true("nn.TransformerDecoderLayer both", "S(n) x S(m)")),
    of_torch(layer(nn.BatchNorm1d, 4), "x: n 4 -> n 4", true("nn.BatchNorm1d", "S(n)")),
    of_torch(layer(nn.InstanceNorm1d, 4, affine=True, call=one), "x: 4 n -> 4 n", true("nn.InstanceNorm1d", "S(n)")),
    of_torch(layer(nn.GroupNorm, 2, 4, call=one), "x: 4 n -> 4 n", true("nn.GroupNorm", "S(n)")),
    of_torch(layer(nn.RMSNorm, 4), "x: n 4 -> n 4", true("nn.RMSNorm", "S(n)")),
    of_torch(lambda x: nn.functional.layer_norm(x, x.shape[-1:]), "x: n d -> n d", true("nn.LayerNorm(4)", "S(d)")),
    of_torch(layer(nn.Conv1d, 3, 4, 3, padding=1, padding_mode="circular", call=one), "x: 3 n -> 4 n", true("nn.Conv1d circular", "C(n)"), n=(3, 9)),
    of_torch(layer(nn.Conv1d, 3, 4, 1, call=one), "x: 3 n -> 4 n", true("nn.Conv1d kernel 1", "S(n)")),
    of_torch(layer(nn.Conv2d, 3, 4, 3), "x: n 3 6 6 -> n 4 4 4", true("nn.Conv2d batch", "S(n)")),
    of_torch(lambda x: nn.AvgPool1d(2)(x[None])[0], "x: c 8 -> c 4", true("nn.AvgPool1d", "S(c)")),
    of_torch(layer(nn.MaxPool2d, 2), "x: c 6 6 -> c 3 3", true("nn.MaxPool2d", "S(c)")),
    of_torch(layer(nn.AdaptiveAvgPool1d, 1), "x: c n -> c 1", true("nn.AdaptiveAvgPool1d(1)", "S(n)")),
    of_torch(layer(nn.Softmax, -1), "x: n -> n", true("nn.Softmax", "S(n)")),
    of_torch(layer(nn.LogSoftmax, -1), "x: n -> n", true("nn.LogSoftmax", "S(n)")),
    of_torch(layer(nn.MSELoss), "x: n d, y: n d -> ()", true("nn.MSELoss", "O(d)")),
    of_torch(layer(nn.CrossEntropyLoss), "x: n c, y[c]: n -> ()", true("nn.CrossEntropyLoss classes", "S(n) x S(c)")),
    of_torch(layer(nn.NLLLoss), "x: n c, y[c]: n -> ()", true("nn.NLLLoss", "S(n)")),
    of_torch(layer(nn.CosineSimilarity, -1), "x: n d, y: n d -> n", true("nn.CosineSimilarity", "O(d)"), false("nn.CosineSimilarity translations", "E(d)")),
    of_torch(lambda x, y: torch.cdist(x, y), "x: n d, y: m d -> n m", true("nn.PairwiseDistance", "E(d)")),
    of_torch(lambda a, p, n: F.triplet_margin_loss(a, p, n, eps=0.0), "a: n d, p: n d, q: n d -> ()", true("nn.TripletMarginLoss", "O(d)")),
    of_torch(layer(nn.HuberLoss), "x: n, y: n -> ()", true("nn.HuberLoss", "S(n)")),
    of_torch(layer(nn.SmoothL1Loss, beta=0.5), "x: n, y: n -> ()", true("nn.SmoothL1Loss", "S(n)")),
    of_torch(layer(nn.KLDivLoss, reduction="batchmean"), "x: n c, y: n c -> ()", true("nn.KLDivLoss", "S(c)"), draw="positive"),
    of_torch(layer(nn.BCEWithLogitsLoss), "x: n, y: n -> ()", true("nn.BCEWithLogitsLoss", "S(n)")),
    of_torch(lambda x, y: F.cosine_embedding_loss(x, y, torch.ones(x.shape[0])), "x: n d, y: n d -> ()", true("nn.CosineEmbeddingLoss", "O(d)")),
    of_torch(layer(lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh()), call=one), "x: n 3 -> n 4", true("nn.GRU batch", "S(n)")),
    of_torch(layer(nn.LSTM, 3, 4, batch_first=True, call=lambda m, x: m(x)[0]), "x: n 5 3 -> n 5 4", true("nn.LSTM batch", "S(n)")),
    of_torch(layer(nn.GRUCell, 3, 4), "x: n 3, h: n 4 -> n 4", true("nn.GRUCell batch", "S(n)")),
    of_torch(lambda x: torch.cov(x.T), "x: n d -> d d", true("torch.cov", "S(n) x O(d)")),
    of_torch(torch.corrcoef, "x: d n -> d d", true("torch.corrcoef", "S(d) x S(n)")),
    of_torch(lambda x: torch.logsumexp(x, 0), "x: n c -> c", true("torch.logsumexp", "S(n)")),
    of_torch(lambda x: torch.median(x, 0).values, "x: n c -> c", true("torch.median", "S(n)")),
    of_torch(lambda x: torch.topk(x, 3).values, "x: n -> 3", true("torch.topk values", "S(n)"), n=(3, 8)),
    of_torch(lambda x: torch.std(x, 0) / torch.mean(x * x, 0), "x: n c -> c", true("torch.std_mean", "S(n)"), n=(2, 9)),
    of_torch(lambda x: F.normalize(x, dim=-1), "x: n d -> n d", true("F.normalize", "O(d)")),
    of_torch(lambda q, k, v: F.scaled_dot_product_attention(q, k, v), "q: m d, k: n d, v: n c -> m c", true("F.scaled_dot_product_attention O(d)", "O(d) x S(n)")),
    of_torch(lambda x: F.pixel_shuffle(x, 2), "x: n 4 3 3 -> n 1 6 6", true("F.pixel_shuffle batch", "S(n)")),
    of_torch(lambda x: F.interpolate(x[None], scale_factor=2, mode="nearest")[0], "x: c 4 4 -> c 8 8", true("F.interpolate channels", "S(c)")),
    of_torch(lambda x: F.conv1d(F.pad(x[None, None], (1, 1), mode="circular"), x.new_tensor([[[1.0, -2.0, 1.0]]]))[0, 0], "x: n -> n", true("F.pad circular", "D(n)"), n=(3, 9)),
    of_torch(lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), "x: n c, y[c]: n -> ()", true("F.cross_entropy label_smoothing", "S(c)")),
    of_torch(layer(nn.TransformerEncoderLayer, 8, 2, 16, batch_first=True, call=lambda m, x: m(x[None], src_mask=nn.Transformer.generate_square_subsequent_mask(x.shape[0], dtype=x.dtype))[0]), "x: n 8 -> n 8", false("nn.TransformerEncoderLayer causal", "S(n)")),
    of_torch(layer(nn.Conv1d, 3, 4, 3, padding=1, call=one), "x: 3 n -> 4 n", false("nn.Conv1d zero padding", "C(n)"), n=(3, 9)),
    of_torch(layer(nn.Linear, 4, 4), "x: n 4 -> n 4", false("nn.Linear O(4)", "O(4)")),
    of_torch(lambda x: F.layer_norm(x, x.shape[-1:]), "x: n d -> n d", false("nn.LayerNorm rotations", "O(d)")),
    of_torch(layer(nn.LSTM, 3, 4, batch_first=True, call=lambda m, x: m(x[None])[0][0]), "x: 5 3 -> 5 4", false("nn.LSTM time", "S(5)")),
    of_torch(layer(lambda: nn.BatchNorm1d(4).requires_grad_(False).apply(lambda m: m.weight.copy_(torch.arange(4.0)))), "x: n v -> n v", false("nn.BatchNorm1d channels", "S(v)"), v=4),
    of_torch(lambda x: nn.AvgPool1d(2, 1)(x[None])[0], "x: n -> m", false("nn.AvgPool1d shifts", "C(n)"), n=(3, 8)),
    of_torch(layer(nn.ReLU), "x: n d -> n d", false("nn.ReLU rotations", "O(d)")),
    of_torch(layer(nn.L1Loss), "x: n d, y: n d -> ()", false("nn.L1Loss rotations", "O(d)")),
    of_torch(lambda x: F.nll_loss(x, torch.zeros(x.shape[0], dtype=torch.long)), "x: n c -> ()", false("nn.NLLLoss classes without labels", "S(c)")),
    of_torch(lambda x: torch.cumsum(x, 0), "x: n c -> n c", false("torch.cumsum", "S(n)")),
    of_torch(layer(nn.Embedding, 9, 4, call=lambda e, x: x + e(torch.arange(x.shape[0]))), "x: n 4 -> n 4", false("nn.Embedding of positions", "S(n)"), n=(2, 9)),
    of_torch(torch.triu, "x: n n -> n n", false("torch.triu", "S(n)")),
    of_torch(lambda x: x[torch.argsort(x)], "x: n -> n", false("torch.argsort", "S(n)")),
    of_torch(layer(nn.PReLU), "x: n d -> n d", false("nn.PReLU rotations", "O(d)")),
    of_torch(multi_head, "x: n 8 -> n 8", true("einops heads", "S(n)"), false("einops heads rotated", "O(8)")),
    of_torch(lambda x, keep: x.masked_fill(~keep[:, None], float("-inf")).max(0).values, "x: n d, keep[bool]: n -> d", true("masked max", "S(n)"), false("masked max rotated", "O(d)"), n=(12, 13)),
    of_torch(nearest, "x: n d -> n", true("nearest other", "S(n) x E(d)")),
    of_torch(lambda x: torch.topk(x, 2, largest=False).values, "x: n -> 2", true("two smallest", "S(n)")),
    of_torch(layer(PermutationEquivariant), "x: n 3 -> n 5", true("deep sets max layer", "S(n)")),
    of_torch(lambda x, g: torch.zeros(3, x.shape[1], dtype=x.dtype).index_add(0, g, x), "x: n d, g[3]: n -> 3 d", true("index_add pooling", "S(n) x O(d)")),
    of_torch(lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(len(x), dtype=x.dtype)).diagonal().log().sum(), "x: n d -> ()", true("cholesky log det", "O(d)")),
    of_torch(lambda x: torch.logdet(x @ x.T + torch.eye(len(x), dtype=x.dtype)), "x: n d -> ()", true("log det", "S(n) x O(d)")),
    of_torch(lambda x: torch.topk(x, 2, largest=False).values + x[0], "x: n -> 2", false("two smallest by position", "S(n)")),
    of_torch(lambda x: torch.zeros(3, dtype=x.dtype).index_add(0, torch.arange(len(x)) % 3, x), "x: n -> 3", false("scatter of positions", "S(n)")),
    of_torch(layer(nn.LocalResponseNorm, 2), "x: 1 c h w -> 1 c h w", true("torch LocalResponseNorm space", "S(h) x S(w)"), c=4),
    of_torch(layer(nn.PixelUnshuffle, 2), "x: b 1 4 4 -> b 4 2 2", true("torch PixelUnshuffle", "S(b)")),
    of_torch(layer(nn.Softmin, dim=-1), "x: n c -> n c", true("torch Softmin", "S(c)")),
    of_torch(lambda x: F.fold(F.unfold(x, 2, stride=2), (4, 4), 2, stride=2), "x: b c 4 4 -> b c 4 4", true("torch Fold of Unfold", "S(b) x S(c)")),
    of_torch(lambda x: F.pdist(x).sum(), "x: n d -> ()", true("torch pdist", "S(n) x E(d)")),
    of_torch(lambda x: torch.histc(x, 4, -1.0, 1.0), "x: n -> 4", true("torch histc", "S(n)")),
    of_torch(lambda y: torch.bincount(y, minlength=4) / len(y), "y[4]: n -> 4", true("torch bincount", "S(n)")),
    of_torch(lambda x: torch.bucketize(x, torch.tensor([-0.5, 0.5])), "x: n -> n", true("torch bucketize", "S(n)")),
    of_torch(lambda A, b: torch.linalg.solve(A @ A.T + torch.eye(len(A), dtype=A.dtype), b), "A: n d, b: n -> n", true("torch solve", "S(n) x O(d)")),
    of_torch(lambda A: torch.linalg.matrix_norm(A, "nuc"), "A: n d -> ()", true("torch nuclear norm", "O(n) x O(d)")),
    of_torch(lambda x: torch.kthvalue(x, 2).values, "x: n -> ()", true("torch kthvalue", "S(n)"), n=(2, 6)),
    of_torch(lambda x: torch.renorm(x, 2, 0, 1.0), "x: n d -> n d", true("torch renorm", "S(n) x O(d)")),
    of_torch(lambda x, y: torch.vmap(torch.dot)(x, y), "x: n d, y: n d -> n", true("torch vmap", "S(n) x O(d)")),
    of_torch(F.pdist, "x: n d -> m", false("torch pdist order", "S(n)"), n=3, m=3),
    of_torch(lambda x: torch.func.grad(lambda z: (z**2).sum())(x), "x: n d -> n d^", false("torch grad of norm translated", "E(d)")),
    of_torch(built(lambda: nn.Sequential(nn.Softplus(), nn.Hardswish(), nn.SELU(), nn.CELU())), "x: n d -> n d", true("torch Softplus Hardswish", "S(n) x S(d)")),
    of_torch(layer(nn.LPPool1d, 2, 2), "x: b c 4 -> b c 2", true("torch LPPool circular", "S(b) x S(c)")),
    of_torch(lambda x, y: F.cosine_similarity(x[:, None], y[None], dim=-1), "x: n d, y: m d -> n m", true("torch cosine_similarity matrix", "O(d)")),
    of_torch(lambda x: D.StudentT(3.0).log_prob(x).sum(), "x: n -> ()", true("torch Student log_prob", "S(n)")),
    of_torch(lambda a, b: D.kl_divergence(D.Gamma(a, a), D.Gamma(b, b)).sum(), "a: n, b: n -> ()", true("torch kl Gamma", "S(n)"), draw="positive"),
    of_torch(lambda c, p: D.Multinomial(10, probs=p, validate_args=False).log_prob(c), "c: k, p: k -> ()", true("torch Multinomial log_prob", "S(k)"), draw="positive"),
    of_torch(lambda t: D.VonMises(0.0, 2.0, validate_args=False).log_prob(t).sum(), "t: n -> ()", true("torch VonMises log_prob", "S(n)")),
    of_torch(lambda y: torch.trapezoid(y, dx=0.5, dim=-1), "y: b 5 -> b", true("torch trapezoid batch", "S(b)")),
    of_torch(lambda x: x.unflatten(-1, (2, 3)).movedim(-2, 0).norm(dim=-1), "x: n 6 -> 2 n", true("torch unflatten heads", "S(n)")),
    of_torch(lambda A: 2 * torch.linalg.cholesky(A.T @ A + torch.eye(A.shape[1])).diagonal().log().sum(), "A: n d -> ()", true("torch cholesky logdet", "S(n) x O(d)")),
    of_torch(lambda A, b: torch.linalg.solve_triangular(torch.linalg.cholesky(A @ A.T + torch.eye(len(A))), b, upper=False).square().sum(), "A: n d, b: n k -> ()", true("torch solve_triangular", "O(d) x O(k)")),
    of_torch(lambda x, i: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, i, x, "sum"), "x: n, i[3]: n -> 3", true("torch scatter_reduce", "S(n)")),
    of_torch(lambda x, i: torch.zeros(3, x.shape[1], dtype=x.dtype).index_add(0, i, x), "x: n d, i[3]: n -> 3 d", true("torch index_add", "S(n) x O(d)")),
    of_torch(lambda x: torch.cummax(x, 0).values[-1], "x: n -> ()", true("torch cummax last", "S(n)")),
    of_torch(lambda x: torch.logcumsumexp(x, 0)[-1], "x: n -> ()", true("torch logaddexp reduce", "S(n)")),
    of_torch(lambda x: D.StudentT(3.0).log_prob(x).sum(-1), "x: n d -> n", false("torch Student rotated", "O(d)")),
    of_torch(lambda x: torch.logcumsumexp(x, 0), "x: n -> n", false("torch logcumsumexp", "S(n)")),
    of_torch(lambda a, b: D.Beta(a, b).log_prob(torch.sigmoid(a)), "a: n, b: n -> n", false("torch Beta swapped", "Scale(n)"), draw="positive"),
    of_torch(layer(nn.GroupNorm, 2, 8), "x: b v n -> b v n", false("torch GroupNorm channels", "S(v)"), v=8),
    of_torch(layer(TFN), "f: n 4, x: n d -> n 4 d^", true("tensor field messages", "S(n) x E(d)")),
    of_torch(layer(nn.Linear, 4, 4), "v: n d 4 -> n d 4", false("vectors with a bias", "O(d)")),
    of_torch(layer(TFN, call=lambda m, f, x: torch.linalg.cross(m(f, x)[:, 0], m(f, x)[:, 1])), "f: n 4, x: n 3 -> n 3^", false("tensor field messages mirrored", "E(3)"), n=(3, 5)),
    of_torch(layer("isab_pytorch:ISAB", dim=8, heads=2, num_latents=3, call=lambda m, x: m(x)[0]), "x: b n 8 -> b n 8", true("isab-pytorch", "S(n)")),
    of_torch(layer("lambda_networks:LambdaLayer", dim=4, dim_out=4, n=2, dim_k=2, heads=2, dim_u=1), "x: b 4 2 2 -> b 4 2 2", true("lambda-networks batch", "S(b)")),
    of_torch(layer("g_mlp_pytorch.g_mlp_pytorch:gMLPBlock", dim=8, dim_ff=16, seq_len=5), "x: b 5 8 -> b 5 8", true("g-mlp batch", "S(b)")),
    of_torch(layer("vector_quantize_pytorch:FSQ", levels=[3, 5, 3], call=lambda m, x: m(x)[0]), "x: b n 3 -> b n 3", true("FSQ codes", "S(n)"), single=True),
    of_torch(layer("vector_quantize_pytorch:VectorQuantize", dim=4, codebook_size=8, call=lambda m, x: m(x)[0]), "x: b n 4 -> b n 4", true("VectorQuantize codes", "S(n)"), single=True),
    of_torch("entmax:sparsemax", "x: n c -> n c", true("entmax sparsemax", "S(c)")),
    of_torch("entmax:entmax15", "x: n c -> n c", true("entmax15", "S(n) x S(c)"), false("entmax scaled", "Scale(c)")),
    of_torch("botorch.utils.transforms:standardize", "Y: n m -> n m", true("botorch standardize", "S(n) x S(m)"), false("botorch standardize rotated", "O(m)")),
    of_torch(ode("rk4", swirl), "x: n d -> n d", true("torchdiffeq rk4 field", "S(n) x O(d)")),
    of_torch(ode("euler", swarm), "x: n d -> n d", true("torchdiffeq euler swarm", "S(n) x E(d)")),
    of_torch(using("piq:psnr", lambda f, x, y: f(x, y, data_range=2.0)), "x: b c h w, y: b c h w -> ()", true("piq psnr", "S(h) x S(w)"), draw="positive"),
    of_torch(layer("vector_quantize_pytorch:FSQ", levels=[3, 3, 3], call=lambda m, x: m(x)[0]), "x: b n 3 -> b n 3", false("FSQ codes rotated", "O(3)"), single=True),
    of_torch(using("entmax:sparsemax", lambda f, x: f(x, 0)), "x: n c -> n c", false("sparsemax rows", "T(c)")),
    of_torch(ode("rk4", lambda y: -(y**3)), "x: n d -> n d", false("torchdiffeq field by entries", "O(d)")),
    of_torch(layer("geoopt.manifolds:PoincareBall", call=lambda m, x, y: m.dist(x / (2 + x.norm(dim=-1, keepdim=True)), y / (2 + y.norm(dim=-1, keepdim=True)))), "x: n 3, y: n 3 -> n", true("geoopt Poincare distance", "S(n) x O(3)"), single=True),
    of_torch(layer("geoopt.manifolds:PoincareBall", call=lambda m, x, y: m.mobius_add(x, y)), "x: n d, y: n d -> n d", true("geoopt Mobius addition", "S(n) x O(d)"), false("geoopt Mobius addition exchanged", "T(d)"), single=True),
    of_torch(layer("nflows.nn.nets:ResidualNet", 3, 4, 8), "x: b 3 -> b 4", true("nflows residual net", "S(b)")),
    of_torch(layer("zuko.flows:MAF", features=3, transforms=1, hidden_features=(8,), call=lambda m, x: m().log_prob(x)), "x: b 3 -> b", true("zuko MAF batch", "S(b)"), false("zuko MAF features", "S(3)")),
    of_torch(using("pytorch_msssim:ssim", lambda f, x, y: f(x, y, data_range=1.0, win_size=3)), "x: b c 5 5, y: b c 5 5 -> ()", true("pytorch-msssim ssim", "S(b) x S(c)"), false("pytorch-msssim rows", "S(5)"), draw="positive"),
    of_torch("torchcde:hermite_cubic_coefficients_with_backward_differences", "x: b 5 2 -> b 4 8", true("torchcde coefficients", "S(b)")),
    of_torch(layer("siren_pytorch:SirenNet", dim_in=2, dim_hidden=8, dim_out=3, num_layers=2), "x: n 2 -> n 3", true("siren", "S(n)"), false("siren rotated", "O(2)")),
    of_torch(layer("nflows.transforms.permutations:ReversePermutation", 3, call=lambda m, x: m(x)[0]), "x: b 3 -> b 3", false("nflows reversal", "S(3)")),
    of_torch(layer(MoE), "x: b n 4 -> b n 4", true("soft mixture of experts", "S(b) x S(n)")),
    of_torch(layer(TopKMoE), "x: n 4 -> n 4", true("top-2 mixture of experts", "S(n)")),
    of_torch(layer(AffineCoupling), "x: b 4 -> b", true("affine coupling log_prob", "S(b)")),
    of_torch(layer(LSTMEncoder), "x: b t 3 -> b 2", true("LSTM cells over time", "S(b)"), false("LSTM cells backwards", "D(t)"), t=(2, 4)),
    of_torch(layer(SqueezeExcite), "x: b 4 h w -> b 4 h w", true("squeeze and excite", "C(h) x S(w)")),
    of_torch(layer(MoE, call=lambda m, x: m(x) * torch.linspace(0.5, 1, x.shape[1])[None, :, None]), "x: b n 4 -> b n 4", false("experts of places", "S(n)")),
    of_torch(layer(AffineCoupling), "x: b v -> b", false("affine coupling, halves", "S(v)"), v=4),
    of_torch(layer(SqueezeExcite), "x: b v h w -> b v h w", false("squeeze and excite of channels", "S(v)"), v=4),
    of_torch(layer(PaiNNMixing), "q: n 4, mu: n 3 4 -> n 3 4", true("PaiNN mixing", "O(3)")),
    of_torch(layer(GINLoop), "h: n 3, a: n n -> 6", true("GIN loop", "S(n)")),
    of_torch(scatter_softmax, "s: n, i[n]: n -> n", true("scatter softmax", "S(n)"), backend="torch"),
    of_torch(layer(VanillaRNN), "x: b t 3 -> b t 4", true("vanilla RNN, batch", "S(b)"), false("vanilla RNN, steps", "C(t)")),
    of_torch(layer(CBAMChannel), "x: b 4 h w -> b 4 h w", true("CBAM channels", "S(h) x S(w)")),
    of_torch(layer(PaiNNMixing, wrong=True), "q: n 4, mu: n 3 4 -> n 3 4", false("PaiNN mixing with a bias", "O(3)")),
    of_torch(lambda s, i: scatter_softmax(2 * s, i) * s[0], "s: n, i[n]: n -> n", false("scatter softmax doubled", "S(n)"), backend="torch"),
    of_torch(layer("nequip.nn.mlp:ScalarMLPFunction", 4, 3, 1, 8), "x: n 4 -> n 3", true("nequip MLP", "S(n)")),
    of_torch(using("nequip.nn.utils:scatter", lambda f, x, i, s: f(x, i, 0, dim_size=s.shape[0])), "x: m c, i[n]: m, s: n -> n c", true("nequip scatter", "S(n) x S(m) x O(c)")),
    of_torch(layer("mace.modules.radial:PolynomialCutoff", 5.0, call=lambda m, X: m(torch.cdist(X, X))), "X: n 3 -> n n", true("mace cutoff", "S(n) x E(3)")),
    of_torch(layer("torchani.aev:AEVComputer.like_2x", num_species=2, call=lambda m, s, x: m(s, x)), "species[2]: b n, x: b n 3 -> b n k", true("torchani AEV", "S(b) x E(3)"), n=(2, 3), b=(1, 2), single=True),
    of_torch(using("diffusers.models.embeddings:get_timestep_embedding", lambda f, t: f(t, 6)), "t: n -> n 6", true("diffusers time steps", "S(n)"), single=True),
    of_torch(layer("diffusers.models.normalization:AdaLayerNormContinuous", 8, 6, elementwise_affine=False), "x: b n 8, c: b 6 -> b n 8", true("diffusers AdaLayerNorm", "S(n) x S(b)")),
    of_torch(layer("diffusers.models.normalization:GlobalResponseNorm", 3), "x: b h w 3 -> b h w 3", true("diffusers response norm", "S(h) x C(w)")),
    of_torch(layer("torchcfm:ConditionalFlowMatcher", sigma=0.0, call=lambda m, x, y, t: m.compute_mu_t(x, y, t)), "x: n d, y: n d, t: n -> n d", true("torchcfm flow", "S(n) x E(d)")),
    of_torch(using("ptwt:wavedec", lambda f, x: f(x, "haar", level=1, mode="zero")[0]), "x: b 6 -> b 3", true("ptwt wavedec", "S(b)")),
    of_torch(ball_query_pool, "x: b n d, f: b n c -> b n c", true("ball query", "S(n) x E(d) x O(c)")),
    of_torch(layer(GINEDense), "x: n 3, A: n n -> n 3", true("GIN with batch norm", "S(n)")),
    of_torch(random_walk_pe, "A: n n -> n 3", true("random walk encodings", "S(n)"), draw="positive"),
    of_torch(layer(TupleDropBatchNorm), "v: n 3 -> n 3", false("batch norm of components", "O(3)")),
    of_torch(lambda A: random_walk_pe(A)[:, :1] * torch.linspace(0, 1, A.shape[0], dtype=A.dtype)[:, None], "A: n n -> n 1", false("random walk encodings, columns", "S(n)"), draw="positive"),
    of_torch(hessian_trace, "x: d -> ()", true("trace of a Hessian in torch", "O(d)")),
    of_torch(layer(nn.LocalResponseNorm, 3), "x: b 4 h w -> b 4 h w", true("nn.LocalResponseNorm", "S(b) x S(h) x S(w)")),
    of_torch(layer(nn.GroupNorm, 2, 4, affine=False), "x: b 4 n -> b 4 n", true("nn.GroupNorm without affine", "S(b) x S(n)")),
    of_torch(layer(nn.InstanceNorm2d, 3, affine=True), "x: b 3 h w -> b 3 h w", true("nn.InstanceNorm2d affine", "S(b) x S(h) x S(w)")),
    of_torch(layer(nn.RMSNorm, 8), "x: n 8 -> n 8", true("nn.RMSNorm", "S(n) x S(8)")),
    of_torch(layer(nn.LocalResponseNorm, 3), "x: b c h w -> b c h w", false("nn.LocalResponseNorm of channels", "S(c)"), c=5),
    of_torch(layer(VNBatchNorm), "x: b 3! 3 n -> b 3! 3 n", true("VN batch norm", "O(3) x S(n)")),
    of_torch(layer(PaiNNLike), "s: n 4, v: n d 4 -> n 4, n d 4", true("PaiNN update", "O(d) x S(n)")),
    of_torch(layer(PaiNNLike, wrong=True), "s: n 4, v: n d 4 -> n 4, n d 4", false("PaiNN update bias", "O(d)")),
    of_torch(basisnet_projector, "A: n n -> n n", true("BasisNet projectors", "S(n)"), true("BasisNet projectors O", "O(n)")),
    of_torch(layer(RoutedMoE), "x: n 4 -> n 4", true("MoE top-2 loops", "S(n)")),
    of_torch(layer(MoECapacity), "x: n 4 -> n 4", false("MoE capacity", "S(n)")),
    of_torch(layer(CapsuleRouting), "u: b n 4 -> b 3 2", true("capsule routing", "S(b) x S(n)")),
    of_torch(neural_sort, "s: n -> n! n", true("NeuralSort columns", "S(n)")),
    of_torch(neural_sort, "s: n -> n n!", false("NeuralSort rows", "S(n)")),
    of_torch(cox_ph, "h: n, e: n, t: n -> ()", true("Cox by sorting", "S(n)"), draw="positive"),
    of_torch(cox_pairs, "h: n, e: n, t: n -> ()", true("Cox by pairs", "S(n)"), draw="positive"),
    of_torch(lambda h, e: -((h - h.logcumsumexp(0)) * e).sum() / e.sum(), "h: n, e: n -> ()", false("Cox unsorted", "S(n)"), draw="positive"),
    of_torch(painn, "s: n f, v: n f 3, x: n 3! -> n f 3", true("PaiNN message", "S(n) x S(f)")),
    of_torch(painn, "s: n f, v: n f 3, x: n 3 -> n f 3", true("PaiNN message turned", "O(3)")),
    of_torch(painn, "s: n f, v: n f 3!, x: n 3 -> n f 3", false("PaiNN message, vectors kept", "O(3)")),
    of_torch(held("roma", "lambda a, b: roma.rotmat_geodesic_distance(a, b)"), "a: n 3 3, b: n 3 3 -> n", true("roma rotmat_geodesic_distance", "S(n)")),
    of_torch(axilrod_teller, "x: n 3 -> ()", true("Axilrod-Teller", "S(n) x E(3)"), false("Axilrod-Teller scaled", "Scale(3)")),
    of_torch(layer(ContextGate), "x: b n 4, mask[bool]: b n -> b n 4", true("masked FiLM", "S(b) x S(n)")),
    of_torch(layer(ContextGate), "x: b n 4, mask[bool]: b n! -> b n 4", false("masked FiLM, mask kept", "S(n)")),
    of_torch(gae, "r: 4 b, v: 4 b -> 4 b", true("GAE, batch", "S(b) x Scale(4)"), false("GAE, time", "S(4)")),
    of_torch(keras("K.Dense(3, activation='gelu')", build="(None, 4)"), "x: n 4 -> n 3", true("keras Dense", "S(n)"), single=True),
    of_torch(keras("K.LayerNormalization()", build="(None, 4)"), "x: n 4 -> n 4", true("keras LayerNormalization", "S(n) x S(4)"), single=True),
    of_torch(keras("K.GlobalAveragePooling1D()"), "x: b n c -> b c", true("keras GlobalAveragePooling1D", "S(b) x S(n) x S(c)"), single=True),
    of_torch(keras("K.GroupNormalization(2)", build="(None, None, 4)"), "x: b n 4 -> b n 4", true("keras GroupNormalization", "S(b) x S(n)"), single=True),
    of_torch(keras("keras.activations.sparsemax"), "x: n c -> n c", true("keras sparsemax", "S(n) x S(c)"), single=True),
    of_torch(keras("K.Dense(4)", build="(None, 4)"), "x: n v -> n v", false("keras Dense of features", "S(v)"), v=4),
    of_torch(keras("K.MultiHeadAttention(2, 4)", "lambda x: f(x, x)", "(None, None, 8), (None, None, 8)"), "x: b n 8 -> b n 8", true("keras MultiHeadAttention", "S(b) x S(n)"), b=(1, 3), n=(2, 4), single=True),
    of_torch(keras("lambda z: keras.losses.cosine_similarity(z[0], z[1])"), "z: 2 n d -> n", true("keras cosine_similarity", "S(n) x O(d)"), single=True),
    of_torch(keras("K.Conv1D(3, 3, padding='causal')", build="(None, None, 4)"), "x: b n 4 -> b n 3", false("keras Conv1D causal", "S(n)"), n=(4, 6)),
    of_torch(keras(DENSE), "x: b n 4 -> b n 3", true("keras Sequential of Dense", "S(b) x S(n)"), single=True),
    of_torch(keras(POOLED), "x: b n 4 -> b 3", true("keras Sequential pooled", "S(b) x S(n)"), single=True),
    of_torch(keras(RESIDUAL), "x: b n 4 -> b n 4", true("keras residual attention", "S(b) x S(n)"), b=(1, 3), n=(3, 5), single=True),
    of_torch(keras(BLOCK), "x: b n 4 -> b n 10", true("keras functional block", "S(b) x S(n)"), single=True),
    of_torch(keras(MIXER), "x: b 5 4 -> b 5 4", true("keras mixer, batch", "S(b)"), single=True),
    of_torch(keras(VGG), "x: b 6 6 2 -> b 4", true("keras small image network", "S(b)"), b=(1, 3), single=True),
    of_torch(keras("K.Attention()", "lambda q, v: f([q, v])"), "q: b n d, v: b m d -> b n d", true("keras Attention", "S(b) x S(n) x S(m) x S(d)"), b=(1, 2), n=(2, 4), m=(2, 4), d=(2, 4), single=True),
    of_torch(keras("K.AdditiveAttention()", "lambda q, v: f([q, v])", "[(None, None, 4), (None, None, 4)]"), "q: b n 4, v: b m 4 -> b n 4", true("keras AdditiveAttention", "S(b) x S(n) x S(m)"), b=(1, 2), n=(2, 4), m=(2, 4), single=True),
    of_torch(keras("K.EinsumDense('bnc,cd->bnd', output_shape=(None, 5), bias_axes='d')", build="(None, None, 4)"), "x: b n 4 -> b n 5", true("keras EinsumDense", "S(b) x S(n)"), single=True),
    of_torch(keras("K.RMSNormalization()", build="(None, 4)"), "x: n 4 -> n 4", true("keras RMSNormalization", "S(n)"), single=True),
    of_torch(keras("K.UnitNormalization()"), "x: n d -> n d", true("keras UnitNormalization", "S(n) x O(d)"), single=True),
    of_torch(keras("K.BatchNormalization()", build="(None, None, 4)"), "x: b n 4 -> b n 4", true("keras BatchNormalization", "S(b) x S(n)"), single=True),
    of_torch(keras("K.MaxPooling1D(2)"), "x: b n c -> b h c", true("keras MaxPooling1D, batch", "S(b) x S(c)"), n=(4, 6), single=True),
    of_torch(keras("K.GlobalMaxPooling2D()"), "x: b h w c -> b c", true("keras GlobalMaxPooling2D", "S(b) x S(h) x S(w) x S(c)"), b=(1, 2), h=(2, 3), w=(2, 3), c=(1, 3), single=True),
    of_torch(keras("K.GroupQueryAttention(3, 4, 2)", "lambda x: f(x, x)", "(None, None, 4), (None, None, 4)"), "x: b n 4 -> b n 4", true("keras GroupQueryAttention", "S(b) x S(n)"), b=(1, 3), n=(3, 5), single=True),
    of_torch(keras("K.Embedding(10, 4)", "lambda z: f(z).mean(0)", "(None,)"), "z[10]: n -> 4", true("keras Embedding, averaged", "S(n)"), single=True),
    of_torch(keras("K.PReLU(shared_axes=[1])", build="(None, None, 4)"), "x: b n 4 -> b n 4", true("keras PReLU shared", "S(b) x S(n)"), single=True),
    of_torch(keras("K.TimeDistributed(K.Dense(3))", build="(None, 5, 4)"), "x: b 5 4 -> b 5 3", true("keras TimeDistributed", "S(b)"), b=(1, 3), single=True),
    of_torch(keras("K.GRU(3)", build="(None, 5, 4)"), "x: b 5 4 -> b 3", true("keras GRU, batch", "S(b)"), b=(1, 3), single=True),
    of_torch(keras("K.Dot(axes=-1, normalize=False)", "lambda x, y: f([x, y])"), "x: b d, y: b d -> b 1", true("keras Dot of two", "S(b) x O(d)"), single=True),
    of_torch(loss("keras.losses.MeanSquaredError()"), "x: b d, y: b d -> ()", true("keras mean squared error", "S(b) x E(d)"), single=True),
    of_torch(loss("keras.losses.Huber()"), "x: b d, y: b d -> ()", true("keras Huber", "S(b) x S(d)"), single=True),
    of_torch(loss("keras.losses.CategoricalCrossentropy(from_logits=True)"), "x: b c, y: b c -> ()", true("keras categorical crossentropy", "S(b) x S(c)"), single=True),
    of_torch(loss("keras.losses.kl_divergence"), "x: b c, y: b c -> b", true("keras KL divergence", "S(b) x S(c)"), draw="positive", single=True),
    of_torch(loss("keras.losses.log_cosh"), "x: b d, y: b d -> b", true("keras log-cosh", "S(b) x S(d)"), single=True),
    of_torch(loss("keras.losses.Dice()"), "x: b d, y: b d -> ()", true("keras Dice", "S(b) x S(d)"), draw="positive", single=True),
    of_torch(ops("lambda x: ops.matmul(ops.softmax(ops.matmul(x, ops.transpose(x))), x)"), "x: n d -> n d", true("keras ops attention", "S(n) x O(d)"), n=(2, 4), d=(2, 3), single=True),
    of_torch(ops("lambda x: ops.sqrt(ops.sum(ops.square(x[:, None] - x[None]), -1) + 1e-6)"), "x: n d -> n n", true("keras ops distances", "S(n) x E(d)"), single=True),
    of_torch(ops("lambda x, s: ops.matmul(ops.transpose(ops.one_hot(s, 3)), ops.cast(x, 'float32'))"), "x: n c, s[3]: n -> 3 c", true("keras ops segments", "S(n) x S(c)"), single=True),
    of_torch(ops("lambda x: ops.stack([ops.mean(x, 0), ops.std(x, 0), ops.max(x, 0)])"), "x: n c -> 3 c", true("keras ops moments", "S(n) x S(c)"), single=True),
    of_torch(ops("lambda x: ops.logsumexp(x, axis=-1)"), "x: n c -> n", true("keras ops logsumexp", "S(n) x S(c)"), single=True),
    of_torch(ops("lambda x: ops.sum(ops.top_k(x, 2)[0], -1)"), "x: n c -> n", true("keras ops top-k", "S(n) x S(c)"), c=(2, 5), single=True),
    of_torch(ops("lambda x, y: ops.einsum('nd,md->nm', x, y)"), "x: n d, y: m d -> n m", true("keras ops einsum", "S(n) x S(m) x O(d)"), single=True),
    of_torch(loss("keras.losses.CosineSimilarity()"), "x: b d, y: b d -> ()", true("keras cosine similarity loss", "S(b) x O(d)"), single=True),
    of_torch(keras("keras.activations.get('mish')"), "x: n c -> n c", true("keras activation of a name", "S(n) x S(c)"), single=True),
    of_torch(keras("keras.Sequential([keras.Input((4,)), K.Dense(4, activation='tanh')])"), "x: n v -> n v", false("keras Sequential of features", "S(v)"), v=4, single=True),
    of_torch(keras(MIXER), "x: b n 4 -> b n 4", false("keras mixer of tokens", "S(n)"), n=5, b=(1, 2), single=True),
    of_torch(keras("K.MultiHeadAttention(2, 3)", "lambda x: f(x, x, use_causal_mask=True)", "(None, None, 4), (None, None, 4)"), "x: b n 4 -> b n 4", false("keras causal attention", "S(n)"), b=(1, 3), n=(3, 5), single=True),
    of_torch(keras("K.GRU(3, return_sequences=True)", build="(None, 4, 3)"), "x: b n 3 -> b n 3", false("keras GRU of steps", "S(n)"), n=4, b=(1, 2), single=True),
    of_torch(keras("K.LayerNormalization()", build="(None, 4)"), "x: n v -> n v", false("keras LayerNormalization under O", "O(v)"), v=4, single=True),
    of_torch(keras("K.MaxPooling1D(2)"), "x: b n c -> b 2 c", false("keras MaxPooling1D of steps", "S(n)"), n=4, single=True),
    of_torch(keras("keras.Sequential([keras.Input((4, 2)), K.Flatten(), K.Dense(3)])"), "x: b n 2 -> b 3", false("keras Flatten and Dense", "S(n)"), n=4, single=True),
    of_torch(keras("K.GroupNormalization(2)", build="(None, None, 4)"), "x: b n v -> b n v", false("keras GroupNormalization of channels", "S(v)"), v=4, single=True),
    of_torch(keras("keras.losses.kl_divergence", "lambda z: f(z[0], z[1]) - f(z[1], z[0])"), "z: k b c -> b", false("keras KL divergence exchanged", "S(k)"), k=2, draw="positive", single=True),
    of_torch(ops("lambda x: ops.cumsum(x, axis=0)"), "x: n c -> n c", false("keras ops cumulative", "S(n)"), single=True),
    of_torch(ops("lambda x: ops.softmax(x, axis=0) * x"), "x: n d -> n d", false("keras ops softmax over tokens, one rotated", "O(d)"), single=True),
    of_torch(keras("K.Embedding(10, 4)", "lambda z: f(z)[0] - f(z)[-1]", "(None,)"), "z[10]: n -> 4", false("keras Embedding in order", "S(n)"), n=(2, 5), single=True),
    of_torch(held("torchrl.modules as m", "lambda x: f(x)", "f = m.MLP(in_features=4, out_features=3, num_cells=[8])"), "x: b n 4 -> b n 3", true("torchrl MLP", "S(b) x S(n)")),
    of_torch(held("torchrl.modules.utils as u, torchrl.objectives.value.functional as v", "lambda r, w, z: v.vec_td1_return_estimate(0.9, w, r, torch.zeros_like(r).bool(), torch.zeros_like(r).bool())"), "r: b 4 1, w: b 4 1, z: b -> b 4 1", true("torchrl symlog", "S(b)"), b=(1, 3)),
    of_torch(held("torchrl.objectives.value.functional as v", "lambda r, w, u: v.generalized_advantage_estimate(0.9, 0.95, w, u, r, torch.zeros_like(r).bool())[0]"), "r: b 4 1, w: b 4 1, u: b 4 1 -> b 4 1", true("torchrl generalized advantage", "S(b)"), b=(1, 3)),
    of_torch(held("torchrl.objectives.value.functional as v", "lambda r, w, u: v.generalized_advantage_estimate(0.9, 0.95, w, u, r, torch.zeros_like(r).bool())[0]"), "r: b n 1, w: b n 1, u: b n 1 -> b n 1", false("torchrl advantage of steps", "S(n)"), b=(1, 2), n=4),
    of_torch(held("torchrl.objectives.utils as u", "lambda x, y: u.distance_loss(x, y, loss_function='smooth_l1')"), "x: b d, y: b d -> b d", true("torchrl distance loss", "S(b) x S(d)")),
    of_torch(held("tensordict.nn as t, tensordict", "lambda x: f(tensordict.TensorDict({'x': x}, [x.shape[0]]))['y']", "f = t.TensorDictModule(torch.nn.Linear(4, 3), in_keys=['x'], out_keys=['y'])"), "x: n 4 -> n 3", true("tensordict module", "S(n)")),
    of_torch(held("lightning as L", "made", "made = type('Net', (L.LightningModule,), {'__module__': '__main__', 'forward': lambda self, x: torch.tanh(x).mean(1)})()"), "x: b n c -> b c", true("lightning module", "S(b) x S(n) x S(c)")),
    of_torch(held("lightning as L", "made", "made = type('Net', (L.LightningModule,), {'__module__': '__main__', 'forward': lambda self, x: torch.cumsum(x, 1)})()"), "x: b n c -> b n c", false("lightning module of rows", "S(n)")),
    of_torch(layer(SetNorm), "x: b n 4 -> b n 4", true("set norm", "S(b) x S(n)")),
    of_torch(layer(FSPool), "x: b 3 n -> b 3", true("FSPool", "S(b) x S(n)", n=(3, 6), b=(1, 2)), false("FSPool negated", "Signs(n)", b=1)),
    of_torch(layer(Janossy), "x: n 3 -> 2", true("Janossy pairs", "S(n)"), n=(2, 4)),
    of_torch(layer(RelationNet), "x: b n 3 -> b 2", true("relation network", "S(n)"), b=(2, 3), n=(2, 4)),
    of_torch(min_plus, "w: n n -> n n", true("min-plus powers", "S(n)"), draw="positive"),
    of_torch(layer(TwoWL), "x: n n 3 -> n n 3", true("2-WL layer", "S(n)")),
    of_torch(layer(TwoWL), "x: n n! 3 -> n n! 3", false("2-WL layer transposed", "S(n)")),
    of_torch(held("hyper_connections as H", "lambda x: f(x)", "f = H.HyperConnections.get_init_and_expand_reduce_stream_functions(1)[0](dim=4, branch=torch.nn.Linear(4, 4))"), "x: b n 4 -> b n 4", true("hyper-connections residual", "S(b) x S(n)")),
    of_torch(held("hyper_connections as H", "lambda x: r(f(e(x)))", "i, e, r = H.HyperConnections.get_init_and_expand_reduce_stream_functions(4); f = i(dim=4, branch=torch.nn.Linear(4, 4))"), "x: b n 4 -> b n 4", true("hyper-connections of four streams", "S(b) x S(n)"), b=(1, 2), n=(2, 3)),
    of_torch(held("arm_pytorch_utilities as A", "lambda x, q: A.batch_quadratic_product(x, q)"), "x: n d, q: d d -> n", true("arm_pytorch_utilities quadratic", "S(n) x O(d)")),
    of_torch(held("linear_operator as L", "lambda x, y: L.to_linear_operator(x @ x.T + 2 * torch.eye(len(x), dtype=x.dtype)).inv_quad(y)"), "x: n d, y: n k -> ()", true("linear_operator inverse quadratic", "S(n) x O(d) x O(k)")),
    of_torch(layer(SetNorm), "x: b n v -> b n v", false("set norm of columns", "S(v)"), v=4),
    of_torch(layer(RelationNet), "x: b n v -> b 2", false("relation network, features", "S(v)"), v=3, b=2),
    of_torch(held("arm_pytorch_utilities as A", "lambda x, q: A.batch_quadratic_product(x, q)"), "x: n d, q: d! d! -> n", false("arm_pytorch_utilities quadratic, form kept", "O(d)")),
]  # fmt: skip
