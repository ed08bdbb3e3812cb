"""Point groups: their orders and their kinds of elements, and claims under them."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups.point_groups import POINT_GROUPS
from eqvproof.groups import point_group
from tests.judged import assert_proved, assert_refuted

#: Orders of the groups, and how many elements are proper rotations, as tables of crystallography list them.
ORDERS = {
    "C1": (1, 1), "Ci": (2, 1), "Cs": (2, 1), "C2": (2, 2), "C3": (3, 3), "C4": (4, 4), "C6": (6, 6),
    "S4": (4, 2), "S6": (6, 3), "C2v": (4, 2), "C3v": (6, 3), "C4v": (8, 4), "C6v": (12, 6),
    "C2h": (4, 2), "C3h": (6, 3), "C4h": (8, 4), "C6h": (12, 6), "D2": (4, 4), "D3": (6, 6), "D4": (8, 8),
    "D6": (12, 12), "D2h": (8, 4), "D3h": (12, 6), "D4h": (16, 8), "D6h": (24, 12), "D2d": (8, 4),
    "D3d": (12, 6), "T": (12, 12), "Td": (24, 12), "Th": (24, 12), "O": (24, 24), "Oh": (48, 24),
}  # fmt: skip
#: Groups with the inversion.
CENTRED = {"Ci", "S6", "C2h", "C4h", "C6h", "D2h", "D4h", "D6h", "D3d", "Th", "Oh"}

Matrix = tuple[tuple[Fraction, ...], ...]


def times(a: Matrix, b: Matrix) -> Matrix:
    return tuple(
        tuple(sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*b, strict=True)) for r in a
    )


def elements(symbol: str) -> set[Matrix]:
    generators = [g for g in point_group(symbol).factors[0].generators]
    found = {tuple(tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3))}
    while True:
        more = found | {times(a, g) for a in found for g in generators}
        if more == found:
            return found
        found = more


@pytest.mark.parametrize("symbol", POINT_GROUPS)
def test_orders_rotations_and_inversions(symbol: str) -> None:
    found = elements(symbol)
    determinants = [round(float(np.linalg.det(np.array(a, dtype=float)))) for a in found]
    assert (len(found), determinants.count(1)) == ORDERS[symbol]
    negative = tuple(tuple(Fraction(-int(i == j)) for j in range(3)) for i in range(3))
    assert (negative in found) == (symbol in CENTRED)
    for a in found:
        assert np.array_equal(np.array(a) @ np.array(a).T, np.eye(3, dtype=int))


CHAINS = [*pairwise(["C3", "D3", "D3h", "D6h"]), *pairwise(["T", "Td", "Oh"])]


@pytest.mark.parametrize(("smaller", "larger"), CHAINS)
def test_groups_lie_in_others(smaller: str, larger: str) -> None:
    assert elements(smaller) < elements(larger)


def crystal_field(x):
    return x[:, 0] ** 4 + x[:, 1] ** 4 + x[:, 2] ** 4


def chiral(x):
    return x[:, 0] * x[:, 1] * x[:, 2]


@pytest.mark.parametrize("symbol", ["T", "Td", "Oh", "D2h", "C4v"])
def test_a_cubic_form_is_proved(symbol: str) -> None:
    assert_proved(crystal_field, "x: n 3 -> n", [point_group(symbol), "S(n)"])


def test_what_the_group_breaks_is_refuted() -> None:
    assert_proved(chiral, "x: n 3 -> n", point_group("T"))
    assert_refuted(chiral, "x: n 3 -> n", point_group("Th"), grades=("EXACT",))
    assert_refuted(crystal_field, "x: n 3 -> n", point_group("D6h"), grades=("EXACT",))


def test_others_are_refused() -> None:
    with pytest.raises(ep.GroupError, match="point group"):
        point_group("C5v")
    with pytest.raises(ep.GroupError, match="point_group"):
        ep.check(chiral, "x: n 3 -> n", "Td(3)")
