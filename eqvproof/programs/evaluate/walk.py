"""The evaluation of a Program: one walk over its nodes, in any number system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eqvproof.programs import Program
from eqvproof.programs.evaluate.system import NumberSystem
from eqvproof.programs.operations import Operation
from eqvproof.support.deadline import require_time
from eqvproof.support.errors import ShapeError


def bind(program: Program, inputs: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, int]:
    """Returns the sizes of all axes, checked against the shapes of the inputs.

    A size that is not given is read off an input whose axis it is.

    Raises:
        ShapeError: an input is missing or of another shape, or a size is not known.
    """
    known = dict(sizes)
    for name, shape in program.inputs:
        if name not in inputs:
            raise ShapeError(
                "an input is missing", given=", ".join(inputs) or "none", expected=name,
                hint="give all inputs by their names",
            )  # fmt: skip
        if len(inputs[name].shape) != len(shape):
            raise _shape_error(name, inputs[name].shape, shape)
        for s, length in zip(shape, inputs[name].shape, strict=True):
            if len(s.terms) == 1 and s.terms[0][1] == 1 and len(s.terms[0][0]) == 1:
                known.setdefault(s.terms[0][0][0], int(length))
    missing = sorted(n for n in program.names if n not in known)
    if missing:
        raise ShapeError(
            "a size is not known", given=", ".join(sorted(known)), expected=", ".join(missing),
            hint="give a size to each axis",
        )  # fmt: skip
    for name, shape in program.inputs:
        if tuple(inputs[name].shape) != tuple(s.value(known) for s in shape):
            raise _shape_error(name, inputs[name].shape, shape)
    return known


def _shape_error(name: str, given: Any, expected: Any) -> ShapeError:
    return ShapeError(
        f"the input {name} has another shape than the Program says", given=str(tuple(given)),
        expected="(" + ", ".join(map(str, expected)) + ")", hint="give one size to each name",
    )  # fmt: skip


def evaluate_program(
    program: Program, system: NumberSystem, inputs: Mapping[str, Any], sizes: Mapping[str, int],
    kept: dict[int, Any] | None = None, keep: Callable[[Operation, Any], bool] | None = None,
) -> Any:  # fmt: skip
    """Evaluates the output node.

    Values are dropped after their last use. ``kept`` holds values known beforehand; those for which
    ``keep`` is true, of the node and its value, are added to it.
    """
    known: dict[int, Any] = {}
    if kept is not None:
        known = kept
    last = {a: i for i, node in enumerate(program.nodes) for a in node.args}
    values: dict[int, Any] = {}
    for i, node in enumerate(program.nodes[: program.output + 1]):
        require_time()
        if i in known:
            values[i] = known[i]
        elif node.input_name is not None:
            values[i] = inputs[node.input_name]
        else:
            values[i] = node.evaluate(system, [values[a] for a in node.args], sizes)
        if tuple(values[i].shape) != (lengths := node.lengths(sizes)):
            raise ShapeError(
                f"node {i} of a Program has a value of another shape than it says",
                given=str(tuple(values[i].shape)), expected=str(lengths),
                code="program.shape", hint='report it: a shape of this package is wrong',
            )  # fmt: skip
        if keep is not None and i not in known and keep(node, values[i]):
            known[i] = values[i]
        for a in {*node.args}:
            if last[a] == i and a != program.output:
                del values[a]
    return values[program.output]
