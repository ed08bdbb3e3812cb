"""Samples of long lists: a plain run takes some of their members, ``--all-cases`` takes all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import pytest

T = TypeVar("T")
#: The fixture ``one_in``: one in k of some cases, or all.
OneIn = Callable[[int, Iterable[T]], Iterable[T]]


def examples(count: int, few: int = 20) -> int:
    """Returns how many examples of a property are tried: at most few in a plain run, many at night."""
    match os.environ.get("HYPOTHESIS_PROFILE"):
        case "nightly":
            return 20 * count
        case "mutation":
            return count
        case _:
            return min(count, few)


def sample(cases: Sequence[T], count: int) -> list[T]:
    """Returns so many members at even distances, the first and the last among them."""
    if len(cases) <= count or count < 2:
        return list(cases[:count])
    return [cases[i * (len(cases) - 1) // (count - 1)] for i in range(count)]


def every_case(config: pytest.Config) -> bool:
    """Tells whether long lists of cases are run whole, however long that takes."""
    return config.option.all_cases or os.environ.get("HYPOTHESIS_PROFILE") in ("nightly", "mutation")
