"""Fourier transforms in a trace: results of np.fft, and operations that lead back to real numbers.

See `eqvproof.tracing.arrays.spectra`. Products, conjugates, sums and multiples stay transforms; the
modulus, the angle, real and imaginary parts are real. All else is refused. A complex array that is
transformed along no axis, such as the inverse of a transform, is a `Pair` of its parts.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn, TypeGuard

import numpy as np

from eqvproof.tracing.arrays import spectra, transforms
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.in_place_operators import ArithmeticInPlace
from eqvproof.tracing.arrays.lifting import lift, shape_of
from eqvproof.tracing.arrays.pairs import Pair, is_pair
from eqvproof.tracing.arrays.refusals import guarded, name_of
from eqvproof.tracing.arrays.spectra import Spectrum
from eqvproof.tracing.arrays.values import (
    Array,
    ComplexArray,
    Storage,
    is_complex,
    make,
    node_of,
    xp,
)

#: The hint of refused writes.
_WRITES = "multiply the transform by an array of numbers"
#: Largest power of a complex array that is written as products.
_GREATEST_POWER = 16


class FourierTransform(ArithmeticInPlace, ComplexArray):
    """A Fourier transform along one axis or several; `from_spectrum` builds it."""

    __slots__ = ("__weakref__", "_context", "_pending", "_stored", "_views")
    _context: TraceContext
    _pending: Frequencies | None
    _stored: Spectrum
    _views: list[Storage]

    def __init__(self, context: TraceContext, spectrum: Spectrum) -> None:
        object.__setattr__(self, "_context", context)
        object.__setattr__(self, "_stored", spectrum)
        object.__setattr__(self, "_views", [])
        object.__setattr__(self, "_pending", None)

    @property
    def _spectrum(self) -> Spectrum:
        """Returns the spectrum; refused between `w = F[k:]; w *= c` and its being written back."""
        if self._pending is not None:
            self._context.refuse("a write into a transform by another name", hint=_WRITES)
        return self._stored

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
        return self._part(0)

    @property
    def imag(self) -> Array:
        """Returns the imaginary part."""
        return self._part(1)

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
        return Frequencies(Pair(self.real, self.imag)[index], self, index)

    def __setitem__(self, index: object, value: object) -> None:
        """Sets frequencies to 0, or multiplies them by a number: both multiply the transform.

        No view of it may be alive, and no other write is traced.
        """
        factor = value
        if type(value) is Frequencies and value is self._pending and value.is_at(index):
            object.__setattr__(self, "_pending", None)
            factor = value.factor
        is_number = type(factor) is int or type(factor) is float
        if not is_number or (factor is value and factor != 0):
            self._context.refuse("a write of other than 0 into a transform", hint=_WRITES)
        self.require_no_views()
        b = self._context.builder
        shape = b.shape(spectra.parts(b, self._spectrum)[0])
        weights = make(self._context, b.broadcast_to(b.const(1), shape), "f", array=True)
        weights[index] = factor
        object.__setattr__(self, "_stored", _times(self._context, self, weights)._spectrum)

    def require_no_views(self) -> None:
        """Refuses a write where arrays are alive that share its memory in NumPy."""
        if any(storage.live() for storage in self._views):
            self._context.refuse("a write into a transform of which there are views", hint=_WRITES)

    def wait_for(self, value: Frequencies) -> None:
        """Refuses all uses until frequencies are written back that were changed in place."""
        object.__setattr__(self, "_pending", value)

    def _changed(self, found: object) -> FourierTransform:
        """Stores the result of an operation in place: other names of it hold it, too."""
        self.require_no_views()
        if type(found) is not FourierTransform:
            self._context.refuse("a write of other than transforms into one", hint=_WRITES)
        object.__setattr__(self, "_stored", found._spectrum)
        return self

    def _part(self, k: int) -> Array:
        """Returns its real or imaginary part, a view; nobody may write into it beside itself."""
        node = spectra.parts(self._context.builder, self._spectrum)[k]
        found = make(self._context, node, array=True)
        found._eqvproof.storage.of = weakref.ref(self)
        self._views.append(found._eqvproof.storage)
        return found

    def conj(self) -> object:
        """Returns the complex conjugate."""
        return np.conjugate(self)

    conjugate = conj


class Frequencies(Pair):
    """Frequencies of a transform at an index, a view of it where the index is a slice.

    `F[k:] *= c` reads them, multiplies them in place, and writes them back at once.
    """

    __slots__ = ("_index", "_origin", "factor")
    _index: object
    _origin: FourierTransform
    factor: float | None

    def __init__(self, pair: Pair, origin: FourierTransform, index: object) -> None:
        super().__init__(pair.real, pair.imag)
        object.__setattr__(self, "factor", None)
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_origin", origin)

    def is_at(self, index: object) -> bool:
        """Checks whether an index is the slice or number at which they were read."""
        kind = type(index)
        return kind in (slice, int) and kind is type(self._index) and index == self._index

    def __imul__(self, other: object) -> Frequencies:  # type: ignore[misc,override]
        is_number = type(other) is int or type(other) is float
        if not is_number or type(self._index) not in (slice, int):
            self._origin._context.refuse("a write into a transform by another name", hint=_WRITES)
        product: Pair = self * other
        object.__setattr__(self, "real", product.real)
        object.__setattr__(self, "imag", product.imag)
        object.__setattr__(self, "factor", other)
        self._origin.require_no_views()  # none but these, which hold the product now
        self._origin.wait_for(self)
        return self


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
