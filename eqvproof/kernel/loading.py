"""Loads modules on demand, so that an acceptance rests on those that were used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from .report import Rejected


def part(name: str) -> ModuleType:
    """Returns the module of the kernel with that name.

    Raises:
        Rejected: this copy of the kernel does not have it.
    """
    try:
        return import_module(f"{__package__}.{name}")
    except ModuleNotFoundError:
        raise Rejected(
            f"this copy of the kernel has no module {name}, which the certificate needs"
        ) from None
