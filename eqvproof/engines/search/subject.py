"""What is searched: a Program, or a function that is only called."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import numpy as np

from eqvproof.engines.search.found import Array, Inputs
from eqvproof.errors import TargetError
from eqvproof.evaluate import evaluate_exact, evaluate_float
from eqvproof.exact import (
    ExactArray,
    ExactSignal,
    Inexact,
    Undecided,
    Undefined,
    exact_array,
    precision,
    recording,
    result_array,
)
from eqvproof.frontends import run
from eqvproof.frontends.run import call_target
from eqvproof.program import Program
from eqvproof.signature import Signature

Sizes = Mapping[str, int]
#: Precisions, in bits, at which a function is run in exact arithmetic.
_PRECISIONS = (128, 512)
_E = TypeVar("_E", bound=BaseException)


class Subject(Protocol):
    """A function that is judged.

    Attributes:
        is_black_box: whether it is only called (so that its answers may change, and must be recorded).
    """

    is_black_box: bool

    def exact(self, inputs: Inputs, sizes: Sizes) -> Array:
        """f(x), entries `Real`, UNDEFINED or UNDECIDED_ENTRY.

        Raises:
            Undefined: f(x) is undefined as a whole. Undecided: enclosures did not tell. Inexact: the function
                does not run on exact numbers. TargetError, ShapeError: it does not give an array as declared.
        """

    def floats(self, inputs: Inputs, sizes: Sizes) -> Array:
        """f(x) for arrays of floats, in whatever floats it answers; not finite where undefined.

        Raises:
            Undefined: an arithmetic error. TargetError, ShapeError: as above.
        """

    def program_at(self, sizes: Sizes) -> Program | None:
        """The Program, where a certificate may hold it instead of recorded values."""


class ProgramSubject:
    """A Program for all sizes, or one for each size."""

    is_black_box = False

    def __init__(
        self,
        program: Program | Callable[[Sizes], Program],
        opaque: Mapping[str, Callable[..., Any] | None] | None,
    ) -> None:
        self._program = program
        self._opaque = opaque
        self._known: dict[tuple[tuple[str, int], ...], Program] = {}

    def _at(self, sizes: Sizes) -> Program:
        if isinstance(self._program, Program):
            return self._program
        key = tuple(sorted(sizes.items()))
        if key not in self._known:
            self._known[key] = self._program(sizes)
        return self._known[key]

    def exact(self, inputs: Inputs, sizes: Sizes) -> Array:
        """The value in exact arithmetic."""
        result: Array = evaluate_exact(self._at(sizes), inputs, dict(sizes), opaque=self._opaque)
        return result

    def floats(self, inputs: Inputs, sizes: Sizes) -> Array:
        """The value in the floats of the inputs."""
        dtype = next((a.dtype for a in inputs.values() if a.dtype.kind == "f"), np.dtype(np.float64))
        return np.asarray(evaluate_float(self._at(sizes), inputs, dict(sizes), dtype, opaque=self._opaque))

    def program_at(self, sizes: Sizes) -> Program | None:
        """The Program; None where uninterpreted functions leave its value open."""
        program = self._at(sizes)
        return None if program.opaques else program


class BlackboxSubject:
    """A Python function of arrays."""

    is_black_box = True

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self._function = function
        self._signature = signature
        self.notes: list[str] = []

    def exact(self, inputs: Inputs, sizes: Sizes) -> Array:
        """What the function returns for arrays of exact numbers."""
        last: Undecided | None = None
        for bits in _PRECISIONS:
            try:
                return self._exact_once(inputs, sizes, bits)
            except Undecided as signal:
                last = signal
        raise last if last is not None else Undecided("no precision was tried")

    def _exact_once(self, inputs: Inputs, sizes: Sizes, bits: int) -> Array:
        arrays = {a.name: _exact_argument(inputs[a.name], a.kind) for a in self._signature.inputs}
        with precision(bits), recording() as signals:
            try:
                result: Array = result_array(self._call(arrays, sizes))
            except Exception as error:
                signal = caused_by(error, (ExactSignal,))
                if signal is not None:
                    raise signal from error
                if signals:
                    raise Inexact("the target gave up after exact computation had stopped") from error
                if caused_by(error, (TypeError, AttributeError, NotImplementedError)) is not None:
                    raise Inexact("the target does not run on exact numbers", given=str(error)) from error
                meaning = _as_undefined(error)
                if meaning is error and self._runs_on_floats(inputs, sizes):
                    raise Inexact("the target does not run on exact numbers", given=str(error)) from error
                raise meaning from error
        if signals:
            first = signals[0]
            if isinstance(first, Inexact):
                raise first
            raise Undecided("the target went on after exact computation had stopped", given=str(first))
        return result

    def _runs_on_floats(self, inputs: Inputs, sizes: Sizes) -> bool:
        """Whether the function returns something at the same point, given as floats."""
        try:
            arrays = {
                a.name: float_argument(inputs[a.name], a.kind, np.float64) for a in self._signature.inputs
            }
            self._call(arrays, sizes)
        except Exception:
            return False
        return True

    def floats(self, inputs: Inputs, sizes: Sizes) -> Array:
        """What the function returns for arrays of floats."""
        try:
            result = np.asarray(self._call({n: a.copy() for n, a in inputs.items()}, sizes))
        except Exception as error:
            raise _as_undefined(error) from error
        if result.dtype.kind not in "fiub":
            raise TargetError(
                "the target does not return real numbers",
                given=f"an array of dtype {result.dtype}",
                expected="floats",
            )
        return result.copy() if result.dtype.kind == "f" else result.astype(np.float64)

    def overflows(self, inputs: Inputs, sizes: Sizes) -> bool:
        """Whether a value on the way is beyond the floats, as far as NumPy notices."""
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

    def _call(self, arrays: dict[str, Array], sizes: Sizes) -> Array:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result: Array = run(self._answer, self._signature, arrays, dict(sizes), notes=self.notes)
        return result

    def _answer(self, *arguments: Array) -> Any:
        """The target's answer; object arrays reach it as arrays of exact numbers."""
        return self._function(*(a.view(ExactArray) if a.dtype == object else a for a in arguments))

    def program_at(self, sizes: Sizes) -> Program | None:
        """None: the values are recorded."""
        return None


def _exact_argument(array: Array, kind: str) -> Array:
    if kind == "bool":
        return array.astype(bool)
    if kind == "index":
        return array.astype(np.int64)
    exact: Array = exact_array(array)
    return exact


def float_argument(array: Array, kind: str, dtype: Any) -> Array:
    """An argument for a run on floats: the nearest floats, integers for indices, booleans for masks."""
    if kind == "bool":
        return array.astype(bool)
    if kind == "index":
        return array.astype(np.int64)
    return np.array([nearest(v) for v in array.flat], dtype=np.float64).reshape(array.shape).astype(dtype)


def nearest(value: Any) -> float:
    """The nearest float; an infinity beyond their range."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def caused_by(error: BaseException | None, kinds: tuple[type[_E], ...]) -> _E | None:
    """The first error of some kinds among an error and its causes."""
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, kinds):
            return error
        error, seen = error.__cause__ or error.__context__, seen + 1
    return None


def _as_undefined(error: Exception) -> Exception:
    """Arithmetic errors mean that f(x) is undefined; others stay what they are."""
    arithmetic = caused_by(error, (ArithmeticError, np.linalg.LinAlgError))
    domain = caused_by(error, (ValueError,))
    if arithmetic is not None or (domain is not None and "math domain error" in str(domain)):
        return Undefined("an arithmetic error", given=str(error))
    return error


def program_subject(
    program: Program | Callable[[Sizes], Program],
    opaque: Mapping[str, Callable[..., Any] | None] | None = None,
) -> ProgramSubject:
    """A Program (for all sizes, or a function that gives one for each size) as the subject of a search.

    Args:
        program: the Program.
        opaque: functions that stand for uninterpreted ones; values drawn by hash stand for the others.
    """
    return ProgramSubject(program, opaque)


def blackbox_subject(function: Callable[..., Any], signature: Signature) -> BlackboxSubject:
    """A Python function as the subject of a search: run on exact numbers where it can, else on floats."""
    return BlackboxSubject(function, signature)
