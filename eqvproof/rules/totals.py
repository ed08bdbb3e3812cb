"""Sums of entries that are one number whatever the inputs are: of rows of weights, of constants, of sizes.

Of each value v it is known that its entries sum to c along an axis, at all other indices where they are
defined (``totals[v][axis] = c``), or that each of them is c (``totals[v][None] = c``); c is a ratio of sizes.

    identity matrices, one-hot vectors of     v : c each                       v : c, w : d along an axis
    positions in range: 1 along their axis    ------------------------------   --------------------------
                                              v : s c along an axis of size s  v + w : c + d along it

    v : c along j, no other factor has j      e has j, no other factor has it     no factor has j
    ------------------------------------      -------------------------------     --------------------
    sum_j v_j w = c w                         sum_j e_j (1 / sum_j e_j) w = w     sum_j w = (size of j) w

and 1/v is 1/c where v is c; parts, joinings and views keep what they do not touch.

Proof. Factors without j come out of a sum over j, which is not empty. What is left of a product when all its
factors have gone is a number, and so the sum over all labels that went. Where ``1 / sum_j e_j`` is undefined,
so is the product on the left, as where any factor is. QED
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import prod

from eqvproof.program import ops
from eqvproof.program.reading import moved_axes
from eqvproof.program.size import Size

ONE = Size.of(1)
#: Of larger constants, and numbers of more terms, nothing is known.
MOST_ENTRIES, MOST_TERMS = 4096, 16

#: numerator, denominator
Ratio = tuple[Size, Size]
Totals = dict[int | None, Ratio]
#: A node with the labels of its axes.
Weight = tuple[int, tuple[int, ...]]


def ratio(num: Size, den: Size) -> Ratio:
    """A ratio of sizes, a size or a number in lowest terms where it is one."""
    quotient, (above, below) = num.divide(den), (num.constant, den.constant)
    if quotient is None and above is not None and below:
        value = Fraction(above, below)
        return Size.of(value.numerator), Size.of(value.denominator)
    return (num, den) if quotient is None else (quotient, ONE)


def times(*ratios: Ratio) -> Ratio:
    """The product of ratios."""
    num, den = ONE, ONE
    for a, b in ratios:
        num, den = num * a, den * b
    return ratio(num, den)


def plus(*ratios: Ratio) -> Ratio:
    """The sum of ratios."""
    num, den = Size.of(0), ONE
    for a, b in ratios:
        num, den = num * b + a * den, den * b
    return ratio(num, den)


def same(a: Ratio, b: Ratio) -> bool:
    """Whether two ratios are one number."""
    return a[0] * b[1] == b[0] * a[1]


def totals(nodes: Sequence[ops.Op], indexed: Mapping[str, Size]) -> list[Totals]:
    """What is known of each node; `indexed`: the inputs whose entries are positions, of so many."""
    found: list[Totals] = []
    for node in nodes:
        known = _of(node, nodes, found, indexed)
        if None in known:
            known |= {axis: times(known[None], (size, ONE)) for axis, size in enumerate(node.shape)}
        found.append({k: r for k, r in known.items() if max(len(s.terms) for s in r) <= MOST_TERMS})
    return found


def _of(op: ops.Op, nodes: Sequence[ops.Op], found: Sequence[Totals], indexed: Mapping[str, Size]) -> Totals:
    args = [found[a] for a in op.args]
    places: list[int | None] = [None, *range(len(op.shape))]
    known: Totals = {}
    match op:
        case ops.SizeOf():
            return {None: (op.size, ONE)}
        case ops.Const():
            return _constant(op)
        case ops.Indicator(offset=None):
            if not op.args:
                return {0: (ONE, ONE), 1: (ONE, ONE)}
            source, last = nodes[op.args[0]], len(op.shape) - 1
            inside = isinstance(source, ops.Input) and indexed.get(source.name) == op.shape[last]
            return {last: (ONE, ONE)} if inside else {}
        case ops.Map(fn="recip") if None in args[0] and args[0][None][0].terms:
            return {None: args[0][None][::-1]}
        case ops.Add():
            return {k: plus(*(a[k] for a in args)) for k in places if all(k in a for a in args)}
        case ops.Concat():
            kept = [k for k in places if k != op.axis and all(k in a for a in args)]
            return {k: args[0][k] for k in kept if all(same(a[k], args[0][k]) for a in args)}
        case ops.Read():
            moved = moved_axes(op, nodes[op.args[0]].shape)
            still = {axes.start: a for a, axes in enumerate(op.axes()) if a not in moved}
            return {k: args[0][a] for k, a in [(None, None), *still.items()] if a in args[0]}
        case ops.Reshape() if None in args[0]:
            return {None: args[0][None]}
        case ops.Einsum():
            factors = list(zip(op.args, op.inputs, strict=True))
            sizes = labelled(factors, nodes) | dict(zip(op.output, op.shape, strict=True))
            gone = sizes.keys() - set(op.output)
            for k in places:
                summed = gone if k is None else gone | {op.output[k]}
                total = weigh(factors, {a: sizes[a] for a in summed}, nodes, found)
                if total is not None and not total[1]:
                    known[k] = total[0]
    return known


def _constant(op: ops.Const) -> Totals:
    if len(op.values) > MOST_ENTRIES:
        return {}
    shape = [s.constant or 0 for s in op.shape]
    sums: dict[int | None, set[Fraction]] = {None: set(op.values)}
    for axis, count in enumerate(shape):
        stride = prod(shape[axis + 1 :])
        starts = (i for i in range(len(op.values)) if i // stride % count == 0)
        sums[axis] = {sum(op.values[i : i + count * stride : stride], Fraction(0)) for i in starts}
    single = {k: v.pop() for k, v in sums.items() if len(v) == 1}
    return {k: (Size.of(v.numerator), Size.of(v.denominator)) for k, v in single.items()}


def labelled(factors: Sequence[Weight], nodes: Sequence[ops.Op]) -> dict[int, Size]:
    """The sizes of labels."""
    return {k: s for x, row in factors for k, s in zip(row, nodes[x].shape, strict=True)}


def weigh(
    factors: Sequence[Weight], summed: Mapping[int, Size], nodes: Sequence[ops.Op], found: Sequence[Totals]
) -> tuple[Ratio, list[Weight]] | None:
    """A product summed over labels, of these sizes: a number, and the factors left, summed over theirs.

    None where one of the sums is empty at some size.
    """
    if not all(size.is_at_least(1) for size in summed.values()):
        return None
    number, left, sizes = (ONE, ONE), list(factors), dict(summed)
    while step := next(_steps(left, sizes, nodes, found), None):
        gone, label, value = step
        number, left = times(number, value), [f for k, f in enumerate(left) if k not in gone]
        if label is not None:
            del sizes[label]
    there = {label for _, row in left for label in row}
    return times(number, *((s, ONE) for label, s in sizes.items() if label not in there)), left


def _steps(
    left: Sequence[Weight], summed: Mapping[int, Size], nodes: Sequence[ops.Op], found: Sequence[Totals]
) -> Iterator[tuple[tuple[int, ...], int | None, Ratio]]:
    """The places of factors that go, the label that they are summed over then, the number in their place."""
    labels = [label for _, row in left for label in row]
    for k, (x, row) in enumerate(left):
        if None in found[x]:
            yield (k,), None, found[x][None]
        for axis, label in enumerate(row):
            if axis in found[x] and label in summed and labels.count(label) == 1:
                yield (k,), label, found[x][axis]
    for k, m in permutations(range(len(left)), 2):
        for label in left[k][1]:
            if label in summed and labels.count(label) == 1 and _is_inverse(left[m], left[k], label, nodes):
                yield (k, m), label, (ONE, ONE)


def _is_inverse(r: Weight, e: Weight, label: int, nodes: Sequence[ops.Op]) -> bool:
    """Whether r is 1 / sum(e) over that label, the other labels as in e."""
    inverse = nodes[r[0]]
    if not isinstance(inverse, ops.Map) or inverse.fn != "recip":
        return False
    x, own = _stripped(inverse.args[0], r[1], nodes)
    total = nodes[x]
    if not isinstance(total, ops.Einsum) or total.args != e[:1]:
        return False
    inner = total.inputs[0]
    names = dict(zip(inner, e[1], strict=True))
    once = len(names) == len(inner) and set(inner) - set(total.output) == {inner[e[1].index(label)]}
    return once and [names.get(k) for k in total.output] == own


def _stripped(x: int, row: tuple[int, ...], nodes: Sequence[ops.Op]) -> tuple[int, list[int]]:
    """A node behind a view that repeats it along new axes, and the labels of its own axes."""
    node = nodes[x]
    if isinstance(node, ops.Einsum) and len(node.args) == 1 and set(node.inputs[0]) <= set(node.output):
        names = dict(zip(node.output, row, strict=True))
        return node.args[0], [names[k] for k in node.inputs[0]]
    return x, list(row)
