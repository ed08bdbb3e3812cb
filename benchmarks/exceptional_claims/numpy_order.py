"""NumPy functions that sort, rank, select and search for neighbours."""

from __future__ import annotations

import numpy as np

from benchmarks.exceptional_claims.claim import claims_for
from benchmarks.exceptional_claims.samplers import arrays, cloud, tied

claim = claims_for("numpy")


@claim("X: n d -> n! d", "S(n)", arrays((tied, "n d")))
def sorted_columns(X):
    return np.sort(X, axis=0)


@claim("x: n -> k", "S(n)", arrays((tied, "n")))
def three_largest(x):
    return np.sort(x)[::-1][:3]


@claim("x: n, y: n -> ()", "S(n)", arrays((tied, "n"), (lambda rng, n: rng.permutation(n) * 1.0, "n")))
def value_at_argmax(x, y):
    return y[np.argmax(x)]


@claim("X: n d -> n! d", "O(d) x S(n)", arrays((cloud, "n d")))
def rows_by_norm(X):
    order = np.argsort(np.linalg.norm(X, axis=1))
    return X[order]


@claim("x: n -> n", "S(n)", arrays((tied, "n")))
def ordinal_ranks(x):
    order = np.argsort(x, kind="stable")
    ranks = np.empty(len(x))
    ranks[order] = np.arange(1, len(x) + 1)
    return ranks


@claim("x: n -> n", "S(n)", arrays((tied, "n")))
def average_ranks(x):
    below = (x[None, :] < x[:, None]).sum(axis=1)
    equal = (x[None, :] == x[:, None]).sum(axis=1)
    return below + (equal + 1) / 2


@claim("x: n -> n", "S(n)", arrays((tied, "n")))
def order_as_rank(x):
    rank = np.argsort(x)
    return rank / len(x)


@claim("x: n, y: n -> ()", "S(n)", arrays((tied, "n"), (tied, "n")))
def spearman(x, y):
    rx = np.argsort(np.argsort(x)).astype(float)
    ry = np.argsort(np.argsort(y)).astype(float)
    rx -= rx.mean()
    ry -= ry.mean()
    return (rx * ry).sum() / (np.sqrt((rx**2).sum() * (ry**2).sum()) + 1e-12)


@claim("x: n, y: n -> ()", "S(n)", arrays((tied, "n"), (tied, "n")))
def kendall_score(x, y):
    sx = np.sign(x[:, None] - x[None, :])
    sy = np.sign(y[:, None] - y[None, :])
    return (sx * sy).sum() / 2


@claim("X: n d -> n d", "S(n) x S(d)", arrays((tied, "n d")))
def quantile_normalize(X):
    reference = np.sort(X, axis=0).mean(axis=1)
    ranks = np.argsort(np.argsort(X, axis=0), axis=0)
    return reference[ranks]


@claim("X: n d -> n d", "S(n) x S(d)", arrays((tied, "n d")))
def quantile_normalize_samples_mixed_up(X):
    # the samples are the columns, but the reference averages along them
    reference = np.sort(X, axis=0).mean(axis=0)
    ranks = np.argsort(np.argsort(X, axis=0), axis=0)
    return reference[np.minimum(ranks, X.shape[1] - 1)]


@claim("x: n -> ()", "Scale(n)", arrays((tied, "n")))
def hash_of_order(x):
    order = np.argsort(x, kind="stable")
    code = 0
    for k in range(len(x)):
        code = code + order[k] * (k + 1) ** 2
    return code


@claim("x: n -> n!", "C(n)", arrays((tied, "n")))
def rolled_to_maximum(x):
    return np.roll(x, -np.argmax(x))


@claim("x: n -> n", "S(n)", arrays((tied, "n")))
def keep_three_of_largest_magnitude(x):
    keep = np.argsort(-np.abs(x))[:3]
    mask = np.zeros(len(x))
    mask[keep] = 1.0
    return x * mask


@claim("x: n -> n", "S(n)", arrays((tied, "n")))
def hard_threshold_at_median(x):
    level = np.median(np.abs(x))
    return np.where(np.abs(x) >= level, x, 0.0)


@claim("X: n d -> d", "O(d) x S(n)", arrays((cloud, "n d")))
def trimmed_by_norm(X):
    norms = (X**2).sum(axis=1)
    inside = norms <= np.quantile(norms, 0.75)
    return (X * inside[:, None]).sum(axis=0) / inside.sum()


@claim("X: n d -> n! d", "S(n)", arrays((tied, "n d")))
def canonical_row_order(X):
    return X[np.lexsort(X.T[::-1])]


@claim("X: n d -> n! d", "S(n)", arrays((tied, "n d")))
def rows_by_first_column(X):
    return X[X[:, 0].argsort()]


@claim("X: n c -> k c", "S(n)", arrays((tied, "n c")))
def sort_pool(X):
    k = 2
    order = np.argsort(X[:, -1])[::-1]
    return X[order[:k]]


@claim("X: n d -> n d", "E(d) x S(n)", arrays((cloud, "n d")), least={"n": 3})
def mean_of_two_nearest(X):
    D = ((X[:, None, :] - X[None, :, :]) ** 2).sum(-1)
    nearest = np.argsort(D, axis=1)[:, 1:3]
    return X[nearest].mean(axis=1)


@claim("X: n d -> n n", "E(d) x S(n)", arrays((cloud, "n d")))
def knn_adjacency(X, k=2):
    n = len(X)
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    neighbours = np.argsort(D, axis=1)[:, 1 : k + 1]
    A = np.zeros((n, n))
    A[np.arange(n)[:, None], neighbours] = 1
    return np.maximum(A, A.T)


@claim("X: n d -> n", "E(d) x S(n)", arrays((cloud, "n d")), least={"n": 3})
def distance_to_second_neighbour(X):
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    return np.sort(D, axis=1)[:, min(2, len(X) - 1)]


@claim("X: n 3, H: n c -> n m", "S(n)", arrays((cloud, "n 3"), (tied, "n c")))
def edge_features_with_neighbour_index(X, H):
    D = ((X[:, None] - X[None]) ** 2).sum(-1)
    nearest = np.argsort(D, axis=1)[:, -1]
    return np.concatenate([H, H[nearest] - H, nearest[:, None]], axis=1)


@claim("X: n d -> m d", "E(d) x S(n)", arrays((cloud, "n d")), least={"n": 4})
def farthest_points_from_centroid(X, m=3):
    gap = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
    chosen = []
    for _ in range(m):
        i = int(np.argmax(gap))
        chosen.append(X[i])
        gap = np.minimum(gap, ((X - X[i]) ** 2).sum(axis=1))
    return np.stack(chosen)


@claim("X: n d -> m d", "S(n)", arrays((cloud, "n d")))
def farthest_points_from_the_first(X, m=3):
    gap = ((X - X[0]) ** 2).sum(axis=1)
    chosen = [X[0]]
    for _ in range(m - 1):
        i = np.argmax(gap)
        chosen.append(X[i])
        gap = np.minimum(gap, ((X - X[i]) ** 2).sum(axis=1))
    return np.stack(chosen)


@claim("X: n 3, z: n -> n! n!", "E(3) x S(n)", arrays((cloud, "n 3"), (tied, "n")))
def sorted_coulomb_matrix(X, z):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    C = z[:, None] * z[None, :] / (D + np.eye(len(z)))
    np.fill_diagonal(C, 0.5 * np.abs(z) ** 2.4)
    order = np.argsort(-np.linalg.norm(C, axis=1))
    return C[order][:, order]


@claim("X: n 3, z: n -> n! n!", "E(3) x S(n)", arrays((cloud, "n 3"), (tied, "n")))
def coulomb_matrix_rows_sorted_only(X, z):
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    C = z[:, None] * z[None, :] / (D + np.eye(len(z)))
    return C[np.argsort(-np.linalg.norm(C, axis=1))]


@claim("X: n d -> n!", "E(d) x S(n)", arrays((cloud, "n d")))
def persistence_0d(X):
    n = len(X)
    D = np.linalg.norm(X[:, None] - X[None], axis=-1)
    edges = sorted((D[i, j], i, j) for i in range(n) for j in range(i))
    parent = list(range(n))

    def root(i):
        while parent[i] != i:
            i = parent[i]
        return i

    deaths = [0.0]
    for length, i, j in edges:
        a, b = root(i), root(j)
        if a != b:
            parent[a] = b
            deaths.append(length)
    return np.array(deaths)


@claim("a: n, b: n, s: n -> n", "S(n)", arrays((tied, "n"), (tied, "n"), (tied, "n")))
def nms_intervals(a, b, s):
    lo, hi = np.minimum(a, b), np.maximum(a, b)
    keep = np.zeros(len(s))
    alive = np.ones(len(s), dtype=bool)
    for i in np.argsort(-s):
        if alive[i]:
            keep[i] = 1.0
            overlap = np.minimum(hi, hi[i]) - np.maximum(lo, lo[i])
            alive &= overlap <= 0.5 * (hi - lo)
    return keep


@claim("Z: n k -> ()", "S(n)", arrays((tied, "n k")))
def majority_vote(Z):
    votes = np.argmax(Z, axis=1)
    counts = (votes[:, None] == np.arange(Z.shape[1])).sum(axis=0)
    return np.argmax(counts)


def votes_tie(Z):
    counts = np.bincount(Z.argmax(axis=1), minlength=Z.shape[1])
    return (counts == counts.max()).sum() > 1


@claim("Z: n k -> k", "S(n) x S(k)", arrays((tied, "n k")), tied=votes_tie)
def majority_class_one_hot(Z):
    counts = np.eye(Z.shape[1])[np.argmax(Z, axis=1)].sum(axis=0)
    return np.eye(Z.shape[1])[np.argmax(counts)]


@claim("X: n d, C: k d -> k d", "E(d) x S(n) x S(k)", arrays((cloud, "n d"), (cloud, "k d")))
def kmeans_step(X, C):
    D = ((X[:, None, :] - C[None, :, :]) ** 2).sum(-1)
    M = np.eye(len(C))[D.argmin(axis=1)]
    counts = M.sum(axis=0)[:, None]
    means = (M.T @ X) / np.maximum(counts, 1)
    return np.where(counts > 0, means, C)


@claim("X: n d, C: k d -> n", "O(d) x S(n) x S(k)", arrays((cloud, "n d"), (cloud, "k d")))
def vq_code_indices(X, C):
    D = (X**2).sum(1)[:, None] - 2 * X @ C.T + (C**2).sum(1)[None]
    return np.argmin(D, axis=1)


@claim("X: n d, C: k d -> n d", "O(d) x S(n) x S(k)", arrays((cloud, "n d"), (cloud, "k d")))
def vq_lookup(X, C):
    D = (X**2).sum(1)[:, None] - 2 * X @ C.T + (C**2).sum(1)[None]
    return C[np.argmin(D, axis=1)]


@claim(
    "x: d, C: k d, y: k -> ()",
    "E(d) x S(k)",
    arrays((lambda rng, d: cloud(rng, 1, d)[0], "d"), (cloud, "k d"), (tied, "k")),
)
def label_of_nearest_prototype(x, C, y):
    return y[np.argmin(np.linalg.norm(C - x, axis=-1))]
