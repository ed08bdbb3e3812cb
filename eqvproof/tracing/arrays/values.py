"""The data of a traced array: its node, kind of numbers, and the memory that NumPy would give it.

Memory matters for writes in place: a view shares it, so that a write through one name changes the
other. Every traced array that NumPy might make as a view is counted as one.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeGuard, cast

import numpy as np

from eqvproof.programs import Size
from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays import machine
from eqvproof.tracing.arrays.context import TraceContext

Kind = Literal["f", "i", "b"]
#: An array of NumPy.
Numbers = np.ndarray[Any, Any]
DTYPES: dict[str, np.dtype[Any]] = {
    k: np.dtype(t) for k, t in (("f", "float64"), ("i", "int64"), ("b", "bool"))
}


class Storage:
    """The memory of one array and its views.

    Attributes:
        of: the complex array of which it is a part, and which writes would change.
        users: the traced arrays that share it.
    """

    __slots__ = ("_locked", "of", "users")

    def __init__(self, locked: str = "") -> None:
        self._locked = locked
        self.of: weakref.ref[object] | None = None
        self.users: list[weakref.ref[TracedArray]] = []

    @property
    def locked(self) -> str:
        """Returns why nobody may write into it now, or ""."""
        if self.of is not None and self.of() is not None:
            return "a part of a complex array"
        return self._locked

    @locked.setter
    def locked(self, reason: str) -> None:
        self._locked = reason

    def join(self, tracer: TracedArray) -> None:
        """Registers one more array that uses this memory."""
        self.users = [r for r in self.users if r() is not None]
        self.users.append(weakref.ref(tracer))

    def live(self) -> list[TracedArray]:
        """Lists the arrays that use it now, each after the one that it is a part of."""
        return [t for r in self.users if (t := r()) is not None]


@dataclass(frozen=True, slots=True)
class Infinities:
    """Where an array is infinite. Its infinite entries have one sign.

    Attributes:
        numbers: a node that is 1 where entries are numbers, and 0 where they are infinite.
        high: whether the infinite entries are +inf, and not -inf.
    """

    numbers: int
    high: bool = False


#: The hint of refusals of infinite entries.
INFINITE = (
    "-inf is traced in masks that end in exp, softmax or a maximum, +inf in those of a minimum"
)


class Value:
    """The internal data of a traced array.

    Attributes:
        context: the trace that it belongs to.
        node: its node; stale while `entries` is set.
        kind: "f" floats, "i" integers, "b" booleans.
        dtype: of integers, their type; `int` for Python's, which have no width.
        storage: its memory.
        scalar: whether NumPy gives a scalar here (immutable), not a 0-dimensional array.
        entries: position -> node of the entries written so far, while an array of fixed shape is
            filled entry by entry.
        blank: whether entries that were not written yet have no value (np.empty).
        infinite: where entries are infinite; None if all are numbers.
        part: the indexed array and the index, if the array is a view made by an index.
        listed: whether Python has a list, a range or an iterator here, and no array.
    """

    __slots__ = (
        "blank",
        "context",
        "dtype",
        "entries",
        "infinite",
        "kind",
        "listed",
        "node",
        "part",
        "scalar",
        "storage",
    )

    def __init__(
        self,
        context: TraceContext,
        node: int,
        kind: Kind,
        dtype: Any,
        storage: Storage,
        *,
        scalar: bool,
    ) -> None:
        self.context = context
        self.node = node
        self.kind = kind
        self.dtype = dtype
        self.storage = storage
        self.scalar = scalar
        self.entries: dict[int, int] | None = None
        self.blank = False
        self.infinite: Infinities | None = None
        self.listed = False
        self.part: tuple[Array, tuple[Any, ...]] | None = None

    @property
    def shape(self) -> tuple[Size, ...]:
        """Returns the sizes of the axes."""
        return self.context.builder.shape(self.node)

    @property
    def low_flags(self) -> int | None:
        """Returns a node that is 0 where entries are -inf and 1 elsewhere; None if none is -inf."""
        if self.infinite is None or self.infinite.high:
            return None
        return self.infinite.numbers


class Namespace(Protocol):
    """The type of NumPy's namespace when it is called on traced arrays."""

    def __getattr__(self, name: str) -> Callable[..., Array]: ...


#: NumPy, typed as functions of traced arrays.
xp = cast(Namespace, np)


class TracedArray:
    """The base class of traced arrays; `eqvproof.tracing.arrays.tracer` defines their methods."""

    __slots__ = ("__weakref__", "_eqvproof")
    _eqvproof: Value

    def __init__(self, value: Value) -> None:
        object.__setattr__(self, "_eqvproof", value)


if TYPE_CHECKING:

    class Array(TracedArray):
        """The static type of traced arrays, with their methods and attributes."""

        shape: tuple[Any, ...]
        size: int
        ndim: int
        dtype: np.dtype[Any]
        real: Array
        imag: Array

        def _unary(self) -> Array: ...
        def _binary(self, other: object) -> Array: ...
        def __getitem__(self, index: object) -> Array: ...
        def __iter__(self) -> Iterator[Array]: ...
        def __len__(self) -> int: ...
        def __getattr__(self, name: str) -> Callable[..., Array]: ...
        def __eq__(self, other: object) -> Any: ...
        def __ne__(self, other: object) -> Any: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = _binary
        __truediv__ = __rtruediv__ = __pow__ = __lt__ = __le__ = __gt__ = __ge__ = _binary
        __neg__ = _unary

else:
    Array = TracedArray


def make(
    context: TraceContext,
    node: int,
    kind: Kind = "f",
    *,
    view_of: TracedArray | None = None,
    array: bool = False,
    locked: str = "",
    dtype: machine.TypeLike = None,
    wraps: bool = True,
) -> Array:
    """Builds a traced array for a node.

    Args:
        context: the trace.
        node: its node.
        kind: its kind of numbers.
        view_of: an array whose memory it may share.
        array: whether a result without axes is an array rather than a scalar.
        locked: why nobody may write into it.
        dtype: of integers, their type, or `int`; None: that of `view_of`, or what the call gives.
        wraps: whether integers that are too large for it are taken modulo 2^bits.
    """
    if kind != "i":
        dtype = DTYPES[kind]
    elif dtype is None:
        if view_of is None:
            dtype, wraps = context.integers
        else:
            dtype, wraps = (view_of._eqvproof.dtype, True)
    if kind == "i" and dtype is not int:
        node = kept(context, node, dtype, wraps=wraps)
    context.mark_lines()
    if view_of is None:
        storage = Storage(locked)
    else:
        storage = view_of._eqvproof.storage
    if locked and not storage.locked:
        storage.locked = locked
    value = Value(
        context, node, kind, dtype, storage, scalar=not array and not context.builder.shape(node)
    )
    tracer: Array = context.answers.array(value)
    storage.join(tracer)
    return tracer


def kept(context: TraceContext, node: int, dtype: machine.TypeLike, *, wraps: bool = True) -> int:
    """Returns the node of integers as a type stores them (modulo 2^bits).

    The trace is refused where they may be too large and `wraps` is not set.
    """
    found = machine.stored(context.builder, node, dtype, wraps=wraps)
    if found is None:
        context.refuse(machine.too_large(dtype), hint=machine.HINT, code=ErrorCode.TRACE_WIDTH)
    return found


class TracedSelection:
    """The entries of a traced array that a mask selects; `boolean_indexing.Picked` is the only kind."""

    __slots__ = ()


def is_selection(value: object) -> TypeGuard[Any]:
    """Checks whether a value is the entries of a traced array that a mask selects."""
    return issubclass(type(value), TracedSelection)


class ComplexArray:
    """A complex array: a `Pair` of its real and imaginary parts, or a `FourierTransform`."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def real(self) -> Array:
            """Returns the real part."""
            ...

        @property
        def imag(self) -> Array:
            """Returns the imaginary part."""
            ...


def is_complex(value: object) -> TypeGuard[ComplexArray]:
    """Checks whether a value is a complex array of a trace."""
    return issubclass(type(value), ComplexArray)


def is_complex_constant(value: object) -> bool:
    """Checks whether a value is a complex number or array of Python or NumPy."""
    scalar = type(value) is complex or issubclass(type(value), np.complexfloating)
    return scalar or (type(value) is np.ndarray and value.dtype.kind == "c")


def is_traced(value: object) -> TypeGuard[Array]:
    """Checks whether a value is a traced array."""
    return issubclass(type(value), TracedArray)


def is_certain_array(value: TracedArray) -> bool:
    """Checks whether NumPy has an array here for all inputs: axes tell it from a scalar."""
    return bool(value._eqvproof.shape) and not value._eqvproof.listed


def as_listed(array: Array) -> Array:
    """Marks an array as one that stands for a list, a range or an iterator of its entries."""
    array._eqvproof.listed = True
    return array


def is_listed(value: object) -> TypeGuard[Sequence[object]]:
    """Checks whether a value is a list or tuple, without asking a traced array for its class."""
    return type(value) in (list, tuple)


def joint_dtype(dtypes: Iterable[Any]) -> tuple[Any, bool]:
    """Returns the type that NumPy gives integers of several types, and whether that is certain."""
    found = {t for t in dtypes if t is not int and t.kind in "iu"}
    if not found:
        return DTYPES["i"], True
    joint = np.result_type(*found)
    if joint.kind in "iu":
        return (joint, True)
    return (min(found, key=lambda t: t.itemsize), False)


def joint_kind(parts: Iterable[Array]) -> Kind:
    """Returns the kind of numbers to which NumPy promotes these arrays."""
    kinds = {p._eqvproof.kind for p in parts}
    if "f" in kinds:
        return "f"
    if "i" in kinds:
        return "i"
    return "b"


def node_of(tracer: TracedArray) -> int:
    """Returns the node of a traced array of numbers after all its pending writes."""
    settle(tracer)
    value = tracer._eqvproof
    if value.infinite is not None:
        sign = "+" if value.infinite.high else "-"
        value.context.refuse(
            f"an array with entries {sign}inf is used as numbers",
            hint=INFINITE,
            code="trace.nonfinite",
        )
    return value.node


def settle(tracer: TracedArray) -> None:
    """Combines entries that were written one by one into a node."""
    value = tracer._eqvproof
    if value.entries is None:
        if value.blank:
            value.context.refuse(
                "the array of np.empty is used before it is filled", hint="use np.zeros"
            )
        return
    entries, value.entries = value.entries, None
    b = value.context.builder
    shape = value.shape
    total = b.prod_sizes(value.node).constant or 0
    flat = b.reshape(value.node, (total,))
    parts: list[int] = []
    position = 0
    while position < total:
        if position in entries:
            parts.append(b.reshape(entries[position], (1,)))
            position += 1
            continue
        if value.blank:
            value.context.refuse(
                "the array of np.empty is used before all of it is filled", hint="use np.zeros"
            )
        start = position
        while position < total and position not in entries:
            position += 1
        parts.append(b.slice(flat, 0, start, position - start))
    value.blank = False
    value.node = b.reshape(b.concat(parts, 0), shape)
    value.context.mark_lines()


def constant_entries(tracer: TracedArray) -> Numbers | None:
    """Returns the exact entries of a constant as Fractions; None for other values.

    Such a value is rational, and depends on no input.
    """
    value = tracer._eqvproof
    if value.infinite is not None:
        return None
    node = node_of(tracer)
    b = value.context.builder
    op = b.nodes[node]
    shape = value.shape
    if any(s.constant is None for s in shape):
        return None
    sizes = tuple(s.constant or 0 for s in shape)
    result = np.empty(sizes, dtype=object)
    if op.constant is not None:
        result.ravel()[:] = [Fraction(v) for v in op.constant.ravel().tolist()]
        return result
    scalar = b.scalar_value(node)
    if scalar is not None:
        result.fill(scalar)
        return result
    return None
