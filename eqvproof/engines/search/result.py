"""The result of a search as data: the counterexample and its grade, counts, and doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from eqvproof.claims.groups import Element

Array = np.ndarray[Any, np.dtype[Any]]
Inputs = Mapping[str, Array]
Arithmetic = Literal["rational", "ball", "float"]

#: Largest number of comparisons of a search.
MAX_POINTS = 6000
#: Grade of a refutation, by its arithmetic.
GRADES: Mapping[str, str] = {"rational": "EXACT", "ball": "ENCLOSED", "float": "OBSERVED"}


#: Relative size below which a violation may come from constants that are rounded to floats.
SMALL = 1e-12


class Doubt(Enum):
    """The kinds of reasons why equal results, or a difference, show nothing; strongest first."""

    #: A difference depends on whether a number in the code is a named constant.
    NAMED_CONSTANT = auto()
    #: A difference depends on the rounding of a number that was computed before the trace.
    COMPUTED_NUMBER = auto()
    #: Calls at a counterexample give other values than the Programs.
    OTHER_VALUES = auto()
    #: One side is a finite number and the other is not, perhaps by overflow.
    ONE_SIDED = auto()
    #: The time ran out before a difference was confirmed.
    UNCONFIRMED = auto()


class Nondeterministic(Exception):
    """Raised if two equal calls return different results."""


def only_floats(reason: str) -> str:
    """Returns the remark that a function was run on floats only, for a reason."""
    return f"run on floats only: {reason}"


@dataclass(frozen=True, slots=True, eq=False)
class FoundCounterexample:
    """A point at which the two sides of a claim differ.

    Attributes:
        sizes: the sizes of the axis names of the inputs.
        inputs: by name; object arrays of Fractions (of ints for indices, bools for masks).
        elements: one group element for each factor; none for an identity.
        left: f(g x), or the first function at x: Fractions, `Real` balls or floats; None where
            undefined.
        right: g f(x), or the second function at x.
        entry: the index of an entry that differs.
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
        """Returns EXACT, ENCLOSED or OBSERVED."""
        return GRADES[self.arithmetic]

    @property
    def is_one_sided(self) -> bool:
        """Checks whether the entry is undefined on just one side."""
        return (self.left[self.entry] is None) != (self.right[self.entry] is None)

    @property
    def relative_size(self) -> float:
        """Returns the size of the difference relative to the largest entry; 1 if one-sided."""
        from eqvproof.engines.search.violation_size import middle, relative_size

        scale = max(abs(middle(v)) for side in (self.left, self.right) for v in side.flat)
        return relative_size(self.left[self.entry], self.right[self.entry], scale)

    @property
    def words(self) -> str:
        """Describes the group element in words."""
        return ", and ".join(e.describe() for e in self.elements if not e.is_identity)

    def element_data(self) -> dict[str | int, Any]:
        """Returns the data of the elements by the axis of their factors.

        They are a matrix of Fractions, a permutation, signs, a vector, (Q, t), or c.
        """
        return {e.axis: self._each(e) if e.each else e.kind.shown(e.data) for e in self.elements}

    def _each(self, element: Element) -> list[Any]:
        """Returns the element at each entry of the axis of entries with elements of their own."""
        still = element.kind.identity(element.size)
        entries = range(self.sizes[element.each])
        return [element.kind.shown(element.data if k == element.at else still) for k in entries]


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The result of a search.

    Attributes:
        found: the smallest counterexample found, or None.
        tried: the number of completed comparisons: some entry defined on both sides, and decided.
        undefined: the number of points at which both sides are undefined everywhere.
        undecided: the number of points at which neither equality (up to narrow enclosures) nor a
            difference was found.
        sizes_tried: the sizes at which comparisons were made, in order.
        nondeterministic: whether two equal calls returned different results.
        notes: remarks for the verdict.
        doubts: the notes that leave the claim undecided if there is no counterexample.
        is_structured: whether the time was enough to try all structured points.
    """

    found: FoundCounterexample | None
    tried: int
    undefined: int = 0
    undecided: int = 0
    sizes_tried: tuple[dict[str, int], ...] = ()
    nondeterministic: bool = False
    notes: tuple[str, ...] = ()
    doubts: Mapping[Doubt, str] = field(default_factory=dict)
    is_structured: bool = False
