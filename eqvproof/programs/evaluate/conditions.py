"""Conditions of definedness, as sums of hashes over prime fields; see `definedness`.

Arrays of sums are kept with axes of size 1 where entries do not vary; None is the empty sum
everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np

from eqvproof.programs.evaluate.channels import Residues, each
from eqvproof.programs.evaluate.matrices import eliminate
from eqvproof.programs.evaluate.modular import ModularSystem
from eqvproof.programs.node import Node, Sizes
from eqvproof.programs.operations.functions import Function


@dataclass(frozen=True, slots=True, eq=False)
class ConditionedValue:
    """A value and the conditions under which its entries are defined.

    Attributes:
        value: shape as the node has it.
        conditions: sums of hashes, of a shape that can be broadcast to it; None: defined
            everywhere.
    """

    value: Residues
    conditions: Residues | None


class Conditions:
    """Builds and combines conditions of definedness; None stands for no condition.

    Attributes:
        system: the fields and hashes.
        sizes: the axis sizes.
    """

    def __init__(self, system: ModularSystem, sizes: Sizes) -> None:
        self.system = system
        self.sizes = sizes

    def hashed(self, name: object, *arrays: Residues) -> Residues:
        """Returns a condition on the entries of arrays of equal shape."""
        return self.system.hashed(name, *arrays)

    def function_is_defined(self, row: Function, arrays: Sequence[Residues]) -> Residues:
        """Returns the condition that a function is defined.

        That of an odd or even function does not depend on the sign of its argument.
        """
        if row.name == "mod":
            return self.system.even("defined mod", arrays[1])
        if len(arrays) == 1 and row.parity:
            return self.system.even(("defined", row.name), arrays[0])
        return self.hashed(("defined", row.name), *arrays)

    def call_is_defined(self, name: str, value: Residues) -> Residues:
        """Returns the condition that an uninterpreted function is defined at its arguments."""
        first = each(value, lambda x: x.reshape(-1)[:1].reshape((1,) * x.ndim))
        return self.hashed(("defined", "opaque", name), first)

    def has_positive_pivots(self, matrix: Residues) -> Residues:
        """Returns the condition that the pivots of elimination are above 0, for each matrix."""
        above = self.hashed("defined cholesky", eliminate(self.system, matrix)[1])
        return self.system.total(above, (len(above.shape) - 1,))

    def conjunction(self, parts: Sequence[Residues | None]) -> Residues | None:
        """Returns the conjunction of these conditions."""
        some = [p for p in parts if p is not None]
        if some:
            return self.system.add(some)
        return None

    def sum_along(
        self, conditions: Residues | None, axes: Sequence[int], *, keep: bool = False
    ) -> Residues | None:
        """Sums conditions along axes; entries that do not vary count once."""
        if conditions is None or not axes:
            return conditions
        total = self.system.total(conditions, tuple(axes))
        if keep:
            return each(total, lambda x: np.expand_dims(x, tuple(axes)))
        return total

    def with_axes(self, conditions: Residues | None, count: int) -> Residues | None:
        """Adds `count` new last axes along which the conditions do not vary."""
        if conditions is None:
            return None
        return each(conditions, lambda x: x[(..., *(None,) * count)])

    def broadcast(self, conditions: Residues | None, like: Residues) -> Residues:
        """Broadcasts conditions to the shape of a value."""
        if conditions is None:
            return each(like, np.zeros_like)
        return self.system.broadcast(conditions, like.shape)

    def sum_everywhere(self, conditions: Residues | None, value: Residues) -> Residues | None:
        """Returns the sum of all conditions, for every entry of a value."""
        if conditions is None:
            return None
        return each(
            self.system.total(conditions, range(len(conditions.shape))), lambda x: _ones(x, value)
        )

    def read_conditions(
        self, node: Node, arg: ConditionedValue, value: Residues
    ) -> Residues | None:
        """Reads conditions at the places at which a node reads the entries."""
        if arg.conditions is None:
            return None
        if prod(arg.conditions.shape) == 1:
            return each(arg.conditions, lambda x: _ones(x, value))
        wide = self.system.broadcast(arg.conditions, arg.value.shape)
        moved: Residues = node.evaluate(self.system, [wide], self.sizes)
        return moved

    def of_factor(
        self, arg: ConditionedValue, row: Sequence[int], output: Sequence[int]
    ) -> Residues | None:
        """Returns the conditions of a labelled factor for the output labels of a product."""
        conditions = arg.conditions
        if conditions is None:
            return None
        labels = list(row)
        for label in dict.fromkeys(row):
            while labels.count(label) > 1:
                first = labels.index(label)
                second = labels.index(label, first + 1)
                size = arg.value.shape[row.index(label)]
                conditions = each(
                    conditions, partial(_repeated_diagonal, first=first, second=second, size=size)
                )
                labels = [k for n, k in enumerate(labels) if n not in (first, second)] + [label]
        inner = tuple(k for k, label in enumerate(labels) if label not in output)
        conditions = self.sum_along(conditions, inner) or conditions
        kept = [label for label in labels if label in output]
        order = [kept.index(label) for label in output if label in kept]
        places = tuple(slice(None) if label in kept else None for label in output)
        return each(self.system.permute(conditions, order), lambda x: x[places])


def _repeated_diagonal(x: Any, first: int, second: int, size: int) -> Any:
    shape = list(x.shape)
    shape[first] = shape[second] = size
    return np.diagonal(np.broadcast_to(x, shape), axis1=first, axis2=second)


def _ones(x: Any, like: Residues) -> Any:
    return x.reshape((1,) * len(like.shape))
