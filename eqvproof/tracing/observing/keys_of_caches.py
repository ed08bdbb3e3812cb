"""Tells keys of caches apart that are equal: 1 from 1.0, and 0.0 from -0.0."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from eqvproof.tracing.arrays.sizes import SymbolicSize

Form = tuple[object, ...]


def is_one_form(
    forms: dict[Form, Form], args: tuple[object, ...], named: Mapping[str, object], *, typed: bool
) -> bool:
    """Checks whether a key has the types of all that it may equal, and adds them.

    Args:
        forms: of what may be equal, the types that have been met.
        args: the arguments of a call of a cached function.
        named: those with names.
        typed: whether the cache itself tells arguments of different types apart.
    """
    values = (*args, *named.values())
    exact = tuple(map(_types_of, values))
    kinds = tuple(map(_kind_of, values))
    if typed:
        kinds = tuple(zip(kinds, (type(v).__name__ for v in values), strict=True))
    return forms.setdefault((len(args), *named, *kinds), exact) == exact


def _types_of(value: object) -> object:
    if isinstance(value, (tuple, frozenset)):
        return tuple(map(_types_of, value))
    if isinstance(value, SymbolicSize):
        return "int"
    if isinstance(value, (float, complex, np.inexact)):
        parts = (complex(value).real, complex(value).imag)
        is_negative = any(p == 0 and math.copysign(1, p) < 0 for p in parts)
        return "-" * is_negative + type(value).__name__
    return type(value).__name__


def _kind_of(value: object) -> object:
    if isinstance(value, (tuple, frozenset)):
        return tuple(map(_kind_of, value))
    is_number = isinstance(value, (SymbolicSize, int, float, complex, np.number, np.bool_))
    if is_number:
        return "number"
    return type(value).__name__
