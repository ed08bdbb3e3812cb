"""Group elements with random parameters, and their action on arrays over prime fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eqvproof.claims.groups import Factor, Group, generators_of
from eqvproof.claims.groups.families.permutations import S
from eqvproof.claims.groups.irreps import is_tensor
from eqvproof.claims.signature import Signature
from eqvproof.engines.affine_types import claimed_power, translated_axis
from eqvproof.engines.linear_types import claimed_type
from eqvproof.engines.size_result import Unable
from eqvproof.programs import Program, Size
from eqvproof.programs.evaluate.channels import Residues, each
from eqvproof.programs.evaluate.conditions import ConditionedValue
from eqvproof.programs.evaluate.modular import ModularSystem
from eqvproof.programs.rules.acts import Act, single_blocks


@dataclass(frozen=True, slots=True)
class Move:
    """A group element, or a family of them with random parameters.

    Attributes:
        permutation: p with (g x)[i] = x[p[i]].
        signs: s with (g x)[i] = s[i] x[i].
        mirrors: number of reflections whose product g is.
        translates: whether g adds random numbers.
        multiplies: whether g multiplies by a random number.
    """

    permutation: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()
    mirrors: int = 0
    translates: bool = False
    multiplies: bool = False

    @property
    def is_flow(self) -> bool:
        """Returns True if it acts by no matrix."""
        return self.translates or self.multiplies


@dataclass(frozen=True, slots=True)
class Part:
    """An element of one factor, with its acts on the inputs and on the output.

    Attributes:
        move: the element.
        size: the size of the factor's axis.
        inputs: by name, an act for each axis; for a translation the axis along which it adds, or
            None; for a multiple the power.
        output: the same for the output.
    """

    move: Move
    size: int
    inputs: Mapping[str, Any] = field(hash=False)
    output: Any


Task = tuple[Part, ...]


def tasks_of(
    program: Program, signature: Signature, group: Group, sizes: Mapping[str, int]
) -> list[Task]:
    """Returns the elements to test, those that can be tested together in one task.

    Raises:
        Unable, Stuck: a factor, or a typing, that identity tests do not cover.
    """
    tasks: list[Task] = []
    numbers = {n: tuple(Size.of(s.value(sizes)) for s in shape) for n, shape in program.inputs}
    shape = tuple(Size.of(s.value(sizes)) for s in program.shape)
    mirrored: int | None = None
    for factor in _simple_factors(group):
        if factor.each:
            raise Unable("elements for the entries of an axis each are not covered")
        _require_covered(signature, factor)
        size = factor.size(sizes)
        if not factor.kind.acts_by_matrices:
            tasks.append((_flow(signature, factor, size),))
            continue
        inputs = {
            a.name: claimed_type(a.axes, numbers[a.name], factor, sizes) for a in signature.inputs
        }
        output = claimed_type(signature.output, shape, factor, sizes)
        for move in _moves(factor, size):
            part = Part(move, size, inputs, output)
            if mirrored is not None and factor.record is S and _is_cycle(move.permutation):
                tasks[mirrored] = (*tasks[mirrored], part)
                mirrored = None
            else:
                tasks.append((part,))
            if move.mirrors and mirrored is None:
                mirrored = len(tasks) - 1
    return tasks


def _simple_factors(group: Group) -> list[Factor]:
    """Returns the factors, rotations first; rigid motions split into rotations and translations."""
    found: list[Factor] = []
    for factor in group.factors:
        found += factor.parts
    return sorted(found, key=lambda f: not f.kind.rotates)


def _require_covered(signature: Signature, factor: Factor) -> None:
    """Checks that a factor can be tested when masks and indices are read as real numbers.

    Raises:
        Unable: the group relabels indices, does more to a mask than rearranging it, or acts on
            irreps other than scalars and vectors.
    """
    moved = [t.irrep for t in signature.irreps if factor.record.irreps]
    if not all(is_tensor(factor.family, int(irrep[:-1]), irrep[-1]) for irrep in moved):
        raise Unable("identity tests do not cover irreps beyond scalars and vectors")
    for argument in signature.inputs:
        acted = any(factor.acts_on(t) for axis in argument.axes for t in axis.terms)
        if argument.indexes == factor.axis and argument.kind == "index":
            raise Unable("indices that the group relabels are not covered")
        if argument.kind != "real" and acted and not factor.kind.permutes:
            raise Unable("masks and indices that are not rearranged only are not covered")


def _flow(signature: Signature, factor: Factor, size: int) -> Part:
    """Builds a random translation or multiple with its acts on inputs and output.

    Raises:
        Stuck: the typing is not covered.
    """
    how: Callable[..., int | None] = translated_axis
    if factor.kind.multiplies:
        how = claimed_power
    inputs = {a.name: how(a.axes, factor) for a in signature.inputs}
    move = Move(translates=factor.kind.translates, multiplies=factor.kind.multiplies)
    return Part(move, size, inputs, how(signature.output, factor))


def _is_cycle(permutation: tuple[int, ...]) -> bool:
    """Checks whether a permutation of three or more entries is the shift by one or its inverse."""
    size = len(permutation)
    return size > 2 and permutation in ((*range(1, size), 0), (size - 1, *range(size - 1)))


def _moves(factor: Factor, size: int) -> list[Move]:
    if mirrors := factor.record.mirrors:
        if size == 1:
            return [Move(signs=(-1,))] * (mirrors % 2)
        return [Move(mirrors=mirrors)]
    if factor.kind.permutes:
        return [Move(permutation=g.data) for g in generators_of(factor, size)]
    if factor.kind.flips_signs:
        return [Move(signs=g.data) for g in generators_of(factor, size)]
    raise Unable(f"{factor} is not covered")


def _blocks(act: Act) -> list[tuple[int, bool]]:
    """Returns (size, whether the element acts there) for each block of an axis."""
    blocks = single_blocks(act)
    if any(len(block) != 1 for block in blocks):
        raise Unable("an axis that is a tensor product")
    return [(block[0][0].constant or 0, bool(block[0][1])) for block in blocks]


def is_moved(act: Act) -> bool:
    """Checks whether an element acts on any block of an axis."""
    return any(moved for _, moved in _blocks(act))


def drawn(part: Part, system: ModularSystem) -> list[Residues]:
    """Draws the random parameters: u of each reflection, t of a translation, c of a multiple."""
    if part.move.multiplies:
        return [system.random(())]
    vectors = part.move.mirrors + part.move.translates
    return [system.random((part.size,)) for _ in range(vectors)]


def _act_by_flow(
    x: Residues, how: int | None, move: Move, by: Residues, system: ModularSystem
) -> Residues:
    """Returns x + t along an axis, or x c^k."""
    if move.translates:
        if how is None:
            return x
        shape = [1] * len(x.shape)
        shape[how] = x.shape[how]
        return system.add([x, system.broadcast(system.reshape(by, shape), x.shape)])
    factor = by if (how or 0) > 0 else system.reciprocal(by)
    for _ in range(abs(how or 0)):
        x = system.multiply(x, system.reshape(factor, (1,) * len(x.shape)))
    return x


def act(
    x: Residues, acts: Any, move: Move, mirrors: Sequence[Residues], system: ModularSystem
) -> Residues:
    """Returns g x: applies the element to every axis and block on which it acts."""
    if move.is_flow:
        return _act_by_flow(x, acts, move, mirrors[0], system)
    for axis, act in enumerate(acts):
        at = 0
        for size, moved in _blocks(act):
            if moved:
                x = _block(x, axis, at, size, move, mirrors, system)
            at += size
    return x


def _block(
    x: Residues, axis: int, at: int, size: int, move: Move, mirrors: Sequence[Residues],
    system: ModularSystem,
) -> Residues:  # fmt: skip
    front = each(x, lambda a: np.moveaxis(a, axis, 0))
    block = each(front, lambda a: a[at : at + size])
    if move.permutation:
        block = each(block, lambda a: a[list(move.permutation)])
    elif move.signs:
        flip = np.array(move.signs).reshape((-1,) + (1,) * (len(block.shape) - 1)) < 0
        pairs = zip(block.parts, system.negative(block).parts, strict=True)
        block = Residues(tuple(np.where(flip, minus, plus) for plus, minus in pairs))
    for u in reversed(mirrors):
        block = _reflect(block, u, system)
    joined = zip(front.parts, block.parts, strict=True)
    whole = (np.concatenate([a[:at], b, a[at + size :]], axis=0) for a, b in joined)
    return Residues(tuple(np.moveaxis(a, 0, axis) for a in whole))


def _reflect(x: Residues, u: Residues, system: ModularSystem) -> Residues:
    """Returns x - 2 u (u.x) / (u.u) along the first axis.

    Raises:
        Undefined: u.u vanishes.
    """
    d = x.shape[0]
    flat = system.reshape(x, (d, -1))
    row, column = system.reshape(u, (1, d)), system.reshape(u, (d, 1))
    factor = system.reciprocal(system.matmul(row, column))
    along = system.multiply(system.matmul(row, flat), factor)
    part = system.multiply(column, system.add([along, along]))
    return system.reshape(system.subtract(flat, part), x.shape)


def moved_conditions(plain: ConditionedValue, part: Part) -> Residues | None:
    """Returns the conditions under which g f(x) is defined, from those of f(x).

    Raises:
        Unable: entries that the element mixes are undefined at different places.
    """
    found = plain.conditions
    if found is None or part.move.is_flow:
        return found
    for axis, act in enumerate(part.output):
        if found.shape[axis] == 1:
            continue
        at = 0
        for size, moved in _blocks(act):
            if moved and part.move.permutation:
                found = _permuted(found, axis, at, part.move.permutation)
            elif moved and part.move.mirrors and not _is_uniform(found, axis, at, size):
                raise Unable("entries that the group mixes are undefined at different places")
            at += size
    return found


def _permuted(x: Residues, axis: int, at: int, permutation: Sequence[int]) -> Residues:
    index: Any = np.arange(x.shape[axis])
    index[at : at + len(permutation)] = at + np.array(permutation)
    return each(x, lambda a: np.take(a, index, axis=axis))


def _is_uniform(x: Residues, axis: int, at: int, size: int) -> bool:
    fronts = (np.moveaxis(a, axis, 0)[at : at + size] for a in x.parts)
    return all(bool((a == a[:1]).all()) for a in fronts)
