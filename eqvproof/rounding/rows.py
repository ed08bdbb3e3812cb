"""Error bounds of functions of rows with known derivatives: softmax and normalised rows.

Step by step an error meets itself again, in a mean, a sum or a largest entry, and bounds add what
cancels. Let x be the real row, x' the computed one, f the function over the reals and f' the
computed one:

    |f'(x') - f(x)| <= |f'(x') - f(x')| + |f(x') - f(x)|

The first is what the steps round, the row that they are given taken as real (`AS_REAL`). For the
second let ``e = x' - x`` with ``|e| <= E``; all z between x and x' are within R of v, at which
float64 evaluates. As f(x') - f(x) is a mean of J_z e over such z, with J_z the derivative,

    |f(x') - f(x) - J e| <= max |J_z e - J e|,     J = diag(a) - sum_r u_r v_r^T  at v

softmax: with s = f(v), ``J = diag(s) - s s^T``, ``|f(z) - s| <= g s`` for ``g = exp(2 max R) - 1``,
so that

    |J_z e - J e|_i <= s_i g (E_i + (2 + g) s.E),     and  |f(x') - f(x)| <= 1,  |f'(x') - f(x)| <= 1.5

as all terms of the sum are 0 or above, and the largest is exp(0), up to their roundings.

normalised: ``y = c / t``, c centred, ``t^2 = |c|^2 / n + eps``, and ``J = (1 - 1 1^T / n - y y^T /
n) / t``. t moves by at most ``h = |R| / sqrt(n)``, as norms do, so that it is at least ``l = t -
h``, and y by at most ``D = (R + mean R + |y| h) / l``. Hence, and as no entry of y is above
sqrt(n),

    |J_z e - J e|_i <= (h |J| E + (|y_i| D.E + D_i |y|.E + D_i D.E) / n) / l,  |f(x') - f(x)| <= 2 sqrt(n)

What the steps round, step by step, is bounded badly where R is large, as then a sum or a variance
may be near 0 at one point, and its error large at another. For all rows within R it is also at most
`own_most`, u being the unit of all steps and L what a function of a library may be off:

softmax: with D_i = max x - x_i, whose error is at most u D_i, exp(-D_i) is off by ``L exp(-D_i) + u
D_i exp(-D_i)``, where ``D exp(-D) <= 0.37``; the sum of these, from 1 on, by ``n u + L + 0.37 n u``
of itself. With both quotients' roundings, the one of a library (`by_library`), and the least number
lost n + 4 times

    |f'(x') - f(x')| <= 1.1 (3 L + (2 n + 8) u + (n + 4) least)

normalised: let q^2 be the mean of squares, v the variance, and w^2 = v + eps. The mean is off by
``e <= (n + 16) u q``, the squares of what deviates from it by ``(n + 40) u v + e^2 + (3 n + 40) u
sqrt(v) q + (6 n + 40)^2 u^2 q^2``, steps and updates together (`updates`), and w^2 in addition by
the rounding of eps. As ``sqrt(v) / w^2 <= 1 / w``, and ``|y| <= sqrt(n)``, with the root's and the
quotient's units, and ``(x - mean) scale`` made in parts of x scale and mean scale, 7 roundings of
``(|x_i| + |mean|) / w`` at most,

    r = (2 n + 80) u + (3 n + 40) u q / w + (8 n + 60)^2 u^2 q^2 / w^2 + 8 ulps u,
    |f'(x') - f(x')| <= 2 (r sqrt(n) + c / w)    for r <= 1/4,  c = (n + 32) u q + 8 u (max |x| + q) + 8 least

Else let ``K = 18 n + 160``. Where ``sqrt(v) >= K u q`` the computed w^2 is w^2 / 4.1 at least, and
elsewhere eps times 1 - u, while no ``|x - mean|`` is above ``sqrt(n) K u q``, so that in both cases

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
#: rows: above it their parts are bounded one by one.
OUTWARDS, LOST, DENSE = 1 + 2.0**-30, 2.0**-40, 2**22


@dataclass(frozen=True, slots=True)
class Rows:
    """A function of rows around v.

    Attributes:
        value: f(v), of the shape (..., n) of v.
        diagonal, pairs: J, as in the module docstring.
        scale: t, of shape (..., 1); None for softmax.
        row, eps: v, and what is added to the variance.
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

    def short(self) -> Rows:
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
        """Returns deviations of the parts of J e, each as `probable` keeps them, for those of e."""
        n = f.shape[-1]
        alone = [np.abs(self.diagonal) * f]
        for u, v in self.pairs:
            alone.append(np.sqrt(n * np.sum((v * f) ** 2, axis=-1, keepdims=True)) * np.abs(u))
        return alone

    def own_most(self, form: Format, R: Array) -> Array:
        """Bounds |f'(x') - f(x')| for the steps of f' and all x' within R.

        It is inf where that is not known.
        """
        n, u, least = R.shape[-1], form.step, form.least * max(form.ulps, 2)
        if self.scale is None:
            found = 1.1 * (3 * form.library() + (2 * n + 8) * u + (n + 4) * least)
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

    def most(self, E: Array, R: Array, least: float) -> Array:
        """Bounds |f(x') - f(x)|, including the loss of floats near 0."""
        top = 1.0
        if self.scale is not None:
            top = 2 * E.shape[-1] ** 0.5
        found = self.bound(E) + self.rest(E, R)
        return np.where(np.isnan(found), top, np.minimum(found, top)) + np.where(E > 0, least, 0.0)


def rows_of(what: str, v: Array, eps: float = 0.0) -> Rows:
    """Returns the function of rows around v."""
    n = v.shape[-1]
    if what == SOFTMAX:
        s = np.exp(v - np.max(v, axis=-1, keepdims=True))
        s = s / np.sum(s, axis=-1, keepdims=True)
        return Rows(s, s, ((s, s),), None, v)
    c = v - np.mean(v, axis=-1, keepdims=True)
    t = np.sqrt(np.mean(c * c, axis=-1, keepdims=True) + eps)
    y, ones = c / t, np.ones_like(c)
    return Rows(y, ones / t, ((ones / (n * t), ones), (y / (n * t), y)), t, v, eps)
