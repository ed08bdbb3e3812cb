"""Names of a package that are loaded when they are first used, so that its import stays light."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from typing import Any


def modules_of(held: Mapping[str, str]) -> dict[str, str]:
    """Name -> module, from the names that each module holds."""
    return {name: module for module, names in held.items() for name in names.split()}


def loader(package: str, public: Mapping[str, str], modules: Collection[str] = ()) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: names that modules hold, and modules of its own."""

    def attribute(name: str) -> Any:
        if name in public:
            return getattr(importlib.import_module(public[name]), name)
        if name in modules:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
