"""Evaluates equivariant maps X g(Z^T X) (Ma and Ying, Prop. 4.1) without an n x n matrix.

Attention, kernels and mean fields are ready-made.
"""

from eqvproof.deepsets.pair_forms.examples import (
    attention,
    gaussian_kernel,
    linear_attention,
    mean_field,
    rational_kernel,
)
from eqvproof.deepsets.pair_forms.form import Cost, PairForm

__all__ = [
    "Cost",
    "PairForm",
    "attention",
    "gaussian_kernel",
    "linear_attention",
    "mean_field",
    "rational_kernel",
]
