"""Measures by submodules how far a model is from a symmetry on data, and finds what breaks it.

The model is run on x and on g x. An array h inside is compared in each plain way in which g may
move it: ``h(g x)`` with ``g h(x)``. Where one way fits up to rounding, h is moved in that way on
these data. Under groups of matrices a matrix may act along an axis besides, as on irreps; it is
fitted, where there are enough entries to tell. Where no way fits, that may be a defect, or h is
moved otherwise. What follows tells: if the model is run on g x with ``g h(x)`` in place of ``h(g x)``, and
more of what follows fits, or the result of the model does, then h was meant to be moved in that
way, and the submodule that computes it from arrays that fit breaks the symmetry. The run goes on
with this replacement, so that submodules behind are measured as if those before kept the symmetry.

Rounding is measured: the distance of both runs from those in float64 (for float64: from those in
float32, times the ratio of their units), and the change where all entries of x change by one unit
roundoff.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eqvproof.claims.groups import Element, Group, act_on_point
from eqvproof.claims.signature import Signature
from eqvproof.interface.profile.recording import Array, Key, Run, Watched
from eqvproof.interface.profile.representations import Way, Ways, mix
from eqvproof.support.errors import ErrorCode, TargetError

#: Unit roundoffs of dtypes.
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
#: An error counts as rounding up to this multiple of the rounding that was measured, plus the same
#: multiple of the unit roundoff.
SLACK = 8.0
#: Largest number of submodules whose results are replaced, of arrays that are tried for that, and
#: of ways that are tried for each.
MOST_BROKEN, MOST_TRIED, MOST_WAYS = 8, 40, 6
#: Number of group elements.
ELEMENTS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Tells how well an array is moved in one way.

    Attributes:
        way: the way.
        error: the relative error, the greatest over the elements.
        rounding: what rounding explains of it.
        is_kept: whether rounding explains all of it.
    """

    way: Way
    error: float
    rounding: float
    is_kept: bool


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Holds what runs of a model show.

    Attributes:
        keys: the places of the arrays, in the order in which they are computed.
        fits: how each array is moved best, in the runs without replacements.
        mended: the same in the runs with replacements.
        seen: the errors in the runs without replacements, of the ways that those with them show.
        broken: the places at which arrays are replaced, with their ways.
        is_mended: whether the result of the model keeps the symmetry with these replacements.
        others: the submodules that take other things than arrays.
        depths: the numbers of axes over which submodules are mapped.
    """

    keys: tuple[Key, ...]
    fits: Mapping[Key, Fit]
    mended: Mapping[Key, Fit]
    seen: Mapping[Key, Fit]
    broken: Mapping[Key, Way]
    is_mended: bool
    others: frozenset[str]
    depths: Mapping[Key, int]


class Measurement:
    """The runs of one model on x and on g x.

    Args:
        models: the model in the dtype of the data, and in another dtype; None if there is no such
            copy.
        signature: the typing of the claim.
        group: its group.
        sizes: the sizes of its axes.
        arrays: x, by name.
        elements: the elements g, one of each factor for each of several.
        unit: the unit roundoff of the dtype of the data.
        gain: the factor by which differences from the other dtype are multiplied, to be those of
            rounding in the dtype of the data.
        seed: of the points next to x.
    """

    def __init__(
        self,
        models: tuple[Watched, Watched | None],
        signature: Signature,
        group: Group,
        sizes: Mapping[str, int],
        arrays: Mapping[str, Array],
        elements: Sequence[Sequence[Element]],
        unit: float,
        gain: float,
        seed: int = 0,
    ) -> None:
        self.model, self.reference = models
        self.signature, self.group, self.sizes = signature, group, sizes
        self.arrays, self.elements = arrays, elements
        self.unit, self.gain, self.seed = unit, gain, seed
        self._ways = Ways(signature, group.factors, sizes)
        self._last: Key | None = None
        self._noise: dict[tuple[int, Key], Array] = {}
        self._runs: list[tuple[Run, Run]] = []

    def measure(self) -> Measured:
        """Runs the model as often as needed.

        Raises:
            TargetError: two equal runs differ, or runs on x and g x call other submodules.
        """
        points = [self._moved(elements) for elements in self.elements]
        at = self._run(self.model, self.arrays)
        require_equal(at, self._run(self.model, self.arrays))
        self._runs = [(at, self._run(self.model, point)) for point in points]
        keys = tuple(
            k
            for k in at.values
            if all(k in r.values for _, r in self._runs) and (k.path or k.side == "out")
        )
        results = [k for k in keys if k[:3] == ("", 1, "out")] or keys[-1:]
        if len(results) != 1 or not keys or results[0] != keys[-1]:
            raise TargetError(
                "the model does not return one array of floats", given=f"{len(results)} arrays",
                expected="one array",
                hint="profile a model that returns one of them", code="profile.result",
            )  # fmt: skip
        self._last = keys[-1]
        self._measure_noise(keys, at, points)
        fits = {key: self._best(key, self._runs) for key in keys}
        broken: dict[Key, Way] = {}
        mended: Mapping[Key, Fit] = fits
        is_mended = fits[keys[-1]].is_kept
        tried = 0
        seen: set[Key] = set()
        while not is_mended and len(broken) < MOST_BROKEN and tried < MOST_TRIED:
            key = next((k for k in keys if not mended[k].is_kept and k not in seen), None)
            if key is None:
                break
            seen.add(key)
            if key == keys[-1]:
                broken[key] = mended[key].way
                break
            if self._is_copy(key, keys, mended):
                continue
            tried += 1
            found = self._replaced(key, keys, broken, mended, points)
            if found is not None:
                broken[key], mended = found
                is_mended = mended[keys[-1]].is_kept
        ways = {k: broken.get(k, fit.way) for k, fit in mended.items()}
        seen_fits = {k: self._fit(k, way, self._runs) for k, way in ways.items()}
        return Measured(
            keys, fits, mended, seen_fits, broken, is_mended, frozenset(at.others), at.depths
        )

    # -- runs ------------------------------------------------------------------------------------
    def _moved(self, elements: Sequence[Element]) -> dict[str, Array]:
        return act_on_point(
            [e for e in elements if not e.is_identity], self.arrays, self.signature, self.sizes
        )

    def _run(
        self, model: Watched, point: Mapping[str, Array], changes: Mapping[Key, Array] | None = None
    ) -> Run:
        return model.run([point[a.name] for a in self.signature.inputs], changes or {})

    def _measure_noise(
        self, keys: Sequence[Key], at: Run, points: Sequence[Mapping[str, Array]]
    ) -> None:
        """Measures the rounding of each array at x and at each g x, entry by entry."""
        rng = np.random.default_rng(self.seed)
        runs = [at, *(run for _, run in self._runs)]
        for number, (point, run) in enumerate(zip([self.arrays, *points], runs, strict=True)):
            near = {
                n: a * (1 + self.unit * rng.choice([-1.0, 1.0], a.shape))
                if a.dtype.kind == "f"
                else a
                for n, a in point.items()
            }
            others = [(1.0, self._run(self.model, near))]
            if self.reference is not None:
                others.append((self.gain, self._run(self.reference, point)))
            for key in keys:
                noise = np.zeros(run.values[key].shape)
                for gain, other in others:
                    if key in other.values:
                        noise = noise + gain * np.abs(other.values[key] - run.values[key])
                self._noise[number, key] = noise

    # -- fits ------------------------------------------------------------------------------------
    def _best(self, key: Key, runs: Sequence[tuple[Run, Run]]) -> Fit:
        """Returns the way in which an array is moved best: that which moves most of those that fit."""
        fits = [self._fit(key, way, runs) for way in self._ways_of(key, runs)]
        kept = [fit for fit in fits if fit.is_kept]
        if kept:
            return kept[0]
        if key != self._last:
            mixing = self._ways.mixing(runs[0][0].values[key].shape)
            kept = [fit for fit in (self._fit(key, way, runs) for way in mixing) if fit.is_kept]
            if kept:
                return kept[0]
        return min(fits, key=lambda fit: fit.error)

    def _ways_of(self, key: Key, runs: Sequence[tuple[Run, Run]]) -> Sequence[Way]:
        """Returns the ways of an array: that of the claim for the result of the model."""
        shape = runs[0][0].values[key].shape
        claimed = self.signature.output
        if key == self._last:
            self._ways.sizes.update(self.signature.output_sizes(shape, self.sizes))
            return [Way(claimed, (1,) * len(claimed), len(claimed), len(self.group.factors))]
        return list(self._ways.of(shape))

    def _fit(self, key: Key, way: Way, runs: Sequence[tuple[Run, Run]]) -> Fit:
        worst = Fit(way, 0.0, 0.0, is_kept=True)
        for number, ((at, moved), elements) in enumerate(zip(runs, self.elements, strict=False)):
            if key not in moved.values or moved.values[key].shape != at.values[key].shape:
                return Fit(way, np.inf, 0.0, is_kept=False)
            left = moved.values[key]
            right = way.act(elements, at.values[key], self._ways.sizes)
            if way.mixed >= 0:
                mixed = mix(left, right, way.mixed)
                if mixed is None:
                    return Fit(way, np.inf, 0.0, is_kept=False)
                right = mixed
            scale = max(_size_of(left), _size_of(right))
            if not scale:
                continue
            error = _size_of(left - right) / scale
            noise = _size_of(self._noise[0, key]) + _size_of(self._noise[number + 1, key])
            rounding = noise / scale
            is_kept = error <= SLACK * (rounding + self.unit)
            kept = is_kept and worst.is_kept
            worst = Fit(way, max(error, worst.error), max(rounding, worst.rounding), is_kept=kept)
        return worst

    # -- replacements ----------------------------------------------------------------------------
    def _is_copy(self, key: Key, keys: Sequence[Key], mended: Mapping[Key, Fit]) -> bool:
        """Checks whether an array is an earlier one that does not fit either."""
        value = self._runs[0][1].values[key]
        for other in keys[: keys.index(key)]:
            if not mended[other].is_kept:
                before = self._runs[0][1].values[other]
                if before.size == value.size and np.array_equal(before.ravel(), value.ravel()):
                    return True
        return False

    def _replaced(
        self, key: Key, keys: Sequence[Key], broken: Mapping[Key, Way], mended: Mapping[Key, Fit],
        points: Sequence[Mapping[str, Array]],
    ) -> tuple[Way, Mapping[Key, Fit]] | None:  # fmt: skip
        """Returns the way in which an array was meant to be moved, and the fits once it is.

        The way with the least error is taken that makes more of what follows fit. Returns None if
        there is none.
        """
        later = keys[keys.index(key) + 1 :]
        own = sorted(
            (self._fit(key, way, self._runs) for way in self._ways_of(key, self._runs)),
            key=lambda fit: fit.error,
        )
        for fit in own[:MOST_WAYS]:
            runs = [self._with_replacements({**broken, key: fit.way}, points)]
            fits = {k: self._best(k, runs) for k in keys}
            others = [k for k in later if not self._equals(k, key, runs)]
            gained = sum(fits[k].is_kept - mended[k].is_kept for k in others)
            if gained > 0 or fits[self._last or key].is_kept:
                return fit.way, fits
        return None

    def _with_replacements(
        self, broken: Mapping[Key, Way], points: Sequence[Mapping[str, Array]]
    ) -> tuple[Run, Run]:
        """Runs the model on g x with arrays replaced by ``g h(x)``."""
        at, _ = self._runs[0]
        changes = {
            key: way.act(self.elements[0], at.values[key], self._ways.sizes)
            for key, way in broken.items()
        }
        run = self._run(self.model, points[0], changes)
        run.values.update(changes)
        return at, run

    @staticmethod
    def _equals(key: Key, other: Key, runs: Sequence[tuple[Run, Run]]) -> bool:
        """Checks whether two arrays of the same run are equal."""
        first, second = (runs[0][1].values.get(k) for k in (key, other))
        return first is not None and second is not None and np.array_equal(first, second)


def _size_of(array: Array) -> float:
    return float(np.linalg.norm(array))


def require_equal(first: Run, second: Run) -> None:
    """Checks that two equal runs record equal arrays.

    Raises:
        TargetError: they differ.
    """
    same = first.values.keys() == second.values.keys() and all(
        np.array_equal(v, second.values[k], equal_nan=True) for k, v in first.values.items()
    )
    if not same:
        raise TargetError(
            "two equal runs of the model differ", given="other arrays inside",
            expected="a model that draws no random numbers and keeps no state",
            hint="model.eval() switches dropout off", code=ErrorCode.TARGET_STATE,
        )  # fmt: skip
