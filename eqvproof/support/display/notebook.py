"""The style of HTML fragments for pages without styles, such as notebooks; light and dark."""

from __future__ import annotations

from eqvproof.support.writing import visible

#: A style for pages that have none of their own, such as notebooks; light and dark.
STYLE = """<style>
.eqvproof { --eqv-ok: #11713a; --eqv-no: #b3261e; --eqv-open: #8a5a00; --eqv-soft: #8883;
  --eqv-mark: #ffd54f80; line-height: 1.45; max-width: 60rem; }
@media (prefers-color-scheme: dark) {
  .eqvproof { --eqv-ok: #4fc47d; --eqv-no: #ff7b70; --eqv-open: #e0ad3c; } }
[data-jp-theme-light="true"] .eqvproof, [data-theme="light"] .eqvproof {
  --eqv-ok: #11713a; --eqv-no: #b3261e; --eqv-open: #8a5a00; }
[data-jp-theme-light="false"] .eqvproof, [data-theme="dark"] .eqvproof {
  --eqv-ok: #4fc47d; --eqv-no: #ff7b70; --eqv-open: #e0ad3c; }
.eqvproof .HOLDS { color: var(--eqv-ok); font-weight: 600; }
.eqvproof .FAILS { color: var(--eqv-no); font-weight: 600; }
.eqvproof .UNDECIDED { color: var(--eqv-open); font-weight: 600; }
.eqvproof p { margin: .3rem 0; overflow-wrap: anywhere; }
.eqvproof .note, .eqvproof figcaption { opacity: .75; font-size: .9em; }
.eqvproof .sides { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; align-items: center; margin: .3rem 0; }
.eqvproof .sides > div { overflow-x: auto; max-width: 100%; }
.eqvproof math mtd { padding: .25em .45em; }
.eqvproof mtable.matrix { border: solid currentColor; border-width: 0 1.5px; border-radius: .4em;
  padding: 0 .15em; }
.eqvproof math .mark { background: var(--eqv-mark); }
.eqvproof pre { background: var(--eqv-soft); padding: .6em; overflow-x: auto; }
.eqvproof summary { cursor: pointer; }
.eqvproof figure { margin: .4rem 0; overflow-x: auto; } .eqvproof svg { max-width: 100%; height: auto; }
.eqvproof .element svg { vertical-align: middle; margin-left: .4em; }
.eqvproof svg .mark { fill: none; stroke: var(--eqv-no); stroke-width: 2.5; }
.eqvproof svg .cell { stroke: #8886; } .eqvproof svg .none { fill: none; stroke: #888; stroke-dasharray: 2; }
.eqvproof svg .axis { fill: none; stroke: #8888; }
.eqvproof svg .still { fill: none; stroke: #888; stroke-width: 1.5; stroke-dasharray: 3 2; }
.eqvproof svg .moves { fill: none; stroke: #d0632a; stroke-width: 2.5; }
.eqvproof svg .label { font-size: 12px; fill: currentColor; }
.eqvproof .table { overflow-x: auto; } .eqvproof table { border-collapse: collapse; }
.eqvproof .table th, .eqvproof .table td { text-align: left; padding: .2em .7em; vertical-align: top;
  border-bottom: 1px solid var(--eqv-soft); }
.eqvproof th button { all: unset; cursor: pointer; font-weight: 600; }
.eqvproof th button:focus-visible { outline: 2px solid currentColor; }
.eqvproof th button::after { content: " ↕"; opacity: .5; }
.eqvproof th[aria-sort="ascending"] button::after { content: " ↑"; opacity: 1; }
.eqvproof th[aria-sort="descending"] button::after { content: " ↓"; opacity: 1; }
</style>"""


def in_notebook(inner: str) -> str:
    """Returns a fragment of HTML with the style that it needs."""
    return f'{STYLE}<div class="eqvproof">{visible(inner)}</div>'
