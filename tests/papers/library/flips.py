"""Statements whose source text is changed in one place, as if they had been printed that way."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from eqvproof.papers.library import review, source
from eqvproof.papers.statements import Statement
from eqvproof.papers.statements.row import Row


def flipped(file: str, old: str, new: str, shared: str = "", of: str = "my23") -> Statement:
    """The statement of a file after one change there, or in a shared file that it imports.

    Args:
        file: the file of the statement, without ``.py``.
        old: text that occurs in the changed file exactly once.
        new: what takes its place.
        shared: the shared file that is changed; by default the statement's own.
        of: the source.
    """
    package = source(of).__name__
    if not shared:
        return _load(f"{package}.{file}_flipped", _changed(of, file, old, new)).STATEMENT
    with _replaced(f"{package}.{shared}", _changed(of, shared, old, new)):
        return _load(f"{package}.{file}_flipped", _text(of, file)).STATEMENT


def judged(statement: Statement, outcome: str) -> Row:
    """The row of a changed statement; its repaired form, of which nothing is asked, is not judged.

    Args:
        statement: the statement.
        outcome: the one that is expected: what stays undecided is searched for a short time.
    """
    alone = replace(statement, repaired=None)
    return review(alone, budget=1.5 if outcome == "UNDECIDED" else 20)[alone.id]


def _text(of: str, file: str) -> str:
    return (Path(source(of).__file__).parent / f"{file}.py").read_text(encoding="utf-8")


def _changed(of: str, file: str, old: str, new: str) -> str:
    text = _text(of, file)
    if text.count(old) != 1:
        raise ValueError(f"{old!r} occurs {text.count(old)} times in {file}")
    return text.replace(old, new)


def _load(name: str, text: str) -> ModuleType:
    spec = importlib.util.spec_from_loader(name, loader=None)
    module = importlib.util.module_from_spec(spec)
    exec(compile(text, f"<{name}>", "exec"), vars(module))
    return module


@contextmanager
def _replaced(name: str, text: str) -> Iterator[None]:
    original = sys.modules[name]
    sys.modules[name] = _load(name, text)
    try:
        yield
    finally:
        sys.modules[name] = original
