"""Bounds the rounding error of functions of matrices, for backward stable algorithms.

We assume of the library what LAPACK's documentation and analyses state: the computed result is that
of a matrix A + E with ``|E|_F <= 10 n^2 u |A|_F`` (plus the same relative error of the result), and
operations near 0 lose at most the least number, times the factors that multiply it. Then, with
s = |A^-1|_F |E|_F < 1,

    |(A + E)^-1 - A^-1|_F <= |A^-1|_F s / (1 - s),   |det(A + E) / det A - 1| <= (1 + s)^n - 1,
    |eigenvalue_k(A + E) - eigenvalue_k(A)| <= |E|_F  for symmetric matrices (Weyl),
    |(A + E)^+ - A^+|_F <= sqrt(2) |A^+|_F s / (1 - s)  for matrices of full rank, s = |A^+|_F |E|_F (Wedin),
    |chol(A + E) - chol(A)|_F <= |chol(A)|_F s / (1 - s) / sqrt(2)  for positive definite A (theorem 10.8).

Functions ``V diag(w) V^T`` of symmetric matrices: let v_i, l_i, w_i and v'_j, l'_j, w'_j be those
of A and of A + E, and q_ij = v_i^T v'_j. Then ``v_i^T (F - F') v'_j = (w_i - w'_j) q_ij`` and
likewise ``v_i^T E v'_j = (l'_j - l_i) q_ij``, so that for every set C of pairs that holds (i, i)

    |F - F'|_F^2 <= sum_i max_(j: (i, j) in C) (w_i - w'_j)^2 + r^2 |E|_F^2,
    r = max_((i, j) not in C) |w_i - w'_j| / |l_i - l'_j|,

since the rows of q have length 1. C is the set of pairs of eigenvalues within 2 |E|_F of each
other; by Weyl the others stay at least |E|_F apart.

Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, chapters 9, 10,
14; LAPACK Users' Guide, 3rd ed., 1999, chapter 4; P.-A. Wedin, Perturbation theory for
pseudo-inverses, BIT 13, 1973; F. Kittaneh, On Lipschitz functions of normal operators, Proc. AMS
94, 1985 (the argument of the sum).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.rounding.context import RoundingContext
from eqvproof.rounding.enclosed import Array, Enclosed, fill_bound

#: The backward error of an algorithm, in units n^2 u |A|_F.
STABLE = 10.0


def _norm(array: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(array * array, axis=(-2, -1), keepdims=True)) * (1 + 2.0**-40))


def _perturbation_bound(system: RoundingContext, x: Enclosed, *, in_float64: bool) -> Array:
    """Bounds |E|_F for the computed matrix, or for that of float64."""
    n = max(x.shape[-2:])
    unit, part, own = min(system.form.step, 1.0), x.error, STABLE * n * n
    if in_float64:
        unit, part = unit * system.form.ratio, system.gap_to_real(x)
    elif system.silent:
        own = 0.0
    size = _norm(system.size(x)) + _norm(fill_bound(x.error, x.shape))
    return np.asarray(
        _norm(fill_bound(part, x.shape))
        + own * (unit * size + _underflow_loss(system, size, in_float64=in_float64))
    )


def _underflow_loss(system: RoundingContext, size: Array, *, in_float64: bool) -> Array:
    """Bounds the loss near 0 of an operation on numbers of this size."""
    least = system.form.least
    if in_float64:
        least *= system.form.ratio
    return np.asarray(least * (1 + size))


def _enclose_both(
    system: RoundingContext, value: Array, bound: Callable[[bool], Array]
) -> Enclosed:
    """Returns a value with bounds of the computed error and of the error in float64.

    NaN as a bound becomes inf.
    """
    found = (bound(in_float64) for in_float64 in (False, True))
    bounds = (np.broadcast_to(np.where(np.isnan(x), np.inf, x), value.shape) for x in found)
    return system.enclose(value, *bounds)


def _unit(system: RoundingContext, in_float64: bool) -> float:  # noqa: FBT001
    if in_float64:
        return system.form.step * system.form.ratio
    return system.form.step


def enclose_inverse(system: RoundingContext, x: Enclosed, value: Array) -> Enclosed:
    """Bounds the errors of inverse matrices."""
    with np.errstate(all="ignore"):
        size = _norm(value)
        relative = size * _perturbation_bound(system, x, in_float64=True)
        return _bound_inverse(
            system, x, value, np.where(relative < 0.5, size * (1 + 2 * relative), np.inf), 1.0, 2.0
        )


def _bound_inverse(
    system: RoundingContext, x: Enclosed, value: Array, size: Array, grows: float, own: float
) -> Enclosed:
    """Bounds the errors of inverses of at most a given size.

    The effect of errors of the matrix is multiplied by `grows`, its own roundings by `own`.
    """
    n = max(x.shape[-2:])

    def bound(in_float64: bool) -> Array:  # noqa: FBT001
        s = size * _perturbation_bound(system, x, in_float64=in_float64)
        rounded = own * n * n * _unit(system, in_float64) * size
        found = np.where(s < 0.5, grows * size * s / (1 - s) + rounded, np.inf)
        return np.asarray(found + n * n * _underflow_loss(system, size, in_float64=in_float64))

    return _enclose_both(system, value, bound)


def enclose_determinant(
    system: RoundingContext, x: Enclosed, value: Array, inverse: Array
) -> Enclosed:
    """Bounds the errors of determinants."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        size = _norm(inverse)
        relative = size * _perturbation_bound(system, x, in_float64=True)
        size = np.where(relative < 0.5, size * (1 + 2 * relative), np.inf)

        def bound(in_float64: bool) -> Array:  # noqa: FBT001
            s = (size * _perturbation_bound(system, x, in_float64=in_float64))[..., 0, 0]
            unit = _unit(system, in_float64)
            rows = _norm(system.size(x) + fill_bound(x.error, x.shape))[..., 0, 0]
            # NumPy computes the sum of the logarithms of the pivots
            logs = np.log(16 * (1 + rows) * (1 + size[..., 0, 0]))
            rounded = 2 * n * unit + n * (n + 8) * unit * logs
            found = np.abs(value) * 2 * (np.expm1(n * np.log1p(s)) + rounded)
            # underflow of pivots
            found = found + n * _underflow_loss(
                system, (1 + 4 * rows**2 / n) ** (n / 2), in_float64=in_float64
            )
            return np.where(s < 0.5, found, np.inf)

        return _enclose_both(system, value, bound)


def enclose_pseudo_inverse(system: RoundingContext, x: Enclosed, value: Array) -> Enclosed:
    """Bounds the errors of pseudo-inverses; inf unless the matrix certainly has full rank."""
    with np.errstate(all="ignore"):
        size = _norm(value)
        relative = size * _perturbation_bound(system, x, in_float64=True)
        # the trace of a projection
        rank = np.einsum("...ij,...ji->...", x.value, value)[..., None, None]
        is_full = (relative < 0.02) & (np.abs(rank - min(x.shape[-2:])) < 0.5)
        return _bound_inverse(
            system, x, value, np.where(is_full, size * (1 + 4 * relative), np.inf), 1.4143, 4.0
        )


def enclose_cholesky(
    system: RoundingContext, x: Enclosed, value: Array, inverse: Array
) -> Enclosed:
    """Bounds the errors of Cholesky factors; inf unless the matrix is certainly positive definite."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        size, factor = _norm(inverse), _norm(value)
        relative = size * _symmetric_perturbation(system, x, in_float64=True)
        size = np.where(relative < 0.5, size * (1 + 2 * relative), np.inf)
        factor = factor * (1 + 2 * relative)

        def bound(in_float64: bool) -> Array:  # noqa: FBT001
            s = size * _symmetric_perturbation(system, x, in_float64=in_float64)
            found = np.where(s < 0.5, 0.7072 * factor * s / (1 - s), np.inf)
            return np.where(
                np.tri(n, dtype=bool),
                found + n * n * _underflow_loss(system, factor, in_float64=in_float64),
                0.0,
            )

        return _enclose_both(system, value, bound)


def enclose_eigenvalues(system: RoundingContext, x: Enclosed, value: Array) -> Enclosed:
    """Bounds the errors of the eigenvalues of the symmetric part of a matrix."""
    return _enclose_both(
        system,
        value,
        lambda in_float64: _symmetric_perturbation(system, x, in_float64=in_float64)[..., 0],
    )


def _symmetric_perturbation(system: RoundingContext, x: Enclosed, *, in_float64: bool) -> Array:
    """Bounds |E|_F for a symmetric matrix if the library reads only one half of it."""
    return 1.4143 * _perturbation_bound(system, x, in_float64=in_float64)


def enclose_spectral(
    system: RoundingContext, x: Enclosed, w: Enclosed, value: Array, found: Array
) -> Enclosed:
    """Bounds the errors of V diag(w) V^T, given the eigenvalues computed in float64."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        near = _symmetric_perturbation(system, x, in_float64=True)
        gaps = np.maximum(np.abs(found[..., :, None] - found[..., None, :]) - 2 * near, 0.0)
        apart = fill_bound(system.gap_to_real(w), w.shape)
        most = np.max(system.size(w) + fill_bound(w.error, w.shape), axis=-1, initial=0.0)[
            ..., None, None
        ]
        steps = np.abs(w.value[..., :, None] - w.value[..., None, :])
        steps = steps + apart[..., :, None] + apart[..., None, :]

        def bound(in_float64: bool) -> Array:  # noqa: FBT001
            moved = _symmetric_perturbation(system, x, in_float64=in_float64)
            own = apart if in_float64 else fill_bound(w.error, w.shape)
            away = steps + own[..., None, :]
            close = gaps <= 2 * moved
            inside = np.max(np.where(close, away, 0.0), axis=-1, initial=0.0) ** 2
            slopes = np.where(close, 0.0, away / (gaps - moved))
            ratio = np.max(slopes, axis=(-2, -1), initial=0.0)[..., None, None]
            total = np.sqrt(np.sum(inside, axis=-1)[..., None, None] + (ratio * moved) ** 2)
            rounded = 0.0
            if in_float64 or not system.silent:
                rounded = STABLE * n * n * _unit(system, in_float64) * most
            whole = np.minimum(total, 2 * most) * (1 + 2.0**-40) + rounded
            return np.asarray(whole + n * n * _underflow_loss(system, most, in_float64=in_float64))

        return _enclose_both(system, value, bound)
