"""The evaluator of forms: over residues as over rationals, and what it refuses or does not begin."""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from math import prod
from typing import Any

import pytest

from eqvproof.kernel import form_values, report
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.report import Limited, Rejected
from eqvproof.kernel.symbolic import Numbers
from eqvproof.kernel.tensors import Tensor
from tests.kernel import corpus, points, second
from tests.kernel.encoding import check_certificate, encoded, program, sized


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_residues_are_those_of_the_rational_values(start: int) -> None:
    """Random programs at random residues: as a second evaluation of the Program in rationals says."""
    compared = 0
    for seed in range(start, start + 100):
        rng = random.Random(seed)
        shape = [rng.randint(1, 3) for _ in range(rng.choice((1, 2)))]
        nodes, last = points.Nodes(rng, shape), 0
        for _ in range(rng.randint(1, 4)):
            last = nodes.grow()
        written, sizes = nodes.program(last), {"n": shape[0]}
        report.allow(10**7)
        numbers = Numbers(str(seed), exact=False)
        given = [numbers.variable() for _ in range(prod(shape))]
        residues = [Fraction(x.num.value) for x in given]
        x = tuple(shape), dict(zip(second.indices(shape), residues, strict=True))
        try:
            _, expected = second.value_of(program(written), {"x": x}, sizes)
            found = form_values.evaluate(sized(written, sizes), [Tensor(tuple(shape), given)], numbers)
        except (Rejected, second.Wrong, second.Unsure):
            continue
        if numbers._atoms:  # of a function that is not rational
            continue
        for value, wanted in zip(found.values, expected.values(), strict=True):
            assert wanted is not None
            own = numbers._residue(numbers.lifted(value))
            assert (own * wanted.denominator - wanted.numerator) % numbers.ring.prime == 0, written
            compared += 1
    assert compared > 60


def lines(*kinds: list[Any], shapes: list[Any], functions: tuple[str, ...] = ()) -> Any:
    """Forms of which each line uses the first one."""
    used = [[0] * (kind[1] in ("Contract", "Add", "View", "Fold", "Sort")) for kind in kinds]
    return {
        "functions": [*functions], "leaves": [], "shapes": shapes, "kinds": [[0, "Input", 0], *kinds],
        "lines": [[0], *([k + 1, *own] for k, own in enumerate(used))],
    }  # fmt: skip


def power(count: int, number: int) -> Any:
    """A place that is a power of a number, as a balanced product."""
    if count == 1:
        return ["Num", number]
    return ["Times", power(count // 2, number), power(count - count // 2, number)]


def read(*places: Any) -> list[Any]:
    """A line that is the first one, read at places."""
    return [0, "Contract", [[0, [*places]]], [], [0]]


REFUSED: dict[str, Any] = {
    "outside of an array": lines(read(["Plus", 0, ["Num", 1]]), shapes=[[2]]),
    "beyond an array": lines(read(["Num", 2]), shapes=[[2]]),
    "a longer label": lines([1, "Contract", [[0, [0]]], [], [0]], shapes=[[2], [3]]),
    "a label without a size": lines(read(1), shapes=[[2]]),
    "a label twice": lines([1, "Contract", [[0, [0]]], [], [0, 0]], shapes=[[2], [2, 2]]),
    "a label that is summed and kept": lines([0, "Contract", [[0, [0]]], [[0, 2]], [0]], shapes=[[2]]),
    "another rank": lines([1, "Contract", [[0, [0]]], [], [0]], shapes=[[2], [2, 1]]),
    "more places than axes": lines(read(0, 0), shapes=[[2]]),
    "a sum of another shape": lines([1, "Add", [0]], shapes=[[2], [3]]),
    "a part beyond the end": lines([1, "View", "Cut", 0, 0, 1, 2], shapes=[[2], [2]]),
    "a part of another size than the line": lines([1, "View", "Cut", 0, 0, 0, 1], shapes=[[2], [2]]),
    "a part that is longer than the line": lines([1, "View", "Cut", 0, 0, 0, 2], shapes=[[2], [1]]),
    "a split of another size": lines([1, "View", "Split", 0, 0, 2, 2], shapes=[[2], [2, 2]]),
    "a merge of axes that are not there": lines([0, "View", "Merge", 0, 0, 1, 2], shapes=[[2]]),
    "a fold of another size": lines([1, "Fold", 0, 0, 0, 3], shapes=[[2], []], functions=("max",)),
    "a fold along no axis": lines([1, "Fold", 0, 0, 1, 2], shapes=[[2], []], functions=("max",)),
    "a sort along no axis": lines([0, "Sort", 0, 0, 1, 2], shapes=[[2]], functions=("sort",)),
    "a join of nothing": lines([0, "Join", [], 0], shapes=[[2]]),
    "an argument that is not there": lines([0, "Input", 1], shapes=[[2]]),
    "an array that is not listed": lines([0, "Leaf", 0], shapes=[[2]]),
    "a function that is not listed": lines([0, "Map", 0, []], shapes=[[2]]),
    "a name that is no size": lines([1, "Scalar", 1], shapes=[[2], ["q"]]),
}  # fmt: skip
LIMITED: dict[str, Any] = {
    "a large place": lines(read(["Modulo", power(900, 10**15), ["Num", 2]]), shapes=[[2]]),
    "many labels": lines([0, "Contract", [[0, [0]]], [[k, 2] for k in range(1, 30)], [0]], shapes=[[2]]),
    "a large array": lines([1, "Scalar", 1], shapes=[[2], [400, 400]]),
    "many large arrays": lines(*([1, "Scalar", k] for k in range(300)), shapes=[[2], [99_000]]),
    "a large matrix": lines([1, "Delta", 10**6], shapes=[[2], [10**6, 10**6]]),
    "a long sum": lines([0, "Contract", [[0, [0]]], [[1, 10**9]], [0]], shapes=[[2]]),
}  # fmt: skip
GIVEN = [Tensor((2,), [Fraction(3), Fraction(5)])]


def value(forms: Any, given: list[Tensor]) -> list[Any]:
    """The entries of the value of forms, in rationals."""
    report.allow(report.LARGE_WORK)
    return form_values.evaluate(form_values.read_forms(forms, "$.forms", {}), given, Arithmetic(64)).values


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_of_its_shape_is_refused(name: str) -> None:
    with pytest.raises(Rejected) as caught:
        value(REFUSED[name], GIVEN)
    assert not isinstance(caught.value, Limited)


@pytest.mark.parametrize("name", LIMITED)
def test_what_is_too_much_work_is_not_begun(name: str) -> None:
    with pytest.raises(Limited):
        value(LIMITED[name], GIVEN)


@pytest.mark.parametrize(
    ("forms", "wanted"),
    [
        (lines([1, "Contract", [[0, [1]]], [[1, 0]], [0]], shapes=[[4], [3]]), [0, 0, 0]),
        (lines([1, "View", "Cut", 0, 0, 1, 2], shapes=[[4], [2]]), [1, 2]),
        (lines([1, "View", "Split", 0, 0, 2, 2], shapes=[[4], [2, 2]]), [0, 1, 2, 3]),
        (lines(read(["Minus", ["Num", 3], 0]), shapes=[[4]]), [3, 2, 1, 0]),
        (lines(read(["Modulo", ["Plus", 0, ["Num", 1]], ["Size", 4]]), shapes=[[4]]), [1, 2, 3, 0]),
        (lines(read(["Over", 0, ["Num", 0]]), shapes=[[4]]), [0, 0, 0, 0]),
        (lines(read(["Minus", 0, ["Num", 2]]), shapes=[[4]]), [0, 0, 0, 1]),
        (lines([1, "Contract", [[0, [["Num", 3]]]], [[7, 5]], []], shapes=[[4], []]), [15]),
        (lines([1, "Contract", [[0, [0]]], [], [0]], shapes=[[4], [2]]), [0, 1]),
        (lines([1, "Fold", 0, 0, 0, 4], shapes=[[4], []], functions=("max",)), [3]),
    ],
)
def test_values_of_single_forms(forms: Any, wanted: list[int]) -> None:
    assert value(forms, [Tensor((4,), [Fraction(k) for k in range(4)])]) == wanted


def test_numbers_that_are_not_stored_have_no_value() -> None:
    altered = copy.deepcopy(encoded(corpus.accepted()["square"]))
    forms = altered["forms"]
    forms["leaves"].append(["digest", "sha256:" + "0" * 64])
    assert check_certificate(corpus.reseal(altered)).accepted  # no line holds it
    shape = forms["kinds"][forms["lines"][-1][0]][0]
    forms["kinds"].append([shape, "Leaf", len(forms["leaves"]) - 1])
    forms["lines"].append([len(forms["kinds"]) - 1])
    found = check_certificate(corpus.reseal(altered))
    assert not found.accepted and "not stored" in found.reason
