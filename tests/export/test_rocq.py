"""Certificates as theorems of Rocq: right ones are accepted, wrong ones are not."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.errors import ExportError
from eqvproof.export.rocq import rocq_text
from eqvproof.export.rocq.claim import statement
from eqvproof.export.rocq.compile import Rocq, rules_file
from eqvproof.export.rocq.function import WRITERS
from eqvproof.export.rocq.naming import words_of
from eqvproof.export.rocq.rules import ASSUMED, LEAVES, LEMMAS
from eqvproof.export.rocq.source import read
from eqvproof.operations import MATRIX_FUNCTIONS, OPERATIONS
from eqvproof.verdict import seal
from tests.export.corpus import RIGHT, WRONG, Spec, certificate

#: What Rocq is asked about in every run; benchmarks/rocq.py asks about all.
JUDGED = ("squares of coordinates", "first point", "inverse with its axes swapped", "claimed invariant")


@pytest.fixture(scope="module")
def rocq() -> Iterator[Rocq]:
    if shutil.which("coqc") is None:
        pytest.skip("Rocq (Debian: coq, libcoq-mathcomp-algebra) is not installed")
    with Rocq() as found:
        yield found


def softmax(scores: Any) -> Any:
    weights = np.exp(scores - scores.max(axis=0))
    return weights / weights.sum(axis=0)


def attention(X: Any) -> Any:
    return X @ softmax(X.T @ X)


def deep_sets(X: Any) -> Any:
    return np.log(1 + np.tanh(X @ np.array([[1.0, 0.5], [0.25, -2.0]])).sum(axis=0))


def by_kind(z: Any, X: Any) -> Any:
    return (np.take(np.array([1.0, 0.5, -2.0]), z)[:, None] * X).sum(axis=0)


def unit_rows(x: Any, X: Any) -> Any:
    return x[:, None] * X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("function", "signature", "group"),
    [
        (attention, "X: d n -> d n", "O(d) x S(n)"),
        (deep_sets, "X: n 2 -> 2", "S(n)"),
        # Labels of which there are as many as the signature says.
        (by_kind, "z[3]: n, X: n d -> d", "S(n) x O(d)"),
        # Names that mean something else to Rocq.
        (unit_rows, "S: at, act: at R -> at R", "S(at) x SO(R)"),
    ],
)
def test_a_function_becomes_a_theorem(rocq: Rocq, function: Any, signature: str, group: str) -> None:
    verdict = ep.check(function, signature, group)
    assert verdict.grade == "PROVED", str(verdict)
    assert verdict.certificate is not None and ep.verify(verdict.certificate).accepted
    found = rocq.judge(rocq_text(verdict.certificate))
    assert found.accepted, found.reason


@pytest.mark.parametrize("name", JUDGED)
def test_rocq_rejects_what_is_wrong(rocq: Rocq, name: str) -> None:
    found = rocq.judge(rocq_text(certificate(*WRONG[name][1])))
    assert not found.accepted
    assert found.reason.startswith("line ")


def test_what_rocq_accepts_must_rest_on_nothing(rocq: Rocq) -> None:
    assumed = "Axiom a : 1 = 2.\nLemma b : 1 = 2. Proof. exact: a. Qed.\nPrint Assumptions b.\n"
    found = rocq.judge(f"From mathcomp Require Import ssreflect.\n{assumed}")
    assert not found.accepted
    assert not rocq.judge("Lemma b : 1 = 1. Proof. reflexivity. Qed.\n").accepted


def sealed(spec: Spec) -> dict[str, Any]:
    found = certificate(*spec)
    return seal("proof", claim=found["claim"], program=found["program"], evidence=found["evidence"])


@pytest.mark.parametrize("name", RIGHT)
def test_the_kernel_accepts_the_right_corpus(name: str) -> None:
    report = ep.verify(sealed(RIGHT[name]))
    assert report.accepted, report.reason


@pytest.mark.parametrize("name", WRONG)
def test_the_kernel_rejects_the_wrong_corpus(name: str) -> None:
    assert not ep.verify(sealed(WRONG[name][1])).accepted


def test_the_wrong_corpus_is_large() -> None:
    assert len(WRONG) >= 30
    assert {kind for kind, _ in WRONG.values()} == {"rule", "type", "claim"}
    assert set(JUDGED) <= set(WRONG)


@pytest.mark.parametrize("spec", [*RIGHT.values(), *(spec for _, spec in WRONG.values())])
def test_the_statement_does_not_look_at_the_proof(spec: Spec) -> None:
    given = certificate(*spec)
    before = statement(words_of(read(given)))
    for line in given["evidence"]["factors"][0]["lines"]:
        line["type"] = ["uni" for _ in line["type"]]
    assert statement(words_of(read(given))) == before
    assert not re.search(r"\b(Admitted|Axiom|Parameter|Conjecture)\b", before)


def test_what_is_not_exported_is_named() -> None:
    for function, signature, group, word in (
        (lambda x: np.roll(x, 1), "x: n -> n", "C(n)", r"C\(n\)"),
        (lambda X: np.cross(X[0], X[1]), "X: 2 3 -> 3", "SO(3)", "const"),
        (lambda X, Y: np.concatenate([X, Y]), "X: n 2, Y: k 2 -> n+k 2", "S(n)", "claim|concat"),
    ):
        verdict = ep.check(function, signature, group)
        assert verdict.certificate is not None, str(verdict)
        with pytest.raises(ExportError, match=word):
            rocq_text(verdict.certificate)


def lemmas() -> set[str]:
    return {name for pair in LEMMAS.values() for names in pair for name in names}


def test_every_rule_has_its_lemmas() -> None:
    operations = {*OPERATIONS}
    ruled = {name.split()[0] for name in LEMMAS}
    assert operations == {*ruled, *LEAVES, *ASSUMED} == {*WRITERS, "input", "size"}
    assert {f"matrix {fn}" for fn in MATRIX_FUNCTIONS} <= {*LEMMAS}
    assert all(permutations and matrices for permutations, matrices in LEMMAS.values())
    text = re.sub(r"\(\*.*?\*\)", "", rules_file().read_text(encoding="utf-8"), flags=re.S)
    stated = set(re.findall(r"^Lemma (\w+)", text, re.M))
    assert lemmas() <= stated, lemmas() - stated


def test_every_lemma_rests_on_nothing(rocq: Rocq) -> None:
    asked = "".join(f"Print Assumptions {name}.\n" for name in sorted(lemmas()))
    found = rocq.judge(f"From EqvProof Require Import Rules.\n{asked}")
    assert found.accepted, found.reason
