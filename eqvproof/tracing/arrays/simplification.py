"""Removal of eigenvectors, triangular factors and triangles from a trace where they are not needed.

Only those values depend on a choice (the sign of an eigenvector) or on the order of the axes (a
triangle), while the usual uses of them are functions of whole matrices.
"""

from __future__ import annotations

from eqvproof.programs.operations import Operation
from eqvproof.tracing.arrays.traced_program import Drafts

#: Comparisons, of which triangles are made.
_COMPARISONS = frozenset(("lt", "le", "gt", "ge", "eq", "ne"))


def simplify(drafts: Drafts) -> Drafts:
    """Rewrites the drafts of a trace with functions of whole matrices where these suffice.

    Raises:
        TraceError: eigenvectors are used in another way; the message names the user's line.
    """
    if any(op.is_up_to_signs for op in _operations(drafts)):
        from eqvproof.tracing.arrays.eigenvectors import replace_eigenvectors

        drafts = replace_eigenvectors(drafts)
    if any(op.triangle is not None or op.function in _COMPARISONS for op in _operations(drafts)):
        from eqvproof.tracing.arrays.triangles import replace_triangles

        drafts = replace_triangles(drafts)
    if any(op.matrix_function == "cholesky" for op in _operations(drafts)):
        from eqvproof.tracing.arrays.factors import replace_factors

        drafts = replace_factors(drafts)
    return drafts


def _operations(drafts: Drafts) -> list[Operation]:
    """Returns the operations on which the result depends."""
    nodes = drafts.builder.nodes
    return [nodes[x] for x in drafts.builder.behind(drafts.output)]
