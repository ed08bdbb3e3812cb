"""Programs read from torch have the values that torch gives, in every type; or they are refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import eqvproof as ep  # noqa: E402
from eqvproof.claims.signature import parse_signature  # noqa: E402
from eqvproof.programs.evaluate import evaluate_float  # noqa: E402
from eqvproof.support.errors import TraceError  # noqa: E402
from eqvproof.tracing.torch.aten import TABLE  # noqa: E402
from eqvproof.tracing.torch.reader import Reader  # noqa: E402

F = torch.nn.functional

SIGNATURE = parse_signature("x: n m, y: n m, k[bool]: n m, e[n]: p -> ()")
Function = Callable[..., Any]


def _ints(x: Any) -> Any:
    return x.clamp(-9, 9).long()


def _scores(x: Any, k: Any) -> Any:
    return x.masked_fill(k, -math.inf)


#: Functions of x, y, k, e.
READ: dict[str, Function] = {
    "booleans added": lambda x, y, k, e: ((x > 0) + (y > 0)).double(),
    "booleans added at places": lambda x, y, k, e: (x > 0).index_add(0, e, (y > 0)[e]).double(),
    "booleans summed": lambda x, y, k, e: torch.sum(x, 0, dtype=torch.bool).double(),
    "booleans written in place": lambda x, y, k, e: (x > 0).clone().add_(k).add_(k).double(),
    "summed as integers": lambda x, y, k, e: torch.sum(x.clamp(-9, 9), 0, dtype=torch.int64),
    "multiplied as integers": lambda x, y, k, e: torch.prod(x.clamp(-2, 2), 0, dtype=torch.int64),
    "rounded to decimals": lambda x, y, k, e: torch.round(x, decimals=1),
    "rounded to tens": lambda x, y, k, e: torch.round(x * 10, decimals=-1),
    "integers filled with a float": lambda x, y, k, e: torch.zeros_like(x, dtype=torch.int64).fill_(2.9),
    "integers full of a float": lambda x, y, k, e: torch.full((2,), 2.7, dtype=torch.int64) + _ints(x).sum(),
    "booleans full of a float": lambda x, y, k, e: torch.full((2,), 2.7, dtype=torch.bool) * x.sum(),
    "a range of floats": lambda x, y, k, e: torch.arange(2.5, dtype=x.dtype) + 0 * x.sum(),
    "a range by halves": lambda x, y, k, e: torch.arange(0, 3, 0.5, dtype=x.dtype) + 0 * x.sum(),
    "integers times floats": lambda x, y, k, e: torch.addmv(_ints(x)[:, 0], _ints(x), _ints(y)[0], beta=0.2),
    "short integers of a product": lambda x, y, k, e: torch.einsum("ij,ij,ij->", *[_ints(x).char()] * 3),
    "picked, as integers": lambda x, y, k, e: x.clamp(-9, 9)[k].long().sum(),
    "picked, as booleans": lambda x, y, k, e: x[k].bool().sum(),
    "picked booleans added": lambda x, y, k, e: ((x[k] > 0) + (y[k] > 0)).sum(),
    "picked short integers": lambda x, y, k, e: (_ints(x).to(torch.int8)[k] * 100).sum(),
    "complex constants": lambda x, y, k, e: (x[..., None] * torch.tensor([1 + 2j, 3.0]).cdouble()).imag,
    "complex rolled": lambda x, y, k, e: torch.complex(x[:, 0], y[:, 0])[e].imag,
    "complex selected": lambda x, y, k, e: torch.complex(x, y).index_select(0, e).imag,
    "nowhere a number": lambda x, y, k, e: x.masked_fill(k, -math.inf).log_softmax(0).exp(),
    "sums of infinities": lambda x, y, k, e: x.masked_fill(k, -math.inf).sum(0).exp(),
    "sums of large infinities": lambda x, y, k, e: 1 / (2 + x.abs().masked_fill(k, math.inf).sum(0)),
    "distances from infinities": lambda x, y, k, e: 1 / (1 + x.masked_fill(k, -math.inf).abs()),
    "a real part with infinities": lambda x, y, k, e: torch.complex(_scores(x, k), y).real.exp(),
    "beside a real part with infinities": lambda x, y, k, e: torch.complex(_scores(x, k), y).imag,
    "real numbers copied to complex ones": lambda x, y, k, e: torch.zeros_like(x).cdouble().copy_(y).real,
    "bounds without end": lambda x, y, k, e: x.clamp(-math.inf, math.inf),
    "bounds by default": lambda x, y, k, e: F.hardtanh(x),
}
#: What is not read, as how it rounds or orders is not known.
REFUSED: dict[str, Function] = {
    "means of integers": lambda x, y, k, e: F.avg_pool1d(_ints(x)[None], 3, 1, padding=1)[0],
    "means of integers at places": lambda x, y, k, e: _ints(x).index_reduce(0, e, _ints(x)[e], "mean"),
    "powers of integers": lambda x, y, k, e: 5 ** _ints(x),
    "infinities beside numbers": lambda x, y, k, e: x.masked_fill(k, math.inf).sigmoid(),
    "running sums of infinities": lambda x, y, k, e: x.masked_fill(k, -math.inf).cumsum(0),
    "a complex product of infinities": lambda x, y, k, e: (torch.complex(_scores(x, k), y) * 1j).real,
    "an infinite bound": lambda x, y, k, e: x.clamp(max=torch.tensor(math.inf, dtype=x.dtype)),
}


def _points(n: int, m: int, p: int) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(n)
    for x in (
        rng.normal(size=(n, m)) * 2, rng.integers(-2, 3, size=(n, m)).astype(float), np.zeros((n, m)),
        rng.integers(-2, 3, size=(n, m)) + 0.5, np.ones((n, m)), rng.normal(size=(n, m)) * 50,
    ):  # fmt: skip
        for share in (0.5, 1.0):
            y = rng.integers(-2, 3, size=(n, m)) / 2
            yield {"x": x, "y": y, "k": rng.random((n, m)) < share, "e": rng.integers(0, n, size=p)}


@pytest.mark.parametrize("name", READ)
def test_the_same_values(name: str) -> None:
    drafts = Reader(READ[name], SIGNATURE, {}, torch.float64).read()
    program = drafts.builder.program(drafts.output)
    told = 0
    for n, m, p in ((2, 3, 2), (3, 2, 5), (7, 4, 3)):
        for inputs in _points(n, m, p):
            expected = READ[name](*(torch.tensor(a) for a in inputs.values())).double().numpy()
            given = {q: inputs[q] for q, _ in program.inputs}
            found = np.asarray(evaluate_float(program, given, {"n": n, "m": m, "p": p}))
            assert found.shape == expected.shape
            assert np.array_equal(np.isfinite(found), np.isfinite(expected)), (inputs, found, expected)
            assert np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True), (found, expected)
            told += int(np.isfinite(expected).any())
    assert told


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    with pytest.raises(TraceError):
        Reader(REFUSED[name], SIGNATURE, {}, torch.float64).read()


def test_the_covariance_of_complex_numbers() -> None:
    """Rows times their conjugates."""

    def moduli(x: Any) -> Any:
        return torch.cov(torch.complex(x, x.flip(0))).real

    drafts = Reader(moduli, parse_signature("x: 2 3 -> 2 2"), {}, torch.float64).read()
    x = np.random.default_rng(1).normal(size=(2, 3))
    found = evaluate_float(drafts.builder.program(drafts.output), {"x": x}, {})
    assert np.allclose(found, moduli(torch.tensor(x)).numpy())


def far(y: Any) -> Any:
    """Defined for y below a million, which no replay goes beyond."""
    return (1000000 - y).log()


def test_minus_infinity_and_no_number_are_no_number() -> None:
    """Where nothing is kept and y is above a million, one side is 0 and the other no number."""

    def scores(x: Any, y: Any, k: Any) -> Any:
        return (torch.where(k, x, -torch.inf) + far(y)).exp()

    def chosen(x: Any, y: Any, k: Any) -> Any:
        return torch.where(k, (x + far(y)).exp(), 0.0)

    def kept(x: Any, y: Any, k: Any) -> Any:
        return torch.where(k, (x + far(y)).exp(), 0 * far(y))

    signature = "x: n, y: n, k[bool]: n -> n"
    assert ep.identical(scores, chosen, signature, backend="torch", budget=5).grade in ("", "TESTED", "EXACT")
    assert not ep.identical(scores, kept, signature, backend="torch", budget=2).fails


def test_a_comparison_with_infinity_is_told_where_there_is_a_number() -> None:
    """1 / (y - c) is +inf in floats at the point c, which no replay meets: no proof leaves it out."""

    def pole(y: Any) -> Any:
        return torch.where(1 / (y - 31.7) == torch.inf, 5.0, y)

    found = ep.identical(pole, lambda y: y + 0, "y: n -> n", backend="torch", budget=5)
    assert found.grade in ("", "TESTED", "EXACT")


def test_an_infinity_is_not_passed_over() -> None:
    """Wherever something is written, one side is no number: at every point that is tried."""

    def filled(x: Any) -> Any:
        return x.index_fill(0, torch.tensor([0]), torch.inf)

    def same(x: Any) -> Any:
        return x + 0

    assert not ep.identical(filled, same, "x: n -> n", backend="torch", budget=2).holds
    assert not ep.check(filled, "x: d n -> d n", "O(d)", backend="torch", budget=2).holds
    assert not ep.identical(filled, filled, "x: n 2 -> n 2", backend="torch", budget=2).fails


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("size", [1.0, 1e-3, 1e-9, 1e9])
def test_a_wrong_reading_is_noticed_however_small_the_result(
    kind: torch.dtype, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TABLE, "abs", TABLE["clone"])
    def f(x: Any) -> Any:
        return x.to(kind).abs().double().sum() * size

    verdict = ep.check(f, "x: n -> ()", under="Signs(n)", budget=20)
    assert "something else than its graph" in verdict.reason and verdict.grade == "TESTED"


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_what_cancels_is_no_other_function(kind: torch.dtype) -> None:
    def f(x: Any) -> Any:
        y = x.to(kind) * 3.3
        return (y - y.mean(0, keepdim=True)).double() * 1e-6

    verdict = ep.check(f, "x: n d -> n d", under="S(n) x O(d)", budget=20)
    assert verdict.grade == "PROVED", verdict.reason
    assert ep.verify(verdict.certificate).accepted


def test_the_places_of_numbers_that_are_not_zero() -> None:
    def f(x: Any) -> Any:
        return x.half().sum() * 0 + 1e-3 * torch.nonzero(x).shape[0]

    def places(x: Any) -> Any:
        return x[torch.nonzero(x).squeeze(1)].sum() * 1e-9

    assert ep.check(f, "x: n -> ()", under="Signs(n)", budget=20).holds
    assert ep.check(places, "x: n -> ()", under="S(n)", budget=20).holds
    assert ep.check(places, "x: n -> ()", under="Signs(n)", budget=20).fails
