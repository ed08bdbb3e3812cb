"""The style sheet and script of a report page: light and dark, phone, paper."""

#: The style of formulas, with or without a font for mathematics.
MATHEMATICS = """
math { font-size: 1.1em; font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math",
  "TeX Gyre Pagella Math", "DejaVu Math TeX Gyre", math, serif; }
/* Scripts are placed by these rules: without a font for mathematics, browsers misplace them. */
math :is(msub, msup, msubsup, munder, munderover):not(:has(> :first-child :is(mtable, mfrac))) {
  display: inline-grid; align-items: baseline;
  > :not(:first-child) { grid-column: 2; grid-row: 1; font-size: .72em; position: relative; }
  &:not(msup) > :nth-child(2) { top: .35em; }
  > :nth-child(3), &:is(msup) > :nth-child(2) { top: -.6em; }
}
"""

STYLE = (
    """
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f4f5f7; --ink: #1b1f24; --mute: #59616b;
  --ok: #11713a; --no: #b3261e; --open: #8a5a00; --mark: #ffe08a; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3c4148; --soft: #22262b; --ink: #e8eaed; --mute: #a3abb5;
    --ok: #62d08f; --no: #ff8a80; --open: #f2c14e; --mark: #6b5200; --back: #15181c; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: .5rem 0; }
h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
a { color: inherit; } h2 a { text-decoration: none; } h2 a:hover { text-decoration: underline; }
.source { border-left: 3px solid var(--line); padding-left: .8rem; margin: .6rem 0; color: var(--mute); }
.source h2 { color: var(--ink); } .source p { margin: .2rem 0; }
.controls { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: center; margin: .6rem 0; }
.controls[hidden], article[hidden] { display: none; }
.kind { border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .6rem; cursor: pointer; }
.controls input[type=search] { font: inherit; width: 13rem; padding: .15rem .4rem; }
details { margin: .3rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; } dd { margin: 0; }
article:target { background: var(--soft); box-shadow: 0 0 0 .5rem var(--soft); }
article { border-top: 1px solid var(--line); padding: .8rem 0; break-inside: avoid-page; }
article > header { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; }
article p { margin: .3rem 0; overflow: auto hidden; overflow-wrap: anywhere; }
.place, .seconds, .scope, figcaption, .note { color: var(--mute); font-size: .9rem; }
.printed { font-size: 1.05rem; }
.printed, .sides > div, .table, figure { overflow: auto hidden; padding-block: .25rem; }
.HOLDS { color: var(--ok); font-weight: 600; }
.FAILS { color: var(--no); font-weight: 600; }
.UNDECIDED { color: var(--open); font-weight: 600; }
"""
    + MATHEMATICS
    + """
math .mark, svg .mark { background: var(--mark); }
.sides { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; margin: .3rem 0; align-items: center; }
.sides > div { max-width: 100%; }
.table { margin: .3rem 0; }
table.steps { border-collapse: collapse; font-size: .95rem; }
table.steps th { font-weight: 600; color: var(--mute); }
table.steps th, table.steps td { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0;
  border-bottom: 1px solid var(--line); }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; white-space: pre-wrap; font-size: .85rem; }
summary { cursor: pointer; color: var(--mute); }
figure { margin: .5rem 0; }
svg { max-width: 100%; height: auto; }
svg .cell, svg .none { stroke: var(--line); } svg .none { fill: none; stroke-dasharray: 2; }
svg .mark { fill: none; stroke: var(--no); stroke-width: 2.5; }
svg .still { fill: none; stroke: var(--mute); stroke-width: 1.5; stroke-dasharray: 3 2; }
svg .moves { fill: none; stroke: #d0632a; stroke-width: 2.5; }
.element svg { vertical-align: middle; margin-left: .4em; } math mtd { padding: .25em .45em; }
mtable.matrix { border: solid currentColor; border-width: 0 1.5px; border-radius: .4em; padding: 0 .15em; }
svg .axis { fill: none; stroke: var(--mute); } svg .label { font-size: 12px; fill: var(--mute); }
@media print {
  body { font-size: 10.5pt; max-width: none; padding: 0; }
  summary, .controls, pre.code { display: none; }
}
"""
)

#: Filters, search, and opening of folded parts before printing; the page is readable without it.
SCRIPT = """
const form = document.querySelector(".controls"), rows = [...document.querySelectorAll("article")];
const text = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));
function show() {
  const kinds = new Set([...form.querySelectorAll(":checked")].map(box => box.value));
  const words = form.querySelector("[type=search]").value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const row of rows)
    row.hidden = !kinds.has(row.dataset.kind) || !words.every(word => text.get(row).includes(word));
  const shown = rows.filter(row => !row.hidden).length;
  form.querySelector("output").textContent = shown < rows.length ? `${shown} of ${rows.length} rows` : "";
}
function reveal() {
  const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (row) { row.hidden = false; row.scrollIntoView(); }
}
form.hidden = false;
form.addEventListener("input", show);
form.addEventListener("submit", event => event.preventDefault());
addEventListener("hashchange", reveal);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
"""
