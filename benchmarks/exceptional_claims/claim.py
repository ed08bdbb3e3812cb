"""The record of one claim, and the registry that the files of claims fill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Sizes = Mapping[str, int]
#: Makes the inputs of one point from a generator and the sizes.
Sampler = Callable[[np.random.Generator, Sizes], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim.

    Attributes:
        name: a name that no other claim has.
        function: the function, as people write it.
        signature: its typing.
        under: the group.
        backend: "numpy", "torch" or "jax".
        on_set: makes points of the exceptional set, in numbers that floats hold exactly.
        least: the smallest sizes at which a generic point lies off the exceptional set.
        options: other options of `check`.
        tied: says of a generic point whether computed whole numbers tie there, where such points are many.
    """

    name: str
    function: Callable[..., Any]
    signature: str
    under: str
    backend: str
    on_set: Sampler
    least: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    tied: Callable[..., bool] | None = None


CLAIMS: list[Claim] = []


def claims_for(backend: str) -> Callable[..., Callable[[Callable[..., Any]], Callable[..., Any]]]:
    """Returns a decorator that registers functions of one library."""

    def claim(
        signature: str,
        under: str,
        on_set: Sampler,
        *,
        least: Mapping[str, int] | None = None,
        tied: Callable[..., bool] | None = None,
        **options: Any,
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def registered(function: Callable[..., Any]) -> Callable[..., Any]:
            name = getattr(function, "__name__", type(function).__name__)
            name = f"{backend}.{name}"
            CLAIMS.append(
                Claim(name, function, signature, under, backend, on_set, least or {}, options, tied)
            )
            return function

        return registered

    return claim
