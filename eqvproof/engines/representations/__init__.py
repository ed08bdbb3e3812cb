"""Representations given by functions of the group element.

Nothing is proved about a function that is only called: such claims are refuted or tested. Its
matrices are used as they are returned (the function is tested on some products of elements), so no
certificate can hold them.
"""

from eqvproof.engines.representations.acting import Acting
from eqvproof.engines.representations.reading import read_functions

__all__ = ["Acting", "read_functions"]
