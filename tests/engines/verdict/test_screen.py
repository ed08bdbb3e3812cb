"""Verdicts on a terminal, in a pipe, on one line."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.verdict.screen import (
    counterexample_line,
    explanation_screen,
    matrix_item,
    verdict_screen,
)
from eqvproof.support.display.layout import screen_lines, show


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def relu(X: Any) -> Any:
    return np.maximum(X, 0)


VERDICTS: dict[str, ep.Verdict] = {
    "holds": ep.check(lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d)"),
    "fails": ep.check(relu, "X: d n -> d n", "O(d)", sizes={"d": 2, "n": 2}),
    "undecided": ep.prove(relu, "X: d n -> d n", "O(d)"),
    "identity": ep.identical(lambda x: x * 1, lambda x: x + 0, "x: n -> n"),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_in_a_pipe_it_is_its_text(name: str) -> None:
    out = io.StringIO()
    show(verdict_screen(VERDICTS[name]), out)
    assert out.getvalue() == str(VERDICTS[name]) + "\n"


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("name", VERDICTS)
def test_on_a_terminal_it_keeps_its_words(
    name: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    show(verdict_screen(VERDICTS[name]), out)
    assert "\x1b[" in out.getvalue()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert "".join(plain.split()) == "".join(str(VERDICTS[name]).split())
    assert max(map(len, plain.splitlines())) <= width


def test_explanation_screen() -> None:
    text = "\n".join(screen_lines(explanation_screen(VERDICTS["fails"])))
    assert text.startswith(
        "FAILS, EXACT: at d = 2, n = 2\nClaim:    [X: d n -> d n] under O(d)\n  - f(g x) = g f(x)"
    )
    left, right = VERDICTS["fails"].counterexample.left, VERDICTS["fails"].counterexample.right
    assert f"f(g x) = [{left[0, 0]}  {left[0, 1]}]\n" in text
    assert re.search(r"they differ in entry \[[01], [01]\]: ", text)
    assert f"Certificate: {VERDICTS['fails'].certificate['digest'][:19]}..." in text
    assert right.shape == (2, 2)


@pytest.mark.parametrize(
    ("signature", "under", "words"),
    [
        (
            "X: d n -> d n",
            "S(n)",
            "f(g x) = g f(x) for every g in S(n), permutations: g acts on X, and on the result",
        ),
        (
            "X: d n -> d",
            "S(n)",
            "f(g x) = f(x) for every g in S(n), permutations: g acts on X, the result stays",
        ),
        ("X: n d, E[n]: 2 m -> n d", "S(n)", "g acts on X, what E points to, and on the result"),
        ("X: d n, b: d! -> d n", "O(d)", "g acts on X, and on the result"),
        ("X: d n -> d n", "E(d)", "rigid motions"),
    ],
)
def test_how_a_claim_is_read(signature: str, under: str, words: str) -> None:
    verdict = ep.Verdict(ep.Outcome.UNDECIDED, ep.Grade.NONE, "", signature=signature, under=under)
    assert words in "\n".join(screen_lines(explanation_screen(verdict)))


def test_a_group_of_the_users_own_has_no_reading() -> None:
    verdict = ep.Verdict(
        ep.Outcome.UNDECIDED, ep.Grade.NONE, "", signature="x: 4 -> 4", under="quarter turns(4)"
    )
    assert list(screen_lines(explanation_screen(verdict))) == [
        "UNDECIDED",
        "Claim:    [x: 4 -> 4] under quarter turns(4)",
    ]


MATRICES = {
    "aligned": ([[Fraction(1, 2), -10], [3, 4]], ["  X = [1/2  -10]", "      [  3    4]"]),
    "vector": ([1, 2], ["  X = [1, 2]"]),
    "scalar": (5, ["  X = 5"]),
    "no columns": (np.zeros((2, 0), dtype=object), ["  X = [[], []]"]),
    "three axes": (np.array([[[1]]]), ["  X = [[[1]]]"]),
    "undefined": ([[None, 1]], ["  X = [undefined  1]"]),
    "large": (np.zeros((13, 1), dtype=int), ["  X = [" + ", ".join(["[0]"] * 13) + "]"]),
}


@pytest.mark.parametrize(("value", "expected"), MATRICES.values(), ids=MATRICES)
def test_matrices(value: Any, expected: list[str]) -> None:
    assert list(screen_lines([matrix_item("X = ", value)], 80)) == expected


def test_a_counterexample_on_one_line() -> None:
    found = ep.refute(lambda X: np.exp(X) - 1, "X: d -> d", "O(d)").counterexample
    assert (
        counterexample_line(found)
        == "d = 1; X = [1]; g = reflect coordinate 0; f(g x) = [~-0.632121]; g f(x) = [~-1.71828]"
    )
    large = ep.refute(
        lambda X: np.maximum(X, 0) + 10**40, "X: d n -> d n", "O(d)", sizes={"d": 3, "n": 3}
    ).counterexample
    line = counterexample_line(large)
    assert len(line) <= 400 and "f(g x) = " in line and " in entry [" in line
