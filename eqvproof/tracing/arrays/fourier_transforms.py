"""Fourier transforms in a trace: results of np.fft, and operations that lead back to real numbers.

See `eqvproof.tracing.arrays.spectra`. Products, conjugates, sums and multiples stay transforms; the
modulus, the angle, real and imaginary parts are real. All else is refused. A complex array that is
transformed along no axis, such as the inverse of a transform, is a `Pair` of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn, TypeGuard

import numpy as np

from eqvproof.tracing.arrays import spectra, transforms
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.lifting import lift, shape_of
from eqvproof.tracing.arrays.operators import Arithmetic
from eqvproof.tracing.arrays.pairs import Pair, is_pair
from eqvproof.tracing.arrays.refusals import guarded, name_of
from eqvproof.tracing.arrays.spectra import Spectrum
from eqvproof.tracing.arrays.values import Array, ComplexArray, is_complex, make, node_of, xp

#: Largest power of a complex array that is written as products.
_GREATEST_POWER = 16


class FourierTransform(Arithmetic, ComplexArray):
    """A Fourier transform along one axis or several; `from_spectrum` builds it."""

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

    def __getitem__(self, index: object) -> object:
        """Returns frequencies, as a pair of real and imaginary parts."""
        picked = Pair(self.real, self.imag)[index]
        return Frequencies(picked, self, index)

    def __setitem__(self, index: object, value: object) -> None:
        """Writes frequencies.

        To set some to 0, or to multiply them by numbers, is to multiply the transform; after
        another write it is stored as its real and imaginary parts.
        """
        factor = value
        if type(value) is Frequencies:
            factor = value.factor_at(self, index)
        if type(factor) in (int, float) and (factor == 0 or factor is not value):
            b = self._context.builder
            shape = b.shape(node_of(self.real))
            weights = make(self._context, b.broadcast_to(b.const(1), shape), "f", array=True)
            weights[index] = factor
            self._store(_times(self._context, self, weights)._spectrum)
            return
        pair = Pair(self.real, self.imag)
        pair[index] = value
        self._store(Spectrum(node_of(pair.real), node_of(pair.imag), ()))

    def _store(self, spectrum: Spectrum) -> None:
        object.__setattr__(self, "_spectrum", spectrum)

    def conj(self) -> object:
        """Returns the complex conjugate."""
        return np.conjugate(self)

    conjugate = conj


class Frequencies(Pair):
    """Frequencies of a transform at an index, times a number since they were read."""

    __slots__ = ("_factor", "_index", "_origin", "_spectrum")
    _factor: float
    _index: object
    _origin: FourierTransform
    _spectrum: Spectrum

    def __init__(
        self, pair: Pair, origin: FourierTransform, index: object, factor: float = 1
    ) -> None:
        super().__init__(pair.real, pair.imag, is_own=True)
        object.__setattr__(self, "_factor", factor)
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_origin", origin)
        object.__setattr__(self, "_spectrum", origin._spectrum)

    def factor_at(self, transform: FourierTransform, index: object) -> object:
        """Returns the number by which a transform's frequencies at an index were multiplied.

        Returns this array if it holds others.
        """
        is_same = index is self._index or (type(index) is slice and index == self._index)
        if is_same and self._origin is transform and self._spectrum is transform._spectrum:
            return self._factor
        return self

    def __imul__(self, other: object) -> Pair:  # type: ignore[misc]
        product: Pair = self * other
        if type(other) is int or type(other) is float:
            return Frequencies(product, self._origin, self._index, self._factor * other)
        return product


def from_spectrum(context: TraceContext, s: Spectrum) -> Pair | FourierTransform:
    """Returns a spectrum as a transform, or as a pair if no axis is transformed."""
    if s.axes:
        return FourierTransform(context, s)
    parts = spectra.parts(context.builder, s)
    return Pair(*(make(context, part, array=True) for part in parts))


def _is_complex_number(value: object) -> TypeGuard[complex]:
    return issubclass(type(value), complex)


def spectrum_of(context: TraceContext, value: object) -> Spectrum:
    """Returns the spectrum of a transform, or of a number or array along no axis."""
    if type(value) is FourierTransform:
        return value._spectrum
    b = context.builder
    if _is_complex_number(value):
        return Spectrum(b.const(value.real), b.const(value.imag), ())
    if not is_pair(value):
        return Spectrum(node_of(lift(context, value)), None, ())
    re, im = (node_of(lift(context, part)) for part in (value.real, value.imag))
    return Spectrum(re, None if b.scalar_value(im) == 0 else im, ())


def apply_ufunc(
    context: TraceContext,
    ufunc: np.ufunc,
    method: str,
    inputs: Sequence[object],
    kwargs: dict[str, object],
) -> object:
    """Applies a universal function to transforms."""
    handler = UFUNCS.get(ufunc)
    if handler is None or method != "__call__" or kwargs:
        context.refuse(
            f"{name_of(ufunc)} of complex arrays is not traced",
            hint="take np.abs, .real or .imag first",
        )
    return guarded(context, name_of(ufunc), handler, inputs, {})


def _times(context: TraceContext, x: object, y: object) -> FourierTransform:
    return FourierTransform(
        context, transforms.times(context.builder, spectrum_of(context, x), spectrum_of(context, y))
    )


def _over(context: TraceContext, x: object, y: object) -> FourierTransform:
    if is_complex(y) or _is_complex_number(y):
        context.refuse("a division by complex numbers")
    return _times(context, x, xp.true_divide(1, lift(context, y)))


def _power(context: TraceContext, x: object, y: object) -> object:
    if type(y) is not int or not 1 <= y <= _GREATEST_POWER:
        context.refuse(f"a power of a complex array other than 1 to {_GREATEST_POWER}")
    power = x
    for _ in range(y - 1):
        power = _times(context, power, x)
    return power


def _plus(context: TraceContext, x: object, y: object, sign: int = 1) -> FourierTransform:
    left, right = spectrum_of(context, x), spectrum_of(context, y)
    found = transforms.plus(context.builder, left, right, sign)
    return FourierTransform(context, found)


def _conjugate(context: TraceContext, x: FourierTransform) -> FourierTransform:
    return FourierTransform(context, transforms.conjugate(x._spectrum))


def _modulus(context: TraceContext, x: FourierTransform) -> Array | FourierTransform:
    b, s = context.builder, x._spectrum
    if (
        s.half is not None
        and s.axes == (s.half,)
        and b.shape(s.re)[s.half].constant is None
        and s.im is None
    ):
        return FourierTransform(
            context, spectra.even(b, spectra.modulus(b, replace(s, half=None)), s.half)
        )
    return make(context, spectra.modulus(b, s), array=True)


UFUNCS: dict[object, Callable[..., object]] = {
    np.multiply: _times, np.true_divide: _over, np.add: _plus,
    np.subtract: lambda c, x, y: _plus(c, x, y, -1),
    np.negative: lambda c, x: _times(c, x, -1.0),
    np.conjugate: _conjugate, np.absolute: _modulus,
    np.square: lambda c, x: _power(c, x, 2), np.power: _power,
}  # fmt: skip


def transform(
    context: TraceContext,
    a: object,
    axes: Sequence[int],
    *,
    forward: bool,
    norm: int | None = None,
    half: bool = False,
) -> Pair | FourierTransform:
    """Returns the Fourier transform of an array along axes; see `transforms.transformed`."""
    s = spectrum_of(context, a)
    return from_spectrum(
        context,
        transforms.transformed(context.builder, s, axes, forward=forward, norm=norm, half=half),
    )
