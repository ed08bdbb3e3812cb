"""Claims of equivariance: f(g x) = g f(x)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.groups import Under
from eqvproof.engines.verdict import Verdict
from eqvproof.papers.statements.claims.typing import check_or_ill_typed
from eqvproof.papers.statements.finding import Finding, restrict_scope
from eqvproof.papers.statements.judge import Court


@dataclass(frozen=True, slots=True)
class Equivariance:
    """The claim that f(g x) = g f(x) for every g of a group and all x.

    Attributes:
        f: a function of NumPy arrays.
        signature: its typing; an argument may serve only to supply a size.
        under: the group; the claim is one of invariance if it acts on no axis of the output.
        sizes: as in `eqvproof.check`.
        domain: returns True for arrays (by argument name) of the domain; absent: all arrays.
        where: the domain in words, such as "X has full column rank".
    """

    f: Callable[..., Any]
    signature: str
    under: Under
    sizes: Mapping[str, Any] | None = None
    domain: Callable[[Mapping[str, Any]], bool] | None = None
    where: str = ""

    def judge(self, court: Court) -> Finding:
        """Calls `eqvproof.check`; FAILS, naming the ill-typed term, if the shapes of f do not fit."""
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

        return restrict_scope(
            check_or_ill_typed(ask, (self.f,), self.signature, self.sizes), self.where
        )
