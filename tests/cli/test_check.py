"""``eqvproof check``, run as a user runs it."""

from __future__ import annotations

import json

import pytest

SIGNATURE = "X: d n -> d n"


def test_holds(eqvproof):
    done = eqvproof("check", "models:gram", SIGNATURE, "--under", "O(d) x S(n)")
    assert done.status == 0
    assert done.out.startswith("HOLDS, PROVED: ")
    assert "\x1b" not in done.out + done.err


def test_fails(eqvproof):
    done = eqvproof("check", "models:relu", SIGNATURE, "--under", "O(d)")
    assert done.status == 1
    assert done.out.startswith("FAILS, EXACT: ")
    assert "f(g x)" in done.out


def test_undecided(eqvproof):
    done = eqvproof("check", "models:noisy", SIGNATURE, "--under", "O(d)", "--budget", "2")
    assert done.status in (1, 3)
    assert not done.out.startswith("HOLDS")


def test_json_on_standard_output_is_alone_there(eqvproof):
    done = eqvproof("check", "models:relu", SIGNATURE, "--under", "O(d)", "--json", "-")
    assert done.status == 1
    data = json.loads(done.out)
    assert {"outcome", "grade", "scope", "signature", "under", "sizes", "counterexample", "seconds"} <= set(
        data
    )
    assert (data["outcome"], data["grade"], data["under"]) == ("FAILS", "EXACT", "O(d)")
    assert data["counterexample"]["inputs"]["X"]
    assert "a word at import" in done.err


def test_json_of_a_proof(eqvproof, folder):
    done = eqvproof("check", "models:gram", SIGNATURE, "--under", "O(d)", "--json", "verdict.json")
    assert done.status == 0
    assert done.out.startswith("HOLDS")
    data = json.loads((folder / "verdict.json").read_text())
    assert data["counterexample"] is None
    assert data["sizes"] == [{"d": "all", "n": "all"}]
    assert data["derivation"]
    assert data["target"] == "models:gram"


def test_certificate_is_accepted(eqvproof, folder):
    done = eqvproof("check", "models:gram", SIGNATURE, "--under", "O(d)", "--certificate", "c.json")
    assert done.status == 0
    assert eqvproof("verify", "c.json").status == 0
    assert [p.name for p in folder.glob(".c.json*")] == []


def test_certificate_to_standard_output(eqvproof):
    done = eqvproof("check", "models:relu", SIGNATURE, "--under", "O(d)", "--certificate", "-")
    assert done.status == 1
    assert json.loads(done.out)["kind"] == "counterexample"
    assert eqvproof("verify", "-", input=done.out).status == 0


def test_no_certificate_is_said(eqvproof, folder):
    done = eqvproof(
        "check", "models:noisy", SIGNATURE, "--under", "O(d)", "--certificate", "c.json", "--budget", "2"
    )
    assert "no certificate was written" in done.err
    assert not (folder / "c.json").exists()


def test_sizes(eqvproof):
    done = eqvproof(
        "check",
        "models:relu",
        SIGNATURE,
        "--under",
        "O(d)",
        "--size",
        "d=3",
        "--size",
        "n=2:4",
        "--json",
        "-",
    )
    assert json.loads(done.out)["counterexample"]["sizes"] == {"d": 3, "n": 2}


def test_method_of_a_class(eqvproof):
    assert eqvproof("check", "models:Layer.forward", SIGNATURE, "--under", "O(d)").status == 0


def test_equal_seeds_equal_verdicts(eqvproof):
    command = ("check", "models:relu", SIGNATURE, "--under", "O(d)", "--seed", "7")
    assert eqvproof(*command).out == eqvproof(*command).out


BAD = {
    "no colon": (["models.gram", SIGNATURE], "models:gram"),
    "a file": (["models.py:gram", SIGNATURE], "models:gram"),
    "no such module": (["modls:gram", SIGNATURE], "no module 'modls'"),
    "no such submodule": (["models.sub:gram", SIGNATURE], "models"),
    "no such function": (["models:gramm", SIGNATURE], "gram"),
    "not a function": (["models:number", SIGNATURE], "not a function"),
    "a module": (["models:np", SIGNATURE], "module"),
    "syntax error": (["broken:f", SIGNATURE], "broken.py, line 1"),
    "error at import": (["crashes:f", SIGNATURE], "ZeroDivisionError"),
    "exit at import": (["leaves:f", SIGNATURE], "SystemExit"),
    "missing dependency": (["needs:f", SIGNATURE], "not_installed_anywhere"),
    "no arrow": (["models:gram", "X: d n"], "->"),
    "misspelt axis": (["models:gram", "X: d n -> d m+1"], "'m'"),
    "empty signature": (["models:gram", ""], "signature"),
    "unknown group": (["models:gram", SIGNATURE, "--under", "Q(d)"], "Q"),
    "group without axis": (["models:gram", SIGNATURE, "--under", "O(k)"], "k"),
    "group of another family": (["models:gram", SIGNATURE, "--under", "U(d)"], "no family of groups"),
    "too few arguments": (["models:two", SIGNATURE], "argument"),
    "too many arguments": (["models:gram", "X: d n, Z: d k -> d n"], "argument"),
    "returns None": (["models:returns_none", SIGNATURE], "None"),
    "returns a pair": (["models:returns_pair", SIGNATURE], "tuple"),
    "raises": (["models:raises", SIGNATURE], "no such luck"),
    "exits": (["models:leaves", SIGNATURE], "exit"),
    "exits sometimes": (["models:leaves_at_large_sizes", SIGNATURE], "exit"),
    "wrong shape": (["models:wrong_shape", SIGNATURE], "shape"),
    "unknown axis in a size": (["models:gram", SIGNATURE, "--size", "k=3"], "k"),
    "size zero": (["models:gram", SIGNATURE, "--size", "d=0"], "d=0"),
    "size without number": (["models:gram", SIGNATURE, "--size", "d"], "'d'"),
    "empty range": (["models:gram", SIGNATURE, "--size", "d=4:3"], "smaller"),
    "size twice": (["models:gram", SIGNATURE, "--size", "d=4", "--size", "d=3"], "twice"),
    "no budget": (["models:gram", SIGNATURE, "--budget", "0"], "seconds"),
    "nan budget": (["models:gram", SIGNATURE, "--budget", "nan"], "seconds"),
    "seed": (["models:gram", SIGNATURE, "--seed", "x"], "--seed"),
    "no folder": (["models:gram", SIGNATURE, "--json", "nowhere/x.json"], "nowhere"),
    "a folder": (["models:gram", SIGNATURE, "--json", "."], "folder"),
    "no name": (["models:gram", SIGNATURE, "--certificate", ""], "--certificate"),
    "both standard": (["models:gram", SIGNATURE, "--json", "-", "--certificate", "-"], "standard output"),
    "unknown option": (["models:gram", SIGNATURE, "--unde", "O(d)"], "--unde"),
}


@pytest.mark.parametrize(("arguments", "says"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_paragraph_and_status_2(eqvproof, arguments, says):
    under = [] if "--under" in arguments else ["--under", "O(d)"]
    done = eqvproof("check", *arguments, *under)
    assert done.status == 2, done
    assert done.out == ""
    error = done.err.replace("a word at import\n", "")
    assert says in error
    assert "Traceback" not in error
    assert "defect of eqvproof" not in error
    assert "\n\n" not in error.strip()
    assert len(error) < 1500


def test_no_group(eqvproof):
    done = eqvproof("check", "models:gram", SIGNATURE)
    assert (done.status, done.out) == (2, "")
    assert "--under" in done.err


@pytest.mark.parametrize("group", ["O(d)", "S(n)", "Signs(d)"])
def test_nan_never_holds(eqvproof, group):
    done = eqvproof("check", "models:nan", SIGNATURE, "--under", group, "--budget", "2", "--json", "-")
    assert done.status in (1, 2, 3)
    assert "HOLDS" not in done.out
