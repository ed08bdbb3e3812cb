"""Runs of a model that record the arrays between its submodules, and may replace some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
#: Largest number of recorded arrays of a run.
MOST_ARRAYS = 4000


class Key(NamedTuple):
    """The place of an array in a run.

    Attributes:
        path: the path of a submodule, "" for the model; or a line.
        call: counts the calls of the submodule, from 1.
        side: whether it is an argument or a result.
        number: counts the arrays of that side, from 1.
    """

    path: str
    call: int
    side: Literal["in", "out"]
    number: int


@dataclass(frozen=True, slots=True)
class Run:
    """The arrays of one run, in the order in which they were computed.

    Attributes:
        changes: arrays that replace others.
        values: the arrays, as floats of 64 bits.
        depths: the numbers of leading axes over which the submodule was mapped (`jax.vmap`).
        others: the submodules that take other things than arrays.
        calls: the number of arrays recorded so far at each place.
    """

    changes: Mapping[Key, Array] = field(default_factory=dict)
    values: dict[Key, Array] = field(default_factory=dict)
    depths: dict[Key, int] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    calls: dict[tuple[str, str, int], int] = field(default_factory=dict)

    def in_order(self, keys: Iterable[Key]) -> Run:
        """Returns the run with its arrays in another order."""
        return replace(self, values={k: self.values[k] for k in keys if k in self.values})

    def keep(
        self, path: str, side: Literal["in", "out"], number: int, array: Array, depth: int = 0
    ) -> Array | None:
        """Records an array; returns one that replaces it, or None."""
        place = path, side, number
        self.calls[place] = self.calls.get(place, 0) + 1
        key = Key(path, self.calls[place], side, number)
        if len(self.values) < MOST_ARRAYS and array.dtype.kind == "f":
            self.values[key] = np.array(array, dtype=np.float64)
            self.depths[key] = depth
        return self.changes.get(key)


class Watched(Protocol):
    """A model whose runs are recorded, in one dtype."""

    def run(self, arrays: Sequence[Array], changes: Mapping[Key, Array]) -> Run:
        """Runs the model on arrays of floats of 64 bits, converted to its dtype."""

    def kind(self, path: str) -> str:
        """Returns the class of a submodule, or the operation at a line."""

    def submodule(self, path: str) -> Callable[..., Any] | None:
        """Returns a submodule as a function of arrays, or None."""


def replace_arrays(
    value: Any, is_array: Callable[[Any], bool], visit: Callable[[Any, int], Any]
) -> tuple[Any, bool]:
    """Visits the arrays in nested tuples, lists and dictionaries, and replaces them.

    Returns the value with the arrays that `visit` returned, of each array and its number from 1,
    and whether it held nothing else.
    """
    numbers: Iterator[int] = iter(range(1, MOST_ARRAYS))
    only = True

    def walk(part: Any) -> Any:
        nonlocal only
        if is_array(part):
            return visit(part, next(numbers))
        if isinstance(part, dict):
            return type(part)((k, walk(v)) for k, v in part.items())
        if isinstance(part, tuple) and hasattr(part, "_fields"):
            return type(part)(*map(walk, part))
        if isinstance(part, (tuple, list)):
            return type(part)(map(walk, part))
        only = only and part is None
        return part

    return walk(value), only
