"""Lazy loading of the names of a package, so that its import stays light."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
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
        if name[0] == "_" or _is_module(package, name):  # an import asks for it
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        raise LaterModule("eqvproof.support.missing_names").no_such_name(
            package, name, (*public, *modules)
        )

    return attribute


def _is_module(package: str, name: str) -> bool:
    return "__path__" in vars(sys.modules[package]) and bool(find_spec(f"{package}.{name}"))
