"""Searches for the smallest counterexample to a claim of equivariance or of identity.

Exact for Programs, for all sizes or at single ones; in floats, against measured noise, for other
functions. Its modules load when a search begins: a claim that is proved needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of

#: Module -> its public names; loaded when first used.
_PUBLIC = modules_of(
    {
        "eqvproof.engines.search.comparer": "UNCONFIRMED",
        "eqvproof.engines.search.constants": "Number mine_constants written_numbers",
        "eqvproof.engines.search.run_search": "find_counterexample find_difference",
        "eqvproof.engines.search.limits": "Limits",
        "eqvproof.engines.search.noise": "FAR_ABOVE",
        "eqvproof.engines.search.result": "MAX_POINTS Doubt FoundCounterexample SearchResult"
        " only_floats",
        "eqvproof.engines.search.sides": "Acts",
        "eqvproof.engines.search.sizes": "REACH size_order",
        "eqvproof.engines.search.subject": "CalledSubject ProgramSubject Subject",
    }
)

__all__ = [*_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.engines.search.comparer import UNCONFIRMED as UNCONFIRMED
    from eqvproof.engines.search.constants import Number as Number
    from eqvproof.engines.search.constants import mine_constants as mine_constants
    from eqvproof.engines.search.constants import written_numbers as written_numbers
    from eqvproof.engines.search.limits import Limits as Limits
    from eqvproof.engines.search.noise import FAR_ABOVE as FAR_ABOVE
    from eqvproof.engines.search.result import MAX_POINTS as MAX_POINTS
    from eqvproof.engines.search.result import Doubt as Doubt
    from eqvproof.engines.search.result import FoundCounterexample as FoundCounterexample
    from eqvproof.engines.search.result import SearchResult as SearchResult
    from eqvproof.engines.search.result import only_floats as only_floats
    from eqvproof.engines.search.run_search import find_counterexample as find_counterexample
    from eqvproof.engines.search.run_search import find_difference as find_difference
    from eqvproof.engines.search.sides import Acts as Acts
    from eqvproof.engines.search.sizes import REACH as REACH
    from eqvproof.engines.search.sizes import size_order as size_order
    from eqvproof.engines.search.subject import CalledSubject as CalledSubject
    from eqvproof.engines.search.subject import ProgramSubject as ProgramSubject
    from eqvproof.engines.search.subject import Subject as Subject
else:
    __getattr__ = loader(__name__, _PUBLIC)
