"""Tracing of a function to its Program: traced twice, examined, and replayed before use."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.programs import Program, as_computed
from eqvproof.support.code_line import NO_LINE, CodeLine
from eqvproof.support.deadline import TimeIsUp
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError, error_text, kind_of
from eqvproof.support.lazy import LaterModule
from eqvproof.support.rounding_mode import current_mode
from eqvproof.tracing.arrays import functions, machine
from eqvproof.tracing.arrays.context import TraceContext, make_error
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.masks import finite
from eqvproof.tracing.arrays.object_state import paths_kept_apart
from eqvproof.tracing.arrays.paths import Path, chosen, every_path, raised_on_purpose
from eqvproof.tracing.arrays.poles import not_a_number
from eqvproof.tracing.arrays.simplification import simplify
from eqvproof.tracing.arrays.traced_program import Drafts, input_node, require_shape
from eqvproof.tracing.arrays.tracer import ANSWERS
from eqvproof.tracing.arrays.values import Array, Kind, Numbers, make, node_of
from eqvproof.tracing.numpy.patching import replacement, tracing
from eqvproof.tracing.observing.executed_code import Recorder, TracedPath
from eqvproof.tracing.observing.frames import is_followed_file, package_that_asks, place_of
from eqvproof.tracing.observing.monitoring import watching
from eqvproof.tracing.observing.purity import Guard, after_first_call, without_threads
from eqvproof.tracing.observing.restore_process import one_guarded_call
from eqvproof.tracing.replay import TOLERANCE, ReplayedProgram, replay
from eqvproof.tracing.run import run
from eqvproof.tracing.samples import NO_SPANS, Spans
from eqvproof.tracing.trace import LONG_BITS, SHORT_BITS, Trace

opaque = LaterModule("eqvproof.tracing.opaque")
#: Bits of the shortest floats that a function casts to -> relative tolerance of its results.
TOLERANCES = {64: TOLERANCE, 32: 1e-3}


_OBJECTS = LaterModule("eqvproof.tracing.arrays.entries_as_objects")
#: Stands for the result of a run that ended in an exception of the function's own.
RAISED = object()


def trace_all_sizes(
    function: Callable[..., object],
    signature: Signature,
    pins: Mapping[str, int] | None = None,
    *,
    seed: int = 0,
    limited: bool = False,
    spans: Spans = NO_SPANS,
) -> Trace:
    """Traces a function to a Program for all sizes from 1 up, those in `pins` fixed.

    With `spans`, the Program is for these sizes alone; with `limited`, for sizes at which no
    machine integer is too large for its type: `Trace.limits`.

    Raises:
        TraceError: the function cannot be traced so; the message names the user's line and the
            reason.
    """
    return _trace(function, signature, dict(pins or {}), seed, limited=limited, spans=spans)


def trace_at(
    function: Callable[..., object],
    signature: Signature,
    sizes: Mapping[str, int],
    *,
    held: Mapping[str, Numbers] | None = None,
) -> Trace:
    """Traces a function to a Program at fixed sizes; shapes are integers, and loops unroll.

    Args:
        function: the function.
        signature: its typing.
        sizes: of all names.
        held: arguments with fixed arrays: the Program is that of the function of the others.

    Raises:
        TraceError: the function cannot be traced so; the message names the user's line and the
            reason.
    """
    missing = [n for n in signature.input_names if n not in sizes]
    if missing:
        raise TraceError("sizes are missing", given=str(dict(sizes)), expected=", ".join(missing))
    sizes = {n: int(sizes[n]) for n in signature.input_names}
    return _trace(function, signature, sizes, 0, held=held or {})


def _trace(
    function: Callable[..., object], signature: Signature, pins: dict[str, int], seed: int, *,
    limited: bool = False, held: Mapping[str, Numbers] | None = None, spans: Spans = NO_SPANS,
) -> Trace:  # fmt: skip
    def traced(**options: bool) -> Trace:
        return without_threads(
            lambda: _traced(
                function, signature, pins, seed, held or {}, spans, limited=limited, **options
            )
        )

    try:
        return traced()
    except TraceError as error:
        if error.code != ErrorCode.TRACE_INDEX:
            raise
    return traced(has_tables=True)


def _traced(
    function: Callable[..., object],
    signature: Signature,
    pins: dict[str, int],
    seed: int,
    held: Mapping[str, Numbers],
    spans: Spans,
    **options: bool,
) -> Trace:
    pins = {n: s for n, s in {**signature.pins, **pins}.items() if n in signature.input_names}

    def answer(inputs: Mapping[str, Numbers], sizes: Mapping[str, int]) -> object:
        with contextlib.suppress(EqvproofError):
            return run(function, signature, {**inputs, **held}, sizes)
        return None

    # as the processor rounds otherwise, a function is traced that was examined and replayed before
    is_known = bool(current_mode())
    if not is_known:
        after_first_call(function, answer, signature, pins)
    functions.load_scipy()
    guard = Guard(function, has_classes=True)
    with watching(guard.codes) as watched:
        again = True
        while again:
            try:
                with guard.kept() as changed, _other_settings():
                    first = _Run(function, signature, pins, held, guard, **options)
            except TraceError as error:
                if not guard.learns(error):
                    raise
                continue
            again, watched.late = guard.hides(changed) or watched.late, False
        if is_known:
            return first.trace([], {}, spans)
        guard.judge(
            first.recorder,
            one_way=len(first.paths) == 1 and not first.raises,
            mixes_classes=first.context.mixes_classes,
        )
        with guard.kept():
            second = _Run(function, signature, pins, held, guard, **options)
        if second.program != first.program or second.paths != first.paths:
            raise make_error(
                "two traces of the function differ: it is random, or keeps state",
                first.difference(second),
                code=ErrorCode.TRACE_DIFFERS,
            )
        guard.require_unchanged()
        examples, missing = dict[str, Callable[..., object]](), list[str]()
        if first.context.opaques:
            examples, missing = opaque.stand_ins(first.context.opaques)
        notes = list(first.context.notes)
        if missing:
            notes.append(
                f"not replayed on numbers: no function with the assumed symmetry is known for"
                f" {', '.join(missing)} (example= gives one)"
            )
        else:
            recorder = first.recorder

            @functools.cache
            def unrewritten() -> Program | None:
                with contextlib.suppress(TraceError), as_computed(), guard.kept():
                    return _Run(function, signature, pins, held, guard, **options).program
                return None

            traced = ReplayedProgram(
                first.program, frozenset(recorder.codes), tuple(first.paths), examples,
                TOLERANCES.get(first.context.bits, 5e-2), first.raises, first.drafts.limits, spans,
                guard.exchanged, unrewritten, first.lines(),
                frozenset(first.context.codes_by_entries),
            )  # fmt: skip
            replay(guard.fresh(function), signature, traced, pins, seed, held)
            guard.require_unchanged()
    return first.trace(notes, examples, spans)


@contextlib.contextmanager
def _other_settings() -> Iterator[None]:
    """Changes NumPy's settings within the block.

    They are not the user's: a function that reads them is traced to another Program in the second
    run.
    """
    others: Any = {
        kind: "warn" if now == "ignore" else "ignore" for kind, now in np.geterr().items()
    }
    with np.errstate(**others), np.printoptions(precision=3, threshold=2, linewidth=40, sign="+"):
        yield


class _Run:
    """One run of the function on traced arrays."""

    def __init__(
        self,
        function: Callable[..., object],
        signature: Signature,
        pins: dict[str, int],
        held: Mapping[str, Numbers],
        guard: Guard,
        **options: bool,
    ) -> None:
        self.context = TraceContext(ANSWERS, **options)
        self.recorder = guard.recorder()
        self.paths: list[TracedPath] = []
        self._held = held
        with warnings.catch_warnings(), tracing(self.context, guard.slots):
            warnings.simplefilter("ignore")
            self.output = self._every_path(function, signature, pins, guard)
        self._raise_refusals()
        if self.context.gives_objects:
            _OBJECTS.require_no_question(code for code, _ in self.recorder.steps)
        b = self.context.builder
        b.bits = self.context.bits
        limits = machine.limits(b, [n for n in signature.input_names if n not in pins])
        self.drafts = simplify(Drafts(b, self.context.places, self.output, limits, b.modular))
        self.program: Program = self.context.builder.program(self.drafts.output)

    def _every_path(
        self,
        function: Callable[..., object],
        signature: Signature,
        pins: dict[str, int],
        guard: Guard,
    ) -> int:
        def run(path: Path) -> tuple[int | None, Recorder]:
            self.context.path, recorder = path, guard.recorder()
            recorder.answers, self.context.note_asked = path.asked, recorder.note_asked
            self.context.codes_that_ran = lambda: {code for code, _ in recorder.steps}
            result = self._call(function, self._arguments(signature, pins), recorder)
            self.recorder.add(recorder)
            return None if result is RAISED else self._node(result, signature, pins), recorder

        with paths_kept_apart() as start_anew:
            taken = list(every_path(run, start_anew))
        self.paths = [t.recorder.path() for t in taken]
        self.raises = self.context.may_raise or any(t.result is None for t in taken)
        return chosen(self.context.builder, taken)

    def _arguments(self, signature: Signature, pins: Mapping[str, int]) -> list[object]:
        b = self.context.builder
        arguments: list[object] = []
        for argument in signature.inputs:
            if argument.name in self._held:
                arguments.append(self._held[argument.name].copy())
                continue
            node = input_node(b, argument, pins)
            locked = f"the argument {argument.name}"
            kind: Kind = (
                "b" if argument.kind == "bool" else "i" if argument.kind == "index" else "f"
            )
            arguments.append(make(self.context, node, kind, locked=locked, array=True))
        return arguments

    def _call(
        self, function: Callable[..., object], arguments: list[Any], recorder: Recorder
    ) -> Any:
        changes: list[str] = []
        function = replacement(function)
        try:
            with one_guarded_call(changes), recorder:
                result = function(*arguments)
        except (KeyboardInterrupt, TimeIsUp):
            raise
        except TraceError as error:
            self._raise_refusals()
            raise error
        except EqvproofError as error:
            self._raise_refusals()
            raise make_error(error.message, place_of(error), error.hint) from error
        except BaseException as error:  # sys.exit in a target ends the trace, and not the run
            self._raise_refusals()
            path = self.context.path
            if (
                path is not None
                and path.asked
                and raised_on_purpose(error, is_followed_file)
                and not changes
            ):
                recorder.raised.clear()
                name = kind_of(error)
                self.context.note(
                    f"where the function raises {name} (at {place_of(error)}) it has no value"
                )
                return RAISED
            told = make_error(
                f"on traced arrays the function raises {error_text(error)}", place_of(error),
                "what depends on sizes or values cannot be traced for all of them", "trace.raises",
            )  # fmt: skip
            told.asked = package_that_asks(error)
            raise told from error
        if changes:
            raise make_error(
                f"the function replaces {', '.join(changes)}, which was put back", "",
                "call a function of your own instead", ErrorCode.TRACE_STATE,
            )  # fmt: skip
        return result

    def _raise_refusals(self) -> None:
        if self.context.refusals:
            raise self.context.refusals[0]

    def _node(self, result: object, signature: Signature, pins: Mapping[str, int]) -> int:
        kind = type(result)
        if result is None or kind in (tuple, list, dict, str):
            name = "None" if result is None else f"a {kind.__name__}"
            raise make_error(
                f"the function returns {name}, where one array is declared", "", code="trace.result"
            )
        node = self._numbers(lift(self.context, result))
        require_shape(
            self.context.builder.shape(node), signature, pins, "the function returns an array of"
        )
        return node

    def _numbers(self, result: Array) -> int:
        """Returns the node of a result, undefined where it is infinite."""
        b, flags = self.context.builder, result._eqvproof.infinite
        if flags is None:
            return node_of(result)
        self.context.note("where the function returns an infinity it has no value")
        numbers = node_of(finite(result))
        return b.select(flags.numbers, numbers, not_a_number(b))

    def difference(self, other: _Run) -> str:
        """Returns the user's line of the first node in which two runs differ."""
        for number, (a, b) in enumerate(zip(self.program.nodes, other.program.nodes, strict=False)):
            if a != b:
                return str(self.lines().get(number, NO_LINE))
        return ""

    def trace(
        self, notes: list[str], examples: Mapping[str, Callable[..., object]], spans: Spans
    ) -> Trace:
        """Returns the trace of this run, with remarks and functions for the uninterpreted ones."""
        drafts, bits = self.drafts, LONG_BITS
        if self.context.bits < 64:
            bits = SHORT_BITS
        return Trace(
            self.program, self.lines(), tuple(notes), examples, drafts, drafts.limits, drafts.wraps,
            spans, bits,
        )  # fmt: skip

    def lines(self) -> dict[int, CodeLine]:
        """Maps nodes of the Program to the user's lines."""
        return self.drafts.lines(self.drafts.output)
