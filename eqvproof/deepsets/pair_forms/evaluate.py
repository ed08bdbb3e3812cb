"""X g~(Z^T X) in tiles: sums over k first, then every pair, then the products with X.

Memory: the points, the sums (a few numbers a point), and one tile of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.compiled import run as compiled
from eqvproof.deepsets.pair_forms.pieces import evaluate_alone, evaluate_formula, evaluate_piece, make_piece
from eqvproof.deepsets.pair_forms.plan import Plan, Sum
from eqvproof.deepsets.pair_forms.sums import Whole, wide
from eqvproof.deepsets.progress import Progress

#: points on each side of a tile; of a step where pairs need no visit
TILE, SLAB = 512, 8192
_TILE_3 = 48


class Work:
    """What an evaluation carries along: the arrays' namespace, and how many entries it has evaluated."""

    __slots__ = ("centre", "entries", "threads", "xp")

    def __init__(self, xp: Any, centre: Any, threads: int = 1) -> None:
        self.xp, self.centre, self.threads, self.entries = xp, centre, threads, 0

    def count(self, *sizes: int) -> None:
        """Counts the entries of one tile."""
        product = 1
        for s in sizes:
            product *= s
        self.entries += product


def tiles(start: int, stop: int, size: int) -> Iterator[slice]:
    """Consecutive slices."""
    for a in range(start, stop, size):
        yield slice(a, min(a + size, stop))


def output(plan: Plan, X: Any, Y: Any, work: Work) -> Any:
    """`X g~(Z^T X)`, (d, n)."""
    return columns_of_output(plan, X, Y, needed_sums(plan, Y, 0, len(Y), work), 0, len(Y), work)


def centre(Y: Any) -> Any:
    """The mean of the points, which distances do not see."""
    if Y.dtype.kind == "O" or not len(Y):
        return Y[:1].sum(axis=0) * 0
    return Y.mean(axis=0)


def needed_sums(plan: Plan, Y: Any, start: int, stop: int, work: Work) -> dict[str, Any]:
    """The sums that columns of the output ask for: see `point_sums`."""
    return {} if _is_one_visit(plan, Y, work) else point_sums(plan, Y, start, stop, work)


def _is_one_visit(plan: Plan, Y: Any, work: Work) -> bool:
    """Whether sums and products are found together: g~ is a softmax over i."""
    if plan.softmax is None or plan.softmax[2] != "z" or not compiled.is_worth_it(plan, Y, work.xp):
        return False
    _, written, stand_in = plan.softmax[1]
    return bool((written - stand_in / plan.sums[0].symbol).expand() == 0)


def point_sums(plan: Plan, Y: Any, start: int, stop: int, work: Work) -> dict[str, Any]:
    """The sums that belong to no pair: one number, or one for each point of a range.

    Returns:
        name of the sum -> `Whole` of shape (1, 1) or (stop - start, 1); the maxima of a softmax as "max".
    """
    found: dict[str, Any] = {}
    fast = compiled.is_worth_it(plan, Y, work.xp)
    for s in (*plan.sums, *(plan.diagonal or ())):
        if s.inner == 1 or s.groups == "yz":
            continue
        if s.groups == "":
            found[s.symbol.name] = _over_points(s, plan, Y, work)
        elif fast and plan.softmax is not None:
            _, high, total = compiled.softmax_sums(plan, None, Y, start, stop, work)
            whole = Whole(total[:, None], total[:, None] * 0)
            found |= {s.symbol.name: whole, "max": high[:, None].astype(Y.dtype)}
        elif fast:
            leave_out = not plan.whole or _is_diagonal(s, plan)
            found[s.symbol.name] = compiled.pair_sum(s, plan, Y, start, stop, work, leave_out=leave_out)
        elif plan.softmax is not None:
            found |= _softmax_sums(s, plan, Y, start, stop, work)
        else:
            found[s.symbol.name] = _over_pairs(s, plan, Y, start, stop, work)
    return found


def _over_points(s: Sum, plan: Plan, Y: Any, work: Work) -> Whole:
    total = Whole()
    piece = make_piece((s.inner,), plan.e.x, ())
    for part in tiles(0, len(Y), TILE * TILE):
        (values,) = evaluate_alone(piece, Y[part], {}, work.xp)
        total.add(_full(values, (len(Y[part]), 1), Y, work), 0, work.xp)
        work.count(len(Y[part]))
    return total


def _over_pairs(s: Sum, plan: Plan, Y: Any, start: int, stop: int, work: Work) -> Whole:
    """`sum_k inner(x_k, y_i)` for i in a range; without k = i unless the sums are whole."""
    total, piece = [], make_piece((s.inner,), plan.e.y if "z" not in s.groups else plan.e.z, plan.e.x)
    leave_out = not plan.whole or _is_diagonal(s, plan)
    for rows in tiles(start, stop, TILE):
        mine = Whole()
        for columns in tiles(0, len(Y), TILE):
            values = pairs(piece, Y[rows], Y[columns], {}, work)
            if leave_out:
                values = _without_diagonal(values, rows, columns, work)
            mine.add(values, 1, work.xp)
        total.append(mine)
    return Whole.joined(total, work.xp)


def _is_diagonal(s: Sum, plan: Plan) -> bool:
    return plan.diagonal is not None and s in plan.diagonal


def _softmax_sums(s: Sum, plan: Plan, Y: Any, start: int, stop: int, work: Work) -> dict[str, Any]:
    """Running maxima and sums: `m_i = max_k E(x_k, y_i)`, `sum_k exp(E - m_i)`."""
    xp = work.xp
    exponent, _, _ = plan.softmax  # type: ignore[misc]
    piece = make_piece((exponent,), plan.e.y if s.groups == "y" else plan.e.z, plan.e.x)
    highs, sums = [], []
    for rows in tiles(start, stop, TILE):
        high: Any = None
        total: Any = None
        for columns in tiles(0, len(Y), TILE):
            scores = pairs(piece, Y[rows], Y[columns], {}, work)
            top = scores.max(axis=1, keepdims=True)
            new = top if high is None else xp.maximum(high, top)
            here = wide(xp.exp(scores - new).sum(axis=1, keepdims=True))
            total = here if high is None else total * wide(xp.exp(high - new)) + here
            high = new
        highs.append(high)
        sums.append(total)
    whole = xp.concatenate(sums)
    return {s.symbol.name: Whole(whole, whole * 0), "max": xp.concatenate(highs)}


def columns_of_output(
    plan: Plan, X: Any, Y: Any, sums: dict[str, Any], start: int, stop: int, work: Work
) -> Any:
    """Columns start to stop of X g~, (d, stop - start); ``sums`` for all points."""
    xp = work.xp
    if plan.products is not None:
        return _thin_products(plan, X, Y, sums, start, stop, work)
    if _is_one_visit(plan, Y, work):
        totals, _, weights = compiled.softmax_sums(plan, X, Y, start, stop, work)
        with np.errstate(all="ignore"):
            return (totals / weights).astype(X.dtype)
    if compiled.is_worth_it(plan, Y, xp):
        special = plan.diagonal is not None
        own = _on_diagonal(plan, Y, sums, slice(start, stop), work) if special else None
        return compiled.output(plan, X, Y, sums, start, stop, work, own)
    parts = []
    with Progress("pairs of points", (stop - start) * len(Y)) as bar:
        for columns in tiles(start, stop, TILE):
            total: Any = 0
            for rows in tiles(0, len(Y), TILE):
                g = coefficients(plan, Y, sums, rows, columns, work)
                total = total + X[:, rows] @ g
                bar.advance(g.shape[0] * g.shape[1])
            parts.append(total)
    return xp.concatenate(parts, axis=1) if parts else X[:, :0]


def _thin_products(
    plan: Plan, X: Any, Y: Any, sums: dict[str, Any], start: int, stop: int, work: Work
) -> Any:
    """`sum_r (X A_r) B_r^T`."""
    products = plan.products or ()
    left = make_piece(tuple(a for a, _ in products), plan.e.y, ())
    right = make_piece(tuple(b for _, b in products), plan.e.z, ())
    total = None
    for part in tiles(0, len(Y), SLAB):
        a = _stacked(left, Y[part], _values_at(plan, sums, part, None, len(Y), Y.dtype), Y, work)
        total = X[:, part] @ a if total is None else total + X[:, part] @ a
    result = []
    for part in tiles(start, stop, SLAB):
        b = _stacked(right, Y[part], _values_at(plan, sums, None, part, len(Y), Y.dtype), Y, work)
        result.append(total @ b.T)
    return work.xp.concatenate(result, axis=1)


def _stacked(piece: Any, points: Any, names: dict[str, Any], Y: Any, work: Work) -> Any:
    values = evaluate_alone(piece, points, names, work.xp)
    work.count(len(points), len(values))
    return work.xp.concatenate([_full(v, (len(points), 1), Y, work) for v in values], axis=1)


def _values_at(
    plan: Plan, sums: dict[str, Any], rows: slice | None, columns: slice | None, n: int, dtype: Any
) -> dict[str, Any]:
    """The whole sums at the points of a tile: those of y along its rows, those of z along its columns."""
    names: dict[str, Any] = {}
    for s in plan.sums:
        if s.inner == 1:
            names[s.symbol.name] = n if dtype.kind == "O" else dtype.type(n)
        elif s.groups == "":
            names[s.symbol.name] = sums[s.symbol.name].value.astype(dtype)
        elif s.groups == "y" and rows is not None:
            names[s.symbol.name] = sums[s.symbol.name].value[rows].astype(dtype)
        elif s.groups == "z" and columns is not None:
            value = sums[s.symbol.name].value[columns].astype(dtype)
            names[s.symbol.name] = value if rows is None else value.T
    return names


def coefficients(plan: Plan, Y: Any, sums: dict[str, Any], rows: slice, columns: slice, work: Work) -> Any:
    """A tile of g~."""
    y, z = Y[rows], Y[columns]
    if plan.softmax is not None:
        return _softmax_tile(plan, Y, sums, rows, columns, work)
    if plan.whole:
        names = _values_at(plan, sums, rows, columns, len(Y), Y.dtype)
        for s in plan.sums:
            if s.groups == "yz":
                names[s.symbol.name] = _triple(s, plan, Y, rows, columns, work).astype(Y.dtype)
    else:
        names = {s.symbol.name: _left_out(s, plan, Y, sums, rows, columns, work) for s in plan.sums}
    g = pairs(make_piece((plan.rho,), plan.e.y, plan.e.z), y, z, names, work)
    if plan.diagonal is None:
        return g
    low, high = max(rows.start, columns.start), min(rows.stop, columns.stop)
    if low < high:
        here = work.xp.arange(low, high)
        g = g.copy()
        g[here - rows.start, here - columns.start] = _on_diagonal(plan, Y, sums, slice(low, high), work)
    return g


def _softmax_tile(plan: Plan, Y: Any, sums: dict[str, Any], rows: slice, columns: slice, work: Work) -> Any:
    _, (at_pair, written, stand_in), group = plan.softmax  # type: ignore[misc]
    (s,) = plan.sums
    scores = pairs(make_piece((at_pair,), plan.e.y, plan.e.z), Y[rows], Y[columns], {}, work)
    high = sums["max"][rows] if group == "y" else sums["max"][columns].T
    value = sums[s.symbol.name].value
    names = {
        s.symbol.name: (value[rows] if group == "y" else value[columns].T).astype(Y.dtype),
        stand_in.name: work.xp.exp(scores - high),
    }
    return pairs(make_piece((written,), plan.e.y, plan.e.z), Y[rows], Y[columns], names, work)


def _left_out(
    s: Sum, plan: Plan, Y: Any, sums: dict[str, Any], rows: slice, columns: slice, work: Work
) -> Any:
    """`sum_{k != i, j} inner` for the pairs of a tile; what stands on the diagonal is not used."""
    e, y, z = plan.e, Y[rows], Y[columns]
    if s.inner == 1:
        return len(Y) - 2 if Y.dtype.kind == "O" else Y.dtype.type(len(Y) - 2)
    if s.groups == "yz":
        return _triple(s, plan, Y, rows, columns, work).astype(Y.dtype)
    whole = sums[s.symbol.name]
    if s.groups == "":
        piece = make_piece((s.inner,), e.x, ())
        (at_i,), (at_j,) = (evaluate_alone(piece, p, {}, work.xp) for p in (y, z))
        at_i, at_j = (_full(v, (len(p), 1), Y, work) for v, p in ((at_i, y), (at_j, z)))
        return whole.without(at_i, at_j.T).astype(Y.dtype)
    if s.groups == "y":  # whole without k = i; here k = j
        term = pairs(make_piece((s.inner,), e.y, e.x), y, z, {}, work)
        return whole.at(rows).without(term).astype(Y.dtype)
    term = pairs(make_piece((s.inner,), e.z, e.x), z, y, {}, work)
    return whole.at(columns).without(term).T.astype(Y.dtype)


def _triple(s: Sum, plan: Plan, Y: Any, rows: slice, columns: slice, work: Work) -> Any:
    """`sum_k inner(x_k, y_i, z_j)` for a tile, term by term; without k = i, j unless whole."""
    xp, y, z = work.xp, Y[rows], Y[columns]
    k = Y.shape[1]
    total: Any = 0
    flat = make_piece((s.inner,), plan.e.z, ())
    for part in tiles(0, len(Y), _TILE_3):
        x = Y[part]
        names = {v.name: y[:, None, None, j] for j, v in enumerate(plan.e.y)}
        names |= {v.name: x[None, None, :, j] for j, v in enumerate(plan.e.x)}
        (values,) = _triples(flat, z, names, k, xp)
        values = _full(values, (len(y), len(z), len(x)), Y, work)
        work.count(len(y), len(z), len(x))
        if not plan.whole:
            at = np.arange(part.start, part.stop)
            keep = (np.arange(rows.start, rows.stop)[:, None, None] != at) & (
                np.arange(columns.start, columns.stop)[None, :, None] != at
            )
            values = xp.where(
                xp.asarray(keep), values, values.dtype.type(0) if values.dtype.kind != "O" else 0
            )
        total = total + wide(values).sum(axis=2)
    return total


def _triples(piece: Any, z: Any, names: dict[str, Any], k: int, xp: Any) -> list[Any]:
    columns = [z[None, :, None, j] for j in range(k)] + [names[name] for name in piece.names]
    return evaluate_formula(piece.formula, columns, xp, constants=piece.constants)


def _on_diagonal(plan: Plan, Y: Any, sums: dict[str, Any], part: slice, work: Work) -> Any:
    """`g~_ii` for a range of points."""
    names: dict[str, Any] = {}
    y, exact = Y[part], Y.dtype.kind == "O"
    for s in plan.diagonal or ():
        if s.inner == 1:
            names[s.symbol.name] = len(Y) - 1 if exact else Y.dtype.type(len(Y) - 1)
        elif s.groups == "":
            (own,) = evaluate_alone(make_piece((s.inner,), plan.e.x, ()), y, {}, work.xp)
            names[s.symbol.name] = (
                sums[s.symbol.name].without(_full(own, (len(y), 1), Y, work)).astype(Y.dtype)
            )
        else:
            names[s.symbol.name] = sums[s.symbol.name].value[part].astype(Y.dtype)
    (values,) = evaluate_alone(make_piece((plan.rho_diagonal,), plan.e.y, ()), y, names, work.xp)
    return _full(values, (len(y), 1), Y, work)[:, 0]


def pairs(piece: Any, left: Any, right: Any, names: dict[str, Any], work: Work) -> Any:
    """One expression for all pairs of a tile, (a, b)."""
    (values,) = evaluate_piece(piece, left, right, names, work.centre, work.xp)
    work.count(len(left), len(right))
    return _full(values, (len(left), len(right)), left, work)


def _full(values: Any, shape: tuple[int, ...], like: Any, work: Work) -> Any:
    """An array of this shape and of the points' dtype."""
    array = work.xp.asarray(values, dtype=like.dtype)
    return array if array.shape == shape else work.xp.broadcast_to(array, shape)


def _without_diagonal(values: Any, rows: slice, columns: slice, work: Work) -> Any:
    low, high = max(rows.start, columns.start), min(rows.stop, columns.stop)
    if low >= high:
        return values
    values, here = values.copy(), work.xp.arange(low, high)
    values[here - rows.start, here - columns.start] = 0
    return values
