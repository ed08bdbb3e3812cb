"""Recognises ties (argmax, sort, nearest, round) in a Program, and rewrites it for proofs off them.

A sort, an argmax or a nearest neighbour chooses among equal entries by their places, or by an order
of its own; an eigenvector of a repeated eigenvalue is any vector of a plane. A function may be
equivariant wherever nothing is equal and not be so where something is. `off_ties` rewrites a
Program so that a proof can say so: every number that matters at ties alone becomes an unknown
number, the value of a named function of no arguments. A proof for the new Program, whatever these
numbers are, holds for the old one wherever nothing ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from eqvproof.programs import Builder, Program, Size
from eqvproof.programs.evaluate.library_functions import is_order
from eqvproof.programs.guards import axes_of
from eqvproof.programs.operations import Operation

#: Prefix of the names of the unknown numbers; a number follows.
AT_A_TIE = "at_a_tie."
#: Marks a tie whose node itself is 1 where entries tie.
ANY = "any"
#: Marks a tie of an entry alone, between the two whole numbers to which it may be rounded.
HALF = "half"
#: Elementwise functions that are piecewise constant.
_STEPS = frozenset(
    {"lt", "le", "gt", "ge", "eq", "ne", "not", "and", "or", "sign", "floor", "ceil", "rint"}
)


@dataclass(frozen=True, slots=True)
class Tie:
    """Entries of a node that are compared with one another.

    Attributes:
        name: the unknown number, in the rewritten Program, for the value that a tie decides.
        node: the node of the given Program whose entries may tie.
        axis: the axis of it along which entries are compared.
        line: the node of the given Program that compares them.
        extreme: "max" or "min" where a tie of the greatest or of the least entries alone matters;
            `ANY` where the node is 1 at ties and else 0; `HALF` where an entry is halfway between
            two whole numbers; "" for ties of all entries.
        is_stepwise: whether the entries are functions of comparisons and positions, such as counts:
            if two tie at a point, they may tie at all points near by.
    """

    name: str
    node: int
    axis: int
    line: int
    extreme: str = ""
    is_stepwise: bool = False


@dataclass(frozen=True, slots=True)
class _Equal:
    """A node that holds ``s_i == s_j`` for entries of one value s.

    Attributes:
        node: the node s.
        axis: the axis of s along which i and j run.
        first: the axis of i in the result.
        second: the axis of j in the result.
    """

    node: int
    axis: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class _Extreme:
    """A node that holds the first position of the greatest or least entry along an axis.

    Attributes:
        is_best: the node of ``s == max s``, along that axis.
        node: the node s.
        axis: the axis of s.
        fn: "max" or "min".
    """

    is_best: int
    node: int
    axis: int
    fn: str


@lru_cache(maxsize=4)  # a search asks of each point
def off_ties(program: Program) -> tuple[Program, tuple[Tie, ...]]:
    """Replaces the values that ties decide by unknown numbers; returns a Program and the ties.

    Without ties the Program is returned as it is. Four forms are recognised: the unknown order
    that an unstable sort gives equal entries; a product of ``s_i == s_j`` with a strict triangle,
    by which a stable sort orders them; the first position of the extreme entry of an axis,
    ``min_k (k where s_k == max s else n)``; and a number rounded to the nearest whole one.

    Soundness of the third: where one entry alone is the extreme one, ``h_k = [s_k == max s]`` is
    the one-hot vector of its position p, which is ``sum_k k h_k``; and ``p == k``, for each k below
    n, is h_k. Elsewhere h is ``w / sum_k w_k`` with w an unknown number, so that its sum is 1
    wherever it is defined, which is how translations see it. Of the last: ``round(x)`` is
    ``floor(z)`` for ``z = x + 1/2``, unless ``z == floor(z)``, where an unknown number is
    subtracted.
    """
    ties: list[Tie] = []
    equals = {
        k: found
        for k, op in enumerate(program.nodes)
        if (found := _compares_with_itself(program, op))
    }
    stepwise = _stepwise_nodes(program)
    hots: dict[int, int] = {}  # the node of positions: their one-hot vectors

    def unknown(node: int, axis: int, line: int, extreme: str = "") -> int:
        name = f"{AT_A_TIE}{len(ties) + 1}"
        ties.append(Tie(name, node, axis, line, extreme, node in stepwise and extreme != ANY))
        return b.opaque(name, [], ())

    def instead(k: int, op: Operation) -> int | None:
        if op.opaque_name and is_order(op.opaque_name):
            line = next((j for j in _behind(program, op.args[1]) if j in equals), None)
            if line is None:
                return b.broadcast_to(unknown(op.args[1], 0, k, ANY), op.shape)
            return b.broadcast_to(unknown(equals[line].node, equals[line].axis, line), op.shape)
        found = _stable_order(program, op, equals)
        if found is not None:
            compared = equals[found[0]]
            return _without_order(
                b, made, op, found, unknown(compared.node, compared.axis, found[0])
            )
        if op.function == "rint":
            return _rounded(b, made[op.args[0]], unknown(op.args[0], 0, k, HALF))
        extreme = _first_extreme(program, op)
        if extreme is not None:
            number = unknown(extreme.node, extreme.axis, extreme.is_best, extreme.fn)
            hots[k] = _only_extreme(b, made[extreme.is_best], extreme.axis, number)
            return _position(b, hots[k])
        return _as_one_hot(b, program, op, hots)

    b, made = Builder(), list[int]()
    for name, shape in program.inputs:
        b.input(name, shape)
    for k, op in enumerate(program.nodes):
        other = instead(k, op)
        if other is None:
            other = b.node(replace(op, args=tuple(made[a] for a in op.args)))
        made.append(other)
    if not ties:
        return program, ()
    rewritten = b.program(made[program.output])
    names = {node.opaque_name for node in rewritten.nodes}
    return rewritten, tuple(tie for tie in ties if tie.name in names)


# -- parts
# --------------------------------------------------------------------------------------------------
def _stepwise_nodes(program: Program) -> frozenset[int]:
    """Returns the nodes with piecewise constant entries, such as comparisons and signs."""
    found = set[int]()
    for k, op in enumerate(program.nodes):
        is_step = op.function in _STEPS or bool(op.unit_axes)
        if is_step or (op.input_name is None and found.issuperset(op.args)):
            found.add(k)
    return frozenset(found)


def _behind(program: Program, node: int, most: int = 6) -> Iterator[int]:
    """Yields a node and those it is computed from, nearest first, a few steps back."""
    level = [node]
    for _ in range(most):
        yield from level
        level = [a for k in level for a in program.nodes[k].args]


def _compares_with_itself(program: Program, op: Operation) -> _Equal | None:
    """Recognises ``s_i == s_j`` for entries of one value s; None for other operations."""
    if op.function != "eq":
        return None
    (one, here, number), (other, there, same) = (_split_factor(program, a) for a in op.args)
    if number != same:
        return None
    differ = [k for k, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1]]
    if one != other or len(differ) != 2:
        return None
    i, j = differ
    if (here[i], here[j]) != (there[j], there[i]) or None not in (here[i], here[j]):
        return None
    axis = here[j] if here[i] is None else here[i]
    if axis is None:
        return None
    return _Equal(one, axis, i, j)


def _split_factor(program: Program, node: int) -> tuple[int, tuple[int | None, ...], int]:
    """Splits a node into a value, its axes as in `axes_of`, and a nonzero factor.

    The factor is a node of the Program; -1 if there is none.
    """
    product = program.nodes[node].as_product
    if product is not None and len(product.args) == 2:
        for number, value in (product.args, product.args[::-1]):
            constant = program.nodes[number].constant
            row = dict(product.factors)[value]
            if (
                constant is None
                or constant.shape != ()
                or not constant[()]
                or len(set(row)) < len(row)
            ):
                continue
            if set(row) <= set(product.output):
                axes = tuple(row.index(k) if k in row else None for k in product.output)
                return value, axes, number
    return *axes_of(program, node), -1


def _stable_order(
    program: Program, op: Operation, equals: dict[int, _Equal]
) -> tuple[int, int] | None:
    """Returns the factors ``s_i == s_j`` and [i < j] of a product, as nodes, or None."""
    product = op.as_product
    if product is None or len(product.args) < 2:
        return None
    for x, row in product.factors:
        source, view = axes_of(program, x)
        found = equals.get(source)
        if found is None or found.first not in view or found.second not in view:
            continue
        pair = {row[view.index(found.first)], row[view.index(found.second)]}
        for y, labels in product.factors:
            base, axes = axes_of(program, y)
            triangle = program.nodes[base].triangle
            if (
                triangle == -1
                and {k for k, a in zip(labels, axes, strict=True) if a is not None} == pair
            ):
                return source, y
    return None


def _without_order(
    b: Builder, made: list[int], op: Operation, found: tuple[int, int], number: int
) -> int:
    """Returns the product with an unknown number in place of [i < j], off the diagonal."""
    product = op.as_product
    if product is None:
        raise ValueError("no product")
    args: list[int] = []
    rows: list[tuple[int, ...]] = []
    for x, row in product.factors:
        if x != found[1]:
            args.append(made[x])
            rows.append(row)
            continue
        pair = tuple(dict.fromkeys(row))
        size = b.shape(made[x])[0]
        args += [b.sub(b.const(1), b.eye(size)), number]
        rows += [pair, ()]
    sizes = dict(zip(product.output, op.shape, strict=True))
    return b.einsum(args, rows, product.output, sizes)


def _first_extreme(program: Program, op: Operation) -> _Extreme | None:
    """Recognises ``min_k (k where s_k == max s else n)`` along an axis; returns None otherwise."""
    nodes = program.nodes
    if op.extreme is None or op.extreme[0] != "min" or len(op.extreme[1]) != 1:
        return None
    (axis,) = op.extreme[1]
    choice = nodes[op.args[0]].choice
    if len(choice) != 3 or nodes[choice[0]].function != "eq":
        return None
    is_best = choice[0]
    (counting, counted), (beyond, _) = axes_of(program, choice[1]), axes_of(program, choice[2])
    size = nodes[is_best].shape[axis]
    if (
        not nodes[counting].is_counting
        or counted[axis] is None
        or not _is_size(nodes[beyond], size)
    ):
        return None
    for node, best in (nodes[is_best].args, nodes[is_best].args[::-1]):
        source, view = axes_of(program, best)
        extreme = nodes[source].extreme
        rest = tuple(k for k in range(len(view)) if k != axis)
        if nodes[source].args == (node,) and extreme is not None and extreme[1] == (axis,):
            if view[axis] is None and tuple(view[k] for k in rest) == tuple(range(len(rest))):
                return _Extreme(is_best, node, axis, extreme[0])
    return None


def _is_size(op: Operation, size: Size) -> bool:
    """Checks whether a scalar is a size, or the number that the size is."""
    number = op.constant
    return op.as_size == size or (
        number is not None and number.size == 1 and bool(number.flat[0] == size.constant)
    )


def _only_extreme(b: Builder, is_best: int, axis: int, number: int) -> int:
    """Returns one-hot vectors of the extreme entry, along a last axis.

    If several entries are extreme, every entry is the unknown number, divided by their sum.
    """
    rank, size = len(b.shape(is_best)), b.shape(is_best)[axis]
    kept, both = [k for k in range(rank) if k != axis], list(range(rank))
    is_single = b.map("eq", [b.einsum([is_best], [range(rank)], kept), b.const(1)])
    spread = b.einsum([is_single], [both[:-1]], both, {rank - 1: size})
    weights = b.select(spread, b.transpose(is_best, [*kept, axis]), number)
    total = b.map("recip", [b.einsum([weights], [both], both[:-1])])
    return b.einsum([weights, total], [both, both[:-1]], both)


def _rounded(b: Builder, x: int, number: int) -> int:
    """Returns x rounded to the nearest whole number, at ties less an unknown number."""
    up = b.add([x, b.broadcast_to(b.const(Fraction(1, 2)), b.shape(x))])
    floor = b.map("floor", [up])
    is_tie = b.map("not", [b.sub(up, floor)])
    return b.sub(floor, b.mul(is_tie, number))


def _position(b: Builder, hot: int) -> int:
    """Returns the positions that one-hot vectors along a last axis encode."""
    both = list(range(len(b.shape(hot))))
    return b.einsum([hot, b.iota(b.shape(hot)[-1])], [both, both[-1:]], both[:-1])


def _as_one_hot(b: Builder, program: Program, op: Operation, hots: Mapping[int, int]) -> int | None:
    """Returns the one-hot vectors if an operation is ``p == k`` for positions p and all k.

    None for other operations.
    """
    if op.unit_axes and op.args and op.args[0] in hots:
        hot = hots[op.args[0]]
        if b.shape(hot) == op.shape:
            return hot
        return None
    if op.function != "eq":
        return None
    for one, other in (op.args, op.args[::-1]):
        (place, here), (counting, there) = axes_of(program, one), axes_of(program, other)
        if place not in hots or not program.nodes[counting].is_counting:
            continue
        hot = hots[place]
        last = [axis for axis, k in enumerate(there) if k is not None]
        size = b.shape(hot)[-1]
        if len(last) != 1 or here[last[0]] is not None or op.shape[last[0]] != size:
            continue
        axes = {k: axis for axis, k in enumerate(here) if k is not None}
        rank = len(op.shape)
        row = [axes.get(k, rank + k) for k in range(len(b.shape(hot)) - 1)]  # others are of size 1
        sizes = {
            axis: size for axis, size in enumerate(op.shape) if axis not in (*axes.values(), *last)
        }
        return b.einsum([hot], [[*row, last[0]]], range(rank), sizes)
    return None
