"""Expected values over finitely many equally likely outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from eqvproof.engines.scope import tried_text
from eqvproof.statements.finding import Finding, of_verdict, undecided
from eqvproof.statements.judge import Court
from eqvproof.verdict import Grade, Outcome, Verdict

#: More outcomes than this are not gone through.
MOST_OUTCOMES = 200_000


@dataclass(frozen=True, slots=True)
class Variance:
    """The variance of f is g, for arrays with independent entries, each uniform on a finite set of numbers.

    All outcomes are gone through, in exact arithmetic. HOLDS, DECIDED, for these distributions at these
    sizes; FAILS, EXACT, at the first sizes where the variance is another number.

    Attributes:
        f: a function of object arrays of Fractions, one number.
        g: from the sizes to the variance.
        shapes: from the sizes to the shape of each argument.
        outcomes: the values of every entry, equally likely.
        sizes: the sizes, in increasing order.
    """

    f: Callable[..., Any]
    g: Callable[[Mapping[str, int]], Any]
    shapes: Callable[[Mapping[str, int]], Mapping[str, tuple[int, ...]]]
    outcomes: Iterable[Any]
    sizes: tuple[Mapping[str, int], ...]

    def judge(self, court: Court) -> Finding:
        """Means of f and of its square, size after size."""
        del court
        values = [Fraction(v) for v in self.outcomes]
        for sizes in self.sizes:
            shapes = self.shapes(sizes)
            count = sum(int(np.prod(shape, dtype=int)) for shape in shapes.values())
            if len(values) ** count > MOST_OUTCOMES:
                return undecided(f"{len(values)}^{count} outcomes are too many {tried_text([sizes])}")
            first, second = _means(self.f, shapes, values, count)
            found, claimed = second - first * first, Fraction(self.g(sizes))
            if found != claimed:
                place = tried_text([sizes])
                reason = f"{place}: the variance is {found}, not {claimed}, for entries uniform on "
                reason += f"{{{', '.join(map(str, values))}}}"
                return of_verdict(
                    Verdict(Outcome.FAILS, Grade.EXACT, place, reason=reason, sizes=(dict(sizes),))
                )
        if not self.sizes or not values:
            return undecided("no sizes or no outcomes are given")
        scope = f"{tried_text(self.sizes)}, entries uniform on {{{', '.join(map(str, values))}}}"
        reason = "all outcomes gone through in exact arithmetic"
        return of_verdict(
            Verdict(Outcome.HOLDS, Grade.DECIDED, scope, reason=reason, sizes=tuple(map(dict, self.sizes)))
        )


def _means(
    f: Callable[..., Any], shapes: Mapping[str, tuple[int, ...]], values: list[Fraction], count: int
) -> tuple[Fraction, Fraction]:
    """E f and E f^2."""
    first = second = Fraction(0)
    for outcome in product(values, repeat=count):
        rest = list(outcome)
        arrays = []
        for shape in shapes.values():
            size = int(np.prod(shape, dtype=int))
            arrays.append(np.array(rest[:size], dtype=object).reshape(shape))
            rest = rest[size:]
        value = Fraction(f(*arrays))
        first, second = first + value, second + value * value
    weight = len(values) ** count
    return first / weight, second / weight
