"""Error bounds of functions of rows with known derivatives: softmax and normalised rows.

Bounds found step by step count an error several times, as part of a mean, a sum or a largest entry,
where its effects cancel. Let x be the real row, x' the computed one, f the function over the reals
and f' the computed one:

    |f'(x') - f(x)| <= |f'(x') - f(x')| + |f(x') - f(x)|

The first part is the rounding of the steps, with their argument taken as real (`AS_REAL`). For the
second let ``e = x' - x`` with ``|e| <= E``; all z between x and x' are within R of v, at which
float64 evaluates. Since f(x') - f(x) is a mean of J_z e over such z, with J_z the derivative,

    |f(x') - f(x) - J e| <= max |J_z e - J e|,     J = diag(a) - sum_r u_r v_r^T  at v

softmax: with s = f(v), ``J = diag(s) - s s^T``, ``|f(z) - s| <= g s`` for ``g = exp(2 max R) - 1``,
so that

    |J_z e - J e|_i <= s_i g (E_i + (2 + g) s.E),     and  |f(x') - f(x)| <= 1,  |f'(x') - f(x)| <= 1.5

since all terms of the sum are nonnegative, and the largest is exp(0), up to their roundings.

normalised: ``y = c / t``, c centred, ``t^2 = |c|^2 / n + eps``, and ``J = (1 - 1 1^T / n - y y^T /
n) / t``. t changes by at most ``h = |R| / sqrt(n)``, being a norm, so that it is at least ``l = t -
h``, and y by at most ``D = (R + mean R + |y| h) / l``. Hence, and since no entry of y exceeds
sqrt(n),

    |J_z e - J e|_i <= (h |J| E + (|y_i| D.E + D_i |y|.E + D_i D.E) / n) / l,  |f(x') - f(x)| <= 2 sqrt(n)

For large R the bound of the roundings step by step is poor, since a sum or a variance may be near 0
at one point, and its error large at another. For all rows within R the rounding of the steps is
also at most `bound_of_steps`, with u the unit of all steps and L the relative error of a function
of the library:

softmax: with D_i = max x - x_i, whose error is at most u D_i, the error of exp(-D_i) is at most ``L
exp(-D_i) + u D_i exp(-D_i)``, where ``D exp(-D) <= 0.37``; their sum, which is at least 1, has the
relative error ``n u + L + 0.37 n u``. With the roundings of both quotients, one by a library
(`by_library`), and the least number lost n + 4 times,

    |f'(x') - f(x')| <= 1.1 (3 L + (2 n + 8) u + (n + 4) least)

normalised: let q^2 be the mean of squares, v the variance, and w^2 = v + eps. The error of the mean
is ``e <= (n + 16) u q``, that of the mean of squared deviations ``(n + 40) u v + e^2 + (3 n + 40) u
sqrt(v) q + (6 n + 40)^2 u^2 q^2`` for steps and updates (`updates`); w^2 has in addition the
rounding of eps. Since ``sqrt(v) / w^2 <= 1 / w`` and ``|y| <= sqrt(n)``, with the units of the root
and the quotient, and with ``(x - mean) scale`` computed from x scale and mean scale by at most 7
roundings of ``(|x_i| + |mean|) / w``,

    r = (2 n + 80) u + (3 n + 40) u q / w + (8 n + 60)^2 u^2 q^2 / w^2 + 8 ulps u,
    |f'(x') - f(x')| <= 2 (r sqrt(n) + c / w)    for r <= 1/4,  c = (n + 32) u q + 8 u (max |x| + q) + 8 least

Otherwise let ``K = 18 n + 160``. If ``sqrt(v) >= K u q``, the computed w^2 is at least w^2 / 4.1; if
not, it is at least eps times 1 - u, and ``|x - mean|`` is at most ``sqrt(n) K u q``. In both cases

    |f'(x') - f(x')| <= 3.2 sqrt(n) + 2.4 (sqrt(n) K u q + c) / sqrt(eps)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eqvproof.programs.evaluate.library_functions import SOFTMAX
from eqvproof.rounding.enclosed import Array
from eqvproof.rounding.formats import Format

#: Factors for the roundings of float64, and the largest number of entries of the matrices of all
#: rows; larger matrices are bounded part by part.
OUTWARDS, LOST, DENSE = 1 + 2.0**-30, 2.0**-40, 2**22


@dataclass(frozen=True, slots=True)
class Rows:
    """A function of rows around v.

    Attributes:
        value: f(v), of the shape (..., n) of v.
        diagonal, pairs: J, as in the module docstring.
        scale: t, of shape (..., 1); None for softmax.
        row, eps: v, and the number that is added to the variance.
    """

    value: Array
    diagonal: Array
    pairs: tuple[tuple[Array, Array], ...]
    scale: Array | None
    row: Array
    eps: float = 0.0

    def times(self, e: Array) -> Array:
        """Returns J e, for e of shape (..., *v.shape)."""
        found = self.diagonal * e
        for u, v in self.pairs:
            found = found - u * np.sum(v * e, axis=-1, keepdims=True)
        return np.asarray(found)

    def in_float32(self) -> Rows:
        """Returns the same function with its derivative in float32."""
        pairs = tuple((u.astype(np.float32), v.astype(np.float32)) for u, v in self.pairs)
        return replace(self, diagonal=self.diagonal.astype(np.float32), pairs=pairs)

    def bound(self, E: Array) -> Array:
        """Bounds |J| E."""
        parts = [np.abs(u) * np.sum(np.abs(v) * E, axis=-1, keepdims=True) for u, v in self.pairs]
        whole = np.abs(self.diagonal) * E + sum(parts)
        n = E.shape[-1]
        if E.size * n > DENSE:
            return np.asarray(whole * OUTWARDS)
        matrix = self.diagonal[..., None] * np.eye(n)
        for u, v in self.pairs:
            matrix = matrix - u[..., :, None] * v[..., None, :]
        dense = np.sum(np.abs(matrix) * E[..., None, :], axis=-1)
        return np.asarray(np.minimum(whole, dense + LOST * whole) * OUTWARDS)

    def deviation(self, f: Array) -> Sequence[Array]:
        """Returns the deviations of the parts of J e, given those of e (see `probable`)."""
        n = f.shape[-1]
        alone = [np.abs(self.diagonal) * f]
        for u, v in self.pairs:
            alone.append(np.sqrt(n * np.sum((v * f) ** 2, axis=-1, keepdims=True)) * np.abs(u))
        return alone

    def bound_of_steps(self, form: Format, R: Array) -> Array:
        """Bounds |f'(x') - f(x')| for the steps of f' and all x' within R; inf if unknown."""
        n, u, least = R.shape[-1], form.step, form.least * max(form.ulps, 2)
        if self.scale is None:
            found = 1.1 * (3 * form.library_error() + (2 * n + 8) * u + (n + 4) * least)
            return np.where(
                np.all(np.isfinite(R), axis=-1, keepdims=True) & (found < 0.1), found, np.inf
            )
        size = (np.abs(self.row) + R) * OUTWARDS
        q = np.sqrt(np.mean(size * size, axis=-1, keepdims=True)) * OUTWARDS
        h = np.sqrt(np.mean(R * R, axis=-1, keepdims=True)) * OUTWARDS
        w = np.maximum(self.scale / OUTWARDS - h, np.sqrt(self.eps) / OUTWARDS)
        r = (
            (2 * n + 80 + 8 * form.ulps) * u
            + (3 * n + 40) * u * q / w
            + ((8 * n + 60) * u * q / w) ** 2
        )
        top = np.max(size, axis=-1, keepdims=True) + q
        off = (n + 32) * u * q + 8 * u * top + 8 * least
        near = 2 * (r * n**0.5 + off / w)
        far = 3.2 * n**0.5 + 2.4 * (n**0.5 * (18 * n + 160) * u * q + off) / np.sqrt(self.eps)
        known = (4 * n * q * q < form.greatest) & (n * u < 0.01) & (w * w > least / u)
        return np.where(known, np.where(r <= 0.25, near, far), np.inf)

    def rest(self, E: Array, R: Array) -> Array:
        """Bounds |f(x') - f(x) - J e|."""
        size = np.abs(self.value)
        if self.scale is None:
            g = np.expm1(2 * np.max(R, axis=-1, keepdims=True))
            met = np.sum(size * E, axis=-1, keepdims=True)
            return np.asarray(size * g * (E + (2 + g) * met) * OUTWARDS)
        n = E.shape[-1]
        h = np.sqrt(np.sum(R * R, axis=-1, keepdims=True) / n) * OUTWARDS
        least = self.scale / OUTWARDS - h
        least = np.where(least > 0, least, 0.0)
        D = (R + np.mean(R, axis=-1, keepdims=True) + size * h) / least
        met, both = (np.sum(a * E, axis=-1, keepdims=True) for a in (D, size))
        return np.asarray(
            (h * self.bound(E) + (size * met + D * both + D * met) / n) / least * OUTWARDS
        )

    def bound_of_change(self, E: Array, R: Array, least: float) -> Array:
        """Bounds |f(x') - f(x)|, including the loss of floats near 0."""
        top = 1.0
        if self.scale is not None:
            top = 2 * E.shape[-1] ** 0.5
        found = self.bound(E) + self.rest(E, R)
        return np.where(np.isnan(found), top, np.minimum(found, top)) + np.where(E > 0, least, 0.0)


def rows_of(what: str, v: Array, eps: float = 0.0) -> Rows:
    """Returns a function of rows around v, with its derivative."""
    n = v.shape[-1]
    if what == SOFTMAX:
        s = np.exp(v - np.max(v, axis=-1, keepdims=True))
        s = s / np.sum(s, axis=-1, keepdims=True)
        return Rows(s, s, ((s, s),), None, v)
    c = v - np.mean(v, axis=-1, keepdims=True)
    t = np.sqrt(np.mean(c * c, axis=-1, keepdims=True) + eps)
    y, ones = c / t, np.ones_like(c)
    return Rows(y, ones / t, ((ones / (n * t), ones), (y / (n * t), y)), t, v, eps)
