"""Functions that no family before looked at: losses, metrics, kernels, layers, and NumPy as scientists write it."""

from __future__ import annotations

import functools
import math

import numpy as np
import torch
import torch.nn.functional as F
import torchmetrics.functional as M
from scipy import linalg, ndimage, signal, spatial, special, stats
from sklearn import (
    covariance,
    kernel_ridge,
    metrics,
    preprocessing,
)
from sklearn.metrics import pairwise
from torch import distributions as D
from torch import nn

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded
from benchmarks.packages.newcomers import eqx, jax_nn, linen, timm_layer

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


# Physics and chemistry.
def radial_distribution(X, edges=(0.1, 0.8, 1.5, 2.2, 3.0)):
    n = X.shape[0]
    i, j = np.triu_indices(n, 1)
    r = np.linalg.norm(X[i] - X[j], axis=1)
    return np.histogram(r, bins=edges)[0] / n


def dipole(q, X):
    return (q[:, None] * (X - np.average(X, axis=0))).sum(axis=0)


def quadrupole(q, X):
    r2 = np.einsum("ia,ia->i", X, X)
    return 3 * np.einsum("i,ia,ib->ab", q, X, X) - np.einsum("i,i->", q, r2) * np.eye(X.shape[1])


def angular_momentum(m, X, V):
    return np.sum(m[:, None] * np.cross(X, V), axis=0)


def kinetic(m, V):
    centre = np.average(V, axis=0, weights=m)
    return 0.5 * np.sum(m * np.sum((V - centre) ** 2, axis=1))


def stillinger(X):
    energy = 0.0
    for a in range(X.shape[0]):
        d = np.linalg.norm(X - X[a], axis=1)
        energy += np.exp(-(d**2)).sum()
    return energy


def coulomb_matrix(Z, X):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    np.fill_diagonal(D, 1.0)
    M = np.outer(Z, Z) / D
    np.fill_diagonal(M, 0.5 * Z**2.4)
    return M


def sorted_coulomb(Z, X):
    return np.sort(np.linalg.eigvalsh(coulomb_matrix(Z, X)))[::-1]


def ising(s):
    return -np.sum(s * (np.roll(s, 1, axis=0) + np.roll(s, 1, axis=1)))


def verlet(X, V):
    def force(Y):
        d = Y[:, None] - Y[None]
        return -(d * np.exp(-(d**2).sum(-1, keepdims=True))).sum(1)

    half = V + 0.05 * force(X)
    X = X + 0.1 * half
    return X


def contour(X):
    return np.sum(np.sqrt(np.sum(np.diff(X, axis=0) ** 2, axis=1)))


def partition(E, beta=1.5):
    E = E - E.min()
    w = np.exp(-beta * E)
    return (E * w).sum() / w.sum()


def order_parameter(U):
    U = U / np.linalg.norm(U, axis=1, keepdims=True)
    Q = 1.5 * np.einsum("ia,ib->ab", U, U) / len(U) - 0.5 * np.eye(3)
    return np.linalg.eigvalsh(Q)[-1]


def kuramoto(t):
    return np.abs(np.exp(1j * t).mean())


# Statistics.
def welch(x, y):
    se = np.sqrt(np.var(x, ddof=1) / x.size + np.var(y, ddof=1) / y.size)
    return (np.mean(x) - np.mean(y)) / se


def hotelling(X):
    mu = X.mean(axis=0)
    S = np.cov(X, rowvar=False)
    return len(X) * mu @ np.linalg.solve(S, mu)


def mahalanobis(X):
    mu = X.mean(0)
    P = np.linalg.inv(np.cov(X.T))
    d = X - mu
    return np.einsum("ni,ij,nj->n", d, P, d)


def distance_correlation(X, Y):
    def centred(A):
        d = np.sqrt(((A[:, None] - A[None]) ** 2).sum(-1))
        return d - d.mean(0, keepdims=True) - d.mean(1, keepdims=True) + d.mean()

    a, b = centred(X), centred(Y)
    return (a * b).mean() / np.sqrt((a * a).mean() * (b * b).mean())


def hsic(X, Y):
    n = X.shape[0]
    H = np.eye(n) - np.ones((n, n)) / n
    return np.trace(X @ X.T @ H @ Y @ Y.T @ H) / (n - 1) ** 2


def jackknife(x):
    n = len(x)
    left = (x.sum() - x) / (n - 1)
    return (n - 1) / n * np.sum((left - left.mean()) ** 2)


def ols(X, y):
    X1 = np.column_stack([np.ones(len(X)), X])
    beta, *_ = np.linalg.lstsq(X1, y, rcond=None)
    return beta[0]


def leverage(X):
    return np.diag(X @ np.linalg.inv(X.T @ X) @ X.T)


def theil(x):
    r = x / x.mean()
    return np.mean(r * np.log(r))


def silverman(x):
    s = min(np.std(x, ddof=1), np.subtract(*np.percentile(x, [75, 25])) / 1.34)
    return 0.9 * s * len(x) ** (-0.2)


def kde(x):
    grid = np.linspace(-2, 2, 5)
    return np.exp(-0.5 * ((grid[:, None] - x[None, :]) / 0.3) ** 2).sum(axis=1) / len(x)


def ecdf(x):
    xs = np.sort(x)
    return np.searchsorted(xs, x, side="right") / len(x)


def runs(x):
    return np.count_nonzero(np.diff(np.sign(x - np.median(x))))


def laplacian_spectrum(A):
    A = (A + A.T) / 2
    L = np.diag(A.sum(axis=1)) - A
    return np.linalg.eigvalsh(L)


def katz(A):
    n = len(A)
    return np.linalg.solve(np.eye(n) - 0.01 * A.T, np.ones(n))


def simpson(c):
    p = c / c.sum()
    return 1 - np.square(p).sum()


def beta_diversity(X):
    P = X / X.sum(axis=1, keepdims=True)
    return 0.5 * np.abs(P[:, None] - P[None]).sum(axis=2)


def clr(X):
    L = np.log(X)
    return L - L.mean(axis=1, keepdims=True)


def autocorr_direct(x):
    n = len(x)
    return np.array([np.dot(x, np.roll(x, k)) for k in range(3)]) / n


def half_turn(x):
    return np.roll(x, len(x) // 2) + x


# torch as users write it.
def supcon(z, y):
    z = F.normalize(z, dim=1)
    sim = z @ z.T / 0.1
    same = (y[:, None] == y[None, :]).float().fill_diagonal_(0)
    sim = sim - torch.eye(len(z)) * 1e9
    logp = sim - torch.logsumexp(sim, dim=1, keepdim=True)
    return -((same * logp).sum(1) / same.sum(1).clamp(min=1)).mean()


def batch_hard(z, y):
    d = torch.cdist(z, z)
    same = y.unsqueeze(0) == y.unsqueeze(1)
    far = torch.where(same, d, torch.zeros_like(d)).amax(1)
    near = d.masked_fill(same, 1e6).amin(1)
    return F.relu(far - near + 0.2).mean()


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


class EGCL(nn.Module):
    """Messages from distances, coordinates moved along differences."""

    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(1, 8), nn.SiLU(), nn.Linear(8, 1))

    def forward(self, x):
        """The layer."""
        rel = x.unsqueeze(1) - x.unsqueeze(0)
        dist = rel.square().sum(-1, keepdim=True)
        return x + (rel * self.phi(dist) / (dist.sqrt() + 1)).sum(1) / (x.size(0) - 1 + 1e-6)


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


class DGCNN(nn.Module):
    """The largest of messages from all points."""

    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(6, 8, 1), nn.BatchNorm2d(8), nn.LeakyReLU(0.2))

    def forward(self, x):
        """The layer."""
        b, c, n = x.size()
        centre = x.view(b, c, n, 1).expand(-1, -1, -1, n)
        others = x.view(b, c, 1, n).expand(-1, -1, n, -1)
        return self.f(torch.cat((others - centre, centre), dim=1)).max(dim=-1, keepdim=False)[0]


def tiny(package, config, model, out, **options):
    def made():
        import transformers

        torch.manual_seed(0)
        built = getattr(transformers, model)(getattr(transformers, config)(**options)).eval()
        return lambda given: built(given)[out]

    return made


def pyg(name, *arguments, **options):
    def made():
        import torch_geometric.nn as G

        torch.manual_seed(0)
        return getattr(G, name)(*arguments, **options).eval()

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


def e3nn_norm():
    from e3nn import o3

    return o3.Norm("2x1o")


def e3nn_linear():
    from e3nn import o3

    torch.manual_seed(0)
    layer = o3.Linear("4x0e", "3x0e")
    return lambda x: layer(x)


def spherical():
    from e3nn import o3

    return lambda x: (o3.spherical_harmonics(2, x, normalize=True) ** 2).sum(-1)


def sizes_of_harmonics():
    from e3nn import o3

    return lambda x: o3.spherical_harmonics(1, x, normalize=True).abs()


def optax_loss(name, **options):
    def made():
        import optax

        loss = functools.partial(getattr(optax, name), **options)
        return lambda *arrays: loss(*arrays).mean()

    return made


def jax_gram(x):
    import jax.numpy as jnp

    g = x @ x.T
    i, j = jnp.triu_indices(4, 1)
    return jnp.sum(jnp.abs(g[i, j]))


def jax_threshold(x):
    import jax
    import jax.numpy as jnp

    d2 = jnp.sum((x[:, None] - x[None]) ** 2, -1)
    near = jnp.where((d2 < 1.0) & ~jnp.eye(x.shape[0], dtype=bool), jnp.exp(-d2), 0.0)
    return jax.lax.stop_gradient(near).sum(1)


def jax_scan_mean(x):
    import jax

    total, _ = jax.lax.scan(lambda c, r: (c + r, None), x[0] * 0, x)
    return total / x.shape[0]


def jax_vmapped(x, y):
    import jax

    return jax.vmap(jax.vmap(lambda a, b: ((a - b) ** 2).sum(), (None, 0)), (0, None))(x, y)


def segment_variance():
    import jraph

    return lambda x, w: jraph.segment_variance(x, w, 3)


CLAIMS = [
    # torch.nn, functional, distributions
    torch_true("torch HingeEmbeddingLoss", lambda: lambda x, y: nn.HingeEmbeddingLoss()(x, 2 * y - 1), "x: n, y[2]: n -> ()", "S(n)"),
    torch_true("torch MultiLabelSoftMarginLoss", lambda: nn.MultiLabelSoftMarginLoss(), "x: n c, y: n c -> ()", "S(n) x S(c)"),
    torch_true("torch TripletMarginWithDistanceLoss", lambda: nn.TripletMarginWithDistanceLoss(), "a: n d, p: n d, q: n d -> ()", "S(n) x T(d)"),
    torch_true("torch binary_cross_entropy", lambda: lambda x, y: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()), "x: n, y: n -> ()", "S(n)"),
    torch_true("torch GroupNorm points", seeded(lambda: nn.Sequential(nn.Conv1d(3, 8, 1), nn.GroupNorm(2, 8), nn.Mish())), "x: b 3 n -> b 8 n", "S(n)"),
    torch_true("torch Softplus Hardswish", lambda: nn.Sequential(nn.Softplus(), nn.Hardswish(), nn.SELU(), nn.CELU()), "x: n d -> n d", "S(n) x S(d)"),
    torch_true("torch LPPool circular", lambda: nn.LPPool1d(2, 2), "x: b c 4 -> b c 2", "S(b) x S(c)"),
    torch_true("torch cosine_similarity matrix", lambda: lambda x, y: F.cosine_similarity(x[:, None], y[None], dim=-1), "x: n d, y: m d -> n m", "O(d)"),
    torch_true("torch Student log_prob", lambda: lambda x: D.StudentT(3.0).log_prob(x).sum(), "x: n -> ()", "S(n)"),
    torch_true("torch Beta entropy", lambda: lambda a, b: D.Beta(a, b).entropy().sum(), "a: n, b: n -> ()", "S(n)", draw="positive"),
    torch_true("torch kl Gamma", lambda: lambda a, b: D.kl_divergence(D.Gamma(a, a), D.Gamma(b, b)).sum(), "a: n, b: n -> ()", "S(n)", draw="positive"),
    torch_true("torch Multinomial log_prob", lambda: lambda c, p: D.Multinomial(10, probs=p, validate_args=False).log_prob(c), "c: k, p: k -> ()", "S(k)", draw="positive"),
    torch_true("torch VonMises log_prob", lambda: lambda t: D.VonMises(0.0, 2.0, validate_args=False).log_prob(t).sum(), "t: n -> ()", "S(n)"),
    torch_true("torch supervised contrastive", lambda: supcon, "z: n d, y[3]: n -> ()", "S(n) x O(d)"),
    torch_true("torch batch hard triplet", lambda: batch_hard, "z: n d, y[3]: n -> ()", "S(n) x E(d)"),
    torch_true("torch gated attention MIL", seeded(lambda: GatedAttentionMIL().eval()), "x: n 6 -> 2", "S(n)"),
    torch_true("torch EGCL", seeded(EGCL), "x: n d -> n d", "S(n) x E(d)"),
    torch_true("torch slot attention", seeded(SlotAttention), "s: k 6, x: n 6 -> k 6", "S(n) x S(k)"),
    torch_true("torch DGCNN", seeded(lambda: DGCNN().eval()), "x: b 3 n -> b 8 n", "S(n)"),
    torch_true("torch trapezoid batch", lambda: lambda y: torch.trapezoid(y, dx=0.5, dim=-1), "y: b 5 -> b", "S(b)"),
    torch_true("torch unflatten heads", lambda: lambda x: x.unflatten(-1, (2, 3)).movedim(-2, 0).norm(dim=-1), "x: n 6 -> 2 n", "S(n)"),
    torch_true("torch tril_indices pairs", lambda: lambda x: (lambda i: (x[i[0]] * x[i[1]]).sum())(torch.tril_indices(len(x), len(x), -1)), "x: n d -> ()", "S(n) x O(d)"),
    torch_true("torch cholesky logdet", lambda: lambda A: 2 * torch.linalg.cholesky(A.T @ A + torch.eye(A.shape[1])).diagonal().log().sum(), "A: n d -> ()", "S(n) x O(d)"),
    torch_true("torch solve_triangular", lambda: lambda A, b: torch.linalg.solve_triangular(torch.linalg.cholesky(A @ A.T + torch.eye(len(A))), b, upper=False).square().sum(), "A: n d, b: n k -> ()", "O(d) x O(k)"),
    torch_true("torch scatter_reduce", lambda: lambda x, i: torch.zeros(3, dtype=x.dtype).scatter_reduce(0, i, x, "sum"), "x: n, i[3]: n -> 3", "S(n)"),
    torch_true("torch index_add", lambda: lambda x, i: torch.zeros(3, x.shape[1], dtype=x.dtype).index_add(0, i, x), "x: n d, i[3]: n -> 3 d", "S(n) x O(d)"),
    torch_true("torch cummax last", lambda: lambda x: torch.cummax(x, 0).values[-1], "x: n -> ()", "S(n)"),
    torch_true("torch logaddexp reduce", lambda: lambda x: torch.logcumsumexp(x, 0)[-1], "x: n -> ()", "S(n)"),
    # torchmetrics
    torch_true("torchmetrics hamming", lambda: lambda p, y: M.hamming_distance(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics cohen_kappa", lambda: lambda p, y: M.cohen_kappa(p, y, task="multiclass", num_classes=3), "p[3]: n, y[3]: n -> ()", "S(n)", sizes={"n": (8, 9)}),
    torch_true("torchmetrics hinge", lambda: lambda p, y: M.hinge_loss(p, y, task="multiclass", num_classes=3), "p: n 3, y[3]: n -> ()", "S(n)"),
    torch_true("torchmetrics relative_squared_error", lambda: M.relative_squared_error, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics weighted_mape", lambda: M.weighted_mean_absolute_percentage_error, "x: n, y: n -> ()", "S(n)"),
    torch_true("torchmetrics spearman", lambda: M.spearman_corrcoef, "x: n, y: n -> ()", "S(n)"),
    # timm, transformers, x-transformers, torchvision
    torch_true("timm RmsNorm2d", timm_layer("RmsNorm2d", 4), "x: b 4 h w -> b 4 h w", "S(h) x S(w)"),
    torch_true("timm ConvMlp", timm_layer("ConvMlp", 4, 8), "x: b 4 h w -> b 4 h w", "S(h) x S(w)"),
    torch_true("timm GlobalContext space", timm_layer("GlobalContext", 16), "x: b 16 h w -> b 16 h w", "S(h) x S(w)"),
    torch_true("timm DropPath LayerScale", lambda: nn.Sequential(timm_layer("DropPath", 0.2)(), timm_layer("LayerScale", 6)()).eval(), "x: n 6 -> n 6", "S(n)"),
    torch_true("ALBERT batch", tiny("albert", "AlbertConfig", "AlbertModel", "last_hidden_state", vocab_size=11, embedding_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(b)"),
    torch_true("RoBERTa batch pooled", tiny("roberta", "RobertaConfig", "RobertaModel", "pooler_output", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=12), "i[11]: b 5 -> b 8", "S(b)"),
    torch_true("GPT-NeoX batch", tiny("gptneox", "GPTNeoXConfig", "GPTNeoXModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(b)"),
    torch_true("Qwen2 batch", tiny("qwen", "Qwen2Config", "Qwen2Model", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(b)"),
    torch_true("BERT pooled fixed length", tiny("bert", "BertConfig", "BertModel", "pooler_output", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b 8", "S(b)"),
    torch_true("x-transformers encoder memory", xt("Encoder", dim=8, depth=1, heads=2, attn_dim_head=4, ff_glu=True, use_scalenorm=True), "x: b n 8 -> b n 8", "S(n)", single=True),
    torch_true("x-transformers continuous wrapper", lambda: xt("ContinuousTransformerWrapper", dim_in=3, dim_out=2, max_seq_len=8, use_abs_pos_emb=False, attn_layers=xt("Encoder", dim=8, depth=1, heads=2, attn_dim_head=4)())(), "x: b n 3 -> b n 2", "S(n)", single=True),
    # torch_geometric
    torch_true("PyG GENConv", pyg("GENConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG GMMConv edges", lambda: (lambda c: lambda x, e, w: c(x, e, w))(pyg("GMMConv", 4, 3, dim=2, kernel_size=2)()), "x: n 4, e[n]: 2 m, w: m 2 -> n 3", "S(m)"),
    torch_true("PyG SSGConv", pyg("SSGConv", 4, 3, alpha=0.1, K=2), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG FiLMConv", pyg("FiLMConv", 4, 3), "x: n 4, e[n]: 2 m -> n 3", "S(n)"),
    torch_true("PyG AGNNConv", pyg("AGNNConv"), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    torch_true("PyG GatedGraphConv", pyg("GatedGraphConv", 4, 2), "x: n 4, e[n]: 2 m -> n 4", "S(n)"),
    torch_true("PyG BatchNorm pool", lambda: (lambda p, b: lambda x, g: p(b(x), g, 3))(__import__("torch_geometric").nn.global_add_pool, pyg("BatchNorm", 4)()), "x: n 4, g[3]: n -> 3 4", "S(n)"),
    torch_true("PyG mean max std", lambda: (lambda m: lambda x: m(x, dim=0)[0])(__import__("torch_geometric").nn.aggr.MultiAggregation(["mean", "max", "std"])), "x: n d -> 3d", "S(n)"),
    # scipy
    true("scipy cdist sqeuclidean", lambda: lambda X, Y: spatial.distance.cdist(X, Y, "sqeuclidean"), "X: n d, Y: m d -> n m", "E(d)"),
    true("scipy chebyshev", lambda: spatial.distance.chebyshev, "u: n, v: n -> ()", "S(n)"),
    true("scipy pdist chebyshev", lambda: lambda X: spatial.distance.squareform(spatial.distance.pdist(X, "chebyshev")), "X: n d -> n n", "S(n) x S(d)"),
    true("scipy gammaln", lambda: lambda c: special.gammaln(c.sum() + 1) - special.gammaln(c + 1).sum(), "c: k -> ()", "S(k)", draw="positive"),
    true("scipy erf ndtr", lambda: lambda x: special.ndtr(x).prod() + special.erfc(x).sum(), "x: n -> ()", "S(n)"),
    true("scipy betaln digamma", lambda: lambda a: special.digamma(a).sum(), "a: n -> ()", "S(n)", draw="positive"),
    true("scipy tmean tstd", lambda: lambda x: stats.tmean(x) + stats.tstd(x), "x: n -> ()", "S(n)"),
    true("scipy mannwhitneyu", lambda: lambda x: stats.mannwhitneyu(x, x + 0.1).statistic, "x: n -> ()", "S(n)"),
    true("scipy norm logpdf loc", lambda: lambda x, m: stats.norm(m.mean(), 2.0).logpdf(x).sum(), "x: n, m: k -> ()", "S(n) x S(k)"),
    true("scipy expon pdf", lambda: lambda x: stats.expon.pdf(x, scale=2.0).prod(), "x: n -> ()", "S(n)"),
    true("scipy pmean", lambda: lambda x: stats.pmean(x, 3), "x: n -> ()", "S(n)", draw="positive"),
    true("scipy chisquare", lambda: lambda x: stats.chisquare(x).statistic, "x: n -> ()", "S(n)", draw="positive"),
    true("scipy ndimage wrap", lambda: lambda x: ndimage.convolve1d(x, np.array([1.0, 2.0, 1.0]), mode="wrap"), "x: n -> n", "C(n)", sizes={"n": (4, 7)}),
    true("scipy cholesky", lambda: lambda A: linalg.cholesky(A @ A.T + np.eye(len(A)), lower=True) , "A: n d -> n n", "O(d)"),
    # scikit-learn
    true("brier score", lambda: lambda p, y: np.average((p - y) ** 2), "p: n, y: n -> ()", "S(n)"),
    true("sklearn root_mean_squared", lambda: metrics.root_mean_squared_error, "x: n d, y: n d -> ()", "S(n) x S(d)"),
    true("sklearn paired_distances", lambda: pairwise.paired_distances, "X: n d, Y: n d -> n", "E(d)"),
    true("sklearn KernelRidge", lambda: lambda X, y, Z: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5).fit(X, y).predict(Z), "X: n d, y: n, Z: m d -> m", "S(n) x E(d)"),
    true("sklearn ShrunkCovariance", lambda: lambda X: covariance.ShrunkCovariance(shrinkage=0.1).fit(X).covariance_, "X: n 2 -> 2 2", "S(n)"),
    true("sklearn StandardScaler means", lambda: lambda X: preprocessing.StandardScaler(with_std=False).fit_transform(X), "X: n d -> n d", "S(n) x O(d)"),
    true("sklearn Normalizer", lambda: lambda X: preprocessing.Normalizer(norm="l1").fit_transform(X), "X: n d -> n d", "S(n) x S(d)"),
    # POT, optax, equinox, flax, jax, jraph, e3nn
    true("POT wasserstein_1d", pot("wasserstein_1d"), "u: n, v: n -> ()", "S(n)"),
    true("POT empirical Bures", lambda: lambda X, Y: __import__("ot").gaussian.empirical_bures_wasserstein_distance(X, Y, reg=0.1), "X: n 2, Y: m 2 -> ()", "S(n)"),
    jax_true("optax sigmoid cross entropy", optax_loss("sigmoid_binary_cross_entropy"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax cosine_distance", optax_loss("cosine_distance"), "x: n d, y: n d -> ()", "S(n) x O(d)", backend="jax"),
    jax_true("optax log_cosh", optax_loss("log_cosh"), "x: n, y: n -> ()", "S(n)", backend="jax"),
    jax_true("optax softmax cross entropy", optax_loss("softmax_cross_entropy"), "x: n c, y: n c -> ()", "S(n) x S(c)", backend="jax"),
    jax_true("jax gram pairs", lambda: jax_gram, "x: 4 d -> ()", "S(4) x O(d)", backend="jax"),
    jax_true("jax neighbours below 1", lambda: jax_threshold, "x: n d -> n", "S(n) x E(d)", backend="jax"),
    jax_true("jax scan mean", lambda: jax_scan_mean, "x: n d -> d", "S(n) x E(d)", backend="jax"),
    jax_true("jax vmapped distances", lambda: jax_vmapped, "x: n d, y: m d -> n m", "E(d)", backend="jax"),
    jax_true("jax squareplus", jax_nn("squareplus"), "x: n d -> n d", "S(n) x S(d)", backend="jax"),
    jax_true("equinox AvgPool batch", eqx("AvgPool1d", 2, over=1), "x: b c 4 -> b c 3", "S(b) x S(c)", backend="jax"),
    jax_true("equinox Sequential", lambda: (lambda e: lambda x: __import__("jax").vmap(e)(x).max(0))(__import__("equinox").nn.MLP(3, 2, 8, 2, key=__import__("jax").random.key(0))), "x: n 3 -> 2", "S(n)", backend="jax"),
    jax_true("flax linen RMSNorm", linen("RMSNorm", (2, 4)), "x: n 4 -> n 4", "S(n)", backend="jax"),
    jax_true("jraph segment variance", segment_variance, "x: n d, w[3]: n -> 3 d", "S(n) x S(d)", backend="jax"),
    torch_true("e3nn Norm", e3nn_norm, "x: n 6 -> n 2", "S(n)"),
    torch_true("e3nn Linear of scalars", e3nn_linear, "x: n 4 -> n 3", "S(n)"),
    torch_true("e3nn spherical harmonics norm", spherical, "x: n 3 -> n", "O(3)"),
    # NumPy as scientists write it
    true("physics radial distribution", lambda: radial_distribution, "X: n d -> 4", "S(n) x E(d)"),
    true("physics dipole", lambda: dipole, "q: n, X: n d -> d^", "S(n) x E(d)"),
    true("physics quadrupole", lambda: quadrupole, "q: n, X: n d -> d d", "S(n) x O(d)"),
    true("physics angular momentum", lambda: angular_momentum, "m: n, X: n 3, V: n 3 -> 3", "S(n) x SO(3)"),
    true("physics kinetic", lambda: kinetic, "m: n, V: n d -> ()", "S(n) x E(d)", draw="positive"),
    true("physics loop of energies", lambda: stillinger, "X: n d -> ()", "S(n) x E(d)"),
    true("physics coulomb matrix", lambda: coulomb_matrix, "Z: n, X: n d -> n n", "S(n) x E(d)", draw="positive"),
    true("physics sorted coulomb", lambda: sorted_coulomb, "Z: n, X: n d -> m", "S(n) x E(d)", draw="positive", sizes={"n": 3, "m": 3}),
    true("physics ising", lambda: ising, "s: n m -> ()", "C(n) x C(m)"),
    true("physics verlet", lambda: verlet, "X: n d, V: n d -> n d", "S(n) x O(d)"),
    true("physics contour", lambda: contour, "X: n d -> ()", "E(d)", sizes={"n": (2, 6)}),
    true("physics partition", lambda: partition, "E: n -> ()", "S(n)"),
    true("physics order parameter", lambda: order_parameter, "U: n 3 -> ()", "S(n) x O(3)"),
    true("physics kuramoto", lambda: kuramoto, "t: n -> ()", "S(n)"),
    true("statistics welch", lambda: welch, "x: n, y: m -> ()", "S(n) x S(m)", sizes={"n": (2, 6), "m": (2, 6)}),
    true("statistics hotelling", lambda: hotelling, "X: n 2 -> ()", "S(n) x O(2)", sizes={"n": (4, 6)}),
    true("statistics mahalanobis", lambda: mahalanobis, "X: n 2 -> n", "S(n) x E(2)", sizes={"n": (4, 6)}),
    true("statistics distance correlation", lambda: distance_correlation, "X: n d, Y: n e -> ()", "S(n) x E(d)"),
    true("statistics hsic", lambda: hsic, "X: n d, Y: n e -> ()", "S(n) x O(d)"),
    true("statistics jackknife", lambda: jackknife, "x: n -> ()", "S(n)"),
    true("statistics ols", lambda: ols, "X: n 2, y: n -> ()", "S(n)", sizes={"n": (5, 6)}),
    true("statistics leverage", lambda: leverage, "X: n 2 -> n", "S(n) x O(2)", sizes={"n": (4, 6)}),
    true("statistics theil", lambda: theil, "x: n -> ()", "S(n)", draw="positive"),
    true("statistics silverman", lambda: silverman, "x: n -> ()", "S(n)"),
    true("statistics kde", lambda: kde, "x: n -> 5", "S(n)"),
    true("statistics ecdf", lambda: ecdf, "x: n -> n", "S(n)"),
    true("graphs laplacian spectrum", lambda: laplacian_spectrum, "A: 4 4 -> 4!", "S(4)"),
    true("graphs katz", lambda: katz, "A: n n -> n", "S(n)"),
    true("ecology simpson", lambda: simpson, "c: k -> ()", "S(k)", draw="positive"),
    true("ecology beta diversity", lambda: beta_diversity, "X: n k -> n n", "S(n) x S(k)", draw="positive"),
    true("ecology clr", lambda: clr, "X: n k -> n k", "S(n) x S(k)", draw="positive"),
    true("signals autocorrelation lags", lambda: autocorr_direct, "x: n -> 3", "C(n)"),
    true("signals half turn", lambda: half_turn, "x: n -> n", "C(n)"),
    # false ones
    torch_false("torch EGCL halves", lambda: (lambda m: lambda x: m(x) + 0.1 * x.abs())(seeded(EGCL)()), "x: n d -> n d", "O(d)"),
    torch_false("torch slot attention slots numbered", lambda: (lambda m: lambda s, x: m(s, x)[0])(seeded(SlotAttention)()), "s: k 6, x: n 6 -> 6", "S(k)"),
    torch_false("torch gated attention MIL first", lambda: (lambda m: lambda x: m(x[1:]))(seeded(GatedAttentionMIL)()), "x: n 6 -> 2", "S(n)"),
    torch_false("torch supervised contrastive shifted", lambda: supcon, "z: n d, y[3]: n -> ()", "T(d)"),
    torch_false("torch Student rotated", lambda: lambda x: D.StudentT(3.0).log_prob(x).sum(-1), "x: n d -> n", "O(d)"),
    torch_false("torch logcumsumexp", lambda: lambda x: torch.logcumsumexp(x, 0), "x: n -> n", "S(n)"),
    torch_false("torch Beta swapped", lambda: lambda a, b: D.Beta(a, b).log_prob(torch.sigmoid(a)), "a: n, b: n -> n", "Scale(n)", draw="positive"),
    torch_false("torch GroupNorm channels", seeded(lambda: nn.GroupNorm(2, 8)), "x: b v n -> b v n", "S(v)", sizes={"v": 8}),
    torch_false("torch MultiLabelSoftMargin weighted", lambda: nn.MultiLabelSoftMarginLoss(weight=torch.tensor([1.0, 2.0, 3.0])), "x: n v, y: n v -> ()", "S(v)", sizes={"v": 3}),
    torch_false("torchmetrics minkowski rotated", lambda: lambda x, y: M.minkowski_distance(x, y, p=3), "x: n, y: n -> ()", "O(n)"),
    torch_false("timm GlobalContext channels", timm_layer("GlobalContext", 16), "x: b 16 h w -> b 16 h w", "S(16)"),
    torch_false("ALBERT tokens", tiny("albert", "AlbertConfig", "AlbertModel", "last_hidden_state", vocab_size=11, embedding_size=4, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(n)"),
    torch_false("GPT-NeoX tokens", tiny("gptneox", "GPTNeoXConfig", "GPTNeoXModel", "last_hidden_state", vocab_size=11, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, max_position_embeddings=8), "i[11]: b n -> b n 8", "S(n)"),
    torch_false("x-transformers wrapper with positions", lambda: xt("ContinuousTransformerWrapper", dim_in=3, dim_out=2, max_seq_len=8, attn_layers=xt("Encoder", dim=8, depth=1, heads=2, attn_dim_head=4)())(), "x: b n 3 -> b n 2", "S(n)", single=True, sizes={"n": (3, 6)}),
    torch_false("PyG FiLMConv features", pyg("FiLMConv", 4, 3), "x: n v, e[n]: 2 m -> n 3", "S(v)", sizes={"v": 4}),
    torch_false("PyG GENConv rotations", pyg("GENConv", 4, 4), "x: n 4, e[n]: 2 m -> n 4", "O(4)"),
    torch_false("PyG std aggregation rotated", lambda: (lambda m: lambda x: m(x, dim=0)[0])(__import__("torch_geometric").nn.aggr.StdAggregation()), "x: n d -> d", "O(d)"),
    false("scipy chebyshev rotated", lambda: spatial.distance.chebyshev, "u: n, v: n -> ()", "O(n)"),
    false("scipy gammaln first", lambda: lambda c: special.gammaln(c).sum() - special.gammaln(c[0]), "c: k -> ()", "S(k)", draw="positive"),
    false("scipy expon scaled", lambda: lambda x: stats.expon.pdf(x, scale=2.0), "x: n -> n", "Scale(n)", draw="positive"),
    false("scipy norm logpdf rotated columns", lambda: lambda x: stats.norm.logpdf(x, np.arange(len(x)), 1.0), "x: n -> n", "S(n)"),
    false("scipy ndimage reflect", lambda: lambda x: ndimage.convolve1d(x, np.array([1.0, 2.0, 1.0])), "x: n -> n", "C(n)", sizes={"n": (4, 7)}),
    false("scipy lfilter", lambda: lambda x: signal.lfilter([1.0], [1.0, -0.5], x), "x: n -> n", "S(n)"),
    false("sklearn Normalizer l1 rotated", lambda: lambda X: preprocessing.Normalizer(norm="l1").fit_transform(X), "X: n d -> n d", "O(d)"),
    false("sklearn KernelRidge scaled", lambda: lambda X, y, Z: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5).fit(X, y).predict(Z), "X: n d, y: n, Z: m d -> m", "Scale(d)"),
    false("sklearn explained variance swapped", lambda: lambda x, y: metrics.explained_variance_score(x, y) + x[0], "x: n, y: n -> ()", "S(n)"),
    false("POT wasserstein_1d scaled", lambda: lambda u, v: pot("wasserstein_1d")()(u, v) + np.abs(u - v).sum(), "u: n, v: n -> ()", "Scale(n)"),
    jax_false("optax log_cosh rotated", optax_loss("log_cosh"), "x: n d, y: n d -> ()", "O(d)", backend="jax"),
    jax_false("jax neighbours numbered", lambda: lambda x: jax_threshold(x) * np.arange(x.shape[0]), "x: n d -> n", "S(n)", backend="jax"),
    jax_false("jax neighbours scaled", lambda: jax_threshold, "x: n d -> n", "Scale(d)", backend="jax"),
    jax_false("jraph segment variance rotated", segment_variance, "x: n d, w[3]: n -> 3 d", "O(d)", backend="jax"),
    torch_false("e3nn spherical harmonics rotated", sizes_of_harmonics, "x: n 3 -> n 3", "O(3)", backend="torch"),
    torch_false("e3nn Norm mixed", e3nn_norm, "x: n 6 -> n 2", "O(6)"),
    false("physics radial distribution scaled", lambda: radial_distribution, "X: n d -> 4", "Scale(d)"),
    false("physics dipole of charges", lambda: lambda q, X: (q[:, None] * X).sum(0), "q: n, X: n d -> d^", "T(d)"),
    false("physics angular momentum mirrored", lambda: angular_momentum, "m: n, X: n 3, V: n 3 -> 3", "O(3)"),
    false("physics contour of a set", lambda: contour, "X: n d -> ()", "S(n)", sizes={"n": (3, 6)}),
    false("physics ising open", lambda: lambda s: -np.sum(s[1:] * s[:-1]) - np.sum(s[:, 1:] * s[:, :-1]), "s: n m -> ()", "C(n)"),
    false("statistics hotelling translated", lambda: hotelling, "X: n 2 -> ()", "T(2)", sizes={"n": (4, 6)}),
    false("statistics runs", lambda: runs, "x: n -> ()", "S(n)"),
    false("statistics ecdf of order", lambda: lambda x: np.sort(x) * ecdf(x), "x: n -> n", "S(n)"),
    false("statistics kde translated", lambda: lambda x: kde(x), "x: n -> 5", "T(n)"),
    false("ecology clr scaled", lambda: clr, "X: n k -> n k", "Scale(k)", draw="positive"),
    false("graphs katz directed", lambda: lambda A: katz(A) - np.linalg.eigvalsh(A + A.T)[0] * A[0], "A: n n -> n", "S(n)"),
    false("signals half turn reversed", lambda: lambda x: np.roll(x, len(x) // 2) + np.arange(len(x)) * x, "x: n -> n", "C(n)"),
]  # fmt: skip
