"""Sorting along an axis.

    PERM   v : (..., A_i, ...)                 ORTH, SIGN   v : all axes fixed
           ------------------------------                   -----------------------------
           sort_i v : (..., fixed, ...)                     sort_i v : all axes fixed

Proof. The k-th smallest of a family does not depend on its order; the other axes move whole lines. A line
with an undefined entry is undefined as a whole. A uniform axis is already sorted and stays uniform. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import UNI, Kind, Stuck, Type, fix, is_fixed
from eqvproof.rules.context import Context


def infer(op: ops.Sort, args: list[Type], context: Context) -> list[Type]:
    """The type of a sorted value."""
    (arg,) = args
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in arg):
        raise Stuck("sorting of entries that the group mixes or changes the sign of")
    sorted_act = UNI if arg[op.axis] is UNI else fix(op.shape[op.axis])
    return [(*arg[: op.axis], sorted_act, *arg[op.axis + 1 :])]
