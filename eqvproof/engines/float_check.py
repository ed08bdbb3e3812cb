"""A first look in floats: whether a claim is plainly wrong, so that a counterexample is searched first.

Nothing rests on it. Where it sees a large residual the pipeline searches before it decides, which saves the
time of a decision that cannot succeed; where it sees none, or is mistaken, all engines run in their order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from eqvproof.deadline import TimeIsUp
from eqvproof.engines.search.elements import random_moves
from eqvproof.errors import EqvproofError
from eqvproof.evaluate import evaluate_float
from eqvproof.frontends.samples import make_inputs
from eqvproof.groups import Element, act, act_on_argument

if TYPE_CHECKING:
    from eqvproof.engines.claim import Claim
    from eqvproof.frontends import Trace

#: Relative residuals above this are no rounding.
LARGE = 1e-3
#: Points looked at, each at sizes of its own.
POINTS = 4


def is_plainly_wrong(claim: Claim, trace: Trace) -> bool:
    """Whether f(g x) is far from g f(x) at one of a few random points, in floats.

    Args:
        claim: the claim.
        trace: the Program of its function.

    **Exactness**: float64; a hint only.
    """
    if claim.domain is not None:
        return False
    rng = random.Random(claim.seed)
    for sizes in _sizes(claim):
        try:
            if any(_is_large(claim, trace, sizes, element, rng) for element in _elements(claim, sizes, rng)):
                return True
        except TimeIsUp:
            raise
        except (EqvproofError, ArithmeticError, ValueError, np.linalg.LinAlgError):
            continue
    return False


def _sizes(claim: Claim) -> Iterator[dict[str, int]]:
    for k in range(POINTS):
        sizes = {}
        for j, (name, span) in enumerate(claim.search_sizes().items()):
            low, high = (span, span) if isinstance(span, int) else span
            sizes[name] = max(low, min(high, 2 + (j * k + k) % 3))
        yield sizes


def _elements(claim: Claim, sizes: Mapping[str, int], rng: random.Random) -> Iterator[Element]:
    for move in random_moves(claim.group, sizes, rng):
        yield from (element for element in move if not element.is_identity)


def _is_large(
    claim: Claim, trace: Trace, sizes: Mapping[str, int], element: Element, rng: random.Random
) -> bool:
    signature = claim.signature
    chance = np.random.default_rng(rng.getrandbits(32))
    given = make_inputs(signature, dict(sizes), "normal", chance)
    point = {name: x.astype(np.float64) for name, x in given.items()}
    moved = {
        a.name: np.asarray(act_on_argument(element, point[a.name], a, sizes), dtype=np.float64)
        for a in signature.inputs
    }
    opaque = dict(trace.opaques)
    with np.errstate(all="ignore"):
        before = np.asarray(evaluate_float(trace.program, point, dict(sizes), opaque=opaque))
        left = np.asarray(evaluate_float(trace.program, moved, dict(sizes), opaque=opaque))
    everything = {**sizes, **signature.output_sizes(list(before.shape), sizes)}
    right = np.asarray(act(element, before, signature.output, everything), dtype=np.float64)
    both = np.isfinite(left) & np.isfinite(right)
    if not both.any():
        return False
    scale = max(1.0, float(np.abs(right[both]).max()))
    return bool(np.abs(left[both] - right[both]).max() > LARGE * scale)
