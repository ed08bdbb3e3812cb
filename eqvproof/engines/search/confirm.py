"""Tests that may reject an exact difference, because it is not one of the function itself.

A function may compute constants in floats by itself, and its Program then holds them rounded. If
the function, on floats, does not come near the exact values, something else is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.engines.search.compare_arrays import Comparison, compare_exact
from eqvproof.engines.search.noise import FAR_ABOVE
from eqvproof.engines.search.result import Array, FoundCounterexample
from eqvproof.engines.search.sides import ClaimSides, Trial, float_inputs
from eqvproof.engines.search.subject import CalledSubject, with_moved_numbers, with_named_constants
from eqvproof.engines.search.violation_size import is_number, middle
from eqvproof.numbers import ExactSignal, Real, Undefined
from eqvproof.support.code_line import CodeLine
from eqvproof.support.errors import ShapeError, TargetError, TraceError
from eqvproof.support.rounding_mode import rounding_modes, set_rounding

#: Note on differences that depend on the rounding of a number.
COMPUTED = "it depends on the rounding of a number that was computed in floats before the trace: "
#: A computed number may differ from the real one by ROUNDINGS times the scale: the largest number
#: in the code up to LARGEST, and at least LEAST_SCALE. At most MOST_MOVED numbers change alone.
ROUNDINGS, LEAST_SCALE, LARGEST, MOST_MOVED = Fraction(1, 2**48), 4, 10**12, 8
#: Largest distance of equal exact and float values, relative to the largest entry ...
_AGREE = 1e-6
#: ... unless the distance is larger by this factor in float32.
_PRECISION_GAIN = 100.0
#: Distance, relative to the largest entry, from which a called function and its Program differ.
_OTHER = 1e-3


def overflows(claim_sides: ClaimSides, trial: Trial) -> bool:
    """Checks whether a called function meets values beyond the range of floats at x or g x."""
    at = float_inputs(claim_sides, trial)
    moved = claim_sides.moved(trial, at)
    return any(
        s.overflows(point, trial.sizes) for s in _called(claim_sides) for point in (at, moved)
    )


def _called(claim_sides: ClaimSides) -> list[CalledSubject]:
    return [s for s in claim_sides.subjects if isinstance(s, CalledSubject)]


def depends_on_named_constants(claim_sides: ClaimSides, trial: Trial) -> bool:
    """Checks whether a difference vanishes when numbers are read as named constants such as pi."""
    if not any(s.is_ambiguous(trial.inputs, trial.sizes) for s in claim_sides.subjects):
        return False
    try:
        with with_named_constants():
            return not compare_exact(*claim_sides.exact_sides(trial, fresh=True)).differs
    except ExactSignal:
        return True


def decisive_rounding(claim_sides: ClaimSides, trial: Trial, comparison: Comparison) -> str:
    """Returns the number on whose rounding a difference depends, with its line; "" if none.

    A number that Python computed before the trace is a few roundings away from the real number
    that it stands for. The difference has to be there, in the same direction, at both ends of that
    interval.
    """
    lines: dict[Fraction, CodeLine] = {}
    for subject in claim_sides.subjects:
        lines |= subject.computed(trial.inputs, trial.sizes)
    if not lines:
        return ""
    numbers = (abs(Fraction(n)) for s in claim_sides.subjects for n in s.written())
    written = [n for n in numbers if n <= LARGEST]
    scale = max([Fraction(LEAST_SCALE), *written])
    far = {number: ROUNDINGS * max(scale, abs(number)) for number in lines}
    alone = sorted(lines, key=abs)[:MOST_MOVED]
    for sign in (1, -1):
        for some in [*((number,) for number in alone), tuple(lines)]:
            moved = {number: number + sign * far[number] for number in some}
            if not _remains(claim_sides, trial, comparison, moved):
                return f"{float(some[0]):.17g}{lines[some[0]].place_in_brackets}"
    return ""


def _remains(
    claim_sides: ClaimSides,
    trial: Trial,
    comparison: Comparison,
    moved: Mapping[Fraction, Fraction],
) -> bool:
    """Checks whether a difference remains, in the same direction, with some numbers replaced."""
    at = comparison.entry
    try:
        with with_moved_numbers(moved):
            left, right, _ = claim_sides.exact_sides(trial, fresh=True)
        left, right = (np.array([s[at]], dtype=object) for s in (left, right))
        again = compare_exact(left, right, left)
    except (ExactSignal, IndexError):
        return False
    if not again.differs or again.one_sided != comparison.one_sided:
        return False
    return _direction(comparison) == _direction(again)


def _direction(comparison: Comparison) -> object:
    """Returns which side is greater, or defined, at the entry that differs."""
    at = comparison.entry
    sides: list[Any] = [None if s is None else s[at] for s in (comparison.left, comparison.right)]
    if all(isinstance(s, Real) for s in sides):
        return bool((sides[0] - sides[1]).to_float() > 0)
    return [isinstance(s, Real) for s in sides]


def differs_by_rounding_mode(claim_sides: ClaimSides, trial: Trial, comparison: Comparison) -> bool:
    """Checks whether other rounding modes move the sides by as much as they differ.

    Programs do not depend on the mode, except for floats that the function computes without its
    arguments.
    """
    entry = comparison.entry
    sides = (comparison.left, comparison.right)
    here: list[Any] = [None if s is None else s[entry] for s in sides]
    if not all(isinstance(v, Real) for v in here):
        return False
    gap = abs((here[0] - here[1]).to_float())
    for mode in rounding_modes():
        with set_rounding(mode):
            try:
                if not any(s.changes_with_rounding(trial.sizes) for s in _called(claim_sides)):
                    continue
                there: list[Any] = [
                    s[entry] for s in claim_sides.exact_sides(trial, fresh=True)[:2]
                ]
            except (ExactSignal, TraceError, TargetError, ShapeError, IndexError):
                return True
        for a, b in zip(here, there, strict=True):
            if not isinstance(b, Real) or not abs((a - b).to_float()) * FAR_ABOVE <= gap:
                return True
    return False


def agrees_with_floats(claim_sides: ClaimSides, trial: Trial, comparison: Comparison) -> bool:
    """Checks whether the function in floats gives the same values, up to rounding."""
    errors = []
    for dtype in (np.float64, np.float32):
        try:
            with np.errstate(all="ignore"):
                left, right, _ = claim_sides.float_sides(
                    trial, float_inputs(claim_sides, trial, dtype)
                )
        except (Undefined, TargetError, ShapeError):
            return False
        pairs = ((left, comparison.left), (right, comparison.right))
        if comparison.one_sided and not all(_same_place(f, e, comparison.entry) for f, e in pairs):
            return False
        errors.append(max(_distance(f, e) for f, e in pairs))
        if len(errors) == 1 and errors[0] <= _AGREE:
            return True
    return bool(np.isfinite(errors[0]) and errors[1] > _PRECISION_GAIN * errors[0])


def _same_place(floats: Array, exact: Array | None, entry: tuple[int, ...]) -> bool:
    """Checks whether an entry is defined in both arrays or in neither."""
    if exact is None or floats.shape != exact.shape:
        return False
    return bool(np.isfinite(floats[entry])) == isinstance(exact[entry], Real)


def _distance(floats: Array, exact: Array | None) -> float:
    """Returns the greatest distance of floats and exact values, relative to the greatest value.

    It is infinite if no entry is defined in both.
    """
    if exact is None or floats.shape != exact.shape:
        return float("inf")
    gap, scale, common = 0.0, 0.0, False
    for index in np.ndindex(exact.shape):
        value: Any = exact[index]
        if not isinstance(value, Real):
            continue
        known = value.to_float()
        if np.isfinite(floats[index]) and np.isfinite(known):
            gap, scale, common = (
                max(gap, abs(float(floats[index]) - known)),
                max(scale, abs(known)),
                True,
            )
    if not common:
        if any(isinstance(v, Real) for v in exact.flat):
            return float("inf")
        return 0.0
    if scale:
        return gap / scale
    return gap


def contradicts_calls(
    found: FoundCounterexample, by_programs: ClaimSides, by_calls: ClaimSides, *, chooses: bool
) -> bool:
    """Checks whether functions, called at a counterexample, give other values than their Programs.

    Rounding may take a function far from the exact values, and then the floats of its Program too:
    a function contradicts its Program if it is near neither. Entries that are undefined in floats
    do not count. A choice, such as the position of the greatest entry, is made by floats even where
    an entry is undefined: then equal values contradict an entry that is undefined on one side.

    Args:
        found: the counterexample.
        by_programs: the two sides of the claim, computed by the Programs.
        by_calls: the same, computed by calls.
        chooses: whether the functions choose by values.
    """
    trial = Trial(found.sizes, found.inputs, found.elements)
    floats = float_inputs(by_calls, trial)
    try:
        with np.errstate(all="ignore"):
            called = by_calls.float_sides(trial, floats)[:2]
    except Undefined:
        return False
    except (TargetError, ShapeError):
        return not found.is_one_sided
    if found.is_one_sided and chooses:
        sides = [np.asarray(side[found.entry]) for side in called]
        if all(map(np.isfinite, sides)) and _are_near(*sides):
            return True
    exact = [_nearest_floats(side) for side in (found.left, found.right)]
    if all(map(_are_near, called, exact)):
        return False
    try:
        with np.errstate(all="ignore"):
            computed = by_programs.float_sides(trial, floats)[:2]
    except Undefined:
        return False
    return not all(
        _are_near(value, one) or _are_near(value, other)
        for value, one, other in zip(called, exact, computed, strict=True)
    )


def _nearest_floats(side: Array) -> Array:
    values = [float(middle(v)) if is_number(v) else np.nan for v in side.flat]
    return np.array(values).reshape(side.shape)


def _are_near(called: Array, known: Array) -> bool:
    if called.shape != known.shape:
        return False
    defined = np.isfinite(called) & np.isfinite(known)
    one, other = called[defined].astype(float), known[defined].astype(float)
    gap = np.max(np.abs(one - other), initial=0.0)
    return bool(gap <= _OTHER * np.max(np.abs(other), initial=0.0))
