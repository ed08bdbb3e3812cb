"""Elements for the entries of an axis each: batches of clouds that move independently."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict import seal
from eqvproof.kernel.check import check_content
from tests.judged import assert_proved, assert_refuted

CLOUDS = "x: b n d -> b n d"


def attend(x: Any) -> Any:
    scores = np.exp(x @ np.swapaxes(x, -1, -2))
    return scores / scores.sum(-1, keepdims=True) @ x


def chosen(x: Any) -> Any:
    return np.where((x * x).sum((1, 2), keepdims=True) > 1, x, 2 * x)


HOLDING = [
    (attend, CLOUDS, "O(d) each b x S(n) each b"),
    (attend, CLOUDS, "S(n) each b x S(b)"),
    (lambda x: attend(x).mean(), "x: b n d -> ()", "S(n) each b"),
    (lambda x: x - x.mean((0, 1)), CLOUDS, "S(n) each b"),  # what is shared does not change
    (lambda x: x + x.max(1).sum(0), CLOUDS, "S(n) each b"),
    (lambda x: x * (x.sum(1)[::-1] ** 2)[:, None], CLOUDS, "S(n) each b"),
    (lambda x: x - x.mean(1, keepdims=True), "x: b n d -> b n d^", "E(d) each b"),
    (lambda x: x + x.mean(1, keepdims=True), CLOUDS, "S(n) each b"),
    (lambda x: 2 * x - x.mean(1, keepdims=True), CLOUDS, "T(d) each b"),
    (lambda x: x / np.sqrt((x * x).sum((1, 2), keepdims=True)), "x: b n d -> b n d!", "Scale(d) each b"),
    (lambda x: np.sort(x, 1), "x: b n d -> b n! d", "S(n) each b"),
    (lambda x: np.concatenate([x, 2 * x], 2).reshape((x.shape[0], x.shape[1], 2, -1)),
     "x: b n d -> b n 2 d", "O(d) each b x S(n) each b"),
    (lambda x: np.linalg.inv(np.swapaxes(x, 1, 2) @ x + np.eye(x.shape[2])), "x: b n d -> b d d",
     "O(d) each b x S(n) each b"),
    (lambda x: np.linalg.det(np.swapaxes(x, 1, 2) @ x), "x: b n 3 -> b", "O(3) each b"),
    (chosen, CLOUDS, "O(d) each b"),
    (lambda x: (x - x.mean(1, keepdims=True)).sum(0), "x: b n d -> n d!", "T(d) each b"),
    (lambda x, w: x * w[:, None, None], "x: b n d, w: b -> b n d", "O(d) each b"),
    (lambda A, x: A @ x, "A: b n n, x: b n c -> b n c", "S(n) each b"),
    (lambda x: np.moveaxis(attend(x), 0, 1), "x: b n d -> n b d", "S(n) each b"),
    (lambda x: attend(x.reshape((-1, x.shape[2])).reshape(x.shape)), CLOUDS,
     "O(d) each b"),
    (lambda x: (x.reshape((-1, x.shape[2])) @ np.ones((4, 4)) / 2).reshape(x.shape), "x: b n 4 -> b n 4",
     "S(n) each b"),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(HOLDING)))
def test_what_is_done_entry_by_entry_holds(case: int) -> None:
    function, signature, under = HOLDING[case]
    verdict = assert_proved(function, signature, under)
    assert any("entry may have an element of its own" in line for line in verdict.derivation)


FAILING = [
    (lambda x: x - x.mean(0), CLOUDS, "S(n) each b"),
    (lambda x: x - x.mean((0, 1)), CLOUDS, "O(d) each b"),
    (lambda x: x[::-1], CLOUDS, "S(n) each b"),
    (lambda x: np.swapaxes(x.reshape((x.shape[1], x.shape[0], -1)), 0, 1), CLOUDS, "O(d) each b"),
    (lambda x: np.roll(x.reshape((-1, x.shape[2])), 1, 0).reshape(x.shape), CLOUDS, "O(d) each b"),
    (lambda x: x - x.mean((0, 1)), "x: b n d -> b n d^", "T(d) each b"),
    (lambda x: np.roll(x, 1, 0), CLOUDS, "O(d) each b"),
    (lambda x: np.sort(x, 0), CLOUDS, "S(n) each b"),
    (lambda x: x / np.sqrt((x * x).sum()), "x: b n d -> b n d!", "Scale(d) each b"),
    (lambda x: (x.sum(0) ** 2).sum(), "x: b n d -> ()", "O(d) each b"),
    (lambda x: np.linalg.det(x).prod() ** 2 * 0 + np.linalg.det(x).prod(), "x: b 2 2! -> ()", "O(2) each b"),
    (lambda x: np.linalg.det(x).sum() ** 2, "x: b 2 2! -> ()", "O(2) each b"),
    (lambda x: x @ np.swapaxes(x[::-1], 1, 2), "x: b n d -> b n n", "O(d) each b"),
    (lambda x: x.max((0, 1)), "x: b n d -> d!", "O(d) each b"),
    (lambda A, x: A @ x[::-1], "A: b n n, x: b n c -> b n c", "S(n) each b"),
]


@pytest.mark.parametrize("case", range(len(FAILING)))
def test_what_mixes_entries_fails(case: int) -> None:
    function, signature, under = FAILING[case]
    found = assert_refuted(function, signature, under).counterexample
    assert found is not None and " in entry " in found.words
    printed: list[Any] = []
    exec(found.code(), {"print": lambda *line: printed.append(line)})
    assert np.any(printed[-1][1] != 0)


def test_mixing_is_named_where_one_element_for_all_would_do() -> None:
    assert_proved(lambda x: x - x.mean(0), CLOUDS, "S(n)")
    found = assert_refuted(lambda x: x - x.mean(0), CLOUDS, "S(n) each b")
    assert "entries of the axis b are mixed" in found.reason
    assert found.counterexample is not None
    assert found.counterexample.element == {"n": [(1, 0), (0, 1)]}


def messages(x: Any, edges: Any) -> Any:
    hot = (edges[..., None] == np.arange(x.shape[1])) * 1.0  # b 2 m n
    return np.swapaxes(hot[:, 0], 1, 2) @ (hot[:, 1] @ x)


GRAPHS = "x: b n c, E[n]: b 2 m -> b n c"
#: The edges of another graph.
OTHERS = (lambda x, e: messages(x, e[::-1]), GRAPHS, "S(n) each b")


def test_edges_of_each_graph() -> None:
    """Positions that each element relabels."""
    assert_proved(messages, GRAPHS, "S(n) each b", sizes={"m": 2})
    assert_refuted(*OTHERS, sizes={"m": 1, "c": 1})


def test_single_sizes_are_decided() -> None:
    """Where no type says it, an identity of polynomials does."""

    def apart(x: Any) -> Any:  # two points
        return (x[:, 0] - x[:, 1]) ** 2

    sizes = {"b": 2, "n": 2, "d": 1}
    found = ep.decide(apart, "x: b n d -> b d", "S(n) each b", sizes=sizes)
    assert (found.outcome, found.grade) == ("HOLDS", "DECIDED"), str(found)
    assert ep.verify(found.certificate).accepted
    found = ep.decide(lambda x: (x[:, 0, 0] * x[:, 0, 0] - x[:, 0, 1] * -x[:, 0, 1]), "x: b n d -> b",
                      "O(d) each b", sizes={"b": 2, "n": 1, "d": 2})  # fmt: skip
    assert (found.outcome, found.grade) == ("HOLDS", "DECIDED"), str(found)
    shared = ep.decide(lambda x: apart(x).prod(0) + (x[0, 0] - x[1, 0]) ** 2, "x: b n d -> d", "S(n) each b",
                       sizes=sizes)  # fmt: skip
    assert not shared.holds


def test_the_kernel_refuses_proofs_for_one_element() -> None:
    """Every claim that fails for elements each and is proved for one: its proof, with "each" written in."""
    count = 0
    for function, signature, under in (*FAILING, OTHERS):
        plain = ep.check(function, signature, under.replace(" each b", ""))
        if plain.grade != "PROVED":
            continue
        count += 1
        content = copy.deepcopy(plain.certificate)
        assert content is not None
        assert check_content(content).accepted
        for factor in content["claim"]["group"]:
            factor["each"] = "b"
        with pytest.raises(ep.kernel.report.Rejected, match=r"one value for each entry|move as claimed"):
            check_content(content)
    assert count >= 8 and plain.grade == "PROVED"


def test_the_kernel_refuses_what_it_does_not_cover() -> None:
    proved = assert_proved(attend, CLOUDS, "S(n) each b").certificate
    for axis in ("n", "d", "k"):
        wrong = copy.deepcopy(proved)
        wrong["claim"]["group"][0]["each"] = axis
        parts = {k: v for k, v in wrong.items() if k not in ("format", "version", "kind", "digest")}
        assert not ep.verify(seal("proof", **parts)).accepted, axis


@pytest.mark.parametrize(
    ("signature", "under", "words"),
    [
        ("x: b n d, w: n -> b n d", "S(n) each b", "acts on w"),
        ("x: b n d -> n d", "S(n) each b", "acts on the result"),
        ("x: b n d -> b n d", "S(n) each n", "each entry of n"),
        ("x: b n d -> b n d", "S(n) each c", "did you mean|one element for all"),
        ("x: b n d, E[n]: 2 m -> b n d", "S(n) each b", "acts on E"),
        ("x: 2b n d -> 2b n d", "S(n) each b", "acts on x"),
    ],
)
def test_values_without_the_axis_are_an_error(signature: str, under: str, words: str) -> None:
    with pytest.raises(ep.GroupError, match=words):
        ep.check(lambda *x: x[0], signature, under)


def test_calls_that_take_one_element_say_so() -> None:
    with pytest.raises(ep.GroupError, match="not taken here"):
        ep.reynolds(attend, CLOUDS, "S(n) each b")
    with pytest.raises(ep.GroupError, match="not taken here"):
        ep.deviation(attend, CLOUDS, "S(n) each b", [np.ones((1, 2, 2))])


def test_floats_move_entry_by_entry() -> None:
    found = ep.check(
        lambda x: x + x[::-1], CLOUDS, "S(n) each b", about="floats", sizes={"b": 2, "n": 2, "d": 1}
    )
    assert found.fails
