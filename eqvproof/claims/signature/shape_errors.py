"""Errors about results whose shape is not the declared one, and the axes that a shape may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eqvproof.claims.signature.model import Axis, Signature, axes_text
from eqvproof.support.errors import ShapeError

#: What to try where nothing better is known.
CHANGE_SOMETHING = "change the output of the signature, or what the function returns"


def wrong_result(
    signature: Signature, shape: Sequence[int], sizes: Mapping[str, int]
) -> ShapeError:
    """Builds the error for a result of another shape than declared.

    Args:
        signature: the typing.
        shape: the shape of the result.
        sizes: the known sizes of the axes.
    """
    declared = [axis.at(sizes) for axis in signature.output if set(axis.names) <= set(sizes)]
    hint = CHANGE_SOMETHING
    guess = axes_of(shape, sizes, signature)
    if len(declared) == len(signature.output):
        if list(shape) != declared and [s for s in shape if s > 1] == [
            s for s in declared if s > 1
        ]:
            hint = _ones(shape, declared)
        elif list(shape) == declared[::-1]:
            hint = f"the result is transposed: return result.T, or write '-> {guess}'"
        elif pairs := _pairs_in_rows(signature, guess):
            hint = pairs
        elif guess:
            hint = f"'-> {guess}' has this shape, if that is what the function returns"
    return ShapeError(
        "the result has another shape than the signature says",
        given=f"an array of shape {tuple(shape)}",
        expected=f"{axes_text(signature.output)}{_shape_text(signature.output, sizes)}",
        hint=hint,
        code="shape.output",
    )


def axes_of(shape: Sequence[int], sizes: Mapping[str, int], signature: Signature) -> str:
    """Returns axes of a signature that have a shape at some sizes; "" if they are not clear."""
    terms = [t for axis in signature.axes for t in axis.terms if t.name is None]
    names = []
    for length in shape:
        found = [n for n, s in sizes.items() if s == length and n.isidentifier()]
        found += {str(t.coefficient) for t in terms if t.coefficient == length}
        if len(found) != 1 or length < 2:
            return ""
        names.append(found[0])
    return " ".join(names)


def _pairs_in_rows(signature: Signature, guess: str) -> str:
    """Returns what to try where an index array holds its pairs as rows and is used by columns."""
    declared = " ".join(map(str, signature.output))
    for argument in signature.inputs:
        if argument.indexes and len(argument.axes) == 2:
            rows, columns = map(str, argument.axes)
            if columns.isdigit() and declared.replace(rows, columns) == guess != declared:
                name, of = argument.name, argument.indexes
                return (
                    f"{name} has the axes {rows} {columns}: use its columns, {name}[:, 0], or"
                    f" write '{name}[{of}]: {columns} {rows}'"
                )
    return ""


def _ones(shape: Sequence[int], declared: Sequence[int]) -> str:
    """Returns what to try where only axes of length 1 differ."""
    if not shape:
        return "a scalar is written '()': '-> ()'"
    if len(shape) > len(declared):
        return "drop the axes of length 1: result.squeeze(), or leave keepdims=True out"
    return "axes of length 1 are axes too: leave the 1 out of '->', or return result[None]"


def _shape_text(axes: Sequence[Axis], sizes: Mapping[str, int]) -> str:
    """Writes the shape that axes have at some sizes."""
    if not axes:
        return ", a scalar"
    names = dict.fromkeys(n for a in axes for n in a.names if n in sizes)
    lengths = []
    for axis in axes:
        length = str(axis)
        if set(axis.names) <= set(sizes):
            length = str(axis.at(sizes))
        lengths.append(length)
    comma = "," * (len(lengths) == 1)
    shape = f", that is ({', '.join(lengths)}{comma})"
    if names:
        return f"{shape} at {', '.join(f'{n} = {sizes[n]}' for n in names)}"
    return shape
