"""Arrays of exact numbers as MathML, with one marked entry."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import Any

import numpy as np

from eqvproof.engines.verdict.numbers import BALL, array_text, number_text

#: Largest matrix that is not written as text.
MOST_ROWS, MOST_COLUMNS = 12, 12
#: Largest number of characters of a number; longer ones are rounded, with the exact one as title.
LONGEST = 12


def matrix_html(values: Any, mark: tuple[int, ...] | None = None) -> str:
    """Returns a scalar, a vector (as a row) or a matrix as ``<math>``; larger arrays as text.

    Args:
        values: an array of numbers, None where undefined.
        mark: the index of an entry to mark.
    """
    array = np.asarray(values, dtype=object)
    large = array.ndim == 2 and (array.shape[0] > MOST_ROWS or array.shape[1] > MOST_COLUMNS)
    if array.ndim > 2 or large or not array.size or (array.ndim == 1 and array.size > MOST_COLUMNS):
        return f"<code>{escape(_shortened(array_text(array)))}</code>"
    if array.ndim == 0:
        return f"<math>{_number_html(array.item())}</math>"
    rows = np.atleast_2d(array)
    if mark is None or len(mark) != array.ndim:
        place = None
    else:
        place = (0, *mark)[-2:]
    body = "".join(
        "<mtr>"
        + "".join(_cell_html(v, marked=(i, j) == place) for j, v in enumerate(row))
        + "</mtr>"
        for i, row in enumerate(rows)
    )
    # brackets are drawn as borders: stretched signs need a font that many readers do not have
    return f'<math><mtable class="matrix">{body}</mtable></math>'


def _cell_html(value: Any, *, marked: bool) -> str:
    if marked:
        return f'<mtd class="mark">{_number_html(value)}</mtd>'
    return f"<mtd>{_number_html(value)}</mtd>"


def _number_html(value: Any) -> str:
    text = number_text(value)
    if value is None:
        return "<mtext>undefined</mtext>"
    if isinstance(value, float) and not np.isfinite(value):
        return f"<mtext>{escape(text)}</mtext>"
    if isinstance(value, (int, Fraction)):
        exact = Fraction(value)
        if len(text) > LONGEST:
            return f'<mn title="{escape(_shortened(text))}">{_approximation(exact)}</mn>'
        if exact.denominator != 1:
            top, bottom = abs(exact.numerator), exact.denominator
            fraction = f"<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac>"
            if exact < 0:
                return f"<mo>−</mo>{fraction}"
            return fraction
        return f"<mn>{text.replace('-', '−')}</mn>"
    ball = BALL.fullmatch(text)
    if ball:
        middle, radius = (ball[part].replace("-", "−") for part in ("middle", "radius"))
        return f"<mn>{escape(middle)}</mn><mo>±</mo><mn>{escape(radius)}</mn>"
    return f"<mn>{escape(text.replace('-', '−'))}</mn>"


def _approximation(value: Fraction) -> str:
    try:
        return "≈" + f"{float(value):.6g}".replace("-", "−")
    except OverflowError:
        return "huge"


def _shortened(text: str) -> str:
    if len(text) <= 2000:
        return text
    return text[:2000] + " …"
