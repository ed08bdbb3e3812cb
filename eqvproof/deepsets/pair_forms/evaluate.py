"""Evaluates pair forms X g(Z^T X) in tiles of pairs (i, j), without the n x n matrix.

Memory: the points, the sums (a few numbers a point), and one tile of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.compiled import run as compiled
from eqvproof.deepsets.pair_forms.pieces import (
    evaluate_at_points,
    evaluate_formula,
    evaluate_piece,
    make_piece,
)
from eqvproof.deepsets.pair_forms.plan import Plan, Sum
from eqvproof.deepsets.pair_forms.sums import SplitSum, is_exact, to_float64
from eqvproof.deepsets.progress import Progress

#: number of points on each side of a tile; number of points in a step that visits no pairs
TILE, SLAB = 512, 8192
_TILE_3 = 48


def tiles(start: int, stop: int, size: int) -> Iterator[slice]:
    """Yields consecutive slices of at most ``size`` indices."""
    for a in range(start, stop, size):
        yield slice(a, min(a + size, stop))


class Evaluation:
    """The evaluation of a plan at points Y (n, k).

    Attributes:
        centre: the mean of the points; it is subtracted where only differences of points matter.
        is_fast: whether machine code visits the pairs.
        one_visit: whether sums and products are computed together, as for a softmax over i.
        entries: number of array entries evaluated so far.
    """

    __slots__ = (
        "Y",
        "centre",
        "entries",
        "exact",
        "is_fast",
        "n",
        "one_visit",
        "plan",
        "threads",
        "xp",
    )

    def __init__(self, plan: Plan, Y: Any, xp: Any = np, threads: int = 1) -> None:
        self.plan, self.Y, self.xp, self.threads = plan, Y, xp, threads
        self.n, self.exact, self.entries = len(Y), is_exact(Y), 0
        if self.exact or not len(Y):
            self.centre = Y[:1].sum(axis=0) * 0
        else:
            self.centre = Y.mean(axis=0)
        self.is_fast = compiled.is_worth_it(plan, Y, xp)
        self.one_visit = self.is_fast and plan.softmax is not None and plan.softmax[2] == "z"
        if self.one_visit:
            _, written, stand_in = plan.softmax[1]  # type: ignore[index]
            self.one_visit = bool((written - stand_in / plan.sums[0].symbol).expand() == 0)

    def count(self, *sizes: int) -> None:
        """Counts the entries of one tile."""
        self.entries += prod(sizes)

    def output(self, X: Any) -> Any:
        """Computes `X g~(Z^T X)`, (d, n)."""
        return self.columns(X, self.needed_sums(0, self.n), 0, self.n)

    def needed_sums(self, start: int, stop: int) -> dict[str, Any]:
        """Computes the sums that columns of the output need: see `point_sums`."""
        if self.one_visit:
            return {}
        return self.point_sums(start, stop)

    @np.errstate(all="ignore")
    def point_sums(self, start: int, stop: int) -> dict[str, Any]:
        """Computes the sums that are one number, or one number for each point of a range.

        Returns:
            name of the sum -> `SplitSum` of shape (1, 1) or (stop - start, 1); the maxima of a
            softmax as "max".
        """
        found: dict[str, Any] = {}
        plan = self.plan
        for s in (*plan.sums, *(plan.diagonal or ())):
            name, leave_out = s.symbol.name, not plan.whole or s in (plan.diagonal or ())
            if s.inner == 1 or s.groups == "yz":
                continue
            if s.groups == "":
                found[name] = self._over_points(s)
            elif self.is_fast and plan.softmax is not None:
                _, high, total = compiled.softmax_sums(self, None, start, stop)
                whole = SplitSum(total[:, None], total[:, None] * 0)
                found |= {name: whole, "max": high[:, None].astype(self.Y.dtype)}
            elif self.is_fast:
                found[name] = compiled.pair_sum(s, self, start, stop, leave_out=leave_out)
            elif plan.softmax is not None and not self.exact:
                found |= self._softmax_sums(s, start, stop)
            else:
                found[name] = self._over_pairs(s, start, stop, leave_out=leave_out)
        return found

    def _over_points(self, s: Sum) -> SplitSum:
        total, piece = SplitSum(), make_piece((s.inner,), self.plan.e.x, ())
        for part in tiles(0, self.n, TILE * TILE):
            total.add(self._at_points(piece, self.Y[part], {}), 0, self.xp)
        self.count(self.n)
        return total

    def _over_pairs(self, s: Sum, start: int, stop: int, *, leave_out: bool) -> SplitSum:
        """Computes `sum_k inner(x_k, y_i)` for i in a range; ``leave_out`` excludes k = i."""
        total, piece = [], make_piece((s.inner,), self.plan.point(s.groups), self.plan.e.x)
        for rows in tiles(start, stop, TILE):
            mine = SplitSum()
            for columns in tiles(0, self.n, TILE):
                values = self._at_pairs(piece, rows, columns)
                if leave_out:
                    values = self._replace_diagonal(values, rows, columns, 0)
                mine.add(values, 1, self.xp)
            total.append(mine)
        return SplitSum.join(total, self.xp)

    def _softmax_sums(self, s: Sum, start: int, stop: int) -> dict[str, Any]:
        """Computes maxima `m_i = max_k E(x_k, y_i)` and sums `sum_k exp(E - m_i)`, tile by tile."""
        xp, (exponent, _, group) = self.xp, self.plan.softmax  # type: ignore[misc]
        piece = make_piece((exponent,), self.plan.point(group), self.plan.e.x)
        highs, sums = [], []
        for rows in tiles(start, stop, TILE):
            high: Any = None
            total: Any = None
            for columns in tiles(0, self.n, TILE):
                scores = self._at_pairs(piece, rows, columns)
                new = scores.max(axis=1, keepdims=True)
                if high is not None:
                    new = xp.maximum(high, new)
                here = to_float64(xp.exp(scores - new).sum(axis=1, keepdims=True))
                if high is None:
                    total = here
                else:
                    total = total * to_float64(xp.exp(high - new)) + here
                high = new
            highs.append(high)
            sums.append(total)
        whole = xp.concatenate(sums)
        return {s.symbol.name: SplitSum(whole, whole * 0), "max": xp.concatenate(highs)}

    @np.errstate(all="ignore")
    def columns(self, X: Any, sums: dict[str, Any], start: int, stop: int) -> Any:
        """Computes columns start to stop of X g~, (d, stop - start), from sums for all points."""
        if self.plan.products is not None:
            return self._thin_products(X, sums, start, stop)
        if self.one_visit:
            totals, _, weights = compiled.softmax_sums(self, X, start, stop)
            return (totals / weights).astype(X.dtype)
        if self.is_fast:
            if self.plan.diagonal is None:
                own = None
            else:
                own = self._diagonal(sums, slice(start, stop))
            return compiled.output_columns(self, X, sums, start, stop, own)
        parts = []
        with Progress("pairs of points", (stop - start) * self.n) as bar:
            for columns in tiles(start, stop, TILE):
                total: Any = 0
                for rows in tiles(0, self.n, TILE):
                    g = self.coefficients(sums, rows, columns)
                    total = total + X[:, rows] @ g
                    bar.advance(g.shape[0] * g.shape[1])
                parts.append(total)
        if parts:
            return self.xp.concatenate(parts, axis=1)
        return X[:, :0]

    def _thin_products(self, X: Any, sums: dict[str, Any], start: int, stop: int) -> Any:
        """Computes `sum_r (X A_r) B_r^T`."""
        products, e = self.plan.products or (), self.plan.e
        left = make_piece(tuple(a for a, _ in products), e.y, ())
        right = make_piece(tuple(b for _, b in products), e.z, ())
        total: Any = 0
        self.count(self.n + stop - start, len(products))
        for part in tiles(0, self.n, SLAB):
            total = total + X[:, part] @ self._at_points(
                left, self.Y[part], self._sums_at_tile(sums, part, None)
            )
        result = []
        for part in tiles(start, stop, SLAB):
            result.append(
                total @ self._at_points(right, self.Y[part], self._sums_at_tile(sums, None, part)).T
            )
        return self.xp.concatenate(result, axis=1)

    def _at_points(self, piece: Any, points: Any, names: dict[str, Any]) -> Any:
        """Evaluates expressions of one point, (n, m)."""
        values = evaluate_at_points(piece, points, names, self.xp)
        return self.xp.concatenate([self._broadcast(v, (len(points), 1)) for v in values], axis=1)

    def _sums_at_tile(
        self, sums: dict[str, Any], rows: slice | None, columns: slice | None
    ) -> dict[str, Any]:
        """Computes the sums over k at a tile: sums for y along its rows, for z along its columns."""
        at = {"y": rows, "z": columns}
        known = [s for s in self.plan.sums if at.get(s.groups, slice(0)) is not None]
        return {s.symbol.name: self._sum_at(s, sums, rows, columns) for s in known}

    def _sum_at(self, s: Sum, sums: dict[str, Any], rows: Any, columns: Any) -> Any:
        """Computes one sum over k at a tile; unless it is whole, the terms k = i, j are left out.

        Its values on the diagonal are not used if terms are left out.
        """
        e, whole = self.plan.e, self.plan.whole
        if s.inner == 1:
            return self._to_number(self.plan.count_of_terms(self.n))
        if s.groups == "yz":
            return self._triple_sums(s, rows, columns)
        total, terms = sums[s.symbol.name], []
        if s.groups == "":
            if not whole:
                alone = make_piece((s.inner,), e.x, ())
                terms = [
                    self._at_points(alone, self.Y[rows], {}),
                    self._at_points(alone, self.Y[columns], {}).T,
                ]
            return total.minus(*terms).astype(self.Y.dtype)
        if s.groups == "y":
            mine, others = (rows, columns)
        else:
            mine, others = (columns, rows)
        if not whole:  # the sum of a point excludes that point already; this excludes the other
            terms = [
                self._at_pairs(make_piece((s.inner,), self.plan.point(s.groups), e.x), mine, others)
            ]
        value = total.at(mine).minus(*terms).astype(self.Y.dtype)
        if s.groups == "z" and rows is not None:
            return value.T
        return value

    def _to_number(self, value: int) -> Any:
        """Converts an integer to the kind of numbers that the points' coordinates are."""
        if self.exact:
            return value
        return self.Y.dtype.type(value)

    @np.errstate(all="ignore")
    def coefficients(self, sums: dict[str, Any], rows: slice, columns: slice) -> Any:
        """Computes a tile of g~."""
        plan, e = self.plan, self.plan.e
        if plan.softmax is not None:
            return self._softmax_tile(sums, rows, columns)
        g = self._at_pairs(
            make_piece((plan.rho,), e.y, e.z),
            rows,
            columns,
            self._sums_at_tile(sums, rows, columns),
        )
        own = slice(max(rows.start, columns.start), min(rows.stop, columns.stop))
        if plan.diagonal is None or own.start >= own.stop:
            return g
        return self._replace_diagonal(g, rows, columns, self._diagonal(sums, own))

    def _softmax_tile(self, sums: dict[str, Any], rows: slice, columns: slice) -> Any:
        (_, (at_pair, written, stand_in), group), e = self.plan.softmax, self.plan.e  # type: ignore[misc]
        scores = self._at_pairs(make_piece((at_pair,), e.y, e.z), rows, columns)
        if group == "y":
            high = sums["max"][rows]
        else:
            high = sums["max"][columns].T
        names = {
            **self._sums_at_tile(sums, rows, columns),
            stand_in.name: self.xp.exp(scores - high),
        }
        return self._at_pairs(make_piece((written,), e.y, e.z), rows, columns, names)

    def _triple_sums(self, s: Sum, rows: slice, columns: slice) -> Any:
        """Computes `sum_k inner(x_k, y_i, z_j)` for a tile.

        Unless the sums are whole, the terms k = i, j are left out.
        """
        xp, e, y, z = self.xp, self.plan.e, self.Y[rows], self.Y[columns]
        flat, total = make_piece((s.inner,), e.z, ()), 0
        for part in tiles(0, self.n, _TILE_3):
            x = self.Y[part]
            names = {v.name: y[:, None, None, j] for j, v in enumerate(e.y)}
            names |= {v.name: x[None, None, :, j] for j, v in enumerate(e.x)}
            points = [z[None, :, None, j] for j in range(z.shape[1])] + [
                names[name] for name in flat.names
            ]
            (values,) = evaluate_formula(flat.formula, points, xp, constants=flat.constants)
            values = self._broadcast(values, (len(y), len(z), len(x)))
            self.count(*values.shape)
            if not self.plan.whole:
                at, i, j = (np.arange(p.start, p.stop) for p in (part, rows, columns))
                keep = (i[:, None, None] != at) & (j[None, :, None] != at)
                values = xp.where(xp.asarray(keep), values, self._to_number(0))
            total = total + to_float64(values).sum(axis=2)
        return total.astype(self.Y.dtype)  # type: ignore[attr-defined]

    def _diagonal(self, sums: dict[str, Any], part: slice) -> Any:
        """Computes `g~_ii` for a range of points."""
        names: dict[str, Any] = {}
        y, e = self.Y[part], self.plan.e
        for s in self.plan.diagonal or ():
            name = s.symbol.name
            if s.inner == 1:
                names[name] = self._to_number(self.n - 1)
            elif s.groups == "":
                own = self._at_points(make_piece((s.inner,), e.x, ()), y, {})
                names[name] = sums[name].minus(own).astype(self.Y.dtype)
            else:
                names[name] = sums[name].value[part].astype(self.Y.dtype)
        return self._at_points(make_piece((self.plan.rho_diagonal,), e.y, ()), y, names)[:, 0]

    def _at_pairs(
        self, piece: Any, rows: slice, columns: slice, names: dict[str, Any] | None = None
    ) -> Any:
        """Evaluates one expression for all pairs of a tile, (a, b)."""
        left, right = self.Y[rows], self.Y[columns]
        (values,) = evaluate_piece(piece, left, right, names or {}, self.centre, self.xp)
        self.count(len(left), len(right))
        return self._broadcast(values, (len(left), len(right)))

    def _broadcast(self, values: Any, shape: tuple[int, ...]) -> Any:
        """Broadcasts values to a shape, in the dtype of the points."""
        array = self.xp.asarray(values, dtype=self.Y.dtype)
        if array.shape == shape:
            return array
        return self.xp.broadcast_to(array, shape)

    def _replace_diagonal(self, values: Any, rows: slice, columns: slice, own: Any) -> Any:
        """Replaces the values of a tile at the pairs (i, i) by ``own``."""
        low, high = max(rows.start, columns.start), min(rows.stop, columns.stop)
        if low >= high:
            return values
        values, here = values.copy(), self.xp.arange(low, high)
        values[here - rows.start, here - columns.start] = own
        return values
