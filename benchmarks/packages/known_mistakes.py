"""Claims that users get wrong: axes, positions, masks, batches, biases, orders, padding, strides."""

from __future__ import annotations

import einops
import numpy as np
import ot
import torch
import torch.nn.functional as F
import torchmetrics.functional as M
from scipy import ndimage, signal, spatial, special, stats
from sklearn import decomposition, linear_model, metrics, neighbors, preprocessing
from sklearn.metrics import pairwise
from torch import distributions as D
from torch import nn

from benchmarks.packages.claims import jax_false, numpy_false, torch_false
from benchmarks.packages.helpers import (
    aggregation,
    equinox_layer,
    flax_layer,
    message_passing,
    pot,
    rows,
    seeded,
    timm_layer,
    timm_model,
    tiny,
    xt,
)

GRAPH_local = "x: n 4, e[n]: 2 m -> n 3"

BERT = {"vocab_size": 11, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}

BERT |= {"intermediate_size": 16, "max_position_embeddings": 16}


class VectorLayer(nn.Module):
    """Vectors through a linear layer of channels, with a bias."""

    def __init__(self, bias=True):
        super().__init__()
        self.mix = nn.Linear(4, 5, bias=bias)

    def forward(self, v):
        """The layer: v has rows of channels and columns of coordinates."""
        return self.mix(v.transpose(-1, -2)).transpose(-1, -2)


class SinglePositions(nn.Module):
    """A transformer whose positions are added once."""

    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.place = nn.Parameter(torch.randn(16, 8))

    def forward(self, x):
        """The network."""
        return self.layer((x + self.place[: x.shape[0]])[None])[0].mean(0)


class OrderedPool(nn.Module):
    """DeepSets with a recurrent pool."""

    def __init__(self):
        super().__init__()
        self.phi, self.pool = nn.Linear(3, 4), nn.GRU(4, 4, batch_first=True)

    def forward(self, x):
        """The network."""
        return self.pool(self.phi(x).relu()[None])[1][0, 0]


def farthest_points(x):
    """Three points, each far from those before; the first is that of index 0."""
    taken = [0]
    d = ((x - x[0]) ** 2).sum(1)
    for _ in range(2):
        taken.append(int(torch.argmax(d)))
        d = torch.minimum(d, ((x - x[taken[-1]]) ** 2).sum(1))
    return x[taken].mean(0)


def painn_gate(v):
    return F.silu(v) * v.norm(dim=-1, keepdim=True)


def frames(x):
    """Coordinates in the frame of the principal axes, their signs taken as they come."""
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


def einops_heads(x):
    return einops.rearrange(x, "n (h k) -> n (k h)", h=2)


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


def rdkit_like_distance(X):
    return np.linalg.norm(X, axis=1)


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


def knn_regress(X, y):
    return neighbors.KNeighborsRegressor(2).fit(X[:3], y[:3]).predict(X)


def jax_attention_by_rows(x):
    import jax

    return jax.nn.softmax(x @ x.T, axis=0) @ x


def jax_scan(x):
    import jax

    return jax.lax.scan(lambda c, r: (0.5 * c + r, c), x[0] * 0, x)[1]


def jax_segment(x):
    import jax
    import jax.numpy as jnp

    return jax.ops.segment_sum(x, jnp.arange(x.shape[0]) // 2, 2)


def flax_rnn():
    import jax
    import jax.numpy as jnp
    from flax import flax_layer as nn

    layer = nn.RNN(nn.GRUCell(4, param_dtype=jnp.result_type(float)))
    state = layer.init(jax.random.key(0), jnp.zeros((5, 3)))
    return lambda x: layer.apply(state, x)


def jraph_graph(x, e):
    import jraph

    sent = x[e[0]] * jraph.segment_softmax((x[e[0]] * x[e[1]]).sum(1), e[0], x.shape[0])[:, None]
    return jraph.segment_sum(sent, e[1], x.shape[0]) + x[:1]


CLAIMS = [
    torch_false("torch attention softmax over queries, rotated weights", lambda: lambda x: in_the_wrong_axis(x) + x.abs(), "x: n d -> n d", "O(d)"),
    torch_false("torch softmax over keys of one query", lambda: lambda x: in_the_wrong_axis(x)[0], "x: n d -> d", "S(n)"),
    torch_false("torch VectorLayer with bias", seeded(VectorLayer), "v: 4 d -> 5 d", "O(d)"),
    torch_false("torch vectors gated by entries", lambda: painn_gate, "v: n d -> n d", "O(d)"),
    torch_false("torch learned positions pooled", seeded(SinglePositions), "x: n 8 -> 8", "S(n)", sizes={"n": (2, 6)}),
    torch_false("torch recurrent pool", seeded(OrderedPool), "x: n 3 -> 4", "S(n)"),
    torch_false("torch farthest points from the first", lambda: farthest_points, "x: n d -> d", "S(n)", sizes={"n": (4, 6)}),
    torch_false("torch principal frames", lambda: frames, "x: n 3 -> n 3", "O(3)", sizes={"n": (4, 6)}),
    torch_false("torch sorted by a coordinate", lambda: sorted_by_coordinate, "x: n d -> d", "O(d)"),
    torch_false("torch mask over padding counted", lambda: lambda x, keep: masked_mean_over_all(x, keep), "x: n d, keep[bool]: n -> d", "T(d)"),
    torch_false("torch positives next to each other", lambda: online_hard_negatives, "z: n d -> ()", "S(n)", sizes={"n": 4}),
    torch_false("torch first token after attention", lambda: (lambda m: lambda x: m(x[None])[0, 0])(seeded(lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True))()), "x: n 8 -> 8", "S(n)"),
    torch_false("torch attention without batch_first", lambda: (lambda m: lambda x: m(x, x, x)[0])(seeded(lambda: nn.MultiheadAttention(8, 2))()), "x: b n 8 -> b n 8", "S(b) x O(8)"),
    torch_false("torch BatchNorm1d in training mode of one row", lambda: (lambda m: lambda x: m(x)[0])(nn.BatchNorm1d(3).train()), "x: n 3 -> 3", "S(n)"),
    torch_false("torch LayerNorm over rows and columns weighted", seeded(lambda: (lambda m: (m.weight.data.copy_(torch.arange(12.0).reshape(3, 4)), m)[1])(nn.LayerNorm((3, 4)))), "x: b 3 4 -> b 3 4", "S(3)"),
    torch_false("torch InstanceNorm of permuted channels", rows(lambda: (lambda m: (m.weight.data.copy_(torch.tensor([1.0, 2.0, 3.0])), m)[1])(nn.InstanceNorm1d(3, affine=True))), "x: v n -> v n", "S(v)", sizes={"v": 3, "n": (3, 6)}),
    torch_false("torch Conv1d stride", rows(lambda: nn.Conv1d(3, 4, 2, stride=2, padding_mode="circular")), "x: 3 8 -> 4 4", "C(8)"),
    torch_false("torch Conv2d of rotated images", rows(lambda: nn.Conv2d(1, 1, 3, padding=1)), "x: 1 h h -> 1 h h", "D(h)", sizes={"h": 4}),
    torch_false("torch MaxPool1d windows", lambda: lambda x: F.max_pool1d(x[None], 2)[0].sum(-1), "x: c 6 -> c", "S(6)"),
    torch_false("torch AdaptiveAvgPool1d(2)", lambda: lambda x: F.adaptive_avg_pool1d(x[None], 2)[0].square().sum(-1), "x: c 6 -> c", "S(6)"),
    torch_false("torch Unfold patches", lambda: lambda x: F.unfold(x, 2, stride=2).square().sum(1).amax(-1), "x: b c 4 4 -> b", "S(4)"),
    torch_false("torch Bilinear of swapped inputs", seeded(lambda: nn.Bilinear(4, 4, 3)), "x: n 4, y: n 4 -> n 3", "O(4)"),
    torch_false("torch GLU halves", lambda: nn.GLU(-1), "x: n v -> n 3", "S(v)", sizes={"v": 6}),
    torch_false("torch ChannelShuffle", lambda: lambda x: nn.ChannelShuffle(2)(x), "x: b 6 4 4 -> b 6 4 4", "S(6)"),
    torch_false("torch cosine of translated", lambda: nn.CosineSimilarity(-1), "x: n d, y: n d -> n", "T(d)"),
    torch_false("torch CosineEmbeddingLoss with targets by place", lambda: lambda x, y: F.cosine_embedding_loss(x, y, 1.0 - 2.0 * (torch.arange(len(x)) % 2)), "x: n d, y: n d -> ()", "S(n)", sizes={"n": (3, 6)}),
    torch_false("torch HuberLoss rotated", lambda: nn.HuberLoss(), "x: n d, y: n d -> ()", "O(d)"),
    torch_false("torch KLDivLoss of log scores scaled", lambda: lambda x, y: F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1), reduction="batchmean"), "x: n c, y: n c -> ()", "Scale(c)"),
    torch_false("torch CTC like alignment", lambda: lambda x: torch.logcumsumexp(x, 0)[1], "x: n -> ()", "S(n)", sizes={"n": (3, 6)}),
    torch_false("torch one_hot ranks", lambda: lambda x: F.one_hot(x.argsort(), 4).to(x.dtype) @ torch.arange(4).to(x.dtype), "x: 4 -> 4", "S(4)"),
    torch_false("torch EmbeddingBag weighted by place", lambda: (lambda m: lambda i: m(i[None], per_sample_weights=torch.linspace(1, 2, i.shape[0], dtype=m.weight.dtype)[None])[0])(seeded(lambda: nn.EmbeddingBag(7, 4, mode="sum"))()), "i[7]: n -> 4", "S(n)"),
    torch_false("torch qr of rows", lambda: lambda x: torch.linalg.qr(x.T)[1].diagonal().abs(), "x: n d -> n", "S(n)", sizes={"n": 3, "d": 4}),
    torch_false("torch cholesky of a Gram matrix", lambda: lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(len(x))).diagonal(), "x: n d -> n", "S(n)"),
    torch_false("torch dropout off by hand", lambda: lambda x: x * (torch.arange(x.shape[0], dtype=x.dtype) % 2)[:, None] * 2, "x: n d -> n d", "S(n)"),
    torch_false("torch batch mixed by view", lambda: lambda x: x.transpose(0, 1).reshape(x.shape[0], -1), "x: 3 4 d -> 3 4d", "S(3)", backend="torch"),
    torch_false("torch straight reshape of heads", lambda: lambda x: x.reshape(2, -1, 4).sum(0), "x: n 8 -> n 4", "S(n)"),
    torch_false("torch MultivariateNormal with a full covariance", lambda: lambda x: D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 1.0], [1.0, 2.0]])).log_prob(x), "x: n 2 -> n", "O(2)"),
    torch_false("torch Categorical entropy of scaled logits", lambda: lambda x: D.Categorical(logits=x).entropy(), "x: n c -> n", "Scale(c)"),
    torch_false("torch LogNormal rotated", lambda: lambda x: D.Normal(0.0, 1.0).log_prob(x).exp().sum(-1), "x: n d -> n", "O(d)"),
    torch_false("torch Laplace rotated", lambda: lambda x, m: D.Laplace(m, 1.0).log_prob(x).sum(-1), "x: n d, m: n d -> n", "O(d)"),
    torch_false("torch Dirichlet of numbered rates", lambda: lambda p: D.Dirichlet(torch.arange(1.0, 5.0), validate_args=False).log_prob(p), "p: 4 -> ()", "S(4)", draw="positive"),
    torch_false("torch kl of normals with numbered scales", lambda: lambda m: D.kl_divergence(D.Normal(m, 1.0), D.Normal(0.0, torch.arange(1.0, m.shape[-1] + 1))).sum(-1), "m: n d -> n", "O(d)", sizes={"d": (2, 4)}),
    torch_false("torchmetrics mean_absolute_percentage_error swapped", lambda: M.mean_absolute_percentage_error, "x: n, y: n -> ()", "T(n)", draw="positive"),
    torch_false("torchmetrics pairwise_minkowski rotated", lambda: lambda x, y: M.pairwise_minkowski_distance(x, y, exponent=3), "x: n d, y: m d -> n m", "O(d)"),
    torch_false("torchmetrics signal_noise_ratio of scaled noise", lambda: lambda x, y: M.signal_noise_ratio(x, y), "x: n, y: n -> ()", "T(n)"),
    torch_false("torchmetrics cosine_similarity centred", lambda: M.cosine_similarity, "x: n d, y: n d -> ()", "T(d)"),
    torch_false("torchmetrics tweedie scaled", lambda: lambda x, y: M.tweedie_deviance_score(x, y, power=0.0), "x: n, y: n -> ()", "Scale(n)"),
    torch_false("torchmetrics log_cosh of columns", lambda: lambda x, y: M.log_cosh_error(x, y)[0], "x: n v, y: n v -> ()", "S(v)", sizes={"v": 3}),
    torch_false("BERT tokens swapped", tiny("bert", "BertConfig", "BertModel", "last_hidden_state", **BERT), "i[11]: b n -> b n 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("BERT pooled, tokens swapped", tiny("bert", "BertConfig", "BertModel", "pooler_output", **BERT), "i[11]: b n -> b 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("RoBERTa tokens swapped", tiny("roberta", "RobertaConfig", "RobertaModel", "last_hidden_state", **{**BERT, "max_position_embeddings": 20}), "i[11]: b n -> b n 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("Qwen2 tokens swapped", tiny("qwen2", "Qwen2Config", "Qwen2Model", "last_hidden_state", **BERT, num_key_value_heads=1), "i[11]: b n -> b n 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("OPT tokens swapped", tiny("opt", "OPTConfig", "OPTModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, ffn_dim=16, max_position_embeddings=16, word_embed_proj_dim=8), "i[11]: b n -> b n 8", "S(n)", sizes={"n": (3, 5)}),
    torch_false("x-transformers decoder", xt("Decoder", dim=8, depth=1, heads=2), "x: b n 8 -> b n 8", "S(n)"),
    torch_false("x-transformers encoder width", xt("Encoder", dim=8, depth=1, heads=2), "x: b n v -> b n v", "S(v)", sizes={"v": 8}),
    torch_false("timm SwiGLU rotated", timm_layer("SwiGLU", 4, 8), "x: n 4 -> n 4", "O(4)"),
    torch_false("timm LayerScale channels", lambda: (lambda m: (m.gamma.data.copy_(torch.arange(6.0)), m)[1])(timm_layer("LayerScale", 6)()), "x: n v -> n v", "S(v)", sizes={"v": 6}),
    torch_false("timm mobilenet columns", timm_model("mobilenetv3_small_050", num_classes=2), "x: b 3 32 w -> b 2", "C(w)", sizes={"b": (1, 2), "w": 32}),
    torch_false("timm BlurPool rows", timm_layer("BlurPool2d", 3), "x: b 3 h 8 -> b 3 4 4", "C(h)", sizes={"h": 8}),
    torch_false("PyG GCNConv node weights", lambda: (lambda c: lambda x, e: c(x * torch.linspace(1, 2, len(x), dtype=x.dtype)[:, None], e))(message_passing("GCNConv", 4, 3)()), GRAPH_local, "S(n)"),
    torch_false("PyG GATConv rotated", message_passing("GATConv", 4, 3), GRAPH_local, "O(4)"),
    torch_false("PyG LSTM aggregation", lambda: (lambda a: lambda x: a(x, dim=0)[0])(seeded(lambda: __import__("torch_geometric").nn.aggr.LSTMAggregation(4, 3))()), "x: n 4 -> 3", "S(n)"),
    torch_false("PyG max aggregation rotated", aggregation("MaxAggregation"), "x: n d -> d", "O(d)"),
    torch_false("PyG TransformerConv edges numbered", lambda: (lambda c: lambda x, e: c(x, e[:, : e.shape[1] // 2]))(message_passing("TransformerConv", 4, 3)()), GRAPH_local, "S(m)", sizes={"m": (4, 8)}),
    torch_false("PyG DenseGCNConv directed", message_passing("DenseGCNConv", 4, 3), "x: b n v, a: b n n -> b n 3", "S(v)", sizes={"v": 4}, draw="positive"),
    torch_false("PyG sorted aggregation", aggregation("SortAggregation", k=2), "x: n 3 -> 6", "O(3)"),
    torch_false("PyG EdgeConv translated", lambda: (lambda c: lambda x, e: c(x, e))(seeded(lambda: __import__("torch_geometric").nn.EdgeConv(nn.Linear(8, 3)))()), GRAPH_local, "T(4)"),
    torch_false("einops heads swapped", lambda: einops_heads, "x: n v -> n v", "S(v)", sizes={"v": 6}),
    torch_false("einops pool of neighbours", lambda: lambda x: einops_pool(x).square().sum(0), "x: n d -> d", "S(n)", backend="torch", sizes={"n": (4, 4)}),
    torch_false("einops windows of attention", lambda: einops_attention, "x: n d -> n d", "S(n)", sizes={"n": 4}),
    numpy_false("scipy cdist correlation rotated", lambda: lambda X, Y: spatial.distance.cdist(X, Y, "correlation"), "X: n d, Y: m d -> n m", "O(d)", sizes={"d": (3, 4)}),
    numpy_false("scipy minkowski scaled", lambda: lambda X: spatial.distance.squareform(spatial.distance.pdist(X)), "X: n d -> n n", "Scale(d)"),
    numpy_false("scipy softmax over samples", lambda: lambda x: special.softmax(x, axis=0), "x: n c -> n c", "T(c)"),
    numpy_false("scipy trim_mean of rows", lambda: lambda X: stats.trim_mean(X, 0.25, axis=0), "X: n d -> d", "O(d)", sizes={"n": (4, 6)}),
    numpy_false("scipy gmean scaled", lambda: lambda x: stats.gmean(x), "x: n -> ()", "Scale(n)", draw="positive"),
    numpy_false("scipy uniform filter", lambda: lambda x: ndimage.uniform_filter1d(x, 3), "x: n -> n", "C(n)", sizes={"n": (4, 7)}),
    numpy_false("scipy diff of ranks", lambda: lambda x: np.diff(stats.rankdata(x)).sum(), "x: n -> ()", "S(n)", sizes={"n": (3, 6)}),
    numpy_false("scipy lag autocorrelation", lambda: lambda x: signal.correlate(x, x, "full")[len(x)], "x: n -> ()", "S(n)", sizes={"n": (3, 6)}),
    numpy_false("sklearn StandardScaler translated columns", lambda: lambda X: preprocessing.StandardScaler(with_mean=False).fit_transform(X), "X: n d -> n d", "T(d)"),
    numpy_false("sklearn Ridge not centred", lambda: lambda X, y: linear_model.Ridge(1.0, fit_intercept=False).fit(X, y).predict(X), "X: n d, y: n -> n", "T(d)", sizes={"n": (4, 6), "d": (2, 3)}),
    numpy_false("sklearn PCA scores", lambda: lambda X: decomposition.PCA(2).fit_transform(X), "X: n 3 -> n 2", "O(3)", sizes={"n": (5, 7)}),
    numpy_false("sklearn sigmoid kernel translated", lambda: lambda X: pairwise.sigmoid_kernel(X, gamma=0.5), "X: n d -> n n", "T(d)"),
    numpy_false("sklearn max_error numbered", lambda: lambda x, y: metrics.max_error(x, y * np.arange(1, len(y) + 1)), "x: n, y: n -> ()", "S(n)"),
    numpy_false("sklearn train split", lambda: knn_regress, "X: n d, y: n -> n", "S(n)", sizes={"n": (5, 6)}),
    numpy_false("POT dist of scaled points", pot("dist"), "X: n d, Y: m d -> n m", "Scale(d)"),
    numpy_false("POT sinkhorn rows renormalised", lambda: sinkhorn_rows, "M: n m -> n m", "S(n)", draw="positive"),
    numpy_false("NumPy Laplacian positions of the first node", lambda: laplacian_positions, "A: n n -> n", "S(n)", draw="positive", sizes={"n": (3, 5)}),
    numpy_false("NumPy chain of a set", lambda: bond_order, "X: n d -> ()", "S(n)", sizes={"n": (3, 6)}),
    numpy_false("NumPy distances from the origin", lambda: rdkit_like_distance, "X: n d -> n", "E(d)"),
    numpy_false("NumPy inertia not centred", lambda: inertia, "m: n, X: n d -> d^ d^", "E(d)"),
    numpy_false("NumPy running mean", lambda: running, "x: n -> ()", "S(n)"),
    jax_false("jax attention over queries pooled", lambda: lambda x: jax_attention_by_rows(x)[-1], "x: n d -> d", "S(n)", backend="jax"),
    jax_false("jax scan of sums", lambda: jax_scan, "x: n d -> n d", "S(n)", backend="jax"),
    jax_false("jax segments of places", lambda: jax_segment, "x: 4 d -> 2 d", "S(4)", backend="jax"),
    jax_false("jraph softmax by senders", lambda: jraph_graph, "x: n 4, e[n]: 2 m -> n 4", "S(n)", backend="jax"),
    jax_false("equinox GroupNorm channels", equinox_layer("GroupNorm", 2, 4, over=1), "x: n v 3 -> n v 3", "S(v)", sizes={"v": 4}, backend="jax"),
    jax_false("equinox PReLU rotated", equinox_layer("PReLU", over=1), "x: n d -> n d", "O(d)", backend="jax"),
    jax_false("equinox AvgPool1d strides", equinox_layer("AvgPool1d", 2, 2), "x: 3 6 -> 3 3", "C(6)", backend="jax"),
    jax_false("flax Dense rotated", flax_layer("Dense", (2, 4), features=4), "x: n 4 -> n 4", "O(4)", backend="jax"),
    jax_false("flax GroupNorm features", flax_layer("GroupNorm", (2, 4), num_groups=2), "x: n v -> n v", "S(v)", backend="jax", sizes={"v": 4}),
    jax_false("flax RNN over a set", flax_rnn, "x: n 3 -> n 4", "S(n)", backend="jax"),
]  # fmt: skip
