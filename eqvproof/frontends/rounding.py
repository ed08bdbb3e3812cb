"""Which differences between a target and its Program are rounding errors, of the one or of the other.

A difference is excused where the Program in exact arithmetic agrees with the target (then the Program
rounded), and where last bits of the inputs move the result as far (then the target did), unless the inputs
have ties: there a comparison is exact, and what differs is another function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eqvproof.errors import EqvproofError
from eqvproof.evaluate import evaluate_exact, evaluate_float
from eqvproof.evaluate.floats import FloatSystem
from eqvproof.evaluate.walk import run
from eqvproof.program import Program

CLOSE = 1e-6
MOST_EXACT = 20_000
ULPS = 1000.0

Array = np.ndarray[Any, Any]


def excused(
    program: Program,
    result: Array,
    expected: Array,
    sizes: Mapping[str, int],
    inputs: Mapping[str, Array],
    stand_ins: Mapping[str, Callable[..., Any]],
    *,
    generic: bool,
) -> Array:
    """Where a difference may be due to rounding.

    Args:
        program: the Program.
        result: what the target returned.
        expected: what the Program evaluated to in floats.
        sizes: the axis sizes.
        inputs: the inputs.
        stand_ins: functions for uninterpreted ones.
        generic: whether the inputs are without ties.
    """
    exact = _exact(program, sizes, inputs) if not stand_ins else None
    near = np.zeros(result.shape, dtype=bool)
    undefined = np.zeros(result.shape, dtype=bool)
    if exact is not None:
        defined = np.isfinite(exact)
        value = np.where(defined, exact, 0.0)
        near = defined & (np.abs(result - value) <= CLOSE * np.maximum(np.abs(value), 1e-280))
        undefined = ~defined
    noise = _noise(program, expected, sizes, inputs, stand_ins)
    noise = np.maximum(noise, ULPS * np.finfo(np.float64).eps * _largest(program, sizes, inputs, stand_ins))
    small = np.abs(result - expected) <= noise
    allowed: Array = near | (small if exact is None or generic else small & undefined)
    return allowed


def _exact(program: Program, sizes: Mapping[str, int], inputs: Mapping[str, Array]) -> Array | None:
    """The Program's value, rounded once at the end; NaN where undefined; None where it is too large."""
    entries = max(float(np.prod([s.value(sizes) for s in n.shape], dtype=float)) for n in program.nodes)
    if entries > MOST_EXACT:
        return None
    from eqvproof.exact import Real

    try:
        value = np.asarray(evaluate_exact(program, dict(inputs), dict(sizes)), dtype=object)
    except (EqvproofError, ArithmeticError):
        return None
    flat: list[float] = [v.to_float() if isinstance(v, Real) else np.nan for v in value.ravel()]
    rounded: Array = np.array(flat, dtype=np.float64).reshape(value.shape)
    return rounded


def _largest(
    program: Program,
    sizes: Mapping[str, int],
    inputs: Mapping[str, Array],
    stand_ins: Mapping[str, Callable[..., Any]],
) -> float:
    """The largest finite entry of any value on the way: what cancels leaves its rounding errors behind."""
    largest = 0.0

    def see(value: Any) -> bool:
        nonlocal largest
        entries = np.abs(np.asarray(value))
        largest = max(largest, float(np.max(entries, where=np.isfinite(entries), initial=0.0)))
        return False

    with np.errstate(all="ignore"):
        run(program, FloatSystem(np, np.float64, dict(stand_ins)), inputs, sizes, keep=see)
    return largest


def _noise(
    program: Program,
    expected: Array,
    sizes: Mapping[str, int],
    inputs: Mapping[str, Array],
    stand_ins: Mapping[str, Callable[..., Any]],
) -> Array:
    """How far the last bits of the inputs move the result."""
    worst = np.zeros(np.shape(expected))
    rng = np.random.default_rng(1)
    for _ in range(4):
        moved = {n: x * (1 + rng.choice([-1.0, 1.0], np.shape(x)) * 2.0**-50) for n, x in inputs.items()}
        other = np.asarray(evaluate_float(program, moved, dict(sizes), opaque=dict(stand_ins)))
        gap = np.abs(other - expected)
        worst = np.maximum(worst, np.where(np.isfinite(gap), gap, np.inf))
    return ULPS * worst
