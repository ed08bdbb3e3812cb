"""Square roots of Gram matrices: X with X^T X = G, rational where there is one and it is found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat
from numpy.typing import NDArray

from eqvproof.errors import DomainError
from eqvproof.invariants.conic import vector_of_length
from eqvproof.witnesses.field import FieldMatrix
from eqvproof.witnesses.lattice import coprime, saturated
from eqvproof.witnesses.modular import independent_columns


def rational_root(gram: FieldMatrix, d: int) -> FieldMatrix | None:
    """A rational d x n matrix X with ``X^T X = G``; None where none was found.

    Vectors are placed one after another (Gram-Schmidt): each needs a vector of given length in the rational
    orthogonal complement of those before. By Witt's theorem, if there is a root at all, then every choice of
    the first vectors extends to one, so that no choice need be taken back.

    Exactness: exact; X^T X = G is multiplied out.

    Raises:
        DomainError: G is not symmetric, not positive semidefinite, or of a rank above d.

    Source: Witt (1937), "Theorie der quadratischen Formen in beliebigen Korpern".
    """
    chosen = independent_columns(gram)
    inner = gram.select(chosen, chosen)
    if not gram.transpose().equals(gram):
        raise DomainError(
            "G is not symmetric",
            expected="a Gram matrix X^T X",
            given="G that differs from its transpose",
            hint="symmetrise it: (G + G^T) / 2",
        )
    reduced, change = _reduced(inner)
    lengths, mixing = _gram_schmidt(reduced)
    if any(length <= 0 for length in lengths):
        raise DomainError(
            "G is not positive semidefinite",
            expected="a Gram matrix X^T X",
            hint="look for a negative eigenvalue",
            given="a length that is not positive",
        )
    if len(chosen) > d:
        raise DomainError(
            "G has a rank above d",
            given=f"rank {len(chosen)}, d = {d}",
            expected="the Gram matrix of vectors in R^d",
            hint="raise d",
        )
    frame = _orthogonal_frame(lengths, d)
    if frame is None:
        return None
    # reduced = L D L^T with L unit lower triangular, so that W L^T is a root of it for W^T W = D
    basis = frame @ mixing.transpose() @ change
    root = basis @ inner.solve(gram.select(rows=chosen))
    return root if (root.transpose() @ root).equals(gram) else None


def _reduced(inner: FieldMatrix) -> tuple[FieldMatrix, FieldMatrix]:
    """(T^T G T, T^-1) for a unimodular T that makes a positive definite G short (LLL, approximately)."""
    r = inner.shape[0]
    identity = FieldMatrix.identity(r)
    if not r:
        return inner, identity
    scaled = [[float(Fraction(int(e), inner.bottom)) for e in row] for row in inner.top.tolist()]
    try:
        root = np.linalg.cholesky(np.array(scaled))
    except np.linalg.LinAlgError:
        return inner, identity
    rows = np.rint(root * (2.0**40 / np.abs(root).max())).astype(np.int64)
    _, change = fmpz_mat(rows.tolist()).lll(True)  # noqa: FBT003
    t = FieldMatrix.rational(change.transpose())
    return t.transpose() @ inner @ t, t.solve(identity)


def _gram_schmidt(inner: FieldMatrix) -> tuple[list[Fraction], FieldMatrix]:
    """D and the unit lower triangular L with G = L D L^T."""
    r = inner.shape[0]
    table = [[Fraction(int(e), inner.bottom) for e in row] for row in inner.top.tolist()]
    lower = [[Fraction(int(i == j)) for j in range(r)] for i in range(r)]
    lengths: list[Fraction] = []
    for k in range(r):
        pivot = table[k][k]
        lengths.append(pivot)
        if pivot == 0:
            break
        for i in range(k + 1, r):
            lower[i][k] = table[i][k] / pivot
            for j in range(k + 1, r):
                table[i][j] -= lower[i][k] * table[k][j]
    return lengths, _from_rows(lower, r)


def _from_rows(rows: list[list[Fraction]], columns: int) -> FieldMatrix:
    field = FieldMatrix.identity(0).field
    entries = [(fmpq(v.numerator, v.denominator),) for row in rows for v in row]
    return FieldMatrix.from_entries(field, (len(rows), columns), entries)


def _orthogonal_frame(lengths: list[Fraction], d: int) -> FieldMatrix | None:
    """Pairwise orthogonal rational vectors with given squared lengths, as columns; None where not found."""
    frame: list[FieldMatrix] = []
    complement = [[int(i == j) for j in range(d)] for i in range(d)]
    for length in lengths:
        vector = vector_of_length(complement, length)
        if vector is None:
            return None
        frame.append(_from_rows([[v] for v in vector], 1))
        kernel, nullity = _stack(frame).top.transpose().nullspace()
        if nullity:
            columns = [coprime(FieldMatrix.rational(kernel).select(columns=[k])) for k in range(nullity)]
            rows = saturated(_stack(columns).top).transpose().lll().tolist()
            complement = [[int(e) for e in row] for row in rows]
    return _stack(frame) if frame else FieldMatrix.rational(fmpz_mat(d, 0))


def _stack(columns: list[FieldMatrix]) -> FieldMatrix:
    rows = [[Fraction(int(c.top[i, 0]), c.bottom) for c in columns] for i in range(columns[0].shape[0])]
    return _from_rows(rows, len(columns))


def float_root(gram: NDArray[Any], d: int) -> NDArray[np.float64]:
    """A d x n matrix X with X^T X = G to rounding, from the eigenvectors of G.

    Raises:
        DomainError: G has a negative eigenvalue, or a rank above d, beyond rounding.
    """
    n = gram.shape[0]
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    noise = 64 * max(n, 1) * np.finfo(np.float64).eps * float(np.max(np.abs(values), initial=0.0))
    noise = max(noise, float(np.max(np.abs(gram - gram.T), initial=0.0)))
    if values.size and values[0] < -noise:
        raise DomainError(
            "G is not positive semidefinite",
            given=f"an eigenvalue {values[0]:.3g}",
            hint="look for a negative eigenvalue",
            expected="a Gram matrix X^T X",
        )
    if n > d and values[n - d - 1] > noise:
        raise DomainError(
            "G has a rank above d",
            given=f"d = {d}",
            expected="the Gram matrix of vectors in R^d",
            hint="raise d",
        )
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    root[values <= noise] = 0.0
    result = np.zeros((d, n))
    k = min(d, n)
    result[:k] = root[::-1][:k]
    return result
