"""A part of an axis, an axis reversed or shifted.

    v : (..., fixed or uniform, ...)      v : (..., B_1 + ... + B_m, ...), the part is B_j + ... + B_k
    --------------------------------      ------------------------------------------------------------
    v[part] : the same act                v[part] : (..., B_j + ... + B_k, ...)

    C(n)   v : (..., rho, ...)
           ------------------------------------
           v shifted cyclically : (..., rho, ...)

Proof. Nothing moves along a fixed axis; a uniform value is uniform on every part, reversed or shifted. A
part that consists of whole blocks of a direct sum, and of some of the copies B of a block ``I_m (x) B`` (of a
fixed one, of some entries), is moved by those alone.
Other axes: taking a part of one axis commutes with matrices on another. Cyclic shifts of one axis commute
with each other. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.program.size import Size
from eqvproof.rules.acts import (
    UNI,
    Act,
    Block,
    Stuck,
    Type,
    block_size,
    canonical,
    copies_of,
    fix,
    is_fixed,
    of_copies,
    std,
)
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
    for block in act or ():
        last = position + block_size(block)
        if (op.start - last).is_at_least(0) or (position - end).is_at_least(0):
            position = last
            continue
        low = _larger(op.start, position)
        high = last - _larger(last - end, Size.of(0))
        copies, rest = copies_of(block)
        if (low, high) != (position, last):
            before, count = (s.divide(block_size(rest)) for s in (low - position, high - low))
            if before is None or count is None or not count.is_at_least(0):
                raise Stuck("particular entries are picked from an axis that the group moves")
            copies = count
        taken.append(of_copies(copies, rest))
        position = last
    return canonical(taken) if taken else fix(op.shape[op.axis])


def _larger(a: Size, b: Size) -> Size:
    """The larger of two sizes, where that is one of them at all sizes."""
    if (a - b).is_at_least(0):
        return a
    if (b - a).is_at_least(0):
        return b
    raise Stuck("entries are picked from an axis that the group moves, at places that depend on the sizes")
