"""Reviews as bar charts of outcomes and grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.engines.verdict import FAILS_GRADES, HOLDS_GRADES
from eqvproof.interface.plots.canvas import new_figure
from eqvproof.support.errors import EqvproofError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from eqvproof.papers.statements import Review

#: Outcome and grade -> colour, from the strongest support to the strongest refutation.
KINDS: dict[str, str] = {
    **dict(
        zip(
            (f"HOLDS {g}" for g in HOLDS_GRADES),
            ("#17703c", "#3fa564", "#86b93f", "#c3c94a"),
            strict=True,
        )
    ),
    "UNDECIDED": "#9a9a9a",
    **dict(
        zip(
            (f"FAILS {g}" for g in reversed(FAILS_GRADES)),
            ("#f0a35e", "#dd6f4b", "#bb2f27"),
            strict=True,
        )
    ),
}


def review(given: Review, *, figure: Figure | None = None) -> Figure:
    """Draws one bar for each kind of statement, divided by outcome and grade.

    Args:
        given: a review.
        figure: draw into this one.

    Raises:
        EqvproofError: the review has no rows.
        BackendError: matplotlib is not installed.
    """
    if not len(given):
        raise EqvproofError(
            "the review has no rows to draw",
            code="plots.review",
            given="a review without statements",
            expected="at least one row",
            hint="review 'all', or an existing prefix of ids",
        )
    kinds = list(dict.fromkeys(row.kind for row in given))
    found = [(row.kind, f"{row.outcome} {row.grade}".strip()) for row in given]
    drawn = new_figure(figure, 7.0, 1.6 + 0.45 * len(kinds))
    from matplotlib.ticker import MaxNLocator

    axes = drawn.subplots()
    left = dict.fromkeys(kinds, 0)
    for outcome, colour in KINDS.items():
        counts = [found.count((kind, outcome)) for kind in kinds]
        if not any(counts):
            continue
        starts = [left[kind] for kind in kinds]
        bars = axes.barh(
            range(len(kinds)), counts, left=starts, color=colour, label=outcome, height=0.7
        )
        texts = [str(c) if c else "" for c in counts]
        axes.bar_label(bars, texts, label_type="center", color=_ink(colour), fontsize="small")
        left = {
            kind: start + count for kind, start, count in zip(kinds, starts, counts, strict=True)
        }
    axes.set_yticks(range(len(kinds)), kinds)
    axes.invert_yaxis()
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("number of statements")
    drawn.legend(loc="outside lower center", ncols=4, fontsize="small")
    return drawn


def _ink(colour: str) -> str:
    """Returns black or white, whichever is readable on a colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    if 0.299 * red + 0.587 * green + 0.114 * blue > 140:
        return "black"
    return "white"
