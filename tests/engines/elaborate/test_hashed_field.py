"""The arithmetic of the prime field in which Programs and forms are compared, against Python's integers."""

from __future__ import annotations

import numpy as np
import pytest

from eqvproof.engines.elaborate.hashed_field import LARGE, POOL, PRIME, HashedField


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((3, 5), (5, 2)), ((2, 3, 400), (2, 400, 7)), ((2, 7, 400), (2, 400, 3)), ((1, 3000), (3000, 2)),
        ((3, 5000), (5000, 2)), ((0, 4), (4, 3)), ((2, 0), (0, 3)), ((3, 0), (0, 3)),
    ],
)
def test_products_of_matrices(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    field = HashedField(3)
    a, b = field.drawn(first), field.drawn(second)
    found, expected = field.matmul(a, b), np.zeros((*first[:-1], second[-1]), dtype=object)
    if 0 not in first:
        expected = np.matmul(a.astype(object), b.astype(object))
    assert found.shape == expected.shape and (found == expected % PRIME).all()


def test_long_sums_of_the_greatest_numbers() -> None:
    field, terms = HashedField(0), 1 << 18
    greatest = np.full((2, terms), PRIME - 1, dtype=np.uint64)
    assert (field.matmul(greatest, greatest.T) == terms % PRIME).all()
    assert (field.matmul(greatest[:1], greatest.T) == terms % PRIME).all()
    assert (field.matmul(greatest, greatest[:1].T) == terms % PRIME).all()
    assert (field.add([greatest] * 5) == 5 * (PRIME - 1) % PRIME).all()


@pytest.mark.parametrize("count", [LARGE, LARGE + 1, POOL - 1, POOL, POOL + 5])
def test_large_arrays_are_unlike_each_other_and_their_own_shifts(count: int) -> None:
    field = HashedField(1)
    first, second = field.drawn((count,)), field.drawn((count,))
    assert first.shape == (count,) and ((first > 0) & (first < PRIME)).all()
    for other in (second, *(np.roll(first, k) for k in (1, 2, 64, 768, count // 2))):
        assert (first == other).mean() < 0.001
