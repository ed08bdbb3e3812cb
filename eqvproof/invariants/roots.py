"""Square roots of Gram matrices: X with X^T B X = G, rational if a rational one is found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from eqvproof.invariants.conic import represent
from eqvproof.invariants.witnesses.orbit_exact import orthogonal_basis
from eqvproof.invariants.witnesses.rational import (
    concatenate,
    identity_matrix,
    matrix_of_columns,
    null_vectors,
    pivots,
    select_columns,
)
from eqvproof.numbers.scalar import from_fraction, to_fraction
from eqvproof.support.errors import DomainError


def form_root(gram: fmpq_mat, form: fmpq_mat) -> fmpq_mat | None:
    """Finds a rational X of greatest rank with ``X^T B X = G`` for a symmetric form B, or None.

    The columns of a T with T^T G T diagonal are placed one after another, each in the orthogonal
    complement of those before; null ones last, on null vectors, as far as there are some. By Witt's
    theorem, if there is a root at all, every choice of the first vectors extends to one, so that no
    backtracking is needed.

    Raises:
        DomainError: G is not symmetric, or of other signs than those of B.

    Source: Witt (1937), "Theorie der quadratischen Formen in beliebigen Korpern".
    """
    if gram.transpose() != gram:
        raise _no_gram("G is not symmetric", "G that differs from its transpose")
    n, own, chosen = gram.nrows(), [form[k, k] for k in range(form.nrows())], pivots(gram)
    definite = all(v > 0 for v in own)
    if definite and len(chosen) < n:  # the others are combinations of independent ones
        rows = select_columns(gram, chosen).transpose()
        inner = select_columns(rows, chosen)
        root = form_root(inner, form)
        if root is None:
            return None
        return root * inner.inv() * rows
    mixing = orthogonal_basis(gram)
    wanted = [
        (select_columns(mixing, [k]).transpose() * gram * select_columns(mixing, [k]))[0, 0]
        for k in range(n)
    ]
    for sign, message in ((-1, "G is not positive semidefinite"), (1, "G has a rank above d")):
        if sum(sign * v > 0 for v in wanted) > sum(sign * v > 0 for v in own):
            if not definite:
                message = "the signs of G do not fit the form"
            raise _no_gram(message, f"{[str(v) for v in wanted]} on the diagonal")
    placed, free = [], identity_matrix(form.nrows())
    for value in wanted:
        vector = _vector_in(form, free, to_fraction(value))
        if vector is None and value:
            return None
        if vector is None:
            vector = select_columns(identity_matrix(form.nrows()), [0]) * 0
        placed.append(vector)
        free = free * matrix_of_columns(
            null_vectors(vector.transpose() * form * free), free.ncols()
        )
        if not value and any(vector.entries()):
            wide = concatenate(vector, free)
            free = select_columns(wide, pivots(wide)[1:])
    if n:
        return matrix_of_columns(placed, form.nrows()) * mixing.inv()
    return fmpq_mat(form.nrows(), 0)


def _vector_in(form: fmpq_mat, basis: fmpq_mat, value: Fraction) -> fmpq_mat | None:
    """Finds a vector v != 0 in the span of independent columns with ``v^T B v = value``.

    Returns None if none was found.
    """
    inner = basis.transpose() * form * basis
    mixing = orthogonal_basis(inner)
    diagonal = mixing.transpose() * inner * mixing
    squares = [to_fraction(diagonal[k, k]) for k in range(basis.ncols())]
    found = represent(squares, value)
    if found is None:
        return None
    weights = [from_fraction(v) for v in found]
    return basis * mixing * fmpq_mat(len(weights), 1, weights)


def skew_root(gram: fmpq_mat, size: int) -> fmpq_mat:
    """Builds a rational X of greatest rank with ``X^T J X = G``, G skew, J = [[0, I], [-I, 0]].

    Columns are combined to pairs e, f with <e, f> = 1, orthogonal to all others, and a rest with
    inner products 0.

    Raises:
        DomainError: G is not skew, or its rank is above the size.
    """
    if gram.transpose() != -gram:
        raise _no_gram("G is not skew", "G other than the negative of its transpose")

    def inner(v: fmpq_mat, w: fmpq_mat) -> fmpq:
        return (v.transpose() * gram * w)[0, 0]

    n, half = gram.nrows(), size // 2
    rest = [select_columns(identity_matrix(n), [k]) for k in range(n)]
    mixing, places, paired = [], [], 0
    while pair := next(((v, w) for v in rest for w in rest if inner(v, w)), None):
        e, f = pair[0], pair[1] / inner(*pair)
        rest = [
            u - e * inner(u, f) - f * inner(e, u)
            for u in rest
            if u is not pair[0] and u is not pair[1]
        ]
        mixing += [e, f]
        places += [paired, half + paired]
        paired += 1
    if paired > half:
        raise _no_gram("G has a rank above d", f"rank {2 * paired}, d = {size}")
    mixing += rest
    free = list(range(paired, half))[: len(rest)]
    places += free + [size] * (len(rest) - len(free))  # the row `size` does not exist: zeros
    root = fmpq_mat(size, n, [int(i == place) for i in range(size) for place in places])
    if n:
        return root * matrix_of_columns(mixing, n).inv()
    return root


def _no_gram(message: str, given: str) -> DomainError:
    return DomainError(
        message,
        given=given,
        expected="the inner products of vectors in the form of the group",
        hint="compute the Gram matrix from vectors, with .invariants",
    )


def float_root(gram: NDArray[Any], plus: int, minus: int = 0) -> NDArray[Any]:
    """Computes X with X^* B X = G to rounding, from the eigenvectors of G.

    B is diagonal with ``plus`` entries 1, then ``minus`` entries -1.

    If B has both, eigenvectors of the eigenvalue 0 become null vectors, as far as there are some.

    Raises:
        DomainError: G has eigenvalues of other signs, or a rank above d, beyond rounding.
    """
    n = gram.shape[0]
    values, vectors = np.linalg.eigh((gram + gram.conj().T) / 2)
    noise = 64 * max(n, 1) * np.finfo(np.float64).eps * float(np.max(np.abs(values), initial=0.0))
    noise = max(noise, float(np.max(np.abs(gram - gram.conj().T), initial=0.0)))
    result = np.zeros((plus + minus, n), dtype=vectors.dtype)
    for sign, start, room in ((1, 0, plus), (-1, plus, minus)):
        found = [k for k in np.argsort(-sign * values) if sign * values[k] > noise]
        if len(found) > room:
            message = "G has a rank above d"
            if sign < 0 and not minus:
                message = "G is not positive semidefinite"
            raise DomainError(
                message,
                given=f"an eigenvalue {values[found[-1]]:.3g}",
                hint="look at the eigenvalues of G, or raise d",
                expected="the Gram matrix of d-dimensional vectors in the form of the group",
            )
        for row, k in enumerate(found, start):
            result[row] = np.sqrt(abs(values[k])) * vectors[:, k].conj()
    flat = [k for k in range(n) if abs(values[k]) <= noise]
    rows = (
        np.flatnonzero(~result[a:b].any(axis=1)) + a for a, b in ((0, plus), (plus, plus + minus))
    )
    for k, i, j in zip(flat, *rows, strict=False):
        result[i] = result[j] = vectors[:, k].conj()
    return result
