"""Complex numbers as pairs of real numbers of any kind: rational numbers, balls, floats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ComplexNumber:
    """The number real + imag i, printed so; `complex` converts it to the nearest machine number.

    Attributes:
        real: a number of any kind.
        imag: one of the same kind.
    """

    real: Any
    imag: Any

    def __sub__(self, other: ComplexNumber) -> ComplexNumber:
        return ComplexNumber(self.real - other.real, self.imag - other.imag)

    def __complex__(self) -> complex:
        return complex(float(self.real), float(self.imag))

    def __abs__(self) -> float:
        return abs(complex(self))

    def __str__(self) -> str:
        re_, im = str(self.real), str(self.imag)
        if im in ("0", "0.0"):
            return re_
        if im in ("1", "-1"):
            part = im.replace("1", "i")
        elif re.fullmatch(r"-?\d+", im):
            part = f"{im}i"
        else:
            part = f"{im} i"
        if re_ in ("0", "0.0"):
            return part
        if part.startswith("-"):
            return f"{re_} - {part.lstrip('-')}"
        return f"{re_} + {part}"

    def to_json(self) -> dict[str, Any]:
        """Returns both parts as JSON; exact parts are text."""
        return {
            k: v if isinstance(v, float) else str(v)
            for k, v in (("re", self.real), ("im", self.imag))
        }


def from_blocks(matrix: Any) -> Any:
    """Returns X + iY for a real matrix [[X, -Y], [Y, X]], given as an object array or rows."""
    half = len(matrix) // 2
    return [
        [ComplexNumber(matrix[i][j], matrix[half + i][j]) for j in range(half)] for i in range(half)
    ]
