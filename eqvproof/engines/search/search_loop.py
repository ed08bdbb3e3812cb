"""Searches stage by stage, size by size, for a violation, and shrinks it: the class `Search`.

First every size is probed with points without structure, which shows most violations at the least
sizes where they exist; then with structured points and simple elements, for violations that only
ties, zeros and collinear vectors show; then with magnitudes, constants of the function, and random
points. A violation is then shrunk, beginning with the sizes that come before its own.

The tasks of a stage, one per size, are independent: they may run anywhere, and their reports are
read in order.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from eqvproof.engines.search.compare_arrays import at_large_entry
from eqvproof.engines.search.comparer import (
    Comparer,
    NotExact,
    Stop,
    Violation,
    require_same,
    to_counterexample,
)
from eqvproof.engines.search.drawn import find_drawn
from eqvproof.engines.search.larger_violations import (
    find_larger_violation,
    size_explained_by_rounding,
)
from eqvproof.engines.search.limits import Setup
from eqvproof.engines.search.result import (
    SMALL,
    Array,
    FoundCounterexample,
    Nondeterministic,
    only_floats,
)
from eqvproof.engines.search.shrink import Shrinker, best_violation
from eqvproof.engines.search.sides import Trial
from eqvproof.engines.search.stages import EXCEPTIONAL, NAMES, TIED, Stages
from eqvproof.engines.search.tasks import Report, Task, do_apart, do_task
from eqvproof.engines.workers import Workers
from eqvproof.support.deadline import TimeIsUp, require_time, until
from eqvproof.support.errors import EqvproofError, ShapeError, TargetError

_EARLIER_POINTS, _EARLIER_EACH = 60, 3
#: The first of the stages that are skipped if all points before it are undefined.
_FIRST_WIDE = NAMES.index("structured")
#: Number of rounds of random points.
_ROUNDS = 3
#: Number of smallest sizes without a Program after which a function counts as untraceable.
_PATIENCE = 3
#: Largest share of the time for tracing Programs at single sizes.
_READING = 0.5
#: Approximate time to write and re-check a counterexample, in comparisons.
_WRITING = 4
Sizes = dict[str, int]


class Search:
    """A search, stage by stage.

    Attributes:
        best: the smallest violation so far.
        explained: violations below this part of the largest entry may come from rounded constants.

    Args:
        comparer: makes comparisons.
        order: the sizes, smallest first.
        setup: the data that all tasks share.
        workers: run the tasks.
        drawn: a Hypothesis strategy of points, which replaces all stages.
        tell: called at progress.
        far: large sizes, which are probed at the end.
    """

    def __init__(
        self,
        comparer: Comparer,
        order: list[Sizes],
        setup: Setup,
        workers: Workers,
        drawn: Any = None,
        tell: Callable[[], None] = lambda: None,
        far: Sequence[Sizes] = (),
    ) -> None:
        self._tell = tell
        self._near = len(order)
        self._drawn = drawn
        self._comparer = comparer
        self._order = [*order, *far]
        self._setup = setup
        self._workers = workers
        self._stages = Stages(comparer, setup)
        self._unusable: set[int] = set()
        self._readable: dict[int, bool] = {}
        now = time.monotonic()
        self._reading_ends = now + _READING * (setup.deadline() - now)
        self._first: tuple[Trial, tuple[Array | None, ...]] | None = None
        self._shrinker: Shrinker | None = None
        self._why = ""
        self.best: Violation | None = None
        self.explained = SMALL
        self.is_structured = False

    @property
    def found(self) -> FoundCounterexample | None:
        """Returns the smallest violation so far, in the form of a result."""
        violation = self.best
        if self._shrinker is not None:
            violation = self._shrinker.best
        if violation is None:
            return None
        subjects = self._comparer.claim_sides.subjects
        return to_counterexample(
            violation,
            is_recorded=any(s.program_at(violation.trial.sizes) is None for s in subjects),
        )

    def run(self) -> None:
        """Searches until a violation is found and shrunk, or nothing is left to try."""
        try:
            while True:
                try:
                    self._run_stages()
                    break
                except NotExact as reason:
                    self._to_floats(reason.note)
            self._require_same_as_first()
        except (Stop, TimeIsUp):
            return

    def _to_floats(self, note: str) -> None:
        comparer = self._comparer
        comparer.notes.setdefault(note, None)
        comparer.switch_to_floats()
        comparer.tried = comparer.undefined = comparer.undecided = 0
        comparer.sizes_tried.clear()
        self.best = self._shrinker = None
        self._unusable.clear()
        self._readable.clear()
        self._first = None

    def _run_stages(self) -> None:
        if self._drawn is not None:
            self.best = find_drawn(self._comparer, self._drawn, self._order[: self._near])
            return
        violation = self._first_violation()
        if violation is None and self._comparer.exact and self._comparer.is_black_box:
            if not self._comparer.tried and self._comparer.undecided:
                raise NotExact("run on floats: exact arithmetic decided nothing")
            violation = self._on_floats()
        if violation is not None:
            self.best = self._or_larger_violation(violation)
            self._tell()
            self._minimise()

    # --------------------------------------------------------------------------------- stages
    def _first_violation(self) -> Violation | None:
        """Returns the first violation in the order of stages and sizes."""
        exceptional = self._setup.limits.exceptional
        stages = [(NAMES[0], 0)]
        if exceptional or self._setup.limits.generic is None:
            stages.append((EXCEPTIONAL if exceptional else TIED, 0))
        if exceptional != "only":
            stages += [(name, 0) for name in NAMES[1:-1]] + [(NAMES[-1], k) for k in range(_ROUNDS)]
        at_once = bool(self._setup.limits.decided)  # small sizes are decided
        for position, (name, number) in enumerate(stages):
            if position == 1 and at_once and (violation := self._far_violation()) is not None:
                return violation
            if (
                name in NAMES[_FIRST_WIDE:]
                and not self._comparer.tried
                and not self._comparer.undecided
            ):
                return None  # undefined everywhere
            for at, task, report in self._reports(name, number):
                violation = self._read_report(at, task, report)
                if violation is not None:
                    return violation
                self._tell()
            self.is_structured |= name == "structured"
            self._require_readable(most=self._near)
        if at_once:
            return None
        return self._far_violation()

    def _far_violation(self) -> Violation | None:
        """Returns the first violation at large sizes, by a probe."""
        for at in range(self._near, len(self._order)):
            if self._is_readable(at):
                task = self._task(NAMES[0], 0, self._order[at])
                violation = self._read_report(at, task, self._run_here(task))
                if violation is not None:
                    return violation
        return None

    def _is_readable(self, at: int) -> bool:
        """Checks whether both sides can be computed exactly at some sizes; others are tried later.

        Raises:
            NotExact: there is no Program at the smallest sizes.
        """
        if not self._comparer.exact or not self._comparer.is_black_box:
            return True
        if at not in self._readable:
            why = self._why_not_exact(self._order[at])
            self._readable[at] = not why
            if why:
                self._why = why
                self._note_whether_it_works(at)
                self._require_readable(_PATIENCE)
        return self._readable[at]

    def _note_whether_it_works(self, at: int) -> None:
        """Records a note if the function returns no array as declared."""
        sizes = self._order[at]
        inputs = self._comparer.points(sizes).generic(self._comparer.rng("works"))
        try:
            self._comparer.called_results(Trial(sizes, inputs, ()))
        except (TargetError, ShapeError) as error:
            self._unusable.add(at)
            self._comparer.notes.setdefault(_not_tried(sizes, error), None)

    def _require_readable(self, most: int) -> None:
        known = self._readable.values()
        if known and not any(known) and len(known) >= min(most, self._near):
            raise NotExact(only_floats(self._why))

    def _why_not_exact(self, sizes: Sizes) -> str:
        subjects = self._comparer.claim_sides.subjects
        try:
            with until(self._reading_ends):
                return next(filter(None, (s.why_not_exact(sizes) for s in subjects)), "")
        except TimeIsUp:
            require_time()
            return "reading the function took too long"

    def _reports(self, name: str, number: int) -> Iterator[tuple[int, Task, Report]]:
        """Yields the tasks of a stage with their reports, in order; runs the first probes here."""
        every: Iterable[int] = range(min(self._near, len(self._order)))
        if name in (EXCEPTIONAL, TIED):
            every = sorted(every, key=lambda k: _equal_sizes_first(self._order[k]))
        skipped: Sequence[Mapping[str, int]] = ()
        if name != NAMES[0]:
            skipped = self._setup.limits.decided
        near = (k for k in every if self._order[k] not in skipped)
        positions = (k for k in near if k not in self._unusable and self._is_readable(k))
        for at in positions:
            if self._workers.is_apart and (name != NAMES[0] or self._first is not None):
                rest = [at, *positions]  # Programs are traced here, before a worker needs them
                tasks = [self._task(name, number, self._order[k]) for k in rest]
                apart = functools.partial(do_apart, self._setup)
                reports = self._workers.map(self._run_here, apart, tasks, self._setup.deadline())
                yield from zip(rest, tasks, reports, strict=False)
                return
            task = self._task(name, number, self._order[at])
            yield at, task, self._run_here(task)

    def _task(self, name: str, number: int, sizes: Sizes) -> Task:
        comparer = self._comparer
        elsewhere = name != NAMES[0] and comparer.tried > 0
        works = tuple(sizes.items()) in comparer.sizes_tried
        return Task(name, number, sizes, comparer.exact, elsewhere, works, max(0, comparer.left))

    def _run_here(self, task: Task) -> Report:
        task = replace(task, most=max(0, min(task.most, self._comparer.left)))
        return do_task(self._setup, self._comparer.claim_sides, task, self._setup.deadline())

    def _read_report(self, at: int, task: Task, report: Report) -> Violation | None:
        """Adds the counts of a task, and returns its violation, if any, after confirming it here.

        Raises:
            Stop, NotExact, Nondeterministic, TargetError, ShapeError: how the task ended.
        """
        comparer = self._comparer
        if (report.ending == "error" and not report.errors) or report.comparisons > max(
            0, comparer.left
        ) + 1:
            report = self._run_here(task)
        comparer.add_counts(
            report.comparisons, report.tried, report.undefined, report.undecided, report.floats_only
        )
        comparer.sizes_tried.update(dict.fromkeys(report.sizes_tried))
        comparer.notes.update(report.notes)
        comparer.errors.extend(report.errors)
        comparer.longest = max(comparer.longest, report.longest)
        if report.first is not None and self._first is None and report.ending != "error":
            self._first = report.first
        match report.ending:
            case "nondeterministic":
                raise Nondeterministic
            case "not exact":
                raise NotExact(report.remark)
            case "stopped":
                raise Stop
            case "error" if task.stage == NAMES[0]:
                self._unusable.add(at)
                comparer.notes.setdefault(_not_tried(task.sizes, report.errors[-1]), None)
            case "error":
                raise report.errors[-1]
        if report.violation is not None:
            comparer.trust_exact_values()
            return report.violation
        if report.trial is not None:
            violation = comparer.violation_again(report.trial)
            if violation is None:
                raise Nondeterministic
            return violation
        if comparer.left < 0:
            raise Stop
        return None

    def _on_floats(self) -> Violation | None:
        """Tries the sizes without a Program, or without exact values, in floats."""
        comparer = self._comparer
        every = comparer.floats_only > 0
        chosen = [k for k in range(len(self._order)) if every or not self._readable.get(k, True)]
        if not chosen:
            return None
        comparer.exact = False
        comparer.notes.setdefault(f"run on floats at some sizes: {self._why}", None)
        for name, at in product(NAMES[:-1], chosen):
            if at not in self._unusable:
                task = self._task(name, 0, self._order[at])
                violation = self._read_report(at, task, self._run_here(task))
                if violation is not None:
                    return violation
        return None

    # -------------------------------------------------------------------------------- the end
    def _or_larger_violation(self, violation: Violation) -> Violation:
        """Returns the violation, or a larger one if the rounding of constants may explain it.

        If there is a larger one, only violations that rounding does not explain count from then on.
        """
        comparer, sizes = self._comparer, violation.trial.sizes
        if not comparer.exact:
            return violation
        self.explained = max(
            size_explained_by_rounding(s.program_at(sizes)) for s in comparer.claim_sides.subjects
        )
        before, comparer.least = comparer.least, self.explained
        comparison = at_large_entry(violation.comparison, comparer.least)
        if comparison is not None:
            return replace(violation, comparison=comparison)
        found = find_larger_violation(comparer, sizes)
        if found is not None:
            return found
        comparer.least = before
        return violation

    def _minimise(self) -> None:
        """Shrinks the violation found, then searches for one at earlier sizes and shrinks that."""
        if self.best is None:
            return
        if not self._comparer.is_black_box:  # the kernel recomputes both sides
            self._comparer.reserve = _WRITING * self._comparer.longest
        self._shrink(self.best)
        for position, sizes in enumerate(self._order):
            if self._shrinker is None or sizes == self._shrinker.best.trial.sizes:
                break
            if position in self._unusable:
                continue
            rng = self._comparer.rng("earlier", sorted(sizes.items()))
            pool = self._comparer.points(sizes).structured(rng, _EARLIER_POINTS)
            found = best_violation(self._comparer, sizes, pool, _EARLIER_EACH)
            if found is not None:
                self._shrink(found)
                break

    def _shrink(self, violation: Violation) -> None:
        self._shrinker = Shrinker(self._comparer, violation)
        least: dict[str, int] = {}
        if self._setup.limits.acts is None:
            least = {n: min(s[n] for s in self._order) for n in violation.trial.sizes}
        self._shrinker.run(least)

    def _require_same_as_first(self) -> None:
        """Checks that the first call still returns the same result: a stateful function may not.

        Raises:
            Nondeterministic: it returns another result.
        """
        if self._first is None:
            return
        trial, before = self._first
        for old, new in zip(before, self._comparer.called_results(trial), strict=True):
            require_same(old, new)


def _equal_sizes_first(sizes: Mapping[str, int]) -> tuple[bool, int, int]:
    """Returns the sort key of sizes for exceptional points: equal sizes from 2 up come first."""
    values = sizes.values() or (1,)
    return min(values) < 2, max(values) - min(values), sum(values)


def _not_tried(sizes: Mapping[str, int], error: EqvproofError) -> str:
    where = ", ".join(f"{n} = {s}" for n, s in sizes.items()) or "its only size"
    return f"not tried at {where}: {error.message}"
