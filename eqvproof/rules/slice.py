"""A part of an axis, an axis reversed or shifted.

    v : (..., fixed or uniform, ...)      v : (..., B_1 + ... + B_m, ...), the part is B_j + ... + B_k
    --------------------------------      ------------------------------------------------------------
    v[part] : the same act                v[part] : (..., B_j + ... + B_k, ...)

    C(n)   v : (..., rho, ...)
           ------------------------------------
           v shifted cyclically : (..., rho, ...)

Proof. Nothing moves along a fixed axis; a uniform value is uniform on every part, reversed or shifted. A
part that consists of whole blocks of a direct sum is moved by those blocks alone. Other axes: taking a part
of one axis commutes with matrices on another. Cyclic shifts of one axis commute with each other. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.program.size import Size
from eqvproof.rules.acts import UNI, Act, Block, Stuck, Type, block_size, canonical, fix, is_fixed, std
from eqvproof.rules.context import Context


def infer(op: ops.Slice | ops.Flip | ops.Roll, args: list[Type], context: Context) -> list[Type]:
    """The type of a part of a value, or of a value reversed or shifted along an axis."""
    (arg,) = args
    act = arg[op.axis]
    new: Act
    if act is UNI:
        new = UNI
    elif is_fixed(act):
        new = fix(op.shape[op.axis])
    elif isinstance(op, ops.Slice):
        new = _blocks(op, act)
    elif isinstance(op, ops.Roll) and context.family == "C" and act == std(context.size):
        new = act
    else:
        raise Stuck("a fixed reordering of an axis that the group moves")
    return [(*arg[: op.axis], new, *arg[op.axis + 1 :])]


def _blocks(op: ops.Slice, act: Act) -> Act:
    if op.step != 1:
        raise Stuck("every k-th entry of an axis that the group moves")
    position, end = Size.of(0), op.start + op.shape[op.axis]
    taken: list[Block] = []
    inside = position == op.start
    for block in act or ():
        size = block_size(block)
        if inside and position != end:
            taken.append(block)
        position = position + size
        inside = inside or position == op.start
        if inside and position == end and taken:
            return canonical(taken)
    raise Stuck("particular entries are picked from an axis that the group moves")
