"""Finds which entries of each line are needed for some entries of the value of a program.

No others are computed. An entry of a function of entries, of a sum or a choice depends on the same
entries of the arguments, and one of a view on one entry; an entry of a sum of products depends on
those at the same labels, for each choice of the labels that are summed over. For all other forms
every entry is taken to depend on all entries, and lines that do not depend on the arguments are
computed whole, so that they may be shared between points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .form_values import (
    Needed,
    ReadRow,
    SizedForms,
    condition_places,
    cut_places,
    label_sizes,
    offsets,
    read_row,
)
from .forms import Add, Choose, Contract, Form, Input, Map, View, arguments_of
from .report import spend


@dataclass(frozen=True, slots=True)
class FactorPlaces:
    """The places of a factor that entries of a sum of products read.

    Attributes:
        read: the factor.
        kept: what each entry of the sum adds to the place.
        rest: what each choice of the labels that are summed over adds.
    """

    read: ReadRow
    kept: Sequence[int]
    rest: Sequence[int]

    def places(self, places: Iterable[int]) -> set[int]:
        """Returns the places in the argument, for places in the sum."""
        found = {self.kept[p] + t for p in places for t in self.rest}
        if self.read.at is None:
            return found
        return {self.read.at[p] for p in found}


def _factors(
    form: Contract, shape: tuple[int, ...], given: Sequence[tuple[int, ...]]
) -> list[FactorPlaces]:
    """Returns the places that are read of each factor of a sum of products."""
    sizes, found = label_sizes(form, shape), list[FactorPlaces]()
    for row, own in zip(form.rows, given, strict=True):
        read = read_row(row, own, sizes)
        summed = [label for label in dict.fromkeys(read.labels) if label not in form.out]
        kept = offsets(form.out, read.labels, read.shape, sizes)
        found.append(FactorPlaces(read, kept, offsets(summed, read.labels, read.shape, sizes)))
    return found


def needed(program: SizedForms, places: Sequence[int] | None) -> Needed | None:
    """Returns the places that are needed of each line, for these places of the value.

    None stands for all places.
    """
    if places is None:
        return None
    lines, shapes = program.lines, program.shapes
    found: list[set[int] | None] = [set() for _ in lines]
    found[-1] = set(places)
    is_fixed = program.fixed()
    for line in reversed(range(len(lines))):
        form, own = lines[line], found[line]
        if is_fixed[line] or isinstance(form, Input):
            found[line] = None
            continue
        used, parts = arguments_of(form), None
        if own is not None:
            parts = _argument_places(form, shapes[line], [shapes[k] for k in used], own)
        for k, argument in enumerate(used):
            known = found[argument]
            if known is None or parts is None:
                found[argument] = None
            else:
                found[argument] = known.union(parts[k])
    return [None if own is None else sorted(own) for own in found]


def _argument_places(
    form: Form, shape: tuple[int, ...], given: Sequence[tuple[int, ...]], places: set[int]
) -> list[Iterable[int]] | None:
    """Returns the needed places of each argument; None where all places of all are needed."""
    spend(4 + len(places) * (1 + len(given)) // 4)
    match form:
        case Add() | Map():
            return [places] * len(given)
        case Choose(_, axes):
            at = condition_places(given[0], axes, shape)
            return [{at[p] for p in places}, places, places]
        case View("Cut", _, axis, first, second):
            at = cut_places(given[0], axis, (first.number, second.number), shape)
            return [{at[p] for p in places}]
        case View():
            return [places]
        case Contract():
            return _factor_places(form, shape, given, places)
    return None


def _factor_places(
    form: Contract, shape: tuple[int, ...], given: Sequence[tuple[int, ...]], places: set[int]
) -> list[Iterable[int]] | None:
    """Returns the needed places of at most two factors, of which the first is not summed by itself."""
    if len(given) > 2:
        return None
    found, later = list[Iterable[int]](), {*form.out}
    factors = _factors(form, shape, given)
    if len(factors) == 2 and not {*factors[0].read.labels} <= later | {*factors[1].read.labels}:
        return None
    for factor in factors:
        spend(len(factor.kept) // 4 + len(places) * len(factor.rest) // 4)
        found.append(factor.places(places))
    return found
