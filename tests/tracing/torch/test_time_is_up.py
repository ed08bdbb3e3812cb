"""Where the time is up while torch asks about a tensor, nothing may arise: it would end the process."""

from __future__ import annotations

import sys

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import eqvproof as ep  # noqa: E402
from eqvproof.support import deadline  # noqa: E402
from eqvproof.tracing.torch import capture  # noqa: E402


def slope(x: torch.Tensor) -> torch.Tensor:
    y = x.detach().requires_grad_(True)
    (found,) = torch.autograd.grad(y.prod(), y)
    return found


def test_the_clock_is_not_looked_at_while_torch_asks_for_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, asked, ran = list[str](), list[str](), capture.Capture._record_operation

    def look() -> None:
        looked.append(str(sys._getframe(1).f_locals["func"]))

    def noted(self: capture.Capture, func: object, *given: object) -> object:
        asked.append(str(func))
        return ran(self, func, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(capture, "require_time", look)
    monkeypatch.setattr(capture.Capture, "_record_operation", noted)
    verdict = ep.check(slope, "x: n -> n", "S(n)", backend="torch", budget=10.0)
    assert verdict.holds
    assert "prim.device.default" in asked and "aten.prod.default" in looked
    assert not [name for name in looked if name.startswith("prim.")]


def test_an_interruption_waits_for_the_answer() -> None:
    def __torch_dispatch__(func: object) -> bool:
        return deadline._is_unheard(sys._getframe())

    assert __torch_dispatch__(torch.ops.prim.device.default)
    assert not __torch_dispatch__(torch.ops.aten.prod.default)
