"""Rewriting of one open term; every step keeps its value wherever it was defined.

Each rule below returns the terms that take the place of a term, or None where it does not apply. The proofs:

- unit: a label of size 1 takes the value 0 only; an empty sum is 0; a summed label on which no atom depends
  multiplies by its size.
- eye: sum_j I[i, j] f(j) = f(i), where j runs through the whole axis of I; I[i, j] f(j) = I[i, j] f(i);
  I[i, i] = 1.
- exp: exp(p) exp(q) = exp(p + q).
- sqrt: sqrt(p) sqrt(p) = p where it is defined.
- recip: let p = c_0 m_0 + c_1 m_1 + ..., c_0 a unit. Where 1/p is defined, p is not 0, and
  m_0 / p = 1/c_0 - sum_t (c_t / c_0) m_t / p. Summed labels of m_0 may be matched with labels of the term
  that stand nowhere else: then the sum over them factors out.
- inv: sum_c inv(p)[r, c] p[c, k] = I[r, k] where p is invertible, for p a sum as under recip; c stands
  nowhere else. The same for sum_r p[k, r] inv(p)[r, c].
- const: finite sums of products of numbers are computed.
- concat: a sum over the axis along which values are joined is the sum of the sums over the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from eqvproof.engines.identity import canonical_atoms, constant_atoms, maps
from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.index_functions import FIRST, NONE, Slot, affine, compose, fixed_index
from eqvproof.engines.identity.match import WILD, find
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Atom, Mono, Term, Work
from eqvproof.engines.identity.text import describe
from eqvproof.program import Size

ONE = Size.of(1)

Rule = Callable[[Table, Work, Term], list[Term] | None]


def simplify(table: Table, work: Work, term: Term) -> list[Term] | None:
    """What takes the place of a term, or None when no rule applies to it."""
    for rule in RULES:
        found = rule(table, work, term)
        if found is not None:
            return found
    for label in term.summed:
        _note_empty_sum(table, term, work.sizes[label])
    return None


def _labels(atoms: Sequence[Atom]) -> set[int]:
    return {label for _, slots in atoms for label, _ in slots if label != NONE}


def _without(term: Term, *positions: int) -> tuple[Atom, ...]:
    return tuple(a for i, a in enumerate(term.atoms) if i not in positions)


def unit(table: Table, work: Work, term: Term) -> list[Term] | None:
    """Labels of size 1 or 0, and summed labels that stand nowhere."""
    present = _labels(term.atoms)
    for label in present | term.summed:
        size = work.sizes[label]
        if label in term.summed and not size.terms:
            table.lose(term.atoms)
            return []
        if size == ONE and label in present:
            return table.substitute(work, term, label, FIRST)
        if label not in present:
            factor = co.of_size(size)
            _note_empty_sum(table, term, size)
            return [Term(co.times(term.coefficient, factor), term.atoms, term.summed - {label})]
    return None


def _note_empty_sum(table: Table, term: Term, size: Size) -> None:
    """An empty sum is 0, also where its terms are undefined: taking factors in and out changes that."""
    if not size.is_at_least(1):
        table.lose(term.atoms)


def eye(table: Table, work: Work, term: Term) -> list[Term] | None:
    """Identity matrices."""
    for position, (head, (left, right)) in _of_kind(table, term, "identity"):
        rest = Term(term.coefficient, _without(term, position), term.summed)
        if left == right:
            table.rules["I[i, i] = 1"] = None
            return [rest]
        at, to = fixed_index(left), fixed_index(right)
        if at is not None and to is not None and (at - to).constant:
            table.lose(rest.atoms)
            return []
        size = table.heads[head].sizes[0]
        for (label, path), other in ((left, right), (right, left)):
            if path or label == NONE or label == other[0] or work.sizes[label] != size:
                continue
            if label in term.summed:
                table.rules["an identity matrix puts one index for another"] = None
                table.lose(rest.atoms)
                return table.substitute(work, rest, label, other)
            if label in _labels(rest.atoms) and (other[0] == NONE or (not other[1] and other[0] < label)):
                table.lose(rest.atoms)
                kept = Term(co.ONE, (term.atoms[position],))
                return table.product(table.substitute(work, rest, label, other), [kept])
    return None


def exponents(table: Table, work: Work, term: Term) -> list[Term] | None:
    """Products of exponentials that vary along the same labels."""
    seen: dict[frozenset[int], int] = {}
    for position, (_, slots) in _of_kind(table, term, "map", "exp"):
        labels = frozenset(label for label, _ in slots)
        if labels not in seen:
            seen[labels] = position
            continue
        first, second = term.atoms[seen[labels]], term.atoms[position]
        table.rules["exp(p) exp(q) = exp(p + q)"] = None
        ordered = sorted(labels)
        sizes = tuple(work.sizes[label] for label in ordered)
        place = {label: i for i, label in enumerate(ordered)}
        inner = Work(sizes)
        terms = []
        for head, places in (first, second):
            operand = table.heads[head].operands[0]
            terms += table.instantiate(inner, operand, [(place[label], ()) for label, _ in places])
        merged = maps.exponential(table, table.close(inner, terms))
        rest = Term(term.coefficient, _without(term, seen[labels], position), term.summed)
        return table.product([rest], table.instantiate(work, merged, [(label, ()) for label in ordered]))
    return None


def roots(table: Table, work: Work, term: Term) -> list[Term] | None:
    """Squares of square roots, and of their reciprocals."""
    seen: dict[tuple[int, tuple[Slot, ...]], int] = {}
    for position, atom in enumerate(term.atoms):
        head, slots = atom
        found = table.heads[head]
        inverse = maps.is_map(found, "recip")
        if not inverse and not maps.is_map(found, "sqrt"):
            continue
        root = maps.root_inside(table, found.operands[0]) if inverse else (found.operands[0], None)
        if root is None:
            continue
        key = (head, min(tuple(slots[i] for i in symmetry) for symmetry in found.symmetries))
        if key not in seen:
            seen[key] = position
            continue
        operand, order = root
        places = slots if order is None else tuple(slots[i] for i in order)
        table.rules["sqrt(p) sqrt(p) = p, where p >= 0"] = None
        if not maps.is_nonnegative(table, operand):
            table.loses = True
            table.conditions[f"{describe(table, operand)} is not negative"] = None
        if inverse:
            operand = maps.elementwise(table, "recip", [operand])
        rest = Term(term.coefficient, _without(term, seen[key], position), term.summed)
        return table.product([rest], table.instantiate(work, operand, places))
    return None


def reciprocals(table: Table, work: Work, term: Term) -> list[Term] | None:
    """A value that stands beside its own reciprocal."""
    for position, (head, slots) in _of_kind(table, term, "map", "recip"):
        form = table.forms[table.heads[head].operands[0]]
        if not form.terms:
            continue
        lead = max(range(len(form.terms)), key=lambda t: _rank(table, form.terms[t][0]))
        mono, coefficient = form.terms[lead]
        unit_inverse = co.inverse(coefficient)
        if unit_inverse is None or not mono:
            continue
        found = find(table, work, term, position, mono, slots)
        if found is None:
            continue
        operand = table.heads[head].operands[0]
        table.rules["p / p = 1, where p is not 0"] = None
        if not maps.is_positive(table, operand):
            table.loses = True
            table.conditions[f"{describe(table, operand)} is not 0"] = None
        rest = Term(
            co.times(term.coefficient, unit_inverse),
            _without(term, position, *found.positions),
            term.summed - found.private,
        )
        result = [rest]
        for other, (another, factor) in enumerate(form.terms):
            if other != lead:
                minus = co.negative(co.times(rest.coefficient, factor))
                kept = Term(minus, (*rest.atoms, term.atoms[position]), rest.summed)
                single = maps.single(table, form.sizes, another)
                result += table.product([kept], table.instantiate(work, single, slots))
        return result
    return None


def inverses(table: Table, work: Work, term: Term) -> list[Term] | None:
    """A matrix beside its inverse."""
    for position, (head, slots) in _of_kind(table, term, "inv"):
        operand = table.heads[head].operands[0]
        form = table.forms[operand]
        if not form.terms:
            continue
        lead = max(range(len(form.terms)), key=lambda t: _rank(table, form.terms[t][0]))
        mono, coefficient = form.terms[lead]
        unit_inverse = co.inverse(coefficient)
        batch, row, column = slots[:-2], slots[-2], slots[-1]
        size = table.heads[head].sizes[-1]
        for before, (label, path), other in ((False, column, row), (True, row, column)):
            if unit_inverse is None or path or label not in term.summed or work.sizes[label] != size:
                continue
            ends = (WILD, (label, ())) if before else ((label, ()), WILD)
            found = find(table, work, term, position, mono, [*batch, *ends], summed=label, apart=other[0])
            if found is None:
                continue
            table.rules["inv(A) A = A inv(A) = I, where A is invertible"] = None
            table.loses = True
            table.conditions["an inverted matrix is invertible"] = None
            rest = Term(
                co.times(term.coefficient, unit_inverse),
                _without(term, position, *found.positions),
                term.summed - found.private,
            )
            identity = maps.only_atom(table, constant_atoms.identity(table, size))
            result = table.product([rest], table.atom(work, identity, (other, found.wild)))
            for index, (another, factor) in enumerate(form.terms):
                if index != lead:
                    minus = co.negative(co.times(rest.coefficient, factor))
                    kept = Term(minus, (*rest.atoms, term.atoms[position]), rest.summed | {label})
                    places = (found.wild, (label, ())) if before else ((label, ()), found.wild)
                    single = maps.single(table, form.sizes, another)
                    result += table.product([kept], table.instantiate(work, single, [*batch, *places]))
            return result
    return None


def _rank(table: Table, mono: Mono) -> tuple[int, Mono]:
    """The order in which terms of a sum are sought: those of most factors first, identity matrices last."""
    atoms = (table.heads[h] for c in mono for h, _ in table.components[c].atoms)
    return sum(head.kind != "identity" for head in atoms), mono


def constants(table: Table, work: Work, term: Term) -> list[Term] | None:
    """Sums of products of constant arrays are constant arrays."""
    for label in term.summed:
        inside = [i for i, (_, slots) in enumerate(term.atoms) if any(a == label for a, _ in slots)]
        if all(table.heads[term.atoms[i][0]].kind == "const" for i in inside):
            form = constant_atoms.contracted(table, work, [term.atoms[i] for i in inside], label)
            if form is not None:
                number, labels = form
                rest = Term(term.coefficient, _without(term, *inside), term.summed - {label})
                return table.product([rest], table.instantiate(work, number, [(a, ()) for a in labels]))
    return None


def joins(table: Table, work: Work, term: Term) -> list[Term] | None:
    """Sums along the axis of a concatenation."""
    for _, (head, slots) in _of_kind(table, term, "concat"):
        label, path = slots[-1]
        parts = canonical_atoms.parts(table, head)
        if path or label not in term.summed or work.sizes[label] != table.heads[head].sizes[-1]:
            continue
        table.rules["a sum along joined values is the sum over the parts"] = None
        result: list[Term] = []
        start = Size.of(0)
        for size in parts:
            fresh = work.fresh(size)
            widened = Term(term.coefficient, term.atoms, term.summed | {fresh})
            slot = compose((fresh, ()), (affine(start, 1),))
            result += table.substitute(work, widened, label, slot)
            start = start + size
        return result
    return None


def _of_kind(table: Table, term: Term, kind: str, *data: object) -> Iterator[tuple[int, Atom]]:
    for position, atom in enumerate(term.atoms):
        head = table.heads[atom[0]]
        if head.kind == kind and head.data[: len(data)] == data:
            yield position, atom


RULES: tuple[Rule, ...] = (unit, eye, exponents, roots, reciprocals, inverses, constants, joins)
