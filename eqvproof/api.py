"""The public functions of the package, such as `check`; `import eqvproof as ep` exports them."""

from __future__ import annotations

import dataclasses
import math
import operator
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict

from eqvproof.support.errors import (
    BackendError,
    EqvproofError,
    OptionError,
    OptionTypeError,
    TargetError,
)

if TYPE_CHECKING:
    from eqvproof.claims.groups import Under
    from eqvproof.claims.signature.forms import Form, Result
    from eqvproof.engines.claim import Claim
    from eqvproof.engines.verdict import Verdict
    from eqvproof.kernel import Report

DEFAULT_BUDGET = 30.0
#: Stands for the group of a question without one; None means that the caller forgot the group.
NO_GROUP = object()


def check(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, Any] | None = None,
    budget: float = DEFAULT_BUDGET,
    seed: int = 0,
    domain: Any = None,
    backend: str | None = None,
    about: str = "reals",
    executor: Any = None,
    reps: Mapping[str, Any] | None = None,
    example: Mapping[str, Any] | None = None,
    constants: str = "rounded",
    generic: bool = False,
) -> Verdict:
    """Checks whether f(g x) = g f(x) for every g in a group and all x.

    Returns the strongest verdict found: a proof, an exact decision, a counterexample, or tests.

    Args:
        f: a function of arrays, in the order of the signature, or a SymPy expression of its names.
        signature: the typing, such as ``"X: d n, Z: d k -> d n"``.
        under: the group, such as ``"O(d) x S(n)"``, a group of `eqvproof.groups`, or a list of
            these; each factor acts on an input. ``O(3)`` acts on the axes that are written 3; where
            there are none, on the axis d (n for permutations), of size 3.
        sizes: axis sizes, ``{"d": 3, "n": (1, 6)}``, both ends included, or ``(4, None)`` for all
            from 4 up; absent: proofs speak of all sizes.

        budget: seconds in total; when they are over, the best result so far is the verdict.
        seed: an integer; equal seeds give equal verdicts.
        domain: a restriction of the inputs: one of `eqvproof.domains`, a function that returns
            whether a point belongs to the domain, or a Hypothesis strategy that draws points.
        backend: "numpy", "torch" or "jax", if the function does not show which arrays it takes.
        about: "reals", or "floats" for equality bit by bit of the program as it runs, under groups
            that act on floats without rounding.
        executor: runs large searches: any executor of `concurrent.futures`, or one with the same
            interface (a Dask client's ``get_executor()``). Equal seeds give equal verdicts with
            and without it. Threads help only functions that take floats; a function that cannot be
            sent to another process is searched in this one, and a note says so.
        reps: axes that carry other representations: ``{"m": ("O(d)", "2x0e + 1o")}``, irreps as
            e3nn writes them; or ``{"m": ("O(d)", rho)}``, a function from the matrix of the group
            element (for permutations: from p with ``(g x)[i] = x[p[i]]``) to a matrix on that
            axis, or to a number. With such functions the claim is refuted or tested only.
        example: arguments by name whose parts the signature names, ``data.pos: n d``:
            dictionaries, sequences, data classes and objects with attributes. Parts that the
            signature does not name keep the values of the example.
        constants: "rounded": under O(3) and SO(3) a table of numbers within 16 roundings of an
            invariant table is read as that one, and the verdict says so; or "literal": every table
            is read as it is stored.
        generic: True restricts the claim to generic points: those at which no entries that the
            function compares tie, and no eigenvalues coincide whose eigenvectors it takes.
            Otherwise the claim is about all points at which the function is defined.

    Exactness: no tolerance enters a verdict, except that OBSERVED rests on measured rounding noise.

    Raises:
        SignatureError, GroupError, ShapeError, TargetError: bad input, or a function that does not
            return an array of the declared shape.
    """
    from eqvproof.engines import pipeline
    from eqvproof.engines.floats import check_floats

    if about not in ("reals", "floats"):
        raise OptionError(
            'about= is "reals" or "floats"',
            given=repr(about),
            code="about",
            expected='"reals" or "floats"',
            hint="floats: the program as it runs, equal bit for bit",
        )
    engine = check_floats if about == "floats" else pipeline.check
    options = _Options(
        sizes, budget, seed, domain, backend, executor, reps, example, constants, generic
    )
    return _judged(engine, (f,), signature, under, options)


def prove(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, Any] | None = None,
    budget: float = math.inf,
    seed: int = 0,
    domain: Any = None,
    backend: str | None = None,
    executor: Any = None,
    reps: Mapping[str, Any] | None = None,
    example: Mapping[str, Any] | None = None,
    constants: str = "rounded",
    generic: bool = False,
) -> Verdict:
    """Tries to prove a claim for all sizes; returns PROVED, or UNDECIDED with the place of failure.

    Options as in `check`, without a time limit unless `budget=` gives one. There is no `about=`
    here, nor in the functions below: equality of floats bit by bit is tested by `check`, never
    proved or decided.
    """
    from eqvproof.engines import pipeline

    options = _Options(
        sizes, budget, seed, domain, backend, executor, reps, example, constants, generic
    )
    return _judged(pipeline.prove, (f,), signature, under, options)


def decide(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, Any] | None = None,
    budget: float = DEFAULT_BUDGET,
    seed: int = 0,
    domain: Any = None,
    backend: str | None = None,
    executor: Any = None,
    reps: Mapping[str, Any] | None = None,
    example: Mapping[str, Any] | None = None,
    constants: str = "rounded",
    generic: bool = False,
) -> Verdict:
    """Decides a claim exactly, over the whole group, at as many sizes as possible.

    Returns DECIDED with these sizes, or UNDECIDED.

    Options as in `check`.
    """
    from eqvproof.engines import pipeline

    options = _Options(
        sizes, budget, seed, domain, backend, executor, reps, example, constants, generic
    )
    return _judged(pipeline.decide, (f,), signature, under, options)


def refute(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, Any] | None = None,
    budget: float = DEFAULT_BUDGET,
    seed: int = 0,
    domain: Any = None,
    backend: str | None = None,
    executor: Any = None,
    reps: Mapping[str, Any] | None = None,
    example: Mapping[str, Any] | None = None,
    constants: str = "rounded",
    generic: bool = False,
) -> Verdict:
    """Searches for a counterexample; returns FAILS with the smallest one found, or UNDECIDED.

    UNDECIDED comes with counts of the tries.

    Options as in `check`.
    """
    from eqvproof.engines import pipeline

    options = _Options(
        sizes, budget, seed, domain, backend, executor, reps, example, constants, generic
    )
    return _judged(pipeline.refute, (f,), signature, under, options)


def symmetries(
    f: Callable[..., Any],
    signature: str,
    *,
    sizes: Mapping[str, Any] | None = None,
    budget: float = DEFAULT_BUDGET,
    seed: int = 0,
    domain: Any = None,
    backend: str | None = None,
    executor: Any = None,
    example: Mapping[str, Any] | None = None,
    generic: bool = False,
) -> list[Verdict]:
    """Returns a verdict for every supported group on every axis, those that hold first.

    Among these, larger groups come first. Options as in `check`; `budget` covers all groups
    together. There is no `reps=`: a representation belongs to one group, and here every group is
    tried.
    """
    from eqvproof.engines import symmetries as engine
    from eqvproof.engines.together import in_time, together
    from eqvproof.tracing.observing.process_state import left_as_found

    options = _Options(
        sizes, budget, seed, domain, backend, executor, example=example, generic=generic
    )
    form, claims = _claims((f,), signature, NO_GROUP, options)
    found: list[dict[str, Verdict]] = []
    with left_as_found():
        for number, claim in enumerate(claims):
            verdicts = engine.symmetries(in_time(claim, len(claims) - number))
            found.append({v.under: v for v in verdicts})
    unders = [
        c.under for c in engine.every_group(claims[0]) if all(c.under in one for one in found)
    ]
    return engine.by_outcome([together(form, [verdicts[u] for verdicts in found]) for u in unders])


def identical(
    f: Callable[..., Any],
    g: Callable[..., Any],
    signature: str,
    *,
    sizes: Mapping[str, Any] | None = None,
    budget: float = DEFAULT_BUDGET,
    seed: int = 0,
    domain: Any = None,
    backend: str | None = None,
    executor: Any = None,
    example: Mapping[str, Any] | None = None,
    generic: bool = False,
) -> Verdict:
    """Checks whether f(x) = g(x) for all x.

    Returns the strongest verdict found: a normal form for all sizes, an exact decision, a
    difference, or tests.

    Options as in `check`; there is no `reps=`, because no group is involved.

    Args:
        f: a function of arrays, in the order of the signature.
        g: a function of the same arrays.
        signature: the typing of both.
        sizes: as in `check`, and so are the other options.
        budget: seconds in total.
        seed: an integer; equal seeds give equal verdicts.
        domain: a restriction of the inputs.
        backend: the array library of both.
        executor: runs large searches.
        example: arguments whose parts the signature names.

    Raises:
        SignatureError, ShapeError, TargetError: bad input.
    """
    from eqvproof.engines import pipeline

    options = _Options(
        sizes, budget, seed, domain, backend, executor, example=example, generic=generic
    )
    return _judged(pipeline.check, (f, g), signature, NO_GROUP, options)


def verify(certificate: dict[str, Any] | str | bytes | None) -> Report:
    """Re-checks a certificate with the kernel, without running the function; returns its report.

    Args:
        certificate: JSON data, or JSON text.

    Raises:
        CertificateError: the text is not a certificate at all, or the verdict has none (None).
    """
    from eqvproof.kernel import Unreadable, check_certificate
    from eqvproof.support.errors import CertificateError

    if certificate is None:
        raise CertificateError(
            "this verdict has no certificate",
            given="None",
            expected="the JSON of verdict.certificate, which PROVED, EXACT and ENCLOSED verdicts"
            " have",
            code="certificate.none",
            hint="a verdict that is only tested holds nothing that could be re-checked",
        )
    try:
        return check_certificate(certificate)
    except Unreadable as error:
        raise CertificateError(
            "this is not a certificate that can be read",
            given=str(error),
            expected="the JSON of verdict.certificate",
            hint="write it with json.dump(verdict.certificate, file)",
        ) from error


@dataclass(frozen=True, slots=True)
class _Options:
    """The options that all functions of this module share; see `check`."""

    sizes: Mapping[str, Any] | None
    budget: float = float("inf")
    seed: int = 0
    domain: Any = None
    backend: str | None = None
    executor: Any = None
    reps: Mapping[str, Any] | None = None
    example: Mapping[str, Any] | None = None
    constants: str = "rounded"
    generic: bool = False


def _claims(
    functions: tuple[Callable[..., Any], ...], signature: str, under: Any, options: _Options
) -> tuple[Form, list[Claim]]:
    """Parses a signature and returns its form with one claim for each result.

    Raises:
        EqvproofError: the call is not valid; an internal error while parsing it is reported as
            such.
    """
    from eqvproof.claims.groups.parse import complex_axes
    from eqvproof.claims.signature import parse_form
    from eqvproof.claims.signature.complex_axes import in_reals
    from eqvproof.support.apart import expected_or

    def none(why: str) -> tuple[Form, list[Claim]]:
        raise EqvproofError(
            f"no claim can be read: {why}",
            code="internal",
            given="a target or options that could not be read",
            expected="a function, a signature and a group",
            hint="report it, with the call that led here",
        )

    def read() -> tuple[Form, list[Claim]]:
        for name in ("sizes", "reps", "example"):
            _require_mapping(name, getattr(options, name))
        form = parse_form(signature)
        form = in_reals(form, complex_axes(under, form))
        return form, [
            _read_claim(functions, (form, result), under, options) for result in form.judged
        ]

    return expected_or(read, none)


def _read_claim(
    functions: tuple[Callable[..., Any], ...],
    what: tuple[Form, Result],
    under: Any,
    options: _Options,
) -> Claim:
    """Builds the claim that a call makes about one result.

    Args:
        functions: one function, or two whose equality is claimed.
        what: the parsed signature, and the result.
        under: the group; `NO_GROUP` for a question without a group.
        options: those of the call.
    """
    from eqvproof.claims.groups import Group, parse_group
    from eqvproof.claims.groups.irreps import (
        in_space,
        is_called,
        named,
        require_factors,
        with_reps,
        without,
    )
    from eqvproof.engines.claim import Claim
    from eqvproof.engines.representations import read_functions
    from eqvproof.engines.scope import read_sizes
    from eqvproof.engines.targets import adapt
    from eqvproof.tracing.models import as_function

    _require_budget(options.budget)
    seed = _integer("seed", options.seed)
    _require_executor(options.executor)
    _require_domain(options.domain)
    _require_constants(options.constants)
    form, result = what
    parsed = form.signature(result)
    sizes, reps = (form.of_result(given, parsed) for given in (options.sizes, options.reps))
    if under is NO_GROUP:
        parsed, reps = (without(parsed), {})
    else:
        parsed, reps = named(parsed, reps, under)
    maps = tuple[Any, ...]()
    functions_of = {axis: value for axis, value in reps.items() if is_called(value)}
    irreps = {axis: value for axis, value in reps.items() if axis not in functions_of}
    if irreps:
        parsed, sizes = with_reps(parsed, irreps, sizes)
    wider = parsed
    if functions_of:
        wider, group, maps = read_functions(functions_of, parsed, under)
    else:
        if under is NO_GROUP:
            group = Group(())
        else:
            group = parse_group(under, parsed, each=True)
    require_factors(irreps, group)
    written = str(group)
    group, sizes = in_space(group, wider, sizes or {})
    pins, ranges, open_ended = read_sizes(sizes, wider, {**wider.pins, **group.pins})
    is_function = form.is_plain and not options.example
    door = partial(as_function, what=what, example=options.example)
    targets = [
        adapt(f, options.backend, parsed, *([] if is_function else [door])) for f in functions
    ]
    deadline = time.monotonic() + options.budget  # starts after a framework's first import
    return Claim(
        targets[0], parsed, group, written, pins, ranges, seed, deadline,
        options.domain, targets[1] if len(targets) > 1 else None, options.executor, maps,
        literal=options.constants == "literal", generic=_flag("generic", options.generic),
        open_ended=open_ended,
    )  # fmt: skip


def _judged(
    engine: Callable[[Claim], Verdict],
    functions: tuple[Callable[..., Any], ...],
    signature: str,
    under: Any,
    options: _Options,
) -> Verdict:
    """Runs an engine on every result and returns the joint verdict, with the time it took.

    Each result gets an equal share of the time that is left.
    """
    from eqvproof.engines import pipeline
    from eqvproof.engines.answers import ASSUMED, CODES, as_answered, differs_in_jax, is_asked_first
    from eqvproof.engines.time_limits import judged
    from eqvproof.engines.together import in_time, refuted, together
    from eqvproof.tracing.observing.process_state import left_as_found

    start = time.monotonic()
    form, claims = _claims(functions, signature, under, options)

    def judge(timed: Claim) -> Verdict:
        with left_as_found():
            own = _with_functions(engine) if timed.reps else engine
            return judged(own, timed)

    def shown(timed: Claim) -> Claim | None:
        with left_as_found():
            if options.backend is None:
                return as_answered(timed)
            return None

    def is_assumed(timed: Claim) -> bool:
        with left_as_found():
            return options.backend is None and differs_in_jax(timed)

    def one(timed: Claim) -> Verdict:
        asked = is_asked_first(timed)
        first = shown(timed) if asked else None
        try:
            verdict = judge(first or timed)
        except TargetError as error:
            if error.code in CODES and not asked:
                other = shown(timed)
            else:
                other = None
            if other is not None:
                return judge(other)
            if not isinstance(error.__cause__, IndexError) or not is_assumed(timed):
                raise
            raise BackendError(
                "the function does not show what it takes: where an index is out of range, NumPy"
                " raises, and"
                " JAX takes the nearest entry",
                given=error.message,
                expected="what it takes, where the answers differ",
                hint="pass backend='numpy' or backend='jax'",
            ) from error
        if first is None and is_assumed(timed):
            verdict = dataclasses.replace(verdict, notes=(*verdict.notes, ASSUMED))
        return verdict

    if engine is pipeline.refute and len(claims) > 1:
        verdicts = refuted(one, claims)
    else:
        verdicts = [one(in_time(claim, len(claims) - k)) for k, claim in enumerate(claims)]
    whole = together(form, verdicts)
    carries = bool(options.reps) or any(s.irreps for s in form.signatures)
    return dataclasses.replace(
        whole, signature=str(form) if carries else whole.signature, seconds=time.monotonic() - start
    )


def _with_functions(engine: Callable[[Claim], Verdict]) -> Callable[[Claim], Verdict]:
    """Returns the counterpart of an engine for representations that are given by functions."""
    from eqvproof.engines import pipeline, representations

    own: dict[Callable[[Claim], Verdict], Callable[[Claim], Verdict]] = {
        pipeline.check: representations.check, pipeline.refute: representations.refute,
    }  # fmt: skip
    return own.get(engine, representations.neither)


class CheckOptions(TypedDict, total=False):
    """The keyword arguments of `check`, for functions that pass them on."""

    sizes: Mapping[str, Any] | None
    budget: float
    seed: int
    domain: Any
    backend: str | None
    about: str
    executor: Any
    reps: Mapping[str, Any] | None
    example: Mapping[str, Any] | None
    constants: str
    generic: bool


def _integer(name: str, value: Any) -> int:
    """Returns an option as a Python integer; accepts NumPy integers.

    Raises:
        OptionTypeError: it is no integer.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise OptionTypeError(
            f"{name}= is no integer",
            given=repr(value),
            expected=f"an integer, such as {name}=0",
            code=name,
            hint=f"equal seeds give equal verdicts: {name}=7",
        )
    return operator.index(value)


def _flag(name: str, value: Any) -> bool:
    """Returns an option that is True or False.

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
    return value


#: For each option that is a mapping: a phrase for its keys, and an example.
_MAPPINGS = {
    "sizes": ("names of axes", "sizes={'d': 3, 'n': (1, 6)}"),
    "reps": ("names of axes", "reps={'m': ('O(d)', '1o')}"),
    "example": ("names of arguments", "example={'data': data}"),
}


def _require_mapping(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise OptionTypeError(
            f"{name}= is no dict",
            given=f"{type(value).__name__}",
            expected=f"a dict whose keys are {_MAPPINGS[name][0]}",
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
            'constants= is "rounded" or "literal"',
            given=repr(constants),
            code="constants",
            expected='"rounded" or "literal"',
            hint="literal: tables of numbers as they are stored, and never the invariant ones next"
            " to them",
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
    from eqvproof.engines.search.drawn import is_strategy

    if domain is not None and not callable(domain) and not is_strategy(domain):
        raise OptionTypeError(
            "domain= is neither a function nor a Hypothesis strategy",
            given=f"{type(domain).__name__}",
            expected="a function that takes arrays by name and says whether the point counts",
            hint="ep.domains has some; lambda at: (at['x'] > 0).all() is another",
            code="domain",
        )
