"""Laws of periodic functions in normal forms, for translations by whole numbers.

A term of a form is *whole* if its value is an integer at all points. With w a sum of whole terms:

    floor(p + w) = floor(p) + w               ceil(p + w) = ceil(p) + w
    sin(p + 2 pi w) = sin(p)                  cos(p + 2 pi w) = cos(p)      tan(p + pi w) = tan(p)
    mod(p, c) = p - c floor(p / c), for a rational c that is not 0

**Proof**. The laws of functions are those of their definitions, as integers are added; mod is
defined so. Translations by whole numbers are arrays of integers; identity matrices, triangles and
counters hold integers, and floor, ceil, rint, signs and truth values are such. A product of
integers, also of an array of rationals times a multiple of its denominators, is one, a sum of these
over labels, which may be empty, and a size, too; and so are what is joined, reshaped or sorted of
integers, and the greatest, least, or product of some. Only terms that are defined everywhere are
taken out, so that both sides are defined at the same points. QED
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import lcm, prod

from .equations import constant_coefficient
from .indices import Laurent, inverse_of_term
from .normal_forms import Forms, Head, Parts, added, negative, scale_form
from .report import spend

#: Functions whose values are whole, and those of whole arguments that are.
_WHOLE_VALUES = frozenset("floor ceil rint sign not lt le gt ge eq ne and or".split())
_OF_WHOLE = frozenset("abs maximum minimum select".split())
#: Function -> how many times pi its period is.
_PERIODS = {"sin": 2, "cos": 2, "tan": 1}
Elementwise = Callable[[str, Sequence[int]], int]


def add_laws(forms: Forms) -> None:
    """Adds the laws to a store of forms in which translations are by whole numbers."""
    forms.elementwise = partial(_of_entries, forms, forms.elementwise)


def _of_entries(forms: Forms, plain: Elementwise, fn: str, operands: Sequence[int]) -> int:
    """Returns the form of a function of entries, by the laws and those of other functions."""
    if fn in ("floor", "ceil"):
        whole, rest = _split_whole(forms, operands[0], 0)
        return added(forms, forms.form[rest][0], [plain(fn, [rest]), whole])
    if fn in _PERIODS:
        _, rest = _split_whole(forms, operands[0], _PERIODS[fn])
        return plain(fn, [rest])
    if fn == "mod":
        return _remainder(forms, plain, operands)
    return plain(fn, operands)


def _remainder(forms: Forms, plain: Elementwise, operands: Sequence[int]) -> int:
    """Returns the form of mod(p, q), where q is a number by the law."""
    p, q = operands
    over = inverse_of_term(constant_coefficient(forms, q))
    if over is None or over[0][0]:
        return plain("mod", operands)
    floor = _of_entries(forms, plain, "floor", [scale_form(forms, p, over)])
    below = scale_form(forms, floor, constant_coefficient(forms, q))
    return added(forms, forms.form[p][0], [p, negative(forms, below)])


def _split_whole(forms: Forms, form: int, period: int) -> tuple[int, int]:
    """Returns the sum of the terms that are whole, and that of the others.

    With a period, the terms are those that are whole multiples of this times pi.
    """
    sizes, terms = forms.form[form]
    whole, rest = dict[Parts, Laurent](), dict[Parts, Laurent]()
    for parts, coefficient in terms:
        if _is_whole_term(forms, parts, coefficient, period):
            whole[parts] = coefficient
        else:
            rest[parts] = coefficient
    return forms.store_form(sizes, whole), forms.store_form(sizes, rest)


def _is_whole_term(forms: Forms, parts: Parts, coefficient: Laurent, period: int) -> bool:
    """Checks whether a term is a whole number, or such a multiple of a period times pi."""
    heads = [forms.head[head] for part in parts for head, _ in forms.part[part][1]]
    spend(4 + 4 * len(heads))
    if period:
        numbers = [head for head in heads if (head.kind, head.data) != ("function", "pi")]
        if len(numbers) != len(heads) - 1:
            return False
        heads = numbers
    below = [_denominator(forms, head) for head in heads]
    times = prod(below) * max(period, 1)
    return 0 not in below and all(
        (value / times).denominator == 1 and all(power > 0 for _, power in powers)
        for powers, value in coefficient
    )


def _denominator(forms: Forms, head: Head) -> int:
    """Returns an integer by which the values of a head become whole; 0 where none is known."""
    if not head.total:
        return 0
    match head.kind:
        case "translation" | "identity" | "triangle" | "counter":
            return 1
        case "array":
            spend(len(head.data) // 8)
            return lcm(*(value.denominator for value in head.data))
        case "function" if head.data in _WHOLE_VALUES:
            return 1
        case "function" if head.data not in _OF_WHOLE:
            return 0
        case "function" | "joined" | "reshaped" | "gathered" | "ascending" | "extremum" | "cell":
            return int(all(_is_whole_form(forms, operand) for operand in head.operands))
    return 0


def _is_whole_form(forms: Forms, form: int) -> bool:
    """Checks whether all terms of a form are whole."""
    return all(_is_whole_term(forms, *term, 0) for term in forms.form[form][1])
