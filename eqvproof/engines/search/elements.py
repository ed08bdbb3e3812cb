"""Group elements to try, simple or random: each factor alone, simplest elements first.

A claim under a product of groups is equivalent to the claims under each factor, so that one factor
acts while the others are the identity.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, zip_longest

from eqvproof.claims.groups import (
    Element,
    Group,
    element_of,
    identity_of,
    is_trivial,
    random_element,
    simple_elements,
)

Move = tuple[Element, ...]


def moving_factors(group: Group, sizes: Mapping[str, int]) -> list[int]:
    """Returns the positions of the factors that are not trivial at these sizes."""
    return [i for i, f in enumerate(group.factors) if not is_trivial(f, f.size(sizes))]


def in_entries(element: Element, sizes: Mapping[str, int]) -> list[Element]:
    """Returns the element at each entry of the axis whose entries have elements of their own.

    These generate the group: a claim under all of it is that under those that act at one entry. If
    there is no such axis, returns the element itself.
    """
    if element.each:
        return [replace(element, at=k) for k in range(sizes[element.each])]
    return [element]


def _only_factor(group: Group, sizes: Mapping[str, int], position: int, element: Element) -> Move:
    move = [identity_of(f, f.size(sizes)) for f in group.factors]
    move[position] = element
    return tuple(move)


def simple_moves(group: Group, sizes: Mapping[str, int], each: int) -> list[Move]:
    """Returns the simplest `each` elements of every factor, in turn: the simplest of each first."""
    columns: list[list[Move]] = []
    for i in moving_factors(group, sizes):
        factor = group.factors[i]
        elements = islice(simple_elements(factor, factor.size(sizes)), each)
        columns.append(
            [_only_factor(group, sizes, i, g) for e in elements for g in in_entries(e, sizes)]
        )
    return [m for row in zip_longest(*columns) for m in row if m is not None]


def revealing_moves(group: Group, sizes: Mapping[str, int]) -> list[Move]:
    """Returns one element per factor that reveals more than the simplest ones do.

    For example a 3-4-5 rotation, a cycle, or all signs.
    """
    found = []
    for i in moving_factors(group, sizes):
        factor = group.factors[i]
        data = factor.record.revealing_element(factor.size(sizes))
        if data is not None:
            found += [
                _only_factor(group, sizes, i, g)
                for g in in_entries(element_of(factor, data), sizes)
            ]
    return found


def random_moves(group: Group, sizes: Mapping[str, int], rng: random.Random) -> Iterator[Move]:
    """Yields one random element of every factor."""
    for i in moving_factors(group, sizes):
        factor = group.factors[i]
        element = random_element(factor, factor.size(sizes), rng)
        if factor.each:
            element = rng.choice(in_entries(element, sizes))
        yield _only_factor(group, sizes, i, element)
