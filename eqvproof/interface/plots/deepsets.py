"""Errors of Deep Sets against the number of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from eqvproof.interface.plots.canvas import COLOURS, new_figure
from eqvproof.support.errors import ShapeError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKERS = "osD^vP"


def deepsets_error(
    n: Sequence[int],
    errors: Mapping[str, Sequence[float]],
    *,
    bounds: Mapping[str, Sequence[float]] | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Plots errors against n, both on logarithmic scales; proved bounds are dashed.

    Args:
        n: numbers of points.
        errors: by label, one error for each n; 0 is drawn on the lowest line and labelled so, NaN
            (not decoded) is omitted.
        bounds: by the same labels, proved bounds.
        figure: draw into this one.

    Raises:
        ShapeError: not one error for each n.
        BackendError: matplotlib is not installed.
    """
    bounds = bounds or {}
    for label, values in (*errors.items(), *bounds.items()):
        if len(values) != len(n):
            raise ShapeError(
                f"{label}: {len(values)} values",
                expected=f"one for each of {len(n)} numbers n",
                given=str(len(values)),
                hint="give one value for each n",
            )
    drawn = new_figure(figure, 6.0, 4.0)
    axes = drawn.subplots()
    every = [
        v
        for values in (*errors.values(), *bounds.values())
        for v in values
        if np.isfinite(v) and v > 0
    ]
    exact = 10.0 ** np.floor(np.log10(min(every, default=1e-16)) - 1)
    has_zeros = any(v == 0 for values in errors.values() for v in values)
    for k, (label, values) in enumerate(errors.items()):
        heights = [float(v) or exact for v in values]
        colour = COLOURS[k % len(COLOURS)]
        axes.plot(
            n, heights, MARKERS[k % len(MARKERS)] + "-", color=colour, label=label, markersize=5
        )
        if label in bounds:
            limits = [float(v) for v in bounds[label]]
            axes.plot(n, limits, "--", color=colour, label=f"{label}: proved bound")
    axes.set_xscale("log")
    axes.set_yscale("log")
    if has_zeros:
        axes.axhline(exact, linewidth=0.8, color="#808080")
        axes.annotate(
            "exactly 0", (1.0, exact), xycoords=("axes fraction", "data"), ha="right", va="bottom"
        )
    axes.set_xlabel("number of points n")
    axes.set_ylabel("error")
    axes.grid(visible=True, color="#80808055", linewidth=0.6)
    axes.legend(fontsize="small")
    return drawn
