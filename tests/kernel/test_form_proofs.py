"""Proofs in forms: those of the corpus, every change of one field of each, and false ones."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.kernel import Unreadable, check_certificate
from eqvproof.support.errors import ExportError
from tests.judged import assert_proved
from tests.kernel.corpus import JSON, accepted, edited, reseal, seal
from tests.kernel.encoding import encoded
from tests.kernel.form_values import value
from tests.kernel.mutate import mutants
from tests.kernel.oracle import is_equivariant
from tests.kernel.packed import packed

#: At n = 1 its index n - 2 is none, as there is nothing to read, which the rules of shapes do not see.
UNSEEN = "sorted_entries"


def in_forms() -> dict[str, JSON]:
    """The proofs of the corpus that the forms cover, by name."""
    found = {}
    for name, data in {**accepted(), "packed": packed()}.items():
        if data["kind"] == "proof" and name != UNSEEN:
            try:
                _, content = elaborate(encoded(data))
            except ExportError:
                continue
            found[name] = seal("proof", **content)
    return found


ACCEPTED = in_forms()


def is_accepted(data: Any) -> bool:
    """Whether the kernel accepts; what it cannot read it does not."""
    try:
        report = check_certificate(data)
    except Unreadable:
        return False
    assert "internal error" not in report.reason, report.reason
    return report.accepted


def is_true(data: JSON, rng: random.Random) -> bool:
    """Whether the claim stands every test made here."""
    claim, forms = data["claim"], data["forms"]
    return is_equivariant(claim, lambda *at: value(forms, claim, *at), rng)


def test_most_proofs_of_the_corpus_are_covered() -> None:
    proofs = [data for data in accepted().values() if data["kind"] == "proof"]
    assert len(ACCEPTED) > len(proofs) / 2


@pytest.mark.parametrize("name", ACCEPTED)
def test_they_are_accepted_and_true(name: str) -> None:
    """The statement is that of the proof about the Program, but for the digest of the program."""
    of_nodes = check_certificate(encoded({**accepted(), "packed": packed()}[name]))
    of_forms = check_certificate(ACCEPTED[name])
    assert of_forms.accepted and of_forms.grade == of_nodes.grade == "PROVED", of_forms.reason
    before, after = (report.statement.split("sha256:") for report in (of_nodes, of_forms))
    assert [before[0], before[1][64:]] == [after[0], after[1][64:]]
    assert of_forms.rests_on[1:] == of_nodes.rests_on[1:]
    assert is_true(ACCEPTED[name], random.Random(0))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ACCEPTED)
def test_a_changed_field_is_rejected_or_still_true(name: str) -> None:
    rng = random.Random(name)
    accepted_, count = 0, 0
    for path, changed in mutants(ACCEPTED[name]):
        count += 1
        assert count % 7 or not is_accepted(changed), path  # without its digest
        changed = reseal(changed)
        if is_accepted(changed):
            accepted_ += 1
            assert is_true(changed, rng), (path, changed)
    assert count > 400 and accepted_ < count / 10


LARGER: Any = [[2, []], [2, ["d"]]]


def products() -> JSON:
    """x B x^T for the matrix B of the symplectic form of the size of x."""
    f = lambda x: x @ ep.groups.form("Sp", x.shape[-1]) @ x.T  # noqa: E731
    found: Any = assert_proved(f, "x: n 2d -> n n", "Sp(2d)").certificate
    assert found["forms"]["functions"] == [{"array": ["form", False]}]
    assert [kind[1] for kind in found["forms"]["kinds"]] == ["Input", "Whole", "Contract", "Contract"]
    return dict(found)


def test_a_part_of_a_larger_matrix_of_a_form_is_none() -> None:
    """The part of size 4 of the matrix of size 6 is not kept by all of Sp(4)."""
    first, matrix, *products_ = products()["forms"]["kinds"]
    shapes = [*products()["forms"]["shapes"], [LARGER, LARGER]]
    larger, part = [3, *matrix[1:]], [matrix[0], "Contract", [[0, [0, 1]]], [], [0, 1]]
    whole = lambda shape: [shape, *matrix[1:]]  # noqa: E731
    for lines, types in (
        ([[0], [1], [2, 1], [3, 0, 2], [4, 3, 0]], [0, 1, 1, 2, 3]),
        ([[0], [5], [1], [2, 2], [3, 0, 3], [4, 4, 0]], [0, 1, 1, 1, 2, 3]),  # after one that is kept
        ([[0], [1], [5], [2, 1], [3, 0, 3], [4, 4, 0]], [0, 1, 1, 1, 2, 3]),
    ):
        edits: list[Any] = [
            (["forms", "shapes"], shapes),
            (["forms", "kinds"], [first, larger, part, *products_, whole(matrix[0])]),
            (["forms", "lines"], lines),
            (["evidence", "factors", 0, "lines"], types),
        ]
        assert not is_accepted(edited(products(), *edits))
        edits[1] = (["forms", "kinds"], [first, whole(matrix[0]), part, *products_, whole(matrix[0])])
        assert is_accepted(edited(products(), *edits))  # with the matrix of the right size


def weighted() -> JSON:
    """The product with a constant matrix, under permutations of the rows."""
    weights = np.arange(1.0, 7).reshape(2, 3)
    found: Any = assert_proved(lambda x: x @ weights, "x: n 2 -> n 3", "S(n)").certificate
    assert [leaf[0] for leaf in found["forms"]["leaves"]] == ["numbers"]
    return dict(found)


@pytest.mark.parametrize(
    ("leaf", "good"),
    [
        (["numbers", "1 2 3 4 5 6"], True), (["numbers", "6*1/2"], True), (["triangle", 1], True),
        (["digest", "sha256:" + "0" * 64], True), (["numbers", "1 2 3 4 5"], False),
        (["numbers", "7*1"], False), (["numbers", ""], False), (["counter"], False),
        (["function", "pi"], False), (["function", "e"], False), (["triangle"], False),
        (["triangle", "1"], False), (["digest", "sha256:0"], False), (["digest"], False), ([], False),
        (["form", True], False), (["numbers", "1 2 3 4 5 6", 1], False), (None, False),
    ],
)  # fmt: skip
def test_arrays_of_constants_have_the_shape_of_their_line(leaf: Any, good: bool) -> None:
    report = check_certificate(edited(weighted(), (["forms", "leaves", 0], leaf)))
    assert report.accepted is good, report.reason
    is_parameter = leaf is not None and leaf[:1] == ["digest"]
    assert ("whatever real numbers its parameters hold" in report.statement) is (good and is_parameter)


@pytest.mark.parametrize("leaf", [["numbers", ""], ["digest", "sha256:" + "0" * 64], ["counter"]])
def test_arrays_of_constants_have_one_size(leaf: list[Any]) -> None:
    """Of another one for each n there is only the counter."""
    f = lambda x: x * np.arange(x.shape[0])[:, None]  # noqa: E731
    data: Any = assert_proved(f, "x: n d -> n d", "O(d)").certificate
    assert data["forms"]["leaves"] == [["counter"]]
    assert is_accepted(edited(data, (["forms", "leaves", 0], leaf))) is (leaf == ["counter"])


def test_a_leaf_that_is_not_listed() -> None:
    assert not is_accepted(edited(weighted(), (["forms", "leaves"], [])))
    more = copy.deepcopy(weighted()["forms"]["leaves"]) * 2
    assert is_accepted(edited(weighted(), (["forms", "leaves"], more)))
