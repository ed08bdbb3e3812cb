"""The call `violation`: searches the greatest violation, encloses it, and bounds it from above."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.boxes import ends_of_box
from eqvproof.claims.groups import Element, identity_of
from eqvproof.engines import conclude, judge, search_claim
from eqvproof.engines.certify import certify_violation
from eqvproof.engines.claim import Claim
from eqvproof.engines.detect_backend import CODES, with_detected_backend
from eqvproof.engines.options import CheckOptions
from eqvproof.engines.read_call import read_call
from eqvproof.engines.reasons import NO_REASON
from eqvproof.engines.search import Limits
from eqvproof.engines.search.comparer import Comparer, NotExact, Stop, to_counterexample
from eqvproof.engines.search.comparer import Violation as Difference
from eqvproof.engines.search.elements import Move, random_moves, revealing_moves, simple_moves
from eqvproof.engines.search.evidence import tensor
from eqvproof.engines.search.result import Nondeterministic
from eqvproof.engines.search.sides import ClaimSides, Trial, claim_sides_of
from eqvproof.engines.trace_claim import TRACE_SHARE, trace, without_library
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.violation.points import Ends, as_fractions, draw_point, near_move, near_point
from eqvproof.engines.violation.result import (
    NoBound,
    Violation,
    root_above,
    root_below,
    round_down,
)
from eqvproof.engines.violation.upper import upper_bound
from eqvproof.numbers import Real, Undefined
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import ErrorCode, ShapeError, SignatureError, TargetError
from eqvproof.tracing.observing.restore_process import left_as_found

Array = np.ndarray[Any, np.dtype[Any]]
#: Numbers of points that are drawn, of the best of them that are improved, and of the steps for each.
DRAWN, IMPROVED, STEPS = 300, 4, 240
#: Number of the best points that are compared exactly.
ENCLOSED = 6
#: Sizes of axes that the user does not give.
START = 3
#: Number of the best places that are remembered, and of simple elements that are tried.
KEPT, SIMPLE = 24, 8
#: Largest shares of the time for the proof, and for the search; the rest is for the upper bound.
PROOF_SHARE, SEARCH_SHARE = 0.3, 0.6
#: Seeds of NumPy's random numbers are not negative.
MASK = 2**64 - 1


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A point and an element, with the violation there in floats."""

    point: Mapping[str, Array]
    move: Move
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class _Enclosed:
    """A difference of the two sides, with rationals between which the violation there lies."""

    difference: Difference
    low: Fraction
    high: Fraction


def read_violation(
    f: Callable[..., Any], signature: str, under: Any, box: Any, options: CheckOptions, *,
    is_relative: bool,
) -> Violation:  # fmt: skip
    """Reads a call of `violation`, and answers it; see there."""
    _, claims = read_call((f,), signature, under, {**options, "constants": "literal"})
    if len(claims) > 1:
        raise SignatureError(
            "the violation of one result is measured", given=signature, expected="one result",
            hint="leave the others out with _ in their place", code="violation.results",
        )  # fmt: skip
    (claim,) = claims
    with left_as_found():
        try:
            return measure(claim, box, is_relative=is_relative)
        except TargetError as error:
            other = None
            if error.code in CODES and options["backend"] is None:
                other = with_detected_backend(claim)
            if other is None:
                raise
            return measure(other, box, is_relative=is_relative)


def measure(claim: Claim, box: Any, *, is_relative: bool) -> Violation:
    """Returns the greatest violation of a claim that is found in a box, and an upper bound.

    Args:
        claim: the claim; axes whose size it does not give have small ones.
        box: ``(low, high)`` for all arguments, or a dict of these by name.
        is_relative: whether violations are relative to the size of the result.
    """
    sizes = dict(claim.typical_sizes(START))
    here = replace(claim, pins={**claim.pins, **sizes}, ranges={}, open_ended=frozenset(), read={})
    ends = ends_of_box(claim.signature, box, sizes)
    proof = judge.prove_only(here.within(math.inf, PROOF_SHARE))
    search = _Search(here, sizes, ends, is_relative=is_relative)
    if proof.holds and not (proof.points or proof.narrowed):
        return search.result(None, 0.0, proof)
    known = without_library(here, trace(here, here.moment(TRACE_SHARE)))
    (subject,) = search_claim.subjects_of(here, known)
    sides = claim_sides_of((subject,), here.signature, here.group)
    with suppress(TimeIsUp), until(here.moment(SEARCH_SHARE)):
        search.draw(sides)
    enclosed = None
    with suppress(TimeIsUp), until(here.moment(SEARCH_SHARE)):
        enclosed = search.enclose(sides)
    upper: float | NoBound = NoBound.UNTRACED
    if search.is_exact and (program := subject.program_at(sizes)) is not None:
        upper = NoBound.TIME
        with suppress(TimeIsUp), until(here.deadline):
            upper = upper_bound(here, program, sizes, ends, is_relative=is_relative)
    if enclosed is None:
        return search.result(None, upper, None)
    program = subject.program_at(sizes)
    found = to_counterexample(enclosed.difference, is_recorded=program is None)
    verdict = conclude.fails(here, known, found, (subject,), NO_REASON, ())
    certificate = None
    if program is not None and enclosed.low > 0:
        certificate = certify_violation(here, found, program, search.bound_of(enclosed))
    return search.result(enclosed, upper, verdict, certificate)


class _Search:
    """The search for the greatest violation.

    Attributes:
        is_exact: whether exact arithmetic describes the function.
        tried: the number of points that were compared in floats.
    """

    def __init__(
        self, claim: Claim, sizes: Mapping[str, int], ends: Ends, *, is_relative: bool
    ) -> None:
        self._claim, self._sizes, self._ends = claim, sizes, ends
        self._is_relative = is_relative
        self._rng = np.random.default_rng(claim.seed & MASK)
        self._moves = random.Random(claim.seed)
        self._best: list[_Place] = []
        self.is_exact, self.tried = True, 0

    def draw(self, sides: ClaimSides) -> None:
        """Compares both sides in floats at random points, then near the best of these."""
        moves, group = self._first_moves(), self._claim.group
        for number in range(DRAWN):
            if number < len(moves):
                move = moves[number]
            else:
                move = self._random_move()
            point = draw_point(self._claim.signature, self._sizes, self._ends, self._rng)
            self._keep(self._place(sides, point, move))
        for place in self._best[:IMPROVED]:
            best, scale = place, 0.25
            for _ in range(STEPS):
                move = best.move
                if self._moves.random() < 0.5:
                    move = near_move(group, move, self._sizes, scale, self._moves)
                point = near_point(best.point, self._ends, scale, self._rng)
                new = self._place(sides, point, move)
                if new.value > best.value:
                    best, scale = new, min(0.5, 1.5 * scale)
                else:
                    scale = max(1e-3, 0.9 * scale)
            self._keep(best)

    def enclose(self, sides: ClaimSides) -> _Enclosed | None:
        """Returns the greatest violation among the best points, in exact arithmetic.

        Returns None if both sides are equal at all of them, or the function is known by calls
        alone. Differences are confirmed as those of any search are.

        Raises:
            TargetError: two equal calls return different results.
        """
        comparer = Comparer(sides, Limits(seed=self._claim.seed, deadline=self._claim.deadline))
        found: _Enclosed | None = None
        count = 0
        try:
            for place in self._best:
                trial = Trial(self._sizes, as_fractions(place.point), place.move)
                difference = comparer.violation_at(trial)
                if difference is None:
                    continue
                span = _span(difference, is_relative=self._is_relative)
                if span is not None and (found is None or span[0] > found.low):
                    found = _Enclosed(difference, *span)
                count += 1
                if count == ENCLOSED:
                    break
        except Stop:
            pass
        except NotExact:
            self.is_exact = False
        except Nondeterministic as error:
            raise TargetError(
                "two calls with equal arguments returned different results", given=str(error),
                expected="a function of its arguments",
                hint="module.eval() switches dropout off; set seeds inside", code=ErrorCode.TARGET_STATE,
            ) from error  # fmt: skip
        return found

    def bound_of(self, enclosed: _Enclosed) -> dict[str, Any]:
        """Returns a lower bound of the violation, and the box, in the form of certificates."""
        box = {name: _ends_to_json(low, high) for name, (low, high) in self._ends.items()}
        at_least = str(Fraction(round_down(enclosed.low)))
        return {"at_least": at_least, "relative": self._is_relative, "box": box}

    def result(
        self,
        enclosed: _Enclosed | None,
        upper: float | NoBound,
        verdict: Verdict | None,
        certificate: dict[str, Any] | None = None,
    ) -> Violation:
        """Returns the result of the search, with the certificate of its bound or of the verdict."""
        if certificate is None and verdict is not None:
            certificate = verdict.certificate
        bound, why = (None, upper) if isinstance(upper, NoBound) else (upper, None)
        measured, move, point = 0.0, tuple[Element, ...](), dict[str, Array]()
        span: tuple[Fraction, Fraction] | None = None
        if verdict is None and not self._best and isinstance(upper, NoBound):
            measured = math.nan
        elif self._best:
            best = self._best[0]
            measured, move, point = best.value, best.move, as_fractions(best.point)
        if enclosed is not None:
            trial = enclosed.difference.trial
            span, move, point = (enclosed.low, enclosed.high), trial.move, dict(trial.inputs)
            measured = float((enclosed.low + enclosed.high) / 2)
        elif self.is_exact and not math.isnan(measured):
            span, measured = (Fraction(0), Fraction(0)), 0.0
        return Violation(
            measured, span, bound, why, point,
            {e.axis: e.kind.shown(e.data) for e in move},
            ", and ".join(e.describe() for e in move if not e.is_identity),
            self._sizes, self._is_relative, verdict, certificate, self.tried,
            str(self._claim.signature), self._claim.under,
        )  # fmt: skip

    # -- parts -----------------------------------------------------------------------------------
    def _first_moves(self) -> list[Move]:
        group = self._claim.group
        return [
            *revealing_moves(group, self._sizes),
            *simple_moves(group, self._sizes, SIMPLE),
        ]

    def _random_move(self) -> Move:
        """Draws an element with random parts of all factors, or of one."""
        single = list(random_moves(self._claim.group, self._sizes, self._moves))
        if not single:
            return tuple(identity_of(f, f.size(self._sizes)) for f in self._claim.group.factors)
        if self._moves.random() < 0.5:
            return self._moves.choice(single)
        whole = list(single[0])
        for move in single[1:]:
            whole = [new if old.is_identity else old for old, new in zip(whole, move, strict=True)]
        return tuple(whole)

    def _place(self, sides: ClaimSides, point: Mapping[str, Array], move: Move) -> _Place:
        """Returns the violation at a point in floats; -1 where a side is not a finite number."""
        self.tried += 1
        try:
            left, right, _ = sides.float_sides(Trial(self._sizes, point, move), point)
        except Undefined:
            return _Place(point, move, -1.0)
        except (TargetError, ShapeError):  # of this point alone, where it works at others
            if not self._best:
                raise
            return _Place(point, move, -1.0)
        left, right = left.astype(np.float64), right.astype(np.float64)
        if left.shape != right.shape or not (np.isfinite(left) & np.isfinite(right)).all():
            return _Place(point, move, -1.0)
        gap = float(np.linalg.norm(left - right))
        if self._is_relative and gap:
            gap /= max(float(np.linalg.norm(left)), float(np.linalg.norm(right)))
        return _Place(point, move, gap)

    def _keep(self, place: _Place) -> None:
        """Keeps a place among the best."""
        if place.value >= 0:
            self._best.append(place)
            self._best.sort(key=lambda p: -p.value)
            del self._best[KEPT:]


def _ends_to_json(low: Array, high: Array) -> dict[str, Any]:
    """Returns the ends of a box: one number for all entries where these are equal."""
    if all(end.size and (end == end.flat[0]).all() for end in (low, high)):
        low, high = (np.asarray(end.flat[0]) for end in (low, high))
    return {
        "low": tensor(as_fractions({"": low})[""]),
        "high": tensor(as_fractions({"": high})[""]),
    }


def _span(difference: Difference, *, is_relative: bool) -> tuple[Fraction, Fraction] | None:
    """Returns rationals between which the violation lies; None where a side is undefined."""
    sides = [difference.comparison.left, difference.comparison.right]
    left, right = ([] if s is None else list(s.flat) for s in sides)
    if not all(isinstance(v, Real) and v.is_finite for v in (*left, *right)):
        return None
    gap = _norm([a - b for a, b in zip(left, right, strict=True)])
    if not is_relative:
        return gap
    low, high = (max(ends) for ends in zip(_norm(left), _norm(right), strict=True))
    if not low:
        return None
    return gap[0] / high, gap[1] / low


def _norm(numbers: list[Real]) -> tuple[Fraction, Fraction]:
    """Returns rationals between which the Euclidean norm of some numbers lies."""
    low, high = Fraction(0), Fraction(0)
    for number in numbers:
        ends = number.bounds()
        high += max(abs(e) for e in ends) ** 2
        if ends[0] > 0 or ends[1] < 0:
            low += min(abs(e) for e in ends) ** 2
    return root_below(low), root_above(high)
