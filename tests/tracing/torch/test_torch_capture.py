"""How a torch target is read: writes in place, sizes, numbers, and what a run without entries could miss."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
nn = torch.nn
pytestmark = [pytest.mark.filterwarnings(f"ignore::{n}Warning") for n in ("Deprecation", "Future", "User")]


def column(x: Any) -> Any:
    y = torch.zeros_like(x)
    y[:, 1] = x.sum(dim=1)
    return y


def seen_through_a_view(x: Any) -> Any:
    y = x.clone()
    row, later = y[0], y.t()
    row.mul_(2)
    return later.t() + row


def chain_of_views(x: Any) -> Any:
    y = x.clone()
    y.t()[1].unsqueeze(0).neg_()
    return y


def two_views(x: Any) -> Any:
    y = x.clone()
    left, right = y[:, :2], y[:, 1:]
    left += 1
    right *= 3
    return y + left.sum()


def parts(x: Any) -> Any:
    y = x.clone()
    first, second = y.split([1, 2], dim=1)
    second.add_(first)
    first.zero_()
    return y


def reshaped(x: Any) -> Any:
    y = x.clone()
    y.view(-1, 1).squeeze(1).mul_(2)
    return y


def permuted(x: Any) -> Any:
    y = torch.stack([x, 2 * x, 3 * x])
    y.permute(2, 0, 1)[0].sub_(1)
    return y.sum(dim=0)


def out(x: Any) -> Any:
    y = torch.empty_like(x)
    torch.mul(x, 2, out=y)
    return y + x


def argument(x: Any) -> Any:
    x.add_(1)
    return x * 2


def masked(x: Any) -> Any:
    y = x.clone()
    y[x > 0] = 5.0
    return y


def rounded(x: Any) -> Any:
    y = torch.zeros(x.shape, dtype=torch.int64)
    y.copy_(4 * torch.tanh(x))
    return y.to(x.dtype)


def shaped_in_place(x: Any) -> Any:
    y = x * 2
    y.unsqueeze_(0)
    return y.squeeze(0)


def after_the_view(x: Any) -> Any:
    y = x.clone()
    view = y[0]
    y.mul_(3)
    return y + view


def nested(x: Any) -> Any:
    y = x.clone()
    inner = y[:, 1:][:, 1]
    y[:, 2] = 7.0
    return x + inner[:, None]


WRITES = [
    column, seen_through_a_view, chain_of_views, two_views, parts, reshaped, permuted, out, argument, masked,
    rounded, shaped_in_place, after_the_view, nested,
]  # fmt: skip


def trace(f: Any, text: str) -> Any:
    signature = parse_signature(text)
    return trace_all_sizes(adapt(f, "torch", signature), signature, {}).program


@pytest.mark.parametrize("f", WRITES)
def test_writes_in_place_are_values(f: Any) -> None:
    program = trace(f, "X: n 3 -> n 3")
    x = np.random.default_rng(5).standard_normal((4, 3))
    expected = f(torch.tensor(x)).numpy()
    assert np.allclose(evaluate_float(program, {"X": x}, {"n": 4}), expected, atol=1e-12)


class Aliased(nn.Module):
    """A buffer that each call changes by little, seen through another name."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.ones(3, dtype=torch.float64))
        self.other = self.table[:2]

    def forward(self, x: Any) -> Any:
        self.table.add_(1e-11 * x.sum())
        return x * self.other.sum()


class Asked(nn.Module):
    """A counter of calls, made a number."""

    def __init__(self, ask: Any) -> None:
        super().__init__()
        self.register_buffer("steps", torch.zeros((), dtype=torch.float64))
        self.ask = ask

    def forward(self, x: Any) -> Any:
        self.steps += 1
        return x * self.ask(self.steps)


REFUSED: dict[str, Any] = {
    "another name of a buffer": Aliased(),
    "number of a buffer": Asked(lambda s: s.item()),
    "number of a product": Asked(lambda s: (s * 1).item()),
    "truth of a buffer": Asked(lambda s: 2.0 if s > 1 else 1.0),
    "size that an entry decides": lambda x: x + torch.ones(int(x.sum()) + 1).sum(),
    "text of a size": lambda x: x * len(f"{x.shape[0]}" * 2),
    "loop over a size": lambda x: sum((x for _ in range(x.shape[0])), x),
    "size as a plain number": lambda x: x * float(x.shape[0] % 3),
    "windows": lambda x: nn.functional.max_pool1d(x.T, 2).sum() + x,
    "random": lambda x: x + torch.rand(3, dtype=x.dtype),
    "random in place": lambda x: x + torch.zeros(3, dtype=x.dtype).normal_(),
    "strides": lambda x: x + x.as_strided((3,), (1,)),
    "place in memory": lambda x: x * x.storage_offset(),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_run_without_entries_would_miss_is_refused(name: str) -> None:
    with pytest.raises(TraceError):
        trace(REFUSED[name], "X: n 3 -> n 3")


SIZES: dict[str, Any] = {
    "root": lambda x: x / x.shape[0] ** 0.5,
    "quotient": lambda x: x * (x.shape[0] / (x.shape[0] + 1)),
    "power": lambda x: x * 2.0 ** x.shape[0],
    "square": lambda x: x.repeat(1, 1) * x.shape[0] ** 2,
    "nothing, repeated": lambda x: x + x.repeat(0, 1).sum() + x.tile((0,)).sum(),
    "product": lambda x: x.flatten().view(x.shape[0], 3) / x.numel(),
    "tenth": lambda x: x * (x.shape[0] * 0.1 + 0.2),
    "difference": lambda x: x[: x.shape[0] - 1].sum(dim=0) + x,
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_numbers(name: str) -> None:
    f = SIZES[name]
    program = trace(f, "X: n 3 -> n 3")
    for n in (2, 6):
        x = np.random.default_rng(n).standard_normal((n, 3))
        found = evaluate_float(program, {"X": x}, {"n": n})
        assert np.allclose(found, f(torch.tensor(x)).numpy(), rtol=1e-12)


def test_products_of_floats_beside_sizes_are_not_rounded() -> None:
    """0.1 * 0.2 is 0.02 in floats, and another number where each float is the rational that it is."""

    def apart(x: Any) -> Any:
        return x * (x.shape[0] * 0.1 * 10.0)

    def together(x: Any) -> Any:
        return x * (x.shape[0] * 1.0)

    verdict = ep.identical(apart, together, "X: n 3 -> n 3", budget=10)
    assert not verdict.holds, str(verdict)


def test_a_refusal_names_the_line_and_what_torch_said() -> None:
    with pytest.raises(TraceError, match=r"test_torch_capture\.py") as refused:
        trace(lambda x: x[: int(x.sum())], "X: n 3 -> n 3")
    assert "data-dependent" in str(refused.value)
