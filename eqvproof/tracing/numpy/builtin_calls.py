"""Stand-ins for Python's len, sum, max, min, sorted, range, float, int and type during a trace.

    len(X) = X.shape[0]     sum(X, s) = s + X.sum(0)     max(X) = X.max(), min(X) = X.min()  (X a vector)
    max(a, b, ...) = maximum(a, maximum(b, ...))         sorted(x) = the entries of sort(x)
    float(x) = x            int(x) = trunc(x)            range(n) = arange(n)      (x a number, n a size)
    type(X) = np.ndarray    (X with axes)

Python asks arrays for their length and their entries, which fail for a symbolic size, and numbers
for truth values, which make one way through the code for every order of them. As functions of real
numbers all of these are operations of a Program. What fits none of the forms goes to Python. The
types float, int, range and type stand in the scopes of the user's functions alone: libraries ask which of
them a value is.
"""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from eqvproof.tracing.arrays.calls import apply_function, apply_ufunc
from eqvproof.tracing.arrays.constants import known_number
from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import Table, lift
from eqvproof.tracing.arrays.refusals import record_class_query
from eqvproof.tracing.arrays.sizes import SymbolicSize
from eqvproof.tracing.arrays.values import (
    Array,
    as_listed,
    is_certain_array,
    is_complex,
    is_listed,
    is_selection,
    is_traced,
    make,
    node_of,
)
from eqvproof.tracing.observing.frames import is_followed, owner_of_module

_len, _sum, _max, _min, _sorted = (
    builtins.len, builtins.sum, builtins.max, builtins.min, builtins.sorted,
)  # fmt: skip


def _is_vector(value: object) -> bool:
    return is_traced(value) and value.ndim == 1


def traced_len(value: Any, /) -> object:
    """Computes ``len``; for a traced array, the size of its first axis, which may be symbolic."""
    if is_selection(value) or (is_traced(value) and value.ndim):
        return value.shape[0]
    of_framework = type(value).__module__.partition(".")[0] in ("torch", "jax")
    shape = getattr(value, "shape", ()) if of_framework else ()
    if shape and type(shape[0]) is not int:
        return shape[0]
    return _len(value)


def traced_sum(values: Any, /, start: Any = 0) -> object:
    """Computes ``sum``; for a traced array, along its first axis."""
    if is_traced(values) and values.ndim:
        dtype = values._eqvproof.dtype  # Python adds row by row, in their type; np.sum in 64 bits
        given = {"dtype": dtype} if values._eqvproof.kind == "i" else {}
        total = apply_function(values._eqvproof.context, np.sum, (values,), {"axis": 0, **given})
        if type(start) is int and start == 0:
            return total
        return start + total
    return _sum(values, start)


def traced_sorted(values: Any, /, *, key: Any = None, reverse: bool = False) -> object:
    """Computes ``sorted``; traced numbers are sorted by value.

    They become a list or, if their number is symbolic, an array.
    """
    items: Any = values if is_traced(values) else list(values)
    if key is not None or not (_is_vector(items) or _are_numbers(items)):
        return _sorted(items, key=key, reverse=reverse)
    context = _context(items)
    if is_traced(items):
        array = items
    else:
        context.mixes_classes = True
        array = apply_function(context, np.stack, (items,), {})
    array = apply_function(context, np.sort, (array,), {})
    array = array[::-1] if reverse else array
    fixed = not is_traced(items) or items._eqvproof.shape[0].constant is not None
    if fixed:
        return [array[i] for i in range(_len(array))]
    return as_listed(array)


def traced_max(*args: object, **kwargs: object) -> object:
    """Computes ``max``; for traced numbers, the largest."""
    return _extreme(_max, np.maximum, np.max, -math.inf, args, kwargs)


def traced_min(*args: object, **kwargs: object) -> object:
    """Computes ``min``; for traced numbers, the smallest."""
    return _extreme(_min, np.minimum, np.min, math.inf, args, kwargs)


def traced_range(*bounds: Any) -> object:
    """Computes ``range``; up to a symbolic size, as an array of numbers, which can also index."""
    context = current_context()
    if context is None or not any(type(x) is SymbolicSize for x in bounds):
        return range(*bounds)
    return as_listed(apply_function(context, np.arange, bounds, {}))


def traced_float(value: Any = 0.0, /) -> object:
    """Computes ``float``; a traced number stays itself."""
    x = _number(value)
    if x is None:
        return float(value)
    return make(x._eqvproof.context, node_of(x))


def traced_int(value: Any = 0, /, *base: Any) -> object:
    """Computes ``int``; a traced number is truncated, and a size stays itself."""
    if base or type(value) is SymbolicSize:
        x = None
    else:
        x = _number(value)
    if x is None:
        if type(value) is SymbolicSize:
            return value
        return int(value, *base)
    context: TraceContext = x._eqvproof.context
    if x._eqvproof.kind == "f":
        x = apply_ufunc(context, np.trunc, "__call__", (x,), {})
    else:
        x = x
    return make(context, node_of(x), "i", dtype=int)


def traced_type(*args: object, **kwargs: object) -> object:
    """Computes ``type``; a traced array with axes answers as every array does.

    Of a traced number it depends on more than shapes whether NumPy or Python made it: the question
    is recorded. Classes that have stand-ins in the user's code are given as these.
    """
    if _len(args) != 1 or kwargs:
        return cast(Callable[..., object], type)(*args, **kwargs)
    (value,) = args
    found: type = type(value)
    if is_selection(value) or (is_traced(value) and is_certain_array(value)):
        found = np.ndarray
    elif is_traced(value):
        record_class_query(value._eqvproof.context, "a number")
    elif found is SymbolicSize:
        record_class_query(cast(SymbolicSize, value)._eqvproof[0], "a size")
    elif issubclass(found, Double) or found is Table:
        found = value.__class__
    elif is_complex(value) or owner_of_module(found.__module__) == "engine":
        context = current_context()
        if context is not None:
            record_class_query(context, "an object of a trace")
    return STAND_INS_OF_CLASSES.get(found) or NUMBERS.get(found, found)


def _number(value: object) -> Array | None:
    """Returns a traced number without axes that depends on inputs, or a size as one; else None."""
    context = current_context()
    if type(value) is SymbolicSize and context is not None:
        return lift(context, value)
    is_number = is_traced(value) and value.ndim == 0 and known_number(value, exact=False) is None
    if is_number:
        return cast(Array, value)
    return None


def _extreme(
    plain: Callable[..., Any],
    ufunc: np.ufunc,
    reduction: Callable[..., object],
    neutral: float,
    args: Any,
    kwargs: dict[str, object],
) -> object:
    if _len(args) == 1 and _is_vector(args[0]) and not kwargs:
        return apply_function(args[0]._eqvproof.context, reduction, args, {})
    items: Any = args
    if _len(args) == 1:
        items = args = (
            args[0] if isinstance(args[0], (dict, str)) or is_traced(args[0]) else list(args[0])
        )
        args = (args,)
    if kwargs or not _are_numbers(items):
        return plain(*args, **kwargs)
    _context(items).mixes_classes = True  # the class of the result is that of one of them
    numbers = [x for x in items if not (type(x) is float and x == neutral)]
    result = numbers[0]
    for x in numbers[1:]:
        result = apply_ufunc(_context(items), ufunc, "__call__", (result, x), {})
    return result


def _are_numbers(items: object) -> bool:
    """Checks whether all items are numbers, with traced ones among them."""
    if not is_listed(items) or not any(is_traced(x) for x in items):
        return False
    return all(x.ndim == 0 if is_traced(x) else type(x) in (int, float) for x in items)


def _context(items: Any) -> Any:
    return (items if is_traced(items) else next(x for x in items if is_traced(x)))._eqvproof.context


class Double:
    """A stand-in for a function or class: equal to it, with its attributes."""

    __slots__ = ("_original",)

    def __init__(self, original: Callable[..., object]) -> None:
        self._original = original

    def __getattr__(self, name: str) -> object:
        return getattr(self._original, name)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Returns the class of the original."""
        return type(self._original)

    def __eq__(self, other: object) -> bool:
        if issubclass(type(other), Double):
            other = other._original  # type: ignore[attr-defined]
        return bool(self._original == other)

    def __hash__(self) -> int:
        return hash(self._original)

    def __mro_entries__(self, bases: object) -> tuple[object]:
        return (self._original,)

    def __or__(self, other: object) -> object:
        return cast(type, self._original) | cast(type, other)

    def __ror__(self, other: object) -> object:
        return cast(type, other) | cast(type, self._original)

    def __getitem__(self, key: object) -> object:
        return cast(Mapping[object, object], self._original)[key]


class StandIn(Double):
    """A builtin as the user's code sees it, traced where the user's code calls it."""

    __slots__ = ("_traced", "dtype")

    def __init__(
        self, original: Callable[..., object], traced: Callable[..., object], dtype: object = None
    ) -> None:
        super().__init__(original)
        self._traced = traced
        self.dtype = dtype

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Calls the builtin, traced if the user's code calls it."""
        follows = is_followed(sys._getframe(1))
        return (self._traced if follows else self._original)(*args, **kwargs)

    def __instancecheck__(self, value: object) -> bool:
        if is_traced(value) and not is_certain_array(value):
            record_class_query(value._eqvproof.context, "a number")
        elif type(value) is SymbolicSize:
            record_class_query(value._eqvproof[0], "a size")
        return isinstance(value, cast(type, self._original))

    def __subclasscheck__(self, other: type) -> bool:
        if issubclass(type(other), Double):
            other = cast(type, cast(Double, other)._original)
        return issubclass(other, cast(type, self._original))


#: Name of a builtin -> the builtin.
ORIGINAL: dict[str, Callable[..., object]] = {
    "len": _len, "sum": _sum, "max": _max, "min": _min, "sorted": _sorted,
}  # fmt: skip
#: Name of a builtin -> its stand-in.
BUILTINS: dict[str, StandIn] = {
    name: StandIn(ORIGINAL[name], traced)
    for name, traced in {
        "len": traced_len,
        "sum": traced_sum,
        "max": traced_max,
        "min": traced_min,
        "sorted": traced_sorted,
    }.items()
}
#: Types of numbers, which the user's code may call, ask about, or give as a dtype.
NUMBERS: dict[object, StandIn] = {
    float: StandIn(float, traced_float, np.dtype(float)),
    int: StandIn(int, traced_int, np.dtype(int)),
    range: StandIn(range, traced_range),
    type: StandIn(type, traced_type),
}
#: Class of NumPy -> its stand-in, entered by `eqvproof.tracing.numpy.patching`.
STAND_INS_OF_CLASSES: dict[object, object] = {}
