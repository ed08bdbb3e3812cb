"""What stands behind a traced array: a node, a kind of numbers, and the memory that NumPy would give it.

Memory matters for writes in place: a view shares it, so that a write through one name changes the other.
Every traced array that NumPy might make as a view is counted as one.
"""

from __future__ import annotations

import cmath
import math
import weakref
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from eqvproof.frontends import machine
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.kept import Untold
from eqvproof.frontends.sizes import SymbolicSize, plain
from eqvproof.frontends.tables import Table
from eqvproof.program import Size, ops

if TYPE_CHECKING:
    from eqvproof.frontends.tracer import Tracer

Kind = Literal["f", "i", "b"]
DTYPES: dict[str, np.dtype[Any]] = {
    k: np.dtype(t) for k, t in (("f", "float64"), ("i", "int64"), ("b", "bool"))
}


class Storage:
    """The memory of one array and its views.

    Attributes:
        locked: why nobody may write into it, or "".
        users: the traced arrays that share it.
    """

    __slots__ = ("locked", "users")

    def __init__(self, locked: str = "") -> None:
        self.locked = locked
        self.users: list[weakref.ref[Any]] = []

    def join(self, tracer: Tracer) -> None:
        """Count one more user."""
        self.users = [r for r in self.users if r() is not None]
        self.users.append(weakref.ref(tracer))

    def shared(self) -> bool:
        """Whether more than one array uses it now."""
        return sum(r() is not None for r in self.users) > 1


class Value:
    """The inside of a traced array.

    Attributes:
        context: the trace that it belongs to.
        node: its node; stale while `entries` is set.
        kind: "f" floats, "i" integers, "b" booleans.
        dtype: of integers, their type; `int` for Python's, which have no width.
        storage: its memory.
        scalar: whether NumPy gives a scalar here (immutable), not a 0-dimensional array.
        entries: position -> node of the entries written so far, while an array of fixed shape is filled
            entry by entry.
        blank: whether entries that were not written yet have no value (np.empty).
        alive: a node that is 0 where entries are -inf and 1 elsewhere; None where all are numbers.
    """

    __slots__ = ("alive", "blank", "context", "dtype", "entries", "kind", "node", "scalar", "storage")

    def __init__(
        self, context: TraceContext, node: int, kind: Kind, dtype: Any, storage: Storage, *, scalar: bool
    ) -> None:
        self.context = context
        self.node = node
        self.kind = kind
        self.dtype = dtype
        self.storage = storage
        self.scalar = scalar
        self.entries: dict[int, int] | None = None
        self.blank = False
        self.alive: int | None = None

    @property
    def shape(self) -> tuple[Size, ...]:
        """The sizes of the axes."""
        return self.context.builder.shape(self.node)


def make(
    context: TraceContext,
    node: int,
    kind: Kind = "f",
    *,
    view_of: Tracer | None = None,
    array: bool = False,
    locked: str = "",
    dtype: Any = None,
    wraps: bool = True,
) -> Tracer:
    """A traced array for a node.

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
    from eqvproof.frontends.tracer import Tracer

    if kind != "i":
        dtype = DTYPES[kind]
    elif dtype is None:
        dtype, wraps = context.integers if view_of is None else (view_of._eqvproof.dtype, True)
    if kind == "i" and dtype is not int:
        node = kept(context, node, dtype, wraps=wraps)
    context.mark_lines()
    storage = Storage(locked) if view_of is None else view_of._eqvproof.storage
    if locked and not storage.locked:
        storage.locked = locked
    value = Value(context, node, kind, dtype, storage, scalar=not array and not context.builder.shape(node))
    tracer = Tracer(value)
    storage.join(tracer)
    return tracer


def kept(context: TraceContext, node: int, dtype: Any, *, wraps: bool = True) -> int:
    """What a type keeps of integers; refused where they may be too large and `wraps` is not set."""
    found = machine.stored(context.builder, node, dtype, wraps=wraps)
    if found is None:
        context.refuse(machine.too_large(dtype), hint=machine.HINT, code=machine.CODE)
    return found


def is_traced(value: Any) -> bool:
    """Whether it is a traced array."""
    from eqvproof.frontends.tracer import Tracer

    return type(value) is Tracer


def mentions_trace(value: Any, depth: int = 4) -> bool:
    """Whether traced values or symbolic sizes stand in it, also inside lists, tuples and dicts."""
    kind = type(value)
    if kind is SymbolicSize or is_traced(value):
        return True
    if depth and kind in (list, tuple):
        return any(mentions_trace(v, depth - 1) for v in value)
    if depth and kind is dict:
        return any(mentions_trace(v, depth - 1) for v in value.values())
    return False


def lift(context: TraceContext, value: Any) -> Any:
    """A number, a size, an array, a nested list or a traced array as a traced array."""
    from eqvproof.frontends.tracer import Tracer

    kind = type(value)
    if kind.__name__ == "Waves" and kind.__module__ == "eqvproof.frontends.waves":
        context.refuse("a complex array is used as a real one", hint="take np.abs, .real or .imag first")
    if kind is Untold:
        value.refuse()
    if kind is Tracer:
        if value._eqvproof.context is not context:
            context.refuse("a traced value of an earlier call: the function keeps state between calls")
        settle(value)
        return value
    if kind is SymbolicSize:
        return make(context, context.size(value._eqvproof[1]), "i", dtype=int)
    if kind is bool or issubclass(kind, np.bool_):
        return make(context, context.number(int(value)), "b")
    if kind is int or issubclass(kind, np.integer):
        return make(context, context.number(int(value)), "i", dtype=int if kind is int else value.dtype)
    if kind is Fraction:
        return make(context, context.number(value), "f")
    if (kind is float or issubclass(kind, np.floating)) and value == -np.inf:
        return _minus_infinity(context, np.asarray(float(value)))
    if kind is float or issubclass(kind, np.floating):
        named = named_constant(context, value)
        return make(context, context.number(_exact_float(value)), "f") if named is None else named
    if kind in (np.ndarray, Table):
        return _constant(context, np.asarray(value))
    if kind in (list, tuple):
        if not mentions_trace(value):
            return _constant(context, np.array(value))
        found = stacked(context, value)
        if found._eqvproof.dtype is not int:
            return found
        return make(context, found._eqvproof.node, "i", array=True, dtype=DTYPES["i"], wraps=False)
    context.refuse(
        f"a {kind.__module__}.{kind.__qualname__} cannot enter an array of real numbers"
        if kind.__module__ != "builtins"
        else f"a {kind.__qualname__} cannot enter an array of real numbers",
        hint="use NumPy arrays and numbers",
    )


#: The objects that are named constants, wherever the user's code keeps them.
NAMED: tuple[float, ...] = (math.pi, np.pi, cmath.pi, math.e, np.e, cmath.e, math.tau, cmath.tau)


def named_constant(context: TraceContext, value: Any) -> Any:
    """The exact real that a named constant stands for, or None."""
    if not any(value is c for c in NAMED):
        return None
    b = context.builder
    if value == math.e:
        return make(context, b.map("exp", [b.const(1)]))
    return make(context, b.pi() if value == math.pi else b.mul(b.const(2), b.pi()))


def _exact_float(value: Any) -> Any:
    if type(value) is float or issubclass(type(value), np.float64):
        return float(value)
    numerator, denominator = value.as_integer_ratio() if np.isfinite(value) else (float(value), 1)
    return Fraction(int(numerator), int(denominator)) if np.isfinite(value) else numerator


def _constant(context: TraceContext, array: np.ndarray[Any, Any]) -> Tracer:
    kind: Kind
    if array.dtype == object and all(type(v) in (int, float, Fraction) for v in array.ravel()):
        kind = "f"
    elif array.dtype.kind in "iu":
        kind = "i"
    elif array.dtype.kind == "b":
        kind = "b"
        array = array.astype(np.int64)
    elif array.dtype.kind == "f":
        kind = "f"
    else:
        context.refuse(f"an array of dtype {array.dtype} is no array of real numbers")
    if array.dtype == np.float64 and not np.isfinite(array).all() and (array < np.inf).all():
        return _minus_infinity(context, array)
    if kind == "f" and array.dtype != object and not np.isfinite(array).all():
        context.refuse(
            "a constant array that holds nan or inf",
            hint="use finite numbers",
            code="trace.nonfinite",
        )
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        context.bits = min(context.bits, 8 * array.dtype.itemsize)
    if array.dtype.kind == "f" and array.dtype != np.float64:
        array = np.array([_exact_float(v) for v in array.ravel()], dtype=object).reshape(array.shape)
    return make(context, context.builder.const(array), kind, array=True, dtype=array.dtype)


def _minus_infinity(context: TraceContext, array: np.ndarray[Any, Any]) -> Tracer:
    """A constant with entries -inf."""
    b, real = context.builder, np.isfinite(array)
    tracer = make(context, b.const(np.where(real, array, 0.0)), array=bool(array.ndim))
    tracer._eqvproof.alive = b.const(real.astype(np.int64))
    return tracer


def stacked(context: TraceContext, values: Any) -> Tracer:
    """The array that np.array makes of a nested list; of Python integers alone it has no type yet."""
    b = context.builder
    parts = [stacked(context, v) if type(v) in (list, tuple) else lift(context, v) for v in values]
    if len({p._eqvproof.shape for p in parts}) != 1:
        context.refuse("a list of arrays of different shapes")
    nodes = [b.expand(p._eqvproof.node, 0) for p in parts]
    types = [p._eqvproof.dtype for p in parts if p._eqvproof.kind == "i"]
    plain = bool(types) and all(t is int for t in types)
    dtype = int if plain else joint_dtype(DTYPES["i"] if t is int else t for t in types)[0]
    return make(context, b.concat(nodes, 0), joint_kind(parts), array=True, dtype=dtype)


def joint_dtype(dtypes: Iterable[Any]) -> tuple[Any, bool]:
    """The type that NumPy gives arrays of integers of several types, and whether that is sure."""
    found = {t for t in dtypes if t is not int and t.kind in "iu"}
    if not found:
        return DTYPES["i"], True
    joint = np.result_type(*found)
    return (joint, True) if joint.kind in "iu" else (min(found, key=lambda t: t.itemsize), False)


def joint_kind(parts: Any) -> Kind:
    """The kind that NumPy promotes to."""
    kinds = {p._eqvproof.kind for p in parts}
    return "f" if "f" in kinds else "i" if "i" in kinds else "b"


def node_of(tracer: Tracer) -> int:
    """The node of a traced array of numbers, all writes done."""
    settle(tracer)
    value = tracer._eqvproof
    if value.alive is not None:
        value.context.refuse(
            "an array with entries -inf is used as numbers",
            hint="-inf is traced in masks that end in exp or softmax",
            code="trace.nonfinite",
        )
    return value.node


def settle(tracer: Tracer) -> None:
    """Turn entries that were written one by one into a node."""
    value = tracer._eqvproof
    if value.entries is None:
        if value.blank:
            value.context.refuse("the array of np.empty is used before it is filled", hint="use np.zeros")
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


def shape_of(tracer: Tracer) -> tuple[int | SymbolicSize, ...]:
    """The shape as users see it: ints where sizes are fixed, symbols elsewhere."""
    value = tracer._eqvproof
    return tuple(plain(value.context, s) for s in value.shape)


def constant_entries(tracer: Tracer) -> np.ndarray[Any, Any] | None:
    """The exact rational entries of a value that depends on no input, as Fractions; None otherwise."""
    value = tracer._eqvproof
    if value.alive is not None:
        return None
    node = node_of(tracer)
    b = value.context.builder
    op = b.nodes[node]
    shape = value.shape
    if any(s.constant is None for s in shape):
        return None
    sizes = tuple(s.constant or 0 for s in shape)
    result = np.empty(sizes, dtype=object)
    if isinstance(op, ops.Const):
        result.ravel()[:] = op.values
        return result
    scalar = b.scalar_value(node)
    if scalar is not None:
        result.fill(scalar)
        return result
    return None
