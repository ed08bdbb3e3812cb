"""Linear forms that are measured: normal draws of them, and how large their deviation can be.

Normal numbers of deviation w_j in place of the roundings d_j make of a linear form ``sum_j s_j d_j`` a normal
number of deviation sigma. M draws of it tell, by the lower tail of chi-squared, how large sigma can be:
``P(mean of squares < t sigma^2) <= (t exp(1 - t))^(M / 2)``. Roundings that no other entry has met yet need
no draws: their deviations add up in squares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from eqvproof.rounding.enclosed import Array, Enclosed

#: Draws of a linear form, and the most entries of an array that is drawn.
DRAWS, LARGE = 128, 2**14


class Drawn:
    """A number with draws of its error of first order, and a bound of the rest.

    Attributes:
        known: the number with a bound of its error.
        draws: of shape (draws, ...), in units of the format; None: 0, as always in large arrays.
        fresh: the deviations, in units of the format, of a part that is independent of the draws, and of
            that of each other entry (of a large array: see `probable`); None: 0.
        rest: at least |error - linear form|; None: 0.
        is_used_once: whether one product, sum or function alone takes it, which may then go on with `fresh`.
        is_near: whether the bound in `known` is the probable one.
    """

    __slots__ = ("draws", "fresh", "is_near", "is_used_once", "known", "rest")

    def __init__(
        self, known: Enclosed, draws: Array | None = None, fresh: Array | None = None,
        rest: Array | None = None,
    ) -> None:  # fmt: skip
        self.known = known
        self.draws = draws
        self.fresh = fresh
        self.rest = rest
        self.is_used_once = False
        self.is_near = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return self.known.shape


def normals(rng: np.random.Generator, draws: int, deviations: Array) -> Array:
    """Normal numbers with these deviations."""
    found = rng.standard_normal((draws, *deviations.shape), dtype=np.float32)
    found *= deviations.astype(np.float32)
    return found


def widths(x: Drawn, risk: float, draws: int) -> Array:
    """At least each linear form, in units of the format: all of them, but for this probability."""
    count = max(math.prod(x.shape), 1)
    squares = np.zeros(x.shape)
    if x.draws is not None:
        flat = x.draws.reshape(draws, -1)
        total = np.einsum("ij,ij->j", flat, flat).reshape(x.shape) / draws
        squares = total.astype(np.float64) / lower_tail(risk / (2 * count), draws)
    if x.fresh is not None:
        squares = squares + x.fresh * x.fresh
    return np.asarray(math.sqrt(2 * math.log(4 * count / risk)) * np.sqrt(squares))


def lower_tail(probability: float, draws: int) -> float:
    """t with (t exp(1 - t))^(draws / 2) = probability."""
    low, high, target = 0.0, 1.0, 2 * math.log(probability) / draws
    for _ in range(60):
        middle = (low + high) / 2
        if math.log(middle) + 1 - middle > target:
            high = middle
        else:
            low = middle
    return low


def is_large(shape: tuple[int, ...]) -> bool:
    """Whether an array of this shape is not drawn."""
    return math.prod(shape) > LARGE


def together(parts: Sequence[Array]) -> Array | None:
    """Deviations of a sum of forms with these, each as if its entries were independent, whatever they share.

    By Minkowski and Cauchy and Schwarz, with any numbers t_k > 0 of sum 1 in place of the shares of norms:

        (sum_k sqrt(sum_i c_i^2 f_ki^2))^2 <= sum_k (1 / t_k) sum_i c_i^2 f_ki^2
    """
    if len(parts) < 2:
        return parts[0] if parts else None
    norms = [max(float(np.linalg.norm(f)), 1e-300) for f in parts]
    if not math.isfinite(sum(norms)):
        norms = [1.0] * len(parts)
    return np.sqrt(sum((f * f * (sum(norms) / n) for f, n in zip(parts, norms, strict=True)), 0.0))
