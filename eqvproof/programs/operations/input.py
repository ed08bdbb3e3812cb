"""Inputs: the arguments of a Program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from eqvproof.programs.operations.base import Lengths, Operation, Shape
from eqvproof.programs.operations.numpy_code import Text, variable


@dataclass(frozen=True, slots=True)
class Input(Operation):
    """An argument of the function; evaluations receive its value, and a claim gives its type."""

    op: ClassVar[str] = "input"
    rule: ClassVar[str] = "assumption"
    strict: ClassVar[bool] = True
    rational: ClassVar[bool] = True

    name: str

    @property
    def given(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        return self.name

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} is given"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(variable(self.name))
