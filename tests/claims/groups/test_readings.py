"""Which axes a group is about: a size in its place, and groups that act on nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Factor, Group, generated_by, parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.papers.statements import Court, Equivariance
from eqvproof.support.errors import GroupError, ShapeError
from tests.forked import command

TURN = generated_by([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]], name="turn")
CYCLE = generated_by([(1, 2, 3, 0)], name="cycle")

#: Signature, group, the axis named and the size written, and the signature that has the size named.
BOTH: list[tuple[str, Any, str, int, str]] = [
    ("h: n d, x: n 3 -> n 3", "O(3)", "d", 3, "h: n d, x: n v -> n v"),
    ("h: n d, x: n 3 -> n 3", "SO(3)", "d", 3, "h: n d, x: n v -> n v"),
    ("h: n d, x: n 3^ -> n 3", "E(3)", "d", 3, "h: n d, x: n v^ -> n v"),
    ("h: n 2d+1, x: n 3 -> n 3", "SE(3)", "d", 3, "h: n 2d+1, x: n v -> n v"),
    ("h: n d, x: n 3 -> n 3", "T(3)", "d", 3, "h: n d, x: n v -> n v"),
    ("x: 4 c, h: n -> 4 c", "S(4)", "n", 4, "x: v c, h: n -> v c"),
    ("x: 5 c -> 5 n", "C(5)", "n", 5, "x: v c -> v n"),
    ("x: m n -> 6", "D(6)", "n", 6, "x: m n -> v"),
    ("x: m n+k, M[bool]: 4 4 -> m", "A(4)", "n", 4, "x: m n+k, M[bool]: v v -> m"),
    ("x: d -> 2", "Signs(2)", "d", 2, "x: d -> v"),
    ("x: d 3*, y: 3! -> 3 3*", "GL(3)", "d", 3, "x: d v*, y: 3! -> v v*"),
    ("v: 2 u, x: d -> 2", "Scale(2)", "d", 2, "v: w u, x: d -> w"),
    ("h: n d, x: n 3 -> n 3", TURN, "d", 3, "h: n d, x: n v -> n v"),
    ("x: 4 c, h: n -> 4 c", CYCLE, "n", 4, "x: v c, h: n -> v c"),
    ("x: 4 c, h: n -> 4 c", Group((Factor("S", 4),)), "n", 4, "x: v c, h: n -> v c"),
    ("h: n d, x: n 3 -> n 3", ["S(n)", "O(3)"], "d", 3, "h: n d, x: n v -> n v"),
    ("h: n d, x: n 3 -> n 3", "S(n) x O(3)", "d", 3, "h: n d, x: n v -> n v"),
]


@pytest.mark.parametrize(("signature", "under", "axis", "size", "named"), BOTH)
def test_two_readings_are_an_error_that_says_how_to_write_each(
    signature: str, under: Any, axis: str, size: int, named: str
) -> None:
    with pytest.raises(GroupError) as caught:
        parse_group(under, parse_signature(signature))
    shown = str(caught.value)
    assert caught.value.code == "group.two-readings"
    assert f"the axis {axis}, of size {size}" in shown and f"the axes written {size}" in shown
    assert f"'{named}'" in shown and f"sizes={{'{axis}': {size}}}" in shown
    if isinstance(under, str):
        family = under.rpartition(" x ")[2].partition("(")[0]
        name = "w" if "w u" in named else "v"
        assert f"write {family}({axis}) with" in shown and f"under {family}({name})" in shown


def test_of_an_axis_that_has_a_group_of_its_own_the_size_is_not_meant() -> None:
    """S(n) x S(3) of X: n 3 is rows and columns; S(n) twice would be an error."""
    verdict = ep.check(lambda x: x.T @ x, "X: n 3 -> 3 3", "S(n) x S(3)")
    assert verdict.grade == "PROVED" and verdict.scope == "for all n", verdict
    assert ep.check(lambda x: x.T @ x + x[0], "X: n 3 -> 3 3", "S(n) x S(3)").fails
    assert ep.check(lambda x: x.T @ x * np.arange(3), "X: n 3 -> 3 3", "S(n) x S(3)").fails
    factors = (Factor("O", "d"), Factor("O", 3))
    assert parse_group(Group(factors), parse_signature("h: n d, x: n 3 -> n 3")).factors == factors


@pytest.mark.parametrize("door", [ep.check, ep.prove, ep.decide, ep.refute])
@pytest.mark.parametrize("sizes", [None, {"d": 3}, {"d": 5}])
def test_no_call_chooses_a_reading(door: Any, sizes: Any) -> None:
    with pytest.raises(GroupError, match="two ways"):
        door(lambda h, x: x * (h * h).sum(), "h: n d, x: n 3 -> n 3", "O(3)", sizes=sizes)


def test_no_other_door_chooses_a_reading(tmp_path: Path) -> None:
    signature, f = "h: n d, x: n 3 -> n 3", lambda h, x: x * (h * h).sum()
    for call in (
        lambda: ep.check(f, signature, "O(3)", about="floats"),
        lambda: ep.testing.assert_equivariant(f, signature, "O(3)"),
        lambda: ep.testing.assert_invariant(f, signature, "O(3)"),
        lambda: ep.claim(signature, under="O(3)"),
        lambda: ep.opaque("f", signature, under="O(3)"),
        lambda: ep.reynolds(f, signature, "Signs(3)"),
        lambda: Equivariance(f, signature, "O(3)").judge(Court()),
    ):
        with pytest.raises(GroupError, match="two ways"):
            call()
    (tmp_path / "target.py").write_text("def f(h, x):\n    return x * (h * h).sum()\n")
    done = command(tmp_path, "check", "target:f", signature, "--under", "O(3)")
    assert done.status == 2 and "two ways" in done.err and "O(v)" in done.err


def turned(x: Any) -> Any:
    """Equivariant along every axis but the last."""
    return x * np.arange(x.shape[-1])


#: Function, signature, group; whether it holds for the axes that are written so.
LITERAL: list[tuple[Any, str, Any, bool]] = [
    (lambda h, x: x * (h * h).sum(), "h: n d!, x: n 3 -> n 3", "O(3)", True),
    (lambda h, x: x * h.sum(), "h: n d!, x: n 3 -> n 3", "O(3)", True),
    (lambda h, x: h.sum() * turned(x), "h: n d!, x: n 3 -> n 3", "O(3)", False),
    (lambda h, x: (h * h).sum() * turned(x), "h: n k, x: n 3 -> n 3", "SO(3)", False),
    (lambda h, x: x * h.sum(0), "h: k 4, x: 4 -> 4", "S(4)", True),
    (lambda h, x: turned(x) * h.sum(), "h: k, x: 4 -> 4", "S(4)", False),
    (lambda h, x: np.roll(x, 1, 0) * h.sum(), "h: k, x: 5 c -> 5 c", "C(5)", True),
    (lambda h, x: np.roll(x, 1, 1) * h.sum(), "h: k, x: c 4 -> c 4", "D(4)", False),
    (lambda x: np.roll(x, 1, 0), "x: 4 -> 4", CYCLE, True),
    (lambda x: np.sort(x), "x: 4 -> 4", CYCLE, False),
]


@pytest.mark.parametrize(("f", "signature", "under", "holds"), LITERAL)
def test_a_size_is_about_the_axes_written_so(f: Any, signature: str, under: Any, holds: bool) -> None:
    verdict = ep.check(f, signature, under, budget=60)
    assert verdict.holds if holds else verdict.fails, str(verdict)
    assert verdict.certificate["claim"]["group"][0]["axis"] in (3, 4, 5)
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("signature", "under", "axis", "size"),
    [
        ("x: d -> d", "O(3)", "d", 3),
        ("x: d 3! -> d", "O(3)", "d", 3),
        ("x: 2d -> d", "SE(2)", "d", 2),
        ("x: 3n -> n", "S(3)", "n", 3),
        ("x: n 3 -> 3", "C(7)", "n", 7),
        ("E[n]: 2 m, x: n -> n", "S(4)", "n", 4),
        ("E[n]: 2 m -> n!", "S(4)", "n", 4),
        ("x: n c -> n", CYCLE, "n", 4),
        ("x: d k -> k", TURN, "d", 3),
    ],
)
def test_where_none_is_written_so_the_usual_axis_has_that_size(
    signature: str, under: Any, axis: str, size: int
) -> None:
    group = parse_group(under, parse_signature(signature))
    assert [f.axis for f in group.factors] == [axis] and group.pins == {axis: size}


@pytest.mark.parametrize(
    ("signature", "under"),
    [
        ("x: n d -> n d", None),
        ("x: n d -> n d", ""),
        ("x: n d -> n d", []),
        ("x: n d -> n d", ()),
        ("x: n d -> n d", Group(())),
        ("x: n d -> n d", [Group(())]),
        ("x: n d -> n d", ["S(n)", None]),
        ("x: n d -> n d", 3),
        ("x: n d -> n d m", "S(m)"),
        ("x: n d -> n d m", "O(d) x S(m)"),
        ("x: n -> 3", "O(3)"),
        ("x: n -> d", "O(3)"),
        ("x: n d! -> d", "O(d)"),
        ("x: n 3! -> 3", "SO(3)"),
        ("x: n d^ -> n d", "T(d)"),
        ("x: n 3^ -> n 3", "T(3)"),
        ("x: n k -> n k", "E(3)"),
        ("x: n d -> n d", generated_by([(0, 1, 2)])),
        ("x: n d -> n d", generated_by([[[1, 0], [0, 1]], np.eye(2)])),
    ],
)
@pytest.mark.parametrize("door", [ep.check, ep.prove, ep.decide, ep.refute, ep.testing.assert_equivariant])
def test_a_group_that_acts_on_no_input_is_an_error(door: Any, signature: str, under: Any) -> None:
    with pytest.raises(GroupError):
        door(lambda x: x, signature, under)


def test_a_representation_on_an_input_is_an_action_and_on_the_result_alone_is_none() -> None:
    reps = {"m": ("O(d)", lambda q: q)}
    assert ep.check(lambda x: 2 * x, "x: m -> m", "O(d)", reps=reps, sizes={"d": 2, "m": 2}).holds
    with pytest.raises(GroupError, match="acts on no input"):
        ep.check(lambda x: 0 * x, "x: k -> m", "O(d)", reps=reps, sizes={"d": 2, "m": 2})
    with pytest.raises(GroupError, match="two ways"):
        ep.check(lambda x, y, z: x, "x: m, y: d, z: 3 -> m", "O(3)", reps={"m": ("O(3)", lambda q: q)})
    irreps = {"m": ("O(3)", "0e + 1o")}
    assert ep.check(lambda x, y: 2 * x, "x: m, y: d -> m", "O(3)", reps=irreps).scope == "for d = 3"


def test_an_average_is_over_the_group_that_is_written() -> None:
    f = ep.reynolds(lambda x: x[0], "x: n -> ()", "S(4)")
    assert f([1, 2, 3, 6]) == 3
    with pytest.raises(ShapeError, match="of size 4"):
        f([1, 2, 3])


def test_an_assumption_is_about_the_sizes_that_are_written() -> None:
    assert ep.opaque("f", "x: n 3 -> n 3", under="O(3)").symmetry is not None
    with pytest.raises(GroupError, match="one size only"):
        ep.opaque("f", "x: n d -> n d", under="O(3)")
