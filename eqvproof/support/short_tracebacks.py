"""Tracebacks of errors that users see: their own lines, and one of ours."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import ParamSpec, TypeVar

from eqvproof.support import PACKAGE
from eqvproof.support.errors import EqvproofError, ErrorCode

_P = ParamSpec("_P")
_R = TypeVar("_R")
_C = TypeVar("_C")


def shortens_tracebacks(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorates a public function so that its errors are raised without the frames inside.

    What is raised by the target is the cause of such an error; of its traceback the frames of this
    package that led to the target are left out. Other exceptions, which are defects of this
    package, keep all frames.
    """

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except AssertionError as error:  # raised by assertions for tests only
            raise error.with_traceback(None)  # noqa: B904 - its own causes stay
        except EqvproofError as error:
            if error.code == ErrorCode.INTERNAL:
                raise
            if error.__cause__ is not None:
                error.__cause__.with_traceback(_without_ours(error.__cause__.__traceback__))
            raise error.with_traceback(None)  # noqa: B904 - its own causes stay

    return call


def shortens_tracebacks_of_methods(kind: type[_C]) -> type[_C]:
    """Decorates a public class so that its methods raise as functions of `shortens_tracebacks` do."""
    for name, value in list(vars(kind).items()):
        if isinstance(value, FunctionType) and (name == "__init__" or not name.startswith("_")):
            setattr(kind, name, shortens_tracebacks(value))
    return kind


def _without_ours(trace: TracebackType | None) -> TracebackType | None:
    """Returns a traceback from the first frame on that is not of this package."""
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(PACKAGE):
        trace = trace.tb_next
    return trace
