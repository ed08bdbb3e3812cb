"""Functions of matrices: perturbation bounds, for algorithms that are backward stable.

Assumed of the library is what LAPACK's documentation and analyses give: the computed result is that of
a matrix A + E with ``|E|_F <= 10 n^2 u |A|_F`` (plus as much of the result itself). Then, with
s = |A^-1|_F |E|_F < 1,

    |(A + E)^-1 - A^-1|_F <= |A^-1|_F s / (1 - s),   |det(A + E) / det A - 1| <= (1 + s)^n - 1,
    |eigenvalue_k(A + E) - eigenvalue_k(A)| <= |E|_F  for symmetric matrices (Weyl).

Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, chapters 9 and 14; LAPACK
Users' Guide, 3rd ed., 1999, chapter 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eqvproof.rounding.enclosed import Array, Enclosed, filled

if TYPE_CHECKING:
    from eqvproof.rounding.system import RoundingSystem

#: The backward error of an algorithm, in units n^2 u |A|_F.
STABLE = 10.0


def _norm(array: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(array * array, axis=(-2, -1), keepdims=True)) * (1 + 2.0**-40))


def _moved(system: RoundingSystem, x: Enclosed, *, ours: bool) -> Array:
    """At least |E|_F for what is computed, or for what float64 computes."""
    n = x.shape[-1]
    unit = min(system.form.step, 1.0) * (system.form.ratio if ours else 1.0)
    part = system.apart(x) if ours else x.error
    own = 0.0 if system.silent and not ours else STABLE * n * n * unit
    return _norm(filled(part, x.shape)) + own * (_norm(system.size(x)) + _norm(filled(x.error, x.shape)))


def inverse(system: RoundingSystem, x: Enclosed, value: Array) -> Enclosed:
    """The bound for inverse matrices."""
    with np.errstate(all="ignore"):
        size, n = _norm(value), x.shape[-1]
        ours = size * _moved(system, x, ours=True)
        size = np.where(ours < 0.5, size * (1 + 2 * ours), np.inf)  # of the real inverse

        def bound(*, ours: bool) -> Array:
            s = size * _moved(system, x, ours=ours)
            unit = system.form.step * (system.form.ratio if ours else 1.0)
            found = np.where(s < 0.5, size * s / (1 - s) + 2 * n * n * unit * size, np.inf)
            return np.broadcast_to(np.where(np.isnan(found), np.inf, found), value.shape)

        return system.made(value, bound(ours=False), bound(ours=True))


def determinant(system: RoundingSystem, x: Enclosed, value: Array, inverse: Array) -> Enclosed:
    """The bound for determinants."""
    n = x.shape[-1]
    with np.errstate(all="ignore"):
        size = _norm(inverse)
        ours = size * _moved(system, x, ours=True)
        size = np.where(ours < 0.5, size * (1 + 2 * ours), np.inf)

        def bound(*, ours: bool) -> Array:
            s = (size * _moved(system, x, ours=ours))[..., 0, 0]
            unit = system.form.step * (system.form.ratio if ours else 1.0)
            found = np.abs(value) * 2 * (np.expm1(n * np.log1p(s)) + 2 * n * unit)
            return np.where((s < 0.5) & ~np.isnan(found), found, np.inf)

        return system.made(value, bound(ours=False), bound(ours=True))


def eigenvalues(system: RoundingSystem, x: Enclosed, value: Array) -> Enclosed:
    """The bound for eigenvalues of symmetric parts."""

    def bound(*, ours: bool) -> Array:
        return np.broadcast_to(_moved(system, x, ours=ours)[..., 0], value.shape)

    return system.made(value, bound(ours=False), bound(ours=True))
