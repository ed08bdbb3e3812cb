"""Windows, several results and tokens, as people write them, beside what they get wrong.

That a result leaks is decided by changing entries of floats, not by the package.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from eqvproof.support.errors import SignatureError

TABLE = np.random.default_rng(0).normal(size=(6, 3))


def softmax(s: Any) -> Any:
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def delayed(x: Any, by: int) -> Any:
    return np.concatenate([np.zeros_like(x[:by]), x[:-by]])


def advanced(x: Any, by: int) -> Any:
    return np.concatenate([x[by:], np.zeros_like(x[:by])])


def banded(x: Any, before: int, after: int) -> Any:
    i = np.arange(len(x))
    apart = i[None, :] - i[:, None]
    seen = (apart <= after) & (apart >= -before)
    return softmax(np.where(seen, x @ x.T, -np.inf)) @ x


def near(x: Any, most: int) -> Any:
    i = np.arange(len(x))
    scores = np.where(np.abs(i[:, None] - i) <= most, np.exp(x @ x.T), 0.0)
    return scores @ x / scores.sum(1, keepdims=True)


def padded(x: Any, before: int, after: int) -> Any:
    p = np.pad(x, ((before, after), (0, 0)))
    return sum(p[k : k + len(x)] * (k + 1.0) for k in range(before + after + 1))


def lower(n: int, diagonal: int = 0) -> Any:
    return np.tril(np.ones((n, n), bool), diagonal)


#: A function x: n d -> n d, how many entries before and after are seen: those of the claim.
Window = tuple[Callable[[Any], Any], int | None, int | None]
WITHIN: dict[str, Window] = {
    "differences": (lambda x: x - delayed(x, 1), 1, 0),
    "a wider window than it needs": (lambda x: x - delayed(x, 1), 3, 0),
    "central differences": (lambda x: advanced(x, 1) - delayed(x, 1), 1, 1),
    "two layers": (lambda x: np.tanh(padded(np.tanh(padded(x, 1, 1)), 1, 1)), 2, 2),
    "a kernel of five": (lambda x: padded(x, 2, 2), 2, 2),
    "a causal kernel": (lambda x: padded(x, 3, 0), 3, 0),
    "sliding attention": (lambda x: banded(x, 2, 0), 2, 0),
    "local attention": (lambda x: near(x, 2), 2, 2),
    "bands of a matrix": (lambda x: np.tril(np.triu(np.ones((len(x),) * 2), -1), 1) @ x, 1, 1),
    "each by itself": (lambda x: x / np.sqrt((x**2).sum(1, keepdims=True) + 1), 0, 0),
    "all that came before": (lambda x: np.cumsum(x, 0), None, 0),
    "a look ahead": (lambda x: np.cumsum(advanced(x, 2), 0), None, 2),
    "all that comes": (lambda x: np.cumsum(x[::-1], 0)[::-1], 0, None),
}
BEYOND: dict[str, Window] = {
    "one step too many": (lambda x: x - delayed(x, 2), 1, 0),
    "the wrong side": (lambda x: x - advanced(x, 1), 1, 0),
    "three layers": (lambda x: padded(padded(padded(x, 1, 1), 1, 1), 1, 1), 2, 2),
    "a kernel of six": (lambda x: padded(x, 2, 3), 2, 2),
    "wrapped around": (lambda x: x + np.roll(x, 1, 0), 1, 1),
    "attention with one more": (lambda x: banded(x, 3, 0), 2, 0),
    "attention with one ahead": (lambda x: banded(x, 2, 1), 2, 0),
    "local attention of three": (lambda x: near(x, 3), 2, 2),
    "more bands": (lambda x: np.tril(np.triu(np.ones((len(x),) * 2), -2), 1) @ x, 1, 1),
    "sums": (lambda x: np.cumsum(x, 0), 4, 0),
    "all but the mean": (lambda x: x - x.mean(0), 3, 3),
    "a look ahead too far": (lambda x: np.cumsum(advanced(x, 3), 0), None, 2),
}


def leaks_beyond(f: Callable[[Any], Any], before: int | None, after: int | None) -> bool:
    """Whether an entry of the result changes with one outside its window, in floats."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(9, 2))
    found = f(x)
    for j in range(len(x)):
        other = x.copy()
        other[j] += rng.normal(size=2)
        changed = np.flatnonzero(~np.isclose(found, f(other), rtol=1e-9).all(1))
        if any(j < i - (9 if before is None else before) for i in changed):
            return True
        if any(j > i + (9 if after is None else after) for i in changed):
            return True
    return False


@pytest.mark.parametrize("name", [*WITHIN, *BEYOND])
def test_windows(name: str) -> None:
    f, before, after = {**WITHIN, **BEYOND}[name]
    leaks = leaks_beyond(f, before, after)
    assert leaks == (name in BEYOND)
    require_answer(ep.causal(f, "x: n d -> n d", before=before, after=after), leaks=leaks)


def require_answer(verdict: ep.Verdict, *, leaks: bool) -> None:
    if leaks:
        assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
        assert " depends on " in verdict.reason, str(verdict)
    else:
        assert verdict.grade == "PROVED", str(verdict)
    assert not re.search(r"\bdependence\.py", str(verdict)), "a line of the package"
    assert check_certificate(verdict.certificate).accepted


def test_the_entry_that_leaks() -> None:
    verdict = ep.causal(lambda x: x + advanced(x, 3), "x: n d -> n d", after=1)
    assert verdict.reason.startswith("entry 0 of the result depends on entry 3 of x, 3 later")
    verdict = ep.causal(lambda x: x + delayed(x, 4), "x: n d -> n d", before=2)
    assert verdict.reason.startswith("entry 4 of the result depends on entry 0 of x, 4 earlier")


def decoder(z: Any, mask: Any = True) -> Any:
    x = TABLE[z]
    return softmax(softmax(np.where(mask, x @ x.T, -np.inf)) @ x) @ TABLE.T


#: A function z[6]: n -> n k of tokens.
LANGUAGE: dict[str, tuple[Callable[[Any], Any], int]] = {
    "rows": (lambda z: TABLE[z], 3),
    "sums": (lambda z: np.cumsum(TABLE[z], 0), 3),
    "one hot": (lambda z: np.cumsum(np.eye(6)[z], 0), 6),
    "a decoder": (lambda z: decoder(z, lower(len(z))), 6),
    "pairs of tokens": (lambda z: TABLE[z] + delayed(TABLE[z], 1), 3),
}
LEAKING_LANGUAGE: dict[str, tuple[Callable[[Any], Any], int]] = {
    "an encoder": (decoder, 6),
    "one diagonal more": (lambda z: decoder(z, lower(len(z), 1)), 6),
    "sums from the end": (lambda z: np.cumsum(TABLE[z][::-1], 0)[::-1], 3),
    "the next token": (lambda z: advanced(TABLE[z], 1), 3),
    "a norm over tokens": (lambda z: TABLE[z] - TABLE[z].mean(0), 3),
}


@pytest.mark.parametrize("name", [*LANGUAGE, *LEAKING_LANGUAGE])
def test_tokens(name: str) -> None:
    f, k = {**LANGUAGE, **LEAKING_LANGUAGE}[name]
    rng = np.random.default_rng(1)
    leaks = False
    for _ in range(20):
        z, other = rng.integers(6, size=(2, 7))
        other[:4] = z[:4]
        leaks |= not np.allclose(f(z)[:4], f(other)[:4], rtol=1e-9)
    assert leaks == (name in LEAKING_LANGUAGE)
    require_answer(ep.causal(f, f"z[6]: n -> n {k}"), leaks=leaks)


def recurrent(x: Any) -> tuple[Any, Any]:
    return np.cumsum(x, 0), x.sum(0)


def test_several_results() -> None:
    """Those without the axis are left out: the last state depends on all entries."""
    verdict = ep.causal(recurrent, "x: n d -> states: n d, last: d")
    require_answer(verdict, leaks=False)
    both = ep.causal(lambda x: {"h": np.cumsum(x, 0), "g": x[::-1]}, "x: n d -> h: n d, g: n d")
    require_answer(both, leaks=True)
    assert both.reason.startswith("entry 0 of g depends on entry 1 of x")
    window = ep.causal(
        lambda x: (padded(x, 1, 1), padded(x, 1, 2)), "x: n d -> n d, n d", before=1, after=1
    )
    require_answer(window, leaks=True)
    assert window.results["result_0_earlier"].holds and window.results["result_1_later"].fails


def test_independence_of_several_results() -> None:
    def pooled(x: Any, keep: Any) -> dict[str, Any]:
        return {"rows": np.tanh(x), "mean": (x * keep[:, None]).sum(0) / keep.sum()}

    signature = "x: n d, keep[bool]: n -> rows: n d, mean: d"
    verdict = ep.independent(pooled, signature, of="x[~keep]", where="keep")
    assert verdict.grade == "PROVED", str(verdict)
    assert check_certificate(verdict.certificate).accepted
    assert ep.independent(pooled, signature, of="x[~keep]").fails


def test_independence_of_tokens() -> None:
    def mean(z: Any, keep: Any) -> Any:
        return (TABLE[z] * keep[:, None]).sum(0)

    for f, holds in ((mean, True), (lambda z, keep: TABLE[z].sum(0) * keep.sum(), False)):
        verdict = ep.independent(f, "z[6]: n, keep[bool]: n -> 3", of="z[~keep]")
        assert verdict.holds == holds and verdict.fails != holds, str(verdict)
        assert check_certificate(verdict.certificate).accepted


def test_a_large_number_is_not_infinity() -> None:
    """exp(-1e9) is not 0: the later entries count, by less than a float can show."""

    def masked(x: Any) -> Any:
        return softmax(np.where(lower(len(x)), x @ x.T, -1e9)) @ x

    verdict = ep.causal(masked, "x: n d -> n d", budget=2)
    assert verdict.grade in ("TESTED", "", "ENCLOSED") and verdict.grade != "PROVED"
    assert "-1e+09 in place of -inf" in verdict.reason, str(verdict)


@pytest.mark.parametrize("window", [(None, None), (-1, 0), (0, -2)])
def test_what_is_no_window(window: tuple[int | None, int | None]) -> None:
    before, after = window
    with pytest.raises(SignatureError, match="no window"):
        ep.causal(lambda x: x, "x: n d -> n d", before=before, after=after)


def test_networks_of_torch() -> None:
    torch: Any = pytest.importorskip("torch", reason="torch is not installed")
    torch.manual_seed(0)
    table, conv = torch.nn.Embedding(6, 4), torch.nn.Conv1d(4, 4, 3, padding=1)
    layer = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True).eval()

    def language(z: Any) -> Any:
        mask = torch.nn.Transformer.generate_square_subsequent_mask(z.shape[0])
        return layer(table(z)[None], src_mask=mask)[0]

    def local(x: Any) -> Any:
        return torch.relu(conv(x.T[None]))[0].T

    require_answer(ep.causal(language, "z[6]: n -> n 4", backend="torch"), leaks=False)
    require_answer(ep.causal(local, "x: n 4 -> n 4", after=1, backend="torch"), leaks=False)
    require_answer(ep.causal(local, "x: n 4 -> n 4", backend="torch"), leaks=True)
