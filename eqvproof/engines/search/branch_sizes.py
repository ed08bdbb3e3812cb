"""Finds the sizes at which a Program takes another branch, as of ``if n > 70``.

``np.where(np.arange(n) == 70, ...)`` is the same at all sizes up to 70, and another function
beyond. Values that depend on sizes alone are therefore computed at one size after another: a size
is tried if a comparison, a rounding or an indicator takes a value for the first time, or a function
is undefined for the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from eqvproof.programs import Program
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.programs.operations import FUNCTIONS, Operation

#: Least and largest upper ends of the sweep over sizes, and largest number of entries in total.
NEAR, FAR, MOST_ENTRIES = 66, 1030, 2_000_000
#: Largest number of values that are distinguished at one node.
MOST_VALUES = 4
#: Functions with a kink -> the number whose sign selects the branch.
_KINKS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda u: u,
    "maximum": lambda u, v: u - v,
    "minimum": lambda u, v: u - v,
}


def branch_sizes(program: Program, others: Mapping[str, int], name: str) -> Iterator[int]:
    """Yields sizes of one axis at which a value that depends on sizes alone changes, ascending.

    They are the first few for each node.

    Args:
        program: the Program.
        others: the sizes of the other axes.
        name: the axis.

    Exactness: float64; a hint only.
    """
    counted = _without_inputs(program)
    if counted is not None:
        branching = [i for i, node in enumerate(counted.nodes) if _is_branch(node)]
    else:
        branching = []
    if counted is None or not branching or name not in counted.names:
        return
    seen: dict[int, set[object]] = {i: set() for i in branching}
    left = MOST_ENTRIES
    for size in range(1, _last(counted) + 1):
        sizes = {**others, name: size}
        left -= sum(prod(s.value(sizes) for s in node.shape) for node in counted.nodes)
        if left < 0 or all(len(values) >= MOST_VALUES for values in seen.values()):
            break
        new = False
        for i, values in _distinct_values(counted, sizes, branching):
            if len(seen[i]) < MOST_VALUES and not values <= seen[i]:
                seen[i] |= values
                new = True
        if new and size > 1:
            yield size


def _without_inputs(program: Program) -> Program | None:
    """Returns the nodes that depend on sizes alone as a Program; None if there are none."""
    places: dict[int, int] = {}
    nodes: list[Operation] = []
    for i, node in enumerate(program.nodes):
        free = (
            node.input_name is None
            and node.opaque_name is None
            and all(a in places for a in node.args)
        )
        if free and (node.args or node.constant is None or node.constant.size == 1):
            places[i] = len(nodes)
            nodes.append(replace(node, args=tuple(places[a] for a in node.args)))
    if nodes:
        return Program((), tuple(nodes), len(nodes) - 1)
    return None


def _is_branch(node: Operation) -> bool:
    function = FUNCTIONS.get(node.function)
    if function is None:
        return node.op == "indicator"
    return function.whole == "always" or function.partial or node.function in _KINKS


def _last(program: Program) -> int:
    """Returns the largest size of the sweep: beyond the reach of products of the constants."""
    numbers = {
        abs(c) for node in program.nodes if node.constant is not None for c in node.constant.flat
    }
    reach = prod((max(c, 1 / Fraction(c)) for c in numbers if c), start=Fraction(1))
    return int(min(FAR, max(NEAR, 2 * reach + 2)))


def _distinct_values(
    program: Program, sizes: Mapping[str, int], branching: list[int]
) -> Iterator[tuple[int, set[object]]]:
    """Yields the distinct values at the nodes that may change.

    For nodes with a kink these are signs; for partial functions, whether they are finite.
    """
    kept: dict[int, Any] = {}
    with np.errstate(all="ignore"):
        evaluate_program(program, FloatSystem(np, np.float64), {}, sizes, kept, lambda *_: True)
        for i in branching:
            node = program.nodes[i]
            kink = _KINKS.get(node.function)
            if kink is not None:
                value = np.sign(kink(*(kept[a] for a in node.args)))
            else:
                value = kept[i]
            if node.function and kink is None and FUNCTIONS[node.function].whole != "always":
                value = np.isfinite(value)
            distinct = np.unique(value)
            yield i, {float(v) if v == v else None for v in distinct[: MOST_VALUES + 1].tolist()}
