"""SymPy expressions as functions: called with NumPy arrays, and read to a Program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.programs import Builder, Size
from eqvproof.support.deadline import require_time
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError, error_text
from eqvproof.tracing.arrays.traced_program import require_shape
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.libraries import AdaptedFunction
from eqvproof.tracing.rounding import Point, agrees
from eqvproof.tracing.samples import NO_SPANS, Spans, make_inputs, require_finite
from eqvproof.tracing.sympy import matrices, scalars, sums
from eqvproof.tracing.sympy.bind import Binding, Expression
from eqvproof.tracing.sympy.numbers import value_at
from eqvproof.tracing.sympy.reader import TABLE, Reader
from eqvproof.tracing.sympy.values import Value
from eqvproof.tracing.trace import Trace

#: Greatest relative difference of a Program's values from SymPy's own.
SLACK = 1e-7
#: Most entries of an array that is compared: SymPy is slow.
MOST_ENTRIES = 64
TABLES = (scalars, sums, matrices)


class SympyTarget(AdaptedFunction):
    """A SymPy expression that is called as a NumPy function is.

    Args:
        expression: an expression, a matrix, an array, or a `Lambda` (whose variables bind by
            position).
        signature: the typing, whose argument names the symbols bind to.
    """

    library = "SymPy"

    def __init__(self, expression: Expression, signature: Signature) -> None:
        self.source = self
        self.expression = immutable(expression, signature)
        self.signature = signature
        self.numbers = numbers_in(self.expression)
        self.__name__ = "expression"

    def __call__(self, *arrays: Numbers) -> Numbers:
        """Returns SymPy's value at real numbers."""
        if any(a.dtype == object for a in arrays):
            raise TypeError("a SymPy expression is evaluated on floats")
        given = dict(zip(self.signature.argument_names, arrays, strict=True))
        sizes = self.signature.shown_sizes(a.shape for a in arrays)
        pins = {n: s for n, s in sizes.items() if n in self.signature.input_names}
        binding = Binding(self.expression, self.signature, pins)
        return self._shaped(value_at(self.expression, binding, given, pins))

    def _shaped(self, value: Numbers) -> Numbers:
        rank = len(self.signature.output)
        if value.ndim == 2 and rank < 2 and value.shape.count(1) >= 2 - rank:
            if rank:
                return value.reshape(value.size)
            return value.reshape(())
        return value

    def trace(
        self, signature: Signature, pins: Mapping[str, int], *, limited: bool = False,
        spans: Spans = NO_SPANS,
    ) -> Trace:  # fmt: skip
        """Returns the Program, compared with SymPy's own values at several sizes, 1 among them.

        Raises:
            TraceError: a part of the expression is not read, or the values differ.
        """
        pins = {n: s for n, s in pins.items() if n in signature.input_names}
        binding = Binding(self.expression, signature, pins)
        reader = Reader(binding)
        for argument in signature.inputs:
            reader.builder.input(argument.name, binding.argument_sizes(argument))
        node = read_output(reader, self.expression, signature, pins)
        program = reader.builder.program(node)
        finite = 0
        rng = np.random.default_rng(0)
        for sizes, style in replay_inputs(signature, pins):
            require_time()
            inputs = make_inputs(signature, sizes, style, rng)
            if sum(a.size for a in inputs.values()) > MOST_ENTRIES and finite:
                continue
            finite += self._replay(Point(program, sizes, inputs), style)
        require_finite(finite)
        return Trace(program, {})

    def confirm(self, trace: Trace, signature: Signature, pins: Mapping[str, int]) -> None:
        """Checks nothing more: an expression is the same at all sizes."""

    def _replay(self, at: Point, style: str) -> int:
        expected = at.value()
        try:
            result = np.asarray(self(*(at.inputs[a.name] for a in self.signature.inputs)))
        except EqvproofError:
            raise
        except Exception as error:
            if not np.isfinite(expected).any():
                return 0
            raise TraceError(
                f"SymPy does not evaluate the expression: {error_text(error)}",
                given=f"{style} numbers at {dict(at.sizes)}",
                code=ErrorCode.TRACE_REPLAY,
            ) from error
        if not agrees(at, result, expected, SLACK, style):
            raise TraceError(
                "the expression and its Program differ",
                given=f"{style} numbers at {dict(at.sizes)}: {result.tolist()} and"
                f" {expected.tolist()}",
                code=ErrorCode.TRACE_REPLAY,
            )
        return int(np.isfinite(expected).any())


def adapt(expression: Expression, signature: Signature) -> SympyTarget:
    """Returns a SymPy expression behind the calling convention of NumPy functions."""
    return SympyTarget(expression, signature)


def replay_inputs(
    signature: Signature, pins: Mapping[str, int]
) -> Iterator[tuple[dict[str, int], str]]:
    """Yields sizes and styles of the inputs at which values are compared."""
    free = [n for n in signature.input_names if n not in pins]
    small = [dict.fromkeys(free, s) for s in (1, 2, 3)]
    small.append({n: 2 + i % 3 for i, n in enumerate(free)})
    small.append({n: 4 - i % 3 for i, n in enumerate(free)})
    small.append({n: 1 if i % 2 else 3 for i, n in enumerate(free)})
    small.append({n: 3 if i % 2 else 1 for i, n in enumerate(free)})
    unique = [s for i, s in enumerate(small) if s not in small[:i]]
    for sizes in unique:
        yield {**pins, **sizes}, "normal"
    for style in ("integers", "zeros", "positive", "ties", "negative"):
        yield {**pins, **unique[min(1, len(unique) - 1)]}, style


def immutable(expression: Expression, signature: Signature) -> Expression:
    """Converts an expression to SymPy's immutable objects.

    A Lambda becomes its body, with variables named as the arguments.
    """
    import sympy

    if isinstance(expression, sympy.MatrixBase):
        expression = sympy.ImmutableDenseMatrix(expression)
    if isinstance(expression, sympy.NDimArray):
        expression = sympy.ImmutableDenseNDimArray(expression)
    if isinstance(expression, sympy.Lambda):
        names = signature.argument_names
        if len(names) != len(expression.variables):
            raise TraceError(
                f"a Lambda of {len(expression.variables)} variables for {len(names)} arguments",
                given=str(expression),
            )
        renamed = {}
        for variable, name in zip(expression.variables, names, strict=True):
            if isinstance(variable, sympy.MatrixSymbol):
                renamed[variable] = sympy.MatrixSymbol(name, *variable.shape)
            else:
                renamed[variable] = sympy.Symbol(name)
        others = expression.expr.atoms(sympy.Symbol, sympy.MatrixSymbol) - {*expression.variables}
        outer = {symbol for symbol in expression.free_symbols if symbol.name in names}
        for symbol in sorted(outer | others.intersection(renamed.values()), key=str):
            raise TraceError(
                f"the body of a Lambda holds another symbol called {symbol}, as an argument is",
                given=str(expression),
                hint="rename the argument in the signature, or the symbol",
                code="trace.symbol",
            )
        return immutable(expression.expr.xreplace(renamed), signature)
    pending = expression.atoms(sympy.Derivative, sympy.Integral, sympy.Limit)
    return expression.xreplace({p: p.doit() for p in pending})


def numbers_in(expression: object) -> tuple[object, ...]:
    """Returns the rational numbers that stand in an expression."""
    import sympy

    if isinstance(expression, sympy.Basic):
        atoms = sorted(expression.atoms(sympy.Number), key=str)
    else:
        atoms = []
    return tuple(scalars.exact_rational(a) for a in atoms if a.is_finite)


def read_output(
    reader: Reader, expression: object, signature: Signature, pins: Mapping[str, int]
) -> int:
    """Returns the node of the expression, in the shape that the signature declares.

    Raises:
        TraceError: it has another shape.
    """
    import sympy

    b = reader.builder
    if isinstance(expression, sympy.NDimArray):
        nodes = [b.expand(_scalar(reader, e), 0) for e in sympy.flatten(expression)]
        node = b.reshape(b.concat(nodes, 0), [int(s) for s in expression.shape])
    else:
        value = reader.read(expression)
        if value.letters:
            raise TraceError(
                "an index without a sum", given=", ".join(value.letters), code=ErrorCode.TRACE_INDEX
            )
        node = _lowered(b, value, len(signature.output))
    require_shape(b.shape(node), signature, pins, f"the expression {expression} has")
    return node


def _scalar(reader: Reader, expression: object) -> int:
    value = reader.read(expression)
    if value.letters or value.rank:
        raise TraceError("an array with entries that are not numbers", given=str(expression))
    return value.node


def _lowered(b: Builder, value: Value, rank: int) -> int:
    """Converts a one-column or one-row matrix to a declared vector, one entry to a scalar."""
    node, one = value.node, Size.of(1)
    if value.rank == 2 and rank == 1 and one in b.shape(node):
        return b.squeeze(node, 1 if b.shape(node)[1] == one else 0)
    if value.rank == 2 and rank == 0 and b.shape(node) == (one, one):
        return b.sum(node)
    return node


__all__ = ["TABLE", "SympyTarget"]
