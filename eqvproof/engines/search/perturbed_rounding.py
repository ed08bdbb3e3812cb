"""Floats whose every rounding is perturbed, so that choices that depend on rounding change.

    a (+) b = (a + b)(1 + e),   |e| <= some units in the last place,   e a hash of the operation, a and b

Different reals that are one float (``tanh(20)`` and ``tanh(21)``, ``x + 1e20`` for small x, results
that overflow or underflow) become different floats, and either may be the greater. Equal operands
give equal results, and results without a rounding error are unchanged: ties of the inputs, and of
values computed exactly from them, stay.

A function is called on arrays that compute in this way. Computations elsewhere (other libraries,
Python's own operators on floats) are not perturbed.

Source: J. Vignes, A stochastic arithmetic for reliable scientific computation, Math. Comput. Simul.
35, 1993; T. Dekker, A floating-point technique for extending the available precision, Numer. Math.
18, 1971 (the errors of sums and products).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from zlib import crc32

import numpy as np

from eqvproof.engines.search.result import Array
from eqvproof.support.context_values import held_during

#: Largest perturbation of results in units in the last place, and in units of the least positive
#: float.
_UNITS, _LEAST = 8, 64
_TINY = float(np.nextafter(0.0, 1.0))
#: Ufuncs without a rounding error.
_EXACT = frozenset(
    "negative positive absolute fabs conjugate maximum minimum fmax fmin floor ceil trunc rint"
    " sign copysign "
    "heaviside nextafter spacing ldexp frexp modf clip".split()
)
_COMMUTE = frozenset("add multiply hypot logaddexp logaddexp2".split())
#: Functions whose infinite results are finite numbers that overflow, if no argument is 0 or
#: infinite.
_GROW = frozenset(
    "exp exp2 expm1 cosh sinh add subtract multiply square power float_power hypot divide".split()
)
#: Functions and ufuncs whose results are sums of products.
_PRODUCTS = frozenset(
    "dot inner vdot tensordot einsum convolve correlate matmul vecdot matvec vecmat".split()
)
_CONVERT = ("array", "asarray", "ascontiguousarray", "asfortranarray", "fromiter")
_MATH = (
    "exp exp2 expm1 log log2 log10 log1p sqrt cbrt pow hypot sin cos tan asin acos atan atan2 sinh"
    " cosh tanh "
    "asinh acosh atanh erf erfc gamma lgamma"
).split()


class Run:
    """Calls with one choice of roundings.

    Attributes:
        seed: the seed of the choice; None for the roundings of the processor.
        operations: the number of operations that may round.
    """

    def __init__(self, seed: int | None) -> None:
        self.seed = seed
        self.operations = 0


#: The present run, and whether its roundings are in force: not while a result is perturbed.
_run: ContextVar[Run | None] = ContextVar("eqvproof_perturbed", default=None)
_active: ContextVar[bool] = ContextVar("eqvproof_perturbed_active", default=False)


def _current_run() -> Run:
    run = _run.get()
    if run is None:
        raise ValueError("no roundings are chosen")
    return run


@contextmanager
def perturbed_rounding(seed: int | None) -> Iterator[Run]:
    """Perturbs the roundings of functions that `call_function` calls inside the block.

    Equal seeds give equal roundings. Without a seed the functions get the same kind of arrays with
    the usual roundings, which shows whether they treat these arrays as NumPy's own.
    """
    run = Run(seed)
    with held_during(_run, run):
        yield run


def call_function(function: Callable[..., Any], arrays: Sequence[Any]) -> Any:
    """Calls a function; inside `perturbed_rounding`, with perturbed roundings."""
    if _run.get() is None:
        return function(*arrays)
    with _patched_functions(), held_during(_active, True):  # noqa: FBT003
        return _unwrapped(function(*(_wrapped(a) for a in arrays)))


def _unperturbed() -> AbstractContextManager[bool]:
    """Returns a context for computations of this module, which are not perturbed."""
    return held_during(_active, False)  # noqa: FBT003


@contextmanager
def _patched_functions() -> Iterator[None]:
    """Makes NumPy's conversions, and functions of `math`, return perturbed results."""
    parts: tuple[tuple[Any, Any], ...] = ((np, _CONVERT), (math, _MATH))
    originals = {(m, n): vars(m)[n] for m, names in parts for n in names if n in vars(m)}
    for (module, name), value in originals.items():
        if module is np:
            setattr(module, name, _converting(value))
        else:
            setattr(module, name, _perturbing(name, value))
    try:
        yield
    finally:
        for (module, name), value in originals.items():
            setattr(module, name, value)


def _converting(function: Callable[..., Any]) -> Callable[..., Any]:
    def convert(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if _active.get():
            return _wrapped(result)
        return result

    return convert


def _perturbing(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def compute(*args: Any) -> Any:
        result = function(*args)
        if not _active.get() or not isinstance(result, float):
            return result
        with _unperturbed():
            inputs = [np.asarray(float(a)) for a in args]
            return float(_perturbed(name, inputs, np.asarray(result), _mixed_all(name, inputs)))

    return compute


class PerturbedArray(np.ndarray[Any, Any]):
    """An array of floats with perturbed roundings."""

    def __array_ufunc__(
        self, ufunc: Any, method: Any, *inputs: Any, out: Any = (), **kwargs: Any
    ) -> Any:
        plain = [_unwrapped(x) for x in inputs]
        outs = tuple(_unwrapped(x) for x in out)
        # where= and initial= are arrays too
        kwargs = {name: _unwrapped(value) for name, value in kwargs.items()}
        if outs:
            kwargs["out"] = outs
        result = getattr(ufunc, method)(*plain, **kwargs)
        results = result if isinstance(result, tuple) else (result,)
        with _unperturbed():
            moved = [self._after(ufunc, method, plain, r, kwargs) for r in results]
        for target, value in zip(outs, moved, strict=False):
            target[...] = value
        if outs:
            if isinstance(result, tuple):
                return out
            return out[0]
        if isinstance(result, tuple):
            return tuple(map(_wrapped, moved))
        return _wrapped(moved[0])

    def _after(
        self, ufunc: Any, method: str, inputs: list[Any], result: Any, kwargs: dict[str, Any]
    ) -> Any:
        name = str(ufunc.__name__)
        if not _is_float(result) or name in _EXACT or method == "at":
            return result
        if method == "__call__" and ufunc.signature is None:
            return _perturbed(name, inputs, result, _mixed_all(name, inputs))
        if name not in ("add", *_PRODUCTS):
            return _perturbed(name, [], result, _mixed(result))
        return _perturbed_sum(getattr(ufunc, method), inputs, result, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        result = super().__array_function__(func, types, args, kwargs)
        name = str(getattr(func, "__name__", ""))
        if _is_float(result) and not isinstance(result, PerturbedArray):
            with _unperturbed():
                if name in _PRODUCTS:
                    result = _perturbed_sum(func, list(args), result, kwargs)
                else:
                    given = [np.asarray(a) for a in _flat(args) if _is_float(a)]
                    known: Any = not given
                    if given:
                        known = np.isin(result, np.concatenate([g.ravel() for g in given]))
                    if not np.all(known):  # computed, not only copied
                        like = next((g for g in given if g.shape == result.shape), result)
                        result = _perturbed(name, [], result, _mixed(like))
        return _wrapped(result)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """Converts to another dtype; the rounding to a shorter one is perturbed."""
        plain, result = _unwrapped(self), _unwrapped(self).astype(dtype, *args, **kwargs)
        if result.dtype.kind != "f":
            return _wrapped(result)
        with _unperturbed():
            return _wrapped(_perturbed("cast", [plain], result, _mixed(plain)))

    def __getitem__(self, index: Any) -> Any:
        return _wrapped(super().__getitem__(index))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _flat(value)
        else:
            yield value


def _is_float(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind == "f"


def _wrapped(value: Any) -> Any:
    """Returns arrays of floats as `PerturbedArray`; other values unchanged.

    This includes integers and bools: NumPy's functions of them may return floats, even short ones.
    """
    counts = isinstance(value, np.ndarray) and value.dtype.kind in "iub"
    if counts or _is_float(value):
        return np.ndarray.view(np.asanyarray(value), PerturbedArray)
    return value


def _unwrapped(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(map(_unwrapped, value))
    if isinstance(value, PerturbedArray):
        return np.ndarray.view(value, np.ndarray)
    return value


# -------------------------------------------------------------------------------------- hashes
def _mixed(values: Any) -> Array:
    """Returns 64 well mixed bits of each number (splitmix64)."""
    array = np.ascontiguousarray(np.asanyarray(values, dtype=np.float64) + 0.0)
    bits = np.asarray(array).view(np.uint64).reshape(np.shape(values)) + np.uint64(
        0x9E3779B97F4A7C15
    )
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def _mixed_all(name: str, inputs: Sequence[Any]) -> Array:
    """Returns the hash of the arguments of an elementwise function."""
    total: Any = np.uint64(0)
    step = 0 if name in _COMMUTE else 2
    for k, value in enumerate(inputs):
        total = total + _mixed(value) * np.uint64(step * k + 1)
    return np.asarray(total)


def _unit(name: str, key: Array) -> Array:
    """Returns integers from -_UNITS to _UNITS, without 0."""
    seed = _current_run().seed
    if seed is None:
        return np.zeros(key.shape, dtype=int)
    salt = np.uint64(crc32(f"{seed}|{name}".encode()))
    chosen = (
        (_mixed((key ^ salt).view(np.float64)) >> np.uint64(11)) % np.uint64(2 * _UNITS)
    ).astype(int)
    return np.where(chosen < _UNITS, chosen - _UNITS, chosen - _UNITS + 1)


# ----------------------------------------------------------------------------------- roundings
def _perturbed(name: str, inputs: Sequence[Any], result: Any, key: Array) -> Any:
    """Perturbs the result of an elementwise function.

    For other functions the key is a hash of the result.
    """
    _current_run().operations += 1
    result = np.asarray(result)
    grows = np.zeros(result.shape, dtype=bool)
    if name in _GROW or name == "cast":
        grows = np.isinf(result)
        for value in inputs:
            grows &= np.isfinite(value) & (np.not_equal(value, 0) | (name == "exp"))
    exact = np.isnan(result) | (_has_no_error(name, inputs, result) & ~grows)
    for value in inputs:  # infinite arguments are not rounded
        exact |= np.isinf(result) & np.isinf(value)
    if exact.all():
        return result
    unit = _unit(name, np.broadcast_to(key, result.shape).copy())
    moved = result + unit * np.spacing(result)
    small = np.abs(result) < np.finfo(result.dtype).tiny
    moved = np.where(small, result + np.copysign((unit + _UNITS) * _LEAST * _TINY, result), moved)
    greatest = np.copysign(np.finfo(result.dtype).max, result)
    moved = np.where(grows, greatest * (1 - (unit + _UNITS) / (4 * _UNITS)), moved)
    return np.where(exact | (unit == 0), result, moved).astype(result.dtype)


def _perturbed_sum(
    function: Callable[..., Any], inputs: list[Any], result: Any, kwargs: dict[str, Any]
) -> Any:
    """Perturbs sums of products by units of the sum of the magnitudes."""
    _current_run().operations += 1
    if all(_is_short(x) for x in inputs if _is_float(x)):
        return result
    options = {k: v for k, v in kwargs.items() if k not in ("dtype", "initial", "out")}
    parts = [_unwrapped(x) for x in inputs]
    key = function(*(_mixed(x) if _is_float(x) else x for x in parts), **options)
    size = function(*(np.abs(x) if _is_float(x) else x for x in parts), **options)
    unit = _unit("sum", np.broadcast_to(np.asarray(key, dtype=np.uint64), np.shape(result)).copy())
    moved = (result + unit * np.finfo(result.dtype).eps * size).astype(result.dtype)
    return np.where(np.isinf(result), result, moved)[()]


def _has_no_error(name: str, inputs: Sequence[Any], result: Array) -> Any:
    """Returns a mask of the entries that are computed without a rounding error."""
    if name == "cast":
        return np.equal(result, inputs[0])
    if name in ("add", "subtract") and len(inputs) == 2:
        a, b = inputs
        if name == "subtract":
            b = np.negative(b)
        rest = result - a
        return np.equal((a - (result - rest)) + (b - rest), 0)
    if name in ("multiply", "square") and inputs:
        return _is_product(inputs[0], inputs[-1], result)
    if name == "divide" and len(inputs) == 2:
        return _is_product(result, inputs[1], inputs[0])
    if name == "sqrt" and inputs:
        return _is_product(result, result, inputs[0])
    if name in ("power", "float_power", "remainder", "floor_divide", "fmod") and len(inputs) == 2:
        return np.full(result.shape, all(_is_short(x, 4) for x in inputs))
    whole = np.equal(result, np.rint(result))
    for value in inputs:
        whole = whole & (np.equal(value, 0) | np.equal(np.abs(value), 1))
    return whole & bool(inputs)


def _is_product(a: Any, b: Any, product: Any) -> Any:
    """Returns a mask of the entries at which a b is exactly a number (Dekker)."""
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    rounded = np.multiply(a, b)
    error = ((a1 * b1 - rounded) + a1 * b2 + a2 * b1) + a2 * b2
    return np.equal(rounded, product) & np.equal(error, 0)


def _halves(value: Any) -> tuple[Any, Any]:
    """Splits a number into a sum of two of 26 bits."""
    scaled = np.multiply(value, 134217729.0, dtype=np.result_type(value, np.float32))
    high = scaled - (scaled - value)
    return high, value - high


def _is_short(value: Any, digits: int = 10) -> bool:
    """Checks whether all entries are integers over a small power of 2, and not large.

    Sums of products of such entries are exact.
    """
    scaled = np.asarray(value, dtype=np.float64) * 2.0**digits
    return bool(np.all(scaled == np.rint(scaled)) and np.all(np.abs(scaled) < 4.0**digits))
