"""Programs that differ in axes of size 1, and ones that differ in more."""

from __future__ import annotations

import pytest

from eqvproof.programs import Builder, Program, Size, is_same, substitute_sizes
from tests.programs.program.test_builder import Plain

N, ONE, TWO = Size.of("n"), Size.of(1), Size.of(2)


def attended(width: Size, *, turned: bool = False, keeps: bool = True, first: bool = False) -> Program:
    """A product of matrices, the largest entry of each row taken away, in as many axes as are asked for."""
    b: Builder = Plain()
    x, y = b.input("x", (width, TWO)), b.input("y", (width, TWO))
    if keeps:
        x = b.reshape(b.einsum([x], [(0, 1)], (2, 1), {2: ONE}) if width == ONE else x, (width, TWO))
    rows = ((0, 1), (2, 1))
    products = b.einsum([y, x] if turned else [x, y], rows, (0, 2))
    largest = products if first else b.expand(b.reduce("max", products, [1]), 1)
    return b.program(b.add([products, b.mul(b.const(-1), b.broadcast_to(largest, (width, width)))]))


@pytest.mark.parametrize("keeps", [True, False])
def test_what_only_moves_axes_of_size_1_is_left_out(keeps: bool) -> None:
    """A label more, an axis more, the largest of one entry: the entries are the same."""
    one, other = attended(ONE), attended(ONE, keeps=keeps, first=True)
    assert one != other and is_same(one, other)
    assert is_same(substitute_sizes(attended(N), {"n": 1}), one)


def test_what_has_more_entries_is_told_apart() -> None:
    """The same differences at other sizes, arguments in another order, other operations and shapes."""
    assert not is_same(attended(TWO), attended(TWO, first=True))
    assert not is_same(attended(N), attended(N, first=True))
    assert not is_same(attended(TWO), attended(TWO, turned=True))
    assert not is_same(attended(ONE), attended(TWO)) and not is_same(attended(ONE), attended(N))


@pytest.mark.parametrize("shapes", [[(2, 3), (3, 2)], [(1, 6), (6, 1)]])
def test_the_shape_of_a_result_is_part_of_it(shapes: list[tuple[int, int]]) -> None:
    """One vector in two shapes, also where they differ in where the axis of size 1 stands."""
    programs = []
    for shape in shapes:
        b = Builder()
        programs.append(b.program(b.reshape(b.input("x", (Size.of(6),)), [Size.of(s) for s in shape])))
    assert not is_same(*programs)


@pytest.mark.parametrize(("row", "output"), [((0, 1), (1, 0)), ((0, 0), (0,)), ((0, 1), (0,))])
def test_what_moves_or_sums_entries_is_told_apart(row: tuple[int, ...], output: tuple[int, ...]) -> None:
    """A transposed matrix, a diagonal and sums of rows are not the matrix nor each other."""
    programs = []
    for labels in ((row, output), ((0, 1), (0, 1))):
        b = Plain()
        x = b.einsum([b.input("x", (TWO, TWO))], [labels[0]], labels[1])
        programs.append(b.program(b.reduce("max", x, list(range(len(labels[1]))))))
    assert is_same(programs[0], programs[0]) and not is_same(*programs)
