"""HTML for notebooks and pages: formulas, steps of proofs, the style that they need."""

from eqvproof.display.formulas import formula_html
from eqvproof.display.notebook import in_notebook
from eqvproof.display.steps import program_html, steps_html

__all__ = ["formula_html", "in_notebook", "program_html", "steps_html"]
