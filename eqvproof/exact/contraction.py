"""Sums of products of arrays over labelled axes, two arrays at a time, for any arithmetic.

    out[o] = sum over the labels not in o of  prod_k  array_k[labels_k]

By distributivity a label that only one factor has is summed there first; then the pair whose product is
smallest is contracted, as one product of (stacks of) matrices where they share a summed label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Protocol

Labels = tuple[int, ...]


class Arithmetic(Protocol):
    """What a contraction needs of a number system; arrays are whatever the system says."""

    def permute(self, array: Any, axes: Sequence[int]) -> Any:
        """The array with its axes in another order."""

    def reshape(self, array: Any, shape: Sequence[int]) -> Any:
        """The same entries, row-major, in another shape."""

    def broadcast(self, array: Any, shape: Sequence[int]) -> Any:
        """The array repeated along axes of size 1."""

    def multiply(self, a: Any, b: Any) -> Any:
        """Products of entries, with broadcasting."""

    def matmul(self, a: Any, b: Any) -> Any:
        """Products of stacks of matrices of equal leading shape."""

    def total(self, a: Any, axes: Sequence[int]) -> Any:
        """Sums over some axes."""

    def stride(self, array: Any, step: int) -> Any:
        """Entries 0, step, 2 step, ... of the first axis."""


def contract(
    arithmetic: Arithmetic,
    arrays: Sequence[Any],
    labels: Sequence[Labels],
    output: Labels,
    sizes: Mapping[int, int],
) -> Any:
    """The sum of products; an output label that no factor has is a broadcast.

    Exactness: that of the arithmetic. Cost: greedy, so at most that of the worst pair it meets.
    """
    work = [_simplify(arithmetic, a, tuple(ls), sizes) for a, ls in zip(arrays, labels, strict=True)]
    while True:
        work = [_sum_private(arithmetic, work, k, output) for k in range(len(work))]
        if len(work) == 1:
            break
        i, j = _cheapest(work, output, sizes)
        rest = [w for k, w in enumerate(work) if k not in (i, j)]
        needed = set(output).union(*(ls for _, ls in rest))
        work = [*rest, _pair(arithmetic, work[i], work[j], needed, sizes)]
    array, have = work[0]
    kept = tuple(label for label in output if label in have)
    array = arithmetic.permute(array, [have.index(label) for label in kept])
    if kept != output:
        array = arithmetic.reshape(array, [sizes[ls] if ls in have else 1 for ls in output])
        array = arithmetic.broadcast(array, [sizes[ls] for ls in output])
    return array


def _simplify(
    arithmetic: Arithmetic, array: Any, labels: Labels, sizes: Mapping[int, int]
) -> tuple[Any, Labels]:
    """Diagonals of repeated labels: the two axes first and merged, then every (s + 1)-th entry."""
    while len(set(labels)) < len(labels):
        label = next(ls for ls in labels if labels.count(ls) > 1)
        first = labels.index(label)
        second = labels.index(label, first + 1)
        rest = [k for k in range(len(labels)) if k not in (first, second)]
        s = sizes[label]
        shape = [sizes[labels[k]] for k in rest]
        array = arithmetic.permute(array, [first, second, *rest])
        array = arithmetic.stride(arithmetic.reshape(array, [s * s, *shape]), s + 1)
        labels = (label, *(labels[k] for k in rest))
    return array, labels


def _sum_private(
    arithmetic: Arithmetic, work: Sequence[tuple[Any, Labels]], k: int, output: Labels
) -> tuple[Any, Labels]:
    array, labels = work[k]
    others = set(output).union(*(ls for m, (_, ls) in enumerate(work) if m != k))
    axes = [axis for axis, label in enumerate(labels) if label not in others]
    if not axes:
        return array, labels
    return arithmetic.total(array, axes), tuple(label for label in labels if label in others)


def _cheapest(
    work: Sequence[tuple[Any, Labels]], output: Labels, sizes: Mapping[int, int]
) -> tuple[int, int]:
    """The pair whose product grows least over its factors, then the one with the fewest multiplications."""
    best: tuple[int, int, int, int] | None = None
    for j in range(len(work)):
        for i in range(j):
            left, right = set(work[i][1]), set(work[j][1])
            needed = set(output).union(*(ls for k, (_, ls) in enumerate(work) if k not in (i, j)))
            both = left | right
            grown = _size(both & needed, sizes) - _size(left, sizes) - _size(right, sizes)
            candidate = (grown, _size(both, sizes), i, j)
            if best is None or candidate < best:
                best = candidate
    if best is None:
        raise ValueError("nothing to contract")
    return best[2], best[3]


def _size(labels: set[int], sizes: Mapping[int, int]) -> int:
    return prod(sizes[label] for label in labels)


def _pair(
    arithmetic: Arithmetic,
    left: tuple[Any, Labels],
    right: tuple[Any, Labels],
    needed: set[int],
    sizes: Mapping[int, int],
) -> tuple[Any, Labels]:
    (a, la), (b, lb) = left, right
    shared = [label for label in la if label in lb]
    batch = [label for label in shared if label in needed]
    summed = [label for label in shared if label not in needed]
    rows = [label for label in la if label not in shared]
    columns = [label for label in lb if label not in shared]
    a = arithmetic.permute(a, [la.index(label) for label in (*batch, *rows, *summed)])
    b = arithmetic.permute(b, [lb.index(label) for label in (*batch, *summed, *columns)])
    stack = [sizes[label] for label in batch]
    m, n = [sizes[ls] for ls in rows], [sizes[ls] for ls in columns]
    k = prod(sizes[label] for label in summed)
    result_labels = (*batch, *rows, *columns)
    if not summed:
        a = arithmetic.reshape(a, [*stack, *m, *(1 for _ in n)])
        b = arithmetic.reshape(b, [*stack, *(1 for _ in m), *n])
        return arithmetic.multiply(a, b), result_labels
    product = arithmetic.matmul(
        arithmetic.reshape(a, [*stack, prod(m), k]), arithmetic.reshape(b, [*stack, k, prod(n)])
    )
    return arithmetic.reshape(product, [*stack, *m, *n]), result_labels
