"""Existence claims: an object is constructed at each of several points, and checked exactly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eqvproof.engines.scope import tried_text
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.numbers import array_text
from eqvproof.papers.statements.finding import Finding, undecided
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError

MOST_CERTIFICATES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A point at which functions are evaluated, or an object is built.

    Attributes:
        sizes: the sizes at this point.
        inputs: the arguments of the builder and the conditions, by name; numbers are exact.
    """

    sizes: Mapping[str, int]
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """An equation that the built object must satisfy exactly.

    The sides hold ints, Fractions or exact numbers.
    """

    says: str
    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Construction:
    """The claim that an object with some properties exists at every point.

    An object is built at several points. HOLDS, TESTED, at these points, if every object satisfies
    all conditions exactly; this proves nothing about other points. Otherwise UNDECIDED: another
    construction might succeed.

    Attributes:
        cases: yields the points, drawn from a seeded source of random numbers.
        build: builds the object from the inputs of a point.
        conditions: states the equations, from the object and the inputs of its point.
        certificate: returns a certificate of the object that the kernel can check, or None.
    """

    cases: Callable[[random.Random], Iterable[Case]]
    build: Callable[..., Any]
    conditions: Callable[..., Iterable[Condition]]
    certificate: Callable[[Any], dict[str, Any] | None] = field(default=lambda _: None)

    def judge(self, court: Court) -> Finding:
        """Builds and checks an object at every point."""
        tried: dict[tuple[tuple[str, int], ...], Any] = {}
        equations: dict[str, None] = {}
        points = 0
        for case in self.cases(random.Random(court.seed)):
            place = f"at {', '.join(f'{k} = {v}' for k, v in case.sizes.items())}"
            try:
                built = self.build(**case.inputs)
                conditions = list(self.conditions(built, **case.inputs))
            except EqvproofError as error:
                return undecided(f"the construction stops {place}: {error.line}")
            for condition in conditions:
                equations[condition.says] = None
                if not equal_exactly(condition.left, condition.right):
                    return undecided(
                        f"the construction fails {place}: {condition.says} would need "
                        f"{array_text(condition.left)} = {array_text(condition.right)}"
                    )
            if not conditions:
                return undecided(f"nothing was checked {place}")
            points += 1
            tried[tuple(case.sizes.items())] = built
        if not tried:
            return undecided("no point was tried")
        sizes = tuple(dict(s) for s in sorted(tried, key=lambda s: sum(v for _, v in s)))
        scope, says = tried_text(sizes), ", ".join(equations)
        reason = f"constructed and checked exactly at {points} points ({says}); no proof for others"
        found = (self.certificate(tried[tuple(s.items())]) for s in sizes)
        certificates = tuple(c for c in found if c is not None)[:MOST_CERTIFICATES]
        verdicts = tuple(
            Verdict(
                Outcome.HOLDS,
                Grade.TESTED,
                scope,
                reason=reason,
                sizes=sizes,
                certificate=certificate,
            )
            for certificate in certificates or (None,)
        )
        return Finding(Outcome.HOLDS, Grade.TESTED, scope, reason, verdicts)


def equal_exactly(left: Any, right: Any) -> bool:
    """Checks whether two arrays of exact numbers have the same shape and equal entries.

    Raises:
        EqvproofError: an entry is a float, which may be rounded.
    """
    a, b = np.asarray(left, dtype=object), np.asarray(right, dtype=object)
    for entry in (*a.ravel(), *b.ravel()):
        if isinstance(entry, (float, np.floating)):
            raise EqvproofError(
                "a float cannot be compared exactly",
                given=repr(entry),
                expected="ints, Fractions or exact numbers",
                hint="write fractions.Fraction(1, 3) for 1/3, and arrays with dtype=object",
                code="statement.float",
            )
    return a.shape == b.shape and all(
        bool(x == y) for x, y in zip(a.ravel(), b.ravel(), strict=True)
    )
