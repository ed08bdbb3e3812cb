"""Elementwise functions, with the equations between them that normal forms know.

Each holds wherever its left side is defined, and there the right side is defined too:

    1/(c a b) = (1/c) (1/a) (1/b)     1/(1/p) = p     1/exp(p) = exp(-p)     1/sqrt(c) = sqrt(c)/c
    exp(p + q) = exp(p) exp(q)        log(exp(p) q) = p + log(q)             log(q/r) = log(q) - log(r)  (*)
    sqrt(c^2 p) = c sqrt(p)  (c > 0)  sqrt(1/p) = 1/sqrt(p)
    f(-p) = -f(p) for odd f, f(-p) = f(p) for even f;  p > q is q < p;  max, min, =, and, or are
    symmetric max(p, max(q, r)) = max(max(p, q), r), max(p, p) = p, and so for min;  p < q is 0 < q
    - p, and so for <=
    sin(p + q) = sin(p) cos(q) + cos(p) sin(q)     cos(p + q) = cos(p) cos(q) - sin(p) sin(q)  (on request)

(*) only where r > 0 wherever it is defined, or where q is 1: else log(q) might be undefined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce

from . import indices
from .atoms import make, single, single_listing
from .functions import EVEN, ODD, TOTAL
from .indices import NOTHING, ONCE, Laurent, coefficient_of, positive
from .normal_forms import Forms, Head, added, multiplied, negative, scale_form
from .sizes import Size

TURNED = {"gt": "lt", "ge": "le"}
ORDERS = ("lt", "le")
EXTREMES = ("maximum", "minimum")
SYMMETRIC = ("maximum", "minimum", "eq", "ne", "and", "or")
#: Larger integers are not searched for square factors.
MOST_SQUARE = 10**6


def elementwise(forms: Forms, fn: str, operands: Sequence[int]) -> int:
    """Returns the form of an elementwise function of forms over the same axes."""
    if fn in TURNED:
        return elementwise(forms, TURNED[fn], operands[::-1])
    if fn in ORDERS and not _is_zero_form(forms, operands[0]):
        return _ordered(forms, fn, operands)
    if fn in EXTREMES:
        return _extreme_of_operands(forms, fn, operands)
    if fn == "exp":
        return exponential(forms, operands[0])
    if fn == "recip":
        return reciprocal(forms, operands[0])
    if fn == "log":
        return logarithm(forms, operands[0])
    if fn == "sqrt":
        return root(forms, operands[0])
    if forms.angles and fn in ("sin", "cos"):
        return wave(forms, fn, operands[0])
    if fn in ODD or fn in EVEN:
        return _signed(forms, fn, operands[0])
    return function_form(forms, fn, *operands)


def _ordered(forms: Forms, fn: str, operands: Sequence[int]) -> int:
    """Returns the form of p < q as 0 < q - p, and of p <= q likewise."""
    sizes = forms.form[operands[0]][0]
    p, q = operands
    return function_form(
        forms, fn, forms.store_form(sizes, {}), added(forms, sizes, (q, negative(forms, p)))
    )


def _is_zero_form(forms: Forms, form: int) -> bool:
    return not forms.form[form][1]


def _extreme_of_operands(forms: Forms, fn: str, operands: Sequence[int]) -> int:
    """Returns the max or min of all operands, each of them once, in a fixed order."""
    found = sorted({p for operand in operands for p in _least(forms, fn, operand)})
    return reduce(lambda p, q: function_form(forms, fn, q, p), reversed(found[:-1]), found[-1])


def _least(forms: Forms, fn: str, form: int) -> Iterator[int]:
    """Yields the operands of a nested max or min.

    An operand that is itself such a max or min is replaced by its own operands.
    """
    sizes, terms = forms.form[form]
    if len(terms) == 1 and terms[0][1] == ONCE and len(terms[0][0]) == 1:
        summed, factors = forms.part[terms[0][0][0]]
        head, row = factors[0]
        made = forms.head[head]
        if not summed and len(factors) == 1 and made.kind == "function" and made.data == fn:
            for operand in made.operands:
                yield from _least(forms, fn, forms.move(operand, row, sizes))
            return
    yield form


def _signed(forms: Forms, fn: str, form: int) -> int:
    """Returns an odd or even function of p, as that of p or of -p."""
    plus, minus = function_form(forms, fn, form), function_form(forms, fn, negative(forms, form))
    if only(forms, minus) < only(forms, plus):
        if fn in ODD:
            return negative(forms, minus)
        return minus
    return plus


def function_form(forms: Forms, fn: str, *operands: int) -> int:
    """Returns the form of one factor, a function of forms."""
    sizes = forms.form[operands[0]][0] if operands else ()
    listings = single_listing(*operands)
    if fn in SYMMETRIC:
        listings += single_listing(*operands[::-1])
    total = fn in TOTAL or fn == "select"
    if fn in ("recip", "log"):
        total = is_positive(forms, operands[0])
    elif fn == "sqrt":
        total = not_negative(forms, operands[0])
    return make(forms, "function", fn, listings, sizes, 0, total=total)


def only(forms: Forms, form: int) -> int:
    """Returns the head of the only factor of a form."""
    return next(iter(forms.factors(form)))[0]


def lone(forms: Forms, part: int, sizes: tuple[Size, ...]) -> tuple[str, int]:
    """Returns (fn, p) for a part that is fn(p) with fn exp, recip or sqrt; else ("", 0)."""
    summed, factors = forms.part[part]
    head, row = factors[0]
    found = forms.head[head]
    if (
        summed
        or len(factors) > 1
        or found.kind != "function"
        or found.data not in ("exp", "recip", "sqrt")
    ):
        return "", 0
    return found.data, forms.move(found.operands[0], row, sizes)


def reciprocal(forms: Forms, form: int) -> int:
    """Returns the form of 1/p."""
    sizes, terms = forms.form[form]
    if len(terms) == 1:
        inverse = indices.inverse_of_term(terms[0][1])
    else:
        inverse = None
    if inverse is None:
        return _reciprocal_of_sum(forms, form)
    factors = []
    for part in terms[0][0]:
        fn, operand = lone(forms, part, sizes)
        this = single(forms, sizes, (part,))
        below = constant_coefficient(forms, operand) if fn == "sqrt" else NOTHING
        if fn == "recip":
            head = forms.part[part][1][0][0]
            forms.suppose("is not 0", operand, head, known=is_positive(forms, operand))
            factors.append(operand)
        elif fn == "exp":
            factors.append(exponential(forms, negative(forms, operand)))
        elif below:
            factors.append(scale_form(forms, this, indices.inverse_of_term(below) or ONCE))
        else:
            factors.append(function_form(forms, "recip", this))
    return multiplied(forms, sizes, factors, inverse)


def _reciprocal_of_sum(forms: Forms, form: int) -> int:
    """Returns the form of 1/p for a sum p, as 1/(c exp(q)) 1/(p / (c exp(q))).

    +-c is the largest coefficient, q the exponent of some term.
    """
    sizes, terms = forms.form[form]
    best: tuple[int, int, Laurent, int] | None = None
    exponents = (added(forms, sizes, _exponents(forms, sizes, parts)[0]) for parts, _ in terms)
    for exponent in dict.fromkeys(exponents):
        below = exponential(forms, negative(forms, exponent))
        rest = multiplied(forms, sizes, [form, below], ONCE)
        units = [c for _, c in forms.form[rest][1] if len(c) == 1]
        largest = max(units, key=lambda c: (abs(c[0][1]), c[0][0]), default=ONCE)
        for sign in (1, -1):
            unit = indices.inverse_of_term(largest) or ONCE
            scale = indices.multiply_coefficients(unit, coefficient_of(sign))
            found = function_form(forms, "recip", scale_form(forms, rest, scale))
            way = (only(forms, found), below, scale, found)
            if best is None or way < best:
                best = way
    if best is None:
        return function_form(forms, "recip", form)
    return multiplied(forms, sizes, [best[3], best[1]], best[2])


def _exponents(
    forms: Forms, sizes: tuple[Size, ...], parts: tuple[int, ...]
) -> tuple[list[int], list[int]]:
    """Splits parts into the q of those that are exp(q), and the other parts."""
    found, rest = [], []
    for part in parts:
        fn, operand = lone(forms, part, sizes)
        if fn == "exp":
            found.append(operand)
        else:
            rest.append(part)
    return found, rest


def _grouped_by_axes(forms: Forms, form: int) -> list[int]:
    """Returns the sums of the terms of p that vary along the same axes."""
    sizes, terms = forms.form[form]
    groups: dict[frozenset[int], dict[tuple[int, ...], Laurent]] = {}
    for parts, coefficient in terms:
        groups.setdefault(forms.varies[single(forms, sizes, parts)], {})[parts] = coefficient
    return [forms.store_form(sizes, group) for group in groups.values()]


def exponential(forms: Forms, form: int) -> int:
    """Returns exp(p), with one factor for each set of axes along which terms of p vary."""
    factors = [function_form(forms, "exp", group) for group in _grouped_by_axes(forms, form)]
    return multiplied(forms, forms.form[form][0], factors, ONCE)


def wave(forms: Forms, fn: str, form: int) -> int:
    """Expands sin(p) or cos(p) by the addition theorems.

    The summands of p are the sums of its terms that vary along the same axes.
    """
    sizes, terms = forms.form[form]
    if not terms:
        return forms.store_form(sizes, {(): ONCE} if fn == "cos" else {})
    first, *others = _grouped_by_axes(forms, form)
    if not others:
        return _signed(forms, fn, form)
    rest, summands = added(forms, sizes, others), (("cos", "cos", 1), ("sin", "sin", -1))
    if fn == "sin":
        summands = (("sin", "cos", 1), ("cos", "sin", 1))
    products = (
        multiplied(
            forms, sizes, [wave(forms, one, first), wave(forms, other, rest)], coefficient_of(sign)
        )
        for one, other, sign in summands
    )
    return added(forms, sizes, products)


def logarithm(forms: Forms, form: int) -> int:
    """Returns the form of log(p)."""
    sizes, terms = forms.form[form]
    if len(terms) != 1:
        return function_form(forms, "log", form)
    parts, coefficient = terms[0]
    summands, rest = _exponents(forms, sizes, parts)
    kept = []
    for part in rest:
        fn, operand = lone(forms, part, sizes)
        alone = len(rest) == 1 and coefficient == ONCE
        if fn == "recip" and (alone or is_positive(forms, operand)):
            summands.append(negative(forms, logarithm(forms, operand)))
        else:
            kept.append(part)
    if kept or coefficient != ONCE:
        summands.append(function_form(forms, "log", single(forms, sizes, tuple(kept), coefficient)))
    return added(forms, sizes, summands)


def root(forms: Forms, form: int) -> int:
    """Returns the form of sqrt(p)."""
    sizes, terms = forms.form[form]
    if len(terms) != 1 or len(terms[0][1]) != 1:
        return function_form(forms, "sqrt", form)
    parts, ((powers, value),) = terms[0]
    square, rest = _square_part(value)
    outside: Laurent = ((tuple((name, e // 2) for name, e in powers if e // 2), square),)
    inside: Laurent = ((tuple((name, e % 2) for name, e in powers if e % 2), rest),)
    if inside == ONCE and not parts:
        return forms.store_form(sizes, {(): outside})
    if len(parts) == 1:
        fn, operand = lone(forms, parts[0], sizes)
    else:
        fn, operand = ("", 0)
    if inside == ONCE and fn == "recip":
        return scale_form(forms, reciprocal(forms, root(forms, operand)), outside)
    return scale_form(
        forms, function_form(forms, "sqrt", single(forms, sizes, parts, inside)), outside
    )


def _square_part(value: Fraction) -> tuple[Fraction, Fraction]:
    """Returns (a, b) with value = a^2 b and a > 0.

    b is a squarefree integer unless the value is large.
    """
    left = value.numerator * value.denominator
    if left > MOST_SQUARE:
        return Fraction(1), value
    base, k = 1, 2
    while k * k <= left:
        if left % (k * k) == 0:
            left, base = left // (k * k), base * k
        else:
            k += 1
    return Fraction(base, value.denominator), Fraction(left)


def constant_coefficient(forms: Forms, form: int) -> Laurent:
    """Returns the coefficient of a form that is one constant term; else 0."""
    terms = forms.form[form][1]
    if len(terms) == 1 and not terms[0][0] and len(terms[0][1]) == 1:
        return terms[0][1]
    return NOTHING


def not_negative(forms: Forms, form: int) -> bool:
    """Checks whether a form is >= 0 wherever it is defined; False may mean unknown."""
    return all(
        positive(c) and all(_sign(forms, part) >= 0 or parts.count(part) % 2 == 0 for part in parts)
        for parts, c in forms.form[form][1]
    )


def is_positive(forms: Forms, form: int) -> bool:
    """Checks whether a form is > 0 wherever it is defined; False may mean unknown.

    It is if no term is negative and one is positive.
    """
    terms = forms.form[form][1]
    return not_negative(forms, form) and any(
        all(_sign(forms, part) == 1 for part in parts) for parts, _ in terms
    )


def _sign(forms: Forms, part: int) -> int:
    """Returns 1 for a part that is positive, 0 for one that is not negative, -1 for others.

    A factor that occurs an even number of times, with the same indices, is a square.
    """
    summed, factors = forms.part[part]
    if all(forms.at_least(size, 1) for size in summed):
        sign = 1
    else:
        sign = 0
    for head, row in factors:
        found: Head = forms.head[head]
        fn = found.data if found.kind == "function" else ""
        if fn == "exp" or (fn == "recip" and is_positive(forms, found.operands[0])):
            continue
        if factors.count((head, row)) % 2 and fn not in ("sqrt", "abs"):
            return -1
        sign = 0
    return sign
