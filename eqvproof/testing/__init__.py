"""Assertions for test suites, claims that functions carry, and the pytest plugin.

from eqvproof.testing import assert_equivariant

def test_layer():
    assert_equivariant(layer, "X: d n -> d n", "O(d)", at_least="PROVED")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# Loaded when first used: pytest imports the plugin, and so this package, at each of its starts.
_WHERE = {
    "assert_equivariant": "eqvproof.testing.assertions",
    "assert_equivariant_floats": "eqvproof.testing.floats",
    "assert_invariant": "eqvproof.testing.assertions",
    "claim": "eqvproof.testing.claims",
    "claims_of": "eqvproof.testing.claims",
    "declared_claims": "eqvproof.testing.claims",
}

__all__ = [*_WHERE]

if TYPE_CHECKING:
    from eqvproof.testing.assertions import assert_equivariant as assert_equivariant
    from eqvproof.testing.assertions import assert_invariant as assert_invariant
    from eqvproof.testing.claims import claim as claim
    from eqvproof.testing.claims import claims_of as claims_of
    from eqvproof.testing.claims import declared_claims as declared_claims
    from eqvproof.testing.floats import assert_equivariant_floats as assert_equivariant_floats


if not TYPE_CHECKING:  # type checkers know the names above, and find misspelt ones

    def __getattr__(name: str) -> Any:
        if name in _WHERE:
            return getattr(importlib.import_module(_WHERE[name]), name)
        raise AttributeError(f"module 'eqvproof.testing' has no attribute {name!r}")
