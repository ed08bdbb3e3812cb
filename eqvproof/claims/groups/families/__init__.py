"""The registry of families of groups: which letter names which `Family`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from eqvproof.claims.groups.family import Family
from eqvproof.support.errors import GroupError
from eqvproof.support.lazy import modules_of


@cache
def _load(letter: str, module: str) -> Family:
    family: Family = getattr(import_module(module), letter)
    return family


class Registry(Mapping[str, Family]):
    """Maps letters to families; the module of a family is loaded when the family is looked up.

    Attributes:
        modules: letter -> the module that holds the family, under this name.
    """

    def __init__(self, modules: dict[str, str]) -> None:
        self.modules = modules

    def __getitem__(self, letter: str) -> Family:
        return _load(letter, self.modules[letter])

    def __contains__(self, letter: object) -> bool:
        return letter in self.modules

    def __iter__(self) -> Iterator[str]:
        return iter(self.modules)

    def __len__(self) -> int:
        return len(self.modules)


class _WithNumbers(Registry):
    """Maps letters to families, also those whose names hold numbers, such as "O(1,3)"."""

    def __getitem__(self, letter: str) -> Family:
        found = _with_numbers(letter)
        if found is not None:
            return found
        return super().__getitem__(letter)

    def __contains__(self, letter: object) -> bool:
        return super().__contains__(letter) or (
            isinstance(letter, str) and _with_numbers(letter) is not None
        )


def _with_numbers(name: str) -> Family | None:
    """Returns the family of a name such as "O(1,3)", or None."""
    if "(" not in name:
        return None
    from eqvproof.claims.groups.families.indefinite import indefinite

    return indefinite(name)


#: The families that a text such as "O(d)" names, by letter.
FAMILIES = Registry(
    modules_of(
        {
            "eqvproof.claims.groups.families.orthogonal": "O SO",
            "eqvproof.claims.groups.families.permutations": "S A",
            "eqvproof.claims.groups.families.cycles": "C D",
            "eqvproof.claims.groups.families.affine": "T E SE",
            "eqvproof.claims.groups.families.lattices": "Z",
            "eqvproof.claims.groups.families.signs": "Signs",
            "eqvproof.claims.groups.families.signed": "B",
            "eqvproof.claims.groups.families.linear": "GL SL",
            "eqvproof.claims.groups.families.indefinite": "Lorentz",
            "eqvproof.claims.groups.families.symplectic": "Sp",
            "eqvproof.claims.groups.families.unitary": "U SU",
            "eqvproof.claims.groups.families.multiples": "Scale",
        }
    )
)
#: The families of groups that are given by generators.
GENERATED = Registry(modules_of({"eqvproof.claims.groups.families.generated": "GenS GenO GenGL"}))

EVERY_FAMILY = _WithNumbers(
    {
        **FAMILIES.modules,
        **GENERATED.modules,
        **modules_of({"eqvproof.claims.groups.families.symplectic": "Sp2"}),
    }
)


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
