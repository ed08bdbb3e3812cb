"""Groups as data: products of factors, each a family acting on every axis of one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from eqvproof.errors import GroupError
from eqvproof.signature import Term

GroupKind = Literal["perm", "orth", "sign", "shift", "rigid", "scale", "lin", "none"]


@dataclass(frozen=True, slots=True)
class Family:
    """A family of groups: its letter, what it is, how a proof treats it, and the axis that `O(3)` pins."""

    letter: str
    meaning: str
    kind: GroupKind
    default_axis: str


FAMILIES: dict[str, Family] = {
    family.letter: family
    for family in (
        Family("O", "orthogonal matrices", "orth", "d"),
        Family("SO", "rotations", "orth", "d"),
        Family("S", "permutations", "perm", "n"),
        Family("A", "even permutations", "perm", "n"),
        Family("C", "cyclic shifts", "perm", "n"),
        Family("D", "dihedral permutations", "perm", "n"),
        Family("T", "translations", "shift", "d"),
        Family("E", "rigid motions", "rigid", "d"),
        Family("SE", "proper rigid motions", "rigid", "d"),
        Family("Signs", "coordinate sign flips", "sign", "d"),
        Family("GL", "invertible matrices", "lin", "d"),
        Family("Scale", "positive multiples", "scale", "d"),
    )
}
SUPPORTED: tuple[str, ...] = tuple(f.letter for f in FAMILIES.values() if f.kind != "none")


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a group: a family, and the axis on which its elements act.

    Attributes:
        family: a key of FAMILIES.
        axis: an axis name, or an int for a literal axis (`O(3)` where the signature writes the axis 3).
    """

    family: str
    axis: str | int

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise GroupError(f"there is no family of groups {self.family!r}", expected=", ".join(FAMILIES))

    @property
    def kind(self) -> GroupKind:
        """How elements act: "perm", "orth", "sign", "shift", "rigid", "scale", "lin"."""
        return FAMILIES[self.family].kind

    def acts_on(self, term: Term) -> bool:
        """Whether the factor acts on a term of an axis: on its own axis, unless marked `!`."""
        if term.mark == "!":
            return False
        if isinstance(self.axis, int):
            return term.name is None and term.coefficient == self.axis
        return term.name == self.axis

    def translates(self, term: Term) -> bool:
        """Whether translations add to a term of an axis: to points (no mark), not to directions."""
        return self.acts_on(term) and term.mark == ""

    def is_dual(self, term: Term) -> bool:
        """Whether the factor acts on a term by the inverse transpose: GL on an axis marked `*`."""
        return self.family == "GL" and self.acts_on(term) and term.mark == "*"

    def size(self, sizes: Mapping[str, int]) -> int:
        """The size of the factor's axis, at given sizes of the names."""
        return self.axis if isinstance(self.axis, int) else sizes[self.axis]

    def to_json(self) -> dict[str, object]:
        """The JSON form used in claims."""
        return {"family": self.family, "axis": self.axis}

    def __str__(self) -> str:
        return f"{self.family}({self.axis})"


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
        """The JSON form used in claims."""
        return [f.to_json() for f in self.factors]

    def __str__(self) -> str:
        return " x ".join(str(f) for f in self.factors)


def require_supported(group: Group) -> Group:
    """The group, when every factor is of a family that proofs and counterexamples can treat.

    Raises:
        GroupError: a factor is of another family; names the families that are supported.
    """
    for factor in group.factors:
        family = FAMILIES[factor.family]
        if family.letter not in SUPPORTED:
            raise GroupError(
                f"{factor} ({family.meaning}) is read, but not supported yet",
                given=str(group),
                expected="a product of " + ", ".join(f"{s}({FAMILIES[s].default_axis})" for s in SUPPORTED),
                hint=_NEAREST[factor.family],
                code="group.unsupported",
            )
    return group


_NEAREST = {
    "D": "S(n) contains D(n), and C(n) lies in it",
    "T": "no supported group contains translations",
    "E": "O(d) is the part of E(d) that keeps the origin",
    "SE": "SO(d) is the part of SE(d) that keeps the origin",
    "Scale": "no supported group contains multiples",
}
