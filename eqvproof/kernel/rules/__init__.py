"""The rules of inference, one file for each operation, and the check of proof steps.

The files are one protocol: each defines parts of its record `Rule` under one name, `_shape`,
`_typed`, `_power`, `_kept`, `_carries` and `_along`, which the attributes of `Rule` explain.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..acts import has_irreps
from ..loading import part
from ..powers import NONE, Power, agree
from ..program import Program
from ..report import spend
from . import (
    add,
    concat,
    const,
    eigenvectors,
    einsum,
    form,
    indicator,
    leaves,
    map,
    matrix,
    opaque,
    read,
    reduce,
    reshape,
    select,
    sort,
)
from .base import Rule, Setting, Step, Type

#: A type, and the power of the character.
Powered = tuple[Type, Power]
RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        *leaves.RULES,
        const.RULE,
        indicator.RULE,
        form.RULE,
        einsum.RULE,
        add.RULE,
        map.RULE,
        select.RULE,
        reduce.RULE,
        concat.RULE,
        read.RULE,
        reshape.RULE,
        sort.RULE,
        matrix.RULE,
        eigenvectors.RULE,
        opaque.RULE,
    )
}


def derivable(index: int, premises: Sequence[Powered], conclusion: Powered, s: Setting) -> bool:
    """Checks whether a node has the stated type and power, given those of its arguments.

    The type must fit the shape of the node. A node that is 0 everywhere has every type: A 0 = 0.
    Otherwise the rule of the operation decides. Where chi is 1 no power is stated.
    """
    node = s.program.nodes[index]
    rule, (stated, power) = RULES[node.op], conclusion
    types, powers = [t for t, _ in premises], [p for _, p in premises]
    if power != NONE and s.is_special():
        return False
    spend(
        20 + 3 * sum(len(t) for t in types) + (1 + len(node.shape)) * len(node.at.get("values", ()))
    )
    if not (rule.relabelled or s.labels.isdisjoint(node.args)):
        return False
    mixed = any(has_irreps(act) for type_ in (stated, *types) for act in type_)
    ways = [(stated, power)]
    if mixed:
        ways = part("space").ways_to_write(stated, power, s)
    for way, times in ways:
        step = Step(index, node, types, powers, way, times, s)
        if index in s.zeros or rule.kept(step):
            return True
        found = rule.power(step)
        if found is not None and agree(found, times, s.factor.character) and rule.typed(step):
            return True
    return False


def zeros(program: Program) -> frozenset[int]:
    """Returns the nodes that are 0 at every entry and always defined.

    They are products, sums and rearrangements of constants.
    """
    total: set[int] = set()
    zero: set[int] = set()
    for i, node in enumerate(program.nodes):
        args, rule = set(node.args), RULES[node.op]
        if (
            rule.zero(node)
            or (rule.form == "product" and args & zero and args <= total)
            or (rule.form in ("sum", "moved") and args <= zero)
        ):
            zero.add(i)
        if i in zero or (rule.form == "number" and args <= total):
            total.add(i)
    return frozenset(zero)
