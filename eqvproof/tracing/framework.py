"""Functions of torch or JAX behind the calling convention of NumPy targets: traced and replayed.

A framework says how a target is called and how it is read. The checks that a trace must pass before
anything rests on it are the same for all frameworks.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.programs import Program, as_computed, is_same, substitute_sizes
from eqvproof.programs.operations import Operation
from eqvproof.support.code_line import CodeLine
from eqvproof.support.deadline import require_time, timed_call
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError, error_text
from eqvproof.support.forked_work import continue_in_copy_if_slow
from eqvproof.support.rounding_mode import current_mode
from eqvproof.support.writing import entry_text
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.simplification import simplify
from eqvproof.tracing.arrays.traced_program import Drafts
from eqvproof.tracing.arrays.tracer import ANSWERS
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.libraries import AdaptedFunction
from eqvproof.tracing.numpy.patching import tracing
from eqvproof.tracing.observing.code import integer_constants
from eqvproof.tracing.observing.executed_code import (
    Recorder,
    Way,
    paths_of_framework,
    require_all_taken,
    require_same,
)
from eqvproof.tracing.observing.monitoring import watching
from eqvproof.tracing.observing.purity import Guard, after_first_call, without_threads
from eqvproof.tracing.rounding import (
    Point,
    agree_exactly,
    agrees,
    beyond_floats,
    cancelled,
    close,
    is_continuous,
    is_singular,
    is_undefined,
    rests_on_order,
    settled_values,
    undefined_at,
)
from eqvproof.tracing.run import sizes_text
from eqvproof.tracing.samples import (
    NO_SPANS,
    Job,
    Spans,
    affordable,
    limited_to,
    make_inputs,
    require_finite,
    size_choices,
    within,
)
from eqvproof.tracing.trace import Trace
from eqvproof.tracing.vector_signs import refuse_signs

#: Two evaluations of one formula in these float types differ by less than this, relative to the
#: largest entry.
SLACK = {"float64": 1e-7, "float32": 2e-3, "float16": 0.1, "bfloat16": 0.3}


class Framework(Protocol):
    """The interface by which a framework calls and reads its targets.

    Attributes:
        name: the name of the framework.
        asks_of_code: whether sizes to compare at are taken from integers in the user's code.
    """

    name: str
    asks_of_code: bool

    def call(self, target: Callable[..., object], arrays: tuple[object, ...]) -> Any:
        """Calls the target on NumPy arrays; returns the result as a NumPy array where it is one."""

    def read(
        self, target: Callable[..., object], signature: Signature, pins: Mapping[str, int], *,
        limited: bool = False, spans: Spans = NO_SPANS,
    ) -> Drafts:  # fmt: skip
        """Reads the target into a draft Program for all sizes; raises TraceError.

        The drafts hold the nodes, the user's line of each node, and the number of the result's
        node.
        """

    def holders(self, target: Callable[..., object]) -> list[tuple[dict[str, Any], str]]:
        """Lists the dictionaries in which library layers store values when called, and paths."""

    def precision(self, target: Callable[..., object]) -> str:
        """Returns the name of the floating type in which the target computes."""

    def caller(self, target: Callable[..., object], *, first: bool) -> Callable[..., object]:
        """Returns the callable for a comparison; ``first`` for the first call at some sizes."""

    def widened(self, target: Callable[..., object]) -> FrameworkTarget | None:
        """Returns a copy that computes in float64 with the same weights; None if there is none."""

    def session(self) -> AbstractContextManager[object]:
        """Returns the context manager in which every trace and call of a target runs."""


class FrameworkTarget(AdaptedFunction):
    """A function or module of a framework, which can be called with NumPy arrays and traced.

    Args:
        target: the function or module.
        framework: the framework to which it belongs.
    """

    def __init__(self, target: Callable[..., object], framework: Framework) -> None:
        self.target = self.source = target
        self.library = framework.name
        self.framework = framework
        self._state: TraceError | None = None
        self._fresh: Guard | None = None
        self.__name__ = getattr(target, "__name__", type(target).__name__)

    def __call__(self, *arrays: Any) -> Any:
        """Calls the target and returns its result as a NumPy array."""
        if any(a.dtype == object for a in arrays):
            raise TypeError(f"a {self.framework.name} target does not run on exact numbers")
        kept = (
            nullcontext()
            if self._fresh is None
            else self._fresh.kept(self.framework.holders(self.target))
        )
        with self.framework.session(), kept:
            return self.framework.call(self.target, arrays)

    def trace(
        self, signature: Signature, pins: Mapping[str, int], *, limited: bool = False,
        spans: Spans = NO_SPANS,
    ) -> Trace:  # fmt: skip
        """Traces the target to a Program for all sizes from 1 up, or for the sizes in ``spans``.

        Sizes in ``pins`` are fixed. With `limited`, the Program may hold up to greatest sizes only.

        The target is read once. Its results are then compared with the Program at several sizes,
        including 1; it must run the same instructions of the user's code. `confirm` reads it again
        at size 1.

        Raises:
            TraceError: the target cannot be read.
        """
        if self._state is not None:  # values that calls have stored since are no constants
            raise self._state
        try:
            return without_threads(lambda: self._traced(signature, pins, spans, limited=limited))
        except TraceError as error:
            if error.code == ErrorCode.TRACE_AGAIN:
                return self.trace(signature, pins, limited=limited, spans=spans)
            if error.code == ErrorCode.TRACE_STATE:
                self._state, self._fresh = error, Guard(self.target)
            raise

    def _traced(
        self, signature: Signature, pins: Mapping[str, int], spans: Spans, *, limited: bool
    ) -> Trace:
        pins = {n: s for n, s in {**signature.pins, **pins}.items() if n in signature.input_names}
        # as the processor rounds otherwise, a function is traced that was examined and replayed before
        is_known = bool(current_mode())
        with self.framework.session():
            if not is_known:
                after_first_call(
                    self.target, self._answer, signature, pins, self.framework.holders(self.target)
                )
            guard = Guard(self.target)
            with watching(guard.codes):
                again = True
                while again:
                    context, traced = TraceContext(ANSWERS, is_foreign=True), guard.recorder()
                    watched, context.end_way = tracing(context, guard.slots), traced.end_way
                    with guard.kept() as changed, watched, context.refused_first(), traced:
                        read = self.framework.read
                        drafts = simplify(
                            read(self.target, signature, pins, limited=limited, spans=spans)
                        )
                    again = guard.hides(changed)
                program = drafts.builder.program(drafts.output)
                guard.judge(traced)
                known = limited_to(spans, drafts.limits)
                found = traced, known, context.may_raise, drafts.builder.nodes
                lines = drafts.lines(drafts.output)
                if not is_known:
                    self._compare(program, signature, pins, found, lines, guard)
            guard.require_unchanged()
        return Trace(
            program, lines, drafts=drafts, limits=drafts.limits, wraps=drafts.wraps, spans=spans
        )

    def _answer(self, inputs: Mapping[str, Numbers], sizes: Mapping[str, int]) -> Any:
        with contextlib.suppress(Exception):
            return self.framework.call(self.target, tuple(inputs.values()))
        return None

    def _compare(
        self,
        program: Program,
        signature: Signature,
        pins: Mapping[str, int],
        found: tuple[Recorder, Spans, bool, list[Operation]],
        lines: Mapping[int, CodeLine],
        guard: Guard,
    ) -> None:
        traced, spans, raises, nodes = found
        constants = {c for code in traced.codes for c in integer_constants(code)}
        rng = np.random.default_rng(0)
        # in its own floats, a network of float32 is evaluated in half the time
        is_single = self.framework.precision(self.target) == "float32"
        own = np.float32 if is_single else np.float64
        finite = 0
        ways, ran = traced.ways or [frozenset(traced.steps)], set[Way]()
        known = constants if self.framework.asks_of_code else ()
        jumps = raises or len(traced.ways) > 1 or not is_continuous(program)
        samples = comparisons(signature, pins, known, spans, raises=raises, jumps=jumps)

        @functools.cache
        def unrewritten() -> Program | None:
            context = TraceContext(ANSWERS, is_foreign=True)
            watched = tracing(context, guard.slots)
            with contextlib.suppress(TraceError), as_computed(), guard.kept():
                with watched, context.refused_first():
                    drafts = self.framework.read(self.target, signature, pins, spans=spans)
                return drafts.builder.program(drafts.output)
            return None

        for sizes, style in affordable(nodes, samples, len(signature.input_names) - len(pins)):
            require_time()
            call = guard.fresh(self.framework.caller(self.target, first=not ran))
            called = guard.recorder()
            inputs = self._inputs(signature, sizes, style, rng)
            at = Point(program, sizes, inputs, lines=lines)
            expected = at.value(own)
            try:
                result = _called(call, called, signature, inputs, sizes)
            except EqvproofError as error:
                if raises and not np.isfinite(expected).any():
                    ran.add(frozenset(called.steps))
                    continue
                cause = error.__cause__
                told = is_singular(cause) or isinstance(cause, ArithmeticError)
                if told and is_undefined(at):
                    continue
                raise
            ran.add(require_same(ways, called, sizes_text(sizes), whole=not ran))
            if own is not np.float64 and not close(result, expected, SLACK["float32"]):
                expected = at.value()
            finite += self._judge(at, result, expected, style, unrewritten)
        require_finite(finite)
        require_all_taken(paths_of_framework(ways), ran)

    def _inputs(
        self, signature: Signature, sizes: dict[str, int], style: str, rng: np.random.Generator
    ) -> dict[str, Numbers]:
        inputs = make_inputs(signature, sizes, style, rng)
        if self.framework.precision(self.target) == "float64":
            return inputs
        return {
            n: a.astype(np.float32).astype(np.float64) if a.dtype.kind == "f" else a
            for n, a in inputs.items()
        }

    def _judge(
        self, at: Point, result: Numbers, expected: Numbers, style: str,
        unrewritten: Callable[[], Program | None],
    ) -> int:  # fmt: skip
        if result.shape != expected.shape:
            raise TraceError(
                "the trace has another shape", given=f"{expected.shape} and {result.shape}",
                expected="one tensor of the shape that the signature declares",
            )  # fmt: skip
        precision = self.framework.precision(self.target)
        slack = SLACK.get(precision, 0.3)
        if not close(result, expected, slack):
            result = np.where(rests_on_order(at, expected), expected, result)
        if not close(result, expected, slack):
            result = settled_values(at, result, expected, precision, style)
        # floats invert singular matrices, each in their own way
        if not close(result, expected, slack):
            rounded = np.isfinite(result) & np.isfinite(expected) & undefined_at(at)
            result = np.where(rounded, expected, result)
        if not close(result, expected, slack):
            off = cancelled(at, unrewritten(), expected, precision)
            with np.errstate(all="ignore"):
                result = np.where(np.abs(result - expected) <= off, expected, result)
        lacks = np.isfinite(expected) & ~np.isfinite(result)
        if lacks.any() and beyond_floats(at, precision):
            result = np.where(lacks, expected, result)
        if not close(result, expected, slack):
            refuse_signs(at)
            raise TraceError(
                f"the target returns something else than its graph{_worst(result, expected)}",
                given=f"{style} inputs at {dict(at.sizes)}",
                code=ErrorCode.TRACE_REPLAY,
            )
        return int(np.isfinite(result).any() and np.isfinite(expected).any())

    def confirm(self, trace: Trace, signature: Signature, pins: Mapping[str, int]) -> None:
        """Checks that the target, read with axes of size 1, agrees with the Program of a trace.

        A proof waits for this check.

        Raises:
            TraceError: it does not.
        """
        program, spans = trace.program, trace.spans
        free = [n for n in signature.input_names if n not in pins]
        rng = np.random.default_rng(1)
        with self.framework.session():
            single = [n for n in free if spans.get(n, (1, None))[0] == 1]
            for ones in [*((n,) for n in single), tuple(single)][: len(single) + (len(single) > 1)]:
                fixed = dict.fromkeys(ones, 1)
                guard, main = Guard(self.target), substitute_sizes(program, fixed)
                known = tracing(TraceContext(ANSWERS, is_foreign=True), guard.slots)
                try:
                    with guard.kept(), known:
                        read = self.framework.read(
                            self.target, signature, {**pins, **fixed}, spans=spans
                        )
                        drafts = simplify(read)
                except TraceError as error:
                    sizes = within({**dict.fromkeys(free, 1), **pins}, spans)
                    inputs = make_inputs(signature, sizes, "normal", rng)
                    at = Point(main, sizes, {name: inputs[name] for name, _ in main.inputs})
                    if isinstance(error.__cause__, ArithmeticError) and is_undefined(at):
                        continue
                    raise
                other = drafts.builder.program(drafts.output)
                _compare_programs(main, other, signature, rng, (single, pins), spans)


def comparisons(
    signature: Signature,
    pins: Mapping[str, int],
    constants: Iterable[int | float],
    spans: Spans,
    *,
    raises: bool,
    jumps: bool,
) -> list[Job]:
    """Lists sizes and input styles at which a target is compared with its Program.

    `raises` says that the target may raise errors of its own. The most telling ones come first:
    small sizes, all different ones, each style at one size, then other sizes. A target that
    `jumps`, where values decide what is computed, is compared in each style at each size.
    """
    free = [n for n in signature.input_names if n not in pins]
    sizes = [within({**pins, **chosen}, spans) for chosen in size_choices(free, constants)]
    sizes = [s for k, s in enumerate(sizes) if s not in sizes[:k]]
    styles = ["normal", *["positive"] * raises, "integers", "zeros"]
    first = [(s, styles[0]) for s in sizes[: 3 + (len(free) > 1)]] + [
        (sizes[:2][-1], s) for s in styles[1:]
    ]
    rest = [(s, style) for style in (styles if jumps else styles[:1]) for s in sizes]
    return first + [job for job in rest if job not in first]


def _called(
    call: Callable[..., object],
    steps: Recorder,
    signature: Signature,
    inputs: Mapping[str, Numbers],
    sizes: Mapping[str, int],
) -> Numbers:
    copies = [np.array(inputs[a.name]) for a in signature.inputs]
    entries = sum(a.size for a in copies)
    continue_in_copy_if_slow(entries)
    try:
        with timed_call(entries), steps:
            result = call(*copies)
    except EqvproofError:
        raise
    except Exception as error:
        raise TraceError(
            f"at {sizes_text(sizes)}, the target raises {error_text(error)}", code=ErrorCode.TRACE_REPLAY,
            hint="for all sizes means from 1 up; sizes= leaves out those at which it does not work",
            expected="a call at these sizes",
        ) from error  # fmt: skip
    if not isinstance(result, (np.ndarray, np.generic)):
        raise no_array(result)
    return np.asarray(result)


def no_array(result: object) -> TraceError:
    """Builds the error for a target that returns something other than one array."""
    kind = "None" if result is None else f"a {type(result).__name__}"
    return TraceError(
        f"the target returns {kind}, where one array is declared", expected="one array",
        hint="return one of them: lambda *args: f(*args)[0]", code="trace.result",
    )  # fmt: skip


def _compare_programs(
    main: Program,
    single: Program,
    signature: Signature,
    rng: np.random.Generator,
    axes: Any,
    spans: Spans,
) -> None:
    free, pins = axes
    for size in () if is_same(main, single) else (1, 3)[: 1 + bool(main.names)]:
        sizes = within({**dict.fromkeys(free, 1), **dict.fromkeys(main.names, size), **pins}, spans)
        inputs = make_inputs(signature, sizes, "normal", rng)
        inputs = {name: inputs[name] for name, _ in main.inputs}
        at = Point(main, sizes, inputs)
        other = Point(single, sizes, inputs)
        # terms may cancel in one, and leave roundings in the other
        pairs = (
            (at, other),
            (other, at),
        )
        agree = any(agrees(one, two.value(), one.value(), 1e-9, "normal") for one, two in pairs)
        if not agree and not agree_exactly(at, other):
            raise TraceError(
                "the target computes something else at axes of size 1",
                given=", ".join(free),
                code=ErrorCode.TRACE_SIZE,
            )


def _worst(a: Numbers, b: Numbers) -> str:
    """Describes the entry in which two arrays differ most."""
    with np.errstate(all="ignore"):
        same = np.isfinite(a) == np.isfinite(b)
        gap = np.where(same, np.abs(np.nan_to_num(a - b)), np.inf)
    if not gap.size:
        return ""
    at = tuple(int(i) for i in np.unravel_index(int(np.argmax(gap)), gap.shape))
    return f": entry {entry_text(*at)} is {a[at]!r}, the graph gives {b[at]!r}"
