"""Compares both sides of a claim at points (`Looker`): exactly, or in floats."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
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
    at_large_entry,
    compare_exact,
    plain_entries,
    same_values,
)
from eqvproof.engines.search.confirm import (
    COMPUTED,
    agrees_with_floats,
    hinge,
    hinges_on_names,
    is_rounding,
    overflows,
)
from eqvproof.engines.search.exceptional_tests import is_generic
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.limits import Limits
from eqvproof.engines.search.noise import compare_floats
from eqvproof.engines.search.result import Array, Doubt, Found, Inputs, Nondeterministic
from eqvproof.engines.search.sides import Question, Trial, float_inputs, float_value
from eqvproof.engines.search.subject import CalledSubject
from eqvproof.numbers import Inexact, Undecided, Undefined
from eqvproof.numbers.tensor import map_entries
from eqvproof.programs.evaluate.floats import nearest
from eqvproof.support.deadline import TimeIsUp, overtime
from eqvproof.support.errors import ShapeError, TargetError

#: Note on differences that depend on the exact value for which a number stands.
NAMES = "it depends on whether a number in the code is pi, e or a root, or the float next to it"


#: Number of differences that depend on the rounding of a number after which no difference counts.
MOST_HINGED = 64
#: A difference of this part of the sides is visible in short floats too.
_LARGE = 0.1
#: Note on differences within roundings.
EXPLAINED = "differences that rounded constants explain do not count"
#: Note on a difference that may be due to rounding or to a nondeterministic function.
UNCONFIRMED = "the sides differ at a point, and the time ran out before that was confirmed"
#: Note on copies of modules.
WIDE = "compared in float64: copy.deepcopy(module).double()"


class Stop(Exception):
    """Raised to end the search: time or points are used up."""


class NotExact(Exception):
    """Raised if exact arithmetic does not describe the function: no Program, or a wrong one."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A point at which the sides differ."""

    trial: Trial
    comparison: Comparison


class Looker:
    """The comparisons of a search at one question: makes, confirms and counts them.

    Attributes:
        question: the claim.
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

    def __init__(self, question: Question, limits: Limits) -> None:
        self.question = question
        self.limits = limits
        self.exact = True
        self.least = question.least
        self.tried = self.undefined = self.undecided = self.floats_only = 0
        self.sizes_tried: dict[tuple[tuple[str, int], ...], None] = {}
        self.works: set[tuple[tuple[str, int], ...]] = set()
        self.runs_elsewhere = False
        self.left = limits.max_points
        self.reserve = self.longest = 0.0
        self.notes: dict[str, Doubt | None] = {}
        self.errors: list[TargetError | ShapeError] = []
        self._trusted = False
        self._hinged = 0

    @property
    def is_black_box(self) -> bool:
        """Checks whether a function is called whose results may change."""
        return any(s.is_black_box for s in self.question.subjects)

    def points(self, sizes: Mapping[str, int]) -> Points:
        """Returns the points at some sizes, moved into the domain if it knows how."""
        domain = self.limits.domain
        if isinstance(domain, Domain):
            towards = partial(point_in, domain)
        else:
            towards = None
        return Points(self.question.signature, sizes, self.limits.constants, towards)

    def rng(self, *labels: Any) -> random.Random:
        """Returns random numbers that depend on the seed and the labels alone."""
        return random.Random(f"{self.limits.seed}|{labels!r}")

    def look(self, trial: Trial) -> Comparison:
        """Compares the two sides at a point.

        Raises:
            Stop, NotExact, Nondeterministic: see there.
            TargetError, ShapeError: the function returns no array as declared, at a size at which
                it never did.
        """
        self._spend()
        if not self._is_allowed(trial):
            return Comparison("undecided")
        try:
            comparison = self._compare(trial)
        except (TargetError, ShapeError) as error:
            self._raised(trial, error)
            self.undefined += 1
            return Comparison("undefined")
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

    def hit(self, trial: Trial) -> Hit | None:
        """Returns a confirmed violation at a point, or None."""
        comparison = self.look(trial)
        try:
            if comparison.kind != "different":
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
        return Hit(trial, comparison)

    def absorb(
        self, looks: int, tried: int, undefined: int, undecided: int, floats_only: int
    ) -> None:
        """Adds the counts of another looker."""
        self.left -= looks
        self.tried += tried
        self.undefined += undefined
        self.undecided += undecided
        self.floats_only += floats_only

    def to_floats(self) -> None:
        """Switches to comparisons in floats, in float64 if a function can be copied into it."""
        self.exact = False
        for subject in self.question.subjects:
            if isinstance(subject, CalledSubject) and subject.widen():
                self.notes.setdefault(WIDE, None)

    def trust(self) -> None:
        """Records that another looker at the same question confirmed a violation."""
        self._trusted = self.exact

    def again(self, trial: Trial) -> Hit | None:
        """Finds again, without counting, a violation that was found and counted elsewhere."""
        before = self.left, self.tried, self.undefined, self.undecided, self.floats_only
        found = self.hit(trial)
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
        both = (trial.inputs, self.question.moved(trial, trial.inputs))
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
                self.question, trial, self.rng("noise"), self.limits.constants
            )
        else:
            comparison = self._compare_exact(trial)
        if comparison.kind == "different" and self.least:
            large = at_large_entry(comparison, self.least)
            if large is not None:
                comparison = large
            elif self.least == self.question.least:
                comparison = Comparison("equal", remark=EXPLAINED)
            else:
                comparison = Comparison("equal")
        if comparison.kind == "different" and (why := self.question.why_not_counted(comparison)):
            comparison = Comparison("equal", remark=why)
        self.longest = max(self.longest, time.monotonic() - start)
        return comparison

    def _compare_exact(self, trial: Trial) -> Comparison:
        try:
            return compare_exact(*self.question.exact_sides(trial))
        except Undefined:
            return Comparison("undefined")
        except Undecided:
            return Comparison("undecided")
        except Inexact as signal:
            if self.tried or self.runs_elsewhere:
                self.floats_only += 1
                return Comparison("undecided")
            raise NotExact(f"run on floats only: {signal.message}") from signal

    def _count(self, trial: Trial, comparison: Comparison) -> None:
        if comparison.kind in ("equal", "different"):
            self.tried += 1
            self.sizes_tried.setdefault(tuple(trial.sizes.items()))
        elif comparison.kind == "undefined":
            self.undefined += 1
        else:
            self.undecided += 1

    # --------------------------------------------------------------------------- confirmation
    def answers(self, trial: Trial) -> tuple[Array | None, ...]:
        """Returns the results of the called functions at a point, each from two equal calls.

        Raises:
            Nondeterministic: two equal calls return different results.
        """
        found: list[Array | None] = []
        floats = float_inputs(self.question, trial)
        for subject in self.question.subjects:
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
        if self.exact and hinges_on_names(self.question, trial):
            self.notes.setdefault(NAMES, Doubt.NAMED_CONSTANT)
            return False
        if self.exact and self._hinges(trial, comparison):
            return False
        if not self.is_black_box:
            return True
        self.answers(trial)
        if not self.exact:
            if comparison.one_sided and overflows(self.question, trial):
                return False
            if self._is_of_the_copy(trial, comparison):
                return False
            known = None if comparison.one_sided else comparison.noise
            again = compare_floats(
                self.question, trial, self.rng("again"), self.limits.constants, known
            )
            return again.kind == comparison.kind and again.entry == comparison.entry
        if is_rounding(self.question, trial, comparison):
            objection = (
                "constants that the target computes in floats are rounded, and that decides here"
            )
        elif not agrees_with_floats(self.question, trial, comparison):
            objection = "on floats the target does something else than in exact arithmetic"
        else:
            self._trusted = True
            return True
        if self._trusted:
            return False
        raise NotExact(f"{objection}; it is judged on floats")

    def _hinges(self, trial: Trial, comparison: Comparison) -> bool:
        """Checks whether a difference depends on the rounding of a number from before the trace."""
        if self._hinged >= MOST_HINGED:
            return True
        number = hinge(self.question, trial, comparison)
        if number:
            self._hinged += 1
            self.notes.setdefault(COMPUTED + number, Doubt.COMPUTED_NUMBER)
        return bool(number)

    def _is_of_the_copy(self, trial: Trial, comparison: Comparison) -> bool:
        """Checks whether a large difference appears in a float64 copy only, not in the function."""
        called = [
            s for s in self.question.subjects if isinstance(s, CalledSubject) and s.is_widened
        ]
        if not called or comparison.left is None or comparison.right is None:
            return False
        with ExitStack() as own:
            for subject in called:
                own.enter_context(subject.as_given())
            try:
                left, right, _ = self.question.float_sides(
                    trial, float_inputs(self.question, trial)
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


def to_found(hit: Hit, *, is_recorded: bool) -> Found:
    """Converts a hit to the result of a search."""
    trial, comparison = hit.trial, hit.comparison
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
    return Found(
        dict(trial.sizes), inputs, trial.move, left, right, comparison.entry,
        comparison.arithmetic, at, comparison.noise, is_recorded, comparison.is_long,
    )  # fmt: skip


def _as_floats(inputs: Inputs) -> dict[str, Array]:
    """Returns the inputs as the floats with which the function was called."""

    def as_float(value: Any) -> Any:
        is_rounded = isinstance(value, Fraction) and math.isfinite(nearest(value))
        if is_rounded:
            return Fraction(nearest(value))
        return value

    return {name: map_entries(as_float, array) for name, array in inputs.items()}
