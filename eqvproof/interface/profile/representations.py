"""Plain ways in which a group may move an array of a model: each axis moved, or not.

Signatures say how a group moves the arguments and results of a whole model, and nothing about the
arrays inside. Those are compared with every plain way: each axis that has the size of an axis of
the signature may be moved as that one, or not; an axis may also join two of them row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, Factor, act_all
from eqvproof.claims.signature import Axis, Signature, Term

Array = np.ndarray[Any, np.dtype[Any]]
#: Largest number of ways that are tried for one array.
MOST_WAYS = 96
#: Least singular value, as a part of the greatest, of entries that tell which matrix acts on them.
LEAST_PART = 1e-3


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a group may move an array.

    Attributes:
        axes: the axes of the array, with those that are joined apart.
        joined: for each axis of the array, the number of `axes` that it joins row by row.
        moved: the number of axes that the group moves.
        factors: the number of factors of the group that move an axis.
        mixed: the axis of the array along which some matrix acts besides, which is fitted; -1 for
            none.
    """

    axes: tuple[Axis, ...]
    joined: tuple[int, ...]
    moved: int
    factors: int
    mixed: int = -1

    def __str__(self) -> str:
        texts, left = [], list(self.axes)
        for count in self.joined:
            part = " ".join(str(axis) for axis in left[:count])
            texts.append(f"({part})" if count > 1 else part)
            left = left[count:]
        if self.mixed >= 0:
            texts[self.mixed] = f"[{texts[self.mixed]}]"
        return " ".join(texts) or "()"

    def act(self, elements: Sequence[Element], array: Array, sizes: Mapping[str, int]) -> Array:
        """Returns g x for an array of floats that the group moves in this way."""
        apart = array.reshape([axis.at(sizes) for axis in self.axes])
        moving = [e for e in elements if not e.is_identity]
        return np.asarray(act_all(moving, apart, self.axes, sizes)).reshape(array.shape)


class Ways:
    """The plain ways in which the group of a claim may move arrays.

    Args:
        signature: the typing of the claim.
        factors: the factors of its group.
        sizes: the sizes of its axes.
    """

    def __init__(
        self, signature: Signature, factors: Sequence[Factor], sizes: Mapping[str, int]
    ) -> None:
        self.sizes = dict(sizes)
        self._factors = factors
        names = [n for n in signature.names if n in sizes]
        self._moved = [f.axis for f in factors]
        self._still = [n for n in names if n not in self._moved]
        self._known: dict[tuple[int, ...], list[Way]] = {}

    def of(self, shape: tuple[int, ...]) -> list[Way]:
        """Returns the ways for an array of some shape, those that move most axes first."""
        if shape not in self._known:
            choices = [list(self._axis(length)) for length in shape]
            found = [
                Way(
                    tuple(axis for part in parts for axis in part),
                    tuple(map(len, parts)),
                    sum(self._is_moved(axis) for part in parts for axis in part),
                    sum(
                        _moves(f, [axis for part in parts for axis in part]) for f in self._factors
                    ),
                )
                for parts in islice(product(*choices), MOST_WAYS)
            ]
            self._known[shape] = sorted(found, key=lambda way: -way.moved)
        return self._known[shape]

    def mixing(self, shape: tuple[int, ...]) -> list[Way]:
        """Returns the ways in which a matrix acts along an axis that is moved in no plain way.

        There are such for groups of matrices alone, and where other axes have enough entries to
        tell: at least twice as many as the axis.
        """
        if not any(f.kind.rounds for f in self._factors):
            return []
        count = int(np.prod(shape))
        return [
            replace(way, mixed=place)
            for way in self.of(shape)
            if way.joined == (1,) * len(shape) and way.factors < len(self._factors)
            for place, axis in enumerate(way.axes)
            if 1 < shape[place] and count >= 2 * shape[place] ** 2
            if axis.names == () and not self._is_moved(axis)
        ]

    def _is_moved(self, axis: Axis) -> bool:
        return any(_moves(f, [axis]) for f in self._factors)

    def _axis(self, length: int) -> Iterator[tuple[Axis, ...]]:
        """Yields what an axis of some length may be: axes of the signature, or two joined."""
        yield (self._plain(length),)
        for factor in self._factors:
            for moved in self._as_moved(factor):
                size = moved.at(self.sizes)
                if size == length:
                    yield (moved,)
                elif 1 < size < length and length % size == 0:
                    other = self._plain(length // size)
                    yield (other, moved)
                    yield (moved, other)

    def _as_moved(self, factor: Factor) -> Iterator[Axis]:
        """Yields the axes that a factor moves: that of its name, as directions and duals too."""
        marks = ["", *"^" * factor.kind.translates, *"*" * factor.kind.has_dual]
        for mark in marks:
            if isinstance(factor.axis, int):
                term = Term(factor.axis, None, mark)
            else:
                term = Term(1, factor.axis, mark)
            if any(map(factor.acts_on, (term,))):
                yield Axis((term,))

    def _plain(self, length: int) -> Axis:
        """Returns an axis that is not moved: one of the signature if a single one has the size."""
        same = [n for n in self._still if self.sizes[n] == length]
        if len(same) == 1:
            return Axis((Term(1, same[0]),))
        axis = Axis((Term(length, None),))
        if self._is_moved(axis):
            return Axis((Term(length, None, "!"),))
        return axis


def _moves(factor: Factor, axes: Sequence[Axis]) -> bool:
    """Checks whether a factor moves one of some axes."""
    return any(factor.acts_on(term) for axis in axes for term in axis.terms)


def mix(left: Array, right: Array, place: int) -> Array | None:
    """Returns the second array times the matrix along an axis that takes it nearest to the first.

    Returns None if the entries of the array lie in a smaller space, where they tell less.
    """
    a, b = (np.moveaxis(x, place, -1).reshape(-1, x.shape[place]) for x in (left, right))
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    matrix, _, rank, _ = np.linalg.lstsq(b, a, rcond=LEAST_PART)
    if rank < right.shape[place]:
        return None
    return np.asarray(np.moveaxis(np.moveaxis(right, place, -1) @ matrix, -1, place))
