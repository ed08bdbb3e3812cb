"""Matching of unlabelled columns by colour refinement on Gram matrices, and individualisation.

The colour of a column consists of data that every orthogonal matrix preserves: its length, its
inner products with columns already matched, and the number of columns of each colour for each inner
product (the 1-dimensional Weisfeiler-Leman refinement of the Gram matrix as an edge-coloured
complete graph). Once the matched columns span, the inner products with them determine a column, so
that at most d columns are ever matched by trial.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.labels import Labels, PairLabels

#: Largest number of columns for which the refinement uses the whole Gram matrix.
WHOLE = 2048
#: Largest number of images of a base that are followed to certify a mismatch.
MOST_IMAGES = 20_000

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A search for a permutation p such that column j of Y corresponds to column p[j] of X.

    Attributes:
        labels: labels of the inner products.
        grams: labels of all inner products, or None if they are too many.
        accept: called with a candidate p; returns True if it is right.
    """

    labels: PairLabels
    grams: tuple[Labels, Labels] | None
    accept: Callable[[Indices], bool]

    def run(self) -> bool:
        """Searches all candidates until one is accepted; returns False if none is."""
        colours = rank_jointly(*self.labels.squares())
        if not is_balanced(*colours):
            return False
        refined = self.refine(*colours)
        return refined is not None and self._extend(*refined, [])

    def refine(self, left: Labels, right: Labels) -> tuple[Labels, Labels] | None:
        """Computes the coarsest refinement stable under the Gram matrices, or None.

        None means that the refinements of X and Y differ.
        """
        if self.grams is None:
            return left, right
        count = int(left.max(initial=0)) + 1
        while count < left.size:
            pairs = zip((left, right), self.grams, strict=True)
            sums = [_neighbourhoods(colours, gram) for colours, gram in pairs]
            left, right = rank_jointly(*_pair_labels(left, sums[0], right, sums[1]))
            if not is_balanced(left, right):
                return None
            new = int(left.max(initial=0)) + 1
            if new == count:
                break
            count = new
        return left, right

    def split(self, left: Labels, right: Labels, v: int, w: int) -> tuple[Labels, Labels] | None:
        """Returns the colours after column v of X is matched with column w of Y, or None.

        None means that no permutation matches the two.
        """
        rows = self.labels.rows(v, w)
        left, right = rank_jointly(*_pair_labels(left, rows[0], right, rows[1]))
        if left[v] != right[w] or not is_balanced(left, right):
            return None
        left, right = left.copy(), right.copy()
        left[v] = right[w] = int(left.max()) + 1
        return self.refine(left, right)

    def _extend(self, left: Labels, right: Labels, base: list[int]) -> bool:
        sizes = np.bincount(left)
        open_columns = np.flatnonzero(self.labels.outside(base))
        if not open_columns.size or (sizes <= 1).all():
            order = np.empty(left.size, dtype=np.intp)
            order[np.argsort(right, kind="stable")] = np.argsort(left, kind="stable")
            return self.accept(order)
        v = int(open_columns[np.argmin(sizes[left[open_columns]])])
        tried = np.zeros(left.size, dtype=bool)
        for w in np.flatnonzero(right == left[v]).tolist():
            if tried[w]:
                continue
            tried |= self.labels.twins(w)
            deeper = self.split(left, right, v, w)
            if deeper is not None and self._extend(*deeper, [*base, v]):
                return True
        return False


def refuting_base(labels: PairLabels) -> list[int] | None:
    """Finds columns of X whose inner products with all columns no columns of Y have.

    The list is empty if already the lengths of the columns differ. Returns None if columns that
    span X have such images in Y, or if there are more images than `MOST_IMAGES`.
    """
    plain = Search(labels, None, lambda _: False)
    colours = rank_jointly(*labels.squares())
    if not is_balanced(*colours):
        return []
    images, base, followed = [colours], list[int](), 0
    while images:
        left = images[0][0]
        open_columns = np.flatnonzero(labels.outside(base))
        if not open_columns.size:
            return None
        v = int(open_columns[np.argmin(np.bincount(left)[left[open_columns]])])
        longer = []
        for one, other in images:
            for w in np.flatnonzero(other == one[v]).tolist():
                followed += 1
                deeper = plain.split(one, other, v, w)
                if deeper is not None:
                    longer.append(deeper)
        if followed > MOST_IMAGES:
            return None
        images = longer
        base.append(v)
    return base


def rank_jointly(left: Labels, right: Labels) -> tuple[Labels, Labels]:
    """Replaces labels by their ranks among the labels of both sides."""
    _, ranks = np.unique(np.concatenate([left, right]), return_inverse=True)
    colours = ranks.astype(np.int64)
    return colours[: left.size], colours[left.size :]


def is_balanced(left: Labels, right: Labels) -> bool:
    """Checks whether each colour occurs equally often on both sides."""
    return bool((np.sort(left) == np.sort(right)).all())


def _pair_labels(
    left: Labels, more_left: Labels, right: Labels, more_right: Labels
) -> tuple[Labels, Labels]:
    """Returns labels of the pairs (colour, label)."""
    one, other = rank_jointly(more_left, more_right)
    width = int(max(one.max(initial=0), other.max(initial=0))) + 1
    return left * width + one, right * width + other


def _neighbourhoods(colours: Labels, gram: Labels) -> Labels:
    """Hashes each column's multiset of (inner product, colour); equal multisets hash equally."""
    with np.errstate(over="ignore"):
        marks = (colours.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = gram.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9) ^ marks[None, :]
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(32)
        return np.asarray(mixed.sum(axis=1, dtype=np.uint64).view(np.int64))
