"""Detection of Programs whose value depends on the signs of eigenvectors, which are arbitrary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.claims.size import least_sizes
from eqvproof.programs import Program
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.library_functions import are_singular_vectors, takes_eigenvectors
from eqvproof.programs.evaluate.walk import evaluate_program
from eqvproof.support.code_line import NO_LINE, CodeLine
from eqvproof.support.errors import EqvproofError, ErrorCode, TraceError
from eqvproof.tracing.arrays.context import make_error
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.rounding import Point, close
from eqvproof.tracing.samples import make_inputs

#: The phrase of the messages about such vectors.
NO_SIGN = "have no sign"
#: Values that differ by less, relative to the largest, count as equal; and how many vectors are
#: flipped one by one.
CLOSE, MOST_SINGLE = 1e-6, 8
#: Number of inputs tried; one of them must show that the sign of a vector matters.
INPUTS = 4
#: Largest number of entries of all values that are computed at one input.
MOST_ENTRIES = 2_000_000


def refuse_signs(at: Point) -> None:
    """Raises an error if the Program's value at a point depends on the signs of eigenvectors.

    Raises:
        TraceError: it does; the message names the line that computes them.
    """
    if takes_eigenvectors(at.program):
        node = _node_that_matters(at)
    else:
        node = None
    if node is not None:
        raise make_error(
            _text(at.program, node), str(at.lines.get(node, NO_LINE)), code=ErrorCode.TRACE_SIGNS
        )


def signs_matter(
    program: Program, lines: Mapping[int, CodeLine], signature: Signature, pins: Mapping[str, int]
) -> str:
    """Returns an error message if the Program's value depends on signs of eigenvectors, else ""."""
    if not takes_eigenvectors(program):
        return ""
    lows = least_sizes(signature.input_names)
    sizes = {n: pins.get(n, max(5, lows[n]) + k) for k, n in enumerate(signature.input_names)}
    known = {
        **sizes,
        **{n: max(5, low) for n, low in least_sizes(program.names - sizes.keys()).items()},
    }
    if sum(prod(op.lengths(known)) for op in program.nodes) > MOST_ENTRIES:
        return ""
    for seed in range(INPUTS):
        inputs = make_inputs(signature, sizes, "normal", np.random.default_rng(seed))
        try:
            refuse_signs(Point(program, sizes, inputs, lines=lines))
        except (EqvproofError, ArithmeticError, ValueError) as error:
            if isinstance(error, TraceError) and error.code == ErrorCode.TRACE_SIGNS:
                return error.message
            return ""
    return ""


def _text(program: Program, node: int) -> str:
    if are_singular_vectors(program, node):
        kind = "singular vectors"
    else:
        kind = "eigenvectors"
    return f"{kind} {NO_SIGN}: the result changes when v is replaced by -v"


def _node_that_matters(at: Point) -> int | None:
    """Returns the first node of eigenvectors whose signs change the value; None if none does."""
    known: dict[int, Numbers] = {}
    system = FloatSystem(np, np.float64, dict(at.stand_ins))
    with np.errstate(all="ignore"):
        value = np.asarray(
            evaluate_program(
                at.program, system, at.inputs, at.sizes, known, lambda op, _: op.is_up_to_signs
            )
        )
        if not np.isfinite(value).any():
            return None
        for node in sorted(known):
            earlier = {k: vectors for k, vectors in known.items() if k < node}
            matrices = at.program.nodes[at.program.nodes[node].args[0]].shape
            for signs in _signs(known[node], is_one=known[node].ndim < len(matrices)):
                kept = {**earlier, node: known[node] * signs}
                other = np.asarray(evaluate_program(at.program, system, at.inputs, at.sizes, kept))
                if not close(other, value, CLOSE):
                    return node
    return None


def _signs(vectors: Numbers, *, is_one: bool) -> Iterator[Numbers]:
    """Yields sign changes: of all vectors, of each column unless it is one, of the first matrix."""
    yield -np.ones(())
    for k in range(0 if is_one else min(vectors.shape[-1], MOST_SINGLE)):
        yield np.where(np.arange(vectors.shape[-1]) == k, -1.0, 1.0)
    if vectors.ndim + is_one > 2:
        first = np.arange(len(vectors)) == 0
        yield np.where(first, -1.0, 1.0).reshape(-1, *[1] * (vectors.ndim - 1))
