"""Operators, methods and conversions of traced values; branches on them are refused here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.constants import known_number, known_truth
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.object_state import is_untold
from eqvproof.tracing.arrays.paths import as_condition
from eqvproof.tracing.arrays.values import Array, TracedArray, is_selection, node_of
from eqvproof.tracing.observing.frames import is_followed

texts = LaterModule("eqvproof.tracing.observing.texts")


def _applied(ufunc: object, operand: TracedArray, *inputs: object, **kwargs: object) -> object:
    """Applies the universal function for which a Python operator stands."""
    context: TraceContext = operand._eqvproof.context
    if ufunc is np.power and not operand._eqvproof.shape and not _is_whole(inputs[1]):
        context.mixes_classes = True
    return context.answers.ufunc(context, ufunc, "__call__", inputs, kwargs, operator=True)


def _is_whole(exponent: object) -> bool:
    return type(exponent) is int or (type(exponent) is float and exponent.is_integer())


#: A method for an operator of two values.
Operator = Callable[[TracedArray, object], Any]


def binary(ufunc: object) -> Operator:
    """Returns the operator with the traced value on the left."""

    def method(self: TracedArray, other: object) -> object:
        is_pair = type(other).__module__ == "eqvproof.tracing.arrays.pairs"
        if is_untold(other) or is_pair or is_selection(other):
            return NotImplemented
        return _applied(ufunc, self, self, other)

    return method


def reflected(ufunc: object) -> Operator:
    """Returns the operator with the traced value on the right."""

    def method(self: TracedArray, other: object) -> object:
        return _applied(ufunc, self, other, self)

    return method


def unary(ufunc: object) -> Callable[[TracedArray], object]:
    """Returns the operator of one argument."""

    def method(self: TracedArray) -> object:
        return _applied(ufunc, self, self)

    return method


def in_place(ufunc: object) -> Operator:
    """Returns the operator that writes into its left argument (a scalar is replaced)."""

    def method(self: TracedArray, other: object) -> object:
        if self._eqvproof.scalar:
            return _applied(ufunc, self, self, other)
        return _applied(ufunc, self, self, other, out=self)

    return method


def both_ways(ufunc: object) -> tuple[Operator, Operator, Operator]:
    """Returns the operator with the traced value on the left, on the right, and in place."""
    return binary(ufunc), reflected(ufunc), in_place(ufunc)


def method(function: object) -> Callable[..., Array]:
    """Returns the method that calls a function on the array."""

    def method(self: TracedArray, *args: object, **kwargs: object) -> Array:
        context: TraceContext = self._eqvproof.context
        found: Array = context.answers.function(context, function, (self, *args), kwargs)
        return found

    return method


class Arithmetic:
    """Arithmetic operators defined by NumPy's functions of the same meaning."""

    __slots__ = ()

    __add__, __radd__ = (lambda s, o: np.add(s, o)), (lambda s, o: np.add(o, s))
    __sub__, __rsub__ = (lambda s, o: np.subtract(s, o)), (lambda s, o: np.subtract(o, s))
    __mul__, __rmul__ = (lambda s, o: np.multiply(s, o)), (lambda s, o: np.multiply(o, s))
    __truediv__, __rtruediv__ = (
        (lambda s, o: np.true_divide(s, o)),
        (lambda s, o: np.true_divide(o, s)),
    )
    __matmul__, __rmatmul__ = (lambda s, o: np.matmul(s, o)), (lambda s, o: np.matmul(o, s))
    __pow__, __neg__ = (lambda s, o: np.power(s, o)), (lambda s: np.negative(s))
    __abs__ = lambda s: np.absolute(s)  # noqa: E731


def refused(what: str) -> Callable[..., NoReturn]:
    """Returns a method that refuses: it has no meaning for all inputs at once."""

    def method(self: TracedArray, *args: object, **kwargs: object) -> NoReturn:
        self._eqvproof.context.refuse(
            f"{what} needs the entries, which stand for every input", code="trace.value"
        )

    return method


def told_text(context: TraceContext, text: str) -> str:
    """Returns a text that stands for every input, if it only leaves the function."""
    if context.active and not texts.may_make_text(sys._getframe(2), of_libraries=False):
        context.refuse("a text needs the entries, which stand for every input")
    return text


_BRANCH = "write np.where, np.maximum, ... in place of a branch on values"


def known_value(
    tracer: TracedArray,
    what: str,
    *,
    exact: bool = True,
    hint: str = _BRANCH,
    code: str = "trace.value",
) -> Fraction:
    """Returns the number that a value is if it depends on no input; refuses other values."""
    number = known_number(tracer, exact=exact)
    if number is None:
        tracer._eqvproof.context.refuse(
            f"{what} is asked of a value that depends on the inputs",
            hint=hint,
            code=code,
        )
    return number


def truth_value(tracer: TracedArray) -> bool:
    """Returns the truth value of a number, if known, or as given by the path being traced."""
    value = tracer._eqvproof
    context: TraceContext = value.context
    known = known_truth(tracer)
    if known is not None:
        return known
    what = "a truth value (if, while, and, or, not, assert)"
    if context.path is None or not is_followed(sys._getframe(2)):
        return bool(known_value(tracer, what) != 0)
    condition = as_condition(context.builder, node_of(tracer), value.kind)
    if condition is None:
        context.refuse(
            f"{what} is asked of an array of more than one entry",
            hint="write .any(), .all(), or np.where", code="trace.value",
        )  # fmt: skip
    answer = context.path.answer(condition)
    if answer is None:
        return bool(known_value(tracer, what) != 0)
    return answer
