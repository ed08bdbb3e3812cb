"""Lazy loading of the names of a package, so that its import stays light."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any


class LaterModule:
    """Stands for a module that is imported when one of its names is first asked for.

    Args:
        name: the full name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)

    def function(self, name: str) -> Callable[..., Any]:
        """Returns a function that calls one of the module's."""
        return lambda *args, **kwargs: getattr(self, name)(*args, **kwargs)


def modules_of(held: Mapping[str, str]) -> dict[str, str]:
    """Returns the mapping from names to modules, given the names that each module holds."""
    return {name: module for module, names in held.items() for name in names.split()}


def loader(
    package: str, public: Mapping[str, str], modules: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Returns the ``__getattr__`` of a package, which loads its names and modules on first use.

    Args:
        package: the name of the package.
        public: name -> the module that holds it.
        modules: name of a module -> its place in the package.
    """

    def attribute(name: str) -> Any:
        if name in public:
            return getattr(importlib.import_module(public[name]), name)
        if name in modules:
            return importlib.import_module(f"{package}.{modules[name]}")
        hint = _other_name(package, name, (*public, *modules))
        raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")

    return attribute


def _other_name(package: str, name: str, known: Iterable[str]) -> str:
    """Returns the question for a similar name, or where assertions are."""
    if name.startswith("_") or find_spec(f"{package}.{name}"):  # a module, which an import asks for
        return ""
    import difflib

    if name.startswith("assert_"):
        return f"; assertions are in {package}.testing: {package}.testing.{name}"
    names = [n for n in known if n[0] != "_"]
    begin = [n for n in names if name.startswith(n) or n.startswith(name)]
    near = difflib.get_close_matches(name, names, 1) or begin
    if near:
        return f"; did you mean {near[0]!r}?"
    return ""
