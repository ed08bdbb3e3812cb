"""Finds the parts of a pattern inside a term of a normal form.

The summed labels of the parts are matched one to one with labels of the term that stand nowhere
else, so that the sum over these is a factor of the term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .indices import FIRST, FIXED, Index, through
from .normal_forms import Factor, Forms, Labels, Parts, Piece
from .report import spend
from .sizes import Size

#: Stands for an index that a match is to find.
ANY: Index = (-(10**9), ())
#: Largest number of factors that are tried for one pattern, in all orders.
MOST_TRIES = 2000


@dataclass(frozen=True, slots=True)
class Found:
    """A match: positions of factors, labels that only these have, and the index found for ANY."""

    factors: frozenset[int]
    labels: frozenset[int]
    other: Index


def find(
    forms: Forms,
    labels: Labels,
    piece: Piece,
    beside: int,
    parts: Parts,
    row: Sequence[Index],
    along: int = FIXED,
    apart: int = FIXED,
) -> Found | None:
    """Finds the factors of some parts, with `row` in place of their free axes, in a term.

    The labels matched with summed ones, and the label `along` if there is one, must be summed, and
    must not stand in other factors (but for the one at `beside`, whose labels are those of `row`
    and `apart`), in `row` (where `along` may stand once), be `apart`, or stand in the index found
    for ANY.
    """
    others = [a for a, _ in row]
    if along in others:
        others.remove(along)
    sizes: dict[int, Size] = {}
    pattern: list[Factor] = []
    for part in parts:
        base = -2 - len(sizes)
        summed, factors = forms.part[part]
        sizes.update({base - j: size for j, size in enumerate(summed)})
        for h, places in factors:
            moved: list[Index] = []
            for a, steps in places:
                if a >= 0:
                    moved.append(through(row[a], steps))
                elif a == FIXED:
                    moved.append((FIXED, steps))
                else:
                    moved.append((base + 2 + a, steps))
            pattern.append((h, tuple(moved)))
    tries = [MOST_TRIES]
    for taken, bound in _ways(forms, labels, piece, pattern, sizes, (beside,), {}, tries):
        matched = [bound[variable][0] for variable in sizes]
        other = bound.get(ANY[0], FIRST)
        if ANY in row and ANY[0] not in bound:
            continue
        own = frozenset(matched) | ({along} - {FIXED})
        elsewhere = {
            a for i, (_, its) in enumerate(piece.factors) if i not in taken for a, _ in its
        } | {*others, other[0], apart}
        if len(set(matched)) == len(matched) and along not in matched and not own & elsewhere:
            return Found(frozenset(taken) - {beside}, own, other)
    return None


def _ways(
    forms: Forms,
    labels: Labels,
    piece: Piece,
    pattern: list[Factor],
    sizes: dict[int, Size],
    taken: tuple[int, ...],
    bound: dict[int, Index],
    tries: list[int],
) -> Iterator[tuple[tuple[int, ...], dict[int, Index]]]:
    if not pattern:
        yield taken, bound
        return
    head, wanted = pattern[0]
    for i, (h, row) in enumerate(piece.factors):
        if h != head or i in taken:
            continue
        for order in forms.head[h].alike:
            spend(5)
            tries[0] -= 1
            new = _bind(labels, piece, wanted, [row[k] for k in order], sizes, bound)
            if tries[0] > 0 and new is not None:
                yield from _ways(forms, labels, piece, pattern[1:], sizes, (*taken, i), new, tries)


def _bind(
    labels: Labels,
    piece: Piece,
    wanted: Sequence[Index],
    row: Sequence[Index],
    sizes: dict[int, Size],
    bound: dict[int, Index],
) -> dict[int, Index] | None:
    new = dict(bound)
    for (variable, steps), (label, done) in zip(wanted, row, strict=True):
        if variable == ANY[0]:
            good = not steps and new.setdefault(variable, (label, done)) == (label, done)
        elif variable in sizes:
            good = (
                label in piece.summed and labels.sizes[label] == sizes[variable] and steps == done
            )
            good = good and new.setdefault(variable, (label, ())) == (label, ())
        else:
            good = (variable, steps) == (label, done)
        if not good:
            return None
    return new
