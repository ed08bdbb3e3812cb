"""Elementwise functions of libraries of which only this is known: they commute with permutations.

A proof holds for all such functions (`eqvproof.programs.evaluate.library_functions`). Two things
are checked of each before: that it is undefined where an argument is, and that it does not
distinguish -0.0 from 0.0, which are one real number.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.evaluate.library_functions import BY_ENTRIES
from eqvproof.programs.operations.opaque import ENTRIES
from eqvproof.support.errors import EqvproofError, TraceError
from eqvproof.tracing.arrays.context import TraceContext, untraced
from eqvproof.tracing.arrays.functions.registry import Handler, make, node_of
from eqvproof.tracing.arrays.values import Array

#: Values of the other arguments while one argument is tested.
_OTHERS = (0.5, 1.0, 2.0)
#: Largest number of arguments: all combinations of the others are tested.
_MOST_ARGUMENTS = 4


def applied(b: Builder, name: str, function: Callable[..., object], args: Sequence[int]) -> int:
    """Applies a function to the entries of some nodes at each place.

    Args:
        b: where the node is made.
        name: what the function is called in proofs: equal names are the same function.
        function: takes arrays of floats of one shape, and returns one.
        args: the nodes, of shapes that go together.

    Raises:
        TraceError: it is defined where an argument is not, or tells -0.0 from 0.0.
    """
    if name not in BY_ENTRIES:
        if not 0 < len(args) <= _MOST_ARGUMENTS or not _is_of_reals(function, len(args)):
            raise TraceError(f"{name} is not traced", code="trace.operation")

        def on_floats(*arrays: object) -> object:
            if any(np.asarray(a).dtype == object for a in arrays):
                raise EqvproofError(
                    f"{name} has no exact values", given="exact numbers", expected="floats",
                    hint="only proofs speak of it", code="evaluate.by-entries",
                )  # fmt: skip
            with np.errstate(all="ignore"), untraced():
                return function(*arrays)

        BY_ENTRIES[name] = on_floats
    shape = b.broadcast_shapes([b.shape(a) for a in args])
    return b.opaque(name, [b.broadcast_to(a, shape) for a in args], shape, ENTRIES)


def handler_of(ufunc: object) -> Handler | None:
    """Returns a handler for a universal function of NumPy or SciPy on floats; None for others."""
    if not isinstance(ufunc, np.ufunc) or ufunc.signature is not None:
        return None
    homes = (name for name in ("scipy.special", "numpy") if name in sys.modules)
    home = next(
        (name for name in homes if getattr(sys.modules[name], ufunc.__name__, None) is ufunc), ""
    )
    if not home or "d" * ufunc.nin + "->d" not in ufunc.types:
        return None
    name = f"{home}.{ufunc.__name__}"

    def handler(context: TraceContext, *args: Array) -> Array:
        return make(context, applied(context.builder, name, ufunc, [node_of(a) for a in args]))

    return handler


def _is_of_reals(function: Callable[..., object], count: int) -> bool:
    """Checks that a function maps floats to floats, keeps NaN, and ignores the sign of 0.

    All of this is tested in each argument.
    """
    for at, rest in product(range(count), product(_OTHERS, repeat=count - 1)):
        args = [np.full((3,), x) for x in rest]
        try:
            with np.errstate(all="ignore"), untraced():
                values = np.asarray(
                    function(*args[:at], np.array([0.0, -0.0, math.nan]), *args[at:])
                )
        except (RuntimeError, TypeError, ValueError):  # of integers alone
            return False
        if values.dtype.kind != "f" or values.shape != (3,) or not np.isnan(values[2]):
            return False
        if values[0] != values[1] and np.isfinite(values[:2]).any():
            return False
    return True
