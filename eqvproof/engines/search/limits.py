"""The limits of a search, and the data that all its tasks share."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.search.result import MAX_POINTS, Inputs, SearchResult
from eqvproof.engines.search.sides import Acts, ClaimSides, claim_sides_of
from eqvproof.engines.search.sizes import SizeRange
from eqvproof.engines.search.subject import Subject
from eqvproof.tracing.trace import Trace

if TYPE_CHECKING:
    from eqvproof.engines.search.constants import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The points that a search tries, and the limits at which it ends.

    Attributes:
        sizes: name -> size or (least, greatest).
        seed: of the random points; equal seeds give equal results, except at the deadline.
        deadline: value of ``time.monotonic()`` at which the search ends.
        spare: additional seconds to confirm a difference that was found in time.
        max_points: largest number of comparisons.
        domain: maps x (arrays of Fractions by name) to whether it belongs to the domain, or is a
            Hypothesis strategy of points.
        constants: numbers in the function's code, see `mine_constants`.
        unbounded: names whose sizes may leave the given range because of constants.
        executor: runs large searches; equal results with and without it, except at the deadline.
        acts: the action of elements given by functions, and its sizes.
        exceptional: "first" if points with equal entries or eigenvalues are tried first,
            "only" if they are the only ones after the probe, else "".
        compared: the Programs for all sizes that tell which values are compared; if empty, the
            Programs that are checked.
        generic: the Programs whose exceptional points are left out; None to include all points.
        decided: sizes at which the claim is known to hold, which are only probed.
        tell: receives the result so far, for a parent that may end this process
            (`eqvproof.support.forked_work`).
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
    exceptional: Literal["", "first", "only"] = ""
    compared: tuple[Trace, ...] = ()
    generic: tuple[Trace, ...] | None = None
    decided: Sequence[Mapping[str, int]] = ()
    tell: Callable[[SearchResult], Any] | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """The data that all tasks of a search share.

    Attributes:
        subjects: the function, or the two that are compared.
        signature: their typing.
        group: the group; without factors for an identity.
        limits: those of the whole search, without objects of this process.
        count: the number of sizes that are tried.
        ends: seconds since the epoch at which the search ends; other clocks differ between
            processes.
    """

    subjects: tuple[Subject, ...]
    signature: Signature
    group: Group
    limits: Limits
    count: int
    ends: float

    def claim_sides(self) -> ClaimSides:
        """Builds the two sides of the claim, with empty caches."""
        return claim_sides_of(self.subjects, self.signature, self.group, self.limits.acts)

    def deadline(self) -> float:
        """Returns the monotonic time of this process at which the search ends."""
        return time.monotonic() + self.ends - time.time()
