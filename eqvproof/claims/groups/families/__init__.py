"""The families of groups: the registry, an explicit tuple."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.claims.groups.families.affine import SE, E, T
from eqvproof.claims.groups.families.cycles import C, D
from eqvproof.claims.groups.families.generated import GenGL, GenO, GenS
from eqvproof.claims.groups.families.indefinite import Lorentz, indefinite
from eqvproof.claims.groups.families.linear import GL, SL
from eqvproof.claims.groups.families.multiples import Scale
from eqvproof.claims.groups.families.orthogonal import SO, O
from eqvproof.claims.groups.families.permutations import A, S
from eqvproof.claims.groups.families.signed import B
from eqvproof.claims.groups.families.signs import Signs
from eqvproof.claims.groups.families.symplectic import Sp, Sp2
from eqvproof.claims.groups.families.unitary import SU, U
from eqvproof.claims.groups.family import Family
from eqvproof.support.errors import GroupError

#: The families that a text such as "O(d)" names, by letter.
FAMILIES: dict[str, Family] = {
    f.letter: f for f in (O, SO, S, A, C, D, T, E, SE, Signs, B, GL, SL, Lorentz, Sp, U, SU, Scale)
}
#: The families of groups that are given by generators.
GENERATED: dict[str, Family] = {f.letter: f for f in (GenS, GenO, GenGL)}


class _Registry(dict[str, Family]):
    """The families given, and on demand those whose names hold numbers, such as "O(1,3)"."""

    def __contains__(self, letter: object) -> bool:
        return super().__contains__(letter) or (
            isinstance(letter, str) and indefinite(letter) is not None
        )

    def __missing__(self, letter: str) -> Family:
        found = indefinite(letter)
        if found is None:
            raise KeyError(letter)
        return found


EVERY_FAMILY: dict[str, Family] = _Registry({**FAMILIES, **GENERATED, Sp2.letter: Sp2})


def family_named(letter: str) -> Family | None:
    """Returns the family of a name, or None."""
    if letter in EVERY_FAMILY:
        return EVERY_FAMILY[letter]
    return None


def letters(chosen: Callable[[Family], object], last: str = "or") -> str:
    """Lists the letters of the chosen families in words: "O, SO or E"."""
    *rest, end = [letter for letter, family in FAMILIES.items() if chosen(family)]
    if rest:
        return f"{', '.join(rest)} {last} {end}"
    return end


def above(family: Family) -> list[Family]:
    """Returns the smallest families that contain the family, and those of which it is a part."""
    return [
        *family.inside,
        *(f for f in FAMILIES.values() if family.letter in [p.letter for p in f.parts]),
    ]


def containing(family: Family) -> dict[str, Family]:
    """Returns the family and all that contain it, by letter."""
    return {family.letter: family} | {
        k: f for one in above(family) for k, f in containing(one).items()
    }


def largest_first() -> list[str]:
    """Returns the letters of all families, each before those that it contains."""

    def depth(family: Family) -> int:
        return max((1 + depth(f) for f in above(family)), default=0)

    return sorted(FAMILIES, key=lambda letter: depth(FAMILIES[letter]))


def form(family: str, size: Any) -> Any:
    """Returns the matrix B of the form that a group keeps, ``g^T B g = B``.

    A user's function calls it, for example as ``form("O(1,3)", 4)``. The size is an int; while a
    function is traced for all sizes, it is that of an axis, such as ``x.shape[-1]``.

    Raises:
        GroupError: there is no such family, it keeps no form, or not at this size.
    """
    record = family_named(family)
    if record is None or not record.keeps_form:
        raise _no_form(family, size)
    found: Any = None
    if type(size) is int and size > 0:
        found = record.form(size)
    elif not record.size and hasattr(size, "form"):  # while a target is traced
        found = size.form(signs=record.form(2) == [[1, 0], [0, -1]])
    if found is None:
        raise _no_form(family, size)
    if type(found) is list:
        return np.array(found)
    return found


def _no_form(family: str, size: Any) -> GroupError:
    hint = "for example ep.groups.form('O(1,3)', 4), the matrix diag(1, -1, -1, -1)"
    record = family_named(family)
    if record is not None and record.keeps_form and not record.size and record.form(1) is None:
        hint += "; of all even sizes: an axis written 2d, under Sp(2d)"
    return GroupError(
        f"{family!r} has no form at the size {size}",
        expected=letters(lambda f: f.keeps_form)
        + ", O(p,q) or SO(p,q); at a size at which there is a form",
        hint=hint,
        code="group.form",
        given=f"{family!r}, {size}",
    )
