"""Errors for names that a module does not have, with the name that was probably meant."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable

from eqvproof.support.public_modules import PublicModules


def no_such_name(package: str, name: str, known: Iterable[str]) -> AttributeError:
    """Builds the error for a name that a module does not have.

    Args:
        package: the full name of the module.
        name: the name that was asked for.
        known: names that the module loads when they are first used.
    """
    hint = _other_name(package, name, known)
    return AttributeError(f"module {_public_name(package)!r} has no attribute {name!r}{hint}")


def _other_name(package: str, name: str, known: Iterable[str]) -> str:
    """Returns the question for a similar name, or for the same one elsewhere."""
    import difflib

    root = package.partition(".")[0]
    verdict = importlib.import_module(f"{root}.engines.verdict").Verdict
    if package == root and hasattr(verdict, name):
        return f"; a verdict has it: {root}.check(...).{name}"
    elsewhere = _elsewhere(root, package, name) or _elsewhere(
        root, package, name.removeprefix("assert_")
    )
    if elsewhere:
        return f"; did you mean {elsewhere}?"
    names = [n for n in (*known, *_own_names(package)) if n[0] != "_"]
    begin = [n for n in names if name.startswith(n) or n.startswith(name)]
    near = difflib.get_close_matches(name, names, 1) or begin
    if near:
        return f"; did you mean {near[0]!r}?"
    return ""


def _elsewhere(root: str, package: str, name: str) -> str:
    """Returns where a name of the package or of its public modules is, or ""."""
    places = _public_modules(root)
    for place, shown in {root: root, **places}.items():
        if place == package:
            continue
        try:
            importlib.import_module(place)
        except ImportError:  # of a library that is not installed
            continue
        if name in _own_names(place):
            return f"{shown}.{name}"
    return ""


def _own_names(module: str) -> list[str]:
    """Returns the names that a module exports, or else those that it defines."""
    names = vars(sys.modules[module])
    if "__all__" in names:
        return list(names["__all__"])
    return [n for n, v in names.items() if n[0] != "_" and getattr(v, "__module__", "") == module]


def _public_modules(root: str) -> dict[str, str]:
    """Returns the public names of modules, by their full names."""
    found: dict[str, str] = {}
    for finder in sys.meta_path:
        if isinstance(finder, PublicModules) and finder.package == root:
            found |= {f"{root}.{place}": f"{root}.{name}" for name, place in finder.places.items()}
    return found


def _public_name(package: str) -> str:
    """Returns the name under which users know a module."""
    return _public_modules(package.partition(".")[0]).get(package, package)
