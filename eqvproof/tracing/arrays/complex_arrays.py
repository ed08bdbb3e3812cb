"""Complex arrays in a trace: results of np.fft, and the operations that lead back to real numbers.

See `eqvproof.tracing.arrays.spectra`. Products, conjugates, sums, multiples and inverse transforms
stay complex; the modulus, the angle, real and imaginary parts are real. All else is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn, TypeGuard

import numpy as np

from eqvproof.tracing.arrays import pairs, spectra, transforms
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.lifting import lift, shape_of
from eqvproof.tracing.arrays.pairs import Transform
from eqvproof.tracing.arrays.refusals import guarded, name_of
from eqvproof.tracing.arrays.spectra import Spectrum
from eqvproof.tracing.arrays.values import Array, make, node_of, xp

#: Largest power of a complex array that is written as products.
_GREATEST_POWER = 16


class Waves(Transform):
    """A complex array of a trace, with real and imaginary parts as nodes."""

    __slots__ = ("_context", "_spectrum")
    _context: TraceContext
    _spectrum: Spectrum

    def __init__(self, context: TraceContext, spectrum: Spectrum) -> None:
        object.__setattr__(self, "_context", context)
        object.__setattr__(self, "_spectrum", spectrum)

    def __setattr__(self, name: str, value: object) -> None:
        self._context.refuse(f"setting .{name} of a complex array is not traced")

    def __getattr__(self, name: str) -> object:
        self._context.refuse(
            f".{name} of a complex array is not traced", hint="take np.abs, .real or .imag first"
        )

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object
    ) -> object:
        return self._context.answers.ufunc(self._context, ufunc, method, inputs, kwargs)

    def __array_function__(
        self, function: object, types: object, args: object, kwargs: object
    ) -> object:
        return self._context.answers.function(self._context, function, args, kwargs)

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        self._context.refuse("a complex array is used where the entries are needed")

    def __bool__(self) -> bool:
        self._context.refuse("the truth value of a complex array")

    @property
    def real(self) -> Array:
        """Returns the real part."""
        return make(
            self._context, spectra.parts(self._context.builder, self._spectrum)[0], array=True
        )

    @property
    def imag(self) -> Array:
        """Returns the imaginary part."""
        return make(
            self._context, spectra.parts(self._context.builder, self._spectrum)[1], array=True
        )

    @property
    def shape(self) -> tuple[object, ...]:
        """Returns the shape."""
        return shape_of(self.real)

    @property
    def ndim(self) -> int:
        """Returns the number of axes."""
        return len(self._context.builder.shape(self._spectrum.re))

    def conj(self) -> object:
        """Returns the complex conjugate."""
        return np.conjugate(self)

    conjugate = conj


def untransformed(context: TraceContext, value: object) -> object:
    """Returns a pair of traced arrays as a complex array that no transform has produced."""
    if not pairs.is_pair(value):
        return value
    re, im = (node_of(lift(context, v)) for v in (value.real, value.imag))
    return Waves(context, Spectrum(re, im, ()))


def is_waves(value: object) -> TypeGuard[Waves]:
    """Checks whether a value is a complex array of a trace."""
    return type(value) is Waves


def _spectrum(context: TraceContext, value: object) -> Spectrum:
    """Returns an array, or a number, as a complex array."""
    if is_waves(value):
        return value._spectrum
    b = context.builder
    if isinstance(value, complex):
        return Spectrum(b.const(value.real), b.const(value.imag), ())
    return transforms.of_real(node_of(lift(context, value)))


def apply_ufunc(
    context: TraceContext,
    ufunc: np.ufunc,
    method: str,
    inputs: Sequence[object],
    kwargs: dict[str, object],
) -> object:
    """Applies a universal function to complex arrays."""
    handler = UFUNCS.get(ufunc)
    if handler is None or method != "__call__" or kwargs:
        context.refuse(
            f"{name_of(ufunc)} of complex arrays is not traced",
            hint="take np.abs, .real or .imag first",
        )
    return guarded(context, name_of(ufunc), handler, inputs, {})


def _times(context: TraceContext, x: object, y: object) -> Waves:
    return Waves(
        context, transforms.times(context.builder, _spectrum(context, x), _spectrum(context, y))
    )


def _over(context: TraceContext, x: object, y: object) -> Waves:
    if is_waves(y) or isinstance(y, complex):
        context.refuse("a division by complex numbers")
    return _times(context, x, xp.true_divide(1, lift(context, y)))


def _power(context: TraceContext, x: object, y: object) -> object:
    if not isinstance(y, int) or isinstance(y, bool) or not 1 <= y <= _GREATEST_POWER:
        context.refuse(f"a power of a complex array other than 1 to {_GREATEST_POWER}")
    power = x
    for _ in range(y - 1):
        power = _times(context, power, x)
    return power


def _plus(context: TraceContext, x: object, y: object, sign: int = 1) -> Waves:
    found = transforms.plus(context.builder, _spectrum(context, x), _spectrum(context, y), sign)
    return Waves(context, found)


def _conjugate(context: TraceContext, x: Waves) -> Waves:
    return Waves(context, transforms.conjugate(context.builder, x._spectrum))


def _modulus(context: TraceContext, x: Waves) -> Array | Waves:
    b, s = context.builder, x._spectrum
    if (
        s.half is not None
        and s.axes == (s.half,)
        and b.shape(s.re)[s.half].constant is None
        and s.im is None
    ):
        return Waves(context, spectra.even(b, spectra.modulus(b, replace(s, half=None)), s.half))
    return make(context, spectra.modulus(b, s), array=True)


UFUNCS: dict[object, Callable[..., object]] = {
    np.multiply: _times, np.true_divide: _over, np.add: _plus,
    np.subtract: lambda c, x, y: _plus(c, x, y, -1),
    np.negative: lambda c, x: _times(c, x, -1.0),
    np.conjugate: _conjugate, np.absolute: _modulus,
    np.square: lambda c, x: _power(c, x, 2), np.power: _power,
}  # fmt: skip


def transform(
    context: TraceContext, a: object, axes: list[int], *, inverse: bool, half: bool = False
) -> Waves:
    """Returns the Fourier transform of an array along axes; with `half`, half of the last axis."""
    norm = transforms.WHOLE if inverse else transforms.UNSCALED
    found = transforms.transformed(
        context.builder, _spectrum(context, a), axes, forward=not inverse, norm=norm, half=half
    )
    return Waves(context, found)
