"""Drawings as SVG: shades for matrices, lines for functions.

Text and frames follow the colours of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from eqvproof.engines.verdict.numbers import float_of

CELL, GAP, TOP = 22, 26, 20
WIDTH, HEIGHT, LEFT, BOTTOM = 420, 220, 44, 34
#: Largest number of rows or columns of a matrix that is drawn.
LARGEST = 24
COLOURS = ("#3b6fb6", "#c2571a", "#2f8f5b", "#8a5fb0")


def matrices_svg(parts: Mapping[str, Any], mark: tuple[int, ...] | None = None) -> str:
    """Draws matrices side by side on one scale, negative entries blue and positive ones orange.

    Args:
        parts: by label, arrays with at most two axes; a vector is a row.
        mark: an entry to draw a frame around, in every part of its shape.

    Returns:
        An ``<svg>`` element, or "" if an array is empty, too large, or has more than two axes.
    """
    arrays = {label: _plane(values) for label, values in parts.items()}
    known = [a for a in arrays.values() if a is not None]
    if not known or len(known) != len(arrays):
        return ""
    top = max(float(np.max(np.abs(a[np.isfinite(a)]), initial=0.0)) for a in known) or 1.0
    pieces, left, below = [], 0.0, 0.0
    for label, plane in zip(arrays, known, strict=True):
        rows, columns = plane.shape
        width = max(columns * CELL, 7 * len(label))
        pieces.append(f'<text x="{left:g}" y="13" class="label">{escape(label)}</text>')
        for (i, j), value in np.ndenumerate(plane):
            x, y = left + j * CELL, TOP + i * CELL
            pieces.append(_cell(x, y, float(value), top))
        if mark is not None and len(mark) <= 2:
            i, j = (0, 0, *mark)[-2:]
            if i < rows and j < columns:
                pieces.append(
                    f'<rect x="{left + j * CELL:g}" y="{TOP + i * CELL}" width="{CELL}"'
                    f' height="{CELL}" '
                    'class="mark"/>'
                )
        left, below = left + width + GAP, max(below, TOP + rows * CELL)
    return framed(left - GAP, below + 2, "".join(pieces))


def _plane(values: Any) -> np.ndarray[Any, Any] | None:
    array = np.asarray(values, dtype=object)
    if array.ndim > 2 or not array.size or max(array.shape, default=1) > LARGEST:
        return None
    flat = [float_of(v) for v in array.ravel()]
    return np.array(flat, dtype=float).reshape(np.atleast_2d(array).shape)


def _cell(x: float, y: float, value: float, top: float) -> str:
    box = f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}"'
    if not np.isfinite(value):
        return f'{box} class="none"/>'
    colour = "#c2571a" if value > 0 else "#3b6fb6"
    strength = abs(value) / top
    return f'{box} fill="{colour}" fill-opacity="{strength:.3f}" class="cell"><title>{value:g}</title></rect>'


def curves_svg(horizontal: str, at: Sequence[float], lines: Mapping[str, Sequence[float]]) -> str:
    """Draws functions of one number, from zero up, with a label at the end of each line."""
    values = [v for line in lines.values() for v in line]
    top = max([float(v) for v in values if np.isfinite(v)], default=1.0) or 1.0
    first, last = float(at[0]), float(at[-1])
    span = (last - first) or 1.0

    def place(x: float, y: float) -> str:
        right = LEFT + (float(x) - first) / span * (WIDTH - LEFT - 10)
        return f"{right:.1f},{HEIGHT - BOTTOM - float(y) / top * (HEIGHT - BOTTOM - 12):.1f}"

    base = HEIGHT - BOTTOM
    pieces = [
        f'<path d="M{LEFT},8 V{base} H{WIDTH - 8}" class="axis"/>',
        f'<text x="{WIDTH / 2:g}" y="{HEIGHT - 4}" class="label">{escape(horizontal)}</text>',
        f'<text x="{LEFT}" y="{base + 16}" class="label">{first:.3g}</text>',
        f'<text x="{WIDTH - 8}" y="{base + 16}" text-anchor="end" class="label">{last:.3g}</text>',
        f'<text x="{LEFT - 6}" y="18" text-anchor="end" class="label">{top:.3g}</text>',
        f'<text x="{LEFT - 6}" y="{base}" text-anchor="end" class="label">0</text>',
    ]
    for k, (label, line) in enumerate(lines.items()):
        colour = COLOURS[k % len(COLOURS)]
        points = " ".join(place(x, y) for x, y in zip(at, line, strict=True))
        pieces.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        name = f'<text x="{WIDTH + 6}" y="{24 + 18 * k}" style="fill:{colour}" class="label">'
        pieces.append(f"{name}{escape(label)}</text>")
    longest = max((len(label) for label in lines), default=0)
    return framed(WIDTH + 12 + 7 * longest, HEIGHT, "".join(pieces))


def framed(width: float, height: float, inner: str, words: str = "") -> str:
    """Returns the ``<svg>`` element of a drawing, with a text that describes it."""
    label = title = ""
    if words:
        label, title = f' aria-label="{words}"', f"<title>{words}</title>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" '
        f'role="img"{label}>{title}{inner}</svg>'
    )


def figure_html(caption: str, drawing: str) -> str:
    """Returns a picture with its caption as HTML; "" without a picture."""
    if drawing:
        return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"
    return ""
