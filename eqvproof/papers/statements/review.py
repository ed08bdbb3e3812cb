"""Reviews of statements: each is checked by the engines and gives one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from eqvproof.deepsets.progress import Progress as Bar
from eqvproof.engines.verdict.text import one_line
from eqvproof.papers.statements.judge import DEFAULT_BUDGET, Court, Judge
from eqvproof.papers.statements.row import Row
from eqvproof.papers.statements.screen import review_screen
from eqvproof.papers.statements.statement import Statement, with_repairs
from eqvproof.support.display import in_notebook
from eqvproof.support.display.layout import screen_lines
from eqvproof.support.errors import EqvproofError, OptionTypeError
from eqvproof.support.writing import seconds

_HEADINGS = ("statement", "outcome", "grade", "seconds", "scope, or why not decided")
_SORT = (
    "const h=this.parentElement,t=h.closest('table'),b=t.tBodies[0],i=h.cellIndex,"
    "up=h.getAttribute('aria-sort')!=='ascending';"
    "t.querySelectorAll('th').forEach(x=>x.removeAttribute('aria-sort'));"
    "h.setAttribute('aria-sort',up?'ascending':'descending');"
    "[...b.rows].sort((p,q)=>(up?1:-1)*p.cells[i].textContent.localeCompare(q.cells[i].textContent,"
    "undefined,{numeric:true})).forEach(r=>b.append(r))"
)
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """The rows of a review.

    Attributes:
        rows: one row a statement, in the order of the source; each repaired form follows the
            statement that it repairs.
        sources: the descriptions of the sources: a title, and lines about it.
    """

    rows: tuple[Row, ...]
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Checks that the rows are rows.

        Raises:
            OptionTypeError: they are something else, such as the name of a source.
        """
        given: object = self.rows
        if isinstance(given, tuple) and all(isinstance(row, Row) for row in given):
            return
        called = "my23"
        if isinstance(given, str):
            called = given
        raise OptionTypeError(
            "a Review is the result of ep.review",
            given=repr(self.rows)[:80],
            expected="a tuple of rows of statements",
            hint=f"ep.review({called!r})",
            code="review.rows",
        )

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, id: str) -> Row:
        """Returns the row of a statement.

        Raises:
            EqvproofError: the review has no such row.
        """
        for row in self.rows:
            if row.id == id:
                return row
        raise EqvproofError(
            f"the review has no row {id!r}",
            given=repr(id),
            expected="one of " + (", ".join(row.id for row in self.rows) or "no rows"),
            code="review.row",
            hint="review the statement too, or look at `[row.id for row in review]`",
        )

    def to_json(self) -> dict[str, Any]:
        """Converts the review to JSON data: ``{"statements": [...]}``."""
        return {"statements": [row.to_json() for row in self.rows]}

    def __str__(self) -> str:
        """Returns the text of ``eqvproof review``, as it is written to a pipe."""
        return "\n".join(screen_lines(review_screen(self)))

    def _repr_html_(self) -> str:
        """Returns a table for notebooks; a click on a heading sorts it."""
        headings = "".join(
            f'<th scope="col"><button type="button" onclick="{_SORT}">{name}</button></th>'
            for name in _HEADINGS
        )
        cells = (
            (
                escape(r.id),
                f'<span class="{r.outcome}">{r.outcome}</span>',
                r.grade,
                seconds(r.seconds),
                escape(one_line(r.scope or r.reason)) + _repair_note(r),
            )
            for r in self.rows
        )
        body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in cells)
        table = f"<table><thead><tr>{headings}</tr></thead><tbody>{body}</tbody></table>"
        return in_notebook(f'<div class="table">{table}</div>')


def _repair_note(row: Row) -> str:
    if row.repaired_by:
        return f" (repaired: {escape(row.repaired_by)})"
    return ""


def review_statements(
    statements: Iterable[Statement],
    *,
    seed: int = 0,
    budget: float = DEFAULT_BUDGET,
    progress: Progress | None = None,
    court: Judge | None = None,
    sources: Iterable[str] = (),
) -> Review:
    """Checks statements, each followed by its repaired form.

    Args:
        statements: the statements to check.
        seed: the seed of all random choices; equal seeds give equal rows.
        budget: seconds that a search may take for one claim.
        progress: called before each statement with the number already checked, the total number,
            and the id; absent: a bar on terminals and in notebooks, after a second.
        court: the judge, such as `IsolatedJudge` or `StoredFindings`; absent: the engines, in this
            process.
        sources: the descriptions of the sources, for the heading of the review.

    Raises:
        EqvproofError: two statements have one id.
    """
    chosen = list(dict.fromkeys(with_repairs(statements)))
    for i, statement in enumerate(chosen):
        if any(statement.id == other.id for other in chosen[:i]):
            raise EqvproofError(
                f"two statements have the id {statement.id!r}",
                given=f"{statement.place} and another place",
                expected="one id each",
                code="review.twice",
                hint="give one of them another id",
            )
    court = Court(budget, seed) if court is None else court
    rows = []
    with Bar("statements", 0 if progress is not None else len(chosen)) as bar:
        for done, statement in enumerate(chosen):
            if progress is not None:
                progress(done, len(chosen), statement.id)
            rows.append(_check_statement(statement, court))
            if progress is None:
                bar.advance(1)
    return Review(tuple(rows), tuple(sources))


def _check_statement(statement: Statement, court: Judge) -> Row:
    """Checks a statement, and its repaired form if the statement fails; returns the row."""
    found, duration = court.finding(statement), court.seconds(statement)
    repair, repaired_by = statement.repaired, None
    if found.fails and repair is not None and court.finding(repair).holds:
        repaired_by = repair.id
    return Row(
        statement,
        found.outcome,
        found.grade,
        found.scope,
        duration,
        found.reason,
        found.verdicts,
        repaired_by,
    )
