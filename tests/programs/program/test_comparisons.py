"""Comparisons with one answer at all points and sizes; near misses beside each stay comparisons."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

import eqvproof.programs.operations as ops
from eqvproof.programs import Builder, Size
from eqvproof.programs.evaluate import evaluate_float

Made = Callable[[Builder, int, int], int]


def built(make: Made) -> tuple[Builder, int]:
    """A node of numbers x and of positions i in an axis."""
    b = Builder()
    x, i = b.input("x", ["n"]), b.input("i", ["n"])
    b.ranges[i] = Size.of("c")
    return b, make(b, x, i)


def positive(b: Builder, x: int) -> int:
    return b.add([b.mul(x, x), b.const(1)])


def both(b: Builder, left: int, right: int) -> int:
    return b.map("and", [b.map("eq", [left, left]), b.map("le", [right, b.size(Size.of("c"))])])


ONE_ANSWER: dict[str, Made] = {
    "itself": lambda b, x, i: b.map("eq", [x, x]),
    "not itself": lambda b, x, i: b.map("ne", [x, x]),
    "above 0": lambda b, x, i: b.map("gt", [positive(b, x), b.const(0)]),
    "at least 1": lambda b, x, i: b.map("ge", [positive(b, x), b.const(1)]),
    "no negative position": lambda b, x, i: b.map("eq", [i, b.const(-100)]),
    "positions": lambda b, x, i: b.map("lt", [i, b.size(Size.of("c"))]),
    "the last position": lambda b, x, i: b.map("le", [i, b.size(Size.of("c") - 1)]),
    "a remainder by 1": lambda b, x, i: b.map("mod", [i, b.const(1)]),
    "two of them": lambda b, x, i: both(b, x, i),
}
MORE_ANSWERS: dict[str, Made] = {
    "another": lambda b, x, i: b.map("eq", [x, i]),
    "itself where undefined": lambda b, x, i: b.map("eq", [b.map("recip", [x])] * 2),
    "a square": lambda b, x, i: b.map("gt", [b.mul(x, x), b.const(0)]),
    "above 1": lambda b, x, i: b.map("gt", [positive(b, x), b.const(1)]),
    "a position": lambda b, x, i: b.map("eq", [i, b.const(0)]),
    "below the last": lambda b, x, i: b.map("lt", [i, b.size(Size.of("c") - 1)]),
    "another size": lambda b, x, i: b.map("lt", [i, b.size(Size.of("n"))]),
    "a remainder of a fraction": lambda b, x, i: b.map("mod", [x, b.const(1)]),
}


ONE_IS_MORE: dict[str, Made] = {  # than the other at all points: their maximum is i
    "positions and 0": lambda b, x, i: b.map("maximum", [i, b.const(0)]),
    "the other way round": lambda b, x, i: b.map("maximum", [b.const(-1), i]),
    "the last position": lambda b, x, i: b.map("minimum", [i, b.size(Size.of("c") - 1)]),
}
NONE_IS_MORE: dict[str, Made] = {
    "another number": lambda b, x, i: b.map("maximum", [i, x]),
    "positions and 1": lambda b, x, i: b.map("maximum", [i, b.const(1)]),
    "the last but one": lambda b, x, i: b.map("minimum", [i, b.size(Size.of("c") - 2)]),
    "where the less is undefined": lambda b, x, i: b.map(
        "maximum", [i, b.mul(b.const(-1), b.map("abs", [b.map("recip", [x])]))]
    ),
}


@pytest.mark.parametrize("name", ONE_IS_MORE)
def test_the_greater_of_two(name: str) -> None:
    b, node = built(ONE_IS_MORE[name])
    assert b.nodes[node].input_name == "i"


@pytest.mark.parametrize("name", NONE_IS_MORE)
def test_the_greater_here_or_there_stays_a_maximum(name: str) -> None:
    b, node = built(NONE_IS_MORE[name])
    assert isinstance(b.nodes[node], ops.Map)


@pytest.mark.parametrize("name", ONE_ANSWER)
def test_one_answer_is_a_constant(name: str) -> None:
    """It is what the comparison gives at points."""
    b, node = built(ONE_ANSWER[name])
    assert b.scalar_value(node) is not None
    value = evaluate_float(b.program(node), {"x": np.zeros(3), "i": np.arange(3.0)}, {"n": 3, "c": 3})
    wanted = 0.0 if name in ("not itself", "no negative position", "a remainder by 1") else 1.0
    assert (np.asarray(value) == wanted).all()


@pytest.mark.parametrize("name", MORE_ANSWERS)
def test_more_answers_stay_a_comparison(name: str) -> None:
    b, node = built(MORE_ANSWERS[name])
    assert isinstance(b.nodes[node], ops.Map)


def test_a_known_choice_is_what_it_chooses() -> None:
    b = Builder()
    x, y = b.input("x", ["n"]), b.map("recip", [b.input("y", ["n"])])
    assert b.select(b.map("eq", [x, x]), x, y) == x
    assert b.select(b.map("ne", [x, x]), x, y) == y
    assert isinstance(b.nodes[b.select(x, x, y)], ops.Select)


def test_a_part_of_copies_is_copies() -> None:
    b = Builder()
    x = b.input("x", ["n"])
    wide = b.broadcast_to(x, [Size.of("m"), Size.of("n")])
    assert b.slice(wide, 0, 0, 1) == b.broadcast_to(x, [Size.of(1), Size.of("n")])
    assert b.nodes[b.slice(wide, 1, 0, 1)].as_reading is not None


#: Numbers that are 0 or 1 everywhere, and near misses, which are not.
MASKS: dict[str, Made] = {
    "triangle": lambda b, x, i: b.tri("n", "n"),
    "its complement": lambda b, x, i: b.sub(b.const(1), b.tri("n", "n")),
    "identity": lambda b, x, i: b.eye("n"),
    "a comparison": lambda b, x, i: b.map("lt", [x, b.const(0)]),
    "both": lambda b, x, i: b.map("and", [b.map("lt", [x, b.const(0)]), b.map("gt", [x, b.const(-1)])]),
}
NO_MASKS: dict[str, Made] = {
    "numbers": lambda b, x, i: x,
    "positions": lambda b, x, i: i,
    "half a triangle": lambda b, x, i: b.mul(b.const(Fraction(1, 2)), b.tri("n", "n")),
    "two triangles": lambda b, x, i: b.mul(b.const(2), b.tri("n", "n")),
    "undefined at 0": lambda b, x, i: b.map("lt", [b.map("recip", [x]), b.const(0)]),
}
COMPARISONS = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


@pytest.mark.parametrize("name", [*MASKS, *NO_MASKS])
def test_comparisons_of_masks_with_constants_are_masks(name: str) -> None:
    """At all constants around 0 and 1, in both orders, the value is that of NumPy's comparison."""
    point = {"x": np.array([-2.0, -0.5, 1.0, 3.0]), "i": np.array([0.0, 1.0, 2.0, 3.0])}
    b, mask = built(MASKS.get(name) or NO_MASKS[name])
    given = evaluate_float(b.program(mask), point, {"n": 4, "c": 4})
    read = 0
    for fn, compare in COMPARISONS.items():
        for c in (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3, 2)):
            for is_first in (True, False):
                sides = [mask, b.const(c)] if is_first else [b.const(c), mask]
                node = b.map(fn, sides)
                expected = compare(given, float(c)) if is_first else compare(float(c), given)
                found = evaluate_float(b.program(node), point, {"n": 4, "c": 4})
                np.testing.assert_array_equal(np.broadcast_to(found, expected.shape), expected)
                is_mask = node == mask or b.nodes[node].function == "not"
                read += is_mask or b.scalar_value(node) is not None
    assert (read == 60) == (name in MASKS)
