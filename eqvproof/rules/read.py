"""Entries read at other places: parts of an axis, an axis reversed, shifted, or all its shifts at once.

    v : (..., fixed or uniform, ...)        v : (..., B_1 + ... + B_m, ...), the part is B_j + ... + B_k
    ----------------------------------      ------------------------------------------------------------
    read there : the same, on each axis     v[part] : (..., B_j + ... + B_k, ...)

    C(n)   v : (..., rho, ...), or fixed there;  a_1, ..., a_k each 0 or 1
           sum_l s_l a_l = 1 where v is moved, = 0 where it is fixed
           -----------------------------------------------------------------------------
           v read at (c + sum_l s_l i_l) mod n : rho along the axes i_l with a_l = 1, else fixed

Proof. Entries are moved about, so other axes keep their acts, which mix lines of v and so those of what is
read. Nothing moves along a fixed axis; a uniform value is the same wherever it is read. A part that consists
of whole blocks of a direct sum, and of some of the copies B of a block ``I_m (x) B`` (of a fixed one, of some
entries), is moved by those alone. Under C(n), reading at the indices i_l + a_l t, taken modulo n (which is
their size), reads v at t sum_l s_l a_l places further on, modulo n: that is v shifted by t, or v as it was.
QED
"""

from __future__ import annotations

from itertools import product

from eqvproof.groups.families import EVERY_FAMILY
from eqvproof.program import ops
from eqvproof.program.reading import is_whole
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

#: An axis that is read by more axes than this is not looked at in all ways.
MOST_AXES = 4


def infer(op: ops.Read, args: list[Type], context: Context) -> list[Type]:
    """The types of a value read at other places."""
    (arg,) = args
    sizes = context.shape(op.args[0])
    ways = [
        _axis(act, place, [op.shape[k] for k in axes], size, context)
        for act, place, axes, size in zip(arg, op.places, op.axes(), sizes, strict=True)
    ]
    return [tuple(act for part in parts for act in part) for parts in product(*ways)]


def _axis(act: Act, place: ops.Place, counts: list[Size], size: Size, context: Context) -> list[Type]:
    """How the axes move by which one axis is read: all ways that are found."""
    if len(counts) == 1 and is_whole(place, counts[0], size):
        return [(act,)]
    if act is UNI:
        return [(UNI,) * len(counts)]
    shifts = place.cyclic and EVERY_FAMILY[context.family].shifts and size == context.size
    if shifts and len(counts) <= MOST_AXES:
        moved = 0 if is_fixed(act) else 1
        if is_fixed(act) or act == std(size):
            return [
                tuple(std(s) if a else fix(s) for a, s in zip(chosen, counts, strict=True))
                for chosen in product((0, 1), repeat=len(counts))
                if sum(a * step for a, step in zip(chosen, place.steps, strict=True)) == moved
                and all(s == size for a, s in zip(chosen, counts, strict=True) if a)
            ] or _stuck()
    if is_fixed(act):
        return [tuple(map(fix, counts))]
    if place.cyclic or place.steps != (1,):
        return _stuck()
    return [(_part(place.start, counts[0], act),)]


def _stuck() -> list[Type]:
    raise Stuck("entries are read at other places of an axis that the group moves")


def _part(start: Size, count: Size, act: Act) -> Act:
    position, end = Size.of(0), start + count
    taken: list[Block] = []
    for block in act or ():
        last = position + block_size(block)
        if (start - last).is_at_least(0) or (position - end).is_at_least(0):
            position = last
            continue
        low = _larger(start, position)
        high = last - _larger(last - end, Size.of(0))
        copies, rest = copies_of(block)
        if (low, high) != (position, last):
            before, many = (s.divide(block_size(rest)) for s in (low - position, high - low))
            if before is None or many is None or not many.is_at_least(0):
                raise Stuck("particular entries are picked from an axis that the group moves")
            copies = many
        taken.append(of_copies(copies, rest))
        position = last
    return canonical(taken) if taken else fix(count)


def _larger(a: Size, b: Size) -> Size:
    """The larger of two sizes, where that is one of them at all sizes."""
    if (a - b).is_at_least(0):
        return a
    if (b - a).is_at_least(0):
        return b
    raise Stuck("entries are picked from an axis that the group moves, at places that depend on the sizes")
