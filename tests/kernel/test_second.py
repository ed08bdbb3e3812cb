"""The kernel and a second checker, written apart from it, agree on what is EXACT."""

from __future__ import annotations

import json
import random

import pytest

from eqvproof.kernel import Unreadable
from tests.kernel.corpus import accepted, reseal
from tests.kernel.encoding import check_certificate, encoded
from tests.kernel.mutate import mutants
from tests.kernel.points import certificate
from tests.kernel.rejected import REJECTED
from tests.kernel.second import KINDS, Unsure, is_exact

ACCEPTED = accepted()
POINTS = [name for name, data in ACCEPTED.items() if data["kind"] in KINDS]


def by_kernel(data: object) -> bool:
    """Whether the kernel accepts it as EXACT."""
    try:
        report = check_certificate(data)  # type: ignore[arg-type]
    except Unreadable:
        return False
    return report.accepted and report.grade == "EXACT"


@pytest.mark.parametrize("name", ACCEPTED)
def test_both_accept(name: str) -> None:
    wanted = name in POINTS and ACCEPTED[name]["evidence"]["arithmetic"] == "rational"
    assert is_exact(encoded(ACCEPTED[name])) == by_kernel(ACCEPTED[name]) == wanted


def test_both_reject() -> None:
    seen, unsure = 0, []
    for name, make in REJECTED.items():
        data = make()
        assert not by_kernel(data), name
        try:
            assert not is_exact(encoded(data)), name
            seen += isinstance(data, dict) and data.get("kind") in KINDS
        except Unsure:
            unsure.append(name)
    assert seen > 40 and len(unsure) < 3


@pytest.mark.parametrize("name", POINTS)
def test_both_say_the_same_of_every_changed_field(name: str) -> None:
    seen = unsure = kept = 0
    for k, (path, changed) in enumerate(mutants(encoded(ACCEPTED[name]))):
        if k % 6:
            continue
        data = reseal(changed)
        try:
            mine = is_exact(encoded(data))
        except Unsure:
            unsure += 1
            continue
        assert mine == by_kernel(data), (path, data)
        seen, kept = seen + 1, kept + mine
    assert seen > 60 and unsure < seen / 20 and kept < seen / 10


@pytest.mark.parametrize("name", ["square", "shifted"])
def test_both_say_the_same_of_changed_bytes(name: str) -> None:
    rng, text = random.Random(name), json.dumps(encoded(ACCEPTED[name])).encode()
    seen = 0
    for _ in range(250):
        at = rng.randrange(len(text))
        changed = text[:at] + bytes([rng.choice(b'019-/"[]{},:ndOx \xff')]) + text[at + rng.randrange(2) :]
        assert is_exact(changed) == by_kernel(changed), changed
        try:
            sealed = json.dumps(reseal(json.loads(changed))).encode()
        except (ValueError, TypeError, AttributeError):
            continue
        seen += 1
        assert is_exact(sealed) == by_kernel(sealed), sealed
    assert seen > 20


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_both_say_the_same_of_random_points(start: int) -> None:
    """All groups and operations; some elements are in no group, some sides are exchanged."""
    good = 0
    for seed in range(start, start + 50):
        data = certificate(seed)
        mine = is_exact(encoded(data))
        assert mine == by_kernel(data), (seed, check_certificate(data).reason, data)
        good += mine
    assert 4 < good < 40
