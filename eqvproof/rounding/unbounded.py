"""Reasons why a result has no bound: operations whose arguments have bounds, and results none."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from eqvproof.rounding.enclosed import Array, Enclosed
from eqvproof.rounding.formats import Format
from eqvproof.rounding.system import RoundingSystem
from eqvproof.rounding.tracing import TracedFunction
from eqvproof.support.code_line import NO_LINE

#: Largest number of reasons given.
MOST = 3


def reasons(
    traced: TracedFunction,
    middles: Mapping[str, Array],
    spreads: Mapping[str, Array],
    sizes: Mapping[str, int],
    form: Format,
) -> tuple[str, ...]:
    """Returns the reasons why the result has no bound over a box, in words with the user's lines.

    Args:
        traced: the function, traced with its roundings.
        middles: the middles of the box.
        spreads: the half widths of the box.
        sizes: the sizes of the axes.
        form: the format in which the function rounds.
    """
    system = RoundingSystem(form)
    given = {
        a.name: system.as_input(middles[a.name], spreads.get(a.name))
        for a in traced.signature.inputs
    }
    ranges: dict[int, tuple[float, float]] = {}
    found: list[str] = []
    nodes = traced.trace.program.nodes

    def watch(after: int, value: Any) -> None:
        node = after - 1
        if node < 0 or not isinstance(value, Enclosed):
            return
        ranges[node] = _range(system, value)
        args = nodes[node].args
        if not all(map(isfinite, ranges[node])) and all(
            all(map(isfinite, ranges[a])) for a in args
        ):
            found.append(_reason(traced, node, ranges, form))

    traced.walk(system, given, sizes, watch)
    return tuple(dict.fromkeys(found))[:MOST]


def _range(system: RoundingSystem, x: Enclosed) -> tuple[float, float]:
    """Returns the range of the entries, real and computed; infinite if unknown."""
    with np.errstate(all="ignore"):
        radius = system.radius(x)
        low = high = 0.0
        if x.value.size:
            low = float(np.min(x.value - radius))
            high = float(np.max(x.value + radius))
    if not (isfinite(low) and isfinite(high)):
        return -np.inf, np.inf
    if x.positive:
        low = max(low, x.least)
    return low, high


def _reason(
    traced: TracedFunction, node: int, ranges: Mapping[int, tuple[float, float]], form: Format
) -> str:
    """Describes why an operation has no bound, with the user's line."""
    op, lines = traced.trace.program.nodes[node], traced.trace.lines
    line = str(lines.get(node, NO_LINE))
    if not op.args:
        return _with_line("the inputs may be larger than the dtype holds", line)
    low, high = ranges[op.args[0]]
    between = f"between {low:.3g} and {high:.3g} over the box"
    if op.function == "recip":
        made = _computing_line(traced, op.args[0])
        from_line = ""
        if made not in ("", line):
            from_line = f", from {made}"
        return _with_line(f"the denominator may reach 0: it is {between}{from_line}", line)
    if op.function in ("log", "sqrt", "pow", "arcsin", "arccos", "tan") and low <= 0:
        return _with_line(
            f"the argument of {op.function} may leave its domain, or reach its end: it is"
            f" {between}",
            line,
        )
    if max(abs(low), abs(high)) ** 2 > form.greatest or op.function in ("exp", "sinh", "cosh"):
        return _with_line(f"numbers may overflow in {form.name}: the argument is {between}", line)
    return _with_line(f"no bound is known for {op.function or 'an operation'} there", line)


def _computing_line(traced: TracedFunction, node: int) -> str:
    """Returns the line on which a number was computed, following entries that are only moved."""
    nodes = traced.trace.program.nodes
    while len(nodes[node].args) == 1 and not nodes[node].function and not _is_sum(nodes[node]):
        (node,) = nodes[node].args
    return str(traced.trace.lines.get(node, NO_LINE))


def _is_sum(op: Any) -> bool:
    product = op.as_product
    return product is not None and any(
        k not in product.output for row in product.inputs for k in row
    )


def _with_line(text: str, line: str) -> str:
    if line:
        return f"{text} ({line})"
    return text
