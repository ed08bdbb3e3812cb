"""Fourier transforms in torch and JAX: what their primitives do to a `Spectrum`.

Complex tensors are no nodes; operations that are not named here refuse them. See
`eqvproof.frontends.spectra`.
"""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.errors import TraceError
from eqvproof.frontends import spectra
from eqvproof.frontends.spectra import Spectrum
from eqvproof.program import Builder, Size

#: Powers of the number of entries by which a transform is divided: not at all, by the root, by the number.
UNSCALED, ROOT, WHOLE = 0, 1, 2


def of_real(x: int) -> Spectrum:
    """A real array as a complex one."""
    return Spectrum(x, None, ())


def transformed(
    b: Builder, s: Spectrum, axes: Sequence[int], *, forward: bool, norm: int = UNSCALED, half: bool = False
) -> Spectrum:
    """The transform along axes, forward (exp(-2 pi i j k / n)) or back, of the last one the half if asked.

    Args:
        b: the nodes.
        s: what is transformed.
        axes: from 0 up, the last one that of which the half is kept.
        forward: the sign in the exponent.
        norm: what it is divided by.
        half: whether only the frequencies up to n/2 of the last axis are kept.
    """
    if s.half is not None:
        raise TraceError("a transform of the frequencies up to n/2")
    for axis in axes:
        s = spectra.forward(b, s, axis) if forward else spectra.backward(b, s, axis)
    size = Size.of(1)
    for axis in axes:
        size = size * b.shape(s.re)[axis]
    power = norm - (UNSCALED if forward else WHOLE)  # of the root of the size, to divide by
    if power:
        root = b.map("sqrt", [b.size(size)])
        factor = b.power(root, abs(power))
        s = spectra.scaled(b, s, b.map("recip", [factor]) if power > 0 else factor)
    return Spectrum(s.re, s.im, s.axes, s.conjugate, axes[-1]) if half else s


def real_again(b: Builder, s: Spectrum, axes: Sequence[int], length: Size) -> int:
    """The real array of which the frequencies up to n/2 of the last axis are given (irfft).

    Raises:
        TraceError: the frequencies are not those of a real array of this length.
    """
    last = axes[-1]
    if s.half != last or s.im is not None or length != b.shape(s.re)[last]:
        raise TraceError(
            "an inverse transform to real numbers of something else than a transform of real numbers",
            hint="give the length of the array: n=x.shape[-1]",
        )
    found = Spectrum(s.re, None, s.axes, s.conjugate)
    for axis in axes:
        found = spectra.backward(b, found, axis)
    if found.axes or found.im is not None:
        raise TraceError("an inverse transform to real numbers along some of the axes")
    return found.re


def times(b: Builder, s: Spectrum, t: Spectrum) -> Spectrum:
    """The product of transforms along the same axes, or of one with numbers that do not vary along them."""
    if s.axes and t.axes:
        return spectra.product(b, s, t)
    waves, factor = (s, t) if s.axes else (t, s)
    rank, shape = len(b.shape(waves.re)), b.shape(factor.re)
    varies = any(
        k - rank + len(shape) >= 0 and shape[k - rank + len(shape)] != Size.of(1) for k in waves.axes
    )
    if factor.im is not None or varies or len(shape) > rank:
        raise TraceError("a transform times an array that varies along the frequencies")
    return spectra.scaled(b, waves, factor.re)


def plus(b: Builder, s: Spectrum, t: Spectrum, sign: int = 1) -> Spectrum:
    """The sum or difference of two transforms along the same axes."""
    if s.axes != t.axes or s.half != t.half:
        raise TraceError("a sum of a transform and of something else")
    left, right = spectra.plain(b, s), spectra.plain(b, t)
    factor = b.const(sign)
    parts = [v for v in (left.im, None if right.im is None else b.mul(factor, right.im)) if v is not None]
    im = b.add(parts) if len(parts) == 2 else parts[0] if parts else None
    return Spectrum(b.add([left.re, b.mul(factor, right.re)]), im, left.axes, half=left.half)


def conjugate(b: Builder, s: Spectrum) -> Spectrum:
    """The complex conjugate."""
    if not s.axes:
        return Spectrum(s.re, None if s.im is None else b.neg(s.im), ())
    return Spectrum(s.re, s.im, s.axes, not s.conjugate, s.half)
