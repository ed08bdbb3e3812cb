"""Identity tests at random points of prime fields, and the error probability of a BOUNDED verdict.

Theorem. Let f be a Program at fixed sizes, read as in `evaluate.modular`: a rational function of
its inputs and of the values of uninterpreted functions. If ``f(g x) = g f(x)`` as such functions,
and the entries of both sides rest on the same conditions for being defined
(`evaluate.definedness`), for g in the generators of a finite group, for every reflection ``g = I -
2 u u^T / |u|^2`` (O), for every product of two (SO), for every translation by t (T) or for every
multiple c (Scale), then f is equivariant under that group; E is T and O.

Proof. Equal rational functions have equal real values wherever both are defined, equal conditions
say that both are defined at the same places, and equivariance under elements composes. Reflections
generate O(d), and products of two reflections SO(d) (E. Cartan 1938, J. Dieudonné 1948). QED

Elements of O(d) x S(n) are tried together where that says as much: if the claim holds for (g, p), p
the cycle and g any reflection, and for (1, q), q the swap of the first two, then for (g, p) (h,
p)^-1 = (g h, 1), for the conjugates of (1, q), which generate S(n), and so for (1, p) and (g, 1).

Whether the two rational functions (in u and x) are equal is asked at a random point in several
prime fields; the bound for the probability that different ones agree there is that of J. T.
Schwartz and R. Zippel, with the degrees and coefficients of the Program. A test that does not agree
decides nothing.

Primes, points and hashes follow from the SHA-256 of Programs, claim, sizes and seed. So nobody
knows them before the Program is whole, and a constant that is made of them changes them (A. Fiat,
A. Shamir 1986). Who tries T Programs finds one that is wrongly accepted with at most T times the
probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from math import log2, prod
from typing import Any

from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.bounded_moves import (
    Move,
    Task,
    act,
    drawn,
    is_moved,
    moved_conditions,
    tasks_of,
)
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.size_result import SizeResult, Unable, limited_result, unknown
from eqvproof.numbers import Undefined
from eqvproof.numbers.bound import VARIABLE, Bound
from eqvproof.programs import Program
from eqvproof.programs.evaluate.channels import Residues
from eqvproof.programs.evaluate.conditions import ConditionedValue
from eqvproof.programs.evaluate.definedness import condition_bits, evaluate_defined
from eqvproof.programs.evaluate.degree import Analysis, analyse, log2_error
from eqvproof.programs.evaluate.modular import ModularSystem
from eqvproof.programs.operations.select import Select
from eqvproof.programs.sealing import digest
from eqvproof.support.errors import EqvproofError

#: The probability of a wrong BOUNDED is at most 2^-ENOUGH.
ENOUGH = 100
#: Additional bits of each test, since there may be tests at 2^SPARE sizes.
SPARE = 6
#: Largest number of bits that a verdict states.
MOST_BITS = 10**6
#: Largest number of primes: more would only make a bound smaller that is small already.
MOST_CHANNELS = 8
#: Number of draws of a point; a point at which a denominator vanishes is drawn again.
ATTEMPTS = 3
#: Largest number of values in one node.
MOST_VALUES = 1 << 26


def bounded_equivariance(
    program: Program,
    signature: Signature,
    group: Group,
    sizes: Mapping[str, int],
    seed: int = 0,
    deadline: float = float("inf"),
) -> SizeResult:
    """Tests whether a claim holds at given sizes, up to the error bound of the theorem above.

    Args:
        program: the function.
        signature: the claimed typing.
        group: the claimed group.
        sizes: a number for every axis name.
        seed: the primes and points follow from it, the claim and the Program.
        deadline: monotonic time at which to give up.
    """

    def work() -> SizeResult:
        tasks = tasks_of(program, signature, group, sizes)
        _require_feasible(program, sizes)
        sides = [_sides(program, t, sizes) for t in tasks]
        channels, bits = _channels(sides, condition_bits(program, sizes), _choices(program))

        def test(system: ModularSystem) -> bool:
            return _agree(program, _random_inputs(program, sizes, system), tasks, sizes, system)

        claim = {**signature.to_json(), "group": group.to_json()}
        return _run_tests(test, channels, bits, _drawn_from((program,), claim, sizes, seed))

    # an assumed symmetry, shapes
    return _result(limited_result(deadline, work, EqvproofError))


def bounded_identity(
    p: Program, q: Program, sizes: Mapping[str, int], seed: int = 0, deadline: float = float("inf")
) -> SizeResult:
    """Tests whether two Programs with the same inputs are equal at given sizes.

    Places at which they are undefined must agree as well.
    """

    def work() -> SizeResult:
        for program in (p, q):
            _require_feasible(program, sizes)
        sides = [(analyse(p, sizes), analyse(q, sizes))]
        conditions = max(condition_bits(x, sizes) for x in (p, q))
        channels, bits = _channels(sides, conditions, _choices(p) + _choices(q))

        def test(system: ModularSystem) -> bool:
            inputs = _random_inputs(p, sizes, system)
            left, right = (evaluate_defined(x, inputs, sizes, system) for x in (p, q))
            return _same(left, right, system)

        return _run_tests(test, channels, bits, _drawn_from((p, q), {}, sizes, seed))

    return _result(limited_result(deadline, work, EqvproofError))


def _result(found: SizeResult | Reason) -> SizeResult:
    if isinstance(found, Reason):
        return SizeResult(holds=False, why=found)
    return found


def _drawn_from(
    programs: Sequence[Program], claim: Mapping[str, Any], sizes: Mapping[str, int], seed: int
) -> str:
    """Returns the digest from which all random numbers of a test are derived."""
    return digest(
        {
            "programs": [p.to_json() for p in programs],
            "claim": claim,
            "sizes": dict(sizes),
            "seed": str(seed),
        }
    )


def _run_tests(
    test: Callable[[ModularSystem], bool], channels: int, bits: int, seed: str
) -> SizeResult:
    for attempt in range(ATTEMPTS):
        try:
            if test(ModularSystem(f"{seed} {attempt}", channels)):
                return SizeResult(holds=True, bits=min(bits, MOST_BITS))
            return unknown(Why.METHOD, "the two sides differ at a random point modulo primes")
        except Undefined:
            continue
    return unknown(Why.METHOD, "a denominator vanishes at every point tried")


# ------------------------------------------------------------------------------- the bound
def _require_feasible(program: Program, sizes: Mapping[str, int]) -> None:
    for node in program.nodes:
        if prod(s.value(sizes) for s in node.shape) > MOST_VALUES:
            raise Unable("the values are too large at these sizes")


def _choices(program: Program) -> int:
    """Counts the nodes that compare the conditions of two other values."""
    return sum(node.op == Select.op for node in program.nodes)


def _channels(
    sides: Sequence[tuple[Analysis, Analysis]], conditions: float, choices: int
) -> tuple[int, int]:
    """Returns the number of primes that makes the error bound small enough, and the bound in bits.

    Raises:
        Unable: the largest number of primes is not enough.
    """
    where = Analysis(Bound(top=1, top_bits=conditions), Bound(), 0)
    for channels in range(2, MOST_CHANNELS + 1):
        errors = [log2_error(*pair, channels) for pair in sides]
        errors += [log2_error(where, where, channels)] * (max(len(sides), 1) * (1 + 2 * choices))
        largest = max(errors)
        total = largest + log2(sum(math.exp2(e - largest) for e in errors)) + log2(ATTEMPTS)
        if total <= -ENOUGH - SPARE:
            return channels, math.floor(-total) - SPARE
    raise Unable("the degree of the function is too large for a small probability of error")


def _sides(program: Program, task: Task, sizes: Mapping[str, int]) -> tuple[Analysis, Analysis]:
    """Bounds f(g y) and g f(y) as rational functions; y is (u.u) x for each reflection on x.

    So no denominators enter: ``(u.u) g x = (u.u) x - 2 u (u.x)``, and y is as random as x is.
    """
    left = dict.fromkeys((name for name, _ in program.inputs), VARIABLE)
    right = dict(left)
    for part in task:
        d = part.size
        for name, acts in part.inputs.items():
            if part.move.is_flow:
                left[name] = _bound_after_flow(left[name], part.move, acts)
                continue
            for _ in range(part.move.mirrors * sum(map(is_moved, acts))):
                left[name] = left[name].times(Bound(2, log2(3 * d)))
                right[name] = right[name].times(Bound(2, log2(d)))
    plain = analyse(program, sizes, right)
    output = plain.output
    for part in task:
        if part.move.is_flow:
            output = _bound_after_flow(output, part.move, part.output)
            continue
        for _ in range(part.move.mirrors * sum(map(is_moved, part.output))):
            output = output.summed(part.size).times(
                Bound(2, log2(part.size + 2), 2, log2(part.size))
            )
    return analyse(program, sizes, left), Analysis(output, plain.arguments, plain.calls)


def _bound_after_flow(x: Bound, move: Move, how: int | None) -> Bound:
    """Returns the bound of x + t, where `how` is an axis, or of x c^k, where it is the power."""
    if how is None:
        return x
    if move.translates:
        return x.plus(VARIABLE)
    power = VARIABLE.power(abs(how))
    if how > 0:
        return x.times(power)
    if how < 0:
        return x.times(power.reciprocal())
    return x


# -------------------------------------------------------------------------- the evaluation
def _random_inputs(
    program: Program, sizes: Mapping[str, int], system: ModularSystem
) -> dict[str, Residues]:
    return {n: system.random([s.value(sizes) for s in shape]) for n, shape in program.inputs}


def _agree(
    program: Program,
    inputs: Mapping[str, Residues],
    tasks: Sequence[Task],
    sizes: Mapping[str, int],
    system: ModularSystem,
) -> bool:
    plain = evaluate_defined(program, inputs, sizes, system)
    for task in tasks:
        moved, right = dict(inputs), plain
        for part in task:
            mirrors = drawn(part, system)
            moved = {
                n: act(x, part.inputs[n], part.move, mirrors, system) for n, x in moved.items()
            }
            value = act(right.value, part.output, part.move, mirrors, system)
            right = ConditionedValue(value, moved_conditions(right, part))
        if not _same(evaluate_defined(program, moved, sizes, system), right, system):
            return False
    return True


def _same(left: ConditionedValue, right: ConditionedValue, system: ModularSystem) -> bool:
    if not system.are_equal(left.value, right.value):
        return False
    if left.conditions is None or right.conditions is None:
        return left.conditions is right.conditions
    shape = left.value.shape
    return system.are_equal(
        system.broadcast(left.conditions, shape), system.broadcast(right.conditions, shape)
    )
