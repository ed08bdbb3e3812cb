"""The types that a claim gives to arguments and results, in the language of the checker.

A factor of the group acts along an axis of a value by one matrix for each part of it: nothing, its
own matrix once for each copy, the dual of that, or a matrix of a representation. Under multiples of
all entries, a value has a power and nothing acts along its axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import claims
from .checker import DUAL, FIX, STD, Det, Irr, Kind, Part, RType, merged, times_det
from .checker import Axis as Parts
from .claims import Axis, Factor, Term
from .loading import part
from .report import spend
from .sizes import Size

#: The families of the checker by the kind of elements: all, and those of determinant 1.
_FAMILIES = {
    "perm": ("S", "A"), "orth": ("O", "SO"), "lin": ("GL", "SL"), "sign": ("Signs", "Signs"),
    "scale": ("Scale", "Scale"),
}  # fmt: skip


def checked_family(factor: Factor) -> str:
    """Returns the family of the checker that holds all elements of a factor."""
    if factor.about.cyclic:
        return "C"
    special = factor.about.special
    if factor.generators:
        special = part("membership").has_determinants_one(factor)
    return _FAMILIES[factor.kind][special]


def claimed_type(
    factor: Factor, axes: Sequence[Axis], size: Size, bound: Mapping[str, Size]
) -> RType:
    """Returns the claimed type of a value.

    Args:
        factor: the factor of the group.
        axes: the axes of the value.
        size: the size of the factor's matrices.
        bound: the sizes of the names of axes.
    """
    if factor.kind == "scale":
        return ((),) * len(axes), claims.degree(axes, factor)
    return normalised([_parts(factor, axis, size, bound) for axis in axes])


def given_type(
    factor: Factor, axes: Sequence[Axis], size: Size, bound: Mapping[str, Size], indexed: str | None
) -> RType:
    """Returns the claimed type of an argument; indices stand for the indicators of their labels."""
    found, power = claimed_type(factor, axes, size, bound)
    if indexed is None:
        return found, power
    if indexed == factor.axis and factor.kind == "perm":
        return (*found, ((STD, size),)), power
    return (*found, ()), power


def normalised(axes: Sequence[Parts]) -> RType:
    """Writes a type so that no axis begins with a part that the determinant multiplies.

    Such an axis is one without the determinant, times the determinant, whose power is that of the
    value; its square is 1.
    """
    found, power = list[Parts](), 0
    for axis in axes:
        if axis and isinstance(axis[0][0], Det):
            axis = merged(tuple((times_det(kind), size) for kind, size in axis))
            power += 1
        if all(kind == FIX for kind, _ in axis):
            axis = ()
        found.append(axis)
    return tuple(found), power % 2


def _parts(factor: Factor, axis: Axis, size: Size, bound: Mapping[str, Size]) -> Parts:
    """Returns the parts of an axis of a value."""
    found = list[Part]()
    for term in axis:
        if term.irrep and factor.about.irreps:
            found += _parts_of_irrep(term, special=factor.about.special)
        elif factor.acts_on(term):
            kind = DUAL if factor.is_dual(term) else STD
            copies = 1 if term.name is None else term.coefficient // factor.about.reals
            spend(copies)
            found += [(kind, size)] * copies
        else:
            found.append((FIX, claims.axis_size((term,), bound)))
    return merged(tuple(found))


def _parts_of_irrep(term: Term, *, special: bool) -> list[Part]:
    """Returns the parts of a term that carries copies of an irrep of O(3).

    The irrep of degree l and parity (-1)^l is a representation of its own; of degree 0 it is the
    identity, of degree 1 the group's own matrix. The other irrep of that degree is this times the
    determinant, which is 1 for rotations.
    """
    degree = int(term.irrep[:-1])
    kind: Kind = {0: FIX, 1: STD}.get(degree, Irr(degree))
    if not special and (term.irrep[-1] == "o") != bool(degree % 2):
        kind = times_det(kind)
    if degree == 0:
        return [(kind, Size.of(term.coefficient))]
    own = 2 * degree + 1
    spend(term.coefficient // own)
    return [(kind, Size.of(own))] * (term.coefficient // own)
