"""The evidence in the certificate of a counterexample: its point, its element, both sides."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.search.result import Array, FoundCounterexample
from eqvproof.numbers import Real

JSON = dict[str, Any]
#: Precisions that may be recorded with enclosures, the cheapest to check first; for a precision of
#: p bits the kernel computes with 2 p + 64.
PRECISIONS = (2, 128, 1024)
#: Bits of the recorded value of a number that is only known by an enclosure.
_RECORDED_BITS = 160


def evidence(
    found: FoundCounterexample,
    signature: Signature,
    group: Group | None = None,
    precision: int = PRECISIONS[-1],
) -> JSON:
    """Builds the evidence of a counterexample, of a difference, or of recorded values.

    Args:
        found: a counterexample in rational or ball arithmetic.
        signature: the typing of the claim.
        group: the group of the claim; None for an identity.
        precision: one of `PRECISIONS`, recorded with enclosures.

    Exactness: rationals are exact; intervals are rounded outwards, contain the ball that was found,
        and are disjoint.
    """
    result: JSON = {
        "sizes": dict(found.sizes),
        "inputs": {a.name: tensor(found.inputs[a.name]) for a in signature.inputs},
        "arithmetic": found.arithmetic,
        "entry": list(found.entry),
    }
    if found.arithmetic == "rational":
        result["left"], result["right"] = tensor(found.left), tensor(found.right)
    else:
        result["left"], result["right"] = intervals(
            found.left[found.entry], found.right[found.entry]
        )
        result["precision"] = precision
    if group is not None and group.factors:
        result["element"] = [e.to_evidence() for e in found.elements]
    if found.is_recorded and result.get("element") is not None:
        result["values"] = {"at": tensor(found.at), "moved": tensor(found.left)}
    elif found.is_recorded:
        result["values"] = {"left": tensor(found.left), "right": tensor(found.right)}
    return result


def tensor(array: Array) -> JSON:
    """Returns a tensor of rationals as JSON data: null where undefined, balls by their middle."""
    entries = [_rational_text(v) for v in np.asarray(array, dtype=object).flat]
    shape = [int(s) for s in array.shape]
    if prod(shape) != len(entries):
        raise ValueError("an array of another size than its shape says")
    return {"shape": shape, "values": entries}


def _rational_text(value: Any) -> str | None:
    if value is None:
        return None
    return str(recorded(value))


def recorded(value: Any) -> Fraction:
    """Returns the rational that represents a number: itself, or one in the middle of its ball."""
    if isinstance(value, Real) and not value.is_rational:
        low, high = value.bounds()
        return _round_to_step((low + high) / 2, Fraction(1, 2**_RECORDED_BITS))
    if isinstance(value, Real):
        return value.to_fraction()
    return Fraction(value)


def intervals(left: Any, right: Any) -> tuple[JSON | None, JSON | None]:
    """Returns disjoint intervals of short rationals around two numbers; null if undefined.

    Each is wider than the ball by up to a quarter of the gap between the two.

    Raises:
        ValueError: the enclosures overlap.
    """
    if left is None or right is None:
        return _interval_around(left), _interval_around(right)
    (a, b), (c, d) = _bounds_of(left), _bounds_of(right)
    gap = max(c - b, a - d)
    if gap <= 0:
        raise ValueError("the enclosures overlap")
    return _interval(a, b, gap / 4), _interval(c, d, gap / 4)


def _interval_around(value: Any) -> JSON | None:
    if value is None:
        return None
    low, high = _bounds_of(value)
    return _interval(low, high, max(Fraction(1, 2**20), abs(high) / 2**20))


def _bounds_of(value: Any) -> tuple[Fraction, Fraction]:
    if isinstance(value, Real):
        bounds: tuple[Fraction, Fraction] = value.bounds()
        return bounds
    return Fraction(value), Fraction(value)


def _interval(low: Fraction, high: Fraction, slack: Fraction) -> JSON:
    """Returns an interval that contains [low, high], wider on each side by at most `slack`."""
    step = Fraction(1)
    while step > slack / 2:
        step /= 2
    while step * 2 <= slack / 2:
        step *= 2
    return {"lo": str(_down(low - slack / 2, step)), "hi": str(-_down(-high - slack / 2, step))}


def _down(value: Fraction, step: Fraction) -> Fraction:
    """Returns the greatest multiple of step that is not above the value."""
    return (value / step).__floor__() * step


def _round_to_step(value: Fraction, step: Fraction) -> Fraction:
    return round(value / step) * step
