"""Verdicts and counterexamples as HTML, for notebooks and reports.

The entry that differs is marked.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from eqvproof.engines.verdict.elements import elements_html
from eqvproof.engines.verdict.matrices import matrix_html
from eqvproof.engines.verdict.svg import matrices_svg
from eqvproof.engines.verdict.text import one_line
from eqvproof.support.display import steps_html

if TYPE_CHECKING:
    from eqvproof.engines.verdict.counterexample import Counterexample
    from eqvproof.engines.verdict.verdict import Verdict


def verdict_html(verdict: Verdict, *, above: Counterexample | None = None) -> str:
    """Returns a verdict as HTML: the claim, the counterexample or proof, and notes.

    A counterexample that is already shown above is left out.
    """
    outcome, scope = escape(str(verdict.outcome)), escape(one_line(verdict.scope))
    grade = escape(verdict.headline.removeprefix(verdict.outcome).replace(", ", " ", 1))
    said = ", ".join(filter(None, (escape(verdict.claim) if verdict.signature else "", scope)))
    parts = [f'<p><span class="{outcome}">{outcome}</span>{grade}{": " if said else ""}{said}</p>']
    if verdict.reason:
        parts.append(f"<p>{escape(verdict.reason)}</p>")
    if verdict.derivation:
        parts.append(steps_html(verdict.derivation))
    if verdict.elsewhere is not None:
        off = verdict.elsewhere
        parts.append(f"<p>Elsewhere: {escape(off.headline)}, {escape(off.scope)}</p>")
    if verdict.counterexample is not None:
        if verdict.counterexample is not above:
            parts.append(counterexample_html(verdict.counterexample))
        if verdict.counterexample.code():
            parts.append(
                "<details><summary>code that shows it</summary>"
                f'<pre class="code">{escape(verdict.counterexample.code())}</pre></details>'
            )
    parts += [f'<p class="note">Note: {escape(note)}</p>' for note in verdict.notes]
    if verdict.certificate is not None:
        digest = str(verdict.certificate.get("digest", ""))
        parts.append(f'<p class="note">certificate {escape(digest[:23])}…</p>')
    return "".join(parts)


def counterexample_html(found: Counterexample) -> str:
    """Returns a counterexample as HTML: sizes, inputs, group element, and both sides."""
    sizes = found.sizes_text
    parts = [
        f"<div>{escape(name)} = {matrix_html(value)}</div>" for name, value in found.inputs.items()
    ]
    element = ""
    if found.words:
        moved = "".join(
            f"<div>g {escape(name)} = {matrix_html(value)}</div>"
            for name, value in found.moved.items()
        )
        element = f'<div class="sides"><div>g: {escape(found.words)}</div>{moved}</div>'
        element += elements_html(found.element)
    labelled = dict(zip(found.labels, (found.left, found.right), strict=True))
    sides = [
        f"<div>{escape(label)} = {matrix_html(value, found.entry)}</div>"
        for label, value in labelled.items()
    ]
    drawn = ""
    if found.left.ndim in (1, 2) and max(found.left.shape, default=0) >= 3:
        drawn = figure_html(
            "both sides, and their difference",
            matrices_svg({**labelled, "difference": found.residual}, found.entry),
        )
    return (
        f'<div class="sides">{f"<div>{escape(sizes)}:</div>" if sizes else ""}{"".join(parts)}</div>'
        f'{element}<div class="sides">{"".join(sides)}</div>{drawn}'
    )


def figure_html(caption: str, drawing: str) -> str:
    """Returns a picture with its caption as HTML; "" without a picture."""
    if drawing:
        return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"
    return ""
