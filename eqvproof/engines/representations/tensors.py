"""Irreps carried by tensors: an equal claim about axes on which the matrix of the group itself acts.

Let L be linear and injective with ``L rho(g) = T(g) L``, and R linear and onto with ``R T(g) = rho(g) R``,
where T is a tensor power of the matrix Q of g. Then ``f(rho(g) x) = rho(g) f(x)`` for all x and g is the same
as ``F(T(g) t) = T(g) F(t)`` for all t and g, where ``F = L f R``. (From left to right by the two equations;
from right to left because x is R t for some t, and L tells different values apart.) With the Levi-Civita
symbol e, which ``Q (x) Q (x) Q`` multiplies by det Q, and symmetric forms B_a without trace (`harmonics`),

* ``1e``: L takes w to ``e_ija w_a``, R takes W to ``e_aij W_ij / 2``;
* ``0o``: L takes s to ``e_ijk s``, R takes T to ``e_ijk T_ijk / 6``;
* ``2e``: L takes h to ``M = h_a B_a``, R takes W to ``2/3 tr(B_a W)``; both are rho's own definition;
* ``2o``: L takes h to ``M_il e_ljk``, R takes T to R of ``T_ijk e_ljk / 2`` as above;
* ``0e`` and ``1o`` are scalars and vectors already.

Parts of several kinds on one axis of the result become matrices side by side: ``s I`` of a scalar; of parts
that -1 changes, the product with a new vector u: ``v_i u_j``, ``s e_ijk u_k``, ``M_il e_ljk u_k``. These are
linear in u, and zero for all u only where the part is. SO(3) does not see the parity: every part counts as
natural there.

Definedness: L spreads what is undefined over a whole part. So F is made only where f is seen to be undefined
along its represented axis everywhere or nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.engines.claim import Claim
from eqvproof.engines.representations.harmonics import FORMS
from eqvproof.engines.representations.matrices import Representation
from eqvproof.engines.representations.sides import carries
from eqvproof.operations import Shape
from eqvproof.program import Builder, Program, Size
from eqvproof.program.components import in_components
from eqvproof.program.defined import Domains
from eqvproof.signature import Argument, Axis, Signature, Term

#: (multiplicity, degree, parity), and arrays by the power of sqrt(3) that they are multiplied with.
Part = tuple[int, int, str]
Arrays = list[tuple[int, Any]]


@dataclass(frozen=True, slots=True)
class Carried:
    """F: its claim, and its Program."""

    claim: Claim
    program: Program


def carried(claim: Claim, program: Program) -> Carried | None:
    """The claim about tensors that is equal to a claim with irreps; None where none is built.

    Args:
        claim: with representations, all of them irreps.
        program: of the function, with the sizes of the represented axes as numbers.
    """
    maps = {rep.axis: rep for rep in claim.reps}
    if any(not rep.parts or not rep.factor.record.irreps for rep in claim.reps):
        return None
    work = _Carrying(claim, program, maps)
    return work.result() if work.is_whole() else None


class _Carrying:
    """The new inputs, the Program between, and the new result."""

    def __init__(self, claim: Claim, program: Program, maps: dict[str, Representation]) -> None:
        self.claim, self.old, self.maps = claim, program, maps
        self.b = Builder()
        self.inputs: list[Argument] = []

    def is_whole(self) -> bool:
        """Whether at most one axis of a value is represented, and the result is not undefined in part."""
        signature = self.claim.signature
        rows = [*(a.axes for a in signature.inputs), signature.output]
        if any(len(list(self._places(row))) > 1 for row in rows):
            return False
        lengths = {s.constant for s in self.old.shape} - {None}
        for program in (self.old, in_components(self.old, {3, *(n for n in lengths if n)})):
            varying = Domains(program).varying(program.output)
            if all(place not in varying for place, _ in self._places(signature.output)):
                return True
        return False

    def _places(self, axes: Sequence[Axis]) -> Iterator[tuple[int, Representation]]:
        for k, axis in enumerate(axes):
            for name, rep in self.maps.items():
                if carries(axis, name):
                    yield k, rep

    def result(self) -> Carried:
        """The claim of F, and F."""
        values: dict[str, int] = {}
        shapes = dict(self.old.inputs)
        for argument in self.claim.signature.inputs:
            values[argument.name] = self._given(argument, shapes[argument.name])
        result = rebuilt(self.b, self.old, values)
        axes = self.claim.signature.output
        for place, rep in self._places(axes):
            result, axes = self._taken(result, axes, place, rep)
        signature = Signature(tuple(self.inputs), axes, "")
        return Carried(replace(self.claim, signature=signature, reps=()), self.b.program(result))

    def _name(self, wanted: str) -> str:
        taken = {a.name for a in (*self.inputs, *self.claim.signature.inputs)}
        while wanted in taken:
            wanted += "_"
        return wanted

    # -- inputs ----------------------------------------------------------------------------------------
    def _given(self, argument: Argument, shape: Shape) -> int:
        """An input, or the array R t of new ones."""
        places = list(self._places(argument.axes))
        if not places:
            self.inputs.append(argument)
            return self.b.input(argument.name, shape)
        ((place, rep),) = places
        pieces = []
        for number, part in enumerate(rep.parts):
            count, degree, _ = part
            arrays = _onto(degree, _is_natural(part, rep))
            rank = arrays[0][1].ndim - 1
            name = self._name(f"{argument.name}_{number}")
            before, after = argument.axes[:place], argument.axes[place + 1 :]
            axes = (*before, _literal(count), *[_vector(rep)] * rank, *after)
            self.inputs.append(replace(argument, name=name, axes=axes))
            sizes = [*shape[:place], Size.of(count), *[Size.of(3)] * rank, *shape[place + 1 :]]
            t = self.b.input(name, sizes)
            labels = list(range(len(sizes)))
            own, left = labels[place + 1 : place + 1 + rank], labels[: place + 1]
            new = len(labels)
            x = _times(self.b, arrays, t, (new, *own), labels, [*left, new, *labels[place + 1 + rank :]])
            length = Size.of(count * (2 * degree + 1))
            pieces.append(self.b.reshape(x, [*shape[:place], length, *shape[place + 1 :]]))
        return self.b.concat(pieces, place) if len(pieces) > 1 else pieces[0]

    # -- the result ------------------------------------------------------------------------------------
    def _taken(
        self, x: int, axes: tuple[Axis, ...], place: int, rep: Representation
    ) -> tuple[int, tuple[Axis, ...]]:
        """L of a value, and its axes."""
        kinds = {(degree, _is_natural(part, rep)) for part in rep.parts for degree in part[1:2]}
        alone = len(kinds) == 1 and kinds != {(2, False)}
        vector = -1
        if not alone and any(natural == (degree == 1) for degree, natural in kinds):
            name = self._name("u")
            self.inputs.append(Argument(name, (_vector(rep),)))
            vector = self.b.input(name, [3])
        shape, at, pieces, rank = self.b.shape(x), 0, [], 2
        for part in rep.parts:
            count, degree, _ = part
            length = count * (2 * degree + 1)
            piece = self.b.slice(x, place, Size.of(at), Size.of(length))
            sizes = [*shape[:place], Size.of(count), Size.of(2 * degree + 1), *shape[place + 1 :]]
            piece = self.b.reshape(piece, sizes)
            natural = _is_natural(part, rep)
            arrays = _into(degree, natural) if alone else _beside(degree, natural)
            labels = list(range(len(sizes)))
            own, first = labels[place + 1], len(labels)
            new = list(range(first, first + arrays[0][1].ndim - 1))
            rank = len(new) if alone else 2
            kept = [*labels[: place + 1], *new[:rank], *labels[place + 2 :]]
            beside = (vector, new[2:]) if new[rank:] else None
            pieces.append(_times(self.b, arrays, piece, (own, *new), labels, kept, beside))
            at += length
        count = sum(part[0] for part in rep.parts)
        joined = self.b.concat(pieces, place) if len(pieces) > 1 else pieces[0]
        return joined, (*axes[:place], _literal(count), *[_vector(rep)] * rank, *axes[place + 1 :])


def _is_natural(part: Part, rep: Representation) -> bool:
    """Whether -1 acts by (-1)^degree; under SO all do as if it did."""
    _, degree, parity = part
    return rep.factor.record.special or (parity == "e") == (degree % 2 == 0)


def _literal(count: int) -> Axis:
    return Axis((Term(count, None, "!"),))


def _vector(rep: Representation) -> Axis:
    axis = rep.factor.axis
    return Axis((Term(1, axis, "^") if isinstance(axis, str) else Term(axis, None, "^"),))


def _times(
    b: Builder, arrays: Arrays, x: int, row: Sequence[int], labels: Sequence[int], kept: Sequence[int],
    beside: tuple[int, Sequence[int]] | None = None,
) -> int:  # fmt: skip
    """The sum over labels that are not kept of array, value and, where given, a vector."""
    terms = []
    for root, array in arrays:
        args, rows = [b.const(array), x], [tuple(row), tuple(labels)]
        if beside is not None:
            args, rows = [*args, beside[0]], [*rows, tuple(beside[1])]
        if root:
            args, rows = [b.map("sqrt", [b.const(3)]), *args], [(), *rows]
        terms.append(b.einsum(args, rows, tuple(kept)))
    return terms[0] if len(terms) == 1 else b.add(terms)


# -- the arrays of L and R -------------------------------------------------------------------------------
def _levi_civita() -> Any:
    e = np.full((3, 3, 3), Fraction(0), dtype=object)
    for i in range(3):
        e[i, (i + 1) % 3, (i + 2) % 3], e[i, (i + 2) % 3, (i + 1) % 3] = Fraction(1), Fraction(-1)
    return e


def _unit(n: int) -> Any:
    return np.array([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], dtype=object)


def _forms() -> Arrays:
    """B_a, index a first, by the power of sqrt(3)."""
    found = [(root, np.full((5, 3, 3), Fraction(0), dtype=object)) for root in (0, 1)]
    for a, (root, entries) in enumerate(FORMS):
        for (i, j), value in entries.items():
            found[root][1][a, i, j] = Fraction(value, 2)
    return found


def _into(degree: int, natural: bool) -> Arrays:  # noqa: FBT001
    """L, the component first."""
    e = _levi_civita()
    if degree == 0:
        return [(0, np.array([Fraction(1)], dtype=object) if natural else e[None])]
    if degree == 1:
        return [(0, _unit(3) if natural else np.moveaxis(e, 2, 0))]
    return _forms() if natural else [(r, np.tensordot(form, e, axes=(2, 0))) for r, form in _forms()]


def _onto(degree: int, natural: bool) -> Arrays:  # noqa: FBT001
    """R, the component first."""
    weight = {0: Fraction(1, 1 if natural else 6), 1: Fraction(1, 1 if natural else 2)}.get(
        degree, Fraction(2, 3) if natural else Fraction(1, 3)
    )
    return [(root, array * weight) for root, array in _into(degree, natural)]


def _beside(degree: int, natural: bool) -> Arrays:  # noqa: FBT001
    """L into matrices, the component first; an index more where a vector u is multiplied."""
    if degree == 0 and natural:
        return [(0, _unit(3)[None])]
    if degree == 1 and natural:
        return [(0, np.multiply.outer(_unit(3), _unit(3)))]
    return _into(degree, natural)


def rebuilt(b: Builder, program: Program, inputs: dict[str, int]) -> int:
    """The result of a program on other nodes, folded as the builder folds."""
    made: list[int] = []
    for op in program.nodes:
        args = [made[a] for a in op.args]
        made.append(op.rebuilt(b, args) if op.given is None else inputs[op.given])
    return made[program.output]
