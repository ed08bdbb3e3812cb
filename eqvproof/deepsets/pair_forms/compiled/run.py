"""Evaluates pair forms by machine code on all cores: sums over points, then columns.

Used for NumPy arrays of float64 or float32 only; everything else is evaluated in tiles
(`eqvproof.deepsets.pair_forms.evaluate`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from eqvproof.deepsets.emit.llvm import llvm
from eqvproof.deepsets.pair_forms.compiled.loops import (
    Shape,
    compile_loop,
    lane_count,
    most_columns,
    numbers_of_lanes,
)
from eqvproof.deepsets.pair_forms.compiled.stages import PreparedStage, can_compile, prepare
from eqvproof.deepsets.pair_forms.pieces import Piece, evaluate_at_points, make_piece
from eqvproof.deepsets.pair_forms.plan import Plan, Sum
from eqvproof.deepsets.pair_forms.sums import SplitSum
from eqvproof.deepsets.phi.formula import EXPANDED
from eqvproof.deepsets.phi.numbers import two_sum
from eqvproof.deepsets.progress import Progress
from eqvproof.deepsets.threads import in_threads

#: least number of pairs evaluated by machine code; largest number of coordinates of points (beyond
#: it, matrix products are used)
FEWEST, MOST_COORDINATES = 1 << 22, 32
#: vectors of lanes in one call: their totals fit the second cache
_VECTORS = 64


def is_worth_it(plan: Plan, Y: Any, xp: Any) -> bool:
    """Checks whether machine code evaluates the pairs of these points, and of all ranges of them."""
    if xp is not np or Y.dtype.kind != "f" or len(Y) ** 2 < FEWEST or Y.shape[1] > MOST_COORDINATES:
        return False
    if any(s.groups == "yz" for s in plan.sums) or llvm() is None:
        return False
    return all(can_compile(piece) for piece in _pieces(plan))


def _pieces(plan: Plan) -> list[Piece]:
    e = plan.e
    if plan.softmax is not None:
        exponent, _, group = plan.softmax
        return [_softmax_piece(plan), make_piece((exponent,), plan.point(group), e.x)]
    found = []
    if plan.products is None:
        found.append(make_piece((plan.rho,), e.y, e.z))
    for s in (*plan.sums, *(plan.diagonal or ())):
        if s.groups in ("y", "z") and s.inner != 1:
            found.append(_inner_piece(s, plan))
    return found


def _inner_piece(s: Sum, plan: Plan) -> Piece:
    return make_piece((s.inner,), plan.point(s.groups), plan.e.x)


def _softmax_piece(plan: Plan) -> Piece:
    """Returns the piece of rho with its exponential written as `exp(E - largest)`."""
    _, (at_pair, written, stand_in), _ = plan.softmax  # type: ignore[misc]
    weight = sympy.exp(at_pair - sympy.Symbol("largest", real=True))
    return make_piece((written.subs(stand_in, weight),), plan.e.y, plan.e.z)


def _working_points(plan: Plan, Y: np.ndarray) -> np.ndarray:
    """Converts the points to the dtype of the loop.

    It is float64 if terms are left out of sums, or if a function needs it.
    """
    special = {node.op for piece in _pieces(plan) for node in piece.formula.nodes} & set(EXPANDED)
    if plan.whole and special <= {"exp"}:
        return Y
    return Y.astype(np.float64)


def pair_sum(s: Sum, work: Any, start: int, stop: int, *, leave_out: bool) -> SplitSum:
    """Computes `sum_k inner(x_k, y_i)` for i in a range, as high + low.

    With ``leave_out``, the sum is over k != i.

    Exactness: the error is below `n^2 2^-106` times the largest partial sum.
    """
    points = _working_points(work.plan, work.Y)
    ready = prepare(
        _inner_piece(s, work.plan),
        points[start:stop],
        points,
        work.centre.astype(points.dtype),
        left_is_lane=True,
        fused=work.plan.whole,
    )
    diagonal = []
    if leave_out:
        diagonal = [np.zeros(stop - start, points.dtype)]
    _, state = run_loop([ready], "sum", None, work.n, stop - start, start, work, diagonal=diagonal)
    return SplitSum(state[0][:, None], state[1][:, None])


def softmax_sums(
    work: Any, X: np.ndarray | None, start: int, stop: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Computes the sums of a softmax for i in a range, in float64.

    They are `sum_k X_k exp(E(x_k, y_i) - m_i)` (d, m), `m_i = max_k E`, and the sum of the
    exponentials.
    """
    exponent, _, group = work.plan.softmax
    points = _working_points(work.plan, work.Y)
    piece = make_piece((exponent,), work.plan.point(group), work.plan.e.x)
    centre = work.centre.astype(points.dtype)
    ready = prepare(piece, points[start:stop], points, centre, left_is_lane=True)
    totals, state = run_loop([ready], "softmax", X, work.n, stop - start, start, work)
    return totals, state[0], state[1]


def output_columns(
    work: Any,
    X: np.ndarray,
    sums: dict[str, Any],
    start: int,
    stop: int,
    diagonal: np.ndarray | None,
) -> np.ndarray:
    """Computes columns start to stop of X g~ (d, m) from the sums for all points.

    ``diagonal`` is g~_ii in that range.
    """
    plan, Y, n = work.plan, work.Y, work.n
    points = _working_points(plan, Y)
    dtype, centre, lanes = points.dtype, work.centre.astype(points.dtype), slice(start, stop)
    row_names: dict[str, Any] = {}
    lane_names: dict[str, Any] = {}
    names_of = {"y": row_names, "z": lane_names}
    stages: list[PreparedStage] = []
    pending: list[tuple[Sum, bool, np.ndarray, np.ndarray, int]] = []
    if plan.softmax is not None:
        group = plan.softmax[2]
        names_of[group]["largest"] = _take_range(sums["max"], group, lanes, dtype)
    for s in plan.sums:
        name = s.symbol.name
        if s.inner == 1:
            row_names[name] = dtype.type(plan.count_of_terms(n))
        elif plan.whole:
            value = sums[name].value
            if s.groups == "":
                row_names[name] = value.astype(dtype).reshape(())
            else:
                names_of[s.groups][name] = _take_range(value, s.groups, lanes, dtype)
        elif s.groups == "":
            piece = make_piece((s.inner,), plan.e.x, ())
            (own,) = (np.asarray(v, np.float64) for v in evaluate_at_points(piece, Y, {}, np))
            own = np.broadcast_to(own.reshape(-1), (n,))
            high, lost = two_sum(sums[name].high.reshape(()), -own)
            pending.append((s, False, high, sums[name].low.reshape(()) + lost, -1))
            lane_names["left out " + name] = own[lanes]
        else:
            in_lane = s.groups == "z"
            left, right = points, points[lanes]
            if in_lane:
                left, right = right, left
            stages.append(
                prepare(
                    _inner_piece(s, plan), left, right, centre, left_is_lane=in_lane, fused=False
                )
            )
            high, low = (
                _take_range(part, s.groups, lanes, dtype)
                for part in (sums[name].high, sums[name].low)
            )
            pending.append((s, in_lane, high, low, len(stages) - 1))
    names = tuple(s.symbol.name for s, *_ in pending)
    if plan.softmax is not None:
        piece = _softmax_piece(plan)
    else:
        piece = make_piece((plan.rho,), plan.e.y, plan.e.z)
    stages.append(
        prepare(
            piece,
            points,
            points[lanes],
            centre,
            row_names=row_names,
            lane_names=lane_names,
            pair_names=names,
        )
    )
    left_out = [
        (in_lane, high, low, term, lane_names.get("left out " + s.symbol.name))
        for s, in_lane, high, low, term in pending
    ]
    own_values = []
    if diagonal is not None:
        own_values = [diagonal]
    totals, _ = run_loop(
        stages,
        "output",
        X,
        n,
        stop - start,
        start,
        work,
        left_out=left_out,
        diagonal=own_values,
    )
    return totals.astype(X.dtype)


def _take_range(values: np.ndarray, group: str, lanes: slice, dtype: Any) -> np.ndarray:
    """Returns values (n, 1) at all rows, or at the lanes of a range."""
    flat = values.reshape(-1).astype(dtype)
    if group == "y":
        return flat
    return flat[lanes]


def run_loop(
    stages: list[PreparedStage],
    kind: str,
    X: np.ndarray | None,
    n: int,
    m: int,
    first: int,
    work: Any,
    *,
    left_out: list[tuple[bool, Any, Any, int, Any]] | None = None,
    diagonal: list[np.ndarray] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Runs a loop over n rows and m lanes; returns its totals (d, m) and its state (2, m)."""
    rows = [v for stage in stages for v in stage.rows]
    lanes = [v for stage in stages for v in stage.lanes]
    dtype = np.dtype(np.float64)
    if rows or lanes:
        dtype = np.result_type(*rows, *lanes)
    places = []
    for in_lane, high, low, term, own in left_out or []:
        side = lanes if in_lane else rows
        side += [high, low]
        at = len(side) - 2
        if own is not None:
            lanes.append(own)
            term = -len(lanes)
        places.append((in_lane, at, at + 1, term))
    lanes += diagonal or []
    d = groups = width = 0
    if X is not None and len(X):
        d = len(X)
        groups = -(-d // most_columns())
        width = -(-d // groups)
    shape = Shape(tuple(s.stage for s in stages), kind, width, groups, bool(dtype == np.float32),
                  bool(diagonal), tuple(places))  # fmt: skip
    count = lane_count(single=shape.single)
    vectors = -(-m // count)
    if numbers_of_lanes(shape) != len(lanes) or shape.rows != len(rows):
        raise ValueError("the stages do not use all numbers")
    at_rows = np.ascontiguousarray(np.array(rows, dtype=dtype).reshape(len(rows), n).T)
    at_lanes = np.zeros((vectors, len(lanes), count), dtype)
    for q, v in enumerate(lanes):
        padded = np.zeros(vectors * count, dtype)
        padded[:m] = v
        at_lanes[:, q] = padded.reshape(vectors, count)
    columns = np.zeros((groups, n, width), dtype)
    for c in range(d):
        columns[c // width, :, c % width] = X[c]  # type: ignore[index]
    totals = np.zeros((vectors, groups * width, count))
    state = np.zeros((vectors, 2, count))
    if kind == "softmax":
        state[:, 0] = -np.inf
    function = compile_loop(shape)
    pointers = [a.ctypes.data for a in (columns, totals, state)]

    def part(v: int) -> None:
        last = min(v + _VECTORS, vectors)
        function(at_rows.ctypes.data, n, at_lanes.ctypes.data, v, last, *pointers, first)

    starts = range(0, vectors, _VECTORS)
    with Progress("pairs of points", len(starts)) as bar:
        in_threads(part, starts, work.threads, bar.advance)
    work.count(n, m)
    found, numbers = (
        a.transpose(1, 0, 2).reshape(a.shape[1], vectors * count)[:, :m] for a in (totals, state)
    )
    return found[:d], numbers
