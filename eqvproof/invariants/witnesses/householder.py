"""Householder reflections I - 2 u u^T / (u^T u), and products; u = x - y carries x to y."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import Floats, read_operand, read_vector, to_array
from eqvproof.invariants.witnesses.reflectors import apply_reflectors
from eqvproof.support.errors import DomainError
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: Largest number of reflections that are applied one by one.
FEW = 4


@dataclass(frozen=True, eq=False)
class Householder:
    """The reflection ``I - 2 u u^T / (u^T u)`` in the hyperplane orthogonal to u.

    Over the complex numbers it is ``I - tau u u^*``, which is unitary; tau = 2 / (u^* u) by
    default.

    Attributes:
        vector: u, as a matrix of one column over a number field, or as floats of shape (d,).
        tau: the factor of u u^*; None for exact u.
    """

    vector: FieldMatrix | NDArray[Any]
    tau: complex | float | None = None

    @property
    def is_exact(self) -> bool:
        """True if u is exact."""
        return isinstance(self.vector, FieldMatrix)

    @property
    def size(self) -> int:
        """The dimension d."""
        return int(self.vector.shape[0])

    @cached_property
    def u(self) -> NDArray[Any]:
        """The vector u, shape (d,): Fractions (SymPy numbers over a larger field), or floats."""
        if isinstance(self.vector, FieldMatrix):
            return to_array(self.vector)[:, 0]
        return self.vector

    @cached_property
    def matrix(self) -> NDArray[Any]:
        """The d x d matrix of the reflection."""
        if self.is_exact:
            return self.apply(np.eye(self.size, dtype=int))
        return self.apply(np.eye(self.size, dtype=self.u.dtype))

    def apply(self, array: Any) -> NDArray[Any]:
        """Reflects each column of A (d x m), or one vector (d,).

        Exactness: exact if u and A are; else float64.

        Cost: O(d m); the matrix of the reflection is not formed.

        Raises:
            ShapeError: A does not have d rows.
        """
        return _apply_all((self,), self.size, array)

    def image(self, matrix: FieldMatrix) -> FieldMatrix:
        """Reflects each column of an exact matrix over the field of u."""
        u = self.vector
        if not isinstance(u, FieldMatrix):
            raise DomainError(
                "a reflection of floats has no exact images",
                given="a vector of floats",
                expected="an exact vector u",
                hint="use apply, or give u in integers or fractions",
            )
        if u.field.is_rational:
            return _rational_image(u, matrix)
        factor = (u.transpose() @ u).solve(FieldMatrix.identity(1, u.field)).scale(2)
        return matrix - u @ (factor @ (u.transpose() @ matrix))

    def __repr__(self) -> str:
        shown = [str(v) for v in self.u[:8].tolist()]
        if self.size > 8:
            shown.append("...")
        return f"householder([{', '.join(shown)}])"


def _rational_image(u: FieldMatrix, matrix: FieldMatrix) -> FieldMatrix:
    top = u.top
    square = int((top.transpose() * top)[0, 0])
    image = matrix.top * square - top * (top.transpose() * matrix.top) * 2
    return FieldMatrix.make(u.field, (image,), square * matrix.bottom)


@shortens_tracebacks
def householder(u: Any) -> Householder:
    """Builds the reflection ``Q_u = I - 2 u u^T / (u^T u)``.

    ``Q_u u = -u``, and ``Q_u w = w`` for w orthogonal to u.

    Args:
        u: a nonzero vector of shape (d,): integers, Fractions, SymPy numbers, python-flint numbers,
            or floats.

    Exactness: exact for exact u (u is never normalised, so that rational stays rational); float64
        for floats.

    Raises:
        DomainError: for u = 0, NaN, infinities, or an entry that is not a number.
        ShapeError: u is not a vector.

    Source: Householder (1958), "Unitary triangularization of a nonsymmetric matrix".

    >>> print(householder([1, 2]).matrix)
    [[Fraction(3, 5) Fraction(-4, 5)]
     [Fraction(-4, 5) Fraction(-3, 5)]]
    """
    vector = read_vector("u", u)
    if isinstance(vector, Floats):
        values = vector.values[:, 0]
        largest = float(np.max(np.abs(values), initial=0.0))
        if largest == 0.0:
            raise _zero(values.shape[0])
        # only the direction of u matters; scaled, u^T u does not overflow
        values = values / 2.0 ** np.floor(np.log2(largest))
        return Householder(values, 2.0 / float(np.vdot(values, values).real))
    if vector.is_zero():
        raise _zero(vector.shape[0])
    return Householder(vector)


def _zero(size: int) -> DomainError:
    return DomainError(
        "u = 0 has no reflection: I - 2 u u^T / (u^T u) divides by zero",
        given=f"the zero vector of length {size}",
        expected="a vector with a nonzero entry",
        hint="u = x - y gives the reflection that maps x to y; for x = y use the identity",
        code="domain.zero-vector",
    )


@dataclass(frozen=True, eq=False)
class Reflections(Sequence[Householder]):
    """A product of reflections ``H_1 H_2 ... H_k``, the last one applied first; the empty one is I.

    Attributes:
        items: the reflections H_1, ..., H_k.
        size: the dimension d.
    """

    items: tuple[Householder, ...]
    size: int

    @overload
    def __getitem__(self, index: int) -> Householder: ...
    @overload
    def __getitem__(self, index: slice) -> Reflections: ...
    def __getitem__(self, index: int | slice) -> Householder | Reflections:
        if isinstance(index, slice):
            return Reflections(self.items[index], self.size)
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Householder]:
        return iter(self.items)

    @cached_property
    def matrix(self) -> NDArray[Any]:
        """The product as a d x d matrix."""
        if all(item.is_exact for item in self.items):
            return self.apply(np.eye(self.size, dtype=int))
        dtype = np.result_type(*(item.u.dtype for item in self.items))
        return self.apply(np.eye(self.size, dtype=dtype))

    @property
    def bits(self) -> int:
        """The largest bit length of an entry of the vectors (coprime integers); 0 for floats."""
        vectors = [item.vector for item in self.items if isinstance(item.vector, FieldMatrix)]
        return max((v.bits for v in vectors), default=0)

    def apply(self, array: Any) -> NDArray[Any]:
        """Computes ``H_1 ... H_k A`` for A of shape (d, m) or (d,).

        Exactness: exact if all vectors and A are; floats are computed with compact WY blocks
        ``I - V T V^*``, ``T^-1 = strictly upper part of V^* V + diag(1 / tau)``.

        Cost: O(k d m).

        Source: Joffrain, Low, Quintana-Orti, van de Geijn, van Zee (2006), "Accumulating
            Householder transformations, revisited".
        """
        return _apply_all(self.items, self.size, array)

    def image(self, matrix: FieldMatrix) -> FieldMatrix:
        """Computes the exact image of an exact matrix."""
        for item in reversed(self.items):
            matrix = item.image(matrix)
        return matrix

    def __repr__(self) -> str:
        return f"Reflections({len(self.items)} of dimension {self.size})"


def _apply_all(items: tuple[Householder, ...], size: int, array: Any) -> NDArray[Any]:
    exact = all(item.is_exact for item in items)
    vectors: dict[str, Any] = {}
    if exact and items:
        vectors["u"] = np.stack([item.u for item in items], axis=1)
    (*stacked, matrix), single = read_operand(array, size, **vectors)
    if isinstance(matrix, FieldMatrix) and exact:
        for u in (m for m in stacked if isinstance(m, FieldMatrix)):
            for k in reversed(range(len(items))):
                matrix = Householder(u.select(columns=[k])).image(matrix)
        result = to_array(matrix)
    else:
        if isinstance(matrix, Floats):
            values = matrix.values
        else:
            values = to_array(matrix).astype(np.float64)
        result = _apply_floats([as_floats(item) for item in items], values)
    if single:
        return result[:, 0]
    return result


def as_floats(item: Householder) -> Householder:
    """Converts a reflection with exact u to one with floats."""
    if item.is_exact:
        return householder(item.u.astype(np.float64))
    return item


def _apply_floats(items: list[Householder], values: NDArray[Any]) -> NDArray[Any]:
    if len(items) <= FEW:
        for item in reversed(items):
            values = values - (item.tau or 1.0) * np.outer(item.u, item.u.conj() @ values)
        return values
    v = np.stack([item.u for item in items], axis=1)
    return apply_reflectors(v, np.array([item.tau or 1.0 for item in items]), values)
