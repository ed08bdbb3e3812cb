"""Rule of reshapes: the same entries in row-major order, with other axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from ..acts import UNI, Act, fixed
from ..program import Node, Shape
from ..sizes import ONE, Size
from .base import Lows, Rule, Step, entry_count, shared


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    return entry_count(shapes[0]) == entry_count(node.shape)


def _typed(step: Step) -> bool:
    """Checks the type: row-major entries carry the tensor product of the acts of the axes.

    The same sequence of factors is the same product, however grouped into axes (I_m (x) I_n =
    I_mn).
    """
    before = _row_major_factors(step.types[0], step.shape())
    return UNI not in step.stated and before == _row_major_factors(step.stated, step.node.shape)


def _row_major_factors(acts: Sequence[Act], shape: Sequence[Size]) -> list[object]:
    """Returns the factors in order, with neighbouring identities multiplied.

    A direct sum counts as one factor.
    """
    result: list[object] = []
    identity = ONE
    for act, size in zip(acts, shape, strict=True):
        blocks = fixed(size) if isinstance(act, str) else act
        if len(blocks) != 1:
            result += [identity, blocks]
            identity = ONE
            continue
        identity = identity * blocks[0][0]
        for factor in blocks[0][1]:
            if factor[1] is False:
                identity = identity * factor[0]
            else:
                result += [identity, factor]
                identity = ONE
    return [*result, identity]


def _carries(node: Node, shape: Shape) -> list[int | None]:
    """Maps the leading and trailing axes that are unchanged, and the others to None.

    The digits of these axes are read alone.
    """
    old, new = list(shape), list(node.shape)
    front = _equal_leading(old, new)
    last = len(old) - _equal_leading(old[front:][::-1], new[front:][::-1])
    back = len(old) - last
    return [*range(front), *[None] * (last - front), *range(len(new) - back, len(new))]


def _equal_leading(old: Sequence[Size], new: Sequence[Size]) -> int:
    """Returns the number of leading sizes that agree."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


RULE = Rule("reshape", _shape, _typed, shared, form="moved", carries=_carries)
