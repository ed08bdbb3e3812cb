"""A computed result held against its bound, the real value being known to 200 bits."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from eqvproof.numbers import Real
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.rounding.adjoints import AdjointSystem
from eqvproof.rounding.enclosed import fill_bound
from eqvproof.rounding.formats import Format, format_of
from eqvproof.rounding.probable import ProbableSystem
from eqvproof.rounding.system import RoundingSystem
from eqvproof.support.errors import EqvproofError

Array = np.ndarray[Any, Any]
DTYPES = {"float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": np.float32}


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


class Brain(Shuffled):
    """bfloat16 as torch has it: operations in float32, each result rounded to 8 bits."""

    def multiply(self, a: Any, b: Any) -> Any:
        return to_bfloat16(super().multiply(a, b))

    def matmul(self, a: Any, b: Any) -> Any:
        return to_bfloat16(super().matmul(a, b))

    def total(self, a: Any, axes: Any) -> Any:
        return to_bfloat16(super().total(a, axes))

    def fractions(self, values: Any, shape: Any) -> Any:
        return to_bfloat16(super().fractions(values, shape))

    def add(self, arrays: Any) -> Any:
        return functools.reduce(lambda a, b: to_bfloat16(a + b), arrays)

    def apply(self, fn: str, arrays: Any) -> Any:
        return to_bfloat16(super().apply(fn, arrays))

    def reduce(self, fn: str, array: Any, axes: Any) -> Any:
        return to_bfloat16(super().reduce(fn, array, axes))

    def inverse(self, array: Any) -> Any:
        return to_bfloat16(super().inverse(array))

    def determinant(self, array: Any) -> Any:
        return to_bfloat16(super().determinant(array))

    def matrix(self, fn: str, arrays: Any) -> Any:
        return to_bfloat16(super().matrix(fn, arrays))


def to_bfloat16(array: Any) -> Array:
    """The nearest numbers of 8 bits, ties to even, as float32."""
    bits = np.ascontiguousarray(array, dtype=np.float32).view(np.uint32)
    near = ((bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.asarray(np.where(np.isfinite(array), near, array), dtype=np.float32).reshape(np.shape(array))


def form_of(dtype: str) -> Format:
    """How these systems round."""
    return format_of(dtype, sums_apart=dtype == "bfloat16")


def system_of(dtype: str, seed: int) -> Shuffled:
    """The system that computes in a dtype, sums in random orders."""
    kind = Brain if dtype == "bfloat16" else Shuffled
    return kind(DTYPES[dtype], np.random.default_rng(seed))


def bounds(
    program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int], dtype: str,
    model: str = "certain",
) -> Array | None:  # fmt: skip
    """The bounds of a Program, in a model or traced back; None where it holds functions that are not read."""
    base, likely = RoundingSystem(form_of(dtype)), ProbableSystem(form_of(dtype))
    base.compares = likely.base.compares = True
    given: Any = {n: base.as_input(np.asarray(a, dtype=np.float64)) for n, a in inputs.items()}
    try:
        with np.errstate(all="ignore"):
            if model.startswith("traced"):
                tracing = AdjointSystem(form_of(dtype), 1e-9 if model == "traced, probable" else 0.0)
                tracing.base.compares = True
                return tracing.bound(
                    evaluate_program(
                        program, tracing, {n: tracing.as_input(x) for n, x in given.items()}, sizes
                    )
                )
            if model == "probable":
                return likely.bound(
                    evaluate_program(
                        program, likely, {n: likely.as_input(x) for n, x in given.items()}, sizes
                    )
                )
            result = evaluate_program(program, base, given, sizes)
    except EqvproofError:
        return None
    return fill_bound(result.error, result.shape)


def computed(
    program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int], dtype: str, seed: int
) -> Array:
    """The result in a dtype, sums in some order."""
    kind = DTYPES[dtype]
    with np.errstate(all="ignore"):
        given = {n: np.asarray(a, dtype=np.float64).astype(kind) for n, a in inputs.items()}
        if dtype == "bfloat16":
            given = {n: to_bfloat16(a) for n, a in given.items()}
        return np.asarray(evaluate_program(program, system_of(dtype, seed), given, sizes), np.float64)


def real(program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int]) -> tuple[Array, Array]:
    """The middle of the real value and how far it may be off; NaN where it is undefined or not decided."""
    exact = np.asarray(evaluate_exact(program, inputs, sizes, precision=200), dtype=object)
    middle, radius = np.full(exact.shape, np.nan, dtype=np.longdouble), np.zeros(exact.shape)
    for at in np.ndindex(exact.shape):
        entry = exact[at]
        if isinstance(entry, Real) and max(map(abs, entry.bounds())) < 2**1000:
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
