"""Maximum, minimum and product over axes.

    PERM   v : (A_1, ..., A_r)                     ORTH, SIGN   v : all axes fixed
           ---------------------------------                    ------------------------------
           max_i v : the acts of the other axes                 max_i v : all axes fixed

Proof. The functions do not depend on the order of their arguments; a permutation of a reduced axis orders
them anew, one of another axis moves the results. On fixed axes nothing moves. One undefined entry makes the
result undefined, whatever its place. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, is_fixed
from eqvproof.rules.context import Context


def infer(op: ops.Reduce, args: list[Type], context: Context) -> list[Type]:
    """The type of max, min or prod over axes."""
    (arg,) = args
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in arg):
        raise Stuck(f"{op.fn} over entries that the group mixes or changes the sign of")
    return [tuple(a for i, a in enumerate(arg) if i not in op.axes)]
