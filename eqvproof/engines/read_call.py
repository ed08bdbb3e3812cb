"""Parses signature, group and options of a call, and returns one claim for each of its results."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from eqvproof.claims.groups import Group, parse_group
from eqvproof.claims.groups.parse import complex_axes
from eqvproof.claims.signature import parse_form
from eqvproof.claims.signature.complex_axes import in_reals
from eqvproof.claims.signature.forms import Form, Result
from eqvproof.engines.claim import Claim
from eqvproof.engines.options import CheckOptions
from eqvproof.engines.scope import read_sizes
from eqvproof.engines.targets import adapt, not_functions
from eqvproof.support.errors import EqvproofError, ErrorCode
from eqvproof.support.forked_work import run_or_substitute
from eqvproof.support.lazy import LaterModule

if TYPE_CHECKING:
    from eqvproof.claims.groups import irreps
else:  # most signatures have none
    irreps = LaterModule("eqvproof.claims.groups.irreps")

#: Stands for the group of a question without one; None means that the caller forgot the group.
NO_GROUP = object()


def read_call(
    functions: tuple[Callable[..., Any], ...],
    signature: str | None,
    under: Any,
    options: CheckOptions,
) -> tuple[Form, list[Claim]]:
    """Parses a call; returns the form of its signature, and one claim for each result.

    Args:
        functions: one function, or two whose equality is claimed.
        signature: the typing; None for that of the annotations of the first function.
        under: the group; `NO_GROUP` for a question without a group.
        options: all options of the call.

    Raises:
        EqvproofError: the call is not valid; an internal error while parsing it is reported as
            such.
    """

    def unreadable(why: str) -> tuple[Form, list[Claim]]:
        raise EqvproofError(
            f"no claim can be read: {why}",
            code=ErrorCode.INTERNAL,
            given="a target or options that could not be read",
            expected="a function, a signature and a group",
            hint="report it, with the call that led here",
        )

    def read() -> tuple[Form, list[Claim]]:
        if under is None:
            raise LaterModule("eqvproof.engines.option_errors").no_group(signature)
        if signature is None:
            from eqvproof.claims.signature.annotations import annotated_signature

            for f in functions:
                if isinstance(f, str):
                    raise not_functions.not_a_function(f, f)
            form = parse_form(annotated_signature(functions[0]))
        else:
            form = parse_form(signature)
        form, given = in_reals(form, complex_axes(under, form)), options
        if "Flip" in str(under):
            from eqvproof.engines.read_flips import read_flips

            form, given = read_flips(functions, form, under, options)
        return form, [
            _read_claim(functions, form, result, under, given) for result in form.claimed_results
        ]

    return run_or_substitute(read, unreadable)


def _read_claim(
    functions: tuple[Callable[..., Any], ...],
    form: Form,
    result: Result,
    under: Any,
    options: CheckOptions,
) -> Claim:
    """Builds the claim that a call makes about one result."""
    parsed = form.signature(result)
    sizes, reps = (form.of_result(given, parsed) for given in (options["sizes"], options["reps"]))
    sizes, reps = sizes or {}, reps or {}
    has_irreps = bool(reps or parsed.irreps)
    if under is NO_GROUP and has_irreps:
        parsed, reps = irreps.without_irreps(parsed), {}
    elif has_irreps:
        parsed, reps = irreps.name_irreps(parsed, reps, under)
    maps = tuple[Any, ...]()
    functions_of = {a: value for a, value in reps.items() if irreps.is_called(value)}
    written_out = {axis: value for axis, value in reps.items() if axis not in functions_of}
    if written_out:
        parsed, sizes = irreps.with_reps(parsed, written_out, sizes)
    wider = parsed
    if functions_of:
        from eqvproof.engines.representations import read_functions

        wider, group, maps = read_functions(functions_of, parsed, under)
    elif under is NO_GROUP:
        group = Group(())
    else:
        group = parse_group(under, parsed, each=True)
    written = str(group)
    if has_irreps:
        irreps.require_factors(written_out, group)
        group, sizes = irreps.in_space(group, wider, sizes)
    pins, ranges, open_ended = read_sizes(sizes, wider, {**wider.pins, **group.pins})
    if form.is_plain and not options["example"]:
        targets = [adapt(f, options["backend"], parsed) for f in functions]
    else:
        from eqvproof.tracing.models import as_function

        to_arrays = partial(as_function, what=(form, result), example=options["example"])
        targets = [adapt(f, options["backend"], parsed, to_arrays) for f in functions]
    deadline = time.monotonic() + options["budget"]  # starts after a framework's first import
    return Claim(
        targets[0],
        parsed,
        group,
        written,
        pins,
        ranges,
        seed=operator.index(options["seed"]),
        deadline=deadline,
        domain=options["domain"],
        other=targets[1] if len(targets) > 1 else None,
        executor=options["executor"],
        reps=maps,
        literal=options["constants"] == "literal",
        generic=options["generic"],
        open_ended=open_ended,
    )
