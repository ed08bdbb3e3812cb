"""The 32 crystallographic point groups, by rational matrices.

The main axis of a group with rotations of order 3 or 6 is (1, 1, 1), about which these rotations
have rational entries, with (1, -1, 0) as the second axis. Otherwise the main axis is (0, 0, 1), the
second (1, 0, 0); those of the cubic groups are the axes of the coordinates.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from eqvproof.claims.groups.custom import generated_by
from eqvproof.claims.groups.matrices import (
    Matrix,
    diagonal_matrix,
    householder_matrix,
    permutation_matrix,
    plane_rotation,
    product_of,
    unit,
)
from eqvproof.claims.groups.model import Group
from eqvproof.support.errors import GroupError
from eqvproof.support.short_tracebacks import shortens_tracebacks

_Vector: TypeAlias = "tuple[int, int, int]"

_DIAGONAL, _ACROSS, _X, _Z = (1, 1, 1), (1, -1, 0), (1, 0, 0), (0, 0, 1)
_INVERSION = diagonal_matrix((-1, -1, -1))
#: Symbols of the groups, in the notation of Schoenflies.
POINT_GROUPS = (
    "C1 Ci Cs C2 C3 C4 C6 S4 S6 C2v C3v C4v C6v C2h C3h C4h C6h D2 D3 D4 D6 D2h D3h D4h D6h D2d"
    " D3d T Td Th O Oh"
).split()


@shortens_tracebacks
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
            hint=_near(symbol)
            or "of other axes of rotation, no group has rational matrices; generated_by(...)"
            " builds a group from matrices",
            code="group.point",
        )
    return generated_by(_generators_of(symbol), axis=axis, name=symbol)


def _near(symbol: object) -> str:
    """Returns the symbol that one in another spelling stands for, as a question, or ""."""
    plain = re.sub(r"[^a-z0-9]", "", str(symbol).lower())
    for known in POINT_GROUPS:
        if known.lower() == plain:
            return f"did you mean {known!r}?"
    return ""


def _generators_of(symbol: str) -> list[Matrix]:
    cubic = {"T": [], "Td": [_improper(_Z, 4)], "Th": [_INVERSION]}
    if symbol in cubic:
        return [_turn(_DIAGONAL, 3), _turn(_Z, 2), *cubic[symbol]]
    if symbol in ("O", "Oh"):
        return [_turn(_DIAGONAL, 3), _turn(_Z, 4), *[_INVERSION] * (symbol == "Oh")]
    if symbol in ("Ci", "Cs"):
        return [_INVERSION if symbol == "Ci" else householder_matrix(_Z)]
    kind, order, more = re.fullmatch(r"([CDS])(\d)([dhv]?)", symbol).groups()  # type: ignore[union-attr]
    n = int(order)
    main, second = (_DIAGONAL, _ACROSS) if n in (3, 6) else (_Z, _X)
    if kind == "S":
        return [_improper(main, n)]
    if more == "d":
        return [_improper(main, 2 * n), _turn(second, 2)]
    others = {"": [], "h": [householder_matrix(main)], "v": [householder_matrix(second)]}[more]
    return [_turn(main, n), *[_turn(second, 2)] * (kind == "D"), *others]


def _turn(axis: _Vector, order: int) -> Matrix:
    """Returns the rotation about an axis by a whole turn divided by 1, 2, 3, 4 or 6.

    Those of order 4 are about (0, 0, 1), those of order 3 and 6 about (1, 1, 1).
    """
    if order == 1:
        return unit(3)
    if order == 4:
        return plane_rotation(3, 0, 1, Fraction(0), Fraction(1))
    half = product_of(_INVERSION, householder_matrix(axis))
    if order == 2:
        return half
    third = permutation_matrix((2, 0, 1))
    if order == 3:
        return third
    return product_of(half, product_of(third, third))  # by 180 + 240 degrees, that is by 60


def _improper(axis: _Vector, order: int) -> Matrix:
    """Returns the rotation about an axis, followed by the mirror across it."""
    return product_of(householder_matrix(axis), _turn(axis, order))
