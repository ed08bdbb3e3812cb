"""Builds the Program of a pair form for all n, from the formula of Prop. 4.1 as printed."""

from __future__ import annotations

from typing import Any

import sympy

from eqvproof.claims.signature import parse_signature
from eqvproof.deepsets.pair_forms.symbols import Expressions
from eqvproof.programs import Program, Size
from eqvproof.tracing.sympy import scalars  # noqa: F401  (registers its handlers)
from eqvproof.tracing.sympy.bind import Binding
from eqvproof.tracing.sympy.reader import Reader
from eqvproof.tracing.sympy.values import Range, Value, repeat_along_letters


def build_program(e: Expressions, d: int | None, k: int) -> Program:
    """Builds the Program of `X g~(Z^T X)` with inputs "X: d n, Z: d k".

    With ``d`` None, the Program is for all d; with 0, its only input is "X: k n".

    Raises:
        TraceError: Programs do not have an operation of an expression.
    """
    rows: int | str = "d"
    if d is not None:
        rows = d or k
    r = Reader(
        Binding(sympy.S.Zero, parse_signature(f"X: {rows} n, Z: {rows} {k} -> {rows} n"), {})
    )
    b, n = r.builder, Size.of("n")
    X = Y = b.input("X", (Size.of(rows), n))
    if d != 0:
        Y = b.matmul(b.transpose(b.input("Z", (Size.of(rows), Size.of(k)))), X)
    coordinates = [b.squeeze(b.slice(Y, 0, j, 1), 0) for j in range(k)]
    off = b.sub(b.const(1), b.eye(n))

    def at(symbols: tuple[Any, ...], letter: str) -> dict[Any, Value]:
        return {s: Value(node, (letter,)) for s, node in zip(symbols, coordinates, strict=True)}

    def array(expression: Any, bound: dict[Any, Value], letters: str) -> int:
        return repeat_along_letters(
            b, r.under(bound, expression), letters, [Range(Size.of(0), n)] * len(letters)
        )

    x, y, z = at(e.x, "k"), at(e.y, "i"), at(e.z, "j")
    terms = [array(psi, x | y | z, "kij") for psi in e.psi2]
    sums = [b.einsum([t, off, off], [[0, 1, 2], [0, 1], [0, 2]], [1, 2]) for t in terms]
    pair = array(
        e.rho2, y | z | {s: Value(t, ("i", "j")) for s, t in zip(e.s, sums, strict=True)}, "ij"
    )
    terms = [array(psi, x | y, "ki") for psi in e.psi1]
    sums = [b.einsum([t, off], [[0, 1], [0, 1]], [1]) for t in terms]
    own = array(e.rho1, y | {s: Value(t, ("i",)) for s, t in zip(e.s1, sums, strict=True)}, "i")
    return b.program(b.matmul(X, b.add([b.mul(pair, off), b.mul(b.eye(n), own)])))
