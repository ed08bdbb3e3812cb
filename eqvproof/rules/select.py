"""A choice between two values.

    PERM   c, a, b : T                 ORTH, SIGN   a, b : T;  c uniform on the axes that T moves, else fixed
           -------------------                      -------------------------------------------------------
           select(c, a, b) : T                      select(c, a, b) : T

Proof. PERM: an elementwise function, as in `eqvproof.rules.map`. Otherwise, at fixed indices of the axes
that T leaves fixed, c is one number for all entries along the moved axes and the same for moved inputs, so
the result is a or b as a whole there, on both sides the same one; each transforms by T. Entries of the one
not chosen do not matter on either side. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import UNI, Kind, Stuck, Type, is_fixed, unify_types
from eqvproof.rules.context import Context


def infer(op: ops.Select, args: list[Type], context: Context) -> list[Type]:
    """The type of select(c, a, b)."""
    condition, *branches = args
    if context.kind is Kind.PERM:
        return [unify_types(args, context.kind)]
    result = unify_types(branches, context.kind)
    for c, act in zip(condition, result, strict=True):
        if not is_fixed(c):
            raise Stuck("a condition on entries that the group moves")
        if c is not UNI and not is_fixed(act):
            raise Stuck("a condition that varies along an axis that the group moves")
    free = [c if is_fixed(act) else act for c, act in zip(condition, result, strict=True)]
    return [unify_types([result, tuple(free)], context.kind)]
