"""Answers a call of the API: reads its claims, judges them by a deadline, joins the verdicts.

The work itself stands in `judge.py`. Around it stand here, once, the loop over the results of a
function, which share the time, and for each of them the deadline, the fork for calls that may not
return, and the state of the process that is left as it was found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from typing import Any

from eqvproof.claims.signature.forms import Form
from eqvproof.engines import conclude, judge
from eqvproof.engines.check_domain import require_valid_domain
from eqvproof.engines.claim import Claim
from eqvproof.engines.detect_backend import judge_with_backend
from eqvproof.engines.guards import run_by_deadline, run_with_budget
from eqvproof.engines.options import CheckOptions
from eqvproof.engines.read_call import NO_GROUP, read_call
from eqvproof.engines.verdict import Grade, Verdict
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.forked_work import Lost, keep_partial_result, run_or_substitute
from eqvproof.support.writing import seconds
from eqvproof.tracing.observing.restore_process import left_as_found

#: Largest share of the time, and seconds, for a first pass over all results of a refutation.
LOOK_SHARE, LOOK_SECONDS = 0.1, 1.0


class Question(Enum):
    """The questions that the public calls ask about a claim."""

    CHECK = auto()
    CHECK_FLOATS = auto()
    PROVE = auto()
    DECIDE = auto()
    REFUTE = auto()


def _check_floats(claim: Claim) -> Verdict:
    from eqvproof.engines.floats import check_floats

    return check_floats(claim)


_ENGINES: Mapping[Question, Callable[[Claim], Verdict]] = {
    Question.CHECK: judge.check,
    Question.CHECK_FLOATS: _check_floats,
    Question.PROVE: judge.prove_only,
    Question.DECIDE: judge.decide_only,
    Question.REFUTE: judge.refute,
}


def verdict_on(
    question: Question,
    functions: tuple[Callable[..., Any], ...],
    signature: str | None,
    under: Any,
    options: CheckOptions,
) -> Verdict:
    """Returns the verdict on a call, with the time it took; results share the time.

    Args:
        question: what is asked about the claim.
        functions: one function, or two whose equality is claimed.
        signature: the typing.
        under: the group; `NO_GROUP` for a question without one.
        options: all options.
    """
    start = time.monotonic()
    form, claims = read_call(functions, signature, under, options)
    engine = _ENGINES[question]

    def one(claim: Claim) -> Verdict:
        return judge_with_backend(
            claim,
            partial(run_with_budget, engine),
            is_given=options["backend"] is not None,
        )

    with left_as_found():
        if question is Question.REFUTE and len(claims) > 1:
            verdicts = refute_each(one, claims)
        else:
            parts = len(claims)
            verdicts = [one(with_share(c, parts - k)) for k, c in enumerate(claims)]
    whole = _joint(form, verdicts)
    return replace(whole, seconds=time.monotonic() - start)


def with_share(claim: Claim, parts: int, most: float = float("inf")) -> Claim:
    """Returns a claim with its share of the time left, as the first of some claims in turn.

    The first of several has twice the share of another: libraries do their initial work there.
    At most `most` seconds are shared.
    """
    now = time.monotonic()
    return replace(claim, deadline=now + min(claim.deadline - now, most) * 2 / (parts + 1))


def refute_each(
    refute: Callable[[Claim], Verdict], claims: Sequence[Claim], most: float = LOOK_SECONDS
) -> list[Verdict]:
    """Returns verdicts on all results; tries each briefly before any gets its full time.

    One that fails is an answer, and a result that is right uses all the time it is given.
    """
    found: dict[int, Verdict] = {}
    for left in (min(most, LOOK_SHARE * claims[0].seconds_left), float("inf")):
        for number, claim in enumerate(claims):
            verdict = refute(with_share(claim, len(claims) - number, left))
            if verdict.fails or number not in found:
                found[number] = verdict
        if any(v.fails and v.grade is not Grade.OBSERVED for v in found.values()):
            break
    return list(found.values())


def verdicts_on_every_group(
    function: Callable[..., Any], signature: str | None, options: CheckOptions
) -> list[Verdict]:
    """Returns a verdict for every supported group on every axis, those that hold first."""
    from eqvproof.engines.symmetries import claims_of_every_group, sort_by_outcome

    form, claims = read_call((function,), signature, NO_GROUP, options)
    found: list[dict[str, Verdict]] = []
    with left_as_found():
        for number, claim in enumerate(claims):
            verdicts = _every_group(with_share(claim, len(claims) - number))
            found.append({v.under: v for v in verdicts})
    unders = [c.under for c in claims_of_every_group(claims[0])]
    joined = [
        _joint(form, [verdicts[under] for verdicts in found])
        for under in unders
        if all(under in verdicts for verdicts in found)
    ]
    return sort_by_outcome(joined)


def _every_group(claim: Claim) -> list[Verdict]:
    """Returns the verdicts on every group, which share the time of a claim."""
    from eqvproof.engines.symmetries import claims_of_every_group, sort_by_outcome

    claims = claims_of_every_group(claim)
    found: list[Verdict] = []

    def one(claim: Claim) -> Verdict:
        start = time.monotonic()
        try:
            with until(claim.deadline):
                return run_or_substitute(
                    lambda: judge.strongest(claim), lambda why: conclude.undecided(claim, why)
                )
        except TimeIsUp:
            share = seconds(claim.deadline - start)
            why = f"{share} seconds were up before anything was found"
            return conclude.undecided(claim, why)

    def work() -> list[Verdict]:
        require_valid_domain(claim)
        for number, each in enumerate(claims):
            found.append(one(with_share(each, len(claims) - number)))
            keep_partial_result(lambda: found)
        return found

    try:
        found = run_by_deadline(work, claim)
    except Lost as end:
        found = end.found or []
    late = "the time ran out before this group was tried"
    rest = [conclude.undecided(each, late) for each in claims[len(found) :]]
    return sort_by_outcome([*found, *rest])


def _joint(form: Form, verdicts: Sequence[Verdict]) -> Verdict:
    """Returns the verdict on a call, from those on its results."""
    if form.is_plain:
        return replace(verdicts[0], signature=str(form))
    from eqvproof.engines.several_results import join

    return join(form, verdicts)
