"""A masked softmax over no number at all is NaN, which functions replace: padded and isolated nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

from tests.judged import assert_proved, assert_refuted

SIGNATURE = "A: n n, keep[bool]: n n -> n n"


def masked(A: Any, keep: Any) -> Any:
    return softmax(np.where(keep, A, -np.inf), axis=1)


def test_numbers_in_place_of_nan() -> None:
    assert_proved(lambda A, keep: np.nan_to_num(masked(A, keep)), SIGNATURE, "S(n)")
    assert_proved(
        lambda A, keep: np.where(np.isnan(masked(A, keep)), 1 / len(A), masked(A, keep)), SIGNATURE, "S(n)"
    )


def test_where_rows_have_no_number() -> None:
    """The mask of what is NaN is that of rows without a number, and not of other rows."""
    count = "A: n n, keep[bool]: n n -> n"
    assert_proved(lambda A, keep: np.isnan(masked(A, keep)).all(1) == ~keep.any(1), count, "S(n)")
    assert_refuted(lambda A, keep: np.isnan(masked(A, keep))[0], count, "S(n)")
    assert_refuted(
        lambda A, keep: np.nan_to_num(masked(A, keep)) + np.isnan(masked(A, keep))[:1], SIGNATURE, "S(n)"
    )


def test_a_layer_of_torch() -> None:
    torch: Any = pytest.importorskip("torch")

    def attention(A: Any, x: Any) -> Any:
        scores = (x @ x.T).masked_fill(A == 0, float("-inf"))
        return torch.softmax(scores, -1).nan_to_num() @ x

    assert_proved(attention, "A: n n, x: n d -> n d", "S(n) x O(d)")
    assert_refuted(lambda A, x: attention(A, x) + x[:1], "A: n n, x: n d -> n d", "S(n)")
