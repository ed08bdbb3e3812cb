"""NumPy's array functions on exact numbers, called by ``__array_function__``.

A function that NumPy itself composes of ufuncs and of moves of entries runs as NumPy wrote it;
those that go through floats (``linalg``, ``einsum``) are given here exactly. Other functions raise
`Inexact`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.numbers import linalg
from eqvproof.numbers.arrays import ExactArray, sorted_along, unwrap, wrap_array
from eqvproof.numbers.einsum import einsum, tensordot
from eqvproof.numbers.number import Real
from eqvproof.numbers.protocol import HANDLERS
from eqvproof.numbers.signals import ExactSignal, Inexact
from eqvproof.numbers.undefined import Absent


def apply_function(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Evaluates an array function of NumPy on exact numbers.

    Raises:
        Inexact: it has no exact form.
    """
    exact = OVERRIDES.get(func)
    if exact is not None:
        return exact(*args, **kwargs)
    try:
        run = getattr(func, "_implementation", None) or func.__wrapped__
        result = run(*args, **kwargs)
    except ExactSignal:
        raise
    except (TypeError, AttributeError) as error:
        raise Inexact(
            f"np.{getattr(func, '__name__', func)} has no exact form",
            given=str(error), code="exact.no-exact-form",
        ) from error  # fmt: skip
    return _exact_again(result)


def _exact_again(result: Any) -> Any:
    """Converts object arrays to ExactArray, with NumPy's own ints and floats made exact."""
    if isinstance(result, np.ndarray) and result.dtype == object:
        if isinstance(result, ExactArray) and all(type(x) in (Real, Absent) for x in result.flat):
            return result
        raw = unwrap(result)
        if raw.ndim:
            return wrap_array(raw)
        return wrap_array(raw.reshape(1)).reshape(())
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(_exact_again, result))
    if isinstance(result, (tuple, list)):
        return type(result)(map(_exact_again, result))
    return result


def _nan_to_num(
    x: Any,
    copy: bool = True,  # noqa: FBT001, FBT002
    nan: Any = 0.0,
    posinf: Any = None,
    neginf: Any = None,
) -> Any:
    if not isinstance(x, ExactArray) or not np.all(np.isfinite(x)):
        raise Inexact("np.nan_to_num of entries that are not finite tells NaN from infinities")
    if copy:
        return x.copy()
    return x


def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **kwargs: Any) -> Any:
    low = kwargs.get("min", a_min)
    high = kwargs.get("max", a_max)
    result = a
    if low is not None:
        result = np.maximum(result, low)
    if high is not None:
        result = np.minimum(result, high)
    if out is None:
        return result
    return np.positive(result, out=out)


def _sort_array(a: Any, axis: int | None = -1, *args: Any, **kwargs: Any) -> Any:
    return sorted_along(a, axis)


def _median(a: Any, axis: Any = None, out: Any = None, **kwargs: Any) -> Any:
    if out is not None or kwargs.get("keepdims") or isinstance(axis, tuple):
        raise Inexact("np.median with out, keepdims or several axes has no exact form")
    ordered = np.moveaxis(sorted_along(a, axis), 0 if axis is None else axis, 0)
    n = len(ordered)
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2


def _average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: Any = False,  # noqa: FBT002
    **kwargs: Any,
) -> Any:
    values = linalg.as_exact_array(a)
    if weights is None:
        weights = np.ones(values.shape, dtype=int)
    else:
        if not isinstance(weights, ExactArray):
            weights = np.asarray(weights)
        if weights.shape != values.shape:
            weights = np.reshape(
                weights, [s if k == axis % values.ndim else 1 for k, s in enumerate(values.shape)]
            )
    product = np.multiply(values, weights)
    total = np.sum(
        linalg.as_exact_array(np.broadcast_to(weights, values.shape)), axis=axis, **kwargs
    )
    mean = np.divide(np.sum(product, axis=axis, **kwargs), total)
    if returned:
        return (mean, total)
    return mean


def _accumulate(ufunc: np.ufunc) -> Callable[..., Any]:
    """Returns np.cumsum for np.add, np.cumprod for np.multiply.

    Without an axis they run over the flat array.
    """

    def run(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
        values = linalg.as_exact_array(a)
        if axis is None:
            values, axis = np.ravel(values), 0
        return ufunc.accumulate(values, axis=axis, dtype=dtype, out=out)

    return run


OVERRIDES: dict[Any, Callable[..., Any]] = {
    np.einsum: einsum,
    np.tensordot: tensordot,
    np.dot: linalg.dot,
    np.inner: linalg.inner,
    np.vdot: lambda a, b: linalg.dot(np.ravel(a), np.ravel(b)),
    np.sort: _sort_array,
    np.cumsum: _accumulate(np.add),
    np.cumprod: _accumulate(np.multiply),
    np.median: _median,
    np.average: _average,
    np.clip: _clip,
    np.nan_to_num: _nan_to_num,
    np.linalg.norm: linalg.norm,
    np.linalg.vector_norm: linalg.vector_norm,
    np.linalg.matrix_norm: linalg.matrix_norm,
    np.linalg.inv: linalg.inv,
    np.linalg.det: linalg.det,
    np.linalg.slogdet: linalg.slogdet,
    np.linalg.solve: linalg.solve,
    np.linalg.matrix_rank: linalg.matrix_rank,
    np.linalg.pinv: linalg.pinv,
    np.linalg.cholesky: linalg.cholesky,
    np.linalg.matrix_power: linalg.matrix_power,
}


HANDLERS["function"] = apply_function
