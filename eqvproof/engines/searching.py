"""Searches for counterexamples to a claim.

They use the Programs of the claim if there are such, else its functions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Literal

import numpy as np

from eqvproof.engines import verdicts
from eqvproof.engines.all_sizes import Attempt, share, untraced
from eqvproof.engines.claim import Claim
from eqvproof.engines.search import (
    MAX_POINTS,
    Acts,
    CalledSubject,
    Limits,
    Number,
    ProgramSubject,
    SearchResult,
    Subject,
    find_counterexample,
    find_difference,
    mine_constants,
    written_numbers,
)
from eqvproof.engines.search.exceptional_points import watched
from eqvproof.engines.search.sizes import entries_of
from eqvproof.engines.verdict import Verdict
from eqvproof.programs.evaluate.opaque import without_values
from eqvproof.support.deadline import TimeIsUp, overtime, until
from eqvproof.support.errors import ShapeError, TargetError
from eqvproof.tracing.rounding import is_singular
from eqvproof.tracing.run import run
from eqvproof.tracing.samples import make_inputs
from eqvproof.tracing.trace import Trace

Coincidences = Literal["", "first", "only"]
#: Largest number of comparisons of Programs that depend on the order of equal entries.
MOST_WITH_TIES = 400
#: Largest share of the time for a search; less if functions are called, which never ends by itself.
SEARCH_SHARE, CALLED_SHARE = 0.9, 0.8
#: Largest number of entries of inputs.
MOST_ENTRIES = 2**30
#: Largest share of the time for a first call.
ONE_CALL_SHARE = 0.2
#: Reason to call functions in place of Programs: the order of equal entries matters.
NOT_TOLD = "what is chosen among equal entries, or equal eigenvalues, is seen by calls alone"


def _subjects(claim: Claim, attempt: Attempt) -> Sequence[Subject]:
    literal, written = claim.literal, _written(claim)
    if attempt.traces:
        return [
            ProgramSubject(t.program, t.opaques, literal=literal, lines=t.lines, written=written)
            for t in attempt.traces
        ]
    return [CalledSubject(known, literal=literal, written=written) for known in attempt.at_sizes]


def _written(claim: Claim) -> Callable[[], frozenset[Number]]:
    """Returns a function that collects the numbers in the code of the functions, once."""

    @cache
    def found() -> frozenset[Number]:
        return frozenset(
            number for function in claim.functions for number in written_numbers(function)
        )

    # it can be sent to workers
    return found if claim.executor is None else partial(frozenset, found())


def _unknown_functions(attempt: Attempt) -> str:
    """Names the uninterpreted functions without an example, which prevent a search; "" if none."""
    names = [name for t in attempt.traces for name in without_values(t.program, t.opaques)]
    if not names:
        return ""
    return f"{', '.join(dict.fromkeys(names))} has no example to compute with (give example= to opaque)"


def searched(
    claim: Claim, attempt: Attempt, acts: Acts | None = None, most: int = MAX_POINTS,
    coincidences: Coincidences = "", decided: Sequence[Mapping[str, int]] = (),
) -> Verdict:  # fmt: skip
    """Searches for a counterexample and returns the verdict; see `looked`."""
    return looked(claim, attempt, acts, most, coincidences, decided)[0]


def looked(
    claim: Claim, attempt: Attempt, acts: Acts | None = None, most: int = MAX_POINTS,
    coincidences: Coincidences = "", decided: Sequence[Mapping[str, int]] = (),
) -> tuple[Verdict, SearchResult | None]:  # fmt: skip
    """Searches for a counterexample; returns the verdict, and the search if there was one.

    Args:
        claim: the claim.
        attempt: the attempt at a proof, with the Programs.
        acts: the functions by which elements act, if any.
        most: largest number of comparisons.
        coincidences: whether points at which entries or eigenvalues coincide are tried first, or
            no others.
        decided: sizes at which the claim is known to hold, which are only probed.

    Where Programs do not determine the order of equal entries, the functions themselves are called
    as well.
    """
    obstacle = _unknown_functions(attempt)
    if obstacle:
        why = f"no point can be tried: {obstacle}; {attempt.why}"
        return verdicts.undecided(claim, why, attempt.notes), None
    subjects = _subjects(claim, attempt)

    def tell(result: SearchResult) -> Verdict:
        return verdicts.from_search(claim, attempt, result, subjects)

    if attempt.rests_on_ties:
        few = min(most, MOST_WITH_TIES)
    else:
        few = most
    least = [low for low, _ in attempt.spans.values()]
    result = _search(
        claim, subjects, acts, tell, few, least, attempt.compared, coincidences, decided
    )
    with overtime():
        found = tell(result)
    if found.fails or not attempt.rests_on_ties:
        return found, result
    by_calls = replace(untraced(claim, attempt.why, NOT_TOLD), compared=attempt.compared)
    called, again = looked(claim, by_calls, acts, most, coincidences, decided)
    is_more = again is not None and again.tried > result.tried
    if called.fails or is_more:
        return (called, again)
    return (found, result)


def require_typed(claim: Claim, choices: Sequence[Mapping[str, int]]) -> None:
    """Checks that the functions return an array as declared at one of some sizes.

    Errors that may be due to the numbers drawn, such as a division by 0, do not count.

    Raises:
        TargetError, ShapeError: the error of a function at the first of these sizes.
        MemoryError: the inputs are too large.
    """
    failures: list[TargetError | ShapeError] = []
    for sizes in choices:
        if entries_of(claim.signature, sizes) > MOST_ENTRIES:
            raise MemoryError
        try:
            with until(share(claim.deadline, ONE_CALL_SHARE)):
                drawn = make_inputs(
                    claim.signature, dict(sizes), "positive", np.random.default_rng(0)
                )
                # a table may lack entries at some positions, but not at the first one
                inputs = {
                    n: np.zeros_like(a) if a.dtype.kind == "i" else a for n, a in drawn.items()
                }
                for function in claim.functions:
                    run(function, claim.signature, inputs, sizes)
            return
        except TimeIsUp:
            return
        except (TargetError, ShapeError) as error:
            if error.code == "target.state":
                return  # the search reports it
            failures.append(error)
    cause = failures[0].__cause__
    if not isinstance(cause, ArithmeticError) and not is_singular(cause):
        raise failures[0]


def _search(
    claim: Claim,
    subjects: Sequence[Subject],
    acts: Acts | None,
    tell: Callable[[SearchResult], Verdict],
    most: int,
    least: Sequence[int],
    compared: tuple[Trace, ...],
    coincidences: Coincidences,
    decided: Sequence[Mapping[str, int]],
) -> SearchResult:
    given = {*claim.pins, *claim.ranges} - claim.open_ended
    if all(s.is_black_box for s in subjects):
        part = CALLED_SHARE
    else:
        part = SEARCH_SHARE
    limits = Limits(
        sizes=claim.search_sizes(),
        seed=claim.seed,
        deadline=share(claim.deadline, part),
        spare=(1 - part) * (claim.deadline - time.monotonic()),
        max_points=min(most, MAX_POINTS),
        domain=claim.domain,
        constants=[*least, *(c for f in claim.functions for c in mine_constants(f))],
        executor=claim.executor,
        acts=acts,
        decided=tuple(decided),
        tell=tell,
        unbounded=[n for n in claim.signature.input_names if n not in given],
        coincidences=coincidences
        or ("first" if any(map(watched, compared)) and not claim.generic else ""),
        compared=compared,
        generic=compared if claim.generic else None,
    )
    if claim.is_identity:
        return find_difference(subjects[0], subjects[1], claim.signature, limits)
    return find_counterexample(subjects[0], claim.signature, claim.group, limits)
