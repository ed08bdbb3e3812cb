"""More of the same packages, and of others: metrics, losses, kernels, aggregations, layers of each."""

from __future__ import annotations

import functools
import operator

import numpy as np
import torch
import torch.nn.functional as F
import torchmetrics.functional as M
import torchvision.ops as O
from scipy import signal, spatial, special, stats
from sklearn import (
    covariance,
    decomposition,
    gaussian_process,
    linear_model,
    metrics,
    neighbors,
    preprocessing,
)
from sklearn.metrics import pairwise
from timm.loss import LabelSmoothingCrossEntropy
from torch import nn

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


def aggregation(name, **options):
    def made():
        import torch_geometric.nn as G

        aggr = getattr(G.aggr, name)(**options)
        return lambda x: aggr(x, dim=0)[0]

    return made


def graph_norm(name, *arguments):
    def made():
        import torch_geometric.nn as G

        return getattr(G, name)(*arguments).eval()

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


def linen(name, shape, **options):
    def made():
        import flax.linen as nn
        import jax
        import jax.numpy as jnp

        layer = getattr(nn, name)(**options)
        state = layer.init(jax.random.key(0), jnp.zeros(shape))
        return functools.partial(layer.apply, state)

    return made


def eqx(name, *arguments, over=0, **options):
    def made():
        import equinox as eqx
        import jax

        layer = getattr(eqx.nn, name)(*arguments, **options)
        for _ in range(over):
            layer = jax.vmap(layer)
        return layer

    return made


def jax_nn(name, **options):
    def made():
        import jax

        return functools.partial(getattr(jax.nn, name), **options)

    return made


def kernel(make):
    return lambda: lambda X: make()(X)


def graph_transformer():
    from transformers import DistilBertConfig, DistilBertModel

    torch.manual_seed(0)
    config = DistilBertConfig(
        vocab_size=11, dim=8, hidden_dim=16, n_layers=1, n_heads=2, max_position_embeddings=8
    )
    model = DistilBertModel(config).eval()
    return lambda ids: model(ids).last_hidden_state


def t5_block():
    from transformers import T5Config
    from transformers.models.t5.modeling_t5 import T5LayerFF

    torch.manual_seed(0)
    return T5LayerFF(T5Config(d_model=8, d_ff=16, num_layers=1, num_heads=2, d_kv=4)).eval()


def convnext():
    from transformers import ConvNextConfig, ConvNextModel

    torch.manual_seed(0)
    model = ConvNextModel(
        ConvNextConfig(hidden_sizes=[4, 8], depths=[1, 1], num_stages=2, patch_size=2)
    ).eval()
    return lambda x: model(x).pooler_output


def clip_loss(x, y):
    x, y = x / x.norm(dim=-1, keepdim=True), y / y.norm(dim=-1, keepdim=True)
    logits = x @ y.t()
    target = torch.arange(len(logits))
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2


CLAIMS = [
    torch_true("torchmetrics accuracy", lambda: lambda p, y: M.accuracy(p, y, task="multiclass", num_classes=3), "p: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics f1", lambda: lambda p, y: M.f1_score(p, y, task="multiclass", num_classes=3, average="macro"), "p[3]: n, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics confusion_matrix", lambda: lambda p, y: M.confusion_matrix(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> 3 3", "S(n)"),
    torch_true("torchmetrics mean_squared_log_error", lambda: M.mean_squared_log_error, "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics mean_absolute_percentage_error", lambda: M.mean_absolute_percentage_error, "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics symmetric_mape", lambda: M.symmetric_mean_absolute_percentage_error, "x: n, y: n -> ()", "S(n)", draw="positive"),
    torch_true("torchmetrics log_cosh_error", lambda: M.log_cosh_error, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics minkowski", lambda: lambda x, y: M.minkowski_distance(x, y, p=3), "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics tweedie", lambda: M.tweedie_deviance_score, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics scale_invariant_sdr", lambda: M.scale_invariant_signal_noise_ratio, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics pairwise_linear_similarity", lambda: M.pairwise_linear_similarity, "x: n d, y: m d -> n m", "O(d)"),
    torch_true("torchmetrics psnr", lambda: lambda x, y: M.peak_signal_noise_ratio(x, y, data_range=1.0), "x: n m, y: n m -> ()", "S(n) x S(m)"),
    torch_true("torchmetrics perplexity", lambda: lambda p, y: M.text.perplexity(p, y), "p: b n 4, y[4]: b n -> ()", "S(n) x S(b)"),
    torch_true("torchvision giou", lambda: O.generalized_box_iou, "a: n 4, b: m 4 -> n m", "S(n) x S(m)"),
    torch_true("torchvision distance_box_iou_loss", lambda: lambda a, b: O.distance_box_iou_loss(a, b).sum(), "a: n 4, b: n 4 -> ()", "S(n)"),
    torch_true("torchvision Permute", lambda: O.Permute([0, 2, 1]), "x: b n c -> b c n", "S(n) x S(c)"),
    torch_true("torchvision StochasticDepth eval", lambda: O.StochasticDepth(0.3, "row").eval(), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("torchvision FrozenBatchNorm2d", lambda: O.FrozenBatchNorm2d(3), "x: b 3 h w -> b 3 h w", "S(h) x S(w)"),
    torch_true("torchvision clip_boxes_to_image", lambda: lambda b: O.clip_boxes_to_image(b, (32, 32)), "b: n 4 -> n 4", "S(n)"),
    torch_true("torch SetConv pool", seeded(lambda: nn.Sequential(nn.Conv1d(3, 8, 1), nn.GELU(), nn.AdaptiveMaxPool1d(1))), "x: b 3 n -> b 8 1", "S(n)"),
    torch_true("torch Transformer", seeded(lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True, dropout=0.0)), "s: n 8, t: m 8 -> m 8", "S(n)"),
    torch_true("torch LocalResponseNorm space", lambda: nn.LocalResponseNorm(2), "x: 1 c h w -> 1 c h w", "S(h) x S(w)", sizes={"c": 4}),
    torch_true("torch PixelUnshuffle", lambda: nn.PixelUnshuffle(2), "x: b 1 4 4 -> b 4 2 2", "S(b)"),
    torch_true("torch Softmin", lambda: nn.Softmin(dim=-1), "x: n c -> n c", "S(c)"),
    torch_true("torch MultiMarginLoss", lambda: nn.MultiMarginLoss(), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("torch MarginRankingLoss", lambda: lambda a, b: F.margin_ranking_loss(a, b, torch.ones_like(a)), "a: n, b: n -> ()", "S(n)"),
    torch_true("torch PoissonNLLLoss", lambda: nn.PoissonNLLLoss(), "x: n, y: n -> ()", "S(n)"),
    torch_true("torch GaussianNLLLoss", lambda: nn.GaussianNLLLoss(), "x: n d, y: n d, v: n d -> ()", "S(n) x S(d)", draw="positive"),
    torch_true("torch SoftMarginLoss", lambda: nn.SoftMarginLoss(), "x: n, y: n -> ()", "S(n)"),
    torch_true("torch Fold of Unfold", lambda: lambda x: F.fold(F.unfold(x, 2, stride=2), (4, 4), 2, stride=2), "x: b c 4 4 -> b c 4 4", "S(b) x S(c)"),
    torch_true("torch pdist", lambda: lambda x: F.pdist(x).sum(), "x: n d -> ()", "S(n) x E(d)"),
    torch_true("torch quantile", lambda: lambda x: torch.quantile(x, 0.3), "x: n -> ()", "S(n)"),
    torch_true("torch histc", lambda: lambda x: torch.histc(x, 4, -1.0, 1.0), "x: n -> 4", "S(n)"),
    torch_true("torch bincount", lambda: lambda y: torch.bincount(y, minlength=4) / len(y), "y[4]: n -> 4", "S(n)"),
    torch_true("torch bucketize", lambda: lambda x: torch.bucketize(x, torch.tensor([-0.5, 0.5])), "x: n -> n", "S(n)"),
    torch_true("torch solve", lambda: lambda A, b: torch.linalg.solve(A @ A.T + torch.eye(len(A), dtype=A.dtype), b), "A: n d, b: n -> n", "S(n) x O(d)"),
    torch_true("torch svdvals", lambda: torch.linalg.svdvals, "A: n d -> m", "O(n)", sizes={"n": 4, "d": 3, "m": 3}),
    torch_true("torch nuclear norm", lambda: lambda A: torch.linalg.matrix_norm(A, "nuc"), "A: n d -> ()", "O(n) x O(d)"),
    torch_true("torch kthvalue", lambda: lambda x: torch.kthvalue(x, 2).values, "x: n -> ()", "S(n)", sizes={"n": (2, 6)}),
    torch_true("torch renorm", lambda: lambda x: torch.renorm(x, 2, 0, 1.0), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("torch vmap", lambda: lambda x, y: torch.vmap(torch.dot)(x, y), "x: n d, y: n d -> n", "S(n) x O(d)"),
    torch_true("torch grad of energy", lambda: lambda x: torch.func.grad(lambda z: (torch.cdist(z, z) ** 2).sum())(x), "x: n d -> n d^", "S(n) x E(d)"),
    torch_true("torch cross_entropy weights", lambda: lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype)), "x: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("torch nll ignore_index", lambda: lambda x, y: F.cross_entropy(x, y, ignore_index=0), "x: n 3, y[3]: n -> ()", "S(n)", sizes={"n": (8, 9)}),
    torch_true("CLIP loss", lambda: clip_loss, "x: n d, y: n d -> ()", "S(n) x O(d)"),
    torch_true("timm GlobalResponseNorm", timm_layer("GlobalResponseNormMlp", 4), "x: b h w 4 -> b h w 4", "S(h) x S(w)"),
    torch_true("timm LayerNorm", timm_layer("LayerNorm", 8), "x: n 8 -> n 8", "S(n)"),
    torch_true("timm SelectAdaptivePool2d catavgmax", timm_layer("SelectAdaptivePool2d", pool_type="avgmax", flatten=True), "x: b c h w -> b c", "S(h) x S(w) x S(c)"),
    torch_true("timm ClassifierHead", timm_layer("ClassifierHead", 4, 3), "x: b 4 h w -> b 3", "S(h) x S(w)"),
    torch_true("timm SEModule", timm_layer("SEModule", 16), "x: b 16 h w -> b 16 h w", "S(h) x S(w)"),
    torch_true("timm GatedMlp", timm_layer("GluMlp", 4, 8), "x: n 4 -> n 4", "S(n)"),
    torch_true("timm mobilenet batch", timm_model("mobilenetv3_small_050", num_classes=2), "x: b 3 32 32 -> b 2", "S(b)", sizes={"b": (2, 3)}),
    torch_true("timm LabelSmoothing", lambda: LabelSmoothingCrossEntropy(0.1), "x: n c, y[c]: n -> ()", "S(n) x S(c)"),
    torch_true("DistilBERT batch", graph_transformer, "i[11]: b n -> b n 8", "S(b)"),
    torch_true("T5 feed forward", t5_block, "x: b n 8 -> b n 8", "S(b) x S(n)"),
    torch_true("ConvNeXt batch", convnext, "x: b 3 8 8 -> b 8", "S(b)"),
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
    true("scipy minkowski", lambda: lambda X, Y: spatial.distance.cdist(X, Y, "minkowski", p=3), "X: n d, Y: m d -> n m", "S(d)"),
    true("scipy correlation", lambda: lambda X: spatial.distance.cdist(X, X, "correlation"), "X: n d -> n n", "S(n) x S(d)"),
    true("scipy canberra", lambda: spatial.distance.canberra, "u: n, v: n -> ()", "S(n)"),
    true("scipy braycurtis", lambda: spatial.distance.braycurtis, "u: n, v: n -> ()", "S(n)", draw="positive"),
    true("scipy jensenshannon", lambda: spatial.distance.jensenshannon, "p: n, q: n -> ()", "S(n)", draw="positive"),
    true("scipy spearmanr", lambda: lambda x, y: stats.spearmanr(x, y).statistic, "x: n, y: n -> ()", "S(n)", sizes={"n": (4, 7)}),
    true("scipy kendalltau", lambda: lambda x, y: stats.kendalltau(x, y).statistic, "x: n, y: n -> ()", "S(n)", sizes={"n": (4, 7)}),
    true("scipy rankdata", lambda: stats.rankdata, "x: n -> n", "S(n)"),
    true("scipy ttest_ind", lambda: lambda x, y: stats.ttest_ind(x, y).statistic, "x: n, y: m -> ()", "S(n) x S(m)"),
    true("scipy f_oneway", lambda: lambda x, y: stats.f_oneway(x, y).statistic, "x: n, y: m -> ()", "S(n) x S(m)"),
    true("scipy variation", lambda: stats.variation, "x: n -> ()", "S(n)", draw="positive"),
    true("scipy hmean", lambda: stats.hmean, "x: n -> ()", "S(n)", draw="positive"),
    true("scipy moment", lambda: lambda x: stats.moment(x, 3), "x: n -> ()", "S(n)"),
    true("scipy median_abs_deviation", lambda: stats.median_abs_deviation, "x: n -> ()", "S(n)"),
    true("scipy energy_distance", lambda: stats.energy_distance, "u: n, v: m -> ()", "S(n)"),
    true("scipy ks_2samp", lambda: lambda x, y: stats.ks_2samp(x, y).statistic, "x: n, y: m -> ()", "S(n)"),
    true("scipy multivariate_normal", lambda: lambda X: stats.multivariate_normal(np.zeros(2), np.eye(2)).logpdf(X), "X: n 2 -> n", "S(n)"),
    true("scipy log_softmax", lambda: lambda x: special.log_softmax(x, axis=-1), "x: n c -> n c", "S(c)"),
    true("scipy rel_entr", lambda: lambda p, q: special.rel_entr(p, q).sum(), "p: n, q: n -> ()", "S(n)", draw="positive"),
    true("scipy xlogy", lambda: lambda p: -special.xlogy(p, p).sum(), "p: n -> ()", "S(n)", draw="positive"),
    true("scipy expm", lambda: lambda A: __import__("scipy").linalg.expm(A - A.T), "A: n n -> n n", "O(n)"),
    true("sklearn MinMaxScaler", lambda: lambda X: preprocessing.MinMaxScaler().fit_transform(X), "X: n d -> n d", "S(n) x S(d)"),
    true("sklearn RobustScaler", lambda: lambda X: preprocessing.RobustScaler().fit_transform(X), "X: n d -> n d", "S(n)"),
    true("sklearn PolynomialFeatures", lambda: lambda X: preprocessing.PolynomialFeatures(2).fit_transform(X), "X: n 2 -> n 6", "S(n)"),
    true("sklearn sigmoid_kernel", lambda: lambda X: pairwise.sigmoid_kernel(X), "X: n d -> n n", "S(n) x O(d)"),
    true("sklearn chi2_kernel", lambda: lambda X: pairwise.chi2_kernel(X), "X: n d -> n n", "S(n) x S(d)", draw="positive"),
    true("sklearn haversine", lambda: lambda X: pairwise.haversine_distances(X), "X: n 2 -> n n", "S(n)"),
    true("sklearn pairwise_distances", lambda: lambda X: metrics.pairwise_distances(X, metric="l1"), "X: n d -> n n", "S(n) x T(d)"),
    true("sklearn nan_euclidean", lambda: lambda X: pairwise.nan_euclidean_distances(X), "X: n d -> n n", "S(n)"),
    true("sklearn RBF kernel object", kernel(lambda: gaussian_process.kernels.RBF(1.0)), "X: n d -> n n", "S(n) x E(d)"),
    true("sklearn DotProduct kernel", kernel(lambda: gaussian_process.kernels.DotProduct()), "X: n d -> n n", "S(n) x O(d)"),
    true("sklearn shrunk_covariance", lambda: lambda X: covariance.shrunk_covariance(np.cov(X, rowvar=False)), "X: n 3 -> 3 3", "S(n)", sizes={"n": (3, 6)}),
    true("sklearn explained_variance_score", lambda: metrics.explained_variance_score, "x: n, y: n -> ()", "S(n)"),
    true("sklearn max_error", lambda: metrics.max_error, "x: n, y: n -> ()", "S(n)"),
    true("sklearn median_absolute_error", lambda: metrics.median_absolute_error, "x: n, y: n -> ()", "S(n)"),
    true("sklearn mean_pinball_loss", lambda: lambda p: metrics.mean_pinball_loss(p, p * 2, alpha=0.3), "p: n -> ()", "S(n)"),
    true("sklearn Ridge cholesky", lambda: lambda X, y: linear_model.Ridge(1.0, fit_intercept=False, solver="cholesky").fit(X, y).coef_, "X: n 2, y: n -> 2", "S(n)", sizes={"n": (4, 6)}),
    true("sklearn PCA singular values", lambda: lambda X: decomposition.PCA(svd_solver="full").fit(X).singular_values_, "X: n 2 -> 2", "S(n)", sizes={"n": (4, 6)}),
    true("sklearn kneighbors distances", lambda: lambda X: neighbors.NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X)[0], "X: n d -> n 2", "S(n)", sizes={"n": (4, 6)}),
    true("sklearn maxabs_scale", lambda: preprocessing.maxabs_scale, "X: n d -> n d", "S(n) x S(d)"),
    jax_true("flax linen Dense", linen("Dense", (2, 4), features=3), "x: n 4 -> n 3", "S(n)", backend="jax"),
    jax_true("flax linen LayerNorm", linen("LayerNorm", (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    jax_true("flax linen attention", linen("MultiHeadDotProductAttention", (3, 8), num_heads=2), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("flax linen GroupNorm", linen("GroupNorm", (2, 3, 4), num_groups=2), "x: b n 4 -> b n 4", "S(n)", backend="jax"),
    jax_true("equinox PReLU", eqx("PReLU"), "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("equinox AdaptiveAvgPool", eqx("AdaptiveAvgPool1d", 1), "x: c n -> c 1", "S(n) x S(c)", backend="jax"),
    jax_true("jax glu", jax_nn("glu"), "x: n 4 -> n 2", "S(n)", backend="jax"),
    jax_true("jax standardize", jax_nn("standardize"), "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("jax log_softmax", jax_nn("log_softmax"), "x: n c -> n c", "S(c)", backend="jax"),
    torch_false("torchmetrics weighted by order", lambda: lambda x, y: (M.mean_squared_error(x, y) * torch.arange(1, len(x) + 1).to(x.dtype) @ x), "x: n, y: n -> ()", "S(n)"),
    torch_false("torchvision giou swapped corners", lambda: O.generalized_box_iou_loss, "a: n 4, b: n 4 -> n", "O(4)"),
    torch_false("torch Transformer target", seeded(lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True, dropout=0.0)), "s: n v, t: m v -> m v", "S(v)", sizes={"v": 8}),
    torch_false("torch pdist order", lambda: F.pdist, "x: n d -> m", "S(n)", sizes={"n": 3, "m": 3}),
    torch_false("torch cross_entropy weights classes", lambda: lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0], dtype=x.dtype)), "x: n c, y[c]: n -> ()", "S(c)", sizes={"c": 3}),
    torch_false("torch grad of norm translated", lambda: lambda x: torch.func.grad(lambda z: (z**2).sum())(x), "x: n d -> n d^", "E(d)"),
    torch_false("CLIP loss one side", lambda: lambda x, y: clip_loss(x, y) + x[0, 0], "x: n d, y: n d -> ()", "S(n)"),
    torch_false("timm SE channels", timm_layer("SEModule", 16), "x: b 16 h w -> b 16 h w", "S(16)"),
    torch_false("PyG softmax aggregation rotated", aggregation("SoftmaxAggregation"), "x: n d -> d", "O(d)"),
    torch_false("PyG TAGConv numbered", lambda: (lambda c: lambda x, e: c(x, e) * torch.arange(len(x))[:, None])(message_passing("TAGConv", 4, 3)()), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    false("scipy rankdata summed", lambda: lambda x: np.cumsum(stats.rankdata(x)), "x: n -> n", "S(n)"),
    false("scipy canberra rotated", lambda: lambda X, Y: spatial.distance.cdist(X, Y, "canberra"), "X: n d, Y: m d -> n m", "O(d)"),
    false("scipy savgol", lambda: lambda x: signal.savgol_filter(x, 3, 1), "x: n -> n", "S(n)", sizes={"n": (4, 7)}),
    false("sklearn MinMaxScaler rotated", lambda: lambda X: preprocessing.MinMaxScaler().fit_transform(X), "X: n d -> n d", "O(d)"),
    false("sklearn chi2_kernel scaled", lambda: lambda X: pairwise.additive_chi2_kernel(X), "X: n d -> n n", "Scale(d)", draw="positive"),
    false("sklearn PolynomialFeatures swapped", lambda: lambda X: preprocessing.PolynomialFeatures(2).fit_transform(X), "X: n v -> n 6", "S(v)", sizes={"v": 2}),
    jax_false("flax linen attention numbered", lambda: (lambda f: lambda x: f(x) + x[:1])(linen("MultiHeadDotProductAttention", (3, 8), num_heads=2)()), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_false("jax standardize rotated", jax_nn("standardize"), "x: n d -> n d", "O(d)", backend="jax"),
    jax_false("jax glu swapped", jax_nn("glu"), "x: n v -> n 2", "S(v)", sizes={"v": 4}, backend="jax"),
]  # fmt: skip
