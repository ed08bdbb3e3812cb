"""Profiles of plain functions, by lines: ten that are right, ten with a line that is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.interface.profile import Status

RNG = np.random.default_rng(5)
POINTS = {name: RNG.standard_normal(shape) for name, shape in (("x", (6, 3)), ("y", (6, 3)), ("z", (6,)))}


def centred(x):
    mean = x.mean(0)
    return x - mean


def distances(x):
    apart = x[:, None] - x[None]
    return np.sqrt((apart**2).sum(-1) + 1)


def attention(x):
    scores = np.exp(x @ x.T)
    weights = scores / scores.sum(1, keepdims=True)
    return weights @ x


def gated(x):
    size = (x**2).sum(-1, keepdims=True)
    gate = 1 / (1 + np.exp(-size))
    return x * gate


def crossed(x, y):
    normal = np.cross(x, y)
    return normal + 2 * x


def pooled(x):
    h = np.tanh(x @ WEIGHTS)
    return h.max(0)


def lengths(x):
    moved = x - x.mean(0)
    return (moved**2).sum(-1)


def sorted_values(z):
    s = np.sort(z)
    return (s * np.arange(6)).sum()


def odd(z):
    cube = z**3
    return np.sin(cube) + z


def message(x, z):
    apart = x[:, None] - x[None]
    return x + (apart * z[None, :, None]).sum(1)


WEIGHTS = RNG.standard_normal((3, 4))
RIGHT = {
    centred: ("x: n d -> n d", "S(n) x O(d)"),
    distances: ("x: n d -> n n", "S(n) x E(d)"),
    attention: ("x: n d -> n d", "S(n) x O(d)"),
    gated: ("x: n d -> n d", "S(n) x O(d)"),
    crossed: ("x: n 3, y: n 3 -> n 3", "SO(3) x S(n)"),
    pooled: ("x: n 3 -> 4", "S(n)"),
    lengths: ("x: n d -> n", "S(n) x E(d)"),
    sorted_values: ("z: n -> ()", "S(n)"),
    odd: ("z: n -> n", "Signs(n)"),
    message: ("x: n d, z: n -> n d", "S(n) x E(d)"),
}


def profiled(f, signature, under, dtype):
    """The profile at the points of its arguments, in that dtype."""
    names = [argument.name for argument in parse_signature(signature).inputs]
    return ep.profile(f, signature, under, {name: POINTS[name].astype(dtype) for name in names})


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_rounding_explains_what_a_right_function_shows(f, dtype):
    found = profiled(f, *RIGHT[f], dtype)
    assert found.holds and found.first is None, str(found)
    assert not [row for row in found.rows if row.status in (Status.BREAKS, Status.INHERITS)], str(found)
    assert found.rows[-1].error < 100 * np.finfo(dtype).eps and "rounding explains" in str(found)


def shifted(x):
    mean = x.mean(0)
    return (x - mean) * np.arange(6)[:, None]  # wrong


def numbered(x):
    h = np.tanh(x @ WEIGHTS)
    h = h + 0.01 * np.arange(6)[:, None]  # wrong
    return np.exp(h)


def first_row(x):
    h = x - x[:1]  # wrong
    return np.tanh(h)


def rectified(x):
    size = (x**2).sum(-1, keepdims=True)
    h = np.maximum(x, 0)  # wrong
    return h / (1 + size)


def biased(x):
    gate = 1 / (1 + (x**2).sum(-1, keepdims=True))
    h = x * gate + 0.125  # wrong
    return h * gate


def mirrored(x, y):
    normal = np.cross(x, y)
    h = normal * (normal * x).sum(-1, keepdims=True) + np.abs(x)  # wrong
    return h + 2 * y


def tilted(x):
    size = (x**2).sum(-1) + 1
    h = size + 0.01 * x[:, 0]  # wrong
    return np.log(h * h)


def placed(x):
    h = np.tanh(x)
    h = h - 0.5 * h**2  # wrong
    return h * 3


def local(z):
    s = np.cumsum(z)  # wrong
    return s / (1 + s**2)


def weighted(x):
    scores = x @ x.T
    scores = scores + 0.1 * np.tri(6)  # wrong
    return np.exp(scores) @ x


WRONG = {
    shifted: ("x: n d -> n d", "S(n)"),
    numbered: ("x: n 3 -> n 4", "S(n)"),
    first_row: ("x: n d -> n d", "S(n)"),
    rectified: ("x: n d -> n d", "S(n) x O(d)"),
    biased: ("x: n d -> n d", "O(d) x S(n)"),
    mirrored: ("x: n 3, y: n 3 -> n 3", "SO(3) x S(n)"),
    tilted: ("x: n d -> n", "O(d)"),
    placed: ("x: n d -> n d", "Signs(d)"),
    local: ("z: n -> n", "S(n)"),
    weighted: ("x: n d -> n d", "S(n)"),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("f", WRONG, ids=lambda f: f.__name__)
def test_the_first_wrong_line_is_named(f, dtype):
    found = profiled(f, *WRONG[f], dtype)
    assert not found.holds and found.first is not None, str(found)
    assert found.first.path.endswith("# wrong"), str(found)
    assert found.first.error > 1000 * found.first.rounding
    before = found.rows[: found.rows.index(found.first)]
    assert all(row.status is Status.KEEPS for row in before), str(found)


def test_the_error_is_that_of_the_definition():
    x, p = POINTS["x"], (1, 2, 0, 3, 5, 4)
    found = ep.profile(numbered, "x: n 3 -> n 4", "S(n)", [x], element={"n": p})
    left, right = numbered(x[list(p)]), numbered(x)[list(p)]
    error = np.linalg.norm(left - right) / max(np.linalg.norm(left), np.linalg.norm(right))
    assert found.rows[-1].error == found.error == pytest.approx(error, rel=1e-12)


def test_a_defect_below_rounding_is_not_seen_and_said_to_be_rounding():
    def nearly(x):
        return x + np.float32(1e-9) * np.arange(6, dtype=np.float32)[:, None]

    x = POINTS["x"].astype(np.float32)
    assert ep.profile(nearly, "x: n d -> n d", "S(n)", [x]).holds
    assert not ep.profile(nearly, "x: n d -> n d", "S(n)", [x.astype(float)]).holds
    assert ep.check(nearly, "x: n d -> n d", "S(n)", sizes={"n": 6, "d": 3}).fails
