"""Irreps of O(3): their parity, the determinant that they carry, and tables that they keep."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt, prod
from types import SimpleNamespace
from typing import Any

import pytest

from eqvproof.kernel import acts, claims, harmonics, invariants, irreps, report, rules, space
from eqvproof.kernel.acts import Acted, Blocks, Irrep, normal
from eqvproof.kernel.checker import DUAL, FIX, STD, Det, Irr, Prod
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.powers import NONE
from eqvproof.kernel.program import Node, Program
from eqvproof.kernel.rational import Field
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.rules.base import Setting
from eqvproof.kernel.sizes import ONE, Size

F = Fraction
KINDS: list[Acted] = [True, Irrep(0, twisted=True), Irrep(1, twisted=True), Irrep(2), Irrep(2, twisted=True)]


def degree(kind: Acted) -> int:
    return kind.degree if isinstance(kind, Irrep) else int(kind)


def sign(kind: Acted) -> int:
    """By what -1 acts: (-1)^l, and det(-1) = -1 once more where twisted."""
    return (-1) ** (degree(kind) + (isinstance(kind, Irrep) and kind.twisted))


def at_minus_one(act: Blocks) -> list[int]:
    """The diagonal matrix by which -1 acts."""
    found: list[int] = []
    for copies, rest in act:
        size, by = copies.constant or 0, 1
        for length, kind in rest:
            size, by = size * (length.constant or 0), by * sign(kind)
        found += [by] * size
    return found


def degrees(act: Blocks) -> list[list[int]]:
    """Of each block the degrees of the factors that turns move."""
    return [[degree(kind) for _, kind in rest if degree(kind)] for _, rest in act]


@pytest.mark.parametrize("name", ["0o", "1e", *(f"{n}{p}" for n in range(2, 17) for p in "eo")])
def test_an_irrep_of_the_parity_of_its_degree_is_not_twisted(name: str) -> None:
    kind = space.read_factor(name, "$")
    assert degree(kind) == int(name[:-1]) and sign(kind) == (1 if name[-1] == "e" else -1)


@pytest.mark.parametrize(("size", "name"), [(3, "1e"), (6, "1o"), (5, "2o"), (7, "0o"), (14, "3e")])
def test_copies_of_an_irrep_are_whole_ones(size: int, name: str) -> None:
    assert space.mark([size, None, name], "$") == name
    if name != "0o":
        with pytest.raises(Rejected, match="whole number of copies"):
            space.mark([size + 1, None, name], "$")


@pytest.mark.parametrize("name", ["0e", "1o", "17e", "2x", "e", "", "02e", "-1e"])
def test_no_factor_is_written_in_another_way(name: str) -> None:
    with pytest.raises(Rejected):
        space.read_factor(name, "$")


def products() -> Iterable[list[tuple[Size, Acted]]]:
    """Blocks: copies of one factor or of products of two, with an identity between them."""
    for own in itertools.chain(itertools.product(KINDS), itertools.product(KINDS, repeat=2)):
        factors = [(Size.of(2 * degree(kind) + 1), kind) for kind in own]
        yield [(Size.of(2), False), factors[0], (Size.of(3), False), *factors[1:]]


def is_settled(act: Blocks) -> bool:
    """Whether only the first factor of a block that acts is twisted."""
    return all(
        not (isinstance(kind, Irrep) and kind.twisted) for _, rest in act for _, kind in rest[1:]
    )  # a block in normal form begins with a factor that acts


def test_the_determinant_turns_round_what_minus_one_does() -> None:
    for block in products():
        act = normal([block, [(Size.of(4), False)]])
        turned = space.twisted(act)
        assert is_settled(turned) and [-x for x in at_minus_one(turned)] == at_minus_one(act)
        again = space.twisted(turned)
        assert is_settled(again) and at_minus_one(again) == at_minus_one(act)
        assert degrees(turned)[0] == degrees(again)[0] == degrees(act)[0]


def test_a_type_has_no_first_block_that_is_twisted_but_the_power_for_it() -> None:
    for block, other in itertools.product(list(products())[:8], repeat=2):
        type_ = (normal([block]), "uni", normal([other]), acts.fixed(Size.of(5)))
        found, power = space.normalise_twists(type_)
        assert found[1] == "uni" and found[3] == type_[3] and power in (0, 1)
        total = 1
        for before, after in zip(type_, found, strict=True):
            if isinstance(before, str) or isinstance(after, str):
                continue
            assert not any(isinstance(k, Irrep) and k.twisted for _, k in after[0][1])
            total *= at_minus_one(before)[0] * at_minus_one(after)[0]
            assert degrees(before) == degrees(after)
        assert total == (-1) ** power


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


@pytest.mark.parametrize(("name", "special", "kind"), [
    ("2e", False, Irrep(2)), ("2o", False, Irrep(2, twisted=True)), ("2o", True, Irrep(2)),
    ("1o", False, True), ("1e", True, True), ("0o", True, False), ("3o", False, Irrep(3)),
])  # fmt: skip
def test_copies_of_an_irrep(name: str, special: bool, kind: Acted) -> None:
    own = 2 * int(name[0]) + 1
    found = space.copies(claims.Term(3 * own, None, name), special=special)
    assert found == [(Size.of(3), False), (Size.of(own), kind)]


def setting(*, special: bool) -> Any:
    return SimpleNamespace(is_special=lambda: special)


def test_the_ways_to_write_a_type() -> None:
    """A determinant on some of the axes that may carry it, which are at most two, and in the power."""
    v, w = normal([[(Size.of(3), True)]]), normal([[(Size.of(3), Irrep(1, twisted=True))]])
    even, odd = (Size.of(0), ONE), (Size.of(1), ONE)
    found = list(space.ways_to_write((v, "uni", v), even, setting(special=False)))
    assert found == [
        ((v, "uni", v), even), ((w, "uni", v), odd), ((v, "uni", w), odd), ((w, "uni", w), even)
    ]  # fmt: skip
    assert list(space.ways_to_write((w,), odd, setting(special=False))) == [((w,), odd), ((v,), even)]
    assert list(space.ways_to_write((v,), even, setting(special=True))) == [((v,), even)]
    assert list(space.ways_to_write((v,), "zero", setting(special=False))) == [((v,), "zero")]
    assert len(list(space.ways_to_write((v, v, v), even, setting(special=False)))) == 1 + 3 + 3


STILL, IRREP = ([[[[2, 0]]], [[[3, 0], [2, 0]]]], 0), ([[[[5, "2e"]]]], 0)
MOVED = ([[[[2, 0]]], [[[3, 1]]]], 0)


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize(("uses", "good"), [
    ([STILL], True), ([MOVED], False), ([IRREP], False), ([(STILL[0], 1)], False), ([(["uni"], 0)], None),
    ([([], 0)], True), ([STILL, MOVED], False), ([MOVED, STILL], False), ([STILL, STILL], True), ([], True),
])  # fmt: skip
def test_a_table_that_is_read_leaves_others_its_shape(
    uses: list[Any], good: bool | None, length: int
) -> None:
    """Node 4 is read by one factor; another uses it with these types, and node 3 in any way.

    That one entry is equal to all others (None) is no use of its value; of two it is one.
    """
    good = length == 1 if good is None else good
    axes = len(uses[0][0]) if uses else 0
    graph: Any = SimpleNamespace(nodes={4: SimpleNamespace(shape=[Size.of(length)] * axes)})
    own = SimpleNamespace(types=[MOVED], lines=[SimpleNamespace(type=0, node=4)])
    lines = [SimpleNamespace(type=k, node=4) for k in range(len(uses))]
    other = SimpleNamespace(
        types=[*uses, MOVED], lines=[*lines, SimpleNamespace(type=len(uses), node=3)]
    )  # fmt: skip
    proofs: Any = [(own, {4: F(4, 10**12)}), (other, {})]
    if good:
        text = space.readings(proofs, graph)
        assert "each use of its constant tables 4 stands for the table next" in text
        bound = F(text.split("at most ")[1].split(" ")[0])
        assert F(2, 10**6) <= bound < F(21, 10**7)
    else:
        with pytest.raises(Rejected):
            space.readings(proofs, graph)
        with pytest.raises(Rejected):
            space.readings(proofs[::-1], graph)
    assert space.readings([(own, {}), (other, {})], graph) == ""


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


def test_a_table_is_read_as_it_is_written_unless_the_claim_says_otherwise() -> None:
    """The identity, but for the last place of an entry."""
    report.allow_work(10**6)
    shape, v = (Size.of(3), Size.of(3)), normal([[(Size.of(3), True)]])
    one = [F(int(i == j)) for i, j in itertools.product(range(3), repeat=2)]
    near = [*one[:8], 1 - F(1, 2**52)]
    for values, is_read, good in ((one, False, True), (near, False, False), (near, True, True)):
        node = Node("const", (), shape, {"values": tuple(values)}, 0)
        program, factor = Program((), (node,), 0, ""), claims.Factor("O", 3)
        for s in [Setting(program, factor, Size.of(3), {}, readable=frozenset({0} if is_read else {1}))] + (
            [] if is_read else [Setting(program, factor, Size.of(3), {})]
        ):
            assert rules.derivable(0, [], ((v, v), NONE), s) == good and bool(s.read) == (good and is_read)
