"""The profile of a model as data, as a table, and as a plot."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from eqvproof.engines.verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Largest numbers of rows, and of characters of a path, in a table.
MOST_ROWS, LONGEST_PATH = 19, 34
#: The heads of the columns of a table.
HEAD = ("submodule", "kind", "moved as", "error", "rounding", "alone", "")


class Status(Enum):
    """Tells whether a submodule keeps a symmetry; each value is the remark in a table."""

    KEEPS = ""
    BREAKS = "breaks the symmetry"
    INHERITS = "inherits the error"
    UNKNOWN = "moved in no way that is known"


@dataclass(frozen=True, slots=True, eq=False)
class ProfileRow:
    """Holds what was measured at the result of one submodule, or at one line.

    Attributes:
        path: the path of the submodule in the model, "" for the model itself; or the line.
        kind: the class of the submodule, or the operation.
        call: counts the calls of this submodule, from 1.
        result: counts the arrays of its result, from 1.
        way: how the group moves the result, as a signature writes it, which was measured and not
            claimed (of the model itself: as claimed), with axes in brackets that some matrix mixes;
            "" if no way fits.
        error: ``|h(g x) - g h(x)| / max(|h(g x)|, |g h(x)|)`` for the result h, in the dtype of
            the data; the greatest over the elements that were tried.
        rounding: the part of the error that rounding explains, measured.
        status: what these show.
        place: where in the submodule the symmetry breaks, if not in all of it; else "".
        alone: the verdict on the submodule alone, if its arguments and results are moved in plain
            ways; else None.
    """

    path: str
    kind: str
    call: int
    result: int
    way: str
    error: float
    rounding: float
    status: Status
    place: str = ""
    alone: Verdict | None = None

    @property
    def name(self) -> str:
        """The path, with the numbers of the call and of the result where these are not 1."""
        name = self.path or "(model)"
        if self.call > 1:
            name += f" call {self.call}"
        if self.result > 1:
            name += f" result {self.result}"
        return name

    @property
    def grade(self) -> str:
        """Outcome and grade of the verdict on the submodule alone; "" if there is none."""
        if self.alone is None:
            return ""
        return f"{self.alone.outcome} {self.alone.grade}".strip()


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The errors of the symmetry of a model on data, by its submodules.

    Attributes:
        rows: one for each array that a submodule returns, in the order in which they are computed.
        first: the row of the first submodule that breaks the symmetry; None if the result of the
            model keeps it up to rounding, or if no plain way of the arrays inside tells.
        is_confirmed: whether the symmetry of the model holds on the data once the results of all
            submodules that break it are replaced by ones that are moved as their rows say, by each
            factor of the group. Else the rows show what is likely.
        error: the error of the result of the model.
        rounding: the part that rounding explains.
        dtype: the dtype of the data.
        element: the first group element that was tried, in words.
        signature: the typing of the claim.
        under: the group.
    """

    rows: tuple[ProfileRow, ...]
    first: ProfileRow | None
    is_confirmed: bool
    error: float
    rounding: float
    dtype: str
    element: str
    signature: str
    under: str

    @property
    def holds(self) -> bool:
        """True if the error of the result is no more than rounding explains."""
        return self.rows[-1].status is Status.KEEPS

    def __str__(self) -> str:
        """Returns a table of at most 25 lines."""
        table = [HEAD, *(_cells(row) for row in self._shown())]
        widths = [max(len(line[k]) for line in table) for k in range(len(HEAD))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        ]
        left = len(self.rows) - (len(table) - 1)
        if left:
            lines.append(f"... and {left} more rows with smaller errors")
        return "\n".join([*lines, *self._words()])

    def _shown(self) -> Sequence[ProfileRow]:
        """Returns the rows of a table: all, or those with the largest errors, in order."""
        if len(self.rows) <= MOST_ROWS:
            return self.rows
        needed = {id(self.rows[-1]), id(self.first)}
        order = sorted(self.rows, key=lambda row: (id(row) not in needed, -row.error))
        chosen = {id(row) for row in order[:MOST_ROWS]}
        return [row for row in self.rows if id(row) in chosen]

    def _words(self) -> list[str]:
        """Returns the result in a few lines."""
        claim = f"{self.signature} under {self.under}, in {self.dtype}"
        if self.holds:
            return [f"rounding explains the error of the model: {claim}"]
        if self.first is None:
            why = "no plain way in which arrays inside are moved tells where"
            return [f"the symmetry is broken: {claim}", f"  {why}"]
        where = self.first.name + f" ({self.first.place})" * bool(self.first.place)
        lines = [f"first that breaks the symmetry: {where}: {claim}"]
        if not self.is_confirmed:
            return [*lines, "  (likely: what follows does not tell how its result is to be moved)"]
        others = sum(row.status is Status.BREAKS for row in self.rows) - 1
        text = f"  if this layer were equivariant ({self.first.way}), so would the model be"
        if others:
            text += f", up to {others} more"
        return [*lines, text]

    def _repr_html_(self) -> str:
        cells = [
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(row)) + "</tr>"
            for row in self._shown()
        ]
        head = "<tr>" + "".join(f"<th>{name}</th>" for name in HEAD) + "</tr>"
        words = "<br>".join(html.escape(line) for line in self._words())
        return f"<table>{head}{''.join(cells)}</table><p>{words}</p>"

    def plot(self, *, figure: Figure | None = None) -> Figure:
        """Draws errors and what rounding explains of them, by submodule.

        Args:
            figure: draw into this one.

        Raises:
            BackendError: matplotlib is not installed (the extra ``plots``).
        """
        from eqvproof.interface.plots import profile

        return profile(self, figure=figure)


def _cells(row: ProfileRow) -> tuple[str, ...]:
    """Returns the cells of a row of a table."""
    name = row.name
    if len(name) > LONGEST_PATH:
        name = "..." + name[3 - LONGEST_PATH :]
    remark = row.status.value + f": {row.place}" * bool(row.place)
    return (name, row.kind, row.way or "?", _number(row.error), _number(row.rounding),
            row.grade, remark)  # fmt: skip


def _number(value: float) -> str:
    if value:
        return f"{value:.1e}"
    return "0"
