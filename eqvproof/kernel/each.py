"""Checks proofs under ``G each b``: an element g_b of its own for each entry b of an axis.

The lines of a proof say what a value is at g x where all g_b are equal. Beside that, a value v

* is *free* when v(g x) = v(x) for all g;
* *follows* along an axis when ``v(g x)[b] = v(g_b x)[b]`` for all g and b, b the index of that
  axis, where ``g_b x`` has the one element g_b for all entries.

An input on which g acts follows along its axis of that name; others are free. A value computed from
free values is free. Where an operation is done index by index along the axes along which its
arguments follow, entry b of its value at g x rests on entries b of these, which are as at g_b x,
and on free arguments, which are as at g_b x: the value follows along the axis that holds the index.
A value that follows is free where the lines say ``v(g_b x) = v(x)``. A sum of products over b is
free where the lines say so of it, and nothing acts on an axis with the index b: by the same rule
they say so of the products that are not summed over b.

The result is as claimed where it follows along the claimed axis, by ``f(g x)[b] = f(g_b x)[b] = g_b
f(x)[b]``, or is free: then ``g_b f(x) = f(g_b x) = f(x)`` for each b.

b may be a digit of the index i of an axis, ``(i div r) mod s`` with s the number of entries b: a
place is the axis with r. What is done index by index of the axis is so digit by digit. Of the
row-major position F of an entry b is ``(F div R) mod s``, with R = r times the sizes of the axes
that follow; this stays so when the shape is another, where R is r' times the sizes of those that
follow an axis of a multiple of s r' entries.
"""

from __future__ import annotations

from collections.abc import Sequence

from .claims import Axis, Claim, Factor
from .lines import Lines
from .loading import part
from .program import Node, Program, Shape
from .report import Rejected, spend
from .rules import RULES, reshape
from .rules.leaves import INPUT
from .sizes import ONE, Size

#: For a type: whether values are the same at g x as at x, and along which axes nothing acts. The
#: latter is None where one number multiplies all of a value, or a vector is added.
Known = tuple[bool, tuple[bool, ...] | None]
#: An axis, and the number of entries after which the digit b of its index grows.
Place = tuple[int, Size]
#: Where an argument follows (None if it is free), the argument, along which of its axes nothing
#: acts.
Argument = tuple[Place | None, Node, tuple[bool, ...] | None]
NOWHERE = (-1, ONE)


def require(
    claim: Claim,
    program: Program,
    factor: Factor,
    proof: Lines,
    known: Sequence[Known],
    path: str,
    flipped: int | None = None,
) -> None:
    """Requires that a proof for equal elements holds for one element for each entry of an axis.

    Args:
        known: facts about the types of the proof, see `Known`.
        flipped: in place of inputs, the eigenvectors that the elements move, of one matrix for each
            entry of their first axis.

    Raises:
        Rejected: it is not shown to hold.
    """
    axes, places = dict(claim.inputs), list[Place | None]()
    count = Size.of(claim.pins.get(factor.each, factor.each))
    if flipped is not None:
        count = program.nodes[flipped].shape[0]
    for number, line in enumerate(proof.lines):
        node, (is_still, _) = program.nodes[line.node], known[line.type]
        spend(1 + len(line.premises))
        if line.node == flipped:
            places.append((0, ONE))
            continue
        if node.op == INPUT:
            name = node.at["name"]
            moves = claim.indices.get(name) == factor.axis or factor.moves(axes[name])
            places.append(_claimed(factor, axes[name]) if moves else None)
            continue
        if number in proof.shown:
            starts = {proof.lines[p].node: places[p] for p in line.premises}
            inside = part("flips").region(program, line.node, starts)
            place = part("flips").followed_through(program, inside, starts, count)
        else:
            args: list[Argument] = []
            for p in line.premises:
                earlier = proof.lines[p]
                args.append((places[p], program.nodes[earlier.node], known[earlier.type][1]))
            place = followed(node, args, count, is_still=is_still, is_scaled=factor.kind == "scale")
        if place == NOWHERE:
            raise Rejected(
                f"{path}.lines[{number}]: {node.op} is not done index by index along the axis"
            )
        places.append(None if is_still else place)
    if factor.moves(claim.output):
        wanted = _claimed(factor, claim.output)
    else:
        wanted = None
    if places[-1] not in (None, wanted):
        raise Rejected(
            f"{path}: the result is not seen to be one value for each entry of {factor.each}"
        )


def _claimed(factor: Factor, axes: Sequence[Axis]) -> Place | None:
    place = factor.place(axes)
    if place is None:
        return None
    return (place, ONE)


def followed(
    node: Node, args: Sequence[Argument], count: Size, *, is_still: bool, is_scaled: bool
) -> Place | None:
    """Returns where a node follows, given where its arguments follow; None where it is free."""
    following = [(place, arg) for place, arg, _ in args if place is not None]
    if not following:
        return None
    rule = RULES[node.op]
    if node.op == reshape.RULE.name:
        return _reshaped(following[0][0], following[0][1].shape, node.shape, count)
    if rule.form != "product":
        along = rule.along or rule.carries
        found = {
            ((along(node, arg.shape) or {at: None})[at], after) for (at, after), arg in following
        }
        axis, step = found.pop()
        if found or axis is None:
            return NOWHERE
        return (axis, step)
    rows, output = node.at["inputs"], node.at["output"]
    pairs = {
        (row[arg[0][0]], arg[0][1])
        for row, arg in zip(rows, args, strict=True)
        if arg[0] is not None
    }
    label, step = pairs.pop()
    if pairs:
        return NOWHERE
    if label in output:
        return output.index(label), step
    still = all(
        is_scaled if fixed is None else fixed[k]
        for row, (_, _, fixed) in zip(rows, args, strict=True)
        for k, other in enumerate(row)
        if other == label
    )
    if is_still and still:
        return None
    return NOWHERE


def _reshaped(place: Place, old: Shape, new: Shape, count: Size) -> Place:
    """Returns the place of a digit after a reshape."""
    axis, step = place
    for size in old[axis + 1 :]:
        step = step * size
    for k in reversed(range(len(new))):
        if new[k].divide(count * step) is not None:
            return k, step
        rest = step.divide(new[k])
        if rest is None:
            return NOWHERE
        step = rest
    return NOWHERE
