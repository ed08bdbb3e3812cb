"""Runs of plain functions by the lines of their trace, computed with NumPy in a dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eqvproof.interface.profile.recording import Array, Key, Run
from eqvproof.programs.evaluate.floats import FloatSystem
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import Operation
from eqvproof.rounding.tracing import TracedFunction


class LinesOfFunction:
    """The values at the lines of a traced function, in one dtype.

    Args:
        traced: the function.
        sizes: the sizes of the axes.
        dtype: the dtype in which the lines are computed.
    """

    def __init__(self, traced: TracedFunction, sizes: Mapping[str, int], dtype: str) -> None:
        self._traced, self._sizes, self.dtype = traced, sizes, dtype
        program = traced.trace.program
        self._program = program
        depends: set[int] = set()
        self._keys: dict[int, Key] = {}
        counts: dict[str, int] = {}
        for number, node in enumerate(program.nodes[: program.output + 1]):
            if node.input_name is not None or depends.intersection(node.args):
                depends.add(number)
            line = str(traced.trace.lines.get(number, ""))
            if number not in depends or node.input_name is not None:
                continue
            counts[line] = counts.get(line, 0) + 1
            self._keys[number] = Key(line or "the result", 1, "out", counts[line])

    def run(self, arrays: Sequence[Array], changes: Mapping[Key, Array]) -> Run:
        """Computes all lines."""
        run = Run(changes)
        inputs = {
            a.name: array.astype(self.dtype) if array.dtype.kind == "f" else array
            for a, array in zip(self._traced.signature.inputs, arrays, strict=True)
        }
        given = {n: changes[k].astype(self.dtype) for n, k in self._keys.items() if k in changes}
        left = iter([n for n in range(self._program.output + 1) if n not in given])

        def watch(node: Operation, value: Any) -> bool:
            self._keep(run, next(left), value)
            return False

        known = bind(self._program, inputs, self._sizes)
        with np.errstate(all="ignore"):
            evaluate_program(
                self._program,
                FloatSystem(np, np.dtype(self.dtype)),
                inputs,
                known,
                dict(given),
                watch,
            )
        for number, value in given.items():
            self._keep(run, number, value)
        return run.in_order(self._keys.values())

    def _keep(self, run: Run, number: int, value: Any) -> None:
        key = self._keys.get(number)
        if key is not None:
            run.values[key] = np.array(value, dtype=np.float64)
            run.depths[key] = 0

    def kind(self, path: str) -> str:
        """Returns the operation of the last value at a line."""
        return ""

    def submodule(self, path: str) -> Callable[..., Any] | None:
        """Returns None: a line is no function of arrays."""
        return None
