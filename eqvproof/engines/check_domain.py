"""Test of a user's domain at one point, before any other work.

A mistake in the domain is then reported as such.
"""

from __future__ import annotations

import random
from functools import partial

from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.engines.claim import Claim

#: Smallest size of an axis of the point, and its largest number of entries.
START, MOST_ENTRIES = 2, 100_000


def require_valid_domain(claim: Claim) -> None:
    """Calls the domain of a claim at one typical point.

    Raises:
        OptionError: it raises, or returns something other than True or False.
    """
    domain = claim.domain
    if domain is None or is_strategy(domain):
        return
    sizes = claim.typical_sizes(START)
    from eqvproof.engines.search.sizes import entries_of

    if entries_of(claim.signature, sizes) > MOST_ENTRIES:
        return
    from eqvproof.claims.domain_answers import allows, point_in
    from eqvproof.claims.domains import Domain

    if isinstance(domain, Domain):
        towards = partial(point_in, domain)
    else:
        towards = None
    from eqvproof.engines.search.inputs import Points

    allows(domain, Points(claim.signature, sizes, (), towards).generic(random.Random(0)))
