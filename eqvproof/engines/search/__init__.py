"""Searches for the smallest counterexample to a claim of equivariance or of identity.

Exact for Programs, for all sizes or at single ones; in floats, against measured noise, for other
functions.
"""

from eqvproof.engines.search.comparison import UNCONFIRMED
from eqvproof.engines.search.constants import Number, mine_constants, written_numbers
from eqvproof.engines.search.evidence import PRECISIONS, evidence
from eqvproof.engines.search.limits import MAX_POINTS, Limits
from eqvproof.engines.search.noise import FAR_ABOVE
from eqvproof.engines.search.result import Doubt, Found, SearchResult
from eqvproof.engines.search.run_search import find_counterexample, find_difference
from eqvproof.engines.search.sides import Acts
from eqvproof.engines.search.sizes import REACH, size_order
from eqvproof.engines.search.snippet import snippet
from eqvproof.engines.search.subject import CalledSubject, ProgramSubject, Subject

__all__ = [
    "FAR_ABOVE",
    "MAX_POINTS",
    "Number",
    "UNCONFIRMED",
    "Doubt",
    "PRECISIONS",
    "REACH",
    "Acts",
    "CalledSubject",
    "Found",
    "Limits",
    "ProgramSubject",
    "SearchResult",
    "Subject",
    "evidence",
    "find_counterexample",
    "find_difference",
    "mine_constants",
    "size_order",
    "snippet",
    "written_numbers",
]
