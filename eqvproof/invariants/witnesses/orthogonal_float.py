"""Orthogonal (unitary) witnesses for floats, through the QR factors of both sides.

X P = Q_X R_X with column pivoting, Y P = Q_Y R_Y with the same order of columns. Equal Gram
matrices mean ``R_Y = D R_X`` with D diagonal of modulus one, so that ``Q = Q_Y D Q_X^*``. Pivoting
grades R, so that rounding in one column does not reach columns before it: Q is orthogonal and Q X =
Y to rounding at every condition number and rank. Columns are first scaled by powers of two to
length about 1, so that short columns count as much.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.certificate import Certificate, tensor
from eqvproof.invariants.witnesses.float_mismatch import float_mismatch
from eqvproof.invariants.witnesses.householder import Householder, Reflections
from eqvproof.invariants.witnesses.input_matrices import FloatArray, Floats, read_operand, to_array
from eqvproof.invariants.witnesses.reflectors import pivoted_qr, reflectors
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import DomainError

#: The rounding unit of float64.
UNIT = 2.0**-53
#: Largest residual, in multiples of (d + 8) units of the data's precision, that counts as rounding.
SLACK = 16.0


@dataclass(frozen=True, eq=False)
class FloatOrthogonalWitness:
    """An orthogonal (unitary) Q with Q X = Y up to rounding.

    Attributes:
        x: X, d x n, float64 or complex128.
        y: Y, d x n.
        Q: d x d.
        determinant: det Q to rounding: 1 or -1; a number of modulus one for complex Q.
        rank: the numerical rank of X (columns scaled to length 1).
        differences: Q x - y for each column, divided by its scale.
        scale: the powers of two by which columns were divided.

    ``bound`` and ``orthogonality_bound`` are computed at their first use.
    """

    x: FloatArray
    y: FloatArray
    Q: FloatArray
    determinant: complex
    rank: int
    differences: FloatArray
    scale: FloatArray

    is_exact = False

    @cached_property
    def residual(self) -> float:
        """The computed value of |Q X - Y|_F."""
        top = self._top
        return top * float(np.linalg.norm(self._lengths(self.differences) * (self.scale / top)))

    @cached_property
    def bound(self) -> float:
        """A rigorous bound on |Q X - Y|_F, including the rounding of the residual."""
        # fl(q.x) errs by at most gamma_d |q| |x| in each entry; the rows of Q together have norm
        # |Q|_F
        top, d = self._top, self.Q.shape[0]
        with np.errstate(over="ignore"):
            norms = self._lengths(self.x / self.scale) * (self.scale / top)
        residual = self.residual / top
        size = float(np.linalg.norm(self.Q)) + 1.0
        rounding = _gamma(d + 4, self.Q) * size * float(np.linalg.norm(norms))
        least = d * float(self.x.shape[1]) * 1e-300 * bool(residual)
        return float(top * _round_up(residual + rounding + 4 * UNIT * residual) + least)

    @property
    def _top(self) -> float:
        """The largest scale: norms are taken relative to it, so that no square overflows."""
        return float(np.max(self.scale, initial=0.0)) or 1.0

    @staticmethod
    def _lengths(columns: FloatArray) -> FloatArray:
        return np.asarray(np.sqrt(np.sum(np.abs(columns) ** 2, axis=0)))

    @cached_property
    def orthogonality_bound(self) -> float:
        """A rigorous bound on |Q^* Q - I|_F."""
        d = self.Q.shape[0]
        defect = self.Q.conj().T @ self.Q - np.eye(d)
        size = float(np.linalg.norm(self.Q))
        return _round_up(float(np.linalg.norm(defect)) + _gamma(d + 4, self.Q) * (size * size + d))

    @cached_property
    def gram_bound(self) -> float:
        """A bound on the least |Q X - Y|_F over all orthogonal Q, from the Gram matrices only.

        ``dist^2 <= |G_X - G_Y|_F^2 / (2 (sqrt 2 - 1) sigma_r(X)^2)`` if X and Y have rank at most r
        (Tu, Boczar, Simchowitz, Soltanolkotabi, Recht 2016, Lemma 5.4), and ``dist^2 <= |G_X -
        G_Y|_1``, the sum of singular values, at any rank (Powers and Stormer 1970); the smaller of
        the two, plus the rounding of its computation. It bounds the best possible Q; `bound` bounds
        this Q.

        Cost: O(d n min(d, n)); the n x n matrices are not formed.
        """
        from eqvproof.invariants.witnesses.gram_bound import procrustes_bound

        return procrustes_bound(self.x, self.y)

    @cached_property
    def reflections(self) -> Reflections:
        """At most d Householder reflections whose product is Q to rounding.

        Over the complex numbers the factors are ``I - tau v v^*`` with complex tau.
        """
        return Reflections(
            tuple(Householder(v, tau) for v, tau in reflectors(self.Q)), self.Q.shape[0]
        )

    def apply(self, array: Any) -> NDArray[Any]:
        """Computes Q A for A of shape (d, m) or (d,)."""
        (matrix,), single = read_operand(array, self.Q.shape[0])
        if isinstance(matrix, Floats):
            values = matrix.values
        else:
            values = to_array(matrix).astype(np.float64)
        found = np.asarray(self.Q @ values)
        if single:
            return found[:, 0]
        return found

    @property
    def certificate(self) -> Certificate:
        """The certificate with X, Y, Q as exact rationals and both bounds.

        A complex matrix A + iB is written as the real matrix [[A, -B], [B, A]]; norms grow by
        sqrt 2.
        """
        factor = 1.0
        if np.iscomplexobj(self.Q):
            factor = 1.5
        x, y, q = (tensor(_real_form(m)) for m in (self.x, self.y, self.Q))
        bounds = {"residual": self.bound, "orthogonality": self.orthogonality_bound}
        texts = {k: tensor(np.array([v * factor]))["values"][0] for k, v in bounds.items()}
        return seal("orthogonal-witness", X=x, Y=y, Q=q, rounding=texts)

    def __repr__(self) -> str:
        d, n = self.x.shape
        return (
            f"<orthogonal witness: {d} x {d}, |Q X - Y| <= {self.bound:.2g} "
            f"for {n} columns of rank {self.rank}>"
        )


def float_witness(
    x: Floats, y: Floats, *, det: int | None, tol: float | None
) -> FloatOrthogonalWitness:
    """Computes a witness for float matrices of one shape; see `orthogonal_witness`."""
    d = x.shape[0]
    dtype = np.result_type(x.values, y.values)
    scale = column_scales(x.values)
    with np.errstate(over="ignore"):
        a, b = (np.asarray(m.values / scale, dtype=dtype) for m in (x, y))
    if tol is None:
        tolerance = SLACK * (d + 8) * max(x.epsilon, y.epsilon)
    else:
        tolerance = float(tol)
    if not np.isfinite(b).all():
        raise float_mismatch(x.values, y.values, scale, tolerance)
    q, determinant, rank = from_factors(a, b, det, tolerance)
    difference = q @ a - b
    largest = np.sqrt((np.abs(difference) ** 2).sum(axis=0).max(initial=0.0))
    if not float(largest) <= tolerance:
        raise float_mismatch(x.values, y.values, scale, tolerance)
    return FloatOrthogonalWitness(x.values, y.values, q, determinant, rank, difference, scale)


def from_factors(
    a: FloatArray, b: FloatArray, det: int | None, tolerance: float
) -> tuple[FloatArray, complex, int]:
    """Computes Q = Q_B D Q_A^*, its determinant, and the numerical rank of A (columns about 1)."""
    d, k = a.shape[0], min(a.shape)
    q_a, r_a, order = pivoted_qr(a)
    q_b, r_b = np.linalg.qr(b[:, order[:k]], mode="complete")  # later columns add no reflector
    overlap = (r_b[:k] * r_a[:k, :k].conj()).sum(axis=1)
    size, phases = np.abs(overlap), np.ones(d, dtype=a.dtype)
    phases[:k] = np.where(size > 0, overlap / np.where(size > 0, size, 1), 1.0)
    rank = int(np.sum(np.abs(r_a.diagonal()) > tolerance))
    q: FloatArray = (q_b * phases) @ q_a.conj().T
    value = complex(np.linalg.det(q))
    value /= abs(value)
    if det is not None and not abs(value - det) < 0.5 * 2**-20:
        if rank == d:
            raise DomainError(
                f"no orthogonal matrix of determinant {det} maps X to Y",
                given=f"X of numerical rank {d}, which spans the whole space",
                expected=f"det Q = {np.round(value, 6)}: the columns of X determine Q",
                code="domain.determinant",
                hint="omit det=, or use the other sign",
            )
        if np.iscomplexobj(a):
            phases[d - 1] *= det / value
        else:
            phases[d - 1] *= -1
        q, value = (q_b * phases) @ q_a.conj().T, complex(det)
    if np.iscomplexobj(q):
        return q, value, rank
    return q, float(np.round(value.real)), rank


def column_scales(values: FloatArray) -> NDArray[np.float64]:
    """Returns powers of two near the lengths of the columns (1/2 for zero columns)."""
    _, exponents = np.frexp(np.abs(values).max(axis=0, initial=0.0))
    return np.asarray(np.ldexp(1.0, exponents - 1))


def _gamma(terms: int, like: FloatArray) -> float:
    """Computes gamma_n = n u / (1 - n u), with four times the terms for complex products."""
    if np.iscomplexobj(like):
        terms *= 4
    return terms * UNIT / (1.0 - terms * UNIT)


def _round_up(value: float) -> float:
    """Rounds a value up, to cover the rounding of a norm of up to 10^8 entries."""
    return float(value * (1.0 + 1e-7))


def _real_form(matrix: FloatArray) -> FloatArray:
    if not np.iscomplexobj(matrix):
        return matrix
    return np.block([[matrix.real, -matrix.imag], [matrix.imag, matrix.real]])
