"""Claims that users get wrong: axes, positions, masks, batches, biases, orders, padding, strides."""

import einops
import jax
import jax.numpy as jnp
import numpy as np
import torch
import torch.nn.functional as F
from scipy import ndimage, signal, spatial, special, stats
from torch import distributions as D
from torch import nn

from benchmarks.packages.attention import tiny
from benchmarks.packages.claims import built, false, layer, of_jax, of_numpy, of_torch, one
from benchmarks.packages.jax_functions import equinox_layer, flax_layer
from benchmarks.packages.libraries import (
    G,
    L,
    M,
    X,
    decomposition,
    jraph,
    linear_model,
    linen,
    metrics,
    neighbors,
    ot,
    pairwise,
    preprocessing,
    timm,
)

BERT = {"vocab_size": 11, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
BERT |= {"intermediate_size": 16, "max_position_embeddings": 16}

class VectorLayer(nn.Module):  # vectors through a linear layer of channels, with a bias
    def __init__(self, bias=True):
        super().__init__()
        self.mix = nn.Linear(4, 5, bias=bias)
    def forward(self, v):
        """The layer: v has rows of channels and columns of coordinates."""
        return self.mix(v.transpose(-1, -2)).transpose(-1, -2)

class SinglePositions(nn.Module):  # A transformer whose positions are added once
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.place = nn.Parameter(torch.randn(16, 8))
    def forward(self, x):
        return self.layer((x + self.place[: x.shape[0]])[None])[0].mean(0)

class OrderedPool(nn.Module):  # DeepSets with a recurrent pool
    def __init__(self):
        super().__init__()
        self.phi, self.pool = nn.Linear(3, 4), nn.GRU(4, 4, batch_first=True)
    def forward(self, x):
        return self.pool(self.phi(x).relu()[None])[1][0, 0]

def farthest_points(x):  # three points, each far from those before; the first is that of index 0
    taken = [0]
    d = ((x - x[0]) ** 2).sum(1)
    for _ in range(2):
        taken.append(int(torch.argmax(d)))
        d = torch.minimum(d, ((x - x[taken[-1]]) ** 2).sum(1))
    return x[taken].mean(0)

def frames(x):  # coordinates in the frame of the principal axes, their signs taken as they come
    c = x - x.mean(0)
    return c @ torch.linalg.eigh(c.T @ c)[1]

def sorted_by_coordinate(x):
    order = torch.argsort(x[:, 0])
    return (x[order] * torch.arange(1.0, len(x) + 1, dtype=x.dtype)[:, None]).sum(0)

def in_the_wrong_axis(x):
    return torch.softmax(x @ x.T, dim=0) @ x

def masked_mean_over_all(x, keep):
    return (x * keep[:, None]).sum(0) / len(x)

def online_hard_negatives(z):
    d = torch.cdist(z, z)
    return F.relu(d[0::2, 1::2].diagonal() - d[1::2, 0::2].diagonal().roll(1) + 0.2).mean()

def einops_pool(x):
    return einops.reduce(x, "(n two) d -> n d", "mean", two=2)

def einops_attention(x):
    q = einops.rearrange(x, "(n k) d -> n k d", k=2)
    return einops.rearrange(torch.softmax(torch.einsum("nkd,nld->nkl", q, q), -1) @ q, "n k d -> (n k) d")

def laplacian_positions(A):
    L = np.diag(A.sum(1)) - A
    return np.abs(np.linalg.eigh(L + L.T)[1][0])

def bond_order(X):
    v = np.diff(X, axis=0)
    return np.linalg.norm(v, axis=1).mean()

def sinkhorn_rows(M):
    n, m = M.shape
    return ot.sinkhorn(np.ones(n) / n, np.ones(m) / m, M / M[0].max(), 1.0, numItermax=3, warn=False)

def inertia(m, X):
    return np.einsum("i,ia,ib->ab", m, X, X)

def running(x):
    m = 0.0
    for r in x:
        m = 0.9 * m + 0.1 * r
    return m

def jax_attention_by_rows(x):
    return jax.nn.softmax(x @ x.T, axis=0) @ x

@built
def flax_rnn():
    layer = linen.RNN(linen.GRUCell(4, param_dtype=jnp.result_type(float)))
    state = layer.init(jax.random.key(0), jnp.zeros((5, 3)))
    return lambda x: layer.apply(state, x)

def jraph_graph(x, e):
    sent = x[e[0]] * jraph.segment_softmax((x[e[0]] * x[e[1]]).sum(1), e[0], x.shape[0])[:, None]
    return jraph.segment_sum(sent, e[1], x.shape[0]) + x[:1]

CLAIMS = [
    of_torch(lambda x: in_the_wrong_axis(x) + x.abs(), "x: n d -> n d", false("torch attention softmax over queries, rotated weights", "O(d)")),
    of_torch(lambda x: in_the_wrong_axis(x)[0], "x: n d -> d", false("torch softmax over keys of one query", "S(n)")),
    of_torch(layer(VectorLayer), "v: 4 d -> 5 d", false("torch VectorLayer with bias", "O(d)")),
    of_torch(lambda v: F.silu(v) * v.norm(dim=-1, keepdim=True), "v: n d -> n d", false("torch vectors gated by entries", "O(d)")),
    of_torch(layer(SinglePositions), "x: n 8 -> 8", false("torch learned positions pooled", "S(n)"), n=(2, 6)),
    of_torch(layer(OrderedPool), "x: n 3 -> 4", false("torch recurrent pool", "S(n)")),
    of_torch(farthest_points, "x: n d -> d", false("torch farthest points from the first", "S(n)"), n=(4, 6)),
    of_torch(frames, "x: n 3 -> n 3", false("torch principal frames", "O(3)"), n=(4, 6)),
    of_torch(sorted_by_coordinate, "x: n d -> d", false("torch sorted by a coordinate", "O(d)")),
    of_torch(lambda x, keep: masked_mean_over_all(x, keep), "x: n d, keep[bool]: n -> d", false("torch mask over padding counted", "T(d)")),
    of_torch(online_hard_negatives, "z: n d -> ()", false("torch positives next to each other", "S(n)"), n=4),
    of_torch(layer(nn.TransformerEncoderLayer, 8, 2, 16, batch_first=True, call=lambda m, x: m(x[None])[0, 0]), "x: n 8 -> 8", false("torch first token after attention", "S(n)")),
    of_torch(layer(nn.MultiheadAttention, 8, 2, call=lambda m, x: m(x, x, x)[0]), "x: b n 8 -> b n 8", false("torch attention without batch_first", "S(b) x O(8)")),
    of_torch(built(lambda: (lambda m: lambda x: m(x)[0])(nn.BatchNorm1d(3).train())), "x: n 3 -> 3", false("torch BatchNorm1d in training mode of one row", "S(n)")),
    of_torch(layer(lambda: (lambda m: (m.weight.data.copy_(torch.arange(12.0).reshape(3, 4)), m)[1])(nn.LayerNorm((3, 4)))), "x: b 3 4 -> b 3 4", false("torch LayerNorm over rows and columns weighted", "S(3)")),
    of_torch(layer(lambda: (lambda m: (m.weight.data.copy_(torch.tensor([1.0, 2.0, 3.0])), m)[1])(nn.InstanceNorm1d(3, affine=True)), call=one), "x: v n -> v n", false("torch InstanceNorm of permuted channels", "S(v)"), v=3, n=(3, 6)),
    of_torch(layer(nn.Conv1d, 3, 4, 2, stride=2, padding_mode="circular", call=one), "x: 3 8 -> 4 4", false("torch Conv1d stride", "C(8)")),
    of_torch(layer(nn.Conv2d, 1, 1, 3, padding=1, call=one), "x: 1 h h -> 1 h h", false("torch Conv2d of rotated images", "D(h)"), h=4),
    of_torch(lambda x: F.max_pool1d(x[None], 2)[0].sum(-1), "x: c 6 -> c", false("torch MaxPool1d windows", "S(6)")),
    of_torch(lambda x: F.adaptive_avg_pool1d(x[None], 2)[0].square().sum(-1), "x: c 6 -> c", false("torch AdaptiveAvgPool1d(2)", "S(6)")),
    of_torch(lambda x: F.unfold(x, 2, stride=2).square().sum(1).amax(-1), "x: b c 4 4 -> b", false("torch Unfold patches", "S(4)")),
    of_torch(layer(nn.Bilinear, 4, 4, 3), "x: n 4, y: n 4 -> n 3", false("torch Bilinear of swapped inputs", "O(4)")),
    of_torch(layer(nn.GLU, -1), "x: n v -> n 3", false("torch GLU halves", "S(v)"), v=6),
    of_torch(lambda x: nn.ChannelShuffle(2)(x), "x: b 6 4 4 -> b 6 4 4", false("torch ChannelShuffle", "S(6)")),
    of_torch(layer(nn.CosineSimilarity, -1), "x: n d, y: n d -> n", false("torch cosine of translated", "T(d)")),
    of_torch(lambda x, y: F.cosine_embedding_loss(x, y, 1.0 - 2.0 * (torch.arange(len(x)) % 2)), "x: n d, y: n d -> ()", false("torch CosineEmbeddingLoss with targets by place", "S(n)"), n=(3, 6)),
    of_torch(layer(nn.HuberLoss), "x: n d, y: n d -> ()", false("torch HuberLoss rotated", "O(d)")),
    of_torch(lambda x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean"), "x: n c, y: n c -> ()", false("torch KLDivLoss of log scores scaled", "Scale(c)")),
    of_torch(lambda x: torch.logcumsumexp(x, 0)[1], "x: n -> ()", false("torch CTC like alignment", "S(n)"), n=(3, 6)),
    of_torch(lambda x: F.one_hot(x.argsort(), 4).to(x.dtype) @ torch.arange(4).to(x.dtype), "x: 4 -> 4", false("torch one_hot ranks", "S(4)")),
    of_torch(layer(nn.EmbeddingBag, 7, 4, mode="sum", call=lambda m, i: m(i[None], per_sample_weights=torch.linspace(1, 2, i.shape[0], dtype=m.weight.dtype)[None])[0]), "i[7]: n -> 4", false("torch EmbeddingBag weighted by place", "S(n)")),
    of_torch(lambda x: torch.linalg.qr(x.T)[1].diagonal().abs(), "x: n d -> n", false("torch qr of rows", "S(n)"), n=3, d=4),
    of_torch(lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(len(x))).diagonal(), "x: n d -> n", false("torch cholesky of a Gram matrix", "S(n)")),
    of_torch(lambda x: x * (torch.arange(x.shape[0], dtype=x.dtype) % 2)[:, None] * 2, "x: n d -> n d", false("torch dropout off by hand", "S(n)")),
    of_torch(lambda x: x.transpose(0, 1).reshape(x.shape[0], -1), "x: 3 4 d -> 3 4d", false("torch batch mixed by view", "S(3)"), backend="torch"),
    of_torch(lambda x: x.reshape(2, -1, 4).sum(0), "x: n 8 -> n 4", false("torch straight reshape of heads", "S(n)")),
    of_torch(lambda x: D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 1.0], [1.0, 2.0]])).log_prob(x), "x: n 2 -> n", false("torch MultivariateNormal with a full covariance", "O(2)")),
    of_torch(lambda x: D.Categorical(logits=x).entropy(), "x: n c -> n", false("torch Categorical entropy of scaled logits", "Scale(c)")),
    of_torch(lambda x: D.Normal(0.0, 1.0).log_prob(x).exp().sum(-1), "x: n d -> n", false("torch LogNormal rotated", "O(d)")),
    of_torch(lambda x, m: D.Laplace(m, 1.0).log_prob(x).sum(-1), "x: n d, m: n d -> n", false("torch Laplace rotated", "O(d)")),
    of_torch(lambda p: D.Dirichlet(torch.arange(1.0, 5.0), validate_args=False).log_prob(p), "p: 4 -> ()", false("torch Dirichlet of numbered rates", "S(4)"), draw="positive"),
    of_torch(lambda m: D.kl_divergence(D.Normal(m, 1.0), D.Normal(0.0, torch.arange(1.0, m.shape[-1] + 1))).sum(-1), "m: n d -> n", false("torch kl of normals with numbered scales", "O(d)"), d=(2, 4)),
    of_torch(M.mean_absolute_percentage_error, "x: n, y: n -> ()", false("torchmetrics mean_absolute_percentage_error swapped", "T(n)"), draw="positive"),
    of_torch(lambda x, y: M.pairwise_minkowski_distance(x, y, exponent=3), "x: n d, y: m d -> n m", false("torchmetrics pairwise_minkowski rotated", "O(d)")),
    of_torch(lambda x, y: M.signal_noise_ratio(x, y), "x: n, y: n -> ()", false("torchmetrics signal_noise_ratio of scaled noise", "T(n)")),
    of_torch(M.cosine_similarity, "x: n d, y: n d -> ()", false("torchmetrics cosine_similarity centred", "T(d)")),
    of_torch(lambda x, y: M.tweedie_deviance_score(x, y, power=0.0), "x: n, y: n -> ()", false("torchmetrics tweedie scaled", "Scale(n)")),
    of_torch(lambda x, y: M.log_cosh_error(x, y)[0], "x: n v, y: n v -> ()", false("torchmetrics log_cosh of columns", "S(v)"), v=3),
    of_torch(tiny("BertConfig", "BertModel", "last_hidden_state", **BERT), "i[11]: b n -> b n 8", false("BERT tokens swapped", "S(n)"), n=(3, 5)),
    of_torch(tiny("BertConfig", "BertModel", "pooler_output", **BERT), "i[11]: b n -> b 8", false("BERT pooled, tokens swapped", "S(n)"), n=(3, 5)),
    of_torch(tiny("RobertaConfig", "RobertaModel", "last_hidden_state", **{**BERT, "max_position_embeddings": 20}), "i[11]: b n -> b n 8", false("RoBERTa tokens swapped", "S(n)"), n=(3, 5)),
    of_torch(tiny("Qwen2Config", "Qwen2Model", "last_hidden_state", **BERT, num_key_value_heads=1), "i[11]: b n -> b n 8", false("Qwen2 tokens swapped", "S(n)"), n=(3, 5)),
    of_torch(tiny("OPTConfig", "OPTModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, ffn_dim=16, max_position_embeddings=16, word_embed_proj_dim=8), "i[11]: b n -> b n 8", false("OPT tokens swapped", "S(n)"), n=(3, 5)),
    of_torch(layer(X.Decoder, dim=8, depth=1, heads=2), "x: b n 8 -> b n 8", false("x-transformers decoder", "S(n)")),
    of_torch(layer(X.Encoder, dim=8, depth=1, heads=2), "x: b n v -> b n v", false("x-transformers encoder width", "S(v)"), v=8),
    of_torch(layer(L.SwiGLU, 4, 8), "x: n 4 -> n 4", false("timm SwiGLU rotated", "O(4)")),
    of_torch(layer(lambda: (lambda m: (m.gamma.data.copy_(torch.arange(6.0)), m)[1])(L.LayerScale(6))), "x: n v -> n v", false("timm LayerScale channels", "S(v)"), v=6),
    of_torch(layer(timm.create_model, "mobilenetv3_small_050", num_classes=2), "x: b 3 32 w -> b 2", false("timm mobilenet columns", "C(w)"), b=(1, 2), w=32),
    of_torch(layer(L.BlurPool2d, 3), "x: b 3 h 8 -> b 3 4 4", false("timm BlurPool rows", "C(h)"), h=8),
    of_torch(layer(G.GCNConv, 4, 3, call=lambda c, x, e: c(x * torch.linspace(1, 2, len(x), dtype=x.dtype)[:, None], e)), "x: n 4, e[n]: 2 m -> n 3", false("PyG GCNConv node weights", "S(n)")),
    of_torch(layer(G.GATConv, 4, 3), "x: n 4, e[n]: 2 m -> n 3", false("PyG GATConv rotated", "O(4)")),
    of_torch(layer(G.aggr.LSTMAggregation, 4, 3, call=lambda a, x: a(x, dim=0)[0]), "x: n 4 -> 3", false("PyG LSTM aggregation", "S(n)")),
    of_torch(layer(G.aggr.MaxAggregation, call=lambda a, x: a(x, dim=0)[0]), "x: n d -> d", false("PyG max aggregation rotated", "O(d)")),
    of_torch(layer(G.TransformerConv, 4, 3, call=lambda c, x, e: c(x, e[:, : e.shape[1] // 2])), "x: n 4, e[n]: 2 m -> n 3", false("PyG TransformerConv edges numbered", "S(m)"), m=(4, 8)),
    of_torch(layer(G.DenseGCNConv, 4, 3), "x: b n v, a: b n n -> b n 3", false("PyG DenseGCNConv directed", "S(v)"), v=4, draw="positive"),
    of_torch(layer(G.aggr.SortAggregation, k=2, call=lambda a, x: a(x, dim=0)[0]), "x: n 3 -> 6", false("PyG sorted aggregation", "O(3)")),
    of_torch(layer(lambda: G.EdgeConv(nn.Linear(8, 3)), call=lambda c, x, e: c(x, e)), "x: n 4, e[n]: 2 m -> n 3", false("PyG EdgeConv translated", "T(4)")),
    of_torch(lambda x: einops.rearrange(x, "n (h k) -> n (k h)", h=2), "x: n v -> n v", false("einops heads swapped", "S(v)"), v=6),
    of_torch(lambda x: einops_pool(x).square().sum(0), "x: n d -> d", false("einops pool of neighbours", "S(n)"), n=(4, 4), backend="torch"),
    of_torch(einops_attention, "x: n d -> n d", false("einops windows of attention", "S(n)"), n=4),
    of_numpy(lambda X, Y: spatial.distance.cdist(X, Y, "correlation"), "X: n d, Y: m d -> n m", false("scipy cdist correlation rotated", "O(d)"), d=(3, 4)),
    of_numpy(lambda X: spatial.distance.squareform(spatial.distance.pdist(X)), "X: n d -> n n", false("scipy minkowski scaled", "Scale(d)")),
    of_numpy(lambda x: special.softmax(x, axis=0), "x: n c -> n c", false("scipy softmax over samples", "T(c)")),
    of_numpy(lambda X: stats.trim_mean(X, 0.25, axis=0), "X: n d -> d", false("scipy trim_mean of rows", "O(d)"), n=(4, 6)),
    of_numpy(lambda x: stats.gmean(x), "x: n -> ()", false("scipy gmean scaled", "Scale(n)"), draw="positive"),
    of_numpy(lambda x: ndimage.uniform_filter1d(x, 3), "x: n -> n", false("scipy uniform filter", "C(n)"), n=(4, 7)),
    of_numpy(lambda x: np.diff(stats.rankdata(x)).sum(), "x: n -> ()", false("scipy diff of ranks", "S(n)"), n=(3, 6)),
    of_numpy(lambda x: signal.correlate(x, x, "full")[len(x)], "x: n -> ()", false("scipy lag autocorrelation", "S(n)"), n=(3, 6)),
    of_numpy(lambda X: preprocessing.StandardScaler(with_mean=False).fit_transform(X), "X: n d -> n d", false("sklearn StandardScaler translated columns", "T(d)")),
    of_numpy(lambda X, y: linear_model.Ridge(1.0, fit_intercept=False).fit(X, y).predict(X), "X: n d, y: n -> n", false("sklearn Ridge not centred", "T(d)"), n=(4, 6), d=(2, 3)),
    of_numpy(lambda X: decomposition.PCA(2).fit_transform(X), "X: n 3 -> n 2", false("sklearn PCA scores", "O(3)"), n=(5, 7)),
    of_numpy(lambda X: pairwise.sigmoid_kernel(X, gamma=0.5), "X: n d -> n n", false("sklearn sigmoid kernel translated", "T(d)")),
    of_numpy(lambda x, y: metrics.max_error(x, y * np.arange(1, len(y) + 1)), "x: n, y: n -> ()", false("sklearn max_error numbered", "S(n)")),
    of_numpy(lambda X, y: neighbors.KNeighborsRegressor(2).fit(X[:3], y[:3]).predict(X), "X: n d, y: n -> n", false("sklearn train split", "S(n)"), n=(5, 6)),
    of_numpy(ot.dist, "X: n d, Y: m d -> n m", false("POT dist of scaled points", "Scale(d)")),
    of_numpy(sinkhorn_rows, "M: n m -> n m", false("POT sinkhorn rows renormalised", "S(n)"), draw="positive"),
    of_numpy(laplacian_positions, "A: n n -> n", false("NumPy Laplacian positions of the first node", "S(n)"), n=(3, 5), draw="positive"),
    of_numpy(bond_order, "X: n d -> ()", false("NumPy chain of a set", "S(n)"), n=(3, 6)),
    of_numpy(lambda X: np.linalg.norm(X, axis=1), "X: n d -> n", false("NumPy distances from the origin", "E(d)")),
    of_numpy(inertia, "m: n, X: n d -> d^ d^", false("NumPy inertia not centred", "E(d)")),
    of_numpy(running, "x: n -> ()", false("NumPy running mean", "S(n)")),
    of_jax(lambda x: jax_attention_by_rows(x)[-1], "x: n d -> d", false("jax attention over queries pooled", "S(n)")),
    of_jax(lambda x: jax.lax.scan(lambda c, r: (0.5 * c + r, c), x[0] * 0, x)[1], "x: n d -> n d", false("jax scan of sums", "S(n)")),
    of_jax(lambda x: jax.ops.segment_sum(x, jnp.arange(x.shape[0]) // 2, 2), "x: 4 d -> 2 d", false("jax segments of places", "S(4)")),
    of_jax(jraph_graph, "x: n 4, e[n]: 2 m -> n 4", false("jraph softmax by senders", "S(n)")),
    of_jax(equinox_layer("GroupNorm", 2, 4, over=1), "x: n v 3 -> n v 3", false("equinox GroupNorm channels", "S(v)"), v=4),
    of_jax(equinox_layer("PReLU", over=1), "x: n d -> n d", false("equinox PReLU rotated", "O(d)")),
    of_jax(equinox_layer("AvgPool1d", 2, 2), "x: 3 6 -> 3 3", false("equinox AvgPool1d strides", "C(6)")),
    of_jax(flax_layer("Dense", (2, 4), features=4), "x: n 4 -> n 4", false("flax Dense rotated", "O(4)")),
    of_jax(flax_layer("GroupNorm", (2, 4), num_groups=2), "x: n v -> n v", false("flax GroupNorm features", "S(v)"), v=4),
    of_jax(flax_rnn, "x: n 3 -> n 4", false("flax RNN over a set", "S(n)")),
]  # fmt: skip
