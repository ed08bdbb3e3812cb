"""scikit-learn, SciPy and POT."""

from __future__ import annotations

import numpy as np
import ot
from scipy import linalg, signal, special, stats
from scipy.spatial import distance
from sklearn import metrics
from sklearn.covariance import empirical_covariance
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import pairwise
from sklearn.preprocessing import StandardScaler, normalize, scale

from benchmarks.packages.claims import family

true, false = family("numpy")


def uniform(n):
    return np.ones(n) / n


CLAIMS = [
    true("scipy cdist", lambda: distance.cdist, "X: n d, Y: m d -> n m", "E(d)"),
    true("scipy cdist cityblock", lambda: lambda X, Y: distance.cdist(X, Y, "cityblock"), "X: n d, Y: m d -> n m", "S(d)"),
    true("scipy cdist cosine", lambda: lambda X, Y: distance.cdist(X, Y, "cosine"), "X: n d, Y: m d -> n m", "O(d)"),
    true("scipy squareform pdist", lambda: lambda X: distance.squareform(distance.pdist(X)), "X: n d -> n n", "E(d) x S(n)"),
    true("scipy euclidean", lambda: distance.euclidean, "u: d, v: d -> ()", "E(d)"),
    true("scipy cosine", lambda: distance.cosine, "u: d, v: d -> ()", "O(d)"),
    true("scipy logsumexp", lambda: lambda x: special.logsumexp(x), "x: n -> ()", "S(n)"),
    true("scipy softmax", lambda: lambda x: special.softmax(x, axis=-1), "x: n c -> n c", "S(c)"),
    true("scipy expit", lambda: special.expit, "x: n -> n", "S(n)"),
    true("scipy entropy", lambda: stats.entropy, "p: n -> ()", "S(n)", draw="positive"),
    true("scipy zscore", lambda: stats.zscore, "x: n -> n", "S(n)"),
    true("scipy skew", lambda: stats.skew, "x: n -> ()", "S(n)"),
    true("scipy kurtosis", lambda: lambda x: stats.kurtosis(x), "x: n -> ()", "S(n)"),
    true("scipy pearsonr", lambda: lambda x, y: stats.pearsonr(x, y).statistic, "x: n, y: n -> ()", "S(n)", sizes={"n": (3, 9)}),
    true("scipy gmean", lambda: stats.gmean, "x: n -> ()", "S(n)", draw="positive"),
    true("scipy sem", lambda: stats.sem, "x: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    true("scipy trim_mean", lambda: lambda x: stats.trim_mean(x, 0.25), "x: n -> ()", "S(n)"),
    true("scipy norm.logpdf", lambda: lambda x: stats.norm.logpdf(x).sum(), "x: n -> ()", "S(n)"),
    true("scipy directed_hausdorff", lambda: lambda X, Y: distance.cdist(X, Y).min(1).max(), "X: n d, Y: m d -> ()", "E(d)"),
    true("scipy linalg.norm", lambda: lambda A: linalg.norm(A), "A: n d -> ()", "O(d) x O(n)"),
    true("scipy iqr", lambda: stats.iqr, "x: n -> ()", "S(n)"),
    true("scipy detrend constant", lambda: lambda x: signal.detrend(x, type="constant"), "x: n -> n", "S(n)"),
    true("scipy wasserstein_distance", lambda: stats.wasserstein_distance, "u: n, v: n -> ()", "S(n)"),
    true("sklearn euclidean_distances", lambda: pairwise.euclidean_distances, "X: n d, Y: m d -> n m", "O(d)"),
    true("sklearn euclidean_distances T", lambda: pairwise.euclidean_distances, "X: n d, Y: m d -> n m", "E(d)"),
    true("sklearn rbf_kernel", lambda: lambda X: pairwise.rbf_kernel(X, gamma=0.5), "X: n d -> n n", "O(d) x S(n)"),
    true("sklearn linear_kernel", lambda: pairwise.linear_kernel, "X: n d, Y: m d -> n m", "O(d)"),
    true("sklearn polynomial_kernel", lambda: lambda X: pairwise.polynomial_kernel(X, degree=2), "X: n d -> n n", "O(d)"),
    true("sklearn cosine_similarity", lambda: pairwise.cosine_similarity, "X: n d, Y: m d -> n m", "O(d)"),
    true("sklearn laplacian_kernel", lambda: lambda X: pairwise.laplacian_kernel(X, gamma=0.5), "X: n d -> n n", "T(d)"),
    true("sklearn manhattan_distances", lambda: pairwise.manhattan_distances, "X: n d, Y: m d -> n m", "Signs(d)"),
    true("sklearn mean_squared_error", lambda: metrics.mean_squared_error, "x: n, y: n -> ()", "S(n)"),
    true("sklearn mean_absolute_error", lambda: metrics.mean_absolute_error, "x: n, y: n -> ()", "S(n)"),
    true("sklearn r2_score", lambda: metrics.r2_score, "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    true("sklearn StandardScaler", lambda: lambda X: StandardScaler().fit_transform(X), "X: n d -> n d", "S(n) x S(d)"),
    true("sklearn scale", lambda: scale, "X: n d -> n d", "S(n)"),
    true("sklearn normalize", lambda: normalize, "X: n d -> n d", "O(d)"),
    true("sklearn empirical_covariance", lambda: empirical_covariance, "X: n d -> d^ d^", "E(d)"),
    true("sklearn LinearRegression", lambda: lambda X, y: LinearRegression().fit(X, y).predict(X), "X: n 2, y: n -> n", "S(n)", sizes={"n": (4, 8)}),
    true("sklearn Ridge", lambda: lambda X, y: Ridge(1.0).fit(X, y).coef_, "X: n d, y: n -> d", "O(d)", sizes={"n": (4, 8), "d": (2, 3)}),
    true("sklearn PCA variance", lambda: lambda X: PCA().fit(X).explained_variance_, "X: n 3 -> 3!", "O(3)", sizes={"n": (4, 8)}),
    true("POT dist", lambda: lambda X, Y: ot.dist(X, Y), "X: n d, Y: m d -> n m", "O(d)"),
    true("POT sinkhorn", lambda: lambda M: ot.sinkhorn(uniform(M.shape[0]), uniform(M.shape[1]), M, 1.0, numItermax=3, warn=False), "M: n m -> n m", "S(n) x S(m)", draw="positive"),
    true("POT unif", lambda: lambda X: ot.unif(X.shape[0]) @ X, "X: n d -> d", "S(n)"),
    true("POT euclidean_distances", lambda: lambda X, Y: ot.utils.euclidean_distances(X, Y), "X: n d, Y: m d -> n m", "O(d)"),
    true("POT bures_distance", lambda: lambda a, b: ot.gaussian.bures_wasserstein_distance(a, b, np.eye(2), np.eye(2)), "a: 2, b: 2 -> ()", "O(2)"),
    true("POT sliced one dimension", lambda: lambda x, y: ot.wasserstein_1d(x, y), "x: n, y: n -> ()", "S(n)"),
    false("scipy cdist cityblock rotations", lambda: lambda X, Y: distance.cdist(X, Y, "cityblock"), "X: n d, Y: m d -> n m", "O(d)"),
    false("scipy cosine translations", lambda: distance.cosine, "u: d, v: d -> ()", "T(d)", sizes={"d": (2, 5)}),
    false("scipy detrend linear", lambda: lambda x: signal.detrend(x), "x: n -> n", "S(n)", sizes={"n": (3, 8)}),
    false("scipy softmax axis", lambda: lambda x: special.softmax(x, axis=0)[0], "x: n c -> c", "S(n)"),
    false("scipy norm.logpdf shifted", lambda: lambda x: stats.norm.logpdf(x, loc=np.arange(len(x))).sum(), "x: n -> ()", "S(n)"),
    false("scipy convolve", lambda: lambda x: signal.convolve(x, [1.0, 2.0], "same"), "x: n -> n", "C(n)", sizes={"n": (2, 8)}),
    false("scipy cumulative", lambda: lambda x: np.cumsum(special.softmax(x)), "x: n -> n", "S(n)"),
    false("sklearn manhattan_distances rotations", lambda: pairwise.manhattan_distances, "X: n d, Y: m d -> n m", "O(d)"),
    false("sklearn rbf_kernel scalings", lambda: lambda X: pairwise.rbf_kernel(X, gamma=0.5), "X: n d -> n n", "Scale(d)"),
    false("sklearn cosine_similarity translations", lambda: pairwise.cosine_similarity, "X: n d, Y: m d -> n m", "T(d)"),
    false("sklearn StandardScaler rotations", lambda: lambda X: StandardScaler().fit_transform(X), "X: n d -> n d", "O(d)"),
    false("sklearn polynomial_kernel translations", lambda: lambda X: pairwise.polynomial_kernel(X, degree=2), "X: n d -> n n", "T(d)"),
    false("sklearn r2_score scaled", lambda: lambda x, y: metrics.r2_score(x, y) * x[0], "x: n, y: n -> ()", "S(n)", sizes={"n": (2, 9)}),
    false("POT dist cityblock", lambda: lambda X, Y: ot.dist(X, Y, "cityblock"), "X: n d, Y: m d -> n m", "O(d)"),
    false("POT sinkhorn weights", lambda: lambda M: ot.sinkhorn(np.arange(1, M.shape[0] + 1.0) / np.arange(1, M.shape[0] + 1.0).sum(), uniform(M.shape[1]), M, 1.0, numItermax=3, warn=False), "M: n m -> n m", "S(n)", draw="positive"),
]  # fmt: skip
