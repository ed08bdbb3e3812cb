"""The screens of a review at several widths and in a pipe, each kept beside this file.

EQVPROOF_SNAPSHOTS=write writes them anew; look at the difference before it is committed.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eqvproof.papers.statements import (
    Equivariance,
    Identity,
    Proposition,
    Review,
    Theorem,
    review_statements,
)
from eqvproof.papers.statements.screen import explained_screen, review_screen, summary
from eqvproof.support.display.layout import Item, screen_lines, show, text_width

SCREENS = Path(__file__).with_name("screens")
WIDTHS = {"40": 40, "80": 80, "120": 120, "pipe": None}


def relu(X: Any) -> Any:
    return np.maximum(X, 0)


STATEMENTS = (
    Proposition(
        id="paper.gram",
        place="§2, Eq. 1",
        printed="f(X) = X X^T X is O(d)-equivariant",
        claim=Equivariance(lambda X: X @ (X.T @ X), "X: d n -> d n", under="O(d)"),
        reading="equivariant: f(Q X) = Q f(X) for every orthogonal Q, whatever the number n of columns",
    ),
    Theorem(
        id="paper.relu",
        place="§3, Theorem 2",
        printed="σ(X) = max(X, 0), entry by entry, is equivariant under every rotation and reflection of R^d",
        claim=Equivariance(relu, "X: d n -> d n", under="O(d)", sizes={"d": 2}),
        formal="Paper.relu",
        repaired=Proposition(
            id="paper.relu.repaired",
            place="§3, Theorem 2",
            printed="σ is equivariant under permutations of the columns",
            claim=Equivariance(relu, "X: d n -> d n", under="S(n)"),
        ),
    ),
    Proposition(
        id="paper.square",
        place="§4",
        printed="(a + b)^2 = a^2 + b^2",
        claim=Identity(lambda a, b: (a + b) ** 2, lambda a, b: a**2 + b**2, "a: (), b: () -> ()"),
    ),
    Proposition(
        id="paper.typo",
        place="§5",
        printed="漢字の置換不変性、 a claim that cannot be read",
        claim=Equivariance(relu, "X: d n > d n", under="O(d)"),
    ),
    *(
        Proposition(
            id=f"paper.appendix.column-{i}",
            place="Appendix",
            printed=f"column {i} of X turns with X",
            claim=Equivariance(lambda X, i=i: X[:, i - 1], "X: d 6 -> d", under="O(d)"),
        )
        for i in range(1, 7)
    ),
)
SOURCE = "A. Author: On layers that turn with their inputs, and some that do not.\n\nA journal, 2026."


@functools.cache
def judged() -> Review:
    found = review_statements(STATEMENTS, budget=5, sources=[SOURCE])
    return dataclasses.replace(found, rows=tuple(dataclasses.replace(r, seconds=0.25) for r in found.rows))


def compare(name: str, text: str) -> None:
    file, text = SCREENS / f"{name}.txt", re.sub(r"sha256:[0-9a-f]{12}", "sha256:0123456789ab", text)
    if os.environ.get("EQVPROOF_SNAPSHOTS") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("screen", ["review", "explain"])
def test_screens_are_those_that_were_looked_at(screen: str, width: str) -> None:
    few = Review(judged().rows[:5])
    items = review_screen(judged(), ["paper.py"]) if screen == "review" else explained_screen(few)
    compare(f"{screen}-{width}", "\n".join(screen_lines(items, WIDTHS[width])) + "\n")


@pytest.mark.parametrize("width", range(40, 131, 6))
def test_no_line_is_wider_than_the_terminal_and_no_word_is_lost(width: int) -> None:
    for screen in (list(review_screen(judged(), [])), list(explained_screen(judged()))):
        whole, broken = (" ".join(screen_lines(screen, w)).split() for w in (None, width))
        assert max(map(text_width, screen_lines(screen, width))) <= width
        assert "".join(whole) == "".join(broken) or any(item.block for item in screen)


def test_what_fails_stands_before_what_holds() -> None:
    text = str(judged())
    order = ["A. Author", "10 statements", "FAILS (2)", "UNDECIDED (1)", "HOLDS, PROVED (7)"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert "paper.relu.repaired" not in text


def test_the_summary_counts_what_is_printed() -> None:
    assert list(summary(judged())) == [
        "10 statements in 2.8 s: 2 fail (2 EXACT); 1 is undecided; 7 hold (7 PROVED); "
        "1 of the 2 failing statements has a repair that holds"
    ]
    assert list(summary(Review(()))) == ["no statements"]
    alone = Review(tuple(r for r in judged() if r.id.endswith("repaired")))
    assert next(summary(alone)).startswith("1 statement in 0.25 s: 1 holds (1 PROVED)")


def test_paragraphs_of_a_source_are_not_cut_where_its_file_is() -> None:
    source = "A. Author: A title\nof two lines.\n\nA journal.\n\nAn abstract of\nthree\nlines."
    head = list(screen_lines(review_screen(Review(judged().rows, (source,)))))[:3]
    assert head == ["A. Author: A title of two lines.", "A journal.", "An abstract of three lines."]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_terminal_gets_the_same_in_colour(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    show(review_screen(judged()), out)
    assert "\x1b[" in out.getvalue()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
    assert plain == "\n".join(screen_lines(review_screen(judged()), width)) + "\n"


def test_a_pipe_gets_plain_text() -> None:
    out = io.StringIO()
    show(review_screen(judged()), out)
    assert out.getvalue() == str(judged()) + "\n"
    assert "\x1b" not in out.getvalue()


ITEMS: dict[str, tuple[Item, int | None, list[str]]] = {
    "short": (Item("a b"), 40, ["a b"]),
    "hangs": (
        Item("one two three four five six sevens", "label  "),
        40,
        ["label  one two three four five six", "       sevens"],
    ),
    "hangs less": (
        Item("word " * 4, "a label of twenty.  "),
        22,
        ["a label of twenty.", "  word word word word"],
    ),
    "long word": (Item("x" * 50), 40, ["x" * 40, "  " + "x" * 10]),
    "wide signs": (Item("漢" * 25), 40, ["漢" * 20, "  " + "漢" * 5]),
    "narrow": (Item("a b c d e f g h i j k l"), 3, ["a b c d e f g h i j", "  k l"]),
    "block": (Item("[[1], [2]]", "X = ", 2, block=("[1]", "[2]")), 40, ["  X = [1]", "      [2]"]),
    "block in a pipe": (Item("[[1]]", "X = ", block=("[1]",)), None, ["X = [1]"]),
    "block too wide": (Item("[[1]]", "X = ", block=("[" + "1" * 40 + "]",)), 40, ["X = [[1]]"]),
    "names": (Item(names=("a", "b")), 40, ["a b"]),
    "names in a pipe": (Item(names=("a", "b"), indent=2), None, ["  a", "  b"]),
    "nothing": (Item(), 40, [""]),
    "brackets are no markup": (Item("[red]a[/red]"), 40, ["[red]a[/red]"]),
}


@pytest.mark.parametrize(("item", "width", "expected"), ITEMS.values(), ids=ITEMS)
def test_lines(item: Item, width: int | None, expected: Iterable[str]) -> None:
    assert list(screen_lines([item], width)) == expected
