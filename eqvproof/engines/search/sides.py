"""The two sides of a claim, f(g x) = g f(x) or f(x) = f'(x), in exact numbers or in floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from eqvproof.claims.groups import Group, act_all, act_on_point
from eqvproof.claims.signature import Axis, Signature
from eqvproof.engines.search.compare_arrays import Comparison
from eqvproof.engines.search.cost import key_of
from eqvproof.engines.search.elements import Move
from eqvproof.engines.search.result import SMALL, Array, Inputs
from eqvproof.engines.search.subject import Subject, float_argument
from eqvproof.numbers import UNDEFINED, Real, Undefined, precision

#: Largest number of cached values.
_KEPT = 4096
#: Bits of precision with which elements act on balls: more than any ball has.
_ACTING = 2048
#: A residual in floats counts if it is at least this multiple of the defect of the functions by
#: which elements act.
_FAR_ABOVE = 1024.0


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A point to try: sizes, inputs, and the element of each factor (none for an identity)."""

    sizes: Mapping[str, int]
    inputs: Inputs
    move: Move


class ClaimSides(Protocol):
    """A claim as two sides to compare.

    Attributes:
        signature: the typing of the inputs.
        group: the group; without factors for an identity.
        subjects: the functions that are called.
        least: differences below this part of the greatest entry do not count: under irreps, tables
            are read as nearby invariant ones.
    """

    signature: Signature
    group: Group
    least: float
    subjects: tuple[Subject, ...]

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """Returns left side, right side and f(x); ``fresh`` ignores cached values."""

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """Returns the same for arrays of floats (the trial's inputs, or points near them)."""

    def moved(self, trial: Trial, inputs: Inputs) -> dict[str, Array]:
        """Returns the point g x; x itself for an identity."""

    def why_not_counted(self, comparison: Comparison) -> str:
        """Returns the reason why a difference is not a violation; "" if it is one."""


class Acts(Protocol):
    """The action of elements on axes whose representations are functions.

    Attributes:
        order: the sizes at which they act, smallest first.
        is_exact: whether the functions have exact values, and are representations there.
        defect: the deviation from a representation in floats.
    """

    order: Sequence[dict[str, int]]
    is_exact: bool
    defect: float

    def turned(self, move: Move, array: Array, axes: Sequence[Axis]) -> Array:
        """Applies each function of the elements to the axes of an array that carry it.

        Raises:
            Inexact: a function has no exact value, for an array of exact numbers.
        """


class ValueCache:
    """A cache of a subject's values at points."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._known: dict[Any, Array | None] = {}

    def value(
        self, inputs: Inputs, sizes: Mapping[str, int], *, fresh: bool = False
    ) -> Array | None:
        """Returns f(x) in exact numbers; None if it is undefined as a whole."""
        # these have no hash
        enclosed = any(isinstance(v, Real) for a in inputs.values() for v in a.flat)
        if fresh or enclosed:
            return exact_value(self._subject, inputs, sizes)
        key = (key_of(inputs), tuple(sizes.items()))
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = exact_value(self._subject, inputs, sizes)
        return self._known[key]


def exact_value(subject: Subject, inputs: Inputs, sizes: Mapping[str, int]) -> Array | None:
    """Returns f(x) in exact numbers; None if it is undefined as a whole."""
    try:
        return np.asarray(subject.exact(inputs, sizes), dtype=object)
    except Undefined:
        return None


def float_value(subject: Subject, inputs: Inputs, sizes: Mapping[str, int]) -> Array | None:
    """Returns f(x) in floats; None if it is undefined as a whole."""
    try:
        return subject.floats(inputs, sizes)
    except Undefined:
        return None


class Equivariance:
    """The claim f(g x) = g f(x)."""

    def __init__(
        self, subject: Subject, signature: Signature, group: Group, acts: Acts | None = None
    ) -> None:
        self.signature = signature
        self.group = group
        self.subjects: tuple[Subject, ...] = (subject,)
        self._acts = acts
        if signature.irreps and not subject.literal:
            self.least = SMALL
        else:
            self.least = 0.0
        self._values = ValueCache(subject)

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """Returns f(g x), g f(x), f(x)."""
        at = self._values.value(trial.inputs, trial.sizes, fresh=fresh)
        with precision(_ACTING):
            gx = self.moved(trial, trial.inputs)
        left = self._values.value(gx, trial.sizes, fresh=fresh)
        first, second = _both(at, left, UNDEFINED)
        with precision(_ACTING):
            right = self._moved_output(trial, first)
        return second, np.asarray(right, dtype=object), first

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """Returns f(g x), g f(x), f(x)."""
        at = float_value(self.subjects[0], floats, trial.sizes)
        left = float_value(self.subjects[0], self.moved(trial, floats), trial.sizes)
        first, second = _both(at, left, np.nan)
        return second, self._moved_output(trial, first), first

    def moved(self, trial: Trial, inputs: Inputs) -> dict[str, Array]:
        """Returns the point g x."""
        moved = act_on_point(trial.move, inputs, self.signature, trial.sizes)
        return {
            a.name: self._turned(trial.move, moved[a.name], a.axes) for a in self.signature.inputs
        }

    def _moved_output(self, trial: Trial, value: Array) -> Array:
        """Returns g f(x)."""
        known = self.signature.output_sizes(value.shape, trial.sizes)
        moved = act_all(
            [e for e in trial.move if not e.is_identity], value, self.signature.output, known
        )
        return self._turned(trial.move, moved, self.signature.output)

    def _turned(self, move: Move, array: Array, axes: Sequence[Axis]) -> Array:
        if self._acts is None:
            return array
        return self._acts.turned(move, array, axes)

    def why_not_counted(self, comparison: Comparison) -> str:
        """Rejects differences of the size of the rounding of representations given by functions."""
        if comparison.left is None or comparison.right is None:
            return ""
        a, b = comparison.left[comparison.entry], comparison.right[comparison.entry]
        if self._acts is None or comparison.arithmetic != "float" or a is None or b is None:
            return ""
        sides = [
            abs(v) for s in (comparison.left, comparison.right) for v in s.flat if v is not None
        ]
        if abs(a - b) > _FAR_ABOVE * self._acts.defect * max(sides):
            return ""
        return "differences of the size of the rounding of the representation do not count"


class Identity:
    """The claim f(x) = f'(x)."""

    def __init__(self, subject: Subject, other: Subject, signature: Signature) -> None:
        self.signature = signature
        self.group = Group(())
        self.least = 0.0
        self.subjects: tuple[Subject, ...] = (subject, other)
        self._memories = (ValueCache(subject), ValueCache(other))

    def exact_sides(self, trial: Trial, *, fresh: bool = False) -> tuple[Array, Array, Array]:
        """Returns f(x), f'(x), f(x)."""
        first, second = (m.value(trial.inputs, trial.sizes, fresh=fresh) for m in self._memories)
        left, right = _both(first, second, UNDEFINED)
        return left, right, left

    def float_sides(self, trial: Trial, floats: Inputs) -> tuple[Array, Array, Array]:
        """Returns f(x), f'(x), f(x)."""
        first, second = (float_value(s, floats, trial.sizes) for s in self.subjects)
        left, right = _both(first, second, np.nan)
        return left, right, left

    def moved(self, trial: Trial, inputs: Inputs) -> dict[str, Array]:
        """Returns the point itself."""
        return dict(inputs)

    def why_not_counted(self, comparison: Comparison) -> str:
        """Returns "": every difference counts."""
        return ""


def claim_sides_of(
    subjects: Sequence[Subject], signature: Signature, group: Group, acts: Acts | None = None
) -> ClaimSides:
    """Builds the claim about one function, or about two."""
    if len(subjects) == 1:
        return Equivariance(subjects[0], signature, group, acts)
    return Identity(subjects[0], subjects[1], signature)


def _both(first: Array | None, second: Array | None, blank: Any) -> tuple[Array, Array]:
    """Returns two values; one that is undefined as a whole gets the shape of the other.

    Raises:
        Undefined: neither is defined.
    """
    if first is not None and second is not None:
        return first, second
    if first is not None:
        return first, _filled_like(first, blank)
    if second is not None:
        return _filled_like(second, blank), second
    raise Undefined("both sides are undefined")


def _filled_like(array: Array, blank: Any) -> Array:
    """Returns an array of the same shape, filled with UNDEFINED or NaN."""
    dtype = object if blank is UNDEFINED else np.float64
    return np.full(array.shape, blank, dtype=dtype)


def float_inputs(
    claim_sides: ClaimSides, trial: Trial, dtype: Any = np.float64
) -> dict[str, Array]:
    """Returns the trial's inputs as arrays of floats."""
    return {
        a.name: float_argument(trial.inputs[a.name], a.kind, dtype)
        for a in claim_sides.signature.inputs
    }
