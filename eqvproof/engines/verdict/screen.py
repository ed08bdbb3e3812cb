"""Prints verdicts on terminals: as a paragraph, or with claim, evidence and certificate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eqvproof.engines.verdict.counterexample import Counterexample
from eqvproof.engines.verdict.numbers import BALL, array_text, number_text
from eqvproof.engines.verdict.text import brief
from eqvproof.engines.verdict.verdict import Outcome, Verdict
from eqvproof.support.display.layout import STYLES, Item, text_width
from eqvproof.support.errors import EqvproofError
from eqvproof.support.writing import entry_text

#: Largest number of rows or columns of a matrix that is written row by row.
MOST = 12
#: Largest numbers of characters of a counterexample on one line, and of a digest.
LONGEST_LINE, SHOWN = 400, 19


def verdict_screen(verdict: Verdict) -> Iterator[Item]:
    """Yields the paragraph of a verdict."""
    first, *rest = str(verdict).splitlines()
    about = first.removeprefix(f"{verdict.headline}: ")
    yield headline_item(verdict.headline, about, verdict.outcome)
    yield from (Item(line.strip(), indent=len(line) - len(line.lstrip())) for line in rest)


def headline_item(headline: str, text: str, outcome: Outcome) -> Item:
    """Returns the headline of a verdict or a row, coloured by its outcome, and text after it."""
    if text:
        headline += ": "
    return Item(text, headline, style=STYLES[outcome])


def explanation_screen(verdict: Verdict) -> Iterator[Item]:
    """Yields the verdict, the claim with its interpretation, proof or counterexample, certificate."""
    yield headline_item(verdict.headline, verdict.scope, verdict.outcome)
    yield from evidence_screen(verdict)


def evidence_screen(verdict: Verdict) -> Iterator[Item]:
    """Yields all that `explanation_screen` does after its first line."""
    if verdict.signature:
        yield Item(verdict.claim, "Claim:    ", style="bold")
        yield from (Item(line, "  - ") for line in interpretation(verdict))
    if verdict.reason:
        yield Item(verdict.reason, "Reason:   ", style="bold")
    if verdict.counterexample is not None:
        yield from counterexample_screen(verdict.counterexample)
    if verdict.elsewhere is not None:
        text = f"{verdict.elsewhere.headline}, {verdict.elsewhere.scope}"
        yield Item(text, "Elsewhere: ", style="bold")
    yield from (Item(line, "Nearest:  ", style="bold") for line in verdict.nearest_lines())
    if verdict.derivation:
        yield Item("Proof:", style="bold")
        yield from (
            Item(line.strip(), indent=2 + len(line) - len(line.lstrip()))
            for line in verdict.derivation
        )
    yield from (Item(note, "Note:     ", style="bold") for note in verdict.notes)
    if verdict.certificate is None:
        digest = ""
    else:
        digest = str(verdict.certificate["digest"])
    if digest:
        yield Item(
            f"{digest[:SHOWN]}..., re-checked by `eqvproof verify`", "Certificate: ", style="bold"
        )


def interpretation(verdict: Verdict) -> Iterator[str]:
    """Yields the interpretation of a claim: the arguments and axes on which the group acts."""
    from eqvproof.claims.groups import parse_group
    from eqvproof.claims.groups.flips import with_flips
    from eqvproof.claims.signature import parse_form

    try:
        form = with_flips(parse_form(verdict.signature), verdict.under)
        if verdict.under:
            group = parse_group(verdict.under, form.signatures[0], each=True)
        else:
            group = None
    except EqvproofError:  # a group of the user's own, which has no name that can be read back
        return
    if group is None:
        yield "f(x) = g(x) for all inputs x"
        return
    for factor in group.factors:
        named = {".".join(leaf.path): leaf.argument for leaf in form.leaves if not leaf.is_size}
        acted = [
            n for n, a in named.items() if any(factor.acts_on(t) for x in a.axes for t in x.terms)
        ]
        relabelled = [
            n for n, a in named.items() if a.indexes == factor.axis and factor.kind.permutes
        ]
        moved = [
            r.name
            for r in form.claimed_results
            if r.shaped and any(factor.acts_on(t) for x in r.shaped.axes for t in x.terms)
        ]
        where = ", ".join([*acted, *(f"what {name} points to" for name in relabelled)])
        single = len(form.claimed_results) == 1
        if moved:
            sides = "f(g x) = g f(x)"
            end = f"and on {'the result' if single else ', '.join(moved)}"
        else:
            sides = "f(g x) = f(x)"
            end = "the result stays" if single else "the results stay"
        yield f"{sides} for every g in {factor}, {factor.record.meaning}: g acts on {where}, {end}"


def counterexample_screen(found: Counterexample) -> Iterator[Item]:
    """Yields a counterexample with its matrices, row by row."""
    where = found.sizes_text and f"at {found.sizes_text}"
    yield Item(where, "Counterexample: ", style="bold")
    yield from (matrix_item(f"{name} = ", value) for name, value in found.inputs.items())
    if found.words:
        yield Item(found.words, "g = ", 2)
    moved = {k: v for k, v in found.moved.items() if array_text(v) != array_text(found.inputs[k])}
    yield from (matrix_item(f"{name} moved by g = ", value) for name, value in moved.items())
    yield from (
        matrix_item(f"{name} = ", s)
        for name, s in zip(found.labels, (found.left, found.right), strict=True)
    )
    if found.left.size > 1:
        left, right = (number_text(side[found.entry]) for side in (found.left, found.right))
        yield Item(
            f"they differ in entry {entry_text(*found.entry)}: {left} against {right}", indent=2
        )


def matrix_item(label: str, value: Any) -> Item:
    """Returns a small matrix as a block of rows with aligned columns; other arrays on one line."""
    array = np.asarray(value, dtype=object)
    block: tuple[str, ...] = ()
    if array.ndim == 2 and array.size and max(array.shape) <= MOST:
        cells = [[number_text(v) for v in row] for row in array]
        widths = [max(text_width(row[j]) for row in cells) for j in range(array.shape[1])]
        block = tuple(
            "["
            + "  ".join(" " * (w - text_width(c)) + c for c, w in zip(row, widths, strict=True))
            + "]"
            for row in cells
        )
    return Item(array_text(array), label, 2, block=block)


def counterexample_line(found: Counterexample) -> str:
    """Writes a counterexample on one line, with rounded balls."""

    def short(value: Any) -> str:
        return BALL.sub(lambda ball: f"~{float(ball['middle']):.6g}", array_text(value))

    parts = [
        found.sizes_text,
        *(f"{name} = {short(value)}" for name, value in found.inputs.items()),
    ]
    if found.words:
        parts.append(f"g = {found.words}")
    sides, where = (short(found.left), short(found.right)), ""
    if sum(map(len, sides)) > LONGEST_LINE // 4 and found.left.size > 1:
        sides = short(found.left[found.entry]), short(found.right[found.entry])
        where = f" in entry {entry_text(*found.entry)}"
    parts += [f"{label} = {side}{where}" for label, side in zip(found.labels, sides, strict=True)]
    return brief("; ".join(filter(None, parts)), LONGEST_LINE)
