"""Numbers of counterexamples as text, and as approximate floats."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.complex_number import ComplexNumber
from eqvproof.support.writing import entry_text

#: Pattern of the text of a ball.
BALL = re.compile(r"\[(?P<middle>[-+.\deE]+) \+/- (?P<radius>[-+.\deE]+)\]")

#: Most characters of a number in a summary, and of an array.
LONGEST, LONGEST_ARRAY = 12, 200
#: Of a larger array, as many entries other than 0 are listed, or as many shown along each axis.
MOST_OTHERS, OUTER = 6, 3
#: Most characters of a line of an array, where a row has not more.
WIDTH = 80


def number_text(value: Any) -> str:
    """Writes a number as a reader expects it."""
    if value is None:
        return "undefined"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def float_of(value: Any) -> float:
    """Returns an approximate float: the middle of a ball, the modulus of a complex number.

    NaN if there is no number.
    """
    middle = getattr(value, "middle", None)
    if isinstance(value, ComplexNumber):
        return abs(value)
    if isinstance(value, str) and (ball := BALL.fullmatch(value)):
        value = ball["middle"]
    try:
        if callable(middle):
            return float(middle())
        return float(value)
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        return float("nan")


def short_number(value: Any) -> str:
    """Writes a number in at most `LONGEST` characters: rounded, after the sign "~", if it is longer.

    >>> short_number(Fraction(1, 3)), short_number(Fraction(13421773, 134217728))
    ('1/3', '~0.1')
    """
    text = number_text(value)
    if len(text) <= LONGEST:
        return text
    if isinstance(value, ComplexNumber):
        return f"({short_number(value.real)}, {short_number(value.imag)})"
    return "~" + rounded(value)


def rounded(value: Any) -> str:
    """Writes the first six digits of a number, whatever its size."""
    if isinstance(value, Fraction):
        with localcontext(prec=6):
            return f"{Decimal(value.numerator) / Decimal(value.denominator):.6g}"
    return f"{float_of(value):.6g}"


def short_array(value: Any) -> str:
    """Writes an array on one line: the entries other than 0 where they are few, or the outer ones."""
    array = np.asarray(value, dtype=object)
    written = _nested(array, array.shape, short_number)
    if len(written) <= LONGEST_ARRAY:
        return written
    shape = " x ".join(map(str, array.shape))
    others = [i for i in np.ndindex(array.shape) if number_text(array[i]) != "0"]
    if not others:
        return f"{shape} entries, all 0"
    if len(others) <= MOST_OTHERS:
        listed = ", ".join(f"{short_number(array[i])} at {entry_text(*i)}" for i in others)
        return f"{shape} entries, all 0 but {listed}"
    outer = tuple(min(n, OUTER) for n in array.shape)
    return f"{_nested(array, outer, short_number)}, {shape} entries"


def folded_array(label: str, text: str, width: int = WIDTH) -> list[str]:
    """Folds the text of an array after a label into lines: between rows, or else between entries.

    >>> folded_array("  X = ", "[[1, 2], [3, 4]]", 16)
    ['  X = [[1, 2],', '       [3, 4]]']
    """
    if len(label + text) <= width:
        return [label + text]
    deepest = len(text) - len(text.lstrip("["))
    for depth in range(deepest + 1):
        parts = _split_at_depth(text, depth)
        indent = " " * (len(label) + depth)
        if len(parts) > 1 and max(map(len, parts)) + len(indent) <= width:
            break
    lines = [label + parts[0]]
    for part in parts[1:]:
        if len(f"{lines[-1]} {part}") <= width:
            lines[-1] += f" {part}"
        else:
            lines.append(indent + part)
    return lines


def _split_at_depth(text: str, most: int) -> list[str]:
    """Splits a text after its commas inside so many brackets at most."""
    parts, depth, start = list[str](), 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "[(") - (sign in "])")
        if sign == "," and depth <= most:
            parts.append(text[start : place + 1].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def array_text(value: Any) -> str:
    """Writes an array on one line."""
    array = np.asarray(value, dtype=object)
    return _nested(array, array.shape, number_text)


def _nested(
    array: np.ndarray[Any, np.dtype[Any]], shown: tuple[int, ...], write: Callable[[Any], str]
) -> str:
    """Writes the first entries along each axis, so many of them, and dots for the others."""
    if array.ndim == 0:
        return write(array.item())
    parts = [_nested(array[i, ...], shown[1:], write) for i in range(shown[0])]
    if shown[0] < array.shape[0]:
        parts.append("...")
    return "[" + ", ".join(parts) + "]"
