"""Kinds, `z[10]: n`: tables of weights indexed by integers, as atoms have types and tokens have words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel.claims import claim
from eqvproof.kernel.words import scope_words, signature_words
from tests.judged import assert_proved, assert_refuted, assert_unproved

TABLE = np.random.default_rng(0).integers(-8, 9, (5, 4)) / 8.0
TYPES = "z[5]: n, X: n d -> d"


def weighted(z: Any, X: Any) -> Any:
    return (np.take(TABLE, z, axis=0)[:, :1] * (X - X.mean(axis=0))).sum(axis=0)


def pairs(z: Any) -> Any:
    return np.take(TABLE, z, axis=0) @ np.take(TABLE, z, axis=0).T


def counts(z: Any) -> Any:
    return (z[:, None] == np.arange(5)).sum(axis=0)


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (lambda z: np.take(TABLE, z, axis=0), "z[5]: n -> n 4", "S(n)"),
        (weighted, TYPES, "S(n) x O(d)"),
        (pairs, "z[5]: n -> n n", "S(n)"),
        (counts, "z[5]: n -> 5", "S(n)"),
        (lambda z: z[:, None] == z, "z[5]: n -> n n", "S(n)"),
    ],
)
def test_proved(f: Any, signature: str, under: str) -> None:
    verdict = assert_proved(f, signature, under)
    assert "_5" not in str(verdict) + ep.verify(verdict.certificate).statement


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (lambda z: np.take(TABLE, z, axis=0)[0], "z[5]: n -> 4", "S(n)"),
        (lambda z: np.take(TABLE, z, axis=0) * np.arange(len(z))[:, None], "z[5]: n -> n 4", "S(n)"),
        (lambda z, X: np.take(TABLE, z, axis=0)[:, :1] * X + TABLE[0, 0], "z[5]: n, X: n d -> n d", "O(d)"),
    ],
)
def test_refuted(f: Any, signature: str, under: str) -> None:
    verdict = assert_refuted(f, signature, under)
    shown = verdict.counterexample
    assert "_5" not in str(shown) + shown.sizes_text + shown._repr_html_()
    z = np.asarray(verdict.counterexample.inputs["z"], dtype=int)
    assert ((z >= 0) & (z < 5)).all()


def test_kinds_beyond_the_table_are_no_proof() -> None:
    assert_unproved(lambda z: np.take(TABLE, z, axis=0), "z[6]: n -> n 4", "S(n)")


class Layer:
    """Weights in attributes."""

    def __init__(self) -> None:
        self.weights = 2 * TABLE

    def __call__(self, z: Any) -> Any:
        return np.maximum(self.weights[z] - TABLE.mean(), 0)


def closed() -> Any:
    table = TABLE + 1
    return lambda z: table[z] @ table.T


@pytest.mark.parametrize(
    ("f", "signature"),
    [
        (lambda z: TABLE[z], "z[5]: n -> n 4"),
        (lambda z, w: TABLE[z, w], "z[5]: n, w[4]: n -> n"),
        (lambda z: TABLE[:, 1:][z], "z[5]: n -> n 3"),
        (lambda z: (TABLE / 2)[z], "z[5]: n -> n 4"),
        (lambda z: TABLE.copy()[z, None], "z[5]: n -> n 1 4"),
        (Layer(), "z[5]: n -> n 4"),
        (closed(), "z[5]: n -> n 5"),
    ],
)
def test_plain_arrays_are_indexed_by_kinds(f: Any, signature: str) -> None:
    assert_proved(f, signature, "S(n)")
    assert type(TABLE) is np.ndarray


def looks_at_the_class(z: Any) -> Any:
    return TABLE[z] if type(TABLE) is np.ndarray else 0 * TABLE[z]


def counts_its_calls(z: Any) -> Any:
    COUNTED[0] += 1
    return TABLE[z] * (COUNTED[0] < 10**6)


COUNTED = np.zeros(1)


def test_what_another_class_of_array_would_change_is_no_proof() -> None:
    assert ep.prove(counts_its_calls, "z[5]: n -> n 4", "S(n)").outcome == "UNDECIDED"


def test_a_table_is_of_the_class_of_arrays() -> None:
    assert_proved(looks_at_the_class, "z[5]: n -> n 4", "S(n)")


def test_a_list_that_is_indexed_says_what_to_write() -> None:
    verdict = ep.prove(lambda z: [1, 2, 3][z[0]], "z[3]: n -> ()", "S(n)")
    assert verdict.outcome == "UNDECIDED" and "an index is asked" in verdict.reason


@pytest.mark.parametrize(("size", "written"), [(5, "z[5]: n -> n"), (6, "z[_5]: n -> n")])
def test_the_kernel_shortens_what_the_scope_confirms(size: int, written: str) -> None:
    """The name of an axis is free text in a certificate: only its size says how many kinds there are."""
    certificate = ep.prove(lambda z: z + 0.0, "z[5]: n -> n", "S(n)").certificate
    assert certificate is not None
    read = claim({**certificate["claim"], "scope": {"n": "all", "_5": size}}, "equivariance")
    assert signature_words(read) == written
    assert ("_5 = 6" in scope_words(read, {"_5": 6, "n": 1})) == (size == 6)


def in_torch() -> Any:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")

    class Net(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = torch.nn.Embedding(5, 4)
            self.out = torch.nn.Linear(4, 3)

        def forward(self, z: Any, X: Any) -> Any:
            near = torch.exp(-((X[:, None] - X) ** 2).sum(dim=-1))
            return self.out(near @ self.embedding(z)).sum(dim=0)

    torch.manual_seed(0)
    return Net().double().eval()


def in_jax() -> Any:
    jnp = pytest.importorskip("jax.numpy", reason="JAX is not installed")
    table = jnp.asarray(TABLE)

    def net(z: Any, X: Any) -> Any:
        near = jnp.exp(-((X[:, None] - X) ** 2).sum(axis=-1))
        return (near @ table[z]).sum(axis=0)[:3]

    return net


@pytest.mark.parametrize("make", [in_torch, in_jax])
def test_embeddings_of_frameworks(make: Any) -> None:
    assert_proved(make(), "z[5]: n, X: n d -> 3", "S(n) x E(d)", budget=120)
