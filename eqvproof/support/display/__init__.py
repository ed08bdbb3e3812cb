"""HTML for notebooks and pages: formulas, steps of proofs, the style that they need."""

from eqvproof.support.display.formulas import formula_html
from eqvproof.support.display.notebook import in_notebook
from eqvproof.support.display.steps import program_html, steps_html

__all__ = ["formula_html", "in_notebook", "program_html", "steps_html"]
