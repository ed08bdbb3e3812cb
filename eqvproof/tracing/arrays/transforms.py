"""Operations of NumPy and torch on a `Spectrum`.

Complex arrays are no nodes; operations that are not defined here are refused. See
`eqvproof.tracing.arrays.spectra`.
"""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import ShapeError
from eqvproof.tracing.arrays import spectra
from eqvproof.tracing.arrays.spectra import Spectrum

#: Powers of the square root of the number of entries by which a transform is divided: none, the
#: root, the number.
UNSCALED, ROOT, WHOLE = 0, 1, 2


def transformed(
    b: Builder,
    s: Spectrum,
    axes: Sequence[int],
    *,
    forward: bool,
    norm: int | None = None,
    half: bool = False,
) -> Spectrum:
    """Returns the transform along axes, forward (exp(-2 pi i j k / n)) or inverse.

    Args:
        b: the nodes.
        s: what is transformed.
        axes: from 0 up; with `half`, the last one holds half of the frequencies.
        forward: the sign in the exponent.
        norm: the divisor: UNSCALED, ROOT or WHOLE; None for WHOLE in an inverse, else UNSCALED.
        half: whether only the frequencies up to n/2 of the last axis are kept.
    """
    if s.half in axes or (half and s.half is not None):
        raise _refusal("a transform of the frequencies up to n/2")
    for axis in axes:
        if forward:
            s = spectra.forward(b, s, axis)
        else:
            s = spectra.backward(b, s, axis)
    size = Size.of(1)
    for axis in axes:
        size = size * b.shape(s.re)[axis]
    usual = UNSCALED if forward else WHOLE
    power = 0 if norm is None else norm - usual  # of the root of the size that divides
    if power:
        root = b.map("sqrt", [b.size(size)])
        factor = b.power(root, abs(power))
        s = spectra.scaled(b, s, b.map("recip", [factor]) if power > 0 else factor)
    if half:
        return Spectrum(s.re, s.im, s.axes, s.conjugate, axes[-1])
    return s


def real_again(b: Builder, s: Spectrum, axes: Sequence[int], length: Size) -> int:
    """Returns the real array with these frequencies up to n/2 along the last axis (irfft).

    Raises:
        ShapeError: the frequencies are not those of a real array of this length.
    """
    last = axes[-1]
    if s.half != last or s.im is not None or length != b.shape(s.re)[last]:
        raise _refusal(
            "an inverse transform to real numbers of something else than a transform of real"
            " numbers",
            hint="give the length of the array: n=x.shape[-1]",
        )
    found = Spectrum(s.re, None, s.axes, s.conjugate)
    for axis in axes:
        found = spectra.backward(b, found, axis)
    if found.axes or found.im is not None:
        raise _refusal("an inverse transform to real numbers along some of the axes")
    return found.re


def times(b: Builder, s: Spectrum, t: Spectrum) -> Spectrum:
    """Returns the product of transforms along the same axes, or of one with other numbers.

    Real numbers that vary along all of its axes are a filter: the transform of their inverse
    transform.
    """
    if bool(s.axes) == bool(t.axes):
        return spectra.product(b, s, t)
    waves, factor = (s, t) if s.axes else (t, s)
    rank, shape = len(b.shape(waves.re)), b.shape(factor.re)
    if waves.axes and (len(shape) > rank or (shape and factor.im is not None)):
        raise _refusal("a transform times complex numbers, or more of them, that are no transform")
    if factor.im is not None:
        waves = spectra.plain(b, waves)
        first, second = (spectra.scaled(b, waves, part) for part in (factor.re, factor.im))
        if second.im is None:
            real = first.re
        else:
            real = b.sub(first.re, second.im)
        if first.im is None:
            imag = second.re
        else:
            imag = b.add([first.im, second.re])
        return Spectrum(real, imag, waves.axes, half=waves.half)
    varies = [
        k
        for k in waves.axes
        if k - rank + len(shape) >= 0 and shape[k - rank + len(shape)] != Size.of(1)
    ]
    if not varies:
        return spectra.scaled(b, waves, factor.re)
    if tuple(varies) != waves.axes:
        raise _refusal("a filter along some of the transformed axes")
    wide = b.reshape(factor.re, [*[Size.of(1)] * (rank - len(shape)), *shape])
    if waves.half is not None:
        if len(waves.axes) > 1:  # numbers at -k would be those at k along all axes
            raise _refusal("a filter on the frequencies up to n/2, along several axes")
        wide = _mirrored(b, wide, waves.half, b.shape(waves.re)[waves.half])
    filtered = Spectrum(wide, None, ())
    for axis in waves.axes:
        filtered = spectra.backward(b, filtered, axis)
    re, im = spectra.parts(b, filtered)
    is_even = waves.half is not None  # numbers equal at k and n - k are the transform of real ones
    kernel = Spectrum(re, None if is_even else im, waves.axes, half=waves.half)
    return spectra.product(b, waves, kernel)


def _mirrored(b: Builder, x: int, axis: int, size: Size) -> int:
    """Returns numbers at all frequencies k of an axis, from those up to n/2: that of n - k at k.

    Raises:
        ShapeError: the size of the axis is no number.
    """
    count = size.constant
    if count is None or b.shape(x)[axis].constant != count // 2 + 1:
        raise _refusal("a filter on the frequencies up to n/2, of an array of any size")
    rest = b.flip(b.slice(x, axis, 1, (count - 1) // 2), axis)
    return b.concat([x, rest], axis)


def plus(b: Builder, s: Spectrum, t: Spectrum, sign: int = 1) -> Spectrum:
    """Returns the sum or difference of two transforms along the same axes."""
    if s.axes != t.axes or s.half != t.half:
        raise _refusal("a sum of a transform and of something else")
    left, right = spectra.plain(b, s), spectra.plain(b, t)
    factor = b.const(sign)
    parts = [
        v for v in (left.im, None if right.im is None else b.mul(factor, right.im)) if v is not None
    ]
    if len(parts) == 2:
        im = b.add(parts)
    elif parts:
        im = parts[0]
    else:
        im = None
    return Spectrum(b.add([left.re, b.mul(factor, right.re)]), im, left.axes, half=left.half)


def conjugate(s: Spectrum) -> Spectrum:
    """Returns the complex conjugate of a transform."""
    return Spectrum(s.re, s.im, s.axes, not s.conjugate, s.half)


def _refusal(message: str, hint: str = "take the modulus, or the real part, before") -> ShapeError:
    return ShapeError(
        message, given="arrays of complex numbers", expected="transforms of real arrays", hint=hint
    )
