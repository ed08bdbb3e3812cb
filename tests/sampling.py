"""Samples of long lists: a plain run takes some of their members, ``--all-cases`` takes all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def sample(cases: Sequence[T], count: int) -> list[T]:
    """Returns so many members at even distances, the first and the last among them."""
    if len(cases) <= count or count < 2:
        return list(cases[:count])
    return [cases[i * (len(cases) - 1) // (count - 1)] for i in range(count)]
