"""A family of groups: one record, which everything that depends on the family is read off."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from eqvproof.groups.matrices import Matrix

GroupKind = Literal["perm", "orth", "sign", "shift", "rigid", "scale", "lin"]


@dataclass(frozen=True, slots=True)
class Family:
    """A family of groups, one for each size of an axis.

    Attributes:
        letter: its name, as in "O(d)".
        meaning: what its elements are.
        element: one of them, in words.
        symbol: the letter that formulas use for one.
        kind: what elements are as data; a key of `eqvproof.groups.kinds.KINDS`.
        default_axis: the axis that ``O(3)`` pins where no axis is written 3.
        why_not: why data of that kind, of the right type and size, are no element; empty where they are.
        simple: the elements that a reader checks by hand, simplest first.
        sample: a random element, exact.
        generators: finitely many that generate it, where it is finite.
        order: how many elements it has, where it is finite.
        members: all of them, where it is finite.
        trivial_below: at sizes below this it is the identity alone.
        parts: families on the same axis that generate it together, where it is proved by these.
        lie: matrices of its Lie algebra whose brackets span it, for groups of matrices with more than one
            component also one element of each other component under `components`.
        components: see `lie`.
        special: whether all elements have determinant 1.
        inside: families that contain it.
    """

    letter: str
    meaning: str
    element: str
    symbol: str
    kind: GroupKind
    default_axis: str
    why_not: Callable[[Any, int], str]
    simple: Callable[[int], Iterator[Any]]
    sample: Callable[[int, random.Random], Any]
    generators: Callable[[int], list[Any]] | None = None
    order: Callable[[int], int] | None = None
    members: Callable[[int], Iterator[Any]] | None = None
    trivial_below: int = 1
    parts: tuple[str, ...] = ()
    lie: Callable[[int], list[list[list[int]]]] | None = None
    components: Callable[[int], list[Matrix]] | None = None
    special: bool = False
    inside: tuple[str, ...] = ()
