"""Numbers of counterexamples as text, and as approximate floats."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from eqvproof.claims.complex_number import ComplexNumber

#: Pattern of the text of a ball.
BALL = re.compile(r"\[(?P<middle>[-+.\deE]+) \+/- (?P<radius>[-+.\deE]+)\]")


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


def array_text(value: Any) -> str:
    """Writes an array on one line."""
    array = np.asarray(value, dtype=object)
    if array.ndim == 0:
        return number_text(array.item())
    return "[" + ", ".join(array_text(array[i]) for i in range(array.shape[0])) + "]"
