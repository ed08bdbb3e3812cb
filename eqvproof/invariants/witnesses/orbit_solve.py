"""Float elements of classical groups that map A to C as well as rounding allows.

Unitary and orthogonal matrices come from QR factors (`orthogonal_float`), invertible ones from the
pseudo-inverse of A. For a group that preserves an indefinite or a skew form B, with entries 1 and
-1, let ``g = (I - T)^-1 (I + T)``, ``T = B^-1 S / 2``. Then ``g A = C`` means ``S (A + C) / 2 = B
(C - A)``, which is linear in S, and S is skew for symmetric B and symmetric for skew B; every such
g preserves B. With ``(A + C) / 2 = E diag(s) V^T`` the S of least residual has, in the basis E, the
entries ``N_ij / (s_i^2 + s_j^2)`` for a matrix N. No division by inner products occurs, so that
null vectors need no special treatment. A + C must have the rank of A: before the step, A is rotated
towards C by a matrix that preserves both B and lengths. A few steps, each from the g of the last
one, reach the rounding of the data.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from eqvproof.invariants.witnesses.input_matrices import FloatArray
from eqvproof.invariants.witnesses.orthogonal_float import SLACK, UNIT, from_factors

#: Largest number of steps from one start; number of random starts if the first two fail.
STEPS, STARTS = 12, 6
#: Largest entry of a matrix; an iteration that exceeds it stops.
LARGEST = 1e12
#: Rounding units assumed for the product of a matrix with itself.
NOISE = 4.0
#: Smallest square of a singular value of (A + C) / 2, relative to the largest, that a step uses,
#: unless the precision of the data gives a larger one.
CUT = 1e-28


def orthogonal_element(a: FloatArray, c: FloatArray, tolerance: float) -> FloatArray:
    """Returns an orthogonal (unitary) matrix that maps a to c if their Gram matrices agree."""
    return from_factors(a, c, None, tolerance)[0]


def linear_element(a: FloatArray, c: FloatArray, tolerance: float) -> FloatArray:
    """Returns an invertible matrix that maps a to c if their columns have the same relations."""
    left, values, right = np.linalg.svd(a, full_matrices=is_tall(a))
    rank = int(np.sum(values > tolerance * max(float(values.max(initial=0.0)), 0.0)))
    images = (c @ right[:rank].conj().T) / values[:rank]
    outside, stretch, _ = np.linalg.svd(images, full_matrices=True)
    size = 1.0
    if rank:
        size = float(np.exp(np.mean(np.log(np.maximum(stretch, 1e-300)))))
    return np.asarray(images @ left[:, :rank].T + size * outside[:, rank:] @ left[:, rank:].T)


def form_preserving_element(
    form: FloatArray, a: FloatArray, c: FloatArray, tolerance: float
) -> FloatArray:
    """Computes g with ``g^T B g = B`` that maps a to c.

    The inner products of a and c and the linear relations of their columns must agree.
    """
    rng = np.random.default_rng(0)
    starts = [(a @ w, c @ w) for w in (_whitening(a, tolerance), _whitening(c, tolerance))]
    starts += [(rng.normal(size=a.shape), rng.normal(size=a.shape)) for _ in range(STARTS)]
    improved = partial(_iterate_steps, form, a, c, max(CUT, (tolerance / SLACK) ** 2))
    found: list[tuple[float, FloatArray]] = []
    best, least = np.eye(len(form)), np.inf
    for k, pair in enumerate(starts):
        if k > 1 and found:
            break
        g, miss = improved(_initial_rotation(form, *pair))
        # once more from the orthogonal factor of g, which may give a smaller g
        if miss <= tolerance:
            left, _, right = np.linalg.svd(g)
            again, other = improved(left @ right)
            found += [
                (float(np.linalg.norm(h)), h)
                for h, m in ((g, miss), (again, other))
                if m <= tolerance
            ]
        if miss < least:
            best, least = g, miss
    if not found:
        return best
    smallest = min(size for size, _ in found)
    return next(h for size, h in found if size <= 1.1 * smallest)


def _iterate_steps(
    form: FloatArray, a: FloatArray, c: FloatArray, cut: float, g: FloatArray
) -> tuple[FloatArray, float]:
    """Iterates steps from a start while they improve g; returns the best g and its error."""
    best, least = g, _error_of(form, a, c, g)
    idle = 0
    for _ in range(STEPS):
        try:
            g = _step(form, g @ a, c, cut) @ g
        except np.linalg.LinAlgError:
            break
        if not float(np.abs(g).max()) < LARGEST:
            break
        g = _reduce_defect(form, g)
        miss = _error_of(form, a, c, g)
        idle += 1
        if miss < least / 2:
            idle = 0
        if miss < least:
            best, least = g, miss
        if idle > 1:
            break
    return best, least


def _error_of(form: FloatArray, a: FloatArray, c: FloatArray, g: FloatArray) -> float:
    """Returns the larger of the residual and the form defect of g, scaled by the size of g."""
    largest = float(np.abs(g).max(initial=0.0))
    if not largest < LARGEST:
        return float("inf")
    size = max(1.0, float(np.linalg.norm(g, 2)))
    residual = float(np.linalg.norm(g @ a - c)) / size
    return max(residual, float(np.linalg.norm(g.T @ form @ g - form)) / size**2)


def _step(form: FloatArray, a: FloatArray, c: FloatArray, cut: float) -> FloatArray:
    """Returns the form-preserving matrix that maps a nearest to c, linearised about (a + c) / 2."""
    sign = np.sign(form[0] @ form[:, 0])  # B^2 = 1 or -1
    middle, difference = (a + c) / 2, form @ (c - a)
    basis, values, _ = np.linalg.svd(middle, full_matrices=is_tall(middle))
    squares = np.zeros(len(form))
    squares[: len(values)] = values**2
    across = basis.T @ difference @ middle.T @ basis
    wanted = across - sign * across.T
    weights = squares[:, None] + squares[None, :]
    kept = weights > cut * weights.max(initial=0.0)
    s = np.where(kept, wanted / np.where(kept, weights, 1.0), 0.0)
    t = form.T @ (basis @ s @ basis.T) / 2
    one = np.eye(len(form))
    return np.asarray(np.linalg.solve(one - t, one + t))


def _reduce_defect(form: FloatArray, g: FloatArray) -> FloatArray:
    """Moves g to a nearby form-preserving matrix if its defect is small, but more than rounding."""
    one = np.eye(len(form))
    for _ in range(2):
        defect = form.T @ (g.T @ form @ g) - one
        noise = NOISE * len(form) * UNIT * float(np.linalg.norm(g)) ** 2
        if noise < float(np.linalg.norm(defect)) < 0.1:
            g = g - g @ defect / 2
    return g


def is_tall(a: FloatArray) -> bool:
    """Checks whether there are fewer columns than rows.

    Then only a full SVD has all left singular vectors.
    """
    return bool(a.shape[1] < a.shape[0])


def _whitening(a: FloatArray, tolerance: float) -> FloatArray:
    """Returns weights that combine the columns of a to an orthonormal basis of their span."""
    _, values, right = np.linalg.svd(a, full_matrices=False)
    rank = int(np.sum(values > max(1e-10, tolerance) * values.max(initial=0.0)))
    return np.asarray(right[:rank].T / values[:rank])


def _initial_rotation(form: FloatArray, a: FloatArray, c: FloatArray) -> FloatArray:
    """Returns the orthogonal, form-preserving matrix that maps a nearest to c."""
    if form[0, 0] == 0:  # a skew form pairs positions with momenta: the matrix is unitary
        half = len(form) // 2
        left, _, right = np.linalg.svd(_complex(c, half) @ _complex(a, half).conj().T)
        return real_matrix(left @ right)
    turn = np.zeros(form.shape)
    for sign in (1, -1):
        places = np.flatnonzero(np.diag(form) == sign)
        left, _, right = np.linalg.svd(c[places] @ a[places].T)
        turn[np.ix_(places, places)] = left @ right
    return turn


def _complex(rows: FloatArray, half: int) -> FloatArray:
    return np.asarray(rows[:half] + 1j * rows[half:])


def real_matrix(matrix: FloatArray) -> FloatArray:
    """Converts a complex matrix to the real one that acts on real parts above imaginary parts."""
    return np.block([[matrix.real, -matrix.imag], [matrix.imag, matrix.real]])


def with_determinant_one(
    form: FloatArray | None, a: FloatArray, g: FloatArray, tolerance: float
) -> FloatArray:
    """Changes g so that its determinant becomes 1 and the images of the columns of a change least.

    Args:
        form: an indefinite form that both groups preserve, or None.
        a: the columns.
        g: a matrix of the larger group.
        tolerance: singular values of a below this, relative to the largest, count as 0.
    """
    value = np.linalg.det(g)
    size = g.shape[0]
    if not size or not np.isfinite(value) or value == 0:
        return g
    if form is None:
        left, values, _ = np.linalg.svd(a, full_matrices=is_tall(a))
        free = left[:, int(np.sum(values > tolerance * values.max(initial=0.0))) :]
        if free.shape[1]:  # distribute the factor over all free directions
            by = abs(value) ** (-1 / free.shape[1])
            g, value = g + g @ free @ free.conj().T * (by - 1), value / abs(value)
        v = left[:, [-1]]
        return np.asarray(g + g @ v @ v.conj().T * (1 / value - 1))
    if value.real > 0:
        return g
    b, square = free_direction(form, a, tolerance)
    if not square:
        return g
    return np.asarray(g - 2 * np.outer(g @ b, form @ b) / square)


def free_direction(form: FloatArray, a: FloatArray, tolerance: float) -> tuple[FloatArray, float]:
    """Returns a unit vector b orthogonal to the columns in the form, and <b, b>.

    Among such vectors b has the largest |<b, b>|.
    """
    _, values, right = np.linalg.svd(a.T @ form, full_matrices=is_tall(a))
    rank = int(np.sum(values > tolerance * values.max(initial=0.0)))
    basis = right[rank:].T
    if not basis.shape[1]:
        return np.zeros(len(form)), 0.0
    squares, vectors = np.linalg.eigh(basis.T @ form @ basis)
    k = int(np.argmax(np.abs(squares)))
    return np.asarray(basis @ vectors[:, k]), float(squares[k])
