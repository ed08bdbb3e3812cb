"""Calls of a target on real arrays; the result must be one real array of the declared shape."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Mapping

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.claims.signature.model import number_of_kinds
from eqvproof.support.deadline import TimeIsUp, timed_call
from eqvproof.support.errors import (
    EqvproofError,
    ErrorCode,
    ShapeError,
    TargetError,
    TraceError,
    error_text,
)
from eqvproof.support.forked_work import continue_in_copy_if_slow
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.values import Numbers, is_traced
from eqvproof.tracing.observing.frames import at_place
from eqvproof.tracing.observing.restore_process import one_guarded_call

NO_WRITES: None = None
target_errors = LaterModule("eqvproof.tracing.target_errors")


def run(
    function: Callable[..., object],
    signature: Signature,
    arrays: Mapping[str, Numbers],
    sizes: Mapping[str, int] | None = None,
    *,
    notes: list[str] | None = None,
) -> Numbers:
    """Returns f(x): calls the target on copies of the inputs.

    Args:
        function: the target.
        signature: its typing.
        arrays: the inputs by name.
        sizes: axis sizes, for messages and for the shape of the result.
        notes: where given, a remark is added when the target writes into an input.

    Returns:
        An array of the declared shape: float64, or of objects when the inputs hold exact numbers.
        NaN and inf are values.

    Raises:
        TargetError: the target raises, or returns something other than an array of real numbers.
        ShapeError: the result has another shape than declared.
    """
    writes: list[str] = []
    continue_in_copy_if_slow(sum(np.size(a) for a in arrays.values()))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        result = call_target(function, signature, arrays, sizes or {}, writes)
    if notes is not None:
        notes += [w for w in writes if w not in notes]
    return result


def call_target(
    function: Callable[..., object],
    signature: Signature,
    arrays: Mapping[str, Numbers],
    sizes: Mapping[str, int],
    writes: list[str] | None,
) -> Numbers:
    """Calls the target like `run`, with floating-point warnings as the caller has set them."""
    given = {a.name: np.array(arrays[a.name], copy=True) for a in signature.inputs}
    known = _input_sizes(signature, given, sizes)
    changes: list[str] = []
    try:
        with timed_call(sum(a.size for a in given.values())), one_guarded_call(changes):
            result = function(*given.values())
        if is_traced(result):
            raise TraceError("a value of an earlier call is returned")
    except TraceError as error:  # no trace runs here: the value is left over from one
        raise TargetError(
            "the function keeps state between calls: it uses a value of an earlier call",
            given=_arguments(given, signature, known),
            expected="equal results for equal arguments",
            hint="pass what it needs as arguments, and return what it computes",
            code=ErrorCode.TARGET_STATE,
        ) from error
    except (EqvproofError, KeyboardInterrupt, TimeIsUp):
        raise
    except BaseException as error:  # sys.exit in a target ends the target, and not the run
        raise TargetError(
            f"the function {'tries to exit, it ' if isinstance(error, SystemExit) else ''}raises "
            f"{error_text(error)}{at_place(error)}",
            given=_arguments(given, signature, known),
            expected=f"a result: {target_errors.declared_result(signature, known)}",
            hint=target_errors.advice(error, function, signature, known),
            code=ErrorCode.TARGET_RAISES,
        ) from error
    if writes is not None:
        writes += [f"the function replaces {name}, which was put back" for name in changes]
        for name, array in given.items():
            if not _are_same_arrays(array, arrays[name]):
                writes.append(
                    f"the function writes into its argument {name}; it is judged by what it returns"
                )
    exact = any(a.dtype == object for a in given.values())
    return _checked(result, signature, known, exact=exact)


def _checked(
    result: object, signature: Signature, sizes: Mapping[str, int], *, exact: bool
) -> Numbers:
    if result is None or isinstance(result, (tuple, list, dict)):
        raise target_errors.not_one_array(result, signature, sizes)
    value: object = result
    if not isinstance(value, np.generic) and isinstance(value, numbers.Real):
        if isinstance(result, (int, float)) and not exact:
            array = np.asarray(result)
        else:
            array = np.asarray(result, object)
    elif isinstance(result, (np.ndarray, np.generic)):
        array = np.asarray(result)
    else:
        raise target_errors.not_one_array(result, signature, sizes)
    if array.dtype.kind not in "fiub" and not (exact and array.dtype == object):
        raise target_errors.not_real(array)
    signature.output_sizes(array.shape, sizes)
    if array.dtype != object:
        array = array.astype(np.float64)
    return np.array(array, copy=True)


def _input_sizes(
    signature: Signature, arrays: Mapping[str, Numbers], sizes: Mapping[str, int]
) -> dict[str, int]:
    """Returns the sizes of the input axes, checked against the arrays.

    Raises:
        ShapeError: an array has another shape than declared.
    """
    shapes = [arrays[a.name].shape for a in signature.inputs]
    known = signature.shown_sizes(shapes, sizes)
    if argument := signature.misfit(shapes, known):
        raise ShapeError(
            f"the input {argument.name} has another shape than the signature says",
            given=f"an array of shape {arrays[argument.name].shape}",
            expected=f"{argument} at {sizes_text(known)}",
            hint="equal names of axes are equal sizes",
            code="shape.input",
        )
    names = signature.input_names
    return {n: s for n, s in known.items() if n in names}


def sizes_text(sizes: Mapping[str, int]) -> str:
    """Describes sizes in words: ``d = 2, n = 3``."""
    return (
        ", ".join(f"{n} = {s}" for n, s in sizes.items() if not number_of_kinds(n))
        or "its fixed sizes"
    )


def _arguments(given: Mapping[str, Numbers], signature: Signature, sizes: Mapping[str, int]) -> str:
    if not signature.is_as_written:
        return f"the arguments of '{signature.text}' at {sizes_text(sizes)}"
    return ", ".join(f"{n} of shape {a.shape}" for n, a in given.items()) or "no arguments"


def _are_same_arrays(a: Numbers, b: Numbers) -> bool:
    if a.dtype == object:
        return all(
            x is y or bool(x == y) for x, y in zip(a.ravel(), np.asarray(b).ravel(), strict=True)
        )
    return a.tobytes() == np.asarray(b, dtype=a.dtype).tobytes()
