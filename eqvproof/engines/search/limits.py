"""Where a search looks and when it ends, and what all its tasks have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.search.constants import Number
from eqvproof.engines.search.result import Inputs, SearchResult
from eqvproof.engines.search.sides import Acts, Question, question_of
from eqvproof.engines.search.sizes import SizeRange
from eqvproof.engines.search.subject import Subject
from eqvproof.tracing.trace import Trace

#: A search makes at most so many comparisons.
MAX_POINTS = 6000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a search looks, and when it ends.

    Attributes:
        sizes: name -> size or (least, greatest).
        seed: of the random points; equal seeds, equal results, unless the deadline cuts in.
        deadline: value of ``time.monotonic()`` at which the search ends.
        spare: so many seconds more may be taken to confirm what differed in time.
        max_points: at most so many comparisons.
        domain: x -> whether x counts (given arrays of Fractions by name), or a Hypothesis strategy
            of points.
        constants: numbers in the target's code, see `mine_constants`.
        unbounded: names whose sizes constants may lead beyond the given range.
        executor: where wide searches run; equal results with it and without, unless the deadline
            cuts in.
        acts: how elements act where they do so by functions of theirs; and at which sizes.
        coincidences: whether points at which something coincides are tried first: "first"; alone,
            after the probe: "only"; "" for not.
        compared: the Programs for all sizes that say which values are compared; none: those that
            are judged.
        generic: the Programs whose exceptional points are left out; None: all points count.
        decided: sizes that are known to hold, and only probed.
        tell: tells somebody who may end this process (`eqvproof.support.apart`) what was found so
            far.
    """

    sizes: Mapping[str, SizeRange] | None = None
    seed: int = 0
    deadline: float = float("inf")
    spare: float = 0.0
    max_points: int = MAX_POINTS
    domain: Callable[[Inputs], Any] | None = None
    constants: Sequence[Number] = ()
    unbounded: Collection[str] = ()
    executor: Any = None
    acts: Acts | None = None
    coincidences: Literal["", "first", "only"] = ""
    compared: tuple[Trace, ...] = ()
    generic: tuple[Trace, ...] | None = None
    decided: Sequence[Mapping[str, int]] = ()
    tell: Callable[[SearchResult], Any] | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What all tasks of a search have in common.

    Attributes:
        subjects: the function, or the two that are compared.
        signature: their typing.
        group: the group; of no factor for an identity.
        limits: of the whole search; without what is of this process alone.
        count: how many sizes are tried.
        ends: seconds since the epoch at which the search ends; processes have clocks of their own
            for others.
    """

    subjects: tuple[Subject, ...]
    signature: Signature
    group: Group
    limits: Limits
    count: int
    ends: float

    def question(self) -> Question:
        """What is asked, with an empty memory."""
        return question_of(self.subjects, self.signature, self.group, self.limits.acts)

    def deadline(self) -> float:
        """The monotonic time of this process at which the search ends."""
        return time.monotonic() + self.ends - time.time()
