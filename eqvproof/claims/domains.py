"""Restrictions of the inputs, for ``domain=``: only points x with x and g x in the domain count.

    ep.check(f, "x: n -> n", "S(n)", domain=ep.domains.positive)
    ep.check(f, "X: d n, w: n -> d", "O(d)", domain=ep.domains.full_column_rank("X"))
    ep.check(f, "R: d d, x: n -> n", "S(n)", domain=ep.domains.rotation("R") &
        ep.domains.no_ties("x"))

Each domain of this module speaks of all arguments, those of matrices of all that have two axes or
more; called with names, it speaks of these arguments alone. ``&`` joins domains.

A domain is a function of the inputs (arrays of Fractions, by name) that says whether a point
belongs to it; any such function serves. Those of this module also know how to move a point into the
domain, so that no point is lost; for other functions, points are drawn without regard to them and
left out where they say no, so that a thin domain leaves few. A proof, which holds at all points,
needs no domain.

A Hypothesis strategy serves too: of numbers (the entries of all arguments), of arrays (of the only
argument), or of tuples or dicts of arrays. Points x are drawn from it; nothing is asked about g x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from eqvproof.claims.domain_matrices import (
    apart_spectra,
    are_invertible,
    are_rotations,
    filled,
    full_rank,
    have_simple_spectra,
    raised,
    to_rotations,
)
from eqvproof.support.errors import EqvproofError
from eqvproof.support.lazy import loader

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Domain:
    """A set of points, as a function that says whether a point belongs to it.

    Attributes:
        name: a description of its points, such as "positive".
        contains: the function.
        towards: maps a point to one that is likely to belong to the domain, and points of the
            domain to themselves; None: unknown.
    """

    name: str
    contains: Callable[[Inputs], bool]
    towards: Callable[[Inputs], Inputs] | None = None

    def __str__(self) -> str:
        return self.name

    @overload
    def __call__(self, inputs: Inputs) -> bool: ...
    @overload
    def __call__(self, inputs: str, *more: str) -> Domain: ...
    def __call__(self, inputs: Inputs | str, *more: str) -> bool | Domain:
        """Checks whether a point belongs to the domain.

        Called with names of arguments, returns the domain restricted to these arguments.
        """
        if isinstance(inputs, str):
            return of(**{_plain_name(name): self for name in (inputs, *more)})
        return self.contains(inputs)

    def __and__(self, other: Callable[[Inputs], bool]) -> Domain:
        """Returns the domain of the points that belong to both."""
        return both(self, other)

    def __rand__(self, other: Callable[[Inputs], bool]) -> Domain:
        """Returns the domain of the points that belong to both."""
        return both(other, self)

    def moved(self, inputs: Inputs) -> Inputs:
        """Returns a point that is likely to belong to the domain."""
        if self.towards is None:
            return inputs
        return self.towards(inputs)


class Distinct(Domain):
    """The domain of points with distinct entries; with ``axis=``, with distinct slices."""

    __slots__ = ()

    def __call__(self, inputs: Inputs | str, *more: str, axis: int | None = None) -> Any:
        """Checks whether a point belongs to the domain.

        Called with the name of an argument and an axis, returns the domain where no two slices of
        the argument along the axis coincide.

        Args:
            inputs: a point, or the name of an argument, as the signature has it.
            more: names of further arguments.
            axis: along which axis of the argument no two slices may coincide, counted from 0.
        """
        if not isinstance(inputs, str):
            return self.contains(inputs)
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise EqvproofError(
                "an axis of the argument is missing",
                given=f"axis={axis!r}",
                expected="its number, counted from 0",
                hint=f"ep.domains.distinct({inputs!r}, axis=0): no two rows coincide; "
                f"ep.domains.no_ties({inputs!r}): no two entries are equal",
                code="domain.axis",
            )
        points = Domain(
            f"distinct along axis {axis}",
            partial(_are_apart, axis),
            partial(_on_arrays, partial(_put_apart, axis)),
        )
        return of(**{_plain_name(name): points for name in (inputs, *more)})


def _plain_name(name: str) -> str:
    """Returns the name under which a point holds an argument: dots become underscores."""
    return name.replace(".", "_")


def of(**domains: Callable[[Inputs], bool]) -> Domain:
    """Returns the product of domains of arguments: ``of(X=full_column_rank, w=positive)``."""
    return Domain(
        ", ".join(f"{name} {domain}" for name, domain in domains.items()),
        partial(_product_contains, domains),
        partial(_product_towards, domains),
    )


def both(*domains: Callable[[Inputs], bool]) -> Domain:
    """Returns the intersection of domains."""
    return Domain(
        " and ".join(map(str, domains)),
        partial(_meeting_contains, domains),
        partial(_meeting_towards, domains),
    )


def _product_contains(domains: Mapping[str, Callable[[Inputs], bool]], inputs: Inputs) -> bool:
    missing = [name for name in domains if name not in inputs]
    if missing:
        raise EqvproofError(
            "a domain names an argument that the signature does not have",
            given=", ".join(missing),
            expected="one of " + ", ".join(inputs),
            code="domain.argument",
            hint="ep.domains.of(X=...) takes the names of the signature",
        )
    return all(domain({name: inputs[name]}) for name, domain in domains.items())


def _product_towards(domains: Mapping[str, Callable[[Inputs], bool]], inputs: Inputs) -> Inputs:
    result = dict(inputs)
    for name, domain in domains.items():
        if isinstance(domain, Domain) and name in inputs:
            result[name] = domain.moved({name: inputs[name]})[name]
    return result


def _meeting_contains(domains: tuple[Callable[[Inputs], bool], ...], inputs: Inputs) -> bool:
    return all(domain(inputs) for domain in domains)


def _meeting_towards(domains: tuple[Callable[[Inputs], bool], ...], inputs: Inputs) -> Inputs:
    for domain in domains:
        if isinstance(domain, Domain):
            inputs = domain.moved(inputs)
    return inputs


# ------------------------------------------------------------------------------------------ entry
# by entry
def _all_positive(inputs: Inputs) -> bool:
    return all(value > 0 for array in inputs.values() for value in array.flat)


def _all_nonnegative(inputs: Inputs) -> bool:
    return all(value >= 0 for array in inputs.values() for value in array.flat)


def _all_nonzero(inputs: Inputs) -> bool:
    return all(value != 0 for array in inputs.values() for value in array.flat)


def _magnitude(value: Fraction) -> Fraction:
    return abs(value)


def _positive_value(value: Fraction) -> Fraction:
    return abs(value) or Fraction(1)


def _nonzero_value(value: Fraction) -> Fraction:
    return value or Fraction(1)


def _on_entries(function: Callable[[Fraction], Fraction], inputs: Inputs) -> Inputs:
    return _on_arrays(partial(_map_entries, function), inputs)


def _map_entries(function: Callable[[Fraction], Fraction], array: Array) -> Array:
    return filled(array.shape, [function(value) for value in array.flat])


def _on_arrays(function: Callable[[Array], Array], inputs: Inputs) -> Inputs:
    """Applies a function to the arrays of real numbers; indices and masks stay."""
    return {n: function(a) if is_real(a) else a for n, a in inputs.items()}


def is_real(array: Array) -> bool:
    """Checks whether an array holds real numbers, not positions or masks."""
    return array.dtype == object and all(isinstance(value, Fraction) for value in array.flat)


# ----------------------------------------------------------------------------------------- entries
# together
def _all_distinct(inputs: Inputs) -> bool:
    return all(len(set(array.flat)) == array.size for array in inputs.values())


def _make_distinct(array: Array) -> Array:
    """Makes entries distinct: repeated ones are raised by 1 until they are new."""
    seen: set[Fraction] = set()
    values = []
    for value in array.flat:
        while value in seen:
            value = value + 1
        seen.add(value)
        values.append(value)
    return filled(array.shape, values)


def _slices(axis: int, array: Array) -> list[tuple[Any, ...]]:
    """Returns the slices of an array along an axis, as tuples of entries.

    Raises:
        EqvproofError: the array has no such axis.
    """
    if not -array.ndim <= axis < array.ndim:
        raise EqvproofError(
            "a domain names an axis that an argument does not have",
            given=f"axis={axis} of an array of {array.ndim} axes",
            expected=f"an axis from 0 to {array.ndim - 1}",
            hint="axes are counted from 0",
            code="domain.axis",
        )
    return [tuple(part.flat) for part in np.moveaxis(array[..., None], axis % array.ndim, 0)]


def _are_apart(axis: int, inputs: Inputs) -> bool:
    return all(
        len(set(found)) == len(found) for found in (_slices(axis, a) for a in inputs.values())
    )


def _put_apart(axis: int, array: Array) -> Array:
    """Makes slices distinct: repeated ones have the first entry raised by 1 until they are new."""
    seen: set[tuple[Any, ...]] = set()
    result = np.moveaxis(array.copy(), axis, 0)
    for k, (first, *rest) in enumerate(_slices(axis, array)):
        while (first, *rest) in seen:
            first = first + 1
        seen.add((first, *rest))
        result[(k, *[0] * (array.ndim - 1))] = first
    return np.moveaxis(result, 0, axis)


def _are_one_hot(inputs: Inputs) -> bool:
    for array in inputs.values():
        if array.ndim == 0 or any(value not in (0, 1) for value in array.flat):
            return False
        if any(sum(row) != 1 for row in array.reshape(-1, array.shape[-1])):
            return False
    return True


def _hot(array: Array) -> Array:
    """Replaces each row by a one-hot row with its 1 at a greatest entry.

    Of several greatest entries, a weighted sum of the row chooses one.
    """
    if array.ndim == 0 or not array.shape[-1]:
        return array
    values = []
    for row in array.reshape(-1, array.shape[-1]):
        greatest = [k for k, value in enumerate(row) if value == max(row)]
        weight = sum(((k + 1) * value for k, value in enumerate(row)), Fraction(0))
        place = greatest[int(abs(weight)) % len(greatest)]
        values += [Fraction(int(k == place)) for k in range(len(row))]
    return filled(array.shape, values)


#: All entries are greater than 0.
positive = Domain("positive", _all_positive, partial(_on_entries, _positive_value))
#: All entries are at least 0.
nonnegative = Domain("nonnegative", _all_nonnegative, partial(_on_entries, _magnitude))
#: No entry is 0.
nonzero = Domain("nonzero", _all_nonzero, partial(_on_entries, _nonzero_value))
#: No two entries of an argument are equal: no ties. ``distinct("X", axis=0)``: no two rows of X are
#: equal.
distinct = Distinct("distinct", _all_distinct, partial(_on_arrays, _make_distinct))
#: No two entries of an argument are equal.
no_ties = Domain("without ties", _all_distinct, partial(_on_arrays, _make_distinct))
#: Along the last axis one entry is 1 and the others are 0.
one_hot = Domain("one-hot", _are_one_hot, partial(_on_arrays, _hot))
#: The columns of every matrix are linearly independent, decided over the rationals.
full_column_rank = Domain(
    "of full column rank", partial(full_rank, 1), partial(_on_arrays, partial(raised, 1))
)
#: The rows of every matrix are linearly independent, decided over the rationals.
full_row_rank = Domain(
    "of full row rank", partial(full_rank, 0), partial(_on_arrays, partial(raised, 0))
)
#: Every matrix is square and has an inverse, decided over the rationals.
invertible = Domain("invertible", are_invertible, partial(_on_arrays, partial(raised, 1)))
#: Every matrix is a rotation: orthogonal, of determinant 1. Points are exact rational rotations.
rotation = Domain("a rotation", are_rotations, partial(_on_arrays, to_rotations))
#: The eigenvalues of the symmetric part of every matrix are distinct, decided over the rationals.
simple_spectrum = Domain(
    "of simple spectrum", have_simple_spectra, partial(_on_arrays, apart_spectra)
)

if not TYPE_CHECKING:  # for names that are not there
    __getattr__ = loader(__name__, {})
