"""Ranks, pivots and determinants modulo a word-sized prime; callers check the results exactly."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpz, fmpz_mod_mat, nmod_mat

from eqvproof.invariants.witnesses.field import Field, FieldMatrix
from eqvproof.support.errors import defect

#: Number of primes tried before giving up; each fails for few matrices only.
ATTEMPTS = 40


def primes(field: Field, start: int = 2**61 - 1) -> Iterator[tuple[int, int]]:
    """Yields (p, root): primes below 2^61 at which theta has an image, with that image.

    The image is a root of the minimal polynomial of theta modulo p.
    """
    candidate = start
    while candidate > 2:
        if fmpz(candidate).is_probable_prime():
            root = field.root_modulo(candidate)
            if root is not None:
                yield candidate, root
        candidate -= 2


def image(matrix: FieldMatrix, prime: int, root: int) -> nmod_mat | None:
    """Reduces a matrix modulo a prime, with theta mapped to a root.

    Returns None if the prime divides a denominator.
    """
    rows, columns = matrix.shape
    if matrix.field.is_rational:
        if matrix.bottom % prime == 0:
            return None
        reduced = nmod_mat(matrix.top, prime)
        if matrix.bottom == 1:
            return reduced
        return reduced * pow(matrix.bottom, -1, prime)
    residues = matrix.residues(prime, root)
    if residues is None:
        return None
    return nmod_mat(rows, columns, residues, prime)


def pivots(matrix: FieldMatrix, prime: int, root: int) -> list[int] | None:
    """Returns the indices of the first columns that are independent modulo a prime.

    Columns independent modulo a prime are independent. They may be too few if the prime divides a
    minor; None if it divides a denominator.
    """
    reduced = image(matrix, prime, root)
    if reduced is None:
        return None
    if not matrix.shape[0] or not matrix.shape[1]:
        return []
    return pivot_columns(*reduced.rref())


def pivot_columns(echelon: nmod_mat | fmpz_mod_mat, rank: int) -> list[int]:
    """Returns the pivot columns of a reduced echelon form."""
    found, column = [], 0
    for row in range(rank):
        while int(echelon[row, column]) == 0:
            column += 1
        found.append(column)
        column += 1
    return found


def independent_columns(matrix: FieldMatrix) -> list[int]:
    """Returns the indices of the first independent columns that span all columns.

    Exactness: exact. Columns independent modulo a prime are independent; that they span all columns
        is checked by solving.
    """
    for _, (prime, root) in zip(range(ATTEMPTS), primes(matrix.field), strict=False):
        found = pivots(matrix, prime, root)
        if found is None:
            continue
        basis = matrix.select(columns=found)
        gram = basis.transpose() @ basis
        if (basis @ gram.solve(basis.transpose() @ matrix)).equals(matrix):
            return found
    raise defect("no prime was found that keeps the rank of a matrix")


def orthogonal_determinant(matrix: FieldMatrix) -> int:
    """Computes det Q, 1 or -1, for a matrix that is known to be orthogonal.

    Exactness: exact; 1 and -1 differ modulo every odd prime.
    """
    for prime, root in primes(matrix.field):
        reduced = image(matrix, prime, root)
        if reduced is not None:
            if not matrix.shape[0] or int(reduced.det()) == 1:
                return 1
            return -1
    raise defect("no prime was found that keeps a denominator invertible")
