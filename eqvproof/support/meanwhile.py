"""What holds inside a block alone: values of context variables, and that no garbage is collected."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def meanwhile(variable: ContextVar[T], value: T) -> Iterator[T]:
    """The variable has this value inside the block."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is collected inside the block."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
