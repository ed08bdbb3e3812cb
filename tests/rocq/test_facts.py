"""Each fact that an exported theorem may suppose of a function is one, as far as numbers tell."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import facts, form_functions
from eqvproof.programs.operations.functions import FUNCTIONS
from eqvproof.programs.operations.matrix_functions import MATRIX_FUNCTIONS
from eqvproof.rocq import rocq_text
from tests.rocq.facts import (
    ARITY,
    ENTRIES,
    FACTORS,
    MATRICES,
    alike,
    facts_of,
    has_degree,
    is_root,
    is_true,
    turns,
)

#: The tables of degrees, by the multiples of which they speak.
TABLES = {"Signs": facts.SIGNS, "Scale": facts.POSITIVE, "GL": facts.UNITS}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("family", TABLES)
def test_degrees(family: str) -> None:
    wrong = [
        (name, degree)
        for name, degree in TABLES[family].items()
        if not has_degree(name, degree, FACTORS[family])
    ]
    assert not wrong, family


def test_laws_of_functions_of_matrices() -> None:
    assert not [(name, fact) for name, fact in facts.LAWS.items() if not turns(name, fact)]


def test_roots() -> None:
    assert not [(name, k) for name, k in form_functions.ROOTS.items() if not is_root(name, 1 / k)]


def test_laws_under_translations() -> None:
    """That 1/x times x is 1; that what is added to all entries is added to the value; and of which not."""
    rng = np.random.default_rng(2)
    lists = [rng.integers(-9, 9, 4) / 4 for _ in range(40)]
    added = {
        name: all(alike(ENTRIES[name](*(xs + c)), ENTRIES[name](*xs) + c) for xs in lists for c in (-2, 1))
        for name in ("max", "min", "sort", "prod")
    }
    assert {name for name, found in added.items() if found} == {
        name for name, is_inverse in facts.SHIFT_LAWS.items() if not is_inverse
    }
    inverses = [name for name, is_inverse in facts.SHIFT_LAWS.items() if is_inverse]
    assert all(ENTRIES[name](x) * x == 1 for name in inverses for x in (-2.0, 0.25, 4.0))


def test_every_function_of_programs_is_tried() -> None:
    assert {name for name, row in FUNCTIONS.items() if row.arity} <= ENTRIES.keys()
    assert all(ARITY[name] == row.arity for name, row in FUNCTIONS.items() if row.arity)
    assert MATRICES.keys() == MATRIX_FUNCTIONS.keys()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("family", TABLES)
def test_a_fact_that_is_none_is_seen(family: str) -> None:
    """A degree that is not in the table is wrong, or it is one that could stand there too."""
    factors, known = FACTORS[family], TABLES[family]
    pairs = [(n, d) for n in ENTRIES for d in (-1, 0, 1, 2) if known.get(n) != d]
    others = {(n, d) for n, d in pairs if has_degree(n, d, factors)}
    unequal = {(n, d) for n, d in others if n in known}
    # of the sign only the parity of a degree counts
    assert not {n for n, d in unequal if family != "Signs" or (d - known[n]) % 2}, unequal
    assert not others & {("exp", d) for d in (-1, 0, 1, 2)}
    assert ("tanh", 0) not in others


def test_a_law_that_is_none_is_seen() -> None:
    """Each function of matrices has one law at most; but more holds of inverses than their own."""
    laws = ("Inverse", "Pseudoinverse", "Number", "List", "Conjugate", "Weighted")
    for name in MATRICES:
        found = {law for law in laws if turns(name, law)}
        more = {"Pseudoinverse", "Conjugate"} if name == "inv" else set()
        assert found == ({facts.LAWS[name]} if name in facts.LAWS else set()) | more, name


def parities(x: Any) -> Any:
    return np.tanh(x) * np.cos(x) + np.sin(x) * np.abs(x) + np.cbrt(x) / (1 + np.cosh(x))


def clipped(X: Any) -> Any:
    return np.sort(X, axis=1) + np.maximum(X, 0) * np.sign(X) + X.max(axis=1)[:, None]


#: Claims whose files suppose something of functions.
CLAIMS = (
    (lambda X: X / np.abs(X).sum(axis=1)[:, None], "X: n d -> n d!", "Scale(d)"),
    (lambda X: X / np.sqrt((X * X).sum(axis=1))[:, None], "X: n d -> n d!", "Scale(d)"),
    (clipped, "X: n d -> n d", "Scale(d)"),
    (parities, "x: n -> n", "Signs(n)"),
    (lambda A: np.linalg.pinv(A), "A: d n -> n d", "O(d) x O(n)"),
    (lambda A: np.linalg.inv(np.eye(A.shape[0]) + A @ A), "A: d d* -> d d*", "GL(d)"),
    (lambda A: np.linalg.eigvalsh(A @ A.T), "A: d n -> d!", "O(d)"),
    (lambda A: np.linalg.det(A), "A: d d -> ()", "SO(d)"),
    (lambda A: np.linalg.det(A), "A: n n -> ()", "S(n)"),
    (lambda A, B, w: np.linalg.det(A) / np.linalg.det(B) * np.abs(w), "A: d d!, B: d d!, w: n -> n", "GL(d)"),
)


def test_what_files_suppose() -> None:
    kinds = set[str]()
    for claim in CLAIMS:
        verdict = ep.check(*claim)
        assert verdict.grade == "PROVED", str(verdict)
        assert ep.verify(verdict.certificate).accepted
        stated = facts_of(rocq_text(verdict.certificate))
        assert not [fact for fact in stated if not is_true(*fact)], claim[1:]
        kinds |= {re.sub(r"[^A-Za-z]", "", fact) for _, _, fact in stated}
    assert {"SomeDegreePosz", "SomeInverse", "SomePseudoinverse", "SomeList", "SomeNumber"} <= kinds
    assert any("Typed" in kind for kind in kinds)
