"""Reads what the user has put into types, dtypes and annotations of classes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def parts_of_inert(value: object) -> list[object]:
    """Lists what the user has put into such an object: parameters of types, metadata of a dtype."""
    if isinstance(value, np.dtype):
        return [value.metadata]
    names = ("__origin__", "__args__", "__metadata__", "__supertype__", "__bound__")
    return [part for name in names if (part := getattr(value, name, None)) is not None]


def annotations_of(cls: type) -> Iterator[object]:
    """Yields what the annotations of a class hold, and the fields of a dataclass."""
    yield from vars(cls).get("__annotations__", {}).values()
    for field in vars(cls).get("__dataclass_fields__", {}).values():
        yield from (field.type, field.metadata)
