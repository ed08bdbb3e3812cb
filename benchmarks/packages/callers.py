"""Packages that no family before looked at, called through modules that are imported inside a function."""

from __future__ import annotations

from benchmarks.packages.claims import family

true, false = family("torch")
numpy_true, numpy_false = family("numpy")
jax_true, jax_false = family("jax")

IMAGES = "x: b 1 5 5 -> b 1 5 5"
EMBEDDED = "x: 6 d -> ()"


def held(imports, function, before="pass"):
    """A function that holds a module in its closure, as a test inside another function has it."""

    def made():
        import torch

        torch.manual_seed(0)
        space = {"torch": torch}
        exec(f"def made():\n    import {imports}\n    {before}\n    return {function}", space)
        return space["made"]()

    return made


def loss(name):
    """A loss of pytorch_metric_learning on six points of three classes."""
    of = f"L.{name}(); y = torch.tensor([0, 0, 1, 1, 2, 2])"
    return held("pytorch_metric_learning.losses as L", "lambda x: f(x, y)", f"f = {of}")


def distance(of):
    return held("pytorch_metric_learning.distances as D", "lambda x, y: f(x, y)", f"f = D.{of}")


def kernel(of):
    return held("gpytorch", "lambda x: k(x).to_dense()", f"k = gpytorch.kernels.{of}")


def ball(of):
    return held("geoopt", f"lambda *x: b.{of}(*x)", "b = geoopt.PoincareBall()")


def layer(imports, of):
    return held(imports, f"{of}.eval()")


PERCEIVER = (
    "Perceiver(input_channels=8, input_axis=1, num_freq_bands=2, max_freq=4.0, depth=1, num_latents=4, "
    "latent_dim=16, cross_heads=1, latent_heads=2, cross_dim_head=8, latent_dim_head=8, num_classes=5, "
    "self_per_cross_attn=1{})"
)
VIT = "ViT(image_size=8, patch_size=4, num_classes=5, dim=16, depth=1, heads=2, mlp_dim=16)"
AXIAL = "A.AxialAttention(dim=16, dim_index=1, heads=2, num_dimensions=2)"
EN = "E.EnTransformer(dim=8, depth=1, dim_head=33, heads=2, neighbors=0, rel_pos_emb=False).eval()"

CLAIMS = [
    # attention that is sparse
    *(true(f"entmax.{f}", held("entmax", f"lambda x: entmax.{f}(x, dim=-1)"), "x: n -> n", "S(n)")
      for f in ("sparsemax", "entmax15", "sparsemax_bisect")),
    false("entmax.entmax15 signs", held("entmax", "lambda x: entmax.entmax15(x, dim=-1)"), "x: n -> n", "Signs(n)"),
    # losses of embeddings
    *(true(f"pml {f}", loss(f), EMBEDDED, "O(d)") for f in ("ContrastiveLoss", "TripletMarginLoss", "NTXentLoss",
      "CircleLoss", "MultiSimilarityLoss", "SupConLoss")),
    false("pml NTXentLoss labels", loss("NTXentLoss"), "x: 6 4 -> ()", "S(6)"),
    true("pml LpDistance", distance("LpDistance(normalize_embeddings=False)"), "x: n d, y: m d -> n m", "E(d)"),
    false("pml LpDistance normalized", distance("LpDistance()"), "x: n d, y: m d -> n m", "E(d)"),
    true("pml SNRDistance", distance("SNRDistance()"), "x: n d, y: m d -> n m", "S(d)"),
    true("pml CosineSimilarity", distance("CosineSimilarity()"), "x: n d, y: m d -> n m", "S(n) x S(m) x O(d)"),
    # images
    true("kornia gaussian_blur2d", held("kornia", "lambda x: kornia.filters.gaussian_blur2d(x, (3, 3), (1.0, 1.0))"),
         IMAGES, "S(b)"),
    true("kornia sobel", held("kornia", "lambda x: kornia.filters.sobel(x)"), IMAGES, "S(b)"),
    true("kornia laplacian", held("kornia", "lambda x: kornia.filters.laplacian(x, 3)"), IMAGES, "S(b)"),
    true("kornia rgb_to_grayscale", held("kornia", "lambda x: kornia.color.rgb_to_grayscale(x)"),
         "x: 3 h w -> 1 h w", "S(h) x S(w)"),
    false("kornia rgb_to_grayscale colours", held("kornia", "lambda x: kornia.color.rgb_to_grayscale(x)"),
          "x: 3 4 4 -> 1 4 4", "S(3)"),
    true("kornia ssim", held("kornia", "lambda x, y: kornia.metrics.ssim(x, y, 3)"),
         "x: b 1 6 6, y: b 1 6 6 -> b 1 6 6", "S(b)"),
    true("kornia dice_loss", held("kornia", "lambda x, y: kornia.losses.dice_loss(x, y)"),
         "x: b c 4 4, y[c]: b 4 4 -> ()", "S(b)"),
    true("kornia quaternions", held("kornia.geometry.conversions as G", "lambda q: G.quaternion_to_rotation_matrix(q)"),
         "q: b 4 -> b 3 3", "S(b)"),
    true("kornia axis and angle", held("kornia.geometry.conversions as G",
         "lambda v: G.axis_angle_to_rotation_matrix(v)"), "v: b 3 -> b 3 3", "S(b)"),
    true("kornia normalize_points", held("kornia.geometry.epipolar as G", "lambda x: G.normalize_points(x[None])[0][0]"),
         "x: n 2 -> n 2", "S(n)"),
    false("kornia normalize_points moved", held("kornia.geometry.epipolar as G",
          "lambda x: G.normalize_points(x[None])[0][0]"), "x: n 2 -> n 2", "T(2)"),
    true("pytorch_msssim.ssim", held("pytorch_msssim as P",
         "lambda x, y: P.ssim(x, y, data_range=1.0, size_average=False)"), "x: b 1 12 12, y: b 1 12 12 -> b", "S(b)"),
    numpy_true("skimage peak_signal_noise_ratio", held("skimage.metrics as M",
               "lambda x, y: M.peak_signal_noise_ratio(x, y, data_range=1.0)"), "x: n m, y: n m -> ()", "S(n) x S(m)"),
    numpy_true("skimage normalized_root_mse", held("skimage.metrics as M", "lambda x, y: M.normalized_root_mse(x, y)"),
               "x: n m, y: n m -> ()", "S(n) x S(m)"),
    numpy_true("skimage rgb2gray of a held module", held("skimage.color as C", "lambda x: C.rgb2gray(x)"),
               "x: h w 3 -> h w", "S(h) x S(w)"),
    numpy_false("skimage moments_central", held("skimage.measure as M", "lambda x: M.moments_central(x)"),
                "x: n m -> 4 4", "S(n)"),
    # kernels and geometry
    true("gpytorch RBFKernel", kernel("RBFKernel()"), "x: n d -> n n", "S(n) x E(d)"),
    true("gpytorch MaternKernel", kernel("MaternKernel(nu=2.5)"), "x: n 3 -> n n", "S(n) x E(3)"),
    true("gpytorch LinearKernel", kernel("LinearKernel()"), "x: n d -> n n", "S(n) x O(d)"),
    false("gpytorch LinearKernel moved", kernel("LinearKernel()"), "x: n d -> n n", "T(d)"),
    false("gpytorch PeriodicKernel turned", kernel("PeriodicKernel()"), "x: n 3 -> n n", "O(3)"),
    true("geoopt mobius_add", ball("mobius_add"), "x: n d, y: n d -> n d", "O(d)"),
    true("geoopt expmap0", ball("expmap0"), "x: n d -> n d", "O(d) x S(n)"),
    false("geoopt expmap0 moved", ball("expmap0"), "x: n d -> n d", "T(d)"),
    true("geoopt Sphere.projx", held("geoopt", "lambda x: s.projx(x)", "s = geoopt.Sphere()"), "x: n d -> n d", "O(d)"),
    true("torchdiffeq rk4", held("torchdiffeq as T", "lambda x: T.odeint(lambda t, y: -y * (y * y).sum(-1, "
         "keepdim=True), x, torch.tensor([0.0, 1.0], dtype=x.dtype), method='rk4')[-1]"), "x: n d -> n d", "S(n) x O(d)"),
    true("botorch standardize", held("botorch.utils.transforms as B", "lambda x: B.standardize(x)"), "x: n d -> n d",
         "S(n)", sizes={"n": (3, 6)}),
    # transformers
    true("vit_pytorch ViT", layer("vit_pytorch as V", f"V.{VIT}"), "x: b 3 8 8 -> b 5", "S(b)"),
    false("vit_pytorch ViT shifted", layer("vit_pytorch as V", f"V.{VIT}"), "x: 1 3 8 8 -> 1 5", "C(8)"),
    true("vit_pytorch Transformer", layer("vit_pytorch.vit as V", "V.Transformer(16, 2, 2, 8, 32)"),
         "x: b n 16 -> b n 16", "S(b) x S(n)"),
    false("linformer", layer("linformer as L", "L.Linformer(dim=16, seq_len=8, depth=1, k=4, heads=2)"),
          "x: 2 8 16 -> 2 8 16", "S(8)"),
    true("nystrom_attention", layer("nystrom_attention as A", "A.NystromAttention(dim=16, dim_head=8, heads=2, "
         "num_landmarks=4)"), "x: b 8 16 -> b 8 16", "S(b)"),
    true("performer_pytorch SelfAttention", layer("performer_pytorch as P", "P.SelfAttention(dim=16, heads=2, "
         "causal=False)"), "x: b n 16 -> b n 16", "S(b) x S(n)"),
    true("perceiver_pytorch", layer("perceiver_pytorch as P", "P." + PERCEIVER.format(", fourier_encode_data=False")),
         "x: b n 8 -> b 5", "S(n) x S(b)"),
    false("perceiver_pytorch places", layer("perceiver_pytorch as P", "P." + PERCEIVER.format("")), "x: b n 8 -> b 5",
          "S(n)"),
    true("axial_attention", layer("axial_attention as A", AXIAL), "x: b 16 h w -> b 16 h w", "S(h) x S(w)"),
    true("en_transformer features", held("en_transformer as E", "lambda f, x: m(f, x)[0]", f"m = {EN}"),
         "f: 1 n 8, x: 1 n 3 -> 1 n 8", "S(n) x E(3)"),
    true("en_transformer coordinates", held("en_transformer as E", "lambda f, x: m(f, x)[1]", f"m = {EN}"),
         "f: 1 n 8, x: 1 n 3 -> 1 n 3", "S(n) x E(3)"),
    true("local_attention", held("local_attention as L", "lambda x: m(x, x, x)", "m = L.LocalAttention(dim=16, "
         "window_size=4, causal=False, look_backward=1, look_forward=1)"), "x: b 8 16 -> b 8 16", "S(b)"),
    # JAX
    jax_true("ott cost_matrix", held("ott.geometry.pointcloud as P", "lambda x, y: P.PointCloud(x, y).cost_matrix"),
             "x: n d, y: m d -> n m", "S(n) x S(m) x E(d)"),
    jax_true("numpyro Normal", held("numpyro.distributions as D", "lambda x: D.Normal(0.0, 1.0).log_prob(x).sum()"),
             "x: n -> ()", "S(n)"),
    jax_true("numpyro MultivariateNormal", held("numpyro.distributions as D, jax.numpy as jnp", "lambda x: "
             "D.MultivariateNormal(jnp.zeros(3), jnp.eye(3)).log_prob(x)"), "x: n 3 -> n", "O(3)"),
    jax_false("numpyro StudentT", held("numpyro.distributions as D", "lambda x: D.StudentT(3.0, 0.0, 1.0)"
              ".log_prob(x).sum(-1)"), "x: n 3 -> n", "O(3)"),
]  # fmt: skip
