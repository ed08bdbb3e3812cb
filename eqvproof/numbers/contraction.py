"""Sums of products of arrays over labelled axes, two arrays at a time, for any arithmetic.

    out[o] = sum over the labels not in o of  prod_k  array_k[labels_k]

By distributivity a label that only one factor has is summed there first; then the pair whose
product is smallest is contracted, as one product of (stacks of) matrices where they share a summed
label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any, Protocol

Labels = tuple[int, ...]


class Arithmetic(Protocol):
    """The operations of a number system that a contraction needs, on arrays of any type."""

    def permute(self, array: Any, axes: Sequence[int]) -> Any:
        """Permutes the axes of an array."""

    def reshape(self, array: Any, shape: Sequence[int]) -> Any:
        """Reshapes an array, in row-major order."""

    def broadcast(self, array: Any, shape: Sequence[int]) -> Any:
        """Repeats an array along axes of size 1."""

    def multiply(self, a: Any, b: Any) -> Any:
        """Returns the products of entries, with broadcasting."""

    def matmul(self, a: Any, b: Any) -> Any:
        """Returns the products of stacks of matrices of equal leading shape."""

    def total(self, a: Any, axes: Sequence[int]) -> Any:
        """Returns the sums over some axes."""

    def stride(self, array: Any, step: int) -> Any:
        """Returns the entries 0, step, 2 step, ... of the first axis."""


Step = Callable[[Arithmetic, list[Any]], None]


def contract(
    arithmetic: Arithmetic,
    arrays: Sequence[Any],
    labels: Sequence[Labels],
    output: Labels,
    sizes: Mapping[int, int],
) -> Any:
    """Returns the sum of products; an output label that no factor has is broadcast.

    Exactness: that of the arithmetic. Cost: greedy, so at most that of the worst pair it meets.
    """
    work = list(arrays)
    for step in _steps(tuple(map(tuple, labels)), tuple(output), tuple(sorted(sizes.items()))):
        step(arithmetic, work)
    return work[0]


@lru_cache(maxsize=4096)
def _steps(
    labels: tuple[Labels, ...], output: Labels, lengths: tuple[tuple[int, int], ...]
) -> tuple[Step, ...]:
    """Plans the steps that contract arrays with these labels until one array is left."""
    sizes, steps, work = dict(lengths), list[Step](), list(labels)
    for k in range(len(work)):
        while len(set(work[k])) < len(work[k]):
            steps.append(_plan_diagonal(work, k, sizes))
    while True:
        for k in range(len(work)):
            steps += _sum_private(work, k, output)
        if len(work) == 1:
            break
        i, j = _cheapest(work, output, sizes)
        needed = set(output).union(*(ls for k, ls in enumerate(work) if k not in (i, j)))
        steps.append(_plan_pair(work, i, j, needed, sizes))
    kept = tuple(label for label in output if label in work[0])
    steps += _permuted(0, [work[0].index(label) for label in kept])
    if kept != output:
        shape, whole = (
            [sizes[ls] if ls in kept else 1 for ls in output],
            [sizes[ls] for ls in output],
        )

        def repeat(arithmetic: Arithmetic, arrays: list[Any]) -> None:
            arrays[0] = arithmetic.broadcast(arithmetic.reshape(arrays[0], shape), whole)

        steps.append(repeat)
    return tuple(steps)


def _permuted(k: int, axes: list[int]) -> list[Step]:
    def permute(arithmetic: Arithmetic, arrays: list[Any]) -> None:
        arrays[k] = arithmetic.permute(arrays[k], axes)

    if axes == sorted(axes):
        return []
    return [permute]


def _plan_diagonal(work: list[Labels], k: int, sizes: Mapping[int, int]) -> Step:
    """Plans to take the diagonal of a repeated label.

    Its two axes are moved to the front and merged, then every (s + 1)-th entry is taken.
    """
    labels = work[k]
    label = next(ls for ls in labels if labels.count(ls) > 1)
    first = labels.index(label)
    second = labels.index(label, first + 1)
    rest = [axis for axis in range(len(labels)) if axis not in (first, second)]
    s, axes = sizes[label], [first, second, *rest]
    shape = [s * s, *(sizes[labels[axis]] for axis in rest)]
    work[k] = (label, *(labels[axis] for axis in rest))

    def take(arithmetic: Arithmetic, arrays: list[Any]) -> None:
        merged = arithmetic.reshape(arithmetic.permute(arrays[k], axes), shape)
        arrays[k] = arithmetic.stride(merged, s + 1)

    return take


def _sum_private(work: list[Labels], k: int, output: Labels) -> list[Step]:
    """Plans the sum over the labels that only one array has."""
    others = set(output).union(*(ls for m, ls in enumerate(work) if m != k))
    axes = [axis for axis, label in enumerate(work[k]) if label not in others]
    work[k] = tuple(label for label in work[k] if label in others)

    def add(arithmetic: Arithmetic, arrays: list[Any]) -> None:
        arrays[k] = arithmetic.total(arrays[k], axes)

    if axes:
        return [add]
    return []


def _cheapest(work: Sequence[Labels], output: Labels, sizes: Mapping[int, int]) -> tuple[int, int]:
    """Returns the pair whose product grows least over its factors.

    Ties are broken by the number of multiplications.
    """
    best: tuple[int, int, int, int] | None = None
    for j in range(len(work)):
        for i in range(j):
            left, right = set(work[i]), set(work[j])
            needed = set(output).union(*(ls for k, ls in enumerate(work) if k not in (i, j)))
            both = left | right
            grown = (
                _entry_count(both & needed, sizes)
                - _entry_count(left, sizes)
                - _entry_count(right, sizes)
            )
            candidate = (grown, _entry_count(both, sizes), i, j)
            if best is None or candidate < best:
                best = candidate
    if best is None:
        raise ValueError("nothing to contract")
    return best[2], best[3]


def _entry_count(labels: set[int], sizes: Mapping[int, int]) -> int:
    return prod(sizes[label] for label in labels)


def _plan_pair(
    work: list[Labels], i: int, j: int, needed: set[int], sizes: Mapping[int, int]
) -> Step:
    """Plans the product of two arrays, which is put after the others."""
    la, lb = work[i], work[j]
    shared = [label for label in la if label in lb]
    batch = [label for label in shared if label in needed]
    summed = [label for label in shared if label not in needed]
    rows = [label for label in la if label not in shared]
    columns = [label for label in lb if label not in shared]
    first = _permuted(i, [la.index(label) for label in (*batch, *rows, *summed)])
    first += _permuted(j, [lb.index(label) for label in (*batch, *summed, *columns)])
    stack = [sizes[label] for label in batch]
    m, n = [sizes[ls] for ls in rows], [sizes[ls] for ls in columns]
    k = prod(sizes[label] for label in summed)
    if summed:
        left, right = [*stack, prod(m), k], [*stack, k, prod(n)]
    else:
        left, right = [*stack, *m, *(1 for _ in n)], [*stack, *(1 for _ in m), *n]
    whole = [*stack, *m, *n]
    work[:] = [*(ls for k, ls in enumerate(work) if k not in (i, j)), (*batch, *rows, *columns)]

    def multiply(arithmetic: Arithmetic, arrays: list[Any]) -> None:
        for step in first:
            step(arithmetic, arrays)
        b, a = arithmetic.reshape(arrays.pop(j), right), arithmetic.reshape(arrays.pop(i), left)
        if summed:
            arrays.append(arithmetic.reshape(arithmetic.matmul(a, b), whole))
        else:
            arrays.append(arithmetic.multiply(a, b))

    return multiply
