"""Irreps carried by tensors: the maps between them, proofs that rest on them, and near misses."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.representations import tensors
from eqvproof.engines.representations.harmonics import irreps_function
from eqvproof.groups import Factor, random_element

KINDS = [(degree, natural) for degree in (0, 1, 2) for natural in (True, False)]


def summed(arrays: Any) -> Any:
    """The array as floats."""
    return sum(math.sqrt(3) ** root * np.array(array, dtype=float) for root, array in arrays)


def power(q: Any, array: Any) -> Any:
    """Q on every axis but the first."""
    for axis in range(1, array.ndim):
        array = np.moveaxis(np.tensordot(q, array, (1, axis)), 0, axis)
    return array


@pytest.mark.parametrize("make", [tensors._into, tensors._onto, tensors._beside])
@pytest.mark.parametrize(("degree", "natural"), KINDS)
def test_the_maps_are_equivariant_and_lose_nothing(make: Any, degree: int, natural: bool) -> None:
    """``rho(g)^T C = T(g)^T C`` on the first axis and on the others; C has full rank."""
    array = summed(make(degree, natural))
    parity = "e" if natural == (degree % 2 == 0) else "o"
    for seed in range(6):
        q = np.array(random_element(Factor("O", "d"), 3, random.Random(seed)).data, dtype=float)
        rho = irreps_function(((1, degree, parity),))(q)
        assert np.allclose(np.tensordot(rho, power(q, array), (1, 0)), array, atol=1e-12)
    assert np.linalg.matrix_rank(array.reshape(len(array), -1)) == 2 * degree + 1


@pytest.mark.parametrize(("degree", "natural"), KINDS)
def test_onto_takes_back_what_into_gives(degree: int, natural: bool) -> None:
    into, onto = summed(tensors._into(degree, natural)), summed(tensors._onto(degree, natural))
    both = np.tensordot(onto.reshape(len(onto), -1), into.reshape(len(into), -1), (1, 1))
    assert np.allclose(both, np.eye(2 * degree + 1), atol=1e-12)


def dot(x: Any, y: Any) -> Any:
    return (x * y).sum(keepdims=True)


def mixed(x: Any, y: Any) -> Any:
    c = np.cross(x, y)
    return np.concatenate([dot(x, y), c, x * dot(y, y), y])


def quadratic(x: Any) -> Any:
    a, b, c = x[0], x[1], x[2]
    s = np.sqrt(3)
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
