"""Verdicts and reviews as text: aligned words in a pipe, colours and a ruled table on a terminal."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING

from eqvproof.verdict.text import one_line
from eqvproof.writing import say

if TYPE_CHECKING:
    from eqvproof.statements import Review
    from eqvproof.verdict import Verdict

STYLES = {"HOLDS": "bold green", "FAILS": "bold red", "UNDECIDED": "bold yellow"}
HEADINGS = ("statement", "outcome", "grade", "seconds", "scope, or why not decided")
LONGEST = 120


def print_verdict(verdict: Verdict, file: IO[str] | None = None) -> None:
    """Prints a verdict as the paragraph that it is, its first word in colour on a terminal."""
    stream = sys.stdout if file is None else file
    text = str(verdict)
    if stream is None or not stream.isatty():
        say(text, stream)
        return
    from rich.console import Console
    from rich.text import Text

    rich_text = Text(text)
    rich_text.stylize(STYLES[str(verdict.outcome)], 0, text.find(":"))
    Console(file=stream, soft_wrap=True).print(rich_text)


def print_review(review: Review, file: IO[str] | None = None) -> None:
    """Prints one row a statement, and how many there are of each outcome and grade."""
    stream = sys.stdout if file is None else file
    if stream is None or not stream.isatty():
        say("\n".join(review_lines(review)), stream)
        return
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, header_style="bold")
    for heading in HEADINGS:
        table.add_column(
            heading,
            justify="right" if heading == "seconds" else "left",
            no_wrap=heading != HEADINGS[-1],
            overflow="fold",
        )
    for cells in _cells(review):
        styled = [Text(cell) for cell in cells]
        styled[1].stylize(STYLES.get(cells[1], ""))
        table.add_row(*styled)
    console = Console(file=stream)
    console.print(table)
    console.print(Text("\n".join(summary(review))))


def review_lines(review: Review) -> Iterator[str]:
    """The rows of a review as aligned text, one line each, then the summary."""
    rows = [HEADINGS, *_cells(review)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        cells[3] = row[3].rjust(widths[3])
        yield "  ".join([*cells, row[-1]]).rstrip()
    yield ""
    yield from summary(review)


def summary(review: Review) -> Iterator[str]:
    """How many statements there are, of each outcome and grade, and in which time."""
    counts = Counter(f"{row.outcome} {row.grade}".strip() for row in review.rows)
    order = sorted(counts, key=lambda kind: (list(STYLES).index(kind.split()[0]), -counts[kind]))
    parts = ", ".join(f"{counts[kind]} {kind}" for kind in order)
    total = sum(row.seconds for row in review.rows)
    noun = "statement" if len(review.rows) == 1 else "statements"
    yield f"{len(review.rows)} {noun} in {total:.1f} s: {parts}" if parts else "no statements"


def _cells(review: Review) -> Sequence[tuple[str, ...]]:
    return [
        (
            row.id,
            str(row.outcome),
            str(row.grade) or "-",
            f"{row.seconds:.2f}",
            _short(row.scope or row.reason) + (" (repaired below)" if row.repaired_by else ""),
        )
        for row in review.rows
    ]


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 4] + " ..."
