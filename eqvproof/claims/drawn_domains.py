"""Domains given as Hypothesis strategies, from which points are drawn."""

from __future__ import annotations

import sys


def is_strategy(domain: object) -> bool:
    """Checks whether a domain is a Hypothesis strategy."""
    if "hypothesis" not in sys.modules:
        return False
    from hypothesis.strategies import SearchStrategy

    return isinstance(domain, SearchStrategy)
