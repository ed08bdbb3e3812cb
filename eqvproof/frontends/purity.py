"""Whether a target is a function: equal arguments, equal results, whatever was called before.

After a first run everything that the code can reach is fingerprinted; after a second one, and after the
replays, the fingerprint must be the same (and the first two runs must have run the same instructions, and
have given the same Program: what only the very first call does has no effect then). The code that ran must be
reached by names, must hold nothing that a trace cannot see, and must use no object whose state cannot be
read.
"""

from __future__ import annotations

import random
from types import CodeType
from typing import Any

import numpy as np

from eqvproof.frontends.code import Finding, examine
from eqvproof.frontends.context import make_error
from eqvproof.frontends.frames import place_text
from eqvproof.frontends.patching import Slot
from eqvproof.frontends.reach import Reach
from eqvproof.frontends.recorder import Recorder


class Guard:
    """Watches one target.

    Attributes:
        target: the function.
        slots: places that hold array functions directly.
        codes: code objects that are reached without entering modules.
    """

    def __init__(self, target: Any) -> None:
        self.target = target
        self._random = _random_state()
        first = Reach(target)
        self._place = _first_function(first)
        self.codes: frozenset[CodeType] = frozenset(first.codes)
        self.slots: list[Slot] = first.slots
        self._ran: frozenset[CodeType] = frozenset()
        self._tokens: list[Any] = []

    def judge(self, recorder: Recorder) -> None:
        """Refuse what ran when it holds what a trace cannot see; else fingerprint what it reaches."""
        self._ran = frozenset(recorder.codes)
        found = Reach(self.target, self._ran)
        self._tokens = found.tokens
        for reason, path in found.findings:
            raise make_error(f"{reason} ({path})", self._place, _HINT, "trace.impure")
        for code in sorted(recorder.codes, key=lambda c: (c.co_filename, c.co_firstlineno)):
            for finding in examine(code):
                raise _refusal(finding)
            if code not in found.codes:
                raise _refusal(
                    Finding(f"{code.co_qualname} runs, which is not reached by a name",
                            place_text(code.co_filename, code.co_firstlineno))
                )  # fmt: skip
        for reason, place in recorder.foreign:
            raise _refusal(Finding(reason, place))
        for place in recorder.raised:
            raise _refusal(Finding("an exception is swallowed", place))
        self.require_unchanged()

    def require_unchanged(self) -> None:
        """Refuse a target whose reachable data, or a global random generator, has changed."""
        if _random_state() != self._random:
            raise make_error(
                "the function draws random numbers", "", "pass random numbers to the function as arguments",
                "trace.random",
            )  # fmt: skip
        if Reach(self.target, self._ran).tokens != self._tokens:
            raise make_error(
                "the function keeps state between calls: something that it can reach has changed",
                self._place,
                "pass what it needs as arguments, and return what it computes", "trace.state",
            )  # fmt: skip


_HINT = "only what a trace can see may decide the result"


def _refusal(finding: Finding) -> Exception:
    return make_error(finding.reason, finding.place, _HINT, "trace.impure")


def _first_function(found: Reach) -> str:
    for function in found.functions:
        return place_text(function.__code__.co_filename, function.__code__.co_firstlineno)
    return ""


def _random_state() -> tuple[Any, ...]:
    state: Any = np.random.get_state(legacy=False)
    inner = state["state"]
    return random.getstate(), inner["key"].tobytes(), inner["pos"], state["has_gauss"], state["gauss"]
