"""Softmax-like forms: a block of rows (or columns) of scores at a time, its maximum taken off before exp.

rho(lambda w, lambda T) = rho(w, T),   w = exp(E(z; y)),   T = sum_k exp(E(x_k; y))
-----------------------------------------------------------------------------------
rho is unchanged when E is lessened by its largest value over k: no exponential overflows
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.compiled import run as compiled
from eqvproof.deepsets.pair_forms.evaluate import TILE, Work, columns_of_output, pairs, point_sums, tiles
from eqvproof.deepsets.pair_forms.pieces import make_piece
from eqvproof.deepsets.pair_forms.plan import Plan

#: entries of a block of scores
_BLOCK = 1 << 21


def softmax_output(plan: Plan, X: Any, Y: Any, work: Work) -> Any:
    """`X g~`, each score computed once."""
    if plan.softmax is None:
        raise ValueError("no softmax in this plan")
    _, (at_pair, written, stand_in), group = plan.softmax
    (s,) = plan.sums
    xp, n = work.xp, len(Y)
    scores_of = make_piece((at_pair,), plan.e.y, plan.e.z)
    rest = make_piece((written,), plan.e.y, plan.e.z)
    quotient = (written - stand_in / s.symbol).expand() == 0
    if compiled.is_worth_it(plan, Y, n * n, xp):
        if quotient and group == "z":
            totals, _, sums = compiled.softmax_sums(plan, X, Y, 0, n, work)
            with np.errstate(all="ignore"):
                return (totals / sums).astype(X.dtype)
        return columns_of_output(plan, X, Y, point_sums(plan, Y, 0, n, work), 0, n, work)
    result = xp.zeros_like(X)
    axis = 1 if group == "y" else 0
    if quotient and group == "z":
        for part in tiles(0, n, TILE):
            result[:, part] = _running(scores_of, X, Y, part, work)
        return result
    for part in tiles(0, n, max(1, _BLOCK // n)):
        left, right = (Y[part], Y) if group == "y" else (Y, Y[part])
        scores = pairs(scores_of, left, right, {}, work)
        scores = scores if getattr(scores.flags, "writeable", True) else scores.copy()
        scores -= scores.max(axis=axis, keepdims=True)
        weights = xp.exp(scores, out=scores)
        total = weights.sum(axis=axis, keepdims=True)
        if quotient and group == "y":
            result += (X[:, part] / total.T) @ weights
        else:
            names = {s.symbol.name: total, stand_in.name: weights}
            g = pairs(rest, left, right, names, work)
            if group == "y":
                result += X[:, part] @ g
            else:
                result[:, part] = X @ g
    return result


def _running(scores_of: Any, X: Any, Y: Any, part: slice, work: Work) -> Any:
    """Means of the columns of X with weights exp(score), tile by tile, maxima and sums running."""
    xp = work.xp
    high: Any = None
    total: Any = 0
    mean: Any = 0
    for rows in tiles(0, len(Y), TILE):
        scores = pairs(scores_of, Y[rows], Y[part], {}, work)
        top = scores.max(axis=0, keepdims=True)
        new = top if high is None else xp.maximum(high, top)
        weights = xp.exp(scores - new)
        fade = 1 if high is None else xp.exp(high - new)
        total = total * fade + weights.sum(axis=0, keepdims=True)
        mean = mean * fade + X[:, rows] @ weights
        high = new
    return mean / total
