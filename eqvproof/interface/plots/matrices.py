"""Counterexamples and coefficients as shaded matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.engines.verdict import Counterexample, Verdict
from eqvproof.interface.plots.canvas import as_floats, as_plane, draw_matrix, new_figure
from eqvproof.support.errors import EqvproofError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Width and height of a panel in inches.
WIDTH, HEIGHT = 2.4, 2.3


def counterexample(verdict: Verdict | Counterexample, *, figure: Figure | None = None) -> Figure:
    """Draws a counterexample: x and g x above; f(g x), g f(x) and their difference below.

    A frame marks the entry that differs.

    Args:
        verdict: a verdict that fails, or its counterexample.
        figure: draw into this one.

    Returns:
        One row of panels for each input (before and after the group element), and one for the two
        sides, with one scale per row. The matrices of arrays of more than two axes are drawn below
        each other.

    Raises:
        EqvproofError: the verdict has no counterexample.
        ShapeError: an array is empty or too large.
        BackendError: matplotlib is not installed.
    """
    found: Any = verdict
    given = type(verdict).__name__
    if isinstance(verdict, Verdict):
        found, given = verdict.counterexample, f"a verdict {verdict.outcome}"
    if not isinstance(found, Counterexample):
        raise EqvproofError(
            "there is no counterexample to draw",
            given=given,
            expected="a verdict that FAILS, or its counterexample",
            code="plots.counterexample",
            hint="draw verdicts for which verdict.fails is true",
        )
    rows: list[dict[str, Any]] = []
    for name, value in found.inputs.items():
        rows.append({name: value})
        if name in found.moved:
            rows[-1][f"g {name}"] = found.moved[name]
    rows.append({found.labels[0]: found.left, found.labels[1]: found.right})
    rows[-1]["difference"] = found.residual
    drawn = new_figure(figure, WIDTH * 3, HEIGHT * len(rows) + 0.6)
    grid = drawn.subplots(len(rows), 3, squeeze=False)
    marks: list[Any] = [None] * (len(rows) - 1) + [found.entry]
    for k, row in enumerate(rows):
        top = max(_largest(v) for v in row.values())
        for axes, (label, value) in zip(grid[k], row.items(), strict=False):
            draw_matrix(axes, value, label, top=top, mark=marks[k])
        for axes in grid[k][len(row) :]:
            axes.set_axis_off()
    title = found.sizes_text
    if found.words:
        title = f"g: {found.words}   ({title})"
    drawn.suptitle(title, fontsize="medium")
    return drawn


def coefficients(given: Any, *, figure: Figure | None = None) -> Figure:
    """Draws the coefficient map C of f(X) = X C as a shaded matrix.

    Entry (i, j) is the weight of x_i in column j of f(X).

    Args:
        given: the result of `eqvproof.coefficients`, or a matrix C.
        figure: draw into this one.

    Raises:
        DomainError: a column of f(X) lies outside the span of X: there is no C.
        ShapeError: C is empty or too large.
        BackendError: matplotlib is not installed.
    """
    matrix = np.asarray(given, dtype=object)
    drawn = new_figure(figure, 4.6, 4.0)
    axes = drawn.subplots()
    image = draw_matrix(axes, matrix, "f(X) = X C")
    axes.set_xlabel("column j of f(X)")
    axes.set_ylabel("column i of X")
    drawn.colorbar(image, ax=axes, label="coefficient C[i, j]")
    return drawn


def _largest(values: Any) -> float:
    numbers = as_floats(as_plane(values))
    return float(np.max(np.abs(numbers[np.isfinite(numbers)]), initial=0.0))
