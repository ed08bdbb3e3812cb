"""A proof that could not be sealed or confirmed is not refuted by what rounded constants explain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines import judge
from eqvproof.engines.definedness import Definedness
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.verdict import Grade, Outcome, Verdict


def observed(difference: float | None) -> Verdict:
    """A refutation by floats whose sides differ at one entry by a part of it, or are one-sided."""
    found = ep.check(lambda x: x + np.arange(2), "x: 2 -> 2", "O(2)")
    assert found.counterexample is not None
    left = np.array([1.0, 2.0], dtype=object)
    right = left.copy()
    right[0] = None if difference is None else 1.0 + difference
    shown = replace(found.counterexample, left=left, right=right, entry=(0,))
    return replace(found, grade=Grade.OBSERVED, counterexample=shown, certificate=None)


@pytest.mark.parametrize(
    ("difference", "outcome"),
    [(1e-14, Outcome.UNDECIDED), (1e-3, Outcome.FAILS), (None, Outcome.FAILS)],
)
@pytest.mark.parametrize("unsealed", [True, False])
def test_rounding_refutes_nothing_that_has_a_proof(
    difference: float | None, outcome: Outcome, unsealed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaker = observed(difference)

    def without_certificate(claim: Any, *_: Any) -> Verdict:
        return judge.conclude.undecided(
            claim, Reason(Why.INTERNAL, "the kernel does not accept it")
        )

    if unsealed:
        monkeypatch.setattr(judge, "_outside_scope", without_certificate)
        monkeypatch.setattr(judge, "_without_proof", lambda *_: weaker)
    else:
        nowhere = Definedness(shown=False, why=Reason(Why.DEFINED_NOWHERE, "no point was found"))
        monkeypatch.setattr(judge, "defined_somewhere", lambda *_: nowhere)
        monkeypatch.setattr(judge, "_defined_nowhere", lambda *_: weaker)
    verdict = ep.check(lambda x: x / 3, "x: 2 -> 2", "O(2)")
    assert verdict.outcome is outcome, verdict
    assert outcome is Outcome.FAILS or verdict.reason
