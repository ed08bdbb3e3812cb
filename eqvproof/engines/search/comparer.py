"""Compares both sides of a claim at points, exactly or in floats: the class `Comparer`."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from eqvproof.claims.domain_answers import allows, point_in
from eqvproof.claims.domains import Domain
from eqvproof.engines.search.compare_arrays import (
    Comparison,
    Relation,
    at_large_entry,
    compare_exact,
    plain_entries,
    same_values,
)
from eqvproof.engines.search.confirm import (
    COMPUTED,
    agrees_with_floats,
    decisive_rounding,
    depends_on_named_constants,
    differs_by_rounding_mode,
    overflows,
)
from eqvproof.engines.search.exceptional_tests import is_generic
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.limits import Limits
from eqvproof.engines.search.noise import compare_floats
from eqvproof.engines.search.result import (
    Array,
    Doubt,
    FoundCounterexample,
    Inputs,
    Nondeterministic,
    only_floats,
)
from eqvproof.engines.search.sides import ClaimSides, Trial, float_inputs, float_value
from eqvproof.engines.search.subject import CalledSubject
from eqvproof.numbers import Inexact, Undecided, Undefined
from eqvproof.numbers.tensor import map_entries
from eqvproof.programs.evaluate.floats import nearest_float
from eqvproof.support.deadline import TimeIsUp, overtime
from eqvproof.support.errors import ShapeError, TargetError

#: Note on differences that depend on the exact value for which a number stands.
NAMES = "it depends on whether a number in the code is pi, e or a root, or the float next to it"


#: Number of differences that depend on the rounding of a number after which no difference counts.
MOST_ROUNDING_DIFFERENCES = 64
#: A difference of this part of the sides is visible in short floats too.
_LARGE = 0.1
#: Note on differences within roundings.
EXPLAINED = "differences that rounded constants explain do not count"
#: Note on a difference that may be due to rounding or to a nondeterministic function.
UNCONFIRMED = "the sides differ at a point, and the time ran out before that was confirmed"
#: Note on copies of modules.
WIDE = "compared in float64, by copy.deepcopy(module).double()"


class Stop(Exception):
    """Raised to end the search: time or points are used up."""


class NotExact(Exception):
    """Raised if exact arithmetic does not describe the function: no Program, or a wrong one."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


@dataclass(frozen=True, slots=True, eq=False)
class Violation:
    """A point at which the sides differ."""

    trial: Trial
    comparison: Comparison


class Comparer:
    """Compares the two sides of a claim at points, confirms differences, and counts.

    Attributes:
        claim_sides: the claim.
        limits: those of the search.
        exact: whether Programs are evaluated on exact numbers.
        least: differences below this part of the greatest entry do not count.
        tried, undefined, undecided: counts, see `SearchResult`.
        floats_only: the number of points without an exact value, although there are others.
        sizes_tried: sizes at which comparisons were made.
        works: sizes at which the function is known to work from before.
        runs_elsewhere: whether exact values are known elsewhere, from before.
        left: the number of comparisons that may still be made.
        reserve: seconds before the deadline after which no comparison is started.
        longest: the time of the longest comparison.
        notes: remarks, with the kind of those that leave the claim undecided.
        errors: errors of the function at sizes or points that are skipped.
    """

    def __init__(self, claim_sides: ClaimSides, limits: Limits) -> None:
        self.claim_sides = claim_sides
        self.limits = limits
        self.exact = True
        self.least = claim_sides.least
        self.tried = self.undefined = self.undecided = self.floats_only = 0
        self.sizes_tried: dict[tuple[tuple[str, int], ...], None] = {}
        self.works: set[tuple[tuple[str, int], ...]] = set()
        self.runs_elsewhere = False
        self.left = limits.max_points
        self.reserve = self.longest = 0.0
        self.notes: dict[str, Doubt | None] = {}
        self.errors: list[TargetError | ShapeError] = []
        self._trusted = False
        self._rounding_differences = 0

    @property
    def is_black_box(self) -> bool:
        """Checks whether a function is called whose results may change."""
        return any(s.is_black_box for s in self.claim_sides.subjects)

    def points(self, sizes: Mapping[str, int]) -> Points:
        """Returns the points at some sizes, moved into the domain if it knows how."""
        domain = self.limits.domain
        if isinstance(domain, Domain):
            towards = partial(point_in, domain)
        else:
            towards = None
        return Points(self.claim_sides.signature, sizes, self.limits.constants, towards)

    def rng(self, *labels: Any) -> random.Random:
        """Returns random numbers that depend on the seed and the labels alone."""
        return random.Random(f"{self.limits.seed}|{labels!r}")

    def compare(self, trial: Trial) -> Comparison:
        """Compares the two sides at a point.

        Raises:
            Stop, NotExact, Nondeterministic: see there.
            TargetError, ShapeError: the function returns no array as declared, at a size at which
                it never did.
        """
        self._spend()
        if not self._is_allowed(trial):
            return Comparison(Relation.UNDECIDED)
        try:
            comparison = self._compare(trial)
        except (TargetError, ShapeError) as error:
            self._raised(trial, error)
            self.undefined += 1
            return Comparison(Relation.UNDEFINED)
        if comparison.remark:
            self.notes.setdefault(comparison.remark, comparison.doubt)
        self._count(trial, comparison)
        return comparison

    def _raised(self, trial: Trial, error: TargetError | ShapeError) -> None:
        """Records an error of the function at a point; raises it at sizes where it never worked."""
        if not self._works_at(trial):
            raise error
        self.errors.append(error)
        self.notes.setdefault(f"at some points {error.message}", None)

    def violation_at(
        self, trial: Trial, is_wanted: Callable[[Comparison], bool] | None = None
    ) -> Violation | None:
        """Returns a confirmed violation at a point, or None.

        Args:
            trial: the point, with sizes and a group element.
            is_wanted: tells whether a difference would be used; others are not confirmed, which
                takes many evaluations.
        """
        comparison = self.compare(trial)
        try:
            if not comparison.differs or (is_wanted is not None and not is_wanted(comparison)):
                return None
            with overtime(self.limits.spare):
                if not self._confirm(trial, comparison):
                    return None
        except TimeIsUp:
            self.notes.setdefault(UNCONFIRMED, Doubt.UNCONFIRMED)
            raise
        except (TargetError, ShapeError) as error:  # where its Program is undefined, say
            self._raised(trial, error)
            return None
        return Violation(trial, comparison)

    def add_counts(
        self, comparisons: int, tried: int, undefined: int, undecided: int, floats_only: int
    ) -> None:
        """Adds the counts of another comparer."""
        self.left -= comparisons
        self.tried += tried
        self.undefined += undefined
        self.undecided += undecided
        self.floats_only += floats_only

    def switch_to_floats(self) -> None:
        """Switches to comparisons in floats, in float64 if a function can be copied into it."""
        self.exact = False
        for subject in self.claim_sides.subjects:
            if isinstance(subject, CalledSubject) and subject.widen():
                self.notes.setdefault(WIDE, None)

    def trust_exact_values(self) -> None:
        """Records that another comparer of the same claim confirmed a violation."""
        self._trusted = self.exact

    def violation_again(self, trial: Trial) -> Violation | None:
        """Finds again, without counting, a violation that was found and counted elsewhere."""
        before = self.left, self.tried, self.undefined, self.undecided, self.floats_only
        found = self.violation_at(trial)
        self.left, self.tried, self.undefined, self.undecided, self.floats_only = before
        return found

    # ------------------------------------------------------------------------- one comparison
    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0 or time.monotonic() > self.limits.deadline - self.reserve:
            raise Stop

    def _is_allowed(self, trial: Trial) -> bool:
        """Checks whether x and g x lie in the domain and, if required, off exceptional points."""
        domain, traces = self.limits.domain, self.limits.generic
        if domain is None and traces is None:
            return True
        both = (trial.inputs, self.claim_sides.moved(trial, trial.inputs))
        if domain is not None and not all(allows(domain, point) for point in both):
            return False
        return traces is None or all(is_generic(traces, point, trial.sizes) for point in both)

    def _works_at(self, trial: Trial) -> bool:
        key = tuple(trial.sizes.items())
        return key in self.sizes_tried or key in self.works

    def _compare(self, trial: Trial) -> Comparison:
        start = time.monotonic()
        if not self.exact:
            comparison = compare_floats(
                self.claim_sides, trial, self.rng("noise"), self.limits.constants
            )
        else:
            comparison = self._compare_exact(trial)
        if comparison.differs and self.least:
            large = at_large_entry(comparison, self.least)
            if large is not None:
                comparison = large
            elif self.least == self.claim_sides.least:
                comparison = Comparison(Relation.EQUAL, remark=EXPLAINED)
            else:
                comparison = Comparison(Relation.EQUAL)
        if comparison.differs and (why := self.claim_sides.why_not_counted(comparison)):
            comparison = Comparison(Relation.EQUAL, remark=why)
        self.longest = max(self.longest, time.monotonic() - start)
        return comparison

    def _compare_exact(self, trial: Trial) -> Comparison:
        try:
            return compare_exact(*self.claim_sides.exact_sides(trial))
        except Undefined:
            return Comparison(Relation.UNDEFINED)
        except Undecided:
            return Comparison(Relation.UNDECIDED)
        except Inexact as signal:
            if self.tried or self.runs_elsewhere:
                self.floats_only += 1
                return Comparison(Relation.UNDECIDED)
            raise NotExact(only_floats(signal.message)) from signal

    def _count(self, trial: Trial, comparison: Comparison) -> None:
        if comparison.relation in (Relation.EQUAL, Relation.DIFFERENT):
            self.tried += 1
            self.sizes_tried.setdefault(tuple(trial.sizes.items()))
        elif comparison.relation is Relation.UNDEFINED:
            self.undefined += 1
        else:
            self.undecided += 1

    # --------------------------------------------------------------------------- confirmation
    def called_results(self, trial: Trial) -> tuple[Array | None, ...]:
        """Returns the results of the called functions at a point, each from two equal calls.

        Raises:
            Nondeterministic: two equal calls return different results.
        """
        found: list[Array | None] = []
        floats = float_inputs(self.claim_sides, trial)
        for subject in self.claim_sides.subjects:
            if not subject.is_black_box:
                continue
            first, second = (float_value(subject, floats, trial.sizes) for _ in range(2))
            require_same(first, second)
            found.append(first)
        return tuple(found)

    def _confirm(self, trial: Trial, comparison: Comparison) -> bool:
        """Checks that a difference of a called function occurs again, and agrees with its floats.

        Raises:
            Nondeterministic: two equal calls return different results.
            NotExact: exact arithmetic does not describe the function.
        """
        if self.exact and depends_on_named_constants(self.claim_sides, trial):
            self.notes.setdefault(NAMES, Doubt.NAMED_CONSTANT)
            return False
        if self.exact and self._depends_on_rounding(trial, comparison):
            return False
        if not self.is_black_box:
            return True
        self.called_results(trial)
        if not self.exact:
            if comparison.one_sided and overflows(self.claim_sides, trial):
                return False
            if self._is_of_the_copy(trial, comparison):
                return False
            known = None if comparison.one_sided else comparison.noise
            again = compare_floats(
                self.claim_sides, trial, self.rng("again"), self.limits.constants, known
            )
            return again.relation is comparison.relation and again.entry == comparison.entry
        if differs_by_rounding_mode(self.claim_sides, trial, comparison):
            objection = (
                "constants that the target computes in floats are rounded, and that decides here"
            )
        elif not agrees_with_floats(self.claim_sides, trial, comparison):
            objection = "on floats the target does something else than in exact arithmetic"
        else:
            self._trusted = True
            return True
        if self._trusted:
            return False
        raise NotExact(f"{objection}; it is judged on floats")

    def _depends_on_rounding(self, trial: Trial, comparison: Comparison) -> bool:
        """Checks whether a difference depends on the rounding of a number from before the trace."""
        if self._rounding_differences >= MOST_ROUNDING_DIFFERENCES:
            return True
        number = decisive_rounding(self.claim_sides, trial, comparison)
        if number:
            self._rounding_differences += 1
            self.notes.setdefault(COMPUTED + number, Doubt.COMPUTED_NUMBER)
        return bool(number)

    def _is_of_the_copy(self, trial: Trial, comparison: Comparison) -> bool:
        """Checks whether a large difference appears in a float64 copy only, not in the function."""
        called = [
            s for s in self.claim_sides.subjects if isinstance(s, CalledSubject) and s.is_widened
        ]
        if not called or comparison.left is None or comparison.right is None:
            return False
        with ExitStack() as own:
            for subject in called:
                own.enter_context(subject.as_given())
            try:
                left, right, _ = self.claim_sides.float_sides(
                    trial, float_inputs(self.claim_sides, trial)
                )
            except Undefined:
                return True
        at = comparison.entry
        if left.shape != comparison.left.shape or right.shape != comparison.right.shape:
            return True
        sides = [comparison.left[at], comparison.right[at]]
        if None in sides:
            return bool(np.isfinite(left[at]) == np.isfinite(right[at]))
        gap, scale = abs(float(sides[0]) - float(sides[1])), max(abs(float(s)) for s in sides)
        return bool(gap > _LARGE * scale and not abs(left[at] - right[at]) > gap / 10)


def require_same(first: Array | None, second: Array | None) -> None:
    """Checks that two results of equal calls are equal.

    Raises:
        Nondeterministic: they differ.
    """
    if (first is None) != (second is None):
        raise Nondeterministic
    if first is not None and second is not None and not same_values(first, second):
        raise Nondeterministic


def to_counterexample(violation: Violation, *, is_recorded: bool) -> FoundCounterexample:
    """Converts a violation to the result of a search."""
    trial, comparison = violation.trial, violation.comparison
    sides = [
        np.empty((), object) if s is None else s
        for s in (comparison.left, comparison.right, comparison.at)
    ]
    if comparison.arithmetic != "float":
        sides = [plain_entries(s) for s in sides]
    left, right, at = sides
    if comparison.arithmetic == "float":
        inputs = _as_floats(trial.inputs)
    else:
        inputs = dict(trial.inputs)
    return FoundCounterexample(
        dict(trial.sizes), inputs, trial.move, left, right, comparison.entry,
        comparison.arithmetic, at, comparison.noise, is_recorded, comparison.is_long,
    )  # fmt: skip


def _as_floats(inputs: Inputs) -> dict[str, Array]:
    """Returns the inputs as the floats with which the function was called."""

    def as_float(value: Any) -> Any:
        is_rounded = isinstance(value, Fraction) and math.isfinite(nearest_float(value))
        if is_rounded:
            return Fraction(nearest_float(value))
        return value

    return {name: map_entries(as_float, array) for name, array in inputs.items()}
