"""Definitions of functions of SciPy and scikit-learn in NumPy, as their documentation states them.

The libraries' own code asks for classes, arranges memory, branches on rounding and calls compiled
code. Each definition is written in NumPy, is traced in place of the function, and is compared with
the function itself on real arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import H, Handler
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.values import Array, xp

#: Module -> name -> the number of leading arguments that are arrays (some may be None), and the
#: definition.
DEFINITIONS: dict[str, dict[str, tuple[int, Handler]]] = {}


def defines(module: str, *names: str, arrays: int = 1) -> Callable[[H], H]:
    """Registers a definition under names in a module."""

    def enter(definition: H) -> H:
        DEFINITIONS.setdefault(module, {}).update(dict.fromkeys(names, (arrays, definition)))
        return definition

    return enter


def formulas(module: str, arrays: int = 1, **definitions: Handler) -> None:
    """Registers definitions that are one formula each, by their names."""
    for name, definition in definitions.items():
        defines(module, name, arrays=arrays)(definition)


def functions() -> dict[object, tuple[int, Handler]]:
    """Returns the functions of loaded modules, with their entries in `DEFINITIONS`."""
    named = (
        (getattr(sys.modules.get(m), n, None), d)
        for m, t in DEFINITIONS.items()
        for n, d in t.items()
    )
    return {function: defined for function, defined in named if function is not None}


def handlers() -> dict[object, Handler]:
    """Returns the functions of loaded modules, with their handlers."""
    return {function: _handler(*defined) for function, defined in functions().items()}


def _handler(count: int, definition: Handler) -> Handler:
    def handler(context: TraceContext, *args: object, **options: object) -> object:
        arrays = [None if a is None else lift(context, a) for a in args[:count]]
        return definition(*arrays, *args[count:], **options)

    return handler


STATS, DISTANCE, SIGNAL = "scipy.stats", "scipy.spatial.distance", "scipy.signal"
PAIRS, METRICS, SCALING = "sklearn.metrics.pairwise", "sklearn.metrics", "sklearn.preprocessing"


def _centred(x: Array, axis: int) -> Array:
    return x - xp.mean(x, axis=axis, keepdims=True)


def _deviation(x: Array, axis: int, ddof: int = 0) -> Array:
    """Returns the standard deviation, 0 if at most one rounding of the mean, as in SciPy."""
    found = xp.std(x, axis=axis, ddof=ddof, keepdims=True)
    mean = xp.mean(x, axis=axis, keepdims=True)
    return xp.where(found <= np.finfo(found.dtype).eps * xp.abs(mean), 0.0, found)


@defines(STATS, "zscore")
def _zscore(x: Array, axis: int = 0, ddof: int = 0) -> Array:
    return _centred(x, axis) / _deviation(x, axis, ddof)


@defines(STATS, "gmean")
def _gmean(x: Array, axis: int = 0) -> Array:
    """Returns the geometric mean, 0 where an entry is 0."""
    logarithms = xp.log(xp.where(x == 0, 1.0, x))
    return xp.all(x != 0, axis=axis) * xp.exp(xp.mean(logarithms, axis=axis))


@defines(STATS, "sem")
def _sem(x: Array, axis: int = 0, ddof: int = 1) -> Array:
    return xp.std(x, axis=axis, ddof=ddof) / xp.sqrt(x.shape[axis])


@defines(STATS, "entropy", arrays=2)
def _entropy(p: Array, q: Array | None = None, base: object = None, axis: int = 0) -> Array:
    """Returns the (relative) entropy: terms with p = 0 are 0, and negative entries undefined."""
    from scipy.special import xlogy

    p = p / xp.sum(p, axis=axis, keepdims=True)
    if q is None:
        found = -xlogy(p, p)
    else:
        q = q / xp.sum(q, axis=axis, keepdims=True)
        found = xp.where(p == 0, 0 * xp.sqrt(q), p * (xp.log(p) - xp.log(q)))
    return xp.sum(found, axis=axis) / (1 if base is None else xp.log(base))


@defines(STATS, "pearsonr", arrays=2)
def _pearsonr(x: Array, y: Array) -> SimpleNamespace:
    x, y = _centred(x, 0), _centred(y, 0)
    return SimpleNamespace(statistic=xp.sum(x * y) / xp.sqrt(xp.sum(x * x) * xp.sum(y * y)))


@defines(STATS, "pmean")
def _pmean(x: Array, p: float, *, axis: int = 0) -> Array:
    """Returns the power mean: undefined where an entry is negative, 0 where one is 0 and p < 0."""
    if p == 0:
        return _gmean(x, axis)
    zero = xp.any(x == 0, axis=axis)
    powers = xp.sqrt(xp.where(x == 0, 1.0, x)) ** (2 * p) if p < 0 else xp.sqrt(x) ** (2 * p)
    return xp.where(zero, 0.0 if p < 0 else 1.0, 1.0) * xp.mean(powers, axis=axis) ** (1 / p)


def _unlimited(limits: None, axis: object) -> object:
    if limits is not None:
        raise ValueError("no limits")
    return axis


formulas(
    STATS,
    skew=lambda x, axis=0: xp.mean(_zscore(x, axis) ** 3, axis=axis),
    kurtosis=lambda x, axis=0, fisher=True: (
        xp.mean(_zscore(x, axis) ** 4, axis=axis) - (3 if fisher else 0)
    ),
    variation=lambda x, axis=0: xp.std(x, axis=axis) / xp.mean(x, axis=axis),
    median_abs_deviation=lambda x, axis=0: xp.median(
        xp.abs(x - xp.median(x, axis=axis, keepdims=True)), axis=axis
    ),
    moment=lambda x, order=1, axis=0: xp.mean(_centred(x, axis) ** order, axis=axis),
    gstd=lambda x, axis=0, ddof=1: xp.exp(xp.std(xp.log(x), axis=axis, ddof=ddof)),
    iqr=lambda x: xp.quantile(x, 0.75) - xp.quantile(x, 0.25),
    tmean=lambda x, limits=None, *, axis=None: xp.mean(x, axis=_unlimited(limits, axis)),
    tvar=lambda x, limits=None, *, axis=0, ddof=1: xp.var(
        x, axis=_unlimited(limits, axis), ddof=ddof
    ),
    tstd=lambda x, limits=None, *, axis=0, ddof=1: xp.std(
        x, axis=_unlimited(limits, axis), ddof=ddof
    ),
    hmean=lambda x, axis=0: _pmean(x, -1, axis=axis),
)


@defines(STATS, "trim_mean")
def _trim_mean(x: Array, proportiontocut: float, axis: int = 0) -> Array:
    """Returns the mean without a proportion of the entries at both ends."""
    ones = xp.ones_like(x)
    count, place = xp.sum(ones, axis=axis, keepdims=True), xp.cumsum(ones, axis=axis) - 1
    cut = xp.floor(proportiontocut * count)
    inside = xp.logical_and(place >= cut, place < count - cut)
    return xp.sum(xp.sort(x, axis=axis) * inside / (count - 2 * cut), axis=axis)


@defines(STATS, "chisquare")
def _chisquare(f_obs: Array) -> SimpleNamespace:
    """Returns the chi-square statistic against equal frequencies."""
    expected = xp.mean(f_obs, axis=0, keepdims=True)
    return SimpleNamespace(statistic=xp.sum((f_obs - expected) ** 2 / expected, axis=0))


@defines(STATS, "ttest_1samp")
def _ttest_1samp(x: Array, popmean: object) -> SimpleNamespace:
    return SimpleNamespace(statistic=(xp.mean(x, axis=0) - popmean) / _sem(x))


@defines(STATS, "ttest_rel", arrays=2)
def _ttest_rel(x: Array, y: Array) -> SimpleNamespace:
    return _ttest_1samp(x - y, 0)


@defines(STATS, "ttest_ind", arrays=2)
def _ttest_ind(x: Array, y: Array, *, equal_var: bool = True) -> SimpleNamespace:
    n, m = x.shape[0], y.shape[0]
    if equal_var:
        scale = (
            sum(xp.sum(_centred(v, 0) ** 2, axis=0) for v in (x, y)) / (n + m - 2) * (1 / n + 1 / m)
        )
    else:
        scale = xp.var(x, axis=0, ddof=1) / n + xp.var(y, axis=0, ddof=1) / m
    return SimpleNamespace(statistic=(xp.mean(x, axis=0) - xp.mean(y, axis=0)) / xp.sqrt(scale))


@defines(STATS, "f_oneway", arrays=2)
def _f_oneway(x: Array, y: Array) -> SimpleNamespace:
    """Returns the F statistic of two samples."""
    statistic = _ttest_ind(x, y).statistic
    return SimpleNamespace(statistic=statistic * statistic)


def _require_vectors(*arrays: Array) -> None:
    if any(a.ndim != 1 for a in arrays):
        raise ValueError("vectors")


def _pairs_of_rows(x: Array, y: Array) -> tuple[Array, Array]:
    return xp.expand_dims(x, 1), xp.expand_dims(y, 0)


@defines(STATS, "rankdata")
def _rankdata(x: Array, method: str = "average") -> Array:
    """Returns ranks: one plus the number of smaller entries and half of the other equal ones.

    This is the average rank; `min` and `max` differ in how they count equal entries.
    """
    _require_vectors(x)
    less, same = (xp.sum(f(*reversed(_pairs_of_rows(x, x))), axis=1) for f in (xp.less, xp.equal))
    return less + {"average": (same + 1) / 2, "min": 1, "max": same}[method]


@defines(STATS, "spearmanr", arrays=2)
def _spearmanr(x: Array, y: Array) -> SimpleNamespace:
    return _pearsonr(_rankdata(x), _rankdata(y))


@defines(STATS, "kendalltau", arrays=2)
def _kendalltau(x: Array, y: Array) -> SimpleNamespace:
    """Returns Kendall's tau, the correlation of the signs of differences."""
    _require_vectors(x, y)
    u, v = (xp.sign(xp.subtract(*_pairs_of_rows(a, a))) for a in (x, y))
    return SimpleNamespace(statistic=xp.sum(u * v) / xp.sqrt(xp.sum(u * u) * xp.sum(v * v)))


@defines(STATS, "mannwhitneyu", arrays=2)
def _mannwhitneyu(x: Array, y: Array) -> SimpleNamespace:
    _require_vectors(x, y)
    u, v = _pairs_of_rows(x, y)
    return SimpleNamespace(statistic=xp.sum((u > v) + (u == v) / 2))


@defines(STATS, "ks_2samp", arrays=2)
def _ks_2samp(x: Array, y: Array) -> SimpleNamespace:
    """Returns the largest difference of the empirical distribution functions of two samples."""
    _require_vectors(x, y)
    both = xp.concatenate([x, y])
    shares = [xp.mean(xp.less_equal(*reversed(_pairs_of_rows(both, v))), axis=1) for v in (x, y)]
    return SimpleNamespace(statistic=xp.max(xp.abs(shares[0] - shares[1])))


@defines(STATS, "levene", arrays=2)
def _levene(x: Array, y: Array, *, center: str = "median") -> SimpleNamespace:
    """Returns the F statistic of two samples' distances from their medians, or means."""
    _require_vectors(x, y)
    middle = {"median": xp.median, "mean": xp.mean}[center]
    return _f_oneway(xp.abs(x - middle(x)), xp.abs(y - middle(y)))


@defines(STATS, "kruskal", arrays=2)
def _kruskal(x: Array, y: Array) -> SimpleNamespace:
    """Returns the Kruskal-Wallis statistic of two samples, corrected for ties."""
    _require_vectors(x, y)
    both, n, m = xp.concatenate([x, y]), x.shape[0], y.shape[0]
    gap = _mannwhitneyu(x, y).statistic - n * m / 2
    ties = xp.sum(xp.sum(xp.equal(*_pairs_of_rows(both, both)), axis=1) ** 2 - 1)
    count = n + m
    scale = n * m * (count + 1) / 12 * (1 - ties / (count**3 - count))
    return SimpleNamespace(statistic=gap * gap / scale)


@defines(STATS, "ranksums", arrays=2)
def _ranksums(x: Array, y: Array) -> SimpleNamespace:
    """Returns Mann and Whitney's U, standardized."""
    n, m = x.shape[0], y.shape[0]
    spread = xp.sqrt(n * m * (n + m + 1) / 12)
    return SimpleNamespace(statistic=(_mannwhitneyu(x, y).statistic - n * m / 2) / spread)


@defines(STATS, "jarque_bera")
def _jarque_bera(x: Array) -> SimpleNamespace:
    """Returns the Jarque-Bera statistic, from skewness and excess kurtosis."""
    _require_vectors(x)
    third, fourth = (
        xp.mean(_centred(x, 0) ** k) / xp.mean(_centred(x, 0) ** 2) ** (k / 2) for k in (3, 4)
    )
    return SimpleNamespace(statistic=x.shape[0] / 6 * (third**2 + (fourth - 3) ** 2 / 4))


@defines(STATS, "energy_distance", arrays=2)
def _energy_distance(x: Array, y: Array) -> Array:
    """Returns Szekely's energy distance of two samples.

    It is the root of twice the mean distance between the samples, less those within each.
    """
    _require_vectors(x, y)
    mixed, *own = (
        xp.mean(xp.abs(xp.subtract(*_pairs_of_rows(u, v)))) for u, v in ((x, y), (x, x), (y, y))
    )
    return xp.sqrt(xp.maximum(2 * mixed - own[0] - own[1], 0.0))


@defines(STATS, "linregress", arrays=2)
def _linregress(x: Array, y: Array) -> SimpleNamespace:
    _require_vectors(x, y)
    slope = xp.sum(_centred(x, 0) * _centred(y, 0)) / xp.sum(_centred(x, 0) ** 2)
    return SimpleNamespace(slope=slope, intercept=xp.mean(y) - slope * xp.mean(x))


@defines(STATS, "wasserstein_distance", arrays=2)
def _wasserstein(u: Array, v: Array) -> Array:
    """Returns the Wasserstein distance of two samples of one size."""
    _require_vectors(u, v)
    if u.shape != v.shape:
        raise ValueError("two vectors of one length")
    return xp.mean(xp.abs(xp.sort(u) - xp.sort(v)))


@defines(SIGNAL, "detrend")
def _detrend(x: Array, axis: int = -1, type: str = "linear") -> Array:
    """Returns the entries minus their mean."""
    if type not in ("constant", "c"):
        raise ValueError("the mean is taken off, and no line")
    return _centred(x, axis)


@defines(SIGNAL, "convolve")
def _convolve(x: Array, kernel: Array, mode: str = "full") -> Array:
    """Returns the convolution of vectors; `same` is as long as the first one."""
    found = xp.convolve(x, kernel, "valid" if mode == "valid" else "full")
    if mode != "same":
        return found
    first = (len(kernel) - 1) // 2
    return found[first : first + x.shape[0]]


@defines(DISTANCE, "canberra", arrays=2)
def _canberra(u: Array, v: Array) -> Array:
    """Returns the Canberra distance; entries that are both 0 add nothing."""
    lengths = xp.abs(u) + xp.abs(v)
    return xp.sum(xp.abs(u - v) / xp.where(lengths == 0, 1.0, lengths))


@defines(DISTANCE, "cosine", arrays=2)
def _cosine(u: Array, v: Array) -> Array:
    return 1 - xp.sum(u * v) / xp.sqrt(xp.sum(u * u) * xp.sum(v * v))


formulas(
    DISTANCE,
    arrays=2,
    euclidean=lambda u, v: xp.sqrt(xp.sum((u - v) ** 2)),
    sqeuclidean=lambda u, v: xp.sum((u - v) ** 2),
    cityblock=lambda u, v: xp.sum(xp.abs(u - v)),
    chebyshev=lambda u, v: xp.max(xp.abs(u - v)),
    braycurtis=lambda u, v: xp.sum(xp.abs(u - v)) / xp.sum(xp.abs(u + v)),
    correlation=lambda u, v: _cosine(_centred(u, 0), _centred(v, 0)),
)


def _or_one(scale: Array) -> Array:
    """Returns a scale, or 1 below ten times the float epsilon, as scikit-learn does."""
    return xp.where(scale < 10 * np.finfo(scale.dtype).eps, 1.0, scale)


@defines(SCALING, "normalize")
def _unit(x: Array) -> Array:
    """Divides rows by their lengths; rows that are nearly zero stay."""
    return x / _or_one(xp.sqrt(xp.sum(x * x, axis=1, keepdims=True)))


def _gaps(x: Array, y: Array | None) -> Array:
    return x[:, None, :] - (x if y is None else y)[None, :, :]


def _products(x: Array, y: Array | None) -> Array:
    return x @ xp.transpose(x if y is None else y)


@defines(PAIRS, "euclidean_distances", arrays=2)
def _euclidean_distances(x: Array, y: Array | None = None, *, squared: bool = False) -> Array:
    found = xp.sum(_gaps(x, y) ** 2, axis=-1)
    return found if squared else xp.sqrt(found)


@defines(PAIRS, "manhattan_distances", arrays=2)
def _manhattan_distances(x: Array, y: Array | None = None) -> Array:
    return xp.sum(xp.abs(_gaps(x, y)), axis=-1)


def _factor(x: Array, factor: float | None) -> float:
    """Returns the factor of a kernel, by default one over the number of features."""
    return 1 / x.shape[1] if factor is None else factor


formulas(
    PAIRS,
    arrays=2,
    cosine_similarity=lambda x, y=None: _products(_unit(x), None if y is None else _unit(y)),
    linear_kernel=lambda x, y=None: _products(x, y),
    polynomial_kernel=lambda x, y=None, degree=3, gamma=None, coef0=1: (
        (_factor(x, gamma) * _products(x, y) + coef0) ** degree
    ),
    sigmoid_kernel=lambda x, y=None, gamma=None, coef0=1: xp.tanh(
        _factor(x, gamma) * _products(x, y) + coef0
    ),
    rbf_kernel=lambda x, y=None, gamma=None: xp.exp(
        -_factor(x, gamma) * _euclidean_distances(x, y, squared=True)
    ),
    laplacian_kernel=lambda x, y=None, gamma=None: xp.exp(
        -_factor(x, gamma) * _manhattan_distances(x, y)
    ),
)


@defines(PAIRS, "paired_euclidean_distances", arrays=2)
def _paired_euclidean_distances(x: Array, y: Array) -> Array:
    return xp.sqrt(xp.sum((x - y) ** 2, axis=1))


@defines(PAIRS, "paired_distances", arrays=2)
def _paired_distances(x: Array, y: Array, *, metric: str = "euclidean") -> Array:
    return {"euclidean": _paired_euclidean_distances, "manhattan": _paired_manhattan_distances}[
        metric
    ](x, y)


@defines(PAIRS, "paired_manhattan_distances", arrays=2)
def _paired_manhattan_distances(x: Array, y: Array) -> Array:
    return xp.sum(xp.abs(x - y), axis=1)


formulas(
    METRICS,
    arrays=2,
    mean_squared_error=lambda x, y: xp.mean((x - y) ** 2),
    mean_absolute_error=lambda x, y: xp.mean(xp.abs(x - y)),
    median_absolute_error=lambda x, y: xp.median(xp.abs(x - y)),
    max_error=lambda x, y: xp.max(xp.abs(x - y)),
    root_mean_squared_error=lambda x, y: xp.mean(xp.sqrt(xp.mean((x - y) ** 2, axis=0))),
    mean_absolute_percentage_error=lambda x, y: xp.mean(
        xp.abs(x - y) / xp.maximum(xp.abs(x), np.finfo(np.float64).eps)
    ),
    r2_score=lambda x, y: _explained(xp.sum((x - y) ** 2), x),
    explained_variance_score=lambda x, y: _explained(xp.sum(_centred(x - y, 0) ** 2), x),
)


def _explained(missed: Array, x: Array) -> Array:
    """Returns the explained share of the variance of x.

    For a constant x it is 1 where nothing is missed, else 0. The arguments are vectors.
    """
    _require_vectors(x)
    spread = xp.sum(_centred(x, 0) ** 2)
    return xp.where(spread == 0, xp.where(missed == 0, 1.0, 0.0), 1 - missed / spread)


@defines(SCALING, "scale")
def _scale(x: Array) -> Array:
    return _centred(x, 0) / _or_one(xp.std(x, axis=0, keepdims=True))


@defines("sklearn.covariance", "empirical_covariance")
def _empirical_covariance(x: Array) -> Array:
    rows = _centred(x, 0)
    return xp.true_divide(xp.matmul(xp.transpose(rows), rows), x.shape[0])
