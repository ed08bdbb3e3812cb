"""A first look in floats: it only chooses which engine goes first."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.plain_violations import is_plainly_wrong
from eqvproof.engines.targets import trace_all_sizes

LOOKED_AT = [
    ("X: n 2 -> n 2", "S(n)", lambda X: X - X.mean(0), False),
    ("X: n 2 -> n 2", "S(n)", lambda X: np.cumsum(X, axis=0), True),
    ("X: d n -> d n", "O(d)", lambda X: X @ (X.T @ X), False),
    ("X: d n -> d n", "O(d)", lambda X: np.maximum(X, 0), True),
    ("X: 2 3 -> 3", "SO(3)", lambda X: np.cross(X[0], X[1]), False),
    ("X: 2 3 -> 3", "O(3)", lambda X: np.cross(X[0], X[1]), True),
    ("x: n, M[bool]: n -> ()", "S(n)", lambda x, M: np.where(M, x, 0).sum(), False),
    ("x: n, M[bool]: n -> ()", "S(n)", lambda x, M: np.where(M, x, 0)[0], True),
    ("X: n d -> n d", "E(d)", lambda X: X - X.mean(0), True),
]


def claim_and_trace(signature, under, f):
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    claim = Claim(f, parsed, group, under, group.pins)
    return claim, trace_all_sizes(f, parsed, group.pins)


@pytest.mark.parametrize(("signature", "under", "f", "wrong"), LOOKED_AT)
def test_it_tells_wrong_from_right(signature, under, f, wrong):
    claim, trace = claim_and_trace(signature, under, f)
    assert is_plainly_wrong(claim, trace) is wrong


def test_restricted_inputs_are_not_looked_at():
    claim, trace = claim_and_trace("x: n -> n", "S(n)", np.cumsum)
    assert is_plainly_wrong(claim, trace)
    assert not is_plainly_wrong(dataclasses.replace(claim, domain=lambda x: True), trace)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def block(X, W):
    h = (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    h = h * (1 + np.arange(X.shape[0]))[:, None]  # a value that knows its position
    return X + softmax(h @ W @ h.T) @ np.tanh(h @ W)


def test_a_claim_that_is_decided_at_the_least_sizes_only_is_searched_too():
    """At n = 1 the group is trivial, and larger sizes take longer to decide than there is time."""
    W = np.random.default_rng(0).normal(size=(4, 4))
    verdict = ep.check(partial(block, W=W), "X: n 4 -> n 4", "S(n)", budget=20.0)
    assert verdict.fails, str(verdict)
    assert ep.verify(verdict.certificate).accepted
