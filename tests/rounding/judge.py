"""A computed result held against its bound, the real value being known to 200 bits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eqvproof.errors import EqvproofError
from eqvproof.evaluate import evaluate_exact
from eqvproof.evaluate.floats import FloatSystem
from eqvproof.evaluate.walk import run
from eqvproof.exact import Real
from eqvproof.program import Program
from eqvproof.rounding.enclosed import filled
from eqvproof.rounding.formats import format_of
from eqvproof.rounding.system import RoundingSystem

Array = np.ndarray[Any, Any]
DTYPES = {"float64": np.float64, "float32": np.float32, "float16": np.float16}


class Shuffled(FloatSystem):
    """Floats whose sums are taken in a random order."""

    def __init__(self, dtype: Any, rng: np.random.Generator) -> None:
        super().__init__(np, dtype)
        self.rng = rng

    def matmul(self, a: Any, b: Any) -> Any:
        order = self.rng.permutation(a.shape[-1])
        return super().matmul(a[..., order], b[..., order, :])

    def total(self, a: Any, axes: Any) -> Any:
        for axis in axes:
            a = np.take(a, self.rng.permutation(a.shape[axis]), axis)
        return super().total(a, axes)


def bounds(
    program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int], dtype: str
) -> Array | None:
    """The bounds of a Program; None where it holds functions that are not read."""
    system = RoundingSystem(format_of(dtype, sums_apart=False))
    given = {n: system.given(np.asarray(a, dtype=np.float64)) for n, a in inputs.items()}
    try:
        with np.errstate(all="ignore"):
            result = run(program, system, given, sizes)
    except EqvproofError:
        return None
    return filled(result.error, result.shape)


def computed(
    program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int], dtype: str, seed: int
) -> Array:
    """The result in a dtype, sums in some order."""
    kind = DTYPES[dtype]
    with np.errstate(all="ignore"):
        given = {n: np.asarray(a, dtype=np.float64).astype(kind) for n, a in inputs.items()}
        return np.asarray(run(program, Shuffled(kind, np.random.default_rng(seed)), given, sizes), np.float64)


def real(program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int]) -> tuple[Array, Array]:
    """The middle of the real value and how far it may be off; NaN where it is undefined or not decided."""
    exact = np.asarray(evaluate_exact(program, inputs, sizes, precision=200), dtype=object)
    middle, radius = np.full(exact.shape, np.nan, dtype=np.longdouble), np.zeros(exact.shape)
    for at in np.ndindex(exact.shape):
        entry = exact[at]
        if isinstance(entry, Real):
            low, high = entry.bounds()
            near = np.longdouble(float(low))
            middle[at] = near + np.longdouble(float(low - _fraction(near)))
            radius[at] = float(high - low) + 1e-18 * abs(float(low))
    return middle, radius


def _fraction(x: Any) -> Any:
    from fractions import Fraction

    return Fraction(float(x))


def beyond(result: Array, exact: tuple[Array, Array], bound: Array) -> Array:
    """Where a result is further from the real value than its bound."""
    middle, radius = exact
    with np.errstate(all="ignore"):
        gap = np.abs(result.astype(np.longdouble) - middle) - radius
    known = np.isfinite(middle)
    lost = known & ~np.isfinite(result) & np.isfinite(bound)
    return lost | (known & np.isfinite(result) & (gap > bound))
