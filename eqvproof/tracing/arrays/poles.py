"""Questions whether a value is a number, infinite or NaN, as functions ask them."""

from __future__ import annotations

from eqvproof.programs import Builder
from eqvproof.tracing.arrays.pole_masks import WITH_SIGN, Poles, but, is_nowhere, negated

#: The message where it is not known.
UNKNOWN = "whether a value is finite is asked where it may be undefined"
UNKNOWN_HINT = "test the divisor, or what is under the root, in its place"


def undefined(b: Builder) -> int:
    """Returns an undefined number."""
    return b.map("recip", [b.const(0)])


def not_a_number(b: Builder) -> int:
    """Returns the number NaN: it is undefined, and not infinite."""
    return b.map("sqrt", [b.const(-1)])


def poles(b: Builder, node: int) -> Poles | None:
    """Returns the masks of a value over the reals; None where they are not known."""
    from eqvproof.tracing.arrays.find_poles import PoleFinder  # few functions ask

    return PoleFinder(b).of(node)


def finite(b: Builder, node: int) -> int | None:
    """Returns 1 where a value is a number, else 0; None where it is not known."""
    known = poles(b, node)
    if known is None:
        return None
    return b.valid_if_finite(node, negated(b, known.absent))


def invalid(b: Builder, node: int) -> int | None:
    """Returns 1 where a value is NaN, else 0; None where it is not known."""
    known = poles(b, node)
    if known is None or known.invalid is None:
        return None
    return b.valid_if_finite(node, known.invalid)


def infinite(b: Builder, node: int, sign: int = 0) -> int | None:
    """Returns 1 where a value is infinite, with this sign if it is not 0; None where not known."""
    found = _infinite(b, poles(b, node), sign)
    if found is None:
        return None
    return b.valid_if_finite(node, found)


def _infinite(b: Builder, known: Poles | None, sign: int) -> int | None:
    if known is None or known.invalid is None:
        return None
    found = but(b, known.absent, known.invalid)
    if not sign or is_nowhere(b, found):
        return found
    if known.negative is None:
        return None
    return WITH_SIGN[sign](b, found, known.negative)


def beside_infinity(b: Builder, fn: str, node: int, high: bool) -> int:  # noqa: FBT001
    """Returns a comparison of a value with an infinity, undefined where it is not known.

    Comparisons of NaN are false, but for "not equal".
    """
    known = poles(b, node)
    sign = (-1, 1)[high]
    there = _infinite(b, known, sign)
    of_numbers = fn in {1: ("ne", "le", "lt"), -1: ("ne", "ge", "gt")}[sign]
    if known is None or known.invalid is None or there is None:
        found = b.defined_where(node, b.const(int(of_numbers)))
    elif fn == "ne":
        found = negated(b, there)
    elif not of_numbers and fn in ("lt", "gt"):
        found = b.broadcast_to(b.const(0), b.shape(node))
    elif not of_numbers:
        found = there
    else:
        found = negated(b, known.invalid)
        if fn in ("lt", "gt"):
            found = but(b, found, there)
    return b.valid_if_finite(node, found)


def beside_itself(b: Builder, fn: str, node: int) -> int:
    """Returns a comparison of a value with itself, undefined where it is not known."""
    nan = invalid(b, node)
    if nan is None:
        return b.defined_where(node, b.const(int(fn in ("eq", "le", "ge"))))
    if fn == "ne":
        return nan
    if fn in ("eq", "le", "ge"):
        return negated(b, nan)
    return b.broadcast_to(b.const(0), b.shape(node))


def replaced(b: Builder, node: int, nan: int, high: int, low: int) -> int | None:
    """Returns a value with numbers in place of NaN, +inf and -inf; None where it is not known."""
    known = poles(b, node)
    if known is None or known.invalid is None:
        return None
    absent = b.valid_if_finite(node, known.absent)
    if is_nowhere(b, but(b, known.absent, known.invalid)):
        return b.select(absent, nan, node)
    if high == low:
        number = high
    elif known.negative is None:
        return None
    else:
        number = b.select(known.negative, low, high)
    return b.select(absent, b.select(known.invalid, nan, number), node)
