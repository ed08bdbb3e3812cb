"""Theorems about one group element for each entry of an axis: what mixes entries is refused."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.rocq import rocq_text
from eqvproof.rocq.compile import Extracted, Rocq
from eqvproof.rocq.reread import require_same
from eqvproof.support.errors import ExportError
from tests.judged import assert_proved
from tests.kernel.encoding import encoded
from tests.kernel.test_near_each import FALSE, TRUE
from tests.models.test_each import CLOUDS, FAILING, GRAPHS, HOLDING, OTHERS, attend, messages
from tests.sampling import every_case

Case = tuple[Callable[..., Any], str, str]
Answers = Callable[[list[Any]], list[bool]]


def heads(x: Any) -> Any:
    """Attention by two heads, which are joined with the batch to one axis."""
    b, n = x.shape[:2]
    y = np.swapaxes(x.reshape((b, n, 2, -1)), 1, 2).reshape((2 * b, n, -1))
    return np.swapaxes(attend(y).reshape((b, 2, n, -1)), 1, 2).reshape((b, n, -1))


def egnn(x: Any) -> Any:
    apart = x[:, :, None] - x[:, None, :]
    return x + (apart * np.exp(-(apart * apart).sum(-1, keepdims=True))).sum(2)


def weighted(x: Any, w: Any) -> Any:
    return (w[..., None] * x).sum(1) / w.sum(1, keepdims=True)


#: What is proved, beside the claims of tests/models/test_each.py.
MORE: tuple[Case, ...] = (
    (heads, "x: b n 4 -> b n 4", "S(n) each b"),
    (egnn, CLOUDS, "E(d) each b x S(n) each b"),
    (weighted, "x: b n d, w: b n -> b d", "SE(d) each b x A(n) each b"),
    (lambda x: x - x.mean(2, keepdims=True), "x: b k n d -> b k n d", "S(n) each b x S(k)"),
    (lambda x: x * x.mean((2, 3), keepdims=True), "x: b k n d -> b k n d", "S(n) each b x S(d) each k"),
    (lambda x: np.exp(x).sum((0, 1)), "x: b n d -> d", "S(n) each b"),
    (lambda x: np.einsum("nbd,mbd->nm", x, x), "x: n b d -> n n", "O(d) each b"),
    (lambda x: (np.linalg.det(x) ** 2).sum(), "x: b d d! -> ()", "O(d) each b"),
    (lambda x, y: np.einsum("bnd,bd->bn", x, y), "x: b n d, y: b d* -> b n", "GL(d) each b"),
    (lambda x: np.roll(x, 1, 1), "x: b n c -> b n c", "C(n) each b"),

    (lambda x: np.tanh(x) * (x ** 2).sum(1)[::-1, None], "x: b d -> b d", "Signs(d) each b"),
    (lambda x: x / np.abs(x).max((1, 2), keepdims=True), "x: b n d -> b n d!", "Scale(d) each b"),
    (lambda psi: (abs(psi) ** 2).sum(1), "psi[complex]: b d -> b", "U(d) each b"),
    (lambda x, j: x[np.arange(len(x)), j], "x: b n, j[n]: b -> b", "S(n) each b"),
    (lambda x, m: np.where(m, x.sum(1), 1.0), "x: b n, m[bool]: b -> b", "A(n) each b"),
    (lambda x: 3 * x.reshape((-1, x.shape[3])).reshape(x.shape), "x: k b n d -> k b n d", "O(d) each b"),
    (lambda x: 3 * x.reshape((-1, x.shape[2])).reshape(x.shape), "x: b 100 d -> b 100 d", "O(d) each b"),
    (lambda x: np.swapaxes(x, 0, 1).reshape((-1, x.shape[2])).reshape((x.shape[1], x.shape[0], -1)),
     "x: b n d -> n b d", "O(d) each b"),
    (lambda x: (x - x.mean(1, keepdims=True)).reshape((-1, x.shape[2])).sum(0), "x: b n d -> d!",
     "T(d) each b"),
    (messages, GRAPHS, "S(n) each b"),
)  # fmt: skip
#: What mixes entries, and holds of one element for all, beside the claims of tests/models/test_each.py.
MIXING: tuple[Case, ...] = (
    (lambda x: x[::-1], "x: b n d -> b n d", "T(d) each b"),
    (lambda x: x - x.mean(1, keepdims=True)[::-1], "x: b n d -> b n d^", "E(d) each b"),
    (lambda x: x[:, :, None] - x[:1, None], "x: b n d -> b n n d^", "T(d) each b"),
    (lambda x: x.sum(1) @ x.sum(1).T, "x: b n d -> b b", "O(d) each b"),
    (lambda x: np.swapaxes(x, 0, 1).reshape(x.shape), "x: b n d -> b n d", "O(d) each b"),
    (lambda x: np.roll(x, 1, 0), "x: b n c -> b n c", "C(n) each b"),

    (lambda x: (x[::-1] * x).sum(1), "x: b d -> b", "Signs(d) each b"),
    (lambda x, y: np.einsum("bnd,cd->bnc", x, y), "x: b n d, y: b d* -> b n b", "GL(d) each b"),
    (lambda x: np.where(x[::-1] > 0, x, -x), "x: b n -> b n", "S(n) each b"),
    (lambda x: x.max(0).sum(), "x: b n -> ()", "S(n) each b"),
    (lambda x: x / x.sum(), "x: b n -> b n!", "Scale(n) each b"),
)  # fmt: skip


@pytest.fixture
def answers(rocq: Rocq, request: pytest.FixtureRequest) -> Callable[[list[Any]], list[bool]]:
    """What the extracted checker answers; where all cases run, Rocq alike."""

    def ask(given: list[Any]) -> list[bool]:
        if shutil.which("ocamlfind") is None:
            return rocq.accepts(given)
        found = Extracted().accepts(given)
        if every_case(request.config):
            assert rocq.accepts(given) == found
        return found

    return ask


@cache
def of_one(case: Case) -> Any:
    """The certificate of the claim with one element for all entries."""
    function, signature, under = case
    return assert_proved(function, signature, re.sub(r" each \w", "", under)).certificate


def of_each(case: Case) -> Any:
    """The certificate for one element, with another for each entry written in."""
    content = copy.deepcopy(of_one(case))
    for entry, text in zip(content["claim"]["group"], case[2].split(" x "), strict=True):
        if " each " in text:
            entry["each"] = text.split(" each ")[1]
    return content


def test_what_is_done_entry_by_entry_becomes_a_theorem(answers: Answers) -> None:
    given = []
    for case in (*HOLDING, *MORE):
        sizes = {"sizes": {"m": 2}} if case[1] == GRAPHS else {}
        data: Any = assert_proved(*case, **sizes).certificate
        given.append(data)
    assert answers(given) == [True] * len(given)


def test_what_mixes_entries_is_refused(rocq: Rocq, answers: Answers) -> None:
    cases = [
        case for case in (*FAILING, OTHERS, *MIXING)
        if ep.prove(case[0], case[1], re.sub(r" each \w", "", case[2])).holds
    ]  # fmt: skip
    assert len(cases) >= 20
    for case in MIXING:
        assert ep.check(*case).fails, case[1:]
    given = [of_each(case) for case in cases]
    for data in given:
        require_same(rocq_text(data), data["claim"])
    found = answers([*given, *(of_one(case) for case in cases)])
    assert found[: len(given)] == [False] * len(given)
    assert sum(found[len(given) :]) >= len(cases) - 1
    assert rocq.accepts([*given, of_one(cases[0])]) == found[: len(given) + 1]


def test_near_misses_that_the_kernel_tells_apart(answers: Answers) -> None:
    given = {name: encoded(make()) for name, make in (TRUE | FALSE).items()}
    proofs = {name: data for name, data in given.items() if data["kind"] == "proof"}
    assert answers([*proofs.values()]) == [name in TRUE for name in proofs]


def test_the_file_has_a_theorem_for_each_factor_and_for_all(rocq: Rocq) -> None:
    text = rocq_text(assert_proved(egnn, CLOUDS, "E(d) each b x S(n) each b").certificate)
    for k, factor in enumerate(("Translates", "Acts O", "Acts S")):
        assert re.search(
            rf"Theorem equivariant{k} : equivariant_under\s+prog\s+\(Each\s+positive_sizes\s+\({factor}",
            text,
        )
    assert "rigid" not in text
    found = rocq.check_file(text, fewest=4)
    assert found.accepted, found.reason
    # another axis of the result
    changed = text.replace("stop1 : option nat := Some 0", "stop1 : option nat := Some 1")
    assert changed != text and not rocq.check_file(changed, fewest=4).accepted


def test_another_statement_is_not_that_of_the_claim() -> None:
    data: Any = assert_proved(
        weighted, "x: b n d, w: b n -> b d", "SE(d) each b x A(n) each b"
    ).certificate
    text = rocq_text(data)
    require_same(text, data["claim"])
    changes = (
        ("stop0 : option nat := Some 0", "stop0 : option nat := Some 1"),
        ("stop2 : option nat := None", "stop2 : option nat := Some 0"),
        (r"(starts0 : .*?) := \[:: Some 0; None\]", r"\1 := [:: None; None]"),
        (r"(starts0 : .*?) := \[:: Some 0; None\]", r"\1 := [:: Some 0; Some 0]"),
        (r"(starts2 : .*?) := \[:: Some 0; Some 0\]", r"\1 := [:: Some 1; Some 0]"),
        (r"claimed_shape : shape := \[:: (z\d+); (z\d+)\]", r"claimed_shape : shape := [:: \2; \1]"),
        (r"claimed_shape : shape := \[:: (z\d+); (z\d+)\]", r"claimed_shape : shape := [:: \1]"),
        (r"\(Each positive_sizes \(Acts SO (.*?)\) starts1 stop1 claimed_shape\)\. Proof",
         r"(Each positive_sizes (Acts O \1) starts1 stop1 claimed_shape). Proof"),
        (r"equivariant_under prog \(Each \w+ \(Acts SO (z\d+ \w+ \w+) (\w+)\) starts1 stop1 \w+\)\. Proof",
         r"equivariant SO \1 prog \2. Proof"),
        (r"\(Each positive_sizes \(Acts A (.*?)\) starts2 stop2 claimed_shape\)\]\.", r"(Acts A \1)]."),
        (r"\(Each positive_sizes \(Acts A (.*?)\) starts2 stop2 claimed_shape\)\]\.",
         r"(Each positive_sizes (Acts A \1) starts2 stop1 claimed_shape)]."),
    )  # fmt: skip
    bare = re.sub(r"\s+(?!\(\*|Definition|Theorem)", " ", text)
    require_same(bare, data["claim"])
    for pattern, new in changes:
        pattern = pattern if "\\" in pattern else re.escape(pattern)
        changed = re.sub(pattern, new, bare, count=1)
        assert changed != bare, pattern
        with pytest.raises((ExportError, KeyError)):
            require_same(changed, data["claim"])
            pytest.fail(pattern)


def test_a_claim_of_one_element_is_not_that_of_one_for_each_entry() -> None:
    one, each = of_one(HOLDING[0]), ep.check(*HOLDING[0]).certificate
    assert each is not None
    for text, claim in ((rocq_text(one), each["claim"]), (rocq_text(each), one["claim"])):
        with pytest.raises((ExportError, KeyError)):
            require_same(text, claim)


def test_a_value_without_the_axis_is_not_printed() -> None:
    data = of_one((lambda x, w: x * w, "x: b n, w: n -> b n", "S(n)"))
    data["claim"]["group"][0]["each"] = "b"
    with pytest.raises(ExportError, match="none for each entry"):
        rocq_text(data)
