"""Orders counterexamples by size, and shrinks one to the smallest that the search can find.

Each pass keeps a counterexample a counterexample, and makes it simpler in the order: smaller sizes,
both sides defined, a simpler group element, exact rather than enclosed, smaller entries. No pass is
random.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from eqvproof.engines.search.compare_arrays import Comparison
from eqvproof.engines.search.comparer import Comparer, Violation
from eqvproof.engines.search.cost import SIMPLE_VALUES, inputs_cost, value_cost
from eqvproof.engines.search.elements import Move, revealing_moves, simple_moves
from eqvproof.engines.search.inputs import scaled_point
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.engines.search.sides import Trial
from eqvproof.numbers.tensor import map_entries
from eqvproof.support.errors import ShapeError, TargetError

#: Number of simple elements of each factor that are tried on a small point.
EACH = 6
#: Numbers of structured points that are tried: if all small ones are listed, and otherwise.
_POOL_LISTED, _POOL_OTHER = 700, 200
#: Number of points tried after an enclosed counterexample to find an exact one.
_PATIENCE = 30
#: Largest number of rounds of shrinking; each makes the counterexample smaller, or is the last.
_MOST_ROUNDS = 40
#: Largest number of points that the passes try; seconds for the pool of simple points, and for the
#: passes, in processor time, so that other processes change no result; and the largest multiple of
#: these by the clock.
_MOST_COMPARISONS, SECONDS, _PATIENT = 1500, 2.0, 10
#: Entries above this are tried with one nonzero digit only.
_EVERY_INTEGER = 10**4
#: If integers leave one side undefined: number of points that are tried scaled by these factors.
_SCALED, _FRACTIONS = 40, (Fraction(1, 2), Fraction(1, 4))
#: Number of simple points without a violation after which a simpler element is abandoned.
_FRUITLESS = 60


class TimeBudget:
    """A budget of this thread's processor time."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self._end = time.thread_time() + seconds
        self._soonest, self._latest = (
            time.monotonic() + factor * seconds for factor in (1, _PATIENT)
        )

    @property
    def is_used_up(self) -> bool:
        """Checks whether the time is over."""
        now = time.monotonic()  # never behind a thread's time, and faster to read
        return now > self._soonest and (time.thread_time() > self._end or now > self._latest)


def moves_at(comparer: Comparer, sizes: Any, each: int = EACH) -> list[Move]:
    """Returns the simple elements at some sizes, then revealing ones.

    For an identity it is the one without factors.
    """
    group = comparer.claim_sides.group
    if not group.factors:
        return [()]
    simple = simple_moves(group, sizes, each)
    return simple + [m for m in revealing_moves(group, sizes) if m not in simple]


def best_violation(
    comparer: Comparer, sizes: Any, pool: list[Inputs], each: int, time_left: TimeBudget | None = None,
    known: Move | None = None,
) -> Violation | None:  # fmt: skip
    """Returns the best violation at points of a pool and simple elements; None if there is none.

    The points are sorted, simplest first. Elements are tried in order; the first one with a
    violation whose sides are both defined decides. Points that do not fit into the time left are
    skipped. If an element is known to violate the claim, others are abandoned after some points.
    """
    end = time_left or TimeBudget()
    best = _best_at_points(comparer, sizes, pool, each, end, known)
    if best is not None and best.comparison.one_sided:
        fractions = [scaled_point(p, factor) for factor in _FRACTIONS for p in pool[:_SCALED]]
        other = _best_at_points(comparer, sizes, fractions, each, end, known)
        if other is not None and not other.comparison.one_sided:
            return other
    return best


def _best_at_points(
    comparer: Comparer,
    sizes: Any,
    pool: list[Inputs],
    each: int,
    end: TimeBudget,
    known: Move | None,
) -> Violation | None:
    best: Violation | None = None
    for move in moves_at(comparer, sizes, each):
        waiting = _PATIENCE
        mine: Violation | None = None
        for tried, inputs in enumerate(pool):
            if mine is None and known not in (None, move) and tried >= _FRUITLESS:
                break
            if end.is_used_up:
                break
            is_better = None if mine is None else partial(_ranks_before, mine.comparison)
            found = comparer.violation_at(Trial(sizes, inputs, move), is_better)
            if found is not None:
                mine = found
            if mine is not None:
                if mine.comparison.rank == (False, False) or not comparer.exact:
                    break
                waiting -= 1
                if waiting < 0:
                    break
        if mine is not None and (
            best is None or mine.comparison.one_sided < best.comparison.one_sided
        ):
            best = mine
        if best is not None and not best.comparison.one_sided:
            break
    return best


def _ranks_before(other: Comparison, comparison: Comparison) -> bool:
    return comparison.rank < other.rank


class Shrinker:
    """A sequence of passes that shrink a violation; ``best`` is the smallest so far."""

    def __init__(self, comparer: Comparer, violation: Violation) -> None:
        self._comparer = comparer
        self._left = _MOST_COMPARISONS
        self._end = TimeBudget()
        self.best = violation

    def run(self, least: dict[str, int]) -> None:
        """Runs all passes until nothing gets simpler.

        Args:
            least: the least size of each axis.
        """
        self._smaller_sizes(least)
        self._simplest_point()
        self._end = TimeBudget(SECONDS)
        for _ in range(_MOST_ROUNDS):
            before = self.best
            self._simpler_element()
            self._smaller_entries()
            if self.best is before:
                break

    # --------------------------------------------------------------------------------- passes
    def _try(self, inputs: Inputs, move: Move | None = None, sizes: Any = None) -> bool:
        """Adopts a point if it is a violation that is no worse; returns whether it is."""
        trial = self.best.trial
        if sizes is None:
            sizes = trial.sizes
        if move is None:
            move = trial.move
        self._left -= 1
        if self._left < 0 or self._end.is_used_up:
            return False
        try:
            found = self._comparer.violation_at(
                Trial(sizes, inputs, move), lambda c: c.rank <= self.best.comparison.rank
            )
        except (TargetError, ShapeError):  # at a size where the function fails
            return False
        if found is None:
            return False
        self.best = found
        return True

    def _simplest_point(self) -> None:
        """Adopts the best violation among the structured points, if it is simpler."""
        sizes = self.best.trial.sizes
        points = self._comparer.points(sizes)
        most = _POOL_LISTED if points.count <= 4 else _POOL_OTHER
        pool = points.structured(self._comparer.rng("pool", sorted(sizes.items())), most)
        found = best_violation(
            self._comparer, sizes, pool, EACH, TimeBudget(SECONDS), self.best.trial.move
        )
        if found is not None and self._rank(found) < self._rank(self.best):
            self.best = found

    def _rank(self, violation: Violation) -> tuple[Any, ...]:
        comparison, trial = violation.comparison, violation.trial
        known = moves_at(self._comparer, trial.sizes)
        if trial.move in known:
            place = known.index(trial.move)
        else:
            place = len(known)
        return (
            comparison.one_sided,
            place,
            comparison.arithmetic != "rational",
            inputs_cost(trial.inputs),
        )

    def _simpler_element(self) -> None:
        """Adopts the first simple element for which the point is a violation."""
        trial = self.best.trial
        for move in moves_at(self._comparer, trial.sizes, 4 * EACH):
            if move == trial.move or self._try(trial.inputs, move):
                return

    def _smaller_sizes(self, least: dict[str, int]) -> None:
        """Drops positions of axes as long as the claim fails."""
        again = True
        while again:
            again = False
            for name, low in least.items():
                sizes = dict(self.best.trial.sizes)
                if sizes[name] <= low:
                    continue
                sizes[name] -= 1
                for position in range(min(sizes[name] + 1, 8)):
                    inputs = self._without(name, position)
                    if inputs is not None:
                        moves = moves_at(self._comparer, sizes, 3)
                    else:
                        moves = []
                    if inputs is not None and any(self._try(inputs, m, sizes) for m in moves):
                        again = True
                        break

    def _without(self, name: str, position: int) -> dict[str, Array] | None:
        """Returns the inputs without one position of an axis; None if it cannot be left out."""
        result: dict[str, Array] = {}
        for argument in self._comparer.claim_sides.signature.inputs:
            array = self.best.trial.inputs[argument.name]
            if argument.kind == "index" and argument.indexes == name:
                return None
            for place, axis in enumerate(argument.axes):
                if name in axis.names:
                    if axis.single != name:
                        return None
                    array = np.delete(array, position, axis=place)
            result[argument.name] = array
        return result

    def _smaller_entries(self) -> None:
        """Moves entries, slices, and equal entries together, towards 0 and other simple values."""
        improved = True
        while improved:
            improved = False
            for inputs in _simpler(self.best.trial.inputs):
                if self._try(inputs):
                    improved = True
                    break


def _simpler(inputs: Inputs) -> Iterator[Inputs]:
    """Yields points that are simpler than a point, the largest changes first."""
    total = inputs_cost(inputs)
    for candidate in _changed(inputs):
        if inputs_cost(candidate) < total:
            yield candidate


def _changed(inputs: Inputs) -> Iterator[Inputs]:
    for name, array in inputs.items():
        if any(array.flat):
            yield {**inputs, name: map_entries(lambda v: type(v)(0), array)}
    values = sorted(
        {v for a in inputs.values() for v in a.flat if isinstance(v, Fraction)}, key=value_cost
    )
    for value in reversed(values):
        for simple in _simple_for(value):
            yield {
                n: _substitute_entries(a, {value: simple, -value: -simple})
                for n, a in inputs.items()
            }
        for simple in _simple_for(value):
            yield {n: _substitute_entries(a, {value: simple}) for n, a in inputs.items()}
    for name, array in inputs.items():
        if array.ndim < 2:
            continue
        for axis in range(array.ndim):
            for position in range(array.shape[axis]):
                index = (slice(None),) * axis + (position,)
                if any(np.asarray(array[index], dtype=object).flat):
                    yield {**inputs, name: _with_entry(array, index, array.flat[0] * 0)}
    for name, array in inputs.items():
        for place in np.ndindex(array.shape):
            entry: Any = array[place]
            if isinstance(entry, Fraction):
                for simple in _simple_for(entry):
                    yield {**inputs, name: _with_entry(array, place, simple)}
            elif entry:
                yield {**inputs, name: _with_entry(array, place, type(entry)(0))}


def _simple_for(value: Fraction) -> Iterator[Fraction]:
    """Yields values that are simpler than a value, simplest first."""
    cost = value_cost(value)
    size = abs(value)
    known = [*SIMPLE_VALUES, Fraction(int(value)), -value]
    if size > 2:
        if size <= _EVERY_INTEGER:
            steps = [
                *(Fraction(int(size - size / 2**k)) for k in range(1, 9)),
                Fraction(int(size) - 1),
            ]
        else:
            power = Fraction(10) ** (len(str(int(size))) - 1)
            steps = [size / 2, *(k * power for k in range(1, int(size / power) + 1))]
        known += [v for s in steps for v in (s, -s)]
    for simple in dict.fromkeys(known):
        if value_cost(simple) < cost:
            yield simple


def _substitute_entries(array: Array, by: dict[Fraction, Fraction]) -> Array:
    return map_entries(lambda v: by.get(v, v) if isinstance(v, Fraction) else v, array)


def _with_entry(array: Array, index: Any, value: Any) -> Array:
    result = array.copy()
    result[index] = value
    return result
