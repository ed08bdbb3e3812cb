"""Both sides of f(g x) = g f(x), where g acts on some axes by a function of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eqvproof.engines.representations.matrices import Representation, times
from eqvproof.engines.search.elements import Move
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.engines.search.sides import (
    Memory,
    Trial,
    exact_value,
    float_value,
    moved_inputs,
    moved_output,
)
from eqvproof.engines.search.subject import Subject
from eqvproof.errors import GroupError
from eqvproof.exact import Inexact, Undefined, precision
from eqvproof.groups import Group
from eqvproof.signature import Axis, Signature

#: Bits with which rho(g) acts on balls.
_ACTING = 2048


class Represented:
    """f(g x) = g f(x), where g acts on some axes by rho(g)."""

    def __init__(
        self, subject: Subject, signature: Signature, group: Group, maps: Sequence[Representation]
    ) -> None:
        self.signature = signature
        self.group = group
        self.subjects: tuple[Subject, ...] = (subject,)
        self._maps = maps
        self._memory = Memory(subject)
        self._known: dict[Any, Array] = {}

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """f(g x), g f(x), f(x)."""
        at = self._memory.value(trial.inputs, trial.sizes, fresh=fresh)
        with precision(_ACTING):
            gx = self._moved_inputs(trial, trial.inputs)
        left = exact_value(self.subjects[0], gx, trial.sizes)
        if at is None or left is None:
            raise Undefined("a side is undefined as a whole")
        with precision(_ACTING):
            right = self._moved_output(trial, at)
        return left, np.asarray(right, dtype=object), at

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """f(g x), g f(x), f(x)."""
        at = float_value(self.subjects[0], floats, trial.sizes)
        left = float_value(self.subjects[0], self._moved_inputs(trial, floats), trial.sizes)
        if at is None or left is None:
            raise Undefined("a side is undefined as a whole")
        return left, self._moved_output(trial, at), at

    def _moved_inputs(self, trial: Trial, inputs: Inputs) -> dict[str, Array]:
        found = moved_inputs(self.signature, trial.move, inputs, trial.sizes)
        return {a.name: self._turned(trial.move, found[a.name], a.axes) for a in self.signature.inputs}

    def _moved_output(self, trial: Trial, value: Array) -> Array:
        moved = moved_output(self.signature, trial.move, value, trial.sizes)
        return self._turned(trial.move, moved, self.signature.output)

    def _turned(self, move: Move, array: Array, axes: Sequence[Axis]) -> Array:
        """rho(g) on each axis that carries it."""
        for k, axis in enumerate(axes):
            for rep in self._maps:
                if carries(axis, rep.axis):
                    matrix = self._matrix(rep, move, exact=array.dtype == object)
                    if matrix is not None:
                        _require_length(rep, matrix, array.shape[k])
                        array = np.moveaxis(times(matrix, np.moveaxis(array, k, 0)), 0, k)
        return array

    def _matrix(self, rep: Representation, move: Move, *, exact: bool) -> Array | None:
        """rho(g), remembered; None for the identity.

        Raises:
            Inexact: it has no exact value.
        """
        (element,) = (e for e, f in zip(move, self.group.factors, strict=True) if f == rep.factor)
        if element.is_identity:
            return None
        key = rep.axis, element.data, exact
        if key not in self._known:
            matrix = rep.exact(element) if exact else rep.floats(element)
            if matrix is None:
                raise Inexact(f"the representation on the axis {rep.axis} is computed in floats")
            self._known[key] = matrix
        return self._known[key]


def carries(axis: Axis, name: str) -> bool:
    """Whether an axis is the one of that name, and is acted on."""
    return len(axis.terms) == 1 and axis.terms[0].name == name and axis.terms[0].mark != "!"


def _require_length(rep: Representation, matrix: Array, length: int) -> None:
    if len(matrix) != length:
        raise GroupError(
            f"the representation on the axis {rep.axis} has the size {len(matrix)}",
            given=f"an array with {length} entries along {rep.axis}",
            expected=f"{rep.axis} = {len(matrix)}",
            code="reps.size",
            hint="compare the matrix with the array",
        )
