"""Plausible wrong rules, each of which the random exact test must kill."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from eqvproof.claims.groups.kinds import Kind
from eqvproof.programs import operations as ops
from eqvproof.programs.rules import Context, Stuck, Type
from eqvproof.programs.rules.acts import Act, canonical, fix, is_fixed, std
from tests.programs.rules.harness import KINDS, MAKERS, Instance


def right(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """The rule of the package."""
    return op.infer(args, context)


def first_firm(column: tuple[Act, ...]) -> Act:
    """The first act that is not uniform."""
    return next((a for a in column if a is not None), None)


def einsum_with(label: Callable[[list[Act], Kind, bool], Act]) -> Callable[..., list[Type]]:
    """An einsum rule with another table for labels."""

    def rule(op: ops.Einsum, args: list[Type], context: Context) -> list[Type]:
        acts: dict[int, list[Act]] = {}
        for row, types in zip(op.inputs, args, strict=True):
            for k, act in zip(row, types, strict=True):
                if act is not None:
                    acts.setdefault(k, []).append(act)
        kept = [label(acts.get(k, []), context.kind, True) for k in op.output]
        for k in acts:
            if k not in op.output:
                label(acts[k], context.kind, False)
        return [tuple(kept)]

    return rule


def keep_first(acts: list[Act], kind: Kind, kept: bool) -> Act:
    """Whatever comes first."""
    return acts[0] if acts else None


def no_mixing_check(acts: list[Act], kind: Kind, kept: bool) -> Act:
    """An index shared by a moved and a fixed axis is taken as moved."""
    moved = [a for a in acts if not is_fixed(a)]
    if kind.rotates and len(moved) > (1 if kept else 2):
        raise Stuck("")
    return moved[0] if moved else (acts[0] if acts else None)


def any_sum(acts: list[Act], kind: Kind, kept: bool) -> Act:
    """A sum over any number of moved occurrences."""
    if kept and len([a for a in acts if not is_fixed(a)]) > 1:
        raise Stuck("")
    if len(set(acts)) > 1:
        raise Stuck("")
    return acts[0] if acts else None


def kept_product(acts: list[Act], kind: Kind, kept: bool) -> Act:
    """A kept index may be moved twice."""
    if len(set(acts)) > 1 or (not kept and acts and not is_fixed(acts[0]) and len(acts) != 2):
        raise Stuck("")
    return acts[0] if acts else None


def unify_anything(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """Arguments of different types are taken as alike."""
    return [tuple(first_firm(column) for column in zip(*args, strict=True))]


def uniform_is_anything(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """A uniform axis passes for a moved one under every kind."""
    for column in zip(*args, strict=True):
        if len({a for a in column if a is not None}) > 1:
            raise Stuck("")
    return unify_anything(op, args, context)


def branches_only(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """A choice typed by its branches, the condition ignored."""
    return uniform_is_anything(op, args[1:], context)


def keep_type(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """The argument's type, whatever the operation does."""
    return [args[0]]


def all_odd(op: ops.Map, args: list[Type], context: Context) -> list[Type]:
    """Every function is taken as odd."""
    return [args[0]] if len(args) == 1 and context.kind.flips_signs else right(op, args, context)


def all_even(op: ops.Map, args: list[Type], context: Context) -> list[Type]:
    """Every function is taken as even."""
    if len(args) == 1 and context.kind.flips_signs:
        return [context.fixed(op.shape)]
    return right(op, args, context)


def drop_axes(op: ops.Reduce, args: list[Type], context: Context) -> list[Type]:
    """A reduction that commutes with every group."""
    return [tuple(a for i, a in enumerate(args[0]) if i not in op.axes)]


def drop_wrong_axis(op: ops.Reduce, args: list[Type], context: Context) -> list[Type]:
    """A reduction that forgets the first axes, whichever it reduces."""
    right(op, args, context)
    return [args[0][len(op.axes) :]]


def concat_reversed(op: ops.Concat, args: list[Type], context: Context) -> list[Type]:
    """The blocks in the wrong order."""
    return [
        tuple(canonical(reversed(a)) if i == op.axis and a is not None else a for i, a in enumerate(t))
        for t in right(op, args, context)
    ]


def concat_off_axis(op: ops.Concat, args: list[Type], context: Context) -> list[Type]:
    """The other axes are not compared."""
    axis = op.axis
    blocks = [
        b for x, a in zip(op.args, args, strict=True) for b in a[axis] or fix(context.shape(x)[axis]) or ()
    ]
    other = unify_anything(op, args, context)[0]
    return [(*other[:axis], canonical(blocks), *other[axis + 1 :])]


def part_keeps(op: ops.Read, args: list[Type], context: Context) -> list[Type]:
    """Any part of a moved axis is moved, or fixed when its size is another."""
    if len(op.places) != len(op.shape):
        return right(op, args, context)
    moved = op.changed_axes(context.shape(op.args[0]))
    acts = [std(s) if s == context.size else fix(s) for s in op.shape]
    return [tuple(acts[a] if a in moved else act for a, act in enumerate(args[0]))]


def reading_keeps(op: ops.Read, args: list[Type], context: Context) -> list[Type]:
    """Entries read at other places of an axis that is moved are moved as before."""
    return [args[0]] if len(op.places) == len(op.shape) else right(op, args, context)


def reshape_by_size(op: ops.Reshape, args: list[Type], context: Context) -> list[Type]:
    """Axes recognised by their size alone."""
    return [tuple(std(s) if s == context.size else fix(s) for s in op.shape)]


def inverse_unswapped(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """The inverse typed like the matrix; the determinant of anything invariant."""
    return [args[0]] if op.fn == "inv" else right(op, args, context)


def determinant_of_anything(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """Rows and columns of the determinant are not compared."""
    return [args[0][:-2]] if op.fn == "det" else right(op, args, context)


def batch_of_anything(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """Batch axes may be mixed."""
    (arg,) = args
    rows, columns = (fix(context.size) if a is None else a for a in arg[-2:])
    return [(*arg[:-2], columns, rows)] if op.fn == "inv" else right(op, args, context)


def shifts_either_way(op: ops.Read, args: list[Type], context: Context) -> list[Type]:
    """A shift of x is a shift of the second index, whatever the sign."""
    found = right(op, args, context)
    if len(op.places[-1].steps) != 2:
        return found
    size, moved = op.shape[-2], std(op.shape[-2])
    if op.shape[-1] == size and args[0][-1] == moved:
        return [*found, (*args[0][:-1], fix(size), moved)]
    return found


def shifts_that_commute(op: ops.Read, args: list[Type], context: Context) -> list[Type]:
    """All shifts of a fixed value commute with shifts, whatever the sign."""
    found = right(op, args, context)
    if len(op.places[-1].steps) != 2:
        return found
    size, moved = op.shape[-2], std(op.shape[-2])
    if op.shape[-1] == size == context.size and args[0][-1] == fix(size):
        return [*found, (*args[0][:-1], moved, moved)]
    return found


def eigenvalues_of_anything(op: ops.Matrix, args: list[Type], context: Context) -> list[Type]:
    """Rows and columns are not compared."""
    return [(*args[0][:-2], fix(op.shape[-1]))]


def factors_of_anything(op: ops.Matrix, args: list[Type], context: Context) -> list[Type]:
    """The order of rows and columns does not matter."""
    return [args[0]]


def weights_that_move(op: ops.Matrix, args: list[Type], context: Context) -> list[Type]:
    """The numbers for the eigenvalues may be permuted."""
    return op.infer([args[0], (*args[1][:-1], fix(op.shape[-1]))], context)


def functions_of_anything(op: ops.Matrix, args: list[Type], context: Context) -> list[Type]:
    """Rows and columns are not compared."""
    return [args[0]]


def pseudo_inverse_unturned(op: ops.Matrix, args: list[Type], context: Context) -> list[Type]:
    """Rows and columns stay where they are."""
    return [args[0]]


def positions_as_numbers(op: ops.Indicator, args: list[Type], context: Context) -> list[Type]:
    """One-hot vectors of positions that the group relabels, taken for fixed."""
    return [(*args[0], fix(op.shape[-1]))]


def positions_everywhere(op: ops.Indicator, args: list[Type], context: Context) -> list[Type]:
    """One-hot vectors of any numbers, taken for positions."""
    size = op.shape[-1]
    return [(*args[0], std(size))] if size == context.size else right(op, args, context)


def identity_half_moved(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """The identity matrix moved on one side only."""
    found = right(op, args, context)
    return [*found, (std(op.shape[0]), fix(op.shape[1]))] if op.is_identity else found


def triangle_moved(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """A triangular matrix of ones taken for an invariant one."""
    is_triangle = isinstance(op, ops.Indicator) and op.offset is not None
    return [(std(op.shape[0]), std(op.shape[1]))] if is_triangle else right(op, args, context)


def constants_uniform(op: ops.Operation, args: list[Type], context: Context) -> list[Type]:
    """Every constant taken as uniform."""
    return [(None,) * len(op.shape)] if isinstance(op, ops.Const) else right(op, args, context)


MUTANTS: list[tuple[str, Callable[..., Any]]] = [
    ("einsum", einsum_with(keep_first)),
    ("einsum", einsum_with(no_mixing_check)),
    ("einsum", einsum_with(any_sum)),
    ("einsum", einsum_with(kept_product)),
    ("add", unify_anything),
    ("add", uniform_is_anything),
    ("map", unify_anything),
    ("map", uniform_is_anything),
    ("map", all_odd),
    ("map", all_even),
    ("select", branches_only),
    ("select", unify_anything),
    ("select", uniform_is_anything),
    ("reduce", drop_axes),
    ("reduce", drop_wrong_axis),
    ("sort", keep_type),
    ("concat", concat_reversed),
    ("concat", concat_off_axis),
    ("part", part_keeps),
    ("flip", reading_keeps),
    ("reshape", reshape_by_size),
    ("circulant", shifts_either_way),
    ("circulant", shifts_that_commute),
    ("eigvals", eigenvalues_of_anything),
    ("cholesky", factors_of_anything),
    ("pinv", pseudo_inverse_unturned),
    ("spectral", weights_that_move),
    ("spectral", functions_of_anything),
    ("onehot", positions_as_numbers),
    ("onehot", positions_everywhere),
    ("matrix", inverse_unswapped),
    ("matrix", determinant_of_anything),
    ("matrix", batch_of_anything),
    ("leaf", identity_half_moved),
    ("leaf", triangle_moved),
    ("leaf", constants_uniform),
]


@pytest.mark.parametrize(
    ("name", "rule"),
    MUTANTS,
    ids=[f"{n}-{getattr(r, '__name__', '')}-{i}" for i, (n, r) in enumerate(MUTANTS)],
)
def test_mutant_is_killed(name: str, rule: Callable[..., Any]) -> None:
    """Some random instance shows that the wrong rule is wrong."""
    for seed in range(3000):
        for kind in KINDS:
            if Instance(random.Random(seed), MAKERS[name], kind).violation(rule):
                return
    pytest.fail("the wrong rule survived")
