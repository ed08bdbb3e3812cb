"""Axes of size 1 at the end of arrays, which flips of arguments add (`claims.groups.flips`)."""

from __future__ import annotations

from typing import Any

import numpy as np


def first_entry(array: Any, axes: int) -> Any:
    """Returns the array without some axes of size 1 at its end."""
    if not axes:
        return array
    return array[(..., *[0] * axes)]


def with_last_axes(array: Any, axes: int) -> Any:
    """Returns the array, or number, with some axes of size 1 at its end; other values as they are."""
    if not hasattr(array, "shape"):
        if not isinstance(array, (int, float)):
            return array
        array = np.float64(array)
    return array[(..., *[None] * axes)]
