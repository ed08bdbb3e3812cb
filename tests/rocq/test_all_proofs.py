"""Every proof of the gallery, the corpus and the library can be said in forms, but for listed kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.elaborate.identities import ONLY_IN_KERNEL, SIZED_DEGREE, WITHOUT_RULE
from eqvproof.kernel.report import allow_work
from eqvproof.papers import library
from eqvproof.rocq import results_of, rocq_answers
from eqvproof.support.errors import ExportError
from tests.corpus import right
from tests.gallery.test_gallery import LAYERS, TORCH
from tests.judged import assert_proved
from tests.rocq.python_checker import answers

ROOT = Path(__file__).resolve().parents[2]
KEPT: dict[str, dict[str, str]] = json.loads(
    (ROOT / "benchmarks" / "kept_verdicts.json").read_text(encoding="utf-8")
)
LAYERS_PROVED = [
    layer
    for family, layer in LAYERS
    if family not in TORCH and KEPT["gallery"].get(f"{family}: {layer.name}", "").endswith("PROVED")
]
CASES_PROVED = [c for c in right.CORPUS.cases if KEPT["corpus"].get(c.name, "").endswith("PROVED")]
STATEMENTS_PROVED = [name for name, verdict in KEPT["library"].items() if verdict.endswith("PROVED")]


def refusal(certificate: Any) -> str:
    """Why a proof cannot be said in forms; the checkers accept those that can."""
    try:
        text = rocq_answers([certificate])
    except ExportError as error:
        return str(error.given)
    allow_work(10**8)
    assert answers(text) == [True], certificate["claim"]
    assert "forms" in certificate, certificate["claim"]
    return ""


def proofs(certificate: Any) -> Iterator[Any]:
    """The proofs of equivariance in a certificate."""
    for one in results_of(certificate or {}):
        if one.get("kind") == "proof":
            yield one


def assert_said(certificate: Any) -> None:
    refused = {*map(refusal, proofs(certificate))} - {""}
    assert refused <= ONLY_IN_KERNEL.keys(), refused


@pytest.mark.parametrize("layer", LAYERS_PROVED, ids=lambda layer: layer.name)
@pytest.mark.sampled(4)
def test_the_gallery(layer: Any) -> None:
    verdict = assert_proved(layer.function, layer.signature, layer.under, **layer.options)
    assert_said(verdict.certificate)


@pytest.mark.parametrize("case", CASES_PROVED, ids=lambda case: case.name)
@pytest.mark.sampled(4)
def test_the_corpus(case: Any) -> None:
    verdict = ep.prove(case.function, case.signature, case.under, **case.options)
    assert verdict.grade == "PROVED", str(verdict)
    assert_said(verdict.certificate)


@pytest.mark.parametrize("name", STATEMENTS_PROVED)
@pytest.mark.sampled(8)
def test_the_library(name: str) -> None:
    for row in library.review(name).rows:
        for _, certificate in row.certificates:
            assert_said(certificate)


#: A proof of each kind that is listed.
REFUSED: dict[str, tuple[Any, str, str]] = {
    "a proof under translations by normal forms": (
        lambda X: (X**2).sum(0) * X.shape[0] - X.sum(0) ** 2, "X: n d -> d^", "T(d)",
    ),
    "a proof under sign flips by normal forms": (
        lambda V: np.exp(V) * V.sum(0) - np.exp(-V) * V.sum(0), "V: n k -> n k!", "Signs(k)",
    ),
    "a proof that the signs of eigenvectors do not matter": (
        lambda X: np.abs(X @ np.linalg.eigh(X.T @ X)[1]), "X: n d -> n d", "S(n)",
    ),
    "a proof that a result does not depend on what is translated": (
        lambda X, Y: np.cumsum(np.concatenate([X, Y]))[: len(X)], "X: n, Y: m -> n", "T(m)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", ONLY_IN_KERNEL)
def test_each_kind_that_is_listed_is_refused_by_its_name(kind: str) -> None:
    function, signature, under = REFUSED[kind]
    (one,) = proofs(assert_proved(function, signature, under).certificate)
    assert refusal(one) == kind


def shared_product(X: Any) -> Any:
    return X.prod(axis=0) / np.abs(X).max() ** X.shape[0]


#: A true claim of each kind that has no rule, and what its verdict names.
UNPROVED: dict[str, tuple[Any, str, str, str]] = {
    SIZED_DEGREE: (shared_product, "X: n d -> d!", "Scale(d)", f"no rule in forms for {SIZED_DEGREE}"),
    "a choice by the sign of such a product": (
        lambda X: np.where(X.prod() > 0, X.sum(0), -X.sum(0)), "X: n d -> d", "Scale(d)", SIZED_DEGREE,
    ),
    "a product along an axis of values that change their signs": (
        lambda X: X.prod(axis=0) ** 2, "X: n d -> d!", "Signs(d)", "prod over entries",
    ),
    "`and` or `or` of two values of which one alone changes its signs": (
        lambda X, Y: np.logical_or(X, Y), "X: n d, Y: n d! -> n d!", "Signs(d)", "function or",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", WITHOUT_RULE)
def test_each_kind_without_a_rule_is_named(kind: str) -> None:
    function, signature, under, named = UNPROVED[kind]
    verdict = ep.prove(function, signature, under)
    assert verdict.outcome == "UNDECIDED" and named in verdict.reason, str(verdict)


def test_the_page_lists_them() -> None:
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    listed = {**ONLY_IN_KERNEL, **WITHOUT_RULE}
    assert all(f"| {kind} | {reason} |" in page for kind, reason in listed.items())
