"""Canonical forms under S(n), by sorting slices, and averages over the stabiliser.

The stabiliser of a sorted point permutes its equal slices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, Factor
from eqvproof.claims.signature import Axis, Signature
from eqvproof.invariants.calling import Array, is_exact
from eqvproof.support.errors import GroupError


@dataclass(frozen=True, slots=True, eq=False)
class Sorting:
    """The permutation that sorts the slices of a point, and the groups of equal slices.

    Attributes:
        factor: S(n).
        element: the group element h; h x is the canonical form.
        ties: groups of equal neighbours, as (start, stop).
    """

    factor: Factor
    element: Element
    ties: tuple[tuple[int, int], ...]

    def average_over_ties(self, value: Array, axes: Sequence[Axis]) -> Array:
        """Returns the average of a value over all permutations of equal slices.

        Along one axis that is a mean over each tie; along two, the mean of the diagonal and of the
        rest of a block.

        Raises:
            GroupError: the stabiliser acts on the output in another way.
        """
        if all(stop - start == 1 for start, stop in self.ties):
            return value
        places = [
            k for k, axis in enumerate(axes) if any(self.factor.acts_on(t) for t in axis.terms)
        ]
        if any(axes[k].single is None for k in places) or len(places) > 2:
            raise GroupError(
                "the output cannot be averaged over permutations of equal slices",
                given=" ".join(map(str, axes)),
                expected=f"at most two axes {self.factor.axis}",
                hint="use an input whose slices differ, or a smaller size",
            )
        result = value.copy()
        if len(places) == 1:
            slices = np.moveaxis(result, places[0], 0)
            for start, stop in self.ties:
                slices[start:stop] = _mean(slices[start:stop])[None]
        elif len(places) == 2:
            table = np.moveaxis(result, places, (0, 1))
            for a in self.ties:
                for b in self.ties:
                    block = table[a[0] : a[1], b[0] : b[1]]
                    _average_block(block, diagonal=a == b)
        return result


def _mean(slices: Array) -> Array:
    total = slices[0]
    for part in slices[1:]:
        total = total + part
    if is_exact(slices):
        return np.asarray(total * Fraction(1, len(slices)))
    return np.asarray(total / len(slices))


def _average_block(block: Array, *, diagonal: bool) -> None:
    """Replaces a block by its mean, in place.

    With ``diagonal``, the entries on the diagonal are replaced by their mean, and the others by
    theirs.
    """
    on: list[tuple[int, int]] = []
    off = list(np.ndindex(block.shape[:2]))
    if diagonal:
        on = [(i, j) for i, j in off if i == j]
        off = [(i, j) for i, j in off if i != j]
    for places in (on, off):
        if places:
            mean = _mean(np.array([block[i, j] for i, j in places], dtype=block.dtype))
            for i, j in places:
                block[i, j] = mean


def sorting(factor: Factor, arrays: Sequence[Array], signature: Signature) -> Sorting:
    """Sorts the slices along the axis of S(n), comparing the slices of all arguments jointly.

    Raises:
        GroupError: an argument has that axis twice, or inside a sum, or is an index array.
    """
    keys: list[list[Any]] = []
    for argument, array in zip(signature.inputs, arrays, strict=True):
        places = [
            k for k, axis in enumerate(argument.axes) if any(factor.acts_on(t) for t in axis.terms)
        ]
        plain = (
            all(argument.axes[k].single is not None for k in places) and argument.kind != "index"
        )
        if len(places) > 1 or not plain:
            raise GroupError(
                f"the canonical form of {argument} under {factor} is not implemented",
                expected=f"at most one axis {factor.axis} in each argument",
                hint="choose sizes at which all elements can be summed over",
                code="group.canonical",
                given=str(argument),
            )
        if places:
            slices = np.moveaxis(array, places[0], 0)
            if slices.dtype.kind == "c":  # complex numbers are compared by the real part first
                slices = np.stack((slices.real, slices.imag), -1)
            keys.append([tuple(np.ravel(s).tolist()) for s in slices])
    joint = list(zip(*keys, strict=True))
    order = sorted(range(len(joint)), key=joint.__getitem__)
    starts = [i for i in range(len(order)) if i == 0 or joint[order[i]] != joint[order[i - 1]]]
    ties = tuple(zip(starts, [*starts[1:], len(order)], strict=True))
    return Sorting(factor, Element(factor.family, factor.axis, tuple(order)), ties)
