"""A review as one HTML page that needs no other file."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from eqvproof.display.formulas import formula_html
from eqvproof.report.style import SCRIPT, STYLE
from eqvproof.statements.finding import of_verdict
from eqvproof.statements.screen import summary
from eqvproof.verdict.html import counterexample_html, figure_html, verdict_html
from eqvproof.verdict.svg import curves_svg, matrices_svg
from eqvproof.verdict.text import one_line
from eqvproof.writing import visible

if TYPE_CHECKING:
    from eqvproof.report.changes import Changes
    from eqvproof.statements import Review, Row
    from eqvproof.statements.pictures import Picture
    from eqvproof.verdict import Counterexample

#: Verdicts of one row that are shown in full; the others are counted.
MOST_VERDICTS = 8


def review_page(review: Review, title: str = "Review", changes: Changes | None = None) -> str:
    """The rows of a review with their evidence, as an HTML document.

    Args:
        review: the rows.
        title: the heading.
        changes: what differs from an earlier run, shown first.
    """
    rows = "\n".join(_row(row) for row in review.rows)
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
<h1>{escape(title)}</h1>
<p>{escape(" ".join(summary(review)))}</p>
{_counts(review)}
{_changes(changes)}
<main>
{rows}
</main>
<script>{SCRIPT}</script>
</body>
</html>
""")


def _counts(review: Review) -> str:
    counts = Counter((str(row.outcome), str(row.grade)) for row in review.rows)
    items = [
        f'<li><span class="{outcome}">{outcome}</span> {escape(grade)}: {number}</li>'
        for (outcome, grade), number in sorted(counts.items(), key=lambda item: (item[0][0], -item[1]))
    ]
    return f'<ul class="counts">{"".join(items)}</ul>'


def _changes(changes: Changes | None) -> str:
    if changes is None:
        return ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in changes.lines())
    return f"<section><h2>Since the earlier run</h2><ul>{lines}</ul></section>"


def _row(row: Row) -> str:
    statement, outcome = row.statement, escape(str(row.outcome))
    repaired = ""
    if row.repaired_by:
        target = escape(row.repaired_by)
        repaired = f'<p>Repaired: <a href="#{target}">{target}</a></p>'
    return (
        f'<article id="{escape(row.id)}"><header><h2>{escape(row.id)}</h2>'
        f'<span class="place">{escape(statement.place)}</span>'
        f'<span class="{outcome}">{outcome}</span><span>{escape(str(row.grade))}</span>'
        f'<span class="seconds">{row.seconds:.2f} s</span></header>'
        f'<p class="printed">{formula_html(statement.printed)}</p>'
        f'<p class="scope">{escape(one_line(row.scope))}</p>'
        f"{_counterexample(row)}{_picture(getattr(statement, 'picture', None))}{repaired}"
        f"{_details(row)}</article>"
    )


def _counterexample(row: Row) -> str:
    found = _shown(row)
    return "" if found is None else counterexample_html(found)


def _shown(row: Row) -> Counterexample | None:
    """The first counterexample of a row that fails: shown above, and not again in the evidence."""
    if str(row.outcome) != "FAILS":
        return None
    return next((v.counterexample for v in row.verdicts if v.counterexample is not None), None)


def _picture(make: object) -> str:
    if not callable(make):
        return ""
    picture: Picture = make()
    if hasattr(picture, "parts"):
        return figure_html(picture.caption, matrices_svg(picture.parts))
    return figure_html(picture.caption, curves_svg(picture.horizontal, picture.at, picture.lines))


def _details(row: Row) -> str:
    statement = row.statement
    parts = []
    for label, texts in (("Read", statement.reading), ("Assumed", statement.assumptions)):
        parts += [f"<p>{label}: {formula_html(text)}</p>" for text in texts]
    for name in getattr(statement, "formal", ()):
        file, theorem = name.split(".")
        what = "Its negation" if str(row.outcome) == "FAILS" else "The statement"
        parts.append(
            f"<p>{what} in Rocq: <code>{escape(theorem)}</code> in <code>rocq/{escape(file)}.v</code></p>"
        )
    above = _shown(row)
    if row.reason and [row.reason] != [of_verdict(verdict).reason for verdict in row.verdicts]:
        parts.append(f"<p>{escape(row.reason)}</p>")
    parts += [verdict_html(verdict, above=above) for verdict in row.verdicts[:MOST_VERDICTS]]
    if len(row.verdicts) > MOST_VERDICTS:
        parts.append(f'<p class="note">and {len(row.verdicts) - MOST_VERDICTS} verdicts more</p>')
    return f"<details><summary>evidence</summary>{''.join(parts)}</details>"
