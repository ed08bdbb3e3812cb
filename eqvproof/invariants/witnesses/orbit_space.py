"""The vector space of a classical group, with the form and complex structure it preserves."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq_mat

from eqvproof.claims.groups.families import EVERY_FAMILY, letters
from eqvproof.claims.groups.family import Family, LieFamily
from eqvproof.claims.groups.model import Factor, Group
from eqvproof.claims.groups.parse import Under, complex_axes, parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.invariants.witnesses.rational import (
    concatenate,
    identity_matrix,
    pivots,
    select_columns,
)
from eqvproof.support.errors import GroupError, ShapeError


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one size, with the form and the complex structure that a group preserves.

    Attributes:
        family: the classical group.
        size: the number of real coordinates of the vectors.
        form: B; None for GL and SL.
        skew: whether B is skew.
        turn: the matrix of the multiplication by i; None for real vectors.
    """

    family: Family
    size: int
    form: fmpq_mat | None
    skew: bool
    turn: fmpq_mat | None

    @property
    def is_oriented(self) -> bool:
        """True if the determinant is an invariant of this group but not of a larger group.

        The larger group preserves everything else.
        """
        return self.family.special and not self.skew and bool(self.family.inside)

    def block(self, x: fmpq_mat) -> fmpq_mat:
        """Returns the columns of x, then those of i x."""
        if self.turn is None:
            return x
        return concatenate(x, self.turn * x)

    def inner(self, x: fmpq_mat, y: fmpq_mat) -> fmpq_mat:
        """Computes x^T B y."""
        if self.form is None:
            return x.transpose() * y
        return x.transpose() * self.form * y

    def gram(self, x: fmpq_mat) -> fmpq_mat:
        """Computes the inner products of all columns of `block`."""
        return self.inner(self.block(x), self.block(x))

    def pivots(self, x: fmpq_mat) -> list[int]:
        """Returns the first columns that span all, over the complex numbers if these act."""
        n = x.ncols()
        wide = self.block(x)
        order = [j + k for j in range(n) for k in range(0, wide.ncols(), max(n, 1))]
        found = (order[j] for j in pivots(select_columns(wide, order)))
        return [j for j in found if j < n]


def is_classical(family: Family) -> bool:
    """Checks whether a family is a classical group of matrices, with all of them as elements."""
    return isinstance(family, LieFamily) and family.is_complex == (family.reals > 1)


def require_classical(group: Group, under: Under) -> Factor:
    """Returns the single factor of a group, if it is a classical group.

    Raises:
        GroupError: it is not.
    """
    (factor, *rest) = group.factors
    if rest or factor.generators or not is_classical(factor.record):
        raise GroupError(
            "the group is not one classical group on one axis",
            given=str(under),
            expected=letters(is_classical) + ", O(p,q) or SO(p,q)",
            hint="for permutations use permutation_witness or reynolds",
            code="group.classical",
        )
    return factor


def space_of(under: Under, size: int) -> tuple[Space, str | int]:
    """Parses a classical group at a size; returns its space of real vectors and the axis label.

    Raises:
        GroupError: not one classical group, or one that has no form at this size.
    """
    twice, axis = "", "d"
    for name in complex_axes(under):
        twice, axis = "2", str(name)
    group = parse_group(under, parse_signature(f"X: {twice}{axis} n -> ()"))
    factor = require_classical(group, under)
    pinned = group.pins.get(str(factor.axis))
    if pinned not in (None, size // factor.record.reals):
        raise ShapeError(
            f"{under} acts on vectors of {pinned} coordinates",
            given=f"{size // factor.record.reals} rows",
            expected=f"shape ({pinned}, n)",
            hint="one column for each vector",
        )
    return space(factor.family, size), factor.axis


def space(name: str, size: int) -> Space:
    """Returns the space of real vectors of a given size on which a family acts."""
    family = EVERY_FAMILY[name]
    rows = family.form(size)
    if rows is not None and not size:
        rows = []
    if family.keeps_form and rows is None:
        raise GroupError(
            f"{name} has no form at the size {size}",
            given=f"vectors of {size} coordinates",
            expected="an even number of them" if not family.size else f"{family.size} of them",
            hint="check the shape: one column for each vector",
            code="group.form",
        )
    turn = None
    if family.is_complex and rows is not None:
        turn, rows = -fmpq_mat(size, size, [e for row in rows for e in row]), None
    orthogonal = family.kind.rotates or turn is not None
    form = None
    if orthogonal:
        form = identity_matrix(size)
    if rows is not None:
        form = fmpq_mat(size, size, [e for row in rows for e in row])
    skew = rows is not None and size > 0 and rows[0][0] == 0
    return Space(family, size, form, skew, turn)
