"""Irreps in the notation of e3nn: scalars and vectors on one axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature.irreps import parse_irreps
from eqvproof.support.errors import GroupError

O3 = ("O(d)", "2x0e + 2x1o")


def gated(x: Any) -> Any:
    """Scalars through tanh, vectors by the scalars."""
    gates = np.tanh(x[:, :2])
    return np.concatenate([gates, x[:, 2:5] * gates[:, :1], x[:, 5:8] * gates[:, 1:]], axis=1)


def dots(x: Any) -> Any:
    """The inner products of the two vectors."""
    return (x[:, 2:5] * x[:, 5:8]).sum(1)


def crossed(x: Any) -> Any:
    """A vector product."""
    return np.cross(x[:, 2:5], x[:, 5:8])


PROVED: list[tuple[Any, str, str, dict[str, Any]]] = [
    (gated, "X: n m -> n m", "O(d)", {"m": O3}),
    (gated, "X: n m -> n m", "O(d) x S(n)", {"m": O3}),
    (gated, "X: n m -> n m", "SO(3)", {"m": ("SO(3)", "2x0o + 2x1e")}),
    (dots, "X: n m -> n", "O(d)", {"m": O3}),
    (crossed, "X: n m -> n k", "SO(d)", {"m": ("SO(d)", "2x0e + 2x1o"), "k": ("SO(d)", "1e")}),
    (lambda x, y: gated(x), "X: n m, Y: n d -> n m", "E(d)", {"m": ("E(d)", "2x0e+2x1o")}),
]
FAILS: list[tuple[Any, str, str, dict[str, Any]]] = [
    (lambda x: np.tanh(x), "X: n m -> n m", "O(d)", {"m": O3}),
    (lambda x: x[:, ::-1], "X: n m -> n m", "O(d)", {"m": O3}),
    (gated, "X: n m -> n m", "O(d)", {"m": ("O(d)", "1o + 2x0e + 1o")}),
    (crossed, "X: n m -> n k", "O(d)", {"m": O3, "k": ("O(d)", "1o")}),
    (dots, "X: n m -> n", "O(d)", {"m": ("O(d)", "1o + 5x0e")}),
]


@pytest.mark.parametrize(("f", "signature", "under", "reps"), PROVED)
def test_proved(f: Any, signature: str, under: str, reps: Any) -> None:
    verdict = ep.check(f, signature, under, reps=reps)
    assert verdict.grade == "PROVED", str(verdict)
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(("f", "signature", "under", "reps"), FAILS)
def test_near_misses_fail(f: Any, signature: str, under: str, reps: Any) -> None:
    verdict = ep.check(f, signature, under, reps=reps)
    assert verdict.fails and ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("reps", "sizes"),
    [
        ({"m": ("O(d)", "2x")}, None),
        ({"m": ("O(d)", "1o +")}, None),
        ({"m": ("O(d)", "")}, None),
        ({"k": O3}, None),
        ({"m": ("SO(d)", "2x0e + 2x1e")}, None),
        ({"m": ("O(3)", "2x0e + 2x1o")}, None),
        ({"m": ("S(n)", "1o")}, None),
        ({"m": ("O(n)", lambda q: q)}, None),
        ({"m": O3}, {"m": 7}),
        ({"m": O3}, {"d": 2}),
    ],
)
def test_what_is_not_treated_is_refused(reps: Any, sizes: Any) -> None:
    with pytest.raises(GroupError):
        ep.check(gated, "X: n m, Y: n d -> n m", "O(d)", reps=reps, sizes=sizes)


@pytest.mark.parametrize("text", ["0e", "1o", "2x0e + 1o", " 3x1e+0o ", "4x0e+2x1o + 1x2e"])
def test_texts_are_read_as_e3nn_reads_them(text: str) -> None:
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
    wanted = [(mul, ir.l, "e" if ir.p == 1 else "o") for mul, ir in o3.Irreps(text)]
    assert list(parse_irreps(text)) == wanted


def test_vectors_are_moved_as_in_e3nn() -> None:
    """D(Q) of 2x0e + 1o is the identity on two scalars and Q, for rotations and reflections."""
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
    torch = pytest.importorskip("torch")
    for sign in (1, -1):
        q = sign * o3.rand_matrix()
        expected = torch.block_diag(torch.eye(2), q)
        assert torch.allclose(o3.Irreps("2x0e + 1o").D_from_matrix(q), expected, atol=1e-4)
