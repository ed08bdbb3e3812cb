"""What a function returns says what it takes, where nothing that it names does: it is called."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from eqvproof.engines.claim import Claim
from eqvproof.engines.targets import is_adapted
from eqvproof.support.apart import Lost, answered, leave
from eqvproof.support.deadline import interrupted, until
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.framework import FrameworkTarget
from eqvproof.tracing.jax import jax_target
from eqvproof.tracing.observing.detect import home_of, mentions, reached
from eqvproof.tracing.observing.endless import surely_returns
from eqvproof.tracing.observing.frames import LIBRARIES
from eqvproof.tracing.observing.process_state import one_guarded_call
from eqvproof.tracing.observing.pure import is_installed_library
from eqvproof.tracing.samples import make_inputs, within
from eqvproof.tracing.torch import torch_target

#: The codes of the errors of a function that may be one of tensors.
CODES = ("target.type", "target.raises")
#: The size of the axes of what a function is called with, where it may be that.
_SIZE = 3


class _Framework(NamedTuple):
    kind: str
    make: str
    target: Callable[[Callable[..., object]], FrameworkTarget]


_FRAMEWORKS: Mapping[str, _Framework] = {
    "torch": _Framework("Tensor", "as_tensor", torch_target),
    "jax": _Framework("Array", "device_put", jax_target),
}
_MISSING = object()


def is_asked_first(claim: Claim) -> bool:
    """Whether a function may run JAX, though none shows: a copy of this process could not go on with it."""
    return "jax" in sys.modules and any(
        _runs_library(f) for f in claim.functions if not is_adapted(f)
    )


def _runs_library(f: Callable[..., Any]) -> bool:
    """Tells whether a function is of, or reaches, an installed package that stands on a framework."""
    return any(is_installed_library(home_of(value)) for value in reached(f))


def as_answered(claim: Claim) -> Claim | None:
    """The claim about functions of tensors, or of JAX arrays, where a call shows that they are.

    A function is called with NumPy arrays. It is one of tensors where it returns a tensor; or where
    it asks for what arrays lack, and returns one when it is given tensors.

    Returns:
        The claim; None where nothing is shown.
    """
    spans = claim.search_sizes()
    sizes = within(dict.fromkeys(spans, _SIZE), spans)
    arrays = list(
        make_inputs(claim.signature, sizes, "positive", np.random.default_rng(0)).values()
    )
    found = [f if is_adapted(f) else _adapted(f, arrays, claim.deadline) for f in claim.functions]
    if all(f is g for f, g in zip(found, claim.functions, strict=True)):
        return None
    return replace(claim, function=found[0], other=found[1] if claim.is_identity else None, read={})


#: Seconds for the calls that show whether NumPy and JAX differ.
SECONDS = 2.0
#: What is said of a verdict on a function that NumPy and JAX answer in two ways.
ASSUMED = (
    "judged as a function of NumPy arrays, of which an index out of range is an error; JAX takes"
    " the nearest"
    " entry (backend='jax' says that it takes JAX arrays)"
)


def differs_in_jax(claim: Claim) -> bool:
    """Whether a function that does not show what it takes has an index out of range, where JAX has an answer.

    Such functions name no library of arrays. They are called at the least sizes.
    """
    if "jax" not in sys.modules:
        return False
    unshown = [
        f for f in claim.functions if not is_adapted(f) and not mentions(f, tuple(LIBRARIES))
    ]
    return any(_is_clamped(f, claim) for f in unshown if surely_returns(f))


def _is_clamped(f: Callable[..., Any], claim: Claim) -> bool:
    spans, end = claim.search_sizes(), time.monotonic() + SECONDS
    for size in range(1, _SIZE + 1):
        sizes = within(dict.fromkeys(spans, size), spans)
        drawn = make_inputs(claim.signature, sizes, "positive", np.random.default_rng(0))
        if _answer(f, list(drawn.values()), end, IndexError) is _MISSING:
            library: Any = sys.modules["jax"]
            found = _answer(f, [*map(library.device_put, drawn.values())], end)
            if isinstance(found, library.Array):
                return True
    return False


def _adapted(
    f: Callable[..., Any], arrays: Sequence[Numbers], deadline: float
) -> Callable[..., Any]:
    """Returns the function; as one of a framework where it answers so.

    What may not return, or may take much memory, is asked in a copy of this process; where there
    can be none, it is asked only if it names a framework, or is of a package that stands on one.
    """

    def asked() -> str:
        if not surely_returns(f):
            leave()
        return _framework_of(f, arrays, deadline)

    if sys.modules.keys().isdisjoint(_FRAMEWORKS):
        return f
    torch: Any = sys.modules.get("torch")
    may_leave = "jax" not in sys.modules and not (torch is not None and torch.cuda.is_initialized())
    is_told = mentions(f, tuple(_FRAMEWORKS)) or _runs_library(f)
    if not may_leave and not is_told and not surely_returns(f):
        return f
    try:
        name = answered(asked, deadline, may_leave=may_leave)
    except Lost:
        return f
    return _FRAMEWORKS[name].target(f) if name else f


def _framework_of(f: Callable[..., Any], arrays: Sequence[Numbers], deadline: float) -> str:
    """Returns the name of the framework of whose arrays a function is one; "" where it is of none."""
    answer = _answer(f, arrays, deadline)
    for name, framework in _FRAMEWORKS.items():
        library: Any = sys.modules.get(name)
        if library is not None:
            given = map(getattr(library, framework.make), arrays)
            found = _answer(f, [*given], deadline) if answer is _MISSING else answer
            if isinstance(found, getattr(library, framework.kind)):
                return name
    return ""


def _answer(
    f: Callable[..., object], arrays: Sequence[Any], deadline: float, *missing: type[Exception]
) -> object:
    """What a call returns; `_MISSING` where its arguments lack what is asked of them, or at other errors."""
    kinds = missing or (TypeError, AttributeError)
    try:
        with until(deadline), interrupted(), one_guarded_call():
            return f(*(np.array(a) if isinstance(a, np.ndarray) else a for a in arrays))
    except kinds:
        return _MISSING
    except KeyboardInterrupt:
        raise
    except BaseException:  # which is told where it is judged
        return None
