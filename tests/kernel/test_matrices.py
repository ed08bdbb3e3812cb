"""Matrices over number fields, determinants, and constants that groups keep, against plain definitions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import mpmath
import pytest

from eqvproof.kernel import claims, generators, matrices, matrix_values, membership, symmetric
from eqvproof.kernel.checker import Det, Prod
from eqvproof.kernel.form_values import _form_entries
from eqvproof.kernel.functions import SERIES
from eqvproof.kernel.groups import FAMILIES
from eqvproof.kernel.interval import Arithmetic, hi, lo
from eqvproof.kernel.invariants import Constant, distance_to_kept, keeps
from eqvproof.kernel.linear import rank_of_rows
from eqvproof.kernel.matrices import Field, Matrix
from eqvproof.kernel.orbits import is_classical
from eqvproof.kernel.report import Rejected, allow_work
from eqvproof.kernel.sizes import Size

F = Fraction
Rows = list[list[Fraction]]
#: Polynomials from the constant term, and ends; with the root there.
ROOTS: dict[str, tuple[list[int], list[str], str]] = {
    "sqrt 2": ([-2, 0, 1], ["1", "2"], "1.41421356237309504880168872420969807857"),
    "-sqrt 2": ([-2, 0, 1], ["-2", "-1"], "-1.41421356237309504880168872420969807857"),
    "golden": ([-1, -1, 1], ["3/2", "2"], "1.61803398874989484820458683436563811772"),
    "cubic": ([-2, 0, 0, 1], ["1", "3/2"], "1.25992104989487316476721060727822835057"),
    "of three": ([1, -3, 0, 1], ["0", "1"], "0.34729635533386069770343325353862959200"),
    "reducible": ([2, -1, -2, 1], ["3/2", "3"], "2"),
}


def field(name: str) -> Field:
    minimal, interval, _ = ROOTS[name]
    return matrices.read_field({"minimal": [str(c) for c in minimal], "interval": interval})


def value(element: Sequence[int], name: str) -> Fraction:
    """The number, up to 30 digits."""
    theta = F(ROOTS[name][2])
    return sum((c * theta**k for k, c in enumerate(element)), F(0))


@pytest.mark.parametrize("name", ["sqrt 2", "cubic", "reducible"])
def test_products_are_those_of_the_numbers(name: str) -> None:
    its, rng = field(name), random.Random(name)
    n = its.degree

    def element() -> tuple[int, ...]:
        return tuple(rng.randint(-9, 9) for _ in range(n))

    for _ in range(10):
        u, v = [element() for _ in range(3)], [element() for _ in range(3)]
        found = matrices.field_dot(u, v, its)
        exact = sum((value(a, name) * value(b, name) for a, b in zip(u, v, strict=True)), F(0))
        assert len(found) == n and abs(value(found, name) - exact) < F(1, 10**25)
        low, high, again = matrices.enclosures({found}, its)[0]
        assert again == found and high - low < F(1, 10**20)
        assert low - F(1, 10**25) <= exact <= high + F(1, 10**25)
    a = Matrix(2, 3, tuple(element() for _ in range(6)), 3)
    b = Matrix(3, 2, tuple(element() for _ in range(6)), 5)
    found = matrices.matrix_product(a, b, its, "$")
    assert (found.rows, found.columns, found.bottom) == (2, 2, 15)
    for i, j in itertools.product(range(2), repeat=2):
        row = [a.entries[3 * i + k] for k in range(3)]
        column = [b.entries[2 * k + j] for k in range(3)]
        assert found.entries[2 * i + j] == matrices.field_dot(row, column, its)
    one = matrices.identity_matrix(3, its)
    assert matrices.is_equal(matrices.matrix_product(a, one, its, "$"), a)
    assert not matrices.is_equal(found, one)
    assert matrices.is_equal(Matrix(1, 1, ((2,) * n,), 4), Matrix(1, 1, ((3,) * n,), 6))
    assert not matrices.is_equal(Matrix(1, 1, ((2,) * n,), 4), Matrix(1, 1, ((2,) * n,), 6))
    turned = matrices.transposed(a)
    assert matrices.transposed(turned) == a and turned.column(1) == a.entries[3:]
    with pytest.raises(Rejected):
        matrices.matrix_product(a, a, its, "$")


@pytest.mark.parametrize(
    ("minimal", "interval"),
    [
        ([-2, 0, 2], ["1", "2"]),  # not monic
        (["-1/2", 0, 1], ["0", "1"]),  # not of integers
        ([-2, 1], ["1", "3"]),  # of degree 1
        ([-2, 0, 1], ["2", "3"]),  # no root
        ([-2, 0, 1], ["2", "1"]),  # the ends swapped
        ([-2, 0, 1], ["-2", "2"]),  # two roots
        ([0, -1, 0, 1], ["-2", "2"]),  # three of them, with a change of sign
        ([0, -1, 0, 1], ["1", "2"]),  # at an end
        ([0, -1, 0, 1], ["-2", "-1"]),  # at the other
        ([-2, 0, 1], ["1", "3/2", "2"]),  # three ends
        ([-2, 0, 1], ["1"]),  # one
        ([4, -4, 1], ["1", "3"]),  # a root of two kinds, no change of sign
    ],
)
def test_a_field_has_one_root_between_its_ends(minimal: list[Any], interval: list[str]) -> None:
    with pytest.raises(Rejected):
        matrices.read_field({"minimal": [str(c) for c in minimal], "interval": interval})


def test_numbers_are_told_apart_where_they_differ() -> None:
    its = field("sqrt 2")
    numbers = {(1, 0), (0, 1), (-1, 1), (3, -2), (0, 0), (7, -5)}
    found = matrices.enclosures(numbers, its)
    assert [e for *_, e in found] == sorted(numbers, key=lambda e: value(e, "sqrt 2"))
    assert all(a[1] < b[0] for a, b in itertools.pairwise(found))
    assert [e for *_, e in matrices.enclosures({(3,), (-1,), (2,)}, Field())] == [(-1,), (2,), (3,)]
    with pytest.raises(Rejected):  # theta = 2
        matrices.enclosures({(2, 0, 0), (0, 1, 0), (9, 0, 0)}, field("reducible"))


def orthogonal(n: int, rng: random.Random) -> tuple[Rows, int]:
    """A product of reflections and transpositions, and its determinant."""
    found: Rows = [[F(int(i == j)) for j in range(n)] for i in range(n)]
    determinant = 1
    for _ in range(rng.randint(0, 3)):
        u = [F(rng.randint(-3, 3)) for _ in range(n)]
        square = sum(x * x for x in u)
        if square:
            weights = [2 * sum((u[i] * found[i][j] for i in range(n)), F(0)) / square for j in range(n)]
            found = [[found[i][j] - u[i] * weights[j] for j in range(n)] for i in range(n)]
            determinant = -determinant
    rng.shuffle(order := list(range(n)))
    found = [found[i] for i in order]
    return found, determinant if membership.is_even(order) else -determinant


def test_the_sign_of_the_determinant_of_an_orthogonal_matrix() -> None:
    rng = random.Random(1)
    for n in (1, 2, 3, 4, 5):
        for _ in range(8):
            rows, sign = orthogonal(n, rng)
            q = matrices.read_matrix(
                {"shape": [n, n], "values": [str(x) for row in rows for x in row]}, "$", Field()
            )
            assert matrices.determinant_sign(q, Field()) == sign == membership.rational_determinant(rows)
    its = field("sqrt 2")  # a turn by an eighth, and a mirror, in units of sqrt(2) / 2
    one, zero, minus = (0, 1), (0, 0), (0, -1)
    turn, mirror = Matrix(2, 2, (one, minus, one, one), 2), Matrix(2, 2, (one, one, one, minus), 2)
    assert matrices.determinant_sign(turn, its) == 1 and matrices.determinant_sign(mirror, its) == -1
    with pytest.raises(Rejected, match="well enough"):
        matrices.determinant_sign(Matrix(1, 1, ((0, 2**700),), 1), its)
    swap = Matrix(3, 3, (zero, (1, 0), zero, (1, 0), zero, zero, zero, zero, (1, 0)), 1)
    assert matrices.determinant_sign(swap, its) == -1


def determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """By Leibniz's formula."""
    n = len(rows)
    return sum(
        (1 if membership.is_even(list(p)) else -1) * prod(rows[i][p[i]] for i in range(n))
        for p in itertools.permutations(range(n))
    )


class Complex:
    """Rational complex numbers."""

    def __init__(self, re: Fraction, im: Fraction) -> None:
        self.pair = re, im

    def __mul__(self, other: Any) -> Complex:
        a, b = self.pair
        c, d = other.pair if isinstance(other, Complex) else (other, 0)
        return Complex(a * c - b * d, a * d + b * c)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Complex:
        return Complex(self.pair[0] + other.pair[0], self.pair[1] + other.pair[1]) if other else self

    __radd__ = __add__


def test_determinants_of_complex_matrices() -> None:
    rng = random.Random(2)
    for n in (1, 2, 3, 4):
        for _ in range(12):
            entries, other = (
                [[F(rng.choice((-2, 0, 0, 1, 3)), rng.choice((1, 2))) for _ in range(n)] for _ in range(n)]
                for _ in range(2)
            )
            top = [[*x, *(-v for v in y)] for x, y in zip(entries, other, strict=True)]
            whole = [*top, *([*y, *x] for x, y in zip(entries, other, strict=True))]
            pairs = [[Complex(entries[i][j], other[i][j]) for j in range(n)] for i in range(n)]
            assert membership.complex_determinant(whole) == determinant(pairs).pair


@pytest.mark.parametrize("given", [["1"], ["1", "2", "3"], [], "1", [1, 2], ["1/2", "2/4"]])
def test_an_element_of_a_field_has_its_coefficients(given: Any) -> None:
    its = field("sqrt 2")
    assert matrices.read_element(["1/2", "-3"], "$", its) == (F(1, 2), F(-3))
    assert matrices.read_element("1/2", "$", Field()) == (F(1, 2),)
    with pytest.raises(Rejected):
        matrices.read_element(given, "$", its)
    with pytest.raises(Rejected):
        matrices.read_matrix({"shape": [1, 1], "values": [given]}, "$", its)


@pytest.mark.parametrize("shape", [[2], [], [1, 1, 2], [1, 1], [2, 2]])
def test_a_matrix_has_two_axes_and_its_entries(shape: list[int]) -> None:
    for its, entry in ((Field(), "1"), (field("sqrt 2"), ["1", "0"])):
        for good in ([1, 2], [2, 1]):
            found = matrices.read_matrix({"shape": good, "values": [entry, entry]}, "$", its)
            assert [found.rows, found.columns] == good
        with pytest.raises(Rejected):
            matrices.read_matrix({"shape": shape, "values": [entry, entry]}, "$", its)


@pytest.mark.parametrize(
    ("family", "members", "others"),
    [
        ("S", [[0], [1, 0], [2, 0, 1]], []),
        ("A", [[0], [0, 1], [1, 2, 0], [1, 0, 3, 2]], [[1, 0], [1, 2, 3, 0]]),
        ("C", [[0], [1, 0], [2, 0, 1], [3, 0, 1, 2]], [[1, 0, 2], [2, 1, 0], [1, 0, 3, 2]]),
        ("D", [[0], [2, 0, 1], [2, 1, 0], [1, 0, 3, 2], [0, 3, 2, 1]], [[1, 0, 2, 3], [1, 3, 0, 2]]),
    ],
)
def test_permutations_of_a_family(family: str, members: list[list[int]], others: list[list[int]]) -> None:
    for p in members:
        membership.check_permutation(p, family, "$")
    for p in [*others, [0, 0], [1, 1, 0]]:
        with pytest.raises(Rejected):
            membership.check_permutation(p, family, "$")


# -- constants that are kept -----------------------------------------------------------------------------


def matrix(*rows: str) -> Rows:
    return [[F(x) for x in row.split()] for row in rows]


TURN, FLIP, SWAP = matrix("3/5 -4/5", "4/5 3/5"), matrix("-1 0", "0 1"), matrix("0 1", "1 0")
SHEAR, DOUBLE, BOOST = matrix("1 2", "0 1"), matrix("2 0", "0 1"), matrix("5/3 4/3", "4/3 5/3")
TURNS = [matrix("1 0 0", "0 3/5 -4/5", "0 4/5 3/5"), matrix("3/5 -4/5 0", "4/5 3/5 0", "0 0 1")]
CYCLE, DOWN = matrix("0 1 0", "0 0 1", "1 0 0"), matrix("-1 0 0", "0 1 0", "0 0 1")
BENT, OTHER_FLIP = matrix("1 2 0", "0 1 0", "0 3 1"), matrix("1 0", "0 -1")
#: Family -> matrices of it, of size 2 and 3, that tell what it keeps from what it does not.
ELEMENTS: dict[str, list[Rows]] = {
    "O": [TURN, FLIP, *TURNS, DOWN],
    "SO": [TURN, *TURNS],
    "S": [SWAP, matrix("0 1 0", "1 0 0", "0 0 1"), CYCLE],
    "A": [CYCLE],
    "C": [SWAP, CYCLE],
    "Signs": [FLIP, OTHER_FLIP, DOWN, matrix("1 0 0", "0 -1 0", "0 0 1"), matrix("1 0 0", "0 1 0", "0 0 -1")],
    "GL": [SHEAR, SWAP, DOUBLE, BENT, matrix("0 1 0", "0 0 1", "2 0 0")],
    "SL": [SHEAR, matrix("1 0", "3 1"), BENT, CYCLE],
    "Lorentz": [BOOST, OTHER_FLIP, FLIP, TURNS[0], DOWN, matrix("5/3 0 4/3", "0 1 0", "4/3 0 5/3")],
    "Sp": [SHEAR, matrix("1 0", "3 1"), matrix("2 0", "0 1/2")],
}
LISTED = ("S", "A", "C", "O", "SO", "Signs")


def inverse(g: Rows) -> Rows:
    """By cofactors."""
    n, over = len(g), determinant(g)
    minor = [
        [[row[:j] + row[j + 1 :] for k, row in enumerate(g) if k != i] for j in range(n)] for i in range(n)
    ]
    return [[(-1) ** (i + j) * determinant(minor[j][i]) / over for j in range(n)] for i in range(n)]


def acted(g: Rows, values: list[Fraction], ways: Sequence[int]) -> list[Fraction]:
    """g along each axis, or its inverse transpose."""
    n = len(g)
    dual = [list(column) for column in zip(*inverse(g), strict=True)]
    found = dict(zip(itertools.product(range(n), repeat=len(ways)), values, strict=True))
    for k, way in enumerate(ways):
        by = g if way == 1 else dual
        before, found = found, {}
        for at in before:
            found[at] = sum((by[at[k]][j] * before[(*at[:k], j, *at[k + 1 :])] for j in range(n)), F(0))
    return list(found.values())


def tables(n: int, axes: int) -> Iterator[list[Fraction]]:
    """Numbers that some group keeps, and others."""
    places = list(itertools.product(range(n), repeat=axes))
    yield [F(0)] * len(places)
    yield [F(1)] * len(places)
    yield [F(len(set(at)) == 1) for at in places]
    yield [F(k * k - 2 * k + 3) for k in range(len(places))]
    if axes == n:
        pairs = list(itertools.combinations(range(n), 2))
        yield [F(prod(at[j] - at[i] for i, j in pairs), n - 1) for at in places]
    if axes == 2:
        yield [F((i == j) * (1 if i == 0 else -1)) for i, j in places]
        yield [F((j - i) % n == 1) for i, j in places]


@pytest.mark.parametrize(
    ("family", "listed"), [*((f, False) for f in ELEMENTS), *((f, True) for f in LISTED)]
)
def test_a_constant_is_kept_where_the_elements_keep_it(family: str, *, listed: bool) -> None:
    """Those of the family; or, where they are listed, of the group that they generate."""
    kind, seen = FAMILIES[family].kind, set()
    for n, axes, power in itertools.product((2, 3), (1, 2, 3), (0, 1)):
        special = all(determinant(g) == 1 for g in ELEMENTS[family] if len(g) == n)
        group = [g for g in ELEMENTS[family] if len(g) == n]
        if (axes == 3 and n == 2) or not group or (special and power):
            continue
        factor = claims.Factor(family, "d")
        if listed and kind == "perm":
            factor = claims.Factor("GenS", "d", tuple(tuple(row.index(1) for row in g) for g in group))
        elif listed:
            factor = claims.Factor("GenO", "d", tuple(tuple(map(tuple, g)) for g in group))
        for ways in itertools.combinations_with_replacement((1, -1) if kind == "lin" else (1,), axes):
            strides = tuple(n ** (axes - 1 - k) for k in range(axes))
            for values in tables(n, axes):
                found = keeps(factor, Constant(values, n, strides, ways), power, special=special)
                wanted = all(
                    values == [determinant(g) ** power * x for x in acted(g, values, ways)] for g in group
                )
                assert found == wanted, (n, ways, power, [str(x) for x in values])
                seen.add(found)
    assert seen == {False, True}


def acting(kind: Any, size: int, g: Rows) -> Rows:
    """The matrix of an element along a part of an axis."""
    match kind:
        case Det(inner):
            return [[determinant(g) * x for x in row] for row in acting(inner, size, g)]
        case Prod(first, n, second, m):
            one, other = acting(first, n.number, g), acting(second, m.number, g)
            return [[x * y for x in row for y in column] for row in one for column in other]
        case "Std":
            return g
        case "Dual":
            return [list(column) for column in zip(*inverse(g), strict=True)]
    return [[F(int(i == j)) for j in range(size)] for i in range(size)]


def block_diagonal(parts: Sequence[tuple[Any, Size]], g: Rows) -> Rows:
    total, at = sum(size.number for _, size in parts), 0
    found = [[F(0)] * total for _ in range(total)]
    for kind, size in parts:
        for i, row in enumerate(acting(kind, size.number, g)):
            found[at + i][at : at + size.number] = row
        at += size.number
    return found


def turned(matrices: Sequence[Rows], values: list[Fraction]) -> list[Fraction]:
    """A table of two axes with a matrix along each."""
    left, right = matrices
    table = [values[i * len(right) : (i + 1) * len(right)] for i in range(len(left))]
    half = [
        [sum((a * table[k][j] for k, a in enumerate(row)), F(0)) for j in range(len(right))] for row in left
    ]
    return [sum((b * row[k] for k, b in enumerate(other)), F(0)) for row in half for other in right]


def some_parts(rng: random.Random, n: int, kind: str) -> list[tuple[Any, Size]]:
    """One or two parts of an axis on which elements of size n act."""
    size, one = Size.of(n), Size.of(1)
    known: list[tuple[Any, Size]] = [("Std", size), ("Fix", one), ("Fix", size)]
    known.append((Prod("Std", size, "Fix", Size.of(2)), size * Size.of(2)))
    if kind == "lin":
        known.append(("Dual", size))
    if kind == "orth":
        known += [(Det("Std"), size), (Det("Fix"), one)]
    return [rng.choice(known) for _ in range(rng.randint(1, 2))]


@pytest.mark.parametrize("family", ELEMENTS)
def test_a_table_of_several_parts_is_kept_where_the_elements_keep_it(family: str) -> None:
    """Of random blocks, each 0 or of numbers that some group keeps or not."""
    rng, seen = random.Random(family), dict.fromkeys((False, True), 0)
    kind = FAMILIES[family].kind
    for n in (2, 3):
        group = [g for g in ELEMENTS[family] if len(g) == n]
        for _ in range(60 if group else 0):
            allow_work(10**7)
            axes = [some_parts(rng, n, kind) for _ in range(2)]
            power = rng.choice((0, 0, 1))
            lengths = [sum(size.number for _, size in parts) for parts in axes]
            table = [[F(0)] * lengths[1] for _ in range(lengths[0])]
            row = 0
            for _, height in axes[0]:
                column = 0
                for _, width in axes[1]:
                    if rng.random() < 0.6:
                        scale = F(rng.choice((1, -2, 3)))
                        for i in range(height.number):
                            for j in range(width.number):
                                table[row + i][column + j] = scale * (rng.random() < 0.1 or i == j)
                    column += width.number
                row += height.number
            values = [x for own in table for x in own]
            stated: Any = (tuple(map(tuple, axes)), power)
            factor = claims.Factor(family, "d")
            found = distance_to_kept(factor, Size.of(n), values, lengths, stated, exact=True)
            wanted = all(
                [F(1) * x for x in values]
                == [determinant(g) ** power * x for x in turned([block_diagonal(p, g) for p in axes], values)]
                for g in group
            )
            if family == "C" and power:  # whose elements have no character in forms
                wanted = all(
                    values == turned([block_diagonal(p, g) for p in axes], values) for g in group
                )
            assert (found == 0) == wanted, (family, n, axes, power, list(map(str, values)))
            seen[wanted] += 1
    assert min(seen.values()) > 5, seen


#: Family -> the dimension of its Lie algebra at a size.
DIMENSIONS = {
    "O": lambda d: d * (d - 1) // 2, "SO": lambda d: d * (d - 1) // 2, "GL": lambda d: d * d,
    "SL": lambda d: d * d - 1, "Lorentz": lambda d: d * (d - 1) // 2, "O(1,3)": lambda d: 6,
    "SO(2,2)": lambda d: 6,
    "Sp": lambda d: d * (d + 1) // 2, "U": lambda d: d * d // 4, "SU": lambda d: d * d // 4 - 1,
}  # fmt: skip


def bracket(a: Rows, b: Rows) -> Rows:
    n = len(a)

    def entry(i: int, j: int) -> Fraction:
        return sum((a[i][k] * b[k][j] - b[i][k] * a[k][j] for k in range(n)), F(0))

    return [[entry(i, j) for j in range(n)] for i in range(n)]


EUCLIDEAN = [(f, d) for f in ("O", "SO", "GL", "SL", "Lorentz") for d in (1, 2, 3, 4)]
OTHERS = [("O(1,3)", 4), ("SO(2,2)", 4), *((f, d) for f in ("Sp", "U", "SU") for d in (2, 4)), ("SU", 6)]


@pytest.mark.parametrize(("family", "size"), EUCLIDEAN + OTHERS)
def test_brackets_of_the_matrices_span_the_lie_algebra(family: str, size: int) -> None:
    """Of g with g^T B g = B: A^T B + B A = 0; the unitary ones are skew besides; the dimension is known."""
    about = FAMILIES[family]
    found = [[[F(0)] * size for _ in range(size)] for _ in generators.algebra(about, size) or ()]
    for matrix_, entries in zip(found, generators.algebra(about, size) or (), strict=True):
        for i, j, x in entries:
            matrix_[i][j] += x
    if about.form:
        order, signs = generators.bilinear_form(about, size) or ([], [])
        form = [[F(signs[i] * (order[i] == j)) for j in range(size)] for i in range(size)]
        for a in found:
            for i, j in itertools.product(range(size), repeat=2):
                assert sum(a[k][i] * form[k][j] + form[i][k] * a[k][j] for k in range(size)) == 0
    if about.kind == "orth":
        assert all(a[i][j] == -a[j][i] for a in found for i in range(size) for j in range(size))
    if about.unit:  # the imaginary part of the complex trace
        assert not any(sum(a[size // 2 + k][k] for k in range(size // 2)) for a in found)
    if about.kind == "lin" and about.special:
        assert not any(sum(a[k][k] for k in range(size)) for a in found)
    spanned: list[Rows] = []
    todo = list(found)
    while todo and len(spanned) < size * size:
        a = todo.pop()
        rows = [dict(enumerate(x for row in m for x in row)) for m in (*spanned, a)]
        if rank_of_rows(rows) > len(spanned):
            todo += [bracket(a, b) for b in spanned]
            spanned.append(a)
    assert len(spanned) == DIMENSIONS[family](size)


def test_classical_groups_are_all_that_keep_a_form_or_a_determinant() -> None:
    classical = {"O", "SO", "GL", "SL", "Lorentz", "Sp", "U", "SU"}
    assert {name for name, about in FAMILIES.items() if is_classical(about)} >= classical
    assert {name for name, about in FAMILIES.items() if is_classical(about) and "(" not in name} == classical
    assert is_classical(FAMILIES["O(1,3)"]) and is_classical(FAMILIES["SO(2,2)"])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_forms_as_values(n: int) -> None:
    """diag(1, -1, ..., -1), and [[0, I], [-I, 0]]."""
    half = n // 2
    minkowski = [[F((i == j) * (-1 if i else 1)) for j in range(n)] for i in range(n)]
    assert _form_entries(n, signs=True) == [x for row in minkowski for x in row]
    if n % 2 == 0:
        symplectic = [[F((j == i + half) - (i == j + half)) for j in range(n)] for i in range(n)]
        assert _form_entries(n, signs=False) == [x for row in symplectic for x in row]


def test_eigenvalues_and_functions_of_two_rows() -> None:
    """Of the symmetric part: [[3, 4], [4, -3]] with -5 at (1, -2) and 5 at (2, 1); and of numbers."""
    a = Arithmetic(64)
    m: list[list[Any]] = [[F(3), F(8)], [F(0), F(-3)]]
    assert symmetric.symmetric_eigenvalues(m, a) == [-5, 5]
    assert symmetric.symmetric_eigenvalues([[F(7)]], a) == [7]
    low = [F(1, 5), F(-2, 5), F(-2, 5), F(4, 5)]
    high = [F(4, 5), F(2, 5), F(2, 5), F(1, 5)]
    for weights in ((-5, 5), (1, 1), (0, 1), (1, 0), (2, -7)):
        found = symmetric.spectral(m, [F(w) for w in weights], a)
        assert found == [weights[0] * x + weights[1] * y for x, y in zip(low, high, strict=True)]
    assert symmetric.spectral([[F(7)]], [F(3)], a) == [3]
    for p, q, r in itertools.product((-1, 0, 2), repeat=3):
        ends = symmetric.symmetric_eigenvalues([[F(p), F(q)], [F(q), F(r)]], a)
        assert all(x is not None for x in ends)
        for sign, x in zip((-1, 1), ends, strict=True):
            off = 2 * (lo(x) if sign < 0 else hi(x)) - p - r  # sign times the root of the square below
            assert abs(off * off - (p - r) ** 2 - 4 * q * q) < F(1, 2**40) and sign * off >= 0
    for undefined in ([[None]], [[F(1), None], [F(0), F(1)]]):
        assert symmetric.symmetric_eigenvalues(undefined, a) == [None] * len(undefined)


@pytest.mark.parametrize("top", [F(1, 16), F(1, 2), F(3), F(-5)])
def test_series_of_matrices_are_as_narrow_as_is_asked(top: Fraction) -> None:
    """exp of ((t, 1), (0, t)) is e^t ((1, 1), (0, 1))."""
    allow_work(10**7)
    found = matrix_values._series([1], [[top, F(1)], [F(0), top]], [], Arithmetic(96))
    with mpmath.workprec(400):
        power = mpmath.nint(mpmath.exp(mpmath.mpf(top.numerator) / top.denominator) * 2**300)
    value, slack = F(int(power), 2**300), F(1, 2**300)
    for entry, want in zip(found, (value, value, F(0), value), strict=True):
        assert lo(entry) - slack <= want <= hi(entry) + slack
        assert hi(entry) - lo(entry) < F(1, 2**85)


@pytest.mark.parametrize("name", SERIES)
def test_series_have_the_coefficients_of_their_functions(name: str) -> None:
    """Of a number t as a matrix, to a hundred bits."""
    allow_work(10**7)
    [found] = matrix_values._series(SERIES[name], [[F(1, 2)]], [], Arithmetic(96))
    with mpmath.workprec(400):
        value = getattr(mpmath, name.removesuffix("m"))(mpmath.mpf(1) / 2)
        assert abs(mpmath.mpf(lo(found).numerator) / lo(found).denominator - value) < mpmath.mpf(2) ** -85


def test_the_words_for_a_field_say_its_root() -> None:
    assert Field().words() == ""
    assert field("sqrt 2").words() == " (over Q(t), t^2 + -2 t^0 = 0, 1 < t < 2)"
    assert "t^3 + 1 t^0 + -3 t^1 = 0, 0 < t < 1" in field("of three").words()


@pytest.mark.parametrize("family", ["Sp", "Lorentz", "SU", "O(1,3)"])
def test_at_a_size_without_a_form_the_identity_alone_is_a_member(family: str) -> None:
    """Lorentz has one at each."""
    one = matrix("1 0 0", "0 1 0", "0 0 1")
    membership.check_matrix(one, family, "$")
    for other in (CYCLE, TURNS[0], DOWN, BENT):
        if family != "Lorentz":
            with pytest.raises(Rejected):
                membership.check_matrix(other, family, "$")
