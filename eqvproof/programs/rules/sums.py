"""Sums of entries that do not depend on the inputs: of rows of weights, constants, sizes.

For each value v the table records that its entries sum to c along an axis, at all other indices
where they are defined (``totals[v][axis] = c``), or that each of them is c (``totals[v][None] =
c``); c is a ratio of sizes.

    identity matrices, one-hot vectors of     v : c each                       v : c, w : d along an axis
    positions in range: 1 along their axis    ------------------------------   --------------------------
                                              v : s c along an axis of size s  v + w : c + d along
                                                  it

    v : c along j, no other factor has j      e has j, no other factor has it     no factor has j
    ------------------------------------      -------------------------------     --------------------
    sum_j v_j w = c w                         sum_j e_j (1 / sum_j e_j) w = w     sum_j w = (size of j) w

and 1/v is 1/c where v is c; parts, joinings and views keep what they do not touch.

Proof. Factors without j come out of a sum over j, which is not empty. What is left of a product
when all its factors have gone is a number, and so the sum over all labels that went. Where ``1 /
sum_j e_j`` is undefined, so is the product on the left, as where any factor is. QED
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from eqvproof.claims.size import Size
from eqvproof.programs.node import Node, Weight

ONE = Size.of(1)
#: Most entries of a constant, and most terms of a number, that are recorded.
MOST_ENTRIES, MOST_TERMS = 4096, 16

#: numerator, denominator
Ratio = tuple[Size, Size]
Totals = dict[int | None, Ratio]


def ratio(num: Size, den: Size) -> Ratio:
    """Reduces a ratio of sizes, to a size or to a number in lowest terms if it is one."""
    quotient, (above, below) = num.divide(den), (num.constant, den.constant)
    if quotient is None and above is not None and below:
        value = Fraction(above, below)
        return Size.of(value.numerator), Size.of(value.denominator)
    if quotient is None:
        return (num, den)
    return (quotient, ONE)


def ratio_product(*ratios: Ratio) -> Ratio:
    """Returns the product of ratios."""
    num, den = ONE, ONE
    for a, b in ratios:
        num, den = num * a, den * b
    return ratio(num, den)


def ratio_sum(*ratios: Ratio) -> Ratio:
    """Returns the sum of ratios."""
    num, den = Size.of(0), ONE
    for a, b in ratios:
        num, den = num * b + a * den, den * b
    return ratio(num, den)


def are_equal_ratios(a: Ratio, b: Ratio) -> bool:
    """Checks whether two ratios are equal."""
    return a[0] * b[1] == b[0] * a[1]


@dataclass(frozen=True, slots=True)
class Known:
    """The facts from which sums are derived.

    Attributes:
        nodes: the nodes of the Program.
        found: the known sums of each of the first of them.
        indexed: the inputs whose entries are positions, with the number of positions.
    """

    nodes: Sequence[Node]
    found: list[Totals]
    indexed: Mapping[str, Size]


class SumNode(Node):
    """A node that knows which of its sums do not depend on the inputs."""

    __slots__ = ()

    @abstractmethod
    def sums(self, known: Known) -> Totals:
        """Returns the sums of entries that do not depend on the inputs.

        `known` holds those of the nodes before it.
        """


def totals(nodes: Sequence[SumNode], indexed: Mapping[str, Size]) -> list[Totals]:
    """Returns the known sums of each node.

    `indexed` gives the inputs whose entries are positions, with the number of positions.
    """
    known = Known(nodes, [], indexed)
    for node in nodes:
        sums = node.sums(known)
        if None in sums:
            sums |= {
                axis: ratio_product(sums[None], (size, ONE)) for axis, size in enumerate(node.shape)
            }
        known.found.append(
            {k: r for k, r in sums.items() if max(len(s.terms) for s in r) <= MOST_TERMS}
        )
    return known.found


def reduce_product(
    factors: Sequence[Weight],
    summed: Mapping[int, Size],
    nodes: Sequence[Node],
    found: Sequence[Totals],
) -> tuple[Ratio, list[Weight]] | None:
    """Reduces a product summed over labels to a number and the factors left, still summed.

    None if one of the sums is empty at some size. `summed` gives the sizes of the labels.
    """
    if not all(size.is_at_least(1) for size in summed.values()):
        return None
    number, left, sizes = (ONE, ONE), list(factors), dict(summed)
    while step := next(_steps(left, sizes, nodes, found), None):
        gone, label, value = step
        number, left = (
            ratio_product(number, value),
            [f for k, f in enumerate(left) if k not in gone],
        )
        if label is not None:
            del sizes[label]
    there = {label for _, row in left for label in row}
    return ratio_product(
        number, *((s, ONE) for label, s in sizes.items() if label not in there)
    ), left


def _steps(
    left: Sequence[Weight],
    summed: Mapping[int, Size],
    nodes: Sequence[Node],
    found: Sequence[Totals],
) -> Iterator[tuple[tuple[int, ...], int | None, Ratio]]:
    """Yields (places of factors that can go, the label summed over, the number in their place)."""
    labels = [label for _, row in left for label in row]
    for k, (x, row) in enumerate(left):
        if None in found[x]:
            yield (k,), None, found[x][None]
        for axis, label in enumerate(row):
            if axis in found[x] and label in summed and labels.count(label) == 1:
                yield (k,), label, found[x][axis]
    for k, m in permutations(range(len(left)), 2):
        for label in left[k][1]:
            if (
                label in summed
                and labels.count(label) == 1
                and _is_inverse(left[m], left[k], label, nodes)
            ):
                yield (k, m), label, (ONE, ONE)


def _is_inverse(r: Weight, e: Weight, label: int, nodes: Sequence[Node]) -> bool:
    """Checks whether r is 1 / sum(e) over that label, with the other labels as in e."""
    inverse = nodes[r[0]]
    if inverse.function != "recip":
        return False
    x, own = _source_of_copies(inverse.args[0], r[1], nodes)
    total = nodes[x].single_factor
    if total is None or total[0] != e[0]:
        return False
    _, inner, output = total
    names = dict(zip(inner, e[1], strict=True))
    once = len(names) == len(inner) and set(inner) - set(output) == {inner[e[1].index(label)]}
    return once and [names.get(k) for k in output] == own


def _source_of_copies(x: int, row: tuple[int, ...], nodes: Sequence[Node]) -> tuple[int, list[int]]:
    """Returns the node behind a view that repeats it along new axes, and its own labels."""
    view = nodes[x].single_factor
    if view is not None and set(view[1]) <= set(view[2]):
        names = dict(zip(view[2], row, strict=True))
        return view[0], [names[k] for k in view[1]]
    return x, list(row)
