"""Chao Ma, Lexing Ying: Why self-attention is natural for sequence-to-sequence problems?

A perspective from symmetries. Journal of Machine Learning 2 (3), 194-210, 2023,
doi:10.4208/jml.221206. Sections 1 to 5, Appendices A and B.

A map that commutes with orthogonal matrices on the embeddings is its input times a function of
inner products; self-attention is such a map. Maps that also commute with permutations are sums over
the elements of the sequence.
"""

from eqvproof.papers.statements.sources import import_statements

#: In the order of the source; the steps of a proof come after the proposition.
STATEMENTS = import_statements(
    __name__,
    """
    perm_subgroup attn_logits attn_single attn_permutation attn_multihead attn_orthogonal_fixed_weights remark2_1
    def3_1 prop3_1_sufficient prop3_1 householder_orthogonal householder_action span one_column
    coefficient_invariance every_g_invariant fft gram_orbit continuous_g
    sec3_2_arithmetic sec3_2_orbit_of_functions def3_2 prop3_2_sufficient prop3_2 prop3_2_block
    sec3_2_attention_form sec3_2_onehot_gram sec3_2_simple_form
    sec3_3_low_order sec3_3_quadratic_term sec3_3_quadratic_form sec3_3_query_key sec3_3_softmax_not_elementwise
    sec3_3_inner_product_kernel sec3_3_rbf_kernel
    sec4_position def4_1 prop4_1_sufficient prop4_1 prop4_1_reynolds prop4_1_swap_diagonal prop4_1_swap_pair
    prop4_1_deep_sets_citation prop4_1_sum_decomposition prop4_1_sum_limits
    remark4_1_typing remark4_1_diagonal remark4_1_off_diagonal
    sec5_linear_readout sec5_nonlinear_readout sec5_nonlinear_readout_orthogonal sec5_multihead sec5_stack
    """,
)
