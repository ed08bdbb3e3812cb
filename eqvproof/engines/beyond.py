"""Counterexample searches at the sizes and points that a proof does not cover."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from math import prod

from eqvproof.engines import verdicts
from eqvproof.engines.all_sizes import Attempt, at_all_sizes, untraced
from eqvproof.engines.claim import Claim
from eqvproof.engines.definedness import Somewhere
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.poles import lone_poles
from eqvproof.engines.searching import NOT_TOLD, looked, searched
from eqvproof.engines.verdict import Verdict
from eqvproof.support.errors import ShapeError, TargetError

#: Seconds for the search just beyond the sizes that a proof covers, or the share of the time left
#: if that is more: a framework may need seconds to compile a function for the first of them.
BEYOND_SECONDS, BEYOND_SHARE = 3.0, 0.2
#: Largest numbers of entries of an input, and of any value, in that search.
MOST_GIVEN, MOST_BEYOND = 2_000, 50_000
#: Limits of the search for a point at which only one side is defined, after a proof of equality
#: where both are: number of entries computed, largest and least numbers of points, seconds.
DOMAIN_WORK, MOST_POINTS, LEAST_POINTS, DOMAIN_SECONDS = 150_000, 1500, 200, 5.0
#: Seconds and number of points of the search at the exceptional points that a proof leaves out.
TIED_SECONDS, MOST_COINCIDENT = 6.0, 1500


def nowhere(claim: Claim, attempt: Attempt, where: Somewhere) -> Verdict:
    """Searches for a point at which one side is defined, if no point is known at which both are.

    Returns FAILS with that point, or UNDECIDED.
    """
    everywhere = replace(at_all_sizes(claim, attempt), proof=None, why=where.reason)
    found = searched(claim.within(DOMAIN_SECONDS), everywhere, most=_points(claim, everywhere))
    if found.fails:
        return found
    return verdicts.undecided(claim, where.reason, found.notes)


def judged(claim: Claim, attempt: Attempt, where: Somewhere) -> Verdict:
    """Returns PROVED, or FAILS with a counterexample at sizes or points that the proof leaves open.

    Such points are those at which entries tie, and those at which one of two functions is defined.
    """
    notes, proof, undefined = attempt.notes, attempt.proof, set[str]()
    known = attempt if attempt.beyond is None else attempt.beyond
    for there in _claims_beyond(claim, attempt):
        if _is_told(known, there):
            where_told = known
        else:
            where_told = untraced(there, known.why)
        try:
            found = searched(there.within(BEYOND_SECONDS, BEYOND_SHARE), where_told)
        except (ShapeError, TargetError) as error:  # not a valid function there
            where_not = ", ".join(
                f"{n} in {low}..{high}" for n, (low, high) in there.ranges.items()
            )
            notes = (*notes, f"not tried at {where_not}: {error.message}")
            undefined.update(n for n, (low, _) in attempt.spans.items() if there.ranges[n][1] < low)
            continue
        if found.fails:
            return found
    if attempt.points and not claim.generic:
        known, there = at_all_sizes(claim, known), replace(claim, ranges=_from(attempt, claim))
        if known.rests_on_ties or attempt.takes_eigenvectors:  # only calls show the results there
            known = replace(untraced(claim, known.why, NOT_TOLD), compared=known.compared)
        found = searched(
            there.within(TIED_SECONDS), known, most=MOST_COINCIDENT, coincidences="only"
        )
        if found.fails:
            elsewhere = verdicts.proved(claim, attempt, where, notes, undefined)
            return replace(found, points=attempt.points, elsewhere=elsewhere)
    if isinstance(proof, IdentityProof) and not proof.same_domain:
        known = replace(at_all_sizes(claim, known), why="equal only where both are defined")
        other = _one_sided(claim, known)
        if other is not None:
            return other
        notes = (*notes, *lone_poles(claim, [t.program for t in attempt.traces]))
    return verdicts.proved(claim, attempt, where, notes, undefined)


def _from(attempt: Attempt, claim: Claim) -> dict[str, tuple[int, int]]:
    """Raises the sizes of a claim so that k of n entries can tie, after a proof for n >= k."""
    found = dict(claim.ranges)
    for name, (least, _) in attempt.spans.items():
        low, high = found.get(name, (1, least + 2))
        if least > low:
            found[name] = min(least + 1, high), high
    return found


def _is_told(known: Attempt, there: Claim) -> bool:
    """Checks whether the Programs equal the functions at all sizes of a claim."""
    pairs = [
        (there.ranges.get(n, (1, 1)), span) for t in known.traces for n, span in t.spans.items()
    ]
    return all(
        low <= least and (high is None or most <= high) for (least, most), (low, high) in pairs
    )


def _one_sided(claim: Claim, attempt: Attempt) -> Verdict | None:
    """Searches for a point at which only one of two functions is defined.

    Returns FAILS with that point, the verdict so far if the time is over, or None. Small sizes come
    first, with all their structured points, zeros among them.

    Small sizes come first, with all their structured points, zeros among them.
    """
    short = claim.within(DOMAIN_SECONDS)
    near = {n: (low, min(low + 1, high)) for n, (low, high) in _spans(claim).items()}
    close = replace(short, ranges=near)
    small, result = looked(close, attempt, most=_points(close, attempt))
    if small.fails or (result and not result.is_structured and time.monotonic() > claim.deadline):
        return small
    found = searched(short, attempt, most=_points(claim, attempt))
    if found.fails:
        return found
    return None


def _points(claim: Claim, attempt: Attempt) -> int:
    """Returns the number of points to compute, from the question alone and never the clock."""
    top = {n: high for n, (_, high) in claim.search_sizes().items()}
    shapes = [n.shape for t in attempt.traces for n in t.program.nodes]
    work = sum(prod(s.value(top) for s in shape) for shape in shapes)
    return max(LEAST_POINTS, min(MOST_POINTS, DOMAIN_WORK // max(1, work)))


def _spans(claim: Claim) -> dict[str, tuple[int, int]]:
    """Returns the ranges of sizes of a claim; those without a range run up to 2."""
    return {n: span for n, span in claim.search_sizes(2).items() if n not in claim.pins}


def _claims_beyond(claim: Claim, attempt: Attempt) -> Iterator[Claim]:
    """Yields the claim just outside each range of a proof, at small other sizes, if it is cheap."""
    shapes = [(n.shape, MOST_BEYOND) for t in attempt.traces for n in t.program.nodes]
    shapes += [(shape, MOST_GIVEN) for t in attempt.traces for _, shape in t.program.inputs]
    for name, (least, limit) in attempt.spans.items():
        ranges = {n: (low, min(low + 1, high)) for n, (low, high) in _spans(claim).items()}
        if least > claim.ranges.get(name, (1, 1))[0]:
            yield replace(
                claim, ranges={**ranges, name: (claim.ranges.get(name, (1, 1))[0], least - 1)}
            )
        if limit is None:
            continue
        low, high = claim.ranges.get(name, (1, limit + 2))
        ranges[name] = max(low, limit + 1), min(high, max(low, limit + 1) + 1)
        top = {**{n: high for n, (_, high) in ranges.items()}, **claim.pins}
        fits = all(prod(s.value(top) for s in shape) <= most for shape, most in shapes)
        if ranges[name][0] <= ranges[name][1] and fits:
            yield replace(claim, ranges=ranges)
