"""Arrays of numbers: in points and witnesses, and as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .report import Limited, Rejected, spend
from .text import MOST_RANK, fields, integer, items, read_rational

#: Largest number of entries of an array.
MOST_CELLS = 100_000


@dataclass(frozen=True, slots=True)
class Tensor:
    """Numbers in row-major order; an entry may be None (undefined)."""

    shape: tuple[int, ...]
    values: list[Any]


def tensor(value: Any, path: str, *, undefined: bool = False) -> Tensor:
    """Reads a tensor of rationals; entries may be null only if `undefined`."""
    shape, values = fields(value, path, "shape", "values")
    sizes = tuple(integer(s, f"{path}.shape", 0) for s in items(shape, f"{path}.shape", MOST_RANK))
    count = 1
    for s in sizes:
        count *= s
    if len(items(values, f"{path}.values")) != count:
        raise Rejected(f"{path}: {len(values)} values for the shape {list(sizes)}")
    numbers = [
        None if undefined and v is None else read_rational(v, f"{path}.values") for v in values
    ]
    return Tensor(sizes, numbers)


def cells(shape: Sequence[int]) -> int:
    """Returns the number of entries of a shape; raises Limited if it is too large.

    In the check of the limit, sizes 0 count as 1.
    """
    count = 1
    for size in shape:
        count *= max(size, 1)
        if count > MOST_CELLS:
            raise Limited(f"an array of more than {MOST_CELLS} entries")
    if 0 in shape:
        return 0
    return count


def fibres(shape: Sequence[int], axis: int) -> list[range]:
    """Returns the positions along an axis, for each choice of the other indices.

    The choices are in row-major order.
    """
    inner = cells(shape[axis + 1 :])
    step = shape[axis] * inner
    outer = range(cells(shape[:axis]))
    return [range(o * step + i, (o + 1) * step, inner) for o in outer for i in range(inner)]


def map_fibres(
    shape: tuple[int, ...], old: Tensor, axis: int, f: Callable[[list[Any]], list[Any]]
) -> list[Any]:
    """Replaces every fibre along an axis by its image under f, and returns the values."""
    spend(2 * len(old.values) + 2 * cells(shape))
    result: list[Any] = [None] * cells(shape)
    for before, after in zip(fibres(old.shape, axis), fibres(shape, axis), strict=True):
        result[after.start : after.stop : after.step] = f([old.values[i] for i in before])
    return result


def matrix_and_weights(args: Sequence[Tensor]) -> tuple[list[list[Any]], list[Any]]:
    """Returns the rows of a matrix, and its weights, if there are any."""
    matrix, *others = args
    height, width = matrix.shape
    spend(3 * len(matrix.values) * (width + 1))
    rows = [matrix.values[i * width : (i + 1) * width] for i in range(height)]
    return rows, [x for weights in others for x in weights.values]


def multiply_rows(
    x: Sequence[Sequence[Any]], y: Sequence[Sequence[Any]], a: Any
) -> list[list[Any]]:
    """Returns the matrix product of defined numbers of the system a."""
    columns = [*zip(*y, strict=True)]
    return [[a.dot(zip(row, column, strict=True)) for column in columns] for row in x]
