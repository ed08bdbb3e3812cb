"""The reasons of `causal` and `independent` name the line that leaks, and lines of the user alone."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate


def rolled(x: Any) -> Any:
    z = np.exp(x)
    y = np.roll(z, -1, axis=0)  # leaks
    return z + y


def last(x: Any) -> Any:
    y = np.tanh(x)
    w = y * 2
    return w + y[-1]  # leaks


def centred(x: Any) -> Any:
    y = x * x
    m = y.mean(0)  # leaks
    return y - m


def one_diagonal_more(x: Any, W: Any) -> Any:
    s = x @ W @ x.T
    a = np.tril(np.exp(s), 1)  # leaks
    return a @ x


def back_and_forth(x: Any) -> Any:
    y = np.exp(x)[::-1]
    z = y[::-1]
    s = z.sum(0)  # leaks
    return z / s


def delayed(x: Any) -> Any:
    y = np.concatenate([np.zeros_like(x[:1]), x])
    z = y[:-1]  # leaks
    return np.exp(z) + x


def first(x: Any) -> Any:
    y = np.tanh(x)
    w = np.cumsum(y[::-1], 0)[::-1]
    return w - y[0]  # leaks


CAUSAL: list[tuple[Callable[..., Any], str]] = [
    (rolled, "x: n d -> n d"), (last, "x: n d -> n d"), (centred, "x: n d -> n d"),
    (one_diagonal_more, "x: n d, W: d d -> n d"), (back_and_forth, "x: n d -> n d"),
]  # fmt: skip
EARLIER: list[tuple[Callable[..., Any], str]] = [
    (delayed, "x: n d -> n d"), (first, "x: n d -> n d"), (centred, "x: n d -> n d"),
]  # fmt: skip


def all_are_summed(x: Any, pad: Any) -> Any:
    h = np.exp(x)
    kept = np.where(pad[:, None], h, 0)
    return h.sum(0) + kept.sum(0)  # leaks


def weights_of_padding(x: Any, pad: Any) -> Any:
    e = np.exp(x @ x.T)
    a = e / e.sum(1, keepdims=True)  # leaks
    return a @ np.where(pad[:, None], x, 0)


def over_tokens_of_all(x: Any, pad: Any) -> Any:
    y = np.where(pad[..., None], x, 0).sum(1)
    m = x.mean(1)  # leaks
    return y - m


INDEPENDENT: list[tuple[Callable[..., Any], str, str]] = [
    (all_are_summed, "x: n d, pad[bool]: n -> d", ""),
    (weights_of_padding, "x: n d, pad[bool]: n -> n d", "pad"),
    (over_tokens_of_all, "x: b n d, pad[bool]: b n -> b d", ""),
]


def leaking_place(f: Callable[..., Any]) -> str:
    lines, start = inspect.getsourcelines(f)
    (number,) = [start + k for k, line in enumerate(lines) if "# leaks" in line]
    return f"test_leaking_line.py:{number}: "


def require_place(verdict: ep.Verdict, place: str) -> None:
    assert verdict.fails, str(verdict)
    assert check_certificate(verdict.certificate).accepted
    assert place in verdict.reason
    assert set(re.findall(r"\w+\.py", verdict.reason)) == {"test_leaking_line.py"}


@pytest.mark.parametrize(("f", "signature"), CAUSAL)
def test_a_leak_of_later_entries_is_named(f: Callable[..., Any], signature: str) -> None:
    verdict = ep.causal(f, signature)
    require_place(verdict, leaking_place(f))
    assert verdict.claim.startswith("causal along n, as [")


@pytest.mark.parametrize(("f", "signature"), EARLIER)
def test_a_leak_of_earlier_entries_is_named(f: Callable[..., Any], signature: str) -> None:
    require_place(ep.causal(f, signature, before=0, after=None), leaking_place(f))


@pytest.mark.parametrize(("f", "signature", "where"), INDEPENDENT)
def test_a_leak_of_padding_is_named(f: Callable[..., Any], signature: str, where: str) -> None:
    verdict = ep.independent(f, signature, of="x[~pad]", where=where)
    require_place(verdict, leaking_place(f))
    assert verdict.claim.startswith("independent of x[~pad]")


def test_a_line_of_a_module_of_torch_is_named() -> None:
    torch: Any = pytest.importorskip("torch", reason="torch is not installed")

    class Rolled(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            y = torch.tanh(x)
            z = torch.roll(y, -1, 0)  # leaks
            return y + z

    require_place(ep.causal(Rolled(), "x: n 2 -> n 2"), leaking_place(Rolled.forward))


def test_an_allowed_window_is_not_a_leak() -> None:
    def near_and_far(x: Any) -> Any:
        near = np.concatenate([x[1:], x[:1] * 0])
        far = np.concatenate([x[3:], x[:3] * 0])  # leaks
        return near * far

    require_place(ep.causal(near_and_far, "x: n d -> n d", after=2), leaking_place(near_and_far))


def test_without_a_leak_the_first_use_is_named() -> None:
    def shifted(x: Any) -> Any:
        y = x + 0 * x[-1]  # leaks
        return np.sin(y)

    def cancelled(x: Any) -> Any:
        e = np.exp(np.sin(x))  # leaks
        return np.cumsum(e, 0) + (np.sin(e.sum(0)) ** 2 + np.cos(e.sum(0)) ** 2)

    assert ep.causal(shifted, "x: n d -> n d").holds
    verdict = ep.causal(cancelled, "x: n d -> n d", budget=1)
    assert verdict.grade == "TESTED"
    assert "used first at " + leaking_place(cancelled) in verdict.reason
