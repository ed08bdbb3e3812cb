"""What is asked: f(g x) = g f(x), or f(x) = f'(x). Both sides, in exact numbers or in floats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from eqvproof.engines.search.cost import key_of
from eqvproof.engines.search.elements import Move
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.engines.search.subject import Subject, float_argument
from eqvproof.exact import UNDEFINED, Undefined, precision
from eqvproof.groups import Group, act_all, act_on_argument
from eqvproof.signature import Signature

_KEPT = 4096
#: Bits with which elements act on balls: more than any ball has.
_ACTING = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A point: sizes, inputs, and the element of each factor (none for an identity)."""

    sizes: Mapping[str, int]
    inputs: Inputs
    move: Move


class Question(Protocol):
    """A claim, as two sides to be compared.

    Attributes:
        signature: the typing of the inputs.
        group: the group; of no factor for an identity.
        subjects: the functions that are called.
    """

    signature: Signature
    group: Group
    subjects: tuple[Subject, ...]

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """Left side, right side and f(x); with ``fresh`` nothing remembered is used."""

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """The same for arrays of floats (the trial's inputs, or points near them)."""


def moved_inputs(
    signature: Signature, move: Move, inputs: Inputs, sizes: Mapping[str, int]
) -> dict[str, Array]:
    """The point g x."""
    result: dict[str, Array] = {}
    for argument in signature.inputs:
        array = inputs[argument.name]
        for element in move:
            if not element.is_identity:
                array = act_on_argument(element, array, argument, sizes)
        result[argument.name] = array
    return result


def moved_output(signature: Signature, move: Move, value: Array, sizes: Mapping[str, int]) -> Array:
    """g f(x)."""
    known = signature.output_sizes(value.shape, sizes)
    return act_all([e for e in move if not e.is_identity], value, signature.output, known)


class Memory:
    """Values of a subject at points, remembered."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._known: dict[Any, Array | None] = {}

    def value(self, inputs: Inputs, sizes: Mapping[str, int], *, fresh: bool = False) -> Array | None:
        """f(x) in exact numbers; None where it is undefined as a whole."""
        if fresh:
            return exact_value(self._subject, inputs, sizes)
        key = (key_of(inputs), tuple(sizes.items()))
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = exact_value(self._subject, inputs, sizes)
        return self._known[key]


def exact_value(subject: Subject, inputs: Inputs, sizes: Mapping[str, int]) -> Array | None:
    """f(x) in exact numbers; None where it is undefined as a whole."""
    try:
        return np.asarray(subject.exact(inputs, sizes), dtype=object)
    except Undefined:
        return None


def float_value(subject: Subject, inputs: Inputs, sizes: Mapping[str, int]) -> Array | None:
    """f(x) in floats; None where it is undefined as a whole."""
    try:
        return subject.floats(inputs, sizes)
    except Undefined:
        return None


class Equivariance:
    """f(g x) = g f(x)."""

    def __init__(self, subject: Subject, signature: Signature, group: Group) -> None:
        self.signature = signature
        self.group = group
        self.subjects: tuple[Subject, ...] = (subject,)
        self._memory = Memory(subject)

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """f(g x), g f(x), f(x)."""
        at = self._memory.value(trial.inputs, trial.sizes, fresh=fresh)
        gx = moved_inputs(self.signature, trial.move, trial.inputs, trial.sizes)
        left = self._memory.value(gx, trial.sizes, fresh=fresh)
        first, second = _both(at, left, UNDEFINED)
        with precision(_ACTING):
            right = moved_output(self.signature, trial.move, first, trial.sizes)
        return second, np.asarray(right, dtype=object), first

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """f(g x), g f(x), f(x)."""
        at = float_value(self.subjects[0], floats, trial.sizes)
        gx = moved_inputs(self.signature, trial.move, floats, trial.sizes)
        left = float_value(self.subjects[0], gx, trial.sizes)
        first, second = _both(at, left, np.nan)
        return second, moved_output(self.signature, trial.move, first, trial.sizes), first


class Identity:
    """f(x) = f'(x)."""

    def __init__(self, subject: Subject, other: Subject, signature: Signature) -> None:
        self.signature = signature
        self.group = Group(())
        self.subjects: tuple[Subject, ...] = (subject, other)
        self._memories = (Memory(subject), Memory(other))

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """f(x), f'(x), f(x)."""
        first, second = (m.value(trial.inputs, trial.sizes, fresh=fresh) for m in self._memories)
        left, right = _both(first, second, UNDEFINED)
        return left, right, left

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """f(x), f'(x), f(x)."""
        first, second = (float_value(s, floats, trial.sizes) for s in self.subjects)
        left, right = _both(first, second, np.nan)
        return left, right, left


def _both(first: Array | None, second: Array | None, blank: Any) -> tuple[Array, Array]:
    """Two values; one that is undefined as a whole gets the shape of the other.

    Raises:
        Undefined: neither is defined.
    """
    if first is None and second is None:
        raise Undefined("both sides are undefined")
    known = first if first is not None else second
    shape = known.shape if known is not None else ()
    empty = np.full(shape, blank, dtype=object if blank is UNDEFINED else np.float64)
    return (empty if first is None else first), (empty if second is None else second)


def float_inputs(question: Question, trial: Trial, dtype: Any = np.float64) -> dict[str, Array]:
    """The trial's inputs as arrays of floats."""
    return {a.name: float_argument(trial.inputs[a.name], a.kind, dtype) for a in question.signature.inputs}
