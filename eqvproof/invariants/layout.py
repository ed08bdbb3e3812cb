"""The axis of a signature on which a classical group acts, and arguments laid out as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.claims.groups.model import Factor
from eqvproof.claims.groups.parse import Under, complex_axes, parse_group
from eqvproof.claims.signature import Axis, Signature, Term, parse_form
from eqvproof.claims.signature.complex_axes import in_reals
from eqvproof.claims.signature.forms import plain_signature
from eqvproof.invariants.calling import Array
from eqvproof.invariants.witnesses.orbit_space import require_classical
from eqvproof.support.errors import OptionTypeError, ShapeError, SignatureError

#: dimensions d and numbers of vectors n that are tried, in this order
_TRIED = (
    *((1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (1, 2), (2, 3)),
    *((4, 2), (4, 3), (3, 1), (4, 5)),
)


@dataclass(frozen=True, slots=True)
class Block:
    """The position of the axis d in an array that is read as columns of length d.

    Attributes:
        name: the name of the argument ("" for the output).
        place: the position of the axis d.
        axes: the number of axes of the array, 1 or 2.
        other: the other axis, or None.
        is_dual: whether the group acts by the inverse transpose, or on complex arrays by the
            conjugate.
    """

    name: str
    place: int
    axes: int
    other: Axis | None
    is_dual: bool = False

    def to_columns(self, array: Array) -> Array:
        """Converts an array to its d x m matrix of columns."""
        if self.axes == 1:
            return array[:, None]
        if self.place == 0:
            return array
        return array.T

    def from_columns(self, columns: Array) -> Array:
        """Converts columns back to the array that they represent."""
        if self.axes == 1:
            return columns[:, 0]
        if self.place == 0:
            return columns
        return columns.T


@dataclass(frozen=True, slots=True)
class Layout:
    """The arguments and the value of a function, described as families of vectors.

    The value may also be an invariant array, on which the group does not act.

    Attributes:
        signature: the signature.
        factor: the classical group, with the axis on which it acts.
        blocks: one block for each argument.
        output: the block of the value; None if the group does not act on it.
        fixed: fixed sizes.
    """

    signature: Signature
    factor: Factor
    blocks: tuple[Block, ...]
    output: Block | None
    fixed: Mapping[str, int]

    @property
    def is_complex(self) -> bool:
        """True if the vectors are complex."""
        return self.factor.record.is_complex

    @property
    def is_paired(self) -> bool:
        """True if the group (GL, SL) has no form that identifies covectors with vectors."""
        return self.factor.kind.has_dual and not self.factor.record.keeps_form

    @property
    def dimension(self) -> int | None:
        """The size of the axis d, or None if it is not fixed."""
        axis = self.factor.axis
        if isinstance(axis, int):
            return axis
        return self.fixed.get(axis)

    def join(self, arrays: Sequence[Array]) -> Array:
        """Concatenates the vectors of all arguments as the columns of one d x n matrix."""
        return np.concatenate(
            [b.to_columns(a) for b, a in zip(self.blocks, arrays, strict=True)], axis=1
        )

    def split(self, columns: Array, widths: Sequence[int]) -> list[Array]:
        """Splits the columns of all arguments into the arguments; the inverse of `join`."""
        ends = np.cumsum([0, *widths]).tolist()
        return [
            block.from_columns(columns[:, a:b])
            for block, a, b in zip(self.blocks, ends[:-1], ends[1:], strict=True)
        ]


def read_layout(
    signature: str,
    sizes: Mapping[str, int] | None,
    axis: str | None = None,
    under: Under | None = None,
) -> Layout:
    """Reads the layout of a signature such as "X: d n, Z: d k -> d n" under a classical group.

    The group is O(d) by default.

    Raises:
        SignatureError: an argument without the axis d, or with more than one other axis; likewise
            an output with the axis d.
        GroupError: the group is not a classical group on one axis.
    """
    if sizes is not None and not isinstance(sizes, Mapping):
        raise OptionTypeError(
            "sizes= is not a dict",
            given=type(sizes).__name__,
            expected="a dict whose keys are names of axes",
            hint="sizes={'d': 3}",
            code="sizes.mapping",
        )
    form = parse_form(signature)
    if not all(leaf.is_complex for leaf in form.leaves):
        plain_signature(form)
    whole = form.signatures[0]
    parsed = Signature(whole.inputs, whole.output, form.text)
    if under is None:
        under = f"O({_vector_axis(parsed, axis)})"
    group = parse_group(under, in_reals(form, complex_axes(under, form)).signatures[0])
    factor = require_classical(group, under)
    blocks = [_block_of(a.name, a.axes, factor) for a in parsed.inputs]
    output = _block_of("", parsed.output, factor)
    if len(form.results) > 1 or None in blocks:
        raise _no_vectors(
            parsed, f"every argument must be a family of vectors along the axis of {factor}"
        )
    fixed = {**group.pins, **(sizes or {})}
    return Layout(parsed, factor, tuple(b for b in blocks if b), output, fixed)


def _vector_axis(parsed: Signature, axis: str | None) -> str:
    everything = [*(a.axes for a in parsed.inputs), parsed.output]
    candidates = [
        name for name in parsed.names if all(_count_axis(axes, name) == 1 for axes in everything)
    ]
    if axis:
        candidates = [name for name in candidates if name == axis]
    elif "d" in candidates:
        candidates = ["d"]
    if len(candidates) != 1:
        raise _no_vectors(
            parsed, "no axis of vectors occurs once in every argument and in the output"
        )
    return candidates[0]


def _no_vectors(parsed: Signature, what: str) -> SignatureError:
    return SignatureError(
        f"which arrays are families of vectors is not clear: {what}",
        given=parsed.text,
        expected='families of vectors, such as "X: d n, Z: d k -> d n"',
        hint="call the axis d, or name it with axis= or under=; close over other arguments",
        code="signature.vectors",
    )


def _count_axis(axes: Sequence[Axis], name: str) -> int:
    return sum(axis.single == name for axis in axes)


def _block_of(name: str, axes: Sequence[Axis], factor: Factor) -> Block | None:
    """Returns the block of an array; None if the group does not act on it."""

    def acts(term: Term) -> bool:
        axis = term.coefficient if term.name is None else term.name
        return bool(axis) and axis == factor.axis and term.mark != "!"

    places = [i for i, axis in enumerate(axes) if any(acts(t) for t in axis.terms)]
    if not places:
        return None
    (place, *more) = places
    terms = axes[place].terms
    if more or len(axes) > 2 or len(terms) > 1 or (terms[0].name and terms[0].coefficient > 1):
        text = " ".join(map(str, axes))
        raise SignatureError(
            f"{name or 'the output'} is not a family of vectors",
            given=text,
            expected="one axis on which the group acts, and at most one more",
            hint="vectors as columns or rows: d n, n d or d",
            code="signature.vectors",
        )
    other = next((a for i, a in enumerate(axes) if i != place), None)
    return Block(name, place, len(axes), other, terms[0].mark == "*")


def trial_sizes(layout: Layout, count: int) -> list[dict[str, int]]:
    """Returns sizes of the axis names to try, small ones first, at which the group has its form."""
    names, family = list(layout.signature.input_names), layout.factor.record
    patterns = []
    for d, n in _TRIED:
        pattern = {name: n + k for k, name in enumerate(names)}
        known: dict[Any, int] = {layout.factor.axis: d, **layout.fixed}
        pattern.update({name: known[name] for name in names if name in known})
        patterns.append(pattern)
    unique = [dict(t) for t in dict.fromkeys(tuple(p.items()) for p in patterns)]
    has_form = [
        p for p in unique if not family.keeps_form or family.form(layout.factor.size(p)) is not None
    ]
    return has_form[:count]


def argument_widths(layout: Layout, sizes: Mapping[str, int]) -> list[int]:
    """Returns the number of vectors of each argument at given sizes."""
    widths = []
    for block in layout.blocks:
        if block.other is None:
            widths.append(1)
        else:
            widths.append(block.other.at(sizes))
    return widths


def widths_of_grams(layout: Layout, grams: Sequence[Array]) -> list[int]:
    """Returns the number of vectors of each argument, from the diagonal blocks of a Gram matrix.

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
