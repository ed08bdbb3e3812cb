"""Pivoted QR factors, and products of reflectors ``H = I - tau v v^*``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.support.optional import installed

Array = NDArray[Any]
#: Number of reflectors applied at a time, as I - V T V^*.
BLOCK = 128
#: Reflectors that change a vector of length 1 by less than this are omitted.
NOTHING = 1e-290


def pivoted_qr(a: Array) -> tuple[Array, Array, NDArray[np.intp]]:
    """Computes ``(Q, R, order)`` with ``A[:, order] = Q R`` by QR with column pivoting.

    Q is unitary, and the diagonal of R decreases in modulus. If SciPy is installed, its LAPACK is
    used, which is faster; the order is the same to rounding.

    Source: Businger and Golub (1965).
    """
    linalg = installed("scipy.linalg")
    if linalg is not None:
        found: tuple[Array, Array, NDArray[np.intp]] = linalg.qr(
            a, pivoting=True, check_finite=False
        )
        return found
    rest, order = np.array(a), np.arange(a.shape[1])
    for k in range(min(a.shape)):
        lengths = np.linalg.norm(rest[:, k:], axis=0)
        best = k + int(np.argmax(lengths))
        if not lengths[best - k]:
            break
        order[[k, best]], rest[:, [k, best]] = order[[best, k]], rest[:, [best, k]]
        unit = rest[:, k] / lengths[best - k]
        rest[:, k + 1 :] -= np.outer(unit, unit.conj() @ rest[:, k + 1 :])
    return *np.linalg.qr(a[:, order], mode="complete"), order


def reflectors(q: Array) -> list[tuple[Array, Any]]:
    """Returns (v, tau) of at most d reflectors whose product ``H_1 H_2 ...`` is a unitary matrix.

    ``H_k^*`` maps the k-th column x of the remaining matrix to ``|x| e_k``: ``v = x / (x_k - |x|)``
    outside its k-th entry, which is 1, and ``tau = 1 - x_k / |x|``. If x_k is near ``|x|``, their
    difference is computed from the other entries.
    """
    rest, found = np.array(q), []
    for k in range(len(rest)):
        x = rest[k:, k]
        real, imaginary = float(np.real(x[0])), float(np.imag(x[0]))
        outside = float(np.linalg.norm(x[1:])) ** 2 + imaginary**2
        length = np.sqrt(real**2 + outside)
        if real <= 0:
            gap = real - length
        else:
            gap = -outside / (real + length)
        if abs(gap) < NOTHING:
            continue
        if np.iscomplexobj(rest):
            difference = gap + 1j * imaginary
        else:
            difference = gap
        tau, v = -difference / length, np.zeros(len(rest), dtype=rest.dtype)
        v[k], v[k + 1 :] = 1.0, x[1:] / difference
        rest[k:, k + 1 :] -= np.outer(np.conj(tau) * v[k:], v[k:].conj() @ rest[k:, k + 1 :])
        found.append((v, tau))
    return found


def apply_reflectors(v: Array, taus: Array, array: Array) -> Array:
    """Computes ``H_1 ... H_k A`` for reflectors in the columns of v, by blocks; tau is nonzero.

    A block is ``I - V T V^*`` where T is the inverse of the upper triangular matrix with
    ``1/tau_i`` on the diagonal and the entries of ``V^* V`` above it (Puglisi 1992; Joffrain, Low,
    Quintana-Orti, van de Geijn, Van Zee 2006).
    """
    for start in reversed(range(0, v.shape[1], BLOCK)):
        block = v[:, start : start + BLOCK]
        inverse = np.triu(block.conj().T @ block, 1) + np.diag(1.0 / taus[start : start + BLOCK])
        # pivoting does not change a triangular matrix: this is back substitution
        array = array - block @ np.linalg.solve(inverse, block.conj().T @ array)
    return array
