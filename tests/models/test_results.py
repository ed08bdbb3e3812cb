"""Functions of several results: one verdict, each result judged, the counterexample names the result."""

from __future__ import annotations

import copy
import dataclasses
import json
import time
from collections import namedtuple
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_form, parse_signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.guarded_call import refute_each
from eqvproof.engines.several_results import join
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.interface.cli.program_difference import program_difference
from eqvproof.interface.testing import assert_equivariant, assert_invariant
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import EqvproofError, SignatureError
from tests.judged import assert_proved, assert_refuted

EGNN = "h: n c, x: n d -> n c, n d"
Pair = namedtuple("Pair", "h pos")


@dataclasses.dataclass(frozen=True)
class Out:
    h: Any
    pos: Any


def egnn(h: Any, x: Any) -> Any:
    """A layer of an EGNN: features and points."""
    apart = x[:, None] - x[None]
    squares = (apart * apart).sum(-1)
    messages = np.tanh(h[:, None] + h[None]) * squares[:, :, None]
    return h + messages.sum(1), x + (apart * messages.sum(-1)[:, :, None]).sum(1)


def product_for_sum(h: Any, x: Any) -> Any:
    """The same with one character wrong in what it returns as points."""
    apart = x[:, None] - x[None]
    squares = (apart * apart).sum(-1)
    messages = np.tanh(h[:, None] + h[None]) * squares[:, :, None]
    return h + messages.sum(1), x * (apart * messages.sum(-1)[:, :, None]).sum(1)


def test_every_result_is_proved_in_one_certificate() -> None:
    verdict = assert_proved(egnn, EGNN, "E(d) x S(n)")
    assert list(verdict.results) == ["result 0", "result 1"]
    assert all(v.grade == "PROVED" for v in verdict.results.values())
    assert verdict.sizes == ({"n": "all", "c": "all", "d": "all"},)
    assert verdict.signature == EGNN
    assert (verdict.certificate or {})["kind"] == "results"


def test_a_wrong_result_fails_and_is_named() -> None:
    verdict = assert_refuted(product_for_sum, EGNN, "E(d) x S(n)", grades=("EXACT",))
    assert verdict.counterexample is not None
    assert verdict.counterexample.result == "result 1"
    assert "in result 1" in str(verdict)
    assert verdict.results["result 0"].grade == "PROVED"
    assert verdict.to_json()["counterexample"]["result"] == "result 1"


@pytest.mark.parametrize("wrap", [lambda h, x: {"h": h, "pos": x}, Pair, Out])
def test_results_by_key_field_or_attribute(wrap: Any) -> None:
    def right(h: Any, x: Any) -> Any:
        return wrap(*egnn(h, x))

    def wrong(h: Any, x: Any) -> Any:
        return wrap(*product_for_sum(h, x))

    named = "h: n c, x: n d -> pos: n d, h: n c"
    assert list(assert_proved(right, named, "E(d) x S(n)").results) == ["pos", "h"]
    found = assert_refuted(wrong, named, "E(d) x S(n)", grades=("EXACT",)).counterexample
    assert found is not None and found.result == "pos"
    assert_proved(wrong, "h: n c, x: n d -> h: n c", "E(d) x S(n)")
    assert_proved(wrong, "h: n c, x: n d -> h: n c, pos: _", "E(d) x S(n)")


def test_a_result_is_left_out_and_nested_ones_count_in_order() -> None:
    def f(x: Any) -> Any:
        return x * 2, (x.sum(0), [x[0]])

    assert_proved(f, "x: n d -> n d, d, _", "S(n)")
    assert_refuted(f, "x: n d -> n d, d, d", "S(n)", grades=("EXACT",))


@pytest.mark.parametrize("signature", ["x: n -> n, n", "x: n -> n, n, n, n", "x: n -> a: n"])
def test_results_that_are_not_there(signature: str) -> None:
    with pytest.raises(EqvproofError):
        ep.check(lambda x: (x, x, x), signature, "S(n)")


def _verdict(grade: str, *sizes: Any, outcome: str = "HOLDS") -> Verdict:
    return Verdict(Outcome(outcome), Grade(grade), f"at {sizes}", sizes=sizes, reason=f"why {grade}")


@pytest.mark.parametrize(
    ("parts", "grade", "sizes"),
    [
        ([("PROVED", {"n": "all"}), ("DECIDED", {"n": 1}, {"n": 2})], "DECIDED", ({"n": 1}, {"n": 2})),
        ([("DECIDED", {"n": 1}, {"n": 2}), ("BOUNDED", {"n": 2, "m": 3})], "BOUNDED", ({"n": 2, "m": 3},)),
        ([("PROVED", {"n": [2, 9]}), ("PROVED", {"n": [1, 5]})], "PROVED", ({"n": [2, 5]},)),
        ([("DECIDED", {"n": 1}), ("DECIDED", {"n": 2})], "", ()),
    ],
)  # fmt: skip
def test_weakest_grade_and_common_sizes(parts: Any, grade: str, sizes: Any) -> None:
    found = join(parse_form("x: n -> n, m"), [_verdict(*part) for part in parts])
    assert found.grade == grade
    assert found.sizes == sizes
    assert found.holds == bool(grade)


def test_constants_that_any_result_reads_are_named() -> None:
    parts = [_verdict("PROVED", {"n": "all"}), replace(_verdict("PROVED", {"n": "all"}), readings=("w3j",))]
    found = join(parse_form("x: n -> n, m"), parts)
    assert found.readings == ("w3j",) and "(w3j)" in str(found).partition("\n")[0]


def test_one_undecided_result_leaves_all_undecided_and_one_that_fails_decides() -> None:
    form = parse_form("x: n -> n, m")
    proved, open_ = _verdict("PROVED", {"n": "all"}), _verdict("", outcome="UNDECIDED")
    assert join(form, [proved, open_]).outcome == "UNDECIDED"
    fails = [_verdict("OBSERVED", {"n": 1}, outcome="FAILS"), _verdict("EXACT", {"n": 2}, outcome="FAILS")]
    found = join(form, fails)
    assert found.fails and found.grade == "EXACT" and found.sizes == ({"n": 2},)
    assert join(form, [open_, fails[0]]).fails


@pytest.mark.parametrize(("grade", "looks"), [("EXACT", 2), ("ENCLOSED", 2), ("OBSERVED", 4), ("", 4)])
def test_a_refutation_looks_at_each_result_before_one_gets_the_time(grade: str, looks: int) -> None:
    middle = time.monotonic() + 50
    typing = parse_signature("x: n -> n")
    claim = Claim(abs, typing, parse_group("S(n)", typing), "S(n)", deadline=middle + 50)
    asked = []

    def judged(one: Claim) -> Verdict:
        asked.append((one.seed, one.deadline < middle))
        return _verdict(grade, {"n": 1}, outcome="FAILS" if one.seed and grade else "UNDECIDED")

    found = refute_each(judged, [claim, replace(claim, seed=1)])
    assert asked == [(0, True), (1, True), (0, False), (1, False)][:looks]
    assert found[1].fails == bool(grade) and not found[0].fails


def test_the_other_engines_take_several_results() -> None:
    assert ep.prove(egnn, EGNN, "E(d)").grade == "PROVED"
    assert ep.refute(product_for_sum, EGNN, "E(d)", budget=20).fails
    decided = ep.decide(lambda x: (x, x * 2), "x: n -> n, n", "S(n)", sizes={"n": 2})
    assert decided.grade == "DECIDED" and decided.sizes == ({"n": 2},)
    assert ep.identical(egnn, egnn, EGNN).grade == "PROVED"
    different = ep.identical(egnn, product_for_sum, EGNN)
    assert different.counterexample is not None and different.counterexample.result == "result 1"
    assert ep.verify(different.certificate).accepted
    floats = ep.check(lambda x: (x, x[::-1]), "x: n -> n, n", "S(n)", about="floats")
    assert floats.fails and "result 1" in str(floats)


def test_symmetries_of_all_results_together() -> None:
    found = {v.under: v for v in ep.symmetries(lambda x: (x, x.sum(0)), "x: n d -> n d, d", budget=8)}
    assert found["S(n)"].grade == found["O(d)"].grade == "PROVED"
    assert found["T(d)"].fails and found["T(d)"].results["result 0"].holds


def test_assertions_and_claims() -> None:
    verdict = assert_equivariant(egnn, EGNN, "E(d) x S(n)", at_least="PROVED")
    assert ep.verify(verdict.certificate).accepted
    with pytest.raises(AssertionError, match="in result 1"):
        assert_equivariant(product_for_sum, EGNN, "E(d)")
    assert_invariant(lambda x: (x.sum(0), (x * x).sum()), "x: n d -> d, ()", "S(n)", at_least="PROVED")
    claimed = ep.claim(EGNN, under="E(d)")(egnn)
    assert claimed is egnn


def test_what_takes_one_result_says_so() -> None:
    with pytest.raises(SignatureError, match="several or named results"):
        ep.reynolds(egnn, EGNN, "S(n)")
    with pytest.raises(SignatureError, match="several or named results"):
        ep.factor_through_gram(lambda x: (x, x), "X: d n -> d n, d n")


def _changed(certificate: Any, change: Any) -> Any:
    data = copy.deepcopy(certificate)
    change(data)
    for entry in data["results"]:
        entry["certificate"] = _resealed(entry["certificate"])
    return _resealed(data)


def _resealed(data: Any) -> Any:
    return seal(**{k: v for k, v in data.items() if k not in ("format", "version", "digest")})


def test_the_kernel_refuses_results_that_do_not_belong_together() -> None:
    proof = ep.prove(egnn, EGNN, "E(d) x S(n)").certificate
    other = ep.prove(egnn, EGNN, "S(n)").certificate
    failure = ep.refute(product_for_sum, EGNN, "E(d)", budget=20).certificate
    assert proof and other and failure

    def put(certificate: Any) -> Any:
        return lambda data: data["results"][1].update(certificate=certificate)

    assert ep.verify(_changed(proof, lambda data: None)).accepted
    changes = [
        put(other["results"][1]["certificate"]),  # another group
        put(failure),  # no claim that holds
        put(proof),  # results within results
        lambda data: data["results"][1].update(name="result 0"),
        lambda data: data["results"].pop(),
        lambda data: data["results"][1]["certificate"]["claim"].update(output=[[[1, "d", ""]]]),
        lambda data: data["results"][0]["certificate"]["evidence"]["factors"].pop(),
    ]
    for change in changes:
        assert not ep.verify(_changed(proof, change)).accepted


def test_named_results_of_a_tuple_are_its_entries_in_order() -> None:
    claims = ("f: n c, pos: n d", "_, pos: n d", "f: n c, pos: _")
    for results in claims:
        verdict = assert_proved(egnn, f"h: n c, x: n d -> {results}", "E(d) x S(n)")
        names = [part.partition(":")[0] for part in results.split(", ") if "_" not in part]
        assert list(verdict.results or {names[0]: verdict}) == names
    swapped = assert_refuted(egnn, "h: n 2, x: n 2 -> pos: n 2!, f: n 2", "E(2) x S(n)")
    assert swapped.counterexample is not None
    with pytest.raises(EqvproofError, match="the function returns 2 results, the signature has 3"):
        ep.check(egnn, "h: n c, x: n d -> f: n c, pos: n d, more: n", "S(n)")


def test_a_certificate_of_named_results_of_a_tuple_is_compared_with_the_function() -> None:
    verdict = assert_proved(egnn, "h: n c, x: n d -> f: n c, pos: n d", "E(d) x S(n)")
    data = json.dumps(verdict.certificate).encode()
    assert program_difference(data, f"{__name__}:egnn") == ""
    assert program_difference(data, f"{__name__}:product_for_sum") != ""
