"""Lower bounds of violations: accepted where they hold at the point, and refused by name elsewhere."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.kernel import check_certificate
from tests.kernel.corpus import JSON, reseal
from tests.kernel.mutate import is_accepted, mutants
from tests.sampling import examples


@cache
def base(*, relative: bool = False) -> JSON:
    """Of x + x^2 / 8 under changes of signs, for two entries from 1 to 2."""
    found = ep.violation(
        lambda x: x + x**2 / 8, "x: d -> d", "Signs(d)", box=(1, 2), sizes={"d": 2}, relative=relative
    )
    assert found.certificate is not None and found.certificate["kind"] == "violation"
    return found.certificate


def array(*values: Any) -> JSON:
    return {"shape": [len(values)], "values": [str(Fraction(v)) for v in values]}


def number(value: Any) -> JSON:
    return {"shape": [], "values": [str(Fraction(value))]}


def altered(change: Callable[[JSON], object], *, relative: bool = False) -> JSON:
    """The certificate with something changed, sealed again."""
    certificate = copy.deepcopy(base(relative=relative))
    change(certificate)
    return reseal(certificate)


def squares(x: list[Fraction], signs: list[int]) -> tuple[Fraction, Fraction]:
    """The squared distance of both sides, and the larger of their squared norms, by hand."""
    left = [s * v + v * v / 8 for s, v in zip(signs, x, strict=True)]
    right = [s * (v + v * v / 8) for s, v in zip(signs, x, strict=True)]
    gap = sum((p - q) ** 2 for p, q in zip(left, right, strict=True))
    return Fraction(gap), max(sum((v * v for v in side), Fraction(0)) for side in (left, right))


def is_true(certificate: JSON) -> bool:
    """Whether the bound holds at the recorded point, which lies in the recorded box."""
    evidence, bound = certificate["evidence"], certificate["bound"]
    ((_, given_),) = evidence["inputs"].items()
    x = [Fraction(v) for v in given_["values"]]
    gap, size = squares(x, evidence["element"][0]["signs"])
    ((_, box),) = bound["box"].items()
    low, high = ([Fraction(v) for v in box[end]["values"]] for end in ("low", "high"))
    low, high = low * (2 // len(low)), high * (2 // len(high))
    inside = all(a <= v <= b for a, v, b in zip(low, x, high, strict=True))
    least = Fraction(bound["at_least"])
    return inside and 0 < least and 0 < gap >= least**2 * (size if bound["relative"] else 1)


entries = st.fractions(-3, 3, max_denominator=8)


@given(
    st.lists(entries, min_size=2, max_size=2), st.lists(st.sampled_from([1, -1]), min_size=2, max_size=2),
    st.fractions(-1, 3, max_denominator=16), st.lists(entries, min_size=4, max_size=4), st.booleans(),
    st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(150), deadline=None)
def test_accepted_where_it_is_true(
    x: list[Fraction], signs: list[int], least: Fraction, ends: list[Fraction], each: bool, relative: bool
) -> None:
    def change(c: JSON) -> None:
        c["evidence"]["inputs"]["x"] = array(*x)
        c["evidence"]["element"][0]["signs"] = signs
        c["bound"]["at_least"] = str(least)
        low, high = (array(*ends[:2]), array(*ends[2:])) if each else (number(ends[0]), number(ends[2]))
        c["bound"]["box"]["x"] = {"low": low, "high": high}

    certificate = altered(change, relative=relative)
    assert check_certificate(certificate).accepted == is_true(certificate)


@pytest.mark.parametrize("relative", [True, False])
def test_the_bound_is_nearly_the_greatest_that_holds(relative: bool) -> None:
    certificate = base(relative=relative)
    least = Fraction(certificate["bound"]["at_least"])
    report = check_certificate(certificate)
    assert report.accepted and report.grade == "EXACT" and str(least) in report.statement
    more = str(least * (1 + Fraction(1, 10**12)))
    larger = altered(lambda c: c["bound"].update(at_least=more), relative=relative)
    assert "does not find so large" in check_certificate(larger).reason


REFUSED: dict[str, tuple[Callable[[JSON], object], str]] = {
    "nothing": (lambda c: c["bound"].update(at_least="0"), "a number above 0"),
    "below nothing": (lambda c: c["bound"].update(at_least="-1"), "a number above 0"),
    "relative as a number": (lambda c: c["bound"].update(relative=0), "whether it is relative"),
    "outside of the box": (
        lambda c: c["bound"]["box"].update(x={"low": number(5), "high": number(6)}), "outside of the box",
    ),
    "an empty box": (
        lambda c: c["bound"]["box"].update(x={"low": number(2), "high": number(1)}), "outside of the box",
    ),
    "a box of another shape": (
        lambda c: c["bound"]["box"]["x"].update(low=array(0, 0, 0)), "one for each entry",
    ),
    "a box of another argument": (lambda c: c["bound"].update(box={"y": c["bound"]["box"]["x"]}), "box"),
    "no box": (lambda c: c["bound"].update(box={}), "box"),
    "an element that does nothing": (
        lambda c: c["evidence"]["element"][0].update(signs=[1, 1]), "does not find so large",
    ),
    "no precision": (lambda c: c["evidence"].update(precision=1), "precision"),
    "a precision of much work": (lambda c: c["evidence"].update(precision=10**6), "precision"),
    "two elements": (lambda c: c["evidence"]["element"].append(c["evidence"]["element"][0]), "one element"),
    "a side that is not there": (lambda c: c["evidence"].update(left=array(1, 2)), "evidence"),
    "sizes out of scope": (lambda c: c["evidence"]["sizes"].update(d=3), "sizes"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_name(name: str) -> None:
    change, words = REFUSED[name]
    report = check_certificate(altered(change))
    assert not report.accepted and words in report.reason, report


def test_a_side_that_is_undefined_has_no_distance() -> None:
    found = ep.violation(lambda x: 1 / x + x**2, "x: d -> d", "Signs(d)", box=(1, 2), sizes={"d": 2})
    certificate = copy.deepcopy(found.certificate)
    assert certificate is not None and check_certificate(certificate).accepted
    certificate["evidence"]["inputs"]["x"] = array(0, 1)
    certificate["bound"]["box"]["x"] = {"low": number(0), "high": number(2)}
    assert "not defined" in check_certificate(reseal(certificate)).reason


def test_enclosed_bounds() -> None:
    """Of a function that is not rational, the distance is enclosed: by hand from floats."""
    found = ep.violation(np.exp, "x: d -> d", "Signs(d)", box=(0, 1), sizes={"d": 1}, relative=False)
    report = check_certificate(found.certificate)
    assert report.accepted and report.grade == "ENCLOSED"
    x = float(Fraction(found.certificate["evidence"]["inputs"]["x"]["values"][0]))
    assert found.lower == pytest.approx(np.exp(x) + np.exp(-x), rel=1e-12)


def test_a_changed_field_is_rejected_or_still_true() -> None:
    count = accepted = 0
    outside = (c for path, c in mutants(base()) if path[:1] in (("bound",), ("evidence",)))
    for changed in islice(outside, 0, None, 2):
        count += 1
        if is_accepted(reseal(changed)):
            accepted += 1
            assert is_true(changed), changed
    assert count > 100 and accepted < count / 4


def test_masks_and_positions_have_no_box() -> None:
    found = ep.violation(
        lambda x, keep: x * keep + x**2 / 8, "x: n, keep[bool]: n! -> n", "Signs(n)", sizes={"n": 2}
    )
    assert found.certificate["bound"]["box"].keys() == {"x"} and check_certificate(found.certificate).accepted
