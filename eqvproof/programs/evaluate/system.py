"""A number system: the interface to numbers that the evaluation of a Program needs.

`exact_system`, `float_system` and `modular` each give one. Arrays are the system's own (object
arrays of flint numbers, arrays of any Array API namespace, uint64 residues); shapes are tuples of
ints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from eqvproof.numbers.contraction import Labels


class NumberSystem(Protocol):
    """The operations that depend on the kind of numbers; `programs.operations` has all else."""

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Any:
        """Returns the array of these rationals, row-major."""

    def reshape(self, array: Any, shape: Sequence[int]) -> Any:
        """Reshapes an array; entries stay in row-major order."""

    def broadcast(self, array: Any, shape: Sequence[int]) -> Any:
        """Repeats an array along axes of size 1."""

    def contract(
        self,
        arrays: Sequence[Any],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Any:
        """Sums products over the labels that are not in the output; see `exact.contraction`."""

    def concat(self, arrays: Sequence[Any], axis: int) -> Any:
        """Joins arrays along an axis."""

    def take(self, array: Any, axis: int, indices: range | list[int]) -> Any:
        """Takes the entries of an axis at these indices."""

    def add(self, arrays: Sequence[Any]) -> Any:
        """Adds arrays of equal shape."""

    def apply(self, fn: str, arrays: Sequence[Any]) -> Any:
        """Applies an elementwise function to arrays of equal shape (to none: a scalar)."""

    def select(self, c: Any, a: Any, b: Any) -> Any:
        """Chooses a where c is not 0, else b."""

    def reduce(self, fn: str, array: Any, axes: tuple[int, ...]) -> Any:
        """Computes max, min or prod over some axes."""

    def sort(self, array: Any, axis: int) -> Any:
        """Sorts in ascending order along an axis."""

    def inverse(self, array: Any) -> Any:
        """Inverts the matrices in the last two axes."""

    def determinant(self, array: Any) -> Any:
        """Computes the determinants of the matrices in the last two axes."""

    def matrix(self, fn: str, arrays: Sequence[Any]) -> Any:
        """Computes another function of matrices, and of weights; see `evaluate.matrices`.

        The matrices stand in the last two axes.
        """

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]
    ) -> Any:
        """Returns the value of an uninterpreted function."""
