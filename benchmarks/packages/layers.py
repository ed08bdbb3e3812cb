"""torch.nn: layers, blocks and losses."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from benchmarks.packages.claims import family

true, false = family("torch")


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


CLAIMS = [
    true("nn.Linear", seeded(lambda: nn.Linear(4, 3)), "x: n 4 -> n 3", "S(n)"),
    true("nn.Sequential MLP", seeded(lambda: nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3))), "x: n 4 -> n 3", "S(n)"),
    true("nn.Bilinear", seeded(lambda: nn.Bilinear(4, 5, 3)), "x: n 4, y: n 5 -> n 3", "S(n)"),
    true("nn.Embedding", seeded(lambda: nn.Embedding(7, 4)), "i[7]: n -> n 4", "S(n)"),
    true("nn.EmbeddingBag mean", rows(lambda: nn.EmbeddingBag(7, 4)), "i[7]: n -> 4", "S(n)"),
    true("nn.MultiheadAttention", attention(), "x: n 8 -> n 8", "S(n)"),
    true("nn.MultiheadAttention need_weights=False", attention(need_weights=False), "x: n 8 -> n 8", "S(n)"),
    true("nn.MultiheadAttention padding mask", padded, "x: n 8, keep[bool]: n -> n 8", "S(n)"),
    true("nn.TransformerEncoder", rows(encoder), "x: n 8 -> n 8", "S(n)"),
    true("nn.TransformerDecoderLayer memory", decoder, "x: m 8, memory: n 8 -> m 8", "S(n)"),
    true("nn.TransformerDecoderLayer both", decoder, "x: m 8, memory: n 8 -> m 8", "S(n) x S(m)"),
    true("nn.BatchNorm1d", seeded(lambda: nn.BatchNorm1d(4)), "x: n 4 -> n 4", "S(n)"),
    true("nn.InstanceNorm1d", rows(lambda: nn.InstanceNorm1d(4, affine=True)), "x: 4 n -> 4 n", "S(n)"),
    true("nn.GroupNorm", rows(lambda: nn.GroupNorm(2, 4)), "x: 4 n -> 4 n", "S(n)"),
    true("nn.RMSNorm", seeded(lambda: nn.RMSNorm(4)), "x: n 4 -> n 4", "S(n)"),
    true("nn.LayerNorm(4)", lambda: lambda x: nn.functional.layer_norm(x, x.shape[-1:]), "x: n d -> n d", "S(d)"),
    true("nn.Conv1d circular", rows(lambda: nn.Conv1d(3, 4, 3, padding=1, padding_mode="circular")), "x: 3 n -> 4 n", "C(n)", sizes={"n": (3, 9)}),
    true("nn.Conv1d kernel 1", rows(lambda: nn.Conv1d(3, 4, 1)), "x: 3 n -> 4 n", "S(n)"),
    true("nn.Conv2d batch", seeded(lambda: nn.Conv2d(3, 4, 3)), "x: n 3 6 6 -> n 4 4 4", "S(n)"),
    true("nn.AvgPool1d", lambda: lambda x: nn.AvgPool1d(2)(x[None])[0], "x: c 8 -> c 4", "S(c)"),
    true("nn.MaxPool2d", lambda: nn.MaxPool2d(2), "x: c 6 6 -> c 3 3", "S(c)"),
    true("nn.AdaptiveAvgPool1d(1)", lambda: nn.AdaptiveAvgPool1d(1), "x: c n -> c 1", "S(n)"),
    true("nn.Softmax", lambda: nn.Softmax(-1), "x: n -> n", "S(n)"),
    true("nn.LogSoftmax", lambda: nn.LogSoftmax(-1), "x: n -> n", "S(n)"),
    true("nn.MSELoss", lambda: nn.MSELoss(), "x: n d, y: n d -> ()", "O(d)"),
    true("nn.CrossEntropyLoss classes", lambda: nn.CrossEntropyLoss(), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    true("nn.NLLLoss", lambda: nn.NLLLoss(), "x: n c, y[c]: n -> ()", "S(n)"),
    true("nn.CosineSimilarity", lambda: nn.CosineSimilarity(-1), "x: n d, y: n d -> n", "O(d)"),
    true("nn.PairwiseDistance", lambda: lambda x, y: torch.cdist(x, y), "x: n d, y: m d -> n m", "E(d)"),
    true("nn.TripletMarginLoss", lambda: lambda a, p, n: F.triplet_margin_loss(a, p, n, eps=0.0), "a: n d, p: n d, q: n d -> ()", "O(d)"),
    true("nn.HuberLoss", lambda: nn.HuberLoss(), "x: n, y: n -> ()", "S(n)"),
    true("nn.SmoothL1Loss", lambda: nn.SmoothL1Loss(beta=0.5), "x: n, y: n -> ()", "S(n)"),
    true("nn.KLDivLoss", lambda: nn.KLDivLoss(reduction="batchmean"), "x: n c, y: n c -> ()", "S(c)", draw="positive"),
    true("nn.BCEWithLogitsLoss", lambda: nn.BCEWithLogitsLoss(), "x: n, y: n -> ()", "S(n)"),
    true("nn.CosineEmbeddingLoss", lambda: lambda x, y: F.cosine_embedding_loss(x, y, torch.ones(x.shape[0])), "x: n d, y: n d -> ()", "O(d)"),
    true("nn.GRU batch", rows(lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh())), "x: n 3 -> n 4", "S(n)"),
    true("nn.LSTM batch", lambda: (lambda m: lambda x: m(x)[0])(seeded(lambda: nn.LSTM(3, 4, batch_first=True))()), "x: n 5 3 -> n 5 4", "S(n)"),
    true("nn.GRUCell batch", seeded(lambda: nn.GRUCell(3, 4)), "x: n 3, h: n 4 -> n 4", "S(n)"),
    true("torch.cov", lambda: lambda x: torch.cov(x.T), "x: n d -> d d", "S(n) x O(d)"),
    true("torch.corrcoef", lambda: torch.corrcoef, "x: d n -> d d", "S(d) x S(n)"),
    true("torch.logsumexp", lambda: lambda x: torch.logsumexp(x, 0), "x: n c -> c", "S(n)"),
    true("torch.median", lambda: lambda x: torch.median(x, 0).values, "x: n c -> c", "S(n)"),
    true("torch.topk values", lambda: lambda x: torch.topk(x, 3).values, "x: n -> 3", "S(n)", sizes={"n": (3, 8)}),
    true("torch.std_mean", lambda: lambda x: torch.std(x, 0) / torch.mean(x * x, 0), "x: n c -> c", "S(n)", sizes={"n": (2, 9)}),
    true("F.normalize", lambda: lambda x: F.normalize(x, dim=-1), "x: n d -> n d", "O(d)"),
    true("F.scaled_dot_product_attention O(d)", lambda: lambda q, k, v: F.scaled_dot_product_attention(q, k, v), "q: m d, k: n d, v: n c -> m c", "O(d) x S(n)"),
    true("F.pixel_shuffle batch", lambda: lambda x: F.pixel_shuffle(x, 2), "x: n 4 3 3 -> n 1 6 6", "S(n)"),
    true("F.interpolate channels", lambda: lambda x: F.interpolate(x[None], scale_factor=2, mode="nearest")[0], "x: c 4 4 -> c 8 8", "S(c)"),
    true("F.pad circular", lambda: lambda x: F.conv1d(F.pad(x[None, None], (1, 1), mode="circular"), x.new_tensor([[[1.0, -2.0, 1.0]]]))[0, 0], "x: n -> n", "D(n)", sizes={"n": (3, 9)}),
    true("F.cross_entropy label_smoothing", lambda: lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), "x: n c, y[c]: n -> ()", "S(c)"),
    false("nn.TransformerEncoderLayer causal", causal, "x: n 8 -> n 8", "S(n)"),
    false("nn.Conv1d zero padding", rows(lambda: nn.Conv1d(3, 4, 3, padding=1)), "x: 3 n -> 4 n", "C(n)", sizes={"n": (3, 9)}),
    false("nn.Linear O(4)", seeded(lambda: nn.Linear(4, 4)), "x: n 4 -> n 4", "O(4)"),
    false("nn.LayerNorm rotations", lambda: lambda x: F.layer_norm(x, x.shape[-1:]), "x: n d -> n d", "O(d)"),
    false("nn.LSTM time", lambda: (lambda m: lambda x: m(x[None])[0][0])(seeded(lambda: nn.LSTM(3, 4, batch_first=True))()), "x: 5 3 -> 5 4", "S(5)"),
    false("nn.BatchNorm1d channels", seeded(lambda: nn.BatchNorm1d(4).requires_grad_(False).apply(lambda m: m.weight.copy_(torch.arange(4.0)))), "x: n v -> n v", "S(v)", sizes={"v": 4}),
    false("nn.AvgPool1d shifts", lambda: lambda x: nn.AvgPool1d(2, 1)(x[None])[0], "x: n -> m", "C(n)", sizes={"n": (3, 8)}),
    false("nn.ReLU rotations", lambda: nn.ReLU(), "x: n d -> n d", "O(d)"),
    false("nn.L1Loss rotations", lambda: nn.L1Loss(), "x: n d, y: n d -> ()", "O(d)"),
    false("nn.NLLLoss classes without labels", lambda: lambda x: F.nll_loss(x, torch.zeros(x.shape[0], dtype=torch.long)), "x: n c -> ()", "S(c)"),
    false("torch.cumsum", lambda: lambda x: torch.cumsum(x, 0), "x: n c -> n c", "S(n)"),
    false("nn.CosineSimilarity translations", lambda: nn.CosineSimilarity(-1), "x: n d, y: n d -> n", "E(d)"),
    false("nn.Embedding of positions", lambda: (lambda e: lambda x: x + e(torch.arange(x.shape[0])))(seeded(lambda: nn.Embedding(9, 4))()), "x: n 4 -> n 4", "S(n)", sizes={"n": (2, 9)}),
    false("torch.triu", lambda: torch.triu, "x: n n -> n n", "S(n)"),
    false("torch.argsort", lambda: lambda x: x[torch.argsort(x)], "x: n -> n", "S(n)"),
    false("nn.PReLU rotations", seeded(lambda: nn.PReLU()), "x: n d -> n d", "O(d)"),
]  # fmt: skip
