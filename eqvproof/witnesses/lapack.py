"""QR factorisations as packed reflectors: by LAPACK through SciPy where it is installed, else by NumPy.

A packed factorisation is LAPACK's: R on and above the diagonal, and below it the reflectors, so that
``A = H_1 ... H_k R`` with ``H_i = I - tau_i v_i v_i^*``, where v_i is 0 above its i-th entry, 1 there, and as
stored below. Both ways compute the same to rounding; NumPy alone takes longer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.optional import installed

Array = NDArray[Any]
#: So many reflectors are applied at a time, as I - V T V^*.
BLOCK = 128
#: Entries so small beside the one above them count as 0: their squares would.
NOTHING = 1e-150


def pivoted_qr(a: Array) -> tuple[Array, NDArray[np.intp], Array]:
    """``(packed, order, taus)`` with ``A[:, order] = Q R``, the diagonal of R falling in modulus.

    Exactness: float64 or complex128; backward stable.
    """
    routine = _routine("geqp3", a.dtype.char)
    if routine is None:
        return _pivoted(a)
    packed, order, taus, _, _ = routine(
        np.array(a, order="F"), lwork=64 * (max(a.shape) + 66), overwrite_a=True
    )
    return packed, order - 1, taus


def plain_qr(a: Array) -> tuple[Array, Array]:
    """``(packed, taus)`` with ``A = Q R``."""
    packed, taus = np.linalg.qr(a, mode="raw")
    return packed.T, taus


def positive_qr(a: Array) -> tuple[Array, Array]:
    """``(packed, taus)`` with ``A = Q R``, the diagonal of R not negative."""
    routine = _routine("geqrfp", a.dtype.char)
    if routine is not None:
        packed, taus, _ = routine(a, lwork=64 * (max(a.shape) + 66))
        return packed, taus
    packed, taus = np.array(a), np.zeros(min(a.shape), dtype=a.dtype)
    for k in range(taus.shape[0]):
        taus[k] = _eliminate(packed, k, positive=True)
    return packed, taus


def apply_packed(packed: Array, taus: Array, array: Array) -> Array:
    """``H_1 ... H_k A`` for the reflectors of a packed factorisation."""
    routine = _routine("unmqr" if np.iscomplexobj(packed) else "ormqr", packed.dtype.char)
    count = taus.shape[0]
    if routine is not None:
        reflectors = np.asfortranarray(packed[:, :count])
        work = 64 * (max(*packed.shape, array.shape[-1]) + 66)
        return np.asarray(routine("L", "N", reflectors, taus, np.asfortranarray(array), lwork=work)[0])
    v = np.tril(packed[:, :count], -1)
    v[np.arange(count), np.arange(count)] = 1.0
    keep = taus != 0
    return apply_reflectors(v[:, keep], taus[keep], array)


def full_factor(packed: Array, taus: Array) -> Array:
    """``H_1 ... H_k`` itself, a d x d matrix."""
    d, count = packed.shape[0], taus.shape[0]
    routine = _routine("ungqr" if np.iscomplexobj(packed) else "orgqr", packed.dtype.char)
    if count < d or routine is None:
        return apply_packed(packed, taus, np.eye(d, dtype=packed.dtype))
    return np.asarray(routine(packed[:, :d], taus, lwork=64 * (max(packed.shape) + 66))[0])


def apply_reflectors(v: Array, taus: Array, array: Array) -> Array:
    """``H_1 ... H_k A`` for reflectors in the columns of v, by blocks; every tau is nonzero.

    A block is ``I - V T V^*`` where T is the inverse of the upper triangular matrix with ``1/tau_i`` on the
    diagonal and the entries of ``V^* V`` above it (Puglisi 1992; Joffrain, Low, Quintana-Orti, van de Geijn,
    Van Zee 2006).
    """
    for start in reversed(range(0, v.shape[1], BLOCK)):
        block = v[:, start : start + BLOCK]
        inverse = np.triu(block.conj().T @ block, 1) + np.diag(1.0 / taus[start : start + BLOCK])
        # pivoting leaves a triangular matrix alone: this is back substitution
        array = array - block @ np.linalg.solve(inverse, block.conj().T @ array)
    return array


def _pivoted(a: Array) -> tuple[Array, NDArray[np.intp], Array]:
    """Businger and Golub 1965: before each reflector, the longest of the remaining columns comes first."""
    packed = np.array(a)
    d, n = packed.shape
    order, taus = np.arange(n), np.zeros(min(d, n), dtype=a.dtype)
    squares = (np.abs(packed) ** 2).sum(axis=0)
    known = squares.copy()
    for k in range(taus.shape[0]):
        # a length that has lost half of its digits by subtraction is taken anew
        stale = k + np.flatnonzero(squares[k:] <= 1e-8 * known[k:])
        squares[stale] = known[stale] = (np.abs(packed[k:, stale]) ** 2).sum(axis=0)
        best = k + int(np.argmax(squares[k:]))
        if best != k:
            for row in (order, squares, known):
                row[[k, best]] = row[[best, k]]
            packed[:, [k, best]] = packed[:, [best, k]]
        taus[k] = _eliminate(packed, k, positive=False)
        squares[k + 1 :] = np.maximum(squares[k + 1 :] - np.abs(packed[k, k + 1 :]) ** 2, 0.0)
    return packed, order, taus


def _eliminate(packed: Array, k: int, *, positive: bool) -> Any:
    """One step of Householder's elimination, in place; the tau of its reflector.

    ``H^* x = beta e_1`` with ``tau = (beta - alpha) / beta`` and ``v = x / (alpha - beta)``, v_1 = 1, where
    alpha = x_1 and beta is real with ``|beta| = |x|``.
    """
    column = packed[k:, k]
    alpha, rest = column[0], column[1:]
    below = float(np.linalg.norm(rest))
    imaginary = float(np.imag(alpha))
    real = float(np.real(alpha))
    if max(below, abs(imaginary)) <= NOTHING * abs(real):
        column[1:] = 0.0
        if not positive or real >= 0:
            return packed.dtype.type(0)
        packed[k, k:] *= -1  # v = e_1
        return packed.dtype.type(2)
    length = float(np.hypot(np.hypot(real, imaginary), below))
    if not positive:
        beta = -length if real >= 0 else length
        gap = real - beta
    else:
        beta = length
        # real - beta, without subtracting what is nearly equal
        gap = real - beta if real <= 0 else -(below / (real + beta) * below) - imaginary**2 / (real + beta)
    difference = gap + 1j * imaginary if np.iscomplexobj(packed) else gap
    tau = -difference / beta
    v = np.empty_like(column)
    v[0], v[1:] = 1.0, rest / difference
    later = packed[k:, k + 1 :]
    later -= np.outer(np.conj(tau) * v, v.conj() @ later)
    packed[k, k], packed[k + 1 :, k] = beta, v[1:]
    return packed.dtype.type(tau)


@lru_cache(maxsize=64)
def _routine(name: str, kind: str) -> Any:
    """A LAPACK routine of SciPy's for the type of array, or None."""
    linalg = installed("scipy.linalg")
    return None if linalg is None else linalg.get_lapack_funcs(name, dtype=kind)
