"""Statements whose source text is changed in one place, as if they had been printed that way."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from eqvproof.library import source
from eqvproof.statements import Statement


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
