"""Labels of claims, by calling the functions on float64: own group elements, own action, own points.

Off the exceptional set: generic points. On it: the points that each claim makes, and elements that act
without rounding (permutations, also signed, turns by (3, 4)/5, integer translations, powers of 2).
"""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from benchmarks.exceptional_claims.claim import Claim

#: A relative difference above FAR is a violation, one below NEAR is rounding.
FAR, NEAR = 1e-6, 1e-9
SIZES = {"n": (1, 2, 3, 5, 8), "d": (1, 2, 3, 4)}
OTHER_SIZES = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Array:
    """An argument or a result: the names of its axes, each with its mark "", "!" or "^"."""

    axes: tuple[tuple[str, str], ...]

    @staticmethod
    def parse(text: str) -> Array:
        """Reads "n d^"."""
        found = re.findall(r"(\w+)([!^]?)", text)
        return Array(tuple(found))


def parse(signature: str) -> tuple[list[Array], list[Array]]:
    """Returns the arguments and the results."""
    left, right = signature.split("->")
    return [Array.parse(part.split(":")[1]) for part in left.split(",")], [
        Array.parse(part) for part in right.split(",")
    ]


def factors(under: str) -> list[tuple[str, str]]:
    """Returns family and axis of each factor."""
    return re.findall(r"(\w+)\((\w+)\)", under)


# ------------------------------------------------------------------------------------------------- elements
@dataclass(frozen=True, slots=True)
class Element:
    """One element: data x / divisor + shift along an axis; of "perm" x[data], of "scale" data x."""

    kind: str
    data: Any
    divisor: int = 1
    shift: Any = None


def element(family: str, size: int, rng: np.random.Generator, *, exact: bool) -> Element:
    """Draws an element; exact ones act on small integers without rounding."""
    if family in ("S", "A", "C", "D"):
        return Element("perm", _order(family, size, rng))
    if family == "Scale":
        return Element("scale", 2.0 ** rng.integers(-2, 3) if exact else np.exp(rng.normal()))
    shift = None
    if family in ("T", "E", "SE"):
        shift = 5.0 * rng.integers(-2, 3, size=size) if exact else rng.normal(size=size)
    if family == "T":
        return Element("matrix", np.eye(size), 1, shift)
    if family == "Signs":
        return Element("matrix", np.diag(rng.choice([-1.0, 1.0], size=size)))
    if exact:
        matrix, divisor = _signed_permutation(size, rng), 1
        if size > 1 and rng.random() < 0.5:
            turn = 5.0 * np.eye(size)
            i, j = rng.choice(size, 2, replace=False)
            turn[i, i] = turn[j, j] = 3
            turn[i, j], turn[j, i] = 4, -4
            matrix, divisor = turn @ matrix, 5
    else:
        matrix, divisor = np.linalg.qr(rng.normal(size=(size, size)))[0], 1
        matrix = matrix * rng.choice([-1.0, 1.0], size=size)
    if family in ("SO", "SE") and np.linalg.det(matrix) < 0:
        matrix[0] = -matrix[0]
    return Element("matrix", matrix, divisor, shift)


def _order(family: str, size: int, rng: np.random.Generator) -> Any:
    if family == "S":
        return rng.permutation(size)
    if family == "C":
        return np.roll(np.arange(size), rng.integers(size))
    raise ValueError(family)


def _signed_permutation(size: int, rng: np.random.Generator) -> Any:
    return np.eye(size)[rng.permutation(size)] * rng.choice([-1.0, 1.0], size=size)[:, None]


def act(g: Element, axis: str, value: Any, array: Array) -> Any:
    """The array g x."""
    for position, (name, mark) in enumerate(array.axes):
        if name != axis or mark == "!":
            continue
        if g.kind == "scale":
            value = g.data * value
        elif g.kind == "perm":
            value = np.take(value, g.data, axis=position)
        else:
            first = np.moveaxis(value, position, 0)
            first = np.tensordot(g.data, first, axes=1) / g.divisor
            if g.shift is not None and mark == "":
                first = first + g.shift.reshape(-1, *(1,) * (first.ndim - 1))
            value = np.moveaxis(first, 0, position)
    return value


# ---------------------------------------------------------------------------------------------------- calls
def call(claim: Claim, arrays: Sequence[Any]) -> list[Any] | None:
    """The results in float64; None where the function raises."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            if claim.backend == "torch":
                import torch

                with torch.no_grad():
                    found = claim.function(*(torch.from_numpy(np.array(a)) for a in arrays))
            elif claim.backend == "jax":
                import jax

                with jax.enable_x64(True):  # noqa: FBT003
                    found = claim.function(*(jax.numpy.asarray(a) for a in arrays))
            else:
                found = claim.function(*(np.array(a) for a in arrays))
        return [np.asarray(y, dtype=float) for y in (found if isinstance(found, tuple) else (found,))]
    except (ValueError, IndexError, RuntimeError, TypeError, np.linalg.LinAlgError):
        return None


def difference(left: list[Any] | None, right: list[Any] | None) -> float:
    """The greatest relative difference; infinite where one side alone is defined, 0 where none is."""
    if left is None or right is None:
        return 0.0 if left is right else np.inf
    worst = 0.0
    for a, b in zip(left, right, strict=True):
        if a.shape != b.shape or not np.array_equal(np.isnan(a), np.isnan(b)):
            return np.inf
        finite = np.isfinite(a) & np.isfinite(b)
        if not np.array_equal(a[~finite & ~np.isnan(a)], b[~finite & ~np.isnan(b)]):
            return np.inf
        if finite.any():
            a, b = a[finite], b[finite]
            worst = max(worst, np.abs(a - b).max() / max(1e-3, np.abs(a).max(), np.abs(b).max()))
    return float(worst)


def points(claim: Claim, seed: int, *, on: bool, sizes: int, draws: int) -> Iterator[tuple[Any, Any, Any]]:
    """Points with group elements: inputs, moved inputs, elements."""
    inputs, _ = parse(claim.signature)
    rng = np.random.default_rng(crc32(f"{claim.name} {seed} {on}".encode()))
    names = sorted({n for a in inputs for n, _ in a.axes if not n.isdigit()})
    fixed = claim.options.get("sizes", {})
    lengths = [(fixed[n],) if n in fixed else SIZES.get(n, OTHER_SIZES) for n in names]
    every = [dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*lengths)]
    if not on:
        every = [s for s in every if all(s[n] >= low for n, low in claim.least.items())]
    chosen = [every[i] for i in rng.permutation(len(every))[:sizes]]
    for size in chosen:
        for draw in range(draws):
            if on:
                arrays = [np.array(a, dtype=float) for a in claim.on_set(rng, size)]
            else:
                scale = (1.0, 0.2, 3.0)[draw % 3]
                arrays = [
                    scale * rng.normal(size=[int(n) if n.isdigit() else size[n] for n, _ in a.axes])
                    for a in inputs
                ]
                if claim.tied is not None and claim.tied(*arrays):
                    continue
            moves = []
            for family, axis in factors(claim.under):
                length = int(axis) if axis.isdigit() else size[axis]
                moves.append((axis, element(family, length, rng, exact=on)))
            moved = list(arrays)
            for axis, g in moves:
                moved = [act(g, axis, x, a) for x, a in zip(moved, inputs, strict=True)]
            yield arrays, moved, moves


def residuals(claim: Claim, seed: int, *, on: bool, sizes: int, draws: int) -> list[float]:
    """The relative difference of f(g x) and g f(x) at each point."""
    _, results = parse(claim.signature)
    found = []
    for arrays, moved, moves in points(claim, seed, on=on, sizes=sizes, draws=draws):
        value, left = call(claim, arrays), call(claim, moved)
        if value is None and left is None:
            continue
        if value is not None:
            for axis, g in moves:
                value = [act(g, axis, y, a) for y, a in zip(value, results, strict=True)]
        found.append(difference(left, value))
    return found


def label(claim: Claim, seed: int = 0, *, effort: int = 1) -> Mapping[str, bool | None]:
    """Whether the claim is true off and on the exceptional set; None where this was not told."""
    many = 8 if claim.backend == "jax" else 24
    off = residuals(claim, seed, on=False, sizes=many, draws=9 * effort)
    on = residuals(claim, seed, on=True, sizes=many, draws=12 * effort)
    return {"off": _told(off), "on": _told(on)}


def _told(found: Sequence[float]) -> bool | None:
    """False with two violations; True where all but a few ill-conditioned points agree to rounding."""
    values = np.array(found)
    if not len(values):
        return None
    if (values > FAR).sum() >= 2:
        return False
    return True if values.max() <= FAR and (values < NEAR).mean() > 0.97 else None
