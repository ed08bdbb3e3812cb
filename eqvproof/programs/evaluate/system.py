"""A number system: what the evaluation of a Program needs of the numbers it is done in.

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
    """The operations that are particular to the kind of numbers; all else is in ``programs/operations/``."""

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Any:
        """The array of these rationals, row-major."""

    def reshape(self, array: Any, shape: Sequence[int]) -> Any:
        """The same entries, row-major, in another shape."""

    def broadcast(self, array: Any, shape: Sequence[int]) -> Any:
        """The array repeated along axes of size 1."""

    def contract(
        self,
        arrays: Sequence[Any],
        labels: Sequence[Labels],
        output: Labels,
        sizes: Mapping[int, int],
    ) -> Any:
        """The sum of products over the labels that are not in the output; see `exact.contraction`."""

    def concat(self, arrays: Sequence[Any], axis: int) -> Any:
        """The arrays one after another along an axis."""

    def take(self, array: Any, axis: int, indices: range | list[int]) -> Any:
        """The entries of an axis at these indices."""

    def add(self, arrays: Sequence[Any]) -> Any:
        """The sum of arrays of equal shape."""

    def apply(self, fn: str, arrays: Sequence[Any]) -> Any:
        """An elementwise function of arrays of equal shape (of none: a scalar)."""

    def select(self, c: Any, a: Any, b: Any) -> Any:
        """a where c is not 0, else b."""

    def reduce(self, fn: str, array: Any, axes: tuple[int, ...]) -> Any:
        """max, min or prod over some axes."""

    def sort(self, array: Any, axis: int) -> Any:
        """Ascending order along an axis."""

    def inverse(self, array: Any) -> Any:
        """The inverses of the matrices in the last two axes."""

    def determinant(self, array: Any) -> Any:
        """The determinants of the matrices in the last two axes."""

    def matrix(self, fn: str, arrays: Sequence[Any]) -> Any:
        """Another function of the matrices in the last two axes, and of weights; see `evaluate.matrices`."""

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]
    ) -> Any:
        """The value of an uninterpreted function."""
