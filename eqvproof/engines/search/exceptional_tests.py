"""Tests at one point, in floats, whether compared entries tie or eigenvalues coincide there.

No proof rests on them: they select the points that a search tries, and tell at which points a
counterexample lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eqvproof.engines.verdict.scope import ExceptionalSet, PointKind, exceptional_set
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.evaluate.library_functions import are_singular_vectors
from eqvproof.programs.off_ties import ANY, HALF, Tie, off_ties
from eqvproof.support.code_line import NO_LINE, CodeLine
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.trace import Trace

Inputs = Mapping[str, Any]
Sizes = Mapping[str, int]
#: Entries closer to one another than this, relative to the largest, count as equal: a point near a
#: tie is not taken for one off it.
NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class Watched:
    """A value of a Program whose entries may coincide.

    Attributes:
        points: the set of points at which they coincide.
        node: the value, or the matrix whose eigenvalues are compared.
        axis: the axis along which entries are compared; None for eigenvalues.
        extreme: which entries are compared, see `Tie.extreme`.
    """

    points: ExceptionalSet
    node: int
    axis: int | None
    extreme: str = ""


def tied(trace: Trace, tie: Tie) -> ExceptionalSet:
    """Returns the points of a tie in a Program, with the line of the code that compares entries."""
    kinds = {"max": PointKind.GREATEST, "min": PointKind.LEAST, HALF: PointKind.HALVES}
    kind, line = kinds.get(tie.extreme, PointKind.TIES), trace.lines.get(tie.line, NO_LINE)
    return exceptional_set(kind, line, tie.name, has_interior=tie.is_stepwise)


def decomposed(trace: Trace, node: int, line: CodeLine, mark: int | None = None) -> ExceptionalSet:
    """Returns the points at which eigenvectors or singular vectors of a Program are undefined.

    Args:
        trace: the Program.
        node: the vectors.
        line: the line of the decomposition in the code.
        mark: the node of the vectors in the Program of the certificate, if that is another one.
    """
    kind = PointKind.EIGENVALUES
    if are_singular_vectors(trace.program, node):
        kind = PointKind.SINGULAR_VALUES
    return exceptional_set(kind, line, node if mark is None else mark)


def watched(trace: Trace) -> list[Watched]:
    """Returns the values of a Program on whose ties or equal eigenvalues the result may depend."""
    nodes = trace.program.nodes
    found = [
        Watched(tied(trace, tie), tie.node, tie.axis, tie.extreme)
        for tie in off_ties(trace.program)[1]
    ]
    for k, op in enumerate(nodes):
        if op.is_up_to_signs:
            found.append(
                Watched(decomposed(trace, k, trace.lines.get(k, NO_LINE)), op.args[0], None)
            )
    return found


def sets_at(traces: Sequence[Trace], inputs: Inputs, sizes: Sizes) -> tuple[ExceptionalSet, ...]:
    """Returns the exceptional sets to which a point belongs, or to which it is too close.

    Exactness: float64, with a margin of `NEAR`.
    """
    found: list[ExceptionalSet] = []
    for trace in traces:
        for value in watched(trace):
            program = replace(trace.program, output=value.node)
            try:
                array = evaluate_float(program, _floats(inputs), sizes, opaque=dict(trace.opaques))
            except (EqvproofError, ArithmeticError, np.linalg.LinAlgError):
                continue
            if ties_or_coincides(np.asarray(array, np.float64), value.axis, value.extreme):
                found.append(value.points)
    return tuple(dict.fromkeys(found))


def ties_or_coincides(array: np.ndarray[Any, Any], axis: int | None, extreme: str = "") -> bool:
    """Checks whether two entries along an axis, or two eigenvalues, are equal or nearly so.

    Args:
        array: the entries, or matrices.
        axis: the axis; None for eigenvalues.
        extreme: "max" or "min" if only the greatest or the least entries count; `ANY` if nonzero
            entries mark ties; `HALF` if entries halfway between two whole numbers count.
    """
    if extreme == ANY:
        return bool(np.asarray(array != 0).any())
    if array.size == 0 or not np.isfinite(array).all():
        return False
    if extreme == HALF:
        apart = np.abs(array - np.floor(array) - 0.5)
        return bool((apart <= NEAR * np.maximum(np.abs(array), 1)).any())
    if axis is None:
        array, axis = np.linalg.eigvalsh((array + np.swapaxes(array, -1, -2)) / 2), -1
    if array.shape[axis] < 2:
        return False
    gaps = np.diff(np.sort(array, axis=axis), axis=axis)
    if extreme:
        gaps = gaps.take(-1 if extreme == "max" else 0, axis)
    return bool((gaps <= NEAR * np.abs(array).max()).any())


def is_generic(traces: Sequence[Trace], inputs: Inputs, sizes: Sizes) -> bool:
    """Checks whether a point lies off all exceptional sets.

    Without traces, checks that no two entries of an input have equal absolute values.
    """
    if traces:
        return not sets_at(traces, inputs, sizes)
    flat = [np.asarray(a, dtype=np.float64).reshape(-1) for a in inputs.values()]
    return not any(ties_or_coincides(np.abs(a), 0) for a in flat)


def _floats(inputs: Inputs) -> dict[str, Any]:
    return {name: np.asarray(a, dtype=np.float64) for name, a in inputs.items()}
