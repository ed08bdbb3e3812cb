"""The context of a rule: the group factor and the Program around an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.size import Size
from eqvproof.programs.node import Node, Shape
from eqvproof.programs.rules.acts import UNI, Act, Type, act_size, fix, std
from eqvproof.programs.rules.characters import SIGNS, WEIGHTS, Characters
from eqvproof.programs.rules.sums import Totals

SPACE = Size.of(3)


@dataclass(frozen=True, slots=True)
class Context:
    """One group factor and the program around an operation.

    Attributes:
        family: the group's name ("O", "S", ...).
        axis: the axis name (or literal size) that the factor acts upon.
        size: the size of that axis.
        nodes: the nodes of the program.
        pins: axis names that are numbers in the program.
        relabelled: inputs whose entries are positions of the axis that the factor permutes.
        generators: the generators of a group that is given by them.
        totals: the sums of nodes that are known (`rules.sums`), under translations and multiples.
        numbers: the characters of the factor; None: those of its kind.
        acts: the acts of claimed axes that carry irreps, and of their parts; identities may have
            them.
        bits: the bits, 24 or 53, of the shortest floats to which constant tables may be rounded:
            they may be read as the invariant ones next to them; 0: they are read as stored.
        flipped: the node of the eigenvectors whose signs the factor flips, if it is no factor of
            the claim.
    """

    family: str
    axis: str | int
    size: Size
    nodes: Sequence[Node]
    pins: Mapping[str, int] = field(default_factory=dict)
    relabelled: frozenset[str] = frozenset()
    generators: tuple[Any, ...] = ()
    totals: Sequence[Totals] = ()
    numbers: Characters | None = None
    acts: tuple[Act, ...] = ()
    bits: int = 24
    flipped: int | None = None

    @property
    def record(self) -> Family:
        """Returns the family of the factor."""
        return EVERY_FAMILY[self.family]

    @property
    def kind(self) -> Kind:
        """Returns the kind of the elements of the factor."""
        return self.record.kind

    @property
    def is_spatial(self) -> bool:
        """Returns True if the factor is O(3) or SO(3), whose values may carry irreps."""
        return self.kind.rotates and self.size == SPACE and not self.generators

    @property
    def characters(self) -> Characters:
        """Returns the characters that may multiply values besides the action on axes."""
        if self.numbers:
            return self.numbers
        if self.has_weights:
            return WEIGHTS
        return SIGNS

    @property
    def has_weights(self) -> bool:
        """Returns True if the determinant has more values than 1 and -1.

        It has only these if the group keeps a form.
        """
        return self.kind.has_dual and not self.record.keeps_form

    def is_relabelled(self, x: int) -> bool:
        """Checks whether a node is an input whose entries the factor relabels."""
        return self.nodes[x].input_name in self.relabelled

    def shape(self, x: int) -> Shape:
        """Returns the shape of a node."""
        return self.nodes[x].shape

    def is_constant(self, x: int) -> bool:
        """Checks whether a node is an array of numbers."""
        return self.nodes[x].constant is not None

    def is_zero(self, x: int) -> bool:
        """Checks whether a node is an array of zeros."""
        array = self.nodes[x].constant
        return array is not None and not np.any(array)

    def fixed(self, shape: Shape) -> Type:
        """Returns the type of a value that is not acted upon at all."""
        return tuple(fix(s) for s in shape)

    def candidates(self, size: Size) -> tuple[Act, ...]:
        """Returns the acts tried for an axis of this size of a zero tensor or identity matrix."""
        moved: tuple[Act, ...] = ()
        if size == self.size:
            moved = (std(size),)
        return (UNI, *moved, *(a for a in self.acts if a not in moved and act_size(a) == size))
