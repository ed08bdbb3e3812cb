"""One-hot vectors of numbers: [x = j] for j = 0, 1, ...

    PERM   x : (A_1, ..., A_r)                    ORTH, SIGN   x : all axes fixed
           ----------------------------------                  ----------------------------
           onehot x : (A_1, ..., A_r, fixed)                   onehot x : all axes fixed

    PERM   E : an input with the axes (A_1, ..., A_r), whose entries are positions of the axis of rho
           ------------------------------------------------------------------------------------------
           onehot E : (A_1, ..., A_r, rho)

Proof. Left: an elementwise function, with values in R^s. Below: a permutation p, with (g v)[i] = v[p(i)],
moves the entry j of E to the i with p(i) = j, and the axes of E by the A. So [g E = i] = [A E = p(i)], which
is the entry at p(i) of the one-hot vectors of A E: (A_1, ..., A_r, rho) applied to them. An undefined entry
makes the whole vector undefined. QED

Of an input with relabelled entries nothing but the one-hot vectors has a type; all else that would use its
entries, as numbers, is refused where types are inferred.
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, fix, is_fixed, std
from eqvproof.rules.context import Context


def infer(op: ops.OneHot, args: list[Type], context: Context) -> list[Type]:
    """The type of one-hot vectors."""
    (arg,) = args
    size = op.shape[-1]
    if context.is_relabelled(op.args[0]):
        if size != context.size:
            raise Stuck("positions of an axis that the group moves are looked up in an axis of another size")
        return [(*arg, std(size))]
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in arg):
        raise Stuck("positions that the group mixes or changes the sign of")
    return [(*arg, fix(size))]
