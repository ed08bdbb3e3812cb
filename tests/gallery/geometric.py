"""Networks on points and vectors in space: EGNN, SchNet, PaiNN, GVP, vector neurons, tensor products."""

from __future__ import annotations

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
rng = np.random.default_rng(6)


def weights(*shape):
    return rng.normal(size=shape) / np.sqrt(shape[0])


def silu(x):
    return x / (1 + np.exp(-x))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class MLP:
    def __init__(self, *widths):
        self.W = [weights(a, b) for a, b in zip(widths[:-1], widths[1:], strict=True)]
        self.b = [0.1 * rng.normal(size=b) for b in widths[1:]]

    def __call__(self, x):
        for k, (W, b) in enumerate(zip(self.W, self.b, strict=True)):
            x = x @ W + b
            if k < len(self.W) - 1:
                x = silu(x)
        return x


def pairwise(h):
    n = len(h)
    left = np.broadcast_to(h[:, None, :], (n, n, h.shape[1]))
    right = np.broadcast_to(h[None, :, :], (n, n, h.shape[1]))
    return left, right


class EGNNLayer:
    def __init__(self):
        self.phi_e, self.phi_x, self.phi_h = MLP(7, 6, 4), MLP(4, 4, 1), MLP(7, 5, 3)

    def messages(self, H, X):
        diff = X[:, None, :] - X[None, :, :]
        d2 = np.sum(diff**2, axis=-1, keepdims=True)
        hi, hj = pairwise(H)
        return diff, self.phi_e(np.concatenate([hi, hj, d2], axis=-1))


@layer(
    "EGNN, coordinates", "H: n 3!, X: n d -> n d", "S(n) x E(d)",
    Slip("positions in place of differences", "np.sum(diff * self.phi_x(m), axis=1)",
         "np.sum(X * self.phi_x(m), axis=1)", "E(d)"),
    Slip("one weight for each coordinate", "self.phi_x(m)", "np.tanh(diff)", "E(d)"),
)  # fmt: skip
class EGNNCoordinates(EGNNLayer):
    def __call__(self, H, X):
        diff, m = self.messages(H, X)
        n = len(X)
        return X + np.sum(diff * self.phi_x(m), axis=1) / n


@layer(
    "EGNN, features", "H: n 3!, X: n d -> n 3!", "S(n) x E(d)",
    Slip("the norm of positions in place of distances", "_, m = self.messages(H, X)",
         "_, m = self.messages(H * (X * X).sum(1, keepdims=True), X)", "E(d)"),
    Slip("the messages of the first neighbour", "m.sum(axis=1)", "m[:, 0]", "S(n)"),
)  # fmt: skip
class EGNNFeatures(EGNNLayer):
    def __call__(self, H, X):
        _, m = self.messages(H, X)
        return H + self.phi_h(np.concatenate([H, m.sum(axis=1)], axis=-1))


@layer(
    "EGNN with velocities", "H: n 3!, X: n d, V: n d^ -> n d^", "S(n) x E(d)",
    Slip("positions are scaled like velocities", "self.phi_v(H) * V", "self.phi_v(H) * X", "E(d)"),
    Slip("an elementwise nonlinearity on velocities", "self.phi_v(H) * V", "self.phi_v(H) * np.tanh(V)",
         "E(d)"),
)  # fmt: skip
class EGNNVelocity(EGNNLayer):
    def __init__(self):
        super().__init__()
        self.phi_v = MLP(3, 4, 1)

    def __call__(self, H, X, V):
        diff, m = self.messages(H, X)
        push = (diff * self.phi_x(m)).mean(axis=1)
        return self.phi_v(H) * V + push


@layer(
    "SchNet interaction", "H: n 3!, X: n d -> n 3!", "S(n) x E(d)",
    Slip("the distance to the origin", "X[:, None] - X[None]", "X[:, None] + 0 * X[None]", "E(d)",
         culprit=False),
    Slip("distances along each axis", "np.linalg.norm(X[:, None] - X[None], axis=-1)",
         "np.abs(X[:, None] - X[None]).sum(axis=-1)", "E(d)"),
)  # fmt: skip
class SchNet:
    def __init__(self):
        self.centres = np.linspace(0, 5, 6)
        self.filters, self.first, self.last = MLP(6, 4, 3), weights(3, 3), MLP(3, 3)

    def expand(self, d, gamma=10.0):
        return np.exp(-gamma * (d[..., None] - self.centres) ** 2)

    def __call__(self, H, X):
        d = np.linalg.norm(X[:, None] - X[None], axis=-1)
        W = self.filters(self.expand(d))
        v = np.einsum("jc,ijc->ic", H @ self.first, W)
        return H + self.last(v)


@layer(
    "SchNet with a smooth cutoff", "H: n 3!, X: n d -> 3!", "S(n) x E(d)",
    Slip("atoms are ordered along the first axis", "C = 0.5", "C = (X[:, :1] > X[:, 0]) * 0.5", "E(d)"),
    Slip("the energy of the first atom", "(H * pooled).sum(axis=0)", "(H * pooled)[0]", "S(n)"),
)  # fmt: skip
def schnet_energy(H, X, cutoff=4.0):
    diff = X[:, None] - X[None]
    r = np.sqrt((diff**2).sum(-1) + 1e-12)
    C = 0.5 * (np.cos(np.pi * r / cutoff) + 1) * (r < cutoff)
    pooled = np.tanh(C @ H)
    return (H * pooled).sum(axis=0)


@layer(
    "PaiNN message, vectors", "s: n 3!, v: n 2! d^, X: n d -> n 2! d^", "S(n) x E(d)",
    Slip("directions from positions", "r / (norm + 1e-8)", "X[:, None, :] / (norm + 1e-8)", "E(d)",
         culprit=True),
    Slip("a gate for each coordinate", "np.einsum(\"ijf,jfd->ifd\", gate, v)",
         "np.einsum(\"ijf,jfd->ifd\", gate, np.maximum(v, 0))", "E(d)"),
)  # fmt: skip
class PaiNNMessage:
    def __init__(self):
        self.phi, self.radial = MLP(3, 4, 4), weights(5, 4)

    def __call__(self, s, v, X):
        r = X[:, None, :] - X[None, :, :]
        norm = np.sqrt((r**2).sum(-1, keepdims=True))
        rbf = np.sin(norm * np.arange(1, 6) * np.pi / 5) / (norm + 1e-8)
        filters = self.phi(s)[None] * (rbf @ self.radial)
        gate, along = np.split(filters, 2, axis=-1)
        unit = r / (norm + 1e-8)
        return v + np.einsum("ijf,jfd->ifd", gate, v) + np.einsum("ijf,ijd->ifd", along, unit)


@layer(
    "PaiNN update, scalars", "s: n 3!, v: n 2! d -> n 3!", "S(n) x O(d)",
    Slip("a sum over coordinates without squares", "np.sqrt((Vv**2).sum(axis=-1) + 1e-8)",
         "np.sqrt(Vv.sum(axis=-1) ** 2 + 1e-8)", "O(d)"),
    Slip("coordinates mixed in place of channels", "(Uv * Vv).sum(axis=-1)", "(Uv * Vv).max(axis=-1)",
         "O(d)"),
)  # fmt: skip
class PaiNNUpdate:
    def __init__(self):
        self.U, self.V = weights(2, 2), weights(2, 2)
        self.a, self.out = MLP(5, 4, 6), weights(2, 3)

    def __call__(self, s, v):
        Uv = np.einsum("fg,nfd->ngd", self.U, v)
        Vv = np.einsum("fg,nfd->ngd", self.V, v)
        norm = np.sqrt((Vv**2).sum(axis=-1) + 1e-8)
        a_ss, a_sv = np.split(self.a(np.concatenate([s, norm], axis=-1)), 2, axis=-1)
        return s + a_ss + a_sv * ((Uv * Vv).sum(axis=-1) @ self.out)


@layer(
    "GVP, vectors", "s: n 3!, V: n 2! d -> n 4! d", "S(n) x O(d)",
    Slip("a bias on vectors", "Vh = np.einsum", "Vh = 0.1 + np.einsum", "O(d)"),
    Slip("sigmoid of vectors in place of their norms", "sigmoid(np.linalg.norm(Vo, axis=-1, keepdims=True))",
         "sigmoid(Vo)", "O(d)"),
)  # fmt: skip
class GVPVectors:
    def __init__(self):
        self.Wh, self.Wm = weights(2, 5), weights(5, 4)

    def __call__(self, s, V):
        Vh = np.einsum("nvd,vh->nhd", V, self.Wh)
        Vo = np.einsum("nhd,hm->nmd", Vh, self.Wm)
        gate = sigmoid(np.linalg.norm(Vo, axis=-1, keepdims=True))
        return gate * Vo


@layer(
    "GVP, scalars", "s: n 3!, V: n 2! d -> n 4!", "S(n) x O(d)",
    Slip("the norm over channels in place of coordinates", "np.linalg.norm(Vh, axis=-1)",
         "np.linalg.norm(Vh, axis=-2)[:, :1] + np.zeros((len(V), 5))", "O(d)"),
    Slip("entries of vectors taken for scalars", "np.linalg.norm(Vh, axis=-1)", "Vh.max(axis=-1)", "O(d)"),
)  # fmt: skip
class GVPScalars:
    def __init__(self):
        self.Wh, self.Wm, self.b = weights(2, 5), weights(8, 4), rng.normal(size=4)

    def __call__(self, s, V):
        Vh = np.einsum("nvd,vh->nhd", V, self.Wh)
        sh = np.linalg.norm(Vh, axis=-1)
        return np.maximum(np.concatenate([s, sh], axis=-1) @ self.Wm + self.b, 0)


@layer(
    "vector neurons, ReLU", "V: n 3! d -> n 4! d", "S(n) x O(d)",
    Slip("ReLU on vectors", "np.where(dot >= 0, q, projected)", "np.maximum(q, 0)", "O(d)"),
    Slip("the sign of each coordinate", "dot = (q * k).sum(-1, keepdims=True)", "dot = q * k", "O(d)"),
    Slip("epsilon inside the vector", "k / norm2", "(k + 1e-6) / norm2", "O(d)"),
)  # fmt: skip
class VectorReLU:
    def __init__(self):
        self.W, self.U = weights(4, 3), weights(4, 3)

    def __call__(self, V):
        q = self.W @ V
        k = self.U @ V
        dot = (q * k).sum(-1, keepdims=True)
        norm2 = (k * k).sum(-1, keepdims=True) + 1e-6
        projected = q - dot * (k / norm2)
        return np.where(dot >= 0, q, projected)


@layer(
    "vector neurons, invariant layer", "V: n 3! d -> n 3! 2!", "S(n) x O(d)",
    Slip("entries of vectors for their products", "V @ frame.swapaxes(1, 2)",
         "V[:, :, :1] + frame[:, None, :, 0]",
         "O(d)", culprit=False),
)  # fmt: skip
class VectorInvariant:
    def __init__(self):
        self.T = weights(2, 3)

    def __call__(self, V):
        frame = np.einsum("cf,nfd->ncd", self.T, V - V.mean(axis=0))
        return V @ frame.swapaxes(1, 2)


@layer(
    "vector neurons, mean of the cloud", "V: n 3! d -> 4! d", "S(n) x O(d)",
    Slip("a mean over coordinates is subtracted", "V.mean(axis=0)", "(V - V.mean()).mean(axis=0)", "O(d)"),
)  # fmt: skip
def vector_pooling(V, W=weights(4, 3)):
    return W @ V.mean(axis=0)


@layer(
    "tensor product 1o x 1o -> 0e", "u: n 3, v: n 3 -> n", "S(n) x O(3)",
    Slip("one sign of the metric", "(u * v).sum(axis=-1)", "(u * v * np.array([1, 1, -1])).sum(axis=-1)",
         "O(3)"),
)  # fmt: skip
def product_to_scalar(u, v):
    return (u * v).sum(axis=-1) / np.sqrt(3)


@layer(
    "tensor product 1o x 1o -> 2e, as a matrix", "u: n 3, v: n 3 -> n 3 3", "S(n) x O(3)",
    Slip("the trace is taken of one entry", "np.einsum(\"nii->n\", outer)", "outer[:, 0, 0]", "O(3)"),
    Slip("ones in place of the identity", "np.eye(3)", "np.ones((3, 3))", "O(3)"),
)  # fmt: skip
def product_to_symmetric(u, v):
    outer = np.einsum("ni,nj->nij", u, v)
    outer = (outer + outer.swapaxes(1, 2)) / 2
    trace = np.einsum("nii->n", outer)
    return outer - trace[:, None, None] * np.eye(3) / 3


@layer(
    "tensor field layer, l = 0 and 1", "f: n 2!, X: n d -> n 2! d^", "S(n) x E(d)",
    Slip("positions for the harmonics", "harmonics = diff / (r + 1e-9)", "harmonics = X[None] / (r + 1e-9)",
         "E(d)", culprit=False),
    Slip("an envelope of one coordinate", "np.exp(-r)", "np.exp(-diff[..., :1])", "E(d)"),
)  # fmt: skip
class TensorField:
    def __init__(self):
        self.radial, self.mix = weights(4, 2), weights(2, 2)

    def __call__(self, f, X):
        diff = X[:, None, :] - X[None, :, :]
        r = np.linalg.norm(diff, axis=-1, keepdims=True)
        harmonics = diff / (r + 1e-9)
        envelope = np.exp(-r)
        R = (envelope * np.cos(r * np.arange(4))) @ self.radial
        return np.einsum("ijc,jc,ijd->icd", R, f @ self.mix, harmonics)


@layer(
    "forces of a pair potential", "X: n d -> n d^", "S(n) x E(d)",
    Slip("the sum of positions in place of the difference", "X[:, None] - X[None, :]",
         "X[:, None] + X[None, :]",
         "E(d)", culprit=False),
    Slip("the force of one neighbour on the list", "(diff * scale[..., None]).sum(axis=1)",
         "(diff * scale[..., None])[:, -1]", "S(n)"),
    Slip("box distances", "(diff**2).sum(axis=-1)", "(diff**2).max(axis=-1)", "E(d)"),
)  # fmt: skip
def forces(X, epsilon=1.0, sigma=0.5):
    diff = X[:, None] - X[None, :]
    r2 = (diff**2).sum(axis=-1)
    s6 = (sigma**2 / (r2 + 1.0)) ** 3
    scale = 24 * epsilon * (2 * s6**2 - s6) / (r2 + 1.0)
    return (diff * scale[..., None]).sum(axis=1)


@layer(
    "attention of points and vectors", "s: n 3!, v: n d -> n d", "S(n) x O(d)",
    Slip("keys are entries of vectors", "k = s @ self.K", "k = v @ np.ones((v.shape[1], 2))", "O(d)"),
)  # fmt: skip
class VectorAttention:
    def __init__(self):
        self.Q, self.K = weights(3, 2), weights(3, 2)

    def __call__(self, s, v):
        q = s @ self.Q
        k = s @ self.K
        scores = q @ k.T + v @ v.T
        a = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return a / a.sum(axis=-1, keepdims=True) @ v


@layer(
    "Clebsch-Gordan contraction with learned paths", "A: n d d, v: n d -> n d", "S(n) x O(d)",
    Slip("a Hadamard product for a matrix product", "np.einsum(\"nij,nj->ni\", A @ A, v)",
         "np.einsum(\"nij,nj->ni\", A * A, v)", "O(d)"),
    Slip("the sum of a matrix for its trace", "np.trace(A, axis1=1, axis2=2)", "A.sum(axis=(1, 2))", "O(d)"),
)  # fmt: skip
def contraction(A, v, w=(0.3, -0.7, 1.1)):
    first = np.einsum("nij,nj->ni", A @ A, v)
    second = np.einsum("nji,nj->ni", A, v)
    trace = np.trace(A, axis1=1, axis2=2)
    return w[0] * first + w[1] * second + w[2] * trace[:, None] * v


@layer(
    "symmetric function of vectors by projections", "X: n d -> n d^", "S(n) x E(d)",
    Slip("the centre is the first point", "X - X.mean(axis=0)", "X - X[0]", "S(n)"),
    Slip("the centre is one number", "X - X.mean(axis=0)", "X - X.mean()", "E(d)"),
)  # fmt: skip
def centred_features(X):
    Y = X - X.mean(axis=0)
    G = Y @ Y.T
    return np.tanh(G) @ Y
