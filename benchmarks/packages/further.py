"""Packages that no family before looked at: estimators, trajectories, portfolios, audio, wavelets, flows, signatures."""

from __future__ import annotations

import numpy as np
import torch

from benchmarks.packages.claims import family
from benchmarks.packages.published import built, named, using

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")

CURVES = "P: n d, Q: m d -> ()"
FIT = "X: n d, y: n, Z: m d -> m"
WAVE = "x: b 1 t, y: b 1 t -> ()"
UNSURE = "p: n, s: n, y: n -> ()"
RETURNS = "x: n -> ()"
SHORT = {"n": (3, 5), "m": (3, 5)}


def fitted(path, **options):
    """What an estimator of scikit-learn predicts, fitted to data."""
    return using(path, lambda f, X, y, Z: f(**options).fit(X, y).predict(Z))


def transformed(path, **options):
    return using(path, lambda f, X: f(**options).fit_transform(X))


def atoms(call):
    """A function of MDAnalysis, of float32 as it asks for."""
    return using("MDAnalysis.lib.distances:distance_array", lambda f, *X: call(f, *(x.astype("f4") for x in X)))


def gram(path, **options):
    return built(path, call=lambda k, X: k.cross_covariance(X, X), **options)


def flow(*layers):
    """log_prob of a normalising flow."""

    def made():
        import normflows as nf

        torch.manual_seed(0)
        flows = [getattr(nf.flows, name)(*arguments) for name, *arguments in layers]
        model = nf.NormalizingFlow(nf.distributions.DiagGaussian(2, trainable=False), flows)
        return model.log_prob

    return made


def aev():
    def made():
        import torchani

        computer = torchani.AEVComputer.like_1x()
        return lambda s, x: computer(s[None], x[None])[0]

    return made


CLAIMS = [
    # NumPy: estimators
    true("sklearn StandardScaler fitted", transformed("sklearn.preprocessing:StandardScaler"), "X: n d -> n d", "S(n) x S(d)"),
    true("sklearn KernelRidge fitted", fitted("sklearn.kernel_ridge:KernelRidge", kernel="rbf", gamma=0.5), FIT, "S(n) x S(m) x E(d)"),
    true("sklearn Ridge fitted", fitted("sklearn.linear_model:Ridge"), FIT, "S(n) x S(m) x E(d)"),
    true("sklearn LinearRegression fitted", fitted("sklearn.linear_model:LinearRegression"), "X: n 2, y: n, Z: m 2 -> m", "S(n) x E(2)", sizes={"n": (4, 6)}),
    true("sklearn GaussianProcess fitted", fitted("sklearn.gaussian_process:GaussianProcessRegressor", optimizer=None, alpha=0.1), FIT, "S(n) x S(m) x E(d)"),
    true("sklearn KNeighborsRegressor", fitted("sklearn.neighbors:KNeighborsRegressor", n_neighbors=2), FIT, "S(n) x S(m) x E(d)", sizes={"n": (3, 5)}),
    true("sklearn PCA ratios", using("sklearn.decomposition:PCA", lambda f, X: f(n_components=2).fit(X).explained_variance_ratio_), "X: n 3 -> 2", "S(n) x E(3)", sizes={"n": (4, 6)}),
    true("sklearn LedoitWolf", using("sklearn.covariance:LedoitWolf", lambda f, X: f().fit(X).covariance_), "X: n d -> d^ d^", "S(n) x E(d)"),
    true("scipy procrustes", using("scipy.spatial:procrustes", lambda f, A, B: f(A, B)[2]), "A: n d, B: n d -> ()", "S(n) x E(d)"),
    true("scipy align_vectors", using("scipy.spatial.transform:Rotation", lambda f, A, B: f.align_vectors(A, B)[1]), "A: n 3, B: n 3 -> ()", "SO(3)", sizes={"n": (4, 6)}),
    # NumPy: curves, uncertainty, finance, ecology, wavelets, sound, trajectories, chains
    true("similaritymeasures Frechet", named("similaritymeasures:frechet_dist"), CURVES, "E(d)", sizes=SHORT),
    true("similaritymeasures dtw", using("similaritymeasures:dtw", lambda f, P, Q: f(P, Q)[0]), CURVES, "E(d)", sizes=SHORT),
    true("uncertainty-toolbox nll", named("uncertainty_toolbox:nll_gaussian"), UNSURE, "S(n)", draw="positive"),
    true("uncertainty-toolbox crps", named("uncertainty_toolbox:crps_gaussian"), UNSURE, "S(n)", draw="positive"),
    true("uncertainty-toolbox sharpness", using("uncertainty_toolbox:sharpness", lambda f, s: f(s)), "s: n -> ()", "S(n)", draw="positive"),
    true("uncertainty-toolbox check score", named("uncertainty_toolbox:check_score"), UNSURE, "S(n)", draw="positive"),
    true("skfolio semi-variance", named("skfolio.measures:semi_variance"), RETURNS, "S(n)"),
    true("skfolio mean absolute deviation", named("skfolio.measures:mean_absolute_deviation"), RETURNS, "S(n) x T(n)", sizes={"n": 1}),
    true("skfolio Gini mean difference", named("skfolio.measures:gini_mean_difference"), RETURNS, "S(n)"),
    true("skfolio kurtosis", named("skfolio.measures:kurtosis"), RETURNS, "S(n)"),
    true("skbio shannon", named("skbio.diversity.alpha:shannon"), "c: k -> ()", "S(k)", draw="positive"),
    true("skbio multiplicative closure", named("skbio.stats.composition:closure"), "X: n k -> n k", "S(n) x S(k)", draw="positive"),
    true("skbio clr", named("skbio.stats.composition:clr"), "X: n k -> n k", "S(n) x S(k)", draw="positive"),
    true("pywavelets haar batch", using("pywt:dwt", lambda f, x: f(x, "haar")[0]), "x: b 8 -> b 4", "S(b)"),
    true("fast-bss-eval si_sdr", using("fast_bss_eval.numpy:si_sdr_loss", lambda f, x, y: f(x, y, pairwise=False)), "x: c t, y: c t -> c", "S(c)"),
    true("MDAnalysis distances", atoms(lambda f, X, Y: f(X, Y)), "X: n 3, Y: m 3 -> n m", "S(n) x S(m) x E(3)", single=True),
    true("MDAnalysis angle", named("MDAnalysis.lib.mdamath:angle"), "a: 3, b: 3 -> ()", "O(3)"),
    true("MDAnalysis dihedral", named("MDAnalysis.lib.mdamath:dihedral"), "a: 3, b: 3, c: 3 -> ()", "SO(3)"),
    true("MDAnalysis stp", named("MDAnalysis.lib.mdamath:stp"), "a: 3, b: 3, c: 3 -> ()", "SO(3)"),
    true("astropy mad_std", named("astropy.stats:mad_std"), RETURNS, "S(n)"),
    true("astropy biweight", named("astropy.stats:biweight_location"), RETURNS, "S(n)"),
    true("astropy circular variance", named("astropy.stats:circvar"), RETURNS, "S(n)"),
    true("astropy angular separation", using("astropy.coordinates:angular_separation", lambda f, a, b, c, d: f(a[0], b, c[0], d)), "a: k, b: (), c: k, d: () -> ()", "T(k)", sizes={"k": 1}),
    true("deeptime stationary distribution", using("deeptime.markov.tools.analysis:stationary_distribution", lambda f, A: f(A / A.sum(1, keepdims=True))), "A: n n -> n", "S(n)", draw="positive"),
    true("empyrical annual volatility", named("empyrical:annual_volatility"), RETURNS, "S(n)"),
    true("empyrical sharpe ratio", named("empyrical:sharpe_ratio"), RETURNS, "S(n)", draw="positive"),
    # torch
    torch_true("FT-Transformer rows", built("tab_transformer_pytorch:FTTransformer", categories=(), num_continuous=4, dim=8, depth=1, heads=2, dim_head=4, call=lambda m, x: m(torch.zeros(x.shape[0], 0, dtype=torch.long), x)), "x: b 4 -> b 1", "S(b)"),
    torch_true("normflows linear", flow(("AffineConstFlow", (2,)), ("LULinearPermute", 2)), "x: b 2 -> b", "S(b)"),
    torch_true("normflows base", flow(), "x: b 2 -> b", "S(b) x O(2)"),
    torch_true("auraloss SI-SDR", built("auraloss.time:SISDRLoss"), WAVE, "S(b)", sizes={"t": (4, 6)}),
    torch_true("auraloss log cosh", built("auraloss.time:LogCoshLoss"), WAVE, "S(b) x S(t)", sizes={"t": (4, 6)}),
    torch_true("auraloss ESR", built("auraloss.time:ESRLoss"), WAVE, "S(b) x S(t)", sizes={"t": (4, 6)}),
    torch_true("julius fft convolution batch", using("julius:fft_conv1d", lambda f, x: f(x, torch.ones(1, 1, 3, dtype=x.dtype))), "x: b 1 8 -> b 1 6", "S(b)"),
    torch_true("torch-dct orthogonal", using("torch_dct:dct", lambda f, x: f(x, norm="ortho").norm(dim=-1)), "x: b 4 -> b", "S(b) x O(4)"),
    torch_true("ptwt haar channels", using("ptwt:wavedec", lambda f, x: f(x, "haar", level=1, mode="zero")[0]), "x: b 8 -> b 4", "S(b)"),
    torch_true("schnetpack radial basis", built("schnetpack.nn.radial:GaussianRBF", n_rbf=5, cutoff=5.0, call=lambda m, x: m((x[:, None] - x[None]).pow(2).sum(-1).sqrt())), "x: n 3 -> n n 5", "S(n) x E(3)", single=True),
    torch_true("schnetpack cosine cutoff", built("schnetpack.nn:CosineCutoff", 5.0), "r: n -> n", "S(n)", single=True),
    torch_true("torchani environments", aev(), "s[4]: n, x: n 3 -> n 384", "S(n) x E(3)", single=True, sizes={"n": (3, 4)}),
    torch_true("torch_geometric GINEConv", built("torch_geometric.nn:GINEConv", torch.nn.Linear(4, 4), call=lambda m, x, E, e: m.double()(x.double(), E, e.double()).to(x.dtype)), "x: n 4, E[n]: 2 m, e: m 4 -> n 4", "S(n) x S(m)"),
    torch_true("torch_geometric GeneralConv", built("torch_geometric.nn:GeneralConv", 4, 3), "x: n 4, E[n]: 2 m -> n 3", "S(n) x S(m)"),
    torch_true("torch_geometric SuperGAT", built("torch_geometric.nn:SuperGATConv", 4, 3), "x: n 4, E[n]: 2 m -> n 3", "S(n) x S(m)"),
    torch_true("torch_geometric MFConv", built("torch_geometric.nn:MFConv", 4, 3, max_degree=3), "x: n 4, E[n]: 2 m -> n 3", "S(n) x S(m)"),
    torch_true("torch_geometric PointTransformer", built("torch_geometric.nn:PointTransformerConv", 4, 3), "x: n 4, p: n 3, E[n]: 2 m -> n 3", "S(n) x S(m) x T(3)"),
    torch_true("torch_geometric APPNP", built("torch_geometric.nn:APPNP", 3, 0.1), "x: n 4, E[n]: 2 m -> n 4", "S(n) x S(m)"),
    torch_true("torch_geometric DenseGIN", built("torch_geometric.nn:DenseGINConv", torch.nn.Linear(4, 3, dtype=torch.float64), call=lambda m, x, A: m(x.double(), A.double()).to(x.dtype)), "x: b n 4, A: b n n -> b n 3", "S(b) x S(n)"),
    torch_true("torch_geometric dense_mincut_pool", using("torch_geometric.nn:dense_mincut_pool", lambda f, x, A, s: f(x, A, s)[0]), "x: b n 4, A: b n n, s: b n 2 -> b 2 4", "S(b) x S(n)"),
    torch_true("geoopt sphere projection", built("geoopt.manifolds:Sphere", call=lambda m, x, v: m.proju(x, v)), "x: n d, v: n d -> n d", "S(n) x O(d)"),
    torch_true("torch_geometric point pair features", using("torch_geometric.nn.conv.ppf_conv:point_pair_features", lambda f, a, b, n, m: f(a, b, n, m)), "a: n 3, b: n 3, u: n 3^, v: n 3^ -> n 4", "S(n) x E(3)"),
    # JAX
    jax_true("gpjax RBF", gram("gpjax.kernels:RBF"), "X: n 2 -> n n", "S(n) x E(2)", backend="jax"),
    jax_true("gpjax Matern", gram("gpjax.kernels:Matern32"), "X: n 2 -> n n", "S(n) x E(2)", backend="jax"),
    jax_true("flowjax normal", using("flowjax.distributions:StandardNormal", lambda f, x: f((3,)).log_prob(x)), "x: b 3 -> b", "S(b) x O(3)", backend="jax"),
    jax_true("flowjax student", using("flowjax.distributions:StudentT", lambda f, x: f(3.0).log_prob(x).sum(-1)), "x: b n -> b", "S(n)", backend="jax"),
    jax_true("optimistix root", using("optimistix:root_find", lambda f, x: f(lambda y, a: y**3 + y - a, __import__("optimistix").Newton(1e-6, 1e-6), x[0] * 0, args=(x**2).sum()).value), "x: d -> ()", "O(d)", backend="jax", single=True),
    jax_true("numpyro multivariate normal", using("numpyro.distributions:MultivariateNormal", lambda f, x, m: f(m, np.eye(3)).log_prob(x)), "x: n 3, m: 3 -> n", "S(n) x E(3)", backend="jax"),
    jax_true("jraph GCN", using("jraph:GraphConvolution", lambda f, x, s, r: f(lambda h: h * 2.0)(__import__("jraph").GraphsTuple(nodes=x, edges=None, senders=s, receivers=r, n_node=np.array([4]), n_edge=np.array([5]), globals=None)).nodes), "x: 4 c, s[4]: 5, r[4]: 5 -> 4 c", "S(c)", backend="jax"),
    # false ones
    false("sklearn KernelRidge scaled", fitted("sklearn.kernel_ridge:KernelRidge", kernel="rbf", gamma=0.5), FIT, "Scale(d)"),
    false("sklearn Ridge of polynomials", fitted("sklearn.kernel_ridge:KernelRidge", kernel="poly", degree=2), FIT, "T(d)"),
    false("sklearn MinMaxScaler rotated", transformed("sklearn.preprocessing:MinMaxScaler"), "X: n d -> n d", "O(d)"),
    false("sklearn LedoitWolf of rows", using("sklearn.covariance:LedoitWolf", lambda f, X: f(assume_centered=True).fit(X).covariance_), "X: n d -> d^ d^", "T(d)"),
    false("similaritymeasures Frechet of sets", named("similaritymeasures:frechet_dist"), CURVES, "S(n)", sizes=SHORT),
    false("uncertainty-toolbox nll scaled", named("uncertainty_toolbox:nll_gaussian"), UNSURE, "Scale(n)", draw="positive"),
    false("skfolio drawdown shuffled", named("skfolio.measures:max_drawdown"), RETURNS, "S(n)", sizes={"n": (4, 6)}),
    false("skbio clr scaled", named("skbio.stats.composition:clr"), "X: n k -> n k", "Scale(k)", draw="positive"),
    false("pywavelets haar shifted", using("pywt:dwt", lambda f, x: f(x, "haar")[0]), "x: b k -> b m", "C(k)", sizes={"k": 8}),
    false("MDAnalysis dihedral mirrored", named("MDAnalysis.lib.mdamath:dihedral"), "a: 3, b: 3, c: 3 -> ()", "O(3)"),
    false("astropy circular variance scaled", named("astropy.stats:circvar"), RETURNS, "Scale(n)"),
    false("empyrical drawdown shuffled", named("empyrical:max_drawdown"), RETURNS, "S(n)", sizes={"n": (4, 6)}),
    torch_false("normflows linear rotated", flow(("LULinearPermute", 2)), "x: b 2 -> b", "O(2)"),
    torch_false("auraloss ESR of one side", built("auraloss.time:ESRLoss"), WAVE, "T(t)", sizes={"t": (4, 6)}),
    torch_false("torch-dct shifted", using("torch_dct:dct", lambda f, x: f(x, norm="ortho")), "x: b k -> b k", "C(k)", sizes={"k": 4}),
    torch_false("torch_geometric PointTransformer rotated", built("torch_geometric.nn:PointTransformerConv", 4, 3), "x: n 4, p: n 3, E[n]: 2 m -> n 3", "O(3)"),
    torch_false("schnetpack cutoff of coordinates", built("schnetpack.nn:CosineCutoff", 5.0, call=lambda m, x: m(x).sum(-1)), "x: n 3 -> n", "O(3)", single=True),
    jax_false("flowjax student rotated", using("flowjax.distributions:StudentT", lambda f, x: f(3.0).log_prob(x).sum(-1)), "x: b n -> b", "O(n)", backend="jax"),
    jax_false("gpjax periodic rotated", gram("gpjax.kernels:Periodic"), "X: n 2 -> n n", "O(2)", backend="jax"),
]  # fmt: skip
