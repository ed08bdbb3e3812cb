"""Constants, sizes, index vectors: what no group element moves.

    c does not depend on the inputs
    -------------------------------        -------------------
    c : (fixed, ..., fixed)                0 : (A_1, ..., A_r)

Proof. A constant is computed alike on moved and unmoved inputs, so the identity acts on it; along an axis
on which it does not vary that is what UNI says. The zero tensor stays zero under every linear map. The size
of an axis does not change when the group acts. QED
"""

from __future__ import annotations

from itertools import product

import numpy as np

from eqvproof.program import ops
from eqvproof.rules.acts import UNI, Act, Type, fix
from eqvproof.rules.context import Context


def infer(op: ops.Op, args: list[Type], context: Context) -> list[Type]:
    """The types of a leaf other than an input."""
    if isinstance(op, ops.Const):
        if not np.any(op.array()):
            return zero(op.shape, context)
        return [tuple(UNI if _is_uniform(op, i) else fix(s) for i, s in enumerate(op.shape))]
    return [context.fixed(op.shape)]


def zero(shape: ops.Shape, context: Context) -> list[Type]:
    """The types with which a zero tensor is tried."""
    options: list[tuple[Act, ...]] = [context.candidates(s) for s in shape]
    return [tuple(choice) for choice in product(*options)][:16]


def _is_uniform(op: ops.Const, axis: int) -> bool:
    array = op.array()
    return not array.size or bool(np.all(array == array.take([0], axis)))
