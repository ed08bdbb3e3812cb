"""One comparison: exact where there is a Program, in floats where there is none."""

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
from eqvproof.engines.search.compare import (
    Comparison,
    compare_exact,
    plain_entries,
    same_values,
    telling,
)
from eqvproof.engines.search.confirm import (
    COMPUTED,
    agrees_with_floats,
    hinge,
    hinges_on_names,
    is_rounding,
    overflows,
)
from eqvproof.engines.search.exceptional_points import is_generic
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.limits import Limits
from eqvproof.engines.search.noise import compare_floats
from eqvproof.engines.search.result import Array, Found, Inputs, Nondeterministic
from eqvproof.engines.search.sides import Question, Trial, float_inputs, float_value
from eqvproof.engines.search.subject import CalledSubject
from eqvproof.numbers import Inexact, Undecided, Undefined
from eqvproof.numbers.tensor import mapped
from eqvproof.programs.evaluate.floats import nearest
from eqvproof.support.deadline import TimeIsUp, overtime
from eqvproof.support.errors import ShapeError, TargetError

#: The remark about differences that depend on what a number stands for.
NAMES = "it depends on whether a number in the code is pi, e or a root, or the float next to it"


#: After so many differences that hinge on such a number none counts any more.
MOST_HINGED = 64
#: A difference of this part of the sides is seen in short floats too.
_LARGE = 0.1
#: The remark about roundings.
EXPLAINED = "differences that rounded constants explain do not count"
#: The remark about a difference that may be one of rounding, or of a function that is not one.
UNCONFIRMED = "the sides differ at a point, and the time ran out before that was confirmed"
#: The remark about copies of modules.
WIDE = "compared in float64: copy.deepcopy(module).double()"


class Stop(Exception):
    """The search ends: time or points are used up."""


class NotExact(Exception):
    """Exact arithmetic does not speak for the target: there is no Program, or it does something else."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A point at which the sides differ."""

    trial: Trial
    comparison: Comparison


class Looker:
    """Makes comparisons and counts them.

    Attributes:
        question: the claim.
        limits: of the search.
        exact: whether Programs are evaluated on exact numbers.
        least: differences below this part of the greatest entry do not count.
        tried, undefined, undecided: counts, see `SearchResult`.
        floats_only: how often there was no exact value, although there is elsewhere.
        sizes_tried: sizes at which comparisons were made.
        works: sizes at which the target is known to work from before.
        runs_elsewhere: whether there are exact values elsewhere, from before.
        left: how many comparisons may still be made.
        reserve: seconds before the deadline at which no comparison is begun any more.
        longest: the time that the longest comparison took.
        notes: remarks.
        errors: errors of the target at sizes or points that are passed over.
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
        self.notes: dict[str, None] = {}
        self.errors: list[TargetError | ShapeError] = []
        self._trusted = False
        self._hinged = 0

    @property
    def is_black_box(self) -> bool:
        """Whether a function is called whose answers may change."""
        return any(s.is_black_box for s in self.question.subjects)

    def points(self, sizes: Mapping[str, int]) -> Points:
        """The points at some sizes, moved into the domain where that is known how."""
        domain = self.limits.domain
        towards = partial(point_in, domain) if isinstance(domain, Domain) else None
        return Points(self.question.signature, sizes, self.limits.constants, towards)

    def rng(self, *labels: Any) -> random.Random:
        """Random numbers that depend on the seed and the labels alone."""
        return random.Random(f"{self.limits.seed}|{labels!r}")

    def look(self, trial: Trial) -> Comparison:
        """Compare the two sides at a point.

        Raises:
            Stop, NotExact, Nondeterministic: see there. TargetError, ShapeError: the target gives
                no array as declared, at a size at which it never did.
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
            self.notes.setdefault(comparison.remark)
        self._count(trial, comparison)
        return comparison

    def _raised(self, trial: Trial, error: TargetError | ShapeError) -> None:
        """Keep what the target raises at some points; an error at a size at which it never worked is one."""
        if not self._works_at(trial):
            raise error
        self.errors.append(error)
        self.notes.setdefault(f"at some points {error.message}")

    def hit(self, trial: Trial) -> Hit | None:
        """A confirmed violation at a point, or None."""
        comparison = self.look(trial)
        try:
            if comparison.kind != "different":
                return None
            with overtime(self.limits.spare):
                if not self._confirm(trial, comparison):
                    return None
        except TimeIsUp:
            self.notes.setdefault(UNCONFIRMED)
            raise
        except (TargetError, ShapeError) as error:  # where its Program is undefined, say
            self._raised(trial, error)
            return None
        return Hit(trial, comparison)

    def absorb(
        self, looks: int, tried: int, undefined: int, undecided: int, floats_only: int
    ) -> None:
        """Add what was counted elsewhere."""
        self.left -= looks
        self.tried += tried
        self.undefined += undefined
        self.undecided += undecided
        self.floats_only += floats_only

    def to_floats(self) -> None:
        """From now on compare in floats, in float64 where a function can be copied into it."""
        self.exact = False
        for subject in self.question.subjects:
            if isinstance(subject, CalledSubject) and subject.widen():
                self.notes.setdefault(WIDE)

    def trust(self) -> None:
        """A violation was confirmed by another looker at the same question."""
        self._trusted = self.exact

    def again(self, trial: Trial) -> Hit | None:
        """A violation that was found and counted elsewhere."""
        before = self.left, self.tried, self.undefined, self.undecided, self.floats_only
        found = self.hit(trial)
        self.left, self.tried, self.undefined, self.undecided, self.floats_only = before
        return found

    # ---------------------------------------------------------------------------------------- one
    # comparison
    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0 or time.monotonic() > self.limits.deadline - self.reserve:
            raise Stop

    def _is_allowed(self, trial: Trial) -> bool:
        """Returns whether x and g x lie in the domain, and, where asked, off exceptional points."""
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
            remark = EXPLAINED if self.least == self.question.least else ""
            comparison = telling(comparison, self.least) or Comparison("equal", remark=remark)
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

    # ----------------------------------------------------------------------------------------
    # confirmation
    def answers(self, trial: Trial) -> tuple[Array | None, ...]:
        """What the functions that are called answer at a point, two equal calls each.

        Raises:
            Nondeterministic: two equal calls give different answers.
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
        """For a function that is called: the same again, and on floats what its Program says.

        Raises:
            Nondeterministic, NotExact.
        """
        if self.exact and hinges_on_names(self.question, trial):
            self.notes.setdefault(NAMES)
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
        """Whether a difference hinges on the rounding of a number that was computed before the trace."""
        if self._hinged >= MOST_HINGED:
            return True
        number = hinge(self.question, trial, comparison)
        if number:
            self._hinged += 1
            self.notes.setdefault(COMPUTED + number)
        return bool(number)

    def _is_of_the_copy(self, trial: Trial, comparison: Comparison) -> bool:
        """Whether a large difference that a copy in float64 shows is not there in the function itself."""
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
    """Refuse two answers to equal calls that are not the same.

    Raises:
        Nondeterministic: they are not.
    """
    if (first is None) != (second is None):
        raise Nondeterministic
    if first is not None and second is not None and not same_values(first, second):
        raise Nondeterministic


def to_found(hit: Hit, *, is_recorded: bool) -> Found:
    """The hit as the search gives it back."""
    trial, comparison = hit.trial, hit.comparison
    sides = [
        np.empty((), object) if s is None else s
        for s in (comparison.left, comparison.right, comparison.at)
    ]
    if comparison.arithmetic != "float":
        sides = [plain_entries(s) for s in sides]
    left, right, at = sides
    inputs = _as_floats(trial.inputs) if comparison.arithmetic == "float" else dict(trial.inputs)
    return Found(
        dict(trial.sizes), inputs, trial.move, left, right, comparison.entry,
        comparison.arithmetic, at, comparison.noise, is_recorded, comparison.is_long,
    )  # fmt: skip


def _as_floats(inputs: Inputs) -> dict[str, Array]:
    """The inputs as the floats with which the target was called."""

    def as_float(value: Any) -> Any:
        is_rounded = isinstance(value, Fraction) and math.isfinite(nearest(value))
        return Fraction(nearest(value)) if is_rounded else value

    return {name: mapped(as_float, array) for name, array in inputs.items()}
