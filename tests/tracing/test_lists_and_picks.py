"""Lists of traced numbers, masks without axes, and constants that become arrays of results."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep

TABLE = np.arange(3.0)


def rows_in_brackets(X):  # type: ignore[no-untyped-def]
    norms = np.linalg.norm(X, axis=1)
    return np.r_[[norms], [2 * norms]].max(axis=0)


def columns_in_brackets(v):  # type: ignore[no-untyped-def]
    skew = np.c_[[0.0, v[2], -v[1]], [-v[2], 0.0, v[0]], [v[1], -v[0], 0.0]]
    return np.r_[np.c_[skew, [v[0], v[1], v[2]]], [[v[0], v[1], v[2], 0.0]]][:3, 3]


def polygon_area(P):  # type: ignore[no-untyped-def]
    points = P.tolist()
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x * w - y * z for (x, y), (z, w) in pairs) / 2


def lists_are_copies(P):  # type: ignore[no-untyped-def]
    rows = P.tolist()
    rows[0][0] = 0.0
    Q = P.copy()
    Q[0, 0] = 5.0
    return (P * np.array(P.tolist())).sum() + 0 * Q.sum()


def written_list_is_used(P):  # type: ignore[no-untyped-def]
    rows = P.tolist()
    rows[0][0] = 0.0
    return (np.array(rows) ** 2).sum()


def weighted_picks(X):  # type: ignore[no-untyped-def]
    return (X.sum() * X[X > 0]).sum() + (X.max() - X[X > 0]).sum()


def unfilled(v):  # type: ignore[no-untyped-def]
    size = np.asarray((v * v).sum())
    found, small = np.empty_like(size), size < 1e-3
    found[~small] = 1 / size[~small]
    found[small] = 0.0
    return found


def partly_unfilled(v):  # type: ignore[no-untyped-def]
    size = np.asarray(v[0])
    found, small = np.empty_like(size), size < 0
    found[~small] = size[~small]
    found[small] = -size[small]
    return found


def no_entry_is_none(X):  # type: ignore[no-untyped-def]
    missing = np.any(np.equal(X, None)) or np.any(X == np.array(None)) or X.tolist().count(None)
    return X.sum() if not missing and np.all(np.not_equal(None, X)) else X[0]


def none_into_a_buffer(X):  # type: ignore[no-untyped-def]
    found = X > 0
    np.equal(X, None, out=found)
    return found.sum() + X.sum()


def into_zeros_of_a_constant(X):  # type: ignore[no-untyped-def]
    found, seen = np.zeros_like(TABLE), np.empty_like(TABLE)
    for k in range(3):
        found[k], seen[k] = X[k] ** 2, X[k]
    return found + seen


def by_position(X):  # type: ignore[no-untyped-def]
    found = np.ones_like(TABLE)
    found[0] = X[0]
    return found


def picked_by_a_constant(X):  # type: ignore[no-untyped-def]
    ones = np.ones_like(TABLE)
    return TABLE[ones > 0].sum() * X


CLAIMS = [
    (rows_in_brackets, "X: n d -> n", "O(d) x S(n)", {}, "PROVED"),
    (rows_in_brackets, "X: n d -> n", "T(d)", {}, "FAILS"),
    (columns_in_brackets, "v: 3 -> 3", "O(3)", {}, "PROVED"),
    (columns_in_brackets, "v: 3 -> 3", "T(3)", {}, "PROVED"),
    (polygon_area, "P: n 2 -> ()", "SO(2) x C(n)", {"n": 4}, "DECIDED"),
    (polygon_area, "P: n 2 -> ()", "S(n)", {"n": 4}, "FAILS"),
    (lists_are_copies, "P: n 2 -> ()", "O(2)", {"n": 3}, "DECIDED"),
    (written_list_is_used, "P: n 2 -> ()", "S(n)", {"n": 3}, "FAILS"),
    (weighted_picks, "X: n -> ()", "S(n)", {}, "PROVED"),
    (weighted_picks, "X: n -> ()", "Signs(n)", {}, "FAILS"),
    (unfilled, "v: 3 -> ()", "O(3)", {}, "PROVED"),
    (partly_unfilled, "v: 3 -> ()", "S(3)", {}, "FAILS"),
    (no_entry_is_none, "X: n -> ()", "S(n)", {"n": 3}, "DECIDED"),
    (into_zeros_of_a_constant, "X: 3 -> 3", "S(3)", {}, "PROVED"),
    (by_position, "X: 3 -> 3", "S(3)", {}, "FAILS"),
    (picked_by_a_constant, "X: 3 d -> 3 d", "O(d) x S(3)", {}, "PROVED"),
]  # fmt: skip
GRADES = {"PROVED": ("PROVED",), "DECIDED": ("PROVED", "DECIDED"), "FAILS": ("EXACT", "ENCLOSED")}


@pytest.mark.parametrize(
    ("f", "signature", "group", "sizes", "expected"),
    CLAIMS,
    ids=[f"{f.__name__} {group}" for f, _, group, *_ in CLAIMS],
)
def test_claims(f, signature, group, sizes, expected):  # type: ignore[no-untyped-def]
    verdict = ep.check(f, signature, under=group, sizes=sizes or None)
    assert verdict.grade in GRADES[expected], verdict
    assert verdict.fails == (expected == "FAILS")
    assert ep.verify(verdict.certificate).accepted


def test_a_comparison_with_none_into_an_array_is_refused() -> None:
    assert ep.prove(none_into_a_buffer, "X: n -> ()", "S(n)").outcome == "UNDECIDED"


@pytest.mark.parametrize("seed", range(6))
def test_lists_of_random_arrays_are_those_of_numpy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 4, size=rng.integers(1, 4)))
    weights = rng.integers(-3, 4, size=shape)

    def total(values: object, factors: object) -> object:
        if isinstance(factors, list):
            return sum(total(v, w) for v, w in zip(values, factors, strict=True))  # type: ignore[call-overload]
        return values * factors  # type: ignore[operator]

    def difference(X):  # type: ignore[no-untyped-def]
        return total(X.tolist(), weights.tolist()) - (X * weights).sum()

    names = " ".join([*(f"{size}^" for size in shape[:-1]), str(shape[-1])])
    claim = ep.check(difference, f"X: {names} -> ()", under=f"T({shape[-1]})")
    assert claim.holds
    assert claim.grade in ("PROVED", "DECIDED")
