"""Pair forms as one machine-coded loop: scores, functions and products with X in registers."""
