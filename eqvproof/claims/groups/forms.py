"""Groups of all matrices that keep a bilinear form: ``g^T B g = B``, B symmetric or skew.

Their Lie algebra is ``{A : A^T B + B A = 0} = {B^-1 S}``, S skew where B is symmetric and symmetric
where B is skew: ``(B A)^T = A^T B^T`` is ``-B A`` or ``B A``. For such an A, and ``I - A``
invertible, the Cayley transform ``(I - A)^-1 (I + A)`` keeps B: ``B (I + A) = (I - A)^T B`` and ``B
(I - A) = (I + A)^T B``, and ``I + A`` and ``I - A`` commute.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from eqvproof.claims.groups.matrices import Matrix, from_flint, to_flint, unit, why_not_square

#: The matrix B of a form, as rows.
BilinearForm = Sequence[Sequence[int]]


def _as_fractions(rows: BilinearForm) -> Matrix:
    return tuple(tuple(map(Fraction, row)) for row in rows)


def why_not_keeping(form: BilinearForm | None, data: Any) -> str:
    """Says why the data are no matrix that keeps the form (without one: not the identity)."""
    if reason := why_not_square(data):
        return reason
    if form is None:
        if data == unit(len(data)):
            return ""
        return "there is no such form at this size"
    g, b = to_flint(data), to_flint(_as_fractions(form))
    if g.transpose() * b * g == b:
        return ""
    return "the matrix does not keep the form"


def lie_algebra(form: BilinearForm | None) -> list[list[list[int]]]:
    """Returns a basis of the Lie algebra of the matrices that keep a form B.

    B has entries 1 and -1, one in each row and column, so that ``B^-1 = B^T``.
    """
    if form is None:
        return []
    size = len(form)
    skew = int(all(form[j][i] == -form[i][j] for i in range(size) for j in range(size)))
    found = []
    for k in range(size):
        for m in range(k + 1 - skew, size):
            s = [[0] * size for _ in range(size)]
            s[k][m], s[m][k] = 1, 2 * skew - 1
            transposed = list(zip(*form, strict=True))
            columns = list(zip(*s, strict=True))
            found.append(
                [[sum(map(int.__mul__, row, column)) for column in columns] for row in transposed]
            )
    return found


def draw_cayley_transform(algebra: Sequence[BilinearForm], size: int, rng: random.Random) -> Matrix:
    """Draws a Cayley transform ``(I - A)^-1 (I + A)`` of a random A in a Lie algebra.

    A is a combination of the basis with small rational coefficients.

    **Cost**: one rational inverse; entries have some size^2 digits.
    """
    while True:
        a = to_flint(_as_fractions([[0] * size] * size))
        for basis in algebra:
            value = Fraction(rng.randint(-3, 3), rng.randint(1, 3))
            a += to_flint(tuple(tuple(value * v for v in row) for row in basis))
        one = to_flint(unit(size))
        if (one - a).det() != 0:
            return from_flint((one - a).inv() * (one + a))
