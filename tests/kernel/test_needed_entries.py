"""Entries computed alone are those of the whole value, and the work that an enclosed point may take."""

from __future__ import annotations

import copy
import itertools
import random
from fractions import Fraction
from math import prod
from typing import Any

import pytest

from eqvproof.kernel import report
from eqvproof.kernel.form_values import MISSING, SizedForms, evaluate
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.matrix_values import matrix_value
from eqvproof.kernel.needed_entries import needed
from eqvproof.kernel.report import Limited, Rejected
from eqvproof.kernel.tensors import Tensor
from tests.kernel import points
from tests.kernel.corpus import reseal
from tests.kernel.encoding import check_certificate, sized

EXACT = Arithmetic(64)


def some(seed: int) -> tuple[SizedForms, list[Tensor]]:
    """A random program, and its argument."""
    rng = random.Random(seed)
    shape = [rng.randint(1, 3) for _ in range(rng.choice((1, 2, 3)))]
    nodes = points.Nodes(rng, shape)
    last = 0
    for _ in range(rng.randint(2, 7)):
        last = nodes.grow()
    found = sized(nodes.program(last), {"n": shape[0]})
    entries = [Fraction(rng.choice(points.NUMBERS)) for _ in range(prod(shape))]
    return found, [Tensor(tuple(shape), entries)]


def test_entries_alone_are_those_of_the_whole() -> None:
    compared = less = 0
    for seed in range(400):
        report.allow(10**7)
        try:
            program, inputs = some(seed)
            whole = evaluate(program, inputs, EXACT)
        except Rejected:  # not decided, or not of the right shapes
            continue
        known: dict[int, Tensor] = {}
        for place, value in enumerate(whole.values):
            found = evaluate(program, inputs, EXACT, needed(program, [place]), known)
            assert found.shape == whole.shape and found.values[place] == value
            compared, less = compared + 1, less + (MISSING in found.values)
    assert compared > 1000 and less > 300


def test_nothing_is_computed_from_what_is_missing() -> None:
    report.allow(10**6)
    for fn in (EXACT.add, EXACT.mul):
        with pytest.raises((TypeError, AttributeError)):
            fn(Fraction(2), MISSING)  # type: ignore[arg-type]
    with pytest.raises((TypeError, AttributeError)):
        EXACT.apply("abs", [MISSING])  # type: ignore[list-item]


def enclosed(certificate: Any, width: Fraction) -> Any:
    """A point in rational arithmetic as one with enclosures, this far around the two entries."""
    found = copy.deepcopy(certificate)
    evidence = found["evidence"]
    evidence.update(arithmetic="ball", precision=2)
    place = 0
    for i, n in zip(evidence["entry"], evidence["left"]["shape"], strict=True):
        place = place * n + i
    for side in ("left", "right"):
        value = evidence[side]["values"][place]
        middle = None if value is None else Fraction(value)
        evidence[side] = None if middle is None else {"lo": str(middle - width), "hi": str(middle + width)}
    return reseal(found)


def test_exact_points_are_accepted_enclosed_and_refused_where_they_are_altered() -> None:
    accepted, seeds = 0, itertools.count()
    while accepted < 30:
        certificate = points.certificate(next(seeds))
        if certificate["kind"] == "evaluation" or not check_certificate(certificate).accepted:
            continue
        narrow = enclosed(certificate, Fraction(1, 10**6))
        found = check_certificate(narrow)
        assert found.accepted and found.grade == "ENCLOSED", found
        accepted += 1
        for side in ("left", "right"):
            wrong = copy.deepcopy(narrow)
            if wrong["evidence"][side] is None:
                continue
            low = Fraction(wrong["evidence"][side]["lo"])
            wrong["evidence"][side] = {"lo": str(low + 1), "hi": str(low + 2)}
            assert not check_certificate(reseal(wrong)).accepted
        wrong = copy.deepcopy(narrow)
        wrong["evidence"]["entry"] = [*wrong["evidence"]["entry"], 0]
        assert not check_certificate(reseal(wrong)).accepted


def test_the_work_of_a_certificate_is_raised_once() -> None:
    for length in (100, 10**4, 10**6):
        report.allow_work(length)
        report.spend(100)
        report.allow_in_all(report.LARGE_WORK)
        report.allow_in_all(report.LARGE_WORK)
        report.spend(report.LARGE_WORK - 100)
        with pytest.raises(Limited):
            report.spend(1)
        report.allow_work(length)
        with pytest.raises(Limited):
            report.spend(report.MOST_WORK + 1)


@pytest.mark.parametrize(
    ("rows", "output"),
    [
        ([[0, 1], [1]], [1]), ([[1, 0], [1, 2]], [1, 2]), ([[0, 1], [1, 2]], [0, 2]), ([[1, 1], [0, 1]], [0]),
        ([[0, 1]], [0]),
    ],
)  # fmt: skip
def test_entries_of_products_alone(rows: list[list[int]], output: list[int]) -> None:
    """Of arrays that are computed themselves: what is summed by itself first is needed as a whole."""
    report.allow(10**7)
    inputs = [{"name": name, "shape": [2] * len(row)} for name, row in zip("xy", rows, strict=False)]
    nodes: list[Any] = [{"op": "input", "args": [], **i} for i in inputs]
    count = len(nodes)
    nodes += [{"op": "map", "fn": "abs", "args": [k], "shape": i["shape"]} for k, i in enumerate(inputs)]
    args = [*range(count, 2 * count)]
    nodes.append({"op": "einsum", "args": args, "shape": [2] * len(output), "inputs": rows, "output": output})
    program = sized({"inputs": inputs, "nodes": nodes, "output": len(nodes) - 1})
    at = {"x": [3, -5, 7, 11], "y": [-2, 13, 17, 19]}
    given = []
    for i in inputs:
        shape = (2,) * len(i["shape"])
        given.append(Tensor(shape, [Fraction(v) for v in at[i["name"]][: prod(shape)]]))
    whole = evaluate(program, given, EXACT)
    for place, value in enumerate(whole.values):
        found = evaluate(program, given, EXACT, needed(program, [place]))
        assert found.values[place] == value


def test_what_rests_on_an_input_is_no_constant() -> None:
    """x + 5 at one point and another, what is constant shared."""
    report.allow(10**6)
    nodes: list[Any] = [
        {"op": "input", "args": [], "name": "x", "shape": [2]},
        {"op": "const", "args": [], "shape": [2], "values": ["5", "7"]},
        {"op": "add", "args": [1, 0], "shape": [2]},
    ]
    program = sized({"inputs": [{"name": "x", "shape": [2]}], "nodes": nodes, "output": 2})
    known: dict[int, Tensor] = {}
    for x in (1, 2):
        found = evaluate(program, [Tensor((2,), [Fraction(x)] * 2)], EXACT, constants=known)
        assert found.values == [x + 5, x + 7] and set(known) == {1}


def test_a_sum_of_nothing_is_0_whatever_it_is_multiplied_by() -> None:
    report.allow(10**6)
    for n, value in ((0, Fraction(0)), (1, None)):
        shapes = [{"name": "x", "shape": [n]}, {"name": "y", "shape": []}]
        nodes: list[Any] = [{"op": "input", "args": [], **i} for i in shapes]
        nodes.append({"op": "einsum", "args": [0, 1], "shape": [], "inputs": [[0], []], "output": []})
        program = sized({"inputs": shapes, "nodes": nodes, "output": 2})
        given = [Tensor((n,), [Fraction(0)] * n), Tensor((), [None])]
        assert evaluate(program, given, EXACT).values == [value]


def test_functions_of_matrices_of_which_an_entry_is_undefined() -> None:
    report.allow(10**6)
    some = Tensor((2, 2), [Fraction(3), None, Fraction(0), Fraction(-3)])
    for fn in ("expm", "inv", "det", "eigvals", "pinv", "cholesky"):
        count = {"det": 1, "eigvals": 2}.get(fn, 4)
        assert matrix_value(fn, [some], EXACT) == [None] * count
    matrix = Tensor((2, 2), [Fraction(v) for v in (3, 8, 0, -3)])
    assert matrix_value("eigvals", [matrix], EXACT) == [-5, 5]
