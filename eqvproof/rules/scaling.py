"""Positive multiples: the degree of every value.

    v has degree k when multiplying the moved axes of the inputs by c > 0 multiplies v by c^k.

    v : k, w : m         v : k, w : k                          v : k
    --------------       ------------------------------        ---------------------------------------
    v w : k + m          v + w, max, min, choice, ... : k      1/v : -k, sqrt v : k/2, |v| : k, v^e : k e

    v : k, w : k                         all of degree 0
    ---------------------------          -------------------
    sign v, v <= w, v == w : 0           any function : 0

the zero tensor has every degree; det and prod: k times the number of factors; degrees are ratios of sizes.

Proof. ``f(c^k v) = c^(k p) f(v)`` for a function f that is positively homogeneous of degree p, which the
named ones are: products, sums of equal degrees, ``1/(c v) = (1/c)(1/v)``, ``sqrt(c v) = sqrt(c) sqrt(v)``,
``|c v| = c |v|``; order and sign do not change when both sides are multiplied by one positive number, nor
does being 0. All are defined at c v where they are at v. A function of values of degree 0 has equal
arguments. QED
"""

from __future__ import annotations

from math import prod

import numpy as np

from eqvproof.program import ops
from eqvproof.program.size import Size
from eqvproof.rules.acts import Stuck
from eqvproof.rules.context import Context
from eqvproof.rules.totals import ONE, Ratio, plus, same, times

#: A degree, or None for the zero tensor, which has every degree.
Degree = Ratio | None
ZERO: Ratio = (Size.of(0), ONE)
POWERS = {
    "recip": (Size.of(-1), ONE), "sqrt": (ONE, Size.of(2)), "cbrt": (ONE, Size.of(3)), "abs": (ONE, ONE),
}  # fmt: skip
ORDER = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "arctan2"})
TRUTH = frozenset({"and", "or", "not", "sign"})


def infer(op: ops.Op, args: list[Degree], context: Context) -> Degree:
    """The degree of an operation's value.

    Raises:
        Stuck: values of different degrees meet, or a function that is not homogeneous.
    """
    match op:
        case ops.Const():
            return ZERO if np.any(op.array()) else None
        case ops.Einsum():
            known = [k for k in args if k is not None]
            return plus(*known) if len(known) == len(args) else None
        case ops.Add() | ops.Concat():
            return equal(args)
        case ops.Read() | ops.Reshape() | ops.Sort() | ops.Matrix(fn="eigvals"):
            return args[0]
        case ops.Matrix(fn="spectral"):
            return args[1]
        case ops.Select():
            return equal(args[1:])
        case ops.Map():
            return _map(op, args, context)
        case ops.Reduce():
            shape = context.shape(op.args[0])
            count = prod((shape[a] for a in op.axes), start=ONE)
            return args[0] if op.fn in ("max", "min") else _times(args[0], count)
        case ops.Matrix(fn="inv") | ops.Matrix(fn="pinv"):
            return None if args[0] is None else times(args[0], POWERS["recip"])
        case ops.Matrix(fn="det"):
            return _times(args[0], context.shape(op.args[0])[-1])
        case _:
            return _plain(args, "an uninterpreted function")


def equal(args: list[Degree]) -> Degree:
    """The degree that all arguments have."""
    known = [k for k in args if k is not None]
    if not all(same(k, known[0]) for k in known):
        raise Stuck(
            "values of different degrees are combined: one is multiplied by another power than the other"
        )
    return known[0] if known else None


def _map(op: ops.Map, args: list[Degree], context: Context) -> Degree:
    if op.fn in POWERS:
        return None if args[0] is None else times(args[0], POWERS[op.fn])
    if op.fn in ("maximum", "minimum", "mod"):
        return equal(args)
    if op.fn in ORDER:
        equal(args)
        return ZERO
    if op.fn in TRUTH:
        return ZERO
    if op.fn == "pow" and args[0] is not None and not _is_scaled(args[1]):
        exponent = context.totals[op.args[1]].get(None)
        if exponent is not None:
            return times(args[0], exponent)
    return _plain(args, op.fn)


def _is_scaled(degree: Degree) -> bool:
    return degree is not None and bool(degree[0].terms)


def _plain(args: list[Degree], name: str) -> Degree:
    if any(map(_is_scaled, args)):
        raise Stuck(f"{name} of values that are multiplied by a power of the factor")
    return ZERO


def _times(degree: Degree, count: Size) -> Degree:
    """The degree of a product of so many factors; of none it is 1, also of zeros."""
    return ZERO if degree is None else times(degree, (count, ONE))
