"""Pieces for three themes: stored tables of weights, ties, and repeated eigenvalues.

`statements` has those of a fourth. Braces are filled in as in `pieces`; ``t`` is the name of a table.
"""

from __future__ import annotations

import math
import random

THEMES = ("table", "ties", "spectra", "statements")
#: How often a function has one of them.
SHARE = 0.45

# --------------------------------------------------------------------------------------------------- tables
#: Arguments with an axis as long as a table.
SIGNATURES = ("X: 3 d", "X: 3 d", "X: d 3", "X: 2 d", "X: 3 n d", "X: 3 d, Y: 3 d^", "X: 4 d, w: d", "x: 3")
#: A table as long as the last axis of ``v``.
ON_LAST = (
    "{v} @ {t}", "({v} * {t}).sum(-1)", "np.average({v}, axis=-1, weights={t})", "{v} * {t}",
    "{v} - ({v} @ {t})[..., None]", "np.einsum('...i,i->...', {v}, {t})", "np.tensordot({v}, {t}, axes=1)",
    "np.prod(np.abs({v}) ** {t}, axis=-1)", "np.exp(np.log(np.abs({v}) + 1) @ {t})", "{v} + {t}",
    "({v} * {t}).sum(-1) / {t}.sum()",
)  # fmt: skip
#: A table as long as the first axis of ``v``.
ON_FIRST = (
    "{t} @ {v}", "np.tensordot({t}, {v}, axes=1)", "{v} - np.tensordot({t}, {v}, axes=1)",
    "sum(a * b for a, b in zip({t}, {v}))", "np.average({v}, axis=0, weights={t})",
    "np.einsum('i,i...->...', {t}, {v})", "np.prod(np.abs({v}.T) ** {t}, axis=-1)",
)  # fmt: skip
#: A square table as wide as the matrix ``m``.
SQUARE = ("{m} @ {t}", "{m} @ {t}.T", "{m} - {m} @ {t}", "np.einsum('ij,kj->ik', {m}, {t})")
#: Tables of a given length on arrays of any size.
MIXED = (
    (3, "np.tensordot({t}, np.stack([{v}, {w}, {v}]), axes=1)"),
    (2, "np.tensordot({t}, np.stack([{v}, {w}]), axes=1)"),
    (3, "{t}[0] * {v} + {t}[1] * {v}.mean({ax}, keepdims=True) + {t}[2] * {v}.max({ax}, keepdims=True)"),
    (2, "{t}[0] * {v} + {t}[1] * {v}.mean({ax}, keepdims=True)"),
    (3, "{t}[0] * {v} + {t}[1] * np.roll({v}, 1, {ax}) + {t}[2] * np.roll({v}, -1, {ax})"),
    (2, "{t}[0] * {v} + {t}[1] * np.flip({v}, {ax})"),
    (3, "{t}[0] * {v}.max({ax}) + {t}[1] * {v}.min({ax}) + {t}[2] * np.median({v}, {ax})"),
    (3, "{t}[0] * {v}.max({ax}) + {t}[1] * {v}.min({ax}) + {t}[2] * {v}.mean({ax})"),
    (2, "np.abs({v}) ** {t}[0] * np.abs({v}).sum({ax}, keepdims=True) ** {t}[1]"),
    (3, "sum(c * {v} for c in {t})"),
    (4, "{v} * {t}.sum()"),
    (3, "np.convolve({u}, {t}, mode='same')"),
    (3, "{t}[0] * {m} @ {m}.T @ {m} + ({t}[1] + {t}[2]) * {m}"),
)  # fmt: skip
TOTALS = (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 2.0, -1.0, 0.5, 1.4)
MISSES = (1e-7, -1e-7, 5e-8, 3e-9, -2e-10, 4e-7, 1e-5)


def weights(r: random.Random, length: int) -> list[float]:
    """Numbers whose sum is whole, nearly whole, or neither."""
    total = r.choice(TOTALS)
    match r.choice(("eighths", "tenths", "normalised", "near", "near", "mixed", "mixed", "equal", "any")):
        case "eighths":
            some = [r.randint(-8, 12) / 8 for _ in range(length - 1)]
            return [*some, total - sum(some)]
        case "tenths":
            some = [r.randint(1, 12) / 10 for _ in range(length - 1)]
            return [*some, round(total - sum(some), 10)]
        case "normalised":
            some = [r.random() + 0.1 for _ in range(length)]
            return [x / sum(some) for x in some]
        case "near":
            some = [r.randint(-6, 12) / 8 for _ in range(length - 1)]
            return [*some, total - sum(some) + r.choice(MISSES)]
        case "mixed":
            big, total = r.choice((1e3, 1e6, 1e6, 1e8, 123456.7)), total + r.choice((0.0, 0.0, 0.4, 1e-7))
            rest = [total / 2] * (length - 3) + [total - total / 2 * (length - 3)]
            some = [big, -big, *rest] if length > 2 else [big, total - big]
            r.shuffle(some)
            return some[:length]
        case "equal":
            return [total / length] * length if r.random() < 0.5 else [1 / length] * length
    return [round(r.gauss(0, 1), 3) for _ in range(length)]


def vector_table(r: random.Random, length: int) -> str:
    """An expression for a table of one axis."""
    return _stored(r, "[" + ", ".join(map(repr, weights(r, length))) + "]")


def square_table(r: random.Random, size: int) -> str:
    """An expression for a table of two: a circulant, rows of weights, a turn, or nearly the unit matrix."""
    match r.choice(("circulant", "rows", "turn", "unit")):
        case "circulant":
            row = weights(r, size)
            rows = [row[size - i :] + row[: size - i] for i in range(size)]
        case "rows":
            rows = [weights(r, size) for _ in range(size)]
        case "turn":
            rows = [[float(i == j) for j in range(size)] for i in range(size)]
            if size > 1:
                c, s = r.choice(((0.6, 0.8), (math.cos(1), math.sin(1)), (0.28, -0.96)))
                rows[0][:2], rows[1][:2] = [c, -s], [s, c]
        case _:
            off = r.choice((0.0, *MISSES))
            rows = [[float(i == j) * r.choice((1, 1 + off)) for j in range(size)] for i in range(size)]
    return _stored(r, repr(rows))


def _stored(r: random.Random, text: str) -> str:
    return f"np.array({text}{', dtype=np.float32' if r.random() < 0.25 else ''})"


# ----------------------------------------------------------------------------------------------------- ties
_GAPS = "D = (({m}[:, None] - {p}[None]) ** 2).sum(-1)\n"
_OWN = "D = (({m}[:, None] - {m}[None]) ** 2).sum(-1)\n"
TIES = (
    "{o} = {u}[np.argsort({u})]", "{o} = {m}[np.argsort({m}[:, 0])]",
    "{o} = {m}[np.argsort(({m} ** 2).sum(1))]", "{o} = {m}[np.argmax({m}.sum(1))]",
    "{o} = {m}[np.argmax(np.abs({m}), axis=0), np.arange({m}.shape[1])]",
    "{o} = np.take_along_axis({v}, np.argsort({w}, axis={ax}), axis={ax})",
    "{o} = np.argsort(np.argsort({v}, axis={ax}), axis={ax})",
    "{o} = np.argsort({v}, axis={ax}, kind='stable')",
    "{o} = np.argsort(np.argsort({u}, kind='stable')) * {u}",
    "{o} = {u} * (np.arange(len({u})) == {u}.argmax())",
    "{o} = np.eye({m}.shape[1])[{m}.argmax(1)]", "{o} = {v} * ({v} >= np.median({v}, {ax}, keepdims=True))",
    "{o} = {m}[np.lexsort({m}.T)]", "{o} = np.sort({v}, axis={ax}) * np.sort({w}, axis={ax})",
    _OWN + "{o} = {m}[np.argsort(D, axis=1)[:, :2]].mean(1)",
    _OWN + "{o} = {m}[np.argmax(D, axis=1)] - {m}",
    _OWN + "{o} = np.sort(D, axis=1)[:, -1]",
    _OWN + "{o} = (np.argsort(np.argsort(D, axis=1), axis=1) < 2) * 1.0",
    _GAPS + "{o} = {p}[D.argmin(1)]", _GAPS + "{o} = np.eye(len({p}))[D.argmin(1)].T @ {m}",
    _GAPS + "{o} = D.min(1)",
    "score = ({m} ** 2).sum(1)\n{o} = {m}[np.argsort(-score)[:2]]",
    "top = np.argsort(-{u})[:2]\n{o} = {u}[top]",
    "keep = np.zeros_like({u})\nkeep[np.argsort({u})[-1:]] = 1\n{o} = keep * {u}",
    "{o} = np.roll({u}, -{u}.argmax())",
)  # fmt: skip

# -------------------------------------------------------------------------------------------------- spectra
_MATRICES = (
    "{m} @ {m}.T", "{m}.T @ {m}", "{m} + {m}.T", "np.outer({u}, {u})", "np.diag({u})", "np.eye({n})",
    "np.eye(len({u})) + np.outer({u}, {u})", "np.cov({m}.T)", "({m} - {m}.mean(0)).T @ ({m} - {m}.mean(0))",
)  # fmt: skip
_OF_EIGENVECTORS = (
    "np.abs(vec)", "(vec * np.exp(-lam)) @ vec.T", "vec[:, -1:] @ vec[:, -1:].T", "vec * np.sign(vec[0])",
    "vec ** 2", "lam", "vec", "vec @ vec.T", "np.abs(vec[:, -1])", "vec * np.sign(vec.sum(0))",
    "vec * np.sign(vec[np.abs(vec).argmax(0), np.arange(len(lam))])", "(vec * (lam > 1)) @ vec.T",
    "np.abs(vec[:, :2])", "vec * lam",
)  # fmt: skip
_OF_SINGULAR_VECTORS = (
    "left @ right", "sv", "(left * np.tanh(sv)) @ right", "np.abs(left)", "right.T @ right",
    "sv[0] * np.outer(left[:, 0], right[0])", "left[:, :1] @ left[:, :1].T", "{m} @ right.T",
)  # fmt: skip


def spectral(r: random.Random) -> str:
    """Statements with eigenvectors or singular vectors."""
    if r.random() < 0.35:
        head = "left, sv, right = np.linalg.svd({m}, full_matrices=False)\n"
        return head + "{o} = " + r.choice(_OF_SINGULAR_VECTORS)
    head = f"lam, vec = np.linalg.eigh({r.choice(_MATRICES)})\n"
    return head + "{o} = " + r.choice(_OF_EIGENVECTORS)
