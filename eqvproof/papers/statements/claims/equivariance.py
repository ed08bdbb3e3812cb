"""Claims of equivariance: f(g x) = g f(x)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.groups import Under
from eqvproof.engines.verdict import Verdict
from eqvproof.papers.statements.claims.typing import judged_or_ill_typed
from eqvproof.papers.statements.finding import Finding, restricted
from eqvproof.papers.statements.judge import Court


@dataclass(frozen=True, slots=True)
class Equivariance:
    """The claim that f(g x) = g f(x) for every g of a group and all x.

    Attributes:
        f: a function of NumPy arrays.
        signature: its typing; a size that only an argument of no other use shows is a parameter.
        under: the group; an output none of whose axes it moves makes the claim one of invariance.
        sizes: as in `eqvproof.check`.
        domain: whether arrays (by argument name) count; absent: all do.
        where: the domain in words, such as "X has full column rank".
    """

    f: Callable[..., Any]
    signature: str
    under: Under
    sizes: Mapping[str, Any] | None = None
    domain: Callable[[Mapping[str, Any]], bool] | None = None
    where: str = ""

    def judge(self, court: Court) -> Finding:
        """Asks `eqvproof.check` for a verdict; FAILS where f is ill-typed, with the term."""
        from eqvproof.api import check

        def ask() -> Verdict:
            return check(
                self.f,
                self.signature,
                self.under,
                sizes=self.sizes,
                budget=court.budget,
                seed=court.seed,
                domain=self.domain,
            )

        return restricted(
            judged_or_ill_typed(ask, (self.f,), self.signature, self.sizes), self.where
        )
