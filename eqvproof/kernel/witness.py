"""Checks witnesses, orthogonal matrices and permutations, and mismatches, which exclude them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Any

from .exact import common, paid, three_digits
from .matrices import (
    Element,
    Field,
    Matrix,
    columns_of,
    determinant_sign,
    enclosures,
    field_dot,
    identity_matrix,
    is_equal,
    matrix_product,
    price,
    read_element,
    read_field,
    read_matrix,
    transposed,
)
from .report import Rejected, Report, spend
from .text import fields, integer, items, read_pair, read_rational

RESTS = ("exact arithmetic on the matrices in the certificate",)


def check_witness(kind: str, content: dict[str, Any]) -> Report:
    """Checks a witness or a mismatch by recomputing the claim from the matrices alone."""
    parts = dict(content)
    if "field" in parts:
        field = read_field(parts.pop("field"))
    else:
        field = Field()
    x, y = (
        read_matrix(parts.pop("X", None), "$.X", field),
        read_matrix(parts.pop("Y", None), "$.Y", field),
    )
    if (x.rows, x.columns) != (y.rows, y.columns):
        raise Rejected("$.Y: not the shape of X")
    size = f"X and Y, {x.rows} x {x.columns}{field.words()}"
    claim = CLAIMS[kind](parts, x, y, field)
    return Report(accepted=True, statement=f"For {size}: {claim}.", grade="EXACT", rests_on=RESTS)


# -- the claims
# ------------------------------------------------------------------------------------------


def _orthogonal(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    if "rounding" in parts:
        return _rounded_orthogonal(parts, x, y, field)
    keys = ["Q", "determinant", *["reflections"][: int("reflections" in parts)]]
    values = dict(zip(keys, fields(parts, "$", *keys), strict=True))
    q = _rotation(values["Q"], x, field)
    if not is_equal(matrix_product(q, x, field, "$.Q"), y):
        raise Rejected("$.Q: Q X is not Y")
    determinant = determinant_sign(q, field)
    if integer(values["determinant"], "$.determinant", -1, 1) != determinant:
        raise Rejected("$.determinant: Q has the other determinant")
    factors = ""
    if "reflections" in values:
        factors = (
            f", the product of {_check_reflections(values['reflections'], q, field)} reflections"
        )
    return f"the recorded Q is orthogonal, det Q = {determinant}, and Q X = Y{factors}"


def _rotation(value: Any, x: Matrix, field: Field) -> Matrix:
    q = read_matrix(value, "$.Q", field)
    if (q.rows, q.columns) != (x.rows, x.rows):
        raise Rejected("$.Q: not a square matrix that fits X")
    if not is_equal(matrix_product(transposed(q), q, field, "$.Q"), identity_matrix(q.rows, field)):
        raise Rejected("$.Q: not orthogonal")
    return q


def _check_reflections(value: Any, q: Matrix, field: Field) -> int:
    """Checks that reflections multiply to Q, and returns their number."""
    if field.degree != 1:
        raise Rejected("$.reflections: over the rational numbers only")
    vectors = items(value, "$.reflections", q.rows + 1)
    image, bottom = [list(e) for e in _rows(identity_matrix(q.rows, field))], 1
    for vector in reversed(vectors):
        numbers = [
            read_rational(v, "$.reflections") for v in items(vector, "$.reflections", q.rows)
        ]
        whole = common(v.denominator for v in numbers)
        u = [int(v * whole) for v in numbers]
        square = sum(c * c for c in u)
        if len(u) != q.rows or not square:
            raise Rejected("$.reflections: expected nonzero vectors of the size of Q")
        longest = max(abs(c).bit_length() for row in image for c in row)
        price(2 * q.rows, q.rows, longest + square.bit_length(), field)
        weights = [
            2 * sum(c * row[j] for c, row in zip(u, image, strict=True)) for j in range(q.rows)
        ]
        image = [
            [square * e - c * w for e, w in zip(row, weights, strict=True)]
            for c, row in zip(u, image, strict=True)
        ]
        bottom *= square
        by = gcd(bottom, *(e for row in image for e in row))
        image, bottom = [[e // by for e in row] for row in image], bottom // by
    if not is_equal(Matrix(q.rows, q.rows, tuple((e,) for row in image for e in row), bottom), q):
        raise Rejected("$.reflections: their product is not Q")
    return len(vectors)


def _rows(a: Matrix) -> list[list[int]]:
    return [[e[0] for e in a.entries[i * a.columns : (i + 1) * a.columns]] for i in range(a.rows)]


def _rounded_orthogonal(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    value, rounding = fields(parts, "$", "Q", "rounding")
    texts = fields(rounding, "$.rounding", "residual", "orthogonality")
    bounds = [read_rational(t, "$.rounding") for t in texts]
    q = read_matrix(value, "$.Q", field)
    if (q.rows, q.columns) != (x.rows, x.rows) or field.degree != 1 or min(bounds) < 0:
        raise Rejected("$.Q: not a square rational matrix that fits X")
    for found, target, bound in (
        (matrix_product(q, x, field, "$.Q"), y, bounds[0]),
        (matrix_product(transposed(q), q, field, "$.Q"), identity_matrix(q.rows, field), bounds[1]),
    ):
        pairs = zip(found.entries, target.entries, strict=True)
        gaps = [u[0] * target.bottom - v[0] * found.bottom for u, v in pairs]
        if Fraction(sum(g * g for g in gaps)) > (bound * found.bottom * target.bottom) ** 2:
            raise Rejected("$.rounding: a bound that does not hold")
    shown = [three_digits(bound, up=True) for bound in bounds]
    return f"|Q X - Y| <= {shown[0]} and |Q^T Q - I| <= {shown[1]} in the Frobenius norm, Q as recorded"


def _gram(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    pair, left, right = fields(parts, "$", "pair", "left", "right")
    i, j = (integer(k, "$.pair", 0, x.columns - 1) for k in read_pair(pair, "$.pair"))
    found = []
    for matrix, value, path in ((x, left, "$.left"), (y, right, "$.right")):
        price(1, matrix.rows, matrix.bits, field)
        product = field_dot(matrix.column(i), matrix.column(j), field)
        recorded = read_element(value, path, field)
        if tuple(Fraction(c, matrix.bottom**2) for c in product) != recorded:
            raise Rejected(f"{path}: not the inner product of columns {i} and {j}")
        found.append(recorded)
    bottom = lcm(*(c.denominator for e in found for c in e))
    if len(enclosures({tuple(int(c * bottom) for c in e) for e in found}, field)) != 2:
        raise Rejected("$.pair: the inner products are equal")
    return f"columns {i} and {j} have different inner products, so that no orthogonal matrix carries X to Y"


def _order(value: Any, columns: int) -> list[int]:
    order = [
        integer(p, "$.permutation", 0, columns - 1) for p in items(value, "$.permutation", columns)
    ]
    if sorted(order) != list(range(columns)):
        raise Rejected("$.permutation: not a permutation of the columns")
    return order


def _square_distance(a: Sequence[Element], b: Sequence[Element], bottom: int) -> Fraction:
    spend(1 + len(a) // 2)
    return paid(Fraction(sum((u[0] - v[0]) ** 2 for u, v in zip(a, b, strict=True)), bottom**2))


def _permutation(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    within = "tolerance" in parts
    value, *tolerance = fields(parts, "$", "permutation", *["tolerance"][: int(within)])
    order = _order(value, x.columns)
    left, right = columns_of((x, y))
    if not within:
        if any(left[p] != right[j] for j, p in enumerate(order)):
            raise Rejected("$.permutation: X P is not Y")
        return "X P = Y for the recorded permutation matrix P"
    tol, bottom = read_rational(tolerance[0], "$.tolerance"), lcm(x.bottom, y.bottom)
    if field.degree != 1 or tol < 0:
        raise Rejected("$.tolerance: for rational matrices only")
    if any(_square_distance(left[p], right[j], bottom) > tol**2 for j, p in enumerate(order)):
        raise Rejected("$.permutation: a column that is farther away than the tolerance")
    return (
        f"each column of X P is within {three_digits(tol, up=True)} of that of Y, for the recorded"
        f" permutation"
        " matrix P"
    )


def _multiset(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    left, right = columns_of((x, y))
    if "tolerance" in parts:
        return _crowded(parts, left, right, lcm(x.bottom, y.bottom), field)
    value, counts = fields(parts, "$", "column", "counts")
    recorded = [read_element(v, "$.column", field) for v in items(value, "$.column", x.rows)]
    bottom = lcm(x.bottom, y.bottom)
    column = tuple(tuple(c * bottom for c in e) for e in recorded)
    enclosures({e for c in (*left, *right) for e in c}, field)
    found = [sum(c == column for c in columns) for columns in (left, right)]
    if found != [integer(c, "$.counts", 0) for c in items(counts, "$.counts", 2)]:
        raise Rejected("$.counts: the column does not stand there so often")
    if found[0] == found[1]:
        raise Rejected("$.counts: equal")
    times = " and ".join(
        f"{n} column{'s' * (n != 1)} of {side}" for n, side in zip(found, "XY", strict=True)
    )
    return f"one vector is {times}, so that X P = Y for no permutation matrix P"


def _crowded(
    parts: dict[str, Any], left: list[Any], right: list[Any], bottom: int, field: Field
) -> str:
    """Checks that columns of Y have fewer partners in X than there are: Hall's condition fails."""
    value, crowd, partners = fields(parts, "$", "tolerance", "crowd", "partners")
    tol = read_rational(value, "$.tolerance")
    chosen = [integer(j, "$.crowd", 0, len(right) - 1) for j in items(crowd, "$.crowd")]
    near = {integer(i, "$.partners", 0, len(left) - 1) for i in items(partners, "$.partners")}
    if field.degree != 1 or tol < 0 or len(set(chosen)) != len(chosen) or len(near) >= len(chosen):
        raise Rejected("$.crowd: expected more columns of Y than partners in X")
    for j in chosen:
        for i in range(len(left)):
            if i not in near and _square_distance(left[i], right[j], bottom) <= tol**2:
                raise Rejected(f"$.partners: column {i} of X is near column {j} of Y")
    return (
        f"{len(chosen)} columns of Y have together only {len(near)} columns of X within"
        f" {three_digits(tol, up=False)}, so that no permutation brings X within that distance of Y,"
        f" column by"
        " column"
    )


def _congruence(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    value, order = fields(parts, "$", "Q", "permutation")
    q = _rotation(value, x, field)
    image = matrix_product(q, x, field, "$.Q")
    left, right = columns_of((image, y))
    if any(left[p] != right[j] for j, p in enumerate(_order(order, x.columns))):
        raise Rejected("$.permutation: Q X P is not Y")
    return "the recorded Q is orthogonal, P is a permutation matrix, and Q X P = Y"


def _incongruence(parts: dict[str, Any], x: Matrix, y: Matrix, field: Field) -> str:
    """Checks that no choice of images of some columns has the same inner products as in X.

    If Q X P = Y, then the columns v_1, ..., v_m of X go to columns w_1, ..., w_m of Y, and the rows
    of inner products (<v_1, x>, ..., <v_m, x>, <x, x>), x through the columns of X, are those of Y
    in another order. All choices of w_1, ..., w_m are tried; a choice is dropped as soon as these
    rows differ.
    """
    (value,) = fields(parts, "$", "base")
    base = [integer(v, "$.base", 0, x.columns - 1) for v in items(value, "$.base", x.columns)]
    left, right = columns_of((x, y))
    every: set[Element] = set()

    def extend(columns: list[Any], rows: list[Any], chosen: int) -> list[Any]:
        price(len(columns), x.rows, max(x.bits, y.bits), field)
        products = [field_dot(columns[chosen], column, field) for column in columns]
        every.update(products)
        return [(*row, product) for row, product in zip(rows, products, strict=True)]

    squares = [[(field_dot(c, c, field),) for c in columns] for columns in (left, right)]
    every.update(e for rows in squares for (e,) in rows)
    known, survivors = squares[0], [squares[1]]
    if Counter(squares[0]) != Counter(squares[1]):
        survivors = []
    for v in base:
        mark = known[v]
        known = extend(left, known, v)
        wanted, images = Counter(known), []
        for rows in survivors:
            for w in range(x.columns):
                if rows[w] == mark:
                    longer = extend(right, rows, w)
                    if longer[w] == known[v] and Counter(longer) == wanted:
                        images.append(longer)
        survivors = images
    if survivors:
        raise Rejected("$.base: some choice of images is not ruled out")
    enclosures(every, field)
    shown = "X and Y have columns of different lengths"
    if base:
        shown = f"no {len(base)} columns of Y have the inner products with all columns that {base} of X have"
    return f"{shown}, so that Q X P = Y for no orthogonal Q and permutation matrix P"


CLAIMS = {
    "orthogonal-witness": _orthogonal,
    "gram-mismatch": _gram,
    "permutation-witness": _permutation,
    "multiset-mismatch": _multiset,
    "congruence-witness": _congruence,
    "congruence-mismatch": _incongruence,
}
CHECKS = {kind: partial(check_witness, kind) for kind in CLAIMS}
