"""A DECIDED verdict names the sizes that the kernel checks together, as one certificate has its limit."""

from __future__ import annotations

from typing import Any

import pytest

import eqvproof as ep
from eqvproof.engines.verdict import rejection
from eqvproof.kernel import report


def lengths(X: Any) -> Any:
    """Squared lengths, of which no type shows that they are invariant."""
    return X[0] ** 2 + (X[1:] ** 2).sum(axis=0)


def decided() -> ep.Verdict:
    return ep.decide(lengths, "X: d n -> n", "O(d)", sizes={"d": (2, 4), "n": (1, 3)})


def test_certificates_are_checked_once_for_each_size_and_once_for_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither the conclusion nor a question for readings builds one again."""
    from eqvproof.engines import certify

    found: list[Any] = []

    def counted(certificate: Any) -> tuple[str, bool]:
        found.append(certificate)
        return rejection(certificate)

    monkeypatch.setattr(certify, "rejection", counted)
    whole = decided()
    assert [len(c["claim"]["scope"]) for c in found] == [1] * len(whole.sizes) + [len(whole.sizes)]
    assert whole.certificate is found[-1]
    found.clear()
    single = ep.decide(lengths, "X: d n -> n", "O(d)", sizes={"d": 3, "n": 2})
    assert single.grade == "DECIDED" and len(found) == 1 and single.certificate is found[0]


def test_fewer_sizes_are_decided_where_all_are_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = decided()
    assert whole.grade == "DECIDED" and len(whole.sizes) > 4
    assert ep.verify(whole.certificate).accepted
    left, given = report._left.get()
    monkeypatch.setattr(report, "BASE_WORK", 1)
    monkeypatch.setattr(report, "WORK_PER_BYTE", 0)
    for share in (0.7, 0.3):
        monkeypatch.setattr("eqvproof.kernel.decisions.LARGE_WORK", int(share * (given - left)))
        fewer = decided()
        assert fewer.grade == "DECIDED" and 0 < len(fewer.sizes) < len(whole.sizes)
        assert [*fewer.sizes] == [*whole.sizes][: len(fewer.sizes)]
        found = ep.verify(fewer.certificate)
        assert found.accepted and fewer.certificate is not None
        assert fewer.certificate["claim"]["scope"] == [dict(at) for at in fewer.sizes]
        assert ep.verify(whole.certificate).limited
    monkeypatch.undo()
    assert ep.verify(fewer.certificate).accepted


def test_nothing_is_decided_where_one_size_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "BASE_WORK", 1)
    monkeypatch.setattr(report, "WORK_PER_BYTE", 0)
    monkeypatch.setattr("eqvproof.kernel.decisions.LARGE_WORK", 50)
    assert decided().outcome == "UNDECIDED"
