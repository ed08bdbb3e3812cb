"""Draws group elements as pictures for pages.

A permutation is drawn as lines, a motion of the plane by its effect on the letter F.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from eqvproof.engines.verdict.matrices import matrix_html
from eqvproof.engines.verdict.svg import framed

#: Largest number of positions of a permutation that is drawn.
MOST = 16
STEP, HIGH, SIDE = 28, 64, 120
#: Captions of the drawings of a motion of the plane, and of a permutation.
WORDS = (", as it moves the letter F (dashed: before)", ", positions from top to bottom")
#: The letter F: its shape has no symmetry, so that every motion is visible.
LETTER = ((0.0, 0.0), (0.0, 1.0), (0.62, 1.0), (0.0, 1.0), (0.0, 0.55), (0.45, 0.55))


def elements_html(elements: Mapping[str | int, Any]) -> str:
    """Draws the parts of a group element as HTML, each with the axis on which it acts.

    Identities are left out.
    """
    parts = []
    for axis, value in elements.items():
        matrix, vector = _matrix_and_vector(value)
        drawn = element_svg(value)
        if isinstance(axis, str):
            where = f"on {axis}"
        else:
            where = f"on the axis of size {axis}"
        words = ""
        if drawn:
            words = WORDS[is_permutation(value)]
        if (
            not drawn
            and isinstance(matrix, np.ndarray)
            and matrix.ndim == 2
            and not _is_identity(matrix)
        ):
            drawn = matrix_html(matrix)
            if vector is not None and any(vector):
                drawn += " and translation " + matrix_html(np.array(vector, dtype=object))
        if drawn:
            parts.append(f"<div>g {escape(where)}{words}: {drawn}</div>")
    if parts:
        return f'<div class="sides element">{"".join(parts)}</div>'
    return ""


def element_svg(value: Any) -> str:
    """Returns an ``<svg>`` of a permutation, or of a linear or rigid motion of the plane; else "".

    Args:
        value: as in `Counterexample.element`: a permutation p with ``(g x)[i] = x[p[i]]``, a
            matrix, (Q, t).
    """
    if is_permutation(value):
        order = [int(p) for p in value]
        moves = order != list(range(len(order)))
        if moves and len(order) <= MOST:
            return _permutation(order)
        return ""
    matrix, vector = _matrix_and_vector(value)
    if vector is None:
        vector = (0, 0)
    try:
        motion, shift = np.array(matrix, dtype=float), np.array(vector, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return ""
    if (
        motion.shape != (2, 2)
        or shift.shape != (2,)
        or not np.isfinite([*motion.ravel(), *shift]).all()
    ):
        return ""
    if (motion == np.eye(2)).all() and not shift.any():
        return ""
    return _plane(motion, shift)


def is_permutation(value: Any) -> bool:
    """Checks whether data of an element are a permutation: integers from 0 up (signs have no 0)."""
    if not isinstance(value, (tuple, list)):
        return False
    whole = all(isinstance(p, (int, np.integer)) and not isinstance(p, bool) for p in value)
    return whole and sorted(value) == list(range(len(value)))


def _matrix_and_vector(value: Any) -> tuple[Any, Any]:
    """Splits a rigid motion (Q, t); the vector is None for any other element."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], np.ndarray):
        return value
    return value, None


def _is_identity(matrix: Any) -> bool:
    size = len(matrix)
    return matrix.shape == (size, size) and bool((matrix == np.eye(size, dtype=int)).all())


def _permutation(order: Sequence[int]) -> str:
    """Draws positions above, their new places below, and strong lines for those that move."""
    width = STEP * len(order)
    pieces = []
    for i, p in enumerate(order):
        start, end = STEP * (p + 0.5), STEP * (i + 0.5)
        kind = "still" if p == i else "moves"
        pieces.append(
            f'<path d="M{start:g},18 C{start:g},40 {end:g},26 {end:g},48" class="{kind}"/>'
        )
    for i in range(len(order)):
        x = STEP * (i + 0.5)
        pieces += [
            f'<text x="{x:g}" y="{y}" text-anchor="middle" class="label">{i}</text>'
            for y in (13, 61)
        ]
    return framed(width, HIGH, "".join(pieces), "a permutation, from top to bottom")


def _plane(motion: Any, shift: Any) -> str:
    """Draws the letter before (dashed) and after the motion, with the axes of the plane."""
    before = np.array(LETTER)
    after = before @ motion.T + shift
    points = np.concatenate([before, after, [[0.0, 0.0]]])
    low, high = points.min(axis=0) - 0.15, points.max(axis=0) + 0.15
    scale = SIDE / float((high - low).max())
    width, height = ((high - low) * scale).tolist()
    across, top = float(-low[0] * scale), float(high[1] * scale)

    def path(corners: Any) -> str:
        return " ".join(
            f"{(x - low[0]) * scale:.1f},{(high[1] - y) * scale:.1f}" for x, y in corners
        )

    inner = (
        f'<path d="M0,{top:.1f} H{width:.1f} M{across:.1f},0 V{height:.1f}" class="axis"/>'
        f'<polyline points="{path(before)}" class="still"/><polyline points="{path(after)}"'
        f' class="moves"/>'
    )
    return framed(width, height, inner, "the letter F before (dashed) and after")
