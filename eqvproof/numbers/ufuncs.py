"""NumPy's and SciPy's ufuncs on `Real` and `ExactArray`, called by ``__array_ufunc__``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import arb, fmpq

from eqvproof.numbers import tensor
from eqvproof.numbers.arrays import unwrap, wrap_array
from eqvproof.numbers.elementwise import (
    IDENTITIES,
    accumulated,
    elementwise,
    matrix_product,
    reduced,
    sum_entries,
)
from eqvproof.numbers.protocol import HANDLERS
from eqvproof.numbers.scalar import ZERO
from eqvproof.numbers.signals import Inexact
from eqvproof.numbers.table import FUNCTIONS, RELATIONS
from eqvproof.numbers.tensor import Array
from eqvproof.numbers.undefined import Absent, absorb


def apply_ufunc(ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Evaluates a ufunc on exact numbers.

    Raises:
        Inexact: the ufunc has no exact form, or the result would go into an array of floats.
    """
    options = dict(kwargs)
    outs = options.pop("out", None)
    out = outs[0] if isinstance(outs, tuple) else outs
    _check_dtype(options.pop("dtype", None))
    name = str(ufunc.__name__)
    if method == "at":
        return _ufunc_at(ufunc, *inputs)
    where = options.pop("where", True)
    if method == "__call__":
        result = _call(ufunc, inputs, where, out)
    elif method == "outer":
        a, b = (unwrap(x) for x in inputs)
        result = _call(ufunc, (a.reshape(a.shape + (1,) * b.ndim), b), where, None)
    elif method == "reduce":
        result = _reduce(name, inputs, options, where)
    elif method == "accumulate":
        axis = inputs[1] if len(inputs) > 1 else options.pop("axis", 0)
        _function_named(name)
        result = accumulated(name, unwrap(inputs[0]), axis)
    else:
        raise Inexact(f"np.{name}.{method} has no exact form")
    return _finish(result, out)


def _check_dtype(dtype: Any) -> None:
    if dtype is not None and np.dtype(dtype).kind not in "fOb":
        raise Inexact("exact numbers cannot be computed as", given=str(np.dtype(dtype)))


def _function_named(name: str) -> None:
    if name not in FUNCTIONS:
        raise Inexact(f"the ufunc {name} has no exact form", code="exact.no-exact-form")


def _call(ufunc: Any, inputs: tuple[Any, ...], where: Any, out: Any) -> Any:
    name = str(ufunc.__name__)
    if name in _PRODUCTS:
        return _PRODUCTS[name](*(unwrap(x) for x in inputs))
    if name == "divmod":
        return tuple(_call(part, inputs, where, None) for part in (np.floor_divide, np.remainder))
    if name == "modf":
        whole = _call(np.trunc, inputs, where, None)
        return _call(np.subtract, (inputs[0], whole), where, None), whole
    if all(set(kind) <= set("O->") for kind in ufunc.types):  # np.frompyfunc, np.vectorize
        plain = (np.asarray(wrap_array(unwrap(x)), dtype=object) for x in inputs)
        made = ufunc(*plain)
        if isinstance(made, tuple):
            return tuple(map(unwrap, made))
        return unwrap(made)
    _function_named(name)
    arrays = [unwrap(x) for x in inputs]
    if name == "isfinite":
        return np.asarray(np.frompyfunc(_is_real, 1, 1)(arrays[0]), dtype=bool)[()]
    result = elementwise(name, *arrays)
    if where is not True:
        if out is None:
            raise Inexact(f"np.{name}(where=...) without out leaves entries unset")
        result = np.where(where, result, unwrap(out))
    if name in RELATIONS:
        return truths(result)
    return result


def _is_real(x: Any) -> bool:
    return type(x) in (fmpq, arb)


def truths(result: Any) -> Any:
    """Converts entries 0 and 1 to booleans.

    Raises:
        Undecided, Undefined: an entry is absent.
    """
    array = np.asarray(result, dtype=object)
    absent = [x for x in array.flat if type(x) is Absent]
    if absent:
        raise absorb(*absent).signal()
    values = np.array([x == 1 for x in array.flat], dtype=bool).reshape(array.shape)
    if values.ndim:
        return values
    return values[()]


def _reduce(name: str, inputs: tuple[Any, ...], options: dict[str, Any], where: Any) -> Any:
    axis = inputs[1] if len(inputs) > 1 else options.pop("axis", 0)
    if len(inputs) > 2:
        _check_dtype(inputs[2])
    keepdims = bool(options.pop("keepdims", False))
    initial = options.pop("initial", np._NoValue)
    if name not in IDENTITIES:
        raise Inexact(f"np.{name}.reduce has no exact form")
    array = unwrap(inputs[0])
    identity = IDENTITIES[name]
    start = identity if initial in (np._NoValue, None) else unwrap(initial)
    if where is not True:
        if start is None:
            raise ValueError(f"np.{name}.reduce(where=...) needs an initial value")
        neutral = start
        if identity is not None:
            neutral = identity
        array = np.where(np.broadcast_to(where, array.shape), array, neutral)
    axes: tuple[int, ...] = tuple(range(array.ndim))
    if axis is not None and array.ndim:
        axes = tuple(sorted(int(a) % array.ndim for a in np.atleast_1d(axis)))
    if start is None and any(array.shape[a] == 0 for a in axes):
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if name == "add":
        result: Any = sum_entries(array, axes)
    else:
        if name in RELATIONS and not axes:
            array = np.asarray(
                elementwise("logical_or", array, tensor.constant_array((), ZERO)), dtype=object
            )
        result = reduced(name, array, axes, identity)
    if initial not in (np._NoValue, None):
        result = elementwise(name, result, start)
    if keepdims:
        result = np.expand_dims(np.asarray(result, dtype=object), axes)
    if name in RELATIONS:
        return truths(result)
    return result


def _ufunc_at(ufunc: Any, target: Any, indices: Any, *values: Any) -> None:
    if not isinstance(target, np.ndarray) or target.dtype != object:
        raise Inexact("exact numbers were about to be added into an array of floats")
    plain = target.view(np.ndarray)
    ufunc.at(plain, indices, *(np.asarray(wrap_array(unwrap(v)), dtype=object) for v in values))


def _finish(result: Any, out: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(_finish(part, None) for part in result)
    is_truth = isinstance(result, (np.bool_, bool)) or (
        isinstance(result, np.ndarray) and result.dtype == bool
    )
    value = result
    if not is_truth:
        value = wrap_array(result)
    if out is None:
        return value
    if out.dtype != object and not (is_truth and out.dtype == bool):
        raise Inexact(
            "an exact result was about to be written into an array of floats",
            given=f"out of dtype {out.dtype}",
            hint="np.zeros_like(X), or an array of dtype object",
        )
    out[...] = value
    return out


def _ufunc_matmul(a: Array, b: Array) -> Any:
    left, right = a, b
    if a.ndim == 1:
        left = a[None, :]
    if b.ndim == 1:
        right = b[:, None]
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matmul: shapes {a.shape} and {b.shape} do not fit")
    product = matrix_product(left, right)
    if a.ndim == 1:
        product = product[..., 0, :]
    if b.ndim == 1:
        product = product[..., 0]
    return product


_PRODUCTS: dict[str, Callable[[Array, Array], Any]] = {
    "matmul": _ufunc_matmul,
    "vecdot": lambda a, b: sum_entries(
        np.asarray(elementwise("multiply", a, b), dtype=object), [-1]
    ),
    "matvec": lambda a, b: matrix_product(a, b[..., None])[..., 0],
    "vecmat": lambda a, b: matrix_product(a[..., None, :], b)[..., 0, :],
}


HANDLERS["ufunc"] = apply_ufunc
