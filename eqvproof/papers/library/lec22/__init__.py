"""Renjie Liao: EECE 571F, Deep Learning with Structures, lecture 2.

University of British Columbia, winter term 1, 2022. Lecture 2: invariance, equivariance, and deep
learning models for sets and sequences. Permutation matrices and their convex hull, convolutions and
shifts, Deep Sets, attention and its masks.
"""

from eqvproof.papers.statements.sources import import_statements

#: In the order of the source.
STATEMENTS = import_statements(
    __name__,
    """
    def_invariance def_equivariance
    circulant_commute shift_orthogonal conv_shift pool_shift
    perm_example birkhoff_hull birkhoff_vertices
    deepsets_sufficient deepsets_theorem2 deepsets_code deepsets_code_multisets
    lemma3 lemma3_diagonal lemma3_off_diagonal lemma3_constant_sigma layer stack
    softmax_rows softmax_order sqrt_scaling position mask layernorm_permutation layernorm_scale
    swin_window_shift cost
    """,
)
