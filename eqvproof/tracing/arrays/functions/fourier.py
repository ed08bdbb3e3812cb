"""Fourier transforms of NumPy and SciPy: fft, ifft, rfft, irfft, those along several axes, hilbert."""

from __future__ import annotations

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays import spectra, transforms
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
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.pairs import Pair
from eqvproof.tracing.arrays.sizes import plain
from eqvproof.tracing.arrays.values import Array, ComplexArray, node_of

FUNCTIONS: Table = {}


def _rank(context: TraceContext, a: object) -> int:
    return len(context.builder.shape(spectrum_of(context, a).re))


def _of_length(context: TraceContext, a: object, n: object, axis: int) -> object:
    """Returns an array with zeros added along an axis, or entries cut, to a length of n."""
    b = context.builder
    size = b.shape(spectrum_of(context, a).re)[axis]
    length = size if n is None else as_sizes(context, n)[0]
    if length == size:
        return a
    node = node_of(lift(context, a))
    shape = b.shape(node)
    if (length - size).is_at_least(0):
        added = [length - size if k == axis else s for k, s in enumerate(shape)]
        longer = b.concat([node, b.broadcast_to(b.const(0), added)], axis)
        return make(context, longer, array=True)
    if not (size - length).is_at_least(0):
        context.refuse(f"a transform of length {length} along an axis of length {size}")
    cut = [slice(None)] * axis + [slice(None, plain(context, length))]
    return make(context, node, array=True)[tuple(cut)]


def _one(*, inverse: bool = False, half: bool = False) -> Handler:
    def handler(
        context: TraceContext, a: object, n: object = None, axis: object = -1
    ) -> ComplexArray:
        (place,) = as_axes(context, axis, _rank(context, a))
        whole = _of_length(context, a, n, place)
        return transform(context, whole, [place], forward=not inverse, half=half)

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


def hilbert(context: TraceContext, x: object, N: object = None, axis: object = -1) -> Pair:
    """Returns the analytic signal of a real array, ``x + i H x``.

    SciPy doubles the transform at the frequencies between 0 and n/2 and removes those above n/2:
    the inverse of these weights is ``delta[j] + i q[j]``, with q[j] = 2/n times the sum over these
    frequencies m of sin(2 pi j m / n). So H x is the circular convolution of x with q.
    """
    b, node = context.builder, node_of(lift(context, x))
    (place,) = as_axes(context, axis, len(b.shape(node)))
    node = node_of(lift(context, _of_length(context, x, N, place)))
    size = b.shape(node)[place]
    count, at = b.size(size), b.iota(size)
    inside = b.mul(b.map("gt", [at, b.const(0)]), b.map("lt", [b.mul(b.const(2), at), count]))
    sines = b.einsum([spectra.waves(b, size, "sin"), inside], [[0, 1], [1]], [0])
    kernel = b.div(b.mul(b.const(2), sines), count)
    labels = list(range(len(b.shape(node))))
    moved = b.circulant(kernel, size, -1)
    output = [len(labels) if k == place else k for k in labels]
    found = b.einsum([moved, node], [[len(labels), place], labels], output)
    return Pair(make(context, node, array=True), make(context, found, array=True))


#: Module of SciPy -> the transforms in it, by their names.
OF_SCIPY: dict[str, dict[str, Handler]] = {
    "scipy.fft": {
        name: FUNCTIONS[getattr(np.fft, name)]
        for name in "fft rfft ifft irfft fft2 ifft2 fftn ifftn".split()
    },
    "scipy.fftpack": {
        name: FUNCTIONS[getattr(np.fft, name)] for name in "fft ifft fft2 ifft2 fftn ifftn".split()
    },
    "scipy.signal": {"hilbert": hilbert},
}
