"""Checks proofs under translations T and positive multiples Scale, line by line.

Each value has one type.

*Translations.* Adding t to the points among the inputs adds (num/den) t to a value along one axis,
the same at all other indices but for the product of some still nodes, its weights, or leaves it as
it is ("still"). Sums: coefficients add. A product and sum with one shifted factor whose own axis is
kept: ``sum_j (x_ij + c_j t_i) w_j = sum_j x_ij w_j + t_i sum_j c_j w_j``, where `totals` finds the
factors of ``sum_j c_j w_j`` that are numbers. max, min, sort, parts, reversal and shift over
another axis commute with adding what has no weights. Whatever is computed from still values is
still.

*Multiples.* Multiplying the moved axes of the inputs by c > 0 multiplies a value by c^degree: the
degree is the power of the character c, which the rule of each operation gives.

Partial functions are applied to still values, or to c^k v where they are defined when they are at
v: both sides are defined at the same places.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import text, totals
from .claims import Axis, Claim, Factor, degree
from .lines import Lines
from .powers import ANY, NONE, Ratio, add_ratios, equal_ratios, multiply_ratios
from .program import Node, Program
from .report import Rejected, spend
from .rules import RULES
from .rules.base import Setting, Step
from .rules.leaves import INPUT
from .sizes import ONE, Size
from .text import MOST_RANK, fields, integer, items, read_pair, read_rational

STILL = "still"
#: Largest number of factors in the weight by which a translation is multiplied.
MOST_WEIGHTS = 256


@dataclass(frozen=True, slots=True)
class Shift:
    """A translation of a value: (num/den) t, times a product of nodes, is added along an axis.

    The product of the nodes in `weights` is summed over their labels below 0.
    """

    axis: int
    num: Size
    den: Size
    weights: tuple[totals.Factor, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shift):
            return False
        alike = self.axis == other.axis and self.weights == other.weights
        return alike and equal_ratios((self.num, self.den), (other.num, other.den))

    def __hash__(self) -> int:
        return hash(self.axis)


#: A Shift or STILL for translations; a ratio of sizes or ANY for multiples.
Type = Shift | Ratio | str


def derive(
    claim: Claim,
    program: Program,
    factor: Factor,
    proof: Lines,
    path: str,
    lows: Mapping[str, int],
    hidden: Collection[int],
) -> list[tuple[bool, None]]:
    """Checks that every line is what its rule gives, and the last line the claimed output type.

    Sums of the `hidden` constants are not used.

    Returns:
        For each type, whether values are the same at g x as at x, paired with None.

    Raises:
        Rejected: otherwise.
    """
    given = {name: claimed(axes, factor) for name, axes in claim.inputs}
    indexed = {name: Size.of(claim.pins.get(n, n)) for name, n in claim.indices.items()}
    named = [
        _read_type(stated, f"{path} of type {k}", factor, claim)
        for k, (stated, _) in enumerate(proof.types)
    ]
    if any(odd for _, odd in proof.types):
        raise Rejected(f"{path}: a parity, which {factor} does not have")
    facts = totals.known_sums(program, indexed, lows, hidden)
    setting = Setting(program, factor, ONE, lows, facts=facts)
    types: list[Type] = []
    for k, line in enumerate(proof.lines):
        where = f"{path}[{k}]"
        spend(24)
        node = program.nodes[line.node]
        args = [types[p] for p in line.premises]
        if node.op == INPUT:
            found = given[node.at["name"]]
        elif factor.kind == "shift":
            found = translated(node, args, setting)
        else:
            found = multiplied(node, args, setting)
        if not _equal(named[line.type], found):
            raise Rejected(f"{where}: the rule for {node.op} does not give this type")
        types.append(found)
    if not proof.lines or proof.lines[-1].node != program.output:
        raise Rejected(f"{path}: the last line is not about the output")
    wanted = claimed(claim.output, factor)
    if not _equal(types[-1], wanted) and types[-1] != ANY:
        raise Rejected(f"{path}: the derived type of the output is not the claimed one")
    return [(t in (STILL, ANY) or (isinstance(t, tuple) and not t[0].terms), None) for t in named]


def _read_type(value: Any, path: str, factor: Factor, claim: Claim) -> Type:
    if factor.kind == "shift":
        if value == STILL:
            return STILL
        more = ["weights"] * (isinstance(value, dict) and "weights" in value)
        axis, num, den, *listed = fields(value, path, "axis", "num", "den", *more)
        weights = [w for given in listed for w in items(given, path, MOST_WEIGHTS)]
        if more and not weights:
            raise Rejected(f"{path}: weights that are none are left out")
        ratio = text.read_size(num, path, claim.pins), text.read_size(den, path, claim.pins)
        return Shift(integer(axis, path, 0), *ratio, tuple(_weight(w, path) for w in weights))
    if value == ANY:
        return ANY
    if isinstance(value, str):
        number = read_rational(value, path)
        return Size.of(number.numerator), Size.of(number.denominator)
    num, den = fields(value, path, "num", "den")
    return text.read_size(num, path, claim.pins), text.read_size(den, path, claim.pins)


def _equal(a: Type, b: Type) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return equal_ratios(a, b)
    return a == b


def _weight(value: Any, path: str) -> totals.Factor:
    node, labels = read_pair(value, path)
    return integer(node, path, 0), tuple(integer(k, path) for k in items(labels, path, MOST_RANK))


def claimed(axes: Sequence[Axis], factor: Factor) -> Type:
    """Returns the type that the claim gives to an input or to the output."""
    if factor.kind == "shift":
        places = [i for i, axis in enumerate(axes) if any(factor.translates(t) for t in axis)]
        if not places:
            return STILL
        if len(places) > 1 or len(axes[places[0]]) > 1:
            raise Rejected("a value with several parts that are translated")
        term = axes[places[0]][0]
        if term.name is not None and term.coefficient != 1:
            raise Rejected("a multiple of an axis that is translated")
        return Shift(places[0], ONE, ONE)
    return Size.of(degree(axes, factor)), ONE


def multiplied(node: Node, args: Sequence[Type], s: Setting) -> Type:
    """Returns the degree of a node under positive multiples."""
    powers = [a for a in args if not isinstance(a, Shift)]
    found = RULES[node.op].power(Step(0, node, (), powers, (), NONE, s))
    if found is None:
        raise Rejected("values of different degrees, or a function that is not homogeneous")
    return found


def translated(node: Node, args: Sequence[Type], s: Setting) -> Type:
    """Returns the type of a node under translations."""
    if all(a == STILL for a in args):
        return STILL
    rule = RULES[node.op]
    if rule.form == "sum":
        return _sum_of_shifts([a for a in args if isinstance(a, Shift)])
    if rule.form == "product":
        return _weighted(node, args, s)
    conditions, (move, *others) = args[: rule.conditions], args[rule.conditions :]
    places = rule.carries(node, s.program.nodes[node.args[rule.conditions]].shape)
    if places is None or any(a != STILL for a in conditions) or any(a != move for a in others):
        return _refuse()
    if not isinstance(move, Shift) or (axis := places[move.axis]) is None:
        raise Rejected("the coordinates themselves are reduced, joined or reordered")
    if move.weights and places != [*range(len(places))]:
        raise Rejected("the weights of points are not seen to sum to 1")
    return Shift(axis, move.num, move.den, move.weights)


def _sum_of_shifts(moving: Sequence[Shift]) -> Type:
    axis, weights = moving[0].axis, moving[0].weights
    if any(a.axis != axis or a.weights != weights for a in moving):
        raise Rejected("translations along different axes, or with different weights, are added")
    num, den = add_ratios(*((a.num, a.den) for a in moving))
    if num.terms:
        return Shift(axis, num, den, weights)
    return STILL


def _refuse() -> Type:
    raise Rejected("no rule for coordinates that are translated")


def _weighted(node: Node, args: Sequence[Type], s: Setting) -> Type:
    output = list(node.at["output"])
    factors = [(x, tuple(row)) for x, row in zip(node.args, node.at["inputs"], strict=True)]
    sizes = totals.sizes_of(factors, s.program)
    places = [k for k, a in enumerate(args) if isinstance(a, Shift)]
    move = args[places[0]]
    if len(places) != 1 or not isinstance(move, Shift):
        return _refuse()
    _, row = factors.pop(places[0])
    label = row[move.axis]
    if row.count(label) != 1 or label not in output:
        return _refuse()
    fresh = max([*sizes, *output]) + 1
    own = [(x, tuple(row[k] if k >= 0 else fresh - k for k in r)) for x, r in move.weights]
    sizes.update(totals.sizes_of(own, s.program))
    bound = {k: size for k, size in sizes.items() if k not in output}
    number, left, filled = totals.summed(own + factors, bound, s.program, s.facts, s.lows)
    if not filled:
        # then it is 0, whatever the weights are
        raise Rejected("a sum of points that is empty at some size")
    if any(label in r for _, r in left):
        return _refuse()
    num, den = multiply_ratios(number, (move.num, move.den))
    if num.terms:
        return Shift(output.index(label), num, den, _in_order(left, output))
    return STILL


def _in_order(left: Sequence[totals.Factor], output: Sequence[int]) -> tuple[totals.Factor, ...]:
    """Sorts factors and renames their labels to axes of the value, or -1, -2, ... if summed."""
    name = {label: axis for axis, label in enumerate(output)}
    found = []
    for x, row in sorted(left, key=lambda f: (f[0], [name.get(k, -1) for k in f[1]])):
        for k in row:
            name.setdefault(k, len(output) - len(name) - 1)
        found.append((x, tuple(name[k] for k in row)))
    return tuple(found)
