"""How work on a claim ends: with a verdict, in time, whatever the target does and whatever goes wrong here.

The budget is kept by the limits of `eqvproof.support.deadline`, and where only the end of a process
helps, by doing the work in a copy of this one. An exception that no code expected is a mistake of
ours and no answer: the claim is undecided then, or what else was found is said
(`eqvproof.support.apart`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from eqvproof.engines.claim import Claim
from eqvproof.engines.domain_door import require_answer
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.verdicts import undecided
from eqvproof.support.apart import Lost, answered, leave
from eqvproof.support.writing import seconds
from eqvproof.tracing.framework import FrameworkTarget
from eqvproof.tracing.observing.endless import surely_returns

_T = TypeVar("_T")


def judged(engine: Callable[[Claim], Verdict], claim: Claim) -> Verdict:
    """What an engine says about a claim by its deadline.

    Args:
        engine: from a claim to a verdict.
        claim: the claim.

    Raises:
        EqvproofError: bad input.
    """
    start = time.monotonic()
    try:
        return kept(partial(_asked, engine, claim), claim)
    except Lost as end:
        if end.found is None:
            taken = seconds(time.monotonic() - start)
            return undecided(claim, f"nothing was found in {taken} seconds: {end.how}")
        verdict: Verdict = end.found
        return replace(verdict, notes=(*verdict.notes, f"{end.how}; this had been found before"))


def _asked(engine: Callable[[Claim], Verdict], claim: Claim) -> Verdict:
    """What an engine says, after the domain has answered about one point."""
    require_answer(claim)
    return engine(claim)


def kept(work: Callable[[], _T], claim: Claim) -> _T:
    """What some work on a claim finds by its deadline.

    Raises:
        Lost: see `eqvproof.support.apart`.
    """
    targets = [f.target if isinstance(f, FrameworkTarget) else f for f in claim.functions]

    def safely() -> _T:
        if not surely_returns(*targets, claim.domain, claim.reps):
            leave()
        return work()

    return answered(safely, claim.deadline, may_leave=_may_leave(claim))


def _may_leave(claim: Claim) -> bool:
    """Whether a copy of this process can do the work: threads, and what a device holds, are not copied."""
    if claim.executor is not None:
        return False
    frameworks = {f.framework.name for f in claim.functions if isinstance(f, FrameworkTarget)}
    torch: Any = sys.modules.get("torch")
    has_device = torch is not None and torch.cuda.is_initialized()
    return "JAX" not in frameworks and not ("torch" in frameworks and has_device)
