"""Entries of matrices and arrays, sums and products over indices."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.programs import Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.sympy.bind import Expression
from eqvproof.tracing.sympy.reader import Reader, reads
from eqvproof.tracing.sympy.values import (
    Range,
    Value,
    add_values,
    elementwise,
    merge_labels,
    multiply_values,
    slice_axis,
    sum_over_letter,
)


def span_of(r: Reader, limits: Expression) -> tuple[object, Range]:
    """Returns the index and the range of ``(k, low, high)``."""
    if len(limits) != 3:
        raise TraceError(
            "an index without limits",
            given=str(limits),
            expected="(k, low, high)",
            code=ErrorCode.TRACE_INDEX,
        )
    symbol, low, high = limits
    first = r.binding.size(low)
    length = r.binding.size(high) - first + 1
    if not length.is_at_least(0):
        raise TraceError(
            "a range that is empty the wrong way round at some sizes",
            given=f"{symbol} from {low} to {high}",
            hint="give sizes=, or write limits with high >= low - 1 at every size from 1 up",
            code=ErrorCode.TRACE_INDEX,
        )
    return symbol, Range(first, length)


def read_summand(r: Reader, e: Expression) -> tuple[Value, list[tuple[str, Range]]]:
    """Reads the summand of a Sum or Product; returns it with its letters, innermost first."""
    bound: dict[object, tuple[str, Range] | Value] = {}
    order: list[tuple[str, Range]] = []
    for limits in e.limits:
        symbol, span = span_of(r, limits)
        letter = r.letter(symbol)
        bound[symbol] = (letter, span)
        order.append((letter, span))
    return r.under(bound, e.function), order


@reads("Sum")
def _indexed_sum(r: Reader, e: object) -> Value:
    value, order = read_summand(r, e)
    for letter, span in order:
        value = sum_over_letter(r.builder, value, letter, span)
    return value


@reads("Product")
def _indexed_product(r: Reader, e: object) -> Value:
    value, order = read_summand(r, e)
    b = r.builder
    for letter, span in order:
        if letter in value.letters:
            axis = value.letters.index(letter)
            rest = tuple(x for x in value.letters if x != letter)
            value = Value(b.reduce("prod", value.node, [axis]), rest, value.rank)
        else:
            value = elementwise(b, "pow", [value, Value(b.size(span.length))])
    return value


def linear_index(r: Reader, index: Expression) -> tuple[Size, int, str | None, Range | None]:
    """Reads an index ``offset + step * letter``.

    Returns its value at the first letter value, the step, the letter and its range.
    """
    import sympy

    letters = [s for s in index.free_symbols if isinstance(r.scope.get(s), tuple)]
    if not letters:
        return r.binding.size(index), 1, None, None
    if len(letters) == 1 and index.is_polynomial(letters[0]):
        poly = sympy.Poly(index, letters[0])
        step, offset = poly.coeff_monomial(letters[0]), poly.coeff_monomial(1)
        if poly.degree() == 1 and step.is_Integer:
            found = r.scope[letters[0]]
            if isinstance(found, tuple):
                letter, span = found
                return r.binding.size(offset) + span.low * int(step), int(step), letter, span
    raise TraceError(
        "an index that is not linear in one index letter",
        given=str(index),
        code=ErrorCode.TRACE_INDEX,
    )


def index_value(r: Reader, value: Value, indices: Sequence[Expression]) -> Value:
    """Reads ``A[i, j]``: the last axes of a value indexed by expressions in the letters."""
    b = r.builder
    front = len(value.letters)
    labels: list[str | None] = list(value.letters)
    for place, index in enumerate(indices):
        axis = front + place
        start, step, letter, span = linear_index(r, index)
        count = Size.of(1) if span is None else span.length
        if abs(step) != 1 and count.constant == 1:
            step = 1
        value = slice_axis(b, value, axis, start, count, step)
        labels.append(letter)
    return merge_labels(b, value.node, labels)


@reads("MatrixElement")
def _element(r: Reader, e: Expression) -> Value:
    matrix, row, column = e.args
    return index_value(r, r.read(matrix), [row, column])


@reads("Indexed")
def _indexed(r: Reader, e: Expression) -> Value:
    name = str(e.base.label)
    argument = r.binding.argument(name, e)
    sizes = r.binding.argument_sizes(argument)
    if len(e.indices) != len(sizes):
        raise TraceError(
            f"{e} has {len(e.indices)} indices, the argument is {argument}", code="trace.symbol"
        )
    return index_value(r, Value(r.builder.input(name, sizes)), e.indices)


@reads("Idx")
def _idx(r: Reader, e: object) -> Value:
    raise TraceError("an Idx outside of a Sum", given=str(e), code=ErrorCode.TRACE_INDEX)


@reads("DotProduct")
def _dot_product(r: Reader, e: Expression) -> Value:
    b = r.builder
    x, y = (matrix_as_vector(r, v) for v in r.all(e.args))
    return Value(b.einsum([x, y], [[0], [0]], []))


def matrix_as_vector(r: Reader, value: Value) -> int:
    """Returns the node of a matrix of one row or one column as a vector."""
    if value.letters or value.rank != 2:
        raise TraceError("a vector is expected", code="trace.operation")
    rows, columns = r.builder.shape(value.node)
    one = Size.of(1)
    if one not in (rows, columns):
        raise TraceError(
            "a matrix of one row or one column is expected", given=f"{rows} x {columns}"
        )
    return r.builder.squeeze(value.node, 0 if columns != one else 1)


__all__ = ["add_values", "index_value", "matrix_as_vector", "multiply_values"]
