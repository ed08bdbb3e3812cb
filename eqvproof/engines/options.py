"""The options of the public calls, each with its type, its default and the check of its value."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, TypeVar

from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.support.errors import OptionError, OptionTypeError
from eqvproof.support.lazy import LaterModule

option_errors = LaterModule("eqvproof.engines.option_errors")
_F = TypeVar("_F", bound=Callable[..., Any])


class CommonOptions(TypedDict, total=False):
    """The options of all calls; the docstring of `check` explains each."""

    sizes: Mapping[str, Any] | None
    budget: float
    seed: int
    domain: Any
    backend: Literal["numpy", "torch", "jax"] | None
    executor: Any
    example: Mapping[str, Any] | None
    generic: bool


class GroupOptions(CommonOptions, total=False):
    """The options of calls about a group."""

    reps: Mapping[str, Any] | None
    constants: Literal["rounded", "literal"]


class CheckOptions(GroupOptions, total=False):
    """The options of `check`, for functions that pass them on."""

    about: Literal["reals", "floats"]


DEFAULTS: CheckOptions = {
    "sizes": None,
    "budget": 30.0,
    "seed": 0,
    "domain": None,
    "backend": None,
    "executor": None,
    "example": None,
    "generic": False,
    "reps": None,
    "constants": "rounded",
    "about": "reals",
}


def shows_options(kind: type) -> Callable[[_F], _F]:
    """Returns a decorator that shows the options of a function in `help` and takes them by name only.

    Args:
        kind: the class with the options that the function takes as keyword arguments.
    """

    def decorate(function: _F) -> _F:
        shown = inspect.signature(function)
        positional = [p for p in shown.parameters.values() if p.kind is not p.VAR_KEYWORD]
        options = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=DEFAULTS[name],  # type: ignore[literal-required]
                annotation=getattr(hint, "__forward_arg__", hint),
            )
            for name, hint in kind.__annotations__.items()
        ]

        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            if len(args) > len(positional):
                raise option_errors.options_by_position(function.__name__, args[len(positional)])
            for parameter, value in zip(positional, args, strict=False):
                if parameter.name in given:
                    raise option_errors.given_twice(function.__name__, parameter.name, value)
            return function(*args, **given)

        call.__signature__ = shown.replace(parameters=[*positional, *options])  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorate


def read_options(call: Callable[..., Any], given: CommonOptions) -> CheckOptions:
    """Returns all options of a call, with defaults for those that are not given.

    Raises:
        OptionTypeError: an option that the function does not take.
        OptionError, OptionTypeError: a value that an option cannot have.
    """
    shown = inspect.signature(call).parameters
    for name in given:
        if name not in shown:
            raise option_errors.unknown_option(call.__name__, name, shown)
    found: CheckOptions = {**DEFAULTS, **given}
    _require_valid(found)
    return found


# -- parts ---------------------------------------------------------------------------------------
#: For each option that is a mapping: a phrase for its keys, and an example.
_MAPPINGS = {
    "sizes": ("names of axes", "sizes={'d': 3, 'n': (1, 6)}"),
    "reps": ("names of axes", "reps={'m': ('O(d)', '1o')}"),
    "example": (
        "names of arguments",
        "example={'data': data}, for an argument data of which the signature names parts, as in"
        " 'data.x: n 4'; leave example= out where it names none",
    ),
}


def _require_valid(options: CheckOptions) -> None:
    """Checks the values of options that do not depend on the claim."""
    if options["about"] not in ("reals", "floats"):
        raise OptionError(
            f"about= has no value {options['about']!r}",
            given=repr(options["about"]),
            code="about",
            expected='"reals" or "floats"',
            hint="about='floats' asks whether the program as it runs gives equal results bit for bit",
        )
    for name in _MAPPINGS:
        _require_mapping(name, options[name])  # type: ignore[literal-required]
    _require_budget(options["budget"])
    _require_integer("seed", options["seed"])
    _require_executor(options["executor"])
    _require_domain(options["domain"])
    _require_constants(options["constants"])
    _require_flag("generic", options["generic"])


def _require_integer(name: str, value: Any) -> None:
    """Checks that an option is an integer, of Python or of NumPy.

    Raises:
        OptionTypeError: it is no integer.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise OptionTypeError(
            f"{name}= is not an integer",
            given=option_errors.shown_value(value),
            expected=f"an integer, such as {name}=0",
            code=name,
            hint=f"equal seeds give equal verdicts: {name}=7",
        )


def _require_flag(name: str, value: Any) -> None:
    """Checks that an option is True or False.

    Raises:
        OptionTypeError: it is neither.
    """
    if not isinstance(value, bool):
        raise OptionTypeError(
            f"{name}= is neither True nor False",
            given=repr(value),
            expected=f"{name}=True or {name}=False",
            code=name,
            hint=f"{name}=True",
        )


def _require_mapping(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise OptionTypeError(
            f"{name}= is not a dictionary",
            given=f"an object of the class {type(value).__name__}",
            expected=f"a dictionary whose keys are {_MAPPINGS[name][0]}",
            code=f"{name}.mapping",
            hint=_MAPPINGS[name][1],
        )


def _require_budget(budget: Any) -> None:
    is_number = isinstance(budget, (int, float)) and not isinstance(budget, bool)
    if not is_number or not (0 < budget <= sys.float_info.max or budget == math.inf):
        raise OptionError(
            "budget= must be a positive number of seconds",
            given=repr(budget),
            code="budget",
            expected="a number above 0",
            hint="budget=30",
        )


def _require_constants(constants: Any) -> None:
    if constants not in ("rounded", "literal"):
        raise OptionError(
            f"constants= has no value {constants!r}",
            given=repr(constants),
            code="constants",
            expected='"rounded" or "literal"',
            hint="constants='literal' takes tables of numbers as they are stored; 'rounded', the"
            " default, takes invariant ones in their place where these are a few roundings away",
        )


def _require_executor(executor: Any) -> None:
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise OptionTypeError(
            "executor= is not an executor",
            given=f"{type(executor).__name__}",
            expected="an object with submit(function, *arguments), as in concurrent.futures",
            hint="pass ProcessPoolExecutor(), or client.get_executor() of a Dask client",
            code="executor",
        )


def _require_domain(domain: Any) -> None:
    if domain is not None and not callable(domain) and not is_strategy(domain):
        raise option_errors.not_a_domain(domain)
