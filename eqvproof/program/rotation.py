"""Two parts of an axis joined the other way round are the axis, rotated."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.program.ops import Op, Slice
from eqvproof.program.size import Size


def rotation(parts: Sequence[Op], sizes: Sequence[Size], axis: int) -> tuple[int, int] | None:
    """(x, shift) where ``x[s:]`` before ``x[:s]`` is ``x`` rolled by a fixed shift; None for other parts.

    Args:
        parts: the operations that are joined.
        sizes: the sizes of the source of the first one.
        axis: along which they are joined.
    """
    if len(parts) != 2:
        return None
    first, second = parts
    if not isinstance(first, Slice) or not isinstance(second, Slice):
        return None
    if first.args != second.args or {first.axis, second.axis} != {axis} or first.step * second.step != 1:
        return None
    whole = sizes[axis]
    if second.start.terms or second.shape[axis] != first.start or first.start + first.shape[axis] != whole:
        return None
    shift = (whole - first.start).constant
    if shift is None:
        back = first.start.constant
        shift = None if back is None else -back
    return None if shift is None else (first.args[0], shift)
