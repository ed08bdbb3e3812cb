"""Where a Program is defined, as a second value of each entry, over the prime fields of `modular`.

An entry is defined when certain partial functions (1/x, log, inverses, ...) are defined at certain arguments.
These conditions, each as a keyed hash of the function and its argument, are added up: a polynomial in one
variable for each condition, with positive coefficients. So two entries with equal sums rest on the same set
of conditions, and are defined at the same places; unequal sums decide nothing.

Arrays of sums are kept with axes of size 1 where entries do not vary; None is the empty sum everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2, prod
from typing import Any

import numpy as np

from eqvproof.deadline import require_time
from eqvproof.evaluate.channels import Residues, each
from eqvproof.evaluate.modular import PARTIAL, ModularSystem
from eqvproof.evaluate.operations import EVALUATIONS, Evaluation, Sizes, shape_of
from eqvproof.evaluate.walk import bind
from eqvproof.program import MAP_FUNCTIONS, Program, ops

_EVALUATION: Mapping[type[Any], Evaluation] = dict(EVALUATIONS)


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A value and the conditions under which its entries are defined.

    Attributes:
        value: shape as the node has it.
        conditions: sums of hashes, of a shape that can be broadcast to it; None: defined everywhere.
    """

    value: Residues
    conditions: Residues | None


def evaluate_located(
    program: Program,
    inputs: Mapping[str, Residues],
    sizes: Sizes,
    system: ModularSystem,
) -> Located:
    """The value of a Program at a point of prime fields, and where it is defined.

    Args:
        program: what to evaluate.
        inputs: residues by name.
        sizes: the axis sizes.
        system: the fields and hashes.

    Exactness: exact in the field; of hashes see the module's docstring.

    Raises:
        Undefined: a denominator vanishes at this point. EqvproofError: an assumed symmetry.
    """
    known = bind(program, inputs, sizes)
    last = {a: i for i, node in enumerate(program.nodes) for a in node.args}
    fixed: list[bool] = []
    values: dict[int, Located] = {}
    for i, node in enumerate(program.nodes[: program.output + 1]):
        require_time()
        fixed.append(not isinstance(node, ops.Input) and all(fixed[a] for a in node.args))
        if isinstance(node, ops.Input):
            values[i] = Located(inputs[node.name], None)
        else:
            args = [values[a] for a in node.args]
            value = _EVALUATION[type(node)](system, node, [a.value for a in args], known)
            # 1/c of a constant c that is not 0 modulo a prime is defined
            total = fixed[i] and isinstance(node, ops.Map) and node.fn == "recip"
            known_defined = total and args[0].conditions is None
            conditions = None if known_defined else _conditions(system, node, args, value, known)
            values[i] = Located(value, conditions)
        for a in {*node.args}:
            if last[a] == i and a != program.output:
                del values[a]
    return values[program.output]


def _conditions(
    system: ModularSystem, node: ops.Op, args: Sequence[Located], value: Residues, sizes: Sizes
) -> Residues | None:
    own = [a.conditions for a in args]
    match node:
        case ops.Einsum():
            return _einsum(system, node, args)
        case ops.Map():
            found = _sum(system, own)
            if node.fn not in PARTIAL:
                return found
            return _sum(system, [found, _condition(system, node.fn, [a.value for a in args])])
        case ops.Select():
            if own[1] is None and own[2] is None:
                return own[0]
            empty = each(args[0].value, np.zeros_like)
            branches = [_wide(system, empty, c) for c in own[1:]]
            return _sum(system, [own[0], system.hashed("defined branch", args[0].value, *branches)])
        case ops.Matrix(fn="inv"):
            determinant = system.determinant(args[0].value)
            condition = each(system.even("defined inv", determinant), lambda x: x[..., None, None])
            return _sum(system, [_along(system, own[0], (-2, -1), keep=True), condition])
        case ops.Opaque():
            first = each(value, lambda x: x.reshape(-1)[:1].reshape((1,) * x.ndim))
            kept = [
                None if c is None else each(system.total(c, range(len(c.shape))), lambda x: _ones(x, value))
                for c in own
            ]
            return _sum(system, [*kept, system.hashed(("defined", "opaque", node.name), first)])
        case _:
            return None if all(c is None for c in own) else _moved(system, node, args, value, sizes)


def _moved(
    system: ModularSystem, node: ops.Op, args: Sequence[Located], value: Residues, sizes: Sizes
) -> Residues | None:
    """Operations that only add, move or fold entries."""
    own = [a.conditions for a in args]
    first = own[0]
    match node:
        case ops.Add():
            return _sum(system, own)
        case ops.Reduce():
            return _along(system, first, node.axes)
        case ops.Sort():
            return _along(system, first, (node.axis,), keep=True)
        case ops.Matrix(fn="det"):
            return _along(system, first, (-2, -1))
        case ops.Matrix(fn="eigvals"):
            whole = _along(system, first, (-2, -1))
            return None if whole is None else each(whole, lambda x: x[..., None])
        case ops.Matrix(fn="pinv"):
            return _along(system, first, (-2, -1), keep=True)
        case ops.Matrix(fn="spectral"):
            whole = _sum(system, [_along(system, first, (-2, -1)), _along(system, own[1], (-1,))])
            return None if whole is None else each(whole, lambda x: x[..., None, None])
        case ops.Indicator() if first is not None:
            return each(first, lambda x: x[..., None])
        case ops.Concat():
            zeros = [each(a.value, np.zeros_like) for a in args]
            return system.concat([_wide(system, z, c) for z, c in zip(zeros, own, strict=True)], node.axis)
        case ops.Read() | ops.Reshape() if first is not None:
            if prod(first.shape) == 1:
                return each(first, lambda x: _ones(x, value))
            wide = system.broadcast(first, args[0].value.shape)
            moved: Residues = _EVALUATION[type(node)](system, node, [wide], sizes)
            return moved
    raise TypeError(f"nothing is known of where {type(node).__name__} is defined")


def _condition(system: ModularSystem, fn: str, arrays: Sequence[Residues]) -> Residues:
    """The condition that fn is defined at its arguments; that of odd and even functions has no sign."""
    if fn == "mod":
        return system.even("defined mod", arrays[1])
    if len(arrays) == 1 and MAP_FUNCTIONS[fn][1]:
        return system.even(("defined", fn), arrays[0])
    return system.hashed(("defined", fn), *arrays)


def _einsum(system: ModularSystem, node: ops.Einsum, args: Sequence[Located]) -> Residues | None:
    found: list[Residues | None] = []
    for located, row in zip(args, node.inputs, strict=True):
        conditions = located.conditions
        if conditions is None:
            continue
        labels = list(row)
        for label in dict.fromkeys(row):
            while labels.count(label) > 1:
                first = labels.index(label)
                second = labels.index(label, first + 1)
                size = located.value.shape[row.index(label)]
                conditions = each(conditions, lambda x, i=first, j=second, s=size: _diagonal(x, i, j, s))  # type: ignore[misc]
                labels = [k for n, k in enumerate(labels) if n not in (first, second)] + [label]
        inner = tuple(k for k, label in enumerate(labels) if label not in node.output)
        conditions = _along(system, conditions, inner) or conditions
        kept = [label for label in labels if label in node.output]
        order = [kept.index(label) for label in node.output if label in kept]
        places = tuple(slice(None) if label in kept else None for label in node.output)
        found.append(each(system.permute(conditions, order), lambda x, p=places: x[p]))  # type: ignore[misc]
    return _sum(system, found)


def _diagonal(x: Any, first: int, second: int, size: int) -> Any:
    shape = list(x.shape)
    shape[first] = shape[second] = size
    return np.diagonal(np.broadcast_to(x, shape), axis1=first, axis2=second)


def _sum(system: ModularSystem, parts: Sequence[Residues | None]) -> Residues | None:
    some = [p for p in parts if p is not None]
    return system.add(some) if some else None


def _along(
    system: ModularSystem, conditions: Residues | None, axes: Sequence[int], *, keep: bool = False
) -> Residues | None:
    """The sum over axes, each entry that does not vary once."""
    if conditions is None or not axes:
        return conditions
    total = system.total(conditions, tuple(axes))
    return each(total, lambda x: np.expand_dims(x, tuple(axes))) if keep else total


def _wide(system: ModularSystem, zeros: Residues, conditions: Residues | None) -> Residues:
    return zeros if conditions is None else system.broadcast(conditions, zeros.shape)


def _ones(x: Any, like: Residues) -> Any:
    return x.reshape((1,) * len(like.shape))


def condition_bits(program: Program, sizes: Sizes) -> float:
    """A bound for the logarithm of the sum of the coefficients in any entry's conditions."""
    bits: list[float] = []
    for node in program.nodes[: program.output + 1]:
        terms = [bits[a] + log2(max(prod(shape_of(program.nodes[a], sizes)), 1)) for a in node.args]
        top = max(terms, default=0.0)
        bits.append(top + log2(sum(2.0 ** (t - top) for t in terms) + 2.0 ** -min(top, 1000.0)))
    return max(bits)
