"""Small orthogonal extensions by the Cayley transform.

When X has rank r < d, many orthogonal Q satisfy Q X = Y, and the one of least displacement (Wall's form) can
have entries of enormous length. Write Q = (I - S) (I + S)^-1 with S skew. Then Q X = Y means ``S V = W`` with
V = X + Y, W = X - Y: linear in S. All solutions are one solution plus N K N^T, N a basis of the integer
vectors orthogonal to V and K any skew matrix. The lattice of these is reduced, and the solution is rounded
against it; a Q that comes from a small S is found again in this way.
"""

from __future__ import annotations

from flint import fmpq, fmpq_mat, fmpz_mat

from eqvproof.witnesses.field import FieldMatrix, solve_integers


def cayley_extension(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix | None:
    """An orthogonal Q with Q X = Y and short entries, for X of full column rank and equal Gram matrices.

    Returns None where X + Y is rank-deficient (then Q has the eigenvalue -1), or the lattice is out of reach.

    Exactness: exact by construction; callers verify all the same.

    Source: Cayley (1846), "Sur quelques proprietes des determinants gauches"; Lenstra, Lenstra, Lovasz
    (1982).
    """
    d = x.shape[0]
    v, w = x + y, x - y
    v_top, v_bottom = v.top, v.bottom
    split = split_lattice(v_top)
    if split is None:
        return None
    normal, left = split
    # V = P T / v_bottom with P primitive, T = left V_top, left P = I; so S P = W T^-1 v_bottom.
    inverse = fmpq_mat(left * v_top).inv()
    primitive = fmpq_mat(v_top) * inverse
    target = fmpq_mat(w.top) * inverse * fmpq(v_bottom, w.bottom)
    inner = fmpq_mat(left)
    lifted = target * inner
    skew = lifted - lifted.transpose() + inner.transpose() * (target.transpose() * primitive) * inner
    numerator, denominator = rounded(skew, normal).numer_denom()
    scaled = FieldMatrix.identity(d).top * denominator
    # Q = (I - S)(I + S)^-1 = (I + S)^-1 (I - S): the factors commute
    top, bottom = solve_integers(scaled + numerator, scaled - numerator)
    return FieldMatrix.make(x.field, (top,), bottom)


def split_lattice(matrix: fmpz_mat) -> tuple[fmpz_mat, fmpz_mat] | None:
    """(N, A) for integer V (d x r): V^T N = 0, N an LLL-reduced basis, and [N, A^T] unimodular.

    A times a primitive basis of the span of V is the identity. None when V is deficient or LLL did not
    separate the kernel.
    """
    d, r = matrix.nrows(), matrix.ncols()
    longest = max((int(abs(e)).bit_length() for e in matrix.entries()), default=1)
    weight = 1 << (longest * r // max(1, d - r) + longest + d + 10)
    table = matrix.tolist()
    rows = [[e * weight for e in table[i]] + [int(i == j) for j in range(d)] for i in range(d)]
    reduced = fmpz_mat(rows).lll().tolist()
    kernel = [row[r:] for row in reduced if not any(row[:r])]
    rest = [row[r:] for row in reduced if any(row[:r])]
    if len(kernel) != d - r or len(rest) != r:
        return None
    return fmpz_mat(kernel).transpose(), fmpz_mat(rest)


def rounded(skew: fmpq_mat, normal: fmpz_mat) -> fmpq_mat:
    """S minus the nearest N K N^T, K skew over the denominator of S (Babai's rounding)."""
    numerator, denominator = skew.numer_denom()
    top, bottom = solve_integers(normal.transpose() * normal, normal.transpose())
    weights = fmpq_mat(top * numerator * top.transpose()) * fmpq(1, bottom**2)
    size, half = normal.ncols(), fmpq(1, 2)
    nearest = [(weights[i, j] + half).floor() if i > j else 0 for i in range(size) for j in range(size)]
    lower = fmpz_mat(size, size, nearest)
    nearby = normal * (lower - lower.transpose()) * normal.transpose()
    return fmpq_mat(numerator - nearby) * fmpq(1, denominator)
