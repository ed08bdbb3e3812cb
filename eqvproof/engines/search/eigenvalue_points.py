"""Searches for points at which two eigenvalues of a matrix in a Program coincide.

Eigenvectors of a repeated eigenvalue are no function of the matrix: a claim that is proved wherever
the eigenvalues differ may fail there. The arguments get structured values (diagonal with repeats,
multiples of the identity, equal blocks, rank one, adjacencies of complete graphs and cycles,
orthogonal rows of one length), and the matrix that the Program computes from them is inspected, in
floats.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import prod

import numpy as np

from eqvproof.claims.signature import Argument, Signature
from eqvproof.engines.search.compared_values import ComparedValue, Values
from eqvproof.engines.search.cost import inputs_cost, key_of
from eqvproof.engines.search.exceptional_tests import ties_or_coincides
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.engines.search.tie_points import Allowed, Towards
from eqvproof.programs import Program
from eqvproof.programs.evaluate.opaque import Functions
from eqvproof.support.deadline import require_time

#: Largest number of points inspected.
_SCREENED = 300
_WAYS = tuple("diagonal multiple blocks product complete cycle signs few turned cross".split())


def eigenvalue_points(
    program: Program,
    signature: Signature,
    sizes: Mapping[str, int],
    seed: int = 0,
    count: int = 16,
    *,
    screened: int = _SCREENED,
    opaque: Functions | None = None,
    towards: Towards | None = None,
    allowed: Allowed | None = None,
) -> Iterator[Inputs]:
    """Yields points at which eigenvalues coincide, simplest first; none without a decomposition.

    Args:
        program: for all sizes, or at these.
        signature: the typing.
        sizes: of the names of the inputs.
        seed: of the random choices; equal seeds, equal points.
        count: largest number of points yielded.
        screened: largest number of points inspected.
        opaque: implementations of uninterpreted functions.
        towards: moves points towards a domain.
        allowed: checks whether a point belongs to it.

    Exactness: the entries of real arguments are Fractions; floats show that eigenvalues coincide.
    """
    values = Values(program, sizes, opaque, matrices)
    if not values.targets:
        return
    rng = random.Random(f"eigenvalues|{seed}|{sorted(sizes.items())!r}")
    points = Points(signature, sizes, (), towards)
    found: dict[tuple[object, ...], Inputs] = {}
    for _ in range(min(screened, _SCREENED)):
        require_time()
        made = {a.name: _draw_array(a, sizes, rng) for a in signature.inputs}
        inputs = points.fill(lambda a, i, k, made=made: made[a.name][i])  # type: ignore[misc]
        key = key_of(inputs)
        if (
            key not in found
            and (allowed is None or allowed(inputs))
            and _eigenvalues_coincide(values, inputs)
        ):
            found[key] = inputs
    yield from sorted(found.values(), key=inputs_cost)[:count]


def matrices(program: Program) -> list[ComparedValue]:
    """Returns the matrices whose eigenvectors or eigenvalues a Program computes."""
    nodes = program.nodes[: program.output + 1]
    taken = (node for node in nodes if node.is_up_to_signs or node.matrix_function == "eigvals")
    return list(dict.fromkeys(ComparedValue(node.args[0]) for node in taken))


def _eigenvalues_coincide(values: Values, inputs: Inputs) -> bool:
    """Checks whether a nonzero matrix has two equal eigenvalues, up to rounding."""
    found = values.floats(inputs)
    for target in values.targets:
        matrix = np.asarray(found[target.node])
        symmetric = (matrix + np.swapaxes(matrix, -1, -2)) / 2
        if symmetric.any() and ties_or_coincides(matrix, None):
            return True
    return False


def _draw_array(argument: Argument, sizes: Mapping[str, int], rng: random.Random) -> Array:
    shape = tuple(axis.at(sizes) for axis in argument.axes)
    if len(shape) < 2 or argument.kind != "real":
        values = [rng.choice((1, 1, 2, -1)) for _ in range(prod(shape))]
        return np.array([Fraction(v) for v in values], object).reshape(shape)
    batches = prod(shape[:-2])
    array = np.stack([_draw_matrix(shape[-2], shape[-1], rng) for _ in range(batches)])
    return np.array([Fraction(int(v)) for v in array.flat], object).reshape(shape)


def _draw_matrix(rows: int, columns: int, rng: random.Random) -> Array:
    """Builds an integer matrix such that its eigenvalues, or those of products, may coincide."""
    most = max(rows, columns)
    way = rng.choice(_WAYS)
    full = np.zeros((most, most), int)
    if way == "diagonal":
        full = np.diag([rng.choice((1, 2, -1)) for _ in range(most)])
    elif way == "multiple":
        full = rng.choice((1, 2, -1)) * np.eye(most, dtype=int)
    elif way == "blocks":
        block = np.array([[rng.randint(0, 2), 1], [1, rng.randint(-1, 2)]])
        for k in range(0, most - 1, 2):
            full[k : k + 2, k : k + 2] = block
    elif way == "product":
        u = np.array([rng.choice((0, 1, 1, 2, -1)) for _ in range(most)])
        full = np.outer(u, u)
    elif way == "complete":
        full = np.ones((most, most), int) - np.eye(most, dtype=int)
    elif way == "cycle":
        full = np.roll(np.eye(most, dtype=int), 1, 0)
        full = np.minimum(full + full.T, 1)
    elif way == "signs":  # rows of Hadamard matrices are at right angles
        full = np.array([[(-1) ** bin(i & j).count("1") for j in range(most)] for i in range(most)])
    elif way == "cross":  # points at 1 and -1 of each axis, one after another
        for k in range(most):
            full[k, k // 2 % columns] = (-1) ** k
    elif way == "few":
        full = np.array([[rng.choice((0, 0, 1, -1)) for _ in range(most)] for _ in range(most)])
    else:  # signed permutations: rows of one length at right angles
        order = rng.sample(range(most), most)
        full[range(most), order] = [rng.choice((1, -1)) for _ in range(most)]
    return full[:rows, :columns]
