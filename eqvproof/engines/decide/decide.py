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
curve ``x(s) = exp(sA) x`` the arguments of nonlinear functions are constant, hence so are these values and
the place where f is defined; f is polynomial in the rest, so ``h(s) = exp(-sA) f(x(s))`` is differentiable
with ``h'(s) = exp(-sA) (Df(x(s))[A x(s)] - A f(x(s))) = 0``. Products of such exponentials are the whole
connected group when the A generate its Lie algebra. O(d) is SO(d) and one reflection; translations and
positive multiples are connected, with the derivatives 1 and k f for a value that is multiplied by c^k; E(d)
is T(d) and O(d). QED
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.deadline import TimeIsUp, until
from eqvproof.engines.decide.ring import Ratio, Ring, Unable
from eqvproof.engines.decide.value import filled, value
from eqvproof.engines.infer import claimed_type
from eqvproof.engines.moves import claimed_degree
from eqvproof.groups import Element, Factor, Group, generators
from eqvproof.program import Program, Size
from eqvproof.rules.acts import Act
from eqvproof.signature import Axis, Signature

Array = NDArray[Any]
Matrix = list[list[Fraction]]
LIE = ("O", "SO")


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided at one choice of sizes.

    Attributes:
        holds: the claim holds there; False means that no decision was reached.
        reason: why not.
    """

    holds: bool
    reason: str = ""


HOLDS = Decision(holds=True)


def _no(reason: str) -> Decision:
    return Decision(holds=False, reason=reason)


def decide_equivariance(
    program: Program,
    signature: Signature,
    group: Group,
    sizes: Mapping[str, int],
    deadline: float = float("inf"),
) -> Decision:
    """Whether the claim holds at these sizes; see the theorem above.

    Args:
        program: the function; names in ``sizes`` may be numbers in it.
        signature: the claimed typing.
        group: the claimed group.
        sizes: a number for every axis name.
        deadline: monotonic time at which to give up.
    """

    def tick() -> None:
        if time.monotonic() > deadline:
            raise Unable("the time is up")

    try:
        with until(deadline):
            for factor in group.factors:
                reason = _factor(program, signature, factor, dict(sizes), tick)
                if reason:
                    return _no(f"{factor}: {reason}")
    except TimeIsUp:
        return _no("the time is up")
    except Unable as error:
        return _no(str(error))
    return HOLDS


def decide_identity(
    p: Program, q: Program, sizes: Mapping[str, int], deadline: float = float("inf")
) -> Decision:
    """Whether two programs with the same inputs are equal at these sizes, undefined places included."""

    def tick() -> None:
        if time.monotonic() > deadline:
            raise Unable("the time is up")

    try:
        with until(deadline):
            ring = Ring(_count(p, sizes), 0)
            inputs = _variables(p, sizes, ring)
            left = value(p, inputs, sizes, ring, tick)
            right = value(q, inputs, sizes, ring, tick)
            if left.shape != right.shape or not _equal(left, right):
                return _no("the two sides differ as expressions")
    except TimeIsUp:
        return _no("the time is up")
    except Unable as error:
        return _no(str(error))
    return HOLDS


def _factor(program: Program, signature: Signature, factor: Factor, sizes: dict[str, int], tick: Any) -> str:
    if any(a.kind == "index" and a.indexes == factor.axis for a in signature.inputs):
        return "index arguments are not covered"
    if factor.family in ("E", "SE"):
        rotations = Factor("O" if factor.family == "E" else "SO", factor.axis)
        reason = _factor(program, signature, Factor("T", factor.axis), sizes, tick)
        return reason or _factor(program, signature, rotations, sizes, tick)
    size = factor.size(sizes)
    acts = {
        a.name: claimed_type(a.axes, _numbers(shape, sizes), factor, sizes)
        for a, (_, shape) in zip(signature.inputs, program.inputs, strict=True)
    }
    out = claimed_type(signature.output, _numbers(program.shape, sizes), factor, sizes)
    axes = {a.name: a.axes for a in signature.inputs}
    if factor.family == "T":
        steps = [partial(_translation, factor=factor, direction=k) for k in range(size)]
        return _along_curves(program, steps, axes, signature.output, sizes, tick, out)
    if factor.family == "Scale":
        return _along_curves(
            program, [partial(_multiple, factor=factor)], axes, signature.output, sizes, tick, out
        )
    if factor.family in LIE and size > 1:
        reason = _connected(program, acts, out, size, sizes, tick)
        if reason or factor.family == "SO":
            return reason
        reflection = [[Fraction((i == j) * (-1 if i == 0 else 1)) for j in range(size)] for i in range(size)]
        return _finite(program, acts, out, [reflection], sizes, tick)
    if factor.family in LIE:
        elements = [[[Fraction(-1)]]] if factor.family == "O" else []
        return _finite(program, acts, out, elements, sizes, tick)
    return _finite(program, acts, out, [matrix_of(g, size) for g in generators(factor, size)], sizes, tick)


def _along_curves(
    program: Program, steps: Sequence[Any], axes: Mapping[str, Sequence[Axis]], output: Sequence[Axis],
    sizes: dict[str, int], tick: Any, out: Sequence[Act],
) -> str:  # fmt: skip
    """Derivatives along one-parameter groups that are given by what they do to a value of known axes."""
    ring = Ring(_count(program, sizes), len(steps))
    inputs = _variables(program, sizes, ring)
    curves = {}
    for name, x in inputs.items():
        tangents = [step(x, axes[name], ring).ravel() for step in steps]
        bound = [ring.with_tangents(first, along) for first, *along in zip(x.ravel(), *tangents, strict=True)]
        curves[name] = filled(x.shape, bound.__getitem__)
    result = value(program, curves, sizes, ring, tick)
    bare = filled(result.shape, lambda i: result.ravel()[i].bare)
    minus = ring.constant(-1).bare
    for number, step in enumerate(steps):
        expected = step(bare, output, ring)
        for have, want in zip(result.ravel(), expected.ravel(), strict=True):
            tangent = have.tangents[number]
            if not (want if tangent is None else want + tangent * minus).is_zero:
                return "the derivative along the group is not the one that is claimed"
    return ""


def _translation(x: Array, axes: Sequence[Axis], ring: Ring, *, factor: Factor, direction: int) -> Array:
    """The derivative of a value that is translated along e_direction: 1 there on points, else 0."""
    places = [i for i, axis in enumerate(axes) if any(factor.translates(t) for t in axis.terms)]
    if any(len(axes[i].terms) > 1 or (axes[i].single is None and axes[i].names) for i in places):
        raise Unable("a sum of axes that is translated")
    one, zero = ring.constant(1).bare, ring.constant(0).bare
    made = filled(x.shape, lambda _: zero)
    for i in places:
        np.moveaxis(made, i, 0)[direction] = one
    return made


def _multiple(x: Array, axes: Sequence[Axis], ring: Ring, *, factor: Factor) -> Array:
    """The derivative of a value that is multiplied by c^k: k times the value."""
    degree = claimed_degree(axes, factor)
    times = ring.constant(degree or 0).bare
    return filled(x.shape, lambda i: x.ravel()[i].bare * times)


def _finite(
    program: Program, acts: Mapping[str, Sequence[Act]], out: Sequence[Act], elements: Sequence[Matrix],
    sizes: dict[str, int], tick: Any,
) -> str:  # fmt: skip
    ring = Ring(_count(program, sizes), 0)
    inputs = _variables(program, sizes, ring)
    plain = value(program, inputs, sizes, ring, tick)
    for g in elements:
        moved = {name: _move(x, acts[name], g, ring) for name, x in inputs.items()}
        left = value(program, moved, sizes, ring, tick)
        if not _equal(left, _move(plain, out, g, ring)):
            return "the two sides differ as expressions"
    return ""


def _connected(
    program: Program,
    acts: Mapping[str, Sequence[Act]],
    out: Sequence[Act],
    size: int,
    sizes: dict[str, int],
    tick: Any,
) -> str:
    directions = size - 1
    ring = Ring(_count(program, sizes), directions)
    inputs = _variables(program, sizes, ring)
    skews = [
        [
            [Fraction((i == k and j == k + 1) - (i == k + 1 and j == k)) for j in range(size)]
            for i in range(size)
        ]
        for k in range(directions)
    ]
    curves = {}
    for name, x in inputs.items():
        tangents = [_derivative(x, acts[name], a, ring).ravel() for a in skews]
        pairs = zip(x.ravel(), *tangents, strict=True)
        bound = [ring.with_tangents(first, along) for first, *along in pairs]
        curves[name] = filled(x.shape, bound.__getitem__)
    result = value(program, curves, sizes, ring, tick)
    bare = filled(result.shape, lambda i: result.ravel()[i].bare)
    if not _uniform_domains(bare, out):
        return "some entries of a vector that the group rotates are undefined where others are not"
    for number, a in enumerate(skews):
        expected = _derivative(bare, out, a, ring)
        for have, want in zip(result.ravel(), expected.ravel(), strict=True):
            tangent = have.tangents[number]
            difference = want if tangent is None else want + (tangent * ring.constant(-1).bare)
            if not difference.is_zero:
                return "the derivative along a rotation is not the rotated value"
    return ""


def matrix_of(element: Element, size: int) -> Matrix:
    """The matrix by which a group element acts on its axis."""
    data: Any = element.data
    if element.family in ("S", "A", "C", "D"):
        return [[Fraction(int(data[i] == j)) for j in range(size)] for i in range(size)]
    if element.family == "Signs":
        return [[Fraction(data[i] * (i == j)) for j in range(size)] for i in range(size)]
    return [[Fraction(x) for x in row] for row in data]


def _blocks(act: Act, g: Matrix | None) -> list[tuple[Matrix | None, int]]:
    """The matrices along an axis, one a block: (matrix or None for the identity, size)."""
    result: list[tuple[Matrix | None, int]] = []
    for block in act or ():
        if len(block) != 1:
            raise Unable("an axis that is a tensor product")
        (size, moved) = block[0]
        result.append((g if moved else None, size.constant or 0))
    return result


def _move(x: Array, acts: Sequence[Act], g: Matrix, ring: Ring) -> Array:
    for axis, act in enumerate(acts):
        parts, at = [], 0
        moved = np.moveaxis(x, axis, 0)
        for matrix, size in _blocks(act, g):
            piece = moved[at : at + size]
            parts.append(piece if matrix is None else _times(matrix, piece, ring))
            at += size
        x = np.moveaxis(np.concatenate(parts, axis=0), 0, axis) if parts else x
    return x


def _derivative(x: Array, acts: Sequence[Act], a: Matrix, ring: Ring) -> Array:
    """The sum over the moved axes of a applied to that axis."""
    zero = ring.constant(0).bare
    total = filled(x.shape, lambda _: zero)
    bare = filled(x.shape, lambda i: x.ravel()[i].bare)
    for axis, act in enumerate(acts):
        parts, at = [], 0
        moved = np.moveaxis(bare, axis, 0)
        for matrix, size in _blocks(act, a):
            piece = moved[at : at + size]
            parts.append(
                filled(piece.shape, lambda _: zero) if matrix is None else _times(matrix, piece, ring)
            )
            at += size
        if parts:
            total = np.asarray(total + np.moveaxis(np.concatenate(parts, axis=0), 0, axis), dtype=object)
    return total


def _times(matrix: Matrix, x: Array, ring: Ring) -> Array:
    rows = []
    for row in matrix:
        terms = [(c, x[j]) for j, c in enumerate(row) if c]
        total = None
        for c, entry in terms:
            scaled = np.asarray(entry * _like(entry, ring, c), dtype=object)
            total = scaled if total is None else np.asarray(total + scaled, dtype=object)
        rows.append(filled(x.shape[1:], lambda _: _zero_like(x, ring)) if total is None else total)
    out = np.empty(x.shape, dtype=object)
    for i, r in enumerate(rows):
        out[i] = r if r.ndim else r.item()
    return out


def _like(entry: Any, ring: Ring, c: Fraction) -> Ratio:
    first = entry.ravel()[0] if isinstance(entry, np.ndarray) else entry
    constant = ring.constant(c)
    return constant if first.tangents else constant.bare


def _zero_like(x: Array, ring: Ring) -> Ratio:
    return _like(x, ring, Fraction(0))


def _equal(a: Array, b: Array) -> bool:
    return all(
        p.num == q.num and p.den == q.den and p.domain == q.domain
        for p, q in zip(a.ravel(), b.ravel(), strict=True)
    )


def _uniform_domains(x: Array, acts: Sequence[Act]) -> bool:
    """Whether entries along a moved block are all undefined at the same places."""
    for axis, act in enumerate(acts):
        moved, at = np.moveaxis(x, axis, 0), 0
        for matrix, size in _blocks(act, []):
            for k in range(at + 1, at + size if matrix is not None else at):
                pairs = zip(moved[at : at + 1].ravel(), moved[k : k + 1].ravel(), strict=True)
                if any(p.domain != q.domain for p, q in pairs):
                    return False
            at += size
    return True


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


__all__ = ["Axis", "Decision", "decide_equivariance", "decide_identity"]
