"""Checks whether differences between a target and its Program are rounding errors of either.

A difference is excused where the Program in exact arithmetic agrees with the target (then the
Program rounded), and where last bits of the inputs, or of intermediate values, move the result as
far (then the target did), unless the inputs have ties: there a comparison is exact, and what
differs is another function. Where exact arithmetic divides zero by zero, floats divide rounding
errors, or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TypeVar

import numpy as np

from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.library_functions import (
    rests_on_ties,
    stable_order,
    takes_eigenvectors,
)
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.programs.operations import Operation
from eqvproof.support.code_line import CodeLine
from eqvproof.support.errors import EqvproofError, kind_of
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.samples import GENERIC

_T = TypeVar("_T")
CLOSE = 1e-6
#: Largest number of entries of a value that a replay computes in exact arithmetic; for matrices,
#: entries times size.
MOST_EXACT = 20_000
ULPS = 1000.0
#: Factor between rounding errors that occur and sampled ones, and the number of samples.
STEPS, SHAKES = 16.0, 20
#: Last bits of floating types, and how many last bits of the largest intermediate value may remain
#: where values cancel.
EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
CANCELLED = 8.0
#: The smallest and the largest positive numbers of floating types.
RANGES = {
    "float64": (2.0**-1074, 2.0**1023), "float32": (2.0**-149, 2.0**128),
    "bfloat16": (2.0**-133, 2.0**128), "float16": (2.0**-24, 2.0**16),
}  # fmt: skip
#: The spacing of float64 numbers next to 0.
SMALLEST = 5e-324
#: An eigenvalue counts as 0 below this fraction of the largest.
ZERO = 1e-12
#: Functions that are not continuous.
JUMPS = frozenset("sign floor ceil rint not mod lt le gt ge eq ne and or arctan2".split())


@dataclass(frozen=True, slots=True)
class Point:
    """The sizes and inputs at which a Program is compared with its target.

    Attributes:
        program: the Program.
        sizes: the axis sizes.
        inputs: the inputs.
        stand_ins: functions for uninterpreted ones.
        lines: the user's lines that made its nodes.
    """

    program: Program
    sizes: Mapping[str, int]
    inputs: Mapping[str, Numbers]
    stand_ins: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    lines: Mapping[int, CodeLine] = field(default_factory=dict)

    def value(self, dtype: type[np.float32 | np.float64] = np.float64) -> Numbers:
        """Evaluates the Program in floats of a type."""
        functions = dict(self.stand_ins)
        return np.asarray(
            evaluate_float(self.program, self.inputs, self.sizes, dtype=dtype, opaque=functions)
        )


def excused(at: Point, result: Numbers, expected: Numbers, *, generic: bool) -> Numbers:
    """Returns a mask of the entries whose difference may be due to rounding.

    Args:
        at: the Program, where it was evaluated.
        result: what the target returned.
        expected: what the Program evaluated to in floats.
        generic: whether the inputs are without ties.
    """
    exact = _exact(at) if not at.stand_ins else None
    near = np.zeros(result.shape, dtype=bool)
    undefined = np.zeros(result.shape, dtype=bool)
    if exact is not None:
        defined = np.isfinite(exact)
        value = np.where(defined, exact, 0.0)
        near = defined & (np.abs(result - value) <= CLOSE * np.maximum(np.abs(value), 1e-280))
        undefined = ~defined
    noise = _noise(at, expected)
    gap = np.abs(result - expected)
    small = gap <= noise
    allowed: Numbers = near | (small if exact is None or generic else small & undefined)
    plain = generic or is_continuous(at.program)
    if plain or takes_eigenvectors(at.program):
        others = _shaken(at, system=_Shaken if plain else _Turned)
        moved = np.array(
            [np.where(np.isfinite(o - expected), np.abs(o - expected), 0.0) for o in others]
        )
        allowed = allowed | (gap <= STEPS * moved.max(axis=0))
    return allowed


def offset(at: Point, expected: Numbers, precision: str, *, generic: bool) -> Numbers:
    """Estimates how far roundings in a float type may move each entry, by sampling last bits.

    The last bits of the inputs and of intermediate values are varied.

    Where the inputs have ties and the Program jumps, a last bit may decide, which is no excuse: the
    estimate is then at most the rounding error that remains where the largest intermediate values
    cancel.
    """
    eps = EPS.get(precision, EPS["bfloat16"])
    rng = np.random.default_rng(3)
    others = _shaken(at, eps) + _shaken(_perturb_last_bit(at, rng, eps), eps)
    gaps = [np.abs(o - expected) for o in others]
    moved: Numbers = STEPS * np.max([np.where(np.isfinite(g), g, 0.0) for g in gaps], axis=0)
    if generic or is_continuous(at.program):
        return moved
    return np.minimum(moved, CANCELLED * eps * _largest(at))


def cancelled(
    at: Point, unrewritten: Program | None, expected: Numbers, precision: str = "float64"
) -> Numbers:
    """Estimates how far roundings of terms that cancel in the Program may move each entry.

    A Program in which x - x is 0 does not show the roundings of x. The terms are those that the
    target computes, and the effect of their last bits is estimated by sampling last bits.

    Args:
        at: the Program, where it was evaluated.
        unrewritten: the Program as the target computes it; None where that is not known.
        expected: what the Program evaluates to.
        precision: the floating type.
    """
    none = np.zeros(np.shape(expected))
    if unrewritten is None or not is_continuous(unrewritten) or unrewritten.opaques:
        return none
    there, eps = replace(at, program=unrewritten), EPS.get(precision, EPS["bfloat16"])
    with np.errstate(all="ignore"):
        value = there.value()
        gaps = [np.abs(o - value) for o in _shaken(there, eps)]
        moved: Numbers = STEPS * np.max([np.where(np.isfinite(g), g, 0.0) for g in gaps], axis=0)
        is_the_same = np.abs(value - expected) <= moved
    return np.where(is_the_same, moved, none)


def settled_values(
    at: Point, result: Numbers, expected: Numbers, precision: str, style: str
) -> Numbers:
    """Returns the result, with the expected value where the difference may be due to rounding."""
    with np.errstate(all="ignore"):
        off = offset(at, expected, precision, generic=style in GENERIC)
        settled: Numbers = np.where(np.abs(result - expected) <= off, expected, result)
    return settled


def close(a: Numbers, b: Numbers, slack: float) -> bool:
    """Checks whether two results are defined at the same entries and nearly equal there.

    The difference is compared with `slack` times the largest entry.
    """
    both = np.isfinite(a) & np.isfinite(b)
    if (np.isfinite(a) != np.isfinite(b)).any():
        return False
    if not both.any():
        return True
    scale = float(np.abs(b[both]).max())
    return bool(np.abs(a[both] - b[both]).max() <= slack * scale)


def agrees(at: Point, result: Numbers, expected: Numbers, slack: float, style: str) -> bool:
    """Checks whether a result in float64 equals the expected one, up to rounding."""
    if result.shape != expected.shape:
        return False
    if close(result, expected, slack):
        return True
    return close(settled_values(at, result, expected, "float64", style), expected, slack)


def agree_exactly(a: Point, b: Point) -> bool:
    """Checks whether two Programs are known to have the same value in exact arithmetic.

    The values are rounded once at the end. False may mean unknown.
    """
    first, second = _exact(a), _exact(b)
    return first is not None and second is not None and close(first, second, CLOSE)


def is_undefined(at: Point) -> bool:
    """Checks whether exact arithmetic defines no entry, so that the target may raise."""
    exact = _exact(at)
    return exact is not None and not np.isfinite(exact).any()


def is_singular(error: BaseException | None) -> bool:
    """Checks whether an exception is a library's LinAlgError: a matrix has no inverse or factor."""
    return kind_of(error).endswith("LinAlgError")


def is_continuous(program: Program) -> bool:
    """Checks whether the Program has no jumps: then small rounding errors have small effects."""
    return not any(
        n.choice or n.opaque_name is not None or n.function in JUMPS for n in program.nodes
    )


def half_defined(at: Point) -> tuple[Numbers, Numbers]:
    """Returns masks of entries that may be undefined in floats, and of those that may be numbers.

    The first mask holds where exact arithmetic says undefined, or cannot tell; the second where
    moreover floats with other last bits give a number.
    """
    others = _shaken(at)
    if at.stand_ins:
        unsettled = np.zeros(others[0].shape, dtype=bool)
    else:
        unsettled = undefined_at(at)
    return unsettled, unsettled & np.isfinite(np.array(others)).any(axis=0)


def rests_on_order(at: Point, expected: Numbers) -> Numbers:
    """Returns a mask of entries that depend on how a sort orders ties or on the choice of vectors.

    Eigenvectors of equal eigenvalues, and singular vectors of the singular value 0, have no values.
    """
    if takes_eigenvectors(at.program) and _lacks_vectors(at):
        return np.isnan(expected)
    if not rests_on_ties(at.program):
        return np.zeros(np.shape(expected), dtype=bool)
    named = {**dict.fromkeys((n.name for n in at.program.opaques), stable_order), **at.stand_ins}
    unknown: Numbers = np.isnan(expected) & np.isfinite(replace(at, stand_ins=named).value())
    return unknown


def _lacks_vectors(at: Point) -> bool:
    """Checks whether eigenvectors are used of equal eigenvalues, or of an eigenvalue 0."""
    matrices = {node.args for node in at.program.nodes if node.is_up_to_signs}

    def lacks(op: Operation, value: Numbers) -> bool:
        if op.is_up_to_signs:
            return bool(np.isnan(value).any())
        if op.matrix_function != "eigvals" or op.args not in matrices:
            return False
        sizes = np.abs(value)
        return bool((sizes.min(-1, initial=np.inf) <= ZERO * sizes.max(-1, initial=0.0)).any())

    return any(_on_the_way(at, lacks))


def _on_the_way(at: Point, seen: Callable[[Operation, Numbers], _T]) -> list[_T]:
    """Applies a function to each operation of the Program and its value in floats."""
    found: list[_T] = []

    def see(op: Operation, value: object) -> bool:
        found.append(seen(op, np.asarray(value)))
        return False

    with np.errstate(all="ignore"):
        evaluate_program(
            at.program,
            FloatSystem(np, np.float64, dict(at.stand_ins)),
            at.inputs,
            at.sizes,
            keep=see,
        )
    return found


def beyond_floats(at: Point, precision: str = "float64") -> bool:
    """Checks whether an exponential leaves a float type's range: it underflows or overflows.

    What is divided by it, or by a sum of such, is defined in exact arithmetic, but not in floats.
    """
    least, most = RANGES.get(precision, RANGES["float16"])

    def is_beyond(op: Operation, value: Numbers) -> bool:
        return op.function == "exp" and bool(((value < least) | (value > most)).any())

    return any(_on_the_way(at, is_beyond))


def undefined_at(at: Point) -> Numbers:
    """Returns a mask of entries that exact arithmetic finds undefined, or cannot decide.

    No entry is marked where exact arithmetic is too much work.
    """
    from eqvproof.numbers import Real

    value = _exact_entries(at)
    if value is None:
        return np.zeros([s.value(at.sizes) for s in at.program.shape], dtype=bool)
    return np.array([not isinstance(v, Real) for v in value.flat], dtype=bool).reshape(value.shape)


def _exact_entries(at: Point) -> Numbers | None:
    """Evaluates the Program in exact arithmetic; returns None where it is too large."""
    nodes = at.program.nodes
    matrices = [nodes[node.args[0]] for node in nodes if node.matrix_function]
    shapes = [node.shape for node in nodes] + [(*m.shape, m.shape[-1]) for m in matrices]
    if max(prod(float(s.value(at.sizes)) for s in shape) for shape in shapes) > MOST_EXACT:
        return None
    from eqvproof.programs.evaluate import evaluate_exact

    try:
        return np.asarray(evaluate_exact(at.program, at.inputs, at.sizes), dtype=object)
    except (EqvproofError, ArithmeticError):
        return None


def _exact(at: Point) -> Numbers | None:
    """Evaluates the Program exactly and rounds once at the end.

    Undefined entries are NaN. None where the Program is too large.
    """
    from eqvproof.numbers import Real

    value = _exact_entries(at)
    if value is None:
        return None
    flat: list[float] = [v.to_float() if isinstance(v, Real) else np.nan for v in value.ravel()]
    rounded: Numbers = np.array(flat, dtype=np.float64).reshape(value.shape)
    return rounded


def _largest(at: Point) -> float:
    """Returns the largest finite absolute entry of any intermediate value.

    Where such values cancel, their rounding errors remain.
    """

    def largest(_: Operation, value: Numbers) -> float:
        return float(np.max(np.abs(value), where=np.isfinite(value), initial=0.0))

    return max(_on_the_way(at, largest), default=0.0)


def _perturb_last_bit(at: Point, rng: np.random.Generator, eps: float) -> Point:
    """Returns the point with each input entry larger or smaller by a last bit."""
    signs = {n: rng.choice([-1.0, 1.0], np.shape(x)) for n, x in at.inputs.items()}
    return replace(at, inputs={n: x * (1 + signs[n] * eps) for n, x in at.inputs.items()})


def _noise(at: Point, expected: Numbers) -> Numbers:
    """Estimates how far the last bits of the inputs move the result."""
    worst = np.zeros(np.shape(expected))
    rng = np.random.default_rng(1)
    for _ in range(4):
        gap = np.abs(_perturb_last_bit(at, rng, 2.0**-50).value() - expected)
        worst = np.maximum(worst, np.where(np.isfinite(gap), gap, np.inf))
    return ULPS * worst


class _Drawn(FloatSystem):
    """Floats in which some results are off by a last bit, up or down."""

    rng: np.random.Generator
    eps: float

    def _off(self, value: Numbers) -> object:
        bit = self.rng.choice([-1.0, 0.0, 1.0], np.shape(value))
        return value * (1 + bit * self.eps) + bit * SMALLEST


class _Turned(_Drawn):
    """Floats whose eigenvectors are off by a last bit, as they differ between libraries.

    Sums are not changed: terms that tie cancel as before.
    """

    def matrix(self, fn: str, arrays: Sequence[object]) -> object:
        return self._off(super().matrix(fn, arrays))


class _Shaken(_Drawn):
    """Floats whose sums and products are off by a last bit."""

    def multiply(self, a: object, b: object) -> object:
        return self._off(super().multiply(a, b))

    def matmul(self, a: object, b: object) -> object:
        return self._off(super().matmul(a, b))

    def total(self, a: object, axes: Sequence[int]) -> object:
        return self._off(super().total(a, axes))

    def add(self, arrays: Sequence[object]) -> object:
        return self._off(super().add(arrays))


def _shaken(
    at: Point, eps: float = EPS["float64"], system: Callable[..., _Drawn] = _Shaken
) -> list[Numbers]:
    """Evaluates the Program with other last bits on the way: a root turns 1e-16 into 1e-8."""
    floats = system(np, np.float64, dict(at.stand_ins))
    floats.rng, floats.eps = np.random.default_rng(2), eps
    with np.errstate(all="ignore"):
        return [
            np.asarray(evaluate_program(at.program, floats, at.inputs, at.sizes))
            for _ in range(SHAKES)
        ]
