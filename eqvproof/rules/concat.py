"""Values one after another along an axis.

    v_1 : (..., A_1, ...), ..., v_m : (..., A_m, ...), the other axes alike
    -----------------------------------------------------------------------
    concat v : (..., A_1 + ... + A_m, ...)     (direct sum)

Proof. Along the joined axis the moved value is the moved parts one after another, which is the block
diagonal matrix of the A_i; along the other axes all parts are multiplied by the same matrix. A uniform part
is taken as fixed, for permutations also as moved by rho when it has the size of rho. QED
"""

from __future__ import annotations

from itertools import product

from eqvproof.program import ops
from eqvproof.rules.acts import Act, Block, Kind, Type, canonical, fix, std, unify
from eqvproof.rules.context import Context


def infer(op: ops.Concat, args: list[Type], context: Context) -> list[Type]:
    """The types of joined values."""
    other = [
        unify([arg[i] for arg in args], context.kind) if i != op.axis else None for i in range(len(op.shape))
    ]
    options: list[list[Act]] = []
    for x, arg in zip(op.args, args, strict=True):
        size, act = context.shape(x)[op.axis], arg[op.axis]
        if act is not None:
            options.append([act])
        elif context.kind is Kind.PERM and size == context.size:
            options.append([std(size), fix(size)])
        else:
            options.append([fix(size)])
    result = []
    for choice in list(product(*options))[:16]:
        blocks: list[Block] = [block for act in choice for block in act or ()]
        result.append((*other[: op.axis], canonical(blocks), *other[op.axis + 1 :]))
    return list(dict.fromkeys(result))
