"""Parses arrays of numbers in points and witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .report import Rejected
from .text import MOST_RANK, fields, integer, items, read_rational


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


def multiply_rows(
    x: Sequence[Sequence[Any]], y: Sequence[Sequence[Any]], a: Any
) -> list[list[Any]]:
    """Returns the matrix product of defined numbers of the system a."""
    columns = [*zip(*y, strict=True)]
    return [[a.dot(zip(row, column, strict=True)) for column in columns] for row in x]


def columns_of_a_pair(value: Any, path: str, count: int) -> tuple[int, int]:
    """Reads the numbers of two columns, out of `count` columns."""
    found = [integer(k, path, 0, count - 1) for k in items(value, path, 2)]
    if len(found) != 2:
        raise Rejected(f"{path}: expected two numbers of columns")
    return found[0], found[1]
