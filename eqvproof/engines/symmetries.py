"""Every group on every axis: which symmetries a function has."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from eqvproof.engines.claim import Claim
from eqvproof.engines.pipeline import check
from eqvproof.errors import GroupError
from eqvproof.groups import SUPPORTED, parse_group
from eqvproof.groups.model import FAMILIES
from eqvproof.verdict import Verdict

#: Families on one axis, larger groups before their subgroups.
LARGEST_FIRST = ("E", "SE", "GL", "O", "SO", "T", "Scale", "Signs", "S", "A", "D", "C")


def symmetries(claim: Claim, budget: float) -> list[Verdict]:
    """A verdict for every supported group on every axis of the inputs, those that hold first.

    Args:
        claim: the function and its typing; the group is left out of account.
        budget: seconds for all of it.

    Returns:
        Verdicts; among those that hold, larger groups before their subgroups.
    """
    order = [f for f in LARGEST_FIRST if f in SUPPORTED] + [f for f in SUPPORTED if f not in LARGEST_FIRST]
    axes = [n for n in claim.signature.input_names]
    tasks = [(family, axis) for family in order for axis in axes if family in FAMILIES]
    found: list[Verdict] = []
    end = time.monotonic() + budget
    for number, (family, axis) in enumerate(tasks):
        share = max(0.2, (end - time.monotonic()) / (len(tasks) - number))
        under = f"{family}({axis})"
        try:
            group = parse_group(under, claim.signature)
        except GroupError:  # translations of a value with two such axes: no claim that could be meant
            continue
        one = dataclasses.replace(claim, group=group, under=under, deadline=time.monotonic() + share)
        found.append(check(one))
    key: Callable[[Verdict], int] = lambda v: 0 if v.holds else 2 if v.fails else 1  # noqa: E731
    return sorted(found, key=key)
