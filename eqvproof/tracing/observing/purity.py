"""Checks that a target is a function: compares reachable Python state before and after calls.

A function gives equal results for equal arguments, whatever ran before. After a first run
everything that the code can reach is fingerprinted; after a second run, and after the replays, the
fingerprint must be the same. The code that ran must be reached by names, must
contain no effect that a trace cannot see, and must use nothing that is not known to be pure.
"""

from __future__ import annotations

import random
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from types import CodeType
from typing import Any, TypeVar

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.support.forked_work import continue_in_copy
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.context import alone, make_error
from eqvproof.tracing.arrays.object_state import (
    Contents,
    Place,
    UsesOfState,
    is_watched,
    kept,
)
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.numpy.library_code import STARTS, packages_kept
from eqvproof.tracing.numpy.patching import CACHE, Slot, slot_in
from eqvproof.tracing.observing.code import (
    Finding,
    examine,
    following,
    handlers_at,
    reads,
)
from eqvproof.tracing.observing.executed_code import Recorder
from eqvproof.tracing.observing.frames import place_text
from eqvproof.tracing.observing.named_objects import Steps
from eqvproof.tracing.observing.reachable_objects import Reach
from eqvproof.tracing.samples import make_inputs

_T = TypeVar("_T")
_HOOKS = LaterModule("eqvproof.tracing.observing.hooks")


class Guard:
    """The state of one target that must not change while it is traced and replayed.

    Args:
        target: the function.
        has_classes: whether the values with which it is traced answer which class they are of.

    Attributes:
        target: the function.
        slots: places that hold array functions directly.
        codes: code objects that are reached without entering modules.
        exchanged: whether some of the slots are in modules of installed packages.
    """

    def __init__(self, target: Any, *, has_classes: bool = False) -> None:
        self.target = target
        self._has_classes = has_classes
        self._torch = sys.modules.get("torch")
        self._random = _random_state(self._torch)
        first = Reach(target)
        self._place = _first_function(first)
        self.codes: frozenset[CodeType] = frozenset(first.codes)
        self.slots: list[Slot] = first.slots
        self.exchanged = False
        self.of_packages = first.of_packages
        self._holders = first.holders + list(_holders_in(first.of_packages))
        self._remembered = Contents()
        self._untold: list[Place] = []
        self._uses = UsesOfState()
        self._failed: frozenset[tuple[CodeType, int]] = frozenset()
        self._ends = first.ends
        self._keys: dict[int, dict[tuple[object, ...], tuple[object, ...]]] = {}
        self._mixed: list[str] = []
        self._found = first

    def kept(self, more: Sequence[tuple[object, str]] = ()) -> AbstractContextManager[list[Place]]:
        """Returns a context manager that undoes and lists what a call stores."""
        return kept([*self._holders, *more], self._untold, self._uses)

    def packages_kept(self) -> AbstractContextManager[list[Place]]:
        """Returns a context manager that undoes and lists what a call stores in packages."""
        return packages_kept(self.of_packages, self.is_state)

    def learns(self, error: TraceError) -> bool:
        """Adds replaceable names of a package's code after a refusal, if there are any.

        They are then replaced as they are in the user's code.
        """
        if error.asked is None:
            return False
        (code, scope), error.asked = error.asked, None
        known = {slot.key for slot in self.slots if slot.owner is scope}
        named = sorted({read.name for read in reads(code)} - known)
        found = [slot for name in named if (slot := slot_in(scope, name)) is not None]
        self.slots += found
        self.exchanged = self.exchanged or bool(found)
        return bool(found)

    def recorder(self) -> Recorder:
        """Returns a recorder for a call of the target."""
        return Recorder(self.codes)

    def hides(self, changed: Sequence[Place]) -> bool:
        """Hides the places that calls change from now on; returns whether there are new ones."""
        before = len(self._untold)
        for place in changed:
            if place.key is None:
                raise self.is_state(place.path)
            if all(place.holder is not q.holder or place.key != q.key for q in self._untold):
                self._untold.append(place)
        return len(self._untold) > before

    def fresh(self, function: Callable[..., object]) -> Callable[..., object]:
        """Returns the function called with empty caches, so that equal calls run the same code.

        The values that it caches must not change, which `require_unchanged` checks.
        """
        slots = [slot for slot in self.slots if type(slot.value) is CACHE]

        def called(*args: object) -> object:
            with alone():
                anew = {id(s.value): self._remembering(s.value) for s in slots}
                before = [(slot, slot.exchange(anew[id(slot.value)])) for slot in slots]
                try:
                    return function(*args)
                finally:
                    for slot, old in reversed(before):
                        slot.put_back(old)

        if slots:
            return called
        return function

    def _remembering(self, cache: Any) -> Any:
        """Returns another cache of the same function, which records values and kinds of keys."""
        from eqvproof.tracing.observing.keys_of_caches import is_one_form

        forms = self._keys.setdefault(id(cache), {})
        parameters = cache.cache_parameters()

        def remembered(*args: Any, **kwargs: Any) -> Any:
            made = cache.__wrapped__(*args, **kwargs)
            for holder, path in _holders_in([(made, f"what {cache.__name__} remembers")]):
                self._remembered.record(holder, path)
            return made

        found = lru_cache(**parameters)(remembered)

        def asked(*args: Hashable, **kwargs: Hashable) -> object:
            if not is_one_form(forms, args, kwargs, typed=parameters["typed"]):
                self._mixed.append(cache.__name__)
            return found(*args, **kwargs)

        return asked

    def judge(
        self, recorder: Recorder, *, one_way: bool = False, mixes_classes: bool = True
    ) -> None:
        """Refuses code that ran with effects unseen in a trace; else fingerprints its objects.

        Args:
            recorder: the record of the trace.
            one_way: whether no branch depends on values, so that each replay runs all that ran.
            mixes_classes: whether the class of a number may depend on entries.
        """
        if one_way:
            self._failed = frozenset(
                place for place in recorder.failed if following(*place) not in recorder.steps
            )
        self._found = self._reach({step for step in recorder.steps if step[0] in recorder.codes})
        if self._has_hooks():
            for hook in _HOOKS.hooks_of_the_user():
                message = f"{hook} is a function of the user's"
                raise make_error(message, self._place, _HINT, "trace.impure")
        for reason, path in (*self._ends, *self._found.ends, *self._found.findings):
            raise make_error(f"{reason} ({path})", self._place, _HINT, "trace.impure")
        allowed = self._allowed_handlers(recorder, mixes_classes=mixes_classes)
        for code in sorted(recorder.codes, key=lambda c: (c.co_filename, c.co_firstlineno)):
            for finding in examine(
                code,
                has_classes=self._has_classes,
                allowed=allowed.get(code, ()),
            ):
                raise _refusal(finding)
            if code not in self._found.codes:
                raise _refusal(
                    Finding(f"{code.co_qualname} runs, which is not reached by a name",
                            place_text(code.co_filename, code.co_firstlineno))
                )  # fmt: skip
        packages = {code for code, offset in recorder.steps if offset == STARTS}
        if self._untold:
            self._judge_untold(recorder.codes | packages)
        for reason, place in recorder.complaints(one_way=one_way):
            raise _refusal(Finding(reason, place))
        self._require_same()

    def _has_hooks(self) -> bool:
        """Checks whether something unusual is called for a warning or an error."""
        usual = vars(warnings).get("_showwarning_orig")
        return warnings.showwarning is not usual or np.geterrcall() is not None

    def _judge_untold(self, ran: Collection[CodeType]) -> None:
        """Refuses code that may decide by what calls leave.

        An attribute may only be read to compute its own next value. Reads of other places, and
        reads by functions that take objects apart, are not seen: then no code may ask what any
        object is. No value may move from place to place, which later calls would find elsewhere.
        """
        from eqvproof.tracing.observing.attribute_readers import names_a_reader
        from eqvproof.tracing.observing.uses_of_state import asks_what_objects_are, renews_itself

        for place in self._uses.moved:
            raise self.is_state(place.path)
        for place in self._untold:
            for name, code, offset in self._uses.reads:
                if name == place.key and not renews_itself(code, offset):
                    raise self.is_state(place.path)
        unseen = self._untold
        if not names_a_reader(ran, self._found.functions, self._found.met):
            unseen = [place for place in unseen if not is_watched(place)]
        if unseen and any(map(asks_what_objects_are, ran)):
            raise self.is_state(unseen[0].path)

    def _allowed_handlers(
        self, recorder: Recorder, *, mixes_classes: bool
    ) -> Mapping[CodeType, frozenset[int]]:
        """Maps code that ran to the offsets of its handlers that need not be seen."""
        if not any(map(handlers_at, recorder.codes)):
            return {}
        from eqvproof.tracing.observing.handlers import allowed_handlers

        return allowed_handlers(
            recorder.codes, recorder.steps, self._found.functions, self._found.met,
            mixes_classes=mixes_classes, has_classes=self._has_classes,
        )  # fmt: skip

    def _reach(self, steps: Steps) -> Reach:
        left_out = {(id(p.holder), p.key) for p in self._untold}
        return Reach(
            self.target, steps, left_out, has_classes=self._has_classes, failed=self._failed
        )

    def _require_same(self) -> None:
        """Refuses a target that draws random numbers, or changes values in its own caches."""
        if _random_state(self._torch) != self._random:
            raise make_error(
                "the function draws random numbers",
                "",
                "pass random numbers to the function as arguments",
                ErrorCode.TRACE_RANDOM,
            )
        for name in self._mixed:
            raise self.is_state(f"keys of the cache of {name} that are equal, of different types")
        for place in self._remembered.changes():
            raise self.is_state(place.path)

    def require_unchanged(self) -> None:
        """Refuses a target whose reachable data, or a global random generator, has changed."""
        self._require_same()
        now, before = self._reach(self._found.steps or ()), self._found
        if now.tokens != before.tokens:
            pairs = zip(now.tokens, before.tokens, now.paths, strict=False)
            raise self.is_state(next((path for a, b, path in pairs if a != b), now.paths[-1]))

    def is_state(self, path: str) -> Exception:
        """Builds the error for stored values that may decide a result."""
        return make_error(
            f"the result may depend on {path}, which each call changes", self._place,
            "pass what it needs as arguments, and return what it computes", ErrorCode.TRACE_STATE,
        )  # fmt: skip


def after_first_call(
    target: object, answer: Callable[[Mapping[str, Numbers], Mapping[str, int]], object],
    signature: Signature, pins: Mapping[str, int], holders: Sequence[tuple[object, str]] = (),
) -> None:  # fmt: skip
    """Calls the target once on real arrays, so that effects of only the first call are over.

    Args:
        target: the function.
        answer: its result for arrays of some sizes; None where it has none.
        signature: its typing.
        pins: sizes that are given.
        holders: containers, besides the user's own, in which calls may store values.

    Raises:
        TraceError: what it stores differs with inputs or sizes, and decides what later calls
            return. It is taken away again.
    """
    free = [n for n in signature.input_names if n not in pins]
    rng = np.random.default_rng(0)

    def arguments(first: int, beyond: int = 0) -> tuple[dict[str, Numbers], dict[str, int]]:
        sizes = {n: max(1, s + beyond) for n, s in pins.items()} | {
            n: first + k for k, n in enumerate(free)
        }
        return make_inputs(signature, sizes, "normal", rng), sizes

    guard, early = Guard(target), []
    one, *others = map(arguments, (3, 3, 2, 5))
    for other in others:
        with guard.kept(holders) as changed, guard.packages_kept() as more:
            early.append(answer(*other))
        changed += more
        if not changed:
            return
    # sizes that are given may be others in calls before
    for first in (one, arguments(3, beyond=1), arguments(3, beyond=-1)):
        with guard.kept(holders), guard.packages_kept():
            answer(*first)
            late = [answer(*other) for other in others]
        if not all(map(_are_equal, early, late)):
            raise guard.is_state(changed[0].path)
    answer(*one)


def without_threads(read: Callable[[], _T]) -> _T:
    """Returns what reading a target finds; repeats it if other threads may have drawn numbers.

    A forked copy of this process has no other threads, so that all random numbers drawn there are
    drawn by the target. Threads are counted before, since the reading may have continued in a copy
    that was made after they had drawn.
    """
    is_alone = threading.active_count() == 1
    try:
        return read()
    except TraceError as error:
        if error.code != ErrorCode.TRACE_RANDOM or is_alone:
            raise
    continue_in_copy()
    return read()


def _are_equal(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    try:
        return bool(np.array_equal(one, other, equal_nan=True))
    except TypeError:  # no numbers
        return True


_HINT = "only what a trace can see may decide the result"


def _refusal(finding: Finding) -> Exception:
    return make_error(finding.reason, finding.place, _HINT, "trace.impure")


def _holders_in(roots: Iterable[tuple[object, str]]) -> Iterator[tuple[object, str]]:
    """Yields the objects reached from others in which a call may change something."""
    for root, path in roots:
        from eqvproof.tracing.numpy.library_state import reached

        yield from ((holder, path) for holder in reached(root))


def _first_function(found: Reach) -> str:
    for function in found.functions:
        return place_text(function.__code__.co_filename, function.__code__.co_firstlineno)
    return ""


def _random_state(torch: Any) -> tuple[object, ...]:
    state: Any = np.random.get_state(legacy=False)
    inner = state["state"]
    if torch is None:
        own = None
    else:
        own = torch.get_rng_state().numpy().tobytes()
    return (
        own,
        random.getstate(),
        inner["key"].tobytes(),
        inner["pos"],
        state["has_gauss"],
        state["gauss"],
    )
