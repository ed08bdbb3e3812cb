"""Definitions of functions of SciPy and scikit-learn in NumPy, as their documentation states them.

The libraries' own code asks for classes, arranges memory, branches on rounding and calls compiled
code. Each definition is written in NumPy, is traced in place of the function, and is compared with
the function itself on real arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import H, Handler
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.values import Array, make, xp

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


FOURIER = "scipy.fft"
STATS, DISTANCE, SIGNAL = "scipy.stats", "scipy.spatial.distance", "scipy.signal"
PAIRS, METRICS, SCALING = "sklearn.metrics.pairwise", "sklearn.metrics", "sklearn.preprocessing"


def centred(x: Array, axis: int) -> Array:
    """Returns the entries minus their mean along an axis."""
    return x - xp.mean(x, axis=axis, keepdims=True)


def _deviation(x: Array, axis: int, ddof: int = 0) -> Array:
    """Returns the standard deviation, 0 if at most one rounding of the mean, as in SciPy."""
    found = xp.std(x, axis=axis, ddof=ddof, keepdims=True)
    mean = xp.mean(x, axis=axis, keepdims=True)
    return xp.where(found <= np.finfo(found.dtype).eps * xp.abs(mean), 0.0, found)


@defines(STATS, "zscore")
def _zscore(x: Array, axis: int = 0, ddof: int = 0) -> Array:
    return centred(x, axis) / _deviation(x, axis, ddof)


@defines(STATS, "gmean")
def _gmean(x: Array, axis: int = 0) -> Array:
    """Returns the geometric mean, 0 where an entry is 0."""
    logarithms = xp.log(xp.where(x == 0, 1.0, x))
    return xp.all(x != 0, axis=axis) * xp.exp(xp.mean(logarithms, axis=axis))


@defines(STATS, "sem")
def sem(x: Array, axis: int = 0, ddof: int = 1) -> Array:
    """Returns the standard error of the mean."""
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


def _floats(x: Array) -> Array:
    """Returns floats; `statistics` gives integers back where it is given integers of NumPy."""
    if x._eqvproof.kind != "f" or x.ndim != 1:
        raise ValueError("floats along one axis are expected")
    return x


formulas(
    "statistics",
    mean=lambda x: xp.mean(_floats(x)),
    fmean=lambda x: xp.mean(_floats(x)),
    median=lambda x: xp.median(_floats(x)),
    pvariance=lambda x: xp.var(_floats(x)),
    pstdev=lambda x: xp.std(_floats(x)),
    variance=lambda x: xp.var(_floats(x), ddof=1),
    stdev=lambda x: xp.std(_floats(x), ddof=1),
)
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
    moment=lambda x, order=1, axis=0: xp.mean(centred(x, axis) ** order, axis=axis),
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


def require_vectors(*arrays: Array) -> None:
    """Raises an error for arrays of more or fewer axes than one."""
    if any(a.ndim != 1 for a in arrays):
        raise ValueError("vectors")


def pairs_of_rows(x: Array, y: Array) -> tuple[Array, Array]:
    """Returns arrays whose elementwise functions are those of all pairs of rows."""
    return xp.expand_dims(x, 1), xp.expand_dims(y, 0)


@defines(STATS, "rankdata")
def rankdata(x: Array, method: str = "average", *, axis: int | None = None) -> Array:
    """Returns ranks: one plus the number of smaller entries and half of the other equal ones.

    This is the average rank; `min` and `max` differ in how they count equal entries.
    """
    if axis is None:
        rows = xp.ravel(x)
    else:
        rows = xp.moveaxis(x, axis, -1)
    less, same = (
        xp.sum(f(xp.expand_dims(rows, -2), xp.expand_dims(rows, -1)), axis=-1)
        for f in (xp.less, xp.equal)
    )
    found = less + {"average": (same + 1) / 2, "min": 1, "max": same}[method]
    if axis is None:
        return found
    return xp.moveaxis(found, -1, axis)


@defines(STATS, "energy_distance", arrays=2)
def _energy_distance(x: Array, y: Array) -> Array:
    """Returns Szekely's energy distance of two samples.

    It is the root of twice the mean distance between the samples, less those within each.
    """
    require_vectors(x, y)
    mixed, *own = (
        xp.mean(xp.abs(xp.subtract(*pairs_of_rows(u, v)))) for u, v in ((x, y), (x, x), (y, y))
    )
    return xp.sqrt(xp.maximum(2 * mixed - own[0] - own[1], 0.0))


@defines(STATS, "wasserstein_distance", arrays=2)
def _wasserstein(u: Array, v: Array) -> Array:
    """Returns the Wasserstein distance of two samples of one size."""
    require_vectors(u, v)
    if u.shape != v.shape:
        raise ValueError("two vectors of one length")
    return xp.mean(xp.abs(xp.sort(u) - xp.sort(v)))


def _resultant(x: Array, high: object, low: object, axis: int | None) -> tuple[Array, Array]:
    """Returns the mean sine and cosine of angles; a full turn is `high - low`."""
    angles = x * (2 * np.pi / (high - low))  # type: ignore[operator]
    return xp.mean(xp.sin(angles), axis=axis), xp.mean(xp.cos(angles), axis=axis)


@defines(STATS, "circvar")
def _circvar(x: Array, high: object = 2 * np.pi, low: object = 0, axis: int | None = None) -> Array:
    """Returns one minus the length of the mean of points on a circle."""
    return 1 - xp.hypot(*_resultant(x, high, low, axis))


@defines(SIGNAL, "detrend")
def _detrend(x: Array, axis: int = -1, type: str = "linear") -> Array:
    """Returns the entries minus their mean."""
    if type not in ("constant", "c"):
        raise ValueError("the mean is taken off, and no line")
    return centred(x, axis)


@defines(SIGNAL, "convolve")
def _convolve(x: Array, kernel: Array, mode: str = "full") -> Array:
    """Returns the convolution of vectors; `same` is as long as the first one."""
    found = xp.convolve(x, kernel, "valid" if mode == "valid" else "full")
    if mode != "same":
        return found
    first = (len(kernel) - 1) // 2
    return found[first : first + x.shape[0]]


def _frequencies(rows: Array) -> tuple[Array, Array]:
    """Returns the places along the last axis, as numbers, and its length."""
    value = rows._eqvproof
    b, size = value.context.builder, value.shape[-1]
    return make(value.context, b.iota(size)), make(value.context, b.size(size))


def _cosines(k: Array, n: Array) -> Array:
    """Returns cos(pi k (2 m + 1) / (2 n)), for frequencies k and places m below n."""
    turn = lift(k._eqvproof.context, np.pi)
    return xp.cos(turn / (2 * n) * xp.outer(k, 2 * k + 1))


def _cosine_weights(k: Array, n: Array, norm: str | None) -> Array | float:
    """Returns by what each frequency of a cosine transform is multiplied."""
    if norm not in (None, "backward", "ortho"):
        raise ValueError("a norm that is not traced")
    if norm == "ortho":
        return xp.sqrt((2 - (k == 0)) / n)
    return 2.0


@defines(FOURIER, "dct")
def _dct(x: Array, type: int = 2, axis: int = -1, norm: str | None = None) -> Array:
    """Returns the discrete cosine transform of the second type."""
    if type != 2:
        raise ValueError("a cosine transform of another type")
    rows = xp.moveaxis(x, axis, -1)
    k, n = _frequencies(rows)
    found = rows @ xp.transpose(_cosines(k, n)) * _cosine_weights(k, n, norm)
    return xp.moveaxis(found, -1, axis)


@defines(FOURIER, "idct")
def _idct(x: Array, type: int = 2, axis: int = -1, norm: str | None = None) -> Array:
    """Returns the inverse of the discrete cosine transform of the second type.

    The rows of cosines are orthogonal, with squares n for frequency 0 and n/2 for the others.
    """
    if type != 2:
        raise ValueError("a cosine transform of another type")
    rows = xp.moveaxis(x, axis, -1)
    k, n = _frequencies(rows)
    squares = n * (1 + (k == 0)) / 2
    found = rows / (squares * _cosine_weights(k, n, norm)) @ _cosines(k, n)
    return xp.moveaxis(found, -1, axis)


formulas(
    FOURIER,
    fftshift=lambda x, axes=None: np.fft.fftshift(x, axes),
    ifftshift=lambda x, axes=None: np.fft.ifftshift(x, axes),
)


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
    correlation=lambda u, v: _cosine(centred(u, 0), centred(v, 0)),
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
    explained_variance_score=lambda x, y: _explained(xp.sum(centred(x - y, 0) ** 2), x),
)


def _explained(missed: Array, x: Array) -> Array:
    """Returns the explained share of the variance of x.

    For a constant x it is 1 where nothing is missed, else 0. The arguments are vectors.
    """
    require_vectors(x)
    spread = xp.sum(centred(x, 0) ** 2)
    return xp.where(spread == 0, xp.where(missed == 0, 1.0, 0.0), 1 - missed / spread)


@defines(SCALING, "scale")
def _scale(x: Array) -> Array:
    return centred(x, 0) / _or_one(xp.std(x, axis=0, keepdims=True))


@defines("sklearn.covariance", "empirical_covariance")
def _empirical_covariance(x: Array) -> Array:
    rows = centred(x, 0)
    return xp.true_divide(xp.matmul(xp.transpose(rows), rows), x.shape[0])
