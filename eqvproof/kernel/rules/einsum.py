"""Sums of products: out[I] = sum over K of the product of the arguments at their labels."""

from __future__ import annotations

from math import prod
from typing import Any

from ..acts import UNI, Act, dual, fits, fixed, is_fixed, size_of
from ..powers import Power, summed
from ..program import Node, Shape
from ..report import spend
from ..sizes import Size
from ..text import items
from .base import Lows, Rule, Step, integers, read_by
from .const import CONST


def _rows(value: Any, path: str) -> tuple[tuple[int, ...], ...]:
    return tuple(integers(v, path) for v in items(value, path))


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    rows, output = node.at["inputs"], node.at["output"]
    if [len(row) for row in rows] != [len(shape) for shape in shapes] or len(output) != len(node.shape):
        return False
    sizes = dict(zip(output, node.shape, strict=True))
    pairs = [pair for row, shape in zip(rows, shapes, strict=True) for pair in zip(row, shape, strict=True)]
    return len(sizes) == len(output) and all(sizes.setdefault(label, size) == size for label, size in pairs)


def _typed(step: Step) -> bool:
    """Labels one at a time, the others held. An argument that is UNI at a label does not depend on it.

    No other occurrence: the result does not depend on a kept label; a sum over one multiplies by its size.
    perm: if g permutes all occurrences alike, it permutes the terms: a kept label is permuted so, a sum is
    the same. Fixed occurrences: nothing happens term by term. orth: one occurrence u with act A gives
    (A u) w = A (u w) where w does not depend on the label; a sum over two is (A u).(A w) = u.w.
    lin: the same, but a sum is over one act and its dual, (A u).(A^-T w) = u.w.
    sign: entry i is multiplied by a_i = 1 or -1 once for each of e acted occurrences, by a_i^e in all: by a_i
    for odd e, by 1 for even e.
    A constant that the action leaves alone, and that does not vary within any copy of the blocks of A: write
    the label as (b, j), b the copy and j the place in it. A is block diagonal: it acts on j for each b, and b
    is a label that is not acted upon, of which alone the constant depends: it is as if it were not there.
    """
    node, stated, kind = step.node, step.stated, step.kind
    output = node.at["output"]
    occurrences: dict[int, list[tuple[Act, int]]] = {label: [] for label in output}
    for k, (row, premise) in enumerate(zip(node.at["inputs"], step.types, strict=True)):
        for label, act in zip(row, premise, strict=True):
            occurrences.setdefault(label, []).extend([(act, k)] if act != UNI else [])
    for label, pairs in occurrences.items():
        acted = [act for act, _ in pairs if not is_fixed(act)]
        steady = [bool(acted) and is_fixed(a) and _is_steady(step, k, label, acted[0]) for a, k in pairs]
        acts = [act for (act, _), gone in zip(pairs, steady, strict=True) if not gone]
        common = acted[0] if acted else acts[0] if acts else UNI
        if kind == "sign":
            good = all(act == common for act in acted) and (label in output or len(acted) % 2 == 0)
            if acted and len(acted) % 2 == 0:
                common = fixed(node.shape[output.index(label)]) if label in output else UNI
        elif kind == "lin" and acted:
            pair = len(acts) == 2 and label not in output and acts[0] == dual(acts[1])
            good = pair or (len(acts) == 1 and label in output)
        elif kind == "perm" or not acted:
            good = all(act == common for act in acts)
        else:
            good = all(act == common for act in acts) and len(acts) == (1 if label in output else 2)
        if not good or (label in output and not fits(common, stated[output.index(label)], kind)):
            return False
    return True


def _is_steady(step: Step, k: int, label: int, act: Act) -> bool:
    """Whether an argument is a constant that along a label does not vary within the copies of the blocks."""
    constant, row = step.setting.program.nodes[step.node.args[k]], step.node.at["inputs"][k]
    if constant.op != CONST or row.count(label) != 1 or isinstance(act, str):
        return False
    copies: list[int] = []  # of each entry, the number of the copy that it lies in
    for multiplicity, rest in act:
        count, length = multiplicity.constant, size_of(rest).constant
        if count is None or length is None:
            return False
        first = copies[-1] + 1 if copies else 0
        copies += [first + i // length for i in range(count * length)]
    place, values, size = row.index(label), constant.at["values"], len(copies)
    if constant.shape[place] != Size.of(size):
        return False
    spend(size + len(values))
    inner = prod(n.constant or 0 for n in constant.shape[place + 1 :])
    found: dict[tuple[int, int, int], Any] = {}
    return all(
        found.setdefault((i // inner // size, copies[i // inner % size], i % inner), value) == value
        for i, value in enumerate(values)
    )


def _power(step: Step) -> Power:
    """Characters come out of products and of sums: their powers add up."""
    return summed(step.powers)


RULE = Rule(
    "einsum", _shape, _typed, _power, arguments=(1, 256),
    attributes={"inputs": read_by(_rows), "output": read_by(integers)}, form="product",
)  # fmt: skip
