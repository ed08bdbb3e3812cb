"""Decides in floats whether two sides differ: by far more than the measured noise.

The residual R = f(g x) - g f(x) of a violation is the value of a piecewise smooth function; that of
rounding is erratic. Noise is measured on R itself, never assumed:

- along the ray t x, t = 1 + j h for steps h from some units in the last place to 1e-5: ties, zeros,
  collinear and equal entries stay so, and third differences of R are its roughness, the value at
  t = 1 included, so that an accident there is noise;
- with the last bits of the entries changed, those of equal entries in the same way;
- with every operation rounded down, up, or towards zero, if the processor has such modes;
- with every operation of NumPy rounded another way (`perturbed_rounding`), which breaks ties that are due to
  rounding;
- in float32 against float64, and np.longdouble if the function runs on it: a difference that
  depends on the precision is rounding.

Entries that are tiny beside those of the moved point are lost in its squares, and none of these
measurements sees that: x + 1 has the same floats when the last bits of a tiny x change. The two
sides have to differ, too, where these entries are multiplied until they are not lost.

A residual at entries that are large or tiny may come from functions that are constant there in
floats, in libraries where nothing of that can be measured. It has to be there too when the point is
moved near 1, or a number in the function's code has to explain why it is not.

Source: R. Hamming, Introduction to Applied Numerical Analysis, 1971 (noise in a table of
differences); J. Moré, S. Wild, Estimating computational noise, SIAM J. Sci. Comput. 33, 2011.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.engines.search.compare_arrays import Comparison, Relation
from eqvproof.engines.search.perturbed_rounding import perturbed_rounding
from eqvproof.engines.search.result import Array, Doubt, Inputs
from eqvproof.engines.search.sides import ClaimSides, Trial, float_inputs
from eqvproof.engines.search.thresholds import begins_at_number
from eqvproof.numbers import Undefined
from eqvproof.numbers.tensor import map_entries
from eqvproof.support.errors import EqvproofError
from eqvproof.support.rounding_mode import rounding_modes, set_rounding

if TYPE_CHECKING:
    from eqvproof.engines.search.constants import Number

#: Returns both sides of a claim, and f(x), at the floats of a point or of points near it.
SidesAt = Callable[[Inputs], tuple[Array, Array, Array]]
#: A residual counts if it is at least this multiple of the measured noise ...
FAR_ABOVE = 128.0
#: ... and above this many units in the last place of the largest entry, or this part of it in short
#: floats.
_FLOOR_UNITS, _FLOOR_PART = 1024, 0.1
_SCREEN = 16 * float(np.finfo(np.float64).eps)
_STEPS = (3e-14, 1e-11, 1e-8, 1e-5)
_COUNT = 8
#: Number of runs in which every operation is rounded another way.
_PERTURBED_RUNS = 6
_EPS_RATIO = float(np.finfo(np.float64).eps) / float(np.finfo(np.float32).eps)
#: Largest magnitude of inputs for which undefined entries count: beyond, it may be overflow.
_MODERATE = 16.0
#: Entries below this are tiny. A number in the code explains entries up to this factor beyond it.
_SMALL, _FACTOR = 1 / 64, 32.0
#: The part of the largest entry of the moved point below which entries are lost, and the part to
#: which they are lifted.
_LOST, _LIFTED = 2.0**-20, 2.0**-12
#: Largest entry of a point moved near 1; it is not at a jump of the floor function.
_NEAR = 0.9
#: Note on residuals that do not count.
FAR = "differences that floats show only for large or tiny entries do not count: it may be rounding"
#: Note on points at which rounding does not explain that only one side is finite.
ONE_SIDED = "at some points one side is a finite number and the other is not; it may be overflow"
#: Largest relative changes of a defined side near a point, and in another rounding mode.
_CLOSE, _STABLE = 0.5, 1e-6


def compare_floats(
    claim_sides: ClaimSides, trial: Trial, rng: random.Random, constants: Sequence[Number] = (),
    known: float | None = None,
) -> Comparison:  # fmt: skip
    """Compares f(g x) with g f(x) for a function that runs on floats only.

    Args:
        claim_sides: the claim.
        trial: the point.
        rng: for points near it.
        constants: numbers in the function's code.
        known: the noise that was measured there before; only its random parts are measured again.

    Exactness: none; a difference is an observation, with the measured noise.
    """
    with np.errstate(all="ignore"):
        floats, sides_at = float_inputs(claim_sides, trial), partial(claim_sides.float_sides, trial)
        unit = _unit(floats, constants)
        found = _compare_sides(sides_at, floats, rng, unit, known)
        if not found.differs:
            return found
        lifted = _lifted(floats, claim_sides.moved(trial, floats))
        stays = lifted is None or _compare_sides(sides_at, lifted, rng, unit, None).differs
        if stays and not _is_far(sides_at, floats, constants):
            return found
        if not found.one_sided and _is_of_threshold(claim_sides, trial, floats, constants):
            return found
        return Comparison(Relation.UNDECIDED, remark=FAR)


def _lifted(floats: Inputs, moved: Inputs) -> Inputs | None:
    """Returns the point with its lost entries multiplied by one factor; None where none is lost."""
    scale = _largest_entry(moved)
    real = [np.abs(a[a != 0]) for a in floats.values() if a.dtype.kind == "f"]
    least = min((float(a.min()) for a in real if a.size), default=math.inf)
    if not 0 < least < _LOST * scale < math.inf:
        return None
    factor = _LIFTED * scale / least
    return _map_floats(floats, lambda a: np.where(np.abs(a) < _LOST * scale, a * factor, a))


def _is_of_threshold(
    claim_sides: ClaimSides, trial: Trial, floats: Inputs, constants: Sequence[Number]
) -> bool:
    """Checks whether a difference that vanishes near 1 starts at a number in the code."""

    def is_there(t: float) -> bool:
        try:
            left, right, _ = claim_sides.float_sides(trial, _scaled_floats(floats, t))
        except (Undefined, EqvproofError):
            return False
        return not _is_small(left, right)

    def points_at(t: float) -> list[Inputs]:
        at = _scaled_floats(floats, t)
        return [at, claim_sides.moved(trial, at)]

    return begins_at_number(is_there, points_at, _NEAR / _largest_entry(floats), constants)


def _is_far(sides_at: SidesAt, floats: Inputs, constants: Sequence[Number]) -> bool:
    """Checks whether a difference vanishes when entries are moved near 1, without an explanation.

    Moderate entries are near enough if the function computes with arrays with perturbed roundings.
    """
    size = _largest_entry(floats)
    if not size or _SMALL <= size <= 1.0 or _is_explained(size, constants):
        return False
    if size <= _MODERATE and _seeds(sides_at, floats):
        return False
    try:
        left, right, _ = sides_at(_scaled_floats(floats, _NEAR / size))
    except (Undefined, EqvproofError):
        return True
    return _is_small(left, right)


def _is_small(left: Array, right: Array) -> bool:
    """Checks whether both sides are finite at the same entries, and equal there up to roundings."""
    here, there = np.isfinite(left), np.isfinite(right)
    residual = np.where(here & there, _minus(left, right), 0.0)
    least = _floor(left, right) * _scale(left, right)
    return bool((here == there).all() and np.max(np.abs(residual)) <= least)


def _seeds(sides_at: SidesAt, floats: Inputs) -> range:
    """Returns the seeds of other roundings that are informative.

    There are none if the function computes otherwise on arrays with perturbed roundings, or not on them.
    """
    try:
        expected = sides_at(floats)[:2]
    except (Undefined, EqvproofError):
        return range(0)
    with perturbed_rounding(None) as run:
        same = _stays_close(sides_at, floats, expected, _STABLE)
    if same and run.operations:
        return range(_PERTURBED_RUNS)
    return range(0)


def _largest_entry(floats: Inputs) -> float:
    real = (a for a in floats.values() if a.dtype.kind == "f" and a.size)
    return max((float(np.max(np.abs(a))) for a in real), default=0.0)


def _is_explained(size: float, constants: Sequence[Number]) -> bool:
    """Checks whether numbers in the code explain the magnitude of the entries.

    A large number is near the entries or their squares, or a tiny one is not far below them.
    """
    large = [float(c) for c in constants if c > _MODERATE]
    tiny = [float(c) for c in constants if 0 < c < _SMALL]
    return any(
        any(c / _FACTOR <= s <= c * _FACTOR for c in large)
        or any(0 < s <= c * _FACTOR for c in tiny)
        for s in (size, size * size)
    )


def _unit(floats: Inputs, constants: Sequence[Number]) -> float:
    """Returns the scale of a residual if both sides are near 0: that of the entries, or 1.

    Constants of mathematics are rounded relative to 1: sin(pi k) is not 0 in floats, and in
    libraries nothing of that can be measured. Numbers in the code may explain entries of another
    magnitude.
    """
    if any(0 < c < _SMALL for c in constants):
        return 0.0
    size = _largest_entry(floats)
    if _is_explained(size, constants):
        return 1.0
    return max(1.0, size)


def _compare_sides(
    sides_at: SidesAt, floats: Inputs, rng: random.Random, unit: float, known: float | None
) -> Comparison:
    try:
        left, right, at = sides_at(floats)
    except Undefined:
        return Comparison(Relation.UNDEFINED)
    if left.shape != right.shape:
        return Comparison(Relation.UNDECIDED)
    here, there = np.isfinite(left), np.isfinite(right)
    both = here & there
    if both.any():
        residual = np.where(both, _minus(left, right), 0.0)
        scale = max(_scale(left, right), unit)
        worst = float(np.max(np.abs(residual)))
        if worst > _SCREEN * scale:
            noise = measured_noise(sides_at, floats, residual, both, rng, known)
            least = max(FAR_ABOVE * noise, _floor(left, right) * scale)
            if worst > least:
                entry = _first(np.abs(residual) > least)
                return _different(entry, left, right, at, noise)
    if not (here | there).any():
        return Comparison(Relation.UNDEFINED)
    if (here == there).all():
        return Comparison(Relation.EQUAL)
    if not _stays_one_sided(sides_at, floats, (left, right), rng):
        return Comparison(Relation.UNDECIDED)
    # a number in an array with NaNs may be left over from a failed computation
    is_whole = bool(here.all() or there.all())
    if is_whole and _stays_close(
        sides_at, _cast_floats(floats, np.longdouble), (left, right), _CLOSE
    ):
        return _different(_first(here != there), left, right, at)
    return Comparison(Relation.UNDECIDED, remark=ONE_SIDED, doubt=Doubt.ONE_SIDED)


def _different(
    entry: tuple[int, ...], left: Array, right: Array, at: Array, noise: float | None = None
) -> Comparison:
    """Builds the comparison of a difference; without noise, one side is undefined at the entry."""
    sides = _finite_or_none(left), _finite_or_none(right), _finite_or_none(at)
    return Comparison(Relation.DIFFERENT, entry, noise is None, "float", *sides, noise or 0.0)


def measured_noise(
    sides_at: SidesAt, floats: Inputs, residual: Array, both: Array, rng: random.Random,
    known: float | None = None,
) -> float:  # fmt: skip
    """Returns the largest noise of the residual over all entries and measurements; inf on failure.

    Measuring ends early once the residual is not far above the noise. With known noise, only its
    random parts are measured again.
    """
    base = residual[both]
    enough = float(np.max(np.abs(base))) / FAR_ABOVE
    if known is None:
        worst, measure = 0.0, _measurements
    else:
        worst, measure = known, _near
    for noise in measure(sides_at, floats, base, both, rng):
        worst = max(worst, noise)
        if not worst < enough:
            break
    return worst


def _measurements(
    sides_at: SidesAt, floats: Inputs, base: Array, both: Array, rng: random.Random
) -> Iterator[float]:
    """Yields the noise by each measurement, fast ones first."""
    here = _sides(sides_at, floats, both)
    for mode in rounding_modes():
        with set_rounding(mode):
            there = _sides(sides_at, floats, both)
        if here is None:
            yield float("inf")
        else:
            yield _distance(there, here)
    for seed in _seeds(sides_at, floats):
        with perturbed_rounding(seed):
            yield _distance(_residual(sides_at, floats, both), base)
    yield from _near(sides_at, floats, base, both, rng)
    for dtype, weight in ((np.float32, _EPS_RATIO), (np.longdouble, 1.0)):
        for t in (1.0, 1.0 + 2.0**-20, 1.0 + 2.0**-9):
            row = _residual(sides_at, _cast_floats(_scaled_floats(floats, t), dtype), both)
            same: Array | None = base
            if t != 1.0:
                same = _residual(sides_at, _scaled_floats(floats, t), both)
            if row is None or same is None:
                break
            yield weight * _distance(row, same)
    for step in _STEPS:
        table = [base]
        for j in range(1, _COUNT):
            row = _residual(sides_at, _scaled_floats(floats, 1.0 + j * step), both)
            if row is None:
                yield float("inf")
                return
            table.append(row)
        yield roughness(np.array(table))


def _near(
    sides_at: SidesAt, floats: Inputs, base: Array, both: Array, rng: random.Random
) -> Iterator[float]:
    """Yields the noise at points next to this one."""
    for _ in range(3):
        yield _distance(_residual(sides_at, _last_bits(floats, rng), both), base)


def _distance(row: Array | None, base: Array) -> float:
    if row is None:
        return float("inf")
    return float(np.max(np.abs(row - base)))


def roughness(table: Array) -> float:
    """Returns the noise of values on an equidistant grid (rows), the largest over columns.

    It is estimated from third differences: those of independent errors of variance s^2 have
    variance 20 s^2; those of a smooth function are of order step^3.
    """
    third = np.diff(table, n=3, axis=0)
    with np.errstate(over="ignore"):
        return float(np.sqrt(np.max(np.mean(third**2, axis=0)) / 20.0))


def _sides(sides_at: SidesAt, floats: Inputs, both: Array) -> Array | None:
    """Returns both sides at some floats, at the entries that count; None unless finite.

    Rounding that shifts both sides in the same way (on a coarse grid of denormals) leaves the
    residual unchanged.
    """
    try:
        left, right, _ = sides_at(floats)
    except (Undefined, EqvproofError):
        return None
    if left.shape != both.shape or right.shape != both.shape:
        return None
    sides = np.stack([left[both], right[both]]).astype(np.longdouble)
    if bool(np.isfinite(sides).all()):
        return sides
    return None


def _residual(sides_at: SidesAt, floats: Inputs, both: Array) -> Array | None:
    """Returns R at some floats, at the entries that count; None unless it is finite."""
    sides = _sides(sides_at, floats, both)
    if sides is None:
        return None
    return np.asarray(sides[0] - sides[1]).astype(np.float64)


def _stays_one_sided(
    sides_at: SidesAt, floats: Inputs, sides: tuple[Array, Array], rng: random.Random
) -> bool:
    """Checks whether just one side is undefined at all points near x, under every rounding."""
    if any(
        a.dtype.kind == "f" and a.size and float(np.max(np.abs(a))) > _MODERATE
        for a in floats.values()
    ):
        return False
    for near in _neighbours(floats, rng):
        if not _stays_close(sides_at, near, sides, _CLOSE):
            return False
    for mode in rounding_modes():
        with set_rounding(mode):
            if not _stays_close(sides_at, floats, sides, _STABLE):
                return False
    for seed in _seeds(sides_at, floats):
        with perturbed_rounding(seed):
            if not _stays_close(sides_at, floats, sides, _STABLE):
                return False
    return True


def _stays_close(
    sides_at: SidesAt, near: Inputs, sides: tuple[Array, Array], relative: float
) -> bool:
    """Checks whether both sides are finite where they were, with nearly the same values."""
    try:
        found = sides_at(near)[:2]
    except (Undefined, EqvproofError):
        return False
    for now, before in zip(found, sides, strict=True):
        if now.shape != before.shape or not np.array_equal(np.isfinite(now), np.isfinite(before)):
            return False
        finite = np.isfinite(before)
        gap = np.abs(now[finite] - before[finite])
        if gap.size and float(np.max(gap)) > relative * float(np.max(np.abs(before[finite]))):
            return False
    return True


def _neighbours(floats: Inputs, rng: random.Random) -> Iterator[Inputs]:
    for step in (*_STEPS, 1e-3):
        yield _scaled_floats(floats, 1.0 + step)
        yield _scaled_floats(floats, 1.0 - step)
    for size in (1e-12, 1e-6, 1e-3, 1e-3):
        yield _shaken(floats, size, rng)


def _scaled_floats(floats: Inputs, t: float) -> Inputs:
    return _map_floats(floats, lambda a: a * a.dtype.type(t))


def _cast_floats(floats: Inputs, dtype: Any) -> Inputs:
    return _map_floats(floats, lambda a: a.astype(dtype))


def _map_floats(inputs: Inputs, function: Callable[[Array], Array]) -> Inputs:
    """Applies a function to the arrays of floats among the inputs."""
    return {n: function(a) if a.dtype.kind == "f" else a for n, a in inputs.items()}


def _last_bits(floats: Inputs, rng: random.Random) -> Inputs:
    """Changes entries by some units in the last place, those of equal magnitude in the same way."""
    changes: dict[float, float] = {}
    return _multiply_entries(
        floats, lambda v: changes.setdefault(abs(v), 1.0 + rng.randint(-2, 2) * 2.0**-52)
    )


def _shaken(floats: Inputs, size: float, rng: random.Random) -> Inputs:
    """Changes each entry by a relative amount of its own."""
    return _multiply_entries(floats, lambda _: 1.0 + size * rng.uniform(-1.0, 1.0))


def _multiply_entries(floats: Inputs, factor: Callable[[float], float]) -> Inputs:
    """Multiplies each float entry by a number of its own, in its own type."""

    def multiplied(array: Array) -> Array:
        entries = [v * factor(float(v)) for v in array.flat]
        return np.array(entries, array.dtype).reshape(array.shape)

    return _map_floats(floats, multiplied)


def _minus(left: Array, right: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(left.astype(np.longdouble) - right.astype(np.longdouble)).astype(
            np.float64
        )


def _floor(left: Array, right: Array) -> float:
    """Returns the part of the largest entry that a residual must exceed, by the shorter floats."""
    return min(_FLOOR_PART, _FLOOR_UNITS * max(float(np.finfo(a.dtype).eps) for a in (left, right)))


def _scale(left: Array, right: Array) -> float:
    sides = np.concatenate([left.ravel(), right.ravel()]).astype(np.float64)
    finite = sides[np.isfinite(sides)]
    if finite.size:
        return float(np.max(np.abs(finite)))
    return 0.0


def _first(mask: Array) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(mask)[0])


def _finite_or_none(array: Array) -> Array:
    """Returns floats, None where they are not finite."""
    return map_entries(lambda v: float(v) if np.isfinite(v) else None, array)
