"""Groups given by generators: proofs, decisions, counterexamples as words, refusals."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims.groups import compose, generated_by, random_element, simple_elements
from eqvproof.engines.verdict.certificate import seal
from eqvproof.programs import Size
from eqvproof.programs import operations as ops
from eqvproof.programs.rules import Context
from eqvproof.support.errors import GroupError
from tests.programs.rules.reference import act_matrix, apply_along, determinant, equal, tensor
from tests.sampling import examples

KLEIN = generated_by([(1, 0, 3, 2), (2, 3, 0, 1)], name="V4")
TURNS = generated_by([[[0, -1], [1, 0]]], name="turns")
SQUARE = generated_by([[[0, -1], [1, 0]], np.array([[1, 0], [0, -1]])])
SHEARS = generated_by([[[1, 1], [0, 1]]])
SWAPS = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])

PROVED: list[tuple[Any, str, Any]] = [
    (lambda x: x - x.mean(), "X: n -> n", KLEIN),
    (lambda x: x[::-1], "X: n -> n", KLEIN),
    (lambda x: np.stack([x[1], x[0], x[3], x[2]]), "X: n -> n", KLEIN),
    (lambda x: x[0] * x[1] + x[2] * x[3], "X: n -> ()", KLEIN),
    (lambda x: SWAPS @ np.exp(x), "X: n -> n", KLEIN),
    (lambda x, y: x.sum(0) + y.sum(), "X: n d, Y: d -> d", [KLEIN, "S(d)"]),
    (lambda x: x - x.mean(), "X: 4 -> 4", generated_by([(1, 2, 3, 0)], axis=4)),
    (lambda x: np.stack([-x[1], x[0]]), "X: d n -> d n", TURNS),
    (lambda x: x.T @ x, "X: d n -> n n", SQUARE),
    (lambda x, y: (x[0] * y[1] - x[1] * y[0]) ** 2, "X: d n, Y: d n -> n", SQUARE),
    (lambda x: x[0] ** 4 + x[1] ** 4 + np.exp(x[0] ** 2 * x[1] ** 2), "X: d -> ()", SQUARE),
    (lambda x, y: (x * y).sum(0), "X: d n, Y: d* n -> n", SHEARS),
    (lambda x, y: x[0] * y[1] - x[1] * y[0], "X: d n, Y: d n -> n", SHEARS),
    (lambda x, y: x[0] * y[1] - x[1] * y[0], "X: d n, Y: d n -> n", TURNS),
    (lambda x: np.linalg.det(x) * np.linalg.inv(x), "X: d d! -> d! d*", SHEARS),
]
DECIDED: list[tuple[Any, str, Any]] = [
    (lambda x: np.sign(x), "X: d -> d", SQUARE),
    (lambda x: x[1], "X: d -> ()", SHEARS),
]
FAILS: list[tuple[Any, str, Any]] = [
    (lambda x: x[0] * x[1] - x[2] * x[3], "X: n -> ()", KLEIN),
    (lambda x: np.sort(x), "X: n -> n", KLEIN),
    (lambda x: x[[1, 0, 2, 3]], "X: n -> n", KLEIN),
    (lambda x: np.stack([-x[1], x[0]]), "X: d n -> d n", SQUARE),
    (lambda x: np.maximum(x, 0), "X: d n -> d n", TURNS),
    (lambda x, y: x[0] * y[1] - x[1] * y[0], "X: d n, Y: d n -> n", SQUARE),
    (lambda x: x[0], "X: d -> ()", SHEARS),
    (lambda x: np.linalg.inv(x), "X: d d! -> d! d", SHEARS),
    (lambda x, y: x.sum(0) * y, "X: n d, Y: n -> n", [KLEIN, "S(d)"]),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_proved(f: Any, signature: str, under: Any) -> None:
    verdict = ep.check(f, signature, under)
    assert verdict.grade == "PROVED", verdict.reason
    assert ep.verify(verdict.certificate).accepted
    assert "<" in ep.verify(verdict.certificate).statement  # the generators are stated


@pytest.mark.parametrize(("f", "signature", "under"), DECIDED)
def test_decided_by_generators(f: Any, signature: str, under: Any) -> None:
    assert ep.check(f, signature, under).grade == "DECIDED"


@pytest.mark.parametrize(("f", "signature", "under"), FAILS)
def test_near_misses_fail(f: Any, signature: str, under: Any) -> None:
    verdict = ep.check(f, signature, under)
    assert verdict.fails and verdict.grade == "EXACT"
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("word", [[0], [3], [-3], [1, 1], []])
def test_the_kernel_multiplies_the_word_itself(word: list[int]) -> None:
    """Words out of range are refused, and the identity shows no difference."""
    data = ep.check(lambda x: np.sort(x), "X: n -> n", KLEIN).certificate
    body = {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}
    body["evidence"]["element"][0]["word"] = word
    assert not ep.verify(seal("counterexample", **body)).accepted


@pytest.mark.parametrize("generators", [[[0, 0, 1, 2]], [[1, 0]], [], [[1, 0, 3, 2], [0, 1]], [["1", "0"]]])
def test_the_kernel_refuses_other_generators(generators: Any) -> None:
    data = ep.check(lambda x: x - x.mean(), "X: n -> n", KLEIN).certificate
    body = {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}
    body["claim"]["group"][0]["generators"] = generators
    assert not ep.verify(seal("proof", **body)).accepted


def test_orthogonal_is_not_taken_for_granted() -> None:
    data = ep.check(lambda x: x.T @ x, "X: d n -> n n", SQUARE).certificate
    body = {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}
    body["claim"]["group"][0]["generators"] = [[["1", "1"], ["0", "1"]]]
    assert not ep.verify(seal("proof", **body)).accepted


@pytest.mark.parametrize(
    "generators",
    [
        [],
        3,
        "ab",
        ["ab"],
        [(0, 0)],
        [(1, 0), (1, 2, 0)],
        [[[1, 1], [1, 1]]],
        [(0.5, 1)],
        [[[1, 0]]],
        [(1, 0), [[1]]],
    ],
)
def test_what_is_no_group_is_refused(generators: Any) -> None:
    with pytest.raises(GroupError):
        generated_by(generators)


def test_two_factors_on_one_axis_are_refused() -> None:
    with pytest.raises(GroupError, match="one axis"):
        ep.check(lambda x: x, "X: n -> n", [KLEIN, "S(n)"])
    with pytest.raises(GroupError, match="no axis"):
        ep.check(lambda x: x, "X: d -> d", KLEIN)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(60))
def test_words_name_the_elements(seed: int) -> None:
    rng = random.Random(seed)
    group = rng.choice([KLEIN, TURNS, SQUARE, SHEARS])
    (factor,) = group.factors
    size = len(factor.generators[0])
    g, h = (random_element(factor, size, rng) for _ in range(2))
    assert compose(g, g.inverse()).is_identity
    both = compose(g, h)
    step = {
        k + 1: e for k, e in enumerate(simple_elements(factor, size)) if len(e.word) == 1 and e.word[0] > 0
    }
    assert both.word == g.word + h.word and step


def test_a_finite_group_is_listed_once() -> None:
    (klein,), (square,) = KLEIN.factors, SQUARE.factors
    assert len(list(simple_elements(klein, 4))) == 3 and len(list(simple_elements(square, 2))) == 7


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_invariant_constants(seed: int) -> None:
    """Random elements leave a constant as it is in every type found."""
    rng = random.Random(seed)
    group = rng.choice([KLEIN, TURNS, SQUARE])
    (factor,) = group.factors
    size = len(factor.generators[0])
    swap = np.array(SWAPS) if size == 4 else np.array([[0, 1], [-1, 0]])
    eye = np.eye(size, dtype=int)
    array = rng.choice([swap, eye + swap, eye - 2 * swap, np.multiply.outer(swap, eye), eye[::-1], eye[0]])
    op = ops.Const((), tuple(Size.of(n) for n in array.shape), tuple(Fraction(int(v)) for v in array.ravel()))
    context = Context(
        factor.family,
        factor.axis,
        Size.of(size),
        [op],
        {},
        generators=factor.generators,
    )
    value = tensor(array.shape, list(op.values))
    for typed in op.typed([], context):
        rho = tensor((size, size), [v for row in random_element(factor, size, rng).matrix() for v in row])
        moved = value
        for axis, act in enumerate(typed.acts):
            moved = apply_along(act_matrix(act, array.shape[axis], rho, {}), moved, axis)
        sign = determinant(rho) if typed.odd else Fraction(1)
        assert equal(value, tensor(moved.shape, [sign * v for v in moved.ravel()]))
