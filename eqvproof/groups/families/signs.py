"""Signs: flips of the signs of coordinates, ``(g x)[i] = s[i] x[i]``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from eqvproof.groups.family import Family
from eqvproof.groups.matrices import pairs

Flips = tuple[int, ...]


def _why_not(data: Any, size: int) -> str:
    if any(type(v) is not int for v in data):
        return "expected integers"
    return "" if all(v in (1, -1) for v in data) else "signs are 1 or -1"


def _flip(size: int, *places: int) -> Flips:
    return tuple(-1 if i in places else 1 for i in range(size))


def _simple(size: int) -> Iterator[Flips]:
    """Single flips, all flipped, double flips, triple ones, all but one."""
    yield from (_flip(size, i) for i in range(size))
    yield (-1,) * size
    yield from (_flip(size, *pair) for pair in pairs(size))
    yield from (_flip(size, *triple) for triple in combinations(range(min(size, 6)), 3))
    yield from (tuple(-s for s in _flip(size, i)) for i in range(size))


def _sample(size: int, rng: random.Random) -> Flips:
    return tuple(rng.choice((1, -1)) for _ in range(size))


def _members(size: int) -> Iterator[Flips]:
    return product((1, -1), repeat=size)


Signs = Family(
    letter="Signs", meaning="coordinate sign flips", element="a diagonal matrix of signs", symbol="D",
    kind="sign", default_axis="d", why_not=_why_not, simple=_simple, sample=_sample,
    generators=lambda size: [_flip(size, i) for i in range(size)], order=lambda size: int(2**size),
    members=_members, inside=("O", "GL"),
)  # fmt: skip
