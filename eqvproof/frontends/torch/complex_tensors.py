"""Complex tensors of torch: transforms, and the operations that lead back to real numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eqvproof.arrays import positions, spectra, transforms
from eqvproof.arrays.spectra import Spectrum
from eqvproof.errors import TraceError
from eqvproof.frontends.entering import entering
from eqvproof.frontends.torch.aten import Handler, Length, Node, lift
from eqvproof.program import Builder, Size

#: Handlers of operations of which an argument is complex; others refuse them.
WAVES: dict[str, Handler] = {}


class Waves(Node):
    """A complex tensor; as a node it is undefined."""

    spectrum: Spectrum


def waves(b: Builder, s: Spectrum) -> Waves:
    """A complex tensor."""
    made = Waves(positions.undefined(b))
    made.spectrum = s
    return made


def is_waves(x: object) -> bool:
    """Whether a complex tensor occurs in an argument."""
    return any(map(is_waves, x)) if isinstance(x, list | tuple) else isinstance(x, Waves)


def _spectrum(b: Builder, x: object) -> Spectrum:
    if isinstance(x, Waves):
        return x.spectrum
    if isinstance(x, complex):
        return Spectrum(b.const(x.real), b.const(x.imag), ())
    return transforms.of_real(lift(b, x))


_entered = entering(WAVES)


def _real_to_complex(b: Builder, x: int, axes: Sequence[int], norm: int, half: object) -> Waves:
    s = transforms.of_real(int(x))
    return waves(b, transforms.transformed(b, s, list(axes), forward=True, norm=norm, half=bool(half)))


def _made_complex(b: Builder, x: int, **_: object) -> Waves:
    return waves(b, transforms.of_real(int(x)))


#: What makes complex tensors of real ones.
MAKERS: dict[str, Handler] = {
    "_fft_r2c": _real_to_complex, "_to_copy": _made_complex,
    "complex": lambda b, x, y: waves(b, Spectrum(lift(b, x), lift(b, y), ())),
    "mul": lambda b, x, y: waves(b, transforms.times(b, _spectrum(b, x), _spectrum(b, y))),
    "add": lambda b, x, y: waves(b, transforms.plus(b, _spectrum(b, x), _spectrum(b, y))),
    "sub": lambda b, x, y: waves(b, transforms.plus(b, _spectrum(b, x), _spectrum(b, y), -1)),
}  # fmt: skip
#: What is done to real and imaginary parts alike, and products of two arrays.
_LINEAR = frozenset(
    "t transpose permute view _unsafe_view reshape expand unsqueeze squeeze select slice sum mean cat stack "
    "flip roll index_select index diagonal repeat split unbind _reshape_alias".split()
)
_PRODUCTS = frozenset(("mm", "bmm", "dot", "mv"))


def handler_of(name: str, known: Mapping[str, Handler]) -> Handler | None:
    """What reads an operation on complex tensors; those of real ones are known."""
    if name in WAVES:
        return WAVES[name]
    real = known.get(name)
    if real is None or name not in _LINEAR | _PRODUCTS:
        return None
    return partial(_product if name in _PRODUCTS else _linear, real)


def _linear(real: Handler, b: Builder, *args: object, **options: object) -> object:
    """The operation on real and imaginary parts."""
    re, im = (real(b, *(_parts(b, a)[k] for a in args), **options) for k in (0, 1))
    if isinstance(re, (tuple, list)):
        return tuple(waves(b, Spectrum(int(x), int(y), ())) for x, y in zip(re, im, strict=True))
    return waves(b, Spectrum(int(re), int(im), ()))


def _product(real: Handler, b: Builder, x: object, y: object) -> Waves:
    """``(u + iv)(x + iy) = (ux - vy) + i(uy + vx)``."""
    (u, v), (x, y) = _parts(b, x), _parts(b, y)
    re = b.sub(int(real(b, u, x)), int(real(b, v, y)))
    return waves(b, Spectrum(re, b.add([int(real(b, u, y)), int(real(b, v, x))]), ()))


def _parts(b: Builder, x: object) -> tuple[object, object]:
    """Real and imaginary part of a tensor, or of those in a list; what is no tensor, twice."""
    if isinstance(x, list) and is_waves(x):
        pairs = [_parts(b, v) for v in x]
        return [p[0] for p in pairs], [p[1] for p in pairs]
    if not isinstance(x, Node):
        return x, x
    s = _spectrum(b, x)
    if s.axes:
        raise TraceError("entries of complex tensors that are transforms are picked or mixed")
    zero = b.broadcast_to(b.const(0), b.shape(s.re))
    return Node(s.re), Node(zero if s.im is None else s.im)


@_entered("_fft_c2c")
def _complex_to_complex(b: Builder, x: object, axes: Sequence[int], norm: int, forward: object) -> Waves:
    s = _spectrum(b, x)
    return waves(b, transforms.transformed(b, s, list(axes), forward=bool(forward), norm=norm))


@_entered("_fft_c2r")
def _complex_to_real(b: Builder, x: int, axes: Sequence[int], norm: int, length: Length) -> int:
    if norm != transforms.WHOLE:
        raise TraceError("an inverse transform to real numbers with a scale of its own")
    return transforms.real_again(b, _spectrum(b, x), list(axes), Size.of(length))


@_entered("abs")
def _abs(b: Builder, x: object) -> int:
    return spectra.modulus(b, _spectrum(b, x))


@_entered("angle")
def _angle(b: Builder, x: object) -> int:
    re, im = spectra.parts(b, _spectrum(b, x))
    return b.map("arctan2", [im, re])


@_entered("view_as_real")
def _view_as_real(b: Builder, x: object) -> int:
    rank = None
    parts = []
    for part in spectra.parts(b, _spectrum(b, x)):
        rank = len(b.shape(part)) if rank is None else rank
        parts.append(b.expand(part, rank))
    return b.concat(parts, len(b.shape(parts[0])) - 1)


@_entered("_conj", "_conj_physical")
def _conj(b: Builder, x: object) -> Waves:
    return waves(b, transforms.conjugate(b, _spectrum(b, x)))


@_entered("clone", "alias", "detach")
def _same(b: Builder, x: object, **_: object) -> object:
    return x


@_entered("mul")
def _mul(b: Builder, x: object, y: object) -> Waves:
    return waves(b, transforms.times(b, _spectrum(b, x), _spectrum(b, y)))


@_entered("div")
def _div(b: Builder, x: object, y: object) -> Waves:
    if isinstance(y, Waves):
        raise TraceError("a division by complex numbers")
    factor = transforms.of_real(b.map("recip", [lift(b, y)]))
    return waves(b, transforms.times(b, _spectrum(b, x), factor))


@_entered("neg")
def _neg(b: Builder, x: object) -> Waves:
    return waves(b, spectra.scaled(b, _spectrum(b, x), b.const(-1)))


WAVES["add"] = lambda b, x, y: waves(b, transforms.plus(b, _spectrum(b, x), _spectrum(b, y)))
WAVES["sub"] = lambda b, x, y: waves(b, transforms.plus(b, _spectrum(b, x), _spectrum(b, y), -1))
