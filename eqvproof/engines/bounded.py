"""Identity tests at given sizes: exact arithmetic at random points of prime fields, with an error bound.

Theorem. Let f be a Program at fixed sizes, read as in `evaluate.modular`: a rational function of its inputs
and of the values of uninterpreted functions. If ``f(g x) = g f(x)`` as such functions, and the entries of
both sides rest on the same conditions for being defined (`evaluate.definedness`), for g in the generators of
a finite group, for every reflection ``g = I - 2 u u^T / |u|^2`` (O), or for every product of two (SO), then f
is equivariant under that group.

Proof. Equal rational functions have equal real values wherever both are defined, equal conditions say that
both are defined at the same places, and equivariance under elements composes. Reflections generate O(d), and
products of two reflections SO(d) (E. Cartan 1938, J. Dieudonné 1948). QED

Elements of O(d) x S(n) are tried together where that says as much: if the claim holds for (g, p), p the
cycle and g any reflection, and for (1, q), q the swap of the first two, then for (g, p) (h, p)^-1 = (g h, 1),
for the conjugates of (1, q), which generate S(n), and so for (1, p) and (g, 1).

Whether the two rational functions (in u and x) are equal is asked at a random point in several prime fields;
the bound for the probability that different ones agree there is that of J. T. Schwartz and R. Zippel, with
the degrees and coefficients of the Program. A test that does not agree decides nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, prod
from typing import Any

import numpy as np

from eqvproof.engines.infer import claimed_type
from eqvproof.errors import EqvproofError
from eqvproof.evaluate.bound import VARIABLE, Bound
from eqvproof.evaluate.channels import Residues, each
from eqvproof.evaluate.definedness import Located, condition_bits, evaluate_located
from eqvproof.evaluate.degree import Analysis, analyse, log2_error
from eqvproof.evaluate.modular import ModularSystem
from eqvproof.exact import Undefined
from eqvproof.groups import Factor, Group, generators
from eqvproof.program import Program, Size
from eqvproof.rules.acts import Act
from eqvproof.signature import Signature

#: The probability of a wrong BOUNDED is at most 2^-ENOUGH.
ENOUGH = 100
#: A test at one size is better by so many bits, since there may be tests at 2^SPARE sizes.
SPARE = 6
#: No verdict states more bits.
MOST_BITS = 10**6
TIME_IS_UP = "the time is up"
MOST_CHANNELS = 8
#: Points at which a denominator vanishes are drawn again, so many times in all.
ATTEMPTS = 3
#: More values than this in one node are too many.
MOST_VALUES = 1 << 26
Acts = Sequence[Act]


class _Refused(Exception):
    """The test says nothing; the message says why."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """What an identity test at one choice of sizes says.

    Attributes:
        holds: the identity holds, up to the bound; False: nothing was decided.
        bits: k where the probability of an error in such tests at 2^SPARE sizes is at most 2^-k.
        reason: why nothing was decided.
    """

    holds: bool
    bits: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Move:
    """A group element, or a family of them with random parameters.

    Attributes:
        permutation: p with (g x)[i] = x[p[i]].
        signs: s with (g x)[i] = s[i] x[i].
        mirrors: how many reflections g is the product of.
    """

    permutation: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()
    mirrors: int = 0


@dataclass(frozen=True, slots=True)
class _Part:
    """An element of one factor, with its acts on the inputs and on the output."""

    move: _Move
    size: int
    inputs: Mapping[str, Acts] = field(hash=False)
    output: Acts


_Task = tuple[_Part, ...]


def bounded_equivariance(
    program: Program,
    signature: Signature,
    group: Group,
    sizes: Mapping[str, int],
    seed: int = 0,
    deadline: float = float("inf"),
) -> Bounded:
    """Whether the claim holds at these sizes, up to a bounded probability; see the theorem above.

    Args:
        program: the function.
        signature: the claimed typing.
        group: the claimed group.
        sizes: a number for every axis name.
        seed: of the primes and points.
        deadline: monotonic time at which to give up.
    """
    try:
        tasks = _tasks(program, signature, group, sizes)
        _require_feasible(program, sizes)
        sides = [_sides(program, t, sizes) for t in tasks]
        channels, bits = _channels(sides, condition_bits(program, sizes))

        def test(system: ModularSystem) -> bool:
            inputs = _random_inputs(program, sizes, system)
            return _agree(program, inputs, tasks, sizes, system, lambda: _tick(deadline))

        return _run(test, channels, bits, seed)
    except (_Refused, EqvproofError) as error:  # an assumed symmetry, shapes
        return Bounded(holds=False, reason=str(error))


def bounded_identity(
    p: Program, q: Program, sizes: Mapping[str, int], seed: int = 0, deadline: float = float("inf")
) -> Bounded:
    """Whether two Programs with the same inputs are equal at these sizes, undefined places included."""
    try:
        for program in (p, q):
            _require_feasible(program, sizes)
        sides = [(analyse(p, sizes, located=True), analyse(q, sizes, located=True))]
        channels, bits = _channels(sides, max(condition_bits(x, sizes) for x in (p, q)))

        def test(system: ModularSystem) -> bool:
            inputs = _random_inputs(p, sizes, system)
            tick = lambda: _tick(deadline)  # noqa: E731
            left, right = (evaluate_located(x, inputs, sizes, system, tick) for x in (p, q))
            return _same(left, right, system)

        return _run(test, channels, bits, seed)
    except (_Refused, EqvproofError) as error:  # an assumed symmetry, shapes
        return Bounded(holds=False, reason=str(error))


def _run(test: Callable[[ModularSystem], bool], channels: int, bits: int, seed: int) -> Bounded:
    for attempt in range(ATTEMPTS):
        try:
            if test(ModularSystem(ATTEMPTS * seed + attempt, channels)):
                return Bounded(holds=True, bits=bits)
            return Bounded(holds=False, reason="the two sides differ at a random point modulo primes")
        except Undefined:
            continue
    return Bounded(holds=False, reason="a denominator vanishes at every point tried")


def _tick(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise _Refused(TIME_IS_UP)


# ---------------------------------------------------------------------------------------------- the bound
def _require_feasible(program: Program, sizes: Mapping[str, int]) -> None:
    for node in program.nodes:
        if prod(s.value(sizes) for s in node.shape) > MOST_VALUES:
            raise _Refused("the values are too large at these sizes")


def _channels(sides: Sequence[tuple[Analysis, Analysis]], conditions: float) -> tuple[int, int]:
    """How many primes make the bound small enough, and the bound that they give."""
    where = Analysis(Bound(top=1, top_bits=conditions), Bound(), 0)
    for channels in range(2, MOST_CHANNELS + 1):
        errors = [log2_error(*pair, channels) for pair in sides]
        errors += [log2_error(where, where, channels)] * max(len(sides), 1)
        largest = max(errors)
        total = largest + log2(sum(math.exp2(e - largest) for e in errors)) + log2(ATTEMPTS)
        if total <= -ENOUGH - SPARE:
            return channels, math.floor(-total) - SPARE
    raise _Refused("the degree of the function is too large for a small probability of error")


def _sides(program: Program, task: _Task, sizes: Mapping[str, int]) -> tuple[Analysis, Analysis]:
    """f(g y) and g f(y) as rational functions, with (u.u) x in place of y for each reflection on it.

    So no denominators enter: ``(u.u) g x = (u.u) x - 2 u (u.x)``, and y is as random as x is.
    """
    left = dict.fromkeys((name for name, _ in program.inputs), VARIABLE)
    right = dict(left)
    for part in task:
        d = part.size
        for name, acts in part.inputs.items():
            for _ in range(part.move.mirrors * sum(map(_is_moved, acts))):
                left[name] = left[name].times(Bound(2, log2(3 * d)))
                right[name] = right[name].times(Bound(2, log2(d)))
    plain = analyse(program, sizes, right, located=True)
    output = plain.output
    for part in task:
        for _ in range(part.move.mirrors * sum(map(_is_moved, part.output))):
            output = output.summed(part.size).times(Bound(2, log2(part.size + 2), 2, log2(part.size)))
    return analyse(program, sizes, left, located=True), Analysis(output, plain.arguments, plain.calls)


def _is_moved(act: Act) -> bool:
    return any(moved for _, moved in _blocks(act))


# --------------------------------------------------------------------------------------------- the elements
def _tasks(program: Program, signature: Signature, group: Group, sizes: Mapping[str, int]) -> list[_Task]:
    if any(a.kind != "real" for a in signature.inputs):
        raise _Refused("arguments of indices and masks are not covered")
    tasks: list[_Task] = []
    numbers = {n: tuple(Size.of(s.value(sizes)) for s in shape) for n, shape in program.inputs}
    shape = tuple(Size.of(s.value(sizes)) for s in program.shape)
    mirrored: int | None = None
    for factor in sorted(group.factors, key=lambda f: f.family not in ("O", "SO")):
        size = factor.size(sizes)
        inputs = {a.name: claimed_type(a.axes, numbers[a.name], factor, sizes) for a in signature.inputs}
        output = claimed_type(signature.output, shape, factor, sizes)
        for move in _moves(factor, size):
            part = _Part(move, size, inputs, output)
            if mirrored is not None and factor.family == "S" and _is_cycle(move.permutation):
                tasks[mirrored] = (*tasks[mirrored], part)
                mirrored = None
            else:
                tasks.append((part,))
            if move.mirrors and mirrored is None:
                mirrored = len(tasks) - 1
    return tasks


def _is_cycle(permutation: tuple[int, ...]) -> bool:
    """Whether this is the shift by one of three or more, one way or the other."""
    size = len(permutation)
    return size > 2 and permutation in ((*range(1, size), 0), (size - 1, *range(size - 1)))


def _moves(factor: Factor, size: int) -> list[_Move]:
    if factor.family in ("O", "SO"):
        if size == 1:
            return [_Move(signs=(-1,))] if factor.family == "O" else []
        return [_Move(mirrors=1 if factor.family == "O" else 2)]
    if factor.family == "A" and size > 3:
        rest = range(size) if size % 2 else range(1, size)
        cycle = list(range(size))
        for k, i in enumerate(rest):
            cycle[i] = rest[(k + 1) % len(rest)]
        return [_Move((1, 2, 0, *range(3, size))), _Move(tuple(cycle))]
    if factor.kind == "perm":
        return [_Move(permutation=g.data) for g in generators(factor, size)]  # type: ignore[arg-type]
    if factor.kind == "sign":
        return [_Move(signs=g.data) for g in generators(factor, size)]  # type: ignore[arg-type]
    raise _Refused(f"{factor} is not covered")


def _blocks(act: Act) -> list[tuple[int, bool]]:
    """(size, whether the element acts there) of the blocks of an axis."""
    if any(len(block) != 1 for block in act or ()):
        raise _Refused("an axis that is a tensor product")
    return [(block[0][0].constant or 0, bool(block[0][1])) for block in act or ()]


# ------------------------------------------------------------------------------------------- the evaluation
def _random_inputs(program: Program, sizes: Mapping[str, int], system: ModularSystem) -> dict[str, Residues]:
    return {n: system.random([s.value(sizes) for s in shape]) for n, shape in program.inputs}


def _agree(
    program: Program, inputs: Mapping[str, Residues], tasks: Sequence[_Task], sizes: Mapping[str, int],
    system: ModularSystem, tick: Callable[[], None],
) -> bool:  # fmt: skip
    plain = evaluate_located(program, inputs, sizes, system, tick)
    for task in tasks:
        moved, right = dict(inputs), plain
        for part in task:
            mirrors = [system.random((part.size,)) for _ in range(part.move.mirrors)]
            moved = {n: _act(x, part.inputs[n], part.move, mirrors, system) for n, x in moved.items()}
            value = _act(right.value, part.output, part.move, mirrors, system)
            right = Located(value, _moved_conditions(right, part))
        if not _same(evaluate_located(program, moved, sizes, system, tick), right, system):
            return False
    return True


def _same(left: Located, right: Located, system: ModularSystem) -> bool:
    if not system.are_equal(left.value, right.value):
        return False
    if left.conditions is None or right.conditions is None:
        return left.conditions is right.conditions
    shape = left.value.shape
    return system.are_equal(
        system.broadcast(left.conditions, shape), system.broadcast(right.conditions, shape)
    )


def _act(
    x: Residues, acts: Acts, move: _Move, mirrors: Sequence[Residues], system: ModularSystem
) -> Residues:
    """g x: the element on every axis and block on which it acts."""
    for axis, act in enumerate(acts):
        at = 0
        for size, moved in _blocks(act):
            if moved:
                x = _block(x, axis, at, size, move, mirrors, system)
            at += size
    return x


def _block(
    x: Residues, axis: int, at: int, size: int, move: _Move, mirrors: Sequence[Residues],
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
    """x - 2 u (u.x) / (u.u) along the first axis.

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


def _moved_conditions(plain: Located, part: _Part) -> Residues | None:
    """Where g f(x) is defined.

    Raises:
        _Refused: entries that the element mixes are undefined at different places.
    """
    found = plain.conditions
    if found is None:
        return None
    for axis, act in enumerate(part.output):
        if found.shape[axis] == 1:
            continue
        at = 0
        for size, moved in _blocks(act):
            if moved and part.move.permutation:
                found = _permuted(found, axis, at, part.move.permutation)
            elif moved and part.move.mirrors and not _is_uniform(found, axis, at, size):
                raise _Refused("entries that the group mixes are undefined at different places")
            at += size
    return found


def _permuted(x: Residues, axis: int, at: int, permutation: Sequence[int]) -> Residues:
    index: Any = np.arange(x.shape[axis])
    index[at : at + len(permutation)] = at + np.array(permutation)
    return each(x, lambda a: np.take(a, index, axis=axis))


def _is_uniform(x: Residues, axis: int, at: int, size: int) -> bool:
    fronts = (np.moveaxis(a, axis, 0)[at : at + size] for a in x.parts)
    return all(bool((a == a[:1]).all()) for a in fronts)
