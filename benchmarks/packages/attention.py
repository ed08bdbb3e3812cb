"""Attention and transformers: blocks, small models, masks and positions."""

import math

import einops
import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.packages.claims import false, held, layer, of_torch, one, true
from benchmarks.packages.libraries import T, X

SMALL = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}

def bert():
    return T.BertConfig(vocab_size=11, max_position_embeddings=16, attn_implementation="eager", **SMALL)

def llama():
    return T.LlamaConfig(vocab_size=11, num_key_value_heads=2, max_position_embeddings=16, attn_implementation="eager", **SMALL)

def gpt2():
    return T.GPT2Config(vocab_size=11, n_positions=16, n_embd=8, n_layer=2, n_head=2, attn_implementation="eager")

def vit():
    return T.ViTConfig(image_size=8, patch_size=4, attn_implementation="eager", **SMALL)

def first(module, x):
    """Calls a layer of batches, which may return more than one result."""
    made = module(x[None])
    return made[0][0] if isinstance(made, tuple) else made[0]

def x_encoder(**options):
    return layer(X.Encoder, dim=8, depth=1, heads=2, attn_dim_head=32, call=one, **options)

def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("nd,nm->dm", k, v)
    z = 1 / (torch.einsum("nd,d->n", q, k.sum(0)) + 1e-6)
    return torch.einsum("nd,dm,n->nm", q, kv, z)

class SetTransformerPool(nn.Module):  # attention of a learnt query, and a norm
    def __init__(self, d=8):
        super().__init__()
        self.seed = nn.Parameter(torch.randn(1, 1, d))
        self.attention = nn.MultiheadAttention(d, 2, batch_first=True)
        self.norm = nn.LayerNorm(d)
    def forward(self, x):
        s = self.seed.expand(x.shape[0], -1, -1)
        h, _ = self.attention(s, x, x)
        return self.norm(h + s).squeeze(1)

def t5_block():
    return T.models.t5.modeling_t5.T5LayerFF(T.T5Config(d_model=8, d_ff=16, num_layers=1, num_heads=2, d_kv=4))

class GatedAttentionMIL(nn.Module):  # attention over a bag of instances
    def __init__(self, head=None):
        super().__init__()
        self.v, self.u, self.w = nn.Linear(6, 4), nn.Linear(6, 4), nn.Linear(4, 1)
        self.head = head or nn.Sequential(nn.LayerNorm(6), nn.Dropout(0.2), nn.Linear(6, 2))
    def forward(self, x):
        a = self.w(torch.tanh(self.v(x)) * torch.sigmoid(self.u(x)))
        a = torch.softmax(a.transpose(1, 0), dim=1)
        return self.head(torch.mm(a, x)).squeeze()

class SlotAttention(nn.Module):  # slots that compete for inputs
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(6, 6, bias=False) for _ in range(3))
        self.gru, self.norm = nn.GRUCell(6, 6), nn.LayerNorm(6)
    def forward(self, s, x):
        k, v = self.k(x), self.v(x)
        for _ in range(2):
            a = (k @ self.q(self.norm(s)).T / math.sqrt(6)).softmax(dim=-1) + 1e-8
            a = a / a.sum(dim=0, keepdim=True)
            s = self.gru(a.T @ v, s)
        return s

class ISAB(nn.Module):  # attention through induced points
    def __init__(self):
        super().__init__()
        self.I = nn.Parameter(torch.randn(1, 3, 8))
        self.a, self.b = MAB(8), MAB(8)
    def forward(self, X):
        H = self.a(self.I.repeat(X.size(0), 1, 1), X)
        return self.b(X, H)

class Mixer(nn.Module):  # tokens mixed by a linear layer of their places
    def __init__(self):
        super().__init__()
        self.token, self.channel = nn.Linear(5, 5), nn.Linear(4, 4)
    def forward(self, x):
        x = x + self.token(x.transpose(-1, -2)).transpose(-1, -2)
        return x + self.channel(x).relu()

class Mamba(nn.Module):  # A selective scan, step by step
    def __init__(self):
        super().__init__()
        self.A = nn.Parameter(-torch.rand(4))
        self.B, self.C, self.dt = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)
    def forward(self, x):
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
    def __init__(self, dim=8, heads=2, seeds=3, norm=True):
        super().__init__()
        self.S = nn.Parameter(torch.randn(1, seeds, dim))
        self.fc_q, self.fc_k, self.fc_v, self.fc_o = (nn.Linear(dim, dim) for _ in range(4))
        self.norm, self.heads = nn.LayerNorm(dim) if norm else nn.Identity(), heads
    def forward(self, X):
        Q, K, V = self.fc_q(self.S.repeat(X.size(0), 1, 1)), self.fc_k(X), self.fc_v(X)
        Q_, K_, V_ = (torch.cat(t.split(Q.size(2) // self.heads, 2), 0) for t in (Q, K, V))
        A = torch.softmax(Q_.bmm(K_.transpose(1, 2)) / math.sqrt(Q.size(2)), 2)
        O = self.norm(torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2))
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

def mamba(pscan=False):
    def build():
        from mambapy.mamba import MambaBlock, MambaConfig
        return MambaBlock(MambaConfig(d_model=4, n_layers=1, d_state=2, pscan=pscan))
    return layer(build)

class SE3Attention(nn.Module):  # vector features, weights from distances and scalars, a dictionary of results
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
    i = torch.arange(q.shape[-2])
    decay = torch.where(i[:, None] >= i[None], gamma ** (i[:, None] - i[None]).clamp(min=0).to(q.dtype), 0.0)
    return (q @ k.transpose(-1, -2) * decay) @ v

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

class TorchMDETInteraction(nn.Module):  # equivariant transformer of TorchMD-Net, in dense form
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
        self.rel, self.h, self.buckets = nn.Embedding(buckets, h), h, buckets
        self.q, self.k, self.v = (nn.Linear(d, d) for _ in range(3))
    def relative(self, n):
        i = torch.arange(n)
        return (i[None] - i[:, None]).clamp(-3, 3) + 3
    def forward(self, x):
        n = x.shape[0]
        bias = self.rel(self.relative(n)).permute(2, 0, 1)
        q, k, v = (m(x).view(n, self.h, -1).transpose(0, 1) for m in (self.q, self.k, self.v))
        return ((q @ k.mT + bias).softmax(-1) @ v).transpose(0, 1).reshape(n, -1)

class CircularRelative(T5Bias):
    def relative(self, n):
        i = torch.arange(n)
        rel = (i[None] - i[:, None]) % n
        return torch.minimum(rel, n - rel).clamp(max=self.buckets - 1)

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

class BatchedSlotAttention(nn.Module):
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

class WindowAttn(nn.Module):  # Swin's window attention with a table of relative positions
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

PERCEIVER = (
    "P.Perceiver(input_channels=8, input_axis=1, num_freq_bands=2, max_freq=4.0, depth=1, num_latents=4, "
    "latent_dim=16, cross_heads=1, latent_heads=2, cross_dim_head=8, latent_dim_head=8, num_classes=5, "
    "self_per_cross_attn=1{}).eval()"
)

VIT = "ViT(image_size=8, patch_size=4, num_classes=5, dim=16, depth=1, heads=2, mlp_dim=16)"
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

class TokenMixer(nn.Module):
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
    def __init__(self, d=6):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
    def forward(self, x):
        return retention(self.q(x), self.k(x), self.v(x))

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

class IPA(nn.Module):  # invariant point attention, with rotations and translations given
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

def tiny(config, model, out, **options):
    """A small model of transformers, as a function of token ids."""
    return layer(lambda: getattr(T, model)(getattr(T, config)(**options)), call=lambda m, ids: m(ids)[out])

class CausalLinear(PerformerAttn):
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        kv = torch.einsum("bnd,bne->bnde", k, v).cumsum(1)
        den = torch.einsum("bnd,bnd->bn", q, k.cumsum(1))
        return torch.einsum("bnd,bnde->bne", q, kv) / den[..., None]

CLAIMS = [
    of_torch(layer(lambda: T.models.bert.modeling_bert.BertLayer(bert()), call=first), "x: n 8 -> n 8", true("BERT layer", "S(n)")),
    of_torch(layer(lambda: T.models.bert.modeling_bert.BertSelfAttention(bert()), call=first), "x: n 8 -> n 8", true("BERT self-attention", "S(n)")),
    of_torch(layer(lambda: T.BertModel(bert()).encoder, call=lambda m, x: m(x[None]).last_hidden_state[0]), "x: n 8 -> n 8", true("BERT encoder", "S(n)")),
    of_torch(layer(lambda: T.BertModel(bert()), call=lambda m, i: m(input_ids=i).last_hidden_state), "i[11]: b 5 -> b 5 8", true("BERT model batch", "S(b)")),
    of_torch(layer(lambda: T.BertModel(bert()), call=lambda m, i: m(input_ids=i).pooler_output), "i[11]: b n -> b 8", true("BERT model pooled", "S(b)"), n=(2, 8)),
    of_torch(layer(lambda: T.BertForSequenceClassification(bert()), call=lambda m, i: m(input_ids=i).logits), "i[11]: b n -> b 2", true("BERT classifier", "S(b)"), n=(2, 8)),
    of_torch(layer(lambda: T.models.gpt2.modeling_gpt2.GPT2MLP(16, gpt2())), "x: n 8 -> n 8", true("GPT-2 MLP", "S(n)")),
    of_torch(layer(lambda: T.GPT2Model(gpt2()), call=lambda m, i: m(input_ids=i).last_hidden_state), "i[11]: b 5 -> b 5 8", true("GPT-2 model batch", "S(b)")),
    of_torch(layer(lambda: T.GPT2LMHeadModel(gpt2()), call=lambda m, i: m(input_ids=i).logits), "i[11]: b 5 -> b 5 11", true("GPT-2 language model", "S(b)")),
    of_torch(layer(T.models.llama.modeling_llama.LlamaRMSNorm, 8), "x: n 8 -> n 8", true("LLaMA RMSNorm", "S(n)")),
    of_torch(layer(lambda: T.models.llama.modeling_llama.LlamaMLP(llama())), "x: n 8 -> n 8", true("LLaMA MLP", "S(n)")),
    of_torch(layer(lambda: T.LlamaModel(llama()), call=lambda m, i: m(input_ids=i).last_hidden_state), "i[11]: b 5 -> b 5 8", true("LLaMA model batch", "S(b)")),
    of_torch(layer(lambda: T.LlamaForCausalLM(llama()), call=lambda m, i: m(input_ids=i).logits), "i[11]: b n -> b n 11", true("LLaMA language model", "S(b)"), n=(2, 8)),
    of_torch(layer(lambda: T.models.vit.modeling_vit.ViTLayer(vit()), call=first), "x: n 8 -> n 8", true("ViT layer", "S(n)"), single=True),
    of_torch(layer(lambda: T.ViTModel(vit()), call=lambda m, x: m(pixel_values=x).pooler_output), "x: b 3 8 8 -> b 8", true("ViT model batch", "S(b)")),
    of_torch(x_encoder(), "x: n 8 -> n 8", true("x-transformers Encoder", "S(n)"), single=True),
    of_torch(x_encoder(use_rmsnorm=True), "x: n 8 -> n 8", true("x-transformers RMSNorm Encoder", "S(n)"), single=True),
    of_torch(x_encoder(ff_glu=True), "x: n 8 -> n 8", true("x-transformers GLU Encoder", "S(n)"), single=True),
    of_torch(layer(X.CrossAttender, dim=8, depth=1, heads=2, attn_dim_head=4, call=lambda m, x, c: m(x[None], context=c[None])[0]), "x: m 8, c: n 8 -> m 8", true("x-transformers CrossAttender", "S(n)"), single=True),
    of_torch(layer(X.x_transformers.FeedForward, 8), "x: n 8 -> n 8", true("x-transformers FeedForward", "S(n)")),
    of_torch(layer(lambda: T.BertModel(bert()), call=lambda m, i: m(input_ids=i).last_hidden_state[0]), "i[11]: 1 n -> n 8", false("BERT model tokens", "S(n)"), n=(2, 8)),
    of_torch(layer(lambda: T.GPT2Model(gpt2()), call=lambda m, i: m(input_ids=i).last_hidden_state[0]), "i[11]: 1 5 -> 5 8", false("GPT-2 model tokens", "S(5)")),
    of_torch(layer(lambda: T.LlamaModel(llama()), call=lambda m, i: m(input_ids=i).last_hidden_state[0]), "i[11]: 1 n -> n 8", false("LLaMA model tokens", "S(n)"), n=(2, 8)),
    of_torch(layer(lambda: (lambda m: (m.weight.data.copy_(torch.arange(1.0, 9.0)), m)[1])(T.models.llama.modeling_llama.LlamaRMSNorm(8))), "x: n 8 -> n 8", false("LLaMA RMSNorm rotations", "O(8)")),
    of_torch(x_encoder(rotary_pos_emb=True), "x: n 8 -> n 8", false("x-transformers rotary Encoder", "S(n)")),
    of_torch(x_encoder(alibi_pos_bias=True, alibi_num_heads=2), "x: n 8 -> n 8", false("x-transformers ALiBi Encoder", "S(n)")),
    of_torch(layer(lambda: T.models.vit.modeling_vit.ViTLayer(vit()), call=first), "x: n v -> n v", false("ViT layer width", "S(v)"), v=8),
    of_torch(linear_attention, "q: m d, k: n d, v: n e -> m e", true("linear attention", "S(n) x O(e)"), false("linear attention keys rotated", "O(d)")),
    of_torch(layer(SetTransformerPool), "x: b n 8 -> b 8", true("set transformer pool", "S(n)")),
    of_torch(lambda x: F.one_hot(x.argmax(-1), 4).to(x.dtype), "x: n 4 -> n 4", true("gumbel-free hard attention", "S(n)")),
    of_torch(layer(nn.Transformer, 8, 2, 1, 1, 16, batch_first=True, dropout=0.0), "s: n 8, t: m 8 -> m 8", true("torch Transformer", "S(n)")),
    of_torch(layer(t5_block), "x: b n 8 -> b n 8", true("T5 feed forward", "S(b) x S(n)")),
    of_torch(layer(nn.Transformer, 8, 2, 1, 1, 16, batch_first=True, dropout=0.0), "s: n v, t: m v -> m v", false("torch Transformer target", "S(v)"), v=8),
    of_torch(layer(GatedAttentionMIL), "x: n 6 -> 2", true("torch gated attention MIL", "S(n)")),
    of_torch(layer(SlotAttention), "s: k 6, x: n 6 -> k 6", true("torch slot attention", "S(n) x S(k)")),
    of_torch(tiny("AlbertConfig", "AlbertModel", "last_hidden_state", vocab_size=11, embedding_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", true("ALBERT batch", "S(b)"), false("ALBERT tokens", "S(n)")),
    of_torch(tiny("RobertaConfig", "RobertaModel", "pooler_output", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=12), "i[11]: b 5 -> b 8", true("RoBERTa batch pooled", "S(b)")),
    of_torch(tiny("GPTNeoXConfig", "GPTNeoXModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", true("GPT-NeoX batch", "S(b)"), false("GPT-NeoX tokens", "S(n)")),
    of_torch(tiny("Qwen2Config", "Qwen2Model", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", true("Qwen2 batch", "S(b)")),
    of_torch(tiny("BertConfig", "BertModel", "pooler_output", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b 8", true("BERT pooled fixed length", "S(b)")),
    of_torch(layer(X.Encoder, dim=8, depth=1, heads=2, attn_dim_head=4, ff_glu=True, use_scalenorm=True), "x: b n 8 -> b n 8", true("x-transformers encoder memory", "S(n)"), single=True),
    of_torch(layer(lambda: X.ContinuousTransformerWrapper(dim_in=3, dim_out=2, max_seq_len=8, use_abs_pos_emb=False, attn_layers=X.Encoder(dim=8, depth=1, heads=2, attn_dim_head=4))), "x: b n 3 -> b n 2", true("x-transformers continuous wrapper", "S(n)"), single=True),
    of_torch(layer(SlotAttention, call=lambda m, s, x: m(s, x)[0]), "s: k 6, x: n 6 -> 6", false("torch slot attention slots numbered", "S(k)")),
    of_torch(layer(GatedAttentionMIL, call=lambda m, x: m(x[1:])), "x: n 6 -> 2", false("torch gated attention MIL first", "S(n)")),
    of_torch(layer(lambda: X.ContinuousTransformerWrapper(dim_in=3, dim_out=2, max_seq_len=8, attn_layers=X.Encoder(dim=8, depth=1, heads=2, attn_dim_head=4))), "x: b n 3 -> b n 2", false("x-transformers wrapper with positions", "S(n)"), n=(3, 6), single=True),
    of_torch(layer(MAB, 8), "X: b n 8, Y: b m 8 -> b n 8", true("set transformer SAB", "S(n) x S(m)")),
    of_torch(layer(ISAB), "X: b n 8 -> b n 8", true("set transformer ISAB", "S(n) x S(b)")),
    of_torch(layer(Mixer), "x: b 5 4 -> b 5 4", true("mixer batch", "S(b)"), false("mixer tokens", "S(5)")),
    of_torch(layer(Mamba, call=lambda m, x: torch.stack([m(r) for r in x.unbind(0)])), "x: b 4 4 -> b 4 4", true("selective scan batch by vmap", "S(b)"), b=(1, 4)),
    of_torch(layer(MAB, 8), "X: b n v, Y: b m v -> b n v", false("set transformer SAB features", "S(v)"), v=8),
    of_torch(layer(Mamba), "x: 4 v -> 4 v", false("selective scan of a set", "S(4)"), v=4),
    of_torch(lambda q, k: (rope(q) * rope(k).roll(1, 0)).sum(), "q: n 4, k: n 4 -> ()", false("rotary positions shifted", "C(n)"), n=(3, 6)),
    of_torch(layer("vit_pytorch:ViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", true("vit-pytorch ViT batch", "S(b)"), false("vit-pytorch ViT pixels", "C(8)")),
    of_torch(layer("vit_pytorch:SimpleViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", true("vit-pytorch SimpleViT batch", "S(b)"), single=True),
    of_torch(layer("vit_pytorch.vit:Transformer", 8, 1, 2, 4, 16), "x: b n 8 -> b n 8", true("vit-pytorch Transformer tokens", "S(n)")),
    of_torch(layer("perceiver_pytorch:Perceiver", input_channels=3, input_axis=1, num_freq_bands=2, max_freq=4.0, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, num_classes=2, fourier_encode_data=False), "x: b n 3 -> b 2", true("perceiver-pytorch batch", "S(n)")),
    of_torch(layer("perceiver_pytorch:PerceiverIO", dim=6, queries_dim=5, logits_dim=3, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, call=lambda m, x, q: m(x, queries=q)), "x: b n 6, q: m 5 -> b m 3", true("perceiver-pytorch IO", "S(n) x S(m)")),
    of_torch(layer("linformer:LinformerSelfAttention", dim=8, seq_len=6, heads=2, k=3), "x: b 6 8 -> b 6 8", true("linformer batch", "S(b)"), false("linformer tokens", "S(6)")),
    of_torch("performer_pytorch.performer_pytorch:linear_attention", "q: b h n d, k: b h n d, v: b h n e -> b h n e", true("performer-pytorch linear attention", "S(h) x O(e)")),
    of_torch(layer("nystrom_attention:NystromAttention", dim=8, dim_head=4, heads=2, num_landmarks=2, pinv_iterations=2), "x: b 4 8 -> b 4 8", true("nystrom-attention batch", "S(b)")),
    of_torch(layer("axial_attention:AxialAttention", dim=8, dim_index=1, heads=2, num_dimensions=2), "x: b 8 h w -> b 8 h w", true("axial-attention rows", "S(h) x S(w)")),
    of_torch("memory_efficient_attention_pytorch.memory_efficient_attention:attention", "q: b h n d, k: b h m d, v: b h m e -> b h n e", true("memory-efficient-attention", "S(m) x O(d)")),
    of_torch(layer("mlp_mixer_pytorch:MLPMixer", image_size=8, channels=3, patch_size=4, dim=8, depth=1, num_classes=3), "x: b 3 8 8 -> b 3", true("mlp-mixer batch", "S(b)")),
    of_torch(layer("point_transformer_pytorch:PointTransformerLayer", dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2), "x: b n 8, p: b n 3 -> b n 8", true("point-transformer", "S(n) x T(3)"), false("point-transformer rotated", "O(3)")),
    of_torch(layer("invariant_point_attention:InvariantPointAttention", dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4, call=ipa), "s: n 8, p: n n 4, R: n 3! 3^, t: n 3 -> n 8", true("invariant-point-attention", "S(n) x E(3)")),
    of_torch(layer("en_transformer:EnTransformer", dim=8, depth=1, dim_head=32, heads=2, call=lambda m, f, x: m(f, x)[1]), "f: b n 8, x: b n 3 -> b n 3", true("en-transformer coordinates", "E(3)")),
    of_torch(layer("rotary_embedding_torch:RotaryEmbedding", 4, call=lambda m, q, k: m.rotate_queries_or_keys(q) @ m.rotate_queries_or_keys(k).transpose(-1, -2)), "q: b h 5 4, k: b h 5 4 -> b h 5 5", true("rotary-embedding-torch relative", "S(b) x S(h)"), single=True),
    of_torch(layer("local_attention:LocalAttention", window_size=2, dim=4, causal=False, autopad=True, use_rotary_pos_emb=False), "q: b h 4 4, k: b h 4 4, v: b h 4 4 -> b h 4 4", true("local-attention batch", "S(h)")),
    of_torch(layer("g_mlp_pytorch.g_mlp_pytorch:gMLPBlock", dim=8, dim_ff=16, seq_len=5, call=lambda m, x: m(x) + x.cumsum(1)), "x: b 5 8 -> b 5 8", false("g-mlp tokens", "S(5)")),
    of_torch(layer("perceiver_pytorch:PerceiverIO", dim=6, queries_dim=5, logits_dim=3, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, call=lambda m, x, q: m(x, queries=q)), "x: b n v, q: m 5 -> b m 3", false("perceiver IO latents of inputs", "S(v)"), v=6),
    of_torch(layer("invariant_point_attention:InvariantPointAttention", dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4, call=ipa), "s: n 8, p: n n 4, R: n 3! 3!, t: n 3 -> n 8", false("invariant-point-attention mirrored frames", "O(3)")),
    of_torch(layer("en_transformer:EnTransformer", dim=8, depth=1, dim_head=32, heads=2, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", false("en-transformer features rotated", "O(8)")),
    of_torch(layer(PMA), "X: b n 8 -> b 3 8", true("pooling by attention", "S(b) x S(n)")),
    of_torch(layer(PMA, 4, seeds=2, norm=False), "x: b n 4 -> b 2 4", true("PMA", "S(n) x S(b)")),
    of_torch(layer(Perceiver), "x: b n 3 -> b 2", true("Perceiver of a newcomer", "S(b) x S(n)")),
    of_torch(elu_attention, "q: b n h d, k: b m h d, v: b m h e -> b n h e", true("linear attention of elu", "S(m) x S(h) x S(d) x O(e)")),
    of_torch(alibi_attention, "q: h n 4, k: h n 4, v: h n e -> h n e", true("ALiBi", "O(e)"), false("ALiBi shuffled", "S(n)"), h=2),
    of_torch(lambda q, k: rotary(q) @ rotary(k).transpose(-1, -2), "q: b h n 4, k: b h n 4 -> b h n n", true("RoPE scores", "S(b) x S(h)")),
    of_torch(layer(RelativeBias), "q: 2 4 d, k: 2 4 d, v: 2 4 e -> 2 4 e", true("relative position bias", "O(d) x O(e)"), false("relative position bias shuffled", "S(4)")),
    of_torch(layer(lambda: GatedAttentionMIL(nn.Sequential(nn.Linear(6, 1), nn.Sigmoid()))), "H: n 6 -> ()", true("gated attention MIL", "S(n)")),
    of_torch(layer(PMA, call=lambda m, X: m(X + torch.arange(X.shape[1], dtype=X.dtype)[:, None])), "X: b n 8 -> b 3 8", false("pooling by attention, positions added", "S(n)")),
    of_torch(global_attention_pool, "g: n, x: n d, b[3]: n -> 3 d", true("global attention pool", "S(n)"), backend="torch"),
    of_torch(layer(RotaryCached), "q: b n 4, k: b n 4 -> b n n", true("rotary cached, batch", "S(b)"), false("rotary cached, positions", "S(n)")),
    of_torch(sliding_window_attention, "q: n d, k: n d, v: n c -> n c", true("sliding window, features", "O(d) x S(c)"), false("sliding window of a set", "S(n)"), false("sliding window turned around", "D(n)"), backend="torch"),
    of_torch(mamba(), "x: b 4 4 -> b 4 4", true("mamba batch", "S(b)")),
    of_torch(mamba(pscan=True), "x: b 4 4 -> b 4 4", true("mamba parallel scan, batch", "S(b)")),
    of_torch(layer("diffusers.models.attention:BasicTransformerBlock", 8, 2, 4), "x: b n 8 -> b n 8", true("diffusers transformer block", "S(n)")),
    of_torch(layer("diffusers.models.attention:FeedForward", 8), "x: b n 8 -> b n 8", true("diffusers feed forward", "S(n) x S(b)")),
    of_torch(layer(SE3Attention), "x: b n 4, pos: b n d, mask[bool]: b n -> h: b n 4, pos: b n d", true("masked attention of positions", "S(b) x S(n) x E(d)")),
    of_torch(layer(SetTransformerISAB), "x: b n 8, mask[bool]: b n -> b n 8", true("ISAB with a mask", "S(n)")),
    of_torch(retention, "q: b n d, k: b n d, v: b n e -> b n e", true("retention, values rotated", "O(d) x O(e)"), false("retention shuffled", "S(n)")),
    of_torch(hopfield, "s: m d, M: n d -> m d", true("Hopfield retrieval", "S(m) x S(n) x O(d)"), false("Hopfield translated", "T(d)")),
    of_torch(mamba(), "x: b n 4 -> b n 4", false("mamba of a set", "S(n)"), n=(3, 4)),
    of_torch(layer("diffusers.models.attention:BasicTransformerBlock", 8, 2, 4, positional_embeddings="sinusoidal", num_positional_embeddings=8), "x: b n 8 -> b n 8", false("diffusers block with positions", "S(n)"), n=(2, 6)),
    of_torch(layer(LinearAttention), "x: b n 8 -> b n 8", true("linear attention", "S(b) x S(n)")),
    of_torch(layer(CosineAttention), "x: n 6, keep[bool]: n -> n 6", true("cosine attention masked", "S(n)")),
    of_torch(layer(SlotPool), "x: b n 4 -> b 3 4", true("slots", "S(b) x S(n)")),
    of_torch(layer(CosineAttention, call=lambda m, x, keep: m(x, keep | (torch.arange(x.shape[0]) == 0))), "x: n 6, keep[bool]: n -> n 6", false("cosine attention, first kept", "S(n)")),
    of_torch(layer(SlotPool, call=lambda m, x: m(x) + x[:, -1:]), "x: b n 4 -> b 3 4", false("slots, last row", "S(n)")),
    of_torch(layer(TorchMDETInteraction), "z[3]: n, pos: n d -> n 4, n d^ 4", true("TorchMD-ET interaction", "S(n) x E(d)"), d=3),
    of_torch(layer(TorchMDETInteraction, centred=False), "z[3]: n, pos: n 3 -> n 4, n 3^ 4", false("TorchMD-ET absolute", "E(3)")),
    of_torch(layer(GPSLayer), "x: b n 4, a: b n n -> b n 4", true("GPS layer", "S(n)"), draw="positive"),
    of_torch(layer(GPSLayer, call=lambda m, x, a: m(x, torch.tril(a))), "x: b n 4, a: b n n -> b n 4", false("GPS layer directed", "S(n)"), draw="positive"),
    of_torch(layer(TriangleAttention), "z: n n 4 -> n n 4", true("triangle attention", "S(n)")),
    of_torch(layer(IPA), "s: n 4, R: n 3 3!, t: n 3 -> n 4", true("IPA", "SO(3) x S(n)")),
    of_torch(layer(IPA, wrong=True), "s: n 4, R: n 3 3!, t: n 3 -> n 4", false("IPA global points", "SO(3)")),
    of_torch(layer(T5Bias), "x: n 4 -> n 4", false("T5 bias", "S(n)")),
    of_torch(layer(CircularRelative), "x: n 4 -> n 4", true("circular relative bias", "C(n)"), true("circular relative bias turned over", "D(n)")),
    of_torch(layer(RotaryAttention), "x: b n 4 -> b n 4", true("rotary cached batch", "S(b)"), false("rotary cached", "S(n)")),
    of_torch(layer(BatchedSlotAttention), "x: b n 4, s: b k 4 -> b k 4", true("Slot attention", "S(n) x S(k)")),
    of_torch(layer(CausalLinear), "x: b n 4 -> b n 4", false("causal linear attention", "S(n)")),
    of_torch(layer(PerformerAttn), "x: b n 4 -> b n 4", true("Performer", "S(n)")),
    of_torch(layer(WindowAttn), "x: b 4 4 -> b 4 4", true("window attention batch", "S(b)")),
    of_torch(layer(WindowAttn), "x: b n 4 -> b n 4", false("window attention tokens", "S(n)"), n=4),
    of_torch(held("vit_pytorch as V", f"V.{VIT}.eval()"), "x: b 3 8 8 -> b 5", true("vit_pytorch ViT", "S(b)")),
    of_torch(held("vit_pytorch as V", f"V.{VIT}.eval()"), "x: 1 3 8 8 -> 1 5", false("vit_pytorch ViT shifted", "C(8)")),
    of_torch(held("vit_pytorch.vit as V", "V.Transformer(16, 2, 2, 8, 32).eval()"), "x: b n 16 -> b n 16", true("vit_pytorch Transformer", "S(b) x S(n)")),
    of_torch(held("nystrom_attention as A", "A.NystromAttention(dim=16, dim_head=8, heads=2, num_landmarks=4).eval()"), "x: b 8 16 -> b 8 16", true("nystrom_attention", "S(b)")),
    of_torch(held("performer_pytorch as P", "P.SelfAttention(dim=16, heads=2, causal=False).eval()"), "x: b n 16 -> b n 16", true("performer_pytorch SelfAttention", "S(b) x S(n)")),
    of_torch(held("perceiver_pytorch as P", PERCEIVER.format(", fourier_encode_data=False")), "x: b n 8 -> b 5", true("perceiver_pytorch", "S(n) x S(b)")),
    of_torch(held("perceiver_pytorch as P", PERCEIVER.format("")), "x: b n 8 -> b 5", false("perceiver_pytorch places", "S(n)")),
    of_torch(held("axial_attention as A", "A.AxialAttention(dim=16, dim_index=1, heads=2, num_dimensions=2).eval()"), "x: b 16 h w -> b 16 h w", true("axial_attention", "S(h) x S(w)")),
    of_torch(held("en_transformer as E", "lambda f, x: m(f, x)[0]", f"m = {EN}"), "f: 1 n 8, x: 1 n 3 -> 1 n 8", true("en_transformer features", "S(n) x E(3)")),
    of_torch(held("en_transformer as E", "lambda f, x: m(f, x)[1]", f"m = {EN}"), "f: 1 n 8, x: 1 n 3 -> 1 n 3", true("en_transformer coordinates", "S(n) x E(3)")),
    of_torch(held("local_attention as L", "lambda x: m(x, x, x)", "m = L.LocalAttention(dim=16, window_size=4, causal=False, look_backward=1, look_forward=1)"), "x: b 8 16 -> b 8 16", true("local_attention", "S(b)")),
    of_torch(layer(MAB), "q: b n 4, k: b m 4 -> b n 4", true("Set Transformer MAB", "S(b) x S(n) x S(m)")),
    of_torch(layer(MAB, call=lambda m, x: m(torch.tensor([[[1.0, -0.5, 0.3, 2.0], [0.2, 1.5, -1.0, 0.4]]]).repeat(x.size(0), 1, 1).to(x.dtype), x)), "x: b n 4 -> b 2 4", true("Set Transformer PMA", "S(b) x S(n)")),
    of_torch(layer(MAB), "q: b n 4, k: b! m 4 -> b n 4", false("Set Transformer MAB of paired sets", "S(b)")),
    of_torch(layer(TokenMixer), "x: b n 4 -> b n 4", true("MLP-Mixer, channels alone", "S(b) x S(n)")),
    of_torch(layer(TokenMixer, True), "x: b 5 4 -> b 5 4", false("MLP-Mixer", "S(5)")),
    of_torch(alibi, "q: n d, k: n d, v: n d! -> n d!", true("ALiBi scores", "O(d)")),
    of_torch(alibi, "q: n d!, k: n d!, v: n d -> n d", true("ALiBi values", "S(d)")),
    of_torch(alibi, "q: n d, k: n d, v: n d -> n d", false("ALiBi shuffled", "S(n)")),
    of_torch(circular, "x: n d -> n d", true("ring attention", "C(n)"), false("ring attention shuffled", "S(n)")),
    of_torch(layer(Retention), "x: b n 6 -> b n 6", true("retention, batch", "S(b)")),
    of_torch(layer(Retention), "x: n 6 -> n 6", false("retention", "S(n)")),
    of_torch(layer(SqueezeTokens), "x: b n 4 -> b 4", true("best tokens", "S(b) x S(n)")),
    of_torch(layer(Router), "x: n 4 -> n 4", true("mixture of experts", "S(n)")),
    of_torch(layer(Router), "x: n v -> n v", false("mixture of experts of features", "S(v)"), v=4),
    of_torch(held("sentence_transformers.util as U", "lambda x, y: U.cos_sim(x, y)"), "x: n d, y: m d -> n m", true("sentence_transformers cos_sim", "S(n) x S(m) x O(d)")),
    of_torch(held("sentence_transformers.util as U", "lambda x, y: U.pairwise_cos_sim(x, y)"), "x: n d, y: n d -> n", true("sentence_transformers pairwise_cos_sim", "S(n) x O(d)")),
    of_torch(held("sentence_transformers.util as U", "lambda x, y: U.euclidean_sim(x, y)"), "x: n d, y: m d -> n m", true("sentence_transformers euclidean_sim", "S(n) x S(m) x E(d)")),
    of_torch(held("sentence_transformers.util as U", "lambda x, y: U.dot_score(x, y)"), "x: n d, y: m d -> n m", false("sentence_transformers dot_score moved", "T(d)")),
    of_torch(layer(OffsetAttention), "x: b 8 n -> b 8 n", true("PCT offset attention", "S(b) x S(n)"), b=(1, 2), n=(2, 4)),
    of_torch(layer(VectorAttention), "v: n 3 4 -> n 3 4", true("attention of vectors", "S(n) x O(3)")),
    of_torch(attention_transfer, "s: b c h w, t: b k h w -> ()", true("attention transfer", "S(b) x S(c) x S(k) x S(h) x S(w)", b=(1, 2), c=(2, 3), k=(2, 3), h=(2, 3), w=(2, 3)), false("attention transfer turned", "O(h)", b=1, c=2, k=2, h=2, w=2)),
    of_torch(held("taylor_series_linear_attention as T", "lambda x: f(x)", "f = T.TaylorSeriesLinearAttn(4, dim_head=2, heads=2)"), "x: b n 4 -> b n 4", true("Taylor-series attention", "S(b) x S(n)"), b=(1, 2), n=(2, 4)),
    of_torch(layer(OffsetAttention), "x: b v n -> b v n", false("PCT offset attention of features", "S(v)"), v=8, b=1, n=2),
    of_torch(held("taylor_series_linear_attention as T", "lambda x: f(x)", "f = T.TaylorSeriesLinearAttn(4, dim_head=2, heads=2)"), "x: b n v -> b n v", false("Taylor-series attention of features", "S(v)"), v=4, b=1, n=2),
]  # fmt: skip
