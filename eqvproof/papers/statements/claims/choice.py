"""Claims that every point of a finite family has a solution among finitely many candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.scope import tried_text
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.numbers import array_text
from eqvproof.papers.statements.claims.construction import Case
from eqvproof.papers.statements.claims.points import (
    Point,
    Sides,
    certify_points,
    differing_entries,
    group_by_sizes,
)
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.papers.statements.judge import Court


@dataclass(frozen=True, slots=True)
class Choice:
    """The claim that every point x has a candidate c, of finitely many, with f(x, c) = g(x, c).

    The family of points is finite. HOLDS, DECIDED, at the sizes of the family. FAILS, EXACT, at the
    first point without a solution, which is the smallest if the family is in increasing order. The
    certificate contains a solution for each point, or all candidates of the point without one.

    Attributes:
        f: a function of NumPy arrays.
        g: another one.
        signature: the typing of both.
        cases: all points of the family, size after size; exact numbers.
        candidates: maps the arrays of a point to all candidates: the other arrays, by name.
        what: the candidates in words, such as "permutation".
    """

    f: Callable[..., Any]
    g: Callable[..., Any]
    signature: str
    cases: Callable[[], Iterable[Case]]
    candidates: Callable[..., Iterable[Mapping[str, Any]]]
    what: str

    def judge(self, court: Court) -> Finding:
        """Tries every candidate at every point, until one satisfies the equation."""
        del court
        signature = parse_signature(self.signature)
        sides, chosen = Sides((self.f, self.g), signature), list[Point]()
        for case in self.cases():
            tried: list[Point] = []
            for candidate in self.candidates(**case.inputs):
                tried.append(sides.at(Case(case.sizes, {**case.inputs, **candidate})))
                if tried[-1].values is None:
                    return undecided(
                        f"at {tried[-1].sizes} a side is not a rational number, or not defined"
                    )
                if not differing_entries(tried[-1]):
                    chosen.append(tried[-1])
                    break
            else:
                return self._no_candidate(case, tried, signature)
        if not chosen:
            return undecided("the family has no points")
        sizes = tuple(group[0].sizes for group in group_by_sizes(chosen))
        reason = f"at each of {len(chosen)} points a {self.what} was found and checked exactly"
        verdict = Verdict(
            Outcome.HOLDS, Grade.DECIDED, tried_text(sizes), reason=reason, sizes=sizes
        )
        return certify_points(verdict, "equality", signature, chosen)

    def _no_candidate(self, case: Case, tried: list[Point], signature: Signature) -> Finding:
        """Builds the finding for a point at which no candidate is a solution."""
        point = ", ".join(f"{name} = {array_text(value)}" for name, value in case.inputs.items())
        place = tried_text([case.sizes])
        if not tried:
            return undecided(f"{place}, {point}: there are no candidates")
        reason = (
            f"{place}, {point}: none of all {len(tried)} candidates ({self.what}) is a solution"
        )
        verdict = Verdict(
            Outcome.FAILS, Grade.EXACT, place, reason=reason, sizes=(dict(case.sizes),)
        )
        return certify_points(verdict, "inequality", signature, tried)
