"""Computes the power sums p_a = sum_k x_k^a, |a| <= n, of n points of R^d, and decodes the points.

They determine the points: by Newton's identities they determine the n numbers <c, x_k> for every
linear form <c, x>, and a form that separates the points gives the points.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
from flint import fmpq

from eqvproof.deepsets.arguments import Array, require_integer
from eqvproof.deepsets.power_inputs import Points, read_points, read_sums
from eqvproof.support.errors import DomainError, ShapeError
from eqvproof.support.short_tracebacks import shortens_tracebacks_of_methods

#: largest number of features
MOST_FEATURES = 1_000_000


@cache
def exponents_up_to(degree: int, d: int) -> tuple[tuple[int, ...], ...]:
    """Returns all a in N^d with |a| <= degree.

    They are sorted by degree, then lexicographically from (k, 0, ..., 0) down.
    """

    def of_degree(total: int, places: int) -> Iterator[tuple[int, ...]]:
        if places == 1:
            yield (total,)
            return
        for first in range(total, -1, -1):
            for rest in of_degree(total - first, places - 1):
                yield (first, *rest)

    return tuple(a for total in range(degree + 1) for a in of_degree(total, d))


@shortens_tracebacks_of_methods
class PowerSums:
    """The power sums sum_k x_k^a of n points of R^d, 1 <= |a| <= n: injective on multisets.

    Args:
        n: the number of points.
        d: the dimension of the points.
        at_most: admit any number of points up to n; the number of points (a = 0) is another feature
            then.

    Attributes:
        exponents: the a, one for each feature, in the order of the features.

    Exactness: rational input (integers, Fractions, SymPy or python-flint rationals) is encoded and
    decoded exactly. Floats are summed exactly and rounded once, so that each feature is within half
    a unit in its last place; decoding states a bound on the points that follows from that, and
    raises an error if it is too large.

    Raises:
        DomainError: n is below 0, or d is below 1.

    Source: Weyl 1939, ch. II A.3 (polarised power sums generate the multisymmetric polynomials).

    >>> sums = PowerSums(3, 1)
    >>> [str(p) for p in sums.encode([2, 1, 1])]
    ['4', '6', '10']
    >>> [str(x) for x, in sums.decode(sums.encode([2, 1, 1]))]
    ['1', '1', '2']
    """

    __slots__ = ("at_most", "d", "exponents", "n")

    def __init__(self, n: int, d: int = 1, *, at_most: bool = False) -> None:
        self.n = require_integer("n", n, 0)
        self.d = require_integer("d", d, 1)
        self.at_most = bool(at_most)
        if self.latent_dimension > MOST_FEATURES:
            raise DomainError(
                "too many power sums to write out",
                given=f"{n} points of R^{d}: {self.latent_dimension} features",
                expected=f"at most {MOST_FEATURES}",
                hint="Sketch holds many points in space that depends on their count only",
            )
        exponents = exponents_up_to(self.n, self.d)
        if not at_most:
            exponents = exponents[1:]
        self.exponents: tuple[tuple[int, ...], ...] = exponents

    def __repr__(self) -> str:
        if self.at_most:
            return f"PowerSums({self.n}, {self.d}, at_most=True)"
        return f"PowerSums({self.n}, {self.d})"

    @property
    def degree(self) -> int:
        """n, the highest degree; n - 1 would not be enough (see `collision`)."""
        return self.n

    @property
    def latent_dimension(self) -> int:
        """The number of features: binomial(n + d, d) - 1, and one more for the number of points."""
        monomials = comb(self.n + self.d, self.d)
        if self.at_most:
            return monomials
        return monomials - 1

    @property
    def lower_bound(self) -> int:
        """n d: no continuous embedding of n points of R^d has fewer features.

        Near n different points it would be a continuous injection of an open set of R^(nd), which
        is impossible into fewer dimensions (invariance of domain). For d = 1 the bound is n, which
        the power sums reach. Some continuous invariant functions of n numbers, such as the maximum,
        are not even a continuous rho(sum phi) with fewer than n features.

        Source: Wagstaff et al. 2019 (for d = 1, rho(sum phi)).
        """
        return self.n * self.d

    @property
    def dimensions(self) -> str:
        """Degree, number of features and the lower bound, as a sentence."""
        return (
            f"degree {self.degree}, latent dimension {self.latent_dimension}; "
            f"no continuous embedding has fewer than {self.lower_bound}"
        )

    def phi(self, x: Any) -> Array:
        """Computes the features of one point (d,)."""
        row = np.asarray(x, dtype=object).reshape(1, self.d)
        if any(isinstance(v, float | np.floating) for v in row.flat):
            row = row.astype(np.float64)
        features = PowerSums(max(1, self.n), self.d, at_most=True).encode(row)
        if not self.at_most:
            features = features[1:]
        return features[: self.latent_dimension]

    def encode(self, points: Any) -> Array:
        """Computes the features of a multiset, in the order of `exponents`.

        Args:
            points: shape (n, d); for d = 1 also (n,).

        Returns:
            Shape (latent_dimension,): Fractions for exact points; for floats float64, correctly
                rounded.

        Raises:
            ShapeError: the rows are ragged, or the number of points or coordinates is another.
            DomainError: a number is complex, irrational, NaN or infinite, or a sum is beyond
                float64.
        """
        rows, exact = read_points(points, self.d)
        self._require_count(len(rows))
        sums = self._sums(rows)
        if exact:
            result = np.empty(len(sums), dtype=object)
            result[:] = [Fraction(int(s.p), int(s.q)) for s in sums]
            return result
        try:
            return np.array([int(s.p) / int(s.q) for s in sums], dtype=np.float64)
        except OverflowError as error:
            raise DomainError(
                "a power sum is beyond float64",
                given=f"points up to {max(abs(float(x)) for row in rows for x in row):.3g}",
                expected=f"points whose power of degree {self.n} is a float64",
                hint="scale the points, or give them as Fractions",
                code="domain.overflow",
            ) from error

    def decode(self, sums: Any, *, error: Any = None, tolerance: float = 1e-6) -> Points:
        """Finds the multiset of points with given power sums.

        Args:
            sums: shape (latent_dimension,), as returned by `encode`. Exact numbers are decoded
                exactly.
            error: for float sums: the largest distance of each sum from the true one (a number, or
                one for each). The default is half a unit in the last place, as after `encode`; 0
                says that the sums are exact.
            tolerance: for float sums: the largest bound that is accepted, relative to the largest
                coordinate (or to 1, if all are smaller).

        Raises:
            ShapeError: the number of features is another.
            DomainError: no real points have these sums; or the bound of float sums is too large
                (code "domain.precision": the message states the bound, and how many points it tells
                apart).
        """
        if (
            isinstance(tolerance, bool)
            or not isinstance(tolerance, int | float)
            or not tolerance > 0
        ):
            raise DomainError(
                "tolerance is not a positive number",
                given=repr(tolerance),
                expected="a float above 0",
                hint="omit tolerance=",
            )
        middle, radius = read_sums(sums, error, self.latent_dimension)
        count, table = self.n, list(zip(self.exponents, middle, radius, strict=True))
        if self.at_most:
            count, table = self._count(middle[0]), table[1:]
        if not any(radius):
            from eqvproof.deepsets.power_exact import decode_exactly

            return decode_exactly({a: m for a, m, _ in table}, count, self.d)
        from eqvproof.deepsets.power_floats import decode_floats

        return decode_floats(
            {a: (m, r) for a, m, r in table if sum(a) <= count}, count, self.d, tolerance
        )

    def collision(self, degree: int | None = None) -> tuple[Array, Array]:
        """Returns two different multisets of n points with equal power sums up to a degree below n.

        Args:
            degree: the default is n - 1.

        Raises:
            DomainError: the degree is below 0, or n or more (then there is no such pair).
        """
        from eqvproof.deepsets.collisions import equal_power_sums

        if degree is None:
            degree = self.n - 1
        else:
            degree = require_integer("degree", degree, 0)
        return equal_power_sums(self.n, self.d, degree)

    def _sums(self, rows: list[list[fmpq]]) -> list[fmpq]:
        """Sums the monomials over the rows."""
        if not rows:
            return [fmpq(0)] * self.latent_dimension
        totals = [fmpq(0)] * self.latent_dimension
        for row in rows:
            powers = [[fmpq(1)] for _ in row]
            for x, found in zip(row, powers, strict=True):
                for _ in range(self.n):
                    found.append(found[-1] * x)
            for i, a in enumerate(self.exponents):
                term = powers[0][a[0]]
                for j in range(1, self.d):
                    if a[j]:
                        term *= powers[j][a[j]]
                totals[i] += term
        return totals

    def _require_count(self, count: int) -> None:
        if self.at_most:
            if count <= self.n:
                return
            expected, hint = f"at most {self.n}", f"PowerSums({count}, {self.d}, at_most=True)"
        else:
            if count == self.n:
                return
            expected = f"{self.n}"
            hint = f"PowerSums({count}, {self.d})"
            if count < self.n:
                hint = f"PowerSums({self.n}, {self.d}, at_most=True) takes fewer"
        raise ShapeError(
            "the number of points is wrong", given=f"{count} points", expected=expected, hint=hint
        )

    def _count(self, count: fmpq) -> int:
        if count.q != 1 or not 0 <= count <= self.n:
            raise DomainError(
                "the first feature is not a number of points",
                given=str(count),
                expected=f"0 to {self.n}",
                hint="pass the array that encode returned",
            )
        return int(count.p)
