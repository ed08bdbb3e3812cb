"""Attention over sequences of which a mask says what counts, as torch's layers take it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

SET = "x: n 8, keep[bool]: n -> n 8"


def made(kind: Any, *args: Any, **options: Any) -> Any:
    torch.manual_seed(0)
    return kind(8, 2, *args, batch_first=True, **options).eval()


@pytest.mark.parametrize("weights", [True, False])
def test_attention(weights: bool) -> None:
    layer = made(nn.MultiheadAttention)

    def f(x: Any, keep: Any) -> Any:
        return layer(x[None], x[None], x[None], key_padding_mask=~keep[None], need_weights=weights)[0][0]

    def late(x: Any, keep: Any) -> Any:
        return f(x, torch.flip(keep, [0]))

    assert_proved(f, SET, "S(n)", backend="torch")
    assert_refuted(late, SET, "S(n)", backend="torch")


def test_encoder_layers() -> None:
    layer = made(nn.TransformerEncoderLayer, 16)
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()

    def f(x: Any, keep: Any) -> Any:
        return encoder(x[None], src_key_padding_mask=~keep[None])[0]

    def first(x: Any, keep: Any) -> Any:
        return layer(x[None], src_key_padding_mask=~keep[None])[0][0]

    before = torch.backends.mha.get_fastpath_enabled()
    assert_proved(f, SET, "S(n)", backend="torch")
    assert_refuted(first, "x: n 8, keep[bool]: n -> 8", "S(n)", backend="torch")
    assert torch.backends.mha.get_fastpath_enabled() == before


def test_products_added_to_infinite_entries() -> None:
    def added(x: Any, keep: Any, *, beta: float) -> Any:
        bias = torch.zeros(x.shape[0]).masked_fill(~keep, -torch.inf).expand(x.shape[0], -1)
        scores = torch.addmm(bias, x, x.T, beta=beta, alpha=0.5)
        return torch.softmax(scores, -1) @ x

    assert_proved(lambda x, keep: added(x, keep, beta=2), SET, "S(n)", backend="torch")
    assert_refuted(lambda x, keep: added(x, keep, beta=1)[[0]] + 0 * x, SET, "S(n)", backend="torch")
