"""A review as one HTML page that needs no other file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from eqvproof.report.table import one_line, summary

if TYPE_CHECKING:
    from eqvproof.statements import Review, Row

_STYLE = """
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f4f5f7; }
:root { --ok: #11713a; --no: #b3261e; --open: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3c4148; --soft: #22262b; --ok: #62d08f; --no: #ff8a80; --open: #f2c14e; }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
td.seconds { text-align: right; font-variant-numeric: tabular-nums; }
td.id { overflow-wrap: anywhere; }
.HOLDS { color: var(--ok); font-weight: 600; }
.FAILS { color: var(--no); font-weight: 600; }
.UNDECIDED { color: var(--open); font-weight: 600; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; white-space: pre-wrap; font-size: .85rem; }
summary { cursor: pointer; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .1rem 0; }
  td.seconds { text-align: left; }
  td.seconds::after { content: " s"; }
}
"""


def review_page(review: Review, title: str = "Review") -> str:
    """The rows of a review with their verdicts in full, as an HTML document."""
    rows = "\n".join(_row(row) for row in review.rows)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(title)}</h1>
<p>{escape(" ".join(summary(review)))}</p>
<table>
<thead><tr><th>statement</th><th>outcome</th><th>grade</th><th>seconds</th><th>scope</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""


def _row(row: Row) -> str:
    outcome = escape(str(row.outcome))
    repaired = ""
    if row.repaired_by:
        repaired = f'<p>repaired: <a href="#{escape(row.repaired_by)}">{escape(row.repaired_by)}</a></p>'
    return (
        f'<tr id="{escape(row.id)}"><td class="id">{escape(row.id)}</td><td class="{outcome}">{outcome}</td>'
        f'<td>{escape(str(row.grade))}</td><td class="seconds">{row.seconds:.2f}</td>'
        f"<td>{escape(one_line(row.scope))}{repaired}{_details(row)}</td></tr>"
    )


def _details(row: Row) -> str:
    statement = row.statement
    parts = [f"<p>{escape(statement.place)}: {escape(statement.printed)}</p>"]
    for label, texts in (("read", statement.reading), ("assumed", statement.assumptions)):
        parts += [f"<p>{label}: {escape(text)}</p>" for text in texts]
    if row.reason:
        parts.append(f"<p>{escape(row.reason)}</p>")
    parts += [f"<pre>{escape(str(verdict))}</pre>" for verdict in row.verdicts]
    return f"<details><summary>in full</summary>{''.join(parts)}</details>"
