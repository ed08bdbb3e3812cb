"""Witnesses of orbits: an element of a classical group with g X = Y, or an obstruction."""

from __future__ import annotations

from typing import Any

from eqvproof.claims.groups.parse import Under, complex_axes
from eqvproof.invariants.witnesses.input_matrices import require_tolerance
from eqvproof.invariants.witnesses.orbit_exact import OrbitWitness, exact_orbit
from eqvproof.invariants.witnesses.orbit_float import FloatOrbitWitness, float_orbit
from eqvproof.invariants.witnesses.orbit_parts import FloatSides, read_sides
from eqvproof.invariants.witnesses.orbit_space import space_of
from eqvproof.support.short_tracebacks import shortens_tracebacks


@shortens_tracebacks
def orbit_witness(
    X: Any, Y: Any, under: Under, *, tol: float | None = None
) -> OrbitWitness | FloatOrbitWitness:
    """Returns an element g of a classical group with ``g X = Y``, or raises an obstruction.

    Args:
        X: d x n, one column for each vector; integers, Fractions, SymPy rationals (exact), or
            floats. For U and SU complex numbers, likewise.
        Y: d x n.
        under: the group: "O(d)", "Lorentz(d)", "O(1,3; d)", "Sp(d)", "U(d)", "SL(d)", ...
        tol: for floats, the precision of X and Y, relative to the lengths of columns; by default
            that of their type.

    Returns:
        `OrbitWitness`: ``.element``, ``.matrix``, ``.moves``, ``.apply(A)``, ``.certificate``. For
            floats a `FloatOrbitWitness`: ``.matrix``, ``.apply(A)``, ``.certificate``, and rigorous
            bounds: ``.bound`` on |g X - Y|, ``.distance_bound`` on the distance of g from
            the group.

    Exactness: exact for exact input; g X = Y and the membership of g in the group are verified. A
        mismatch of floats is reported only if rounding of X and Y does not explain it.

    Raises:
        OrbitMismatch: two columns have different inner products; or a linear relation between
            columns holds on one side only; or, for groups of determinant 1, every matrix that maps
            X to Y has another determinant.
        GroupError: the group is not classical, or has no form at this size.
        DomainError: NaN, infinities, text; floats whose rounding does not decide it.
        ShapeError: X and Y of different shapes.

    Source: Witt (1937), "Theorie der quadratischen Formen in beliebigen Korpern"; Dieudonne (1971),
        "La geometrie des groupes classiques".

    >>> print(orbit_witness([[4], [0]], [[5], [3]], "Lorentz(d)").matrix)
    [[Fraction(5, 4) Fraction(-3, 4)]
     [Fraction(3, 4) Fraction(-5, 4)]]
    """
    require_tolerance(tol)
    is_complex = bool(complex_axes(under))
    sides = read_sides(X, Y, is_complex=is_complex)
    if isinstance(sides, FloatSides):
        place, _ = space_of(under, sides.x.shape[0] * (1 + is_complex))
        return float_orbit(place, sides.x, sides.y, tol)
    place, axis = space_of(under, sides[0].nrows())
    return exact_orbit(place, axis, *sides)
