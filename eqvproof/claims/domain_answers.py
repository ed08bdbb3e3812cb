"""Calls of domains and of users' functions given as ``domain=``, with errors that explain."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable

import numpy as np

from eqvproof.claims.domains import Domain, Inputs, is_real
from eqvproof.support.errors import EqvproofError, OptionError, error_text, is_foreign, place_of


def allows(domain: Callable[[Inputs], object], inputs: Inputs) -> bool:
    """Checks whether a point belongs to a domain.

    If the function raises a TypeError for exact numbers, as np.linalg.norm does, it is called again
    with floats.

    Raises:
        OptionError: the function raises, or answers with something other than True or False.
    """
    try:
        try:
            answer = domain(inputs)
        except TypeError:
            answer = _answer_for_floats(domain, inputs)
            if answer is None:
                raise
    except BaseException as error:
        if not is_foreign(error):
            raise
        raise _failing(
            domain,
            inputs,
            f"raises {error_text(error)}",
            "domain.raises",
            _raising_line(domain, error),
        ) from error
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    if not isinstance(answer, (bool, np.bool_)):
        shown = kind_of_value(answer)
        what = f"answers with {shown}, not with True or False"
        raise _failing(
            domain, inputs, what, "domain.answer", "", is_array=isinstance(answer, np.ndarray)
        )
    return bool(answer)


def _answer_for_floats(domain: Callable[[Inputs], object], inputs: Inputs) -> object:
    """Returns the function's answer for the point in floats, or None if it raises again."""
    floats = {n: a.astype(np.float64) if is_real(a) else a for n, a in inputs.items()}
    try:
        return domain(floats)
    except EqvproofError:
        raise
    except Exception:
        return None


def kind_of_value(value: object) -> str:
    """Describes a value in a few words, for messages."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if value is None or isinstance(value, (int, float, str)):
        return repr(value)[:80]
    return f"an object of the class {type.__dict__['__name__'].__get__(type(value))}"


def _failing(
    domain: Callable[[Inputs], object],
    inputs: Inputs,
    what: str,
    code: str,
    place: str,
    *,
    is_array: bool = False,
) -> OptionError:
    first = next(iter(inputs), "X")
    example = f'domain=lambda p: np.linalg.norm(p["{first}"]) > 0'
    hint = f"for example {example}"
    names = _parameters(domain)
    if len(names) == 1 and names[0] in inputs:
        hint = f"{names[0]} is here the dictionary of all arguments: {example}"
    elif len(names) != 1:
        if names:
            taken = f"the parameters {', '.join(names)}"
        else:
            taken = "no parameter"
        hint = f"the function has {taken}; it is called with one, the dictionary: {example}"
    elif is_array:
        hint = (
            f'say of the whole array whether it belongs: domain=lambda p: (p["{first}"] > 0).all()'
        )
    shapes = ", ".join(f"{n!r}: an array of shape {a.shape}" for n, a in inputs.items())
    return OptionError(
        f"the function given as domain= {what}",
        given="a dictionary of arrays of Fractions by the names of the arguments, {" + shapes + "}"
        + f"; {place}" * bool(place),
        expected="True or False: whether this point counts",
        hint=hint,
        code=code,
    )  # fmt: skip


def _raising_line(domain: object, error: BaseException) -> str:
    """Returns the line of the function that raised an exception.

    If none of its lines did, returns the last line of the traceback outside this package.
    """
    code = getattr(domain, "__code__", None)
    lines = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if code and f.filename == code.co_filename
    ]
    if lines:
        return f"{lines[-1].filename}, line {lines[-1].lineno}"
    return place_of(error)


def _parameters(function: Callable[[Inputs], object]) -> list[str]:
    """Returns the names of the parameters that a call must fill, in order; ["p"] if unknown."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ["p"]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in found):
        return ["p"]
    places = [one for one in found if one.kind in positional]
    needed = [one.name for one in places if one.default is inspect.Parameter.empty]
    if len(needed) > 1 or not places:
        return needed
    return [places[0].name]


def point_in(domain: object, inputs: Inputs) -> Inputs:
    """Moves a point towards a domain with `Domain.moved`; other functions leave it as it is.

    Raises:
        OptionError: the function that moves points raises.
    """
    if not isinstance(domain, Domain):
        return inputs
    try:
        return domain.moved(inputs)
    except BaseException as error:
        if not is_foreign(error):
            raise
        what = f"raises {error_text(error)} while it moves a point into the domain"
        raise _failing(
            domain, inputs, what, "domain.raises", _raising_line(domain, error)
        ) from error
