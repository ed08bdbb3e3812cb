"""Packages that no family before looked at: attention, kernels, metric learning, images, statistics, transport, JAX."""

from __future__ import annotations

import functools
import importlib

import numpy as np
import torch

from benchmarks.packages.claims import family

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


def named(path, **options):
    """A function by its name in its package, with options."""

    def made():
        module, _, name = path.partition(":")
        found = functools.reduce(getattr, name.split("."), importlib.import_module(module))
        return functools.partial(found, **options) if options else found

    return made


def using(path, call):
    """What a user makes of a function of a package."""

    def made():
        f = named(path)()
        return lambda *arrays: call(f, *arrays)

    return made


def built(path, *arguments, call=None, **options):
    """A module by its name in its package, with random weights; or what a function makes of it."""

    def made():
        torch.manual_seed(0)
        module = named(path)()(*arguments, **options)
        module = module.eval() if hasattr(module, "eval") and isinstance(module, torch.nn.Module) else module
        return (lambda *arrays: call(module, *arrays)) if call else module

    return made


def haiku(call, *shapes):
    """A function with Haiku's modules inside, transformed and given its weights."""

    def made():
        import haiku as hk
        import jax
        import jax.numpy as jnp

        net = hk.without_apply_rng(hk.transform(lambda *x: call(hk, *x)))
        state = net.init(jax.random.PRNGKey(0), *(jnp.zeros(s) for s in shapes))
        return functools.partial(net.apply, state)

    return made


GP = "X: n d -> n n"
LOSS = "z: n 4, y[3]: n -> ()"
IMAGE = "x: b c h w -> b c h w"
METRIC = "pytorch_metric_learning.losses:"
KERNEL = "gpytorch.kernels:"


def dense(path, **options):
    return built(path, call=lambda k, X: k(X).to_dense(), **options)


def laplacian():
    import networkx as nx

    return lambda A: nx.laplacian_matrix(nx.from_numpy_array((A + A.T) / 2)).toarray()


def graph(function, **options):
    """A function of networkx, of a symmetric adjacency matrix, as an array over the nodes."""

    def made():
        import networkx as nx

        f = functools.reduce(getattr, function.split("."), nx)

        def run(A):
            made = f(nx.from_numpy_array((A + A.T) / 2), **options)
            return np.array([made[i] for i in range(len(A))])

        return run

    return made


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


def ipa(m, s, p, R, t):
    return m(s[None], p[None], rotations=R[None], translations=t[None])[0]


CLAIMS = [
    # lucidrains: attention of all kinds
    torch_true("vit-pytorch ViT batch", built("vit_pytorch:ViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", "S(b)"),
    torch_true("vit-pytorch SimpleViT batch", built("vit_pytorch:SimpleViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", "S(b)", single=True),
    torch_true("vit-pytorch Transformer tokens", built("vit_pytorch.vit:Transformer", 8, 1, 2, 4, 16), "x: b n 8 -> b n 8", "S(n)"),
    torch_true("perceiver-pytorch batch", built("perceiver_pytorch:Perceiver", input_channels=3, input_axis=1, num_freq_bands=2, max_freq=4.0, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, num_classes=2, fourier_encode_data=False), "x: b n 3 -> b 2", "S(n)"),
    torch_true("perceiver-pytorch IO", built("perceiver_pytorch:PerceiverIO", dim=6, queries_dim=5, logits_dim=3, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, call=lambda m, x, q: m(x, queries=q)), "x: b n 6, q: m 5 -> b m 3", "S(n) x S(m)"),
    torch_true("isab-pytorch", built("isab_pytorch:ISAB", dim=8, heads=2, num_latents=3, call=lambda m, x: m(x)[0]), "x: b n 8 -> b n 8", "S(n)"),
    torch_true("linformer batch", built("linformer:LinformerSelfAttention", dim=8, seq_len=6, heads=2, k=3), "x: b 6 8 -> b 6 8", "S(b)"),
    torch_true("performer-pytorch linear attention", named("performer_pytorch.performer_pytorch:linear_attention"), "q: b h n d, k: b h n d, v: b h n e -> b h n e", "S(h) x O(e)"),
    torch_true("nystrom-attention batch", built("nystrom_attention:NystromAttention", dim=8, dim_head=4, heads=2, num_landmarks=2, pinv_iterations=2), "x: b 4 8 -> b 4 8", "S(b)"),
    torch_true("axial-attention rows", built("axial_attention:AxialAttention", dim=8, dim_index=1, heads=2, num_dimensions=2), "x: b 8 h w -> b 8 h w", "S(h) x S(w)"),
    torch_true("memory-efficient-attention", named("memory_efficient_attention_pytorch.memory_efficient_attention:attention"), "q: b h n d, k: b h m d, v: b h m e -> b h n e", "S(m) x O(d)"),
    torch_true("lambda-networks batch", built("lambda_networks:LambdaLayer", dim=4, dim_out=4, n=2, dim_k=2, heads=2, dim_u=1), "x: b 4 2 2 -> b 4 2 2", "S(b)"),
    torch_true("g-mlp batch", built("g_mlp_pytorch.g_mlp_pytorch:gMLPBlock", dim=8, dim_ff=16, seq_len=5), "x: b 5 8 -> b 5 8", "S(b)"),
    torch_true("mlp-mixer batch", built("mlp_mixer_pytorch:MLPMixer", image_size=8, channels=3, patch_size=4, dim=8, depth=1, num_classes=3), "x: b 3 8 8 -> b 3", "S(b)"),
    torch_true("point-transformer", built("point_transformer_pytorch:PointTransformerLayer", dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2), "x: b n 8, p: b n 3 -> b n 8", "S(n) x T(3)"),
    torch_true("invariant-point-attention", built("invariant_point_attention:InvariantPointAttention", dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4, call=ipa), "s: n 8, p: n n 4, R: n 3! 3^, t: n 3 -> n 8", "S(n) x E(3)"),
    torch_true("en-transformer coordinates", built("en_transformer:EnTransformer", dim=8, depth=1, dim_head=32, heads=2, call=lambda m, f, x: m(f, x)[1]), "f: b n 8, x: b n 3 -> b n 3", "E(3)"),
    torch_true("rotary-embedding-torch relative", built("rotary_embedding_torch:RotaryEmbedding", 4, call=lambda m, q, k: m.rotate_queries_or_keys(q) @ m.rotate_queries_or_keys(k).transpose(-1, -2)), "q: b h 5 4, k: b h 5 4 -> b h 5 5", "S(b) x S(h)", single=True),
    torch_true("local-attention batch", built("local_attention:LocalAttention", window_size=2, dim=4, causal=False, autopad=True, use_rotary_pos_emb=False), "q: b h 4 4, k: b h 4 4, v: b h 4 4 -> b h 4 4", "S(h)"),
    torch_true("FSQ codes", built("vector_quantize_pytorch:FSQ", levels=[3, 5, 3], call=lambda m, x: m(x)[0]), "x: b n 3 -> b n 3", "S(n)", single=True),
    torch_true("VectorQuantize codes", built("vector_quantize_pytorch:VectorQuantize", dim=4, codebook_size=8, call=lambda m, x: m(x)[0]), "x: b n 4 -> b n 4", "S(n)", single=True),
    torch_true("entmax sparsemax", named("entmax:sparsemax"), "x: n c -> n c", "S(c)"),
    torch_true("entmax15", named("entmax:entmax15"), "x: n c -> n c", "S(n) x S(c)"),
    torch_true("geomloss sinkhorn", built("geomloss:SamplesLoss", "sinkhorn", p=2, blur=0.5, backend="tensorized"), "x: n d, y: m d -> ()", "S(n) x T(d)"),
    torch_true("geomloss energy", built("geomloss:SamplesLoss", "energy", backend="tensorized"), "x: n d, y: m d -> ()", "S(n) x S(m) x E(d)"),
    # Gaussian processes
    torch_true("gpytorch RBF", dense(KERNEL + "RBFKernel"), GP, "S(n) x E(d)"),
    torch_true("gpytorch Matern", dense(KERNEL + "MaternKernel", nu=1.5), GP, "S(n) x E(d)"),
    torch_true("gpytorch Linear", dense(KERNEL + "LinearKernel"), GP, "S(n) x O(d)"),
    torch_true("gpytorch Periodic", dense(KERNEL + "PeriodicKernel"), "X: n 2 -> n n", "S(n) x T(2)"),
    torch_true("gpytorch RQ", dense(KERNEL + "RQKernel"), GP, "S(n) x E(d)"),
    torch_true("botorch standardize", named("botorch.utils.transforms:standardize"), "Y: n m -> n m", "S(n) x S(m)"),
    torch_true("torchdiffeq rk4 field", ode("rk4", swirl), "x: n d -> n d", "S(n) x O(d)"),
    torch_true("torchdiffeq euler swarm", ode("euler", swarm), "x: n d -> n d", "S(n) x E(d)"),
    # metric learning
    torch_true("metric-learning contrastive", built(METRIC + "ContrastiveLoss"), LOSS, "S(n) x O(4)", sizes={"n": (4, 6)}),
    torch_true("metric-learning triplet", built(METRIC + "TripletMarginLoss"), LOSS, "S(n) x O(4)", sizes={"n": (6, 7)}),
    torch_true("metric-learning NTXent", built(METRIC + "NTXentLoss"), LOSS, "S(n) x O(4)", sizes={"n": (6, 7)}),
    torch_true("metric-learning multi-similarity", built(METRIC + "MultiSimilarityLoss"), LOSS, "S(n) x O(4)", sizes={"n": (6, 7)}),
    torch_true("metric-learning distances", built("pytorch_metric_learning.distances:LpDistance", normalize_embeddings=False), "x: n d, y: m d -> n m", "E(d)"),
    # images
    torch_true("kornia grayscale", named("kornia.color:rgb_to_grayscale"), "x: b 3 h w -> b 1 h w", "S(h) x S(w)"),
    torch_true("kornia hsv", named("kornia.color:rgb_to_hsv"), "x: b 3 h w -> b 3 h w", "S(h) x S(w)", draw="positive"),
    torch_true("kornia blur", using("kornia.filters:gaussian_blur2d", lambda f, x: f(x, (3, 3), (1.0, 1.0), border_type="circular")), IMAGE, "C(h) x C(w)", sizes={"h": (4, 6), "w": (4, 6)}),
    torch_true("kornia transform_points", named("kornia.geometry.linalg:transform_points"), "T: b 4 4, p: b n 3 -> b n 3", "S(n)"),
    torch_true("kornia axis angle norm", named("kornia.geometry.conversions:axis_angle_to_rotation_matrix"), "a: n 3 -> n 3 3", "SO(3)"),
    torch_true("kornia total variation", named("kornia.losses:total_variation"), "x: b c h w -> b c", "S(c)"),
    torch_true("kornia dice", using("kornia.losses:dice_loss", lambda f, x, y: f(x, y)), "x: b 3 h w, y[3]: b h w -> ()", "S(h) x S(w)"),
    torch_true("piq psnr", using("piq:psnr", lambda f, x, y: f(x, y, data_range=2.0)), "x: b c h w, y: b c h w -> ()", "S(h) x S(w)", draw="positive"),
    torch_true("monai dice loss", built("monai.losses:DiceLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", "S(h) x S(w) x S(c)"),
    torch_true("monai tversky", built("monai.losses:TverskyLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", "S(h) x S(w)"),
    torch_true("roma quaternion action", named("roma:quat_action"), "q: n 4, v: n 3 -> n 3", "S(n)"),
    true("skimage nrmse", using("skimage.metrics:normalized_root_mse", lambda f, x, y: f(x, y)), "x: h w, y: h w -> ()", "S(h) x S(w)"),
    true("skimage rgb2gray", named("skimage.color:rgb2gray"), "x: h w 3 -> h w", "S(h) x S(w)"),
    true("skimage rescale_intensity", using("skimage.exposure:rescale_intensity", lambda f, x: f(x, out_range=(0.0, 1.0))), "x: h w -> h w", "S(h) x S(w)"),
    true("skimage gaussian wrapped", using("skimage.filters:gaussian", lambda f, x: f(x, sigma=1, mode="wrap")), "x: h w -> h w", "C(h)", sizes={"h": (9, 10), "w": (9, 10)}),
    # statistics
    true("statsmodels OLS", using("statsmodels.api:OLS", lambda f, X, y: f(y, X).fit().params), "X: n 2, y: n -> 2", "S(n)", sizes={"n": (4, 6)}),
    true("statsmodels mad", using("statsmodels.robust:mad", lambda f, x: f(x)), "x: n -> ()", "S(n)"),
    true("statsmodels Huber norm", using("statsmodels.robust.norms:HuberT", lambda f, x: f().rho(x).sum()), "x: n -> ()", "S(n)"),
    true("statsmodels cov2corr", using("statsmodels.stats.moment_helpers:cov2corr", lambda f, X: f(np.cov(X, rowvar=False))), "X: n 3 -> 3 3", "S(n)", sizes={"n": (5, 7)}),
    true("statsmodels rmse", named("statsmodels.tools.eval_measures:rmse"), "x: n, y: n -> ()", "S(n)"),
    true("statsmodels weighted", using("statsmodels.stats.weightstats:DescrStatsW", lambda f, x, w: f(x, weights=w).std), "x: n, w: n -> ()", "S(n)", draw="positive"),
    true("pingouin effect size", using("pingouin:compute_effsize", lambda f, x, y: f(x, y, eftype="cohen")), "x: n, y: m -> ()", "S(n) x S(m)"),
    true("lifelines concordance", using("lifelines.utils:concordance_index", lambda f, t, s: f(t, s)), "t: n, s: n -> ()", "S(n)", draw="positive"),
    true("dcor distance correlation", using("dcor:distance_correlation", lambda f, x, y: f(x, y)), "x: n d, y: n e -> ()", "S(n) x E(d)"),
    true("dcor energy distance", named("dcor:energy_distance"), "x: n d, y: m d -> ()", "S(n) x E(d)"),
    true("hyppo gram", using("hyppo.tools:compute_dist", lambda f, x: f(x, x, metric="euclidean", workers=1)[0]), "x: n d -> n n", "S(n) x E(d)"),
    true("scoringrules crps", using("scoringrules:crps_ensemble", lambda f, y, e: f(y, e)), "y: n, f: n m -> n", "S(n) x S(m)"),
    true("rmsd kabsch", using("rmsd:kabsch_rmsd", lambda f, P, Q: f(P, Q)), "P: n 3, Q: n 3 -> ()", "SO(3)", sizes={"n": (4, 6)}),
    true("rmsd centroid", named("rmsd:centroid"), "X: n 3 -> 3", "S(n) x E(3)"),
    true("procrustes orthogonal error", using("procrustes:orthogonal", lambda f, A, B: f(A, B).error), "A: n 2, B: n 2 -> ()", "O(2)", sizes={"n": (3, 5)}),
    true("pyriemann euclid mean", named("pyriemann.utils.mean:mean_euclid"), "X: n d d -> d d", "S(n) x O(d)"),
    true("inequality gini", using("inequality.gini:Gini", lambda f, x: f(x).g), "x: n -> ()", "S(n)", draw="positive"),
    true("networkx degree centrality", graph("degree_centrality"), "A: n n -> n", "S(n)", draw="positive"),
    true("networkx laplacian", laplacian, "A: n n -> n n", "S(n)", draw="positive"),
    # JAX
    jax_true("haiku MLP", haiku(lambda hk, x: hk.nets.MLP([8, 3])(x), (2, 4)), "x: n 4 -> n 3", "S(n)", backend="jax"),
    jax_true("haiku attention", haiku(lambda hk, x: hk.MultiHeadAttention(2, 4, w_init_scale=1.0)(x, x, x), (3, 8)), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("haiku LayerNorm", haiku(lambda hk, x: hk.LayerNorm(-1, True, True)(x), (3, 8)), "x: n 8 -> n 8", "S(n)", backend="jax"),
    jax_true("haiku deep set", haiku(lambda hk, x: hk.Linear(2)(hk.Linear(8)(x).max(0)), (3, 4)), "x: n 4 -> 2", "S(n)", backend="jax"),
    jax_true("distrax normal", using("distrax:Normal", lambda f, x, m: f(m, 1.0).log_prob(x).sum(-1)), "x: n d, m: d -> n", "S(n) x E(d)", backend="jax"),
    jax_true("distrax categorical entropy", using("distrax:Categorical", lambda f, x: f(logits=x).entropy()), "x: n c -> n", "S(c)", backend="jax"),
    jax_true("numpyro dirichlet", using("numpyro.distributions:Dirichlet", lambda f, a, p: f(a).log_prob(p / p.sum())), "a: k, p: k -> ()", "S(k)", backend="jax", draw="positive"),
    jax_true("numpyro student", using("numpyro.distributions:StudentT", lambda f, x: f(3.0, 0.0, 1.0).log_prob(x).sum()), "x: n -> ()", "S(n)", backend="jax"),
    jax_true("tinygp exp squared", using("tinygp.kernels:ExpSquared", lambda f, X: f(1.5)(X, X)), GP, "S(n) x T(d)", backend="jax"),
    jax_true("tinygp matern isotropic", using("tinygp:kernels", lambda f, X: f.Matern32(1.5, distance=f.distance.L2Distance())(X, X)), GP, "S(n) x E(d)", backend="jax"),
    jax_true("ott geometry", using("ott.geometry.pointcloud:PointCloud", lambda f, X, Y: f(X, Y).cost_matrix), "X: n d, Y: m d -> n m", "E(d)", backend="jax"),
    jax_true("dm-pix gaussian", using("dm_pix:rgb_to_grayscale", lambda f, x: f(x)), "x: h w 3 -> h w 1", "S(h) x S(w)", backend="jax"),
    jax_true("dm-pix mse", named("dm_pix:mse"), "x: h w c, y: h w c -> ()", "S(h) x S(w) x S(c)", backend="jax"),
    jax_true("rlax huber", using("rlax:huber_loss", lambda f, x: f(x).sum()), "x: n -> ()", "S(n)", backend="jax"),
    jax_true("rlax entropy", using("rlax:entropy_loss", lambda f, x, w: f(x, w)), "x: n a, w: n -> ()", "S(n) x S(a)", backend="jax"),
    jax_true("e3nn-jax spherical harmonics norm", using("e3nn_jax:spherical_harmonics", lambda f, x: (f("2e", x, True).array ** 2).sum(-1)), "x: n 3 -> n", "S(n) x O(3)", backend="jax", sizes={"n": (1, 4)}),
    # false ones
    torch_false("vit-pytorch ViT pixels", built("vit_pytorch:ViT", image_size=8, patch_size=4, num_classes=3, dim=8, depth=1, heads=2, mlp_dim=16, dim_head=4), "x: b 3 8 8 -> b 3", "C(8)"),
    torch_false("linformer tokens", built("linformer:LinformerSelfAttention", dim=8, seq_len=6, heads=2, k=3), "x: b 6 8 -> b 6 8", "S(6)"),
    torch_false("g-mlp tokens", built("g_mlp_pytorch.g_mlp_pytorch:gMLPBlock", dim=8, dim_ff=16, seq_len=5, call=lambda m, x: m(x) + x.cumsum(1)), "x: b 5 8 -> b 5 8", "S(5)"),
    torch_false("perceiver IO latents of inputs", built("perceiver_pytorch:PerceiverIO", dim=6, queries_dim=5, logits_dim=3, depth=1, num_latents=4, latent_dim=8, cross_heads=1, latent_heads=2, cross_dim_head=4, latent_dim_head=4, call=lambda m, x, q: m(x, queries=q)), "x: b n v, q: m 5 -> b m 3", "S(v)", sizes={"v": 6}),
    torch_false("point-transformer rotated", built("point_transformer_pytorch:PointTransformerLayer", dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2), "x: b n 8, p: b n 3 -> b n 8", "O(3)"),
    torch_false("invariant-point-attention mirrored frames", built("invariant_point_attention:InvariantPointAttention", dim=8, heads=2, scalar_key_dim=4, scalar_value_dim=4, point_key_dim=2, point_value_dim=2, pairwise_repr_dim=4, call=ipa), "s: n 8, p: n n 4, R: n 3! 3!, t: n 3 -> n 8", "O(3)"),
    torch_false("en-transformer features rotated", built("en_transformer:EnTransformer", dim=8, depth=1, dim_head=32, heads=2, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", "O(8)"),
    torch_false("FSQ codes rotated", built("vector_quantize_pytorch:FSQ", levels=[3, 3, 3], call=lambda m, x: m(x)[0]), "x: b n 3 -> b n 3", "O(3)", single=True),
    torch_false("entmax scaled", named("entmax:entmax15"), "x: n c -> n c", "Scale(c)"),
    torch_false("sparsemax rows", using("entmax:sparsemax", lambda f, x: f(x, 0)), "x: n c -> n c", "T(c)"),
    torch_false("gpytorch Periodic rotated", dense(KERNEL + "PeriodicKernel"), "X: n 2 -> n n", "O(2)"),
    torch_false("gpytorch linear translated", dense(KERNEL + "LinearKernel"), GP, "T(d)"),
    torch_false("botorch standardize rotated", named("botorch.utils.transforms:standardize"), "Y: n m -> n m", "O(m)"),
    torch_false("torchdiffeq field by entries", ode("rk4", lambda y: -(y**3)), "x: n d -> n d", "O(d)"),
    torch_false("metric-learning contrastive translated", built(METRIC + "ContrastiveLoss"), LOSS, "T(4)", sizes={"n": (4, 6)}),
    torch_false("kornia grayscale channels", named("kornia.color:rgb_to_grayscale"), "x: b 3 h w -> b 1 h w", "S(3)"),
    torch_false("kornia blur reflect", using("kornia.filters:gaussian_blur2d", lambda f, x: f(x, (3, 3), (1.0, 1.0))), IMAGE, "C(h)", sizes={"h": (4, 6), "w": (4, 6)}),
    torch_false("kornia total variation of rows", named("kornia.losses:total_variation"), "x: b c h w -> b c", "S(h)"),
    torch_false("monai dice translated", built("monai.losses:DiceLoss", sigmoid=True), "x: b c h w, y: b c h w -> ()", "T(w)"),
    torch_false("roma quaternion action mirrored", named("roma:quat_action"), "q: n 4!, v: n 3 -> n 3", "SO(3)"),
    false("skimage gaussian nearest", using("skimage.filters:gaussian", lambda f, x: f(x, sigma=1)), "x: h w -> h w", "C(h)", sizes={"h": (9, 10), "w": (9, 10)}),
    false("skimage rgb2gray channels", named("skimage.color:rgb2gray"), "x: h w 3 -> h w", "S(3)"),
    false("statsmodels acf shuffled", using("statsmodels.tsa.stattools:acf", lambda f, x: f(x, nlags=2, fft=False)), "x: n -> 3", "S(n)", sizes={"n": (4, 6)}),
    false("statsmodels durbin_watson", named("statsmodels.stats.stattools:durbin_watson"), "x: n -> ()", "S(n)", sizes={"n": (3, 6)}),
    false("statsmodels OLS coefficients rotated", using("statsmodels.api:OLS", lambda f, X, y: f(y, X).fit().params ** 2), "X: n 2, y: n -> 2", "O(2)", sizes={"n": (4, 6)}),
    false("pingouin effect size shifted", using("pingouin:compute_effsize", lambda f, x, y: f(x, y, eftype="cohen")), "x: n, y: n -> ()", "T(n)", sizes={"n": (3, 6)}),
    false("dcor distance correlation scaled", using("dcor:distance_covariance", lambda f, x, y: f(x, y)), "x: n d, y: n e -> ()", "Scale(d)"),
    false("rmsd without rotation", using("rmsd:rmsd", lambda f, P, Q: f(P, Q)), "P: n 3, Q: n 3! -> ()", "O(3)"),
    false("antropy hjorth shuffled", using("antropy:hjorth_params", lambda f, x: f(x)[0]), "x: n -> ()", "S(n)", sizes={"n": (4, 7)}),
    false("scoringrules crps of one member", using("scoringrules:crps_ensemble", lambda f, y, e: f(y, e) + e[:, 0]), "y: n, f: n m -> n", "S(m)"),
    false("pyriemann mean weighted by rank", using("pyriemann.utils.mean:mean_euclid", lambda f, X: f(X, sample_weight=np.arange(1, len(X) + 1.0))), "X: n d d -> d d", "S(n)"),
    jax_false("haiku attention numbered", haiku(lambda hk, x: hk.MultiHeadAttention(2, 4, w_init_scale=1.0)(x, x, x) * hk.get_parameter("w", (1, 8), init=hk.initializers.RandomNormal()), (3, 8)), "x: n v -> n v", "S(v)", sizes={"v": 8}, backend="jax"),
    jax_false("haiku GRU over a set", haiku(lambda hk, x: hk.dynamic_unroll(hk.GRU(4), x, hk.GRU(4).initial_state(None))[1], (5, 3)), "x: n 3 -> 4", "S(n)", backend="jax", sizes={"n": 5}),
    jax_false("distrax laplace rotated", using("distrax:Laplace", lambda f, x: f(0.0, 1.0).log_prob(x).sum(-1)), "x: n d -> n", "O(d)", backend="jax"),
    jax_false("numpyro normal of places", using("numpyro.distributions:Normal", lambda f, x: f(0.0, np.arange(1.0, x.shape[0] + 1)).log_prob(x).sum()), "x: n -> ()", "S(n)", backend="jax"),
    jax_false("tinygp L1 rotated", using("tinygp.kernels:Exp", lambda f, X: f(1.5)(X, X)), GP, "O(d)", backend="jax"),
    jax_false("ott cost scaled", using("ott.geometry.pointcloud:PointCloud", lambda f, X, Y: f(X, Y).cost_matrix), "X: n d, Y: m d -> n m", "Scale(d)", backend="jax"),
    jax_false("dm-pix grayscale channels", using("dm_pix:rgb_to_grayscale", lambda f, x: f(x)), "x: h w 3 -> h w 1", "S(3)", backend="jax"),
    jax_false("rlax discounted returns", using("rlax:discounted_returns", lambda f, r: f(r, 0.9 + 0 * r, 0.0)), "r: n -> n", "S(n)", backend="jax", sizes={"n": (3, 6)}),
    jax_false("e3nn-jax harmonics as vectors", using("e3nn_jax:spherical_harmonics", lambda f, x: f("1o", x, True).array ** 2), "x: n 3 -> n 3", "O(3)", backend="jax", sizes={"n": (1, 4)}),
]  # fmt: skip
