"""The cheapest dtype that is precise enough for a function, and the costs of its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from eqvproof.claims.signature import parse_signature
from eqvproof.rounding.bound import bound_traced, enclose_inputs
from eqvproof.rounding.boxes import read_box
from eqvproof.rounding.enclosed import fill_bound
from eqvproof.rounding.formats import FORMATS, Format
from eqvproof.rounding.system import RoundingSystem
from eqvproof.rounding.tracing import Array, TracedFunction, single_sizes, trace_with_roundings
from eqvproof.rounding.unbounded import reasons
from eqvproof.support.code_line import NO_LINE
from eqvproof.support.errors import OptionError
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: The label of roundings of the inputs, for numbers that the dtype cannot represent.
INPUTS = "the inputs, rounded to the dtype"


@dataclass(frozen=True, slots=True)
class Precision:
    """The cheapest dtype whose bound stays below a target.

    Attributes:
        dtype: its name; None if no dtype is enough.
        target: the limit for the bound.
        bounds: dtype -> the largest bound of an entry, for the dtypes tried, cheapest first.
        costs: (line, the largest error that its roundings alone can cause), largest first, in that
            dtype (in the longest if none is enough); empty if no bound was found.
        unbounded: the reasons why no bound was found, such as a denominator that may be 0 in the
            box, or numbers that may overflow.
    """

    dtype: str | None
    target: float
    bounds: Mapping[str, float]
    costs: tuple[tuple[str, float], ...]
    unbounded: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Returns the result in words."""
        if not any(map(isfinite, self.bounds.values())):
            tried = ", ".join(self.bounds)
            return "\n".join(
                [f"no bound was found in {tried}", *(f"  {why}" for why in self.unbounded)]
            )
        found = f"{self.dtype} is enough" if self.dtype else "no dtype is enough"
        bounds = {
            name: f"{worst:.2g}" if isfinite(worst) else "no bound"
            for name, worst in self.bounds.items()
        }
        tried = ", ".join(f"{name} {worst}" for name, worst in bounds.items())
        lines = [f"  {cost:.2g}  {line}" for line, cost in self.costs]
        return "\n".join([f"{found} for {self.target:.2g}: {tried}", *lines])


@shortens_tracebacks
def precision(
    f: Callable[..., Any],
    signature: str,
    box: Any,
    *,
    target: float = 1e-3,
    sizes: Mapping[str, int] | None = None,
    backend: str | None = None,
) -> Precision:
    """Finds the cheapest dtype with which every entry of f's result is within a target.

    The bounds hold for all inputs in a box.

    Args:
        f: a function of arrays, or a module.
        signature: its typing.
        box: ``(low, high)``, or a dict of these by the names of inputs.
        target: the limit for ``|computed - real|``.
        sizes: the sizes of all axes.
        backend: as in `rounding_bound`.

    Returns:
        The dtype, the bounds, and the user's lines with their costs.

    Raises:
        TraceError: f cannot be traced. OptionError, SignatureError: bad input.

    Example:
        >>> ep.precision(lambda x: x @ x, "x: n -> ()", (-1, 1), sizes={"n": 8}, target=1e-5).dtype
        'float32'
    """
    if not isinstance(target, (int, float, np.floating)) or not target > 0:
        raise OptionError(
            "the target of precision must be a positive number",
            given=repr(target),
            expected="a number above 0",
            hint="target=1e-3",
            code="target.number",
        )
    parsed = parse_signature(signature)
    known = single_sizes(sizes or {}, parsed, parsed.pins)
    middles, spreads = read_box(parsed, box, known)
    bounds: dict[str, float] = {}
    enough = None
    for name in sorted(FORMATS, key=lambda n: FORMATS[n].cost):
        traced = trace_with_roundings(f, parsed, known, backend, name)
        bounds[name] = bound_traced(traced, middles, known, name, spreads=spreads).worst
        if bounds[name] <= target:
            enough = name
            break
    form = traced.format(name)
    if not isfinite(bounds[name]):
        why = reasons(traced, middles, spreads, known, form)
        return Precision(None, float(target), bounds, (), why)
    return Precision(enough, float(target), bounds, _costs(traced, middles, spreads, known, form))


def _costs(
    traced: TracedFunction,
    middles: Mapping[str, Array],
    spreads: Mapping[str, Array],
    sizes: Mapping[str, int],
    form: Format,
) -> tuple[tuple[str, float], ...]:
    """Returns the errors caused by the roundings of each line alone, largest first."""
    lines = list(dict.fromkeys(map(str, traced.trace.lines.values())))
    found = [
        (line, _error_of_one_line(traced, middles, spreads, sizes, form, line))
        for line in [INPUTS, *lines]
    ]
    return tuple(sorted((x for x in found if x[1] > 0), key=lambda x: -x[1]))


def _error_of_one_line(
    traced: TracedFunction,
    middles: Mapping[str, Array],
    spreads: Mapping[str, Array],
    sizes: Mapping[str, int],
    form: Format,
    line: str,
) -> float:
    """Returns the largest error of an entry if only one line rounds."""
    system = RoundingSystem(form)
    given = enclose_inputs(traced.signature, system, middles, spreads)
    if line != INPUTS:
        given = {n: system.without_rounding(x) for n, x in given.items()}

    def switch(node: int, _: Any) -> None:
        system.silent = str(traced.trace.lines.get(node, NO_LINE)) != line

    result, _ = traced.walk(system, given, sizes, switch)
    return float(
        np.max(np.nan_to_num(fill_bound(result.error, result.shape), nan=np.inf), initial=0.0)
    )
