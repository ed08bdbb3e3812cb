"""A quick test in floats whether a claim is plainly wrong, so that a counterexample comes first.

No verdict depends on it. If it sees a large residual the pipeline searches before it decides, which
saves the time of a decision that cannot succeed; if it sees none, or is mistaken, all engines run
in their order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from eqvproof.engines.search import ProgramSubject
from eqvproof.engines.search.elements import Move, random_moves
from eqvproof.engines.search.sides import ClaimSides, Equivariance, Trial
from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.samples import make_inputs

if TYPE_CHECKING:
    from eqvproof.engines.claim import Claim
    from eqvproof.tracing.trace import Trace

#: Relative residuals above this are not explained by rounding.
LARGE = 1e-3
#: Number of points tried, each at sizes of its own.
POINTS = 4


def is_plainly_wrong(claim: Claim, trace: Trace) -> bool:
    """Checks whether f(g x) is far from g f(x) at one of a few random points, in floats.

    Args:
        claim: the claim.
        trace: the Program of its function.

    **Exactness**: float64; a hint only.
    """
    if claim.domain is not None:
        return False
    rng = random.Random(claim.seed)
    question = Equivariance(
        ProgramSubject(trace.program, trace.opaques), claim.signature, claim.group
    )
    for sizes in _sizes(claim):
        try:
            if is_far(question, sizes, rng):
                return True
        except TimeIsUp:
            raise
        except (EqvproofError, ArithmeticError, ValueError, np.linalg.LinAlgError):
            continue
    return False


def _sizes(claim: Claim) -> Iterator[dict[str, int]]:
    for k in range(POINTS):
        spans = enumerate(claim.search_sizes().items())
        yield {name: min(high, low + 1 + (j * k + k) % 3) for j, (name, (low, high)) in spans}


def is_far(question: ClaimSides, sizes: dict[str, int], rng: random.Random) -> bool:
    """Checks whether the sides are far apart at random points, for a random element per factor."""
    return any(
        _is_large(question, sizes, move, rng) for move in random_moves(question.group, sizes, rng)
    )


def _is_large(question: ClaimSides, sizes: dict[str, int], move: Move, rng: random.Random) -> bool:
    chance = np.random.default_rng(rng.getrandbits(32))
    point = make_inputs(question.signature, sizes, "normal", chance)
    left, right, _ = question.float_sides(Trial(sizes, point, move), point)
    both = np.isfinite(left) & np.isfinite(right)
    if not both.any():
        return False
    scale = max(1.0, float(np.abs(right[both]).max()))
    return bool(np.abs(left[both] - right[both]).max() > LARGE * scale)
