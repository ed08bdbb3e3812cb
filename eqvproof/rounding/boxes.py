"""Rounding bounds for all inputs in a box."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.claims.boxes import ends_of_box
from eqvproof.claims.signature import Signature
from eqvproof.rounding.enclosed import Array
from eqvproof.rounding.result import BoundedResult
from eqvproof.support.errors import OptionError

#: The largest number of varying entries of a box that is cut, the largest number of parts, and the
#: number of cuts without improvement after which cutting stops.
FEW, PARTS, PATIENCE = 8, 250, 32

Arrays = Mapping[str, Array]


def bound_over_box(
    at: Callable[[Arrays, Arrays], BoundedResult], middles: Arrays, spreads: Arrays
) -> BoundedResult:
    """Returns bounds over a box, cutting it into parts if it has few varying entries.

    The part with the largest bound is repeatedly cut in two. The parts cover the box, and each has
    a bound for all of its inputs, so that the largest of these bounds holds for the whole box.

    Args:
        at: returns bounds for the box with the given middles and half widths.
        middles: the middles of the box.
        spreads: the half widths of the box.
    """
    whole = at(middles, spreads)
    places = [(n, i) for n, s in spreads.items() for i in np.ndindex(s.shape) if s[i] > 0]
    if not 0 < len(places) <= FEW:
        return whole
    first = float(np.max(whole.bound, initial=0.0))
    parts = [(-first, 0, 0, middles, spreads, whole.bound)]
    seen = [first]
    for cut in range(1, PARTS):
        _, _, depth, here, reach, _ = heapq.heappop(parts)
        name, i = places[depth % len(places)]
        for side in (-1, 1):
            middle, spread = np.array(here[name]), np.array(reach[name])
            middle[i] += side * reach[name][i] / 2
            spread[i] = reach[name][i] / 2 + 2.0**-50 * (abs(middle[i]) + reach[name][i])
            both = {**here, name: middle}, {**reach, name: spread}
            bound = at(*both).bound
            heapq.heappush(
                parts, (-float(np.max(bound)), 2 * cut + (side > 0), depth + 1, *both, bound)
            )
        seen.append(-parts[0][0])
        if cut >= PATIENCE and seen[-1] >= 0.99 * seen[-1 - PATIENCE]:
            break
    most = np.max([bound for *_, bound in parts], axis=0)
    return replace(whole, bound=np.minimum(whole.bound, most))


def read_box(
    signature: Signature, box: Any, sizes: Mapping[str, int]
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Parses a box; returns its middles and its half widths.

    Raises:
        OptionError: it is no box, or an argument does not hold real numbers.
    """
    unreal = [a.kind for a in signature.inputs if a.kind != "real"]
    if unreal:
        raise OptionError(
            "a box needs real arguments", given=str(signature),
            expected=f"no {unreal[0]} arguments", hint="give arrays in place of a box", code="box",
        )  # fmt: skip
    middles: dict[str, Array] = {}
    spreads: dict[str, Array] = {}
    for name, (low, high) in ends_of_box(signature, box, sizes).items():
        middle = (low + high) / 2
        middles[name] = middle
        spreads[name] = np.maximum(high - middle, middle - low) * (1 + 2.0**-50)
    return middles, spreads
