"""Integer labels of inner products: different labels prove that the numbers differ.

Equal numbers have equal labels. Exact numbers are labelled by their residues modulo two primes,
floats by clusters of nearby values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.modular import primes

Labels = NDArray[np.int64]
#: For floats: smallest relative distance from a span at which a column counts as outside.
OUTSIDE = 1e-7


class PairLabels(Protocol):
    """Labels for two matrices X and Y with n columns each, comparable between X and Y."""

    @property
    def n(self) -> int:
        """The number of columns of each."""

    def squares(self) -> tuple[Labels, Labels]:
        """Returns the labels of <x_j, x_j> and of <y_j, y_j>."""

    def rows(self, v: int, w: int) -> tuple[Labels, Labels]:
        """Returns the labels of <x_v, x_j> and of <y_w, y_j>, for all j."""

    def grams(self) -> tuple[Labels, Labels]:
        """Returns the labels of all inner products, n x n."""

    def outside(self, base: Sequence[int]) -> NDArray[np.bool_]:
        """Returns a mask of columns of X certainly outside the span of columns in base."""

    def twins(self, w: int) -> NDArray[np.bool_]:
        """Returns a mask of the columns of Y that equal column w."""


@dataclass(frozen=True, slots=True, eq=False)
class ResidueLabels:
    """Labels of exact numbers: residues modulo two primes below 2^31.

    Attributes:
        n: the number of columns.
        moduli: the two primes.
        x: residues of X, 2 x d x n.
        y: residues of Y, 2 x d x n.
    """

    n: int
    moduli: tuple[int, int]
    x: NDArray[np.uint64]
    y: NDArray[np.uint64]

    @staticmethod
    def of(x: FieldMatrix, y: FieldMatrix, attempt: int = 0) -> ResidueLabels:
        """Builds labels with the primes of an attempt; each attempt uses other primes."""
        found: list[tuple[int, Any, Any]] = []
        for prime, root in primes(x.field, start=2**31 - 1 - 4_000_000 * attempt):
            residues = [m.residues(prime, root) for m in (x, y)]
            if None not in residues:
                left, right = (np.array(r, dtype=np.uint64).reshape(x.shape) for r in residues)
                found.append((prime, left, right))
            if len(found) == 2:
                break
        (p, left_p, right_p), (q, left_q, right_q) = found
        return ResidueLabels(
            x.shape[1], (p, q), np.stack([left_p, left_q]), np.stack([right_p, right_q])
        )

    def _products(self, values: NDArray[np.uint64], vectors: NDArray[np.uint64]) -> Labels:
        """Returns labels of the inner products of columns with vectors (2 x d x m), m x n."""
        parts = []
        for k, p in enumerate(self.moduli):
            total = np.zeros((vectors.shape[2], values.shape[2]), dtype=np.uint64)
            for row, weights in zip(values[k], vectors[k], strict=True):
                total += weights[:, None] * row[None, :] % np.uint64(p)
            parts.append((total % np.uint64(p)).astype(np.int64))
        return np.asarray((parts[0] << 31) | parts[1])

    def squares(self) -> tuple[Labels, Labels]:
        """Returns the labels of <x_j, x_j> and of <y_j, y_j>."""
        return self._squares(self.x), self._squares(self.y)

    def _squares(self, values: NDArray[np.uint64]) -> Labels:
        moduli = np.array(self.moduli, dtype=np.uint64)[:, None, None]
        sums = (values * values % moduli).sum(axis=1) % moduli[:, :, 0]
        first, second = sums.astype(np.int64)
        return np.asarray((first << 31) | second)

    def rows(self, v: int, w: int) -> tuple[Labels, Labels]:
        """Returns the labels of <x_v, x_j> and of <y_w, y_j>, for all j."""
        left, right = self.x[:, :, v : v + 1], self.y[:, :, w : w + 1]
        return self._products(self.x, left)[0], self._products(self.y, right)[0]

    def grams(self) -> tuple[Labels, Labels]:
        """Returns the labels of all inner products, n x n."""
        return self._products(self.x, self.x), self._products(self.y, self.y)

    def outside(self, base: Sequence[int]) -> NDArray[np.bool_]:
        """Returns a mask of columns of X certainly outside the span of columns in base.

        The mask is computed by elimination modulo a prime.
        """
        p = np.uint64(self.moduli[0])
        rest = self.x[0].copy()
        for v in base:
            pivot = int(np.argmax(rest[:, v] != 0))
            if rest[pivot, v] == 0:
                continue
            inverse = np.uint64(pow(int(rest[pivot, v]), -1, int(p)))
            weights = (p - rest[:, v]) % p * inverse % p
            weights[pivot] = 0
            rest = (rest + weights[:, None] * rest[pivot][None, :] % p) % p
            rest[pivot] = 0
        return np.asarray((rest != 0).any(axis=0))

    def twins(self, w: int) -> NDArray[np.bool_]:
        """Returns a mask of the columns of Y whose residues equal those of column w."""
        return np.asarray((self.y == self.y[:, :, w : w + 1]).all(axis=(0, 1)))


@dataclass(frozen=True, slots=True, eq=False)
class FloatLabels:
    """Labels of floats: values closer than the tolerance, directly or in a chain, share a label.

    Attributes:
        n: the number of columns.
        x: X, d x n.
        y: Y, d x n.
        tolerance: the largest difference of inner products that counts as rounding.
    """

    n: int
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    tolerance: float

    def _label_jointly(self, left: NDArray[Any], right: NDArray[Any]) -> tuple[Labels, Labels]:
        values = np.concatenate([left.ravel(), right.ravel()])
        order = np.argsort(values, kind="stable")
        steps = np.diff(values[order], prepend=values[order[:1]]) > self.tolerance
        labels = np.empty(values.size, dtype=np.int64)
        labels[order] = np.cumsum(steps)
        return labels[: left.size].reshape(left.shape), labels[left.size :].reshape(right.shape)

    def squares(self) -> tuple[Labels, Labels]:
        """Returns the labels of <x_j, x_j> and of <y_j, y_j>."""
        return self._label_jointly(np.sum(self.x**2, axis=0), np.sum(self.y**2, axis=0))

    def rows(self, v: int, w: int) -> tuple[Labels, Labels]:
        """Returns the labels of <x_v, x_j> and of <y_w, y_j>, for all j."""
        return self._label_jointly(self.x[:, v] @ self.x, self.y[:, w] @ self.y)

    def grams(self) -> tuple[Labels, Labels]:
        """Returns the labels of all inner products, n x n."""
        return self._label_jointly(self.x.T @ self.x, self.y.T @ self.y)

    def outside(self, base: Sequence[int]) -> NDArray[np.bool_]:
        """Returns a mask of columns of X outside the span of the columns in base, to rounding."""
        u, s, _ = np.linalg.svd(self.x[:, list(base)], full_matrices=False)
        frame = u[:, s > OUTSIDE * s.max(initial=0.0)]
        rest = self.x - frame @ (frame.T @ self.x)
        size = float(np.sqrt(np.max(np.sum(self.x**2, axis=0), initial=0.0)))
        return np.asarray(np.sqrt(np.sum(rest**2, axis=0)) > OUTSIDE * size)

    def twins(self, w: int) -> NDArray[np.bool_]:
        """Returns a mask of the columns of Y that equal column w."""
        return np.asarray((self.y == self.y[:, w : w + 1]).all(axis=0))
