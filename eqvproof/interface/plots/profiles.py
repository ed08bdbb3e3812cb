"""Errors of a symmetry by submodules of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from eqvproof.interface.plots.canvas import COLOURS, MARK, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Largest number of rows that are drawn; of more, those with the largest errors are.
MOST_DRAWN = 40


class _Profile(Protocol):
    """The parts of `eqvproof.Profile` that are drawn."""

    @property
    def rows(self) -> Sequence[Any]:
        """The rows."""

    @property
    def first(self) -> Any:
        """The row that is marked, or None."""

    @property
    def dtype(self) -> str:
        """The dtype of the data."""


def profile(given: _Profile, *, figure: Figure | None = None) -> Figure:
    """Draws the errors of a symmetry by submodules, and what rounding explains of them.

    The first submodule that breaks the symmetry is marked. An error of 0 is drawn at the left end.

    Args:
        given: the result of `eqvproof.profile`.
        figure: draw into this one.

    Raises:
        BackendError: matplotlib is not installed.
    """
    chosen = sorted(given.rows, key=lambda row: (row is not given.first, -row.error))[:MOST_DRAWN]
    rows = [row for row in given.rows if any(row is other for other in chosen)]
    drawn = new_figure(figure, 6.5, 1.2 + 0.28 * len(rows))
    axes = drawn.subplots()
    known = [v for row in rows for v in (row.error, row.rounding) if v > 0]
    least = 0.3 * min(known, default=1e-16)
    heights = range(len(rows))
    errors = [max(row.error, least) for row in rows]
    axes.hlines(heights, least, errors, color="#80808055", linewidth=1)
    axes.plot(errors, heights, "o", color=COLOURS[0], label="error")
    axes.plot(
        [max(row.rounding, least) for row in rows], heights, "|", color=COLOURS[1], markersize=11,
        markeredgewidth=2, label="explained by rounding",
    )  # fmt: skip
    if given.first is not None:
        place = next(k for k, row in enumerate(rows) if row is given.first)
        axes.plot(
            [errors[place]], [place], "o", color=MARK, markersize=12, fillstyle="none",
            markeredgewidth=2, label="breaks first",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yticks(list(heights), [row.name[-40:] for row in rows], fontsize="small")
    axes.invert_yaxis()
    axes.set_xlabel(f"relative error of the symmetry, in {given.dtype}")
    axes.grid(visible=True, axis="x", color="#80808055", linewidth=0.6)
    drawn.legend(loc="outside lower center", ncols=3, fontsize="small")
    return drawn
