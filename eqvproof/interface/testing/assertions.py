"""Assertions for tests: they pass if the claim holds, at a given grade or a stronger one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from eqvproof.api import causal, check, independent
from eqvproof.engines.options import CheckOptions
from eqvproof.engines.verdict import HOLDS_GRADES, Grade, Verdict
from eqvproof.engines.verdict.floors import shortfall
from eqvproof.interface.testing.checked_claims import CHECKED
from eqvproof.interface.testing.claims import DeclaredClaim
from eqvproof.support.errors import GroupError, OptionError
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    from eqvproof.claims.groups import Group, Under
    from eqvproof.claims.signature import Axis
    from eqvproof.claims.signature.forms import Form, Result


#: The hint if a claim fails on exceptional points only.
GENERIC = "\n\nTo check all other points only, write generic=True."


@shortens_tracebacks
def assert_equivariant(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    at_least: str = "TESTED",
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Asserts that f(g x) = g f(x) for every g of the group and every x.

    If it fails, the AssertionError shows a counterexample.

    Args:
        f: the target, as for `eqvproof.check`.
        signature: its arguments and result, ``"X: d n -> d n"``.
        under: the group, ``"O(d) x S(n)"``.
        at_least: the weakest grade that passes: "PROVED", "DECIDED", "BOUNDED" or "TESTED".
            "PROVED" passes only in the full scope: narrower sizes, or excluded points, must be
            requested by ``sizes=`` or ``generic=True``.
        options: other options of `eqvproof.check` (`sizes`, `budget`, `seed`, ...).

    Returns:
        The verdict, which holds at the required grade or a stronger one.

    Raises:
        AssertionError: the claim fails, is undecided, or holds at a weaker grade only.
        EqvproofError: the signature, the group, the target or `at_least` is invalid.
    """
    __tracebackhide__ = True
    return _assert_claim(f, DeclaredClaim(signature, under, options), at_least)


@shortens_tracebacks
def assert_invariant(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    at_least: str = "TESTED",
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Asserts that f(g x) = f(x) for every g of the group and every x.

    This is `assert_equivariant` with every axis of the result marked ``!`` (not acted on), even if
    the group acts on an axis of that name: arguments, value and errors are the same.
    """
    __tracebackhide__ = True
    return _assert_claim(f, DeclaredClaim(signature, under, options, invariant=True), at_least)


@shortens_tracebacks
def assert_independent(
    f: Callable[..., Any],
    signature: str,
    of: str,
    *,
    where: str = "",
    at_least: str = "TESTED",
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Asserts that the result does not depend on an argument, or on its entries at a mask.

    Args:
        f: the target, as for `eqvproof.independent`.
        signature: its arguments and result.
        of: the argument, or its entries: ``"x[~keep]"``.
        where: the entries of the result that are meant; "" for all.
        at_least: as for `assert_equivariant`.
        options: other options of `eqvproof.independent`.

    Raises:
        AssertionError: the claim fails, is undecided, or holds at a weaker grade only.
        EqvproofError: an argument is invalid.
    """
    __tracebackhide__ = True
    return _assert_answer(lambda: independent(f, signature, of, where=where, **options), at_least)


@shortens_tracebacks
def assert_causal(
    f: Callable[..., Any],
    signature: str,
    axis: str = "",
    *,
    before: int | None = None,
    after: int | None = 0,
    at_least: str = "TESTED",
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Asserts that entries of results along an axis depend on no later entries, or on a window.

    Args:
        f: the target, as for `eqvproof.causal`.
        signature: its arguments and result.
        axis: the axis; "" for the first axis of the first result.
        before: how many entries before one it may depend on; None for all.
        after: how many entries after it; None for all.
        at_least: as for `assert_equivariant`.
        options: other options of `eqvproof.causal`.

    Raises:
        AssertionError: the claim fails, is undecided, or holds at a weaker grade only.
        EqvproofError: an argument is invalid.
    """
    __tracebackhide__ = True
    return _assert_answer(
        lambda: causal(f, signature, axis, before=before, after=after, **options), at_least
    )


def _assert_answer(ask: Callable[[], Verdict], at_least: str) -> Verdict:
    __tracebackhide__ = True
    floor = grade_named(at_least)
    verdict = ask()
    CHECKED.add_verdict(verdict)
    _require(verdict, floor)
    return verdict


def _assert_claim(f: Callable[..., Any], claim: DeclaredClaim, at_least: str) -> Verdict:
    __tracebackhide__ = True
    floor = grade_named(at_least)
    verdict = verdict_on(f, claim)
    _require(verdict, floor)
    return verdict


def verdict_on(f: Callable[..., Any], claim: DeclaredClaim) -> Verdict:
    """Returns the verdict on a claim, from an earlier run if possible.

    That requires a stored certificate, which is re-checked, and that the function is the same.
    """
    if CHECKED.folder is None:
        verdict = _check_claim(f, claim)
        CHECKED.add_verdict(verdict)
        return verdict
    from eqvproof.interface.testing.stored_verdicts import read_record, record_name, write_record

    # functions in a test may have the same name (lambdas), and a function may be in many tests
    place = os.environ.get("PYTEST_CURRENT_TEST", getattr(f, "__module__", "")).removesuffix(
        " (call)"
    )
    name = record_name(f"{place}.{getattr(f, '__qualname__', type(f).__qualname__)}", claim)
    known = read_record(CHECKED.folder, name, claim, f)
    if known is not None:
        CHECKED.add_verdict(known, reused=True)
        return known
    from eqvproof.tracing.observing.fingerprint import fingerprint

    before = fingerprint(f)
    verdict = _check_claim(f, claim)
    write_record(CHECKED.folder, name, claim, before, verdict)
    CHECKED.add_verdict(verdict)
    return verdict


def _check_claim(f: Callable[..., Any], claim: DeclaredClaim) -> Verdict:
    if not claim.invariant:
        return check(f, claim.signature, claim.under, **claim.options)
    from eqvproof.claims.signature import parse_form

    fixed = fixed_output(parse_form(claim.signature), claim.under)
    return check(f, str(fixed), claim.under, **claim.options)


def fixed_output(form: Form, under: Under) -> Form:
    """Marks with ``!`` every axis of the form's results that the group acts on."""
    from eqvproof.claims.groups import parse_group
    from eqvproof.claims.groups.flips import with_flips

    flipped = with_flips(form, under)
    if any(result.flips for result in flipped.results):
        raise GroupError(
            "a result of which invariance is asserted is named in a flip",
            given=str(under),
            expected="flips that name arguments alone",
            hint="give the result another name, or use assert_equivariant",
            code="group.flip",
        )

    def fixed(result: Result) -> Result:
        if result.shaped is None:
            return result
        group = parse_group(under, flipped.signature(result), each=True)
        axes = tuple(_fixed(axis, group) for axis in result.shaped.axes)
        return replace(result, shaped=replace(result.shaped, axes=axes))

    return replace(form, results=tuple(map(fixed, form.results)))


def _fixed(axis: Axis, group: Group) -> Axis:
    from eqvproof.claims.signature import Axis

    terms = []
    for term in axis.terms:
        if any(factor.acts_on(term) for factor in group.factors):
            term = replace(term, mark="!")
        terms.append(term)
    return Axis(tuple(terms))


def grade_named(text: str, option: str = "at_least=") -> Grade:
    """Returns the grade of HOLDS with that name.

    Args:
        text: the name.
        option: what stands before the name where it is written, for messages.

    Raises:
        OptionError: there is none.
    """
    for grade in HOLDS_GRADES:
        if text == grade:
            return grade

    def written(grade: str) -> str:
        if option.endswith("="):
            return f"{option}{grade!r}"
        return f"{option}{grade}"

    hint = f"{written('PROVED')} requires a proof, {written('TESTED')} accepts any evidence"
    if str(text).upper() in HOLDS_GRADES:
        hint = f"write {written(str(text).upper())}"
    raise OptionError(
        f"{option.strip(' =')} is not a grade of HOLDS",
        given=repr(text),
        expected="one of " + ", ".join(HOLDS_GRADES) + " (strongest first)",
        hint=hint,
        code="testing.grade",
    )


def _require(verdict: Verdict, floor: Grade) -> None:
    __tracebackhide__ = True
    if not verdict.holds:
        generic = ""
        if verdict.elsewhere is not None and verdict.elsewhere.holds:
            generic = GENERIC
        raise AssertionError(str(verdict) + generic + _code(verdict))
    short = shortfall(verdict.grade, verdict.narrowed, verdict.scope, floor)
    if short:
        raise AssertionError(f"{short}.\n{verdict}")


def _code(verdict: Verdict) -> str:
    if verdict.counterexample is None:
        return ""
    code = verdict.counterexample.code()
    if not code:
        return ""
    return f"\n\nTo see it with NumPy only:\n\n{code}"
