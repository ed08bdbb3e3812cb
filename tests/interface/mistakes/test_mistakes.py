"""Mistakes of the first hour, as people type them: what each is answered.

The pages beside this file list each mistake with words that its answer must have, chosen by hand.
``python tests/interface/mistakes/test_mistakes.py`` prints all answers, to be read.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import traceback
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.support import PACKAGE

HERE = Path(__file__).parent
PAGES = ("calls", "functions", "torch")
PRELUDE = "def layer(X):\n    return X @ (X.T @ X)\n"
#: Python's own errors that are clear without help.
PLAIN = (AttributeError, TypeError)
#: Addresses, defects and places inside the package, which no user can use.
INSIDE = r" at 0x[0-9a-f]{6}|this should not happen|\beqvproof\.(engines|interface|support)\b"
#: Numbers of lines and characters that are read.
LINES, CHARACTERS = 30, 2500


class Mistake(NamedTuple):
    page: str
    name: str
    code: str
    words: tuple[str, ...]


def mistakes(page: str) -> list[Mistake]:
    """Reads a page: a heading, the code, and a list of words."""
    text = (HERE / f"{page}.md").read_text(encoding="utf-8")
    pattern = r"^## ([^\n]+)\n\n```python\n(.*?)\n```\n\n((?:- [^\n]+\n)+)"
    found = re.findall(pattern, text, re.M | re.S)
    assert len(found) == text.count("\n## "), "an entry of the page has another form"
    return [
        Mistake(page, n, c + "\n", tuple(re.findall(r"^- (.+)$", w, re.M))) for n, c, w in found
    ]


ALL = [m for page in PAGES for m in mistakes(page)]


def answer(mistake: Mistake) -> tuple[Any, str]:
    """Runs the code as a cell of a notebook; returns its error or its value, and the text shown."""
    file = f"{mistake.name}.py"
    linecache.cache[file] = (len(mistake.code), None, mistake.code.splitlines(True), file)
    names: dict[str, Any] = {"np": np, "ep": ep, "__name__": "__main__"}
    exec(PRELUDE, names)
    if mistake.page == "torch":
        import torch

        names |= {"torch": torch, "nn": torch.nn}
    tree = ast.parse(mistake.code)
    last = tree.body.pop()
    try:
        exec(compile(tree, file, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), names)
        else:
            value = exec(compile(ast.Module([last], []), file, "exec"), names)
    except Exception as error:
        return error, str(error)
    return value, str(value)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("mistake", ALL, ids=lambda m: f"{m.page}: {m.name}")
def test_a_mistake_is_answered(
    mistake: Mistake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if mistake.page == "torch":
        pytest.importorskip("torch")
    if mistake.page == "functions":  # as where nobody has imported these
        for library in ("torch", "jax"):
            monkeypatch.delitem(sys.modules, library, raising=False)
    monkeypatch.chdir(tmp_path)
    value, text = answer(mistake)
    missing = [word for word in mistake.words if word not in text]
    assert not missing, f"{missing} in\n{text}"
    assert text.count("\n") < LINES and len(text) < CHARACTERS
    assert not re.search(INSIDE, text)
    if isinstance(value, BaseException):
        require_good_error(value, text)


def require_good_error(error: BaseException, text: str) -> None:
    """Requires what was given and expected and what to try, and one line of the package at most."""
    frames = traceback.extract_tb(error.__traceback__)
    assert sum(f.filename.startswith(PACKAGE) for f in frames) <= 1
    if isinstance(error, AssertionError):
        assert text.startswith(("FAILS", "UNDECIDED"))
    elif isinstance(error, ep.EqvproofError):
        assert "\n  try: " in text and "\n  expected: " in text
        assert "\n  given: " in text or "^" in text
    else:
        assert isinstance(error, PLAIN)


def test_there_are_enough() -> None:
    assert len({m.code for m in ALL}) == len(ALL) >= 150


def test_a_bad_answer_is_seen() -> None:
    with pytest.raises(AssertionError):
        require_good_error(ep.EqvproofError("no", given="1", expected="2"), "no\n  given: 1")
    with pytest.raises(AssertionError):
        require_good_error(KeyError("x"), "x")


def main() -> None:
    """Prints every mistake with its answer."""
    for mistake in ALL:
        value, text = answer(mistake)
        kind = type(value).__name__
        print(f"## {mistake.name}\n\n{mistake.code}\n{kind}: {text}\n", flush=True)


if __name__ == "__main__":
    main()
