"""Groups as data: products of factors, each a family acting on every axis of one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES, GENERATED
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.signature import Axis, Term
from eqvproof.support.errors import GroupError


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a group: a family, and the axis on which its elements act.

    Attributes:
        family: a key of FAMILIES.
        axis: an axis name, or an int for a literal axis (`O(3)` where the signature writes the axis
            3).
        generators: of a group that is given by them: permutations, or rows of Fractions.
        name: what such a group, or a flip of arguments, is called.
        each: an axis, with an element for each of its entries; "" for one element in all.
    """

    family: str
    axis: str | int
    generators: tuple[Any, ...] = ()
    name: str = ""
    each: str = ""

    def __post_init__(self) -> None:
        if self.family not in EVERY_FAMILY:
            raise GroupError(
                f"there is no family of groups {self.family!r}",
                expected=", ".join(FAMILIES),
                given=self.family,
                hint="look at the families under expected",
            )

    @property
    def record(self) -> Family:
        """Returns the record of the family."""
        return EVERY_FAMILY[self.family]

    @property
    def kind(self) -> Kind:
        """Returns the kind of its elements: the format of their data, and how they act."""
        return self.record.kind

    @property
    def parts(self) -> tuple[Factor, ...]:
        """Returns the factors on the same axis that generate it: T(d) and O(d) for E(d).

        Most factors have no such parts and return themselves.
        """
        if not self.record.parts:
            return (self,)
        return tuple(Factor(p.letter, self.axis, each=self.each) for p in self.record.parts)

    def acts_on(self, term: Term) -> bool:
        """Checks whether the factor acts on a term: on its own axis, unless marked `!`."""
        if term.mark == "!":
            return False
        if term.irrep:
            is_still = term.irrep == "0e" or (term.irrep == "0o" and self.record.special)
            return self.record.irreps and not is_still
        if isinstance(self.axis, int):
            return term.name is None and term.coefficient == self.axis * self.record.reals
        return term.name == self.axis

    def translates(self, term: Term) -> bool:
        """Checks whether translations add to a term of an axis: to points, not directions."""
        return self.acts_on(term) and term.mark == ""

    def place_of_each(self, axes: Sequence[Axis]) -> int | None:
        """Returns the position of the axis `each` in a value, or None if the value has none.

        Each entry of that axis has an element of its own.
        """
        return next((k for k, axis in enumerate(axes) if axis.single == self.each), None)

    def is_dual(self, term: Term) -> bool:
        """Checks whether the factor acts on a term by the inverse transpose.

        Groups of matrices do so on an axis marked `*`.
        """
        return self.kind.has_dual and self.acts_on(term) and term.mark == "*"

    def power(self, axes: Sequence[Axis]) -> int:
        """Returns the exponent k with which a scaling by c multiplies a value by c^k.

        Every axis acted on counts 1, a dual one -1.
        """
        terms = [t for axis in axes for t in axis.terms if self.acts_on(t)]
        return len(terms) - 2 * sum(t.mark == "*" for t in terms)

    def divided(self, axes: Sequence[Axis]) -> Axis | None:
        """Returns the first axis that is a sum with a term acted on, or None."""
        return next((x for x in axes if len(x.terms) > 1 and any(map(self.acts_on, x.terms))), None)

    def size(self, sizes: Mapping[str, int]) -> int:
        """Returns the size of the factor's matrices at given sizes of the axis names.

        It is the size of the axis, twice that where entries have two real coordinates.
        """
        if isinstance(self.axis, int):
            return self.axis * self.record.reals
        return sizes[self.axis] * self.record.reals

    def to_json(self) -> dict[str, object]:
        """Returns the JSON form used in claims."""
        found: dict[str, object] = {"family": self.family, "axis": self.axis}
        if self.generators:
            found["generators"] = [list(map(_row_to_json, g)) for g in self.generators]
        if self.each:
            found["each"] = self.each
        return found

    def __str__(self) -> str:
        written = self.record.written(self.axis)
        if self.name:
            written = self.name
        if self.family in GENERATED:
            written = f"{self.name or 'G'}({self.axis})"
        if self.each:
            written += f" each {self.each}"
        return written


def _row_to_json(row: Any) -> object:
    """Writes a row of a matrix, or an entry of a permutation, as JSON."""
    if isinstance(row, tuple):
        return [str(v) for v in row]
    return row


@dataclass(frozen=True, slots=True)
class Group:
    """A product of factors on different axes.

    Attributes:
        factors: the factors, in the order written; no two on the same axis.
        pins: sizes fixed by the way the group is written: `O(3)` on the axis d pins d = 3.
    """

    factors: tuple[Factor, ...]
    pins: Mapping[str, int] = field(default_factory=dict, hash=False)

    def to_json(self) -> list[dict[str, object]]:
        """Returns the JSON form used in claims."""
        return [f.to_json() for f in self.factors]

    def __str__(self) -> str:
        return " x ".join(str(f) for f in self.factors)
