"""Elements of classical groups for floats: g X = Y to rounding, with bounds on both errors.

Let tau be the precision of the data: `tol`, or `SLACK` (d + 8) units of their type. g is accepted
if ``|g x - y| <= tau (|g| |x| + |y|)`` for every column: then g maps vectors within tau of x
(relative to the length) to vectors within tau of y. A mismatch holds for all vectors within tau of
X and Y; a mismatch of relations names the norm of g from which on rounding may explain it. In all
other cases an error says that rounding does not decide it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import sqrt
from typing import Any

import numpy as np
from flint import acb, acb_mat, arb

from eqvproof.invariants.witnesses.certificate import Certificate, rational_text, tensor
from eqvproof.invariants.witnesses.input_matrices import FloatArray, Floats
from eqvproof.invariants.witnesses.orbit_parts import apply_element
from eqvproof.invariants.witnesses.orbit_refusal import form_of, refusal_error
from eqvproof.invariants.witnesses.orbit_solve import (
    form_preserving_element,
    linear_element,
    orthogonal_element,
    real_matrix,
    with_determinant_one,
)
from eqvproof.invariants.witnesses.orbit_space import Space
from eqvproof.invariants.witnesses.orthogonal_float import SLACK, UNIT, column_scales
from eqvproof.numbers.scalar import precision
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import DomainError

#: A matrix counts as singular if its condition number exceeds this multiple of the inverse
#: precision of the data.
SINGULAR = 10.0


@dataclass(frozen=True, eq=False)
class FloatOrbitWitness:
    """A float matrix g with g X = Y to rounding, near an element of a classical group.

    Attributes:
        family: the name of the group.
        matrix: g; for complex groups a real matrix that acts on all real parts followed by all
            imaginary parts.
        x: X, real parts above imaginary parts.
        y: Y, likewise.
        form: the B of ``g^T B g = B``; None for GL and SL.
        is_complex: whether the group is one of complex matrices.
        is_special: whether its elements have determinant 1 and those of the larger group do not.
    """

    family: str
    matrix: FloatArray
    x: FloatArray
    y: FloatArray
    form: FloatArray | None
    is_complex: bool
    is_special: bool

    is_exact = False

    @cached_property
    def bound(self) -> float:
        """Bounds |g X - Y|_F rigorously."""
        d, n = self.x.shape
        scale = column_scales(np.concatenate([np.abs(self.x), np.abs(self.y)]))
        top = float(scale.max(initial=0.0)) or 1.0
        a, c = self.x / scale, self.y / scale
        gap = np.abs(self.matrix @ a - c)
        rounding = _gamma(d + 4) * (np.abs(self.matrix) @ np.abs(a) + np.abs(c))
        lengths = np.linalg.norm(gap + rounding, axis=0) * (scale / top)
        return float(top * _round_up(float(np.linalg.norm(lengths))) + d * n * 1e-300)

    @cached_property
    def form_bound(self) -> float:
        """A rigorous bound on |g^T B g - B|_F; 0 for GL and SL."""
        if self.form is None:
            return 0.0
        g, size = self.matrix, np.abs(self.matrix)
        gap = np.abs(g.T @ (self.form @ g) - self.form)
        rounding = _gamma(len(g) + 4) * (size.T @ np.abs(self.form) @ size + 1)
        return _round_up(float(np.linalg.norm(gap + rounding)))

    @cached_property
    def determinant_bound(self) -> float:
        """A rigorous bound on |det g - 1| for groups of determinant 1; 0 for others."""
        if not self.is_special:
            return 0.0
        re, im = _enclose_determinant(self.matrix, is_complex=self.is_complex)
        return _round_up(float(abs(re - 1).upper()) + float(abs(im).upper())) + 1e-300

    @cached_property
    def distance_bound(self) -> float:
        """A rigorous bound on |g - h|_F for some element h of the group, in real numbers.

        Let ``I + D = B^-1 g^T B g``, with ``|D| <= 1/2``. Then ``h = g (I + D)^(-1/2)`` preserves
        B, and by the series of the root ``|g - h| <= |g| (|D| / 2) / (1 - |D|)``. Its determinant
        has the sign (the phase) of det g; for SU h is divided by a phase, for SL by the root of the
        determinant. The bound is infinite if this does not apply.
        """
        size = _round_up(float(np.linalg.norm(self.matrix)))
        off = self.determinant_bound
        if self.form is None:
            d = max(len(self.matrix), 1)
            if not off:
                return 0.0
            if off <= 0.5:
                return _round_up(size * 2 * off / d)
            return float("inf")
        defect = self.form_bound
        if defect > 0.5 or off > 0.5:
            return float("inf")
        phase = 2 * off * sqrt(len(self.matrix)) if self.is_complex else 0.0
        return _round_up(size * (defect / 2) / (1 - defect) + phase)

    def apply(self, array: Any) -> FloatArray:
        """Computes g A for A with one row for each coordinate.

        For complex groups, rows are real or complex coordinates.
        """
        return apply_element(self.matrix, array, is_complex=self.is_complex)

    @property
    def certificate(self) -> Certificate:
        """The certificate with X, Y, g as exact rationals and the bounds, for the kernel."""
        bounds = {
            "residual": self.bound,
            "defect": self.form_bound,
            "determinant": self.determinant_bound,
        }
        rows = [[rational_text(v) for v in row] for row in self.matrix.tolist()]
        sides = {"X": tensor(self.x), "Y": tensor(self.y)}
        rounding = {name: rational_text(value) for name, value in bounds.items()}
        return seal("orbit-witness", family=self.family, **sides, matrix=rows, rounding=rounding)

    def __repr__(self) -> str:
        d, n = self.x.shape
        return (
            f"<orbit witness: {d} x {d}, |g X - Y| <= {self.bound:.2g} for {n} columns, "
            f"within {self.distance_bound:.2g} of {self.family}>"
        )


def float_orbit(place: Space, x: Floats, y: Floats, tol: float | None) -> FloatOrbitWitness:
    """Computes the witness for float matrices, complex for complex groups; see `orbit_witness`.

    Raises:
        OrbitMismatch: no element maps X to Y, and rounding does not explain it.
        DomainError: rounding does not decide it.
    """
    d = x.shape[0]
    if tol is None:
        tolerance = SLACK * (d + 8) * max(x.epsilon, y.epsilon)
    else:
        tolerance = float(tol)
    scale = column_scales(np.concatenate([np.abs(x.values), np.abs(y.values)]))
    a, c = x.values / scale, y.values / scale
    form, indefinite = form_of(place), None
    if form is not None and place.turn is None and (form != np.eye(d)).any():
        indefinite = form
    accepted = partial(_is_accepted, a=a, c=c, tolerance=tolerance)
    before = _find_element(indefinite, a, c, tolerance, orthogonal_=form is not None)
    g = before
    if place.is_oriented:
        g = with_determinant_one(indefinite, a, g, tolerance)
    found = None
    if accepted(g):
        found = _witness(place, g, x.values, y.values, form)
    if found is not None and np.isfinite(found.distance_bound):
        return found
    larger = None
    if accepted(before):
        larger = before
    error = refusal_error(place, x.values, y.values, scale, tolerance, larger)
    if error is not None:
        raise error
    raise DomainError(
        f"rounding does not decide whether an element of {place.family.letter} maps X to Y",
        given="floats that are within their precision of vectors in one orbit, and of vectors in"
        " different orbits",
        expected="data that decide it, or exact numbers",
        hint="give integers or Fractions, or pass tol= if the data is less precise than its type",
        code="domain.precision",
    )


def _is_accepted(g: FloatArray, a: FloatArray, c: FloatArray, tolerance: float) -> bool:
    """Checks whether g is safely invertible and maps a to c within the tolerance.

    Precisely: g maps some vectors within the tolerance of a to vectors within the tolerance of c.
    """
    if not np.isfinite(g).all():
        return False
    stretch = np.linalg.svd(g, compute_uv=False) if g.size else np.ones(1)
    lengths = [np.linalg.norm(m, axis=0) for m in (g @ a - c, a, c)]
    near = np.all(lengths[0] <= tolerance * (stretch[0] * lengths[1] + lengths[2]))
    return bool(near and stretch[0] * tolerance < SINGULAR * stretch[-1])


def _find_element(
    form: FloatArray | None, a: FloatArray, c: FloatArray, tolerance: float, *, orthogonal_: bool
) -> FloatArray:
    """Computes an element of the group, or of the larger group without determinant condition."""
    if not a.shape[0] or not a.shape[1]:
        return np.eye(a.shape[0], dtype=a.dtype)
    if form is not None:
        return form_preserving_element(form, a, c, tolerance)
    if orthogonal_:
        return orthogonal_element(a, c, tolerance)
    return linear_element(a, c, tolerance)


def _witness(
    place: Space, g: FloatArray, x: FloatArray, y: FloatArray, form: FloatArray | None
) -> FloatOrbitWitness | None:
    """Builds the witness of a matrix; None if it may be singular.

    The bounds of the witness show whether its determinant is that of the group.
    """
    is_complex = place.turn is not None
    if is_complex:
        g, x, y = real_matrix(g), *(np.concatenate([m.real, m.imag]) for m in (x, y))
    g = np.ascontiguousarray(g.real, dtype=np.float64)
    found = FloatOrbitWitness(place.family.letter, g, x, y, form, is_complex, place.is_oriented)
    if form is None and _enclose_determinant(g, is_complex=False)[0].contains(0):
        return None
    return found


def _enclose_determinant(g: FloatArray, *, is_complex: bool) -> tuple[arb, arb]:
    """Encloses the determinant of a float matrix, as real and imaginary part.

    With ``is_complex``, the matrix is the real form of a complex one, whose determinant is
    enclosed.
    """
    if is_complex:
        size = len(g) // 2
        pairs = zip(g[:size, :size].ravel().tolist(), g[size:, :size].ravel().tolist(), strict=True)
        entries = [acb(re, im) for re, im in pairs]
    else:
        size = len(g)
        entries = [acb(v) for v in g.ravel().tolist()]
    with precision(256 + 16 * size):
        value = acb_mat(size, size, entries).det()
    return value.real, value.imag


def _gamma(terms: int) -> float:
    """Bounds the relative rounding of a sum of ``terms`` products, with a factor 2 to spare."""
    return 2 * terms * UNIT / (1.0 - 2 * terms * UNIT)


def _round_up(value: float) -> float:
    """Rounds a value up, to cover the rounding of a norm of up to 10^8 entries."""
    return value * (1.0 + 1e-7)
