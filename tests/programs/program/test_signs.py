"""Where values lie and whether they are defined, as Programs show it, against exact values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.numbers import UNDECIDED_ENTRY, UNDEFINED, Real
from eqvproof.numbers.scalar import from_fraction
from eqvproof.numbers.spans import INF
from eqvproof.programs import Builder, Program
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.signs import Signs
from tests.programs.evaluate.programs import random_inputs, random_program
from tests.sampling import examples

SIZES = st.fixed_dictionaries({"n": st.integers(1, 3), "d": st.integers(1, 3)})


def assert_inside(value: Real, signs: Signs, node: int) -> None:
    """A number is where it is said to be, as far as its ball tells."""
    x = value.scalar
    low, high = signs.intervals.of(node)
    assert low == -INF or not x < from_fraction(Fraction(low))
    assert high == INF or not x > from_fraction(Fraction(high))
    assert not (signs.is_nonzero(node) and x == 0)


@given(st.integers(0, 10**6), SIZES)
@settings(max_examples=examples(300))
def test_values_lie_where_they_are_said_to(seed: int, sizes: dict[str, int]) -> None:
    program, inputs = random_program(seed), random_inputs(seed, sizes)
    signs = Signs(program)
    for x in range(len(program.nodes)):
        part = Program(program.inputs, program.nodes[: x + 1], x)
        for value in evaluate_exact(part, inputs, sizes).flat:
            if isinstance(value, Real):
                assert_inside(value, signs, x)
            elif value is UNDEFINED:
                assert not signs.is_total(x)
            else:
                assert value is UNDECIDED_ENTRY


def layers() -> dict[str, bool]:
    """Formulas, and whether they are defined everywhere."""
    b = Builder()
    x = b.input("x", ["d", "n"])
    s = b.sum(b.mul(x, x), [0])
    e = b.map("exp", [b.sub(x, b.broadcast_to(b.reduce("max", x, [0]), b.shape(x)))])
    centred = b.sub(x, b.broadcast_to(b.mean(x, [0]), b.shape(x)))
    variance = b.mean(b.mul(centred, centred), [0])
    one, eps = b.const(1), b.const(Fraction(1, 100000))
    zero, one_each = (b.broadcast_to(k, b.shape(x)) for k in (b.const(0), one))
    summed = b.broadcast_to(b.sum(b.map("recip", [x]), [0]), b.shape(x))
    rest = b.slice(x, 1, 1, b.shape(x)[1] - 1)
    clipped = b.map("minimum", [b.map("maximum", [x, b.const(-1)]), one])
    found = {
        "softmax": (b.div(e, b.broadcast_to(b.sum(e, [0]), b.shape(e))), True),
        "norm": (b.map("sqrt", [s]), True),
        "normed": (b.map("recip", [b.map("sqrt", [s])]), False),
        "normed, with a bound": (b.map("recip", [b.map("maximum", [b.map("sqrt", [s]), eps])]), True),
        "variance": (b.map("recip", [b.map("sqrt", [b.add([variance, eps])])]), True),
        "variance alone": (b.map("recip", [variance]), False),
        "sigmoid": (b.map("recip", [b.add([one, b.map("exp", [x])])]), True),
        "softplus": (b.map("log", [b.add([one, b.map("exp", [x])])]), True),
        "log of a sum of exponentials": (b.map("log", [b.sum(e, [0])]), True),
        "log": (b.map("log", [s]), False),
        "log above 1": (b.map("log", [b.add([s, one])]), True),
        "arccos of what is clipped": (b.map("arccos", [clipped]), True),
        "arccos": (b.map("arccos", [x]), False),
        "root of a cube": (b.map("sqrt", [b.power(x, 3)]), False),
        "root of a fourth power": (b.map("sqrt", [b.power(x, 4)]), True),
        "a power": (b.map("pow", [x, b.const(9)]), True),
        "a root": (b.map("pow", [x, b.const(Fraction(1, 3))]), False),
        "less than nothing": (b.map("sqrt", [b.neg(s)]), False),
        "1 - tanh": (b.map("sqrt", [b.sub(one, b.map("tanh", [x]))]), True),
        "tanh - 1": (b.map("sqrt", [b.sub(b.map("tanh", [x]), one)]), False),
        "chosen by what is true": (b.select(one, x, b.map("recip", [x])), True),
        "chosen by what may be": (b.select(b.map("gt", [x, one]), x, b.map("recip", [x])), False),
        "sinc": (b.select(b.map("eq", [x, zero]), one_each, b.div(b.map("sin", [x]), x)), True),
        "sinc around 1": (b.select(b.map("eq", [x, one_each]), one_each, b.div(b.map("sin", [x]), x)), False),
        "sinc, exchanged": (b.select(b.map("eq", [x, zero]), b.div(b.map("sin", [x]), x), one_each), False),
        "its sum where it is not": (b.select(b.map("ne", [zero, x]), summed, x), False),
        "1 / x above a bound": (b.select(b.map("gt", [x, one_each]), b.map("recip", [x]), x), True),
        "1 / x below a bound": (b.select(b.map("lt", [x, one_each]), b.map("recip", [x]), x), False),
        "1 / x not below a bound": (b.select(b.map("lt", [x, one_each]), x, b.map("recip", [x])), True),
        "1 / x not below 0": (b.select(b.map("lt", [x, zero]), x, b.map("recip", [x])), False),
        "1 / 1 or x": (b.map("recip", [b.select(b.map("eq", [zero, x]), one_each, x)]), True),
        "1 / x or 1": (b.map("recip", [b.select(b.map("eq", [zero, x]), x, one_each)]), False),
        "log where 1 / x is": (b.select(b.map("gt", [x, zero]), b.map("log", [x]), x), False),
        "the greatest of none": (b.reduce("max", rest, [1]), False),
        "the sum of none": (b.sum(rest, [1]), True),
        "by a sum of none": (b.map("recip", [b.sum(b.map("exp", [rest]), [1])]), False),
        "a size": (b.map("recip", [b.size("n")]), True),
        "a size less 1": (b.map("recip", [b.size(b.shape(x)[1] - 1)]), False),
        "an inverse": (b.inv(b.matmul(x, b.transpose(x))), False),
        "a pseudo-inverse": (b.pinv(x), True),
        "any function": (b.opaque("g", [x], ["n"]), False),
    }
    signs = Signs(b)
    assert {name: signs.is_total(node) for name, (node, _) in found.items()} == {
        name: known for name, (_, known) in found.items()
    }
    return {name: known for name, (_, known) in found.items()}


def test_layers_are_seen_to_be_defined() -> None:
    found = layers()
    assert sum(found.values()) > 12 and len(found) - sum(found.values()) > 12


@pytest.mark.parametrize(("mask", "total"), [((1, 1), True), ((0, 1), False)])
def test_a_mask_that_is_known_chooses(mask: tuple[int, int], total: bool) -> None:
    b = Builder()
    x, m = b.input("x", ["n"]), b.input("m", ["n"])
    kept = b.sum(b.select(m, b.map("exp", [x]), b.const(0)))
    signs = Signs(b, {"m": mask})
    assert signs.is_total(b.map("recip", [kept])) == total


def test_programs_deeper_than_the_stack() -> None:
    nodes: list[ops.Operation] = [ops.Input((), (), "x")]
    nodes += [ops.Map((i,), (), "tanh") for i in range(5000)]
    assert Signs(Program((("x", ()),), tuple(nodes), 5000)).is_total(5000)


@pytest.mark.parametrize("fn", ["lgamma", "digamma", "tan", "log", "sqrt", "arcsin", "arccos"])
def test_values_between_minus_one_and_one_need_not_lie_where_a_function_is_defined(fn: str) -> None:
    b = Builder()
    x = b.input("x", [])
    inner, above = b.map(fn, [b.map("tanh", [x])]), b.map(fn, [b.map("exp", [x])])
    signs = Signs(b.program(b.add([inner, above])))
    assert signs.is_total(inner) == (fn in ("arcsin", "arccos"))
    assert signs.is_total(above) == (fn in ("log", "sqrt", "lgamma", "digamma"))


@pytest.mark.parametrize(("last", "is_whole"), [(7, True), (Fraction(1, 2), False)])
@pytest.mark.parametrize("count", [2, 100])
def test_many_whole_numbers_and_one_more(last: Fraction, is_whole: bool, count: int) -> None:
    """All entries of a constant are asked, however it keeps them."""
    b = Builder()
    values = [*range(count), Fraction(last)]
    x = b.const(np.array([float(v) for v in values]))
    assert b.nodes[x].is_whole(None) is is_whole  # type: ignore[arg-type]
