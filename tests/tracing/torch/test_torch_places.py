"""Writes into diagonals, integers that depend on nothing, infinite entries looked up and summed."""

from __future__ import annotations

import pytest

from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
F = torch.nn.functional

GRAM = "x: n d -> n n"


def without_diagonal(x):
    d = torch.cdist(x, x) ** 2
    d.diagonal(dim1=-2, dim2=-1).fill_(0.0)
    return d


def numbered_diagonal(x):
    g = x @ x.T
    g.diagonal().copy_(torch.arange(len(x)).to(x.dtype))
    return g


def shifted_diagonal(x):
    g = x @ x.T
    g.diagonal().add_(1.0)
    return g


def sum_of_the_rest(x):
    return x.sum(dim=torch.arange(1, x.dim()).tolist())


def two_columns(x):
    places = torch.tensor([2, 1])
    return x[:, int(places[0])] * places.tolist()[1]


def others(x):
    scores = x @ x.T
    scores.fill_diagonal_(float("-inf"))
    return F.cross_entropy(scores, (torch.arange(len(x)) + 1) % len(x))


def test_writes_into_diagonals():
    assert_proved(without_diagonal, GRAM, "S(n) x E(d)", backend="torch")
    assert_proved(shifted_diagonal, GRAM, "S(n) x O(d)", backend="torch")
    assert_refuted(numbered_diagonal, GRAM, "S(n)", backend="torch")


def test_integers_that_depend_on_nothing():
    assert_proved(sum_of_the_rest, "x: n d k -> n", "S(n) x S(d)", backend="torch")
    sizes = {"d": (3, 5)}
    assert_proved(two_columns, "x: n d -> n", "S(n)", backend="torch", sizes=sizes)
    assert_refuted(two_columns, "x: n d -> n", "S(d)", backend="torch", sizes=sizes)


def test_infinite_entries_looked_up_and_summed():
    assert_proved(others, "x: 4 d -> ()", "O(d)", backend="torch")
    assert_refuted(others, "x: 4 d -> ()", "S(4)", backend="torch")
