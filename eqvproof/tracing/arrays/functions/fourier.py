"""Fourier transforms of NumPy: fft, ifft, rfft, irfft, and those along several axes."""

from __future__ import annotations

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays import transforms
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.fourier_transforms import spectrum_of, transform
from eqvproof.tracing.arrays.functions.registry import (
    Handler,
    Table,
    as_axes,
    as_sizes,
    handles,
    make,
)
from eqvproof.tracing.arrays.values import Array, ComplexArray

FUNCTIONS: Table = {}


def _rank(context: TraceContext, a: object) -> int:
    return len(context.builder.shape(spectrum_of(context, a).re))


def _require_whole(context: TraceContext, a: object, n: object, axis: int) -> None:
    """Refuses a transform of another length than that of the axis."""
    if n is None:
        return
    shape = context.builder.shape(spectrum_of(context, a).re)
    if as_sizes(context, n)[0] != shape[axis]:
        context.refuse(
            "a transform of another length than the axis has (zeros are added, or entries cut)"
        )


def _one(*, inverse: bool = False, half: bool = False) -> Handler:
    def handler(
        context: TraceContext, a: object, n: object = None, axis: object = -1
    ) -> ComplexArray:
        (place,) = as_axes(context, axis, _rank(context, a))
        _require_whole(context, a, n, place)
        return transform(context, a, [place], forward=not inverse, half=half)

    return handler


def _several(default: tuple[int, ...] | None, *, inverse: bool) -> Handler:
    def handler(context: TraceContext, a: object, axes: object = default) -> ComplexArray:
        places = as_axes(context, axes, _rank(context, a))
        return transform(context, a, places, forward=not inverse)

    return handler


FUNCTIONS[np.fft.fft] = _one()
FUNCTIONS[np.fft.rfft] = _one(half=True)
FUNCTIONS[np.fft.ifft] = _one(inverse=True)
FUNCTIONS[np.fft.fft2] = _several((-2, -1), inverse=False)
FUNCTIONS[np.fft.ifft2] = _several((-2, -1), inverse=True)
FUNCTIONS[np.fft.fftn] = _several(None, inverse=False)
FUNCTIONS[np.fft.ifftn] = _several(None, inverse=True)


@handles(FUNCTIONS, np.fft.irfft)
def irfft(context: TraceContext, a: Array, n: object = None, axis: object = -1) -> Array:
    """Returns the real array with these frequencies up to n/2."""
    b = context.builder
    (place,) = as_axes(context, axis, _rank(context, a))
    s = spectrum_of(context, a)
    if s.half != place or s.im is not None:
        context.refuse("np.fft.irfft of something else than transforms by rfft of real arrays")
    size = b.shape(s.re)[place]
    if n is None and size.constant:
        length = Size.of(2 * (size.constant // 2))
    else:
        length = None
    length = as_sizes(context, n)[0] if n is not None else length
    if length != size:
        context.refuse(
            "np.fft.irfft of a length that is not that of the array before rfft",
            hint="give n=X.shape[axis]",
        )
    return make(context, transforms.real_again(b, s, [place], size), array=True)
