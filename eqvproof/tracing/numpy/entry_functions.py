"""``np.vectorize`` and ``np.piecewise`` in a trace: functions of numbers that branch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from eqvproof.programs import Size
from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import lift, mentions_trace
from eqvproof.tracing.arrays.object_state import paths_kept_apart
from eqvproof.tracing.arrays.paths import Path, every_path, joined
from eqvproof.tracing.arrays.values import Array, is_listed, make, node_of, xp
from eqvproof.tracing.observing.entry_code import reason_against
from eqvproof.tracing.observing.held_objects import ATOMS


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
        reason = reason_against(self._function)
        if reason or context.path is None:
            context.refuse(f"np.vectorize of a function that may not be pure: {reason}", hint=_PURE)
        places = [k for k, arg in enumerate(args) if type(arg) not in (int, float)]
        given = tuple(args[k] for k in places)
        arrays = cast(tuple[Array, ...], context.call(np.broadcast_arrays, given, {}))
        b = context.builder
        if any(x._eqvproof.kind != "f" or not b.is_total(node_of(x)) for x in arrays):
            context.refuse(
                "np.vectorize of other than floats that are defined everywhere", hint="use np.where"
            )
        with context.by_entries():
            return self._by_entries(context, args, dict(zip(places, arrays, strict=True)))

    def _by_entries(
        self, context: TraceContext, args: tuple[Any, ...], arrays: dict[int, Array]
    ) -> Array:
        """Traces the ways of one entry through the function; applies their choice to all entries.

        Args:
            context: the trace.
            args: the arguments; plain numbers among them are given to the function as they are.
            arrays: place among the arguments -> the array there, in the common shape.
        """
        b, outer = context.builder, context.path
        entries = {k: b.placeholder(f"entry {k} of {node_of(x)}") for k, x in arrays.items()}
        kinds: set[str] = set()

        def run(path: Path) -> tuple[int, None]:
            context.path = path
            numbers = {k: make(context, entry, "f") for k, entry in entries.items()}
            given = [numbers.get(k, arg) for k, arg in enumerate(args)]
            found = lift(context, self._function(*given))
            if found.ndim:
                context.refuse("np.vectorize of a function that returns arrays")
            kinds.add(found._eqvproof.kind)
            return node_of(found * 1.0), None

        try:
            with paths_kept_apart() as start_anew:
                taken = list(every_path(run, start_anew))
        finally:
            context.path = outer
        if kinds != {"f"} and "otypes" not in self._options:
            context.refuse(
                "np.vectorize of a function that returns integers or truth values: all results"
                " have the type of the first one",
                hint="give otypes=[float]",
            )
        node = joined(b, taken, [t.result for t in taken])
        behind = {entry: node_of(arrays[k]) for k, entry in entries.items()}
        shape = next(iter(arrays.values()))._eqvproof.shape
        return make(context, applied_to_entries(context, node, behind, shape), "f", array=True)


def applied_to_entries(
    context: TraceContext, node: int, entries: dict[int, int], shape: tuple[Size, ...]
) -> int:
    """Returns a function of numbers, given as a node, applied to each entry of arrays of a shape.

    Args:
        context: the trace.
        node: the function.
        entries: the nodes that stand for its arguments, with the arrays.
        shape: of the arrays.
    """
    b, made = context.builder, dict(entries)
    rank = len(shape)

    def wide(x: int) -> int:
        if x in made:
            return made[x]
        if not b.shape(x):
            return b.broadcast_to(x, shape)
        lead = b.reshape(x, (*[Size.of(1)] * rank, *b.shape(x)))
        return b.broadcast_to(lead, (*shape, *b.shape(x)))

    for k in sorted(b.behind(node)):
        op = b.nodes[k]
        if k in made or not any(a in made for a in op.args):
            continue
        args = [wide(a) for a in op.args]
        if op.choice:
            made[k] = b.select(*args)
        elif op.terms:
            made[k] = b.add(args)
        elif op.function:
            made[k] = b.map(op.function, args)
        elif op.keeps_order:
            made[k] = b.reshape(args[0], (*shape, *op.shape))
        elif op.joined_axis is not None:
            made[k] = b.concat(args, rank + op.joined_axis)
        elif op.extreme is not None:
            made[k] = b.reduce(op.extreme[0], args[0], [rank + a for a in op.extreme[1]])
        elif op.as_product is not None and not op.shape and not any(op.as_product.inputs):
            made[k] = functools.reduce(b.mul, args)
        else:
            context.refuse("np.vectorize of a function that makes arrays of a number")
    return wide(node)


_PURE = "let it compute its value from its arguments and from numbers"
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
    if not all(type(value) in ATOMS for value in (*args, *kw.values())):
        context.refuse("np.piecewise with further arguments than numbers", hint="use np.where")
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
            if reason := reason_against(function):
                context.refuse(f"np.piecewise by what may not be pure: {reason}", hint=_PURE)
            with context.by_entries():
                value = function(array[mask], *args, **kw)
        found[mask] = value
    return found
