"""SciPy's filters along an axis, as weighted sums of neighbours; see `definitions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eqvproof.tracing.arrays.functions.definitions import defines, handlers
from eqvproof.tracing.arrays.values import Array, Numbers, xp

IMAGES = "scipy.ndimage"


#: The weights of a filter along an axis.
Kernel = Sequence[float] | Numbers


def _correlated(x: Array, weights: Kernel, axis: int, mode: str, cval: float, before: int) -> Array:
    """Returns weighted sums of neighbours along an axis, continued at its ends as `mode` says."""
    rows, after = xp.moveaxis(x, axis, -1), len(weights) - 1 - before
    if mode in ("reflect", "grid-mirror"):
        ends = rows[..., :before][..., ::-1], rows, rows[..., rows.shape[-1] - after :][..., ::-1]
        wide = xp.concatenate(
            [end for end, n in zip(ends, (before, 1, after), strict=True) if n], axis=-1
        )
    else:
        how = {"wrap": "wrap", "grid-wrap": "wrap", "nearest": "edge", "constant": "constant"}[mode]
        more = {"constant_values": cval} if how == "constant" else {}
        wide = xp.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(before, after)], mode=how, **more)
    terms = [float(w) * wide[..., k : k + rows.shape[-1]] for k, w in enumerate(weights)]
    return xp.moveaxis(sum(terms[1:], terms[0]), -1, axis)


@defines(IMAGES, "correlate1d")
def _correlate(
    x: Array, weights: Kernel, axis: int = -1, *, mode: str = "reflect", cval: float = 0.0
) -> Array:
    return _correlated(x, weights, axis, mode, cval, len(weights) // 2)


@defines(IMAGES, "convolve1d")
def _convolve(
    x: Array, weights: Kernel, axis: int = -1, *, mode: str = "reflect", cval: float = 0.0
) -> Array:
    return _correlated(x, weights[::-1], axis, mode, cval, (len(weights) - 1) // 2)


@defines(IMAGES, "uniform_filter1d")
def _uniform(
    x: Array, size: int, axis: int = -1, *, mode: str = "reflect", cval: float = 0.0
) -> Array:
    return xp.true_divide(_correlate(x, [1.0] * size, axis, mode=mode, cval=cval), size)


@defines(IMAGES, "gaussian_filter1d")
def _gaussian(
    x: Array,
    sigma: float,
    axis: int = -1,
    *,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
) -> Array:
    radius = int(truncate * float(sigma) + 0.5)
    weights = np.exp(-0.5 / sigma**2 * np.arange(-radius, radius + 1) ** 2)
    return _correlate(x, weights / weights.sum(), axis, mode=mode, cval=cval)


def _each_axis(x: Array, given: object, filtered: Callable[[Array, Any, int], Array]) -> Array:
    """Applies a filter along each axis, with its own width for each axis, or one for all."""
    if isinstance(given, (list, tuple, np.ndarray)):
        widths = list(given)
    else:
        widths = [given] * x.ndim
    for axis, width in enumerate(widths):
        x = filtered(x, width, axis)
    return x


@defines(IMAGES, "gaussian_filter")
def _gaussians(
    x: Array,
    sigma: object,
    order: int = 0,
    output: None = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
) -> Array:
    if order or output is not None:
        raise TypeError("with derivatives, or an array to write into")

    def along(x: Array, width: float, axis: int) -> Array:
        if width <= 1e-15:
            return x
        return _gaussian(x, width, axis, mode=mode, cval=cval, truncate=truncate)

    return _each_axis(x, sigma, along)


@defines(IMAGES, "uniform_filter")
def _uniforms(
    x: Array, size: object = 3, output: None = None, mode: str = "reflect", cval: float = 0.0
) -> Array:
    if output is not None:
        raise TypeError("with an array to write into")
    return _each_axis(
        x, size, lambda x, n, axis: _uniform(x, n, axis, mode=mode, cval=cval) if n > 1 else x
    )


def _slope(x: Array, axis: int, beside: list[float], mode: str, cval: float) -> Array:
    """Returns differences of neighbours along an axis, and weighted sums along the others."""
    axis %= x.ndim
    for other in range(x.ndim):
        x = _correlate(
            x, [-1.0, 0.0, 1.0] if other == axis else beside, other, mode=mode, cval=cval
        )
    return x


@defines(IMAGES, "sobel")
def _sobel(
    x: Array, axis: int = -1, output: None = None, mode: str = "reflect", cval: float = 0.0
) -> Array:
    return _slope(x, axis, [1.0, 2.0, 1.0], mode, cval)


@defines(IMAGES, "prewitt")
def _prewitt(
    x: Array, axis: int = -1, output: None = None, mode: str = "reflect", cval: float = 0.0
) -> Array:
    return _slope(x, axis, [1.0, 1.0, 1.0], mode, cval)


@defines(IMAGES, "laplace")
def _laplace(x: Array, output: None = None, mode: str = "reflect", cval: float = 0.0) -> Array:
    terms = [_correlate(x, [1.0, -2.0, 1.0], axis, mode=mode, cval=cval) for axis in range(x.ndim)]
    return sum(terms[1:], terms[0])


__all__ = ["handlers"]
