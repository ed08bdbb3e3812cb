"""What a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Literal

from numpy.typing import NDArray

from eqvproof.claims.groups import Element, words
from eqvproof.numbers import Real
from eqvproof.numbers.signals import Undecided

Array = NDArray[Any]
Inputs = Mapping[str, Array]
Arithmetic = Literal["rational", "ball", "float"]

#: Arithmetic -> grade of a refutation in it.
GRADES: Mapping[str, str] = {"rational": "EXACT", "ball": "ENCLOSED", "float": "OBSERVED"}


#: Below this relative size a violation may come from constants that are rounded to floats.
SMALL = 1e-12


def relative_size(left: Any, right: Any, scale: Fraction = Fraction(0)) -> float:
    """The size of a difference relative to the greater side, or a greater scale; 1 where one is no number."""
    if not (is_number(left) and is_number(right)):
        return 1.0
    a, b = middle(left), middle(right)
    greatest = max(abs(a), abs(b), scale)
    return float(abs(a - b) / greatest) if greatest else 1.0


def middle(value: Any) -> Fraction:
    """A number, or the middle of its enclosure; 0 for what is none, or is too long to be written."""
    if not is_number(value):
        return Fraction(0)
    try:
        return value.middle() if isinstance(value, Real) else Fraction(value)
    except Undecided:
        return Fraction(0)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, or an enclosure of one."""
    if isinstance(value, Real):
        return value.is_finite
    return isinstance(value, (Fraction, float)) and isfinite(value)


class Nondeterministic(Exception):
    """Two equal calls gave different answers."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A point at which the two sides of a claim differ.

    Attributes:
        sizes: the sizes of the axis names of the inputs.
        inputs: by name; object arrays of Fractions (of ints for indices, bools for masks).
        elements: one group element for each factor; none for an identity.
        left: f(g x), or the first function at x: Fractions, `Real` balls or floats; None where
            undefined.
        right: g f(x), or the second function at x.
        entry: the index of an entry in which they differ.
        arithmetic: "rational" (every entry is a rational), "ball" or "float".
        at: f(x), in the same form; for an identity the same as left.
        noise: for "float", the measured noise of the residual, else 0.
        is_recorded: whether no Program gives these values, so that a certificate holds them.
        is_long: for "ball", whether rationals were enclosed because they are too long.
    """

    sizes: Mapping[str, int]
    inputs: Inputs
    elements: tuple[Element, ...]
    left: Array
    right: Array
    entry: tuple[int, ...]
    arithmetic: Arithmetic
    at: Array
    noise: float = 0.0
    is_recorded: bool = False
    is_long: bool = False

    @property
    def grade(self) -> str:
        """EXACT, ENCLOSED or OBSERVED."""
        return GRADES[self.arithmetic]

    @property
    def is_one_sided(self) -> bool:
        """Whether the sides differ in that one of them is undefined."""
        return (self.left[self.entry] is None) != (self.right[self.entry] is None)

    @property
    def relative_size(self) -> float:
        """The size of the difference relative to the greatest entry; 1 where one side is undefined."""
        scale = max(abs(middle(v)) for side in (self.left, self.right) for v in side.flat)
        return relative_size(self.left[self.entry], self.right[self.entry], scale)

    @property
    def words(self) -> str:
        """The group element in words."""
        return ", and ".join(words(e) for e in self.elements if not e.is_identity)

    def element_data(self) -> dict[str | int, Any]:
        """By axis of the factor: a matrix of Fractions, a permutation, signs, a vector, (Q, t), or c."""
        return {e.axis: self._each(e) if e.each else e.kind.shown(e.data) for e in self.elements}

    def _each(self, element: Element) -> list[Any]:
        """The element of each entry of the axis whose entries have elements of their own."""
        still = element.kind.identity(element.size)
        entries = range(self.sizes[element.each])
        return [element.kind.shown(element.data if k == element.at else still) for k in entries]


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The outcome of a search.

    Attributes:
        found: the smallest counterexample that was found, or None.
        tried: comparisons that were really made: some entry defined on both sides, and decided.
        undefined: points at which both sides are undefined everywhere.
        undecided: points at which neither equality (up to narrow enclosures) nor a difference was
            found.
        sizes_tried: the sizes at which comparisons were made, in order.
        nondeterministic: two equal calls of the target gave different answers.
        notes: remarks for the verdict.
        is_structured: whether all structured points were tried, for which the time may be too
            short.
    """

    found: Found | None
    tried: int
    undefined: int = 0
    undecided: int = 0
    sizes_tried: tuple[dict[str, int], ...] = ()
    nondeterministic: bool = False
    notes: tuple[str, ...] = ()
    is_structured: bool = False
