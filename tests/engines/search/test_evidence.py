"""What is found stands in certificates that the kernel accepts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.groups import Group, parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.elaborate.program import forms_of_program
from eqvproof.engines.search import (
    CalledSubject,
    Limits,
    ProgramSubject,
    find_counterexample,
    find_difference,
)
from eqvproof.engines.search.evidence import evidence
from eqvproof.engines.verdict import recheck, seal
from eqvproof.numbers import Real
from eqvproof.tracing.numpy.trace import trace_all_sizes


def softmax(x: Any) -> Any:
    e = np.exp(x)
    return e / e.sum(axis=0, keepdims=True)


WRONG: dict[str, tuple[Any, str, str]] = {
    "rational": (lambda x: np.maximum(x, 0), "x: d -> d", "O(d)"),
    "rational turn": (lambda x: np.abs(x).sum(), "x: d -> ()", "O(d)"),
    "ball": (np.tanh, "x: d -> d", "O(d)"),
    "ball of a matrix": (lambda X: X * softmax(X), "X: d n -> d n", "O(d) x S(n)"),
    "undefined on one side": (np.log, "x: d -> d", "O(d)"),
    "undefined against a ball": (lambda x: np.exp(np.sqrt(x) + 1), "x: d -> d", "Signs(d)"),
    "second factor": (lambda X: X[:, ::-1], "X: d n -> d n", "O(d) x S(n)"),
    "even permutation": (lambda x: x[0] * 1, "x: n -> ()", "A(n)"),
    "shift": (lambda x: np.sort(x), "x: n -> n", "C(n)"),
    "blocks": (lambda X, Y: np.concatenate([Y, X], 1), "X: d n, Y: d k -> d n+k", "S(n)"),
    "literal axis": (np.cross, "a: 3, b: 3 -> 3", "O(3)"),
    "output axis": (lambda X: np.concatenate([X, X[::-1]]), "X: d n -> m n", "O(d) x S(n)"),
    "tiny": (lambda x: x + np.exp(np.abs(x)) * 1e-30, "x: d -> d", "O(d)"),
}  # fmt: skip
WRONG["output axis"] = (lambda X: np.concatenate([X, X[:1]]) * np.arange(X.shape[1]), "X: d n -> m n", "S(n)")


def claim(signature: Any, group: Group, sizes: Any) -> dict[str, Any]:
    return {
        "kind": "equivariance",
        **signature.to_json(),
        "group": group.to_json(),
        "scope": dict(sizes),
    }


@pytest.mark.parametrize("name", WRONG)
def test_the_kernel_accepts_counterexamples_of_programs(name: str) -> None:
    function, text, under = WRONG[name]
    signature = parse_signature(text)
    group = parse_group(under, signature)
    program = trace_all_sizes(function, signature, dict(group.pins)).program
    subject = ProgramSubject(program)
    found = find_counterexample(subject, signature, group, Limits(sizes=group.pins)).found
    assert found is not None and found.grade in ("EXACT", "ENCLOSED")
    assert not found.is_recorded
    proof = evidence(found, signature, group)
    certificate = seal(
        "counterexample",
        claim=claim(signature, group, found.sizes),
        forms=forms_of_program(program, found.sizes),
        evidence=proof,
    )
    assert recheck(certificate) == ""


@pytest.mark.parametrize("name", WRONG)
def test_the_kernel_accepts_counterexamples_of_functions_that_are_called(name: str) -> None:
    """They rest on the Program at the sizes of the counterexample."""
    function, text, under = WRONG[name]
    signature = parse_signature(text)
    group = parse_group(under, signature)
    subject = CalledSubject(AtSizes(function, signature))
    found = find_counterexample(subject, signature, group, Limits(sizes=group.pins)).found
    assert found is not None and found.grade in ("EXACT", "ENCLOSED")
    assert not found.is_recorded
    program = subject.program_at(found.sizes)
    assert program is not None
    certificate = seal(
        "counterexample",
        claim=claim(signature, group, found.sizes),
        forms=forms_of_program(program, found.sizes),
        evidence=evidence(found, signature, group),
    )
    assert recheck(certificate) == ""


@pytest.mark.parametrize(
    ("f", "g", "grade"),
    [
        (lambda x: x * x.sum(), lambda x: x, "EXACT"),
        (np.sin, np.tanh, "ENCLOSED"),
        (np.sqrt, lambda x: np.sqrt(np.abs(x)), "EXACT"),
    ],
)
def test_the_kernel_accepts_differences(f: Any, g: Any, grade: str) -> None:
    signature = parse_signature("x: n -> n")
    programs = [trace_all_sizes(h, signature, {}).program for h in (f, g)]
    first, second = map(ProgramSubject, programs)
    found = find_difference(first, second, signature).found
    assert found is not None and found.grade == grade and found.sizes == {"n": 1}
    certificate = seal(
        "difference",
        claim={"kind": "identity", **signature.to_json(), "scope": dict(found.sizes)},
        forms=forms_of_program(programs[0], found.sizes),
        other=forms_of_program(programs[1], found.sizes),
        evidence=evidence(found, signature),
    )
    assert recheck(certificate) == ""


@pytest.mark.parametrize("change", [("left", "right"), ("inputs",), ("element",)])
def test_the_kernel_rejects_altered_evidence(change: tuple[str, ...]) -> None:
    """Positive control: the acceptance above can fail."""
    function, text, under = WRONG["rational"]
    signature = parse_signature(text)
    group = parse_group(under, signature)
    program = trace_all_sizes(function, signature, {}).program
    found = find_counterexample(ProgramSubject(program), signature, group).found
    assert found is not None
    proof = evidence(found, signature, group)
    if change == ("inputs",):
        proof["inputs"]["x"]["values"] = ["-1"]
    elif change == ("element",):
        proof["element"][0]["matrix"] = [["1"]]
    else:
        proof["left"] = proof["right"]
    certificate = seal(
        "counterexample",
        claim=claim(signature, group, found.sizes),
        forms=forms_of_program(program, found.sizes),
        evidence=proof,
    )
    assert recheck(certificate) != ""


def test_intervals_contain_the_ball_and_are_apart() -> None:
    signature = parse_signature("x: d -> d")
    group = parse_group("O(d)", signature)
    found = find_counterexample(
        ProgramSubject(trace_all_sizes(np.tanh, signature, {}).program), signature, group
    ).found
    assert found is not None and found.arithmetic == "ball"
    proof = evidence(found, signature, group)
    ends = []
    for side in ("left", "right"):
        value = getattr(found, side)[found.entry]
        assert isinstance(value, Real)
        low, high = Fraction(proof[side]["lo"]), Fraction(proof[side]["hi"])
        assert low < value.bounds()[0] <= value.bounds()[1] < high
        assert len(proof[side]["lo"]) < 30
        ends.append((low, high))
    assert ends[0][1] < ends[1][0] or ends[1][1] < ends[0][0]
