"""A function takes different values at different points of a finite family."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.scope import tried_text
from eqvproof.statements.claims.construction import Case
from eqvproof.statements.finding import Finding, of_verdict, undecided
from eqvproof.statements.judge import Court
from eqvproof.verdict import Grade, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Injective:
    """f(x) != f(y) for all x != y of a finite family.

    Points are compared within one size only: those of another size are other functions' arguments. HOLDS,
    DECIDED, at the sizes that were gone through. FAILS, EXACT, with two points of equal value: the smallest
    where the family is in increasing order.

    Attributes:
        f: from the inputs of a point to an exact value that can be compared (a number, a tuple of numbers).
        family: all points, each once, size after size.
        what: the points in words, such as "subsets".
    """

    f: Callable[..., Hashable]
    family: Callable[[], Iterable[Case]]
    what: str

    def judge(self, court: Court) -> Finding:
        """Every point, until two have one value."""
        del court
        seen: dict[tuple[Any, Hashable], Case] = {}
        sizes: dict[tuple[tuple[str, int], ...], dict[str, int]] = {}
        for case in self.family():
            key = tuple(case.sizes.items())
            value = self.f(**case.inputs)
            other = seen.setdefault((key, value), case)
            if other is not case:
                return self._collision(other, case, value)
            sizes[key] = dict(case.sizes)
        if not seen:
            return undecided("the family has no points")
        reason = f"all values are different, compared exactly: {len(seen)} {self.what}"
        scope = tried_text(tuple(sizes.values()))
        return of_verdict(
            Verdict(Outcome.HOLDS, Grade.DECIDED, scope, reason=reason, sizes=tuple(sizes.values()))
        )

    def _collision(self, one: Case, other: Case, value: Hashable) -> Finding:
        points = [", ".join(f"{name} = {v}" for name, v in case.inputs.items()) for case in (one, other)]
        place = tried_text([one.sizes])
        reason = f"{place}: {points[0]} and {points[1]} have one value, {value}"
        return of_verdict(Verdict(Outcome.FAILS, Grade.EXACT, place, reason=reason, sizes=(dict(one.sizes),)))
