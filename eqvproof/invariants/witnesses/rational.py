"""Operations on rational matrices: columns, spans and null vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq, fmpq_mat


def identity_matrix(size: int) -> fmpq_mat:
    """Returns the identity matrix."""
    return fmpq_mat(size, size, [int(i == j) for i, j in index_pairs(size)])


def index_pairs(size: int) -> Iterator[tuple[int, int]]:
    """Yields all index pairs (i, j), row by row."""
    return ((i, j) for i in range(size) for j in range(size))


def select_columns(matrix: fmpq_mat, chosen: Sequence[int]) -> fmpq_mat:
    """Returns the submatrix of the chosen columns."""
    return fmpq_mat(
        matrix.nrows(), len(chosen), [matrix[i, j] for i in range(matrix.nrows()) for j in chosen]
    )


def concatenate(left: fmpq_mat, right: fmpq_mat) -> fmpq_mat:
    """Concatenates two matrices horizontally: [left, right]."""
    rows = [a + b for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    return fmpq_mat(left.nrows(), left.ncols() + right.ncols(), [e for row in rows for e in row])


def stack(top: fmpq_mat, bottom: fmpq_mat) -> fmpq_mat:
    """Concatenates two matrices vertically."""
    return fmpq_mat(top.nrows() + bottom.nrows(), top.ncols(), [*top.entries(), *bottom.entries()])


def matrix_of_columns(vectors: Sequence[fmpq_mat], size: int) -> fmpq_mat:
    """Builds the matrix whose columns are the given vectors."""
    return fmpq_mat(size, len(vectors), [v[i, 0] for i in range(size) for v in vectors])


def pivots(matrix: fmpq_mat) -> list[int]:
    """Returns the indices of the first columns that span all columns."""
    echelon, rank = matrix.rref()
    return [next(j for j in range(matrix.ncols()) if echelon[row, j]) for row in range(rank)]


def null_vectors(matrix: fmpq_mat) -> list[fmpq_mat]:
    """Returns a basis of all c with ``matrix c = 0``."""
    echelon, rank = matrix.rref()
    led = [next(j for j in range(matrix.ncols()) if echelon[row, j]) for row in range(rank)]
    found = []
    for free in (j for j in range(matrix.ncols()) if j not in led):
        vector = [fmpq(int(j == free)) for j in range(matrix.ncols())]
        for row, j in enumerate(led):
            vector[j] = -echelon[row, free]
        found.append(fmpq_mat(matrix.ncols(), 1, vector))
    return found


def nonzero(matrix: fmpq_mat) -> Iterator[tuple[int, int]]:
    """Yields the indices of the nonzero entries, row by row."""
    return ((i, j) for i in range(matrix.nrows()) for j in range(matrix.ncols()) if matrix[i, j])
