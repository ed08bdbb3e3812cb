"""Claims about the program as it runs: equal bit for bit in floats.

Permutations, shifts and sign flips act on floats without rounding, so ``f(g x)`` and ``g f(x)`` can be
compared bit for bit (a NaN equals a NaN). Sums are where most programs fail: their order shows in the last
bits.
"""

from __future__ import annotations

import platform
import random
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.apart import so_far
from eqvproof.deadline import TimeIsUp, until
from eqvproof.domains import allows
from eqvproof.engines.scope import tried_text
from eqvproof.engines.search.drawn import is_strategy
from eqvproof.engines.search.elements import in_entries
from eqvproof.errors import EqvproofError, GroupError
from eqvproof.exact import to_fractions
from eqvproof.frontends import run
from eqvproof.frontends.samples import make_inputs
from eqvproof.groups import Element, Factor, act_on_argument, random_element, simple_elements, words
from eqvproof.groups import act as act_on
from eqvproof.groups.families import letters
from eqvproof.verdict import Counterexample, Grade, Outcome, Verdict

if TYPE_CHECKING:
    from eqvproof.engines.claim import Claim

Inputs = dict[str, np.ndarray[Any, Any]]
#: The sizes of each comparison that was made.
Tried = list[dict[str, int]]
#: Sizes at which summation by blocks or pairs changes its order.
TELLING = (1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 130)
#: Combinations of sizes at most at which a black box is compared, spread over all of them.
MOST_SIZES = 60
POINTS = 6
ELEMENTS = 4
DEVICE = f"on {platform.machine()}, NumPy {np.__version__}"


def check_floats(claim: Claim) -> Verdict:
    """FAILS at the smallest sizes where two sides differ in a bit, or TESTED.

    Raises:
        GroupError: a group whose elements round when they act on floats.
    """
    exact = letters(lambda family: not family.elements.rounds)
    for factor in claim.group.factors:
        if factor.record.elements.rounds:
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
            found = _compared(claim, tried)
    except TimeIsUp:
        found, why = None, "the time ran out"
    if found is not None:
        return found
    if not tried:
        return _verdict(claim, Outcome.UNDECIDED, Grade.NONE, f"no point could be compared: {why}")
    return _tested(claim, tried)


def _tested(claim: Claim, tried: Tried) -> Verdict:
    reason = f"equal bit for bit in {len(tried)} comparisons {DEVICE}, and nothing more is claimed"
    sizes = [dict(pairs) for pairs in dict.fromkeys(tuple(at.items()) for at in tried)]
    return _verdict(claim, Outcome.HOLDS, Grade.TESTED, reason, sizes)


def _compared(claim: Claim, tried: Tried) -> Verdict | None:
    """A verdict other than that nothing was found, or None."""
    rng = random.Random(claim.seed)
    for sizes in _sizes(claim):
        for inputs in _points(claim, sizes, rng):
            if not _is_allowed(claim, inputs):
                continue
            first = _value(claim, inputs, sizes)
            if not _same(first, _value(claim, inputs, sizes)):
                return _verdict(
                    claim,
                    Outcome.UNDECIDED,
                    Grade.NONE,
                    "two equal calls of the target gave different answers",
                )
            if not np.isfinite(first).any():
                continue
            for factor in claim.group.factors:
                for element in _elements(factor, sizes, rng):
                    moved = {
                        a.name: act_on_argument(element, inputs[a.name], a, sizes)
                        for a in claim.signature.inputs
                    }
                    if not _is_allowed(claim, moved):
                        continue
                    left = _value(claim, moved, sizes)
                    known = claim.signature.output_sizes(first.shape, sizes)
                    right = act_on(element, first, claim.signature.output, known)
                    tried.append(sizes)
                    if not _same(left, right):
                        return _fails(claim, sizes, (inputs, moved), element, left, right, DEVICE)
        so_far(lambda: _tested(claim, tried))
    return None


def _verdict(
    claim: Claim, outcome: Outcome, grade: Grade, reason: str, tried: list[dict[str, int]] | None = None
) -> Verdict:
    return Verdict(
        outcome, grade, tried_text(tried) if tried else "", reason=reason, sizes=tuple(tried or ()),
        signature=str(claim.signature), under=claim.under,
    )  # fmt: skip


def _fails(
    claim: Claim,
    sizes: dict[str, int],
    inputs: tuple[Inputs, Inputs],
    element: Element,
    left: Any,
    right: Any,
    device: str,
) -> Verdict:
    entry = tuple(int(i) for i in np.argwhere(_differ(left, right))[0])
    before, after = ({n: a.astype(object) for n, a in given.items()} for given in inputs)
    found = Counterexample(
        sizes=sizes,
        inputs=before,
        moved=after,
        element={element.axis: element.data},
        left=left.astype(object),
        right=right.astype(object),
        entry=entry,
        words=words(element),
    )
    return Verdict(
        Outcome.FAILS, Grade.OBSERVED, tried_text([sizes]),
        reason=f"the two sides differ in their bits, {device}; this says nothing about the reals",
        sizes=(sizes,), signature=str(claim.signature), under=claim.under, counterexample=found,
    )  # fmt: skip


def _sizes(claim: Claim) -> Iterator[dict[str, int]]:
    spans: list[list[int]] = []
    names = list(claim.signature.input_names)
    for name in names:
        low, high = claim.ranges.get(name, (1, max(TELLING)))
        spans.append(
            [claim.pins[name]] if name in claim.pins else [s for s in TELLING if low <= s <= high] or [low]
        )
    combinations = sorted(product(*spans), key=lambda c: (sum(c), c))
    chosen = (
        combinations
        if len(combinations) <= MOST_SIZES
        else combinations[:: len(combinations) // MOST_SIZES + 1]
    )
    for values in chosen:
        yield dict(zip(names, values, strict=True))


def _points(claim: Claim, sizes: Mapping[str, int], rng: random.Random) -> Iterator[Inputs]:
    chance = np.random.default_rng(rng.getrandbits(32))
    for number in range(POINTS):
        yield make_inputs(claim.signature, dict(sizes), "normal" if number < POINTS // 2 else "wide", chance)


def _is_allowed(claim: Claim, inputs: Inputs) -> bool:
    """Whether a point is in the domain, which is asked about exact numbers."""
    if claim.domain is None:
        return True
    exact = {n: to_fractions(a) if a.dtype.kind == "f" else a.astype(object) for n, a in inputs.items()}
    return allows(claim.domain, exact)


def _elements(factor: Factor, sizes: Mapping[str, int], rng: random.Random) -> Iterator[Element]:
    size = factor.size(sizes)
    for element in islice(simple_elements(factor, size), ELEMENTS):
        yield from in_entries(element, sizes)
    for _ in range(ELEMENTS if size > 2 else 0):
        yield from in_entries(random_element(factor, size, rng), sizes)


def _value(claim: Claim, inputs: Inputs, sizes: Mapping[str, int]) -> np.ndarray[Any, Any]:
    value = np.asarray(run(claim.function, claim.signature, inputs, dict(sizes)))
    return value if value.dtype.kind == "f" else value.astype(np.float64)


def _differ(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where two arrays of one shape have different bits, all NaNs being one."""
    found: np.ndarray[Any, Any] = (a != b) | (np.signbit(a) != np.signbit(b))
    found &= ~(np.isnan(a) & np.isnan(b))
    return found


def _same(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    return a.shape == b.shape and not _differ(a, b).any()
