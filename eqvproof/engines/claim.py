"""The claim to check, the sizes at which it is decided and searched, and limits of the work.

A claim states f(g x) = g f(x) for all g in a group, or f(x) = f'(x).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.scope import LARGEST_DEFAULT, Range, smallest_first
from eqvproof.engines.verdict.scope import ExceptionalSet
from eqvproof.programs import Program
from eqvproof.support.errors import TraceError

T = TypeVar("T")


def absent(*arguments: Any) -> Any:
    """Stands for a function that is known as a Program only; raises when called."""
    raise TypeError("the function is not here")


@dataclass(frozen=True, slots=True)
class Claim:
    """A function and the symmetry claimed for it, or two functions claimed to be equal.

    Attributes:
        function: the function.
        signature: its typing.
        group: the group; without factors if two functions are compared.
        under: the group as the user wrote it.
        pins: axis sizes given by a number.
        ranges: axis sizes given by a range.
        seed: the seed of all random choices.
        deadline: monotonic time at which the search ends.
        domain: a restriction of the inputs, or None.
        other: the second function, or None.
        executor: runs large searches, or None.
        reps: representations that are given by functions.
        literal: whether constants are read as they are stored, never as nearby invariant ones.
        generic: whether exceptional points are left out: those at which entries tie, or eigenvalues
            coincide.
        open_ended: the names for which all sizes from the least one up are claimed.
        read: the cache of `once`, shared by all claims that are derived from one.
    """

    function: Callable[..., Any]
    signature: Signature
    group: Group
    under: str
    pins: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    seed: int = 0
    deadline: float = float("inf")
    domain: Any = None
    other: Callable[..., Any] | None = None
    executor: Any = None
    reps: tuple[Any, ...] = ()
    literal: bool = False
    generic: bool = False
    open_ended: frozenset[str] = frozenset()
    read: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, function: Callable[..., Any], key: Hashable, make: Callable[[], T]) -> T:
        """Returns a cached result for a function and a key; computes it at the first call.

        Raises:
            TraceError: the computation raised it, in this call or in the first one.
        """
        place = (id(function), key)
        if place not in self.read:
            try:
                found: object = make()
            except TraceError as error:
                found = error.with_traceback(None)
            # holds the function, so that no other one gets its id
            self.read[place] = (
                function,
                found,
            )
        known = self.read[place][1]
        if isinstance(known, TraceError):
            raise known
        return known  # type: ignore[no-any-return]

    @property
    def functions(self) -> tuple[Callable[..., Any], ...]:
        """Returns the functions of the claim, one or two."""
        if self.other is None:
            return (self.function,)
        return (self.function, self.other)

    @property
    def as_data(self) -> Claim:
        """Returns the claim without its functions and other objects of this process."""
        other = None if self.other is None else absent
        return replace(
            self, function=absent, other=other, domain=None, executor=None, reps=(), read={}
        )

    def within(self, seconds: float, share: float = 0.0) -> Claim:
        """Returns the claim with a deadline at most this many seconds from now.

        With a share, it may be later: up to that part of the time that is left.
        """
        if share and self.seconds_left < float("inf"):
            seconds = max(seconds, share * self.seconds_left)
        return replace(self, deadline=min(self.deadline, time.monotonic() + seconds))

    def moment(self, part: float) -> float:
        """Returns the moment at which work that may take a part of the time left must stop."""
        now = time.monotonic()
        return now + part * (self.deadline - now)

    @property
    def seconds_left(self) -> float:
        """Returns the seconds until the deadline."""
        return self.deadline - time.monotonic()

    @property
    def is_identity(self) -> bool:
        """Checks whether the claim compares two functions."""
        return self.other is not None

    def claimed_range(self, name: str) -> tuple[int, int | None] | None:
        """Returns the range of claimed sizes of a name; None if all sizes are claimed.

        A range without an end has None as its end.
        """
        found = self.ranges.get(name)
        if found is not None and name in self.open_ended:
            return (found[0], None)
        return found

    def span(self, name: str, largest: int = LARGEST_DEFAULT) -> Range:
        """Returns the least and the largest size of a name for searches.

        They are 1 and `largest` if the claim gives none.
        """
        pin = self.pins.get(name)
        if pin is None:
            return self.ranges.get(name, (1, largest))
        return (pin, pin)

    def search_sizes(self, largest: int = LARGEST_DEFAULT) -> dict[str, Range]:
        """Returns the least and the largest size for searches, for each name of the inputs."""
        return {name: self.span(name, largest) for name in self.signature.input_names}

    def typical_sizes(self, start: int) -> dict[str, int]:
        """Returns sizes that all differ, counting up from a start, within those of the claim."""
        sizes = dict(self.pins)
        for k, name in enumerate(n for n in self.signature.input_names if n not in self.pins):
            low, high = self.ranges.get(name, (1, start + k))
            sizes[name] = min(high, max(low, start + k))
        return sizes

    def combinations(self) -> list[dict[str, int]]:
        """Returns all combinations of sizes for searches, smallest first."""
        return smallest_first(
            {n: range(low, high + 1) for n, (low, high) in self.search_sizes().items()}
        )

    def goes_beyond_one(self, found: Sequence[Mapping[str, int]]) -> bool:
        """Checks whether every name that may be larger than 1 is so at some of the given sizes."""
        longer = [n for n, (_, high) in self.search_sizes().items() if high > 1]
        return bool(found) and all(any(sizes[n] > 1 for sizes in found) for n in longer)

    def are_all(self, done: list[dict[str, int]]) -> bool:
        """Checks whether the given combinations are all sizes of the claim."""
        names = self.signature.input_names
        given = all(n in self.pins or n in self.ranges for n in names) and not self.open_ended
        return given and len(done) == len(self.combinations())

    def output_sizes(self, program: Program, sizes: Mapping[str, int]) -> dict[str, int]:
        """Returns all sizes, with those of the names of the output read off a Program's shape."""
        return self.signature.output_sizes([s.value(sizes) for s in program.shape], sizes)

    def to_json(
        self,
        scope: Mapping[str, Any],
        read: Sequence[object] = (),
        points: Sequence[ExceptionalSet] = (),
    ) -> dict[str, Any]:
        """Returns the claim in the JSON form of certificates.

        Args:
            scope: the sizes.
            read: the constants that are read as nearby ones.
            points: the exceptional sets that the claim leaves out.
        """
        result: dict[str, Any] = {
            "kind": "identity" if self.is_identity else "equivariance",
            **self.signature.to_json(),
            "scope": {k: list(v) if isinstance(v, tuple) else v for k, v in scope.items()},
        }
        if read:
            result["readings"] = list(read)
        if points:
            result["points"] = [p.to_json() for p in points]
        if self.is_identity:
            return result
        return {**result, "group": self.group.to_json()}
