"""Complex arrays in a trace: what np.fft gives, with the operations that lead back to real numbers.

See `eqvproof.frontends.spectra`. Products, conjugates, sums, multiples and inverse transforms stay complex;
the modulus, the angle, real and imaginary parts are real. All else is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.frontends import spectra
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.lifting import lift, shape_of
from eqvproof.frontends.operators import Arithmetic
from eqvproof.frontends.refusals import guarded, name_of
from eqvproof.frontends.spectra import Spectrum
from eqvproof.frontends.values import make, node_of
from eqvproof.program import Size

#: A power is so many products.
_GREATEST_POWER = 16


class Waves(Arithmetic):
    """A complex array of a trace."""

    __slots__ = ("_context", "_spectrum")
    _context: TraceContext
    _spectrum: Spectrum

    def __init__(self, context: TraceContext, spectrum: Spectrum) -> None:
        object.__setattr__(self, "_context", context)
        object.__setattr__(self, "_spectrum", spectrum)

    def __setattr__(self, name: str, value: object) -> None:
        self._context.refuse(f"setting .{name} of a complex array is not traced")

    def __getattr__(self, name: str) -> Any:
        self._context.refuse(
            f".{name} of a complex array is not traced", hint="take np.abs, .real or .imag first"
        )

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: object) -> Any:
        return apply_ufunc(self._context, ufunc, method, inputs, kwargs)

    def __array_function__(self, function: object, types: object, args: object, kwargs: object) -> Any:
        return self._context.answers.function(self._context, function, args, kwargs)

    def __array__(self, *args: object, **kwargs: object) -> Any:
        self._context.refuse("a complex array is used where the entries are needed")

    def __bool__(self) -> bool:
        self._context.refuse("the truth value of a complex array")

    @property
    def real(self) -> Any:
        """The real part."""
        return make(self._context, spectra.parts(self._context.builder, self._spectrum)[0], array=True)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return make(self._context, spectra.parts(self._context.builder, self._spectrum)[1], array=True)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape."""
        return shape_of(self.real)

    @property
    def ndim(self) -> int:
        """How many axes."""
        return len(self._context.builder.shape(self._spectrum.re))

    def conj(self) -> Any:
        """The complex conjugate."""
        return np.conjugate(self)

    conjugate = conj


def is_waves(value: object) -> bool:
    """Whether it is a complex array of a trace."""
    return type(value) is Waves


def _lifted(context: TraceContext, value: Any) -> Spectrum | None:
    """A complex array, or a complex number as one; None for real ones."""
    if is_waves(value):
        found: Spectrum = value._spectrum
        return found
    if isinstance(value, complex):
        b = context.builder
        return Spectrum(b.const(value.real), b.const(value.imag), ())
    return None


def apply_ufunc(context: TraceContext, ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """A universal function of complex arrays."""
    handler = UFUNCS.get(ufunc)
    if handler is None or method != "__call__" or kwargs:
        context.refuse(
            f"{name_of(ufunc)} of complex arrays is not traced", hint="take np.abs, .real or .imag first"
        )
    return guarded(context, name_of(ufunc), handler, inputs, {})


def _times(context: TraceContext, x: object, y: object) -> Any:
    b, left, right = context.builder, _lifted(context, x), _lifted(context, y)
    if left is not None and right is not None:
        if not left.axes or not right.axes:
            number, other = (left, right) if not left.axes else (right, left)
            if other.axes and b.shape(number.re):
                context.refuse("a transform times a complex array that is none")
            return Waves(context, _scaled(context, other, number))
        return Waves(context, spectra.product(b, left, right))
    waves, factor = (left, y) if left is not None else (right, x)
    if waves is None:
        context.refuse("a product of real arrays as complex ones")
    node = node_of(lift(context, factor))
    rank, shape = len(b.shape(waves.re)), b.shape(node)
    varies = [
        k for k in waves.axes if k - rank + len(shape) >= 0 and shape[k - rank + len(shape)] != Size.of(1)
    ]
    if not varies:
        return Waves(context, spectra.scaled(b, waves, node))
    if tuple(varies) != waves.axes or waves.half is not None:
        context.refuse("a filter along some of the transformed axes, or on rfft")
    wide = b.reshape(node, [*[Size.of(1)] * (rank - len(shape)), *shape])
    filtered = Spectrum(wide, None, ())
    for axis in waves.axes:
        filtered = spectra.backward(b, filtered, axis)
    re, im = spectra.parts(b, filtered)
    return Waves(context, spectra.product(b, waves, Spectrum(re, im, waves.axes)))


def _scaled(context: TraceContext, s: Spectrum, number: Spectrum) -> Spectrum:
    """A transform times a complex number."""
    b, s = context.builder, spectra.plain(context.builder, s)
    re, im = number.re, number.im
    if im is None:
        return spectra.scaled(b, s, re)
    first, second = spectra.scaled(b, s, re), spectra.scaled(b, s, im)
    real = first.re if second.im is None else b.sub(first.re, second.im)
    imag = second.re if first.im is None else b.add([first.im, second.re])
    return Spectrum(real, imag, s.axes, half=s.half)


def _over(context: TraceContext, x: object, y: object) -> Any:
    if _lifted(context, y) is not None:
        context.refuse("a division by complex numbers")
    return _times(context, x, np.true_divide(1, lift(context, y)))


def _power(context: TraceContext, x: object, y: object) -> Any:
    if not isinstance(y, int) or isinstance(y, bool) or not 1 <= y <= _GREATEST_POWER:
        context.refuse(f"a power of a complex array other than 1 to {_GREATEST_POWER}")
    power = x
    for _ in range(y - 1):
        power = _times(context, power, x)
    return power


def _plus(context: TraceContext, x: object, y: object, sign: int = 1) -> Any:
    b, left, right = context.builder, _lifted(context, x), _lifted(context, y)
    if left is None or right is None or left.axes != right.axes or left.half != right.half:
        context.refuse("a sum of a transform and of something else")
    left, right = spectra.plain(b, left), spectra.plain(b, right)
    factor = b.const(sign)
    re = b.add([left.re, b.mul(factor, right.re)])
    ims = [v for v in (left.im, None if right.im is None else b.mul(factor, right.im)) if v is not None]
    im = b.add(ims) if len(ims) == 2 else ims[0] if ims else None
    return Waves(context, Spectrum(re, im, left.axes, half=left.half))


def _conjugate(context: TraceContext, x: Any) -> Any:
    s: Spectrum = x._spectrum
    if not s.axes:
        im = None if s.im is None else context.builder.neg(s.im)
        return Waves(context, Spectrum(s.re, im, ()))
    return Waves(context, Spectrum(s.re, s.im, s.axes, not s.conjugate, s.half))


def _modulus(context: TraceContext, x: Any) -> Any:
    return make(context, spectra.modulus(context.builder, x._spectrum), array=True)


UFUNCS: dict[Any, Callable[..., Any]] = {
    np.multiply: _times, np.true_divide: _over, np.add: _plus,
    np.subtract: lambda c, x, y: _plus(c, x, y, -1),
    np.negative: lambda c, x: _times(c, x, -1.0),
    np.conjugate: _conjugate, np.absolute: _modulus,
    np.square: lambda c, x: _power(c, x, 2), np.power: _power,
}  # fmt: skip


def transform(
    context: TraceContext, a: Any, axes: list[int], *, inverse: bool, half: int | None = None
) -> Any:
    """The transform of an array along axes."""
    b = context.builder
    s = a._spectrum if is_waves(a) else Spectrum(node_of(lift(context, a)), None, ())
    for axis in axes:
        s = spectra.backward(b, s, axis) if inverse else spectra.forward(b, s, axis)
    if half is not None:
        s = Spectrum(s.re, s.im, s.axes, s.conjugate, half)
    return Waves(context, s)


__all__ = ["Waves", "apply_ufunc", "is_waves", "transform"]
