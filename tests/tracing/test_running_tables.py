"""Tables filled entry by entry from entries before; functions with more defaults than arguments."""

from __future__ import annotations

import numpy as np

from tests.judged import assert_proved, assert_refuted


def frechet(P, Q):
    """The discrete Frechet distance of two curves."""
    D = np.linalg.norm(P[:, None] - Q[None], axis=-1)
    C = np.zeros_like(D)
    for i in range(3):
        for j in range(3):
            before = [C[a, b] for a, b in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if min(a, b) >= 0]
            C[i, j] = max(min(before), D[i, j]) if before else D[i, j]
    return C[-1, -1]


def test_entries_read_before_a_write_are_numbers():
    assert_proved(frechet, "P: 3 d, Q: 3 d -> ()", "E(d)")
    assert_refuted(frechet, "P: 3 d, Q: 3 d -> ()", "S(3)")


def test_an_entry_keeps_its_value_when_the_array_is_written_into():
    def f(x):
        C = np.array(x)
        first = C[0]
        C[0] = 0.0
        return C + first

    assert_refuted(f, "x: 3 -> 3", "S(3)")
    assert_proved(lambda x: f(x)[1] - x[1] - x[0], "x: 3 -> ()", "Signs(3)")


def with_spare_defaults(x):
    return 2 * x


with_spare_defaults.__defaults__ = (1, 2, 3)


def test_more_defaults_than_arguments():
    assert_proved(lambda x: with_spare_defaults(x), "x: n -> n", "S(n)")
