"""The search for the smallest counterexample.

First every size is probed with points without structure, which shows most violations at the least sizes
where they exist; then with structured points and simple elements, for violations that only ties, zeros and
collinear vectors show; then with magnitudes, constants of the target, and random points. What is found is
made smaller, beginning with the sizes that come before it.

The tasks of a stage, one a size, know nothing of one another: they may be done anywhere, and are looked at in
their order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from eqvproof.deadline import TimeIsUp
from eqvproof.engines.search.drawn import find_drawn
from eqvproof.engines.search.found import Array, Found
from eqvproof.engines.search.look import Hit, Looker, Nondeterministic, NotExact, Stop, require_same, to_found
from eqvproof.engines.search.question import Trial, float_inputs, float_value
from eqvproof.engines.search.shrink import Shrinker, best_of
from eqvproof.engines.search.stages import NAMES, Stages
from eqvproof.engines.search.tasks import Report, Setup, Task, do_apart, do_task
from eqvproof.engines.workers import Workers

_EARLIER_POINTS, _EARLIER_EACH = 60, 3
#: Rounds of random points.
_ROUNDS = 3
_CHECKED_ON_FLOATS = 12
#: A counterexample is written down and re-checked in the time of so many comparisons, about.
_WRITING = 4
Sizes = dict[str, int]


class Search:
    """The order in which points are tried.

    Attributes:
        best: the smallest violation so far.

    Args:
        looker: makes comparisons.
        order: the sizes, smallest first.
        setup: what all tasks have in common.
        workers: where they are done.
        drawn: a Hypothesis strategy of points, which takes the place of all stages.
    """

    def __init__(
        self, looker: Looker, order: list[Sizes], setup: Setup, workers: Workers, drawn: Any = None
    ) -> None:
        self._drawn = drawn
        self._looker = looker
        self._order = order
        self._setup = setup
        self._workers = workers
        self._stages = Stages(looker, setup.constants, setup.count, setup.most)
        self._unusable: set[int] = set()
        self._first: tuple[Trial, tuple[Array | None, ...]] | None = None
        self._shrinker: Shrinker | None = None
        self.best: Hit | None = None

    @property
    def found(self) -> Found | None:
        """The smallest violation so far, as the search gives it back."""
        hit = self._shrinker.best if self._shrinker is not None else self.best
        if hit is None:
            return None
        subjects = self._looker.question.subjects
        return to_found(hit, is_recorded=any(s.program_at(hit.trial.sizes) is None for s in subjects))

    def run(self) -> None:
        """Search until something is found and small, or nothing is left to try."""
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
        looker.notes.setdefault(note)
        looker.exact = False
        looker.tried = looker.undefined = looker.undecided = 0
        looker.sizes_tried.clear()
        self.best = self._shrinker = None
        self._unusable.clear()
        self._first = None

    def require_typed(self) -> None:
        """The target gives an array as declared at a size at which all axes are long and none are equal.

        Raises:
            TargetError, ShapeError: it does not; smaller sizes at which it fails are passed over.
        """
        if self._drawn is not None:
            return
        names = self._looker.question.signature.input_names
        longest = {n: max(s[n] for s in self._order) for n in names}
        least = {n: min(s[n] for s in self._order) for n in names}
        sizes = {n: max(least[n], min(longest[n], 3 + k)) for k, n in enumerate(names)}
        inputs = self._stages.points(sizes).generic(self._looker.rng("typed"))
        trial = Trial(sizes, inputs, ())
        for subject in self._looker.question.subjects:
            if subject.is_black_box:
                value = float_value(subject, float_inputs(self._looker.question, trial), sizes)
                if value is not None:
                    self._looker.question.signature.output_sizes(value.shape, sizes)

    def _whole(self) -> None:
        if self._drawn is not None:
            self.best = find_drawn(self._looker, self._drawn, self._order, self._setup.seed)
            return
        hit = self._first_hit()
        if hit is None and self._looker.exact and self._looker.is_black_box:
            if not self._looker.tried and self._looker.undecided:
                raise NotExact("run on floats: exact arithmetic decided nothing")
            self._same_as_first()
            hit = self._on_floats()
        if hit is not None:
            self.best = hit
            self._minimise()

    # --------------------------------------------------------------------------------------------- stages
    def _first_hit(self) -> Hit | None:
        """The first violation in the order of stages and sizes."""
        stages = [(name, 0) for name in NAMES[:-1]] + [(NAMES[-1], k) for k in range(_ROUNDS)]
        for position, (name, number) in enumerate(stages):
            if position > 1 and not self._looker.tried and not self._looker.undecided:
                return None  # undefined everywhere
            for at, task, report in self._reports(name, number):
                hit = self._taken(at, task, report)
                if hit is not None:
                    return hit
        return None

    def _reports(self, name: str, number: int) -> Iterator[tuple[int, Task, Report]]:
        """The tasks of a stage with their reports, in order; the first probes are done here."""
        positions = [k for k in range(len(self._order)) if k not in self._unusable]
        while name == NAMES[0] and self._first is None and positions:
            at = positions.pop(0)
            task = self._task(name, number, self._order[at])
            yield at, task, self._here(task)
        tasks = [self._task(name, number, self._order[at]) for at in positions]
        if self._workers.is_apart:
            apart = functools.partial(do_apart, self._setup)
            reports = self._workers.map(self._here, apart, tasks, self._setup.deadline())
            yield from zip(positions, tasks, reports, strict=False)
        else:
            yield from ((at, task, self._here(task)) for at, task in zip(positions, tasks, strict=True))

    def _task(self, name: str, number: int, sizes: Sizes) -> Task:
        looker = self._looker
        elsewhere = name != NAMES[0] and looker.tried > 0
        works = tuple(sizes.items()) in looker.sizes_tried
        return Task(name, number, sizes, looker.exact, elsewhere, works, max(0, looker.left))

    def _here(self, task: Task) -> Report:
        task = replace(task, most=max(0, min(task.most, self._looker.left)))
        return do_task(self._setup, self._looker.question, task, self._setup.deadline())

    def _taken(self, at: int, task: Task, report: Report) -> Hit | None:
        """A violation that a task has found, confirmed here; what it counted is added up.

        Raises:
            Stop, NotExact, Nondeterministic, TargetError, ShapeError: how the task ended.
        """
        looker = self._looker
        if (report.ending == "error" and not report.errors) or report.looks > max(0, looker.left) + 1:
            report = self._here(task)
        looker.absorb(report.looks, report.tried, report.undefined, report.undecided, report.floats_only)
        looker.sizes_tried.update(dict.fromkeys(report.sizes_tried))
        looker.notes.update(dict.fromkeys(report.notes))
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
                where = ", ".join(f"{n} = {s}" for n, s in task.sizes.items()) or "its only size"
                looker.notes.setdefault(f"not tried at {where}: {report.errors[-1].message}")
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
        """A black box that does well on exact numbers, run on floats too: it may tell them apart."""
        looker = self._looker
        looker.exact = False
        self._first = None
        names = NAMES[:-1] if looker.floats_only else NAMES[:1]
        chosen = [s for k, s in enumerate(self._order[:_CHECKED_ON_FLOATS]) if k not in self._unusable]
        for name, sizes in product(names, chosen):
            self._stages.first = None
            found = self._stages.run(name, sizes)
            self._first = self._first or self._stages.first
            if found is not None:
                looker.notes.setdefault("the violation shows on floats only, not on arrays of exact numbers")
                return found
        return None

    # ------------------------------------------------------------------------------------------- the end
    def _minimise(self) -> None:
        """The point that was found made smaller; then one at sizes that come before, where there is one."""
        if self.best is None:
            return
        if not self._looker.is_black_box:  # the kernel will compute both sides again
            self._looker.reserve = _WRITING * self._looker.longest
        self._shrink(self.best)
        for position, sizes in enumerate(self._order):
            if self._shrinker is None or sizes == self._shrinker.best.trial.sizes:
                break
            if position in self._unusable:
                continue
            rng = self._looker.rng("earlier", sorted(sizes.items()))
            pool = self._stages.points(sizes).structured(rng, _EARLIER_POINTS)
            found = best_of(self._looker, sizes, pool, _EARLIER_EACH)
            if found is not None:
                self._shrink(found)
                break

    def _shrink(self, hit: Hit) -> None:
        self._shrinker = Shrinker(self._looker, hit, self._setup.constants)
        self._shrinker.run({n: min(s[n] for s in self._order) for n in hit.trial.sizes})

    def _same_as_first(self) -> None:
        """A target that keeps state may answer differently at the end."""
        if self._first is None:
            return
        trial, before = self._first
        for old, new in zip(before, self._looker.answers(trial), strict=True):
            require_same(old, new)
