"""Claims that a function is injective on a finite family of points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.scope import tried_text
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.numbers import array_text
from eqvproof.papers.statements.claims.construction import Case
from eqvproof.papers.statements.claims.points import Point, Sides, certify_points, group_by_sizes
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.papers.statements.judge import Court


@dataclass(frozen=True, slots=True)
class Injective:
    """The claim that f(x) != f(y) for all x != y of a finite family.

    Only points of the same sizes are compared. HOLDS, DECIDED, at the sizes of the family. FAILS,
    EXACT, with two points of equal value, the smallest if the family is in increasing order. Both
    findings have a certificate.

    Attributes:
        f: a function of NumPy arrays.
        signature: its signature.
        family: all points, each once, size after size; exact numbers.
        what: the points in words, such as "subsets".
    """

    f: Callable[..., Any]
    signature: str
    family: Callable[[], Iterable[Case]]
    what: str

    def judge(self, court: Court) -> Finding:
        """Evaluates f at every point, until two points have the same value."""
        del court
        signature = parse_signature(self.signature)
        sides, seen = Sides((self.f,), signature), dict[Any, Point]()
        for case in self.family():
            point = sides.at(case)
            if point.values is None:
                return undecided(
                    f"at {point.sizes} the value is not a rational number, or not defined"
                )
            key = (*point.sizes.items(), *point.values[0].ravel())
            other = seen.setdefault(key, point)
            if other is not point:
                return _collision(other, point, signature)
        if not seen:
            return undecided("the family has no points")
        points = list(seen.values())
        sizes = tuple(group[0].sizes for group in group_by_sizes(points))
        reason = f"all values are different, compared exactly: {len(points)} {self.what}"
        verdict = Verdict(
            Outcome.HOLDS, Grade.DECIDED, tried_text(sizes), reason=reason, sizes=sizes
        )
        return certify_points(verdict, "injective", signature, points)


def _collision(one: Point, other: Point, signature: Signature) -> Finding:
    """Builds the finding that two points have the same value."""
    points = [
        ", ".join(f"{name} = {array_text(v)}" for name, v in p.inputs.items()) for p in (one, other)
    ]
    place, (value,) = tried_text([one.sizes]), one.values or ()
    reason = f"{place}: {points[0]} and {points[1]} have the same value, {array_text(value)}"
    verdict = Verdict(Outcome.FAILS, Grade.EXACT, place, reason=reason, sizes=(one.sizes,))
    return certify_points(verdict, "collision", signature, [one, other])
