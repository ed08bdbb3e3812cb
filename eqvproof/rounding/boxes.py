"""Rounding bounds for all inputs in a box."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.rounding.enclosed import Array
from eqvproof.rounding.result import BoundedResult
from eqvproof.support.errors import OptionError
from eqvproof.support.writing import in_line

#: The largest number of varying entries of a box that is cut, the largest number of parts, and the
#: number of cuts without improvement after which cutting stops.
FEW, PARTS, PATIENCE = 8, 250, 32
#: Largest number of entries of one input of a box.
MOST_NUMBERS = 10**8

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
            middle, spread = here[name].copy(), reach[name].copy()
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
    """Parses a box; returns its middles and its half widths."""
    middles: dict[str, Array] = {}
    spreads: dict[str, Array] = {}
    for argument in signature.inputs:
        span: Any = box.get(argument.name) if isinstance(box, Mapping) else box
        missing = [n for axis in argument.axes for n in axis.names if n not in sizes]
        if missing or argument.kind != "real":
            raise OptionError(
                "a box needs the sizes of all axes, and real arguments", given=str(dict(sizes)),
                expected=", ".join(missing) or f"no {argument.kind} arguments",
                hint='sizes={"n": 64}', code="box",
            )  # fmt: skip
        shape = tuple(axis.at(sizes) for axis in argument.axes)
        if math.prod(shape) > MOST_NUMBERS:
            raise OptionError(
                "the box has too many numbers", given=f"{math.prod(shape)} for {argument.name}",
                expected=f"at most {MOST_NUMBERS}", hint="choose smaller sizes", code="box",
            )  # fmt: skip
        try:
            low, high = (np.broadcast_to(np.asarray(end, dtype=np.float64), shape) for end in span)
        except (TypeError, ValueError, OverflowError) as error:
            raise OptionError(
                "a box is a pair of numbers for each input", given=in_line(repr(span)),
                expected="(low, high)", hint='box=(-1, 1), or box={"X": (-1, 1)}', code="box",
            ) from error  # fmt: skip
        middle = (low + high) / 2
        reach = np.maximum(high - middle, middle - low) * (1 + 2.0**-50)
        if not (np.all(low <= high) and np.all(np.isfinite(reach))):
            raise OptionError(
                "the box is empty or infinite",
                given=repr(span),
                expected="low <= high",
                code="box",
                hint="give finite ends, the lower one first",
            )
        middles[argument.name], spreads[argument.name] = np.array(middle), np.array(reach)
    return middles, spreads
