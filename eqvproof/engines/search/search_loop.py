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
from eqvproof.engines.search.comparison import Hit, Looker, NotExact, Stop, require_same, to_found
from eqvproof.engines.search.drawn import find_drawn
from eqvproof.engines.search.larger_violations import (
    find_larger_violation,
    size_explained_by_rounding,
)
from eqvproof.engines.search.limits import Setup
from eqvproof.engines.search.result import SMALL, Array, Found, Nondeterministic
from eqvproof.engines.search.shrink import Shrinker, best_of
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
        looker: makes comparisons.
        order: the sizes, smallest first.
        setup: the data that all tasks share.
        workers: run the tasks.
        drawn: a Hypothesis strategy of points, which replaces all stages.
        tell: called at progress.
        far: large sizes, which are probed at the end.
    """

    def __init__(
        self,
        looker: Looker,
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
        self._looker = looker
        self._order = [*order, *far]
        self._setup = setup
        self._workers = workers
        self._stages = Stages(looker, setup)
        self._unusable: set[int] = set()
        self._readable: dict[int, bool] = {}
        now = time.monotonic()
        self._reading_ends = now + _READING * (setup.deadline() - now)
        self._first: tuple[Trial, tuple[Array | None, ...]] | None = None
        self._shrinker: Shrinker | None = None
        self._why = ""
        self.best: Hit | None = None
        self.explained = SMALL
        self.is_structured = False

    @property
    def found(self) -> Found | None:
        """Returns the smallest violation so far, in the form of a result."""
        hit = self.best
        if self._shrinker is not None:
            hit = self._shrinker.best
        if hit is None:
            return None
        subjects = self._looker.question.subjects
        return to_found(
            hit, is_recorded=any(s.program_at(hit.trial.sizes) is None for s in subjects)
        )

    def run(self) -> None:
        """Searches until a violation is found and shrunk, or nothing is left to try."""
        try:
            while True:
                try:
                    self._whole()
                    break
                except NotExact as reason:
                    self._to_floats(reason.note)
            self._same_as_first()
        except (Stop, TimeIsUp):
            return

    def _to_floats(self, note: str) -> None:
        looker = self._looker
        looker.notes.setdefault(note, None)
        looker.to_floats()
        looker.tried = looker.undefined = looker.undecided = 0
        looker.sizes_tried.clear()
        self.best = self._shrinker = None
        self._unusable.clear()
        self._readable.clear()
        self._first = None

    def _whole(self) -> None:
        if self._drawn is not None:
            self.best = find_drawn(self._looker, self._drawn, self._order[: self._near])
            return
        hit = self._first_hit()
        if hit is None and self._looker.exact and self._looker.is_black_box:
            if not self._looker.tried and self._looker.undecided:
                raise NotExact("run on floats: exact arithmetic decided nothing")
            hit = self._on_floats()
        if hit is not None:
            self.best = self._beyond_rounding(hit)
            self._tell()
            self._minimise()

    # --------------------------------------------------------------------------------- stages
    def _first_hit(self) -> Hit | None:
        """Returns the first violation in the order of stages and sizes."""
        exceptional = self._setup.limits.exceptional
        stages = [(NAMES[0], 0)]
        if exceptional or self._setup.limits.generic is None:
            stages.append((EXCEPTIONAL if exceptional else TIED, 0))
        if exceptional != "only":
            stages += [(name, 0) for name in NAMES[1:-1]] + [(NAMES[-1], k) for k in range(_ROUNDS)]
        at_once = bool(self._setup.limits.decided)  # small sizes are decided
        for position, (name, number) in enumerate(stages):
            if position == 1 and at_once and (hit := self._far_hit()) is not None:
                return hit
            if (
                name in NAMES[_FIRST_WIDE:]
                and not self._looker.tried
                and not self._looker.undecided
            ):
                return None  # undefined everywhere
            for at, task, report in self._reports(name, number):
                hit = self._taken(at, task, report)
                if hit is not None:
                    return hit
                self._tell()
            self.is_structured |= name == "structured"
            self._require_readable(most=self._near)
        if at_once:
            return None
        return self._far_hit()

    def _far_hit(self) -> Hit | None:
        """Returns the first violation at large sizes, by a probe."""
        for at in range(self._near, len(self._order)):
            if self._is_readable(at):
                task = self._task(NAMES[0], 0, self._order[at])
                hit = self._taken(at, task, self._here(task))
                if hit is not None:
                    return hit
        return None

    def _is_readable(self, at: int) -> bool:
        """Checks whether both sides can be computed exactly at some sizes; others are tried later.

        Raises:
            NotExact: there is no Program at the smallest sizes.
        """
        if not self._looker.exact or not self._looker.is_black_box:
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
        inputs = self._looker.points(sizes).generic(self._looker.rng("works"))
        try:
            self._looker.answers(Trial(sizes, inputs, ()))
        except (TargetError, ShapeError) as error:
            self._unusable.add(at)
            self._looker.notes.setdefault(_not_tried(sizes, error), None)

    def _require_readable(self, most: int) -> None:
        known = self._readable.values()
        if known and not any(known) and len(known) >= min(most, self._near):
            raise NotExact(f"run on floats only: {self._why}")

    def _why_not_exact(self, sizes: Sizes) -> str:
        subjects = self._looker.question.subjects
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
                reports = self._workers.map(self._here, apart, tasks, self._setup.deadline())
                yield from zip(rest, tasks, reports, strict=False)
                return
            task = self._task(name, number, self._order[at])
            yield at, task, self._here(task)

    def _task(self, name: str, number: int, sizes: Sizes) -> Task:
        looker = self._looker
        elsewhere = name != NAMES[0] and looker.tried > 0
        works = tuple(sizes.items()) in looker.sizes_tried
        return Task(name, number, sizes, looker.exact, elsewhere, works, max(0, looker.left))

    def _here(self, task: Task) -> Report:
        task = replace(task, most=max(0, min(task.most, self._looker.left)))
        return do_task(self._setup, self._looker.question, task, self._setup.deadline())

    def _taken(self, at: int, task: Task, report: Report) -> Hit | None:
        """Adds the counts of a task, and returns its violation, if any, after confirming it here.

        Raises:
            Stop, NotExact, Nondeterministic, TargetError, ShapeError: how the task ended.
        """
        looker = self._looker
        if (report.ending == "error" and not report.errors) or report.looks > max(
            0, looker.left
        ) + 1:
            report = self._here(task)
        looker.absorb(
            report.looks, report.tried, report.undefined, report.undecided, report.floats_only
        )
        looker.sizes_tried.update(dict.fromkeys(report.sizes_tried))
        looker.notes.update(report.notes)
        looker.errors.extend(report.errors)
        looker.longest = max(looker.longest, report.longest)
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
                looker.notes.setdefault(_not_tried(task.sizes, report.errors[-1]), None)
            case "error":
                raise report.errors[-1]
        if report.hit is not None:
            looker.trust()
            return report.hit
        if report.trial is not None:
            hit = looker.again(report.trial)
            if hit is None:
                raise Nondeterministic
            return hit
        if looker.left < 0:
            raise Stop
        return None

    def _on_floats(self) -> Hit | None:
        """Tries the sizes without a Program, or without exact values, in floats."""
        looker = self._looker
        every = looker.floats_only > 0
        chosen = [k for k in range(len(self._order)) if every or not self._readable.get(k, True)]
        if not chosen:
            return None
        looker.exact = False
        looker.notes.setdefault(f"run on floats at some sizes: {self._why}", None)
        for name, at in product(NAMES[:-1], chosen):
            if at not in self._unusable:
                task = self._task(name, 0, self._order[at])
                hit = self._taken(at, task, self._here(task))
                if hit is not None:
                    return hit
        return None

    # -------------------------------------------------------------------------------- the end
    def _beyond_rounding(self, hit: Hit) -> Hit:
        """Returns the violation, or a larger one if the rounding of constants may explain it.

        If there is a larger one, only violations that rounding does not explain count from then on.
        """
        looker, sizes = self._looker, hit.trial.sizes
        if not looker.exact:
            return hit
        self.explained = max(
            size_explained_by_rounding(s.program_at(sizes)) for s in looker.question.subjects
        )
        before, looker.least = looker.least, self.explained
        comparison = at_large_entry(hit.comparison, looker.least)
        if comparison is not None:
            return replace(hit, comparison=comparison)
        found = find_larger_violation(looker, sizes)
        if found is not None:
            return found
        looker.least = before
        return hit

    def _minimise(self) -> None:
        """Shrinks the violation found, then searches for one at earlier sizes and shrinks that."""
        if self.best is None:
            return
        if not self._looker.is_black_box:  # the kernel recomputes both sides
            self._looker.reserve = _WRITING * self._looker.longest
        self._shrink(self.best)
        for position, sizes in enumerate(self._order):
            if self._shrinker is None or sizes == self._shrinker.best.trial.sizes:
                break
            if position in self._unusable:
                continue
            rng = self._looker.rng("earlier", sorted(sizes.items()))
            pool = self._looker.points(sizes).structured(rng, _EARLIER_POINTS)
            found = best_of(self._looker, sizes, pool, _EARLIER_EACH)
            if found is not None:
                self._shrink(found)
                break

    def _shrink(self, hit: Hit) -> None:
        self._shrinker = Shrinker(self._looker, hit)
        least: dict[str, int] = {}
        if self._setup.limits.acts is None:
            least = {n: min(s[n] for s in self._order) for n in hit.trial.sizes}
        self._shrinker.run(least)

    def _same_as_first(self) -> None:
        """Checks that the first call still returns the same result: a stateful function may not.

        Raises:
            Nondeterministic: it returns another result.
        """
        if self._first is None:
            return
        trial, before = self._first
        for old, new in zip(before, self._looker.answers(trial), strict=True):
            require_same(old, new)


def _equal_sizes_first(sizes: Mapping[str, int]) -> tuple[bool, int, int]:
    """Returns the sort key of sizes for exceptional points: equal sizes from 2 up come first."""
    values = sizes.values() or (1,)
    return min(values) < 2, max(values) - min(values), sum(values)


def _not_tried(sizes: Mapping[str, int], error: EqvproofError) -> str:
    where = ", ".join(f"{n} = {s}" for n, s in sizes.items()) or "its only size"
    return f"not tried at {where}: {error.message}"
