"""Floats of the code read as the numbers that they round, where translations or multiples count them."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines import certify
from eqvproof.engines.elaborate.program import has_forms
from eqvproof.kernel import readings as kernel
from eqvproof.numbers.roundings import half_unit, is_exact
from eqvproof.programs import Builder
from eqvproof.programs.copies import replace_constants
from eqvproof.programs.rounded_constants import rounded_constants
from eqvproof.programs.sealing import digest, seal
from eqvproof.tracing.numpy.trace import trace_all_sizes

Function = Callable[..., Any]
MASSES = np.array([12.011, 1.008, 15.999])
SHARES = MASSES / 29.7
SHARES = SHARES / SHARES.sum()
STOCHASTIC = np.array([[1.0, 2.0, 4.0], [3.0, 5.0, 9.0], [7.0, 1.0, 3.0]])
STOCHASTIC = STOCHASTIC / STOCHASTIC.sum(1, keepdims=True)

HOLD: dict[str, tuple[Function, str, str]] = {
    "two weights": (lambda x: 0.9 * x + 0.1 * x.mean(0), "x: n d -> n d", "S(n) x E(d)"),
    "the centre of mass": (lambda x: x - SHARES @ x, "x: 3 d -> 3 d!", "T(d)"),
    "masses over their sum": (
        lambda x: x - (MASSES[:, None] * x).sum(0) / MASSES.sum(), "x: 3 d -> 3 d!", "T(d)",
    ),
    "rows that sum to 1": (lambda x: STOCHASTIC @ x, "x: 3 d -> 3 d", "E(d)"),
    "grey values": (lambda x: x @ np.array([0.299, 0.587, 0.114]), "x: d 3 -> d", "T(d)"),
    "a norm of third order": (lambda x: x / (np.abs(x) ** 3).sum() ** (1 / 3), "x: n -> n!", "Scale(n)"),
    "a norm of order 1.7": (lambda x: x / (np.abs(x) ** 1.7).sum() ** (1 / 1.7), "x: n -> n!", "Scale(n)"),
}  # fmt: skip

FAIL: dict[str, tuple[Function, str, str]] = {
    "weights that do not sum to 1": (lambda x: 0.9 * x + 0.11 * x.mean(0), "x: n d -> n d", "E(d)"),
    "a weight that is off in the tenth digit": (
        lambda x: 0.9 * x + 0.1000000001 * x.mean(0), "x: n d -> n d", "E(d)",
    ),
    "columns that do not": (lambda x: STOCHASTIC.T @ x, "x: 3 d -> 3 d", "T(d)"),
    "grey values of other weights": (lambda x: x @ np.array([0.299, 0.578, 0.114]), "x: d 3 -> d", "T(d)"),
    "another exponent": (lambda x: x / (np.abs(x) ** 3).sum() ** 0.333, "x: n -> n!", "Scale(n)"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_of_the_numbers_that_are_meant(name: str) -> None:
    function, signature, under = HOLD[name]
    verdict = ep.check(function, signature, under=under)
    assert verdict.grade == "PROVED" and verdict.readings, verdict.reason
    assert "with constants replaced by nearby numbers" in str(verdict).splitlines()[0]
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("name", HOLD)
def test_of_the_stored_numbers_it_is_refuted(name: str) -> None:
    function, signature, under = HOLD[name]
    verdict = ep.check(function, signature, under=under, constants="literal")
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), verdict.reason


@pytest.mark.parametrize("name", FAIL)
def test_what_does_not_hold_of_them_is_refuted(name: str) -> None:
    function, signature, under = FAIL[name]
    verdict = ep.check(function, signature, under=under)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), verdict.reason


def test_what_holds_of_the_stored_numbers_is_read_literally() -> None:
    verdict = ep.check(lambda x: x - 0.3 * (x - x.mean(0)), "x: n d -> n d", under="E(d)")
    assert verdict.grade == "PROVED" and not verdict.readings


def test_under_permutations_numbers_are_what_is_stored() -> None:
    weights = np.array([0.1 + 0.2, 0.3])
    assert ep.check(lambda x: weights @ x, "x: 2 -> ()", under="S(2)").fails


@given(st.lists(st.integers(1, 99), min_size=2, max_size=6))
def test_shares_become_shares(parts: list[int]) -> None:
    """Rounded shares of a whole are read as numbers whose sum is 1, each within roundings of its own."""
    shares = np.array(parts, dtype=float) / sum(parts)
    b = Builder()
    x = b.input("x", (len(parts),))
    program = b.program(b.sum(b.mul(x, b.const(shares)), [0]))
    for read in rounded_constants(program):
        for k, found in read.items():
            meant, stored = found.constant.constant, program.nodes[k].constant
            assert meant is not None and stored is not None and sum(meant.flat) == 1
            for m, s in zip(meant.flat, map(float, stored.flat), strict=True):
                assert abs(m - Fraction(s)) <= 2 * Fraction(math.ulp(s))
        changed = replace_constants(program, {k: found.constant for k, found in read.items()})
        assert len(changed.nodes) == len(program.nodes)


def test_numbers_beyond_what_can_be_meant_are_left_as_they_are() -> None:
    def f(x: Any) -> Any:
        return 0.9 * x + 0.1 * x.mean(0) + 5e-324 * (x - x.mean(0))

    verdict = ep.check(f, "x: n d -> n d", under="T(d)")
    assert verdict.grade == "PROVED" and len(verdict.readings) <= 2, verdict.reason


def weighted(*weights: float, dtype: Any = float) -> tuple[Function, str]:
    """The sum of the columns with these weights, and its signature."""
    row = np.array(weights, dtype=dtype)
    return lambda x: row @ x, f"x: {len(row)} d -> d"


#: Sums that no roundings of their own terms make whole: exact, decimal, computed, and of float32.
OFF: dict[str, tuple[float, ...]] = {
    "large exact terms": (2.0**30, -(2.0**30), 1.5),
    "exact terms of many bits": (2.0**22 + 0.5, -(2.0**22) - 0.5, 1.25),
    "large decimals": (1234567.8, -1234567.8, 1.00001),
    "decimals, the last digit": (0.25, 0.35, 0.40000001),
    "decimals of float32": tuple(np.float32([1000.1, -1000.1, 1.0001]).tolist()),
    "float32, eight units": (float(np.float32(1 / 3)), float(np.float32(2 / 3)) + 8 * 2.0**-24),
    "computed, five units": (math.pi / 4, 1 - math.pi / 4 + 5 * 2.0**-55, 4 * 2.0**-53),
    "a rest of 1e-9": (math.e / 10, 1 - math.e / 10 + 1e-9),
    "thousands of pi": (1000 * math.pi, -1000 * math.pi, 1 + 1e-8),
    "a sum of 2 and more": (math.sqrt(2), 2 - math.sqrt(2), 1e-12),
    "a third too many": (1 / 3, 1 / 3, 1 / 3 + 1e-12),
    "two of 1e8": (1e8, 1 - 1e8, 1e-7),
}  # fmt: skip


@pytest.mark.parametrize("under", ["T(d)", "E(d)", "SE(d)"])
@pytest.mark.parametrize("name", OFF)
def test_a_sum_beyond_the_roundings_of_its_terms_is_no_reading(name: str, under: str) -> None:
    function, signature = weighted(*OFF[name], dtype=np.float32 if "float32" in name else float)
    verdict = ep.check(function, signature, under=under)
    assert verdict.fails and verdict.grade == "EXACT", str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert not ep.prove(function, signature, under=under).holds


#: Sums that are whole for numbers within four roundings of each stored one.
NEAR: dict[str, tuple[float, ...]] = {
    "decimals": (0.1, 0.2, 0.7),
    "a decimal beside large ones": (1000000.1, -1000000.0, 0.9),
    "thirds": (1 / 3, 1 / 3, 1 / 3),
    "computed decimals": (0.1 + 0.2, 0.55, 0.15),
    "a computed third": (1 - 2 / 3, 1 / 6, 1 / 2),
    "a part of pi": (math.pi / 4, math.nextafter(1 - math.pi / 4, 1)),
    "exponentials": tuple((np.exp([0.3, -1.2, 2.2]) / np.exp([0.3, -1.2, 2.2]).sum()).tolist()),
    "exponentials of float32": tuple(
        (np.exp(np.float32([0.3, -1.2, 2.2])) / np.exp(np.float32([0.3, -1.2, 2.2])).sum()).tolist()
    ),
    "decimals of float32": tuple(np.float32([0.1, 0.2, 0.7]).tolist()),
    "the float before 1": (1 - 2.0**-53,),
    "signs": (1.1, -0.3, 0.2),
    "masses": tuple((np.array([12.011, 1.008, 15.999, 14.007]) / 43.025).tolist()),
}  # fmt: skip


@pytest.mark.parametrize("under", ["T(d)", "SE(d)"])
@pytest.mark.parametrize("name", NEAR)
def test_a_sum_within_the_roundings_of_its_terms_is_one(name: str, under: str) -> None:
    function, signature = weighted(*NEAR[name], dtype=np.float32 if "float32" in name else float)
    verdict = ep.check(function, signature, under=under)
    assert verdict.grade == "PROVED" and len(verdict.readings) == 1, str(verdict)
    report = ep.verify(verdict.certificate)
    assert report.accepted and "read as the numbers of the claim" in report.statement
    (reading,) = verdict.certificate["claim"]["readings"]
    assert rationals(reading["stored"]) == [Fraction(w) for w in NEAR[name]]
    assert sum(rationals(reading["read"])) == 1


#: Tables that a motion does not keep, nor one within roundings of each entry.
MIXED: dict[str, tuple[Function, str]] = {
    "a diagonal, the last digit": (lambda x: x @ np.diag([1, 1, 1.0000001]), "x: n 3 -> n 3"),
    "a diagonal of few bits": (lambda x: x @ np.diag([1, 1, 1 + 2.0**-18]), "x: n 3 -> n 3"),
    "a diagonal, forty units": (lambda x: x @ np.diag([1.0, 1.0000000000000089, 1.0]), "x: n 3 -> n 3"),
    "a stencil": (
        lambda x: x[2:] * 0.1 - x[1:-1] * 0.2 + x[:-2] * 0.099999, "x: n+2 3 -> n 3!",
    ),
    "rows": (lambda x: np.array([[0.3, 0.7], [0.2, 0.8000001]]) @ x, "x: 2 3 -> 2 3"),
}  # fmt: skip


@pytest.mark.parametrize("under", ["E(3)", "SE(3)"])
@pytest.mark.parametrize("name", MIXED)
def test_tables_beyond_their_roundings_are_not_read_under_motions(name: str, under: str) -> None:
    function, signature = MIXED[name]
    verdict = ep.check(function, signature, under=under, budget=10)
    assert verdict.fails and verdict.grade == "EXACT", str(verdict)


EXPONENTS: dict[str, tuple[float, float, bool]] = {
    "a third": (3.0, 1 / 3, True),
    "three digits": (3.0, 0.333, False),
    "twelve digits": (3.0, 0.333333333333, False),
    "a decimal": (2.5, 0.4, True),
    "a decimal, the ninth digit": (2.5, 0.400000001, False),
    "exact and not": (4.0, 0.25 + 2.0**-18, False),
    "a seventh": (7.0, 1 / 7, True),
}


@pytest.mark.parametrize("name", EXPONENTS)
def test_exponents_are_read_within_their_roundings(name: str) -> None:
    power, inverse, holds = EXPONENTS[name]
    verdict = ep.check(
        lambda x: x / (np.abs(x) ** power).sum() ** inverse, "x: n -> n!", under="Scale(n)"
    )
    assert verdict.grade == "PROVED" if holds else verdict.fails, str(verdict)


def rationals(text: str) -> list[Fraction]:
    """The numbers of a constant in a certificate."""
    found: list[Fraction] = []
    for part in text.split():
        count, _, number = part.rpartition("*")
        value = Fraction(float.fromhex(number)) if "x" in number else Fraction(number)
        found += [value] * int(count or 1)
    return found


def is_within_roundings(weights: list[float]) -> bool:
    """Whether the exact sum is at most four half units of each term away from 1."""
    room = sum((2 * Fraction(math.ulp(w)) for w in weights), Fraction(0))
    return abs(sum(map(Fraction, weights)) - 1) <= room


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.floats(-4, 4, allow_subnormal=False), min_size=1, max_size=4),
    st.integers(-40, 40), st.integers(0, 30), st.sampled_from(["T(d)", "E(d)", "SE(d)"]),
)  # fmt: skip
def test_random_sums(terms: list[float], units: int, scale: int, under: str) -> None:
    """PROVED where the exact sum is 1, only where it is by the roundings of its terms; else FAILS."""
    terms = [t * 2.0**scale for t in terms]
    weights = [*terms, float(1 - sum(map(Fraction, terms)) + units * Fraction(1, 2**50))]
    function, signature = weighted(*weights)
    verdict = ep.prove(function, signature, under=under)
    if verdict.holds:
        assert is_within_roundings(weights), (weights, str(verdict))
        assert ep.verify(verdict.certificate).accepted
    if sum(map(Fraction, weights)) == 1:
        assert verdict.grade == "PROVED" and not verdict.readings
    elif not is_within_roundings(weights):
        found = ep.check(function, signature, under=under, budget=10)
        assert found.grade == "EXACT" and ep.verify(found.certificate).accepted, (weights, str(found))


@given(st.fractions(max_denominator=10**18), st.sampled_from([24, 53]))
def test_the_kernel_has_the_same_units(number: Fraction, bits: int) -> None:
    for value in (number, Fraction(float(number)), Fraction(float(np.float32(float(number))))):
        if value:
            assert kernel.half_unit(value, bits) == half_unit(value, bits)
            assert kernel.is_exact(value) == is_exact(value)


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False).filter(bool))
def test_half_a_unit_is_half_a_unit(number: float) -> None:
    found = half_unit(Fraction(number), 53)
    assert found == (0 if is_exact(Fraction(number)) else Fraction(math.ulp(number)) / 2)
    short = float(np.float32(min(max(number, -1e30), 1e30)))
    if short and abs(short) > 1e-30:
        unit = Fraction(float(np.spacing(np.float32(abs(short)))))
        assert half_unit(Fraction(short), 24) == (0 if is_exact(Fraction(short)) else unit / 2)


@pytest.fixture(scope="module")
def proved() -> dict[str, Any]:
    function, signature = weighted(0.1, 0.2, 0.7)
    certificate = ep.prove(function, signature, under="E(d)").certificate
    assert certificate is not None and ep.verify(certificate).accepted
    return certificate


def edited(certificate: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    """The certificate with another value at a place, or without it, and its digest."""
    body = copy.deepcopy({k: v for k, v in certificate.items() if k not in ("format", "version", "digest")})
    *front, last = path
    inner: Any = body
    for key in front:
        inner = inner[key]
    if to is None:
        del inner[last]
    else:
        inner[last] = to
    return seal(body.pop("kind"), **body)


def test_altered_readings_are_refused(proved: dict[str, Any]) -> None:
    """Without a reading, of another line, beyond the bound, of other stored numbers: there is no proof."""
    (reading,) = proved["claim"]["readings"]
    path, line = ("claim", "readings", 0), reading["line"]
    away = str(Fraction(1, 10) + 5 * Fraction(math.ulp(0.1)))
    altered = {
        "no reading": edited(proved, "claim", "readings", to=[]),
        "of another line": edited(proved, *path, "line", to=1 - line),
        "of the result": edited(proved, *path, "line", to=len(proved["forms"]["lines"]) - 1),
        "of no line": edited(proved, *path, "line", to=99),
        "of a function": edited(proved, *path, to={"function": 0, "stored": "1/3", "read": "1/2"}),
        "beyond four roundings": edited(proved, *path, "stored", to=f"{away} {0.2.hex()} {0.7.hex()}"),
        "another sum": edited(proved, *path, "read", to="1/10 1/5 7/10".replace("7/10", 0.7.hex())),
        "two numbers": edited(proved, *path, "read", to="1/10 9/10"),
        "as stored": edited(proved, *path, "stored", to=reading["read"]),
        "as an invariant table": edited(proved, *path, "read", to="invariant"),
        "other numbers": edited(proved, *path, "stored", to=f"{0.1.hex()} {0.2.hex()} {0.7000001.hex()}"),
        "stored numbers of few bits": edited(proved, *path, "stored", to=f"1/8 {0.2.hex()} {0.7.hex()}"),
    }  # fmt: skip
    for name, certificate in altered.items():
        report = ep.verify(certificate)
        assert not report.accepted and "internal" not in report.reason, name


def test_what_is_exact_is_never_read_as_another(proved: dict[str, Any]) -> None:
    """The kernel refuses to move whole numbers, numbers of few bits and short decimals of floats."""
    (leaf,) = proved["forms"]["leaves"]
    assert leaf == ["numbers", proved["claim"]["readings"][0]["read"]]
    for exact, rest in itertools.product((1.25, 3.0, 2.0**22 + 0.5, -0.375, 1 + 2.0**-19), (0.1, 1e-3)):
        near = Fraction(exact) + Fraction(1, 2**60)
        stored = [exact, rest, float(1 - near - Fraction(rest))]
        read = [near, Fraction(rest), 1 - near - Fraction(rest)]
        again = edited(proved, "forms", "leaves", 0, 1, to=" ".join(map(str, read)))
        again = edited(again, "claim", "readings", 0, "stored", to=" ".join(_text(v) for v in stored))
        again = edited(again, "claim", "readings", 0, "read", to=" ".join(map(str, read)))
        assert "roundings away" in ep.verify(again).reason
    assert ep.verify(proved).accepted


def _text(value: float) -> str:
    return str(int(value)) if value.is_integer() else value.hex()


def test_the_statement_is_about_the_stored_function(proved: dict[str, Any]) -> None:
    """`eqvproof verify` compares the certificate with f, whose numbers are the stored ones."""
    function, signature = weighted(0.1, 0.2, 0.7)
    program = trace_all_sizes(function, parse_signature(signature)).program.to_json(is_stored=True)
    assert has_forms(program, proved)
    report = ep.verify(proved)
    assert digest(proved["forms"]) in report.statement and "4 roundings" in report.statement


def test_a_reading_that_the_kernel_refuses_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said then is about the stored numbers."""
    whole = certify.rejection
    refused = ("no", False)
    monkeypatch.setattr(certify, "rejection", lambda c: refused if c["kind"] == "proof" else whole(c))
    function, signature = weighted(0.1, 0.7, 0.2)
    verdict = ep.check(function, signature, under="T(d)")
    assert verdict.grade == "EXACT" and not verdict.readings, str(verdict)
    assert ep.verify(verdict.certificate).accepted
    stored = ["numbers", f"{0.1.hex()} {0.7.hex()} {0.2.hex()}"]
    assert verdict.certificate["forms"]["leaves"] == [stored]
