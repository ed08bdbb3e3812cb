"""Irreps of O(3): blocks of an axis moved by the orthogonal matrix of a degree and a parity.

Of the degree l and of *natural* parity, (-1)^l, the matrix D^l(Q) is homogeneous of degree l in Q:
degree 0 is fixed, degree 1 is Q itself, and both are written as such. The other irrep of each
degree is det(Q) D^l(Q). So

    v : (..., A, ...), exponent e of the determinant
    ------------------------------------------------
    v : (..., det A, ...), exponent e + 1

for every axis with an act A; `acts.normalise_twists` writes all of these in one way: with a natural
first block on each axis. Under SO(3) the determinant is 1 and parities are not written. Proof. The
product of the matrices of all axes with ``det^e`` stays the same, for det^2 = 1. QED

The basis is that of e3nn (Geiger and Smidt 2022), entries numbered -l..l, polar axis y:
`rotation_generators` has, for the rotations about x, y and z, the antisymmetric matrices with entries
``+-sqrt(n / 2)``, n an integer:

    about y:   A[-m, m] = m
    about x:   A[m, m+1] = -c(m) for m >= 0, A[-m-1, -m] = c(m) for m > 0
    about z:   A[-m-1, m] = -c(m) for m >= 0, A[-m, m+1] = c(m) for m > 0

with ``c(m) = sqrt(l(l+1) - m(m+1)) / 2``, but ``c(0) = sqrt(l(l+1) / 2)``. Proof: these are the
ladder operators on ``Y_m +- i Y_-m``; tests/programs/rules asks for ``[A_1, A_2] = A_3`` and its rotations
exactly, and that they are the derivatives of the matrices D^l. QED
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from eqvproof.claims.size import Size


class Irrep(NamedTuple):
    """An irrep of O(3).

    Attributes:
        degree: its degree l.
        twisted: whether its parity is the opposite of ``(-1)^degree``.
    """

    degree: int
    twisted: bool = False

    @property
    def size(self) -> Size:
        """Returns 2l + 1."""
        return Size.of(2 * self.degree + 1)

    def __str__(self) -> str:
        """Writes it as e3nn does, with its parity e or o."""
        return f"{self.degree}{'eo'[(self.degree + self.twisted) % 2]}"


def irrep(degree: int, parity: str) -> Irrep:
    """Returns the irrep of a degree and a parity, e or o."""
    return Irrep(degree, (parity == "o") != bool(degree % 2))


#: (row, column, sign, n): the entry ``sign * sqrt(n / 2)`` of a generator, rows and columns from 0.
Entry = tuple[int, int, int, int]


@cache
def rotation_generators(degree: int) -> tuple[tuple[Entry, ...], ...]:
    """Returns the entries of the three generators about x, y and z; exact, and the kernel's."""
    from eqvproof.kernel.irreps import columns

    return tuple(
        tuple(
            (i, j, sign, n) for j, column in columns(degree, about).items() for i, sign, n in column
        )
        for about in range(3)
    )
