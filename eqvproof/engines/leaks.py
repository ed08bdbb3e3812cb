"""Says which entry of a result depends on which entry beyond those that it may depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from eqvproof.claims.dependence import End
from eqvproof.engines.verdict import Counterexample, Verdict


def name_leak(verdict: Verdict, ends: Sequence[End]) -> Verdict:
    """Returns a verdict whose reason begins with the entries that its counterexample shows.

    Args:
        verdict: that on a claim of `within_window`.
        ends: what is beyond, in the claim.
    """
    found = verdict.counterexample
    if found is None:
        return verdict
    for end in ends:
        axis = end.results.get(found.result, -1)
        if len(end.results) == len(ends) == 1:
            (axis,) = end.results.values()
        if axis >= 0 and (leak := _leak(found, end, axis)):
            return replace(verdict, reason="; ".join(filter(None, (leak, verdict.reason))))
    return verdict


def _leak(found: Counterexample, end: End, axis: int) -> str:
    """Writes which entry along an axis depends on which; "" if that is not known."""
    entry, distance, parts = found.entry[axis], 0, list[str]()
    for name, own, changed, (at, along) in end.parts:
        before, after = (np.asarray(side[changed]) for side in (found.inputs, found.moved))
        others = tuple(k for k in range(before.ndim) if k != along)
        is_mask = before.dtype == bool or all(isinstance(v, bool) for v in before.flat)
        chosen = (before if is_mask else before != after).any(axis=others)
        places = [int(k) for k in np.flatnonzero(chosen)]
        if end.is_later:
            places = [k + np.asarray(found.inputs[own]).shape[at] for k in places]
        else:
            entry = found.entry[axis] + before.shape[along] + end.margin
        parts += [f"{place} of {name}" for place in places]
        distance = abs(places[0] - entry) if places else distance
    if not parts:
        return ""
    whose = f" of {found.result}" if found.result and len(end.results) > 1 else " of the result"
    if len(parts) > 1:
        return f"entry {entry}{whose} depends on one or more of the entries {', '.join(parts)}"
    words = ("earlier", "later")[end.is_later]
    return f"entry {entry}{whose} depends on entry {parts[0]}, {distance} {words}"
