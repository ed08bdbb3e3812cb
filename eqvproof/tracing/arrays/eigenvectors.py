"""Eigenvectors in a trace: sum_k f(t_k) v_k v_k^T is a function of the matrix, the v_k are not.

An eigenvector is determined up to its sign, and those of equal eigenvalues up to a rotation. In a
trace the eigenvectors are a value of its own, which products and sums may use. At the end every
product is examined in which the columns of V meet only those of V and numbers in a sum: ``sum_k
V[i, k] w[k] V[j, k]`` becomes the function of the matrix that `Spectral` is, provided that w is
equal wherever eigenvalues are. Where eigenvectors remain, all of them are kept: only proofs exist
of such a Program, for matrices with distinct eigenvalues, and they hold for all signs. Remaining
eigenvectors of matrices along several axes are refused.

Singular vectors are eigenvectors: the columns of V are those of -A^T A, whose eigenvalues -s^2
ascend where the singular values s descend, and U = A V / s.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from itertools import product as combinations
from typing import NoReturn

import numpy as np

from eqvproof.programs import Builder, Size
from eqvproof.programs.operations import Operation, Place
from eqvproof.programs.pieces import scaled_parts
from eqvproof.tracing.arrays import symmetric
from eqvproof.tracing.arrays.context import make_error
from eqvproof.tracing.arrays.eigenvector_columns import summed_columns
from eqvproof.tracing.arrays.multiplicities import why_not_function
from eqvproof.tracing.arrays.traced_program import Drafts
from eqvproof.tracing.observing.frames import line_at

HINT = "of matrices along two axes V f(L) V^T with f elementwise is read; of others take those of one axis"
#: Largest number of terms and factors of a product with eigenvectors: multiplying out is
#: exponential.
MOST_TERMS, MOST_FACTORS = 16, 32
#: Largest number of axes of eigenvectors that are kept: those of the matrices of one axis.
MOST_AXES = 3

Row = tuple[int, ...]
Factor = tuple[int, Row]


def eigh(b: Builder, x: int, *, lower: bool = True) -> tuple[int, int]:
    """Returns the ascending eigenvalues and the eigenvectors, given one triangle of the matrix."""
    values = symmetric.eigenvalues(b, x, lower=lower)
    (matrix,) = b.nodes[values].args
    return values, b.eigenvectors(matrix)


def svd(b: Builder, x: int, *, full: bool, assumed: bool | None = None) -> tuple[int, int, int]:
    """Returns U, the singular values in descending order, and V^T.

    With `full`, one of the matrices has vectors to which no singular value belongs: that matrix is
    undefined.

    Args:
        b: where the nodes are made.
        x: the matrix.
        full: whether square matrices of all singular vectors are asked for.
        assumed: as in `symmetric.tall`.

    Raises:
        TraceError: the number of singular values is not known.
    """
    tall = symmetric.tall(b, x, assumed=assumed)
    *batch, rows, columns = b.shape(tall)
    matrix = b.mul(b.const(-1), symmetric.gram(b, tall))  # its eigenvalues, -s^2, ascend
    right = b.eigenvectors(matrix)
    b.singular.add(right)
    values = b.map("sqrt", [_squares(b, matrix)])
    left = b.mul(b.matmul(tall, right), b.expand(_inverse_values(b, matrix), len(batch)))
    if full and rows != columns:
        left = b.broadcast_to(
            b.map("recip", [b.const(0)]), (*batch, rows, rows if full else columns)
        )
    u, v = (left, right) if tall == x else (right, left)
    return u, values, symmetric.turned(b, v)


def _squares(b: Builder, matrix: int) -> int:
    """Returns the squares of the singular values of A, from -A^T A."""
    return b.map("maximum", [b.mul(b.const(-1), b.eigvals(matrix)), b.const(0)])


def _inverse_values(b: Builder, matrix: int) -> int:
    """Returns the numbers 1 / s in U = A V / s, written as sqrt(1/s^2).

    The singular values s are not written in this way, so that these numbers differ from divisors in
    a function's own code.
    """
    return b.map("sqrt", [b.map("recip", [_squares(b, matrix)])])


@dataclasses.dataclass(frozen=True, slots=True)
class Product:
    """An einsum with eigenvectors among its factors; ``sizes`` are those of all its labels."""

    factors: tuple[Factor, ...]
    output: Row
    sizes: Mapping[int, Size]


def replace_eigenvectors(drafts: Drafts) -> Drafts:
    """Replaces products of eigenvectors by functions of matrices in the drafts of a trace.

    Raises:
        TraceError: those of matrices along several axes are used in another way; the message names
            the line.
    """
    b = drafts.builder
    if not any(_is_vectors(b, x) for x in b.behind(drafts.output)):
        return drafts
    return Work.on(drafts)


def _is_vectors(b: Builder, x: int) -> bool:
    """Checks whether a node is all eigenvectors of a matrix, or of several matrices."""
    op = b.nodes[x]
    return op.is_up_to_signs and op.shape == b.shape(op.args[0])


class Work:
    """One pass over the nodes behind a result, which rewrites products of eigenvectors."""

    def __init__(self, b: Builder, places: Mapping[int, tuple[tuple[str, int], ...]]) -> None:
        self.b = b
        self.places = dict(places)
        self.values: dict[int, int | list[Product]] = {}
        self.reason = ""

    @classmethod
    def on(cls, drafts: Drafts) -> Drafts:
        """Returns the drafts of a trace after one pass."""
        work = cls(drafts.builder, drafts.places)
        output = work.run(drafts.output)
        return dataclasses.replace(drafts, places=work.places, output=output)

    def run(self, output: int) -> int:
        """Returns the result, with eigenvectors only where they are kept."""
        b = self.b
        for x in sorted(b.behind(output)):
            before = len(b.nodes)
            self.values[x] = self._node(x)
            for new in range(before, len(b.nodes)):
                if x in self.places:
                    self.places[new] = self.places[x]
                b.origins.setdefault(new, b.origins.get(x, ()))
        return self.kept(self.values[output], output)

    def kept(self, found: int | list[Product], x: int) -> int:
        """Returns a value as a node, in which eigenvectors may remain.

        Eigenvectors with more than MOST_AXES axes are refused.
        """
        if isinstance(found, int):
            return found
        vectors = [a for t in found for a, _ in t.factors if _is_vectors(self.b, a)]
        if any(len(self.b.shape(a)) > MOST_AXES for a in vectors):
            self._refuse(x)
        return self.made(found)

    def _refuse(self, x: int) -> NoReturn:
        places = self.places.get(x, ())
        plain = "eigenvectors, which are determined up to signs and rotations at best, are kept"
        raise make_error(self.reason or plain, str(line_at(places)), HINT, "trace.eigenvectors")

    def _node(self, x: int) -> int | list[Product]:
        op, b = self.b.nodes[x], self.b
        args = [self.values[a] for a in op.args]
        if (parts := scaled_parts(b, x)) is not None and op.joined_axis is not None:
            value = self.values.get(parts[0], parts[0])
            if not isinstance(value, int):
                return self._scaled(value, parts[1], op.joined_axis)
        if all(isinstance(a, int) for a in args):
            same = self._plain(x)
            if _is_vectors(b, same):
                return [alone(b, same)]
            return same
        if op.as_product is not None:
            return self._settle(self.multiplied(op, args), x)
        if op.terms:
            return self.added(args)
        if op.as_reading is not None and isinstance(args[0], list):
            read = _parts_of(b, args[0], op.as_reading.places, op.shape)
            if read is None:
                return self._plain(x)
            return read
        turned = _transposed(args[0]) if op.matrix_function == "inv" else None
        if turned is None:
            return self._plain(x)
        return [turned]

    def _plain(self, x: int) -> int:
        """Returns the same operation on the rewritten arguments."""
        op = self.b.nodes[x]
        args = tuple(self.kept(self.values[a], a) for a in op.args)
        terms = _added_parts(self.b, op, args) or args if op.terms or op.single_factor else ()
        columns = summed_columns(self.b, terms) if len(terms) > 1 else None
        if columns is not None:
            return columns
        if args == op.args:
            return x
        return self.b.node(dataclasses.replace(op, args=args))

    def _scaled(
        self, terms: list[Product], parts: Sequence[tuple[list[int], Size]], axis: int
    ) -> list[Product]:
        """Multiplies the parts of an axis of a value by one number each."""
        b = self.b
        scalars = [[self.kept(self.values[a], a) for a in row] for row, _ in parts]
        numbers = [b.einsum(row, [()] * len(row), (), {}) if row else b.const(1) for row in scalars]
        counts = [(count,) for _, count in parts]
        along = b.concat([b.broadcast_to(c, n) for c, n in zip(numbers, counts, strict=True)], 0)
        return [
            dataclasses.replace(t, factors=(*t.factors, (along, (t.output[axis],)))) for t in terms
        ]

    def multiplied(self, node: Operation, args: Sequence[int | list[Product]]) -> list[Product]:
        """Multiplies out an einsum of sums of products; returns the list of products."""
        b, op = self.b, node.as_product
        if op is None:
            return []
        choices: list[list[int | Product]] = [[a] if isinstance(a, int) else [*a] for a in args]
        sizes = op.labels(b.nodes)
        found = []
        for choice in combinations(*choices):
            known, fresh = dict(sizes), max([0, *sizes]) + 1
            factors: list[Factor] = []
            for part, row in zip(choice, op.inputs, strict=True):
                if isinstance(part, int):
                    factors.append((part, row))
                    continue
                names = dict(zip(part.output, row, strict=True))
                for label, size in part.sizes.items():
                    if label not in names:
                        names[label], known[fresh], fresh = fresh, size, fresh + 1
                factors += [(a, tuple(names[k] for k in labels)) for a, labels in part.factors]
            found.append(Product(tuple(factors), op.output, known))
        return found

    def _settle(self, terms: list[Product], x: int) -> int | list[Product]:
        """Rewrites terms with fewer eigenvectors; returns a node if none are left."""
        if is_long(terms):
            return self._plain(x)
        found = [self._paired(_contracted(self.b, t)) for t in terms]
        if any(_is_vectors(self.b, a) for t in found for a, _ in t.factors):
            return found
        return self.made(found)

    def added(self, args: Sequence[int | list[Product]]) -> list[Product]:
        """Lists the products in a sum of sums of products."""
        return [t for a in args for t in ([alone(self.b, a)] if isinstance(a, int) else a)]

    def made(self, terms: Sequence[Product]) -> int:
        """Returns the sum of products as a node."""
        found = [
            self.b.einsum(
                [a for a, _ in t.factors], [r for _, r in t.factors], t.output, dict(t.sizes)
            )
            for t in terms
        ]
        return self.b.add(found)

    def _paired(self, term: Product) -> Product:
        """Replaces pairs of eigenvectors whose columns are summed by functions of their matrix."""
        term = self._orthonormal(self._multiples(self._squared(term)))
        for label in dict.fromkeys(row[-1] for a, row in term.factors if _is_vectors(self.b, a)):
            term = self._pair(term, label) or term
        return term

    def _squared(self, term: Product) -> Product:
        """Replaces squares of eigenvectors of 1 x 1 matrices, which are 1 or -1, by 1.

        Those that are singular vectors stay: they record that the value is undefined for a column
        of zeros.
        """
        b = self.b
        for first, (vectors, row) in enumerate(term.factors):
            is_one = _is_vectors(b, vectors) and b.shape(vectors)[-1].constant == 1
            if not is_one or vectors in b.singular:
                continue
            for second, (other, labels) in enumerate(term.factors[first + 1 :], first + 1):
                if other == vectors and labels[:-2] == row[:-2]:
                    (matrix,) = b.nodes[vectors].args
                    one = b.spectral(matrix, b.broadcast_to(b.const(1), b.shape(matrix)[:-1]))
                    rest = [f for k, f in enumerate(term.factors) if k not in (first, second)]
                    return self._squared(dataclasses.replace(term, factors=((one, row), *rest)))
        return term

    def _multiples(self, term: Product) -> Product:
        """Replaces a matrix times its eigenvectors by these times their eigenvalues."""
        b = self.b
        for first, (vectors, row) in enumerate(term.factors):
            (matrix,) = b.nodes[vectors].args if _is_vectors(b, vectors) else (-1,)
            for second, (other, labels) in enumerate(term.factors):
                others = [r for k, (_, r) in enumerate(term.factors) if k not in (first, second)]
                meets = (
                    other == matrix
                    and labels[:-2] == row[:-2]
                    and [*labels, *row].count(row[-2]) == 2
                )
                if not meets or row[-2] not in labels[-2:] or not symmetric.is_symmetric(b, matrix):
                    continue
                if any(row[-2] in r for r in (*others, term.output)):
                    continue
                (place,) = {*labels[-2:]} - {row[-2]}
                made = (
                    (vectors, (*row[:-2], place, row[-1])),
                    (b.eigvals(matrix), (*row[:-2], row[-1])),
                )
                rest = [f for k, f in enumerate(term.factors) if k not in (first, second)]
                sizes = {k: s for k, s in term.sizes.items() if k != row[-2]}
                return self._multiples(Product((*rest, *made), term.output, sizes))
        return term

    def _orthonormal(self, term: Product) -> Product:
        """Replaces V^T V of the eigenvectors of one matrix by the identity."""
        b = self.b
        for label in dict.fromkeys(row[-2] for a, row in term.factors if _is_vectors(b, a)):
            met = meeting(term, label, -2, lambda x: _is_vectors(b, x))
            if met is None or met[3] or len(met[1]) > 2 or not b.is_total(b.nodes[met[0]].args[0]):
                continue
            rest = [f for f in term.factors if label not in f[1]]
            made = (b.eye(b.shape(met[0])[-1]), (met[1][-1], met[2][-1]))
            sizes = {k: s for k, s in term.sizes.items() if k != label}
            return self._orthonormal(Product((*rest, made), term.output, sizes))
        return term

    def _pair(self, term: Product, label: int) -> Product | None:
        b = self.b
        met = meeting(term, label, -1, lambda x: _is_vectors(b, x))
        if met is None:
            return None
        vectors, left, right, weights = met
        weights = _without_signs(b, weights)
        batch = left[:-2]
        (matrix,) = b.nodes[vectors].args
        values = b.eigvals(matrix)
        inverse = _inverse_values(b, matrix) if vectors in b.singular else None
        inverses = [(a, row) for a, row in weights if a == inverse]
        weights = [f for f in weights if f not in inverses]
        more = [
            k
            for k in dict.fromkeys(k for _, row in weights for k in row)
            if k not in (*batch, label)
        ]
        sizes = dict(term.sizes)
        lead = [*batch, *more]
        w = b.einsum(
            [a for a, _ in weights],
            [r for _, r in weights],
            [*lead, label],
            {k: sizes[k] for k in (*lead, label)},
        )
        if inverses:
            if any(row != (*batch, label) for _, row in inverses) or not _is_0_at_0(b, w, values):
                return None
            w = _off_zeros(b, w, [(a, (*batch, label)) for a, _ in inverses], (*lead, label))
        reason = why_not_function(b, w, values)
        if reason:
            self.reason = self.reason or reason
            return None
        p, q = max(sizes) + 1, max(sizes) + 2
        sizes[p] = sizes[q] = b.shape(matrix)[-1]
        wide = b.einsum(
            [matrix], [(*batch, p, q)], [*lead, p, q], {k: sizes[k] for k in [*lead, p, q]}
        )
        made = (b.spectral(wide, w), (*lead, left[-2], right[-2]))
        rest = tuple(f for f in term.factors if label not in f[1])
        return Product(
            (*rest, made), term.output, {k: s for k, s in term.sizes.items() if k != label}
        )


def _off_zeros(b: Builder, w: int, inverses: Sequence[Factor], labels: Row) -> int:
    """Returns weights times numbers 1 / s, and 0 where the weights are 0.

        w(s) = 0 where s = 0
        -----------------------------------------------------------
        sum_k w_k u_k v_k^T = A sum_k h_k v_k v_k^T,    h = w / s where w is not 0, else 0

    Proof. u_k = A v_k / s_k where s_k is not 0. A term whose w_k is 0 is 0, whatever unit vector
    u_k is, as h_k is; all other terms have an s_k that is not 0. QED
    """
    product = b.einsum(
        [w, *(a for a, _ in inverses)], [labels, *(row for _, row in inverses)], labels
    )
    zero = b.const(0)
    return b.select(b.map("ne", [w, zero]), product, b.broadcast_to(zero, b.shape(product)))


def _is_0_at_0(b: Builder, w: int, values: int) -> bool:
    """Checks whether weights along the last axis are 0 or undefined where their eigenvalue is 0.

    False may mean unknown.
    """
    found = _with_zeros(b, w, len(b.shape(w)) - 1, values)
    return found is not None and b.intervals.of(found) == (0, 0)


def _with_zeros(b: Builder, x: int, axis: int, values: int) -> int | None:
    """Returns a value with 0 in place of its eigenvalues along one axis.

    Returns None where it has eigenvalues of another axis.
    """
    op = b.nodes[x]
    if x == values:
        if axis == len(op.shape) - 1:
            return b.broadcast_to(b.const(0), op.shape)
        return None
    if values not in b.behind(x):
        return x
    args = list[int]()
    product = op.as_product
    rows = [tuple(range(len(b.shape(a)))) for a in op.args] if product is None else product.inputs
    label = axis if product is None else product.output[axis]
    for a, row in zip(op.args, rows, strict=True):
        found = a if label not in row else None
        if row.count(label) == 1:
            found = _with_zeros(b, a, row.index(label), values)
        if found is None:
            return None
        args.append(found)
    if product is not None:
        return b.einsum(args, rows, product.output, product.labels(b.nodes))
    if op.function:
        return b.map(op.function, args)
    if op.terms:
        return b.add(args)
    if op.choice:
        return b.select(*args)
    return None


def _without_signs(b: Builder, weights: list[Factor]) -> list[Factor]:
    """Removes pairs of one constant array of signs, whose squares are 1, from the weights."""
    arrays = {a: b.nodes[a].constant for a, _ in weights}
    signs = [
        f for f in weights if (array := arrays[f[0]]) is not None and (np.abs(array) == 1).all()
    ]
    odd = [f for f in dict.fromkeys(signs) if signs.count(f) % 2]
    return [f for f in weights if f not in signs] + odd


def _added_parts(b: Builder, op: Operation, args: Sequence[int]) -> list[int]:
    """Splits a sum along a concatenated axis into the sums of the parts.

    Returns an empty list for other nodes.
    """
    if op.single_factor is None:
        return []
    _, row, output = op.single_factor
    joined = b.nodes[args[0]]
    if joined.joined_axis is None or row[joined.joined_axis] in output:
        return []
    sizes = (
        {k: s for k, s in op.as_product.labels(b.nodes).items() if k in output}
        if op.as_product
        else {}
    )
    return [b.einsum([a], [row], output, sizes) for a in joined.args]


def is_long(terms: Sequence[Product]) -> bool:
    """Checks whether there are too many products or factors to go on multiplying out."""
    return len(terms) > MOST_TERMS or any(len(t.factors) > MOST_FACTORS for t in terms)


def meeting(
    term: Product, label: int, place: int, is_one: Callable[[int], bool]
) -> tuple[int, Row, Row, list[Factor]] | None:
    """Finds two equal factors that share a summed label at the same place of their matrices.

    No other factor of that kind has the label.

    Returns:
        The factor, its labels both times, and the other factors with that label; None where there
        is no pair.
    """
    with_it = [f for f in term.factors if label in f[1]]
    pair = [f for f in with_it if is_one(f[0])]
    if label in term.output or len(pair) != 2 or pair[0][0] != pair[1][0]:
        return None
    (x, left), (_, right) = pair
    free = left.count(label) == right.count(label) == 1 and left[place] == right[place] == label
    if not free or left[:-2] != right[:-2] or len({*left[:-2]}) != len(left[:-2]):
        return None
    return x, left, right, [f for f in with_it if not is_one(f[0])]


def alone(b: Builder, x: int) -> Product:
    """Returns a value as a product of one factor."""
    labels = tuple(range(len(b.shape(x))))
    return Product(((x, labels),), labels, dict(zip(labels, b.shape(x), strict=True)))


def _parts_of(
    b: Builder, terms: list[Product], places: Sequence[Place], shape: Sequence[Size]
) -> list[Product] | None:
    """Restricts products to parts of their axes; eigenvectors then become some of their columns.

    Returns None for reads that are not contiguous.
    """
    if len(shape) != len(terms[0].output) or any(p.steps != (1,) or p.cyclic for p in places):
        return None
    for axis, (place, count) in enumerate(zip(places, shape, strict=True)):
        terms = [_part(b, t, t.output[axis], place.start, count) for t in terms]
    return terms


def _part(b: Builder, term: Product, label: int, start: Size, count: Size) -> Product:
    """Restricts the axis with a label to `count` entries from `start` on."""
    if count == term.sizes[label]:
        return term
    factors = list[Factor]()
    for x, row in term.factors:
        if _is_vectors(b, x) and row[-1] == label and row.count(label) == 1:
            rest = (count,) if count.constant != 1 else ()
            columns = b.eigenvectors(b.nodes[x].args[0], start, rest)
            factors.append((columns, row if rest else row[:-1]))
            continue
        for axis in [k for k, other in enumerate(row) if other == label]:
            x = b.slice(x, axis, start, count)
        factors.append((x, row))
    return Product(tuple(factors), term.output, {**term.sizes, label: count})


def _transposed(terms: int | list[Product]) -> Product | None:
    """Returns the inverse of a matrix of eigenvectors as its transpose; None for other values."""
    if isinstance(terms, int) or len(terms) != 1 or len(terms[0].factors) != 1:
        return None
    (term,) = terms
    row, output = term.factors[0][1], term.output
    if row[:-2] != output[:-2] or {*row[-2:]} != {*output[-2:]} or len({*row}) != len(row):
        return None
    return Product(term.factors, (*output[:-2], output[-1], output[-2]), term.sizes)


def _contracted(b: Builder, term: Product) -> Product:
    """Replaces diagonal matrices by their diagonals where no other factor has both summed labels.

    Every value of either label is still used then, so that entries are undefined where they were.
    """
    for number, (factor, row) in enumerate(term.factors):
        others = (*term.factors[:number], *term.factors[number + 1 :])
        keep, drop = (*row, 0, 0)[-2:] if len(row) < 2 else row[-2:]
        alone = not any(keep in r and drop in r for _, r in others) and not {keep, drop} & {
            *row[:-2]
        }
        held = all(any(k in r for _, r in others) for k in (keep, drop))
        if len(row) < 2 or keep == drop or {keep, drop} & {*term.output} or not alone or not held:
            continue
        diagonal = _diagonal(b, factor)
        if diagonal is None:
            continue
        made = () if diagonal < 0 else ((diagonal, (*row[:-2], keep)),)
        swapped = tuple((a, tuple(keep if k == drop else k for k in r)) for a, r in others)
        sizes = {k: s for k, s in term.sizes.items() if k != drop}
        return _contracted(b, Product((*swapped, *made), term.output, sizes))
    return term


def _diagonal(b: Builder, x: int) -> int | None:
    """Returns the diagonals of diagonal matrices; -1 for the identity, None for others."""
    op, rank = b.nodes[x], len(b.shape(x))
    if op.is_identity:
        return -1
    lead, k = tuple(range(rank - 2)), rank
    if op.choice and _is_identity(b, op.choice[0]) and b.scalar_value(op.choice[2]) == 0:
        return b.einsum([op.choice[1]], [(*lead, k, k)], (*lead, k))
    if op.as_product is not None:
        pair = {*op.as_product.output[-2:]}
        for a, row in op.as_product.factors:
            if len(row) == 2 and {*row} == pair and b.nodes[a].is_identity:
                if all(b.is_total(a) for a in op.args):
                    return b.einsum([x], [(*lead, k, k)], (*lead, k))
    return None


def _is_identity(b: Builder, x: int) -> bool:
    """Checks whether the last two axes hold identity matrices."""
    op = b.nodes[x]
    if op.is_identity:
        return True
    if op.single_factor is not None and len(op.single_factor[1]) == 2:
        source, row, output = op.single_factor
        return {*row} == {*output[-2:]} and b.nodes[source].is_identity
    rows = [_counted(b, a) for a in op.args] if op.function == "eq" else []
    return sorted(rows) == [len(op.shape) - 2, len(op.shape) - 1]


def _counted(b: Builder, x: int) -> int:
    """Returns the axis along which a value is 0, 1, 2, ...; -1 for other values."""
    op = b.nodes[x]
    if op.is_counting:
        return 0
    if op.single_factor is not None and b.nodes[op.single_factor[0]].is_counting:
        _, row, output = op.single_factor
        if row[0] in output:
            return output.index(row[0])
        return -1
    return -1
