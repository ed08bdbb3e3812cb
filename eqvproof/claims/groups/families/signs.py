"""Signs: flips of the signs of coordinates, ``(g x)[i] = s[i] x[i]``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from eqvproof.claims.groups.families.orthogonal import O
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.groups.matrices import diagonal, pairs
from eqvproof.claims.groups.permutation import numbered

Flips = tuple[int, ...]


def _why_not(data: Any, size: int) -> str:
    if any(type(v) is not int for v in data):
        return "expected integers"
    if all(v in (1, -1) for v in data):
        return ""
    return "signs are 1 or -1"


def _flip(size: int, *places: int) -> Flips:
    return tuple(-1 if i in places else 1 for i in range(size))


def _simple(size: int) -> Iterator[Flips]:
    """Yields single flips, all flipped, double flips, triple ones, all but one."""
    yield from (_flip(size, i) for i in range(size))
    yield (-1,) * size
    yield from (_flip(size, *pair) for pair in pairs(size))
    yield from (_flip(size, *triple) for triple in combinations(range(min(size, 6)), 3))
    yield from (tuple(-s for s in _flip(size, i)) for i in range(size))


def _sample(size: int, rng: random.Random) -> Flips:
    return tuple(rng.choice((1, -1)) for _ in range(size))


def _members(size: int) -> Iterator[Flips]:
    return product((1, -1), repeat=size)


def _words(signs: Flips, axis: str | int) -> str:
    places = [i for i, s in enumerate(signs) if s == -1]
    if len(places) == len(signs) > 1:
        return "flip the sign of every coordinate"
    return f"flip the sign of coordinate{'s' if len(places) > 1 else ''} {numbered(places)}"


def _along(signs: Flips, array: Any) -> Any:
    result = array.copy()
    for i, s in enumerate(signs):
        if s == -1:
            result[i] = -result[i]
    return result


SIGNS = Kind(
    name="sign", identity=lambda n: (1,) * n,
    compose=lambda g, h: tuple(a * b for a, b in zip(g, h, strict=True)), inverse=lambda g: g,
    matrix=diagonal, write=lambda g: {"signs": list(g)}, words=_words, variable="s", along=_along,
    rounds=False, takes="an integer array of signs",
)  # fmt: skip
Signs = Family(
    letter="Signs",
    names=("Sign", "Flips"),
    meaning="coordinate sign flips",
    element="a diagonal matrix of signs",
    symbol="D",
    elements=SIGNS,
    default_axis="d",
    why_not=_why_not,
    simple=_simple,
    telling=lambda size: (-1,) * size,
    sample=_sample,
    generators=lambda size: [_flip(size, i) for i in range(size)],
    order=lambda size: int(2**size),
    members=_members,
    inside=(O,),
    rocq="Signs",
)
