"""Shared parts of plots: the figure, the colours, matrices as shaded and numbered cells."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.engines.verdict.numbers import float_of, number_text
from eqvproof.support.errors import ShapeError
from eqvproof.support.optional import installed, required

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours of lines, readable on white and on black.
COLOURS = ("#3b7dd8", "#d0632a", "#2f9e5b", "#a06ad0", "#c23b75", "#8a8a2a")
MARK = "#e0218a"
#: Colours of negative values, zero, and positive values.
SHADES = ("#2f5fa5", "#f4f4f4", "#b4570f")
UNDEFINED = "#8c8c8c"
#: Most rows or columns of a matrix with numbers in its cells, and of one that can be drawn.
NUMBERED, MOST = 12, 400
#: Most characters of a number in a cell; longer ones are rounded.
LONGEST = 7


def new_figure(figure: Figure | None, width: float, height: float) -> Figure:
    """Returns the given figure, or a new one of a size in inches that a notebook can show.

    Raises:
        BackendError: matplotlib is not installed.
    """
    required("matplotlib", extra="plots", purpose="a plot")
    if figure is not None:
        return figure
    import matplotlib
    from matplotlib.figure import Figure as New

    if "ipykernel" in sys.modules and "inline" in matplotlib.get_backend():
        # its import configures how the notebook shows figures
        installed("matplotlib_inline.backend_inline")

    return New(figsize=(width, height), layout="constrained")


def as_plane(values: Any) -> NDArray[Any]:
    """Reshapes an array into a matrix: a vector becomes a row.

    The matrices of an array of more than two axes are placed below each other.

    Raises:
        ShapeError: nothing to draw, or too much.
    """
    array = np.asarray(values, dtype=object)
    plane = array.reshape((-1, array.shape[-1])) if array.ndim else array.reshape((1, 1))
    if not plane.size or max(plane.shape) > MOST:
        raise ShapeError(
            "this array cannot be drawn",
            given=f"shape {array.shape}",
            expected=f"1 to {MOST} rows and columns",
            hint="draw a smaller part of it",
        )
    return plane


def place_in_plane(shape: tuple[int, ...], entry: tuple[int, ...]) -> tuple[int, int]:
    """Returns the row and column of an array's entry in `as_plane`."""
    if not shape:
        return 0, 0
    flat = int(np.ravel_multi_index(entry, shape))
    return flat // shape[-1], flat % shape[-1]


def as_floats(plane: NDArray[Any]) -> NDArray[np.float64]:
    """Converts the values to floats for drawing; NaN if undefined."""
    return np.array([[float_of(v) for v in row] for row in plane])


def draw_matrix(
    axes: Axes,
    values: Any,
    title: str,
    *,
    top: float | None = None,
    mark: tuple[int, ...] | None = None,
) -> Any:
    """Draws a matrix as cells shaded from negative to positive; undefined ones are grey.

    Small matrices have the numbers in their cells.

    Args:
        axes: where to draw.
        values: an array of at most a few hundred rows and columns.
        title: above it.
        top: the absolute value with the strongest shade; absent: the largest one.
        mark: the index of an entry to draw a frame around.

    Returns:
        The image.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    array = np.asarray(values, dtype=object)
    plane = as_plane(array)
    numbers = as_floats(plane)
    limit = top or float(np.max(np.abs(numbers[np.isfinite(numbers)]), initial=0.0)) or 1.0
    colours = LinearSegmentedColormap.from_list("eqvproof", SHADES).with_extremes(bad=UNDEFINED)
    image = axes.imshow(numbers, cmap=colours, vmin=-limit, vmax=limit, interpolation="nearest")
    axes.set_title(title, fontsize="medium")
    rows, columns = plane.shape
    if max(rows, columns) <= NUMBERED:
        axes.set_xticks(range(columns), [str(j + 1) for j in range(columns)])
        axes.set_yticks(range(rows), [str(i + 1) for i in range(rows)])
        for (i, j), value in np.ndenumerate(plane):
            colour = "white"
            if abs(numbers[i, j]) <= 0.6 * limit:
                colour = "black"
            text = cell_text(value)
            axes.text(j, i, text, ha="center", va="center", fontsize="small", color=colour)
    axes.tick_params(length=0, labelsize="small")
    if mark is not None:
        i, j = place_in_plane(array.shape, mark)
        axes.add_patch(
            Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=MARK, linewidth=2.5)
        )
    return image


def cell_text(value: Any) -> str:
    """Writes a number short enough for a cell."""
    text = number_text(value)
    if value is None:
        return "undef."
    if len(text) <= LONGEST:
        return text.replace("-", "−")
    return f"≈{float_of(value):.3g}".replace("-", "−")
