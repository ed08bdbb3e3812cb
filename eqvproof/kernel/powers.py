"""Compares and adds exponents p of characters chi: v(g x) = chi(g)^p A(g) v(x).

chi(g) is the determinant of the standard matrix of g: 1 or -1 for permutations, orthogonal matrices
and signs, so that p counts modulo 2; any number but 0 for invertible matrices, p an integer. For
positive multiples chi(c) is c, and p a ratio of sizes. The zero tensor has every power.
"""

from __future__ import annotations

from collections.abc import Sequence

from .sizes import ONE, ZERO, Size

Ratio = tuple[Size, Size]
ANY = "zero"
Power = Ratio | str
NONE: Ratio = (ZERO, ONE)
UNIT: Ratio = (ONE, ONE)


def multiply_ratios(*ratios: Ratio) -> Ratio:
    """Returns the product of ratios, with the denominator 1 where that divides."""
    num, den = UNIT
    for above, below in ratios:
        num, den = num * above, den * below
    quotient = num.divide(den)
    if quotient is None:
        return (num, den)
    return (quotient, ONE)


def add_ratios(*ratios: Ratio) -> Ratio:
    """Returns the sum of ratios."""
    num, den = NONE
    for above, below in ratios:
        num, den = num * below + above * den, den * below
    return multiply_ratios((num, den))


def equal_ratios(a: Ratio, b: Ratio) -> bool:
    """Checks whether two ratios are equal at all sizes."""
    return a[0] * b[1] == b[0] * a[1]


def is_odd(size: Size) -> bool | None:
    """Checks whether a size is odd at all values of its names.

    Returns False if it is even at all of them, and None where neither is found.
    """
    count: dict[frozenset[str], int] = {}
    for names, coefficient in size.terms:
        key = frozenset(names)
        count[key] = (count.get(key, 0) + coefficient) % 2
    if any(names for names, c in count.items() if c):
        return None
    return count.get(frozenset(), 0) == 1


def agree(a: Power, b: Power, kind: str) -> bool:
    """Checks whether the character of a group of that kind has both as one power."""
    if isinstance(a, str) or isinstance(b, str):
        return True
    if kind in ("lin", "scale"):
        return equal_ratios(a, b)
    return a[1] == b[1] == ONE and is_odd(a[0] - b[0]) is False


def common(powers: Sequence[Power], kind: str) -> Power | None:
    """Returns the power that all of these agree on; None where they differ."""
    found = next((p for p in powers if p != ANY), ANY)
    if all(agree(p, found, kind) for p in powers):
        return found
    return None


def summed(powers: Sequence[Power]) -> Power:
    """Returns the power of a product of values."""
    known = [p for p in powers if not isinstance(p, str)]
    if len(known) < len(powers):
        return ANY
    return add_ratios(*known)


def scale_power(power: Power, ratio: Ratio) -> Power:
    """Returns the power of v^ratio."""
    if isinstance(power, str):
        return power
    return multiply_ratios(power, ratio)


def count(power: Power, number: Size) -> Power:
    """Returns the power of a product of `number` entries.

    The product of no zeros is 1, so zeros, which have every power, count as power 0.
    """
    if isinstance(power, str):
        return NONE
    return multiply_ratios(power, (number, ONE))
