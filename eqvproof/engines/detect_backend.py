"""Detection of the array library that a function expects, by calling it.

Used for functions whose code names no array library.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.verdict import Verdict
from eqvproof.support.deadline import interrupted, until
from eqvproof.support.errors import BackendError, ErrorCode, TargetError
from eqvproof.support.forked_work import Lost, continue_in_copy, run_until
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.libraries import JAX, TORCH, Library, is_adapted
from eqvproof.tracing.observing.detect import home_of, mentions, reached
from eqvproof.tracing.observing.endless import surely_returns
from eqvproof.tracing.observing.frames import LIBRARIES
from eqvproof.tracing.observing.pure import is_installed_library
from eqvproof.tracing.observing.restore_process import one_guarded_call
from eqvproof.tracing.samples import make_inputs, within

#: Codes of the errors after which a function may be one of tensors.
CODES = (ErrorCode.TARGET_TYPE, ErrorCode.TARGET_RAISES)
#: Size of the axes of the arrays in such calls, if the claim allows it.
_SIZE = 3


class _Framework(NamedTuple):
    kind: str
    make: str
    library: Library


_FRAMEWORKS: Mapping[str, _Framework] = {
    "torch": _Framework("Tensor", "as_tensor", TORCH),
    "jax": _Framework("Array", "device_put", JAX),
}
_MISSING = object()


def must_call_first(claim: Claim) -> bool:
    """Checks whether a function may run JAX although its code does not show it.

    Such functions are called first, to detect that: a fork of this process could not run JAX.
    """
    return "jax" in sys.modules and any(
        _runs_library(f) for f in claim.functions if not is_adapted(f)
    )


def _runs_library(f: Callable[..., Any]) -> bool:
    """Checks whether a function reaches code of an installed package built on a framework."""
    return any(is_installed_library(home_of(value)) for value in reached(f))


def with_detected_backend(claim: Claim) -> Claim | None:
    """Returns the claim with functions adapted to the framework of the arrays that they return.

    A function is called with NumPy arrays. It is a function of tensors if it returns a tensor, or
    if it uses an attribute that arrays lack and returns a tensor when it is given tensors;
    likewise for JAX arrays.

    Returns:
        The claim; None if no call shows a framework.
    """
    spans = claim.search_sizes()
    sizes = within(dict.fromkeys(spans, _SIZE), spans)
    arrays = list(
        make_inputs(claim.signature, sizes, "positive", np.random.default_rng(0)).values()
    )
    found = [
        f if is_adapted(f) else _adapted(f, claim.signature, arrays, claim.deadline)
        for f in claim.functions
    ]
    if all(f is g for f, g in zip(found, claim.functions, strict=True)):
        return None
    return replace(claim, function=found[0], other=found[1] if claim.is_identity else None, read={})


#: Seconds for the calls that compare NumPy with JAX.
SECONDS = 2.0
#: Note of a verdict on a function for which NumPy and JAX give different results.
ASSUMED = (
    "judged as a function of NumPy arrays, of which an index out of range is an error; JAX takes"
    " the nearest"
    " entry (backend='jax' says that it takes JAX arrays)"
)


def differs_in_jax(claim: Claim) -> bool:
    """Checks whether a function indexes out of range, where NumPy raises and JAX returns a value.

    Only functions that name no array library are called, at the least sizes.
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
        if _call(f, list(drawn.values()), end, IndexError) is _MISSING:
            library: Any = sys.modules["jax"]
            found = _call(f, [*map(library.device_put, drawn.values())], end)
            if isinstance(found, library.Array):
                return True
    return False


def judge_with_backend(
    claim: Claim, judge: Callable[[Claim], Verdict], *, is_given: bool
) -> Verdict:
    """Judges a claim about functions of the array library that they expect.

    A function may fail because it takes tensors: then the library is detected, and the claim is
    judged once more.

    Args:
        claim: the claim.
        judge: returns the verdict on a claim.
        is_given: whether the user has named the library.

    Raises:
        BackendError: the function does not show its library, and libraries differ for it.
        TargetError: the function fails with every library.
    """
    if is_given:
        return judge(claim)
    must_call = must_call_first(claim)
    first = with_detected_backend(claim) if must_call else None
    try:
        verdict = judge(first or claim)
    except TargetError as error:
        if error.code in CODES and not must_call:
            other = with_detected_backend(claim)
            if other is not None:
                return judge(other)
        if not isinstance(error.__cause__, IndexError) or not differs_in_jax(claim):
            raise
        raise BackendError(
            "the function does not show what it takes: where an index is out of range, NumPy"
            " raises, and"
            " JAX takes the nearest entry",
            given=error.message,
            expected="what it takes, where the answers differ",
            hint="pass backend='numpy' or backend='jax'",
        ) from error
    if first is None and differs_in_jax(claim):
        return replace(verdict, notes=(*verdict.notes, ASSUMED))
    return verdict


def _adapted(
    f: Callable[..., Any], signature: Signature, arrays: Sequence[Numbers], deadline: float
) -> Callable[..., Any]:
    """Returns the function, adapted to the framework whose arrays it returns, if any.

    A call that may not end, or may take much memory, runs in a fork of this process. If forking
    is not possible, the function is called only if it names a framework or is of a package built
    on one.
    """

    def detected() -> str:
        if not surely_returns(f):
            continue_in_copy()
        return _framework_of(f, arrays, deadline)

    if sys.modules.keys().isdisjoint(_FRAMEWORKS):
        return f
    torch: Any = sys.modules.get("torch")
    may_leave = "jax" not in sys.modules and not (torch is not None and torch.cuda.is_initialized())
    is_told = mentions(f, tuple(_FRAMEWORKS)) or _runs_library(f)
    if not may_leave and not is_told and not surely_returns(f):
        return f
    try:
        name = run_until(detected, deadline, may_leave=may_leave)
    except Lost:
        return f
    if name:
        return _FRAMEWORKS[name].library.adapt(f, signature)
    return f


def _framework_of(f: Callable[..., Any], arrays: Sequence[Numbers], deadline: float) -> str:
    """Returns the name of the framework whose arrays a function takes; "" if there is none."""
    result = _call(f, arrays, deadline)
    for name, framework in _FRAMEWORKS.items():
        library: Any = sys.modules.get(name)
        if library is not None:
            given = map(getattr(library, framework.make), arrays)
            if result is _MISSING:
                found = _call(f, [*given], deadline)
            else:
                found = result
            if isinstance(found, getattr(library, framework.kind)):
                return name
    return ""


def _call(
    f: Callable[..., object], arrays: Sequence[Any], deadline: float, *missing: type[Exception]
) -> object:
    """Calls a function; returns `_MISSING` after an error of the given types, None after others.

    The given types default to TypeError and AttributeError: arguments lack what is asked of them.
    """
    kinds = missing or (TypeError, AttributeError)
    try:
        with until(deadline), interrupted(), one_guarded_call():
            return f(*(np.array(a) if isinstance(a, np.ndarray) else a for a in arrays))
    except kinds:
        return _MISSING
    except KeyboardInterrupt:
        raise
    except BaseException:  # the check itself reports it
        return None
