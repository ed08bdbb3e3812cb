"""The 32 crystallographic point groups, by rational matrices.

The main axis of a group with rotations of order 3 or 6 is (1, 1, 1), about which these rotations
have rational entries, with (1, -1, 0) as the second axis. Otherwise the main axis is (0, 0, 1), the
second (1, 0, 0); those of the cubic groups are the axes of the coordinates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from eqvproof.claims.groups.custom import generated_by
from eqvproof.claims.groups.model import Group
from eqvproof.support.errors import GroupError

_Matrix: TypeAlias = "tuple[tuple[Fraction, ...], ...]"
_Vector: TypeAlias = "tuple[int, int, int]"

_DIAGONAL, _ACROSS, _X, _Z = (1, 1, 1), (1, -1, 0), (1, 0, 0), (0, 0, 1)
#: Symbols of the groups, in the notation of Schoenflies.
POINT_GROUPS = (
    "C1 Ci Cs C2 C3 C4 C6 S4 S6 C2v C3v C4v C6v C2h C3h C4h C6h D2 D3 D4 D6 D2h D3h D4h D6h D2d"
    " D3d T Td Th O Oh"
).split()


def point_group(symbol: str, axis: str | int = 3) -> Group:
    """Builds a crystallographic point group, which acts on an axis of size 3.

    Args:
        symbol: its symbol in the notation of Schoenflies: ``"Td"``, ``"Oh"``, ``"D3h"``.
        axis: the axis; 3 for the axes that a signature writes 3.

    Returns:
        A group for ``under=``, alone or in a list with others. The main axis is (1, 1, 1) for
        groups with rotations of order 3 or 6 that are not cubic, else (0, 0, 1).

    **Exactness**: the matrices are rational.

    Raises:
        GroupError: there is no such group.

    >>> str(point_group("Td"))
    'Td(3)'
    """
    if symbol not in POINT_GROUPS:
        raise GroupError(
            "there is no point group with this symbol",
            given=repr(symbol),
            expected=", ".join(POINT_GROUPS),
            hint="of other axes of rotation, no group has rational matrices; generated_by(...)"
            " builds a group from matrices",
            code="group.point",
        )
    return generated_by(_generators_of(symbol), axis=axis, name=symbol)


def _generators_of(symbol: str) -> list[_Matrix]:
    cubic = {"T": [], "Td": [_improper(_Z, 4)], "Th": [_inversion()]}
    if symbol in cubic:
        return [_turn(_DIAGONAL, 3), _turn(_Z, 2), *cubic[symbol]]
    if symbol in ("O", "Oh"):
        return [_turn(_DIAGONAL, 3), _turn(_Z, 4), *[_inversion()] * (symbol == "Oh")]
    if symbol in ("Ci", "Cs"):
        return [_inversion() if symbol == "Ci" else _mirror(_Z)]
    kind, order, more = re.fullmatch(r"([CDS])(\d)([dhv]?)", symbol).groups()  # type: ignore[union-attr]
    n = int(order)
    main, second = (_DIAGONAL, _ACROSS) if n in (3, 6) else (_Z, _X)
    if kind == "S":
        return [_improper(main, n)]
    if more == "d":
        return [_improper(main, 2 * n), _turn(second, 2)]
    others = {"": [], "h": [_mirror(main)], "v": [_mirror(second)]}[more]
    return [_turn(main, n), *[_turn(second, 2)] * (kind == "D"), *others]


def _turn(axis: _Vector, order: int) -> _Matrix:
    """Returns the rotation about an axis by a whole turn divided by 1, 2, 3, 4 or 6."""
    half = _opposite(_mirror(axis))
    if order == 1:
        return _times(half, half)
    if order == 2:
        return half
    if order == 4:
        return _rows([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    third = _rows([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    if order == 3:
        return third
    return _times(half, _times(third, third))  # by 180 + 240 degrees, that is by 60


def _improper(axis: _Vector, order: int) -> _Matrix:
    """Returns the rotation about an axis, followed by the mirror across it."""
    return _times(_mirror(axis), _turn(axis, order))


def _mirror(normal: _Vector) -> _Matrix:
    """Returns the reflection in the plane through 0 with this normal."""
    square = sum(a * a for a in normal)
    return _rows(
        [[int(i == j) - Fraction(2 * a * b, square) for j, b in enumerate(normal)]
         for i, a in enumerate(normal)]
    )  # fmt: skip


def _inversion() -> _Matrix:
    return _opposite(_turn(_Z, 1))


def _opposite(a: _Matrix) -> _Matrix:
    return tuple(tuple(-v for v in row) for row in a)


def _times(a: _Matrix, b: _Matrix) -> _Matrix:
    return tuple(
        tuple(
            sum((x * y for x, y in zip(row, c, strict=True)), Fraction())
            for c in zip(*b, strict=True)
        )
        for row in a
    )


def _rows(rows: Sequence[Sequence[int | Fraction]]) -> _Matrix:
    return tuple(tuple(map(Fraction, row)) for row in rows)
