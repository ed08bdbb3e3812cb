"""NumPy functions of eigenvectors, singular vectors and frames."""

from __future__ import annotations

import itertools

import numpy as np

from benchmarks.exceptional_claims.claim import claims_for
from benchmarks.exceptional_claims.samplers import arrays, cloud, graph, low_rank

claim = claims_for("numpy")
graph_n = arrays((lambda rng, n, _: graph(rng, n), "n n"))


def laplacian(A):
    W = (A + A.T) / 2
    return np.diag(W.sum(axis=1)) - W


@claim("A: n n -> n k", "S(n)", graph_n)
def laplacian_encoding_raw(A):
    _, V = np.linalg.eigh(laplacian(A))
    return V[:, 1:3]


@claim("A: n n -> n n!", "S(n)", graph_n)
def laplacian_encoding_abs(A):
    _, V = np.linalg.eigh(laplacian(A))
    return np.abs(V)


@claim("A: n n -> n n", "S(n)", graph_n)
def heat_kernel(A):
    w, V = np.linalg.eigh(laplacian(A))
    return V @ np.diag(np.exp(-w)) @ V.T


@claim("A: n n -> n n", "S(n)", graph_n)
def projection_on_lowest_two(A):
    _, V = np.linalg.eigh(laplacian(A))
    U = V[:, :2]
    return U @ U.T


@claim("A: n n -> n n!", "S(n)", graph_n)
def sign_by_largest_entry(A):
    _, V = np.linalg.eigh((A + A.T) / 2)
    rows = np.argmax(np.abs(V), axis=0)
    return V * np.sign(V[rows, np.arange(V.shape[1])])


@claim("A: n n -> n n", "S(n)", graph_n)
def fiedler_bipartition(A):
    _, V = np.linalg.eigh(laplacian(A))
    side = V[:, min(1, len(A) - 1)] > 0
    return (side[:, None] == side[None, :]).astype(float)


@claim("X: n 3 -> 3!", "E(3) x S(n)", arrays((cloud, "n 3")))
def principal_moments(X):
    Y = X - X.mean(axis=0)
    inertia = (Y**2).sum() * np.eye(3) - Y.T @ Y
    return np.linalg.eigvalsh(inertia)


@claim("X: n 3 -> n 3!", "E(3) x S(n)", arrays((cloud, "n 3")), least={"n": 5})
def pca_coordinates(X):
    Y = X - X.mean(axis=0)
    _, V = np.linalg.eigh(Y.T @ Y)
    return Y @ V


@claim("X: n 3 -> n 3!", "E(3) x S(n)", arrays((cloud, "n 3")), least={"n": 5})
def pca_coordinates_sign_by_skewness(X):
    Y = X - X.mean(axis=0)
    _, V = np.linalg.eigh(Y.T @ Y / len(X))
    Z = Y @ V
    return Z * np.sign((Z**3).sum(axis=0))


@claim("X: n 3 -> n 3", "E(3) x S(n)", arrays((cloud, "n 3")), least={"n": 5})
def frame_averaging_o3(X):
    t = X.mean(axis=0)
    _, V = np.linalg.eigh((X - t).T @ (X - t))
    out = 0
    for signs in itertools.product((1, -1), repeat=3):
        F = V * np.array(signs)
        Y = (X - t) @ F
        out = out + (Y + np.tanh(Y + 0.5)) @ F.T
    return out / 8 + t


@claim("X: n 3 -> n 3", "E(3) x S(n)", arrays((cloud, "n 3")), least={"n": 5})
def frame_averaging_proper_frames_only(X):
    t = X.mean(axis=0)
    _, V = np.linalg.eigh((X - t).T @ (X - t))
    V = V * np.array([1, 1, np.linalg.det(V)])
    out = 0
    for s in ([1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]):
        F = V * np.array(s)
        Y = (X - t) @ F
        out = out + (Y**2)[:, [1, 2, 0]] @ F.T + (Y[:, [1, 2, 0]] * Y[:, [2, 0, 1]]) @ F.T
    return out / 4 + t


@claim("X: n 3 -> 3!", "SE(3) x S(n)", arrays((cloud, "n 3")), least={"n": 5})
def frame_average_without_centring(X):
    _, V = np.linalg.eigh(X.T @ X)
    return np.abs(X @ V).mean(axis=0)


@claim("X: n 3, Y: n 3! -> ()", "SE(3) x S(n)", arrays((cloud, "n 3"), (cloud, "n 3")))
def kabsch_rmsd(X, Y):
    P, Q = X - X.mean(axis=0), Y - Y.mean(axis=0)
    U, _, Vt = np.linalg.svd(P.T @ Q)
    d = np.sign(np.linalg.det(U @ Vt))
    R = U @ np.diag([1.0, 1.0, d]) @ Vt
    return np.sqrt(((P @ R - Q) ** 2).sum() / len(X))


@claim("X: n 3, Y: n 3! -> n 3!", "SE(3) x S(n)", arrays((cloud, "n 3"), (cloud, "n 3")), least={"n": 5})
def kabsch_aligned(X, Y):
    P, Q = X - X.mean(axis=0), Y - Y.mean(axis=0)
    U, _, Vt = np.linalg.svd(P.T @ Q)
    d = np.sign(np.linalg.det(U @ Vt))
    return P @ (U @ np.diag([1.0, 1.0, d]) @ Vt) + Y.mean(axis=0)


@claim("X: n 3, Y: n 3! -> n 3!", "E(3) x S(n)", arrays((cloud, "n 3"), (cloud, "n 3")), least={"n": 5})
def kabsch_aligned_claimed_for_mirror_images(X, Y):
    P, Q = X - X.mean(axis=0), Y - Y.mean(axis=0)
    U, _, Vt = np.linalg.svd(P.T @ Q)
    if np.linalg.det(U @ Vt) < 0:
        U = U * np.array([1, 1, -1])
    return P @ U @ Vt


@claim("X: n d, Y: n d -> d d", "O(d)", arrays((cloud, "n d"), (cloud, "n d")), least={"n": 8})
def procrustes_rotation(X, Y):
    U, _, Vt = np.linalg.svd(X.T @ Y)
    return U @ Vt


@claim("A: n d -> n d", "O(n) x O(d)", arrays((low_rank, "n d")))
def polar_factor(A):
    U, _, Vt = np.linalg.svd(A, full_matrices=False)
    return U @ Vt


@claim("A: n d -> n d", "O(n) x O(d)", arrays((low_rank, "n d")))
def best_rank_one(A):
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    return s[0] * np.outer(U[:, 0], Vt[0])


@claim("A: n d -> ()", "O(n) x O(d)", arrays((low_rank, "n d")))
def stable_rank(A):
    s = np.linalg.svd(A, compute_uv=False)
    return (s**2).sum() / s.max() ** 2


@claim("X: n d -> n d", "O(d) x S(n)", arrays((cloud, "n d")))
def zca_whitening(X):
    Y = X - X.mean(axis=0)
    w, V = np.linalg.eigh(Y.T @ Y / len(X))
    return Y @ V @ np.diag(1 / np.sqrt(np.maximum(w, 0) + 1e-3)) @ V.T


@claim("X: n d -> n d", "O(d) x S(n)", arrays((cloud, "n d")), least={"n": 8})
def pca_whitening_not_turned_back(X):
    Y = X - X.mean(axis=0)
    w, V = np.linalg.eigh(Y.T @ Y / len(X))
    return Y @ V / np.sqrt(np.maximum(w, 0) + 1e-3)


@claim(
    "X: n 3, v: 3^ -> ()",
    "E(3) x S(n)",
    arrays((cloud, "n 3"), (lambda rng, d: 5.0 * np.eye(d)[0], "3")),
    least={"n": 5},
)
def cosine_with_surface_normal(X, v):
    Y = X - X.mean(axis=0)
    normal = np.linalg.svd(Y)[2][-1]
    return np.abs(normal @ v)


@claim("X: n 3 -> n 3!", "SE(3) x S(n)", arrays((cloud, "n 3")), least={"n": 3})
def frame_of_two_farthest_points(X):
    Y = X - X.mean(axis=0)
    i, j = np.argsort(-(Y**2).sum(axis=1))[:2]
    a = Y[i] / np.linalg.norm(Y[i])
    b = Y[j] - (Y[j] @ a) * a
    b = b / np.linalg.norm(b)
    return Y @ np.stack([a, b, np.cross(a, b)], axis=1)
