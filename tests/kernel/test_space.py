"""Irreps of O(3): their parity, the determinant that they carry, and tables that they keep."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt, prod
from types import SimpleNamespace
from typing import Any

import pytest

from eqvproof.kernel import claims, harmonics, invariants, irreps, report, space
from eqvproof.kernel.checker import DUAL, FIX, STD, Det, Irr, Prod
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.rational import Field
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.sizes import ONE, Size

F = Fraction


@pytest.mark.parametrize(("size", "name"), [(3, "1e"), (6, "1o"), (5, "2o"), (7, "0o"), (14, "3e")])
def test_copies_of_an_irrep_are_whole_ones(size: int, name: str) -> None:
    assert space.mark([size, None, name], "$") == name
    if name != "0o":
        with pytest.raises(Rejected, match="whole number of copies"):
            space.mark([size + 1, None, name], "$")


V: Any = ((STD, Size.of(3)),)
W: Any = ((Det(STD), Size.of(3)),)


def kept(
    values: Sequence[int | Fraction], shape: list[int], *axes: Any, power: int = 0, exact: bool = True,
    family: str = "O",
) -> Fraction | None:  # fmt: skip
    """A bound of the squared distance to the table that motions of space keep, or none."""
    report.allow_work(10**7)
    factor, own = claims.Factor(family, 3), [F(v) for v in values]
    return invariants.distance_to_kept(factor, Size.of(3), own, shape, (axes, power), exact=exact)


def test_a_block_of_zeros_says_nothing_of_the_parity() -> None:
    """Five, beside zeros for a vector: -1 keeps the one and turns the other round."""
    axis = (FIX, Size.of(1)), (STD, Size.of(3))
    assert kept([5, 0, 0, 0], [4], axis) == 0 and kept([5, 0, 0, 0], [4], axis, power=1) is None
    assert kept([5, 0, 1, 0], [4], axis) is None
    assert kept([5, 5], [2], ()) == 0 and kept([0, 1] * 4, [4, 2], axis, ()) is None
    assert kept([3, 4, 0, 0, 0, 0, 0, 0], [4, 2], axis, ()) == 0
    twisted = (FIX, Size.of(1)), (Det(FIX), Size.of(1))
    assert kept([5, 0], [2], twisted) == kept([0, 5], [2], twisted, power=1) == 0
    assert kept([5, 5], [2], twisted) is None and kept([5, 5], [2], twisted, power=1) is None
    assert kept([5, 5], [2], twisted, family="SO") == 0


def test_the_identity_and_the_cross_product_are_kept() -> None:
    cross = [F((i - j) * (j - k) * (k - i), 2) for i, j, k in itertools.product(range(3), repeat=3)]
    one = [F(int(i == j)) for i, j in itertools.product(range(3), repeat=2)]
    assert kept(one, [3, 3], V, V) == kept(one, [3, 3], V, W, power=1) == 0
    assert kept(one, [3, 3], V, V, power=1) is None and kept(one, [3, 3], V, W) is None
    assert kept(cross, [3, 3, 3], V, V, V, power=1) == kept(cross, [3, 3, 3], V, V, W) == 0
    assert kept(cross, [3, 3, 3], V, V, V, power=0) is None
    assert kept([*one[:8], F(2)], [3, 3], V, V) is None
    assert kept([-x for x in cross], [3, 3, 3], V, V, V, power=1) == 0
    assert kept([abs(x) for x in cross], [3] * 3, V, V, V, power=1) is None
    near = [*one[:8], 1 - F(1, 2**52)]
    assert kept(near, [3, 3], V, V) is None
    found = kept(near, [3, 3], V, V, exact=False)
    assert found is not None and F(2, 2**104) <= found < F(2, 2**104) * (1 + F(1, 2**60))
    assert kept([*one[:8], 1 - F(1, 2**46)], [3, 3], V, V, exact=False) is None


def test_two_axes_in_one_are_kept_as_two() -> None:
    """The identity as a vector of nine entries, and its first part as one of six."""
    one = [F(int(i == j)) for i, j in itertools.product(range(3), repeat=2)]
    both = (Prod(STD, Size.of(3), STD, Size.of(3)), Size.of(9))
    assert kept(one, [9], (both,)) == 0 and kept([*one[:8], 2], [9], (both,)) is None
    assert kept([7, *one], [10], ((FIX, ONE), both)) == 0
    six = (Prod(STD, Size.of(3), FIX, Size.of(2)), Size.of(6))
    assert kept(one[:6], [6], (six,)) is None and kept([0] * 6, [6], (six,)) == 0


WRONG: dict[str, tuple[list[int], Any]] = {
    "a part of another size than the group's": ([4], (((STD, Size.of(4)),),)),
    "parts that are too short": ([4], (((STD, Size.of(3)),),)),
    "parts that are too long": ([3], (((STD, Size.of(3)), (FIX, ONE)),)),
    "a part of no entries": ([3], (((STD, Size.of(3)), (FIX, Size.of(0))),)),
    "a part of a size that is no number": ([3], (((FIX, Size.of("n")), (STD, Size.of(3))),)),
    "an irrep of another size": ([4], (((Irr(2), Size.of(4)),),)),
    "a dual": ([3], (((DUAL, Size.of(3)),),)),
    "factors of other sizes": ([4], (((Prod(FIX, Size.of(2), FIX, Size.of(3)), Size.of(4)),),)),
    "an axis less": ([3, 2], (((STD, Size.of(3)),),)),
    "an axis more": ([3], (((STD, Size.of(3)),), ())),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("family", ["O", "SO"])
def test_types_that_no_table_has(name: str, family: str) -> None:
    shape, axes = WRONG[name]
    assert kept([1] * prod(shape), shape, *axes, family=family) is None


@pytest.mark.parametrize("of", range(1, 5))
def test_how_far_a_table_is_from_one_that_is_kept_is_bounded_from_above(of: int) -> None:
    """|A_x C|^2 + |A_y C|^2 + |A_z C|^2 = l(l + 1) |C|^2 on the irrep of degree l (Casimir)."""
    for row in range(2 * of + 1):
        for value in (F(1), F(-2, 3), F(10**9)):
            bound = irreps.violation({(row,): value}, [of])
            exact = of * (of + 1) * value**2
            assert exact <= bound <= exact * (1 + F(1, 2**100))
    assert irreps.violation({(0,): F(3)}, [0]) == 0
    assert isqrt(int(irreps.violation({(0,): F(1), (of,): F(1)}, [of]))) == isqrt(2 * of * (of + 1))


def test_the_last_place_of_what_is_written() -> None:
    """Up to one factor; of numbers that are exact, there is none."""
    single, double = F(1, 2**23), F(1, 2**52)
    exacts: Any = [[5, -2], [F(1, 3)], [1, F(1, 2), F(-3, 4)], [F(1, 3), F(2, 3)], [2**60 + 1], [F(1.4)] * 2]
    for exact in exacts:
        assert irreps.table_precision(list(map(F, exact))) == 0
    assert irreps.table_precision([F(2**22 + 1, 2), F(5, 4)]) == 0
    assert irreps.table_precision([F(0.1), F(0.1) * 3 * 2**20]) == 0
    assert irreps.table_precision([F(1), F(2**24 - 1, 2**30)]) == single
    assert irreps.table_precision([F(1), F(2**20 + 1, 2**30)]) == single
    assert irreps.table_precision([F(7, 3), F(2**23 + 3, 3)]) == single
    assert irreps.table_precision([F(1), F(2**24 + 1, 2**30)]) == double
    assert irreps.table_precision([F(1), F(-1 / 3)]) == double


@pytest.mark.parametrize("name", ["0o", "1e", "2e", "2o"])
def test_irreps_are_acted_on_by_numbers_only(name: str) -> None:
    """But the irrep of degree 1 and natural parity, by the matrix itself."""
    rows: Any = [[(i, Field("", exact=True).variable())] for i in range(3)]
    assert harmonics.acting(rows, "1o", Arithmetic(64), special=False) is rows
    with pytest.raises(Rejected, match="numbers only"):
        harmonics.acting(rows, name, Arithmetic(64), special=False)


STILL, IRREP = ([[[[2, 0]]], [[[3, 0], [2, 0]]]], 0), ([[[[5, "2e"]]]], 0)
MOVED = ([[[[2, 0]]], [[[3, 1]]]], 0)


@pytest.mark.parametrize(("group", "good"), [
    ([("O", "d")], True), ([("O", 3)], True), ([("O", 4)], False), ([("O", "n")], False), ([], False),
    ([("O", "d"), ("SO", "d")], False), ([("S", "n")], False), ([("O", "d"), ("S", "n")], True),
])  # fmt: skip
def test_irreps_need_one_factor_of_motions_in_space(group: list[Any], good: bool) -> None:
    claim: Any = SimpleNamespace(group=[claims.Factor(*f) for f in group], pins={"d": 3, "n": 4})
    if good:
        space.require(claim)
    else:
        with pytest.raises(Rejected):
            space.require(claim)


