"""Tables that rotations keep up to roundings: what is read as the table next to it, and what is not."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs.sealing import seal

torch = pytest.importorskip("torch")
Function = Callable[..., Any]
EYE, PI = np.eye(3), math.pi
ONE, THREE = "X: n 3 -> n 3", "X: n 3, Y: n 3, Z: n 3 -> n 3"
SLICES = np.stack([1e6 * PI * EYE, PI * EYE])
BOTH = np.einsum("ij,kl->ijkl", EYE, EYE), np.einsum("ik,jl->ijkl", EYE, EYE)
EVEN = PI * BOTH[0] + math.e * BOTH[1]
MIXED = 1e6 * PI * BOTH[0] + PI * BOTH[1]
CROSS = np.zeros((3, 3, 3))
for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    CROSS[i, j, k], CROSS[i, k, j] = 1.0, -1.0


def off(table: Any, place: tuple[int, ...], by: float) -> Any:
    """The table with one entry changed."""
    found = np.array(table)
    found[place] += by
    return found


def linear(table: Any) -> Function:
    return lambda X: X @ table


def sliced(table: Any) -> Function:
    return lambda X: np.einsum("kij,nj->nki", table, X)


def trilinear(table: Any) -> Function:
    return lambda X, Y, Z: np.einsum("ijkl,nj,nk,nl->ni", table, X, Y, Z)


def bilinear(table: Any) -> Function:
    return lambda X, Y: np.einsum("ijk,nj,nk->ni", table, X, Y)


TWO, SLICED = "X: n 3, Y: n 3 -> n 3^", "X: n 3 -> n 2 3"
#: Tables beyond the roundings of their entries: near misses of tables that rotations keep.
WRONG: dict[str, tuple[Function, str]] = {
    "a decimal": (linear(np.diag([1, 1, 1.0000001])), ONE),
    "a decimal beside 0": (linear(off(EYE, (0, 1), 1e-8)), ONE),
    "21 bits": (linear(np.diag([1, 1, 1 + 2.0**-20])), ONE),
    "a half beside a million": (linear(np.diag([2.0**20, 2.0**20, 2.0**20 + 0.5])), ONE),
    "the unit of float32": (linear(np.diag([1, 1, 1 + 2.0**-23])), ONE),
    "units of float32": (linear(PI * np.diag([1, 1, 1 + 11 * 2.0**-23])), ONE),
    "forty units": (linear(np.diag([1, 1, 1 + 40 * 2.0**-52])), ONE),
    "whole numbers": (linear(np.diag([2.0**40, 2.0**40, 2.0**40 + 1])), ONE),
    "a slice of another magnitude": (sliced(off(SLICES, (1, 0, 0), 1e-9)), SLICED),
    "noise beside a slice": (sliced(off(SLICES, (1, 0, 1), 1e-12)), SLICED),
    "a term of another magnitude": (trilinear(off(MIXED, (0, 1, 0, 1), 1e-9)), THREE),
    "one entry of 54": (trilinear(off(EVEN, (0, 1, 0, 1), 1e-12)), THREE),
    "a cross product": (bilinear(off(CROSS, (0, 1, 2), 1e-7)), TWO),
    "a cross product of pi": (bilinear(off(PI * CROSS, (0, 1, 2), 1e-13)), TWO),
}
#: Tables within the roundings of their entries.
RIGHT: dict[str, tuple[Function, str, bool]] = {
    "the float after 1": (linear(np.diag([1, 1, 1 + 2.0**-52])), ONE, True),
    "a computed 1": (linear(np.diag([0.1 * 3 / 0.3, 1, 1])), ONE, True),
    "noise": (linear(off(PI * EYE, (0, 1), 1e-17)), ONE, True),
    "slices": (sliced(SLICES), SLICED, False),
    "a slice that is rounded": (sliced(off(SLICES, (1, 0, 0), 4e-16)), SLICED, True),
    "two terms": (trilinear(EVEN), THREE, True),
    "a rounded entry": (trilinear(off(EVEN, (0, 1, 0, 1), 4e-16)), THREE, True),
    "a cross product": (bilinear(off(PI * CROSS, (0, 1, 2), 4e-16)), TWO, True),
}


def group(signature: str, under: str) -> str:
    """Pseudovectors are no vectors of O(3)."""
    return "SO(3)" if "^" in signature else under


@pytest.mark.parametrize("under", ["O(3)", "SO(3)", "E(3)"])
@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_rounding_is_not_read(name: str, under: str) -> None:
    function, signature = WRONG[name]
    if under == "E(3)":
        if signature != ONE:
            return
        signature = "X: n 3^ -> n 3^" if name == "a decimal beside 0" else signature
    assert not ep.prove(function, signature, under=group(signature, under)).holds
    verdict = ep.check(function, signature, under=group(signature, under), budget=10)
    assert verdict.fails and verdict.grade == "EXACT", str(verdict)
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("under", ["O(3)", "SO(3)"])
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_a_rounding_is_read(name: str, under: str) -> None:
    function, signature, is_read = RIGHT[name]
    verdict = ep.prove(function, signature, under=group(signature, under))
    assert verdict.grade == "PROVED" and bool(verdict.readings) == is_read, str(verdict)
    report = ep.verify(verdict.certificate)
    assert report.accepted and ("stands for the table" in report.statement) == is_read
    assert ("readings" in verdict.certificate["claim"]) == is_read


def test_numbers_of_float32_are_rounded_to_float32() -> None:
    """Of arrays of float32 and of modules, which may be converted; not in a function of float64 alone."""
    table = PI * np.diag([1, 1, 1 + 4 * 2.0**-23])
    short = table.astype(np.float32)
    assert ep.prove(lambda X: X @ short, ONE, under="O(3)").grade == "PROVED"
    layer = torch.nn.Linear(3, 3, bias=False)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(short))
    assert ep.prove(layer, ONE, under="O(3)").grade == "PROVED"
    wide = short.astype(np.float64)
    assert not ep.prove(lambda X: X @ wide, ONE, under="O(3)").holds
    assert ep.prove(layer.double(), ONE, under="O(3)").grade == "PROVED"


def test_readings_of_tables_are_listed_in_the_certificate() -> None:
    """Without its entry, or of another array, a table is as it is stored, and there is no proof."""
    verdict = ep.prove(linear(np.diag([1, 1, 1 + 2.0**-52])), ONE, under="O(3)")
    certificate: Any = verdict.certificate
    ((entry),) = certificate["claim"]["readings"]
    assert entry == {"array": 0, "read": "invariant"}
    words = "each use of its constant tables 0 stands for the table next to it that the group keeps"
    assert any(words in assumed for assumed in ep.verify(certificate).rests_on)
    for changed in ([], None, [{**entry, "array": 1}], [{**entry, "array": -1}], [entry, entry]):
        body = copy.deepcopy({k: certificate[k] for k in ("claim", "forms", "evidence")})
        if changed is None:
            del body["claim"]["readings"]
        else:
            body["claim"]["readings"] = changed
        report = ep.verify(seal("proof", **body))
        assert not report.accepted and "internal" not in report.reason
    body = copy.deepcopy({k: certificate[k] for k in ("claim", "forms", "evidence")})
    array = body["forms"]["functions"][0]["array"]
    array[1] = array[1].replace("0x1.0000000000001p+0", (1.0000001).hex())
    assert "Whole" in ep.verify(seal("proof", **body)).reason
