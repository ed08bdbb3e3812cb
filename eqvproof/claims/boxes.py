"""Boxes of inputs: for each entry of each argument an interval, with both ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from eqvproof.claims.signature import Argument, Signature
from eqvproof.support.errors import OptionError
from eqvproof.support.writing import in_line

Array = np.ndarray[Any, np.dtype[np.float64]]
#: Largest number of entries of one input of a box.
MOST_NUMBERS = 10**8


def ends_of_box(
    signature: Signature, box: Any, sizes: Mapping[str, int]
) -> dict[str, tuple[Array, Array]]:
    """Returns the lower and the upper end of each entry, for each argument of real numbers.

    Args:
        signature: the typing.
        box: ``(low, high)`` for all arguments, or a dict of these by name.
        sizes: the sizes of all axes of the arguments.

    Raises:
        OptionError: sizes are missing, or the box is no box, empty, infinite, or too large.
    """
    return {
        a.name: _ends(a, box.get(a.name) if isinstance(box, Mapping) else box, sizes)
        for a in signature.inputs
        if a.kind == "real"
    }


def _ends(argument: Argument, span: Any, sizes: Mapping[str, int]) -> tuple[Array, Array]:
    """Returns the lower and the upper ends of one argument."""
    missing = [n for axis in argument.axes for n in axis.names if n not in sizes]
    if missing:
        raise OptionError(
            "a box needs the sizes of all axes", given=str(dict(sizes)),
            expected=", ".join(missing), hint='sizes={"n": 64}', code="box",
        )  # fmt: skip
    shape = tuple(axis.at(sizes) for axis in argument.axes)
    if math.prod(shape) > MOST_NUMBERS:
        raise OptionError(
            "the box has too many numbers", given=f"{math.prod(shape)} for {argument.name}",
            expected=f"at most {MOST_NUMBERS}", hint="choose smaller sizes", code="box",
        )  # fmt: skip
    try:
        low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), shape) for end in span)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(
            "a box is a pair of numbers for each input", given=in_line(repr(span)),
            expected="(low, high)", hint='box=(-1, 1), or box={"X": (-1, 1)}', code="box",
        ) from error  # fmt: skip
    if not (np.all(low <= high) and np.all(np.isfinite(high - low))):
        raise OptionError(
            "the box is empty or infinite",
            given=repr(span),
            expected="low <= high",
            code="box",
            hint="give finite ends, the lower one first",
        )
    return np.array(low), np.array(high)
