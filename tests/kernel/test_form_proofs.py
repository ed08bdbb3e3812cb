"""Proofs in forms: those of the corpus, every change of one field of each, and false ones."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.kernel import check_certificate
from tests.judged import assert_proved, certificate_of
from tests.kernel.corpus import JSON, accepted, axis, edited, reseal, seal
from tests.kernel.encoding import encoded
from tests.kernel.form_values import value
from tests.kernel.mutate import is_accepted, mutants
from tests.kernel.oracle import is_equivariant
from tests.kernel.packed import packed
from tests.rocq.test_views import VIEWS
from tests.sampling import OneIn

#: The proofs of the corpus, by name.
ACCEPTED = {
    name: encoded(data)
    for name, data in {**accepted(), "packed": packed()}.items()
    if data["kind"] == "proof"
}


def is_true(data: JSON, rng: random.Random) -> bool:
    """Whether the claim stands every test made here."""
    claim, forms = data["claim"], data["forms"]
    return is_equivariant(claim, lambda *at: value(forms, claim, *at), rng)


@pytest.mark.parametrize("name", ACCEPTED)
def test_they_are_accepted_and_true(name: str) -> None:
    report = check_certificate(ACCEPTED[name])
    assert report.accepted and report.grade == "PROVED", report.reason
    assert is_true(ACCEPTED[name], random.Random(0))


def reflected(X: Any, Y: Any) -> Any:
    """Points beside their reflections in each other, around their means."""
    both = np.concatenate([X, 2 * Y - X], axis=0)
    return np.stack([both, both - both.mean(axis=0) + X[:1]])


#: Points side by side that are translated.
JOINED: tuple[tuple[Any, str, str], ...] = (
    (lambda X, Y: np.concatenate([X, Y], axis=1), "X: d n, Y: d m -> d k", "T(d)"),
    (reflected, "X: n d, Y: n d -> 2 m d", "E(d)"),
    (lambda X, h: np.concatenate([X - X.mean(axis=0), h], axis=1), "X: n 2, h: n k -> n m", "T(2)"),
)


def with_views() -> dict[str, JSON]:
    """Proofs with slices, splits, merges and joins, of claims that the oracle of claims knows."""
    known = [case for case in VIEWS if "<" not in case[1] and "each" not in case[2]]
    return {f"view {k}": certificate_of(*case) for k, case in enumerate((*known, *JOINED))}


def test_proofs_with_views_are_true() -> None:
    found = with_views()
    assert any("Prod" in str(data["evidence"]) for data in found.values())
    for data in found.values():
        assert is_accepted(data) and is_true(data, random.Random(0))


def test_a_changed_field_of_a_view_is_rejected_or_still_true(one_in: OneIn[Any]) -> None:
    """Of all changes of views and of the types of their axes, and of some others."""
    rng, seen, accepted_ = random.Random(0), 0, 0
    for data in with_views().values():
        at = {k for k, kind in enumerate(data["forms"]["kinds"]) if kind[1] in ("View", "Join")}
        chosen = (
            (path, changed)
            for path, changed in mutants(data)
            if (path[:2] == ("forms", "kinds") and path[2:3] and path[2] in at)
            or path[3:4] == ("types",)
            or rng.random() < 0.1
        )
        for path, changed in one_in(5, chosen):
            seen += 1
            changed = reseal(changed)
            if is_accepted(changed):
                accepted_ += 1
                assert is_true(changed, rng), (path, changed)
    assert seen > 200 and accepted_ < seen / 10


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ACCEPTED)
def test_a_changed_field_is_rejected_or_still_true(name: str, one_in: OneIn[Any]) -> None:
    rng = random.Random(name)
    accepted_, count = 0, 0
    for path, changed in one_in(4, mutants(ACCEPTED[name])):
        count += 1
        assert count % 7 or not is_accepted(changed), path  # without its digest
        changed = reseal(changed)
        if is_accepted(changed):
            accepted_ += 1
            assert is_true(changed, rng), (path, changed)
    assert count > 100 and accepted_ < count / 10


LARGER: Any = [[2, []], [2, ["d"]]]


def products() -> JSON:
    """x B x^T for the matrix B of the symplectic form of the size of x."""
    f = lambda x: x @ ep.groups.form("Sp", x.shape[-1]) @ x.T  # noqa: E731
    found: Any = assert_proved(f, "x: n 2d -> n n", "Sp(2d)").certificate
    assert found["forms"]["functions"] == [{"array": ["form", False]}]
    assert [kind[1] for kind in found["forms"]["kinds"]] == [
        "Input",
        "Whole",
        "Contract",
        "Contract",
    ]
    return dict(found)


def test_a_part_of_a_larger_matrix_of_a_form_is_none() -> None:
    """The part of size 4 of the matrix of size 6 is not kept by all of Sp(4)."""
    first, matrix, *products_ = products()["forms"]["kinds"]
    shapes = [*products()["forms"]["shapes"], [LARGER, LARGER]]
    larger, part = [3, *matrix[1:]], [matrix[0], "Contract", [[0, [0, 1]]], [], [0, 1]]
    whole = lambda shape: [shape, *matrix[1:]]  # noqa: E731
    for lines, types in (
        ([[0], [1], [2, 1], [3, 0, 2], [4, 3, 0]], [0, 1, 1, 2, 3]),
        (
            [[0], [5], [1], [2, 2], [3, 0, 3], [4, 4, 0]],
            [0, 1, 1, 1, 2, 3],
        ),  # after one that is kept
        ([[0], [1], [5], [2, 1], [3, 0, 3], [4, 4, 0]], [0, 1, 1, 1, 2, 3]),
    ):
        edits: list[Any] = [
            (["forms", "shapes"], shapes),
            (["forms", "kinds"], [first, larger, part, *products_, whole(matrix[0])]),
            (["forms", "lines"], lines),
            (["evidence", "factors", 0, "lines"], types),
        ]
        assert not is_accepted(edited(products(), *edits))
        edits[1] = (
            ["forms", "kinds"],
            [first, whole(matrix[0]), part, *products_, whole(matrix[0])],
        )
        assert is_accepted(edited(products(), *edits))  # with the matrix of the right size


def weighted() -> JSON:
    """The product with a constant matrix, under permutations of the rows."""
    weights = np.arange(1.0, 7).reshape(2, 3)
    found: Any = assert_proved(lambda x: x @ weights, "x: n 2 -> n 3", "S(n)").certificate
    assert [leaf[0] for leaf in found["forms"]["leaves"]] == ["numbers"]
    return dict(found)


@pytest.mark.parametrize(
    ("leaf", "good"),
    [
        (["numbers", "1 2 3 4 5 6"], True), (["numbers", "6*1/2"], True), (["triangle", 1], True),
        (["digest", "sha256:" + "0" * 64], True), (["numbers", "1 2 3 4 5"], False),
        (["numbers", "7*1"], False), (["numbers", ""], False), (["counter"], False),
        (["function", "pi"], False), (["function", "e"], False), (["triangle"], False),
        (["triangle", "1"], False), (["digest", "sha256:0"], False), (["digest"], False), ([], False),
        (["form", True], False), (["numbers", "1 2 3 4 5 6", 1], False), (None, False),
    ],
)  # fmt: skip
def test_arrays_of_constants_have_the_shape_of_their_line(leaf: Any, good: bool) -> None:
    report = check_certificate(edited(weighted(), (["forms", "leaves", 0], leaf)))
    assert report.accepted is good, report.reason
    is_parameter = leaf is not None and leaf[:1] == ["digest"]
    assert ("whatever real numbers its parameters hold" in report.statement) is (
        good and is_parameter
    )


@pytest.mark.parametrize("leaf", [["numbers", ""], ["digest", "sha256:" + "0" * 64], ["counter"]])
def test_arrays_of_constants_have_one_size(leaf: list[Any]) -> None:
    """Of another one for each n there is only the counter."""
    f = lambda x: x * np.arange(x.shape[0])[:, None]  # noqa: E731
    data: Any = assert_proved(f, "x: n d -> n d", "O(d)").certificate
    assert data["forms"]["leaves"] == [["counter"]]
    assert is_accepted(edited(data, (["forms", "leaves", 0], leaf))) is (leaf == ["counter"])


def test_leaves_that_are_not_listed_or_malformed() -> None:
    assert not is_accepted(edited(weighted(), (["forms", "leaves"], [])))
    leaves = weighted()["forms"]["leaves"]
    assert is_accepted(edited(weighted(), (["forms", "leaves"], leaves * 2)))
    for unread in ([], ["numbers"], ["numbers", 1], ["digest", "sha256:"], ["counter", 1], "counter"):
        assert not is_accepted(edited(weighted(), (["forms", "leaves"], [*leaves, unread])))


def in_lines(claim: JSON, forms: list[Any], evidence: JSON) -> JSON:
    """A proof with the given functions, shapes, kinds and lines, and evidence for one factor."""
    parts = dict(zip(("functions", "shapes", "kinds", "lines"), forms, strict=True))
    return seal(
        "proof", claim=claim, forms={**parts, "leaves": []}, evidence={"factors": [evidence]}
    )


def claimed(text: str, family: str, on: Any, *, scope: JSON, **more: Any) -> JSON:
    """A claim about one argument x, such as "n, d -> d"."""
    before, after = (
        [axis(part) for part in side.split(", ") if part] for side in text.split(" -> ")
    )
    group = [{"family": family, "axis": on}]
    inputs = [{"name": "x", "axes": before, "type": "real"}]
    parts = {"inputs": inputs, "output": after, "group": group, "scope": scope}
    return {"kind": "equivariance", **parts, **more}


STD, FIX_DET = [["Std", 3]], ["Det", "Fix"]


@pytest.mark.parametrize(
    "kind", [["Irr", 1], ["Irr", 3], FIX_DET, ["Det", ["Irr", 2]], ["Det", "Std"]]
)
def test_permutations_have_no_irreps_and_no_determinants(kind: Any) -> None:
    """The determinant of [[1]] is no sign of a permutation, so that det x is not invariant."""
    lines: list[Any] = [["Input", 0], ["Scalar", 1], ["Contract", [[0, []]], [], [0, 1]]]
    dets = [["Whole", 0, 0, [[0, [n, n]]]] for n in (1, 3)]
    product = ["Contract", [[0, []], [1, []]], [], []]
    kinds = [
        [n, *form] for n, form in zip((0, 1, 2, 1, 1, 1), [*lines, *dets, product], strict=True)
    ]
    rows = [[0], [1], [2, 1], [3, 2], [4, 0], [5, 3, 4]]
    types = [[[STD, []], 0], [[], 0], [[[[kind, 1]], []], 0], [[], 1]]
    evidence = {"family": "S", "axis": "n", "types": types, "lines": [0, 1, 2, 3, 3, 1]}
    forms = [["det"], [[3, 3], [], [1, 1]], kinds, rows]
    data = in_lines(claimed("n, 3! -> ", "S", "n", scope={"n": 3}), forms, evidence)
    assert not is_true(data, random.Random(0))
    assert not is_accepted(data)


def test_invertible_matrices_have_no_irreps_and_no_determinants() -> None:
    """The determinant of an identity matrix is invariant, and that of x is not."""
    std: Any = [["Std", "d"]]
    for kind, size, power, times in ((["Irr", 2], 5, 4, 2), (FIX_DET, 1, 2, 1)):
        rows = [[0], [1], [2, 1], [3, 0], [4, 3], [5, 2, *[4] * times]]
        product = ["Contract", [[k, []] for k in range(1 + times)], [], []]
        kinds: list[Any] = [
            [0, "Input", 0], [2, "Delta", size], [1, "Whole", 0, 0, [[0, [size, size]]]],
            [1, "Whole", 0, 0, [[0, ["d", "d"]]]], [1, "Map", 1, [0]], [1, *product],
        ]  # fmt: skip
        same = [[[[kind, size]]] * 2, 0]
        types = [[[std, std], 0], same, [[], power], [[], 2], [[], -2], [[], 0]]
        evidence = {"family": "GL", "axis": "d", "types": types, "lines": [*range(6)]}
        forms = [["det", "recip"], [["d", "d"], [], [size, size]], kinds, rows]
        data = in_lines(claimed("d, d -> ", "GL", "d", scope={"d": "all"}), forms, evidence)
        at = [value(data["forms"], data["claim"], {"x": np.eye(2) * c}, {"d": 2}) for c in (1, 4)]
        assert at[0] != at[1]  # of x and g x g^T for g = 2
        assert not is_accepted(data)


def test_a_mean_of_no_entries_is_no_point() -> None:
    """At n = 1 the sum of n - 1 terms x / (n - 1) is 0, and none of the terms need be defined."""
    less, scope = [[-1, []], [1, ["n"]]], {"n": "all", "d": "all"}
    for count in (less, "n"):
        mean = ["Contract", [[0, [["Num", 0], 1]], [1, []]], [[0, count]], [1]]
        kinds: list[Any] = [
            [0, "Input", 0], [1, "Scalar", 1], [1, "Contract", [[0, []]], [[0, count]], []],
            [1, "Map", 0, [0]], [2, *mean],
        ]  # fmt: skip
        rows = [[0], [1], [2, 1], [3, 2], [4, 0, 3]]
        forms = [["recip"], [["n", "d"], [], ["d"]], kinds, rows]
        evidence = {"family": "T", "axis": "d"}
        data = in_lines(claimed("n, d -> d", "T", "d", scope=scope), forms, evidence)
        assert is_true(data, random.Random(0)) is is_accepted(data) is (count == "n")


def called(name: str, symmetry: Any, claim: JSON, shape: list[Any], types: list[Any]) -> JSON:
    """A proof about an opaque function of three numbers, of which a symmetry is assumed."""
    given = [3]
    kinds: list[Any] = [[0, "Input", 0], [1, "Whole", 0, 0, [[0, given]]]]
    factor = claim["group"][0]
    evidence = {**factor, "types": types, "lines": [0, 1]}
    forms = [[{"name": name, "symmetry": symmetry}], [given, shape], kinds, [[0], [1, 0]]]
    return in_lines(claim, forms, evidence)


@pytest.mark.parametrize(("whole", "family"), [("O", "S"), ("O", "Signs"), ("SO", "A"), ("O", "O")])
def test_an_assumed_irrep_does_not_say_how_permutations_act(whole: str, family: str) -> None:
    """An equivariant function to an irrep of rotations is not invariant under permutations."""
    irrep = [[5, None, "2e"]]
    symmetry = {
        "inputs": [[[[3, None, ""]]]], "output": [irrep], "group": [{"family": whole, "axis": 3}]
    }  # fmt: skip
    claim = claimed("3 -> 5", family, 3, scope={})
    is_same = whole == family
    if is_same:
        claim["output"] = [irrep]
    value: Any = [[["Irr", 2], 5]] if is_same else []
    types = [[[STD], 0], [[value], 0]]
    assert is_accepted(called("f", symmetry, claim, [5], types)) is is_same


def test_an_unknown_number_has_no_arguments_and_no_symmetry() -> None:
    """What is assumed of it is not listed, as nothing is."""
    symmetry = {"inputs": [[[[3, None, ""]]]], "output": [], "group": [{"family": "O", "axis": 3}]}
    at = {"kind": "ties", "of": "x", "place": "", "mark": "at_a_tie.f"}
    claim, types = claimed("3 -> ", "O", 3, scope={}), [[[STD], 0], [[], 0]]
    assert is_accepted(called("f", symmetry, claim, [], types))
    for assumed in (symmetry, None):
        data = called("at_a_tie.f", assumed, {**claim, "points": [at]}, [], types)
        assert not is_accepted(data)


def test_a_step_whose_coefficients_sum_to_0_is_no_divisor() -> None:
    """A place divided by 2 (n - 1) is no place over an axis, where n - 1 is the step."""
    less, twice = [[-1, []], [1, ["n"]]], [[-2, []], [2, ["n"]]]
    std: Any = [["Std", "d"]]
    for divisor in (less, twice):
        place = ["Over", ["Plus", ["Times", 0, ["Size", less]], 1], ["Size", divisor]]
        kinds: list[Any] = [
            [0, "Input", 0], [1, "Contract", [[0, [place, ["Num", 0], 2]]], [], [0, 1, 2]],
            [2, "Contract", [[0, [0, 2, 1]]], [[2, less]], [0, 1]],
        ]  # fmt: skip
        forms = [[], [["b", "n", "d"], ["b", less, "d"], ["b", "d"]], kinds, [[0], [1, 0], [2, 1]]]
        claim = claimed("b, n, d -> b, d", "O", "d", scope={"b": "all", "d": "all", "n": [2, None]})
        claim["group"][0]["each"] = "b"
        types = [[[[], [], std], 0], [[[], std], 0]]
        evidence = {"family": "O", "axis": "d", "types": types, "lines": [0, 0, 1]}
        assert is_accepted(in_lines(claim, forms, evidence)) is (divisor == less)


@pytest.mark.parametrize("family", ["T", "S"])
def test_long_sums_on_many_lines_cost_their_length(family: str) -> None:
    count, total = 1000, 2000
    kinds: list[Any] = [
        [0, "Input", 0], [1, "Scalar", 1],
        [1, "Contract", [[0, []]], [[k, "n"] for k in range(count)], []],
        [0, "Contract", [[0, [0, 1]]], [], [0, 1]],
    ]  # fmt: skip
    forms = [[], [["n", "d"], []], kinds, [[0], [1], *[[2, 1]] * total, [3, 0]]]
    evidence: JSON = {"family": family, "axis": "d"}
    if family == "S":
        powers = [[[], 2 * k] for k in range(total)]
        evidence["types"] = [[[[], [["Std", "d"]]], 0], *powers]
        evidence["lines"] = [0, 1, *range(1, total + 1), 0]
    claim = claimed("n, d -> n, d", family, "d", scope={"n": "all", "d": "all"})
    assert check_certificate(in_lines(claim, forms, evidence)).limited


@pytest.mark.parametrize(
    ("function", "given", "result", "good"),
    [
        ("eigvals", [["n", "n"]], ["n"], True), ("eigvals", [["n", "n"]], [7], False),
        ("eigvals", [["n", "n"]], ["n", "n"], False), ("eigvals", [["n", "m"]], ["n"], False),
        ("det", [["n", "n"]], [], True), ("det", [["n", "m"]], [], False), ("det", [["n"]], [], False),
        ("inv", [["n", "n"]], ["n", "n"], True), ("inv", [["n", "n"]], ["m", "m"], False),
        ("pinv", [["n", "m"]], ["m", "n"], True), ("pinv", [["n", "m"]], ["n", "m"], False),
        ("cholesky", [["n", "n"]], ["n", "n"], True), ("cholesky", [["n", "m"]], ["m", "n"], False),
        ("sqrt", [[]], [], True), ("sqrt", [["n"]], [], False), ("cbrt", [[]], [2], False),
        ("spectral", [["n", "n"], ["n"]], ["n", "n"], True),
        ("spectral", [["n", "n"], ["m"]], ["n", "n"], False),
    ],
)  # fmt: skip
def test_functions_of_matrices_have_values_of_their_shapes(
    function: str, given: list[Any], result: list[Any], good: bool
) -> None:
    """Of arrays of zeros, under a translation of another argument."""
    whole = ["Whole", 0, 0, [[k, sizes] for k, sizes in enumerate(given)]]
    kinds: list[Any] = [[0, "Input", 0], *([k + 2, "Add", []] for k in range(len(given)))]
    kinds += [[1, *whole], [0, "Contract", [[0, [0]]], [], [0]]]
    last = len(given)
    rows: list[Any] = [
        *([k] for k in range(last + 1)),
        [last + 1, *range(1, last + 1)],
        [last + 2, 0],
    ]
    forms = [[function], [["d"], result, *given], kinds, rows]
    claim = claimed("d, n!, m! -> d", "T", "d", scope=dict.fromkeys("dnm", "all"))
    claim["inputs"] = [
        {"name": f"x{k}", "axes": [own], "type": "real"} for k, own in enumerate(claim["inputs"][0]["axes"])
    ]  # fmt: skip
    assert is_accepted(in_lines(claim, forms, {"family": "T", "axis": "d"})) is good
