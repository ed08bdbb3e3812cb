"""The public functions of the package, such as `check`; `import eqvproof as ep` exports them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

from eqvproof.engines.options import (
    CheckOptions,
    CommonOptions,
    GroupOptions,
    read_options,
    shows_options,
)
from eqvproof.support.progress import shows_progress
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    from eqvproof.claims.groups import Under
    from eqvproof.engines.verdict import Verdict
    from eqvproof.engines.violation import Violation
    from eqvproof.kernel import Report


@shortens_tracebacks
@shows_progress
@shows_options(CheckOptions)
def check(
    f: Callable[..., Any],
    signature: str | None = None,
    under: Under | None = None,
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Checks whether f(g x) = g f(x) for every g in a group and all x.

    Returns the strongest verdict found: a proof, an exact decision, a counterexample, or tests.

    Args:
        f: a function of arrays, in the order of the signature, or a SymPy expression of its names.
        signature: the typing, such as ``"X: d n, Z: d k -> d n"``; None: that of annotations such
            as jaxtyping's ``Float[Array, "d n"]``.
        under: the group, such as ``"O(d) x S(n)"``, a group of `eqvproof.groups`, or a list of
            these; each factor acts on an input. ``O(3)`` acts on the axes that are written 3; where
            there are none, on the axis d (n for permutations), of size 3.
        sizes: axis sizes, ``{"d": 3, "n": (1, 6)}``, both ends included, or ``(4, None)`` for all
            from 4 up; absent: proofs speak of all sizes.

        budget: seconds in total, 30 by default here and in all other calls; when they are over, the
            best result so far is the verdict. After a second, a line on a terminal or in a notebook
            shows the time; the environment variable EQVPROOF_PROGRESS=0 turns that off.
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

    Example:
        >>> verdict = ep.check(lambda X: X @ (X.T @ X), "X: d n -> d n", under="O(d) x S(n)")
        >>> print(verdict.outcome, verdict.grade, verdict.scope)
        HOLDS PROVED for all d, n
        >>> verdict = ep.check(lambda X: X[:, 0], "X: d n -> d", under="S(n)")
        >>> print(verdict.outcome, verdict.counterexample.words)
        FAILS swap positions 0 and 1 along n
    """
    from eqvproof.engines.guarded_call import Question, verdict_on

    given = read_options(check, options)
    question = Question.CHECK_FLOATS if given["about"] == "floats" else Question.CHECK
    return verdict_on(question, (f,), signature, under, given)


@shortens_tracebacks
@shows_progress
@shows_options(GroupOptions)
def prove(
    f: Callable[..., Any],
    signature: str | None = None,
    under: Under | None = None,
    **options: Unpack[GroupOptions],
) -> Verdict:
    """Tries to prove a claim for all sizes; returns PROVED, or UNDECIDED with the place of failure.

    Options as in `check`. There is no `about=` here, nor in the functions below: equality of floats
    bit by bit is tested by `check`, never proved or decided.

    Example:
        >>> ep.prove(lambda x: x - x.mean(0), "x: n d -> n d", under="S(n)").grade
        <Grade.PROVED: 'PROVED'>
        >>> print(ep.prove(np.tanh, "x: d -> d", under="O(d)").outcome)
        UNDECIDED
    """
    from eqvproof.engines.guarded_call import Question, verdict_on

    return verdict_on(Question.PROVE, (f,), signature, under, read_options(prove, options))


@shortens_tracebacks
@shows_progress
@shows_options(GroupOptions)
def decide(
    f: Callable[..., Any],
    signature: str | None = None,
    under: Under | None = None,
    **options: Unpack[GroupOptions],
) -> Verdict:
    """Decides a claim exactly, over the whole group, at as many sizes as possible.

    Returns DECIDED with these sizes, or UNDECIDED.

    Options as in `check`.

    Example:
        >>> verdict = ep.decide(lambda x: (x**2).sum(), "x: d -> ()", under="O(d)", sizes={"d": (1, 3)})
        >>> print(verdict.grade, verdict.scope)
        DECIDED at 3 sizes (d in 1..3)
    """
    from eqvproof.engines.guarded_call import Question, verdict_on

    return verdict_on(Question.DECIDE, (f,), signature, under, read_options(decide, options))


@shortens_tracebacks
@shows_progress
@shows_options(GroupOptions)
def refute(
    f: Callable[..., Any],
    signature: str | None = None,
    under: Under | None = None,
    **options: Unpack[GroupOptions],
) -> Verdict:
    """Searches for a counterexample; returns FAILS with the smallest one found, or UNDECIDED.

    UNDECIDED comes with counts of the tries.

    Options as in `check`.

    Example:
        >>> verdict = ep.refute(lambda x: np.maximum(x, 0), "x: d -> d", under="O(d)")
        >>> print(verdict.counterexample)
        At d = 1:
          x = [1]
          g = reflect coordinate 0
          f(g x) = [0]
          g f(x) = [-1]
    """
    from eqvproof.engines.guarded_call import Question, verdict_on

    return verdict_on(Question.REFUTE, (f,), signature, under, read_options(refute, options))


@shortens_tracebacks
@shows_progress
@shows_options(CommonOptions)
def symmetries(
    f: Callable[..., Any], signature: str | None = None, **options: Unpack[CommonOptions]
) -> list[Verdict]:
    """Returns a verdict for every supported group on every axis, those that hold first.

    Among these, larger groups come first. Options as in `check`; `budget` covers all groups
    together. There is no `reps=`: a representation belongs to one group, and here every group is
    tried.

    Example:
        >>> verdicts = ep.symmetries(lambda x: np.maximum(x, 0), "x: d -> d", sizes={"d": 2})
        >>> print([verdict.under for verdict in verdicts if verdict.holds])
        ['Scale(d)', 'S(d)', 'A(d)', 'D(d)', 'C(d)']
    """
    from eqvproof.engines.guarded_call import verdicts_on_every_group

    return verdicts_on_every_group(f, signature, read_options(symmetries, options))


@shortens_tracebacks
@shows_progress
@shows_options(CommonOptions)
def identical(
    f: Callable[..., Any],
    g: Callable[..., Any],
    signature: str | None = None,
    **options: Unpack[CommonOptions],
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

    Example:
        >>> f, g = (lambda X: (X.T @ X).trace()), (lambda X: (X**2).sum())
        >>> print(ep.identical(f, g, "X: d n -> ()").grade)
        PROVED
    """
    from eqvproof.engines.guarded_call import Question, verdict_on
    from eqvproof.engines.read_call import NO_GROUP

    return verdict_on(Question.CHECK, (f, g), signature, NO_GROUP, read_options(identical, options))


@shortens_tracebacks
def verify(certificate: Verdict | dict[str, Any] | str | bytes | None) -> Report:
    """Re-checks a certificate with the kernel, without running the function; returns its report.

    Args:
        certificate: JSON data, JSON text, or a verdict that holds a certificate.

    Raises:
        CertificateError: the text is not a certificate at all, or the verdict has none (None).

    Example:
        >>> verdict = ep.check(lambda x: -x, "x: d -> d", under="O(d)")
        >>> report = ep.verify(verdict)
        >>> print(report.accepted, report.grade)
        True PROVED
    """
    from eqvproof.engines.verdict import Verdict
    from eqvproof.kernel import Unreadable, check_certificate
    from eqvproof.support.errors import CertificateError

    if isinstance(certificate, Verdict):
        certificate = certificate.certificate
    if certificate is None:
        raise CertificateError(
            "this verdict has no certificate",
            given="None",
            expected="a verdict with another grade than TESTED or OBSERVED",
            code="certificate.none",
            hint="tests leave nothing to re-check; ep.prove says why there is no proof",
        )
    try:
        return check_certificate(certificate)
    except Unreadable as error:
        from eqvproof.engines.option_errors import not_a_certificate

        raise not_a_certificate(certificate, error) from None


@shortens_tracebacks
@shows_options(CheckOptions)
def independent(
    f: Callable[..., Any],
    signature: str,
    of: str,
    *,
    where: str = "",
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Checks whether results of f do not depend on an argument, or on its entries at a mask.

    The verdict is one of `check`: with ``x_changed`` in place of these entries of x, the result is
    invariant under translations of ``x_changed``, one for each row, which together reach every
    value. If it FAILS, the counterexample shows entries that are changed, and the result with and
    without, and the reason names the line.
    Indices ``z[10]`` and truth values are taken from two arrays, by the sign of what is translated.

    Args:
        f: a function of arrays, in the order of the signature.
        signature: the typing, with any number of results: an array, a tuple, or a dictionary.
        of: an argument, ``"x"``, or its entries where a mask among the arguments does not hold,
            ``"x[~keep]"``, or holds, ``"x[pad]"``. Of an array with more than two axes, such as a
            batch, ``x_changed`` has the last two, and takes their place in the elements that a
            mask ``x_chosen`` chooses.
        where: of results with the axes of a mask, only the entries at it are meant, ``"keep"`` or
            ``"~pad"``; "" for all.

    Raises:
        SignatureError: there is no such argument or mask; else as `check`.

    Example:
        >>> def mean(x, keep):
        ...     return (x * keep[:, None]).sum(0) / keep.sum()
        >>> verdict = ep.independent(mean, "x: n d, keep[bool]: n -> d", of="x[~keep]")
        >>> verdict.grade
        <Grade.PROVED: 'PROVED'>

    **Exactness**: as `check`. **Source**: the definition of invariance in the preprint, Section 2,
    with translations for the group.
    """
    from eqvproof.claims.dependence import without_entries
    from eqvproof.engines.targets import library_of

    claim = without_entries(f, signature, of, where, library_of(f, options.get("backend")))
    verdict = check(claim.function, claim.signature, claim.under, **options)
    return replace(verdict, question=claim.question)


@shortens_tracebacks
@shows_options(CheckOptions)
def causal(
    f: Callable[..., Any],
    signature: str,
    axis: str = "",
    *,
    before: int | None = None,
    after: int | None = 0,
    **options: Unpack[CheckOptions],
) -> Verdict:
    """Checks whether entry i of results along an axis depends on no entry j > i of the arguments.

    With ``before=3`` it must depend on none before i - 3 either: a window that slides. With
    ``before=2, after=2`` it depends on entries from i - 2 to i + 2 alone: a receptive field.

    The verdict is one of `check`: the arguments are cut in two along the axis, x and ``x_later``,
    and the first entries of the result, as many as x has except for those inside the window, are
    invariant under translations of ``x_later``, one for each row, which together reach every value.
    The same holds for ``x_earlier`` and the last entries. If it FAILS, the reason begins with the
    entry that leaks, and names the line.

    Args:
        f: a function of arrays, in the order of the signature.
        signature: the typing, with any number of results: an array, a tuple, or a dictionary;
            results without the axis are left out.
        axis: the axis; "" for the first axis of the first result. Of arguments with more than two
            axes, such as batches, the other part is changed in the elements that a mask chooses, as
            by `independent`; indices ``z[10]: n`` and truth values are taken from two arrays.
        before: how many entries before i it may depend on; None for all.
        after: how many entries after i; None for all.

    Raises:
        SignatureError: no result, or no argument, has the axis; else as `check`.

    Example:
        >>> verdict = ep.causal(lambda x: np.cumsum(x, 0), "x: n d -> n d")
        >>> verdict.grade
        <Grade.PROVED: 'PROVED'>

    **Exactness**: as `check`.
    """
    from eqvproof.claims.dependence import within_window
    from eqvproof.engines.leaks import name_leak
    from eqvproof.engines.targets import library_of

    library = library_of(f, options.get("backend"))
    claim = within_window(f, signature, axis, (before, after), library)
    verdict = check(claim.function, claim.signature, claim.under, **options)
    return name_leak(replace(verdict, question=claim.question), claim.ends)


@shortens_tracebacks
@shows_progress
def violation(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    box: Any = (-1, 1),
    relative: bool = True,
    sizes: Mapping[str, int] | None = None,
    budget: float = 30.0,
    seed: int = 0,
    backend: Literal["numpy", "torch", "jax"] | None = None,
) -> Violation:
    """Returns how far a function is from a claimed symmetry: its greatest violation in a box.

    At a point x, for an element g, the violation is ``|f(g x) - g f(x)|``, and relative to the
    result ``|f(g x) - g f(x)| / max(|f(g x)|, |g f(x)|)``, from 0 to 2, with Euclidean norms over
    all entries of the result. The greatest one for all x of a box and all g is searched from random
    points and elements, which are improved step by step; the violation at the best point is then
    enclosed in exact arithmetic. A proof of the claim gives 0.

    Args:
        f: a function of arrays, in the order of the signature.
        signature: the typing, with one result.
        under: the group.
        box: ``(low, high)`` for all entries, or a dict of these by the names of arguments; the ends
            may be arrays. Points x lie in the box, their images g x need not. Where f may be 0 in
            the box, a relative violation says little.
        relative: False for the violation itself, not relative to the result.
        sizes: the sizes of axes; others are small.
        budget: seconds.
        seed: equal seeds give equal results.
        backend: as in `check`.

    Returns:
        A `Violation`: ``.lower`` is a proved lower bound of the greatest violation (None if f is
        known by calls alone: ``.measured`` is then a float without a bound); ``.upper`` is at least the
        greatest violation, or None with the reason in ``.why``; ``.point`` and ``.element`` show
        where; ``.certificate`` shows ``.lower``, by the point, or holds the proof.

    Exactness: ``.lower`` and ``.upper`` are exact or ball arithmetic, rounded outwards, for the
        numbers that the code holds; ``.measured`` is float64.

    Raises:
        SignatureError, GroupError, ShapeError, OptionError, TargetError: bad input.

    Example:
        >>> def nearly(x):
        ...     return x + 1e-3 * x**2
        >>> found = ep.violation(nearly, "x: d -> d", "Signs(d)", box=(1, 2), sizes={"d": 2})
        >>> 0.003 < found.lower <= found.upper < 0.02
        True
    """
    from eqvproof.engines.violation import read_violation

    given: CheckOptions = {"sizes": sizes, "budget": budget, "seed": seed, "backend": backend}
    return read_violation(
        f, signature, under, box, read_options(violation, given), is_relative=relative
    )
