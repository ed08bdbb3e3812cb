"""Group elements to try: each factor alone, simplest elements first.

A claim under a product of groups is equivalent to the claims under each factor, so that one factor moves
while the others stay.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice

from eqvproof.groups import Element, Factor, Group, identity, is_trivial, random_element, simple_elements
from eqvproof.groups.matrices import plane_rotation

Move = tuple[Element, ...]


def moving_factors(group: Group, sizes: Mapping[str, int]) -> list[int]:
    """The positions of the factors that have more than the identity at these sizes."""
    return [i for i, f in enumerate(group.factors) if not is_trivial(f, f.size(sizes))]


def _alone(group: Group, sizes: Mapping[str, int], position: int, element: Element) -> Move:
    return tuple(
        element if i == position else identity(f, f.size(sizes)) for i, f in enumerate(group.factors)
    )


def simple_moves(group: Group, sizes: Mapping[str, int], each: int) -> list[Move]:
    """The simplest `each` elements of every factor, in turn: first the simplest of each factor."""
    columns: list[list[Move]] = []
    for i in moving_factors(group, sizes):
        factor = group.factors[i]
        elements = islice(simple_elements(factor, factor.size(sizes)), each)
        columns.append([_alone(group, sizes, i, e) for e in elements])
    return [column[k] for k in range(each) for column in columns if k < len(column)]


def telling_moves(group: Group, sizes: Mapping[str, int]) -> list[Move]:
    """One element of each factor that shows more than the simplest do: a 3-4-5 turn, a cycle, all signs."""
    found = []
    for i in moving_factors(group, sizes):
        telling = _telling(group.factors[i], group.factors[i].size(sizes))
        if telling is not None:
            found.append(_alone(group, sizes, i, telling))
    return found


def _telling(factor: Factor, size: int) -> Element | None:
    if factor.generators:
        return None
    if factor.kind == "sign":
        return Element(factor.family, factor.axis, (-1,) * size)
    if size < 2:
        return None
    if factor.kind in ("orth", "rigid"):
        turn = plane_rotation(size, 0, 1, Fraction(3, 5), Fraction(4, 5))
        data = turn if factor.kind == "orth" else (turn, (Fraction(0),) * size)
        return Element(factor.family, factor.axis, data)
    if factor.kind != "perm":
        return None
    cycle = size - 1 if factor.family == "A" and size % 2 == 0 else size
    shifted = tuple((i - 1) % cycle if i < cycle else i for i in range(size))
    return Element(factor.family, factor.axis, shifted)


def random_moves(group: Group, sizes: Mapping[str, int], rng: random.Random) -> Iterator[Move]:
    """One random element of every factor."""
    for i in moving_factors(group, sizes):
        factor: Factor = group.factors[i]
        yield _alone(group, sizes, i, random_element(factor, factor.size(sizes), rng))
