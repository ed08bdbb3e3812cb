"""The rules of inference: for each operation, how a group acts on its result.

`RULES` is the registry, an explicit table. A rule takes the operation, the types of its arguments and a
`Context`, and returns the types that the result has, or raises `Stuck`. What no rule covers is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eqvproof.groups.families import EVERY_FAMILY
from eqvproof.program import ops
from eqvproof.rules import (
    add,
    concat,
    constants,
    einsum,
    indicator,
    map,
    matrix,
    opaque,
    parity,
    read,
    reduce,
    reshape,
    select,
    sort,
)
from eqvproof.rules.acts import Act, Kind, Stuck, Type
from eqvproof.rules.context import Context
from eqvproof.rules.parity import Typed

Rule = Callable[[Any, list[Type], Context], list[Type]]

#: operation -> (its rule, the name under which a derivation cites it)
RULES: Mapping[type[Any], tuple[Rule, str]] = {
    ops.Const: (constants.infer, "constant"),
    ops.SizeOf: (constants.infer, "size"),
    ops.Iota: (constants.infer, "constant"),
    ops.Indicator: (indicator.infer, "indicator"),
    ops.Einsum: (einsum.infer, "product and sum"),
    ops.Add: (add.infer, "sum"),
    ops.Map: (map.infer, "elementwise"),
    ops.Select: (select.infer, "choice"),
    ops.Reduce: (reduce.infer, "reduction"),
    ops.Concat: (concat.infer, "concatenation"),
    ops.Read: (read.infer, "entries at other places"),
    ops.Reshape: (reshape.infer, "reshape"),
    ops.Sort: (sort.infer, "sorting"),
    ops.Matrix: (matrix.infer, "function of matrices"),
    ops.Opaque: (opaque.infer, "uninterpreted function"),
}

#: What the matrices of each family have in common; families without rules are absent.
KINDS: Mapping[str, Kind] = {
    letter: Kind(family.kind)
    for letter, family in EVERY_FAMILY.items()
    if family.kind in {kind.value for kind in Kind}
}

__all__ = ["KINDS", "RULES", "Act", "Context", "Kind", "Rule", "Stuck", "Type", "Typed", "parity"]
