"""Types under sign flips by normal forms: what is accepted is true, and altered proofs are refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs import Builder, Program
from eqvproof.programs.evaluate import evaluate_float
from tests.kernel.corpus import JSON, claim, edited, fix, seal, std

Way = JSON


def proof(
    program: Program, signature: str, types: list[Any], lines: list[list[int]], *forms: Way, axis: Any = None
) -> JSON:
    """A certificate under Signs of which some lines are shown by normal forms."""
    what = claim(signature, f"Signs({axis or 'd'})")
    entry = {"family": "Signs", "axis": axis or "d", "types": types, "lines": lines, "shown": list(forms)}
    return seal("proof", claim=what, program=program.to_json(), evidence={"factors": [entry]})


def together(line: int, *written: int) -> Way:
    return {"line": line, "single": False, "written": list(written)}


def one_by_one(line: int, *written: int) -> Way:
    return {"line": line, "single": True, "written": list(written)}


def of_entries(b: Builder, size: Any) -> int:
    """exp(x) + exp(-x)."""
    x = b.input("x", [size])
    return b.add([b.map("exp", [x]), b.map("exp", [b.mul(b.const(-1), x)])])


def of_a_sum(b: Builder, size: Any) -> int:
    """exp(s) + exp(-s), s the sum of x."""
    s = b.sum(b.input("x", [size]), [0])
    return b.add([b.map("exp", [s]), b.map("exp", [b.mul(b.const(-1), s)])])


def built(make: Callable[[Builder, Any], int], size: Any) -> Program:
    b = Builder()
    return b.program(make(b, size))


def even(size: Any = "d", way: Way | None = None) -> JSON:
    program = built(of_entries, size)
    types = [[[std(size)], 0], [[fix(size)], 0]]
    lines = [[0, 0], [1, program.output, 0]]
    return proof(program, f"x: {size} -> {size}!", types, lines, way or together(1), axis=size)


def test_even_functions_of_each_entry() -> None:
    for certificate in (even(), even(3), even(3, one_by_one(1))):
        report = ep.verify(certificate)
        assert report.accepted, report.reason
        assert "normal forms" in report.rests_on


def refused(certificate: JSON, *edits: tuple[list[Any], Any]) -> str:
    report = ep.verify(edited(certificate, *edits))
    assert not report.accepted
    assert "internal" not in str(report.reason)
    return str(report.reason)


def test_altered_proofs_are_refused() -> None:
    whole, factor = even(), ["evidence", "factors", 0]
    assert "a number of" not in refused(whole, ([*factor, "shown", 0, "single"], True))
    assert "one entry for each" in refused(whole, ([*factor, "shown"], []))
    assert "one entry for each" in refused(whole, ([*factor, "shown"], [together(1), together(1)]))
    assert "one entry for each" in refused(whole, ([*factor, "shown"], [together(2)]))
    assert "about the arguments" in refused(whole, ([*factor, "shown"], [together(0)]))
    assert "has no line" in refused(whole, ([*factor, "lines", 1], [1, 4]))
    assert "different nodes" in refused(whole, ([*factor, "lines", 1], [1, 4, 0, 0]))
    assert "earlier lines" in refused(whole, ([*factor, "lines", 1], [1, 4, 1]))
    assert refused(whole, ([*factor, "types", 1], [[std("d")], 0]), (["claim", "output"], [[[1, "d", ""]]]))
    assert refused(whole, ([*factor, "types", 1], [[fix("d")], 1]))
    assert refused(whole, ([*factor, "types", 1], [["uni"], 0]))
    assert refused(whole, ([*factor, "types", 0], [[fix("d")], 0]))
    assert "written" in refused(whole, ([*factor, "shown", 0, "written"], [1]))
    kinds = whole["program"]["kinds"]
    (k,) = [k for k, kind in enumerate(kinds) if kind["op"] == "const"]
    assert "does not give this type" in refused(whole, (["program", "kinds", k, "values"], "-2"))
    (k,) = [k for k, kind in enumerate(kinds) if kind.get("fn") == "exp"]
    assert ep.verify(edited(whole, (["program", "kinds", k, "fn"], "tanh"))).accepted


def test_other_groups_have_no_such_lines() -> None:
    for family in ("O", "SO", "S", "GL", "C", "A"):
        path = ["evidence", "factors", 0, "family"]
        assert refused(even(), (["claim", "group", 0, "family"], family), (path, family))


@pytest.mark.parametrize(("size", "way", "good"), [
    ("d", together(1), False), ("d", one_by_one(1), False), (3, together(1), False),
    (3, one_by_one(1), False), (3, one_by_one(1, 2), False), (1, one_by_one(1), True),
])  # fmt: skip
def test_sums_over_entries_have_many_signs(size: Any, way: Way, good: bool) -> None:
    program = built(of_a_sum, size)
    lines = [[0, 0], [1, program.output, 0]]
    certificate = proof(program, f"x: {size} -> ()", [[[std(size)], 0], [[], 0]], lines, way, axis=size)
    assert ep.verify(certificate).accepted == good


def test_elements_for_each_entry_of_an_axis() -> None:
    """exp(x) + exp(-x) with signs for each b; of the sum over b it is none."""

    def certificate(make: Callable[[Builder, int], int], rank: int) -> JSON:
        b = Builder()
        y = make(b, b.input("x", ["b", "d"]))
        output = b.add([b.map("exp", [y]), b.map("exp", [b.mul(b.const(-1), y)])])
        program = b.program(output)
        types = [[[fix("b"), std("d")], 0], [[fix("b"), fix("d")][-rank:], 0]]
        signature = "x: b d -> " + " ".join(["b", "d!"][-rank:])
        return proof(program, signature, types, [[0, 0], [1, program.output, 0]], together(1))

    for make, rank, good in ((lambda b, x: x, 2, True), (lambda b, x: b.sum(x, [0]), 1, False)):
        plain = certificate(make, rank)
        assert ep.verify(plain).accepted
        each = edited(plain, (["claim", "group", 0, "each"], "b"))
        report = ep.verify(each)
        assert report.accepted == good
        assert good or "index by index" in report.reason


SIGNS = list(itertools.product([1, -1], repeat=2))


def drawn(rng: np.random.Generator, b: Builder, x: list[int], depth: int) -> int:
    """A random expression of two scalars."""
    if not depth:
        return x[rng.integers(2)] if rng.random() < 0.8 else b.const(int(rng.integers(1, 4)))
    p = drawn(rng, b, x, depth - 1)
    way = rng.integers(5)
    if way == 0:
        return b.map(str(rng.choice(["exp", "tanh", "abs", "sin", "cos", "arctan"])), [p])
    q = drawn(rng, b, x, depth - 1)
    if way == 1:
        return b.add([p, b.mul(b.const(2), q)])
    if way == 2:
        return b.mul(p, q)
    if way == 3:
        return b.map(str(rng.choice(["maximum", "minimum", "lt"])), [p, q])
    return b.select(b.map("lt", [p, q]), p, q)


def symmetrised(rng: np.random.Generator) -> Program:
    """A random expression over some flips of its arguments, joined by an operation, with weights."""
    b = Builder()
    x = b.input("x", [2])
    entries = [b.sum(b.slice(x, 0, k, 1), [0]) for k in range(2)]
    state = int(rng.integers(2**31))
    chosen = [SIGNS, SIGNS, SIGNS, SIGNS[:2], [SIGNS[0], SIGNS[3]], SIGNS[:3]][rng.integers(6)]
    weights = [(1, 1), (1, 1), (1, -1), (-1, -1)][rng.integers(4)]
    values = []
    for signs in chosen:
        moved = [b.mul(b.const(s), e) for s, e in zip(signs, entries, strict=True)]
        value = drawn(np.random.default_rng(state), b, moved, 3)
        weight = np.prod([w if s < 0 else 1 for w, s in zip(weights, signs, strict=True)])
        values.append(b.mul(b.const(int(weight)), value))
    way = rng.integers(3)
    if way == 0:
        return b.program(b.add(values))
    result = values[0]
    for value in values[1:]:
        result = b.map("maximum", [result, value]) if way == 1 else b.mul(result, value)
    return b.program(result)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_accepted_is_true_of_floats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    accepted = 0
    for _ in range(30):
        program = symmetrised(rng)
        if not any(node.input_name for node in program.nodes):
            continue
        points = rng.normal(size=(6, 2))
        value = np.array([float(evaluate_float(program, {"x": p})) for p in points])
        flips = {s: np.array([float(evaluate_float(program, {"x": p * s})) for p in points]) for s in SIGNS}
        for odd in (0, 1):
            lines = [[0, 0], [1, program.output, 0]]
            types = [[[std(2)], 0], [[], odd]]
            certificate = proof(program, "x: 2 -> ()", types, lines, one_by_one(1), axis=2)
            report = ep.verify(certificate)
            is_true = all(np.allclose(other, value * (s[0] * s[1]) ** odd) for s, other in flips.items())
            # no claim says that a result changes sign: where that alone is wrong, the lines were accepted
            if report.accepted or "not the claimed one" in str(report.reason):
                accepted += 1
                assert is_true, program
    assert accepted > 3
