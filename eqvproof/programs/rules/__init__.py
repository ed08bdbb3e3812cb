"""Actions of groups: the vocabulary in which operations state their rules.

Types say how the axes of a value are moved (`acts`), exponents by which power of a character it is
multiplied (`characters`), moves what a translation adds to it (`translations`, with the `sums` of
weights that are known). The rule of each operation, with its proof, stands in
``programs/operations/``; what no rule covers is unknown.
"""

from eqvproof.programs.rules.acts import Act, Stuck, Type
from eqvproof.programs.rules.characters import Typed
from eqvproof.programs.rules.context import Context

__all__ = ["Act", "Context", "Stuck", "Type", "Typed"]
