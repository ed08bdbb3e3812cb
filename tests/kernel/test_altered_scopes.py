"""Certificates of every kind, altered in their scope: none is accepted that claims more than is true.

Some 4,500 alterations are of what bounds a statement: sizes, points that are left out, readings of constants,
where both sides are defined, bounds of rounding, tolerances, groups, hypotheses. The functions are such that
more sizes, or fewer points, would make the statement false; where it may be true, another way tells.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import Report, Unreadable, check_certificate
from eqvproof.kernel.check import KINDS
from eqvproof.programs.program import parse_numbers
from eqvproof.programs.sealing import seal
from tests.invariants import orbits, test_certificates
from tests.kernel import corpus, test_finite, test_linear, test_rewriting, test_violations
from tests.kernel.corpus import JSON
from tests.kernel.encoding import encoded
from tests.kernel.mutate import Path, places, replaced, variants
from tests.sampling import OneIn

#: Parts of a certificate that bound what it states.
BOUNDS = frozenset(
    ("scope", "points", "readings", "same_domain", "bits", "tolerance", "rounding", "determinant", "family")
) | frozenset(("hypotheses", "variables", "holds", "possible", "sizes", "varies", "bound"))
#: Sizes of a name in a scope, and lists of points and of readings.
SIZES: tuple[Any, ...] = (
    "all", 1, 2, 3, 4, 7, [1, None], [2, None], [3, None], [4, None], [1, 2], [2, 2], [1, 9], [3, 5], [5, 9],
    [0, None], [3, 2], [2], None, 0, -2, "2", True, "some",
)  # fmt: skip
POINT: JSON = {"kind": "ties", "of": "", "place": "", "mark": "at_a_tie.9"}
KINDS_OF_POINTS = (
    "ties", "greatest ties", "least ties", "eigenvalues", "singular values", "undefined", "anything"
)  # fmt: skip
#: The largest size that stands for all larger ones.
LARGE = 30


@dataclass(frozen=True)
class Base:
    """A certificate, and what is true of its kind.

    Attributes:
        certificate: it is accepted.
        is_true: whether an altered one, which the kernel accepts with a report, says what is true.
    """

    certificate: JSON
    is_true: Callable[[JSON, Report], bool]


# -- alterations -----------------------------------------------------------------------------------------
def resealed(data: JSON) -> JSON:
    """The certificate with its digest, and with those of certificates inside."""
    body = {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}
    if isinstance(body.get("results"), list):
        body["results"] = [
            {**entry, "certificate": resealed(entry["certificate"])} for entry in body["results"]
        ]
    return seal(data["kind"], **body)


def alterations(data: JSON) -> Iterator[JSON]:
    """The certificate with another bound of what it states."""
    seen = set[str]()
    for path, value in list(places(data)):
        for other in others(path, value) if is_bound(path) else added(path, value):
            if other != value or type(other) is not type(value):
                changed = resealed(replaced(data, path, other))
                text = json.dumps(changed)
                if text not in seen:
                    seen.add(text)
                    yield changed


def is_bound(path: Path) -> bool:
    """Whether what stands there bounds the statement; points elsewhere are those of evidence."""
    found = BOUNDS.intersection(key for key in path if isinstance(key, str))
    return bool(found - {"points"} or ("points" in found and "claim" in path)) and "program" not in path


def added(path: Path, value: Any) -> Iterator[Any]:
    """Bounds that the certificate does not have: points, readings, a scope."""
    if path[-1:] == ("claim",):
        yield {**value, "points": [POINT]}
        yield {**value, "readings": [{"line": 0, "stored": "1", "read": "1"}]}
        yield from ({k: v for k, v in value.items() if k != key} for key in ("scope", "points", "readings"))
    elif not path:
        yield {**value, "scope": {"n": "all"}}


def others(path: Path, value: Any) -> Iterator[Any]:
    """Other values of a bound, or of a part of one."""
    yield from variants(value)
    if "scope" in path[:-1]:
        yield from SIZES
    if path[-1:] == ("scope",):
        yield from ({}, [], "all", [value], [value, value])
        if isinstance(value, dict):
            yield {**value, "q": "all"}
            yield from (dict.fromkeys(value, size) for size in SIZES)
        elif value and isinstance(value[0], dict):
            yield from ([*value, dict.fromkeys(value[0], size)] for size in SIZES)
            yield from (value[0], value[::-1], [{**one, "q": 1} for one in value])
    match path[-1:]:
        case ("points",):
            yield from ([*value, POINT], [value[0]] * 2, value[::-1])
            yield from ([{**p, "kind": kind} for p in value] for kind in KINDS_OF_POINTS)
        case ("kind",):
            yield from KINDS_OF_POINTS
        case ("read",) | ("stored",):
            yield from ("1 1/5 7/10", "1/10 1/5 7/10", "invariant", "1/3 1/3 1/3", *moved_a_little(value))
        case ("tolerance",) | ("residual",) | ("orthogonality",) | ("defect",):
            yield from (str(Fraction(value) * k) for k in (0, Fraction(1, 2), Fraction(9, 10), 2, 100))
        case ("family",):
            yield from orbits.FAMILIES


def moved_a_little(read: str) -> Iterator[str]:
    """Numbers that differ by a few roundings, of the same sum and of another."""
    first, *rest, last = parse_numbers(read)
    for k in (-1000, -9, -3, -1, 1, 3, 9, 1000):
        step = k * Fraction(math.ulp(0.1))
        yield " ".join(map(str, (first + step, *rest, last)))
        yield " ".join(map(str, (first + step, *rest, last - step)))


# -- what is true ----------------------------------------------------------------------------------------
Truth = Callable[..., bool]


def listed(scope: Any) -> Iterator[dict[str, int]]:
    """The sizes in a scope, up to 9, and one that stands for all larger ones."""
    for entry in scope if isinstance(scope, list) else [scope]:
        spans = []
        for size in entry.values():
            low, high = (1, None) if size == "all" else size if isinstance(size, list) else (size, size)
            spans.append([k for k in (*range(1, 10), LARGE) if k >= low and (high is None or k <= high)])
        yield from (dict(zip(entry, sizes, strict=True)) for sizes in itertools.product(*spans))


def at_all(truth: Truth, original: JSON, data: JSON, report: Report) -> bool:
    """Whether a claim is true at all its sizes, off no other points, with no other readings."""
    claim, before = data["claim"], original["claim"]
    names = {"n", "d", "k"} & before["scope"].keys() if isinstance(before["scope"], dict) else {"n"}
    return (
        all(truth(**{n: sizes[n] for n in names}) for sizes in listed(claim["scope"]))
        and leaves_out_no_less(claim.get("points", []), before.get("points", []), report)
        and are_near(data, before.get("readings", []))
        and {k: v for k, v in data["evidence"].items() if k == "same_domain"}
        in ({}, {"same_domain": False}, {"same_domain": original["evidence"].get("same_domain")})
    )


def leaves_out_no_less(points: list[JSON], before: list[JSON], report: Report) -> bool:
    """Whether each point is left out as before, or the words that are put for it stand as assumed.

    What an unknown number, or an eigenvector, does in the program is the same whatever the words are.
    """
    marks = [sorted(str(p["mark"]) for p in listed) for listed in (points, before)]
    assumed = [rest for rest in report.rests_on if rest.endswith(", as recorded")]
    return marks[0] == marks[1] and all(
        any(is_named(str(p["mark"]), rest) and p["of"] in rest and p["place"] in rest for rest in assumed)
        for p in points
    )


def is_named(mark: str, words: str) -> bool:
    return words.startswith((f"{mark} matters only where ", f"the eigenvectors {mark} are "))


def are_near(data: JSON, before: list[JSON]) -> bool:
    """Whether readings are on the same lines, each within four roundings of what is stored, and sum to 1.

    Without readings a claim is about the numbers in the program, which are those that were read.
    """
    readings = data["claim"].get("readings", [])
    if before and not readings:
        return all(sum(parse_numbers(numbers)) == 1 for _, numbers in data["forms"]["leaves"])
    if [r["line"] for r in readings] != [r["line"] for r in before]:
        return False
    for reading in readings:
        read, stored = (parse_numbers(reading[key]) for key in ("read", "stored"))
        near = [abs(a - b) <= 2 * Fraction(math.ulp(float(b))) for a, b in zip(read, stored, strict=True)]
        if sum(read) != 1 or not all(near):
            return False
    return True


def at_the_point(original: JSON, data: JSON, report: Report) -> bool:
    """Whether the point of a counterexample is one of the claim."""
    claim, sizes = data["claim"], data["evidence"]["sizes"]
    inside = sizes.items() <= original["evidence"]["sizes"].items() and any(
        all(sizes[n] == k for n, k in found.items() if n in sizes) for found in listed(claim["scope"])
    )
    return inside and "points" not in claim and "readings" not in claim


def unchanged(*keys: str) -> Callable[[JSON, JSON, Report], bool]:
    """Whether these parts are what they were."""

    def same(original: JSON, data: JSON, report: Report) -> bool:
        return all(data[key] == original[key] for key in keys)

    return same


def same_scope(original: JSON, data: JSON, report: Report) -> bool:
    """Whether finitely many points are claimed at the sizes at which they lie, and of no other set."""
    first, second = ({**c["claim"], "scope": [*listed(c["claim"]["scope"])]} for c in (original, data))
    return first == second


def has_another_shape(original: JSON, data: JSON, report: Report) -> bool:
    """Whether the transpose of an a x b matrix is not a x b."""
    scope = data["claim"]["scope"]
    return all(sizes["a"] != sizes["b"] for sizes in listed(scope))


def assumes_no_less(original: JSON, data: JSON, report: Report) -> bool:
    """Whether all equations are assumed for as many values as before: the evidence uses all of them."""
    return all(h in data["hypotheses"] for h in original["hypotheses"]) and "y" in data["variables"]


def has_the_shape(original: JSON, data: JSON, report: Report) -> bool:
    """Whether some product has the shape for sizes 2 and 3 of what varies, whatever the unknowns are."""
    known, varies = data["sizes"], data["varies"]

    def fits(product: list[list[str]]) -> bool:
        names = {x for pair in product for x in pair} | {*data["shape"]}
        unknown = sorted(names - {*known})
        still = [n for n in known if n not in varies]
        return all(
            any(
                all(
                    chain(product, {**dict(zip(still, s, strict=True)), **dict(zip(varies, v, strict=True)),
                                    **dict(zip(unknown, u, strict=True))})
                    for v in itertools.product((2, 3), repeat=len(varies))
                )
                for u in itertools.product((2, 3), repeat=len(unknown))
            )
            for s in itertools.product((2, 3), repeat=len(still))
        )  # fmt: skip

    def chain(product: list[list[str]], at: Mapping[str, int]) -> bool:
        ends = [data["shape"][0], *(x for pair in product for x in pair), data["shape"][1]]
        return all(at[a] == at[b] for a, b in zip(ends[::2], ends[1::2], strict=True))

    return (any(map(fits, data["products"])) is data["possible"]) is data["holds"]


# -- certificates ----------------------------------------------------------------------------------------
def of_verdict(verdict: Any) -> JSON:
    """Its certificate, as JSON text holds it."""
    assert verdict.certificate is not None, verdict
    return json.loads(json.dumps(verdict.certificate))


def of_claim(make: Callable[[], JSON], truth: Truth) -> Callable[[], Base]:
    """A certificate of a claim that is true at these sizes alone."""

    def build() -> Base:
        certificate = make()
        return Base(certificate, partial(at_all, truth, certificate))

    return build


def is_so_large(original: JSON, data: JSON, report: Report) -> bool:
    """Whether a violation is as large as it says, at a point of the box that it says."""
    return test_violations.is_true(data)


def of_kind(
    make: Callable[[], JSON], is_true: Callable[[JSON, JSON, Report], bool]
) -> Callable[[], Base]:
    """A certificate that is judged beside the original."""

    def build() -> Base:
        certificate = encoded(make())
        return Base(certificate, partial(is_true, certificate))

    return build


def from_three() -> JSON:
    return of_verdict(ep.prove(lambda X: X[:, :3].sum(1), "X: d n -> d", under="O(d)"))


def the_rest() -> JSON:
    return of_verdict(ep.prove(lambda X: X[:, 2:], "X: d n -> d m", under="O(d)"))


def reverse(sizes: Any) -> JSON:
    return of_verdict(ep.check(lambda x: x[::-1], "x: n -> n", "S(n)", sizes={"n": sizes}))


def left_out() -> JSON:
    def f(X: Any, s: Any) -> Any:
        return np.abs(np.linalg.eigh(X.T @ X)[1]) * X[np.argmax(s)] ** 2

    return of_verdict(ep.check(f, "X: n d, s: n -> d d", "S(n)", generic=True))


def polar_factor() -> JSON:
    def f(X: Any) -> Any:
        left, _, right = np.linalg.svd(X, full_matrices=False)
        return left @ right

    return of_verdict(ep.check(f, "X: n d -> n d", "O(d)", generic=True))


def read() -> JSON:
    return of_verdict(ep.prove(lambda X: np.array([0.1, 0.2, 0.7]) @ X, "X: 3 d -> d", under="E(d)"))


def passed_test(sizes: Any) -> JSON:
    decided = reverse(sizes)
    return resealed({**decided, "kind": "test", "evidence": {"bits": 100}})


def same(first: Callable[[Any], Any], second: Callable[[Any], Any], **sizes: Any) -> JSON:
    return of_verdict(ep.identical(first, second, "x: n -> m", sizes=sizes or None))


def where_both_are() -> JSON:
    return of_verdict(ep.identical(lambda x: (x * x - 2) / (x * x - 2), lambda x: 1 + 0 * x, "x: n -> n"))


def finite(kind: str, *rows: list[str]) -> JSON:
    if kind == "equality":
        return test_finite.square_or_cube()
    return test_finite.unequal(kind=kind, points=[test_finite.vectors(*some) for some in rows])


def results() -> JSON:
    inner = {"a": from_three(), "b": the_rest()}
    return seal("results", results=[{"name": n, "certificate": c} for n, c in inner.items()])


def of_results() -> Base:
    """Each result is true from a size on."""
    certificate = results()
    truths = {"a": lambda n, d: n >= 3, "b": lambda n, d: n >= 2}
    first = {r["name"]: r["certificate"] for r in certificate["results"]}

    def is_true(data: JSON, report: Report) -> bool:
        parts = {r["name"]: r["certificate"] for r in data["results"]}
        return all(at_all(truths[n], first[n], c, report) for n, c in parts.items() if n in first)

    return Base(certificate, is_true)


def of_witness(name: str) -> Callable[[], Base]:
    """A witness or a mismatch, judged by its matrices."""

    def build() -> Base:
        certificate = json.loads(json.dumps(test_certificates.CERTIFICATES[name]()))
        return Base(certificate, lambda data, _: test_certificates.is_true(data))

    return build


def of_orbit(kind: str, group: str) -> Callable[[], Base]:
    """An element of a group, or what rules one out, judged by definitions."""

    def build() -> Base:
        chance = random.Random(f"{kind} {group}")
        while True:
            certificate = json.loads(json.dumps(orbits.judged(*orbits.draw(group, chance))[1]))
            if certificate["kind"] == kind:
                return Base(certificate, lambda data, _: orbits.is_true(data))

    return build


BASES: dict[str, Callable[[], Base]] = {
    "proof from 3 columns on": of_claim(from_three, lambda n, d: n >= 3),
    "proof from 2 columns on": of_claim(the_rest, lambda n, d: n >= 2),
    "proof at one size": of_claim(partial(reverse, 2), lambda n: n <= 2),
    "proof that leaves points out": of_claim(left_out, lambda n, d: True),
    "proof that leaves singular values out": of_claim(polar_factor, lambda n, d: True),
    "proof with a reading": of_claim(read, lambda d: True),
    "decision at two sizes": of_claim(partial(reverse, (1, 2)), lambda n: n <= 2),
    "decision of an identity": of_claim(
        lambda: same(lambda x: x[:3].sum()[None], lambda x: x[:1] + x[1:2] + x[2:3]), lambda n: n >= 3
    ),
    "test": of_claim(partial(passed_test, (1, 2)), lambda n: n <= 2),
    "identity from 3 entries on": of_claim(
        lambda: same(lambda x: x[2:] + x[2:], lambda x: 2 * x[2:]), lambda n: n >= 2
    ),
    "identity where both are defined": of_claim(where_both_are, lambda n: True),
    "counterexample": of_kind(partial(reverse, (3, 5)), at_the_point),
    "counterexample in two sizes": of_kind(corpus.turned, at_the_point),
    "enclosed counterexample": of_kind(corpus.enclosed, at_the_point),
    "evaluation": of_kind(corpus.shifted, at_the_point),
    "evaluation of two functions": of_kind(corpus.apart, at_the_point),
    "difference": of_kind(corpus.different, at_the_point),
    "difference at a size": of_kind(
        lambda: of_verdict(ep.identical(lambda x: x * x / x, lambda x: x, "x: n -> n")), at_the_point
    ),
    "violation": of_kind(test_violations.base, is_so_large),
    "relative violation": of_kind(partial(test_violations.base, relative=True), is_so_large),
    "equality": of_kind(partial(finite, "equality"), same_scope),
    "inequality": of_kind(partial(finite, "inequality", ["2"], ["0 2", "1 -1"]), same_scope),
    "injective": of_kind(partial(finite, "injective", ["1", "0", "-2"], ["1 2", "2 1"]), same_scope),
    "collision": of_kind(partial(finite, "collision", ["1", "-1"], ["1 2", "-1 2"]), same_scope),
    "ill-typed": of_kind(partial(test_finite.transpose, "a b", a=1, b=2), has_another_shape),
    "rewriting": of_kind(test_rewriting.composed, assumes_no_less),
    "linear-maps": of_kind(test_linear.circulants, unchanged("holds")),
    "vertices": of_kind(test_linear.triangle, unchanged("holds")),
    "product-shapes": of_kind(test_linear.gram, has_the_shape),
    "results": of_results,
    **{
        f"witness: {name}": of_witness(name)
        for name in test_certificates.CERTIFICATES
        if "algebraic" not in name and name != "empty"
    },
    **{
        f"{kind} {group}": of_orbit(kind, group)
        for kind in ("orbit-witness", "orbit-mismatch")
        for group in ("SO", "SU", "SL", "O(1,3)")
    },
}


@cache
def base(name: str) -> Base:
    return BASES[name]()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", BASES)
def test_no_altered_certificate_that_claims_more_is_accepted(name: str, one_in: OneIn[JSON]) -> None:
    given = base(name)
    report = check_certificate(given.certificate)
    assert report.accepted, report.reason
    assert given.is_true(given.certificate, report)
    for data in one_in(2, alterations(given.certificate)):
        found = judged(data)
        assert not found.accepted or given.is_true(data, found), data.get("claim", data)


def judged(data: JSON) -> Report:
    """The kernel's report; what it cannot read is not accepted."""
    try:
        report = check_certificate(data)
    except Unreadable as error:
        return Report(accepted=False, reason=str(error))
    assert "internal error" not in report.reason, report.reason
    return report


def test_certificates_of_every_kind_are_altered() -> None:
    altered = [name for name in BASES if any(alterations(base(name).certificate))]
    assert altered == [*BASES]
    assert {base(name).certificate["kind"] for name in altered} == KINDS.keys()
