"""Small packages that tests install, as pip does it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def installed(folder: Path, name: str, text: str, *requires: str, **files: str) -> Iterator[None]:
    """Installs a package, which can be imported within the block.

    Args:
        folder: where its folder ``site-packages`` is made.
        name: of the package.
        text: of its ``__init__.py``.
        *requires: the packages that it requires.
        **files: names of its other modules, and their texts.
    """
    site = folder / "site-packages"
    (site / name).mkdir(parents=True)
    for file, content in {"__init__": text, **files}.items():
        (site / name / f"{file}.py").write_text(content)
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0"]
    lines += [f"Requires-Dist: {library}" for library in requires]
    (info / "METADATA").write_text("\n".join(lines) + "\n")
    (info / "RECORD").write_text(f"{name}/__init__.py,,\n")
    sys.path.insert(0, str(site))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for module in [m for m in sys.modules if m.partition(".")[0] == name]:
            del sys.modules[module]
