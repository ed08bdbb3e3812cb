"""Pictures that go with statements, as data: a report draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Matrices:
    """Matrices side by side, entries as shades.

    Attributes:
        caption: what is seen, in a sentence.
        parts: by label, arrays of numbers with one or two axes.
    """

    caption: str
    parts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Functions of one number.

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
