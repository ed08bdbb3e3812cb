"""What is written of elements for each entry that act by irreps, and of identities under translations."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.elaborate.program import has_forms
from eqvproof.kernel.report import allow_work
from eqvproof.rocq import rocq_answers
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.rocq.python_checker import answers


@pytest.mark.parametrize(
    ("group", "irrep", "moves"),
    [
        ("O(d)", "2e", True), ("O(d)", "1o", True), ("SO(d)", "1e", True), ("O(d)", "0o", True),
        ("SO(d)", "0o", False), ("O(d)", "0e", False),
    ],
)  # fmt: skip
def test_elements_for_each_entry_move_all_but_trivial_irreps(group: str, irrep: str, moves: bool) -> None:
    verdict = ep.prove(
        lambda s, x: s * (x * x).sum(-1, keepdims=True), "s: b m, x: b d -> b m", f"{group} each b",
        sizes={"d": 3}, reps={"m": (group, irrep)},
    )  # fmt: skip
    data: Any = verdict.certificate
    assert verdict.grade == "PROVED" and ep.verify(data).accepted, str(verdict)
    text = rocq_answers([data])
    own = "Some 0" if moves else "None"
    assert re.search(rf"starts0 : [^=]*:= \[:: {own}; Some 0\]\.", text)
    assert re.search(rf"stop0 : [^=]*:= {own}\.", text)
    allow_work(10**8)
    assert answers(text) == [True]


def test_rows_of_a_shifted_identity_matrix_sum_to_one() -> None:
    verdict = ep.prove(
        lambda X: np.roll(np.eye(X.shape[0]), 1, axis=0) @ X, "X: n d -> n d", "T(d)"
    )
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    other = ep.prove(lambda X: 2 * np.eye(X.shape[0]) @ X, "X: n d -> n d", "T(d)")
    assert not other.holds


def test_powers_of_values_under_scale_have_constant_exponents() -> None:
    for f in (lambda X: X**1.5 / np.sqrt(X), lambda X: (X * X) ** 1.5 / (X * X)):
        verdict = ep.prove(f, "X: n d -> n d", "Scale(d)")
        assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted, str(verdict)
    assert not ep.prove(lambda X: X**1.5, "X: n d -> n d", "Scale(d)").holds


def inertia(X: Any) -> Any:
    Y = X - X.mean(axis=0)
    return (Y * Y).sum() * np.eye(X.shape[1]) - Y.T @ Y


@pytest.mark.parametrize(
    ("function", "signature", "group"),
    [
        (inertia, "X: n d -> d^ d^", "E(d)"),
        (lambda X: np.roll(np.eye(X.shape[0]), 1, axis=0) @ X, "X: n d -> n d", "T(d)"),
    ],
)
def test_forms_with_identities_are_known_again(function: Any, signature: str, group: str) -> None:
    certificate: Any = ep.prove(function, signature, group).certificate
    assert ep.verify(certificate).accepted
    program = trace_all_sizes(function, parse_signature(signature)).program.to_json(is_stored=True)
    assert has_forms(program, certificate)


def test_a_program_without_forms_is_none_that_a_certificate_holds() -> None:
    certificate: Any = ep.prove(inertia, "X: n d -> d^ d^", "E(d)").certificate
    traced = trace_all_sizes(inertia, parse_signature("X: n d -> d^ d^"))
    program = traced.program.to_json(is_stored=True)
    kinds = [kind | {"op": "unknown"} if kind["op"] == "indicator" else kind for kind in program["kinds"]]
    assert kinds != program["kinds"]
    assert not has_forms({**program, "kinds": kinds}, certificate)
