"""Advises where a function fails at the sizes at which it is first called."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from eqvproof.claims.signature.shape_errors import CHANGE_SOMETHING
from eqvproof.engines.claim import Claim
from eqvproof.support.errors import EqvproofError, ErrorCode, ShapeError, TargetError

Failure = TargetError | ShapeError
#: Seconds and largest size of an axis for the search for sizes at which a function returns.
SECONDS, LARGEST = 1.0, 8
#: Errors of functions that may be about sizes.
KINDS = (ValueError, RuntimeError, AssertionError, IndexError)
_RESULTS = re.compile(r"(?<='-> )[^']*(?=')")


def clearer_error(
    claim: Claim, first: Failure, call_at: Callable[[Mapping[str, int]], Failure | None]
) -> Failure:
    """Returns an error of a function with a suggestion that other calls of it confirm.

    Axes that are suggested from the shapes at one choice of sizes must have these shapes at
    another one; sizes are suggested only where the function returns as declared.

    Args:
        claim: the claim.
        first: the error at the first sizes.
        call_at: calls the function at some sizes, and returns its error, if any.
    """
    hint, typical = first.hint, claim.typical_sizes(3)
    free = [n for n in typical if n not in claim.pins]
    names_axes = _RESULTS.search(hint) is not None
    if names_axes:
        turned = dict(zip(free, (typical[n] + 1 for n in reversed(free)), strict=True))
        hint = _agreed(hint, call_at(_within(claim, {**typical, **turned})))
    if hint != first.hint or (not names_axes and _may_be_about_sizes(first)):
        found = _working_sizes(claim, typical, free, call_at)
        if found:
            hint = f"f returns as declared at other sizes: sizes={found}"
    if hint == first.hint:
        return first
    kind: type[Failure] = type(first)
    better = kind(
        first.message, given=first.given, expected=first.expected, hint=hint, code=first.code
    )
    better.__cause__ = first.__cause__
    return better


def _may_be_about_sizes(error: Failure) -> bool:
    if error.code == ErrorCode.TARGET_RAISES:
        return isinstance(error.__cause__, KINDS)
    return isinstance(error, ShapeError) and error.hint == CHANGE_SOMETHING


def _agreed(hint: str, other: EqvproofError | None) -> str:
    """Returns a suggestion of axes, with "_" for results whose axes differ at other sizes."""
    mine = _RESULTS.search(hint)
    theirs = None
    if other is not None:
        theirs = _RESULTS.search(other.hint)
    if mine is None or theirs is None:
        return CHANGE_SOMETHING
    pairs = [(a, b) for a, b in zip(mine[0].split(", "), theirs[0].split(", "), strict=False)]
    if all(a == b for a, b in pairs):
        return hint
    if len(pairs) == 1:
        return CHANGE_SOMETHING
    results = ["_" if a != b else a for a, b in pairs]
    return f"{hint[: mine.start()]}{', '.join(results)}{hint[mine.end() :]}"


def _working_sizes(
    claim: Claim,
    typical: dict[str, int],
    free: Sequence[str],
    call_at: Callable[[Mapping[str, int]], Failure | None],
) -> dict[str, int]:
    """Returns the fewest sizes at which the functions return as declared; {} if none are found."""
    end = time.monotonic() + min(SECONDS, claim.seconds_left / 4)
    for chosen in _choices(claim, free):
        if time.monotonic() > end:
            return {}
        sizes = {**typical, **chosen}
        if _within(claim, sizes) == sizes and call_at(sizes) is None:
            return chosen
    return {}


def _choices(claim: Claim, free: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yields sizes for one axis, and then for two: those in the code first."""
    written = {
        c
        for f in claim.functions
        for c in getattr(getattr(f, "__code__", None), "co_consts", ())
        if type(c) is int and LARGEST < c <= 8 * LARGEST
    }
    sizes = [*sorted(written), *range(2, LARGEST + 1)]
    for count in (1, 2):
        for names in combinations(free, count):
            for values in product(sizes, repeat=count):
                yield dict(zip(names, values, strict=True))


def _within(claim: Claim, sizes: Mapping[str, int]) -> dict[str, int]:
    """Returns sizes, moved into the ranges of the claim."""
    found = dict(sizes)
    for name, (low, high) in claim.ranges.items():
        if name in found:
            found[name] = min(high, max(low, found[name]))
    return found
