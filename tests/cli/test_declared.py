"""``eqvproof check pkg.mod``: the claims of a module, of a package, of one function."""

from __future__ import annotations

import json

import pytest

LAYERS = """\
import numpy as np
import eqvproof as ep

@ep.claim("X: d n -> d n", under="O(d)")
@ep.claim("X: d n -> d n", under="S(n)")
def gram(X):
    return X @ (X.T @ X)

class Layer:
    @staticmethod
    @ep.claim("X: n c -> c", under="S(n)")
    def pool(X):
        return X.sum(0)
"""
WRONG = (
    LAYERS
    + """
@ep.claim("X: d n -> d n", under="O(d)")
def relu(X):
    return np.maximum(X, 0)
"""
)


@pytest.fixture
def package(folder):
    (folder / "net").mkdir()
    (folder / "net" / "__init__.py").write_text("from net.layers import gram\n")
    (folder / "net" / "layers.py").write_text(LAYERS)
    (folder / "net" / "__main__.py").write_text("raise SystemExit('never imported')\n")
    return folder


def test_a_package_whose_claims_hold(eqvproof, package):
    done = eqvproof("check", "net")
    assert done.status == 0, done.err
    assert "3 claims: 3 PROVED" in done.out
    assert [line.split()[0] for line in done.out.splitlines()[:3]] == ["net.layers:gram"] * 2 + [
        "net.layers:Layer.pool"
    ]


def test_a_claim_that_fails(eqvproof, package):
    (package / "net" / "more.py").write_text(WRONG)
    done = eqvproof("check", "net.more")
    assert done.status == 1
    assert "4 claims: 3 PROVED, 1 FAILS EXACT" in done.out and "X = [[1]]" in done.out


def test_the_claims_of_one_function(eqvproof, package):
    done = eqvproof("check", "net.layers:gram", "--json", "-")
    assert done.status == 0
    assert [row["under"] for row in json.loads(done.out)["claims"]] == ["O(d)", "S(n)"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("models",), "no claim stands there"),
        (("models:gram",), "no claim stands there"),
        (("nowhere",), "no module"),
        (("models:gram", "X: d n -> d n"), "--under is missing"),
        (("models:gram", "--under", "O(d)"), "SIGNATURE is missing"),
        (("net", "--certificate", "c.json"), "go with one claim"),
    ],
)
def test_bad_input(eqvproof, package, arguments, word):
    done = eqvproof("check", *arguments)
    assert done.status == 2 and word in done.err and "Traceback" not in done.err
