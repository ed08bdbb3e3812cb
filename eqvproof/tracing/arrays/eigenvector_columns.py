"""Sums over all eigenvectors that are written one by one: w_0 v_0 v_0^T + w_1 v_1 v_1^T + ...

Such a sum is the function of the matrix that `Spectral` is, where the weights are equal wherever
eigenvalues are, as the product V diag(w) V^T of all of them is (`eigenvectors`). A sum over some of
the eigenvectors is no function of the matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eqvproof.programs import Builder, Size
from eqvproof.tracing.arrays.multiplicities import why_not_function

#: Largest number of factors of a product that is multiplied out.
MOST_FACTORS = 32
Row = tuple[int, ...]
Factor = tuple[int, Row]


@dataclass(frozen=True, slots=True)
class Term:
    """A product of labelled factors; ``sizes`` are those of all its labels."""

    factors: tuple[Factor, ...]
    output: Row
    sizes: Mapping[int, Size]


@dataclass(frozen=True, slots=True)
class Column:
    """A term in which one eigenvector v_k occurs twice, split into k, scalars and other factors.

    Attributes:
        number: k.
        weights: the scalars.
        matrix: the one whose eigenvectors are taken.
        places: the labels of the two columns.
        rest: the other factors, with the labels and sizes of all.
    """

    number: int
    weights: tuple[int, ...]
    matrix: int
    places: Row
    rest: Term


def summed_columns(b: Builder, terms: Sequence[int]) -> int | None:
    """Replaces sums over all eigenvectors by a function of the matrix; None if there are none."""
    found = [_column(b, x) for x in terms]
    alike: dict[object, list[int]] = {}
    for k, column in enumerate(found):
        if column is not None:
            alike.setdefault(_look(column), []).append(k)
    made, gone = list[int](), set[int]()
    for group in alike.values():
        columns = sorted((c for k in group if (c := found[k]) is not None), key=lambda c: c.number)
        node = _join_terms(b, columns)
        if node is not None:
            made.append(node)
            gone.update(group)
    if made:
        return b.add([*(x for k, x in enumerate(terms) if k not in gone), *made])
    return None


def _column_of(b: Builder, x: int) -> tuple[int, int] | None:
    """Returns the matrix and the number of one eigenvector that this node is; None for others."""
    op = b.nodes[x]
    if not op.is_up_to_signs or len(op.shape) != 1:
        return None
    (matrix,) = op.args
    starts = [
        k for k in range(b.shape(matrix)[0].constant or 0) if b.eigenvectors(matrix, k, ()) == x
    ]
    if starts:
        return (matrix, starts[0])
    return None


def _term(b: Builder, x: int) -> Term:
    """Returns a product with its inner products of eigenvectors multiplied out."""
    op = b.nodes[x].as_product
    if op is None:
        row = tuple(range(len(b.shape(x))))
        return Term(((x, row),), row, dict(zip(row, b.shape(x), strict=True)))
    sizes, factors = dict(op.labels(b.nodes)), list[Factor]()
    for a, row in op.factors:
        if b.nodes[a].as_product is not None:
            inner = _term(b, a)
        else:
            inner = None
        if inner is None or not any(b.nodes[y].is_up_to_signs for y, _ in inner.factors):
            factors.append((a, row))
            continue
        names = dict(zip(inner.output, row, strict=True))
        for label, size in inner.sizes.items():
            if label not in names:
                names[label] = fresh = max(sizes) + 1
                sizes[fresh] = size
        factors += [(y, tuple(names[k] for k in labels)) for y, labels in inner.factors]
        if len(factors) > MOST_FACTORS:
            row = tuple(range(len(b.shape(x))))
            return Term(((x, row),), row, dict(zip(row, b.shape(x), strict=True)))
    return Term(tuple(factors), op.output, sizes)


def _column(b: Builder, x: int) -> Column | None:
    term = _term(b, x)
    pairs = [(a, row) for a, row in term.factors if b.nodes[a].is_up_to_signs]
    if len(pairs) != 2 or pairs[0][0] != pairs[1][0]:
        return None
    known = _column_of(b, pairs[0][0])
    if known is None:
        return None
    others = [f for f in term.factors if f not in pairs]
    rest = replace(term, factors=tuple(f for f in others if f[1]))
    places = (pairs[0][1][0], pairs[1][1][0])
    return Column(known[1], tuple(a for a, row in others if not row), known[0], places, rest)


def _look(column: Column) -> object:
    """Returns a key that is equal for columns whose terms differ in numbers and scalars alone."""
    rest, names = column.rest, dict[int, int]()
    for label in (*rest.output, *column.places, *(k for _, row in rest.factors for k in row)):
        names.setdefault(label, len(names))
    rows = tuple((a, tuple(names[k] for k in row)) for a, row in rest.factors)
    sizes = tuple(rest.sizes[label] for label in names)
    places = tuple(names[k] for k in column.places)
    return column.matrix, rows, places, sizes, len(column.weights)


def _join_terms(b: Builder, columns: Sequence[Column]) -> int | None:
    """Returns the sum of terms with the same key as one function of the matrix.

    Returns None where these are not all columns, or the weights are no function of the eigenvalues.
    """
    first = columns[0]
    (count,) = {size.constant for size in b.shape(first.matrix)}
    is_singular = any(b.nodes[x].args == (first.matrix,) for x in b.singular)
    if is_singular or [c.number for c in columns] != list(range(count or 0)):
        return None
    known = dict[tuple[int, ...], int | None]()
    weights = [
        _common_function(b, row, known) for row in zip(*(c.weights for c in columns), strict=True)
    ]
    vectors = [v for v in weights if v is not None]
    one = b.broadcast_to(b.const(1), [len(columns)])
    w = b.einsum([one, *vectors], [(0,)] * (1 + len(vectors)), (0,))
    if len(vectors) < len(weights) or why_not_function(b, w, b.eigvals(first.matrix)):
        return None
    term = first.rest
    factors = [*term.factors, (b.spectral(first.matrix, w), first.places)]
    return b.einsum(
        [a for a, _ in factors], [row for _, row in factors], term.output, dict(term.sizes)
    )


def _common_function(b: Builder, scalars: Row, known: dict[Row, int | None]) -> int | None:
    """Returns the vector with these entries if they are one function of the entries of a vector.

    Returns None for other scalars.
    """
    if scalars not in known:
        known[scalars] = _made_along(b, scalars, known)
    return known[scalars]


def _made_along(b: Builder, scalars: Row, known: dict[Row, int | None]) -> int | None:
    if len({*scalars}) == 1:
        return b.broadcast_to(scalars[0], [len(scalars)])
    entries = [_entry(b, x) for x in scalars]
    if entries[0] is not None:
        vector = entries[0][0]
        fits = b.shape(vector) == (Size.of(len(scalars)),)
        if fits and entries == [(vector, k) for k in range(len(scalars))]:
            return vector
        return None
    op, *others = (b.nodes[x] for x in scalars)
    are_alike = all(replace(other, args=op.args) == op for other in others)
    if (
        not are_alike
        or any(b.shape(a) for a in op.args)
        or not (op.function or op.terms or op.as_product)
    ):
        return None
    args = [
        _common_function(b, row, known)
        for row in zip(*(b.nodes[x].args for x in scalars), strict=True)
    ]
    vectors = [a for a in args if a is not None]
    if len(vectors) < len(args):
        return None
    if op.as_product:
        return b.einsum(vectors, [(0,)] * len(vectors), (0,))
    if op.function:
        return b.map(op.function, vectors)
    return b.add(vectors)


def _entry(b: Builder, x: int) -> tuple[int, int] | None:
    """Returns the vector that has a scalar as an entry, and its position; None for others."""
    view = b.nodes[x].single_factor
    if view is not None and len(view[1]) == 1 and not view[2]:
        op = b.nodes[view[0]].as_reading
    else:
        op = None
    if op is None or op.shape != (Size.of(1),) or len(b.shape(op.args[0])) != 1:
        return None
    start = op.places[0].start.constant
    if start is None or op.places[0].cyclic:
        return None
    return (op.args[0], start)
