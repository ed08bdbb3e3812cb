"""X g~ by the formula as it stands, n^3 terms side by side: what the fast evaluation is compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.points import read_points
from eqvproof.deepsets.pair_forms.sums import is_exact
from eqvproof.deepsets.phi.formula import EXPANDED, FOREIGN, Tape
from eqvproof.deepsets.phi.numbers import Arrays, evaluate
from eqvproof.deepsets.phi.symbolic import ExpressionWriter


def dense(form: Any, X: Any, Z: Any = None) -> Any:
    """`X g~(Z^T X)`."""
    X, points, _ = read_points(X, Z)
    return X @ dense_coefficients(form, points.T)


def dense_coefficients(form: Any, Y: Any) -> Any:
    """`g~(Y)` (n, n) for Y (k, n).

    Terms that are left out are multiplied by 0: where psi is undefined at equal points, so is the result.
    """
    k, n = Y.shape
    exact = is_exact(Y)
    eye = np.eye(n, dtype=int).astype(object) if exact else np.eye(n)
    off = 1 - eye
    e = form.plan(k).e

    def at(expression: Any, **points: Any) -> Any:
        names = {s.name: value for s, value in points["named"].items()} if "named" in points else {}
        for symbols, value in points["given"]:
            names |= {s.name: value[j] for j, s in enumerate(symbols)}
        return _evaluate(expression, names, exact=bool(exact))

    rows = [Y[j] for j in range(k)]
    y = [r[None, :, None] for r in rows]  # axes k, i, j
    x = [r[:, None, None] for r in rows]
    z = [r[None, None, :] for r in rows]
    keep = off[:, :, None] * off[:, None, :]
    ones = keep * 0 + 1
    s = [(at(p, given=[(e.x, x), (e.y, y), (e.z, z)]) * ones * keep).sum(axis=0) for p in e.psi2]
    y2, z2 = [r[:, None] for r in rows], [r[None, :] for r in rows]
    pair = at(e.rho2, given=[(e.y, y2), (e.z, z2)], named=dict(zip(e.s, s, strict=True)))
    x1, y1 = [r[:, None] for r in rows], [r[None, :] for r in rows]
    flat = off * 0 + 1
    s1 = [(at(p, given=[(e.x, x1), (e.y, y1)]) * flat * off).sum(axis=0) for p in e.psi1]
    own = at(e.rho1, given=[(e.y, rows)], named=dict(zip(e.s1, s1, strict=True)))
    return pair * off + own * eye


def _evaluate(expression: Any, names: dict[str, Any], *, exact: bool) -> Any:
    """An expression by NumPy's operations on whatever stands for its symbols."""
    symbols = sorted(expression.free_symbols, key=lambda v: v.name)
    tape = Tape(len(symbols))
    formula = tape.formula((ExpressionWriter(tape, {v: j for j, v in enumerate(symbols)}).write(expression),))
    columns = [names[v.name] for v in symbols]
    found = evaluate(formula, columns, Arrays(None, np, exact=exact, keep=(*EXPANDED, *FOREIGN)))
    return found[0]
