"""Finds functions of the user's that something else calls: at an object's end, and for messages."""

from __future__ import annotations

import functools
import sys
import warnings
import weakref
from collections.abc import Iterator

import numpy as np

from eqvproof.tracing.observing.frames import is_installed, owner_of_module
from eqvproof.tracing.observing.held_objects import COLLECTIONS, MAPPINGS


def is_of_the_user(function: object) -> bool:
    """Checks whether something that is called is the user's, or changes a container."""
    if isinstance(function, functools.partial):
        return is_of_the_user(function.func) or any(map(is_of_the_user, function.args))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, (*COLLECTIONS, *MAPPINGS, bytearray)):
        return True
    home = getattr(function, "__module__", None) or type(function).__module__
    homes = (str(home), type(owner).__module__)
    # functions that libraries compile say that they are of a module that is none
    return any(name in sys.modules and owner_of_module(name) == "user" for name in homes)


def is_told_at_the_end(value: object) -> bool:
    """Checks whether a function of the user's is called when an object ends."""
    for reference in weakref.getweakrefs(value):
        called: object = reference.__callback__
        if isinstance(called, weakref.finalize):
            told = called.peek()
            called = told and functools.partial(told[1], *told[2])
        if called is not None and is_of_the_user(called):
            return True
    return False


def hooks_of_the_user() -> Iterator[str]:
    """Yields the hooks for messages that are the user's own, and not those of a package."""
    hooks = {"warnings.showwarning": warnings.showwarning, "numpy.seterrcall": np.geterrcall()}
    for name, hook in hooks.items():
        home = sys.modules.get(getattr(hook, "__module__", None) or type(hook).__module__)
        file = getattr(home, "__file__", None)
        if is_of_the_user(hook) and not (isinstance(file, str) and is_installed(file)):
            yield name
