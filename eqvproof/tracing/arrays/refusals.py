"""Refusals of calls on traced values, which name the function and the user's line."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from types import FrameType
from typing import TypeVar

import numpy as np

from eqvproof.support.errors import ShapeError, TraceError
from eqvproof.tracing.arrays.context import UNKNOWN, TraceContext
from eqvproof.tracing.observing.frames import is_other_library_file, is_stray, owner_of_frame
from eqvproof.tracing.observing.monitoring import pause, resume

R = TypeVar("R")
_CLASS = "the class of {} is asked for (isinstance, a class pattern, dispatch on type)"


def name_of(function: object) -> str:
    """Returns the name of a function as users write it."""
    module = getattr(function, "__module__", None) or "numpy"
    if isinstance(function, np.ufunc) and "scipy" not in str(module):
        module = "numpy"
    if module.startswith(("numpy._core", "numpy.lib", "numpy.core")):
        module = "numpy"
    if module.startswith("numpy"):
        short = module.replace("numpy", "np", 1)
    else:
        short = module
    return f"{short}.{getattr(function, '__name__', function)}"


def require_running(context: TraceContext) -> None:
    """Refuses the use of a traced value after its call, or in another thread."""
    if not context.active:
        context.refuse("a value of an earlier call is used: the function keeps state between calls")
    if context.thread != threading.get_ident():
        context.refuse("a traced value is used in another thread")


def guarded(
    context: TraceContext, name: str, handler: Callable[..., R], args: Iterable[object],
    kwargs: Mapping[str, object], integers: tuple[object, bool] = UNKNOWN,
) -> R:  # fmt: skip
    """Calls a handler and turns its errors into refusals.

    `integers` is the type of the integers that the call makes.
    """
    require_running(context)
    paused, before = pause(), context.integers
    context.integers = integers
    try:
        return handler(context, *args, **kwargs)
    except TraceError:
        raise
    except ShapeError as error:
        given = f": {error.given}" if error.given else ""
        context.refuse(f"{name}: {error.message}{given}", hint=error.hint, code="trace.shape")
    except (TypeError, ValueError, IndexError, KeyError, ArithmeticError, AttributeError) as error:
        context.refuse(
            f"{name} with these arguments is not traced ({error})", code="trace.unsupported"
        )
    finally:
        context.integers = before
        resume(paused)


def unsupported(context: TraceContext, name: str) -> object:
    """Refuses a function that has no handler."""
    context.refuse(
        f"{name} is not traced",
        hint="write it with the functions that are, or leave it uninterpreted with eqvproof.opaque",
        code="trace.unsupported",
    )


def record_class_query(context: TraceContext, what: str) -> None:
    """Records a refusal if the user's code asks for a traced value's class (isinstance, match)."""
    _record(context, _CLASS.format(what), ("stdlib",))


def record_memory_query(context: TraceContext) -> None:
    """Records a refusal if the user's code asks for the memory layout of an array."""
    _record(context, "how the memory of an array lies is asked for", ("stdlib", "engine"))


def _record(context: TraceContext, what: str, between: tuple[str, ...]) -> None:
    """Records a refusal if the user's code asked; questions of libraries are answered."""
    frame: FrameType | None = sys._getframe(3)
    while frame is not None and owner_of_frame(frame) in between:
        frame = frame.f_back
    if frame is not None and is_other_library_file(frame.f_code.co_filename):
        context.note_asked(frame.f_code, frame.f_lasti)
    if frame is None or owner_of_frame(frame) != "user" or not context.active:
        return
    if is_stray(frame, context.codes_that_ran()):
        return
    hint = "the formula does not depend on it; leave the test out"
    context.record(what, hint=hint, code="trace.isinstance")
