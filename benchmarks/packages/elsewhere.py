"""Packages that no family before looked at: geometry, flows, time series, molecules, tensors, projections."""

from __future__ import annotations

import numpy as np
import torch

from benchmarks.packages.claims import family
from benchmarks.packages.published import built, named, using

true, false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")

PAIR = "x: b 4, y: b 4 -> ()"
BALL = "geoopt.manifolds:PoincareBall"
GP = "pyro.contrib.gp.kernels:"
LOSS = "lightly.loss:"
EGNN = "f: b n 8, x: b n 3 -> b n 3"
POINTS = "X: n 3 -> ()"
CURVES = "x: n d, y: m d -> ()"
SHORT = {"n": (3, 5), "m": (3, 5)}


def energy(name, **options):
    """A pair energy of JAX MD in free space, or in a periodic box."""

    def made():
        from jax_md import energy, space

        displacement, _ = space.periodic(3.0) if options.get("box") else space.free()
        return getattr(energy, name)(displacement, sigma=1.0, epsilon=1.0)

    return made


def euler(field):
    """Four steps of Euler's method."""

    def made():
        import diffrax

        term = diffrax.ODETerm(lambda t, y, _: field(y))

        def run(x):
            solution = diffrax.diffeqsolve(term, diffrax.Euler(), 0.0, 1.0, 0.25, x, adjoint=diffrax.DirectAdjoint())
            return solution.ys[-1]

        return run

    return made


def flow(**options):
    def made():
        import zuko

        torch.manual_seed(0)
        model = zuko.flows.MAF(features=3, transforms=1, hidden_features=(8,))
        return lambda x: model().log_prob(x)

    return made


def harmonics(power):
    def made():
        import e3x

        return lambda x: (e3x.so3.spherical_harmonics(x, max_degree=1, r_is_normalized=False)[..., 1:] ** power).sum(-1)

    return made


def swirl(y):
    return -y / (1 + (y**2).sum(-1, keepdims=True))


CLAIMS = [
    # NumPy: series, sound, molecules, tensors, statistics
    true("umap cosine distance", using("umap.distances:cosine", lambda f, x, y: f(x, y)), "x: d, y: d -> ()", "O(d)"),
    true("tslearn dtw rotated", named("tslearn.metrics:dtw"), CURVES, "O(d)", sizes=SHORT),
    true("tslearn soft dtw", named("tslearn.metrics:soft_dtw"), CURVES, "E(d)", sizes=SHORT),
    true("persim sliced wasserstein", named("persim:sliced_wasserstein"), "x: n 2, y: m 2 -> ()", "S(n) x S(m)"),
    true("ase distances", using("ase.geometry:get_distances", lambda f, X: f(X)[1]), "X: n 3 -> n n", "S(n) x E(3)"),
    true("ase angles", named("ase.geometry:get_angles"), "v: n 3, w: n 3 -> n", "S(n) x O(3)"),
    true("transforms3d product norm", using("transforms3d:quaternions", lambda f, p, q: f.qnorm(f.qmult(p, q))), "p: 4, q: 4 -> ()", "O(4)"),
    true("librosa normalize", named("librosa.util:normalize"), "S: f t -> f t", "S(f) x S(t)"),
    true("librosa spectral centroid", using("librosa.feature:spectral_centroid", lambda f, S: f(S=S, freq=np.arange(5.0))), "S: 5 t -> 1 t", "S(t)", draw="positive"),
    true("librosa power_to_db", using("librosa:power_to_db", lambda f, S: f(S, ref=np.max)), "S: f t -> f t", "S(f) x S(t)", draw="positive"),
    true("pytransform3d norm_vector", named("pytransform3d.rotations:norm_vector"), "v: 3 -> 3", "O(3)"),
    true("pytransform3d angle", named("pytransform3d.rotations:angle_between_vectors"), "a: 3, b: 3 -> ()", "O(3)"),
    true("krippendorff interval", using("krippendorff:alpha", lambda f, X: f(reliability_data=X, level_of_measurement="interval")), "X: r n -> ()", "S(r) x S(n)"),
    true("tensorly CP", using("tensorly.cp_tensor:cp_to_tensor", lambda f, A, B, C: f((None, [A, B, C]))), "A: i r, B: j r, C: k r -> i j k", "S(r) x O(i)"),
    true("tensorly Tucker", using("tensorly.tucker_tensor:tucker_to_tensor", lambda f, G, A, B: f((G, [A, B]))), "G: r s, A: i r, B: j s -> i j", "O(r) x O(s)"),
    true("tensorly norm", using("tensorly:norm", lambda f, X: f(X)), "X: a b c -> ()", "O(a) x O(b)"),
    true("properscoring crps", named("properscoring:crps_ensemble"), "y: n, f: n m -> n", "S(n) x S(m)"),
    true("arviz hdi", using("arviz:hdi", lambda f, x: f(x)), "x: n -> 2", "S(n)", sizes={"n": (20, 30)}),
    true("pypfopt variance", using("pypfopt.objective_functions:portfolio_variance", lambda f, w, C: f(w, C)), "w: n, C: n n -> ()", "O(n)"),
    true("pypfopt sharpe ratio", using("pypfopt.objective_functions:sharpe_ratio", lambda f, w, m, C: f(w, m, C @ C.T, negative=False)), "w: n, m: n, C: n n -> ()", "S(n)", draw="positive"),
    true("biotite distance", named("biotite.structure:distance"), "a: n 3, b: n 3 -> n", "S(n) x E(3)", single=True),
    true("biotite dihedral", named("biotite.structure:dihedral"), "a: 3, b: 3, c: 3, d: 3 -> ()", "SE(3)", single=True),
    true("biotite centroid", named("biotite.structure:centroid"), "X: n 3 -> 3", "S(n) x E(3)", single=True),
    true("pymanopt sphere distance", built("pymanopt.manifolds:Sphere", 3, call=lambda m, x, y: m.dist(x / np.linalg.norm(x), y / np.linalg.norm(y))), "x: 3, y: 3 -> ()", "O(3)"),
    true("pymanopt Grassmann projection", built("pymanopt.manifolds:Grassmann", 4, 2, call=lambda m, X, H: m.projection(X, H)), "X: 4 2, H: 4 2 -> 4 2", "O(4)"),
    true("einx mean of a set", using("einx:mean", lambda f, x: f("b [n] c", x)), "x: b n c -> b c", "S(n) x S(b)"),
    # torch: hyperbolic geometry, flows, contrastive losses, molecules, processes
    torch_true("geoopt Poincare distance", built(BALL, call=lambda m, x, y: m.dist(x / (2 + x.norm(dim=-1, keepdim=True)), y / (2 + y.norm(dim=-1, keepdim=True)))), "x: n 3, y: n 3 -> n", "S(n) x O(3)", single=True),
    torch_true("geoopt Mobius addition", built(BALL, call=lambda m, x, y: m.mobius_add(x, y)), "x: n d, y: n d -> n d", "S(n) x O(d)", single=True),
    torch_true("nflows standard normal", built("nflows.distributions.normal:StandardNormal", [3], call=lambda m, x: m.log_prob(x)), "x: b 3 -> b", "S(b) x O(3)"),
    torch_true("nflows residual net", built("nflows.nn.nets:ResidualNet", 3, 4, 8), "x: b 3 -> b 4", "S(b)"),
    torch_true("zuko MAF batch", flow(), "x: b 3 -> b", "S(b)"),
    torch_true("egnn-pytorch coordinates", built("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[1]), EGNN, "E(3)"),
    torch_true("egnn-pytorch features", built("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", "S(n) x E(3)"),
    torch_true("lightly NT-Xent", built(LOSS + "NTXentLoss"), PAIR, "S(b) x O(4)"),
    torch_true("lightly VICReg", built(LOSS + "VICRegLoss"), PAIR, "S(b) x S(4)", sizes={"b": (3, 6)}),
    torch_true("lightly Barlow twins", built(LOSS + "BarlowTwinsLoss"), PAIR, "S(b) x S(4)", sizes={"b": (3, 6)}),
    torch_true("lightly negative cosine", built(LOSS + "NegativeCosineSimilarity"), PAIR, "S(b) x O(4)"),
    torch_true("lightly DCL", built(LOSS + "DCLLoss"), PAIR, "S(b) x O(4)", sizes={"b": (3, 6)}),
    torch_true("pytorch-msssim ssim", using("pytorch_msssim:ssim", lambda f, x, y: f(x, y, data_range=1.0, win_size=3)), "x: b c 5 5, y: b c 5 5 -> ()", "S(b) x S(c)", draw="positive"),
    torch_true("pypose rotation of vectors", using("pypose:so3", lambda f, w, v: f(w).Exp().Act(v)), "w: n 3, v: n 3 -> n 3", "S(n)"),
    torch_true("pyro RBF", built(GP + "RBF", 3, call=lambda m, X: m(X)), "X: n 3 -> n n", "S(n) x E(3)", single=True),
    torch_true("pyro rational quadratic", built(GP + "RationalQuadratic", 3, call=lambda m, X: m(X)), "X: n 3 -> n n", "S(n) x E(3)", single=True),
    torch_true("pyro directional", using("pyro.distributions:ProjectedNormal", lambda f, c, x: f(c).log_prob(x / x.norm(dim=-1, keepdim=True))), "c: 3, x: n 3 -> n", "S(n) x O(3)"),
    torch_true("pyro autoregressive batch", built("pyro.nn:AutoRegressiveNN", 3, [8], call=lambda m, x: m(x)[0]), "x: b 3 -> b 3", "S(b)"),
    torch_true("torchcde coefficients", named("torchcde:hermite_cubic_coefficients_with_backward_differences"), "x: b 5 2 -> b 4 8", "S(b)"),
    torch_true("siren", built("siren_pytorch:SirenNet", dim_in=2, dim_hidden=8, dim_out=3, num_layers=2), "x: n 2 -> n 3", "S(n)"),
    torch_true("pytorch-kinematics rotations", named("pytorch_kinematics.transforms:quaternion_to_matrix"), "q: n 4 -> n 3 3", "S(n)"),
    torch_true("pytorch-kinematics norm of products", using("pytorch_kinematics.transforms:quaternion_raw_multiply", lambda f, p, q: f(p, q).norm(dim=-1)), "p: n 4, q: n 4 -> n", "S(n) x O(4)"),
    # JAX: projections, losses, rotations, energies, solvers
    jax_true("optax NT-Xent", named("optax:ntxent"), "z: n 4, y[3]: n -> ()", "S(n) x O(4)", backend="jax", sizes={"n": (6, 7)}),
    jax_true("optax simplex projection", named("optax.projections:projection_simplex"), "x: n -> n", "S(n)", backend="jax"),
    jax_true("optax l2 ball", named("optax.projections:projection_l2_ball"), "x: n -> n", "O(n)", backend="jax"),
    jax_true("jaxopt group lasso", using("jaxopt.prox:prox_group_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", "O(n)", backend="jax"),
    jax_true("jaxopt lasso", using("jaxopt.prox:prox_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", "Signs(n)", backend="jax"),
    jax_true("jaxlie exponential", using("jaxlie:SO3", lambda f, w: f.exp(w).as_matrix()), "w: 3 -> 3 3", "SO(3)", backend="jax"),
    jax_true("e3x harmonics norm", harmonics(2), "x: n 3 -> n", "S(n) x O(3)", backend="jax"),
    jax_true("jax-md soft spheres", energy("soft_sphere_pair"), POINTS, "S(n) x E(3)", backend="jax"),
    jax_true("jax-md Lennard-Jones", energy("lennard_jones_pair"), POINTS, "S(n) x E(3)", backend="jax", sizes={"n": (2, 5)}),
    jax_true("diffrax Euler field", euler(swirl), "x: n d -> n d", "S(n) x O(d)", backend="jax"),
    jax_true("lineax solve", using("lineax:linear_solve", lambda f, A, b: f(__import__("lineax").MatrixLinearOperator(A), b).value), "A: n n, b: n -> n", "O(n)", backend="jax", sizes={"n": (2, 4)}),
    # false ones
    false("tslearn dtw of a set", named("tslearn.metrics:dtw"), CURVES, "S(n)", sizes=SHORT),
    false("ase wrapped positions", using("ase.geometry:wrap_positions", lambda f, X: f(X, np.eye(3))), "X: n 3 -> n 3", "T(3)"),
    false("transforms3d product part", using("transforms3d.quaternions:qmult", lambda f, p, q: f(p, q)[0]), "p: 4, q: 4 -> ()", "O(4)"),
    false("librosa centroid of bins", using("librosa.feature:spectral_centroid", lambda f, S: f(S=S, freq=np.arange(5.0))), "S: 5 t -> 1 t", "S(5)", draw="positive"),
    false("pytransform3d perpendicular", named("pytransform3d.rotations:perpendicular_to_vector"), "a: 3 -> 3", "SO(3)"),
    false("tensorly CP rank rotated", using("tensorly.cp_tensor:cp_to_tensor", lambda f, A, B, C: f((None, [A, B, C]))), "A: i r, B: j r, C: k r -> i j k", "O(r)"),
    false("properscoring crps scaled", named("properscoring:crps_ensemble"), "y: n, f: n m -> n", "Scale(m)"),
    false("biotite dihedral mirrored", named("biotite.structure:dihedral"), "a: 3, b: 3, c: 3, d: 3 -> ()", "O(3)", single=True),
    false("krippendorff of one rater", using("krippendorff:alpha", lambda f, X: f(reliability_data=X, level_of_measurement="interval") + X[0, 0]), "X: r n -> ()", "S(r)"),
    torch_false("geoopt Mobius addition exchanged", built(BALL, call=lambda m, x, y: m.mobius_add(x, y)), "x: n d, y: n d -> n d", "T(d)", single=True),
    torch_false("nflows reversal", built("nflows.transforms.permutations:ReversePermutation", 3, call=lambda m, x: m(x)[0]), "x: b 3 -> b 3", "S(3)"),
    torch_false("zuko MAF features", flow(), "x: b 3 -> b", "S(3)"),
    torch_false("egnn-pytorch features rotated", built("egnn_pytorch:EGNN", dim=8, call=lambda m, f, x: m(f, x)[0]), "f: b n 8, x: b n 3 -> b n 8", "O(8)"),
    torch_false("lightly Barlow twins rotated", built(LOSS + "BarlowTwinsLoss"), PAIR, "O(4)", sizes={"b": (3, 6)}),
    torch_false("lightly NT-Xent translated", built(LOSS + "NTXentLoss"), PAIR, "T(4)"),
    torch_false("pytorch-msssim rows", using("pytorch_msssim:ssim", lambda f, x, y: f(x, y, data_range=1.0, win_size=3)), "x: b c 5 5, y: b c 5 5 -> ()", "S(5)", draw="positive"),
    torch_false("pyro periodic rotated", built(GP + "Periodic", 2, call=lambda m, X: m(X)), "X: n 2 -> n n", "O(2)", single=True),
    torch_false("siren rotated", built("siren_pytorch:SirenNet", dim_in=2, dim_hidden=8, dim_out=3, num_layers=2), "x: n 2 -> n 3", "O(2)"),
    torch_false("pytorch-kinematics product", named("pytorch_kinematics.transforms:quaternion_raw_multiply"), "p: n 4, q: n 4 -> n 4", "O(4)"),
    jax_false("optax simplex scaled", named("optax.projections:projection_simplex"), "x: n -> n", "Scale(n)", backend="jax"),
    jax_false("jaxopt lasso rotated", using("jaxopt.prox:prox_lasso", lambda f, x: f(x, 0.5)), "x: n -> n", "O(n)", backend="jax"),
    jax_false("e3x harmonics cubed", harmonics(4), "x: n 3 -> n", "O(3)", backend="jax"),
    jax_false("jax-md soft spheres in a box", energy("soft_sphere_pair", box=True), POINTS, "O(3)", backend="jax"),
    jax_false("diffrax Euler by entries", euler(lambda y: -(y**3)), "x: n d -> n d", "O(d)", backend="jax"),
]  # fmt: skip
