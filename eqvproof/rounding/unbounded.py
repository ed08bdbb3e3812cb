"""Reasons why a result has no bound: the first operations that lose the bound.

Their arguments have bounds, and their values have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from eqvproof.rounding.enclosed import Array, Enclosed
from eqvproof.rounding.formats import Format
from eqvproof.rounding.reading import Reading
from eqvproof.rounding.system import RoundingSystem

#: Largest number of reasons given.
MOST = 3


def reasons(
    reading: Reading,
    middles: Mapping[str, Array],
    spreads: Mapping[str, Array],
    sizes: Mapping[str, int],
    form: Format,
) -> tuple[str, ...]:
    """Returns the reasons why the result has no bound over a box, in words with the user's lines.

    Args:
        reading: the Program of the function.
        middles: the middles of the box.
        spreads: how far the box reaches from its middles.
        sizes: the sizes of the axes.
        form: the format in which the function rounds.
    """
    system = RoundingSystem(form)
    given = {
        a.name: system.given(middles[a.name], spreads.get(a.name)) for a in reading.signature.inputs
    }
    ranges: dict[int, tuple[float, float]] = {}
    found: list[str] = []
    nodes = reading.trace.program.nodes

    def watch(after: int, value: Any) -> None:
        node = after - 1
        if node < 0 or not isinstance(value, Enclosed):
            return
        ranges[node] = _range(system, value)
        args = nodes[node].args
        if not all(map(isfinite, ranges[node])) and all(
            all(map(isfinite, ranges[a])) for a in args
        ):
            found.append(_reason(reading, node, ranges, form))

    reading.walk(system, given, sizes, watch)
    return tuple(dict.fromkeys(found))[:MOST]


def _range(system: RoundingSystem, x: Enclosed) -> tuple[float, float]:
    """Returns the least and the largest number that entries may be, real and computed.

    They are infinite where not known.
    """
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
    reading: Reading, node: int, ranges: Mapping[int, tuple[float, float]], form: Format
) -> str:
    op, lines = reading.trace.program.nodes[node], reading.trace.lines
    line = lines.get(node, "")
    if not op.args:
        return _with_line("the inputs may be larger than the dtype holds", line)
    low, high = ranges[op.args[0]]
    between = f"between {low:.3g} and {high:.3g} over the box"
    if op.function == "recip":
        made = _made_at(reading, op.args[0])
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


def _made_at(reading: Reading, node: int) -> str:
    """Returns the line on which a number was computed, following entries that are only moved."""
    nodes = reading.trace.program.nodes
    while len(nodes[node].args) == 1 and not nodes[node].function and not _sums(nodes[node]):
        (node,) = nodes[node].args
    return reading.trace.lines.get(node, "")


def _sums(op: Any) -> bool:
    product = op.as_product
    return product is not None and any(
        k not in product.output for row in product.inputs for k in row
    )


def _with_line(text: str, line: str) -> str:
    if line:
        return f"{text} ({line})"
    return text
