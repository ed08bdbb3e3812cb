"""A review as one HTML page that needs no other file."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from eqvproof.report.formulas import formula_html
from eqvproof.report.matrices import matrix_html
from eqvproof.report.style import SCRIPT, STYLE
from eqvproof.report.svg import curves_svg, matrices_svg
from eqvproof.report.table import one_line, summary

if TYPE_CHECKING:
    from eqvproof.report.changes import Changes
    from eqvproof.statements import Review, Row
    from eqvproof.statements.pictures import Picture
    from eqvproof.verdict import Verdict
    from eqvproof.verdict.counterexample import Counterexample

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
    return f"""<!DOCTYPE html>
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
"""


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
    """The first counterexample of a row that fails."""
    if str(row.outcome) != "FAILS":
        return ""
    return next((_point(v.counterexample) for v in row.verdicts if v.counterexample is not None), "")


def _point(found: Counterexample) -> str:
    sizes = ", ".join(f"{name} = {size}" for name, size in found.sizes.items())
    parts = [f"<div>{escape(name)} = {matrix_html(value)}</div>" for name, value in found.inputs.items()]
    if found.words:
        parts.append(f"<div>g = {escape(found.words)}</div>")
    sides = [
        f"<div>{escape(label)} = {matrix_html(value, found.entry)}</div>"
        for label, value in zip(found.labels, (found.left, found.right), strict=True)
    ]
    drawn = ""
    if found.left.ndim in (1, 2) and max(found.left.shape, default=0) >= 3:
        shown = {
            **dict(zip(found.labels, (found.left, found.right), strict=True)),
            "difference": found.residual,
        }
        drawn = _figure("both sides, and their difference", matrices_svg(shown, found.entry))
    return (
        f'<div class="sides">{f"<div>{escape(sizes)}:</div>" if sizes else ""}{"".join(parts)}</div>'
        f'<div class="sides">{"".join(sides)}</div>{drawn}'
    )


def _picture(make: object) -> str:
    if not callable(make):
        return ""
    picture: Picture = make()
    if hasattr(picture, "parts"):
        return _figure(picture.caption, matrices_svg(picture.parts))
    return _figure(picture.caption, curves_svg(picture.horizontal, picture.at, picture.lines))


def _figure(caption: str, drawing: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>" if drawing else ""


def _details(row: Row) -> str:
    statement = row.statement
    parts = []
    for label, texts in (("Read", statement.reading), ("Assumed", statement.assumptions)):
        parts += [f"<p>{label}: {formula_html(text)}</p>" for text in texts]
    if row.reason:
        parts.append(f"<p>{escape(row.reason)}</p>")
    parts += [_verdict(verdict) for verdict in row.verdicts[:MOST_VERDICTS]]
    if len(row.verdicts) > MOST_VERDICTS:
        parts.append(f'<p class="note">and {len(row.verdicts) - MOST_VERDICTS} verdicts more</p>')
    return f"<details><summary>evidence</summary>{''.join(parts)}</details>"


def _verdict(verdict: Verdict) -> str:
    outcome = escape(str(verdict.outcome))
    head = (
        f'<p><span class="{outcome}">{outcome}</span> {escape(str(verdict.grade))}: {escape(verdict.claim)}'
    )
    parts = [f"{head}, {escape(one_line(verdict.scope))}</p>"]
    if verdict.reason:
        parts.append(f"<p>{escape(verdict.reason)}</p>")
    if verdict.derivation:
        steps = "".join(f"<li>{escape(line.strip())}</li>" for line in verdict.derivation)
        parts.append(f'<ol class="steps">{steps}</ol>')
    if verdict.counterexample is not None:
        parts.append(_point(verdict.counterexample))
        if verdict.counterexample.code():
            parts.append(f'<pre class="code">{escape(verdict.counterexample.code())}</pre>')
    parts += [f'<p class="note">Note: {escape(note)}</p>' for note in verdict.notes]
    if verdict.certificate is not None:
        digest = str(verdict.certificate.get("digest", ""))
        parts.append(f'<p class="note">certificate {escape(digest[:23])}…</p>')
    return "".join(parts)
