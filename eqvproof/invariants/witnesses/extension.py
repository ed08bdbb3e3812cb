"""Short orthogonal extensions by the Cayley transform.

When X has rank r < d, many orthogonal Q satisfy Q X = Y, and the one of least displacement (Wall's
form) can have very long entries. Write Q = (I - S) (I + S)^-1 with S skew. Then Q X = Y means
``S V = W`` with V = X + Y, W = X - Y: linear in S. A Q that comes from a small S is found by
lattices of small numbers.
"""

from __future__ import annotations

import random

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, fmpz_mod_ctx, fmpz_mod_mat

from eqvproof.invariants.witnesses.field import FieldMatrix, solve_integers
from eqvproof.invariants.witnesses.modular import pivot_columns

#: Approximate largest bit length of the entries of S that are found.
REACH = 24
#: Largest bit length of a modulus. Beyond it X has so few columns that Wall's form is short.
LONGEST_MODULUS = 400
#: Largest dimension, and largest bit length in V, for which the exact lattice is reduced.
MOST_DIMENSIONS, LONGEST_LATTICE = 16, 2048


def cayley_extensions(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix | None:
    """Finds an orthogonal Q with Q X = Y and short entries by a small skew matrix, or None.

    X has full column rank, and the Gram matrices of X and Y are equal. Returns None if no small
    skew matrix was found for Y or for -Y (for Q = -Q').

    Exactness: exact by construction; callers verify it nevertheless.

    Source: Cayley (1846); Lenstra, Lenstra, Lovasz (1982); Babai (1986) for the rounding.
    """
    for sign in (1, -1):
        v = x.top * y.bottom + y.top * (sign * x.bottom)
        w = x.top * y.bottom - y.top * (sign * x.bottom)
        if v.rank() < v.ncols():
            continue  # Q has the eigenvalue -1
        skew = small_skew(v, w) or lattice_skew(v, w)
        if skew is None:
            return None
        return cayley(*skew).scale(sign)
    return None


def cayley(top: fmpz_mat, bottom: int) -> FieldMatrix:
    """Computes ``(I - S) (I + S)^-1`` for the skew matrix S = top / bottom."""
    identity = FieldMatrix.identity(top.nrows())
    scaled = identity.top * bottom
    solution, denominator = solve_integers(scaled + top, scaled - top)  # the factors commute
    return FieldMatrix.make(identity.field, (solution,), denominator)


def small_skew(v: fmpz_mat, w: fmpz_mat) -> tuple[fmpz_mat, int] | None:
    """Finds a small skew S and a small integer b with ``S V = b W``; None if none was found.

    Each row of S solves a linear system modulo a prime p with p^(r/d) of some thirty bits, and is
    the shortest vector of its class modulo the lattice of solutions of the homogeneous system:
    numbers as long as p, however long those of V are. The result is checked over the integers.
    """
    d, r = v.nrows(), v.ncols()
    size = REACH * d // max(r, 1) + 10
    if not r or size > LONGEST_MODULUS:
        return None
    prime = (1 << size) + 1
    while not fmpz(prime).is_probable_prime():
        prime += 2
    split = _modular_split(v, prime)
    if split is None:
        return None
    rows, rest, inverse, context = split
    relations = _least_residues(fmpz_mod_mat(_rows(v, rest), context) * inverse, prime)
    table = [[0] * d for _ in range(d)]
    for k, i in enumerate(rows):
        table[k][i] = prime
    for k, j in enumerate(rest):
        table[r + k][j] = 1
        for m, i in enumerate(rows):
            table[r + k][i] = -relations[k][m]
    basis = fmpz_mat(table).lll()
    images = _least_residues(fmpz_mod_mat(w, context) * inverse, prime)
    start = [[0] * d for _ in range(d)]
    for k in range(d):
        for m, i in enumerate(rows):
            start[k][i] = images[k][m]
    for attempt in range(2):
        bottom = 1
        if attempt:
            bottom = _denominator(basis, start)
        top = _reduce_rows(fmpz_mat(start) * bottom, basis)
        if bottom and top.transpose() == -top and top * v == w * bottom:
            return top, bottom
    return None


def _modular_split(
    v: fmpz_mat, prime: int
) -> tuple[list[int], list[int], fmpz_mod_mat, fmpz_mod_ctx] | None:
    """Finds rows of V that are invertible modulo a prime; returns them, the others, the inverse."""
    context = fmpz_mod_ctx(prime)
    echelon, rank = fmpz_mod_mat(v.transpose(), context).rref()
    if rank < v.ncols():
        return None
    rows = pivot_columns(echelon, rank)
    rest = [j for j in range(v.nrows()) if j not in set(rows)]
    return rows, rest, fmpz_mod_mat(_rows(v, rows), context).inv(), context


def _rows(matrix: fmpz_mat, chosen: list[int]) -> fmpz_mat:
    return fmpz_mat(
        len(chosen), matrix.ncols(), [matrix[i, j] for i in chosen for j in range(matrix.ncols())]
    )


def _least_residues(matrix: fmpz_mod_mat, prime: int) -> list[list[int]]:
    """Lifts residues to their representatives of least absolute value."""
    half = prime // 2
    return [[(int(e) + half) % prime - half for e in row] for row in matrix.tolist()]


def _reduce_rows(vectors: fmpz_mat, basis: fmpz_mat) -> fmpz_mat:
    """Subtracts from each row the nearest lattice vector, by rounding coordinates."""
    top, bottom = solve_integers(basis.transpose(), vectors.transpose())
    nearest = [(2 * int(e) + bottom) // (2 * bottom) for e in top.entries()]
    return vectors - fmpz_mat(top.nrows(), top.ncols(), nearest).transpose() * basis


def _denominator(basis: fmpz_mat, start: list[list[int]]) -> int:
    """Finds a small integer whose multiple of a random combination of the rows is short.

    Short means short modulo the lattice. Returns 0 if there is no small one.
    """
    d = len(start)
    rng = random.Random(0)
    signs = [rng.choice((1, -1)) for _ in range(d)]
    target = [sum(s * row[j] for s, row in zip(signs, start, strict=True)) for j in range(d)]
    table = [[*map(int, row), 0] for row in basis.tolist()] + [[*target, 1]]
    for row in fmpz_mat(table).lll().tolist():
        if row[d]:
            if abs(int(row[d])).bit_length() <= REACH // 2:
                return abs(int(row[d]))
            return 0
    return 0


def lattice_skew(v: fmpz_mat, w: fmpz_mat) -> tuple[fmpz_mat, int] | None:
    """Finds (S, b) with S skew and ``S V = b W`` for short V: a solution, rounded against the rest.

    All solutions are one of them plus N K N^T, N a basis of the integer vectors orthogonal to V and
    K skew.
    """
    split = _split_lattice(v)
    if split is None:
        return None
    normal, left = split
    # V = P T with P primitive, T = left V, left P = I; so S P = W T^-1.
    inverse = fmpq_mat(left * v).inv()
    primitive, target = fmpq_mat(v) * inverse, fmpq_mat(w) * inverse
    inner = fmpq_mat(left)
    lifted = target * inner
    skew = (
        lifted - lifted.transpose() + inner.transpose() * (target.transpose() * primitive) * inner
    )
    top, bottom = skew.numer_denom()
    return _round_against_normals(top, normal), int(bottom)


def _split_lattice(matrix: fmpz_mat) -> tuple[fmpz_mat, fmpz_mat] | None:
    """Returns (N, A) for integer V (d x r): V^T N = 0, N LLL-reduced, [N, A^T] unimodular.

    A times a primitive basis of the span of V is the identity. None if V is deficient or too long,
    or LLL did not separate the kernel.
    """
    d, r = matrix.nrows(), matrix.ncols()
    longest = max((int(abs(e)).bit_length() for e in matrix.entries()), default=1)
    if d > MOST_DIMENSIONS or longest * r > LONGEST_LATTICE:
        return None
    weight = 1 << (longest * r // max(1, d - r) + longest + d + 10)
    table = matrix.tolist()
    rows = [[e * weight for e in table[i]] + [int(i == j) for j in range(d)] for i in range(d)]
    reduced = fmpz_mat(rows).lll().tolist()
    kernel = [row[r:] for row in reduced if not any(row[:r])]
    rest = [row[r:] for row in reduced if any(row[:r])]
    if len(kernel) != d - r or len(rest) != r:
        return None
    return fmpz_mat(kernel).transpose(), fmpz_mat(rest)


def _round_against_normals(skew: fmpz_mat, normal: fmpz_mat) -> fmpz_mat:
    """Subtracts from S the nearest N K N^T with K skew, by rounding coordinates."""
    top, bottom = solve_integers(normal.transpose() * normal, normal.transpose())
    weights = fmpq_mat(top * skew * top.transpose()) * fmpq(1, bottom**2)
    size, half = normal.ncols(), fmpq(1, 2)
    lower = fmpz_mat(size, size)
    for i in range(size):
        for j in range(i):
            lower[i, j] = (weights[i, j] + half).floor()
    return skew - normal * (lower - lower.transpose()) * normal.transpose()
