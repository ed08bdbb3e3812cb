"""Writes operations as expressions of NumPy code."""

from __future__ import annotations

import keyword
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from eqvproof.claims.size import Size


@dataclass(frozen=True, slots=True)
class Text:
    """An expression.

    Attributes:
        code: the expression.
        is_atom: whether it needs no parentheses as an operand.
        condition: for an expression that is 1 or 0, the condition for 1.
        narrow: for a broadcast expression, the one that NumPy broadcasts by itself to the same
            shape.
        divisor: for 1 divided by something, that as an operand.
        base: for a part of an array, the array as an operand.
        index: for a part of an array, what stands for each axis of the array in its index.
        single_axes: the axes of the value that have one entry, whatever the sizes are.
        counted_from_end: of the argument of a read, the axes whose entries are counted from the
            end.
    """

    code: str
    is_atom: bool = True
    condition: str = ""
    narrow: str = ""
    divisor: str = ""
    base: str = ""
    index: tuple[str, ...] = ()
    single_axes: frozenset[int] = frozenset()
    counted_from_end: frozenset[int] = frozenset()

    @property
    def atom(self) -> str:
        """Returns the expression as an operand."""
        if self.is_atom:
            return self.code
        return f"({self.code})"

    def pick(self, axes: Collection[int], rank: int) -> Text:
        """Writes the array of that rank with its only entry along each of some axes picked."""
        index, kept = self._index(rank)
        if not axes:
            return self
        for axis in axes:
            index[kept[axis]] = index[kept[axis]].partition(":")[0] or "0"
        return self._with_index(index)

    def with_slice(self, axis: int, part: str, rank: int) -> Text:
        """Writes a slice of the array of that rank along an axis."""
        index, kept = self._index(rank)
        if index[kept[axis]] == ":":
            index[kept[axis]] = part
            return self._with_index(index)
        return Text(self.atom)._with_index([*(":",) * axis, part, *(":",) * (rank - axis - 1)])

    def _index(self, rank: int) -> tuple[list[str], list[int]]:
        """Returns what is written for the axes of the base, and which of them are the array's."""
        index = self.index or (":",) * rank
        return list(index), [k for k, part in enumerate(index) if ":" in part]

    def _with_index(self, index: Sequence[str]) -> Text:
        base = self.base or self.atom
        return Text(indexed(base, index), base=base, index=tuple(index))


class NotRenderable(Exception):
    """The Program has an operation that cannot be written as NumPy code."""


def indexed(base: str, index: Sequence[str]) -> str:
    """Writes an operand with an index, in which whole axes at the end are left out."""
    written = list(index)
    while written and written[-1] == ":":
        written.pop()
    if not written:
        return base
    return f"{base}[{', '.join(written)}]"


def variable(name: str) -> str:
    """Returns an argument's name as a Python variable that clashes with nothing in a snippet."""
    taken = {"np", "math", "f", "h", "left", "right", "at", "moved"}
    if keyword.iskeyword(name) or name in taken:
        return name + "_"
    return name


def float_code(value: Fraction) -> str:
    """Writes a rational as Python code for a float."""
    if value.denominator == 1:
        whole = int(value)
        if abs(whole) < 10**16:
            return f"{whole}.0"
        return repr(float(whole))
    try:
        rounded = float(value)
    except OverflowError as error:
        raise NotRenderable("a constant beyond floats") from error
    if Fraction(rounded) == value or value.denominator > 10**6:
        return repr(rounded)
    return f"{value.numerator} / {value.denominator}"


def nested_lists(values: Sequence[str], shape: Sequence[int]) -> str:
    """Writes row-major entries as nested lists."""
    if not shape:
        return values[0]
    step = len(values) // shape[0] if shape[0] else 0
    return (
        "["
        + ", ".join(
            nested_lists(values[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])
        )
        + "]"
    )


def fixed_shape(shape: Sequence[Size]) -> tuple[int, ...]:
    """Returns a shape in numbers. Raises: NotRenderable."""
    found = [s.constant for s in shape]
    if any(s is None for s in found):
        raise NotRenderable("a size is not known")
    return tuple(s or 0 for s in found)


def drop_explicit_broadcasts(args: Sequence[Text]) -> list[Text]:
    """Drops explicit broadcasts of arguments if another argument has the whole shape."""
    if all(a.narrow for a in args):
        return list(args)
    return [Text(a.narrow, _is_simple(a.narrow)) if a.narrow else a for a in args]


def _is_simple(code: str) -> bool:
    return code.replace(".", "").replace("_", "").isalnum()
