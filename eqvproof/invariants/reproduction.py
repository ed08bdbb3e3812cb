"""Checking that f(X) = X g(X^T X); and the reflection that f does not commute with, where it fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.errors import EqvproofError
from eqvproof.invariants.calling import as_floats, is_exact
from eqvproof.invariants.coefficients import Coefficients, solve
from eqvproof.invariants.gram_function import evaluate, minimal
from eqvproof.invariants.layout import Layout, argument_widths, trial_sizes
from eqvproof.witnesses.householder import Householder, householder
from eqvproof.witnesses.orthogonal import orthogonal_witness

Array = NDArray[Any]
#: For floats: relative differences up to this count as rounding.
ROUNDING = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Reproduction:
    """Whether f(X) = X g(X^T X), g called on Gram matrices alone, at some inputs.

    Attributes:
        holds: whether it did at all of them, and f commuted with the reflections that were tried.
        trials: how many inputs.
        exact_trials: at how many of them everything was exact.
        reflection: where it fails, a reflection H with f(H X) != H f(X).
        inputs: where it fails, the arguments X, ... as arrays.
        left: f(H X).
        right: H f(X).
    """

    holds: bool
    trials: int
    exact_trials: int
    reflection: Householder | None = None
    inputs: tuple[Array, ...] = ()
    left: Array | None = None
    right: Array | None = None

    def __str__(self) -> str:
        if self.holds:
            return f"f(X) = X g(X^T X) at {self.trials} inputs, exactly at {self.exact_trials} of them"
        shown = ", ".join(str(a.tolist()) for a in self.inputs)
        return f"f is not equivariant: for H = {self.reflection!r}, f(H X) is not H f(X) at X = {shown}"


def check_factor(f: Callable[..., Any], layout: Layout, trials: int, seed: int) -> Reproduction:
    """Whether g, called on Gram matrices alone, reproduces f; and whether f commutes with simple reflections.

    Once f turns out not to take exact numbers to rationals, floats are used.
    """
    done = exact = 0
    rational = True
    for sizes in trial_sizes(layout, trials):
        d, widths = sizes[layout.axis], argument_widths(layout, sizes)
        for drawn in _inputs(d, sum(widths), seed):
            columns = drawn if rational else as_floats(drawn)
            value = evaluate(f, layout, columns, widths)
            if rational and not is_exact(value):
                rational, columns = False, as_floats(columns)
            for reflection in _reflections(d, columns, value, seed):
                left = evaluate(f, layout, reflection.apply(columns), widths)
                failure = _failure(layout, columns, widths, reflection, left, reflection.apply(value))
                if failure is not None:
                    return failure
            gram = columns.T @ columns
            found = minimal(f, layout, gram, widths, d)
            if found.C is None or not _agree(columns @ found.C, value):
                return _trace_back(f, layout, columns, widths, value, found)
            done += 1
            exact += found.is_exact and is_exact(value)
    return Reproduction(holds=True, trials=done, exact_trials=exact)


def _inputs(d: int, n: int, seed: int) -> list[Array]:
    """Generic columns; repeated and zero columns; collinear ones; all exact."""
    rng = random.Random(f"{seed} {d} {n}")
    generic = np.array(
        [[Fraction(rng.randint(-4, 4), rng.choice((1, 1, 2))) for _ in range(n)] for _ in range(d)],
        dtype=object,
    ).reshape(d, n)
    repeated, collinear = generic.copy(), generic.copy()
    if n > 1:
        repeated[:, 1] = repeated[:, 0]
        repeated[:, 2:3] = Fraction(0)
        for k in range(1, n):
            collinear[:, k] = collinear[:, 0] * k
    return [generic, repeated, collinear] if n > 1 else [generic]


def _reflections(d: int, columns: Array, value: Array, seed: int) -> list[Householder]:
    """Simple reflections, and the one that fixes X when f(X) leaves its span."""
    outside = solve(columns, value).reflection
    vectors = [[int(i == k) for i in range(d)] for k in range(min(d, 3))]
    if d > 1:
        vectors += [[1, -1] + [0] * (d - 2), [1, 2] + [0] * (d - 2), [1] * d]
        rng = random.Random(seed)
        vectors.append([rng.randint(1, 5) for _ in range(d)])
    found = [householder(v) for v in vectors]
    return found if outside is None else [outside, *found]


def _agree(a: Array, b: Array) -> bool:
    if is_exact(a) and is_exact(b):
        return bool((a == b).all())
    x, y = (np.array(m.tolist(), dtype=np.float64) for m in (a, b))
    return bool(
        np.max(np.abs(x - y), initial=0.0) <= ROUNDING * max(1e-300, float(np.max(np.abs(y), initial=0.0)))
    )


def _failure(
    layout: Layout,
    columns: Array,
    widths: Sequence[int],
    reflection: Householder,
    left: Array,
    right: Array,
) -> Reproduction | None:
    if left.shape == right.shape and _agree(left, right):
        return None
    inputs = tuple(layout.split(columns, widths))
    sides = (layout.output.from_columns(side) for side in (left, right))
    return Reproduction(False, 1, int(is_exact(left)), reflection, inputs, *sides)  # noqa: FBT003


def _trace_back(
    f: Callable[..., Any],
    layout: Layout,
    columns: Array,
    widths: Sequence[int],
    value: Array,
    found: Coefficients,
) -> Reproduction:
    """A reflection on the way from the root to X at which f fails to commute.

    The root X' and X have equal Gram matrices, so that reflections lead from one to the other. If f commuted
    with each, f(X) would be X times the coefficients of f(X') in X'.
    """
    point = found.X if is_exact(found.X) else found.X.astype(np.float64)
    witness = orthogonal_witness(point, columns if is_exact(point) else columns.astype(np.float64))
    reached = evaluate(f, layout, point, widths)
    if found.reflection is not None:
        left = evaluate(f, layout, found.reflection.apply(point), widths)
        failure = _failure(layout, point, widths, found.reflection, left, found.reflection.apply(reached))
        if failure is not None:
            return failure
    for reflection in reversed(witness.reflections):
        moved = reflection.apply(point)
        after = evaluate(f, layout, moved, widths)
        failure = _failure(layout, point, widths, reflection, after, reflection.apply(reached))
        if failure is not None:
            return failure
        point, reached = moved, after
    raise EqvproofError(
        "g does not reproduce f, although f commutes with all reflections on the way",
        given=f"f(X) = {value.tolist()}",
        hint="f may give different answers to equal calls, or lose too many digits",
        expected="f(X) = X g(X^T X)",
    )
