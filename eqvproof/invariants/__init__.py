"""Invariants: Gram matrices, coefficients in the span, functions of Gram matrices, group averages."""
