"""Attention and transformers: blocks, small models, masks and positions."""

from __future__ import annotations

import math

import einops
import numpy as np
import torch
import torch.nn.functional as F
import transformers as T
import x_transformers as X
from torch import nn
from transformers.models.bert.modeling_bert import BertLayer, BertSelfAttention
from transformers.models.gpt2.modeling_gpt2 import GPT2MLP
from transformers.models.llama.modeling_llama import LlamaMLP, LlamaRMSNorm
from transformers.models.vit.modeling_vit import ViTLayer

from benchmarks.packages.claims import torch_false, torch_true
from benchmarks.packages.helpers import (
    DIMENSION,
    IPA,
    SETS_2,
    DiffPool,
    PerformerAttn,
    built,
    built_2,
    held,
    index_points,
    layer,
    mods,
    mods_2,
    named,
    packed,
    seeded,
    square_distance,
    tiny,
    xt,
)

SMALL = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}


def bert():
    return T.BertConfig(vocab_size=11, max_position_embeddings=16, attn_implementation="eager", **SMALL)


def llama():
    return T.LlamaConfig(
        vocab_size=11, num_key_value_heads=2, max_position_embeddings=16, attn_implementation="eager", **SMALL
    )


def gpt2():
    return T.GPT2Config(
        vocab_size=11, n_positions=16, n_embd=8, n_layer=2, n_head=2, attn_implementation="eager"
    )


def vit():
    return T.ViTConfig(image_size=8, patch_size=4, attn_implementation="eager", **SMALL)


def first(x):
    return x[0] if isinstance(x, tuple) else x


def block(make):
    def made():
        module = seeded(make)()
        return lambda x: first(module(x[None]))[0]

    return made


def of_ids(make, pick):
    def made():
        model = seeded(make)()
        return lambda i: pick(model(input_ids=i))

    return made


def of_pixels(make, pick):
    def made():
        model = seeded(make)()
        return lambda x: pick(model(pixel_values=x))

    return made


def encoder():
    model = seeded(lambda: T.BertModel(bert()))().encoder
    return lambda x: model(x[None]).last_hidden_state[0]


def x_encoder(**options):
    def made():
        torch.manual_seed(0)
        model = X.Encoder(dim=8, depth=1, heads=2, attn_dim_head=32, **options).eval()
        return lambda x: model(x[None])[0]

    return made


def x_cross():
    torch.manual_seed(0)
    model = X.CrossAttender(dim=8, depth=1, heads=2, attn_dim_head=4).eval()
    return lambda x, c: model(x[None], context=c[None])[0]


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("nd,nm->dm", k, v)
    z = 1 / (torch.einsum("nd,d->n", q, k.sum(0)) + 1e-6)
    return torch.einsum("nd,dm,n->nm", q, kv, z)


class SetTransformerPool(nn.Module):
    """Attention of a learnt query, and a norm."""

    def __init__(self, d=8):
        super().__init__()
        self.seed = nn.Parameter(torch.randn(1, 1, d))
        self.attention = nn.MultiheadAttention(d, 2, batch_first=True)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        """The layer."""
        s = self.seed.expand(x.shape[0], -1, -1)
        h, _ = self.attention(s, x, x)
        return self.norm(h + s).squeeze(1)


def t5_block():
    from transformers import T5Config
    from transformers.models.t5.modeling_t5 import T5LayerFF

    torch.manual_seed(0)
    return T5LayerFF(T5Config(d_model=8, d_ff=16, num_layers=1, num_heads=2, d_kv=4)).eval()


class GatedAttentionMIL(nn.Module):
    """Attention over a bag of instances."""

    def __init__(self):
        super().__init__()
        self.v, self.u, self.w = nn.Linear(6, 4), nn.Linear(6, 4), nn.Linear(4, 1)
        self.head = nn.Sequential(nn.LayerNorm(6), nn.Dropout(0.2), nn.Linear(6, 2))

    def forward(self, x):
        """The layer."""
        a = self.w(torch.tanh(self.v(x)) * torch.sigmoid(self.u(x)))
        a = torch.softmax(a.transpose(1, 0), dim=1)
        return self.head(torch.mm(a, x)).squeeze(0)


class SlotAttention(nn.Module):
    """Slots that compete for inputs."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(6, 6, bias=False) for _ in range(3))
        self.gru, self.norm = nn.GRUCell(6, 6), nn.LayerNorm(6)

    def forward(self, s, x):
        """The layer."""
        k, v = self.k(x), self.v(x)
        for _ in range(2):
            a = (k @ self.q(self.norm(s)).T / math.sqrt(6)).softmax(dim=-1) + 1e-8
            a = a / a.sum(dim=0, keepdim=True)
            s = self.gru(a.T @ v, s)
        return s


class SAB(nn.Module):
    """Multihead attention between sets, as the set transformer has it."""

    def __init__(self, d=8, heads=2):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.h, self.d = heads, d
        self.ln = nn.LayerNorm(d)

    def forward(self, X, Y):
        """The block."""
        Q, K, V = self.q(X), self.k(Y), self.v(Y)
        s = self.d // self.h
        Q_ = torch.cat(Q.split(s, 2), 0)
        K_ = torch.cat(K.split(s, 2), 0)
        V_ = torch.cat(V.split(s, 2), 0)
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / math.sqrt(self.d), 2)
        H = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        return self.ln(H + F.relu(self.o(H)))


class ISAB(nn.Module):
    """Attention through induced points."""

    def __init__(self):
        super().__init__()
        self.I = nn.Parameter(torch.randn(1, 3, 8))
        self.a, self.b = SAB(), SAB()

    def forward(self, X):
        """The block."""
        H = self.a(self.I.repeat(X.size(0), 1, 1), X)
        return self.b(X, H)


class Mixer(nn.Module):
    """Tokens mixed by a linear layer of their places."""

    def __init__(self):
        super().__init__()
        self.token, self.channel = nn.Linear(5, 5), nn.Linear(4, 4)

    def forward(self, x):
        """The layer."""
        x = x + self.token(x.transpose(-1, -2)).transpose(-1, -2)
        return x + self.channel(x).relu()


class Mamba(nn.Module):
    """A selective scan, step by step."""

    def __init__(self):
        super().__init__()
        self.A = nn.Parameter(-torch.rand(4))
        self.B, self.C, self.dt = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        """The layer."""
        h, out = torch.zeros(4, dtype=x.dtype), []
        dt, B, C = F.softplus(self.dt(x)), self.B(x), self.C(x)
        for t in range(x.shape[0]):
            h = torch.exp(dt[t] * self.A) * h + dt[t] * B[t] * x[t]
            out.append(C[t] * h)
        return torch.stack(out)


def rope(x):
    n, d = x.shape
    ang = torch.arange(n, dtype=x.dtype)[:, None] * 100 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], -1).flatten(1)


def ipa(m, s, p, R, t):
    return m(s[None], p[None], rotations=R[None], translations=t[None])[0]


class PMA(nn.Module):
    def __init__(self, dim=8, heads=2, seeds=3):
        super().__init__()
        self.S = nn.Parameter(torch.randn(1, seeds, dim))
        self.fc_q, self.fc_k, self.fc_v, self.fc_o = (nn.Linear(dim, dim) for _ in range(4))
        self.ln0, self.heads = nn.LayerNorm(dim), heads

    def forward(self, X):
        Q = self.fc_q(self.S.repeat(X.size(0), 1, 1))
        K, V = self.fc_k(X), self.fc_v(X)
        split = Q.size(2) // self.heads
        Q_, K_, V_ = (torch.cat(t.split(split, 2), 0) for t in (Q, K, V))
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / math.sqrt(8), 2)
        O = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        O = self.ln0(O)
        return O + F.relu(self.fc_o(O))


class Perceiver(nn.Module):
    def __init__(self):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(4, 8))
        self.cross = nn.MultiheadAttention(8, 2, kdim=3, vdim=3, batch_first=True)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        q = self.latents.expand(x.shape[0], -1, -1)
        z, _ = self.cross(q, x, x)
        return self.head(self.block(z + q).mean(1))


def elu_attention(q, k, v, eps=1e-6):
    Q, K = F.elu(q) + 1, F.elu(k) + 1
    KV = torch.einsum("nshd,nshm->nhmd", K, v)
    Z = 1 / (torch.einsum("nlhd,nhd->nlh", Q, K.sum(dim=1)) + eps)
    return torch.einsum("nlhd,nhmd,nlh->nlhm", Q, KV, Z)


def alibi_attention(q, k, v):
    n = q.shape[-2]
    pos = torch.arange(n)
    bias = -(pos[None, :] - pos[:, None]).abs()
    slopes = torch.tensor([2 ** (-8.0 * (h + 1) / q.shape[0]) for h in range(q.shape[0])]).view(-1, 1, 1)
    return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + slopes * bias, -1) @ v


def rotary(x):
    n, d = x.shape[-2:]
    theta = 10000 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    angle = torch.arange(n, dtype=x.dtype)[:, None] * theta
    cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
    half = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return x * cos + half * sin


class RelativeBias(nn.Module):
    def __init__(self, n=4, heads=2):
        super().__init__()
        self.table = nn.Parameter(torch.randn(2 * n - 1, heads))
        i = torch.arange(n)
        self.register_buffer("index", i[:, None] - i[None, :] + n - 1)

    def forward(self, q, k, v):
        bias = self.table[self.index].permute(2, 0, 1)
        return torch.softmax(q @ k.transpose(-1, -2) + bias, -1) @ v


class GatedAttentionMIL_2(nn.Module):
    def __init__(self):
        super().__init__()
        self.V, self.U, self.w = nn.Linear(6, 4), nn.Linear(6, 4), nn.Linear(4, 1)
        self.classifier = nn.Linear(6, 1)

    def forward(self, H):
        A = self.w(torch.tanh(self.V(H)) * torch.sigmoid(self.U(H)))
        A = torch.softmax(torch.transpose(A, 1, 0), dim=1)
        return torch.sigmoid(self.classifier(torch.mm(A, H))).squeeze()


ATTEND = "q: h n 4, k: h n 4, v: h n e -> h n e"


def global_attention_pool(gate, x, batch, size=3):
    out = []
    for b in range(size):
        m = (batch == b).to(x.dtype)
        w = torch.exp(gate) * m
        out.append((w[:, None] * x).sum(0) / (w.sum() + 1e-16))
    return torch.stack(out)


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


def mamba(**options):
    def made():
        from mambapy.mamba import MambaBlock, MambaConfig

        torch.manual_seed(0)
        return MambaBlock(MambaConfig(d_model=4, n_layers=1, d_state=2, pscan=options.get("pscan", False))).eval()

    return made


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


class SetTransformerISAB(nn.Module):
    def __init__(self, d=8, m=3):
        super().__init__()
        self.I = nn.Parameter(torch.randn(1, m, d))
        self.a, self.b = (nn.MultiheadAttention(d, 2, batch_first=True) for _ in range(2))
        self.ln = nn.LayerNorm(d)

    def forward(self, X, mask):
        H, _ = self.a(self.I.repeat(X.shape[0], 1, 1), X, X, key_padding_mask=~mask)
        return self.ln(X + self.b(X, H, H)[0])


def retention(q, k, v, gamma=0.9):
    n = q.shape[-2]
    i = torch.arange(n)
    DIMENSION = torch.where(i[:, None] >= i[None], gamma ** (i[:, None] - i[None]).clamp(min=0).to(q.dtype), 0.0)
    return (q @ k.transpose(-1, -2) * DIMENSION) @ v


def hopfield(state, memory, beta=2.0):
    for _ in range(3):
        state = torch.softmax(beta * state @ memory.T, dim=-1) @ memory
    return state


class LinearAttention(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.qkv, self.out, self.heads = nn.Linear(dim, 3 * dim, bias=False), nn.Linear(dim, dim), heads

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (t.reshape(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        context = k.transpose(-2, -1) @ v
        z = 1 / (q @ k.sum(-2, keepdim=True).transpose(-2, -1))
        return self.out(((q @ context) * z).transpose(1, 2).reshape(b, n, -1))


class CosineAttention(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.scale = nn.Parameter(torch.log(torch.tensor(10.0)))

    def forward(self, x, keep):
        a = F.normalize(self.q(x), dim=-1) @ F.normalize(self.k(x), dim=-1).mT * self.scale.clamp(max=4.6).exp()
        a = a.masked_fill(~keep[None, :], torch.finfo(a.dtype).min)
        return a.softmax(-1) @ self.v(x)


class SlotPool(nn.Module):
    def __init__(self):
        super().__init__()
        self.slots, self.k, self.v = nn.Parameter(torch.randn(3, 4)), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        k, v, s = self.k(x), self.v(x), self.slots.expand(x.shape[0], -1, -1)
        for _ in range(2):
            a = torch.einsum("bsd,bnd->bsn", s, k).softmax(dim=1) + 1e-8
            a = a / a.sum(-1, keepdim=True)
            s = torch.einsum("bsn,bnd->bsd", a, v)
        return s


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


class CosineCutoff(nn.Module):
    def __init__(self, lower=0.0, upper=3.0):
        super().__init__()
        self.lower, self.upper = lower, upper

    def forward(self, distances):
        c = 0.5 * (torch.cos(distances * math.pi / self.upper) + 1.0)
        return c * (distances < self.upper).float()


class ExpNormalSmearing(nn.Module):
    def __init__(self, cutoff=3.0, num=4):
        super().__init__()
        self.cutoff_fn, self.alpha = CosineCutoff(0, cutoff), 5.0 / cutoff
        start = torch.exp(torch.scalar_tensor(-cutoff))
        self.register_buffer("means", torch.linspace(start.item(), 1, num))
        self.register_buffer("betas", torch.tensor([(2 / num * (1 - start.item())) ** -2] * num))

    def forward(self, dist):
        dist = dist.unsqueeze(-1)
        return self.cutoff_fn(dist) * torch.exp(-self.betas * (torch.exp(self.alpha * (-dist)) - self.means) ** 2)


class TorchMDETInteraction(nn.Module):
    """Equivariant transformer of TorchMD-Net, in dense form."""

    def __init__(self, d=4, centred=True):
        super().__init__()
        self.rbf, self.emb, self.centred = ExpNormalSmearing(), nn.Embedding(3, d), centred
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, 3 * d)
        self.dk, self.dv, self.o = nn.Linear(4, d), nn.Linear(4, 3 * d), nn.Linear(d, d)
        self.d = d

    def forward(self, z, pos):
        x = self.emb(z)
        r = pos[None, :] - pos[:, None]
        dist = torch.sqrt((r**2).sum(-1) + 1e-8)
        f = self.rbf(dist)
        attn = F.silu((self.q(x)[:, None] * self.k(x)[None] * F.silu(self.dk(f))).sum(-1)) * self.rbf.cutoff_fn(dist)
        w = self.v(x)[None] * F.silu(self.dv(f))
        s, v1, v2 = torch.split(w, self.d, dim=-1)
        out = (attn.unsqueeze(-1) * s).sum(1)
        u = r / dist.unsqueeze(-1) if self.centred else pos[None].expand(len(pos), -1, -1)
        vec = (v1.unsqueeze(-2) * u.unsqueeze(-1)).sum(1)
        return self.o(out), vec


class GPSLayer(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.local, self.attn = nn.Linear(d, d), nn.MultiheadAttention(d, 2, batch_first=True)
        self.n1, self.n2, self.n3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 8), nn.GELU(), nn.Linear(8, d))

    def forward(self, x, adj):
        deg = adj.sum(-1, keepdim=True).clamp(min=1)
        h1 = self.n1(x + F.relu(self.local(adj @ x / deg)))
        h2 = self.n2(x + self.attn(x, x, x, need_weights=False)[0])
        h = h1 + h2
        return self.n3(h + self.mlp(h))


class TriangleAttention(nn.Module):
    def __init__(self, c=4, h=2):
        super().__init__()
        self.norm, self.q, self.k, self.v = nn.LayerNorm(c), *(nn.Linear(c, c, bias=False) for _ in range(3))
        self.b, self.g, self.o, self.h = nn.Linear(c, h, bias=False), nn.Linear(c, c), nn.Linear(c, c), h

    def forward(self, z):
        z = self.norm(z)
        q, k, v = (m(z).unflatten(-1, (self.h, -1)) for m in (self.q, self.k, self.v))
        bias = self.b(z)
        a = torch.einsum("ijhc,ikhc->hijk", q, k) / math.sqrt(q.shape[-1]) + bias.permute(2, 0, 1).unsqueeze(1)
        o = torch.einsum("hijk,ikhc->ijhc", a.softmax(-1), v).flatten(-2)
        return self.o(torch.sigmoid(self.g(z)) * o)


class T5Bias(nn.Module):
    def __init__(self, d=4, h=2, buckets=8):
        super().__init__()
        self.rel, self.q, self.k, self.v, self.h, self.buckets = nn.Embedding(buckets, h), nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), h, buckets

    def forward(self, x):
        n = x.shape[0]
        i = torch.arange(n)
        rel = (i[None] - i[:, None]).clamp(-3, 3) + 3
        bias = self.rel(rel).permute(2, 0, 1)
        q, k, v = (m(x).view(n, self.h, -1).transpose(0, 1) for m in (self.q, self.k, self.v))
        return ((q @ k.mT + bias).softmax(-1) @ v).transpose(0, 1).reshape(n, -1)


class CircularRelative(T5Bias):
    def forward(self, x):
        n = x.shape[0]
        i = torch.arange(n)
        rel = (i[None] - i[:, None]) % n
        rel = torch.minimum(rel, n - rel).clamp(max=self.buckets - 1)
        bias = self.rel(rel).permute(2, 0, 1)
        q, k, v = (m(x).view(n, self.h, -1).transpose(0, 1) for m in (self.q, self.k, self.v))
        return ((q @ k.mT + bias).softmax(-1) @ v).transpose(0, 1).reshape(n, -1)


class Rotary(nn.Module):
    def __init__(self, dim=4, base=100):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)))
        self.seq_len_cached = None

    def forward(self, x):
        seq_len = x.shape[1]
        if seq_len != self.seq_len_cached:
            self.seq_len_cached = seq_len
            t = torch.arange(seq_len).type_as(self.inv_freq)
            freqs = torch.einsum("i,j->ij", t, self.inv_freq)
            emb = torch.cat((freqs, freqs), dim=-1)
            self.cos_cached, self.sin_cached = emb.cos()[None], emb.sin()[None]
        return self.cos_cached, self.sin_cached


class RotaryAttention(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.qkv, self.rot = nn.Linear(d, 3 * d), Rotary(d)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        cos, sin = self.rot(x)
        half = lambda t: torch.cat((-t[..., 2:], t[..., :2]), -1)
        q, k = q * cos + half(q) * sin, k * cos + half(k) * sin
        return (q @ k.mT / 2).softmax(-1) @ v


class SlotAttention_2(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(1, 1, d))
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.gru, self.mlp = nn.GRUCell(d, d), nn.Sequential(nn.Linear(d, 8), nn.ReLU(), nn.Linear(8, d))
        self.ni, self.ns, self.nf = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.d = d

    def forward(self, inputs, slots):
        b, n, d = inputs.shape
        inputs = self.ni(inputs)
        k, v = self.k(inputs), self.v(inputs)
        for _ in range(2):
            prev = slots
            q = self.q(self.ns(slots))
            attn = (torch.einsum("bid,bjd->bij", q, k) * d**-0.5).softmax(dim=1) + 1e-8
            attn = attn / attn.sum(dim=-1, keepdim=True)
            updates = torch.einsum("bjd,bij->bid", v, attn)
            slots = self.gru(updates.reshape(-1, d), prev.reshape(-1, d)).reshape(b, -1, d)
            slots = slots + self.mlp(self.nf(slots))
        return slots


class CausalLinear(PerformerAttn):
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        kv = torch.einsum("bnd,bne->bnde", k, v).cumsum(1)
        den = torch.einsum("bnd,bnd->bn", q, k.cumsum(1))
        return torch.einsum("bnd,bnde->bne", q, kv) / den[..., None]


class WindowAttn(nn.Module):
    """Swin's window attention with a table of relative positions."""

    def __init__(self, dim=4, window=2, heads=2):
        super().__init__()
        self.w, self.h, self.qkv, self.proj = window, heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.table = nn.Parameter(torch.randn((2 * window - 1) ** 2, heads))
        c = torch.stack(torch.meshgrid([torch.arange(window), torch.arange(window)], indexing="ij")).flatten(1)
        r = (c[:, :, None] - c[:, None, :]).permute(1, 2, 0) + window - 1
        r[:, :, 0] *= 2 * window - 1
        self.register_buffer("index", r.sum(-1))

    def forward(self, x):
        B_, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B_, N, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        attn = q * (C // self.h) ** -0.5 @ k.transpose(-2, -1)
        bias = self.table[self.index.view(-1)].view(self.w**2, self.w**2, -1).permute(2, 0, 1).contiguous()
        attn = F.softmax(attn + bias.unsqueeze(0), -1)
        return self.proj((attn @ v).transpose(1, 2).reshape(B_, N, C))


POINTS = "x: b n 3, f: b n 4 -> b n 4"

PERCEIVER = (
    "Perceiver(input_channels=8, input_axis=1, num_freq_bands=2, max_freq=4.0, depth=1, num_latents=4, "
    "latent_dim=16, cross_heads=1, latent_heads=2, cross_dim_head=8, latent_dim_head=8, num_classes=5, "
    "self_per_cross_attn=1{})"
)

VIT = "ViT(image_size=8, patch_size=4, num_classes=5, dim=16, depth=1, heads=2, mlp_dim=16)"

AXIAL = "A.AxialAttention(dim=16, dim_index=1, heads=2, num_dimensions=2)"

EN = "E.EnTransformer(dim=8, depth=1, dim_head=33, heads=2, neighbors=0, rel_pos_emb=False).eval()"


class MAB(nn.Module):  # Set Transformer
    def __init__(self, dim=4, heads=2):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.ln, self.dim, self.heads = nn.LayerNorm(dim), dim, heads

    def forward(self, Q, K):
        Q, K, V = self.q(Q), self.k(K), self.v(K)
        s = self.dim // self.heads
        Q_, K_, V_ = (torch.cat(t.split(s, 2), 0) for t in (Q, K, V))
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / self.dim**0.5, 2)
        O = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        return self.ln(O + F.relu(self.o(O)))


class Mixer_2(nn.Module):
    def __init__(self, tokens=None):
        super().__init__()
        self.c, self.t = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 4)), nn.Linear(5, 5)
        self.n = nn.LayerNorm(4)
        self.tokens = tokens

    def forward(self, x):
        if self.tokens:
            x = x + self.t(self.n(x).transpose(1, 2)).transpose(1, 2)
        return x + self.c(self.n(x))


def alibi(q, k, v):
    n = q.shape[0]
    bias = -0.5 * (torch.arange(n)[:, None] - torch.arange(n)[None]).abs()
    return torch.softmax(q @ k.T / q.shape[1] ** 0.5 + bias, -1) @ v


def circular(x):  # attention with a relative bias on a ring
    n = x.shape[0]
    i = torch.arange(n)
    bias = torch.cos(2 * torch.pi * (i[:, None] - i[None]) / n).to(x.dtype)
    return torch.softmax(x @ x.T + bias, -1) @ x


class Retention(nn.Module):
    def __init__(self, d=6, gamma=0.9):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.gamma = gamma

    def forward(self, x):
        n = torch.arange(x.size(-2))
        decay = self.gamma ** (n[:, None] - n[None]).clamp(min=0) * (n[:, None] >= n[None])
        return (self.q(x) @ self.k(x).transpose(-1, -2) * decay.to(x.dtype)) @ self.v(x)


class SqueezeTokens(nn.Module):  # gather the best tokens by a learned score
    def __init__(self):
        super().__init__()
        self.score, self.out = nn.Linear(4, 1), nn.Linear(4, 4)

    def forward(self, x):
        s = self.score(x).squeeze(-1)
        top = torch.topk(s, 2, dim=-1).indices
        picked = torch.gather(x, 1, top[..., None].expand(-1, -1, x.shape[-1]))
        return self.out(picked).mean(1)


class Router(nn.Module):  # mixture of experts, two of four by token
    def __init__(self, d=4, experts=4):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.GELU()) for _ in range(experts))

    def forward(self, x):
        w, idx = torch.topk(self.gate(x).softmax(-1), 2, dim=-1)
        w = w / w.sum(-1, keepdim=True)
        y = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            share = (w * (idx == e)).sum(-1, keepdim=True)
            y = y + share * expert(x)
        return y


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


def attention_transfer(fs, ft, p=2):
    def at(f):
        return F.normalize(f.pow(p).mean(1).view(f.size(0), -1))

    return (at(fs) - at(ft)).pow(2).mean()


TSA = "taylor_series_linear_attention as T"


CLAIMS = [
    torch_true("BERT layer", block(lambda: BertLayer(bert())), "x: n 8 -> n 8", "S(n)"),
    torch_true("BERT self-attention", block(lambda: BertSelfAttention(bert())), "x: n 8 -> n 8", "S(n)"),
    torch_true("BERT encoder", encoder, "x: n 8 -> n 8", "S(n)"),
    torch_true("BERT model batch", of_ids(lambda: T.BertModel(bert()), lambda o: o.last_hidden_state), "i[11]: b 5 -> b 5 8", "S(b)"),
    torch_true("BERT model pooled", of_ids(lambda: T.BertModel(bert()), lambda o: o.pooler_output), "i[11]: b n -> b 8", "S(b)", sizes={"n": (2, 8)}),
    torch_true("BERT classifier", of_ids(lambda: T.BertForSequenceClassification(bert()), lambda o: o.logits), "i[11]: b n -> b 2", "S(b)", sizes={"n": (2, 8)}),
    torch_true("GPT-2 MLP", seeded(lambda: GPT2MLP(16, gpt2())), "x: n 8 -> n 8", "S(n)"),
    torch_true("GPT-2 model batch", of_ids(lambda: T.GPT2Model(gpt2()), lambda o: o.last_hidden_state), "i[11]: b 5 -> b 5 8", "S(b)"),
    torch_true("GPT-2 language model", of_ids(lambda: T.GPT2LMHeadModel(gpt2()), lambda o: o.logits), "i[11]: b 5 -> b 5 11", "S(b)"),
    torch_true("LLaMA RMSNorm", seeded(lambda: LlamaRMSNorm(8)), "x: n 8 -> n 8", "S(n)"),
    torch_true("LLaMA MLP", seeded(lambda: LlamaMLP(llama())), "x: n 8 -> n 8", "S(n)"),
    torch_true("LLaMA model batch", of_ids(lambda: T.LlamaModel(llama()), lambda o: o.last_hidden_state), "i[11]: b 5 -> b 5 8", "S(b)"),
    torch_true("LLaMA language model", of_ids(lambda: T.LlamaForCausalLM(llama()), lambda o: o.logits), "i[11]: b n -> b n 11", "S(b)", sizes={"n": (2, 8)}),
    torch_true("ViT layer", block(lambda: ViTLayer(vit())), "x: n 8 -> n 8", "S(n)", single=True),
    torch_true("ViT model batch", of_pixels(lambda: T.ViTModel(vit()), lambda o: o.pooler_output), "x: b 3 8 8 -> b 8", "S(b)"),
    torch_true("x-transformers Encoder", x_encoder(), "x: n 8 -> n 8", "S(n)", single=True),
    torch_true("x-transformers RMSNorm Encoder", x_encoder(use_rmsnorm=True), "x: n 8 -> n 8", "S(n)", single=True),
    torch_true("x-transformers GLU Encoder", x_encoder(ff_glu=True), "x: n 8 -> n 8", "S(n)", single=True),
    torch_true("x-transformers CrossAttender", x_cross, "x: m 8, c: n 8 -> m 8", "S(n)", single=True),
    torch_true("x-transformers FeedForward", seeded(lambda: X.x_transformers.FeedForward(8)), "x: n 8 -> n 8", "S(n)"),
    torch_false("BERT model tokens", of_ids(lambda: T.BertModel(bert()), lambda o: o.last_hidden_state[0]), "i[11]: 1 n -> n 8", "S(n)", sizes={"n": (2, 8)}),
    torch_false("GPT-2 model tokens", of_ids(lambda: T.GPT2Model(gpt2()), lambda o: o.last_hidden_state[0]), "i[11]: 1 5 -> 5 8", "S(5)"),
    torch_false("LLaMA model tokens", of_ids(lambda: T.LlamaModel(llama()), lambda o: o.last_hidden_state[0]), "i[11]: 1 n -> n 8", "S(n)", sizes={"n": (2, 8)}),
    torch_false("LLaMA RMSNorm rotations", seeded(lambda: (lambda m: (m.weight.data.copy_(torch.arange(1.0, 9.0)), m)[1])(LlamaRMSNorm(8))), "x: n 8 -> n 8", "O(8)"),
    torch_false("x-transformers rotary Encoder", x_encoder(rotary_pos_emb=True), "x: n 8 -> n 8", "S(n)"),
    torch_false("x-transformers ALiBi Encoder", x_encoder(alibi_pos_bias=True, alibi_num_heads=2), "x: n 8 -> n 8", "S(n)"),
    torch_false("ViT layer width", block(lambda: ViTLayer(vit())), "x: n v -> n v", "S(v)", sizes={"v": 8}),
    torch_true("linear attention", lambda: linear_attention, "q: m d, k: n d, v: n e -> m e", "S(n) x O(e)"),
    torch_true("set transformer pool", built(SetTransformerPool), "x: b n 8 -> b 8", "S(n)"),
    torch_true("gumbel-free hard attention", lambda: lambda x: F.one_hot(x.argmax(-1), 4).to(x.dtype), "x: n 4 -> n 4", "S(n)"),
    torch_false("linear attention keys rotated", lambda: linear_attention, "q: m d, k: n d, v: n e -> m e", "O(d)"),
    torch_true("torch Transformer", seeded(lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True, dropout=0.0)), "s: n 8, t: m 8 -> m 8", "S(n)"),
    torch_true("T5 feed forward", t5_block, "x: b n 8 -> b n 8", "S(b) x S(n)"),
    torch_false("torch Transformer target", seeded(lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True, dropout=0.0)), "s: n v, t: m v -> m v", "S(v)", sizes={"v": 8}),
    torch_true("torch gated attention MIL", seeded(lambda: GatedAttentionMIL().eval()), "x: n 6 -> 2", "S(n)"),
    torch_true("torch slot attention", seeded(SlotAttention), "s: k 6, x: n 6 -> k 6", "S(n) x S(k)"),
    torch_true("ALBERT batch", tiny("albert", "AlbertConfig", "AlbertModel", "last_hidden_state", vocab_size=11, embedding_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(b)"),
    torch_true("RoBERTa batch pooled", tiny("roberta", "RobertaConfig", "RobertaModel", "pooler_output", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=12), "i[11]: b 5 -> b 8", "S(b)"),
    torch_true("GPT-NeoX batch", tiny("gptneox", "GPTNeoXConfig", "GPTNeoXModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(b)"),
    torch_true("Qwen2 batch", tiny("qwen", "Qwen2Config", "Qwen2Model", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(b)"),
    torch_true("BERT pooled fixed length", tiny("bert", "BertConfig", "BertModel", "pooler_output", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b 8", "S(b)"),
    torch_true("x-transformers encoder memory", xt("Encoder", dim=8, depth=1, heads=2, attn_dim_head=4, ff_glu=True, use_scalenorm=True), "x: b n 8 -> b n 8", "S(n)", single=True),
    torch_true("x-transformers continuous wrapper", lambda: xt("ContinuousTransformerWrapper", dim_in=3, dim_out=2, max_seq_len=8, use_abs_pos_emb=False, attn_layers=xt("Encoder", dim=8, depth=1, heads=2, attn_dim_head=4)())(), "x: b n 3 -> b n 2", "S(n)", single=True),
    torch_false("torch slot attention slots numbered", lambda: (lambda m: lambda s, x: m(s, x)[0])(seeded(SlotAttention)()), "s: k 6, x: n 6 -> 6", "S(k)"),
    torch_false("torch gated attention MIL first", lambda: (lambda m: lambda x: m(x[1:]))(seeded(GatedAttentionMIL)()), "x: n 6 -> 2", "S(n)"),
    torch_false("ALBERT tokens", tiny("albert", "AlbertConfig", "AlbertModel", "last_hidden_state", vocab_size=11, embedding_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(n)"),
    torch_false("GPT-NeoX tokens", tiny("gptneox", "GPTNeoXConfig", "GPTNeoXModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(n)"),
    torch_false("x-transformers wrapper with positions", lambda: xt("ContinuousTransformerWrapper", dim_in=3, dim_out=2, max_seq_len=8, attn_layers=xt("Encoder", dim=8, depth=1, heads=2, attn_dim_head=4)())(), "x: b n 3 -> b n 2", "S(n)", single=True, sizes={"n": (3, 6)}),
    torch_true("set transformer SAB", seeded(SAB), "X: b n 8, Y: b m 8 -> b n 8", "S(n) x S(m)"),
    torch_true("set transformer ISAB", seeded(ISAB), "X: b n 8 -> b n 8", "S(n) x S(b)"),
    torch_true("mixer batch", seeded(Mixer), "x: b 5 4 -> b 5 4", "S(b)"),
    torch_true("selective scan batch by vmap", lambda: (lambda m: lambda x: torch.stack([m(r) for r in x.unbind(0)]))(seeded(Mamba)()), "x: b 4 4 -> b 4 4", "S(b)", sizes={"b": (1, 4)}),
    torch_false("set transformer SAB features", seeded(SAB), "X: b n v, Y: b m v -> b n v", "S(v)", sizes={"v": 8}),
    torch_false("mixer tokens", seeded(Mixer), "x: b 5 4 -> b 5 4", "S(5)"),
    torch_false("selective scan of a set", seeded(Mamba), "x: 4 v -> 4 v", "S(4)", sizes={"v": 4}),
    torch_false("rotary positions shifted", lambda: lambda q, k: (rope(q) * rope(k).roll(1, 0)).sum(), "q: n 4, k: n 4 -> ()", "C(n)", sizes={"n": (3, 6)}),
    torch_true("vit-pytorch ViT batch", built_2("vit_pytorch:ViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", "S(b)"),
    torch_true("vit-pytorch SimpleViT batch", built_2("vit_pytorch:SimpleViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", "S(b)", single=True),
    torch_true("vit-pytorch Transformer tokens", built_2("vit_pytorch.vit:Transformer", 8, 1, 2, 4, 16), "x: b n 8 -> b n 8", "S(n)"),
    torch_true("perceiver-pytorch batch", built_2("perceiver_pytorch:Perceiver", input_channels=3, input_axis=1, num_freq_bands=2, max_freq=4.0, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, num_classes=2, fourier_encode_data=False), "x: b n 3 -> b 2", "S(n)"),
    torch_true("perceiver-pytorch IO", built_2("perceiver_pytorch:PerceiverIO", dim=6, queries_dim=5, logits_dim=3, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, call=lambda m, x, q: m(x, queries=q)), "x: b n 6, q: m 5 -> b m 3", "S(n) x S(m)"),
    torch_true("linformer batch", built_2("linformer:LinformerSelfAttention", dim=8, seq_len=6, heads=2, k=3), "x: b 6 8 -> b 6 8", "S(b)"),
    torch_true("performer-pytorch linear attention", named("performer_pytorch.performer_pytorch:linear_attention"), "q: b h n d, k: b h n d, v: b h n e -> b h n e", "S(h) x O(e)"),
    torch_true("nystrom-attention batch", built_2("nystrom_attention:NystromAttention", dim=8, dim_head=4, heads=2, num_landmarks=2, pinv_iterations=2), "x: b 4 8 -> b 4 8", "S(b)"),
    torch_true("axial-attention rows", built_2("axial_attention:AxialAttention", dim=8, dim_index=1, heads=2, num_dimensions=2), "x: b 8 h w -> b 8 h w", "S(h) x S(w)"),
    torch_true("memory-efficient-attention", named("memory_efficient_attention_pytorch.memory_efficient_attention:attention"), "q: b h n d, k: b h m d, v: b h m e -> b h n e", "S(m) x O(d)"),
    torch_true("mlp-mixer batch", built_2("mlp_mixer_pytorch:MLPMixer", image_size=8, channels=3, patch_size=4, dim=8, depth=1, num_classes=3), "x: b 3 8 8 -> b 3", "S(b)"),
    torch_true("point-transformer", built_2("point_transformer_pytorch:PointTransformerLayer", dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2), "x: b n 8, p: b n 3 -> b n 8", "S(n) x T(3)"),
    torch_true("invariant-point-attention", built_2("invariant_point_attention:InvariantPointAttention", dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4, call=ipa), "s: n 8, p: n n 4, R: n 3! 3^, t: n 3 -> n 8", "S(n) x E(3)"),
    torch_true("en-transformer coordinates", built_2("en_transformer:EnTransformer", dim=8, depth=1, dim_head=32, heads=2, call=lambda m, f, x: m(f, x)[1]), "f: b n 8, x: b n 3 -> b n 3", "E(3)"),
    torch_true("rotary-embedding-torch relative", built_2("rotary_embedding_torch:RotaryEmbedding", 4, call=lambda m, q, k: m.rotate_queries_or_keys(q) @ m.rotate_queries_or_keys(k).transpose(-1, -2)), "q: b h 5 4, k: b h 5 4 -> b h 5 5", "S(b) x S(h)", single=True),
    torch_true("local-attention batch", built_2("local_attention:LocalAttention", window_size=2, dim=4, causal=False, autopad=True, use_rotary_pos_emb=False), "q: b h 4 4, k: b h 4 4, v: b h 4 4 -> b h 4 4", "S(h)"),
    torch_false("vit-pytorch ViT pixels", built_2("vit_pytorch:ViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", "C(8)"),
    torch_false("linformer tokens", built_2("linformer:LinformerSelfAttention", dim=8, seq_len=6, heads=2, k=3), "x: b 6 8 -> b 6 8", "S(6)"),
    torch_false("g-mlp tokens", built_2("g_mlp_pytorch.g_mlp_pytorch:gMLPBlock", dim=8, dim_ff=16, seq_len=5, call=lambda m, x: m(x) + x.cumsum(1)), "x: b 5 8 -> b 5 8", "S(5)"),
    torch_false("perceiver IO latents of inputs", built_2("perceiver_pytorch:PerceiverIO", dim=6, queries_dim=5, logits_dim=3, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, call=lambda m, x, q: m(x, queries=q)), "x: b n v, q: m 5 -> b m 3", "S(v)", sizes={"v": 6}),
    torch_false("point-transformer rotated", built_2("point_transformer_pytorch:PointTransformerLayer", dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2), "x: b n 8, p: b n 3 -> b n 8", "O(3)"),
    torch_false("invariant-point-attention mirrored frames", built_2("invariant_point_attention:InvariantPointAttention", dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4, call=ipa), "s: n 8, p: n n 4, R: n 3! 3!, t: n 3 -> n 8", "O(3)"),
    torch_false("en-transformer features rotated", built_2("en_transformer:EnTransformer", dim=8, depth=1, dim_head=32, heads=2, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", "O(8)"),
    torch_true("pooling by attention", seeded(PMA), "X: b n 8 -> b 3 8", "S(b) x S(n)"),
    torch_true("Perceiver of a newcomer", seeded(Perceiver), "x: b n 3 -> b 2", "S(b) x S(n)"),
    torch_true("linear attention of elu", lambda: elu_attention, "q: b n h d, k: b m h d, v: b m h e -> b n h e", "S(m) x S(h) x S(d) x O(e)"),
    torch_true("ALiBi", lambda: alibi_attention, ATTEND, "O(e)", sizes={"h": 2}),
    torch_true("RoPE scores", lambda: lambda q, k: rotary(q) @ rotary(k).transpose(-1, -2), "q: b h n 4, k: b h n 4 -> b h n n", "S(b) x S(h)"),
    torch_true("relative position bias", seeded(RelativeBias), "q: 2 4 d, k: 2 4 d, v: 2 4 e -> 2 4 e", "O(d) x O(e)"),
    torch_true("gated attention MIL", seeded(GatedAttentionMIL_2), "H: n 6 -> ()", "S(n)"),
    torch_false("pooling by attention, positions added", lambda: (lambda m: lambda X: m(X + torch.arange(X.shape[1], dtype=X.dtype)[:, None]))(seeded(PMA)()), "X: b n 8 -> b 3 8", "S(n)"),
    torch_false("ALiBi shuffled", lambda: alibi_attention, ATTEND, "S(n)", sizes={"h": 2}),
    torch_false("relative position bias shuffled", seeded(RelativeBias), "q: 2 4 d, k: 2 4 d, v: 2 4 e -> 2 4 e", "S(4)"),
    torch_true("global attention pool", lambda: global_attention_pool, "g: n, x: n d, b[3]: n -> 3 d", "S(n)", backend="torch"),
    torch_true("rotary cached, batch", mods(RotaryCached), "q: b n 4, k: b n 4 -> b n n", "S(b)"),
    torch_true("sliding window, features", lambda: sliding_window_attention, "q: n d, k: n d, v: n c -> n c", "O(d) x S(c)", backend="torch"),
    torch_false("rotary cached, positions", mods(RotaryCached), "q: b n 4, k: b n 4 -> b n n", "S(n)"),
    torch_false("sliding window of a set", lambda: sliding_window_attention, "q: n d, k: n d, v: n c -> n c", "S(n)", backend="torch"),
    torch_false("sliding window turned around", lambda: sliding_window_attention, "q: n d, k: n d, v: n c -> n c", "D(n)", backend="torch"),
    torch_true("mamba batch", mamba(), "x: b 4 4 -> b 4 4", "S(b)"),
    torch_true("mamba parallel scan, batch", mamba(pscan=True), "x: b 4 4 -> b 4 4", "S(b)"),
    torch_true("diffusers transformer block", built_2(DIMENSION + "attention:BasicTransformerBlock", 8, 2, 4), "x: b n 8 -> b n 8", "S(n)"),
    torch_true("diffusers feed forward", built_2(DIMENSION + "attention:FeedForward", 8), "x: b n 8 -> b n 8", "S(n) x S(b)"),
    torch_true("masked attention of positions", mods_2(SE3Attention), "x: b n 4, pos: b n d, mask[bool]: b n -> h: b n 4, pos: b n d", "S(b) x S(n) x E(d)"),
    torch_true("ISAB with a mask", mods_2(SetTransformerISAB), "x: b n 8, mask[bool]: b n -> b n 8", "S(n)"),
    torch_true("retention, values rotated", lambda: retention, "q: b n d, k: b n d, v: b n e -> b n e", "O(d) x O(e)"),
    torch_true("Hopfield retrieval", lambda: hopfield, "s: m d, M: n d -> m d", "S(m) x S(n) x O(d)"),
    torch_false("mamba of a set", mamba(), "x: b n 4 -> b n 4", "S(n)", sizes={"n": (3, 4)}),
    torch_false("retention shuffled", lambda: retention, "q: b n d, k: b n d, v: b n e -> b n e", "S(n)"),
    torch_false("Hopfield translated", lambda: hopfield, "s: m d, M: n d -> m d", "T(d)"),
    torch_false("diffusers block with positions", built_2(DIMENSION + "attention:BasicTransformerBlock", 8, 2, 4, positional_embeddings="sinusoidal", num_positional_embeddings=8), "x: b n 8 -> b n 8", "S(n)", sizes={"n": (2, 6)}),
    torch_true("linear attention", seeded(LinearAttention), "x: b n 8 -> b n 8", "S(b) x S(n)"),
    torch_true("cosine attention masked", seeded(CosineAttention), "x: n 6, keep[bool]: n -> n 6", "S(n)"),
    torch_true("slots", seeded(SlotPool), "x: b n 4 -> b 3 4", "S(b) x S(n)"),
    torch_false("cosine attention, first kept", lambda: (lambda m: lambda x, keep: m(x, keep | (torch.arange(x.shape[0]) == 0)))(seeded(CosineAttention)()), "x: n 6, keep[bool]: n -> n 6", "S(n)"),
    torch_false("slots, last row", lambda: (lambda m: lambda x: m(x) + x[:, -1:])(seeded(SlotPool)()), "x: b n 4 -> b 3 4", "S(n)"),
    torch_true("PointTransformer block", seeded(PointTransformerBlock), POINTS, "S(n)", sizes=SETS_2),
    torch_true("PointTransformer block T", seeded(PointTransformerBlock), "x: b n 3, f: b n 4 -> b n 4", "T(3)", sizes=SETS_2),
    torch_false("PointTransformer block O", seeded(PointTransformerBlock), POINTS, "O(3)", sizes=SETS_2),
    torch_true("TorchMD-ET interaction", seeded(TorchMDETInteraction), "z[3]: n, pos: n d -> n 4, n d^ 4", "S(n) x E(d)", sizes={"d": 3}),
    torch_false("TorchMD-ET absolute", seeded(lambda: TorchMDETInteraction(centred=False)), "z[3]: n, pos: n 3 -> n 4, n 3^ 4", "E(3)"),
    torch_true("GPS layer", seeded(GPSLayer), "x: b n 4, a: b n n -> b n 4", "S(n)", draw="positive"),
    torch_false("GPS layer directed", lambda: (lambda m: lambda x, a: m(x, torch.tril(a)))(seeded(GPSLayer)()), "x: b n 4, a: b n n -> b n 4", "S(n)", draw="positive"),
    torch_true("triangle attention", seeded(TriangleAttention), "z: n n 4 -> n n 4", "S(n)"),
    torch_true("IPA", seeded(IPA), "s: n 4, R: n 3 3!, t: n 3 -> n 4", "SO(3) x S(n)"),
    torch_false("T5 bias", seeded(T5Bias), "x: n 4 -> n 4", "S(n)"),
    torch_true("circular relative bias", seeded(CircularRelative), "x: n 4 -> n 4", "C(n)"),
    torch_true("circular relative bias turned over", seeded(CircularRelative), "x: n 4 -> n 4", "D(n)"),
    torch_true("rotary cached batch", seeded(RotaryAttention), "x: b n 4 -> b n 4", "S(b)"),
    torch_false("rotary cached", seeded(RotaryAttention), "x: b n 4 -> b n 4", "S(n)"),
    torch_true("Slot attention", seeded(SlotAttention_2), "x: b n 4, s: b k 4 -> b k 4", "S(n) x S(k)"),
    torch_false("causal linear attention", seeded(CausalLinear), "x: b n 4 -> b n 4", "S(n)"),
    torch_true("window attention batch", seeded(WindowAttn), "x: b 4 4 -> b 4 4", "S(b)"),
    torch_false("window attention tokens", seeded(WindowAttn), "x: b n 4 -> b n 4", "S(n)", sizes={"n": 4}),
    torch_true("vit_pytorch ViT", layer("vit_pytorch as V", f"V.{VIT}"), "x: b 3 8 8 -> b 5", "S(b)"),
    torch_false("vit_pytorch ViT shifted", layer("vit_pytorch as V", f"V.{VIT}"), "x: 1 3 8 8 -> 1 5", "C(8)"),
    torch_true("vit_pytorch Transformer", layer("vit_pytorch.vit as V", "V.Transformer(16, 2, 2, 8, 32)"),
         "x: b n 16 -> b n 16", "S(b) x S(n)"),
    torch_true("nystrom_attention", layer("nystrom_attention as A", "A.NystromAttention(dim=16, dim_head=8, heads=2, "
         "num_landmarks=4)"), "x: b 8 16 -> b 8 16", "S(b)"),
    torch_true("performer_pytorch SelfAttention", layer("performer_pytorch as P", "P.SelfAttention(dim=16, heads=2, "
         "causal=False)"), "x: b n 16 -> b n 16", "S(b) x S(n)"),
    torch_true("perceiver_pytorch", layer("perceiver_pytorch as P", "P." + PERCEIVER.format(", fourier_encode_data=False")),
         "x: b n 8 -> b 5", "S(n) x S(b)"),
    torch_false("perceiver_pytorch places", layer("perceiver_pytorch as P", "P." + PERCEIVER.format("")), "x: b n 8 -> b 5",
          "S(n)"),
    torch_true("axial_attention", layer("axial_attention as A", AXIAL), "x: b 16 h w -> b 16 h w", "S(h) x S(w)"),
    torch_true("en_transformer features", held("en_transformer as E", "lambda f, x: m(f, x)[0]", f"m = {EN}"),
         "f: 1 n 8, x: 1 n 3 -> 1 n 8", "S(n) x E(3)"),
    torch_true("en_transformer coordinates", held("en_transformer as E", "lambda f, x: m(f, x)[1]", f"m = {EN}"),
         "f: 1 n 8, x: 1 n 3 -> 1 n 3", "S(n) x E(3)"),
    torch_true("local_attention", held("local_attention as L", "lambda x: m(x, x, x)", "m = L.LocalAttention(dim=16, "
         "window_size=4, causal=False, look_backward=1, look_forward=1)"), "x: b 8 16 -> b 8 16", "S(b)"),
    torch_true("Set Transformer MAB", seeded(MAB), "q: b n 4, k: b m 4 -> b n 4", "S(b) x S(n) x S(m)"),
    torch_true("Set Transformer PMA", lambda: (lambda m, s: lambda x: m(s.repeat(x.size(0), 1, 1).to(x.dtype), x))(seeded(MAB)(), torch.randn(1, 2, 4)), "x: b n 4 -> b 2 4", "S(b) x S(n)"),
    torch_false("Set Transformer MAB of paired sets", seeded(MAB), "q: b n 4, k: b! m 4 -> b n 4", "S(b)"),
    torch_true("MLP-Mixer, channels alone", seeded(Mixer_2), "x: b n 4 -> b n 4", "S(b) x S(n)"),
    torch_false("MLP-Mixer", seeded(lambda: Mixer_2(True)), "x: b 5 4 -> b 5 4", "S(5)"),
    torch_true("ALiBi scores", lambda: alibi, "q: n d, k: n d, v: n d! -> n d!", "O(d)"),
    torch_true("ALiBi values", lambda: alibi, "q: n d!, k: n d!, v: n d -> n d", "S(d)"),
    torch_false("ALiBi shuffled", lambda: alibi, "q: n d, k: n d, v: n d -> n d", "S(n)"),
    torch_true("ring attention", lambda: circular, "x: n d -> n d", "C(n)"),
    torch_false("ring attention shuffled", lambda: circular, "x: n d -> n d", "S(n)"),
    torch_true("retention, batch", seeded(Retention), "x: b n 6 -> b n 6", "S(b)"),
    torch_false("retention", seeded(Retention), "x: n 6 -> n 6", "S(n)"),
    torch_true("best tokens", seeded(SqueezeTokens), "x: b n 4 -> b 4", "S(b) x S(n)"),
    torch_true("mixture of experts", seeded(Router), "x: n 4 -> n 4", "S(n)"),
    torch_false("mixture of experts of features", seeded(Router), "x: n v -> n v", "S(v)", sizes={"v": 4}),
    torch_true("keras MultiHeadAttention", held("os", "lambda x: f(x, x)", "os.environ.setdefault('KERAS_BACKEND', 'torch'); import keras; f = keras.layers.MultiHeadAttention(2, 4); f.build((None, None, 8), (None, None, 8))"), "x: b n 8 -> b n 8", "S(b) x S(n)", sizes={"b": (1, 3), "n": (2, 4)}, single=True),
    torch_true("sentence_transformers cos_sim", held("sentence_transformers.util as U", "lambda x, y: U.cos_sim(x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)"),
    torch_true("sentence_transformers pairwise_cos_sim", held("sentence_transformers.util as U", "lambda x, y: U.pairwise_cos_sim(x, y)"), "x: n d, y: n d -> n", "S(n) x O(d)"),
    torch_true("sentence_transformers euclidean_sim", held("sentence_transformers.util as U", "lambda x, y: U.euclidean_sim(x, y)"), "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)"),
    torch_false("sentence_transformers dot_score moved", held("sentence_transformers.util as U", "lambda x, y: U.dot_score(x, y)"), "x: n d, y: m d -> n m", "T(d)"),
    torch_true("PCT offset attention", seeded(OffsetAttention), "x: b 8 n -> b 8 n", "S(b) x S(n)", sizes={"b": (1, 2), "n": (2, 4)}),
    torch_true("attention of vectors", seeded(VectorAttention), "v: n 3 4 -> n 3 4", "S(n) x O(3)"),
    torch_true("DiffPool features", lambda: (lambda m: lambda x, a: m(x, a)[0])(seeded(DiffPool)()), "x: n 3, adj: n n -> 2 3", "S(n)"),
    torch_true("attention transfer", lambda: attention_transfer, "s: b c h w, t: b k h w -> ()", "S(b) x S(c) x S(k) x S(h) x S(w)", sizes={"b": (1, 2), "c": (2, 3), "k": (2, 3), "h": (2, 3), "w": (2, 3)}),
    torch_true("Taylor-series attention", packed(TSA, "lambda x: f(x)", "f = T.TaylorSeriesLinearAttn(4, dim_head=2, heads=2)"), "x: b n 4 -> b n 4", "S(b) x S(n)", sizes={"b": (1, 2), "n": (2, 4)}),
    torch_false("PCT offset attention of features", seeded(OffsetAttention), "x: b v n -> b v n", "S(v)", sizes={"v": 8, "b": 1, "n": 2}),
    torch_false("attention transfer turned", lambda: attention_transfer, "s: b c h w, t: b k h w -> ()", "O(h)", sizes={"b": 1, "c": 2, "k": 2, "h": 2, "w": 2}),
    torch_false("Taylor-series attention of features", packed(TSA, "lambda x: f(x)", "f = T.TaylorSeriesLinearAttn(4, dim_head=2, heads=2)"), "x: b n v -> b n v", "S(v)", sizes={"v": 4, "b": 1, "n": 2}),
]  # fmt: skip
