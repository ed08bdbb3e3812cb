"""Statements whose source text is changed in one place, as if they had been printed that way."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import eqvproof.library.my23 as my23
from eqvproof.statements import Statement

FOLDER = Path(my23.__file__).parent
PACKAGE = my23.__name__


def flipped(file: str, old: str, new: str, shared: str = "") -> Statement:
    """The statement of a file after one change there, or in a shared file that it imports.

    Args:
        file: the file of the statement, without ``.py``.
        old: text that occurs in the changed file exactly once.
        new: what takes its place.
        shared: the shared file that is changed; by default the statement's own.
    """
    if not shared:
        return _load(f"{PACKAGE}.{file}_flipped", _changed(file, old, new)).STATEMENT
    with _replaced(f"{PACKAGE}.{shared}", _changed(shared, old, new)):
        return _load(
            f"{PACKAGE}.{file}_flipped", (FOLDER / f"{file}.py").read_text(encoding="utf-8")
        ).STATEMENT


def _changed(file: str, old: str, new: str) -> str:
    text = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
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
