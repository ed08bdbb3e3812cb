"""A family of groups: one record that holds all that depends on the family."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.groups.forms import Form
from eqvproof.claims.groups.kinds import Kind, KindName
from eqvproof.claims.groups.matrices import Matrix


@dataclass(frozen=True, slots=True)
class Family:
    """A family of groups, one for each size of an axis.

    Attributes:
        letter: its name, as in "O(d)".
        names: other names in use, which errors answer with the letter.
        meaning: a noun phrase for its elements, as in "orthogonal matrices".
        element: a noun phrase for one of them.
        symbol: the letter that formulas use for one.
        elements: the kind of its elements: the format of their data, and how they act.
        default_axis: the axis that ``O(3)`` pins where no axis is written 3.
        why_not: says why data of that kind, of the right type and size, are no element; empty if
            they are one.
        simple: the elements that a reader checks by hand, simplest first.
        telling: an element that shows more than the simplest do; None at sizes without one.
        sample: draws a random element, exact.
        generators: finitely many elements that generate it, if it is finite.
        order: the number of its elements, if it is finite.
        members: all of its elements, if it is finite.
        trivial_below: below this size it is the identity alone.
        parts: families on the same axis that generate it together; if any, it is proved by these.
        lie: matrices of its Lie algebra whose brackets span it. Groups of matrices with more than
            one component also have one element of each other component under `components`.
        components: see `lie`.
        form: for families of all g with ``g^T B g = B`` (and of determinant 1, if `special`): B at
            a size, symmetric or skew; None at sizes without one, where the identity alone is an
            element.
        reals: the number of real coordinates of an entry of its axis: 2 for complex entries, whose
            elements are real matrices on all real parts along the axis, then all imaginary parts; 2
            for Sp(2d).
        size: the one size at which it is a group of interest; 0 if it is one at all sizes.
        mirrors: products of this many reflections generate it, at sizes from 2 up; 0 if none do.
        special: whether all elements (of motions: their linear parts) have determinant 1.
        shifts: whether all elements are cyclic shifts.
        irreps: whether it acts on R^3 by all rotations, for which irreps are written.
        inside: the smallest families that contain it.
        rocq: the family of `rocq/Checker.v` that holds its elements, by whose rules Rocq proves; ""
            if none.
    """

    letter: str
    meaning: str
    element: str
    symbol: str
    elements: Kind
    default_axis: str
    why_not: Callable[[Any, int], str]
    simple: Callable[[int], Iterator[Any]]
    sample: Callable[[int, random.Random], Any]
    names: tuple[str, ...] = ()
    telling: Callable[[int], Any] = lambda size: None
    generators: Callable[[int], list[Any]] | None = None
    order: Callable[[int], int] | None = None
    members: Callable[[int], Iterator[Any]] | None = None
    trivial_below: int = 1
    parts: tuple[Family, ...] = ()
    lie: Callable[[int], list[list[list[int]]]] | None = None
    components: Callable[[int], list[Matrix]] | None = None
    form: Form | None = None
    reals: int = 1
    size: int = 0
    mirrors: int = 0
    special: bool = False
    shifts: bool = False
    irreps: bool = False
    inside: tuple[Family, ...] = ()
    rocq: str = ""

    @property
    def kind(self) -> KindName:
        """Returns the name of the kind of its elements."""
        return self.elements.name

    @property
    def is_complex(self) -> bool:
        """Returns True if it acts on complex arrays."""
        return self.reals > 1 and self.kind == "orth"

    def written(self, axis: str | int) -> str:
        """Returns the text that names it on an axis in a claim."""
        if self.size:
            return f"{self.letter[:-1]}; {axis})"
        if not self.letter.endswith("2"):
            return f"{self.letter}({axis})"
        return f"{self.letter[:-1]}(2{axis})"
