"""Pairs with equal Gram matrices, and near pairs; the strategy."""

import numpy as np
import pytest
from hypothesis import given

from eqvproof.invariants.pairs import gram_pairs
from eqvproof.invariants.strategies import gram_equal_pairs
from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.support.errors import DomainError


def is_orthogonal(q):
    return (q.T.dot(q) == np.eye(q.shape[0], dtype=int)).all()


@given(gram_equal_pairs())
def test_equal(pair):
    x, y = pair
    assert is_orthogonal(pair.Q) and pair.entry is None
    if x.size:
        assert (pair.Q.dot(x) == y).all() and (x.T.dot(x) == y.T.dot(y)).all()


@given(gram_equal_pairs(near=True))
def test_near_pairs_differ_in_one_entry_by_little(pair):
    x, y = pair
    difference = x.T.dot(x) - y.T.dot(y)
    places = {tuple(sorted(map(int, p))) for p in np.argwhere(difference != 0)}
    assert places == {pair.entry}
    assert 0 < abs(difference[pair.entry]) < 0.5


def test_ranks_and_determinants():
    for rank in range(4):
        for pair in gram_pairs(4, 3, rank=rank, count=3):
            assert orthogonal_witness(*pair).rank == rank
    signs = {round(float(np.linalg.det(p.Q.astype(float)))) for p in gram_pairs(3, 3, count=20)}
    assert signs == {1, -1}


def test_equal_seeds_equal_pairs():
    one, other = (next(gram_pairs(3, 3, seed=7)) for _ in range(2))
    assert (one.X == other.X).all() and (one.Q == other.Q).all()
    assert not (next(gram_pairs(3, 3, seed=8)).Q == one.Q).all()


@pytest.mark.parametrize(
    "options", [{"d": 0, "n": 1}, {"d": 2, "n": 2, "rank": 3}, {"d": 1, "n": 0, "near": True}]
)
def test_impossible_sizes(options):
    with pytest.raises(DomainError):
        next(gram_pairs(**options))
