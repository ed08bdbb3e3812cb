"""Finds elements of classical groups that carry X to Y, or shows that there are none.

X and Y hold vectors as columns; for groups of complex matrices real parts stand above imaginary
parts, and the columns i x count beside the columns x. Let B be the form of the group (the identity
for orthogonal matrices). No g of the group has g X = Y

- where two columns have different inner products in X and in Y, as ``(g x)^T B (g y) = x^T B y``;
- where ``X c = 0`` and ``Y c`` is not 0, or the other way round, as g is linear and invertible;
- for a group of determinant 1, where some g that is in the group but for its determinant, which is
  not 1, has g X = Y, and every h of that kind with h X = X has determinant 1. That is so for GL
  where X has full rank, when h = 1. With a form, let W be the span of X: the radical of W is
  contained in W and orthogonal to it, and has as many dimensions as the orthogonal complement of W
  has, when ``rank(X^T B X) = 2 rank(X) - d``; so it is the complement, which lies in W. Then h is
  the identity on W, and by ``<h x - x, w> = <h x, h w> - <x, w> = 0`` it moves every x by a vector
  of the complement, on which it is the identity too: h - 1 has square 0, and det h = 1. The complex
  determinant likewise.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from .exact import sum_of_products, three_digits
from .generators import bilinear_form
from .groups import FAMILIES, Family
from .linear import rank_of_rows
from .membership import check_matrix, complex_determinant, rational_determinant
from .report import Rejected, Report, spend
from .tensors import Tensor, tensor
from .text import fields, integer, items, one_of, read_pair, read_rational

Rows = list[list[Fraction]]
RESTS = ("exact arithmetic on the matrices in the certificate",)


def check_orbit(content: dict[str, Any], *, holds: bool) -> Report:
    """Checks an element that carries X to Y, or a proof that there is none."""
    reasons = ("matrix",) if holds else ("pair", "relation", "matrix")
    reason = one_of(next((k for k in reasons if k in content), None), "$", reasons)
    rounded = ["rounding"][: int(holds and "rounding" in content)]
    family, *sides, value, bounds = [
        *fields(content, "$", "family", "X", "Y", reason, *rounded),
        None,
    ][:5]
    name = _name(family)
    found = [
        _read_columns(tensor(side, f"$.{key}"), f"$.{key}")
        for key, side in zip("XY", sides, strict=True)
    ]
    (x, rows), (y, others) = found
    if rows != others or len(x) != len(y):
        raise Rejected("$.Y: not the shape of X")
    about = FAMILIES[name]
    form = _form_of_group(about, rows)
    shown = f"For X and Y, {rows} x {len(x)}: "
    if rounded:
        said = _nearly(value, bounds, name, x, y, rows)
    elif holds:
        _require_carries(_element(value, name, rows), x, y)
        said = f"the recorded matrix is in {name} and carries X to Y"
    else:
        if about.reals > 1:
            x, y = _with_turned(x), _with_turned(y)
        if reason == "pair":
            said = _pair_reason(value, x, y, form)
        else:
            if reason == "relation":
                said = _relation_reason(value, x, y)
            else:
                said = _determinant_reason(name, value, x, y, form)
        said = f"{said}, so that no element of {name} carries X to Y"
    return Report(accepted=True, statement=f"{shown}{said}.", grade="EXACT", rests_on=RESTS)


def is_classical(about: Family) -> bool:
    """Checks whether a family is that of all matrices keeping a form, a determinant or nothing."""
    one_real = about.kind == "orth" or about.reals == 1
    return about.kind in ("orth", "lin") and one_real and not about.listed and not about.integral


def _name(value: Any) -> str:
    known = isinstance(value, str) and value in FAMILIES
    if not known or not is_classical(FAMILIES[value]):
        raise Rejected("$.family: expected a classical group")
    return str(value)


def _read_columns(value: Tensor, path: str) -> tuple[Rows, int]:
    """Returns the columns of a matrix, and the number of its rows."""
    if len(value.shape) != 2 or not value.shape[0]:
        raise Rejected(f"{path}: expected a matrix of one row or more")
    return [value.values[j :: value.shape[1]] for j in range(value.shape[1])], value.shape[0]


def _form_of_group(about: Family, size: int) -> tuple[list[int], list[int]] | None:
    """Returns the form B as (order, signs), or None if the group has no form.

    (B x)[i] = signs[i] x[order[i]].
    """
    if not about.form:
        if about.kind == "orth":
            return ([*range(size)], [1] * size)
        return None
    given = bilinear_form(about, size)
    if given is None:
        raise Rejected("$.X: the group keeps no form at this size")
    if about.reals > 1:
        return ([*range(size)], [1] * size)
    return given


def _element(value: Any, name: str, size: int) -> Rows:
    matrix = [
        [read_rational(v, "$.matrix") for v in items(row, "$.matrix", size)]
        for row in items(value, "$", size)
    ]
    if len(matrix) != size:
        raise Rejected("$.matrix: not a square matrix that fits X")
    check_matrix(matrix, name, "$.matrix")
    return matrix


def _nearly(value: Any, bounds: Any, name: str, x: Rows, y: Rows, size: int) -> str:
    """Checks bounds of the distance of a matrix from carrying X to Y, and from the group."""
    texts = fields(bounds, "$.rounding", "residual", "defect", "determinant")
    residual, off_form, off_one = (read_rational(t, "$.rounding") for t in texts)
    about, matrix = FAMILIES[name], _square(value, size)
    images = [[sum_of_products(zip(row, column, strict=True)) for row in matrix] for column in x]
    gap = _squares(images, y)
    given, words = _form_of_group(about, size), ""
    if given is not None:
        order, signs = given
        moved = [list(column) for column in zip(*matrix, strict=True)]
        kept = [[_inner(a, b, given) for b in moved] for a in moved]
        form = [
            [Fraction(s * int(k == j)) for j in range(size)]
            for k, s in zip(order, signs, strict=True)
        ]
        if _squares(kept, form) > off_form**2 or off_form < 0:
            raise Rejected("$.rounding: a bound that does not hold")
        words = f", |g^T B g - B| <= {three_digits(off_form, up=True)} for the form B of {name}"
    if about.reals > 1 and not _commutes_with_i(matrix):
        raise Rejected("$.matrix: not the real matrix of a complex one")
    re, im = _parts_of_determinant(about, matrix)
    if not about.form and about.kind == "lin" and not re:
        raise Rejected("$.matrix: a singular matrix")
    if about.unit or (about.special and about.form != "symplectic"):
        if (re - 1) ** 2 + im**2 > off_one**2 or off_one < 0:
            raise Rejected("$.rounding: a bound that does not hold")
        words += f", |det g - 1| <= {three_digits(off_one, up=True)}"
    if gap > residual**2 or residual < 0:
        raise Rejected("$.rounding: a bound that does not hold")
    said = f"for the recorded matrix g, |g X - Y| <= {three_digits(residual, up=True)}"
    return f"{said}{words}, in the Frobenius norm"


def _square(value: Any, size: int) -> Rows:
    listed = items(value, "$.matrix", size)
    rows = [[read_rational(v, "$.matrix") for v in items(row, "$.matrix", size)] for row in listed]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise Rejected("$.matrix: not a square matrix that fits X")
    spend(3 * size**3)
    return rows


def _squares(a: Rows, b: Rows) -> Fraction:
    """Returns the sum of the squares of the differences."""
    gaps = [u - v for p, q in zip(a, b, strict=True) for u, v in zip(p, q, strict=True)]
    return sum_of_products(zip(gaps, gaps, strict=True))


def _commutes_with_i(matrix: Rows) -> bool:
    half = len(matrix) // 2
    return all(
        matrix[i][j] == matrix[half + i][half + j] and matrix[i][half + j] == -matrix[half + i][j]
        for i in range(half) for j in range(half)
    )  # fmt: skip


def _require_carries(matrix: Rows, x: Rows, y: Rows) -> None:
    images = [[sum_of_products(zip(row, column, strict=True)) for row in matrix] for column in x]
    if images != y:
        raise Rejected("$.matrix: it does not carry X to Y")


def _with_turned(columns: Rows) -> Rows:
    """Returns the columns, followed by i times each."""
    half = len(columns[0]) // 2 if columns else 0
    return [*columns, *([-v for v in c[half:]] + c[:half] for c in columns)]


def _inner(a: list[Fraction], b: list[Fraction], form: tuple[list[int], list[int]]) -> Fraction:
    order, signs = form
    return sum_of_products((x, sign * b[k]) for x, k, sign in zip(a, order, signs, strict=True))


def _pair_reason(value: Any, x: Rows, y: Rows, form: tuple[list[int], list[int]] | None) -> str:
    i, j = (integer(k, "$.pair", 0, len(x) - 1) for k in read_pair(value, "$.pair"))
    if form is None or _inner(x[i], x[j], form) == _inner(y[i], y[j], form):
        raise Rejected("$.pair: the inner products are equal")
    return f"columns {i} and {j} have different inner products"


def _relation_reason(value: Any, x: Rows, y: Rows) -> str:
    weights = [read_rational(v, "$.relation") for v in items(value, "$.relation", len(x))]
    if len(weights) != len(x):
        raise Rejected("$.relation: expected one coefficient for each column")
    sums = (
        [sum_of_products(zip(weights, row, strict=True)) for row in zip(*side, strict=True)]
        for side in (x, y)
    )
    zero = [not any(side) for side in sums]
    if zero[0] == zero[1]:
        raise Rejected("$.relation: it holds on both sides, or on neither")
    return f"a linear relation between the columns holds in {'XY'[zero[1]]} only"


def _keep_same_form(first: Family, second: Family) -> bool:
    """Checks whether two families keep the same form, if any, on the same vectors."""
    return (first.kind, first.form, first.reals) == (second.kind, second.form, second.reals)


def _determinant_reason(
    name: str, value: Any, x: Rows, y: Rows, form: tuple[list[int], list[int]] | None
) -> str:
    about = FAMILIES[name]
    larger = (
        n
        for n, f in FAMILIES.items()
        if n != name and name in f.subgroups and _keep_same_form(f, about)
    )
    whole = next(larger, name[1:])
    if not about.special or whole not in FAMILIES:
        raise Rejected("$.matrix: not a group of determinant 1 within another")
    size = len(x[0]) if x else 0
    matrix = _element(value, whole, size)
    _require_carries(matrix, x, y)
    if _parts_of_determinant(about, matrix) == (Fraction(1), Fraction(0)):
        raise Rejected("$.matrix: its determinant is 1")
    whole_rank = _rank_of_columns(x)
    if form is None:
        gram = whole_rank
    else:
        gram = _rank_of_columns([[_inner(a, b, form) for b in x] for a in x])
    if gram != 2 * whole_rank - size:
        raise Rejected("$.matrix: the columns of X leave room for another determinant")
    return "a matrix of another determinant carries X to Y, and X leaves no room to change it"


def _parts_of_determinant(about: Family, matrix: Rows) -> tuple[Fraction, Fraction]:
    """Returns real and imaginary part of the determinant: the complex one, where that must be 1."""
    if about.unit:
        return complex_determinant(matrix)
    return rational_determinant(matrix), Fraction(0)


def _rank_of_columns(rows: Rows) -> int:
    return rank_of_rows([dict(enumerate(row)) for row in rows])


CHECKS = {
    "orbit-witness": partial(check_orbit, holds=True),
    "orbit-mismatch": partial(check_orbit, holds=False),
}
