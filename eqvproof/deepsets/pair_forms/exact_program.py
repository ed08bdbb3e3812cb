"""A pair form as a Program for all n: the formula of Prop. 4.1 as it stands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from eqvproof.deepsets.pair_forms.symbols import Expressions
from eqvproof.errors import DomainError
from eqvproof.program import Builder, Program, Size

_FUNCTIONS: dict[Any, str] = {
    getattr(sympy, name): name for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign")
} | {sympy.Abs: "abs", sympy.floor: "floor", sympy.ceiling: "ceil", sympy.atan: "arctan"}


def program_of(e: Expressions, d: int | None, k: int) -> Program:
    """`X g~(Z^T X)` with inputs "X: d n, Z: d k" (d a number, or any size); "X: k n" alone for ``d`` 0."""
    b = Builder()
    n = Size.of("n")
    if d == 0:
        X = b.input("X", (Size.of(k), n))
        Y = X
    else:
        rows = Size.of("d") if d is None else Size.of(d)
        X = b.input("X", (rows, n))
        Y = b.matmul(b.transpose(b.input("Z", (rows, Size.of(k)))), X)
    writer = _Writer(b)
    coordinates = [b.squeeze(b.slice(Y, 0, j, 1), 0) for j in range(k)]
    off = b.sub(b.const(1), b.eye(n))

    def places(symbols: tuple[Any, ...], axis: int, rank: int) -> dict[Any, int]:
        found = {}
        for s, value in zip(symbols, coordinates, strict=True):
            for other in range(rank):
                value = value if other == axis else b.expand(value, other)
            found[s] = value
        return found

    points = places(e.x, 0, 3) | places(e.y, 1, 3) | places(e.z, 2, 3)
    sums = {}
    for s, psi in zip(e.s, e.psi2, strict=True):
        terms = b.broadcast_to(writer.write(psi, points), (n, n, n))
        sums[s] = b.einsum([terms, off, off], [[0, 1, 2], [0, 1], [0, 2]], [1, 2])
    pair = writer.write(e.rho2, places(e.y, 0, 2) | places(e.z, 1, 2) | sums)
    own_sums = {}
    for s, psi in zip(e.s1, e.psi1, strict=True):
        terms = b.broadcast_to(writer.write(psi, places(e.x, 0, 2) | places(e.y, 1, 2)), (n, n))
        own_sums[s] = b.einsum([terms, off], [[0, 1], [0, 1]], [1])
    own = b.broadcast_to(writer.write(e.rho1, dict(zip(e.y, coordinates, strict=True)) | own_sums), (n,))
    diagonal = b.mul(b.eye(n), own)
    g = b.add([b.mul(b.broadcast_to(pair, (n, n)), off), diagonal])
    return b.program(b.matmul(X, g))


class _Writer:
    """Expressions as nodes."""

    def __init__(self, builder: Builder) -> None:
        self.b = builder

    def write(self, e: Any, names: dict[Any, int]) -> int:
        """The node of an expression; values broadcast."""
        b = self.b
        if e in names:
            return names[e]
        if e.is_Rational:
            return b.const(Fraction(int(e.p), int(e.q)))
        if e.is_Float:
            return b.const(Fraction(float(e)))
        if e is sympy.pi:
            return b.pi()
        if e is sympy.E:
            return b.map("exp", [b.const(1)])
        args = [a for a in e.args]
        if isinstance(e, sympy.Add | sympy.Mul):
            result = self.write(args[0], names)
            for a in args[1:]:
                other = self.write(a, names)
                if isinstance(e, sympy.Mul):
                    result = b.mul(result, other)
                else:
                    shape = b.broadcast_shapes([b.shape(result), b.shape(other)])
                    result = b.add([b.broadcast_to(result, shape), b.broadcast_to(other, shape)])
            return result
        if isinstance(e, sympy.Pow) and e.exp.is_Rational:
            return b.power(self.write(e.base, names), Fraction(int(e.exp.p), int(e.exp.q)))
        if isinstance(e, sympy.Max | sympy.Min):
            result = self.write(args[0], names)
            for a in args[1:]:
                fn = "maximum" if isinstance(e, sympy.Max) else "minimum"
                result = b.map(fn, [result, self.write(a, names)])
            return result
        if e.func in _FUNCTIONS:
            return b.map(_FUNCTIONS[e.func], [self.write(args[0], names)])
        raise DomainError(
            "a pair form holds something that Programs do not have",
            given=str(e.func),
            expected="sums, products, powers and elementary functions",
            hint="write it with those",
        )
