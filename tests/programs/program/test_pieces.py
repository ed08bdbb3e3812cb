"""Parts of joined arrays through the Builder, against NumPy on arrays of numbered entries."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.programs import Builder, Size
from eqvproof.programs import operations as ops
from eqvproof.support.errors import ShapeError
from tests.engines.programs import run
from tests.sampling import examples


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(300))
def test_folding_changes_no_entry(seed: int) -> None:
    """Slices, joins and shifts of a matrix; a node is checked at every step, at three sizes."""
    rng = random.Random(seed)
    b = Builder()
    sizes = {"n": rng.randint(1, 4), "m": rng.randint(1, 3)}
    x = b.input("X", ["n", "m"])
    plain = np.array([[Fraction(i * sizes["m"] + j) for j in range(sizes["m"])] for i in range(sizes["n"])])
    pool = [(x, plain)]
    for _ in range(rng.randint(1, 8)):
        node, value = rng.choice(pool[-3:])
        axis, kind = rng.randrange(2), rng.randrange(4)
        length = b.shape(node)[axis]
        try:
            if kind <= 1:
                start = rng.choice([Size.of(0), Size.of(1), length - 1, length - 2])
                count = rng.choice([Size.of(1), Size.of(2), Size.of("n"), Size.of("m"), length - 1])
                step = rng.choice([1, 1, 1, 2])
                first, many = start.value(sizes), count.value(sizes)
                if many < 0:  # no slice at these sizes
                    continue
                made = b.slice(node, axis, start, count, step)
                found = np.take(value, [first + k * step for k in range(many)], axis=axis)
            elif kind == 2:
                parts = [(node, value), *(rng.choice(pool) for _ in range(rng.randint(0, 2)))]
                rng.shuffle(parts)
                made = b.concat([p for p, _ in parts], axis)
                found = np.concatenate([v for _, v in parts], axis=axis)
            else:
                shift = rng.randint(-3, 3)
                made, found = b.roll(node, axis, shift), np.roll(value, shift, axis)
        except ShapeError:
            continue
        pool.append((made, found))
        result = run(b.program(made), {"X": plain}, sizes)
        assert result.shape == found.shape and (result == found).all()


def wrapped(b: Builder, x: int, axis: int, width: int) -> int:
    """Circular padding as it is written by hand."""
    size = b.shape(x)[axis]
    return b.concat([b.slice(x, axis, size - width, width), x, b.slice(x, axis, 0, width)], axis)


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_a_part_of_circular_padding_is_a_shift(shift: int) -> None:
    b = Builder()
    x = b.input("X", ["n", "m"])
    both = wrapped(b, wrapped(b, x, 0, 1), 1, 1)
    part = b.slice(b.slice(both, 0, shift, "n"), 1, 0, "m")
    assert part == b.roll(b.roll(x, 0, 1 - shift), 1, 1) or part == b.roll(b.roll(x, 1, 1), 0, 1 - shift)


def test_what_may_be_something_else_at_a_small_size_stays() -> None:
    b = Builder()
    x, y = b.input("X", ["n"]), b.input("Y", ["n"])
    joined = b.concat([x, y], 0)
    assert isinstance(b.nodes[b.slice(joined, 0, 1, 1)], ops.Read)
    assert isinstance(b.nodes[b.slice(joined, 0, 1, "n")], ops.Concat)
    assert b.slice(joined, 0, "n", "n") == y
