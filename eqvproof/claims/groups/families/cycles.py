"""C and D: the shifts of a cycle, and its shifts and reflections."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from eqvproof.claims.groups.families.permutations import PERMUTATIONS, S, why_not_permutation
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.permutation import Permutation, both_ways, shift


def _turn(size: int, start: int, sense: int) -> Permutation:
    return tuple((start + sense * i) % size for i in range(size))


def _why_not_shift(data: Any, size: int) -> str:
    wrong = data != _turn(size, data[0], 1)
    return why_not_permutation(data, size) or (
        "the permutation is not a cyclic shift" if wrong else ""
    )


def _why_not_dihedral(data: Any, size: int) -> str:
    wrong = data not in (_turn(size, data[0], 1), _turn(size, data[0], -1))
    if wrong:
        reason = "the permutation is no rotation or reflection of a cycle"
    else:
        reason = ""
    return why_not_permutation(data, size) or reason


def _dihedral(size: int) -> Iterator[Permutation]:
    yield tuple(reversed(range(size)))
    yield from (shift(size, by) for by in both_ways(size))
    yield from (_turn(size, by, -1) for by in range(size))


def _sample(size: int, rng: random.Random) -> Permutation:
    return _turn(size, rng.randrange(size), 1)


def _sample_dihedral(size: int, rng: random.Random) -> Permutation:
    start, sense = rng.randrange(size), rng.choice((1, -1))
    return _turn(size, start, sense)


def _members(size: int) -> Iterator[Permutation]:
    return (shift(size, by) for by in range(max(size, 1)))


def _all_dihedral(size: int) -> Iterator[Permutation]:
    turns = [_turn(size, start, sense) for start in range(size) for sense in (1, -1)]
    return iter(dict.fromkeys(turns or [()]))


D = Family(
    letter="D",
    names=("Dih",),
    meaning="dihedral permutations",
    element="a dihedral permutation matrix",
    symbol="P",
    elements=PERMUTATIONS,
    default_axis="n",
    why_not=_why_not_dihedral,
    simple=_dihedral,
    telling=lambda size: shift(size, 1),
    sample=_sample_dihedral,
    generators=lambda size: [shift(size, 1), tuple(reversed(range(size)))] if size > 1 else [],
    order=lambda size: 2 * size if size > 2 else max(size, 1),
    members=_all_dihedral,
    trivial_below=2,
    inside=(S,),
    rocq=S.rocq,
)
C = Family(
    letter="C", names=("Z", "Cyc", "Cyclic", "Shift", "Shifts"), meaning="cyclic shifts",
    element="a cyclic shift matrix", symbol="P", elements=PERMUTATIONS, default_axis="n",
    why_not=_why_not_shift, simple=lambda size: (shift(size, by) for by in both_ways(size)),
    telling=lambda size: shift(size, 1), sample=_sample,
    generators=lambda size: [shift(size, 1)] if size > 1 else [], order=lambda size: max(size, 1),
    members=_members, trivial_below=2, shifts=True, inside=(D,), rocq="C",
)  # fmt: skip
