"""Architectures by symmetry: a web article on geometric deep learning, 18 August 2023.

Groups act on signals; layers that commute with the action are convolutions, set and graph networks,
recurrent networks and attention, each for its own group. Also: which of their operations are stable
under deformations.
"""

from eqvproof.papers.statements.sources import import_statements

#: In the order of the source.
STATEMENTS = import_statements(
    __name__,
    """
    tangent_chain_rule tangent_penalty
    action_inverse action_no_inverse def_invariant def_equivariant compose_equivariant compose_invariant
    stability_fourier_invariant stability_fourier_unstable stability_wavelet linear_invariant pointwise_lift
    groupconv_typing groupconv_equivariant groupconv_iff cnn_correlation cnn_stride cnn_channels
    gnn_equivariant gnn_phi_must_be_invariant
    transformer_layer transformer_pairwise transformer_causal_permuted transformer_causal_fixed transformer_rank
    rnn_update rnn_gru rnn_lstm
    """,
)
