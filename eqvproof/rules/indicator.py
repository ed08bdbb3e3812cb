"""Indicators: [i = j], [j <= i + k] of two indices, [x = j] of an entry and the index of a new last axis.

    [i = j] : (A, dual of A), A fixed or rho        [j <= i + k] : (fixed, fixed)

    PERM   x : (A_1, ..., A_r)                      else   x : all axes fixed
           --------------------------------                ------------------------
           [x = j] : (A_1, ..., A_r, fixed)                [x = j] : all axes fixed

    PERM   E : an input with the axes (A_1, ..., A_r), whose entries are positions of the axis of rho
           ------------------------------------------------------------------------------------------
           [E = j] : (A_1, ..., A_r, rho)

Proof. Above: what does not depend on the inputs is the same when they are moved, so the identity acts on it;
and ``A I (A^-T)^T = I``, the dual of an orthogonal matrix, a permutation or signs among them, being itself.
[x = j] is an elementwise function of x with values in R^s. Below: a permutation p, with (g v)[i] = v[p(i)],
moves the entry j of E to the i with p(i) = j, and the axes of E by the A. So [g E = i] = [A E = p(i)], which
is the entry at p(i) of the one-hot vectors of A E: (A_1, ..., A_r, rho) applied to them. An undefined entry
makes the whole vector undefined, and nothing else is undefined. QED

Of an input with relabelled entries nothing but the one-hot vectors has a type; all else that would use its
entries, as numbers, is refused where types are inferred.
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, dual, fix, is_fixed, std
from eqvproof.rules.context import Context


def infer(op: ops.Indicator, args: list[Type], context: Context) -> list[Type]:
    """The types of an indicator."""
    size = op.shape[-1]
    if not args:
        found = [context.fixed(op.shape)]
        if ops.is_identity(op) and size == context.size:
            moved = std(size)
            pair = (moved, dual(moved, context.kind))
            found += dict.fromkeys([pair, pair[::-1]])
        return found
    (arg,) = args
    if context.is_relabelled(op.args[0]):
        if size != context.size:
            raise Stuck("positions of an axis that the group moves are looked up in an axis of another size")
        return [(*arg, std(size))]
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in arg):
        raise Stuck("positions that the group mixes or changes the sign of")
    return [(*arg, fix(size))]
