"""Periodic cells, Z(d) each n: as people write functions of points in fractional coordinates."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved, assert_refuted
from tests.kernel.corpus import reseal

F = Callable[..., Any]
WAVES = np.array([[1, 0, 0], [0, 2, -1], [1, 1, 3]])
WEIGHTS = np.random.default_rng(0).normal(size=(6, 4)).round(2)
EACH = "Z(d) each n"


def wrapped(x):
    return x % 1


def wrapped_by_floor(x):
    return x - np.floor(x)


def wrapped_around_0(x):
    return np.mod(x + 0.5, 1.0) - 0.5


def wrapped_by_truncation(x):
    return x - np.trunc(x)


def wrapped_to_half_a_cell(x):
    return x % 0.5


def wrapped_in_a_larger_cell(x):
    return x % 2


def cell_index(x):
    return np.floor(x)


def minimum_image(x):
    d = x[:, None] - x[None]
    d -= np.round(d)
    return (d**2).sum(-1)


def image_by_floor(x, cell):
    d = x[:, None] - x[None]
    d = (d - np.floor(d + 0.5)) @ cell
    return np.sqrt((d**2).sum(-1))


def image_by_rint(x, cell):
    d = x[:, None] - x[None]
    d = (d - np.rint(d)) @ cell
    return np.sqrt((d**2).sum(-1))


def rounded_after_the_cell(x, cell):
    d = (x[:, None] - x[None]) @ cell
    d = d - np.floor(d + 0.5)
    return (d**2).sum(-1)


def distances_without_images(x, cell):
    d = (x[:, None] - x[None]) @ cell
    return (d**2).sum(-1)


def image_of_one_coordinate(x):
    d = x[:, None] - x[None]
    d[..., 0] = d[..., 0] - np.floor(d[..., 0] + 0.5)
    return (d**2).sum(-1)


def lennard_jones(x, cell):
    squares = image_by_floor(x, cell) ** 2 + 1e9 * np.eye(len(x))
    return (squares**-6 - squares**-3).sum()


def fourier_features(x):
    angles = 2 * np.pi * x
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def fourier_features_of_half_the_period(x):
    return np.concatenate([np.sin(np.pi * x), np.cos(np.pi * x)], axis=-1)


def structure_factor(x):
    return np.abs(np.exp(2j * np.pi * x @ WAVES.T).sum(0)) ** 2


def structure_factor_without_2_pi(x):
    return np.abs(np.exp(1j * x @ WAVES.T).sum(0)) ** 2


def structure_factor_of_half_waves(x):
    return np.abs(np.exp(np.pi * 1j * x @ WAVES.T).sum(0)) ** 2


def sine_squared_distance(x):
    return (np.sin(np.pi * (x[:, None] - x[None])) ** 2).sum(-1)


def sine_distance(x):
    return np.sin(np.pi * (x[:, None] - x[None])).sum(-1)


def network(x):
    features = np.concatenate([np.sin(2 * np.pi * x), np.cos(2 * np.pi * x)], axis=-1)
    return np.tanh(features @ WEIGHTS).sum()


def network_of_coordinates(x):
    return np.tanh(np.concatenate([x, x**2], axis=-1) @ WEIGHTS).sum()


def attention(x):
    d = x[:, None] - x[None]
    d = d - np.floor(d + 0.5)
    scores = np.exp(-(d**2).sum(-1))
    return (scores / scores.sum(1, keepdims=True)) @ np.cos(2 * np.pi * x)


def attention_to_positions(x):
    d = x[:, None] - x[None]
    d = d - np.floor(d + 0.5)
    scores = np.exp(-(d**2).sum(-1))
    return (scores / scores.sum(1, keepdims=True)) @ x


def supercell(x, cell):
    corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    points = ((x % 1)[:, None] + corners).reshape(-1, 3) @ cell
    return np.exp(-((points[:, None] - points[None]) ** 2).sum(-1)).sum()


def supercell_without_wrapping(x, cell):
    corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    points = (x[:, None] + corners).reshape(-1, 3) @ cell
    return np.exp(-((points[:, None] - points[None]) ** 2).sum(-1)).sum()


def centre(x):
    return x.mean(0)


def centre_on_a_circle(x):
    angles = 2 * np.pi * x
    return np.sin(angles).mean(0), np.cos(angles).mean(0)


def density(x):
    return np.exp(4 * np.cos(2 * np.pi * (x[None] - np.arange(8)[:, None, None] / 8)).sum(-1)).sum(1)


def histogram(x):
    box = np.floor(8 * (x - np.floor(x)))
    return (box[None, :, 0] == np.arange(8)[:, None]).sum(1)


def histogram_without_wrapping(x):
    return (np.floor(8 * x)[None, :, 0] == np.arange(8)[:, None]).sum(1)


def images_in_a_shell(x, cell):
    d = x[:, None] - x[None]
    d = (d - np.floor(d + 0.5)) @ cell
    return np.where((d**2).sum(-1) < 0.16, 1.0, 0.0).sum(1)


CELL = "x: n d, cell: d! d! -> n n"
RIGHT: list[tuple[F, str, str]] = [
    (wrapped, "x: n d -> n d!", EACH),
    (wrapped_by_floor, "x: n d -> n d!", EACH + " x S(n)"),
    (wrapped_around_0, "x: n d -> n d!", EACH),
    (cell_index, "x: n d -> n d", EACH),
    (image_by_floor, CELL, EACH + " x S(n)"),
    (lennard_jones, "x: n d, cell: d! d! -> ()", EACH + " x S(n)"),
    (fourier_features, "x: n d -> n 2d!", EACH),
    (structure_factor, "x: n 3 -> 3!", "Z(3) each n x S(n)"),
    (sine_squared_distance, "x: n d -> n n", EACH),
    (network, "x: n 3 -> ()", "Z(3) each n x S(n)"),
    (attention, "x: n d -> n d!", EACH + " x S(n)"),
    (supercell, "x: n 3, cell: 3! 3! -> ()", "Z(3) each n"),
    (centre, "x: n d -> d", "Z(d) x S(n)"),
    (centre_on_a_circle, "x: n d -> s: d!, c: d!", EACH),
    (density, "x: n d -> 8", EACH),
    (histogram, "x: n 3 -> 8", "Z(3) each n x S(n)"),
    (images_in_a_shell, "x: n d, cell: d! d! -> n", EACH + " x S(n)"),
]  # fmt: skip
WRONG: list[tuple[F, str, str]] = [
    (wrapped_by_truncation, "x: n d -> n d!", EACH),
    (wrapped_in_a_larger_cell, "x: n d -> n d!", EACH),
    (wrapped, "x: n d -> n d!", "T(d)"),
    (cell_index, "x: n d -> n d!", EACH),
    (image_by_rint, CELL, EACH),
    (rounded_after_the_cell, CELL, EACH),
    (distances_without_images, CELL, EACH),
    (image_of_one_coordinate, "x: n d -> n n", EACH),
    (fourier_features_of_half_the_period, "x: n d -> n 2d!", EACH),
    (structure_factor_without_2_pi, "x: n 3 -> 3!", "Z(3) each n"),
    (structure_factor_of_half_waves, "x: n 3 -> 3!", "Z(3) each n"),
    (sine_distance, "x: n d -> n n", EACH),
    (network_of_coordinates, "x: n 3 -> ()", "Z(3) each n"),
    (attention_to_positions, "x: n d -> n d!", EACH),
    (supercell_without_wrapping, "x: n 3, cell: 3! 3! -> ()", "Z(3) each n"),
    (centre, "x: n d -> d!", EACH),
    (histogram_without_wrapping, "x: n 3 -> 8", "Z(3) each n"),
]  # fmt: skip


@np.errstate(all="ignore")
def holds_at_random_points(f: F, signature: str, under: str, *, on_a_grid: bool = True) -> bool:
    """Compares both sides in floats, from the texts alone: at points on a grid of quarters, and others."""
    rng = np.random.default_rng(1)
    left, right = signature.split("->")
    size = {"n": 4, "d": 3, "3": 3, "3!": 3, "d!": 3}
    shapes = [tuple(size[a] for a in part.split(":")[1].split()) for part in left.split(",")]
    moved_result = re.search(r"\bd$", right.strip()) is not None
    for k in range(40):
        x, *cell = (rng.normal(size=shape) for shape in shapes)
        if k % 2 and on_a_grid:
            x = np.round(4 * x) / 4
        move = rng.integers(-3, 4, size=x.shape) if "Z" in under else rng.normal(size=3)
        if "Z" in under and "each" not in under:
            move = move[0]
        before, after = (np.stack(parts) if type(parts := f(y.copy(), *cell)) is tuple else parts
                         for y in (x, x + move))  # fmt: skip
        expected = before + move if moved_result else before
        if not np.allclose(after, expected, atol=1e-6, equal_nan=True):  # points may coincide
            return False
    return True


@pytest.mark.parametrize(("f", "signature", "under"), RIGHT)
def test_right_functions_are_proved(f: F, signature: str, under: str) -> None:
    assert holds_at_random_points(f, signature, under)
    verdict = assert_proved(f, signature, under)
    assert not verdict.points


@pytest.mark.parametrize(("f", "signature", "under"), WRONG)
def test_wrong_functions_are_refuted(f: F, signature: str, under: str) -> None:
    assert not holds_at_random_points(f, signature, under)
    found = assert_refuted(f, signature, under).counterexample
    assert found is not None
    if "each" in under:
        vectors = np.array([*found.element.values()], object)
        assert all(Fraction(v).denominator == 1 for v in vectors.ravel())
    shown: list[str] = []
    exec(found.code(), {"print": lambda *parts: shown.append(str(parts))})
    assert len(shown) == 3


def test_halves_are_rounded_up_or_down() -> None:
    squares = assert_proved(minimum_image, "x: n d -> n n", EACH)
    (points,) = squares.points
    assert "no entry of d is halfway between two whole numbers" in points.words_off

    def image(x):
        return x - np.round(x)

    claim = (image, "x: n d -> n d!", EACH)
    verdict = assert_refuted(*claim)
    assert [p.words for p in verdict.points] and verdict.elsewhere is not None
    assert verdict.elsewhere.holds and ep.verify(verdict.elsewhere.certificate).accepted
    found = verdict.counterexample
    assert found is not None and found.inputs["x"].ravel().tolist() == [Fraction(1, 2)]
    assert assert_proved(*claim, generic=True).points == verdict.points
    nearest = ep.check(image, "x: n d -> n d!", "T(d)").nearest
    assert nearest is not None and nearest.under == "Z(d)"


def test_torch_and_jax() -> None:
    torch = pytest.importorskip("torch")
    jnp = pytest.importorskip("jax.numpy")
    assert_proved(lambda x: x % 1, "x: n d -> n d!", EACH)
    assert_proved(lambda x: torch.floor(x), "x: n d -> n d", EACH)
    assert_refuted(lambda x: torch.fmod(x, 1), "x: n d -> n d!", EACH)
    assert_proved(lambda x: x - jnp.floor(x), "x: n d -> n d!", EACH)
    assert_refuted(lambda x: jnp.fmod(x, 1), "x: n d -> n d!", EACH)


def test_the_kernel_takes_integers_alone() -> None:
    """A certificate under Z is none under T, and an element of Z has whole entries."""
    proved = copy.deepcopy(assert_proved(wrapped_by_floor, "x: n d -> n d!", "Z(d)").certificate)
    refuted = copy.deepcopy(assert_refuted(cell_index, "x: n d -> n d!", "Z(d)").certificate)
    assert proved is not None and refuted is not None
    for entry in (proved["claim"]["group"][0], proved["evidence"]["factors"][0]):
        entry["family"] = "T"
    assert not ep.verify(reseal(proved)).accepted
    refuted["evidence"]["element"][0]["vector"][0] = "3/2"
    rejected = ep.verify(reseal(refuted))
    assert not rejected.accepted and "integers" in str(rejected)


#: Steps of random functions: exact in floats at quarters of whole numbers, and others.
EXACT: tuple[F, ...] = (
    np.floor, np.ceil, np.sign, np.abs, np.rint, np.trunc,
    lambda v: v % 1, lambda v: v % 2, lambda v: v % -0.5, lambda v: v - np.floor(v),
    lambda v: np.where(np.floor(v) > 0, v, 2.0), lambda v: np.maximum(v, np.floor(v)),
    lambda v: 2 * v, lambda v: v / 2, lambda v: v + 0.5, lambda v: -v, lambda v: v**2,
    lambda v: v - v.mean(0), lambda v: np.sort(v, axis=0), lambda v: v.reshape(3, -1).T,
    lambda v: np.floor(v) @ np.array([[1.0, 2, 0], [0, 1, -1], [3, 0, 1]]),
    lambda v: np.floor(v) @ np.array([[1.0, 0.5, 0], [0, 1, -1], [3, 0, 1]]),
)  # fmt: skip
WAVES_OF = (
    lambda v: np.sin(np.pi * v), lambda v: np.cos(2 * np.pi * v), lambda v: np.tan(np.pi * v),
    lambda v: np.sin(4 * np.pi * v), lambda v: np.cos(np.pi * v) ** 2, lambda v: np.sin(np.pi * v / 2),
)  # fmt: skip


def composed(rng: np.random.Generator, known: tuple[F, ...]) -> F:
    """A random function of points, of at most four steps, perhaps less another one."""
    steps = [known[k] for k in rng.integers(len(known), size=rng.integers(1, 5))]
    again = [known[k] for k in rng.integers(len(known), size=rng.integers(0, 3))]

    def f(x):
        value, other = x, x
        for step in steps:
            value = step(value)
        for step in again:
            other = step(other)
        return value - other if again else value

    return f


@pytest.mark.parametrize("seed", range(3))
def test_no_random_function_is_proved_that_floats_refute(seed: int) -> None:
    rng, proved = np.random.default_rng(seed), 0
    known = EXACT if seed % 2 else EXACT + 2 * WAVES_OF
    for _ in range(20):
        f = composed(rng, known)
        for result in ("n d", "n d!"):
            claim = (f, f"x: n d -> {result}", EACH)
            verdict = ep.prove(*claim, sizes={"d": 3})
            if verdict.holds and not verdict.points:
                proved += 1
                assert holds_at_random_points(*claim, on_a_grid=known is EXACT)
    assert proved
