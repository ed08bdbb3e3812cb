"""Group averages (R f)(x) = 1/|G| sum over g of g^-1 f(g x): projections to equivariance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from eqvproof.claims.groups import (
    Element,
    Factor,
    Group,
    Under,
    act_all,
    act_on_argument,
    parse_group,
)
from eqvproof.claims.groups.families import letters
from eqvproof.claims.groups.families.permutations import S
from eqvproof.claims.groups.family import FiniteFamily
from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.invariants.calling import Array, as_inexact, call, is_exact
from eqvproof.invariants.canonical import Sorting, sorting
from eqvproof.invariants.gram_function import as_array
from eqvproof.support.errors import GroupError, ShapeError
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: Largest number of group elements that are summed over.
MOST_ELEMENTS = 5040


@dataclass(frozen=True, slots=True, eq=False)
class Average:
    """The equivariant average of f over a finite group; call it like f.

    Attributes:
        f: the function.
        signature: its signature.
        group: the group.
        most: largest number of group elements summed over; larger S(n) are handled by canonical
            forms.
    """

    f: Callable[..., Any]
    signature: Signature
    group: Group
    most: int

    def __call__(self, *arguments: Any) -> Array:
        """Evaluates the average at a point.

        Exactness: exact if the arguments are and f maps exact numbers to rationals; else float64.

        Raises:
            ShapeError: arguments that do not fit the signature.
            GroupError: a factor with too many elements, for which no canonical form is implemented.
        """
        if len(arguments) != len(self.signature.inputs):
            raise ShapeError(
                "the number of arguments does not fit the signature",
                given=str(len(arguments)),
                expected=self.signature.text,
                hint="give the arrays in the order of the signature",
            )
        arrays = []
        for array, argument in zip(arguments, self.signature.inputs, strict=True):
            if argument.kind == "real":
                arrays.append(as_array(array))
            else:
                arrays.append(np.asarray(array))
        sizes = read_sizes(self.signature, arrays)
        for name, size in self.group.pins.items():
            if sizes[name] != size:
                raise ShapeError(
                    f"the group acts on an axis {name} of size {size}",
                    given=f"{name} = {sizes[name]}",
                    expected="the size in the group",
                    hint="use the same size in both",
                )
        summed, sorted_ = self._factors(sizes)
        total: Array | None = None
        count = 0
        for elements in product(*(all_elements(f, f.size(sizes)) for f in summed)):
            images = arrays
            for element in elements:
                images = self._act(element, images, sizes)
            value = self._sorted_value(images, sorted_, sizes)
            back = act_all([e.inverse() for e in elements], value, self.signature.output, sizes)
            if total is None:
                total = back
            else:
                total = _add_values(total, back)
            count += 1
        if total is None:
            raise GroupError(
                "the elements of the group cannot be listed",
                given=str(self.group),
                expected="a finite group, or one of which elements can be drawn",
                hint="use ep.groups.generated_by(...)",
            )
        if is_exact(total):
            return np.asarray(total * Fraction(1, count))
        return np.asarray(total / count)

    def _act(self, element: Element, arrays: list[Array], sizes: Mapping[str, int]) -> list[Array]:
        """Applies a group element to the arguments."""
        return [
            act_on_argument(element, array, argument, sizes)
            for array, argument in zip(arrays, self.signature.inputs, strict=True)
        ]

    def method(self, **sizes: int) -> str:
        """Returns the method used at given sizes: "average" or "canonical form".

        "average" sums over all elements of the group.
        """
        if self._factors(sizes)[1]:
            return "canonical form"
        return "average"

    def _factors(self, sizes: Mapping[str, int]) -> tuple[list[Factor], list[Factor]]:
        """Splits the factors into those summed over and those handled by canonical forms.

        Small factors are summed over first, as long as the number of elements stays within `most`.
        """
        ordered = sorted(self.group.factors, key=lambda f: group_order(f, f.size(sizes)))
        summed: list[Factor] = []
        canonical: list[Factor] = []
        count = 1
        for factor in ordered:
            order = group_order(factor, factor.size(sizes))
            if count * order <= self.most:
                summed.append(factor)
                count *= order
            elif factor.record is S:
                canonical.append(factor)
            else:
                raise GroupError(
                    f"{factor} has {order} elements, too many to sum over",
                    given=f"{self.group} at size {factor.size(sizes)}",
                    expected=f"at most {self.most} elements; S(n) of any size",
                    hint="pass most= if the time does not matter",
                    code="group.too-large",
                )
        return summed, canonical

    def _sorted_value(
        self, arrays: list[Array], factors: list[Factor], sizes: Mapping[str, int]
    ) -> Array:
        """Evaluates f through the canonical forms of all factors in turn."""
        if not factors:
            return call(self.f, arrays)
        found: Sorting = sorting(factors[0], arrays, self.signature)
        images = self._act(found.element, arrays, sizes)
        value = self._sorted_value(images, factors[1:], sizes)
        value = found.average_over_ties(value, self.signature.output)
        return act_all([found.element.inverse()], value, self.signature.output, sizes)


@shortens_tracebacks
def reynolds(
    f: Callable[..., Any], signature: str, under: Under, *, most: int = MOST_ELEMENTS
) -> Average:
    """Builds the group average ``(R f)(x) = 1/|G| sum over g in G of g^-1 f(g x)`` of f.

    It is equivariant.

    R f = f if and only if f is equivariant (at the points where both are compared). If S(n) has
    more elements than ``most``, x is first brought to a canonical form c = h x (its rows sorted),
    and ``h^-1`` is applied to the average of f(c) over the stabiliser of c, which permutes equal
    rows: this too is equivariant, and equals f for equivariant f, but it is a different projection
    from the average over the whole group.

    Args:
        f: the function.
        signature: such as "X: n d -> n d".
        under: a product of finite groups: S, A, C, D, Signs, B.
        most: the largest number of group elements to sum over.

    Returns:
        An `Average`, to be called like f.

    Exactness: exact if the arguments are and f maps exact numbers to rationals; else float64.

    Raises:
        GroupError: the group is infinite.
        SignatureError: the signature cannot be read.

    Source: Reynolds (1895); Puny, Atzmon, Smith, Misra, Grover, Ben-Hamu, Lipman (2022), "Frame
        averaging".

    >>> print(reynolds(lambda x: x[0] * x[1], "x: n -> ()", "C(n)")([1, 2, 4]))
    14/3
    """
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    for factor in group.factors:
        if not isinstance(factor.record, FiniteFamily):
            raise GroupError(
                f"{factor} is infinite: there is no finite sum over it",
                given=str(under),
                expected=f"a product of {letters(lambda f: isinstance(f, FiniteFamily), 'and')}",
                hint="for O(d), see factor_through_gram",
                code="group.infinite",
            )
    return Average(f, parsed, group, most)


def group_order(factor: Factor, size: int) -> int:
    """Returns the number of elements of a finite factor, 0 for an infinite one."""
    family = factor.record
    if isinstance(family, FiniteFamily):
        return family.order(size)
    return 0


def all_elements(factor: Factor, size: int) -> Iterator[Element]:
    """Yields every element of a finite factor."""
    family = factor.record
    if isinstance(family, FiniteFamily):
        for data in family.members(size):
            yield Element(factor.family, factor.axis, data)


def read_sizes(signature: Signature, arrays: list[Array]) -> dict[str, int]:
    """Reads the sizes of the axis names from the shapes of the arguments.

    Raises:
        ShapeError: another number of axes, or two sizes for one name.
    """
    shapes = [a.shape for a in arrays]
    sizes = signature.shown_sizes(shapes)
    if argument := signature.misfit(shapes, sizes):
        raise ShapeError(
            f"{argument.name} does not fit the signature",
            given=f"shape {shapes[signature.inputs.index(argument)]}",
            expected=f"{argument} at {sizes}",
            hint="give each name one size, and name every axis, also of length 1",
        )
    return sizes


def _add_values(a: Array, b: Array) -> Array:
    if a.shape != b.shape:
        raise ShapeError(
            "the function returned arrays of different shapes",
            given=f"{a.shape} and {b.shape}",
            expected="one shape for all elements of the group",
            hint="make the shape depend on the shapes of the inputs only",
        )
    if is_exact(a) and is_exact(b):
        return np.asarray(a + b)
    return np.asarray(as_inexact(a) + as_inexact(b))
