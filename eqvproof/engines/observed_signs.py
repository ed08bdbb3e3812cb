"""Observations in floats of how sign flips change the values of a Program."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.size import least_sizes
from eqvproof.programs import Program
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.programs.rules import Context, Type, Typed
from eqvproof.programs.rules.acts import fix, is_fixed, std
from eqvproof.support.errors import EqvproofError

Array = np.ndarray[Any, Any]
#: Largest number of entries of all values, and of signs that are flipped one by one.
MOST_ENTRIES, MOST_SINGLE = 2_000_000, 8
#: Values that agree up to this, relative to the largest, are treated as equal.
CLOSE = 1e-6


class Seen:
    """The values of a Program in floats under sign flips, at one choice of sizes."""

    def __init__(self, program: Program, context: Context, inputs: Mapping[str, Type]) -> None:
        self.program, self.context = program, context
        #: The values of all nodes without flips, and the pairs of signs and flipped values.
        self.still: dict[int, Array] = {}
        self.flipped: list[tuple[Array, dict[int, Array]]] = []
        given = {name for _, shape in program.inputs for size in shape for name in size.names}
        names = sorted({*program.names, *given, *context.size.names})
        lows = least_sizes(names)
        sizes = {name: max(3, lows[name]) + k % 3 for k, name in enumerate(names)}
        if sum(prod(n.lengths(sizes)) for n in program.nodes) > MOST_ENTRIES:
            return
        try:
            self._compute(inputs, sizes)
        except (EqvproofError, ArithmeticError, ValueError):
            self.flipped = []

    def _compute(self, inputs: Mapping[str, Type], sizes: Mapping[str, int]) -> None:
        program, flipped, rng = self.program, self.context.flipped, np.random.default_rng(5)
        count = self.context.size.value(sizes)
        given = {n: rng.normal(size=[s.value(sizes) for s in shape]) for n, shape in program.inputs}
        kept: dict[int, Array] = {}
        if flipped is not None:
            node = program.nodes[flipped]
            matrices, shape = program.nodes[node.args[0]].lengths(sizes), node.lengths(sizes)
            is_one = len(shape) < len(matrices)
            bases = np.linalg.qr(rng.normal(size=matrices))[0]
            kept[flipped] = bases[..., 0] if is_one else bases[..., : shape[-1]]
        singles = np.where(np.eye(count), -1.0, 1.0)[:MOST_SINGLE]
        for signs in (
            np.ones(count),
            *singles,
            -np.ones(count),
            *rng.choice([-1.0, 1.0], size=(3, count)),
        ):
            values, at = dict(kept), given
            if flipped is None:
                at = {n: _multiplied(x, inputs[n], signs) for n, x in given.items()}
            else:
                values[flipped] = kept[flipped] * (signs[0] if is_one else signs)
            with np.errstate(all="ignore"):
                evaluate_program(
                    program, FloatSystem(np, np.float64), at, sizes, values, lambda op, value: True
                )
            if self.still:
                self.flipped.append((signs, values))
            self.still = self.still or values

    def type_of(self, node: int, claimed: Typed | None = None) -> Typed | None:
        """Returns the type with which the values agree, the claimed one if it is one of these.

        Returns None if flips act in another way.
        """
        if not self.flipped or node not in self.still or not np.isfinite(self.still[node]).any():
            return None
        first, shape = self.still[node], self.program.nodes[node].shape
        acts = tuple(map(fix, shape))
        if all(_is_close(first, values[node]) for _, values in self.flipped):
            return Typed(acts)
        for axis, size in enumerate(shape):
            if claimed and sum(not is_fixed(act) for act in claimed.acts) == 1:
                if is_fixed(claimed.acts[axis]):
                    continue
            if size == self.context.size:
                moved = (*acts[:axis], std(size), *acts[axis + 1 :])
                if all(
                    _is_close(_multiplied(first, moved, s), values[node])
                    for s, values in self.flipped
                ):
                    return Typed(moved)
        if all(_is_close(first * s.prod(), values[node]) for s, values in self.flipped):
            return Typed(acts, 1)
        return None


def _multiplied(array: Array, acts: Type, signs: Array) -> Array:
    """Multiplies an array by signs along the axes on which the flips act."""
    for axis, act in enumerate(acts):
        if not is_fixed(act):
            array = array * signs.reshape([-1 if a == axis else 1 for a in range(array.ndim)])
    return array


def _is_close(a: Array, b: Array) -> bool:
    both = np.isfinite(a) & np.isfinite(b)
    scale = float(np.max(np.abs(a), where=both, initial=1e-300))
    gap = np.abs(np.where(both, a, 0.0) - np.where(both, b, 0.0))
    return bool((np.isfinite(a) == np.isfinite(b)).all() and (gap <= CLOSE * scale).all())
