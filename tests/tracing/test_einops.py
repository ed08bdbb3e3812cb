"""einops on traced arrays: its code is followed, sizes stay symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep

einops = pytest.importorskip("einops", reason="einops is not installed")
W = np.random.default_rng(2).normal(size=(4, 4))


def softmax(x: Any) -> Any:
    """Over the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def multi_head(X: Any) -> Any:
    """Attention with two heads."""
    q, k, v = (einops.rearrange(X @ W, "b n (h d) -> b h n d", h=2) for _ in range(3))
    heads = softmax(einops.einsum(q, k, "b h i d, b h j d -> b h i j")) @ v
    return einops.rearrange(heads, "b h n d -> b n (h d)")


def heads_misplaced(X: Any) -> Any:
    """A slip: heads are cut along the tokens."""
    return einops.rearrange(einops.rearrange(X, "n (h d) -> (h n) d", h=2), "(n h) d -> n (h d)", h=2)


def test_einops_is_read_for_all_sizes() -> None:
    for f, signature, under in (
        (multi_head, "X: b n 4 -> b n 4", "S(b) x S(n)"),
        (lambda X: einops.reduce(X, "n d -> d", "mean"), "X: n d -> d", "O(d) x S(n)"),
        (lambda X: einops.repeat(X, "n d -> n k d", k=3), "X: n d -> n 3 d", "O(d) x S(n)"),
    ):
        verdict = ep.check(f, signature, under=under)
        assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED")
        assert ep.verify(verdict.certificate).accepted


def test_a_slip_in_a_pattern_is_refuted() -> None:
    verdict = ep.check(heads_misplaced, "X: n 4 -> n 4", under="S(n)")
    assert (verdict.outcome, verdict.grade) == ("FAILS", "EXACT")
