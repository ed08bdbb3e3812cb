"""Claims with one element per entry of an axis (``S(n) each b``), from proofs for one element.

Let g be one g_b for each entry b. A value *follows* along an axis when its entry b at g x is as at
``g_b x``, which has the one element g_b everywhere; it is *free* when it is the same at g x as at
x. The inputs that g moves follow along their axis b. A value that depends, entry by entry along
these axes, on entries b of values that follow and on free values, follows; and it is free where the
proof says that one element does not change it. So is a sum over b of products that are free, as
they are where nothing acts on their axis b.

b may be a digit of an index, ``(i div r) mod s``: a place is an axis with r. In row-major order the
digit is that of ``F div R`` for the entry F, R being r times the sizes of the axes behind, whatever
the axes are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eqvproof.claims.groups import Factor
from eqvproof.claims.signature import Axis, Signature
from eqvproof.programs import Program, Size
from eqvproof.programs.operations import Operation, Shape
from eqvproof.programs.rules import Stuck

#: An axis, and the number of entries after which the digit of its index grows.
Place = tuple[int, Size]


def find_mixed(
    program: Program, signature: Signature, factor: Factor,
    lines: Sequence[tuple[int, tuple[int, ...], bool, Sequence[bool]]], count: Size,
    flipped: int | None = None,
) -> int | None:  # fmt: skip
    """Returns the first node that mixes entries with elements of their own; None if there is none.

    Args:
        lines: those of the proof for one element: the node, the lines of its arguments, whether
            that element leaves it unchanged, and for each axis whether nothing acts on it.
        count: the number of entries that have elements of their own.
        flipped: the node of the eigenvectors on which elements act, one matrix for each entry of
            the first axis.
    """
    by_name = {a.name: a for a in signature.inputs}
    follows: list[Place | None] = []
    for node, premises, is_still, _ in lines:
        op = program.nodes[node]
        if node == flipped:
            follows.append((0, Size.of(1)))
            continue
        if op.input_name is not None:
            argument = by_name[op.input_name]
            moves = not is_still or argument.indexes == factor.axis
            follows.append(_claimed(factor, argument.axes) if moves else None)
            continue
        about = tuple(lines[p][0] for p in premises)
        try:
            if about == op.args:
                args = [
                    (program.nodes[a], follows[p], lines[p][3])
                    for a, p in zip(op.args, premises, strict=True)
                ]
                place = _followed(op, args, count, is_still=is_still)
            else:
                starts = {lines[p][0]: follows[p] for p in premises}
                place = _followed_between(program, node, starts, count)
        except Stuck:
            return node
        follows.append(None if is_still else place)
    if follows[-1] not in (None, _claimed(factor, signature.output)):
        return lines[-1][0]
    return None


def _followed_between(
    program: Program, node: int, starts: Mapping[int, Place | None], count: Size
) -> Place | None:
    """Returns the place along which a value follows that normal forms show to be of a type.

    Args:
        program: the program.
        node: the value.
        starts: the values by whose types they show it, with the places along which these follow.
        count: the number of entries that have elements of their own.

    Raises:
        Stuck: the value mixes entries.
    """
    inside, stack = set[int](), [node]
    while stack:
        this = stack.pop()
        if this not in inside and (this == node or this not in starts):
            inside.add(this)
            stack.extend(program.nodes[this].args)
    places = dict(starts)
    for this in sorted(inside):
        op = program.nodes[this]
        args = [(program.nodes[a], places[a], ()) for a in op.args]
        places[this] = _followed(op, args, count, is_still=False)
    return places[node]


def _claimed(factor: Factor, axes: Sequence[Axis]) -> Place | None:
    place = factor.place_of_each(axes)
    if place is None:
        return None
    return (place, Size.of(1))


def _followed(
    op: Operation, args: Sequence[tuple[Operation, Place | None, Sequence[bool]]], count: Size, *,
    is_still: bool,
) -> Place | None:  # fmt: skip
    """Returns the place along which a value follows; None if it is free.

    Raises:
        Stuck: the value mixes entries.
    """
    axes = [(k, *place) for k, (_, place, _) in enumerate(args) if place is not None]
    if op.keeps_order and axes:
        return _reshaped(*axes[0][1:], args[0][0].shape, op.shape, count)
    product = op.as_product
    if product is not None and is_still and axes:
        labels = {(product.inputs[k][place], step) for k, place, step in axes}
        rows = zip(product.inputs, args, strict=True)
        named = {label for label, _ in labels}
        acted = any(
            k in named and not fixed[i] for row, (*_, fixed) in rows for i, k in enumerate(row)
        )
        if len(labels) == 1 and not acted:
            return None
    found = {(op.along(k, args[k][0].shape)[place], step) for k, place, step in axes}
    if not found:
        return None
    axis, step = found.pop()
    if found or axis is None:
        raise Stuck("mixed")
    return axis, step


def _reshaped(axis: int, step: Size, old: Shape, new: Shape, count: Size) -> Place:
    """Returns the place of a digit after a reshape.

    Raises:
        Stuck: no axis of the new shape has the digit.
    """
    for size in old[axis + 1 :]:
        step = step * size
    for k in reversed(range(len(new))):
        if new[k].divide(count * step) is not None:
            return k, step
        rest = step.divide(new[k])
        if rest is None:
            break
        step = rest
    raise Stuck("mixed")
