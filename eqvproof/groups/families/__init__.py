"""The families of groups: the registry, an explicit tuple."""

from __future__ import annotations

from collections.abc import Callable

from eqvproof.groups.families.affine import SE, E, T
from eqvproof.groups.families.cycles import C, D
from eqvproof.groups.families.generated import GenGL, GenO, GenS
from eqvproof.groups.families.linear import GL, SL
from eqvproof.groups.families.multiples import Scale
from eqvproof.groups.families.orthogonal import SO, O
from eqvproof.groups.families.permutations import A, S
from eqvproof.groups.families.signed import B
from eqvproof.groups.families.signs import Signs
from eqvproof.groups.family import Family

#: The families that a text such as "O(d)" names, by letter.
FAMILIES: dict[str, Family] = {f.letter: f for f in (O, SO, S, A, C, D, T, E, SE, Signs, B, GL, SL, Scale)}
#: The families of groups that are given by generators.
GENERATED: dict[str, Family] = {f.letter: f for f in (GenS, GenO, GenGL)}
EVERY_FAMILY: dict[str, Family] = {**FAMILIES, **GENERATED}


def letters(chosen: Callable[[Family], object], last: str = "or") -> str:
    """The families that are chosen, in words: "O, SO or E"."""
    *rest, end = [letter for letter, family in FAMILIES.items() if chosen(family)]
    return f"{', '.join(rest)} {last} {end}" if rest else end


def above(family: Family) -> list[Family]:
    """The smallest families that contain it, and those of which it is a part."""
    return [*family.inside, *(f for f in FAMILIES.values() if family.letter in [p.letter for p in f.parts])]


def containing(family: Family) -> dict[str, Family]:
    """The family and all that contain it, by letter."""
    return {family.letter: family} | {k: f for one in above(family) for k, f in containing(one).items()}


def largest_first() -> list[str]:
    """The letters of all families, each before those that it contains."""

    def depth(family: Family) -> int:
        return max((1 + depth(f) for f in above(family)), default=0)

    return sorted(FAMILIES, key=lambda letter: depth(FAMILIES[letter]))
