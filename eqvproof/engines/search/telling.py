"""Violations that say more than that constants are rounded.

A target that stores tables in floats differs from the function that is meant by as much as these
are rounded, so that a claim that holds of the latter fails by a little. Where a violation is no
larger than such roundings explain, a larger one is looked for: at larger points without structure,
with elements without structure.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from eqvproof.engines.search.comparison import Hit, Looker
from eqvproof.engines.search.elements import random_moves, telling_moves
from eqvproof.engines.search.inputs import scaled
from eqvproof.engines.search.result import SMALL, middle
from eqvproof.engines.search.shrink import Allowance
from eqvproof.engines.search.sides import Trial
from eqvproof.programs import Program
from eqvproof.programs.operations import Const

#: The same as `SMALL` for constants in float32: as many units in the last place.
SMALL_SHORT = SMALL * 2.0**29
#: Odd parts of so many bits are of numbers rounded to float32, shorter ones of numbers that are
#: meant.
_SHORT = range(17, 25)
#: Of each constant so many entries are looked at.
_ENTRIES = 256
#: Points are so many times as large, one after the other.
_FACTORS = (Fraction(1), Fraction(8), Fraction(64), Fraction(512))
#: So many seconds of the processor are spent on larger points.
_SECONDS = 4.0
#: What is larger is no float32.
_GREATEST = 2**127


def explained(program: Program | None) -> float:
    """Differences below this part of the greatest entry may come from the rounding of constants."""
    for node in program.nodes if program is not None else ():
        if isinstance(node, Const):
            entries = [Fraction(v) for v in node.array().ravel()[:_ENTRIES].tolist()]
            if max((_odd_bits(v) for v in entries if v.denominator > 1), default=0) in _SHORT:
                return SMALL_SHORT
    return SMALL


def _odd_bits(value: Fraction) -> int:
    """The bits of the odd part of the numerator."""
    return (abs(value.numerator) // (value.numerator & -value.numerator or 1)).bit_length()


def larger(looker: Looker, sizes: Mapping[str, int]) -> Hit | None:
    """A violation at a larger point, of an element without structure; the looker says which ones count."""
    rng, end = looker.rng("larger", sorted(sizes.items())), Allowance(_SECONDS)
    points, group = looker.points(sizes), looker.question.group
    moves = [*telling_moves(group, sizes), *random_moves(group, sizes, rng)] or [()]
    bases = [points.generic(rng), points.fractional(rng)]
    for factor, base, move in product(_FACTORS, bases, moves):
        if end.is_used_up:
            return None
        hit = looker.hit(Trial(sizes, scaled(base, factor), move))
        if hit is not None and _is_in_range(hit):
            return hit
    return None


def _is_in_range(hit: Hit) -> bool:
    """Whether short floats hold both sides."""
    sides = (hit.comparison.left, hit.comparison.right)
    return all(abs(middle(v)) < _GREATEST for side in sides if side is not None for v in side.flat)
