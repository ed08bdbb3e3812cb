"""A bound on the distance of X and Y up to rotation, computed from their Gram matrices."""

from __future__ import annotations

from math import sqrt

import numpy as np

from eqvproof.invariants.witnesses.input_matrices import FloatArray


def procrustes_bound(x: FloatArray, y: FloatArray) -> float:
    """Bounds min |Q X - Y|_F over orthogonal Q from X^T X - Y^T Y.

    For Z = [X; Y] = L V with V^* of orthonormal columns (QR of Z^*), X = L_1 V and Y = L_2 V; so
    the difference has the nonzero eigenvalues of ``L_1^* L_1 - L_2^* L_2``, of size 2 d: no n x n
    matrix is formed.

    Exactness: the theorems hold exactly; their values are computed in float64 and widened by an
        estimate of their rounding.

    Source: Tu et al. (2016), Lemma 5.4; Powers and Stormer (1970), Lemma 4.1.
    """
    d, n = x.shape
    if not d or not n:
        return 0.0
    largest = max(float(np.max(np.abs(x))), float(np.max(np.abs(y))))
    if largest == 0.0:
        return 0.0
    scale = 2.0 ** np.floor(np.log2(largest))
    x, y = x / scale, y / scale
    if n > 2 * d:
        factor = np.asarray(np.linalg.qr(np.concatenate([x, y]).conj().T, mode="r")).conj().T
        x, y = factor[:d], factor[d:]
    difference = x.conj().T @ x - y.conj().T @ y
    size = float(np.linalg.norm(x)) + float(np.linalg.norm(y))
    noise = 8.0 * (d + x.shape[1]) * 2.0**-53 * size * size
    spectrum = np.abs(np.linalg.eigvalsh(difference))
    trace_norm, norm = float(np.sum(spectrum)), float(np.sqrt(np.sum(spectrum**2)))
    candidates = [trace_norm + sqrt(x.shape[1]) * noise]
    values_x, values_y = (np.linalg.svd(m, compute_uv=False) for m in (x, y))
    cut = 8.0 * (d + x.shape[1]) * 2.0**-53 * size
    rank = int(np.sum(values_x > cut))
    if rank and not np.any(values_y[rank:] > 0) and not np.any(values_x[rank:] > 0):
        smallest = float(values_x[rank - 1]) - cut
        if smallest > 0:
            candidates.append((norm + noise) ** 2 / (2.0 * (sqrt(2.0) - 1.0) * smallest**2))
    return float(scale * sqrt(min(candidates)) * (1.0 + 1e-7))
