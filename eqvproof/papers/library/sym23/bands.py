"""Band-limited signals and their dilations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from eqvproof.papers.statements import Array, Case

MOST_HALVINGS = 12


def frequency(eps: Array) -> Array:
    """Returns w such that the band [w, w + 1], shrunk by 1 - eps, ends at w."""
    return (1 - eps) / eps


def squared_change(eps: Array) -> Array:
    """Computes the integral of (|y^| - |x^|)^2 for x^ = 1 on [w, w + 1], y(u) = x((1 - eps) u).

    The integral of |x^|^2 is 1, and y^(xi) = x^(xi / s) / s with s = 1 - eps is 1 / s on
    [s w, s w + s].
    """
    s, w = 1 - eps, frequency(eps)
    common = np.maximum(np.minimum(w + 1, s * w + s) - np.maximum(w, s * w), 0)
    return 1 + s / (s * s) - 2 * common / s


def dilations() -> Iterator[Case]:
    """Yields eps = 1/2, 1/4, ..."""
    for k in range(1, MOST_HALVINGS + 1):
        yield Case({}, {"eps": np.array(Fraction(1, 2**k), dtype=object)})


def is_inside(inputs: Mapping[str, Array]) -> bool:
    """Checks whether 0 < eps < 1."""
    return bool(0 < inputs["eps"] < 1)
