"""Questions about dependence: masked entries, later entries, and what leaks."""

from __future__ import annotations

import re
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


def scores(x: Any) -> Any:
    return x @ np.swapaxes(x, 1, 2)


def attend(x: Any, mask: Any) -> Any:
    return softmax(np.where(mask, scores(x), -np.inf)) @ x


def layers(x: Any) -> Any:
    lower = np.tril(np.ones((x.shape[1], x.shape[1]), bool))
    for _ in range(2):
        x = normed(x + attend(x, lower))
        x = x + np.tanh(x)
    return x


def heads(x: Any, keep: Any) -> Any:
    """Attention with two equal heads, in one axis with the elements of the batch."""
    b, n, d = x.shape
    h = np.repeat(x[:, None], 2, 1).reshape(2 * b, n, d)
    mask = np.repeat(keep[:, None], 2, 1).reshape(2 * b, 1, n)
    return attend(h, mask).reshape(b, 2, n, d).sum(1)


#: Of batches, where keep: b n: the function, the result, which of its entries are meant.
MASKED_BATCHES: dict[str, tuple[Any, str, str]] = {
    "mean": (lambda x, keep: (x * keep[..., None]).sum(1) / keep.sum(1)[:, None], "b d", ""),
    "maximum": (lambda x, keep: np.where(keep[..., None], x, -np.inf).max(1), "b d", ""),
    "attention": (lambda x, keep: attend(x, keep[:, None]), "b n d", "keep"),
    "normed attention": (lambda x, keep: normed(attend(np.tanh(x), keep[:, None])), "b n d", "keep"),
    "row by row": (lambda x, keep: normed(x), "b n d", "keep"),
    "in one axis": (
        lambda x, keep: np.tanh(x.reshape(-1, x.shape[2]) + 1).reshape(x.shape), "b n d", "keep"),
    "heads": (lambda x, keep: heads(x, keep), "b n d", "keep"),
}  # fmt: skip
LEAKING_BATCHES: dict[str, tuple[Any, str, str]] = {
    "mean of all": (lambda x, keep: x.mean(1) * keep.sum(1)[:, None], "b d", ""),
    "the mask is turned": (lambda x, keep: (x * ~keep[..., None]).sum(1), "b d", ""),
    "queries of all": (lambda x, keep: attend(x, keep[:, None]).sum(1), "b d", ""),
    "the mask of the first": (lambda x, keep: (x * keep[:1, :, None]).sum(1), "b d", ""),
    "a norm over the batch": (lambda x, keep: x - x.mean((0, 1)), "b n d", "keep"),
    "in one axis, and back in another order": (
        lambda x, keep: x.reshape(-1, x.shape[2]).reshape(x.shape[1], x.shape[0], -1).swapaxes(0, 1),
        "b n d", "keep"),
    "heads with masks of others": (lambda x, keep: heads(x, keep[::-1]), "b n d", "keep"),
}  # fmt: skip
CAUSAL_BATCHES: dict[str, tuple[Any, str]] = {
    "sums": (lambda x: np.cumsum(x, 1), "n"),
    "decoder": (layers, "n"),
    "delayed": (lambda x: np.concatenate([np.zeros_like(x[:, :1]), x], 1)[:, :-1] - x, "n"),
    "sums along the first axis": (lambda x: np.cumsum(x, 0), "b"),
    "elements alone": (lambda x: x - x.mean(1, keepdims=True), "b"),
}
LEAKING_IN_BATCHES: dict[str, tuple[Any, str]] = {
    "sums from the end": (lambda x: np.cumsum(x[:, ::-1], 1)[:, ::-1], "n"),
    "attention": (lambda x: softmax(scores(x)) @ x, "n"),
    "one diagonal more": (lambda x: np.tril(np.ones((x.shape[1],) * 2), 1) @ x, "n"),
    "a norm over the batch": (lambda x: x - x.mean(0), "b"),
    "a norm over tokens": (lambda x: x - x.mean(1, keepdims=True), "n"),
}


def depends_on(f: Any, rest: Any, changed: Any, meant: Any) -> bool:
    """Whether changes of entries of x change the meant entries of a result, in floats."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        x = rng.normal(size=(3, 4, 2))
        other = np.where(changed, rng.normal(size=x.shape), x)
        before, after = f(x, *rest), f(other, *rest)
        if not np.allclose((before - after)[meant(before)], 0):
            return True
    return False


@pytest.mark.parametrize("name", [*MASKED_BATCHES, *LEAKING_BATCHES])
def test_masked_batches(name: str) -> None:
    f, result, where = {**MASKED_BATCHES, **LEAKING_BATCHES}[name]
    keep = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 1]], bool)

    def meant(value: Any) -> Any:
        return keep if where else np.ones(value.shape, bool)

    assert depends_on(f, [keep], ~keep[..., None], meant) == (name in LEAKING_BATCHES)
    verdict = ep.independent(f, f"x: b n d, keep[bool]: b n -> {result}", of="x[~keep]", where=where)
    require_answer(verdict, holds=name in MASKED_BATCHES)


@pytest.mark.parametrize("name", [*CAUSAL_BATCHES, *LEAKING_IN_BATCHES])
def test_causal_batches(name: str) -> None:
    f, axis = {**CAUSAL_BATCHES, **LEAKING_IN_BATCHES}[name]
    later = np.zeros((3, 4, 1), bool)
    if axis == "n":
        later[:, 2:] = True
    else:
        later[1:] = True

    def meant(value: Any) -> Any:
        return np.broadcast_to(~later, value.shape)

    leaks = name in LEAKING_IN_BATCHES and f is LEAKING_IN_BATCHES[name][0]
    assert depends_on(f, [], later, meant) == leaks
    require_answer(ep.causal(f, "x: b n d -> b n d", axis), holds=not leaks)


def require_answer(verdict: ep.Verdict, *, holds: bool) -> None:
    if holds:
        assert (verdict.outcome, verdict.grade) == ("HOLDS", "PROVED"), str(verdict)
    else:
        assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert not re.search(r"\bdependence\.py", str(verdict)), "a line of the package"
    require_accepted(verdict)


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
        lambda x, pad: layer(x, src_key_padding_mask=pad),
        "x: b n 4, pad[bool]: b n -> b n 4", of="x[pad]", where="~pad", backend="torch",
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
        ("x: b n d, keep[bool]: m -> d", "x[keep]"),
        ("x: b n n, keep[bool]: n -> n", "x"),
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
    ],
)
def test_an_axis_without_order(signature: str, axis: str) -> None:
    with pytest.raises(SignatureError, match="needs an axis that a result and an argument share"):
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
