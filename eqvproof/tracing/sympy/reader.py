"""Reader of SymPy expressions as Programs: one handler for each class, found by name.

Other classes are refused.

Symbols are real numbers, whatever SymPy assumes of them, and roots and logarithms of negative
numbers are undefined. Conjugates, real and imaginary parts are read where no such root is inside:
SymPy would return from complex numbers to real ones.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from eqvproof.programs import Builder, Size
from eqvproof.support.errors import EqvproofError, TraceError
from eqvproof.tracing.arrays.functions.registry import handles
from eqvproof.tracing.sympy.bind import Binding, Expression
from eqvproof.tracing.sympy.values import Range, Value

Handler = Callable[["Reader", Expression], Value]
TABLE: dict[str, Handler] = {}


reads = partial(handles, TABLE)


class Reader:
    """Reads an expression recursively.

    Attributes:
        builder: the Program under construction.
        binding: what the symbols stand for.
        scope: what bound symbols are: index letters with their range, or values (arguments of a
            Lambda).
    """

    def __init__(self, binding: Binding) -> None:
        self.builder = Builder()
        self.binding = binding
        self.scope: dict[object, tuple[str, Range] | Value] = {}
        self._known: dict[object, Value] = {}
        self._letters = 0

    def read(self, expression: object) -> Value:
        """Reads a subexpression and returns its value.

        Raises:
            TraceError: its class is not read, or not in this use.
        """
        if not self.scope and expression in self._known:
            return self._known[expression]
        kind = type(expression)
        found = (TABLE[c.__name__] for c in kind.__mro__ if c.__name__ in TABLE and is_of_sympy(c))
        # a class of the user's may evaluate itself otherwise than the one that it derives from
        handler = next(found, None) if is_of_sympy(kind) else None
        if handler is None:
            raise TraceError(
                f"the SymPy class {kind.__name__} is not read",
                given=str(expression),
                hint="write it with sums, products and elementary functions",
                code="trace.operation",
            )
        try:
            value = handler(self, expression)
        except TraceError:
            raise
        except EqvproofError as error:
            raise TraceError(
                f"in {expression}: {error.message}", given=error.given, hint=error.hint
            ) from error
        if not self.scope:
            self._known[expression] = value
        return value

    def all(self, expressions: Sequence[Expression]) -> list[Value]:
        """Reads some subexpressions."""
        return [self.read(e) for e in expressions]

    def under(self, bound: Mapping[object, tuple[str, Range] | Value], expression: object) -> Value:
        """Reads a subexpression in which some symbols are bound."""
        before, self.scope = self.scope, {**self.scope, **bound}
        try:
            return self.read(expression)
        finally:
            self.scope = before

    def letter(self, symbol: object) -> str:
        """Returns a new index letter."""
        self._letters += 1
        return f"{symbol}.{self._letters}"

    def number(self, value: object) -> Value:
        """Builds a rational number."""
        return Value(self.builder.const(value))

    def size(self, size: Size) -> Value:
        """Builds a size as a number."""
        return Value(self.builder.size(size))


def is_of_sympy(kind: type) -> bool:
    """Checks whether SymPy defines a class, under its own name."""
    home = sys.modules.get(str(kind.__module__))
    is_own = str(kind.__module__).partition(".")[0] == "sympy"
    return is_own and getattr(home, kind.__name__, None) is kind
