"""Elementwise functions of forms, with the few equations between them that the normal form knows.

Each holds wherever its left side is defined, and there the right side is defined too:

    1/(c a b) = (1/c) (1/a) (1/b)     1/(1/p) = p     1/exp(p) = exp(-p)     1/sqrt(c) = sqrt(c)/c  (c > 0)
    exp(p + q) = exp(p) exp(q)        log(exp(p) q) = p + log(q)             log(1/p) = -log(p)
    sqrt(c^2 p) = c sqrt(p)  (c > 0)  sqrt(1/p) = 1/sqrt(p)
    f(-p) = -f(p) for odd f, f(-p) = f(p) for even f;  p > q is q < p;  max, min, =, and, or are symmetric
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eqvproof.engines.identity import canonical_atoms
from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.coefficients import Coefficient
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Component, Form, Head, Mono, Term, Work
from eqvproof.operations import FUNCTIONS
from eqvproof.program import Size

SYMMETRIC = frozenset({"maximum", "minimum", "eq", "ne", "and", "or"})
TURNED = {"gt": "lt", "ge": "le"}
PARTIAL = frozenset(row.name for row in FUNCTIONS.values() if row.partial)
#: Numbers up to this are searched for square factors, by trial division.
MOST_SQUARE = 10**6


def elementwise(table: Table, fn: str, operands: Sequence[int]) -> int:
    """The form of a function of forms over the same axes."""
    if fn in TURNED:
        fn, operands = TURNED[fn], operands[::-1]
    special = {"exp": exponential, "recip": reciprocal, "log": logarithm, "sqrt": root}
    if fn in special:
        return special[fn](table, operands[0])
    parity = FUNCTIONS[fn].parity if fn in FUNCTIONS else ""
    if parity and len(operands) == 1:
        flipped = scaled(table, operands[0], co.rational(-1))
        if not table.forms[operands[0]].terms:
            return atom(table, fn, operands)
        listings = [atom(table, fn, [o]) for o in (operands[0], flipped)]
        least = min(range(2), key=lambda i: only_atom(table, listings[i]))
        return scaled(table, listings[least], co.rational(-1 if least and parity == "odd" else 1))
    return atom(table, fn, operands)


def only_atom(table: Table, form: int) -> int:
    """The head of the one atom of a form."""
    return next(iter(table.atoms_of(form)))[0]


def atom(table: Table, fn: str, operands: Sequence[int]) -> int:
    """The form of one atom, a function of forms."""
    sizes = table.forms[operands[0]].sizes if operands else ()
    variants = canonical_atoms.plain(operands)
    if fn in SYMMETRIC:
        variants += canonical_atoms.plain(operands[::-1])
    total = fn not in PARTIAL
    if fn in ("recip", "log"):
        total = is_positive(table, operands[0])
    elif fn == "sqrt":
        total = is_nonnegative(table, operands[0])
    return canonical_atoms.build(table, "map", (fn,), variants, sizes, total=total)


def is_map(head: Head, fn: str) -> bool:
    """Whether a head is an elementwise function of that name."""
    return head.kind == "map" and head.data == (fn,)


# -- arithmetic of forms ------------------------------------------------------------------------------


def scaled(table: Table, form: int, factor: Coefficient) -> int:
    """A form times a coefficient that is not 0."""
    found = table.forms[form]
    return table.form(Form(found.sizes, tuple((m, co.times(factor, c)) for m, c in found.terms)))


def single(table: Table, sizes: tuple[Size, ...], mono: Mono, coefficient: Coefficient = co.ONE) -> int:
    """The form of one monomial."""
    return table.form(Form(sizes, ((mono, coefficient),)))


def multiplied(table: Table, sizes: tuple[Size, ...], factors: Sequence[int], factor: Coefficient) -> int:
    """The product of forms over the same axes and a coefficient."""
    work = Work(sizes)
    terms = [Term(factor, ())]
    for form in factors:
        terms = table.product(terms, table.instantiate(work, form, [(a, ()) for a in range(len(sizes))]))
    return table.close(work, terms)


def added(table: Table, sizes: tuple[Size, ...], forms: Sequence[int]) -> int:
    """The sum of forms over the same axes."""
    work = Work(sizes)
    slots = [(a, ()) for a in range(len(sizes))]
    return table.close(work, [t for form in forms for t in table.instantiate(work, form, slots)])


def lone_atom(table: Table, component: Component) -> tuple[Head, tuple[int, ...]] | None:
    """The head of a component of one atom without sums, and its free axes; None for another component."""
    if len(component.atoms) != 1 or component.sizes:
        return None
    head, slots = component.atoms[0]
    if any(path or label < 0 for label, path in slots):
        return None
    return table.heads[head], tuple(label for label, _ in slots)


def _operand(table: Table, head: Head, axes: tuple[int, ...], sizes: tuple[Size, ...]) -> int:
    return table.remap(head.operands[0], tuple((a, ()) for a in axes), sizes)


# -- the functions with equations ---------------------------------------------------------------------


def reciprocal(table: Table, form: int) -> int:
    """1 / p."""
    found = table.forms[form]
    if len(found.terms) != 1 or co.inverse(found.terms[0][1]) is None:
        return _reciprocal_of_sum(table, form)
    mono, coefficient = found.terms[0]
    factors = []
    for c in mono:
        lone = lone_atom(table, table.components[c])
        this = single(table, found.sizes, (c,))
        if lone is not None and is_map(lone[0], "recip"):
            table.lose(table.components[c].atoms, "what is divided by is not 0")
            factors.append(_operand(table, *lone, found.sizes))
        elif lone is not None and is_map(lone[0], "exp"):
            factors.append(
                exponential(table, scaled(table, _operand(table, *lone, found.sizes), co.rational(-1)))
            )
        elif lone is not None and is_map(lone[0], "sqrt") and _constant_of(table, lone[0].operands[0]):
            inner = _constant_of(table, lone[0].operands[0])
            factors.append(scaled(table, this, co.inverse(inner) or co.ONE))
        else:
            factors.append(atom(table, "recip", [this]))
    return multiplied(table, found.sizes, factors, co.inverse(coefficient) or co.ONE)


def _constant_of(table: Table, form: int) -> Coefficient:
    """The coefficient that a form is, when it has one positive term and no atoms; else ZERO."""
    terms = table.forms[form].terms
    if len(terms) == 1 and not terms[0][0] and co.is_positive(terms[0][1]):
        return terms[0][1] if co.inverse(terms[0][1]) else co.ZERO
    return co.ZERO


def _reciprocal_of_sum(table: Table, form: int) -> int:
    """1 / p for a sum p, with the largest coefficient and the exponentials of some term divided out.

    Dividing by the exponentials of each term in turn gives the same list for p and for p exp(q); the least is
    taken.
    """
    found = table.forms[form]
    least: tuple[int, int, int, Coefficient, int] | None = None
    for exponent in dict.fromkeys(_exponent(table, found.sizes, mono) for mono, _ in found.terms):
        minus = exponential(table, scaled(table, exponent, co.rational(-1)))
        divided = multiplied(table, found.sizes, [form, minus], co.ONE)
        units = [c for _, c in table.forms[divided].terms if co.inverse(c)]
        largest = max(units, key=lambda c: (abs(c[0][1]), c[0][0])) if units else co.ONE
        for sign in (1, -1):
            scale = co.times(co.inverse(largest) or co.ONE, co.rational(sign if largest[0][1] > 0 else -sign))
            inverse = atom(table, "recip", [scaled(table, divided, scale)])
            listing = (only_atom(table, inverse), -sign, minus, scale, inverse)
            least = listing if least is None or listing < least else least
    if least is None:
        return atom(table, "recip", [form])
    return multiplied(table, found.sizes, [least[4], least[2]], least[3])


def _exponent(table: Table, sizes: tuple[Size, ...], mono: Mono) -> int:
    """The form q where exp(q) is the product of the exponentials that stand alone in a monomial."""
    out = []
    for c in mono:
        lone = lone_atom(table, table.components[c])
        if lone is not None and is_map(lone[0], "exp"):
            out.append(_operand(table, *lone, sizes))
    return added(table, sizes, out)


def exponential(table: Table, form: int) -> int:
    """exp(p): a product of exponentials, one for each set of axes along which terms of p vary."""
    found = table.forms[form]
    groups: dict[frozenset[int], list[tuple[Mono, Coefficient]]] = {}
    for mono, coefficient in found.terms:
        axes = table.used(single(table, found.sizes, mono))
        groups.setdefault(axes, []).append((mono, coefficient))
    factors = [atom(table, "exp", [table.form(Form(found.sizes, tuple(terms)))]) for terms in groups.values()]
    return multiplied(table, found.sizes, factors, co.ONE)


def logarithm(table: Table, form: int) -> int:
    """log(p): exponentials come out, and reciprocals of what is positive, or stands alone."""
    found = table.forms[form]
    if len(found.terms) != 1:
        return atom(table, "log", [form])
    mono, coefficient = found.terms[0]
    out: list[int] = []
    rest: list[int] = []
    for c in mono:
        lone = lone_atom(table, table.components[c])
        if lone is not None and is_map(lone[0], "exp"):
            out.append(_operand(table, *lone, found.sizes))
        else:
            rest.append(c)
    alone = len(rest) == 1 and coefficient == co.ONE
    kept: list[int] = []
    for c in rest:
        lone = lone_atom(table, table.components[c])
        if lone is not None and is_map(lone[0], "recip"):
            inner = _operand(table, *lone, found.sizes)
            if alone or is_positive(table, inner):
                out.append(scaled(table, logarithm(table, inner), co.rational(-1)))
                continue
        kept.append(c)
    if kept or coefficient != co.ONE:
        out.append(atom(table, "log", [single(table, found.sizes, tuple(kept), coefficient)]))
    return added(table, found.sizes, out)


def root(table: Table, form: int) -> int:
    """sqrt(p): squares of numbers and sizes come out, and a reciprocal that stands alone."""
    found = table.forms[form]
    if len(found.terms) != 1 or len(found.terms[0][1]) != 1 or found.terms[0][1][0][1] < 0:
        return atom(table, "sqrt", [form])
    mono, ((powers, value),) = found.terms[0]
    outside, inside = _square_part(value)
    out: Coefficient = ((tuple((n, e // 2) for n, e in powers if e // 2), outside),)
    left: Coefficient = ((tuple((n, e % 2) for n, e in powers if e % 2), inside),)
    lone = lone_atom(table, table.components[mono[0]]) if len(mono) == 1 else None
    if left == co.ONE and not mono:
        return table.constant(out, found.sizes)
    if left == co.ONE and lone is not None and is_map(lone[0], "recip"):
        inner = root(table, _operand(table, *lone, found.sizes))
        return scaled(table, reciprocal(table, inner), out)
    return scaled(table, atom(table, "sqrt", [single(table, found.sizes, mono, left)]), out)


def _square_part(value: Fraction) -> tuple[Fraction, Fraction]:
    """(a, b) with value = a^2 b, a > 0, b a squarefree integer (where value is not too large)."""
    number = value.numerator * value.denominator
    if number > MOST_SQUARE:
        return Fraction(1), value
    root_, factor = 1, 2
    while factor * factor <= number:
        while number % (factor * factor) == 0:
            number //= factor * factor
            root_ *= factor
        factor += 1
    return Fraction(root_, value.denominator), Fraction(number)


def root_inside(table: Table, form: int) -> tuple[int, tuple[int, ...]] | None:
    """The operand and axes of the square root that a form is, or None."""
    terms = table.forms[form].terms
    if len(terms) != 1 or terms[0][1] != co.ONE or len(terms[0][0]) != 1:
        return None
    lone = lone_atom(table, table.components[terms[0][0][0]])
    if lone is None or not is_map(lone[0], "sqrt"):
        return None
    return lone[0].operands[0], lone[1]


# -- signs --------------------------------------------------------------------------------------------


def is_positive(table: Table, form: int) -> bool:
    """Whether a form is > 0 wherever it is defined: no term is negative, one is positive."""
    terms = table.forms[form].terms
    return is_nonnegative(table, form) and any(
        all(_sign(table, table.components[c]) == 1 for c in mono) for mono, _ in terms
    )


def is_nonnegative(table: Table, form: int) -> bool:
    """Whether a form is >= 0 wherever it is defined; False may mean unknown."""
    return all(
        co.is_positive(coefficient) and all(_sign(table, table.components[c]) >= 0 for c in mono)
        for mono, coefficient in table.forms[form].terms
    )


def _sign(table: Table, component: Component) -> int:
    """1: positive; 0: not negative; -1: unknown."""
    sign = 1 if all(Size(s).is_at_least(1) for s in component.sizes) else 0
    for number, slots in component.atoms:
        head = table.heads[number]
        if is_map(head, "exp") or (is_map(head, "recip") and is_positive(table, head.operands[0])):
            continue
        even = component.atoms.count((number, slots)) % 2 == 0
        if not even and not is_map(head, "sqrt") and not is_map(head, "abs"):
            return -1
        sign = 0
    return sign
