"""Errors about options: those that a call does not have, and domains."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Mapping
from numbers import Number

from eqvproof.support.errors import CertificateError, GroupError, OptionTypeError

#: Options of tests by `allclose` and of other libraries, and what serves here.
_NO_TOLERANCE = (
    "verdicts need no tolerance; ep.deviation compares floats as they run, with a bound of their"
    " rounding"
)
_NO_TRIALS = "there are no trials to count: budget= limits the time, in seconds"
_AS_RUN = (
    "verdicts are about real numbers; eqvproof.testing.assert_equivariant_floats tests on a device"
    " and a dtype"
)
_ELSEWHERE = {
    **dict.fromkeys(("atol", "rtol", "tol", "tolerance", "eps"), _NO_TOLERANCE),
    **dict.fromkeys(("trials", "n_trials", "ntrials", "num_trials", "samples"), _NO_TRIALS),
    **dict.fromkeys(("dtype", "device"), _AS_RUN),
    "at_least": "eqvproof.testing.assert_equivariant(f, signature, under, at_least=...) has it;"
    " verdict.grade is the grade of a verdict",
    "group": "write the group as under=",
    "shapes": "the signature names axes, and sizes= gives sizes to them: sizes={'d': 3}",
    "timeout": "write the seconds as budget=",
    "under": "this call takes no group: check(f, signature, under) does",
    "about": "only check has about=",
    "reps": "only calls about one group have reps=: check, prove, decide, refute",
    "constants": "only calls about one group have constants=: check, prove, decide, refute",
}


def unknown_option(call: str, name: str, shown: Mapping[str, inspect.Parameter]) -> OptionTypeError:
    """Builds the error for an option that a call does not have.

    Args:
        call: the name of the called function.
        name: the option.
        shown: the parameters of the function.
    """
    import difflib

    options = [n for n, p in shown.items() if p.kind is p.KEYWORD_ONLY]
    near = difflib.get_close_matches(name, options, 1, cutoff=0.7)
    hint = f"help(eqvproof.{call}) explains each option"
    if name in _ELSEWHERE:
        hint = _ELSEWHERE[name]
    elif near:
        hint = f"did you mean {near[0]}=?"
    return OptionTypeError(
        f"{call}() has no option {name}=",
        given=f"{name}=",
        expected=", ".join(f"{n}=" for n in options),
        hint=hint,
        code="option.unknown",
    )


def options_by_position(call: str, given: object) -> OptionTypeError:
    """Builds the error for an option that is given without its name."""
    return OptionTypeError(
        "options are given by name",
        given=shown_value(given),
        expected=f"{call}(f, signature, under, sizes=..., budget=...)",
        hint=f"help(eqvproof.{call}) explains each option",
        code="option.position",
    )


def no_group(signature: object) -> GroupError:
    """Builds the error for a call without a group."""
    hint = (
        "eqvproof.symmetries(f, signature) tries every group; identical(f, g, signature) compares"
        " two functions"
    )
    written = re.search(r"\b[A-Z][A-Za-z]*\((\w+)\)", str(signature))
    if written:
        axes = re.sub(r"\b[A-Z][A-Za-z]*\((\w+)\)", r"\1", str(signature))
        hint = f'{written[0]} stands among the axes; write "{axes}", under="{written[0]}"'
    return GroupError(
        "no group is given",
        given="under=None",
        expected='a group, such as under="O(d) x S(n)"',
        hint=hint,
        code="group.none",
    )


def given_twice(call: str, name: str, value: object) -> OptionTypeError:
    """Builds the error for an argument that is given by position and by name."""
    return OptionTypeError(
        f"{call}() is given {name} twice: by position, as {shown_value(value)}, and by name",
        given=f"{name}=",
        expected=f"{name} once",
        hint=f"leave out {name}=",
        code="option.twice",
    )


def shown_value(value: object) -> str:
    """Returns how an error shows a value: plain data of Python itself, of other objects the class."""
    if value is None or isinstance(value, (str, bytes, Number, list, tuple, dict)):
        return repr(value)[:80]
    return f"an object of the class {type(value).__name__}"


def not_a_domain(given: object) -> OptionTypeError:
    """Builds the error for what is given as a domain and is none."""
    from eqvproof.claims import domains

    hint = (
        "domain=ep.domains.positive; a function of your own asks by the names of arguments: for"
        " 'x: n -> n', lambda at: (at['x'] > 0).all()"
    )
    if isinstance(given, str) and given.isidentifier() and hasattr(domains, given):
        hint = f"without quotes: domain=ep.domains.{given}"
    return OptionTypeError(
        "domain= is neither a function nor a Hypothesis strategy",
        given=shown_value(given),
        expected="a function that takes a dictionary of arrays, by the names of the arguments, and"
        " returns whether the point belongs to the domain",
        hint=hint,
        code="domain",
    )


def not_a_certificate(given: object, error: Exception) -> CertificateError:
    """Builds the error for what the kernel cannot read as a certificate."""
    shown = str(error)
    hint = "write it with json.dump(verdict.certificate, file)"
    if isinstance(given, os.PathLike) or (isinstance(given, str) and given.endswith(".json")):
        shown = f"the path of a file, {str(given)!r}"
        hint = "read the file: ep.verify(json.load(open(path)))"
    elif hasattr(given, "read"):
        shown = "an open file"
        hint = "read it: ep.verify(json.load(file))"
    elif not isinstance(given, (str, bytes, dict)):
        shown = f"an object of the class {type(given).__name__}"
        hint = "verify takes a verdict, or its verdict.certificate"
    return CertificateError(
        "this is not a certificate",
        given=shown,
        expected="the JSON of verdict.certificate",
        hint=hint,
    )
