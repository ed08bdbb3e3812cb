"""What normal forms are made of.

A *form* is a tensor of some free axes, written as a sum of monomials with coefficients. A monomial is a
product of *components*; a component is a product of atoms, summed over labels that link them, and no smaller
component splits off. An *atom* is a *head* with a slot in each of its places: an input, an identity matrix,
``exp`` of forms, ...

Equal structures are stored once, so that a form is a number and two forms are equal when their numbers are.
In what is stored, label a >= 0 is the free axis a, NONE (-1) is the fixed index 0, and -2 - j is the j-th
summed label. While a form is made (an *open* term), free labels are 0, ..., k - 1, summed labels are larger.
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.engines.identity.coefficients import Coefficient
from eqvproof.engines.identity.index_functions import Slot, Terms
from eqvproof.program import Size

Atom = tuple[int, tuple[Slot, ...]]
Mono = tuple[int, ...]


class TooLarge(Exception):
    """The normal form grows beyond a cap; the answer is then *unknown*."""


@dataclass(frozen=True, slots=True)
class Head:
    """What an atom is, without its slots.

    Attributes:
        kind: "input", "const", "identity", "triangle", "iota", "map", "reduce", "concat", "sort", "inv",
            "det", "reshape", "opaque" or "cell" (a form as one atom).
        data: its attributes.
        operands: the numbers of the forms on which it depends.
        sizes: the sizes of its axes, one a slot.
        shared: so many first slots are axes that it shares with its operands, entry by entry.
        symmetries: permutations of the slots that leave the value as it is.
        total: whether every entry is defined at all inputs (False may mean unknown).
    """

    kind: str
    data: tuple[object, ...]
    operands: tuple[int, ...]
    sizes: tuple[Size, ...]
    shared: int
    symmetries: tuple[tuple[int, ...], ...]
    total: bool


@dataclass(frozen=True, slots=True)
class Component:
    """Atoms linked by summed labels; `sizes` are the sizes of these."""

    sizes: tuple[Terms, ...]
    atoms: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of monomials over free axes of the given sizes; sorted, no coefficient 0."""

    sizes: tuple[Size, ...]
    terms: tuple[tuple[Mono, Coefficient], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """An open term: a coefficient times a product of atoms, summed over some labels."""

    coefficient: Coefficient
    atoms: tuple[Atom, ...]
    summed: frozenset[int] = frozenset()


class Work:
    """The labels in play while a form is made."""

    def __init__(self, free: tuple[Size, ...]) -> None:
        self.free = free
        self.sizes = dict(enumerate(free))

    def fresh(self, size: Size) -> int:
        """A new label."""
        label = len(self.sizes)
        self.sizes[label] = size
        return label

    def is_free(self, label: int) -> bool:
        """Whether a label is a free axis."""
        return label < len(self.free)
