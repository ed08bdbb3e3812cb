"""The operations of a Program: frozen data, one class an operation.

Every operation has ``args`` (indices of earlier nodes) and ``shape`` (a tuple of `Size`); what else it
holds is a field. Values are tensors of real numbers whose entries may be *undefined* (1/0, log 0, ...).
Their evaluation is in ``evaluate/``, their transformation rules in ``rules/``, their re-check in ``kernel/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.program.size import Size
from eqvproof.program.stored import Stored

Shape = tuple[Size, ...]
Args = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """An argument of the function."""

    args: Args
    shape: Shape
    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A tensor of rational numbers of constant shape; values are row-major, many are as they are stored."""

    args: Args
    shape: Shape
    values: tuple[Fraction, ...] | Stored

    def array(self) -> np.ndarray[Any, Any]:
        """The tensor: as it is stored, or of Fractions."""
        flat = self.values.array if isinstance(self.values, Stored) else np.array(self.values, dtype=object)
        return flat.reshape([s.constant or 0 for s in self.shape])

    def bounds(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest entry; 0 where there is none."""
        if isinstance(self.values, Stored):
            return Fraction(self.values.array.min().item()), Fraction(self.values.array.max().item())
        return min(self.values, default=Fraction(0)), max(self.values, default=Fraction(0))


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The scalar that a size is."""

    args: Args
    shape: Shape
    size: Size


@dataclass(frozen=True, slots=True)
class Indicator:
    """1 where a relation holds between i and the index j of the last axis, else 0.

    Without an argument i is the index of the only other axis; the relation is ``i = j``, shape (s, s), or
    with an offset ``j <= i + offset``, shape (s, t). With one, i is its entry at the other indices, and the
    relation is ``i = j``: one-hot vectors, undefined where the entry is.
    """

    args: Args
    shape: Shape
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Iota:
    """0, 1, ..., s - 1, shape (s,)."""

    args: Args
    shape: Shape


@dataclass(frozen=True, slots=True)
class Einsum:
    """The sum over all labels that are not in ``output`` of the product of the arguments.

    A label repeated in one input takes a diagonal; an output label that is in no input is a broadcast.
    """

    args: Args
    shape: Shape
    inputs: tuple[tuple[int, ...], ...]
    output: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Add:
    """The sum of at least two values of the same shape."""

    args: Args
    shape: Shape


@dataclass(frozen=True, slots=True)
class Map:
    """An elementwise function of values of the same shape."""

    args: Args
    shape: Shape
    fn: str


@dataclass(frozen=True, slots=True)
class Select:
    """a where c is not 0, else b (args c, a, b of the same shape)."""

    args: Args
    shape: Shape


@dataclass(frozen=True, slots=True)
class Reduce:
    """max, min or prod over some axes."""

    args: Args
    shape: Shape
    fn: str
    axes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Concat:
    """The arguments one after another along an axis."""

    args: Args
    shape: Shape
    axis: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where an axis is read: at start + sum_k steps[k] i_k, where ``cyclic`` modulo the size of the axis.

    The i_k are the indices of neighbouring axes of the result.
    """

    start: Size
    steps: tuple[int, ...]
    cyclic: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """Entries at other places: a part of an axis, an axis reversed or shifted, or all its shifts.

    The axes of the argument are read one by one, the first by the first axes of the result, and so on.
    """

    args: Args
    shape: Shape
    places: tuple[Place, ...]

    def axes(self) -> tuple[range, ...]:
        """The axes of the result by which each axis of the argument is read."""
        found, at = [], 0
        for place in self.places:
            found.append(range(at, at + len(place.steps)))
            at += len(place.steps)
        return tuple(found)

    def moved(self) -> tuple[int, ...]:
        """The axes of the argument that are not read as they are."""
        return tuple(a for a, place in enumerate(self.places) if place != WHOLE)


#: An axis that is read as it is, from its beginning; where it is read to its end tells the size.
WHOLE = Place(Size.of(0), (1,))


@dataclass(frozen=True, slots=True)
class Reshape:
    """The same entries, row-major, in another shape."""

    args: Args
    shape: Shape


@dataclass(frozen=True, slots=True)
class Sort:
    """Ascending order along an axis."""

    args: Args
    shape: Shape
    axis: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """A function of the matrices M in the last two axes.

    inv: the inverse, undefined where singular; det: the determinant; pinv: the pseudo-inverse (Moore,
    Penrose), defined for every matrix; eigvals: the eigenvalues of S = (M + M^T)/2, in ascending order;
    spectral: sum_k w_k v_k v_k^T of S and of a second argument w over its last axis, v_k the unit
    eigenvector of the k-th smallest eigenvalue; where some are equal, their w_k are averaged.
    """

    args: Args
    shape: Shape
    fn: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """An uninterpreted deterministic function; ``symmetry`` is an assumed equivariance, as in a claim."""

    args: Args
    shape: Shape
    name: str
    symmetry: str | None  # canonical JSON text, so that the node stays hashable


Op = (
    Input | Const | SizeOf | Iota | Indicator | Einsum | Add | Map | Select | Reduce | Concat | Read
    | Reshape | Sort | Matrix | Opaque
)  # fmt: skip

OPERATIONS: tuple[tuple[str, type[Any]], ...] = (
    ("input", Input), ("const", Const), ("size", SizeOf), ("iota", Iota), ("indicator", Indicator),
    ("einsum", Einsum), ("add", Add), ("map", Map), ("select", Select), ("reduce", Reduce),
    ("concat", Concat), ("read", Read), ("reshape", Reshape), ("sort", Sort), ("matrix", Matrix),
    ("opaque", Opaque),
)  # fmt: skip

OP_NAMES: Mapping[type[Any], str] = {cls: name for name, cls in OPERATIONS}


def is_identity(op: Op) -> bool:
    """Whether an operation is the identity matrix."""
    return isinstance(op, Indicator) and not op.args and op.offset is None



#: Elementwise functions: name -> (number of arguments, parity: "odd", "even" or "").
MAP_FUNCTIONS: Mapping[str, tuple[int, str]] = {
    "pi": (0, ""), "recip": (1, "odd"), "exp": (1, ""), "log": (1, ""), "sqrt": (1, ""), "cbrt": (1, "odd"),
    "abs": (1, "even"), "sign": (1, "odd"), "sin": (1, "odd"), "cos": (1, "even"), "tan": (1, "odd"),
    "sinh": (1, "odd"), "cosh": (1, "even"), "tanh": (1, "odd"), "arcsin": (1, "odd"), "arccos": (1, ""),
    "arctan": (1, "odd"), "arcsinh": (1, "odd"), "erf": (1, "odd"), "floor": (1, ""), "ceil": (1, ""),
    "rint": (1, "odd"), "not": (1, "even"), "maximum": (2, ""), "minimum": (2, ""), "arctan2": (2, ""),
    "pow": (2, ""), "mod": (2, ""), "lt": (2, ""), "le": (2, ""), "gt": (2, ""), "ge": (2, ""), "eq": (2, ""),
    "ne": (2, ""), "and": (2, ""), "or": (2, ""),
}  # fmt: skip

REDUCE_FUNCTIONS: tuple[str, ...] = ("max", "min", "prod")
MATRIX_FUNCTIONS: tuple[str, ...] = ("inv", "det", "pinv", "eigvals", "spectral")
