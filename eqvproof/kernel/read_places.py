"""Reads forms at places: as indices of normal forms, or else as a gathered array.

A place is an index, start + k i or (i + c) mod n, where it is one at all values that its label has:
no difference in it is cut off at 0. At other places, as at several labels, what is read is some
entry of the array, the same entry of equal arrays; that is linear, and goes factor by factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import atoms
from .forms import Lab, Minus, Modulo, Num, Over, Place, Plus, SizePlace, Times, labels_of
from .indices import FIRST, FIXED, ONCE, Index, affine, fixed_index, rolled, through
from .normal_forms import Forms, Head, Labels, Piece
from .report import spend
from .sizes import ONE, ZERO, Size, is_nonnegative


@dataclass(frozen=True, slots=True)
class _Line:
    """The place start + k i for the index i of a label, or start for `FIXED`."""

    start: Size
    k: int = 0
    label: int = FIXED


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads forms at places.

    Attributes:
        forms: the store of normal forms.
        labels: the labels in use, with their sizes.
        label: the label in use for each label of the places.
    """

    forms: Forms
    labels: Labels
    label: Mapping[int, int]

    def read(self, form: int, places: Sequence[Place]) -> list[Piece]:
        """Returns the terms of a form that is read at places."""
        spend(1 + len(places))
        found = [self.index(place) for place in places]
        if None not in found:
            return self.forms.put(self.labels, form, [index or FIRST for index in found])
        pieces = list[Piece]()
        for parts, coefficient in self.forms.form[form][1]:
            term = [Piece(coefficient, ())]
            for part in parts:
                term = self.forms.product(term, self._read_part(form, part, places, found))
            pieces += term
        return pieces

    def _read_part(
        self, form: int, part: int, places: Sequence[Place], found: Sequence[Index | None]
    ) -> list[Piece]:
        """Returns the terms of a part of a form that is read at places, with indices for some."""
        forms, sizes = self.forms, self.forms.form[form][0]
        own = atoms.single(forms, sizes, (part,))
        moving = sorted(forms.varies[own])
        if all(found[a] is not None for a in moving):
            return forms.term(self.labels, (part,), ONCE, [index or FIRST for index in found])
        kept = tuple(sizes[a] for a in moving)
        at: list[Index] = [
            (moving.index(a), ()) if a in moving else FIRST for a in range(len(sizes))
        ]
        operand = forms.move(own, tuple(at), kept)
        order = list(dict.fromkeys(x for a in moving for x in labels_of(places[a])))
        reach = tuple(self.labels.sizes[self.label[x]] for x in order)
        data = tuple(_renamed(places[a], {x: k for k, x in enumerate(order)}) for a in moving)
        alike = (tuple(range(len(order))),)
        head = Head("gathered", data, (operand,), reach, 0, alike, forms.total(operand))
        row: tuple[Index, ...] = tuple((self.label[x], ()) for x in order)
        return [Piece(ONCE, ((forms.store_head(head), row),))]

    def index(self, place: Place) -> Index | None:
        """Returns the index that a place is, or None if it is not seen to be one."""
        if not isinstance(place, Modulo):
            own = self._line(place)
            if own is None:
                return None
            return through((own.label, ()), (affine(own.start, own.k),))
        inner, whole = self._line(place.first), self._line(place.second)
        if inner is None or whole is None or whole.k:
            return None
        shift = _remainder(inner.start, whole.start)
        if shift is None:
            return None
        if inner.k == 0 and whole.start.constant:
            return fixed_index(Size.of(shift % whole.start.constant))
        if inner.k != 1 or not self._at_least_0(whole.start - self.labels.sizes[inner.label]):
            return None
        return through((inner.label, ()), (rolled(whole.start, -shift),))

    def _line(self, place: Place) -> _Line | None:
        """Returns the number start + k i that a place is, or None if it is not seen to be one."""
        spend(2)
        match place:
            case Lab(label):
                return _Line(ZERO, 1, self.label[label])
            case Num(number):
                return _Line(Size.of(number))
            case SizePlace(size):
                return _Line(size)
            case Plus(a, b):
                return _sum(self._line(a), self._line(b), 1)
            case Minus(a, b):
                found = _sum(self._line(a), self._line(b), -1)
                if found is None or not self._at_least_0(self._least(found)):
                    return None
                return found
            case Times(a, b):
                return _product(self._line(a), self._line(b))
            case Over() | Modulo():
                return None

    def _least(self, own: _Line) -> Size:
        """Returns the least value of a place, if its label has values at all."""
        if own.k >= 0:
            return own.start
        return own.start + (self.labels.sizes[own.label] - ONE) * Size.of(own.k)

    def _at_least_0(self, size: Size) -> bool:
        return is_nonnegative(size, self.forms.lows)


def _line_of(start: Size, k: int, label: int) -> _Line:
    if k:
        return _Line(start, k, label)
    return _Line(start)


def _sum(one: _Line | None, other: _Line | None, sign: int) -> _Line | None:
    """Returns a place plus another one times a sign; None for places at two labels."""
    if one is None or other is None or (one.k and other.k and one.label != other.label):
        return None
    start, label = one.start + other.start * Size.of(sign), max(one.label, other.label)
    return _line_of(start, one.k + sign * other.k, label)


def _product(one: _Line | None, other: _Line | None) -> _Line | None:
    """Returns the product of two places, one of which is a number."""
    if one is None or other is None:
        return None
    if one.k == other.k == 0:
        return _Line(one.start * other.start)
    if one.k == 0:
        one, other = other, one
    times = other.start.constant
    if other.k or times is None:
        return None
    return _line_of(one.start * other.start, one.k * times, one.label)


def _remainder(start: Size, whole: Size) -> int | None:
    """Returns a number that differs from start by a multiple of a size; None if none is seen."""
    for names, count in whole.terms:
        if names:
            return (start - whole * Size.of(dict(start.terms).get(names, 0) // count)).constant
    return start.constant


def _renamed(place: Place, names: Mapping[int, int]) -> Place:
    """Returns a place with other names of labels."""
    match place:
        case Lab(label):
            return Lab(names[label])
        case Num() | SizePlace():
            return place
        case Plus(a, b) | Minus(a, b) | Times(a, b) | Over(a, b) | Modulo(a, b):
            return type(place)(_renamed(a, names), _renamed(b, names))
