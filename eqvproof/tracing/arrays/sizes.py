"""Sizes of axes while a function is traced for all sizes: symbols that refuse to become integers.

A `SymbolicSize` is a polynomial in axis names. It adds, multiplies, divides exactly; a comparison
is answered when it has one answer for all sizes from 1 up, and refused otherwise. ``n / 2``, ``n **
0.5`` and functions of sizes are real numbers (0-dimensional traced values).
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from eqvproof.programs import Size
from eqvproof.programs.operations import Operation
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.refusals import record_class_query
from eqvproof.tracing.arrays.values import Array, is_traced, make
from eqvproof.tracing.observing.frames import owner_of_frame

texts = LaterModule("eqvproof.tracing.observing.texts")
_HINT = "give sizes=, then the function is read at fixed sizes"


#: Uses of an object as an index, for messages.
_PLACES = "range(), an index or a repetition"


#: A method for an operator of two values.
_Binary = Callable[[Any, Any], Any]


def _both(combine: _Binary) -> tuple[_Binary, _Binary]:
    """Returns an operator with the size on the left, and on the right."""
    return lambda s, o: _combine(s, o, combine), lambda s, o: _combine(
        s, o, lambda a, b: combine(b, a)
    )


def _question(
    sign: str, decide: Callable[[Size], tuple[bool, bool]]
) -> Callable[[Any, object], Any]:
    """Returns a comparison.

    `decide` says for the difference whether the comparison holds, and whether it fails.
    """
    return lambda self, other: _compare(self, other, sign, decide)


def _is_never_zero(size: Size) -> bool:
    return size.is_at_least(1) or (-size).is_at_least(1)


def _refused(what: str) -> Callable[..., NoReturn]:
    """Returns a method that refuses, since it would make a number of a size."""

    def method(self: SymbolicSize, *_: object, **__: object) -> NoReturn:
        context, size = self._eqvproof
        context.refuse(f"{what} needs a concrete value of the size {size}", hint=_HINT)

    return method


def _itself(self: SymbolicSize, *_: object) -> SymbolicSize:
    """Returns the size itself."""
    return self


class SymbolicSize:
    """The size of an axis, for all sizes at once."""

    __slots__ = ("_eqvproof",)

    def __init__(self, context: TraceContext, size: Size) -> None:
        self._eqvproof = (context, size)

    def form(self, *, signs: bool) -> object:
        """Returns the matrix of a form at this size, for `eqvproof.claims.groups.form`, or None."""
        context, size = self._eqvproof
        whole = signs or all(c % 2 == 0 for _, c in size.terms)
        if whole:
            return make(context, context.builder.form(size, signs=signs), array=True)
        return None

    # -- arithmetic
    # ----------------------------------------------------------------------------------

    __add__, __radd__ = _both(operator.add)
    __sub__, __rsub__ = _both(operator.sub)
    __mul__, __rmul__ = _both(operator.mul)
    __divmod__: _Binary = lambda self, other: _quotient(self, other)
    __floordiv__: _Binary = lambda self, other: _quotient(self, other)[0]
    __rfloordiv__: _Binary = lambda self, other: _quotient(other, self)[0]
    __mod__: _Binary = lambda self, other: _quotient(self, other)[1]
    __rmod__: _Binary = lambda self, other: _quotient(other, self)[1]

    def __neg__(self) -> SymbolicSize:
        context, size = self._eqvproof
        return SymbolicSize(context, -size)

    def __abs__(self) -> SymbolicSize:
        context, size = self._eqvproof
        if size.is_at_least(0):
            return self
        if (-size).is_at_least(0):
            return -self
        context.refuse(f"abs({size}) depends on the size", hint=_HINT)

    def __pow__(self, other: object) -> Any:
        context, size = self._eqvproof
        if type(other) is int and 0 <= other <= 16:
            result = Size.of(1)
            for _ in range(other):
                result = result * size
            return plain(context, result)
        return _real(self) ** other

    def __rpow__(self, other: Any) -> object:
        return other ** _real(self)

    def __truediv__(self, other: object) -> object:
        return _real(self) / (_real(other) if type(other) is SymbolicSize else other)

    def __rtruediv__(self, other: object) -> object:
        return other / _real(self)

    # -- comparison
    # ----------------------------------------------------------------------------------

    __eq__ = _question("==", lambda d: (not d.terms, _is_never_zero(d)))
    __ne__ = _question("!=", lambda d: (_is_never_zero(d), not d.terms))
    __lt__ = _question("<", lambda d: ((-d).is_at_least(1), d.is_at_least(0)))
    __le__ = _question("<=", lambda d: ((-d).is_at_least(0), d.is_at_least(1)))
    __gt__ = _question(">", lambda d: (d.is_at_least(1), (-d).is_at_least(0)))
    __ge__ = _question(">=", lambda d: (d.is_at_least(0), (-d).is_at_least(1)))

    def __bool__(self) -> bool:
        return bool(self != 0)

    # -- what would make it a number
    # -----------------------------------------------------------------

    __index__, __int__, __complex__ = map(_refused, (_PLACES, "int()", "complex()"))
    __array__, __reduce__ = _refused("an array"), _refused("pickling")

    def __float__(self) -> float:
        context, size = self._eqvproof
        context.refuse(
            f"float() needs a concrete value of the size {size}",
            hint="leave float() out: np.sqrt(n), 1 / n and n * X take the size as it is; or give"
            " sizes=",
            code="trace.size-branch",
        )

    def __hash__(self) -> int:
        if owner_of_frame(sys._getframe(1)) == "arrays":  # a cache of a library: it goes without
            raise TypeError("a size that stands for every size has no hash")
        return int(_refused("a look-up in a dict or a set")(self))

    def __format__(self, spec: str = "") -> str:
        """Returns a text that stands for every size, if it only leaves the function."""
        context, size = self._eqvproof
        if context.active and not texts.may_make_text(sys._getframe(1), of_libraries=False):
            _refused("a text")(self)
        return f"<size {size}>"

    __str__ = __repr__ = __format__

    def __array_ufunc__(
        self, ufunc: object, method: str, *inputs: object, **kwargs: object
    ) -> object:
        context = self._eqvproof[0]
        return context.answers.ufunc(context, ufunc, method, inputs, kwargs)

    def __array_function__(
        self, function: object, types: object, args: object, kwargs: object
    ) -> object:
        context = self._eqvproof[0]
        return context.answers.function(context, function, args, kwargs)

    def __getattr__(self, name: str) -> object:
        self._eqvproof[0].refuse(f"the attribute .{name} of a size is not traced")

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Returns int, and records that the user's code asked."""
        record_class_query(self._eqvproof[0], "a size")
        return int

    __pos__ = __round__ = __trunc__ = __floor__ = __ceil__ = __copy__ = __deepcopy__ = _itself
    real = property(_itself)


def plain(context: TraceContext, size: Size) -> int | SymbolicSize:
    """Returns an int where the size is constant, else a `SymbolicSize`."""
    if size.constant is None:
        return SymbolicSize(context, size)
    return size.constant


def size_of(value: object) -> Size | None:
    """Returns the polynomial of an int, NumPy integer, symbol or traced size; None for others."""
    if type(value) is SymbolicSize:
        return value._eqvproof[1]
    if type(value) is Size:
        return value
    if type(value) is int or (not is_traced(value) and isinstance(value, np.integer)):
        return Size.of(int(value))
    if is_traced(value) and value._eqvproof.kind == "i" and not value._eqvproof.shape:
        op: Operation = value._eqvproof.context.builder.nodes[value._eqvproof.node]
        return op.as_size
    return None


def _real(size: SymbolicSize) -> Array:
    context, polynomial = size._eqvproof
    return make(context, context.size(polynomial), "i", dtype=int)


def _combine(left: SymbolicSize, other: object, combine: _Binary) -> object:
    context, size = left._eqvproof
    if isinstance(other, np.generic):
        right = None
    else:
        right = size_of(other)
    if right is not None:
        return plain(context, combine(size, right))
    if type(other) in (str, bytes, list, tuple, dict, set):
        return NotImplemented
    return combine(_real(left), other)


def _quotient(left: Any, right: Any) -> tuple[object, object]:
    context: TraceContext = (left if type(left) is SymbolicSize else right)._eqvproof[0]
    a, b = size_of(left), size_of(right)
    if a is None or b is None:
        context.refuse("// or % between a size and a number that is no integer", hint=_HINT)
    if not (b.is_at_least(1) or (-b).is_at_least(1)):
        context.refuse(f"a division by {b}, which is 0 for some sizes", hint=_HINT)
    exact = a.divide(b)
    if exact is not None:
        return plain(context, exact), 0
    if b.constant is not None:
        low = Size(
            tuple((names, c // b.constant) for names, c in a.terms if names and c // b.constant)
        )
        rest = a - low * b.constant
        if rest.constant is not None:
            extra, remainder = divmod(rest.constant, b.constant)
            return plain(context, low + extra), remainder
    context.refuse(f"({a}) // ({b}) is no polynomial in the sizes", hint=_HINT)


def _compare(
    left: SymbolicSize, other: Any, sign: str, decide: Callable[[Size], tuple[bool, bool]]
) -> Any:
    context, size = left._eqvproof
    right = size_of(other)
    if right is None:
        if type(other) in (float, Fraction) or issubclass(type(other), np.floating):
            if abs(other) == math.inf:  # beyond every size
                return decide(Size.of(-1 if other > 0 else 1))[0]
            if other == other // 1:
                right = Size.of(int(other))
            else:
                context.refuse(f"{size} {sign} {other} depends on the size", hint=_HINT)
        else:
            return NotImplemented
    true, false = decide(size - right)
    if true or false:
        return true
    gap = size - right
    context.refuse_for_some(
        f"{size} {sign} {right} depends on the size", gap.names, lambda: any(decide(gap)),
        hint=_HINT, code="trace.size-branch",
    )  # fmt: skip
