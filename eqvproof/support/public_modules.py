"""Public short names of modules: ``eqvproof.testing`` lies in the room ``interface``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any


class PublicModules:
    """Finds modules of a package under their public names: one module object, with two names.

    It has the methods of a finder and a loader, but not their abstract base classes: importlib.abc
    imports modules that take longer to load than this package.

    Args:
        package: the package, such as ``"eqvproof"``.
        places: public name -> its place in the package: ``{"testing": "interface.testing"}``.
    """

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self.package, self.places = package, places

    def place(self, name: str) -> str | None:
        """Returns the full name of the module for a public name; None for other names."""
        package, _, inner = name.partition(".")
        first, _, rest = inner.partition(".")
        if package != self.package or first not in self.places:
            return None
        return ".".join(filter(None, (package, self.places[first], rest)))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds a public name; None for others."""
        place = self.place(fullname)
        found = importlib.util.find_spec(place) if place else None
        if found is None:
            return None
        loader: Any = self
        spec = ModuleSpec(fullname, loader, origin=found.origin)
        spec.submodule_search_locations = found.submodule_search_locations
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Imports the module from its place."""
        module = importlib.import_module(self.place(spec.name) or spec.name)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restores the module's own specification; its code has already run."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state

    def get_code(self, fullname: str) -> CodeType | None:
        """Returns the code of a module, for ``python -m``."""
        loader, name = self._place_loader(fullname)
        if loader is None:
            return None
        return loader.get_code(name)

    def get_source(self, fullname: str) -> str | None:
        """Returns the text of a module, for tracebacks and debuggers."""
        loader, name = self._place_loader(fullname)
        if loader is None:
            return None
        return loader.get_source(name)

    def _place_loader(self, fullname: str) -> tuple[SourceFileLoader | None, str]:
        """Returns the loader of a module where it lies, None if it has no source, and its name."""
        name = self.place(fullname) or fullname
        spec = importlib.util.find_spec(name)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return None, name
        return spec.loader, name


def install(package: str, places: Mapping[str, str]) -> None:
    """Makes the public names of a package importable; a second call has no effect."""
    if not any(isinstance(f, PublicModules) and f.package == package for f in sys.meta_path):
        sys.meta_path.insert(0, PublicModules(package, places))  # before folders are looked through
