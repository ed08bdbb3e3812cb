"""Mistakes with ``python -m eqvproof.testing`` and with the options of the pytest plugin."""

from __future__ import annotations

from pathlib import Path

import pytest

from eqvproof.interface.testing.declared import main

GOOD = (
    "import eqvproof as ep\n\n@ep.claim('X: d n -> d n', under='O(d)')\ndef f(X):\n    return X\n"
)
BARE = GOOD.replace("('X: d n -> d n', under='O(d)')", "")
FILES = {"good.py": GOOD, "bare.py": BARE, "typo.py": "claim = (\n", "taken": ""}

MISTAKES = {
    "a misspelt file": (["god.py"], "check its name"),
    "a misspelt module": (["god"], "no module 'god'"),
    "a folder": (["."], "folder/*.py"),
    "a function of a file": (["good.py:f"], "eqvproof check good.py:f"),
    "a claim without parentheses": (["bare.py"], '@ep.claim("X: d n -> d n"'),
    "a syntax error": (["typo.py"], "SyntaxError"),
    "a grade that is none": (
        ["good.py", "--at-least", "PROOF"],
        "--at-least PROVED requires a proof",
    ),
    "a grade in small letters": (
        ["good.py", "--at-least", "proved"],
        "write --at-least PROVED",
    ),
    "a misspelt option": (["good.py", "--atleast", "PROVED"], "did you mean --at-least?"),
    "no target": ([], "TARGET is missing"),
    "a folder in a file": (["good.py", "--kept", "good.py/kept"], "good.py is a file"),
    "a file for certificates": (["good.py", "--kept", "taken"], "a folder"),
    "a summary in no folder": (["good.py", "--summary", "none/s.md"], "create the folder first"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_answered(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    arguments, words = MISTAKES[name]
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert words in said.err and said.out == ""
    assert all(part in said.err for part in ("\n  given: ", "\n  expected: ", "\n  try: "))
    assert "Traceback" not in said.err
