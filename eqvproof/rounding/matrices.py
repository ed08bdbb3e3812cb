"""Functions of matrices: perturbation bounds, for algorithms that are backward stable.

Assumed of the library is what LAPACK's documentation and analyses give: the computed result is that
of a matrix A + E with ``|E|_F <= 10 n^2 u |A|_F`` (plus as much of the result itself), and
operations near 0 lose no more than the least number, times what they are multiplied with. Then,
with s = |A^-1|_F |E|_F < 1,

    |(A + E)^-1 - A^-1|_F <= |A^-1|_F s / (1 - s),   |det(A + E) / det A - 1| <= (1 + s)^n - 1,
    |eigenvalue_k(A + E) - eigenvalue_k(A)| <= |E|_F  for symmetric matrices (Weyl),
    |(A + E)^+ - A^+|_F <= sqrt(2) |A^+|_F s / (1 - s)  for matrices of full rank, s = |A^+|_F |E|_F (Wedin),
    |chol(A + E) - chol(A)|_F <= |chol(A)|_F s / (1 - s) / sqrt(2)  for positive definite A (theorem 10.8).

Functions ``V diag(w) V^T`` of symmetric matrices: let v_i, l_i, w_i and v'_j, l'_j, w'_j be those
of A and of A + E, and q_ij = v_i^T v'_j. Then ``v_i^T (F - F') v'_j = (w_i - w'_j) q_ij`` and
likewise ``v_i^T E v'_j = (l'_j - l_i) q_ij``, so that for every set C of pairs that holds (i, i)

    |F - F'|_F^2 <= sum_i max_(j: (i, j) in C) (w_i - w'_j)^2 + r^2 |E|_F^2,
    r = max_((i, j) not in C) |w_i - w'_j| / |l_i - l'_j|,

as the rows of q are of length 1. C is where the eigenvalues are within 2 |E|_F of each other; by
Weyl the others stay |E|_F or more apart.

Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, chapters 9, 10,
14; LAPACK Users' Guide, 3rd ed., 1999, chapter 4; P.-A. Wedin, Perturbation theory for
pseudo-inverses, BIT 13, 1973; F. Kittaneh, On Lipschitz functions of normal operators, Proc. AMS
94, 1985 (the argument of the sum).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eqvproof.rounding.context import RoundingContext
from eqvproof.rounding.enclosed import Array, Enclosed, filled

#: The backward error of an algorithm, in units n^2 u |A|_F.
STABLE = 10.0


def _norm(array: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(array * array, axis=(-2, -1), keepdims=True)) * (1 + 2.0**-40))


def _perturbation_bound(system: RoundingContext, x: Enclosed, *, ours: bool) -> Array:
    """Bounds |E|_F for the computed matrix, or, with `ours`, for that of float64."""
    n = max(x.shape[-2:])
    unit, part, own = min(system.form.step, 1.0), x.error, STABLE * n * n
    if ours:
        unit, part = unit * system.form.ratio, system.gap_to_real(x)
    elif system.silent:
        own = 0.0
    size = _norm(system.size(x)) + _norm(filled(x.error, x.shape))
    return np.asarray(
        _norm(filled(part, x.shape)) + own * (unit * size + _lost(system, size, ours=ours))
    )


def _lost(system: RoundingContext, size: Array, *, ours: bool) -> Array:
    """Bounds what an operation on numbers of this size may lose near 0."""
    least = system.form.least
    if ours:
        least *= system.form.ratio
    return np.asarray(least * (1 + size))


def _enclose_both(
    system: RoundingContext, value: Array, bound: Callable[[bool], Array]
) -> Enclosed:
    """Returns a value with bounds of the errors of the computed one and of float64's.

    A bound that is NaN becomes inf.
    """
    found = (bound(ours) for ours in (False, True))
    bounds = (np.broadcast_to(np.where(np.isnan(x), np.inf, x), value.shape) for x in found)
    return system.enclose(value, *bounds)


def _unit(system: RoundingContext, ours: bool) -> float:  # noqa: FBT001
    if ours:
        return system.form.step * system.form.ratio
    return system.form.step


def enclosed_inverse(system: RoundingContext, x: Enclosed, value: Array) -> Enclosed:
    """Bounds the errors of inverse matrices."""
    with np.errstate(all="ignore"):
        size = _norm(value)
        ours = size * _perturbation_bound(system, x, ours=True)
        return _bounded_inverse(
            system, x, value, np.where(ours < 0.5, size * (1 + 2 * ours), np.inf), 1.0, 2.0
        )


def _bounded_inverse(
    system: RoundingContext, x: Enclosed, value: Array, size: Array, grows: float, own: float
) -> Enclosed:
    """Bounds the errors of inverses of at most a given size.

    Errors of the matrix count `grows` times, its own roundings `own` times.
    """
    n = max(x.shape[-2:])

    def bound(ours: bool) -> Array:  # noqa: FBT001
        s = size * _perturbation_bound(system, x, ours=ours)
        rounded = own * n * n * _unit(system, ours) * size
        found = np.where(s < 0.5, grows * size * s / (1 - s) + rounded, np.inf)
        return np.asarray(found + n * n * _lost(system, size, ours=ours))

    return _enclose_both(system, value, bound)


def enclosed_determinant(
    system: RoundingContext, x: Enclosed, value: Array, inverse: Array
) -> Enclosed:
    """Bounds the errors of determinants."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        size = _norm(inverse)
        ours = size * _perturbation_bound(system, x, ours=True)
        size = np.where(ours < 0.5, size * (1 + 2 * ours), np.inf)

        def bound(ours: bool) -> Array:  # noqa: FBT001
            s, unit = (
                (size * _perturbation_bound(system, x, ours=ours))[..., 0, 0],
                _unit(system, ours),
            )
            rows = _norm(system.size(x) + filled(x.error, x.shape))[..., 0, 0]
            # NumPy adds logarithms of pivots
            logs = np.log(16 * (1 + rows) * (1 + size[..., 0, 0]))
            rounded = 2 * n * unit + n * (n + 8) * unit * logs
            found = np.abs(value) * 2 * (np.expm1(n * np.log1p(s)) + rounded)
            # of pivots
            found = found + n * _lost(system, (1 + 4 * rows**2 / n) ** (n / 2), ours=ours)
            return np.where(s < 0.5, found, np.inf)

        return _enclose_both(system, value, bound)


def enclosed_pseudo_inverse(system: RoundingContext, x: Enclosed, value: Array) -> Enclosed:
    """Bounds the errors of pseudo-inverses of matrices that are surely of full rank."""
    with np.errstate(all="ignore"):
        size = _norm(value)
        ours = size * _perturbation_bound(system, x, ours=True)
        # the trace of a projection
        rank = np.einsum("...ij,...ji->...", x.value, value)[..., None, None]
        is_full = (ours < 0.02) & (np.abs(rank - min(x.shape[-2:])) < 0.5)
        return _bounded_inverse(
            system, x, value, np.where(is_full, size * (1 + 4 * ours), np.inf), 1.4143, 4.0
        )


def enclosed_cholesky(
    system: RoundingContext, x: Enclosed, value: Array, inverse: Array
) -> Enclosed:
    """Bounds the errors of Cholesky factors of matrices that are surely positive definite."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        size, factor = _norm(inverse), _norm(value)
        ours = size * _mirrored(system, x, ours=True)
        size = np.where(ours < 0.5, size * (1 + 2 * ours), np.inf)
        factor = factor * (1 + 2 * ours)

        def bound(ours: bool) -> Array:  # noqa: FBT001
            s = size * _mirrored(system, x, ours=ours)
            found = np.where(s < 0.5, 0.7072 * factor * s / (1 - s), np.inf)
            return np.where(
                np.tri(n, dtype=bool), found + n * n * _lost(system, factor, ours=ours), 0.0
            )

        return _enclose_both(system, value, bound)


def enclosed_eigenvalues(system: RoundingContext, x: Enclosed, value: Array) -> Enclosed:
    """Bounds the errors of eigenvalues of symmetric parts."""
    return _enclose_both(system, value, lambda ours: _mirrored(system, x, ours=ours)[..., 0])


def _mirrored(system: RoundingContext, x: Enclosed, *, ours: bool) -> Array:
    """Bounds |E|_F for a symmetric matrix of which only one half may be read."""
    return 1.4143 * _perturbation_bound(system, x, ours=ours)


def enclosed_spectral(
    system: RoundingContext, x: Enclosed, w: Enclosed, value: Array, found: Array
) -> Enclosed:
    """Bounds the errors of V diag(w) V^T, from the eigenvalues that float64 finds."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        near = _mirrored(system, x, ours=True)
        gaps = np.maximum(np.abs(found[..., :, None] - found[..., None, :]) - 2 * near, 0.0)
        apart = filled(system.gap_to_real(w), w.shape)
        most = np.max(system.size(w) + filled(w.error, w.shape), axis=-1, initial=0.0)[
            ..., None, None
        ]
        steps = np.abs(w.value[..., :, None] - w.value[..., None, :])
        steps = steps + apart[..., :, None] + apart[..., None, :]

        def bound(ours: bool) -> Array:  # noqa: FBT001
            moved = _mirrored(system, x, ours=ours)
            own = apart if ours else filled(w.error, w.shape)
            away = steps + own[..., None, :]
            close = gaps <= 2 * moved
            inside = np.max(np.where(close, away, 0.0), axis=-1, initial=0.0) ** 2
            slopes = np.where(close, 0.0, away / (gaps - moved))
            ratio = np.max(slopes, axis=(-2, -1), initial=0.0)[..., None, None]
            total = np.sqrt(np.sum(inside, axis=-1)[..., None, None] + (ratio * moved) ** 2)
            if ours or not system.silent:
                rounded = STABLE * n * n * _unit(system, ours) * most
            else:
                rounded = 0.0
            whole = np.minimum(total, 2 * most) * (1 + 2.0**-40) + rounded
            return np.asarray(whole + n * n * _lost(system, most, ours=ours))

        return _enclose_both(system, value, bound)
