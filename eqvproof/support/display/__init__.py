"""HTML for notebooks and pages: formulas, steps of proofs, the style that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of

#: Module -> its public names; loaded when first used.
_PUBLIC = modules_of(
    {
        "eqvproof.support.display.formulas": "formula_html",
        "eqvproof.support.display.notebook": "in_notebook",
        "eqvproof.support.display.step": "Step",
        "eqvproof.support.display.steps": "program_html steps_html",
    }
)

__all__ = [*_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.support.display.formulas import formula_html as formula_html
    from eqvproof.support.display.notebook import in_notebook as in_notebook
    from eqvproof.support.display.step import Step as Step
    from eqvproof.support.display.steps import program_html as program_html
    from eqvproof.support.display.steps import steps_html as steps_html
else:
    __getattr__ = loader(__name__, _PUBLIC)
