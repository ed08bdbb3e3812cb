"""Complex arrays as pairs of real ones, of any library and number system, with NumPy's functions.

``x + iy`` is the pair (x, y). Functions that only move entries, and sums, are applied to both
parts; products of all kinds are multiplied out, ``(x + iy)(u + iv) = (xu - yv) + i(xv + yu)``;
modulus, angle, real and imaginary part are real. All other functions are refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NoReturn, TypeGuard

import numpy as np

from eqvproof.support.errors import TargetError, TraceError
from eqvproof.tracing.arrays.operators import Arithmetic
from eqvproof.tracing.arrays.values import (
    Array,
    ComplexArray,
    is_complex,
    is_complex_constant,
    is_listed,
    is_traced,
    xp,
)

#: Linear functions, applied to the real and to the imaginary part alike: entries moved, repeated,
#: summed.
_LINEAR = {
    np.sum,
    np.mean,
    np.transpose,
    np.swapaxes,
    np.moveaxis,
    np.reshape,
    np.ravel,
    np.expand_dims,
    np.squeeze,
    np.broadcast_to,
    np.roll,
    np.flip,
    np.trace,
    np.diagonal,
    np.take,
    np.concatenate,
    np.stack,
    np.vstack,
    np.hstack,
    np.tile,
    np.repeat,
    np.copy,
    np.cumsum,
    np.atleast_1d,
    np.atleast_2d,
    np.fft.fftshift,
    np.fft.ifftshift,
}
#: Sums of products, and the slice of the arguments that are factors.
_PRODUCTS: dict[object, slice] = {
    np.einsum: slice(1, None), np.dot: slice(0, 2), np.inner: slice(0, 2), np.outer: slice(0, 2),
    np.tensordot: slice(0, 2), np.kron: slice(0, 2),
}  # fmt: skip


#: Methods that call a function on the array.
_METHODS: dict[str, object] = {
    "sum": np.sum,
    "mean": np.mean,
    "swapaxes": np.swapaxes,
    "ravel": np.ravel,
    "squeeze": np.squeeze,
    "trace": np.trace,
    "diagonal": np.diagonal,
    "dot": np.dot,
    "cumsum": np.cumsum,
    "copy": np.copy,
    "take": np.take,
    "repeat": np.repeat,
}
#: Options that do more than say where entries go.
_OPTIONS = {"initial", "where", "dtype", "out", "like", "casting"}


class Pair(Arithmetic, ComplexArray):
    """A complex array, stored as its real and its imaginary part."""

    __slots__ = ("imag", "real")
    real: Array
    imag: Array

    def __init__(self, real: object, imag: object) -> None:
        object.__setattr__(self, "real", real)
        object.__setattr__(self, "imag", imag)

    @property
    def shape(self) -> tuple[object, ...]:
        """Returns the shape."""
        return self.real.shape

    @property
    def ndim(self) -> int:
        """Returns the number of axes."""
        return len(self.real.shape)

    @property
    def T(self) -> Pair:
        """Returns the transpose."""
        return Pair(self.real.T, self.imag.T)

    def __len__(self) -> int:
        return len(self.real)

    def __iter__(self) -> object:
        return (Pair(x, y) for x, y in zip(self.real, self.imag, strict=True))

    def __getitem__(self, key: object) -> Pair:
        return Pair(self.real[key], self.imag[key])

    def conj(self) -> Pair:
        """Returns the complex conjugate."""
        return Pair(self.real, -self.imag)

    conjugate = conj

    def __getattr__(self, name: str) -> object:
        function = _METHODS.get(name)
        if function is not None:
            return lambda *args, **kwargs: apply_function(function, (self, *args), kwargs)
        if name.startswith("__"):
            raise AttributeError(name)
        raise _refused(f".{name}")

    def reshape(self, *shape: object) -> Pair:
        """Returns the entries in another shape."""
        return Pair(self.real.reshape(*shape), self.imag.reshape(*shape))

    def transpose(self, *axes: object) -> Pair:
        """Returns the array with its axes in another order."""
        return Pair(self.real.transpose(*axes), self.imag.transpose(*axes))

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object
    ) -> object:
        return apply_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(
        self, function: object, types: object, args: Any, kwargs: dict[str, object]
    ) -> object:
        if is_traced(self.real):
            context = self.real._eqvproof.context
            return context.answers.function(context, function, args, kwargs)
        return apply_function(function, args, kwargs)

    def _no(self, *args: object, **kwargs: object) -> NoReturn:
        raise _refused("a comparison, a write or a use as a number")

    __array__ = __bool__ = __setitem__ = __setattr__ = __delattr__ = __float__ = __int__ = (
        __complex__
    ) = _no
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no
    __iadd__ = __isub__ = __imul__ = __itruediv__ = __imatmul__ = __ipow__ = _no
    __hash__ = None  # type: ignore[assignment]


def _refused(what: str) -> TraceError:
    return TraceError(
        f"{what} of complex arrays is not known", given="a complex array",
        expected="sums, products, conjugates, real and imaginary parts, moduli",
        hint="take .real and .imag, or np.abs, first", code="trace.complex",
    )  # fmt: skip


def is_pair(value: object) -> TypeGuard[Pair]:
    """Checks whether a value is a complex array stored as a pair."""
    return type(value) is Pair


def is_transform(value: object) -> bool:
    """Checks whether a value is a Fourier transform of a traced array."""
    return is_complex(value) and not is_pair(value)


def _paired(given: Any) -> Any:
    """Returns arguments with pairs in place of complex constants and of Fourier transforms.

    The real and imaginary parts of transforms are written out.
    """
    if type(given) in (tuple, list):
        return type(given)(map(_paired, given))
    if is_transform(given) or is_complex_constant(given):
        return Pair(given.real, given.imag)
    return given


def parts_of(value: object) -> tuple[Any, Any]:
    """Returns the real and imaginary parts of a value; None for an imaginary part 0."""
    found = _paired(value)
    if is_pair(found) or _is_complex_tensor(found):
        return (found.real, found.imag)
    return (found, None)


def _part(given: Any, k: int, *, inside: bool = False) -> Any:
    """Returns arguments with real (0) or imaginary (1) parts in place of complex arrays.

    In lists and tuples that contain complex arrays, all items are arrays; real ones have the
    imaginary part 0.
    """
    if is_pair(given):
        if k:
            return given.imag
        return given.real
    if type(given) is dict:
        return {name: _part(v, k, inside=True) for name, v in given.items()}
    if type(given) in (tuple, list):
        arrays = inside and any(map(is_pair, given))
        return type(given)(
            v * 0 if arrays and k and not is_pair(v) else _part(v, k, inside=True) for v in given
        )
    return given


def _sum_of(terms: Sequence[tuple[int, Array]]) -> Array | None:
    total: Array | None = None
    for sign, term in terms:
        if total is None:
            total = term if sign > 0 else -term
        else:
            total = total + term if sign > 0 else total - term
    return total


def expanded(factors: Sequence[object], of: Callable[..., Array]) -> Pair:
    """Multiplies out a product of several factors."""
    sums: tuple[list[tuple[int, Array]], list[tuple[int, Array]]] = ([], [])
    both = [[(k, v) for k, v in enumerate(parts_of(f)) if v is not None] for f in factors]
    for choice in product(*both):
        count = sum(k for k, _ in choice)
        sums[count % 2].append((-1 if count % 4 >= 2 else 1, of(*(v for _, v in choice))))
    return Pair(_sum_of(sums[0]), _sum_of(sums[1]))


def _multiplied(
    function: Callable[..., Array],
    args: Sequence[object],
    where: slice,
    kwargs: Mapping[str, object],
) -> Pair:
    before, factors, after = args[: where.start], args[where], args[where.stop or len(args) :]
    return expanded(factors, lambda *f: function(*before, *f, *after, **kwargs))


def _conj(x: Any) -> Any:
    if is_pair(x):
        return x.conj()
    return x


def _added(x: object, y: object) -> Pair:
    (a, b), (c, d) = parts_of(x), parts_of(y)
    if d is None:
        one = b
    elif b is None:
        one = d
    else:
        one = b + d
    return Pair(
        a + c, one if one is not None and _shape(one) == _shape(a + c) else one + 0 * (a + c)
    )


def _shape(x: object) -> object:
    return getattr(x, "shape", ())


def _divided(x: Pair, y: object) -> Pair:
    if parts_of(y)[1] is None:
        return Pair(x.real / y, x.imag / y)
    c, d = map(_exact, parts_of(y))
    top = expanded([x, Pair(c, -d)], lambda a, b: a * b)
    norm = c * c + d * d
    return Pair(top.real / norm, top.imag / norm)


def _exact(part: object) -> Any:
    """Returns floats as rationals, whose sums and products do not round."""
    if isinstance(part, (float, np.floating)):
        return Fraction(float(part))
    if type(part) is np.ndarray and part.dtype.kind == "f":
        return np.vectorize(Fraction, otypes=[object])(part)
    return part


def _power(x: object, k: object) -> object:
    if not is_pair(x) or type(k) is not int or not 1 <= k <= 16:
        raise _refused("this power")
    found = x
    for _ in range(k - 1):
        found = found * x
    return found


def _modulus(x: Pair) -> Array:
    return xp.hypot(x.real, x.imag)


def _exp(x: Pair) -> Pair:
    size = xp.exp(x.real)
    return Pair(size * xp.cos(x.imag), size * xp.sin(x.imag))


_UFUNCS: dict[object, Callable[..., object]] = {
    np.add: _added,
    np.subtract: lambda x, y: _added(x, -y),
    np.negative: lambda x: Pair(-x.real, -x.imag),
    np.positive: lambda x: x,
    np.multiply: lambda x, y: expanded([x, y], lambda a, b: a * b),
    np.matmul: lambda x, y: expanded([x, y], lambda a, b: a @ b),
    np.divide: _divided,
    np.power: _power,
    np.square: lambda x: x * x,
    np.conjugate: _conj,
    np.absolute: _modulus,
    np.exp: _exp,
}


def apply_ufunc(
    ufunc: np.ufunc, method: str, inputs: Sequence[object], kwargs: Mapping[str, object]
) -> object:
    """Applies a universal function to complex arrays."""
    handler = _UFUNCS.get(ufunc)
    if handler is None or method != "__call__" or kwargs:
        raise _refused(ufunc.__name__)
    return handler(*_paired(inputs))


def apply_function(function: Any, args: Any, kwargs: Mapping[str, object]) -> object:
    """Applies a NumPy function to complex arrays."""
    args = _paired(args)
    if function in _LINEAR | _PRODUCTS.keys() and _OPTIONS & kwargs.keys():
        raise _refused(f"an option of {function.__name__}")
    if function in _LINEAR and not (type(args[0]) in (list, tuple) and _is_nested(args[0])):
        real, imag = (function(*_part(args, k), **_part(kwargs, k)) for k in (0, 1))
        return Pair(real, imag)
    if function in _PRODUCTS and (function is not np.einsum or type(args[0]) is str):
        return _multiplied(function, args, _PRODUCTS[function], kwargs)
    if function is np.vdot:
        return _multiplied(
            np.dot, (_conj(args[0]).reshape(-1), args[1].reshape(-1)), slice(0, 2), {}
        )
    if function in (np.real, np.imag):
        if function is np.real:
            return args[0].real
        return args[0].imag
    if function is np.angle and not kwargs and len(args) == 1:
        return np.arctan2(args[0].imag, args[0].real)
    raise _refused(function.__name__)


def _is_nested(arrays: Sequence[object]) -> bool:
    return any(type(v) in (list, tuple) for v in arrays)


def has_pair(given: Iterable[object]) -> bool:
    """Checks whether arguments, or lists and tuples among them, contain pairs."""
    return any(is_pair(v) or (is_listed(v) and has_pair(v)) for v in given)


def has_constant(given: Iterable[object]) -> bool:
    """Checks whether arguments, or lists and tuples among them, contain complex constants."""
    return any(is_complex_constant(v) or (is_listed(v) and has_constant(v)) for v in given)


def complex_array(array: Any, halves: tuple[int, bool, bool]) -> Any:
    """Returns the complex array whose real parts, then imaginary parts, stand along an axis.

    Floats give a complex array of NumPy, since traces are replayed with such arrays. So do floats
    of a class that rounds in another way, which is then lost: otherwise a function that is not
    known for pairs would be reported as one that keeps state.
    """
    axis, alone, is_dual = halves
    count = array.shape[axis] // 2
    before = (slice(None),) * axis
    low, high = (0, 1) if alone else (slice(None, count), slice(count, None))
    real, imag = array[(*before, low)], array[(*before, high)]
    imag = -imag if is_dual else imag
    if isinstance(array, np.ndarray) and not is_traced(array) and array.dtype.kind == "f":
        return np.array(real, subok=False) + 1j * np.array(imag, subok=False)
    if (library := _library(array)) is not None:
        return getattr(library, "lax", library).complex(real, imag)
    return Pair(real, imag)


def _library(array: object) -> Any:
    """Returns the module torch or jax if it defines the array's type, else None."""
    if is_traced(array):
        return None
    for name, kind in (("torch", "Tensor"), ("jax", "Array")):
        library = sys.modules.get(name)
        if library is not None and isinstance(array, getattr(library, kind)):
            return library
    return None


def _is_complex_tensor(value: Any) -> bool:
    """Checks whether a value is a complex array of torch or jax."""
    return _library(value) is not None and "complex" in str(value.dtype)


def real_array(value: object, halves: tuple[int, bool, bool] | None) -> Any:
    """Returns real, then imaginary parts along an axis; a result declared as real unchanged.

    Raises:
        TargetError: a complex result where a real one is declared.
    """
    if halves is None:
        if parts_of(value)[1] is not None:
            raise TargetError(
                "the result is complex, and no group of complex matrices acts on it",
                given="a complex array",
                expected="a real array, or a result with an axis on which U or SU acts",
                hint="return .real, .imag or np.abs of it",
                code="target.complex",
            )
        return value
    real, imag = parts_of(value)
    if imag is None:
        imag = real * 0
    parts = [real, -imag if halves[2] else imag]
    library = _library(real)
    if library is None:
        return np.concatenate(parts, axis=halves[0])
    return getattr(library, "numpy", library).concatenate(parts, axis=halves[0])
