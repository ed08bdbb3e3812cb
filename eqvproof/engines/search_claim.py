"""Stage `search` of a claim: sets up and starts the search of `engines/search`, returns `Searched`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import prod
from typing import TYPE_CHECKING, Literal

import numpy as np

from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import (
    KnownPrograms,
    Traced,
    by_calls,
)
from eqvproof.engines.search import MAX_POINTS, Doubt, SearchResult
from eqvproof.engines.verdict import Verdict
from eqvproof.programs.evaluate.opaque import functions_without_values
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import ErrorCode, ShapeError, TargetError
from eqvproof.tracing.rounding import is_continuous, is_singular
from eqvproof.tracing.run import run
from eqvproof.tracing.samples import make_inputs

if TYPE_CHECKING:
    from eqvproof.engines.search import Acts, Number, Subject

Exceptional = Literal["", "first", "only"]
#: Largest number of comparisons of Programs that depend on the order of equal entries.
MOST_WITH_TIES = 400
#: Largest share of the time for a search; less if functions are called, which never ends by itself.
SEARCH_SHARE, CALLED_SHARE = 0.9, 0.8
#: Largest number of entries of inputs.
MOST_ENTRIES = 2**30
#: Largest share of the time for a first call.
ONE_CALL_SHARE = 0.2
#: Limits of a search for a point at which only one side is defined: number of entries computed,
#: largest and least numbers of points.
DOMAIN_WORK, MOST_POINTS, LEAST_POINTS = 150_000, 1500, 200
#: Doubt after a counterexample that calls do not show.
OTHER_VALUES = (
    "at a counterexample of what was traced, calls of the function give other values than the trace"
)
#: The result of a search that did not start.
NOTHING_TRIED = SearchResult(None, 0)


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search.

    Attributes:
        programs: the Programs with which it computed, or functions that it called.
        result: the counterexample, if one was found, and counts of the comparisons.
        subjects: the functions in the form in which they were compared.
        obstacle: the uninterpreted functions without an example, which prevented the search.
    """

    programs: KnownPrograms
    result: SearchResult = NOTHING_TRIED
    subjects: Sequence[Subject] = ()
    obstacle: str = ""

    @property
    def refutes(self) -> bool:
        """Checks whether a counterexample was found."""
        return self.result.found is not None and not self.result.nondeterministic


def search(
    claim: Claim,
    known: KnownPrograms,
    tell: Callable[[Searched], Verdict],
    *,
    acts: Acts | None = None,
    most: int | None = None,
    exceptional: Exceptional = "",
    decided: Sequence[Mapping[str, int]] = (),
) -> Searched:
    """Searches for a counterexample.

    Args:
        claim: the claim.
        known: its Programs.
        tell: makes the verdict from the search so far, if the process is ended before its end.
        acts: the functions by which elements act, if any.
        most: largest number of comparisons; None for that of every search.
        exceptional: whether points with equal entries or eigenvalues are tried first, or
            no others.
        decided: sizes at which the claim is known to hold, which are only probed.
    """
    obstacle = _unknown_functions(known)
    if obstacle:
        return Searched(known, obstacle=obstacle)
    subjects = subjects_of(claim, known)
    if all(s.is_black_box for s in subjects):
        part = CALLED_SHARE
    else:
        part = SEARCH_SHARE
    few = MAX_POINTS
    if most is not None:
        few = min(few, most)
    if known.rests_on_ties:
        few = min(few, MOST_WITH_TIES)
    given = {*claim.pins, *claim.ranges} - claim.open_ended
    compared = known.compared
    from eqvproof.engines.search.exceptional_tests import watched

    first: Exceptional = "first" if any(map(watched, compared)) and not claim.generic else ""
    least = [low for low, _ in known.spans.values()]
    from eqvproof.engines.search import Limits, find_counterexample, find_difference, mine_constants

    limits = Limits(
        sizes=claim.search_sizes(),
        seed=claim.seed,
        deadline=claim.moment(part),
        spare=(1 - part) * (claim.deadline - time.monotonic()),
        max_points=few,
        domain=claim.domain,
        constants=[*least, *(c for f in claim.functions for c in mine_constants(f))],
        executor=claim.executor,
        acts=acts,
        decided=tuple(decided),
        tell=lambda result: tell(Searched(known, result, subjects)),
        unbounded=[n for n in claim.signature.input_names if n not in given],
        exceptional=exceptional or first,
        compared=compared,
        generic=compared if claim.generic else None,
    )
    if claim.is_identity:
        found = find_difference(subjects[0], subjects[1], claim.signature, limits)
    else:
        found = find_counterexample(subjects[0], claim.signature, claim.group, limits)
    return Searched(known, found, subjects)


def is_contradicted(claim: Claim, found: Searched, acts: Acts | None = None) -> bool:
    """Checks whether calls at a counterexample give other values than the traced Programs."""
    point = found.result.found
    if point is None or not isinstance(found.programs, Traced):
        return False
    from eqvproof.engines.search.confirm import contradicts_calls
    from eqvproof.engines.search.sides import claim_sides_of

    called = subjects_of(claim, by_calls(claim, found.programs))
    by_programs, calls = (
        claim_sides_of(subjects, claim.signature, claim.group, acts)
        for subjects in (found.subjects, called)
    )
    chooses = not all(is_continuous(t.program) for t in found.programs.traces)
    return contradicts_calls(point, by_programs, calls, chooses=chooses)


def with_doubt(found: Searched) -> Searched:
    """Returns a search after which calls contradicted the Programs: it leaves the claim open."""
    doubts = {Doubt.OTHER_VALUES: OTHER_VALUES, **found.result.doubts}
    notes = (*found.result.notes, OTHER_VALUES)
    return replace(found, result=replace(found.result, notes=notes, doubts=doubts))


def require_typed(claim: Claim, choices: Sequence[Mapping[str, int]]) -> None:
    """Checks that the functions return an array as declared at one of some sizes.

    Errors that may be due to the numbers drawn, such as a division by 0, do not count.

    Raises:
        TargetError, ShapeError: the error of a function at the first of these sizes.
        MemoryError: the inputs are too large.
    """
    first: TargetError | ShapeError | None = None
    try:
        for sizes in choices:
            error = _error_at(claim, sizes)
            if error is None or error.code == ErrorCode.TARGET_STATE:  # the search reports that
                return
            first = first or error
    except TimeIsUp:
        return
    if (
        first is None
        or isinstance(first.__cause__, ArithmeticError)
        or is_singular(first.__cause__)
    ):
        return
    from eqvproof.engines.failing_sizes import clearer_error

    try:
        first = clearer_error(claim, first, partial(_error_at, claim))
    except (TimeIsUp, MemoryError):
        pass  # the error stays as it is
    raise first


def _error_at(claim: Claim, sizes: Mapping[str, int]) -> TargetError | ShapeError | None:
    """Calls the functions at some sizes; returns the error of the first that fails.

    Raises:
        MemoryError: the inputs are too large.
        TimeIsUp: a call takes too long.
    """
    from eqvproof.engines.search.sizes import entries_of

    if entries_of(claim.signature, sizes) > MOST_ENTRIES:
        raise MemoryError
    try:
        with until(claim.moment(ONE_CALL_SHARE)):
            drawn = make_inputs(claim.signature, dict(sizes), "positive", np.random.default_rng(0))
            # a table may lack entries at some positions, but not at the first one
            inputs = {n: np.zeros_like(a) if a.dtype.kind == "i" else a for n, a in drawn.items()}
            for function in claim.functions:
                run(function, claim.signature, inputs, sizes)
    except (TargetError, ShapeError) as error:
        return error
    return None


def points_to_try(claim: Claim, known: KnownPrograms) -> int:
    """Returns the number of points at which definedness is compared, from the work of each."""
    top = {n: high for n, (_, high) in claim.search_sizes().items()}
    shapes = [n.shape for t in known.traces for n in t.program.nodes]
    work = sum(prod(s.value(top) for s in shape) for shape in shapes)
    return max(LEAST_POINTS, min(MOST_POINTS, DOMAIN_WORK // max(1, work)))


# -- parts ---------------------------------------------------------------------------------------
def subjects_of(claim: Claim, known: KnownPrograms) -> Sequence[Subject]:
    """Returns the functions of a claim in the form in which they are compared."""
    literal, written = claim.literal, _written(claim)
    from eqvproof.engines.search import CalledSubject, ProgramSubject

    if isinstance(known, Traced):
        return [
            ProgramSubject(t.program, t.opaques, literal=literal, lines=t.lines, written=written)
            for t in known.traces
        ]
    return [CalledSubject(reader, literal=literal, written=written) for reader in known.readers]


def _written(claim: Claim) -> Callable[[], frozenset[Number]]:
    """Returns a function that collects the numbers in the code of the functions, once."""
    from eqvproof.engines.search import written_numbers

    @cache
    def found() -> frozenset[Number]:
        return frozenset(
            number for function in claim.functions for number in written_numbers(function)
        )

    # it can be sent to workers
    return found if claim.executor is None else partial(frozenset, found())


def _unknown_functions(known: KnownPrograms) -> str:
    """Names the uninterpreted functions without an example, which prevent a search; "" if none."""
    names = [name for t in known.traces for name in functions_without_values(t.program, t.opaques)]
    return ", ".join(dict.fromkeys(names))
