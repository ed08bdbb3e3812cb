"""Searches at the sizes next to those at which a Program starts to compute something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from math import prod

from eqvproof.engines.all_sizes import Attempt
from eqvproof.engines.claim import Claim
from eqvproof.engines.search.turning import turning_sizes
from eqvproof.engines.searching import searched
from eqvproof.engines.verdict import Verdict
from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import ShapeError, TargetError

#: Seconds for these searches, comparisons in each, and largest number of entries of a value.
SECONDS, COMPARISONS, MOST_ENTRIES = 2.0, 60, 50_000
#: Largest number of sizes of an axis that are tried.
MOST_TURNS = 12


def at_turning_sizes(
    claim: Claim, attempt: Attempt, decided: Sequence[Mapping[str, int]]
) -> Verdict | None:
    """Searches for a refutation at undecided sizes where a Program changes; None if not found."""
    short = claim.within(SECONDS)
    with suppress(TimeIsUp):
        for ranges in _blocks(claim, attempt, decided):
            with suppress(ShapeError, TargetError):  # not a valid function there
                found = searched(replace(short, ranges=ranges), attempt, most=COMPARISONS)
                if found.fails:
                    return found
    return None


def _blocks(
    claim: Claim, attempt: Attempt, decided: Sequence[Mapping[str, int]]
) -> Iterator[dict[str, tuple[int, int]]]:
    """Yields ranges of sizes around each turn of one axis, with small sizes of the others.

    Then follow ranges beyond the last turns of all axes.
    """
    near = {n: (low, min(low + 1, high)) for n, (low, high) in claim.search_sizes().items()}
    free = {n: span for n, span in near.items() if n not in claim.pins}
    last: dict[str, tuple[int, int]] = {}
    for name in free:
        others = {n: high for n, (_, high) in near.items() if n != name}
        known = max((sizes[name] for sizes in decided), default=0)
        low, high = claim.ranges.get(name, (1, None))
        turns = chain.from_iterable(turning_sizes(t.program, others, name) for t in attempt.traces)
        there = (t for t in turns if t + 1 > known and t >= low and (high is None or t <= high))
        for turn in islice(there, MOST_TURNS):
            last[name] = turn, turn + 1 if high is None else min(turn + 1, high)
            if _fits(attempt, {**near, name: last[name]}):
                yield {**free, name: last[name]}
    if len(last) > 1 and _fits(attempt, {**near, **last}):
        yield {**free, **last}


def _fits(attempt: Attempt, spans: Mapping[str, tuple[int, int]]) -> bool:
    """Checks whether the values of the Programs are small enough to compute exactly."""
    top = {n: high for n, (_, high) in spans.items()}
    shapes = (node.shape for trace in attempt.traces for node in trace.program.nodes)
    return all(prod(s.value(top) for s in shape) <= MOST_ENTRIES for shape in shapes)
