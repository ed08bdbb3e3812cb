"""The nodes of a Program as data: what each is, and what its entries are taken from.

A node is frozen data: ``args`` (indices of earlier nodes), ``shape`` (a tuple of `Size`), and
fields of its own. Values are tensors of real numbers whose entries may be *undefined* (1/0, log 0,
...).

Attributes of the first kind, such as `constant` and `choice`, say which operation a node is: one
operation has a value there, and all others the value that means "another operation". Abstract
methods are questions about the mathematics of an operation: each operation answers all of them.
The walks over Programs state further questions beside themselves, in `rules.sums`, `intervals`,
`signs` and `defined`; `operations.base` joins them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.programs.places import Place, is_whole

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.system import NumberSystem

Shape = tuple[Size, ...]
Args = tuple[int, ...]
Labels = tuple[int, ...]
Lengths = tuple[int, ...]
Sizes = Mapping[str, int]
#: A node with the labels of its axes.
Weight = tuple[int, Labels]


@dataclass(frozen=True, slots=True)
class Node(ABC):
    """One node of a Program.

    Attributes:
        args: the nodes that it is computed from.
        shape: its shape.
        op: its name in certificates.
        rule: the name under which proofs cite its rule.
        keeps_order: whether it has the entries of its argument in their row-major order, whatever
            its shape.
    """

    op: ClassVar[str]
    rule: ClassVar[str]
    keeps_order: ClassVar[bool] = False

    args: Args
    shape: Shape

    def lengths(self, sizes: Sizes) -> Lengths:
        """Returns the shape at given sizes."""
        return tuple([s.value(sizes) for s in self.shape])

    @property
    def input_name(self) -> str | None:
        """Returns the name of an input; None for other operations."""
        return None

    @property
    def constant(self) -> np.ndarray[Any, Any] | None:
        """Returns the array of a constant; None for other operations."""
        return None

    @property
    def is_identity(self) -> bool:
        """Returns True for the identity matrix."""
        return False

    @property
    def triangle(self) -> int | None:
        """Returns k for the matrix that is 1 for j <= i + k, else 0; None for others."""
        return None

    @property
    def extreme(self) -> tuple[str, tuple[int, ...]] | None:
        """Returns ("max" or "min", axes) for an extreme entry along axes; None for others."""
        return None

    @property
    def is_counting(self) -> bool:
        """Returns True for the vector 0, 1, 2, ..."""
        return False

    @property
    def as_size(self) -> Size | None:
        """Returns the size whose value it is; None for others."""
        return None

    @property
    def as_product(self) -> Product | None:
        """Returns itself if it is a sum of products of labelled values, else None."""
        return None

    @property
    def as_reading(self) -> Reading | None:
        """Returns itself if it holds entries of a value at other places, else None."""
        return None

    @property
    def joined_axis(self) -> int | None:
        """Returns the axis along which it joins its arguments; None for others."""
        return None

    @property
    def choice(self) -> Args:
        """Returns the condition and the two values of a choice; nothing for others."""
        return ()

    @property
    def function(self) -> str:
        """Returns the name of the elementwise function that it applies; "" for others."""
        return ""

    @property
    def matrix_function(self) -> str:
        """Returns the name of the function of matrices that it applies; "" for others."""
        return ""

    @property
    def opaque_name(self) -> str | None:
        """Returns the name of the uninterpreted function that it applies; None for others."""
        return None

    @property
    def terms(self) -> Args:
        """Returns the values that it adds up; nothing if it is no sum."""
        return ()

    @property
    def unit_axes(self) -> tuple[int, ...]:
        """Returns axes along which at most one entry is not 0, and that is 1."""
        return ()

    @property
    def single_factor(self) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
        """Returns (value, its labels, those kept) if it sums, repeats and reorders one value.

        None for others.
        """
        return None

    # -- questions that every operation answers
    @property
    @abstractmethod
    def is_up_to_signs(self) -> bool:
        """Returns True if it holds eigenvectors, each determined up to its sign.

        Any other operation is a function: equal arguments give equal results.
        """

    @property
    @abstractmethod
    def is_ordered(self) -> bool:
        """Returns True if the order of values may decide which entries it has."""

    @property
    @abstractmethod
    def is_rational(self) -> bool:
        """Returns True only if entries are rational functions of the entries of the arguments."""

    @property
    @abstractmethod
    def sources(self) -> Args:
        """Returns the arguments that hold all of its entries; nothing if it computes entries."""

    @abstractmethod
    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        """Returns, for each axis of the k-th argument, the axis of the result with its index.

        Entries at an index of that axis depend on entries of the argument at the same index alone;
        None if they may depend on others. The argument has that shape.
        """

    @abstractmethod
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        """Evaluates the operation in any number system."""


@dataclass(frozen=True, slots=True)
class Product(Node):
    """A node that is a sum of products of labelled values."""

    inputs: tuple[Labels, ...]
    output: Labels

    @property
    def factors(self) -> list[Weight]:
        """Returns the arguments, each with the labels of its axes."""
        return list(zip(self.args, self.inputs, strict=True))

    def labels(self, nodes: Sequence[Node]) -> dict[int, Size]:
        """Returns the sizes of all labels."""
        return label_sizes(self.factors, nodes) | dict(zip(self.output, self.shape, strict=True))


@dataclass(frozen=True, slots=True)
class Reading(Node):
    """A node that holds entries of a value at other places."""

    places: tuple[Place, ...]

    def axes(self) -> tuple[range, ...]:
        """Returns the axes of the result by which each axis of the argument is read."""
        found, at = [], 0
        for place in self.places:
            found.append(range(at, at + len(place.steps)))
            at += len(place.steps)
        return tuple(found)

    def changed_axes(self, shape: Shape) -> list[int]:
        """Returns the axes of the argument, of this shape, that are not read unchanged."""
        rows = zip(self.places, self.axes(), shape, strict=True)
        return [
            a for a, (p, axes, size) in enumerate(rows)
            if len(axes) != 1 or not is_whole(p, self.shape[axes.start], size)
        ]  # fmt: skip


def label_sizes(factors: Sequence[Weight], nodes: Sequence[Node]) -> dict[int, Size]:
    """Returns the sizes of labels."""
    return {k: s for x, row in factors for k, s in zip(row, nodes[x].shape, strict=True)}


N_co = TypeVar("N_co", bound=Node, covariant=True)


class HasNodes(Protocol[N_co]):
    """A Program, or the builder of one."""

    @property
    def nodes(self) -> Sequence[N_co]:
        """The nodes, each after its arguments."""
        ...
