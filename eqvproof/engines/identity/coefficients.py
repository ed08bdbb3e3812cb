"""Coefficients: Laurent polynomials in axis names with rational coefficients.

Axis names stand for integers from 1 up, so that negative powers are defined, and two coefficients are equal
at all sizes exactly when they are equal as Laurent polynomials. A coefficient is a tuple of pairs (powers,
rational), sorted, without zeros; powers are a sorted tuple of pairs (name, exponent), without zero exponents.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from eqvproof.program import Size

Powers = tuple[tuple[str, int], ...]
Coefficient = tuple[tuple[Powers, Fraction], ...]

ZERO: Coefficient = ()
ONE: Coefficient = (((), Fraction(1)),)


def rational(value: Fraction | int) -> Coefficient:
    """A rational as a coefficient."""
    return (((), Fraction(value)),) if value else ZERO


def _collect(pairs: Iterable[tuple[Powers, Fraction]]) -> Coefficient:
    total: dict[Powers, Fraction] = {}
    for powers, value in pairs:
        total[powers] = total.get(powers, Fraction(0)) + value
    return tuple(sorted((p, v) for p, v in total.items() if v))


def plus(a: Coefficient, b: Coefficient) -> Coefficient:
    """a + b."""
    return _collect((*a, *b))


def _times(a: Powers, b: Powers) -> Powers:
    total = dict(a)
    for name, exponent in b:
        total[name] = total.get(name, 0) + exponent
    return tuple(sorted((n, e) for n, e in total.items() if e))


def times(a: Coefficient, b: Coefficient) -> Coefficient:
    """a b."""
    if a == ONE:
        return b
    if b == ONE:
        return a
    return _collect((_times(p, q), v * w) for p, v in a for q, w in b)


def negative(a: Coefficient) -> Coefficient:
    """-a."""
    return tuple((p, -v) for p, v in a)


def inverse(a: Coefficient) -> Coefficient | None:
    """1 / a where a has one term, else None (1 / a may then be undefined, or no Laurent polynomial)."""
    if len(a) != 1:
        return None
    powers, value = a[0]
    return ((tuple((n, -e) for n, e in powers), 1 / value),)


def of_size(size: Size) -> Coefficient:
    """A size as a coefficient."""
    return _collect(
        (tuple(sorted((n, names.count(n)) for n in set(names))), Fraction(c)) for names, c in size.terms
    )


def is_positive(a: Coefficient) -> bool:
    """Whether a > 0 at all sizes from 1 up; False may mean unknown."""
    return bool(a) and all(v > 0 for _, v in a)


def to_text(a: Coefficient) -> str:
    """The coefficient as text."""
    parts = []
    for powers, value in a:
        names = [n if e == 1 else f"{n}^{e}" for n, e in powers]
        parts.append(" ".join([*([] if value == 1 and names else [str(value)]), *names]))
    return parts[0] if len(parts) == 1 else "(" + " + ".join(parts) + ")" if parts else "0"
