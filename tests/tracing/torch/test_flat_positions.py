"""Places in joined axes: ``x.reshape(b * n, -1)[i + n * arange(b)]``, ``adj.ravel()[src * n + dst]``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.judged import assert_proved, assert_refuted, assert_unproved

torch = pytest.importorskip("torch")


def neighbours(x: Any, idx: Any, step: int | None = None) -> Any:
    """The features of DGCNN, less the centre's: b d n, b n k -> b n k d."""
    b, d, n = x.shape
    k = idx.shape[-1]
    idx = (idx + torch.arange(0, b).view(-1, 1, 1) * (n if step is None else step)).view(-1)
    rows = x.transpose(2, 1).contiguous()
    feature = rows.view(b * n, -1)[idx, :].view(b, n, k, d)
    return feature - rows.view(b, n, 1, d).repeat(1, 1, k, 1)


def selected(x: Any, idx: Any) -> Any:
    b, n, d = x.shape
    flat = (idx + (torch.arange(b) * n).view(b, 1)).reshape(-1)
    return torch.index_select(x.reshape(b * n, d), 0, flat).view(b, -1, d)


def adjacency(x: Any, source: Any, target: Any, w: Any) -> Any:
    n = x.shape[0]
    flat = torch.zeros(n * n, dtype=w.dtype).index_add_(0, source * n + target, w)
    return flat.view(n, n) @ x


def confusion(y: Any, p: Any, weights: Any, shift: int = 0) -> Any:
    k = len(weights)
    return np.bincount((k + shift) * y + p, minlength=k * k).reshape(k, k)


PROVED: dict[str, tuple[Callable[..., Any], str, str]] = {
    "neighbours": (neighbours, "x: b 3 n, i[n]: b n k -> b n k 3^", "S(b) x S(n) x E(3)"),
    "selected": (selected, "x: b n 3, i[n]: b m -> b m 3", "S(b) x S(n) x E(3)"),
    "adjacency": (adjacency, "x: n d, s[n]: e, t[n]: e, w: e -> n d", "S(n) x S(e)"),
    "confusion": (confusion, "y[k]: m, p[k]: m, w: k -> k k", "S(m) x S(k)"),
    "an entry of a matrix": (
        lambda a, s, t: np.take(a.ravel(), s * len(a) + t),
        "a: n n, s[n]: e, t[n]: e -> e",
        "S(n) x S(e)",
    ),
    "three axes": (
        lambda a, i, j: a.reshape(-1)[(np.arange(len(a))[:, None] * a.shape[1] + i) * a.shape[2] + j],
        "a: b n m, i[n]: b e, j[m]: b e -> b e",
        "S(b) x S(n) x S(m) x S(e)",
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    assert_proved(*PROVED[name])


def test_another_step() -> None:
    def wrong(x: Any, idx: Any) -> Any:
        return neighbours(x, idx, 1)

    assert_refuted(wrong, "x: b d n, i[n]: b n k -> b n k d", "S(b)")
    assert_unproved(wrong, "x: b 3 n, i[n]: b n k -> b n k 3", "S(n)")


def test_places_beside_the_entry() -> None:
    def beside(a: Any, s: Any, t: Any) -> Any:
        return a.reshape(-1)[(s * len(a) + t) // 2].sum()

    assert_refuted(beside, "a: n n, s[n]: e, t[n]: e -> ()", "S(n)")


def test_counts_that_overlap() -> None:
    assert_unproved(
        lambda y, p, w: confusion(y, p, w, -1)[0], "y[k]: m, p[k]: m, w: k -> k", "S(k)", sizes={"k": (2, 4)}
    )


def test_positions_of_a_longer_axis() -> None:
    def crossed(a: Any, s: Any, t: Any) -> Any:
        return a.reshape(-1)[s * a.shape[0] + t]

    assert_unproved(crossed, "a: n m, s[n]: e, t[m]: e -> e", "S(n)")
