"""Steps of proofs, and the values of a Program, as tables of formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from eqvproof.support.display.formulas import formula_html
from eqvproof.support.display.step import Step

_NUMBERED = re.compile(r"\bv(\d+)\b")
_PRODUCT = re.compile(r"\) x (?=[A-Z])")
_SIZED = re.compile(r"\s*,\s*")


def steps_html(lines: Iterable[str]) -> str:
    """Returns the lines of a derivation as HTML: sentences as paragraphs, steps as table rows."""
    pieces: list[str] = []
    rows: list[str] = []

    def close() -> None:
        if rows:
            pieces.append(_table(("value", "shape", "under the group", "rule"), rows))
            rows.clear()

    for line in lines:
        if not isinstance(line, Step):
            close()
            pieces.append(f"<p>{math_html(line.strip())}</p>")
            continue
        value, shape, effect, rule = line.parts
        rows.append(
            f"<tr><td>{math_html(value)}</td><td>{shape_html(shape)}</td>"
            f"<td>{math_html(effect)}</td><td>{escape(rule)}</td></tr>"
        )
    close()
    return "".join(pieces)


def program_html(inputs: Sequence[str], values: Iterable[tuple[str, str]]) -> str:
    """Returns the values of a Program with their shapes as HTML, in the order of computation."""
    rows = [
        f"<tr><td>{math_html(text)}</td><td>{shape_html(shape)}</td></tr>" for text, shape in values
    ]
    taken = math_html(", ".join(inputs) or "no input")
    head = f"<p>A Program of {taken}; the result is {math_html('y')}.</p>"
    return head + _table(("value", "shape"), rows)


def math_html(text: str) -> str:
    """Returns prose with formulas as HTML, where v1, v2, ... are names of values.

    Products of groups are written with a multiplication sign.
    """
    return formula_html(_NUMBERED.sub(r"v_{\1}", _PRODUCT.sub(") × ", text)))


def shape_html(shape: str) -> str:
    """Returns ``n, d`` as n × d; for a scalar, the word."""
    sizes = [s for s in _SIZED.split(shape.strip()) if s]
    if sizes:
        return " × ".join(math_html(s) for s in sizes)
    return "scalar"


def _table(headings: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in headings)
    body = "".join(rows)
    return (
        f'<div class="table"><table class="steps"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
