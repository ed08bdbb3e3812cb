"""The functions of a search: Programs, and functions that are only called."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from fractions import Fraction
from math import prod
from typing import Any, Protocol, TypeVar

import numpy as np

from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search.perturbed_rounding import call_function
from eqvproof.engines.search.result import Array, Inputs, Nondeterministic
from eqvproof.numbers import Inexact, Undefined
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.programs.evaluate.floats import nearest_float
from eqvproof.programs.evaluate.library_functions import rests_on_ties_alone
from eqvproof.programs.evaluate.named_constants import computed_numbers, holds_named
from eqvproof.programs.evaluate.opaque import functions_without_values
from eqvproof.programs.plain_comparisons import simplify_comparisons
from eqvproof.support.code_line import CodeLine
from eqvproof.support.context_values import held_during
from eqvproof.support.errors import ErrorCode, TargetError, TraceError
from eqvproof.support.rounding_mode import current_mode
from eqvproof.tracing.framework import SLACK, FrameworkTarget
from eqvproof.tracing.observing.outside_domain import is_outside_domain
from eqvproof.tracing.run import call_target, run
from eqvproof.tracing.samples import make_inputs
from eqvproof.tracing.trace import Trace

Sizes = Mapping[str, int]
#: Largest number of constants, and of computed numbers, of a Program for exact arithmetic: more
#: take seconds.
MOST_EXACT_NUMBERS = 3_000_000
#: Number of points at which a copy in float64 is compared with the function itself.
_COMPARED = 2
#: Largest number of cached Programs with plain comparisons.
_MOST_PROGRAMS = 64
_named: ContextVar[bool] = ContextVar("eqvproof_named", default=False)
_moved: ContextVar[Mapping[Fraction, Fraction]] = ContextVar("eqvproof_moved", default={})  # noqa: B039
_E = TypeVar("_E", bound=BaseException)
#: Returns the numbers in the code of a function and in its data.
Written = Callable[[], Collection[Fraction | int]]


class Subject(Protocol):
    """A function that a search checks.

    Attributes:
        is_black_box: whether it is only called (so that its results may change, and must be
            recorded).
        literal: whether constants are read as they are stored.
        written: returns the numbers in the code and its data.
    """

    is_black_box: bool
    literal: bool
    written: Written

    def exact(self, inputs: Inputs, sizes: Sizes) -> Array:
        """Returns f(x), with entries `Real`, UNDEFINED or UNDECIDED_ENTRY.

        Raises:
            Undefined: f(x) is undefined as a whole.
            Undecided: enclosures do not tell.
            Inexact: the function does not run on exact numbers.
            TargetError, ShapeError: it returns no array as declared.
        """

    def floats(self, inputs: Inputs, sizes: Sizes) -> Array:
        """Returns f(x) for arrays of floats, in the float type it returns; not finite if undefined.

        Raises:
            Undefined: an arithmetic error.
            TargetError, ShapeError: as above.
        """

    def is_ambiguous(self, inputs: Inputs, sizes: Sizes) -> bool:
        """Checks whether numbers in the Program, if any, may stand for named constants."""

    def computed(self, inputs: Inputs, sizes: Sizes) -> Mapping[Fraction, CodeLine]:
        """Returns the numbers of the Program computed in floats before it, with their lines."""

    def why_not_exact(self, sizes: Sizes) -> str:
        """Returns the reason why `exact` raises Inexact at these sizes; "" if it does not."""

    def program_at(self, sizes: Sizes) -> Program | None:
        """Returns the Program if a certificate may hold it in place of recorded values."""


class ProgramSubject:
    """A Program for all sizes.

    Args:
        program: the Program.
        opaque: implementations of uninterpreted functions; others get values drawn by hash.
        literal: whether numbers are read as they are stored, never as named constants.
        lines: the user's lines of the nodes.
        written: the numbers in the code and its data; None if every number is read as it is stored.
    """

    is_black_box = False

    def __init__(
        self,
        program: Program,
        opaque: Mapping[str, Callable[..., Any] | None] | None = None,
        *,
        literal: bool = False,
        lines: Mapping[int, CodeLine] | None = None,
        written: Written | None = None,
    ) -> None:
        self._lines, self.written = lines or {}, written or frozenset
        self._is_told = written is not None and not literal
        self._traced, self._program = program, simplify_comparisons(program)
        self.literal = literal
        self._opaque = opaque

    def exact(self, inputs: Inputs, sizes: Sizes) -> Array:
        """Returns the value in exact arithmetic."""
        return _exact_value(self._program, inputs, sizes, self._opaque)

    def is_ambiguous(self, inputs: Inputs, sizes: Sizes) -> bool:
        """Checks whether numbers in the Program may stand for named constants."""
        return not self.literal and holds_named(self._program)

    def computed(self, inputs: Inputs, sizes: Sizes) -> Mapping[Fraction, CodeLine]:
        """Returns the numbers of the Program that were computed in floats before."""
        if self._is_told:
            return computed_numbers(self._traced, self._lines, self.written())
        return {}

    def floats(self, inputs: Inputs, sizes: Sizes) -> Array:
        """Returns the value in the floats of the inputs."""
        dtype = next(
            (a.dtype for a in inputs.values() if a.dtype.kind == "f"), np.dtype(np.float64)
        )
        return np.asarray(
            evaluate_float(self._program, inputs, dict(sizes), dtype, opaque=self._opaque)
        )

    def why_not_exact(self, sizes: Sizes) -> str:
        """Returns "": there is a Program."""
        return ""

    def program_at(self, sizes: Sizes) -> Program | None:
        """Returns the Program; None if its value depends on uninterpreted functions."""
        if rests_on_ties_alone(self._program):
            return self._program
        return None


class CalledSubject:
    """A Python function of arrays: called on floats, and traced at single sizes if possible.

    Exact values come from a Program alone. A function that is called on arrays of exact numbers may
    distinguish them from arrays of floats, and then compute another function.

    Args:
        at_sizes: the function, with its Programs.
        literal: whether numbers are read as they are stored, never as named constants.
        written: the numbers in the code and its data; None if every number is read as it is stored.
    """

    is_black_box = True

    def __init__(
        self, at_sizes: AtSizes, *, literal: bool = False, written: Written | None = None
    ) -> None:
        self.written = written or frozenset
        self._is_told = written is not None and not literal
        self._function = at_sizes.function
        self.literal = literal
        self._signature = at_sizes.signature
        self._at_sizes = at_sizes
        self.notes: list[str] = []
        self._kind = "float64"  # the shortest floats of the last call
        self._wide: FrameworkTarget | None = None
        self._is_asked = self._is_compared = False
        self._programs: dict[int, tuple[Trace, Program]] = {}

    def exact(self, inputs: Inputs, sizes: Sizes) -> Array:
        """Returns the value of the Program at these sizes."""
        try:
            trace = self._trace(sizes, inputs)
        except TraceError as error:
            raise Inexact(error.message) from error
        return _exact_value(self._plain(trace), inputs, sizes, trace.opaques)

    def _plain(self, trace: Trace) -> Program:
        """Returns the Program of a trace, with plain comparisons, cached."""
        known = self._programs.get(id(trace))
        if known is None or known[0] is not trace:
            if len(self._programs) >= _MOST_PROGRAMS:
                self._programs.clear()
            known = self._programs[id(trace)] = trace, simplify_comparisons(trace.program)
        return known[1]

    def is_ambiguous(self, inputs: Inputs, sizes: Sizes) -> bool:
        """Checks whether numbers in the Program may stand for named constants."""
        return not self.literal and holds_named(self._trace(sizes, inputs).program)

    def computed(self, inputs: Inputs, sizes: Sizes) -> Mapping[Fraction, CodeLine]:
        """Returns the numbers of the Program that were computed in floats before."""
        if not self._is_told:
            return {}
        trace = self._trace(sizes, inputs)
        return computed_numbers(trace.program, trace.lines, self.written())

    def _trace(self, sizes: Sizes, inputs: Inputs) -> Trace:
        """Traces the function at these sizes.

        If that fails, traces it at the given positions and masks alone.
        """
        mode = current_mode()
        try:
            return self._at_sizes.trace(sizes, mode)
        except TraceError:
            whole = [a for a in self._signature.inputs if a.kind != "real"]
            if not whole:
                raise
        held = {a.name: float_argument(inputs[a.name], a.kind, None) for a in whole}
        return self._at_sizes.trace(sizes, mode, held)

    def why_not_exact(self, sizes: Sizes) -> str:
        """Returns the reason why there is no Program at these sizes; "" if there is one."""
        try:
            trace = self._trace(sizes, self._first_positions(sizes))
        except TraceError as error:
            return error.message
        names = functions_without_values(trace.program, trace.opaques)
        if names:
            return f"{', '.join(names)} has no example to compute with"
        return ""

    def _first_positions(self, sizes: Sizes) -> Inputs:
        """Returns zeros for positions and masks."""
        return {
            a.name: np.zeros([axis.at(sizes) for axis in a.axes], dtype=np.int64)
            for a in self._signature.inputs
            if a.kind != "real"
        }

    def changes_with_rounding(self, sizes: Sizes) -> bool:
        """Checks whether the present rounding mode of the processor changes the Program."""
        try:
            first, now = self._at_sizes.trace(sizes), self._at_sizes.trace(sizes, current_mode())
        except TraceError:
            return True
        return first.program != now.program

    def widen(self) -> bool:
        """Switches to a copy that computes in float64, if there is one; returns whether there is.

        The copy is the same function of real numbers.
        """
        f = self._function
        if not self._is_asked and isinstance(f, FrameworkTarget):
            self._wide, self._is_asked = f.framework.widened(f.target), True
        return self._wide is not None

    @property
    def is_widened(self) -> bool:
        """Checks whether a copy in float64 is called."""
        return self._wide is not None

    @contextmanager
    def as_given(self) -> Iterator[None]:
        """Calls the function itself inside the block, not its copy."""
        wide, self._wide = self._wide, None
        try:
            yield
        finally:
            self._wide = wide

    def floats(self, inputs: Inputs, sizes: Sizes) -> Array:
        """Returns the result of a call with arrays of floats, by the float64 copy if there is one.

        A copy is dropped if it differs from the function, at points without structure, by more than
        rounding explains.
        """
        if self._wide is not None and not self._is_compared:
            self._is_compared = True
            if not self._is_the_same(self._wide, sizes):
                self._wide = None
        return self._floats(self._wide or self._function, inputs, sizes)

    def _is_the_same(self, wide: FrameworkTarget, sizes: Sizes) -> bool:
        """Checks whether a copy agrees with the function, up to the rounding of short floats."""
        f, chance = self._function, np.random.default_rng(0)
        if isinstance(f, FrameworkTarget):
            slack = SLACK[f.framework.precision(f.target)]
        else:
            slack = 0.0
        for _ in range(_COMPARED):
            inputs = make_inputs(self._signature, dict(sizes), "normal", chance)
            try:
                own, found = (self._floats(g, inputs, sizes) for g in (f, wide))
            except Exception:  # not a function in float64, or not at these sizes
                return False
            here = np.isfinite(own)
            if own.shape != found.shape or not np.array_equal(here, np.isfinite(found)):
                return False
            gap = np.max(np.abs(own[here] - found[here]), initial=0.0)
            if not gap <= slack * np.max(np.abs(found[here]), initial=0.0):
                return False
        return True

    def _floats(self, function: Callable[..., Any], inputs: Inputs, sizes: Sizes) -> Array:
        try:
            result = np.asarray(
                self._call(function, {n: a.copy() for n, a in inputs.items()}, sizes)
            )
        except Exception as error:
            raise _as_undefined(error) from error
        if result.dtype.kind not in "fiub":
            raise TargetError(
                "the target does not return real numbers",
                given=f"an array of dtype {result.dtype}",
                expected="floats",
                hint="return real and imaginary parts as two axes",
            )
        with np.errstate(over="ignore"):  # a shorter type has less room
            return result.astype(self._kind)

    def overflows(self, inputs: Inputs, sizes: Sizes) -> bool:
        """Checks whether an intermediate value overflows the floats, as far as NumPy notices."""
        met: list[str] = []
        arrays = {n: a.copy() for n, a in inputs.items()}
        note = lambda kind, _: met.append(kind)  # noqa: E731
        with warnings.catch_warnings(), np.errstate(all="ignore", over="call", call=note):
            warnings.simplefilter("ignore")
            try:
                call_target(self._function, self._signature, arrays, dict(sizes), None)
            except Exception as error:
                return caused_by(error, (OverflowError,)) is not None or bool(met)
        return bool(met)

    def _call(self, function: Callable[..., Any], arrays: dict[str, Array], sizes: Sizes) -> Array:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                answer = functools.partial(self._answer, function)
                result: Array = run(answer, self._signature, arrays, dict(sizes), notes=self.notes)
            except TargetError as error:
                if error.code == ErrorCode.TARGET_STATE:
                    raise Nondeterministic(error.message) from error
                raise
        return result

    def _answer(self, function: Callable[..., Any], *arguments: Array) -> Any:
        result = call_function(function, arguments)
        names = [str(getattr(result, "dtype", "")).removeprefix("torch.")]
        if isinstance(function, FrameworkTarget):
            names.append(function.framework.precision(function.target).removeprefix("b"))
        self._kind = next((t for t in ("float16", "float32") if t in names), "float64")
        return result

    def program_at(self, sizes: Sizes) -> Program | None:
        """Returns the Program at these sizes; None if there is none.

        Also None if its value depends on uninterpreted functions.
        """
        try:
            program = self._plain(self._at_sizes.trace(sizes))
        except TraceError:
            return None
        if rests_on_ties_alone(program):
            return program
        return None


def _exact_value(program: Program, inputs: Inputs, sizes: Sizes, opaque: Any) -> Array:
    """Evaluates a Program in exact arithmetic.

    Raises:
        Inexact: it holds or computes so many numbers that one value takes longer than all
            comparisons in floats.
    """
    if program.stored > MOST_EXACT_NUMBERS:
        raise Inexact(f"exact arithmetic with {program.stored} stored numbers")
    computed = sum(prod(size.value(sizes) for size in node.shape) for node in program.nodes)
    if computed > MOST_EXACT_NUMBERS:
        raise Inexact(f"exact arithmetic with {computed} numbers on the way")
    result: Array = evaluate_exact(
        program, inputs, dict(sizes), opaque=opaque, named=_named.get(), moved=_moved.get()
    )
    return result


def with_moved_numbers(
    numbers: Mapping[Fraction, Fraction],
) -> AbstractContextManager[Mapping[Fraction, Fraction]]:
    """Replaces some numbers of small constants in exact evaluations inside the context."""
    return held_during(_moved, numbers)


def with_named_constants() -> AbstractContextManager[bool]:
    """Reads numbers as the named constants that they may stand for, inside the context."""
    return held_during(_named, True)  # noqa: FBT003


def float_argument(array: Array, kind: str, dtype: Any) -> Array:
    """Returns an argument as nearest floats, as integers for indices, or as booleans for masks."""
    if kind == "bool":
        return array.astype(bool)
    if kind == "index":
        return array.astype(np.int64)
    return (
        np.array([nearest_float(v) for v in array.flat], dtype=np.float64)
        .reshape(array.shape)
        .astype(dtype)
    )


def caused_by(error: BaseException | None, kinds: tuple[type[_E], ...]) -> _E | None:
    """Returns the first error of some kinds among an error and its causes."""
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, kinds):
            return error
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def _as_undefined(error: Exception) -> Exception:
    """Converts arithmetic errors to Undefined; returns others unchanged."""
    arithmetic = caused_by(error, (ArithmeticError, np.linalg.LinAlgError))
    if arithmetic is not None or is_outside_domain(caused_by(error, (ValueError,))):
        return Undefined("an arithmetic error", given=str(error))
    return error
