"""Claims about the variance of a function of finitely many equally likely outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.signature import parse_signature
from eqvproof.engines.scope import tried_text
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.papers.statements.claims.construction import Case
from eqvproof.papers.statements.claims.points import Point, Sides, certify_points, differing_entries
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.papers.statements.judge import Court

#: Largest number of different outcomes that are enumerated.
MOST_OUTCOMES = 1024


@dataclass(frozen=True, slots=True)
class Variance:
    """The claim that the variance of f is g, for arrays with independent entries.

    Each entry is uniform on a finite set of numbers. All outcomes, with their probabilities p, are
    stacked in the arrays of one point, where ``sum p f^2 - (sum p f)^2`` is compared with g in exact
    arithmetic. HOLDS, DECIDED, for these distributions at these sizes; FAILS, EXACT, at the first
    sizes with another variance. Both findings have a certificate.

    Attributes:
        f: a function of NumPy arrays with a single number as its value.
        g: returns the claimed variance at given sizes.
        inputs: the arguments of f, as a signature writes them: ``"q: d, k: d"``.
        outcomes: the equally likely values of every entry.
        sizes: the sizes, in increasing order.
    """

    f: Callable[..., Any]
    g: Callable[[Mapping[str, int]], Any]
    inputs: str
    outcomes: Iterable[Any]
    sizes: tuple[Mapping[str, int], ...]

    def judge(self, court: Court) -> Finding:
        """Computes the variance at every size, and compares it with g."""
        del court
        weights = Counter(Fraction(v) for v in self.outcomes)
        arguments = parse_signature(f"{self.inputs} -> ()").inputs
        parts = [str(a).split(":") for a in arguments]
        signature = parse_signature(
            ", ".join(f"{name}: outcomes {axes}" for name, axes in parts)
            + ", probability: outcomes -> ()"
        )

        def variance(*arrays: Any) -> Any:
            *drawn, p = arrays
            value = np.stack([self.f(*(a[k] for a in drawn)) for k in range(len(p))])
            return (p * value * value).sum() - (p * value).sum() ** 2

        if not self.sizes or not weights:
            return undecided("no sizes or no outcomes are given")
        points: list[Point] = []
        entries = f"entries uniform on {{{', '.join(map(str, sorted(weights.elements())))}}}"
        for sizes in self.sizes:
            shapes = [tuple(a.at(sizes) for a in argument.axes) for argument in arguments]
            count = sum(map(prod, shapes))
            if len(weights) ** count > MOST_OUTCOMES:
                return undecided(
                    f"{len(weights)}^{count} outcomes are too many {tried_text([sizes])}"
                )
            rows = np.array([*product(weights, repeat=count)], dtype=object).reshape(-1, count)
            cuts = np.cumsum([prod(shape) for shape in shapes])[:-1]
            split = np.split(rows, cuts, axis=1)
            inputs = {
                a.name: part.reshape(-1, *shape)
                for a, part, shape in zip(arguments, split, shapes, strict=True)
            }
            likely = [
                Fraction(prod(weights[v] for v in row), weights.total() ** count) for row in rows
            ]
            claimed = Fraction(self.g(sizes))
            sides = Sides(
                (variance, lambda *arrays, c=claimed: 0 * arrays[-1].sum() + c), signature
            )
            case = Case(
                {**sizes, "outcomes": len(rows)},
                {**inputs, "probability": np.array(likely, dtype=object)},
            )
            point = sides.at(case)
            if point.values is None:
                return undecided(f"the variance is not a rational number {tried_text([sizes])}")
            if differing_entries(point):
                place = tried_text([sizes])
                reason = f"{place}: the variance is {point.values[0]}, not {claimed}, for {entries}"
                verdict = Verdict(
                    Outcome.FAILS, Grade.EXACT, place, reason=reason, sizes=(dict(sizes),)
                )
                return certify_points(verdict, "inequality", signature, [point])
            points.append(point)
        verdict = Verdict(
            Outcome.HOLDS,
            Grade.DECIDED,
            f"{tried_text(self.sizes)}, {entries}",
            reason="all outcomes enumerated in exact arithmetic",
            sizes=tuple(map(dict, self.sizes)),
        )
        return certify_points(verdict, "equality", signature, points)
