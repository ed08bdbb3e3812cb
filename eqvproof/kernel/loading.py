"""Modules that are loaded when a certificate needs them, so that an acceptance rests on those it used."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from .report import Rejected


def part(name: str) -> ModuleType:
    """The module of the kernel with that name.

    Raises:
        Rejected: this copy of the kernel has been left without it.
    """
    try:
        return import_module(f"{__package__}.{name}")
    except ModuleNotFoundError:
        raise Rejected(
            f"this copy of the kernel has no module {name}, which the certificate needs"
        ) from None
