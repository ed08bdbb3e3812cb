"""Whether a target is a function: equal arguments, equal results, whatever was called before.

Before a trace everything that the target can reach is fingerprinted; afterwards, and after every round of
replays, the fingerprint must be the same. The code that ran must be code that was seen beforehand, must hold
nothing that a trace cannot see, and must use no object whose state cannot be read.
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
from eqvproof.frontends.reach import Reach, names_in, reach
from eqvproof.frontends.recorder import Recorder


class Guard:
    """Watches one target.

    Attributes:
        target: the function.
        slots: places that hold array functions directly.
    """

    def __init__(self, target: Any) -> None:
        self.target = target
        self._before = reach(target)
        self._random = _random_state()
        self.slots: list[Slot] = self._before.slots

    def require_unchanged(self) -> None:
        """Refuse a target whose reachable data, or a global random generator, has changed."""
        if _random_state() != self._random:
            raise make_error(
                "the function draws random numbers", "", "pass random numbers to the function as arguments",
                "trace.random",
            )  # fmt: skip
        after = Reach(self.target, self._before.names)
        if after.tokens != self._before.tokens:
            raise make_error(
                "the function keeps state between calls: something that it can reach has changed",
                _first_function(self._before),
                "pass what it needs as arguments, and return what it computes",
                "trace.state",
            )

    def judge(self, recorder: Recorder) -> None:
        """Refuse what ran when it holds something that a trace cannot see."""
        strict = Reach(self.target, names_in(recorder.codes), frozenset(recorder.codes))
        for reason, path in strict.findings:
            raise make_error(f"{reason} ({path})", _first_function(self._before), _HINT, "trace.impure")
        for code in sorted(recorder.codes, key=lambda c: (c.co_filename, c.co_firstlineno)):
            for finding in examine(code):
                raise _refusal(finding)
            if code not in self._before.codes:
                raise _refusal(
                    Finding(f"{code.co_qualname} runs, code that cannot be seen beforehand",
                            place_text(code.co_filename, code.co_firstlineno))
                )  # fmt: skip
        for reason, place in recorder.foreign:
            raise _refusal(Finding(reason, place))
        for place in recorder.raised:
            raise _refusal(Finding("an exception is swallowed", place))

    @property
    def codes(self) -> frozenset[CodeType]:
        """Every code object that may run."""
        return frozenset(self._before.codes)


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
