"""Translations: what is added to every value.

    v : (i, c) when translating the inputs by t adds c t to v along axis i, the same at all other indices;
    v : invariant when translating the inputs leaves v as it is.

    v_1 : (i, c_1), ..., v_m : (i, c_m)      x : (i, c), its axis i kept;  the sum of the other factors = k
    -----------------------------------      -------------------------------------------------------------
    v_1 + ... + v_m : (i, c_1 + ... + c_m)   product and sum : (i, c k)

    v : (i, c), another axis than i                   all arguments invariant
    ------------------------------------------        -----------------------
    max, min, sort, part, shift of v : (i, c)         any operation : invariant

invariant values count 0 in a sum, (i, 0) is invariant; a choice or a joining of equals keeps (i, c).

Proof. ``sum_j (x_ij + c t_i) w_j = sum_j x_ij w_j + c t_i sum_j w_j``, and
``max_j (x_ij + c t_i) = max_j x_ij + c t_i``. A known number k: the product of numbers and sizes, times the
size of every label that is summed without occurring elsewhere, times the sum of one more factor w over the
shared label: 1 for an identity matrix, for one-hot vectors, and for ``e_jk / sum_j e_jk``, whose sum over j
is ``(sum_j e_jk) / (sum_j e_jk)``, 1 wherever it is defined. Functions of invariant values have equal
arguments. Where values are defined does not change, since partial functions are applied to invariant values
only. QED
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.program import ops
from eqvproof.program.reading import moved_axes
from eqvproof.program.size import Size
from eqvproof.rules.acts import Stuck
from eqvproof.rules.context import Context

ONE = Size.of(1)


@dataclass(frozen=True, slots=True)
class Shift:
    """``num/den`` times the translation is added along an axis.

    Attributes:
        axis: the axis.
        num: numerator of the coefficient, a size.
        den: its denominator.
    """

    axis: int
    num: Size
    den: Size

    def same(self, other: Shift) -> bool:
        """Whether both are one axis and one coefficient."""
        return self.axis == other.axis and self.num * other.den == other.num * self.den


#: How a value moves; None: it does not.
Move = Shift | None


def infer(op: ops.Op, args: list[Move], context: Context) -> Move:
    """How an operation's value moves.

    Raises:
        Stuck: no rule tells.
    """
    if all(a is None for a in args):
        return None
    match op:
        case ops.Add():
            return _add(args)
        case ops.Einsum():
            return _einsum(op, args, context)
        case ops.Select():
            if args[0] is not None:
                raise Stuck("a condition on coordinates that are translated")
            return _alike(args[1:])
        case ops.Concat():
            found = _alike(args)
            return _off(found, [op.axis], "joined")
        case ops.Reduce():
            if op.fn == "prod":
                raise Stuck("a product of coordinates that are translated")
            found = _off(args[0], list(op.axes), "reduced")
            return _moved(found, sum(a < found.axis for a in op.axes))
        case ops.Read():
            found = _off(args[0], moved_axes(op, context.shape(op.args[0])), "reordered")
            return _moved(found, found.axis - op.axes()[found.axis].start)
        case ops.Sort():
            return _off(args[0], [op.axis], "reordered")
        case ops.Map():
            raise Stuck(f"the function {op.fn} is applied to coordinates that are translated")
        case _:
            raise Stuck("no rule for coordinates that are translated")


def _add(args: list[Move]) -> Move:
    moving = [a for a in args if a is not None]
    if any(a.axis != moving[0].axis for a in moving):
        raise Stuck("translations along different axes are added")
    num, den = Size.of(0), ONE
    for a in moving:
        num, den = num * a.den + a.num * den, den * a.den
    return _shift(moving[0].axis, num, den)


def _shift(axis: int, num: Size, den: Size) -> Move:
    if not num.terms:
        return None
    quotient = num.divide(den)
    return Shift(axis, quotient, ONE) if quotient is not None else Shift(axis, num, den)


def _alike(args: list[Move]) -> Move:
    first = args[0]
    if first is None or any(a is None or not a.same(first) for a in args):
        raise Stuck("coordinates that are translated are combined with others that are not, or differently")
    return first


def _off(move: Move, axes: list[int], verb: str) -> Shift:
    if move is None or move.axis in axes:
        raise Stuck(f"the coordinates themselves are {verb}")
    return move


def _moved(move: Shift, by: int) -> Shift:
    return Shift(move.axis - by, move.num, move.den)


def _einsum(op: ops.Einsum, args: list[Move], context: Context) -> Move:
    places = [k for k, a in enumerate(args) if a is not None]
    if len(places) != 1:
        raise Stuck("a product of coordinates that are translated")
    place = places[0]
    move = args[place]
    row = op.inputs[place]
    if move is None:
        return None
    label = row[move.axis]
    others = [(x, r) for k, (x, r) in enumerate(zip(op.args, op.inputs, strict=True)) if k != place]
    if row.count(label) != 1 or label not in op.output or any(label in r for _, r in others):
        raise Stuck("coordinates that are translated are summed over, or weighted one by one")
    sizes = dict(zip(row, context.shape(op.args[place]), strict=True))
    summed = {k for k in row if k not in op.output}
    if not all(sizes[k].is_at_least(1) for k in summed):
        raise Stuck("a sum of points that is empty at some size")
    num, den = move.num, move.den
    weights: list[tuple[int, tuple[int, ...]]] = []
    for x, r in others:
        value = number(context, x)
        if not r and value is not None:
            num, den = num * value[0], den * value[1]
            continue
        shared = [k for k in r if k in summed]
        foreign = [k for k in r if k not in op.output and k not in summed]
        if (
            len(shared) != 1
            or foreign
            or r.count(shared[0]) != 1
            or not is_normalised(context, x, r.index(shared[0]))
        ):
            weights.append((x, r))
            continue
        summed.discard(shared[0])
    if weights:
        summed.discard(_normalised_together(context, weights, summed, op.output))
    for k in summed:
        num = num * sizes[k]
    return _shift(op.output.index(label), num, den)


def _normalised_together(
    context: Context, weights: list[tuple[int, tuple[int, ...]]], summed: set[int], kept: tuple[int, ...]
) -> int:
    """The label over which e, and 1 / sum(e) beside it in the same product, sum to 1 together."""
    if len(weights) == 2:
        for (e, re), (r, rr) in (weights, weights[::-1]):
            for label in summed:
                if _sum_to_one(context, e, re, r, rr, label, kept):
                    return label
    raise Stuck("points are weighted, and the weights are not seen to sum to 1")


def number(context: Context, x: int) -> tuple[Size, Size] | None:
    """The ratio of sizes that a scalar node is, where that shows."""
    node = context.nodes[x]
    if isinstance(node, ops.Const) and not node.shape:
        return Size.of(node.values[0].numerator), Size.of(node.values[0].denominator)
    if isinstance(node, ops.SizeOf):
        return node.size, ONE
    if isinstance(node, ops.Map) and node.fn == "recip" and not node.shape:
        inner = number(context, node.args[0])
        return (inner[1], inner[0]) if inner is not None and inner[0].terms else None
    if isinstance(node, ops.Einsum) and not node.shape and all(not r for r in node.inputs):
        num, den = ONE, ONE
        for a in node.args:
            factor = number(context, a)
            if factor is None:
                return None
            num, den = num * factor[0], den * factor[1]
        return num, den
    return None


def is_normalised(context: Context, x: int, axis: int) -> bool:
    """Whether the entries of a node sum to 1 along an axis.

    That is so of e / sum(e), of an identity matrix, and of the one-hot vectors of positions in range, moved
    about or not.
    """
    node = context.nodes[x]
    if isinstance(node, ops.Eye):
        return True
    if isinstance(node, ops.OneHot):
        inner = context.nodes[node.args[0]]
        known = context.indexed.get(inner.name) if isinstance(inner, ops.Input) else None
        return axis == len(node.shape) - 1 and known == node.shape[-1]
    if isinstance(node, ops.Read):
        source = next(a for a, axes in enumerate(node.axes()) if axis in axes)
        still = source not in moved_axes(node, context.shape(node.args[0]))
        return still and is_normalised(context, node.args[0], source)
    if isinstance(node, ops.Concat):
        return axis != node.axis and all(is_normalised(context, a, axis) for a in node.args)
    if isinstance(node, ops.Einsum) and len(node.args) == 1:
        return _is_normalised_view(context, node, axis)
    if not isinstance(node, ops.Einsum) or len(node.args) != 2 or len(set(node.output)) != len(node.output):
        return False
    first, second = zip(node.args, node.inputs, strict=True)
    label = node.output[axis]
    return any(
        _sum_to_one(context, e, re, r, rr, label, node.output)
        for (e, re), (r, rr) in ((first, second), (second, first))
    )


def _sum_to_one(
    context: Context, e: int, re: tuple[int, ...], r: int, rr: tuple[int, ...], label: int,
    kept: tuple[int, ...],
) -> bool:  # fmt: skip
    """Whether the product of e and r, with labels re and rr, sums to 1 over a label: r is 1 / sum(e)."""
    inverse = context.nodes[r]
    if label in rr or re.count(label) != 1 or len(set(re)) != len(re):
        return False
    if not set(re) - {label} <= set(kept):
        return False  # a sum over another label too: 1 as often as that has values
    if not isinstance(inverse, ops.Map) or inverse.fn != "recip":
        return False
    sum_node, own = _stripped(context, inverse.args[0], rr)
    s = context.nodes[sum_node]
    if not isinstance(s, ops.Einsum) or s.args != (e,) or len(set(s.inputs[0])) != len(s.inputs[0]):
        return False
    gone = [k for k in s.inputs[0] if k not in s.output]
    names = dict(zip(s.inputs[0], re, strict=True))
    return gone == [s.inputs[0][re.index(label)]] and [names.get(k) for k in s.output] == own


def _is_normalised_view(context: Context, node: ops.Einsum, axis: int) -> bool:
    """The same of entries that are moved or repeated along other axes; sums are over axes of size 1."""
    label, row = node.output[axis], node.inputs[0]
    sizes = zip(row, context.shape(node.args[0]), strict=True)
    view = all(k in node.output or size == ONE for k, size in sizes)
    return view and row.count(label) == 1 and is_normalised(context, node.args[0], row.index(label))


def _stripped(context: Context, x: int, row: tuple[int, ...]) -> tuple[int, list[int]]:
    """A node behind views that add axes of size 1, and the labels of its own axes."""
    node = context.nodes[x]
    if isinstance(node, ops.Einsum) and len(node.args) == 1 and set(node.inputs[0]) <= set(node.output):
        new = [k for k in node.output if k not in node.inputs[0]]
        if new and all(node.shape[node.output.index(k)] == ONE for k in new):
            names = dict(zip(node.output, row, strict=True))
            return node.args[0], [names[k] for k in node.inputs[0]]
    return x, list(row)
