"""Names of a package that are loaded when they are first used, so that its import stays light."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any


def modules_of(held: Mapping[str, str]) -> dict[str, str]:
    """Name -> module, from the names that each module holds."""
    return {name: module for module, names in held.items() for name in names.split()}


def loader(
    package: str, public: Mapping[str, str], modules: Mapping[str, str] = MappingProxyType({})
) -> Callable[[str], Any]:
    """Returns the ``__getattr__`` of a package: names that modules hold, and modules of its own.

    Args:
        package: its name.
        public: name -> the module that holds it.
        modules: name of a module -> where it lies in the package.
    """

    def attribute(name: str) -> Any:
        if name in public:
            return getattr(importlib.import_module(public[name]), name)
        if name in modules:
            return importlib.import_module(f"{package}.{modules[name]}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
