"""Finds sums along axes that are one number at all inputs, as 1 for the rows of a softmax.

`known(...)[x]` holds (axis, c) where the entries of node x sum to c along that axis, at all other
indices, and (None, c) where each entry is c; both where the entries are defined. A factor that
alone has the index j of a sum over j, not empty, stands in it as its own sum along j: ``sum_j x_j y
= (sum_j x_j) y``. So do e and ``1 / sum_j e_j`` together, as 1 where that is defined; and where no
factor has j there are as many equal terms as j has values. A product all of whose factors were
replaced so is the product of the numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import prod

from .exact import paid
from .powers import NONE, UNIT, Ratio, add_ratios, equal_ratios, multiply_ratios
from .program import Node, Program
from .report import spend
from .rules import RULES, const, indicator
from .rules.base import Facts
from .rules.leaves import INPUT, SIZE
from .rules.map import is_reciprocal
from .sizes import ONE, Size, as_integers, is_nonnegative

#: Largest number of terms of a sum, and of entries of a constant, about which facts are kept.
MOST_TERMS, MOST_ENTRIES = 16, 4096
#: A node and the labels of its axes.
Factor = tuple[int, tuple[int, ...]]


def known_sums(
    program: Program,
    indexed: Mapping[str, Size],
    lows: Mapping[str, int],
    hidden: Collection[int] = (),
) -> list[Facts]:
    """Returns the known sums and entries of each node except the `hidden` ones.

    `indexed` are inputs with entries 0, 1, ... below a size.
    """
    facts: list[Facts] = []
    for number, node in enumerate(program.nodes):
        spend(10 + 4 * len(node.shape))
        if number in hidden:
            found = {}
        else:
            found = _facts(node, program, facts, indexed, lows)
        if None in found:
            found.update(
                {a: multiply_ratios(found[None], (size, ONE)) for a, size in enumerate(node.shape)}
            )
        facts.append({a: c for a, c in found.items() if max(len(s.terms) for s in c) <= MOST_TERMS})
    return facts


def _facts(
    node: Node,
    program: Program,
    facts: Sequence[Facts],
    indexed: Mapping[str, Size],
    lows: Mapping[str, int],
) -> Facts:
    args, rule = [facts[a] for a in node.args], RULES[node.op]
    if rule is indicator.RULE:
        given = [program.nodes[a] for a in node.args]
        return _of_indicator(
            node, [indexed.get(g.at["name"]) if g.op == INPUT else None for g in given]
        )
    if rule is const.RULE:
        return _of_numbers(node)
    if node.op == SIZE:
        return {None: (node.at["size"], ONE)}
    if is_reciprocal(node):
        above, below = args[0].get(None, NONE)
        if above.terms:
            return {None: (below, above)}
        return {}
    if rule.form == "product":
        return _of_product(node, program, facts, lows)
    if rule.form == "sum":
        everywhere: list[int | None] = [None, *range(len(node.shape))]
        return {
            a: add_ratios(*(arg[a] for arg in args))
            for a in everywhere
            if all(a in arg for arg in args)
        }
    if rule.form == "moved":
        kept = rule.carries(node, program.nodes[node.args[0]].shape) or []
        places = {None: None} | {a: k for a, k in enumerate(kept) if k is not None}
        return {
            k: args[0][a] for a, k in places.items()
            if all(a in arg and equal_ratios(arg[a], args[0][a]) for arg in args)
        }  # fmt: skip
    return {}


def _of_numbers(node: Node) -> Facts:
    """Returns sums of a constant along axes, and its entries (None), where they are one number."""
    values: Sequence[Fraction] = node.at["values"]
    if len(values) > MOST_ENTRIES:
        return {}
    spend(len(values) * (1 + len(node.shape)))
    lengths = as_integers(node.shape)
    sums = {(None, i): value for i, value in enumerate(values)}
    found: Facts = {}
    for axis in (None, *range(len(lengths))):
        if axis is not None:
            sums, behind = {}, prod(lengths[axis + 1 :])
            for i, value in enumerate(values):
                line = (i // (behind * lengths[axis]), i % behind)
                sums[line] = paid(sums.get(line, Fraction(0)) + value)
        if len(set(sums.values())) == 1:
            value = next(iter(sums.values()))
            found[axis] = (Size.of(value.numerator), Size.of(value.denominator))
    return found


def _of_indicator(node: Node, counts: Sequence[Size | None]) -> Facts:
    """Returns the sums of an indicator: rows and columns of I sum to 1.

    So does [x = j] over j where x is below the number of them.
    """
    if node.at["offset"] is not None:
        return {}
    if not node.args:
        return {0: UNIT, 1: UNIT}
    if counts[0] == node.shape[-1]:
        return {len(node.shape) - 1: UNIT}
    return {}


def _of_product(
    node: Node, program: Program, facts: Sequence[Facts], lows: Mapping[str, int]
) -> Facts:
    factors = [(x, tuple(row)) for x, row in zip(node.args, node.at["inputs"], strict=True)]
    output = list(node.at["output"])
    sizes = dict(zip(output, node.shape, strict=True)) | sizes_of(factors, program)
    found: Facts = {}
    for axis in (None, *range(len(output))):
        bound = {k for k in sizes if k not in output or (axis is not None and k == output[axis])}
        number, left, filled = summed(factors, {k: sizes[k] for k in bound}, program, facts, lows)
        if filled and not left:
            found[axis] = number
    return found


def sizes_of(factors: Sequence[Factor], program: Program) -> dict[int, Size]:
    """Returns the size of every label."""
    return {k: s for x, row in factors for k, s in zip(row, program.nodes[x].shape, strict=True)}


def summed(
    factors: Sequence[Factor],
    bound: Mapping[int, Size],
    program: Program,
    facts: Sequence[Facts],
    lows: Mapping[str, int],
) -> tuple[Ratio, list[Factor], bool]:
    """Sums a product over the bound labels.

    Returns a number, the factors left, and whether no sum is ever empty.
    """
    left, open_, numbers = list(factors), dict(bound), [UNIT]
    filled = all(is_nonnegative(size - ONE, lows) for size in open_.values())
    while True:
        spend(4 + len(left) ** 2)
        found = _find_number(left, open_, program, facts)
        if found is None:
            break
        places, label, number = found
        numbers.append(number)
        left = [factor for k, factor in enumerate(left) if k not in places]
        open_.pop(label, None)
    held = {label for _, row in left for label in row}
    numbers += [(size, ONE) for label, size in open_.items() if label not in held]
    return multiply_ratios(*numbers), left, filled


def _find_number(
    left: Sequence[Factor], bound: Mapping[int, Size], program: Program, facts: Sequence[Facts]
) -> tuple[tuple[int, ...], int, Ratio] | None:
    """Finds one or two factors whose sum over a label is a number.

    Returns their places, the label (a new one if no label is summed), and the number; None if there
    are none.
    """
    stands = [label for _, row in left for label in row]
    lone = {label for label in bound if stands.count(label) == 1}
    for k, (x, row) in enumerate(left):
        if None in facts[x]:
            return (k,), min(bound, default=0) - 1, facts[x][None]
        for axis, label in enumerate(row):
            if label in lone and axis in facts[x]:
                return (k,), label, facts[x][axis]
    for k, (e, row) in enumerate(left):
        for m, (r, other) in enumerate(left):
            if k == m:
                continue
            for label in row:
                if label in lone and _is_share(program, e, row, r, other, label):
                    return (k, m), label, UNIT
    return None


def _is_share(
    program: Program, e: int, row: tuple[int, ...], r: int, inverse_row: tuple[int, ...], label: int
) -> bool:
    """Checks whether r is 1 / sum(e), summed along the axis of e with this label.

    The other labels must be as in e.
    """
    inverse = program.nodes[r]
    if not is_reciprocal(inverse):
        return False
    sums, own = _behind_views(program, inverse.args[0], inverse_row)
    if not _is_product(sums) or tuple(sums.args) != (e,):
        return False
    inner = list(sums.at["inputs"][0])
    gone = [k for k in inner if k not in sums.at["output"]]
    if len(set(inner)) != len(inner) or gone != [inner[row.index(label)]]:
        return False
    names = dict(zip(inner, row, strict=True))
    return [names.get(k) for k in sums.at["output"]] == own


def _is_product(node: Node) -> bool:
    return RULES[node.op].form == "product"


def _behind_views(program: Program, index: int, row: tuple[int, ...]) -> tuple[Node, list[int]]:
    """Returns the node that a view repeats along new axes, with the labels of its own axes."""
    node = program.nodes[index]
    if (
        _is_product(node)
        and len(node.args) == 1
        and set(node.at["inputs"][0]) <= set(node.at["output"])
    ):
        names: Mapping[int, int] = dict(zip(node.at["output"], row, strict=True))
        return program.nodes[node.args[0]], [names[k] for k in node.at["inputs"][0]]
    return node, list(row)
