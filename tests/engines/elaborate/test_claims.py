"""Claims whose proofs need some part of the way into forms: each is accepted, and known again."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.elaborate.agreement import agree
from eqvproof.engines.elaborate.irreps import is_turned, kind_of
from eqvproof.engines.elaborate.program import has_forms
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.kernel import check_certificate
from eqvproof.kernel.report import allow_work
from eqvproof.programs.sealing import seal
from eqvproof.rocq import rocq_answers, rocq_text
from eqvproof.support.errors import ExportError
from tests.engines.elaborate.test_agreement import taken
from tests.rocq.python_checker import answers


def picked(i: Any, X: Any, Y: Any) -> Any:
    """The rows of one array, and those of another one at the same places."""
    return X[i] + np.eye(5)[i] @ Y


def compared(i: Any, X: Any, Y: Any) -> Any:
    """The same, of rows that another one may not have."""
    ones = (i[..., None] == np.arange(Y.shape[0])).astype(float)
    return X[i] + np.einsum("...k,kd->...d", ones, Y)


def each_picked(i: Any, X: Any) -> Any:
    return np.take_along_axis(X, i, axis=1)


def of_parts(X: Any, s: Any) -> Any:
    return (X - X.mean(0)) * s[3] + s[:3]


def joined(X: Any, s: Any) -> Any:
    return np.concatenate([(X - X.mean(0)).sum(0) + s[:3], s[3:]])


def squares(X: Any) -> Any:
    return ((X[:, :, None] - X[:, None]) ** 2).sum(-1)


def doubled(x: Any, y: Any, z: Any) -> Any:
    return x + np.concatenate([y, z])


parted = ep.opaque("parted", "x: d+k, y: d, z: k -> d+k", under="O(d)", example=doubled)


def odd_by_even(x: Any) -> Any:
    return (np.exp(x) - np.exp(-x)) * (np.exp(x) + np.exp(-x)).sum()


def inertia(X: Any) -> Any:
    Y = X - X.mean(0)
    return (Y * Y).sum() * np.eye(X.shape[1]) - Y.T @ Y


def shifted(X: Any) -> Any:
    return np.roll(np.eye(X.shape[0]), 1, axis=0) @ X


CLAIMS = {
    "positions of another axis": (picked, "i[n]: e, X: n d, Y: 5 d -> e d", "O(d) x S(e)"),
    "positions in two axes": (picked, "i[n]: e f, X: n d, Y: 5 d -> e f d", "O(d) x S(e)"),
    "positions that are compared": (compared, "i[n]: e f, X: n d, Y: m d -> e f d", "O(d) x S(e)"),
    "positions of translated points": (compared, "i[n]: e f, X: n d, Y: m d^ -> e f d", "T(d)"),
    "positions, one element for each": (each_picked, "i[n]: b e, X: b n -> b e", "S(n) each b"),
    "parts of irreps beside translations": (of_parts, "X: n 3, s: <1x1o+1x0e> -> n 3^", "E(3)"),
    "irreps joined beside translations": (joined, "X: n 3, s: <1x1o+1x0e> -> <1x1o+1x0e>", "E(3)"),
    "three parts of irreps": (
        lambda X, s: s[:3] * s[3] + s[4:7] * s[3], "X: n 3, s: <1x1o+1x0e+1x1o> -> <1x1o>", "E(3)",
    ),
    "motions, one for each": (squares, "X: b n d -> b n n", "E(d) each b"),
    "differences, one motion for each": (
        lambda X: X - X.mean(1, keepdims=True), "X: b n d -> b n d^", "E(d) each b",
    ),
    "a maximum along an axis inside": (lambda X: X.max(axis=1), "X: a n d -> a d", "T(d)"),
    "sorted along an axis inside": (lambda X: np.sort(X, axis=1), "X: a n d -> a n d", "T(d)"),
    "a function that is assumed to keep parts": (
        lambda x, y, z: parted(x, y, z) + x, "x: d+k, y: d, z: k -> d+k", "O(d)",
    ),
    "signs that cancel": (odd_by_even, "x: d -> d", "Signs(d)"),
    "an identity that is moved": (inertia, "X: n d -> d^ d^", "E(d)"),
    "an identity whose rows sum to 1": (shifted, "X: n d -> n d", "E(d)"),
}  # fmt: skip
#: Claims whose types rest on normal forms, which the checkers in Rocq do not have.
BY_NORMAL_FORMS = {"signs that cancel"}
#: The sizes for which a claim is asked, where these are not all.
SCOPES = {"positions of another axis": {"n": (1, 5)}, "positions in two axes": {"n": (1, 5)}}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", CLAIMS)
def test_proved_in_forms(name: str) -> None:
    program, by_nodes = taken(CLAIMS[name], sizes=SCOPES.get(name))
    forms, content = elaborate(by_nodes)
    certificate = seal("proof", **content)
    assert agree(program, forms)
    report = check_certificate(certificate)
    assert report.accepted, report.reason
    assert has_forms(by_nodes["program"], certificate)
    if name in BY_NORMAL_FORMS:
        with pytest.raises(ExportError):
            rocq_answers([certificate])
        return
    allow_work(10**8)
    assert set(answers(rocq_answers([certificate]))) == {True}


@pytest.mark.parametrize(
    ("name", "count"), [("an identity that is moved", 1), ("motions, one for each", 0)]
)
def test_rigid_motions_are_of_one_element(name: str, count: int) -> None:
    """E(d) has a theorem beside those of its two factors where one element moves all entries."""
    certificate = seal("proof", **elaborate(taken(CLAIMS[name])[1])[1])
    assert rocq_text(certificate).count("equivariant_under_rigid_motions prog") == count


def test_the_inversion_tells_the_two_irreps_of_a_degree_apart() -> None:
    """-1 is (-1)^l on one of them, as on functions of degree l, and has the determinant -1."""
    for degree, (parity, sign) in itertools.product(range(17), (("e", 1), ("o", -1))):
        kind, size = kind_of(f"{degree}{parity}", special=False)
        assert size == 2 * degree + 1 and is_turned(kind) == (sign != (-1) ** degree)
        assert kind_of(f"{degree}{parity}", special=True) == kind_of(f"{degree}e", special=True)
