"""Reader of jaxprs, equation by equation, with a handler for each primitive; others are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from eqvproof.programs import Size, new_builder
from eqvproof.support.deadline import require_time
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError
from eqvproof.tracing.arrays.functions.registry import handles
from eqvproof.tracing.arrays.machine import (
    HINT,
    TypeLike,
    fits,
    is_within,
    require_stored,
    too_large,
)
from eqvproof.tracing.arrays.paths import Path, chosen, every_path
from eqvproof.tracing.arrays.values import Numbers, is_complex
from eqvproof.tracing.framework_arrays import Node, as_values, reader_context
from eqvproof.tracing.jax import special_values
from eqvproof.tracing.jax.equations import Equation, Handler, Jaxpr, Variable
from eqvproof.tracing.jax.sizes import Symbols
from eqvproof.tracing.jax.values import Affine, Columns, Known, Value, entry_bounds, lift, shape_of
from eqvproof.tracing.observing.frames import owner_of_file

TABLE: dict[str, Handler] = {}
#: Functions of JAX's own modules that are read as one operation: (file, function) -> handler.
WHOLE: dict[tuple[str, str], Handler] = {}


primitive = partial(handles, TABLE)


def library_function(file: str, *names: str) -> Callable[[Handler], Handler]:
    """Returns a decorator that registers a handler for functions of one of JAX's own files."""

    def enter(handler: Handler) -> Handler:
        WHOLE.update({(file, name): handler for name in names})
        return handler

    return enter


class Reader:
    """Translates jaxprs to nodes of a Program.

    Args:
        symbols: the symbolic sizes.
        limited: as in `Builder`.
        wide: whether JAX computes in 64 bits outside of this trace: if not, 64 bits here are 32
            there.

    Attributes:
        builder: the Program under construction.
        symbols: the symbolic sizes.
        places: node -> (file, line) of the user's code.
        path: the path that is read: where either of two sizes may be larger, both cases are read.
    """

    def __init__(self, symbols: Symbols, *, limited: bool = False, wide: bool = True) -> None:
        self.builder = new_builder(limited=limited)
        self.context = reader_context(self.builder)
        self.symbols = symbols
        self._wide = wide
        self.path = Path()
        self.places: dict[int, tuple[tuple[str, int], ...]] = {}
        self._constants: dict[
            int, Numbers
        ] = {}  # the values of nodes that depend on constants only

    def run(self, jaxpr: Jaxpr, consts: Sequence[Value], args: Sequence[Value]) -> list[Value]:
        """Returns the values of the outputs of an open jaxpr."""
        env: dict[object, Value] = {}
        env.update(zip(jaxpr.constvars, consts, strict=True))
        env.update(zip(jaxpr.invars, args, strict=True))

        def value(atom: object) -> Value:
            if hasattr(atom, "val"):
                return Known(_literal(atom))
            return env[atom]

        for equation in jaxpr.eqns:
            require_time()
            before = len(self.builder.nodes)
            results = self._equation(equation, [value(a) for a in equation.invars])
            env.update(zip(equation.outvars, results, strict=True))
            self._record_line(equation, before)
        return [value(a) for a in jaxpr.outvars]

    def output(self, closed: Jaxpr, args: Sequence[Value]) -> int:
        """Returns the output of a closed jaxpr, as a choice by the orders of sizes asked for."""

        def way(path: Path) -> tuple[int | None, None]:
            self.path = path
            self.symbols.lesser.clear()
            (value,) = self.closed(closed, args)
            return self.node(value), None

        # no code of the user's runs while a jaxpr is read
        return chosen(self.builder, list(every_path(way, start_anew=lambda: None)))

    def is_at_least(self, size: Size, other: Size) -> bool | None:
        """Decides whether one size is at least the other, if known or on the path being read.

        None where too many questions were asked. The lesser one is known from then on.
        """
        if (size - other).is_at_least(0):
            return True
        if (other - size).is_at_least(0):
            return False
        b = self.builder
        answer = self.path.answer(b.map("ge", [b.size(size), b.size(other)]))
        if answer is not None:
            self.symbols.lesser[frozenset((size, other))] = other if answer else size
        return answer

    def closed(self, closed: Jaxpr, args: Sequence[Value]) -> list[Value]:
        """Returns the values of the outputs of a closed jaxpr."""
        return self.run(closed.jaxpr, [self.known(c) for c in closed.consts], args)

    def known(self, const: Any) -> Known:
        """Returns a closed-over array as a known value."""
        import jax

        if jax.dtypes.issubdtype(const.dtype, jax.dtypes.prng_key):
            found = np.empty((), dtype=object)
            found[()] = const
            return Known(found)
        return Known(np.asarray(const))

    def _equation(self, equation: Equation, args: list[Value]) -> list[Value]:
        name = equation.primitive.name
        folded = self._evaluate_constant(equation, args)
        if folded is not None:
            return self._as_stored(equation, folded)
        handler = library_function_handler(equation) or TABLE.get(name)
        special = (
            any(map(is_complex, args))
            or "c" in map(_letter, equation.outvars)
            or special_values.has_infinite_arguments(name, args)
        )
        if special and name not in INLINED:
            handler = partial(special_values.evaluate_special, handler)
        if handler is None:
            raise TraceError(
                f"the JAX primitive {name} is not read", given=str(name), code="trace.operation"
            )
        try:
            made = handler(self, equation, *args)
        except TraceError:
            raise
        except EqvproofError as error:
            raise TraceError(
                f"in {name}: {error.message}", given=error.given, hint=error.hint, spans=error.spans
            ) from error
        found = self._as_stored(equation, as_values(made))
        self._record_constants(equation, args, found)
        return found

    def _as_stored(self, equation: Equation, values: Sequence[Value]) -> list[Value]:
        """Returns results with integers and booleans as their types store them."""
        rounds = (
            equation.primitive.name == "convert_element_type" and _letter(equation.invars[0]) == "f"
        )
        summed = "b" in map(_letter, equation.invars)
        found: list[Value] = []
        for value, variable in zip(values, equation.outvars, strict=True):
            if _letter(variable) in ("i", "u"):
                found.append(self._store_integers(value, variable.aval.dtype, wraps=not rounds))
            elif _letter(variable) == "b":
                found.append(self._store_boolean(value, summed=summed))
            else:
                found.append(value)
        return found

    def _store_boolean(self, value: Value, *, summed: bool) -> Value:
        """Returns a boolean result as 0 or 1; a sum of booleans as whether it is nonzero."""
        b = self.builder
        if not isinstance(value, Node):
            return value
        if not summed:
            b.bounds.setdefault(int(value), (0, 1))
        if fits(b, int(value), "bool"):
            return value
        return Node(b.map("ne", [int(value), b.const(0)]))

    def _store_integers(self, value: Value, dtype: TypeLike, *, wraps: bool) -> Value:
        kind = np.dtype(dtype)
        if kind.itemsize == 8 and not self._wide:
            kind = np.dtype(f"{kind.kind}4")
        # unsigned ones of 64 bits are random bits, drawn for floats of 64 bits
        if isinstance(value, Known):
            if kind.kind == "u":
                return value
            return Known(value.array.astype(kind))
        if isinstance(value, Node):
            return Node(require_stored(self.builder, int(value), kind, wraps=wraps))
        if isinstance(value, Affine) and not is_within(entry_bounds(self.builder, value), kind):
            return Node(require_stored(self.builder, lift(self.builder, value), kind))
        if isinstance(value, Columns):
            if not all(is_within(entry_bounds(self.builder, p), kind) for p in value.parts):
                raise TraceError(too_large(kind), hint=HINT, code=ErrorCode.TRACE_WIDTH)
        return value

    def _constant_of(self, value: Value) -> object:
        """Returns the constant that a value is, or None if it depends on the inputs."""
        if isinstance(value, Known):
            if value.array.dtype == object:
                return value.array[()]
            return value.array
        if isinstance(value, Node):
            return self._constants.get(int(value))
        return None

    def _run_in_jax(self, equation: Equation, args: Sequence[Value]) -> list[object] | None:
        """Evaluates an equation of constants with JAX; returns None for other equations."""
        symbolic = any(not isinstance(s, int) for v in equation.outvars for s in v.aval.shape)
        arrays = [self._constant_of(a) for a in args]
        if (
            symbolic
            or not args
            or any(a is None for a in arrays)
            or equation.primitive.name in INLINED
        ):
            return None
        for k, (array, variable) in enumerate(zip(arrays, equation.invars, strict=True)):
            if isinstance(array, np.ndarray):
                arrays[k] = array.astype(variable.aval.dtype)
        results = equation.primitive.bind(*arrays, **equation.params)
        if equation.primitive.multiple_results:
            return list(results)
        return [results]

    def _record_constants(
        self, equation: Equation, args: Sequence[Value], found: Sequence[Value]
    ) -> None:
        """Records JAX's results of constant equations, for later primitives without a handler."""
        nodes = [int(v) for v in found if isinstance(v, Node)]
        if len(nodes) == len(found):
            for node, result in zip(nodes, self._run_in_jax(equation, args) or (), strict=False):
                self._constants[node] = np.asarray(result)

    def _evaluate_constant(self, equation: Equation, args: list[Value]) -> list[Value] | None:
        """Returns constant results: integers, booleans, random keys, and functions not read.

        Returns None for equations that are not constant.
        """
        import jax

        floats = any(jax.numpy.issubdtype(v.aval.dtype, np.floating) for v in equation.outvars)
        known = equation.primitive.name in TABLE or library_function_handler(equation) is not None
        if floats and known:
            return None
        results = self._run_in_jax(equation, args)
        if results is None:
            return None
        return [self.known(r) for r in results]

    def _record_line(self, equation: Equation, before: int) -> None:
        """Records the user's line for the nodes that an equation made."""
        if len(self.builder.nodes) == before:
            return
        from jax._src import source_info_util

        for frame in source_info_util.user_frames(equation.source_info.traceback):
            if owner_of_file(frame.file_name) == "user":
                place = (frame.file_name, int(frame.start_line))
                for node in range(before, len(self.builder.nodes)):
                    self.places.setdefault(node, (place,))
                return

    # -- help for handlers
    # -----------------------------------------------------------------------------

    def node(self, value: Value) -> int:
        """Returns a value as a node."""
        return lift(self.builder, value)

    def nodes(self, values: Sequence[Value]) -> list[int]:
        """Returns values as nodes."""
        return [lift(self.builder, v) for v in values]

    def shape(self, value: Value) -> tuple[Size, ...]:
        """Returns the sizes of a value."""
        return shape_of(self.builder, value)

    def sizes(self, shape: Sequence[object]) -> list[Size]:
        """Returns a shape of JAX as sizes."""
        return self.symbols.shape(shape)


def _letter(variable: Variable) -> str:
    """Returns NumPy's letter for the kind of a variable; "" for others such as random keys."""
    import jax

    if jax.dtypes.issubdtype(variable.aval.dtype, jax.dtypes.prng_key):
        return ""
    return str(np.dtype(variable.aval.dtype).kind)


def _literal(atom: Variable) -> Numbers:
    """Returns a number in the code, rounded to its type."""
    array = np.asarray(atom.val)
    short = array.dtype.kind == "f" and atom.aval.dtype.itemsize < 8
    with np.errstate(over="ignore"):
        if short:
            return array.astype(atom.aval.dtype).astype(np.float64)
        return array


#: Primitives that contain a jaxpr, which is read in place -> the parameter that holds it.
INLINED: Mapping[str, str] = {
    "jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
    "remat": "jaxpr", "checkpoint": "jaxpr", "remat2": "jaxpr", "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr", "custom_vjp_call_jaxpr": "fun_jaxpr", "custom_lin": "jaxpr",
}  # fmt: skip


def inner_jaxpr(equation: Equation) -> object:
    """Returns the jaxpr that a call contains; None for other primitives."""
    parameter = INLINED.get(equation.primitive.name)
    if parameter is None:
        return None
    return equation.params.get(parameter)


def library_function_handler(equation: Equation) -> Handler | None:
    """Returns the handler of one of JAX's own functions that is read as one operation.

    The function is identified by its file and name.
    """
    inner = inner_jaxpr(equation)
    if inner is None:
        return None
    info = getattr(getattr(inner, "jaxpr", inner), "debug_info", None)
    source = str(getattr(info, "func_src_info", "") or "")
    name, _, place = source.partition(" at ")
    file = place.rpartition(":")[0]
    if not file or owner_of_file(file) == "user":
        return None
    parts = file.replace("\\", "/").split("/")
    return WHOLE.get(("/".join(parts[-2:]), name))


def read_inner_jaxpr(reader: Reader, equation: Equation, *args: Value) -> list[Value]:
    """Evaluates a call by reading its jaxpr in place."""
    inner = inner_jaxpr(equation)
    if hasattr(inner, "consts"):
        return reader.closed(inner, args)
    return reader.run(inner, [], args)


for _name in INLINED:
    primitive(_name)(read_inner_jaxpr)
