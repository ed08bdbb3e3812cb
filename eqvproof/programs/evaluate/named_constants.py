"""Numbers that are rounded named constants: r pi, r / pi, r e, r sqrt(pi), sqrt(r), r rational.

r is a simple rational. A float in a Program may be one that the user wrote, or a constant that was
rounded before the Program saw it (``torch.pi``, a table of roots). A result about a Program
with the one interpretation may fail with the other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from flint import arb, fmpq

from eqvproof.numbers import precision
from eqvproof.numbers.scalar import from_fraction, rational_bounds
from eqvproof.programs import Program
from eqvproof.support.code_line import NO_LINE, CodeLine

#: Most bits of a float, greatest relative distance to the number that it stands for, greatest
#: denominator of r: for short floats and for long ones.
_BITS = ((24, Fraction(1, 2**21), 32), (120, Fraction(1, 2**49), 720))
#: Most entries of an array of constants; larger arrays are weights.
MOST_ENTRIES = 64
#: Most bits of a number that stands for itself.
_SHORT = 20
_NAMED: tuple[Callable[[], arb], ...] = (
    arb.pi,
    lambda: 1 / arb.pi(),
    lambda: arb.pi().sqrt(),
    lambda: 1 / arb.pi().sqrt(),
    lambda: (2 * arb.pi()).sqrt(),
    lambda: 1 / (2 * arb.pi()).sqrt(),
    lambda: arb.pi() ** 2,
    lambda: arb(1).exp(),
    lambda: arb(-1).exp(),
    lambda: arb(2).log(),
    lambda: 1 / arb(2).log(),
    lambda: arb(10).log(),
    lambda: 1 / arb(10).log(),
)
NamedFactor = tuple[int | None, Fraction]
#: Factors by which this package writes integers of a width, whole numbers modulo 2^bits.
_WRAPPING = frozenset(Fraction(1, 2**bits) for bits in (31, 32, 63, 64))


def named_value(value: Fraction) -> arb | fmpq:
    """Returns the real number that a rational may stand for, or the rational itself.

    It has the precision in force.
    """
    found = _named_factor(value)
    if found is None:
        return from_fraction(value)
    which, factor = found
    if which is not None:
        return _NAMED[which]() * from_fraction(factor)
    root = arb(from_fraction(factor)).sqrt()
    if value < 0:
        return -root
    return root


def holds_named(program: Program) -> bool:
    """Checks whether a Program holds a number that may be a rounded named constant."""
    arrays = (a for a in (node.constant for node in program.nodes) if a is not None)
    return any(
        a.size <= MOST_ENTRIES
        and any(_named_factor(Fraction(v)) is not None for v in a.ravel().tolist())
        for a in arrays
    )


def computed_numbers(
    program: Program, lines: Mapping[int, CodeLine], written: Collection[Fraction | int]
) -> dict[Fraction, CodeLine]:
    """Returns the numbers of small constants that are not written in the code, with their lines.

    A line is the first one that uses the number. Python, or a library, computed them in floats,
    from named constants or from other numbers: each is the rounding of a real number that no
    Program has seen. Those with a denominator of few bits are exact.
    """
    found: dict[Fraction, CodeLine] = {}
    for k, node in enumerate(program.nodes):
        array = node.constant
        if array is None or array.size > MOST_ENTRIES:
            continue
        for value in map(Fraction, array.ravel().tolist()):
            is_own = value in _WRAPPING
            if value.denominator.bit_length() > _SHORT and abs(value) not in written and not is_own:
                users = (j for j, other in enumerate(program.nodes) if k in other.args)
                near = (lines.get(j, NO_LINE) for j in (k, *users))
                found.setdefault(value, next(filter(None, near), NO_LINE))
    return found


@functools.lru_cache(maxsize=1 << 16)
def _named_factor(value: Fraction) -> NamedFactor | None:
    """Returns (index of a named constant, its factor), (None, r) for a root of r, or None."""
    if abs(value.numerator).bit_length() <= _SHORT or not value:
        return None
    bits = (abs(value.numerator) // (value.numerator & -value.numerator)).bit_length()
    close, most = next(((c, m) for b, c, m in _BITS if bits <= b), (Fraction(0), 0))
    for which, factor in enumerate(_inverses()):
        ratio = (value * factor).limit_denominator(most)
        if ratio and abs(value * factor - ratio) <= close * abs(value * factor):
            return which, ratio
    square = (value * value).limit_denominator(most)
    is_root = square and abs(value * value - square) <= 2 * close * square
    if is_root and not _is_square(square):
        return (None, square)
    return None


def _is_square(value: Fraction) -> bool:
    return all(math.isqrt(n) ** 2 == n for n in (value.numerator, value.denominator))


@functools.cache
def _inverses() -> tuple[Fraction, ...]:
    """Returns 1 / c for each named constant, to many digits."""
    with precision(256):
        low_high = [rational_bounds(1 / make()) for make in _NAMED]
    return tuple((Fraction(low) + Fraction(high)) / 2 for low, high in low_high)
