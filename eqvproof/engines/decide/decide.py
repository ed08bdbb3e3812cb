"""Exact decision of a claim at given sizes, over the whole group and all inputs.

Theorem. Let f be a Program at fixed sizes, read over the ring of rational functions in the entries of the
inputs and in atoms for the values of nonlinear functions.
(finite) If ``f(g x) = g f(x)`` in the ring for every g in a set of generators, and equal entries rest on the
same partial functions of the same arguments (up to sign for odd and even ones), then f is equivariant under
the group that they generate.
(connected) If for every A in a set that generates the Lie algebra the derivative of f along A x equals
A f(x) in the ring, while every nonlinear function is applied to arguments whose derivative along A x
vanishes, and the entries along a moved axis of the output are undefined at the same places, then f is
equivariant under the connected group.

Proof. Equality in the ring is equality of real numbers wherever both sides are defined, since atoms with
equal keys are equal functions of equal arguments; every entry carries the partial functions that decide
where it is defined, and these are compared too. Equivariance under generators composes. Connected: along the
curve ``x(s) = exp(sA) x`` the arguments of nonlinear functions are constant, hence so are these values (which
are not differentiated) and the place where f is defined; f is a smooth function of the rest, so
``h(s) = exp(-sA) f(x(s))`` is differentiable with ``h'(s) = exp(-sA) (Df(x(s))[A x(s)] - A f(x(s))) = 0``.
Products of such exponentials are the whole connected group when the A generate its Lie algebra. O(d) is SO(d)
and one reflection; translations and positive multiples are connected, with the derivatives 1 and k f for a
value that is multiplied by c^k; E(d) is T(d) and O(d);
the invertible matrices of positive determinant are connected, and GL(d) is these and one reflection. QED
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from eqvproof.deadline import require_time
from eqvproof.engines.affine_types import claimed_power
from eqvproof.engines.answer import Answer, Unable, Why, answered, unknown
from eqvproof.engines.decide.actions import Array, Matrix, derivative, equal, matrix_of, move, uniform_domains
from eqvproof.engines.decide.ring import Ring
from eqvproof.engines.decide.ring_system import MOST_ATOMS, atoms_of, filled, value
from eqvproof.engines.linear_types import claimed_type
from eqvproof.groups import Factor, Group, generators
from eqvproof.program import Program, Size
from eqvproof.rules.acts import Act
from eqvproof.signature import Axis, Signature

HOLDS = Answer(holds=True)


def decide_equivariance(
    program: Program,
    signature: Signature,
    group: Group,
    sizes: Mapping[str, int],
    deadline: float = float("inf"),
) -> Answer:
    """Whether the claim holds at these sizes; see the theorem above.

    Args:
        program: the function; names in ``sizes`` may be numbers in it.
        signature: the claimed typing.
        group: the claimed group.
        sizes: a number for every axis name.
        deadline: monotonic time at which to give up.
    """

    def work() -> Answer:
        for factor in group.factors:
            reason = _factor(program, signature, factor, dict(sizes))
            if reason:
                return unknown(Why.METHOD, f"{factor}: {reason}")
        return HOLDS

    return answered(work, deadline)


def decide_identity(
    p: Program, q: Program, sizes: Mapping[str, int], deadline: float = float("inf")
) -> Answer:
    """Whether two programs with the same inputs are equal at these sizes, undefined places included."""

    def work() -> Answer:
        ring = Ring(_count(p, sizes), atoms_of(p, sizes) + atoms_of(q, sizes))
        inputs = _variables(p, sizes, ring)
        left, right = (value(x, inputs, sizes, ring) for x in (p, q))
        same = left.shape == right.shape and equal(left, right)
        return HOLDS if same else unknown(Why.METHOD, "the two sides differ as expressions")

    return answered(work, deadline)


def _factor(program: Program, signature: Signature, factor: Factor, sizes: dict[str, int]) -> str:
    if any(a.kind == "index" and a.indexes == factor.axis for a in signature.inputs):
        return "index arguments are not covered"
    if factor.record.parts:
        reasons = (_factor(program, signature, part, sizes) for part in factor.parts)
        return next(filter(None, reasons), "")
    size = factor.size(sizes)
    acts = {
        a.name: claimed_type(a.axes, _numbers(shape, sizes), factor, sizes)
        for a, (_, shape) in zip(signature.inputs, program.inputs, strict=True)
    }
    out = claimed_type(signature.output, _numbers(program.shape, sizes), factor, sizes)
    axes = {a.name: a.axes for a in signature.inputs}
    steps: list[Callable[..., Array]] = []
    elements: list[Matrix] = []
    how: tuple[Mapping[str, Any], Any] = (acts, out)
    record = factor.record
    if factor.kind == "shift":
        steps, how = (
            [partial(_translation, factor=factor, direction=k) for k in range(size)],
            (axes, signature.output),
        )
    elif factor.kind == "scale":
        steps, how = [partial(_multiple, factor=factor)], (axes, signature.output)
    elif record.lie is not None and record.components is not None:
        matrices = [[list(map(Fraction, row)) for row in matrix] for matrix in record.lie(size)]
        steps = [partial(_rotation, matrix=matrix) for matrix in matrices]
        elements = [list(map(list, matrix)) for matrix in record.components(size)]
    else:
        elements = [matrix_of(g) for g in generators(factor, size)]
    ring = Ring(_count(program, sizes), min(MOST_ATOMS, (1 + len(elements)) * atoms_of(program, sizes)))
    inputs = _variables(program, sizes, ring)
    for step in steps:
        velocities = [v for n, x in inputs.items() for v in step(x, how[0][n], ring).ravel()]
        ring.fields.append({i: v.num for i, v in enumerate(velocities) if not v.is_zero})
    plain = value(program, inputs, sizes, ring)
    if steps and record.lie is not None and not uniform_domains(plain, out):
        return "some entries of a vector that the group rotates are undefined where others are not"
    for number, step in enumerate(steps):
        expected = step(plain, how[1], ring)
        for have, want in zip(plain.ravel(), expected.ravel(), strict=True):
            require_time()
            slope = ring.derivative(have, number)
            if slope.num != want.num or slope.den != want.den:
                return "the derivative along the group is not the one that is claimed"
    ring.fields.clear()
    for g in elements:
        moved = {name: move(x, acts[name], g, ring) for name, x in inputs.items()}
        left = value(program, moved, sizes, ring)
        if not equal(left, move(plain, out, g, ring)):
            return "the two sides differ as expressions"
    return ""


def _rotation(x: Array, acts: Sequence[Act], ring: Ring, *, matrix: Matrix) -> Array:
    """The velocity of a value that is rotated: the sum over the moved axes of A applied to that axis."""
    return derivative(x, acts, matrix, ring)


def _translation(x: Array, axes: Sequence[Axis], ring: Ring, *, factor: Factor, direction: int) -> Array:
    """The velocity of a value that is translated along e_direction: 1 there on points, else 0."""
    places = [i for i, axis in enumerate(axes) if any(factor.translates(t) for t in axis.terms)]
    if any(len(axes[i].terms) > 1 or (axes[i].single is None and axes[i].names) for i in places):
        raise Unable("a sum of axes that is translated")
    one, zero = ring.constant(1), ring.constant(0)
    made = filled(x.shape, lambda _: zero)
    for i in places:
        np.moveaxis(made, i, 0)[direction] = one
    return made


def _multiple(x: Array, axes: Sequence[Axis], ring: Ring, *, factor: Factor) -> Array:
    """The velocity of a value that is multiplied by c^k: k times the value."""
    times = ring.constant(claimed_power(axes, factor))
    return filled(x.shape, lambda i: x.ravel()[i] * times)


def _numbers(shape: Sequence[Size], sizes: Mapping[str, int]) -> tuple[Size, ...]:
    return tuple(Size.of(s.value(sizes)) for s in shape)


def _count(program: Program, sizes: Mapping[str, int]) -> int:
    return sum(int(np.prod([s.value(sizes) for s in shape], dtype=int)) for _, shape in program.inputs)


def _variables(program: Program, sizes: Mapping[str, int], ring: Ring) -> dict[str, Array]:
    inputs, at = {}, 0
    for name, shape in program.inputs:
        full = tuple(s.value(sizes) for s in shape)
        count = int(np.prod(full, dtype=int))
        inputs[name] = filled(full, [ring.variable(at + i) for i in range(count)].__getitem__)
        at += count
    return inputs


__all__ = ["Axis", "decide_equivariance", "decide_identity"]
