"""Pictures of statements as data, which a report draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """A picture of matrices side by side, with entries as shades.

    Attributes:
        caption: what is seen, in a sentence.
        parts: by label, arrays of numbers with one or two axes.
    """

    caption: str
    parts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """A picture of functions of one number.

    Attributes:
        caption: what is seen, in a sentence.
        horizontal: the name of the number.
        at: where the functions are evaluated, ascending.
        lines: by label, the values.
    """

    caption: str
    horizontal: str
    at: Sequence[float]
    lines: Mapping[str, Sequence[float]]


Picture = Matrices | Curves
