"""Code by components and its form with constant arrays: the same function, undefined places included."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.programs import Builder, Program, Size, components
from eqvproof.programs import operations as ops
from eqvproof.programs.components import rewrite_componentwise
from eqvproof.programs.defined import Domains
from eqvproof.programs.terms import exact_numbers
from eqvproof.support.errors import ShapeError
from tests.engines.programs import run
from tests.programs.rules.reference import equal, tensor
from tests.sampling import examples

THREE = Size.of(3)


def step(b: Builder, rng: random.Random, x: int, y: int) -> int:
    """One random operation, mostly on components."""
    shape = b.shape(x)
    short = [i for i, s in enumerate(shape) if s.constant in (2, 3)]
    choice = rng.randrange(15)
    if choice <= 4 and short:
        axis = rng.choice(short)
        size = shape[axis].constant or 0
        start = rng.randrange(size)
        length = rng.randint(1, size - start)
        if choice <= 2 and rng.random() < 0.7:
            return b.squeeze(b.slice(x, axis, start, 1), axis)
        if choice == 3:
            return b.flip(x, axis) if rng.random() < 0.5 else b.roll(x, axis, rng.randint(1, 2))
        return b.slice(x, axis, start, length, 1)
    if choice == 5:
        return b.add([x, b.mul(b.const(rng.choice([-1, 2])), y)])
    if choice <= 7:
        return b.mul(x, y)
    if choice == 8:
        return (
            b.concat([x, y], rng.randrange(len(shape)))
            if shape
            else b.concat([b.expand(x, 0), b.expand(y, 0)], 0)
        )
    if choice == 9:
        return b.concat([b.expand(x, 0), b.expand(y, 0), b.expand(x, 0)], 0)
    if choice == 10:
        return b.sum(x, [rng.randrange(len(shape))]) if shape else b.map("recip", [x])
    if choice == 11:
        return b.map(rng.choice(["recip", "abs", "log", "tanh"]), [x])  # no root: its square is folded
    if choice == 12:
        return b.matmul(b.const([[0, 1, 0], [0, 0, 1], [1, 0, rng.randint(0, 1)]]), x)
    if choice == 13 and shape and b.shape(y) == shape:
        return several(b, rng, x, y)
    return b.div(x, b.map("sqrt", [b.sum(b.power(y, 2), [0])])) if b.shape(y) else b.sub(x, y)


def several(b: Builder, rng: random.Random, x: int, y: int) -> int:
    """One product of an entry and of several arrays, whose logarithms are not defined everywhere."""
    shape = b.shape(x)
    row = tuple(range(len(shape)))
    entry = b.squeeze(b.slice(y, 0, rng.randrange(shape[0].constant or 1), 1), 0)
    taken = [b.map("log", [z]) if rng.random() < 0.5 else z for z in (x, y)]
    return b.einsum([entry, *taken], [row[1:], row, row], row, dict(zip(row, shape, strict=True)))


def random_program(rng: random.Random) -> Program:
    """A program in X (3, n) and Y (3, n)."""
    b = Builder()
    pool = [b.input("X", [3, "n"]), b.input("Y", [3, "n"])]
    for _ in range(rng.randint(3, 12)):
        x = pool[-1] if rng.random() < 0.4 else rng.choice(pool)
        try:
            made = step(b, rng, x, rng.choice(pool))
        except ShapeError:
            continue
        if len(b.shape(made)) <= 3:
            pool.append(made)
    return b.program(pool[-1])


def inputs(rng: random.Random, n: int) -> dict[str, Any]:
    """Small numbers, zeros among them."""
    return {
        k: tensor((3, n), [Fraction(rng.choice([-2, -1, 0, 0, 1, 2])) for _ in range(3 * n)]) for k in "XY"
    }


def pieces(rng: random.Random, length: int) -> list[int]:
    """Parts of an axis, of random sizes, mostly 3."""
    found: list[int] = []
    while sum(found) < length:
        found.append(min(rng.choice([1, 2, 3, 3, 3]), length - sum(found)))
    return found


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint64", "bool"])
def test_numbers_of_any_kind_are_read_as_they_are(dtype: str) -> None:
    """As integers of Python, which do not overflow, and Fractions."""
    array = np.array([[0, 1, 3], [100, 7, 2]]).astype(dtype)
    if np.dtype(dtype).kind == "f":
        array = array / np.array(3, dtype)
    found = exact_numbers(array)
    assert found.shape == array.shape and (found == array).all()
    assert {type(v) for v in found.flat} <= {int, Fraction}
    assert all(type(v) is int for v in found.flat if v == int(v))
    assert (exact_numbers(np.full(2, 2**62)) * 4 == 2**64).all()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(150), deadline=None)
def test_nothing_changes(seed: int) -> None:
    rng = random.Random(seed)
    program = random_program(rng)
    if {name for name, _ in program.inputs} != {"X", "Y"}:
        return
    lengths = [s.constant for node in program.nodes for s in node.shape if (s.constant or 0) > 3]
    cuts = {length: tuple(pieces(rng, length)) for length in lengths}
    moved, entrywise = rng.choice([None, {}, {"X": frozenset({0})}]), rng.random() < 0.5
    with patch.object(components, "MOST_PRODUCTS", rng.choice([0, 9, 99, components.MOST_PRODUCTS])):
        again, _ = rewrite_componentwise(program, {2, 3}, cuts, moved=moved, entrywise=entrywise)
    for n in (1, 2):
        if any(s.value({"n": n}) > 30 for node in program.nodes for s in node.shape):
            continue
        for _ in range(3):
            x = inputs(rng, n)
            assert equal(run(program, x, {"n": n}), run(again, x, {"n": n})), program.to_json()


@pytest.mark.parametrize("entrywise", [False, True])
def test_products_of_several_arrays_stay_defined_where_they_are(entrywise: bool) -> None:
    changed = 0
    for seed in range(20):
        rng, b = random.Random(seed), Builder()
        x, y = b.input("X", [3, "n"]), b.input("Y", [3, "n"])
        made = several(b, rng, x, b.flip(y, 0) if rng.random() < 0.5 else y)
        if rng.random() < 0.5:
            made = b.sub(b.slice(b.mul(made, y), 0, 0, 1), b.slice(made, 0, 1, 1))
        program = b.program(made)
        again, _ = rewrite_componentwise(program, {3}, entrywise=entrywise)
        changed += again is not program
        for _ in range(5):
            given = inputs(rng, 2)
            assert equal(run(program, given, {"n": 2}), run(again, given, {"n": 2})), seed
    assert changed > 10


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(150), deadline=None)
def test_what_is_undefined_here_and_defined_there_is_foreseen(seed: int) -> None:
    rng = random.Random(seed)
    program = random_program(rng)
    if {name for name, _ in program.inputs} != {"X", "Y"}:
        return
    varying = Domains(program).varying_axes(program.output)
    for _ in range(3):
        value = np.asarray(run(program, inputs(rng, 2), {"n": 2}), dtype=object)
        hidden = np.asarray(np.frompyfunc(lambda v: v is None, 1, 1)(value), dtype=bool)
        for axis in set(range(value.ndim)) - varying:
            assert (hidden == np.take(hidden, [0], axis=axis)).all(), program.to_json()


def test_programs_change_and_partial_ones_among_them() -> None:
    """Positive control."""
    changed = partial = apart = 0
    for seed in range(400):
        program = random_program(random.Random(seed))
        again, _ = rewrite_componentwise(program, {2, 3})
        if again is not program:
            changed += 1
            partial += any(isinstance(n, ops.Map) and n.fn in ("recip", "sqrt", "log") for n in again.nodes)
            apart += rewrite_componentwise(program, {2, 3}, entrywise=True)[0].to_json() != again.to_json()
        if changed > 100 and partial > 20 and apart > 20:
            return
    pytest.fail(f"{changed} changed, {partial} of them partial, {apart} with products taken apart")


# -- proofs ----------------------------------------------------------------------------------------------
def by_entries(x: Any, y: Any) -> Any:
    return np.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])


def of_products(x: Any, y: Any) -> Any:
    """The same, of products that are made for all entries before."""
    xy, yx = x[[1, 2, 0]] * y[[2, 0, 1]], x[[2, 0, 1]] * y[[1, 2, 0]]
    return np.stack([xy[0] - yx[0], xy[1] - yx[1], xy[2] - yx[2]])


def square(p: Any, *, minus: int = 1) -> Any:
    """Of the components of a vector in space and time, from `minus` on with another sign."""
    squares = p * p
    return squares[:minus].sum(0) - squares[minus:].sum(0)


def by_order(x: Any, y: Any) -> Any:
    return x[[1, 2, 0]] * y[[2, 0, 1]] - x[[2, 0, 1]] * y[[1, 2, 0]]


def by_rolls(x: Any, y: Any) -> Any:
    return np.roll(x, -1, 0) * np.roll(y, -2, 0) - np.roll(x, -2, 0) * np.roll(y, -1, 0)


def in_place(x: Any, y: Any) -> Any:
    out = np.zeros_like(x)
    out[0] = x[1] * y[2] - x[2] * y[1]
    out[1] = x[2] * y[0] - x[0] * y[2]
    out[2] = x[0] * y[1] - x[1] * y[0]
    return out


def of_units(x: Any, y: Any) -> Any:
    return by_entries(x / np.sqrt((x**2).sum(0)), y / np.linalg.norm(y, axis=0))


def wrong_sign(x: Any, y: Any) -> Any:
    return np.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] + x[1] * y[0]])


def wrong_order(x: Any, y: Any) -> Any:
    return x[[1, 2, 0]] * y[[2, 0, 1]] - x[[2, 0, 1]] * y[[1, 0, 2]]


def determinant(x: Any) -> Any:
    return (
        x[0, 0] * (x[1, 1] * x[2, 2] - x[1, 2] * x[2, 1])
        - x[0, 1] * (x[1, 0] * x[2, 2] - x[1, 2] * x[2, 0])
        + x[0, 2] * (x[1, 0] * x[2, 1] - x[1, 1] * x[2, 0])
    )


def skew(x: Any, y: Any) -> Any:
    zero = 0 * x[0]
    return np.array([[zero, -x[2], x[1]], [x[2], zero, -x[0]], [-x[1], x[0], zero]]) @ y


def rescaled_entries(x: Any) -> Any:
    """A scalar and a vector on one axis, by entries."""
    n = np.sqrt(x[1] ** 2 + x[2] ** 2 + x[3] ** 2)
    return np.stack([n, 2 * x[0] * x[1], 2 * x[0] * x[2], 2 * x[0] * x[3]])


def of_two_vectors(x: Any) -> Any:
    """Two vectors on one axis, their cross product and the second, by entries."""
    rest = [x[3] / 2, x[4] / 2, x[5] / 2]
    a = [x[1] * x[5] - x[2] * x[4], x[2] * x[3] - x[0] * x[5], x[0] * x[4] - x[1] * x[3]]
    return np.stack(a + rest)


def of_exchanged(x: Any) -> Any:
    return of_two_vectors(x)[[0, 1, 3, 2, 4, 5]]


def rescaled_wrongly(x: Any) -> Any:
    return rescaled_entries(x)[[1, 0, 2, 3]]


def weighted_entries(x: Any, *, weight: float = 1.0) -> Any:
    """A vector over its length, bounded below: the length is copied along it, and taken apart by entries."""
    unit = x / np.broadcast_to(np.maximum(np.sqrt((x**2).sum(0, keepdims=True)), 0.1), x.shape)
    a, b, c = unit[0], unit[1], unit[2]
    return np.stack([a, b, c]) * (a * a + b * b + weight * c * c)


def times_zero(x: Any, *, rows: bool = False) -> Any:
    """What a displacement of 0 adds to a field that is not defined at 0."""
    field = x / np.sqrt((x**2).sum(0))
    return field + np.zeros((3, 3)) @ (1 / x if rows else field)


def times_zeros(x: Any, y: Any, *, third: int = 0, rows: bool = False) -> Any:
    """The same of two fields, as a vector of zeros, or with another number at the end, times sums."""
    field = x / np.sqrt((x**2).sum(0)) + y / np.sqrt((y**2).sum(0))
    beside = 1 / x if rows else field
    return field + (np.array([0, 0, third])[:, None, None] * beside).sum(1)


def areas(v: Any, f: Any, *, corner: int = 0) -> Any:
    """Of triangles, twice; the corners are an axis of 3 entries, too."""
    tri = v[f] if corner == 0 else np.concatenate([0 * v[f][:, :1], v[f][:, 1:]], axis=1)
    return np.linalg.norm(np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0]), axis=1)


def frames(x: Any) -> Any:
    """Of residues of a protein, of three atoms each."""
    a, b = x[:, 2] - x[:, 1], x[:, 0] - x[:, 1]
    return np.stack([a, b, np.cross(a, b)], axis=-1)


MESH = "v: n 3, f[n]: m 3! -> m"
THREE_POINTS = "X: 3 k, Y: 3 k, Z: 3 k"
SIZES = {"d": 3}
PAIR = "X: 3 k, Y: 3 k -> 3 k"
CROSS = [by_entries, of_products, by_order, by_rolls, in_place, of_units]
PROVED: list[tuple[Any, str, str]] = [
    *((f, PAIR, "SO(3)") for f in CROSS),
    *((lambda x, y, f=f: f(x, f(x, y)), PAIR, "O(3)") for f in CROSS),
    (skew, "X: 3, Y: 3 k -> 3 k", "SO(3)"),
    (determinant, "X: 3 3! -> ()", "SO(3)"),
    (determinant, "X: 3 3 -> ()", "O(3)"),
    (lambda x: abs(determinant(x)), "X: 3 3! -> ()", "O(3)"),
    (lambda x, y: x[0] * y[0] + x[1] * y[1] + x[2] * y[2], "X: 3 k, Y: 3 k -> k", "O(3)"),
    (lambda x, y: (x * y)[0] + (x * y)[1:].sum(0), "X: 3 k, Y: 3 k -> k", "O(3)"),
    (lambda x, y: y / (x * y @ np.eye(3)).sum(1, keepdims=True), "X: k 3, Y: k 3 -> k 3", "O(3)"),
    (square, "p: 4 k -> k", "Lorentz(4)"),
    (lambda p: (p * p).T @ np.array([1, -1, -1, -1]), "p: 4 k -> k", "Lorentz(4)"),
    (lambda p: np.log(1 + square(p) ** 2) * p, "p: 4 k -> 4 k", "Lorentz(4)"),
    (lambda x, y: y * np.sqrt(x[0] ** 2 + x[1] ** 2 + x[2] ** 2), PAIR, "O(3)"),
    (lambda x: np.stack([-x[1], x[0]]), "X: 2 k -> 2 k", "SO(2)"),
    (rescaled_entries, "X: 1+3 k -> 1+3 k", "O(3)"),
    (weighted_entries, "X: 3 k -> 3 k", "O(3)"),
    (times_zero, "X: 3 k -> 3 k", "O(3)"),
    (times_zeros, PAIR, "O(3)"),
    (areas, MESH, "S(n) x S(m) x E(3)"),
    (frames, "x: n 3! 3 -> n 3^ 3!", "S(n) x SE(3)"),
    (of_two_vectors, "X: 2d k -> 2d k", "SO(d)"),
    (lambda x: of_two_vectors(x)[3:], "X: 2d k -> d k", "O(d)"),
    (lambda x: x / np.maximum(np.sqrt((x**2).sum(0)), 1), "X: 2d k -> 2d k", "O(d)"),
    (lambda x, y: x + by_entries(x - y, by_entries(x - y, y)), "X: 3 k, Y: 3^ k -> 3 k", "O(3)"),
    (lambda x, y, z: x + by_entries(x - y, by_entries(x - y, x - z)), f"{THREE_POINTS} -> 3 k", "E(3)"),
    (lambda x, y, z: by_entries(x - y, x - z), f"{THREE_POINTS} -> 3^ k", "SE(3)"),
]  # fmt: skip
FAILS: list[tuple[Any, str, str]] = [
    *((f, PAIR, "O(3)") for f in CROSS),
    (wrong_sign, PAIR, "SO(3)"),
    (wrong_order, PAIR, "SO(3)"),
    (skew, "X: 3, Y: 3 k -> 3 k", "O(3)"),
    (determinant, "X: 3 3! -> ()", "O(3)"),
    (lambda p: square(p, minus=2), "p: 4 k -> k", "Lorentz(4)"),
    (lambda p: square(p * p), "p: 4 k -> k", "Lorentz(4)"),
    (square, "p: 4 k -> k", "O(4)"),
    (lambda x, y: x[0] * y[0] + x[1] * y[1], "X: 3 k, Y: 3 k -> k", "SO(3)"),
    (lambda x, y: y * (x[0] ** 2 + x[1] ** 2 - x[2] ** 2), PAIR, "SO(3)"),
    (lambda x: np.stack([-x[1], x[0]]), "X: 2 k -> 2 k", "O(2)"),
    (lambda x: np.stack([x[1], x[0]]), "X: 2 k -> 2 k", "SO(2)"),
    (lambda x: weighted_entries(x, weight=2.0), "X: 3 k -> 3 k", "O(3)"),
    (lambda x: times_zero(x, rows=True), "X: 3 k -> 3 k", "O(3)"),
    (lambda x, y: times_zeros(x, y, rows=True), PAIR, "O(3)"),
    (lambda x, y: times_zeros(x, y, third=1), PAIR, "O(3)"),
    (lambda v, f: areas(v, f, corner=1), MESH, "T(3)"),
    (frames, "x: n 3! 3 -> n 3^ 3!", "O(3)"),
    (rescaled_wrongly, "X: 1+3 k -> 1+3 k", "O(3)"),
    (of_exchanged, "X: 2d k -> 2d k", "SO(d)"),
    (of_two_vectors, "X: 2d k -> 2d k", "O(d)"),
    (lambda x, y, z: by_entries(x - y, z), f"{THREE_POINTS} -> 3^ k", "SE(3)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_proved(f: Any, signature: str, under: str) -> None:
    verdict = ep.prove(f, signature, under, sizes=SIZES if "d" in signature else None)
    assert verdict.grade == "PROVED", verdict.reason
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(("f", "signature", "under"), FAILS)
def test_near_misses_fail(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under, sizes=SIZES if "d" in signature else None)
    assert verdict.fails and ep.verify(verdict.certificate).accepted
