"""Torch functions and modules: read from one run without entries, proved, refuted, refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.api import verify
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.support.errors import TraceError
from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
F = torch.nn.functional


def knowledge_attention(x: Any, z: Any) -> Any:
    """X softmax(X^T Z Z^T X / sqrt(d))."""
    y = z.T @ x
    return x @ torch.softmax(y.T @ y / x.shape[0] ** 0.5, dim=0)


def normalised(x: Any) -> Any:
    """Unit columns."""
    return x / torch.linalg.norm(x, dim=0, keepdim=True)


def deep_sets(x: Any) -> Any:
    """Row features, summed."""
    return torch.tanh(x**2 - 1).sum(dim=0)


PROVED = [
    (knowledge_attention, "X: d n, Z: d k -> d n", "O(d) x S(n)"),
    (normalised, "X: d n -> d n", "O(d) x S(n)"),
    (deep_sets, "X: n c -> c", "S(n)"),
    (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        "Q: m d, K: n d, V: n e -> m e",
        "O(d) x S(n) x S(m)",
    ),
    (lambda x: torch.eye(x.shape[0], dtype=x.dtype) @ x * torch.var(x), "X: d n -> d n", "S(d) x S(n)"),
]
REFUTED = [
    (lambda x: torch.relu(x), "X: d n -> d n", "O(d)"),
    (lambda x: torch.cumsum(x, dim=1), "X: d n -> d n", "S(n)"),
    (lambda x: torch.softmax(x, dim=0), "X: d n -> d n", "O(d)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_right_functions_are_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under, budget=120)


@pytest.mark.parametrize(("f", "signature", "under"), REFUTED)
def test_wrong_functions_are_refuted(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, budget=120)


def encoder(**options: Any) -> Any:
    """A small encoder layer with weights of its own."""
    torch.manual_seed(3)
    return torch.nn.TransformerEncoderLayer(4, 2, 6, batch_first=True, **options).eval()


@pytest.mark.parametrize("norm_first", [False, True])
def test_encoder_layer_is_permutation_equivariant_and_no_more(norm_first: bool) -> None:
    layer = encoder(norm_first=norm_first)
    verdict = ep.check(layer, "X: 2 n 4 -> 2 n 4", under="S(n)", budget=120)
    assert verdict.grade == "PROVED" and verify(verdict.certificate).accepted, str(verdict)
    assert ep.check(layer, "X: 1 n 4 -> 1 n 4", under="Signs(4)", budget=120).fails


def test_randomness_of_the_training_mode_is_refused_by_name() -> None:
    module, signature = torch.nn.Dropout(0.5), parse_signature("X: n 4 -> n 4")
    with pytest.raises(TraceError, match="dropout"):
        trace_all_sizes(adapt(module, None, signature), signature, {})
    assert not ep.check(module, "X: n 4 -> n 4", under="S(n)", budget=20).holds


def test_evaluation_mode_is_proved() -> None:
    module = torch.nn.Sequential(torch.nn.BatchNorm1d(4), torch.nn.Dropout(0.5), torch.nn.GELU()).eval()
    assert ep.check(module, "X: n 4 -> n 4", under="S(n)", budget=120).grade == "PROVED"


class Counter(torch.nn.Module):
    """Counts its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return torch.cumsum(x, 1) if self.calls > 10**6 else torch.abs(x)


def above_seven(x: Any) -> Any:
    return torch.abs(x) if x.shape[1] > 7 else torch.abs(x) * 2


def sums_above_seven(x: Any) -> Any:
    return torch.cumsum(x, 1) if x.shape[1] > 7 else torch.abs(x) * 2


def unlike_square(x: Any) -> Any:
    return torch.abs(x) if x.shape[0] != x.shape[1] else torch.cumsum(x, 1)


def one_column(x: Any) -> Any:
    return torch.abs(x) if x.shape[1] != 1 else torch.abs(x) + 1


def swallows(x: Any) -> Any:
    try:
        return torch.abs(x)
    except Exception:
        return torch.cumsum(x, 1)


def asks_whether_it_is_exported(x: Any) -> Any:
    return torch.abs(x) if torch.compiler.is_exporting() else torch.cumsum(x, 1)


def adds_noise(x: Any) -> Any:
    return torch.abs(x) + 1e-12 * torch.rand(1)


def asks_for_the_type(x: Any) -> Any:
    return torch.abs(x) if type(x) is not torch.Tensor else torch.cumsum(x, 1)


@pytest.mark.parametrize(
    "f",
    [
        Counter(),
        unlike_square,
        one_column,
        swallows,
        asks_whether_it_is_exported,
        adds_noise,
        asks_for_the_type,
    ],
    ids=lambda f: getattr(f, "__name__", "Counter"),
)
def test_what_a_run_without_entries_cannot_show_is_never_proved(f: Any) -> None:
    verdict = ep.prove(f, "X: d n -> d n", under="S(n)")
    assert verdict.outcome == "UNDECIDED", str(verdict)


def test_a_branch_on_a_size_limits_the_scope() -> None:
    """What is done beyond the limit is not proved, and a violation there is found."""
    verdict = ep.prove(above_seven, "X: d n -> d n", under="S(n)")
    assert (verdict.grade, verdict.scope) == ("PROVED", "for n from 1 to 7 and all d")
    wrong = ep.check(sums_above_seven, "X: d n -> d n", under="S(n)")
    assert wrong.fails and wrong.sizes[0]["n"] == 8, str(wrong)


def test_a_torch_target_is_called_with_numpy_arrays() -> None:
    target = adapt(torch.nn.Linear(3, 2), None, parse_signature("X: n 3 -> n 2"))
    assert target(np.zeros((5, 3))).shape == (5, 2)


class Residual(torch.nn.Module):
    """A layer that asks itself whether it has a norm, as Set Transformers do."""

    def __init__(self) -> None:
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)
        self.norm = torch.nn.LayerNorm(4)

    def forward(self, x: Any) -> Any:
        x = x + torch.relu(self.mix(x))
        return x if getattr(self, "norm", None) is None else self.norm(x)


class Channels(torch.nn.Module):
    """A linear map of channels that are the second axis, as vector neurons write it."""

    def __init__(self) -> None:
        super().__init__()
        self.map = torch.nn.Linear(4, 5, bias=False)

    def forward(self, x: Any) -> Any:
        return self.map(x.transpose(1, -1)).transpose(1, -1)


def pooled(x: Any) -> Any:
    """The largest entry of every channel."""
    return F.adaptive_max_pool1d(x, 1).squeeze(-1)


AS_WRITTEN = [
    (Residual(), "X: b n 4 -> b n 4", "S(n) x S(b)"),
    (Channels(), "X: b 4 3 n -> b 5 3 n", "O(3) x S(n) x S(b)"),
    (pooled, "X: b 3 n -> b 3", "S(n) x S(b)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), AS_WRITTEN, ids=["residual", "channels", "pooled"])
def test_modules_as_people_write_them_are_proved(f: Any, signature: str, under: str) -> None:
    assert_proved(f, signature, under)


class AsksTheTensor(torch.nn.Module):
    """getattr of a tensor may tell a trace from a call, whatever the tensor is called."""

    def forward(self, x: Any) -> Any:
        return x * (2.0 if getattr(x, "fake_mode", None) is None else 1.0)


class AsksForTheTensors(torch.nn.Module):
    """So may getattr of an attribute that tensors have."""

    def forward(self, x: Any) -> Any:
        return x * (2.0 if getattr(self, "fake_mode", None) is None else 1.0)


@pytest.mark.parametrize("module", [AsksTheTensor(), AsksForTheTensors()], ids=["tensor", "self"])
def test_questions_that_tensors_could_answer_are_refused(module: Any) -> None:
    signature = parse_signature("X: d n -> d n")
    with pytest.raises(TraceError, match="getattr"):
        trace_all_sizes(adapt(module, "torch", signature), signature, {})


def conditions() -> dict[str, tuple[Any, bool]]:
    """Conditions on sizes as torch notes them, and whether they hold at every size."""
    import sympy
    from torch.utils._sympy.functions import (
        CeilToInt,
        FloorDiv,
        Max,
        Min,
        PythonMod,
        ToFloat,
        TruncToInt,
    )

    n, m = sympy.Symbol("n", integer=True), sympy.Symbol("m", integer=True)

    def equal(a: Any, b: Any) -> Any:
        return sympy.Eq(a, b, evaluate=False)

    return {
        "min of n^2 and n": (equal(Min(n**2, n), n), True), "n^2 // n": (equal(FloorDiv(n**2, n), n), True),
        "max of products": (equal(Max(3 * n, 3 * n * m), 3 * n * m), True), "n m >= n": (n * m >= n, True),
        "n + 1 != 0": (sympy.Ne(n + 1, 0), True), "n + m > 1": (n + m > 1, True),
        "min of n and m": (equal(Min(n, m), n), False), "n >= 2": (n >= 2, False),
        "n != m": (sympy.Ne(n, m), False), "n = m": (equal(n, m), False), "n^2 > n": (n**2 > n, False),
        "n // 2 = 0": (equal(FloorDiv(n, 2), 0), False), "n m - n >= 1": (n * m - n >= 1, False),
        "n // 2 + 1 <= n": (FloorDiv(n, 2) + 1 <= n, True), "n // 2 < n - 1": (FloorDiv(n, 2) < n - 1, False),
        "halves": (equal(FloorDiv(n, 2) + FloorDiv(n + 1, 2), n), True),
        "other halves": (equal(FloorDiv(n, 2) + FloorDiv(n, 2), n), False),
        "up": ((-FloorDiv(-n, 2) >= 0) & (-FloorDiv(-n, 2) <= n), True),
        "up, below": ((-FloorDiv(-n, 2) >= 0) & (-FloorDiv(-n, 2) < n), False),
        "n n / 2": (equal(FloorDiv(n * (n + 1), 2) * 2, n * (n + 1)), True),
        "n n n / 2": (equal(FloorDiv(n * n, 2) * 2, n * n), False), "mod": (PythonMod(n, 3) < 3, True),
        "mod 2": (PythonMod(n, 3) < 2, False), "a third of a half": (
            equal(FloorDiv(FloorDiv(n, 2), 3), FloorDiv(n, 6)), True
        ), "another third": (equal(FloorDiv(FloorDiv(n, 2), 3), FloorDiv(n, 5)), False),
        "next": (equal(CeilToInt(ToFloat(n) - sympy.Rational(1, 2)), n), True),
        "next but one": (equal(CeilToInt(ToFloat(n) + sympy.Rational(1, 2)), n), False),
        "n / 2": (TruncToInt(ToFloat(n) / 2) * 2 <= n, True),
        "less": (TruncToInt(ToFloat(n) / 2) * 2 < n, False),
        "parts of 2 n": (equal(FloorDiv(3 * n - 1, n), 2), True),
        "parts of 2 n - 1": (equal(FloorDiv(3 * n - 2, n), 2), False),
        "parts of 2 n + 1": (equal(FloorDiv(3 * n, n + 1), 2), False),
        "at most 2": (FloorDiv(3 * n, n + 1) <= 2, True), "at most 1": (FloorDiv(2 * n, n + 1) < 1, False),
        "some": (FloorDiv(2 * n, n + 1) >= 1, True), "twice": (FloorDiv(3 * n, n + 1) ** 2 >= 4, False),
    }  # fmt: skip


def test_conditions_on_sizes_that_always_hold() -> None:
    from eqvproof.tracing.torch.sizes import holds_at_every_size

    for name, (condition, always) in conditions().items():
        assert holds_at_every_size(condition) is always, name


class Placed(torch.nn.Module):
    """Learned positions, of which there are only forty."""

    def __init__(self) -> None:
        super().__init__()
        self.positions = torch.nn.Embedding(40, 2)

    def forward(self, x: Any) -> Any:
        return x + self.positions(torch.arange(x.shape[0]))


def test_a_table_of_positions_ends() -> None:
    verdict = ep.check(Placed(), "X: n 2 -> n 2", "S(n)")
    assert verdict.fails
    assert verdict.counterexample is not None
    assert verdict.counterexample.sizes == {"n": 2}
    assert "IndexError" in ep.prove(Placed(), "X: n 2 -> n 2", "S(n)").reason


class Lengths(torch.autograd.Function):
    """Lengths of vectors, with a gradient of its own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return torch.linalg.norm(x, dim=-1)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g[..., None] * x / torch.linalg.norm(x, dim=-1, keepdim=True)


COUNTED = [0]


class Counted(torch.autograd.Function):
    """A multiple that grows with the calls."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        COUNTED[0] += 1
        return x * COUNTED[0]

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


class Scales:
    """A class method, which no name in the code of a function shows."""

    @classmethod
    def scaled(cls, x: Any) -> Any:
        COUNTED[0] += 1
        return x * COUNTED[0]


def test_functions_with_gradients_of_their_own_held_by_a_name() -> None:
    lengths, counted, scaled = Lengths.apply, Counted.apply, Scales.scaled
    assert_proved(lambda x: lengths(x), "x: n 3 -> n", "O(3) x S(n)", backend="torch")
    assert_refuted(lambda x: lengths(x + 1), "x: n 3 -> n", "O(3)", backend="torch")
    for held in (counted, scaled):
        target = (lambda f: lambda x: f(x))(held)
        assert ep.prove(target, "x: n -> n", "S(n)", backend="torch").outcome == "UNDECIDED"
