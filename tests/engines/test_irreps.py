"""Irreps on axes: proofs by types, and near misses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep


def dot(x: Any, y: Any) -> Any:
    return (x * y).sum(keepdims=True)


def mixed(x: Any, y: Any) -> Any:
    c = np.cross(x, y)
    return np.concatenate([dot(x, y), c, x * dot(y, y), y])


def quadratic(x: Any) -> Any:
    a, b, c = x[0], x[1], x[2]
    s = 3**0.5
    return np.stack([s * a * c, s * a * b, b * b - (a * a + c * c) / 2, s * b * c, s / 2 * (c * c - a * a)])


def partly(w: Any) -> Any:
    """Its entries are undefined at different places."""
    return np.sqrt(w) ** 2


IN_1E = "w: m -> m"
#: function, signature, group, irreps, whether it is right
CLAIMS: list[tuple[Any, str, str, Any, bool]] = [
    (np.cross, "a: d, b: d -> m", "O(d)", {"m": "1e"}, True),
    (np.cross, "a: d, b: d -> m", "O(d)", {"m": "1o"}, False),
    (np.cross, "w: m, b: d -> d", "O(d)", {"m": "1e"}, True),
    (lambda w, b: w + b, "w: m, b: d -> d", "O(d)", {"m": "1e"}, False),
    (lambda a, b, c: dot(np.cross(a, b), c), "a: d, b: d, c: d -> m", "O(d)", {"m": "0o"}, True),
    (lambda a, b, c: abs(dot(np.cross(a, b), c)), "a: d, b: d, c: d -> m", "O(d)", {"m": "0o"}, False),
    (lambda s, v: s * v, "s: m, v: d -> k", "O(d)", {"m": "0o", "k": "1e"}, True),
    (np.tanh, "s: m -> m", "O(d)", {"m": "0o"}, True),
    (np.exp, "s: m -> m", "O(d)", {"m": "0o"}, False),
    (lambda w: w / np.sqrt(dot(w, w)), IN_1E, "O(d)", {"m": "1e"}, True),
    (lambda w: w * (1 + w), IN_1E, "O(d)", {"m": "1e"}, False),
    (mixed, "x: d, y: d -> m", "O(d)", {"m": "0e + 1e + 2x1o"}, True),
    (mixed, "x: d, y: d -> m", "O(d)", {"m": "0e + 1o + 1e + 1o"}, False),
    (quadratic, "x: d -> m", "O(d)", {"m": "2e"}, True),
    (lambda x: quadratic(x)[::-1], "x: d -> m", "O(d)", {"m": "2e"}, False),
    (lambda h: h * dot(h, h), "h: m -> m", "O(d)", {"m": "2e"}, True),
    (lambda h: h * dot(h, h), "h: m -> m", "O(d)", {"m": "2o"}, True),
    (lambda h: h * np.sqrt(dot(h, h)), "h: m -> m", "SO(d)", {"m": "2e + 1o"}, True),
    (lambda h: h * h, "h: m -> m", "O(d)", {"m": "2o"}, False),
    (lambda x: np.cross(x[:, 0], x[:, 1]), "x: n 2 d -> n m", "O(d) x S(n)", {"m": "1e"}, True),
    (lambda x, y: np.cross(x - y, y - x[::-1]), "x: d, y: d -> m", "E(d)", {"m": "1e"}, False),
    (lambda x, y, z: np.cross(x - y, y - z), "x: d, y: d, z: d -> m", "E(d)", {"m": "1e"}, True),
]  # fmt: skip


@pytest.mark.parametrize(("f", "signature", "under", "irreps", "right"), CLAIMS)
def test_claims(f: Any, signature: str, under: str, irreps: dict[str, str], right: bool) -> None:
    reps = {axis: (under.split(" x ")[0], text) for axis, text in irreps.items()}
    proof = ep.prove(f, signature, under, sizes={"d": 3} if " d" in signature else None, reps=reps)
    if right:
        assert proof.grade == "PROVED", proof.reason
        assert ep.verify(proof.certificate).accepted
        assert str(proof.signature) == signature
    else:
        assert proof.outcome == "UNDECIDED"
        verdict = ep.check(f, signature, under, sizes={"d": 3} if " d" in signature else None, reps=reps)
        assert verdict.fails, str(verdict)


def test_a_result_that_is_undefined_in_part_is_not_proved() -> None:
    assert not ep.prove(partly, IN_1E, "O(d)", reps={"m": ("O(d)", "1e")}).holds


#: A table, and whether it is read as the identity: up to roundings of the shortest floats that hold it, which
#: are float32 only where a function of NumPy holds float32 at all (docs/trust.md).
NEAR_THE_IDENTITY = {
    "whole": (np.diag([10**6, 10**6, 10**6 + 1]), False),
    "whole, in floats": (np.diag([1e6, 1e6, 1e6 + 1]), False),
    "float32": (np.diag([1, 1, 1 + 2.0**-21]).astype(np.float32), True),
    "float32 in float64": (np.diag([1, 1, 1 + 2.0**-21]), False),
    "more than roundings of float32": (np.diag([1, 1, 1 + 2.0**-18]).astype(np.float32), False),
    "float64": (np.diag([1, 1, 1 + 2.0**-50]), True),
    "more than roundings of float64": (np.diag([1, 1, 1 + 2.0**-45]), False),
}


@pytest.mark.parametrize("name", NEAR_THE_IDENTITY)
def test_tables_are_read_in_the_shortest_floats_that_hold_them(name: str) -> None:
    """Whole numbers are no roundings of others."""
    table, right = NEAR_THE_IDENTITY[name]
    reps = {"m": ("O(3)", "1o")}
    verdict = ep.check(lambda x: table @ x, "x: m -> m", "O(3)", reps=reps)
    assert (verdict.grade, bool(verdict.readings)) == (("PROVED", True) if right else ("EXACT", False))
    assert ep.verify(verdict.certificate).accepted
    literal = ep.check(lambda x: table @ x, "x: m -> m", "O(3)", reps=reps, constants="literal")
    assert literal.fails and literal.grade == "EXACT"
