"""Results about rounding as data: the bound, its assumptions, decisions that may be unsafe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.support.writing import entry_text

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Flip:
    """A comparison, step or sign whose outcome rounding may change.

    Attributes:
        what: the operation.
        line: the user's line, or "" if it is not known.
        entries: the number of undecided entries.
    """

    what: str
    line: str
    entries: int

    def __str__(self) -> str:
        """Returns the decision in words."""
        text = f"{self.what}: {self.entries} undecided"
        if self.line:
            text += f" ({self.line})"
        return text


@dataclass(frozen=True, slots=True, eq=False)
class BoundedResult:
    """A result in float64, its bound, the probability that it fails, and undecided comparisons."""

    value: Array
    bound: Array
    risk: float
    flips: tuple[Flip, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RoundingBound:
    """Bounds of the distance between the computed result and the real one, entry by entry.

    Attributes:
        bound: at least ``|computed - real|``; inf if no bound is known.
        value: the result in float64 (for a box: at its middle).
        dtype: the dtype of the computation.
        model: "certain", or "probable".
        risk: the probability that some entry exceeds its bound; 0 for certain bounds.
        assumptions: the assumptions of the bound.
        flips: the decisions that rounding may change; bounds hold for both outcomes.
    """

    bound: Array
    value: Array
    dtype: str
    model: str
    risk: float
    assumptions: tuple[str, ...]
    flips: tuple[Flip, ...]

    @property
    def worst(self) -> float:
        """The largest bound."""
        return float(np.max(self.bound, initial=0.0))

    def __str__(self) -> str:
        """Returns the bound in a paragraph of words."""
        if not self.bound.size:
            return "nothing is computed"
        at = tuple(int(i) for i in np.unravel_index(int(np.argmax(self.bound)), self.bound.shape))
        place = f", at entry {entry_text(*at)}" if at else ""
        if np.isfinite(self.worst):
            text = f"at most {self.worst:.2g} can be rounding in {self.dtype}{place}"
        else:
            text = f"no bound is known in {self.dtype}{place}"
        if self.risk:
            text += f", except with probability {self.risk:.0e}"
        flips = "".join(f"\n  may flip: {f}" for f in self.flips)
        return text + flips + "".join(f"\n  assumed: {a}" for a in self.assumptions)
