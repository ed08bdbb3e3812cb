"""Features of points that do not change under motions: Gram matrices, distances, angles; sign flips."""

from __future__ import annotations

import math

import numpy as np

from tests.gallery.layer import Gallery, Slip

GALLERY = layer = Gallery(__file__)
W = np.random.default_rng(7).normal(size=(3, 4))


@layer(
    "Gram matrix", "X: d n -> n n", "O(d) x S(n)",
    Slip("a missing transpose", "X.T @ X", "(X * X.sum(axis=1, keepdims=True)).T @ X", "O(d)"),
    Slip("absolute values before the product", "X.T @ X", "np.abs(X).T @ X", "O(d)"),
)  # fmt: skip
def gram(X):
    return X.T @ X


@layer(
    "Gram matrix of centred points", "X: n d -> n n", "E(d) x S(n)",
    Slip("X.mean() for X.mean(0)", "X.mean(0)", "X.mean()", "E(d)"),
    Slip("points that are not centred", "Y = X - X.mean(0)", "Y = X", "E(d)", culprit=False),
)  # fmt: skip
def centred_gram(X):
    Y = X - X.mean(0)
    return Y @ Y.T


@layer(
    "distance matrix by broadcasting", "X: n d -> n n", "E(d) x S(n)",
    Slip("the largest coordinate", "np.sqrt(np.sum((X[:, None, :] - X[None, :, :]) ** 2, axis=-1))",
         "np.max(np.abs(X[:, None, :] - X[None, :, :]), axis=-1)", "E(d)"),
)  # fmt: skip
def distances(X):
    return np.sqrt(np.sum((X[:, None, :] - X[None, :, :]) ** 2, axis=-1))


@layer(
    "distance matrix by products", "X: n d -> n n", "O(d) x S(n)",
    Slip("squares of sums", "(X**2).sum(axis=1)", "X.sum(axis=1) ** 2", "O(d)"),
    Slip("norms of the neighbours in the list", "norms[None, :]", "np.roll(norms, 1)[None, :]", "S(n)"),
)  # fmt: skip
def distances_by_products(X):
    norms = (X**2).sum(axis=1)
    d2 = norms[:, None] - 2 * X @ X.T + norms[None, :]
    return np.sqrt(np.maximum(d2, 0.0))


@layer(
    "angles between vectors", "X: d n -> n n", "O(d) x S(n)",
    Slip("an epsilon for each coordinate", "X / np.linalg.norm(X, axis=0)",
         "X / np.linalg.norm(X + 1e-3, axis=0)", "O(d)"),
    Slip("the norm over the points", "np.linalg.norm(X, axis=0)", "np.linalg.norm(X, axis=1, keepdims=True)",
         "O(d)"),
)  # fmt: skip
def angles(X):
    U = X / np.linalg.norm(X, axis=0)
    return np.arccos(np.clip(U.T @ U, -1.0, 1.0))


@layer(
    "bond angles of triplets", "X: n d -> n n n", "E(d) x S(n)",
    Slip("positions for directions", '"ijd,ikd->ijk", r, r', '"jd,kd->jk", X, X', "E(d)", culprit=True),
    Slip("an epsilon inside the root of each coordinate", "np.linalg.norm(r, axis=-1) + 1e-9",
         "np.sqrt(r**2 + 1e-9).sum(-1)", "E(d)"),
)  # fmt: skip
def bond_angles(X):
    r = X[None, :, :] - X[:, None, :]
    length = np.linalg.norm(r, axis=-1) + 1e-9
    dots = np.einsum("ijd,ikd->ijk", r, r)
    return dots / (length[:, :, None] * length[:, None, :])


@layer(
    "radius of gyration and inertia", "X: n d, m: n -> d^ d^", "E(d) x S(n)",
    Slip("masses that do not sum to 1", "m / m.sum()", "m", "E(d)", culprit=False),
    Slip("ones for the identity", "np.eye(X.shape[1])", "1.0", "E(d)"),
)  # fmt: skip
def inertia(X, m):
    share = m / m.sum()
    r = X - share @ X
    r2 = (r**2).sum(axis=1)
    return (m * r2).sum() * np.eye(X.shape[1]) - (m[:, None] * r).T @ r


@layer(
    "centre of mass", "X: n d, m: n -> d", "E(d) x S(n)",
    Slip("a sum in place of a mean", "/ np.sum(m)", "/ len(m)", "E(d)", culprit=False),
    Slip("the mean over all", "np.sum(m)", "np.sum(m) - X[0].sum()", "E(d)"),
)  # fmt: skip
def centre_of_mass(X, m):
    w = m / np.sum(m)
    return w @ X


@layer(
    "atom-centred symmetry functions", "X: n d -> n 4", "E(d) x S(n)",
    Slip("a cutoff by the first coordinate", "np.exp(-r2 / 4)", "np.exp(-diff[..., 0] ** 2 / 4)", "E(d)"),
    Slip("only later atoms", "fc * np.exp(-eta * r2)", "np.triu(fc) * np.exp(-eta * r2)", "S(n)"),
)  # fmt: skip
def symmetry_functions(X, etas=(0.5, 1.0, 2.0, 4.0)):
    diff = X[:, None] - X[None]
    r2 = (diff**2).sum(-1)
    fc = np.exp(-r2 / 4)
    features = []
    for eta in etas:
        features.append((fc * np.exp(-eta * r2)).sum(axis=1))
    return np.stack(features, axis=1)


@layer(
    "Coulomb matrix, sorted by row norms", "Z: n, X: n d -> n!", "E(d) x S(n)",
    Slip("rows are not sorted", "np.sort(np.sqrt((C**2).sum(axis=1)))", "np.sqrt((C**2).sum(axis=1))",
         "S(n)"),
    Slip("charges of the neighbours", "np.outer(Z, Z)", "np.outer(Z, np.roll(Z, 1))", "S(n)"),
)  # fmt: skip
def coulomb(Z, X):
    r = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1) + 0.1)
    C = np.outer(Z, Z) / r
    C = np.where(np.eye(len(Z)) == 1, 0.5 * np.abs(Z) ** 2.4, C)
    return np.sort(np.sqrt((C**2).sum(axis=1)))


@layer(
    "Householder reflection", "u: d, X: d n -> d n", "O(d) x S(n)",
    Slip("a product of entries for an outer product", "np.outer(u, u) @ X", "(u * u)[:, None] * X", "O(d)"),
    Slip("the norm is not squared, and of one entry", "u @ u", "u[0] ** 2", "O(d)"),
)  # fmt: skip
def reflect(u, X):
    return X - 2 * np.outer(u, u) @ X / (u @ u)


@layer(
    "Gram-Schmidt", "X: d 3! -> d 3!", "O(d)",
    Slip("the projection is taken entry by entry", "(e @ v) * e", "e * v * e"),
    Slip("a sum of entries for the norm", "np.sqrt(v @ v)", "np.abs(v).sum()"),
)  # fmt: skip
def gram_schmidt(X):
    basis = []
    for k in range(3):
        v = X[:, k]
        for e in basis:
            v = v - (e @ v) * e
        basis.append(v / np.sqrt(v @ v))
    return np.stack(basis, axis=1)


@layer(
    "least squares", "X: d n, y: d -> d", "O(d) x S(n)",
    Slip("ridge of ones", "np.eye(X.shape[1])", "np.tri(X.shape[1])", "S(n)"),
    Slip("a target that is moved", "X.T @ y", "X.T @ (y + 1)", "O(d)"),
)  # fmt: skip
def ridge(X, y, penalty=0.1):
    G = X.T @ X + penalty * np.eye(X.shape[1])
    return X @ np.linalg.solve(G, X.T @ y)


@layer(
    "Mahalanobis distance", "X: n d, y: d -> ()", "O(d) x S(n)",
    Slip("variances in place of the covariance", "np.linalg.inv(C)", "np.diag(1 / np.diag(C))", "O(d)"),
    Slip("the determinant of a part", "C = X.T @ X", "C = X.T[:, :-1] @ X[:-1]", "S(n)"),
)  # fmt: skip
def mahalanobis(X, y):
    C = X.T @ X / X.shape[0] + 0.01 * np.eye(len(y))
    return y @ np.linalg.inv(C) @ y


@layer(
    "log determinant of a kernel", "X: n d -> ()", "O(d) x S(n)",
    Slip("the kernel of coordinates", "np.exp(X @ X.T)", "np.exp(X) @ np.exp(X).T", "O(d)"),
)  # fmt: skip
def log_determinant(X):
    K = np.exp(X @ X.T) + np.eye(len(X))
    return np.log(np.linalg.det(K) ** 2)


@layer(
    "invariant point features by an MLP of the Gram matrix", "X: 3 d -> 4", "O(d)",
    Slip("an MLP of coordinates", "X @ X.T", "X @ np.tanh(X).T"),
)  # fmt: skip
def gram_mlp(X, V=W):
    G = X @ X.T
    upper = np.array([G[i, j] for i in range(3) for j in range(i, 3)])
    return np.tanh(upper.reshape(2, 3) @ V).sum(axis=0)


@layer(
    "sign-invariant features of eigenvectors", "V: n k -> n k!", "Signs(k) x S(n)",
    Slip("the vector of the other sign is forgotten", "phi(V) + phi(-V)", "phi(V) + phi(V)", "Signs(k)",
         culprit=False),
    sizes={"k": 3},
)  # fmt: skip
def sign_net(V):
    def phi(x):
        return np.exp(x) * x.sum(axis=0)

    return phi(V) + phi(-V)


@layer(
    "projections onto eigenspaces", "V: n k -> n n", "O(k) x S(n)",
    Slip("eigenvectors are squared entry by entry", "V @ V.T", "V**2 @ (V**2).T", "O(k)"),
)  # fmt: skip
def basis_net(V):
    return np.tanh(V @ V.T)


@layer(
    "average over sign flips", "x: 2 -> ()", "Signs(2)",
    Slip("one sign is left out", "for b in (1, -1)", "for b in (1, 1)", culprit=False),
)  # fmt: skip
def frame_average_of_signs(x):
    def f(y):
        return np.exp(y[0] + 2 * y[1]) + y[0]

    total = 0.0
    for a in (1, -1):
        for b in (1, -1):
            total = total + f(np.array([a, b]) * x)
    return total / 4


@layer(
    "average over shifts", "x: 4 -> ()", "C(4)",
    Slip("one shift is left out", "range(4)", "range(3)", culprit=False),
)  # fmt: skip
def average_of_shifts(x):
    def f(y):
        return math.pi * y[0] ** 2 * y[1] + y[2]

    return sum(f(np.roll(x, s)) for s in range(4)) / 4


@layer(
    "frame by two vectors", "a: d, b: d, X: d n -> 2! n", "O(d) x S(n)",
    Slip("the second axis is not made orthogonal to the first", "e1 = a / np.sqrt(a @ a)",
         "e1 = a / np.sqrt(a.sum() ** 2)", "O(d)"),
    Slip("coordinates are taken of the first entries", "frame @ X", "(frame * frame) @ X", "O(d)"),
)  # fmt: skip
def local_frame(a, b, X):
    e1 = a / np.sqrt(a @ a)
    rest = b - (e1 @ b) * e1
    e2 = rest / np.linalg.norm(rest)
    frame = np.stack([e1, e2])
    return np.tanh(frame @ X)
