"""Entries that a mask picks: their values, their number, and what is made of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import eqvproof as ep  # noqa: E402
from eqvproof.claims.signature import parse_signature  # noqa: E402
from eqvproof.support.errors import TraceError  # noqa: E402
from eqvproof.tracing.torch.conditions import implied_answer  # noqa: E402
from eqvproof.tracing.torch.reader import Reader  # noqa: E402
from tests.judged import assert_proved, assert_refuted  # noqa: E402

Function = Callable[..., Any]
ROWS = "x: n d, m[bool]: n -> ()"
KINDS = "x: n d, y[3]: n -> ()"


def pairs_of_kinds(x: Any, y: Any) -> Any:
    """A contrastive loss, as packages of metric learning write it."""
    first, second = torch.where(y[:, None] != y[None, :])
    if len(first) == 0:
        return x.sum() * 0
    return torch.relu(1 - (x[first] - x[second]).norm(dim=1)).mean()


def pairs_by_bits(x: Any, y: Any) -> Any:
    """For each pair of one kind those of its first with others: bits, and places that are compared."""
    same = (y[:, None] == y[None, :]).byte()
    other = same ^ 1
    first, second = torch.where(same.fill_diagonal_(0))
    third, fourth = torch.where(other)
    if first.shape[0] < 1 or len(third) == 0:
        return x.sum() * 0
    mine = (first[:, None] == third[None, :]) * (x[third] - x[fourth]).pow(2).sum(1)
    return ((x[first] - x[second]).pow(2).sum(1) / (1 + mine.sum(1))).mean()


def earlier_pairs(x: Any, y: Any) -> Any:
    """Of pairs the earlier one first."""
    first, second = torch.where(y[:, None] == y[None, :])
    return ((first < second) * (x[first] - 2 * x[second]).exp().sum(1)).sum()


def mean_of_positive(x: Any, m: Any) -> Any:
    """The reducer that leaves out zeros."""
    losses = torch.relu(x.sum(1))
    count = len((losses > 0).nonzero()[:, 0])
    return losses.sum() / count if count > 0 else losses.sum() * 0


def written_back(x: Any, m: Any) -> Any:
    y = x.clone()
    y[m] = torch.exp(x[m]) / m.sum()
    return y.sum()


def entries_by_numbers(a: Any) -> Any:
    """Entries of a matrix read by their numbers in row-major order, of which a mask picks some."""
    n = len(a)
    numbers = (torch.arange(n)[:, None] * n + torch.arange(n)).reshape(-1)
    return a.reshape(-1)[numbers[a.reshape(-1) > 0]]


#: Functions, the signature and the group: all hold.
RIGHT: dict[str, tuple[Function, str, str]] = {
    "mean": (lambda x, m: torch.exp(x[m]).sum() / len(x[m]), ROWS, "S(n)"),
    "mean of rows and columns": (lambda x, m: x[m].sum() / x[m].numel(), ROWS, "S(n) x S(d)"),
    "at least one": (lambda x, m: x[m].sum() / max(len(x[m]), 1), ROWS, "S(n)"),
    "spread": (lambda x, m: x[m].var(0).sum(), ROWS, "S(n)"),
    "centred": (lambda x, m: (x[m] - x[m].mean(0)).pow(2).sum(), ROWS, "S(n) x O(d)"),
    "matrix": (lambda x, m: torch.linalg.det(x[m].T @ x[m]), "x: n 3, m[bool]: n -> ()", "S(n) x O(3)"),
    "distances": (lambda x, m: torch.cdist(x[m], x[m]).sum(), ROWS, "S(n) x O(d)"),
    "other ones": (
        lambda x, m: (torch.exp(x[m] @ x[m].T) * (1 - torch.eye(len(x[m]), dtype=x.dtype))).sum(), ROWS,
        "S(n) x O(d)",
    ),
    "softmax": (lambda x, m: (x[m].softmax(0) * x[m]).sum(0).amax(), ROWS, "S(n) x S(d)"),
    "logsumexp": (lambda x, m: x[m].logsumexp(0).sum(), ROWS, "S(n) x S(d)"),
    "cross entropy": (
        lambda x, y: torch.nn.functional.cross_entropy(x[y > 0], y[y > 0]), "x: n 3, y[3]: n -> ()", "S(n)",
    ),
    "product": (lambda x, m: x[m].prod(0).sum(), ROWS, "S(n) x S(d)"),
    "picked twice": (lambda x, m: x[m][x[m].sum(1) > 0].sum(), ROWS, "S(n)"),
    "written back": (written_back, ROWS, "S(n)"),
    "pairs of kinds": (pairs_of_kinds, KINDS, "S(n) x O(d)"),
    "pairs by bits": (pairs_by_bits, KINDS, "S(n) x O(d)"),
    "mean of positive ones": (mean_of_positive, ROWS, "S(n)"),
    "numbered entries": (lambda a: entries_by_numbers(a).exp().sum(), "a: n n -> ()", "S(n)"),
    "pairs": (lambda x, m: torch.pdist(x).mean() + torch.pdist(x).exp().sum(), ROWS, "S(n) x O(d)"),
}  # fmt: skip

#: The same with something that depends on the order, or on coordinates: none holds.
WRONG: dict[str, tuple[Function, str, str]] = {
    "mean and the first": (lambda x, m: x[m].sum() / len(x[m]) + x[0, 0], ROWS, "S(n)"),
    "running sums": (lambda x, m: x[m].cumsum(0).sum(), ROWS, "S(n)"),
    "by their places": (
        lambda x, m: (x[m] * torch.arange(len(x[m]), dtype=x.dtype)[:, None]).sum(), ROWS, "S(n)",
    ),
    "the first": (lambda x, m: x[m][0].sum(), ROWS, "S(n)"),
    "above the diagonal": (lambda x, m: (x[m][:, :1] - 2 * x[m][:, -1]).exp().triu().sum(), ROWS, "S(n)"),
    "centred, by coordinates": (lambda x, m: (x[m] - x[m].mean(0)).abs().sum(), ROWS, "O(d)"),
    "where it is": (lambda x, m: m.nonzero().sum() + x.sum(), ROWS, "S(n)"),
    "pairs of kinds, by coordinates": (
        lambda x, y: (x[torch.where(y[:, None] != y)[0]]).abs().sum(), KINDS, "O(d)",
    ),
    "earlier pairs": (earlier_pairs, KINDS, "S(n)"),
    "numbered entries, one after another": (
        lambda a: entries_by_numbers(a).cumsum(0).sum(), "a: n n -> ()", "S(n)",
    ),
    "filled, in order": (lambda x, m: x.masked_fill(~m[:, None], 0)[m].cumsum(0).sum(), ROWS, "S(n)"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("name", RIGHT)
def test_what_holds_is_proved(name: str) -> None:
    f, signature, under = RIGHT[name]
    found = ep.check(f, signature, under, backend="torch", budget=60)
    assert found.grade == "PROVED", found
    assert ep.verify(found.certificate).accepted


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_hold_is_refuted(name: str) -> None:
    f, signature, under = WRONG[name]
    assert ep.check(f, signature, under, backend="torch", budget=60).fails


#: Two functions: the number of picked entries may be 0, and is no size.
DIFFERENT: dict[str, tuple[Function, Function]] = {
    "some are picked": (
        lambda x, m: (x[m].new_ones(len(x[m])).sum() > 0) + 0 * x.sum(), lambda x, m: 1 + 0 * x.sum(),
    ),
    "copies of a number": (
        lambda x, m: x[m][:, 0].mul(0).add(2).sum() / (2 * len(x[m])), lambda x, m: 1 + 0 * x.sum(),
    ),
    "all": (lambda x, m: x[m].mean(), lambda x, m: x.mean()),
    "pairs": (lambda x, m: torch.pdist(x).sum(), lambda x, m: (x[:, None] - x).norm(dim=-1).sum()),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_number_of_picked_entries_may_be_none(name: str) -> None:
    found = ep.identical(*DIFFERENT[name], ROWS, backend="torch", budget=30)
    assert not found.holds, found


def test_the_same_written_with_the_mask() -> None:
    found = ep.identical(
        lambda x, m: x[m].sum() / len(x[m]), lambda x, m: (x * m[:, None]).sum() / m.sum(), ROWS,
        backend="torch", budget=30,
    )  # fmt: skip
    assert found.holds
    assert found.grade >= "BOUNDED"


def test_what_follows_of_a_number_from_other_answers() -> None:
    """Of a number of entries more than of an integer."""
    u, v = sympy.Symbol("u", integer=True), sympy.Symbol("v", integer=True)
    for counts, expected in (("u", True), ("", None)):
        assert implied_answer(sympy.Eq(u, 0), [(u > 0, False)], counts) is expected
    assert implied_answer(sympy.Ne(u, 0), [(u > 1, True)], "") is True
    assert implied_answer(u > 1, [(u > 0, True)], "u") is None
    assert implied_answer(u > 1, [(u > 0, False)], "") is False
    assert implied_answer(v > 1, [(u > 1, True)], "uv") is None
    assert implied_answer(u + v > 1, [(u > 1, True)], "uv") is None


@pytest.mark.parametrize("mask", [2, 3])
def test_bits_of_larger_numbers_are_not_read(mask: int) -> None:
    with pytest.raises(TraceError, match="bits"):
        Reader(lambda x, y: (y ^ mask).sum() + 0 * x.sum(), parse_signature(KINDS), {}, torch.float64).read()


#: What is not read: another mask, an order, an axis that may be one entry long.
REFUSED: dict[str, Function] = {
    "two masks": lambda x, m: (x[m] - x[~m]).sum(),
    "written to others": lambda x, m: x.clone().index_put((~m,), x[m]).sum(),
    "as many of others": lambda x, m: x[: len(x[m])].sum(),
    "sorted": lambda x, m: (x[m][:, 0].sort().values * 2).sum(),
    "dropped where there is one": lambda x, m: x[m].squeeze().prod(0).sum(),
    "returned": lambda x, m: x[m],
    "inverted": lambda x, m: torch.linalg.inv(x[m] @ x[m].T).sum(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    with pytest.raises(TraceError):
        Reader(REFUSED[name], parse_signature(ROWS), {}, torch.float64).read()


def farthest(x: Any) -> Any:
    return x[(x**2).sum(-1).argmax()]


def emptied(x: Any) -> Any:
    y = x.clone()
    y[(x**2).sum(-1).argmax()] = 0
    return y


def column(x: Any) -> Any:
    return x[:, x.sum(0).argmax()]


def test_an_entry_at_a_position_that_values_decide() -> None:
    assert_proved(farthest, "x: n 3 -> 3", "O(3)", backend="torch")
    assert_proved(emptied, "x: n 3 -> n 3", "O(3)", backend="torch")
    assert_proved(column, "x: n d -> n", "S(n)", backend="torch")


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (farthest, "x: n 3 -> 3", "T(3)"), (emptied, "x: n 3 -> n 3", "T(3)"),
        (column, "x: n d -> n!", "O(n)"),
        (farthest, "x: n 3 -> 3", "S(n)"),  # at ties the first is taken
    ],
)  # fmt: skip
def test_near_misses_of_positions(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under, backend="torch")
