"""Runs engines within their budget: every claim gets a verdict by its deadline.

The limits of `eqvproof.support.deadline` enforce the budget; if only the end of a process helps,
the work runs in a fork of this one. An unexpected exception is an internal error and shows nothing:
the claim is undecided then, or an earlier result is returned (`eqvproof.support.forked_work`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from eqvproof.engines.check_domain import require_valid_domain
from eqvproof.engines.claim import Claim
from eqvproof.engines.conclude import undecided
from eqvproof.engines.verdict import Verdict
from eqvproof.support.forked_work import Lost, continue_in_copy, run_until
from eqvproof.support.writing import seconds
from eqvproof.tracing.libraries import library_name, source_of
from eqvproof.tracing.observing.endless import surely_returns

_T = TypeVar("_T")


def run_with_budget(engine: Callable[[Claim], Verdict], claim: Claim) -> Verdict:
    """Runs an engine on a claim and returns its verdict by the deadline.

    Args:
        engine: maps a claim to a verdict.
        claim: the claim.

    Raises:
        EqvproofError: bad input.
    """
    start = time.monotonic()
    try:
        return run_by_deadline(partial(_with_valid_domain, engine, claim), claim)
    except Lost as end:
        if end.found is None:
            taken = seconds(time.monotonic() - start)
            return undecided(claim, f"nothing was found in {taken} seconds: {end.how}")
        verdict: Verdict = end.found
        return replace(verdict, notes=(*verdict.notes, f"{end.how}; this had been found before"))


def _with_valid_domain(engine: Callable[[Claim], Verdict], claim: Claim) -> Verdict:
    """Calls the domain at one point, then runs an engine."""
    require_valid_domain(claim)
    return engine(claim)


def run_by_deadline(work: Callable[[], _T], claim: Claim) -> _T:
    """Runs some work on a claim, forked if needed, and returns its result by the deadline.

    Raises:
        Lost: see `eqvproof.support.forked_work`.
    """
    functions = claim.functions
    targets = [source_of(f) for f in functions]
    may_leave = claim.executor is None and _may_leave(functions)

    def safely() -> _T:
        if not surely_returns(*targets, claim.domain, claim.reps):
            continue_in_copy()
        return work()

    return run_until(safely, claim.deadline, may_leave=may_leave)


def _may_leave(functions: Sequence[Callable[..., Any]]) -> bool:
    """Checks whether a fork can call functions: threads, and memory on a device, are not copied."""
    frameworks = {library_name(f) for f in functions}
    torch: Any = sys.modules.get("torch")
    has_device = torch is not None and torch.cuda.is_initialized()
    return "JAX" not in frameworks and not ("torch" in frameworks and has_device)
