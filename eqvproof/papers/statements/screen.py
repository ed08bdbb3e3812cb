"""Reviews and statements for the terminal: failing ones first, then those that hold, by grade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from eqvproof.engines.verdict import Grade, Outcome
from eqvproof.engines.verdict.screen import (
    counterexample_line,
    evidence_screen,
    explanation_screen,
    headline_item,
)
from eqvproof.engines.verdict.text import brief, one_line
from eqvproof.engines.verdict.verdict import FAILS_GRADES, HOLDS_GRADES, graded
from eqvproof.papers.statements.row import Row
from eqvproof.papers.statements.statement import REPAIRED
from eqvproof.support.display.layout import STYLES, Item
from eqvproof.support.writing import seconds

#: The meanings of the grades.
MEANING = {
    Grade.PROVED: "a proof for all sizes in scope",
    Grade.DECIDED: "decided exactly, at the sizes named",
    Grade.BOUNDED: "exact arithmetic at random points, wrong with a stated probability",
    Grade.TESTED: "no violation was found, no more is claimed",
    Grade.EXACT: "a counterexample in exact numbers",
    Grade.ENCLOSED: "a counterexample in rigorous intervals",
    Grade.OBSERVED: "a difference in floats, far above their rounding",
}
#: Length to which a reason is cut; largest number of verdicts shown for one statement.
LONGEST_REASON, MOST_VERDICTS = 240, 8


class ReviewedRows(Protocol):
    """The part of `Review` that this module needs."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows, one a statement."""
        ...

    @property
    def sources(self) -> tuple[str, ...]:
        """The descriptions of the sources."""
        ...

    def __getitem__(self, id: str, /) -> Row: ...


def review_screen(review: ReviewedRows, names: Sequence[str] | None = None) -> Iterator[Item]:
    """Yields the source, the counts, failing statements, those that hold, and next commands.

    Args:
        review: the rows.
        names: the arguments of the review, for the suggested commands; None: suggests none.
    """
    for title, *more in (text.split("\n\n") for text in review.sources):
        yield Item(one_line(title), style="bold")
        yield from (Item(one_line(paragraph)) for paragraph in more)
    if review.sources:
        yield Item()
    yield from (Item(line) for line in summary(review))
    for outcome in (Outcome.FAILS, Outcome.UNDECIDED):
        rows = [row for row in review.rows if row.outcome == outcome]
        if rows:
            yield Item()
            yield Item(f"{outcome} ({len(rows)})", style=STYLES[outcome])
        for row in rows:
            yield from _failing_statement(row, review)
    yield from _holding_statements(review)
    if names is not None and review.rows:
        yield from _next_commands(review, names)


def _failing_statement(row: Row, review: ReviewedRows) -> Iterator[Item]:
    """Yields a statement that does not hold: its text, the reason, and its repaired form."""
    yield Item()
    yield Item(
        f"({', '.join(filter(None, (row.grade, row.statement.place)))})", f"{row.id} ", style="bold"
    )
    yield Item(row.statement.printed, "printed  ", 2)
    found = next((v.counterexample for v in row.verdicts if v.counterexample is not None), None)
    if found is not None:
        yield Item(counterexample_line(found), "but      ", 2)
    else:
        yield Item(brief(row.reason, LONGEST_REASON), "because  ", 2)
    if row.repaired_by:
        repair = review[row.repaired_by]
        yield Item(f"{repair.statement.printed} ({repair.outcome}, {repair.grade})", "repair   ", 2)


def _holding_statements(review: ReviewedRows) -> Iterator[Item]:
    """Yields the statements that hold, by grade.

    Repaired forms are shown with the statements that they repair.
    """
    for grade in HOLDS_GRADES:
        rows = [row for row in _without_repairs(review) if row.holds and row.grade == grade]
        if rows:
            yield Item()
            yield Item(
                f": {MEANING[grade]}", f"HOLDS, {grade} ({len(rows)})", style=STYLES[Outcome.HOLDS]
            )
            yield Item(names=tuple(row.id for row in rows), indent=2)


def _without_repairs(review: ReviewedRows) -> list[Row]:
    """Returns the rows without those of repaired forms whose statement has a row."""
    ids = {row.id for row in review.rows}
    return [
        row
        for row in review.rows
        if row.id.removesuffix(REPAIRED) == row.id or row.id[: -len(REPAIRED)] not in ids
    ]


def _next_commands(review: ReviewedRows, names: Sequence[str]) -> Iterator[Item]:
    """Yields commands that show more: one statement, every proof, the page."""
    command = " ".join(["eqvproof review", *names])
    example = next(
        (row.id for row in review.rows if row.outcome != Outcome.HOLDS), review.rows[0].id
    )
    yield Item()
    yield Item("Where to go on", style="bold")
    if len(review.rows) > 1 and not any(name.endswith(".py") for name in names):
        yield Item(f"eqvproof review {example} --explain", "one statement   ", 2)
    yield Item(f"{command} --explain", "every proof     ", 2)
    yield Item(f"{command} --html review.html", "as a page       ", 2)


def summary(review: ReviewedRows) -> Iterator[str]:
    """Yields the numbers of statements that hold and fail, by grade, and the time."""
    rows = _without_repairs(review)
    if not rows:
        yield "no statements"
        return
    parts = []
    for outcome, one, more, grades in (
        (Outcome.FAILS, "fails", "fail", FAILS_GRADES),
        (Outcome.UNDECIDED, "is undecided", "are undecided", ()),
        (Outcome.HOLDS, "holds", "hold", HOLDS_GRADES),
    ):
        counts = Counter(row.grade for row in rows if row.outcome == outcome)
        number = sum(counts.values())
        if number:
            verb = one if number == 1 else more
            by_grade = ", ".join(f"{counts[g]} {g}" for g in grades if counts[g])
            parts.append(f"{number} {verb}" + (f" ({by_grade})" if by_grade else ""))
    repaired = sum(row.repaired_by is not None for row in rows)
    failed = sum(row.outcome == Outcome.FAILS for row in rows)
    if repaired:
        parts.append(_repaired_text(repaired, failed))
    noun = "statement" if len(rows) == 1 else "statements"
    duration = seconds(sum(row.seconds for row in review.rows))
    yield f"{len(rows)} {noun} in {duration} s: {'; '.join(parts)}"


def _repaired_text(repaired: int, failed: int) -> str:
    """Writes how many of the failing statements have a repaired form that holds."""
    if failed == 1:
        return "the failing statement has a repair that holds"
    if repaired == failed:
        return "every failing statement has a repair that holds"
    verb = "has" if repaired == 1 else "have"
    return f"{repaired} of the {failed} failing statements {verb} a repair that holds"


def explained_screen(review: ReviewedRows) -> Iterator[Item]:
    """Yields every statement of a review with all its evidence."""
    for i, row in enumerate(review.rows):
        if i:
            yield Item()
        yield from explained_row(row, review)


def explained_row(row: Row, review: ReviewedRows) -> Iterator[Item]:
    """Yields a statement as printed, its interpretation, its evidence, and its repaired form."""
    statement = row.statement
    yield Item(f"({statement.kind}, {statement.place})", f"{row.id} ", style="bold")
    is_alone = [(v.outcome, v.scope) for v in row.verdicts] == [(row.outcome, row.scope)]
    if is_alone:
        headline = row.verdicts[0].headline
    else:
        headline = graded(row.outcome, row.grade)
    yield headline_item(headline, row.scope, row.outcome)
    yield Item(statement.printed, "Printed:  ", style="bold")
    yield from (Item(text, "Reading:  ", style="bold") for text in statement.reading)
    yield from (Item(text, "Assumed:  ", style="bold") for text in statement.assumptions)
    if row.reason and [v.outcome for v in row.verdicts] != [row.outcome]:
        yield Item(row.reason, "Found:    ", style="bold")
    if is_alone:
        yield from evidence_screen(row.verdicts[0])
    else:
        for verdict in row.verdicts[:MOST_VERDICTS]:
            yield Item()
            yield from explanation_screen(verdict)
    if len(row.verdicts) > MOST_VERDICTS:
        yield Item(f"and {len(row.verdicts) - MOST_VERDICTS} verdicts more")
    if row.repaired_by:
        repair = review[row.repaired_by]
        yield Item()
        yield Item(
            f"{repair.statement.printed} ({repair.outcome}, {repair.grade}: {repair.id})",
            "Repair:   ",
            style="bold",
        )
    for name in statement.formal:
        proved = "its negation" if row.outcome == Outcome.FAILS else "the statement"
        yield Item(f"{proved} is the theorem {name}", "In Rocq:  ", style="bold")
