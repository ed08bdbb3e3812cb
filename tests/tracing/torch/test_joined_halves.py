"""Contrastive losses: two sets joined, the diagonal left out, and the places of partners looked up."""

from __future__ import annotations

import numpy as np
import pytest

from tests.judged import assert_proved, assert_refuted

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
F = torch.nn.functional

PAIRS, HALF = "a: n d, b: n d -> ()", "a: n d, b: n! d -> ()"


def nt_xent(a, b):
    z = F.normalize(torch.cat([a, b]), dim=1)
    n = len(a)
    sim = z @ z.T / 0.1
    sim.fill_diagonal_(float("-inf"))
    return F.cross_entropy(sim, torch.cat([torch.arange(n, 2 * n), torch.arange(n)]))


def simclr(a, b):
    z = torch.cat([a, b])
    n = z.shape[0] // 2
    sim = (z @ z.T).masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
    return F.cross_entropy(sim, (torch.arange(2 * n) + n) % (2 * n))


def neighbours(a, b):
    z = torch.cat([a, b])
    return F.cross_entropy(z @ z.T, (torch.arange(len(z)) + 1) % len(z))


def second_half(x):
    n = x.shape[0] // 2
    return x[np.arange(n) + n] * x[np.arange(n)]


def beyond(x):
    return x[np.arange(2) + 1]


def apart(a, b):
    z = torch.cat([a, b])
    return torch.cdist(z, z) + torch.eye(len(z))


def test_partners_are_looked_up():
    for loss in (nt_xent, simclr):
        assert_proved(loss, PAIRS, "S(n) x O(d)", backend="torch")
        assert_refuted(loss, HALF, "S(n)", backend="torch")
    assert_refuted(neighbours, PAIRS, "S(n)", backend="torch")


def test_an_identity_is_moved_as_what_it_is_joined_with():
    assert_proved(apart, "a: n d, b: m d -> (n + m) (n + m)", "E(d)", backend="torch")
    both = "a: n d, b: m d -> ()"
    assert_proved(lambda a, b: apart(a, b).logsumexp(1).sum(), both, "S(n)", backend="torch")
    assert_refuted(lambda a, b: apart(a, b)[:, 0].sum(), both, "S(n)", backend="torch")


def test_places_that_count_from_a_size():
    assert_proved(second_half, "x: 2n d -> n d", "S(d)")
    assert_proved(beyond, "x: 3 d -> 2 d", "S(d)")
    assert_refuted(beyond, "x: 3 d -> 2 d", "S(3)")
