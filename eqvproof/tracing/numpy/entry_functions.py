"""``np.vectorize`` and ``np.piecewise`` in a trace: functions of numbers that branch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import lift, mentions_trace
from eqvproof.tracing.arrays.paths import Path, every_path, joined
from eqvproof.tracing.arrays.values import Array, is_listed, make, node_of, xp


class Vectorized:
    """The ``np.vectorize`` of traced code: applies a function of numbers to whole arrays."""

    def __init__(
        self, pyfunc: Callable[..., Any], otypes: object = None, **options: object
    ) -> None:
        self._function, self._options = (
            pyfunc,
            options if otypes is None else {"otypes": otypes, **options},
        )

    @classmethod
    def of(cls, made: np.vectorize) -> Vectorized:
        """Returns the stand-in for an object that np.vectorize has made."""
        options = {"excluded": made.excluded, "cache": made.cache, "signature": made.signature}
        return cls(made.pyfunc, made.otypes, **{k: v for k, v in options.items() if v})

    def __call__(self, *args: Any) -> object:
        """Applies the function; to traced arrays as a whole, which acts on them entry by entry."""
        context = current_context()
        if context is None or not mentions_trace(args):
            made: Any = np.vectorize
            return made(self._function, **self._options)(*args)
        options = dict(self._options)
        if options.pop("otypes", "d") not in _FLOATS or options:
            context.refuse("np.vectorize with options")
        arrays = cast(tuple[Array, ...], context.call(np.broadcast_arrays, args, {}))
        if context.path is None:
            return xp.broadcast_arrays(self._function(*arrays) * 1.0, *arrays)[0]
        with context.by_entries():
            return self._by_entries(context, arrays)

    def _by_entries(self, context: TraceContext, args: Sequence[Array]) -> Array:
        """Joins the ways through the function, where a branch asks each entry for itself."""
        outer, shape = context.path, args[0]._eqvproof.shape
        kinds: set[str] = set()

        def run(path: Path) -> tuple[int, None]:
            context.path, path.shape = path, shape
            found = lift(context, self._function(*args))
            kinds.add(found._eqvproof.kind)
            return context.builder.broadcast_to(node_of(found * 1.0), shape), None

        try:
            taken = list(every_path(run))
        finally:
            context.path = outer
        if len(kinds) > 1 and "otypes" not in self._options:
            context.refuse(
                "np.vectorize of a function that returns integers and floats has the type of its"
                " first result",
                hint="give otypes=[float]",
            )
        node = joined(context.builder, taken, [t.result for t in taken])
        return make(context, node, "f", array=True)


#: Types of results of `np.vectorize` that are floats.
_FLOATS = ("d", [float], [np.float64], ["d"], ["float64"], ["float"])


_PIECEWISE: Callable[..., object] = np.piecewise


def piecewise(
    x: object, condlist: object, funclist: Sequence[object], *args: object, **kw: object
) -> object:
    """Computes ``np.piecewise``: functions of the entries that conditions pick."""
    context, listed = current_context(), condlist if is_listed(condlist) else [condlist]
    if context is None or not mentions_trace((x, *listed)):
        return _PIECEWISE(x, condlist, funclist, *args, **kw)
    array, masks = lift(context, x), [lift(context, mask) for mask in listed]
    is_usual = all(mask._eqvproof.kind == "b" for mask in masks)
    if array._eqvproof.kind != "f" or not is_usual or not array.ndim:
        context.refuse("np.piecewise of integers, or of what are no masks", hint="use np.where")
    if len(funclist) == len(masks) + 1:
        masks.append(xp.logical_not(functools.reduce(xp.logical_or, masks)))
    found = cast(Array, context.call(np.zeros_like, (array,), {}))
    for mask, function in zip(masks, funclist, strict=True):
        value = function
        if callable(function):
            with context.by_entries():
                value = function(array[mask], *args, **kw)
        found[mask] = value
    return found
