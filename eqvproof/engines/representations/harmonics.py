"""Irreps of O(3) of degrees 0, 1 and 2 as functions of the matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.errors import GroupError
from eqvproof.exact import Real


def irreps_function(parts: tuple[tuple[int, int, str], ...]) -> Callable[[Any], Any]:
    """rho for irreps of O(3) of degrees 0, 1, 2: block diagonal, in the basis of real spherical harmonics.

    Degree 1 has the order x, y, z. Degree 2 is the space of quadratic forms ``x^T B_i x`` with the harmonics
    sqrt(3) x z, sqrt(3) x y, y^2 - (x^2 + z^2)/2, sqrt(3) y z, sqrt(3)/2 (z^2 - x^2): then
    ``D_ij = 2/3 tr(Q^T B_i Q B_j)``, because ``tr(B_i B_j) = 3/2`` for i = j and 0 otherwise. The parity is
    ``p(-1)``: with det Q = -1, Q is -R for a rotation R, and D(Q) = p D(R).

    Raises:
        GroupError: a degree of 3 or more.
    """
    if any(degree > 2 for _, degree, _ in parts):
        raise GroupError(
            "irreps of degree 3 and more are not built",
            expected="degrees 0, 1, 2, or a function of the matrix",
            code="reps.unsupported",
        )

    def rho(q: Any) -> Any:
        blocks = []
        for count, degree, parity in parts:
            sign = 1 if (parity == "e") == (degree % 2 == 0) else _det(q)
            blocks += [(sign, _natural(q, degree))] * count
        size = sum(len(block) for _, block in blocks)
        result = np.zeros((size, size), dtype=np.asarray(q).dtype)
        at = 0
        for sign, block in blocks:
            for i, row in enumerate(block):
                for j, value in enumerate(row):
                    result[at + i, at + j] = sign * value
            at += len(block)
        return result

    return rho


def _det(q: Any) -> Any:
    minors = [q[1, (k + 1) % 3] * q[2, (k + 2) % 3] - q[1, (k + 2) % 3] * q[2, (k + 1) % 3] for k in range(3)]
    return q[0, 0] * minors[0] + q[0, 1] * minors[1] + q[0, 2] * minors[2]


def _natural(q: Any, degree: int) -> list[list[Any]]:
    """The matrix on harmonics of a degree, of parity (-1)^degree."""
    if degree == 0:
        return [[1]]
    if degree == 1:
        return [[q[i, j] for j in range(3)] for i in range(3)]
    root: Any = np.sqrt(Real(3)) if np.asarray(q).dtype == object else math.sqrt(3)
    forms = FORMS
    found: list[list[Any]] = []
    for has_root, form in forms:
        row: list[Any] = []
        for other_root, other in forms:
            total: Any = 0
            for (a, b), v in form.items():
                for (c, d), w in other.items():
                    total = total + q[a, c] * q[b, d] * (v * w)
            weight = {0: 2, 1: 2 * root, 2: 6}[has_root + other_root]  # 2 sqrt(3)^k
            row.append(total * weight / 12)  # tr over forms that are twice B_i: 2/3 / 4 = 2/12
        found.append(row)
    return found


_X, _Y, _Z = 0, 1, 2
#: 2 B_i as (power of sqrt(3), entries).
FORMS: tuple[tuple[int, Mapping[tuple[int, int], int]], ...] = (
    (1, {(_X, _Z): 1, (_Z, _X): 1}),
    (1, {(_X, _Y): 1, (_Y, _X): 1}),
    (0, {(_Y, _Y): 2, (_X, _X): -1, (_Z, _Z): -1}),
    (1, {(_Y, _Z): 1, (_Z, _Y): 1}),
    (1, {(_Z, _Z): 1, (_X, _X): -1}),
)
