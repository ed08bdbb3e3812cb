"""Mistakes that people make, on the command line and in calls, each with the message that they get.

The messages stand in ``mistakes.md`` beside this file; EQVPROOF_SNAPSHOTS=write writes them anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eqvproof as ep
from eqvproof.interface.cli import main
from eqvproof.papers.statements import Equivariance
from eqvproof.support.errors import EqvproofError

TABLE = Path(__file__).with_name("mistakes.md")
S = "X: d n -> d n"
O = ("--under", "O(d)")  # noqa: E741

MODEL = """\
import numpy as np
import eqvproof as ep

def layer(X):
    return X @ (X.T @ X)

def pair(X):
    return X, X

def nothing(X):
    pass

def raises(X):
    raise ValueError("no such luck")

def leaves(X):
    raise SystemExit(0)

def two(X, Z):
    return X

number = 3
"""
FILES = {
    "model.py": MODEL,
    "typo.py": "x = (1,\n",
    "divides.py": "x = 1 / 0\n",
    "needs.py": "import not_installed_anywhere\n",
    "declared.py": "import eqvproof as ep\n\n@ep.claim('X: d n > d n', under='O(d)')\ndef f(X): ...\n",
    "paper.py": "x = 1\n",
    "text.txt": "x",
    "broken.json": "{",
}

COMMANDS: dict[str, tuple[str, ...]] = {
    "no command": (),
    "a misspelt command": ("chek", "model:layer", S, *O),
    "an option that is not there": ("check", "model:layer", S, "--unde", "O(d)"),
    "an option without its value": ("check", "model:layer", S, "--under"),
    "no target": ("check",),
    "no group": ("check", "model:layer", S),
    "no signature": ("check", "model:layer", *O),
    "a dot in place of the colon": ("check", "model.layer", S, *O),
    "a folder": ("check", "."),
    "a file that is no Python": ("check", "text.txt", S, *O),
    "a misspelt file": ("check", "modl.py:layer", S, *O),
    "a misspelt module": ("check", "modl:layer", S, *O),
    "a misspelt function": ("check", "model:layr", S, *O),
    "a module that is not installed": ("check", "needs:f", S, *O),
    "a module with a syntax error": ("check", "typo.py:f", S, *O),
    "a module that raises": ("check", "divides.py:f", S, *O),
    "a function that is none": ("check", "model:number", S, *O),
    "nothing is declared": ("check", "model.py"),
    "a declared claim that cannot be read": ("check", "declared.py"),
    "an option of one claim for declared ones": ("check", "declared.py", "--backend", "torch"),
    "a result that is no array": ("check", "model:pair", S, *O),
    "a function without return": ("check", "model:nothing", S, *O),
    "a function that raises": ("check", "model:raises", S, *O),
    "a function that ends the program": ("check", "model:leaves", S, *O),
    "an argument too few": ("check", "model:two", S, *O),
    "the wrong shape": ("check", "model:layer", "X: d n -> n d", *O),
    "a size of no axis": ("check", "model:layer", S, *O, "--size", "k=3"),
    "a size that is none": ("check", "model:layer", S, *O, "--size", "d"),
    "an empty range": ("check", "model:layer", S, *O, "--size", "d=4:3"),
    "a size given twice": ("check", "model:layer", S, *O, "--size", "d=4", "--size", "d=3"),
    "a budget that is none": ("check", "model:layer", S, *O, "--budget", "soon"),
    "a seed that is none": ("check", "model:layer", S, *O, "--seed", "x"),
    "a grade that is none": ("check", "model:layer", S, *O, "--at-least", "PROVE"),
    "a domain that is none": ("check", "model:layer", S, *O, "--domain", "positve"),
    "irreps without a factor": ("check", "model:layer", S, *O, "--reps", "m=1o"),
    "a folder that is not there": ("check", "model:layer", S, *O, "--json", "nowhere/verdict.json"),
    "standard output twice": ("check", "model:layer", S, *O, "--json", "-", "--certificate", "-"),
    "a misspelt statement": ("review", "my23.prop3.1.househoulder"),
    "a source that is not there": ("review", "my24"),
    "a file without statements": ("review", "paper.py"),
    "a file of statements that is not there": ("review", "papr.py"),
    "a limit of processes without processes": ("review", "my23", "--time", "5"),
    "a report that is none": ("review", "my23.attn.permutation", "--changed-since", "broken.json"),
    "a certificate that is none": ("verify", "broken.json"),
    "a certificate that is not there": ("verify", "nowhere.json"),
    "another proof assistant": ("export", "broken.json", "--to", "lean"),
}


def identity(X: Any) -> Any:
    return X


def signature(text: str) -> Callable[[], Any]:
    return lambda: ep.check(identity, text, "O(d)")


def group(text: Any, claimed: str = S, **options: Any) -> Callable[[], Any]:
    return lambda: ep.check(identity, claimed, text, **options)


CALLS: dict[str, Callable[[], Any]] = {
    "a signature without an arrow": signature("X: d n"),
    "an arrow of one sign": signature("X: d n > d n"),
    "an argument without a name": signature("d n -> d n"),
    "axes in brackets": signature("X: (d, n) -> d n"),
    "a comma between axes": signature("X: d, n -> d n"),
    "a name twice": signature("X: d n, X: d -> d"),
    "an axis that is not known": signature("X: d n -> d m+1"),
    "a size of nothing": signature("X: 0 n -> n"),
    "an index of no axis": signature("E[k]: 2 m, X: d n -> d n"),
    "two marks": signature("X: d!^ n -> d n"),
    "no signature": lambda: ep.check(identity, None, "O(d)"),
    "no group": group(None),
    "a bracket that is not closed": group("O(d"),
    "a group without an axis": group("O"),
    "two groups without x": group("O(d) S(n)"),
    "a group that is not known": group("Q(d)"),
    "a small letter": group("o(d)"),
    "an axis of another name": group("O(k)"),
    "two groups on one axis": group("O(d) x SO(d)"),
    "a size in two meanings": group("O(3)", "X: 3 d -> d 3"),
    "a group on an argument": group("O(X)"),
    "a group on an axis that is marked": group("O(d)", "X: d! n -> d! n"),
    "a representation of another group": group("O(d)", "X: m d -> m", reps={"m": ("SO(d)", "1o")}),
    "a representation that is none": group("O(d)", "X: m d -> m", reps={"m": 3.5}),
    "irreps that are none": group("O(d)", "X: m d -> m", reps={"m": ("O(d)", "1x")}),
    "sizes that are no dict": group("O(d)", sizes=3),
    "a size below 1": group("O(d)", sizes={"d": 0}),
    "a size of no axis in a call": group("O(d)", sizes={"k": 3}),
    "about something else": group("S(n)", about="ints"),
    "a backend that is none": group("O(d)", backend="tensorflow"),
    "a budget of nothing": group("O(d)", budget=0),
    "a seed that is no integer": group("O(d)", seed="a"),
    "a domain that is none": group("O(d)", domain=3),
    "an executor that is none": group("O(d)", executor=3),
    "a function that is none": lambda: ep.check(3, S, "O(d)"),
    "a verdict as a truth value": lambda: bool(ep.prove(identity, S, "O(d)")),
    "a reflection in 0": lambda: ep.householder([0, 0]),
    "matrices of different shapes": lambda: ep.orthogonal_witness([[1, 2]], [[1], [2]]),
    "different inner products": lambda: ep.orthogonal_witness([[1, 0], [0, 1]], [[1, 1], [0, 1]]),
    "different columns": lambda: ep.permutation_witness([[1, 2]], [[1, 3]]),
    "a text in a matrix": lambda: ep.gram([[1, 2], [3, "a"]]),
    "nan in a matrix": lambda: ep.gram([[1.0, float("nan")]]),
    "a ragged matrix": lambda: ep.gram([[1, 2], [3]]),
    "a certificate that is none": lambda: ep.verify("{"),
    "a statement without an id": lambda: ep.Proposition(
        id="not an id", place="1", printed="p", claim=Equivariance(identity, S, "O(d)")
    ),
    "a statement without a claim": lambda: ep.Proposition(
        id="a.b", place="1", printed="p", claim=identity
    ),
    "a review of something else": lambda: ep.review(3),
    "a row that is not there": lambda: ep.Review(())["a"],
    "a claim above a number": lambda: ep.claim(S, under="O(d)")(3),
    "a test that fails to name its group": lambda: ep.testing.assert_equivariant(
        identity, S, "O(k)"
    ),
}


def said(arguments: tuple[str, ...]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main(arguments) == 2, err.getvalue()
    assert out.getvalue() == ""
    return err.getvalue().strip()


def raised(call: Callable[[], Any]) -> str:
    with pytest.raises(EqvproofError) as caught:
        call()
    return str(caught.value)


def require_whole(text: str) -> None:
    """What was given, what was expected, what to try; one paragraph, of a length that is read."""
    assert "\n  try: " in text and "\n  expected: " in text
    assert "\n  given: " in text or "^" in text
    assert "\n\n" not in text and len(text) < 1000
    assert "Traceback" not in text and "defect" not in text and "internal" not in text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, folder: Path) -> None:
    text = said(COMMANDS[name]).replace(str(folder), ".")
    require_whole(text)
    compare("Command: " + name, text)


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    text = raised(CALLS[name])
    require_whole(text)
    compare("Call: " + name, text)


def compare(name: str, text: str) -> None:
    table = TABLE.read_text(encoding="utf-8")
    known = dict(re.findall(r"^## ([^\n]+)\n\n```text\n(.*?)\n```$", table, re.M | re.S))
    if os.environ.get("EQVPROOF_SNAPSHOTS") == "write":
        known[name] = text
        names = [f"Command: {n}" for n in COMMANDS] + [f"Call: {n}" for n in CALLS]
        parts = [f"## {n}\n\n```text\n{known[n]}\n```\n" for n in names if n in known]
        TABLE.write_text(
            "# Mistakes and what is said of them\n\n" + "\n".join(parts), encoding="utf-8"
        )
    assert known.get(name) == text


def test_there_are_enough() -> None:
    assert len(COMMANDS) + len(CALLS) >= 51
