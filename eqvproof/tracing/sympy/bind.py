"""Binding of SymPy symbols, by name, to the arguments and the axis sizes of a signature."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from eqvproof.claims.signature import Argument, Signature
from eqvproof.programs import Size
from eqvproof.support.errors import ErrorCode, TraceError

#: An expression of SymPy, which has no type information.
Expression = Any


class Binding:
    """The meaning of the symbols of an expression.

    Args:
        expression: the expression.
        signature: its typing: a matrix symbol, an indexed base or a symbol is the argument of its
            name.
        pins: axis sizes that are one number.

    Raises:
        TraceError: a symbol is no argument and no size, or has another shape than the argument.
    """

    def __init__(
        self, expression: Expression, signature: Signature, pins: Mapping[str, int]
    ) -> None:
        import sympy

        self.signature, self.pins = signature, dict(pins)
        self.sizes: dict[str, Size] = {}
        for symbol in sorted(expression.atoms(sympy.MatrixSymbol), key=str):
            self._bind(symbol)
        for symbol in sorted(expression.atoms(sympy.MatrixSymbol), key=str):
            self.shape(symbol)

    def argument(self, name: str, expression: object) -> Argument:
        """Returns the argument of a name. Raises: TraceError."""
        for argument in self.signature.inputs:
            if argument.name == name:
                return argument
        raise TraceError(
            f"the symbol {name} is no argument of the signature",
            given=str(expression),
            expected="one of " + ", ".join(self.signature.argument_names),
            hint="symbols bind to arguments, and to axis sizes, by name",
            code="trace.symbol",
        )

    def argument_sizes(self, argument: Argument) -> tuple[Size, ...]:
        """Returns the sizes of the axes of an argument."""
        return tuple(axis.size.substitute(self.pins) for axis in argument.axes)

    def matrix_sizes(self, argument: Argument, symbol: Expression) -> tuple[Size, Size]:
        """Returns the sizes of an argument as rows and columns.

        A vector is n x 1, or 1 x n if its symbol has that shape.
        """
        sizes = self.argument_sizes(argument)
        if len(sizes) == 2:
            return sizes[0], sizes[1]
        one = Size.of(1)
        if len(sizes) == 1:
            if symbol.shape[0] == 1 and symbol.shape[1] != 1:
                return (one, sizes[0])
            return (sizes[0], one)
        raise TraceError(
            f"{symbol} is a matrix, the argument {argument} has {len(sizes)} axes",
            hint="write a scalar as a Symbol, and entries of other arrays as IndexedBase",
            code="trace.symbol",
        )

    def _bind(self, symbol: Expression) -> None:
        argument = self.argument(symbol.name, symbol)
        for extent, size in zip(symbol.shape, self.matrix_sizes(argument, symbol), strict=True):
            if extent.is_Symbol and extent.name not in self.signature.names:
                self.sizes.setdefault(extent.name, size)

    def shape(self, symbol: Expression) -> tuple[Size, Size]:
        """Returns the shape of a matrix symbol, checked against the argument of its name."""
        argument = self.argument(symbol.name, symbol)
        wanted = self.matrix_sizes(argument, symbol)
        for extent, size in zip(symbol.shape, wanted, strict=True):
            found = self.size(extent)
            if found != size:
                hint = ""
                if extent.is_Integer:
                    hint = f"fix the size, as in sizes={{'{size}': {extent}}}"
                raise TraceError(
                    f"{symbol.name} has an axis of size {extent}, the signature says {size}",
                    given=f"{symbol.name} of shape {symbol.shape}",
                    expected=str(argument),
                    hint=hint,
                    code="trace.symbol",
                )
        return wanted

    def _named(self, name: str) -> Size:
        return Size.of(name).substitute(self.pins)

    def is_size(self, name: str) -> bool:
        """Checks whether a name stands for the size of an axis."""
        return name in self.sizes or name in self.signature.names

    def size(self, expression: Expression) -> Size:
        """Converts a polynomial in sizes with integer coefficients to a Size.

        Raises:
            TraceError: it is something else.
        """
        if expression.is_Integer:
            return Size.of(int(expression))
        if expression.is_Symbol and self.is_size(expression.name):
            found = self.sizes.get(expression.name)
            if found is None:
                return self._named(expression.name)
            return found
        if expression.is_Add or expression.is_Mul:
            first, *others = (self.size(a) for a in expression.args)
            if expression.is_Add:
                return sum(others, start=first)
            return prod(others, start=first)
        if expression.is_Pow and expression.exp.is_Integer and expression.exp >= 0:
            result = Size.of(1)
            for _ in range(int(expression.exp)):
                result = result * self.size(expression.base)
            return result
        raise TraceError(
            "a size that is no polynomial in the sizes of the axes",
            given=str(expression),
            expected="symbols that name axes of the signature: " + ", ".join(self.signature.names),
            code=ErrorCode.TRACE_SIZE,
        )
