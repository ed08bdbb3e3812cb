"""Inputs: the arguments of a Program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape
from eqvproof.programs.operations.numpy_code import Text, variable


@dataclass(frozen=True, slots=True)
class Input(Operation):
    """An argument of the function; evaluations receive its value, and a claim gives its type."""

    op: ClassVar[str] = "input"
    rule: ClassVar[str] = "assumption"

    name: str

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    is_rational = True
    sources = ()
    along = shared.no_common_axes
    infer = shared.never_asked
    typed = shared.never_asked
    character = shared.never_asked
    translated = shared.never_asked
    sums = shared.no_sums
    evaluate = shared.never_asked
    bound = shared.never_asked
    evaluate_with_conditions = shared.never_asked
    conditions = shared.never_asked
    count_conditions = shared.counts_nothing
    interval = shared.any_number
    is_whole = shared.may_be_fractional
    is_nonzero = shared.may_be_zero
    stays_defined = shared.is_defined_as_arguments
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary

    @property
    def input_name(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        return self.name

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} is given"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(variable(self.name))
