"""JAX functions, and modules of libraries above JAX, as targets: traced to a jaxpr."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.claims.size import LARGEST_LEAST, spoken_from
from eqvproof.programs import is_near
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError
from eqvproof.tracing.arrays import machine
from eqvproof.tracing.arrays.traced_program import Drafts, input_node, require_shape
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.framework import FrameworkTarget, no_array
from eqvproof.tracing.jax.equations import Jaxpr
from eqvproof.tracing.jax.sizes import Symbols, record_size_questions
from eqvproof.tracing.observing.texts import texts_only_told
from eqvproof.tracing.samples import NO_SPANS, Spans

_T = TypeVar("_T")
#: The least size from which a target can be read is searched up to here first.
NEAR_LEAST = 64
#: Bits of floating types; other types have 16.
BITS = {"float64": 64, "float32": 32}
#: Primitives whose result consists of the numbers they are given.
MOVES = frozenset(
    "broadcast_in_dim reshape squeeze expand_dims transpose slice dynamic_slice gather concatenate"
    " rev pad "
    "copy select_n stop_gradient iota split stack".split()
)
#: Number of results that are computed both in 32 and in 64 bits, for a target not known to do the
#: same in both.
UNSURE = 16
#: Results count as equal up to rounding where entries differ by at most this fraction of the
#: largest.
NEAR = 1e-2
#: Options that make compilation fast.
QUICK = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


class Jax:
    """JAX as a `Framework`, in 64 bits: read with symbolic sizes from 1 up.

    Conditions on sizes are refused. A target may ask for the types of arrays, and for their range.
    Where JAX computes in 32 bits outside of a trace, the target is therefore read in 32 bits as
    well: if that gives another Program, up to roundings of constants, it is read and called in 32
    bits from then on.
    """

    name = "JAX"
    asks_of_code = True

    def __init__(self) -> None:
        import jax

        self._wide = bool(jax.config.jax_enable_x64)
        self._is_short = False
        self._comparisons_left = 0 if self._wide else UNSURE
        self._precision = "float64"
        self._dtype = "float64"
        self._compiled: dict[object, Callable[..., object]] = {}
        self._compared: list[tuple[Signature, dict[str, int]]] = []  # read in both precisions

    def call(self, target: Callable[..., object], arrays: tuple[Any, ...]) -> Any:
        """Calls the target on JAX arrays; in 32 bits from the first result that differs there.

        Results are compared where users run JAX in 32 bits.
        """
        result = self._call_once(target, arrays)
        if not self._comparisons_left or self._is_short:
            return result
        self._comparisons_left -= 1
        kept, self._is_short, self._dtype = self._dtype, True, "float32"
        short = self._call_once(target, arrays)
        if not _equal_up_to_float32(result, short):
            return short
        self._is_short, self._dtype = False, kept
        return result

    def _call_once(self, target: Callable[..., object], arrays: tuple[Any, ...]) -> object:
        import jax.numpy as jnp

        with self._bits():
            return self._in_its_types(
                lambda: _as_numpy(target(*(jnp.asarray(self._in_type(a)) for a in arrays)))
            )

    def _in_its_types(self, made: Callable[[], _T]) -> _T:
        """Runs a function; repeats it with float32 if an operation refuses to mix 64 and 32 bits.

        JAX raises a plain TypeError then, as for other mistakes: float32 is kept from then on if
        the function returns with it.
        """
        import jax

        try:
            return made()
        except (TypeError, TraceError) as error:
            cause: BaseException | None = error
            if isinstance(error, TraceError):
                cause = error.__cause__
            is_plain = isinstance(cause, TypeError) and not isinstance(
                cause, jax.errors.JAXTypeError
            )
            if not is_plain or self._dtype != "float64":
                raise
            self._dtype = "float32"
            with suppress(TypeError, TraceError):
                return made()
            self._dtype = "float64"
            raise

    def _in_type(self, array: Numbers) -> object:
        """Returns floats in the type that the target takes."""
        if array.dtype.kind == "f":
            return array.astype(self._dtype)
        return array

    def caller(self, target: Callable[..., object], *, first: bool) -> Callable[..., object]:
        """Returns the target uncompiled the first time; then compiled once for each shape."""
        import jax
        import jax.numpy as jnp

        def plainly(*arrays: object) -> object:
            with jax.disable_jit(), _all_branches():
                return self.call(target, arrays)

        def compiled(*arrays: Numbers) -> object:
            with self._bits():
                args = [jnp.asarray(self._in_type(a)) for a in arrays]
                key = tuple((a.shape, str(a.dtype)) for a in args)
                if key not in self._compiled:
                    made = (
                        jax.jit(_as_new_function(target))
                        .lower(*args)
                        .compile(compiler_options=QUICK)
                    )
                    self._compiled[key] = made
                return _as_numpy(self._compiled[key](*args))

        if first:
            return plainly
        return compiled

    def read(
        self, target: Callable[..., object], signature: Signature, pins: Mapping[str, int], *,
        limited: bool = False, spans: Spans = NO_SPANS,
    ) -> Drafts:  # fmt: skip
        """Reads the jaxpr for symbolic sizes as nodes."""
        try:
            found = self._read(target, signature, pins, spans, limited=limited)
        except TraceError as error:
            if not spans and (
                error.code == ErrorCode.TRACE_SIZE or _is_inconclusive_comparison(error.__cause__)
            ):
                error.spans = self._least_size(target, signature, pins)
            raise
        before = self._dtype, self._precision
        if self._wide or self._is_short or self._is_compared(signature, pins):
            return found
        self._is_short, self._dtype = True, "float32"
        both = found, self._read(target, signature, pins, spans, limited=limited)
        self._is_short = not is_near(*(d.builder.program(d.output) for d in both))
        if self._is_short:
            raise TraceError(
                "the target computes something else in 32 bits than in 64",
                code=ErrorCode.TRACE_AGAIN,
            )
        self._dtype, self._precision = before
        self._comparisons_left = 0
        if not spans:
            self._compared.append((signature, dict(pins)))
        return found

    def _least_size(
        self, target: Callable[..., object], signature: Signature, pins: Mapping[str, int]
    ) -> dict[str, tuple[int, int | None]]:
        """Finds the least size of one name from which the target can be read, if there is one."""

        def reads(name: str, low: int) -> bool:
            with contextlib.suppress(EqvproofError), spoken_from({name: low}):
                self._read(target, signature, pins, {name: (low, None)}, limited=False)
                return True
            return False

        free = [n for n in signature.input_names if n not in pins]
        for before, last in pairwise((1, NEAR_LEAST, LARGEST_LEAST)):  # reading is slow
            for name in (n for n in free if reads(n, last)):
                low, high = before, last
                while high - low > 1:
                    middle = (low + high) // 2
                    if reads(name, middle):
                        low, high = (low, middle)
                    else:
                        low, high = (middle, high)
                return {name: (high, None)}
        return {}

    def _is_compared(self, signature: Signature, pins: Mapping[str, int]) -> bool:
        """Checks whether it was read in both precisions with the same or fewer sizes fixed.

        What is read for all sizes holds at each size.
        """
        return any(s == signature and p.items() <= pins.items() for s, p in self._compared)

    def _read(
        self,
        target: Callable[..., object],
        signature: Signature,
        pins: Mapping[str, int],
        spans: Spans,
        *,
        limited: bool,
    ) -> Drafts:
        from eqvproof.tracing.framework_arrays import Node
        from eqvproof.tracing.jax import (
            comparisons,
            control,
            elementwise,
            indexing,
            linalg,
            reductions,
            shaping,
        )
        from eqvproof.tracing.jax.reader import Reader

        with self._bits():
            closed, symbols = self._in_its_types(
                lambda: self._jaxpr(target, signature, pins, spans)
            )
        self._precision = _shortest_precision(closed.jaxpr)
        reader = Reader(symbols, limited=limited, wide=self._wide)
        inputs = [Node(input_node(reader.builder, a, pins)) for a in signature.inputs]
        output = reader.output(closed, inputs)
        reader.builder.bits = min(reader.builder.bits, BITS.get(self._precision, 16))
        require_shape(
            reader.builder.shape(output), signature, pins, "the target returns an array of"
        )
        modules = (comparisons, control, elementwise, indexing, linalg, reductions, shaping)
        del modules  # imported for what they enter in the table
        limits = machine.limits(reader.builder, symbols.dims)
        return Drafts(reader.builder, reader.places, output, limits, reader.builder.modular)

    def _jaxpr(
        self,
        target: Callable[..., object],
        signature: Signature,
        pins: Mapping[str, int],
        spans: Spans,
    ) -> tuple[Jaxpr, Symbols]:
        """Returns the closed jaxpr, and its symbolic sizes."""
        import jax

        symbols = Symbols([n for n in signature.input_names if n not in pins], spans)
        arguments = []
        for argument in signature.inputs:
            shape = [axis.size.substitute(dict(pins)) for axis in argument.axes]
            whole = np.dtype(np.int32 if self._is_short else np.int64)
            plain = {"bool": np.dtype(np.bool_), "index": whole}
            dtype = plain.get(argument.kind, np.dtype(self._dtype))
            arguments.append(jax.ShapeDtypeStruct([symbols.dim(s) for s in shape], dtype))
        return _closed_jaxpr(target, arguments), symbols

    def holders(self, target: Callable[..., object]) -> list[tuple[dict[str, Any], str]]:
        """Returns an empty list: layers are trees that calls do not change."""
        return []

    def precision(self, target: Callable[..., object]) -> str:
        """Returns the shortest floating type in which something is computed."""
        if self._precision == "float64" and self._is_short:
            return "float32"
        return self._precision

    def widened(self, target: Callable[..., object]) -> FrameworkTarget | None:
        """Returns None: arrays are given in float64, and casts in the code remain."""
        return None

    def session(self) -> AbstractContextManager[object]:
        """Returns a context with 64 bits in this thread."""
        return in_64_bits(wide=True)

    @contextmanager
    def _bits(self) -> Iterator[None]:
        """Sets the bits in which the target is called and read, in a block."""
        with warnings.catch_warnings(), in_64_bits(wide=not self._is_short):
            if self._is_short:  # JAX caches arrays of NumPy that it has converted in 64 bits
                warnings.filterwarnings("ignore", "Explicitly requested dtype")
            yield


def in_64_bits(*, wide: bool) -> AbstractContextManager[object]:
    """Sets in a block whether JAX computes in 64 bits."""
    import jax

    if hasattr(jax, "enable_x64"):
        made: AbstractContextManager[object] = jax.enable_x64(wide)
        return made
    from jax.experimental import enable_x64

    older: AbstractContextManager[object] = enable_x64(wide)
    return older


@contextmanager
def _all_branches() -> Iterator[None]:
    """Makes uncompiled code run all branches, as in a trace.

    Without this, JAX calls the chosen branch alone.
    """
    from jax._src.lax.control_flow import conditionals

    asked = getattr(conditionals, "config", None)
    if asked is None:
        yield
        return
    conditionals.config = _Compiling(asked)
    try:
        yield
    finally:
        conditionals.config = asked


class _Compiling:
    """JAX's settings, except that functions count as compiled."""

    def __init__(self, settings: Any) -> None:
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        if name == "disable_jit":
            return SimpleNamespace(value=False)
        return getattr(self._settings, name)


def _is_inconclusive_comparison(error: BaseException | None) -> bool:
    """Checks whether JAX was asked to order sizes whose order is not the same at all sizes."""
    return type(error).__name__ == "InconclusiveDimensionOperation"


def _as_new_function(target: Callable[..., object]) -> Callable[..., object]:
    """Returns a new function object, so that code compiled for other calls is not reused."""
    return lambda *args: target(*args)


def _as_numpy(result: object) -> Any:
    import jax

    if isinstance(result, (jax.Array, float, int, np.generic)):
        return np.asarray(result)
    return result


def _equal_up_to_float32(wide: object, short: object) -> bool:
    """Checks whether two results are equal up to the rounding and range of float32."""
    if not isinstance(wide, np.ndarray) or not isinstance(short, np.ndarray):
        return type(wide) is type(short)
    if wide.shape != short.shape or {wide.dtype.kind, short.dtype.kind} - set("fiub"):
        return bool(wide.shape == short.shape)
    x, y = wide.astype(np.float64), short.astype(np.float64)
    in_range = np.isfinite(y) | (np.abs(x) < np.finfo(np.float32).max)
    scale = np.max(np.abs(x), initial=0.0, where=np.isfinite(x))
    gap = np.abs(np.where(np.isfinite(x) | np.isfinite(y), x - y, 0.0))
    return bool(np.all((gap <= NEAR * scale)[in_range]))


def _closed_jaxpr(target: Callable[..., object], arguments: list[object]) -> Jaxpr:
    """Returns the closed jaxpr of a target that returns one array."""
    import jax

    with record_size_questions() as noted, texts_only_told((jax.core.Tracer,)):
        try:
            closed, shape = jax.make_jaxpr(_as_new_function(target), return_shape=True)(*arguments)
        except TraceError:
            raise
        except Exception as error:
            if noted:
                raise noted[0] from error
            text = str(error).strip().splitlines()
            raise TraceError(
                "JAX could not trace the target for all sizes",
                given=f"{type(error).__name__}: {text[0] if text else ''}",
                hint="branches on values or sizes, and sizes made numbers, cannot be traced",
                code="trace.jax",
            ) from error
    if noted:
        raise noted[0]
    if not hasattr(shape, "shape") or len(closed.out_avals) != 1:
        raise no_array(shape)
    return closed


def _shortest_precision(jaxpr: Jaxpr) -> str:
    """Returns the shortest floating type in which an equation computes."""
    order = [*BITS, "float16", "bfloat16"]
    worst = 0
    stack = [jaxpr]
    while stack:
        for equation in stack.pop().eqns:
            for value in equation.params.values():
                inner = getattr(value, "jaxpr", value)
                if hasattr(inner, "eqns"):
                    stack.append(inner)
            if equation.primitive.name not in MOVES:
                names = [str(v.aval.dtype) for v in equation.outvars if hasattr(v.aval, "dtype")]
                worst = max([worst, *(order.index(n) for n in names if n in order)])
    return order[worst]


def adapt(target: Callable[..., object], signature: Signature) -> FrameworkTarget:
    """Returns a JAX target behind the calling convention of NumPy targets."""
    return FrameworkTarget(target, Jax())
