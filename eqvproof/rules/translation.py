"""Translations: what is added to every value.

    v : (i, c) when translating the inputs by t adds c t to v along axis i, where c is a ratio of sizes times
        a product of invariant values along the other axes, summed over labels of its own (`weights`);
    v : invariant when translating the inputs leaves v as it is.

    v_1 : (i, c_1), ..., v_m : (i, c_m)      x : (i, c), its axis i kept;  w the other factors
    -----------------------------------      -------------------------------------------------
    v_1 + ... + v_m : (i, c_1 + ... + c_m)   product and sum : (i, the sum of c w)

    v : (i, c), c a ratio, another axis than i      all arguments invariant
    ------------------------------------------      -----------------------
    max, min, sort, part, shift of v : (i, c)       any operation : invariant

invariant values count 0 in a sum, (i, 0) is invariant; a choice or a joining of equals keeps (i, c). What the
sum of ``c w`` is, as far as it is a number, is known from `totals`: 1 for softmax, for ``w_ij / sum_j w_ij``,
for products of such matrices.

Proof. ``sum_j (x_ij + c_j t_i) w_j = sum_j x_ij w_j + t_i sum_j c_j w_j``, and
``max_j (x_ij + c t_i) = max_j x_ij + c t_i``. Functions of invariant values have equal arguments. Where
values are defined does not change, since partial functions are applied to invariant values only, and c is
defined where v is: all its factors are factors of v. QED
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.program import ops
from eqvproof.program.reading import moved_axes
from eqvproof.program.size import Size
from eqvproof.rules.acts import Stuck
from eqvproof.rules.context import Context
from eqvproof.rules.totals import Weight, labelled, plus, ratio, same, times, weigh

WEIGHTED = "points are weighted, and the weights are not seen to sum to 1"


@dataclass(frozen=True, slots=True)
class Shift:
    """``num/den`` times the translation is added along an axis.

    Attributes:
        axis: the axis.
        num: numerator of the coefficient, a size.
        den: its denominator.
        weights: the rest of the coefficient: nodes, with the axes of the value that theirs are, or with -1,
            -2, ... for those over which their product is summed.
    """

    axis: int
    num: Size
    den: Size
    weights: tuple[Weight, ...] = ()

    def same(self, other: Shift) -> bool:
        """Whether both are one axis and one coefficient."""
        alike = self.axis == other.axis and self.weights == other.weights
        return alike and same((self.num, self.den), (other.num, other.den))


class Multiplied(Stuck):
    """Two values that are translated are multiplied, which no sum mends."""


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
                raise Multiplied("a product of coordinates that are translated")
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
    axis, weights = moving[0].axis, moving[0].weights
    if any(a.axis != axis or a.weights != weights for a in moving):
        raise Stuck("translations along different axes, or with different weights, are added")
    return _shift(axis, *plus(*((a.num, a.den) for a in moving)), weights)


def _shift(axis: int, num: Size, den: Size, weights: tuple[Weight, ...]) -> Move:
    return Shift(axis, *ratio(num, den), weights) if num.terms else None


def _alike(args: list[Move]) -> Move:
    first = args[0]
    if first is None or any(a is None or not a.same(first) for a in args):
        raise Stuck("coordinates that are translated are combined with others that are not, or differently")
    return first


def _off(move: Move, axes: list[int], verb: str) -> Shift:
    if move is None or move.axis in axes:
        raise Stuck(f"the coordinates themselves are {verb}")
    if move.weights:
        raise Stuck(WEIGHTED)
    return move


def _moved(move: Shift, by: int) -> Shift:
    return Shift(move.axis - by, move.num, move.den)


def _einsum(op: ops.Einsum, args: list[Move], context: Context) -> Move:
    moving = [(k, a) for k, a in enumerate(args) if a is not None]
    if len(moving) != 1:
        raise Multiplied("a product of coordinates that are translated")
    ((place, move),) = moving
    factors = list(zip(op.args, op.inputs, strict=True))
    sizes = labelled(factors, context.nodes)
    _, row = factors.pop(place)
    label, start = row[move.axis], 1 + max((*sizes, *op.output))
    if row.count(label) != 1 or label not in op.output:
        raise Stuck("coordinates that are translated are summed over")
    moved = [(x, tuple(row[k] if k >= 0 else start - k for k in r)) for x, r in move.weights]
    sizes = labelled(moved, context.nodes) | sizes
    summed = {k: s for k, s in sizes.items() if k not in op.output}
    found = weigh([*moved, *factors], summed, context.nodes, context.totals)
    if found is None:
        raise Stuck("a sum of points that is empty at some size")
    number, left = found
    if any(label in r for _, r in left):
        raise Stuck("coordinates that are translated are weighted one by one")
    num, den = times(number, (move.num, move.den))
    return _shift(op.output.index(label), num, den, _named(left, op.output))


def _named(left: list[Weight], output: tuple[int, ...]) -> tuple[Weight, ...]:
    """Weights in one order, with the axes of the value and -1, -2, ... in place of labels."""
    axes = {k: i for i, k in enumerate(output)}
    ordered = sorted(left, key=lambda f: (f[0], [axes.get(k, -1) for k in f[1]]))
    for _, row in ordered:
        for k in row:
            axes.setdefault(k, len(output) - len(axes) - 1)
    return tuple((x, tuple(axes[k] for k in row)) for x, row in ordered)
