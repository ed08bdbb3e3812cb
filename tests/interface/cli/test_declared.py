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


def test_the_claims_of_a_file(eqvproof, package):
    done = eqvproof("check", "net/layers.py", "--at-least", "PROVED")
    assert done.status == 0, done.err
    assert "3 claims: 3 PROVED" in done.out
    names = [line.split()[0] for line in done.out.splitlines()[:3]]
    assert names == ["net/layers.py:gram"] * 2 + ["net/layers.py:Layer.pool"]
    (package / "more.py").write_text(WRONG)
    assert eqvproof("check", "more.py").status == 1
    assert eqvproof("check", "more.py:gram", "--explain").out.count("QED") == 2


def test_one_claim_that_ends_the_process_leaves_the_others(eqvproof, package):
    (package / "ends.py").write_text(
        LAYERS + "@ep.claim('X: d n -> d n', under='O(d)', budget=2)\ndef ends(X):\n"
        "    import os\n    os.kill(os.getppid(), 9)\n    os.kill(os.getpid(), 9)\n"
        "@ep.claim('X: d n -> d n', under='O(d)')\ndef after(X):\n    return X\n"
    )
    done = eqvproof("check", "ends.py", "--json", "-")
    rows = {row["target"]: row["outcome"] for row in json.loads(done.out)["claims"]}
    assert done.status == 3
    assert rows == {
        "ends.py:gram": "HOLDS",
        "ends.py:Layer.pool": "HOLDS",
        "ends.py:ends": "UNDECIDED",
        "ends.py:after": "HOLDS",
    }


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("models",), "no claim is declared there"),
        (("models:gram",), "no claim is declared there"),
        (("nowhere",), "no module"),
        (("models:gram", "X: d n -> d n"), "--under is missing"),
        (("models:gram", "--under", "O(d)"), "SIGNATURE is missing"),
        (("net", "--certificate", "c.json"), "--certificate: for one claim only"),
        (("net", "--size", "d=3", "--about", "floats"), "--size and --about"),
    ],
)
def test_bad_input(eqvproof, package, arguments, word):
    done = eqvproof("check", *arguments)
    assert done.status == 2 and word in done.err and "Traceback" not in done.err
