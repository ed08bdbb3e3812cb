"""Normal forms of tensors, each stored once, so that equal forms have equal numbers.

A form with free axes 0, 1, ... is a sum of terms, a term a coefficient times parts. A part is a
product of factors summed over labels, such that no label-free product of smaller parts gives the
same. A factor is a head, that is a function of integers (an input, an identity matrix, exp of
forms, ...), with an index in each of its places. In stored forms label a >= 0 is the free axis a,
FIXED is the value 0, and -2 - j is the j-th summed label of the part. While a form is made, summed
labels are numbered from the free axes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import indices
from .functions import FUNCTIONS
from .indices import FIRST, FIXED, Index, Laurent, coefficient_of, through
from .report import Rejected, spend
from .sizes import Size, is_nonnegative

#: Largest number of factors of a product, and of terms of a sum: multiplying out is exponential.
MOST_FACTORS, MOST_PIECES = 16, 4000

Factor = tuple[int, tuple[Index, ...]]
Parts = tuple[int, ...]
HeadKind = Literal[
    "argument", "parameter", "translation", "array", "identity", "triangle", "bilinear", "counter",
    "function", "unknown", "cell", "extremum", "joined", "ascending", "reshaped", "gathered", "inv",
    "det",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Head:
    """A function of integers: the first `shared` places are also places of its operands.

    `alike` are the orders of places that leave the value unchanged, `total` says that it is never
    undefined.
    """

    kind: HeadKind
    data: Any
    operands: tuple[int, ...]
    sizes: tuple[Size, ...]
    shared: int
    alike: tuple[tuple[int, ...], ...]
    total: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A term under construction."""

    coefficient: Laurent
    factors: tuple[Factor, ...]
    summed: frozenset[int] = frozenset()


class Labels:
    """The sizes of the labels in use; the free axes come first."""

    def __init__(self, free: Sequence[Size]) -> None:
        self.free = tuple(free)
        self.sizes = list(free)

    def fresh(self, size: Size) -> int:
        """Returns a label that was not in use."""
        self.sizes.append(size)
        return len(self.sizes) - 1


class Forms:
    """The store of all forms, parts and heads of one check.

    `lost` are heads that steps removed, so that a form may be defined where it was not, and
    `emptied` tells that some were taken out of a sum that may be empty, so that it may be undefined
    where it was not. `supposed` is what forms must be for some of these steps, and `used` the laws
    that were used. With `angles`, products of sines and cosines are written as sums of them. What
    is summed, or whose maximum is taken, along an axis of a size in `written` is written out where
    signs stand along it that are flipped: at these places of the heads that are `signed` (-1: along
    none), and along all axes of heads made of such heads.
    """

    def __init__(self, lows: Mapping[str, int], *, angles: bool = False) -> None:
        self.lows = lows
        self.angles = angles
        self.written: frozenset[int] = frozenset()
        self.signed: dict[int, frozenset[int]] = {}
        self.lost: dict[int, None] = {}
        self.emptied = False
        self.supposed: dict[tuple[int, str], None] = {}
        self.used: dict[str, None] = {}
        self.form: list[tuple[tuple[Size, ...], tuple[tuple[Parts, Laurent], ...]]] = []
        self.part: list[tuple[tuple[Size, ...], tuple[Factor, ...]]] = []
        self.head: list[Head] = []
        self.varies: list[frozenset[int]] = []
        self._numbers: dict[Any, int] = {}
        self._moved: dict[Any, int] = {}
        # set by the modules of the rules, which need this class
        self.rewrite: Callable[[Labels, Piece], list[Piece] | None]
        self.place: Callable[[Labels, int, tuple[Index, ...]], list[Piece]]
        self.elementwise: Callable[[str, Sequence[int]], int]

    # -- storing
    # ---------------------------------------------------------------------------------------

    def store_head(self, head: Head) -> int:
        """Stores a head, and returns its number."""
        key = ("head", head.kind, head.data, head.operands, head.sizes, head.shared)
        return self._store(key, self.head, head)

    def store_form(self, sizes: tuple[Size, ...], terms: Mapping[Parts, Laurent]) -> int:
        """Stores a form, and returns its number."""
        form = (sizes, tuple(sorted((parts, c) for parts, c in terms.items() if c)))
        found = self._store(("sum", form), self.form, form)
        if found == len(self.varies):
            self.varies.append(
                frozenset(a for _, row in self.factors(found) for a, _ in row if a >= 0)
            )
        return found

    def _store(self, key: Any, shelf: list[Any], value: Any) -> int:
        spend(10)
        if key not in self._numbers:
            self._numbers[key] = len(shelf)
            shelf.append(value)
        return self._numbers[key]

    def factors(self, form: int) -> Iterable[Factor]:
        """Yields the factors of a form."""
        for parts, _ in self.form[form][1]:
            for part in parts:
                yield from self.part[part][1]

    def total(self, form: int) -> bool:
        """Checks whether a form is defined everywhere; False may mean unknown."""
        return all(self.head[h].total for h, _ in self.factors(form))

    def signs(self, head: int) -> frozenset[int]:
        """Returns the places of a head along which flipped signs stand.

        For a head made of such heads these are all places.

        -1 stands for signs along no place.
        """
        if head not in self.signed:
            made = self.head[head]
            is_signed = any(
                self.signs(h) for operand in made.operands for h, _ in self.factors(operand)
            )
            self.signed[head] = frozenset(range(-1, len(made.sizes)) if is_signed else ())
        return self.signed[head]

    def drop(self, factors: Iterable[Factor]) -> None:
        """Records that factors are removed.

        Unless they are defined everywhere, the result may be defined at more points.
        """
        self.lost |= dict.fromkeys(h for h, _ in factors if not self.head[h].total)

    def suppose(self, what: str, form: int, head: int, *, known: bool = False) -> None:
        """Records that a head is removed which is defined where a form has a property.

        Nothing is recorded if the property is known to hold.
        """
        if not known:
            self.lost[head] = None
            self.supposed[form, what] = None

    def same(self, form: int) -> bool:
        """Checks whether a form is defined exactly where its source was; False may mean unknown.

        Where the source was defined, the form is (`normal`). It is undefined where an entry is of
        the heads that it sums over, entry by entry (of inv, where no entry is defined or all are,
        one is enough). If these are all that went away, no step made anything defined elsewhere.
        """
        return not self.emptied and self.lost.keys() <= self._summed(form, ())

    def _summed(self, form: int, free: Sequence[Size]) -> set[int]:
        """Returns the heads of which a form evaluates each entry.

        If `free` is given, the form's own axes run through these sizes.
        """
        found = set[int]()
        # c is not 0
        parts = (part for parts, c in self.form[form][1] if len(c) == 1 for part in parts)
        for sizes, factors in map(self.part.__getitem__, parts):
            if not all(self.at_least(size, 1) for size in sizes):
                continue
            reach = {a: size for a, size in enumerate(free)} | {
                -2 - j: size for j, size in enumerate(sizes)
            }
            for number_, row in factors:
                head = self.head[number_]
                entries = row[: head.shared] if head.kind == "inv" else row
                names = [a for a, steps in entries if not steps]
                lengths = [*head.sizes[: len(entries)]]
                if [reach.get(a) for a in names] == lengths and len({*names}) == len(entries):
                    found.add(number_)
                    if head.kind == "function" and head.data in FUNCTIONS:
                        found.update(
                            *(self._summed(operand, head.sizes) for operand in head.operands)
                        )
        return found

    def at_least(self, size: Size, low: int) -> bool:
        """Checks whether a size is >= low at all sizes; False may mean unknown."""
        return is_nonnegative(size - Size.of(low), self.lows)

    # -- making
    # ----------------------------------------------------------------------------------------

    def product(self, left: list[Piece], right: list[Piece]) -> list[Piece]:
        """Returns the product of two sums of terms."""
        spend(1 + 5 * len(left) * len(right))
        if len(left) * len(right) > MOST_PIECES:
            raise Rejected("a normal form of too many terms")
        if not left or not right:
            self.drop(factor for p in left + right for factor in p.factors)
        return [
            Piece(
                indices.multiply_coefficients(p.coefficient, q.coefficient),
                p.factors + q.factors,
                p.summed | q.summed,
            )
            for p in left
            for q in right
        ]

    def put(self, labels: Labels, form: int, places: Sequence[Index]) -> list[Piece]:
        """Returns a form as terms, with indices for free axes, and new labels for summed ones."""
        return [p for parts, c in self.form[form][1] for p in self.term(labels, parts, c, places)]

    def term(
        self, labels: Labels, parts: Parts, coefficient: Laurent, places: Sequence[Index]
    ) -> list[Piece]:
        """Returns a term of a form as terms, with indices for its free axes."""
        pieces = [Piece(coefficient, ())]
        for part in parts:
            sizes, factors = self.part[part]
            new = [labels.fresh(size) for size in sizes]
            index = {FIXED: FIRST, **{-2 - j: (label, ()) for j, label in enumerate(new)}}
            index.update(enumerate(places))
            pieces = [Piece(p.coefficient, p.factors, p.summed | set(new)) for p in pieces]
            for head, row in factors:
                moved = tuple(through(index[a], steps) for a, steps in row)
                pieces = self.product(pieces, self.place(labels, head, moved))
        return pieces

    def replace(self, labels: Labels, piece: Piece, label: int, index: Index) -> list[Piece]:
        """Replaces a label of a term by an index."""
        result = [Piece(piece.coefficient, (), piece.summed - {label})]
        for head, row in piece.factors:
            if all(a != label for a, _ in row):
                result = [Piece(p.coefficient, (*p.factors, (head, row)), p.summed) for p in result]
            else:
                moved = tuple(
                    through(index, steps) if a == label else (a, steps) for a, steps in row
                )
                result = self.product(result, self.place(labels, head, moved))
        return result

    def move(self, form: int, places: tuple[Index, ...], sizes: tuple[Size, ...]) -> int:
        """Returns the form over axes of other sizes, with indices in place of the old axes.

        The labels of the indices are the new axes.
        """
        key = (form, places, sizes)
        if key not in self._moved:
            labels = Labels(sizes)
            self._moved[key] = self.close(labels, self.put(labels, form, places))
        return self._moved[key]

    def close(self, labels: Labels, pieces: Iterable[Piece]) -> int:
        """Returns the normal form of a sum of terms."""
        terms: dict[Parts, Laurent] = {}
        pending = list(pieces)[::-1]
        while pending:
            piece = pending.pop()
            spend(10 + 4 * len(piece.factors))
            if len(pending) + len(terms) > MOST_PIECES or len(piece.factors) > MOST_FACTORS:
                raise Rejected("a normal form of too many terms or factors")
            simpler = self.rewrite(labels, piece)
            if simpler is not None:
                pending += simpler
                continue
            parts = tuple(
                sorted(self._part(labels, group) for group in linked(piece.factors, piece.summed))
            )
            terms[parts] = indices.collect((*terms.get(parts, ()), *piece.coefficient))
        for parts, coefficient in terms.items():
            if not coefficient:
                self.drop(factor for part in parts for factor in self.part[part][1])
        return self.store_form(labels.free, terms)

    # -- canonical parts
    # -------------------------------------------------------------------------------

    def _part(self, labels: Labels, factors: list[Factor]) -> int:
        """Stores a part, with summed labels numbered by where they stand, and returns its number.

        Whatever their order, it is the same sum. Among labels that look alike any may come first:
        where one can take the place of the other, that leads to the same part.
        """
        names = {a for _, row in factors for a, _ in row if a >= len(labels.free)}
        rank = self._refined(factors, _ranks({a: labels.sizes[a].terms for a in names}))
        while tied := [(r, a) for a, r in rank.items() if list(rank.values()).count(r) > 1]:
            first = min(tied)[1]
            rank = self._refined(factors, _ranks({a: (r, a != first) for a, r in rank.items()}))
        order = sorted(rank, key=rank.__getitem__)
        name = {a: -2 - j for j, a in enumerate(order)}
        stored = (
            (h, self._least(h, [(name.get(a, a), steps) for a, steps in row])) for h, row in factors
        )
        part = (tuple(labels.sizes[a] for a in order), tuple(sorted(stored)))
        return self._store(("part", part), self.part, part)

    def _refined(self, factors: list[Factor], rank: dict[int, int]) -> dict[int, int]:
        """Ranks labels by the places in which they stand and the labels beside them.

        This is repeated until no ranks are split any further.
        """
        while True:
            spend(5 * len(factors) * (1 + len(rank)))
            seen = {
                a: (
                    r,
                    sorted(
                        (
                            h,
                            self._least(
                                h,
                                [
                                    (i == a, rank.get(i, -2), i if i not in rank else 0, steps)
                                    for i, steps in row
                                ],
                            ),
                        )
                        for h, row in factors
                        if any(i == a for i, _ in row)
                    ),
                )
                for a, r in rank.items()
            }
            finer = _ranks(seen)
            if len(set(finer.values())) == len(set(rank.values())):
                return finer
            rank = finer

    def _least(self, head: int, row: list[Any]) -> tuple[Any, ...]:
        return min(tuple(row[i] for i in order) for order in self.head[head].alike)


def _ranks(seen: Mapping[int, Any]) -> dict[int, int]:
    values: list[Any] = []
    for value in sorted(seen.values()):
        if not values or value != values[-1]:
            values.append(value)
    return {a: values.index(value) for a, value in seen.items()}


def linked(factors: Iterable[Factor], summed: frozenset[int]) -> list[list[Factor]]:
    """Groups the factors, so that no summed label links two groups."""
    groups: list[tuple[set[int], list[Factor]]] = []
    for factor in factors:
        labels = {a for a, _ in factor[1] if a in summed}
        together = [factor]
        for group in [g for g in groups if g[0] & labels]:
            groups.remove(group)
            labels |= group[0]
            together = group[1] + together
        groups.append((labels, together))
    return [group for _, group in groups]


def scale_form(forms: Forms, form: int, factor: Laurent) -> int:
    """Returns a form times a coefficient that is not 0."""
    sizes, terms = forms.form[form]
    return forms.store_form(
        sizes, {parts: indices.multiply_coefficients(factor, c) for parts, c in terms}
    )


def negative(forms: Forms, form: int) -> int:
    """Returns minus a form."""
    return scale_form(forms, form, coefficient_of(-1))


def added(forms: Forms, sizes: tuple[Size, ...], summands: Iterable[int]) -> int:
    """Returns the sum of forms over the same axes."""
    labels = Labels(sizes)
    own: list[Index] = [(a, ()) for a in range(len(sizes))]
    return forms.close(
        labels, [piece for form in summands for piece in forms.put(labels, form, own)]
    )


def multiplied(
    forms: Forms, sizes: tuple[Size, ...], factors: Iterable[int], times: Laurent
) -> int:
    """Returns the product of a coefficient and forms over the same axes."""
    labels = Labels(sizes)
    own: list[Index] = [(a, ()) for a in range(len(sizes))]
    pieces = [Piece(times, ())]
    for form in factors:
        pieces = forms.product(pieces, forms.put(labels, form, own))
    return forms.close(labels, pieces)
