"""Constructions f(X) = f(decode(sum_k phi(x_k))), for functions without a known formula."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.agreement import Agreement, compare, rational_points
from eqvproof.deepsets.arguments import Array
from eqvproof.deepsets.codes import CountableCode
from eqvproof.deepsets.power_sums import PowerSums
from eqvproof.invariants.calling import call
from eqvproof.support.errors import DomainError, EqvproofError, ErrorCode, TargetError, error_text

NOT_INVARIANT = "the function is not invariant: permuted points give another value"


@dataclass(frozen=True, slots=True, eq=False)
class Construction:
    """An invariant f written as rho(sum_k phi(x_k)), where rho decodes the multiset and calls f.

    Attributes:
        embedding: the `PowerSums` or the `CountableCode` that phi belongs to.
        f: the function.
        agreement: how f on the decoded multiset was compared with f.
        shape: the form in which f takes the points: "rows" (n x d), "flat" (n,), or "list" (a list
            of elements).
    """

    embedding: PowerSums | CountableCode
    f: Callable[..., Any]
    agreement: Agreement
    shape: str

    @property
    def latent_dimension(self) -> int:
        """The number of features."""
        return self.embedding.latent_dimension

    def phi(self, x: Any) -> Any:
        """Computes the features of one point."""
        return self.embedding.phi(x)

    def embed(self, points: Any) -> Any:
        """Sums phi over points."""
        return self.embedding.encode(points)

    def rho(self, sums: Any) -> Any:
        """Decodes the multiset that has these sums, and evaluates f at it."""
        if isinstance(self.embedding, CountableCode):
            return self.f(self.embedding.decode(sums))
        points = self.embedding.decode(sums).points
        return value_at(self.f, points, self.shape)

    def __call__(self, points: Any) -> Any:
        """Evaluates rho at the sum of phi."""
        return self.rho(self.embed(points))


def construct_by_decoding(
    f: Callable[..., Any],
    n: int,
    d: int | None,
    *,
    at_most: bool,
    trials: int,
    seed: int,
) -> Construction:
    """Builds the construction whose rho decodes power sums of at most n points."""
    sums = PowerSums(n, d or 1, at_most=at_most)
    if d is None:
        shape = "flat"
    else:
        shape = "rows"
    agreement = compare(
        lambda x: value_at(f, x, shape),
        lambda x: value_at(f, sums.decode(sums.encode(x)).points, shape),
        rational_points(n, d or 1, trials, seed),
        NOT_INVARIANT,
    )
    return Construction(sums, f, agreement, shape)


def construct_over_universe(
    f: Callable[..., Any], code: CountableCode, trials: int, seed: int
) -> Construction:
    """Builds the construction whose rho decodes the code of a multiset of a countable universe."""
    draw = random.Random(seed)
    count = 12
    if code.universe.size is not None:
        count = min(code.universe.size, count)
    elements = [code.universe.element(i) for i in range(count)]
    compared = 0
    for _ in range(max(trials, 1)):
        multiset = [x for x in elements for _ in range(draw.randint(0, code.multiplicity))]
        draw.shuffle(multiset)
        try:
            left, right = f(list(multiset)), f(code.decode(code.encode(multiset)))
        except EqvproofError:
            raise
        except Exception as error:
            raise TargetError(
                "the function raised an error",
                given=f"{error_text(error)} at {multiset!r}",
                expected="a value for each multiset",
                hint="call it with this multiset to see the error",
            ) from error
        compared += 1
        if not _equal_values(left, right):
            raise DomainError(
                "the function is not invariant: permuted elements give another value",
                given=f"at {multiset!r}: {left!r}, but {right!r} at"
                f" {code.decode(code.encode(multiset))!r}",
                expected="a function of the multiset",
                code=ErrorCode.NOT_INVARIANT,
                hint="make it depend on the multiset of the points alone",
            )
    return Construction(
        code, f, Agreement(proved=False, points=compared, exact_points=compared, bound=0.0), "list"
    )


def _equal_values(left: Any, right: Any) -> bool:
    try:
        return bool(np.all(np.asarray(left == right)))
    except (TypeError, ValueError, EqvproofError):
        return False


def value_at(f: Callable[..., Any], points: Array, shape: str) -> Array:
    """Evaluates f at points given as an array (n, d); "flat" if f takes their one coordinate."""
    if shape == "flat":
        points = points[:, 0]
    return call(f, [points])
