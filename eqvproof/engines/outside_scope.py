"""Lists the sizes and points that a proof leaves open, for a search for counterexamples there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms, Traced, at_single_sizes, by_calls
from eqvproof.engines.prove_claim import Proved

#: Share of the time left for a search at sizes or points that a proof leaves open, if that is more
#: than its seconds: a framework may need seconds to compile a function for the first of them.
SHARE = 0.2
#: Seconds for the search just outside the sizes that a proof covers.
OUTSIDE_SECONDS = 3.0
#: Largest numbers of entries of an input, and of any value, in that search.
MOST_GIVEN, MOST_COMPUTED = 2_000, 50_000
#: Seconds for the search for a point at which only one side is defined.
DOMAIN_SECONDS = 5.0
#: Seconds and number of points of the search at the exceptional points that a proof leaves out.
TIED_SECONDS, MOST_EXCEPTIONAL = 6.0, 1500


def claims_outside(claim: Claim, programs: Traced) -> Iterator[Claim]:
    """Yields the claim just outside each range of a proof, at small other sizes, if it is cheap."""
    shapes = [(n.shape, MOST_COMPUTED) for t in programs.traces for n in t.program.nodes]
    shapes += [(shape, MOST_GIVEN) for t in programs.traces for _, shape in t.program.inputs]
    for name, (least, limit) in programs.spans.items():
        ranges = small_sizes(claim)
        if least > claim.ranges.get(name, (1, 1))[0]:
            yield _there(claim, {**ranges, name: (claim.ranges.get(name, (1, 1))[0], least - 1)})
        if limit is None:
            continue
        low, high = claim.ranges.get(name, (1, limit + 2))
        ranges[name] = max(low, limit + 1), min(high, max(low, limit + 1) + 1)
        top = {**{n: high for n, (_, high) in ranges.items()}, **claim.pins}
        fits = all(prod(s.value(top) for s in shape) <= most for shape, most in shapes)
        if ranges[name][0] <= ranges[name][1] and fits:
            yield _there(claim, ranges)


def _there(claim: Claim, ranges: dict[str, tuple[int, int]]) -> Claim:
    return replace(claim, ranges=ranges).within(OUTSIDE_SECONDS, SHARE)


def on_one_side(claim: Claim) -> Claim:
    """Returns the claim for a search for a point at which only one side is defined."""
    return claim.within(DOMAIN_SECONDS, SHARE)


def programs_there(known: KnownPrograms, there: Claim) -> KnownPrograms:
    """Returns the Programs if they equal the functions at all sizes of a claim, else the functions."""
    pairs = [
        (there.ranges.get(n, (1, 1)), span) for t in known.traces for n, span in t.spans.items()
    ]
    if all(low <= least and (high is None or most <= high) for (least, most), (low, high) in pairs):
        return known
    return at_single_sizes(there)


def at_exceptional_points(
    claim: Claim, proved: Proved, known: KnownPrograms
) -> tuple[Claim, KnownPrograms]:
    """Returns the claim for a search at the exceptional points of a proof, and its Programs.

    Sizes are raised so that k of n entries can tie, after a proof for n >= k.
    """
    ranges = dict(claim.ranges)
    for name, (least, _) in proved.programs.spans.items():
        low, high = ranges.get(name, (1, least + 2))
        if least > low:
            ranges[name] = min(least + 1, high), high
    there = replace(claim, ranges=ranges).within(TIED_SECONDS, SHARE)
    programs = known.at_all_sizes(claim)
    if programs.rests_on_ties or proved.programs.takes_eigenvectors:
        return there, by_calls(claim, programs)  # only calls show the results there
    return there, programs


def small_sizes(claim: Claim) -> dict[str, tuple[int, int]]:
    """Returns the two least sizes of each name; those without a range run up to 2."""
    return {
        name: (low, min(low + 1, high))
        for name, (low, high) in claim.search_sizes(2).items()
        if name not in claim.pins
    }
