"""Questions about dependence: masked entries, later entries, and what leaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from eqvproof.support.errors import SignatureError


def softmax(s: Any) -> Any:
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(x: Any, keep: Any) -> Any:
    return softmax(np.where(keep[None, :], x @ x.T, -np.inf)) @ x


def normed(x: Any) -> Any:
    y = x - x.mean(-1, keepdims=True)
    return y / np.sqrt((y**2).mean(-1, keepdims=True) + 1e-5)


def decoder(x: Any) -> Any:
    n = x.shape[0]
    for _ in range(2):
        x = normed(x + softmax(np.where(np.tril(np.ones((n, n), bool)), x @ x.T, -np.inf)) @ x)
        x = x + np.maximum(x, 0.0)
    return x


INDEPENDENT = {
    "mean": (lambda x, keep: (x * keep[:, None]).sum(0) / keep.sum(), "d", "x[~keep]", ""),
    "maximum": (lambda x, keep: np.where(keep[:, None], x, -np.inf).max(0), "d", "x[~keep]", ""),
    "attention": (attention, "n d", "x[~keep]", "keep"),
    "networks": (lambda x, keep: normed(attention(np.tanh(x), keep)), "n d", "x[~keep]", "keep"),
    "picked": (lambda x, keep: np.where(keep[:, None], np.log(1 + x**2), 0.0), "n d", "x[~keep]", ""),
    "where it does not hold": (lambda x, keep: x * ~keep[:, None], "n d", "x[keep]", ""),
}
DEPENDENT = {
    "all rows count": (lambda x, keep: (x * keep[:, None]).sum(0) / len(x) + 0 * x.sum(0) + x[0], "d"),
    "the mean is of all": (lambda x, keep: x.mean(0) * keep.sum(), "d"),
    "queries of the others": (lambda x, keep: attention(x, keep).sum(0), "d"),
    "scores of the others": (lambda x, keep: softmax(x @ x.T) @ x * keep[:, None], "n d"),
    "the mask is turned": (lambda x, keep: (x * (1 - keep[:, None])).sum(0), "d"),
}
CAUSAL = {
    "sums": lambda x: np.cumsum(x, 0),
    "decoder": decoder,
    "row by row": normed,
    "delayed": lambda x: np.concatenate([np.zeros_like(x[:1]), x])[:-1] - x,
    "weights of positions": lambda x: np.tril(np.ones((len(x), len(x))), -1) @ x,
    "comparisons of positions": lambda x: np.where(
        np.arange(len(x))[:, None] >= np.arange(len(x)), 1.0, 0.0) @ x,
}  # fmt: skip
LEAKING = {
    "the mean": lambda x: x - x.mean(0),
    "one step early": lambda x: np.concatenate([x, np.zeros_like(x[:1])])[1:] * 2,
    "the order of sums": lambda x: np.cumsum(x[::-1], 0)[::-1],
    "one diagonal more": lambda x: np.tril(np.ones((len(x), len(x))), 1) @ x,
    "attention": lambda x: softmax(x @ x.T) @ x,
}


def require_accepted(verdict: ep.Verdict) -> None:
    assert check_certificate(verdict.certificate).accepted


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_of_what_is_masked(name: str) -> None:
    f, result, of, where = INDEPENDENT[name]
    verdict = ep.independent(f, f"x: n d, keep[bool]: n -> {result}", of=of, where=where)
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED"), str(verdict)
    require_accepted(verdict)


@pytest.mark.parametrize("name", DEPENDENT)
def test_what_depends_on_masked_entries(name: str) -> None:
    f, result = DEPENDENT[name]
    verdict = ep.independent(f, f"x: n d, keep[bool]: n -> {result}", of="x[~keep]")
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    require_accepted(verdict)


@pytest.mark.parametrize("name", CAUSAL)
def test_causal(name: str) -> None:
    verdict = ep.causal(CAUSAL[name], "x: n d -> n d")
    assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED"), str(verdict)
    require_accepted(verdict)


@pytest.mark.parametrize("name", LEAKING)
def test_what_leaks(name: str) -> None:
    verdict = ep.causal(LEAKING[name], "x: n d -> n d")
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    require_accepted(verdict)


def test_what_is_undefined_where_it_is_left_out_is_not_independent() -> None:
    """0 times what has no value has none: log x of an entry that is masked by a product."""
    verdict = ep.independent(
        lambda x, keep: (np.where(keep, 1.0, 0.0) * np.log(x)).sum(),
        "x: n, keep[bool]: n -> ()",
        of="x[~keep]",
    )
    assert not verdict.holds, str(verdict)


def test_of_an_argument() -> None:
    assert ep.independent(lambda x, y: x + 0 * y, "x: n, y: n -> n", of="y").grade == "PROVED"
    assert ep.independent(lambda x, y: x + y, "x: n, y: n -> n", of="y").fails


def test_layers_of_torch() -> None:
    torch: Any = pytest.importorskip("torch", reason="torch is not installed")
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True).eval()
    padded = ep.independent(
        lambda x, pad: layer(x[None], src_key_padding_mask=pad[None])[0],
        "x: n 4, pad[bool]: n -> n 4", of="x[pad]", where="~pad", backend="torch",
    )  # fmt: skip
    assert padded.grade == "PROVED", str(padded)

    def masked(x: Any) -> Any:
        mask = torch.nn.Transformer.generate_square_subsequent_mask(x.shape[0])
        return layer(x[None], src_mask=mask)[0]

    ordered = ep.causal(masked, "x: n 4 -> n 4", backend="torch")
    assert ordered.grade == "PROVED", str(ordered)
    assert ep.causal(lambda x: layer(x[None])[0], "x: n 4 -> n 4", backend="torch").fails


@pytest.mark.parametrize(
    ("signature", "of"),
    [
        ("x: n d, keep[bool]: n -> d", "z"),
        ("x: n d, keep[bool]: n -> d", "x[~x]"),
        ("x: n d, keep[bool]: n -> d", "keep"),
        ("x: b n d, keep[bool]: n -> d", "x[keep]"),
        ("x: n d, keep[bool]: m -> d", "x[keep]"),
        ("x: n n, keep[bool]: n -> n", "x"),
        ("x: n d, keep[bool]: n+d -> d", "x"),
    ],
)
def test_what_cannot_be_asked(signature: str, of: str) -> None:
    with pytest.raises(SignatureError):
        ep.independent(lambda x, keep: x.sum(0), signature, of=of)


@pytest.mark.parametrize(
    ("signature", "axis"),
    [
        ("x: n d -> n", "d"),
        ("x: n n -> n", ""),  # entries of the other axis would not be cut
        ("x: n d -> n n", "n"),
        ("x: n d, y: n+d -> n", "n"),
        ("x: n d, e[n]: m -> n", "n"),
        ("x: n d, keep[bool]: n -> n", ""),
    ],
)
def test_an_axis_without_order(signature: str, axis: str) -> None:
    with pytest.raises(SignatureError, match="no order along the axis"):
        ep.causal(lambda x, *rest: x.sum(1), signature, axis=axis)


def test_assertions() -> None:
    from eqvproof.testing import assert_causal, assert_independent

    assert_causal(CAUSAL["sums"], "x: n d -> n d", at_least="PROVED")
    with pytest.raises(AssertionError):
        assert_causal(LEAKING["the mean"], "x: n d -> n d")
    mean = INDEPENDENT["mean"][0]
    signature = "x: n d, keep[bool]: n -> d"
    assert_independent(mean, signature, of="x[~keep]", at_least="PROVED")
    with pytest.raises(AssertionError):
        assert_independent(mean, signature, of="x[keep]")
