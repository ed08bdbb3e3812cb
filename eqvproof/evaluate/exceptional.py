"""Points at which a result hangs on ties, or on eigenvectors of equal eigenvalues.

A sort, an argmax or a nearest neighbour chooses among equal entries by their places, or by an order of its
own; an eigenvector of a repeated eigenvalue is any vector of a plane. A function may be equivariant wherever
nothing is equal and not be so where something is. `off_ties` rewrites a Program so that a proof can say so:
every number that matters at ties alone becomes an unknown number, the value of a named function of nothing.
What is proved of the new Program, whatever these numbers are, holds of the old one wherever nothing ties.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from eqvproof.evaluate.library_functions import is_order
from eqvproof.operations import Operation
from eqvproof.program import Builder, Program

#: The unknown numbers are called so, with a number.
AT_A_TIE = "at_a_tie."


@dataclass(frozen=True, slots=True)
class Tie:
    """Entries of a node that are compared with one another.

    Attributes:
        name: the unknown number that stands for what a tie decides, in the rewritten Program.
        node: the node of the given Program whose entries may tie.
        axis: the axis of it along which entries are compared.
        line: the node of the given Program that compares them.
    """

    name: str
    node: int
    axis: int
    line: int


@dataclass(frozen=True, slots=True)
class _Equal:
    """A node that holds ``s_i == s_j``: the node s, the axis of s, and the axes of i and j in the result."""

    node: int
    axis: int
    first: int
    second: int


def off_ties(program: Program) -> tuple[Program, tuple[Tie, ...]]:
    """Returns the Program with unknown numbers in place of what ties decide, and the ties; as it is if none.

    Three forms are recognised: the unknown order that an unstable sort gives equal entries; a product of
    ``s_i == s_j`` with a strict triangle, by which a stable sort orders them; and the one-hot vector of the
    first extreme entry of an axis, which is ``s_i == max s`` where that entry is the only one.
    """
    ties: list[Tie] = []
    equals = {k: found for k, op in enumerate(program.nodes) if (found := _compares_with_itself(program, op))}

    def unknown(node: int, axis: int, line: int) -> int:
        name = f"{AT_A_TIE}{len(ties) + 1}"
        ties.append(Tie(name, node, axis, line))
        return b.opaque(name, [], ())

    def instead(k: int, op: Operation) -> int | None:
        if op.called and is_order(op.called):
            line = next((j for j in _behind(program, op.args[1]) if j in equals), None)
            node, axis = (op.args[1], 0) if line is None else (equals[line].node, equals[line].axis)
            return b.broadcast_to(unknown(node, axis, k if line is None else line), op.shape)
        found = _stable_order(program, op, equals)
        if found is not None:
            compared = equals[found[0]]
            return _without_order(b, made, op, found, unknown(compared.node, compared.axis, found[0]))
        extreme = _first_extreme(program, op)
        if extreme is not None:
            is_best, node, axis = extreme
            return _only_extreme(b, made, program, op, extreme, unknown(node, axis, is_best))
        return None

    b, made = Builder(), list[int]()
    for name, shape in program.inputs:
        b.input(name, shape)
    for k, op in enumerate(program.nodes):
        other = instead(k, op)
        made.append(b.node(replace(op, args=tuple(made[a] for a in op.args))) if other is None else other)
    return (b.program(made[program.output]), tuple(ties)) if ties else (program, ())


# -- parts --------------------------------------------------------------------------------------------------
def _behind(program: Program, node: int, most: int = 6) -> Iterator[int]:
    """Yields a node and those it is computed from, nearest first, a few steps back."""
    level = [node]
    for _ in range(most):
        yield from level
        level = [a for k in level for a in program.nodes[k].args]


def _view(program: Program, node: int) -> tuple[int, tuple[int | None, ...]]:
    """Returns the value whose entries a node repeats or reorders, with the axis of it at each axis here."""
    summed = program.nodes[node].summed
    if summed is None:
        return node, tuple(range(len(program.nodes[node].shape)))
    source, row, kept = summed
    if any(k not in kept for k in row) or len(set(row)) < len(row):
        return node, tuple(range(len(program.nodes[node].shape)))
    return source, tuple(row.index(k) if k in row else None for k in kept)


def _compares_with_itself(program: Program, op: Operation) -> _Equal | None:
    """Returns what is compared where an operation is ``s_i == s_j`` for entries of one value s."""
    if op.function != "eq":
        return None
    (one, here), (other, there) = (_view(program, a) for a in op.args)
    differ = [k for k, pair in enumerate(zip(here, there, strict=True)) if pair[0] != pair[1]]
    if one != other or len(differ) != 2:
        return None
    i, j = differ
    if (here[i], here[j]) != (there[j], there[i]) or None not in (here[i], here[j]):
        return None
    axis = here[j] if here[i] is None else here[i]
    return None if axis is None else _Equal(one, axis, i, j)


def _stable_order(program: Program, op: Operation, equals: dict[int, _Equal]) -> tuple[int, int] | None:
    """Returns the factors ``s_i == s_j`` and [i < j] of a product, as nodes; None where it has none."""
    product = op.as_product
    if product is None or len(product.args) < 2:
        return None
    for x, row in product.factors:
        source, view = _view(program, x)
        found = equals.get(source)
        if found is None or found.first not in view or found.second not in view:
            continue
        pair = {row[view.index(found.first)], row[view.index(found.second)]}
        for y, labels in product.factors:
            base, axes = _view(program, y)
            triangle = program.nodes[base].triangle
            if triangle == -1 and {k for k, a in zip(labels, axes, strict=True) if a is not None} == pair:
                return source, y
    return None


def _without_order(b: Builder, made: list[int], op: Operation, found: tuple[int, int], number: int) -> int:
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


def _first_extreme(program: Program, op: Operation) -> tuple[int, int, int] | None:
    """Returns the node of ``s == max s``, s and the axis, where an operation is the one-hot first maximum."""
    if not op.unit_axes or len(op.args) != 1:
        return None
    place = program.nodes[op.args[0]]
    if place.extreme is None or place.extreme[0] != "min" or len(place.extreme[1]) != 1:
        return None
    (axis,) = place.extreme[1]
    choice = program.nodes[place.args[0]].choice
    if len(choice) != 3:
        return None
    is_best, counted = choice[0], _view(program, choice[1])
    if program.nodes[is_best].function != "eq" or not program.nodes[counted[0]].is_counting:
        return None
    if counted[1][axis] is None or program.nodes[is_best].shape[axis] != op.shape[-1]:
        return None
    for node, best in (program.nodes[is_best].args, program.nodes[is_best].args[::-1]):
        source, view = _view(program, best)
        extreme = program.nodes[source].extreme
        same = program.nodes[source].args == (node,)
        rest = tuple(k for k in range(len(view)) if k != axis)
        if same and extreme is not None and extreme[1] == (axis,) and view[axis] is None:
            if tuple(view[k] for k in rest) == tuple(range(len(rest))):
                return is_best, node, axis
    return None


def _only_extreme(
    b: Builder, made: list[int], program: Program, op: Operation, found: tuple[int, int, int], number: int
) -> int:
    """Returns ``s == max s`` where one entry alone is the extreme one, with an unknown number elsewhere."""
    is_best, _, axis = found
    rank = len(program.nodes[is_best].shape)
    kept = [k for k in range(rank) if k != axis]
    count = b.einsum([made[is_best]], [range(rank)], kept)
    last = b.transpose(made[is_best], [*kept, axis])
    is_single = b.map("eq", [count, b.const(1)])
    spread = b.einsum([is_single], [range(rank - 1)], range(rank), {rank - 1: op.shape[-1]})
    return b.select(spread, last, number)
