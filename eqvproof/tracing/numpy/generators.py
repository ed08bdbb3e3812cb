"""Random generators with a fixed seed inside a function: their draws are constants.

The state of such a generator follows from the seed, which is no argument and no size; each call of
the function makes it again. So its draws are the same numbers in each call, as long as requests to
it do not depend on the arguments: a traced array, or a size that stands for all, is refused by the
generator itself, which takes numbers. Constants, such as traced code has for pi, are the floats
that they are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.tracing.arrays.constants import constant_floats
from eqvproof.tracing.arrays.context import current_context
from eqvproof.tracing.arrays.values import is_traced


def default_rng(*args: Any, **kwargs: Any) -> object:
    """Makes a generator with a plain whole number as its seed; others are refused.

    Without a seed, the operating system would draw one.
    """
    context, given = current_context(), [*args, *kwargs.values()]
    if context is None or not context.active:
        return _ORIGINAL(*args, **kwargs)
    if [type(v) for v in given] != [int]:
        context.refuse(
            "np.random.default_rng is random without a whole number as its seed",
            hint="give it a number as its seed, or pass random numbers to the function as"
            " arguments",
            code="trace.impure",
        )
    return Drawing(_ORIGINAL(*args, **kwargs))


class Drawing:
    """A generator as traced code sees it."""

    __slots__ = ("_generator",)

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> object:
        drawn = getattr(self._generator, name)
        if not callable(drawn):
            return drawn
        return lambda *args, **named: drawn(
            *map(_number, args), **{k: _number(v) for k, v in named.items()}
        )


def _number(value: object) -> object:
    """Returns a constant as its float; other values as they are."""
    found = constant_floats(value) if is_traced(value) else None
    if found is None:
        return value
    return found[()]


_ORIGINAL = np.random.default_rng
#: NumPy's maker of generators, and its replacement in traced code.
MAKERS: tuple[tuple[object, object], ...] = ((_ORIGINAL, default_rng),)
