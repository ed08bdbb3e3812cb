"""Errors for floats that no element of a classical group maps onto each other.

The named invariant differs by more than rounding of X and Y explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.certificate import Certificate, tensor
from eqvproof.invariants.witnesses.input_matrices import FloatArray, columns_hint
from eqvproof.invariants.witnesses.mismatch import ROWS
from eqvproof.invariants.witnesses.orbit_exact import exact_orbit
from eqvproof.invariants.witnesses.orbit_solve import free_direction
from eqvproof.invariants.witnesses.orbit_space import Space
from eqvproof.invariants.witnesses.rational import select_columns
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import OrbitMismatch

#: Smallest difference, in multiples of the precision of the data, that rounding does not explain.
MARGIN = 4.0
#: The hint of errors that no element was found.
TRY = "use a larger group, or pass tol= if the data is less precise than its type"
#: Number of coefficients of a relation that a message shows.
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Relation:
    """A linear combination that is almost 0 on one side and not on the other.

    Attributes:
        weights: the coefficients of the scaled columns.
        holds_in: the side on which it is almost 0, "X" or "Y".
        sizes: the lengths of the combinations of the scaled columns of X and of Y.
        norm: a lower bound on the norm of an element that maps X to Y, or of its inverse, that
            holds for all X and Y within the tolerance.
    """

    weights: FloatArray
    holds_in: str
    sizes: tuple[float, float]
    norm: float


def strongest_relation(a: FloatArray, c: FloatArray, tolerance: float) -> Relation | None:
    """Finds the linear combination that forces the largest norm of an element; or None.

    Let g carry ``x_j + e_j`` to ``y_j + f_j``, with e_j and f_j at most tau of the lengths. For
    weights w, ``|Y w| - tau sum |w_j| |y_j| <= |g| (|X w| + tau sum |w_j| |x_j|)``; likewise for
    the inverse.
    """
    d, n = a.shape
    if not d or not n:
        return None
    left, values, right = np.linalg.svd(np.concatenate([a, c]), full_matrices=False)
    rank = int(np.sum(values > tolerance * max(float(values[0]), 1e-300)))
    if not rank:
        return None
    _, _, turn = np.linalg.svd(left[:d, :rank], full_matrices=True)
    weights = (right[:rank].conj().T / values[:rank]) @ turn.conj().T
    best: Relation | None = None
    lengths = [np.linalg.norm(m, axis=0) for m in (a, c)]
    for w in weights.T:
        sizes = [float(np.linalg.norm(m @ w)) for m in (a, c)]
        noise = [MARGIN * tolerance * float(np.sum(np.abs(w) * length)) for length in lengths]
        for small, large in ((0, 1), (1, 0)):
            norm = (sizes[large] - noise[large]) / max(sizes[small] + noise[small], 1e-300)
            if best is None or norm > best.norm:
                best = Relation(w, "XY"[small], (sizes[0], sizes[1]), norm)
    return best


def refusal_error(
    place: Space,
    x: FloatArray,
    y: FloatArray,
    scale: NDArray[np.float64],
    tolerance: float,
    larger: FloatArray | None,
) -> OrbitMismatch | None:
    """Builds the error for the first invariant that differs; None if rounding explains all.

    Args:
        place: the space of the group.
        x: X, complex for complex groups.
        y: Y.
        scale: powers of two by which columns are divided.
        tolerance: the precision of the data, relative to the lengths of columns.
        larger: an element of the larger group, without a condition on the determinant, that maps X
            to Y.
    """
    a, c = x / scale, y / scale
    form = form_of(place)
    pair = None
    if form is not None:
        pair = _differing_pair(place, form, a, c, tolerance)
    if pair is not None:
        return _pair_error(place, x, y, pair)
    if larger is None:
        relation = strongest_relation(a, c, tolerance)
        if relation is None or relation.norm <= _sufficient_norm(a, c, tolerance):
            return None
        return _relation_error(place, x, y, scale, relation)
    if place.is_oriented and _is_rigid(place, a, c, larger, tolerance):
        least = None
        if _numerical_rank(a, tolerance) < len(a):
            least = tolerance
        return _determinant_error(place, x, y, larger, least)
    return None


def form_of(place: Space) -> FloatArray | None:
    """Returns the form of a group as a float matrix; its entries are 0, 1 and -1."""
    if place.form is None:
        return None
    return np.array(place.form.tolist(), dtype=np.float64).reshape(place.size, place.size)


def _real_rows(values: FloatArray) -> FloatArray:
    if np.iscomplexobj(values):
        return np.concatenate([values.real, values.imag])
    return values


def _real_block(place: Space, values: FloatArray) -> FloatArray:
    """Returns the real columns of x, then those of i x."""
    if place.turn is None:
        return values
    return np.concatenate(
        [_real_rows(values.astype(np.complex128)), _real_rows(1j * values)], axis=1
    )


def _differing_pair(
    place: Space, form: FloatArray, a: FloatArray, c: FloatArray, tolerance: float
) -> tuple[int, int] | None:
    """Finds the first two columns whose inner products differ by more than rounding, or None."""
    left, right = _real_block(place, a), _real_block(place, c)
    sizes = [np.linalg.norm(m, axis=0) for m in (left, right)]
    for start in range(0, a.shape[1], ROWS):
        rows = slice(start, min(start + ROWS, a.shape[1]))
        gap = np.abs(left[:, rows].T @ (form @ left) - right[:, rows].T @ (form @ right))
        explained = MARGIN * tolerance * sum(np.multiply.outer(s[rows], s) for s in sizes)
        beyond = np.argwhere(gap > explained)
        if beyond.size:
            return start + int(beyond[0, 0]), int(beyond[0, 1])
    return None


def _sufficient_norm(a: FloatArray, c: FloatArray, tolerance: float) -> float:
    """Returns a norm that an element from X to Y need not exceed.

    It is a bound if X and Y span the space, and a generous estimate otherwise.
    """
    values = [np.linalg.svd(m, compute_uv=False) for m in (a, c)]
    least, most = min(float(v[-1]) for v in values), max(float(v[0]) for v in values)
    noise = MARGIN * tolerance * float(np.linalg.norm(a) + np.linalg.norm(c))
    if a.shape[0] <= a.shape[1] and least > 2 * noise:
        return (most + noise) / (least - noise)
    nonzero = [v[v > tolerance * max(float(v[0]), 1e-300)] for v in values]
    if not all(v.size for v in nonzero):
        return 10.0
    ratios = [float(values[1][0] / nonzero[0][-1]), float(values[0][0] / nonzero[1][-1])]
    return 10.0 * max(*ratios, 1.0)


def _is_rigid(place: Space, a: FloatArray, c: FloatArray, g: FloatArray, tolerance: float) -> bool:
    """Checks whether every matrix that maps X to Y within rounding has det g, and det g is not 1.

    If X does not span the space, and a form is nearly 0 on its complement, matrices of a norm above
    the inverse root of the tolerance are ignored.
    """
    d, n = a.shape
    noise = MARGIN * tolerance * float(np.linalg.norm(a))
    least = 0.0
    if 0 < d <= n:
        least = float(np.linalg.svd(a, compute_uv=False)[-1])
    value = complex(np.linalg.det(g))
    if place.form is None:
        if least <= noise:
            return False
        inverse = [np.linalg.norm(np.linalg.pinv(m)) * np.linalg.norm(m) for m in (a, c)]
        slack = MARGIN * tolerance * float(sum(inverse))
        return slack < 0.5 and (value.real < 0 or abs(np.log(abs(value))) > slack)
    if place.turn is not None:
        angle = abs(np.angle(value)) / max(d, 1)
        return bool(least * angle > 2 * noise)
    if value.real > 0:
        return False
    size = float(np.linalg.norm(g, 2))
    if d <= n and least > 2 * noise * size**2:
        return True
    form = form_of(place)
    if form is None or (form == np.eye(d)).all():
        return False
    _, square = free_direction(form, c, tolerance)
    return bool(abs(square) < tolerance**0.5 and _numerical_rank(c, tolerance) < d)


def _numerical_rank(a: FloatArray, tolerance: float) -> int:
    values = np.linalg.svd(a, compute_uv=False)
    return int(np.sum(values > tolerance * float(values.max(initial=0.0))))


def _to_rationals(values: FloatArray) -> fmpq_mat:
    """Converts floats to rational numbers, real parts above imaginary parts."""
    real = _real_rows(values)
    ratios = [v.as_integer_ratio() for v in real.ravel().tolist()]
    return fmpq_mat(real.shape[0], real.shape[1], [fmpq(p, q) for p, q in ratios])


def _pair_error(place: Space, x: FloatArray, y: FloatArray, pair: tuple[int, int]) -> OrbitMismatch:
    (i, j), n, name = pair, x.shape[1], place.family.letter
    if place.turn is not None:
        x, y = x.astype(np.complex128), y.astype(np.complex128)
    both = [_to_rationals(_real_block(place, m)[:, [i, j]]) for m in (x, y)]
    left, right = (place.inner(select_columns(m, [0]), select_columns(m, [1]))[0, 0] for m in both)
    products = "inner products" if i // n == j // n else "imaginary parts of inner products"
    error = OrbitMismatch(
        f"no element of {name} maps X to Y within rounding: columns {i % n} and {j % n}"
        f" have different {products}",
        given=f"{_short_text(left)} in X, {_short_text(right)} in Y; they differ by"
        f" {_short_text(abs(left - right), 3)}",
        expected="inner products in the form of the group that agree to the precision of the data",
        hint=columns_hint((x.shape[0], x.shape[1]), TRY),
    )
    error.pair, error.inner_products = (i % n, j % n), (left, right)
    sides = {name_: tensor(_real_rows(m)) for name_, m in (("X", x), ("Y", y))}
    error.evidence = lambda: seal("orbit-mismatch", family=name, **sides, pair=[i, j])
    return error


def _short_text(value: fmpq, digits: int = 12) -> str:
    return f"{int(value.p) / int(value.q):.{digits}g}"


def _relation_error(
    place: Space, x: FloatArray, y: FloatArray, scale: NDArray[np.float64], relation: Relation
) -> OrbitMismatch:
    weights = relation.weights / scale
    weights = weights / weights[int(np.argmax(np.abs(weights)))]
    lengths = [float(np.linalg.norm(m @ weights)) for m in (x, y)]
    shown = ", ".join(_coefficient_text(w) for w in weights[:SHOWN]) + ", ..." * (
        len(weights) > SHOWN
    )
    other = {"X": "Y", "Y": "X"}[relation.holds_in]
    error = OrbitMismatch(
        f"no element of {place.family.letter} maps X to Y within rounding: a linear relation"
        f" between the columns of {relation.holds_in} does not hold between those of {other}",
        given=f"the coefficients {shown} give a vector of length {lengths[0]:.3g} in X and"
        f" {lengths[1]:.3g} in Y; {_norm_text(relation.norm)}",
        expected="the same relations on both sides",
        hint=columns_hint((x.shape[0], x.shape[1]), TRY),
    )
    error.why = "relation"
    _with_exact_evidence(error, place, x, y)
    return error


def _norm_text(norm: float) -> str:
    """Says that rounding explains a relation only for elements of a large norm, or not at all."""
    if norm > 1e150:
        return "rounding does not explain it"
    return f"if rounding explains it, the element or its inverse has a norm above {norm:.2g}"


def _coefficient_text(value: Any) -> str:
    return f"{value:.6g}"


def _determinant_error(
    place: Space, x: FloatArray, y: FloatArray, g: FloatArray, least: float | None
) -> OrbitMismatch:
    value = np.linalg.det(g)
    unless = ""
    if least is not None:
        unless = f" except of a norm above {least**-0.5:.2g}"
    error = OrbitMismatch(
        f"no element of {place.family.letter} maps X to Y within rounding: every matrix that maps X"
        " to Y and satisfies the other conditions has a determinant other than 1",
        given=f"the determinant {_coefficient_text(value)}; no element that fixes X changes"
        f" it{unless}",
        expected="families of the same orientation",
        hint=columns_hint((x.shape[0], x.shape[1]), TRY),
    )
    error.why = "matrix"
    _with_exact_evidence(error, place, x, y)
    return error


def _with_exact_evidence(error: OrbitMismatch, place: Space, x: FloatArray, y: FloatArray) -> None:
    """Adds a certificate if the floats, read as rationals, have no element for the same reason."""

    def evidence() -> Certificate | None:
        left, right = x, y
        if place.turn is not None:
            left, right = x.astype(np.complex128), y.astype(np.complex128)
        try:
            exact_orbit(place, "d", _to_rationals(left), _to_rationals(right))
        except OrbitMismatch as exact:
            if exact.why == error.why:
                return exact.certificate
            return None
        return None

    error.evidence = evidence
