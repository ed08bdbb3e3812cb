"""Spaces of linear maps, vertices of polytopes, and shapes of products: certificates by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from eqvproof.kernel import check_certificate
from tests.kernel.corpus import JSON, edited, seal

TURN = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
BACK = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
SWAP = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
ONE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def circulants() -> JSON:
    """The maps that commute with a turn of three places."""
    part = {"generators": [[TURN, TURN]], "family": [ONE, TURN, BACK]}
    return seal("linear-maps", holds=True, parts=[part])


def triangle() -> JSON:
    """x + y + z = 1, x, y, z >= 0."""
    points = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    return seal("vertices", holds=True, parts=[{"left": [[1, 1, 1]], "right": [1], "points": points}])


def gram() -> JSON:
    """W has no shape n x n when its shape is the same for every n; Y^T Y has it."""
    products = [[["a", "b"]], [["n", "k"], ["k", "n"]]]
    return seal(
        "product-shapes", products=products, shape=["n", "n"], sizes=["n", "k"], varies=["n"],
        possible=True, holds=True,
    )  # fmt: skip


def changed(make: Callable[[], JSON], *edits: tuple[list[Any], Any]) -> JSON:
    """The certificate with other values."""
    return edited(make(), *edits)


P, FAMILY, PAIRS = ["parts", 0], ["parts", 0, "family"], ["parts", 0, "generators"]
POINTS, MATRIX, RIGHT = [*P, "points"], [*P, "left"], [*P, "right"]
NOT = (["holds"], False)
ACCEPTED: dict[str, JSON] = {
    "circulants": circulants(),
    "a map twice": changed(circulants, ([*FAMILY], [ONE, TURN, BACK, ONE])),
    "a map too few is not all": changed(circulants, (FAMILY, [ONE, TURN]), NOT),
    "a map that does not commute": changed(circulants, (FAMILY, [ONE, TURN, BACK, [[1, 0, 0]] * 3]), NOT),
    "one sign": changed(circulants, (PAIRS, [[[[-1]], [[1]]]]), (FAMILY, [])),
    "functionals": changed(circulants, (PAIRS, [[TURN, [[1]]]]), (FAMILY, [[[1, 1, 1]]])),
    "two generators": changed(circulants, (PAIRS, [[TURN, TURN], [BACK, BACK]])),
    "triangle": triangle(),
    "a point too few is not all": changed(triangle, (POINTS, [["1", "0", "0"]]), NOT),
    "a point between is none": changed(triangle, ([*POINTS, 0], ["1/2", "1/2", "0"]), NOT),
    "halves": changed(
        triangle, (MATRIX, [[2, 2, 2]]), (POINTS, [["1/2", "0", "0"], ["0", "1/2", "0"], ["0", "0", "1/2"]])
    ),
    "a row twice": changed(triangle, (MATRIX, [[1, 1, 1], [2, 2, 2]]), (RIGHT, [1, 2])),
    "nothing solves it": changed(triangle, (MATRIX, [[1, 1, 1], [2, 2, 2]]), (RIGHT, [1, 3]), (POINTS, [])),
    "nothing is positive": changed(triangle, (RIGHT, [-1]), (POINTS, [])),
    "no equation": changed(triangle, (MATRIX, [[0, 0, 0]]), (RIGHT, [0]), (POINTS, [["0", "0", "0"]])),
    "signs": changed(triangle, (MATRIX, [[1, -1, 0]]), (RIGHT, [1]), (POINTS, [["1", "0", "0"]])),
    "gram": gram(),
    "a weight alone": changed(gram, (["products"], [[["a", "b"]]]), (["possible"], False)),
    "a weight of a size that stays": changed(gram, (["products"], [[["a", "b"]]]), (["shape"], ["k", "k"])),
    "not the claimed one": changed(gram, (["products"], [[["a", "b"]]]), NOT),
}
REJECTED: dict[str, JSON] = {
    "circulants are all": changed(circulants, NOT),
    "a map too few": changed(circulants, (FAMILY, [ONE, TURN])),
    "a map that does not commute": changed(circulants, (FAMILY, [ONE, TURN, BACK, [[1, 0, 0]] * 3])),
    "as many that do not span": changed(circulants, ([*FAMILY, 2], ONE)),
    "another target": changed(circulants, ([*PAIRS, 0, 1], BACK)),
    "a second generator": changed(circulants, (PAIRS, [[TURN, TURN], [SWAP, SWAP]])),
    "of another size": changed(circulants, ([*PAIRS, 0, 1], [[1]])),
    "not square": changed(circulants, ([*PAIRS, 0, 0], [[0, 1, 0], [0, 0, 1]])),
    "half a pair": changed(circulants, (PAIRS, [[TURN, TURN], [TURN]])),
    "a pair of three": changed(circulants, (PAIRS, [[TURN, TURN], [TURN, TURN, TURN]])),
    "no generator": changed(circulants, (PAIRS, [])),
    "no part": changed(circulants, (["parts"], [])),
    "one of two fails": changed(
        circulants,
        (["parts"], [{"generators": [[TURN, TURN]], "family": f} for f in ([ONE, TURN, BACK], [ONE])]),
    ),
    "two that fail": changed(
        circulants, (["parts"], [{"generators": [[TURN, TURN]], "family": [ONE]}] * 2), NOT
    ),
    "a truth that is none": changed(circulants, (["holds"], 1)),
    "rows of several lengths": changed(circulants, ([*FAMILY, 0], [[1, 0, 0], [0, 1], [0, 0, 1]])),
    "a longer row": changed(circulants, ([*PAIRS, 0, 0], [[0, 1, 0], [0, 0, 1], [1, 0, 0, 0]])),
    "no row": changed(triangle, (MATRIX, []), (RIGHT, [])),
    "no column": changed(triangle, (MATRIX, [[]])),
    "a fraction in a matrix": changed(circulants, ([*FAMILY, 0, 0, 0], "1/2")),
    "a point too few": changed(triangle, ([*POINTS, 2], ["0", "1", "0"])),
    "a point too many": changed(triangle, (POINTS, [*triangle()["parts"][0]["points"], ["0", "0", "0"]])),
    "another right side": changed(triangle, (RIGHT, [2])),
    "a right side too few": changed(triangle, (RIGHT, [])),
    "the signs ignored": changed(
        triangle, (MATRIX, [[1, -1, 0]]), (POINTS, [["1", "0", "0"], ["0", "-1", "0"]])
    ),
    "triangle is none": changed(triangle, NOT),
    "a weight alone has the shape": changed(gram, (["products"], [[["a", "b"]]])),
    "none has the shape": changed(gram, (["possible"], False)),
    "two sizes are one": changed(gram, (["products"], [[["n", "k"], ["n", "k"]], [["k", "n"]]])),
    "two numbers are one": changed(gram, (["products"], [[["n", "2"], ["3", "n"]]])),
    "a number that varies": changed(
        gram, (["products"], [[["a", "4"]]]), (["shape"], ["3", "4"]), (["sizes"], ["3"]),
        (["varies"], ["3"]), (["possible"], False),
    ),
    "an empty product": changed(gram, (["products"], [[]])),
    "no product": changed(gram, (["products"], [])),
    "a number for possible": changed(gram, (["possible"], 1)),
    "a number for possible of what fails": changed(gram, (["possible"], 1), NOT),
    "a number for holds": changed(gram, (["holds"], 1)),
    "a number among the sizes": changed(gram, (["sizes"], ["n", "k", "3"])),
    "what varies is no size": changed(gram, (["varies"], ["m"])),
    "a matrix of three axes": changed(gram, (["products", 0, 0], ["a", "b", "c"])),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    report = check_certificate(ACCEPTED[name])
    assert report.accepted, report.reason
    holds = ACCEPTED[name]["holds"]
    strong = "PROVED" if ACCEPTED[name]["kind"] == "product-shapes" else "DECIDED"
    assert report.grade == (strong if holds else "EXACT") and report.rests_on


def test_sizes_that_stay_are_named() -> None:
    other = changed(
        gram, (["products"], [[["m", "n"]]]), (["shape"], ["k", "n"]), (["sizes"], ["n", "k", "m"]),
        (["possible"], False),
    )  # fmt: skip
    assert "for all k, m, n" in check_certificate(other).statement  # where k = m the product has the shape


@pytest.mark.parametrize("name", REJECTED)
def test_rejected(name: str) -> None:
    report = check_certificate(REJECTED[name])
    assert not report.accepted and "internal" not in report.reason
