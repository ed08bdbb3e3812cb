"""Sizes of axes while a JAX function is traced: symbols of `jax.export`, which are observed.

JAX answers False where the equality of two symbolic sizes depends on their values, and gives
symbols a hash and a text, so that code may branch on sizes without a trace showing it. During a
trace such questions of the user's code are recorded, and refused.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

from eqvproof.programs import Size
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.tracing.arrays.context import alone
from eqvproof.tracing.numpy import patching
from eqvproof.tracing.observing.frames import is_followed, owner_of_frame, place_text, root_of
from eqvproof.tracing.observing.texts import may_make_text
from eqvproof.tracing.samples import NO_SPANS, Spans

#: Functions of Python's math module that take a size -> their names in `jax.numpy`.
MATH = {
    "sqrt": "sqrt", "exp": "exp", "log": "log", "log2": "log2", "log10": "log10", "log1p": "log1p",
    "expm1": "expm1", "sin": "sin", "cos": "cos", "tanh": "tanh", "pow": "power",
}  # fmt: skip
#: A size of JAX: an integer, or a symbolic size, which has no static type.
Dim: TypeAlias = Any
Function: TypeAlias = Callable[..., Any]
#: Reserved words of the language of symbolic sizes.
_RESERVED = frozenset("mod floordiv max min non_negative".split())


class Symbols:
    """The symbolic sizes for the axis names of a signature, restricted to spans.

    Attributes:
        dims: axis name -> the symbolic size of JAX.
        lesser: two sizes whose order depends on the sizes -> the smaller one on the path that is
            read.
    """

    def __init__(self, names: Sequence[str], spans: Spans = NO_SPANS) -> None:
        from jax import export

        self.lesser: dict[frozenset[Size], Size] = {}
        self._names = {f"size_{n}" if n in _RESERVED else n: n for n in names}
        within = [(n, spans[name]) for n, name in self._names.items() if name in spans]
        bounds = [f"{n} >= {low}" for n, (low, _) in within if low > 1]
        bounds += [f"{n} <= {high}" for n, (_, high) in within if high is not None]
        if names:
            made = export.symbolic_shape(", ".join(self._names), constraints=bounds)
        else:
            made = ()
        self.dims: dict[str, object] = {
            n: d for n, d in zip(self._names.values(), made, strict=True)
        }

    def dim(self, size: Size) -> Dim:
        """Returns a size as JAX takes it."""
        total: Dim = 0
        for names, coefficient in size.terms:
            product: Dim = coefficient
            for name in names:
                product = product * self.dims[name]
            total = total + product
        return total

    def size(self, dim: Dim) -> Size:
        """Returns a size of JAX as a polynomial.

        Raises:
            TraceError: it is no polynomial.
        """
        if not is_symbolic(dim):
            return Size.of(int(dim))
        total = Size.of(0)
        for term, coefficient in dim._sorted_terms:
            product = Size.of(int(coefficient))
            for factor, power in term._factors:
                for _ in range(int(power)):
                    product = product * self._factor(factor)
            total = total + product
        return total

    def _factor(self, factor: Any) -> Size:
        name = factor.var
        if name is not None:
            return Size.of(self._names[str(name)])
        if factor.operation == "mod":
            value, modulus = (self.size(o) for o in factor.operands)
            if value.constant == -1:  # -1 mod n = n - 1 for every n >= 1
                return modulus - 1
        if factor.operation == "min":
            sizes = frozenset(self.size(o) for o in factor.operands)
            if sizes in self.lesser:
                return self.lesser[sizes]
        raise TraceError(
            "a size that is no polynomial in the sizes of the axes",
            given=str(factor),
            code=ErrorCode.TRACE_SIZE,
        )

    def shape(self, shape: Sequence[object]) -> list[Size]:
        """Returns the sizes of a shape."""
        return [self.size(s) for s in shape]


def is_symbolic(dim: object) -> bool:
    """Checks whether a value is a symbolic size of JAX."""
    return hasattr(dim, "_sorted_terms")


def remainder_operands(dim: Dim) -> tuple[int, Dim] | None:
    """Returns (k, n) if a symbolic size is ``mod(k, n)`` for an integer k, else None."""
    if not is_symbolic(dim) or len(dim._sorted_terms) != 1:
        return None
    term, coefficient = dim._sorted_terms[0]
    if coefficient != 1 or len(term._factors) != 1:
        return None
    factor, power = term._factors[0]
    if power != 1 or factor.operation != "mod":
        return None
    try:
        return int(factor.operands[0]), factor.operands[1]
    except Exception:  # the remainder of a size
        return None


def asking_line() -> str:
    """Returns the line of the user or of a package that asks, or "" where JAX itself asks.

    Functions of NumPy and of the standard library ask for those that call them.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and _asks_for_its_caller(frame):
        frame = frame.f_back
    if frame is None or not is_followed(frame):
        return ""
    return place_text(frame.f_code.co_filename, frame.f_lineno)


def _asks_for_its_caller(frame: FrameType) -> bool:
    """Checks whether a frame is of a function of NumPy, its stand-in, Python's, or JAX's sizes."""
    name = frame.f_code.co_filename
    return (
        name.endswith("shape_poly.py")
        or name == patching.__file__
        or root_of(name) == "numpy"
        or owner_of_frame(frame) == "stdlib"
    )


@contextmanager
def record_size_questions() -> Iterator[list[TraceError]]:
    """Records what the code of the user and of packages asks of symbolic sizes, in a block.

    Functions of the math module map sizes to JAX values there.
    """
    import jax.numpy as jnp
    from jax import export

    with alone():
        (probe,) = export.symbolic_shape("probe")
        kind = type(probe)
        noted: list[TraceError] = []
        changes = _recording_methods(kind, noted)
        before = {name: kind.__dict__.get(name) for name in changes}
        functions = {name: getattr(math, name) for name in MATH}
        diagonals = jnp.diag_indices, jnp.diag_indices_from
        try:
            for name, change in changes.items():
                setattr(kind, name, change)
            for name, other in MATH.items():
                setattr(math, name, _on_sizes(functions[name], getattr(jnp, other)))
            jnp.diag_indices, jnp.diag_indices_from = _diagonal_of_sizes(*diagonals)
            yield noted
        finally:
            jnp.diag_indices, jnp.diag_indices_from = diagonals
            for name, function in functions.items():
                setattr(math, name, function)
            for name, old in before.items():
                if old is None:
                    delattr(kind, name)
                else:
                    setattr(kind, name, old)


def _on_sizes(
    function: Callable[..., object], other: Callable[..., object]
) -> Callable[..., object]:
    def called(*args: object) -> object:
        if any(is_symbolic(a) for a in args):
            return other(*args)
        return function(*args)

    return called


def _diagonal_of_sizes(of_size: Function, of_array: Function) -> tuple[Function, Function]:
    """Returns JAX's diag_indices functions, extended to symbolic sizes."""
    import jax.numpy as jnp

    def diag_indices(n: Dim, ndim: int = 2) -> object:
        if is_symbolic(n):
            return (jnp.arange(n),) * ndim
        return of_size(n, ndim)

    def diag_indices_from(arr: Any) -> object:
        n, *others = arr.shape
        if is_symbolic(n) and others and all(is_symbolic(m) and not (m - n) for m in others):
            return diag_indices(n, arr.ndim)
        return of_array(arr)

    return diag_indices, diag_indices_from


def _recording_methods(kind: Any, noted: list[TraceError]) -> Mapping[str, Callable[..., object]]:
    """Returns methods of symbolic sizes that record questions."""
    equal, power, hashed, text = kind.__eq__, kind.__pow__, kind.__hash__, kind.__str__

    def note(what: str, place: str) -> None:
        noted.append(
            TraceError(
                f"{what} (at {place})",
                expected="one path for all sizes",
                hint="give sizes=, or write it without asking for the size",
                code="trace.size-branch",
            )
        )

    def __eq__(self: object, other: object) -> object:
        result = equal(self, other)
        if result is False or result is NotImplemented:
            place = asking_line()
            if place and not _differ_at_all_sizes(self, other):
                right = other
                if is_symbolic(other):
                    right = text(other)
                note(f"{text(self)} == {right} depends on the size", place)
        return result

    def __hash__(self: object) -> int:
        place = asking_line()
        if place:
            note(f"a look-up by the size {text(self)}", place)
        return int(hashed(self))

    def __str__(self: object) -> str:
        place = asking_line()
        if place and not may_make_text(sys._getframe(1), of_libraries=True):
            note(f"the size {text(self)} as a text", place)
        return str(text(self))

    def __bool__(self: object) -> bool:
        place = asking_line()
        if place and not _differ_at_all_sizes(self, 0):
            note(f"whether {text(self)} is 0 depends on the size", place)
        return True

    def __pow__(self: Dim, exponent: Dim, modulo: object = None) -> object:
        if modulo is None and isinstance(exponent, (int, float)) and (exponent < 0 or exponent % 1):
            return self.__jax_array__().astype(float) ** exponent
        return power(self, exponent, modulo)

    def as_value(name: str) -> Callable[[object], object]:
        def method(self: object) -> object:
            import jax.numpy as jnp

            return getattr(jnp, name)(self)

        return method

    methods = {name: as_value(name) for name in ("sqrt", "exp", "log", "log2", "log10")}
    return {
        "__eq__": __eq__, "__hash__": __hash__, "__str__": __str__, "__repr__": __str__,
        "__bool__": __bool__, "__pow__": __pow__, **methods,
    }  # fmt: skip


def _differ_at_all_sizes(x: Dim, y: Dim) -> bool:
    """Checks whether two sizes are known to differ at all sizes."""
    try:
        gap = x - y
        return bool(gap >= 1) or bool(gap <= -1)
    except Exception:
        return False
