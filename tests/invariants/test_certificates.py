"""Certificates of witnesses and mismatches: accepted by the kernel; altered ones rejected, or still true."""

import copy
import itertools
import json
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp

from eqvproof.invariants.gram import gram_match
from eqvproof.invariants.pairs import gram_pairs
from eqvproof.invariants.witnesses.congruence import congruence_witness
from eqvproof.invariants.witnesses.orthogonal import orthogonal_witness
from eqvproof.invariants.witnesses.permutation import permutation_witness
from eqvproof.kernel import check_certificate
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import CongruenceMismatch, GramMismatch, MultisetMismatch
from tests.kernel.mutate import is_accepted


def mismatch(function, *arguments, **options):
    with pytest.raises((GramMismatch, MultisetMismatch, CongruenceMismatch)) as caught:
        function(*arguments, **options)
    return caught.value.certificate


SQUARE = np.array([[1, -1, 0, 0], [0, 0, 1, -1]])
ROOTS = [[sp.sqrt(2), 1], [0, sp.sqrt(3)]]
TURNED = [
    [1, sp.Rational(1, 2) * (sp.sqrt(2) - sp.sqrt(6))],
    [1, sp.Rational(1, 2) * (sp.sqrt(2) + sp.sqrt(6))],
]
X, Y = next(gram_pairs(3, 2, rank=2, count=1, seed=4))
FLOATS = np.random.default_rng(0).standard_normal((2, 3))
ROTATION = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])

CERTIFICATES = {
    "orthogonal": lambda: orthogonal_witness(X, Y).certificate,
    "reflections": lambda: orthogonal_witness(X, Y, reflections=True).certificate,
    "determinant": lambda: orthogonal_witness(X, Y, reflections=True, det=1).certificate,
    "algebraic": lambda: orthogonal_witness(ROOTS, np.array(ROOTS)[::-1]).certificate,
    "rounded": lambda: orthogonal_witness(FLOATS, ROTATION @ FLOATS).certificate,
    "unitary": lambda: orthogonal_witness(FLOATS + 1j, 1j * (FLOATS + 1j)).certificate,
    "empty": lambda: (
        orthogonal_witness(np.zeros((2, 0)).astype(int), np.zeros((2, 0)).astype(int)).certificate
    ),
    "gram": lambda: mismatch(orthogonal_witness, [[1, 2], [0, 1]], [[1, 2], [0, F(999, 1000)]]),
    "gram-algebraic": lambda: mismatch(orthogonal_witness, [[sp.sqrt(2)]], [[sp.sqrt(3)]]),
    "gram-float": lambda: mismatch(orthogonal_witness, FLOATS, 1.001 * FLOATS),
    "gram-match": lambda: gram_match(FLOATS, 1.001 * FLOATS).certificate,
    "gram-projection": lambda: gram_match(SQUARE, SQUARE + 1, method="projection").certificate,
    "permutation": lambda: permutation_witness(SQUARE, SQUARE[:, ::-1]).certificate,
    "permutation-algebraic": lambda: permutation_witness(ROOTS, np.array(ROOTS)[:, ::-1]).certificate,
    "permutation-tolerance": lambda: (
        permutation_witness(FLOATS, FLOATS[:, ::-1] + 0.01, tol=0.02).certificate
    ),
    "multiset": lambda: mismatch(permutation_witness, [[1, 1, 2]], [[1, 2, 2]]),
    "multiset-algebraic": lambda: mismatch(permutation_witness, [[sp.sqrt(2), 1]], [[1, 1]]),
    "multiset-tolerance": lambda: mismatch(
        permutation_witness, [[0.0, 1.0, 5.0]], [[0.0, 0.1, 5.0]], tol=0.5
    ),
    "congruence": lambda: congruence_witness(SQUARE, 0 - SQUARE[::-1, [2, 0, 3, 1]]).certificate,
    "congruence-algebraic": lambda: congruence_witness(ROOTS, np.array(ROOTS)[::-1, ::-1]).certificate,
    "incongruence-lengths": lambda: mismatch(congruence_witness, SQUARE, 2 * SQUARE),
    "incongruence": lambda: mismatch(congruence_witness, [[1, 0], [0, 1]], [[1, F(3, 5)], [0, F(4, 5)]]),
    "incongruence-algebraic": lambda: mismatch(congruence_witness, [[1, 0], [0, 1]], TURNED_UNIT),
}
TURNED_UNIT = [[1, sp.sqrt(2) / 2], [0, sp.sqrt(2) / 2]]


@pytest.mark.parametrize("name", CERTIFICATES)
def test_accepted(name):
    certificate = CERTIFICATES[name]()
    report = check_certificate(json.loads(json.dumps(certificate)))
    assert report.accepted, report.reason
    assert report.grade == "EXACT" and report.statement


def places(data, path=()):
    if path not in (("digest",), ("format",), ("version",)):
        yield path, data
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


def variants(value):
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield from (value + 1, value - 1, -value, 0, str(value), None, True)
    elif isinstance(value, str):
        try:
            number = F(value)
        except ValueError:
            yield from (value + "x", "gram-mismatch", "orthogonal-witness")
        else:
            changed = (
                number + 1,
                -number,
                number / 2,
                number + F(1, 1000),
                F(0),
                1 / number if number else F(1),
            )
            yield from map(str, changed)
            yield from (float(number), int(number), value + "0", " " + value, None)
    elif isinstance(value, list):
        yield from (value[:-1], [*value, value[0] if value else "1"], value[::-1], [], {}, None)
    elif isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
        yield {**value, "extra": 1}
        yield from ([], None)


def resealed(certificate, path, value):
    changed = copy.deepcopy(certificate)
    target = changed
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    body = {k: v for k, v in changed.items() if k not in ("format", "version", "kind", "digest")}
    return seal(changed["kind"], **body)


def matrix(part):
    return np.array([F(v) for v in part["values"]], dtype=object).reshape(part["shape"])


def is_orthogonal(q):
    return (q.T.dot(q) == np.eye(q.shape[0], dtype=int)).all()


def is_true(c):
    """The claim of a certificate over the rationals, computed here in another way than in the kernel."""
    x, y = matrix(c["X"]), matrix(c["Y"])
    if c["kind"] == "orthogonal-witness" and "rounding" in c:
        q = matrix(c["Q"])
        residual, defect = F(c["rounding"]["residual"]), F(c["rounding"]["orthogonality"])
        gaps = (q.dot(x) - y, q.T.dot(q) - np.eye(q.shape[0], dtype=int))
        return all(
            sum(g.ravel() ** 2) <= b**2 and b >= 0 for g, b in zip(gaps, (residual, defect), strict=True)
        )
    if c["kind"] == "orthogonal-witness":
        q = matrix(c["Q"])
        sign = sp.Matrix(q).det() if q.size else 1
        product = np.eye(q.shape[0], dtype=int) * F(1)
        for u in reversed(c.get("reflections", [])):
            u = np.array(list(map(F, u)), dtype=object)
            product = product - np.outer(u, u).dot(product) * (2 / sum(u * u))
        right = "reflections" not in c or (product == q).all()
        return is_orthogonal(q) and (q.dot(x) == y).all() and sign == c["determinant"] and right
    if c["kind"] == "gram-mismatch":
        i, j = c["pair"]
        values = (x[:, i].dot(x[:, j]), y[:, i].dot(y[:, j]))
        return values == (F(c["left"]), F(c["right"])) and values[0] != values[1]
    if c["kind"] == "permutation-witness":
        p, tol = c["permutation"], F(c.get("tolerance", 0))
        near = all(sum((x[:, p[j]] - y[:, j]) ** 2) <= tol**2 for j in range(len(p)))
        return sorted(p) == list(range(x.shape[1])) and near and tol >= 0
    if c["kind"] == "multiset-mismatch" and "crowd" in c:
        crowd, near, tol = set(c["crowd"]), set(c["partners"]), F(c["tolerance"])
        found = {i for i in range(x.shape[1]) for j in crowd if sum((x[:, i] - y[:, j]) ** 2) <= tol**2}
        return len(crowd) == len(c["crowd"]) and found <= near and len(near) < len(crowd)
    if c["kind"] == "multiset-mismatch":
        counts = [Counter(map(tuple, m.T.tolist()))[tuple(map(F, c["column"]))] for m in (x, y)]
        return counts == c["counts"] and counts[0] != counts[1]
    if c["kind"] == "congruence-witness":
        q = matrix(c["Q"])
        p = c["permutation"]
        return is_orthogonal(q) and sorted(p) == list(range(x.shape[1])) and (q.dot(x[:, p]) == y).all()
    if c["kind"] == "congruence-mismatch":
        try:
            congruence_witness(x, y)
        except CongruenceMismatch:
            return True
        return False
    raise ValueError(c["kind"])


def root(field):
    """The number that bisection of the interval leads to."""

    def value(t):
        return sum(F(c) * t**k for k, c in enumerate(field["minimal"]))

    low, high = map(F, field["interval"])
    rising = value(low) < 0
    for _ in range(60):
        middle = F(float((low + high) / 2))
        low, high = (middle, high) if (value(middle) < 0) == rising else (low, middle)
    return float(low)


def is_true_over_a_field(c):
    """The claim of a certificate over a larger field, in floats: what is altered here differs visibly."""
    theta = root(c["field"])

    def number(e):
        return sum(float(F(v)) * theta**k for k, v in enumerate(e))

    def floats(part):
        return np.array([number(e) for e in part["values"]]).reshape(part["shape"])

    def close(a, b):
        return bool(np.max(np.abs(np.asarray(a) - np.asarray(b)), initial=0.0) < 1e-9)

    x, y = floats(c["X"]), floats(c["Y"])
    n = x.shape[1]
    if c["kind"] == "orthogonal-witness":
        q = floats(c["Q"])
        return (
            close(q.T @ q, np.eye(len(q))) and close(q @ x, y) and close(np.linalg.det(q), c["determinant"])
        )
    if c["kind"] == "congruence-witness":
        q, p = floats(c["Q"]), c["permutation"]
        return close(q.T @ q, np.eye(len(q))) and sorted(p) == list(range(n)) and close(q @ x[:, p], y)
    if c["kind"] == "permutation-witness":
        return sorted(c["permutation"]) == list(range(n)) and close(x[:, c["permutation"]], y)
    if c["kind"] == "gram-mismatch":
        i, j = c["pair"]
        sides = [m[:, i] @ m[:, j] for m in (x, y)]
        return close(sides, [number(c["left"]), number(c["right"])]) and not close(*sides)
    if c["kind"] == "multiset-mismatch":
        column = np.array([number(e) for e in c["column"]])
        counts = [sum(close(m[:, k], column) for k in range(n)) for m in (x, y)]
        return counts == c["counts"] and counts[0] != counts[1]
    orders = itertools.permutations(range(n))
    return not any(close(x.T @ x, (y.T @ y)[np.ix_(p, p)]) for p in orders)


@pytest.mark.parametrize("name", CERTIFICATES)
def test_altered_ones_are_rejected_or_still_true(name, one_in):
    certificate = CERTIFICATES[name]()
    seen = accepted = 0
    for path, value in list(places(certificate)):
        if not path:
            continue
        for variant in one_in(2, variants(value)):
            if variant == value and type(variant) is type(value):
                continue
            changed = resealed(certificate, path, variant)
            if seen % 10 == 0:  # with the digest of before
                assert not is_accepted({**changed, "digest": certificate["digest"]}), path
            seen += 1
            if is_accepted(changed):
                accepted += 1
                judge = is_true_over_a_field if "field" in certificate else is_true
                assert judge(changed), (path, variant)
    assert seen > 20
    assert accepted < seen / 2


@pytest.mark.parametrize(
    ("kind", "parts", "reason"),
    [
        ("orthogonal-witness", {"Q": 2}, "exactly the keys"),
        ("orthogonal-witness", {}, "exactly the keys"),
        (
            "orthogonal-witness",
            {"Q": {"shape": [1, 1], "values": ["-1"]}, "determinant": -1},
            "Q X is not Y",
        ),
        ("orthogonal-witness", {"Q": {"shape": [1, 1], "values": ["1"]}, "determinant": -1}, "determinant"),
        ("orthogonal-witness", {"Q": {"shape": [1, 1], "values": ["2"]}, "determinant": 1}, "orthogonal"),
        ("gram-mismatch", {"pair": [0, 0], "left": "1", "right": "1"}, "equal"),
        ("gram-mismatch", {"pair": [0, 9], "left": "1", "right": "1"}, "integer"),
        ("gram-mismatch", {"pair": [0], "left": "1", "right": "1"}, "two numbers of columns"),
        ("congruence-mismatch", {"base": [0]}, "not ruled out"),
        ("congruence-mismatch", {"base": []}, "not ruled out"),
        ("multiset-mismatch", {"column": ["1"], "counts": [1, 1]}, "equal"),
        ("multiset-mismatch", {"column": ["5"], "counts": [0, 1]}, "so often"),
        ("permutation-witness", {"permutation": [0, 0]}, "at most"),
    ],
)
def test_false_claims_about_equal_matrices_are_rejected(kind, parts, reason):
    one = {"shape": [1, 1], "values": ["1"]}
    report = check_certificate(seal(kind, X=one, Y=one, **parts))
    assert not report.accepted and reason in report.reason


def test_numbers_that_cannot_be_told_apart_are_no_mismatch():
    """Over a reducible polynomial two names of one number are not taken for two numbers."""
    field = {"minimal": ["0", "-1", "1"], "interval": ["1/2", "2"]}  # t (t - 1): t = 1
    x, y = {"shape": [1, 1], "values": [["0", "1"]]}, {"shape": [1, 1], "values": [["1", "0"]]}
    report = check_certificate(
        seal("gram-mismatch", field=field, X=x, Y=y, pair=[0, 0], left=["0", "1"], right=["1", "0"])
    )
    assert not report.accepted
    report = check_certificate(seal("congruence-mismatch", field=field, X=x, Y=y, base=[]))
    assert not report.accepted


@pytest.mark.parametrize("low", ["-3/2", "1/2"])
def test_a_determinant_over_a_reducible_polynomial_is_that_at_the_root(low):
    """Modulo a prime the two roots of t^2 - 1 cannot be told apart: det diag(t, 1) = t is one of 1 and -1."""
    field = {"minimal": ["-1", "0", "1"], "interval": [low, str(F(low) + 1)]}
    x, y = ({"shape": [2, 1], "values": [v, ["0", "0"]]} for v in (["1", "0"], ["0", "1"]))
    q = {"shape": [2, 2], "values": [["0", "1"], ["0", "0"], ["0", "0"], ["1", "0"]]}
    reports = {
        det: check_certificate(seal("orthogonal-witness", field=field, X=x, Y=y, Q=q, determinant=det))
        for det in (1, -1)
    }
    true = 1 if F(low) > 0 else -1
    assert reports[true].accepted and not reports[-true].accepted
    assert "determinant" in reports[-true].reason


def test_an_interval_with_several_roots_names_no_number():
    """Of t^3 - t between -2 and 2 the inner products 1 and t^2 differ at 0 alone."""
    field = {"minimal": ["0", "-1", "0", "1"], "interval": ["-2", "2"]}
    x, y = ({"shape": [1, 1], "values": [v]} for v in (["1", "0", "0"], ["0", "1", "0"]))
    parts = {"X": x, "Y": y, "pair": [0, 0], "left": ["1", "0", "0"], "right": ["0", "0", "1"]}
    assert "more than one root" in check_certificate(seal("gram-mismatch", field=field, **parts)).reason
    one = {**field, "interval": ["-1/2", "3/4"]}
    assert check_certificate(seal("gram-mismatch", field=one, **parts)).accepted


@pytest.mark.parametrize("size", [1, 2, 3, 7, 12])
def test_the_sign_of_a_determinant(size):
    """Products of reflections in random vectors, and rows in another order; the other sign is rejected."""
    rng = np.random.default_rng(size)
    for count in range(3):
        q = np.array([[F(int(i == j)) for j in range(size)] for i in range(size)], dtype=object)
        for _ in range(count):
            u = np.array([F(int(v)) for v in rng.integers(-9, 10, size)]) + F(1, 3)
            q = q - 2 * np.outer(u, u @ q) / (u @ u)
        parts = {"shape": [size, size], "values": [str(v) for v in q.flat]}
        one = {"shape": [size, size], "values": [str(int(i == j)) for i in range(size) for j in range(size)]}
        for det in (1, -1):
            report = check_certificate(seal("orthogonal-witness", X=one, Y=parts, Q=parts, determinant=det))
            assert report.accepted == (det == (-1) ** count), report.reason


def test_the_kernel_checks_a_large_witness():
    rng = np.random.default_rng(1)
    x = rng.integers(-(2**15), 2**15, (32, 32))
    w = orthogonal_witness(x, x[::-1])
    report = check_certificate(w.certificate)
    assert report.accepted, report.reason
