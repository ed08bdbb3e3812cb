"""``eqvproof check``, run as a user runs it."""

from __future__ import annotations

import json
import time

import pytest

from eqvproof.interface.cli import main, supervised

SIGNATURE = "X: d n -> d n"


def test_holds(eqvproof):
    done = eqvproof("check", "models:gram", SIGNATURE, "--under", "O(d) x S(n)")
    assert done.status == 0
    assert done.out.startswith("HOLDS, PROVED: ")
    assert "\x1b" not in done.out + done.err


def test_fails(eqvproof_program):
    done = eqvproof_program("check", "models:relu", SIGNATURE, "--under", "O(d)")
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
    assert {
        "outcome",
        "grade",
        "scope",
        "signature",
        "under",
        "sizes",
        "counterexample",
        "seconds",
    } <= set(data)
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
        "check",
        "models:noisy",
        SIGNATURE,
        "--under",
        "O(d)",
        "--certificate",
        "c.json",
        "--budget",
        "2",
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


def test_explained(eqvproof):
    done = eqvproof("check", "models:relu", SIGNATURE, "--under", "O(d)", "--explain")
    assert done.status == 1
    for words in (
        "FAILS, EXACT: at d = 1, n = 1",
        "f(g x) = g f(x) for every g in O(d)",
        "  X = [1]\n",
        "sha256:",
    ):
        assert words in done.out
    proof = eqvproof("check", "models:gram", SIGNATURE, "--under", "O(d)", "--explain").out
    assert "Proof:\n  Under O(d): let Q be an orthogonal matrix" in proof


def test_options_of_the_call(eqvproof, folder):
    (folder / "own.py").write_text(
        "def positive(inputs):\n    return all((v > 0).all() for v in inputs.values())\n"
        "def square(g):\n    return g @ g\n"
        "def relu(X):\n    return X * (X > 0)\n"
        "def last(X):\n    return X.sum(1)\n"
    )
    claim = ("check", "own.py:relu", "x: n -> n", "--under", "Signs(n)")
    assert eqvproof(*claim).status == 1
    assert (
        eqvproof(
            "check", "own.py:relu", "x: n -> n", "--under", "S(n)", "--domain", "positive"
        ).status
        == 0
    )
    scaled = (
        "check",
        "own:relu",
        "x: n -> n",
        "--under",
        "Scale(n)",
        "--domain",
        "own.py:positive",
    )
    assert eqvproof(*scaled).status == 0
    floats = ("check", "own:last", "X: d n -> d", "--under", "S(n)")
    assert eqvproof(*floats).status == 0
    assert eqvproof(*floats, "--about", "floats").status == 1
    reps = eqvproof(
        "check",
        "own:last",
        "X: m n -> m",
        "--under",
        "O(d)",
        "--reps",
        "m=O(d):2x1o",
        "--json",
        "-",
    )
    assert (reps.status, json.loads(reps.out)["grade"]) == (0, "PROVED")
    rho = (
        "check",
        "own:last",
        "X: m n, v: d -> m",
        "--under",
        "O(d)",
        "--reps",
        "m=O(d):own.py:square",
    )
    assert eqvproof(*rho).status == 2
    torch = eqvproof(
        "check", "own:last", "X: d n -> d", "--under", "S(n)", "--backend", "numpy", "--seed", "3"
    )
    assert torch.status == 0


@pytest.mark.parametrize(
    ("function", "floor", "status"),
    [
        ("gram", "PROVED", 0),
        ("gram", "TESTED", 0),
        ("relu", "TESTED", 1),
        ("hidden", "TESTED", 0),
        ("hidden", "DECIDED", 3),
    ],
)
def test_a_floor_on_the_grade(eqvproof, folder, function, floor, status):
    """What is only tested is too weak for a floor above."""
    hidden = "import numpy as np\ndef hidden(X):\n    return np.frombuffer(X.tobytes()).reshape(X.shape)\n"
    (folder / "models.py").write_text((folder / "models.py").read_text() + "\n" + hidden)
    done = eqvproof(
        "check",
        f"models:{function}",
        SIGNATURE,
        "--under",
        "S(n)" if function == "hidden" else "O(d)",
        "--at-least",
        floor,
        "--budget",
        "5",
    )
    assert done.status == status, done
    assert ("the claim holds, but only TESTED, not DECIDED" in done.err) == (status == 3)


def test_files(eqvproof, folder):
    """A file is imported as itself, whatever its name, and a file of a package as its module."""
    (folder / "sub").mkdir()
    (folder / "sub" / "types.py").write_text("def f(X):\n    return X\n")
    (folder / "pack" / "inner").mkdir(parents=True)
    for name in ("pack", "pack/inner"):
        (folder / name / "__init__.py").write_text("")
    (folder / "pack" / "base.py").write_text("def g(X):\n    return 2 * X\n")
    (folder / "pack" / "inner" / "mod.py").write_text(
        "from ..base import g\ndef f(X):\n    return g(X)\n"
    )
    for target in (
        "sub/types.py:f",
        "pack/inner/mod.py:f",
        str(folder / "pack" / "inner" / "mod.py:f"),
        "./sub/types.py:f",
    ):
        assert eqvproof("check", target, SIGNATURE, "--under", "O(d)").status == 0


PRINTS = """\
import os, sys
print("at import")
def says(X):
    print("called")
    print("to the error stream", file=sys.stderr)
    os.write(1, b"below Python\\n")
    return X
def counts(X, n=[0]):
    n[0] += 1
    for i in range(300):
        print("line", i)
    return X
"""


def test_what_a_target_prints_appears_once(eqvproof, folder):
    (folder / "prints.py").write_text(PRINTS)
    done = eqvproof(
        "check", "prints.py:says", SIGNATURE, "--under", "O(d)", "--budget", "2", "--json", "-"
    )
    assert json.loads(done.out)["outcome"]
    assert sorted(done.err.splitlines()) == [
        "at import",
        "below Python",
        "called",
        "to the error stream",
    ]
    flood = eqvproof(
        "check", "prints.py:counts", SIGNATURE, "--under", "O(d)", "--budget", "2"
    ).err.splitlines()
    assert len(flood) == 101 and flood[-1].endswith("more lines of the target's output)")


#: To every stream that is open, the one of the answers among them.
WRITES = """\
import os
for stream in range(3, 64):
    try:
        os.write(stream, b'3\\n{"outcome": "HOLDS"}\\n{')
    except OSError:
        pass
"""


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("import os\nos._exit(0)\n", 2, "ended with status 0 before there was an answer"),
        ("import os\nos._exit(1)\n", 2, "ended with status 1"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", 2, "ended by signal 9"),
        ("import sys\nsys.stdin.read()\ninput()\n", 2, "EOFError"),
        ("def f(X):\n    import os\n    os._exit(0)\n", 3, "ended with status 0"),
        (
            "import os\ndef f(X):\n    os.kill(os.getppid(), 9)\n    os.kill(os.getpid(), 9)\n",
            3,
            "ended by signal 9",
        ),
        ("def f(X):\n    import os\n    os.fork()\n    return X\n", None, ""),
        ("def f(X):\n    while True: pass\n", 3, "UNDECIDED"),
        ("import os\nos.close(1)\ndef f(X):\n    return X\n", 0, "HOLDS"),
        ("import sys\nsys.stdout = None\ndef f(X):\n    return X\n", 0, "HOLDS"),
        ("def f(X):\n    raise KeyboardInterrupt\n", 2, "the target ended the program (KeyboardInterrupt)"),
        ("import os\nos.closerange(3, 256)\ndef f(X):\n    return X\n", 2, "ended with status 1"),
        (WRITES + "def f(X):\n    return X\n", 0, "HOLDS"),
        ("import warnings\nwarnings.simplefilter('error')\ndef f(X):\n    return X\n", 0, "HOLDS"),
    ],
)  # fmt: skip
def test_no_target_chooses_the_answer(eqvproof, folder, text, status, says):
    (folder / "bad.py").write_text(text)
    done = eqvproof("check", "bad.py:f", SIGNATURE, "--under", "O(d)", "--budget", "2")
    assert status is None or done.status == status, done
    assert says in done.out + done.err and "Traceback" not in done.err


def test_no_answer_is_written_into_a_file_of_the_target(eqvproof_program, folder):
    (folder / "opens.py").write_text(
        "import os\nos.closerange(3, 256)\nown = open('own.txt', 'w')\ndef f(X):\n    return X\n"
    )
    assert (
        eqvproof_program(
            "check", "opens.py:f", SIGNATURE, "--under", "O(d)", "--budget", "2"
        ).status
        == 2
    )
    assert (folder / "own.txt").read_text() == ""


def test_a_thread_of_the_target_is_not_waited_for(eqvproof_program, folder):
    """Its answer is there long before its process has ended."""
    (folder / "threads.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(100,)).start()\n"
        "def f(X):\n    return X\n"
    )
    begun = time.monotonic()
    done = eqvproof_program("check", "threads.py:f", SIGNATURE, "--under", "O(d)", "--budget", "60")
    assert done.status == 0
    assert time.monotonic() - begun < 60


#: A call into compiled code, where no signal is heard and no copy of the process can be made.
ENDLESS = "import os\ndel os.fork\ndef f(x):\n    return x + sum(range(10**15))\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("while True: pass\n", 2, "cannot be imported: its process was ended after 3 seconds"),
        (
            ENDLESS,
            3,
            "UNDECIDED: [x: n -> n] under S(n).\nReason: the process of the target was ended after 4 seconds",
        ),
    ],
)
def test_time_is_kept_where_nothing_else_helps(folder, text, status, says, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(supervised, "IMPORT", 60.0 if "def" in text else 3.0)
    monkeypatch.setattr(supervised, "GRACE", 3.0)
    (folder / "ends_never.py").write_text(text)
    assert (
        main(["check", "ends_never.py:f", "x: n -> n", "--under", "S(n)", "--budget", "1"])
        == status
    )
    told = capsys.readouterr()
    assert says in told.out + told.err


def test_method_of_a_class(eqvproof):
    assert eqvproof("check", "models:Layer.forward", SIGNATURE, "--under", "O(d)").status == 0


def test_equal_seeds_equal_verdicts(eqvproof):
    command = ("check", "models:relu", SIGNATURE, "--under", "O(d)", "--seed", "7")
    assert eqvproof(*command).out == eqvproof(*command).out


BAD = {
    "no colon": (["models.gram", SIGNATURE], "try: models:gram"),
    "no function of a file": (["models.py", SIGNATURE], "try: models.py:f"),
    "no such file": (["model.py:gram", SIGNATURE], "did you mean models.py?"),
    "a folder": ([".", SIGNATURE], "the target is a folder"),
    "two colons": (["models:Layer:forward", SIGNATURE], "one colon"),
    "no such domain": (["models:gram", SIGNATURE, "--domain", "positve"], "full_column_rank"),
    "no representation": (["models:gram", SIGNATURE, "--reps", "m=O(d)"], "AXIS=FACTOR:IRREPS"),
    "no backend": (
        ["models:gram", SIGNATURE, "--backend", "tensorflow"],
        "one of numpy, torch, jax",
    ),
    "no grade": (["models:gram", SIGNATURE, "--at-least", "EXACT"], "PROVED"),
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
    "group of another family": (
        ["models:gram", SIGNATURE, "--under", "Qrt(d)"],
        "no family of groups",
    ),
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
    "a folder to write": (["models:gram", SIGNATURE, "--json", "."], "folder"),
    "no name": (["models:gram", SIGNATURE, "--certificate", ""], "--certificate"),
    "both standard": (
        ["models:gram", SIGNATURE, "--json", "-", "--certificate", "-"],
        "standard output",
    ),
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
    assert "\n  expected: " in error and "\n  try: " in error
    assert len(error) < 1500


def test_no_group(eqvproof):
    done = eqvproof("check", "models:gram", SIGNATURE)
    assert (done.status, done.out) == (2, "")
    assert "--under" in done.err


@pytest.mark.parametrize("group", ["O(d)", "S(n)", "Signs(d)"])
def test_nan_never_holds(eqvproof, group):
    done = eqvproof(
        "check", "models:nan", SIGNATURE, "--under", group, "--budget", "2", "--json", "-"
    )
    assert done.status in (1, 2, 3)
    assert "HOLDS" not in done.out


def test_what_a_user_writes_is_no_part_of_the_expected_values(eqvproof):
    done = eqvproof("check", "models:relu", SIGNATURE, "--under", "O(d)", "--size", "d; expected 3")
    assert done.status == 2
    assert "'d; expected 3' is not a size\n" in done.err
    assert "\n  expected: AXIS=SIZE or AXIS=FIRST:LAST" in done.err
