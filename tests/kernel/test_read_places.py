"""Identities between values that are read at places: a place is only taken for an index that it is."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from eqvproof.kernel import check_certificate, normal, report
from eqvproof.kernel.form_program import FormProgram, read_program
from eqvproof.kernel.form_shapes import require_shapes
from eqvproof.kernel.read_places import Reader
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.sizes import Size
from tests.kernel.corpus import JSON, claim, seal

#: The least size of the vector that is read, and those at which values are compared.
LOW, SIZES = 2, range(2, 7)
LESS = [[-1, []], [1, ["n"]]]


def num(k: int) -> Any:
    return ["Num", k]


def value(place: Any, labels: Mapping[int, int], n: int) -> int:
    """The number that a place is; differences end at 0, as those of naturals in Rocq do."""
    if isinstance(place, int):
        return labels[place]
    name, *parts = place
    if name == "Num":
        return int(parts[0])
    if name == "Size":
        return n if parts[0] == "n" else n - 1
    one, other = (value(part, labels, n) for part in parts)
    match name:
        case "Plus":
            return one + other
        case "Minus":
            return max(one - other, 0)
        case "Times":
            return one * other
        case "Over":
            return one // other if other else 0
    return one % other if other else one


def forms(place: Any, rank: int = 1) -> JSON:
    """x, read at a place over so many labels, each of which goes up to n."""
    return {
        "functions": [], "leaves": [], "shapes": [["n"], ["n"] * rank],
        "kinds": [[0, "Input", 0], [1, "Contract", [[0, [place]]], [], [*range(rank)]]],
        "lines": [[0], [1, 0]],
    }  # fmt: skip


def identity(left: Any, right: Any) -> JSON:
    return seal(
        "identity", claim=claim("x: n -> n", kind="identity", scope={"n": [LOW, None]}),
        forms=forms(left), other=forms(right),
        evidence={"way": {"cells": 0, "angles": False}, "same_domain": True},
    )  # fmt: skip


N, LAST = ["Size", "n"], ["Minus", ["Size", "n"], num(1)]
FALSE = {
    "what is cut off at 0": (["Plus", ["Minus", 0, num(1)], num(1)], 0),
    "a shift and its opposite": (["Modulo", ["Plus", 0, num(1)], N], ["Modulo", ["Plus", 0, LAST], N]),
    "a shorter round": (["Modulo", 0, num(2)], 0),
    "a quotient": (["Over", 0, num(2)], 0),
    "other quotients": (["Over", 0, num(2)], ["Over", 0, num(3)]),
    "a reversal": (["Minus", LAST, 0], 0),
}  # fmt: skip
TRUE = {
    "a sum and its difference": (["Minus", ["Plus", 0, num(1)], num(1)], 0),
    "reversed twice": (["Minus", LAST, ["Minus", LAST, 0]], 0),
    "a whole round": (["Modulo", ["Plus", 0, N], N], 0),
    "one entry less": (["Modulo", ["Plus", 0, LAST], N], ["Modulo", ["Plus", 0, ["Size", LESS]], N]),
    "the same quotient": (["Over", 0, num(2)], ["Over", 0, num(2)]),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_false(name: str) -> None:
    left, right = FALSE[name]
    pairs = [[value(place, {0: i}, n) for place in (left, right)] for n in SIZES for i in range(n)]
    assert any(one != other for one, other in pairs)
    found = check_certificate(identity(left, right))
    assert not found.accepted and "normal forms" in found.reason, found.reason


@pytest.mark.parametrize("name", TRUE)
def test_true(name: str) -> None:
    found = check_certificate(identity(*TRUE[name]))
    assert found.accepted, found.reason


def places(rng: random.Random, depth: int, rank: int) -> Any:
    """A random place."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*range(rank), *range(rank), num(rng.randint(0, 3)), N, ["Size", LESS]])
    name = rng.choice(["Plus", "Plus", "Minus", "Minus", "Times", "Over", "Modulo", "Modulo"])
    return [name, places(rng, depth - 1, rank), places(rng, depth - 1, rank)]


def inside(rng: random.Random, count: int, rank: int) -> Iterator[tuple[Any, FormProgram]]:
    """Random places that are read inside of the vector, and programs that read it there."""
    for _ in range(count):
        place = places(rng, 3, rank)
        if rng.random() < 0.7:
            place = ["Modulo", place, N]
        program = read_program(forms(place, rank), "$", {}, {"n": LOW})
        try:
            require_shapes(program, [(Size.of("n"),)], {"n": LOW}, "$")
        except Rejected:
            continue
        yield place, program


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_places_of_one_normal_form_are_one(seed: int, rank: int) -> None:
    assert next(wrong(seed, rank), None) is None


def test_differences_that_are_not_looked_at_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "_at_least_0", lambda *_: True)
    assert next(wrong(0, 1), None) is not None


def wrong(seed: int, rank: int) -> Iterator[tuple[Any, Any]]:
    """Pairs of random places that have one normal form and are not one."""
    report.allow_work(10**9)
    store = normal.new_forms({"n": LOW})
    seen, again = dict[int, tuple[Any, list[int]]](), 0
    for place, program in inside(random.Random(seed), 1200, rank):
        points = [
            value(place, {0: i, 1: j}, n)
            for n in SIZES
            for i, j in itertools.product(range(n), range(n if rank > 1 else 1))
        ]
        first, known = seen.setdefault(normal.normal_form(store, program), (place, points))
        again += first != place
        if points != known:
            yield first, place
    assert again > 30 and len(seen) > 30
