"""Modules that store something when they are called, and torch targets that read the world outside."""

from __future__ import annotations

import itertools
import os
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.support.errors import TraceError

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
nn = torch.nn
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{name}Warning") for name in ("Deprecation", "Future", "User")
]
ROWS = "X: n 3 -> n 3"


class Average(nn.Module):
    """A running mean of what it has seen, which it does not use."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(1))

    def forward(self, x: Any) -> Any:
        self.mean.mul_(0.9).add_(0.1 * x.mean())
        return 2 * x


class Centred(Average):
    """The same, subtracted."""

    def forward(self, x: Any) -> Any:
        self.mean.mul_(0.9).add_(0.1 * x.mean())
        return x - self.mean


class Steps(nn.Module):
    """A buffer and a number that count calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, x: Any) -> Any:
        self.calls += 1
        self.steps += 1
        return torch.relu(x)


class Warming(Steps):
    """A factor that grows with the calls."""

    def forward(self, x: Any) -> Any:
        self.steps += 1
        return x * torch.clamp(self.steps / 1e9, max=1.0)


class Lazy(nn.Module):
    """A constant that the first call makes."""

    def __init__(self) -> None:
        super().__init__()
        self.scale: Any = None

    def forward(self, x: Any) -> Any:
        if self.scale is None:
            self.scale = torch.full((3,), 2.0)
        return x * self.scale


def spectral(old: bool) -> Any:
    layer = nn.Linear(3, 3)
    return nn.utils.spectral_norm(layer) if old else nn.utils.parametrizations.spectral_norm(layer)


JUDGED: dict[str, tuple[Any, str]] = {
    "batch, images": (nn.BatchNorm2d(3), "X: n 3 4 4 -> n 3 4 4"),
    "batch, volumes": (nn.BatchNorm3d(2, affine=False), "X: n 2 2 2 2 -> n 2 2 2 2"),
    "batch, in a row": (nn.Sequential(nn.Conv1d(3, 3, 1), nn.BatchNorm1d(3), nn.ReLU()), "X: n 3 5 -> n 3 5"),
    "batch, without statistics": (nn.BatchNorm1d(3, track_running_stats=False), "X: n 3 5 -> n 3 5"),
    "instance": (nn.InstanceNorm1d(3, track_running_stats=True), "X: n 3 5 -> n 3 5"),
    "instance, images": (nn.InstanceNorm2d(3, track_running_stats=True), "X: n 3 4 4 -> n 3 4 4"),
    "average that goes unused": (Average(), ROWS),
    "counter": (Steps(), ROWS),
    "made by the first call": (Lazy(), ROWS),
    "weight norm": (nn.utils.parametrizations.weight_norm(nn.Linear(3, 3)), ROWS),
}  # fmt: skip
CHANGING: dict[str, Any] = {
    "average that is used": Centred(), "factor": Warming(), "spectral norm": spectral(old=False),
    "spectral norm, hooks": spectral(old=True),
}  # fmt: skip


def buffers(module: Any) -> dict[str, bytes]:
    return {n: b.numpy().tobytes() for n, b in module.named_buffers()}


@pytest.mark.parametrize("name", JUDGED)
def test_what_the_result_does_not_depend_on_may_change(name: str) -> None:
    module, signature = JUDGED[name]
    before = buffers(module.train())
    verdict = ep.prove(module, signature, "S(n)")
    assert verdict.grade == "PROVED", str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert buffers(module) == before


def test_a_batch_of_one_value_has_no_statistics() -> None:
    """For all sizes means from 1 up, where the layer raises: judged from 2 up, its buffers restored."""
    module = nn.BatchNorm1d(3).train()
    before = buffers(module)
    verdict = ep.check(module, ROWS, "S(n)", budget=30, sizes={"n": (2, 4)})
    assert verdict.holds, str(verdict)
    assert ep.check(module, ROWS, "Signs(3)", budget=30, sizes={"n": (2, 4)}).holds  # the bias is 0
    module.bias.data.fill_(1.0)
    assert ep.check(module, ROWS, "Signs(3)", budget=30, sizes={"n": (2, 4)}).fails
    module.bias.data.fill_(0.0)
    assert buffers(module) == before


@pytest.mark.parametrize("name", CHANGING)
def test_what_the_result_depends_on_is_named(name: str) -> None:
    module = CHANGING[name].train()
    before = buffers(module)
    verdict = ep.check(module, ROWS, "S(n)", budget=30)
    assert verdict.outcome == "UNDECIDED", str(verdict)
    assert "which each call changes" in verdict.reason and "no function" not in verdict.reason
    assert buffers(module) == before


def test_dropout_is_seen_to_differ() -> None:
    verdict = ep.check(nn.Dropout(0.5).train(), ROWS, "S(n)", budget=30)
    assert verdict.outcome == "UNDECIDED" and "returned different results" in verdict.reason, str(verdict)


class Stores(nn.Module):
    """What the first call stores, and later ones use."""

    def __init__(self, make: Any, use: Any) -> None:
        super().__init__()
        self.make, self.use, self.kept = make, use, None

    def forward(self, x: Any) -> Any:
        if self.kept is None:
            self.kept = self.make(x)
        return self.use(x, self.kept)


class Most(nn.Module):
    """The greatest number of rows so far."""

    def __init__(self, choose: Any) -> None:
        super().__init__()
        self.choose, self.rows = choose, None

    def forward(self, x: Any) -> Any:
        self.rows = x.shape[0] if self.rows is None else self.choose(self.rows, x.shape[0])
        return x / self.rows


class Initialised(nn.Module):
    """A parameter that the first call sets by what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.is_set, self.middle = False, nn.Parameter(torch.zeros(3))

    def forward(self, x: Any) -> Any:
        if not self.is_set:
            self.middle.data.copy_(x.mean(dim=0))
            self.is_set = True
        return x - self.middle


def square(x: Any) -> Any:
    return torch.ones(x.shape[0], x.shape[0], dtype=x.dtype)


FIRST: dict[str, Any] = {
    "number of rows": lambda: Stores(lambda x: x.shape[0], lambda x, n: x / n),
    "rows, under a root": lambda: Stores(lambda x: x.shape[0] ** 0.5, lambda x, n: torch.relu(x) * n),
    "mask": lambda: Stores(square, lambda x, mask: mask @ x),
    "mask, cut": lambda: Stores(square, lambda x, mask: mask[: x.shape[0], : x.shape[0]].sum(0)[:, None] * x),
    "positions": lambda: Stores(lambda x: torch.arange(x.shape[0]).sum(), lambda x, total: x + total),
    "first input": lambda: Stores(lambda x: x.detach().clone(), lambda x, first: x + first.sum()),
    "mean": lambda: Stores(lambda x: x.mean(dim=0), lambda x, mean: x - mean),
    "scale": lambda: Stores(lambda x: float(x.abs().max()), lambda x, scale: x / (1 + scale)),
    "parameter": Initialised,
    "most rows": lambda: Most(max),
    "fewest rows": lambda: Most(min),
}  # fmt: skip


@pytest.mark.parametrize("name", FIRST)
@pytest.mark.parametrize("group", ["S(n)", "Signs(3)"])
def test_what_the_first_call_decides_is_no_constant(name: str, group: str) -> None:
    signature = parse_signature(ROWS)
    with pytest.raises(TraceError, match="which each call changes") as refused:
        trace_all_sizes(adapt(FIRST[name](), "torch", signature), signature, {})
    assert refused.value.code == "trace.state"
    verdict = ep.check(FIRST[name](), ROWS, group, budget=2)
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED", "EXACT", "ENCLOSED"), str(verdict)


def test_what_only_the_first_call_does_may_be_done() -> None:
    """The shape of a layer, a table that is the same for all, are no state."""
    for make in (lambda: nn.LazyLinear(3), lambda: Stores(lambda x: 2.0, lambda x, two: two * x)):
        assert ep.prove(make(), ROWS, "S(n)").grade == "PROVED"


def test_a_module_is_left_as_it_was() -> None:
    """Hooks and caches hold tensors with entries, and a refused module may be called for the first time."""
    normed = nn.utils.weight_norm(nn.Linear(3, 3))
    assert ep.prove(normed, ROWS, "S(n)").grade == "PROVED"
    assert type(normed.weight) is torch.Tensor
    stores = FIRST["number of rows"]()
    assert ep.check(stores, ROWS, "S(n)", budget=2).outcome == "UNDECIDED"
    assert stores.kept is None


NUMBERS = itertools.count()
WORLD: dict[str, Any] = {
    "clock": lambda x: torch.relu(x) * (2.0 if time.time() > 5 else 3.0),
    "variables": lambda x: torch.relu(x) * len(os.environ),
    "arguments": lambda x: torch.relu(x) * len(sys.argv),
    "machine": lambda x: torch.relu(x) * len(platform.node()),
    "threads": lambda x: torch.relu(x) * torch.get_num_threads(),
    "seed": lambda x: torch.relu(x) * (torch.initial_seed() % 2 + 1),
    "type of new tensors": lambda x: torch.relu(x) * (1 + (torch.get_default_dtype() == torch.float32)),
    "device": lambda x: torch.relu(x) * (1 + torch.cuda.is_available()),
    "backend": lambda x: torch.relu(x) * (1 + torch.backends.mkldnn.is_available()),
    "generator": lambda x: torch.relu(x) * torch.get_rng_state()[0],
    "iterator": lambda x: torch.relu(x) * (1 if next(NUMBERS) < 10**9 else 2),
    "dates of NumPy": lambda x: torch.relu(x) * float(np.array("now", dtype="M8[s]").astype(float)),
    "memory of NumPy": lambda x: torch.relu(x) * float(np.empty(1)[0] < 1e300),
    "file": lambda x: torch.relu(x) * torch.load(os.devnull),
    "contiguity": lambda x: x if x.is_contiguous() else 2 * x,
    "strides": lambda x: x * x.stride(-1),
    "exported": lambda x: torch.relu(x) * (2.0 if torch.compiler.is_exporting() else 1.0),
}


@pytest.mark.parametrize("name", WORLD)
def test_what_is_not_known_to_be_pure_is_refused(name: str) -> None:
    signature = parse_signature("x: n -> n")
    with pytest.raises(TraceError):
        trace_all_sizes(adapt(WORLD[name], "torch", signature), signature, {})


def test_a_module_of_torchscript_that_only_computes_is_read() -> None:
    module = torch.jit.script(torch.nn.Linear(3, 3))
    verdict = ep.check(module, "x: n 3 -> n 3", "S(n)", budget=20)
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


class Counted(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 0
        return x * float(self.count)


@pytest.mark.parametrize("layer", [torch.nn.BatchNorm1d(3).eval(), Counted()], ids=str)
def test_a_module_of_torchscript_with_a_state_is_run_and_not_read(layer: Any) -> None:
    module = torch.jit.script(layer)
    verdict = ep.check(module, "x: n 3 -> n 3", "S(n)", budget=5)
    assert verdict.grade == "TESTED", str(verdict)


def without_entries() -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode().from_tensor(torch.ones(3))


#: Tensors whose entries torch does not hand out.
UNREADABLE: dict[str, Callable[[], Any]] = {
    "none": without_entries,
    "meta": lambda: torch.ones(3, device="meta"),
    "sparse": lambda: torch.eye(3).to_sparse(),
    "rows": lambda: torch.eye(3).to_sparse_csr(),
    "half complex": lambda: torch.ones(3, dtype=torch.complex32),
    "nested": lambda: torch.nested.nested_tensor([torch.ones(3), torch.ones(2)]),
    "quantised": lambda: torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8),
}


class Held:
    """What a test puts here is an attribute of the class."""

    tensor: Any = None


def if_held(x: Any) -> Any:
    return x if Held.tensor is None else 2 * x


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_tensor_whose_entries_cannot_be_read_is_named(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    signature = parse_signature(ROWS)
    monkeypatch.setattr(Held, "tensor", UNREADABLE[kind]())
    with pytest.raises(TraceError, match=r"whose entries cannot be read \(Held\.tensor\)"):
        trace_all_sizes(adapt(if_held, "torch", signature), signature, {})


def test_what_a_class_holds_of_dense_tensors_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Held, "tensor", torch.ones(3, dtype=torch.bfloat16))
    verdict = ep.check(if_held, ROWS, "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted


def test_a_sparse_tensor_in_a_result_is_named() -> None:
    signature, held = parse_signature(ROWS), torch.eye(3).to_sparse()
    with pytest.raises(TraceError, match=r"a tensor of the layout torch\.sparse"):
        trace_all_sizes(adapt(lambda x: x @ held.to_dense(), "torch", signature), signature, {})
