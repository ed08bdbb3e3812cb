"""The calls that other parts of the package make: a search, and what came of it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from eqvproof.apart import so_far
from eqvproof.deadline import TimeIsUp, until
from eqvproof.engines.search.comparison import UNCONFIRMED, Looker
from eqvproof.engines.search.constants import Number
from eqvproof.engines.search.drawn import is_strategy
from eqvproof.engines.search.result import Found, Inputs, Nondeterministic, SearchResult
from eqvproof.engines.search.search import Search
from eqvproof.engines.search.sides import Acts
from eqvproof.engines.search.sizes import SizeRange, size_order
from eqvproof.engines.search.subject import Subject
from eqvproof.engines.search.tasks import Setup
from eqvproof.engines.workers import Workers
from eqvproof.groups import Group
from eqvproof.signature import Signature

#: A search makes at most so many comparisons.
MAX_POINTS = 6000
#: The share of the time that the first call may take.
FIRST_CALL = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a search looks, and when it ends.

    Attributes:
        sizes: name -> size or (least, greatest).
        seed: of the random points; equal seeds, equal results, unless the deadline cuts in.
        deadline: value of ``time.monotonic()`` at which the search ends.
        max_points: at most so many comparisons.
        domain: x -> whether x counts (given arrays of Fractions by name), or a Hypothesis strategy of points.
        constants: numbers in the target's code, see `mine_constants`.
        unbounded: names whose sizes constants may lead beyond the given range.
        executor: where wide searches run; equal results with it and without, unless the deadline cuts in.
        acts: how elements act where they do so by functions of theirs; and at which sizes.
        tell: what is told to somebody who may end this process (`eqvproof.apart`), of what was found so far.
    """

    sizes: Mapping[str, SizeRange] | None = None
    seed: int = 0
    deadline: float | None = None
    max_points: int = MAX_POINTS
    domain: Callable[[Inputs], Any] | None = None
    constants: Sequence[Number] = ()
    unbounded: Collection[str] = ()
    executor: Any = None
    acts: Acts | None = None
    tell: Callable[[SearchResult], Any] | None = None


ANYWHERE = Limits()


def find_counterexample(
    subject: Subject, signature: Signature, group: Group, limits: Limits = ANYWHERE
) -> SearchResult:
    """The smallest point that is found at which f(g x) is not g f(x); each factor of the group moves alone.

    Exactness: "rational" and "ball" are certain; "float" is an observation far above measured noise.

    Raises:
        TargetError, ShapeError: the target does not give an array as declared, at any size, or at one with
            axes of different sizes from 3 up.
    """
    return _search((subject,), signature, group, limits)


def find_difference(
    subject: Subject, other: Subject, signature: Signature, limits: Limits = ANYWHERE
) -> SearchResult:
    """The smallest point that is found at which two functions differ; see `find_counterexample`."""
    return _search((subject, other), signature, Group(()), limits)


def _search(
    subjects: tuple[Subject, ...], signature: Signature, group: Group, limits: Limits
) -> SearchResult:
    drawn = limits.domain if is_strategy(limits.domain) else None
    domain = None if drawn is not None else limits.domain
    if limits.acts is None:
        order = size_order(signature, dict(limits.sizes or {}), limits.constants, limits.unbounded)
    else:
        order = list(limits.acts.order)
    deadline = float("inf") if limits.deadline is None else limits.deadline
    setup = Setup(
        subjects, signature, group, tuple(limits.constants), len(order), limits.max_points, limits.seed,
        domain, time.time() + deadline - time.monotonic(), limits.acts,
    )  # fmt: skip
    question = setup.question()
    looker = Looker(
        question,
        seed=limits.seed,
        deadline=deadline,
        max_points=limits.max_points,
        domain=domain,
        constants=setup.constants,
    )
    workers = Workers(limits.executor)

    def result(*, nondeterministic: bool = False) -> SearchResult:
        for subject in question.subjects:
            looker.notes.update(dict.fromkeys(getattr(subject, "notes", ())))
        return SearchResult(
            found=None if nondeterministic else search.found,
            tried=looker.tried,
            undefined=looker.undefined,
            undecided=looker.undecided,
            sizes_tried=tuple(dict(s) for s in looker.sizes_tried),
            nondeterministic=nondeterministic,
            notes=tuple(n for n in looker.notes if n != UNCONFIRMED or search.found is None),
            is_structured=search.is_structured,
        )

    tell = limits.tell
    search = Search(
        looker, order, setup, workers, drawn, lambda: None if tell is None else so_far(lambda: tell(result()))
    )
    nondeterministic = False
    # threads that run targets turn warnings off and on, each as it finds them
    with until(deadline), warnings.catch_warnings():
        try:
            now = time.monotonic()
            with suppress(TimeIsUp), until(now + FIRST_CALL * (deadline - now)):
                search.require_typed()
            search.run()
        except Nondeterministic as error:
            nondeterministic = True
            looker.notes.update(dict.fromkeys(map(str, error.args)))
        except TimeIsUp:
            looker.notes.setdefault("the time ran out before anything could be compared")
    if workers.note:
        looker.notes.setdefault(workers.note)
    if (
        not looker.tried
        and not looker.undefined
        and looker.errors
        and search.best is None
        and not nondeterministic
    ):
        raise looker.errors[0]
    if search.found is not None and search.found.relative_size < search.explained:
        looker.notes.setdefault(small_text(search.found))
    return result(nondeterministic=nondeterministic)


def small_text(found: Found) -> str:
    """What is said of a difference that rounded constants may explain."""
    return (
        f"the sides differ by a relative {found.relative_size:.1e} only: rounded constants in the"
        " target may be all that separates them"
    )
