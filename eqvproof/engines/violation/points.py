"""Points of a box as dyadic rationals, and elements of a group near a given one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, Factor, Group, compose, element_of, random_element
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.matrices import from_flint, to_flint, unit
from eqvproof.claims.signature import Signature
from eqvproof.engines.search.elements import Move, moving_factors
from eqvproof.numbers.tensor import objects
from eqvproof.support.errors import GroupError
from eqvproof.tracing.samples import make_inputs

Array = np.ndarray[Any, np.dtype[Any]]
Ends = Mapping[str, tuple[Array, Array]]
#: A box is divided into 2^GRID steps along each entry; points lie on this grid, or on its ends.
GRID = 20


def draw_point(
    signature: Signature, sizes: Mapping[str, int], ends: Ends, rng: np.random.Generator
) -> dict[str, Array]:
    """Draws a point of a box: uniform, or a corner; positions and masks at random."""
    drawn = make_inputs(signature, dict(sizes), "normal", rng)
    is_corner = rng.random() < 0.25
    for name, (low, high) in ends.items():
        part = rng.random(low.shape)
        if is_corner:
            part = np.round(part)
        drawn[name] = on_grid(low + part * (high - low), low, high)
    return drawn


def near_point(
    point: Mapping[str, Array], ends: Ends, scale: float, rng: np.random.Generator
) -> dict[str, Array]:
    """Returns a point of a box near another one: all entries move, or a single one.

    Args:
        point: the point.
        ends: the box.
        scale: the size of a step, as a part of the width of the box.
        rng: draws the step.
    """
    found = dict(point)
    for name, (low, high) in ends.items():
        step = scale * (high - low) * rng.standard_normal(low.shape)
        if rng.random() < 0.5 and step.size:
            only = np.zeros(step.size)
            only[rng.integers(step.size)] = 1
            step = step * only.reshape(step.shape)
        found[name] = on_grid(point[name] + step, low, high)
    return found


def on_grid(values: Array, low: Array, high: Array) -> Array:
    """Moves numbers to the nearest points of the grid of a box, and into the box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = np.where(high > low, np.ceil(np.log2(high - low)), 0.0) - GRID
    step = np.exp2(exponent)
    return np.asarray(np.clip(np.round(values / step) * step, low, high))


def as_fractions(point: Mapping[str, Array]) -> dict[str, Array]:
    """Returns a point in exact numbers: floats are the rationals that they are."""

    def exact(value: Any) -> Any:
        if isinstance(value, float):
            return Fraction(value)
        return value

    return {n: objects([exact(v) for v in a.ravel().tolist()], a.shape) for n, a in point.items()}


def near_move(
    group: Group, move: Move, sizes: Mapping[str, int], scale: float, rng: random.Random
) -> Move:
    """Returns an element of a product of groups near another one, with one factor changed."""
    moving = moving_factors(group, sizes)
    if not moving:
        return move
    place = rng.choice(moving)
    factor = group.factors[place]
    step = _small_element(factor, factor.size(sizes), scale, rng)
    found = list(move)
    if step.each:
        step = replace(step, at=found[place].at)
    found[place] = compose(step, found[place])
    return tuple(found)


def _small_element(factor: Factor, size: int, scale: float, rng: random.Random) -> Element:
    """Returns an element near the identity, or a random one if the group has none that is near.

    For a matrix A of the Lie algebra of a group of a bilinear form, ``(1 - A)^-1 (1 + A)`` lies in
    the group (A. Cayley, 1846); in GL it has an inverse. Elements are checked when they are built:
    where the matrix does not lie in the group, a random element is returned.
    """
    record = factor.record
    if isinstance(record, LieFamily) and not factor.generators:
        bits = 12
        amount = Fraction(round(rng.gauss(0, scale) * 2**bits), 2**bits)
        algebra = record.lie(size)
        if algebra and amount:
            rows = tuple(tuple(amount * v for v in row) for row in rng.choice(algebra))
            a, one = to_flint(rows), to_flint(unit(size))
            try:
                return element_of(factor, from_flint((one - a).inv() * (one + a)))
            except (GroupError, ZeroDivisionError):
                pass
    return random_element(factor, size, rng)
