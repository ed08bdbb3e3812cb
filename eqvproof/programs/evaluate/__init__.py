"""Evaluation of Programs: one evaluator, several number systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of

#: Module -> its public names; loaded when first used.
_PUBLIC = modules_of(
    {
        "eqvproof.programs.evaluate.exact": "evaluate_exact",
        "eqvproof.programs.evaluate.floats": "evaluate_float",
    }
)

__all__ = [*_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.exact import evaluate_exact as evaluate_exact
    from eqvproof.programs.evaluate.floats import evaluate_float as evaluate_float
else:
    __getattr__ = loader(__name__, _PUBLIC)
