"""Decodes rounded power sums: finds discs that contain the points, in ball arithmetic.

Let p* be the true power sums of t_k = <c, x_k> and p the given ones, |p*_i - p_i| <= eps_i, and let
f* and f be the polynomials with these power sums of roots. For any different z_1, ..., z_n the
roots of f* lie in the discs

    |z - z_k| <= n |f*(z_k)| / prod_{l != k} |z_k - z_l|

and a union of m of them that meets no other disc contains m roots (Gershgorin: f* is the
characteristic polynomial of diag(z) - w 1^T, where w_k is the quotient of f*(z_k) by the product).
Since d e_k / d p_i = (-1)^(i-1) e_(k-i) / i,

    |f*(z)| <= |f(z)| + sum_i (eps_i / i) |h_(n-i)(z)|,     h_j(z) = sum_{m <= j} (-1)^m e_m z^(j-m)

with some e_m between those of f and of f*. This bound avoids the cancellation of evaluating a
polynomial with interval coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np
from flint import acb, acb_poly, arb, ctx, fmpq

from eqvproof.deepsets.power_exact import alternating_signs, elementary_symmetric, powers_of_form
from eqvproof.deepsets.power_inputs import Points, no_points_error
from eqvproof.support.errors import DomainError

Exponent = tuple[int, ...]
Balls = Mapping[Exponent, tuple[fmpq, fmpq]]

#: number of linear forms tried for points of three or more coordinates
FORMS = 6
#: the hint if no points have these rounded power sums
_HINT = "state the error of the sums with error="


def decode_floats(sums: Balls, count: int, d: int, tolerance: float) -> Points:
    """Finds points of R^d whose power sums lie in the given balls, with bounds on their errors.

    Raises:
        DomainError: the bound exceeds the tolerance, or no real points have such sums.
    """
    if count == 0:
        return Points(np.empty((0, d)), np.zeros(0), 0, exact=False)
    table = {(0,) * d: (fmpq(count), fmpq(0)), **sums}
    best: Points | None = None
    with ctx.workprec(128 + 24 * count):
        for form in _forms(d):
            found = _decode_by_form(table, count, d, form)
            if found is not None and (best is None or not found.bound >= best.bound):
                best = found
            if best is not None and best.bound <= _limit(best, tolerance) / 1000:
                break
        if best is not None:
            _require_sums(table, best)
    if best is None or not best.bound <= _limit(best, tolerance):
        raise _precision_error(best, count, tolerance)
    order = np.lexsort(best.points.T[::-1])
    return Points(best.points[order], best.bounds[order], best.told_apart, exact=False)


def _limit(found: Points, tolerance: float) -> float:
    return tolerance * max(1.0, float(np.abs(found.points).max()))


def _precision_error(best: Points | None, count: int, tolerance: float) -> DomainError:
    bound, told_apart = "no finite bound", 1
    if best is not None and np.isfinite(best.bound):
        bound, told_apart = f"a bound of {best.bound:.2g}", best.told_apart
    return DomainError(
        "the rounded power sums do not determine the points to the tolerance",
        given=f"{bound}, which tells apart {told_apart} of {count} points",
        expected=f"a bound of at most {tolerance:g} times the largest coordinate",
        hint="give the points as Fractions, or fewer of them; subtract the mean first; for "
        "many points in float64, use Sketch",
        code="domain.precision",
    )


def _forms(d: int) -> Iterator[tuple[acb, ...]]:
    """Yields linear forms: x for d = 1, x + iy for d = 2, else random complex ones."""
    if d == 1:
        yield (acb(1),)
    elif d == 2:
        yield (acb(1), acb(0, 1))
    else:
        draw = Random(0)
        for _ in range(FORMS):
            yield tuple(acb(draw.randint(-99, 99), draw.randint(-99, 99)) / 64 for _ in range(d))


def _ball(middle: acb, radius: arb) -> acb:
    return acb(
        arb(middle.real.mid(), radius + middle.real.rad()),
        arb(middle.imag.mid(), radius + middle.imag.rad()),
    )


def _combine(
    table: Balls, coefficients: Mapping[Exponent, acb], shift: Exponent | None = None
) -> tuple[acb, arb]:
    """Computes a linear combination of the sums at their midpoints, and its error bound."""
    middle, radius = acb(0), arb(0)
    for a, c in coefficients.items():
        if shift is not None:
            a = tuple(x + y for x, y in zip(a, shift, strict=True))
        m, r = table[a]
        middle += c * arb(m)
        radius += arb(c.abs_upper()) * arb(r)
    return middle, radius.upper()


def _decode_by_form(table: Balls, count: int, d: int, form: tuple[acb, ...]) -> Points | None:
    """Finds the points by one linear form; returns None if a bound is not finite."""
    powers = powers_of_form(form, count)
    along = [_combine(table, powers[i]) for i in range(1, count + 1)]
    e_middle = elementary_symmetric([m for m, _ in along], acb(1))
    e_box = elementary_symmetric([_ball(m, r) for m, r in along], acb(1))
    polynomial = acb_poly(alternating_signs(e_middle)[::-1])
    centres = _find_centres(polynomial, count)
    errors = [r / i for i, (_, r) in enumerate(along, start=1)]
    radii = []
    for k, z in enumerate(centres):
        slack, h = arb(0), acb(1)
        for j in range(count):  # h = h_j(z), for the error of p_(count - j)
            slack += errors[count - j - 1] * arb(h.abs_upper())
            if j % 2:
                h = h * z + e_box[j + 1]
            else:
                h = h * z - e_box[j + 1]
        spread = arb(1)
        for other in centres[:k] + centres[k + 1 :]:
            spread *= arb((z - other).abs_lower())
        radius = (count * (arb(polynomial(z).abs_upper()) + slack) / spread).upper()
        if not radius.is_finite():
            return None
        radii.append(radius)
    groups = _connected_discs(centres, radii)
    if d <= 2:
        return _planar_points(centres, radii, groups, d)
    if len(groups) < count:
        return None
    e_true = [_ball(m, _slack_of(k, errors, e_box)) for k, m in enumerate(e_middle)]
    return _points_by_coordinates(
        table, powers, e_true, [_ball(z, r) for z, r in zip(centres, radii, strict=True)], d
    )


def _slack_of(k: int, errors: list[arb], e_box: list[acb]) -> arb:
    """Bounds the distance of e_k from its value at the midpoints."""
    return sum(
        (errors[i - 1] * arb(e_box[k - i].abs_upper()) for i in range(1, k + 1)), arb(0)
    ).upper()


def _find_centres(polynomial: acb_poly, count: int) -> list[acb]:
    """Returns different numbers near the roots; the nearer they are, the smaller the discs."""
    exact = acb_poly([c.mid() for c in polynomial.coeffs()])
    step = acb(2) ** -50
    for attempt in range(8):
        try:
            roots = exact.roots(tol=arb(2) ** -90)
        except ValueError:  # a multiple root: perturb the polynomial
            size = max((float(abs(c).mid()) for c in exact.coeffs()), default=1.0)
            exact = exact + acb_poly([step * size * 4**attempt, step * 4**attempt])
            continue
        if len(roots) == count:
            return [z.mid() for z in roots]
    return [acb(k) for k in range(count)]


def _connected_discs(centres: list[acb], radii: list[arb]) -> list[list[int]]:
    """Groups discs by connected unions; discs count as touching unless they are disjoint."""
    left, groups = set(range(len(centres))), []
    while left:
        group, border = [], [min(left)]
        left.discard(border[0])
        while border:
            k = border.pop()
            group.append(k)
            near = [
                m
                for m in left
                if not arb((centres[k] - centres[m]).abs_lower()) > radii[k] + radii[m]
            ]
            left.difference_update(near)
            border.extend(near)
        groups.append(group)
    return groups


def _planar_points(centres: list[acb], radii: list[arb], groups: list[list[int]], d: int) -> Points:
    """Returns points of one or two coordinates: the real and imaginary parts of the roots."""
    middles, bounds = np.zeros((len(centres), d)), np.zeros(len(centres))
    for group in groups:
        if d == 1 and all(arb(centres[k].imag).abs_lower() > radii[k] for k in group):
            raise no_points_error(f"a root near {centres[group[0]].str(6, radius=False)}", _HINT)
        for k in group:
            far = [arb((centres[k] - centres[m]).abs_upper()) + radii[m] for m in group]
            middles[k] = [float(centres[k].real), float(centres[k].imag)][:d]
            rounding = sum(abs(arb(x) - float(x)) for x in (centres[k].real, centres[k].imag))
            bounds[k] = max(_round_up(distance + rounding) for distance in far)
    return Points(middles, bounds, len(groups), exact=False)


def _points_by_coordinates(
    table: Balls, powers: list[dict[Exponent, acb]], e: list[acb], roots: list[acb], d: int
) -> Points | None:
    """Computes x_kj = g_j(t_k) / chi'(t_k) in balls; the roots must be simple."""
    count = len(roots)
    signed = alternating_signs(e)
    slope = acb_poly(signed[::-1]).derivative()
    middles, bounds = np.zeros((count, d)), np.zeros(count)
    for j in range(d):
        shift = tuple(int(i == j) for i in range(d))
        mixed = [_ball(*_combine(table, powers[i], shift)) for i in range(count)]
        falling = [
            sum((signed[m] * mixed[i - m] for m in range(i + 1)), acb(0)) for i in range(count)
        ]
        top = acb_poly(falling[::-1])
        for k, t in enumerate(roots):
            value = (top(t) / slope(t)).real
            if not value.is_finite():
                return None
            middles[k, j] = float(value.mid())
            bounds[k] = max(bounds[k], _round_up(abs(value - float(value.mid()))))
    return Points(middles, bounds, count, exact=False)


def _round_up(value: Any) -> float:
    """Rounds a ball up to a float that is not smaller."""
    return float(np.nextafter(float(arb(value).upper()), np.inf))


def _require_sums(table: Balls, found: Points) -> None:
    """Checks that points within the enclosures can have these sums.

    Raises:
        DomainError: a sum is not possible.
    """
    if not np.isfinite(found.bound):
        return
    rows = [
        [arb(float(x), float(r)) for x in row]
        for row, r in zip(found.points, found.bounds, strict=True)
    ]
    for a, (middle, radius) in table.items():
        total = arb(0)
        for row in rows:
            term = arb(1)
            for x, exponent in zip(row, a, strict=True):
                if exponent:
                    term *= x**exponent
            total += term
        given = arb(middle) + arb(0, 1) * arb(radius)
        if not total.overlaps(given):
            seen = (
                f"the sum for exponent {a}: {float(arb(middle))!r}; of the points: {total.str(17)}"
            )
            raise no_points_error(seen, _HINT)
