"""Data of the pictures that a report draws beside statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """A picture of matrices side by side, with entries as shades.

    Attributes:
        caption: a sentence that describes the picture.
        parts: by label, arrays of numbers with one or two axes.
    """

    caption: str
    parts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """A picture of functions of one number.

    Attributes:
        caption: a sentence that describes the picture.
        horizontal: the name of the number.
        at: the numbers at which the functions are evaluated, ascending.
        lines: the values of each function, by label.
    """

    caption: str
    horizontal: str
    at: Sequence[float]
    lines: Mapping[str, Sequence[float]]


Picture = Matrices | Curves
