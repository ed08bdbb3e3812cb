"""Decorators that enter a handler into a table under the names that a library has for an operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

H = TypeVar("H", bound=Callable[..., object])


def entering(table: dict[str, H]) -> Callable[..., Callable[[H], H]]:
    """``@enters("name", "other name")``, for one table."""

    def names(*names: str) -> Callable[[H], H]:
        def enter(handler: H) -> H:
            table.update(dict.fromkeys(names, handler))
            return handler

        return enter

    return names
