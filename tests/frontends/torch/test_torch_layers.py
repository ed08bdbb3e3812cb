"""Layers of PyTorch and torch functions on edge lists, masks and circles: proved, and slips refuted."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
F, nn = torch.nn.functional, torch.nn
EDGES = "X: n 3, E[n]: 2 m -> n 3"
MASKED = "X: n d, M[bool]: n n -> n d"


def index_add(x: Any, e: Any) -> Any:
    return torch.zeros_like(x).index_add(0, e[1], x[e[0]])


def scattered(x: Any, e: Any) -> Any:
    wide = e[1][:, None].expand(-1, 3)
    top = torch.zeros_like(x).scatter_reduce(0, wide, x[e[0]], "amax", include_self=False)
    return top + torch.zeros_like(x).scatter_reduce(0, wide, x[e[0]], "mean", include_self=False)


def one_hot(x: Any, e: Any) -> Any:
    return F.one_hot(e[1], x.shape[0]).to(x.dtype).T @ x.index_select(0, e[0])


def masked(x: Any, m: Any) -> Any:
    return F.scaled_dot_product_attention(x, x, x, attn_mask=m)


def masked_by_hand(x: Any, m: Any) -> Any:
    scores = (x @ x.T).masked_fill(~m, float("-inf"))
    weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return weights / weights.sum(-1, keepdim=True) @ x


def spread(x: Any) -> Any:
    ordered = x.topk(1, dim=0).values - x.median(dim=0, keepdim=True).values
    return (ordered + x.quantile(0.25, dim=0, keepdim=True) + x.sort(dim=0).values[:1]).squeeze(0)


def circular() -> Any:
    torch.manual_seed(0)
    return nn.Conv1d(2, 2, 3, padding=1, padding_mode="circular").eval()


def zero_padded() -> Any:
    torch.manual_seed(0)
    return nn.Conv1d(2, 2, 3, padding=1).eval()


def blocks(**options: Any) -> Any:
    torch.manual_seed(0)
    layer = nn.Conv1d(2, 3, 4, **options).eval()
    return lambda x: layer(x[None])[0]


def losses(**options: Any) -> Any:
    return lambda x, y: F.cross_entropy(x, y, **options)


def density(spread: Any) -> Any:
    return lambda x, m: torch.distributions.Normal(m, spread(m)).log_prob(x).sum(-1)


CLASSES = "x: n c, y[c]: n -> ()"
RIGHT = {
    "index_add": (index_add, EDGES, "S(n) x S(m)"),
    "scatter_reduce": (scattered, EDGES, "S(n) x S(m)"),
    "one_hot": (one_hot, EDGES, "S(n) x S(m)"),
    "attention mask": (masked, MASKED, "S(n) x O(d)"),
    "-inf by hand": (masked_by_hand, MASKED, "S(n) x O(d)"),
    "order statistics": (spread, "X: n d -> d", "S(n)"),
    "cdist": (lambda x: torch.cdist(x, x), "X: n d -> n n", "E(d) x S(n)"),
    "circular convolution": (circular(), "X: b 2 n -> b 2 n", "C(n) x S(b)"),
    "blocks": (blocks(stride=4), "X: 2 (n 4) -> 3 n", "S(n)"),
    "means of blocks": (lambda x: F.avg_pool1d(x[None], 4)[0], "X: 2 (n 4) -> 2 n", "S(n)"),
    "maxima of blocks": (lambda x: F.max_pool2d(x, 2), "X: 2 (n 2) (m 2) -> 2 n m", "S(n) x S(m)"),
    "group normalisation": (nn.GroupNorm(2, 4).eval(), "X: b 4 n -> b 4 n", "S(n)"),
    "cross-entropy": (losses(), CLASSES, "S(n) x S(c)"),
    "smoothed cross-entropy": (losses(label_smoothing=0.1), CLASSES, "S(c)"),
    "normal density": (density(torch.ones_like), "x: n d, m: d -> n", "E(d)"),
    "recurrent cell": (nn.GRUCell(2, 2).eval(), "X: n 2, H: n 2 -> n 2", "S(n)"),
}
WRONG = {
    "a class left out": (losses(ignore_index=0), CLASSES, "S(c)"),
    "a class counted twice": (lambda x, y: losses()(x, y) + x[:, 0].sum(), CLASSES, "S(c)"),
    "density along axes": (density(lambda m: 1 + m * m), "x: n d, m: d -> n", "E(d)"),
    "positions shifted": (lambda x, e: index_add(x, (e + 1) % x.shape[0]), EDGES, "S(n)"),
    "first edge": (lambda x, e: x + x[e[0, 0]], EDGES, "S(m)"),
    "causal": (lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), "X: n d -> n d", "S(n)"),
    "blocks that overlap": (blocks(stride=3), "X: 2 (n 4) -> 3 k", "S(n)"),
    "blocks half a block further": (blocks(stride=4, padding=2), "X: 2 (n 4) -> 3 k", "S(n)"),
    "overlapping maxima": (lambda x: F.max_pool1d(x, 3, 2, 1), "X: 2 (n 2) -> 2 n", "S(n)"),
    "zero padding": (zero_padded(), "X: b 2 n -> b 2 n", "C(n)"),
    "argmax": (lambda x: x.argmax(0).to(x.dtype), "X: n d -> d", "S(n)"),
    "mask of columns only": (lambda x, m: masked(x, m[:1] | (m > 2)), MASKED, "S(n)"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = ep.check(function, signature, under, backend="torch")
    assert verdict.grade == "PROVED", verdict
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("name", WRONG)
def test_refuted(name: str) -> None:
    function, signature, under = WRONG[name]
    verdict = ep.check(function, signature, under, backend="torch")
    assert verdict.fails, verdict
