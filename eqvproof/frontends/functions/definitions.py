"""Functions of SciPy and scikit-learn that have a definition: one table, as their documentation says it.

Their own code asks for classes, lays memory out, branches on rounding and calls compiled code. Each
definition is written in NumPy, is traced in the function's place, and is compared with the function itself
on real arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions.registry import Handler
from eqvproof.frontends.lifting import lift

#: Module -> name -> how many leading arguments are arrays (some may be None), and the definition.
DEFINITIONS: dict[str, dict[str, tuple[int, Callable[..., Any]]]] = {}


def defines(module: str, *names: str, arrays: int = 1) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enters a definition under the names of a module."""

    def enter(definition: Callable[..., Any]) -> Callable[..., Any]:
        DEFINITIONS.setdefault(module, {}).update(dict.fromkeys(names, (arrays, definition)))
        return definition

    return enter


def handlers() -> dict[Any, Handler]:
    """The functions of the modules that are loaded, with their handlers."""
    found: dict[Any, Handler] = {}
    for home, table in DEFINITIONS.items():
        for name, (count, definition) in table.items():
            function = getattr(sys.modules.get(home), name, None)
            if function is not None:
                found[function] = _handler(count, definition)
    return found


def _handler(count: int, definition: Callable[..., Any]) -> Handler:
    def handler(context: TraceContext, *args: object, **options: object) -> Any:
        arrays = [None if a is None else lift(context, a) for a in args[:count]]
        return definition(*arrays, *args[count:], **options)

    return handler


STATS, DISTANCE, SIGNAL = "scipy.stats", "scipy.spatial.distance", "scipy.signal"
PAIRS, METRICS, SCALING = "sklearn.metrics.pairwise", "sklearn.metrics", "sklearn.preprocessing"


def _centred(x: Any, axis: int) -> Any:
    return x - np.mean(x, axis=axis, keepdims=True)


def _moment(x: object, order: int, axis: int) -> Any:
    return np.mean(_centred(x, axis) ** order, axis=axis)


@defines(STATS, "zscore")
def _zscore(x: Any, axis: int = 0, ddof: int = 0) -> Any:
    return _centred(x, axis) / np.std(x, axis=axis, ddof=ddof, keepdims=True)


@defines(STATS, "skew")
def _skew(x: object, axis: int = 0) -> Any:
    variance = _moment(x, 2, axis)
    return _moment(x, 3, axis) / (variance * np.sqrt(variance))


@defines(STATS, "kurtosis")
def _kurtosis(x: object, axis: int = 0, fisher: bool = True) -> Any:
    return _moment(x, 4, axis) / _moment(x, 2, axis) ** 2 - (3 if fisher else 0)


@defines(STATS, "gmean")
def _gmean(x: Any, axis: int = 0) -> Any:
    """0 where an entry is 0."""
    logarithms = np.log(np.where(x == 0, 1.0, x))
    return np.all(x != 0, axis=axis) * np.exp(np.mean(logarithms, axis=axis))


@defines(STATS, "sem")
def _sem(x: Any, axis: int = 0, ddof: int = 1) -> Any:
    return np.std(x, axis=axis, ddof=ddof) / np.sqrt(x.shape[axis])


@defines(STATS, "entropy", arrays=2)
def _entropy(p: Any, q: Any = None, base: Any = None, axis: int = 0) -> Any:
    """Where p is 0, an entry is 0; negative entries have no logarithm."""
    from scipy.special import xlogy

    p = p / np.sum(p, axis=axis, keepdims=True)
    if q is None:
        found = -xlogy(p, p)
    else:
        q = q / np.sum(q, axis=axis, keepdims=True)
        found = np.where(p == 0, 0 * np.sqrt(q), p * (np.log(p) - np.log(q)))
    return np.sum(found, axis=axis) / (1 if base is None else np.log(base))


@defines(STATS, "pearsonr", arrays=2)
def _pearsonr(x: Any, y: Any) -> Any:
    x, y = _centred(x, 0), _centred(y, 0)
    return SimpleNamespace(statistic=np.sum(x * y) / np.sqrt(np.sum(x * x) * np.sum(y * y)))


@defines(STATS, "iqr")
def _iqr(x: Any) -> Any:
    return np.quantile(x, 0.75) - np.quantile(x, 0.25)


@defines(STATS, "wasserstein_distance", arrays=2)
def _wasserstein(u: Any, v: Any) -> Any:
    """Of as many points on both sides."""
    if u.shape != v.shape or u.ndim != 1:
        raise ValueError("two vectors of one length")
    return np.mean(np.abs(np.sort(u) - np.sort(v)))


@defines(SIGNAL, "detrend")
def _detrend(x: object, axis: int = -1, type: str = "linear") -> Any:
    """Without the mean."""
    if type not in ("constant", "c"):
        raise ValueError("the mean is taken off, and no line")
    return _centred(x, axis)


@defines(SIGNAL, "convolve")
def _convolve(x: Any, kernel: Any, mode: str = "full") -> Any:
    """Of vectors; `same` is as long as the first."""
    found = np.convolve(x, kernel, "valid" if mode == "valid" else "full")
    if mode != "same":
        return found
    first = (len(kernel) - 1) // 2
    return found[first : first + x.shape[0]]


@defines(DISTANCE, "euclidean", arrays=2)
def _euclidean(u: Any, v: Any) -> Any:
    return np.sqrt(np.sum((u - v) ** 2))


@defines(DISTANCE, "sqeuclidean", arrays=2)
def _sqeuclidean(u: Any, v: Any) -> Any:
    return np.sum((u - v) ** 2)


@defines(DISTANCE, "cityblock", arrays=2)
def _cityblock(u: Any, v: Any) -> Any:
    return np.sum(np.abs(u - v))


@defines(DISTANCE, "chebyshev", arrays=2)
def _chebyshev(u: Any, v: Any) -> Any:
    return np.max(np.abs(u - v))


@defines(DISTANCE, "cosine", arrays=2)
def _cosine(u: Any, v: Any) -> Any:
    return 1 - np.sum(u * v) / np.sqrt(np.sum(u * u) * np.sum(v * v))


@defines(DISTANCE, "correlation", arrays=2)
def _correlation(u: object, v: object) -> Any:
    return _cosine(_centred(u, 0), _centred(v, 0))


def _or_one(scale: Any) -> Any:
    """scikit-learn divides by 1 in place of what is below ten roundings of 1."""
    return np.where(scale < 10 * np.finfo(scale.dtype).eps, 1.0, scale)


def _unit(x: Any) -> Any:
    """Rows over their lengths; rows that are next to zero stay."""
    return x / _or_one(np.sqrt(np.sum(x * x, axis=1, keepdims=True)))


def _gaps(x: Any, y: Any) -> Any:
    return x[:, None, :] - (x if y is None else y)[None, :, :]


def _products(x: Any, y: Any) -> Any:
    return x @ np.transpose(x if y is None else y)


@defines(PAIRS, "euclidean_distances", arrays=2)
def _euclidean_distances(x: object, y: object = None, *, squared: bool = False) -> Any:
    found = np.sum(_gaps(x, y) ** 2, axis=-1)
    return found if squared else np.sqrt(found)


@defines(PAIRS, "manhattan_distances", arrays=2)
def _manhattan_distances(x: object, y: object = None) -> Any:
    return np.sum(np.abs(_gaps(x, y)), axis=-1)


@defines(PAIRS, "cosine_similarity", arrays=2)
def _cosine_similarity(x: object, y: object = None) -> Any:
    return _products(_unit(x), None if y is None else _unit(y))


@defines(PAIRS, "linear_kernel", arrays=2)
def _linear_kernel(x: object, y: object = None) -> Any:
    return _products(x, y)


@defines(PAIRS, "polynomial_kernel", arrays=2)
def _polynomial_kernel(
    x: Any, y: Any = None, degree: int = 3, gamma: float | None = None, coef0: float = 1
) -> Any:
    return ((1 / x.shape[1] if gamma is None else gamma) * _products(x, y) + coef0) ** degree


@defines(PAIRS, "sigmoid_kernel", arrays=2)
def _sigmoid_kernel(x: Any, y: Any = None, gamma: float | None = None, coef0: float = 1) -> Any:
    return np.tanh((1 / x.shape[1] if gamma is None else gamma) * _products(x, y) + coef0)


@defines(PAIRS, "rbf_kernel", arrays=2)
def _rbf_kernel(x: Any, y: object = None, gamma: float | None = None) -> Any:
    scale = 1 / x.shape[1] if gamma is None else gamma
    return np.exp(-scale * _euclidean_distances(x, y, squared=True))


@defines(PAIRS, "laplacian_kernel", arrays=2)
def _laplacian_kernel(x: Any, y: Any = None, gamma: float | None = None) -> Any:
    return np.exp(-(1 / x.shape[1] if gamma is None else gamma) * _manhattan_distances(x, y))


@defines(METRICS, "mean_squared_error", arrays=2)
def _mean_squared_error(x: Any, y: Any) -> Any:
    return np.mean((x - y) ** 2)


@defines(METRICS, "mean_absolute_error", arrays=2)
def _mean_absolute_error(x: Any, y: Any) -> Any:
    return np.mean(np.abs(x - y))


@defines(METRICS, "max_error", arrays=2)
def _max_error(x: Any, y: Any) -> Any:
    return np.max(np.abs(x - y))


@defines(METRICS, "r2_score", arrays=2)
def _r2_score(x: Any, y: Any) -> Any:
    """Of vectors; where x is constant, 1 where y is the same, else 0."""
    if x.ndim != 1:
        raise ValueError("vectors")
    missed, spread = np.sum((x - y) ** 2), np.sum(_centred(x, 0) ** 2)
    return np.where(spread == 0, np.where(missed == 0, 1.0, 0.0), 1 - missed / spread)


@defines(SCALING, "scale")
def _scale(x: Any) -> Any:
    return _centred(x, 0) / _or_one(np.std(x, axis=0, keepdims=True))


@defines(SCALING, "normalize")
def _normalize(x: object) -> Any:
    return _unit(x)


@defines("sklearn.covariance", "empirical_covariance")
def _empirical_covariance(x: Any) -> Any:
    rows = _centred(x, 0)
    return np.transpose(rows) @ rows / x.shape[0]


__all__ = ["DEFINITIONS", "handlers"]
