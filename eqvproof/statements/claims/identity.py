"""f = g."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.statements.court import Court
from eqvproof.statements.finding import Finding, of_verdict


@dataclass(frozen=True, slots=True)
class Identity:
    """f(x) = g(x) for all x, two expressions of one signature.

    Attributes:
        f: a function of NumPy arrays.
        g: another one.
        signature: the typing of both.
        sizes: as in `eqvproof.identical`.
    """

    f: Callable[..., Any]
    g: Callable[..., Any]
    signature: str
    sizes: Mapping[str, Any] | None = None

    def judge(self, court: Court) -> Finding:
        """The verdict of `eqvproof.identical`."""
        from eqvproof.api import identical

        return of_verdict(
            identical(self.f, self.g, self.signature, sizes=self.sizes, budget=court.budget, seed=court.seed)
        )
