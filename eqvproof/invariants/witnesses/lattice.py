"""Lattice bases of rational matrices: primitive columns, saturation, LLL reduction."""

from __future__ import annotations

from math import gcd, lcm

from flint import fmpq, fmpq_mat, fmpz_mat

from eqvproof.invariants.witnesses.field import FieldMatrix, solve_integers


def primitive_columns(x: FieldMatrix, y: FieldMatrix) -> tuple[FieldMatrix, FieldMatrix]:
    """Scales columns so that those of a rational X have coprime integers; returns (X S, Y S).

    S is positive and diagonal. Q X = Y is equivalent to Q X S = Y S, and the Gram matrices of X and
    Y are equal if and only if those of X S and Y S are.
    """
    if not isinstance(x.given, fmpq_mat):
        return x, y
    d, n = x.shape
    left, right = x.given.tolist(), [row for row in _table(y)]
    factors, columns = [], []
    for j in range(n):
        entries = [left[i][j] for i in range(d)]
        bottom = lcm(*(int(e.q) for e in entries))
        column = [int(e.p) * (bottom // int(e.q)) for e in entries]
        common = gcd(*column) or 1
        columns.append([e // common for e in column])
        factors.append(fmpq(bottom, common))
    if not n or not d:
        return x, y
    scaled = [[e * f for e, f in zip(row, factors, strict=True)] for row in right]
    return FieldMatrix.rational(fmpz_mat(columns).transpose()), FieldMatrix.rational(
        fmpq_mat(scaled)
    )


def _table(y: FieldMatrix) -> list[list[fmpq]]:
    entries, n = y.entries(), y.shape[1]
    return [[e[0] for e in entries[i * n : (i + 1) * n]] for i in range(y.shape[0])]


def coprime(vector: FieldMatrix) -> FieldMatrix:
    """Scales a rational vector to coprime integers; other vectors are returned unchanged."""
    if not vector.field.is_rational:
        return vector
    common = gcd(*(int(e) for e in vector.top.entries()))
    if common:
        return FieldMatrix.make(vector.field, (vector.top,), common)
    return vector


def saturate(matrix: fmpz_mat) -> fmpz_mat:
    """Returns a basis, as columns, of all integer vectors in the span of independent columns.

    Unimodular row operations bring the matrix B to [T; 0] (Hermite form); then B T^-1 is a part of
    the inverse of a unimodular matrix, hence integral and primitive.
    """
    k = matrix.ncols()
    head = fmpz_mat(matrix.hnf().tolist()[:k])
    basis, bottom = solve_integers(head.transpose(), matrix.transpose())
    if bottom != 1:
        raise ArithmeticError("the columns are not independent")
    return basis.transpose()


def reduced_pairs(x: FieldMatrix, u: FieldMatrix) -> tuple[FieldMatrix, FieldMatrix]:
    """Replaces the pairs (x, x - Q x) by an LLL-reduced basis of all integral such pairs."""
    d, k = x.shape
    if not k:
        return x, u
    stacked = fmpz_mat((x.top * u.bottom).tolist() + (u.top * x.bottom).tolist())
    short = saturate(stacked).transpose().lll().transpose().tolist()
    return FieldMatrix.rational(fmpz_mat(short[:d])), FieldMatrix.rational(fmpz_mat(short[d:]))
