"""Restores what a target changed in the process: array libraries, random states, working folder.

A target is the user's code: it may put functions of its own into NumPy, set random seeds, print
options and error states, change the folder, fork, or end the program. None of this may affect a
later call or end the run. After each call the array libraries are restored; after each question
(`left_as_found`) the state that is meant to last from call to call: a target that draws random
numbers must not draw the same ones again and so look like a function.
"""

from __future__ import annotations

import decimal
import locale
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

import numpy as np

from eqvproof.tracing.arrays.context import alone

#: Modules whose functions determine results.
MODULES = (
    "builtins", "math", "cmath", "random", "numpy", "numpy.linalg", "numpy.fft", "numpy.random",
    "scipy.special", "scipy.linalg", "torch", "torch.nn.functional",
)  # fmt: skip
_MISSING = object()
#: Module -> its names as last copied, and their values in this order.
_copies: dict[str, tuple[dict[str, object], tuple[object, ...]]] = {}


@contextmanager
def one_guarded_call(changes: list[str] | None = None) -> Iterator[None]:
    """Runs one call of a target and undoes its changes to the array libraries.

    A process that the target forks ends where the call ends.

    Args:
        changes: where given, the names that were put back are added.
    """
    process = os.getpid()
    with alone():
        before = [
            (m, _names(n, m)) for n in MODULES if isinstance(m := sys.modules.get(n), ModuleType)
        ]
        try:
            yield
        finally:
            if os.getpid() != process:
                os._exit(0)
            for module, (names, values) in before:
                for name in () if _are(vars(module), values) else _replaced(vars(module), names):
                    setattr(module, name, names[name])
                    text = f"{module.__name__}.{name}"
                    if changes is not None and text not in changes:
                        changes.append(text)


def _names(name: str, module: ModuleType) -> tuple[dict[str, object], tuple[object, ...]]:
    """Returns a module's names and values, from the last copy where it is still correct."""
    known = _copies.get(name)
    if known is None or not _are(vars(module), known[1]):
        names = dict(vars(module))
        known = _copies[name] = names, tuple(names.values())
    return known


def _are(now: dict[str, object], values: tuple[object, ...]) -> bool:
    """Checks whether the values of a dictionary are these, in this order."""
    try:
        return tuple(now.values()) == values
    except Exception:  # identical values are equal without being asked; others may refuse
        return False


def _replaced(now: dict[str, object], before: dict[str, object]) -> list[str]:
    """Lists the names that have another value, or none, now."""
    return [name for name, value in before.items() if now.get(name, _MISSING) is not value]


@contextmanager
def left_as_found() -> Iterator[None]:
    """Runs a question about a target and restores the state of the process afterwards.

    Random generators, NumPy's error state and print options, filters of warnings, the decimal
    context, the locale, the streams, the limit of recursion, environment variables, the folder; of
    PyTorch, where it is loaded, the generator and the type of new tensors.
    """
    generators = random.getstate(), np.random.get_state()
    country, streams = locale.setlocale(locale.LC_ALL), (sys.stdin, sys.stdout, sys.stderr)
    torch: Any = sys.modules.get("torch")
    if torch is None:
        tensors = None
    else:
        tensors = (torch.get_rng_state(), torch.get_default_dtype())
    errors, call = np.geterr(), np.geterrcall()
    printing: dict[str, Any] = dict(np.get_printoptions())
    digits = decimal.getcontext().copy()
    recursion, variables, folder = sys.getrecursionlimit(), dict(os.environ), _folder()
    try:
        with warnings.catch_warnings():
            yield
    finally:
        random.setstate(generators[0])
        np.random.set_state(generators[1])
        np.seterr(**errors)
        np.seterrcall(call)
        np.set_printoptions(**printing)
        decimal.setcontext(digits)
        sys.setrecursionlimit(recursion)
        sys.stdin, sys.stdout, sys.stderr = streams
        if locale.setlocale(locale.LC_ALL) != country:
            locale.setlocale(locale.LC_ALL, country)
        if tensors is not None:
            torch.set_rng_state(tensors[0])
            torch.set_default_dtype(tensors[1])
        if dict(os.environ) != variables:
            os.environ.clear()
            os.environ.update(variables)
        if folder and _folder() != folder:
            with suppress(OSError):
                os.chdir(folder)


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
