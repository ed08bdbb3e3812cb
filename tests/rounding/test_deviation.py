"""A difference above its bound is a violation; below it, rounding explains it."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Element, act, random_element, reach
from eqvproof.claims.groups.model import Factor
from eqvproof.claims.signature import parse_signature
from eqvproof.interface.testing import assert_equivariant_floats
from eqvproof.support.errors import EqvproofError, GroupError, OptionError, ShapeError

rng = np.random.default_rng(1)


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(X):
    return X @ softmax(X.T @ X, axis=0)


def biased(X):
    return attention(X) + np.float32(1e-3) * X[:1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("under", ["O(d)", "S(n)", "O(d) x S(n)", "Signs(d)"])
def test_right_layers_are_within_rounding(under, dtype) -> None:
    for seed in range(5):
        X = rng.normal(size=(4, 6)).astype(dtype)
        found = ep.deviation(attention, "X: d n -> d n", under, [X], seed=seed)
        assert not found.is_violation, str(found)
        assert "rounding is enough" in str(found)
        assert found.bound.max() < 1e-2


def test_a_small_bias_is_a_certain_violation() -> None:
    X = rng.normal(size=(4, 6)).astype(np.float32)
    found = ep.deviation(biased, "X: d n -> d n", "O(d)", [X], seed=3)
    assert found.is_violation
    assert "certain violation" in str(found)
    assert found.beyond[found.worst]


def test_elements_as_counterexamples_hold_them() -> None:
    X = rng.normal(size=(2, 3)).astype(np.float32)
    turn = ((Fraction(3, 5), Fraction(-4, 5)), (Fraction(4, 5), Fraction(3, 5)))
    for element in ({"d": turn}, turn, Element("O", "d", turn), np.array([[0, 1], [1, 0]])):
        assert not ep.deviation(attention, "X: d n -> d n", "O(d)", [X], element).is_violation
    found = ep.deviation(attention, "X: d n -> d n", "S(n)", [X], {"n": (1, 2, 0)})
    assert np.allclose(found.left, attention(X[:, [1, 2, 0]]))
    with pytest.raises(GroupError):
        ep.deviation(attention, "X: d n -> d n", "O(d)", [X], np.ones((2, 2)))
    with pytest.raises(GroupError):
        ep.deviation(attention, "X: d n -> d n", "O(d) x S(n)", [X], turn)
    with pytest.raises(ShapeError):
        ep.deviation(attention, "X: d n -> d n", "O(d)", [])


def test_translations_and_motions() -> None:
    def distances(X):
        return ((X[:, None, :] - X[None, :, :]) ** 2).sum(-1)

    for under in ("T(d)", "E(d)", "SE(d)"):
        X = rng.normal(size=(4, 3)).astype(np.float32)
        assert not ep.deviation(distances, "X: n d -> n n", under, [X]).is_violation
    wrong = ep.deviation(lambda X: X @ X.T, "X: n d -> n n", "T(d)", [X])
    assert wrong.is_violation


def test_errors_reach_as_far_as_the_element_carries_them() -> None:
    """|g e| <= reach(g, |e|), exactly, for elements of every kind of matrix."""
    import random

    axes = parse_signature("X: d n -> d n").output
    for family in ("O", "SO", "GL", "E", "Signs", "Scale"):
        for seed in range(5):
            g = random_element(Factor(family, "d"), 3, random.Random(seed))
            e = rng.normal(size=(3, 2))
            linear = Element("O", "d", g.matrix()) if family in ("E",) else g
            moved = np.abs(act(linear, e, axes).astype(float))
            assert (moved <= reach(g, np.abs(e), axes) * (1 + 1e-12)).all()


def test_assertions_pass_and_fail() -> None:
    found = assert_equivariant_floats(attention, "X: d n -> d n", "O(d) x S(n)", sizes={"d": 4, "n": 8})
    assert not found.is_violation
    with pytest.raises(AssertionError, match=r"entry .* certain violation"):
        assert_equivariant_floats(biased, "X: d n -> d n", "O(d)", sizes={"d": 4, "n": 8})
    with pytest.raises(EqvproofError):
        assert_equivariant_floats(
            lambda X: np.linalg.pinv(X - X.mean(axis=0)), "X: n n -> n n", "S(n)", trials=2
        )


needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16"])
def test_modules_are_tested_in_their_dtype(dtype) -> None:
    import torch

    torch.manual_seed(0)

    class Sets(torch.nn.Module):
        def __init__(self, bias: float) -> None:
            super().__init__()
            self.phi, self.bias = torch.nn.Linear(3, 8), bias

        def forward(self, X):
            h = torch.tanh(self.phi(X))
            return h + h.mean(0) + self.bias * h[:1]

    kind = getattr(torch, dtype)
    found = assert_equivariant_floats(Sets(0.0).to(kind), "X: n 3 -> n 8", "S(n)", sizes={"n": 16})
    assert found.dtype == dtype
    with pytest.raises(AssertionError, match=dtype):
        assert_equivariant_floats(Sets(0.5).to(kind), "X: n 3 -> n 8", "S(n)", sizes={"n": 16})


def test_arrays_by_name_and_alone() -> None:
    X, Y = rng.normal(size=(4, 3)).astype(np.float32), rng.normal(size=(2, 3)).astype(np.float32)

    def products(X, Y):
        return X @ Y.T

    signature = "X: n d, Y: m d -> n m"
    for arrays in ([X, Y], (X, Y), {"Y": Y, "X": X}):
        found = ep.deviation(products, signature, "O(d)", arrays, seed=1)
        assert not found.is_violation and found.left.shape == (4, 2)
    by_name = ep.rounding_bound(products, signature, {"Y": Y, "X": X})
    assert np.array_equal(by_name.bound, ep.rounding_bound(products, signature, X, Y).bound)
    assert not ep.deviation(attention, "X: d n -> d n", "O(d)", X).is_violation
    whole = np.arange(6).reshape(2, 3)
    turned = ep.deviation(attention, "X: d n -> d n", "O(d)", whole, seed=1)
    assert turned.dtype == "float64" and not turned.is_violation and turned.bound.max() < 1e-10


X = np.ones((4, 3), dtype=np.float32)


@pytest.mark.parametrize(
    ("arrays", "options", "error"),
    [
        ({"Z": X}, {}, ShapeError),
        ({"X": X, "Z": X}, {}, ShapeError),
        ([X[0]], {}, ShapeError),
        (["text"], {}, ShapeError),
        ([[[1, 2], [3]]], {}, ShapeError),
        ([X + 1j], {}, ShapeError),
        ([None], {}, ShapeError),
        ([X], {"element": {"n": (1, 0, 2)}}, GroupError),
        ([X], {"element": np.full((4, 4), np.nan)}, GroupError),
        ([X], {"element": "swap"}, GroupError),
        ([X], {"dtype": "float31"}, OptionError),
        ([X], {"model": "likely"}, OptionError),
    ],
)
def test_what_is_no_point_is_an_error_in_words(arrays, options, error) -> None:
    with pytest.raises(error):
        ep.deviation(attention, "X: d n -> d n", "O(d)", arrays, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"dtype": "float31"},
        {"rounding": "likely"},
        {"sizes": {"q": 3}},
        {"sizes": [3]},
        {"sizes": {"n": (1, 3)}},
        {"trials": 0},
    ],
)
def test_what_is_no_option_of_an_assertion_is_an_error_in_words(options) -> None:
    with pytest.raises(OptionError):
        assert_equivariant_floats(attention, "X: d n -> d n", "O(d)", **options)


@needs_torch
def test_devices_and_dtypes_that_do_not_fit_are_errors_in_words() -> None:
    import torch

    def layer(X):
        return torch.relu(X @ X.T)

    with pytest.raises(OptionError, match="device"):
        assert_equivariant_floats(layer, "X: n d -> n n", "O(d)", device="gpu")
    assert assert_equivariant_floats(layer, "X: n d -> n n", "O(d)", dtype=np.float32).dtype == "float32"
    linear = torch.nn.Linear(3, 2)
    with pytest.raises(EqvproofError, match="dtype"):
        ep.deviation(linear, "X: n 3 -> n 2", "S(n)", [torch.ones(4, 3, dtype=torch.float64)])
    whole = ep.deviation(layer, "X: n d -> n n", "O(d)", torch.arange(6).reshape(2, 3), seed=1)
    assert not whole.is_violation


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32, bool])
def test_integers_become_floats_which_do_not_wrap(kind: Any) -> None:
    X = np.array([1, 0, 1]).astype(kind) if kind is bool else np.array([np.iinfo(kind).max, 1, 2], dtype=kind)
    found = ep.deviation(lambda X: 2 * X, "X: n -> n", "Signs(n)", [X], (-1, 1, -1))
    assert not found.is_violation
    assert ep.deviation(abs, "X: n -> n", "Signs(n)", [X], (-1, 1, 1)).is_violation


def test_arrays_of_two_types_are_bounded_in_the_shorter() -> None:
    Y = np.float32(np.random.default_rng(0).normal(size=40) * 100)
    turn = tuple(range(39, -1, -1))
    for arrays in ([np.zeros(40), Y], [Y, np.zeros(40)]):
        f = lambda A, B: 0 * (A + B) + (A * A).sum() + (B * B).sum()  # noqa: E731
        found = ep.deviation(f, "A: n, B: n -> n", "S(n)", arrays, turn)
        assert found.dtype == "float32"
        assert not found.is_violation


@pytest.mark.parametrize("most", [65504.0, 3.4e38, 1.7e308])
def test_numbers_that_an_element_moves_beyond_the_format_have_no_bound(most: float) -> None:
    kind = {65504.0: np.float16, 3.4e38: np.float32}.get(most, np.float64)
    turn = {"d": ((Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)))}
    found = ep.deviation(lambda X: X * 1, "X: d n -> d n", "O(d)", [np.full((2, 1), most, kind)], turn)
    assert found.bound[0, 0] == np.inf
    assert not found.is_violation
