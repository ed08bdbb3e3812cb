"""Evaluates expressions of pairs of points on tiles of pairs.

Inner products are computed by matrix products, the rest entry by entry.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from eqvproof.deepsets.pair_forms.sums import is_exact
from eqvproof.deepsets.phi.formula import EXPANDED, FOREIGN, Formula, Tape
from eqvproof.deepsets.phi.numbers import Arrays, evaluate
from eqvproof.deepsets.phi.symbolic import ExpressionWriter

#: least number of terms of a polynomial of two points that is evaluated by matrix products
_FEW = 3


@dataclass(frozen=True, slots=True)
class Quadratic:
    """The polynomial `y^T W z + a(y) + b(z)`.

    Args:
        symbol: the symbol that stands for the polynomial.
        matrix: W.
        own: a(y).
        other: b(z).
        centred: whether the value stays the same when both points are translated; then their mean
            may be subtracted.
    """

    symbol: Any
    matrix: tuple[tuple[Any, ...], ...]
    own: Any
    other: Any
    centred: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """Expressions of (y, z) and of named values, ready to evaluate.

    Args:
        formula: the expressions; its columns are the coordinates of y and z, the named values, and
            the quadratics.
        names: the names of the values that are given in addition to the points.
        quadratics: the polynomials that are computed by matrix products.
        alone: the formula of a(y) of each quadratic, then b(z) of each; columns y, z.
        constants: pairs of a float64 and the rational constant that it rounds.
    """

    formula: Formula
    names: tuple[str, ...]
    quadratics: tuple[Quadratic, ...]
    alone: Formula
    constants: tuple[tuple[float, Fraction], ...] = ()


@functools.lru_cache(maxsize=1024)
def make_piece(expressions: tuple[Any, ...], y: tuple[Any, ...], z: tuple[Any, ...]) -> Piece:
    """Prepares expressions of y and z; other symbols are values given by their names."""
    found: list[Quadratic] = []
    rewritten = [_replace_quadratics(e, y, z, found, parent=None) for e in expressions]
    points = [*y, *z]
    known = set(points) | {q.symbol for q in found}
    others = sorted({s for e in rewritten for s in e.free_symbols} - known, key=lambda s: s.name)
    columns = {s: j for j, s in enumerate([*points, *others, *(q.symbol for q in found)])}
    tape = Tape(len(columns))
    writer = ExpressionWriter(tape, columns)
    formula = tape.formula(tuple(writer.write(e) for e in rewritten))
    plain = Tape(len(points))
    plain_writer = ExpressionWriter(plain, {s: j for j, s in enumerate(points)})
    alone = plain.formula(
        tuple(
            plain_writer.write(sympy.expand(e))
            for e in [q.own for q in found] + [q.other for q in found]
        )
    )
    constants = _rounded_constants([*rewritten, *(e for q in found for e in (q.own, q.other))])
    return Piece(formula, tuple(s.name for s in others), tuple(found), alone, constants)


def _rounded_constants(expressions: list[Any]) -> tuple[tuple[float, Fraction], ...]:
    """Finds the constants that a formula rounds; an exact evaluation uses them unrounded."""
    exact: dict[float, Fraction] = {}
    for e in expressions:
        for c in e.atoms(sympy.Rational):
            value = Fraction(int(c.p), int(c.q))
            variants = [value, -value]
            if value:
                variants.append(1 / value)
            for variant in variants:
                if Fraction(float(variant)) != variant:
                    exact[float(variant)] = variant
    for e in expressions:
        for c in e.atoms(sympy.Float):
            exact.pop(float(c), None)
    return tuple(sorted(exact.items()))


def _replace_quadratics(
    e: Any, y: tuple[Any, ...], z: tuple[Any, ...], found: list[Quadratic], parent: Any
) -> Any:
    free = e.free_symbols
    if not (free & set(y) and free & set(z)):
        return e
    if free <= set(y) | set(z) and isinstance(e, sympy.Expr) and e.is_polynomial(*y, *z):
        quadratic = _find_quadratic(e, y, z, len(found), inside_exp=isinstance(parent, sympy.exp))
        if quadratic is not None:
            for q in found:
                if (q.matrix, q.own, q.other) == (quadratic.matrix, quadratic.own, quadratic.other):
                    return q.symbol
            found.append(quadratic)
            return quadratic.symbol
    if not e.args:
        return e
    return e.func(*(_replace_quadratics(a, y, z, found, e) for a in e.args))


def _find_quadratic(
    e: Any, y: tuple[Any, ...], z: tuple[Any, ...], index: int, *, inside_exp: bool
) -> Quadratic | None:
    """Writes a polynomial as `Quadratic`; returns None if cancellation could spoil its value.

    Cancellation is harmless if the polynomial is bilinear, is the argument of exp, or has a
    positive constant term.
    """
    if isinstance(e, sympy.Pow | sympy.Symbol):
        return None
    poly = sympy.Poly(e, *y, *z)
    if (
        poly.total_degree() > 2
        or len(poly.terms()) < _FEW
        or not all(c.is_number for c in poly.coeffs())
    ):
        return None
    k, symbols = len(y), [*y, *z]
    matrix = [[sympy.S.Zero] * k for _ in range(k)]
    own, other, constant = sympy.S.Zero, sympy.S.Zero, sympy.S.Zero
    for powers, c in poly.terms():
        left, right = sum(powers[:k]), sum(powers[k:])
        if left and right:
            matrix[powers[:k].index(1)][powers[k:].index(1)] = c
            continue
        monomial = c * sympy.Mul(*(s**p for s, p in zip(symbols, powers, strict=True)))
        if left:
            own += monomial
        else:
            other += monomial
        if not left and not right:
            constant += c
    if not any(c != 0 for row in matrix for c in row):
        return None
    bilinear = own == 0 and other == 0
    if not (bilinear or inside_exp or constant.is_positive):
        return None
    centred = all(
        sympy.expand(sympy.diff(e, a) + sympy.diff(e, b)) == 0 for a, b in zip(y, z, strict=True)
    )
    rows = tuple(map(tuple, matrix))
    return Quadratic(sympy.Symbol(f"quadratic{index}", real=True), rows, own, other, centred)


def evaluate_piece(
    piece: Piece, left: Any, right: Any, names: dict[str, Any], centre: Any, xp: Any
) -> list[Any]:
    """Evaluates the expressions for all pairs of a tile.

    Args:
        piece: the expressions.
        left: points y (a, k).
        right: points z (b, k).
        names: values (a, 1), (1, b) or (a, b), or numbers.
        centre: (k,), subtracted from both if that does not change the value.
        xp: numpy or cupy.

    Returns:
        Arrays that broadcast to (a, b).
    """
    k = left.shape[1]
    columns = [left[:, j, None] for j in range(k)] + [right[None, :, j] for j in range(k)]
    columns += [names[name] for name in piece.names]
    for index, q in enumerate(piece.quadratics):
        a, b = left, right
        if q.centred:
            a, b = left - centre, right - centre
        matrix = _matrix_of_dtype(q.matrix, left.dtype, xp)
        shifted = [a[:, j, None] for j in range(k)] + [b[None, :, j] for j in range(k)]
        own, other = evaluate_formula(
            piece.alone, shifted, xp, (index, len(piece.quadratics) + index), piece.constants
        )
        products = (a @ matrix) @ b.T
        for part, expression in ((own, q.own), (other, q.other)):
            if expression != 0:
                products += part
        columns.append(products)
    return evaluate_formula(piece.formula, columns, xp, constants=piece.constants)


@functools.lru_cache(maxsize=256)
def _matrix_entries(rows: tuple[tuple[Any, ...], ...], *, exact: bool) -> Any:
    if not exact:
        return np.array([[float(c) for c in row] for row in rows])
    return np.array([[_to_fraction(c) for c in row] for row in rows], dtype=object)


def _to_fraction(number: Any) -> Fraction:
    """Converts a SymPy number to a Fraction; one that is not rational is rounded to float64."""
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    return Fraction(float(number))


def _matrix_of_dtype(rows: tuple[tuple[Any, ...], ...], dtype: Any, xp: Any) -> Any:
    return xp.asarray(_matrix_entries(rows, exact=dtype.kind == "O"), dtype=dtype)


def evaluate_at_points(piece: Piece, points: Any, names: dict[str, Any], xp: Any) -> list[Any]:
    """Evaluates expressions of y alone; returns arrays that broadcast to (n, 1)."""
    k = points.shape[1]
    columns = [points[:, j, None] for j in range(k)] + [names[name] for name in piece.names]
    return evaluate_formula(piece.formula, columns, xp, constants=piece.constants)


def evaluate_formula(
    formula: Formula,
    columns: list[Any],
    xp: Any,
    which: tuple[int, ...] | None = None,
    constants: tuple[tuple[float, Fraction], ...] = (),
) -> list[Any]:
    """Evaluates a formula on columns that broadcast; exp, sin, ... are those of the library."""
    like = next((c for c in columns if hasattr(c, "dtype")), None)
    exact = any(is_exact(c) for c in columns)
    numbers = Arrays(like, xp, exact=exact, constants=constants, keep=(*EXPANDED, *FOREIGN))
    wanted = formula.outputs
    if which is not None:
        wanted = tuple(formula.outputs[i] for i in which)
    return evaluate(formula.of(wanted), columns, numbers)
