"""Kinds of group elements: the format of their data, products, actions, and JSON form.

An element g acts on a vector x of its axis: by ``Q x`` for a matrix Q, by ``(g x)[i] = x[p[i]]``
for a permutation p, by ``(g x)[i] = s[i] x[i]`` for signs s, by ``x + t`` for a translation (points
only), by ``Q x + t`` for a rigid motion (``Q x`` on directions), by ``c x`` for a positive
multiple.

A kind is one object, made where its first family is; whatever depends on the kind of an element is
one of its methods, or one of the attributes below, which every kind sets itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from eqvproof.claims.groups.matrices import (
    Matrix,
    Vector,
    inverse_of,
    multiply_along,
    product_of,
    unit,
)

Array = np.ndarray[Any, Any]


class Kind(ABC):
    """One kind of group element: the format of its data, and how they act.

    `data` are those of an element, of the right type and size. Its attributes say which rules hold
    of the kind; a proof, a search and a snippet ask these, never which kind it is.

    Attributes:
        permutes: whether elements only rearrange entries, so that they act on masks and positions,
            and commute with every elementwise function.
        flips_signs: whether elements only change signs of entries.
        rotates: whether their linear parts are orthogonal matrices that mix entries.
        has_dual: whether their inverse transposes are another action, that on axes marked ``*``.
        translates: whether they add vectors to points.
        multiplies: whether they multiply whole values by a number, whatever the size of the axis.
        moves_directions: whether they change differences of points: all but translations do.
        rounds: whether they compute with entries, which floats round; else they move them, or
            change signs.
        verb: what elements do to entries, as in "entries that the group rotates".
        variable: the name of an element in snippets.
        takes: describes the argument of functions in ``reps=``; empty if there are none.
    """

    permutes: ClassVar[bool]
    flips_signs: ClassVar[bool]
    rotates: ClassVar[bool]
    has_dual: ClassVar[bool]
    translates: ClassVar[bool]
    multiplies: ClassVar[bool]
    moves_directions: ClassVar[bool]
    rounds: ClassVar[bool]
    verb: ClassVar[str]
    variable: ClassVar[str]
    takes: ClassVar[str]

    @abstractmethod
    def identity(self, size: int) -> Any:
        """Returns the identity at a size."""

    @abstractmethod
    def compose(self, g: Any, h: Any) -> Any:
        """Returns ``g h``, which acts as g after h."""

    @abstractmethod
    def inverse(self, data: Any) -> Any:
        """Returns ``g^-1``."""

    @abstractmethod
    def matrix(self, data: Any) -> Matrix:
        """Returns the matrix of the linear part."""

    @abstractmethod
    def to_json(self, data: Any) -> dict[str, object]:
        """Returns the JSON form of the data."""

    @abstractmethod
    def describe(self, data: Any, axis: str | int) -> str:
        """Describes an element other than the identity in words; entries count from 0."""

    @abstractmethod
    def apply(self, data: Any, array: Array) -> Array:
        """Applies the linear part along the first axis of an array."""

    def size(self, data: Any) -> int:
        """Returns the size of the axis on which it acts; 0 if it acts at every size."""
        return len(data)

    def vector(self, data: Any) -> Vector:
        """Returns the translation."""
        return zeros(self.size(data))

    def multiple(self, data: Any) -> Fraction:
        """Returns the factor by which it multiplies values."""
        return Fraction(1)

    def dual(self, data: Any) -> Any:
        """Returns the inverse transpose, which acts on dual axes; without duals, the element."""
        return data

    def shown(self, data: Any) -> Any:
        """Returns the form of the element in a counterexample."""
        return data

    @property
    def only_translates(self) -> bool:
        """Returns True if it adds vectors to points and does nothing else."""
        return self.translates and not self.moves_directions

    @property
    def acts_by_matrices(self) -> bool:
        """Returns True if it acts along each axis by a matrix and does nothing else."""
        return not self.translates and not self.multiplies


class Matrices(Kind):
    """Elements that are rows of Fractions; subclasses describe them."""

    permutes = False
    flips_signs = False
    translates = False
    multiplies = False
    moves_directions = True
    rounds = True
    takes = "a matrix Q"

    def identity(self, size: int) -> Matrix:
        return unit(size)

    def compose(self, g: Matrix, h: Matrix) -> Matrix:
        return product_of(g, h)

    def inverse(self, data: Matrix) -> Matrix:
        return inverse_of(data)

    def matrix(self, data: Matrix) -> Matrix:
        return data

    def to_json(self, data: Matrix) -> dict[str, object]:
        return {"matrix": matrix_to_json(data)}

    def apply(self, data: Matrix, array: Array) -> Array:
        return multiply_along(data, array)

    def dual(self, data: Matrix) -> Matrix:
        if self.has_dual:
            return tuple(zip(*inverse_of(data), strict=True))
        return data

    def shown(self, data: Matrix) -> Array:
        return as_objects(data)


def as_objects(rows: Any) -> Array:
    """Converts rows of numbers to an array of objects."""
    return np.array(rows, dtype=object)


def matrix_to_json(rows: Any) -> list[list[str]]:
    """Writes a matrix as JSON."""
    return [[str(v) for v in row] for row in rows]


def zeros(size: int) -> Vector:
    """Returns the vector 0."""
    return (Fraction(0),) * size
