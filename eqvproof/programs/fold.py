"""Folds einsums of einsums into one where a rule then sees a product and its sum together.

An inner einsum is folded into the one that uses it when it is a view (one argument, nothing summed:
transpose, diagonal, broadcast) or when it keeps a label that stands twice in it and that the outer
one sums (``(X * X).sum(0)``). Sums over an `Add` whose terms hold such products are distributed.
Every step is an identity of real numbers that keeps the places where entries are undefined:

* substitution of an einsum into an einsum, and sum over an unused label = factor (its size): finite
  sums distribute over products;
* ``sqrt(u) sqrt(u) = u``, and defined where u is, where u is nowhere negative;
* contraction with an identity matrix = equality of the two labels, where all other arguments are
  defined everywhere (0 times an undefined entry is undefined);
* scalar rational factors are multiplied together; a factor 1 is dropped.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

import eqvproof.programs.operations as ops
from eqvproof.claims.size import Size
from eqvproof.programs.node import Product
from eqvproof.programs.node_table import NodeTable
from eqvproof.support.errors import ShapeError

Labels = tuple[int, ...]
#: Most factors of a folded product: rules look at all occurrences of a label.
MOST_FACTORS = 12
#: Most zeros of an array; more are written as one number.
MOST_ZEROS = 4096
#: Most terms over which a product is distributed.
MOST_TERMS = 8


def fold_einsum(
    b: NodeTable, args: list[int], inputs: list[Labels], output: Labels, sizes: dict[int, Size]
) -> int:
    """Builds the node of an einsum, folded; see the module docstring."""
    check_labels(b, args, inputs, output, sizes)
    _substitute(b, args, inputs, output, sizes)
    _square_roots(b, args, inputs)
    distributed = _distribute(b, args, inputs, output, sizes)
    if distributed is not None:
        return distributed
    coefficient, args, inputs, doubled = _contract_identities(b, args, inputs, output)
    used = {label for row in inputs for label in row} | set(output)
    for label, size in sorted(sizes.items()):
        if label not in used and label not in doubled:
            constant = size.constant
            if constant is None:
                args.append(b.size(size))
                inputs.append(())
            else:
                coefficient *= constant
    if args and not coefficient:
        own = _axes_of_zeros(inputs, output, sizes)
    else:
        own = ()
    if coefficient != 1 or not args:
        factor: Any = coefficient
        if own:
            factor = np.zeros([sizes[k].constant or 0 for k in own])
        args.insert(0, b.const(factor))
        inputs.insert(0, own)
    return _make(b, args, inputs, output, sizes)


def _axes_of_zeros(inputs: list[Labels], output: Labels, sizes: dict[int, Size]) -> Labels:
    """Returns the axes of a product with 0 that no factor has.

    Vectors of zeros, which have every type, take their place.
    """
    own = tuple(k for k in output if sizes[k].constant and all(k not in row for row in inputs))
    if prod(sizes[k].constant or 0 for k in own) <= MOST_ZEROS:
        return own
    return ()


def without_copies(b: NodeTable, x: int, axes: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Drops those of the axes along which a node repeats one entry; returns the remaining axes.

    The max or min of copies of an entry, at least one, is the entry, and undefined where that is.
    """
    op = b.nodes[x].as_product
    if op is None:
        return x, axes
    read = {label for row in op.inputs for label in row}
    gone = [a for a in axes if op.output[a] not in read and op.shape[a].is_at_least(1)]
    if not gone:
        return x, axes
    kept = [a for a in range(len(op.shape)) if a not in gone]
    sizes = {op.output[a]: op.shape[a] for a in kept}
    less = b.einsum(list(op.args), list(op.inputs), tuple(op.output[a] for a in kept), sizes)
    return less, tuple(kept.index(a) for a in axes if a not in gone)


def check_labels(
    b: NodeTable, args: list[int], inputs: list[Labels], output: Labels, sizes: dict[int, Size]
) -> None:
    """Checks labels, and adds the size of each to `sizes`. Raises: ShapeError."""
    for a, row in zip(args, inputs, strict=True):
        if len(row) != len(b.shape(a)):
            raise ShapeError(
                "an einsum with a wrong number of labels",
                given=str(list(row)),
                expected="a label for each axis",
                hint="count the axes of each operand",
            )
        for label, size in zip(row, b.shape(a), strict=True):
            if sizes.setdefault(label, size) != size:
                raise ShapeError(
                    "an einsum label with two sizes",
                    given=f"{sizes[label]} and {size}",
                    expected="one size for each label",
                    hint="give axes of different sizes different labels",
                )
    if len(set(output)) != len(output) or any(label not in sizes for label in output):
        raise ShapeError(
            "einsum output labels must be distinct and have a size",
            given=str(list(output)),
            expected="labels that stand once and in an operand",
            hint="name each axis of the result once",
        )


def _substitute(
    b: NodeTable, args: list[int], inputs: list[Labels], output: Labels, sizes: dict[int, Size]
) -> None:
    """Replaces arguments that are foldable einsums by their own arguments, in place."""
    fresh = max([0, *sizes]) + 1
    i = 0
    while i < len(args):
        inner = b.nodes[args[i]].as_product
        if inner is None or not _is_foldable(inner, inputs[i], output, len(args), b):
            i += 1
            continue
        rename = dict(zip(inner.output, inputs[i], strict=True))
        for a, row in zip(inner.args, inner.inputs, strict=True):
            for label, size in zip(row, b.shape(a), strict=True):
                if label not in rename:
                    rename[label] = fresh
                    sizes[fresh] = size
                    fresh += 1
        args[i : i + 1] = inner.args
        inputs[i : i + 1] = [tuple(rename[label] for label in row) for row in inner.inputs]


def _square_roots(b: NodeTable, args: list[int], inputs: list[Labels]) -> None:
    """Replaces two equal factors sqrt(u), u nowhere negative, by u, in place."""
    for i in range(len(args) - 1, -1, -1):
        op, pair = b.nodes[args[i]], (args[i], inputs[i])
        if not isinstance(op, ops.Map) or op.fn != "sqrt" or b.intervals.of(op.args[0])[0] < 0:
            continue
        other = next((j for j in range(i) if (args[j], inputs[j]) == pair), None)
        if other is not None:
            args[other] = op.args[0]
            del args[i], inputs[i]


def _is_foldable(inner: Product, row: Labels, output: Labels, count: int, b: NodeTable) -> bool:
    occurrences = Counter(label for labels in inner.inputs for label in labels)
    summed = [label for label in occurrences if label not in inner.output]
    essential = [a for a in inner.args if b.shape(a)]
    if len(essential) <= 1 and not summed:
        return True
    if count + len(inner.args) > MOST_FACTORS:
        return False
    outer_summed = {k for k, label in zip(inner.output, row, strict=True) if label not in output}
    return any(occurrences[label] >= 2 for label in outer_summed)


def _distribute(
    b: NodeTable, args: list[int], inputs: list[Labels], output: Labels, sizes: dict[int, Size]
) -> int | None:
    """Distributes a sum over an Add with products inside; None if there is no such Add."""
    for i, a in enumerate(args):
        terms_of = b.nodes[a].terms
        if not terms_of or len(terms_of) > MOST_TERMS:
            continue
        # a square stays a square
        rest = {label for j, row in enumerate(inputs) if j != i for label in row}
        summed = [
            k for k, label in enumerate(inputs[i]) if label not in output and label not in rest
        ]
        if not any(_is_product_over(b, term, k) for term in terms_of for k in summed):
            continue
        terms = []
        for term in terms_of:
            asked = [*args[:i], term, *args[i + 1 :]]
            terms.append(fold_einsum(b, list(asked), list(inputs), output, dict(sizes)))
            b.origins.setdefault(terms[-1], tuple(asked))
        return b.add(terms)
    return None


def _is_product_over(b: NodeTable, x: int, axis: int) -> bool:
    op = b.nodes[x].as_product
    if op is None:
        return False
    label, large = op.output[axis], [a for a in op.args if b.shape(a)]
    if len(large) == 1 and op.inputs[op.args.index(large[0])].count(label) == 1:
        return _is_product_over(b, large[0], op.inputs[op.args.index(large[0])].index(label))
    return sum(row.count(label) for row in op.inputs) >= 2


def _contract_identities(
    b: NodeTable, args: list[int], inputs: list[Labels], output: Labels
) -> tuple[Fraction, list[int], list[Labels], set[int]]:
    """Multiplies scalar constants and lets identity matrices equate labels."""
    coefficient = Fraction(1)
    gone: set[int] = set()
    total = any(b.nodes[a].is_identity for a in args) and all(map(b.is_total, args))
    kept: list[tuple[int, Labels]] = []
    pending = list(zip(args, inputs, strict=True))
    while pending:
        a, row = pending.pop(0)
        op = b.nodes[a]
        if op.constant is not None and not op.shape:
            coefficient *= Fraction(op.constant.item())
        elif total and op.is_identity and (row[0] not in output or row[1] not in output):
            keep, drop = row if row[1] not in output else row[::-1]
            if keep != drop:
                gone.add(drop)
            swap = {drop: keep}
            pending = [(x, tuple(swap.get(k, k) for k in r)) for x, r in pending]
            kept = [(x, tuple(swap.get(k, k) for k in r)) for x, r in kept]
        else:
            kept.append((a, row))
    return coefficient, [a for a, _ in kept], [r for _, r in kept], gone


def _make(
    b: NodeTable, args: list[int], inputs: list[Labels], output: Labels, sizes: dict[int, Size]
) -> int:
    if len(args) == 1 and inputs[0] == output:
        return args[0]
    numbers = [b.nodes[a].constant for a, row in zip(args, inputs, strict=True) if not row]
    known = [Fraction(x.item()) for x in numbers if x is not None]
    if not output and len(known) == len(args):
        return b.const(prod(known, start=Fraction(1)))
    rename: dict[int, int] = {}
    for label in [label for row in inputs for label in row] + list(output):
        rename.setdefault(label, len(rename))
    shape = tuple(sizes[label] for label in output)
    rows = tuple(tuple(rename[label] for label in row) for row in inputs)
    zero = any(b.scalar_value(a) == 0 for a in args)
    if zero and len(args) > 1 and all(b.is_total(a) for a in args):
        return b.einsum([b.const(0)], [()], output, {k: sizes[k] for k in output})
    return b.node(ops.Einsum(tuple(args), shape, rows, tuple(rename[label] for label in output)))
