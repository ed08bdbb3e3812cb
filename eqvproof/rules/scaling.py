"""Positive multiples: the degree of every value.

    v has degree k when multiplying the moved axes of the inputs by c > 0 multiplies v by c^k.

    v : k, w : m         v : k, w : k                          v : k
    --------------       ------------------------------        ---------------------------------------
    v w : k + m          v + w, max, min, choice, ... : k      1/v : -k, sqrt v : k/2, |v| : k, v^e : k e

    v : k, w : k                         all of degree 0
    ---------------------------          -------------------
    sign v, v <= w, v == w : 0           any function : 0

the zero tensor has every degree; det and prod: k times the number of factors, where that is a number.

Proof. ``f(c^k v) = c^(k p) f(v)`` for a function f that is positively homogeneous of degree p, which the
named ones are: products, sums of equal degrees, ``1/(c v) = (1/c)(1/v)``, ``sqrt(c v) = sqrt(c) sqrt(v)``,
``|c v| = c |v|``; order and sign do not change when both sides are multiplied by one positive number, nor
does being 0. All are defined at c v where they are at v. A function of values of degree 0 has equal
arguments. QED
"""

from __future__ import annotations

from fractions import Fraction

from eqvproof.program import ops
from eqvproof.rules.acts import Stuck
from eqvproof.rules.context import Context

#: A degree, or None for the zero tensor, which has every degree.
Degree = Fraction | None
ZERO = Fraction(0)
POWERS = {"recip": Fraction(-1), "sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3), "abs": Fraction(1)}
ORDER = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "arctan2"})
TRUTH = frozenset({"and", "or", "not", "sign"})


def infer(op: ops.Op, args: list[Degree], context: Context) -> Degree:
    """The degree of an operation's value.

    Raises:
        Stuck: values of different degrees meet, or a function that is not homogeneous.
    """
    match op:
        case ops.Const():
            return ZERO if any(op.values) else None
        case ops.SizeOf() | ops.Eye() | ops.Tri() | ops.Iota():
            return ZERO
        case ops.Einsum():
            known = [k for k in args if k is not None]
            return sum(known, ZERO) if len(known) == len(args) else None
        case ops.Add() | ops.Concat():
            return equal(args)
        case ops.Read() | ops.Reshape() | ops.Sort() | ops.Eigvals():
            return args[0]
        case ops.Spectral():
            return args[1]
        case ops.Select():
            return equal(args[1:])
        case ops.Map():
            return _map(op, args, context)
        case ops.Reduce():
            return args[0] if op.fn in ("max", "min") else _times(args[0], _count(op, context))
        case ops.Inv() | ops.Pinv():
            return None if args[0] is None else -args[0]
        case ops.Det():
            return _times(args[0], context.shape(op.args[0])[-1].constant)
        case _:
            return _plain(args, "an uninterpreted function")


def equal(args: list[Degree]) -> Degree:
    """The degree that all arguments have."""
    known = {k for k in args if k is not None}
    if len(known) > 1:
        raise Stuck(
            "values of different degrees are combined: one is multiplied by another power than the other"
        )
    return known.pop() if known else None


def _map(op: ops.Map, args: list[Degree], context: Context) -> Degree:
    if op.fn in POWERS:
        return None if args[0] is None else args[0] * POWERS[op.fn]
    if op.fn in ("maximum", "minimum", "mod"):
        return equal(args)
    if op.fn in ORDER:
        equal(args)
        return ZERO
    if op.fn in TRUTH:
        return ZERO
    if op.fn == "pow" and args[0] is not None and args[1] in (ZERO, None):
        exponent = scalar(context, op.args[1])
        if exponent is not None:
            return args[0] * exponent
    return _plain(args, op.fn)


def scalar(context: Context, number: int) -> Fraction | None:
    """The rational that a node is at every entry, where it is a constant."""
    node = context.nodes[number]
    if isinstance(node, ops.Const) and node.values and all(v == node.values[0] for v in node.values):
        return node.values[0]
    if isinstance(node, ops.Einsum) and len(node.args) == 1 and not node.inputs[0]:
        return scalar(context, node.args[0])
    return None


def _plain(args: list[Degree], name: str) -> Degree:
    if any(args):
        raise Stuck(f"{name} of values that are multiplied by a power of the factor")
    return ZERO


def _times(degree: Degree, count: int | None) -> Degree:
    if degree is None or degree == 0:
        return degree
    if count is None:
        raise Stuck("a product whose number of factors depends on the size")
    return degree * count


def _count(op: ops.Reduce, context: Context) -> int | None:
    count = 1
    for axis in op.axes:
        constant = context.shape(op.args[0])[axis].constant
        if constant is None:
            return None
        count *= constant
    return count
