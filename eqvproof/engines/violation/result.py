"""The greatest violation of a claim as data, and in words."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from eqvproof.engines.verdict import Verdict
from eqvproof.engines.verdict.numbers import short_number


class NoBound(Enum):
    """The reasons why there is no upper bound; each value is the reason in words."""

    UNTRACED = "the function is known by calls alone"
    UNBOUNDED_GROUP = "the group has elements of every size, or others than rotations and moves"
    MANY_ELEMENTS = "the group has too many elements to try all"
    DISCRETE = "positions and masks among the arguments are not enclosed"
    NOT_A_POLYNOMIAL = "for rotations, upper bounds exist only for polynomials in the inputs"
    VANISHES = "the result may be 0 in the box, where no part of it is small"
    WIDE = "interval arithmetic gives nothing of use over this box"
    TIME = "the time ran out"


@dataclass(frozen=True, slots=True, eq=False)
class Violation:
    """The greatest violation found, enclosed, with an upper bound where there is one.

    Attributes:
        measured: the violation at the point, in float64; NaN if no point could be compared.
        enclosure: rationals between which the violation at the point lies; None if the function is
            known by calls alone, so that only floats were compared.
        upper: at least the violation at every point of the box, for every element of the group;
            None if no bound is known.
        why: the reason why there is no upper bound; None if there is one.
        point: the inputs, by name; arrays of Fractions.
        element: the group element, as in counterexamples.
        words: the element in words.
        sizes: the sizes of the axes.
        is_relative: whether violations are relative to the size of the result.
        verdict: the verdict that the point gives (FAILS), or the proof (HOLDS, PROVED), if any.
        certificate: that the violation is at least `lower`, if the kernel sees it; else that of the
            verdict, if any.
        tried: the number of points that were compared in floats.
        signature: the typing of the claim.
        under: the group.
    """

    measured: float
    enclosure: tuple[Fraction, Fraction] | None
    upper: float | None
    why: NoBound | None
    point: Mapping[str, Any]
    element: Mapping[str | int, Any]
    words: str
    sizes: Mapping[str, int]
    is_relative: bool
    verdict: Verdict | None
    certificate: dict[str, Any] | None
    tried: int
    signature: str
    under: str

    @property
    def lower(self) -> float | None:
        """At most the greatest violation: the lower end of the enclosure, rounded down.

        It is None if only floats were compared.
        """
        if self.enclosure is None:
            return None
        return round_down(self.enclosure[0])

    def __str__(self) -> str:
        """Returns the violation in words."""
        kind = "relative violation" if self.is_relative else "violation"
        where = ", ".join(f"{name} = {size}" for name, size in self.sizes.items())
        about = f"{self.signature} under {self.under}" + f", at {where}" * bool(where)
        if math.isnan(self.measured):
            lines = [f"no point could be compared: {about}"]
        elif self.lower is None:
            lines = [f"{kind} of {self.measured:.3g} measured in floats: {about}"]
        elif self.lower or self.upper is None:
            lines = [f"{kind} of at least {self.lower:.6g}: {about}"]
        else:
            lines = [f"no {kind} was found: {about}"]
        if self.words:
            words = re.sub(r"-?\d+/\d+", lambda found: short_number(Fraction(found[0])), self.words)
            lines.append(f"  there g is: {words}")
        if self.upper is not None:
            lines.append(f"  at most {self.upper:.6g} in the box, for every element of the group")
        elif self.why is not None:
            lines.append(f"  no upper bound: {self.why.value}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def round_down(value: Fraction) -> float:
    """Returns the greatest float that is not above a number."""
    found = float(value)
    if Fraction(found) > value:
        return math.nextafter(found, -math.inf)
    return found


def round_up(value: Fraction) -> float:
    """Returns the least float that is not below a number."""
    return -round_down(-value)


def root_above(value: Fraction) -> Fraction:
    """Returns a rational that is not below the square root of a number."""
    scale = 1 << 128
    return Fraction(math.isqrt(-(-value.numerator * scale // value.denominator)) + 1, 1 << 64)


def root_below(value: Fraction) -> Fraction:
    """Returns a rational that is not above the square root of a number, and not below 0."""
    scale = 1 << 128
    return Fraction(math.isqrt(value.numerator * scale // value.denominator), 1 << 64)
