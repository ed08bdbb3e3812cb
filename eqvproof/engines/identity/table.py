"""The table that holds each normal form once; what forms are is said in `terms`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

from eqvproof.engines.identity import coefficients as co
from eqvproof.engines.identity.canon import canonical_mono
from eqvproof.engines.identity.coefficients import Coefficient
from eqvproof.engines.identity.index_functions import FIRST, NONE, Slot, compose
from eqvproof.engines.identity.terms import Atom, Component, Form, Head, Mono, Term, TooLarge, Work
from eqvproof.program import Size

#: Terms at most of a normal form: multiplying out is exponential.
MOST_TERMS = 2000
#: Factors at most of a product: their orders are factorially many.
MOST_ATOMS = 16
#: Rewritings at most: normal forms are an attempt, and the search waits for its end.
MOST_STEPS = 50_000


class Table:
    """Forms, components and heads, each stored once; the record of what a proof rests on.

    Attributes:
        conditions: what must not be 0 (or negative) where the functions are compared, in words.
        loses: whether some step may have made a function defined at more points than it was.
        rules: the rules that were used.
    """

    def __init__(self, seconds: float) -> None:
        self.forms: list[Form] = []
        self.components: list[Component] = []
        self.heads: list[Head] = []
        self._index: dict[object, int] = {}
        self._used: list[frozenset[int]] = []
        self._substituted: dict[object, int] = {}
        self.conditions: dict[str, None] = {}
        self.rules: dict[str, None] = {}
        self.loses = False
        self._deadline = time.monotonic() + seconds
        self._steps = 0
        # set by `rewriting`, whose modules need this class
        self.simplify: Callable[[Work, Term], list[Term] | None]
        self.place: Callable[[Work, int, tuple[Slot, ...]], list[Term]]
        self.remake: Callable[[Work, Head, tuple[Slot, ...]], list[Term]]

    # -- storing -------------------------------------------------------------------------------------

    def spend(self) -> None:
        """Count a step of rewriting."""
        self._steps += 1
        if self._steps > MOST_STEPS or time.monotonic() > self._deadline:
            raise TooLarge("the normal form takes too long")

    def head(self, head: Head) -> int:
        """The number of a head."""
        key = (Head, head.kind, head.data, head.operands, head.sizes, head.shared)
        if key not in self._index:
            self._index[key] = len(self.heads)
            self.heads.append(head)
        return self._index[key]

    def component(self, component: Component) -> int:
        """The number of a component."""
        if component not in self._index:
            self._index[component] = len(self.components)
            self.components.append(component)
        return self._index[component]

    def form(self, form: Form) -> int:
        """The number of a form."""
        if len(form.terms) > MOST_TERMS:
            raise TooLarge(f"a normal form of more than {MOST_TERMS} terms")
        if form not in self._index:
            self._index[form] = len(self.forms)
            self.forms.append(form)
            self._used.append(
                frozenset(
                    label
                    for mono, _ in form.terms
                    for c in mono
                    for _, slots in self.components[c].atoms
                    for label, _ in slots
                    if label >= 0
                )
            )
        return self._index[form]

    def used(self, form: int) -> frozenset[int]:
        """The free axes along which a form varies."""
        return self._used[form]

    def atoms_of(self, form: int) -> Iterable[Atom]:
        """The atoms of a form."""
        for mono, _ in self.forms[form].terms:
            for c in mono:
                yield from self.components[c].atoms

    def is_total(self, form: int) -> bool:
        """Whether a form is defined everywhere (False may mean unknown)."""
        return all(self.heads[h].total for h, _ in self.atoms_of(form))

    def lose(self, atoms: Iterable[Atom], condition: str = "") -> None:
        """Note that atoms go away whose being undefined may have mattered."""
        if not all(self.heads[h].total for h, _ in atoms):
            self.loses = True
            if condition:
                self.conditions[condition] = None

    def product(self, left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
        """The product of two sums of open terms."""
        if len(left) * len(right) > 2 * MOST_TERMS:
            raise TooLarge(f"a normal form of more than {MOST_TERMS} terms")
        if not left or not right:
            self.lose(atom for term in (*left, *right) for atom in term.atoms)
        return [
            Term(co.times(a.coefficient, b.coefficient), (*a.atoms, *b.atoms), a.summed | b.summed)
            for a in left
            for b in right
        ]

    # -- substitution --------------------------------------------------------------------------------

    def instantiate(self, work: Work, form: int, slots: Sequence[Slot]) -> list[Term]:
        """A form as open terms, with slots put for its free axes."""
        result: list[Term] = []
        for mono, coefficient in self.forms[form].terms:
            pieces = [Term(coefficient, ())]
            for c in mono:
                component = self.components[c]
                fresh = [work.fresh(Size(s)) for s in component.sizes]
                summed = frozenset(fresh)
                pieces = [Term(p.coefficient, p.atoms, p.summed | summed) for p in pieces]
                for head, places in component.atoms:
                    new = tuple(
                        compose(slots[a] if a >= 0 else FIRST if a == NONE else (fresh[-2 - a], ()), path)
                        for a, path in places
                    )
                    pieces = self.product(pieces, self.atom(work, head, new))
            result += pieces
        return result

    def atom(self, work: Work, head: int, slots: tuple[Slot, ...]) -> list[Term]:
        """An atom as open terms: as it is, or made anew where its shared slots are not distinct labels."""
        found = self.heads[head]
        shared = slots[: found.shared]
        labels = [label for label, path in shared if not path and label != NONE]
        if len(set(labels)) == found.shared:
            return self.place(work, head, slots)
        return self.remake(work, found, slots)

    def substitute(self, work: Work, term: Term, label: int, slot: Slot) -> list[Term]:
        """A term with a slot put for a label."""
        pieces = [Term(term.coefficient, (), term.summed - {label})]
        for head, slots in term.atoms:
            if all(found != label for found, _ in slots):
                pieces = [Term(p.coefficient, (*p.atoms, (head, slots)), p.summed) for p in pieces]
                continue
            new = tuple(compose(slot, path) if found == label else (found, path) for found, path in slots)
            pieces = self.product(pieces, self.atom(work, head, new))
        return pieces

    def remap(self, form: int, slots: tuple[Slot, ...], sizes: tuple[Size, ...]) -> int:
        """The form over new axes of the given sizes; slots, whose labels are new axes, stand for the old."""
        key = ("remap", form, slots, sizes)
        if key not in self._substituted:
            work = Work(sizes)
            self._substituted[key] = self.close(work, self.instantiate(work, form, slots))
        return self._substituted[key]

    # -- closing -------------------------------------------------------------------------------------

    def close(self, work: Work, terms: Iterable[Term]) -> int:
        """The normal form of the sum of open terms."""
        total: dict[Mono, Coefficient] = {}
        gone: list[Mono] = []
        pending = list(terms)[::-1]
        while pending:
            self.spend()
            if len(pending) + len(total) > 2 * MOST_TERMS:
                raise TooLarge(f"a normal form of more than {MOST_TERMS} terms")
            term = pending.pop()
            if len(term.atoms) > MOST_ATOMS:
                raise TooLarge(f"a product of more than {MOST_ATOMS} factors")
            if not term.coefficient:
                self.lose(term.atoms)
                continue
            simpler = self.simplify(work, term)
            if simpler is not None:
                pending += simpler
                continue
            mono = canonical_mono(self, work, term)
            total[mono] = co.plus(total.get(mono, co.ZERO), term.coefficient)
            if not total[mono]:
                gone.append(mono)
        for mono in gone:
            if not total[mono]:
                self.lose(a for c in mono for a in self.components[c].atoms)
        return self.form(Form(work.free, tuple(sorted((m, c) for m, c in total.items() if c))))

    def constant(self, value: Coefficient, sizes: tuple[Size, ...] = ()) -> int:
        """The form of a coefficient, the same along all axes."""
        return self.form(Form(sizes, (((), value),) if value else ()))
