"""Which axis of a signature is turned by O(d), and how arguments are laid out as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.errors import ShapeError, SignatureError
from eqvproof.signature import Axis, Signature, parse_signature

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Block:
    """How an array with the axis d and at most one more is read as columns of length d.

    Attributes:
        name: of the argument ("" for the output).
        place: the position of the axis d.
        axes: how many axes the array has, 1 or 2.
        other: the other axis, or None.
    """

    name: str
    place: int
    axes: int
    other: Axis | None

    def to_columns(self, array: Array) -> Array:
        """d x m."""
        if self.axes == 1:
            return array[:, None]
        return array if self.place == 0 else array.T

    def from_columns(self, columns: Array) -> Array:
        """The array that these columns stand for."""
        if self.axes == 1:
            return columns[:, 0]
        return columns if self.place == 0 else columns.T


@dataclass(frozen=True, slots=True)
class Layout:
    """A function of several families of vectors of R^d, with a family of vectors as its value.

    Attributes:
        signature: the signature.
        axis: the name of the axis d.
        blocks: of the arguments.
        output: of the value.
        fixed: sizes that are fixed.
    """

    signature: Signature
    axis: str
    blocks: tuple[Block, ...]
    output: Block
    fixed: Mapping[str, int]

    def join(self, arrays: Sequence[Array]) -> Array:
        """All vectors of all arguments as the columns of one d x n matrix."""
        return np.concatenate([b.to_columns(a) for b, a in zip(self.blocks, arrays, strict=True)], axis=1)

    def split(self, columns: Array, widths: Sequence[int]) -> list[Array]:
        """The arguments from the columns of all."""
        ends = np.cumsum([0, *widths]).tolist()
        return [
            block.from_columns(columns[:, a:b])
            for block, a, b in zip(self.blocks, ends[:-1], ends[1:], strict=True)
        ]


def read_layout(signature: str, sizes: Mapping[str, int] | None, axis: str | None) -> Layout:
    """The layout of a signature such as "X: d n, Z: d k -> d n".

    Raises:
        SignatureError: an argument or the output without the axis d, or with more than one other axis.
    """
    parsed = parse_signature(signature)
    everything = [(a.name, a.axes) for a in parsed.inputs] + [("", parsed.output)]
    candidates = [name for name in parsed.names if all(_places(axes, name) == 1 for _, axes in everything)]
    chosen = axis or ("d" if "d" in candidates else candidates[0] if len(candidates) == 1 else "")
    if chosen not in candidates or any(len(axes) > 2 for _, axes in everything):
        raise SignatureError(
            "no axis of vectors stands once in every argument and in the output"
            if not candidates
            else "which axis holds the coordinates of the vectors is not clear",
            given=parsed.text,
            expected='families of vectors, such as "X: d n, Z: d k -> d n"',
            hint="" if not candidates else "call it d, or pass axis=",
            code="signature.vectors",
        )
    blocks = [_block(name, axes, chosen) for name, axes in everything]
    return Layout(parsed, chosen, tuple(blocks[:-1]), blocks[-1], dict(sizes or {}))


def _places(axes: Sequence[Axis], name: str) -> int:
    return sum(axis.single == name for axis in axes)


def _block(name: str, axes: Sequence[Axis], axis: str) -> Block:
    place = next(i for i, a in enumerate(axes) if a.single == axis)
    other = next((a for i, a in enumerate(axes) if i != place), None)
    return Block(name, place, len(axes), other)


def trial_sizes(layout: Layout, count: int) -> list[dict[str, int]]:
    """Sizes of the axis names to try, small ones first."""
    names = [name for name in layout.signature.input_names]
    patterns = [
        {name: (d if name == layout.axis else n + k) for k, name in enumerate(names)}
        for d, n in ((1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (1, 2), (2, 3), (4, 2), (4, 3), (3, 1))
    ]
    for pattern in patterns:
        pattern.update({k: v for k, v in layout.fixed.items() if k in pattern})
    unique = [dict(t) for t in dict.fromkeys(tuple(p.items()) for p in patterns)]
    return unique[:count]


def argument_widths(layout: Layout, sizes: Mapping[str, int]) -> list[int]:
    """The number of vectors of each argument at given sizes."""
    return [1 if b.other is None else b.other.at(sizes) for b in layout.blocks]


def widths_of_grams(layout: Layout, grams: Sequence[Array]) -> list[int]:
    """The number of vectors of each argument, from the diagonal blocks of a Gram matrix.

    Raises:
        ShapeError: blocks that do not fit together.
    """
    widths = []
    for block, gram in zip(layout.blocks, grams, strict=True):
        if gram.ndim != 2 or gram.shape[0] != gram.shape[1]:
            raise ShapeError(
                f"the Gram matrix of {block.name} is not square",
                given=f"shape {gram.shape}",
                expected="n x n, for n vectors",
                hint="give X^T X",
            )
        if block.axes == 1 and gram.shape[0] != 1:
            raise ShapeError(
                f"{block.name} is one vector",
                given=f"a Gram matrix of shape {gram.shape}",
                expected="a Gram matrix 1 x 1",
                hint="give its squared norm",
            )
        widths.append(int(gram.shape[0]))
    return widths
