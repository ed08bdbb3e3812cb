"""Ties and coinciding eigenvalues: what is proved off them, what fails on them, and how a verdict says so."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_form, parse_signature
from eqvproof.engines.search.exceptional_tests import watched
from eqvproof.engines.several_results import join
from eqvproof.engines.verdict import Verdict
from eqvproof.engines.verdict.scope import ExceptionalSet, PointKind, exceptional_set
from eqvproof.interface.testing import assert_equivariant
from eqvproof.programs.sealing import seal
from eqvproof.support.code_line import NO_LINE, CodeLine
from eqvproof.tracing.numpy.trace import trace_all_sizes

Claim = tuple[Callable[..., Any], str, str]


def picked(s: Any, V: Any) -> Any:
    return V[np.argmax(s)]


def picked_least(s: Any, V: Any) -> Any:
    return V[np.argmin(s, axis=1)]


def ranked(s: Any, V: Any) -> Any:
    return V[np.argsort(s, kind="stable")]


def last_two(s: Any, V: Any) -> Any:
    return V[np.argsort(s)[-2:]].sum(0)


def hard_attention(Q: Any, K: Any, V: Any) -> Any:
    return V[np.argmax(Q @ K.T, axis=1)]


def farthest(X: Any) -> Any:
    return X[np.argmax(((X - X.mean(0)) ** 2).sum(1))]


def group_means(X: Any, C: Any) -> Any:
    D = ((X[:, None] - C[None]) ** 2).sum(-1)
    M = np.eye(C.shape[0])[D.argmin(1)]
    counts = M.sum(0)[:, None]
    return np.where(counts > 0, (M.T @ X) / np.maximum(counts, 1), C)


def places(x: Any) -> Any:
    order = np.argsort(x, kind="stable")
    found = np.empty(x.shape[0])
    found[order] = np.arange(x.shape[0])
    return found


def turned(x: Any) -> Any:
    return np.roll(x, -np.argmax(x))


def turned_by_index(x: Any) -> Any:
    first = np.argmax(x)
    return x[(np.arange(x.shape[0]) + first) % x.shape[0]]


def by_norm(X: Any) -> Any:
    return X[np.argsort((X**2).sum(1), kind="stable")]


#: Equivariant wherever nothing ties, and not where something does: with the text of what is compared, and the
#: end of the words.
GREATEST, LEAST = " for the greatest", " for the least"
ONLY_AT_TIES: dict[str, tuple[Callable[..., Any], str, str, str, str]] = {
    "argmax of scores": (picked, "s: n, V: n d -> d", "S(n)", "s", GREATEST),
    "argmin, row by row": (picked_least, "s: m n, V: n d -> m d", "S(n)", "s", LEAST),
    "stable sort": (ranked, "s: n, V: n d -> m d!", "S(n)", "s", ""),
    "unstable sort, part": (last_two, "s: n, V: n d -> d", "S(n)", "s", ""),
    "hard attention": (hard_attention, "Q: m d, K: n d, V: n c -> m c", "S(n) x O(d)", "Q @ K.T", GREATEST),
    "farthest from the centre": (
        farthest, "X: n d -> d", "E(d) x S(n)", "((X - X.mean(0)) ** 2).sum(1)", GREATEST
    ),
    "sorted by norm": (by_norm, "X: n d -> m d", "S(n)", "(X ** 2).sum(1)", ""),
    "means of groups": (group_means, "X: n d, C: k d -> k d", "E(d) x S(n) x S(k)", "D", LEAST),
    "places in an order": (places, "x: n -> n", "S(n)", "x", ""),
    "turned to the greatest": (turned, "x: n -> n!", "C(n)", "x", GREATEST),
    "turned by an index": (turned_by_index, "x: n -> n!", "C(n)", "x", GREATEST),
}  # fmt: skip


def accepted(verdict: Verdict) -> str:
    """The kernel's statement of a certificate, which it accepts."""
    report = ep.verify(verdict.certificate)
    assert report.accepted, report.reason
    return report.statement


@pytest.mark.parametrize("name", ONLY_AT_TIES)
def test_both_answers_stand_in_one_verdict(name: str) -> None:
    f, signature, under, text, end = ONLY_AT_TIES[name]
    verdict = ep.check(f, signature, under, budget=60)
    assert verdict.fails and verdict.counterexample is not None, verdict
    kind = {GREATEST: "greatest ties", LEAST: "least ties", "": "ties"}[end]
    assert {(p.kind, p.of, p.has_interior) for p in verdict.points} == {(kind, text, False)}
    first = str(verdict).splitlines()[0]
    assert f"only where two entries of {text} tie{end} (test_exceptional_points.py:" in first
    assert "elsewhere HOLDS, PROVED" in first
    off = verdict.elsewhere
    assert off is not None and off.grade == "PROVED" and not off.is_unrestricted
    assert f"wherever no two entries of {text} tie{end} (test" in off.scope
    assert off.points[0].words_off in accepted(off).replace('"', '')
    if verdict.certificate is not None:
        accepted(verdict)


def test_votes_tie_on_open_sets_and_the_words_say_so() -> None:
    def majority(Z: Any) -> Any:
        counts = np.eye(Z.shape[1])[np.argmax(Z, axis=1)].mean(axis=0)
        return np.eye(Z.shape[1])[np.argmax(counts)]

    verdict = ep.check(majority, "Z: n k -> k", "S(n) x S(k)", budget=60)
    off = verdict.elsewhere
    assert verdict.fails and off is not None and off.grade == "PROVED", verdict
    assert {p.of: p.has_interior for p in off.points} == {"Z": False, "counts": True}
    assert "they do on open sets of points" in off.scope and "they do on open sets" in accepted(off)
    again = Verdict.from_json(json.loads(json.dumps(verdict.to_json())))
    assert again.elsewhere is not None and again.elsewhere.points == off.points


def test_ties_of_other_entries_than_the_greatest_do_not_matter() -> None:
    """Distances to chosen points are 0 twice."""

    def farthest_three(X: Any) -> Any:
        gap, chosen = ((X - X.mean(0)) ** 2).sum(1), []
        for _ in range(3):
            chosen.append(X[np.argmax(gap)])
            gap = np.minimum(gap, ((X - chosen[-1]) ** 2).sum(1))
        return np.stack(chosen)

    verdict = ep.check(farthest_three, "X: n d -> m d", "E(d) x S(n)", budget=60, generic=True)
    assert verdict.grade == "PROVED" and verdict.scope.count("tie for the greatest") == 1, verdict
    accepted(verdict)


@pytest.mark.parametrize("name", ONLY_AT_TIES)
def test_generic_asks_about_all_other_points(name: str) -> None:
    f, signature, under, text, end = ONLY_AT_TIES[name]
    verdict = ep.check(f, signature, under, budget=60, generic=True, sizes={"n": (2, None)})
    assert verdict.grade == "PROVED" and verdict.is_unrestricted, verdict
    assert f"wherever no two entries of {text} tie{end} (test" in verdict.scope
    assert verdict.scope.points == verdict.points and verdict.scope.sizes == verdict.sizes
    accepted(verdict)
    assert_equivariant(f, signature, under, at_least="PROVED", generic=True, sizes={"n": (2, None)})


def test_the_outcome_does_not_hang_on_the_seed(some: Any) -> None:
    seeds = some(range(10), 2)
    for name in ("argmax of scores", "unstable sort, part"):
        f, signature, under, *_ = ONLY_AT_TIES[name]
        verdicts = [ep.check(f, signature, under, seed=seed) for seed in seeds]
        assert {(v.outcome, v.grade) for v in verdicts} == {("FAILS", verdicts[0].grade)}
        assert [v.elsewhere.grade for v in verdicts if v.elsewhere is not None] == ["PROVED"] * len(seeds)


#: True everywhere, ties included.
EVERYWHERE: dict[str, Claim] = {
    "sorted": (lambda x: np.sort(x), "x: n -> m", "S(n)"),
    "greatest": (lambda X: X.max(0), "X: n d -> d", "S(n)"),
    "values gathered in order": (lambda x: x[np.argsort(x)], "x: n -> m", "S(n)"),
    "median": (lambda x: np.median(x), "x: n -> ()", "S(n)"),
    "stable sort, group elsewhere": (ranked, "s: n, V: n d -> n d", "O(d)"),
    "argmax, group elsewhere": (picked, "s: n, V: n d -> d", "O(d)"),
}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_what_holds_at_ties_too_leaves_nothing_out(name: str) -> None:
    f, signature, under = EVERYWHERE[name]
    verdict = ep.check(f, signature, under)
    assert verdict.grade == "PROVED" and verdict.is_unrestricted and not verdict.points, verdict
    assert "wherever" not in verdict.scope
    assert_equivariant(f, signature, under, at_least="PROVED")


#: Wrong off ties as well.
WRONG: dict[str, Claim] = {
    "the position itself": (lambda s: 1.0 * np.argmax(s), "s: n -> ()", "S(n)"),
    "ranks as features": (lambda s: np.argsort(s) + 0.0, "s: n -> n", "S(n)"),
    "the neighbour in memory": (lambda s, V: V[np.argmax(s) - 1], "s: n, V: n d -> d", "S(n)"),
    "turned the other way": (lambda x: np.roll(x, np.argmax(x)), "x: n -> n!", "C(n)"),
    "turned, all permutations": (turned, "x: n -> n!", "S(n)"),
    "means of groups, none empty": (
        lambda X, C: (M := np.eye(C.shape[0])[((X[:, None] - C) ** 2).sum(-1).argmin(1)]).T
        @ X / np.maximum(M.sum(0)[:, None], 1),
        "X: n d, C: k d -> k d",
        "E(d) x S(n) x S(k)",
    ),
    "argmax of a coordinate": (lambda X: X[np.argmax(X[:, 0])], "X: n d -> d", "S(n) x O(d)"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("generic", [False, True])
def test_what_fails_off_ties_fails_without_more(name: str, generic: bool) -> None:
    f, signature, under = WRONG[name]
    verdict = ep.check(f, signature, under, generic=generic)
    assert verdict.fails and verdict.elsewhere is None, verdict
    assert "only where" not in str(verdict).splitlines()[0]


def test_an_assertion_passes_where_the_scope_is_what_was_asked() -> None:
    f, signature, under, *_ = ONLY_AT_TIES["argmax of scores"]
    with pytest.raises(AssertionError, match="generic=True"):
        assert_equivariant(f, signature, under, at_least="TESTED")

    def from_four(x: Any) -> Any:
        return np.where(x.shape[0] > 3, x, np.flip(x))  # the sizes below are wrong

    with pytest.raises(AssertionError):
        assert_equivariant(from_four, "x: n -> n", "S(n)", at_least="PROVED")
    verdict = assert_equivariant(from_four, "x: n -> n", "S(n)", at_least="PROVED", sizes={"n": (4, None)})
    assert verdict.scope == "for all n >= 4" and verdict.is_unrestricted


def proof() -> dict[str, Any]:
    """The certificate of a proof that leaves ties out, and eigenvalues that coincide."""

    def f(X: Any, s: Any) -> Any:
        return np.abs(np.linalg.eigh(X.T @ X)[1]) * X[np.argmax(s)] ** 2

    verdict = ep.check(f, "X: n d, s: n -> d d", "S(n)", generic=True)
    assert verdict.grade == "PROVED" and len(verdict.points) == 2, verdict
    return json.loads(json.dumps(verdict.certificate))


def resealed(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate with its digest made anew."""
    rest = {k: v for k, v in certificate.items() if k not in ("format", "version", "kind", "digest")}
    return seal(certificate["kind"], **rest)


def test_points_of_a_certificate_cannot_be_left_out() -> None:
    good = proof()
    assert ep.verify(resealed(good)).accepted
    points = good["claim"]["points"]
    ties = next(k for k, p in enumerate(points) if p["kind"] == "greatest ties")
    other = 1 - ties
    altered: list[Any] = [
        [],
        points[:1],
        points[1:],
        [*points, points[0]],
        [{**p, "mark": "at_a_tie.7"} if k == ties else p for k, p in enumerate(points)],
        [{**p, "mark": p["mark"] + 1} if k == other else p for k, p in enumerate(points)],
        [{**p, "kind": "undefined"} if k == other else p for k, p in enumerate(points)],
        [{**p, "kind": "eigenvalues"} for p in points],
        [{**p, "place": "a\x1b[2Jb"} for p in points],
        [{**p, "of": 3} for p in points],
        [{**p, "more": ""} for p in points],
        None,
        {},
    ]
    for wrong in altered:
        bad = json.loads(json.dumps(good))
        bad["claim"]["points"] = wrong
        assert not ep.verify(resealed(bad)).accepted, wrong
    bad = json.loads(json.dumps(good))
    del bad["claim"]["points"]
    assert not ep.verify(resealed(bad)).accepted


def test_unknown_numbers_may_be_any() -> None:
    """A program in which an unknown number is part of the result is proved whatever the number is, or not."""
    good = proof()
    assert "at_a_tie.1 matters only where" in " ".join(ep.verify(good).rests_on)


def test_scope_and_verdict_survive_json_and_pickling() -> None:
    f, signature, under, *_ = ONLY_AT_TIES["argmax of scores"]
    verdict = ep.check(f, signature, under)
    again = Verdict.from_json(json.loads(json.dumps(verdict.to_json())))
    assert again.points == verdict.points and again.elsewhere is not None
    assert verdict.elsewhere is not None and again.elsewhere.scope == verdict.elsewhere.scope
    scope = pickle.loads(pickle.dumps(verdict.elsewhere.scope))
    assert scope == verdict.elsewhere.scope and scope.points == verdict.elsewhere.points


def test_the_words_of_a_scope_follow_its_points() -> None:
    """The sentence is made of the data: with other points there are other words, once each."""
    verdict = Verdict(ep.Outcome.HOLDS, ep.Grade.TESTED, "at n = 3")
    x, y = (ExceptionalSet(PointKind.TIES, name) for name in "xy")
    one = replace(verdict, points=(x,))
    assert one.scope == "at n = 3, wherever no two entries of x tie"
    assert replace(one, seconds=1.0).scope == one.scope
    assert Verdict.from_json(one.to_json()).scope == one.scope
    assert replace(one, points=(y,)).scope == "at n = 3, wherever no two entries of y tie"
    assert replace(one, points=()).scope == "at n = 3"
    other = replace(one, scope="at n = 4", points=(y,), sizes=({"n": 3}, {"n": 4}))
    form = parse_form("x: n -> (), ()")
    both = join(form, [replace(one, sizes=({"n": 3},)), other])
    assert both.holds and both.scope == (
        "result 0: at n = 3; result 1: at n = 4,"
        " wherever no two entries of x tie and no two entries of y tie"
    )


def test_a_line_that_quotes_others_is_read_whole() -> None:
    """Its text may hold all signs between the parts of a place, and it may be called anywhere."""
    source = 'i, text = np.argsort(D), "a.py:1: x, called at b.py:2: y"'
    line = CodeLine("model.py", 12, source, CodeLine("main.py", 3, "k = np.sort(f(E))"))
    found = exceptional_set(PointKind.TIES, line, "t")
    assert (found.of, found.place) == ("D", "model.py:12")
    assert str(line) == f"model.py:12: {source}, called at main.py:3: k = np.sort(f(E))"
    unknown = exceptional_set(PointKind.TIES, NO_LINE, "t")
    assert (unknown.of, unknown.place, str(NO_LINE), bool(NO_LINE)) == ("", "", "", False)


def test_singular_vectors_are_known_by_the_trace_and_not_by_their_line() -> None:
    decompose = np.linalg.svd

    def first(X: Any) -> Any:
        U, _, _ = decompose(X, full_matrices=False)
        return abs(U[:, 0])

    (trace,) = (trace_all_sizes(first, parse_signature("X: 4 3 -> 4"), {}),)
    (found,) = watched(trace)
    assert found.points.kind is PointKind.SINGULAR_VALUES


def test_equality_where_both_are_defined_is_a_narrower_scope() -> None:
    verdict = ep.identical(lambda x, y: x / (x * x + y), lambda x, y: 1 / (x + y / x), "x: n, y: n -> n")
    if verdict.holds:
        assert not verdict.is_unrestricted and verdict.scope.endswith("wherever both are defined")


AT_TIES = {
    "argmax": lambda h, key: h[np.argmax(key)],
    "argmin": lambda h, key: h[np.argmin(key)],
    "one-hot": lambda h, key: np.eye(len(key))[np.argmax(key)] @ h,
    "order": lambda h, key: h[np.argsort(key)][0],
    "stable order": lambda h, key: h[np.argsort(key, kind="stable")][-1],
    "last": lambda h, key: h[len(key) - 1 - np.argmax(key[::-1])],
}


@pytest.mark.parametrize("sizes", [None, {"n": 2}, {"n": 3}, {"n": (2, 4)}])
@pytest.mark.parametrize("name", AT_TIES)
def test_ties_are_left_out_at_each_size_as_at_all(name, sizes):
    """No counterexample lies at a tie, which generic=True leaves out."""
    verdict = ep.check(AT_TIES[name], "h: n f, key: n -> f", "S(n)", sizes=sizes, generic=True, budget=5)
    assert verdict.outcome == "HOLDS", str(verdict)
    wrong = ep.check(lambda h, key: AT_TIES[name](h, key) + h[0], "h: n f, key: n -> f", "S(n)",
                     sizes=sizes, generic=True, budget=5)  # fmt: skip
    assert wrong.outcome == "FAILS", str(wrong)
    key = np.asarray(wrong.counterexample.inputs["key"], dtype=float)
    rows = np.arange(len(key))[:, None]
    chosen = {
        float(AT_TIES[name](rows[[*order]], key[[*order]])[0]) for order in permutations(range(len(key)))
    }
    assert len(chosen) == 1, "its entries tie"


def pairs_in_two_orders(x: Any, y: Any) -> Any:
    """One identity matrix has two types: of entries as they are given, and in the order of x."""
    others, t = 1 - np.eye(len(x)), y[np.argsort(x)]
    return (others * np.tanh(t[:, None] - 2 * t)).sum() + (others * np.tanh(x[:, None] - 2 * x)).sum()


def pairs_of_two_orders(x: Any, y: Any) -> Any:
    others, t = 1 - np.eye(len(x)), y[np.argsort(x)]
    return (others * np.tanh(t[:, None] - 2 * y)).sum() + (others * np.tanh(x[:, None] - 2 * x)).sum()


def test_a_constant_with_two_types_is_copied_off_ties_too() -> None:
    verdict = ep.check(pairs_in_two_orders, "x: n, y: n -> ()", "S(n)")
    assert verdict.grade == "PROVED" and ep.verify(verdict.certificate).accepted
    assert [(p.kind, p.of) for p in verdict.points] == [("ties", "x")]
    wrong = ep.check(pairs_of_two_orders, "x: n, y: n -> ()", "S(n)")
    assert wrong.fails and ep.verify(wrong.certificate).accepted
