"""Checks a claim bit by bit on the floats of the function as it runs: `check_floats`.

Permutations, shifts and sign flips act on floats without rounding, so ``f(g x)`` and ``g f(x)`` can
be compared bit for bit (a NaN equals a NaN). Most programs fail at sums, whose order shows in the
last bits.
"""

from __future__ import annotations

import platform
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.claims.domain_answers import allows
from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.claims.groups import Group, act_all, act_on_point
from eqvproof.claims.groups.families import letters
from eqvproof.engines.conclude import at_sizes, undecided
from eqvproof.engines.scope import smallest_first
from eqvproof.engines.search import FoundCounterexample
from eqvproof.engines.search.elements import Move, random_moves, simple_moves
from eqvproof.engines.verdict import Counterexample, Grade, Outcome, Verdict
from eqvproof.numbers import to_fractions
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import EqvproofError, GroupError
from eqvproof.support.forked_work import keep_partial_result
from eqvproof.tracing.run import run
from eqvproof.tracing.samples import make_inputs

if TYPE_CHECKING:
    from eqvproof.engines.claim import Claim

Inputs = dict[str, np.ndarray[Any, Any]]
#: The sizes of each comparison made.
Tried = list[dict[str, int]]
#: Sizes at which summation by blocks or by pairs changes its order.
TELLING = (1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 130)
#: Largest number of combinations of sizes that are compared, spread over all combinations.
MOST_SIZES = 60
POINTS = 6
ELEMENTS = 4
DEVICE = f"on {platform.machine()}, NumPy {np.__version__}"


def check_floats(claim: Claim) -> Verdict:
    """Compares f(g x) with g f(x) bit by bit: FAILS at the smallest sizes that differ, or TESTED.

    UNDECIDED if no point could be compared.

    Raises:
        GroupError: the elements of the group round when they act on floats.
        EqvproofError: the domain is a Hypothesis strategy.
    """
    exact = letters(lambda family: not family.kind.rounds)
    for factor in claim.group.factors:
        if factor.kind.rounds:
            raise GroupError(
                f"{factor} does not act on floats without rounding",
                given=f'about="floats" under {claim.under}',
                expected="permutations, shifts or sign flips: " + exact,
                hint="leave about= out: claims about the reals are exact for every group",
                code="group.floats",
            )
    if is_strategy(claim.domain):
        raise EqvproofError(
            'a Hypothesis strategy is no domain of a claim about="floats"',
            given=repr(claim.domain), expected="a function that says whether a point counts",
            code="domain.floats", hint='give domain= a function of the arrays',
        )  # fmt: skip
    tried: Tried = []
    why = "the result was never finite"
    try:
        with until(claim.deadline):
            found = _first_difference(claim, tried)
    except TimeIsUp:
        found, why = None, "the time ran out"
    if found is None and not tried:
        return undecided(claim, f"no point could be compared: {why}")
    if found is None:
        return _tested(claim, tried)
    return found


def _tested(claim: Claim, tried: Tried) -> Verdict:
    reason = f"equal bit for bit in {len(tried)} comparisons {DEVICE}, and nothing more is claimed"
    sizes = [dict(pairs) for pairs in dict.fromkeys(tuple(at.items()) for at in tried)]
    return at_sizes(claim, Outcome.HOLDS, Grade.TESTED, sizes, reason)


def _first_difference(claim: Claim, tried: Tried) -> Verdict | None:
    """Returns FAILS at the first difference, UNDECIDED if equal calls differ, or None."""
    rng, signature = random.Random(claim.seed), claim.signature
    for sizes in _sizes_to_try(claim):
        for inputs in _points(claim, sizes, rng):
            if not _is_allowed(claim, inputs):
                continue
            first = _value(claim, inputs, sizes)
            if not _are_equal_floats(first, _value(claim, inputs, sizes)):
                return undecided(claim, "two calls with equal arguments returned different results")
            if not np.isfinite(first).any():
                continue
            known = signature.output_sizes(first.shape, sizes)
            for move in _moves(claim.group, sizes, rng):
                moved = act_on_point(move, inputs, signature, sizes)
                if not _is_allowed(claim, moved):
                    continue
                left, right = (
                    _value(claim, moved, sizes),
                    act_all(move, first, signature.output, known),
                )
                tried.append(sizes)
                if not _are_equal_floats(left, right):
                    entry = tuple(int(i) for i in np.argwhere(_differ(left, right))[0])
                    left, right, at = (a.astype(object) for a in (left, right, first))
                    given = {n: a.astype(object) for n, a in inputs.items()}
                    found = FoundCounterexample(sizes, given, move, left, right, entry, "float", at)
                    return _fails(claim, found, {n: a.astype(object) for n, a in moved.items()})
        keep_partial_result(lambda: _tested(claim, tried))
    return None


def _fails(claim: Claim, found: FoundCounterexample, moved: Inputs) -> Verdict:
    reason = f"the two sides differ in their bits, {DEVICE}; this says nothing about the reals"
    verdict = at_sizes(claim, Outcome.FAILS, Grade.OBSERVED, [dict(found.sizes)], reason)
    shown = Counterexample(
        found.sizes,
        found.inputs,
        found.element_data(),
        found.left,
        found.right,
        found.entry,
        found.words,
        moved=moved,
    )
    return replace(verdict, counterexample=shown)


def _sizes_to_try(claim: Claim) -> list[dict[str, int]]:
    spans = claim.search_sizes(max(TELLING)).items()
    found = smallest_first(
        {n: [s for s in TELLING if low <= s <= high] or [low] for n, (low, high) in spans}
    )
    if len(found) <= MOST_SIZES:
        return found
    return found[:: len(found) // MOST_SIZES + 1]


def _points(claim: Claim, sizes: Mapping[str, int], rng: random.Random) -> Iterator[Inputs]:
    chance = np.random.default_rng(rng.getrandbits(32))
    for number in range(POINTS):
        yield make_inputs(
            claim.signature, dict(sizes), "normal" if number < POINTS // 2 else "wide", chance
        )


def _is_allowed(claim: Claim, inputs: Inputs) -> bool:
    """Checks whether a point is in the domain, which is called with exact numbers."""
    if claim.domain is None:
        return True
    exact = {
        n: to_fractions(a) if a.dtype.kind == "f" else a.astype(object) for n, a in inputs.items()
    }
    return allows(claim.domain, exact)


def _moves(group: Group, sizes: Mapping[str, int], rng: random.Random) -> list[Move]:
    more = (move for _ in range(ELEMENTS) for move in random_moves(group, sizes, rng))
    return [*simple_moves(group, sizes, ELEMENTS), *more]


def _value(claim: Claim, inputs: Inputs, sizes: Mapping[str, int]) -> np.ndarray[Any, Any]:
    value = np.asarray(run(claim.function, claim.signature, inputs, dict(sizes)))
    if value.dtype.kind == "f":
        return value
    return value.astype(np.float64)


def _differ(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns a mask of the entries whose bits differ; any NaN equals any other NaN."""
    found: np.ndarray[Any, Any] = (a != b) | (np.signbit(a) != np.signbit(b))
    found &= ~(np.isnan(a) & np.isnan(b))
    return found


def _are_equal_floats(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    return a.shape == b.shape and not _differ(a, b).any()
