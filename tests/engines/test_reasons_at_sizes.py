"""Where a claim gives all sizes, the reason for a weak verdict is what stands in the way at these sizes."""

from __future__ import annotations

from typing import Any

import eqvproof as ep


def takes_bytes(x: Any) -> Any:
    if len(x) < 2:
        return x - x
    return x / len(x.tobytes())


def test_the_reason_is_that_of_the_sizes() -> None:
    given = ep.check(takes_bytes, "x: n -> n", "S(n)", sizes={"n": (3, 4)})
    assert given.grade == "TESTED" and "no trace at any of these sizes: n = 3" in given.reason
    assert "tobytes()" in given.reason and "depends on the size" not in given.reason


def test_the_reason_is_that_of_all_sizes() -> None:
    every = ep.check(takes_bytes, "x: n -> n", "S(n)")
    assert every.grade == "TESTED" and "n < 2 depends on the size" in every.reason
