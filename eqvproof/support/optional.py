"""Optional libraries, used where they are installed."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from eqvproof.support.errors import BackendError


def installed(name: str) -> Any:
    """Returns a module of an optional library, or None where the library is not installed.

    Raises:
        ImportError: the library is installed and broken; a plain absence is no error.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.partition(".")[0] == error.name.partition(".")[0]:
            return None
        raise


def required(name: str, *, extra: str, purpose: str) -> ModuleType:
    """Returns a module of an optional library that is required.

    Args:
        name: the name of the module.
        extra: the extra of this package that brings it.
        purpose: what needs it, as the subject of a sentence.

    Raises:
        BackendError: the library is not installed.
    """
    module: ModuleType | None = installed(name)
    if module is None:
        library = name.partition(".")[0]
        raise BackendError(
            f"{purpose} needs {library}",
            given=f"an environment without {library}",
            expected=f"{library} installed",
            hint=f'pip install "eqvproof[{extra}]"',
            code="optional.missing",
        )
    return module
