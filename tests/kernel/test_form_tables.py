"""Tables that groups keep, and constants that are read as others, in proofs in forms: altered everywhere."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from eqvproof.programs.program import parse_numbers
from tests.kernel.corpus import JSON, reseal
from tests.kernel.form_values import value
from tests.kernel.mutate import is_accepted, mutants
from tests.kernel.oracle import is_equivariant
from tests.sampling import OneIn

Case = tuple[Callable[..., Any], str, str]
NEXT_TO_ONE = np.diag([1, 1, 1 + 2.0**-52])
NEIGHBOURS = np.array([[0, 1, 0, 1], [1, 0, 1, 0]] * 2)
TABLES: dict[str, Case] = {
    "a cross product": (np.cross, "x: n 3, y: n 3 -> n 3", "SO(3)"),
    "a product of differences": (
        lambda x: (x[0] - x[1]) * (x[1] - x[2]) * (x[2] - x[0]), "x: 3 -> ()", "A(3)",
    ),
    "neighbours": (lambda x: NEIGHBOURS @ x, "x: 4 -> 4", "D(4)"),
    "a diagonal and a rest": (lambda x: x @ (2 * np.eye(3) + 1), "x: n 3 -> n 3", "S(3)"),
    "signs": (lambda x: x @ np.diag([1, -2]), "x: n 2 -> n 2", "Signs(2)"),
}  # fmt: skip
READ: dict[str, Case] = {
    "a table": (lambda x: x @ NEXT_TO_ONE, "x: n 3 -> n 3", "O(3)"),
    "numbers": (lambda x, y: 0.1 * x + 0.9 * y, "x: n d, y: n d -> n d", "T(d)"),
}


def proof(case: Case) -> JSON:
    certificate: Any = ep.prove(*case).certificate
    assert "forms" in certificate
    return dict(certificate)


def arrays(data: JSON) -> list[list[Any]]:
    """The arrays of numbers in a proof."""
    functions = [f["array"] for f in data["forms"]["functions"] if isinstance(f, dict)]
    return [*functions, *(leaf for leaf in data["forms"]["leaves"] if leaf[0] == "numbers")]


def other_numbers(data: JSON) -> Iterator[JSON]:
    """The proof with one number of an array changed, or two exchanged."""
    for k, (_, text) in enumerate(arrays(data)):
        values = [*parse_numbers(text)]
        for i, v in enumerate(values):
            swapped = [*values]
            swapped[i], swapped[i - 1] = swapped[i - 1], swapped[i]
            changes = [[*values[:i], new, *values[i + 1 :]] for new in (-v, v + 1, v * 2, Fraction(0))]
            for changed in (*changes, swapped):
                other = copy.deepcopy(data)
                arrays(other)[k][1] = " ".join(map(str, changed))
                yield other


def is_true(data: JSON, rng: random.Random) -> bool:
    """Whether the claim stands every test made here, and its readings are near what is stored."""
    claim, forms = data["claim"], data["forms"]
    return all(map(is_near, claim.get("readings", ()))) and is_equivariant(
        claim, lambda *at: value(forms, claim, *at), rng
    )


def is_near(reading: JSON) -> bool:
    """Whether numbers are within four roundings of float64 from those that are stored."""
    if "array" in reading:
        return bool(reading["read"] == "invariant")
    pairs = zip(parse_numbers(reading["stored"]), parse_numbers(reading["read"]), strict=True)
    return all(abs(a - b) <= 2 * Fraction(math.ulp(a)) for a, b in pairs)


@pytest.mark.parametrize("name", [*TABLES, *READ])
def test_a_changed_field_is_rejected_or_still_true(name: str, one_in: OneIn[Any]) -> None:
    data, rng = proof({**TABLES, **READ}[name]), random.Random(name)
    assert is_accepted(data) and is_true(data, rng)
    seen = dict.fromkeys((False, True), 0)
    changes = [*(other for _, other in mutants(data)), *other_numbers(data)]
    for changed in one_in(3, changes):
        changed = reseal(changed)
        good = is_accepted(changed)
        seen[good] += 1
        assert not good or is_true(changed, rng), changed
    assert seen[False] > 60 and seen[True] < seen[False] / 5, seen


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_the_group_does_not_keep_is_refused(name: str) -> None:
    """Where one number is another one; and such a change is seen by numbers."""
    data, rng = proof(TABLES[name]), random.Random(name)
    refused = 0
    for changed in other_numbers(data):
        changed = reseal(changed)
        if not is_true(changed, rng):
            refused += 1
            assert not is_accepted(changed), changed["forms"]["functions"]
    assert refused > 3


def test_an_array_that_one_factor_reads_has_no_values_for_another() -> None:
    """The table next to the identity is the identity for O(3), which S(3) keeps; it keeps no other."""
    data = proof(READ["a table"])
    claim, evidence = data["claim"], data["evidence"]["factors"]
    assert [f["array"][0] for f in data["forms"]["functions"]] == ["numbers"]
    for family, good in (("SO", False), ("Signs", False), ("S", False)):
        both = copy.deepcopy(data)
        both["claim"]["group"] = [*claim["group"], {"family": family, "axis": 3}]
        both["evidence"]["factors"] = [*evidence, {**evidence[0], "family": family}]
        report = check_certificate(reseal(both))
        assert report.accepted is good, (family, report.reason)
    both["claim"]["group"] = [*claim["group"], {"family": "S", "axis": "n"}]
    rows: Any = [["Std", "n"]]
    types = [[[rows, []], 0], [[[], []], 0]]
    numbers = [0 if kind[1] != "Whole" else 1 for kind in data["forms"]["kinds"]]
    lines = [numbers[line[0]] for line in data["forms"]["lines"]]
    both["evidence"]["factors"] = [
        *evidence,
        {"family": "S", "axis": "n", "types": types, "lines": lines},
    ]
    assert check_certificate(reseal(both)).accepted
