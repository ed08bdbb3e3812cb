"""Proofs as a whole: which lines they need, whose they are, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from eqvproof.kernel import claims, report
from eqvproof.kernel.claims import Factor
from eqvproof.kernel.report import Rejected
from tests.kernel import corpus
from tests.kernel.corpus import JSON, Graph, claim, edited, factor, fix, move, reseal, seal, std
from tests.kernel.encoding import check_certificate, encoded
from tests.kernel.packed import packed

PROOF = ["evidence", "factors", 0]
ALONE = "is a function of its arguments alone, real wherever they are"


def test_each_factor_has_its_proof() -> None:
    data = encoded(corpus.gram())
    proofs = data["evidence"]["factors"]
    for other in ([], proofs[:1], proofs[::-1], [*proofs, proofs[0]], [proofs[0], proofs[0]]):
        assert not check_certificate(edited(data, (["evidence", "factors"], other))).accepted


def parts(signature: str, under: str) -> list[Factor]:
    """The factors whose proofs make that of a claim."""
    report.allow_work(10**6)
    return claims.group_parts(claims.claim(claim(signature, under), "equivariance"))


def test_motions_are_translations_and_turns() -> None:
    translations, turns = Factor("T", "d"), Factor("O", "d")
    assert parts("x: n d -> n d", "E(d)") == [translations, turns]
    assert parts("x: n d -> n d", "SE(d) x S(n)") == [translations, Factor("SO", "d"), Factor("S", "n")]
    assert parts("x: d -> d", "B(d)") == [Factor("S", "d"), Factor("Signs", "d")]
    assert parts("x: d d -> d d", "B(d)") and parts("x: d d -> d d", "O(d)") == [turns]
    assert parts("x: d, M: d^ d^ -> d^ d^", "E(d)") == [translations, turns]
    assert parts("x: d+1 k -> d+1", "E(d)") == [translations, turns]
    for signature in (
        "x: d d -> d", "x: d -> d d", "x: d d^ -> d", "x: d, M: d^ d -> ()", "x: d d+1 -> d", "x: 1+d d -> d",
        "x: d -> d+1 d^",
    ):  # fmt: skip
        with pytest.raises(Rejected, match="points along one axis"):
            parts(signature, "E(d)")


def generated(axis: Any, size: Any) -> JSON:
    """x itself under the group of a swap of two entries, on an axis of that size."""
    g = Graph(x=[size])
    g.node("input", [], [size], [std(size)], name="x")
    g.types[0] = [[std(size)]]
    what = claim(f"x: {axis} -> {axis}", f"GenS({axis})", {"n": size} if axis == "n" else None)
    what["group"] = [{**what["group"][0], "generators": [[1, 0]]}]
    data = g.proof(what)
    del data["evidence"]["factors"][0]["generators"]
    return reseal(data)


def test_generators_have_the_size_of_the_axis() -> None:
    assert check_certificate(generated(2, 2)).accepted and check_certificate(generated("n", 2)).accepted
    turned = generated(2, 2)
    for group in (turned["claim"]["group"], turned["evidence"]["factors"]):
        group[0]["family"] = "GenO"
    for matrix, good in (([["0", "1"], ["1", "0"]], True), ([["2", "0"], ["0", "1"]], False)):
        turned["claim"]["group"][0]["generators"] = [matrix]
        assert check_certificate(reseal(turned)).accepted == good
    for axis, size in ((3, 3), ("n", 3)):
        assert "generators of another size" in check_certificate(generated(axis, size)).reason


def test_what_is_said_of_a_proof() -> None:
    found = check_certificate(corpus.gram())
    digest = encoded(corpus.gram())
    assert found.statement.startswith(
        "for all d >= 1, all n >= 1: f(g x) = g f(x) for all real x and all g in O(d) x S(n), where f is the"
    )
    assert digest and found.statement.endswith(
        ", X: d n -> d n; where one side is undefined, so is the other"
    )
    assert found.rests_on == ("the rules for Contract, Input",)


def test_what_is_said_of_parameters_and_assumptions() -> None:
    found = check_certificate(packed())
    assert found.statement.endswith("; whatever real numbers its parameters hold (arrays of them: 1)")
    assert check_certificate(corpus.assumed()).rests_on == (
        "the rules for Add, Input, Scalar, Whole",
        f"g {ALONE}; assumed, not proved: its symmetry under S(b) x O(a), as _: a b, _: () -> a b",
    )
    assert check_certificate(corpus.unknown()).rests_on == (
        "the rules for Contract, Input, Whole", f"s {ALONE}",
    )
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], [[std("n")]], name="x")
    y = g.node("opaque", [x], ["n"], [[std("n")]], name="h", symmetry="entries")
    g.node("opaque", [y], ["n"], [[std("n")]], name="h", symmetry="entries")
    assert check_certificate(g.proof(claim("x: n -> n", "S(n)"))).rests_on == (
        "the rules for Input, Map", "h is a function of the entries of its arguments at each place alone",
    )


@pytest.mark.parametrize("good", [True, False])
def test_indices_of_a_label_are_not_the_result(good: bool) -> None:
    """Positions in n, as they are, are no result: by S(n) they are other numbers."""
    under, act = ("S(m)", std("m")) if good else ("S(n)", fix("m"))
    g = Graph(E=["m"], x=["m"])
    g.node("input", [], ["m"], [[act]], name="x" if good else "E")
    data = g.proof(claim("E[n]: m, x: m -> m", under))
    assert check_certificate(data).accepted == good


def test_lines_are_checked_whatever_came_before() -> None:
    """Two inputs of one shape: what holds of one is said of the other."""
    g = Graph(x=["n"], y=["n"])
    x = g.node("input", [], ["n"], [[std("n")]], name="x")
    y = g.node("input", [], ["n"], [[fix("n")]], name="y")
    s = g.node("einsum", [y], [], [[]], inputs=[[0]], output=[])
    g.node("einsum", [x, s], ["n"], [[std("n")]], inputs=[[0], []], output=[0])
    data = encoded(g.proof(claim("x: n, y: n! -> n", "S(n)")))
    assert check_certificate(data).accepted
    lines = data["evidence"]["factors"][0]["lines"]
    for line, other in ((0, 1), (1, 0)):
        changed = edited(data, ([*PROOF, "lines", line], lines[other]))
        assert f"line {line}, a Input" in check_certificate(changed).reason


@pytest.mark.parametrize(("output", "good"), [("n d", True), ("n d^", False), ("n d!", False),
    ("n! d", True), ("d n", False)])
def test_the_type_of_the_output_is_that_of_the_claim(output: str, good: bool) -> None:
    g = Graph(x=["n", "d"])
    g.node("input", [], ["n", "d"], [move(1)], name="x")
    assert check_certificate(g.proof(claim(f"x: n d -> {output}", "T(d)"))).accepted == good


def test_a_product_of_groups_is_each_of_them() -> None:
    """Translations last, whatever the order is in which the claim names them."""
    for under, types in (("T(d) x S(n)", [move(1), [std("n"), fix("d")]]),
        ("S(n) x T(d)", [[std("n"), fix("d")], move(1)])):
        g = Graph(x=["n", "d"])
        g.node("input", [], ["n", "d"], types, name="x")
        data = g.proof(claim("x: n d -> n d", under))
        assert check_certificate(data).accepted
        assert not check_certificate(edited(data, (["claim", "group"],
            [factor("S(n)"), factor("C(n)")]))).accepted


def test_sealed_parts_are_exactly_these() -> None:
    data = encoded(corpus.gram())
    for key in ("claim", "forms", "evidence"):
        assert not check_certificate(reseal({k: v for k, v in data.items() if k != key})).accepted
    assert not check_certificate(reseal({**data, "more": 1})).accepted
    assert not check_certificate(seal("proof", claim=data["claim"], forms=data["forms"],
        evidence={})).accepted


