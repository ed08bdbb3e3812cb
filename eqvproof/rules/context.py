"""What a rule is told besides the types of the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eqvproof.program.ops import Input, Op, Shape
from eqvproof.program.size import Size
from eqvproof.rules.acts import UNI, Act, Kind, Type, fix, std
from eqvproof.rules.totals import Totals


@dataclass(frozen=True, slots=True)
class Context:
    """One group factor and the program around an operation.

    Attributes:
        kind: what the matrices of the factor have in common.
        family: the group's name ("O", "S", ...).
        axis: the axis name (or literal size) that the factor acts upon.
        size: the size of that axis.
        nodes: the nodes of the program.
        pins: axis names that are numbers in the program.
        relabelled: inputs whose entries are positions of the axis that the factor permutes.
        generators: of a group that is given by them.
        totals: the sums of nodes that are known (`rules.totals`), under translations.
    """

    kind: Kind
    family: str
    axis: str | int
    size: Size
    nodes: Sequence[Op]
    pins: Mapping[str, int] = field(default_factory=dict)
    relabelled: frozenset[str] = frozenset()
    generators: tuple[Any, ...] = ()
    totals: Sequence[Totals] = ()

    def is_relabelled(self, x: int) -> bool:
        """Whether a node is an input whose entries the factor relabels."""
        node = self.nodes[x]
        return isinstance(node, Input) and node.name in self.relabelled

    def shape(self, x: int) -> Shape:
        """The shape of a node."""
        return self.nodes[x].shape

    def fixed(self, shape: Shape) -> Type:
        """The type of a value that is not acted upon at all."""
        return tuple(fix(s) for s in shape)

    def candidates(self, size: Size) -> tuple[Act, ...]:
        """The acts that an identically zero axis of this size is tried with."""
        return (UNI, std(size)) if size == self.size else (UNI,)
