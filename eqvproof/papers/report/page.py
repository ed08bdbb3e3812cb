"""The HTML page of a review: one file, failing statements first, with filters and a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from eqvproof.engines.verdict.svg import curves_svg, figure_html, matrices_svg
from eqvproof.engines.verdict.text import one_line
from eqvproof.papers.report.latex import printed_html
from eqvproof.papers.report.style import SCRIPT, STYLE
from eqvproof.papers.statements.finding import from_verdict
from eqvproof.papers.statements.screen import MEANING, summary
from eqvproof.papers.statements.statement import REPAIRED
from eqvproof.support.writing import seconds, visible

if TYPE_CHECKING:
    from eqvproof.engines.verdict import Counterexample
    from eqvproof.papers.report.changes import Changes
    from eqvproof.papers.statements import Review, Row
    from eqvproof.papers.statements.pictures import Picture

#: Largest number of verdicts of one row shown in full; the others are counted.
MOST_VERDICTS = 8
#: Order of outcomes: worst first; a repaired form stays below the statement that it repairs.
ORDER = ("FAILS", "UNDECIDED", "HOLDS")
UNDECIDED = "neither a proof nor a counterexample was found; the row says what was tried"


def review_page(review: Review, title: str = "Review", changes: Changes | None = None) -> str:
    """Writes the rows of a review with their evidence as an HTML document.

    Args:
        review: the rows.
        title: the heading.
        changes: the differences from an earlier run, shown first.
    """
    rows = _sort_rows(review.rows)
    return visible(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
{"".join(_sources(review))}
<p>{escape(" ".join(summary(review)))}</p>
{_changes(changes)}
{_controls(rows)}
{_legend(rows)}
{_contents(rows)}
</header>
<main>
{"".join(map(_row, rows))}
</main>
<script>{SCRIPT}</script>
</body>
</html>
""")


def _sort_rows(rows: Iterable[Row]) -> list[Row]:
    """Sorts rows: those that FAIL first, then undecided ones.

    Each repaired form stays below the statement that it repairs.
    """
    rows = list(rows)
    places = {row.id: ORDER.index(str(row.outcome)) for row in rows}

    def place(row: Row) -> int:
        repaired_id = row.id.removesuffix(REPAIRED)
        return places.get(repaired_id, places[row.id])

    return sorted(rows, key=place)


def _worst_first(kind: str) -> tuple[int, int]:
    """Returns the place of an outcome and a grade among the filters."""
    outcome, *grade = kind.split()
    if not grade:
        return ORDER.index(outcome), 0
    return ORDER.index(outcome), [*map(str, MEANING)].index(grade[0])


def _kind(row: Row) -> str:
    """Writes the outcome and grade of a row, as its filter names them."""
    return f"{row.outcome} {row.grade}".strip()


def _sources(review: Review) -> Iterator[str]:
    """Yields the title and abstract of each source."""
    for text in getattr(review, "sources", ()):
        title, *rest = text.splitlines()
        abstract = f"<p>{escape(one_line(' '.join(rest)))}</p>" if rest else ""
        yield f'<section class="source"><h2>{escape(title)}</h2>{abstract}</section>\n'


def _controls(rows: list[Row]) -> str:
    """Writes a filter for each kind of row, and a search field; the script makes them visible."""
    kinds = [
        f'<label class="kind"><input type="checkbox" checked value="{escape(kind)}">'
        f'<span class="{kind.split()[0]}">{escape(kind)}</span> {number}</label>'
        for kind, number in sorted(
            Counter(map(_kind, rows)).items(), key=lambda item: _worst_first(item[0])
        )
    ]
    return (
        f'<form class="controls" role="search" hidden>{"".join(kinds)}<label>search <input'
        f' type="search" '
        'placeholder="words, id, place"></label><output aria-live="polite"></output></form>'
    )


def _legend(rows: list[Row]) -> str:
    """Explains the grades that occur in the review."""
    present = {str(row.grade or row.outcome): _kind(row) for row in rows}
    meaning = {**{str(grade): text for grade, text in MEANING.items()}, "UNDECIDED": UNDECIDED}
    terms = [
        f'<dt><span class="{present[kind].split()[0]}">{present[kind]}</span></dt><dd>{text}</dd>'
        for kind, text in meaning.items()
        if kind in present
    ]
    return f"<details><summary>what the grades mean</summary><dl>{''.join(terms)}</dl></details>"


def _contents(rows: list[Row]) -> str:
    items = [
        f'<li><a href="#{escape(row.id)}">{escape(row.id)}</a> '
        f'<span class="{escape(str(row.outcome))}">{escape(_kind(row))}</span></li>'
        for row in rows
    ]
    return f"<details><summary>all rows</summary><ol>{''.join(items)}</ol></details>"


def _changes(changes: Changes | None) -> str:
    if changes is None:
        return ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in changes.lines())
    return f"<section><h2>Since the earlier run</h2><ul>{lines}</ul></section>"


def _row(row: Row) -> str:
    statement, outcome, id = row.statement, escape(str(row.outcome)), escape(row.id)
    repaired = ""
    if row.repaired_by:
        target = escape(row.repaired_by)
        repaired = f'<p>Repaired: <a href="#{target}">{target}</a></p>'
    return (
        f'<article id="{id}" data-kind="{escape(_kind(row))}"><header><h2><a'
        f' href="#{id}">{id}</a></h2>'
        f'<span class="place">{escape(statement.place)}</span>'
        f'<span class="{outcome}">{outcome}</span><span>{escape(str(row.grade))}</span>'
        f'<span class="seconds">{seconds(row.seconds)} s</span></header>'
        f'<p class="printed">{printed_html(statement.printed)}</p>'
        f'<p class="scope">{escape(one_line(row.scope))}</p>'
        f"{_counterexample(row)}{_picture(getattr(statement, 'picture', None))}{repaired}"
        f"{_details(row)}</article>\n"
    )


def _counterexample(row: Row) -> str:
    found = _first_counterexample(row)
    if found is None:
        return ""
    return found.to_html()


def _first_counterexample(row: Row) -> Counterexample | None:
    """Returns the counterexample that the page shows for a failing row; None for other rows."""
    if str(row.outcome) != "FAILS":
        return None
    return next((v.counterexample for v in row.verdicts if v.counterexample is not None), None)


def _picture(make: object) -> str:
    """Draws the picture that a function of the statement makes; "" without one."""
    if not callable(make):
        return ""
    picture: Picture = make()
    if hasattr(picture, "parts"):
        return figure_html(picture.caption, matrices_svg(picture.parts))
    return figure_html(picture.caption, curves_svg(picture.horizontal, picture.at, picture.lines))


def _details(row: Row) -> str:
    statement = row.statement
    parts = []
    for label, texts in (("Interpretation", statement.reading), ("Assumed", statement.assumptions)):
        parts += [f"<p>{label}: {printed_html(text)}</p>" for text in texts]
    for name in getattr(statement, "formal", ()):
        file, theorem = name.split(".")
        proved = "Its negation" if str(row.outcome) == "FAILS" else "The statement"
        parts.append(
            f"<p>{proved} in Rocq: <code>{escape(theorem)}</code> in"
            f" <code>rocq/{escape(file)}.v</code></p>"
        )
    above = _first_counterexample(row)
    if row.reason and [row.reason] != [from_verdict(verdict).reason for verdict in row.verdicts]:
        parts.append(f"<p>{escape(row.reason)}</p>")
    parts += [verdict.to_html(above=above) for verdict in row.verdicts[:MOST_VERDICTS]]
    if len(row.verdicts) > MOST_VERDICTS:
        parts.append(f'<p class="note">and {len(row.verdicts) - MOST_VERDICTS} verdicts more</p>')
    if parts:
        return f"<details><summary>evidence</summary>{''.join(parts)}</details>"
    return ""
