"""Splits a formula of pairs of points into parts of one point, of the other, and of both.

    e(y_i, z_j) = p(a(y_i), b(z_j), y_i^T W z_j, ...)

The parts of one point are evaluated once for each point by NumPy; machine code for pairs reads
numbers of i (rows, one after another), numbers of j (side by side in lanes), and inner products.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.pieces import Piece, evaluate_formula
from eqvproof.deepsets.phi.expand import expand
from eqvproof.deepsets.phi.formula import FOREIGN, Formula, Node, Tape

#: the points that a value depends on: none, i, j, or both
CONSTANT, ROW, LANE, PAIR = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Product:
    """The inner product `u_i . v_j`, plus a number of i and a number of j.

    Args:
        terms: the length of u_i.
        of_row: whether a number of i is added.
        of_lane: whether a number of j is added.
    """

    terms: int
    of_row: bool
    of_lane: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """The operations of machine code at one pair.

    Args:
        pair: the formula; its columns are the numbers of i, the numbers of j, the products, and
            the values of earlier stages.
        rows: the count of numbers of i, besides those of the products.
        lanes: the count of numbers of j, besides those of the products.
        products: the inner products.
        fused: whether a product may be added without being rounded; if not, the value at a pair
            has the same bits in every loop.
    """

    pair: Formula
    rows: int
    lanes: int
    products: tuple[Product, ...]
    fused: bool


@dataclass(frozen=True, slots=True, eq=False)
class PreparedStage:
    """A stage with its numbers: arrays (n,) for the rows, and arrays (m,) for the lanes."""

    stage: Stage
    rows: list[np.ndarray]
    lanes: list[np.ndarray]


def can_compile(piece: Piece) -> bool:
    """Checks whether machine code has all functions of a piece."""
    return not any(node.op in FOREIGN for node in piece.formula.nodes)


def prepare(
    piece: Piece,
    left: np.ndarray,
    right: np.ndarray,
    centre: np.ndarray,
    *,
    left_is_lane: bool = False,
    row_names: Mapping[str, Any] | None = None,
    lane_names: Mapping[str, Any] | None = None,
    pair_names: tuple[str, ...] = (),
    fused: bool = True,
) -> PreparedStage:
    """Builds the stage of a piece, and its numbers.

    Args:
        piece: expressions of y and z.
        left: points y (n, k).
        right: points z (m, k).
        centre: (k,), subtracted from both in products that do not depend on it.
        left_is_lane: whether y is in the lanes and z in the rows.
        row_names: name -> values (n,), or a number.
        lane_names: name -> values (m,).
        pair_names: names of values that earlier stages compute.
        fused: see `Stage`.
    """
    of_row, of_lane, k = row_names or {}, lane_names or {}, left.shape[1]
    if left_is_lane:
        sides, row_points, lane_points = [LANE] * k + [ROW] * k, right, left
    else:
        sides, row_points, lane_points = [ROW] * k + [LANE] * k, left, right
    for name in piece.names:
        if name in pair_names:
            sides.append(PAIR)
        elif name in of_lane:
            sides.append(LANE)
        else:
            sides.append(ROW)
    sides += [PAIR] * len(piece.quadratics)
    cut = _SplitFormula(piece.formula, sides)
    rows, lanes = (
        _values_at_points(cut.of(side), points, piece.names, names)
        for side, points, names in ((ROW, row_points, of_row), (LANE, lane_points, of_lane))
    )
    counts, products = (len(rows), len(lanes)), []
    for index, q in enumerate(piece.quadratics):
        a, b = left, right
        if q.centred:
            a, b = left - centre, right - centre
        u, v = _factor_product(q.matrix, a, b)
        own, other = [], []
        if q.own != 0:
            own = [_term_of_one_point(piece, a, index)]
        if q.other != 0:
            other = [_term_of_one_point(piece, b, len(piece.quadratics) + index)]
        at_row, at_lane = [*u, *own], [*v, *other]
        if left_is_lane:
            at_row, at_lane = at_lane, at_row
        products.append(Product(len(u), len(at_row) > len(u), len(at_lane) > len(u)))
        rows += at_row
        lanes += at_lane
    places = {
        2 * k + i: pair_names.index(name)
        for i, name in enumerate(piece.names)
        if name in pair_names
    }
    pair = cut.pair(2 * k + len(piece.names), len(products), places, len(pair_names))
    return PreparedStage(Stage(pair, *counts, tuple(products), fused), rows, lanes)


def _factor_product(
    matrix: tuple[tuple[Any, ...], ...], a: np.ndarray, b: np.ndarray
) -> tuple[Any, Any]:
    """Factors `a W b^T` as `sum_t u_t v_t^T`; returns the vectors u_t and the vectors v_t.

    Their number is that of the nonzero rows of W, or of its nonzero columns, whichever is smaller.
    The products are computed entry by entry, so that a point's numbers do not depend on its place.
    """
    w = np.array([[float(c) for c in row] for row in matrix])
    rows, columns = np.flatnonzero(w.any(axis=1)), np.flatnonzero(w.any(axis=0))
    if len(columns) <= len(rows):
        return [_weighted_sum(a, w[:, c]) for c in columns], [b[:, c] for c in columns]
    return [a[:, r] for r in rows], [_weighted_sum(b, w[r]) for r in rows]


def _weighted_sum(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    total: Any = 0
    for j in np.flatnonzero(weights):
        total = total + points[:, j] * points.dtype.type(weights[j])
    return np.asarray(total)


def _term_of_one_point(piece: Piece, points: np.ndarray, which: int) -> np.ndarray:
    columns = [points[:, j] for j in range(points.shape[1])]
    (value,) = evaluate_formula(piece.alone, columns * 2, np, (which,))
    return _broadcast_to_points(value, points)


def _values_at_points(
    formula: Formula, points: np.ndarray, names: tuple[str, ...], given: Mapping[str, Any]
) -> list[np.ndarray]:
    """Evaluates the outputs of a formula at points of one side."""
    if not formula.outputs:
        return []
    own = [points[:, j] for j in range(points.shape[1])]
    # the formula does not use the columns of the other side
    columns = own * 2 + [given.get(name) for name in names] + [None] * formula.columns
    return [_broadcast_to_points(v, points) for v in evaluate_formula(formula, columns, np)]


def _broadcast_to_points(value: Any, points: np.ndarray) -> np.ndarray:
    array = np.asarray(value, dtype=points.dtype)
    return np.broadcast_to(array, (len(points),))


class _SplitFormula:
    """A formula that is split at the values of one point from which values of pairs are computed."""

    def __init__(self, formula: Formula, sides: list[int]) -> None:
        self.formula, self.side = formula, [CONSTANT] * len(formula.nodes)
        for i, node in enumerate(formula.nodes):
            if node.op == "column":
                self.side[i] = sides[int(node.value)]
            for a in node.args:
                self.side[i] |= self.side[a]
        used = [
            a for i, node in enumerate(formula.nodes) if self.side[i] == PAIR for a in node.args
        ]
        self.border: dict[int, list[int]] = {ROW: [], LANE: []}
        for a in (*used, *formula.outputs):
            if self.side[a] in self.border and a not in self.border[self.side[a]]:
                self.border[self.side[a]].append(a)

    def of(self, side: int) -> Formula:
        """Returns the formula of the values of one side that pairs use."""
        return self.formula.of(self.border[side])

    def pair(self, first: int, products: int, places: dict[int, int], given: int) -> Formula:
        """Returns the formula of pairs, with columns as in `Stage.pair`.

        Args:
            first: the column of the first product.
            products: the number of products.
            places: column -> place among the values of earlier stages.
            given: the number of values of earlier stages.
        """
        sides = [*self.border[ROW], *self.border[LANE]]
        tape = Tape(len(sides) + products + given)

        def write(node: Node, args: tuple[int, ...]) -> int:
            if node.op != "column":
                return tape.put(node.op, *args, value=node.value)
            at = int(node.value)
            if at in places:
                return tape.column(len(sides) + products + places[at])
            return tape.column(len(sides) + at - first)

        known = {value: tape.column(j) for j, value in enumerate(sides)}
        found = tape.copy(self.formula, self.formula.outputs, known, write)
        return expand(tape.formula(found), keep=("exp",))
