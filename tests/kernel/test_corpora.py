"""The accept and reject corpora, and every change of one field of every accepted certificate."""

from __future__ import annotations

import json
import random
import re
from itertools import islice
from typing import Any

import pytest

from eqvproof import kernel
from eqvproof.kernel import Report, Unreadable
from tests.kernel.corpus import accepted, reseal
from tests.kernel.encoding import check_certificate, encoded
from tests.kernel.mutate import mutants
from tests.kernel.oracle import is_true
from tests.kernel.packed import REJECTED as REJECTED_PACKED
from tests.kernel.packed import TYPED, packed
from tests.kernel.packed import changed as altered
from tests.kernel.rejected import REJECTED, UNJUSTIFIED, of_ones, weighted
from tests.sampling import OneIn

ACCEPTED = {**accepted(), "packed": packed()}
#: The same as they are altered: those that hold forms, in forms.
BASES = {name: encoded(data) for name, data in ACCEPTED.items()}
GRADES = {
    "decision": "DECIDED",
    "test": "BOUNDED",
    "identity": "PROVED",
    "proof": "PROVED",
    "counterexample": "EXACT",
    "evaluation": "EXACT",
    "difference": "EXACT",
}


def verdict(data: object, *, is_encoded: bool = False) -> Report:
    """The report; what cannot be read counts as rejected."""
    try:
        report = kernel.check_certificate(data) if is_encoded else check_certificate(data)  # type: ignore[arg-type]
    except Unreadable as error:
        return Report(accepted=False, reason=str(error))
    assert "internal error" not in report.reason, report.reason
    assert report.accepted == (report.reason == "") == (report.grade != "") == (report.statement != "")
    return report


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    report = verdict(ACCEPTED[name])
    assert report.accepted, report.reason
    assert report.grade == ("ENCLOSED" if name == "enclosed" else GRADES[ACCEPTED[name]["kind"]])
    assert report.rests_on and all(report.rests_on)
    assert verdict(json.dumps(encoded(ACCEPTED[name]), indent=1)) == report
    assert verdict(json.dumps(encoded(ACCEPTED[name])).encode()) == report
    assert is_true(BASES[name], random.Random(0))


@pytest.mark.parametrize("name", REJECTED_PACKED)
def test_rejected_for_its_form(name: str) -> None:
    assert not verdict(REJECTED_PACKED[name]()).accepted


def test_more_types_than_are_used_are_accepted() -> None:
    """The positive control of the edits that add types."""
    assert verdict(altered(TYPED)()).accepted


@pytest.mark.parametrize("name", REJECTED)
def test_rejected(name: str) -> None:
    report = verdict(REJECTED[name]())
    assert not report.accepted
    if name in UNJUSTIFIED:
        assert re.search(r"no rule gives line \d+, a \w+, the stated type", report.reason)


@pytest.mark.parametrize(
    ("op", "shape", "given", "at"),
    [
        ("map", [2], [[2], [2]], {"fn": "maximum"}),
        ("map", [2], [[2]], {"fn": "exp"}),
        ("indicator", [2, 4], [[2]], {"offset": None}),
        ("matrix_function", [2, 2], [[2, 2]], {"fn": "inv"}),
        ("matrix_function", [3, 2], [[2, 3]], {"fn": "pinv"}),
        ("matrix_function", [2], [[2, 2]], {"fn": "eigvals"}),
        ("matrix_function", [2, 2], [[2, 2], [2]], {"fn": "spectral"}),
        ("matrix_function", [2, 2], [[2, 2]], {"fn": "cholesky"}),
    ],
)
def test_what_has_the_shape_of_its_arguments_is_accepted(
    op: str, shape: list[int], given: list[list[int]], at: dict[str, object]
) -> None:
    """So that those of another shape are refused for their shape."""
    report = verdict(of_ones(op, shape, *given, **at))
    assert report.accepted, report.reason


def test_weights_that_sum_to_one_are_accepted() -> None:
    """The positive control of "weights that sum to m"."""
    assert verdict(weighted(summed=False)).accepted


def test_there_are_more_to_reject_than_to_accept() -> None:
    assert len(REJECTED) > 2 * len(ACCEPTED)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ACCEPTED)
def test_a_changed_field_is_rejected_or_still_true(
    name: str, one_in: OneIn[Any]
) -> None:
    rng = random.Random(name)
    accepted_, count = 0, 0
    for path, changed in one_in(5, mutants(BASES[name])):
        count += 1
        if verdict(encoded(changed, is_sealed=True), is_encoded=True).accepted:
            accepted_ += 1
            assert is_true(reseal(changed), rng), (path, changed)
    assert count > 80 and accepted_ < count / 15


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_changed_field_without_its_digest_is_rejected(name: str) -> None:
    for path, changed in islice(mutants(ACCEPTED[name]), 0, None, 7):
        assert not verdict(changed).accepted, path


@pytest.mark.parametrize("name", ["norm", "enclosed", "shifted"])
def test_a_changed_byte_is_rejected_or_the_same_data(name: str) -> None:
    rng, text = random.Random(name), json.dumps(encoded(ACCEPTED[name])).encode()
    for position in range(len(text)):
        for byte in (rng.randrange(256), text[position] ^ 1, ord('"'), ord("0")):
            changed = text[:position] + bytes([byte]) + text[position + 1 :]
            if verdict(changed).accepted:
                assert json.loads(changed) == encoded(ACCEPTED[name])
        for changed in (text[:position], text[:position] + text[position + 1 :]):
            if verdict(changed).accepted:
                assert json.loads(changed) == encoded(ACCEPTED[name])


def test_a_report_has_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(verdict(ACCEPTED["gram"]))


@pytest.mark.parametrize(
    "data", [None, 1, [], object(), {1, 2}, {"format": object()}, {"format": {1}}, b"\xff"]
)
def test_what_is_no_certificate_is_unreadable(data: object) -> None:
    with pytest.raises(Unreadable):
        check_certificate(data)  # type: ignore[arg-type]


def test_a_cycle_of_data_is_unreadable() -> None:
    data: dict[str, object] = {"format": "eqvproof-certificate"}
    data["self"] = data
    with pytest.raises(Unreadable):
        check_certificate(data)
