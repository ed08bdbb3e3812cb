"""One stage of a search at one choice of sizes, as a task that can run anywhere.

A task is data, and so is its report, except for parts that only the searching process needs; the
random numbers of a task depend on the seed, the stage and the sizes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from eqvproof.engines.search.comparer import Comparer, NotExact, Stop, Violation
from eqvproof.engines.search.limits import Setup
from eqvproof.engines.search.result import Array, Doubt, Nondeterministic
from eqvproof.engines.search.sides import ClaimSides, Trial
from eqvproof.engines.search.stages import Stages
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import ShapeError, TargetError

SizesKey = tuple[tuple[str, int], ...]
Ending = Literal["done", "stopped", "nondeterministic", "not exact", "error"]


@dataclass(frozen=True, slots=True)
class Task:
    """A stage of a search at some sizes.

    Attributes:
        stage: one of `stages.NAMES`.
        number: the number of the round.
        sizes: the sizes.
        exact: whether Programs are evaluated on exact numbers.
        runs_elsewhere: whether Programs are known to have exact values elsewhere.
        works: whether the function is known to work at these sizes.
        most: largest number of comparisons.
    """

    stage: str
    number: int
    sizes: Mapping[str, int]
    exact: bool
    runs_elsewhere: bool
    works: bool
    most: int


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The result of a task.

    Attributes:
        ending: how it ended.
        trial: a violation, or None.
        comparisons, tried, undefined, undecided, floats_only: counts.
        sizes_tried: sizes at which comparisons were made.
        notes: remarks, with the kind of those that leave the claim undecided.
        longest: the time of the longest comparison.
        remark: for "not exact", the reason.
        violation: the violation with its two sides, if the task ran in this process.
        first: the first point of a probe with its results, if the task ran in this process.
        errors: errors at sizes or points that are skipped, if the task ran in this process.
    """

    ending: Ending
    trial: Trial | None
    comparisons: int
    tried: int
    undefined: int
    undecided: int
    floats_only: int
    sizes_tried: tuple[SizesKey, ...]
    notes: Mapping[str, Doubt | None]
    longest: float
    remark: str = ""
    violation: Violation | None = None
    first: tuple[Trial, tuple[Array | None, ...]] | None = None
    errors: tuple[TargetError | ShapeError, ...] = ()


def do_task(setup: Setup, claim_sides: ClaimSides, task: Task, deadline: float) -> Report:
    """Runs a task in this process."""
    comparer = Comparer(claim_sides, replace(setup.limits, deadline=deadline, max_points=task.most))
    comparer.runs_elsewhere = task.runs_elsewhere
    if not task.exact:
        comparer.switch_to_floats()
    if task.works:
        comparer.works = {tuple(task.sizes.items())}
    else:
        comparer.works = set()
    stages = Stages(comparer, setup)
    ending: Ending = "done"
    violation: Violation | None = None
    remark = ""
    try:
        violation = stages.run(task.stage, task.sizes, task.number)
    except (Stop, TimeIsUp):
        ending = "stopped"
    except Nondeterministic:
        ending = "nondeterministic"
    except NotExact as reason:
        ending, remark = "not exact", reason.note
    except (TargetError, ShapeError) as error:
        ending = "error"
        comparer.errors.append(error)
    return Report(
        ending,
        None if violation is None else violation.trial,
        task.most - comparer.left,
        comparer.tried,
        comparer.undefined,
        comparer.undecided,
        comparer.floats_only,
        tuple(comparer.sizes_tried),
        dict(comparer.notes),
        comparer.longest,
        remark,
        violation,
        stages.first,
        tuple(comparer.errors),
    )


def do_apart(setup: Setup, task: Task) -> Report:
    """Runs a task in a worker; the report holds only data that can be sent back."""
    deadline = setup.deadline()
    with until(deadline):
        report = do_task(setup, setup.claim_sides(), task, deadline)
    notes = dict(report.notes)
    for note in (n for s in setup.subjects for n in getattr(s, "notes", ())):
        notes.setdefault(note, None)
    return replace(report, notes=notes, violation=None, first=None, errors=())
