"""Assertions for test suites: a claim that fails shows its counterexample.

from eqvproof.testing import assert_equivariant

def test_layer():
    assert_equivariant(layer, "X: d n -> d n", "O(d)", at_least="PROVED")
"""

from eqvproof.testing.assertions import assert_equivariant, assert_invariant

__all__ = ["assert_equivariant", "assert_invariant"]
