"""T, E, SE: translations of points, and rotations with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, islice, zip_longest
from typing import Any

from eqvproof.claims.groups.families.orthogonal import ORTHOGONAL, SO, O
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Array, Kind, as_objects, matrix_to_json, zeros
from eqvproof.claims.groups.matrices import (
    Matrix,
    Vector,
    multiply_along,
    multiply_vector,
    product_of,
    unit,
)

Motion = tuple[Matrix, Vector]
#: Number of rotations among the simple rigid motions.
_MOST_TURNS = 40


class Translations(Kind):
    """Translations by vectors of Fractions."""

    permutes = False
    flips_signs = False
    rotates = False
    has_dual = False
    translates = True
    multiplies = False
    moves_directions = False
    rounds = True
    verb = "translates"
    variable = "t"
    takes = ""

    def identity(self, size: int) -> Vector:
        return zeros(size)

    def compose(self, g: Vector, h: Vector) -> Vector:
        return _add_vectors(g, h)

    def inverse(self, data: Vector) -> Vector:
        return tuple(-v for v in data)

    def matrix(self, data: Vector) -> Matrix:
        return unit(len(data))

    def to_json(self, data: Vector) -> dict[str, object]:
        return {"vector": [str(v) for v in data]}

    def describe(self, data: Vector, axis: str | int) -> str:
        return "translate by (" + ", ".join(map(str, data)) + ")"

    def apply(self, data: Vector, array: Array) -> Array:
        return array

    def vector(self, data: Vector) -> Vector:
        return data


class RigidMotions(Kind):
    """Rigid motions, as pairs of an orthogonal matrix and a vector."""

    permutes = False
    flips_signs = False
    rotates = True
    has_dual = False
    translates = True
    multiplies = False
    moves_directions = True
    rounds = True
    verb = "moves"
    variable = "q"
    takes = "a matrix Q"

    def identity(self, size: int) -> Motion:
        return unit(size), zeros(size)

    def compose(self, g: Motion, h: Motion) -> Motion:
        return product_of(g[0], h[0]), _add_vectors(multiply_vector(g[0], h[1]), g[1])

    def inverse(self, data: Motion) -> Motion:
        rows = tuple(zip(*data[0], strict=True))
        return rows, tuple(-v for v in multiply_vector(rows, data[1]))

    def matrix(self, data: Motion) -> Matrix:
        return data[0]

    def to_json(self, data: Motion) -> dict[str, object]:
        return {"matrix": matrix_to_json(data[0]), "vector": [str(v) for v in data[1]]}

    def describe(self, data: Motion, axis: str | int) -> str:
        steps = []
        if data[0] != unit(len(data[0])):
            steps.append(ORTHOGONAL.describe(data[0], axis))
        if any(data[1]):
            steps.append(TRANSLATIONS.describe(data[1], axis))
        return ", then ".join(steps)

    def apply(self, data: Motion, array: Array) -> Array:
        return multiply_along(data[0], array)

    def size(self, data: Motion) -> int:
        return len(data[1])

    def vector(self, data: Motion) -> Vector:
        return data[1]

    def shown(self, data: Motion) -> tuple[Array, Vector]:
        return as_objects(data[0]), data[1]


def _add_vectors(v: Vector, w: Vector) -> Vector:
    return tuple(a + b for a, b in zip(v, w, strict=True))


class TranslationGroups(Family):
    """T: all translations."""

    def why_not(self, data: Any, size: int) -> str:
        if any(type(v) is not Fraction for v in data):
            return "expected Fractions"
        return ""

    def simple(self, size: int) -> Iterator[Vector]:
        """Yields unit vectors, all ones, their negatives, longer and fractional ones."""
        units = unit(size)
        yield from units
        yield (Fraction(1),) * size
        for length in (Fraction(-1), Fraction(2), Fraction(1, 2), Fraction(100)):
            yield from (tuple(length * x for x in u) for u in units)
        yield tuple(Fraction(i + 1) for i in range(size))

    def sample(self, size: int, rng: random.Random) -> Vector:
        return tuple(Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(size))


class Euclidean(Family):
    """E, and SE where it is special: the parts are T, and O or SO."""

    def why_not(self, data: Any, size: int) -> str:
        shifts, turns = self.parts
        if len(data) != 2 or not all(isinstance(part, tuple) for part in data):
            return "expected a matrix and a vector"
        if reason := turns.why_not(data[0], len(data[0])):
            return reason
        if len(data[1]) != len(data[0]):
            return "the matrix and the vector have different sizes"
        return shifts.why_not(data[1], size)

    def simple(self, size: int) -> Iterator[Motion]:
        """Yields pure translations and pure rotations in turn, then both at once."""
        shifts, turns = self.parts
        vectors = list(shifts.simple(size))
        matrices = list(islice(turns.simple(size), _MOST_TURNS))
        pure = zip_longest(
            ((unit(size), vector) for vector in vectors),
            ((matrix, zeros(size)) for matrix in matrices),
        )
        yield from (motion for motion in chain.from_iterable(pure) if motion is not None)
        for matrix in matrices[:6]:
            yield matrix, vectors[0]

    def revealing_element(self, size: int) -> Motion | None:
        matrix = O.revealing_element(size)
        if matrix is None:
            return None
        return (matrix, zeros(size))

    def sample(self, size: int, rng: random.Random) -> Motion:
        shifts, turns = self.parts
        vector = shifts.sample(size, rng)
        return turns.sample(size, rng), vector


TRANSLATIONS = Translations()
MOTIONS = RigidMotions()
T = TranslationGroups(
    letter="T",
    meaning="translations",
    element="a vector",
    symbol="t",
    kind=TRANSLATIONS,
    default_axis="d",
    rocq="T",
)
E = Euclidean(
    letter="E",
    names=("Affine", "ISO"),
    meaning="rigid motions",
    element="a rigid motion",
    symbol="g",
    kind=MOTIONS,
    default_axis="d",
    parts=(T, O),
    irreps=True,
)
SE = Euclidean(
    letter="SE",
    meaning="proper rigid motions",
    element="a proper rigid motion",
    symbol="g",
    kind=MOTIONS,
    default_axis="d",
    parts=(T, SO),
    special=True,
    irreps=True,
    inside=(E,),
)
