"""Chao Ma, Lexing Ying: Why self-attention is natural for sequence-to-sequence problems?

The preprint of 2022, with the subtitle "A perspective from symmetries". Only statements that differ
from the journal version (`eqvproof.papers.library.my23`): orthogonal equivariance with knowledge
matrices, and the form of permutation equivariant maps.
"""

from eqvproof.papers.statements.sources import import_statements

#: In the order of the source; the steps of a proof come after the proposition.
STATEMENTS = import_statements(
    __name__,
    """
    prop3 prop3_pinv prop3_pinv_without_rank remark3_off_diagonal
    """,
)
