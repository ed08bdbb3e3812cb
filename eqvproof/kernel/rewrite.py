"""Rewrites one term of a normal form by a rule that keeps its value wherever it was defined.

A rule gives the terms that take the place of a term, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from . import equations, indices
from .constant_atoms import contraction, eye
from .indices import FIRST, FIXED, ONCE, Index, affine, coefficient_of, position, through
from .match import ANY, find
from .normal_forms import Factor, Forms, HeadKind, Labels, Parts, Piece, added, negative, scale_form
from .sizes import ONE, ZERO, Size


def rewrite(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Returns the terms that replace a term; None when no rule applies."""
    for law, rule in LAWS.items():
        found = rule(forms, labels, piece)
        if found is not None:
            forms.used[law] = None
            return found
    for label in piece.summed:
        _empty_sum(forms, labels.sizes[label], piece)
    return None


def _standing(factors: Sequence[Factor]) -> set[int]:
    return {a for _, row in factors for a, _ in row if a != FIXED}


def _rest(piece: Piece, *gone: int) -> tuple[Factor, ...]:
    return tuple(factor for i, factor in enumerate(piece.factors) if i not in gone)


def _maps(forms: Forms, piece: Piece, fn: str) -> Iterator[tuple[int, int, tuple[Index, ...]]]:
    for i, (h, row) in enumerate(piece.factors):
        if forms.head[h].kind == "function" and forms.head[h].data == fn:
            yield i, forms.head[h].operands[0], row


def _kind(
    forms: Forms, piece: Piece, kind: HeadKind
) -> Iterator[tuple[int, int, tuple[Index, ...]]]:
    for i, (h, row) in enumerate(piece.factors):
        if forms.head[h].kind == kind:
            yield i, h, row


def _empty_sum(forms: Forms, size: Size, piece: Piece) -> None:
    """Records that a sum may be empty while factors with a domain are taken into it.

    An empty sum is 0 even where its terms are undefined: taking factors into it changes that.
    """
    if not forms.at_least(size, 1) and not all(forms.head[h].total for h, _ in piece.factors):
        forms.emptied = True


def _labels(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Removes labels of size 1, and labels that no factor holds.

    A label of size 1 is 0; an empty sum is 0; the sum over a label that stands nowhere is its size
    times the term.
    """
    standing = _standing(piece.factors)
    for label in standing | piece.summed:
        size = labels.sizes[label]
        if label in piece.summed and size == ZERO:
            forms.drop(piece.factors)
            return []
        if label not in standing:
            _empty_sum(forms, size, piece)
            times = indices.multiply_coefficients(piece.coefficient, indices.of_size(size))
            return [Piece(times, piece.factors, piece.summed - {label})]
        if size == ONE:
            return forms.replace(labels, piece, label, FIRST)
    return None


def _eye(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Removes identity matrices.

    I[i, i] = 1; sum_j I[i, j] f(j) = f(i) for j over the whole axis; I[i, j] f(j) = I[i, j] f(i).
    """
    for i, h, (left, right) in _kind(forms, piece, "identity"):
        rest = Piece(piece.coefficient, _rest(piece, i), piece.summed)
        if left == right:
            return [rest]
        one, other = position(left), position(right)
        if one is not None and other is not None and (one - other).constant:
            forms.drop(rest.factors)
            return []
        for (label, steps), to in ((left, right), (right, left)):
            whole = (
                not steps
                and label not in (FIXED, to[0])
                and labels.sizes[label] == forms.head[h].sizes[0]
            )
            if whole and label in piece.summed:
                forms.drop(rest.factors)
                return forms.replace(labels, rest, label, to)
            if (
                whole
                and label in _standing(rest.factors)
                and (to[0] == FIXED or (not to[1] and to[0] < label))
            ):
                forms.drop(rest.factors)
                kept = Piece(ONCE, (piece.factors[i],))
                return forms.product(forms.replace(labels, rest, label, to), [kept])
    return None


def _write_out(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Writes out a sum over a short axis, where a head along it has signs that are flipped."""
    if not forms.written:
        return None
    for label in sorted(piece.summed):
        size = labels.sizes[label].constant
        if size in forms.written and any(
            a == label and place in forms.signs(h)
            for h, row in piece.factors
            for place, (a, _) in enumerate(row)
        ):
            return [
                term
                for i in range(size or 0)
                for term in forms.replace(labels, piece, label, indices.fixed_index(Size.of(i)))
            ]
    return None


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two functions f(p) and g(q) along the same labels, and the rest of the term.

    It holds their names, and p and q over these labels.
    """

    functions: tuple[str, str]
    forms: tuple[int, int]
    labels: tuple[int, ...]
    rest: Piece

    def replaced(self, forms: Forms, labels: Labels, form: int) -> list[Piece]:
        """Replaces both functions by a form over these labels."""
        return forms.product([self.rest], forms.put(labels, form, [(a, ()) for a in self.labels]))


def _find_pair(forms: Forms, labels: Labels, piece: Piece, *functions: str) -> _Pair | None:
    """Finds two factors that are one of these functions, of arguments along the same labels."""
    seen: dict[frozenset[int], tuple[int, str, int, tuple[Index, ...]]] = {}
    for fn in functions:
        for i, operand, row in _maps(forms, piece, fn):
            along = frozenset(a for a, _ in row)
            if along not in seen:
                seen[along] = (i, fn, operand, row)
                continue
            first, name, other, its_row = seen[along]
            axes = sorted(along)
            sizes = tuple(labels.sizes[a] for a in axes)
            p, q = (
                forms.move(form, tuple((axes.index(a), ()) for a, _ in places), sizes)
                for form, places in ((other, its_row), (operand, row))
            )
            rest = Piece(piece.coefficient, _rest(piece, first, i), piece.summed)
            return _Pair((name, fn), (p, q), tuple(axes), rest)
    return None


def _exponentials(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Applies exp(p) exp(q) = exp(p + q), for p and q along the same labels."""
    pair = _find_pair(forms, labels, piece, "exp")
    if pair is None:
        return None
    sizes = forms.form[pair.forms[0]][0]
    return pair.replaced(
        forms, labels, equations.exponential(forms, added(forms, sizes, pair.forms))
    )


def _waves(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Writes products of sines and cosines along the same labels as sums of them.

    cos p cos q = (cos(p - q) + cos(p + q))/2, sin p sin q = (cos(p - q) - cos(p + q))/2, and
    sin p cos q = (sin(p - q) + sin(p + q))/2.
    """
    if forms.angles:
        pair = _find_pair(forms, labels, piece, "sin", "cos")
    else:
        pair = None
    if pair is None:
        return None
    (p, q), sizes = pair.forms, forms.form[pair.forms[0]][0]
    fn = "sin" if pair.functions == ("sin", "cos") else "cos"
    apart = forms.elementwise(fn, [added(forms, sizes, (p, negative(forms, q)))])
    together = forms.elementwise(fn, [added(forms, sizes, (p, q))])
    if pair.functions == ("sin", "sin"):
        both = negative(forms, together)
    else:
        both = together
    half = scale_form(forms, added(forms, sizes, (apart, both)), coefficient_of(Fraction(1, 2)))
    return pair.replaced(forms, labels, half)


def _roots(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Applies sqrt(p) sqrt(p) = p and 1/sqrt(p) 1/sqrt(p) = 1/p."""
    seen: dict[tuple[int, tuple[Index, ...]], int] = {}
    for fn in ("sqrt", "recip"):
        for i, operand, row in _maps(forms, piece, fn):
            h = piece.factors[i][0]
            below, terms = operand, forms.form[operand][1]
            if fn == "recip":
                if len(terms) != 1 or len(terms[0][0]) != 1 or terms[0][1] != ONCE:
                    continue
                inner, below = equations.lone(forms, terms[0][0][0], forms.form[operand][0])
                if inner != "sqrt":
                    continue
            key = (h, min(tuple(row[k] for k in order) for order in forms.head[h].alike))
            if key not in seen:
                seen[key] = i
                continue
            forms.suppose("is not negative", below, h, known=equations.not_negative(forms, below))
            if fn == "sqrt":
                form = below
            else:
                form = equations.reciprocal(forms, below)
            rest = Piece(piece.coefficient, _rest(piece, seen[key], i), piece.summed)
            return forms.product([rest], forms.put(labels, form, row))
    return None


def _lead(forms: Forms, form: int) -> tuple[int, Parts, indices.Laurent] | None:
    """Chooses the term of a sum p to look for beside 1/p or inv(p).

    Returns its number, its parts and the inverse of its coefficient, or None.
    """
    best = None
    for i, (parts, coefficient) in enumerate(forms.form[form][1]):
        heads = [forms.head[h] for part in parts for h, _ in forms.part[part][1]]
        rank = (sum(head.kind != "identity" for head in heads), parts)
        if best is None or rank > best[0]:
            best = (rank, i, parts, indices.inverse_of_term(coefficient))
    if best is None or best[3] is None or not best[2]:
        return None
    return (best[1], best[2], best[3])


def _reciprocals(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Cancels one term of p with 1/p.

    For p = c_0 m_0 + c_1 m_1 + ..., m_0/p = 1/c_0 - sum_t (c_t/c_0) m_t/p where 1/p is defined.
    """
    for i, operand, row in _maps(forms, piece, "recip"):
        lead = _lead(forms, operand)
        found = lead and find(forms, labels, piece, i, lead[1], row)
        if not lead or not found:
            continue
        forms.suppose(
            "is not 0", operand, piece.factors[i][0], known=equations.is_positive(forms, operand)
        )
        times = indices.multiply_coefficients(piece.coefficient, lead[2])
        rest = Piece(times, _rest(piece, i, *found.factors), piece.summed - found.labels)
        result = [rest]
        for t, (parts, c) in enumerate(forms.form[operand][1]):
            if t != lead[0]:
                kept = Piece(rest.coefficient, (*rest.factors, piece.factors[i]), rest.summed)
                result += forms.product(
                    [kept],
                    forms.term(
                        labels, parts, indices.multiply_coefficients(coefficient_of(-1), c), row
                    ),
                )
        return result
    return None


def _inverses(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Cancels one term of p with inv(p).

    sum_c inv(p)[r, c] p[c, k] = I[r, k], and sum_r p[k, r] inv(p)[r, c] = I[k, c].

    c may go through steps in both: these send as many values to as many, no two to one.
    """
    for i, h, row in _kind(forms, piece, "inv"):
        operand, size = forms.head[h].operands[0], forms.head[h].sizes[-1]
        lead = _lead(forms, operand)
        for before, inner, outer in ((False, row[-1], row[-2]), (True, row[-2], row[-1])):
            label = inner[0]
            if not lead or label not in piece.summed or labels.sizes[label] != size:
                continue
            ends = (ANY, inner) if before else (inner, ANY)
            found = find(forms, labels, piece, i, lead[1], (*row[:-2], *ends), label, outer[0])
            if not found:
                continue
            forms.suppose("is invertible", operand, h)
            times = indices.multiply_coefficients(piece.coefficient, lead[2])
            rest = Piece(times, _rest(piece, i, *found.factors), piece.summed - found.labels)
            unit = forms.put(labels, eye(forms, size), [outer, found.other])
            result = forms.product([rest], unit)
            ends = (found.other, inner) if before else (inner, found.other)
            for t, (parts, c) in enumerate(forms.form[operand][1]):
                if t != lead[0]:
                    summed = rest.summed | {label}
                    kept = Piece(rest.coefficient, (*rest.factors, piece.factors[i]), summed)
                    minus = indices.multiply_coefficients(coefficient_of(-1), c)
                    result += forms.product(
                        [kept], forms.term(labels, parts, minus, (*row[:-2], *ends))
                    )
            return result
    return None


def _constants(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Computes finite sums of products of numbers."""
    for label in piece.summed:
        inside = [i for i, (_, row) in enumerate(piece.factors) if any(a == label for a, _ in row)]
        if all(forms.head[piece.factors[i][0]].kind == "array" for i in inside):
            found = contraction(forms, labels, [piece.factors[i] for i in inside], label)
            if found is not None:
                rest = Piece(piece.coefficient, _rest(piece, *inside), piece.summed - {label})
                places = [(a, ()) for a in found[1]]
                return forms.product([rest], forms.put(labels, found[0], places))
    return None


def _joins(forms: Forms, labels: Labels, piece: Piece) -> list[Piece] | None:
    """Splits a sum along joined values into the sums along the parts."""
    for _, h, row in _kind(forms, piece, "joined"):
        label, steps = row[-1]
        if steps or label not in piece.summed or labels.sizes[label] != forms.head[h].sizes[-1]:
            continue
        result: list[Piece] = []
        start = ZERO
        for operand in forms.head[h].operands:
            size = forms.form[operand][0][-1]
            new = labels.fresh(size)
            wider = Piece(piece.coefficient, piece.factors, piece.summed | {new})
            result += forms.replace(labels, wider, label, through((new, ()), (affine(start, 1),)))
            start = start + size
        return result
    return None


LAWS: dict[str, Callable[[Forms, Labels, Piece], list[Piece] | None]] = {
    "sums of one term, of none, and of equal ones": _labels,
    "an identity matrix puts one index for another": _eye,
    "a sum over a short axis is written out": _write_out,
    "exp(p) exp(q) = exp(p + q)": _exponentials,
    "sqrt(p) sqrt(p) = p, where p >= 0": _roots,
    "p / p = 1, where p is not 0": _reciprocals,
    "inv(A) A = A inv(A) = I, where A is invertible": _inverses,
    "products of sines and cosines are sums of them": _waves,
    "sums of products of numbers are computed": _constants,
    "a sum along joined values is the sum over the parts": _joins,
}
