"""Coefficients and indices of normal forms: ratios of sizes, and i, start + k i, (i - k) mod n.

A coefficient is a Laurent polynomial in axis names: names stand for integers >= 1, so that negative
powers are defined, and Laurent polynomials that agree at all integers >= some bounds are equal.

An index is a label together with steps that its value goes through: ("affine", start, k) sends i to
start + k i, k not 0, ("roll", size, k) sends i, which is below size, to (i - k) mod size: no two
values go to one. The label FIXED has the value 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .report import Rejected, spend
from .sizes import ZERO, Size

Powers = tuple[tuple[str, int], ...]
Laurent = tuple[tuple[Powers, Fraction], ...]
Step = tuple[str, tuple[tuple[tuple[str, ...], int], ...], int]
Steps = tuple[Step, ...]
Index = tuple[int, Steps]

NOTHING: Laurent = ()
ONCE: Laurent = (((), Fraction(1)),)
FIXED = -1
FIRST: Index = (FIXED, ())
#: Largest number of terms of a coefficient (a polynomial in sizes), and of bits of a number in it.
MOST_TERMS, MOST_BITS = 256, 8000


def coefficient_of(value: Fraction | int) -> Laurent:
    """Returns a rational as a coefficient."""
    if value:
        return (((), Fraction(value)),)
    return NOTHING


def collect(pairs: Iterable[tuple[Powers, Fraction]]) -> Laurent:
    """Returns the sum of terms as a coefficient."""
    total: dict[Powers, Fraction] = {}
    for powers, value in pairs:
        total[powers] = value = total.get(powers, Fraction(0)) + value
        bits = value.numerator.bit_length() + value.denominator.bit_length()
        spend(1 + bits // 32)
        if len(total) > MOST_TERMS or bits > MOST_BITS:
            raise Rejected("a coefficient that is too long")
    return tuple(sorted((p, v) for p, v in total.items() if v))


def multiply_coefficients(a: Laurent, b: Laurent) -> Laurent:
    """Returns a b."""
    if a == ONCE or b == ONCE:
        if a == ONCE:
            return b
        return a

    def power(p: Powers, q: Powers) -> Powers:
        total = dict(p)
        for name, e in q:
            total[name] = total.get(name, 0) + e
        return tuple(sorted((name, e) for name, e in total.items() if e))

    return collect((power(p, q), v * w) for p, v in a for q, w in b)


def inverse_of_term(a: Laurent) -> Laurent | None:
    """Returns 1 / a for an a of one term; None for others."""
    if len(a) != 1:
        return None
    ((powers, value),) = a
    return ((tuple((name, -e) for name, e in powers), 1 / value),)


def of_size(size: Size) -> Laurent:
    """Returns a size as a coefficient."""
    return collect(
        (tuple(sorted((name, names.count(name)) for name in set(names))), Fraction(c))
        for names, c in size.terms
    )


def positive(a: Laurent) -> bool:
    """Checks whether a > 0 at all sizes; False may mean unknown."""
    return bool(a) and all(value > 0 for _, value in a)


def affine(start: Size, k: int) -> Step:
    """Returns the step i -> start + k i."""
    return ("affine", start.terms, k)


def rolled(size: Size, k: int) -> Step:
    """Returns the step i -> (i - k) mod size."""
    return ("roll", size.terms, k % size.constant if size.constant else k)


def fixed_index(position: Size) -> Index:
    """Returns a fixed index."""
    if position.terms:
        return (FIXED, (affine(position, 0),))
    return FIRST


def through(index: Index, steps: Steps) -> Index:
    """Sends an index through more steps."""
    label, done = index
    for step in steps:
        spend(2)
        kind, terms, k = step
        size, fixed = Size(terms).constant, position((label, done))
        if kind == "affine" and not k:
            label, done = fixed_index(Size(terms))
        elif fixed is not None and kind == "affine":
            done = fixed_index(Size(terms) + fixed * Size.of(k))[1]
        elif fixed is not None and fixed.constant is not None and size:
            done = fixed_index(Size.of((fixed.constant - k) % size))[1]
        elif done and done[-1][0] == kind == "affine":
            _, first, before = done[-1]
            done = _plus(done[:-1], affine(Size(terms) + Size(first) * Size.of(k), before * k))
        elif done and done[-1][:2] == step[:2]:
            done = _plus(done[:-1], rolled(Size(terms), done[-1][2] + k))
        else:
            done = _plus(done, step)
    return label, done


def _plus(steps: Steps, step: Step) -> Steps:
    if step == ("affine", (), 1) or (step[0] == "roll" and step[2] == 0):
        return steps
    return (*steps, step)


def position(index: Index) -> Size | None:
    """Returns the position of a fixed index; None if it varies or is no polynomial."""
    label, steps = index
    if label != FIXED or len(steps) > 1 or (steps and steps[0][0] != "affine"):
        return None
    if steps:
        return Size(steps[0][1])
    return ZERO


def line(index: Index) -> tuple[Size, int] | None:
    """Returns (start, k) for an index start + k times its label; None for others.

    For a fixed index k is 0.
    """
    fixed = position(index)
    if fixed is not None:
        return fixed, 0
    _, steps = index
    if len(steps) > 1 or (steps and steps[0][0] != "affine"):
        return None
    if steps:
        return (Size(steps[0][1]), steps[0][2])
    return (ZERO, 1)
