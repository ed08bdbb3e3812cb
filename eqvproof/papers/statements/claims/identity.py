"""Claims of identity: f = g."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.engines.verdict import Verdict
from eqvproof.papers.statements.claims.typing import check_or_ill_typed
from eqvproof.papers.statements.finding import Finding, restrict_scope
from eqvproof.papers.statements.judge import Court


@dataclass(frozen=True, slots=True)
class Identity:
    """The claim that f(x) = g(x) for all x, two expressions of one signature.

    Attributes:
        f: a function of NumPy arrays.
        g: another one.
        signature: the typing of both.
        sizes: as in `eqvproof.identical`.
        domain: returns True for arrays (by argument name) of the domain; absent: all arrays.
        where: the domain in words, such as "u != 0".
    """

    f: Callable[..., Any]
    g: Callable[..., Any]
    signature: str
    sizes: Mapping[str, Any] | None = None
    domain: Callable[[Mapping[str, Any]], bool] | None = None
    where: str = ""

    def judge(self, court: Court) -> Finding:
        """Calls `eqvproof.identical`; FAILS, naming the ill-typed term, if a side is ill-typed."""
        from eqvproof.api import identical

        def ask() -> Verdict:
            return identical(
                self.f,
                self.g,
                self.signature,
                sizes=self.sizes,
                budget=court.budget,
                seed=court.seed,
                domain=self.domain,
            )

        return restrict_scope(
            check_or_ill_typed(ask, (self.f, self.g), self.signature, self.sizes), self.where
        )
