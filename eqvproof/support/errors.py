"""Errors that say what was given, what was expected, and what to try.

A refutation is a value (a `Verdict`), never an exception; these are raised for bad input only.
Errors about a value that was given are also a ValueError, and about its kind a TypeError, for code
that catches these.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import CodeType
from typing import Any, Self

from eqvproof.support import PACKAGE
from eqvproof.support.writing import visible

#: Largest number of characters of a part of a message.
LONGEST = 4000


class ErrorCode(StrEnum):
    """The codes of errors that decide what is done with a function or an expression next.

    All other codes only tell errors apart for users.
    """

    INTERNAL = "internal"
    # the function is not traced
    TRACE_AGAIN = "trace.again"  # a framework reads it once more in another way
    TRACE_BRANCH = "trace.branch"
    TRACE_DIFFERS = "trace.differs"
    TRACE_INDEX = "trace.index"  # it is traced once more with tables that indices read
    TRACE_RANDOM = "trace.random"
    TRACE_REPLAY = "trace.replay"
    TRACE_SIGNS = "trace.signs"
    TRACE_SIZE = "trace.size"
    TRACE_STATE = "trace.state"
    TRACE_TORCH = "trace.torch"
    TRACE_WIDTH = "trace.width"  # integers may overflow
    # a call of it has no usable result
    TARGET_RAISES = "target.raises"
    TARGET_STATE = "target.state"
    TARGET_TYPE = "target.type"
    # a function of group elements, or of points, lacks a property
    NO_HOMOMORPHISM = "reps.homomorphism"
    NOT_INVARIANT = "domain.not-invariant"


class EqvproofError(Exception):
    """Base of all errors of the package.

    Args:
        message: the problem, in one sentence.
        given: the value that was given.
        expected: the value that was expected.
        hint: a suggestion.
        code: stable identifier, e.g. ``"signature.unknown-axis"``.
    """

    default_code = "error"

    def __init__(
        self, message: str, *, given: str = "", expected: str = "", hint: str = "", code: str = ""
    ) -> None:
        self.message = visible(message)
        self.given = visible(given)
        self.expected = visible(expected)
        self.hint = visible(hint)
        self.code = code or self.default_code
        #: Sizes, by name, from which on the error is not raised as far as is known; empty if none
        #: are known.
        self.spans: dict[str, tuple[int, int | None]] = {}
        super().__init__(self.paragraph())

    def paragraph(self) -> str:
        """Returns the whole error as one paragraph; very long parts are cut in the middle."""
        parts = [_shortened(self.message)]
        if self.given:
            parts.append(f"given: {_shortened(self.given)}")
        if self.expected:
            parts.append(f"expected: {_shortened(self.expected)}")
        if self.hint:
            parts.append(f"try: {_shortened(self.hint)}")
        return "\n  ".join(parts)

    @property
    def line(self) -> str:
        """The whole error on one line; the place under a caret is quoted."""
        head, *below = self.message.splitlines() or [""]
        if len(below) == 2 and set(below[1].strip()) == {"^"}:
            text, rest = below[0].strip(), below[0][below[1].index("^") :]
            below = [f"at the end of {text!r}"]
            if rest:
                below = [f"in {text!r}, at {rest!r}"]
        parts = {"given": self.given, "expected": self.expected, "try": self.hint}
        said = [
            " ".join([head, *below]),
            *(f"{name}: {text}" for name, text in parts.items() if text),
        ]
        return " ".join(_shortened("; ".join(said)).split())

    def with_place(self, place: str) -> Self:
        """Returns the same error, with a place in the user's code added."""
        given = "; ".join(filter(None, (self.given, place)))
        return type(self)(
            self.message, given=given, expected=self.expected, hint=self.hint, code=self.code
        )


def defect(message: str) -> EqvproofError:
    """Returns an internal error: a check of this package's own work has failed."""
    return EqvproofError(
        f"{message}; this should not happen",
        given="values that passed every check before",
        expected="that this step succeeds",
        hint="report it, with the call that led here",
        code=ErrorCode.INTERNAL,
    )


def place_of(error: BaseException) -> str:
    """Returns the file and line of the user's code from which an exception comes, or ""."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    ours = PACKAGE
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if not f.filename.startswith((ours, "<frozen ")) and "importlib" not in f.filename
    ]
    library = os.path.dirname(os.__file__)
    frames = [f for f in frames if not f.filename.startswith(library)] or frames
    if frames:
        return f"{frames[-1].filename}, line {frames[-1].lineno}"
    return ""


def _shortened(text: str) -> str:
    """Cuts a long text in the middle.

    A reader gets it, and the given value may be a file's worth of text.
    """
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]} ... ({len(text)} characters) ... {text[-LONGEST // 4 :]}"


def error_text(error: BaseException) -> str:
    """Returns the kind and the message of an exception.

    The message may be computed by other code, which may fail.
    """
    try:
        text = str(error).strip()
    except BaseException as failure:
        if issubclass(type(failure), KeyboardInterrupt) or type(failure).__module__.startswith(
            "eqvproof."
        ):
            raise  # the user's, or the clock's
        text = "its message cannot be read"
    return f"{kind_of(error)}: {text or 'no message'}"


def is_foreign(error: BaseException) -> bool:
    """Checks whether an exception comes from other code.

    It is then no interruption, and no exception of this package.

    sys.exit in a function of the user ends the function, and not the run.
    """
    is_signal = issubclass(type(error), (KeyboardInterrupt, GeneratorExit))
    return not is_signal and not str(type(error).__module__).startswith("eqvproof.")


def kind_of(error: BaseException | None) -> str:
    """Returns the name of the class of an exception, even if the class hides it."""
    name: str = type.__dict__["__name__"].__get__(type(error))
    return name


class OptionError(EqvproofError, ValueError):
    """An option (`sizes=`, `budget=`, ...) whose value cannot be used."""

    default_code = "option"


class OptionTypeError(OptionError, TypeError):
    """An option whose value is of another kind than the one expected, such as `seed="0"`."""

    default_code = "option.type"


class SignatureError(EqvproofError, ValueError):
    """A signature that cannot be read; the message holds a caret under the offending place."""

    default_code = "signature"


class ShapeError(EqvproofError, ValueError):
    """An array or a result whose shape is not the one in the signature."""

    default_code = "shape"


class GroupError(EqvproofError, ValueError):
    """A group that is unknown, unsupported, or has no axis in the signature."""

    default_code = "group"


class TraceError(EqvproofError):
    """A function that cannot be read as a Program; names the user's line."""

    default_code = "trace"

    def __init__(
        self,
        message: str,
        *,
        spans: Mapping[str, tuple[int, int | None]] | None = None,
        **parts: str,
    ) -> None:
        super().__init__(message, **parts)
        self.spans = dict(spans or {})
        #: Code of an installed package that asked for what a trace does not have, and its scope.
        self.asked: tuple[CodeType, dict[str, object]] | None = None


class TargetError(EqvproofError):
    """A function that raises, or returns something that is not an array of numbers."""

    default_code = "target"


class Mismatch(EqvproofError, ValueError):
    """Base of the errors that rule out a witness; they are proved by certificates."""

    default_code = "mismatch"
    evidence: Callable[[], dict[str, Any] | None] | None = None

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The JSON data that the kernel re-checks, computed on request; None if there is none."""
        if self.evidence is None:
            return None
        return self.evidence()


class GramMismatch(Mismatch):
    """Two families of vectors with different Gram matrices.

    The error holds the first pair of columns, and both inner products.

    Columns count from 0.
    """

    default_code = "gram"
    pair: tuple[int, int] = (0, 0)
    inner_products: tuple[Any, Any] = (0, 0)


class MultisetMismatch(Mismatch):
    """Two matrices whose columns are not a rearrangement of each other.

    The error holds a column and its counts.
    """

    default_code = "multiset"
    column: tuple[Any, ...] = ()
    multiplicities: tuple[int, int] = (0, 0)


class CongruenceMismatch(GramMismatch, MultisetMismatch):
    """Two unlabelled families of vectors that no orthogonal matrix matches.

    The message names the invariant that differs.
    """

    default_code = "congruence"
    base: tuple[int, ...] = ()


class OrbitMismatch(GramMismatch):
    """Two families of vectors that no element of a group matches.

    `why` is the reason: "pair", two columns with different inner products (`pair`,
    `inner_products`); "relation", a linear relation on one side only; "matrix", a wrong
    determinant.
    """

    default_code = "orbit"
    why: str = "pair"


class CertificateError(EqvproofError, ValueError):
    """A certificate that cannot be read, or that the kernel rejects."""

    default_code = "certificate"


class ExportError(EqvproofError, ValueError):
    """A certificate that cannot be exported to a proof assistant; names the operation."""

    default_code = "export"

    @classmethod
    def of(cls, operation: str, covered: str) -> ExportError:
        """Returns the error for an operation that is not covered; `covered` names what is."""
        return cls(f"not exported: {operation}", given=operation, expected=covered)


class BackendError(EqvproofError):
    """A requested backend that is not installed."""

    default_code = "backend"


class DomainError(EqvproofError, ValueError):
    """A mathematical object outside the domain of an operation (u = 0 for a reflection, NaN)."""

    default_code = "domain"
