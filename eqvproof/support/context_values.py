"""Context managers that set a context variable, or switch off garbage collection."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def held_during(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Sets a context variable to a value inside the block."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


@contextmanager
def uncollected() -> Iterator[None]:
    """Switches off garbage collection inside the block."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
