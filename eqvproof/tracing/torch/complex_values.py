"""Complex tensors of torch as complex arrays of traces, with NumPy's functions as operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays import transforms
from eqvproof.tracing.arrays.complex_arrays import UFUNCS, Waves
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import handles
from eqvproof.tracing.arrays.spectra import Spectrum
from eqvproof.tracing.arrays.values import Array, xp
from eqvproof.tracing.framework_arrays import Node, as_array, is_complex
from eqvproof.tracing.torch.aten import TABLE, Handler, Length

#: Operation -> function of arrays, some of which are complex; other operations refuse these.
FUNCTIONS: dict[str, Callable[..., object]] = {}
on_complex = partial(handles, FUNCTIONS)


def has_complex(x: object) -> bool:
    """Checks whether a complex tensor occurs in an argument."""
    if isinstance(x, list | tuple):
        return any(map(has_complex, x))
    return is_complex(x)


def _ufunc(ufunc: object) -> Callable[..., object]:
    return lambda context, *args: UFUNCS[ufunc](context, *args)


_UFUNCS = {
    "mul": np.multiply,
    "div": np.true_divide,
    "add": np.add,
    "sub": np.subtract,
    "neg": np.negative,
    "abs": np.absolute,
    "_conj": np.conjugate,
    "_conj_physical": np.conjugate,
}
FUNCTIONS.update({name: _ufunc(ufunc) for name, ufunc in _UFUNCS.items()})
for _name in ("clone", "alias", "detach", "lift_fresh"):
    on_complex(_name)(lambda context, x: x)


@on_complex("_to_copy")
def _convert_type(context: TraceContext, x: Waves, *, dtype: torch.dtype | None = None) -> Waves:
    if dtype is not None and not dtype.is_complex:
        raise TraceError("complex numbers are made real ones", given=str(dtype))
    return x


@on_complex("angle")
def _angle(context: TraceContext, x: Waves) -> Array:
    return xp.arctan2(x.imag, x.real)


@on_complex("view_as_real")
def _view_as_real(context: TraceContext, x: Waves) -> Array:
    return xp.stack([x.real, x.imag], axis=-1)


@on_complex("_fft_c2c")
def _complex_to_complex(
    context: TraceContext, x: Waves, axes: Sequence[int], norm: int, forward: object
) -> Waves:
    s, b = x._spectrum, context.builder
    return Waves(
        context, transforms.transformed(b, s, list(axes), forward=bool(forward), norm=norm)
    )


@on_complex("_fft_c2r")
def _complex_to_real(
    context: TraceContext, x: Waves, axes: Sequence[int], norm: int, length: Length
) -> int:
    if norm != transforms.WHOLE:
        raise TraceError("an inverse transform to real numbers with a scale of its own")
    return transforms.real_again(context.builder, x._spectrum, list(axes), Size.of(length))


def _real_to_complex(
    context: TraceContext, x: Array, axes: Sequence[int], norm: int, half: object
) -> Waves:
    s, b = transforms.of_real(x._eqvproof.node), context.builder
    return Waves(
        context, transforms.transformed(b, s, list(axes), forward=True, norm=norm, half=bool(half))
    )


#: Operations that make complex tensors from real ones.
MAKERS: dict[str, Callable[..., object]] = {
    **{name: FUNCTIONS[name] for name in ("mul", "add", "sub")}, "_fft_r2c": _real_to_complex,
    "_to_copy": lambda c, x, **_: Waves(c, transforms.of_real(x._eqvproof.node)),
    "complex": lambda c, x, y: Waves(c, Spectrum(x._eqvproof.node, y._eqvproof.node, ())),
}  # fmt: skip
#: Operations that act on real and imaginary parts alike, and products of two arrays.
_LINEAR = frozenset(
    "t transpose permute view _unsafe_view reshape expand unsqueeze squeeze select slice sum mean"
    " cat stack "
    "flip roll index_select index diagonal repeat split unbind _reshape_alias".split()
)
_PRODUCTS = frozenset(("mm", "bmm", "dot", "mv"))


def handler_of(context: TraceContext, name: str, *, given: bool) -> Handler | None:
    """Returns the handler of an operation on complex tensors; None if there is none.

    If no argument is complex (`given` is false), it is an operation that makes complex tensors.
    """
    if given:
        known = FUNCTIONS.get(name)
    else:
        known = MAKERS.get(name)
    if known is not None:
        function = known

        def on_arrays(b: Builder, *args: object, **options: object) -> object:
            arrays = (_size_or_tensor_as_array(context, a) for a in args)
            return function(context, *arrays, **options)

        return on_arrays
    real = TABLE.get(name)
    if not given or real is None:
        return None
    if name in _PRODUCTS:
        return lambda b, x, y: _multiply_complex(context, real, x, y)
    if name in _LINEAR:
        return lambda b, *args, **options: _apply_to_both_parts(context, real, *args, **options)
    return None


def _size_or_tensor_as_array(context: TraceContext, x: object) -> object:
    """Returns a tensor or a size as a traced array; other arguments unchanged."""
    if isinstance(x, Size):
        x = Node(context.builder.size(x))
    return as_array(context, x)


def _apply_to_both_parts(
    context: TraceContext, real: Handler, x: object, *args: object, **options: object
) -> object:
    """Applies an operation to the real and imaginary parts of its first argument.

    The other arguments are positions and sizes.
    """
    re, im = (
        real(context.builder, part, *args, **options) for part in _real_and_imaginary(context, x)
    )
    if isinstance(re, (tuple, list)):
        return tuple(
            Waves(context, Spectrum(int(x), int(y), ())) for x, y in zip(re, im, strict=True)
        )
    return Waves(context, Spectrum(int(re), int(im), ()))


def _multiply_complex(context: TraceContext, real: Handler, x: object, y: object) -> Waves:
    """Returns ``(u + iv)(x + iy) = (ux - vy) + i(uy + vx)``."""
    b, (u, v), (p, q) = (
        context.builder,
        _real_and_imaginary(context, x),
        _real_and_imaginary(context, y),
    )
    re = b.sub(real(b, u, p), real(b, v, q))
    return Waves(context, Spectrum(re, b.add([real(b, u, q), real(b, v, p)]), ()))


def _real_and_imaginary(context: TraceContext, x: object) -> tuple[object, object]:
    """Returns the real and imaginary parts of a tensor, or of those in a list.

    Other values are returned twice.
    """
    if isinstance(x, list) and has_complex(x):
        pairs = [_real_and_imaginary(context, v) for v in x]
        return [p[0] for p in pairs], [p[1] for p in pairs]
    if not isinstance(x, Node | Waves):
        return x, x
    if isinstance(x, Node):
        spectrum = transforms.of_real(x)
    else:
        spectrum = x._spectrum
    if spectrum.axes:
        raise TraceError("entries of complex tensors that are transforms are picked or mixed")
    b, imaginary = context.builder, spectrum.im
    zero = b.broadcast_to(b.const(0), b.shape(spectrum.re))
    if imaginary is None:
        imaginary = zero
    return Node(spectrum.re), Node(imaginary)
