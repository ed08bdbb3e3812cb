"""Lists ranges of sizes around those at which Programs take another branch, for a last search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from math import prod

from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms

#: Seconds for the searches there, comparisons in each, and largest number of entries of a value.
SECONDS, COMPARISONS, MOST_ENTRIES = 2.0, 60, 50_000
#: Largest number of sizes of an axis that are tried.
MOST_BRANCHES = 12


def ranges_at_branch_sizes(
    claim: Claim, known: KnownPrograms, decided: Sequence[Mapping[str, int]]
) -> Iterator[dict[str, tuple[int, int]]]:
    """Yields ranges of undecided sizes around each change along one axis.

    The other axes have small sizes. Then follow ranges beyond the last changes of all axes.
    """
    near = {n: (low, min(low + 1, high)) for n, (low, high) in claim.search_sizes().items()}
    free = {n: span for n, span in near.items() if n not in claim.pins}
    last: dict[str, tuple[int, int]] = {}
    from eqvproof.engines.search.branch_sizes import branch_sizes

    for name in free:
        others = {n: high for n, (_, high) in near.items() if n != name}
        largest = max((sizes[name] for sizes in decided), default=0)
        low, high = claim.ranges.get(name, (1, None))
        branches = chain.from_iterable(branch_sizes(t.program, others, name) for t in known.traces)
        there = (
            t for t in branches if t + 1 > largest and t >= low and (high is None or t <= high)
        )
        for size in islice(there, MOST_BRANCHES):
            last[name] = size, size + 1 if high is None else min(size + 1, high)
            if _fits(known, {**near, name: last[name]}):
                yield {**free, name: last[name]}
    if len(last) > 1 and _fits(known, {**near, **last}):
        yield {**free, **last}


def _fits(known: KnownPrograms, spans: Mapping[str, tuple[int, int]]) -> bool:
    """Checks whether the values of the Programs are small enough to compute exactly."""
    top = {n: high for n, (_, high) in spans.items()}
    shapes = (node.shape for trace in known.traces for node in trace.program.nodes)
    return all(prod(s.value(top) for s in shape) <= MOST_ENTRIES for shape in shapes)
