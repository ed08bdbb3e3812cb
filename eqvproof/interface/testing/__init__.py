"""Assertions for test suites, declared claims, and the pytest plugin.

from eqvproof.interface.testing import assert_equivariant

def test_layer():
    assert_equivariant(layer, "X: d n -> d n", "O(d)", at_least="PROVED")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.support.lazy import loader, modules_of

# Loaded when first used: pytest imports the plugin, and so this package, at each of its starts.
_PUBLIC = modules_of(
    {
        "eqvproof.interface.testing.assertions": "assert_equivariant assert_invariant"
        " assert_independent assert_causal",
        "eqvproof.interface.testing.floats": "assert_equivariant_floats",
        "eqvproof.interface.testing.claims": "claim claims_of declared_claims",
    }
)

__all__ = [*_PUBLIC]

if TYPE_CHECKING:
    from eqvproof.interface.testing.assertions import assert_causal as assert_causal
    from eqvproof.interface.testing.assertions import assert_equivariant as assert_equivariant
    from eqvproof.interface.testing.assertions import assert_independent as assert_independent
    from eqvproof.interface.testing.assertions import assert_invariant as assert_invariant
    from eqvproof.interface.testing.claims import claim as claim
    from eqvproof.interface.testing.claims import claims_of as claims_of
    from eqvproof.interface.testing.claims import declared_claims as declared_claims
    from eqvproof.interface.testing.floats import (
        assert_equivariant_floats as assert_equivariant_floats,
    )


if not TYPE_CHECKING:  # type checkers know the names above, and find misspelt ones
    __getattr__ = loader(__name__, _PUBLIC)
