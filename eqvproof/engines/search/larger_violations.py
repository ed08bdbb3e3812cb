"""Searches for a violation that is too large to come from the rounding of constants.

A function that stores tables in floats differs from the intended function by the rounding of these,
so that a claim that holds for the latter fails by a small amount. If a violation is no larger than
such roundings explain, a larger one is searched: at larger points without structure, with elements
without structure.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from eqvproof.engines.search.comparer import Comparer, Violation
from eqvproof.engines.search.elements import random_moves, revealing_moves
from eqvproof.engines.search.inputs import scaled_point
from eqvproof.engines.search.result import SMALL
from eqvproof.engines.search.shrink import TimeBudget
from eqvproof.engines.search.sides import Trial
from eqvproof.engines.search.violation_size import middle
from eqvproof.programs import Program
from eqvproof.programs.operations import Const

#: `SMALL` for constants in float32: the same number of units in the last place.
SMALL_SHORT = SMALL * 2.0**29
#: Bits of the odd part of numbers rounded to float32; intended numbers have shorter odd parts.
_SHORT = range(17, 25)
#: Largest number of entries of a constant that are inspected.
_ENTRIES = 256
#: Factors by which points are enlarged, one after the other.
_FACTORS = (Fraction(1), Fraction(8), Fraction(64), Fraction(512))
#: Seconds of processor time for larger points.
_SECONDS = 4.0
#: Bound of the numbers that fit into float32.
_GREATEST = 2**127


def size_explained_by_rounding(program: Program | None) -> float:
    """Returns the part of the largest entry up to which rounded constants explain differences."""
    if program is None:
        return SMALL
    for node in program.nodes:
        if isinstance(node, Const):
            entries = [Fraction(v) for v in node.array().ravel()[:_ENTRIES].tolist()]
            if max((_odd_bits(v) for v in entries if v.denominator > 1), default=0) in _SHORT:
                return SMALL_SHORT
    return SMALL


def _odd_bits(value: Fraction) -> int:
    """Returns the number of bits of the odd part of the numerator."""
    return (abs(value.numerator) // (value.numerator & -value.numerator or 1)).bit_length()


def find_larger_violation(comparer: Comparer, sizes: Mapping[str, int]) -> Violation | None:
    """Returns a violation at a larger point, for an element without structure; None if not found.

    The comparer decides which violations count.
    """
    rng, end = comparer.rng("larger", sorted(sizes.items())), TimeBudget(_SECONDS)
    points, group = comparer.points(sizes), comparer.claim_sides.group
    moves = [*revealing_moves(group, sizes), *random_moves(group, sizes, rng)] or [()]
    bases = [points.generic(rng), points.fractional(rng)]
    for factor, base, move in product(_FACTORS, bases, moves):
        if end.is_used_up:
            return None
        violation = comparer.violation_at(Trial(sizes, scaled_point(base, factor), move))
        if violation is not None and _is_in_range(violation):
            return violation
    return None


def _is_in_range(violation: Violation) -> bool:
    """Checks whether short floats can hold both sides."""
    sides = (violation.comparison.left, violation.comparison.right)
    return all(abs(middle(v)) < _GREATEST for side in sides if side is not None for v in side.flat)
